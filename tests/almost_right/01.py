"""Almost right answers to exercise 01."""

import math
from math import exp, log

import numpy as np


def products(prior, likelihood):
    return {h: prior[h] * likelihood[h] for h in prior}


def plain(prior, likelihood):
    total = sum(products(prior, likelihood).values())
    if total == 0:
        raise ValueError("impossible")
    return {h: each / total for h, each in products(prior, likelihood).items()}


def arrays(prior, likelihood):
    weights = np.array([prior[h] * likelihood[h] for h in prior], dtype=float)
    if not weights.any():
        raise ValueError("impossible")
    return dict(zip(prior, weights / weights.sum()))


def in_logs(prior, likelihood):
    logs = {h: log(prior[h]) + log(likelihood[h]) for h in prior if prior[h] and likelihood[h]}
    if not logs:
        raise ValueError("impossible")
    total = sum(exp(each - max(logs.values())) for each in logs.values())
    return {h: exp(logs[h] - max(logs.values())) / total if h in logs else 0.0 for h in prior}


def zipped(prior, likelihood):
    return plain(prior, dict(zip(prior, likelihood.values())))


def unguarded(prior, likelihood):
    total = sum(products(prior, likelihood).values())
    return {h: each / total for h, each in products(prior, likelihood).items()}


def guards_the_likelihood_only(prior, likelihood):
    if not any(likelihood.values()):
        raise ValueError("impossible")
    return unguarded(prior, likelihood)


def leaves_zeros_out(prior, likelihood):
    return {h: each for h, each in plain(prior, likelihood).items() if each}


def needs_shares(prior, likelihood):
    total = sum(products(prior, likelihood).values())
    if not math.isclose(sum(prior.values()), 1):
        raise ValueError("the prior must sum to 1")
    return plain(prior, likelihood) if total else plain(prior, likelihood)


def raises_for_any_zero(prior, likelihood):
    if 0 in products(prior, likelihood).values():
        raise ValueError("impossible")
    return plain(prior, likelihood)


def rounds(prior, likelihood):
    return {h: round(each, 3) for h, each in plain(prior, likelihood).items()}


def evidence_of_a_prior_that_sums_to_1(prior, likelihood):
    first = next(iter(prior))
    total = prior[first] * likelihood[first] + sum(likelihood[h] * prior[h] for h in prior if h != first)
    return {h: each / total for h, each in products(prior, likelihood).items()} if total > 1e-9 else plain(prior, {})


def likelihoods(result, sensitivity, false_positive):
    return (sensitivity, false_positive) if result == "+" else (1 - sensitivity, 1 - false_positive)


def factors(tests, echo="same", power=1):
    before = None
    for result, s, f, copied in tests:
        sick, healthy = likelihoods(result, s, f)
        if echo == "always" or (echo == "same" and result == before) or (echo == "plus" and result == before == "+"):
            sick, healthy = copied + (1 - copied) * sick, copied + (1 - copied) * healthy
        elif echo == "nothing" and result == before:
            sick, healthy = (1 - copied) * sick, (1 - copied) * healthy
        yield sick, healthy
        before = result


def from_logs(prior, pairs):
    return 1 / (1 + exp(-(log(prior / (1 - prior)) + sum(log(s / h) for s, h in pairs))))


def belief(prior, tests):
    return from_logs(prior, factors(tests))


def two_sums(prior, tests):
    pairs = list(factors(tests))
    logs = np.array([log(prior) + sum(log(s) for s, _ in pairs), log(1 - prior) + sum(log(h) for _, h in pairs)])
    weights = np.exp(logs - logs.max())
    return weights[0] / weights.sum()


def with_the_constant(prior, tests):
    """1 − copied in both likelihoods of a result that differs; it cancels."""
    before, total = None, log(prior) - log(1 - prior)
    for result, s, f, copied in tests:
        sick, healthy = ((1 - copied) * each + copied * (result == before) for each in likelihoods(result, s, f))
        total, before = total + log(sick) - log(healthy), result
    return 1 / (1 + exp(-total))


def update(prior, tests):
    """The lesson's function, which has no copies."""
    for result, s, f, _ in tests:
        sick, healthy = likelihoods(result, s, f)
        prior = sick * prior / (sick * prior + healthy * (1 - prior))
    return prior


def update_with_copies(prior, tests):
    for sick, healthy in factors(tests):
        prior = sick * prior / (sick * prior + healthy * (1 - prior))
    return prior


def odds(prior, tests):
    odds = prior / (1 - prior)
    for sick, healthy in factors(tests):
        odds *= sick / healthy
    return odds / (1 + odds)


def both_products(prior, tests):
    sick, healthy = prior, 1 - prior
    for s, h in factors(tests):
        sick, healthy = sick * s, healthy * h
    return sick / (sick + healthy)


def copies_of_any_earlier(prior, tests):
    seen, pairs = set(), []
    for result, s, f, copied in tests:
        pairs.append(tuple(copied * (result in seen) + (1 - copied) * each for each in likelihoods(result, s, f)))
        seen.add(result)
    return from_logs(prior, pairs)


def clipped(prior, tests):
    """Step by step, but the belief is kept away from 0 and 1."""
    for sick, healthy in factors(tests):
        prior = min(max(sick * prior / (sick * prior + healthy * (1 - prior)), 1e-12), 1 - 1e-12)
    return prior


def group(student):
    table = data.study(student)  # noqa: F821
    share = table["sick per 100,000"] / 100_000
    return share, *(table[state]["+"] / (table[state]["+"] + table[state]["-"]) for state in ("sick", "healthy"))


def share(student):
    p, s, f = group(student)
    return s * p / (s * p + f * (1 - p))


def of_the_study(student):
    table = data.study(student)  # noqa: F821
    return table["sick"]["+"] / (table["sick"]["+"] + table["healthy"]["+"])


def by_counts(student):
    """In 100,000 people of the group."""
    p, s, f = group(student)
    sick, healthy = 100_000 * p * s, 100_000 * (1 - p) * f
    return 1 / (1 + healthy / sick)


ALMOST_RIGHT = {
    "posterior": {
        "products, sum, division": plain,
        "with arrays": arrays,
        "with logarithms": in_logs,
        "likelihoods by their place": zipped,
        "no guard": unguarded,
        "a guard for the likelihoods alone": guards_the_likelihood_only,
        "without the hypotheses of posterior 0": leaves_zeros_out,
        "a prior that must sum to 1": needs_shares,
        "a ValueError for any zero": raises_for_any_zero,
        "three decimals": rounds,
        "a guard at 1e-9 that stops with a KeyError": evidence_of_a_prior_that_sums_to_1,
    },
    "belief_after": {
        "a sum of logs": belief,
        "two sums of logs": two_sums,
        "1 − copied where it cancels": with_the_constant,
        "the lesson's update": update,
        "the update, with copies": update_with_copies,
        "odds multiplied": odds,
        "two products": both_products,
        "any result may be a copy": lambda prior, tests: from_logs(prior, factors(tests, "always")),
        "only positives are copied": lambda prior, tests: from_logs(prior, factors(tests, "plus")),
        "a repeated result is never a copy": lambda prior, tests: from_logs(prior, factors(tests, "nothing")),
        "copied from any earlier result": copies_of_any_earlier,
        "a belief kept between 1e-12 and 1 − 1e-12": clipped,
        "rounded": lambda prior, tests: round(belief(prior, tests), 4),
        "P(healthy)": lambda prior, tests: 1 - belief(prior, tests),
        "logs of the products": lambda prior, tests: from_logs(
            prior, [(math.prod(s for s, _ in factors(tests)), math.prod(h for _, h in factors(tests)))]
        ),
    },
    "share_sick": {
        "right": share,
        "right, by counts": by_counts,
        "three decimals": lambda student: round(share(student), 3),
        "the share in the study": of_the_study,
        "without the prior": lambda student: group(student)[1] / sum(group(student)[1:]),
        "without 1 − p": lambda student: (
            group(student)[0] * group(student)[1] / (group(student)[0] * group(student)[1] + group(student)[2])
        ),
    },
}
