"""The instant check of a graded exercise: `check = exercise("01-bayes-theorem")`, then `check(posterior)`.

It runs the student's function on a few public cases and says in words what is wrong, with the name of the misconception
if it recognises one; `check.case` and `check.wanted` are then the case that failed and its right result, to try again. Its
data is in checks.json beside the notebook: the public cases with the results of the right function and of the known
mistakes, and for a number only a salted, slow digest, rounded to 6 digits. So the file reveals no answer that earns a mark,
and no reference is needed. Marks are given elsewhere (`grading`), on other cases.
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
    """Whether an answer is correct (None where that stays secret), the message, and the case that failed with its right result."""

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
    checks = json.loads(path.read_text(encoding="utf-8"))
    if checks["exercise"] != name:
        raise ValueError(f"name must be {checks['exercise']!r}, the exercise that checks.json belongs to, got {name!r}")

    failures = Counter()  # failed tries at each task since it was last right

    def check(function=None, /, **answer):
        """Say whether a function, or a number or choice given by its name, is right. Never raises for a wrong answer."""
        if function is not None:
            answer = {getattr(function, "__name__", ""): function}
        student = sys._getframe(1).f_globals.get("student")
        (task, value), *_ = answer.items() or [("", None)]
        result = judge(checks["tasks"], answer, student, hint=failures[task] > 0)
        failures[task] = 0 if result.correct else failures[task] + (result.failing_case is not None)
        texts = checks["tasks"].get(task, {}).get("options")
        if result.correct is None and isinstance(texts, dict):
            chosen = texts[shuffled(texts, f"{name}/{task}", student)[value]]
            result = result._replace(message=f"{result.message} You chose: {chosen}")
        check.case, check.wanted = result.failing_case, result.expected
        tell(result.message)

    def options(task, student):
        """Show the options of a choice in the order that this student has."""
        texts = checks["tasks"][task]["options"]
        order = shuffled(texts, f"{name}/{task}", student)
        show("\n".join(f"- **{shown}.** {texts[letter]}" for shown, letter in order.items()))

    check.student, check.options = _student, options
    check.case = check.wanted = None
    return check


def _student(given):
    """The student's id: the hub's user if there is one, else the id given here or in another exercise."""
    if os.environ.get("JUPYTERHUB_USER"):
        return os.environ["JUPYTERHUB_USER"]
    id_file, given = Path("..", "my-id.txt"), str(given).strip() or PLACEHOLDER
    with suppress(OSError, ValueError):  # read-only folder: the id is then asked for once per exercise
        if given != PLACEHOLDER:
            id_file.write_text(given, encoding="utf-8")
        else:
            given = id_file.read_text(encoding="utf-8").strip() or PLACEHOLDER
    if given == PLACEHOLDER:
        tell("Not yet. Write your own id there: your numbers and the order of your options depend on it.")
    else:
        tell(f"Noted. Numbers and options are those of the id {given!r}.")
    return given


def judge(tasks, answer, student=None, hint=True):
    """The `CheckResult` of an answer, a name and its value; `student` is the id that its data was made for.

    Without `hint`, the message for a wrong function says what differs and which known error it is, and leaves it at that.
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
    correct, message = {"number": _number, "choice": _choice}[task["kind"]](name, task, value)
    personal = task.get("varies") or isinstance(task.get("options"), dict)
    if correct is None and personal and student == PLACEHOLDER:
        return CheckResult(
            False, f"Not yet. {name} belongs to nobody's data: write your id where {PLACEHOLDER!r} stands."
        )
    return CheckResult(correct, message)


def _function(name, task, function, hint):
    if not callable(function):
        return CheckResult(
            False, f"Not yet. {name} must be a function of ({task['arguments']}), and is {shorten(function)}."
        )
    cases = [loads(entry["case"]) for entry in task["cases"]]
    values, touched = [], set()
    for number, (entry, case) in enumerate(zip(task["cases"], cases)):
        values.append(value := _plain(_run(function, case, task["arguments"].split(", "), touched)))
        if isinstance(value, NotImplementedError):
            return CheckResult(False, f"Not yet. `{name}` is still to be written.")
        if _is_right(task, entry, value):
            continue
        call = f"`{name}({', '.join(map(shorten, case))})`"
        retry = f"Try again with `{name}(*check.case)`."
        wanted = loads(entry["wanted"]) if "wanted" in entry else None
        if (value is None or value is Ellipsis) and "raises" not in entry:
            return CheckResult(
                False, f"Not yet. {call} returned None. Does your function end with return? {retry}", case, wanted
            )
        if isinstance(value, Refused):
            problem = f"returned something that is not plain data ({value}): return numbers, texts, lists, tuples, dicts or arrays."
        elif isinstance(value, Exception):
            problem = f"stopped with {type(value).__name__}: {str(value).rstrip('.')}."
        else:
            problem = f"returned {shorten(value)}."
        if wanted is not None:
            problem += f" Expected: {shorten(wanted)}."
            if max(len(repr(value)), len(repr(wanted))) > 60 and (where := difference(value, wanted)):
                problem += f" The first difference: {where}."
        values += [_plain(outcome(function, other)) for other in cases[number + 1 :]]
        why = _why(task, entry, value, wanted, _rank(task, values), hint)
        if touched:
            why += f" {_changed(name, touched)}"
        return CheckResult(
            False, f"Not yet. {call} {problem} {why} {retry}", case, ValueError if "raises" in entry else wanted
        )
    total = len(cases)
    if touched:
        return CheckResult(True, f"Nearly. {total} of {total} cases agree. {_changed(name, touched)}")
    return CheckResult(
        True, f"Correct. {total} of {total} cases agree. {task['right']} Your marks come from other cases."
    )


def _run(function, case, names, touched):
    """What the function returns for a copy of the case; the names of arguments that it changed are added to `touched`."""
    arguments = copy.deepcopy(case)
    value = outcome(lambda: function(*arguments), ())
    with suppress(Refused):
        touched |= {name for name, after, before in zip(names, arguments, case) if dumps(after) != dumps(before)}
    return value


def _changed(name, touched):
    what = in_words(sorted(touched))
    return f"`{name}` changes {what} in place, so whatever comes after it finds other data: work on a copy."


def _plain(value):
    """The value as the grader would see it."""
    if value is Ellipsis or isinstance(value, Exception):
        return value
    try:
        return loads(dumps(value))
    except Refused as refused:
        return refused


def _is_right(task, entry, value):
    if "raises" in entry:
        return isinstance(value, ValueError) and not isinstance(value, Refused)
    wanted, keys = loads(entry["wanted"]), task.get("keys")
    in_parts = keys and not wrong_keys(value, wanted, keys, task["tolerance"])
    return in_parts or same(value, wanted, task["tolerance"])


def _rank(task, values):
    """How many results each mistake explains: where two explain the same one, the mistake that explains more comes first."""
    return Counter(
        mistake
        for entry, value in zip(task["cases"], values)
        for mistake, wrong in entry["mistakes"].items()
        if isinstance(wrong, str) and same(value, loads(wrong))
    )


def _why(task, entry, value, wanted, rank, hint):
    """Why the value of a function is wrong, as far as it shows; otherwise a hint."""
    raised = isinstance(value, Exception)
    wrong = wrong_keys(value, wanted, keys, task["tolerance"]) if (keys := task.get("keys")) and not raised else []
    mistakes = {tag: loads(known) if known else Exception() for tag, known in entry["mistakes"].items()}
    right = Exception() if "raises" in entry else wanted
    key_sets = [wrong, *([key] for key in wrong)]  # two errors in two keys of a dict are looked for one by one
    matching = next(filter(None, (matching_mistakes(value, right, mistakes, subset) for subset in key_sets)), [])
    matching.sort(key=rank.__getitem__, reverse=True)
    parts, hint_text = [], task["hint"]
    missing = [key for key in wrong if key not in value] if isinstance(value, dict) and wanted is not None else []
    if wrong and len(wrong) < len(keys):
        hint_text = task.get("hints", {}).get(wrong[0], hint_text)
        parts.append(f"Right so far: {in_words([key for key in keys if key not in wrong])}.")
        if present := [key for key in wrong if key not in missing]:
            parts.append(f"Not yet right: {in_words(present)}.")
    if missing:
        parts.append(f"Missing: {in_words(missing)}.")
        if others := [key for key in value if key not in keys]:
            return " ".join([*parts, f"Not asked for: {in_words(others)}."])
    for mistake in matching:
        with suppress(ValueError):  # an older handout may have tags that no longer exist
            parts.append(explained(mistake, "Stopping here" if raised else "This value"))
            last = "Raise a ValueError here." if "raises" in entry else f"Hint: {hint_text}" if hint else ""
            return " ".join([*parts, last]).rstrip()
    if "raises" in entry:
        return f"Here no answer exists, so raise a ValueError: {entry['raises']}."
    if wanted is not None and not raised:
        if rounded(value, wanted):
            return "It agrees as far as it goes, but it is rounded. Do not round: return the number as it comes."
        if (kind := kind_of(value)) != (expected_kind := kind_of(wanted)) and {kind, expected_kind} - ROWS:
            return f"The result must be {expected_kind}, and is {kind}."
    later = f"Hint: {hint_text}" if hint else "If the next check fails as well, it gives a hint."
    return " ".join([*parts, impossible(task, value) or later])


def _number(name, task, value):
    if value is None or value is Ellipsis:
        return False, f"Not yet. {name} is {value} so far."
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (Real, np.number)):
        return False, f"Not yet. {name} must be a number, and is {shorten(value)}."
    if not math.isfinite(value):
        return False, f"Not yet. {name} is {float(value)}: somewhere a division by 0 or the logarithm of 0 has come in."
    answer_digests, shown = digests(value, task["rounds"], name, task["digits"]), f"{float(value):.7g}"
    if not task["varies"] and _digests_match(answer_digests, task["case"]["right"]):
        return True, f"Correct. {name} = {shown}. {task['right']}"
    for mistake, wrong in task["case"]["mistakes"].items():
        if _digests_match(answer_digests, wrong):
            with suppress(ValueError):
                return False, f"Not yet. {name} is {shown}. {explained(mistake)}"
    why = impossible(task, value)
    if why or not task["varies"]:
        return False, f"Not yet. {name} is {shown}. {why or task['hint']}"
    note = " If you rounded it, give three decimals at least." if round(value, 2) == value != round(value) else ""
    return (
        None,
        f"Noted. {name} = {shown}. It depends on your data, so whether it is right is told with your marks.{note}",
    )


def _choice(name, task, value):
    if value is None or value is Ellipsis:
        return False, f"Not yet. {name} is {value} so far."
    if not isinstance(value, str) or value not in list(task["options"]):
        return False, f"Not yet. {name} must be one of {', '.join(task['options'])}, and is {shorten(value)}."
    return None, f"Noted. {name} = {value}. Whether it is right is told with your marks."


def _digests_match(answer_digests, wanted):
    return len(answer_digests) == len(wanted) and all(
        set(own) & set(accepted) for own, accepted in zip(answer_digests, wanted)
    )
