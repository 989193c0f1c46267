"""What answers back: every question, every task, every named misconception, and the record of answers."""

import importlib
import json
import re

import nbformat
import pytest

from bayeslib import live
from bayeslib.grading import references
from bayeslib.judging.answers import outcome
from bayeslib.judging.misconceptions import entries, explained, misconception, split
from bayeslib.practice import SECTIONS, check, judge, record
from bayeslib.practice.questions import Question, _read, compose, names
from tests import sections
from tests.lab import ROOT

EXERCISES = ROOT / "notebooks/exercises"
QUESTIONS = [name for section in SECTIONS for name in names(section)]
TASKS = {section: importlib.import_module(f"bayeslib.practice.tasks_{section}").TASKS for section in SECTIONS}
# No number of a question is only typed: each section computes its own.
NUMBERS, WRONG_NUMBERS = sections.gather("NUMBERS"), sections.gather("WRONG_NUMBERS")


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_answer_gets_feedback_of_its_own(name):
    question = Question(name)
    if question.is_choice:
        replies = [question.judge(number) for number in range(len(question.options))]
        assert [verdict for verdict, _ in replies].count("correct") == 1
        assert len({" ".join(parts) for _, parts in replies}) == len(replies)
        assert all(len(" ".join(parts)) > 10 for _, parts in replies)
    else:
        assert question.judge(NUMBERS[name])[0] == "correct"
        for key, value in WRONG_NUMBERS[name].items():  # the tag, or where there is none the sentence
            verdict, parts = question.judge(value)
            tags = [entry.get("tag") for entry in question.wrong if parts == compose(entry)[1]]
            assert verdict != "correct" and parts and (key in tags or key in parts), key
        assert question.judge(77.7) == ("wrong", [question.otherwise])


def test_every_typed_number_is_computed_here():
    typed = {name for name in QUESTIONS if not Question(name).is_choice}
    assert typed == NUMBERS.keys() == WRONG_NUMBERS.keys()
    for name, value in NUMBERS.items():
        assert Question(name).answer == pytest.approx(value, abs=0.051)


def test_every_misconception_is_used_and_every_tag_exists():
    told = [mistake for tasks in TASKS.values() for task in tasks.values() for mistake in task["mistakes"]]
    used = set()
    for section in SECTIONS:
        for entry in _read(section).values():
            used |= {each["tag"] for each in [*entry.get("options", []), *entry.get("wrong", [])] if "tag" in each}
    for path in (EXERCISES / "references").glob("*.py"):
        for task in references.load(path.stem, EXERCISES).tasks.values():
            mistakes = task.get("mistakes", {})
            told += mistakes.values() if task["kind"] == "choice" else mistakes
    assert used | {tag for tag, _ in map(split, told)} - {None} == entries().keys()


@pytest.mark.parametrize(
    "name, bad",
    [
        ("01/columns", 4),
        ("01/columns", True),
        ("01/columns", "A"),
        ("01/another-ward", "x"),
        ("01/another-ward", float("nan")),
    ],
)
def test_answers_of_the_wrong_kind_are_named(name, bad):
    with pytest.raises(ValueError, match="answer must be"):
        Question(name).judge(bad)


@pytest.mark.parametrize("name", ["01/nonsense", "99/columns", "columns", ""])
def test_unknown_questions_are_named(name):
    with pytest.raises(ValueError, match="question must be one of"):
        Question(name)


# Tasks


@pytest.mark.parametrize("name", [f"{section}/{task}" for section, tasks in TASKS.items() for task in tasks])
def test_a_task_knows_right_from_wrong(name):
    section, _, short = name.partition("/")
    task = TASKS[section][short]
    assert judge(name, task["solve"])[0]
    for mistake, wrong in task["mistakes"].items():
        right, words = judge(name, wrong)
        assert not right and explained(mistake) in words, f"{mistake} is not recognised: {words}"
        for case in task["cases"]:
            if isinstance(answer := outcome(task["solve"], case), float) and answer not in case:
                assert f"{answer:.4g} " not in words, "the check prints the answer"
    right, words = judge(name, lambda *_: None)
    assert not right and "returns None" in words
    assert task["hint"] in judge(name, lambda *_: 0.123456)[1]
    if task.get("probability"):
        assert "between 0 and 1" in judge(name, lambda *_: 7.5)[1]


def test_a_task_survives_whatever_a_reader_writes():
    def stops(*_):
        raise ZeroDivisionError("division by zero")

    assert "stopped with ZeroDivisionError: division by zero" in judge("01/posterior", stops)[1]
    assert "stopped with TypeError" in judge("01/posterior", lambda: 1)[1]
    rounded = judge("01/posterior", lambda p, s, f: round(s * p / (s * p + f * (1 - p)), 4))
    assert not rounded[0] and "looks rounded" in rounded[1]
    assert "gives 'a'" in judge("01/posterior", lambda *_: "a")[1]
    assert "asks for a function of (prior" in judge("01/posterior", 0.5)[1]
    assert "gives [1, 2]" in judge("01/posterior", lambda *_: [1, 2])[1]
    with pytest.raises(ValueError, match="task must be one of .*01/posterior"):
        judge("01/nonsense", stops)


def test_check_prints_one_line(capsys):
    check("01/flip-prior", lambda s, f: f / s)
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize("section", SECTIONS)
def test_worked_solutions_in_the_notebook_pass_the_check_above_them(section):
    [path] = (ROOT / "notebooks").glob(f"{section}-*.ipynb")
    cells = nbformat.read(path, 4).cells
    found = set()
    for stub, fold in zip(cells, cells[1:]):
        if stub.cell_type == "code" and (call := re.search(r'check\("(.+)", (\w+)\)', stub.source)):
            scope = {}
            exec(re.search(r"Worked solution.*?```python\n(.*?)```", fold.source, re.S)[1], scope)
            right, words = judge(call[1], scope[call[2]])
            assert right, words
            assert "<summary>Hint</summary>" in fold.source
            found.add(call[1])
    assert found == {f"{section}/{task}" for task in TASKS[section]}


# The widgets


def test_a_quiz_answers_and_remembers(answers_file):
    quiz = live.quiz("01/retest")
    quiz.form.reply = {"answer": 0, "number": 1}
    assert quiz.form.feedback.startswith("No.") and not quiz.form.locked
    quiz.form.reply = {"answer": 1, "number": 2}
    assert quiz.form.feedback.startswith("Right.")
    assert json.loads(answers_file.read_text()) == {"01/retest": {"answer": 1, "right": True, "tries": 2}}


def test_a_prediction_gates_the_figure_and_says_how_far_off_it_was():
    figure = live.test_after_test()
    asked = live.predict("01/second-positive", figure)
    assert figure.widget not in asked.widget.children
    asked.form.reply = {"answer": 50, "number": 1}
    assert figure.widget in asked.widget.children and asked.form.locked
    assert "39.6 percentage points too low" in asked.form.feedback
    assert Question("01/second-positive").distance(89) == "close enough"


def test_a_prediction_can_be_skipped_and_then_leaves_no_answer(answers_file):
    figure = live.population()
    asked = live.predict("01/first-positive", figure)
    asked.form.reply = {"skipped": True, "number": 1}
    assert figure.widget in asked.widget.children and figure.values["step"] == 0, "the story can be told from its start"
    assert not asked.form.feedback and not asked.form.locked
    asked.form.reply = {"skipped": True, "number": 2}
    assert asked.form.feedback.startswith("The answer is D. ") and figure.values["step"] == 3
    assert not answers_file.exists()


def test_a_fraction_where_percent_were_asked_is_no_wrong_answer(answers_file):
    asked = live.predict("01/second-positive", live.test_after_test())
    asked.form.reply = {"answer": 0.9, "number": 1}
    assert asked.form.feedback == "The question asks for percent. Did you mean 90?"
    assert not asked.form.locked and not answers_file.exists()
    asked.form.reply = {"answer": 90, "number": 2}
    assert asked.form.locked and "close enough" in asked.form.feedback


def test_an_earlier_guess_is_there_again():
    live.predict("01/first-positive", live.population()).answer(0)
    again = live.predict("01/first-positive", figure := live.population())
    assert figure.widget in again.widget.children and "Your guess: A" in again.form.feedback


def test_stored_questions_fold_each_option_and_show_no_answer_file(answers_file):
    before = live.predict("01/first-positive", live.population()).stored()
    live.predict("01/first-positive", live.population()).answer(0)
    after = live.predict("01/first-positive", live.population()).stored()
    assert after == before, "what is stored must not depend on who ran it"
    assert before["text/html"].count("<details>") == 5 and "image/png" not in before
    assert before["text/html"].index("<summary>D.") < before["text/html"].index("<img alt=")
    assert live.quiz("01/retest").stored()["text/html"].count("<details>") == 3
    assert "33.3%" in live.quiz("01/another-ward").stored()["text/html"]


def test_a_figure_moves_to_where_it_answers_and_reset_brings_it_back():
    curve = live.posterior_curve()
    asked = live.predict("01/which-helps", curve)
    assert "0.4414" in asked.stored()["text/plain"] and "0.2085" in curve.alt
    asked.answer(0)
    assert "0.4414" in curve.alt
    curve.preset("reset")
    assert "0.2085" in curve.alt


# The file of answers


def test_answers_can_be_forgotten_and_are_not_lost(answers_file):
    page = live.answers()
    page.form.forgotten += 1
    assert page.form.status == "Nothing to forget. 0 questions answered so far, 0 of them right."
    live.quiz("01/retest").answer(1)
    page.form.forgotten += 1
    assert page.form.status.startswith("Forgotten; the old answers are in my-answers.json.old")
    assert record.read() == {} and "01/retest" in answers_file.with_suffix(".json.old").read_text()


def test_answers_can_be_saved_and_restored_on_another_machine(answers_file):
    live.quiz("01/retest").answer(1)
    saved = live.answers().form.text
    answers_file.unlink()
    live.quiz("01/rising").answer(0)
    page = live.answers()
    page.form.restored = {"text": saved, "number": 1}
    assert record.read().keys() == {"01/retest", "01/rising"}
    assert "2 questions answered so far, 1 of them right" in page.form.status


@pytest.mark.parametrize("text", ["", "nonsense", "[]", '{"01/retest": 3}', '{"01/retest": {"answer": 1}}'])
def test_a_file_that_is_not_one_changes_nothing(text):
    live.quiz("01/retest").answer(1)
    page, before = live.answers(), record.read()
    page.restore(text)
    assert page.form.status.startswith("Nothing was changed: text must be a saved answers file")
    assert record.read() == before


def test_a_damaged_file_is_set_aside_not_lost(answers_file):
    answers_file.write_text('{"01/retest": {"ans')
    live.quiz("01/rising").answer(1)
    assert record.read().keys() == {"01/rising"}
    assert answers_file.with_suffix(".json.damaged").read_text() == '{"01/retest": {"ans'


def test_a_file_that_cannot_be_read_or_moved_leaves_the_questions_working(answers_file):
    answers_file.mkdir()  # stands for whatever keeps the file from being opened; permissions do not bind root
    assert record.read() == {} and not live.predict("01/first-positive", live.population()).form.locked
    quiz = live.quiz("01/rising")
    assert quiz.answer(1) and "could not be written down" in quiz.form.feedback


def test_a_folder_that_cannot_be_written_is_said_and_the_quiz_goes_on(monkeypatch, tmp_path):
    monkeypatch.setenv("BAYESLIB_ANSWERS", str(tmp_path / "no such folder" / "my-answers.json"))
    quiz = live.quiz("01/rising")
    assert quiz.answer(1)
    assert quiz.form.feedback.endswith("this folder is read-only.)")
