"""A student's work, from whatever was handed in, put back into the notebook that was handed out.

The notebook that is graded and shown is the released one. From the submission it takes the answers, found by nbgrader's
metadata, by the cell's id, or by the name of the function or variable, and the cells that the student has added. Nothing
else in the file matters: its outputs, locked cells, points and scripts are dropped.
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
MOST = 200_000  # characters of code and text in it
CELLS = 500  # cells in it
PARTS = 200_000  # lists and mappings in it: reading more than that would take the grader's memory, not the student's
TEXT = 5_000  # characters of a text that is rendered; a longer one, or one with more than SIGNS markup signs, is shown as typed
SIGNS = 300
FILES, DEPTH = 200, 5  # files and folders of a submission, and how deeply they may be nested
IDENTITY = re.compile(r"(?![.\- ])[\w.@+ '#-]{1,128}(?<! )")


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
    """Why a submission cannot be read, in words."""


def collect(folder, name, template, tasks):
    """The work in `folder`, handed in for the exercise `name`; `template` is the released notebook."""
    problems = []
    try:
        if folder.is_symlink() or folder.parent.is_symlink():
            raise Unreadable("the folder is a link to another one")
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
    """The notebook with the right name, else the one that defines most of the tasks."""
    if (folder / f"{name}.ipynb").exists():
        return folder / f"{name}.ipynb"
    files = [path for path in files_of(folder) if path.name != "timestamp.txt"]
    notebooks = [path for path in files if path.suffix == ".ipynb" and ".ipynb_checkpoints" not in path.parts]
    if not notebooks:
        others = ", ".join(_plain(path.name) for path in files[:3])
        raise Unreadable(f"no notebook was handed in{f', only {others}' if others else ''}")

    def tasks_defined(path):
        try:
            code = "\n".join(source for _, source in _sources(_read(path)))
        except Unreadable:
            return -1
        return sum(bool(_defined(code, [task])) for task in tasks)

    best = max(notebooks, key=tasks_defined)
    problems.append(
        f"renamed to {_plain(best.name)}" if len(notebooks) == 1 else f"several notebooks, {_plain(best.name)} counts"
    )
    return best


def files_of(folder):
    """The files of a submission, in order. Links are not followed; too many files, or too deep ones, are refused."""
    files, queue, count = [], [(folder, 0)], 0
    while queue:
        directory, depth = queue.pop()
        try:
            entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
        except OSError:
            continue
        count += len(entries)
        if count > FILES or depth > DEPTH:
            raise Unreadable(f"more than {FILES} files and folders were handed in, or more than {DEPTH} folders deep")
        files += [directory / entry.name for entry in entries if entry.is_file(follow_symlinks=False)]
        queue += [(directory / entry.name, depth + 1) for entry in entries if entry.is_dir(follow_symlinks=False)]
    return sorted(files)


def read_file(path):
    """The bytes of a submitted file. Links and pipes are refused: they may lead anywhere on the teacher's machine."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (OSError, ValueError):
        raise Unreadable("the notebook is a link or cannot be opened") from None
    try:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            raise Unreadable("the notebook is not a regular file")
        if info.st_nlink > 1:
            raise Unreadable("the notebook is a link or cannot be opened")
        if info.st_size > LARGEST:
            raise Unreadable(f"the notebook is larger than {LARGEST // 1_000_000} MB")
        with open(descriptor, "rb", closefd=False) as file:
            raw = file.read(LARGEST)
    except OSError:
        raise Unreadable("the notebook is a link or cannot be opened") from None
    finally:
        os.close(descriptor)
    if not raw.strip():
        raise Unreadable("the notebook is an empty file")
    return raw


def _read(path):
    """The notebook as parsed JSON."""
    raw = read_file(path)
    if raw.count(b"[") + raw.count(b"{") > PARTS:
        raise Unreadable(f"the file holds more than {PARTS:,} lists, which no notebook needs")
    try:
        notebook = json.loads(raw.decode("utf-8-sig"))
        count = len(_cells(notebook))
        size = sum(len(source) for _, source in _sources(notebook)) if count <= CELLS else 0
    except (ValueError, RecursionError, TypeError, AttributeError, KeyError):
        raise Unreadable("the file is not a notebook (not JSON, or not of a notebook's form)") from None
    if count > CELLS:
        raise Unreadable(f"the notebook has more than {CELLS} cells")
    if size > MOST:
        raise Unreadable(f"the notebook holds more than {MOST:,} characters of code and text")
    return notebook


def _cells(notebook):
    sheets = notebook.get("worksheets", [])  # notebooks from before 2015
    cells = notebook["cells"] if "cells" in notebook else [cell for sheet in sheets for cell in sheet["cells"]]
    return [cell for cell in cells if isinstance(cell, dict)]


def _source(cell):
    source = cell.get("source", cell.get("input", ""))
    text = "".join(source) if isinstance(source, list) else source + ""
    return text.encode("utf-8", "replace").decode()


def _sources(notebook):
    return [(cell, _source(cell)) for cell in _cells(notebook)]


def _language(notebook):
    metadata = notebook.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    for key, entry in (("kernelspec", "language"), ("language_info", "name")):
        value = metadata.get(key)
        if isinstance(value, dict) and isinstance(value.get(entry), str):
            return _plain(value[entry]).lower()
    return "python"


def _defined(code, names):
    """Which of the names the code defines at its top level; by pattern, if it does not parse."""
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
    for place, submitted in versions.items():
        stub = template.cells[place].source
        # If the answer's cell was copied, the last copy counts, as when the cells are run; an untouched stub never does.
        *before[place], (_, answer) = [version for version in submitted if version[1] != stub] or submitted[-1:]
        answers[owner[place]] = answer
        rebuilt.cells[place].source = answer if rebuilt.cells[place].cell_type == "code" else harmless(answer)
    for place, task in owner.items():
        nearby = [source for at in (place - 1, place) for kind, source in after.get(at, []) if kind == "markdown"]
        if (
            tasks[task]["kind"] == "explanation"
            and nearby
            and answers.get(task) in (None, template.cells[place].source)
        ):
            answers[task] = "\n\n".join(nearby)  # written into a cell next to the one meant for it
    final = [_added_cell(*version) for version in after.get(-1, [])]
    for place, cell in enumerate(rebuilt.cells):
        final += (
            [_added_cell(*version) for version in before.get(place, [])]
            + [cell]
            + [_added_cell(*version) for version in after.get(place, [])]
        )
    rebuilt.cells, stubs = final, [rebuilt.cells[place] for place in owner if place not in versions]
    runs = [cell.source for cell in final if cell.cell_type == "code" and not _graded(cell) and cell not in stubs]
    return rebuilt, runs, answers


def answer_cell(task, entry):
    """The grade_id of the cell that holds a task's answer."""
    return task if entry["kind"] == "explanation" else f"{task}-answer"


def _place(cell, kind, source, by_grade_id, by_id, by_source, tasks):
    """Where in the released notebook a submitted cell belongs, or None if the student has added it."""
    metadata = cell.get("metadata")
    metadata = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    grade_id = metadata.get("grade_id") if isinstance(metadata, dict) else None
    for key, places in ((grade_id, by_grade_id), (cell.get("id"), by_id), (source, by_source)):
        if isinstance(key, str) and key in places:
            return places[key]
    if kind == "code":
        for task in _defined(source, [name for name, entry in tasks.items() if entry["kind"] != "explanation"]):
            return by_grade_id[f"{task}-answer"]
    return None


def _graded(cell):
    return cell.metadata.get("nbgrader", {}).get("grade", False)


def _added_cell(kind, source):
    """A cell that the student added; text is labelled as such, or it could pass for the grader's."""
    metadata = {"tags": ["student"]}
    if kind == "code":
        return new_code_cell(source, metadata=metadata)
    return new_markdown_cell(f"*Added by the student:*\n\n{harmless(source)}", metadata=metadata)


COMMANDS = r"href|url|require|class|cssId|style|data|html\w*|unicode|csname|mmlToken|bbox|enclose|def|let|(?:re)?new\w+"


def harmless(markdown):
    """A student's text without raw HTML, links, pictures and the formula commands that make links: nothing in it can run.

    What is left is paragraphs, emphasis, lists, code and formulas, as an explanation needs them. What would take long to
    render is shown as typed.
    """
    text = re.sub(r"<(?=\S)", "< ", markdown)  # "< b" is not a tag, and in a formula it reads the same
    text = re.sub(r"\](?=[(:\[])", "] ", text)
    text = re.sub(r"(?i)\b(\w{2,12})(?=://)|\b(www)(?=\.)|\b(data|javascript|mailto)(?=:)", r"\1\2\3 ", text)
    text = re.sub(r"[^\S\n]{9,}", " " * 8, re.sub(r"\n{4,}", "\n\n\n", text))
    text = re.sub(rf"\\+(?=(?:{COMMANDS})(?![a-z]))", "", text)
    if len(text) > TEXT or len(re.findall(r"[$`*_~\[\]\\|!]", text)) > SIGNS:
        return "\n".join(f"    {line}" for line in text[: 4 * TEXT].replace("\t", " ").splitlines())
    return text


def _plain(text):
    """A name from a submission, safe to print."""
    return re.sub(r"[^\w .()-]", "_", text)[:60]
