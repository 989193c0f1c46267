"""What the class misunderstands, from a class that was really graded: counts, order, what to show next, nobody's name."""

import csv
import json
import os
from pathlib import Path

import pytest

from tests import course
from tests.course import NAME
from tools import insight

IGNORES_PRIOR = (
    "def posterior(prior, likelihood):\n    return {h: likelihood[h] / sum(likelihood.values()) for h in prior}"
)
JOINT = "def posterior(prior, likelihood):\n    return {h: likelihood[h] * prior[h] for h in prior}"


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    """Six students who leave out the prior, two who do not divide, three who are right; votes and answers files beside."""
    course.need_sandbox()
    folder = course.make(tmp_path_factory.mktemp("class"))
    right = course.solved(folder)
    for number in range(11):
        wrong = IGNORES_PRIOR if number < 6 else JOINT if number < 8 else None
        work = course.answer(right, "posterior-answer", wrong) if wrong else right
        course.submit(folder, f"student{number:02}", work)
    course.run(folder, "grade", NAME)
    votes, answers = folder / "votes", folder / "answers"
    votes.mkdir()
    answers.mkdir()
    beliefs = [{"tag": "inverse", "votes": 30, "title": "", "text": ""}]
    told = {"when": "2026-11-17 10:00", "questions": {"01/first-positive": {"beliefs": beliefs, "votes": [50, 48]}}}
    (votes / "a.json").write_text(json.dumps(told | {"rehearsal": False}))
    (votes / "b.json").write_text(json.dumps(told | {"rehearsal": True}))
    for number in range(7):
        (answers / f"file{number}.json").write_text(
            json.dumps({"01/which-helps": {"answer": 0, "right": False, "tries": 1}})
        )
    (answers / "strange.json").write_text("no answers")
    (answers / "deep.json").write_text("[" * 400_000)
    (answers / "folder.json").mkdir()
    (answers / "gone.json").symlink_to(answers / "nowhere")
    os.mkfifo(answers / "pipe.json")
    Path(os.fsdecode(bytes(answers) + b"/\xff.json")).write_text("no UTF-8")
    return folder


@pytest.fixture(scope="module")
def found(taught):
    with course.gradebook(taught) as book:
        return insight.write(taught, book, taught / "votes", taught / "answers")


def test_what_most_people_showed_comes_first_with_where_and_how_many(found):
    assert list(found)[:2] == ["inverse", "sensitivity-is-trust"]
    [vote] = [each for each in found["inverse"] if each.source == "votes"]
    assert (vote.people, vote.of) == (30, 48), "a rehearsal is no vote"
    [graded] = found["base-rate"]
    assert (graded.source, graded.where, graded.people, graded.of) == ("graded", f"{NAME}, posterior", 6, 11)
    [answers] = found["sensitivity-is-trust"]
    assert (answers.source, answers.where, answers.people) == ("answers", "01/which-helps", 7)


def test_counts_are_the_teachers_and_hidden_on_the_projector_only_and_no_name_is_told(taught, found):
    assert found["joint-posterior"][0].people == 2
    page, table = (taught / "insight.html").read_text(), (taught / "insight.csv").read_text()
    assert '<div class="bar few">' in page and "2 of 11" in page and "hide counts below 5" in page
    assert "student0" not in page + table and "file0" not in page + table
    rows = {row["mistake"]: row for row in csv.DictReader(table.splitlines())}
    assert rows["joint-posterior"]["people"] == "2" and rows["base-rate"]["people"] == "6"
    assert "no answers file: deep.json, folder.json, gone.json, pipe.json, strange.json, ?.json" in page
    assert "11 explanations still to be marked" in page


def test_one_exercise_can_be_chosen(taught):
    with course.gradebook(taught) as book:
        assert insight.write(taught, book, taught / "votes", taught / "answers", only=["02-concept-learning"]) == {}
        assert "base-rate" in insight.write(taught, book, taught / "votes", taught / "answers", only=[NAME])


def test_names_are_told_when_asked_for(taught):
    with course.gradebook(taught) as book:
        insight.write(taught, book, taught / "votes", taught / "answers", with_names=True)
    assert "student00" in (taught / "insight.html").read_text() + (taught / "insight.csv").read_text()


def test_the_page_says_what_to_show_next(found):
    shown = insight.figures()
    name, section, slide = insight.next_figure(found["inverse"], shown["inverse"])
    assert name == "01/first-positive" and section.number == "01" and slide == 3


def test_every_misconception_that_a_prediction_can_show_has_its_slide():
    for places in insight.figures().values():
        for name, section, slide in places:
            assert name.startswith(section.number) and 1 <= slide < 120


def test_a_task_has_its_difficulty_and_goes_with_the_others():
    shares = {("x", "a"): {}, ("x", "b"): {}, ("x", "c"): {}}
    for number in range(10):
        shares["x", "a"][str(number)] = shares["x", "b"][str(number)] = float(number > 3)
        shares["x", "c"][str(number)] = 1.0
    told = {task: rest for _, task, *rest in insight.tasks(shares)}
    assert told["a"][:2] == [10, 0.6] and told["a"][2] == pytest.approx(1) and told["c"][2] is None
    assert insight.tasks({("x", "a"): {"one": 1.0}}) and list(insight.tasks({("x", "a"): {"one": 1.0}}))[0][4] is None


def test_an_empty_course_says_so_without_a_fuss(tmp_path):
    folder = course.make(tmp_path / "empty")
    with course.gradebook(folder) as book:
        assert insight.write(folder, book, tmp_path / "none", tmp_path / "none") == {}
    assert "What the class misunderstands" in (folder / "insight.html").read_text()
