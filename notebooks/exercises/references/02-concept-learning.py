"""Exercise 02: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from itertools import product

import data
import numpy as np


def covers(rule, instance):
    return all(entry in ("?", value) for entry, value in zip(rule, instance))


def _agree(rules, examples, covers=covers):
    return [rule for rule in rules if all(covers(rule, x) == label for x, label in examples)]


def _rules(values):
    return list(product(*(["?", *options] for options in values)))


def _never(values):
    return ("∅",) * len(values)


def _share(rule, values):
    """The share of all instances that the rule covers."""
    allowed = [len(options) if entry == "?" else entry in options for entry, options in zip(rule, values)]
    return math.prod(allowed) / math.prod(map(len, values))


def _shares(rules, values):
    return {rule: _share(rule, values) for rule in rules}


def survivors(values, examples):
    return _shares(_agree([*_rules(values), _never(values)], examples), values)


def _spelled(values, examples):
    return _shares(_agree(product(*(["?", "∅", *options] for options in values)), examples), values)


def _seen_values(values, examples):
    seen = [sorted({x[place] for x, _ in examples}) for place in range(len(values))]
    return _shares(_agree([*_rules(seen), _never(seen)], examples), values)


def _literal(values, examples):
    return _shares(_agree([*_rules(values), _never(values)], examples, lambda rule, x: rule == tuple(x)), values)


def _halves(values, examples):
    """Each value halves the share, as if every attribute had two."""
    return {rule: 0.5 ** (len(rule) - rule.count("?")) * ("∅" not in rule) for rule in survivors(values, examples)}


def _of_examples(values, examples):
    days = [x for x, _ in examples] or [()]
    return {
        rule: sum(covers(rule, day) for day in days) / len(days) * ("∅" not in rule)
        for rule in survivors(values, examples)
    }


def _of_entries(values, examples):
    return {rule: rule.count("?") / len(rule) for rule in survivors(values, examples)}


LEFT = {
    "never-forgotten": lambda values, examples: _shares(_agree(_rules(values), examples), values),
    "spellings": _spelled,
    "deaf-to-negatives": lambda values, examples: survivors(values, [each for each in examples if each[1]]),
    "seen-values": _seen_values,
    "mark-fits-nothing": _literal,
    "Not every attribute has two values: a rule that asks for one of three covers a third.": _halves,
    "The share is one of all possible instances, not of the examples.": _of_examples,
    "The share is one of instances, not of the rule's entries.": _of_entries,
}


def _never_always(values, examples):
    return survivors(values, examples) | {_never(values): 0.0}


def _rest(left):
    """The other variant of the task asks for the share that is not covered."""
    return lambda values, examples: {rule: 1 - share for rule, share in left(values, examples).items()}


REST = {tag: _rest(left) for tag, left in LEFT.items()}
OTHER = "The rules are right, but the share of the other instances was asked for."


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
    values = [list(NAMES[0]), *(list(NAMES[place]) for place in random.permutation([1, 2, 3])[: random.integers(1, 3)])]
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


def _halfway(errors, marks, noise, factor):
    """Logs with ε for a contradicted label and 1 for any other."""
    return [mark * math.log(factor) + wrong * math.log(noise) for wrong, mark in zip(errors, marks)]


def _unguarded(errors, marks, n, noise, factor):
    if noise == 0:
        raise ValueError("math domain error")
    return belief(errors, marks, n, noise, factor)


def _divided(errors, marks, n, noise, factor):
    products = _products(errors, marks, n, noise, factor)
    if noise == 0 and not any(products):
        raise ValueError("every rule contradicts a label")
    return [each / sum(products) if sum(products) else math.nan for each in products]


def _scored(score):
    """Posteriors from `score(k, q, n, noise, factor)`, the logarithm of a rule's score, where labels may be wrong."""

    def shares(errors, marks, n, noise, factor):
        if noise == 0:
            return belief(errors, marks, n, noise, factor)
        return _shared([score(k, q, n, noise, factor) for k, q in zip(errors, marks)])

    return shares


def _winner(*case):
    found = belief(*case)
    return [float(each == max(found)) for each in found]


BELIEF_SLIPS = {
    "`errors` holds the contradicted labels and `marks` the number of ?: here they are exchanged.": lambda errors, marks, *rest: (
        belief(marks, errors, *rest)
    ),
    "A contradicted label has the probability ε; without it an error costs nothing but the 1 − ε of a right label.": _scored(
        lambda k, q, n, noise, factor: q * math.log(factor) + (n - k) * math.log(1 - noise)
    ),
    "The logarithms of all labels are added up, not averaged: every label counts.": _scored(
        lambda k, q, n, noise, factor: (
            q * math.log(factor) + (k * math.log(noise) + (n - k) * math.log(1 - noise)) / max(n, 1)
        )
    ),
    "Each ? multiplies the prior by `factor`; here it divides.": lambda errors, marks, n, noise, factor: belief(
        errors, marks, n, noise, 1 / factor
    ),
    "Each ? multiplies the prior by `factor`: two of them by its square, not by `factor` once.": (
        lambda errors, marks, n, noise, factor: belief(errors, [min(q, 1) for q in marks], n, noise, factor)
    ),
    "Each ? multiplies the prior by `factor`: two of them by its square, not by twice the factor.": (
        lambda errors, marks, n, noise, factor: [
            each / sum(scores)
            for scores in [
                [p * (q * factor if q else 1) for p, q in zip(belief(errors, [0] * len(marks), n, noise, 1.0), marks)]
            ]
            for each in scores
        ]
    ),
    "Every rule keeps its share of the belief; here the best one gets all of it.": _winner,
}


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


def _votes(student, refuted=False):
    """The posterior of the rules that are left, and whether each says yes to the animal without a label."""
    zoo = data.animals(student)
    rules = _agree([*_rules(zoo["values"]), _never(zoo["values"])], [] if refuted else zoo["examples"])
    shares = _shared([rule.count("?") * math.log(zoo["factor"]) for rule in rules])
    return shares, [covers(rule, zoo["asked"]) for rule in rules]


def chance_yes(student):
    return _weight(*_votes(student))


def _weight(shares, says):
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
            (
                NAMES[:3],
                [
                    (("sunny", "warm", "strong"), True),
                    (("rainy", "cold", "strong"), False),
                    (("sunny", "cold", "strong"), True),
                ],
            ),
            (NAMES[3:], [(("wild",), True), (("wild",), True)]),
            (SKY, [(("sunny", "weak"), True), (("sunny", "weak"), False)]),
            (SKY, [(("sunny", "weak"), True), (("rainy", "strong"), True), (("sunny", "strong"), False)]),
            (NAMES[:2], []),
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
        "mistakes": LEFT | {OTHER: _rest(survivors)},
        "near": {"the rule of ∅ always among them": _never_always},
        "almost_right": {
            "contradictions overwritten": lambda values, examples: survivors(values, list(dict(examples).items())),
            "a rule covers if any entry fits": lambda values, examples: _shares(
                _agree(
                    [*_rules(values), _never(values)],
                    examples,
                    lambda rule, x: any(entry in ("?", value) for entry, value in zip(rule, x)),
                ),
                values,
            ),
        },
        "read": "1 · Which rules are there?",
        "hint": "Build every rule, a value or ? in each place, and add the rule of ∅ alone. Keep those whose answer is the label for every example. The share of a value is one over the number of values, that of a ? is 1, and over the places they multiply.",
        "right": "Build all rules, keep those that agree: that is the version space.",
        "variants": [{}, {"solve": _rest(survivors), "mistakes": REST | {OTHER: survivors}}],
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
            ([0, 3, 5], [2, 0, 4], 5, 0.4, 1.5),
            ([1500, 1503, 1501], [2, 1, 0], 5000, 0.3, 0.5),
            ([1, 2], [0, 1], 4, 0.0, 0.5),
        ],
        "checks": [
            {"says": "a few labels, some of them wrong", "points": 1, "draw": draw_rules, "times": 6},
            {"says": "thousands of labels", "points": 1, "draw": draw_long, "times": 3},
            {"says": "labels that are never wrong", "points": 1, "draw": draw_clean, "times": 12},
        ],
        "mistakes": {
            "The logarithm of 0 does not exist, so noise 0 has to be treated apart.": _unguarded,
            "no-logs": _divided,
            "empty-zero": lambda errors, *rest: (
                belief(errors, *rest) if 0 in errors or rest[2] else [0.0] * len(errors)
            ),
            "joint-posterior": _products,
            "noise-deaf": lambda errors, marks, n, noise, factor: belief(errors, marks, n, 0.0, factor),
            "noise-swapped": lambda errors, marks, n, noise, factor: belief(errors, marks, n, 1 - noise, factor),
            "base-rate": lambda errors, marks, n, noise, factor: belief(errors, marks, n, noise, 1.0),
            "prior-only": lambda errors, marks, n, noise, factor: belief([0] * len(errors), marks, n, 0.0, factor),
            "An agreeing label has the probability 1 − ε, not 1.": lambda errors, marks, n, noise, factor: _shared(
                _logs(errors, marks, max(errors), noise, factor)
                if noise == 0
                else _halfway(errors, marks, noise, factor)
            ),
        },
        "slips": BELIEF_SLIPS,
        "almost_right": {
            "any rule with errors out if one has none": lambda errors, marks, n, noise, factor: belief(
                errors, marks, n, 0.0 if 0 in errors else noise, factor
            ),
        },
        "read": "5 · If a label may be wrong",
        "hint": "Add logarithms: marks·ln factor + k·ln ε + (n − k)·ln(1 − ε). Take the largest away from all of them before you exponentiate, then divide by the sum. Treat noise 0 apart.",
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
            "fits-better: The most specific rule says no to this animal, but it is not the only one that is left.": lambda student: (
                0.0
            ),
            "map-answer": _favourite,
            "count-votes": lambda student: float(np.mean(_votes(student)[1])),
            "ask-everybody": lambda student: _weight(*_votes(student, refuted=True)),
            "other-answer": lambda student: 1 - chance_yes(student),
        },
        "read": "4 · What should you ask next?",
        "hint": "Take the rules that your four animals leave, share the belief out by their ?, and add up what belongs to the rules that cover the last animal.",
        "right": "Every rule that is left has voted, each with its own share of the belief.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "Of the six that are left the most specific one is ahead, because it says no more than the days have shown.",
            "B": "P(D) = 0.0062 says that with a probability of only 0.6% one of the six is the true rule.",
            "C": "Each of the four days has deleted about a quarter of the 967 rules that are gone.",
            "D": "The days did not raise one of the six more than another: they share evenly what the others lost.",
        },
        "solve": "D",
        "mistakes": {"A": "fits-better", "B": "lik-prob", "C": "neg-equal"},
        "read": "2 · What a label does",
        "hint": "How large was each of the six dots before the first day, and how large is it now? What has changed in between?",
        "right": "Each of the six gained the same factor, because the deleted ones lost all they had.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: a uniform prior is uniform over a list somebody chose; over spellings it bets about 0.81 on never (4148 of 5120), so it is not neutral. Another true example of what one of the two priors prefers counts too.",
            "1 point: says why the six tie nevertheless (each of them has exactly one spelling, and with clean labels only the ratio of their priors counts), or names where the two priors do differ (before the first yes, in P(D), with noise).",
        ],
    },
}
