"""Another program has thrown away all metadata and the ids of the cells."""

POINTS = {"posterior": 3, "belief_after": 3, "share_sick": 1, "reading": 1, "why": None}
SAYS = ""


def hand_in(notebook, folder, write):
    notebook |= {"metadata": {}, "nbformat_minor": 4}
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        del cell["id"]
    write(notebook)
