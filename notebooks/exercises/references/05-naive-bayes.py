"""Exercise 05: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from collections import Counter

import data
import numpy as np


def _shared(scores):
    total = sum(scores.values())
    if total == 0:
        raise ValueError("every class has the score 0, and 0/0 is no probability")
    return {each: score / total for each, score in scores.items()}


def _log_densities(rows, labels, query, divisor=lambda n: n, constant=True):
    """Σ ln p(xᵢ|v) for each class v."""
    logs = {}
    for each in sorted(set(labels)):
        mine = np.array([row for row, label in zip(rows, labels) if label == each], dtype=float)
        centre = mine.mean(axis=0)
        variance = ((mine - centre) ** 2).sum(axis=0) / divisor(len(mine))
        if np.any(np.ptp(mine, axis=0) == 0):
            raise ValueError(f"an attribute does not vary in class {each}, so its density has no bound")
        parts = -((np.array(query) - centre) ** 2) / (2 * variance)
        logs[each] = float(np.sum(parts - constant * np.log(2 * np.pi * variance) / 2))
    return logs


def _softmax(logs):
    top = max(logs.values())
    return _shared({each: math.exp(log - top) for each, log in logs.items()})


def _with_prior(logs, labels):
    return {each: log + math.log(labels.count(each) / len(labels)) for each, log in logs.items()}


def gaussian_posterior(rows, labels, query):
    return _softmax(_with_prior(_log_densities(rows, labels, query), labels))


def _gaussian_scores(rows, labels, query):
    return {each: math.exp(log) for each, log in _with_prior(_log_densities(rows, labels, query), labels).items()}


def _underflow(rows, labels, query):
    scores = _gaussian_scores(rows, labels, query)
    return _shared(scores) if any(scores.values()) else dict.fromkeys(scores, math.nan)


def draw_numbers(random, far=0):
    classes, attributes = [str(each) for each in random.permutation(list("ABC"))[: random.integers(2, 4)]], 2
    rows, labels = [], []
    for each in classes:
        centre, spread = random.uniform(-3, 3, attributes), random.uniform(0.5, 3, attributes)
        n = int(random.integers(2, 7))
        rows += random.normal(centre, spread, (n, attributes)).round(2).tolist()
        labels += [each] * n
    rows[0][0] += 0.5
    rows[-1][1] += 0.5
    order = random.permutation(len(rows))
    query = (random.uniform(-4, 4, attributes) + far * random.choice([-1, 1], attributes)).round(2).tolist()
    return [rows[i] for i in order], [labels[i] for i in order], query


def draw_far(random):
    """A query so far out that every density is rounded to 0; the two classes are nearly alike, so that a doubt remains."""
    left, right = random.uniform(-1, 1, 2).round(2).tolist()
    rows = [[left], [left + 2], [right], [right + 2]]
    return rows, ["A", "A", "B", "B"], [float(random.choice([-1, 1])) * (60.0 + 0.1 * float(random.integers(10)))]


def draw_constant(random):
    """An attribute that does not vary in one class, every other time."""
    rows, labels, query = draw_numbers(random)
    if random.random() < 0.5:
        return rows, labels, query
    first = labels[0]
    return [[row[0], 1 if label == first else row[1]] for row, label in zip(rows, labels)], labels, query


def _share(hits, of):
    return sum(hits) / sum(of)


def _scores(rows, labels, query):
    scores = {}
    for each in sorted(set(labels)):
        mine = [label == each for label in labels]
        scores[each] = _share(mine, [1] * len(labels)) * math.prod(
            _share([m and row[place] == value for m, row in zip(mine, rows)], mine)
            for place, value in enumerate(query)
            if value is not None
        )
    return scores


def known_posterior(rows, labels, query):
    return _shared(_scores(rows, labels, query))


def _no_prior(rows, labels, query):
    return _shared({each: score / labels.count(each) for each, score in _scores(rows, labels, query).items()})


def _reverse(rows, labels, query):
    """Counted within the value instead of within the class."""
    scores = {}
    for each in sorted(set(labels)):
        scores[each] = labels.count(each) / len(labels)
        for place, value in enumerate(query):
            mine = [row[place] == value for row in rows]
            if value is not None and any(mine):
                scores[each] *= _share([m and label == each for m, label in zip(mine, labels)], mine)
    return _shared(scores)


def _filled(rows, labels, query):
    likely = [Counter(column).most_common(1)[0][0] for column in zip(*rows)]
    return known_posterior(rows, labels, [fill if value is None else value for value, fill in zip(query, likely)])


def _marginals(rows, labels, query):
    product = math.prod(
        _share([row[place] == value for row in rows], [1] * len(rows))
        for place, value in enumerate(query)
        if value is not None
    )
    return {each: score / product if product else math.nan for each, score in _scores(rows, labels, query).items()}


NAMES = [["sweet", "sour"], ["small", "large", "huge"], ["red", "green", "yellow"]]


def draw_fruit(random):
    """Rows of which one of each class has the query's values, so that no score is 0."""
    classes = [str(each) for each in random.permutation(["apple", "cherry", "grape"])[: random.integers(2, 4)]]
    query = [str(random.choice(options)) for options in NAMES]
    rows, labels = [list(query) for _ in classes], list(classes)
    for _ in range(random.integers(5, 14)):
        rows.append([str(random.choice(options)) for options in NAMES])
        labels.append(classes[int(random.integers(2 * len(classes)) % (len(classes) + 1)) % len(classes)])
    rows.append([options[-1] for options in NAMES])
    labels.append(classes[0])
    query[int(random.integers(3))] = None
    return rows, labels, query


def draw_nothing_known(random):
    rows, labels, query = draw_fruit(random)
    return rows, labels, [None] * len(query)


def draw_vetoed(random):
    """A value that no class has shown, every other time."""
    rows, labels, query = draw_fruit(random)
    return rows, labels, [*query[:-1], "blue"] if random.random() < 0.5 else query


def _sailing(student, skip=(), how=known_posterior):
    log = data.log(student)
    query = [None if name in skip else value for name, value in zip(log["columns"], log["today"])]
    return how(log["rows"], log["labels"], query)["yes"]


POINTS = [[1.0], [3.0], [2.0], [6.0], [8.0], [7.0], [9.0]], ["A", "A", "A", "B", "B", "B", "B"]
FRUIT = [
    ["sweet", "small"],
    ["sweet", "large"],
    ["sour", "large"],
    ["sour", "small"],
    ["sweet", "small"],
    ["sweet", "large"],
]
TREES = ["cherry", "apple", "apple", "apple", "cherry", "cherry"]

TASKS = {
    "gaussian_posterior": {
        "kind": "function",
        "points": 4,
        "arguments": "rows, labels, query",
        "solve": gaussian_posterior,
        "cases": [
            (*POINTS, [4.0]),
            ([[0, 0], [2, 4], [1, 2], [5, 3], [9, 4], [4, 8]], ["no", "no", "yes", "yes", "yes", "no"], [3, 3]),
            ([[0.0], [2.0], [0.1], [2.1]], ["A", "A", "B", "B"], [50.0]),
            ([[1, 5], [2, 5], [3, 6]], ["A", "A", "B"], [2, 5]),
        ],
        "checks": [
            {"says": "two or three classes", "points": 2, "draw": draw_numbers, "times": 6},
            {"says": "a query far from all rows", "points": 1, "draw": draw_far, "times": 3},
            {
                "says": "an attribute that does not vary in a class, or does",
                "points": 1,
                "draw": draw_constant,
                "times": 12,
            },
        ],
        "mistakes": {
            "no-logs": _underflow,
            "base-rate: The product starts with P(class).": lambda rows, labels, query: _softmax(
                _log_densities(rows, labels, query)
            ),
            "n-minus-one": lambda rows, labels, query: _softmax(
                _with_prior(_log_densities(rows, labels, query, lambda n: max(n - 1, 1)), labels)
            ),
            "class-constant": lambda rows, labels, query: _softmax(
                _with_prior(_log_densities(rows, labels, query, constant=False), labels)
            ),
            "joint-posterior": _gaussian_scores,
        },
        "hint": "For each class: ln P(v) plus, for each attribute, −½ ln 2πσ² − (x − μ)²/2σ² with that class's own μ and σ². Take the largest of the logarithms away before you exponentiate.",
        "right": "Means and variances were the training, densities the prediction.",
    },
    "known_posterior": {
        "kind": "function",
        "points": 3,
        "arguments": "rows, labels, query",
        "solve": known_posterior,
        "cases": [
            (FRUIT, TREES, ["sour", None]),
            (FRUIT, TREES, ["sweet", "large"]),
            (FRUIT, [*TREES[:3], "grape", *TREES[4:]], [None, "small"]),
            (FRUIT, TREES, [None, None]),
            (FRUIT, TREES, [None, "round"]),
        ],
        "checks": [
            {"says": "one attribute not known", "points": 1, "draw": draw_fruit, "times": 6},
            {"says": "nothing known", "points": 1, "draw": draw_nothing_known, "times": 3},
            {"says": "a value that no class has shown, or one has", "points": 1, "draw": draw_vetoed, "times": 12},
        ],
        "mistakes": {
            "inverse: Count within the class: P(value | class), not P(class | value).": _reverse,
            "base-rate: The product starts with P(class).": _no_prior,
            "joint-posterior": _scores,
            "hard-fill": _filled,
            "marginals": _marginals,
        },
        "hint": "Go through the attributes and pass over those that are None: summed over all its values, such a factor is 1. Count within the class, and divide by the sum of the scores at the end.",
        "right": "What is not known stays out of the product.",
    },
    "claimed": {
        "kind": "number",
        "builds_on": "known_posterior",
        "points": 1,
        "solve": _sailing,
        "varies": True,
        "probability": True,
        "mistakes": {
            "base-rate: The product starts with P(class).": lambda student: _sailing(student, how=_no_prior),
            "inverse: Count within the class: P(value | class), not P(class | value).": lambda student: _sailing(
                student, how=_reverse
            ),
            "joint-posterior": lambda student: _sailing(student, how=_scores),
            "other-answer": lambda student: 1 - _sailing(student),
        },
        "hint": "Call your function with all four columns and today's values; the air is not known.",
        "right": "That is what naive Bayes claims when it takes four columns for four witnesses.",
    },
    "honest": {
        "kind": "number",
        "builds_on": "known_posterior",
        "points": 1,
        "solve": lambda student: _sailing(student, skip=["Flag"]),
        "varies": True,
        "probability": True,
        "mistakes": {
            "copy-is-free": _sailing,
            "other-answer": lambda student: 1 - _sailing(student, skip=["Flag"]),
            "dropped-copies": lambda student: _sailing(student, skip=["Flag", "Wind"]),
        },
        "hint": "Which column only repeats another one? Treat it as not known.",
        "right": "The wind was heard once.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "B",
        "mistakes": {"A": "calibrated", "C": "copy-is-free", "D": "bad-assumption"},
        "hint": "On the right: how often is the sign right, and how often does the copied sign claim to be right?",
        "right": "New certainty without new information.",
    },
}
