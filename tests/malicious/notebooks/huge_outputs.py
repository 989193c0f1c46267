"""Right answers below six megabytes of printed lines and pictures."""

POINTS = {"posterior": 3, "belief_after": 3, "share_sick": 1, "reading": 1, "why": None}
SAYS = ""


def hand_in(notebook, folder, write):
    lines = {"output_type": "stream", "name": "stdout", "text": "a line of output\n" * 200_000}
    picture = {"output_type": "display_data", "data": {"image/png": "A" * 3_000_000}, "metadata": {}}
    for cell in notebook["cells"]:
        if cell["id"] == "posterior-answer":
            cell["outputs"] = [lines, picture]
    write(notebook)
