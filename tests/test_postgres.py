"""A gradebook in PostgreSQL, on a real server of the test's own: the same round and the same grades as with SQLite."""

import os
import shutil
import subprocess
import sys

import pytest

from tests import course
from tests.course import NAME

pytest.importorskip("psycopg", reason="PostgreSQL needs psycopg: pip install -e '.[postgres]'")
pytestmark = pytest.mark.heavy
HOW = "PostgreSQL is not installed: sudo apt-get install postgresql"


@pytest.fixture(scope="module")
def server():
    """The address of a server whose data is thrown away at the end; it has an empty database, `round`."""
    course.need_sandbox()
    if not shutil.which("pg_virtualenv"):
        pytest.fail(HOW) if os.environ.get("CI") == "true" else pytest.skip(HOW)
    words = ["sh", "-c", "createdb round && echo ready $PGUSER:$PGPASSWORD@127.0.0.1:$PGPORT && read done"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(["pg_virtualenv", "-t", *words], text=True, **pipes) as process:
        ready = next((line for line in process.stdout if line.startswith("ready")), None)
        assert ready, "PostgreSQL did not start"
        yield f"postgresql+psycopg://{ready.split()[1]}"
        process.communicate("\n")


def whole_round(folder, settings=""):
    """Roster, release, work (some of it late, malicious or marked by hand), grades, feedback; what a teacher has at the end."""
    course.make(folder, settings=settings + "c.LateSubmissionPlugin.penalty_method = 'zero'\n")
    (folder / "roster.csv").write_text("id,last_name,first_name\nada,Lovelace,Ada\nzoë,Żak,Zoë\n", encoding="utf-8")
    course.run(folder, "roster", str(folder / "roster.csv"))
    work = course.solved(folder)
    course.submit(folder, "ada", work)
    course.submit(folder, "late", work)
    (folder / "submitted/late" / NAME / "timestamp.txt").write_text("2031-01-02 00:00:00 UTC")
    malicious = "raise ValueError('a\\x00b')\n\x00\ud800 '); DROP TABLE"
    course.submit(folder, "malicious", course.answer(work, "posterior-answer", malicious))
    with course.gradebook(folder) as book:
        book.update_or_create_assignment(NAME, duedate="2031-01-01 00:00:00 UTC")
    told = [course.run(folder, "grade", NAME)]
    with course.gradebook(folder) as book:
        grade = book.find_grade("why", NAME, NAME, "ada")
        grade.manual_score, grade.needs_manual_grade = 1.5, False
        book.db.commit()
    both = [course.command(folder, "grading", "grade", NAME, "--force") for _ in range(2)]
    assert [process.wait(240) for process in both] == [0, 0]
    told += [course.run(folder, "grade", NAME), course.run(folder, "feedback", NAME), course.run(folder, "grades")]
    return told, course.dump(folder), (folder / "grades.csv").read_text()


def test_a_whole_round_in_postgresql_ends_as_it_does_in_sqlite(server, tmp_path):
    here = whole_round(tmp_path / "sqlite")
    shutil.copytree(tmp_path / "sqlite/secrets", tmp_path / "postgres/secrets")
    there = whole_round(tmp_path / "postgres", f"c.CourseDirectory.db_url = '{server}/round'\n")
    assert not (tmp_path / "postgres/gradebook.db").exists() and there == here
    told, grades, _ = there
    assert "0 graded, 3 unchanged, 1 without" in told[1]
    assert grades[NAME, "ada"][0]["why"] == (None, 1.5, False) and grades[NAME, "late"][2] == 8


def test_a_server_that_does_not_answer_or_has_no_driver_is_told_in_a_sentence(tmp_path, monkeypatch):
    from grading.__main__ import cli

    folder = tmp_path / "course"
    folder.mkdir()
    config = (course.EXERCISES / "nbgrader_config.py").read_text()
    url = "postgresql+psycopg://teacher@127.0.0.1:1/down"
    (folder / "nbgrader_config.py").write_text(f"{config}\nc.CourseDirectory.db_url = '{url}'\n")
    for said in ("the gradebook postgresql.* does not answer", "needs a driver .*pip install"):
        with pytest.raises(SystemExit, match=f"Nothing more was done: .*{said}"):
            cli(["--course", str(folder), "release"])
        monkeypatch.setitem(sys.modules, "psycopg", None)
