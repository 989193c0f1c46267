"""Exact inference that shows its work: enumeration and variable elimination, with their cost (section 08).

    P(target | e) ∝ Σ_hidden Π_v P(v | parents)

Enumeration adds up every term of that sum. Elimination pulls the sums inwards, one hidden variable at a time: it multiplies
the factors that mention the variable and sums it out of their product. The largest product decides the cost, and the order
decides the largest product. Where so much was observed that P(e) is near the smallest float, both switch to logarithms.
"""

from itertools import product
from math import exp, log, log2, prod
from typing import NamedTuple

import numpy as np

from bayeslib.models._checks import names, short
from bayeslib.models.networks import graph
from bayeslib.models.networks._arrows import known
from bayeslib.models.networks._plan import (
    TINY,
    check_width,
    contract,
    elimination_order,
    from_logs,
    largest_table,
    log_einsum,
    logs_of,
)
from bayeslib.models.networks._skeleton import network_of

MAX_TERMS = 2**18  # of an enumeration: 18 variables with two states, a few seconds


class Factor(NamedTuple):
    """A table over some variables: one axis of `array` for each name in `variables`.

    Where its numbers are too small for floats, the table is `array` times e^log_scale, and the largest entry of `array` is 1.

    >>> from bayeslib.models.networks import examples
    >>> examples.dog().explain("O", {"H": True}).steps[-1].made.variables
    ('O',)
    """

    name: str
    variables: tuple
    array: np.ndarray
    log_scale: float = 0.0

    @property
    def size(self):
        return self.array.size


class Step(NamedTuple):
    """One elimination: the factors `used` are multiplied into a table over `scope`, then `variable` is summed out.

    The last step has no variable: it multiplies what is left into a table over the target.

    >>> from bayeslib.models.networks import examples
    >>> step = examples.dog().explain("O", {"H": True}).steps[0]
    >>> step.variable, step.size
    ('B', 8)
    """

    variable: object
    used: tuple
    scope: tuple
    size: int  # entries of the product, before the sum
    multiplications: int
    additions: int
    made: Factor
    left: tuple  # every factor that remains after this step


class Elimination(NamedTuple):
    """The answer to a query with the steps that led to it.

    >>> from bayeslib.models.networks import examples
    >>> found = examples.dog().explain("O", {"H": True})
    >>> found.order, found.largest
    (('B', 'D'), 8)
    """

    target: tuple
    evidence: dict
    barren: tuple  # neither target nor observed nor an ancestor of one: their tables sum to 1 and are left out
    start: tuple  # the factors with the evidence put in
    steps: tuple
    answer: dict
    log_evidence: float

    @property
    def evidence_probability(self):
        """P(e); 0.0 if it is smaller than a float can hold."""
        return exp(self.log_evidence)

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
    """The answer to a query as a plain sum over all hidden states, with its cost.

    >>> from bayeslib.models.networks import examples
    >>> enumeration(examples.dog(), "O", {"H": True}).terms
    16
    """

    answer: dict
    terms: int
    multiplications: int
    log_evidence: float

    @property
    def evidence_probability(self):
        """P(e); 0.0 if it is smaller than a float can hold."""
        return exp(self.log_evidence)


def enumeration(net, target, evidence=None):
    """P(target | evidence) by adding the joint probability of every complete assignment that agrees with it (section 08).

    A sum of more than 2^18 terms is refused: `BeliefNetwork.query` and `explain` need far fewer, the samplers none.

    >>> from bayeslib.models.networks import examples
    >>> found = enumeration(examples.burglary(), "Burglary", {"JohnCalls": True, "MaryCalls": True})
    >>> round(found.answer[True], 3)
    0.284
    """
    targets, evidence = network_of(net).check_query(target, evidence)
    hidden = [v for v in net.variables if v not in evidence and v not in targets]
    terms = prod(len(net.states[v]) for v in (*targets, *hidden))
    if terms > MAX_TERMS:
        raise ValueError(
            f"net is too large for enumeration: {len(hidden)} hidden variables make {terms:.3g} terms, the limit is {MAX_TERMS:.3g}. "
            "Use net.query or net.explain, which eliminate the variables one by one, or a sampler such as likelihood_weighting"
        )

    def assignments():
        """Every complete assignment that agrees with the evidence, the targets changing slowest."""
        for states in product(*(net.states[v] for v in (*targets, *hidden))):
            yield {**evidence, **dict(zip((*targets, *hidden), states))}

    joint, scale = np.array([net.joint(assignment) for assignment in assignments()]), 0.0
    if joint.sum() < TINY:
        joint, scale = from_logs(np.array([net.log_joint(assignment) for assignment in assignments()]))
    sums = joint.reshape(prod(len(net.states[v]) for v in targets), -1).sum(axis=1)
    answer = net.answer(target, sums, evidence)
    return Enumeration(answer, terms, terms * (len(net.variables) - 1), log(sums.sum()) + scale)


def eliminate(net, target, evidence=None, order=None):
    """P(target | evidence) by variable elimination, step by step (section 08); see `BeliefNetwork.explain`.

    >>> from bayeslib.models.networks import examples
    >>> eliminate(examples.dog(), "O", {"H": True}, order=["L", "B", "D"]).multiplications
    16
    """
    targets, evidence = network_of(net).check_query(target, evidence)
    hidden = [v for v in net.variables if v not in evidence and v not in targets]
    relevant = net.variables if order is not None else graph.ancestors(net.parents, [*targets, *evidence])
    start = tuple(_with_evidence(net, v, evidence) for v in net.variables if v in relevant)
    scopes, cards = [factor.variables for factor in start], {v: len(net.states[v]) for v in net.variables}
    order = elimination_order(scopes, cards, keep=targets) if order is None else _checked_order(order, hidden)
    check_width(largest_table(scopes, cards, order, targets))
    steps = _steps(net, start, order, targets)
    if steps[-1].made.array.sum() < TINY:
        steps = _steps(net, start, order, targets, in_logs=True)
    last, barren = steps[-1].made, tuple(v for v in net.variables if v not in relevant)
    answer = net.answer(target, last.array, evidence)
    return Elimination(targets, evidence, barren, start, steps, answer, log(last.array.sum()) + last.log_scale)


def expected_bits(net, target, test, evidence=None):
    """How much a test is expected to reveal about a target, in bits: H(target | e) − Σ_t P(t | e) H(target | e, t) (section 08).

    Never negative; 0 for a test that cannot reveal anything.

    >>> from bayeslib.models.networks import examples
    >>> round(expected_bits(examples.family_out(), "O", "L"), 3)
    0.175
    """
    targets, observed = network_of(net).check_query(target, evidence)
    known(test, net.parents, "test")
    if test in targets or test in observed:
        raise ValueError(f"test must be another variable than target and evidence, got {short(test)}")
    after = [
        p * _entropy(net.query(target, {**observed, test: state}))
        for state, p in net.query(test, observed).items()
        if p > 0
    ]
    return max(_entropy(net.query(target, observed)) - sum(after), 0.0)


def _entropy(answer):
    return -sum(p * log2(p) for p in answer.values() if p > 0)


def _steps(net, start, order, targets, in_logs=False):
    """Multiply the factors that mention a variable, sum it out, and go on to the next; finally multiply what is left."""
    factors, steps = start, []
    logs = {id(factor): array for factor, array in zip(start, logs_of(factor.array for factor in start))}
    for number, variable in enumerate([*order, None], 1):
        used = tuple(f for f in factors if variable is None or variable in f.variables)
        scopes = [f.variables for f in used]
        scope = tuple(v for v in net.variables if any(v in own for own in scopes))
        rest = targets if variable is None else tuple(v for v in scope if v != variable)
        name = f"τ{number}({', '.join(map(str, rest))})"
        if in_logs:
            array = contract([logs[id(f)] for f in used], scopes, rest, log_einsum)
            made = Factor(name, rest, *from_logs(array))
            logs[id(made)] = array
        else:
            made = Factor(name, rest, contract([f.array for f in used], scopes, rest))
        factors = (*(f for f in factors if all(f is not g for g in used)), made)
        size = prod(len(net.states[v]) for v in scope)
        additions = size - made.size if variable is not None else 0
        steps.append(Step(variable, used, scope, size, (len(used) - 1) * size, additions, made, factors))
    return tuple(steps)


def _checked_order(order, hidden):
    """`order` as a list, after checking that it names every hidden variable once."""
    try:
        given = list(order)
        complete = len(given) == len(hidden) and set(given) == set(hidden)
    except TypeError:
        given, complete = order, False
    if not complete:
        raise ValueError(f"order must name every hidden variable once, {names(hidden)}, got {short(given)}")
    return given


def _with_evidence(net, variable, evidence):
    """P(variable | parents) with the observed variables fixed at their states, and so without their axes."""
    scope = (*net.parents[variable], variable)
    terms = [f"{v}={_word(evidence[v])}" if v in evidence else str(v) for v in scope]
    name = f"P({terms[-1]}" + (f" | {', '.join(terms[:-1])})" if len(terms) > 1 else ")")
    index = tuple(net.states[v].index(evidence[v]) if v in evidence else slice(None) for v in scope)
    return Factor(name, tuple(v for v in scope if v not in evidence), net.factor(variable)[index])


def _word(state):
    return str(state).lower() if isinstance(state, (bool, np.bool_)) else str(state)
