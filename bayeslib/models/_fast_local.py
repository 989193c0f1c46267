"""Locally weighted regression for many queries among many examples: what `local` answers, in less time.

Along one attribute a query needs only a window of the sorted examples, those within reach of its kernel, and a constant or a
line only five sums over it: slope = cov_w(x, y) / var_w(x). Whatever remains is fitted as in the lesson, some queries at a time.
"""

import numpy as np

from bayeslib.models.kernels import KERNELS
from bayeslib.models.neighbors import distances

CELLS = 2**14  # weights held at a time: they stay in the cache
FAR = 45.0  # a Gaussian weight of e^−45 of the heaviest is lost in the rounding of the sums


def answers(model, queries, without_self):
    """`LocallyWeightedRegression._answer`."""
    found, todo = np.empty(len(queries)), np.arange(len(queries))
    if model.n_features_in_ == 1 and model.error == "kernel" and model.degree < 2:
        found, unsure = _along_a_line(model, queries[:, 0], without_self)
        todo = np.flatnonzero(unsure)
    step = max(1, CELLS // (len(model.X_) * model._numbers))
    for begin in range(0, len(todo), step):
        part = todo[begin : begin + step]
        apart = distances(model.X_, queries[part])
        if without_self:
            apart[range(len(part)), part] = np.inf
        origin, beta = model._fits(apart)
        found[part] = (beta.T * model._columns(queries[part] - origin)).sum(axis=0)
    return found


def _along_a_line(model, queries, without_self):
    """(answers, where the points of a window decide too little: there the sums are mostly rounding)."""
    order = np.argsort(model.X_[:, 0], kind="stable")
    x, y = model.X_[order, 0], model.y_[order]
    along = np.argsort(queries, kind="stable")  # neighbouring queries have windows of about one width
    asked = queries[along]
    itself = np.argsort(order)[along] if without_self else None
    least = _least(x, asked, itself)
    low, high = _windows(model, x, asked, least)
    sums, begin = np.empty((5, len(queries))), 0
    while begin < len(asked):
        step = max(1, CELLS // max(1, int(high[begin] - low[begin])))
        width = max(1, int((high - low)[begin : begin + step].max()))
        if len(x) < CELLS // 16 and 2 * width > len(x):  # to take a few more is cheaper than to cut most of them out
            width = len(x)
        end = min(begin + max(1, CELLS // width), begin + step, len(asked))
        part = slice(begin, end)
        first = np.minimum(low[part], len(x) - width)
        sums[:, part] = 0
        for offset in range(0, width, CELLS):  # a window that is too wide for the cache comes in pieces
            pieces = _cut(x, y, first + offset, min(CELLS, width - offset))
            own = None if itself is None else itself[part] - first - offset
            sums[:, part] += _sums(model, *pieces, asked[part, None], least[part, None], own)
        begin = end
    found, unsure = np.empty(len(queries)), np.zeros(len(queries), dtype=bool)
    found[along], unsure[along] = _decide(sums, model.degree)
    return found, unsure


def _least(x, asked, itself):
    """How far the nearest example is, other than the query itself where it is one."""
    after = np.searchsorted(x, asked)
    beside = np.array([np.clip(after + by, 0, len(x) - 1) for by in (-1, 0, 1)])
    if itself is not None:
        beside = np.array([np.clip(itself + by, 0, len(x) - 1) for by in (-1, 1)])
        return np.where(beside == itself, np.inf, np.abs(x[beside] - asked)).min(axis=0)
    return np.abs(x[beside] - asked).min(axis=0)


def _windows(model, x, asked, least):
    """For each query where the examples begin and end that may have weight."""
    reach = np.full(len(asked), float(model.bandwidth))
    if model.kernel == "gaussian":
        reach = np.hypot(least, np.sqrt(2 * FAR) * reach)
    reach = reach * (1 + 1e-12) + 1e-12 * np.abs(asked)  # rounding shuts nobody out
    return np.searchsorted(x, asked - reach), np.searchsorted(x, asked + reach, side="right")


def _cut(x, y, first, width):
    if width == len(x):
        return x, y
    view = np.lib.stride_tricks.sliding_window_view
    return view(x, width)[first], view(y, width)[first]


def _sums(model, x, y, asked, least, own):
    """Σ w, Σ w y and, with z for the way from the query, Σ w z, Σ w z² and Σ w z y of every window."""
    z = x - asked
    away = np.abs(z)
    if own is not None:
        here = np.flatnonzero((own >= 0) & (own < z.shape[1]))
        away[here, own[here]] = np.inf
    if model.kernel == "gaussian":
        weights = np.exp((away - least) * (away + least) / (-2 * model.bandwidth**2))
    else:
        weights = KERNELS[model.kernel](away / model.bandwidth)
    total, sum_y = weights.sum(axis=1), _dot(weights, y)
    weights *= z
    return total, sum_y, weights.sum(axis=1), _dot(weights, z), _dot(weights, y)


def _decide(sums, degree):
    """The mean, or the line at the query; a line is unsure where its examples hardly differ under their weights."""
    total, sum_y, sum_z, sum_zz, sum_zy = sums
    if degree == 0:
        return sum_y / np.where(total > 0, total, np.nan), np.zeros(len(total), dtype=bool)
    spread = total * sum_zz - sum_z**2
    unsure = ~(spread > 1e-4 * total * sum_zz)
    return (sum_zz * sum_y - sum_z * sum_zy) / np.where(unsure, 1, spread), unsure


def _dot(a, b):
    return a @ b if b.ndim == 1 else np.einsum("qi,qi->q", a, b)
