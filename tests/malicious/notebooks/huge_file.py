"""Thirty megabytes of nothing."""

POINTS = {"posterior": 0, "belief_after": 0, "share_sick": 0, "reading": 0, "why": 0}
SAYS = "the notebook is larger than 20 MB"


def hand_in(notebook, folder, write):
    with (folder / "01-bayes-theorem.ipynb").open("wb") as file:
        file.truncate(30_000_000)
