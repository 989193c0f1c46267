"""Three notebooks under other names: an empty one, one without answers, and the work."""

POINTS = {"posterior": 3, "belief_after": 3, "share_sick": 1, "reading": 1, "why": None}
SAYS = "several notebooks, work.ipynb counts"


def hand_in(notebook, folder, write):
    write(notebook, folder / "work.ipynb")
    write({"cells": []}, folder / "Untitled.ipynb")
    (folder / "zero.ipynb").write_text("")
