"""The practice tasks of section 16. A mistake is a function that errs in a known way, so that its name can be told."""

import numpy as np

from bayeslib.models.ensembles import AdaBoost, DecisionStump, boost_round, ten_points


def _round(weights, wrong):
    error, alpha, after = boost_round(weights, wrong)
    return [error, alpha, after.tolist()]


def _update(weights, wrong, alpha=lambda e: 0.5 * np.log((1 - e) / e), right=True, normal=True):
    """The same, with one of its parts exchanged."""
    weights, wrong = np.array(weights), np.array(wrong)
    error = float(weights[wrong].sum())
    power = alpha(error)
    after = weights * np.exp(np.where(wrong, power, -power if right else 0.0))
    return [error, float(power), (after / after.sum() if normal else after).tolist()]


def _stump(X, y, weights):
    stump = DecisionStump().fit(X, y, weights)
    return [stump.attribute_, stump.threshold_, int(stump.above_)]


def _upward(X, y, weights):
    """The best of the stumps that say + above their threshold."""
    X, y, weights = np.array(X), np.array(y), np.array(weights)
    found = []
    for attribute, column in enumerate(X.T):
        values = np.unique(column)
        for threshold in (values[1:] + values[:-1]) / 2:
            wrong = np.where(column > threshold, 1, -1) != y
            found.append((round(float(weights[wrong].sum()), 9), attribute, float(threshold)))
    return [*min(found)[1:], 1]


def _vote(alphas, answers):
    classes, codes = np.unique(answers, return_inverse=True)
    said = codes.reshape(np.shape(answers))[..., None] == np.arange(len(classes))  # learner, row, class
    return classes[np.einsum("t,tic->ic", np.array(alphas, float), said).argmax(axis=1)].tolist()


def _suspects(weights, k):
    mean = np.mean(weights, axis=0)
    return [int(each) for each in np.argsort(-mean, kind="stable")[:k]]


POINTS, LABELS = (each.tolist() for each in ten_points())
FIVE = [[1.0], [2.0], [3.0], [4.0], [5.0]]
ROUND_THREE = AdaBoost(DecisionStump(), 2).fit(POINTS, LABELS).history_[-1].after.tolist()
_LIE = np.where(np.arange(10) == 3, -1, 1) * np.array(LABELS)
TRACE = [each.weights.round(4).tolist() for each in AdaBoost(DecisionStump(), 40).fit(POINTS, _LIE).history_]

TASKS = {
    "boost-round": {
        "arguments": "weights, wrong",
        "cases": [
            ([0.1] * 10, [False] * 2 + [True] * 3 + [False] * 5),
            ([0.2] * 5, [False, False, True, False, False]),
            ([0.1, 0.2, 0.3, 0.4], [False, True, False, True]),
        ],
        "solve": _round,
        "right": "ε, α and weights that put one half on what was wrong; the third case had ε above ½ and a negative α.",
        "hint": "ε is the sum of the weights where `wrong` is True, α = ½ ln((1 − ε)/ε). Multiply by e^α "
        "where wrong, by e^−α where right, and divide by the sum.",
        "mistakes": {
            "half-missing": lambda w, b: _update(w, b, lambda e: np.log((1 - e) / e)),
            "The vote α is defined with the natural logarithm.": lambda w, b: _update(
                w, b, lambda e: 0.5 * np.log10((1 - e) / e)
            ),
            "alpha-sign": lambda w, b: _update(w, b, lambda e: 0.5 * np.log(e / (1 - e))),
            "only-wrong": lambda w, b: _update(w, b, right=False),
            "unnormalised-weights": lambda w, b: _update(w, b, normal=False),
        },
    },
    "best-stump": {
        "arguments": "X, y, weights",
        "cases": [
            (FIVE, [-1, 1, -1, -1, 1], [0.1, 0.4, 0.2, 0.2, 0.1]),
            (POINTS, LABELS, ROUND_THREE),
            (FIVE, [1, -1, -1, 1, 1], [0.5, 0.125, 0.125, 0.125, 0.125]),
        ],
        "solve": _stump,
        "right": "Every attribute, every threshold, both directions, and weights in place of counts.",
        "hint": "For every attribute take the sorted different values; the thresholds lie halfway between neighbours. "
        "For each threshold try + above and + below, and add up the weights of the wrong points.",
        "mistakes": {
            "unweighted-stump": lambda X, y, w: _stump(X, y, [1.0] * len(y)),
            "one-direction": _upward,
        },
    },
    "vote": {
        "arguments": "alphas, answers",
        "cases": [
            ([0.9, 0.3, 0.2], [["cat", "cat", "dog"], ["dog", "cat", "dog"], ["dog", "dog", "cat"]]),
            ([0.7, 0.5, 0.4], [["cat", "cow", "dog"], ["dog", "cow", "cat"], ["dog", "dog", "cat"]]),
            (
                [0.6, -0.8, 0.1],
                [["cat", "dog", "cow", "dog"], ["dog", "dog", "cow", "cat"], ["dog", "cat", "dog", "dog"]],
            ),
        ],
        "solve": _vote,
        "right": "Each vote counts its α for the class it names, and a negative α counts against that class.",
        "hint": "For every row keep a sum for each class; add α to the sum of the class that the learner names.",
        "mistakes": {
            "count-votes: In boosting each vote has the weight α; equal votes are bagging.": lambda a, h: _vote(
                np.sign(a), h
            ),
            "lost-sign": lambda a, h: _vote(np.abs(a), h),
            "discard-reversed": lambda a, h: _vote(np.maximum(a, 0), h),
        },
    },
    "suspects": {
        "arguments": "weights, k",
        "cases": [([[0.25, 0.25, 0.25, 0.25], [0.1, 0.5, 0.3, 0.1], [0.45, 0.3, 0.15, 0.1]], 2), (TRACE, 3)],
        "solve": _suspects,
        "right": "The mislabelled point (6, 8) is number 3, and two neighbours with true labels are listed too: check all three.",
        "hint": "Average each column over the rounds, and return the numbers of the k greatest averages.",
        "mistakes": {
            "last-round": lambda w, k: _suspects(w[-1:], k),
            "lightest-point": lambda w, k: _suspects(-np.array(w), k),
        },
    },
}
