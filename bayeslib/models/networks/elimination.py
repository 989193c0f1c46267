"""Exact inference that shows its work: enumeration and variable elimination, with their cost (section 08).

    P(target | e) ∝ Σ_hidden Π_v P(v | parents)

Enumeration adds up every term of that sum. Elimination pulls the sums inwards, one hidden variable at a time: it multiplies
the factors that mention the variable and sums it out of their product. The largest product decides the cost, and the order
decides the largest product.
"""

from functools import reduce
from itertools import product
from math import exp, log, log2, prod
from typing import NamedTuple

import numpy as np

from bayeslib.models._checks import names, short
from bayeslib.models.networks import graph
from bayeslib.models.networks._arrows import known
from bayeslib.models.networks._skeleton import network_of

MAX_TERMS = 2**18  # of an enumeration: 18 variables with two states, a few seconds
MAX_ENTRIES = 2**25  # entries of the largest table: a quarter of a gigabyte, a second or two
TINY = 1e-100  # a probability of evidence below this is too close to underflow to be trusted


class Factor(NamedTuple):
    """A table over some variables: one axis of `array` for each name in `variables`.

    Where P(e) is below 1e-100, the sums are done in logarithms, and `array` holds these.

    >>> from bayeslib.models.networks import examples
    >>> examples.dog().explain("O", {"H": True}).steps[-1].made.variables
    ('O',)
    """

    name: str
    variables: tuple
    array: np.ndarray

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


class Enumeration(NamedTuple):
    """The answer to a query as a plain sum over all hidden states, with its cost.

    >>> from bayeslib.models.networks import examples
    >>> enumeration(examples.dog(), "O", {"H": True}).terms
    16
    """

    answer: dict
    terms: int
    multiplications: int
    evidence_probability: float


def enumeration(net, target, evidence=None):
    """P(target | evidence) by adding the joint probability of every complete assignment that agrees with it (section 08).

    A sum of more than 2^18 terms is refused: `BeliefNetwork.query` and `explain` need far fewer, the samplers none.

    >>> from bayeslib.models.networks import examples
    >>> found = enumeration(examples.burglary(), "Burglary", {"JohnCalls": True, "MaryCalls": True})
    >>> round(found.answer[True], 3)
    0.284
    """
    targets, evidence = network_of(net)._check_query(target, evidence)
    hidden = [v for v in net.variables if v not in evidence and v not in targets]
    terms = prod(len(net.states[v]) for v in (*targets, *hidden))
    if terms > MAX_TERMS:
        raise ValueError(
            f"net is too large for enumeration: {len(hidden)} hidden variables make {terms:.3g} terms, the limit is {MAX_TERMS:.3g}. "
            "Use net.query or net.explain, which eliminate the variables one by one, or a sampler such as likelihood_weighting"
        )
    cells = product(*(net.states[v] for v in (*targets, *hidden)))  # the targets change slowest
    joint = np.array([net.joint({**evidence, **dict(zip((*targets, *hidden), states))}) for states in cells])
    sums = joint.reshape([len(net.states[v]) for v in targets] + [-1]).sum(axis=-1)
    answer = net._answer(target, sums, evidence)
    return Enumeration(answer, terms, terms * (len(net.variables) - 1), float(sums.sum()))


def eliminate(net, target, evidence=None, order=None):
    """P(target | evidence) by variable elimination, step by step (section 08); see `BeliefNetwork.explain`.

    >>> from bayeslib.models.networks import examples
    >>> eliminate(examples.dog(), "O", {"H": True}, order=["L", "B", "D"]).multiplications
    16
    """
    targets, evidence = network_of(net)._check_query(target, evidence)
    hidden = [v for v in net.variables if v not in evidence and v not in targets]
    relevant = net.variables if order is not None else graph.ancestors(net.parents, [*targets, *evidence])
    order = None if order is None else _checked_order(order, hidden)
    start, steps, values, log_scale = summed(net, relevant, targets, evidence, order)
    barren = tuple(v for v in net.variables if v not in relevant)
    answer = net._answer(target, values, evidence)
    return Elimination(targets, evidence, barren, start, steps, answer, log(values.sum()) + log_scale)


def expected_bits(net, target, test, evidence=None):
    """How much a test is expected to reveal about a target, in bits: H(target | e) − Σ_t P(t | e) H(target | e, t) (section 08).

    Never negative; 0 for a test that cannot reveal anything.

    >>> from bayeslib.models.networks import examples
    >>> round(expected_bits(examples.family_out(), "O", "L"), 3)
    0.175
    """
    targets, observed = network_of(net)._check_query(target, evidence)
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


def summed(net, relevant, targets, evidence, order=None):
    """Tables with the evidence put in, the steps that eliminate, P(targets, e) up to a factor, and the log of that factor.

    `relevant` are the variables whose tables matter. Without an order by min-fill. If P(e) is near the smallest float, all is
    done once more in logarithms.
    """
    start = tuple(_with_evidence(net, v, evidence) for v in net.variables if v in relevant)
    scopes, cards = [factor.variables for factor in start], {v: len(net.states[v]) for v in net.variables}
    order = elimination_order(scopes, cards, targets) if order is None else order
    check_width(_largest_table(scopes, cards, order, targets))
    steps = _steps(net, start, order, targets)
    values = steps[-1].made.array
    if values.sum() >= TINY:
        return start, steps, values, 0.0
    with np.errstate(divide="ignore"):
        logs = tuple(factor._replace(array=np.log(factor.array)) for factor in start)
    steps = _steps(net, logs, order, targets, np.add, np.logaddexp)
    values = steps[-1].made.array
    largest = float(values.max())
    return start, steps, np.exp(values - largest) if largest > -np.inf else np.zeros(values.shape), largest


def _steps(net, start, order, targets, times=np.multiply, plus=np.add):
    """Multiply the factors that mention a variable, sum it out, and go on to the next; finally multiply what is left."""
    factors, steps = start, []
    for number, variable in enumerate([*order, None], 1):
        used = tuple(f for f in factors if variable is None or variable in f.variables)
        scopes = [f.variables for f in used]
        mentioned = {v for own in scopes for v in own}
        scope = tuple(v for v in net.variables if v in mentioned)
        table = multiplied([f.array for f in used], scopes, scope, times)
        if variable is None:
            rest, array = targets, table.transpose([scope.index(v) for v in targets])
        else:
            rest, array = tuple(v for v in scope if v != variable), plus.reduce(table, axis=scope.index(variable))
        made = Factor(f"τ{number}({', '.join(map(str, rest))})", rest, array)
        factors = (*(f for f in factors if all(f is not g for g in used)), made)
        steps.append(Step(variable, used, scope, table.size, (len(used) - 1) * table.size, made, factors))
    return tuple(steps)


def multiplied(arrays, scopes, scope, times=np.multiply):
    """The product of some tables as a table over `scope`: one axis for each variable, in this order."""
    position = {v: i for i, v in enumerate(scope)}
    spread = []
    for array, own in zip(arrays, scopes):
        axes = sorted(range(len(own)), key=lambda axis: position[own[axis]])
        spread.append(array.transpose(axes)[tuple([slice(None) if v in own else None for v in scope])])
    return reduce(times, spread)


def check_width(size):
    """Refuse a table that would not fit in memory, before it is made."""
    if size > MAX_ENTRIES:
        raise ValueError(
            f"this network is too wide for exact inference: it needs a table of {size:.3g} entries "
            f"({8 * size / 2**30:.3g} GiB), the limit is {MAX_ENTRIES:.3g}. Estimate the answer by sampling instead: "
            "bayeslib.models.networks.likelihood_weighting or gibbs_sampling"
        )


def elimination_order(scopes, cards, keep):
    """Min-fill: eliminate next whichever variable makes the fewest new neighbours; ties go to the smaller table.

    Neighbours are variables that meet in a factor; eliminating a variable makes all its neighbours meet.
    """
    variables = list(dict.fromkeys(v for scope in scopes for v in scope))
    number = {v: i for i, v in enumerate(variables)}
    logs = [log2(cards[v]) for v in variables]
    neighbours = [1 << i for i in range(len(variables))]  # including the variable itself, as bits
    for scope in scopes:
        members = sum(1 << number[v] for v in scope)
        for v in scope:
            neighbours[number[v]] |= members

    def cost(i):
        others = neighbours[i] ^ 1 << i
        fill = sum((others & ~neighbours[j]).bit_count() for j in _bits(others))
        return fill, sum(logs[j] for j in _bits(neighbours[i]))

    waiting = {i: cost(i) for i, v in enumerate(variables) if v not in keep}
    order = []
    while waiting:
        i = min(waiting, key=waiting.get)
        order.append(variables[i])
        others = touched = neighbours[i] ^ 1 << i
        for j in _bits(others):
            neighbours[j] = (neighbours[j] | others) ^ 1 << i
            if waiting[i][0]:  # new neighbours also change the cost of whatever is next to both
                touched |= neighbours[j]
        del waiting[i]
        for j in _bits(touched):
            if j in waiting:
                waiting[j] = cost(j)
    return order


def _bits(number):
    """The positions of the 1s in a binary number."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def _largest_table(scopes, cards, order, keep):
    """Entries of the largest product that eliminating in this order makes, without making any."""
    waiting, largest = [set(scope) for scope in scopes], prod(cards[v] for v in keep)
    for v in order:
        joined = set().union(*(scope for scope in waiting if v in scope))
        waiting = [scope for scope in waiting if v not in scope] + [joined - {v}]
        largest = max(largest, prod(cards[u] for u in joined))
    return largest


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
