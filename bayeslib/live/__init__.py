"""Live figures: from controls to model to plot. The only layer that uses ipywidgets.

Every public function of a section's module makes a live figure of the course: it returns a `LiveFigure` or a `Player`, and is
exported here.
"""

from importlib import import_module
from inspect import isfunction

from bayeslib.live.figure import LiveFigure, Player
from bayeslib.live.quiz import Answers as answers
from bayeslib.live.quiz import LookAgain as look_again
from bayeslib.live.quiz import Predict as predict
from bayeslib.live.quiz import Quiz as quiz
from bayeslib.live.quiz import WorksHere as works_here
from bayeslib.live.source import Source as source
from bayeslib.live.still import Curves as curves
from bayeslib.live.still import Drawing as drawing
from bayeslib.live.still import Drawings as drawings
from bayeslib.live.still import Points as points
from bayeslib.sections import SECTIONS

__all__ = [
    "LiveFigure",
    "Player",
    "answers",
    "curves",
    "drawing",
    "drawings",
    "look_again",
    "points",
    "predict",
    "quiz",
    "source",
    "works_here",
]


def figures(section):
    """name -> function, for the live figures of a section, in the order of its module."""
    module = import_module(f"bayeslib.live.{section.module}")
    return {
        name: value
        for name, value in vars(module).items()
        if isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }


for _section in SECTIONS:
    globals().update(figures(_section))
    __all__ += figures(_section)
