"""The nearest rows of many queries among many rows: what `neighbors.nearest` finds, in less time.

In few dimensions scipy's k-d tree proposes candidates, in many a matrix product in single precision does. Wherever two are
close, their distances are computed again by the formula of `neighbors.distances`, so that ties are those of the lesson.
"""

import numpy as np

MANY = 12  # attributes: from here on a tree visits nearly every row, and comparing with all of them is faster
CELLS = 1_000_000  # distances in memory at once when every query is compared with every row
FEW = 64  # candidates per requested neighbour: with more, double precision pays
SLACK = 1e-9  # relative: far above the rounding of a distance, far below a real difference


class Finder:
    """Finds the nearest rows of X; its trees are kept for the next call."""

    def __init__(self, X):
        self.X, self._tree, self._places = X, None, None

    def nearest(self, queries, k):
        """`neighbors.nearest(X, queries, k)`."""
        if self.X.shape[1] >= MANY or 4 * k >= len(self.X):
            return _in_blocks(queries, self.X, k)
        if self._places is not None:
            return self._places.nearest(queries, k)
        if self._tree is None:
            self._tree = _tree(self.X)
        dist, indices = self._tree.query(queries, k + 1)
        # So close to each other that rounding or the rule for ties decides.
        close = dist[:, 1:] <= dist[:, :-1] * (1 + SLACK)
        dist, indices = dist[:, :k], indices[:, :k]
        if close.any():
            tied = np.flatnonzero(close[:, :-1].any(axis=1))
            dist[tied], indices[tied] = _ordered(_measured(queries[tied], self.X, indices[tied]), indices[tied])
            tied = np.flatnonzero(close[:, -1])  # the next row is as near as the last: which of them belong?
            if len(tied):
                self._places = _Places(self.X)
                dist[tied], indices[tied] = self._places.nearest(queries[tied], k)
        return dist, indices


class _Places:
    """Rows by their place: of many rows at one place the tree needs to hold only one."""

    def __init__(self, X):
        order, starts = _by_place(X)
        self.X, self.order, self.starts = X, order, starts
        self.counts = np.diff(np.append(starts, len(X)))
        self.tree = _tree(X[order[starts]])

    def nearest(self, queries, k):
        """Query more places until the next one is farther away than the k-th row; then all ties are among them."""
        dist, indices = np.empty((len(queries), k)), np.empty((len(queries), k), dtype=int)
        todo, many = np.arange(len(queries)), min(2 * k + 2, len(self.starts))
        while len(todo):
            place_dist, places = self.tree.query(queries[todo], np.arange(1, many + 1))
            last = (self.counts[places].cumsum(axis=1) >= k).argmax(axis=1)  # the place that holds the k-th row
            reach = np.take_along_axis(place_dist, last[:, None], axis=1) * (1 + SLACK)
            enough = self.counts[places].sum(axis=1) >= k
            if many < len(self.starts):
                enough &= place_dist[:, -1] > reach[:, 0]
            query, at = np.nonzero((place_dist <= reach) & enough[:, None])
            if len(query):
                pairs = self._rows(query, places[query, at], k)
                dist[todo[enough]], indices[todo[enough]] = _first(queries[todo], self.X, *pairs, k)
            todo, many = todo[~enough], min(2 * many, len(self.starts))
        return dist, indices

    def _rows(self, query, places, k):
        """(query, row) for the first k rows of each place found for a query: of equals the earlier are nearer."""
        sizes = np.minimum(self.counts[places], k)
        step = np.arange(sizes.sum()) - np.repeat(sizes.cumsum() - sizes, sizes)
        return np.repeat(query, sizes), self.order[np.repeat(self.starts[places], sizes) + step]


def _tree(X):
    from scipy.spatial import cKDTree

    return cKDTree(X, leafsize=12, balanced_tree=False)


def _by_place(X):
    """(rows ordered by their place and, within it, by number; where each place begins).

    A random sum of the attributes brings equal rows together; if unequal ones share a sum, all attributes are sorted.
    """
    sums = X @ np.random.default_rng(0).normal(size=X.shape[1])
    order = np.argsort(sums, kind="stable")
    new = np.append(True, np.diff(sums[order]) != 0)
    if (new[1:] != (X[order[1:]] != X[order[:-1]]).any(axis=1)).any():
        order = np.lexsort((*X.T, np.zeros(len(X))))
        new = np.append(True, (X[order[1:]] != X[order[:-1]]).any(axis=1))
    return order, np.flatnonzero(new)


def _measured(queries, X, indices):
    """`neighbors.distances` of the rows found for each query, in the same order of sums."""
    return np.sqrt(sum((q[:, None] - x[indices]) ** 2 for q, x in zip(queries.T, X.T)))


def _ordered(dist, indices):
    order = np.lexsort((indices, dist))
    return np.take_along_axis(dist, order, axis=1), np.take_along_axis(indices, order, axis=1)


def _first(queries, X, query, rows, k):
    """Of pairs (query, row), grouped by query, the k nearest of each: distances and rows, by distance and then row."""
    dist = np.sqrt(sum((q[query] - x[rows]) ** 2 for q, x in zip(queries.T, X.T)))
    order = np.lexsort((rows, dist, query))
    query = query[order]
    first = np.flatnonzero(np.append(True, query[1:] != query[:-1]))
    chosen = order[first[:, None] + np.arange(k)]
    return dist[chosen], rows[chosen]


def _in_blocks(queries, X, k):
    """Every query with every row, some queries at a time."""
    dist, indices = np.empty((len(queries), k)), np.empty((len(queries), k), dtype=int)
    step = max(CELLS // len(X), 1)
    quick, exact = _Scores(X, np.float32), None
    for begin in range(0, len(queries), step):
        part = queries[begin : begin + step]
        near = quick.candidates(part, k)
        if len(near) > FEW * k * len(part):  # with one row far away single precision cannot tell the others apart
            exact = exact or _Scores(X, float)
            near = exact.candidates(part, k)
        dist[begin : begin + step], indices[begin : begin + step] = _first(part, X, *divmod(near, len(X)), k)
    return dist, indices


class _Scores:
    """½|x|² − q·x, which grows with the distance, by one matrix product, in single or double precision."""

    def __init__(self, X, kind):
        self.middle, self.kind = X.mean(axis=0), kind
        known = X - self.middle
        self.unit = np.abs(known).max() or 1.0
        known = (known / self.unit).astype(kind)
        half = (known * known).sum(axis=1, keepdims=True) / 2
        self.length = float(np.sqrt(2 * half.max()))
        self.known = np.hstack([known, half]).T.copy()

    def candidates(self, queries, k):
        """Places in the table (query, row) of all that may be among the k nearest: the k-th, and what rounding could hide."""
        scaled = (queries - self.middle) / self.unit
        length = np.sqrt((scaled * scaled).sum(axis=1, keepdims=True))
        scaled = np.hstack([-scaled, np.ones((len(scaled), 1))]) / (1 + length)  # far queries stay in single precision
        scores = scaled.astype(self.kind) @ self.known
        rounding = np.finfo(self.kind).eps * self.length * (self.length + 1)  # of the product
        rounding = rounding + np.finfo(float).eps * (self.length + length) ** 2 / (1 + length)  # of the formula
        rounding *= 4 * (len(self.known) + 4)
        return np.flatnonzero(scores <= _kth_at_most(scores, k) + np.minimum(rounding, 1e9).astype(self.kind))


def _kth_at_most(scores, k):
    """For each row a number that at least k of its scores do not exceed: the k-th smallest among the least of groups."""
    size = max(scores.shape[1] // (8 * k), 1)  # of a group: small enough that few more than k scores are below
    groups = scores.shape[1] // size
    least = scores[:, : groups * size].reshape(len(scores), size, groups).min(axis=1)
    return np.partition(least, k - 1, axis=1)[:, k - 1 : k]
