"""A file without a single byte, as a full disk leaves it."""

POINTS = {"posterior": 0, "belief_after": 0, "share_sick": 0, "reading": 0, "why": 0}
SAYS = "the notebook is an empty file"


def hand_in(notebook, folder, write):
    (folder / "01-bayes-theorem.ipynb").write_bytes(b"")
