"""Nearest neighbours: store the data, and let those near the query decide (section 14).

    d(x, x') = √Σ_j (w_j x_j − w_j x'_j)²        w_j: the factor that scales attribute j
    f̂(x_q) = argmax_v Σ_{i ∈ k nearest} w_i [y_i = v]   or   Σ w_i y_i / Σ w_i

There is one rule for ties: of equally distant rows the earlier one in the data is nearer, of classes with equal votes the one
that sorts first wins. Every query is compared with every row; for tables with millions of rows scikit-learn has faster searches.
"""

import math
from typing import NamedTuple

import numpy as np

from bayeslib.models._checks import LARGEST, as_number, axes, labels, one_of, rows, short, targets, whole_number
from bayeslib.models._model import Classifier, Estimator, Regressor

CELLS = 1_000_000  # distances in memory at once


def distances(X, queries):
    """d(x_q, x) from every query to every row of X (section 14): a row per query, a column per row of X.

    >>> distances([[0, 0], [3, 4]], [[0, 0], [3, 0]]).tolist()
    [[0.0, 5.0], [3.0, 4.0]]
    """
    X, queries = _tables(X, queries)
    return np.sqrt(sum(np.subtract.outer(q, x) ** 2 for q, x in zip(queries.T, X.T)))


def nearest(X, queries, k):
    """Distances to the k rows nearest to each query, nearest first, and which rows they are (section 14).

    A stable sort follows the rule for ties: of equally distant rows the earlier one is nearer.

    >>> dist, indices = nearest([[1], [4], [2]], [[3]], k=2)
    >>> dist.tolist(), indices.tolist()
    ([[1.0, 1.0]], [[1, 2]])
    """
    X, queries = _tables(X, queries)
    near = _candidates(X, queries, whole_number(k, "k", 1, len(X)))
    dist = np.sqrt(sum((q[:, None] - x[near]) ** 2 for q, x in zip(queries.T, X.T)))
    order = np.argsort(dist, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(dist, order, axis=1), np.take_along_axis(near, order, axis=1)


def _candidates(X, queries, k):
    """For each query at least k rows, the k nearest among them, in the order of the data.

    One matrix product gives |x|² − 2 q·x, which grows with the distance. As its rounding differs between machines, every row
    is taken that may be as near as the k-th. (einsum, unlike @, wakes no threads, which would cost small tables most.)
    """
    if 2 * k > len(X):
        return np.broadcast_to(np.arange(len(X)), (len(queries), len(X)))
    squares = np.einsum("ij,ij->i", X, X)
    scores = squares - 2 * np.einsum("qj,ij->qi", queries, X)
    reach = np.sqrt(squares.max()) + np.sqrt(np.einsum("ij,ij->i", queries, queries))
    rounding = 8 * (X.shape[1] + 4) * (np.finfo(float).eps * reach**2 + np.finfo(float).tiny)
    close = scores <= np.partition(scores, k - 1, axis=1)[:, k - 1 : k] + rounding[:, None]
    return np.argsort(~close, axis=1, kind="stable")[:, : close.sum(axis=1).max()]


class _Neighbors(Estimator):
    def __init__(self, n_neighbors=5, weights="uniform", scale=None):
        self.n_neighbors, self.weights, self.scale = n_neighbors, weights, scale

    def _check(self):
        whole_number(self.n_neighbors, "n_neighbors", 1)
        one_of(self.weights, "weights", ["uniform", "distance"])

    def fit(self, X, y):
        """Store the data. All the work is left until a query comes: lazy learning (section 14)."""
        X = self._first_rows(X)
        if self.n_neighbors > len(X):
            raise ValueError(f"n_neighbors must be at most the number of rows of X, {len(X)}, got {self.n_neighbors}")
        self._learn(y, len(X))
        self.scale_ = _factors(self.scale, X)
        self.X_ = rows(X * self.scale_, "X times scale")
        return self

    def kneighbors(self, X=None, n_neighbors=None):
        """Distances to the nearest rows and the numbers of these rows, nearest first (section 14).

        Without X: the neighbours of every training row among the others.

        >>> model = KNeighborsClassifier(n_neighbors=2).fit([[1], [2], [4]], ["a", "b", "b"])
        >>> [array.tolist() for array in model.kneighbors([[1.4]])]
        [[[0.3999999999999999, 0.6000000000000001]], [[0, 1]]]
        """
        self._fitted()
        most = len(self.X_) - (X is None)
        k = self.n_neighbors if n_neighbors is None else whole_number(n_neighbors, "n_neighbors", 1)
        if k > most:
            others = " other than the one in question" if X is None else ""
            raise ValueError(f"n_neighbors must be at most the number of training rows{others}, {most}, got {k}")
        if X is not None:
            return self._nearest(rows(self._more_rows(X) * self.scale_, "X times scale"), k)
        dist, indices = self._nearest(self.X_, k + 1)
        itself = indices == np.arange(len(indices))[:, None]
        itself[~itself.any(axis=1), -1] = True  # more than k earlier rows at exactly the same place
        return dist[~itself].reshape(-1, k), indices[~itself].reshape(-1, k)

    def _nearest(self, queries, k):
        blocks = np.array_split(queries, -(-len(queries) * len(self.X_) // CELLS))
        dist, indices = zip(*(nearest(self.X_, block, k) for block in blocks))
        return np.concatenate(dist), np.concatenate(indices)

    def _weighted_neighbors(self, X):
        """The neighbours of every query and their weights: 1, or 1/d, where those at the query's very place silence the others."""
        dist, indices = self.kneighbors(X)
        if self.weights == "uniform":
            return indices, np.ones(dist.shape)
        with np.errstate(divide="ignore", over="ignore"):
            weights = 1 / dist
        here = np.isinf(weights)
        return indices, np.where(here.any(axis=1, keepdims=True), here, weights)


class KNeighborsClassifier(_Neighbors, Classifier):
    """The vote of the nearest neighbours (section 14).

    n_neighbors  how many vote, k in the lesson
    weights      "uniform": one vote each; "distance": 1/d, and where d = 0 only those at that very place vote
    scale        None; "standard": divide each attribute by its standard deviation; or a factor for each

    Of equally distant rows the earlier one in the data is nearer. Of classes with equal votes the one that sorts first wins,
    as in scikit-learn, whose methods this model follows and whose searches suit larger tables.

    >>> model = KNeighborsClassifier(n_neighbors=3).fit([[1], [2], [3], [6], [7]], ["a", "b", "b", "a", "a"])
    >>> model.predict([[2.2], [9]]).tolist()
    ['b', 'a']
    """

    def predict_proba(self, X=None):
        """The share of the votes that each class of `classes_` gets (section 14). Without X, as in `kneighbors`.

        >>> KNeighborsClassifier(n_neighbors=4).fit([[1], [2], [3], [9]], list("aabb")).predict_proba([[0]]).tolist()
        [[0.5, 0.5]]
        """
        votes = self._votes(X)
        return votes / votes.sum(axis=1, keepdims=True)

    def predict(self, X=None):
        """The class with the most votes (section 14)."""
        best = self._votes(X).argmax(axis=1)
        return self.classes_[best]

    def leave_one_out(self):
        """The share of training rows that the others would get wrong: each row is classified without its own vote (section 14).

        >>> KNeighborsClassifier(n_neighbors=1).fit([[1], [2], [9]], ["a", "a", "b"]).leave_one_out()
        0.3333333333333333
        """
        predicted = self.predict()
        return float((predicted != self.classes_[self._codes]).mean())

    def _votes(self, X):
        """Σ w_i for each query and class."""
        indices, weights = self._weighted_neighbors(X)
        queries, classes = len(indices), len(self.classes_)
        ballots = self._codes[indices] + np.arange(0, queries * classes, classes)[:, None]
        return np.bincount(ballots.ravel(), weights.ravel(), queries * classes).reshape(queries, classes)

    def _learn(self, y, count):
        self.classes_, self._codes = labels(y, count)


class KNeighborsRegressor(_Neighbors, Regressor):
    """The mean of the nearest neighbours' numbers (section 14); parameters and the rule for ties as in `KNeighborsClassifier`.

    >>> KNeighborsRegressor(n_neighbors=4).fit([[1], [2], [3], [4], [6]], [2, 3, 5, 4, 9]).predict([[2.5]]).tolist()
    [3.5]
    """

    def predict(self, X=None):
        """Σ w_i y_i / Σ w_i over the nearest (section 14). Without X, as in `kneighbors`."""
        indices, weights = self._weighted_neighbors(X)
        return (weights * self.y_[indices]).sum(axis=1) / weights.sum(axis=1)

    def leave_one_out(self):
        """The mean squared error on training rows, each predicted without its own number (section 14).

        >>> KNeighborsRegressor(n_neighbors=1).fit([[1], [2], [4]], [1, 2, 5]).leave_one_out()
        3.6666666666666665
        """
        predicted = self.predict()
        return float(np.square(predicted - self.y_).mean())

    def _learn(self, y, count):
        self.y_ = targets(y, count)


def limit_error(p, k=1):
    """The error of k-NN in the limit of infinite data, where class 1 has probability p (section 14).

    All k neighbours then have that same p, so their vote is 1 with v = P(more than half of k labels are 1), and it errs with
    probability p (1 − v) + (1 − p) v. For k = 1 that is 2p(1 − p), as for the Gibbs classifier; for k → ∞ it is min(p, 1 − p).
    Half of an even k is not a majority: class 0 wins.

    >>> round(limit_error(0.8), 4), round(limit_error(0.8, k=21), 4)
    (0.32, 0.2006)
    """
    from scipy.special import bdtrc

    p, k = as_number(p, "p", 0, 1), whole_number(k, "k", 1)
    ones = bdtrc(k // 2, k, np.asarray(p, dtype=float))
    error = p * (1 - ones) + (1 - p) * ones
    return error if np.ndim(error) else float(error)


# Cells of the nearest neighbour


def voronoi_cells(points, box):
    """The cell of each point: the part of `box` (left, right, bottom, top) that is nearer to it than to any other (section 14).

    The box is cut halfway to every other point, the nearest first, until none is left that could reach the cell.
    A list of arrays of corners, counter-clockwise, one per point. Of points at the same place the first has the cell, and the
    others get none (an array without corners).

    >>> cells = voronoi_cells([[0.1, 0.5], [0.5, 0.5], [0.9, 0.5]], box=(0, 1, 0, 1))
    >>> [round(cell_area(cell), 3) for cell in cells]
    [0.3, 0.4, 0.3]
    """
    left, right, bottom, top = _box(box)
    points = _in_the_plane(points)
    inside = ((points >= (left, bottom)) & (points <= (right, top))).all(axis=1)
    if not inside.all():
        raise ValueError(f"points must lie in the box {tuple(box)}, got {points[~inside][0].tolist()}")
    middle, size = np.array([left + right, bottom + top]) / 2, max(right - left, top - bottom)
    _, first = np.unique(np.round((points - middle) / size, 9), axis=0, return_index=True)
    owners = np.sort(first)
    sites = (points[owners] - middle) / size
    walls = (np.array([[left, bottom], [right, bottom], [right, top], [left, top]]) - middle) / size
    cells = [np.empty((0, 2)) for _ in points]
    for number, site in zip(owners, sites):
        cells[number] = _cell(site, sites, walls) * size + middle
    return cells


def _cell(site, sites, walls):
    """The part within the walls that is nearer to this site than to any other. Plain floats are fastest for so few numbers."""
    dist = np.hypot(*(sites - site).T)
    corners, reach, (x, y) = walls.tolist(), math.inf, site.tolist()
    for other in dist.argsort(kind="stable")[1:]:
        distance, (p, q) = float(dist[other]), sites[other].tolist()
        if distance >= 2 * reach:
            break
        halfway, direction = ((x + p) / 2, (y + q) / 2), ((p - x) / distance, (q - y) / distance)
        beyond = [(a - halfway[0]) * direction[0] + (b - halfway[1]) * direction[1] for a, b in corners]
        beyond = [0.0 if abs(d) < 1e-15 else d for d in beyond]  # a corner on the line is not a crossing
        if max(beyond) > 0:
            corners = _cut(corners, beyond)
            reach = max(math.hypot(a - x, b - y) for a, b in corners)
    return np.array(corners)


def cell_area(corners):
    """The area of a polygon from its corners in order: ½ Σ (x_i y_{i+1} − x_{i+1} y_i).

    >>> cell_area(np.array([[0, 0], [2, 0], [2, 3]]))
    3.0
    """
    if axes(corners) is not None and not np.size(corners):
        return 0.0
    corners = _in_the_plane(corners, "corners")
    x, y = (corners - corners[0]).T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)


def _cut(corners, beyond):
    """The part of a convex polygon on this side of a line: corners beyond it are replaced by where the edges cross it."""
    kept = []
    for here, there, a, b in zip(corners, corners[1:] + corners[:1], beyond, beyond[1:] + beyond[:1]):
        if a <= 0:
            kept.append(here)
        if a < 0 < b or b < 0 < a:
            share = a / (a - b)
            kept.append([start + (end - start) * share for start, end in zip(here, there)])
    return kept


# A k-d tree to look inside


class Node(NamedTuple):
    """A row of the data that splits the rows below it: `before` lies to its left along `axis`, `after` to its right.

    >>> Node(row=2, axis=0, before=None, after=None).row
    2
    """

    row: int
    axis: int
    before: "Node | None"
    after: "Node | None"


class Step(NamedTuple):
    """A step of the search: "visit" measures the distance to a row, "prune" skips all that lies behind a row's border.

    >>> points = [[0.0], [1.0], [2.0]]
    >>> [(step.kind, step.row) for step in kd_search(kd_tree(points), points, [0.1])]
    [('visit', 1), ('visit', 0), ('prune', 1)]
    """

    kind: str
    row: int
    gap: float  # from the query to the border through this row
    best: int
    distance: float
    box: tuple  # (lows, highs): the part of space that was entered or skipped


def kd_tree(points):
    """Split at the median of the first attribute, each half at the median of the second, and so on (section 14).

    >>> tree = kd_tree([[1, 5], [2, 3], [4, 4]])
    >>> tree.row, tree.before.row, tree.after.row
    (1, 0, 2)
    """
    points = rows(points, "points")

    def grow(members, depth):
        if not len(members):
            return None
        axis = depth % points.shape[1]
        members = members[np.argsort(points[members, axis], kind="stable")]
        half = len(members) // 2
        return Node(int(members[half]), axis, grow(members[:half], depth + 1), grow(members[half + 1 :], depth + 1))

    return grow(np.arange(len(points)), 0)


def kd_borders(tree, points, box):
    """The borders of a k-d tree in the plane, as (start, end), within `box` (left, right, bottom, top) (section 14).

    >>> points = [[1, 5], [2, 3], [4, 4]]
    >>> kd_borders(kd_tree(points), points, box=(0, 6, 0, 6))[1]
    [[0.0, 5.0], [2.0, 5.0]]
    """
    points, (left, right, bottom, top) = _in_the_plane(points), _box(box)
    _check_tree(tree, points)
    borders = []

    def walk(node, here):
        if node:
            border, before, after = here.copy(), here.copy(), here.copy()
            border[:, node.axis] = before[1, node.axis] = after[0, node.axis] = points[node.row, node.axis]
            borders.append(border.tolist())
            walk(node.before, before)
            walk(node.after, after)

    walk(tree, np.array([[left, bottom], [right, top]], dtype=float))
    return borders


def kd_search(tree, points, query):
    """The steps that find the nearest row: down the query's side first, behind a border only if it is near enough (section 14).

    The last step holds the row (`best`) and its `distance`. A box is skipped if the query is farther from its border than
    from the best row so far.

    >>> points = [[1, 5], [2, 3], [4, 4]]
    >>> last = kd_search(kd_tree(points), points, query=[4, 3])[-1]
    >>> last.best, last.distance
    (2, 1.0)
    """
    points, query = rows(points, "points").tolist(), as_number(query, "query", -LARGEST, LARGEST)
    if np.shape(query) != (len(points[0]),):
        raise ValueError(f"query must have {len(points[0])} attributes as points, got shape {np.shape(query)}")
    _check_tree(tree, points)
    query = query.tolist()
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


# Argument checks


def _tables(X, queries):
    X, queries = rows(X, copy=False), rows(queries, "queries", copy=False)
    if queries.shape[1] != X.shape[1]:
        raise ValueError(f"queries must have {X.shape[1]} attributes as X, got {queries.shape[1]}")
    return X, queries


def _factors(scale, X):
    """A factor per attribute; an attribute that does not vary keeps its unit."""
    if scale is None:
        return np.ones(X.shape[1])
    if isinstance(scale, str):
        one_of(scale, "scale", ["standard"])
        spread = X.std(axis=0)
        return 1 / np.where(spread > 1 / LARGEST, spread, 1)
    factors = np.array(as_number(scale, "scale", 0, LARGEST), dtype=float)
    if factors.shape != (X.shape[1],) or not factors.any():
        wanted = f"a factor for each of the {X.shape[1]} attributes, not all 0"
        raise ValueError(f"scale must have {wanted}, got {short(scale)}")
    return factors


def _in_the_plane(points, name="points"):
    points = rows(points, name)
    if points.shape[1] != 2:
        raise ValueError(f"{name} must have 2 coordinates each, got {points.shape[1]}")
    return points


def _box(box):
    sides = as_number(box, "box", -LARGEST, LARGEST)
    if np.shape(sides) != (4,) or sides[0] >= sides[1] or sides[2] >= sides[3]:
        raise ValueError(f"box must be (left, right, bottom, top) with left < right and bottom < top, got {short(box)}")
    return sides.tolist()


def _check_tree(tree, points):
    """Every row of a k-d tree, and every attribute that it splits by, must be one of the points'."""
    todo = [tree] if isinstance(tree, Node) else []
    for node in todo:
        todo += [child for child in (node.before, node.after) if child]
    if not todo or not all(node.row < len(points) and node.axis < len(points[0]) for node in todo):
        raise ValueError(f"tree must be kd_tree(points), built from these {len(points)} points")
