"""A course to grade, in a temporary folder: copies of the exercises, submissions, and the gradebook read back."""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bayeslib.questions.answers import shuffled
from bayeslib.sections import SECTIONS
from grading.sandbox import Sandbox

ROOT = Path(__file__).parents[1]
EXERCISES = ROOT / "notebooks/exercises"
NAME = SECTIONS[0].name
# What ends by itself never hangs on the clock of a busy computer; what computes for ever is stopped after a second of its own.
LIMITS = "\nc.Grade.limits = {'cpu': 1, 'wall': 300, 'memory': 256}\n"


def need_sandbox():
    """Without a sandbox the tests of grading are skipped, and say how to get one; in CI that is a failure."""
    problem = Sandbox.available()
    if problem:
        pytest.fail(problem) if os.environ.get("CI") == "true" else pytest.skip(problem)


def make(folder, names=(NAME,), settings="", sample=True):
    """A course with some of the exercises, as a teacher would find it after `make release`, or with their first variants."""
    (folder / "release").mkdir(parents=True)
    (folder / "references").mkdir()
    for name in names:
        shutil.copytree(
            EXERCISES / "source" / name, folder / "source" / name, ignore=shutil.ignore_patterns("__pycache__")
        )
        shutil.copy(EXERCISES / "references" / f"{name}.py", folder / "references")
    (folder / "nbgrader_config.py").write_text((EXERCISES / "nbgrader_config.py").read_text() + LIMITS + settings)
    run(folder, "release", *names, *["--sample"] * sample)
    return folder


def run(folder, *words):
    """`python -m grading …`, in this process; returns what it printed."""
    from grading.__main__ import main

    before, told = os.getcwd(), io.StringIO()
    os.environ.pop("BAYESLIB_SAMPLE", None)
    try:
        with contextlib.redirect_stdout(told):
            main(["--course", str(folder), *words])
    finally:
        os.chdir(before)
    return told.getvalue()


def command(folder, *words, **options):
    """The same, or any program of the environment, as a process of its own; returns the process."""
    program = (
        [sys.executable, "-m", *words]
        if words[0] == "grading"
        else [str(Path(sys.executable).parent / words[0]), *words[1:]]
    )
    return subprocess.Popen(program, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def released(folder, name=NAME):
    return json.loads((folder / "release" / name / f"{name}.ipynb").read_text())


def solved(folder, name=NAME):
    """The released notebook with the solutions of the source in it; `stubs` keeps what was there before."""
    notebook = released(folder, name)
    source = json.loads((folder / "source" / name / f"{name}.ipynb").read_text())
    from grading import references  # here: a cluster's workers import this module, and are to know none

    notebook["stubs"], chosen = {}, references.released_variants(folder / "release" / name)
    for cell, original in zip(notebook["cells"], source["cells"], strict=True):
        cell["source"] = "".join(cell["source"])
        text = references.rendered(cell["id"], "".join(original["source"]), chosen)
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            notebook["stubs"][cell["id"]], cell["source"] = cell["source"], text
    return notebook


def lettered(notebook, student, name=NAME):
    """The notebook with the solutions' letters where the order of options is the student's own."""
    right = {}
    from grading import references

    for task, entry in references.load(name, EXERCISES).tasks.items():
        if entry["kind"] == "choice":
            order = shuffled(entry["options"], entry["salt"], student)
            shown = next(shown for shown, letter in order.items() if letter == entry["solve"])
            begin = f"### BEGIN SOLUTION\n{task} = "
            right[f'{begin}"{entry["solve"]}"'] = f'{begin}"{shown}"'

    def changed(cell):
        if isinstance(cell, dict) and isinstance(source := cell.get("source"), str):
            for was, now in right.items():
                source = source.replace(was, now)
            return cell | {"source": source}
        return cell

    return notebook | {"cells": [changed(cell) for cell in notebook["cells"]]}


def submit(folder, student, notebook, name=NAME, path=None):
    path = path or folder / "submitted" / student / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(notebook, dict):
        notebook = {key: value for key, value in notebook.items() if key != "stubs"}
        if name == NAME and isinstance(notebook.get("cells"), list):
            notebook = lettered(notebook, student)
    path.write_text(json.dumps(notebook))


def answer(notebook, cell_id, source):
    """The notebook with another answer in one cell."""
    cells = [cell | {"source": source} if cell["id"] == cell_id else cell for cell in notebook["cells"]]
    return notebook | {"cells": cells}


def gradebook(folder):
    from nbgrader.api import Gradebook

    config = folder / "nbgrader_config.py"
    elsewhere = re.search(r"db_url = '(.+)'", config.read_text() if config.exists() else "")
    return Gradebook(elsewhere[1] if elsewhere else f"sqlite:///{folder}/gradebook.db", "")


def rows(folder, name=NAME):
    """student → what the gradebook says, as the CSV would have it."""
    from grading.exports import row

    with gradebook(folder) as book:
        return {student.id: row(book, book.find_assignment(name), student) for student in book.students}


def dump(folder):
    """Everything that the gradebook holds, but for the random keys of its rows."""
    found = {}
    with gradebook(folder) as book:
        for assignment in book.assignments:
            for submission in assignment.submissions:
                for notebook in submission.notebooks:
                    key = assignment.name, submission.student.id
                    grades = {g.name: (g.auto_score, g.manual_score, g.needs_manual_grade) for g in notebook.grades}
                    comments = {c.name: (c.auto_comment, c.manual_comment) for c in notebook.comments}
                    found[key] = grades, comments, notebook.late_submission_penalty, submission.timestamp
    return found
