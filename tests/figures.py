"""Every live figure of the course: the functions of `bayeslib.live`, and how to read their captions."""

import inspect
import re

from bayeslib import live

FIGURES = {name: getattr(live, name) for name in live.__all__ if inspect.isfunction(getattr(live, name))}
EXPLAINED = "No picture for this setting: "


def number(pattern, text):
    """The number that a caption gives for something."""
    found = re.search(pattern + r" ([-−]?[\d.]+(?:e-?\d+)?)", text)
    assert found, f"{pattern!r} is not in {text!r}"
    return float(found[1].replace("−", "-").rstrip("."))
