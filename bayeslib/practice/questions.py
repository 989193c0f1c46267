"""Questions that answer back. They are kept as text in one file a section (01.toml, …), named like "01/retest".

A choice has options, each with feedback and, where it is wrong, the misconception behind it. A number has an answer, a
tolerance and the wrong values that people give. A prediction is either of them, asked before a figure shows the answer;
`then` holds the control values with which the figure shows it.
"""

import tomllib
from functools import cache
from importlib.resources import files

from bayeslib.judging.misconceptions import misconception


@cache
def _read(section):
    with (files(__package__) / f"{section}.toml").open("rb") as file:
        return tomllib.load(file)


def names(section):
    """The questions of a section, in order."""
    return [f"{section}/{name}" for name in _read(section)]


class Question:
    """One question: `prompt`, `options` (a choice) or `answer` with `unit` (a number), and `judge`."""

    def __init__(self, name):
        section, _, short = name.partition("/")
        if not (files(__package__) / f"{section}.toml").is_file() or short not in _read(section):
            known = (
                names(section)
                if (files(__package__) / f"{section}.toml").is_file()
                else "those of a section, such as 01/…"
            )
            raise ValueError(f"question must be one of {known}, got {name!r}")
        entry = _read(section)[short]
        self.name, self.prompt, self.title = name, entry["prompt"], entry["title"]
        self.options, self.then = entry.get("options", []), entry.get("then", {})
        self.answer, self.tolerance, self.unit = entry.get("answer"), entry.get("tolerance", 0), entry.get("unit", "")
        self.wrong, self.right, self.otherwise = (
            entry.get("wrong", []),
            entry.get("right", ""),
            entry.get("otherwise", ""),
        )

    @property
    def is_choice(self):
        return bool(self.options)

    @property
    def lettered(self):
        """The options of a choice, each with its letter."""
        return list(zip("ABCDEFGH", self.options))

    @property
    def replies(self):
        """What is said to which answers: the first whose value lies within its tolerance counts, `otherwise` if none does."""
        if self.is_choice:
            said = [
                (number, 0, option.get("correct", False), self.feedback(option))
                for number, option in enumerate(self.options)
            ]
        else:
            said = [(self.answer, self.tolerance, True, f"Right. {self.right}")]
            for entry in self.wrong:
                said.append((entry["value"], entry.get("tolerance", self.tolerance), False, self.feedback(entry)))
        return [dict(zip(("value", "tolerance", "right", "feedback"), each)) for each in said]

    def judge(self, answer):
        """Whether `answer`, an option's number from 0 or a value, is right, and the feedback for it."""
        if self.is_choice and (isinstance(answer, bool) or answer not in range(len(self.options))):
            raise ValueError(f"answer must be an option from 0 to {len(self.options) - 1}, got {answer!r}")
        if isinstance(answer, bool) or not isinstance(answer, (int, float)) or answer != answer:
            raise ValueError(f"answer must be a number, got {answer!r}")
        for reply in self.replies:
            if abs(answer - reply["value"]) <= reply["tolerance"]:
                return reply["right"], reply["feedback"]
        return False, f"No. {self.otherwise}"

    @property
    def percent(self):
        """Whether a percentage is asked for."""
        return "percent" in self.unit

    def is_fraction(self, answer):
        """Whether a percentage was asked for and a fraction came: not a wrong answer, only another scale."""
        return self.percent and 0 < answer < 1

    @property
    def solution(self):
        """The right answer and why, in words."""
        if self.is_choice:
            letter, right = next((letter, option) for letter, option in self.lettered if option.get("correct"))
            return f"The answer is {letter}. {right['feedback']}"
        return f"The answer is {self.answer:g}{'%' if self.percent else self.unit}. {self.right}"

    @staticmethod
    def feedback(entry):
        """What an option or a wrong value gets as an answer, with the name of the misconception where it has one."""
        verdict = "Right. " if entry.get("correct") else "No. "
        if "tag" in entry:
            name, text = misconception(entry["tag"])
            verdict += f"{name[0].upper()}{name[1:]}: {text} "
        return (verdict + entry.get("feedback", "")).strip()

    @property
    def distances(self):
        """The words for a guessed number that is near, too high or too low; how much goes where {} stands."""
        return {"near": "close enough", "high": f"{{}}{self.unit} too high", "low": f"{{}}{self.unit} too low"}

    def distance(self, guess):
        """How far a guessed number was off, in words."""
        off = guess - self.answer
        way = "near" if abs(off) <= self.tolerance else "high" if off > 0 else "low"
        return self.distances[way].format(f"{float(f'{abs(off):.3g}'):g}")  # 3020, not 3.02e+03

    def guessed(self, guess):
        """A guess as it is told: its letter, or the number and how far off it was."""
        return self.lettered[guess][0] if self.is_choice else f"{guess:g}, {self.distance(guess)}"
