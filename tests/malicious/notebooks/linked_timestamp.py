"""The hour of submission is a link to the teacher's reference."""

POINTS = {"posterior": 3, "belief_after": 3, "share_sick": 1, "reading": 1, "why": None}
SAYS = ""


def hand_in(notebook, folder, write):
    write(notebook)
    (folder / "timestamp.txt").symlink_to(folder.parents[2] / "references/01-bayes-theorem.py")
