"""The exercises keep what they promise: full marks for the solutions, none for the handout, mistakes called by their names."""

import json
import re
import sys
import time

import nbformat
import pytest

from bayeslib.judging.misconceptions import explained
from bayeslib.judging.told import SIGNS
from bayeslib.practice.exercise import judge
from tests import course

pytest.importorskip("nbgrader", reason="grading needs nbgrader: make .venv/graded")
from bayeslib.grading import references
from bayeslib.grading.collect import collect
from bayeslib.grading.sandbox import Sandbox
from bayeslib.grading.scoring import marks, questions

NAMES = sorted(path.stem for path in (course.EXERCISES / "references").glob("*.py"))
TASKS = {name: references.load(name, course.EXERCISES).tasks for name in NAMES}
FUNCTIONS = [(name, task) for name in NAMES for task, entry in TASKS[name].items() if entry["kind"] == "function"]
NUMBERS = [(name, task) for name in NAMES for task, entry in TASKS[name].items() if entry["kind"] == "number"]


def source(name):
    return nbformat.read(course.EXERCISES / "source" / name / f"{name}.ipynb", 4)


def known(name):
    return json.loads((course.EXERCISES / "release" / name / "checks.json").read_text())["tasks"]


# --- what is written ---


def test_there_is_an_exercise_for_each_lesson_and_every_second_one_asks_for_an_explanation():
    lessons = sorted(path.stem for path in (course.ROOT / "notebooks").glob("[01][0-9]-*.ipynb"))
    assert NAMES == lessons[1:] == sorted(path.name for path in (course.EXERCISES / "source").iterdir())
    explained = [any(task["kind"] == "explanation" for task in TASKS[name].values()) for name in NAMES]
    assert all(one or other for one, other in zip(explained, explained[1:]))
    assert NAMES == sorted(path.name for path in (course.EXERCISES / "release").iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_has_three_to_six_tasks_for_10_points_and_a_function(name):
    tasks = TASKS[name]
    assert 3 <= len(tasks) <= 6 and sum(task["points"] for task in tasks.values()) == 10
    assert any(task["kind"] == "function" for task in tasks.values())


@pytest.mark.parametrize("name", NAMES)
def test_the_source_is_as_nbgrader_and_the_reference_want_it(name):
    notebook = source(name)
    nbformat.validate(notebook)
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells if "nbgrader" in cell.metadata}
    assert notebook.metadata.kernelspec.name == "python3" and notebook.cells[0].source.startswith(
        f"# Exercise {name[:2]} ·"
    )
    assert f"](../../../{name}.ipynb)" in notebook.cells[0].source, "no way back to the lesson"
    assert cells["setup"].source.endswith(f'check = exercise("{name}")') and cells["setup"].metadata.nbgrader.locked
    for task, entry in TASKS[name].items():
        about = cells[task].metadata.nbgrader
        assert about.grade and about.points == entry["points"]
        if entry["kind"] == "explanation":
            assert about.solution and cells[task].cell_type == "markdown"
            continue
        assert about.locked and not about.solution
        assert cells[task].source == (f"check({task})" if entry["kind"] == "function" else f"check({task}={task})")
        answer = cells[f"{task}-answer"]
        assert answer.metadata.nbgrader.solution and "### BEGIN SOLUTION" in answer.source
    graded = {grade_id for grade_id, cell in cells.items() if cell.metadata.nbgrader.grade}
    assert graded == TASKS[name].keys()
    assert all(not cell.outputs and cell.execution_count is None for cell in notebook.cells if cell.cell_type == "code")


@pytest.mark.parametrize("name", NAMES)
def test_the_source_runs_from_top_to_bottom_and_every_check_is_content(name, monkeypatch, capsys):
    monkeypatch.chdir(course.EXERCISES / "source" / name)
    monkeypatch.syspath_prepend(".")
    monkeypatch.delitem(sys.modules, "data", raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    namespace = {}
    for cell in source(name).cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, cell.id, "exec"), namespace)
    monkeypatch.delitem(sys.modules, "data", raising=False)
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith(tuple(SIGNS.values()))]
    assert len(told) == sum(entry["kind"] != "explanation" for entry in TASKS[name].values())
    assert all(line.startswith(("✓ Correct. ", "• Noted. ")) for line in told), told


# --- marks ---


@pytest.fixture(scope="module")
def sandbox():
    course.need_sandbox()
    with Sandbox(workers=2) as made:
        yield made


def grade(sandbox, name, notebook, folder):
    path = folder / f"{name}.ipynb"
    path.write_text(json.dumps({key: value for key, value in notebook.items() if key != "stubs"}))
    exercise = references.load(name, course.EXERCISES)
    template = nbformat.read(course.EXERCISES / "release" / name / f"{name}.ipynb", 4)
    asked = questions(exercise, references.secret(name, folder))
    work = collect(folder, name, template, exercise.tasks)
    run = sandbox.run(work.cells, [question.ask for question in asked], student="ada", files=exercise.files)
    return {mark.task: mark for mark in marks(exercise, asked, run.answers, "ada")}


@pytest.mark.parametrize("name", NAMES)
def test_the_solutions_get_full_marks_and_the_handout_none(name, sandbox, tmp_path):
    found = grade(sandbox, name, course.solved(course.EXERCISES, name), tmp_path)
    lost = {task: mark.comment for task, mark in found.items() if not mark.by_hand and mark.points != mark.out_of}
    assert not lost
    found = grade(sandbox, name, course.released(course.EXERCISES, name), tmp_path)
    assert all(mark.by_hand or (mark.points == 0 and mark.comment) for mark in found.values())


# --- what students get ---


@pytest.fixture(scope="module")
def regenerated(tmp_path_factory):
    return course.make(tmp_path_factory.mktemp("regenerated"), NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_release_is_what_its_source_gives(name, regenerated):
    stored = {path.name: path.read_text() for path in (course.EXERCISES / "release" / name).iterdir()}
    fresh = {path.name: path.read_text() for path in (regenerated / "release" / name).iterdir()}
    assert stored == fresh, f"make release ASSIGNMENT={name} and commit what it changed"


@pytest.mark.parametrize("name", NAMES)
def test_no_solution_and_no_reference_is_in_a_release(name):
    text = "".join(path.read_text() for path in (course.EXERCISES / "release" / name).iterdir())
    assert not re.search("SOLUTION|TASKS|bayeslib.grading", text)
    solved = course.solved(course.EXERCISES, name)
    for cell in solved["cells"]:
        if cell["id"] in solved["stubs"]:
            stub = solved["stubs"][cell["id"]]
            lines = [
                line.strip()
                for line in cell["source"].splitlines()
                if "#" not in line and line not in stub.splitlines()
            ]
            assert not [line for line in lines if len(line) > 30 and json.dumps(line)[1:-1] in text]


# --- instant checks ---


@pytest.mark.parametrize("name, task", FUNCTIONS)
def test_the_instant_check_knows_the_right_answer_and_every_mistake_by_its_name(name, task):
    entry, tasks = TASKS[name][task], known(name)
    begin = time.perf_counter()
    right, told = judge(tasks, {task: entry["solve"]})
    assert time.perf_counter() - begin < 1, "0.2 s on a quiet machine"
    assert right and told.startswith("Correct. ")
    for mistake, wrong in entry["mistakes"].items():
        right, told = judge(tasks, {task: wrong})
        assert not right and explained(mistake) in told, f"{mistake}: {told}"
    right, told = judge(tasks, {task: lambda *case: None})
    assert not right and "returned None" in told
    assert not judge(tasks, {task: 7})[0]


@pytest.mark.parametrize("name, task", NUMBERS)
def test_the_instant_check_of_a_number_tells_kind_and_range_and_judges_what_it_can(name, task):
    entry, tasks = TASKS[name][task], known(name)
    right, told = judge(tasks, {task: entry["solve"]("ada")})
    assert right is (None if entry.get("varies") else True), told
    assert judge(tasks, {task: None})[0] is False and "must be a number" in judge(tasks, {task: "x"})[1]
    if entry.get("probability"):
        assert "between 0 and 1" in judge(tasks, {task: 1.5})[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_choice_is_noted_and_not_judged(name):
    for task, entry in TASKS[name].items():
        if entry["kind"] == "choice":
            told = {option: judge(known(name), {task: option}) for option in entry["options"]}
            assert all(right is None and f"= {option}." in text for option, (right, text) in told.items())
            assert judge(known(name), {task: "Z"})[0] is False
            assert set(known(name)[task]) == {"kind", "options"}, "the file knows nothing that could tell"


def test_data_is_the_same_for_the_same_id_and_differs_between_ids():
    for name, task in NUMBERS:
        if TASKS[name][task].get("varies"):
            solve = TASKS[name][task]["solve"]
            assert solve("ada") == solve("ada") and len({repr(solve(student)) for student in "abcdefgh"}) > 3
