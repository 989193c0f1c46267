"""Approximate inference by sampling: four samplers, each with its running estimate (section 08).

    P(target | e) ≈ share of the samples (or of their weights) that have the target's state

A sampler returns an `Estimate`: its answer after every single draw, and what those draws are worth.
"""

from bisect import bisect
from typing import NamedTuple

import numpy as np


class Estimate(NamedTuple):
    """What a sampler found: `running[i]` is its distribution over `states` after i + 1 draws (NaN before the first use).

    `effective[i]` says how many independent samples of P(target | evidence) those draws are worth, so that
    sqrt(p (1 − p) / effective) is about the standard error. `kept` counts the draws that were used at all.
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


def prior_sampling(net, target, n=1000, random_state=None):
    """P(target) as the share of n samples drawn parents first, with no evidence (section 08)."""
    target, _ = _question(net, target, None, n)
    codes = draw(net, n, random_state)[net.variables.index(target)]
    return _weighted("prior sampling", net, target, codes, np.ones(n))


def rejection_sampling(net, target, evidence=None, n=1000, random_state=None):
    """Draw from the prior, throw away what disagrees with the evidence, and count the rest (section 08)."""
    target, observed = _question(net, target, evidence, n)
    drawn = draw(net, n, random_state)
    agrees = np.ones(n, dtype=bool)
    for number, code in observed.items():
        agrees &= drawn[number] == code
    return _weighted("rejection sampling", net, target, drawn[net.variables.index(target)], agrees.astype(float))


def likelihood_weighting(net, target, evidence=None, n=1000, random_state=None):
    """Force the evidence, draw the rest parents first, and weight each sample by Π P(observed | its parents) (section 08)."""
    target, observed = _question(net, target, evidence, n)
    drawn = draw(net, n, random_state, observed)
    weights = np.ones(n)
    for number in observed:
        weights *= _rows(net, number, drawn)[:, observed[number]]
    return _weighted("likelihood weighting", net, target, drawn[net.variables.index(target)], weights)


def gibbs_sampling(net, target, evidence=None, n=1000, random_state=None, burn_in=0):
    """Walk: redraw each hidden variable in turn given its Markov blanket; one sample after each round (section 08).

        P(v | all others) ∝ P(v | parents) Π_children P(child | its parents)

    The walk starts from a sample that agrees with the evidence; its first `burn_in` rounds are not counted. Tables with
    zeros can lock it into one part of the possible states for ever, and near-zeros for long.
    """
    target, observed = _question(net, target, evidence, n)
    _whole(burn_in, "burn_in", 0)
    rng = np.random.default_rng(random_state)
    state, scopes = _possible_start(net, observed, rng), net._skeleton.scopes
    hidden = []
    for i, v in enumerate(net.variables):
        if i not in observed:
            blanket = [net._skeleton.number[u] for u in net.markov_blanket(v)]
            hidden.append((i, blanket, [j for j, scope in enumerate(scopes) if i in scope], {}))
    codes, at = np.empty(n, dtype=int), net._skeleton.number[target]
    for sweep in range(-burn_in, n):
        for (i, blanket, factors, known), chance in zip(hidden, rng.random(len(hidden)).tolist()):
            around = tuple([state[u] for u in blanket])
            if around not in known:  # each conditional distribution is worked out once
                known[around] = np.cumsum(_given_blanket(net, i, factors, state))[:-1].tolist()
            state[i] = bisect(known[around], chance)
        if sweep >= 0:
            codes[sweep] = state[at]
    estimate = _weighted("Gibbs sampling", net, target, codes, np.ones(n))
    share = 1 / _autocorrelation_time(codes == np.bincount(codes).argmax())
    return estimate._replace(effective=np.maximum(share * estimate.effective, 1))


def draw(net, n, random_state=None, observed=None):
    """n samples, parents first: for each variable an array of n state numbers. Observed variables are held fixed."""
    _whole(n, "n", 1)
    rng, drawn, observed = np.random.default_rng(random_state), [], observed or {}
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


def _whole(number, name, least):
    if not isinstance(number, (int, np.integer)) or isinstance(number, bool) or number < least:
        raise ValueError(f"{name} must be a whole number of samples, at least {least}, got {number!r}")


def _rows(net, number, drawn):
    """The row of a variable's table that each sample's parents pick."""
    factor = net._factors[number]
    parents = net._skeleton.scopes[number][:-1]
    return factor[tuple(drawn[p] for p in parents)] if parents else factor[None]


def _question(net, target, evidence, n):
    """The one target's name and the evidence in numbers, once everything is known to be in order."""
    targets, _ = net._asked(target, evidence)
    _whole(n, "n", 1)
    if len(targets) > 1:
        raise ValueError(f"target must be one variable, got {target!r}")
    return targets[0], net._observed(evidence)


def _weighted(method, net, target, codes, weights):
    """The running estimate of weighted samples, and the running effective sample size (Σw)² / Σw²."""
    states = net.states[target]
    sums = np.cumsum(weights[:, None] * (codes[:, None] == np.arange(len(states))), axis=0)
    total, squares = np.cumsum(weights), np.cumsum(weights**2)
    with np.errstate(invalid="ignore"):
        effective = np.nan_to_num(total**2 / squares)
        return Estimate(method, states, sums / total[:, None], effective, int((weights > 0).sum()))


def _given_blanket(net, number, factors, state):
    """P(v | everything else as it is), from the factors that mention v."""
    product = 1.0
    for j in factors:
        scope = net._skeleton.scopes[j]
        product = product * net._factors[j][tuple([slice(None) if u == number else state[u] for u in scope])]
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
