"""Exercise 14: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import itertools
import math

import data
import numpy as np

CLOSE = 1e-9  # distances that differ by less are equal


def _ranges(X):
    spans = np.ptp(np.array(X, float), axis=0)
    return np.where(spans == 0, np.inf, spans)  # what does not vary tells nobody apart


def _away(X, query, scaled=True):
    X, query = np.array(X, float), np.array(query, float)
    return np.sqrt((((X - query) / (_ranges(X) if scaled else 1)) ** 2).sum(axis=1))


def _shares(y, voters):
    return {each: sum(y[row] == each for row in voters) / len(voters) for each in sorted(set(y))}


def _within(away, k):
    """The k nearest, and whoever is as near as the last of them."""
    last = np.sort(away)[min(k, len(away)) - 1]
    return np.flatnonzero(away <= last + CLOSE)


def vote_shares(X, y, query, k):
    return _shares(y, _within(_away(X, query), k))


def _unscaled(X, y, query, k):
    return _shares(y, _within(_away(X, query, scaled=False), k))


def _cut(X, y, query, k):
    return _shares(y, np.argsort(_away(X, query).round(9), kind="stable")[:k])


def _settled(X, query):
    """Whether no two distances are so nearly equal that rounding could decide."""
    gaps = np.diff(np.sort(_away(X, query)))
    return not np.any((gaps > 1e-12) & (gaps < 1e-5))


def draw_people(random, constant=False):
    """Heights in metres that tell the classes apart, and weights in kilograms that hardly do; some rows on equal terms."""
    while True:
        n, classes = int(random.integers(7, 12)), ["L", "M", "S"][: int(random.integers(2, 4))]
        y = [str(random.choice(classes)) for _ in range(n)]
        heights = [round(1.5 + 0.15 * classes.index(each) + float(random.normal(0, 0.07)), 2) for each in y]
        X = [[height, int(random.integers(50, 90))] for height in heights]
        if constant:
            X = [[*row, 7] for row in X]
        query = [round(float(random.uniform(1.5, 1.9)), 2), int(random.integers(55, 85)), *([9] if constant else [])]
        case = X, y, query, int(random.integers(2, 6))
        if min(np.ptp(np.array(X), axis=0)[:2]) > 0 and _settled(X, query) and vote_shares(*case) != _unscaled(*case):
            return case


def draw_constant(random):
    return draw_people(random, constant=True)


def draw_tied(random):
    """Rows of a lattice around the query, so that several are as near as the k-th."""
    while True:
        query = random.integers(2, 5, 2)
        steps = random.permutation([(a, b) for a in range(-2, 3) for b in range(-2, 3)])[:12]
        X = ((query + steps) * [0.1, 5]).round(1)
        y = [str(each) for each in random.choice(["a", "b", "c"], 12)]
        case = X.tolist(), y, (query * [0.1, 5]).round(1).tolist(), int(random.integers(2, 8))
        if (np.ptp(steps, axis=0) == 4).all() and vote_shares(*case) != _cut(*case):
            return case


def _wrong(X, y, k, shares=vote_shares, out=True):
    """The share of rows that the others, or with out=False all, get wrong."""
    errors = 0
    for row, label in enumerate(y):
        keep = [each for each in range(len(y)) if each != row or not out]
        found = shares([X[each] for each in keep], [y[each] for each in keep], X[row], k)
        errors += max(sorted(found), key=found.get) != label
    return errors / len(y)


def _judged(X, y, ks, pick=lambda ks, errors: ks[errors.index(min(errors))], **how):
    errors = [_wrong(X, y, k, **how) for k in ks]
    return errors, pick(ks, errors)


def leave_one_out(X, y, ks):
    return _judged(X, y, ks)


def _last(ks, errors):
    return ks[len(ks) - 1 - errors[::-1].index(min(errors))]


def draw_noisy(random, tied=False):
    """A border in the first attribute with some labels turned round; the second attribute is noise in a large unit."""
    while True:
        n = int(random.integers(9, 15))
        X = np.column_stack([random.random(n).round(3), random.integers(0, 400, n)])
        y = ((X[:, 0] > 0.5) ^ (random.random(n) < 0.2)).tolist()
        y, X = ["no" if each else "yes" for each in y], X.tolist()
        ks = sorted(random.choice([1, 2, 3, 4, 5, 7, n - 1], 3, replace=False).tolist())
        settled = all(_settled(X[:row] + X[row + 1 :], X[row]) for row in range(n))
        if len(set(ks)) < 3 or len(set(y)) < 2 or not settled:
            continue
        errors, best = leave_one_out(X, y, ks)
        if tied == (errors.count(min(errors)) > 1) and 0 < min(errors) < max(errors) and best != max(ks):
            return X, y, ks


def draw_level(random):
    return draw_noisy(random, tied=True)


def _three(student, first=True):
    """Each of three labels is one toss; two of a kind win, and of three kinds the first, or nobody."""
    chances = data.ground(student)
    error = 0
    for labels in itertools.product(chances, repeat=3):
        says = max(labels, key=labels.count)
        if first or len(set(labels)) < 3:
            error += math.prod(map(chances.get, labels)) * (1 - chances[says])
    return error


def _one(student):
    return 1 - sum(p**2 for p in data.ground(student).values())


def _best(student):
    return 1 - max(data.ground(student).values())


PEOPLE = [[1.60, 70], [1.88, 76], [1.62, 69], [1.90, 77], [1.85, 62], [1.70, 64]], ["S", "L", "S", "L", "L", "M"]
LATTICE = [[0, 0], [2, 0], [0, 2], [2, 2], [4, 4], [1, 0]], ["a", "b", "a", "c", "b", "b"]
NOISY = [[0.03, 10], [0.12, 210], [0.18, 250], [0.3, 100], [0.42, 240], [0.54, 300]]
NOISY += [[0.67, 150], [0.73, 180], [0.86, 390]]
LEVEL = [[0.08, 220], [0.23, 160], [0.32, 310], [0.34, 120], [0.39, 90], [0.59, 310]]
LEVEL += [[0.62, 350], [0.83, 30], [0.89, 20]]
SIDES = ["yes", "yes", "no", "yes", "no", "no", "yes", "no", "no"]

TASKS = {
    "vote_shares": {
        "kind": "function",
        "points": 3,
        "arguments": "X, y, query, k",
        "solve": vote_shares,
        "cases": [
            (*PEOPLE, [1.86, 72], 3),
            (*LATTICE, [1, 1], 2),
            ([[1, 5.0], [3, 5.0], [7, 5.0]], ["a", "b", "b"], [2.1, 8.0], 1),
            ([[1.0], [2.5], [4.0]], ["x", "y", "x"], [3.0], 9),
        ],
        "checks": [
            {"says": "attributes in different units", "points": 1, "draw": draw_people, "times": 5},
            {"says": "rows that are as near as the k-th", "points": 1, "draw": draw_tied, "times": 4},
            {"says": "an attribute that does not vary", "points": 1, "draw": draw_constant, "times": 4},
        ],
        "mistakes": {
            "distance-given": _unscaled,
            "farthest": lambda X, y, query, k: _shares(y, _within(-_away(X, query), k)),
            "cut-tie": _cut,
            "first-only": lambda X, y, query, k: vote_shares(X, y, query, 1),
            "whole-crowd": lambda X, y, query, k: _shares(y, range(len(y))),
        },
        "hint": "Divide every attribute by its range, sort the distances, take the k-th of them, and let every row vote whose distance is at most that plus 1e-9.",
        "right": "Scale, measure, and let all who are near enough vote.",
    },
    "leave_one_out": {
        "kind": "function",
        "builds_on": "vote_shares",
        "points": 2,
        "arguments": "X, y, ks",
        "solve": leave_one_out,
        "cases": [
            (NOISY, SIDES, [1, 3, 8]),
            (LEVEL, SIDES, [2, 3, 5]),
        ],
        "checks": [
            {"says": "noisy labels", "points": 1, "draw": draw_noisy, "times": 5},
            {"says": "values of k that are equally good", "points": 1, "draw": draw_level, "times": 4},
        ],
        "mistakes": {
            "own-neighbour": lambda X, y, ks: _judged(X, y, ks, out=False),
            "distance-given": lambda X, y, ks: _judged(X, y, ks, shares=_unscaled),
            "The task says how ties are broken: the first of equal candidates is taken.": lambda X, y, ks: _judged(
                X, y, ks, pick=_last
            ),
            "large-k-safe": lambda X, y, ks: _judged(X, y, ks, pick=lambda ks, errors: max(ks)),
        },
        "hint": "For each k and each row: give vote_shares all rows but this one, and this one as the query. Compare the winner with the row's own label.",
        "right": "Each row was judged by the others only.",
    },
    "limit": {
        "kind": "number",
        "points": 2,
        "solve": _three,
        "varies": True,
        "probability": True,
        "mistakes": {
            "coin-forgotten": _one,
            "more-data-cures": _best,
            "bound-for-value": lambda student: 2 * _best(student),
            "other-answer": lambda student: 1 - _three(student),
            "torn-vote": lambda student: _three(student, first=False),
        },
        "hint": "Go through the 27 ways in which three labels can fall. Each has a probability and a winner, and the winner is wrong with one minus the winner's own probability.",
        "right": "Better than one neighbour, and still not the best.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "C",
        "mistakes": {"A": "more-data-cures", "B": "bound-for-value", "D": "nn-is-gibbs"},
        "hint": "Follow one curve at a time from left to right, and see at which dotted line it ends.",
        "right": "Many neighbours need many points, and then they win.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: on its own table each patient is its own nearest neighbour, so 0 errors say nothing; leave-one-out or new patients tell.",
            "1 point: nothing is trained, so nothing is ignored: every column, useless or in small units, enters every distance; choose columns and scale them, and judge the choice by leave-one-out.",
        ],
    },
}
