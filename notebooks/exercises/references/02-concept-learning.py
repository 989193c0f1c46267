"""Exercise 02: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from itertools import product

import data
import numpy as np


def covers(rule, instance):
    return all(entry in ("?", value) for entry, value in zip(rule, instance))


def _agree(rules, examples, covers=covers):
    return sorted(rule for rule in rules if all(covers(rule, x) == label for x, label in examples))


def _rules(values):
    return list(product(*(["?", *options] for options in values)))


def _never(values):
    return ("∅",) * len(values)


def survivors(values, examples):
    return _agree([*_rules(values), _never(values)], examples)


def _spelled(values, examples):
    return _agree(product(*(["?", "∅", *options] for options in values)), examples)


def _seen_values(values, examples):
    return survivors([sorted({x[place] for x, _ in examples}) for place in range(len(values))], examples)


def _literal(values, examples):
    return _agree([*_rules(values), _never(values)], examples, lambda rule, x: rule == tuple(x))


NAMES = [["sunny", "cloudy", "rainy"], ["warm", "cold"], ["strong", "weak"], ["calm", "rough", "wild"]]


def draw_days(random, positives=(1, 3), negatives=(1, 4)):
    """Days labelled by a rule that is drawn first."""
    values = [list(NAMES[place]) for place in random.permutation(4)[: random.integers(2, 5)]]
    target = [str(random.choice(options)) if random.random() < 0.5 else "?" for options in values]

    def day(label):
        while True:
            x = tuple(
                entry if label and entry != "?" else str(random.choice(options))
                for entry, options in zip(target, values)
            )
            if covers(target, x) == label or all(entry == "?" for entry in target):
                return x, covers(target, x)

    examples = [day(True) for _ in range(random.integers(*positives))]
    return values, examples + [day(False) for _ in range(random.integers(*negatives))]


def draw_negatives(random):
    """Only days that were not enjoyed."""
    values = [list(NAMES[place]) for place in random.permutation(4)[: random.integers(2, 4)]]
    days = [tuple(str(random.choice(options)) for options in values) for _ in range(random.integers(1, 3))]
    return values, [(day, False) for day in days]


def draw_hopeless(random):
    """A day that was enjoyed and not, or two enjoyed days with nothing in common and one that was not; or no days."""
    values = [list(NAMES[place]) for place in random.permutation(4)[: random.integers(2, 4)]]
    one, two = ([str(each) for each in pair] for pair in zip(*(random.permutation(options)[:2] for options in values)))
    mixed = tuple(one[:1] + two[1:])
    days = [[(tuple(one), True), (tuple(two), True), (mixed, False)], [(mixed, True), (mixed, False)], []]
    return values, days[random.integers(3)]


def _shared(logs):
    top = max(logs)
    if top == -math.inf:
        raise ValueError("every rule contradicts a label, and no label may be wrong: P(D) = 0")
    weights = [math.exp(each - top) for each in logs]
    return [weight / sum(weights) for weight in weights]


def _logs(errors, marks, n, noise, factor):
    def times(count, chance):
        return count * math.log(chance) if chance else -math.inf if count else 0.0

    return [
        mark * math.log(factor) + times(wrong, noise) + times(n - wrong, 1 - noise)
        for wrong, mark in zip(errors, marks)
    ]


def belief(errors, marks, n, noise, factor):
    return _shared(_logs(errors, marks, n, noise, factor))


def _products(errors, marks, n, noise, factor):
    return [factor**mark * noise**wrong * (1 - noise) ** (n - wrong) for wrong, mark in zip(errors, marks)]


def _divided(errors, marks, n, noise, factor):
    products = _products(errors, marks, n, noise, factor)
    return [each / sum(products) if sum(products) else math.nan for each in products]


def draw_rules(random, n=None, noise=None):
    rules = int(random.integers(3, 7))
    n = n or int(random.integers(3, 12))
    errors = [0, 1, *map(int, random.integers(0, min(n, 6) + 1, rules - 2))]
    marks = [2, *map(int, random.integers(0, 5, rules - 1))]
    factor = float(random.choice([0.3, 0.5, 0.8, 1.5, 2.0]))
    return errors, marks, n, float(random.uniform(0.05, 0.4)) if noise is None else noise, factor


def draw_long(random):
    """So many labels that ε^k (1 − ε)^(n−k) is rounded to 0."""
    errors, marks, n, noise, factor = draw_rules(random, n=int(random.integers(4000, 6000)))
    few = int(n * noise)
    return [few + int(each) for each in random.integers(0, 12, len(errors))], marks, n, noise, factor


def draw_clean(random):
    """Labels that are never wrong; every other time no rule agrees with all of them."""
    errors, *rest = draw_rules(random, noise=0.0)
    return [each or 1 for each in errors] if random.random() < 0.5 else errors, *rest


def _votes(student):
    """The posterior of the survivors of the student's days, and whether each says yes to the day without a label."""
    mine = data.days(student)
    rules = survivors(list(data.VALUES.values()), mine["examples"])
    shares = _shared([rule.count("?") * math.log(mine["factor"]) for rule in rules])
    return shares, [covers(rule, mine["today"]) for rule in rules]


def chance_yes(student):
    shares, says = _votes(student)
    return sum(share for share, yes in zip(shares, says) if yes)


def _favourite(student):
    shares, says = _votes(student)
    top = [yes for share, yes in zip(shares, says) if np.isclose(share, max(shares))]
    return sum(top) / len(top)


SKY = [["sunny", "rainy"], ["strong", "weak"]]

TASKS = {
    "survivors": {
        "kind": "function",
        "points": 3,
        "arguments": "values, examples",
        "solve": survivors,
        "cases": [
            (SKY, [(("sunny", "strong"), True)]),
            (SKY, [(("sunny", "strong"), True), (("rainy", "strong"), False)]),
            (SKY, [(("rainy", "weak"), False)]),
            (NAMES[:2], [(("cloudy", "cold"), False), (("cloudy", "warm"), False)]),
            (SKY, [(("sunny", "weak"), True), (("sunny", "weak"), False)]),
        ],
        "checks": [
            {"says": "days of both kinds", "points": 1, "draw": draw_days, "times": 6},
            {"says": "only days that were not enjoyed", "points": 1, "draw": draw_negatives, "times": 4},
            {
                "says": "days that no rule explains, and no days at all",
                "points": 1,
                "draw": draw_hopeless,
                "times": 8,
            },
        ],
        "mistakes": {
            "never-forgotten": lambda values, examples: _agree(_rules(values), examples),
            "spellings": _spelled,
            "deaf-to-negatives": lambda values, examples: survivors(values, [each for each in examples if each[1]]),
            "seen-values": _seen_values,
            "mark-fits-nothing": _literal,
        },
        "hint": "Build every rule, a value or ? in each place, and add the rule of ∅ alone. Keep those whose answer is the label on every day.",
        "right": "Build all rules, delete, sort: that is the version space.",
    },
    "belief": {
        "kind": "function",
        "points": 3,
        "arguments": "errors, marks, n, noise, factor",
        "solve": belief,
        "cases": [
            ([0, 1, 1, 2], [0, 1, 2, 3], 2, 0.1, 0.5),
            ([0, 1, 0], [1, 2, 3], 3, 0.0, 2.0),
            ([1, 1, 2], [0, 1, 0], 4, 0.25, 0.5),
            ([1500, 1503, 1501], [2, 1, 0], 5000, 0.3, 0.5),
            ([1, 2], [0, 1], 4, 0.0, 0.5),
        ],
        "checks": [
            {"says": "a few labels, some of them wrong", "points": 1, "draw": draw_rules, "times": 6},
            {"says": "thousands of labels", "points": 1, "draw": draw_long, "times": 3},
            {"says": "labels that are never wrong", "points": 1, "draw": draw_clean, "times": 12},
        ],
        "mistakes": {
            "no-logs": _divided,
            "empty-zero": lambda errors, *rest: (
                belief(errors, *rest) if 0 in errors or rest[2] else [0.0] * len(errors)
            ),
            "joint-posterior": _products,
            "noise-deaf": lambda errors, marks, n, noise, factor: belief(errors, marks, n, 0.0, factor),
            "noise-swapped": lambda errors, marks, n, noise, factor: belief(errors, marks, n, 1 - noise, factor),
            "base-rate": lambda errors, marks, n, noise, factor: belief(errors, marks, n, noise, 1.0),
        },
        "hint": "Add logarithms: marks·ln factor + k·ln ε + (n − k)·ln(1 − ε). Take the largest away from all of them before you exponentiate, then share out. Treat noise 0 apart.",
        "right": "Taste and labels were weighed, and nothing was rounded away.",
    },
    "chance_yes": {
        "kind": "number",
        "builds_on": ["survivors", "belief"],
        "points": 1,
        "solve": chance_yes,
        "varies": True,
        "probability": True,
        "mistakes": {
            "map-answer": _favourite,
            "count-votes": lambda student: float(np.mean(_votes(student)[1])),
            "other-answer": lambda student: 1 - chance_yes(student),
        },
        "hint": "Take the survivors of your three days, share the belief out by their ?, and add up what belongs to the rules that cover today.",
        "right": "Every survivor was asked, each with its own share of the belief.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "D",
        "mistakes": {"A": "fits-better", "B": "lik-prob", "C": "neg-equal"},
        "hint": "How high were the bars before the first day, and how high are they now? What has changed in between?",
        "right": "Nothing was gained but what the deleted ones lost.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: a uniform prior is uniform over a list somebody chose; over spellings it bets about 0.81 on never (4148 of 5120), so it is not neutral.",
            "1 point: says why the six tie nevertheless (each of them has exactly one spelling, and with clean labels only the ratio of their priors counts), or names where the two priors do differ (before the first yes, in P(D), with noise).",
        ],
    },
}
