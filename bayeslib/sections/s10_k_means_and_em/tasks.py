"""The practice tasks of section 10. A mistake is a function that errs in a known way, so that its name can be told."""

import numpy as np

from bayeslib.models.mixtures import averages, nearest


def _exponents(x, means, sigma):
    return -0.5 * ((np.asarray(x, dtype=float)[:, None] - np.asarray(means)) / sigma) ** 2


def _shares(x, means, sigma, weights):
    logs = np.log(weights) + _exponents(x, means, sigma)
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def _densities(x, means, sigma, weights):
    return np.asarray(weights) * np.exp(_exponents(x, means, sigma)) / (sigma * np.sqrt(2 * np.pi))


def _without_logs(x, means, sigma, weights):
    densities = _densities(x, means, sigma, weights)
    with np.errstate(invalid="ignore"):
        return densities / densities.sum(axis=1, keepdims=True)


def _over_points(x, means, sigma, weights):
    densities = _densities(x, means, sigma, weights)
    with np.errstate(invalid="ignore"):
        return densities / densities.sum(axis=0)


def _decided(shares):
    return np.eye(np.shape(shares)[1])[np.argmax(shares, axis=1)]


def _weighted(x, shares, total=None, centre=None):
    """(means, variances) from shares; the slips are another total or another centre."""
    x, shares = np.asarray(x, dtype=float), np.asarray(shares, dtype=float)
    total = shares.sum(axis=0) if total is None else total
    means = x @ shares / total
    away = (x[:, None] - (means if centre is None else centre)) ** 2
    return means, (shares * away).sum(axis=0) / total


def _kmeans_pass(x, means):
    x, means = np.asarray(x, dtype=float)[:, None], np.asarray(means, dtype=float)[:, None]
    return averages(x, nearest(x, means), means)[:, 0]


def _pass_with(x, means, average):
    """A pass of k-means with another idea of an average."""
    labels = nearest(np.asarray(x, dtype=float)[:, None], np.asarray(means, dtype=float)[:, None])
    return [average([a for a, label in zip(x, labels) if label == j], mean) for j, mean in enumerate(means)]


LINE = [1.0, 1.6, 2.1, 2.4, 3.4, 4.2, 5.1, 5.8, 6.3, 7.1]

TASKS = {
    "k-means-pass": {
        "arguments": "x, means",
        "cases": [([1.0, 2.0, 6.0, 7.0, 11.0], [3, 4]), (LINE, [3, 4]), (LINE, [3, 20])],
        "solve": _kmeans_pass,
        "right": "Assign, average, and leave a mean without points alone.",
        "hint": "First find the nearest mean of every point, then average the points of each mean.",
        "mistakes": {
            "empty-cluster": lambda x, m: _pass_with(x, m, lambda mine, mean: np.mean(mine) if mine else 0.0),
            "divide-by-all": lambda x, m: _pass_with(x, m, lambda mine, mean: sum(mine) / len(x)),
        },
    },
    "e-step": {
        "arguments": "x, means, sigma, weights",
        "cases": [
            ([3.4], [3, 4], 1, [0.5, 0.5]),
            ([1.0, 3.4, 7.1], [3, 4], 1, [0.5, 0.5]),
            ([3.4, 5.0], [2, 6], 2, [0.9, 0.1]),
            ([0.0], [100, 120], 1, [0.5, 0.5]),
        ],
        "solve": _shares,
        "right": "Each row sums to 1, and a point far from both means is no trouble.",
        "hint": "One row for each point: weight times density for each component, divided by their sum.",
        "mistakes": {
            "no-logs": _without_logs,
            "density-share": _densities,
            "hard-share": lambda x, m, s, w: _decided(_shares(x, m, s, w)),
            "share-of-points": _over_points,
            "forgotten-weights": lambda x, m, s, w: _shares(x, m, s, [1 / len(m)] * len(m)),
        },
    },
    "m-step": {
        "arguments": "x, shares",
        "cases": [
            ([0.0, 2.0, 10.0], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]),
            (LINE, _shares(LINE, [3, 4], 1, [0.5, 0.5]).tolist()),
        ],
        "solve": _weighted,
        "right": "Weighted averages, each divided by its own N.",
        "hint": "N is the sum of a column of shares. The mean is Σ share · x / N, the variance Σ share · (x − mean)² / N.",
        "mistakes": {
            "divide-by-all": lambda x, r: _weighted(x, r, total=len(x)),
            "hard-share": lambda x, r: _weighted(x, _decided(r)),
            "wrong-centre": lambda x, r: _weighted(x, r, centre=np.mean(x)),
        },
    },
}
