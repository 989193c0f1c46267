"""The practice tasks of section 01. A mistake is a function that errs in a known way, so that its name can be told."""

from bayeslib.models.bayes import diagnosis, flip_prior, posterior, repeated_test, update


def _positive(prior, sensitivity, false_positive):
    return posterior(*diagnosis(prior, sensitivity, false_positive))["sick"]


def _after(prior, results, sensitivity, false_positive):
    steps = update(
        diagnosis(prior, sensitivity, false_positive)[0], repeated_test(results, sensitivity, false_positive)
    )
    return steps[-1]["sick"] if steps else prior


def _swapped(prior, results, s, f):
    for result in results:
        prior = posterior(*diagnosis(prior, *((s, f) if result == "+" else (1 - f, 1 - s))))["sick"]
    return prior


def _prior_twice(prior, results, s, f):
    belief = prior
    for result in results:
        sick, healthy = (s, f) if result == "+" else (1 - s, 1 - f)
        belief = belief * prior * sick / (belief * prior * sick + (1 - belief) * (1 - prior) * healthy)
    return belief


TASKS = {
    "posterior": {
        "arguments": "prior, sensitivity, false_positive",
        "cases": [(0.02, 0.8, 0.1), (0.008, 0.98, 0.03), (0.5, 0.9, 0.2)],
        "solve": _positive,
        "probability": True,
        "right": "You weighed both ways to a positive and divided.",
        "hint": "Write down the two products first: sick and positive, healthy and positive. Which share is the first of both?",
        "mistakes": {
            "inverse": lambda p, s, f: s,
            "base-rate": lambda p, s, f: s / (s + f),
            "joint-posterior": lambda p, s, f: s * p,
            "fp-flip": lambda p, s, f: 1 - f,
            "equal-crowds": lambda p, s, f: s * p / (s * p + f),
        },
    },
    "flip-prior": {
        "arguments": "sensitivity, false_positive, harm",
        "cases": [(0.8, 0.1, 4), (0.98, 0.03, 10), (0.7, 0.7, 3), (0.9, 0.2, 1)],
        "solve": flip_prior,
        "probability": True,
        "right": "At this prior both choices do the same expected harm; with a little more it pays to treat.",
        "hint": "Write the expected harm of waiting and of treating for a positive patient, with p for the prior, and set them equal.",
        "mistakes": {
            "equal-costs": lambda s, f, harm: f / (s + f),
            "swapped-costs": lambda s, f, harm: harm * f / (s + harm * f),
            "odds-probability": lambda s, f, harm: f / (harm * s),
            "even-prior": lambda s, f, harm: 0.5,
        },
    },
    "update": {
        "arguments": "prior, results, sensitivity, false_positive",
        "cases": [(0.02, "+-", 0.8, 0.1), (0.02, "++", 0.8, 0.1), (0.008, "+", 0.98, 0.03), (0.3, "", 0.9, 0.1)],
        "solve": _after,
        "probability": True,
        "right": "Each posterior became the next prior, and no result at all left the prior alone.",
        "hint": "Loop over the results and let the belief after one be the prior of the next.",
        "mistakes": {
            "reset": lambda p, r, s, f: _after(p, r[-1:], s, f),
            "deaf-to-negatives": lambda p, r, s, f: _after(p, r.replace("-", ""), s, f),
            "all-positive": lambda p, r, s, f: _after(p, "+" * len(r), s, f),
            "swapped-negative": _swapped,
            "prior-twice": _prior_twice,
        },
    },
}
