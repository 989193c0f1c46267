"""The practice tasks of section 02. A mistake is a function that errs in a known way, so that it can be recognised."""

import math

from bayeslib.models.concepts import covers


def _weights(hypotheses, examples, prior, noise):
    """P(D|h) P(h) for each hypothesis."""
    agree = [[covers(h, x) == label for x, label in examples] for h in hypotheses]
    return [p * math.prod(1 - noise if each else noise for each in said) for p, said in zip(prior, agree)]


def _shared(weights):
    total = sum(weights)
    if total == 0:
        raise ValueError("no hypothesis with a prior above 0 agrees with the examples, so P(D) = 0")
    return [weight / total for weight in weights]


def _posterior(hypotheses, examples, prior, noise):
    return _shared(_weights(hypotheses, examples, prior, noise))


def _zeros(hypotheses, examples, prior, noise):
    weights = _weights(hypotheses, examples, prior, noise)
    return _shared(weights) if any(weights) else weights


def _narrowed(specific, day, values):
    """G after the first no: one rule for each value of S that the day does not have."""
    return _single(len(day), [(n, wanted) for n, wanted in enumerate(specific) if wanted not in ("?", day[n])])


def _unchecked(specific, day, values):
    return _single(len(day), [(n, value) for n, known in enumerate(values) for value in known if value != day[n]])


def _single(length, demands):
    return [("?",) * n + (value,) + ("?",) * (length - n - 1) for n, value in demands]


def _nearest_half(weights, instances):
    """The first instance on which the share of the weight that says yes is nearest to half."""
    total = sum(weights.values())
    uneven = [abs(sum(w for h, w in weights.items() if covers(h, x)) / total - 0.5) for x in instances]
    return instances[[round(each, 9) for each in uneven].index(round(min(uneven), 9))]


def _yes(beliefs, x):
    return sum(belief for h, belief in beliefs.items() if covers(h, x))


RULES = [("sunny", "strong"), ("sunny", "?"), ("?", "strong"), ("?", "?")]
LABELS = [(("sunny", "strong"), True), (("rainy", "strong"), False)]
SIX = [
    ("sunny", "warm", "strong"),
    ("sunny", "warm", "?"),
    ("sunny", "?", "strong"),
    ("?", "warm", "strong"),
    ("sunny", "?", "?"),
    ("?", "warm", "?"),
]
DAYS = [
    ("rainy", "warm", "strong"),
    ("sunny", "warm", "strong"),
    ("rainy", "cold", "weak"),
    ("sunny", "warm", "weak"),
    ("sunny", "cold", "weak"),
]

VALUES = [["wood", "metal", "glass"], ["small", "large"], ["round", "square"]]

TASKS = {
    "posterior": {
        "arguments": "hypotheses, examples, prior, noise",
        "cases": [
            (RULES, LABELS, [0.25, 0.25, 0.25, 0.25], 0.1),
            (RULES, LABELS[:1], [0.4, 0.2, 0.2, 0.2], 0.0),
            (RULES, LABELS, [0.4, 0.3, 0.2, 0.1], 0.2),
            (RULES[:2], [(("sunny", "strong"), False)], [0.5, 0.5], 0.0),
        ],
        "solve": _posterior,
        "right": "You divided prior times likelihood by the sum, and said so where the sum is 0.",
        "hint": "For each hypothesis multiply its prior by 1 − noise for a label that agrees and by noise for one that does not. Then divide by the sum.",
        "mistakes": {
            "empty-zero": _zeros,
            "joint-posterior": _weights,
            "noise-deaf": lambda hypotheses, examples, prior, noise: _posterior(hypotheses, examples, prior, 0.0),
            "noise-swapped": lambda hypotheses, examples, prior, noise: _posterior(
                hypotheses, examples, prior, 1 - noise
            ),
            "base-rate": lambda hypotheses, examples, prior, noise: _posterior(
                hypotheses, examples, [1] * len(prior), noise
            ),
        },
    },
    "narrow": {
        "arguments": "specific, day, values",
        "cases": [
            (("wood", "small", "?"), ("glass", "small", "round"), VALUES),
            (("wood", "large", "round"), ("metal", "small", "round"), VALUES),
            (("?", "large", "round"), ("wood", "small", "square"), VALUES),
            (("wood", "?", "?"), ("wood", "large", "square"), VALUES),
        ],
        "solve": _narrowed,
        "right": "Each value of S that the day does not have keeps it out, and no other value stays above S.",
        "hint": "Go through the entries of S. Which of them are values, and differ from the day's? Each makes one rule, with ? everywhere else.",
        "mistakes": {
            "above-s": _unchecked,
            "A rule with a value of the day itself still says yes to the day.": lambda specific, day, values: _single(
                len(day), [(n, wanted) for n, wanted in enumerate(specific) if wanted == day[n]]
            ),
            "That is the most specific rule; G holds the most general ones, with a single value each.": lambda specific, day, values: [
                specific
            ],
        },
    },
    "best-query": {
        "arguments": "beliefs, instances",
        "cases": [
            (
                dict(zip(SIX, (0.3, 0.0, 0.0, 0.0, 0.4, 0.3))) | {("cloudy", "?", "?"): 0.0, ("?", "cold", "?"): 0.0},
                DAYS,
            ),
            (dict(zip(SIX, (0.05, 0.15, 0.15, 0.15, 0.25, 0.25))), DAYS),
            (dict(zip(SIX, (0.2, 0.2, 0.2, 0.2, 0.2, 0.0))), DAYS[::-1]),
        ],
        "solve": _nearest_half,
        "right": "You asked where the belief is split most evenly.",
        "hint": "Add the beliefs of the hypotheses that say yes to an instance. How far is the sum from one half? Take the instance where it is nearest.",
        "mistakes": {
            "confirm": lambda beliefs, instances: max(instances, key=lambda x: _yes(beliefs, x)),
            "confirm: A question that all hypotheses answer with no is as uninformative as one that all answer with yes.": lambda beliefs, instances: (
                min(instances, key=lambda x: _yes(beliefs, x))
            ),
            "halve-count": lambda beliefs, instances: _nearest_half({h: b > 0 for h, b in beliefs.items()}, instances),
            "ask-everybody": lambda beliefs, instances: _nearest_half(dict.fromkeys(beliefs, 1), instances),
        },
    },
}
