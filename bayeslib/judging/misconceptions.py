"""Errors that have a name. A quiz, a check and a lecturer's note that meet the same error call it the same."""

import tomllib
from functools import cache
from importlib.resources import files


@cache
def entries():
    """All of misconceptions.toml: a tag for each error, with its name and the sentence that mends it."""
    return tomllib.loads((files(__package__) / "misconceptions.toml").read_text(encoding="utf-8"))


def misconception(tag):
    """The name of an error and the sentence that mends it."""
    entry = entries()[tag]
    return entry["name"], entry["text"]
