"""`python -m grading release | grade | feedback | grades | roster | rubric …`, in the course's folder or with --course.

Each command is nbgrader's own, called with the settings of the course, for one assignment or for all of them.
"""

import argparse
import os
import sys
import zipfile
from pathlib import Path

# jsonschema, which nbformat uses, would build a grammar for international addresses at each start: half the start-up time.
sys.modules.setdefault("rfc3987_syntax", None)

import nbformat  # noqa: E402
import sqlalchemy  # noqa: E402
from nbgrader.api import Gradebook  # noqa: E402
from nbgrader.apps import AutogradeApp, ExportApp, GenerateAssignmentApp, GenerateFeedbackApp  # noqa: E402
from nbgrader.converters import NbGraderException  # noqa: E402

from bayeslib.questions.answers import shuffled  # noqa: E402
from grading import exports, marking, oral, references, similar  # noqa: E402
from grading.converter import SAMPLE, beside_gradebook  # noqa: E402
from grading.pages import SOLUTIONS, picture  # noqa: E402

SHAPES = {"csv": exports.Grades, "canvas": exports.Canvas, "moodle": exports.Moodle}


def main(argv):
    parser = argparse.ArgumentParser(prog="python -m grading", description=__doc__.split("\n\n")[0])
    parser.add_argument("--course", default=".", help="the folder with nbgrader_config.py")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, description in {
        "release": "make the students' version and a zip file of it",
        "grade": "grade what was handed in",
        "feedback": "write the feedback pages",
        "oral": "write a page of questions for each student, and one with the answers",
        "rubric": "print the rubric of what is marked by hand",
        "variant": "print the data, the order of options and the answers of one student",
        "similar": "list answers that resemble each other, to be looked at",
    }.items():
        command = commands.add_parser(name, help=description)
        command.add_argument("assignment", nargs="*", help="such as 01-bayes-theorem; without a name, all of them")
        command.add_argument("--force", action="store_true", help="grade unchanged work too")
        command.add_argument("--student", default="", help="one student only")
        if name == "grade":
            command.add_argument("--cluster", default="", help="run the sandboxes on the workers of tls://host:port")
        command.add_argument(
            "--sample", action="store_true", help="release the first variants, not those of the secret"
        )
        if name == "feedback":
            command.add_argument("--solutions", action="store_true", help="the deadline is over: with solutions")
    command = commands.add_parser("mark", help="mark explanations in the browser")
    command.add_argument("--port", type=int, default=0)
    command = commands.add_parser("grades", help="write the grades as CSV")
    command.add_argument("--shape", choices=SHAPES, default="csv")
    command.add_argument("--to", default="")
    command = commands.add_parser("roster", help="read the students from a CSV file of nbgrader, Canvas or Moodle")
    command.add_argument("file", type=lambda path: Path(path).resolve())
    args = parser.parse_args(argv)
    os.chdir(args.course)
    if args.command not in {"rubric", "similar"}:
        _check_gradebook()
    if getattr(args, "sample", False):
        os.environ[SAMPLE] = "1"
    if args.command == "grades":
        exporter = SHAPES[args.shape]
        to = args.to or exporter.FILE
        _run(ExportApp, f"--exporter={exporter.__module__}.{exporter.__name__}", f"--to={to}")
        return print(f"{to} holds the grades{exports.unmarked(_gradebook())}")
    if args.command == "mark":
        coursedir = _start(ExportApp).coursedir
        return marking.serve(marking.Marking(coursedir, beside_gradebook(coursedir)), args.port)
    if args.command == "roster":
        with _gradebook() as gradebook:
            return print(exports.import_roster(args.file, gradebook), "students in the roster")
    extra = ["--force"] * args.force + ([f"--student={args.student}"] if args.student else [])
    if args.command == "grade" and args.cluster:
        extra.append(f"--Grade.cluster={args.cluster}")
    if getattr(args, "solutions", False):
        os.environ[SOLUTIONS] = "1"
    for assignment in args.assignment or _all(args.command, args.student):
        {
            "release": _release,
            "grade": _grade,
            "feedback": _feedback,
            "rubric": _rubric,
            "similar": _similar,
            "oral": lambda name, _: print(*oral.write(name, args.student), sep="\n"),
            "variant": lambda name, _: _variant(name, args.student),
        }[args.command](assignment, extra)


def _all(command, student=""):
    if command in {"release", "rubric", "variant"}:
        folders = [Path(".")] + ([Path(os.environ[references.PRIVATE])] if os.environ.get(references.PRIVATE) else [])
        return sorted({path.stem for folder in folders for path in (folder / "references").glob("*.py")})
    step = "submitted" if command in {"grade", "similar"} else "autograded"
    found = sorted({path.name for path in Path(step).glob(f"{student or '*'}/*") if not path.name.startswith(".")})
    if student and not found:
        raise ValueError(f"student must be one with work in {step}, got {student!r}")
    return found


def _start(app, *arguments):
    """One of nbgrader's commands, with the settings of the course; quiet, because this module prints the messages."""
    instance = app(log_level="ERROR")
    instance.initialize([*arguments])
    return instance


def _gradebook():
    coursedir = _start(ExportApp).coursedir
    return Gradebook(coursedir.db_url, coursedir.course_id)


def _run(app, *arguments):
    _start(app, *arguments).start()


def _check_gradebook():
    """Check early that a gradebook on a server answers: nbgrader would first delete what it is about to replace."""
    url = sqlalchemy.make_url(_start(ExportApp).coursedir.db_url)
    if url.drivername.startswith("sqlite"):
        return
    try:
        sqlalchemy.create_engine(url).connect().close()
    except ImportError as error:
        advice = "for PostgreSQL, pip install -c constraints.txt -e '.[postgres]'"
        raise ValueError(f"the gradebook {url} needs a driver ({error}); {advice}") from None
    except sqlalchemy.exc.OperationalError as error:
        raise ValueError(f"the gradebook {url} does not answer: {error.orig}") from None


def _release(name, extra):
    _run(GenerateAssignmentApp, name, "--force")
    folder = Path("release") / name
    bundle = Path("handout") / f"{name}.zip"
    bundle.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                file.write(path, Path(name) / path.relative_to(folder))
    print(f"{folder} is what students get; {bundle} holds it in one file")


def _grade(name, extra):
    _run(AutogradeApp, name, *extra)


def _feedback(name, extra):
    _run(GenerateFeedbackApp, name, *{"--force", *extra})
    print(f"feedback/*/{name}/{name}.html")


def _rubric(name, extra):
    for task, entry in references.load(name, ".").tasks.items():
        if entry["kind"] == "explanation":
            print(f"{name}, {task}, {entry['points']} points", *entry["rubric"], sep="\n  ")


def _variant(name, student):
    if not student:
        raise ValueError("student must be named: variant 01-bayes-theorem --student=ada")
    print(f"{name}, {student}")
    for expression, value in references.shown(name, ".", student).values():
        if not picture(value):
            print(f"  {expression} = {value}")
    for task, entry in references.load(name, ".").tasks.items():
        if entry["kind"] == "number":
            print(f"  {task} = {entry['solve'](student):.7g}")
        elif entry["kind"] == "choice":
            order = shuffled(entry["options"], entry["salt"], student)
            right = next(shown for shown, letter in order.items() if letter == entry["solve"])
            print(f"  {task} = {right}; in the order of the source {', '.join(order.values())}")


def _similar(name, extra):
    app = _start(ExportApp)
    released = Path(app.coursedir.format_path(app.coursedir.release_directory, ".", name)) / f"{name}.ipynb"
    if not released.exists():
        raise ValueError(f"{released} is missing")
    folders = {path.parent.name: path for path in Path("submitted").glob(f"*/{name}") if path.is_dir()}
    pairs = similar.pairs(folders, name, nbformat.read(released, 4), references.load(name, ".").tasks)
    for share, task, one, other in pairs:
        print(f"{share:4.0%}  {name}, {task}: {one} and {other}")
    print(f"{name}: {len(pairs)} pairs of answers to look at. A likeness is no proof: small tasks have few solutions.")


def cli(argv):
    """Run `main`; an error that a teacher can fix becomes one sentence, without a traceback."""
    try:
        main(argv)
    except NbGraderException as error:
        sys.exit(str(error))
    except (ValueError, OSError) as error:
        sys.exit(f"Nothing more was done: {error}")
    except sqlalchemy.exc.DatabaseError as error:
        message = str(error.orig)
        advice = (
            "somebody else is writing into it; try again when they are done"
            if "lock" in message
            else "restore it from a copy, or move it away and grade again; what was submitted is untouched"
        )
        sys.exit(f"The gradebook cannot be used ({message}): {advice}.")


if __name__ == "__main__":
    cli(sys.argv[1:])
