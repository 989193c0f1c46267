"""What networks with the same arrows and the same numbers of states share; made once and cached."""

from functools import lru_cache
from types import MappingProxyType

import numpy as np

from bayeslib.models._checks import short
from bayeslib.models.networks import graph


def network_of(net, name="net"):
    """`net`, after checking that it is a network."""
    if not isinstance(getattr(net, "_skeleton", None), Skeleton):
        raise ValueError(f"{name} must be a BeliefNetwork, got {short(net)}")
    return net


class Skeleton:
    """Arrows and table shapes, with variables numbered in topological order."""

    def __init__(self, parents, cards):
        parents, cards = dict(parents), dict(zip(dict(parents), cards))
        self.variables = tuple(graph.topological_order(parents))
        self.number = {variable: i for i, variable in enumerate(self.variables)}
        self.parents = MappingProxyType({v: parents[v] for v in self.variables})
        self.children = MappingProxyType(graph.children(self.parents))
        self.cards = tuple(cards[v] for v in self.variables)
        self.scopes = tuple(tuple(self.number[u] for u in (*self.parents[v], v)) for v in self.variables)
        self.shapes = tuple(tuple(self.cards[i] for i in scope) for scope in self.scopes)
        sizes = [int(np.prod(shape, dtype=object)) for shape in self.shapes]
        self.ends = np.cumsum([0, *sizes]).tolist()
        # Where each row of each table begins when all tables are laid end to end.
        self.rows = np.concatenate([np.arange(a, b, k) for a, b, k in zip(self.ends, self.ends[1:], self.cards)])


@lru_cache(maxsize=256)
def skeleton(parents, cards):
    """The one skeleton with these (variable, parents) pairs and these numbers of states."""
    return Skeleton(parents, cards)
