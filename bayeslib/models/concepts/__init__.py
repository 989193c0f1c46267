"""Learning a concept from examples: which hypotheses survive (section 02), and how they answer together (section 04)."""

from bayeslib.models.concepts.decisions import best_number, expected_costs, expected_loss
from bayeslib.models.concepts.optimal import (
    bayes_optimal,
    error_over_p,
    expected_errors,
    gibbs,
    gibbs_error,
    map_answer,
    three_answers,
    winners,
)
from bayeslib.models.concepts.space import (
    ENJOY_SPORT,
    ConjunctiveSpace,
    covers,
    more_general,
)
from bayeslib.models.concepts.trial import day_by_day, draw_trials, held_out_scores

__all__ = [
    "ConjunctiveSpace",
    "ENJOY_SPORT",
    "bayes_optimal",
    "best_number",
    "covers",
    "day_by_day",
    "draw_trials",
    "error_over_p",
    "expected_costs",
    "expected_errors",
    "expected_loss",
    "gibbs",
    "gibbs_error",
    "held_out_scores",
    "map_answer",
    "more_general",
    "three_answers",
    "winners",
]
