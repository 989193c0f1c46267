"""The practice tasks of section 02. A mistake is a function that errs in a known way, so that its name can be told."""

import math

from bayeslib.concepts import ConjunctiveSpace, covers


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


def _votes(version_space, instances):
    return [sum(covers(h, x) for h in version_space) for x in instances]


def _most_even(version_space, instances):
    uneven = [abs(2 * votes - len(version_space)) for votes in _votes(version_space, instances)]
    return instances[uneven.index(min(uneven))]


def _everybody(version_space, instances):
    space = ConjunctiveSpace({f"attribute {n}": sorted(set(values)) for n, values in enumerate(zip(*instances))})
    return _most_even(space.hypotheses(), instances)


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

TASKS = {
    "count": {
        "arguments": "sizes",
        "cases": [([4, 3, 2, 2],), ([3, 2, 2, 2, 2, 2],), ([2],)],
        "solve": lambda sizes: 1 + math.prod(size + 1 for size in sizes),
        "right": "A value or ? for each attribute, and never once.",
        "hint": "How many entries can stand in one place, if ∅ is left out? Multiply over the places. Which hypothesis is still missing?",
        "mistakes": {
            "never-forgotten": lambda sizes: math.prod(size + 1 for size in sizes),
            "spellings": lambda sizes: math.prod(size + 2 for size in sizes),
            "instances": lambda sizes: math.prod(sizes),
        },
    },
    "posterior": {
        "arguments": "hypotheses, examples, prior, noise",
        "cases": [
            (RULES, LABELS, [0.25, 0.25, 0.25, 0.25], 0.1),
            (RULES, LABELS[:1], [0.4, 0.2, 0.2, 0.2], 0.0),
            (RULES, LABELS, [0.4, 0.3, 0.2, 0.1], 0.2),
            (RULES[:2], [(("sunny", "strong"), False)], [0.5, 0.5], 0.0),
        ],
        "solve": _posterior,
        "right": "Prior times likelihood, shared out; and where nothing is left to share, you said so.",
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
    "best-query": {
        "arguments": "version_space, instances",
        "cases": [(SIX, DAYS), (SIX[1:4], DAYS), (SIX[:2], DAYS[::-1])],
        "solve": _most_even,
        "right": "You asked where the hypotheses quarrel.",
        "hint": "Count the hypotheses that say yes to an instance. How far is that from half of them? Take the instance where it is nearest.",
        "mistakes": {
            "confirm": lambda version_space, instances: max(instances, key=lambda x: _votes(version_space, [x])),
            "confirm: A question that all hypotheses answer with no is as uninformative as one that all answer with yes.": lambda version_space, instances: (
                min(instances, key=lambda x: _votes(version_space, [x]))
            ),
            "ask-everybody": _everybody,
        },
    },
}
