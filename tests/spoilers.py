"""What gives a prediction away: its number in any dress, or the words of its right option, where a reader comes by before it.

In the lesson itself, in 00 and in the heads and teasers of earlier lessons two digits that agree are enough, or a phrase with two
telling words, or a sentence that speaks of what is asked and says what the right option says. The pages of earlier lessons are
full of numbers: only four digits or four telling words count there. An option such as "yes" or "−" cannot be found so: mottos
and headings that ask are the author's to write.
"""

import re
from math import floor, inf, log10
from typing import NamedTuple

from bayeslib.questions.question import Question
from tests.reading import STOP, Number, digits, exact, normal, numbers, sentences, stem, stems


class Found(NamedTuple):
    """A place that gives a prediction away, and what is read there."""

    prediction: str
    cell: str
    reads: str


class Clues:
    """What would give a prediction away: the numbers of its answer, and the words of its right option.

    A number that stands in the prompt or in another option gives nothing away, and neither do 0, 1, 10, a half or any other
    that has one digit. If the right option says "about 20%", the number that the feedback or the picture gives for it counts
    too. Words that the prompt or all options share are not telling.
    """

    def __init__(self, name, told=""):
        question = Question(name)
        right = next((option for option in question.options if option.get("correct")), {"text": ""})
        wrong = [option["text"] for option in question.options if not option.get("correct")]
        self.numbers = [
            number
            for number in self._answers(question, right, wrong, told)
            if digits(f"{number.value:.10g}") >= 2 <= number.digits
            and not any(_same(number, other, 2) for other in numbers(f"{question.prompt} ; {' ; '.join(wrong)}"))
        ]
        common = set.intersection(*map(set, map(stems, wrong))) if wrong else set()
        known = stems(question.prompt) | common
        clauses = [normal(clause) for clause in (right["text"], *re.split("[,;:] ", right["text"]))]
        self.phrases = {
            " ".join(clause): len({stem(word) for word in clause if len(word) > 1} - known - STOP)
            for clause in clauses
            if clause
        }
        self.telling = {word for word in stems(right["text"]) - known if len(word) > 1 and not word[0].isdigit()}
        self.words = stems(right["text"]) or set(normal(right["text"])) - {"yes", "no"}
        self.wrong = [stems(text) or set(normal(text)) for text in wrong]
        self.asked = stems(_asked(question))

    @staticmethod
    def _answers(question, right, wrong, told):
        if question.answer is not None:
            found = exact(question.answer)
            if question.percent:
                found = Number(found.value / 100, found.unit / 100, found.digits, f"{found.text}%", True)
            return [found]
        said = list(numbers(right["text"], parts=False))
        for number in numbers(f"{right.get('feedback', '')} ; {told}", parts=False) if "about" in right["text"] else ():
            far = [abs(number.value - other.value) for other in numbers(" ; ".join(wrong))]
            close = [abs(number.value - rough.value) for rough in numbers(right["text"], parts=False)]
            if min(close, default=inf) <= 0.15 * number.value and min(close) < min(far, default=inf):
                said.append(number)
        return list(dict.fromkeys(said))

    def read_in(self, text, near, here=True):
        """What in a text gives the prediction away; in another lesson, `here` being false, a count of two digits does not."""
        for number in numbers(text):
            count = number.unit == 1 and number.digits < 3 and not here
            if not count and any(_same(number, answer, 2 if near else 4) for answer in self.numbers):
                yield number.text
        line = f" {' '.join(normal(text))} "
        yield from (phrase for phrase in self.phrases if self.strong(phrase, near) and f" {phrase} " in line)
        for sentence in sentences(text):
            found = stems(sentence)
            if len(self.telling) >= (3 if near else 5) and self.telling <= found:
                yield sentence.strip()
            elif near and self._answered(found | set(normal(sentence))):
                yield sentence.strip()

    def strong(self, phrase, near):
        """Does a phrase say the answer by itself, whatever it is said of?"""
        long, telling = len(phrase.split()), self.phrases[phrase]
        return telling >= 2 or (long >= 3 and telling > 0) or long >= 5 if near else telling >= 4

    def _answered(self, found):
        """Does a sentence speak of what is asked, and say what the right option says, and not what another says?"""
        enough = 0.6 if any(len(word) > 1 for word in self.words) else 1
        if not self.words or not self.words <= found or len(self.asked & found) < max(2, enough * len(self.asked)):
            return False
        return not any(wrong and wrong - self.words and wrong <= found for wrong in self.wrong)


def _asked(question):
    """The sentence of a prompt that asks: the last one."""
    return re.split(r"(?<=[.?!])\s+", question.prompt.strip())[-1]


def _same(number, answer, enough):
    """A number is the answer if both round to the same at two digits or more; a share may be written in percent."""
    if min(number.digits, answer.digits) < enough:
        return False
    return number.tells(answer) or (
        answer.share
        and not number.share
        and number.digits >= 3
        and Number(number.value / 100, number.unit / 100, 0, "").tells(answer)
    )


def told(cell):
    """What the picture of a prediction says, stored: the last line of its words."""
    return "".join(each.get("data", {}).get("text/plain", "").rpartition("\n")[2] for each in cell.get("outputs", []))


def spoilers(lesson, i, name, before=()):
    """The places before cell i of a lesson that give its prediction away; `before` are the lessons before it."""
    clues = Clues(name, told(lesson.cells[i]))
    for each in before:
        for j, cell in enumerate(each.cells):
            near = each.number == "00" or j == 0 or "**Next:**" in cell.source
            yield from _read(clues, name, each, j, near, False)
    for j in range(i):
        yield from _read(clues, name, lesson, j, True, True)


def _read(clues, name, lesson, j, near, here):
    found = [reads for text in lesson.texts(j) for reads in clues.read_in(text, near, here)]
    yield from (Found(name, f"{lesson.number} {lesson.cells[j].id}", reads[:90]) for reads in dict.fromkeys(found))


def dresses(name, told=""):
    """The answer of a prediction as somebody might let it slip, in sentences that have nothing else to do with it."""
    clues, question = Clues(name, told), Question(name)
    for number in clues.numbers:
        whole = number.unit == 1
        yield f"It comes out at {number.value:.10g}."
        if not whole:
            places = max(1, number.digits - 1 - floor(log10(abs(number.value))))
            yield f"Remember {f'{number.value:.{places}f}'.removeprefix('0')} for later."
            yield f"| result | {number.value:.{places + 2}f} |"
        if number.value < 1:
            yield f"That makes {100 * number.value:.3g}% of them."
            if number.value >= 0.1:
                yield f"So {100 * number.value:.0f} in 100 are."
    right = next((option["text"] for option in question.options if option.get("correct")), "")
    if clues.words:
        yield f"*{_asked(question).rstrip('?')}:* {right}."
    if any(clues.strong(phrase, True) for phrase in clues.phrases):
        yield f"In the end, **{right}**, as we shall see."
