"""Bayesian learning, section by section: models (here), pictures (`bayeslib.plots`), live figures (`bayeslib.live`)."""

from bayeslib import data
from bayeslib.bayes import posterior, total_probability, update
from bayeslib.estimates import m_estimate
from bayeslib.naive_bayes import GaussianNaiveBayes, MultinomialNaiveBayes, NaiveBayes
from bayeslib.networks import BeliefNetwork

__version__ = "0.1.0"
__all__ = [
    "BeliefNetwork",
    "GaussianNaiveBayes",
    "MultinomialNaiveBayes",
    "NaiveBayes",
    "data",
    "m_estimate",
    "posterior",
    "total_probability",
    "update",
]
