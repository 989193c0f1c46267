"""nbgrader's autograde with a new core: the student's code runs in the sandbox, and what is graded is the released notebook.

`configure(c)` in a course's nbgrader_config.py puts `Grade` in the place of nbgrader's `Autograde`, for the command line and
for the formgrader. Submissions run in parallel; one thread writes the gradebook, in a short transaction for each, under a lock, so
that two gradings may run at once. A submission is done when its folder in autograded/ exists, which is written last: a grading
that was killed resumes from there, and unchanged work is skipped.
"""

import hashlib
import json
import os
import re
import shutil
import sys
import textwrap
import time
import unicodedata
import warnings
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager
from dataclasses import replace
from fnmatch import fnmatchcase
from glob import glob
from html import escape
from pathlib import Path

import nbformat
from nbconvert.preprocessors import Preprocessor
from nbformat.v4 import new_markdown_cell, new_output
from nbgrader.api import Gradebook, InvalidEntry, MissingEntry
from nbgrader.apps import api, autogradeapp, generateassignmentapp, generatefeedbackapp
from nbgrader.converters import Autograde, GenerateAssignment, NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties, ClearSolutions, NbGraderPreprocessor
from traitlets import Dict, Integer, List, Unicode

from bayeslib.questions.judge import Verdict
from grading import lateness, references
from grading.collect import CARRIED, IDENTITY, STAMP, Submission, answer_cell, collect, harmless, moment
from grading.exchange import Archives, Collect, OwnFiles
from grading.exports import Grades, row, table
from grading.layout import Pages
from grading.oracle import Oracle
from grading.pages import NOTE, Feedback
from grading.sandbox import Answer, Limits, Sandbox
from grading.scoring import marks, questions, questions_for, with_second_run

COURSE = "bayesian-learning"  # the name under which nbgrader's exchange knows the course
SAMPLE = "BAYESLIB_SAMPLE"  # in the environment: release the first variants, as this repository shows them
MOST_SHOWN = 600  # characters of a value on a page


def configure(c, course):
    """Sets up nbgrader for the course folder `course`; `c` is the config object of an nbgrader_config.py."""
    course = Path(course).resolve()
    # nbgrader runs `alembic` from the PATH when it makes a gradebook; it is installed beside this Python.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    warnings.filterwarnings("ignore", "Object of type <Submitted")  # comes from nbgrader's use of SQLAlchemy; harmless
    c.CourseDirectory.root = str(course)
    c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", NOTE]
    c.CourseDirectory.course_id = COURSE
    c.HTMLExporter.preprocessors = [EscapedNames]  # in the formgrader, whose templates write names as they are
    c.ExportApp.plugin_class = Grades
    if os.environ.get(references.PRIVATE):
        c.CourseDirectory.source_directory = _with_private(course)
    if formgrader := sys.modules.get("nbgrader.server_extensions.formgrader.formgrader"):
        formgrader.HTMLExporter = Pages
    c.ExchangeFactory.collect = Collect
    c.ZipCollectApp.extractor_plugin, c.ZipCollectApp.collector_plugin = Archives, OwnFiles
    CourseDirectory.get_existing_timestamp = lambda coursedir, folder: moment(Submission(Path(folder)).note(STAMP))
    api.NbGraderAPI.get_submitted_timestamp = _submitted_timestamp
    autogradeapp.Autograde = api.Autograde = Grade
    generateassignmentapp.GenerateAssignment = api.GenerateAssignment = Release
    generatefeedbackapp.GenerateFeedback = api.GenerateFeedback = Feedback


def _submitted_timestamp(self, assignment_id, student_id):
    """For the formgrader, whose own reading any file of a student's could stop."""
    folder = self.coursedir.format_path(self.coursedir.submitted_directory, student_id, assignment_id)
    return self.coursedir.get_existing_timestamp(folder)


def _with_private(course):
    """A folder of links to every exercise's source, the private one where there is one. nbgrader supports only one such folder."""
    merged = course / ".sources"
    merged.mkdir(exist_ok=True)
    for old in set(merged.iterdir()):
        old.unlink()
    for folder in (course, Path(os.environ[references.PRIVATE])):
        for source in (folder / "source").iterdir():
            link = merged / source.name
            link.unlink(missing_ok=True)
            link.symlink_to(source.resolve())
    return merged.name


class Variants(NbGraderPreprocessor):
    """Puts the variant that was drawn for the class into each task."""

    def preprocess(self, nb, resources):
        name = resources["nbgrader"]["assignment"]
        chosen = references.released_variants(references.home(name, ".", "source") / "source" / name)
        for cell in nb.cells:
            cell.source = references.rendered(cell.id, cell.source, chosen)
        return nb, resources


def beside_gradebook(coursedir):
    """The folder of the gradebook's file; the course itself where the gradebook is a database elsewhere."""
    path = re.fullmatch(r"sqlite:///(.+)", coursedir.db_url)
    return Path(path[1]).parent if path else Path(coursedir.root)


def secret_of(name, gradebook, coursedir):
    """The secret of an exercise; once there are grades, it must be there."""
    try:
        graded = bool(gradebook.find_assignment(name).submissions)
    except MissingEntry:
        graded = False
    return references.secret(name, beside_gradebook(coursedir), graded)


class ClearSolutionsKeepStub(ClearSolutions):
    """Leaves one place for an answer in each cell: `x = None` for a number or a letter, so that Run All does not stop."""

    def _replace_solution_region(self, cell, language):
        cell.source, number = re.subn(r"(?ms)^### BEGIN SOLUTION$.*?^### END SOLUTION$\n?", "", cell.source)
        cell.source = cell.source.rstrip("\n")
        return super()._replace_solution_region(cell, language) or bool(number)


class Release(GenerateAssignment):
    """nbgrader's generate_assignment, which first draws the variants and writes checks.json for the instant check."""

    preprocessors = List(
        [Variants]
        + [
            ClearSolutionsKeepStub if preprocessor is ClearSolutions else preprocessor
            for preprocessor in GenerateAssignment.class_traits()["preprocessors"].default()
        ]
    ).tag(config=True)

    def init_assignment(self, assignment_id, student_id):
        try:
            secret = None
            if not os.environ.get(SAMPLE):
                with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
                    secret = secret_of(assignment_id, gradebook, self.coursedir)
            references.write_checks(assignment_id, ".", secret, self._variants_in_use(assignment_id))
        except ValueError as error:
            self.log.error(str(error))
            raise NbGraderException(str(error)) from None
        super().init_assignment(assignment_id, student_id)

    def _variants_in_use(self, name):
        """The variants of the last release, once somebody has handed in: that work is marked against what was asked."""
        if not glob(self.coursedir.format_path(self.coursedir.submitted_directory, "*", name)):
            return {}
        return references.released_variants(references.home(name, ".", "source") / "source" / name)


class EscapedNames(Preprocessor):
    """Escapes names: students choose them, and they must not become markup on the page."""

    def preprocess(self, nb, resources):
        for key in ("student", "last_name", "first_name"):
            if resources.get(key):
                resources[key] = escape(resources[key])
        return nb, resources


class Grade(Autograde):
    """Grades every submission of an assignment: each ends with a score or a reason."""

    workers = Integer(os.cpu_count() or 1, help="how many submissions are run at once").tag(config=True)
    limits = Dict(help="limits of the sandbox by name, in place of those of grading.sandbox.Limits").tag(config=True)
    cluster = Unicode(help="a Dask scheduler whose workers run the sandboxes (tls://host:port)").tag(config=True)

    def start(self):
        problem = not self.cluster and Sandbox.available()
        if problem:
            self._fail(f"Nothing was graded, because a student's code is run in a sandbox only. {problem}")
        before = os.getcwd()
        os.chdir(self.coursedir.root)
        try:
            self._grade(self.coursedir.assignment_id)
        finally:
            os.chdir(before)

    def _fail(self, message):
        self.log.error(message)
        raise NbGraderException(message)

    def _grade(self, name):
        try:
            released = Path(self.coursedir.format_path(self.coursedir.release_directory, ".", name)) / f"{name}.ipynb"
            self.exercise = references.load(name, ".", references.released_variants(released.parent))
        except ValueError as error:
            self._fail(str(error))
        advice = f"Release it first: nbgrader generate_assignment {name} (or make release ASSIGNMENT={name})."
        if not released.exists():
            self._fail(f"{released} is missing. {advice}")
        self.template = nbformat.read(released, 4)
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as self.gradebook:
            self._check_points(name, advice)
            try:
                self.questions = questions(self.exercise, secret_of(name, self.gradebook, self.coursedir))
            except ValueError as error:
                self._fail(str(error))
            self.checks_digest = hashlib.sha256(
                released.read_bytes()
                + self.exercise.digest.encode()
                + repr([question.request.cases for question in self.questions]).encode()
            ).hexdigest()
            self.failures = {}
            known_students = {student.id for student in self.gradebook.students}
            folders = self._folders(name, known_students)
            self.ids = list(folders)
            # All are read before anything of anybody runs: no work can take time from another's.
            works = dict(collect(folders, name, self.template, self.exercise.tasks, self.workers))
            self._grant_extensions(name, works)
            todo = {student: work for student, work in sorted(works.items()) if not self._is_graded(student, work)}
            if todo:
                self._run_all(todo)
            self._print_summary(name, folders, todo, known_students)
        if self.failures:
            raise NbGraderException(f"{len(self.failures)} not graded: {', '.join(sorted(map(repr, self.failures)))}.")

    def _grant_extensions(self, name, works):
        """Extensions and late days of the students who have some; a change makes their work be graded again."""
        try:
            granted = lateness.read()
        except ValueError as error:
            self._fail(str(error))
        with locked(beside_gradebook(self.coursedir)):
            for student in {student for student, _ in granted} & works.keys():
                extension = lateness.extension(granted, self.gradebook, name, student, works[student].handed_in)
                if extension is None:
                    continue
                if self.create_student:
                    self.gradebook.update_or_create_student(student)
                self.gradebook.update_or_create_submission(name, student).extension = extension or None
            self.gradebook.db.commit()

    def _run_all(self, todo):
        sandbox = self._sandbox()
        if sandbox.courtesy:
            print(sandbox.courtesy)
        self.oracle = Oracle(self.exercise.name, ".", self.exercise.chosen)
        with (
            _Progress(len(todo), self.log) as progress,
            sandbox,
            closing(self.oracle),
            ThreadPoolExecutor(sandbox.workers) as pool,
        ):
            running = {pool.submit(self._run, sandbox, *item): item for item in todo.items()}
            for future in as_completed(running):
                student, work = running[future]
                try:
                    self._save(student, work, future.result())
                except Exception as error:  # for example this student's folder; the others are saved all the same
                    self.gradebook.db.rollback()
                    self.failures[student] = f"the grade could not be saved ({type(error).__name__}: {error})"
                    self.log.error("%s: %s", student, self.failures[student])
                progress.step()

    def _sandbox(self):
        """Where the students' code runs: here, or on the workers of a cluster."""
        limits = Limits(**self.limits)
        try:
            if not self.cluster:
                return Sandbox(limits, workers=self.workers)
            from grading.cluster import Cluster  # needs Dask, which most do not

            return Cluster(self.cluster, limits, self.log)
        except ImportError:
            self._fail(
                "Nothing was graded: for a cluster install Dask, pip install -c constraints.txt -e '.[cluster]'."
            )
        except (ValueError, RuntimeError, OSError, TypeError) as error:  # of Dask too: no scheduler, or no certificates
            self._fail(f"Nothing was graded: {error}")

    def _check_points(self, name, advice):
        try:
            notebook = self.gradebook.find_notebook(name, name)
        except MissingEntry:
            self._fail(f"The gradebook does not know {name}. {advice}")
        self.cell_names = {cell.id: cell.name for cell in [*notebook.grade_cells, *notebook.solution_cells]}
        points = {cell.name: cell.max_score for cell in notebook.grade_cells}
        wanted = {task: entry["points"] for task, entry in self.exercise.tasks.items()}
        if points != wanted:
            self._fail(f"The gradebook has the points {points}, and the reference of {name} has {wanted}. {advice}")

    def _folders(self, name, roster):
        """The submissions: student → folder. A folder whose name cannot be an id is skipped and reported.

        An id is found in the roster in another case too, and in the other form in which systems write accents.
        """
        pattern = self._format_source("(?P<assignment>.*)", "(?P<student>.*)", escape=True)
        excluded = self.coursedir.student_id_exclude.split(",")
        found = [re.match(pattern, folder, re.DOTALL)["student"] for folder in glob(self._format_source(name, "*"))]
        folders = {}
        for own in sorted(found, key=lambda own: (own not in roster, own)):  # the exact ids first
            alike = [own] if own in roster else [known for known in roster if _alike(known) == _alike(own)]
            student = alike[0] if alike else unicodedata.normalize("NFC", own)
            folder = Path(self._format_source(name, own))
            if not IDENTITY.fullmatch(student):
                self._skip(own, "this folder's name cannot be a student's id; rename it to have it graded")
            elif len(alike) > 1 or student in folders:
                self._skip(own, f"this folder's name is like that of {' and '.join(alike or [student])}; rename it")
            elif student not in excluded and fnmatchcase(student, self.coursedir.student_id) and folder.is_dir():
                folders[student] = folder
        if not folders:
            self._fail(f"There is nothing to grade in {self._format_source(name, self.coursedir.student_id)}.")
        return folders

    def _skip(self, student, reason):
        self.failures[student] = reason
        self.log.error("%r: %s", student, reason)

    def _destination(self, student):
        return Path(self._format_dest(self.exercise.name, student))

    def _format_source(self, assignment_id, student_id, escape=False):
        return self.coursedir.format_path(self.coursedir.submitted_directory, student_id, assignment_id, escape=escape)

    def _digest(self, student, work):
        """A digest of the work, when it was handed in and when it was due. Other checks alone change no grade: see `_is_graded`."""
        due = self.gradebook.find_assignment(self.exercise.name).duedate
        try:
            extension = self.gradebook.find_submission(self.exercise.name, student).extension
        except MissingEntry:
            extension = None
        return hashlib.sha256(f"{due}/{extension}/{work.digest}".encode()).hexdigest()

    def _is_graded(self, student, work):
        """Whether this work has been graded already and is in the gradebook."""
        note = self._note(student)
        if self.force or not work.digest or not note.get("digest"):
            return False
        if "graded with" not in note:  # by an older version of this program: it knew the answers by their fingerprints
            if note.get("answers") != {task: _fingerprint(work.answers.get(task)) for task in self.exercise.tasks}:
                return False
        elif note["digest"] != self._digest(student, work):
            return False
        try:
            grades = self.gradebook.find_submission_notebook(self.exercise.name, self.exercise.name, student).grades
        except MissingEntry:
            return False
        by_hand = {task for task, entry in self.exercise.tasks.items() if entry["kind"] == "explanation"}
        return all(grade.auto_score is not None or grade.name in by_hand for grade in grades)

    def _note(self, student):
        try:
            return json.loads((self._destination(student) / NOTE).read_text())
        except (OSError, ValueError):
            return {}

    def _run(self, sandbox, student, work):
        """The marks; called in a worker thread."""
        if work.unreadable:
            return self._without_answers(work.unreadable)
        asks = [question.request for question in self.questions]
        try:
            run = not work.failed and sandbox.run(work.cells, asks, student=student, files=self.exercise.files)
        except Exception as error:  # in the grader, not in the student's code: this work waits for the next grading
            work.failed = f"not graded yet, the grader failed ({type(error).__name__}: {error})"
        if work.failed:
            self.log.error("%s: %s", student, work.failed)
            self.failures[student] = work.failed
            return self._without_answers(work.failed)
        answers = self._with_cell_errors(self.questions, work, run)
        task_marks = marks(self.exercise, self.questions, answers, student, self.ids, work.own_id)
        try:
            again = questions_for(self.exercise, self.questions, task_marks)
            if not again:
                return task_marks
            asks = [question.request for question in again]
            more = sandbox.run(work.cells, asks, student, self.exercise.files, run.seconds, self.oracle)
            more = self._with_cell_errors(again, work, more)
            return with_second_run(self.exercise, self.questions, answers, task_marks, again, more, student)
        except Exception as error:  # the marks of the first run stand
            self.log.error("%s: not asked once more (%s: %s)", student, type(error).__name__, error)
            return task_marks

    def _without_answers(self, reason):
        return marks(self.exercise, self.questions, [Answer(None, reason) for _ in self.questions], "")

    def _with_cell_errors(self, asked, work, run):
        return [self._with_cell_error(*pair, work, run) for pair in zip(asked, run.answers)]

    def _with_cell_error(self, question, answer, work, run):
        """If a function is missing because its cell has an error, the error is the better reason."""
        cell = work.answers.get(question.task)
        errors = [status for source, status in zip(work.cells, run.cells) if source == cell and status != "ok"]
        if answer.values is None and answer.reason.startswith("no ") and errors:
            return replace(answer, reason=f"{answer.reason}, its cell stopped with “{harmless(errors[0])[:150]}”")
        return answer

    def _save(self, student, work, task_marks):
        """Gradebook first, then the graded notebook; if it is interrupted in between, the work is graded again."""
        with locked(beside_gradebook(self.coursedir)):
            for attempt in (1, 2, 3):  # another process may have made the same entry a moment ago
                try:
                    self._write_gradebook(student, work, task_marks)
                    break
                except InvalidEntry:
                    if attempt == 3:
                        raise
                    self.gradebook.db.rollback()
            self._write_notebook(student, work, task_marks)

    def _write_gradebook(self, student, work, task_marks):
        name, gradebook = self.exercise.name, self.gradebook
        gradebook.db.expire_all()
        if self.create_student:
            gradebook.update_or_create_student(student)
        submission = gradebook.update_or_create_submission(name, student, timestamp=work.handed_in)
        fingerprints = self._note(student).get("answers", {})
        notebook = gradebook.find_submission_notebook(name, name, student)
        grades, comments = (
            {self.cell_names[entry.cell_id]: entry for entry in entries}
            for entries in (notebook.grades, notebook.comments)
        )
        for mark in task_marks:
            grade = grades[mark.task]
            answer = work.answers.get(mark.task)
            points = None if work.failed else mark.points
            if mark.by_hand and not work.failed and (work.unreadable or self._untouched(mark.task, answer)):
                points = 0.0
            if grade.manual_score is None:
                grade.needs_manual_grade = points is None
            elif grade.auto_score != points or fingerprints.get(mark.task) not in (None, _fingerprint(answer)):
                grade.needs_manual_grade = True  # the manual mark stays, but should be checked again
            grade.auto_score = points
            comment = comments[answer_cell(mark.task, self.exercise.tasks[mark.task])]
            comment.auto_comment = self._comment(mark, points, work)
        gradebook.db.commit()
        if submission.total_seconds_late > 0 or submission.late_submission_penalty:
            keys = {"notebook": name, "assignment": name, "student": student, "db_url": self.coursedir.db_url}
            AssignLatePenalties(parent=self).preprocess(work.notebook, {"nbgrader": keys})

    def _comment(self, mark, points, work):
        if work.unreadable:
            return f"No answer: {work.unreadable}."
        if work.failed:
            return f"{work.failed}."
        if mark.by_hand:
            return "No answer: the text is as it was handed out." if points == 0 else None
        return mark.comment or None

    def _untouched(self, task, answer):
        stub = next(c.source for c in self.template.cells if c.metadata.get("nbgrader", {}).get("grade_id") == task)
        return answer is None or not answer.strip() or answer.strip() == stub.strip()

    def _write_notebook(self, student, work, task_marks):
        by_task = {mark.task: mark for mark in task_marks}
        cells = []
        if work.problems or work.unreadable:
            problems = "; ".join(work.problems or [work.unreadable])
            cells.append(new_markdown_cell(f"**A note on the file that was handed in:** {harmless(problems)}."))
        for cell in work.notebook.cells:
            cells.append(cell)
            metadata = cell.metadata.get("nbgrader", {})
            mark = by_task.get(metadata.get("grade_id")) if metadata.get("grade") else None
            if mark and mark.by_hand:
                rubric = "\n".join(f"- {line}" for line in self.exercise.tasks[mark.task]["rubric"])
                cells.append(new_markdown_cell(f"**Rubric**\n\n{rubric}", metadata={"tags": ["rubric"]}))
            elif mark:
                cell.outputs = [] if work.failed else _outputs(mark)
        work.notebook.cells = cells
        destination = self._destination(student)
        fresh = destination.with_name(f".{destination.name}")
        shutil.rmtree(fresh, ignore_errors=True)  # left by a grading that was killed
        fresh.mkdir(parents=True)
        nbformat.write(work.notebook, fresh / f"{self.exercise.name}.ipynb")
        if work.handed_in:
            (fresh / STAMP).write_text(f"{work.handed_in} UTC")
        if work.carried:
            (fresh / CARRIED).write_text(work.carried)
        note = {
            "digest": "" if work.failed else self._digest(student, work),
            "problems": [work.unreadable] if work.unreadable else work.problems,
            "answers": {mark.task: _fingerprint(work.answers.get(mark.task)) for mark in task_marks},
            "graded with": self.checks_digest,
            "checks": work.checks,
            "own_id": work.own_id,
            "tasks": {mark.task: _shown(mark) for mark in task_marks},
        }
        (fresh / NOTE).write_text(json.dumps(note))
        shutil.rmtree(destination, ignore_errors=True)
        fresh.rename(destination)

    def _print_summary(self, name, folders, todo, known_students):
        """Print the summary, read back from the gradebook."""
        if self.parent is not None and not isinstance(self.parent, autogradeapp.AutogradeApp):
            return  # in the formgrader the page itself shows it
        self.gradebook.db.expire_all()
        rows = [
            row(self.gradebook, self.gradebook.find_assignment(name), student) for student in self.gradebook.students
        ]
        for entry in rows:
            problems = self._note(entry["student_id"]).get("problems", [])
            entry["reason"] = "; ".join(
                filter(None, [*problems, entry["reason"] if entry["score"] or not problems else ""])
            )
        print(table(name, rows, self.exercise.tasks))
        absent = sum(not entry["tasks"] for entry in rows)
        done = len(todo.keys() - self.failures.keys())
        print(f"{done} graded, {len(folders) - len(todo)} unchanged, {absent} without a submission.")
        if old := sum(self._note(student).get("graded with") != self.checks_digest for student in folders):
            print(
                f"{old} were graded with other checks or an older version, and keep their grades; --force grades them again."
            )
        if known_students and (
            new := {entry["student_id"] for entry in rows} - known_students
        ):  # without a roster, everybody is new the first time
            print(f"Graded though not in the roster, and now in the gradebook: {', '.join(sorted(new))}.")


def _outputs(mark):
    """The outputs of a grade cell: a line for each check, and the points in the form that nbgrader reads."""
    lines = [f"{line.points:.3g}/{line.out_of:g}  {line.says}" for line in mark.lines]
    text = "".join(textwrap.fill(line, 100, subsequent_indent="     ") + "\n" for line in [*lines, mark.comment])
    result = new_output("execute_result", data={"text/plain": str(mark.points)}, execution_count=None)
    return [new_output("stream", name="stdout", text=text), result]


def _shown(mark):
    """What a page shows of a mark: the checks, what the judge says, and the public case that fails."""
    found = mark.verdict or Verdict(None, "")
    shown = {
        "lines": [[line.says, round(line.points, 2), line.out_of] for line in mark.lines],
        "notes": mark.notes,
        "problem": found.so_far if found.case else found.problem,
        "sentence": found.sentence,
        "hint": found.hint,
        "mistake": found.mistake,
    }
    if found.case:
        call = f"{mark.task}({', '.join(map(code_of, found.case.arguments))})"
        shown["case"] = [call, code_of(found.value), code_of(found.case.wanted)]
    return shown


def code_of(value):
    """A value as somebody would type it, and not too much of it; no message of an exception, which a student's code may choose."""
    text = type(value).__name__ if isinstance(value, Exception) else repr(references.portable(value, 7))
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def _alike(name):
    """The same for ids that differ in case or in the form of their accents; a ligature or an ß is another letter."""
    return unicodedata.normalize("NFC", name.lower())


def _fingerprint(answer):
    return None if answer is None else hashlib.sha256(answer.encode()).hexdigest()


@contextmanager
def locked(folder):
    """Only one program at a time writes the gradebook."""
    import fcntl  # not on Windows, where a release can be made but nothing graded

    with open(folder / "gradebook.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


class _Progress:
    """A progress bar with the time left, on a terminal; elsewhere an occasional log line."""

    def __init__(self, total, log):
        self.total, self.done, self.log, self.begin = total, 0, log, time.monotonic()

    def __enter__(self):
        return self

    def step(self):
        self.done += 1
        left = (time.monotonic() - self.begin) / self.done * (self.total - self.done)
        text = f"{self.done}/{self.total}, {int(left) // 60}:{int(left) % 60:02} left"
        if sys.stderr.isatty():
            bar = ("█" * (30 * self.done // self.total)).ljust(30, "░")
            print(f"\r{bar} {text}  ", end="", file=sys.stderr, flush=True)
        elif self.done * 10 // self.total > (self.done - 1) * 10 // self.total:
            self.log.info("graded %s", text)

    def __exit__(self, *_):
        if sys.stderr.isatty() and self.done:
            print(file=sys.stderr)
