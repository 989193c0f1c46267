"""A class is graded: every submission ends with a score or a reason, whatever was handed in and whatever happens meanwhile."""

import contextlib
import csv
import json
import os
import pwd
import re
import runpy
import shutil
import sqlite3
import stat
import subprocess
import sys
import tarfile
import time
import unicodedata
import urllib.error
import urllib.request
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import nbformat
import pytest

from bayeslib.questions import exercise
from tests import course, lab
from tests.course import NAME

pytest.importorskip("nbgrader", reason="grading needs nbgrader: make .venv/graded")
from nbgrader.utils import determine_grade

from grading import bounded, collect, references
from grading.collect import moment
from grading.exchange import Archives
from grading.exports import _cell, read_roster
from grading.sandbox import Sandbox
from grading.scoring import questions

FULL = {"posterior": 3, "belief_after": 3, "share_sick": 1, "reading": 1, "why": None}


DAMAGED = {
    path.stem: runpy.run_path(path) for path in sorted((Path(__file__).parent / "malicious/notebooks").glob("*.py"))
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class with an honest student, one who wrote nothing, and everybody in malicious/notebooks, graded once."""
    course.need_sandbox()
    folder = course.make(tmp_path_factory.mktemp("class"))
    course.submit(folder, "ada", course.solved(folder))
    course.submit(folder, "untouched", course.released(folder))
    for student, damage in DAMAGED.items():
        place = folder / "submitted" / student / NAME
        place.mkdir(parents=True)
        damage["hand_in"](
            course.solved(folder),
            place,
            lambda notebook, path=None: course.submit(folder, student, notebook, path=path),
        )
    shutil.copy(folder / "gradebook.db", folder / "gradebook.clean")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grading.bounded.SECONDS", 1)  # for what would take minutes
        told = course.run(folder, "grade", NAME)
        course.run(folder, "feedback", NAME)
    subprocess.run(["rm", "-rf", folder / "submitted/deep_folders"], check=True)  # Python could not
    return folder, told, course.rows(folder)


@pytest.fixture
def small(graded, tmp_path):
    """A copy with three students and no grades yet."""
    folder = tmp_path / "small"
    for name in ("source", "references", "release", "secrets"):
        shutil.copytree(graded[0] / name, folder / name)
    shutil.copy(graded[0] / "nbgrader_config.py", folder)
    shutil.copy(graded[0] / "gradebook.clean", folder / "gradebook.db")
    for student in ("ada", "bob", "cleo"):
        course.submit(folder, student, course.solved(folder))
    return folder


def configured(folder, line):
    with (folder / "nbgrader_config.py").open("a") as file:
        file.write(line + "\n")


# --- scores and reasons ---


def test_an_honest_student_gets_everything_but_what_is_marked_by_hand_and_an_untouched_release_0(graded):
    ada, untouched = (graded[2][student] for student in ("ada", "untouched"))
    assert ada["tasks"] == FULL and ada["reason"] == "2 points to be marked by hand"
    assert ada["score"] == 8 and ada["to_mark"] == 2
    assert set(untouched["tasks"].values()) == {0} and "not written yet" in untouched["reason"].lower()
    assert f"{len(DAMAGED) + 2} graded, 0 unchanged, 0 without a submission." in graded[1]


@pytest.mark.parametrize("student", DAMAGED)
def test_a_damaged_or_malicious_notebook_ends_with_its_score_or_a_reason_in_gradebook_and_summary(student, graded):
    row = graded[2][student]
    assert row["tasks"] == DAMAGED[student]["POINTS"]
    line = next(line for line in graded[1].splitlines() if line.startswith(f"{student} "))
    assert DAMAGED[student]["SAYS"] in line + row["reason"] and f" {row['score']:g}/10" in line
    assert row["score"] == row["max_score"] - row["to_mark"] or row["reason"], "a lost point without a reason"


def test_a_known_mistake_is_called_by_its_name_and_no_hidden_input_is_told(small):
    wrong = "def posterior(prior, likelihood):\n    return {h: prior[h] * likelihood[h] for h in prior}"
    telling = "def posterior(prior, likelihood):\n    raise type(str(prior), (Exception,), {})(str(likelihood))"
    for student, source in {"bob": wrong, "cleo": telling}.items():
        course.submit(small, student, course.answer(course.solved(small), "posterior-answer", source))
    course.run(small, "grade", NAME)
    found = course.rows(small)
    assert "points to a missing normalisation" in found["bob"]["reason"] and found["bob"]["tasks"]["posterior"] == 0
    assert "an exception" in found["cleo"]["reason"].lower()
    course.run(small, "feedback", NAME)
    page = (small / "feedback/bob" / NAME / f"{NAME}.html").read_text()
    assert "Hint: Multiply row by row" in page and "Read again: lesson 01, “2 · One line of algebra”" in page
    assert "Hint: Go through the tests" not in page, "full marks need no hint"
    table = next(value for _, value in references.shown(NAME, small, "bob").values() if isinstance(value, dict))
    assert re.search(rf"sick per 100,000\S{{1,6}}: {table['sick per 100,000']}\b", page), "the student's own data"
    pages = "".join(path.read_text() for path in (small / "feedback").rglob("*.html")) + repr(course.dump(small))
    assert len(secret := set(re.findall(r"0\.\d{10,}", hidden_inputs(small)))) > 50
    assert not secret & set(re.findall(r"0\.\d{10,}", pages))


def hidden_inputs(folder):
    asked = questions(references.load(NAME, folder), references.secret(NAME, folder))
    return repr([question.request.cases for question in asked])


def test_points_below_a_grade_cell_are_those_of_the_gradebook(graded):
    for student in ("ada", "scripts", "deleted_cells", "changed_grade_cells"):
        for cell in nbformat.read(graded[0] / "autograded" / student / NAME / f"{NAME}.ipynb", 4).cells:
            about = cell.metadata.get("nbgrader", {})
            if about.get("grade") and cell.cell_type == "code":
                assert determine_grade(cell)[0] == graded[2][student]["tasks"][about["grade_id"]]


# --- running it again, halfway, twice at once ---


@pytest.mark.heavy
def test_a_second_run_plain_nbgrader_and_two_gradings_at_once_give_the_same(small):
    course.run(small, "grade", NAME)
    before = course.dump(small), (small / "gradebook.db").read_bytes()
    assert "0 graded, 3 unchanged" in course.run(small, "grade", NAME)
    assert (course.dump(small), (small / "gradebook.db").read_bytes()) == before
    process = course.command(small, "nbgrader", "autograde", NAME, "--force", "--student=bob")
    assert "1 graded" in process.communicate(timeout=120)[0] and course.dump(small) == before[0]
    both = [course.command(small, "grading", "grade", NAME, "--force") for _ in range(2)]
    assert [process.wait(180) for process in both] == [0, 0] and course.dump(small) == before[0]


def test_marks_by_hand_survive_and_ask_to_be_looked_at_when_the_work_changed(small):
    course.run(small, "grade", NAME)
    with course.gradebook(small) as book:
        for task, points in {"why": 1.5, "posterior": 2.0}.items():
            grade = book.find_grade(task, NAME, NAME, "ada")
            grade.manual_score, grade.needs_manual_grade = points, False
        book.find_comment("why", NAME, NAME, "ada").manual_comment = "Nearly."
        book.db.commit()
    for work, look_again in ((course.solved(small), False), (course.answer(course.solved(small), "why", "No."), True)):
        course.submit(small, "ada", work)
        course.run(small, "grade", NAME, "--force")
        grades, comments, *_ = course.dump(small)[NAME, "ada"]
        assert grades["why"] == (None, 1.5, look_again) and grades["posterior"] == (3, 2, False)
        assert comments["why"] == (None, "Nearly.") and course.rows(small)["ada"]["score"] == 8.5
    assert "changed after it was marked" in course.rows(small)["ada"]["reason"]


@pytest.mark.heavy
def test_grading_killed_halfway_goes_on_from_where_it_was(small):
    def notes():
        return {path: path.stat().st_mtime_ns for path in (small / "autograded").glob("*/*/grading.json")}

    for number in range(6):
        course.submit(small, f"student{number}", course.solved(small))
    with course.command(small, "grading", "grade", NAME) as process:
        while len(notes()) < 2 and process.poll() is None:
            time.sleep(0.05)
        process.kill()
    before = notes()
    assert 2 <= len(before) < 9, "killed too early or too late to tell"
    assert f"{9 - len(before)} graded, {len(before)} unchanged" in course.run(small, "grade", NAME)
    assert before.items() <= notes().items() and {row["score"] for row in course.rows(small).values()} == {8}


def test_a_failing_sandbox_is_no_zero_and_the_next_run_grades(small, monkeypatch):
    with monkeypatch.context() as patch:
        patch.delattr("grading.sandbox.Sandbox.run")
        with pytest.raises(SystemExit):  # so that a script notices
            course.run(small, "grade", NAME)
    row = course.rows(small)["ada"]
    assert row["to_mark"] == 10 and "not graded yet, the grader failed" in row["reason"]
    with course.gradebook(small) as book:
        book.remove_student("bob")
    told = course.run(small, "grade", NAME)
    assert "3 graded, 0 unchanged" in told and "not in the roster, and now in the gradebook: bob." in told
    assert course.rows(small)["ada"]["tasks"] == FULL and "roster" not in course.run(small, "grade", NAME)


def test_late_work_loses_points_but_for_the_extensions_and_late_days_that_a_file_grants(small, capfd):
    configured(small, "c.LateSubmissionPlugin.penalty_method = 'zero'")
    with course.gradebook(small) as book:
        book.update_or_create_assignment("earlier", duedate="2026-10-01 12:00:00")
        book.update_or_create_assignment(NAME, duedate="2026-11-01 12:00:00")
        book.update_or_create_student("cleo")
        book.update_or_create_submission("earlier", "cleo", timestamp="2026-10-02 18:00:00")  # takes two late days
    for student in ("ada", "bob", "cleo"):
        (small / "submitted" / student / NAME / "timestamp.txt").write_text("2026-11-02 11:00:00")
    course.run(small, "grade", NAME)
    assert {row["score"] for row in course.rows(small).values()} == {0}
    assert "8 points off for being late" in course.rows(small)["ada"]["reason"]
    for (ada, cleo), told in {(1, 2): "2 graded, 1 unchanged", (0, 3): "2 graded, 1 unchanged"}.items():
        granted = f"student,assignment,days\nada,{NAME},{ada}\nbob,*,3\ncleo,*,{cleo}\n"
        (small / "extensions.csv").write_text(granted)
        assert told in course.run(small, "grade", NAME)
        scores = [row["score"] for _, row in sorted(course.rows(small).items())]
        assert scores == [8 * ada, 8, 8 * (cleo > 2)]
    for wrong in ("student,days\n", "student,assignment,days\nada,*,many\n", "student,assignment,days\n,x,1\n"):
        (small / "extensions.csv").write_text(wrong)
        with pytest.raises(SystemExit):
            course.run(small, "grade", NAME)
        assert "extensions.csv" in capfd.readouterr().err


COPIED = """
def belief_after(prior, tests):
    odds_so_far = prior / (1 - prior)
    for result, hit, false_alarm in tests:
        if result == "+":
            odds_so_far = odds_so_far * hit / false_alarm
        elif result == "-":
            odds_so_far = odds_so_far * (1 - hit) / (1 - false_alarm)
    return odds_so_far / (1 + odds_so_far) if odds_so_far < float("inf") else 1.0
"""


def test_answers_alike_are_listed_and_those_of_the_many_are_not(small):
    for number in range(20):
        course.submit(small, f"many{number}", course.solved(small))
    for student, text in {"ada": COPIED, "bob": COPIED.replace("odds", "o").replace("hit", "found")}.items():
        course.submit(small, student, course.answer(course.solved(small), "belief_after-answer", text))
    told = course.run(small, "similar", NAME)
    assert "100%  01-bayes-theorem, belief_after: ada and bob" in told and "1 pairs of answers to look at" in told


def other_letter(reference):
    return reference.replace('"solve": "C"', '"solve": "D"').replace('"D": "inverse"', '"C": "inverse"')


def test_changed_checks_or_a_note_of_an_older_version_change_no_grade_unless_they_are_asked_to(small):
    course.run(small, "grade", NAME)
    reference = small / "references" / f"{NAME}.py"
    reference.write_text(other_letter(reference.read_text()))
    for path in (small / "autograded").glob("*/*/grading.json"):  # as the second edition wrote it
        note = json.loads(path.read_text())
        path.write_text(
            json.dumps({"digest": "of another kind", **{key: note[key] for key in ("problems", "answers")}})
        )
    course.submit(small, "cleo", course.answer(course.solved(small), "posterior-answer", "def posterior(*_): return 1"))
    told = course.run(small, "grade", NAME)
    assert "1 graded, 2 unchanged" in told and "2 were graded with other checks or an older version" in told
    rows = course.rows(small)
    assert (
        rows["ada"]["tasks"]["reading"] == 1
        and rows["cleo"]["tasks"]["reading"] == 0 == rows["cleo"]["tasks"]["posterior"]
    )
    course.run(small, "feedback", NAME)
    assert "3 graded" in course.run(small, "grade", NAME, "--force")
    assert course.rows(small)["ada"]["tasks"]["reading"] == 0


def test_a_variant_that_this_version_does_not_have_is_refused(small, capfd):
    path = small / "release" / NAME / "checks.json"
    path.write_text(path.read_text().replace('"belief_after":0', '"belief_after":7'))
    with pytest.raises(SystemExit):
        course.run(small, "grade", NAME)
    assert "released by another version" in capfd.readouterr().err and course.dump(small) == {}


# --- marking, and a talk about the work ---


def test_marking_by_keyboard_is_in_the_gradebook_at_once_and_goes_on_after_an_interruption(small, chromium):
    course.run(small, "grade", NAME)
    for reload in range(2):
        with course.command(small, "grading", "mark") as program:
            address = re.search(r"http://127\.0\.0\.1\S+/", program.stdout.readline())[0]
            page = chromium.new_page()
            page.goto(f"{address}{NAME}/why/")
            for key in ("1", "2", "2", "Enter", "1") if not reload else ():
                page.keyboard.press(key)
            page.wait_for_function(
                "() => document.querySelector('#saved').textContent.includes('bob')" if not reload else "() => 1"
            )
            assert page.locator("#count").inner_text() == "2 of 3 marked"
            assert page.locator("[data-student=ada] input:checked").count() == 1
            program.kill()  # nothing is lost
            page.close()
        rows = course.rows(small)
        assert [rows[student]["tasks"]["why"] for student in ("ada", "bob", "cleo")] == [1, 1, None]


def test_marking_answers_nobody_who_does_not_know_its_address(small):
    course.run(small, "grade", NAME)
    with course.command(small, "grading", "mark") as program:
        address = re.search(r"http://127\.0\.0\.1\S+/", program.stdout.readline())[0]
        elsewhere = address.rsplit("/", 2)[0]
        told = json.dumps({"student": "ada", "lines": [True, True], "comment": "", "done": True}).encode()
        for url, data, origin in (
            (f"{elsewhere}/{NAME}/why/", None, None),
            (f"{address}{NAME}/posterior/", None, None),
            (f"{address}{NAME}/why/", told, "http://malicious.example"),
        ):
            with pytest.raises(urllib.error.HTTPError):
                urllib.request.urlopen(urllib.request.Request(url, data, {"Origin": origin} if origin else {}))
        program.kill()
    assert course.rows(small)["ada"]["tasks"]["why"] is None


def test_oral_asks_about_the_students_own_code_and_tells_the_answers_overleaf(small):
    course.run(small, "grade", NAME)
    told = course.run(small, "oral", NAME, "--student", "ada")
    assert told.split() == [f"oral/{NAME}/ada.html"]
    text = (small / "oral" / NAME / "ada.html").read_text()
    mine, overleaf = text.split('class="overleaf"')
    assert mine.count("Which line of yours would have to be different") == 3 and "def posterior" in mine
    assert "Answers, for the teacher" in overleaf and "It gives" in overleaf and "It gives" not in mine
    course.run(small, "oral", NAME)
    again = {path.stem: path.read_text() for path in (small / "oral" / NAME).glob("*.html")}
    assert again["ada"] == text and again.keys() == {"ada", "bob", "cleo"}
    asked = {re.search('<ol class="asked">.*?</ol>', each, re.DOTALL)[0] for each in again.values()}
    assert len(asked) == 3, "everybody has questions of their own"


def test_what_was_made_for_another_id_or_answers_another_variant_is_said(small):
    copied = course.lettered(course.solved(small), "ada")
    text = json.dumps({key: value for key, value in copied.items() if key != "stubs"})
    text = text.replace("your id here", "ada")
    place = small / "submitted/bob" / NAME / f"{NAME}.ipynb"
    place.write_text(text)
    healthy = "\n\n_before = belief_after\n\ndef belief_after(prior, tests):\n    return 1 - _before(prior, tests)"
    (cell,) = [cell for cell in course.solved(small)["cells"] if cell["id"] == "belief_after-answer"]
    course.submit(small, "cleo", course.answer(course.solved(small), cell["id"], cell["source"] + healthy))
    course.run(small, "grade", NAME)
    rows = course.rows(small)
    assert "made for the id ada" in course.run(small, "grade", NAME, "--force")
    assert "another variant of the task" in rows["cleo"]["reason"] and "another variant" not in rows["ada"]["reason"]
    if rows["bob"]["tasks"]["reading"] == 0:
        assert "made for the id 'ada'" in rows["bob"]["reason"] and "This answer points" not in rows["bob"]["reason"]


def test_work_handed_in_anew_while_it_is_graded_is_graded_anew(small, monkeypatch):
    first = Sandbox.run

    def run(sandbox, cells, asks, student="", *rest, **options):
        course.submit(small, student, course.solved(small))
        return first(sandbox, cells, asks, student, *rest, **options)

    course.submit(small, "ada", course.answer(course.solved(small), "posterior-answer", "posterior = 1"))
    with monkeypatch.context() as patch:
        patch.setattr(Sandbox, "run", run)
        course.run(small, "grade", NAME)
    assert course.rows(small)["ada"]["tasks"]["posterior"] == 0
    assert "1 graded, 2 unchanged" in course.run(small, "grade", NAME)
    assert course.rows(small)["ada"]["tasks"] == FULL


# --- the secret, and the refusal ---


def test_the_secret_is_drawn_once_and_is_for_the_teacher_only(graded, small, tmp_path):
    path = graded[0] / "secrets" / NAME
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert references.secret(NAME, graded[0]) == path.read_text() != references.secret(NAME, tmp_path)
    assert hidden_inputs(small) == hidden_inputs(graded[0])


def test_a_secret_that_is_lost_once_there_are_grades_or_is_none_is_refused(small, capfd):
    course.run(small, "grade", NAME)
    before = course.dump(small)
    for change in (Path.unlink, lambda path: path.write_text("")):
        change(small / "secrets" / NAME)
        with pytest.raises(SystemExit):
            course.run(small, "grade", NAME)
        assert "bring it back from a backup" in capfd.readouterr().err
    assert course.dump(small) == before


@pytest.mark.parametrize("trouble, said", [("PATH", "apt-get install bubblewrap"), ("config", "nothing is done")])
def test_without_bubblewrap_or_settings_nothing_is_graded_and_it_says_what_to_do(small, trouble, said):
    if trouble == "config":
        config = small / "nbgrader_config.py"
        config.write_text(config.read_text().replace("import configure", "import configured"))
    env = os.environ | ({"PATH": ""} if trouble == "PATH" else {})
    process = course.command(small, "nbgrader", "autograde", NAME, env=env)
    assert said in process.communicate(timeout=120)[0] and process.returncode != 0
    assert course.dump(small) == {} and not (small / "autograded").exists()


def test_nbgrader_without_the_settings_of_the_course_gives_no_marks(monkeypatch):
    """Started elsewhere, nbgrader would run the notebook itself; a check that prints something would then count as passed."""
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with pytest.raises(RuntimeError, match="nbgrader_config.py"):
        exercise(NAME, course.EXERCISES / "release" / NAME)


# --- lists in and out ---


def test_the_exports_equal_the_gradebook_and_canvas_and_moodle_get_what_they_import(graded):
    folder = graded[0]
    (folder / "list.csv").write_text("id,first_name,last_name,email\nzoe,Zoe,=1+1,z@example.org\n")
    course.run(folder, "roster", str(folder / "list.csv"))
    grades, canvas, moodle = {}, {}, {}
    columns = {"csv": ("student_id", grades), "canvas": ("SIS Login ID", canvas), "moodle": ("username", moodle)}
    for shape, (column, lines) in columns.items():
        assert "still to be marked" in course.run(folder, "grades", "--shape", shape, "--to", "out.csv")
        with (folder / "out.csv").open(newline="") as file:
            lines |= {line[column]: line for line in csv.DictReader(file)}
    assert grades.keys() == moodle.keys() == canvas.keys() - {""} == graded[2].keys() | {"zoe"}
    assert grades["zoe"]["score"] == canvas["zoe"][NAME] == moodle["zoe"][NAME] == "", "nothing handed in is no zero"
    for student, row in graded[2].items():
        assert float(grades[student]["score"]) == float(canvas[student][NAME]) == row["score"]
        assert grades[student]["reason"] == row["reason"] and (row["score"] == 10 or row["reason"])
    assert list(canvas["ada"]) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", NAME]
    assert canvas[""]["Student"].strip() == "Points Possible" and canvas[""][NAME] == "10.0"
    assert (moodle["ada"][NAME], moodle["ada"][f"{NAME} feedback"]) == ("8.0", "2 points to be marked by hand")
    assert grades["zoe"]["reason"] == "nothing was handed in"
    assert grades["zoe"]["last_name"] == "'=1+1", "no spreadsheet takes it for a formula"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize(
    "text",
    [
        'id,first_name,last_name,email\nzoë,Zoë,O"Brien,a@example.org\n',
        'Student,ID,SIS User ID,SIS Login ID,Section\n"OBrien, Zoë",7,,zoë,1\n',
        '"First name","Last name",Username,"Email address"\nZoë,OBrien,zoë,a@example.org\n',
        "student,first_name,last_name\nzoë,Zoë,OBrien\n",
    ],
    ids=["nbgrader", "canvas", "moodle", "as extensions.csv"],
)
def test_a_roster_is_read_as_nbgrader_canvas_and_moodle_write_it_in_any_encoding(text, encoding, tmp_path):
    (tmp_path / "roster.csv").write_bytes(text.encode(encoding))
    ((student, names),) = read_roster(tmp_path / "roster.csv").items()
    assert (student, names["first_name"], names["last_name"]) == ("zoë", "Zoë", "OBrien")


@pytest.mark.parametrize(
    "text, wanted",
    [
        ("First name,Last name,ID number\nAda,Lovelace,\n", "an id in every row, got 1 of 1 without: export a list"),
        ("First name,Last name,Email address\nAda,Lovelace,a@example.org\n", "a column with one of the heads"),
        ("id\n../../etc\n", "ids of letters, digits"),
        ("id,last_name\nada,Lovelace\nada,Byron\n", "every id once, got 'ada' twice"),
        (f"id,last_name\nada,{'x' * 200_000}\n", "must be a CSV file"),
        ("", "a column with one of the heads"),
    ],
)
def test_a_roster_that_cannot_be_used_says_what_to_export(text, wanted, tmp_path):
    (tmp_path / "roster.csv").write_text(text)
    with pytest.raises(ValueError, match=f"roster must .*{wanted}|roster {wanted}"):
        read_roster(tmp_path / "roster.csv")


@pytest.mark.parametrize("text", ["=1+1", " =1", "\n=1", "＝1", "x;=1+1", "a,@b", "-1"])
def test_no_cell_of_the_grades_is_a_formula(text):
    assert _cell(text) == f"'{text}" and _cell("posterior 2/3: it stopped (a-b)") == "posterior 2/3: it stopped (a-b)"


# --- nobody can stop the grading of others ---


def test_a_folder_with_a_wrong_name_or_behind_a_link_stops_nobody(small):
    submitted = small / "submitted"
    (submitted / "eve").mkdir()
    (submitted / "eve" / NAME).symlink_to(submitted / "ada" / NAME)
    (submitted / "hal").symlink_to(submitted / "ada")
    with course.gradebook(small) as book:
        book.update_or_create_student("zoë")
        book.update_or_create_student("bob")
    for name in ("two\nlines", "o'brien", unicodedata.normalize("NFD", "Zoë"), "Bob"):
        shutil.copytree(submitted / "ada", submitted / name)
    (small / "autograded").mkdir()
    (small / "autograded/bob").write_text("a file where a folder should be")
    process = course.command(small, "grading", "grade", NAME)
    said = process.communicate()[0]
    assert process.returncode == 1 and "cannot be a student's id" in said and "Traceback" not in said
    rows = course.rows(small)
    assert rows["ada"]["tasks"] == FULL and rows["o'brien"]["score"] > 0 and rows["zoë"]["score"] > 0
    assert rows["bob"]["score"] == 8 and "'Bob': this folder's name is like that of bob" in said
    for student in ("eve", "hal"):
        assert rows[student]["score"] == 0 and "the folder is a link" in rows[student]["reason"]
    assert (small / "autograded/ada" / NAME / f"{NAME}.ipynb").exists() and "could not be saved" in said


@pytest.mark.heavy
@pytest.mark.parametrize(
    "trouble, said", [("corrupt", "restore it from a copy"), ("locked", "try again when they are done")]
)
def test_a_gradebook_that_cannot_be_used_is_told_in_a_sentence(small, trouble, said):
    if trouble == "corrupt":
        (small / "gradebook.db").write_bytes(b"not a database, but long enough to be one" * 100)
    with contextlib.closing(sqlite3.connect(small / "gradebook.db")) as holder:
        if trouble == "locked":
            holder.execute("BEGIN EXCLUSIVE")
        process = course.command(small, "grading", "grade", NAME)
        told = process.communicate(timeout=60)[0]
    assert process.returncode == 1 and "Traceback" not in told and said in told


# --- through nbgrader's exchange ---


def test_the_exchange_takes_work_from_its_owner_only_at_the_hour_of_the_file_system(small, tmp_path):
    me, inbound = pwd.getpwuid(os.getuid()).pw_name, tmp_path / "exchange/bayesian-learning/inbound"
    configured(small, f"c.Exchange.root = {str(tmp_path / 'exchange')!r}")
    shutil.rmtree(small / "submitted")
    for name in (f"{me}+{NAME}+2020-01-01 00:00:00 UTC+x", f"ada+{NAME}+2020-01-01 00:00:00 UTC", f"bob+{NAME}+never"):
        course.submit(small, "ada", course.solved(small), path=inbound / name / f"{NAME}.ipynb")
        (inbound / name / "timestamp.txt").write_text("2020-01-01 00:00:00 UTC")
        (inbound / name / "linked.ipynb").symlink_to(small / "source" / NAME / f"{NAME}.ipynb")
    (tmp_path / "exchange").chmod(0o777)
    process = course.command(small, "nbgrader", "collect", NAME)
    said = process.communicate()[0]
    assert process.returncode and "'ada', but it belongs to" in said and "Traceback" not in said
    assert {str(path.relative_to(small / "submitted")) for path in (small / "submitted").rglob("*.*")} == {
        f"{me}/{NAME}/{NAME}.ipynb", f"{me}/{NAME}/timestamp.txt"
    }  # fmt: skip
    changed = max(path.lstat().st_ctime for path in [*inbound.glob(f"{me}+*"), *inbound.glob(f"{me}+*/*")])
    stamp = (small / "submitted" / me / NAME / "timestamp.txt").read_text()
    assert moment(stamp) == datetime.fromtimestamp(changed, UTC).replace(tzinfo=None)


def test_an_archive_that_cannot_be_unpacked_stops_nobody(tmp_path, monkeypatch):
    monkeypatch.setattr("grading.exchange.MEMBERS", 20)
    archive, to = tmp_path / "archive", tmp_path / "extracted"
    archive.mkdir()
    contents = {"ada": {"x.ipynb": b"{}", "timestamp.txt": b"2000-01-01"}, "out": {"../x.ipynb": b"{}"}}
    contents |= {"bomb": {"x.ipynb": bytes(30_000_000)}, "many": {f"{number}.ipynb": b"" for number in range(21)}}
    for name, files in contents.items():
        with zipfile.ZipFile(archive / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as file:
            for each, raw in files.items():
                file.writestr(each, raw)
    (archive / "bad.zip").write_bytes(b"PK\3\4 and no more")
    with zipfile.ZipFile(archive / "class.zip", "w") as file:
        file.write(archive / "ada.zip", "bea.zip")
        file.write(archive / "bad.zip", "cleo.zip")
    with tarfile.open(archive / "dora.tar.gz", "w:gz") as file:
        file.add(archive / "ada.zip", "fine.ipynb")
        (tmp_path / "link").symlink_to("/etc/passwd")
        file.add(tmp_path / "link", "link.ipynb")
    Archives().extract(str(archive), str(to))
    found = {str(path.relative_to(to)) for path in to.rglob("*") if path.is_file()}
    assert found - {"class/bea.zip", "class/cleo.zip"} == {"ada/x.ipynb", "class/bea/x.ipynb", "dora/fine.ipynb"}


UNITS = [
    "\\",
    " ",
    "\n",
    " \n",
    "\t",
    "<",
    "[",
    "](",
    "a",
    "a.",
    "www",
    "ab:",
    "\\html",
    "%",
    "=",
    "a =",
    "def ",
    "def f",
]


def test_no_expression_that_reads_a_students_text_takes_more_than_a_time_in_proportion():
    """Twice as long a text as may be handed in: what grows with the square of it would be ended by the kernel."""
    expressions = [pattern for pattern, _ in collect.DANGEROUS]
    expressions += [re.compile(text.format("f"), re.MULTILINE) for text in (collect.DEFINITION, collect.UNSAFE)]

    def read(unit):
        return sum(len(expression.findall(unit * (400_000 // len(unit)))) for expression in expressions)

    found = dict(bounded.each(read, UNITS))
    assert not [unit for unit, result in found.items() if isinstance(result, Exception)]


@pytest.mark.smoke
@pytest.mark.heavy
def test_feedback_comes_back_through_the_exchange(tmp_path):
    """release, fetch, submit, collect, grade, feedback, release, fetch: nbgrader's own commands around our grading."""
    course.need_sandbox()
    exchange, home = tmp_path / "exchange", tmp_path / "home"
    exchange.mkdir()
    exchange.chmod(0o1777)
    settings = f"c.Exchange.root = {str(exchange)!r}\nc.Exchange.cache = {str(tmp_path / 'cache')!r}\n"
    teacher = course.make(tmp_path / "course", settings=settings)
    home.mkdir()
    settings += "c.CourseDirectory.course_id = 'bayesian-learning'\n"
    (home / "nbgrader_config.py").write_text(f"c = get_config()\n{settings}")

    def nbgrader(folder, command):
        process = course.command(folder, "nbgrader", command, NAME)
        assert process.wait(120) == 0, process.stdout.read()

    nbgrader(teacher, "release_assignment")
    nbgrader(home, "fetch_assignment")
    course.submit(teacher, "ada", course.solved(teacher), path=home / NAME / f"{NAME}.ipynb")
    nbgrader(home, "submit")
    nbgrader(teacher, "collect")
    course.run(teacher, "grade", NAME)
    course.run(teacher, "feedback", NAME)
    nbgrader(teacher, "release_feedback")
    nbgrader(home, "fetch_feedback")
    (page,) = (home / NAME / "feedback").glob("*/*.html")
    assert "3/3" in page.read_text() or "posterior" in page.read_text()


# --- what people see ---


def test_feedback_names_tasks_points_and_reasons_and_no_reference(graded):
    pages = {path.parts[-3]: path.read_text() for path in (graded[0] / "feedback").rglob("*.html")}
    assert pages.keys() == graded[2].keys()
    page = pages["deleted_cells"]
    assert "no function called posterior" in page and "Echoes in the laboratory</a>" in page
    assert "3 of 3" in page and "not marked yet" in page and "cells missing: posterior" in page
    assert "1 point: one in a million" not in page and "draw_table" not in page and "http" not in page
    assert {path.suffix for path in (graded[0] / "feedback").rglob("*") if path.is_file()} <= {".html", ".txt"}
    shown = re.search(r'<dl class="case">.*?</dl>', pages["scripts"] + pages["forged_rubric"] + "".join(pages.values()))
    assert shown and "expected" in shown[0]


def harmless(page, within="main"):
    """No script ran, nothing is left that could run at a click or a movement, and the text is there."""
    page.wait_for_timeout(500)
    assert page.evaluate("() => window.ran") is None
    assert page.locator(within).get_by_text("onmouseover").count() > 0, "the text itself is shown"
    found = page.evaluate(
        """(within) => [...document.querySelectorAll(`${within} *`)].filter((each) =>
            ["SCRIPT", "IFRAME", "OBJECT", "EMBED", "svg"].includes(each.tagName)
            || [...each.attributes].some((a) => a.name.startsWith("on") || /^\\s*(javascript|data:(?!image\\/png)):?/i.test(a.value))
        ).map((each) => each.outerHTML)""",
        within,
    )
    assert found == []
    page.close()


def test_no_script_of_a_student_runs_in_feedback(chromium, graded):
    page = chromium.new_page()
    page.goto((graded[0] / f"feedback/scripts/{NAME}/{NAME}.html").as_uri(), wait_until="domcontentloaded")
    harmless(page)


@pytest.mark.heavy
def test_the_formgrader_shows_the_scores_and_runs_no_script_of_a_student(chromium, graded):
    name = "<img src=x onerror=\"document.title='RAN'\"><script>document.title='RAN'</script>"
    with course.gradebook(graded[0]) as book:
        book.update_or_create_student("scripts", last_name=name, first_name=name)
    with lab.jupyterlab(graded[0], formgrader=True) as address:
        page = chromium.new_page()
        page.goto(f"{address}/formgrader/manage_students/scripts/{NAME}")
        page.locator("td", has_text="4 / 10").wait_for(timeout=30_000)
        page.get_by_role("link", name=NAME).last.click()
        page.locator("#posterior").wait_for(timeout=30_000)
        page.wait_for_function("() => document.querySelector('#posterior').placeholder === '3'")
        said = "document.getElementById('belief_after-answer-comment').placeholder"
        page.wait_for_function(f"() => {said}.includes('an exception of its own')")
        assert page.get_by_text("Rubric").count() == 1
        slow = chromium.new_page()  # one that would take minutes to lay out
        slow.goto(f"{address}/formgrader/manage_students/slow_texts/{NAME}")
        slow.get_by_role("link", name=NAME).last.click()
        slow.locator("#posterior").wait_for(timeout=60_000)
        assert slow.locator("pre", has_text="def posterior").count() and slow.locator("pre", has_text="~~~~").count()
        slow.close()
        assert "&lt;img src=x" in page.content() and not page.locator("img[src=x]").count() and page.title() != "RAN"
        harmless(page, "#notebook")


# --- solutions stay with the teacher ---


def test_neither_solutions_nor_references_are_in_the_bundle_and_the_wheel(graded, tmp_path):
    with zipfile.ZipFile(graded[0] / "handout" / f"{NAME}.zip") as bundle:
        handed = f"{NAME}.ipynb", "checks.json", "data.py", "tests.csv"
        assert sorted(bundle.namelist()) == [f"{NAME}/{name}" for name in handed]
        text = "".join(bundle.read(name).decode() for name in bundle.namelist())
    assert not re.search("BEGIN SOLUTION|joint_posterior|draw_table|TASKS|almost_right", text)
    for name in ("bayeslib", "notebooks/exercises/references", "notebooks/exercises/source"):
        shutil.copytree(course.ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(course.ROOT / name, tmp_path)
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", str(tmp_path)]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(tmp_path)], check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = wheel.namelist()
    assert "bayeslib/__init__.py" in names and not [
        each for each in names if re.search("grading|exercises/|ipynb", each)
    ]


@pytest.mark.heavy
def test_neither_solutions_nor_references_are_in_the_binder_image(tmp_path):
    hook, exercises = course.ROOT / "binder/postBuild", tmp_path / "notebooks/exercises"
    for name in ("source/x", "references", "release/x"):
        (exercises / name).mkdir(parents=True)
        (exercises / name / "x.ipynb").touch()
    (tmp_path / ".git").mkdir()
    assert subprocess.run([hook], cwd=tmp_path).returncode, "without REPO_DIR it might be somebody's checkout"
    assert (tmp_path / ".git").exists() and (exercises / "references/x.ipynb").exists()
    subprocess.run([hook], cwd=tmp_path, check=True, env={**os.environ, "REPO_DIR": str(tmp_path)})
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert left == [exercises / "release/x/x.ipynb"] and not (tmp_path / ".git").exists()


def test_a_private_folder_overrides_and_adds(small, tmp_path, monkeypatch):
    private, added = tmp_path / "private", "99-of-my-own"
    (private / "references").mkdir(parents=True)
    for name in (NAME, added):
        shutil.copytree(small / "source" / NAME, private / "source" / name)
        notebook = private / "source" / name / f"{NAME}.ipynb"
        text = notebook.rename(notebook.with_stem(name)).read_text()
        notebook.with_stem(name).write_text(text.replace("# Exercise 01", "# My own"))
        reference = other_letter((small / "references" / f"{NAME}.py").read_text())
        (private / "references" / f"{name}.py").write_text(reference)
    monkeypatch.setenv(references.PRIVATE, str(private))
    course.run(small, "release")
    course.submit(small, "ada", course.solved(small), added)
    course.run(small, "grade")
    for name in (NAME, added):
        assert "# My own" in json.dumps(course.released(small, name))
        assert course.rows(small, name)["ada"]["tasks"]["reading"] == 0
