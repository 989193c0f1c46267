"""Run lessons from the top and store what one clean Run All leaves: pictures and text, no widget views, no widget state.

In a lesson of the third edition a cell that only shows a figure or a question has its input collapsed, and the head says
how long the lesson takes.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from bayeslib.sections import BY_NUMBER
from tools import budget

VIEW = "application/vnd.jupyter.widget-view+json"
# As JupyterLab writes it; nbclient adds what the kernel says about its language.
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def store(path):
    """Run one notebook and write it back; nothing is written if a cell fails."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=60,
        kernel_name="python3",
        store_widget_state=False,
        coalesce_streams=True,  # in how many pieces a text arrives depends on the load
        resources={"metadata": {"path": path.parent}},
    )
    client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [output for output in map(without_view, cell.outputs) if output is not None]
    if BY_NUMBER[path.stem.partition("-")[0]].edition == 3:
        dress(notebook.cells)
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": notebook.metadata.language_info})
    nbformat.write(notebook, path)


def dress(cells):
    """Collapse the input of quiet cells, show that of the others, and write the minutes into the head."""
    for cell in cells:
        cell.metadata.pop("jupyter", None)
        if budget.is_quiet(cell):
            cell.metadata["jupyter"] = {"source_hidden": True}
    cells[0].source = budget.HEAD.sub(lambda _: budget.head(cells), cells[0].source, count=1)


def without_view(output):
    """The output without its widget view; None if there was nothing else in it."""
    data = output.get("data", {})
    if data.pop(VIEW, None) is not None and not data:
        return None
    return output


if __name__ == "__main__":
    for name in sys.argv[1:]:
        store(Path(name))
        print("stored", name)
