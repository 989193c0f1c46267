"""Marking explanations: `make mark` opens a page of this computer with all answers to one task below each other.

A rubric line is a check box and a key. Every change is saved to the gradebook at once, and which lines were given in
marking.json beside it, so that an interrupted marking goes on where it was.
"""

import json
import os
import secrets
import webbrowser
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from nbgrader.api import Gradebook

from bayeslib.questions import prose
from grading import references
from grading.converter import locked
from grading.pages import Handout, handed_in, page, written

TICKS = "marking.json"
LONGEST = 5_000  # characters of a comment


class Marking:
    """The explanations of a course, and their marks in its gradebook."""

    def __init__(self, coursedir, folder):
        self.coursedir, self.folder = coursedir, folder
        self.tasks = {}  # (assignment, task) → its rubric, and the points it is worth
        with self.gradebook() as gradebook:
            for name in sorted(assignment.name for assignment in gradebook.assignments):
                exercise = references.load(name, ".", references.released_variants(Path("release") / name))
                for task, entry in exercise.tasks.items():
                    if entry["kind"] == "explanation":
                        self.tasks[name, task] = entry["rubric"], entry["points"]

    def gradebook(self):
        return Gradebook(self.coursedir.db_url, self.coursedir.course_id)

    def ticks(self):
        path = self.folder / TICKS
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def entries(self, name, task):
        """(student, points or None, comment, lines given) of everybody who has handed in."""
        ticks, found = self.ticks(), []
        with self.gradebook() as gradebook:
            for submission in gradebook.assignment_submissions(name):
                student = submission.student.id
                grade = gradebook.find_grade(task, name, name, student)
                comment = gradebook.find_comment(task, name, name, student)
                points = None if grade.needs_manual_grade else grade.score
                given = ticks.get(f"{name}/{task}/{student}", [])
                found.append((student, points, comment.manual_comment or "", given))
        return sorted(found)

    def save(self, name, task, student, lines, comment, done):
        """One answer's marks: in the gradebook, and which lines they are for."""
        rubric, most = self.tasks[name, task]
        if len(lines) != len(rubric) or not all(type(each) is bool for each in [*lines, done]):
            raise ValueError("lines must be true or false, one for each line of the rubric")
        with locked(self.folder), self.gradebook() as gradebook:
            grade = gradebook.find_grade(task, name, name, student)
            note = gradebook.find_comment(task, name, name, student)
            given = sum(references.worth(line) for line, is_given in zip(rubric, lines) if is_given)
            grade.manual_score = min(most, given) if done else None
            grade.needs_manual_grade = not done
            note.manual_comment = comment[:LONGEST] or None
            ticks = self.ticks() | {f"{name}/{task}/{student}": lines}
            fresh = self.folder / f".{TICKS}"
            fresh.write_text(json.dumps(ticks), encoding="utf-8")
            gradebook.db.commit()
            fresh.replace(self.folder / TICKS)

    def overview(self):
        """The page that lists the tasks."""
        rows = []
        for name, task in self.tasks:
            entries = self.entries(name, task)
            if entries:
                handout = Handout(name)
                done = sum(points is not None for _, points, *_ in entries)
                link = f'<a href="{name}/{task}/">{escape(handout.heading(task))}</a>'
                rows.append(
                    f'<tr><td>{handout.number}</td><td>{link}</td><td class="num">{done} of {len(entries)}</td></tr>'
                )
        head = '<thead><tr><th></th><th>task</th><th class="num">marked</th></tr></thead>'
        return page("Marking", f"<h1>Explanations</h1><br><table>{head}<tbody>{''.join(rows)}</tbody></table>")

    def desk(self, name, task):
        """The page of one task."""
        rubric, most = self.tasks[name, task]
        handout, entries = Handout(name), self.entries(name, task)
        items = "".join(self._answer(name, task, *entry) for entry in entries)
        points = "".join(f"<p><b>{at}</b>&ensp;{prose.inline(line)}</p>" for at, line in enumerate(rubric, 1))
        keys = {
            f"1 … {len(rubric)}": "give or take a line",
            "Enter": "done, next unmarked",
            "↑ ↓": "move",
            "C": "comment",
            "U": "undo",
        }
        told = "".join(f"<dt><kbd>{key}</kbd></dt><dd>{what}</dd>" for key, what in keys.items())
        body = (
            f'<header class="strip"><h1>{escape(handout.tasks[task][1])} <span class="muted">· exercise {handout.number}</span></h1>'
            f'<progress max="{len(entries)}" aria-label="marked"></progress><span id="count" aria-live="polite"></span></header>'
            f'<div class="desk"><ol class="answers" aria-label="Answers">{items}</ol><aside><h2>Rubric</h2>'
            f"{points}<h2>Keys</h2><dl>{told}</dl><h2>The question</h2>{prose.html(handout.tasks[task][2])}"
            f'<p id="saved" class="muted" role="status">Saved to the gradebook at every key.</p><p><a href="../../">All tasks</a></p></aside></div>'
        )
        return page(
            f"Marking: {handout.tasks[task][1]}",
            body,
            (Path(__file__).parent / "marking.js").read_text(encoding="utf-8"),
        )

    def _answer(self, name, task, student, points, comment, given):
        rubric, most = self.tasks[name, task]
        lines = "".join(
            f'<label><input type="checkbox" value="{references.worth(line):g}"{" checked" * (at <= len(given) and bool(given[at - 1]))}>'
            f"<b>{at}</b> <span>{prose.inline(line.partition(': ')[2])}</span></label>"
            for at, line in enumerate(rubric, 1)
        )
        done = points is not None
        state = f"{points:g} of {most:g}" if done else "to mark"
        answer = written(handed_in(name, student).get(task, "")) or "<p><i>Nothing written.</i></p>"
        return (
            f'<li class="ans" tabindex="-1" data-student="{escape(student)}" data-of="{most:g}" data-done="{"1" * done}">'
            f'<div class="who"><b>{escape(student)}</b><span class="state {"right" if done else "open"}">{state}</span></div>'
            f'<div class="text">{answer}</div><div class="marks">{lines}'
            f'<textarea rows="1" aria-label="comment on the answer of {escape(student)}" placeholder="comment">{escape(comment)}</textarea></div></li>'
        )


def serve(marking, port=0, open_page=webbrowser.open):
    """Serve the pages on this computer only, to who knows the address, until it is interrupted."""
    token = secrets.token_urlsafe(12)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self._reply(self._where() and (marking.desk(*self.place) if self.place else marking.overview()))

        def do_POST(self):
            sent = self.headers.get("Origin")
            if not self._where() or not self.place or sent != f"http://{self.headers['Host']}":
                return self._reply("")
            try:
                wanted = json.loads(self.rfile.read(min(int(self.headers["Content-Length"]), 50_000)))
                marking.save(*self.place, **wanted)
            except (ValueError, TypeError, LookupError) as error:
                return self._reply(str(error), 400)
            return self._reply("saved")

        def _where(self):
            """Whether the address is one of ours: the token, and perhaps an assignment and a task."""
            parts = self.path.strip("/").split("/")
            self.place = tuple(parts[1:]) or None
            mine = self.headers["Host"] == f"127.0.0.1:{self.server.server_port}"
            return mine and parts[0] == token and (self.place is None or self.place in marking.tasks)

        def _reply(self, text, status=200):
            content = (text or "There is nothing at this address.").encode()
            self.send_response(status if text else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Referrer-Policy", "same-origin")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        address = f"http://127.0.0.1:{server.server_port}/{token}/"
        print(f"Marking on {address}; Ctrl+C ends it, everything is saved.", flush=True)
        if open_page and (os.environ.get("DISPLAY") or os.name == "nt"):
            open_page(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
