"""Live figures: controls to model to plot. The only floor that knows ipywidgets.

Every moving picture of the course is a function here that returns a `LiveFigure` or a `Player`.
"""

from bayeslib.live.bayes import bayes_table, population, posterior_curve, rules, test_after_test
from bayeslib.live.figure import LiveFigure, Player
from bayeslib.live.inference import elimination, explaining_away, sampling, two_causes
from bayeslib.live.likelihood import (
    coin_likelihood,
    degree_bits,
    flat_prior,
    line_fit,
    mean_likelihood,
    message_length,
    three_uses,
)
from bayeslib.live.networks import build_order, cross_ratio, d_separation, joint_cells, network_size, observe
from bayeslib.live.quiz import Answers as answers
from bayeslib.live.quiz import Predict as predict
from bayeslib.live.quiz import Quiz as quiz
from bayeslib.live.quiz import WorksHere as works_here

__all__ = [
    "LiveFigure",
    "Player",
    "answers",
    "bayes_table",
    "build_order",
    "coin_likelihood",
    "cross_ratio",
    "d_separation",
    "degree_bits",
    "elimination",
    "explaining_away",
    "flat_prior",
    "joint_cells",
    "line_fit",
    "mean_likelihood",
    "message_length",
    "network_size",
    "observe",
    "population",
    "posterior_curve",
    "predict",
    "quiz",
    "rules",
    "sampling",
    "test_after_test",
    "three_uses",
    "two_causes",
    "works_here",
]
