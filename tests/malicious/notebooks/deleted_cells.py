"""The cell of one answer and all locked cells are gone, the data among them; the other answers stand."""

POINTS = {"posterior": 0, "belief_after": 3, "share_sick": 1, "reading": 1, "why": None}
SAYS = "cells missing: posterior"


def hand_in(notebook, folder, write):
    gone = {"posterior-answer", "setup", "study", "posterior", "belief_after", "curve"}
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] not in gone]
    write(notebook)
