"""The instant check of a graded exercise: `check = exercise("01-bayes-theorem")`, then `check(posterior)`.

It runs the student's function on a few public cases and says in words what is wrong, with the name of the misconception
where it knows one. What it knows lies beside the notebook in checks.json: the cases, and of the right results, and of those
that the known mistakes give, only digests, a salted and slow one for each number, rounded to 6 digits. So the file tells no
answer, and needs no reference to be there. Marks are given elsewhere (`bayeslib.grading`), on other cases.
"""

import json
import os
from contextlib import suppress
from numbers import Real
from pathlib import Path

import numpy as np

from bayeslib.judging.answers import digests, outcome, shorten
from bayeslib.judging.misconceptions import explained
from bayeslib.judging.plain import loads
from bayeslib.judging.told import tell


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

    def check(function=None, /, **answer):
        """Say whether a function, or a number or choice given by its name, is right. Never raises for a wrong answer."""
        if function is not None:
            answer = {getattr(function, "__name__", ""): function}
        tell(judge(known["tasks"], answer)[1])

    return check


def judge(tasks, answer):
    """Whether the answer, a name and its value, is right (None where that is not told), and the sentence that says so."""
    (name, value) = next(iter(answer.items()), ("", None))
    if len(answer) != 1 or name not in tasks:
        return False, f"Not yet. `check` takes one of {', '.join(tasks)}, and got {name or 'nothing with such a name'}."
    task = tasks[name]
    return {"function": _function, "number": _number, "choice": _choice}[task["kind"]](name, task, value)


def _function(name, task, function):
    if not callable(function):
        return False, f"Not yet. {name} must be a function of ({task['arguments']}), and is {shorten(function)}."
    for place, each in enumerate(task["cases"]):
        case = loads(each["case"])
        call = f"`{name}({', '.join(map(shorten, case))})`"
        value = outcome(function, case)
        if isinstance(value, NotImplementedError):
            return False, f"Not yet. `{name}` is still to be written."
        if isinstance(value, ValueError) and "raises" in each:
            continue
        if isinstance(value, Exception):
            return (
                False,
                f"Not yet. {call} stopped with {type(value).__name__}: {str(value).rstrip('.')}. {task['hint']}",
            )
        if value is None or value is Ellipsis:
            return False, f"Not yet. {call} returned None. Does your function end with return?"
        found = digests(value, task["rounds"], f"{name}/{place}", task["digits"])
        if "raises" in each:
            otherwise = f"Here no answer exists, so raise a ValueError: {each['raises']}."
            return False, f"Not yet. {call} returned {shorten(value)}. {_why(task, each, found, value, otherwise)}"
        if not _among(found, each["right"]):
            return False, f"Not yet. {call} returned {shorten(value)}. {_why(task, each, found, value, task['hint'])}"
    number = len(task["cases"])
    return True, f"Correct. {number} of {number} cases agree. {task['right']} Your marks come from other cases."


def _number(name, task, value):
    if value is None or value is Ellipsis:
        return False, f"Not yet. {name} is {value} so far."
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (Real, np.number)):
        return False, f"Not yet. {name} must be a number, and is {shorten(value)}."
    found = digests(value, task["rounds"], name, task["digits"])
    if not task["varies"] and _among(found, task["case"]["right"]):
        return True, f"Correct. {name} = {shorten(value)}. {task['right']}"
    why = _why(task, task["case"], found, value, "")
    if why or not task["varies"]:
        return False, f"Not yet. {name} is {shorten(value)}. {why or task['hint']}"
    return (
        None,
        f"Noted. {name} = {shorten(value)}. It depends on your data, so whether it is right is told with your marks.",
    )


def _choice(name, task, value):
    if value is None or value is Ellipsis:
        return False, f"Not yet. {name} is {value} so far."
    if not isinstance(value, str) or value not in list(task["options"]):
        return False, f"Not yet. {name} must be one of {', '.join(task['options'])}, and is {shorten(value)}."
    return None, f"Noted. {name} = {value}. Whether it is right is told with your marks."


def _why(task, case, found, value, otherwise):
    for mistake, wrong in case["mistakes"].items():
        if _among(found, wrong):
            with suppress(ValueError):  # a file handed out with an older edition may know other tags
                return explained(mistake)
    if task["probability"] and isinstance(value, (Real, np.number)) and not 0 <= value <= 1:
        return "A probability lies between 0 and 1."
    return otherwise


def _among(found, wanted):
    return len(found) == len(wanted) and all(set(mine) & set(yours) for mine, yours in zip(found, wanted))
