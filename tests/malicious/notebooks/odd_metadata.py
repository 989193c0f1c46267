"""Metadata of the wrong kind everywhere, sources as lists, cells that are no cells."""

POINTS = {"posterior": 3, "belief_after": 3, "share_sick": 1, "reading": 1, "why": None}
SAYS = ""


def hand_in(notebook, folder, write):
    notebook["metadata"] = {"kernelspec": ["python3"], "language_info": None}
    for cell, metadata in zip(
        notebook["cells"], [None, [], "x", {"nbgrader": []}, {"nbgrader": {"grade_id": ["a"]}}] * 10
    ):
        cell |= {"metadata": metadata, "source": cell["source"].splitlines(keepends=True)}
    notebook["cells"] += [None, 7, "cell", {}, {"cell_type": "raw", "source": "<script>window.ran = 1</script>"}]
    write(notebook)
