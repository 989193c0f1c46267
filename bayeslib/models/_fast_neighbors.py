"""The nearest rows of many queries among many rows: what `neighbors.nearest` finds, in less time.

In few dimensions scipy's k-d tree proposes candidates, in many a matrix product in single precision does. Proposals are
measured by the formula of `neighbors.distances` wherever two are close, so that ties are those of the lesson.
"""

import numpy as np

MANY = 12  # attributes from which on a tree visits nearly every row, so that comparing with all of them is faster
CELLS = 1_000_000  # distances held at once when every query is compared with every row
FEW = 64  # candidates for each neighbour that is asked for: more, and it pays to look more closely
SLACK = 1e-9  # relative: far above the rounding of a distance, far below what tells rows apart


class Finder:
    """Finds the nearest of rows X; what it builds to do so is kept for the next question."""

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
        told, found = self._tree.query(queries, k + 1)
        close = told[:, 1:] <= told[:, :-1] * (
            1 + SLACK
        )  # so near to each other that rounding or the rule for ties decides
        told, found = told[:, :k], found[:, :k]
        if close.any():
            some = np.flatnonzero(close[:, :-1].any(axis=1))
            told[some], found[some] = _ordered(_measured(queries[some], self.X, found[some]), found[some])
            some = np.flatnonzero(close[:, -1])  # the next row is as near as the last: which of them are in?
            if len(some):
                self._places = _Places(self.X)
                told[some], found[some] = self._places.nearest(queries[some], k)
        return told, found


class _Places:
    """Rows by the place where they lie: of many rows at one place a tree needs to hold only one."""

    def __init__(self, X):
        order, starts = _by_place(X)
        self.X, self.order, self.starts = X, order, starts
        self.counts = np.diff(np.append(starts, len(X)))
        self.tree = _tree(X[order[starts]])

    def nearest(self, queries, k):
        """Ask for more places until the next one is farther away than the k-th row; then all ties are among them."""
        apart, found = np.empty((len(queries), k)), np.empty((len(queries), k), dtype=int)
        todo, many = np.arange(len(queries)), min(2 * k + 2, len(self.starts))
        while len(todo):
            told, places = self.tree.query(queries[todo], np.arange(1, many + 1))
            last = (self.counts[places].cumsum(axis=1) >= k).argmax(axis=1)  # the place that holds the k-th row
            reach = np.take_along_axis(told, last[:, None], axis=1) * (1 + SLACK)
            enough = self.counts[places].sum(axis=1) >= k
            if many < len(self.starts):
                enough &= told[:, -1] > reach[:, 0]
            asked, at = np.nonzero((told <= reach) & enough[:, None])
            if len(asked):
                pairs = self._rows(asked, places[asked, at], k)
                apart[todo[enough]], found[todo[enough]] = _first(queries[todo], self.X, *pairs, k)
            todo, many = todo[~enough], min(2 * many, len(self.starts))
        return apart, found

    def _rows(self, asked, places, k):
        """(query, row) for the first k rows of each place that a query asks about: of equals the earlier are nearer."""
        some = np.minimum(self.counts[places], k)
        step = np.arange(some.sum()) - np.repeat(some.cumsum() - some, some)
        return np.repeat(asked, some), self.order[np.repeat(self.starts[places], some) + step]


def _tree(X):
    from scipy.spatial import cKDTree

    return cKDTree(X, leafsize=12, balanced_tree=False)


def _by_place(X):
    """(rows ordered by their place and, within it, by number; where each place begins).

    A random sum of the attributes brings equal rows together; should unequal ones share a sum, all attributes are sorted.
    """
    sums = X @ np.random.default_rng(0).normal(size=X.shape[1])
    order = np.argsort(sums, kind="stable")
    new = np.append(True, np.diff(sums[order]) != 0)
    if (new[1:] != (X[order[1:]] != X[order[:-1]]).any(axis=1)).any():
        order = np.lexsort((*X.T, np.zeros(len(X))))
        new = np.append(True, (X[order[1:]] != X[order[:-1]]).any(axis=1))
    return order, np.flatnonzero(new)


def _measured(queries, X, found):
    """`neighbors.distances` of the rows found for each query, in the same order of sums."""
    return np.sqrt(sum((asked[:, None] - known[found]) ** 2 for asked, known in zip(queries.T, X.T)))


def _ordered(apart, found):
    order = np.lexsort((found, apart))
    return np.take_along_axis(apart, order, axis=1), np.take_along_axis(found, order, axis=1)


def _first(queries, X, asked, rows, k):
    """Of pairs (query, row), grouped by query, the k nearest of each: distances and rows, by distance and then row."""
    apart = np.sqrt(sum((here[asked] - there[rows]) ** 2 for here, there in zip(queries.T, X.T)))
    order = np.lexsort((rows, apart, asked))
    asked = asked[order]
    first = np.flatnonzero(np.append(True, asked[1:] != asked[:-1]))
    chosen = order[first[:, None] + np.arange(k)]
    return apart[chosen], rows[chosen]


def _in_blocks(queries, X, k):
    """Every query with every row, some queries at a time."""
    apart, found = np.empty((len(queries), k)), np.empty((len(queries), k), dtype=int)
    step = max(CELLS // len(X), 1)
    quick, exact = _Scores(X, np.float32), None
    for begin in range(0, len(queries), step):
        part = queries[begin : begin + step]
        near = quick.candidates(part, k)
        if len(near) > FEW * k * len(part):  # one row far away from all others, and single precision tells no two apart
            exact = exact or _Scores(X, float)
            near = exact.candidates(part, k)
        apart[begin : begin + step], found[begin : begin + step] = _first(part, X, *divmod(near, len(X)), k)
    return apart, found


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
        asked = (queries - self.middle) / self.unit
        length = np.sqrt((asked * asked).sum(axis=1, keepdims=True))
        asked = np.hstack([-asked, np.ones((len(asked), 1))]) / (1 + length)  # far queries stay within single precision
        scores = asked.astype(self.kind) @ self.known
        rounding = (
            np.finfo(self.kind).eps * self.length * (self.length + 1)
        )  # of the product, and of the lesson's formula
        rounding = rounding + np.finfo(float).eps * (self.length + length) ** 2 / (1 + length)
        rounding *= 4 * (len(self.known) + 4)
        return np.flatnonzero(scores <= _kth_at_most(scores, k) + np.minimum(rounding, 1e9).astype(self.kind))


def _kth_at_most(scores, k):
    """For each row a number that at least k of its scores do not exceed: the k-th smallest among the least of groups."""
    each = max(scores.shape[1] // (8 * k), 1)  # scores in a group: then few more than k are below it
    groups = scores.shape[1] // each
    least = scores[:, : groups * each].reshape(len(scores), each, groups).min(axis=1)
    return np.partition(least, k - 1, axis=1)[:, k - 1 : k]
