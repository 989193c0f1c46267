"""Locally weighted regression for many queries among many examples: what `local` computes, in less time.

With one attribute a query needs only a window of the sorted examples, those within reach of its kernel, and a constant or a
line only five sums over it: slope = cov_w(x, y) / var_w(x). All else is fitted as in the lesson, a few queries at a time.
"""

import numpy as np

from bayeslib.models.kernels import KERNELS
from bayeslib.models.neighbors import distances

CELLS = 2**14  # weights at a time: they fit in the cache
FAR = 45.0  # a Gaussian weight of e^−45 times the largest is lost in the rounding of the sums


def answers(model, queries, without_self):
    """`LocallyWeightedRegression._answer`."""
    values, todo = np.empty(len(queries)), np.arange(len(queries))
    if model.n_features_in_ == 1 and model.error == "kernel" and model.degree < 2:
        values, unsure = _one_attribute(model, queries[:, 0], without_self)
        todo = np.flatnonzero(unsure)
    step = max(1, CELLS // (len(model.X_) * model._n_coefficients))
    for begin in range(0, len(todo), step):
        part = todo[begin : begin + step]
        dist = distances(model.X_, queries[part])
        if without_self:
            dist[range(len(part)), part] = np.inf
        origin, beta = model._fits(dist)
        values[part] = (beta.T * model._columns(queries[part] - origin)).sum(axis=0)
    return values


def _one_attribute(model, queries, without_self):
    """(answers, unsure): unsure where a window hardly determines the fit, so that the sums are mostly rounding."""
    order = np.argsort(model.X_[:, 0], kind="stable")
    x, y = model.X_[order, 0], model.y_[order]
    query_order = np.argsort(queries, kind="stable")  # neighbouring queries have windows of similar width
    sorted_queries = queries[query_order]
    self_place = np.argsort(order)[query_order] if without_self else None
    least = _least(x, sorted_queries, self_place)
    low, high = _windows(model, x, sorted_queries, least)
    sums, begin = np.empty((5, len(queries))), 0
    while begin < len(sorted_queries):
        step = max(1, CELLS // max(1, int(high[begin] - low[begin])))
        width = max(1, int((high - low)[begin : begin + step].max()))
        if len(x) < CELLS // 16 and 2 * width > len(x):  # summing over all is cheaper than cutting out most of them
            width = len(x)
        end = min(begin + max(1, CELLS // width), begin + step, len(sorted_queries))
        part = slice(begin, end)
        first = np.minimum(low[part], len(x) - width)
        sums[:, part] = 0
        for offset in range(0, width, CELLS):  # a window too wide for the cache is summed in pieces
            pieces = _cut(x, y, first + offset, min(CELLS, width - offset))
            own = None if self_place is None else self_place[part] - first - offset
            sums[:, part] += _sums(model, *pieces, sorted_queries[part, None], least[part, None], own)
        begin = end
    values, unsure = np.empty(len(queries)), np.zeros(len(queries), dtype=bool)
    values[query_order], unsure[query_order] = _decide(sums, model.degree)
    return values, unsure


def _least(x, queries, self_place):
    """The distance to the nearest example; a query that is an example does not count itself."""
    after = np.searchsorted(x, queries)
    near = np.array([np.clip(after + by, 0, len(x) - 1) for by in (-1, 0, 1)])
    if self_place is not None:
        near = np.array([np.clip(self_place + by, 0, len(x) - 1) for by in (-1, 1)])
        return np.where(near == self_place, np.inf, np.abs(x[near] - queries)).min(axis=0)
    return np.abs(x[near] - queries).min(axis=0)


def _windows(model, x, queries, least):
    """Where the examples that may have weight begin and end, for each query."""
    reach = np.full(len(queries), float(model.bandwidth))
    if model.kernel == "gaussian":
        reach = np.hypot(least, np.sqrt(2 * FAR) * reach)
    reach = reach * (1 + 1e-12) + 1e-12 * np.abs(queries)  # so that rounding excludes no example
    return np.searchsorted(x, queries - reach), np.searchsorted(x, queries + reach, side="right")


def _cut(x, y, first, width):
    if width == len(x):
        return x, y
    view = np.lib.stride_tricks.sliding_window_view
    return view(x, width)[first], view(y, width)[first]


def _sums(model, x, y, queries, least, self_place):
    """Σ w, Σ w y and, with z for the offset from the query, Σ w z, Σ w z² and Σ w z y of every window."""
    z = x - queries
    dist = np.abs(z)
    if self_place is not None:
        found = np.flatnonzero((self_place >= 0) & (self_place < z.shape[1]))
        dist[found, self_place[found]] = np.inf
    if model.kernel == "gaussian":
        weights = np.exp((dist - least) * (dist + least) / (-2 * model.bandwidth**2))
    else:
        weights = KERNELS[model.kernel](dist / model.bandwidth)
    total, sum_y = weights.sum(axis=1), _dot(weights, y)
    weights *= z
    return total, sum_y, weights.sum(axis=1), _dot(weights, z), _dot(weights, y)


def _decide(sums, degree):
    """The mean, or the line at the query; a line is unsure where its examples, as weighted, hardly differ."""
    total, sum_y, sum_z, sum_zz, sum_zy = sums
    if degree == 0:
        return sum_y / np.where(total > 0, total, np.nan), np.zeros(len(total), dtype=bool)
    spread = total * sum_zz - sum_z**2
    unsure = ~(spread > 1e-4 * total * sum_zz)
    return (sum_zz * sum_y - sum_z * sum_zy) / np.where(unsure, 1, spread), unsure


def _dot(a, b):
    return a @ b if b.ndim == 1 else np.einsum("qi,qi->q", a, b)
