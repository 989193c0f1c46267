"""What answers back: every question, every task, every named misconception, and the record of answers."""

import json
import math
import re

import nbformat
import pytest

from bayeslib import live
from bayeslib import sections as table
from bayeslib.questions import SECTIONS, check, judge, record, review
from bayeslib.questions.answers import outcome
from bayeslib.questions.misconceptions import entries, explained, misconception, split
from bayeslib.questions.question import Question, _read, compose, names
from bayeslib.questions.verdict import COLOURS, Message
from grading import references
from tests import sections
from tests.lab import ROOT
from tools.messages import messages

EXERCISES = ROOT / "notebooks/exercises"
QUESTIONS = [name for section in SECTIONS for name in names(section)]
TASKS = {section.number: section.tasks() for section in table.SECTIONS}
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


PHRASES = (
    r"\bWho (?:says|answers|asks|takes|fears|reads)\b|\berrs? (?:with )?\.\d|turned round|turn(?:s|ing)? round|an error with a name"
    r"|\bthe line\b.*\b(?:above|below)\b|\bdear\b|\bquarrels?\b|\bclumps?\b|\b(?:un)?labeled\b|likelier|for ever\b"
    r"|(?<![\d.,])\.\d|(?<![Tt]here )\bis no (?!longer|more)\b|data are|Bayes theorem"
)


def faults(parts):
    """What is wrong with the sentences of a reply."""
    for part in parts:
        if not re.match(r"[A-Z0-9\"“(ΣΔ½−√]", part):
            yield f"begins with neither capital nor digit: {part}"
        if not re.search(r"[.!?][\"”)]?$", part):
            yield f"does not end with a full stop: {part}"
        if re.match(r"(?:No|Yes|Right|Wrong|Correct|Not quite|Nearly|Close|Exactly)\b[.:, ]", part):
            yield f"begins with a verdict: {part}"
        if any(sentence.count(": ") > 1 for sentence in re.split(r"(?<=[.!?]) ", part)):
            yield f"has two colons in a sentence: {part}"
        if found := re.search(PHRASES, part):
            yield f"says {found[0]!r}: {part}"


def section_faults(section):
    """Every fault of a section's questions, each with its place."""
    for question in map(Question, names(section)):
        said = {f"reply {reply['value']}": reply["parts"] for reply in question.replies}
        if not question.is_choice:
            said["otherwise"] = [question.otherwise]
            if re.match(rf"(?:Exactly )?{question.answer:g}\b", question.right):
                yield f"{question.name}: the answer is said twice: {question.right}"
        for place, parts in said.items():
            yield from (f"{question.name}, {place}: {fault}" for fault in faults(parts))
        for entry in (*question.options, *question.wrong):
            if not entry.get("feedback"):
                yield f"{question.name}, {entry.get('text', entry.get('value'))}: no sentence of its own"


@pytest.mark.parametrize("section", SECTIONS)
def test_what_is_said_to_an_answer_reads_well(section):
    found = list(section_faults(section))
    assert not found, "\n".join(found)


def test_the_lint_sees_seams():
    seams = ["No: it is not.", "k turned round: large k is: simpler.", "it is", "Who says so errs .60."]
    assert [bool(list(faults([seam]))) for seam in seams] == [True] * 4
    assert not list(
        faults(["81.8% would be right if half were sick.", "Yesterday's posterior is today's prior: once."])
    )


@pytest.mark.parametrize("tag", entries())
def test_a_general_sentence_serves_any_lesson(tag):
    error = misconception(tag)
    assert not list(faults([error.text])) and len(re.findall("[:;]", error.text)) <= 1
    assert len(error.text.split()) <= 30 and not re.search(r"[.!?] [A-Z]", error.text), (
        "one sentence of at most 30 words"
    )
    assert not re.search(r"sick|P\(\+|burglar|\bhere\b", error.text) and error.kind in {"misconception", "slip"}
    assert not re.search(r"[.:]$", error.title) and not (error.term and error.kind == "slip")
    assert not re.match("[A-Z][a-z]", error.title.replace("Bessel", "").replace("EM", "")), (
        "a noun phrase in lower case"
    )


def test_the_reply_is_put_together_from_its_parts():
    general, specific = misconception("base-rate").text, "81.8% would be right if half of the ward were sick."
    assert compose({"tag": "base-rate", "feedback": specific}) == (
        "wrong",
        [specific, general, "This is base-rate neglect."],
    )
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
    assert len(set(letters)) == len(question.options)


def test_all_messages_of_a_section_can_be_read_aloud():
    lines = list(messages("08"))
    for name in names("08"):
        assert any(line.startswith(f"\n{name} ·") for line in lines)
    assert any("✓ Correct. " in line for line in lines) and any("points to" in line for line in lines)


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
    assert not right and "returned None" in words
    right, words = judge(name, lambda *_: ...)
    assert not right and "still a `...`" in words
    assert task["hint"] in judge(name, lambda *_: 0.123456)[1]
    if task.get("probability"):
        assert "between 0 and 1" in judge(name, lambda *_: 7.5)[1]


def test_a_task_survives_whatever_a_reader_writes():
    def stops(*_):
        raise ZeroDivisionError("division by zero")

    def keeps_dots(prior, sensitivity, false_positive):
        healthy = ...
        return sensitivity * prior / (sensitivity * prior + healthy)

    def holds_itself(*_):
        found = []
        found.append(found)
        return found

    hint = TASKS["01"]["posterior"]["hint"]
    stopped = judge("01/posterior", stops)[1]
    assert "stopped with ZeroDivisionError: division by zero. " in stopped and hint in stopped
    assert "stopped with TypeError" in judge("01/posterior", lambda: 1)[1]
    assert "still a `...` in `keeps_dots`" in judge("01/posterior", keeps_dots)[1]
    for digits in (2, 4, 6):
        right, words = judge("01/posterior", lambda p, s, f: round(s * p / (s * p + f * (1 - p)), digits))
        assert not right and words.startswith("Nearly. ") and "Do not round" in words and hint not in words
    text = judge("01/posterior", lambda *_: "0.8")[1]
    assert "'0.8' is a text, and a number is wanted" in text and "points to" not in text
    assert "asks for a function of (prior" in judge("01/posterior", 0.5)[1]
    assert "returned [1, 2]" in judge("01/posterior", lambda *_: [1, 2])[1]
    assert "returned [[...]]" in judge("01/posterior", holds_itself)[1]
    with pytest.raises(ValueError, match="task must be one of .*01/posterior"):
        judge("01/nonsense", stops)


def test_a_check_tells_its_verdict_by_sign_and_word_and_wraps_at_words(capsys):
    check("01/flip-prior", lambda s, f: f / s)
    told = capsys.readouterr().out
    assert told.startswith("✗ Not yet. `<lambda>(") and max(map(len, told.splitlines())) <= 100
    assert " ".join(told.split()) == "✗ " + judge("01/flip-prior", lambda s, f: f / s)[1]
    check("01/flip-prior", TASKS["01"]["flip-prior"]["solve"])
    assert capsys.readouterr().out.startswith("✓ Correct. ")


@pytest.mark.parametrize("colour", COLOURS.values())
def test_the_colours_of_verdicts_read_well(colour):
    """White on them as words, they themselves as a bar on a white or on a dark page (WCAG 1.4.3 and 1.4.11)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    dark = 0.0056  # of the ground of JupyterLab's dark theme, 17 of 255 in each part
    assert 1.05 / (luminance + 0.05) >= 4.5 and (luminance + 0.05) / (dark + 0.05) >= 3


def test_on_a_page_a_check_has_a_colour_and_no_markup_of_the_reader():
    page = Message("Not yet. `f(<b>)` returned '<script>'. A hint.")._repr_html_()
    assert "<code>f(&lt;b&gt;)</code>" in page and "<script>" not in page and "✗ Not yet</strong>" in page


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
    assert quiz.form.verdict == "wrong" and quiz.form.chosen == 0 and not quiz.form.locked
    quiz.form.reply = {"answer": 1, "number": 2}
    assert quiz.form.verdict == "correct"
    kept = {"answer": 1, "right": True, "tries": 2, "wrong": [0]}
    assert json.loads(answers_file.read_text()) == {"01/retest": kept}
    quiz.form.reply = {"answer": 0, "number": 3}
    assert quiz.form.verdict == "wrong", "looking at what another option says"
    assert json.loads(answers_file.read_text()) == {"01/retest": kept | {"tries": 3}}, "right once stays right"


@pytest.mark.parametrize("name", ["01/retest", "01/another-ward"])
@pytest.mark.parametrize("answer", [None, "x", [1], float("inf"), float("nan"), True])
def test_whatever_the_page_sends_the_quiz_goes_on(name, answer, answers_file):
    quiz = live.quiz(name)
    quiz.form.reply = {"answer": answer, "number": 1}
    assert quiz.form.feedback and not quiz.form.verdict and not answers_file.exists()
    assert quiz.answer(1) is not None


def test_a_prediction_gates_the_figure_and_says_how_far_off_it_was():
    figure = live.test_after_test()
    asked = live.predict("01/second-positive", figure)
    assert figure.widget not in asked.widget.children
    asked.form.reply = {"answer": 50, "number": 1}
    assert figure.widget in asked.widget.children and asked.form.locked
    assert "39.6 percentage points too low" in asked.form.feedback and asked.form.verdict == "wrong"
    assert asked.form.chosen == 50
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


def test_a_figure_that_would_answer_opens_elsewhere_without_a_guess():
    figure = live.real_tests()
    asked, opened = live.predict("01/mammogram", figure), figure.values
    asked.form.reply = {"skipped": True, "number": 1}
    assert figure.values != opened and not asked.form.feedback
    asked.form.reply = {"skipped": True, "number": 2}
    assert figure.values == opened and asked.form.feedback.startswith("The answer is D. ")


def test_a_fraction_where_percent_were_asked_is_no_wrong_answer(answers_file):
    asked = live.predict("01/second-positive", live.test_after_test())
    asked.form.reply = {"answer": 0.9, "number": 1}
    assert asked.form.feedback == "The question asks for percent. Did you mean 90?"
    assert not asked.form.locked and not answers_file.exists()
    asked.form.reply = {"answer": 90, "number": 2}
    assert asked.form.locked and "close enough" in asked.form.feedback


@pytest.mark.parametrize("guess", [-5, 100.1, 1e300])
def test_an_impossible_guess_is_refused_and_not_locked(guess, answers_file):
    asked = live.predict("01/second-positive", live.test_after_test())
    asked.form.reply = {"answer": guess, "number": 1}
    assert asked.form.feedback == "A percentage lies between 0 and 100." and not asked.form.verdict
    assert not asked.form.locked and not answers_file.exists()
    assert asked.answer(100) is False and asked.form.locked


def test_bounds_of_a_number_are_told(monkeypatch):
    question = Question("01/second-positive")
    for low, high, words in (
        (0, math.inf, "is at least 0."),
        (-math.inf, 5, "is at most 5."),
        (1, 9, "lies between 1 and 9."),
    ):
        question.low, question.high = low, high
        assert question.possible == f"The number asked for {words}" and not question.refusal(3)
    assert question.refusal(0) == question.possible and question.refusal(10) == question.possible


def test_an_earlier_guess_is_there_again():
    live.predict("01/first-positive", live.population()).answer(0)
    again = live.predict("01/first-positive", figure := live.population())
    assert figure.widget in again.widget.children and "Your guess: A" in again.form.feedback
    assert again.form.chosen == 0 and again.form.verdict == "wrong" and again.form.locked
    live.predict("01/second-positive", live.test_after_test()).answer(90)
    assert live.predict("01/second-positive", live.test_after_test()).form.chosen == 90


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
    assert page.form.status.startswith("Forgotten; the old answers are in my-answers.json.old.")
    assert record.read() == {} and "01/retest" in answers_file.with_suffix(".json.old").read_text()
    live.quiz("01/rising").answer(1)
    page.form.forgotten += 1
    assert (
        "my-answers.json.old-2." in page.form.status
        and "01/retest" in answers_file.with_suffix(".json.old").read_text()
    )


def test_answers_can_be_saved_and_restored_on_another_machine(answers_file):
    live.quiz("01/retest").answer(1)
    saved = live.answers().form.text
    answers_file.unlink()
    live.quiz("01/rising").answer(0)
    page = live.answers()
    page.form.restored = {"text": saved, "number": 1}
    assert record.read().keys() == {"01/retest", "01/rising"}
    assert (
        "1 answer restored." in page.form.status and "2 questions answered so far, 1 of them right" in page.form.status
    )


def test_a_restore_takes_what_is_sound_and_says_what_it_did(answers_file):
    live.quiz("01/rising").answer(0)
    right = {"answer": 1, "right": True, "tries": 1}
    strange = {"tries": "2"}, {"right": "yes"}, {"answer": "A"}, {"answer": math.nan}, {"tries": 0}, {"answer": 10**400}
    saved = {"01/retest": right, "01/rising": right} | {f"01/bad-{i}": right | each for i, each in enumerate(strange)}
    page = live.answers()
    page.restore(json.dumps(saved | {"<b>\ud800": right}))
    assert record.read().keys() == {"01/retest", "01/rising"}
    assert page.form.status.startswith(
        "2 answers restored. 1 of them took the place of another; what was here before is in"
    )
    assert "7 entries are not understood and left out (01/bad-0, 01/bad-1, 01/bad-2 and others)" in page.form.status
    assert json.loads(answers_file.with_name("my-answers.json.old").read_text())["01/rising"]["right"] is False


@pytest.mark.parametrize(
    "entry",
    [3, None, [], {}, {"answer": 0}, {"tries": "2"}, {"tries": 2.5}, {"right": 1}, {"answer": None}, {"answer": [0]},
     {"answer": "0"}, {"answer": 10**400}, {"answer": -1}, {"answer": 1.0}, {"answer": 99}, {"answer": 1.5}, {"wrong": 3},
     {"wrong": ["x"]}, {"more": 1}],
)  # fmt: skip
def test_no_file_makes_a_question_dead(entry, answers_file):
    entry = {"answer": 0, "right": False, "tries": 1} | entry if isinstance(entry, dict) and entry else entry
    answers_file.write_text(json.dumps({"01/first-positive": entry, "01/retest": entry, "01/second-positive": entry}))
    live.look_again()
    live.answers()
    for name, figure in (("01/first-positive", live.population()), ("01/second-positive", live.test_after_test())):
        asked = live.predict(name, figure)
        if not asked.form.locked:
            asked.form.reply = {"answer": 1, "number": 1}
            assert asked.form.verdict and asked.form.locked
        assert figure.widget in asked.widget.children
    quiz = live.quiz("01/retest")
    quiz.form.reply = {"answer": 1, "number": 1}
    assert quiz.form.verdict == "correct" and record.read()["01/retest"]["right"]


@pytest.mark.parametrize(
    "text", ["", "nonsense", "[]", "[" * 100_000, '{"01/retest": 3}', '{"01/retest": {"answer": 1}}']
)
def test_a_file_that_is_not_one_changes_nothing(text):
    live.quiz("01/retest").answer(1)
    page, before = live.answers(), record.read()
    page.restore(text)
    assert page.form.status.startswith("Nothing was changed: text must be a saved answers file")
    assert page.form.status.endswith("1 questions answered so far, 1 of them right.")
    assert record.read() == before


@pytest.mark.smoke
def test_an_older_answers_file_is_kept_whole_and_only_questions_of_today_are_counted(answers_file):
    older = {
        name: {"answer": 1, "right": True, "tries": 2, "wrong": [0]} for name in ("01/retest", "15/no-longer-asked")
    }
    answers_file.write_text(json.dumps(older))
    record.remember("01/rising", 0, False)
    assert older.items() <= record.read().items()
    assert "2 questions answered so far, 1 of them right" in live.answers().form.status
    live.look_again()


def test_a_damaged_file_is_set_aside_not_lost(answers_file):
    answers_file.write_text('{"01/retest": {"ans')
    told = "Your earlier answers cannot be read: my-answers.json is damaged."
    asked = live.predict("01/first-positive", live.population())
    assert asked.form.feedback.startswith(told) and not asked.form.verdict and not asked.form.locked
    assert told in live.answers().form.status and told in live.look_again().html()
    assert answers_file.read_text() == '{"01/retest": {"ans', "reading changes nothing"
    quiz = live.quiz("01/rising")
    quiz.answer(1)
    assert told in quiz.form.feedback and quiz.form.verdict == "correct" and record.read().keys() == {"01/rising"}
    assert answers_file.with_suffix(".json.damaged").read_text() == '{"01/retest": {"ans'
    assert "An answers file that was damaged is kept as my-answers.json.damaged." in live.answers().form.status
    answers_file.write_text("also damaged")
    live.predict("01/second-positive", live.test_after_test()).answer(50)
    assert answers_file.with_suffix(".json.damaged-2").read_text() == "also damaged", "the first is not overwritten"


def test_entries_that_are_not_understood_are_told_and_kept(answers_file):
    sound = {"answer": 1, "right": True, "tries": 1}
    answers_file.write_text(json.dumps({"01/retest": sound, "01/rising": sound | {"tries": "2"}}))
    status = live.answers().form.status
    assert "1 questions answered so far" in status and "1 entry is not understood and left out (01/rising)" in status
    live.quiz("01/columns").answer(1)
    assert record.read().keys() == {"01/retest", "01/columns"}
    assert "01/rising" in answers_file.with_suffix(".json.damaged").read_text()


def test_a_file_that_cannot_be_read_or_moved_leaves_the_questions_working(answers_file):
    answers_file.mkdir()  # stands for whatever keeps the file from being opened; permissions do not bind root
    assert record.read() == {} and not live.predict("01/first-positive", live.population()).form.locked
    quiz = live.quiz("01/rising")
    assert quiz.answer(1) and "could not be written to my-answers.json" in quiz.form.feedback
    asked = live.predict("01/first-positive", live.population())
    assert "cannot be read" in asked.form.feedback
    asked.answer(0)
    assert "could not be written" in asked.form.feedback and asked.form.locked
    page = live.answers()
    page.restore('{"01/retest": {"answer": 1, "right": true, "tries": 1}}')
    assert page.form.status.startswith("Nothing was changed: Your answers could not be written to my-answers.json")


def test_a_folder_that_cannot_be_written_is_said_and_the_quiz_goes_on(monkeypatch, tmp_path):
    monkeypatch.setenv("BAYESLIB_ANSWERS", str(tmp_path / "no such folder" / "my-answers.json"))
    quiz = live.quiz("01/rising")
    assert quiz.answer(1)
    assert "could not be written to my-answers.json (No such file or directory)" in quiz.form.feedback
    page = live.answers()
    page.forget()
    assert page.form.status.startswith("Nothing to forget.")


# What to look at again


def test_what_to_look_at_again_comes_from_the_readers_own_answers():
    assert "no answers of yours yet" in live.look_again().html()
    live.quiz("01/retest").answer(1)
    assert "None of your answers so far shows" in live.look_again().html()
    quiz = live.quiz("01/another-ward")
    quiz.answer(81.8)
    page = live.look_again().html()
    assert "<strong>Base-rate neglect.</strong>" in page and misconception("base-rate").text in page
    where = f"Section 01, {quiz.question.title}"
    assert page.count(where) == 2, "where it was shown, and to try once more"
    assert page.count("<li>") <= 1 + 3
    quiz.answer(33.3)
    assert "Base-rate neglect" in live.look_again().html(), "a wrong answer before the right one counts"


def test_three_questions_are_proposed_and_never_a_prediction():
    for name in QUESTIONS:
        wrong = (
            0 if not Question(name).is_choice else [bool(o.get("correct")) for o in Question(name).options].index(False)
        )
        record.remember(name, wrong, False)
    proposed = review.questions(record.read())
    assert len(proposed) == 3 and not any(question.is_prediction for question in proposed)
    page = live.look_again().html()
    assert page.count("<li>") == 8 + 3 and " more.</p>" in page
    assert "slip" not in page and "Section 16" not in page.split("Try once more")[1]
    assert not set(misconception(shown.tag).kind for shown in review.misconceptions(record.read())) - {"misconception"}


def test_what_is_stored_of_it_depends_on_nobody():
    before = live.look_again().stored()
    live.quiz("01/columns").answer(0)
    assert live.look_again().stored() == before and "<p>" in before["text/html"]
