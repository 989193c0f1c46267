"""Exercise 12: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

from itertools import permutations

import data
import numpy as np


def _tables(counts, shares, virtual=0.0):
    """ln P(class) and ln P(word | class) from documents that count by their shares; `virtual` documents for each class."""
    documents, words = shares.sum(axis=0) + virtual, shares.T @ counts + 1
    return np.log(documents / documents.sum()), np.log(words / words.sum(axis=1, keepdims=True))


def _logs(counts, tables):
    return tables[0] + counts @ tables[1].T


def _log_sum(logs):
    top = logs.max(axis=1, keepdims=True)
    return top + np.log(np.exp(logs - top).sum(axis=1, keepdims=True))


def _plain_sum(logs):
    """The logarithm of a sum of products that are made first, and may all be 0."""
    with np.errstate(divide="ignore"):
        return np.log(np.exp(logs).sum(axis=1, keepdims=True))


def _soft(logs, total):
    with np.errstate(invalid="ignore"):
        return np.exp(logs) / np.exp(total) if np.isneginf(total).any() else np.exp(logs - total)


def _climb(counts, labels, weight, rounds, total=_log_sum, hard=False, clamp=True, of_labeled=lambda w: 1, virtual=0.0):
    counts, classes = np.array(counts, float), sorted({each for each in labels if each is not None})
    if not classes:
        raise ValueError("labels must name at least one document, for else the classes have no names")
    given = np.array([[float(each == name) for name in classes] for each in labels])
    open_ = given.sum(axis=1) == 0
    weigh = np.where(open_, weight, of_labeled(weight))[:, None]
    tables, climb, shares = _tables(counts, given, virtual), [], given
    for done in range(rounds + 1):
        if done:
            tables = _tables(counts, weigh * (shares.round() if hard else shares), virtual)
        logs = _logs(counts, tables)
        sums = total(logs)
        shares = np.where(open_[:, None] | (not clamp), _soft(logs, sums), given)
        climb.append(float((given * logs).sum() + weight * sums[open_].sum() + tables[1].sum()))
    return {"shares": [dict(zip(classes, each)) for each in shares.tolist()], "log_posterior": climb}


def em(counts, labels, weight, rounds):
    return _climb(counts, labels, weight, rounds)


def draw_cards(random, length=6, classes=None):
    """Documents of two or three classes, of which every one has one or two labels."""
    k = int(random.integers(2, 4)) if classes is None else classes
    names = [str(each) for each in random.permutation(["art", "sport", "travel", "food"])[:k]]
    words = int(random.integers(4, 7))
    topics = random.dirichlet([0.8] * words, k) * 0.8 + 0.2 / words
    truth = [*range(k), *random.integers(k, size=int(random.integers(5, 9))).tolist()]
    counts = [random.multinomial(int(random.integers(length, 2 * length)), topics[each]).tolist() for each in truth]
    labels = [names[each] if place <= k else None for place, each in enumerate(truth)]
    order = random.permutation(len(truth))
    return (
        [counts[i] for i in order],
        [labels[i] for i in order],
        int(random.integers(3, 10)) / 10,
        int(random.integers(1, 5)),
    )


def draw_long(random):
    """Documents so long that every product is 0 in a computer; all much alike, so that a doubt can remain."""
    counts, labels, weight, rounds = draw_cards(random)
    return [[400 + each for each in row] for row in counts], labels, weight, rounds


def draw_silent(random):
    """The weight 0; every other time no labels at all."""
    counts, labels, _, rounds = draw_cards(random)
    return counts, labels if random.random() < 0.5 else [None] * len(labels), 0, rounds


def _pairs(clumps, truth):
    """How many documents of each class (column) lie in each clump (row)."""
    rows, columns = sorted(set(clumps)), sorted(set(truth))
    return np.array(
        [[sum((a, b) == (row, column) for a, b in zip(clumps, truth)) for column in columns] for row in rows]
    )


def _namings(clumps, truth):
    table = _pairs(clumps, truth)
    return [
        sum(table[row, column] for row, column in enumerate(way)) / len(truth)
        for way in permutations(range(len(table)))
    ]


def agreement(clumps, truth):
    shares = _namings(clumps, truth)
    return float(min(shares)), float(max(shares))


def _as_numbered(clumps, truth):
    """The first clump gets the first name, the second the second."""
    share = float(_pairs(clumps, truth).trace() / len(truth))
    return share, share


def _majority(clumps, truth):
    table = _pairs(clumps, truth)
    return float(table.min(axis=1).sum() / len(truth)), float(table.max(axis=1).sum() / len(truth))


def _mirrored(clumps, truth):
    best = agreement(clumps, truth)[1]
    return 1 - best, best


def draw_clumps(random, least=2, most=3):
    """Clumps that are roughly classes, in numbers that have nothing to do with the names."""
    k, n = int(random.integers(least, most)), int(random.integers(12, 25))
    names = [str(each) for each in random.permutation(["art", "sport", "travel", "food"])[:k]]
    numbers = random.permutation(k)
    truth = [*range(k), *random.choice(k, n - k, p=random.dirichlet([2] * k)).tolist()]
    noisy = [
        each if place < k or random.random() < 0.6 else int(random.integers(k)) for place, each in enumerate(truth)
    ]
    order = random.permutation(n)
    return [int(numbers[noisy[i]]) for i in order], [names[truth[i]] for i in order]


def draw_many_clumps(random):
    """Three or four clumps, of which two have the same class in front."""
    while True:
        case = draw_clumps(random, 3, 5)
        if _majority(*case) != agreement(*case):
            return case


def _sea(student, share=lambda q: q, weigh=True):
    cards = data.postcards(student)
    start = em(cards["counts"], cards["labels"], cards["weight"], 0)["shares"]
    weights = [1 if label else cards["weight"] if weigh else 1 for label in cards["labels"]]
    q = [each["sea"] if label else share(each["sea"]) for each, label in zip(start, cards["labels"])]
    return float(np.average(q, weights=weights))


CARDS = [[3, 1, 0, 0], [0, 0, 2, 2], [2, 0, 1, 0], [0, 1, 3, 1], [1, 1, 1, 1], [0, 0, 1, 3]]
THREE = [[4, 0, 1], [0, 3, 1], [1, 0, 4], [2, 1, 1], [1, 2, 1], [1, 1, 3], [0, 2, 2]]
LONG = [[410, 400, 400], [400, 403, 410], [404, 401, 403], [402, 402, 405]]

TASKS = {
    "em": {
        "kind": "function",
        "points": 4,
        "arguments": "counts, labels, weight, rounds",
        "solve": em,
        "keys": ["shares", "log_posterior"],
        "cases": [
            (CARDS, ["sea", "hill", None, None, None, "hill"], 0.5, 1),
            (THREE, ["b", "a", "c", None, None, None, None], 0.3, 3),
            (LONG, ["sea", "hill", None, None], 0.4, 2),
            (CARDS, ["sea", "hill", None, None, None, None], 0, 2),
            (CARDS, [None] * 6, 1, 1),
        ],
        "checks": [
            {"says": "two or three classes, a few rounds", "points": 2, "draw": draw_cards, "times": 5},
            {"says": "long documents", "points": 1, "draw": draw_long, "times": 3},
            {"says": "weight 0, with labels or without any", "points": 1, "draw": draw_silent, "times": 12},
        ],
        "mistakes": {
            "no-logs": lambda *case: _climb(*case, total=_plain_sum),
            "hard-share": lambda *case: _climb(*case, hard=True),
            "relabel": lambda *case: _climb(*case, clamp=False),
            "full-weight": lambda counts, labels, weight, rounds: _climb(counts, labels, 1, rounds),
            "weighted-labels": lambda *case: _climb(*case, of_labeled=lambda weight: weight or 1),
            "In this task only the attributes get virtual rows; P(Y = 1) is a plain fraction.": lambda *case: _climb(
                *case, virtual=1.0
            ),
        },
        "hint": "Keep logarithms: ln P(class) + Σ count · ln P(word | class), and take the largest away before you exponentiate. In the M step a labeled document counts 1 for its class, another one its share times the weight.",
        "right": "Labels kept, the others shared out, and a log posterior that never falls.",
    },
    "agreement": {
        "kind": "function",
        "points": 2,
        "arguments": "clumps, truth",
        "solve": agreement,
        "cases": [
            ([0, 0, 0, 1, 1, 0], ["wave", "wave", "peak", "peak", "peak", "wave"]),
            ([0, 0, 0, 1, 1, 2, 2, 2], ["a", "a", "b", "a", "b", "c", "c", "a"]),
            ([2, 2, 1, 1, 1, 0, 0], ["x", "x", "x", "x", "y", "y", "z"]),
        ],
        "checks": [
            {"says": "two clumps", "points": 1, "draw": draw_clumps, "times": 5},
            {"says": "three or four clumps", "points": 1, "draw": draw_many_clumps, "times": 5},
        ],
        "mistakes": {
            "named-clumps": _as_numbered,
            "shared-name": _majority,
            "one-other-naming": _mirrored,
        },
        "hint": "itertools.permutations goes through the orders of the names; each order gives every clump one name. Compute the share that is right for each of them.",
        "right": "How good a clustering is depends on who gives the names.",
    },
    "sea": {
        "kind": "number",
        "builds_on": "em",
        "points": 1,
        "solve": _sea,
        "varies": True,
        "probability": True,
        "mistakes": {
            "full-weight": lambda student: _sea(student, weigh=False),
            "hard-share": lambda student: _sea(student, np.round),
            "half-half": lambda student: _sea(student, lambda q: 0.5),
            "dropped-rows": lambda student: 1 / 3,
            "other-answer": lambda student: 1 - _sea(student),
        },
        "hint": "The shares of the start come from em(…, 0). A labeled postcard counts 1, an unlabeled one λ, above by its share and below whole.",
        "right": "Three labels whole, five shares at a discount.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "D",
        "mistakes": {"A": "typical-mean", "B": "more-data", "C": "quiet-is-safe"},
        "hint": "Look at the right panel before you believe a point on the left, and at the weights to the left of a tenth.",
        "right": "The mean stands still while every split moves.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: the clumps of the words are the two wards, not the classes; 20,000 notes outvote 60 labels, and the log posterior measures how well the words fit, not whether the labels come out right.",
            "1 point: a test on labeled notes that were kept back, against the classifier from the labels alone (λ = 0), and a repair: a smaller λ chosen on such notes, several clumps for each class, the ward taken out of the words, or more labels.",
        ],
    },
}
