"""What to look at again, from a reader's own answers: the misconceptions that they show and three questions to try once more."""

from typing import NamedTuple

from bayeslib.questions.misconceptions import misconception
from bayeslib.questions.question import Question, names
from bayeslib.sections import SECTIONS


class Shown(NamedTuple):
    """A misconception and the questions whose answers show it."""

    tag: str
    title: str
    text: str
    questions: list


def misconceptions(answers):
    """The misconceptions shown by a record's wrong answers, most frequent first. Slips and untagged answers do not count.

    >>> [shown] = misconceptions({"01/which-helps": {"answer": 0, "right": False, "tries": 1}})
    >>> shown.title, [question.name for question in shown.questions]
    ('sensitivity taken for trust in a positive', ['01/which-helps'])
    """
    by_tag = {}
    for name, entry in answers.items():
        if name not in all_names():
            continue  # a question of another edition
        question = Question(name)
        given = [*entry.get("wrong", []), *([] if entry["right"] else [entry["answer"]])]
        for tag in {question.tag(answer) for answer in given} - {None}:
            by_tag.setdefault(tag, []).append(question)
    shown = [Shown(tag, *misconception(tag)[:2], shown_by) for tag, shown_by in by_tag.items() if _is_belief(tag)]
    return sorted(shown, key=lambda each: (-len(each.questions), each.questions[0].name, each.tag))


def questions(answers, number=3):
    """Questions to try once more: quizzes without a right answer yet, then those about the same misconceptions, then hard ones.

    A prediction is asked only once, so it is not among them.
    """
    tags = {shown.tag for shown in misconceptions(answers)}
    ranked = []
    for place, name in enumerate(all_names()):
        question, entry = Question(name), answers.get(name)
        if question.is_prediction or (entry and entry["right"] and entry["tries"] == 1):
            continue
        if entry and not entry["right"]:
            ranked.append((0, place, question))
        elif not entry and tags & question.tags:
            ranked.append((1, place, question))
        elif entry:
            ranked.append((2, place, question))
    return [question for _, _, question in sorted(ranked, key=lambda each: each[:2])[:number]]


def all_names():
    """The names of all questions of the course."""
    return [name for section in SECTIONS for name in names(section.number)]


def _is_belief(tag):
    return misconception(tag).kind == "misconception"
