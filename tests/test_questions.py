"""What answers back: every question, every task, every named misconception, and the record of answers."""

import json
import math
import re

import nbformat
import numpy as np
import pytest
from matplotlib import colors

from bayeslib import live
from bayeslib import sections as table
from bayeslib.questions import SECTIONS, check, judge, record, review
from bayeslib.questions.answers import outcome
from bayeslib.questions.misconceptions import entries, misconception, split
from bayeslib.questions.question import Question, _read, compose, names, raw
from bayeslib.questions.verdict import COLOURS, Message
from grading import references
from tests.lab import ROOT
from tools import expressions
from tools.messages import messages

EXERCISES = ROOT / "notebooks/exercises"
QUESTIONS = [name for section in SECTIONS for name in names(section)]
TASKS = {f"{section.number}/{name}": task for section in table.SECTIONS for name, task in section.tasks().items()}


@pytest.mark.parametrize("name", [name for name in QUESTIONS if Question(name).is_choice])
def test_every_option_gets_a_reply_of_its_own_and_one_is_right(name):
    question = Question(name)
    replies = [question.judge(number) for number in range(len(question.options))]
    assert [verdict for verdict, _ in replies].count("correct") == 1
    assert len({" ".join(parts) for _, parts in replies}) == len(replies)


@pytest.mark.parametrize("name", [name for name in QUESTIONS if not Question(name).is_choice])
def test_every_number_of_a_question_is_computed_and_answered(name):
    """By the expression beside it; what has none stands in the question as it is."""
    question, entry = Question(name), raw(name)
    known = expressions.names(**entry.get("let", {}))
    right = {"value": question.answer, "computed": entry["computed"], "feedback": question.right, "correct": True}
    for each in (right, *question.wrong):
        if "computed" in each:
            value = float(eval(each["computed"], known))
            assert expressions.agrees(value, str(each["value"])), f"{each['computed']} is {value}, not {each['value']}"
            assert question.judge(value) == compose(each)
        else:
            assert f"{each['value']:g}" in re.findall(r"\d+(?:\.\d+)?", question.prompt)
    assert question.judge(77.7) == ("wrong", [question.otherwise])


PHRASES = (
    r"\bWho (?:says|answers|asks|takes|fears|reads)\b|\berrs? (?:with )?\.\d|turned round|turn(?:s|ing)? round|an error with a name"
    r"|\bthe line\b.*\b(?:above|below)\b|\bdear\b|\bquarrels?\b|\bclumps?\b|\b(?:un)?labeled\b|likelier|for ever\b"
    r"|(?<![\d.,])\.\d|(?<![Tt]here )\bis no (?!longer|more)\b|data are|Bayes theorem"
)


def faults(part):
    """What is wrong with a sentence of a reply."""
    if not re.match(r"[A-Z0-9\"“(ΣΔ½−√].*[.!?][\"”)]?$", part):
        yield "a reply begins with a capital or a digit and ends with a full stop"
    if re.match(r"(?:No|Yes|Right|Wrong|Correct|Not quite|Nearly|Close|Exactly)\b[.:, ]", part):
        yield "the verdict is said before"
    if found := re.search(PHRASES, part):
        yield f"we do not say {found[0]!r}"


@pytest.mark.parametrize("section", SECTIONS)
def test_what_is_said_to_an_answer_reads_well(section):
    for question in map(Question, names(section)):
        said = [part for reply in question.replies for part in reply["parts"]]
        for part in said + [question.otherwise] * (not question.is_choice):
            assert not list(faults(part)), (question.name, part)
        told = [
            entry for entry in (*question.options, *question.wrong) if not (entry.get("correct") and question.reveal)
        ]
        assert all(entry.get("feedback") for entry in told), question.name
    lines = list(messages(section))
    assert all(any(line.startswith(f"\n{name} ·") for line in lines) for name in names(section))


@pytest.mark.parametrize("tag", entries())
def test_a_general_sentence_serves_any_lesson(tag):
    error = misconception(tag)
    assert not list(faults(error.text)) and len(error.text.split()) <= 30
    assert not re.search(r"sick|P\(\+|burglar|\bhere\b", error.text)
    assert error.kind == "misconception" or (error.kind == "slip" and not error.term)
    assert not error.title.endswith("."), "a noun phrase"


def test_the_reply_is_put_together_from_its_parts():
    general, specific = misconception("base-rate").text, "76.2% would be right if half of the ward were sick."
    told = [specific, general, "This is base-rate neglect."]
    assert compose({"tag": "base-rate", "feedback": specific}) == ("wrong", told)
    alone = {"tag": "base-rate", "feedback": specific, "alone": True, "partly": True}
    assert compose(alone) == ("partly", [specific, "This is base-rate neglect."])
    assert compose({"tag": "lik-small", "feedback": specific}) == ("wrong", [specific, misconception("lik-small").text])
    assert compose({"tag": "spread", "feedback": specific}) == ("wrong", [specific])
    assert compose({"tag": "spread"}) == ("wrong", [misconception("spread").text])
    assert compose({"feedback": specific, "correct": True}) == ("correct", [specific])


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_letter_of_an_option_is_a_name_in_the_question(name):
    question = Question(name)
    letters = [letter for letter, _ in question.lettered]
    said = re.sub(r"\bA (?=[a-z])", "", " ".join([question.prompt, *(option["text"] for option in question.options)]))
    assert not [letter for letter in letters if re.search(rf"(?<!\w){letter}(?!\w)", said) and letter.isalpha()]


def test_every_misconception_is_used_and_every_tag_exists():
    told = [mistake for task in TASKS.values() for mistake in task["mistakes"]]
    for path in (EXERCISES / "references").glob("*.py"):
        for task in references.load(path.stem, EXERCISES).tasks.values():
            mistakes = task.get("mistakes", {})
            told += mistakes.values() if task["kind"] == "choice" else mistakes
    used = {tag for name in QUESTIONS for tag in Question(name).tags}
    assert used | {tag for tag, _ in map(split, told)} - {None} == entries().keys()


@pytest.mark.parametrize(
    "name, answer, problem",
    [
        ("01/exceed-one", 4, "answer must be"),
        ("01/exceed-one", True, "answer must be"),
        ("01/third-machine", "x", "answer must be"),
        ("01/third-machine", math.nan, "answer must be"),
        ("01/nonsense", 0, "question must be one of"),
        ("99/columns", 0, "question must be one of"),
        ("columns", 0, "question must be one of"),
    ],
)
def test_unknown_questions_and_answers_of_the_wrong_kind_are_named(name, answer, problem):
    with pytest.raises(ValueError, match=problem):
        Question(name).judge(answer)


# Tasks


@pytest.mark.parametrize("name", TASKS)
def test_a_task_knows_right_from_wrong(name):
    task = TASKS[name]
    assert judge(name, task["solve"]).correct
    for mistake, wrong in task["mistakes"].items():
        found = judge(name, wrong)
        words = found.message
        assert not found.correct and found.mistake == mistake, f"{mistake} is not recognised: {words}"
        for case in task["cases"]:
            if isinstance(answer := outcome(task["solve"], case), float) and answer not in case:
                assert f"{answer:.4g} " not in words, "the check prints the answer"
    assert task["hint"] in judge(name, lambda *_: 0.123456).message
    if task.get("probability"):
        assert "between 0 and 1" in judge(name, lambda *_: 7.5).message


def test_a_task_survives_whatever_a_reader_writes():
    def keeps_dots(prior, sensitivity, false_positive):
        healthy = ...
        return sensitivity * prior / (sensitivity * prior + healthy)

    for written, told in (
        (lambda *_: 1 / 0, "ZeroDivisionError: division by zero, in line"),
        (lambda *_: unknown, "is not defined"),  # noqa: F821
        (lambda: 1, "TypeError"),
        (keeps_dots, "still a `...` in `keeps_dots`"),
        (lambda *_: ..., "still a `...`"),
        (lambda *_: None, "returned None"),
        (lambda *_: "0.8", "returned '0.8'. There is a text"),
        (lambda *_: [1, 2], "returned [1, 2]"),
        (lambda p, s, f: round(s * p / (s * p + f * (1 - p)), 4), "Do not round"),
        (0.5, "asks for a function of (prior"),
    ):
        found = judge("01/posterior", written)
        assert not found.correct and told in found.message
    with pytest.raises(ValueError, match="task must be one of .*01/posterior"):
        judge("01/nonsense", keeps_dots)


def test_a_check_tells_its_verdict_by_sign_and_word_and_wraps_at_words(capsys):
    check("01/flip-prior", lambda s, f: f / s)
    told = capsys.readouterr().out
    assert told.startswith("✗ Not yet. `<lambda>(") and max(map(len, told.splitlines())) <= 100


def test_on_a_page_a_check_has_a_colour_that_reads_well_and_no_markup_of_the_reader():
    page = Message("Not yet. `f(<b>)` returned '<script>'. A hint.")._repr_html_()
    assert "<code>f(&lt;b&gt;)</code>" in page and "<script>" not in page and "✗ Not yet</strong>" in page
    for colour in COLOURS.values():
        red, green, blue = (((c + 0.055) / 1.055) ** 2.4 for c in colors.to_rgb(colour))
        assert 0.2126 * red + 0.7152 * green + 0.0722 * blue <= 1.05 / 4.5 - 0.05, "white on it as words (WCAG 1.4.3)"


@pytest.mark.parametrize("section", SECTIONS)
def test_worked_solutions_in_the_notebook_pass_the_check_beside_them(section):
    [path] = (ROOT / "notebooks").glob(f"{section}-*.ipynb")
    cells = nbformat.read(path, 4).cells
    found, scope = set(), {"np": np}  # a task may call what an earlier one made
    for before, stub, after in zip(cells, cells[1:], cells[2:]):
        if stub.cell_type == "code" and (call := re.search(r'check\("(.+)", (\w+)\)', stub.source)):
            fold = before if "Worked solution" in before.source else after
            exec(re.search(r"Worked solution.*?```python\n(.*?)```", fold.source, re.S)[1], scope)
            assert judge(call[1], scope[call[2]]).correct and "<summary>Hint</summary>" in fold.source
            found.add(call[1])
    assert found == {name for name in TASKS if name.startswith(section)}


# The widgets


def test_a_quiz_answers_and_remembers(answers_file):
    quiz = live.quiz("01/retest")
    quiz.form.reply = {"answer": 0, "number": 1}
    assert quiz.form.verdict == "wrong" and quiz.form.chosen == 0 and not quiz.form.locked
    quiz.form.reply = {"answer": 1, "number": 2}
    assert quiz.form.verdict == "correct"
    kept = {"answer": 1, "right": True, "tries": 2, "wrong": [0]}
    assert json.loads(answers_file.read_text()) == {"01/retest": kept}
    quiz.form.reply = {"answer": 0, "number": 3}
    assert quiz.form.verdict == "wrong", "looking at what another option says"
    assert record.read() == {"01/retest": kept | {"tries": 3}}, "right once stays right"


@pytest.mark.parametrize("name", ["01/retest", "01/third-machine"])
@pytest.mark.parametrize("answer", [None, "x", [1], math.inf, math.nan, True])
def test_whatever_the_page_sends_the_quiz_goes_on(name, answer, answers_file):
    quiz = live.quiz(name)
    quiz.form.reply = {"answer": answer, "number": 1}
    assert quiz.form.feedback and not quiz.form.verdict and not answers_file.exists()
    assert quiz.answer(1) is not None


def test_a_prediction_gates_the_figure_says_how_far_off_it_was_and_stays():
    figure, name = live.umbrella_filter(), "13/second-umbrella"
    asked = live.predict(name, figure)
    assert figure.widget not in asked.widget.children
    asked.form.reply = {"answer": 50, "number": 1}
    assert figure.widget in asked.widget.children and asked.form.locked
    assert "percentage points too low" in asked.form.feedback and asked.form.verdict == "wrong"
    again = live.predict(name, figure).form
    assert again.chosen == 50 and again.verdict == "wrong" and again.locked and "Your guess: 50" in again.feedback
    assert Question("01/second-positive").distance(50) == "39.6 percentage points too low"
    assert Question("01/second-positive").distance(89) == "close enough"


@pytest.mark.parametrize("name, make", [("14/which-k", live.k_regions)])
def test_a_prediction_can_be_skipped_and_then_leaves_no_answer(name, make, answers_file):
    """The figure opens where it does not answer yet; asked again, it moves to where it does."""
    figure, answering = make(), make()
    live.predict(name, answering).answer(0)
    answers_file.unlink()
    asked = live.predict(name, figure)
    asked.form.reply = {"skipped": True, "number": 1}
    assert figure.widget in asked.widget.children and figure.values != answering.values
    assert not (asked.form.feedback or asked.form.locked or figure.values.get("step")), "a story begins at its start"
    asked.form.reply = {"skipped": True, "number": 2}
    assert asked.form.feedback.startswith("The answer is ") and figure.values == answering.values
    assert not answers_file.exists()


@pytest.mark.parametrize(
    "name, guess, told",
    [
        ("01/second-positive", 0.9, "Did you mean 90?"),
        ("01/second-positive", -5, "A percentage lies between 0 and 100."),
        ("01/second-positive", 1e300, "A percentage lies between 0 and 100."),
        ("02/new-space", -1, "at least 0"),
    ],
)
def test_a_fraction_for_percent_and_an_impossible_guess_are_no_wrong_answers(name, guess, told, answers_file):
    asked = live.predict(name, live.test_after_test())
    asked.form.reply = {"answer": guess, "number": 1}
    assert told in asked.form.feedback and not asked.form.verdict
    assert not asked.form.locked and not answers_file.exists()
    asked.form.reply = {"answer": asked.question.answer, "number": 2}
    assert asked.form.locked and "close enough" in asked.form.feedback + asked.told.value


def test_stored_questions_fold_each_option_and_show_no_answer_file():
    for name, make, folds in (("16/who-gains", live.bagging_votes, 5), ("01/first-positive", live.population, 1)):
        before = live.predict(name, make()).stored()
        live.predict(name, make()).answer(0)
        assert live.predict(name, make()).stored() == before, "what is stored must not depend on who ran it"
        assert before["text/html"].count("<details>") == folds and "image/png" not in before
    assert live.quiz("01/retest").stored()["text/html"].count("<details>") == 3
    assert "43.2%" in live.quiz("01/third-machine").stored()["text/html"]


# Bets, and predictions that reveal

OWN_QUESTIONS = r"""
[letter]
title = "Bet"
prompt = "Of 100 letters, how many are about a cancer?"
again = "You bet {}. Keep it?"
once = { "own/first" = "It must be *less* than $h_{MAP}$." }
reveal = "About 4 in 100."
options = [
  { text = "about 76", tag = "rates-subtracted", ghost = 76, feedback = "" },
  { text = "about 4", correct = true, ghost = 4, feedback = "" },
]

[first]
title = "Predict"
prompt = "How large is $P(\\text{sick})$?"
reveal = "$$P = \\frac{7.84}{37.6} \\tag{1.1}$$"
options = [{ text = "98%", ghost = 98, tag = "inverse", feedback = "" }, { text = "20%", correct = true, feedback = "" }]
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Questions of the third edition, called "own/…"."""

    def write(text):
        (tmp_path / "own.toml").write_text(text)
        monkeypatch.setenv("BAYESLIB_QUESTIONS", str(tmp_path / "own.toml"))
        _read.cache_clear()

    write(OWN_QUESTIONS)
    yield write
    _read.cache_clear()


def test_a_bet_is_kept_unmarked_changed_once_and_settled_wherever_its_cells_ran(own, answers_file):
    hook, end = live.population(), live.population()
    bet, again, settled = live.bet("own/letter", hook), live.raise_bet("own/letter"), live.settle("own/letter", end)
    assert hook.waiting and end.waiting and not bet.form.locked and not settled.told.value
    assert bet.answer(0) is None and "about 76" in bet.form.feedback and bet.form.sealed and not bet.form.verdict
    assert "You bet about 76. Keep it?" in again.form.prompt and hook._guess == 76
    bet.answer(1)
    assert record.read()["own/letter"]["bets"] == [0], "a sealed bet does not change where it was placed"
    again.answer(1)
    again.answer(0)
    kept = {"answer": 1, "right": True, "tries": 1, "bets": [0, 1], "settled": False}
    assert json.loads(answers_file.read_text())["own/letter"] == kept, "once, and both are kept"
    assert "<s>about 76</s>" in bet.form.feedback and not record.answered("own/letter")
    settled.answer(None)
    assert settled.form.marks == ["first", "right said"] and "About 4 in 100" in settled.told.value
    assert record.answered("own/letter") and not end.waiting and not hook.waiting
    later = live.bet("own/letter", live.population())
    assert later.form.sealed and "about 4" in later.form.feedback, "after a restart of the kernel"


def test_a_bet_that_nobody_placed_is_asked_at_the_end(own):
    settled = live.settle("own/letter", figure := live.population())
    assert settled.form.button == live.bet.BUTTON and figure.waiting
    settled.form.reply = {"answer": 0, "number": 1}
    assert settled.form.marks == ["said", "right"] and not figure.waiting


def test_a_prediction_that_reveals_shows_its_figure_at_once_and_offers_its_controls_with_the_answer(own):
    asked = live.predict("own/first", figure := live.posterior_curve(), offers=["found"])
    assert figure.widget in asked.widget.children and figure.waiting and "0.4414" not in figure.alt
    assert figure.locked("sick") and not figure.locked("found")
    figure._press("ArrowRight")
    assert figure.values["sick"] == 8, "neither by key"
    asked.form.reply = {"answer": 0, "number": 1}
    assert not figure.locked("sick") and asked.form.marks == ["said", "right"]
    assert "<mfrac>" in asked.told.value and "(1.1)" in asked.told.value and not asked.form.feedback
    record.forget()
    assert figure.waiting and not asked.form.locked and not asked.told.value, "it follows the record"


def test_without_a_figure_or_a_guess_the_reveal_comes_all_the_same(own, answers_file):
    asked = live.predict("own/first")
    asked.form.reply = {"skipped": True, "number": 1}
    assert asked.form.marks == ["", "right"] and "<mfrac>" in asked.told.value and not answers_file.exists()
    with pytest.raises(ValueError, match="figure is missing: question '01/retest' has no reveal"):
        live.predict("01/retest")


def test_what_is_stored_of_bet_and_prediction_hides_the_answer_in_a_fold_and_keeps_formulas_for_github(own):
    for make, folds in ((live.bet, 0), (live.settle, 1)):
        before = make("own/letter", live.population()).stored()
        record.bet("own/letter", 1, True)
        assert make("own/letter", live.population()).stored() == before, "it does not depend on who ran it"
        assert before["text/html"].count("<details>") == folds and before["text/html"].count("<img") == 1
        record.forget()
    stored = live.predict("own/first", live.population()).stored()
    assert r"$P(\text{sick})$" in stored["text/html"] and "<math" not in stored["text/html"]
    assert r"\frac" in stored["text/html"].partition("<details>")[2] and "7.84" not in stored["text/plain"]


@pytest.mark.parametrize("formula", [r"$\nonsense{x}$", r"$\frac{1}$", r"$\text{of $x$}$", r"$x_{$"])
def test_a_formula_that_cannot_be_shown_is_refused_when_its_question_is_loaded(formula, own):
    own(OWN_QUESTIONS.replace("About 4 in 100.", formula.replace("\\", "\\\\")))
    with pytest.raises(ValueError, match="question 'own/letter': latex must be a formula"):
        Question("own/letter")


def test_all_quiz_questions_of_a_section_stand_in_one_cell():
    quiz = live.quiz("01")
    assert [each.question.title[:4] for each in quiz.quizzes] == ["Quiz"] * len(quiz.quizzes) and len(quiz.quizzes) > 5
    assert quiz.quizzes[1].form.place == f"2 of {len(quiz.quizzes)}"


def test_a_task_that_nobody_has_begun_says_so_and_solved_ones_are_counted(answers_file, capsys):
    check("01/posterior", lambda *_: None)
    assert capsys.readouterr().out.startswith("○ Your turn.") and not answers_file.exists()
    check("01/posterior", TASKS["01/posterior"]["solve"])
    assert f"1 of {len(TASKS)} tasks solved" in live.answers().form.status


# The file of answers


def test_a_renamed_question_finds_its_old_answer(answers_file, monkeypatch):
    monkeypatch.setitem(record.RENAMED, "01/gives-it-away", "01/retest")
    kept = {"answer": 1, "right": True, "tries": 1}
    answers_file.write_text(json.dumps({"01/gives-it-away": kept}))
    assert record.read()["01/retest"] == kept
    record.remember("01/rising", 0, False)
    assert json.loads(answers_file.read_text())["01/gives-it-away"] == kept, "what an older edition wrote is kept"


def test_answers_that_cannot_be_written_are_remembered_as_long_as_python_runs(monkeypatch, tmp_path, own):
    monkeypatch.setenv("BAYESLIB_ANSWERS", str(tmp_path / "no such folder" / "my-answers.json"))
    figure = live.population()
    bet, again = live.bet("own/letter", figure), live.raise_bet("own/letter")
    bet.answer(0)
    assert "about 76" in bet.form.feedback and "about 76" in again.form.prompt


def test_whoever_watches_the_record_is_told_and_may_go(own):
    class Watcher:
        told = 0

        def follow(self):
            Watcher.told += 1

    watcher = Watcher()
    record.watch(watcher.follow)
    record.remember("01/retest", 1, True)
    assert Watcher.told == 1
    del watcher
    record.remember("01/retest", 1, True)
    assert Watcher.told == 1


def test_answers_can_be_forgotten_and_are_not_lost(answers_file):
    page = live.answers()
    page.form.forgotten += 1
    assert "Nothing to forget." in page.form.status
    for name, kept in (("01/retest", "my-answers.json.old"), ("01/no-base-rate", "my-answers.json.old-2")):
        live.quiz(name).answer(1)
        page.form.forgotten += 1
        assert f"{kept}." in page.form.status and not record.read()
        assert name in answers_file.with_name(kept).read_text()


def test_answers_can_be_restored_on_another_machine_and_what_is_not_sound_is_left_out(answers_file):
    live.quiz("01/retest").answer(1)
    saved, right = live.answers().form.text, {"answer": 1, "right": True, "tries": 1}
    answers_file.unlink()
    live.quiz("01/no-base-rate").answer(0)
    page = live.answers()
    page.form.restored = {"text": saved, "number": 1}
    assert (
        "1 answer restored." in page.form.status and "2 questions answered so far, 1 of them right" in page.form.status
    )
    strange = {"tries": "2"}, {"right": "yes"}, {"answer": "A"}, {"answer": math.nan}, {"tries": 0}, {"answer": 10**400}
    new = {"01/no-base-rate": right} | {f"01/bad-{i}": right | each for i, each in enumerate(strange)}
    page.restore(json.dumps(new | {"<b>\ud800": right}))
    assert record.read().keys() == {"01/retest", "01/no-base-rate"} and record.read()["01/no-base-rate"]["right"]
    assert "1 answer restored. 1 of them took the place of another" in page.form.status
    assert "7 entries are not understood and left out (01/bad-0, 01/bad-1, 01/bad-2 and others)" in page.form.status
    assert json.loads(answers_file.with_name("my-answers.json.old").read_text())["01/no-base-rate"]["right"] is False


@pytest.mark.parametrize(
    "entry",
    [3, None, [], {}, {"answer": 0}, {"tries": "2"}, {"tries": 2.5}, {"right": 1}, {"answer": None}, {"answer": [0]},
     {"answer": "0"}, {"answer": 10**400}, {"answer": -1}, {"answer": 1.0}, {"answer": 99}, {"answer": 1.5}, {"wrong": 3},
     {"wrong": ["x"]}, {"more": 1}],
)  # fmt: skip
def test_no_file_makes_a_question_dead(entry, answers_file):
    entry = {"answer": 0, "right": False, "tries": 1} | entry if isinstance(entry, dict) and entry else entry
    answers_file.write_text(json.dumps({"01/first-positive": entry, "01/retest": entry}))
    live.look_again()
    live.answers()
    asked = live.predict("01/first-positive", figure := live.population())
    if not asked.form.locked:
        asked.answer(1)
    assert asked.told.value and asked.form.locked and figure.widget in asked.widget.children
    assert live.quiz("01/retest").answer(1) and record.read()["01/retest"]["right"]


@pytest.mark.parametrize(
    "text", ["", "nonsense", "[]", "[" * 100_000, '{"01/retest": 3}', '{"01/retest": {"answer": 1}}']
)
def test_a_file_that_is_not_one_changes_nothing(text):
    live.quiz("01/retest").answer(1)
    page, before = live.answers(), record.read()
    page.restore(text)
    assert "Nothing was changed: text must be" in page.form.status and "1 questions answered so far" in page.form.status
    assert record.read() == before


@pytest.mark.smoke
def test_an_older_answers_file_is_kept_whole_and_only_questions_of_today_are_counted(answers_file):
    kept = {"answer": 1, "right": True, "tries": 2, "wrong": [0]}
    older = {"01/retest": kept, "15/no-longer-asked": kept}
    answers_file.write_text(json.dumps(older))
    record.remember("01/no-base-rate", 0, False)
    assert older.items() <= record.read().items()
    assert "2 questions answered so far, 1 of them right" in live.answers().form.status
    live.look_again()


def test_a_damaged_file_is_set_aside_not_lost(answers_file):
    damaged = ['{"01/retest": {"ans', "also damaged"]
    for text, name in zip(damaged, ("damaged", "damaged-2")):
        answers_file.write_text(text)
        asked = live.predict("01/first-positive", live.population())
        told = "Your earlier answers cannot be read: my-answers.json is damaged."
        assert asked.form.feedback.startswith(told) and not asked.form.verdict and not asked.form.locked
        assert told in live.answers().form.status and told in live.look_again().html()
        assert answers_file.read_text() == text, "reading changes nothing"
        quiz = live.quiz("01/no-base-rate")
        quiz.answer(1)
        assert (
            told in quiz.form.feedback
            and quiz.form.verdict == "correct"
            and record.read().keys() == {"01/no-base-rate"}
        )
        assert answers_file.with_name(f"my-answers.json.{name}").read_text() == text
    assert "kept as my-answers.json.damaged" in live.answers().form.status


def test_entries_that_are_not_understood_are_told_and_kept(answers_file):
    sound = {"answer": 1, "right": True, "tries": 1}
    answers_file.write_text(json.dumps({"01/retest": sound, "01/no-base-rate": sound | {"tries": "2"}}))
    status = live.answers().form.status
    assert (
        "1 questions answered so far" in status and "1 entry is not understood and left out (01/no-base-rate)" in status
    )
    live.quiz("01/exceed-one").answer(1)
    assert record.read().keys() == {"01/retest", "01/exceed-one"}
    assert "01/no-base-rate" in answers_file.with_suffix(".json.damaged").read_text()


@pytest.mark.parametrize("where", ["a folder", "no such folder/my-answers.json"])
def test_a_file_that_cannot_be_written_leaves_the_questions_working(where, monkeypatch, tmp_path):
    (
        tmp_path / "a folder"
    ).mkdir()  # stands for whatever keeps the file from being opened; permissions do not bind root
    monkeypatch.setenv("BAYESLIB_ANSWERS", str(tmp_path / where))
    assert record.read() == {}
    quiz, asked = live.quiz("01/no-base-rate"), live.predict("01/first-positive", live.population())
    assert quiz.answer(1) and not asked.answer(0) and asked.form.locked
    assert "could not be written to" in quiz.form.feedback and "could not be written to" in asked.told.value
    page = live.answers()
    page.restore('{"01/retest": {"answer": 1, "right": true, "tries": 1}}')
    assert page.form.status.startswith("Nothing was changed: Your answers could not be written to")
    page.forget()


# What to look at again


def test_what_to_look_at_again_comes_from_the_readers_own_answers():
    assert "no answers of yours yet" in live.look_again().html()
    stored = live.look_again().stored()
    live.quiz("01/retest").answer(1)
    assert "None of your answers so far shows" in live.look_again().html()
    quiz = live.quiz("01/third-machine")
    quiz.answer(76.2)
    page = live.look_again().html()
    assert "<strong>Base-rate neglect.</strong>" in page and misconception("base-rate").text in page
    assert page.count(f"Section 01, {quiz.question.title}") == 2, "where it was shown, and to try once more"
    quiz.answer(43.2)
    assert "Base-rate neglect" in live.look_again().html(), "a wrong answer before the right one counts"
    assert live.look_again().stored() == stored, "what is stored of it depends on nobody"


def test_three_questions_are_proposed_and_never_a_prediction():
    for name in QUESTIONS:
        right = [bool(option.get("correct")) for option in Question(name).options]
        record.remember(name, right.index(False) if right else 0, False)
    proposed = review.questions(record.read())
    assert len(proposed) == 3 and not any(question.is_prediction for question in proposed)
    assert {misconception(shown.tag).kind for shown in review.misconceptions(record.read())} == {"misconception"}
