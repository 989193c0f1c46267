"""Written for R. The answers are R too, except one that is both."""

POINTS = {"posterior": 0, "belief_after": 0, "share_sick": 0, "reading": 1, "why": None}
SAYS = "written for another language, r"


def hand_in(notebook, folder, write):
    notebook["metadata"] = {"kernelspec": {"name": "ir", "language": "R", "display_name": "R"}}
    for cell in notebook["cells"]:
        if cell["id"] in {"posterior-answer", "belief_after-answer", "share_sick-answer"}:
            name = cell["id"].removesuffix("-answer")
            cell["source"] = f"{name} <- function(prior, likelihood) {{ prior * likelihood }}"
    write(notebook)
