"""Many hypotheses, one answer: let them vote (Bayes-optimal), draw one (Gibbs) or follow the best (MAP) (section 04).

    P(v|D) = Σ_h P(v|h) P(h|D)

`posterior` is a mapping hypothesis → P(h|D), or an array. `votes` holds for the same hypotheses what each of them answers:
a label, or, if it is undecided, a mapping label → P(v|h). As an array it is one label per hypothesis, or one row P(v|h)
per hypothesis, whose labels are then the numbers of the columns.
"""

from collections.abc import Hashable
from fractions import Fraction
from numbers import Real

import numpy as np

from bayeslib.models._checks import (
    among,
    as_number,
    as_probabilities,
    generator,
    is_mapping,
    names,
    one_probability,
    sequence,
    short,
    whole_number,
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


def clerk_answers(posterior, votes):
    """The chance that each of three clerks answers with each label (section 04).

    The vote gives the label with the largest P(v|D), Gibbs draws a hypothesis, MAP follows the most probable hypothesis and
    gives its most probable label. A fair coin decides ties.

    >>> clerk_answers({"h1": 0.75, "h2": 0.25}, {"h1": "+", "h2": "−"})["Gibbs"]
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
    """How often each clerk of `clerk_answers` errs (section 04): 1 − Σ_v P(clerk says v) P(v is true).

    The truth is drawn with the posterior's own weights, P(v is true) = P(v|D), unless `truth` fixes the true label.

    >>> expected_errors({"h1": 0.75, "h2": 0.25}, {"h1": "+", "h2": "−"})
    {'vote': 0.25, 'Gibbs': 0.375, 'MAP': 0.25}
    """
    chances = clerk_answers(posterior, votes)
    if truth is not None and not among(truth, chances["Gibbs"]):
        raise ValueError(f"truth must be one of the labels {names(chances['Gibbs'])}, got {short(truth)}")
    true = {label: chance if truth is None else label == truth for label, chance in chances["Gibbs"].items()}
    return {clerk: 1 - sum(says[label] * true[label] for label in true) for clerk, says in chances.items()}


def gibbs_error(p):
    """1 − Σ_v p_v², the chance that two draws from the labels' probabilities p differ: Gibbs' error (section 04).

    >>> gibbs_error([0.75, 0.25])
    0.375
    """
    p = as_probabilities(p, "p", total=True)
    return 1 - sum(chance * chance for chance in _mapping(p).values())


def error_over_p(p, leader="+", truth=None):
    """The clerks' errors at each P(+|D) = p when h_MAP says `leader`, as a mapping of arrays (section 04).

    One formula for all: a clerk who says + with chance c errs with chance c (1 − t) + (1 − c) t when + is true with chance t.
    With t = p that is min(p, 1 − p) for the vote and 2 p (1 − p) for Gibbs. `truth` fixes the true label, "+" or "−".

    >>> error_over_p([0.25, 0.5])["vote"].tolist()
    [0.25, 0.5]
    """
    p = np.asarray(as_number(p, "p", low=0, high=1), dtype=float)
    for name, sign, known in (("leader", leader, ("+", "−")), ("truth", truth, ("+", "−", None))):
        if not among(sign, known):
            raise ValueError(f"{name} must be '+' or '−', got {short(sign)}")
    true = p if truth is None else float(truth == "+")
    says = {"vote": np.where(np.abs(p - 0.5) <= TIE, 0.5, p > 0.5), "Gibbs": p, "MAP": float(leader == "+")}
    return {clerk: chance * (1 - true) + (1 - chance) * true + 0 * p for clerk, chance in says.items()}


def weight_map(p_plus):
    """Where MAP and vote disagree, among all weights of three hypotheses that say + with the chances `p_plus` (section 04).

    Weights (w1, w2, w3) that sum to 1 fill a triangle. The result is a mapping: `plus`, the corners of the part where the vote
    says +; `disagree`, for each hypothesis the corners of the part where it is MAP and the vote says something else; and
    `share`, the part of the triangle's area in which they disagree.

    >>> float(weight_map([1, 0, 0])["share"])
    0.08333333333333333
    """
    values = sequence(p_plus, "p_plus", "probabilities")
    p_plus = [one_probability(p, f"p_plus[{number}]") for number, p in enumerate(values)]
    if len(p_plus) != 3:
        raise ValueError(f"p_plus must hold three probabilities, one for each hypothesis, got {len(p_plus)}")
    corners = [tuple(Fraction(i == j) for i in range(3)) for j in range(3)]
    centre = (Fraction(1, 3),) * 3

    def middle(i, j):
        return tuple((a + b) / 2 for a, b in zip(corners[i], corners[j]))

    def part(polygon, sign):
        return _clip(polygon, lambda w: sign * (sum(p * weight for p, weight in zip(p_plus, w)) - Fraction(1, 2)))

    disagree = []
    for h, p in enumerate(p_plus):
        home = [corners[h], middle(h, (h + 1) % 3), centre, middle(h, (h + 2) % 3)]  # where h is MAP
        disagree.append(part(home, -1 if p > 0.5 else 1) if p != 0.5 else [])
    return {"plus": part(corners, 1), "disagree": disagree, "share": sum(map(_share, disagree))}


def threshold_errors(examples):
    """Expected gap 2/(m+2) after m examples of a threshold on [0, 1], and the errors gap/4, gap/3, gap/2 (section 04).

    The threshold and the examples are uniform. The vote cuts in the middle of the gap between the last − and the first +,
    Gibbs anywhere in it, MAP with a taste for the specific at the first +. `examples` is a number or an array of them.

    >>> {name: float(value) for name, value in threshold_errors(6).items() if name != "Gibbs"}
    {'gap': 0.25, 'vote': 0.0625, 'MAP': 0.125}
    """
    examples = as_number(examples, "examples", low=0)
    gap = 2 / (examples + 2)
    return {"gap": gap, "vote": gap / 4, "Gibbs": gap / 3, "MAP": gap / 2}


def threshold_runs(examples, runs, truth=None, random_state=None):
    """The threshold problem simulated many times, without `threshold_errors` (section 04).

    A mapping of arrays: `truth` (runs) and `points` (runs × examples); after 0, 1, … examples the ends of the gap, `low` and
    `high`, where each clerk cuts, `cuts`, and how often it then errs, `errors` (mappings by clerk, runs × examples + 1).
    `truth` fixes the threshold of all runs; without it each run draws its own.

    >>> threshold_runs(examples=3, runs=2, random_state=0)["errors"]["vote"].shape
    (2, 4)
    """
    examples, runs = whole_number(examples, "examples", 0), whole_number(runs, "runs", 1)
    random = generator(random_state)
    drawn = random.random((runs, 1))
    theta = drawn if truth is None else np.full((runs, 1), float(one_probability(truth, "truth")))
    points = random.random((runs, examples))
    low = np.maximum.accumulate(np.hstack([np.zeros((runs, 1)), np.where(points < theta, points, 0)]), axis=1)
    high = np.minimum.accumulate(np.hstack([np.ones((runs, 1)), np.where(points < theta, 1, points)]), axis=1)
    cuts = {"vote": (low + high) / 2, "Gibbs": low + (high - low) * random.random(low.shape), "MAP": high}
    errors = {clerk: np.abs(cut - theta) for clerk, cut in cuts.items()}
    return {"truth": theta[:, 0], "points": points, "low": low, "high": high, "cuts": cuts, "errors": errors}


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


def _clip(polygon, value):
    """The part of a polygon in which a linear `value` is not negative."""
    kept = []
    for here, there in zip(polygon, polygon[1:] + polygon[:1]):
        a, b = value(here), value(there)
        if a >= 0:
            kept.append(here)
        if a * b < 0:
            kept.append(tuple(x + (y - x) * a / (a - b) for x, y in zip(here, there)))
    return kept if len(kept) > 2 else []


def _share(polygon):
    """The area of a polygon of weights, as a part of the whole triangle (the shoelace formula)."""
    turns = zip(polygon, polygon[1:] + polygon[:1])
    return abs(sum(here[0] * there[1] - there[0] * here[1] for here, there in turns))


def boolean(labels, name):
    """A matrix of True and False, or of 1 and 0, as a boolean array."""
    labels = np.asarray(as_number(labels, name, low=0, high=1))
    if labels.ndim != 2 or not labels.size or (labels % 1).any():
        raise ValueError(f"{name} must be a matrix of True and False, or of 1 and 0, got {short(labels)}")
    return labels.astype(bool)
