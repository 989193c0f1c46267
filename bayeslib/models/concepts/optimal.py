"""Many hypotheses, one answer: let them vote (Bayes-optimal), draw one (Gibbs) or follow the best (MAP) (section 04).

    P(v|D) = Σ_h P(v|h) P(h|D)

`posterior` is a mapping hypothesis → P(h|D), or an array. `votes` holds for the same hypotheses what each of them answers:
a label, or, if it is undecided, a mapping label → P(v|h). As an array it is one label per hypothesis, or one row P(v|h)
per hypothesis, whose labels are then the numbers of the columns.
"""

from collections.abc import Hashable
from numbers import Real

import numpy as np

from bayeslib.models._checks import (
    among,
    as_number,
    as_probabilities,
    generator,
    is_mapping,
    names,
    short,
)

TIE = 1e-9  # weights this close are equal: sums of decimals are off by less


def bayes_optimal(posterior, votes):
    """P(v|D) = Σ_h P(v|h) P(h|D) for every label v, as a mapping; exact fractions stay exact (section 04).

    `winners` of it is the Bayes-optimal answer.

    >>> bayes_optimal({"h1": 0.4, "h2": 0.3, "h3": 0.3}, {"h1": "+", "h2": "−", "h3": "−"})
    {'+': 0.4, '−': 0.6}
    """
    weights, ballots, labels = _count(posterior, votes)
    return {label: min(sum(ballots[h].get(label, 0) * weights[h] for h in weights), 1.0) for label in labels}


def winners(weights):
    """All keys (of an array: places) with the largest weight: a list of one, or of those that tie (section 04).

    >>> winners({"+": 0.4, "−": 0.6})
    ['−']
    """
    weights = _mapping(as_probabilities(weights, "weights"))
    most = max(weights.values())
    return [key for key, weight in weights.items() if most - weight <= TIE]


def map_answer(posterior, votes):
    """P(v|h_MAP), what the most probable hypothesis says; where several tie for it, their mean (section 04).

    >>> map_answer({"h1": 0.4, "h2": 0.3, "h3": 0.3}, {"h1": "+", "h2": "−", "h3": "−"})
    {'+': 1.0, '−': 0.0}
    """
    weights, ballots, labels = _count(posterior, votes)
    best = winners(weights)
    return {label: min(sum(ballots[h].get(label, 0) for h in best) / len(best), 1.0) for label in labels}


def gibbs(posterior, votes, random_state=None):
    """Draw a hypothesis h from P(h|D), then a label from P(v|h); a sure h has only one (section 04).

    `random_state` is a whole number or a numpy Generator; with a number the same draw comes again each time.

    >>> gibbs({"h1": 0.4, "h2": 0.6}, {"h1": "+", "h2": "−"}, random_state=0)
    '−'
    """
    weights, ballots, _ = _count(posterior, votes)
    random = generator(random_state)
    return _draw(ballots[_draw(weights, random)], random)


def three_answers(posterior, votes):
    """The chance that each of three ways of answering gives each label (section 04).

    The vote gives the label with the largest P(v|D), Gibbs draws a hypothesis, MAP follows the most probable hypothesis and
    gives its most probable label. A fair coin decides ties.

    >>> three_answers({"h1": 0.75, "h2": 0.25}, {"h1": "+", "h2": "−"})["Gibbs"]
    {'+': 0.75, '−': 0.25}
    """
    weights, ballots, labels = _count(posterior, votes)
    vote = bayes_optimal(posterior, votes)
    followed = [_fair(winners(ballots[h]), labels) for h in winners(weights)]
    return {
        "vote": _fair(winners(vote), labels),
        "Gibbs": vote,
        "MAP": {label: sum(answer[label] for answer in followed) / len(followed) for label in labels},
    }


def expected_errors(posterior, votes, truth=None):
    """How often each way of `three_answers` errs (section 04): 1 − Σ_v P(it answers v) P(v is true).

    The truth is drawn with the posterior's own weights, P(v is true) = P(v|D), unless `truth` fixes the true label.

    >>> expected_errors({"h1": 0.75, "h2": 0.25}, {"h1": "+", "h2": "−"})
    {'vote': 0.25, 'Gibbs': 0.375, 'MAP': 0.25}
    """
    chances = three_answers(posterior, votes)
    if truth is not None and not among(truth, chances["Gibbs"]):
        raise ValueError(f"truth must be one of the labels {names(chances['Gibbs'])}, got {short(truth)}")
    true = {label: chance if truth is None else label == truth for label, chance in chances["Gibbs"].items()}
    return {way: 1 - sum(says[label] * true[label] for label in true) for way, says in chances.items()}


def gibbs_error(p):
    """1 − Σ_v p_v², the chance that two draws from the labels' probabilities p differ: Gibbs' error (section 04).

    >>> gibbs_error([0.75, 0.25])
    0.375
    """
    p = as_probabilities(p, "p", total=True)
    return 1 - sum(chance * chance for chance in _mapping(p).values())


def error_over_p(p, truth=None):
    """The errors of vote, Gibbs and MAP at each P(+|D) = p when h_MAP says +, as a mapping of arrays (section 04).

    One formula for all: who says + with chance c errs with chance c (1 − t) + (1 − c) t when + is true with chance t.
    With t = p that is min(p, 1 − p) for the vote and 2 p (1 − p) for Gibbs. `truth` fixes the true label, "+" or "−".

    >>> error_over_p([0.25, 0.5])["vote"].tolist()
    [0.25, 0.5]
    """
    p = np.asarray(as_number(p, "p", low=0, high=1), dtype=float)
    if not among(truth, ("+", "−", None)):
        raise ValueError(f"truth must be '+' or '−', got {short(truth)}")
    true = p if truth is None else float(truth == "+")
    says = {"vote": np.where(np.abs(p - 0.5) <= TIE, 0.5, p > 0.5), "Gibbs": p, "MAP": 1.0}
    return {way: chance * (1 - true) + (1 - chance) * true + 0 * p for way, chance in says.items()}


# Shared by the functions above


def _mapping(values):
    return values if is_mapping(values) else dict(enumerate(values.tolist()))


def _count(posterior, votes):
    """Weights by hypothesis, votes by hypothesis as mappings label → P(v|h), and the labels in order of appearance."""
    weights = as_probabilities(posterior, "posterior", total=True)
    if is_mapping(weights) != is_mapping(votes):
        raise ValueError("posterior and votes must both be mappings or both be arrays, got one of each")
    if not is_mapping(votes):
        try:
            rows = np.asarray(votes).tolist()
            votes = {h: dict(enumerate(row)) if isinstance(row, list) else row for h, row in enumerate(rows)}
        except (TypeError, ValueError):
            raise ValueError(f"votes must be a mapping or an array of labels or rows, got {votes!r}") from None
    weights = _mapping(weights)
    if weights.keys() != set(votes.keys()):
        raise ValueError(f"votes must have the hypotheses of posterior, {names(weights)}, got {names(votes.keys())}")
    ballots = {h: _ballot(votes[h], f"votes[{h!r}]") for h in weights}
    return weights, ballots, list(dict.fromkeys(label for ballot in ballots.values() for label in ballot))


def _ballot(vote, name):
    """A vote as a mapping label → P(v|h): a plain label has probability 1."""
    if is_mapping(vote):
        return as_probabilities(vote, name, total=True)
    fraction = isinstance(vote, Real) and vote % 1 != 0  # most likely a probability without its label
    if vote is None or fraction or not isinstance(vote, Hashable):
        raise ValueError(f"{name} must be a label or a mapping label → P(label|h), got {vote!r}")
    return {vote: 1}


def _fair(best, labels):
    """Equal chances for the labels in `best`, none for the others."""
    return {label: (label in best) / len(best) for label in labels}


def _draw(weights, random):
    chances = np.array([float(weight) for weight in weights.values()])
    return list(weights)[random.choice(len(chances), p=chances / chances.sum())]


def boolean(labels, name):
    """A matrix of True and False, or of 1 and 0, as a boolean array."""
    labels = np.asarray(as_number(labels, name, low=0, high=1))
    if labels.ndim != 2 or not labels.size or (labels % 1).any():
        raise ValueError(f"{name} must be a matrix of True and False, or of 1 and 0, got {short(labels)}")
    return labels.astype(bool)
