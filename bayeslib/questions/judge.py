"""One judge of what is computed or chosen: practice tasks, the instant check of an exercise, its marks and its feedback page.

`verdict(task, answer)` says whether an answer is right, why not, which mistake it makes and which case shows it. A mistake is
named only if no other result of the answer contradicts it.
"""

import builtins
import copy
import linecache
import math
import signal
import threading
import traceback
from collections import Counter
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from numbers import Real
from typing import NamedTuple

import numpy as np

from bayeslib.questions import answers
from bayeslib.questions.answers import (
    broken,
    contains,
    impossible,
    in_words,
    kind_of,
    matches,
    outcome,
    same,
    shorten,
    shuffled,
    third_digit,
    wrong_keys,
)
from bayeslib.questions.forms import FORMS, SHAPES, nearly
from bayeslib.questions.misconceptions import explained
from bayeslib.questions.plain import Refused, dumps, loads

SECONDS = 10  # that a function may take for one case while somebody works on it


class Case(NamedTuple):
    """Arguments of a function, its right result (or the exception that is right), and what known mistakes give instead."""

    arguments: tuple
    wanted: object
    mistakes: dict


class Verdict(NamedTuple):
    """What is said about an answer; `correct` is None where that stays secret.

    `verdict` is the word for it, `problem` what came of which case, `so_far` which keys of a dict are right, `sentence` why it is
    wrong (or what was right), and `mistake` the known mistake that it makes: a key of the task's `mistakes`, or one of `FORMS`.
    """

    correct: bool | None
    verdict: str
    problem: str = ""
    so_far: str = ""
    sentence: str = ""
    hint: str = ""
    mistake: str | None = None
    case: Case | None = None
    value: object = None

    @property
    def message(self):
        """All of it in a row."""
        return " ".join(filter(None, [f"{self.verdict}.", self.problem, self.so_far, self.sentence, self.hint]))


class TooLong(BaseException):
    """A call that has not ended. Not an Exception, so that a student's `except Exception` lets it pass."""


def verdict(task, answer, name="", student=None):
    """The verdict on an answer to a task: a function, or `Results` of one; a number; or a letter.

    A function task has `arguments`, `cases` (see `Case`), `mistakes`, `hint` and `right`; it may have `keys` of a dict, which are
    judged one by one, with a hint for each in `hints`, and a `tolerance`. A number has what is `wanted`, if that may be told, and
    `mistakes`; both are numbers or digests. A choice has `options` and, if that may be told, `solve` and `mistakes`.
    """
    if task["kind"] == "number":
        return _number(task, answer, name)
    if task["kind"] == "choice":
        return _choice(task, answer, name, student)
    if callable(answer):
        answer, name = Results.of(answer, task), name or getattr(answer, "__name__", "your function")
    if not isinstance(answer, Results):
        whose = f"{name} must be" if name else "This task asks for"
        return _not_yet(f"{whose} a function of ({task['arguments']}), and got {shorten(answer)}.")
    return _function(task, answer, name)


def worked(task, case, suspects=()):
    """A case of a function task, worked out: what is right, and what its mistakes, slips and the `suspects` give where that differs."""
    wanted = outcome(task["solve"], case)
    known = task["mistakes"] | task.get("slips", {}) | dict(suspects)
    with np.errstate(all="ignore"):  # a mistake may divide by zero
        results = {name: outcome(wrong, case) for name, wrong in known.items()}
    return Case(case, wanted, {name: result for name, result in results.items() if not _agree(result, wanted)})


def _not_yet(problem, **more):
    return Verdict(False, "Not yet", problem, **more)


# --- functions ---


class Results:
    """What a function returned in each case, or the exception that it raised; and the names of arguments that it changed."""

    def __init__(self, values, touched=(), has_dots=False):
        self.values, self.touched, self.has_dots = list(values), set(touched), has_dots

    @classmethod
    def of(cls, function, task):
        """Call the function with a copy of each case. A call that does not end is ended, and is the last one."""
        values, touched, names = [], set(), task["arguments"].split(", ")
        for case in task["cases"]:
            arguments = copy.deepcopy(case.arguments)
            try:
                with _limit():
                    values.append(_plain(outcome(lambda: function(*arguments), ())))
            except TooLong as endless:
                values.append(endless)
                break
            with suppress(Refused, RecursionError):
                pairs = zip(names, arguments, case.arguments)
                touched |= {each for each, after, before in pairs if dumps(after) != dumps(before)}
        code = getattr(function, "__code__", None)
        return cls(values, touched, code is not None and Ellipsis in code.co_consts)


@contextmanager
def _limit():
    """Ends a call after a while, where the system can: in the main thread, and not on Windows."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_):
        raise TooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, SECONDS, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _plain(value):
    """The value as the grader would see it."""
    if value is Ellipsis or isinstance(value, Exception):
        return value
    try:
        return loads(dumps(value))
    except Refused as refused:
        return refused


def raised(kind, message=""):
    """An exception of Python's own by its name, as the sandbox reports it."""
    made = getattr(builtins, kind, Exception)
    return made(message) if isinstance(made, type) and issubclass(made, Exception) else Exception(message)


def is_right(task, value, wanted):
    """Whether a result is right. Where there are `keys`, nothing else in a dict is looked at."""
    keys, tolerance = task.get("keys"), task.get("tolerance", 1e-6)
    if keys and isinstance(value, Mapping) and isinstance(wanted, Mapping):
        return not wrong_keys(value, wanted, keys, tolerance)
    return _agree(value, wanted, tolerance)


def _agree(value, wanted, tolerance=1e-6):
    if isinstance(wanted, Exception):
        return isinstance(value, ValueError) and not isinstance(value, Refused)
    with suppress(Exception):  # a value made to break the comparison
        return same(value, wanted, tolerance)
    return False


def share(task, cases, values):
    """The share of its points that a function has earned in these cases: that of the worst of them, of each of the `keys` apart.

    A result that is right but for its rounding or its container earns half.
    """
    keys, tolerance = task.get("keys") or [None], task.get("tolerance", 1e-6)
    worst = dict.fromkeys(keys, 1.0)
    for case, value in zip(cases, values, strict=True):
        for key, got, wanted, _ in _cells(task, case, value):
            if not _agree(got, wanted, tolerance):
                for each in keys if key is None else [key]:
                    worst[each] = min(worst[each], 0.5 if nearly(got, wanted) else 0.0)
    return sum(worst.values()) / len(keys)


def _cells(task, case, value):
    """The parts of a result that are judged one by one: (key, value, right value, values of the mistakes)."""
    if not task.get("keys") or not isinstance(value, Mapping) or not isinstance(case.wanted, Mapping):
        return [(None, value, case.wanted, case.mistakes)]
    return [
        (
            key,
            value.get(key),
            case.wanted[key],
            {name: wrong.get(key) if isinstance(wrong, Mapping) else wrong for name, wrong in case.mistakes.items()},
        )
        for key in task["keys"]
    ]


def _function(task, results, name):
    cases, values, touched = task["cases"], results.values, ""
    if results.touched:
        touched = f"`{name}` changes {in_words(sorted(results.touched))} in place, so whatever comes after it finds other data: work on a copy."
    wrong = [at for at, (case, value) in enumerate(zip(cases, values)) if not is_right(task, value, case.wanted)]
    if not wrong:
        agree = f"{len(cases)} of {len(cases)} cases agree."
        return Verdict(True, "Nearly" if touched else "Correct", agree, sentence=touched or task["right"])
    at, mistake = wrong[0], None
    if isinstance(values[at], NotImplementedError):
        return Verdict(False, "Your turn", f"`{name}` is still to be written.", value=values[at])
    unfinished, sentence = _unfinished(results, values[at], cases[at].wanted, name)
    if not sentence:
        at, mistake, sentence = _explained(task, cases, values, wrong)
    case, value = cases[at], values[at]
    problem = f"`{name}({', '.join(map(shorten, case.arguments))})` {_came(value)}"
    if len(wrong) < len(values) and not unfinished and not isinstance(value, TooLong):
        problem = f"{len(values) - len(wrong)} of {len(cases)} cases agree. {problem}"
    so_far, hint = _parts(task, case, value)
    guard = isinstance(case.wanted, Exception) and not mistake
    hint = "" if guard or unfinished else f"Hint: {hint}"
    sentence = f"{sentence} {touched}".strip()
    return Verdict(
        False, "Your turn" if unfinished else "Not yet", problem, so_far, sentence, hint, mistake, case, value
    )


def _came(value):
    if isinstance(value, TooLong):
        return f"has not ended after {SECONDS} s."
    if isinstance(value, Refused):
        return f"returned something that is not plain data ({value})."
    if isinstance(value, Exception):
        said = str(value).rstrip(".")
        return f"stopped with {type(value).__name__}{said and f': {said}'}{_where(value)}."
    return f"returned {shorten(value)}."


def _where(error):
    """The line of the reader's code that raised an error, in words."""
    frames = [
        (frame.f_code.co_filename, number)
        for frame, number in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename not in (answers.__file__, __file__)
    ]
    if not frames:
        return ""
    number = [line for file, line in frames if file == frames[0][0]][-1]  # not a line of numpy
    text = linecache.getline(frames[0][0], number).strip()
    return f", in line {number} of the cell{text and f': `{text}`'}"


def _unfinished(results, value, wanted, name):
    """Whether a result is none yet, because a place for an expression is still empty; and the sentence for it."""
    if isinstance(value, TooLong):
        return False, "Look for a loop that does not end."
    if isinstance(value, Refused):
        return False, "Return numbers, texts, lists, tuples, dicts or arrays."
    if results.has_dots or contains(value, Ellipsis):
        return True, f"There is still a `...` in `{name}`: put your own expression in its place."
    if contains(value, None) and not isinstance(wanted, Exception) and not contains(wanted, None):
        return (
            True,
            "Put your own expression after return." if value is None else "Put your own expression where None stands.",
        )
    return False, ""


def _parts(task, case, value):
    """What is right so far in a dict, in words, and the hint for what is not."""
    keys = task.get("keys")
    if not keys or not isinstance(value, Mapping) or not isinstance(case.wanted, Mapping):
        return "", task["hint"]
    wrong = wrong_keys(value, case.wanted, keys, task.get("tolerance", 1e-6))
    said = {
        "Right so far": [key for key in keys if key not in wrong],
        "Not yet right": [key for key in wrong if key in value and len(wrong) < len(keys)],
        "Missing": [key for key in wrong if key not in value],
    }
    if said["Missing"]:
        said["Not asked for"] = [key for key in value if key not in keys]
    sentences = [f"{what}: {in_words(which)}." for what, which in said.items() if which]
    hint = task.get("hints", {}).get(wrong[0]) if len(wrong) < len(keys) else None
    return " ".join(sentences), hint or task["hint"]


def _explained(task, cases, values, wrong):
    """The case to show, the mistake that the results make, and the sentence for it; no mistake, and perhaps none, if it is unknown.

    First comes a known mistake that gives everything that is wrong, in the whole or under one key; then a slip of form; and last
    a known mistake that gives most of it.
    """
    cells = [(at, *cell) for at, pair in enumerate(zip(cases, values)) for cell in _cells(task, *pair)]
    groups = [cells, *([cell for cell in cells if cell[1] == key] for key in task.get("keys", ()))]
    whole = [(at, None, value, *case[1:]) for at, (case, value) in enumerate(zip(cases, values))]
    tolerance = task.get("tolerance", 1e-6)
    found = next(filter(None, (_known(group, tolerance) for group in groups)), None)
    found = found or _formal(task, whole)
    found = found or next(filter(None, (_formal({"tolerance": tolerance}, group) for group in groups[1:])), None)
    found = found or next(filter(None, (_known(group, tolerance, partly=True) for group in groups)), None)
    if found:
        at, mistake, *shown = found
        if mistake in FORMS:
            return at, mistake, FORMS[mistake][0].format(*map(kind_of, shown))
        with suppress(ValueError):  # an older handout may have tags that no longer exist
            return (
                at,
                mistake,
                explained(mistake, "Stopping here" if isinstance(values[at], Exception) else "This value"),
            )
    case, value = cases[wrong[0]], values[wrong[0]]
    if isinstance(case.wanted, Exception):
        return wrong[0], None, f"Here no answer exists, so raise a ValueError{f': {case.wanted}'.rstrip('.: ')}."
    return wrong[0], None, impossible(task, value)


def _known(cells, tolerance, partly=False):
    """The first case that shows the known mistake which explains most, and that mistake: one that gives each wrong value in the
    cells, and nothing wrong where the value is right. `partly`: it gives more than half of the wrong ones."""
    shown, against, first, number = Counter(), Counter(), {}, 0
    for at, _, value, wanted, mistakes in cells:
        right = _agree(value, wanted, tolerance)
        if right and isinstance(wanted, Exception):
            continue  # a guard that is there says nothing about the rest
        number += not right
        for name, result in mistakes.items():
            if _agree(result, wanted):
                continue
            if not right and (_agree(value, result) or (broken(value) and broken(result) and not broken(wanted))):
                shown[name] += 1
                first.setdefault(name, at)
            elif right or not partly:
                against[name] += 1
    least = number // 2 + 1 if partly else number
    fitting = [name for name in shown if not against[name] and shown[name] >= least]
    best = max(fitting, key=shown.__getitem__, default=None)  # the first of equal ones
    return best and (first[best], best)


def _formal(task, cells):
    """The first case and the slip of form that all wrong values have, and that no right one contradicts; the value, the right one."""
    cells = [(at, value, wanted) for at, _, value, wanted, _ in cells if not isinstance(wanted, Exception)]
    wrong = [cell for cell in cells if not is_right(task, *cell[1:])]
    right = [wanted for cell in cells if cell not in wrong and (wanted := cell[2]) not in ([], {}, ())]
    for name, (_, fits) in FORMS.items() if wrong else ():
        with suppress(Exception):  # a value that this test is not made for
            unmoved = name in SHAPES or all(fits(each, each) for each in right)
            if unmoved and all(fits(value, wanted) for _, value, wanted in wrong):
                return wrong[0][0], name, *wrong[0][1:]
    return None


# --- numbers and letters ---


def _number(task, value, name):
    if value is None or value is Ellipsis:
        return Verdict(False, "Your turn", f"{name} is {value} so far.", sentence="No answer.")
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (Real, np.number)):
        return _not_yet(f"{name} must be a number, and is {shorten(value)}.", sentence="It must be a number.")
    shown = f"{float(value):.7g}"
    if not math.isfinite(value):
        why = "Somewhere a division by 0 or the logarithm of 0 has come in."
        return _not_yet(f"{name} is {shown}.", sentence=why)
    wanted = task.get("wanted")
    is_it = matches(value, task, name)
    if wanted is not None and is_it(wanted):
        return Verdict(True, "Correct", f"{name} = {shown}.", sentence=task["right"])
    for mistake, wrong in task["mistakes"].items():
        if is_it(wrong):
            with suppress(ValueError):
                return _not_yet(f"{name} is {shown}.", sentence=explained(mistake, "This number"), mistake=mistake)
    if isinstance(wanted, Real) and third_digit(value, wanted):
        return Verdict(True, "Correct", f"{name} = {shown}.", sentence=task["right"])
    why = impossible(task, value)
    if isinstance(wanted, Real) and nearly(value, wanted):
        why = "It looks rounded; three digits are needed."
    if why or wanted is not None:
        return _not_yet(f"{name} is {shown}.", sentence=why or "It is not right.", hint=task["hint"])
    note = "If you rounded it, give three decimals at least." if round(value, 2) == value != round(value) else ""
    return Verdict(
        None,
        "Noted",
        f"{name} = {shown}. It depends on your data, so whether it is right is told with your marks.",
        sentence=note,
    )


def _choice(task, value, name, student):
    if value is None or value is Ellipsis:
        return Verdict(False, "Your turn", f"{name} is {value} so far.", sentence="No answer.")
    letters = f"one of {', '.join(task['options'])}"
    if not isinstance(value, str) or value not in list(task["options"]):
        return _not_yet(f"{name} must be {letters}, and is {shorten(value)}.", sentence=f"It must be {letters}.")
    written = shuffled(task["options"], task["salt"], student)[value]
    chosen = f"You chose: {task['options'][written]}" if isinstance(task["options"], dict) else ""
    if "solve" not in task:
        told = f"{name} = {value}. Whether it is right is told with your marks."
        return Verdict(None, "Noted", told, sentence=chosen)
    if written == task["solve"]:
        return Verdict(True, "Correct", f"{name} = {value}.", sentence=task["right"])
    mistake = task["mistakes"].get(written)
    why = explained(mistake, "This answer") if mistake else "It is not the right one."
    return _not_yet(f"{name} = {value}.", sentence=why, hint=task["hint"], mistake=mistake)
