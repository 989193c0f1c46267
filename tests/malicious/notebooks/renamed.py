"""The file has another name and lies in a folder of its own, beside a checkpoint."""

POINTS = {"posterior": 3, "belief_after": 3, "share_sick": 1, "reading": 1, "why": None}
SAYS = "renamed to exercise 1 (final).ipynb"


def hand_in(notebook, folder, write):
    write(notebook, folder / "homework" / "exercise 1 (final).ipynb")
    write({}, folder / "homework" / ".ipynb_checkpoints" / "exercise 1-checkpoint.ipynb")
