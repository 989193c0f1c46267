"""Approximate inference by sampling: three samplers, each with its running estimate (section 08).

    P(target | e) ≈ share of the samples (or of their weights) that have the target's state

A sampler returns an `Estimate`: its answer after every draw, and how much those draws are worth.
"""

from bisect import bisect
from typing import NamedTuple

import numpy as np

from bayeslib.models._checks import generator, short, whole_number
from bayeslib.models.networks._skeleton import network_of


class Estimate(NamedTuple):
    """The result of a sampler: `running[i]` is its distribution over `states` after i + 1 draws (NaN before the first use).

    `effective[i]` says how many independent samples of P(target | evidence) those draws are worth, so that
    sqrt(p (1 − p) / effective) is about the standard error. `kept` counts the draws that were used at all.

    >>> from bayeslib.models.networks import examples
    >>> estimate = rejection_sampling(examples.dog(), "O", {"H": True}, n=100, random_state=0)
    >>> estimate.running.shape, estimate.kept
    ((100, 2), 7)
    """

    method: str
    states: tuple
    running: np.ndarray
    effective: np.ndarray
    kept: int

    @property
    def answer(self):
        """The last estimate as a mapping of state to probability."""
        return dict(zip(self.states, self.running[-1].tolist()))


def rejection_sampling(net, target, evidence=None, n=1000, random_state=None):
    """Draw from the prior, throw away what disagrees with the evidence, and count the rest (section 08).

    >>> from bayeslib.models.networks import examples
    >>> rejection_sampling(examples.dog(), "O", {"H": True}, n=1000, random_state=0).kept
    125
    """
    target, observed = _question(net, target, evidence, n)
    drawn = draw(net, n, random_state)
    agrees = np.ones(n, dtype=bool)
    for number, code in observed.items():
        agrees &= drawn[number] == code
    codes = drawn[net.variables.index(target)]
    return _weighted("rejection sampling", net, target, codes, np.where(agrees, 0.0, -np.inf))


def likelihood_weighting(net, target, evidence=None, n=1000, random_state=None):
    """Force the evidence, draw the rest, and weight each sample by Π P(observed | its parents) (section 08).

    The product is a sum of logs: with many observations it would vanish, though some samples count more.

    >>> from bayeslib.models.networks import examples
    >>> round(likelihood_weighting(examples.dog(), "O", {"H": True}, n=1000, random_state=0).answer[True], 2)
    0.55
    """
    target, observed = _question(net, target, evidence, n)
    drawn = draw(net, n, random_state, observed)
    log_weights = np.zeros(n)
    with np.errstate(divide="ignore"):
        for number, code in observed.items():
            log_weights += np.log(_rows(net, number, drawn)[:, code])
    return _weighted("likelihood weighting", net, target, drawn[net.variables.index(target)], log_weights)


def gibbs_sampling(net, target, evidence=None, n=1000, random_state=None):
    """Walk: redraw each hidden variable in turn given its Markov blanket; one sample after each round (section 08).

        P(v | all others) ∝ P(v | parents) Π_children P(child | its parents)

    The walk starts from a sample that agrees with the evidence. Zeros in the tables can lock it into one part of the
    possible states for ever, near-zeros for a long time.

    >>> from bayeslib.models.networks import examples
    >>> round(gibbs_sampling(examples.dog(), "O", {"H": True}, n=1000, random_state=0).answer[True], 2)
    0.58
    """
    target, observed = _question(net, target, evidence, n)
    rng = generator(random_state)
    state, scopes = _possible_start(net, observed, rng), net._skeleton.scopes
    hidden = []
    for i, v in enumerate(net.variables):
        if i not in observed:
            blanket = [net._skeleton.number[u] for u in net.markov_blanket(v)]
            hidden.append((i, blanket, [j for j, scope in enumerate(scopes) if i in scope], {}))
    codes, at = np.empty(n, dtype=int), net._skeleton.number[target]
    for sweep in range(n):
        for (i, blanket, factors, conditionals), chance in zip(hidden, rng.random(len(hidden)).tolist()):
            context = tuple([state[u] for u in blanket])
            if context not in conditionals:  # each conditional distribution is computed once
                conditionals[context] = np.cumsum(_given_blanket(net, i, factors, state))[:-1].tolist()
            state[i] = bisect(conditionals[context], chance)
        codes[sweep] = state[at]
    estimate = _weighted("Gibbs sampling", net, target, codes, np.zeros(n))
    share = 1 / _autocorrelation_time(codes == np.bincount(codes).argmax())
    return estimate._replace(effective=np.maximum(share * estimate.effective, 1))


def draw(net, n, random_state=None, observed=None):
    """n samples, parents first: for each variable n state numbers. Observed variables are held fixed."""
    whole_number(n, "n")
    rng, drawn, observed = generator(random_state), [], observed or {}
    for number in range(len(net.variables)):
        if number in observed:
            drawn.append(np.full(n, observed[number]))
        else:
            bounds = np.cumsum(_rows(net, number, drawn)[:, :-1], axis=1)
            drawn.append((rng.random(n)[:, None] >= bounds).sum(axis=1))
    return drawn


def as_states(states):
    """States as an array that state numbers can index, of plain bool, str or number where all are of one kind."""
    kinds = {type(state) for state in states}
    if len(kinds) == 1 and kinds <= {bool, str, int, float}:
        return np.array(states)
    array = np.empty(len(states), dtype=object)
    array[:] = states
    return array


def _rows(net, number, drawn):
    """The row of a variable's table that each sample's parents pick."""
    factor = net._factors[number]
    parents = net._skeleton.scopes[number][:-1]
    return factor[tuple(drawn[p] for p in parents)] if parents else factor[None]


def _question(net, target, evidence, n):
    """The one target's name and the evidence in numbers, after checking all arguments."""
    targets, _ = network_of(net)._check_query(target, evidence)
    whole_number(n, "n")
    if len(targets) > 1:
        raise ValueError(f"target must be one variable, got {short(target)}")
    return targets[0], net._observed(evidence)


def _weighted(method, net, target, codes, log_weights):
    """The running estimate of weighted samples, and the running effective sample size (Σw)² / Σw²."""
    states, used = net.states[target], log_weights > -np.inf
    matches = codes[:, None] == np.arange(len(states))
    weights = np.exp(log_weights - log_weights.max()) if used.any() else np.zeros(len(codes))
    total, squares = np.cumsum(weights), np.cumsum(weights**2)
    with np.errstate(invalid="ignore"):
        running = np.cumsum(weights[:, None] * matches, axis=0) / total[:, None]
        effective = total**2 / squares
    return Estimate(method, states, running, np.nan_to_num(effective), int(used.sum()))


def _given_blanket(net, number, factors, state):
    """P(v | everything else as it is), from the factors that mention v; in logs, as a product over many children vanishes."""
    logs = 0.0
    with np.errstate(divide="ignore"):
        for j in factors:
            scope = net._skeleton.scopes[j]
            logs = logs + np.log(net._factors[j][tuple([slice(None) if u == number else state[u] for u in scope])])
    product = np.exp(logs - logs.max())
    return product / product.sum()


def _possible_start(net, observed, rng, tries=10000):
    """State numbers of one possible assignment that agrees with the evidence."""
    drawn = draw(net, tries, rng, observed)
    possible = np.ones(tries, dtype=bool)
    for number in observed:
        possible &= _rows(net, number, drawn)[:, observed[number]] > 0
    if not possible.any():
        raise ValueError(
            f"evidence must be possible: none of {tries} samples agreed with it, so the walk has no place to start"
        )
    first = possible.argmax()
    return [int(codes[first]) for codes in drawn]


def _autocorrelation_time(series):
    """How many dependent draws are worth one independent draw: 1 + 2 Σ_k ρ_k, up to the first pair that is not positive."""
    series = series - series.mean()
    n = len(series)
    power = np.abs(np.fft.rfft(series, 2 * n)) ** 2
    covariance = np.fft.irfft(power)[:n]
    if covariance[0] <= 1e-12 * n:
        return float(n)  # it never moved
    pairs = (covariance[: n // 2 * 2] / covariance[0]).reshape(-1, 2).sum(axis=1)
    ends = np.flatnonzero(pairs <= 0)
    return max(2 * pairs[: ends[0] if len(ends) else None].sum() - 1, 1e-9)
