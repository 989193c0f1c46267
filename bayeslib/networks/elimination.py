"""Exact inference that shows its work: enumeration and variable elimination, with their cost (section 08).

    P(target | e) ∝ Σ_hidden Π_v P(v | parents)

Enumeration adds up every term of that sum. Elimination pulls the sums inwards, one hidden variable at a time: it multiplies
the factors that mention the variable and sums it out of their product. The largest product decides the cost, and the order
decides the largest product.
"""

from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from bayeslib._checks import names
from bayeslib.networks import graph
from bayeslib.networks._plan import contract, elimination_order, largest_table, too_wide


class Factor(NamedTuple):
    """A table over some variables: one axis of `array` for each name in `variables`."""

    name: str
    variables: tuple
    array: np.ndarray

    @property
    def size(self):
        return self.array.size


class Step(NamedTuple):
    """One elimination: the factors `used` are multiplied into a table over `scope`, then `variable` is summed out.

    The last step has no variable: it multiplies what is left into a table over the target.
    """

    variable: object
    used: tuple
    scope: tuple
    size: int  # entries of the product, before the sum
    multiplications: int
    additions: int
    made: Factor
    left: tuple  # every factor that is there after this step


class Elimination(NamedTuple):
    """The answer to a query with the steps that led to it."""

    target: tuple
    evidence: dict
    barren: tuple  # neither asked, nor observed, nor above such a variable: their tables sum to 1 and are left out
    start: tuple  # the factors once the evidence has been put in
    steps: tuple
    answer: dict
    evidence_probability: float

    @property
    def order(self):
        return tuple(step.variable for step in self.steps[:-1])

    @property
    def largest(self):
        return max(step.size for step in self.steps)

    @property
    def multiplications(self):
        return sum(step.multiplications for step in self.steps)

    @property
    def additions(self):
        return sum(step.additions for step in self.steps)


class Enumeration(NamedTuple):
    """The answer to a query as a plain sum over all hidden states, with its cost."""

    answer: dict
    terms: int
    multiplications: int
    evidence_probability: float


def enumeration(net, target, evidence=None):
    """P(target | evidence) by adding the joint probability of every complete assignment that agrees with it (section 08)."""
    targets, evidence = net._asked(target, evidence)
    hidden = [v for v in net.variables if v not in evidence and v not in targets]
    sums = dict.fromkeys(product(*(net.states[v] for v in targets)), 0.0)
    for asked in sums:
        for rest in product(*(net.states[v] for v in hidden)):
            sums[asked] += net.joint({**evidence, **dict(zip(targets, asked)), **dict(zip(hidden, rest))})
    terms = prod(len(net.states[v]) for v in (*targets, *hidden))
    answer = net._answer(target, targets, np.array(list(sums.values())), evidence)
    return Enumeration(answer, terms, terms * (len(net.variables) - 1), sum(sums.values()))


def eliminate(net, target, evidence=None, order=None):
    """P(target | evidence) by variable elimination, step by step (section 08); see `BeliefNetwork.explain`."""
    targets, evidence = net._asked(target, evidence)
    hidden = [v for v in net.variables if v not in evidence and v not in targets]
    if order is not None and (len(order) != len(hidden) or set(order) != set(hidden)):
        raise ValueError(f"order must name every hidden variable once, {names(hidden)}, got {list(order)}")
    relevant = net.variables if order is not None else graph.ancestors(net.parents, [*targets, *evidence])
    start = tuple(_with_evidence(net, v, evidence) for v in net.variables if v in relevant)
    cards = {v: len(net.states[v]) for v in net.variables}
    if order is None:
        order = elimination_order([factor.variables for factor in start], cards, keep=targets)
    too_wide(largest_table([factor.variables for factor in start], cards, order, targets))
    factors, steps = start, []
    for number, variable in enumerate([*order, None], 1):
        used = tuple(f for f in factors if variable is None or variable in f.variables)
        scope = tuple(v for v in net.variables if any(v in f.variables for f in used))
        size = prod(cards[v] for v in scope)
        rest = targets if variable is None else tuple(v for v in scope if v != variable)
        array = contract([f.array for f in used], [f.variables for f in used], rest)
        made = Factor(f"τ{number}({', '.join(map(str, rest))})", rest, array)
        factors = (*(f for f in factors if all(f is not each for each in used)), made)
        additions = size - array.size if variable is not None else 0
        steps.append(Step(variable, used, scope, size, (len(used) - 1) * size, additions, made, factors))
    barren = tuple(v for v in net.variables if v not in relevant)
    answer = net._answer(target, targets, made.array, evidence)
    return Elimination(targets, evidence, barren, start, tuple(steps), answer, float(made.array.sum()))


def _with_evidence(net, variable, evidence):
    """P(variable | parents) with the observed variables set to what was seen, and so without their axes."""
    scope = (*net.parents[variable], variable)
    seen = [f"{v}={_word(evidence[v])}" if v in evidence else str(v) for v in scope]
    name = f"P({seen[-1]}" + (f" | {', '.join(seen[:-1])})" if len(seen) > 1 else ")")
    index = tuple(net.states[v].index(evidence[v]) if v in evidence else slice(None) for v in scope)
    return Factor(name, tuple(v for v in scope if v not in evidence), net.factor(variable)[index])


def _word(state):
    return str(state).lower() if isinstance(state, (bool, np.bool_)) else str(state)
