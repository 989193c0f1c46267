"""Live figures: controls to model to plot. The only floor that knows ipywidgets.

Every moving picture of the course is a function here that returns a `LiveFigure` or a `Player`.
"""

from bayeslib.live.bayes import bayes_table, population, posterior_curve, rules, test_after_test
from bayeslib.live.concepts import lattice, queries, version_space
from bayeslib.live.em_networks import expected_climb, never_seen, slip_fraction, split_rows, two_climbs, why_missing
from bayeslib.live.ensembles import (
    bagging_votes,
    boost_bound,
    boost_rounds,
    bootstrap_bag,
    map_regions,
    one_liar,
    three_votes,
)
from bayeslib.live.estimates import beta_flips, smoothed_days, smoothing_error, virtual_balls
from bayeslib.live.figure import LiveFigure, Player
from bayeslib.live.hmm import baum_welch, hidden_chain, streak, trellis, umbrella_filter, umbrella_smooth
from bayeslib.live.inference import elimination, explaining_away, sampling, two_causes
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
from bayeslib.live.local import (
    bandwidth_errors,
    case_based,
    distance_weights,
    edge,
    gap,
    kernel_shapes,
    local_query,
    rbf_bumps,
    side_by_side,
)
from bayeslib.live.mixtures import choose_k, em_bound, em_starts, em_surfaces, kmeans_and_em, two_means
from bayeslib.live.naive_bayes import closed_world, count_days, day_factors, gaussian_attribute, overclaim, underflow
from bayeslib.live.neighbors import (
    coin_limit,
    drag_cells,
    height_unit,
    k_regions,
    mean_of_neighbours,
    search_tree,
    useless_columns,
)
from bayeslib.live.networks import build_order, cross_ratio, d_separation, joint_cells, network_size, observe
from bayeslib.live.quiz import Answers as answers
from bayeslib.live.quiz import Predict as predict
from bayeslib.live.quiz import Quiz as quiz
from bayeslib.live.quiz import WorksHere as works_here
from bayeslib.live.source import Source as source
from bayeslib.live.text import five_rows, label_curve, telling_words, text_weight
from bayeslib.live.votes import shrinking_gap, three_clerks, weighted_vote

__all__ = [
    "LiveFigure",
    "Player",
    "answers",
    "bagging_votes",
    "bandwidth_errors",
    "baum_welch",
    "bayes_table",
    "beta_flips",
    "boost_bound",
    "boost_rounds",
    "bootstrap_bag",
    "build_order",
    "case_based",
    "choose_k",
    "climb_graph",
    "closed_world",
    "coin_likelihood",
    "coin_limit",
    "count_days",
    "cross_ratio",
    "d_separation",
    "day_factors",
    "degree_bits",
    "distance_weights",
    "drag_cells",
    "edge",
    "elimination",
    "em_bound",
    "em_starts",
    "em_surfaces",
    "expected_climb",
    "explaining_away",
    "family_bars",
    "fit_and_price",
    "five_rows",
    "flat_prior",
    "gap",
    "gaussian_attribute",
    "graph_wall",
    "height_unit",
    "hidden_chain",
    "joint_cells",
    "k_regions",
    "kernel_shapes",
    "kmeans_and_em",
    "label_curve",
    "lattice",
    "line_fit",
    "local_query",
    "map_regions",
    "mean_likelihood",
    "mean_of_neighbours",
    "message_length",
    "network_size",
    "never_seen",
    "observe",
    "one_liar",
    "overclaim",
    "population",
    "posterior_curve",
    "predict",
    "queries",
    "quiz",
    "rbf_bumps",
    "rows_arrive",
    "rules",
    "sampling",
    "search_tree",
    "shrinking_gap",
    "side_by_side",
    "slip_fraction",
    "smoothed_days",
    "smoothing_error",
    "source",
    "split_rows",
    "streak",
    "telling_words",
    "test_after_test",
    "text_weight",
    "three_clerks",
    "three_uses",
    "three_votes",
    "trellis",
    "two_causes",
    "two_climbs",
    "two_means",
    "umbrella_filter",
    "umbrella_smooth",
    "underflow",
    "useless_columns",
    "version_space",
    "virtual_balls",
    "weighted_vote",
    "why_missing",
    "works_here",
]
