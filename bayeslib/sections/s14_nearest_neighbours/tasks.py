"""The practice tasks of section 14. A mistake is a function that errs in a known way, so that the feedback can say which."""

import itertools
import math
from collections import Counter

import numpy as np

from bayeslib.models.neighbors import KNeighborsClassifier, limit_error


def _order(X, query, scale):
    """Rows from the nearest to the farthest, by scaled distance."""
    away = [math.dist(np.multiply(row, scale), np.multiply(query, scale)) for row in X]
    return sorted(range(len(X)), key=away.__getitem__)


def _most(labels):
    """The label with most votes; of equal ones the first in sorted order."""
    counts = Counter(labels)
    return min(counts, key=lambda label: (-counts[label], label))


def _vote(X, y, query, k, scale):
    return _most([y[row] for row in _order(X, query, scale)[:k]])


def _mean(X, y, query, k):
    return sum(y[row] for row in _order(X, query, [1] * len(query))[:k]) / k


def _enough(p, extra, step=2, best=None):
    """The smallest k whose limit error is within `extra` of the best."""
    best = min(p, 1 - p) if best is None else best
    return next(k for k in itertools.count(1, step) if limit_error(p, k) - best <= extra + 1e-12)


def _best_k(X, y, ks):
    return min(ks, key=lambda k: (KNeighborsClassifier(k).fit(X, y).leave_one_out(), k))


def _noisy(seed):
    """30 rows on two sides of a border, one label in five flipped."""
    random = np.random.default_rng(seed)
    X = random.random((30, 2)).round(3)
    y = (X[:, 0] > 0.5) ^ (random.random(30) < 0.2)
    return X.tolist(), y.astype(int).tolist()


PEOPLE = [[1.60, 70.0], [1.88, 76.0], [1.62, 69.0], [1.90, 77.0], [1.85, 79.0], [1.50, 58.0], [1.52, 57.0]]
PEOPLE += [[1.72, 64.0], [1.70, 63.0], [1.71, 62.0], [1.73, 65.0]]
SIZES = ["S", "L", "S", "XL", "XL", "XS", "XS", "M", "M", "M", "M"]

TASKS = {
    "vote": {
        "arguments": "X, y, query, k, scale",
        "cases": [
            (PEOPLE, SIZES, [1.86, 72.0], 3, [100, 1]),
            (PEOPLE, SIZES, [1.86, 72.0], 3, [1, 1]),
            (PEOPLE, SIZES, [1.86, 72.0], 1, [100, 1]),
            ([[0.0], [1.0], [2.0], [3.0], [4.0]], ["a", "b", "b", "a", "a"], [0.4], 3, [1]),
        ],
        "solve": _vote,
        "right": "Scale, sort, count. Metres and centimetres gave different answers to the same question.",
        "hint": "Multiply rows and query by scale, sort the row numbers by distance to the query, take the first k, and count "
        "their labels.",
        "mistakes": {
            "farthest": lambda X, y, q, k, s: _most([y[row] for row in _order(X, q, s)[::-1][:k]]),
            "distance-given": lambda X, y, q, k, s: _vote(X, y, q, k, [1] * len(s)),
            "first-only": lambda X, y, q, k, s: _vote(X, y, q, 1, s),
            "whole-crowd": lambda X, y, q, k, s: _most(y),
        },
    },
    "mean": {
        "arguments": "X, y, query, k",
        "cases": [
            ([[1.0], [2.0], [4.0], [7.0]], [2.0, 3.0, 8.0, 1.0], [2.4], 2),
            ([[1.0], [2.0], [4.0], [7.0]], [2.0, 3.0, 8.0, 1.0], [2.4], 3),
            ([[0.0, 0.0], [3.0, 4.0], [6.0, 0.0]], [1.0, 2.0, 6.0], [4.0, 1.0], 2),
        ],
        "solve": _mean,
        "right": "The same neighbours as for a vote, and their mean instead of a count.",
        "hint": "Sort the row numbers by distance to the query, take the first k, add up their y and divide by k.",
        "mistakes": {
            "whole-crowd": lambda X, y, q, k: sum(y) / len(y),
            "farthest": lambda X, y, q, k: sum(y[row] for row in _order(X, q, [1] * len(q))[::-1][:k]) / k,
            "Divide by k at the end.": lambda X, y, q, k: k * _mean(X, y, q, k),
            "first-only": lambda X, y, q, k: _mean(X, y, q, 1),
        },
    },
    "enough": {
        "arguments": "p, extra",
        "cases": [(0.8, 0.05), (0.7, 0.02), (0.35, 0.03), (0.95, 0.01), (0.5, 0.001)],
        "solve": _enough,
        "right": "Near p = ½ there is little to gain, near 0 and 1 little to lose; in between a vote pays most.",
        "hint": "For k = 1, 3, 5 …: the vote is 1 with probability Σ comb(k, j) p^j (1 − p)^(k − j) over j > k/2, and it errs if it "
        "says 1 and the label is 0, or the other way round. Stop when the error is at most min(p, 1 − p) + extra.",
        "mistakes": {
            "Only odd k are asked for; an even vote can tie.": lambda p, extra: _enough(p, extra, step=1),
            "The best possible error is min(p, 1 − p), also where p is below one half.": lambda p, extra: _enough(
                p, extra, best=1 - p
            ),
            "more-data-cures": lambda p, extra: 1,
        },
    },
    "best-k": {
        "arguments": "X, y, ks",
        "cases": [(*_noisy(40), [1, 3, 5, 9]), (*_noisy(29), [1, 3, 7, 15])],
        "solve": _best_k,
        "right": "Each row was judged by the others only, and k = 1 lost its perfect record.",
        "hint": "For each k: take each row out in turn, let the k nearest of the others vote, and count how often they are wrong.",
        "mistakes": {
            "own-neighbour": lambda X, y, ks: min(
                ks, key=lambda k: (-KNeighborsClassifier(k).fit(X, y).score(X, y), k)
            ),
            "large-k-safe": lambda X, y, ks: max(ks),
        },
    },
}
