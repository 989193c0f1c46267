"""What a lesson shows: the live figures of all sections, predictions and quizzes.

A section's figures are the public functions of its module `figures`; those of a lesson in the second edition are still in
this folder, and their pictures in bayeslib/plots.
"""

from importlib import import_module
from importlib.util import find_spec
from inspect import isfunction

from bayeslib.figures.figure import LiveFigure, Player
from bayeslib.live.quiz import Answers as answers
from bayeslib.live.quiz import Bet as bet
from bayeslib.live.quiz import LookAgain as look_again
from bayeslib.live.quiz import Predict as predict
from bayeslib.live.quiz import Quiz as quiz
from bayeslib.live.quiz import RaiseBet as raise_bet
from bayeslib.live.quiz import Settle as settle
from bayeslib.live.quiz import Start as start
from bayeslib.live.quiz import WorksHere as works_here
from bayeslib.live.source import Source as source
from bayeslib.live.still import Curves as curves
from bayeslib.live.still import Drawing as drawing
from bayeslib.live.still import Points as points
from bayeslib.sections import SECTIONS

__all__ = [
    "LiveFigure",
    "Player",
    "answers",
    "bet",
    "curves",
    "drawing",
    "look_again",
    "points",
    "predict",
    "quiz",
    "raise_bet",
    "settle",
    "source",
    "start",
    "works_here",
]


def figures(section):
    """name -> function, for the live figures of a section, in the order of its modules."""
    modules = [f"bayeslib.sections.{section.folder}.figures", f"bayeslib.live.{section.module}"]
    return {
        name: value
        for module in map(import_module, filter(find_spec, modules))
        for name, value in vars(module).items()
        if isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }


for _section in SECTIONS:
    globals().update(figures(_section))
    __all__ += figures(_section)
