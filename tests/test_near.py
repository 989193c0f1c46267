"""Green means right: a near-right answer to an exercise is caught by the instant check, or it gets full marks.

tests/near/NN.py holds them for exercise NN, `NEAR = {task: {what it does: answer}}`: functions for a function task, and for a
number functions of the student's id (`data` is the exercise's data.py). Right answers in another form are among them.
"""

import runpy
from functools import cache

import pytest

from bayeslib.judging.misconceptions import explained
from tests.test_exercises import NAMES, TASKS, course, judge, known, questions, references, score


def near(name):
    """The answers for an exercise; `data` is known to them, the module that is handed out with it."""
    path = course.EXERCISES / "source" / name / "data.py"
    known = {"data": references._module("data", path)} if path.exists() else {}
    return runpy.run_path(course.ROOT / f"tests/near/{name[:2]}.py", known)["NEAR"]


NEAR = {name: near(name) for name in NAMES}
LEAST = {"function": 8, "number": 3}
ASKED = [(name, task) for name in NEAR for task, entry in TASKS[name].items() if entry["kind"] in LEAST]


@pytest.mark.parametrize("name, task", ASKED)
def test_a_near_right_answer_is_caught_at_once_or_worth_all_points(name, task):
    kind, answers = TASKS[name][task]["kind"], NEAR[name].get(task, {})
    assert len(answers) >= LEAST[kind]
    loses = _lost_by_a_green_function if kind == "function" else _lost_by_an_unnamed_number
    assert not [lost for what, answer in answers.items() if (lost := loses(name, task, what, answer))]


def _lost_by_a_green_function(name, task, what, function):
    if judge(known(name), {task: function}).right:
        for secret in ("one class", "another class", "a third class"):
            mark = _mark(name, task, function, secret)
            if mark.points < mark.out_of:
                return what, secret, mark.comment
    return None


def _lost_by_an_unnamed_number(name, task, what, answer):
    """A number that depends on the student is only noted at once; what is wrong about it the grader must then name."""
    for student in ("ada", "bob", "cleo"):
        value = answer(student)
        said, mark = judge(known(name), {task: value}, student), _mark(name, task, value, "a class", student)
        named = any(explained(tag, "this number")[1:] in mark.comment for tag in TASKS[name][task]["mistakes"])
        named = named or "looks rounded" in mark.comment
        if said.right is not False and mark.points < mark.out_of and (said.right or not named):
            return what, student, mark.comment
    return None


def _mark(name, task, answer, secret, student="ada"):
    exercise, asked = _questions(name, secret)
    asked = [each for each in asked if each.task == task]
    return next(each for each in score(exercise, asked, {task: answer}, student) if each.task == task)


@cache
def _questions(name, secret):
    exercise = references.load(name, course.EXERCISES)
    return exercise, questions(exercise, secret)
