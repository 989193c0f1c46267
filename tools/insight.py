"""What the class misunderstands: `make insight`, from the gradebook, from the lecture's votes and from answers handed in.

Of each misconception: how many hold it, in which task, the sentence that they read, and what to show next. Of each task: how hard
it is, and whether those who do well elsewhere do well in it. No name is in it unless asked for, and groups of fewer than five
are not broken down.
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
    def told(self):
        """How many, in words; a small group is not counted out."""
        if self.of < FEW:
            return f"fewer than {FEW} answered"
        return f"{self.people if self.people >= FEW else f'fewer than {FEW}'} of {self.of}"


# From where


def graded(gradebook):
    """tag → where it was seen in the gradebook, and the points of every task: (assignment, task) → {student: share}."""
    found, shares = defaultdict(list), defaultdict(dict)
    for assignment in gradebook.assignments:
        holders = defaultdict(set)
        for submission in gradebook.assignment_submissions(assignment.name):
            for notebook in submission.notebooks:
                comments = {each.name: each.comment or "" for each in notebook.comments}
                for grade in notebook.grades:
                    if grade.needs_manual_grade and grade.manual_score is None:
                        continue
                    shares[assignment.name, grade.name][submission.student.id] = grade.score / (grade.max_score or 1)
                    for tag in tags_in(comments.get(answer_cell(grade.name, {"kind": ""}), "")):
                        holders[tag, grade.name].add(submission.student.id)
        for (tag, task), who in holders.items():
            of = len(shares[assignment.name, task])
            found[tag].append(Seen("graded", f"{assignment.name}, {task}", len(who), of, sorted(who)))
    return found, shares


def tags_in(comment):
    """The misconceptions that a comment of the grading names.

    >>> from bayeslib.questions.misconceptions import explained
    >>> tags_in("ordinary tables: " + explained("base-rate", "a result"))
    ['base-rate']
    """
    beliefs = {tag: each for tag, each in entries().items() if each.kind != "slip"}
    return [tag for tag, each in beliefs.items() if f"points to {each.title}." in comment]


def voted(folder):
    """tag → where the room's last vote on a question showed it, from what `make lecture … KEEP=1` kept; no rehearsals."""
    found = defaultdict(list)
    for path in sorted(Path(folder).glob("*.json")):
        lecture = json.loads(path.read_text(encoding="utf-8"))
        for name, told in {} if lecture["rehearsal"] else lecture["questions"].items():
            for belief in told["beliefs"]:
                where = f"{name}, {lecture['when']}"
                found[belief["tag"]].append(Seen("votes", where, belief["votes"], told["votes"][-1]))
    return found


def handed_in(folder):
    """tag → where answers files that students chose to hand in show it. Any other file is left out and reported."""
    holders, asked, strange = defaultdict(set), Counter(), []
    for path in sorted(Path(folder).glob("*.json")):
        try:
            answers, _ = record.parse(path.read_text(encoding="utf-8", errors="replace")[:1_000_000])
        except ValueError:
            strange.append(path.name)
            continue
        asked.update(list(answers))
        for shown in review.misconceptions(answers):
            for question in shown.questions:
                holders[shown.tag, question.name].add(path.stem)
    found = defaultdict(list)
    for (tag, name), who in holders.items():
        found[tag].append(Seen("answers", name, len(who), asked[name], sorted(who)))
    return found, strange


# What it comes to


def ordered(*sources):
    """tag → its places, the misconception that most people showed in one place first. No one is counted twice: people are not
    added up over places."""
    together = defaultdict(list)
    for source in sources:
        for tag, places in source.items():
            together[tag] += sorted(places, key=lambda each: -each.people)
    return dict(sorted(together.items(), key=lambda each: (-max(place.people for place in each[1]), each[0])))


def tasks(shares):
    """Of each task: how many did it, the mean share of its points, and how it goes with the other tasks of its exercise.

    The last is the correlation of a student's share in this task with the mean share in the others; None where one of them
    does not vary.
    """
    for (assignment, task), mine in sorted(shares.items()):
        others = [each for (other, name), each in shares.items() if other == assignment and name != task]
        pairs = [
            (share, np.mean([each[student] for each in others if student in each]))
            for student, share in mine.items()
            if any(student in each for each in others)
        ]
        own, rest = np.array(pairs or np.empty((0, 2))).T
        varies = len(pairs) >= FEW and own.std() > 0 and rest.std() > 0
        found = float(np.corrcoef(own, rest)[0, 1]) if varies else None
        yield assignment, task, len(mine), float(np.mean(list(mine.values()))), found


def figures():
    """tag → the prediction that meets it: (question, lesson, slide). The slide is its number in `make lecture`."""
    found = {}
    for section in SECTIONS:
        cells, _ = plan(nbformat.read(ROOT / "notebooks" / f"{section.name}.ipynb", as_version=4).cells)
        slide, places = 0, {}
        for cell in cells:
            slide += cell.metadata.get("slideshow", {}).get("slide_type") in ("slide", "subslide") or not slide
            if asked := re.match(r'live\.predict\("([^"]+)"', cell.source.strip()):
                places[asked[1]] = max(slide, 1)
        for name in names(section.number):
            for tag in Question(name).tags if name in places else ():
                found.setdefault(tag, []).append((name, section, places[name]))
    return found


def next_figure(places, shown):
    """The figure to show next: of the section where most people were seen, else of the first that has one."""
    section = re.search(r"\d\d", max(places, key=lambda each: each.people).where)
    return min(shown, key=lambda each: each[1].number != (section and section[0]), default=None)


# Pages


def page(misconceptions, shares, shown, with_names=False, strange=()):
    """All of it as one page."""
    most = max([1, *(place.people for places in misconceptions.values() for place in places)])
    parts = ["<h1>What the class misunderstands</h1>"]
    parts.append(
        "<p>First what most people showed in one place. People are not added up over places, for most are the same. "
        f"Groups of fewer than {FEW} are not counted out.</p>"
    )
    parts += [f"<p>Left out, no answers file: {escape(', '.join(strange))}.</p>"] if strange else []
    for tag, places in misconceptions.items():
        entry = entries()[tag]
        parts.append(f"<h3>{escape(entry.title[0].upper() + entry.title[1:])}</h3><p>{escape(entry.text)}</p>")
        for place in places:
            who = f" <small>{escape(', '.join(place.names))}</small>" if with_names and place.names else ""
            small = min(place.people, place.of) < FEW
            bar = "" if small else f'<span class="bar" style="width: {place.people / most:.0%}">{place.told}</span>'
            parts.append(
                f"<p>{escape(place.source)}: {escape(place.where)}{f', {place.told}' if small else ''}{who}{bar}</p>"
            )
        if figure := next_figure(places, shown.get(tag, [])):
            name, section, slide = figure
            parts.append(f"<p>Show next: {escape(name)}, slide {slide} of section {section.number}.</p>")
    parts.append("<h2>The tasks</h2><table><tr><th>exercise</th><th>task</th><th>students</th><th>points, mean</th>")
    parts.append("<th>goes with the others</th></tr>")
    for assignment, task, number, share, found in tasks(shares):
        cells = [assignment, task, *_told(number, share, found)]
        parts.append(f"<tr>{''.join(f'<td>{escape(each)}</td>' for each in cells)}</tr>")
    parts.append(
        "</table><p>The last column is the correlation with the student's other tasks of the exercise; near or"
    )
    parts.append(" below zero, look whether the task asks what it means to.</p>")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>What the class misunderstands</title>'
        f"<style>{STYLE}</style>{''.join(parts)}</html>"
    )


def _told(number, share, found):
    if number < FEW:
        return f"fewer than {FEW}", "", ""
    return str(number), f"{share:.0%}", "" if found is None else f"{found:.2f}".replace("-", "−")


def write(course, gradebook, votes, answers, with_names=False):
    """insight.html and insight.csv in the course's folder; returns the misconceptions, ordered."""
    by_grading, shares = graded(gradebook)
    by_answers, strange = handed_in(answers)
    found = ordered(by_grading, voted(votes), by_answers)
    (course / "insight.html").write_text(page(found, shares, figures(), with_names, strange), encoding="utf-8")
    with (course / "insight.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["misconception", "title", "source", "where", "people", "of"] + ["names"] * with_names)
        for tag, places in found.items():
            for place in places:
                small = place.of < FEW or place.people < FEW
                counts = [f"fewer than {FEW}" if small else place.people, "" if place.of < FEW else place.of]
                who = [" ".join(place.names)] if with_names else []
                table.writerow([tag, entries()[tag].title, place.source, place.where, *counts, *who])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--course", type=Path, default=ROOT / "notebooks" / "exercises")
    parser.add_argument("--votes", type=Path, default=ROOT / "build" / "votes")
    parser.add_argument("--answers", type=Path, help="a folder of answers files that students chose to hand in")
    parser.add_argument("--names", action="store_true", help="say who")
    said = parser.parse_args()
    os.chdir(said.course)
    app = ExportApp(log_level="ERROR")
    app.initialize([])
    with Gradebook(app.coursedir.db_url, app.coursedir.course_id) as gradebook:
        found = write(said.course, gradebook, said.votes, said.answers or said.course / "answers", said.names)
    for tag, places in list(found.items())[:10]:
        print(f"{places[0].told:>20}  {entries()[tag].title} ({places[0].source}: {places[0].where})")
    print(f"{len(found)} misconceptions in {said.course / 'insight.html'} and insight.csv")


if __name__ == "__main__":
    main()
