"""Bayesian learning, section by section: models (here), pictures (`bayeslib.plots`), live figures (`bayeslib.live`)."""

from bayeslib import data
from bayeslib.bayes import posterior, total_probability, update

__version__ = "0.1.0"
__all__ = ["BeliefNetwork", "data", "networks", "posterior", "total_probability", "update"]


def __getattr__(name):
    """Larger models are loaded when they are first asked for, so that `import bayeslib` stays quick."""
    if name in {"BeliefNetwork", "networks"}:
        from importlib import import_module

        networks = import_module("bayeslib.networks")
        return networks if name == "networks" else networks.BeliefNetwork
    raise AttributeError(f"module 'bayeslib' has no attribute {name!r}")
