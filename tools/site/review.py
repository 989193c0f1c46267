"""What the page needs to say what to look at again: bayeslib.questions.review without Python (see review.js)."""

from textwrap import shorten

from bayeslib.live.quiz import LookAgain
from bayeslib.questions.misconceptions import misconception
from bayeslib.questions.prose import inline, plain
from bayeslib.questions.question import Question, names
from bayeslib.sections import SECTIONS


def data(places):
    """All questions of the course and the misconceptions that their answers can show; `places` maps names to addresses."""
    questions = [Question(name) for section in SECTIONS for name in names(section.number)]
    errors = {tag: misconception(tag) for question in questions for tag in question.tags}
    return {
        "most": LookAgain.MOST,
        "questions": [_question(question, places.get(question.name)) for question in questions],
        "misconceptions": {
            tag: [inline(error.title), inline(error.text)]
            for tag, error in errors.items()
            if error.kind == "misconception"
        },
    }


def _question(question, place):
    entry = {
        "name": question.name,
        "title": question.title,
        "begins": shorten(plain(question.prompt), 92, placeholder=" …"),
        "place": place,
    }
    if question.is_choice:
        tags = [option.get("tag") for option in question.options]
    else:
        tags = [
            [wrong["value"], wrong.get("tolerance", question.tolerance), wrong.get("tag")] for wrong in question.wrong
        ]
    return entry | {"choice": question.is_choice, "once": question.is_prediction, "tags": tags}
