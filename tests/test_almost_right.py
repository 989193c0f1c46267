"""Green means right: an almost right answer to an exercise is caught by the instant check, or it gets full marks.

The answers are kept with the references, in `near` and `almost_right`; to them come the right one with a flaw or in another
form. What the references call `mistakes` is looked at in test_exercises.py.
"""

import numpy as np
import pytest

from bayeslib.questions.answers import outcome
from tests.test_exercises import FUNCTIONS, TASKS, judge, known, score


def almost_right(entry):
    """What it does: answer, for a function task."""

    def without_guard(*case):
        return None if isinstance(found := outcome(entry["solve"], case), ValueError) else found

    flawed = {"no ValueError": without_guard, "three decimals": reformed(entry, lambda value: round(value, 3))}
    return flawed | entry.get("near", {}) | entry.get("almost_right", {})


def reformed(entry, number):
    """The right function, but with `number` of each of its numbers, and tuples for lists."""

    def changed(value):
        if isinstance(value, dict):
            return {key: changed(each) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return tuple(map(changed, value))
        return number(value) if isinstance(value, float) else value

    return lambda *case: changed(entry["solve"](*case))


@pytest.mark.parametrize("name, task", FUNCTIONS)
def test_an_almost_right_answer_is_caught_at_once_or_worth_all_points(name, task):
    for what, answer in almost_right(TASKS[name][task]).items():
        if judge(known(name), {task: answer}).correct:
            assert score(name, {task: answer})[task].points == TASKS[name][task]["points"], what


@pytest.mark.parametrize("name, task", FUNCTIONS)
def test_tuples_for_lists_and_numbers_of_numpy_are_worth_all_points(name, task):
    answer = reformed(TASKS[name][task], np.float64)
    assert judge(known(name), {task: answer}).correct
    assert score(name, {task: answer})[task].points == TASKS[name][task]["points"]


@pytest.mark.parametrize("change, said", [(lambda x: round(x, 3), True), (lambda x: x * 1.0003, False)])
def test_looks_rounded_is_said_only_of_what_is(change, said):
    name, task = "06-estimating-probabilities", "log_marginal"
    mark = score(name, {task: reformed(TASKS[name][task], change)})[task]
    assert said == (mark.verdict.mistake == "rounded")
