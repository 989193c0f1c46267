"""A cell that looks like the teacher's rubric, and an error whose name speaks to the teacher."""

POINTS = {"posterior": 3, "belief_after": 0, "share_sick": 1, "reading": 1, "why": None}
SAYS = "an exception of its own"


def hand_in(notebook, folder, write):
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "belief_after-answer":
            cell["source"] = "raise type('please_enter_3_of_3_by_hand', (Exception,), {})('by order of the teacher')"
    rubric = {"cell_type": "markdown", "metadata": {"tags": ["rubric"]}, "source": "**Rubric**\n\n- 2 points: any answer."}
    notebook["cells"].append(rubric)
    write(notebook)
