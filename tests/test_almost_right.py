"""Green means right: an almost right answer to an exercise is caught by the instant check, or it gets full marks.

tests/almost_right/NN.py holds them for exercise NN, `ALMOST_RIGHT = {task: {what it does: answer}}`: functions for a function task, and for a
number functions of the student's id (`data` is the exercise's data.py). Right answers in another form are among them.
"""

import runpy
from functools import cache

import pytest

from bayeslib.questions.misconceptions import explained
from tests.figures import every_third
from tests.test_exercises import NAMES, TASKS, course, judge, known, questions, references, score


def almost_right(name):
    """The answers for an exercise; `data` is known to them, the module that is handed out with it."""
    path = course.EXERCISES / "source" / name / "data.py"
    known = {"data": references._module("data", path)} if path.exists() else {}
    return runpy.run_path(course.ROOT / f"tests/almost_right/{name[:2]}.py", known)["ALMOST_RIGHT"]


ALMOST_RIGHT = {name: almost_right(name) for name in NAMES}
LEAST = {"function": 8, "number": 3}
ASKED = [(name, task) for name in ALMOST_RIGHT for task, entry in TASKS[name].items() if entry["kind"] in LEAST]


@pytest.mark.parametrize("name, task", every_third(ASKED))
def test_an_almost_right_answer_is_caught_at_once_or_worth_all_points(name, task):
    kind, answers = TASKS[name][task]["kind"], ALMOST_RIGHT[name].get(task, {})
    assert len(answers) >= LEAST[kind]
    loses = _lost_by_a_green_function if kind == "function" else _lost_by_an_unnamed_number
    assert not [lost for what, answer in answers.items() if (lost := loses(name, task, what, answer))]


def _lost_by_a_green_function(name, task, what, function):
    if judge(known(name), {task: function}).correct:
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
        if said.correct is not False and mark.points < mark.out_of and (said.correct or not named):
            return what, student, mark.comment
    return None


NAMED = {
    ("03-maximum-likelihood", "weighted_line"): {
        "the old intercept": "the intercept belongs to another slope",
        "the plain means in the intercept": "the intercept belongs to the plain means",
    },
    ("03-maximum-likelihood", "noise_fit"): {"exponents taken for 0": "The exponents do not vanish"},
    ("03-maximum-likelihood", "best_degree"): {"0 bits for a perfect fit": "minus infinity, not 0"},
    ("05-naive-bayes", "known_posterior"): {
        "P(class | value)": "the inverse fallacy",
        "complete rows only": "incomplete rows dropped",
        "only rows that have what the query knows": "Each attribute has its own rows",
    },
    ("05-naive-bayes", "log_odds"): {
        "odds, without the logarithm": "These are the odds; their natural logarithm",
        "a probability": "This is the probability",
        "words outside the vocabulary count": "not in the vocabulary do not count",
        "words of the documents outside the vocabulary count": "Only the words of the vocabulary are attributes",
    },
    ("08-inference", "eliminate"): {
        "names as they appear": "The right table, with its names in another order",
        "names backwards": "The right table, with its names in another order",
        "names sorted, keys not": "the states in the tuples are not",
    },
    ("08-inference", "best_world"): {"the evidence forgotten": "the answer if nothing has been seen"},
    ("08-inference", "diagnosis"): {"only the sex": "the prior used without the data"},
    ("16-bagging-and-boosting", "adaboost"): {
        "the sign of each vote": "the weighted sums, not their signs",
        "one vote each": "In boosting each vote has the weight α",
        "judges from 1": "Judges are counted from 0",
    },
}


@pytest.mark.parametrize("name, task", NAMED)
def test_a_frequent_slip_is_called_by_its_name(name, task):
    for what, said in NAMED[name, task].items():
        answer = ALMOST_RIGHT[name][task][what]
        if TASKS[name][task]["kind"] == "function":
            assert said in judge(known(name), {task: answer}, hint=False).message, what
            answers = [answer]
        else:
            answers = [answer("ada")]
        assert said in _mark(name, task, *answers, "a class").comment, what


def _mark(name, task, answer, secret, student="ada"):
    exercise, asked = _questions(name, secret)
    asked = [each for each in asked if each.task == task]
    return next(each for each in score(exercise, asked, {task: answer}, student) if each.task == task)


@cache
def _questions(name, secret):
    exercise = references.load(name, course.EXERCISES)
    return exercise, questions(exercise, secret)
