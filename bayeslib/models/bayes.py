"""Bayes' theorem: from beliefs before the data to beliefs after it (section 01).

    P(h|D) = P(D|h) P(h) / P(D),    P(D) = Σ_h P(D|h) P(h)

`prior` and `likelihood` are mappings keyed by hypothesis (a dict, a pandas column) or plain arrays; the result is of
the same kind. Mappings are computed with Python's own arithmetic, so that exact fractions stay exact. A product of small
numbers is taken in logs, where it does not underflow: log P(h|D) = log P(h) + log P(D|h) − log P(D).
"""

from math import inf
from numbers import Rational

import numpy as np

from bayeslib.models._checks import (
    as_number,
    as_probabilities,
    exact_log,
    is_mapping,
    like,
    one_number,
    one_probability,
    same_keys,
    sequence,
    short,
)

FAINT = 1e-100  # a smaller float may have lost digits to underflow on the way


def total_probability(prior, likelihood):
    """P(D) = Σ_h P(D|h) P(h), the theorem of total probability (section 01).

    >>> round(total_probability({"sick": 0.008, "healthy": 0.992}, {"sick": 0.98, "healthy": 0.03}), 4)
    0.0376
    """
    prior, likelihood = _pair(prior, likelihood)
    if is_mapping(prior):
        return sum(likelihood[h] * prior[h] for h in prior.keys())
    return float((likelihood * prior).sum())


def posterior(prior, likelihood):
    """P(h|D) = P(D|h) P(h) / P(D) for every hypothesis h (section 01).

    >>> from fractions import Fraction
    >>> posterior({"fair": Fraction(1, 2), "two heads": Fraction(1, 2)}, {"fair": Fraction(1, 2), "two heads": 1})
    {'fair': Fraction(1, 3), 'two heads': Fraction(2, 3)}
    >>> posterior([0.5, 0.5], [0.2, 0.6])
    array([0.25, 0.75])
    """
    kind = prior
    prior, likelihood = _pair(prior, likelihood)
    evidence = total_probability(prior, likelihood)
    if evidence < FAINT and not isinstance(evidence, Rational) or evidence == 0:
        belief = _from_logs(prior, _logs(prior) + _logs(likelihood))
    elif is_mapping(prior):
        belief = {h: likelihood[h] * prior[h] / evidence for h in prior.keys()}
    else:
        belief = likelihood * prior / evidence
    return like(kind, belief) if is_mapping(prior) else belief


def update(prior, likelihoods):
    """Posteriors after each piece of evidence in turn: yesterday's posterior is today's prior (section 01).

    `likelihoods` holds one likelihood per piece of evidence; the result holds one posterior for each of them, as a list of
    mappings or as the rows of an array. The evidence must be independent given the hypothesis.

    >>> positive = {"sick": 0.98, "healthy": 0.03}
    >>> [round(after["sick"], 3) for after in update({"sick": 0.008, "healthy": 0.992}, [positive, positive])]
    [0.209, 0.896]
    """
    first = belief = as_probabilities(prior, "prior", total=True)
    steps, logs = [], _logs(first)
    for number, likelihood in enumerate(sequence(likelihoods, "likelihoods", "one likelihood per piece of evidence")):
        try:
            _, likelihood = _pair(first, likelihood)
            logs = logs + _logs(likelihood)
            # In logs, where no belief is lost that is too small for a float and may grow again.
            belief = posterior(belief, likelihood) if _is_exact(belief, likelihood) else _from_logs(first, logs)
        except ValueError as error:
            raise ValueError(f"likelihoods[{number}]: {error}") from None
        steps.append(belief)
    if is_mapping(belief):
        return [like(prior, step) for step in steps]
    return np.array(steps).reshape(len(steps), len(belief))


def diagnosis(prior, sensitivity, false_positive):
    """Prior and likelihood of a positive test as mappings over sick and healthy (section 01's running example).

    >>> posterior(*diagnosis(0.25, 0.75, 0.25))
    {'sick': 0.5, 'healthy': 0.5}
    """
    prior = one_probability(prior, "prior")
    return (
        {"sick": prior, "healthy": 1 - prior},
        {
            "sick": one_probability(sensitivity, "sensitivity"),
            "healthy": one_probability(false_positive, "false_positive"),
        },
    )


def natural_frequencies(prior, sensitivity, false_positive, crowd):
    """How many of a crowd are sick or healthy, and tested positive or negative, on average (section 01).

    >>> natural_frequencies(0.25, 0.5, 0.125, 64)
    {('sick', '+'): 8.0, ('sick', '-'): 8.0, ('healthy', '+'): 6.0, ('healthy', '-'): 42.0}
    """
    belief, positive = diagnosis(prior, sensitivity, false_positive)
    number = one_number(crowd, "crowd", low=0)
    crowd = crowd if isinstance(crowd, Rational) else number
    return {
        (state, sign): crowd * belief[state] * (positive[state] if sign == "+" else 1 - positive[state])
        for state in belief
        for sign in "+-"
    }


def posterior_curve(priors, sensitivity, false_positive):
    """P(sick|+) for each of many priors at once: `posterior` of `diagnosis`, as one line of numpy (section 01).

    >>> posterior_curve([0.25, 0.75], 0.75, 0.25)
    array([0.5, 0.9])
    """
    _, positive = diagnosis(0.5, sensitivity, false_positive)
    priors = np.asarray(as_number(priors, "priors", low=0, high=1), dtype=float)
    joint = priors * positive["sick"]
    evidence = joint + (1 - priors) * positive["healthy"]
    if not np.all(evidence > 0):
        raise ValueError(
            f"priors must leave a positive test possible where sensitivity = {sensitivity} and false_positive = {false_positive}"
        )
    return joint / evidence


def flip_prior(sensitivity, false_positive, harm=1):
    """The prior above which acting on a positive pays, f / (harm · s + f); with harm = 1 MAP flips there (section 01).

    `harm` is how many needless treatments weigh as much as one missed illness; acting pays where P(sick|+) > 1 / (1 + harm).

    >>> round(flip_prior(0.98, 0.03), 4)
    0.0297
    >>> round(flip_prior(0.98, 0.03, harm=10), 4)
    0.0031
    """
    sensitivity = one_probability(sensitivity, "sensitivity")
    false_positive = one_probability(false_positive, "false_positive")
    if one_number(harm, "harm", low=0) == 0:
        raise ValueError(f"harm must be above 0, got {harm}: if a missed illness does no harm, acting never pays")
    if harm * sensitivity + false_positive == 0:
        raise ValueError("sensitivity and false_positive must not both be 0: such a test is never positive")
    return false_positive / (harm * sensitivity + false_positive)


def repeated_test(results, sensitivity, false_positive, copied=0.0):
    """The likelihood of each result in a string like "+-+", for sick and healthy (section 01).

    With a share `copied`, a result merely repeats the one before it; else it is drawn afresh, independent given the state:
    P(result | h, result before) = copied · [same as before] + (1 − copied) · P(result | h).

    >>> repeated_test("+-", 0.75, 0.25)
    [{'sick': 0.75, 'healthy': 0.25}, {'sick': 0.25, 'healthy': 0.75}]
    """
    _, positive = diagnosis(0.5, sensitivity, false_positive)
    copied = one_probability(copied, "copied")
    if not isinstance(results, str) or set(results) - set("+-−"):
        raise ValueError(f"results must hold only + and -, got {short(results)}")
    results = results.replace("−", "-")
    likelihoods, before = [], None
    for result in results:
        share = copied if before is not None else 0
        likelihoods.append(
            {h: share * (result == before) + (1 - share) * (p if result == "+" else 1 - p) for h, p in positive.items()}
        )
        before = result
    return likelihoods


def _pair(prior, likelihood):
    prior = as_probabilities(prior, "prior", total=True)
    likelihood = as_probabilities(likelihood, "likelihood")
    same_keys(prior, likelihood)
    if is_mapping(prior):  # logarithms are added by position, so both need the same order
        likelihood = {h: likelihood[h] for h in prior.keys()}
    return prior, likelihood


def _is_exact(*mappings):
    """Whether all numbers are whole or fractions, so that nothing is rounded and nothing underflows."""
    return all(is_mapping(m) and all(isinstance(p, Rational) for p in m.values()) for m in mappings)


def _logs(probabilities):
    """Logarithms in the order of the hypotheses, −∞ for what is impossible."""
    if is_mapping(probabilities):
        return np.array([exact_log(p) for p in probabilities.values()])
    with np.errstate(divide="ignore"):
        return np.log(probabilities)


def _from_logs(prior, logs):
    """Beliefs that sum to 1 from their logs, which may be off by a constant."""
    if not (logs > -inf).any():
        raise ValueError(
            "likelihood must be above 0 for a hypothesis with a prior above 0: "
            "this evidence is impossible under every hypothesis, so P(D) = 0 and there is no posterior"
        )
    belief = np.exp(logs - logs.max())
    belief /= belief.sum()
    return dict(zip(prior, belief.tolist())) if is_mapping(prior) else belief
