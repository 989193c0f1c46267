"""The exercises keep what they promise: full marks for the solutions, none for the handout, mistakes called by their names."""

import ast
import doctest
import json
import re
import runpy
import sys
from contextlib import closing, suppress
from functools import cache, partial

import nbformat
import pytest

from bayeslib.questions.answers import (
    PLACEHOLDER,
    impossible,
    in_words,
    outcome,
    same,
    shorten,
    shuffled,
)
from bayeslib.questions.exercise import exercise, judge, read
from bayeslib.questions.verdict import SIGNS
from tests import course
from tests.figures import every_third

pytest.importorskip("nbgrader", reason="grading needs nbgrader: make .venv/graded")
from grading import references
from grading.collect import collect
from grading.oracle import Oracle
from grading.sandbox import Answer, Limits, Raised, Sandbox
from grading.scoring import marks, questions, questions_for, with_second_run

NAMES = sorted(path.stem for path in (course.EXERCISES / "references").glob("*.py"))
LOADED = {name: references.load(name, course.EXERCISES) for name in NAMES}
TASKS = {name: LOADED[name].tasks for name in NAMES}
FUNCTIONS, NUMBERS, CHOICES = (
    [(name, task) for name in NAMES for task, entry in TASKS[name].items() if entry["kind"] == kind]
    for kind in ("function", "number", "choice")
)


def source(name):
    return nbformat.read(course.EXERCISES / "source" / name / f"{name}.ipynb", 4)


@cache
def known(name):
    return read(json.loads((course.EXERCISES / "release" / name / "checks.json").read_text()))


@cache  # the inputs of the hidden checks take longest of all, so all tests share them
def asked(name, secret="one class"):
    return questions(LOADED[name], secret)


def score(name, answers, student="ada", others=(), secret="one class"):
    """Marks without the sandbox, by task: `answers` are functions and values by the names of their tasks."""

    def result(function, case):
        value = outcome(function, case)
        return Raised(type(value).__name__, "") if isinstance(value, Exception) else value

    mine = [each for each in asked(name, secret) if each.task in answers]
    found = [
        Answer([result(answers[each.task], case) for case in each.request.cases or ()])
        if each.request.cases is not None
        else Answer([answers[each.task]])
        for each in mine
    ]
    return {mark.task: mark for mark in marks(LOADED[name], mine, found, student, others)}


# --- what is written ---


def test_there_is_an_exercise_for_each_lesson():
    lessons = sorted(path.stem for path in (course.ROOT / "notebooks").glob("[01][0-9]-*.ipynb"))
    assert NAMES == lessons[1:] == sorted(path.name for path in (course.EXERCISES / "source").iterdir())
    assert NAMES == sorted(path.name for path in (course.EXERCISES / "release").iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_has_three_to_six_tasks_for_10_points_asks_why_varies_and_tells_where_to_read(name):
    tasks = TASKS[name]
    kinds = [entry["kind"] for entry in tasks.values()]
    assert 3 <= len(tasks) <= 6 and sum(task["points"] for task in tasks.values()) == 10
    assert kinds.count("explanation") == 1 and {"number", "function"} <= set(kinds)
    assert any(entry.get("number of variants", 1) > 1 for entry in tasks.values())
    lesson = (course.ROOT / "notebooks" / f"{name}.ipynb").read_text()
    told = {entry["read"] for entry in tasks.values() if entry["kind"] != "explanation"}
    assert not [
        each
        for each in told
        if not re.search(f'"##+ {re.escape(json.dumps(each, ensure_ascii=False)[1:-1])}["\\\\]', lesson)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_source_is_as_nbgrader_and_the_reference_want_it(name):
    notebook = source(name)
    nbformat.validate(notebook)
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells if "nbgrader" in cell.metadata}
    assert f"](../../../{name}.ipynb)" in notebook.cells[0].source, "no way back to the lesson"
    assert cells["setup"].source.endswith(f'check = exercise("{name}")') and cells["setup"].metadata.nbgrader.locked
    for task, entry in TASKS[name].items():
        by_hand, about = entry["kind"] == "explanation", cells[task].metadata.nbgrader
        assert about.grade and about.points == entry["points"] and about.solution == by_hand != about.locked
        if not by_hand:
            assert cells[task].source == (f"check({task})" if entry["kind"] == "function" else f"check({task}={task})")
            assert "### BEGIN SOLUTION" in cells[f"{task}-answer"].source
    assert {grade_id for grade_id, cell in cells.items() if cell.metadata.nbgrader.grade} == TASKS[name].keys()
    assert all(not cell.outputs and cell.execution_count is None for cell in notebook.cells if cell.cell_type == "code")


@pytest.mark.parametrize("name", NAMES)
def test_every_check_of_the_source_is_content_and_none_of_the_handout(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setenv("JUPYTERHUB_USER", "ada")
    number = sum(entry["kind"] != "explanation" for entry in TASKS[name].values())
    for folder, signs in {"source": ("✓ Correct. ", "• Noted. "), "release": ("○ Your turn. ",)}.items():
        monkeypatch.chdir(course.EXERCISES / folder / name)
        monkeypatch.syspath_prepend(".")
        monkeypatch.delitem(sys.modules, "data", raising=False)
        namespace = {}
        for cell in nbformat.read(f"{name}.ipynb", 4).cells:
            if cell.cell_type == "code":
                exec(compile(references.rendered(cell.id, cell.source), cell.id, "exec"), namespace)
            if folder == "release" and cell.metadata.get("nbgrader", {}).get("solution"):
                assert len(re.findall("YOUR (CODE|ANSWER) HERE", cell.source)) == 1, cell.source
        told = [line for line in capsys.readouterr().out.splitlines() if line.startswith(tuple(SIGNS.values()))]
        assert len([line for line in told if line.startswith(signs)]) == number, told
        monkeypatch.delitem(sys.modules, "data", raising=False)


class About(doctest.OutputChecker):
    """The last digit of a number does not matter."""

    def check_output(self, want, got, optionflags):
        with suppress(ValueError, SyntaxError):
            return same(ast.literal_eval(got), ast.literal_eval(want))
        return super().check_output(want, got, optionflags)


@pytest.mark.parametrize("name, task", FUNCTIONS)
def test_the_examples_of_a_statement_are_true_in_every_variant(name, task):
    for variant in range(TASKS[name][task].get("number of variants", 1)):
        scope = references.solutions(name, course.EXERCISES, "ada", {task: variant})
        examples = doctest.DocTestParser().get_doctest(scope[task].__doc__, dict(scope), f"{task} {variant}", None, 0)
        assert examples.examples and not doctest.DocTestRunner(About()).run(examples).failed


@pytest.mark.parametrize("name, task", [*FUNCTIONS, *NUMBERS])
def test_what_a_task_builds_on_is_what_its_solution_calls(name, task):
    (cell,) = [cell for cell in source(name).cells if cell.id == f"{task}-answer"]
    solution = cell.source.partition("BEGIN SOLUTION")[2]
    others = [each for at, each in FUNCTIONS if at == name and each != task]
    assert TASKS[name][task].get("builds_on", []) == [each for each in others if re.search(rf"\b{each}\(", solution)]


@pytest.mark.parametrize("name, task", NUMBERS)
def test_data_is_the_same_for_the_same_id_and_differs_between_ids(name, task):
    fresh = references.load(name, course.EXERCISES).tasks[task]["solve"]
    values = {repr(TASKS[name][task]["solve"](student)) for student in "abcdef"}
    assert repr(fresh("a")) in values and (len(values) > 3) == bool(TASKS[name][task].get("varies"))


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
def test_no_solution_no_reference_and_no_almost_right_answer_is_in_a_release(name):
    text = "".join(path.read_text() for path in (course.EXERCISES / "release" / name).iterdir())
    assert not re.search("SOLUTION|TASKS|grading", text)
    assert not [what for entry in TASKS[name].values() for what in entry.get("almost_right", {}) if what in text]
    solved = course.solved(course.EXERCISES, name)
    for cell in solved["cells"]:
        if stub := solved["stubs"].get(cell["id"]):
            lines = {
                line.strip() for line in set(cell["source"].splitlines()) - {*stub.splitlines()} if "#" not in line
            }
            assert not [line for line in lines if len(line) > 30 and json.dumps(line)[1:-1] in text]


# --- marks ---


@pytest.fixture(scope="module")
def sandbox():
    course.need_sandbox()
    with Sandbox(Limits(cpu=60, wall=300), workers=2) as made:  # marks do not hang on how busy the computer is
        yield made


def grade(sandbox, name, notebook, folder):
    """The marks by task, and the tasks that were asked for once more."""
    path, made, mine = folder / f"{name}.ipynb", LOADED[name], asked(name)
    path.write_text(json.dumps(course.lettered(notebook, "ada", name) | {"stubs": None}))
    template = nbformat.read(course.EXERCISES / "release" / name / f"{name}.ipynb", 4)
    ((_, work),) = collect({"ada": folder}, name, template, made.tasks)

    with closing(Oracle(name, course.EXERCISES, {})) as ask:

        def run(asks):
            requests = [question.request for question in asks]
            return sandbox.run(work.cells, requests, student="ada", files=made.files, ask=ask).answers

        answers = run(mine)
        found = marks(made, mine, answers, "ada")
        if again := questions_for(made, mine, found):
            found = with_second_run(made, mine, answers, found, again, run(again), "ada")
    return {mark.task: mark for mark in found}, {each.task for each in again if each.request.given}


SPOIL = """

def spoil(value):
    if isinstance(value, dict):
        return {key: spoil(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([spoil(each) for each in value])
    return 1 - value if isinstance(value, float) else value[::-1] if isinstance(value, str) else value

before_NAME = NAME
def NAME(*case):
    return spoil(before_NAME(*case))
"""


@pytest.mark.parametrize("name", every_third(NAMES))
def test_in_the_sandbox_the_solutions_get_full_marks_and_an_error_does_not_carry_over(name, sandbox, tmp_path):
    """Then every function that others build on is spoilt; what was asked again gets its full marks, and says so."""
    notebook, tasks = course.solved(course.EXERCISES, name), TASKS[name]
    found, _ = grade(sandbox, name, notebook, tmp_path)
    assert not [mark for mark in found.values() if not mark.by_hand and mark.points != mark.out_of]
    earlier = {each for task in tasks.values() for each in task.get("builds_on", [])}
    for cell in notebook["cells"]:
        if (task := cell["id"].removesuffix("-answer")) in earlier and task != cell["id"]:
            cell["source"] += SPOIL.replace("NAME", task)
    found, again = grade(sandbox, name, notebook, tmp_path)
    assert bool(again) == bool(earlier)
    for task, entry in tasks.items():
        if task in earlier and not entry.get("builds_on"):
            assert found[task].points < found[task].out_of
        elif entry.get("builds_on") and task not in earlier:
            assert found[task].points == found[task].out_of, found[task].comment
            assert task not in again or "with right results in place of your `" in found[task].comment


GREEDY = """
def eliminate(factors, variable):
    from itertools import product
    mine = [factor for factor in factors if variable in factor["variables"]]
    names = sorted({name for factor in mine for name in factor["variables"]} - {variable})
    table = {}
    for states in product([True, False], repeat=len(names)):
        found = []
        for state in (True, False):
            world, chance = dict(zip(names, states)) | {variable: state}, 1
            for factor in mine:
                chance *= factor["table"][tuple(world[name] for name in factor["variables"])]
            found.append(chance)
        table[states] = max(found)
    return {"variables": names, "table": table}
"""
KNOWING_NOTHING = "def known_posterior(rows, labels, query):\n    return dict.fromkeys(labels, 0.5)"
WAYS = {
    ("08-inference", "diagnosis"): (
        "eliminate",
        GREEDY,
        [
            lambda text, order=order: text.replace('["Vessels", "Male", "ST", "Angina", "NoPain"]', repr(order))
            for order in (["NoPain", "Angina", "ST", "Vessels", "Male"], ["Male", "NoPain", "ST", "Vessels", "Angina"])
        ]
        + [lambda text: text.replace("eliminate(factors, name)", "eliminate(variable=name, factors=factors[::-1])")],
    ),
    ("05-naive-bayes", "honest"): (
        "known_posterior",
        KNOWING_NOTHING,
        [
            lambda text: text.replace("(sky, air, wind, None)", "[sky, air, None, flag]"),
            lambda text: text.replace('log["rows"]', '[row[:3] for row in log["rows"]]').replace(", None)", ")"),
            lambda text: text.replace('log["rows"]', '[[row[3], row[0], row[1]] for row in log["rows"]]').replace(
                "(sky, air, wind, None)", "(flag, sky, air)"
            ),
        ],
    ),
}


@pytest.mark.parametrize("name, task", WAYS)
def test_right_code_after_a_wrong_function_gets_its_points_in_whatever_order_it_calls(name, task, sandbox, tmp_path):
    earlier, wrong, ways = WAYS[name, task]
    for way in ways:
        notebook = course.answer(course.solved(course.EXERCISES, name), f"{earlier}-answer", wrong)
        for cell in notebook["cells"]:
            if cell["id"] == f"{task}-answer":
                cell["source"], before = way(cell["source"]), cell["source"]
                assert cell["source"] != before
        found, _ = grade(sandbox, name, notebook, tmp_path)
        assert found[earlier].points == 0 and found[task].points == found[task].out_of, found[task].comment


@pytest.mark.parametrize("name", every_third(NAMES))
def test_marks_do_not_depend_on_the_secret_and_a_mistake_is_named(name):
    """The solutions of the source and every known mistake, scored without the sandbox."""
    solved, points = references.solutions(name, course.EXERCISES, "ada"), {}
    for task, entry in TASKS[name].items():
        if entry["kind"] == "choice":
            order = shuffled(entry["options"], entry["salt"], "ada")
            solved[task] = {letter: shown for shown, letter in order.items()}[solved[task]]
        for secret in ("one class", "another class", "a third class") if entry["kind"] != "explanation" else ():
            assert score(name, {task: solved[task]}, secret=secret)[task].points == entry["points"]
            suspects = entry["mistakes"] | entry.get("near", {}) if entry["kind"] == "function" else {}
            for mistake, wrong in suspects.items():
                mark = score(name, {task: wrong}, secret=secret)[task]
                points.setdefault((task, mistake), set()).add(mark.points)
                assert mistake not in entry["mistakes"] or mark.verdict.mistake in entry["mistakes"], mistake
    assert not {key: each for key, each in points.items() if len(each) > 1}


@pytest.mark.parametrize("name, task", every_third(NUMBERS))
def test_three_digits_of_a_number_are_enough_and_a_mistake_or_a_neighbours_number_gets_nothing(name, task):
    entry, right = TASKS[name][task], TASKS[name][task]["solve"]("ada")
    typed, few = float(f"{right:.3g}") if abs(right) < 0.1 else round(right, 3), float(f"{right:.1g}")
    wrong = {mistake: solve("ada") for mistake, solve in entry["mistakes"].items()}
    found = {value: score(name, {task: value}, "ada")[task].points for value in (right, typed, few, *wrong.values())}
    assert found[right] == found[typed] == entry["points"] and not impossible(entry, typed)
    assert found[few] == 0 or abs(few - right) < 1e-3
    assert not [mistake for mistake, value in wrong.items() if found[value] and not same(value, right)]
    for other in (PLACEHOLDER, "bob"):
        if entry.get("varies") and not same(value := entry["solve"](other), right, 1e-2):
            comment = score(name, {task: value}, "ada", ["ada", "bob"])[task].comment
            assert "right for " in comment or value in wrong.values()


def test_the_order_of_options_is_the_students_own_and_a_neighbours_letter_earns_nothing(capsys):
    name, task = course.NAME, "reading"
    check, entry, letters = exercise(name, course.EXERCISES / "release" / name), TASKS[name][task], set()
    written = {text: letter for letter, text in entry["options"].items()}
    for student in map(str, range(20)):
        check.options(task, student)
        shown = dict(re.findall(r"- \*\*(.)\.\*\* (.*)", capsys.readouterr().out))
        assert set(shown.values()) == written.keys() and list(shown) == list("ABCD")
        for letter, text in shown.items():
            mark, right = score(name, {task: letter}, student)[task], written[text] == entry["solve"]
            assert mark.points == right
            assert right or mark.verdict.mistake == entry["mistakes"][written[text]]
            letters |= {letter} if right else set()
    assert letters == set("ABCD")
    told = course.run(course.EXERCISES, "variant", name, f"--student={student}")
    assert "reading = " in told and "table = {'sick':" in told and "share_sick = " in told


@pytest.mark.heavy
def test_the_classs_secret_draws_the_variant_which_stays_and_a_copied_solution_loses(tmp_path):
    course.need_sandbox()
    name, task = course.NAME, "belief_after"
    (tmp_path / "secrets").mkdir()
    folder = course.make(tmp_path)

    def drawn(secret):
        (folder / "secrets" / name).write_text(64 * secret)
        course.run(folder, "release", name)
        return references.released_variants(folder / "release" / name)[task]

    secrets = {drawn(secret): secret for secret in "abcdef"}
    assert drawn(secrets[1]) == 1
    text = json.dumps(course.released(folder))
    assert "Return P(healthy)" in text and "⟦" not in text
    course.submit(folder, "ada", course.solved(folder))
    course.submit(folder, "copied", course.solved(course.EXERCISES))
    assert drawn(secrets[0]) == 1, "somebody has handed in, so the variant stays"
    course.run(folder, "grade", name)
    found = course.rows(folder)
    assert found["ada"]["score"] == 8 and found["copied"]["tasks"][task] == 0


# --- instant checks ---


@pytest.mark.parametrize("name, task", FUNCTIONS)
def test_the_instant_check_knows_the_right_answer_and_every_mistake_by_its_name(name, task):
    entry, tasks = TASKS[name][task], known(name)
    found = judge(tasks, {task: entry["solve"]})
    assert found.correct and found.message.startswith("Correct. ")
    for mistake, wrong in entry["mistakes"].items():
        found = judge(tasks, {task: wrong})
        assert not found.correct and found.mistake in entry["mistakes"], f"{mistake}: {found.message}"
    found = judge(tasks, {task: lambda *case: None})
    assert not found.correct and "returned None" in found.message
    assert not judge(tasks, {task: 7}).correct


WRONG = runpy.run_path(course.EXERCISES / "references/_wrong/answers.py")


@pytest.mark.parametrize("name, task", WRONG["NAMED"])
@pytest.mark.filterwarnings("ignore")
def test_a_slip_that_the_rules_were_not_written_from_gets_its_own_name_or_none(name, task):
    found = {}
    for slip in WRONG["NAMED"][name, task]:
        said = judge(known(name), {task: partial(WRONG[task], slip=slip)})
        guard = "ValueError" if "raise a ValueError" in said.sentence else ""
        found[slip] = "right" if said.correct else said.mistake or guard
    assert {slip: name[:48] for slip, name in found.items()} == WRONG["NAMED"][name, task]


def test_of_all_slips_at_least_85_percent_are_named():
    names = [name for slips in WRONG["NAMED"].values() for name in slips.values() if name != "right"]
    assert len(names) >= 60 and sum(map(bool, names)) >= 0.85 * len(names)


def test_no_mistake_is_named_that_other_results_contradict():
    """Half and half where every score is 0, and right elsewhere: one case looks like the inverse fallacy, six do not."""
    name, task = "05-naive-bayes", "known_posterior"

    def halves(*case):
        found = outcome(TASKS[name][task]["solve"], case)
        return dict.fromkeys(sorted(set(case[1])), 1 / len(set(case[1]))) if isinstance(found, ValueError) else found

    said = judge(known(name), {task: halves})
    assert not said.correct and not said.mistake and "raise a ValueError" in said.sentence


@pytest.mark.parametrize("name, task", FUNCTIONS)
def test_what_an_exception_says_is_true_of_its_variant(name, task):
    """The message that the right answer raises is read by students, so it may not speak of another variant's reason."""
    texts = []
    for variant in range(TASKS[name][task].get("number of variants", 1)):
        entry = references.load(name, course.EXERCISES, {task: variant}).tasks[task]
        results = [outcome(entry["solve"], case) for case in entry["cases"]]
        texts.append({str(result) for result in results if isinstance(result, Exception)})
        words = json.dumps([entry["hint"], list(entry["mistakes"])]) + "".join(texts[-1])
        others = {*"known ruled_out".split()} - {*entry["arguments"].split(", ")} if "best_path" == task else set()
        assert not [each for each in others if f"`{each}`" in words.replace("not one that is ruled out", "")]
    assert name != "08-inference" or task != "best_world" or not texts[0] & texts[1]


def test_a_loop_without_an_end_is_ended_and_said_so(monkeypatch):
    judging = sys.modules["bayeslib.questions.judge"]
    monkeypatch.setattr(judging, "SECONDS", 1)

    def endless(*case):
        while True:
            pass

    said = judge(known(course.NAME), {"posterior": endless})
    assert not said.correct and "has not ended after 1 s" in said.message and "loop" in said.sentence


@pytest.mark.parametrize("name, task", FUNCTIONS)
def test_a_crash_is_answered_like_a_wrong_value(name, task):
    """With what was expected, the case to try again, and a hint, or a mistake that breaks there too."""
    entry = TASKS[name][task]
    found = judge(known(name), {task: lambda *case: 1 / 0})
    (case, wanted, _), told = found.case, found.message
    assert found.correct is False and "stopped with ZeroDivisionError: division by zero, in line" in told
    assert same(wanted, entry["solve"](*case)) and f"Expected: {shorten(wanted)}." in told
    assert entry["hint"] in told


def test_a_missing_guard_that_crashes_is_told_that_a_value_error_was_wanted():
    careless = {"posterior": lambda p, q: {h: p[h] * q[h] / sum(p[each] * q[each] for each in p) for h in p}}
    told = judge(known(course.NAME), careless).message
    assert "stopped with ZeroDivisionError" in told and "Here no answer exists, so raise a ValueError" in told


@pytest.mark.parametrize("name, task", [each for each in FUNCTIONS if TASKS[each[0]][each[1]].get("keys")])
def test_a_dict_says_which_key_is_wrong_with_a_hint_of_its_own_and_earns_its_share(name, task):
    entry, hints = TASKS[name][task], known(name)[task]["hints"]
    assert list(hints) == list(entry["keys"]) and len(set(hints.values())) == len(hints)
    for key, hint in hints.items():
        others = [each for each in hints if each != key]
        spoilt = lambda *case: {**entry["solve"](*case), key: "something else"}  # noqa: E731
        told = judge(known(name), {task: spoilt}).message
        assert f"Right so far: {in_words(others)}. Not yet right: `{key}`." in told and hint in told
        renamed = lambda *case: {f"my_{at}" if at == key else at: x for at, x in entry["solve"](*case).items()}  # noqa: E731
        assert f"Missing: `{key}`. Not asked for: `my_{key}`." in judge(known(name), {task: renamed}).message
        mark = score(name, {task: spoilt})[task]
        assert mark.points == pytest.approx(entry["points"] * len(others) / len(hints), abs=0.02)
        assert hint in mark.verdict.hint


def test_of_two_errors_in_two_keys_one_is_named():
    name, task = "15-local-models", "choose_bandwidth"

    def rooted_and_numbered(*case):
        errors, best = TASKS[name][task]["solve"](*case).values()
        return {"errors": [error**0.5 for error in errors], "best": case[2].index(best)}

    assert "the mean square, without a root" in judge(known(name), {task: rooted_and_numbered}).message


def test_a_result_of_another_kind_and_a_check_without_a_name_are_told_so():
    tasks = known("15-local-models")
    assert "The result must be a number, and is a list." in judge(tasks, {"local_fit": lambda *case: [1.0]}).message
    found = judge(tasks, {"": 3.0})
    assert found.correct is False and "goes with its name, as in `check(x=x)`" in found.message


def test_the_hint_comes_with_the_second_wrong_try_and_check_keeps_the_case_that_failed(capsys):
    name = course.NAME
    check, entry = exercise(name, course.EXERCISES / "release" / name), TASKS[name]["posterior"]

    def said(posterior):
        posterior.__name__ = "posterior"
        check(posterior)
        return " ".join(capsys.readouterr().out.split())

    for wrong in (lambda *case: dict.fromkeys(case[0], 0.123), lambda *case: 1 / 0):
        first, second = said(wrong), said(wrong)
        assert entry["hint"] not in first and "it gives a hint." in first and "Expected: " in first
        assert entry["hint"] in second and "it gives a hint." not in second
        assert same(entry["solve"](*check.case), check.wanted)
        assert "Correct." in said(lambda *case: entry["solve"](*case)) and check.case is check.wanted is None


def test_a_function_that_changes_its_argument_is_told_so_and_loses_no_marks():
    name, task = "08-inference", "eliminate"

    def greedy(factors, variable):
        found = TASKS[name][task]["solve"](factors, variable)
        factors.clear()
        return found

    told = judge(known(name), {task: greedy})
    assert told.correct and told.message.startswith(
        "Nearly. 7 of 7 cases agree. `eliminate` changes `factors` in place"
    )
    assert score(name, {task: greedy})[task].points == TASKS[name][task]["points"]
    told = judge(known(name), {task: lambda factors, variable: factors.clear()})
    assert told.correct is False


@pytest.mark.parametrize("name, task", NUMBERS)
def test_the_instant_check_of_a_number_tells_kind_and_range_and_judges_what_it_can(name, task):
    entry, tasks = TASKS[name][task], known(name)
    found = judge(tasks, {task: entry["solve"]("ada")})
    assert found.correct is (None if entry.get("varies") else True), found.message
    assert judge(tasks, {task: None}).correct is False and "must be a number" in judge(tasks, {task: "x"}).message
    assert judge(tasks, {task: float("nan")}, "ada").correct is False
    low, high = (0, 1) if entry.get("probability") else (entry.get("low"), entry.get("high"))
    for bound, value in [(each, each + off) for each, off in ((low, -0.5), (high, 0.5)) if each is not None]:
        said = judge(tasks, {task: value}, "ada")
        assert said.correct is False and f"{bound:g}" in said.message and f"{task} is" in said.message


@pytest.mark.parametrize("name, task", CHOICES)
def test_a_choice_is_noted_and_not_judged_and_not_to_be_told_by_its_length(name, task):
    entry, tasks = TASKS[name][task], known(name)
    told = {option: judge(tasks, {task: option}, "ada") for option in entry["options"]}
    assert all(said.correct is None and f"= {option}." in said.message for option, said in told.items())
    assert judge(tasks, {task: "Z"}).correct is False is judge(tasks, {task: None}).correct
    found = judge(tasks, {task: "A"}, PLACEHOLDER)
    assert found.correct is False and "write your id" in found.message
    assert set(tasks[task]) == {"kind", "options", "salt"}, "the file knows nothing that could tell"
    assert entry["solve"] != max(entry["options"], key=lambda letter: len(entry["options"][letter]))


def test_the_id_is_the_hubs_user_or_is_asked_for_once(monkeypatch, tmp_path, capsys):
    monkeypatch.delenv("JUPYTERHUB_USER", raising=False)
    (tmp_path / "01").mkdir()
    monkeypatch.chdir(tmp_path / "01")
    check = exercise(course.NAME, course.EXERCISES / "release" / course.NAME)
    assert check.student(PLACEHOLDER) == PLACEHOLDER
    exec("check(share_sick=0.25)", {"check": check, "student": PLACEHOLDER})
    assert "Not yet. share_sick belongs to nobody's data" in capsys.readouterr().out
    assert check.student("ada") == "ada" == check.student(PLACEHOLDER), "another exercise asks no more"
    exec("check(share_sick=0.25)", {"check": check, "student": "ada"})
    told = " ".join(capsys.readouterr().out.split())
    assert "Noted. share_sick = 0.25." in told and "three decimals at least" in told
    monkeypatch.setenv("JUPYTERHUB_USER", "bob")
    assert check.student(PLACEHOLDER) == check.student("ada") == "bob"
