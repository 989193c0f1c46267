"""Bayesian learning, section by section: models (here), pictures (`bayeslib.plots`), live figures (`bayeslib.live`)."""

from bayeslib import data
from bayeslib.bayes import posterior, total_probability, update
from bayeslib.networks import BeliefNetwork

__version__ = "0.1.0"
__all__ = ["BeliefNetwork", "data", "posterior", "total_probability", "update"]
