"""Turn what the sandbox sent back into points and sentences. A student's values are compared with the reference answers here.

A sentence reaches the student, so it contains nothing that could carry a hidden input: no returned value and no message of
an exception; the sandbox lets no names of exceptions through but Python's own.
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

MOST = 5_000_000  # characters of results sent in place of a function


@dataclass
class Line:
    """One check: the points it gave, and why not all of them."""

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
    """One hidden check, ready to be run: its inputs, and what the reference and the mistakes make of them."""

    task: str
    says: str
    points: float
    request: Request
    cases: list = ()
    given: dict | None = None


def questions(exercise, secret):
    """The questions for the sandbox. Each is answered by a separate process."""
    prepared = []
    for name, task in exercise.tasks.items():
        for check in task.get("checks", []):
            cases = hidden_cases(task, check, secret, name)
            request = Request(name, [hidden.case for hidden in cases])
            prepared.append(Question(name, check["says"], float(check["points"]), request, cases))
        if task["kind"] in {"number", "choice"}:
            prepared.append(Question(name, name, float(task["points"]), Request(name, None)))
    return prepared


def marks(exercise, asked, answers, student, others=()):
    """A Mark for each task, from the answers to the questions; `others` are the ids of the class."""
    by_task = {
        name: Mark(name, float(task["points"]), by_hand=task["kind"] == "explanation")
        for name, task in exercise.tasks.items()
    }
    for name, mark in by_task.items():
        pairs = [pair for pair in zip(asked, answers, strict=True) if pair[0].task == name]
        rank = partial(_rank, pairs)
        for question, answer in pairs:
            try:
                share, sentence = _judge(exercise.tasks[name], question, answer, [student, *others], rank)
            except Exception as error:  # a value made to break the comparison loses only its own points
                share, sentence = 0, f"what came back could not be compared ({type(error).__name__})."
            mark.lines.append(Line(question.says, round(share * question.points, 2), question.points, sentence))
    return list(by_task.values())


def retry_with_correct_dependencies(exercise, asked, first_marks, answers, student, course):
    """What to ask again, so that errors do not carry over: with right results in place of the functions that a task builds on.

    Pairs of a question and its Request, for the tasks that lost points and build on one that lost points too. `answers` are the
    cells of the answers; of the reference, only results for the inputs in question are passed on.
    """
    incomplete = {mark.task for mark in first_marks if not mark.by_hand and mark.points < mark.out_of}
    retries = []
    for question in asked:
        builds_on, cases = exercise.tasks[question.task].get("builds_on", []), question.request.cases
        if question.task not in incomplete or not incomplete & set(builds_on):
            continue
        given = question.given or results_for(exercise, course, question.task, cases, student)
        if cases is not None:  # the same for the whole class
            question.given = given
        if sum(len(row) for table in given.values() for row in table["rows"]) < MOST:
            cell = answers.get(question.task, "") if cases is None else ""
            retries.append((question, Request(question.task, cases, given, cell)))
    return retries


def best_of(exercise, first_marks, retries, answers, student):
    """The marks, raised where the retry earned more; the sentence then says so."""
    retried = {
        (mark.task, line.says): line
        for mark in marks(exercise, [question for question, _ in retries], answers, student)
        for line in mark.lines
    }
    given = {question.task: in_words(request.given) for question, request in retries}
    for mark in first_marks:
        for line in mark.lines:
            retry = retried.get((mark.task, line.says))
            if retry and retry.points > line.points:
                prefix = f"asked again, with right results in place of your {given[mark.task]}"
                line.points, line.sentence = (
                    retry.points,
                    f"{prefix}: {retry.sentence}" if retry.sentence else f"{prefix}.",
                )
    return first_marks


def _rank(pairs):
    """How many of a function's results each mistake would explain: of two that explain one result, the more frequent is meant."""
    return Counter(
        mistake
        for question, answer in pairs
        if answer.values is not None
        for value, hidden in zip(answer.values, question.cases)
        for mistake, result in hidden.wrong.items()
        if not isinstance(value, Raised) and _comparable(value, result)
    )


def _comparable(value, wanted):
    with suppress(Exception):  # a value made to break the comparison
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
    """A dict with `keys` earns a share for each key that is right throughout; otherwise it is all or nothing."""
    keys = task.get("keys", ())
    wrong, sentence = set(), ""
    for value, (_, wanted, wrongs) in zip(values, question.cases, strict=True):
        mistakes = {tag: wrongs[tag] for tag in task["mistakes"]}
        wrong_here = wrong_keys(value, wanted, keys, task.get("tolerance", 1e-6))
        if _is_right(task, wanted, value) or (keys and not wrong_here):
            continue
        wrong.update(wrong_here)
        sentence = sentence or _sentence_of(task, wanted, value, mistakes, wrong_here, rank)
    share = 1 - len(wrong) / len(keys) if wrong else 0
    if share:
        parts = [key for key in keys if key not in wrong], [key for key in keys if key in wrong]
        hint = task.get("hints", {}).get(parts[1][0], "")
        sentence = f"{in_words(parts[0])} agreed, {in_words(parts[1])} did not; {sentence} {hint}".rstrip()
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
    prefix = ""
    if stopped:
        name = "an exception of its own" if value.kind == "Exception" else value.kind
        prefix = f"it stopped with {name} where {kind_of(wanted)} was expected. "
    tags = matching_mistakes(Exception() if stopped else value, wanted, mistakes, keys)
    if tags:
        tag = max(tags, key=rank().__getitem__) if len(tags) > 1 else tags[0]
        return prefix + explained(tag, "Stopping there" if stopped else "a result")
    if prefix:
        return prefix.rstrip()
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
    tags = matching_mistakes(
        value, wanted, {tag: outcome(wrong, (student,)) for tag, wrong in task["mistakes"].items()}
    )
    if tags:
        return explained(tags[0], "this number")
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
