"""The exercises keep what they promise: full marks for the solutions, none for the handout, mistakes called by their names."""

import ast
import doctest
import json
import re
import sys
from contextlib import suppress

import nbformat
import pytest

from bayeslib.questions.answers import (
    NOTHING,
    PLACEHOLDER,
    broken,
    impossible,
    in_words,
    leaves,
    outcome,
    same,
    shorten,
    shuffled,
)
from bayeslib.questions.exercise import exercise, judge
from bayeslib.questions.misconceptions import explained
from bayeslib.questions.plain import loads
from bayeslib.questions.verdict import SIGNS
from tests import course
from tests.figures import every_third

pytest.importorskip("nbgrader", reason="grading needs nbgrader: make .venv/graded")
from grading import references
from grading.collect import collect
from grading.sandbox import Answer, Limits, Raised, Sandbox
from grading.scoring import best_of, marks, questions, retry_with_correct_dependencies

NAMES = sorted(path.stem for path in (course.EXERCISES / "references").glob("*.py"))
TASKS = {name: references.load(name, course.EXERCISES).tasks for name in NAMES}
FUNCTIONS = [(name, task) for name in NAMES for task, entry in TASKS[name].items() if entry["kind"] == "function"]
NUMBERS = [(name, task) for name in NAMES for task, entry in TASKS[name].items() if entry["kind"] == "number"]


def source(name):
    return nbformat.read(course.EXERCISES / "source" / name / f"{name}.ipynb", 4)


def known(name):
    return json.loads((course.EXERCISES / "release" / name / "checks.json").read_text())["tasks"]


# --- what is written ---


def test_there_is_an_exercise_for_each_lesson():
    lessons = sorted(path.stem for path in (course.ROOT / "notebooks").glob("[01][0-9]-*.ipynb"))
    assert NAMES == lessons[1:] == sorted(path.name for path in (course.EXERCISES / "source").iterdir())
    assert NAMES == sorted(path.name for path in (course.EXERCISES / "release").iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_asks_why_varies_and_tells_where_to_read(name):
    """One explanation; an own order for the options of a choice; a function with variants; a place to read again."""
    tasks = TASKS[name]
    kinds = [entry["kind"] for entry in tasks.values()]
    assert kinds.count("explanation") == 1 and "number" in kinds
    assert all(isinstance(entry["options"], dict) for entry in tasks.values() if entry["kind"] == "choice")
    assert any(entry.get("number of variants", 1) > 1 for entry in tasks.values() if entry["kind"] == "function")
    assert all("read" in entry for entry in tasks.values() if entry["kind"] != "explanation")


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


def run_all(notebook):
    namespace = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            exec(compile(references.rendered(cell.id, cell.source), cell.id, "exec"), namespace)
    return namespace


@pytest.mark.parametrize("name", NAMES)
def test_a_handout_has_one_place_for_each_answer_and_runs_to_its_end(name, monkeypatch, capsys):
    monkeypatch.chdir(course.EXERCISES / "release" / name)
    monkeypatch.syspath_prepend(".")
    monkeypatch.delitem(sys.modules, "data", raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    handout = nbformat.read(f"{name}.ipynb", 4)
    for cell in handout.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            assert len(re.findall("YOUR (CODE|ANSWER) HERE", cell.source)) == 1, cell.source
    run_all(handout)
    monkeypatch.delitem(sys.modules, "data", raising=False)
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith(tuple(SIGNS.values()))]
    assert told and all(line.startswith("✗ Not yet. ") for line in told)


@pytest.mark.parametrize("name", NAMES)
def test_the_source_runs_from_top_to_bottom_and_every_check_is_content(name, monkeypatch, capsys):
    monkeypatch.chdir(course.EXERCISES / "source" / name)
    monkeypatch.syspath_prepend(".")
    monkeypatch.delitem(sys.modules, "data", raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setenv("JUPYTERHUB_USER", "ada")
    run_all(source(name))
    monkeypatch.delitem(sys.modules, "data", raising=False)
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith(tuple(SIGNS.values()))]
    assert len(told) == sum(entry["kind"] != "explanation" for entry in TASKS[name].values())
    assert all(line.startswith(("✓ Correct. ", "• Noted. ")) for line in told), told


# --- marks ---


class About(doctest.OutputChecker):
    """The last digit of a number does not matter."""

    def check_output(self, want, got, optionflags):
        with suppress(ValueError, SyntaxError):
            return same(ast.literal_eval(got), ast.literal_eval(want))
        return super().check_output(want, got, optionflags)


@pytest.mark.parametrize("name, task", FUNCTIONS)
def test_the_examples_of_a_statement_are_true_in_every_variant(name, task):
    for variant in range(TASKS[name][task].get("number of variants", 1)):
        known = references.solutions(name, course.EXERCISES, "ada", {task: variant})
        examples = doctest.DocTestParser().get_doctest(known[task].__doc__, dict(known), f"{task} {variant}", None, 0)
        assert examples.examples and not doctest.DocTestRunner(About()).run(examples).failed


@pytest.fixture(scope="module")
def sandbox():
    course.need_sandbox()
    with Sandbox(Limits(cpu=60, wall=300), workers=2) as made:  # marks do not hang on how busy the computer is
        yield made


@pytest.mark.parametrize("name", every_third(NAMES))
def test_the_solutions_get_full_marks_and_the_handout_none(name, sandbox, tmp_path):
    found, _ = grade(sandbox, name, course.solved(course.EXERCISES, name), tmp_path)
    lost = {task: mark.comment for task, mark in found.items() if not mark.by_hand and mark.points != mark.out_of}
    assert not lost
    found, _ = grade(sandbox, name, course.released(course.EXERCISES, name), tmp_path)
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


@pytest.mark.parametrize("folder", ["source", "release"])
@pytest.mark.parametrize("name", NAMES)
def test_no_stored_number_is_smaller_than_its_tolerance(name, folder):
    """What counts as 0 is stored as 0: the rest of a rounding is another on each processor."""
    tasks = json.loads((course.EXERCISES / folder / name / "checks.json").read_text())["tasks"]
    cases = [case for task in tasks.values() for case in task.get("cases", [])]
    texts = [text for case in cases for text in (case["case"], case.get("wanted"), *case["mistakes"].values()) if text]
    numbers = [each for text in texts for _, each in leaves(loads(text)) if isinstance(each, float)]
    assert texts and not [each for each in numbers if 0 < abs(each) < NOTHING]


@pytest.mark.parametrize("name", NAMES)
def test_no_solution_and_no_reference_is_in_a_release(name):
    text = "".join(path.read_text() for path in (course.EXERCISES / "release" / name).iterdir())
    assert not re.search("SOLUTION|TASKS|grading", text)
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
    right, told, *_ = judge(tasks, {task: entry["solve"]})
    assert right and told.startswith("Correct. ")
    for mistake, wrong in entry["mistakes"].items():
        right, told, *_ = judge(tasks, {task: wrong})
        assert not right and any(explained(mistake, what) in told for what in ("This value", "Stopping here")), told
    right, told, *_ = judge(tasks, {task: lambda *case: None})
    assert not right and "returned None" in told
    assert not judge(tasks, {task: 7})[0]


@pytest.mark.parametrize("name, task", FUNCTIONS)
def test_a_crash_is_answered_like_a_wrong_value(name, task):
    """With what was expected, the case to try again, and a hint, a mistake that breaks there too, or the ValueError wanted."""
    entry = TASKS[name][task]

    def stops(*case):
        raise ZeroDivisionError("division by zero")

    said = judge(known(name), {task: stops})
    assert said.correct is False and "stopped with ZeroDivisionError: division by zero." in said.message
    assert (
        same(said.expected, entry["solve"](*said.failing_case))
        and f"Expected: {shorten(said.expected)}." in said.message
    )
    assert f"`{task}(*check.case)`" in said.message
    assert entry["hint"] in said.message or any(
        explained(tag, "Stopping here") in said.message for tag in entry["mistakes"]
    )
    for wrong in entry["mistakes"].values():
        for case in entry["cases"]:
            if broken(outcome(wrong, case)) and not broken(outcome(entry["solve"], case)):
                said = judge(
                    known(name), {task: lambda *given: stops() if same(given, case) else entry["solve"](*given)}
                )
                assert any(explained(tag, "Stopping here") in said.message for tag in entry["mistakes"]), said.message


def test_a_missing_guard_that_crashes_is_told_that_a_value_error_was_wanted():
    def careless(prior, likelihood):
        products = {h: likelihood[h] * prior[h] for h in prior}
        return {h: product / sum(products.values()) for h, product in products.items()}

    said = judge(known("01-bayes-theorem"), {"posterior": careless})
    assert (
        "stopped with ZeroDivisionError" in said.message
        and "Here no answer exists, so raise a ValueError" in said.message
    )


@pytest.mark.parametrize("name, task", every_third([each for each in FUNCTIONS if TASKS[each[0]][each[1]].get("keys")]))
def test_a_dict_says_which_key_is_wrong_and_earns_its_share(name, task):
    entry = TASKS[name][task]
    exercise = references.load(name, course.EXERCISES)
    asked = [each for each in questions(exercise, "s") if each.task == task]
    for key in entry["keys"]:

        def spoilt(*case):
            return {**entry["solve"](*case), key: "something else"}

        def renamed(*case):
            found = entry["solve"](*case)
            return {f"my_{each}" if each == key else each: value for each, value in found.items()}

        said = judge(known(name), {task: spoilt})
        others = [each for each in entry["keys"] if each != key]
        assert f"Right so far: {in_words(others)}. Not yet right: `{key}`." in said.message
        assert f"Missing: `{key}`. Not asked for: `my_{key}`." in judge(known(name), {task: renamed}).message
        (mark,) = [mark for mark in score(exercise, asked, {task: spoilt}) if mark.task == task]
        assert mark.points == pytest.approx(entry["points"] * len(others) / len(entry["keys"]), abs=0.02)
        assert f"`{key}` did not; a result differs" in mark.comment


def score(exercise, asked, answers, student="ada", others=()):
    """Marks without the sandbox: `answers` are functions and values by the names of their tasks."""

    def result(function, case):
        value = outcome(function, case)
        return Raised(type(value).__name__, "") if isinstance(value, Exception) else value

    found = [
        Answer(None, "not there")
        if each.task not in answers
        else Answer([answers[each.task]])
        if each.request.cases is None
        else Answer([result(answers[each.task], case) for case in each.request.cases])
        for each in asked
    ]
    return marks(exercise, asked, found, student, others)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_task_builds_on_is_what_its_solution_calls(name):
    cells = {cell.id: cell.source.partition("BEGIN SOLUTION")[2] for cell in source(name).cells}
    functions = [task for task, entry in TASKS[name].items() if entry["kind"] == "function"]
    for task, entry in TASKS[name].items():
        if entry["kind"] in {"function", "number"}:
            called = [each for each in functions if each != task and re.search(rf"\b{each}\(", cells[f"{task}-answer"])]
            assert entry.get("builds_on", []) == called


BUILT = [(name, task) for name in NAMES for task, entry in TASKS[name].items() if entry.get("builds_on")]


@pytest.mark.parametrize("name", every_third(sorted({name for name, _ in BUILT})))
def test_an_error_does_not_carry_over(name, sandbox, tmp_path):
    """Every function that others build on is spoilt; what was asked again gets its full marks, and says so."""
    tasks = TASKS[name]
    earlier = {each for task in tasks.values() for each in task.get("builds_on", [])}
    notebook = course.solved(course.EXERCISES, name)
    for each in earlier:
        cell = next(cell for cell in notebook["cells"] if cell["id"] == f"{each}-answer")
        cell["source"] += f"\n\nbefore_{each} = {each}\ndef {each}(*case):\n    return spoil(before_{each}(*case))\n"
        cell["source"] += SPOIL
    found, again = grade(sandbox, name, notebook, tmp_path)
    for task, entry in tasks.items():
        if task in earlier and not entry.get("builds_on"):
            assert found[task].points < found[task].out_of
        elif entry.get("builds_on") and task not in earlier:
            assert found[task].points == found[task].out_of, found[task].comment
            if task in again:
                assert "asked again, with right results in place of your `" in found[task].lines[0].sentence
    assert again


SPOIL = """
def spoil(value):
    if isinstance(value, dict):
        return {key: spoil(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([spoil(each) for each in value])
    return 1 - value if isinstance(value, float) else value[::-1] if isinstance(value, str) else value
"""


def grade(sandbox, name, notebook, folder):
    """The marks, and the tasks that were asked for once more."""
    path = folder / f"{name}.ipynb"
    notebook = course.lettered(notebook, "ada", name)
    path.write_text(json.dumps({key: value for key, value in notebook.items() if key != "stubs"}))
    exercise = references.load(name, course.EXERCISES)
    template = nbformat.read(course.EXERCISES / "release" / name / f"{name}.ipynb", 4)
    asked = questions(exercise, references.secret(name, folder))
    work = collect(folder, name, template, exercise.tasks)

    def run(asks):
        return sandbox.run(work.cells, asks, student="ada", files=exercise.files).answers

    found = marks(exercise, asked, run([question.request for question in asked]), "ada")
    again = retry_with_correct_dependencies(exercise, asked, found, work.answers, "ada", course.EXERCISES)
    found = best_of(exercise, found, again, run([ask for _, ask in again]), "ada")
    return {mark.task: mark for mark in found}, {question.task for question, _ in again}


SECRETS = [f"secret {number}" for number in range(20)]


@pytest.mark.heavy
@pytest.mark.parametrize("name", NAMES)
def test_marks_do_not_depend_on_the_secret(name, monkeypatch):
    """The solutions of the source and every known mistake, scored without the sandbox."""
    exercise = references.load(name, course.EXERCISES)
    functions = {task: entry for task, entry in exercise.tasks.items() if entry["kind"] == "function"}
    solved = references.solutions(name, course.EXERCISES, "ada")
    for task, entry in exercise.tasks.items():
        if entry["kind"] == "choice":
            order = shuffled(entry["options"], entry["salt"], "ada")
            solved[task] = {letter: shown for shown, letter in order.items()}[solved[task]]
    found = {}
    for secret in SECRETS:
        asked = questions(exercise, secret)
        for mark in score(exercise, asked, solved):
            found.setdefault((mark.task, "the solution"), []).append(mark.points)
        for task, entry in functions.items():
            here = [each for each in asked if each.task == task]
            for mistake in entry["mistakes"] | entry.get("near", {}):
                values = [[hidden.wrong[mistake] for hidden in each.cases] for each in here]
                ((points,),) = [[mark.points] for mark in judged(exercise, here, values) if mark.task == task]
                found.setdefault((task, mistake), []).append(points)
    full = {task: float(entry["points"]) for task, entry in exercise.tasks.items() if entry["kind"] != "explanation"}
    assert all(set(found[task, "the solution"]) == {points} for task, points in full.items())
    assert not {key: points for key, points in found.items() if len(set(points)) > 1}


def judged(exercise, asked, values):
    """Marks for results by question."""
    given = [
        Answer([Raised(type(each).__name__, "") if isinstance(each, Exception) else each for each in some])
        for some in values
    ]
    return marks(exercise, asked, given, "ada")


def test_looks_rounded_is_said_only_of_what_is():
    exercise = references.load("06-estimating-probabilities", course.EXERCISES)
    asked, solve = questions(exercise, "s"), exercise.tasks["log_evidence"]["solve"]
    for change, said in ((lambda x: round(x, 3), True), (lambda x: x * 1.0003, False)):
        marked = score(exercise, asked, {"log_evidence": lambda *case: change(solve(*case))})
        assert said == ("looks rounded" in next(mark.comment for mark in marked if mark.task == "log_evidence"))


@pytest.mark.parametrize("name, task", every_third(NUMBERS))
def test_three_digits_of_a_number_are_enough_and_a_mistake_gets_nothing(name, task):
    entry, exercise = TASKS[name][task], references.load(name, course.EXERCISES)
    asked = [each for each in questions(exercise, "s") if each.task == task]

    def mark(value, student="ada", others=()):
        return next(each for each in score(exercise, asked, {task: value}, student, others) if each.task == task)

    for student in ("ada", "bob", "cleo", "dan", "eve"):
        right = entry["solve"](student)
        typed = float(f"{right:.3g}") if abs(right) < 0.1 else round(right, 3)
        assert mark(typed, student).points == mark(right, student).points == entry["points"]
        for mistake, wrong in entry["mistakes"].items():
            if not same(value := wrong(student), right):
                assert mark(value, student).points == 0, (mistake, student)
    right = entry["solve"]("ada")
    few = float(f"{right:.1g}")
    assert mark(few).points == 0 or abs(few - right) < 1e-3
    if entry.get("varies"):
        assert "right for the id 'your id here'" in mark(entry["solve"](PLACEHOLDER)).comment or same(
            entry["solve"](PLACEHOLDER), right, 1e-2
        )


def test_a_number_that_is_right_for_a_neighbour_is_named():
    name, task = "01-bayes-theorem", "share_sick"
    exercise = references.load(name, course.EXERCISES)
    asked = [each for each in questions(exercise, "s") if each.task == task]
    bobs = exercise.tasks[task]["solve"]("bob")
    found = score(exercise, asked, {task: bobs}, "ada", ["ada", "bob"])
    assert "right for another id" in next(mark.comment for mark in found if mark.task == task)


def test_the_id_is_the_hubs_user_or_is_asked_for_once(monkeypatch, tmp_path, capsys):
    monkeypatch.delenv("JUPYTERHUB_USER", raising=False)
    (tmp_path / "01").mkdir()
    monkeypatch.chdir(tmp_path / "01")
    check = exercise("01-bayes-theorem", course.EXERCISES / "release/01-bayes-theorem")
    assert check.student(PLACEHOLDER) == PLACEHOLDER
    scope = {"check": check, "student": PLACEHOLDER}
    exec("check(share_sick=0.25)", scope)
    assert "Not yet. share_sick belongs to nobody's data" in capsys.readouterr().out
    assert check.student("ada") == "ada" == check.student(PLACEHOLDER), "another exercise asks no more"
    exec("check(share_sick=0.25)", scope | {"student": "ada"})
    told = " ".join(capsys.readouterr().out.split())
    assert "Noted. share_sick = 0.25." in told and "three decimals at least" in told
    monkeypatch.setenv("JUPYTERHUB_USER", "bob")
    assert check.student(PLACEHOLDER) == check.student("ada") == "bob"


def test_the_order_of_options_is_the_students_own_and_a_neighbours_letter_earns_nothing(capsys):
    name, task = "01-bayes-theorem", "reading"
    made = references.load(name, course.EXERCISES)
    entry, asked = made.tasks[task], [each for each in questions(made, "s") if each.task == task]
    check, texts, letters = exercise(name, course.EXERCISES / "release" / name), entry["options"], set()
    for number in range(40):
        student = f"student{number}"
        check.options(task, student)
        shown = dict(re.findall(r"- \*\*(.)\.\*\* (.*)", capsys.readouterr().out))
        assert sorted(shown.values()) == sorted(texts.values()) and list(shown) == list("ABCD")
        (right,) = [letter for letter, text in shown.items() if text == texts[entry["solve"]]]
        letters.add(right)
        for letter, text in shown.items():
            (mark,) = [each for each in score(made, asked, {task: letter}, student) if each.task == task]
            assert mark.points == (letter == right)
            if letter != right:
                written = next(each for each in texts if texts[each] == text)
                assert explained(entry["mistakes"][written], "this answer")[1:] in mark.comment
    assert letters == set("ABCD")
    assert "write your id" in judge(known(name), {task: "A"}, PLACEHOLDER).message
    told = course.run(course.EXERCISES, "variant", name, "--student=student39")
    assert f"reading = {right};" in told and "table = {'sick':" in told and "share_sick = " in told


@pytest.mark.heavy
def test_the_classs_secret_draws_the_variant_and_a_copied_solution_loses(tmp_path, monkeypatch):
    course.need_sandbox()
    name, task = "01-bayes-theorem", "belief_after"
    secrets = iter([f"class {number}" for number in range(50)])
    drawn = {}
    while len(drawn) < 2:
        secret = next(secrets)
        folder = tmp_path / secret
        (folder / "secrets").mkdir(parents=True)
        (folder / "secrets" / name).write_text(secret)
        course.make(folder, sample=False)
        drawn.setdefault(references.released_variants(folder / "release" / name)[task], folder)
    for place, folder in drawn.items():
        text = (folder / "release" / name / f"{name}.ipynb").read_text()
        assert f"Return P({['sick', 'healthy'][place]})" in text and "⟦" not in text
        course.submit(folder, "ada", course.solved(folder, name))
        course.submit(folder, "copied", course.solved(course.EXERCISES, name))
        course.run(folder, "grade", name)
        found = course.rows(folder, name)
        assert found["ada"]["score"] == 8
        assert found["copied"]["tasks"][task] == (0 if place else 3)
    exercise = references.load(name, course.EXERCISES, {task: 1})
    solve = references.solutions(name, course.EXERCISES, "ada", {task: 1})[task]
    checks = references._checks(name, exercise.tasks)["tasks"]
    assert judge(checks, {task: solve}).correct
    for mistake, wrong in exercise.tasks[task]["mistakes"].items():
        assert explained(mistake) in judge(checks, {task: wrong}).message


@pytest.mark.heavy
def test_variants_stay_as_they_were_handed_out_once_somebody_has_handed_in(tmp_path):
    name, task = "01-bayes-theorem", "belief_after"
    (tmp_path / "secrets").mkdir()
    folder = course.make(tmp_path)
    released = folder / "release" / name

    def drawn(secret):
        (folder / "secrets" / name).write_text(secret)
        course.run(folder, "release", name)
        return references.released_variants(released)[task]

    before = {secret: drawn(secret) for secret in "abcdef"}
    assert set(before.values()) == {0, 1}, "these secrets draw both"
    drawn(next(secret for secret, variant in before.items() if variant))
    course.submit(folder, "ada", course.solved(folder, name))
    assert {drawn(secret) for secret in before} == {1}
    course.run(folder, "release", name, "--sample")
    text = (released / f"{name}.ipynb").read_text()
    assert references.released_variants(released)[task] == 1 and "Return P(healthy)" in text


def test_check_keeps_the_case_that_failed(capsys):
    check = exercise("02-concept-learning", course.EXERCISES / "release/02-concept-learning")

    def survivors(values, examples):
        return []

    check(survivors)
    assert TASKS["02-concept-learning"]["survivors"]["solve"](*check.case) == check.wanted != []
    check(TASKS["02-concept-learning"]["survivors"]["solve"])
    assert check.case is check.wanted is None


def test_where_to_read_again_is_a_heading_of_the_lesson():
    for name in NAMES:
        lesson = nbformat.read(course.ROOT / "notebooks" / f"{name}.ipynb", 4)
        headings = re.findall(
            r"(?m)^##+ (.*)", "\n".join(cell.source for cell in lesson.cells if cell.cell_type == "markdown")
        )
        assert {task["read"] for task in TASKS[name].values() if "read" in task} <= set(headings)


def test_every_hidden_input_is_drawn():
    assert not [
        (name, task, check["says"])
        for name, task in FUNCTIONS
        for check in TASKS[name][task]["checks"]
        if "cases" in check
    ]


@pytest.mark.parametrize("name, task", NUMBERS)
def test_the_instant_check_of_a_number_tells_kind_and_range_and_judges_what_it_can(name, task):
    entry, tasks = TASKS[name][task], known(name)
    right, told, *_ = judge(tasks, {task: entry["solve"]("ada")})
    assert right is (None if entry.get("varies") else True), told
    assert judge(tasks, {task: None})[0] is False and "must be a number" in judge(tasks, {task: "x"})[1]
    if entry.get("probability"):
        assert "between 0 and 1" in judge(tasks, {task: 1.5})[1]


@pytest.mark.parametrize("name, task", every_third(NUMBERS))
def test_a_number_outside_what_is_possible_is_refused_with_the_range_and_every_right_one_is_within(name, task):
    entry = TASKS[name][task]
    low, high = (0, 1) if entry.get("probability") else (entry.get("low"), entry.get("high"))
    for number in range(30):
        right = entry["solve"](f"student{number}")
        assert not impossible(entry, right) and not impossible(entry, float(f"{right:.3g}"))
    for value, bound in ((low, -1), (high, 1)):
        if value is not None:
            said = judge(known(name), {task: value + bound * 0.5}, "ada")
            assert said.correct is False and f"{value:g}" in said.message and f"{task} is" in said.message
    assert judge(known(name), {task: float("nan")}, "ada").correct is False


UNBOUNDED = {
    ("03-maximum-likelihood", "lead"),
    ("06-estimating-probabilities", "support"),
    ("11-em-for-networks", "slope"),
}


def test_every_number_that_has_a_range_by_its_nature_says_so():
    assert {
        each for each in NUMBERS if not {"probability", "low", "high"} & TASKS[each[0]][each[1]].keys()
    } == UNBOUNDED


@pytest.mark.parametrize("name, task", every_third([each for each in FUNCTIONS if TASKS[each[0]][each[1]].get("keys")]))
def test_each_key_of_a_dict_has_a_hint_of_its_own(name, task):
    for variant in range(TASKS[name][task].get("number of variants", 1)):
        made = references.load(name, course.EXERCISES, {task: variant})
        entry, checks = made.tasks[task], references._checks(name, made.tasks)["tasks"]
        hints = checks[task]["hints"]
        assert list(hints) == list(entry["keys"]) and len(set(hints.values())) == len(hints)
        asked = [each for each in questions(made, "s") if each.task == task]
        for key, hint in hints.items():

            def spoilt(*case):
                return {**entry["solve"](*case), key: "something else"}

            assert hint in judge(checks, {task: spoilt}).message
            (mark,) = [mark for mark in score(made, asked, {task: spoilt}) if mark.task == task]
            assert hint in mark.comment


def test_of_two_errors_in_two_keys_one_is_named():
    name, task = "15-local-models", "choose_bandwidth"
    solve = TASKS[name][task]["solve"]

    def rooted_and_numbered(*case):
        found = solve(*case)
        return {"errors": [error**0.5 for error in found["errors"]], "best": case[2].index(found["best"])}

    assert "the mean square, without a root" in judge(known(name), {task: rooted_and_numbered}, hint=False).message


def test_a_result_of_another_kind_and_a_check_without_a_name_are_told_so():
    tasks = known("15-local-models")
    assert "The result must be a number, and is a list." in judge(tasks, {"local_fit": lambda *case: [1.0]}).message
    assert "goes with its name, as in `check(x=x)`" in judge(tasks, {"": 3.0}).message


def test_the_hint_comes_with_the_second_wrong_try(capsys):
    name = "01-bayes-theorem"
    check, entry = exercise(name, course.EXERCISES / "release" / name), TASKS[name]["posterior"]

    def said(function):
        function.__name__ = "posterior"
        check(function)
        return " ".join(capsys.readouterr().out.split())

    def constant(prior, likelihood):
        return dict.fromkeys(prior, 0.123)

    def crash(prior, likelihood):
        raise TypeError("no")

    def unwritten(prior, likelihood):
        raise NotImplementedError

    for wrong in (constant, crash):
        assert "still to be written" in said(unwritten)
        first, second = said(wrong), said(wrong)
        assert entry["hint"] not in first and "it gives a hint." in first and "Expected: " in first
        assert entry["hint"] in second and "it gives a hint." not in second
        assert "Correct." in said(lambda *case: entry["solve"](*case))


def test_a_function_that_changes_its_argument_is_told_so_and_loses_no_marks():
    name, task = "08-inference", "eliminate"
    made = references.load(name, course.EXERCISES)
    solve, asked = made.tasks[task]["solve"], [each for each in questions(made, "s") if each.task == task]

    def greedy(factors, variable):
        found = solve(factors, variable)
        factors[:] = [factor for factor in factors if variable not in factor["variables"]]
        return found

    said = judge(known(name), {task: greedy})
    assert said.correct and said.message.startswith(
        "Nearly. 7 of 7 cases agree. `eliminate` changes `factors` in place"
    )
    (mark,) = [mark for mark in score(made, asked, {task: greedy}) if mark.task == task]
    assert mark.points == mark.out_of

    def wrong(factors, variable):
        factors.clear()
        return {}

    said = judge(known(name), {task: wrong})
    assert said.correct is False and "changes `factors` in place" in said.message and said.failing_case[0]


@pytest.mark.parametrize("name", NAMES)
def test_the_right_option_is_not_to_be_told_by_its_length(name):
    for entry in TASKS[name].values():
        if entry["kind"] == "choice":
            lengths = {letter: len(text) for letter, text in entry["options"].items()}
            assert lengths[entry["solve"]] <= max(n for letter, n in lengths.items() if letter != entry["solve"])


def test_the_passengers_that_are_shown_have_one_without_an_age():
    name = "11-em-for-networks"
    for number in range(40):
        shown = references.own_data(name, course.EXERCISES, f"student{number}")["titanic"][1]
        assert any(row["C"] is None for row in shown["rows"]) and any(row["C"] is not None for row in shown["rows"])


@pytest.mark.parametrize("name", NAMES)
def test_a_choice_is_noted_and_not_judged(name):
    for task, entry in TASKS[name].items():
        if entry["kind"] == "choice":
            told = {option: judge(known(name), {task: option}, "ada") for option in entry["options"]}
            assert all(said.correct is None and f"= {option}." in said.message for option, said in told.items())
            assert judge(known(name), {task: "Z"})[0] is False
            assert set(known(name)[task]) == {"kind", "options"}, "the file knows nothing that could tell"


def test_data_is_the_same_for_the_same_id_and_differs_between_ids():
    for name, task in NUMBERS:
        if TASKS[name][task].get("varies"):
            solve = TASKS[name][task]["solve"]
            assert solve("ada") == solve("ada") and len({repr(solve(student)) for student in "abcdefgh"}) > 3
