"""The practice tasks of section 03. A mistake is a function that errs in a known way, so that its name can be told."""

import math

import numpy as np

from bayeslib.likelihood import (
    code_length,
    description_length,
    fit_line,
    gaussian_log_likelihood,
    gaussian_ml,
    least_absolute_line,
)


def _sse(residuals):
    return sum(r**2 for r in residuals)


def _x_on_y(x, y):
    intercept, slope = fit_line(y, x)
    return -intercept / slope, 1 / slope


TASKS = {
    "estimates": {
        "arguments": "data",
        "cases": [([2, 4, 4, 5, 10],), ([1.0, 2.0, 6.0],), ([3.5],)],
        "solve": gaussian_ml,
        "right": "The mean, and the mean of the squared distances to it; one point alone has variance 0.",
        "hint": "Return two numbers: the mean, and the mean of the squared distances to the mean.",
        "mistakes": {
            "n-minus-one": lambda data: (np.mean(data), _sse(data - np.mean(data)) / (len(data) - 1)),
            "median-for-mean": lambda data: (np.median(data), np.mean((data - np.median(data)) ** 2)),
            "spread": lambda data: (np.mean(data), np.std(data)),
        },
    },
    "log-likelihood": {
        "arguments": "residuals, sigma",
        "cases": [([-0.4, 0.8, -1.0, 1.2, -0.6], 2), ([1.0, 0.0, -1.0], 0.5), ([0.0], 1)],
        "solve": gaussian_log_likelihood,
        "right": "The squared error sits inside it, and everything else does not depend on the line.",
        "hint": "Take the logarithm of one point's density, −½ ln 2πσ² − r²/2σ², and add it up over the points.",
        "mistakes": {
            "half-variance": lambda r, s: -len(r) / 2 * math.log(2 * math.pi * s**2) - _sse(r) / (2 * s),
            "dropped-constants": lambda r, s: -_sse(r) / (2 * s**2),
            "one-point": lambda r, s: -math.log(2 * math.pi * s**2) / 2 - _sse(r) / (2 * s**2),
            "sign-flip": lambda r, s: -gaussian_log_likelihood(r, s),
        },
    },
    "fit-line": {
        "arguments": "x, y",
        "cases": [([0, 1, 2, 3, 4], [1, 3, 2, 5, 4]), ([1, 2, 4], [3.0, 1.0, 0.5]), ([-1, 1], [2, 4])],
        "solve": fit_line,
        "right": "No line has a smaller squared error, and under Gaussian noise none is more likely.",
        "hint": "The slope is Σ (x − x̄)(y − ȳ) / Σ (x − x̄)²; the line passes through (x̄, ȳ).",
        "mistakes": {
            "Return the intercept first and the slope second.": lambda x, y: fit_line(x, y)[::-1],
            "x-on-y": _x_on_y,
            "through-origin": lambda x, y: (0, sum(a * b for a, b in zip(x, y)) / sum(a * a for a in x)),
            "absolute-errors": least_absolute_line,
        },
    },
    "description-length": {
        "arguments": "prior, likelihood",
        "cases": [(0.008, 0.98), (0.992, 0.03), (1 / 64, 1 / 4), (1, 0.5)],
        "solve": description_length,
        "right": "The shorter of two such messages names the MAP hypothesis.",
        "hint": "Two code lengths, −log₂ of each probability, one after the other.",
        "mistakes": {
            "fit-best": lambda prior, likelihood: code_length(likelihood),
            "Bits need logarithms to base 2; one nat is 1.443 bits.": lambda prior, likelihood: description_length(
                prior, likelihood, math.e
            ),
            "sign-flip": lambda prior, likelihood: -description_length(prior, likelihood),
            "lengths-multiply": lambda prior, likelihood: code_length(prior) * code_length(likelihood),
        },
    },
}
