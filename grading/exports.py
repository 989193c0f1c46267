"""Lists in and out: the roster, the grades as CSV for people, for Canvas and for Moodle, and the summary on the screen.

Every grade is read from the gradebook at the moment of export. A score below full marks always has its reason beside it.
"""

import csv
import io
import re
import unicodedata
from pathlib import Path

from nbgrader.api import MissingEntry
from nbgrader.plugins import ExportPlugin

from grading.collect import IDENTITY, answer_cell

COLUMNS = ["assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"]
COLUMNS += ["raw_score", "late_submission_penalty", "score", "max_score", "to_mark", "reason"]
# What the id and the names of a student are called in the lists of nbgrader, Canvas and Moodle.
ROSTER = {
    "id": ["sis login id", "username", "login_id", "student_id", "id", "id number"],
    "last_name": ["last_name", "last name", "surname"],
    "first_name": ["first_name", "first name"],
    "email": ["email", "email address"],
    "lms_user_id": ["lms_user_id"],
}


def row(gradebook, assignment, student):
    """One student's result in one assignment, with the columns of the CSV and the points of each task in `tasks`."""
    result = {key: getattr(student, key) or "" for key in ("last_name", "first_name", "email")}
    result |= {"assignment": assignment.name, "duedate": assignment.duedate or "", "student_id": student.id}
    result |= {"max_score": assignment.max_score, "tasks": {}}
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        nothing = dict.fromkeys(["timestamp", "raw_score", "late_submission_penalty", "score"], "") | {"to_mark": 0.0}
        return result | nothing | {"reason": "nothing was handed in"}
    penalty = submission.late_submission_penalty or 0.0
    reasons, to_mark = {}, 0.0
    for notebook in submission.notebooks:
        comments = {entry.name: entry.comment for entry in notebook.comments}
        for grade in sorted(notebook.grades, key=lambda grade: grade.name):  # a database guarantees no order
            waits = grade.needs_manual_grade and grade.manual_score is None and grade.auto_score is None
            to_mark += grade.max_score if waits else 0.0
            result["tasks"][grade.name] = None if waits else grade.score
            reason = comments.get(answer_cell(grade.name, {"kind": "explanation" if grade.name in comments else ""}))
            if not waits and grade.score < grade.max_score:
                reason = reason or "marked by hand, without a comment"
                reasons.setdefault(reason, []).append(f"{grade.name} {grade.score:g}/{grade.max_score:g}")
            elif waits and reason:
                reasons.setdefault(reason, []).append(grade.name)
            if grade.needs_manual_grade and not waits:
                reasons.setdefault("the work changed after it was marked by hand", []).append(grade.name)
    reasons = [f"{', '.join(tasks)}: {reason}" for reason, tasks in reasons.items()]
    reasons += [f"{to_mark:g} points to be marked by hand"] if to_mark else []
    reasons += [f"{penalty:g} points off for being late"] if penalty else []
    return result | {
        "timestamp": submission.timestamp or "",
        "raw_score": submission.score,
        "late_submission_penalty": penalty,
        "score": max(0.0, submission.score - penalty),
        "to_mark": to_mark,
        "reason": " | ".join(reasons),
    }


class Grades(ExportPlugin):
    """nbgrader's grades.csv with two more columns: the points still to be marked by hand, and the reasons."""

    FILE = "grades.csv"

    def export(self, gradebook):
        self._write([COLUMNS], [[entry[key] for key in COLUMNS] for entry in self._rows(gradebook)])

    def _rows(self, gradebook):
        assignments = [a for a in gradebook.assignments if not self.assignment or a.name in map(str, self.assignment)]
        students = [s for s in gradebook.students if not self.student or s.id in map(str, self.student)]
        students.sort(key=lambda student: student.id)
        return [row(gradebook, assignment, student) for assignment in assignments for student in students]

    def _write(self, head, rows):
        path = Path(self.to or self.FILE)
        self.log.info("Exporting grades to %s", path)
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([[_cell(value) for value in line] for line in head + rows])

    def _by_student(self, gradebook):
        """student → assignment → row, and the assignments that somebody has handed in, with their points."""
        by_student, points, rows = {}, {}, self._rows(gradebook)
        known = {entry["assignment"] for entry in rows if entry["score"] != ""}
        for entry in (each for each in rows if each["assignment"] in known):
            by_student.setdefault(entry["student_id"], {})[entry["assignment"]] = entry
            points[entry["assignment"]] = entry["max_score"]
        return by_student, points


class Canvas(Grades):
    """What Canvas imports under Grades → Import: a column for each assignment, and the points possible below the head."""

    FILE = "grades-canvas.csv"

    def export(self, gradebook):
        by_student, points = self._by_student(gradebook)
        head = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *points]]
        head += [["    Points Possible", "", "", "", "", *points.values()]]
        lines = []
        for student, rows in by_student.items():
            entry, any_row = gradebook.find_student(student), next(iter(rows.values()))
            name = ", ".join(filter(None, [any_row["last_name"], any_row["first_name"]])) or student
            lines.append(
                [name, entry.lms_user_id or "", "", student, "", *(rows[assignment]["score"] for assignment in points)]
            )
        self._write(head, lines)


class Moodle(Grades):
    """What Moodle imports under Grades → Import → CSV: students by username and email, a grade and a feedback column each."""

    FILE = "grades-moodle.csv"

    def export(self, gradebook):
        by_student, points = self._by_student(gradebook)
        head = [
            ["username", "email", *(f"{assignment}{suffix}" for assignment in points for suffix in ("", " feedback"))]
        ]
        lines = [
            [
                student,
                next(iter(rows.values()))["email"],
                *(rows[assignment][key] for assignment in points for key in ("score", "reason")),
            ]
            for student, rows in by_student.items()
        ]
        self._write(head, lines)


def unmarked(gradebook):
    """A sentence about the explanations that nobody has marked yet; empty if there are none."""
    with gradebook:
        rows = [
            row(gradebook, assignment, student)
            for assignment in gradebook.assignments
            for student in gradebook.students
        ]
    number = sum(points is None for entry in rows for points in entry["tasks"].values())
    return f"; {number} answers are still to be marked, and their points are not in it" if number else ""


# What a spreadsheet may take for the start of a formula, also after a character that it may take for a separator.
FORMULA = re.compile(r"(^|[;,\t\r\n|])\s*[=+@-]")


def _cell(value):
    """A cell that no spreadsheet takes for a formula."""
    text = str(value)
    return f"'{text}" if FORMULA.search(unicodedata.normalize("NFKC", text)) else text


def import_roster(path, gradebook):
    """Adds or updates the students of a CSV file, as nbgrader, Canvas or Moodle write it; returns how many there are.

    Everything is read and checked before the first student is written. Students who are not in the file stay in the gradebook.
    """
    students = read_roster(path)
    for identity, details in students.items():
        gradebook.update_or_create_student(identity, **details)
    return len(students)


def read_roster(path):
    """id → names, email and Canvas' number, from a file in any of the encodings that spreadsheets write."""
    try:
        lines = list(csv.reader(io.StringIO(_decoded(Path(path).read_bytes())), strict=True))
    except (csv.Error, OSError) as error:
        raise ValueError(f"roster must be a CSV file, got {path}: {error}") from None
    headers = {head.strip().lower(): place for place, head in enumerate(lines[0])} if lines else {}
    columns = {key: [headers[name] for name in names if name in headers] for key, names in ROSTER.items()}
    if not columns["id"] and "student" in headers:  # as in extensions.csv
        columns["id"] = [headers.pop("student")]
    advice = "export a list with usernames (Moodle: Participants or Grades, with Username or ID number; Canvas: SIS Login ID)"
    if not columns["id"]:
        raise ValueError(
            f"roster must have a column with one of the heads {ROSTER['id']}, got {list(headers)}: {advice}"
        )
    students, nameless = {}, 0
    for line in filter(any, lines[1:]):
        cell = dict(enumerate(line)).get
        details = {
            key: next(filter(None, (cell(at, "").strip() for at in places)), "") for key, places in columns.items()
        }
        if "student" in headers:  # Canvas: "Lovelace, Ada" in one column, "    Points Possible" below the head
            if cell(headers["student"], "").strip() == "Points Possible" and not details["id"]:
                continue
            details["last_name"], _, details["first_name"] = map(str.strip, cell(headers["student"], "").partition(","))
        if "sis login id" in headers and "id" in headers:
            details["lms_user_id"] = cell(headers["id"], "").strip()  # Canvas' own number, which its import needs
        identity = unicodedata.normalize("NFC", details.pop("id"))
        if not identity:
            nameless += 1
        elif not IDENTITY.fullmatch(identity):
            raise ValueError(f"roster must have ids of letters, digits, space and . @ + - _ ' #, got {identity[:60]!r}")
        elif students.get(identity, details) != details:
            raise ValueError(f"roster must have every id once, got {identity!r} twice, with different names")
        else:
            students[identity] = {key: _name(value) for key, value in details.items()}
    if nameless:
        raise ValueError(
            f"roster must have an id in every row, got {nameless} of {nameless + len(students)} without: {advice}"
        )
    return students


def _name(text):
    """A name without the characters that would make it markup, and short enough for a page."""
    return "".join(char for char in text if char.isprintable() and char not in '<>"`')[:100]


def _decoded(raw):
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16", "replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def table(name, rows, tasks):
    """The summary: a line for each student, with the points of each task, their sum and the reasons."""
    head = ["student", *tasks, "score", "remarks"]
    lines = [
        [
            entry["student_id"],
            *(_points(entry["tasks"], task) for task in tasks),
            f"{entry['score']:g}/{entry['max_score']:g}" if entry["score"] != "" else "–",
            entry["reason"],
        ]
        for entry in sorted(rows, key=lambda entry: entry["student_id"])
    ]
    widths = [max(_width(line[column]) for line in [head, *lines]) for column in range(len(head) - 1)]
    text = [
        "  ".join([*(_fit(cell, width) for cell, width in zip(line, widths)), _cut(line[-1])]).rstrip()
        for line in [head, *lines]
    ]
    return "\n".join([f"\n{name}", *text])


def _points(points, task):
    return "–" if task not in points else "by hand" if points[task] is None else f"{points[task]:g}"


def _cut(text):
    return text if len(text) <= 110 else text[:109] + "…"


def _width(text):
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _fit(text, width):
    return text + " " * (width - _width(text))
