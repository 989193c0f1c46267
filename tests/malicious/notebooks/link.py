"""The notebook is a link to the teacher's solution."""

POINTS = {"posterior": 0, "belief_after": 0, "share_sick": 0, "reading": 0, "why": 0}
SAYS = "the notebook is a link or cannot be opened"


def hand_in(notebook, folder, write):
    (folder / "01-bayes-theorem.ipynb").symlink_to(folder.parents[2] / "source/01-bayes-theorem/01-bayes-theorem.ipynb")
