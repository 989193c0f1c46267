"""The practice tasks of section 03. A mistake is a function that errs in a known way, so that its name can be told."""

import math

import numpy as np

from bayeslib.models.likelihood import (
    code_length,
    description_length,
    fit_line,
    gaussian_log_likelihood,
    gaussian_ml,
    least_absolute_line,
)


def _of_counts(values, counts):
    return gaussian_ml(np.repeat(values, counts))


def _about(values, counts, centre, n=None):
    """The centre, and the squared distances to it over n (by default all of them)."""
    data = np.repeat(values, counts)
    return centre(data), ((data - centre(data)) ** 2).sum() / (n or (lambda data: len(data)))(data)


def _residuals(x, y, intercept, slope):
    return np.asarray(y) - intercept - slope * np.asarray(x)


def _with(formula):
    """A log-likelihood of residuals as one of points and a line."""
    return lambda x, y, intercept, slope, sigma: formula(_residuals(x, y, intercept, slope), sigma)


def _gap(prior, likelihood, base=2):
    first, second = (description_length(p, q, base) for p, q in zip(prior, likelihood))
    return first - second


def _absolute_x_on_y(x, y):
    intercept, slope = least_absolute_line(y, x)
    return -intercept / slope, 1 / slope


def _absolute_through_origin(x, y):
    slopes = [b / a for a, b in zip(x, y) if a]
    return 0, min(slopes, key=lambda slope: sum(abs(b - slope * a) for a, b in zip(x, y)))


NATS = "Bits need logarithms to base 2; one nat is 1.443 bits."
SWAPPED = "Return the intercept first and the slope second."
TASKS = {
    "counted": {
        "arguments": "values, counts",
        "cases": [([2, 4, 5, 10], [1, 2, 1, 1]), ([0, 1, 5], [3, 1, 2]), ([1.5, 2.0, 4.0], [2, 5, 1]), ([7], [3])],
        "solve": _of_counts,
        "right": "Every value counts as often as it was measured, in the mean and in the variance.",
        "hint": "A value that was measured twice appears twice in both sums, and n is the number of measurements.",
        "mistakes": {
            "n-minus-one": lambda v, c: _about(v, c, np.mean, lambda data: max(len(data) - 1, 1)),
            "median-for-mean": lambda v, c: _about(v, c, np.median),
            "spread": lambda v, c: (np.mean(np.repeat(v, c)), np.std(np.repeat(v, c))),
            "The counts are left out: a value that was measured twice counts twice.": lambda v, c: gaussian_ml(v),
        },
    },
    "line-log-likelihood": {
        "arguments": "x, y, intercept, slope, sigma",
        "cases": [
            ([0, 1, 2, 3, 4], [1, 3, 2, 5, 4], 1.4, 0.8, 2),
            ([0, 1, 2], [1, 0, -2.5], 0, -1, 0.5),
            ([3, 4], [1.0, 3.0], 1, 0.25, 1),
        ],
        "solve": _with(gaussian_log_likelihood),
        "right": "The squared error is inside it, and everything else does not depend on the line.",
        "hint": "First the residuals of the line. Then the logarithm of one point's density, −½ ln 2πσ² − r²/2σ², summed over the points.",
        "mistakes": {
            "half-variance": _with(lambda r, s: -len(r) / 2 * math.log(2 * math.pi * s**2) - r @ r / (2 * s)),
            "dropped-constants": _with(lambda r, s: -(r @ r) / (2 * s**2)),
            "one-point": _with(lambda r, s: -math.log(2 * math.pi * s**2) / 2 - r @ r / (2 * s**2)),
            "sign-flip": _with(lambda r, s: -gaussian_log_likelihood(r, s)),
        },
    },
    "absolute-line": {
        "arguments": "x, y",
        "cases": [
            ([0, 1, 2, 3, 4], [1, 3, 10, 5, 4]),
            ([0, 1, 2, 3, 4], [1, 3, 2, 5, 4]),
            ([0, 1, 2, 4, 5], [3.0, 1.0, 0.5, 9.0, 2.0]),
        ],
        "solve": least_absolute_line,
        "right": "No line has a smaller sum of absolute errors, and under Laplace noise none is more likely.",
        "hint": "For every pair of points with different x: the line through both, and its Σ |r| over all points. Keep the smallest.",
        "mistakes": {
            SWAPPED: lambda x, y: least_absolute_line(x, y)[::-1],
            "ls-natural": fit_line,
            "x-on-y": _absolute_x_on_y,
            "through-origin": _absolute_through_origin,
        },
    },
    "gap": {
        "arguments": "prior, likelihood",
        "cases": [((0.008, 0.992), (0.98, 0.03)), ((0.5, 1 / 64), (1 / 32, 0.25)), ((0.25, 0.75), (0.5, 0.125))],
        "solve": _gap,
        "right": "Where the gap is positive, the second message is shorter and its hypothesis is more probable.",
        "hint": "Two messages, each with two parts, −log₂ of the prior and −log₂ of the likelihood. Subtract the second length from the first.",
        "mistakes": {
            "fit-best": lambda prior, likelihood: code_length(likelihood[0]) - code_length(likelihood[1]),
            NATS: lambda prior, likelihood: _gap(prior, likelihood, math.e),
            "sign-flip": lambda prior, likelihood: -_gap(prior, likelihood),
            "lengths-multiply": lambda prior, likelihood: (
                code_length(prior[0]) * code_length(likelihood[0]) - code_length(prior[1]) * code_length(likelihood[1])
            ),
        },
    },
}
