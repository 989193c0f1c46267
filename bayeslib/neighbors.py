"""Nearest neighbours: keep the data, and ask those near the query (section 14).

    d(x, x') = √Σ_r (s_r x_r − s_r x'_r)²        s_r: the factor that scales attribute r
    f̂(q) = argmax_v Σ_{i ∈ k nearest} w_i [y_i = v]   or   Σ w_i y_i / Σ w_i

Ties have a rule: of equally distant rows the earlier one in the data is nearer, of equally voted classes the one that sorts
first wins. scipy's k-d tree searches in few dimensions, comparing with every row in many.
"""

import math
from typing import NamedTuple

import numpy as np

from bayeslib._checks import as_number, one_probability, whole_number
from bayeslib.kernels import KERNELS, kernel_weights

WEIGHTS = ["uniform", "distance", *KERNELS]
MANY = 12  # attributes from which on a tree visits nearly every row, so that comparing with all of them is faster
CELLS = 4_000_000  # distances held at once when every query is compared with every row


class _Neighbors:
    def __init__(self, k=5, weights="uniform", bandwidth=None, scale=None):
        self.k = whole_number(k, "k", 1)
        if weights not in WEIGHTS:
            raise ValueError(f"weights must be one of {WEIGHTS}, got {weights!r}")
        if (bandwidth is None) != (weights not in KERNELS):
            wish = (
                "be a number above 0 with the weights of a kernel" if weights in KERNELS else "be None without a kernel"
            )
            raise ValueError(f"bandwidth must {wish}, got {bandwidth!r} with weights {weights!r}")
        if bandwidth is not None:
            kernel_weights(0.0, weights, bandwidth)  # says what is wrong with it
        if isinstance(scale, str) and scale not in ("standard", "range"):
            raise ValueError(f'scale must be None, "standard", "range" or a factor per attribute, got {scale!r}')
        self.weights, self.bandwidth, self.scale = weights, bandwidth, scale

    def fit(self, X, y):
        """Store the data. All the work waits until a question is asked: lazy learning (section 14)."""
        X = _rows(X, "X")
        if self.k > len(X):
            raise ValueError(f"k must be at most the number of rows of X, {len(X)}, got {self.k}")
        y = np.asarray(y)
        if y.shape != (len(X),):
            raise ValueError(f"y must have one value for each of the {len(X)} rows of X, got shape {y.shape}")
        self._learn(y)
        self.scale_ = _factors(self.scale, X)
        self.X_, self._tree, self.n_features_in_ = X * self.scale_, None, X.shape[1]
        return self

    def kneighbors(self, X=None, k=None):
        """Distances to the k nearest rows and the numbers of these rows, nearest first (section 14).

        Without X: the neighbours of every training row among the others.
        """
        alone, most = X is None, len(self.X_) - (X is None)
        k = self.k if k is None else whole_number(k, "k", 1)
        if k > most:
            others = " other than the one in question" if alone else ""
            raise ValueError(f"k must be at most the number of training rows{others}, {most}, got {k}")
        if not alone:
            return self._nearest(self._queries(X), k)
        distances, rows = self._nearest(self.X_, k + 1)
        itself = rows == np.arange(len(rows))[:, None]
        itself[~itself.any(axis=1), -1] = True  # more than k earlier rows at the very same place
        return distances[~itself].reshape(-1, k), rows[~itself].reshape(-1, k)

    def _queries(self, X):
        X = _rows(X, "X")
        if X.shape[1] != self.n_features_in_:
            raise ValueError(f"X must have {self.n_features_in_} attributes as in fit, got {X.shape[1]}")
        return X * self.scale_

    def _nearest(self, Q, k):
        """One neighbour more than asked for shows whether the k-th place is tied."""
        X, extra = self.X_, min(k + 1, len(self.X_))
        if X.shape[1] >= MANY or 2 * k >= len(X):
            return _compare_all(Q, X, k)
        if self._tree is None:
            from scipy.spatial import cKDTree

            self._tree = cKDTree(X, leafsize=12, balanced_tree=False)
        distances, rows = self._tree.query(Q, extra)
        flat = distances.ravel()  # ties are rare, and looked for in one go
        tied = (distances[:, 1:] == distances[:, :-1]).any(axis=1) if (flat[1:] == flat[:-1]).any() else []
        distances, rows = distances[:, :k], rows[:, :k]
        if np.any(tied):
            distances[tied], rows[tied] = _compare_all(Q[tied], X, k)
        return distances, rows

    def _asked(self, X):
        """The neighbours of every query, and what each of them counts; None for all alike."""
        distances, rows = self.kneighbors(X)
        if self.weights == "uniform":
            return rows, None
        if self.weights == "distance":
            return rows, _inverse(distances)
        weights = kernel_weights(distances, self.weights, self.bandwidth)
        silent = weights.sum(axis=1) == 0
        if silent.any():
            where = int(silent.argmax())
            raise ValueError(
                f"bandwidth must reach a neighbour of every query, got {self.bandwidth:g}, and the nearest of row {where} "
                f"is {distances[where, 0]:.4g} away"
            )
        return rows, weights


class KNeighborsClassifier(_Neighbors):
    """The vote of the k nearest neighbours (section 14).

    weights  "uniform": one vote each; "distance": 1/d, and where d = 0 only those at the very place vote; or the name of a
             kernel, K(d / bandwidth)
    scale    None; "standard": divide each attribute by its standard deviation; "range": by its range; or a factor each

    Equally distant rows: the earlier one in the data is nearer. Equally voted classes: the one that sorts first wins, as in
    scikit-learn, whose models this one follows in its methods.
    """

    def predict_proba(self, X=None):
        """The share of the votes that each class of `classes_` gets (section 14). Without X, as in `kneighbors`."""
        votes = self._votes(X)
        return votes / votes.sum(axis=1, keepdims=True)

    def predict(self, X=None):
        """The class with most votes (section 14)."""
        return self.classes_[self._votes(X).argmax(axis=1)]

    def score(self, X, y):
        """The share of the rows of X that are given their class in y."""
        return float((self.predict(X) == _as_many(y, X)).mean())

    def leave_one_out(self):
        """The share of training rows that the others would get wrong: each row is asked without its own vote (section 14)."""
        return float((self.predict() != self.classes_[self._codes]).mean())

    def _votes(self, X):
        """Σ w_i for each query and class."""
        rows, weights = self._asked(X)
        classes = len(self.classes_)
        ballots = self._codes.take(rows)
        ballots += np.arange(0, len(rows) * classes, classes)[:, None]
        votes = np.bincount(ballots.ravel(), None if weights is None else weights.ravel(), len(rows) * classes)
        return votes.reshape(-1, classes)

    def _learn(self, y):
        if y.dtype.kind == "f" and np.isnan(y).any():
            raise ValueError(f"y must hold no NaN, got one at row {int(np.isnan(y).argmax())}")
        try:
            self.classes_, self._codes = np.unique(y, return_inverse=True)
        except TypeError:
            raise ValueError(f"y must hold classes that can be sorted, got {y[:5].tolist()} …") from None


class KNeighborsRegressor(_Neighbors):
    """The mean of the k nearest neighbours' numbers (section 14); weights, scale and the rule for ties as for classes."""

    def predict(self, X=None):
        """Σ w_i y_i / Σ w_i over the k nearest (section 14). Without X, as in `kneighbors`."""
        rows, weights = self._asked(X)
        values = self.y_[rows]
        return values.mean(axis=1) if weights is None else (weights * values).sum(axis=1) / weights.sum(axis=1)

    def score(self, X, y):
        """R² = 1 − Σ(y − f̂)² / Σ(y − ȳ)²: 1 is perfect, 0 no better than the mean; NaN where y does not vary."""
        y = as_number(_as_many(y, X), "y")
        around = float(np.square(y - y.mean()).sum())
        return 1 - float(np.square(y - self.predict(X)).sum()) / around if around else math.nan

    def leave_one_out(self):
        """The mean squared error on training rows that are asked without their own number (section 14)."""
        return float(np.square(self.predict() - self.y_).mean())

    def _learn(self, y):
        self.y_ = np.array(as_number(y, "y"), dtype=float)


def limit_error(p, k=1):
    """The error of k-NN with endless data at a place where class 1 has probability p (section 14).

    All k neighbours then have that same p, so their vote is 1 with V = P(more than half of k tosses), and it is wrong with
    p (1 − V) + (1 − p) V. For k = 1 that is 2p(1 − p), the error of Gibbs; for k → ∞ it is min(p, 1 − p). Half of an even k
    is no majority: class 0 wins.
    """
    from scipy.special import bdtrc

    p, k = as_number(p, "p", 0, 1), whole_number(k, "k", 1)
    ones = bdtrc(k // 2, k, np.asarray(p, dtype=float))
    error = p * (1 - ones) + (1 - p) * ones
    return error if np.ndim(error) else float(error)


# Cells of the nearest neighbour


def voronoi_cells(points, box):
    """The cell of each point: the part of `box` (left, right, bottom, top) that is nearer to it than to any other (section 14).

    A list of corners, counter-clockwise, one array a point. Of points at the same place the first has the cell, and the others
    get none (an array without corners).
    """
    from scipy.spatial import Voronoi

    left, right, bottom, top = _box(box)
    points = _rows(points, "points")
    if points.shape[1] != 2:
        raise ValueError(f"points must have 2 coordinates each, got {points.shape[1]}")
    inside = ((points >= (left, bottom)) & (points <= (right, top))).all(axis=1)
    if not inside.all():
        raise ValueError(f"points must lie in the box {tuple(box)}, got {points[~inside][0].tolist()}")
    middle, size = np.array([left + right, bottom + top]) / 2, max(right - left, top - bottom)
    _, first = np.unique(np.round((points - middle) / size, 9), axis=0, return_index=True)
    owners = np.sort(first)
    sites = (points[owners] - middle) / size
    # Mirror images in four walls outside the box: each wall becomes a border, and no cell within is open or changed.
    mirrored = [sites] + [
        np.where([axis == 0, axis == 1], 2 * wall - sites, sites) for axis in (0, 1) for wall in (-1, 1)
    ]
    diagram = Voronoi(np.concatenate(mirrored))
    cells = [np.empty((0, 2)) for _ in points]
    walls = [(axis, sign, (right - left, top - bottom)[axis] / (2 * size)) for axis in (0, 1) for sign in (-1, 1)]
    for number, site, region in zip(owners, sites, diagram.point_region):
        corners = diagram.vertices[diagram.regions[region]]
        corners = corners[np.argsort(np.arctan2(*(corners - site).T[::-1]))]
        for axis, sign, wall in walls:
            if (sign * corners[:, axis] > wall).any():
                corners = _cut(corners, axis, sign, wall)
        cells[number] = corners * size + middle
    return cells


def cell_area(corners):
    """The area of a polygon from its corners in order: ½ Σ (x_i y_{i+1} − x_{i+1} y_i)."""
    if not len(corners):
        return 0.0
    x, y = (corners - corners[0]).T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)


def _cut(corners, axis, sign, wall):
    """What is left of a convex polygon on this side of a wall: corners beyond it give way to where the edges cross it."""
    kept, over = [], sign * corners[:, axis] - wall
    for here, there, a, b in zip(corners, np.roll(corners, -1, axis=0), over, np.roll(over, -1)):
        if a <= 0:
            kept.append(here)
        if (a < 0 < b) or (b < 0 < a):
            crossing = here + (there - here) * (a / (a - b))
            crossing[axis] = sign * wall
            kept.append(crossing)
    return np.array(kept).reshape(-1, 2)


# A k-d tree to look into


class Node(NamedTuple):
    """A row of the data that splits what is below it: `before` lies to its left along `axis`, `after` to its right."""

    row: int
    axis: int
    before: "Node | None"
    after: "Node | None"


class Step(NamedTuple):
    """A step of the search: "visit" measures the distance to a row, "prune" skips all that lies behind a row's border."""

    kind: str
    row: int
    gap: float  # from the query to the border through this row
    best: int
    distance: float
    box: tuple  # (lows, highs): the part of space that was entered or skipped


def kd_tree(points):
    """Split at the median of the first attribute, each half at the median of the second, and so on (section 14)."""
    points = _rows(points, "points")

    def grow(rows, depth):
        if not len(rows):
            return None
        axis = depth % points.shape[1]
        rows = rows[np.argsort(points[rows, axis], kind="stable")]
        half = len(rows) // 2
        return Node(int(rows[half]), axis, grow(rows[:half], depth + 1), grow(rows[half + 1 :], depth + 1))

    return grow(np.arange(len(points)), 0)


def kd_search(tree, points, query):
    """The steps that find the nearest row: down the query's side first, behind a border only if it is near enough (section 14).

    The last step holds the row (`best`) and its `distance`. A box is skipped if the query is farther from its border than
    from the best row so far.
    """
    points, query = _rows(points, "points").tolist(), as_number(query, "query").tolist()
    if len(query) != len(points[0]):
        raise ValueError(f"query must have {len(points[0])} attributes as points, got {len(query)}")
    steps, best = [], (math.inf, -1)

    def walk(node, lows, highs):
        nonlocal best
        row, axis, before, after = node
        border = points[row][axis]
        gap = query[axis] - border
        best = min(best, (math.dist(points[row], query), row))
        steps.append(Step("visit", row, abs(gap), best[1], best[0], (lows, highs)))
        left = before, lows, (*highs[:axis], border, *highs[axis + 1 :])
        right = after, (*lows[:axis], border, *lows[axis + 1 :]), highs
        near, far = (left, right) if gap < 0 else (right, left)
        if near[0]:
            walk(*near)
        if far[0] and abs(gap) <= best[0]:
            walk(*far)
        elif far[0]:
            steps.append(Step("prune", row, abs(gap), best[1], best[0], far[1:]))

    walk(tree, (-math.inf,) * len(query), (math.inf,) * len(query))
    return steps


# Searching and checking


def _compare_all(Q, X, k):
    """Every query with every row. Stable sorts keep the rule for ties: of equally distant rows the earlier one is nearer."""
    from scipy.spatial.distance import cdist

    distances, rows = np.empty((len(Q), k)), np.empty((len(Q), k), dtype=int)
    chunk = max(CELLS // len(X), 1)
    for begin in range(0, len(Q), chunk):
        some = slice(begin, begin + chunk)
        apart = cdist(Q[some], X)
        found = np.sort(np.argpartition(apart, k - 1, axis=1)[:, :k], axis=1)
        near = np.take_along_axis(apart, found, axis=1)
        tied = np.flatnonzero((apart <= near.max(axis=1, keepdims=True)).sum(axis=1) > k)
        found[tied] = np.argsort(apart[tied], axis=1, kind="stable")[:, :k]
        near[tied] = np.take_along_axis(apart[tied], found[tied], axis=1)
        order = np.argsort(near, axis=1, kind="stable")
        distances[some], rows[some] = (np.take_along_axis(each, order, axis=1) for each in (near, found))
    return distances, rows


def _inverse(distances):
    """1/d; where a neighbour is at the very place of the query, it counts 1 and those farther away 0."""
    with np.errstate(divide="ignore"):
        weights = 1 / distances
    if np.isinf(weights).any():
        there = np.isinf(weights).any(axis=1)
        weights[there] = np.isinf(weights[there])
    return weights


def _rows(X, name):
    try:
        X = np.asarray(X, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a table of numbers, got {X!r}") from None
    if X.ndim != 2 or not X.size:
        raise ValueError(
            f"{name} must be a table, axes (row, attribute), with at least one of each, got shape {X.shape}"
        )
    bad = ~np.isfinite(X)
    if bad.any():
        row, column = np.argwhere(bad)[0].tolist()
        raise ValueError(f"{name} must hold finite numbers, got {X[row, column]} in row {row}, attribute {column}")
    return X


def _as_many(y, X):
    y, wanted = np.asarray(y), (len(X),)
    if y.shape != wanted:
        raise ValueError(f"y must have one value for each of the {wanted[0]} rows of X, got shape {y.shape}")
    return y


def _factors(scale, X):
    """A factor per attribute; an attribute that does not vary keeps its unit."""
    if scale is None:
        return np.ones(X.shape[1])
    if isinstance(scale, str):
        spread = X.std(axis=0) if scale == "standard" else np.ptp(X, axis=0)
        return 1 / np.where(spread > 0, spread, 1)
    factors = np.asarray(as_number(scale, "scale", low=0), dtype=float)
    if factors.shape != (X.shape[1],) or not factors.any():
        raise ValueError(f"scale must have a factor for each of the {X.shape[1]} attributes, not all 0, got {scale!r}")
    return factors


def _box(box):
    sides = as_number(box, "box")
    if np.shape(sides) != (4,) or sides[0] >= sides[1] or sides[2] >= sides[3]:
        raise ValueError(f"box must be (left, right, bottom, top) with left < right and bottom < top, got {box!r}")
    return sides.tolist()
