"""Extensions and late days: `extensions.csv` in the course's folder, with the columns student, assignment and days.

A line for an assignment gives that student that many extra days for it; 0 withdraws an extension. A line for `*` gives late days,
used where they are needed, in whole days and in the order in which the assignments were due.
"""

import csv
import math
from datetime import timedelta
from pathlib import Path

from nbgrader.api import MissingEntry

FILE = Path("extensions.csv")
COLUMNS = ["student", "assignment", "days"]
ALL = "*"


def read(path=FILE):
    """(student, assignment) → days; empty if there is no such file. Errors name the line."""
    if not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8-sig") as file:
        lines = csv.DictReader(file)
        if lines.fieldnames != COLUMNS:
            raise ValueError(f"{path} must have the columns {', '.join(COLUMNS)}, got {lines.fieldnames}")
        granted = {}
        for number, line in enumerate(lines, 2):
            key, days = (line["student"], line["assignment"]), line["days"] or ""
            try:
                granted[key] = float(days)
            except ValueError:
                granted[key] = math.nan
            if not 0 <= granted[key] < 1000 or not all(key):
                raise ValueError(
                    f"{path}, line {number}: days must be a number of at least 0 for a student, got {line}"
                )
    return granted


def extension(granted, gradebook, assignment, student, handed_in):
    """How much later than the others this student may hand in this assignment; None if the file does not mention it."""
    days = granted.get((student, assignment))
    if (student, ALL) not in granted:
        return None if days is None else timedelta(days=days)
    due = gradebook.find_assignment(assignment).duedate
    left = granted[student, ALL] - sum(
        _needed(granted, earlier.name, earlier.duedate, student, _timestamp(gradebook, earlier.name, student))
        for earlier in gradebook.assignments
        if earlier.duedate and due and (earlier.duedate, earlier.name) < (due, assignment)
    )
    return timedelta(days=(days or 0) + max(0, min(left, _needed(granted, assignment, due, student, handed_in))))


def _needed(granted, assignment, due, student, handed_in):
    """The late days that a submission takes, beyond what was granted for the assignment itself."""
    if not due or not handed_in:
        return 0
    late = handed_in - due - timedelta(days=granted.get((student, assignment), 0))
    return max(0, math.ceil(late / timedelta(days=1)))


def _timestamp(gradebook, assignment, student):
    try:
        return gradebook.find_submission(assignment, student).timestamp
    except MissingEntry:
        return None
