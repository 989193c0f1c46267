"""Pictures: numbers to matplotlib artists on axes that are given. No widgets, no pyplot."""

from bayeslib.plots.networks import network

__all__ = ["network"]
