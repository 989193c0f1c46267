"""Bayes theorem: from beliefs before the data to beliefs after it (section 01).

    P(h|D) = P(D|h) P(h) / P(D),    P(D) = Σ_h P(D|h) P(h)

`prior` and `likelihood` are mappings keyed by hypothesis (a dict, a pandas column) or plain arrays; the answer comes back
as the same kind. Mappings are computed with Python's own arithmetic, so that exact fractions stay exact.
"""

import numpy as np

from bayeslib._checks import as_probabilities, is_mapping, like, one_probability, same_keys


def total_probability(prior, likelihood):
    """P(D) = Σ_h P(D|h) P(h), the theorem of total probability (section 01)."""
    prior, likelihood = _pair(prior, likelihood)
    if is_mapping(prior):
        return sum(likelihood[h] * prior[h] for h in prior.keys())
    return float((likelihood * prior).sum())


def posterior(prior, likelihood):
    """P(h|D) = P(D|h) P(h) / P(D) for every hypothesis h (section 01)."""
    kind = prior
    prior, likelihood = _pair(prior, likelihood)
    evidence = total_probability(prior, likelihood)
    if evidence == 0:
        raise ValueError(
            "likelihood must be above 0 for a hypothesis with a prior above 0: "
            "this evidence is impossible under every hypothesis, so P(D) = 0 and there is no posterior"
        )
    if is_mapping(prior):
        return like(kind, {h: likelihood[h] * prior[h] / evidence for h in prior.keys()})
    return likelihood * prior / evidence


def update(prior, likelihoods):
    """Posteriors after each piece of evidence in turn: yesterday's posterior is today's prior (section 01).

    `likelihoods` holds one likelihood per piece of evidence; the answer holds one posterior for each of them, as a list of
    mappings or as the rows of an array. The evidence must be independent given the hypothesis.
    """
    if is_mapping(likelihoods):
        raise ValueError(
            f"likelihoods must be a sequence with one likelihood per piece of evidence, got {likelihoods!r}"
        )
    belief, steps = as_probabilities(prior, "prior", total=True), []
    for number, likelihood in enumerate(likelihoods):
        try:
            belief = posterior(belief, likelihood)
        except ValueError as error:
            raise ValueError(f"likelihoods[{number}]: {error}") from None
        steps.append(belief)
    if is_mapping(belief):
        return [like(prior, step) for step in steps]
    return np.array(steps).reshape(len(steps), len(belief))


def diagnosis(prior, sensitivity, false_positive):
    """Prior and likelihood of a positive test as mappings over sick and healthy (section 01's running example)."""
    prior = one_probability(prior, "prior")
    return (
        {"sick": prior, "healthy": 1 - prior},
        {
            "sick": one_probability(sensitivity, "sensitivity"),
            "healthy": one_probability(false_positive, "false_positive"),
        },
    )


def natural_frequencies(prior, sensitivity, false_positive, crowd):
    """How many of a crowd are sick or healthy, and tested positive or negative, on average (section 01)."""
    belief, positive = diagnosis(prior, sensitivity, false_positive)
    return {
        (state, sign): crowd * belief[state] * (positive[state] if sign == "+" else 1 - positive[state])
        for state in belief
        for sign in "+-"
    }


def posterior_curve(priors, sensitivity, false_positive):
    """P(sick|+) for each of many priors at once: `posterior` of `diagnosis`, as one line of numpy (section 01)."""
    _, positive = diagnosis(0.5, sensitivity, false_positive)
    priors = np.asarray(priors, dtype=float)
    joint = priors * positive["sick"]
    return joint / (joint + (1 - priors) * positive["healthy"])


def flip_prior(sensitivity, false_positive):
    """The prior at which P(sick|+) is one half, f / (s + f): above it MAP says sick, below it healthy (section 01)."""
    sensitivity = one_probability(sensitivity, "sensitivity")
    false_positive = one_probability(false_positive, "false_positive")
    if sensitivity + false_positive == 0:
        raise ValueError("sensitivity and false_positive must not both be 0: such a test is never positive")
    return false_positive / (sensitivity + false_positive)


def repeated_test(results, sensitivity, false_positive, copied=0.0):
    """The likelihood of each result in a string like "+-+", for sick and healthy (section 01).

    With a share `copied`, a result merely repeats the one before it; else it is drawn afresh, independent given the state:
    P(result | h, result before) = copied · [same as before] + (1 − copied) · P(result | h).
    """
    _, positive = diagnosis(0.5, sensitivity, false_positive)
    copied = one_probability(copied, "copied")
    results = results.replace("−", "-")
    if set(results) - {"+", "-"}:
        raise ValueError(f"results must hold only + and -, got {results!r}")
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
    return prior, likelihood
