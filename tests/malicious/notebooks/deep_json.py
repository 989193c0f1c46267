"""JSON that is nested a hundred thousand times."""

POINTS = {"posterior": 0, "belief_after": 0, "share_sick": 0, "reading": 0, "why": 0}
SAYS = "the file is not a notebook"


def hand_in(notebook, folder, write):
    (folder / "01-bayes-theorem.ipynb").write_text('{"cells":' + "[" * 100_000)
