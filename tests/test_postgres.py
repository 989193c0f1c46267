"""A gradebook in PostgreSQL, on a real server of the test's own: the same round and the same grades as with SQLite."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from glob import glob
from pathlib import Path

import pytest

from tests import course
from tests.course import NAME

pytest.importorskip("nbgrader", reason="grading needs nbgrader: make .venv/graded")
psycopg = pytest.importorskip("psycopg", reason="PostgreSQL needs psycopg: pip install -e '.[postgres]'")
pytestmark = pytest.mark.heavy
HOW = "PostgreSQL is not installed: sudo apt-get install postgresql"


class Server:
    """A server with its data in a temporary folder, to be reached by a unix socket there only; it does not run as root."""

    def __init__(self):
        programs = sorted(glob("/usr/lib/postgresql/*/bin"))
        if not programs:
            pytest.fail(HOW) if os.environ.get("CI") == "true" else pytest.skip(HOW)
        self.folder = (
            tempfile.mkdtemp()
        )  # not below pytest's, which is closed to others and too long for a socket's name
        self.who = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
        if self.who:
            shutil.chown(self.folder, self.who["user"], self.who["group"])
        self.program, self.data = Path(programs[-1]), f"{self.folder}/data"
        words = ["initdb", "--pgdata", self.data, "--username=teacher", "--auth=trust", "--no-sync", "--encoding=UTF8"]
        self._call(subprocess.run, *words, check=True)
        self.start()

    def _call(self, how, program, *words, **options):
        options |= {"cwd": self.folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | self.who
        return how([self.program / program, *words], **options)

    def start(self):
        words = ["postgres", "-D", self.data, "-k", self.folder, "-c", "listen_addresses=", "-c", "fsync=off"]
        self.process = self._call(subprocess.Popen, *words)
        for _ in range(300):
            try:
                return self.execute("SELECT 1")
            except psycopg.OperationalError:
                time.sleep(0.1)
        pytest.fail("PostgreSQL did not start")

    def execute(self, command):
        with psycopg.connect(f"host={self.folder} user=teacher dbname=postgres", autocommit=True) as connection:
            connection.execute(command)

    def settings(self, database):
        self.execute(f"CREATE DATABASE {database}")
        return f"c.CourseDirectory.db_url = 'postgresql+psycopg://teacher@/{database}?host={self.folder}'\n"

    def stop(self):
        self.process.send_signal(signal.SIGINT)  # without waiting for those who are connected
        self.process.wait(60)


@pytest.fixture(scope="module")
def server():
    course.need_sandbox()
    made = Server()
    yield made
    made.stop()
    shutil.rmtree(made.folder)


def whole_round(folder, settings=""):
    """Roster, release, work (some of it late, malicious or marked by hand), grades, feedback; what a teacher has at the end."""
    settings += "c.LateSubmissionPlugin.penalty_method = 'zero'\n"
    course.make(folder, settings=settings)
    (folder / "roster.csv").write_text("id,last_name,first_name\nada,Lovelace,Ada\nzoë,Żak,Zoë\n", encoding="utf-8")
    course.run(folder, "roster", str(folder / "roster.csv"))
    work = course.solved(folder)
    posterior = next(cell for cell, stub in work["stubs"].items() if "def posterior" in stub)
    course.submit(folder, "ada", work)
    course.submit(folder, "late", work)
    course.submit(
        folder, "malicious", course.answer(work, posterior, "raise ValueError('a\\x00b')\n\x00\ud800 '); DROP TABLE")
    )
    course.submit(folder, "untouched", course.released(folder))
    (folder / "submitted/late" / NAME / "timestamp.txt").write_text("2031-01-02 00:00:00 UTC")
    due = ["db", "assignment", "add", NAME, "--duedate=2031-01-01 00:00:00 UTC"]
    assert course.command(folder, "nbgrader", *due).wait(120) == 0
    told = [course.run(folder, "grade", NAME)]
    with course.gradebook(folder) as book:
        grade = book.find_grade("why", NAME, NAME, "ada")
        grade.manual_score, grade.needs_manual_grade = 1.5, False
        book.db.commit()
    course.run(folder, "release", NAME)
    both = [course.command(folder, "grading", "grade", NAME, "--force") for _ in range(2)]
    assert [process.wait(240) for process in both] == [0, 0]
    told += [course.run(folder, "grade", NAME), course.run(folder, "feedback", NAME), course.run(folder, "grades")]
    pages = {path.parts[-3]: path.read_text() for path in (folder / "feedback").glob("*/*/*.html")}
    return told, course.dump(folder), (folder / "grades.csv").read_text(), pages


def test_a_whole_round_in_postgresql_ends_as_it_does_in_sqlite(server, tmp_path):
    here = whole_round(tmp_path / "sqlite")
    shutil.copytree(tmp_path / "sqlite/secrets", tmp_path / "postgres/secrets")
    there = whole_round(tmp_path / "postgres", server.settings("round"))
    assert not (tmp_path / "postgres/gradebook.db").exists()
    assert there == here
    told, grades, _, pages = there
    assert "0 graded, 4 unchanged, 1 without" in told[1] and pages.keys() == {"ada", "malicious", "late", "untouched"}
    assert grades[NAME, "ada"][0]["why"] == (None, 1.5, False) and grades[NAME, "late"][2] == 8


def test_a_server_that_is_down_or_has_no_driver_is_told_and_nothing_is_lost(server, tmp_path, monkeypatch):
    from grading.__main__ import cli

    folder = course.make(tmp_path / "course", settings=server.settings("down"))
    before = course.released(folder)
    server.stop()
    try:
        for words in (["release"], ["grade"], ["feedback"], ["grades"], ["roster", "roster.csv"]):
            with pytest.raises(SystemExit, match="Nothing more was done: the gradebook postgresql.* does not answer"):
                cli(["--course", str(folder), *words])
    finally:
        server.start()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "psycopg", None)
        with pytest.raises(SystemExit, match="needs a driver .*pip install"):
            cli(["--course", str(folder), "release"])
    assert course.released(folder) == before
