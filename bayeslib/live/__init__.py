"""Live figures: controls to model to plot. The only floor that knows ipywidgets.

Every moving picture of the course is a function here that returns a `LiveFigure` or a `Player`.
"""

from bayeslib.live.bayes import bayes_table, population, posterior_curve, rules, test_after_test
from bayeslib.live.concepts import lattice, queries, version_space
from bayeslib.live.em_networks import expected_climb, never_seen, slip_fraction, split_rows, two_climbs, why_missing
from bayeslib.live.estimates import beta_flips, smoothed_days, smoothing_error, virtual_balls
from bayeslib.live.figure import LiveFigure, Player
from bayeslib.live.hmm import baum_welch, hidden_chain, streak, trellis, umbrella_filter, umbrella_smooth
from bayeslib.live.learning import climb_graph, family_bars, fit_and_price, graph_wall, rows_arrive
from bayeslib.live.likelihood import (
    coin_likelihood,
    degree_bits,
    flat_prior,
    line_fit,
    mean_likelihood,
    message_length,
    three_uses,
)
from bayeslib.live.naive_bayes import closed_world, count_days, day_factors, gaussian_attribute, overclaim, underflow
from bayeslib.live.quiz import Answers as answers
from bayeslib.live.quiz import Predict as predict
from bayeslib.live.quiz import Quiz as quiz
from bayeslib.live.quiz import WorksHere as works_here
from bayeslib.live.votes import shrinking_gap, three_clerks, weighted_vote

__all__ = [
    "LiveFigure",
    "Player",
    "answers",
    "baum_welch",
    "bayes_table",
    "beta_flips",
    "climb_graph",
    "closed_world",
    "coin_likelihood",
    "count_days",
    "day_factors",
    "degree_bits",
    "expected_climb",
    "family_bars",
    "fit_and_price",
    "flat_prior",
    "gaussian_attribute",
    "graph_wall",
    "hidden_chain",
    "lattice",
    "line_fit",
    "mean_likelihood",
    "message_length",
    "never_seen",
    "overclaim",
    "population",
    "posterior_curve",
    "predict",
    "queries",
    "quiz",
    "rows_arrive",
    "rules",
    "shrinking_gap",
    "slip_fraction",
    "smoothed_days",
    "smoothing_error",
    "split_rows",
    "streak",
    "test_after_test",
    "three_clerks",
    "three_uses",
    "trellis",
    "two_climbs",
    "umbrella_filter",
    "umbrella_smooth",
    "underflow",
    "version_space",
    "virtual_balls",
    "weighted_vote",
    "why_missing",
    "works_here",
]
