"""Known errors, so that a quiz, a check, a graded report and a lecturer's note say the same about the same error."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Misconception(NamedTuple):
    """A wrong belief, or (kind "slip") an error in calculation, whose title students never see. `term`: the title is an established one."""

    title: str
    text: str
    kind: str
    term: bool = False


@cache
def entries():
    """All of misconceptions.toml, by tag."""
    text = (files(__package__) / "misconceptions.toml").read_text(encoding="utf-8")
    return {tag: Misconception(**entry) for tag, entry in tomllib.loads(text).items()}


def misconception(tag):
    """The entry of a tag; a KeyError if there is none."""
    return entries()[tag]


def split(mistake):
    """The tag and the sentence of a task's mistake, which is "tag", "tag: A sentence." or "A sentence.".

    >>> split("base-rate: The product starts with P(class).")
    ('base-rate', 'The product starts with P(class).')
    >>> split("Divide by k at the end.")
    (None, 'Divide by k at the end.')
    """
    tag, _, sentence = mistake.partition(": ")
    if tag in entries():
        return tag, sentence
    if " " not in mistake:
        raise ValueError(f"mistake must be a tag of misconceptions.toml or a sentence, got {mistake!r}")
    return None, mistake


def explained(mistake, what="This value"):
    """The explanation of a mistake that an answer points to. It is hedged, as other errors may give the same answer.

    >>> explained("sign-flip")
    'A log-likelihood is the logarithm itself; a code length or a loss is its negative.'
    >>> explained("prior-twice")[:49]
    'This value points to the prior counted twice. The'
    """
    tag, sentence = split(mistake)
    if tag is None:
        return sentence
    error = misconception(tag)
    if error.kind == "slip":
        return sentence or error.text
    return " ".join(filter(None, [f"{what} points to {error.title}.", sentence, error.text]))
