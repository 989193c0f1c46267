"""Turn what the sandbox sent back into points and sentences, by the same judge that answers a student at work.

A sentence reaches the student, so it contains nothing that could carry a hidden input: no returned value and no message of
an exception; the sandbox lets no names of exceptions through but Python's own. Shown in full are public cases only.
"""

from dataclasses import dataclass, field

from bayeslib.questions.answers import PLACEHOLDER, in_words, outcome, same, third_digit
from bayeslib.questions.judge import Results, Verdict, is_right, raised, share, verdict, worked
from grading.references import hidden_cases
from grading.sandbox import Raised, Request


@dataclass
class Line:
    """One hidden check and the points that it gave."""

    says: str
    points: float
    out_of: float


@dataclass
class Mark:
    """One task: its checks, what the judge says and what else is to be said; no points at all (None) where a person marks it."""

    task: str
    out_of: float
    lines: list = field(default_factory=list)
    verdict: Verdict | None = None
    notes: list = field(default_factory=list)
    by_hand: bool = False

    @property
    def points(self):
        return None if self.by_hand else round(sum(line.points for line in self.lines), 2)

    @property
    def comment(self):
        """What was lost and why; empty for full marks without a note."""
        if not self.verdict or self.points == self.out_of:
            return " ".join(self.notes)
        why = self.verdict.sentence
        if not why and isinstance(self.verdict.value, Exception):
            kind = type(self.verdict.value)
            why = f"It stopped with {'an exception of its own' if kind is Exception else kind.__name__}."
        if isinstance(self.verdict.value, NotImplementedError):
            why = "It is not written yet."
        why = why or "A result differs from the right one."
        return " ".join(filter(None, [*self.notes, self.verdict.so_far, why]))


@dataclass
class Question:
    """Something to be run: a hidden check, a task's public cases (for no points), or the name of a number or a letter."""

    task: str
    says: str
    points: float
    request: Request
    cases: list = ()


def questions(exercise, secret):
    """What is asked of everybody. Each question is answered by a separate process."""
    prepared = []
    for name, task in exercise.tasks.items():
        for check in task.get("checks", []):
            cases = hidden_cases(task, check, secret, name)
            request = Request(name, [case.arguments for case in cases])
            prepared.append(Question(name, check["says"], float(check["points"]), request, cases))
        if task["kind"] in {"number", "choice"}:
            prepared.append(Question(name, name, float(task["points"]), Request(name)))
    return prepared


def questions_for(exercise, asked, first_marks):
    """What is asked of a student who lost points: the public cases; and once more, with right results in place of the earlier
    functions that a task builds on, what may have gone wrong because of them."""
    again, lost = [], {mark.task for mark in first_marks if not mark.by_hand and mark.points < mark.out_of}
    for name in exercise.tasks:
        task = exercise.tasks[name]
        if name in lost and task["kind"] == "function":
            cases = [worked(task, case) for case in task["cases"]]
            again.append(Question(name, "", 0.0, Request(name, [case.arguments for case in cases]), cases))
        if name in lost and lost & {*task.get("builds_on", ())}:
            given = {each: exercise.tasks[each]["arguments"].split(", ") for each in task["builds_on"]}
            for question in (each for each in asked if each.task == name):
                request = Request(name, question.request.cases, given)
                again.append(Question(name, question.says, question.points, request, question.cases))
    return again


def marks(exercise, asked, answers, student, others=(), own_id=None):
    """A Mark for each task, from the answers to the questions; `others` are the ids of the class, `own_id` that in the notebook."""
    by_task = {
        name: Mark(name, float(task["points"]), by_hand=task["kind"] == "explanation")
        for name, task in exercise.tasks.items()
    }
    for name, mark in by_task.items():
        pairs = [pair for pair in zip(asked, answers, strict=True) if pair[0].task == name]
        if not pairs:
            continue
        if exercise.tasks[name]["kind"] == "function":
            _mark_function(exercise.tasks[name], mark, pairs)
        else:
            mark.verdict = _value(exercise.tasks[name], name, pairs[0][1], [student, *others], own_id)
            mark.lines = [Line(name, mark.out_of * bool(mark.verdict.correct), mark.out_of)]
    return list(by_task.values())


def with_second_run(exercise, asked, answers, first_marks, second, second_answers, student):
    """The marks with what the second run has shown: the public case that fails, and points that an earlier error had cost."""
    public = [pair for pair in zip(second, second_answers) if not pair[0].request.given]
    again = [pair for pair in zip(second, second_answers) if pair[0].request.given]
    shown = _by_task(marks(exercise, *zip(*public, *zip(asked, answers)), student)) if public else {}
    retried = _by_task(marks(exercise, *zip(*again), student)) if again else {}
    for mark in first_marks:
        if (
            mark.verdict
            and mark.verdict.case is None
            and mark.task in shown
            and exercise.tasks[mark.task]["kind"] == "function"
        ):
            mark.verdict = shown[mark.task].verdict
        better = retried.get(mark.task)
        if better and better.points is not None and better.points > mark.points:
            given = in_words(exercise.tasks[mark.task]["builds_on"])
            mark.lines, mark.verdict = better.lines, better.verdict
            mark.notes.append(f"Asked again, with right results in place of your {given}.")
    return first_marks


def _by_task(found):
    return {mark.task: mark for mark in found if mark.lines}


def _mark_function(task, mark, pairs):
    """Points from the hidden checks; the verdict from all cases, of which only a public one is shown."""
    cases, values, public = [], [], 0
    for question, answer in pairs:
        got = [raised(value.kind) if isinstance(value, Raised) else value for value in answer.values or ()]
        if question.says:
            earned = share(task, question.cases, got) if answer.values is not None else 0
            mark.lines.append(Line(question.says, earned * question.points, question.points))
        else:
            public = len(got)
        if answer.values is None:
            mark.verdict = mark.verdict or Verdict(False, "Not yet", sentence=f"No answer: {answer.reason}.")
        cases += [_with_names(task, case) for case in question.cases[: len(got)]]
        values += got
    if cases and not mark.verdict:
        mark.verdict = verdict(task | {"cases": cases}, Results(values), mark.task)
    if not any(mark.verdict.case is case for case in cases[:public]):
        mark.verdict = mark.verdict._replace(case=None, problem="", so_far="")
    if not mark.verdict.correct and (other := _other_variant(task, cases, values)):
        mark.notes.append(other)


def _with_names(task, case):
    """A case with the mistakes that have a name; hidden cases know others too."""
    named = task["mistakes"].keys() | task.get("slips", {}).keys()
    return case._replace(mistakes={name: case.mistakes[name] for name in case.mistakes if name in named})


def _other_variant(task, cases, values):
    """Whether all results are right for another variant of the task than the one that was handed out."""
    for solve in task.get("other variants", ()):
        wanted = [outcome(solve, case.arguments) for case in cases]
        if not all(is_right({}, each, case.wanted) for each, case in zip(wanted, cases)) and all(
            is_right({}, value, each) for value, each in zip(values, wanted)
        ):
            return "This answers another variant of the task than the one that was handed out."
    return ""


def _value(task, name, answer, ids, own_id):
    """The verdict on a number or a letter, for the data of this student."""
    if answer.values is None:
        return Verdict(False, "Not yet", sentence=f"No answer: {answer.reason}.")
    (value,) = answer.values
    value = None if isinstance(value, Raised) else value
    if task["kind"] == "choice":
        found = verdict(task, value, name, ids[0])
        if found.mistake and own_id is not None and own_id.strip().lower() != ids[0].strip().lower():
            why = f"The notebook was made for the id {own_id[:60]!r}, for which the options stand in another order than for yours."
            return found._replace(sentence=why, mistake=None)
        return found
    wrong = {mistake: outcome(each, (ids[0],)) for mistake, each in task["mistakes"].items()}
    found = verdict(task | {"wanted": task["solve"](ids[0]), "mistakes": wrong}, value, name)
    if found.correct or found.mistake or not task.get("varies") or not isinstance(value, (int, float)):
        return found
    for other in [PLACEHOLDER, *ids[1:]]:
        right = task["solve"](other)
        if same(value, right) or (other == PLACEHOLDER and third_digit(value, right)):
            whose = f"the id {PLACEHOLDER!r}" if other == PLACEHOLDER else "another id"
            return found._replace(
                sentence=f"It is right for {whose} and not for yours, which decides your data.", hint=""
            )
    return found
