"""The instant check of a graded exercise: `check = exercise("01-bayes-theorem")`, then `check(posterior)`.

It runs the student's function on a few public cases and says in words what is wrong, with the name of the misconception
where it knows one; `check.case` and `check.wanted` are then the case that failed and its right result, to try again. What it
knows lies beside the notebook in checks.json: the public cases with what the right function and the known mistakes make of
them, and of a number only a salted and slow digest, rounded to 6 digits. So the file tells no answer that earns a mark, and
needs no reference to be there. Marks are given elsewhere (`grading`), on other cases.
"""

import copy
import json
import math
import os
import sys
from collections import Counter
from contextlib import suppress
from numbers import Real
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bayeslib.questions.answers import (
    PLACEHOLDER,
    difference,
    digests,
    impossible,
    in_words,
    kind_of,
    matching_mistakes,
    outcome,
    rounded,
    same,
    shorten,
    shuffled,
    wrong_keys,
)
from bayeslib.questions.misconceptions import explained
from bayeslib.questions.plain import Refused, dumps, loads
from bayeslib.questions.verdict import show, tell

ROWS = {"a list", "a tuple", "an array"}  # one counts as well as another


class CheckResult(NamedTuple):
    """Whether an answer is correct (None where that stays secret), what to say of it, and the case that failed with its result."""

    correct: bool | None
    message: str
    failing_case: tuple | None = None
    expected: object = None


def exercise(name, folder="."):
    """The function `check` of the exercise called `name`, whose checks.json lies in `folder`, beside the notebook."""
    if os.environ.get("NBGRADER_EXECUTION"):
        raise RuntimeError(
            "a submission is not graded by running it: start nbgrader in the folder that holds nbgrader_config.py"
        )
    path = Path(folder) / "checks.json"
    if not path.is_file():
        raise ValueError(f"folder must hold checks.json, which is handed out with exercise {name}, got {folder!r}")
    known = json.loads(path.read_text(encoding="utf-8"))
    if known["exercise"] != name:
        raise ValueError(f"name must be {known['exercise']!r}, the exercise that checks.json belongs to, got {name!r}")

    wrong = Counter()  # tries at each task since it was last right

    def check(function=None, /, **answer):
        """Say whether a function, or a number or choice given by its name, is right. Never raises for a wrong answer."""
        if function is not None:
            answer = {getattr(function, "__name__", ""): function}
        student = sys._getframe(1).f_globals.get("student")
        (task, value), *_ = answer.items() or [("", None)]
        said = judge(known["tasks"], answer, student, hint=wrong[task] > 0)
        wrong[task] = 0 if said.correct else wrong[task] + (said.failing_case is not None)
        texts = known["tasks"].get(task, {}).get("options")
        if said.correct is None and isinstance(texts, dict):
            chosen = texts[shuffled(texts, f"{name}/{task}", student)[value]]
            said = said._replace(message=f"{said.message} You chose: {chosen}")
        check.case, check.wanted = said.failing_case, said.expected
        tell(said.message)

    def options(task, student):
        """Show the options of a choice in the order that this student has."""
        texts = known["tasks"][task]["options"]
        order = shuffled(texts, f"{name}/{task}", student)
        show("\n".join(f"- **{shown}.** {texts[letter]}" for shown, letter in order.items()))

    check.student, check.options = _student, options
    check.case = check.wanted = None
    return check


def _student(given):
    """Whose data it is: the hub's user where there is one, else the id that is given here or was given in another exercise."""
    if os.environ.get("JUPYTERHUB_USER"):
        return os.environ["JUPYTERHUB_USER"]
    kept, given = Path("..", "my-id.txt"), str(given).strip() or PLACEHOLDER
    with suppress(OSError, ValueError):  # a folder that cannot be written to: then the id is asked for once an exercise
        if given != PLACEHOLDER:
            kept.write_text(given, encoding="utf-8")
        else:
            given = kept.read_text(encoding="utf-8").strip() or PLACEHOLDER
    if given == PLACEHOLDER:
        tell("Not yet. Write your own id there: your numbers and the order of your options depend on it.")
    else:
        tell(f"Noted. Numbers and options are those of the id {given!r}.")
    return given


def judge(tasks, answer, student=None, hint=True):
    """What is said of the answer, a name and its value; `student` is the id that its data was made for.

    Without the `hint` a wrong function is told what differs and the error that it betrays, and is left to think first.
    """
    (name, value) = next(iter(answer.items()), ("", None))
    if len(answer) != 1 or name not in tasks:
        known = f"`check` takes one of {', '.join(tasks)}"
        if not name:
            known += ", and a number or a letter goes with its name, as in `check(x=x)`"
        return CheckResult(False, f"Not yet. {known}{f', and got {name}' if name else ''}.")
    task = tasks[name]
    if task["kind"] == "function":
        return _function(name, task, value, hint)
    right, words = {"number": _number, "choice": _choice}[task["kind"]](name, task, value)
    own = task.get("varies") or isinstance(task.get("options"), dict)
    if right is None and own and student == PLACEHOLDER:
        return CheckResult(
            False, f"Not yet. {name} belongs to nobody's data: write your id where {PLACEHOLDER!r} stands."
        )
    return CheckResult(right, words)


def _function(name, task, function, hint):
    if not callable(function):
        return CheckResult(
            False, f"Not yet. {name} must be a function of ({task['arguments']}), and is {shorten(function)}."
        )
    cases = [loads(each["case"]) for each in task["cases"]]
    values, touched = [], set()
    for place, (each, case) in enumerate(zip(task["cases"], cases)):
        values.append(value := _plain(_run(function, case, task["arguments"].split(", "), touched)))
        if isinstance(value, NotImplementedError):
            return CheckResult(False, f"Not yet. `{name}` is still to be written.")
        if _is_right(task, each, value):
            continue
        call = f"`{name}({', '.join(map(shorten, case))})`"
        again = f"Try again with `{name}(*check.case)`."
        wanted = loads(each["wanted"]) if "wanted" in each else None
        if (value is None or value is Ellipsis) and "raises" not in each:
            return CheckResult(
                False, f"Not yet. {call} returned None. Does your function end with return? {again}", case, wanted
            )
        if isinstance(value, Refused):
            words = f"returned something that is not plain data ({value}): return numbers, texts, lists, tuples, dicts or arrays."
        elif isinstance(value, Exception):
            words = f"stopped with {type(value).__name__}: {str(value).rstrip('.')}."
        else:
            words = f"returned {shorten(value)}."
        if wanted is not None:
            words += f" Expected: {shorten(wanted)}."
            if max(len(repr(value)), len(repr(wanted))) > 60 and (where := difference(value, wanted)):
                words += f" The first difference: {where}."
        values += [_plain(outcome(function, other)) for other in cases[place + 1 :]]
        why = _why(task, each, value, wanted, _rank(task, values), hint)
        if touched:
            why += f" {_changed(name, touched)}"
        return CheckResult(
            False, f"Not yet. {call} {words} {why} {again}", case, ValueError if "raises" in each else wanted
        )
    number = len(cases)
    if touched:
        return CheckResult(True, f"Nearly. {number} of {number} cases agree. {_changed(name, touched)}")
    return CheckResult(
        True, f"Correct. {number} of {number} cases agree. {task['right']} Your marks come from other cases."
    )


def _run(function, case, names, touched):
    """What the function makes of a copy of the case; the names of arguments that it changed are added to `touched`."""
    given = copy.deepcopy(case)
    value = outcome(lambda: function(*given), ())
    with suppress(Refused):
        touched |= {name for name, mine, yours in zip(names, given, case) if dumps(mine) != dumps(yours)}
    return value


def _changed(name, touched):
    what = in_words(sorted(touched))
    return f"`{name}` changes {what} in place, so whatever comes after it finds other data: work on a copy."


def _plain(value):
    """What came back, as the grader would see it."""
    if value is Ellipsis or isinstance(value, Exception):
        return value
    try:
        return loads(dumps(value))
    except Refused as refused:
        return refused


def _is_right(task, each, value):
    if "raises" in each:
        return isinstance(value, ValueError) and not isinstance(value, Refused)
    wanted, keys = loads(each["wanted"]), task.get("keys")
    in_parts = keys and not wrong_keys(value, wanted, keys, task["tolerance"])
    return in_parts or same(value, wanted, task["tolerance"])


def _rank(task, values):
    """How many results each mistake would explain: of two that explain one of them, the better known is meant."""
    return Counter(
        mistake
        for each, value in zip(task["cases"], values)
        for mistake, wrong in each["mistakes"].items()
        if isinstance(wrong, str) and same(value, loads(wrong))
    )


def _why(task, each, value, wanted, rank, hint):
    """Why the value of a function is wrong, as far as it betrays that; else what may help."""
    broke = isinstance(value, Exception)
    wrong = wrong_keys(value, wanted, keys, task["tolerance"]) if (keys := task.get("keys")) and not broke else []
    mistakes = {tag: loads(known) if known else Exception() for tag, known in each["mistakes"].items()}
    right = Exception() if "raises" in each else wanted
    several = [wrong, *([key] for key in wrong)]  # two errors at once, in two keys of a dict, are met one by one
    found = next(filter(None, (matching_mistakes(value, right, mistakes, some) for some in several)), [])
    found.sort(key=rank.__getitem__, reverse=True)
    parts, helps = [], task["hint"]
    missing = [key for key in wrong if key not in value] if isinstance(value, dict) and wanted is not None else []
    if wrong and len(wrong) < len(keys):
        helps = task.get("hints", {}).get(wrong[0], helps)
        parts.append(f"Right so far: {in_words([key for key in keys if key not in wrong])}.")
        if there := [key for key in wrong if key not in missing]:
            parts.append(f"Not yet right: {in_words(there)}.")
    if missing:
        parts.append(f"Missing: {in_words(missing)}.")
        if others := [key for key in value if key not in keys]:
            return " ".join([*parts, f"Not asked for: {in_words(others)}."])
    for mistake in found:
        with suppress(ValueError):  # an older handout may know other tags
            parts.append(explained(mistake, "Stopping here" if broke else "This value"))
            last = "Raise a ValueError here." if "raises" in each else f"Hint: {helps}" if hint else ""
            return " ".join([*parts, last]).rstrip()
    if "raises" in each:
        return f"Here no answer exists, so raise a ValueError: {each['raises']}."
    if wanted is not None and not broke:
        if rounded(value, wanted):
            return "It agrees as far as it goes, but it is rounded. Do not round: return the number as it comes."
        if (sort := kind_of(value)) != (asked := kind_of(wanted)) and {sort, asked} - ROWS:
            return f"The result must be {asked}, and is {sort}."
    later = f"Hint: {helps}" if hint else "If the next check fails as well, it gives a hint."
    return " ".join([*parts, impossible(task, value) or later])


def _number(name, task, value):
    if value is None or value is Ellipsis:
        return False, f"Not yet. {name} is {value} so far."
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (Real, np.number)):
        return False, f"Not yet. {name} must be a number, and is {shorten(value)}."
    if not math.isfinite(value):
        return False, f"Not yet. {name} is {float(value)}: somewhere a division by 0 or the logarithm of 0 has come in."
    found, told = digests(value, task["rounds"], name, task["digits"]), f"{float(value):.7g}"
    if not task["varies"] and _among(found, task["case"]["right"]):
        return True, f"Correct. {name} = {told}. {task['right']}"
    for mistake, wrong in task["case"]["mistakes"].items():
        if _among(found, wrong):
            with suppress(ValueError):
                return False, f"Not yet. {name} is {told}. {explained(mistake)}"
    why = impossible(task, value)
    if why or not task["varies"]:
        return False, f"Not yet. {name} is {told}. {why or task['hint']}"
    few = " If you rounded it, give three decimals at least." if round(value, 2) == value != round(value) else ""
    return (
        None,
        f"Noted. {name} = {told}. It depends on your data, so whether it is right is told with your marks.{few}",
    )


def _choice(name, task, value):
    if value is None or value is Ellipsis:
        return False, f"Not yet. {name} is {value} so far."
    if not isinstance(value, str) or value not in list(task["options"]):
        return False, f"Not yet. {name} must be one of {', '.join(task['options'])}, and is {shorten(value)}."
    return None, f"Noted. {name} = {value}. Whether it is right is told with your marks."


def _among(found, wanted):
    return len(found) == len(wanted) and all(set(mine) & set(yours) for mine, yours in zip(found, wanted))
