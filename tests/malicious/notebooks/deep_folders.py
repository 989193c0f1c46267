"""Folders in folders, deeper than Python's recursion goes; the notebook itself lies where it should."""

POINTS = {"posterior": 3, "belief_after": 3, "share_sick": 1, "reading": 1, "why": None}
SAYS = ""


def hand_in(notebook, folder, write):
    import os

    write(notebook)
    before = os.getcwd()
    try:
        os.chdir(folder)
        for _ in range(1200):
            os.mkdir("d")
            os.chdir("d")
    finally:
        os.chdir(before)
