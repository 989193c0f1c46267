"""Every cell is there twice, and the untouched stub of the first answer a third time, below."""

import copy

POINTS = {"posterior": 3, "belief_after": 3, "share_sick": 1, "reading": 1, "why": None}
SAYS = ""


def hand_in(notebook, folder, write):
    stub = copy.deepcopy(next(cell for cell in notebook["cells"] if cell["id"] == "posterior-answer"))
    stub["source"] = notebook["stubs"]["posterior-answer"]
    notebook["cells"] = [copy.deepcopy(cell) for cell in notebook["cells"] for _ in range(2)] + [stub]
    write(notebook)
