"""The notebook is a pipe that nobody ever writes to."""

import os

POINTS = {"posterior": 0, "belief_after": 0, "share_sick": 0, "reading": 0, "why": 0}
SAYS = "the notebook is not a regular file"


def hand_in(notebook, folder, write):
    os.mkfifo(folder / "01-bayes-theorem.ipynb")
