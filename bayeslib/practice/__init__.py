"""What answers back: practice tasks (`check`), questions, and the record of a reader's answers.

Misconceptions have one name all through the course (misconceptions.toml): a quiz, a check and a lecturer's note that meet the
same error call it the same.
"""

import importlib
import math
from numbers import Real

from bayeslib.practice.questions import misconception

SECTIONS = {"01": "bayes_theorem"}


def check(task, answer):
    """Tell whether `answer`, a function or a number, solves the practice task called `task`, such as "01/flip-prior".

    Says it in words: right, or what came out where, and which misconception returns exactly that. Never raises for a wrong
    answer and never prints the right one.
    """
    print(judge(task, answer)[1])


def judge(task, answer):
    """Whether the answer is right, and the sentence that says so."""
    section, _, name = task.partition("/")
    tasks = importlib.import_module(f"bayeslib.practice.{SECTIONS[section]}").TASKS if section in SECTIONS else {}
    if name not in tasks:
        raise ValueError(f"task must be one of {[f'{section}/{each}' for each in tasks]}, got {task!r}")
    task = tasks[name]
    if not callable(answer):
        return False, f"Not yet: this task asks for a function of ({task['arguments']}), and got {answer!r}."
    for case in task["cases"]:
        call = f"{getattr(answer, '__name__', 'your function')}({', '.join(map(repr, case))})"
        try:
            value = answer(*case)
        except Exception as error:  # whatever a reader's code does, the answer is a sentence
            return False, f"Not yet: {call} stopped with {type(error).__name__}: {error}."
        if value is None or value is Ellipsis:
            return False, f"Not yet: {call} returns None so far. Put your own expression after return."
        wanted = task["solve"](*case)
        if not _close(value, wanted):
            if not isinstance(wanted, str) and _close(value, wanted, rel_tol=1e-3):
                return (
                    False,
                    f"Nearly: {call} gives {_short(value)}, which looks rounded. Return the number as it comes.",
                )
            return False, f"Not yet: {call} gives {_short(value)}. {_why(task, case, value)}"
    return True, f"Right: {len(task['cases'])} of {len(task['cases'])} cases agree. {task['right']}"


def _close(value, wanted, rel_tol=1e-6):
    if isinstance(wanted, str):
        return value == wanted
    try:
        return math.isclose(float(value), wanted, rel_tol=rel_tol, abs_tol=1e-12)
    except (TypeError, ValueError):
        return False


def _short(value):
    if isinstance(value, Real) and not isinstance(value, bool):
        return f"{float(value):.4g}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _why(task, case, value):
    """The misconceptions that would give exactly this value; several may on one case, so the first that is named wins."""
    for tag, wrong in task["mistakes"].items():
        if _close(value, wrong(*case)):
            name, explanation = misconception(tag)
            return f"That is what {name} returns: {explanation}"
    if task.get("probability") and isinstance(value, Real) and not 0 <= value <= 1:
        return "A probability lies between 0 and 1."
    return task["hint"]
