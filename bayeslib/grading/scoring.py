"""From what the sandbox sent back to points and sentences. Here a student's values meet the reference answers, outside.

A sentence reaches the student, so it holds nothing that could carry a hidden input: no value that came back, no message of
an exception; and of its name the sandbox lets only Python's own through.
"""

from dataclasses import dataclass, field

from bayeslib.grading.references import hidden_cases
from bayeslib.grading.sandbox import Ask, Raised
from bayeslib.judging.answers import outcome, same
from bayeslib.judging.misconceptions import explained


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
    """One hidden check, ready to be asked: its inputs and what the reference makes of them."""

    task: str
    says: str
    points: float
    cases: list
    wanted: list
    ask: Ask


def questions(exercise, secret):
    """What the sandbox is asked. Each question is answered by a process of its own."""
    found = []
    for name, task in exercise.tasks.items():
        for check in task.get("checks", []):
            cases = hidden_cases(check, secret, name)
            wanted = [outcome(task["solve"], case) for case in cases]
            found.append(Question(name, check["says"], float(check["points"]), cases, wanted, Ask(name, cases)))
        if task["kind"] in {"number", "choice"}:
            found.append(Question(name, name, float(task["points"]), None, None, Ask(name, None)))
    return found


def marks(exercise, asked, answers, student):
    """A Mark for each task, from the answers to the questions."""
    found = {
        name: Mark(name, float(task["points"]), by_hand=task["kind"] == "explanation")
        for name, task in exercise.tasks.items()
    }
    for question, answer in zip(asked, answers, strict=True):
        try:
            sentence = _judge(exercise.tasks[question.task], question, answer, student)
        except Exception as error:  # a value that was made to break the comparison costs its own points only
            sentence = f"what came back could not be compared ({type(error).__name__})."
        points = 0.0 if sentence else question.points
        found[question.task].lines.append(Line(question.says, points, question.points, sentence))
    return list(found.values())


def _judge(task, question, answer, student):
    """What is wrong with an answer, in a sentence; empty if nothing is."""
    if answer.values is None:
        return f"no answer: {answer.reason}."
    if task["kind"] == "function":
        sentences = (_case(task, *each) for each in zip(question.cases, question.wanted, answer.values, strict=True))
        return next(filter(None, sentences), "")
    (value,) = answer.values
    if isinstance(value, Raised) or value is None:
        return "no answer: it is None."
    if task["kind"] == "choice":
        if not isinstance(value, str) or value not in list(task["options"]):
            return f"it must be one of {', '.join(task['options'])}."
        if value == task["solve"]:
            return ""
        return (
            explained(task["mistakes"][value], "this answer")
            if value in task["mistakes"]
            else "this is not the right one."
        )
    return _compare(task, (student,), task["solve"](student), value, "the number is not right.")


def _case(task, case, wanted, value):
    if isinstance(value, Raised):
        if value.kind == "ValueError" and isinstance(wanted, ValueError):
            return ""
        if value.kind == "NotImplementedError":
            return "not written yet."
        return f"it stopped with {'an exception of its own' if value.kind == 'Exception' else value.kind}."
    if value is None:
        return "it returned None."
    if isinstance(wanted, ValueError):
        return _mistake(task, case, value) or "no answer exists there, and no ValueError said so."
    return _compare(task, case, wanted, value, "a result differs from the right one.")


def _compare(task, case, wanted, value, otherwise):
    if same(value, wanted, task.get("tolerance", 1e-6)):
        return ""
    return _mistake(task, case, value) or (
        "a result looks rounded; give the number as it comes." if same(value, wanted, 1e-3) else otherwise
    )


def _mistake(task, case, value):
    found = (mistake for mistake, wrong in task["mistakes"].items() if same(value, outcome(wrong, case)))
    return next((explained(mistake, "a result") for mistake in found), "")


def _sentence(text):
    return text[:1].upper() + text[1:]
