"""Everything that answers a reader: practice tasks (`check`), questions, the record of a reader's answers, and the instant
check of the graded exercises (`exercise`).

Known errors have one title and one sentence throughout the course (misconceptions.toml), so that a quiz, a check and a
lecturer's note say the same about the same error.
"""

from contextlib import suppress
from numbers import Real

from bayeslib import sections
from bayeslib.questions.answers import leaves, outcome, rounded, same, shorten, texts
from bayeslib.questions.exercise import exercise
from bayeslib.questions.misconceptions import explained
from bayeslib.questions.verdict import tell

__all__ = ["check", "exercise", "judge"]
SECTIONS = [section.number for section in sections.SECTIONS]


def check(task, answer):
    """Report whether `answer`, a function, solves the practice task called `task`, such as "01/flip-prior".

    The message says that it is right, or what it returned for which case and which misconception that points to. Never
    raises for a wrong answer and never reveals the right one.
    """
    tell(judge(task, answer)[1])


def judge(task, answer):
    """Whether the answer is right, and the message for the reader.

    A task has `arguments` (their names, in words), `cases` (a tuple of arguments each), `solve`, the sentence for a `right`
    answer, a `hint`, and `mistakes`: for each, named by a tag, a sentence or both (see
    `bayeslib.questions.misconceptions.split`), a function that makes that mistake. Where `solve` raises a ValueError, the
    reader's function must raise one too.
    """
    section, _, name = task.partition("/")
    tasks = sections.BY_NUMBER[section].tasks() if section in SECTIONS else {}
    if name not in tasks:
        raise ValueError(f"task must be one of {[f'{section}/{each}' for each in tasks]}, got {task!r}")
    task = tasks[name]
    if not callable(answer):
        return False, f"Not yet. This task asks for a function of ({task['arguments']}), and got {shorten(answer)}."
    function_name = getattr(answer, "__name__", "your function")
    for case in task["cases"]:
        call = f"`{function_name}({', '.join(map(shorten, case))})`"
        value, wanted = outcome(answer, case), outcome(task["solve"], case)
        if isinstance(value, ValueError) and isinstance(wanted, ValueError):
            continue
        if not isinstance(wanted, Exception) and same(value, wanted):
            continue
        if _has_dots(answer, value):
            return False, f"Not yet. There is still a `...` in `{function_name}`: put your own expression in its place."
        if isinstance(value, Exception):
            return (
                False,
                f"Not yet. {call} stopped with {type(value).__name__}: {str(value).rstrip('.')}. {task['hint']}",
            )
        if _contains(value, None) and not _contains(wanted, None):
            return False, f"Not yet. {call} returned {shorten(value)}. Put your own expression where None stands."
        return False, _message(task, case, call, value, wanted)
    return True, f"Correct. {len(task['cases'])} of {len(task['cases'])} cases agree. {task['right']}"


def _has_dots(function, value):
    """Whether the `...` that a task begins with is still there."""
    code = getattr(function, "__code__", None)
    return _contains(value, Ellipsis) or (code is not None and Ellipsis in code.co_consts)


def _contains(value, what):
    with suppress(RecursionError):  # a list that contains itself
        return any(leaf is what for _, leaf in leaves(value))
    return False


def _message(task, case, call, value, wanted):
    """The message for a value that is not the right one."""
    returned, strings, is_rounded = f"{call} returned {shorten(value)}.", [], False
    if isinstance(wanted, ValueError):
        return (
            f"Not yet. {returned} {_why(task, case, value, f'Here no answer exists, so raise a ValueError: {wanted}.')}"
        )
    with suppress(RecursionError):
        strings, is_rounded = texts(value, wanted), rounded(value, wanted)
    if strings:
        return f"Not yet. {returned} Here {strings[0]!r} is a text, and a number is wanted: return it without quotation marks."
    why = _why(task, case, value, "")
    if not why and is_rounded:
        return f"Nearly. {returned} It agrees as far as it goes, but it is rounded. Do not round: return the number as it comes."
    return f"Not yet. {returned} {why or task['hint']}"


def _why(task, case, value, default):
    """Why the value is wrong: the first mistake that gives exactly this value, else `default`."""
    for mistake, wrong in task["mistakes"].items():
        if same(value, outcome(wrong, case)):
            return explained(mistake)
    if task.get("probability") and isinstance(value, Real) and not 0 <= value <= 1:
        return "A probability lies between 0 and 1."
    return default
