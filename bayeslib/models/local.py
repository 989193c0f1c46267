"""Local models: a small model for every query, in which near points count more (section 15).

    w_i = K(d(x_i, x_q) / h),   criteria E1 = ½ Σ_{k nearest} r_i²,   E2 = ½ Σ_all w_i r_i²,   E3 = ½ Σ_{k nearest} w_i r_i²

with residuals r_i = y_i − f̂(x_i); f̂ is the constant, line or quadratic for which the criterion is least.
`LocallyWeightedRegression` fits at the query and forgets the fit; `RBFNetwork` fits once, before any query.
"""

from itertools import combinations_with_replacement

import numpy as np

from bayeslib.models._checks import (
    LARGEST,
    as_number,
    axes,
    generator,
    one_number,
    one_of,
    positive,
    rows,
    targets,
    whole_number,
)
from bayeslib.models._model import Regressor
from bayeslib.models.kernels import KERNELS, kernel_weights
from bayeslib.models.neighbors import distances

CELLS = 1_000_000  # weights in memory at once


def distance_weighted_mean(X, y, queries, k=None):
    """Σ w_i y_i / Σ w_i with w_i = 1 / d(x_i, x_q)² over the k nearest, or over all (section 15).

    At a data point the weight is infinite: the mean of the points there is returned, which is the limit.

    >>> distance_weighted_mean([1, 2, 4], [10, 20, 40], [3]).round(2).tolist()
    [27.78]
    """
    X = rows(X, one_feature=True)
    y, queries = targets(y, len(X)), _same_width(rows(queries, "queries", one_feature=True), X, "queries")
    dist = distances(X, queries)
    if k is not None:
        dist[~_nearest(dist, _at_most(k, "k", len(X)))] = np.inf
    closest = dist.min(axis=1, keepdims=True)
    here = dist == 0
    ratio = np.divide(closest, dist, where=~here, out=np.zeros_like(dist))
    weights = np.where(closest == 0, here, ratio**2)  # relative: the nearest has weight 1
    return weights @ y / weights.sum(axis=1)


class LocallyWeightedRegression(Regressor):
    """Locally weighted regression: a constant, line or quadratic fitted afresh at every query (section 15).

    kernel       "gaussian", "epanechnikov", "tricube", "triangle" or "box": how weight falls with distance
    bandwidth    h in K(d / h); not used by error "nearest"
    degree       0, 1 or 2
    error        "nearest" (E1: the k nearest, equally), "kernel" (E2: all, weighted) or "both" (E3: k nearest, weighted)
    n_neighbors  k, the number of neighbours, for "nearest" and "both"

    In a tie, points that come first in the data are taken. Gaussian weights are compared in logs, so that a far query is
    answered too. Where the points do not determine a fit, `predict` raises and `values` gives NaN.

    >>> model = LocallyWeightedRegression(bandwidth=1.5).fit([1, 2, 3, 4, 6], [2, 3, 5, 4, 9])
    >>> model.predict([6]).round(3).tolist()
    [8.824]
    """

    _one_feature = True

    def __init__(self, kernel="gaussian", bandwidth=1.0, degree=1, error="kernel", n_neighbors=None):
        self.kernel, self.bandwidth, self.degree = kernel, bandwidth, degree
        self.error, self.n_neighbors = error, n_neighbors

    def _check(self):
        one_of(self.error, "error", ["nearest", "kernel", "both"])
        one_of(self.kernel, "kernel", KERNELS)
        whole_number(self.degree, "degree", 0, 2)
        if self.error != "nearest":
            one_number(positive(self.bandwidth, "bandwidth"), "bandwidth", 1 / LARGEST, LARGEST)
        if self.error != "kernel":
            whole_number(self.n_neighbors, "n_neighbors", 1)

    def fit(self, X, y):
        """Store the examples: a lazy learner has nothing else to do. X is n numbers, or n rows of them; y n numbers."""
        self.X_ = self._first_rows(X)
        self.y_ = targets(y, len(self.X_))
        if self.error != "kernel":
            _at_most(self.n_neighbors, "n_neighbors", len(self.X_))
        return self

    def weights(self, X):
        """The weight of every example at every query, by the formula: a row per query, a column per example.

        >>> LocallyWeightedRegression("triangle", bandwidth=2).fit([0, 1, 2], [5, 6, 7]).weights([0]).tolist()
        [[1.0, 0.5, 0.0]]
        """
        dist = distances(self.X_, self._more_rows(X))
        weights = np.ones(dist.shape) if self.error == "nearest" else kernel_weights(dist, self.kernel, self.bandwidth)
        return weights if self.error == "kernel" else weights * _nearest(dist, self.n_neighbors)

    def predict(self, X):
        """f̂(x_q) for every query, each from its own fit."""
        queries = self._more_rows(X)
        values = self._answers(queries)
        self._refuse(values, queries, "X")
        return values

    def values(self, X):
        """`predict`, with NaN in place of an error where the points do not determine a fit.

        >>> LocallyWeightedRegression("box", 1.0, degree=0).fit([0, 1], [5, 6]).values([0.2, 7]).round(6).tolist()
        [5.5, nan]
        """
        return self._answers(self._more_rows(X))

    def shares(self, X):
        """The share of every example's y in every prediction: f̂(x_q) = Σ_i share_i y_i, the shares summing to 1.

        They depend on positions and weights only, not on y. Those of an average are w_i / Σ w; those of a line may be
        negative. A row per query, NaN where the points do not determine a fit.

        >>> LocallyWeightedRegression("box", bandwidth=2.0).fit([0, 1, 2], [7, 8, 5]).shares([3, 1]).round(2).tolist()
        [[0.0, -1.0, 2.0], [0.33, 0.33, 0.33]]
        """
        queries = self._more_rows(X)
        return self._shares(queries, distances(self.X_, queries))

    def local_model(self, query, X):
        """The model fitted for one query, evaluated at X: the line to draw through its prediction.

        >>> model = LocallyWeightedRegression(bandwidth=2.0).fit([0, 1, 2], [1, 3, 5])
        >>> model.local_model(1, [0, 10]).round(6).tolist()
        [1.0, 21.0]
        """
        queries, points = self._more_rows([query], "query"), self._more_rows(X)
        origin, shares = self._fits(distances(self.X_, queries))
        values = shares[0] @ self.y_ @ self._columns(points - origin[0])
        self._refuse(values[:1], queries, "query")
        return values

    def leave_one_out(self):
        """The prediction for every example from all the others; NaN where they do not determine it.

        >>> LocallyWeightedRegression(degree=0, error="nearest", n_neighbors=1).fit([0, 1, 3], [5, 6, 8]).leave_one_out()
        array([6., 5., 6.])
        """
        self._fitted()
        if len(self.X_) < 2:
            raise ValueError("leave_one_out must have at least 2 examples, got 1")
        if self.error != "kernel" and self.n_neighbors >= len(self.X_):
            most = f"{len(self.X_) - 1} to leave one of {len(self.X_)} out"
            raise ValueError(f"n_neighbors must be at most {most}, got {self.n_neighbors}")
        return self._answers(self.X_, leave_out=True)

    def _answers(self, queries, leave_out=False):
        """`_answer`, for so many queries at a time as fit into memory."""
        blocks = np.array_split(np.arange(len(queries)), -(-len(queries) * len(self.X_) // CELLS))
        return np.concatenate([self._answer(queries[block], block if leave_out else None) for block in blocks])

    def _answer(self, queries, left_out=None):
        dist = distances(self.X_, queries)
        if left_out is not None:
            dist[np.arange(len(queries)), left_out] = np.inf
        return self._shares(queries, dist) @ self.y_

    def _shares(self, queries, dist):
        origin, shares = self._fits(dist)
        return np.einsum("cq,qci->qi", self._columns(queries - origin), shares)

    def _fits(self, dist):
        """For every query an origin, the heaviest example, so that tiny weights still count, and the fit about it:
        the share of every example's y in every coefficient."""
        weights = self._relative_weights(dist)
        origin = self.X_[weights.argmax(axis=1)]
        return origin, _least_squares(self._columns(self.X_ - origin[:, None]), weights)

    def _relative_weights(self, dist):
        """Kernel weights, Gaussian ones divided by the largest: e^(−d²/2h²) alone could be 0 for every example."""
        if self.error == "nearest":
            weights = np.ones(dist.shape)
        elif self.kernel == "gaussian":
            least = dist.min(axis=1, keepdims=True)
            with np.errstate(over="ignore"):
                weights = np.exp((dist - least) / self.bandwidth * ((dist + least) / self.bandwidth) / -2)
        else:
            weights = KERNELS[self.kernel](dist / self.bandwidth)
        return weights if self.error == "kernel" else weights * _nearest(dist, self.n_neighbors)

    def _columns(self, offsets):
        """The columns 1, z_1, z_2, …, z_1², z_1 z_2, … of the fit, axes (column, …). Offsets are taken in units of the range
        of the data, so that no power of them overflows."""
        Z = np.moveaxis(offsets, -1, 0) / (float(np.ptp(self.X_, axis=0).max()) or 1.0)
        powers = [
            list(each) for n in range(self.degree + 1) for each in combinations_with_replacement(range(len(Z)), n)
        ]
        return np.stack([Z[each].prod(axis=0) for each in powers])

    def _refuse(self, values, queries, name):
        for q in np.flatnonzero(np.isnan(values)):
            place = queries[q].tolist() if queries.shape[1] > 1 else queries[q, 0].item()
            heavy = int((self.weights(queries[q : q + 1]) > 0).sum())
            if heavy == 0:
                why = f"every weight is 0 there, the bandwidth {self.bandwidth} being too narrow. Widen it"
            else:
                what = "example has" if heavy == 1 else "examples have"
                numbers = len(self._columns(queries[:1]))
                why = (
                    f"{heavy} {what} weight there, too few or too badly placed for the {numbers} numbers of degree "
                    f"{self.degree}. Widen the bandwidth, raise n_neighbors or lower the degree"
                )
            raise ValueError(f"{name}[{q}] = {place} must be near enough to the examples: {why}")


def _least_squares(design, weights):
    """S with β = S y for the β of least Σ_i w_i (y_i − Σ_c β_c z_ci)², one for every query; NaN where the points do not
    determine it.

    S = (Zᵀ W Z)⁻¹ Zᵀ W with columns of length 1; where Zᵀ W Z is nearly singular, the pseudoinverse of the rows √w_i z_i.
    `design` has axes (column, query, example), `weights` (query, example), S (query, column, example).
    """
    weighted = design * weights
    square = np.einsum("cqi,dqi->qcd", weighted, design)
    size = np.sqrt(np.diagonal(square, axis1=1, axis2=2))
    size = np.where(size > 0, size, 1)[:, :, None]
    square /= size * size.swapaxes(1, 2)
    good = np.linalg.eigvalsh(square)[:, 0] > 1e-6
    square[~good] = np.eye(len(design))
    shares = np.linalg.solve(square, weighted.swapaxes(0, 1) / size) / size
    shares[~good] = np.nan
    for q in np.flatnonzero(~good):
        root = np.sqrt(weights[q])
        scaled = root * design[:, q] / size[q]
        if np.linalg.matrix_rank(scaled, rtol=1e-13) == len(design):
            shares[q] = np.linalg.pinv(scaled.T, rcond=1e-13) * root / size[q]
    return shares


class RBFNetwork(Regressor):
    """A radial basis function network: f̂(x) = w_0 + Σ_u w_u exp(−d(x, c_u)² / 2 width²), fitted once (section 15).

    centres  the places of the bumps, a row each, or how many: then k-means (section 10) places them
    width    the standard deviation of every bump

    The weights are those of least squares; of several equally good ones, the shortest.
    Learned: `centres_`, `intercept_`, `weights_`.

    >>> network = RBFNetwork(centres=[0, 1, 2], width=0.5).fit([0, 0.5, 1, 1.5, 2], [0, 2, 3, 2, 0])
    >>> network.predict([1]).round(2).tolist()
    [3.0]
    """

    _one_feature = True

    def __init__(self, centres, width, random_state=None):
        self.centres, self.width, self.random_state = centres, width, random_state

    def _check(self):
        if axes(self.centres) == 0:
            whole_number(self.centres, "centres", 1)
        else:
            rows(self.centres, "centres", one_feature=True)
        positive(self.width, "width")
        generator(self.random_state)

    def fit(self, X, y):
        """Place the bumps and find their weights: all the work is done here, before the first query."""
        from bayeslib.models.mixtures import KMeans

        X = self._first_rows(X)
        y = targets(y, len(X))
        if axes(self.centres) == 0:
            self.centres_ = KMeans(self.centres, random_state=self.random_state).fit(X).cluster_centers_
        else:
            self.centres_ = _same_width(rows(self.centres, "centres", one_feature=True), X, "centres")
        self.intercept_, *weights = np.linalg.lstsq(self._design(X), y, rcond=None)[0]
        self.weights_ = np.array(weights)
        return self

    def bumps(self, X):
        """w_u exp(−d(x, c_u)² / 2 width²): what every bump adds at every x, a row per x and a column per bump.

        >>> network = RBFNetwork(centres=[0, 9], width=1.0).fit([0, 9, 4], [2, 3, 1])
        >>> network.bumps([0, 9]).round(2).tolist()
        [[1.0, 0.0], [0.0, 2.0]]
        """
        X = self._more_rows(X)
        return self._design(X)[:, 1:] * self.weights_

    def predict(self, X):
        """The bumps added up, on top of w_0."""
        bumps = self.bumps(X)
        return self.intercept_ + bumps.sum(axis=1)

    def _design(self, X):
        bumps = kernel_weights(distances(self.centres_, X), "gaussian", self.width)
        return np.hstack([np.ones((len(X), 1)), bumps])


# The running examples of section 15, all ours

FIVE_X, FIVE_Y = np.array([1.0, 2, 3, 4, 6]), np.array([2.0, 3, 5, 4, 9])
GAP_X, GAP_Y = np.array([0, 0.1, 0.2, 0.8, 0.9, 1]), np.array([1.0, 1, 1, 3, 3, 3])


def wave(x):
    """sin 2πx, the truth behind `wave_sample`.

    >>> wave([0.25, 0.75]).tolist()
    [1.0, -1.0]
    """
    return np.sin(2 * np.pi * np.asarray(as_number(x, "x")))


def wave_sample(n=60, random_state=0):
    """n points x between 0 and 1, in order, and sin 2πx with Gaussian noise, σ = 0.3, at each.

    >>> x, y = wave_sample(3)
    >>> x.round(2).tolist(), y.round(2).tolist()
    ([0.04, 0.27, 0.64], [0.29, 0.83, -0.65])
    """
    n, random = whole_number(n, "n", 1), generator(random_state)
    x = np.sort(random.uniform(0, 1, n))
    return x, wave(x) + random.normal(0, 0.3, n)


# Argument checks


def _same_width(table, X, name):
    if table.shape[1] != X.shape[1]:
        raise ValueError(f"{name} must have {X.shape[1]} attributes as X, got {table.shape[1]}")
    return table


def _at_most(k, name, n):
    if whole_number(k, name, 1) > n:
        raise ValueError(f"{name} must be at most the number of examples, {n}, got {k}")
    return int(k)


def _nearest(dist, k):
    """True for the k nearest of each row; in a tie those that come first."""
    chosen = np.zeros(dist.shape, dtype=bool)
    np.put_along_axis(chosen, np.argsort(dist, axis=1, kind="stable")[:, :k], True, axis=1)
    return chosen
