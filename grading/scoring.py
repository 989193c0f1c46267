"""From what the sandbox sent back to points and sentences. Here a student's values meet the reference answers, outside.

A sentence reaches the student, so it holds nothing that could carry a hidden input: no value that came back, no message of
an exception; and of its name the sandbox lets only Python's own through.
"""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from bayeslib.questions.answers import (
    PLACEHOLDER,
    impossible,
    in_words,
    kind_of,
    matching_mistakes,
    outcome,
    rounded,
    same,
    shuffled,
    third_digit,
    wrong_keys,
)
from bayeslib.questions.misconceptions import explained
from grading.references import hidden_cases, results_for
from grading.sandbox import Raised, Request

MOST = 5_000_000  # characters of results that are sent in place of a function


@dataclass
class Line:
    """One check: the points that it gave, and why not all of them."""

    says: str
    points: float
    out_of: float
    sentence: str = ""


@dataclass
class Mark:
    """One task: its lines, and their sum; no points at all (None) where a person has to mark it."""

    task: str
    out_of: float
    lines: list = field(default_factory=list)
    by_hand: bool = False

    @property
    def points(self):
        return None if self.by_hand else sum(line.points for line in self.lines)

    @property
    def comment(self):
        """What was lost and why, in one text; empty for full marks."""
        lost = {}
        for line in self.lines:
            if line.points < line.out_of:
                lost.setdefault(line.sentence, []).append(line.says)
        if len(lost) == 1 and len(*lost.values()) == len(self.lines):
            return _sentence(*lost)
        return " ".join(_sentence(f"{', '.join(says)}: {sentence}") for sentence, says in lost.items())


@dataclass
class Question:
    """One hidden check, ready to be asked: its inputs, and what the reference and the mistakes make of them."""

    task: str
    says: str
    points: float
    ask: Request
    cases: list = ()
    given: dict | None = None


def questions(exercise, secret):
    """What the sandbox is asked. Each question is answered by a process of its own."""
    found = []
    for name, task in exercise.tasks.items():
        for check in task.get("checks", []):
            cases = hidden_cases(task, check, secret, name)
            ask = Request(name, [each.case for each in cases])
            found.append(Question(name, check["says"], float(check["points"]), ask, cases))
        if task["kind"] in {"number", "choice"}:
            found.append(Question(name, name, float(task["points"]), Request(name, None)))
    return found


def marks(exercise, asked, answers, student, others=()):
    """A Mark for each task, from the answers to the questions; `others` are the ids of the class."""
    found = {
        name: Mark(name, float(task["points"]), by_hand=task["kind"] == "explanation")
        for name, task in exercise.tasks.items()
    }
    for name, mark in found.items():
        pairs = [pair for pair in zip(asked, answers, strict=True) if pair[0].task == name]
        rank = partial(_rank, pairs)
        for question, answer in pairs:
            try:
                share, sentence = _judge(exercise.tasks[name], question, answer, [student, *others], rank)
            except Exception as error:  # a value that was made to break the comparison costs its own points only
                share, sentence = 0, f"what came back could not be compared ({type(error).__name__})."
            mark.lines.append(Line(question.says, round(share * question.points, 2), question.points, sentence))
    return list(found.values())


def retry_with_correct_dependencies(exercise, asked, found, answers, student, course):
    """Errors do not carry over: what is asked once more, with right results in place of the function that a task builds on.

    Pairs of a question and its Request, for the tasks that lost points and build on one that lost points too. `answers` are the
    cells of the answers; of the reference only results for the inputs in question go in.
    """
    short = {mark.task for mark in found if not mark.by_hand and mark.points < mark.out_of}
    again = []
    for question in asked:
        builds_on, cases = exercise.tasks[question.task].get("builds_on", []), question.ask.cases
        if question.task not in short or not short & set(builds_on):
            continue
        given = question.given or results_for(exercise, course, question.task, cases, student)
        if cases is not None:  # the same for the whole class
            question.given = given
        if sum(len(row) for table in given.values() for row in table["rows"]) < MOST:
            cell = answers.get(question.task, "") if cases is None else ""
            again.append((question, Request(question.task, cases, given, cell)))
    return again


def best_of(exercise, found, again, answers, student):
    """The marks, where an answer that was asked for once more earned more with that, and says so."""
    second = {
        (mark.task, line.says): line
        for mark in marks(exercise, [question for question, _ in again], answers, student)
        for line in mark.lines
    }
    given = {question.task: in_words(ask.given) for question, ask in again}
    for mark in found:
        for line in mark.lines:
            new = second.get((mark.task, line.says))
            if new and new.points > line.points:
                told = f"asked again, with right results in place of your {given[mark.task]}"
                line.points, line.sentence = new.points, f"{told}: {new.sentence}" if new.sentence else f"{told}."
    return found


def _rank(pairs):
    """How many results of a function each mistake would explain: of two that explain one, the one of more is meant."""
    return Counter(
        mistake
        for question, answer in pairs
        if answer.values is not None
        for value, hidden in zip(answer.values, question.cases)
        for mistake, result in hidden.wrong.items()
        if not isinstance(value, Raised) and _comparable(value, result)
    )


def _comparable(value, wanted):
    with suppress(Exception):  # a value that was made to break the comparison
        return same(value, wanted)
    return False


def _judge(task, question, answer, ids, rank):
    """The share of its points that an answer has earned, and what is wrong with it, in a sentence."""
    if answer.values is None:
        return 0, f"no answer: {answer.reason}."
    if task["kind"] == "function":
        return _function(task, question, answer.values, rank)
    (value,) = answer.values
    sentence = (_choice if task["kind"] == "choice" else _number)(task, value, *ids)
    return (0 if sentence else 1), sentence


def _function(task, question, values, rank):
    """A dict with `keys` earns a share for each of them that is right throughout; else it is all or nothing."""
    keys = task.get("keys", ())
    wrong, sentence = set(), ""
    for value, (_, wanted, wrongs) in zip(values, question.cases, strict=True):
        mistakes = {tag: wrongs[tag] for tag in task["mistakes"]}
        here = wrong_keys(value, wanted, keys, task.get("tolerance", 1e-6))
        if _is_right(task, wanted, value) or (keys and not here):
            continue
        wrong.update(here)
        sentence = sentence or _sentence_of(task, wanted, value, mistakes, here, rank)
    share = 1 - len(wrong) / len(keys) if wrong else 0
    if share:
        parts = [key for key in keys if key not in wrong], [key for key in keys if key in wrong]
        more = task.get("hints", {}).get(parts[1][0], "")
        sentence = f"{in_words(parts[0])} agreed, {in_words(parts[1])} did not; {sentence} {more}".rstrip()
    return (share if sentence else 1), sentence


def _is_right(task, wanted, value):
    if isinstance(value, Raised):
        return value.kind == "ValueError" and isinstance(wanted, ValueError)
    return same(value, wanted, task.get("tolerance", 1e-6))


def _sentence_of(task, wanted, value, mistakes, keys, rank):
    """What is wrong with one result of a function."""
    stopped = isinstance(value, Raised)
    if stopped and value.kind == "NotImplementedError":
        return "not written yet."
    if value is None:
        return "it returned None."
    said = ""
    if stopped:
        name = "an exception of its own" if value.kind == "Exception" else value.kind
        said = f"it stopped with {name} where {kind_of(wanted)} was expected. "
    found = matching_mistakes(Exception() if stopped else value, wanted, mistakes, keys)
    if found:
        tag = max(found, key=rank().__getitem__) if len(found) > 1 else found[0]
        return said + explained(tag, "Stopping there" if stopped else "a result")
    if said:
        return said.rstrip()
    if isinstance(wanted, ValueError):
        return "no answer exists there, and no ValueError said so."
    if rounded(value, wanted):
        return "a result looks rounded; give the number as it comes."
    return "a result differs from the right one."


def _choice(task, value, student, *others):
    if value is None or isinstance(value, Raised):
        return "no answer: it is None."
    if not isinstance(value, str) or value not in list(task["options"]):
        return f"it must be one of {', '.join(task['options'])}."
    value = shuffled(task["options"], task["salt"], student)[value]
    if value == task["solve"]:
        return ""
    named = value in task["mistakes"]
    return explained(task["mistakes"][value], "this answer") if named else "this is not the right one."


def _number(task, value, student, *others):
    """A number is right to the third digit; but one that a mistake gives is that mistake's, however near it lies."""
    if value is None or isinstance(value, Raised):
        return "no answer: it is None."
    wanted = task["solve"](student)
    if same(value, wanted, task.get("tolerance", 1e-6)):
        return ""
    found = matching_mistakes(
        value, wanted, {tag: outcome(wrong, (student,)) for tag, wrong in task["mistakes"].items()}
    )
    if found:
        return explained(found[0], "this number")
    if third_digit(value, wanted):
        return ""
    if task.get("varies"):
        if third_digit(value, task["solve"](PLACEHOLDER)):
            return f"it is right for the id {PLACEHOLDER!r} and not for yours, which decides your data."
        if any(same(value, task["solve"](other)) for other in others):
            return "it is right for another id and not for yours, which decides your data."
    if rounded(value, wanted):
        return "it looks rounded; three digits are needed."
    return f"the number is not right. {impossible(task, value)}".rstrip()


def _sentence(text):
    return text[:1].upper() + text[1:]
