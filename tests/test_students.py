"""The students' repository holds what students may have and nothing else."""

import subprocess
from pathlib import Path

import pytest

from tests import course
from tools import students

ROOT = Path(__file__).parents[1]
NAME = course.NAME
# In a solution or a reference of any exercise, and in nothing that a student may have.
SECRETS = ("BEGIN SOLUTION", "TASKS = {", "def draw_")


def tells(path):
    text = path.read_bytes().decode("utf-8", "replace")
    return [secret for secret in SECRETS if secret in text]


def test_the_students_repository_holds_lessons_and_released_exercises_and_no_solution(tmp_path):
    for folder, secret in ("source", SECRETS[0]), ("references", SECRETS[1]):
        found = [path for path in (course.EXERCISES / folder).rglob("[0-9]*-*") if path.is_file()]
        assert len(found) == 16 and all(secret in tells(path) for path in found), folder
    folder = tmp_path / "repository"
    assert students.repository(folder) and not students.repository(folder)
    found = [path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts]
    assert (folder / "00-start-here.ipynb") in found and len(found) == 18 + 3 * 16 + 3
    assert (folder / f"exercises/release/{NAME}/{NAME}.ipynb") in found
    assert not [path for path in found if tells(path)]
    (folder / "LICENSE").write_text("changed")
    (folder / "old.ipynb").write_text("gone from the course")
    subprocess.run(["git", *students.COMMIT, "-a", "-m", "x"], cwd=folder, check=True)
    assert students.repository(folder)
    assert (folder / "LICENSE").read_text() == (ROOT / "LICENSE").read_text() and not (folder / "old.ipynb").exists()


def test_a_students_repository_never_empties_another_folder_and_follows_no_link(tmp_path):
    (tmp_path / "other/.git").mkdir(parents=True)
    (tmp_path / "other/thesis.tex").touch()
    with pytest.raises(SystemExit, match="must be empty"):
        students.repository(tmp_path / "other")
    assert (tmp_path / "other/thesis.tex").exists()
    folder = tmp_path / "notebooks/exercises/release/x"
    folder.mkdir(parents=True)
    (folder / "x.ipynb").symlink_to(course.EXERCISES / f"source/{NAME}/{NAME}.ipynb")
    (folder / "data.py").touch()
    assert [path.name for path in students.files(tmp_path)] == ["data.py"]
