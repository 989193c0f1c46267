"""A student's work, from whatever was handed in, put back into the notebook that was handed out.

It is read once, in a process of its own (bounded.py); what counts is what stood there then, and the digest tells whether it
was graded already.

The notebook that is graded and shown is the released one. From the submission it takes the answers, found by nbgrader's
metadata, by the cell's id, or by the name of the function or variable, and the cells that the student has added. Nothing
else in the file matters: its outputs, locked cells, points and scripts are dropped.
"""

import ast
import copy
import hashlib
import json
import os
import re
import stat
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

from nbformat import from_dict
from nbformat.v4 import new_code_cell, new_markdown_cell

from bayeslib.questions.answers import PLACEHOLDER
from grading import bounded

LARGEST = 20_000_000  # bytes of a submission, as far as it is read
MOST = 200_000  # characters of code and text in it
CELLS = 500  # cells in it
PARTS = 200_000  # lists and mappings in it: reading more than that would take the grader's memory, not the student's
TEXT = 20_000  # characters of a text that are shown
FILES, DEPTH = 200, 5  # files and folders of a submission, and how deeply they may be nested
IDENTITY = re.compile(r"(?![.\- ])[\w.@+ '#-]{1,128}(?<! )")


CARRIED = "submission_secret.txt"  # by which nbgrader's exchange finds a student's feedback
STAMP = "timestamp.txt"


@dataclass
class Work:
    """A submission: the notebook to show, the code to run, the answer given to each task, and what was wrong.

    `handed_in` is when, in UTC; `digest` stands for all bytes that were read; `failed` is why the grader could not read it.
    """

    notebook: object
    cells: list = field(default_factory=list)
    answers: dict = field(default_factory=dict)
    problems: list = field(default_factory=list)
    unreadable: str = ""
    failed: str = ""
    checks: list = field(default_factory=list)
    own_id: str | None = None
    handed_in: datetime | None = None
    carried: str = ""
    digest: str = ""


class Unreadable(Exception):
    """Why a submission cannot be read, in words."""


def collect(folders, name, template, tasks, at_once=1):
    """(student, work) for student → folder, handed in for the exercise `name`; `template` is the released notebook."""
    for student, work in bounded.each(
        lambda student: vars(_read(folders[student], name, template, tasks)), folders, at_once
    ):
        if isinstance(work, dict):
            moment = work["handed_in"] and datetime.fromisoformat(work["handed_in"])
            yield student, Work(**work | {"notebook": from_dict(work["notebook"]), "handed_in": moment})
        elif isinstance(work, bounded.Exceeded):
            yield student, Work(copy.deepcopy(template), unreadable=f"reading it took {work}")
        else:
            yield student, Work(copy.deepcopy(template), failed=f"not graded yet, the grader failed ({work})")


class Submission:
    """What is read of a folder: never more than LARGEST bytes together, each file once, and a digest of them."""

    def __init__(self, folder):
        self.folder, self.left, self.digest = folder, LARGEST, hashlib.sha256()

    def read(self, path, most=LARGEST):
        try:
            raw = read_file(path, min(most, self.left))
        except Unreadable as reason:
            self.digest.update(f"{path.name!r}: {reason}".encode())
            raise
        self.left -= len(raw)
        self.digest.update(f"{path.name!r}: {len(raw)}".encode() + raw)
        return raw

    def note(self, name):
        """The text of a small file that a collector has put there; empty without it."""
        try:
            return self.read(self.folder / name, 1000).decode("utf-8", "replace").strip()
        except Unreadable:
            return ""


def _read(folder, name, template, tasks):
    """The work in a folder, as plain data."""
    submission, problems, cells, unreadable = Submission(folder), [], [], ""
    try:
        if folder.is_symlink() or folder.parent.is_symlink():
            raise Unreadable("the folder is a link to another one")
        notebook = _choose(submission, name, tasks, problems)
        language = _language(notebook)
        if language != "python":
            problems.append(f"written for another language, {language}")
        cells = _cells(notebook)
    except Unreadable as reason:
        unreadable = str(reason)
        submission.digest.update(unreadable.encode())
    stamp = carried = ""
    if not folder.is_symlink():
        stamp, carried = submission.note(STAMP), submission.note(CARRIED)
    rebuilt, cells_to_run, answers = _rebuilt(template, cells, tasks)
    missing = [task for task in tasks if task not in answers]
    if missing and not unreadable:
        problems.append(f"cells missing: {', '.join(missing)}")
    checks, own_id = [], None
    if not unreadable:
        checks, own_id = _checks(notebook), _own_id(cells_to_run)
    if own_id and own_id.lower() != folder.parent.name.lower():
        problems.append(f"made for the id {_plain(own_id)}")
    handed_in = moment(stamp)
    if stamp and not handed_in:
        problems.append("the hour in timestamp.txt could not be read")
    work = Work(rebuilt, [] if unreadable else cells_to_run, answers, problems, unreadable, carried=carried)
    work.checks, work.own_id = checks, own_id
    work.handed_in, work.digest = handed_in and handed_in.isoformat(), submission.digest.hexdigest()
    return work


def _own_id(cells):
    """The id that the notebook was made for, if it names one."""
    found = re.search(r"""^student = check\.student\(["'](.{1,128}?)["']\)""", "\n".join(cells), re.MULTILINE)
    return None if found is None or found[1] == PLACEHOLDER else found[1].strip()


def _checks(notebook):
    """The log of instant checks that the notebook carries: (time, task, verdict, digest of the function), as far as it is one."""
    logs = [[]]
    for cell in _cells(notebook):
        with suppress(AttributeError, TypeError, KeyError):
            logs += [output["metadata"]["checks"] for output in cell["outputs"] if "checks" in output["metadata"]]
    form = [int, str, str, str]
    found = max((log for log in logs if isinstance(log, list)), key=len)
    return [
        [abs(entry[0]) % 10**10, *map(_plain, entry[1:])]
        for entry in found[:300]
        if isinstance(entry, list) and [type(part) for part in entry] == form
    ]


def moment(text):
    """The hour in a timestamp.txt, in UTC and without a zone, as nbgrader has it; None if it cannot be read.

    >>> moment("2026-11-01 23:00:00 +1200")
    datetime.datetime(2026, 11, 1, 11, 0)
    """
    try:
        when = datetime.fromisoformat(re.sub(r" (?=[+-])", "", text[:100].replace(" UTC", "+00:00")))
        return when.astimezone(UTC).replace(tzinfo=None) if when.tzinfo else when
    except (ValueError, OverflowError):
        return None


def _choose(submission, name, tasks, problems):
    """The notebook with the right name, else the one that defines most of the tasks."""
    folder = submission.folder
    if (folder / f"{name}.ipynb").exists():
        return _parsed(submission.read(folder / f"{name}.ipynb"))
    files = [path for path in files_of(folder) if path.name != STAMP]
    paths = [path for path in files if path.suffix == ".ipynb" and ".ipynb_checkpoints" not in path.parts]
    if not paths:
        others = ", ".join(_plain(path.name) for path in files[:3])
        raise Unreadable(f"no notebook was handed in{f', only {others}' if others else ''}")
    best, most, reason = None, -1, None
    for path in paths:
        try:
            notebook = _parsed(submission.read(path))
            defined = len(_defined("\n".join(_source(cell) for cell in _cells(notebook)), tasks))
        except Unreadable as error:
            reason = reason or error
            continue
        if defined > most:
            best, most, chosen = notebook, defined, path
    if best is None:
        raise reason
    named = _plain(chosen.name)
    problems.append(f"renamed to {named}" if len(paths) == 1 else f"several notebooks, {named} counts")
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


def read_file(path, most=LARGEST, folder=None):
    """The bytes of a submitted file. Links and pipes are refused: they may lead anywhere on the teacher's machine."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except (OSError, ValueError):
        raise Unreadable("the notebook is a link or cannot be opened") from None
    try:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            raise Unreadable("the notebook is not a regular file")
        if info.st_nlink > 1:
            raise Unreadable("the notebook is a link or cannot be opened")
        if info.st_size > most:
            raise Unreadable(f"the notebook is larger than {LARGEST // 1_000_000} MB")
        with open(descriptor, "rb", closefd=False) as file:
            raw = file.read(most)
    except OSError:
        raise Unreadable("the notebook is a link or cannot be opened") from None
    finally:
        os.close(descriptor)
    if not raw.strip():
        raise Unreadable("the notebook is an empty file")
    return raw


def _parsed(raw):
    """The notebook as parsed JSON."""
    if raw.count(b"[") + raw.count(b"{") > PARTS:
        raise Unreadable(f"the file holds more than {PARTS:,} lists, which no notebook needs")
    try:
        notebook = json.loads(raw.decode("utf-8-sig"))
        count = len(_cells(notebook))
        size = sum(len(_source(cell)) for cell in _cells(notebook)) if count <= CELLS else 0
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
        return [name for name in names if re.search(DEFINITION.format(name), code, re.MULTILINE)]
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


# Each of these takes time in proportion to the length of the text.
DEFINITION = r"^(def\s+{0}\b|{0}\s*=)"
UNSAFE = r"[^\w .()-]"  # in a name that is printed
COMMANDS = r"href|url|require|class|cssId|style|data|html\w*|unicode|csname|mmlToken|bbox|enclose|def|let|(?:re)?new\w+"
DANGEROUS = [
    (re.compile(r"<(?=\S)"), "< "),  # "< b" is not a tag, and in a formula it reads the same
    (re.compile(r"\](?=[(:\[])"), "] "),
    (re.compile(r"(?i)\b(\w{2,12})(?=://)|\b(www)(?=\.)|\b(data|javascript|mailto)(?=:)"), r"\1\2\3 "),
    (re.compile(r"\n{4,}"), "\n\n\n"),
    (re.compile(r"[^\S\n]{9,}"), " " * 8),
    (re.compile(rf"(?<!\\)\\++(?=(?:{COMMANDS})(?![a-z]))"), ""),
]


def harmless(markdown):
    """A student's text without raw HTML, links, pictures and the formula commands that make links: nothing in it can run.

    What is left is paragraphs, emphasis, lists, code and formulas, as an explanation needs them.
    """
    text = markdown[:TEXT]
    for pattern, instead in DANGEROUS:
        text = pattern.sub(instead, text)
    return text


def _plain(text):
    """A name from a submission, safe to print."""
    return re.sub(UNSAFE, "_", text[:60])
