"""Exercise 01: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math

import data
import numpy as np

from bayeslib.models import bayes


def posterior(prior, likelihood):
    return bayes.posterior(_shares(prior), likelihood)


def _shares(prior):
    total = sum(prior.values())
    return {h: weight / total for h, weight in prior.items()}


def _zeros(prior, likelihood):
    impossible = all(prior[h] * likelihood[h] == 0 for h in prior)
    return {h: 0.0 for h in prior} if impossible else posterior(prior, likelihood)


def _shuffled(random, table):
    """The same table with its keys in another order."""
    return {str(key): table[key] for key in random.permutation(list(table))}


def draw_table(random):
    """Weights of two to six hypotheses, every other time counts, and how probable each of them makes the data."""
    names = [str(name) for name in random.permutation(list("abcdef"))[: random.integers(2, 7)]]
    shares = random.dirichlet(np.ones(len(names))) if random.random() < 0.5 else random.integers(1, 30, len(names))
    likelihood = dict(zip(names, map(float, random.uniform(0.01, 1, len(names)))))
    return dict(zip(names, shares.tolist())), _shuffled(random, likelihood)


def draw_certain(random):
    """One hypothesis was ruled out before, and another one rules the data out; every other time it is the only one."""
    prior, likelihood = draw_table(random)
    first, second = list(prior)[:2]
    if random.random() < 0.5:
        return {first: 1}, {first: likelihood[first]}
    prior = {**prior, first: 0.0, "z": 0.3 * sum(prior.values())}
    return prior, _shuffled(random, {**likelihood, second: 0.0, "z": float(random.uniform(0.01, 1))})


def draw_impossible(random):
    """Only a hypothesis that was ruled out before could have brought the data; every other time an ordinary table."""
    prior, likelihood = draw_table(random)
    if random.random() < 0.5:
        return prior, likelihood
    ruled_out, other = list(prior)[:2]
    prior[other] += prior[ruled_out]
    prior[ruled_out] = 0
    return prior, {name: chance if name == ruled_out else 0.0 for name, chance in likelihood.items()}


def _factors(tests, echo=True):
    """The likelihoods of each result, for sick and healthy; `echo` may be "always", as if any result could be a copy."""
    before = None
    for result, s, f, copied in tests:
        sick, healthy = (s, f) if result == "+" else (1 - s, 1 - f)
        if echo and result == before or echo == "always":
            sick, healthy = copied + (1 - copied) * sick, copied + (1 - copied) * healthy
        yield sick, healthy
        before = result


def _sick(prior, factors):
    log_odds = math.log(prior) - math.log(1 - prior)
    log_odds += math.fsum(math.log(sick) - math.log(healthy) for sick, healthy in factors)
    larger = 1 / (1 + math.exp(-abs(log_odds)))
    return larger if log_odds > 0 else 1 - larger


def belief_after(prior, tests):
    return _sick(prior, _factors(tests))


def _swapped(prior, tests):
    pairs = zip(_factors(tests), tests)
    return _sick(prior, [(1 - b, 1 - a) if test[0] == "-" and not test[3] else (a, b) for (a, b), test in pairs])


def _stepwise(prior, tests):
    for sick, healthy in _factors(tests):
        prior = sick * prior / (sick * prior + healthy * (1 - prior))
    return prior


def _multiplied(prior, tests):
    factors = list(_factors(tests))
    sick = prior * math.prod(each for each, _ in factors)
    total = sick + (1 - prior) * math.prod(each for _, each in factors)
    return sick / total if total else math.nan


def _prior_twice(prior, tests):
    return _sick(prior, [(prior * sick, (1 - prior) * healthy) for sick, healthy in _factors(tests)])


def _blended(prior, tests):
    """The belief before a result and after it, mixed in the share in which the result was copied."""
    before = None
    for result, s, f, copied in tests:
        after = belief_after(prior, [(result, s, f, 0)])
        prior = copied * prior + (1 - copied) * after if result == before else after
        before = result
    return prior


def _lost(prior, tests):
    """A copied result is left out altogether, in the share in which it was copied: the ratio to the power 1 − copied."""
    return _sick(prior, [((s / h) ** (1 - test[3]), 1.0) for (s, h), test in zip(_factors(tests, False), tests)])


SLIPS = {
    "A belief that was rounded to 1 on the way cannot come back; add the logarithms of the likelihood ratios.": _stepwise,
    "independence-assumed": lambda prior, tests: _sick(prior, _factors(tests, echo=False)),
    "A result that differs from the one before it cannot have been copied from it.": lambda prior, tests: _sick(
        prior, _factors(tests, echo="always")
    ),
    "reset": lambda prior, tests: belief_after(prior, [(*test[:3], 0) for test in tests[-1:]]),
    "deaf-to-negatives": lambda prior, tests: belief_after(prior, [each for each in tests if each[0] == "+"]),
    "all-positive": lambda prior, tests: belief_after(prior, [("+", *test[1:]) for test in tests]),
    "swapped-negative": _swapped,
    "prior-twice": _prior_twice,
    "Mix the likelihoods of a copied and a fresh result, not the beliefs before and after it.": _blended,
    "A result that is partly a copy has the likelihood copied + (1 − copied) · P(result | state); its likelihood ratio is not raised to a power.": _lost,
    "no-logs": _multiplied,
}


def _healthy(belief):
    """The other variant of the task asks for P(healthy)."""
    return lambda prior, tests: 1 - belief(prior, tests)


HEALTHY = {tag: _healthy(slip) for tag, slip in SLIPS.items()} | {"other-answer": belief_after}


def _test(random, result=None, copied=None):
    copied = float(random.choice([0, 0.25, 0.5, 0.75])) if copied is None else copied
    rates = (round(float(each), 3) for each in random.uniform([0.6, 0.05], [0.99, 0.5]))
    return (result or str(random.choice(["+", "-"])), *rates, copied)


def draw_tests(random):
    """Results of both kinds: among them one that repeats the result before it and one that differs, both perhaps copied."""
    first, other = [str(each) for each in random.permutation(["+", "-"])]
    tests = [(first, 0.9, 0.2, 0), _test(random, first, 0.5), _test(random, other, 0.25), _test(random, other, 0.75)]
    return float(random.uniform(0.05, 0.45)), tests + [_test(random) for _ in range(random.integers(0, 4))]


def draw_long(random):
    """Hundreds of strong positives, then negatives that take nearly all of it back; none of them is a copy."""
    strong = round(float(random.uniform(0.985, 0.995)), 4)
    number = int(random.integers(200, 300))
    weak = [_test(random, copied=0) for _ in range(3)]
    tests = [("+", strong, round(1 - strong, 4), 0)] * number + [("-", strong, round(1 - strong, 4), 0)] * number
    return float(random.uniform(0.05, 0.45)), [*tests[:5], *weak, *tests[5:]]


def group(student):
    """The base rate of the student's group, and the test's sensitivity and false-positive rate as the study found them."""
    table = data.study(student)
    sick, healthy = table["sick"], table["healthy"]
    return (
        table["sick per 100,000"] / 100_000,
        sick["+"] / (sick["+"] + sick["-"]),
        healthy["+"] / (healthy["+"] + healthy["-"]),
    )


def share_sick(student):
    prior, s, f = group(student)
    return s * prior / (s * prior + f * (1 - prior))


def _study_share(student):
    table = data.study(student)
    return table["sick"]["+"] / (table["sick"]["+"] + table["healthy"]["+"])


def _unweighted(student):
    prior, s, f = group(student)
    return s * prior / (s * prior + f)


TASKS = {
    "posterior": {
        "kind": "function",
        "points": 3,
        "arguments": "prior, likelihood",
        "solve": posterior,
        "cases": [
            ({"sick": 0.02, "healthy": 0.98}, {"sick": 0.8, "healthy": 0.1}),
            ({"flu": 0.1, "cold": 0.3, "neither": 0.6}, {"neither": 0.05, "flu": 0.9, "cold": 0.4}),
            ({"fair": 5, "bent": 3, "two heads": 0}, {"two heads": 1.0, "fair": 0.25, "bent": 0.5}),
            ({"a": 0.2, "b": 0.5, "c": 0.3}, {"a": 0.0, "c": 0.4, "b": 0.002}),
            ({"only": 1}, {"only": 0.3}),
            ({"fair": 1.0, "two heads": 0.0}, {"fair": 0.0, "two heads": 1.0}),
            ({"fair": 4, "bent": 2}, {"bent": 0.0, "fair": 0.0}),
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
            "The two dicts may list the hypotheses in different orders: take each likelihood by its name.": lambda prior, likelihood: (
                posterior(prior, dict(zip(prior, likelihood.values())))
            ),
        },
        "almost_right": {
            "a guard for the likelihoods alone": lambda prior, likelihood: (
                _zeros if any(likelihood.values()) else posterior
            )(prior, likelihood),
            "a prior that is taken to sum to 1": lambda prior, likelihood: {
                h: each * sum(prior.values()) for h, each in posterior(prior, likelihood).items()
            },
        },
        "read": "2 · One line of algebra",
        "hint": "Multiply row by row, add the products up, divide each by the sum.",
        "right": "Products, their sum, division: that is the theorem for any number of hypotheses.",
    },
    "belief_after": {
        "kind": "function",
        "points": 3,
        "arguments": "prior, tests",
        "probability": True,
        "solve": belief_after,
        "cases": [
            (0.02, [("+", 0.8, 0.1, 0)]),
            (0.02, [("+", 0.8, 0.1, 0), ("-", 0.95, 0.3, 0)]),
            (0.1, [("+", 0.9, 0.4, 0), ("+", 0.7, 0.1, 0.5)]),
            (0.4, [("-", 0.9, 0.2, 0), ("-", 0.8, 0.3, 0.25), ("-", 0.8, 0.3, 0)]),
            (0.1, [("-", 0.9, 0.4, 0), ("+", 0.7, 0.1, 0.5), ("+", 0.6, 0.2, 0.75), ("-", 0.9, 0.3, 0.25)]),
            (0.3, []),
            (0.3, [("+", 0.99, 0.01, 0)] * 170 + [("-", 0.99, 0.01, 0)] * 170),
        ],
        "checks": [
            {"says": "a few results of different tests", "points": 2, "draw": draw_tests, "times": 6},
            {"says": "hundreds of results", "points": 1, "draw": draw_long, "times": 2},
        ],
        "mistakes": SLIPS | {"other-answer": _healthy(belief_after)},
        "almost_right": {
            "only positives are copied": lambda prior, tests: belief_after(
                prior, [(*test[:3], test[3] if test[0] == "+" else 0) for test in tests]
            ),
        },
        "read": "5 · The copied form",
        "hint": "Work out for each result how probable it was, for a sick and for a healthy patient: copied or made, if it repeats the one before it; made, if it differs. Add up the logarithms of the likelihood ratios, and turn the log odds into a probability at the end.",
        "right": "Every result counted for what it was worth, echoes included, and nothing was rounded away.",
        "variants": [{}, {"solve": _healthy(belief_after), "mistakes": HEALTHY}],
    },
    "share_sick": {
        "kind": "number",
        "points": 1,
        "solve": share_sick,
        "varies": True,
        "probability": True,
        "mistakes": {
            "base-rate: That is the share among the positives of the study, where the disease is not as common as in your group.": _study_share,
            "base-rate": lambda student: group(student)[1] / (group(student)[1] + group(student)[2]),
            "equal-crowds": _unweighted,
            "inverse": lambda student: group(student)[1],
            "fp-flip": lambda student: 1 - group(student)[2],
            "joint-posterior": lambda student: group(student)[0] * group(student)[1],
            "other-answer": lambda student: 1 - share_sick(student),
            "prior-only": lambda student: group(student)[0],
        },
        "read": "Back to the letter",
        "hint": "The study tells how the test treats the sick and the healthy; how many there are of each, your group tells.",
        "right": "You took the test from the study and the base rate from the group.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "Between 10 and 50 sick of 1000 the curve rises steeply, so in such wards the test itself is better at telling sick from healthy people.",
            "B": "With 8 sick of 1000 a positive result makes *sick* the more probable state, because it lifts the belief from 0.008 to 0.21.",
            "C": "If the test flagged half as many healthy people, the curve would cross one half at about half the prior at which it does now.",
            "D": "In every ward about 98 of 100 positive patients are sick, because the test finds 98 of 100 sick people.",
        },
        "solve": "C",
        "mistakes": {"A": "test-by-prior", "B": "rising-is-winning", "D": "inverse"},
        "read": "3 · Another ward, another decision",
        "hint": "What belongs to the test and what to the ward? Where the curve crosses one half, the two products are equal: what does a change of each likelihood do to that place?",
        "right": "While both are small, the prior at the crossing grows in step with the false-positive rate.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: one in a million is P(match | not he), a share of the uninvolved; P(not he | match) is a share of those who match, and to get it takes a prior. The name of the fallacy (inverse, prosecutor's) with one true sentence counts; a table of counts or odds does too.",
            "1 point: names what is missing (how many people could have left the traces, or other evidence, that is, the prior) and finds about ten chance matches among ten million, so that he is the right one with about 1/11 or 1/10, or odds of 1 to 10.",
        ],
    },
}
