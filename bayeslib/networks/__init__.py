"""Belief networks (sections 07 and 08): the network, its inference, samplers, files and the nets of the course."""

from bayeslib.networks import examples, graph
from bayeslib.networks.bif import read_bif, write_bif
from bayeslib.networks.elimination import Elimination, Enumeration, Factor, Step, eliminate, enumeration
from bayeslib.networks.em import Learned, completions, em, expected_counts, gradient_ascent
from bayeslib.networks.network import BeliefNetwork
from bayeslib.networks.sampling import (
    Estimate,
    gibbs_sampling,
    likelihood_weighting,
    prior_sampling,
    rejection_sampling,
)

__all__ = [
    "BeliefNetwork",
    "Elimination",
    "Enumeration",
    "Estimate",
    "Factor",
    "Learned",
    "Step",
    "completions",
    "eliminate",
    "em",
    "enumeration",
    "examples",
    "expected_counts",
    "gibbs_sampling",
    "gradient_ascent",
    "graph",
    "likelihood_weighting",
    "prior_sampling",
    "read_bif",
    "rejection_sampling",
    "write_bif",
]
