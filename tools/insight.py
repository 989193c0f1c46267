"""What the class misunderstands: `make insight`, from the gradebook, from the lecture's votes and from answers handed in.

For each mistake: how many made it, in which task, the sentence that they read, and what to show next. For each task: how hard it
is, and whether those who do well elsewhere do well in it. It contains names only on request; a switch hides small counts for the
projector.
"""

import argparse
import csv
import json
import os
import re
from collections import Counter, defaultdict
from contextlib import chdir
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import nbformat
import numpy as np
from nbgrader.api import Gradebook
from nbgrader.apps import ExportApp

from bayeslib.questions import prose, record, review
from bayeslib.questions.forms import FORMS
from bayeslib.questions.misconceptions import entries, split
from bayeslib.questions.question import Question, names
from bayeslib.sections import SECTIONS
from grading import bounded
from grading.collect import read_file
from grading.exports import _cell
from grading.pages import notes, page
from tools.lecture.plan import plan

ROOT = Path(__file__).parents[1]
FEW = 5
SCRIPT = """
const wall = document.querySelector("#wall");
wall.onchange = () => document.body.classList.toggle("wall", wall.checked);
"""


@dataclass
class Seen:
    """One place where a mistake was seen: a graded task, a vote or a quiz."""

    source: str  # graded, votes, answers
    where: str
    people: int
    of: int
    names: list = field(default_factory=list)


def told(mistake):
    """A mistake in a few words, and the sentence for it: of a misconception its title and text, of others the sentence."""
    if mistake in FORMS:
        return mistake, FORMS[mistake][0].format("of one kind", "of another")
    tag, sentence = split(mistake)
    if tag is None:
        return sentence, ""
    return entries()[tag].title, sentence or entries()[tag].text


# Sources


def graded(gradebook, only=()):
    """mistake → where grading named it, and the points of every task: (assignment, task) → {student: share}."""
    seen, shares, unmarked = defaultdict(list), defaultdict(dict), Counter()
    for assignment in gradebook.assignments:
        holders = defaultdict(set)
        if only and assignment.name not in only:
            continue
        for submission in gradebook.assignment_submissions(assignment.name):
            student = submission.student.id
            found = notes(assignment.name, student).get("tasks", {})
            for grade in (grade for notebook in submission.notebooks for grade in notebook.grades):
                if grade.needs_manual_grade and grade.manual_score is None:
                    unmarked[assignment.name] += 1
                    continue
                share = shares[assignment.name, grade.name][student] = grade.score / (grade.max_score or 1)
                if share < 1 and (mistake := found.get(grade.name, {}).get("mistake")):
                    holders[mistake, grade.name].add(student)
        for (mistake, task), students in holders.items():
            of = len(shares[assignment.name, task])
            key = split(mistake)[0] or mistake if mistake not in FORMS else mistake
            seen[key].append(Seen("graded", f"{assignment.name}, {task}", len(students), of, sorted(students)))
    return seen, shares, unmarked


def voted(folder):
    """tag → where the room's last vote on a question showed it, from what `make lecture … KEEP=1` kept; no rehearsals."""
    seen = defaultdict(list)
    for path in sorted(Path(folder).glob("*.json")):
        lecture = json.loads(path.read_text(encoding="utf-8"))
        for name, result in {} if lecture["rehearsal"] else lecture["questions"].items():
            for belief in result["beliefs"]:
                where = f"{name}, {lecture['when']}"
                seen[belief["tag"]].append(Seen("votes", where, belief["votes"], result["votes"][-1]))
    return seen


def handed_in(folder):
    """tag → where answers files that students chose to hand in show it. Any other file is skipped and reported."""

    def read(path):
        answers, _ = record.parse(read_file(path, 1_000_000).decode("utf-8", "replace"))
        seen = [[shown.tag, question.name] for shown in review.misconceptions(answers) for question in shown.questions]
        return [list(answers), seen]

    holders, answered, unreadable = defaultdict(set), Counter(), []
    for path, found in bounded.each(read, sorted(Path(folder).glob("*.json"))):
        who = path.stem.encode("utf-8", "replace").decode()
        if isinstance(found, Exception):
            unreadable.append(f"{who}.json")
            continue
        answered.update(found[0])
        for tag, name in found[1]:
            holders[tag, name].add(who)
    seen = defaultdict(list)
    for (tag, name), people in holders.items():
        seen[tag].append(Seen("answers", name, len(people), answered[name], sorted(people)))
    return seen, unreadable


# Statistics


def ordered(*sources):
    """tag → its places, starting with the misconception that most people showed in one place. Nobody is counted twice: people
    are not added up over places."""
    merged = defaultdict(list)
    for source in sources:
        for tag, places in source.items():
            merged[tag] += sorted(places, key=lambda place: -place.people)
    return dict(sorted(merged.items(), key=lambda entry: (-max(place.people for place in entry[1]), entry[0])))


def tasks(shares):
    """For each task: how many did it, the mean share of its points, and how it correlates with the other tasks of its exercise.

    The last is the correlation of a student's share in this task with the mean share in the others; None where one of them
    does not vary.
    """
    for (assignment, task), scores in sorted(shares.items()):
        others = [
            other_scores for (other, name), other_scores in shares.items() if other == assignment and name != task
        ]
        pairs = [
            (share, np.mean([other_scores[student] for other_scores in others if student in other_scores]))
            for student, share in scores.items()
            if any(student in other_scores for other_scores in others)
        ]
        own, rest = np.array(pairs or np.empty((0, 2))).T
        varies = len(pairs) >= FEW and own.std() > 0 and rest.std() > 0
        correlation = float(np.corrcoef(own, rest)[0, 1]) if varies else None
        yield assignment, task, len(scores), float(np.mean(list(scores.values()))), correlation


def figures():
    """tag → the prediction that meets it: (question, lesson, slide). The slide is its number in `make lecture`."""
    predictions = {}
    for section in SECTIONS:
        cells, _ = plan(nbformat.read(ROOT / "notebooks" / f"{section.name}.ipynb", as_version=4).cells, section.number)
        slide, places = 0, {}
        for cell in cells:
            slide += cell.metadata.slideshow.slide_type == "slide"
            if cell.metadata.get("role") == "predict":
                places[cell.metadata.question] = slide
        for name in names(section.number):
            for tag in Question(name).tags if name in places else ():
                predictions.setdefault(tag, []).append((name, section, places[name]))
    return predictions


def next_figure(places, shown):
    """The figure to show next: from the section where most people were seen, else from the first that has one."""
    section = re.search(r"\d\d", max(places, key=lambda place: place.people).where)
    return min(shown, key=lambda figure: figure[1].number != (section and section[0]), default=None)


# Pages


def report(mistakes, shares, shown, unmarked=None, with_names=False, unreadable=()):
    """The whole report as one page."""
    most = max([1, *(place.people for places in mistakes.values() for place in places)])
    handed_in = max(map(len, shares.values()), default=0)
    left = f", {sum(unmarked.values())} explanations still to be marked" if unmarked else ""
    which = ", ".join(sorted({assignment for assignment, _ in shares})) or "nothing graded yet"
    parts = [
        f'<div class="head"><div><p class="eyebrow">{escape(which)} · {handed_in} handed in{left}</p><h1>What the class misunderstands</h1></div>'
        f'<label class="small"><input type="checkbox" id="wall"> On the projector: hide counts below {FEW}</label></div>'
    ]
    parts += [f"<p>Left out, no answers file: {escape(', '.join(unreadable))}.</p>"] if unreadable else []
    parts.append('<ol class="bars">')
    for mistake, places in mistakes.items():
        title, text = told(mistake)
        parts.append(f"<li><b>{prose.inline(title[0].upper() + title[1:])}</b> <small>{prose.inline(text)}</small>")
        for place in places:
            few = " few" * (place.people < FEW)
            who = f" <small>{escape(', '.join(place.names))}</small>" if with_names and place.names else ""
            parts.append(
                f'<div class="bar{few}"><i style="width: {place.people / most * 60:.0f}%"></i>'
                f"<span>{place.people} of {place.of}</span> <small>{escape(place.source)}: {escape(place.where)}</small>{who}</div>"
            )
        if figure := next_figure(places, shown.get(mistake, [])):
            name, section, slide = figure
            link = f"<code>make lecture SECTION={section.number}</code>"
            parts.append(f"<p class='small muted'>Show next: {escape(name)}, slide {slide} of {link}</p>")
        parts.append("</li>")
    parts.append('</ol><h2>Tasks</h2><table><thead><tr><th>exercise</th><th>task</th><th class="num">students</th>')
    parts.append('<th class="num">points, mean</th><th class="num">goes with the others</th></tr></thead><tbody>')
    for assignment, task, number, share, correlation in tasks(shares):
        together = "–" if correlation is None else f"{correlation:.2f}".replace("-", "−")
        doubt = ' class="doubt"' if correlation is not None and correlation < 0.2 else ""
        cells = f'<td class="num">{number}</td><td class="num">{share:.0%}</td><td class="num"><span{doubt}>{together}</span></td>'
        parts.append(f"<tr><td>{escape(assignment)}</td><td>{escape(task)}</td>{cells}</tr>")
    parts.append(
        '</tbody></table><p class="small muted">The last column is the correlation with the student\'s other tasks of'
    )
    parts.append(" the exercise. Near or below zero a task measures something else, or is unclear.</p>")
    return page("What the class misunderstands", "".join(parts), SCRIPT)


def write(course, gradebook, votes, answers, with_names=False, only=()):
    """insight.html and insight.csv in the course's folder; returns the mistakes, ordered."""
    with chdir(course):
        by_grading, shares, unmarked = graded(gradebook, only)
    by_answers, unreadable = handed_in(answers) if not only else ({}, [])
    mistakes = ordered(by_grading, voted(votes) if not only else {}, by_answers)
    text = report(mistakes, shares, figures(), unmarked, with_names, unreadable)
    (course / "insight.html").write_text(text, encoding="utf-8")
    with (course / "insight.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["mistake", "title", "source", "where", "people", "of"] + ["names"] * with_names)
        for mistake, places in mistakes.items():
            for place in places:
                who = [" ".join(place.names)] if with_names else []
                row = [mistake, told(mistake)[0], place.source, place.where, place.people, place.of, *who]
                table.writerow(map(_cell, row))
    return mistakes


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "assignment", nargs="*", help="one exercise, such as 01-bayes-theorem; without a name, all of them"
    )
    parser.add_argument("--course", type=Path, default=ROOT / "notebooks" / "exercises")
    parser.add_argument("--votes", type=Path, default=ROOT / "build" / "votes")
    parser.add_argument("--answers", type=Path, help="a folder of answers files that students chose to hand in")
    parser.add_argument("--names", action="store_true", help="say who")
    args = parser.parse_args()
    os.chdir(args.course)
    app = ExportApp(log_level="ERROR")
    app.initialize([])
    with Gradebook(app.coursedir.db_url, app.coursedir.course_id) as gradebook:
        misconceptions = write(
            args.course, gradebook, args.votes, args.answers or args.course / "answers", args.names, args.assignment
        )
    for tag, places in list(misconceptions.items())[:10]:
        print(f"{places[0].people:>4} of {places[0].of:<4} {told(tag)[0]} ({places[0].source}: {places[0].where})")
    print(f"{len(misconceptions)} mistakes in {args.course / 'insight.html'} and insight.csv")


if __name__ == "__main__":
    main()
