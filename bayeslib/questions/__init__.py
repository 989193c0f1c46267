"""Everything that answers a reader: practice tasks (`check`), questions, the record of a reader's answers, and the instant
check of the graded exercises (`exercise`).

Known errors have one title and one sentence throughout the course (misconceptions.toml), so that a quiz, a check and a
lecturer's note say the same about the same error.
"""

from bayeslib import sections
from bayeslib.questions import record
from bayeslib.questions.exercise import exercise
from bayeslib.questions.judge import verdict, worked
from bayeslib.questions.verdict import tell

__all__ = ["check", "exercise", "judge"]
SECTIONS = [section.number for section in sections.SECTIONS]


def check(task, answer):
    """Report whether `answer`, a function, solves the practice task called `task`, such as "01/flip-prior".

    The message says that it is right, or what it returned for which case and which misconception that points to. Never
    raises for a wrong answer and never reveals the right one. Whether it was right is remembered with the other answers; a
    task that nobody has begun is not.
    """
    found = judge(task, answer)
    if found.verdict != "Your turn":
        record.remember(record.task(task), int(found.correct), found.correct)
    tell(found.message)


def judge(task, answer):
    """The `Verdict` on an answer to a practice task.

    A task has `arguments` (their names, in words), `cases` (a tuple of arguments each), `solve`, the sentence for a `right`
    answer, a `hint`, and `mistakes`: for each, named by a tag, a sentence or both (see
    `bayeslib.questions.misconceptions.split`), a function that makes that mistake. Where `solve` raises a ValueError, the
    reader's function must raise one too.
    """
    section, _, name = task.partition("/")
    tasks = sections.BY_NUMBER[section].tasks() if section in SECTIONS else {}
    if name not in tasks:
        raise ValueError(f"task must be one of {[f'{section}/{each}' for each in tasks]}, got {task!r}")
    task = {"kind": "function", **tasks[name]}
    found = verdict(task | {"cases": [worked(task, case) for case in task["cases"]]}, answer)
    return found._replace(hint="") if found.mistake in task["mistakes"] else found
