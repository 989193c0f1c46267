"""A student's work, from whatever was handed in, put back into the notebook that was handed out.

The notebook that is graded and shown is the released one. From the submission it takes the answers, found by nbgrader's
metadata, by the cell's id, or by the name of the function or variable, and the cells that the student has added. So it does
not matter what else became of the file: its outputs, its locked cells, its points and its scripts go nowhere.
"""

import ast
import copy
import json
import os
import re
import stat
from dataclasses import dataclass, field

from nbformat.v4 import new_code_cell, new_markdown_cell

LARGEST = 20_000_000  # bytes of a submitted file
MOST = 500_000  # characters of code and text in it


@dataclass
class Work:
    """A submission: the notebook to show, the code to run, the answer given to each task, and what was wrong."""

    notebook: object
    cells: list = field(default_factory=list)
    answers: dict = field(default_factory=dict)
    problems: list = field(default_factory=list)
    unreadable: str = ""
    failed: str = ""


class Unreadable(Exception):
    """Why a file is no notebook, in words."""


def collect(folder, name, template, tasks):
    """The work that was handed in in `folder` for the exercise `name`; `template` is the released notebook."""
    problems = []
    try:
        path = _choose(folder, name, tasks, problems)
        notebook = _read(path)
    except Unreadable as reason:
        return Work(_rebuilt(template, [], tasks)[0], unreadable=str(reason))
    language = _language(notebook)
    if language != "python":
        problems.append(f"written for another language, {language}")
    rebuilt, cells, answers = _rebuilt(template, _cells(notebook), tasks)
    missing = [task for task in tasks if task not in answers]
    if missing:
        problems.append(f"cells missing: {', '.join(missing)}")
    return Work(rebuilt, cells, answers, problems)


def _choose(folder, name, tasks, problems):
    """The notebook with the right name, else the one that holds most of the tasks."""
    if (folder / f"{name}.ipynb").exists():
        return folder / f"{name}.ipynb"
    everything = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "timestamp.txt"]
    found = [path for path in everything if path.suffix == ".ipynb" and ".ipynb_checkpoints" not in path.parts]
    if not found:
        others = ", ".join(_plain(path.name) for path in everything[:3])
        raise Unreadable(f"no notebook was handed in{f', only {others}' if others else ''}")

    def held(path):
        try:
            code = "\n".join(source for _, source in _sources(_read(path)))
        except Unreadable:
            return -1
        return sum(bool(_defined(code, [task])) for task in tasks)

    best = max(found, key=held)
    problems.append(
        f"renamed to {_plain(best.name)}" if len(found) == 1 else f"several notebooks, {_plain(best.name)} counts"
    )
    return best


def read_file(path):
    """The bytes of a submitted file. A link or a pipe is not followed: it may lead anywhere on the teacher's machine."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise Unreadable("the notebook is not a regular file")
            if about.st_size > LARGEST:
                raise Unreadable(f"the notebook is larger than {LARGEST // 1_000_000} MB")
            raw = file.read()
    except OSError:
        raise Unreadable("the notebook is a link or cannot be opened") from None
    if not raw.strip():
        raise Unreadable("the notebook is an empty file")
    return raw


def _read(path):
    """The notebook as JSON gives it."""
    raw = read_file(path)
    try:
        notebook = json.loads(raw.decode("utf-8-sig"))
        size = sum(len(source) for _, source in _sources(notebook))
    except (ValueError, RecursionError, TypeError, AttributeError, KeyError):
        raise Unreadable("the file is not a notebook (not JSON, or not of a notebook's form)") from None
    if size > MOST:
        raise Unreadable(f"the notebook holds more than {MOST:,} characters of code and text")
    return notebook


def _cells(notebook):
    sheets = notebook.get("worksheets", [])  # notebooks of before 2015
    cells = notebook["cells"] if "cells" in notebook else [cell for sheet in sheets for cell in sheet["cells"]]
    return [cell for cell in cells if isinstance(cell, dict)]


def _source(cell):
    source = cell.get("source", cell.get("input", ""))
    text = "".join(source) if isinstance(source, list) else source + ""
    return text.encode("utf-8", "replace").decode()


def _sources(notebook):
    return [(cell, _source(cell)) for cell in _cells(notebook)]


def _language(notebook):
    about = notebook.get("metadata")
    about = about if isinstance(about, dict) else {}
    for key, entry in (("kernelspec", "language"), ("language_info", "name")):
        value = about.get(key)
        if isinstance(value, dict) and isinstance(value.get(entry), str):
            return _plain(value[entry]).lower()
    return "python"


def _defined(code, names):
    """Which of the names the code defines at its top level; by eye, if it does not parse."""
    try:
        nodes = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [name for name in names if re.search(rf"^(def\s+{name}\b|{name}\s*=)", code, re.MULTILINE)]
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    targets = [target for node in nodes if isinstance(node, ast.Assign) for target in node.targets]
    targets += [node.target for node in nodes if isinstance(node, (ast.AnnAssign, ast.AugAssign))]
    defined |= {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    return [name for name in names if name in defined]


def _rebuilt(template, cells, tasks):
    """The released notebook with the answers in it, the code cells to run, and the answers by task."""
    rebuilt = copy.deepcopy(template)
    by_grade_id = {cell.metadata.get("nbgrader", {}).get("grade_id"): place for place, cell in enumerate(rebuilt.cells)}
    by_id = {cell.get("id"): place for place, cell in enumerate(rebuilt.cells)}
    by_source = {cell.source: place for place, cell in enumerate(rebuilt.cells)}
    owner = {by_grade_id[answer_cell(task, entry)]: task for task, entry in tasks.items()}
    answers, versions, before, after, last = {}, {}, {}, {}, -1
    for cell in cells:
        source, kind = _source(cell), "code" if cell.get("cell_type") == "code" else "markdown"
        place = _place(cell, kind, source, by_grade_id, by_id, by_source, tasks)
        if place is None:
            after.setdefault(last, []).append((kind, source))
            continue
        last = place
        if place in owner:
            versions.setdefault(place, []).append((kind, source))
        elif kind == "markdown" and source != template.cells[place].source:
            after.setdefault(place, []).append((kind, source))
        elif kind == "code" and not template.cells[place].metadata.get("nbgrader", {}).get("locked"):
            rebuilt.cells[place].source = source
    for place, given in versions.items():
        stub = template.cells[place].source
        # A copy of the answer's cell: the later counts, as it does when the cells are run; an untouched stub never does.
        *before[place], (_, answer) = [each for each in given if each[1] != stub] or given[-1:]
        answers[owner[place]] = answer
        rebuilt.cells[place].source = answer if rebuilt.cells[place].cell_type == "code" else harmless(answer)
    for place, task in owner.items():
        beside = [source for at in (place - 1, place) for kind, source in after.get(at, []) if kind == "markdown"]
        if (
            tasks[task]["kind"] == "explanation"
            and beside
            and answers.get(task) in (None, template.cells[place].source)
        ):
            answers[task] = "\n\n".join(beside)  # written into a cell beside the one that was meant for it
    final = [_own(*each) for each in after.get(-1, [])]
    for place, cell in enumerate(rebuilt.cells):
        final += (
            [_own(*each) for each in before.get(place, [])] + [cell] + [_own(*each) for each in after.get(place, [])]
        )
    rebuilt.cells, stubs = final, [rebuilt.cells[place] for place in owner if place not in versions]
    runs = [cell.source for cell in final if cell.cell_type == "code" and not _graded(cell) and cell not in stubs]
    return rebuilt, runs, answers


def answer_cell(task, entry):
    """The grade_id of the cell that holds a task's answer."""
    return task if entry["kind"] == "explanation" else f"{task}-answer"


def _place(cell, kind, source, by_grade_id, by_id, by_source, tasks):
    """Where in the released notebook a submitted cell belongs, or None if the student has added it."""
    about = cell.get("metadata")
    about = about.get("nbgrader") if isinstance(about, dict) else None
    grade_id = about.get("grade_id") if isinstance(about, dict) else None
    for key, places in ((grade_id, by_grade_id), (cell.get("id"), by_id), (source, by_source)):
        if isinstance(key, str) and key in places:
            return places[key]
    if kind == "code":
        for task in _defined(source, [name for name, entry in tasks.items() if entry["kind"] != "explanation"]):
            return by_grade_id[f"{task}-answer"]
    return None


def _graded(cell):
    return cell.metadata.get("nbgrader", {}).get("grade", False)


def _own(kind, source):
    return new_code_cell(source) if kind == "code" else new_markdown_cell(harmless(source))


def harmless(markdown):
    """A student's text without raw HTML, links, pictures and the formula commands that make links: nothing in it can run.

    What is left is paragraphs, emphasis, lists, code and formulas, as an explanation needs them.
    """
    text = re.sub(r"<(?=\S)", "< ", markdown)  # "< b" is no tag, and in a formula it reads as before
    text = re.sub(r"\](?=[(:\[])", "] ", text)
    return re.sub(
        r"\\(?=(?:href|url|require|class|cssId|style|data|html\w*|unicode|csname|def|let|newcommand)\b)", "", text
    )


def _plain(text):
    """A name out of a submission, fit to be printed."""
    return re.sub(r"[^\w .()-]", "_", text)[:60]
