"""Live figures: controls to model to plot. The only floor that knows ipywidgets.

Every moving picture of the course is a function here that returns a `LiveFigure` or a `Player`.
"""

from bayeslib.live.bayes import bayes_table, population, posterior_curve, rules, test_after_test
from bayeslib.live.concepts import lattice, queries, version_space
from bayeslib.live.estimates import beta_flips, smoothed_days, smoothing_error, virtual_balls
from bayeslib.live.figure import LiveFigure, Player
from bayeslib.live.likelihood import (
    coin_likelihood,
    degree_bits,
    flat_prior,
    line_fit,
    mean_likelihood,
    message_length,
    three_uses,
)
from bayeslib.live.quiz import Answers as answers
from bayeslib.live.quiz import Predict as predict
from bayeslib.live.quiz import Quiz as quiz
from bayeslib.live.quiz import WorksHere as works_here
from bayeslib.live.text import five_rows, label_curve, telling_words, text_weight
from bayeslib.live.votes import shrinking_gap, three_clerks, weighted_vote

__all__ = [
    "LiveFigure",
    "Player",
    "answers",
    "bayes_table",
    "beta_flips",
    "coin_likelihood",
    "degree_bits",
    "five_rows",
    "flat_prior",
    "label_curve",
    "lattice",
    "line_fit",
    "mean_likelihood",
    "message_length",
    "population",
    "posterior_curve",
    "predict",
    "queries",
    "quiz",
    "rules",
    "shrinking_gap",
    "smoothed_days",
    "smoothing_error",
    "telling_words",
    "test_after_test",
    "text_weight",
    "three_clerks",
    "three_uses",
    "version_space",
    "virtual_balls",
    "weighted_vote",
    "works_here",
]
