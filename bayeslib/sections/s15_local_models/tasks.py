"""The practice tasks of section 15. A mistake is a function that errs in a known way, so that its name can be told."""

import numpy as np

from bayeslib.models.local import FIVE_X, FIVE_Y, LocallyWeightedRegression, distance_weighted_mean, wave_sample


def _gaussian(x, query, h):
    return np.exp(-((np.asarray(x) - query) ** 2) / (2 * h**2))


def _line(x, y, query, weights):
    """Intercept and slope of the weighted line, about the query."""
    root = np.sqrt(weights)
    rows = np.stack([root, root * (np.asarray(x) - query)], axis=1)
    return np.linalg.lstsq(rows, root * np.asarray(y), rcond=None)[0]


def _local_line(x, y, query, h):
    return float(LocallyWeightedRegression(bandwidth=h).fit(x, y).predict([query])[0])


def _intercept_at_zero(x, y, query, h):
    return float(_line(x, y, 0, _gaussian(x, query, h))[0])


def _distance_weighted(x, y, query, k):
    return float(distance_weighted_mean(x, y, [query], k)[0])


def _inverse(x, y, query, k, power):
    """1/d^power as it stands, so that a zero distance makes infinity over infinity."""
    order = np.argsort(np.abs(np.asarray(x) - query), kind="stable")[:k]
    with np.errstate(all="ignore"):
        weights = np.abs(np.asarray(x)[order] - query) ** -float(power)
        return float((weights * np.asarray(y)[order]).sum() / weights.sum())


def _three_errors(distances, residuals, k, h):
    distances, squares = np.asarray(distances), np.asarray(residuals) ** 2
    weights, near = np.exp(-(distances**2) / (2 * h**2)), np.argsort(distances, kind="stable")[:k]
    return [float(each.sum() / 2) for each in (squares[near], weights * squares, (weights * squares)[near])]


def _weighted_residuals(distances, residuals, k, h):
    distances, residuals = np.asarray(distances), np.asarray(residuals)
    weights, near = np.exp(-(distances**2) / (2 * h**2)), np.argsort(distances, kind="stable")[:k]
    weighted = (weights * residuals) ** 2
    return [float(each.sum() / 2) for each in (residuals[near] ** 2, weighted, weighted[near])]


def _best(x, y, bandwidths, answers):
    """The bandwidth whose answers at the examples, made by `answers(model)`, come nearest to y."""
    models = [LocallyWeightedRegression(bandwidth=h, degree=0).fit(x, y) for h in bandwidths]
    errors = [np.mean((np.asarray(y) - answers(model)) ** 2) for model in models]
    return float(bandwidths[int(np.argmin(errors))])


X, Y = FIVE_X.tolist(), FIVE_Y.tolist()
WAVE = [values.tolist() for values in wave_sample(40, random_state=1)]

TASKS = {
    "distance-weighted": {
        "arguments": "x, y, query, k",
        "cases": [(X, Y, 2.5, 5), (X, Y, 2.5, 4), (X, Y, 3.0, 5), (X, Y, 7.0, 2)],
        "solve": _distance_weighted,
        "right": "Near points count more, and at a point of the data its own value comes back.",
        "hint": "Sort the points by distance, keep k of them, weigh each by 1/d², and divide by the weights' sum. "
        "What if a distance is 0?",
        "mistakes": {
            "zero-distance": lambda x, y, q, k: _inverse(x, y, q, k, 2),
            "Here the weight is one over the squared distance.": lambda x, y, q, k: _inverse(x, y, q, k, 1),
            "whole-crowd": lambda x, y, q, k: _distance_weighted(x, y, q, None),
            "equal-neighbours": lambda x, y, q, k: _inverse(x, y, q, k, 0),
        },
    },
    "local-line": {
        "arguments": "x, y, query, h",
        "cases": [(X, Y, 6.0, 1.5), (X, Y, 2.5, 1.0), ([0.0, 1, 2, 3], [1.0, 3, 5, 7], 10.0, 4.0)],
        "solve": _local_line,
        "right": "A line for this query only, and its value at the query is the answer.",
        "hint": "Weights w = exp(−(x − query)² / 2h²). Then either solve the two equations for the line, or give least "
        "squares the rows √w · (1, x − query) and √w · y: the intercept is the answer.",
        "mistakes": {
            "weights-on-rows": lambda x, y, q, h: float(_line(x, y, q, _gaussian(x, q, h) ** 2)[0]),
            "average-line": lambda x, y, q, h: float(np.average(y, weights=_gaussian(x, q, h))),
            "one-fit": lambda x, y, q, h: float(_line(x, y, q, np.ones(len(x)))[0]),
            "bandwidth-variance": lambda x, y, q, h: float(_line(x, y, q, _gaussian(x, q, h**0.5))[0]),
            "intercept-at-zero": _intercept_at_zero,
        },
    },
    "three-errors": {
        "arguments": "distances, residuals, k, h",
        "cases": [([0.5, 1.5, 0.5, 3.5], [1.0, -2, 0.5, 3], 2, 1.0), ([2.0, 0.1, 1.0], [0.3, 0.2, -1], 1, 0.5)],
        "solve": _three_errors,
        "right": "The same residuals, three sums: some count whole, all count in part, or some count in part.",
        "hint": "E1 sums r² over the k smallest distances, E2 w r² over all, E3 w r² over the k smallest, each halved.",
        "mistakes": {
            "The criteria are defined with a factor ½, which does not move the minimum.": lambda d, r, k, h: [
                2 * each for each in _three_errors(d, r, k, h)
            ],
            "weights-on-rows": _weighted_residuals,
            "whole-crowd": lambda d, r, k, h: _three_errors(d, r, len(d), h),
            "bandwidth-variance": lambda d, r, k, h: _three_errors(d, r, k, h**0.5),
        },
    },
    "choose-bandwidth": {
        "arguments": "x, y, bandwidths",
        "cases": [
            (*WAVE, [0.006, 0.015, 0.04, 0.2, 1.0]),
            (*WAVE, [0.02, 0.08, 0.5]),
            (X, Y, [0.3, 1.0, 3.0]),
        ],
        "solve": lambda x, y, bandwidths: _best(x, y, bandwidths, lambda model: model.leave_one_out()),
        "right": "Every point was judged by the others, and no truth was needed.",
        "hint": "For every h and every i: average the other points with weights exp(−(x − x_i)² / 2h²), and compare "
        "with y_i. The h with the least mean square wins.",
        "mistakes": {
            "small-training": lambda x, y, bandwidths: _best(x, y, bandwidths, lambda model: model.predict(x)),
            "wide-is-safe": lambda x, y, bandwidths: float(max(bandwidths)),
        },
    },
}
