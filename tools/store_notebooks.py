"""Run lessons from the top and store what one clean Run All leaves: pictures and text, no widget views, no widget state."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

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
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": notebook.metadata.language_info})
    nbformat.write(notebook, path)


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
