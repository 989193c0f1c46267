"""Eleven hundred folders whose names end like those of files: each used to cost the grader an open file."""

POINTS = {"posterior": 0, "belief_after": 0, "share_sick": 0, "reading": 0, "why": 0}
SAYS = "more than 200 files and folders were handed in"


def hand_in(notebook, folder, write):
    for number in range(1100):
        (folder / f"{number}.txt").mkdir()
