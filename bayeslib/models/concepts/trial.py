"""The vote, the best rule (MAP) and a random rule (Gibbs) on trial, on people or days that they have not seen (section 04).

A hypothesis is a rule that says yes or no, and each label contradicts the true rule with chance ε, the noise. `says` is a
boolean matrix, a row per rule and a column per kind of person; counts of people have a row per kind and two columns, the
labels no and yes, with any further axes in front.
"""

import numpy as np

from bayeslib.models._checks import as_number, as_probabilities, generator, one_number, whole_number
from bayeslib.models.concepts.optimal import TIE, boolean

WAYS = ("vote", "Gibbs", "MAP")


def _weigh_by_errors(errors, noise):
    """P(h|D) ∝ (ε/(1−ε))^k, where h contradicts k labels, each wrong with chance ε; hypotheses along the last axis."""
    weights = _odds(noise) ** (errors - errors.min(axis=-1, keepdims=True))  # relative to the best: nothing underflows
    return weights / weights.sum(axis=-1, keepdims=True)


def draw_trials(counts, size, runs, says=None, noise=0.2, random_state=None):
    """`runs` times, `size` of the people are seen and all others held out: (seen, rest), counts runs × kinds × 2 (section 04).

    Without `says` the labels are the real ones, those of `counts`. With it each run draws its truth, one of the rules, and
    labels the same people by it; a label contradicts the rule with chance `noise`.

    >>> seen, rest = draw_trials([[30, 10], [5, 15]], size=20, runs=3, random_state=0)
    >>> seen.sum(axis=(1, 2)).tolist(), (seen + rest)[0].tolist()
    ([20, 20, 20], [[30, 10], [5, 15]])
    """
    counts = _counts(counts, "counts", 2)
    size, runs = whole_number(size, "size", 0, int(counts.sum()) - 1), whole_number(runs, "runs", 1, 10**6)
    random, people = generator(random_state), counts.sum(axis=1)
    if says is None:
        seen = random.multivariate_hypergeometric(counts.ravel(), size, runs, method="marginals")
        seen = seen.reshape(runs, *counts.shape)
        return seen, counts - seen
    says, _ = _rules(says, counts), _odds(noise)
    yes = np.where(says[random.integers(len(says), size=runs)], 1 - noise, noise)
    kinds = random.multivariate_hypergeometric(people, size, runs, method="marginals")
    groups = (kinds, people - kinds)
    positive = [random.binomial(group, yes) for group in groups]
    return tuple(np.stack([group - count, count], axis=-1) for group, count in zip(groups, positive))


def held_out_scores(says, seen, rest, noise=0.2, prior=None):
    """How vote, MAP and Gibbs do on the people held out, having weighed the rules by those seen (section 04).

    A mapping: `weights`, P(h|D); `vote`, by kind the weight of the rules that say yes; `error` and `log_loss`, by way of
    answering. Gibbs counts as the mean over its draws, MAP as the mean over the rules that tie for it. The log loss is the
    mean of −ln of the probability given to the true label: a rule gives 1 − ε to its own label, the vote averages the rules.
    Without `prior`, one probability a rule, all rules are equally probable before any data.

    >>> scores = held_out_scores([[True, False], [True, True]], seen=[[0, 3], [2, 1]], rest=[[1, 9], [8, 2]])
    >>> {way: float(error) for way, error in scores["error"].items() if way != "Gibbs"}
    {'vote': 0.15, 'MAP': 0.15}
    """
    seen, rest = _counts(seen, "seen"), _counts(rest, "rest")
    says = _rules(says, seen)
    if rest.shape != seen.shape or not rest.sum(axis=(-2, -1)).all():
        raise ValueError(f"rest must hold people and have the shape of seen, {seen.shape}, got {rest.shape}")
    weights, left = _weigh_by_errors(_contradicted(says, seen), noise), rest.sum(axis=(-2, -1))
    if prior is not None:
        weights = weights * as_probabilities(prior, "prior", total=True)
        weights /= weights.sum(axis=-1, keepdims=True)
    wrong = _contradicted(says, rest) / left[..., None]  # the error of each rule
    best = weights >= weights.max(axis=-1, keepdims=True) * (1 - TIE)
    drawn, followed = (weights * wrong).sum(axis=-1), (best * wrong).sum(axis=-1) / best.sum(axis=-1)
    yes = weights @ says
    answer = np.where(np.abs(yes - 0.5) <= TIE, 0.5, yes > 0.5)
    voted = (rest * np.stack([answer, 1 - answer], axis=-1)).sum(axis=(-2, -1)) / left
    chances = noise + (1 - 2 * noise) * np.stack([1 - yes, yes], axis=-1).clip(0)
    loss = -(rest * np.log(chances)).sum(axis=(-2, -1)) / left
    by_rule = [-np.log(1 - noise) + error * np.log((1 - noise) / noise) for error in (drawn, followed)]
    return {
        "weights": weights,
        "vote": yes,
        "error": dict(zip(WAYS, (voted, drawn, followed))),
        "log_loss": dict(zip(WAYS, (loss, *by_rule))),
    }


def day_by_day(forecasts, outcomes, noise=0.2):
    """Forecasters that say yes or no each day, weighed each morning by their errors so far (section 04).

    `forecasts` is a boolean matrix, days × forecasters, `outcomes` what happened. A mapping: `weights` before each day and
    after the last; `says`, with what chance each way of answering says yes, day by day; `errors`, how far that is from what happened.

    >>> day_by_day([[True, False], [True, True]], [True, False], noise=0.25)["weights"].tolist()
    [[0.5, 0.5], [0.75, 0.25], [0.75, 0.25]]
    """
    forecasts = boolean(forecasts, "forecasts")
    outcomes = boolean([outcomes], "outcomes")[0]
    if len(outcomes) != len(forecasts):
        raise ValueError(f"outcomes must have one for each of {len(forecasts)} days, got {len(outcomes)}")
    errors = np.cumsum(np.vstack([np.zeros(forecasts.shape[1]), forecasts != outcomes[:, None]]), axis=0)
    weights = _weigh_by_errors(errors, noise)
    before = weights[:-1]
    yes, best = (before * forecasts).sum(axis=1), before >= before.max(axis=1, keepdims=True) * (1 - TIE)
    followed = (best * forecasts).sum(axis=1) / best.sum(axis=1)
    says = dict(zip(WAYS, (np.where(np.abs(yes - 0.5) <= TIE, 0.5, yes > 0.5), yes, followed)))
    return {
        "weights": weights,
        "says": says,
        "errors": {way: np.abs(chance - outcomes) for way, chance in says.items()},
    }


def _odds(noise):
    noise = one_number(noise, "noise", 0, 0.5)
    if not 0 < noise < 0.5:
        raise ValueError(f"noise must be a chance between 0 and 0.5, both excluded, got {noise}")
    return noise / (1 - noise)


def _contradicted(says, counts):
    """How many people each rule is wrong about: those with no where it says yes, and with yes where it says no."""
    return counts[..., 0] @ says.T + counts[..., 1] @ ~says.T


def _counts(counts, name, axes=None):
    counts = np.asarray(as_number(counts, name, low=0, high=10**9))
    kinds = counts.ndim == axes if axes else counts.ndim >= 2
    if not kinds or counts.shape[-1] != 2 or not counts.size or (counts % 1).any():
        raise ValueError(f"{name} must be whole numbers of people, kinds × 2, got shape {counts.shape}")
    return counts.astype(int)


def _rules(says, counts):
    says = boolean(says, "says")
    if says.shape[1] != counts.shape[-2]:
        raise ValueError(f"says must have a column for each of {counts.shape[-2]} kinds, got {says.shape[1]}")
    return says
