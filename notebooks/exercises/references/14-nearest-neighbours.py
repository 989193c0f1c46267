"""Exercise 14: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import itertools
import math
from functools import partial

import data
import numpy as np

CLOSE = 1e-9  # distances that differ by less are equal


def _away(X, query, city=False, spread=np.ptp, scaled=True):
    """Distances of the rows to the query; what does not vary tells nobody apart."""
    X, query = np.array(X, float), np.array(query, float)
    spans = spread(X, axis=0) if scaled else np.ones(X.shape[1])
    apart = np.abs(X - query) / np.where(spans == 0, np.inf, spans)
    return apart.sum(axis=1) if city else np.sqrt((apart**2).sum(axis=1))


def _shares(y, voters):
    return {each: sum(y[row] == each for row in voters) / len(voters) for each in sorted(set(y))}


def _within(away, k):
    """The k nearest, and whoever is as near as the last of them."""
    last = np.sort(away)[min(k, len(away)) - 1]
    return np.flatnonzero(away <= last + CLOSE)


def vote_shares(X, y, query, k, **how):
    return _shares(y, _within(_away(X, query, **how), k))


def _farthest(X, y, query, k):
    return _shares(y, _within(-_away(X, query), k))


def _cut(X, y, query, k):
    return _shares(y, np.argsort(_away(X, query).round(9), kind="stable")[:k])


def _exact(X, y, query, k):
    away = _away(X, query)
    return _shares(y, np.flatnonzero(away <= np.sort(away)[min(k, len(away)) - 1]))


def _voted_only(X, y, query, k):
    return {each: share for each, share in vote_shares(X, y, query, k).items() if share > 0}


def _with_query(X, y, query, k):
    """Ranges over the rows and the query."""
    spans = np.ptp(np.array([*X, query], float), axis=0)
    return vote_shares(X, y, query, k, spread=lambda X, axis: spans)


def _divides_by_0(X, y, query, k):
    if 0 in np.ptp(np.array(X, float), axis=0):
        raise ZeroDivisionError("a range of 0")
    return vote_shares(X, y, query, k)


def _per_k(X, y, query, k):
    """Votes divided by k, also where there are more or fewer voters."""
    voters = _within(_away(X, query), k)
    return {each: share * len(voters) / k for each, share in _shares(y, voters).items()}


def _from(distance, voters=_within):
    """Votes by `distance(X, query)`, where `voters` picks the rows."""
    return lambda X, y, query, k: _shares(y, voters(distance(np.array(X, float), np.array(query, float)), k))


def _apart(X, query, divide=True):
    """Differences of the rows to the query in ranges; what does not vary is 0."""
    spans = np.ptp(X, axis=0)
    return (X - query) / np.where(spans == 0, np.inf, spans) if divide else (X - query) * spans


def _unrounded(away, k):
    with np.errstate(all="ignore"):
        return np.flatnonzero(away <= np.sort(away)[min(k, len(away)) - 1] + CLOSE)


def _any_zero(X, query):
    with np.errstate(all="ignore"):
        return np.sqrt((((X - query) / np.ptp(X, axis=0)) ** 2).sum(axis=1))


def _weighted(X, y, query, k):
    away = _away(X, query)
    weights = {label: sum(1 / (away[at] + CLOSE) for at in _within(away, k) if y[at] == label) for label in y}
    return {label: weight / sum(weights.values()) for label, weight in weights.items()}


VOTE_SLIPS = {
    "The range is the largest value minus the smallest; here each attribute is divided by its largest value.": (
        lambda X, y, query, k: vote_shares(X, y, query, k, spread=lambda X, axis: np.abs(X).max(axis=axis))
    ),
    "Each attribute is divided by its range, not multiplied by it.": _from(
        lambda X, query: np.sqrt((_apart(X, query, False) ** 2).sum(axis=1))
    ),
    "The query is to be scaled as the rows are.": _from(
        lambda X, query: np.sqrt(
            ((_apart(X, X.min(axis=0)) - np.where(np.ptp(X, axis=0) == 0, 0, query)) ** 2).sum(axis=1)
        )
    ),
    "The Euclidean distance adds up all attributes; this one takes the largest difference alone.": _from(
        lambda X, query: np.abs(_apart(X, query)).max(axis=1)
    ),
    "Differences are squared before they are added up, or those above and below cancel.": _from(
        lambda X, query: _apart(X, query).sum(axis=1)
    ),
    "The k nearest rows vote, and here one more does.": _from(
        _away, lambda away, k: np.argsort(away, kind="stable")[: k + 1]
    ),
    "The k nearest rows vote; these are the rows at the k smallest different distances.": _from(
        _away,
        lambda away, k: np.flatnonzero(away <= sorted({*away.round(9)})[min(k, len({*away.round(9)})) - 1] + CLOSE),
    ),
    "The k-th neighbour votes too, and so does every row as near as it: the distance may be equal to the limit.": _from(
        _away,
        lambda away, k: (
            np.flatnonzero(away < np.sort(away)[min(k, len(away)) - 1] - CLOSE) if k > 1 else _within(away, k)
        ),
    ),
    "Every voter has one vote, however near it is.": _weighted,
    "An attribute that does not vary in `X` is to be left out: 0/0 makes all distances useless.": _from(
        _any_zero, lambda away, k: _unrounded(away, k) if len(_unrounded(away, k)) else np.arange(0)
    ),
}


def _settled(X, query):
    """Whether no two distances are so nearly equal that rounding could decide."""
    gaps = np.diff(np.sort(_away(X, query)))
    return not np.any((gaps > 1e-12) & (gaps < 1e-5))


def draw_people(random, silent=False, constant=False):
    """Heights in metres that tell the classes apart, and weights in kilograms that hardly do."""
    while True:
        n, classes = int(random.integers(7, 12)), ["L", "M", "S"][: int(random.integers(2, 4))]
        y = [str(random.choice(classes)) for _ in range(n)]
        heights = [round(1.5 + 0.15 * classes.index(each) + float(random.normal(0, 0.07)), 2) for each in y]
        X = [[height, int(random.integers(50, 90))] for height in heights]
        if constant:
            X = [[*row, 7] for row in X]
        query = [round(float(random.uniform(1.4, 2.0)), 2), int(random.integers(45, 95)), *([9] if constant else [])]
        case = X, y, query, int(random.integers(2, 6))
        lonely = 0 in vote_shares(*case).values()
        if min(np.ptp(np.array(X), axis=0)[:2]) > 0 and _settled(X, query) and lonely == silent:
            return case


def draw_tied(random):
    """Rows of a lattice around the query, so that several are as near as the k-th."""
    while True:
        query = random.integers(2, 5, 2)
        steps = random.permutation([(a, b) for a in range(-2, 3) for b in range(-2, 3)])[:12]
        X = ((query + steps) * [0.1, 5]).round(1)
        y = [str(each) for each in random.choice(["a", "b", "c"], 12)]
        case = X.tolist(), y, (query * [0.1, 5]).round(1).tolist(), int(random.integers(2, 8))
        shares = vote_shares(*case)
        if (np.ptp(steps, axis=0) == 4).all() and 0 not in shares.values() and shares != _cut(*case):
            return case


VOTES = [
    {"says": "attributes in different units", "points": 1, "draw": draw_people, "times": 6},
    {"says": "rows that are as near as the k-th", "points": 1, "draw": draw_tied, "times": 5},
    {
        "says": "an attribute that does not vary",
        "points": 0.5,
        "draw": partial(draw_people, constant=True),
        "times": 4,
    },
    {"says": "classes without a vote", "points": 0.5, "draw": partial(draw_people, silent=True), "times": 4},
]


def _first(shares):
    return max(sorted(shares), key=shares.get)


def _error(X, y, groups, k, keep=lambda groups, row, other: groups[other] != groups[row], pick=_first, **how):
    """The share of rows that get a wrong answer from the rows that `keep` keeps for them."""
    if len(set(groups)) < 2:
        raise ValueError("there is only one group, so nobody is left to be asked")
    wrong = 0
    for row, label in enumerate(y):
        rest = [other for other in range(len(y)) if keep(groups, row, other)]
        found = vote_shares([X[each] for each in rest], [y[each] for each in rest], X[row], k, **how)
        wrong += pick(found) != label
    return wrong / len(y)


def strangers(X, y, groups, k):
    return _error(X, y, groups, k)


def _ranges_of_all(X, y, groups, k):
    spans = np.ptp(np.array(X, float), axis=0)
    return _error(X, y, groups, k, spread=lambda rest, axis: spans)


def _mean_of_groups(X, y, groups, k):
    """The error of each group, and the mean of these."""
    if len(set(groups)) < 2:
        raise ValueError("there is only one group")
    found = {each: [] for each in groups}
    for row, label in enumerate(y):
        rest = [other for other in range(len(y)) if groups[other] != groups[row]]
        shares = vote_shares([X[each] for each in rest], [y[each] for each in rest], X[row], k)
        found[groups[row]].append(_first(shares) != label)
    return float(np.mean([np.mean(each) for each in found.values()]))


def _last(shares):
    return max(sorted(shares, reverse=True), key=shares.get)


def _unguarded(X, y, groups, k):
    return _error(X, y, groups, k) if len(set(groups)) > 1 else 0.0


def _all_settled(X, groups):
    """Whether for each row and its judges rounding decides nothing."""
    for row, query in enumerate(X):
        rest = [each for each, group in zip(X, groups) if group != groups[row]]
        others = X[:row] + X[row + 1 :]
        if min(np.ptp(np.array(rest), axis=0)) == 0 or not (_settled(rest, query) and _settled(others, query)):
            return False
    return True


def draw_noisy(random, tied=False):
    """A border in the first attribute, groups that lie together, some labels flipped; the second attribute is noise."""
    while True:
        n = int(random.integers(10, 15))
        names = [str(each) for each in random.permutation(["p", "q", "r", "s"])[: int(random.integers(3, 5))]]
        groups = [str(random.choice(names)) for _ in range(n)]
        centres = {each: float(random.random()) for each in names}
        x = [min(max(centres[each] + float(random.normal(0, 0.12)), 0), 1) for each in groups]
        X = [[round(each, 3), int(random.integers(0, 400))] for each in x]
        sides = {each: str(random.choice(["no", "yes"])) for each in names}
        y = [sides[each] if random.random() < 0.75 else str(random.choice(["no", "yes"])) for each in groups]
        k = int(random.choice([2, 4])) if tied else int(random.choice([1, 3, 5]))
        if min(groups.count(each) for each in names) < 2 or len(set(y)) < 2 or not _all_settled(X, groups):
            continue
        if 0 < strangers(X, y, groups, k) < 1 and (
            not tied or strangers(X, y, groups, k) != _error(X, y, groups, k, pick=_last)
        ):
            return X, y, groups, k


def draw_lonely(random):
    """Every other time all rows are of one group."""
    X, y, groups, k = draw_noisy(random)
    return X, y, groups if random.random() < 0.5 else [groups[0]] * len(y), k


def _leak(student, sign=1):
    pages = data.pages(student)
    rows = pages["X"], pages["y"]
    apart = strangers(*rows, pages["block"], 1) - strangers(*rows, list(range(len(pages["y"]))), 1)
    return sign * apart


def _with_blocks(student, alone=False, **how):
    pages = data.pages(student)
    return _error(pages["X"], pages["y"], list(range(len(pages["y"]))) if alone else pages["block"], 1, **how)


def _unscaled_leak(student):
    return _with_blocks(student, scaled=False) - _with_blocks(student, alone=True, scaled=False)


def _three(student, torn=lambda first: 1 - first):
    """Each of three labels is one toss; two of a kind win, and where all three differ the first."""
    chances = data.ground(student)
    error = 0
    for labels in itertools.product(chances, repeat=3):
        says = max(labels, key=labels.count)
        wrong = 1 - chances[says] if len(set(labels)) < 3 else torn(chances[says])
        error += math.prod(map(chances.get, labels)) * wrong
    return error


def _one(student):
    return 1 - sum(p**2 for p in data.ground(student).values())


def _best(student):
    return 1 - max(data.ground(student).values())


SLIPS = {
    "own-neighbour": partial(_error, keep=lambda groups, row, other: True),
    "shared-source: Only the row itself was left out, and the rest of its group was asked.": partial(
        _error, keep=lambda groups, row, other: row != other
    ),
    "distance-given": partial(_error, scaled=False),
    "The ranges are those of the rows that are asked, and not those of all rows.": _ranges_of_all,
    "Of classes with equal shares the one that sorts first is the answer.": partial(_error, pick=_last),
    "Every row counts once, however large its group is; the mean of the groups' errors is something else.": _mean_of_groups,
    "With a single group nobody is left to be asked: raise a ValueError.": _unguarded,
}


def _right(error):
    """The other variant of the task asks for the share of right answers."""
    return lambda *case: 1 - error(*case)


PEOPLE = [[1.60, 70], [1.88, 76], [1.62, 69], [1.90, 77], [1.85, 62], [1.70, 64]], ["S", "L", "S", "L", "L", "M"]
CASES = [
    (*PEOPLE, [1.86, 72], 3),
    ([[1, 5.0], [3, 5.0], [7, 5.0]], ["a", "b", "b"], [2.1, 8.0], 1),
    ([[1.0], [2.5], [4.0]], ["x", "y", "x"], [3.0], 9),
    ([[4, 2.5], [8, 0.0], [7, 1.5], [0, 1.0], [1, 2.5]], list("babca"), [3, 0.0], 2),
    (
        [
            [1.56, 65],
            [1.83, 51],
            [1.84, 81],
            [1.61, 66],
            [1.74, 57],
            [1.56, 77],
            [1.52, 75],
            [1.63, 61],
            [1.57, 53],
            [1.66, 50],
        ],
        list("LSSMSLLLMM"),
        [1.91, 77],
        3,
    ),
    (
        [
            [0.2, 15.0],
            [0.4, 30.0],
            [0.1, 25.0],
            [0.0, 20.0],
            [0.4, 10.0],
            [0.3, 25.0],
            [0.1, 10.0],
            [0.0, 10.0],
            [0.2, 10.0],
            [0.3, 10.0],
            [0.4, 15.0],
            [0.1, 30.0],
        ],
        list("bbababbabbca"),
        [0.2, 20.0],
        6,
    ),
    (
        [
            [0.3, 20.0],
            [0.1, 20.0],
            [0.5, 10.0],
            [0.2, 15.0],
            [0.1, 0.0],
            [0.5, 20.0],
            [0.4, 0.0],
            [0.5, 5.0],
            [0.4, 15.0],
            [0.3, 10.0],
            [0.3, 5.0],
            [0.2, 5.0],
        ],
        list("bacccaacabbc"),
        [0.3, 10.0],
        4,
    ),
    (
        [[1.5, 51], [1.66, 71], [1.7, 85], [1.62, 75], [1.51, 85], [1.68, 55], [1.74, 77], [1.42, 81]],
        list("LMMLLMML"),
        [1.87, 89],
        5,
    ),
    (
        [
            [1.46, 70],
            [1.6, 61],
            [1.52, 50],
            [1.73, 88],
            [1.56, 84],
            [1.47, 77],
            [1.66, 63],
            [1.6, 64],
            [1.44, 72],
            [1.96, 74],
            [1.62, 71],
        ],
        list("MMLMMLMLLSM"),
        [1.81, 54],
        5,
    ),
]


def _yes_no(text):
    return [{"y": "yes", "n": "no"}[each] for each in text]


STRANGERS = [
    (
        [
            [0, 251],
            [0.319, 153],
            [0.197, 48],
            [0.162, 299],
            [0.689, 381],
            [0.411, 356],
            [0.674, 399],
            [0.617, 161],
            [0.018, 245],
            [0, 102],
            [0.27, 312],
            [0.365, 107],
        ],
        _yes_no("nnynynyynyyy"),
        list("rrssprpprsss"),
        2,
    ),
    (
        [
            [0.979, 258],
            [1, 332],
            [0.188, 387],
            [0.068, 354],
            [0.344, 24],
            [0.94, 202],
            [0.926, 75],
            [0.203, 378],
            [1, 96],
            [0.139, 70],
            [0.069, 7],
            [0.632, 300],
            [0.896, 95],
            [0.507, 327],
        ],
        _yes_no("nynnnnnnnnyyny"),
        list("sspppsspsprqqr"),
        2,
    ),
    (
        [
            [0.56, 288],
            [0.523, 346],
            [0.645, 196],
            [0.449, 61],
            [0.545, 283],
            [0.478, 320],
            [0.54, 101],
            [0.179, 318],
            [0.264, 37],
            [0.259, 173],
        ],
        _yes_no("nnnnnyyyyy"),
        list("rrpppssqqr"),
        3,
    ),
    (
        [
            [0.435, 351],
            [0.326, 396],
            [0.66, 366],
            [0.298, 211],
            [0.966, 137],
            [0.009, 252],
            [0.253, 151],
            [0.979, 118],
            [0.672, 227],
            [0.882, 24],
        ],
        _yes_no("ynnnnynnnn"),
        list("qpspspqrsr"),
        2,
    ),
    ([[0.1, 30], [0.4, 10], [0.8, 20], [0.5, 25]], ["a", "b", "a", "a"], [2, 0, 3, 1], 1),
    ([[0.1, 30], [0.4, 10], [0.8, 20]], ["a", "b", "a"], ["p", "p", "p"], 1),
]

TASKS = {
    "vote_shares": {
        "kind": "function",
        "points": 3,
        "arguments": "X, y, query, k",
        "solve": vote_shares,
        "cases": CASES,
        "checks": VOTES,
        "mistakes": {
            "distance-given": partial(vote_shares, scaled=False),
            "farthest": _farthest,
            "cut-tie": _cut,
            "first-only": lambda X, y, query, k: vote_shares(X, y, query, 1),
            "whole-crowd": lambda X, y, query, k: _shares(y, range(len(y))),
            "A class of `y` without votes belongs in the dict as well, with the share 0.": _voted_only,
            "The Euclidean distance is asked for: square the differences, add them up and take the root.": partial(
                vote_shares, city=True
            ),
            "Divide by the range, which is the largest value minus the smallest, and not by the standard deviation.": partial(
                vote_shares, spread=np.std
            ),
            "The ranges are those of the rows of `X`; the query is not one of them.": _with_query,
            "Rounding makes equal distances differ a little, so all that differ by less than 1e-9 count as equal.": _exact,
            "An attribute that does not vary has the range 0: leave it out.": _divides_by_0,
            "The shares sum to 1: divide by the number of rows that voted.": _per_k,
        },
        "slips": VOTE_SLIPS,
        "almost_right": {
            "the middle half for the range": partial(
                vote_shares, spread=lambda X, axis: np.subtract(*np.percentile(X, [75, 25], axis=axis))
            ),
        },
        "read": "What does near mean? Units",
        "hint": "Divide every attribute by its range, sort the distances, take the k-th of them, and let every row vote whose distance is at most that plus 1e-9. If there are fewer than k rows, all vote.",
        "right": "Scale, measure, and let every row that is near enough vote.",
    },
    "strangers": {
        "kind": "function",
        "builds_on": "vote_shares",
        "points": 2,
        "arguments": "X, y, groups, k",
        "probability": True,
        "solve": strangers,
        "cases": STRANGERS,
        "checks": [
            {"says": "groups and noisy labels", "points": 1, "draw": draw_noisy, "times": 8},
            {"says": "votes that tie", "points": 0.5, "draw": partial(draw_noisy, tied=True), "times": 5},
            {"says": "rows that are all of one group, or not", "points": 0.5, "draw": draw_lonely, "times": 10},
        ],
        "mistakes": SLIPS | {"other-answer": _right(strangers)},
        "almost_right": {
            "ties to the class that occurs first": lambda X, y, groups, k: strangers(
                X, [y.index(label) for label in y], groups, k
            ),
        },
        "read": "Leave-one-out, once by hand",
        "hint": "For each row: give vote_shares the rows of all other groups, and this row as the query. Compare the class with the largest share with the row's own, and count.",
        "right": "Each row was judged by rows of other groups only.",
        "variants": [
            {},
            {
                "solve": _right(strangers),
                "mistakes": {tag: _right(slip) for tag, slip in SLIPS.items()} | {"other-answer": strangers},
            },
        ],
    },
    "leak": {
        "kind": "number",
        "builds_on": "strangers",
        "points": 1,
        "solve": _leak,
        "varies": True,
        "low": -1,
        "high": 1,
        "mistakes": {
            "sign-flip: The error without the image's own block comes first; it is the larger one.": partial(
                _leak, sign=-1
            ),
            "This is the error with whole blocks left out; the leave-one-out error is still to be subtracted.": _with_blocks,
            "shared-source": partial(_with_blocks, alone=True),
            "distance-given": _unscaled_leak,
        },
        "read": "One pixel to the left: reading handwriting",
        "hint": "Call your function twice with k = 1: once with the blocks as groups, and once with groups in which every image is alone.",
        "right": "The difference shows how much it helps to have seen the same handwriting before.",
    },
    "limit": {
        "kind": "number",
        "points": 1,
        "solve": _three,
        "varies": True,
        "probability": True,
        "mistakes": {
            "coin-forgotten": _one,
            "more-data-cures": _best,
            "bound-for-value": lambda student: 2 * _best(student),
            "other-answer": lambda student: 1 - _three(student),
            "torn-vote": partial(_three, torn=lambda first: 0),
            "If all three differ, the nearest decides, and it is sometimes right.": partial(
                _three, torn=lambda first: 1
            ),
            "If all three differ, the nearest decides, and that may be any of the three kinds.": partial(
                _three, torn=lambda first: 2 / 3
            ),
        },
        "read": "A vote of $k$",
        "hint": "Go through the 27 ways in which three labels can fall. Each has a probability and a winner, and the winner is wrong with one minus the winner's own probability.",
        "right": "Better than one neighbour, and still not the best.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "1-NN has not seen enough points yet; with more and more of them its error would come down to 0.10.",
            "B": "1-NN is on its way to 0.20, because one neighbour costs twice the best possible error.",
            "C": "With 3000 points 25-NN has practically reached the best possible error; 1-NN has hardly gained since 100.",
            "D": "1-NN stays near 0.18 because it tosses a coin for every query: asked twice at the same place, it may answer differently.",
        },
        "solve": "C",
        "mistakes": {"A": "more-data-cures", "B": "bound-for-value", "D": "nn-is-gibbs"},
        "read": "With more and more data",
        "hint": "Follow one row at a time from left to right, and ask where it is going.",
        "right": "Many neighbours need many points, and then they win.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: on its own table each patient is its own nearest neighbour, so 0 errors say nothing; leave-one-out or new patients tell.",
            "1 point: nothing is trained, so nothing is ignored: every column, useless or in small units, enters every distance; choose columns or scale them (either is enough), and judge the choice by leave-one-out or on other patients.",
        ],
    },
}
