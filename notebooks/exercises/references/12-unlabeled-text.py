"""Exercise 12: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

from functools import partial
from itertools import permutations

import data
import numpy as np


def _tables(counts, counted, virtual, words=1.0):
    """P(class) and ln P(word | class) from documents that count in part; `virtual` documents for each class."""
    documents, found = counted.sum(axis=0) + virtual, counted.T @ counts + words
    with np.errstate(divide="ignore"):
        return documents / documents.sum(), np.log(found / found.sum(axis=1, keepdims=True))


def _soft(logs):
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def _plain(logs):
    """Products that are made first, and may all be 0."""
    with np.errstate(invalid="ignore"):
        return np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)


def _hard(logs):
    return np.eye(logs.shape[1])[logs.argmax(axis=1)]


def _climb(
    counts,
    labels,
    weights,
    rounds,
    virtual=0.0,
    share=_soft,
    clamp=True,
    weigh=lambda w, known: w,
    words=1.0,
    split=None,
):
    counts, classes = np.array(counts, float), sorted({each for each in labels if each is not None})
    if not classes:
        raise ValueError("labels must name at least one document, for else the classes have no names")
    given = np.array([[float(each == name) for name in classes] for each in labels])
    known = given.any(axis=1, keepdims=True)
    weigh = weigh(np.array(weights, float)[:, None], known)
    shares = given
    for done in range(rounds + 1):
        prior, table = _tables(counts, weigh * (split(shares, known) if split and done else shares), virtual, words)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.where(known & clamp, given, share(np.log(prior) + counts @ table.T))
    return {
        "prior": dict(zip(classes, prior.tolist())),
        "shares": [dict(zip(classes, each)) for each in shares.tolist()],
    }


def em(counts, labels, weights, rounds):
    return _climb(counts, labels, weights, rounds)


SMOOTHED = partial(_climb, virtual=1.0)


def _prior_too_late(run):
    def slip(counts, labels, weights, rounds):
        found = run(counts, labels, weights, rounds)
        return found | {"prior": run(counts, labels, weights, rounds + 1)["prior"]}

    return slip


def _slips(run):
    """The mistakes that both variants know; `run` is the right one of the variant."""
    return {
        "no-logs": partial(run, share=_plain),
        "hard-share": partial(run, split=lambda shares, known: np.where(known, shares, shares.round())),
        "relabel: A labelled document keeps its label, whatever the estimates say.": partial(run, clamp=False),
        "full-weight: The documents without a label count by their weights.": partial(
            run, weigh=lambda w, known: np.where(known, w, 1.0)
        ),
        "Labelled documents count by their weights too.": partial(run, weigh=lambda w, known: np.where(known, 1.0, w)),
        "unseen-zero": partial(run, words=0.0),
        "P(c) belongs to the same estimates as the shares, not to an M step that comes after them.": _prior_too_late(
            run
        ),
        "These are the estimates of one round earlier.": lambda counts, labels, weights, rounds: run(
            counts, labels, weights, max(0, rounds - 1)
        ),
    }


def draw_cards(random, length=6):
    """Documents of two or three classes, of which every one has one or two labels; an empty one, and weights of all kinds."""
    k = int(random.integers(2, 4))
    names = [str(each) for each in random.permutation(["art", "sport", "travel", "food"])[:k]]
    words = int(random.integers(4, 7))
    topics = random.dirichlet([0.8] * words, k) * 0.8 + 0.2 / words
    truth = [*range(k), *random.integers(k, size=int(random.integers(5, 9))).tolist()]
    counts = [random.multinomial(int(random.integers(length, 2 * length)), topics[each]).tolist() for each in truth]
    labels = [names[each] if place <= k else None for place, each in enumerate(truth)]
    weights = [float(random.choice([1, 1, 2, 0.5])) if label else int(random.integers(3, 10)) / 10 for label in labels]
    counts[-1], weights[-2] = [0] * words, 0
    order = random.permutation(len(truth))
    return (
        [counts[i] for i in order],
        [labels[i] for i in order],
        [weights[i] for i in order],
        int(random.integers(5)),
    )


def draw_long(random):
    """Documents so long that every product is 0 in a computer; all much alike, so that a doubt can remain."""
    counts, labels, weights, rounds = draw_cards(random)
    return [[400 + each for each in row] for row in counts], labels, weights, max(1, rounds)


def draw_silent(random):
    """No unlabelled document counts; every other time no labels at all."""
    counts, labels, weights, rounds = draw_cards(random)
    weights = [weight if label else 0 for weight, label in zip(weights, labels)]
    return counts, labels if random.random() < 0.5 else [None] * len(labels), weights, rounds


def _pairs(clusters, truth):
    """How many documents of each class (column) lie in each cluster (row)."""
    rows, columns = sorted(set(clusters)), sorted(set(truth))
    return np.array(
        [[sum((a, b) == (row, column) for a, b in zip(clusters, truth)) for column in columns] for row in rows]
    )


def _namings(clusters, truth):
    table = _pairs(clusters, truth)
    return [
        sum(table[row, column] for row, column in enumerate(way)) / len(truth)
        for way in permutations(range(len(table)))
    ]


def agreement(clusters, truth):
    shares = _namings(clusters, truth)
    return float(min(shares)), float(max(shares))


def _as_numbered(clusters, truth):
    """The first cluster gets the first name, the second the second."""
    share = float(_pairs(clusters, truth).trace() / len(truth))
    return share, share


def _majority(clusters, truth):
    table = _pairs(clusters, truth)
    return float(table.min(axis=1).sum() / len(truth)), float(table.max(axis=1).sum() / len(truth))


def _mirrored(clusters, truth):
    best = agreement(clusters, truth)[1]
    return 1 - best, best


def _greedy(clusters, truth):
    """The largest cluster takes the name of most of its documents, the next one the best that is left; for the worst likewise."""
    found = []
    for sign in (-1, 1):
        table = sign * _pairs(clusters, truth)
        left, total = list(range(len(table))), 0
        for row in np.argsort(-np.abs(table).sum(axis=1), kind="stable"):
            name = max(left, key=lambda column: table[row, column])
            left.remove(name)
            total += abs(int(table[row, name]))
        found.append(total / len(truth))
    return tuple(found)


def _rotated(clusters, truth):
    table = _pairs(clusters, truth)
    shares = [float(np.roll(table, turn, axis=1).trace()) / len(truth) for turn in range(len(table))]
    return min(shares), max(shares)


def draw_clusters(random, least=2, most=3):
    """Clusters that are roughly classes, in numbers that have nothing to do with the names."""
    k, n = int(random.integers(least, most)), int(random.integers(12, 25))
    names = [str(each) for each in random.permutation(["art", "sport", "travel", "food"])[:k]]
    numbers = random.permutation(k)
    truth = [*range(k), *random.choice(k, n - k, p=random.dirichlet([2] * k)).tolist()]
    noisy = [
        each if place < k or random.random() < 0.6 else int(random.integers(k)) for place, each in enumerate(truth)
    ]
    order = random.permutation(n)
    return [int(numbers[noisy[i]]) for i in order], [names[truth[i]] for i in order]


def draw_many_clusters(random):
    """Three or four clusters, of which two have the same class in front."""
    while True:
        case = draw_clusters(random, 3, 5)
        if _majority(*case) != agreement(*case):
            return case


def _tales(student, weigh=lambda known, out, weight: 1 if known else 0 if out else weight, rounds=10):
    """Whether each piece goes to the right author, and which are held out."""
    tales = data.tales(student)
    weights = [weigh(label is not None, out, tales["weight"]) for label, out in zip(tales["labels"], tales["held_out"])]
    found = em(tales["counts"], tales["labels"], weights, rounds)["shares"]
    right = [max(share, key=share.get) == author for share, author in zip(found, tales["author"])]
    open_ = np.array([label is None for label in tales["labels"]])
    return np.array(right), np.array(tales["held_out"]), open_


def _held_out(student, **options):
    right, out, _ = _tales(student, **options)
    return float(right[out].mean())


def _on_others(student):
    right, out, open_ = _tales(student)
    return float(right[open_ & ~out].mean())


def _on_all_open(student):
    right, _, open_ = _tales(student)
    return float(right[open_].mean())


def _one_name(student, name):
    tales = data.tales(student)
    held = [author for author, out in zip(tales["author"], tales["held_out"]) if out]
    return held.count(name) / len(held)


CARDS = [[3, 1, 0, 0], [0, 0, 2, 2], [2, 0, 1, 0], [0, 1, 3, 1], [1, 1, 1, 1], [0, 0, 1, 3]]
THREE = [[4, 0, 1], [0, 3, 1], [1, 0, 4], [2, 1, 1], [1, 2, 1], [1, 1, 3], [0, 2, 2]]
LONG = [[410, 400, 400], [400, 403, 410], [404, 401, 403], [402, 402, 405]]
PLAIN = "Only the words get virtual occurrences here; P(c) is a plain share."
VIRTUAL = "P(c) is smoothed here as well, with one virtual document for each class."

TASKS = {
    "em": {
        "kind": "function",
        "points": 4,
        "arguments": "counts, labels, weights, rounds",
        "solve": em,
        "keys": ["prior", "shares"],
        "hints": {
            "prior": "P(class) is the weight of the documents that belong to the class, those without a label in parts, divided by the weight of all that are counted.",
            "shares": "The shares come from the final estimates: ln P(class) plus the counts times ln P(word | class), made to sum to 1. A labelled document has 1 and 0.",
        },
        "cases": [
            (CARDS, ["sea", "hill", None, None, None, "hill"], [1, 1, 0.5, 0.5, 0.5, 1], 1),
            (THREE, ["b", "a", "c", None, None, None, None], [1, 2, 0.5, 0.3, 0.8, 0, 0.3], 3),
            (LONG, ["sea", "hill", None, None], [1, 1, 0.4, 0.4], 2),
            (CARDS, ["sea", "hill", None, None, None, None], [1, 1, 0, 0, 0, 0], 2),
            ([*THREE[:5], [0, 0, 0]], ["b", "a", None, None, None, None], [2, 1, 1, 1, 0.5, 1], 0),
            (CARDS, [None] * 6, [1] * 6, 1),
        ],
        "checks": [
            {"says": "two or three classes, up to four rounds", "points": 2, "draw": draw_cards, "times": 6},
            {"says": "long documents", "points": 1, "draw": draw_long, "times": 3},
            {
                "says": "no unlabelled document counts, or no labels at all",
                "points": 1,
                "draw": draw_silent,
                "times": 12,
            },
        ],
        "mistakes": _slips(_climb) | {PLAIN: SMOOTHED},
        "read": "2 · One round by hand",
        "hint": "Keep logarithms: ln P(class) + Σ count · ln P(word | class), and subtract the largest before you exponentiate. In the M step a labelled document counts its weight for its class, another one its share times its weight.",
        "right": "Labels kept, the others shared out, and everything counted by its weight.",
        "variants": [{}, {"solve": SMOOTHED, "mistakes": _slips(SMOOTHED) | {VIRTUAL: em}}],
    },
    "agreement": {
        "kind": "function",
        "points": 2,
        "arguments": "clusters, truth",
        "solve": agreement,
        "cases": [
            ([0, 0, 0, 1, 1, 0], ["wave", "wave", "peak", "peak", "peak", "wave"]),
            ([0, 0, 0, 1, 1, 2, 2, 2], ["a", "a", "b", "a", "b", "c", "c", "a"]),
            ([7, 7, 3, 3, 3, 5, 5], ["x", "x", "x", "x", "y", "y", "z"]),
            ([0] * 9 + [1] * 4 + [2] * 3 + [3] * 2, ["a"] * 5 + ["b"] * 4 + ["a"] * 4 + ["c"] * 2 + ["b"] + ["d", "a"]),
        ],
        "checks": [
            {"says": "two clusters", "points": 1, "draw": draw_clusters, "times": 5},
            {"says": "three or four clusters", "points": 1, "draw": draw_many_clusters, "times": 5},
        ],
        "mistakes": {
            "named-clumps": _as_numbered,
            "shared-name": _majority,
            "one-other-naming": _mirrored,
            "The worst naming comes first, then the best.": lambda clusters, truth: agreement(clusters, truth)[::-1],
            "A naming has to be good for all clusters together; the best name for each in turn may spoil it.": _greedy,
            "These are numbers of documents; asked for is their share.": lambda clusters, truth: tuple(
                share * len(truth) for share in agreement(clusters, truth)
            ),
        },
        "almost_right": {
            "rotations of the names": _rotated,
        },
        "read": "No labels at all",
        "hint": "itertools.permutations goes through the orders of the names; each order gives every cluster one name. Compute the share that is right for each of them.",
        "right": "How good a clustering is depends on who gives the names.",
    },
    "held_out": {
        "kind": "number",
        "builds_on": "em",
        "points": 1,
        "solve": _held_out,
        "varies": True,
        "probability": True,
        "mistakes": {
            "dropped-rows: This is what the labels alone achieve, before the first round.": partial(
                _held_out, rounds=0
            ),
            "shared-source: These pieces are not the held-out ones; they come from the tales that EM has learned from.": _on_others,
            "This is the share of all pieces without a label; asked for is that of the held-out pieces.": _on_all_open,
            "This is the share of all 221 pieces, those with a label included.": lambda student: float(
                _tales(student)[0].mean()
            ),
            "The held-out pieces must not be counted: their weight is 0.": partial(
                _held_out, weigh=lambda known, out, weight: 1 if known else weight
            ),
            "full-weight: An unlabelled piece counts by the weight that the data names.": partial(
                _held_out, weigh=lambda known, out, weight: 1 if known else 0 if out else 1
            ),
            "The held-out pieces must not be counted, and the unlabelled ones count by their weight; here all count 1.": partial(
                _held_out, weigh=lambda known, out, weight: 1
            ),
            "This is the share that is wrong.": lambda student: 1 - _held_out(student),
            "This is what saying Andersen every time would achieve.": partial(_one_name, name="Andersen"),
            "This is what saying Grimm every time would achieve.": partial(_one_name, name="Grimm"),
        },
        "read": "Back to the tales",
        "hint": "Make the list of 221 weights first. Then compare the larger share with the author, for the held-out pieces and for no others.",
        "right": "A test on whole tales, as strict as it should be.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "One of the two curves must be wrong: while EM climbs, the accuracy cannot fall.",
            "B": "EM does what it promises; the clusters that it finds in the words are not classes and functions, so here its climb costs accuracy.",
            "C": "The run was stopped too early: once the log posterior is at its top, the accuracy will come back.",
            "D": "One should stop after round 0 and report its accuracy of 0.704 on these strings, since the curve shows that no later round is better.",
        },
        "solve": "B",
        "mistakes": {
            "A": "climb-accuracy",
            "C": "climb-accuracy: Both curves have come to rest by round 5.",
            "D": "chosen-score: A round that is chosen on the test strings needs other strings to be judged on.",
        },
        "read": "4 · More text, another question",
        "hint": "Ask what EM climbs, what the accuracy measures, and on which strings a choice may be made.",
        "right": "The log posterior is about the words, the accuracy about the labels.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: the clusters of the words are the two wards, not the classes (20,000 notes outvote 60 labels), and the log posterior measures how well the words fit, not whether the labels come out right.",
            "1 point: a test on held-out labelled notes, against the classifier from the labels alone (λ = 0), and one repair (accepted: a smaller λ chosen on such notes, several components for each class, each ward apart, the ward's words taken out, more labels).",
        ],
    },
}
