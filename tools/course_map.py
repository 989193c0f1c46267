"""The map from the lectures to the code: docs/map.toml holds it, the site shows it, a test checks it."""

import tomllib
from functools import cache
from pathlib import Path

from bayeslib.sections import LESSONS
from tools import expressions

ROOT = Path(__file__).parents[1]
SOURCES = {
    "S0": "Mitchell, Machine Learning, chapter 6 (slides)",
    "S1": "Machine Learning IV: Statistical Learning",
    "S2": "Bayesian Learning, AIMA 20.1 to 20.4",
    "S3": "Mitchell, Learning Bayesian Networks",
    "S4": "Kragic, Bayesian Learning, continued",
}


@cache
def _toml():
    return tomllib.loads((ROOT / "docs" / "map.toml").read_text())


def read():
    """The entries, each with its source, its notebook's name, and its value as it is shown."""
    notebooks = {lesson.number: lesson.name for lesson in LESSONS}
    entries = []
    for source in SOURCES:
        for entry in _toml()[source]:
            number, cell = entry["cell"].split()
            entries.append({**entry, "source": source, "notebook": notebooks[number], "cell": cell})
    return entries


@cache
def _names():
    return expressions.names(**_toml()["names"])


def differs(entry):
    """None if the entry's expression gives its value, to the digits that are written; otherwise what it gave."""
    values = eval(entry["value"], dict(_names()))
    values = [values] if isinstance(values, str) or not hasattr(values, "__iter__") else list(values)
    wanted = entry["gives"].split()
    if len(values) == len(wanted) and all(map(expressions.agrees, values, wanted)):
        return None
    return f"{entry['value']} gives {values}, not {entry['gives']}"
