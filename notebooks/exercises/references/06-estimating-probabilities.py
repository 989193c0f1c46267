"""Exercise 06: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from collections import Counter

import data

from bayeslib.estimates import m_estimate


def _tables(estimate):
    """A table for each class: `estimate(n_c, n, p, k, m)` for each value that is declared."""

    def tables(pairs, p, m):
        for _, value in pairs:
            if value not in p:
                raise ValueError(f"the value {value!r} is not declared")
        classes = {each: [value for label, value in pairs if label == each] for each, _ in pairs}
        return {
            each: {value: estimate(seen.count(value), len(seen), p[value], len(p), m) for value in p}
            for each, seen in classes.items()
        }

    return tables


smoothed = _tables(lambda n_c, n, p, k, m: m_estimate(n_c, n, p, m))


def _only_seen(pairs, p, m):
    tables = smoothed(pairs, p, m)
    return {each: {value: table[value] for value in p if (each, value) in pairs} for each, table in tables.items()}


def draw_pairs(random, m=None):
    values = list("abcd")[: random.integers(2, 5)]
    shares = (random.permutation(len(values)) + 1) / sum(range(1, len(values) + 1))
    pairs = [(str(random.choice(["yes", "no"])), str(random.choice(values[1:]))) for _ in range(random.integers(5, 15))]
    m = float(random.choice([0.5, 1, 2, 3, 10])) if m is None else m
    return [("yes", values[0]), *pairs, ("no", values[-1])], dict(zip(values, map(float, shares))), m


def draw_fractions(random):
    return draw_pairs(random, m=0)


def draw_undeclared(random):
    """A value that is not declared, every other time."""
    pairs, p, m = draw_pairs(random)
    return [*pairs, ("yes", "fog")] if random.random() < 0.5 else pairs, p, m


def _sequence(estimate):
    """ln P(sequence), if each value is predicted by `estimate(its count so far, number so far, a, all a)`."""

    def log_evidence(virtual, sequence):
        seen, log = Counter(), 0.0
        for number, value in enumerate(sequence):
            if value not in virtual:
                raise ValueError(f"the value {value!r} is not declared")
            chance = estimate(seen[value], number, virtual[value], sum(virtual.values()))
            log += math.log(chance) if chance else -math.inf
            seen[value] += 1
        return log

    return log_evidence


log_evidence = _sequence(lambda n_c, n, a, total: (n_c + a) / (n + total))


def _hindsight(virtual, sequence):
    """Every value predicted by the estimate that all of them together give."""
    log_evidence(virtual, sequence)
    total = len(sequence) + sum(virtual.values())
    estimates = {value: (sequence.count(value) + virtual[value]) / total for value in set(sequence)}
    return sum(count * math.log(estimates[value]) for value, count in Counter(sequence).items())


def _multiplied(virtual, sequence):
    log = log_evidence(virtual, sequence)
    return log if log > -745 else -math.inf


def draw_sequence(random, n=None):
    values = list("abc")[: random.integers(2, 4)]
    sequence = [str(random.choice(values)) for _ in range(n or random.integers(4, 12))]
    return {value: float(random.choice([0.5, 1, 2, 4])) for value in values}, [values[0], values[0], *sequence]


def draw_long(random):
    return draw_sequence(random, n=1500)


def draw_certain(random):
    """A value without virtual examples cannot come first."""
    virtual, sequence = draw_sequence(random)
    return {**virtual, "z": 0}, [*sequence, "z"] if random.random() < 0.5 else sequence


def tie_m(student):
    one, other = data.sellers(student).values()
    a, n, b, k = one["content"], one["buyers"], other["content"], other["buyers"]
    return (b * n - a * k) / (a - b + (k - n) / 2)


def _all_misses(student):
    """Where the two would tie if no virtual buyer were content."""
    one, other = data.sellers(student).values()
    a, n, b, k = one["content"], one["buyers"], other["content"], other["buyers"]
    return (b * n - a * k) / (a - b)


SKY = {"sunny": 0.5, "overcast": 0.2, "rain": 0.3}
DAYS = [
    ("no", "sunny"),
    ("yes", "rain"),
    ("no", "rain"),
    ("yes", "overcast"),
    ("no", "sunny"),
    ("no", "rain"),
    ("no", "sunny"),
]

TASKS = {
    "smoothed": {
        "kind": "function",
        "points": 3,
        "arguments": "pairs, p, m",
        "solve": smoothed,
        "cases": [
            (DAYS, SKY, 2),
            (DAYS, SKY, 0),
            ([("A", "x"), ("A", "x"), ("B", "y")], {"x": 0.25, "y": 0.75}, 1),
            ([("A", "x"), ("A", "fog")], {"x": 0.25, "y": 0.75}, 1),
        ],
        "checks": [
            {"says": "two classes and up to four values", "points": 1, "draw": draw_pairs, "times": 6},
            {"says": "no virtual examples", "points": 1, "draw": draw_fractions, "times": 3},
            {"says": "a value that is not declared, or all are", "points": 1, "draw": draw_undeclared, "times": 12},
        ],
        "mistakes": {
            "seen-values": _only_seen,
            "patch": _tables(lambda n_c, n, p, k, m: n_c / n if n_c else m * p / (n + m)),
            "add-above-only": _tables(lambda n_c, n, p, k, m: (n_c + m * p) / n),
            "forget-p": _tables(lambda n_c, n, p, k, m: (n_c + m) / (n + m)),
            "uniform-free": _tables(lambda n_c, n, p, k, m: (n_c + m / k) / (n + m)),
            "unseen-zero": _tables(lambda n_c, n, p, k, m: n_c / n),
        },
        "hint": "For each class and each declared value: (n_c + m·p) / (n + m), with n the number of pairs of that class. Do the estimates of a class sum to 1?",
        "right": "Every class shares out one whole, also to values that it has not shown.",
    },
    "log_evidence": {
        "kind": "function",
        "points": 3,
        "arguments": "virtual, sequence",
        "solve": log_evidence,
        "cases": [
            ({"H": 1, "T": 1}, ["H", "H", "T"]),
            ({"a": 0.5, "b": 1, "c": 2}, ["c", "a", "c", "c", "b"]),
            ({"H": 1, "T": 1}, []),
            ({"H": 2, "T": 2}, ["H", "T"] * 600),
            ({"H": 1, "T": 0}, ["H", "T"]),
        ],
        "checks": [
            {"says": "short sequences", "points": 1, "draw": draw_sequence, "times": 6},
            {"says": "more than a thousand values", "points": 1, "draw": draw_long, "times": 2},
            {"says": "a value without virtual examples", "points": 1, "draw": draw_certain, "times": 12},
        ],
        "mistakes": {
            "no-logs": _multiplied,
            "prior-only": _sequence(lambda n_c, n, a, total: a / total),
            "smooth-for-filter": _hindsight,
            "add-above-only": _sequence(lambda n_c, n, a, total: (n_c + a) / (n or 1)),
            "sign-flip": lambda virtual, sequence: -log_evidence(virtual, sequence),
        },
        "hint": "Walk along the sequence and keep a count of each value. The next value has (count + virtual) / (number so far + all virtual); add its logarithm, and only then count it.",
        "right": "Each value was predicted by those before it, and the order does not matter in the end.",
    },
    "tie_m": {
        "kind": "number",
        "points": 1,
        "solve": tie_m,
        "varies": True,
        "mistakes": {"m-per-value": lambda student: tie_m(student) / 2, "hits-forgotten": _all_misses},
        "hint": "Write down both m-estimates with p = ½, set them equal, and solve for m; or try values of m until the two meet.",
        "right": "Below this m seller A looks better, above it seller B.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "A",
        "mistakes": {"B": "more-is-safer", "C": "uniform-free", "D": "always"},
        "hint": "Where is the smoothed curve above the other one, and to what does p = ½ pull there?",
        "right": "A prior estimate is a bet, and it loses where it is far from the truth.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: raising only the zeros leaves estimates that do not sum to 1; the values of one attribute share one whole, so the others must give something up (the m-estimate does that).",
            "1 point: a large m is not caution: the virtual examples outvote the real ones, all estimates go to p and every day to the class prior, so the data is ignored.",
        ],
    },
}
