"""The golden record: what the course shows, prints and marks, to compare before and after a change that must not be seen.

    python -m tests.golden record build/before.json
    python -m tests.golden compare build/before.json build/after.json

It holds, for every figure in about thirty states, the caption and a digest of the picture; for every lesson what its cells
print (those that print library source are left out); for every exercise the marks of its right, wrong and almost right
answers. It serves the third edition and goes at its end.
"""

import hashlib
import json
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"


def figures_of(number):
    """ "figure/setting" -> [caption, digest of the picture], for a section."""
    import ipywidgets

    from bayeslib import live
    from bayeslib.sections import SECTIONS
    from tests.test_captions import states

    found = {}
    for name in live.figures(next(section for section in SECTIONS if section.number == number)):
        for setting, figure in states(name):
            digest = hashlib.sha256(figure.canvas.pixels().tobytes()).hexdigest()[:16]
            found[f"{name}/{setting}"] = [figure.alt, digest]
        ipywidgets.Widget.close_all()
    return found


def lesson(path):
    """ "lesson/cell" -> the texts that the cell prints or shows."""
    notebook = nbformat.read(path, as_version=4)
    os.environ["BAYESLIB_ANSWERS"] = str(Path(tempfile.mkdtemp()) / "my-answers.json")
    os.environ["PYTHONPATH"] = str(NOTEBOOKS.parent)
    resources = {"metadata": {"path": NOTEBOOKS}}
    NotebookClient(
        notebook, timeout=300, store_widget_state=False, coalesce_streams=True, resources=resources
    ).execute()
    return {
        f"{path.stem}/{cell.id}": [each.get("text") or each.get("data", {}).get("text/plain") for each in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code" and "nbval-ignore-output" not in cell.metadata.get("tags", [])
    }


def marks_of(name):
    """ "exercise/task/answer" -> [right at once?, points], for the corpus of right and wrong answers of an exercise."""
    from tests.test_almost_right import almost_right
    from tests.test_exercises import TASKS, judge, known, score

    found = {}
    for task, entry in TASKS[name].items():
        answers = {}
        if entry["kind"] == "function":
            answers = {"solution": entry["solve"], **entry["mistakes"], **almost_right(entry)}
        elif entry["kind"] == "number":
            solves = {"solution": entry["solve"], **entry["mistakes"]}
            answers = {what: solve("ada") for what, solve in solves.items()}
        for what, answer in answers.items():
            found[f"{name}/{task}/{what}"] = [
                judge(known(name), {task: answer}, "ada")[0],
                score(name, {task: answer}, secret="a class")[task].points,
            ]
    return found


def record():
    from bayeslib.sections import SECTIONS

    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        parts = {
            "figures": pool.map(figures_of, [section.number for section in SECTIONS]),
            "lessons": pool.map(lesson, sorted(NOTEBOOKS.glob("*.ipynb"))),
            "marks": pool.map(marks_of, [section.name for section in SECTIONS]),
        }
        return {kind: {key: value for each in found for key, value in each.items()} for kind, found in parts.items()}


def compare(before, after):
    """The differences, a line each."""
    for kind in before:
        for key in sorted(before[kind].keys() | after[kind].keys()):
            old, new = before[kind].get(key), after[kind].get(key)
            if old != new:
                yield f"{kind} {key}\n  was {old}\n  is  {new}"


if __name__ == "__main__":
    if sys.argv[1] == "record":
        text = json.dumps(record(), indent=1, ensure_ascii=False)
        Path(sys.argv[2]).write_text(text, encoding="utf-8")
    else:
        found = list(compare(*(json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[2:])))
        sys.exit("\n".join(found) or print("nothing has changed"))
