"""Questions that reply to an answer. They are stored as text in the folder of their section (questions.toml) and have names
like "01/retest".

A choice has options, each with feedback and, where it is wrong, the misconception behind it. A number has an answer, a
tolerance, the wrong values that people give, and `low` and `high` where not every number is possible (a percentage has 0
and 100). Beside the answer and each wrong value stands the expression that gives it (`computed`, with names from `let`),
which a test evaluates; see tools/expressions.py. A prediction is either kind, asked before a figure shows the answer; `then` holds the control values with which
the figure shows it, `first` those with which it opens for somebody who does not guess, where it would otherwise give the answer away.

In the third edition a prediction has a `reveal`, the one explanation that follows every answer; it stands under the figure,
which is there from the start. A question called "Bet" is not marked until it is settled: `note` says so beside its button,
`again` asks half-way whether to keep it ({} is the guess), and `once` maps questions to a sentence that is added when they
are answered. All these texts are Markdown with formulas (prose.py).

Every answer gets a verdict and sentences (`compose`): first the `feedback` on this answer, then the general one
on the misconception (its `tag`), and last the misconception's name, if that is an established term.
"""

import math
import os
import re
import tomllib
from decimal import ROUND_HALF_UP, Context
from functools import cache
from importlib.resources import files
from pathlib import Path

from bayeslib import sections
from bayeslib.questions import prose
from bayeslib.questions.misconceptions import misconception
from bayeslib.questions.verdict import SIGNS

WORDS = {"correct": "Correct", "partly": "Partly right", "wrong": "Not quite"}
VERDICTS = {verdict: f"{SIGNS[verdict]} {word}" for verdict, word in WORDS.items()}

DIGITS = Context(prec=3, rounding=ROUND_HALF_UP)  # as the page rounds where there is no Python


OWN = "BAYESLIB_QUESTIONS"  # environment variable: a lecturer's own file, whose questions are called "own/…"


def _file(section):
    if section == "own":
        return Path(os.environ.get(OWN, ""))
    return files(sections) / sections.BY_NUMBER.get(section, sections.START).folder / "questions.toml"


@cache
def _read(section):
    with _file(section).open("rb") as file:
        return tomllib.load(file)


def names(section):
    """The questions of a section, in order."""
    return [f"{section}/{name}" for name in _read(section)]


def raw(name):
    """A question's entry as it stands in the file."""
    section, _, short = name.partition("/")
    return _read(section)[short]


def compose(entry):
    """The verdict on an option or a value, and the sentences for it: on this answer, in general, and the established term.

    The general sentence is left out where the feedback already says it (`alone`), and for a slip that has feedback.
    """
    verdict = "correct" if entry.get("correct") else "partly" if entry.get("partly") else "wrong"
    parts = [entry["feedback"]] if entry.get("feedback") else []
    if "tag" in entry:
        error = misconception(entry["tag"])
        if not entry.get("alone") and not (error.kind == "slip" and parts):
            parts.append(error.text)
        if error.term:
            parts.append(f"This is {error.title}.")
    return verdict, parts


def _texts(entry):
    """All texts of an entry in which a formula may stand."""
    for key, value in entry.items() if isinstance(entry, dict) else enumerate(entry):
        if isinstance(value, (dict, list)):
            yield from _texts(value)
        elif isinstance(value, str) and key not in ("computed", "let", "source") and "$" in value:
            yield value


class Question:
    """One question: `prompt`, `options` (a choice) or `answer` with `unit` (a number), and `judge`."""

    def __init__(self, name):
        section, _, short = name.partition("/")
        if not _file(section).is_file() or short not in _read(section):
            known = names(section) if _file(section).is_file() else "those of a section, such as 01/…"
            raise ValueError(f"question must be one of {known}, got {name!r}")
        entry = raw(name)
        self.name, self.prompt, self.title = name, entry["prompt"], entry.get("title", "Question")
        self.options, self.first, self.then = entry.get("options", []), entry.get("first", {}), entry.get("then", {})
        self.answer, self.tolerance, self.unit = entry.get("answer"), entry.get("tolerance", 0), entry.get("unit", "")
        self.wrong, self.right, self.otherwise = (
            entry.get("wrong", []),
            entry.get("right", ""),
            entry.get("otherwise", ""),
        )
        self.reveal, self.note, self.again = (entry.get(key, "") for key in ("reveal", "note", "again"))
        self.once = entry.get("once", {})
        try:
            for text in _texts(entry):
                prose.html(text)
        except ValueError as error:
            raise ValueError(f"question {name!r}: {error}") from None
        # How classes are known to answer, for rehearsals; only with the source of the figures.
        self.shares, self.source = entry.get("shares"), entry.get("source", "")
        bounds = (0, 100) if self.percent else (-math.inf, math.inf)
        self.low, self.high = entry.get("low", bounds[0]), entry.get("high", bounds[1])

    @property
    def is_choice(self):
        return bool(self.options)

    @property
    def lettered(self):
        """The options of a choice, each with its letter, or with a number where the question itself mentions an A or a B."""
        letters = "ABCDEFGH"[: len(self.options)]
        words = " ".join([self.prompt, *(option["text"] for option in self.options)])
        taken = {*re.findall(r"(?<!\w)(?!A [a-z])[A-H](?!\w)", words)} & {*letters}
        return [(f"({number})" if taken else letters[number - 1], each) for number, each in enumerate(self.options, 1)]

    @property
    def replies(self):
        """The replies, by answer: the first whose value lies within its tolerance counts, `otherwise` if none does."""
        if self.is_choice:
            entries = [{"value": number, "tolerance": 0, **option} for number, option in enumerate(self.options)]
        else:
            right = {"value": self.answer, "correct": True, "feedback": self.right}
            entries = [{"tolerance": self.tolerance, **entry} for entry in (right, *self.wrong)]
        return [
            {"value": entry["value"], "tolerance": entry["tolerance"]} | dict(zip(("verdict", "parts"), compose(entry)))
            for entry in entries
        ]

    def judge(self, answer):
        """The verdict on `answer`, an option's number from 0 or a value, and the sentences that go with it."""
        if self.is_choice and (isinstance(answer, bool) or answer not in range(len(self.options))):
            raise ValueError(f"answer must be an option from 0 to {len(self.options) - 1}, got {answer!r}")
        if isinstance(answer, bool) or not isinstance(answer, (int, float)) or answer != answer:
            raise ValueError(f"answer must be a number, got {answer!r}")
        reply = self._reply(answer)
        return (reply["verdict"], reply["parts"]) if reply else compose({"feedback": self.otherwise})

    def _reply(self, answer):
        return next((reply for reply in self.replies if abs(answer - reply["value"]) <= reply["tolerance"]), None)

    def tag(self, answer):
        """The misconception behind an answer; None if there is none, or if this question has no such answer."""
        for entry in self.options[int(answer) : int(answer) + 1] if self.is_choice and answer >= 0 else self.wrong:
            if self.is_choice or abs(answer - entry["value"]) <= entry.get("tolerance", self.tolerance):
                return entry.get("tag")
        return None

    @property
    def tags(self):
        """All misconceptions that an answer to this question can show."""
        return {entry["tag"] for entry in (*self.options, *self.wrong) if "tag" in entry}

    @property
    def is_prediction(self):
        """Whether it is asked before a figure, and so only once."""
        return self.title.startswith("Predict") or self.is_bet

    @property
    def is_bet(self):
        """Whether it is settled only at the end of the lesson."""
        return self.title == "Bet"

    def said(self, answer):
        """An answer in words: the option's text, or the number."""
        return (
            self.options[int(answer)]["text"] if self.is_choice else f"{answer:g}{'%' if self.percent else self.unit}"
        )

    def is_right(self, answer):
        return self.judge(answer)[0] == "correct"

    def ghost(self, answer):
        """What an answer says in the units of the figure, where it can stay as a pale mark; None if it says no number."""
        return self.options[int(answer)].get("ghost") if self.is_choice else answer

    def refusal(self, answer):
        """Why a number cannot be an answer, in words; empty if it can."""
        return "" if self.is_choice or self.low <= answer <= self.high else self.possible

    @property
    def possible(self):
        """Which numbers are possible, in words."""
        if self.percent and (self.low, self.high) == (0, 100):
            return "A percentage lies between 0 and 100."
        if math.isinf(self.high):
            return f"The number asked for is at least {self.low:g}."
        if math.isinf(self.low):
            return f"The number asked for is at most {self.high:g}."
        return f"The number asked for lies between {self.low:g} and {self.high:g}."

    @property
    def percent(self):
        """Whether a percentage is asked for."""
        return "percent" in self.unit

    def is_fraction(self, answer):
        """Whether a percentage was asked for and a fraction given: not a wrong answer, only another scale."""
        return self.percent and 0 < answer < 1 and self._reply(answer) is None

    @property
    def best(self):
        """The right answer, as `judge` takes it."""
        return (
            next(n for n, option in enumerate(self.options) if option.get("correct")) if self.is_choice else self.answer
        )

    @property
    def solution(self):
        """The right answer and why, in words."""
        if self.is_choice:
            letter, right = next((letter, option) for letter, option in self.lettered if option.get("correct"))
            return f"The answer is {letter}. {right.get('feedback', '')}".strip()
        return f"The answer is {self.answer:g}{'%' if self.percent else self.unit}. {self.right}"

    @property
    def distances(self):
        """The words for a guessed number that is near, too high or too low; {} stands for how much."""
        return {"near": "close enough", "high": f"{{}}{self.unit} too high", "low": f"{{}}{self.unit} too low"}

    def distance(self, guess):
        """How far a guessed number was off, in words."""
        off = guess - self.answer
        side = "near" if abs(off) <= self.tolerance else "high" if off > 0 else "low"
        return self.distances[side].format(
            f"{float(DIGITS.create_decimal_from_float(abs(off))):g}"
        )  # 3020, not 3.02e+03

    def guessed(self, guess):
        """A guess in words: its letter, or the number and how far off it was."""
        return self.lettered[int(guess)][0] if self.is_choice else f"{guess:g}, {self.distance(guess)}"
