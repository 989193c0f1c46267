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
    if problem := Sandbox.available():
        pytest.fail(problem) if os.environ.get("CI") == "true" else pytest.skip(problem)


def make(folder, names=(NAME,), settings="", sample=True):
    """A course with some of the exercises, as a teacher would find it after `make release`, or with their first variants."""
    (folder / "references").mkdir(parents=True)
    for name in names:
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(EXERCISES / "source" / name, folder / "source" / name, ignore=skipped)
        shutil.copy(EXERCISES / "references" / f"{name}.py", folder / "references")
    (folder / "nbgrader_config.py").write_text((EXERCISES / "nbgrader_config.py").read_text() + LIMITS + settings)
    run(folder, "release", *names, *["--sample"] * sample)
    return folder


def run(folder, *words):
    """`python -m grading …`, in this process; returns what it printed."""
    from grading.__main__ import main

    os.environ.pop("BAYESLIB_SAMPLE", None)
    with contextlib.chdir(os.getcwd()), contextlib.redirect_stdout(io.StringIO()) as told:
        main(["--course", str(folder), *words])
    return told.getvalue()


def command(folder, *words, **options):
    """The same, or another module of the environment, as a process of its own; returns the process."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen([sys.executable, "-m", *words], cwd=folder, **pipes, **options)


def released(folder, name=NAME):
    return json.loads((folder / "release" / name / f"{name}.ipynb").read_text())


def solved(folder, name=NAME):
    """The released notebook with the solutions of the source in it; `stubs` keeps what was there before."""
    from grading import references

    notebook, chosen = released(folder, name), references.released_variants(folder / "release" / name)
    source = json.loads((folder / "source" / name / f"{name}.ipynb").read_text())
    notebook["stubs"] = {}
    for cell, original in zip(notebook["cells"], source["cells"], strict=True):
        cell["source"] = "".join(cell["source"])
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            notebook["stubs"][cell["id"]] = cell["source"]
            cell["source"] = references.rendered(cell["id"], "".join(original["source"]), chosen)
    return notebook


def lettered(notebook, student, name=NAME):
    """The notebook with the solutions' letters where the order of options is the student's own."""
    from grading import references

    text = json.dumps(notebook)
    for task, entry in references.load(name, EXERCISES).tasks.items():
        if entry["kind"] == "choice":
            order = shuffled(entry["options"], entry["salt"], student)
            (shown,) = [shown for shown, letter in order.items() if letter == entry["solve"]]
            was, now = (json.dumps(f'SOLUTION\n{task} = "{letter}"')[1:-1] for letter in (entry["solve"], shown))
            text = text.replace(was, now)
    return json.loads(text)


def submit(folder, student, notebook, name=NAME, path=None):
    path = path or folder / "submitted" / student / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(notebook, dict):
        notebook = {key: value for key, value in notebook.items() if key != "stubs"}
    path.write_text(json.dumps(lettered(notebook, student) if name == NAME else notebook))


def answer(notebook, cell_id, source):
    """The notebook with another answer in one cell."""
    cells = [cell | {"source": source} if cell["id"] == cell_id else cell for cell in notebook["cells"]]
    return notebook | {"cells": cells}


def gradebook(folder):
    from nbgrader.api import Gradebook

    elsewhere = re.search(r"db_url = '(.+)'", (folder / "nbgrader_config.py").read_text())
    return Gradebook(elsewhere[1] if elsewhere else f"sqlite:///{folder}/gradebook.db", "")


def rows(folder, name=NAME):
    """student → what the gradebook says, as the CSV would have it."""
    from grading.exports import row

    with gradebook(folder) as book:
        return {student.id: row(book, book.find_assignment(name), student) for student in book.students}


def dump(folder):
    """Everything that the gradebook holds, but for the random keys of its rows."""
    with gradebook(folder) as book:
        submitted = [entry for each in book.assignments for work in each.submissions for entry in work.notebooks]
        return {
            (entry.assignment.name, entry.student.id): (
                {
                    grade.name: (grade.auto_score, grade.manual_score, grade.needs_manual_grade)
                    for grade in entry.grades
                },
                {comment.name: (comment.auto_comment, comment.manual_comment) for comment in entry.comments},
                entry.late_submission_penalty,
                entry.assignment.timestamp,
            )
            for entry in submitted
        }
