"""The practice tasks of section 03. A mistake is a function that errs in a known way, so that its name can be told."""

import math

import numpy as np

from bayeslib.models.likelihood import fit_line, gaussian_log_likelihood, least_absolute_line, mean_posterior


def _residuals(x, y, intercept, slope):
    return np.asarray(y) - intercept - slope * np.asarray(x)


def _with(formula):
    """A log-likelihood of residuals as one of points and a line."""
    return lambda x, y, intercept, slope, sigma: formula(_residuals(x, y, intercept, slope), sigma)


def _absolute_x_on_y(x, y):
    intercept, slope = least_absolute_line(y, x)
    return -intercept / slope, 1 / slope


def _absolute_through_origin(x, y):
    slopes = [b / a for a, b in zip(x, y) if a]
    return 0, min(slopes, key=lambda slope: sum(abs(b - slope * a) for a, b in zip(x, y)))


def _level(siblings, prediction, sigma, sigma0):
    return mean_posterior(siblings, sigma, prediction, sigma0) if siblings else (prediction, sigma0)


def _with_ghosts(ghosts):
    """The level and its width, with another number of ghosts."""

    def level(siblings, prediction, sigma, sigma0):
        total = len(siblings) + ghosts(sigma, sigma0)
        return (sum(siblings) + ghosts(sigma, sigma0) * prediction) / total, sigma / math.sqrt(total)

    return level


def _siblings_alone(siblings, prediction, sigma, sigma0):
    return sum(siblings) / max(len(siblings), 1), sigma / math.sqrt(max(len(siblings), 1))


def _ghosts_forgotten(siblings, prediction, sigma, sigma0):
    return _level(siblings, prediction, sigma, sigma0)[0], sigma / math.sqrt(max(len(siblings), 1))


def _halfway(siblings, prediction, sigma, sigma0):
    level, width = _level(siblings, prediction, sigma, sigma0)
    return ((np.mean(siblings) + prediction) / 2 if siblings else level), width


SWAPPED = "Return the intercept first and the slope second."
TASKS = {
    "line-log-likelihood": {
        "arguments": "x, y, intercept, slope, sigma",
        "cases": [
            ([0, 1, 2, 3, 4], [1, 3, 2, 5, 4], 1.4, 0.8, 2),
            ([0, 1, 2], [1, 0, -2.5], 0, -1, 0.5),
            ([3, 4], [1.0, 3.0], 1, 0.25, 1),
        ],
        "solve": _with(gaussian_log_likelihood),
        "right": "The squared error is inside it, and everything else is the same for every line.",
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
    "next-child": {
        "arguments": "siblings, prediction, sigma, sigma0",
        "cases": [
            ([2, 4, 4, 5, 10], 8, 2, 1),
            ([], 70, 2, 1),
            ([71.0], 68.5, 2.0, 1.0),
            ([70.0, 73.0], 69.0, 2.0, 4.0),
        ],
        "solve": _level,
        "right": "The prior stood on the plank as so many siblings, and with nobody else there it keeps its own level and width.",
        "hint": "The prior is worth σ²/σ₀² siblings, all of them at the prediction. Average everybody, and divide σ by the root of how many stand there.",
        "mistakes": {
            "fit-best": _siblings_alone,
            "half-variance: The prior is worth σ²/σ₀² siblings: both are squared.": _with_ghosts(
                lambda sigma, sigma0: sigma / sigma0
            ),
            "equal-noise": _halfway,
            "ghosts-forgotten": _ghosts_forgotten,
        },
    },
}
