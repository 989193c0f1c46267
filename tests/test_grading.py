"""A class is graded: every submission ends with a score or a reason, whatever was handed in and whatever happens meanwhile."""

import csv
import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from grading import references
from tests import course, lab
from tests.course import NAME

pytest.importorskip("nbgrader", reason="grading needs nbgrader: make .venv/graded")
MALICIOUS = Path(__file__).parent / "malicious"
FULL = {"posterior": 3, "belief_after": 3, "share_sick": 1, "reading": 1, "why": None}


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


DAMAGED = {path.stem: module(path) for path in sorted((MALICIOUS / "notebooks").glob("*.py"))}


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
        damage.hand_in(
            course.solved(folder),
            place,
            lambda notebook, path=None: course.submit(folder, student, notebook, path=path),
        )
    shutil.copy(folder / "gradebook.db", folder / "gradebook.clean")
    told = course.run(folder, "grade", NAME)
    subprocess.run(["rm", "-rf", folder / "submitted/deep_folders"], check=True)  # Python could not
    return folder, told


@pytest.fixture(scope="module")
def results(graded):
    return course.rows(graded[0])


@pytest.fixture
def copy(graded, tmp_path):
    """A copy of the graded class, to do something to; its secret is the same."""
    shutil.copytree(
        graded[0],
        tmp_path / "copy",
        symlinks=True,
        ignore=lambda _, names: {"pipe", "huge_file", "hard_link"} & set(names),
    )
    return tmp_path / "copy"


@pytest.fixture
def small(graded, tmp_path):
    """A copy with three students and no grades yet."""
    folder = tmp_path / "small"
    folder.mkdir()
    for name in ("source", "references", "release", "secrets"):
        shutil.copytree(graded[0] / name, folder / name)
    shutil.copy(graded[0] / "nbgrader_config.py", folder)
    shutil.copy(graded[0] / "gradebook.clean", folder / "gradebook.db")
    work = course.solved(folder)
    for student in ("ada", "bob", "cleo"):
        course.submit(folder, student, work)
    return folder


# --- scores and reasons ---


def test_an_honest_student_gets_everything_but_what_is_marked_by_hand(results):
    assert results["ada"]["tasks"] == FULL
    assert results["ada"]["score"] == 8 and results["ada"]["to_mark"] == 2
    assert results["ada"]["reason"] == "2 points to be marked by hand"


def test_an_untouched_release_scores_0_and_says_so(results):
    assert set(results["untouched"]["tasks"].values()) == {0}
    assert "not written yet" in results["untouched"]["reason"].lower()


@pytest.mark.parametrize("student", DAMAGED)
def test_a_damaged_or_malicious_notebook_ends_with_its_score_or_a_reason(student, graded, results):
    row = results[student]
    assert row["tasks"] == DAMAGED[student].POINTS
    line = next(line for line in graded[1].splitlines() if line.startswith(f"{student} "))
    assert DAMAGED[student].SAYS in line + row["reason"]
    assert row["score"] == row["max_score"] - row["to_mark"] or row["reason"], "a lost point without a reason"


def test_the_summary_has_a_line_for_each_student_and_agrees_with_the_gradebook(graded, results):
    for student, row in results.items():
        line = next(line for line in graded[1].splitlines() if line.startswith(f"{student} "))
        assert f" {row['score']:g}/10" in line
    assert f"{len(DAMAGED) + 2} graded, 0 unchanged, 0 without a submission." in graded[1]


def test_a_known_mistake_is_called_by_its_name_and_no_hidden_input_is_told(small):
    wrong = "def posterior(prior, likelihood):\n    return {h: prior[h] * likelihood[h] for h in prior}"
    telling = "def posterior(prior, likelihood):\n    raise type(str(prior), (Exception,), {})(str(likelihood))"
    course.submit(small, "bob", course.answer(course.solved(small), "posterior-answer", wrong))
    course.submit(small, "cleo", course.answer(course.solved(small), "posterior-answer", telling))
    course.run(small, "grade", NAME)
    found = course.rows(small)
    assert "points to a missing normalisation" in found["bob"]["reason"] and found["bob"]["tasks"]["posterior"] == 0
    assert "an exception" in found["cleo"]["reason"].lower()
    course.run(small, "feedback", NAME)
    for student in ("bob", "cleo"):
        page = (small / "feedback" / student / NAME / f"{NAME}.html").read_text()
        assert "Hint: Multiply row by row" in page and "Read again: lesson 01, “The theorem and its table”" in page
        assert "Hint: Go through the tests" not in page, "full marks need no hint"
        ((_, table),) = references.own_data(NAME, small, student).values()
        assert re.search(rf"sick per 100,000\S{{1,6}}: {table['sick per 100,000']}\b", page), "the student's own data"
    pages = "".join(path.read_text() for path in (small / "feedback").rglob("*") if path.is_file())
    inputs = repr([question.request.cases for question in asked(small)])
    assert len(telltale := set(re.findall(r"0\.\d{10,}", inputs))) > 50
    assert not telltale & set(re.findall(r"0\.\d{10,}", pages + repr(course.dump(small))))


def asked(folder):
    from grading.scoring import questions

    return questions(references.load(NAME, folder), references.secret(NAME, folder))


def test_points_below_a_grade_cell_are_those_of_the_gradebook(graded, results):
    import nbformat
    from nbgrader.utils import determine_grade

    for student in ("ada", "scripts", "deleted_cells", "changed_grade_cells"):
        notebook = nbformat.read(graded[0] / "autograded" / student / NAME / f"{NAME}.ipynb", 4)
        for cell in notebook.cells:
            about = cell.metadata.get("nbgrader", {})
            if about.get("grade") and cell.cell_type == "code":
                assert determine_grade(cell)[0] == results[student]["tasks"][about["grade_id"]]


# --- running it again, halfway, twice at once ---


@pytest.mark.heavy
def test_plain_nbgrader_gives_the_same(copy):
    before = course.dump(copy)
    process = course.command(copy, "nbgrader", "autograde", NAME, "--force", "--student=scripts")
    told = process.communicate(timeout=120)[0]
    assert process.returncode == 0, told
    assert course.dump(copy) == before and "1 graded" in told


def test_a_second_run_of_unchanged_work_changes_nothing(copy):
    shutil.rmtree(copy / "submitted/huge_file", ignore_errors=True)
    before = course.dump(copy), (copy / "gradebook.db").read_bytes()
    told = course.run(copy, "grade", NAME)
    assert f"0 graded, {len(DAMAGED) - 2} unchanged" in told  # two students more, but four folders were not copied
    assert (course.dump(copy), (copy / "gradebook.db").read_bytes()) == before


def test_marks_by_hand_survive_and_ask_to_be_looked_at_when_the_work_changed(small):
    course.run(small, "grade", NAME)
    with course.gradebook(small) as book:
        for task, points in {"why": 1.5, "posterior": 2.0}.items():
            grade = book.find_grade(task, NAME, NAME, "ada")
            grade.manual_score, grade.needs_manual_grade = points, False
        book.find_comment("why", NAME, NAME, "ada").manual_comment = "Nearly."
        book.db.commit()
    course.run(small, "grade", NAME, "--force")
    (grades, comments, _, _) = course.dump(small)[NAME, "ada"]
    assert grades["why"] == (None, 1.5, False) and grades["posterior"] == (3, 2, False)
    assert comments["why"] == (None, "Nearly.") and course.rows(small)["ada"]["score"] == 8.5
    course.submit(small, "ada", course.answer(course.solved(small), "why", "Something else."))
    course.run(small, "grade", NAME)
    (grades, _, _, _) = course.dump(small)[NAME, "ada"]
    assert grades["why"] == (None, 1.5, True) and grades["posterior"] == (3, 2, False)
    assert "changed after it was marked" in course.rows(small)["ada"]["reason"]


@pytest.mark.heavy
def test_grading_killed_halfway_goes_on_from_where_it_was(small):
    work = course.solved(small)
    for number in range(6):
        course.submit(small, f"student{number}", work)
    process = course.command(small, "grading", "grade", NAME)
    for _ in range(1200):
        if len(list((small / "autograded").glob("*/*/grading.json"))) >= 2 or process.poll() is not None:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = {path: path.stat().st_mtime_ns for path in (small / "autograded").glob("*/*/grading.json")}
    assert 2 <= len(before) < 9, "killed too early or too late to tell"
    told = course.run(small, "grade", NAME)
    assert f"{9 - len(before)} graded, {len(before)} unchanged" in told
    assert all(path.stat().st_mtime_ns == time_ for path, time_ in before.items())
    assert all(row["tasks"] == FULL for row in course.rows(small).values())


@pytest.mark.heavy
def test_two_gradings_at_once_on_one_gradebook(small):
    both = [course.command(small, "grading", "grade", NAME, "--force") for _ in range(2)]
    told = [process.communicate(timeout=180)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    found = course.rows(small)
    assert sorted(found) == ["ada", "bob", "cleo"] and all(row["tasks"] == FULL for row in found.values())


def test_a_failing_sandbox_is_no_zero_and_the_next_run_grades(small, monkeypatch):
    from grading.sandbox import Sandbox

    with monkeypatch.context() as patch:
        patch.setattr(Sandbox, "run", lambda *_, **__: (_ for _ in ()).throw(OSError("no space left")))
        with pytest.raises(SystemExit):  # so that a script notices
            course.run(small, "grade", NAME)
    row = course.rows(small)["ada"]
    assert row["to_mark"] == 10 and "not graded yet, the grader failed" in row["reason"]
    assert "3 graded, 0 unchanged" in course.run(small, "grade", NAME)
    assert course.rows(small)["ada"]["tasks"] == FULL


def test_somebody_who_is_graded_though_not_in_the_roster_is_named_once(small):
    assert "not in the roster" not in course.run(small, "grade", NAME)  # without a roster there is nobody to name
    with course.gradebook(small) as book:
        book.remove_student("bob")
    told = course.run(small, "grade", NAME)
    assert "1 graded, 2 unchanged" in told and "not in the roster, and now in the gradebook: bob." in told
    assert "not in the roster" not in course.run(small, "grade", NAME)


def test_the_start_up_leaves_out_what_no_notebook_needs(small):
    """Half of it was a grammar that jsonschema builds for addresses; an own process, since others may have loaded it here."""
    words = ["-c", "import sys, grading.__main__ as main; print(*sys.modules['lark'].__all__)"]
    assert "KeyError" in subprocess.run([sys.executable, *words], capture_output=True, text=True).stderr


def test_late_work_loses_what_the_course_says(small):
    config = small / "nbgrader_config.py"
    config.write_text(config.read_text() + "c.LateSubmissionPlugin.penalty_method = 'zero'\n")
    with course.gradebook(small) as book:
        book.update_or_create_assignment(NAME, duedate="2026-11-01 12:00:00")
    for student, hour in {"ada": "11:00:00", "bob": "13:00:00"}.items():
        (small / "submitted" / student / NAME / "timestamp.txt").write_text(f"2026-11-01 {hour}")
    course.run(small, "grade", NAME)
    found = course.rows(small)
    assert (found["ada"]["score"], found["bob"]["score"]) == (8, 0)
    assert found["bob"]["late_submission_penalty"] == 8 and "8 points off for being late" in found["bob"]["reason"]


def test_extensions_and_late_days_are_granted_by_a_file_and_noticed(small, capfd):
    config = small / "nbgrader_config.py"
    config.write_text(config.read_text() + "c.LateSubmissionPlugin.penalty_method = 'zero'\n")
    with course.gradebook(small) as book:
        book.update_or_create_assignment("earlier", duedate="2026-10-01 12:00:00")
        book.update_or_create_assignment(NAME, duedate="2026-11-01 12:00:00")
        for student in ("ada", "bob", "cleo"):
            book.update_or_create_student(student)
        book.update_or_create_submission("earlier", "cleo", timestamp="2026-10-02 18:00:00")  # takes two late days
    for student in ("ada", "bob", "cleo"):
        (small / "submitted" / student / NAME / "timestamp.txt").write_text("2026-11-02 11:00:00")
    course.run(small, "grade", NAME)
    assert {row["score"] for row in course.rows(small).values()} == {0}
    table = small / "extensions.csv"
    table.write_text(f"student,assignment,days\nada,{NAME},1\nbob,*,3\ncleo,*,2\n")
    assert "2 graded, 1 unchanged" in course.run(small, "grade", NAME)
    assert {student: row["score"] for student, row in course.rows(small).items()} == {"ada": 8, "bob": 8, "cleo": 0}
    table.write_text(f"student,assignment,days\nada,{NAME},0\nbob,*,3\ncleo,*,3\n")
    course.run(small, "grade", NAME)
    assert {student: row["score"] for student, row in course.rows(small).items()} == {"ada": 0, "bob": 8, "cleo": 8}
    for wrong in ("student,days\n", "student,assignment,days\nada,*,many\n", "student,assignment,days\n,x,1\n"):
        table.write_text(wrong)
        with pytest.raises(SystemExit):
            course.run(small, "grade", NAME)
        assert "extensions.csv" in capfd.readouterr().err


COPIED = """
def belief_after(prior, tests):
    # written by {who}
    odds_so_far = prior / (1 - prior)
    for result, sensitivity, false_alarm in tests:
        if result == "+":
            odds_so_far = odds_so_far * sensitivity / false_alarm
        elif result == "-":
            odds_so_far = odds_so_far * (1 - sensitivity) / (1 - false_alarm)
    return odds_so_far / (1 + odds_so_far) if odds_so_far < float("inf") else 1.0
"""


def test_answers_alike_are_listed_and_those_of_the_many_are_not(small):
    for number in range(20):
        course.submit(small, f"many{number}", course.solved(small))
    for student, names in {"ada": ("odds_so_far", "sensitivity"), "bob": ("o", "found")}.items():
        text = COPIED.format(who=student).replace("odds_so_far", names[0]).replace("sensitivity", names[1])
        course.submit(small, student, course.answer(course.solved(small), "belief_after-answer", text))
    told = course.run(small, "similar", NAME)
    assert "100%  01-bayes-theorem, belief_after: ada and bob" in told and "1 pairs of answers to look at" in told


def test_changed_checks_are_a_reason_to_grade_again(small):
    course.run(small, "grade", NAME)
    reference = small / "references" / f"{NAME}.py"
    reference.write_text(
        reference.read_text().replace('"solve": "C"', '"solve": "D"').replace('"D": "inverse"', '"C": "inverse"')
    )
    assert "3 graded" in course.run(small, "grade", NAME)
    assert course.rows(small)["ada"]["tasks"]["reading"] == 0


# --- the secret, and the refusal ---


def test_the_secret_is_drawn_once_and_is_for_the_teacher_only(graded, small, tmp_path):
    path = graded[0] / "secrets" / NAME
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert references.secret(NAME, graded[0]) == path.read_text() == references.secret(NAME, small)
    assert references.secret(NAME, tmp_path) != path.read_text()
    assert repr([q.request.cases for q in asked(small)]) == repr([q.request.cases for q in asked(graded[0])])


def test_without_bubblewrap_nothing_is_graded_and_it_says_what_to_do(small, tmp_path):
    (tmp_path / "bin").mkdir()
    env = os.environ | {"PATH": str(tmp_path / "bin")}
    process = course.command(small, "nbgrader", "autograde", NAME, env=env)
    told = process.communicate(timeout=120)[0]
    assert process.returncode != 0 and "bubblewrap" in told and "apt-get install" in told
    assert course.dump(small) == {} and not (small / "autograded").exists()


def test_nbgrader_without_the_settings_of_the_course_gives_no_marks(small, monkeypatch):
    """Started elsewhere, nbgrader would run the notebook itself; a check that prints something would then count as passed."""
    from bayeslib.questions import exercise

    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with pytest.raises(RuntimeError, match="nbgrader_config.py"):
        exercise(NAME, small / "release" / NAME)


def test_settings_that_cannot_be_read_stop_nbgrader(small):
    config = small / "nbgrader_config.py"
    config.write_text(config.read_text().replace("import configure", "import configured"))
    process = course.command(small, "nbgrader", "autograde", NAME)
    assert "nothing is done" in process.communicate(timeout=120)[0] and process.returncode != 0
    assert course.dump(small) == {}


# --- lists in and out ---


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_the_csv_equals_the_gradebook(copy):
    course.run(
        copy, "roster", str(_write(copy / "list.csv", "id,first_name,last_name,email\nzoe,Zoe,=1+1,z@example.org\n"))
    )
    course.run(copy, "grades")
    lines = {line["student_id"]: line for line in read(copy / "grades.csv")}
    found = course.rows(copy)
    assert lines.keys() == found.keys()
    for student, row in found.items():
        assert float(lines[student]["score"]) == row["score"] and lines[student]["reason"] == row["reason"]
        assert float(lines[student]["score"]) == 10 or lines[student]["reason"]
    assert lines["zoe"]["reason"] == "nothing was handed in"
    assert lines["zoe"]["last_name"] == "'=1+1", "no spreadsheet takes it for a formula"


def test_canvas_and_moodle_get_what_they_import(copy):
    for shape in ("canvas", "moodle"):
        course.run(copy, "grades", "--shape", shape)
    canvas, moodle = read(copy / "grades-canvas.csv"), read(copy / "grades-moodle.csv")
    assert list(canvas[0]) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", NAME]
    assert canvas[0]["Student"].strip() == "Points Possible" and canvas[0][NAME] == "10.0"
    assert {line["SIS Login ID"]: float(line[NAME]) for line in canvas[1:]}["ada"] == 8
    assert {line["username"]: (float(line[NAME]), line[f"{NAME} feedback"]) for line in moodle}["ada"] == (
        8,
        "2 points to be marked by hand",
    )


def _write(path, text):
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        "id,first_name,last_name,email\nada,Ada,Lovelace,a@example.org\n",
        'Student,ID,SIS User ID,SIS Login ID,Section\n"Lovelace, Ada",7,,ada,1\n',
        '"First name","Last name",Username,"Email address"\nAda,Lovelace,ada,a@example.org\n',
    ],
    ids=["nbgrader", "canvas", "moodle"],
)
def test_a_roster_is_read_as_nbgrader_canvas_and_moodle_write_it(text, graded, tmp_path):
    from grading.exports import import_roster

    shutil.copy(graded[0] / "gradebook.clean", tmp_path / "gradebook.db")
    with course.gradebook(tmp_path) as book:
        assert import_roster(_write(tmp_path / "roster.csv", text), book) == 1
        ada = book.find_student("ada")
        assert (ada.first_name, ada.last_name) == ("Ada", "Lovelace")
        with pytest.raises(ValueError, match="roster must have a column"):
            import_roster(_write(tmp_path / "roster.csv", "name\nAda\n"), book)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16"])
def test_a_roster_may_come_in_any_encoding_that_spreadsheets_write(encoding, tmp_path):
    from grading.exports import read_roster

    (tmp_path / "roster.csv").write_bytes(
        "id,last_name\nzoë,Müller\no'brien,<b>O\"Brien\nguest#ext#,\n".encode(encoding)
    )
    students = read_roster(tmp_path / "roster.csv")
    assert students["zoë"]["last_name"] == "Müller" and students["o'brien"]["last_name"] == "bOBrien"
    assert students.keys() == {"zoë", "o'brien", "guest#ext#"}


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
def test_a_roster_that_cannot_be_used_says_what_to_export_and_changes_nothing(text, wanted, graded, tmp_path):
    from grading.exports import import_roster

    shutil.copy(graded[0] / "gradebook.clean", tmp_path / "gradebook.db")
    with course.gradebook(tmp_path) as book:
        before = len(book.students)
        with pytest.raises(ValueError, match="roster must .*") as caught:
            import_roster(_write(tmp_path / "roster.csv", text), book)
        assert wanted in str(caught.value) and len(book.students) == before


@pytest.mark.parametrize("text", ["=1+1", " =1", "\n=1", "＝1", "x;=1+1", "a,@b", "-1"])
def test_no_cell_of_the_grades_is_a_formula(text):
    from grading.exports import _cell

    assert _cell(text) == f"'{text}" and _cell("posterior 2/3: it stopped (a-b)") == "posterior 2/3: it stopped (a-b)"


# --- nobody can stop the grading of others ---


def test_a_folder_that_is_a_link_is_not_anybodys_work(small):
    submitted = small / "submitted"
    (submitted / "eve").mkdir()
    (submitted / "eve" / NAME).symlink_to(submitted / "ada" / NAME)
    (submitted / "hal").symlink_to(submitted / "ada")
    course.run(small, "grade", NAME)
    rows = course.rows(small)
    assert rows["ada"]["tasks"] == FULL
    for student in ("eve", "hal"):
        assert rows[student]["score"] == 0 and "the folder is a link" in rows[student]["reason"]


def test_a_name_that_cannot_be_an_id_stops_nobody_and_is_told(small):
    shutil.copytree(small / "submitted/ada", small / "submitted/two\nlines")
    shutil.copytree(small / "submitted/ada", small / "submitted/o'brien")
    told = course.command(small, "grading", "grade", NAME)
    said = told.communicate()[0]
    assert told.returncode == 1 and "cannot be a student's id" in said and "Traceback" not in said
    rows = course.rows(small)
    assert rows["ada"]["tasks"] == FULL and rows["o'brien"]["score"] > 0


def test_a_grade_that_cannot_be_saved_costs_only_its_student(small):
    (small / "autograded").mkdir()
    (small / "autograded/bob").write_text("a file where a folder should be")
    with pytest.raises(SystemExit):
        course.run(small, "grade", NAME)
    assert course.rows(small)["ada"]["tasks"] == FULL
    assert (small / "autograded/ada" / NAME / f"{NAME}.ipynb").exists()


@pytest.mark.heavy
def test_a_name_with_a_script_does_not_run_in_the_formgrader(chromium, copy):
    with course.gradebook(copy) as book:
        book.update_or_create_student(
            "ada",
            last_name="<img src=x onerror=\"document.title='RAN'\">",
            first_name="<script>document.title='RAN'</script>",
        )
        notebook = book.find_submission_notebook(NAME, NAME, "ada").id
    with lab.jupyterlab(copy, formgrader=True) as address:
        page = chromium.new_page()
        page.goto(f"{address}/formgrader/submissions/{notebook}/")
        page.locator("#posterior").wait_for(timeout=30_000)
        assert "&lt;img src=x" in page.content() and not page.locator("img[src=x]").count() and page.title() != "RAN"


@pytest.mark.heavy
@pytest.mark.parametrize(
    "trouble, said", [("corrupt", "restore it from a copy"), ("locked", "try again when they are done")]
)
def test_a_gradebook_that_cannot_be_used_is_told_in_a_sentence(small, trouble, said):
    import sqlite3

    holder = sqlite3.connect(small / "gradebook.db")
    if trouble == "corrupt":
        holder.close()
        (small / "gradebook.db").write_bytes(b"not a database, but long enough to be one" * 100)
    else:
        holder.execute("BEGIN EXCLUSIVE")
    told = course.command(small, "grading", "grade", NAME)
    words = told.communicate(timeout=60)[0]
    holder.close()
    assert told.returncode == 1 and "Traceback" not in words and said in words


# --- through nbgrader's exchange ---


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
    (home / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.course_id = 'bayesian-learning'\n{settings}"
    )

    def nbgrader(folder, *words):
        process = course.command(folder, "nbgrader", *words)
        said = process.communicate(timeout=120)[0]
        assert process.returncode == 0, said

    nbgrader(teacher, "release_assignment", NAME)
    nbgrader(home, "fetch_assignment", NAME)
    (home / NAME / f"{NAME}.ipynb").write_text(
        json.dumps({key: value for key, value in course.solved(teacher).items() if key != "stubs"})
    )
    nbgrader(home, "submit", NAME)
    nbgrader(teacher, "collect", NAME)
    course.run(teacher, "grade", NAME)
    course.run(teacher, "feedback", NAME)
    nbgrader(teacher, "release_feedback", NAME)
    nbgrader(home, "fetch_feedback", NAME)
    (page,) = (home / NAME / "feedback").glob("*/*.html")
    assert "3/3" in page.read_text() or "posterior" in page.read_text()


# --- what people see ---


@pytest.fixture(scope="module")
def feedback(graded):
    course.run(graded[0], "feedback", NAME)
    return {path.parents[1].name: path for path in (graded[0] / "feedback").glob("*/*/*.html")}


def test_feedback_has_points_and_a_sentence_for_each_check_and_no_reference(graded, feedback):
    assert feedback.keys() == course.rows(graded[0]).keys()
    page = feedback["deleted_cells"].read_text()
    assert "0/1  data that no hypothesis allows, or one does: no answer: no function called posterior." in page
    assert "2/2  a few results of different tests" in page and "Not marked yet" in page
    assert "cells missing: posterior" in page
    assert "Rubric" not in page and "draw_table" not in page and "hashlib" not in page
    others = [path for path in (graded[0] / "feedback").rglob("*") if path.is_file() and path.suffix != ".html"]
    assert {path.name for path in others} <= {"timestamp.txt"}


def test_feedback_holds_no_picture_without_words(feedback):
    """What a student drew is left out, so no picture can come without its text."""
    assert not [page for page in feedback.values() if re.search("<(img|svg|canvas|object|embed)[ >]", page.read_text())]


def test_no_script_of_a_student_runs_in_feedback(chromium, feedback):
    page = chromium.new_page()
    page.goto(feedback["scripts"].as_uri(), wait_until="domcontentloaded")
    harmless(page)


def harmless(page):
    """No script ran, nothing is left that could run at a click or a movement, and the text is there."""
    page.wait_for_timeout(500)
    assert page.evaluate("() => window.ran") is None
    assert page.locator("#notebook").get_by_text("onmouseover").count() > 0, "the text itself is shown"
    found = page.evaluate(
        """() => [...document.querySelectorAll("#notebook *")].filter((each) =>
            ["SCRIPT", "IFRAME", "OBJECT", "EMBED", "svg"].includes(each.tagName)
            || [...each.attributes].some((a) => a.name.startsWith("on") || /^\\s*(javascript|data):/i.test(a.value))
        ).map((each) => each.outerHTML)"""
    )
    assert found == []
    page.close()


@pytest.mark.heavy
def test_the_formgrader_opens_and_shows_the_scores(chromium, graded):
    with lab.jupyterlab(graded[0], formgrader=True) as address:
        page = chromium.new_page()
        page.goto(f"{address}/formgrader/manage_students/ada/{NAME}")
        page.locator("td", has_text="8 / 10").wait_for(timeout=30_000)
        page.goto(f"{address}/formgrader/manage_students/scripts/{NAME}")
        page.locator("td", has_text="4 / 10").wait_for(timeout=30_000)
        page.get_by_role("link", name=NAME).last.click()
        page.locator("#posterior").wait_for(timeout=30_000)
        page.wait_for_function("() => document.querySelector('#posterior').placeholder === '3'")
        page.wait_for_function(
            "() => document.getElementById('belief_after-answer-comment').placeholder.includes('an exception of its own')"
        )
        assert page.get_by_text("Rubric").count() == 1
        harmless(page)


# --- solutions stay with the teacher ---


def test_neither_solutions_nor_references_are_in_the_bundle(graded):
    with zipfile.ZipFile(graded[0] / "handout" / f"{NAME}.zip") as bundle:
        handed = f"{NAME}.ipynb", "checks.json", "data.py", "tests.csv"
        assert sorted(bundle.namelist()) == [f"{NAME}/{name}" for name in handed]
        text = "".join(bundle.read(name).decode() for name in bundle.namelist())
    assert not re.search("BEGIN SOLUTION|joint_posterior|draw_table|TASKS", text)


def test_neither_solutions_nor_references_are_in_the_wheel(tmp_path):
    source = tmp_path / "source"
    ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(course.ROOT / "bayeslib", source / "bayeslib", ignore=ignore)
    shutil.copytree(course.EXERCISES / "references", source / "notebooks/exercises/references")
    shutil.copytree(course.EXERCISES / "source", source / "notebooks/exercises/source")
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(course.ROOT / name, source)
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", str(tmp_path)]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(source)], check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = wheel.namelist()
    assert "bayeslib/__init__.py" in names
    assert not [name for name in names if name.startswith("grading") or "exercises" in name or name.endswith(".ipynb")]


@pytest.mark.heavy
def test_neither_solutions_nor_references_are_in_the_binder_image(tmp_path):
    hook = course.ROOT / "binder/postBuild"
    assert os.access(hook, os.X_OK)
    for name in ("source/x/x.ipynb", "references/x.py", "release/x/x.ipynb", "nbgrader_config.py"):
        path = tmp_path / "notebooks/exercises" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / ".git").mkdir()
    assert subprocess.run([hook], cwd=tmp_path).returncode, "without REPO_DIR it might be somebody's checkout"
    assert (tmp_path / ".git").exists() and (tmp_path / "notebooks/exercises/references/x.py").exists()
    subprocess.run([hook], cwd=tmp_path, check=True, env={**os.environ, "REPO_DIR": str(tmp_path)})
    left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert left == ["notebooks/exercises/release/x/x.ipynb"] and not (tmp_path / ".git").exists()


def test_a_private_folder_overrides_and_adds(small, tmp_path, monkeypatch):
    private, added = tmp_path / "private", "99-of-my-own"
    for name in (NAME, added):
        shutil.copytree(small / "source" / NAME, private / "source" / name)
        notebook = private / "source" / name / f"{NAME}.ipynb"
        text = notebook.rename(notebook.with_name(f"{name}.ipynb")).read_text()
        (private / "source" / name / f"{name}.ipynb").write_text(text.replace("# Exercise 01", "# My own exercise"))
        (private / "references").mkdir(exist_ok=True)
        reference = (small / "references" / f"{NAME}.py").read_text()
        changed = reference.replace('"solve": "C"', '"solve": "D"').replace('"D": "inverse"', '"C": "inverse"')
        (private / "references" / f"{name}.py").write_text(changed)
    monkeypatch.setenv(references.PRIVATE, str(private))
    course.run(small, "release")
    assert "My own exercise" in json.dumps(course.released(small)) and "My own exercise" in json.dumps(
        course.released(small, added)
    )
    course.submit(small, "ada", course.solved(small), added)
    course.run(small, "grade")
    assert course.rows(small)["ada"]["tasks"]["reading"] == course.rows(small, added)["ada"]["tasks"]["reading"] == 0


# --- the cells that the sandbox must withstand, as a class ---

EXERCISE = """
def posterior(prior, likelihood):
    joint = [p * q for p, q in zip(prior, likelihood)]
    return [each / sum(joint) for each in joint]

words = {"hint": "", "right": "", "mistakes": {}}
cases = [([0.2, 0.8], [0.5, 0.25]), ([0.01, 0.99], [0.98, 0.03])]
TASKS = {
    "posterior": {"kind": "function", "points": 2, "arguments": "", "solve": posterior, "cases": cases[:1],
                  "checks": [{"says": "tables", "points": 2, "cases": cases}], **words},
    "share": {"kind": "number", "points": 1, "solve": 0.25, **words},
}
"""


def about(grade_id, **flags):
    flags = {"grade": False, "solution": False, "locked": False, "task": False} | flags
    return {"nbgrader": {"schema_version": 3, "grade_id": grade_id, **flags}}


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    """A class in which everybody but ada hands in one of the sandbox's malicious files."""
    from nbformat import v4, write

    course.need_sandbox()
    folder, name = course.make(tmp_path_factory.mktemp("attacked")), "malicious"
    cells = []
    for task, points in {"posterior": 2, "share": 1}.items():
        stub = "### BEGIN SOLUTION\n0\n### END SOLUTION"
        cells.append(v4.new_code_cell(stub, metadata=about(f"{task}-answer", solution=True)))
        cells.append(
            v4.new_code_cell("check()", metadata=about(task, grade=True, locked=True, points=points, cell_type="code"))
        )
    (folder / "source" / name).mkdir()
    write(v4.new_notebook(cells=cells), folder / "source" / name / f"{name}.ipynb")
    (folder / "source" / name / "data.py").write_text("def share(student):\n    return 0.25\n")
    (folder / "references" / f"{name}.py").write_text(EXERCISE)
    course.run(folder, "release", name)
    course.submit(folder, "ada", course.solved(folder))
    course.run(folder, "grade", NAME)
    files = sorted(path for path in MALICIOUS.glob("*.py"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        known = {
            "HOST": str(folder),
            "TESTS": str(MALICIOUS.parent),
            "PACKAGE": str(course.ROOT / "bayeslib"),
            "NULL": "\0",
        }
        known |= {
            "PORT": str(listener.getsockname()[1]),
            "PYTHON": sys.executable,
            "SURROGATE": "\ud800",
            "BRACKETS": "(" * 100_000,
        }
        for path in files:
            source = path.read_text()
            for word, value in known.items():
                source = source.replace(f"@{word}@", value)
            parts = re.split(r"^# %%\n", source, flags=re.MULTILINE)
            notebook = {"cells": [{"cell_type": "code", "metadata": {}, "source": part} for part in parts]}
            course.submit(folder, path.stem, notebook, name)
        honest = course.solved(folder)
        honest_row = course.dump(folder)[NAME, "ada"]
        # Code that only sleeps is waited for, so a few seconds for it; the others end by themselves, however busy the computer is.
        settings = (folder / "nbgrader_config.py").read_text()
        (folder / "nbgrader_config.py").write_text(
            settings + "\nc.Grade.limits = {'cpu': 60, 'wall': 5, 'memory': 256}\n"
        )
        for path in files:
            if "after 5 s" in path.read_text():
                course.run(folder, "grade", name, f"--student={path.stem}")
        (folder / "nbgrader_config.py").write_text(settings)
        course.run(folder, "grade", name)
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert honest["cells"]
    return folder, honest_row


@pytest.mark.heavy
def test_the_row_of_a_classmate_is_untouched_by_a_malicious_class(attacked):
    folder, honest_row = attacked
    assert course.dump(folder)[NAME, "ada"] == honest_row
    assert not list(folder.rglob("left-behind*"))


@pytest.mark.heavy
@pytest.mark.parametrize("path", sorted(MALICIOUS.glob("*.py")), ids=lambda path: path.stem)
def test_a_malicious_student_gets_what_the_answers_are_worth(path, attacked):
    source = path.read_text()
    row = course.rows(attacked[0], "malicious")[path.stem]
    for task, points in {"posterior": 2, "share": 1}.items():
        expected = re.search(rf"^# {task}: (.*)", source, re.MULTILINE)[1]
        assert row["tasks"][task] == (points if expected == "right" else 0)
    assert row["score"] == 3 or row["reason"]
    assert "[0.2, 0.8]" not in row["reason"]
