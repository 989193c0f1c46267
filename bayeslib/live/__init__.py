"""Live figures: controls to model to plot. The only floor that knows ipywidgets.

Every moving picture of the course is a function here that returns a `LiveFigure` or a `Player`.
"""

from bayeslib.live.bayes import bayes_table, population, posterior_curve, rules, test_after_test
from bayeslib.live.figure import LiveFigure, Player
from bayeslib.live.hmm import baum_welch, hidden_chain, streak, trellis, umbrella_filter, umbrella_smooth
from bayeslib.live.quiz import Answers as answers
from bayeslib.live.quiz import Predict as predict
from bayeslib.live.quiz import Quiz as quiz
from bayeslib.live.quiz import WorksHere as works_here

__all__ = [
    "LiveFigure",
    "Player",
    "answers",
    "baum_welch",
    "bayes_table",
    "hidden_chain",
    "population",
    "posterior_curve",
    "predict",
    "quiz",
    "rules",
    "streak",
    "test_after_test",
    "trellis",
    "umbrella_filter",
    "umbrella_smooth",
    "works_here",
]
