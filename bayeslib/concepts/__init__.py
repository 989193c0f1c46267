"""Concept learning: hypotheses that say yes or no, kept, deleted or weighed by Bayes theorem (section 02)."""

from bayeslib.concepts.space import ENJOY_SPORT, Beliefs, Boundaries, ConjunctiveSpace, Step, covers, more_general

__all__ = ["ENJOY_SPORT", "Beliefs", "Boundaries", "ConjunctiveSpace", "Step", "covers", "more_general"]
