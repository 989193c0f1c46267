"""What readers and teachers kept from the first edition still opens: tests/first_edition holds what its code wrote."""

import json
import sqlite3
from pathlib import Path

import pytest

from bayeslib import live
from bayeslib.practice import record
from bayeslib.practice.questions import Question, names
from bayeslib.sections import SECTIONS
from tests import course

KEPT = Path(__file__).parent / "first_edition"
GRADED = ["01-bayes-theorem", "16-bagging-and-boosting"]


@pytest.fixture
def restored():
    page = live.answers()
    page.restore((KEPT / "answers.json").read_text(encoding="utf-8"))
    return page


def test_all_answers_are_restored_and_counted(restored):
    kept = json.loads((KEPT / "answers.json").read_text(encoding="utf-8"))
    assert record.read() == kept and f"{len(kept)} questions answered so far" in restored.form.status
    known = {name for section in SECTIONS for name in names(section.number)}
    assert {name[:2] for name in kept} <= {name[:2] for name in known}, "a section has another number"


def test_a_guess_of_the_first_edition_is_there_again(restored):
    asked = live.predict("01/first-positive", figure := live.population())
    assert asked.form.locked and asked.form.verdict == "correct" and asked.form.feedback.startswith("Your guess: D. ")
    assert figure.widget in asked.widget.children


def test_an_answer_to_a_question_that_changed_or_went_does_no_harm(restored):
    number = len(Question("01/first-positive").options)
    changed = {"answer": number, "right": True, "tries": 1}
    restored.restore(json.dumps({"01/first-positive": changed, "01/no-longer-asked": changed}))
    asked = live.predict("01/first-positive", live.population())
    assert not asked.form.locked and not asked.form.feedback


def test_assignments_have_the_names_of_the_first_edition():
    """A gradebook knows an assignment by its name alone, so these stay."""
    book = sqlite3.connect(":memory:")
    book.executescript((KEPT / "gradebook.sql").read_text(encoding="utf-8"))
    graded = [name for (name,) in book.execute("select name from assignment order by name")]
    assert graded == GRADED == [section.name for section in (SECTIONS[0], SECTIONS[15])]


def test_a_gradebook_goes_on_with_its_marks(tmp_path):
    course.need_sandbox()
    folder = course.make(tmp_path / "course", GRADED)
    for file in folder.glob("gradebook.*"):
        file.unlink()
    with sqlite3.connect(folder / "gradebook.db") as book:
        book.executescript((KEPT / "gradebook.sql").read_text(encoding="utf-8"))
    before = {name: course.rows(folder, name) for name in GRADED}
    assert {student: row["score"] for student, row in before[GRADED[0]].items()} == {"ada": 8, "bo": 0}
    course.submit(folder, "cy", course.solved(folder))
    assert "cy" in course.run(folder, "grade", GRADED[0])
    after = course.rows(folder)
    assert after.pop("cy")["score"] == 8 and after == before[GRADED[0]]
    course.run(folder, "grades")
    assert "16-bagging-and-boosting,,,ada,,,,8.0" in (folder / "grades.csv").read_text()
