"""What the class misunderstands: `make insight`, from the gradebook, from the lecture's votes and from answers handed in.

For each misconception: how many have it, in which task, the sentence that they read, and what to show next. For each task: how
hard it is, and whether those who do well elsewhere do well in it. It contains names only on request, and does not break down
groups of fewer than five.
"""

import argparse
import csv
import json
import os
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import nbformat
import numpy as np
from nbgrader.api import Gradebook
from nbgrader.apps import ExportApp

from bayeslib.questions import record, review
from bayeslib.questions.misconceptions import entries
from bayeslib.questions.question import Question, names
from bayeslib.sections import SECTIONS
from grading.collect import answer_cell
from tools.lecture.plan import plan

ROOT = Path(__file__).parents[1]
FEW = 5
STYLE = """
body { font: 17px/1.45 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; }
h2 { margin-top: 2em; } h3 { margin: 1.4em 0 .2em; } p { margin: .3em 0; } table { border-collapse: collapse; }
td, th { padding: 3px 10px; text-align: left; border-bottom: 1px solid silver; }
.bar { display: block; background: #2f5d8a; color: white; min-width: 2.6em; padding: 0 6px; box-sizing: border-box; margin: 2px 0; }
"""


@dataclass
class Seen:
    """One place where a misconception was seen: a graded task, a vote or a quiz."""

    source: str  # graded, votes, answers
    where: str
    people: int
    of: int
    names: list = field(default_factory=list)

    @property
    def summary(self):
        """How many, in words; small groups get no exact count."""
        if self.of < FEW:
            return f"fewer than {FEW} answered"
        return f"{self.people if self.people >= FEW else f'fewer than {FEW}'} of {self.of}"


# Sources


def graded(gradebook):
    """tag → where it was seen in the gradebook, and the points of every task: (assignment, task) → {student: share}."""
    seen, shares = defaultdict(list), defaultdict(dict)
    for assignment in gradebook.assignments:
        holders = defaultdict(set)
        for submission in gradebook.assignment_submissions(assignment.name):
            for notebook in submission.notebooks:
                comments = {entry.name: entry.comment or "" for entry in notebook.comments}
                for grade in notebook.grades:
                    if grade.needs_manual_grade and grade.manual_score is None:
                        continue
                    shares[assignment.name, grade.name][submission.student.id] = grade.score / (grade.max_score or 1)
                    for tag in tags_in(comments.get(answer_cell(grade.name, {"kind": ""}), "")):
                        holders[tag, grade.name].add(submission.student.id)
        for (tag, task), students in holders.items():
            of = len(shares[assignment.name, task])
            seen[tag].append(Seen("graded", f"{assignment.name}, {task}", len(students), of, sorted(students)))
    return seen, shares


def tags_in(comment):
    """The misconceptions that a comment of the grading names.

    >>> from bayeslib.questions.misconceptions import explained
    >>> tags_in("ordinary tables: " + explained("base-rate", "a result"))
    ['base-rate']
    """
    beliefs = {tag: entry for tag, entry in entries().items() if entry.kind != "slip"}
    return [tag for tag, entry in beliefs.items() if f"points to {entry.title}." in comment]


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
    holders, answered, unreadable = defaultdict(set), Counter(), []
    for path in sorted(Path(folder).glob("*.json")):
        try:
            answers, _ = record.parse(path.read_text(encoding="utf-8", errors="replace")[:1_000_000])
        except ValueError:
            unreadable.append(path.name)
            continue
        answered.update(list(answers))
        for shown in review.misconceptions(answers):
            for question in shown.questions:
                holders[shown.tag, question.name].add(path.stem)
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
        cells, _ = plan(nbformat.read(ROOT / "notebooks" / f"{section.name}.ipynb", as_version=4).cells)
        slide, places = 0, {}
        for cell in cells:
            slide += cell.metadata.get("slideshow", {}).get("slide_type") in ("slide", "subslide") or not slide
            if match := re.match(r'live\.predict\("([^"]+)"', cell.source.strip()):
                places[match[1]] = max(slide, 1)
        for name in names(section.number):
            for tag in Question(name).tags if name in places else ():
                predictions.setdefault(tag, []).append((name, section, places[name]))
    return predictions


def next_figure(places, shown):
    """The figure to show next: from the section where most people were seen, else from the first that has one."""
    section = re.search(r"\d\d", max(places, key=lambda place: place.people).where)
    return min(shown, key=lambda figure: figure[1].number != (section and section[0]), default=None)


# Pages


def page(misconceptions, shares, shown, with_names=False, unreadable=()):
    """The whole report as one page."""
    most = max([1, *(place.people for places in misconceptions.values() for place in places)])
    parts = ["<h1>What the class misunderstands</h1>"]
    parts.append(
        "<p>First what most people showed in one place. People are not added up over places, for most are the same. "
        f"Groups of fewer than {FEW} are not counted out.</p>"
    )
    parts += [f"<p>Left out, no answers file: {escape(', '.join(unreadable))}.</p>"] if unreadable else []
    for tag, places in misconceptions.items():
        entry = entries()[tag]
        parts.append(f"<h3>{escape(entry.title[0].upper() + entry.title[1:])}</h3><p>{escape(entry.text)}</p>")
        for place in places:
            who = f" <small>{escape(', '.join(place.names))}</small>" if with_names and place.names else ""
            small = min(place.people, place.of) < FEW
            bar = "" if small else f'<span class="bar" style="width: {place.people / most:.0%}">{place.summary}</span>'
            parts.append(
                f"<p>{escape(place.source)}: {escape(place.where)}{f', {place.summary}' if small else ''}{who}{bar}</p>"
            )
        if figure := next_figure(places, shown.get(tag, [])):
            name, section, slide = figure
            parts.append(f"<p>Show next: {escape(name)}, slide {slide} of section {section.number}.</p>")
    parts.append("<h2>The tasks</h2><table><tr><th>exercise</th><th>task</th><th>students</th><th>points, mean</th>")
    parts.append("<th>goes with the others</th></tr>")
    for assignment, task, number, share, correlation in tasks(shares):
        cells = [assignment, task, *_columns(number, share, correlation)]
        parts.append(f"<tr>{''.join(f'<td>{escape(each)}</td>' for each in cells)}</tr>")
    parts.append(
        "</table><p>The last column is the correlation with the student's other tasks of the exercise; near or"
    )
    parts.append(" below zero, look whether the task asks what it means to.</p>")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>What the class misunderstands</title>'
        f"<style>{STYLE}</style>{''.join(parts)}</html>"
    )


def _columns(number, share, correlation):
    if number < FEW:
        return f"fewer than {FEW}", "", ""
    return str(number), f"{share:.0%}", "" if correlation is None else f"{correlation:.2f}".replace("-", "−")


def write(course, gradebook, votes, answers, with_names=False):
    """insight.html and insight.csv in the course's folder; returns the misconceptions, ordered."""
    by_grading, shares = graded(gradebook)
    by_answers, unreadable = handed_in(answers)
    misconceptions = ordered(by_grading, voted(votes), by_answers)
    (course / "insight.html").write_text(
        page(misconceptions, shares, figures(), with_names, unreadable), encoding="utf-8"
    )
    with (course / "insight.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["misconception", "title", "source", "where", "people", "of"] + ["names"] * with_names)
        for tag, places in misconceptions.items():
            for place in places:
                small = place.of < FEW or place.people < FEW
                counts = [f"fewer than {FEW}" if small else place.people, "" if place.of < FEW else place.of]
                who = [" ".join(place.names)] if with_names else []
                table.writerow([tag, entries()[tag].title, place.source, place.where, *counts, *who])
    return misconceptions


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--course", type=Path, default=ROOT / "notebooks" / "exercises")
    parser.add_argument("--votes", type=Path, default=ROOT / "build" / "votes")
    parser.add_argument("--answers", type=Path, help="a folder of answers files that students chose to hand in")
    parser.add_argument("--names", action="store_true", help="say who")
    args = parser.parse_args()
    os.chdir(args.course)
    app = ExportApp(log_level="ERROR")
    app.initialize([])
    with Gradebook(app.coursedir.db_url, app.coursedir.course_id) as gradebook:
        misconceptions = write(args.course, gradebook, args.votes, args.answers or args.course / "answers", args.names)
    for tag, places in list(misconceptions.items())[:10]:
        print(f"{places[0].summary:>20}  {entries()[tag].title} ({places[0].source}: {places[0].where})")
    print(f"{len(misconceptions)} misconceptions in {args.course / 'insight.html'} and insight.csv")


if __name__ == "__main__":
    main()
