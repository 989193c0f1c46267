"""The pages that the grader writes: what they share, and the feedback that a student gets back.

A page needs no network: typeface, figures and formulas are in it. What comes from a student is shown as text and never as markup.
"""

import json
import os
import pprint
import re
from base64 import b64encode
from contextlib import suppress
from functools import cache
from html import escape
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateFeedback

import bayeslib
from bayeslib.questions import prose
from bayeslib.questions.answers import shuffled
from bayeslib.questions.forms import FORMS
from bayeslib.questions.misconceptions import entries, split
from grading import bounded, exports, references
from grading.collect import answer_cell, harmless

FONTS = Path(bayeslib.__file__).parent / "figures" / "fonts"
SOLUTIONS = "BAYESLIB_SOLUTIONS"  # in the environment: the deadline is over, so feedback shows solutions
NOTE = "grading.json"  # beside the graded notebook: what it was made from, and what the judge found


def page(title, body, script=""):
    """A whole page."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_style()}</style></head><body><main>{body}</main>"
        f"{f'<script>{script}</script>' if script else ''}</body></html>"
    )


def _base64(content):
    return b64encode(content).decode()


def picture(value):
    """A figure as an <img> tag; empty for anything else."""
    if hasattr(value, "frame"):
        return f'<img alt="{escape(value.alt)}" src="data:image/png;base64,{_base64(value.frame())}">'
    return value._repr_mimebundle_()["text/html"] if hasattr(value, "alt") else ""


@cache
def _style():
    faces = (
        f"@font-face {{ font-family: 'Course Sans'; font-weight: {file.stem.split('-')[2]}; "
        f"font-style: {file.stem.split('-')[3]}; src: url(data:font/woff;base64,{_base64(file.read_bytes())}); }}"
        for file in sorted(FONTS.glob("*.woff"))
    )
    return "\n".join([*faces, (Path(__file__).parent / "page.css").read_text(encoding="utf-8")])


def written(text):
    """A student's text with its paragraphs, lists and formulas; as typed, if that cannot be done, or not in time."""
    text = harmless(text)
    with suppress(ValueError, RuntimeError, bounded.Exceeded):
        return bounded.call(prose.html, text)
    return f"<pre>{escape(text)}</pre>"


class Handout:
    """What was handed out: its title, and each task's number, title and statement."""

    def __init__(self, name, folder="release"):
        cells = nbformat.read(Path(folder) / name / f"{name}.ipynb", 4).cells
        self.number, _, self.title = cells[0].source.splitlines()[0].removeprefix("# Exercise ").partition(" · ")
        self.tasks = {}
        for cell in cells:
            if cell.get("id", "").endswith("-text") and (
                head := re.match(r"## (\d+) · (.*?)(?: \(.*\))?\n", cell.source)
            ):
                self.tasks[cell.id.removesuffix("-text")] = int(head[1]), head[2], cell.source[head.end() :].strip()
            elif cell.get("id", "").endswith("-ask"):
                number, title, text = self.tasks[cell.id.removesuffix("-ask")]
                self.tasks[cell.id.removesuffix("-ask")] = number, title, f"{text}\n\n{cell.source}"
        self.tasks = dict(sorted(self.tasks.items(), key=lambda task: task[1][0]))

    def heading(self, task):
        number, title, _ = self.tasks[task]
        return f"{number} · {title}"


def in_a_word(mistake):
    """A known mistake in a few words; empty if it has none."""
    if not mistake:
        return ""
    if mistake in FORMS:
        return {"rounded": "rounded", "container": "another container"}.get(mistake, "")
    with suppress(ValueError):
        tag = split(mistake)[0]
        return entries()[tag].title if tag and entries()[tag].kind != "slip" else ""
    return ""


def notes(name, student, folder="autograded"):
    """What grading noted of a student's work; empty if nothing was graded."""
    with suppress(OSError, ValueError):
        return json.loads((Path(folder) / student / name / NOTE).read_text(encoding="utf-8"))
    return {}


def handed_in(name, student, folder="autograded"):
    """What a student wrote for each task, as it was graded."""
    with suppress(OSError):
        cells = nbformat.read(Path(folder) / student / name / f"{name}.ipynb", 4).cells
        solved = (cell for cell in cells if cell.metadata.get("nbgrader", {}).get("solution"))
        return {cell.metadata.nbgrader.grade_id.removesuffix("-answer"): cell.source for cell in solved}
    return {}


class Feedback(GenerateFeedback):
    """nbgrader's generate_feedback with a page of our own: the tasks by name, the public case that fails, figures, solutions."""

    def init_assignment(self, assignment_id, student_id):
        super().init_assignment(assignment_id, student_id)
        released = Path("release") / assignment_id
        self.exercise = references.load(assignment_id, ".", references.released_variants(released))
        self.handout = Handout(assignment_id)

    def convert_single_notebook(self, notebook_filename):
        name, student = self.exercise.name, Path(notebook_filename).parts[-3]
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            person = gradebook.find_student(student)
            row = exports.row(gradebook, gradebook.find_assignment(name), person)
            submission = gradebook.find_submission_notebook(name, name, student)
            comments = {comment.name: comment.comment or "" for comment in submission.comments}
        note = notes(name, student)
        who = " ".join(filter(None, [person.first_name, person.last_name])) or student
        wrote = handed_in(name, student, self.coursedir.autograded_directory)
        text = feedback(self.exercise, self.handout, row, note, comments, student, who, wrote)
        target = Path(self._format_dest(name, student)) / f"{name}.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def feedback(exercise, handout, row, note, comments, student, who, wrote):
    """The page of one student; `row` is the line of the gradebook."""
    with_solutions = bool(os.environ.get(SOLUTIONS))
    tasks, shown = exercise.tasks, references.shown(exercise.name, ".", student, exercise.chosen)
    solutions = references.solution_cells(exercise.name, ".", exercise.chosen) if with_solutions else {}
    marked, open_points = row["max_score"] - row["to_mark"], row["to_mark"]
    later = f"{open_points:g} more points are not marked yet" if open_points else ""
    later = "; ".join(
        filter(
            None,
            [later, f"{row['late_submission_penalty']:g} off for being late" if row["late_submission_penalty"] else ""],
        )
    )
    parts = [
        f'<div class="head"><div><p class="eyebrow">Exercise {handout.number}, returned to {escape(who)}</p><h1>{escape(handout.title)}</h1></div>'
        f'<p class="total"><b>{row["score"]:g} of {marked:g}</b><span>{later}</span></p></div>'
    ]
    if note.get("problems"):
        parts.append(f'<p class="own"><b>About the file:</b> {escape("; ".join(note["problems"]))}.</p>')
    parts.append('<table class="sum"><thead><tr><th><span class="sr">number</span></th><th>task</th>')
    parts.append('<th class="say">in a word</th><th class="pts">points</th></tr></thead><tbody>')
    for name, (number, title, _) in handout.tasks.items():
        task = tasks[name]
        points, found = row["tasks"].get(name), note.get("tasks", {}).get(name, {})
        word = "waits for your teacher" if points is None else "right" if points == task["points"] else ""
        word = word or in_a_word(found.get("mistake")) or ("in part" if points else "not yet")
        got = f"of {task['points']:g}" if points is None else f"{points:g} of {task['points']:g}"
        parts.append(
            f'<tr><td>{number}</td><td><a href="#{name}">{escape(title)}</a></td><td class="say">{escape(word)}</td>'
            f'<td class="pts">{got} {_squares(points, task["points"])}</td></tr>'
        )
    parts.append("</tbody></table>")
    for name in handout.tasks:
        task, points, found = tasks[name], row["tasks"].get(name), note.get("tasks", {}).get(name, {})
        said = comments.get(answer_cell(name, task)) or ""
        parts.append(
            _task(
                exercise, handout, name, points, {**found, "answer": wrote.get(name)}, said, student, shown, solutions
            )
        )
    return page(f"Exercise {handout.number}: {who}", "".join(parts))


def _squares(points, out_of):
    if points is None:
        return '<i class="pt u"></i>' * round(out_of)
    shares = (min(1, max(0, points - number)) for number in range(round(out_of)))
    return "".join(f'<i class="pt{" y" * (share == 1)}" style="--y: {share:.0%}"></i>' for share in shares)


def _task(exercise, handout, name, points, found, said, student, shown, solutions):
    """One task of the feedback."""
    task = exercise.tasks[name]
    full, open_ = points == task["points"], points is None
    state = "not marked yet" if open_ else "right" if full else "not yet" if points == 0 else "in part"
    got = f"of {task['points']:g}" if open_ else f"{points:g} of {task['points']:g}"
    parts = [
        f'<section class="task" id="{name}"><div class="row"><h2>{escape(handout.heading(name))} <span>{got}</span></h2>'
        f'<span class="state {"right" if full else "open" if open_ else ""}">{state}</span></div>'
    ]
    if task["kind"] == "explanation":
        parts.append("<p>Explanations are read by a person.</p>" if open_ else "")
        answer = found.get("answer") or ""
        parts.append(f'<div class="own">{written(answer) or "<p><i>Nothing written.</i></p>"}</div>')
        parts.append(f'<p class="judge">{escape(said)}</p>' if said else "")
    elif full:
        parts.append(f"<p>{_coded(said or task['right'])}</p>")
    else:
        parts.append(_why(exercise, name, found, said))
    figures = "".join(
        _figure(value) for cell, (_, value) in shown.items() if cell in _cells_of(exercise, handout, name)
    )
    if task["kind"] == "choice" and not full:
        parts[1:1] = [_options(task, found, student, bool(solutions))]
        parts = (
            [parts[0], f'<div class="two"><div>{"".join(parts[1:])}</div><div>{figures}</div></div>']
            if figures
            else parts
        )
    elif figures:
        parts.append(f"<details><summary>Your data</summary>{figures}</details>")
    if found.get("answer") and task["kind"] == "function":
        parts.append(f"<details><summary>What you handed in</summary><pre>{escape(found['answer'])}</pre></details>")
    if solutions and not full:
        parts.append(_solution(task, name, student, solutions))
    return "".join(parts) + "</section>"


def _why(exercise, name, found, said):
    """What was lost, and why."""
    task, parts = exercise.tasks[name], []
    if found.get("case"):
        case = zip(("input", "yours", "expected"), ("", "yours", "want"), found["case"])
        rows = "".join(f'<dt>{what}</dt><dd class="{look}">{escape(text)}</dd>' for what, look, text in case)
        parts.append(f'<p>The first public case that shows it:</p><dl class="case">{rows}</dl>')
    if found.get("problem") and task["kind"] != "choice":
        parts.append(f"<p>{_coded(found['problem'])}</p>")
    title = in_a_word(found.get("mistake"))
    sentence = found.get("sentence") or said or "A result differs from the right one."
    sentence = sentence.removeprefix(f"This value points to {title}. ").removeprefix(f"This answer points to {title}. ")
    parts.append(f'<p class="judge">{f"<b>{escape(title)}.</b> " if title else ""}{_coded(sentence)}</p>')
    parts += [f"<p>{_coded(text)}</p>" for text in found.get("notes", [])]
    lines = found.get("lines", [])
    if len(lines) > 1:
        items = "".join(f"<li><span>{escape(says)}</span> {points:g} of {of:g}</li>" for says, points, of in lines)
        parts.append(f'<ul class="checks">{items}</ul>')
    read = f" Read again: lesson {exercise.name[:2]}, “{task['read']}”." if "read" in task else ""
    parts.append(f'<p class="muted">{_coded(found.get("hint") or "")}{escape(read)}</p>')
    return "".join(parts)


def _coded(text):
    """A sentence of the judge: text between `backticks` is code, text between dollars a formula."""
    with suppress(ValueError):
        return prose.inline(text)
    return escape(text)


def _cells_of(exercise, handout, name):
    """The cells between a task's text and its answer: its data and its figure."""
    ids = references.cell_order(exercise.name, ".")
    return ids[ids.index(f"{name}-text") : ids.index(f"{name}-answer")] if f"{name}-answer" in ids else []


def _figure(value):
    """A figure, or data, as a page shows it."""
    if shown := picture(value):
        return f"<figure>{shown}<figcaption>{escape(value.alt)}</figcaption></figure>"
    text = value if isinstance(value, str) else pprint.pformat(value, width=88, sort_dicts=False)
    return f"<pre>{escape(text[:5000])}</pre>"


def _options(task, found, student, told):
    """The option that was chosen, and, once it may be told, the right one."""
    letter = next(iter(re.findall(r"""=\s*["'](\w)["']""", found.get("answer") or "")), None)
    order = shuffled(task["options"], task["salt"], student)
    parts = []
    for shown, written_letter in order.items():
        if shown == letter or (told and written_letter == task["solve"]):
            mine, right = shown == letter, told and written_letter == task["solve"]
            label = " and ".join(filter(None, ["you chose" if mine else "", "right" if right else ""]))
            text = prose.inline(task["options"][written_letter])
            parts.append(
                f'<div class="option{" want" * right}"><b>{shown}</b><span><small>{label}</small>{text}</span></div>'
            )
    if not told:
        parts.append('<p class="small muted">Which option is right, and why, is added after the deadline.</p>')
    return "".join(parts)


def _solution(task, name, student, solutions):
    """A worked solution, for after the deadline."""
    if task["kind"] == "explanation":
        items = "".join(f"<li>{prose.inline(line)}</li>" for line in task["rubric"])
        return f'<div class="solution"><h3>What earns the points</h3><ul>{items}</ul></div>'
    if task["kind"] == "choice":
        return f'<div class="solution"><h3>Why</h3><p>{prose.inline(task["right"])}</p></div>'
    value = f"<p>With your data it gives {task['solve'](student):.7g}.</p>" if task["kind"] == "number" else ""
    code = escape(solutions.get(name, ""))
    return (
        f'<div class="solution"><h3>A solution</h3><pre>{code}</pre>{value}<p>{prose.inline(task["right"])}</p></div>'
    )
