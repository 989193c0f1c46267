"""Exercise 01: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import data
import numpy as np

from bayeslib import bayes


def posterior(prior, likelihood):
    return bayes.posterior(prior, likelihood)


def _zeros(prior, likelihood):
    impossible = bayes.total_probability(prior, likelihood) == 0
    return {h: 0.0 for h in prior} if impossible else posterior(prior, likelihood)


def draw_table(random):
    """A belief over two to six hypotheses and what each of them says of the data."""
    names = random.permutation(list("abcdef"))[: random.integers(2, 7)]
    shares = random.dirichlet(np.ones(len(names)))
    return (
        {str(name): float(share) for name, share in zip(names, shares)},
        {str(name): float(chance) for name, chance in zip(names, random.uniform(0.01, 1, len(names)))},
    )


def draw_certain(random):
    """One hypothesis was ruled out before, and another one rules the data out; every other time it is the only one."""
    prior, likelihood = draw_table(random)
    first, second = list(prior)[:2]
    if random.random() < 0.5:
        return {first: 1}, {first: likelihood[first]}
    rest = 1 - prior.pop(first)
    prior = {first: 0.0, "z": 0.3, **{name: 0.7 * share / rest for name, share in prior.items()}}
    return prior, {**likelihood, second: 0.0, "z": float(random.uniform(0.01, 1))}


def draw_impossible(random):
    """Only a hypothesis that was ruled out before could have brought the data; every other time an ordinary table."""
    prior, likelihood = draw_table(random)
    if random.random() < 0.5:
        return prior, likelihood
    ruled_out, other = list(prior)[:2]
    prior[other] += prior[ruled_out]
    prior[ruled_out] = 0.0
    return prior, {name: likelihood[name] if name == ruled_out else 0.0 for name in prior}


def belief_after(prior, tests):
    for result, sensitivity, false_positive in tests:
        sick, healthy = (sensitivity, false_positive) if result == "+" else (1 - sensitivity, 1 - false_positive)
        prior = sick * prior / (sick * prior + healthy * (1 - prior))
    return prior


def _swapped(prior, tests):
    return belief_after(prior, [(r, s, f) if r == "+" else ("+", 1 - f, 1 - s) for r, s, f in tests])


def _prior_twice(prior, tests):
    belief = prior
    for result, s, f in tests:
        sick, healthy = (s, f) if result == "+" else (1 - s, 1 - f)
        belief = belief * prior * sick / (belief * prior * sick + (1 - belief) * (1 - prior) * healthy)
    return belief


SLIPS = {
    "reset": lambda prior, tests: belief_after(prior, tests[-1:]),
    "deaf-to-negatives": lambda prior, tests: belief_after(prior, [each for each in tests if each[0] == "+"]),
    "all-positive": lambda prior, tests: belief_after(prior, [("+", s, f) for _, s, f in tests]),
    "swapped-negative": _swapped,
    "prior-twice": _prior_twice,
}


def _healthy(belief):
    """The other variant of the task asks for P(healthy)."""
    return lambda prior, tests: 1 - belief(prior, tests)


HEALTHY = {tag: _healthy(slip) for tag, slip in SLIPS.items()} | {"other-answer": belief_after}


def draw_tests(random, low=2, high=6):
    tests = [
        (str(random.choice(["+", "-"])), *map(float, random.uniform([0.6, 0.05], [0.99, 0.5])))
        for _ in range(random.integers(low, high))
    ]
    return float(random.uniform(0.01, 0.5)), [("+", 0.9, 0.2), ("-", 0.8, 0.1), *tests]


def draw_long(random):
    """So many results that a product of their likelihoods is rounded to 0, each nearly worthless, so that a doubt remains."""
    false_positive = random.uniform(0.2, 0.6, 2000)
    tests = zip(random.choice(["+", "-"], 2000), false_positive + 0.01, false_positive)
    return 0.3, [(str(result), float(s), float(f)) for result, s, f in tests]


def town(student):
    """The base rate of the town, and the test's sensitivity and false-positive rate as the study found them."""
    table = data.study(student)
    sick, healthy = table["sick"], table["healthy"]
    return (
        table["sick per 1000"] / 1000,
        sick["+"] / (sick["+"] + sick["-"]),
        healthy["+"] / (healthy["+"] + healthy["-"]),
    )


def share_sick(student):
    prior, s, f = town(student)
    return s * prior / (s * prior + f * (1 - prior))


def _study_share(student):
    table = data.study(student)
    return table["sick"]["+"] / (table["sick"]["+"] + table["healthy"]["+"])


TASKS = {
    "posterior": {
        "kind": "function",
        "points": 3,
        "arguments": "prior, likelihood",
        "solve": posterior,
        "cases": [
            ({"sick": 0.02, "healthy": 0.98}, {"sick": 0.8, "healthy": 0.1}),
            ({"flu": 0.1, "cold": 0.3, "neither": 0.6}, {"flu": 0.9, "cold": 0.4, "neither": 0.05}),
            ({"fair": 1.0, "two heads": 0.0}, {"fair": 0.0, "two heads": 1.0}),
        ],
        "checks": [
            {"says": "beliefs over two to six hypotheses", "points": 1, "draw": draw_table, "times": 6},
            {
                "says": "a hypothesis that was ruled out, and one that rules the data out",
                "points": 1,
                "draw": draw_certain,
                "times": 8,
            },
            {"says": "data that no hypothesis allows, or one does", "points": 1, "draw": draw_impossible, "times": 12},
        ],
        "mistakes": {
            "empty-zero": _zeros,
            "joint-posterior": lambda prior, likelihood: {h: likelihood[h] * prior[h] for h in prior},
            "base-rate": lambda prior, likelihood: {h: likelihood[h] / sum(likelihood.values()) for h in prior},
            "inverse": lambda prior, likelihood: likelihood,
        },
        "read": "The theorem and its table",
        "hint": "Multiply row by row, add the products up, divide each by the sum.",
        "right": "Products, their sum, division: that is the theorem for any number of hypotheses.",
    },
    "belief_after": {
        "kind": "function",
        "points": 3,
        "arguments": "prior, tests",
        "solve": belief_after,
        "cases": [
            (0.02, [("+", 0.8, 0.1)]),
            (0.02, [("+", 0.8, 0.1), ("-", 0.95, 0.3)]),
            (0.1, [("-", 0.9, 0.4), ("+", 0.7, 0.1), ("+", 0.6, 0.2)]),
            (0.3, []),
        ],
        "checks": [
            {"says": "a few results of different tests", "points": 2, "draw": draw_tests, "times": 6},
            {"says": "thousands of results", "points": 1, "draw": draw_long, "times": 2},
        ],
        "mistakes": SLIPS | {"other-answer": _healthy(belief_after)},
        "read": "Result after result",
        "hint": "Go through the tests and let the belief after one be the prior of the next. With no test it stays the prior.",
        "right": "Each posterior became the next prior, whatever test came next.",
        "variants": [{}, {"solve": _healthy(belief_after), "mistakes": HEALTHY}],
    },
    "share_sick": {
        "kind": "number",
        "points": 1,
        "solve": share_sick,
        "varies": True,
        "probability": True,
        "mistakes": {
            "base-rate": _study_share,
            "inverse": lambda student: town(student)[1],
            "fp-flip": lambda student: 1 - town(student)[2],
            "joint-posterior": lambda student: town(student)[0] * town(student)[1],
            "other-answer": lambda student: 1 - share_sick(student),
        },
        "read": "A positive test",
        "hint": "The study tells how the test treats the sick and the healthy; how many there are of each, the town tells.",
        "right": "You took the test from the study and the base rate from the town.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "The curve crosses one half where half of the people are sick.",
            "B": "With 8 sick of 1000 a positive result makes *sick* the more probable state, because it lifts the belief from 0.008 to 0.21.",
            "C": "In a ward with 50 sick of 1000 a positive patient is more likely sick than healthy.",
            "D": "In every ward about 98 of 100 positive patients are sick, because the test finds 98 of 100 sick people.",
        },
        "solve": "C",
        "mistakes": {"A": "even-prior", "B": "rising-is-winning", "D": "inverse"},
        "read": "Where does the decision change?",
        "hint": "Find the point where the curve crosses one half, and ask on which side each ward lies.",
        "right": "Fifty of 1000 lies to the right of the flip, which is near thirty.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: the second result is partly an echo of the first, so given the patient's state the two are not independent.",
            "1 point: so the belief rises less than by a second factor, and not at all if the result is only copied.",
        ],
    },
}
