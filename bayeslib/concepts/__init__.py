"""Learning a concept from examples: which hypotheses survive (section 02), and how they answer together (section 04)."""

from bayeslib.concepts.space import ENJOY_SPORT, Beliefs, Boundaries, ConjunctiveSpace, Step, covers, more_general
from bayeslib.concepts.votes import (
    bayes_optimal,
    clerk_answers,
    error_curves,
    error_over_p,
    expected_errors,
    gibbs,
    gibbs_error,
    map_answer,
    threshold_errors,
    threshold_runs,
    weight_map,
    winners,
)

__all__ = [
    "Beliefs",
    "Boundaries",
    "ConjunctiveSpace",
    "ENJOY_SPORT",
    "Step",
    "bayes_optimal",
    "clerk_answers",
    "covers",
    "error_curves",
    "error_over_p",
    "expected_errors",
    "gibbs",
    "gibbs_error",
    "map_answer",
    "more_general",
    "threshold_errors",
    "threshold_runs",
    "weight_map",
    "winners",
]
