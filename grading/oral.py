"""Five minutes about a student's own work: `make oral` writes two sheets for each student, questions and, overleaf, answers.

The questions come from the known mistakes of the exercise, drawn by the class's secret: what would have to be different in this
student's code for it to give what a mistake gives?
"""

import hashlib
from datetime import UTC, datetime
from html import escape
from itertools import groupby
from pathlib import Path

import numpy as np

from bayeslib.questions import prose
from bayeslib.questions.judge import worked
from bayeslib.questions.misconceptions import explained
from grading import references
from grading.converter import code_of
from grading.pages import Handout, handed_in, notes, page, written

QUESTIONS, SHORT = 3, 240  # how many, and the characters of a call that can be read aloud


def write(name, student="", folder="."):
    """Write the sheets of one student or of all who were graded; returns their paths."""
    exercise = references.load(name, folder, references.released_variants(Path("release") / name))
    handout, secret = Handout(name), references.secret(name, folder)
    people = sorted(path.parent.name for path in Path("autograded").glob(f"*/{name}"))
    if student and student not in people:
        raise ValueError(f"student must be one whose {name} was graded, got {student!r}")
    paths = []
    for person in [student] if student else people:
        path = Path("oral") / name / f"{person}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(sheets(exercise, handout, person, secret), encoding="utf-8")
        paths.append(path)
    return paths


def sheets(exercise, handout, student, secret):
    """The page of one student."""
    random = np.random.default_rng(list(hashlib.sha256(f"{secret}/oral/{student}".encode()).digest()))
    wrote, note = handed_in(exercise.name, student), notes(exercise.name, student)
    asked = _questions(exercise, note.get("tasks", {}), random)
    head = f'<p class="eyebrow">Exercise {handout.number}, {escape(handout.title)}</p><h1>{escape(student)}</h1>'
    code = "".join(
        f"<h2>{escape(handout.heading(task))}</h2><pre>{escape(wrote.get(task, ''))}</pre>"
        for task in dict.fromkeys(task for task, *_ in asked)
    )
    explanation = next(task for task, entry in exercise.tasks.items() if entry["kind"] == "explanation")
    own = f"<h2>{escape(handout.heading(explanation))}</h2>"
    own += f'<div class="own">{written(wrote.get(explanation, ""))}</div><p>Say it once more, in your own words and without the formula.</p>'
    questions = "".join(f"<li>{prose.inline(question)}</li>" for _, question, _ in asked)
    answers = "".join(f"<li>{prose.inline(answer)}</li>" for *_, answer in asked)
    rubric = "".join(f"<li>{prose.inline(line)}</li>" for line in exercise.tasks[explanation]["rubric"])
    return page(
        f"Oral: {student}",
        f'<section>{head}{code}<h2>Questions</h2><ol class="asked">{questions}</ol>{own}</section>'
        f'<section class="overleaf">{head}<h2>Answers, for the teacher</h2><ol class="asked">{answers}</ol>'
        f"<h2>{escape(handout.heading(explanation))}</h2><ul>{rubric}</ul><h2>Checks while working</h2>{_log(note)}</section>",
    )


def _questions(exercise, found, random):
    """(task, question, answer): three about mistakes, from different tasks where there are several, and a result to predict."""
    functions = [name for name, task in exercise.tasks.items() if task["kind"] == "function"]
    pool = []
    for name in functions:
        task = exercise.tasks[name]
        cases = [
            case for case in (worked(task, case) for case in task["cases"]) if len(code_of(case.arguments)) < SHORT
        ]
        shown = {}
        for case in cases:
            for mistake, result in case.mistakes.items():
                if not isinstance(result, Exception) and mistake != found.get(name, {}).get("mistake"):
                    shown.setdefault(mistake, (name, mistake, case, result))
        pool.append([list(shown.values())[at] for at in random.permutation(len(shown))])
    picked = [each for turn in range(QUESTIONS) for each in (mine[turn] for mine in pool if turn < len(mine))][
        :QUESTIONS
    ]
    asked = []
    for name, mistake, case, result in picked:
        call = f"`{name}({', '.join(map(code_of, case.arguments))})`"
        right = "a ValueError" if isinstance(case.wanted, Exception) else f"`{code_of(case.wanted)}`"
        question = f"{call} gives {right}. Somebody's version gives `{code_of(result)}`. Which line of yours would have to be different, and how?"
        asked.append((name, question, explained(mistake, "That version")))
    name = functions[int(random.integers(len(functions)))]
    draws = [check["draw"](random) for check in exercise.tasks[name]["checks"] if "draw" in check for _ in range(10)]
    case = worked(exercise.tasks[name], min(draws or exercise.tasks[name]["cases"], key=lambda each: len(repr(each))))
    call = f"`{name}({', '.join(map(code_of, case.arguments))})`"
    right = "a ValueError" if isinstance(case.wanted, Exception) else f"`{code_of(case.wanted)}`"
    return [
        *asked,
        (name, f"Roughly, and without running it: what does {call} give? How do you see it?", f"It gives {right}."),
    ]


def _log(note):
    """The log of checks that the notebook carries, in words. It is easily forged, so it says whom to ask and nothing more."""
    log = sorted(note.get("checks", []), key=lambda entry: (entry[1], entry[0]))
    lines = []
    for task, entries in groupby(log, key=lambda entry: entry[1]):
        entries = list(entries)
        first = datetime.fromtimestamp(entries[0][0], UTC)
        minutes = (entries[-1][0] - entries[0][0]) / 60
        tries = next((at for at, entry in enumerate(entries, 1) if entry[2] == "Correct"), None)
        right = f"right at check {tries}" if tries else "not right at any check"
        lines.append(
            f"<li>{escape(task)}: {right} of {len(entries)}, {minutes:.0f} minutes from {first:%d %B, %H:%M} UTC</li>"
        )
    return f"<ul>{''.join(lines)}</ul>" if lines else "<p>The notebook carries none.</p>"
