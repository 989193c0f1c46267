"""Belief networks (sections 07 to 11): the network, its inference, samplers, learning, files and the nets of the course."""

from bayeslib.models.networks import examples, graph
from bayeslib.models.networks.bif import read_bif, write_bif
from bayeslib.models.networks.elimination import (
    Elimination,
    Enumeration,
    Factor,
    Step,
    eliminate,
    enumeration,
    expected_bits,
)
from bayeslib.models.networks.em import Learned, Round, completions, em, expected_counts, gradient_ascent, structural_em
from bayeslib.models.networks.learning import Counts, FamilyScores, counts, family_scores, fit, score
from bayeslib.models.networks.network import BeliefNetwork, ImpossibleEvidence
from bayeslib.models.networks.sampling import (
    Estimate,
    gibbs_sampling,
    likelihood_weighting,
    rejection_sampling,
)
from bayeslib.models.networks.search import Move, Search, hill_climb, moves, random_graph

__all__ = [
    "BeliefNetwork",
    "Counts",
    "Elimination",
    "Enumeration",
    "Estimate",
    "Factor",
    "FamilyScores",
    "ImpossibleEvidence",
    "Learned",
    "Move",
    "Round",
    "Search",
    "Step",
    "completions",
    "counts",
    "eliminate",
    "em",
    "enumeration",
    "examples",
    "expected_bits",
    "expected_counts",
    "family_scores",
    "fit",
    "gibbs_sampling",
    "gradient_ascent",
    "graph",
    "hill_climb",
    "likelihood_weighting",
    "moves",
    "random_graph",
    "read_bif",
    "rejection_sampling",
    "score",
    "structural_em",
    "write_bif",
]
