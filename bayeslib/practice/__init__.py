"""What answers back: practice tasks (`check`), questions, the record of a reader's answers, and the instant check of the
graded exercises (`exercise`).

Misconceptions have one name all through the course (misconceptions.toml): a quiz, a check and a lecturer's note that meet the
same error call it the same.
"""

import importlib
from numbers import Real

from bayeslib import sections
from bayeslib.judging.answers import outcome, same, shorten
from bayeslib.judging.misconceptions import explained
from bayeslib.practice.exercise import exercise

__all__ = ["check", "exercise", "judge"]
SECTIONS = [section.number for section in sections.SECTIONS]


def check(task, answer):
    """Tell whether `answer`, a function or a number, solves the practice task called `task`, such as "01/flip-prior".

    Says it in words: right, or what came out where, and which misconception returns exactly that. Never raises for a wrong
    answer and never prints the right one.
    """
    print(judge(task, answer)[1])


def judge(task, answer):
    """Whether the answer is right, and the sentence that says so.

    A task holds `arguments` (their names, in words), `cases` (a tuple of arguments each), `solve`, the sentence for a
    `right` answer, a `hint`, and `mistakes`, a function for each misconception. A case for which `solve` raises a ValueError
    asks the reader's function to raise one too.
    """
    section, _, name = task.partition("/")
    tasks = importlib.import_module(f"bayeslib.practice.tasks_{section}").TASKS if section in SECTIONS else {}
    if name not in tasks:
        raise ValueError(f"task must be one of {[f'{section}/{each}' for each in tasks]}, got {task!r}")
    task = tasks[name]
    if not callable(answer):
        return False, f"Not yet: this task asks for a function of ({task['arguments']}), and got {answer!r}."
    for case in task["cases"]:
        call = f"{getattr(answer, '__name__', 'your function')}({', '.join(map(shorten, case))})"
        value, wanted = outcome(answer, case), outcome(task["solve"], case)
        if isinstance(value, ValueError) and isinstance(wanted, ValueError):
            continue
        if isinstance(value, Exception):
            return False, f"Not yet: {call} stopped with {type(value).__name__}: {value}."
        if value is None or value is Ellipsis:
            return False, f"Not yet: {call} returns None so far. Put your own expression after return."
        if isinstance(wanted, ValueError):
            why = _why(task, case, value, f"Here no answer exists, so raise a ValueError: {wanted}.")
            return False, f"Not yet: {call} gives {shorten(value)}. {why}"
        if not same(value, wanted):
            if same(value, wanted, rel_tol=1e-3):
                return (
                    False,
                    f"Nearly: {call} gives {shorten(value)}, which looks rounded. Return the number as it comes.",
                )
            return False, f"Not yet: {call} gives {shorten(value)}. {_why(task, case, value, task['hint'])}"
    return True, f"Right: {len(task['cases'])} of {len(task['cases'])} cases agree. {task['right']}"


def _why(task, case, value, otherwise):
    """The misconceptions that would give exactly this value; several may on one case, so the first that is named wins."""
    for mistake, wrong in task["mistakes"].items():
        if same(value, outcome(wrong, case)):
            return explained(mistake)
    if task.get("probability") and isinstance(value, Real) and not 0 <= value <= 1:
        return "A probability lies between 0 and 1."
    return otherwise
