"""Stumps and trees that are trained many times, or on many rows: those of `ensembles`, in less time.

Both sort the columns of X once and take a weight for each row: in a bag, how often it was drawn. A tree grows level by
level, all nodes of a level at once; the sums of squares in the Gini impurity are running sums of whole numbers.
"""

import numpy as np

from bayeslib.models import ensembles
from bayeslib.models._checks import generator

CELLS = 2**14  # places of the sorted columns processed together: they fit in the cache


class _Sorted:
    """The rows and classes that learners are trained on, the columns sorted."""

    def __init__(self, base, X, codes, classes, names):
        self.X, self.codes, self.classes, self.names = X, codes, classes, names
        self.columns = np.ascontiguousarray(X.T)
        self.order = self.columns.argsort(axis=1, kind="stable")
        self.values = np.take_along_axis(self.columns, self.order, axis=1)

    def only(self, mask):
        """(values, rows) of the sorted columns for the rows in `mask`."""
        if mask.all():
            return self.values, self.order
        kept = mask[self.order]
        return self.values[kept].reshape(len(self.order), -1), self.order[kept].reshape(len(self.order), -1)


class Stumps(_Sorted):
    """`DecisionStump.fit` for one set of weights after another."""

    def fit(self, weights, into):
        weights = weights / weights.sum()
        values, order = self.only(weights > 0)
        into.classes_ = self.classes
        into._remember(self.names, len(self.columns))
        signed = weights * (2 * self.codes - 1)
        return into._store_signed(ensembles._best_cut(values, signed[order]), self.X, self.codes, weights)


class Trees(_Sorted):
    """`DecisionTree.fit` for one bag after another; `counts` holds how often each row is in it."""

    def fit(self, counts, into):
        into.classes_ = self.classes
        into._remember(self.names, len(self.columns))
        into.tree_ = self._grow(counts.astype(np.int64), into)
        return into

    def _grow(self, counts, tree):
        """Level by level; rows in leaves drop out, the columns of the others stay sorted by node and then by value."""
        random, most = generator(tree.random_state), ensembles._features(tree.max_features, len(self.columns))
        rows, node = np.flatnonzero(counts), np.zeros(len(counts), dtype=int)
        step = max(1, CELLS // len(rows))
        values, order = self.only(counts > 0)
        parts = [(values[i : i + step], order[i : i + step]) for i in range(0, len(order), step)]
        levels, nodes = [], 1
        while nodes:
            members = self._members(rows, node, counts, nodes)
            impure = members.max(axis=1) < members.sum(axis=1)
            attribute, threshold = np.full(nodes, -1), np.full(nodes, np.inf)
            node[rows] = np.where(impure, np.cumsum(impure) - 1, -1)[node[rows]]
            rows = rows[node[rows] >= 0]
            if len(rows):
                parts = [_by_node(*part, node) for part in parts]
                keys = random.random((impure.sum(), len(self.columns))) if most < len(self.columns) else None
                level = _Level(np.sort(node[rows]), members[impure], counts, self.codes)
                attribute[impure], threshold[impure] = level.best(parts, keys, most)
            levels.append((attribute, threshold, np.where(attribute < 0, members.argmax(axis=1), -1)))
            rows, nodes = self._divide(rows, node, attribute[impure], threshold[impure])
        attribute, threshold, answer = (np.concatenate(parts) for parts in zip(*levels))
        first = np.where(attribute >= 0, 2 * np.cumsum(attribute >= 0) - 1, 0)  # breadth first, two children per split
        return ensembles.Tree(attribute, threshold, first, np.where(attribute >= 0, first + 1, 0), answer)

    def _members(self, rows, node, counts, nodes):
        """The count of each class in each node."""
        cells = node[rows] * len(self.classes) + self.codes[rows]
        return np.bincount(cells, counts[rows], nodes * len(self.classes)).astype(np.int64).reshape(nodes, -1)

    def _divide(self, rows, node, attribute, threshold):
        """Rows go below or above their node's threshold; a node that cannot be split is a leaf."""
        at, split = node[rows], attribute >= 0
        above = self.columns[attribute[at], rows] >= threshold[at]
        node[rows] = np.where(split[at], 2 * (np.cumsum(split) - 1)[at] + above, -1)
        return rows[node[rows] >= 0], 2 * int(split.sum())


def _by_node(values, order, node):
    """The columns sorted by node, without rows in no node; a stable sort of 16-bit whole numbers is fast."""
    at = node.take(order)
    kept = at >= 0
    if not kept.all():
        values, order, at = (array[kept].reshape(len(order), -1) for array in (values, order, at))
    place = _flat(np.argsort(_narrow(at), axis=1, kind="stable"))
    return values.ravel().take(place), order.ravel().take(place)


def _narrow(numbers):
    return numbers.astype(np.uint16) if numbers.max() < 2**16 else numbers


def _flat(place):
    """Places within each column as places in the flattened columns."""
    return place + np.arange(0, place.size, place.shape[1])[:, None]


class _Level:
    """The nodes of a level: the node at each place of the sorted columns, and the class counts of each node."""

    def __init__(self, at, members, counts, codes):
        self.at, self.members, self.counts, self.codes = at, members, counts, codes
        self.starts = np.searchsorted(at, np.arange(len(members)))
        self.square, self.size = np.square(members).sum(axis=1), members.sum(axis=1)

    def best(self, parts, keys, most):
        """(attribute, threshold) of each node: the first attribute, then the smallest threshold; −1 where there is no cut."""
        purity = np.concatenate([self.purity(*part) for part in parts])
        best = np.maximum.reduceat(purity, self.starts, axis=1)  # axes (attribute, node)
        if keys is not None:
            ranks = np.where(best.T > 0, keys, np.inf).argsort(axis=1).argsort(axis=1).T
            best *= ranks < most
        least = best.max(axis=0) - ensembles.TOLERANCE
        attribute, at = (best >= least).argmax(axis=0), self.at[:-1]
        good = np.flatnonzero(purity[attribute[at], np.arange(len(at))] >= least[at])[::-1]
        cut = np.empty(len(least), dtype=int)
        cut[at[good]] = good  # backwards, so that the first place is written last
        step = len(parts[0][0])
        low, high = ([parts[a // step][0][a % step, i + by] for a, i in zip(attribute, cut)] for by in (0, 1))
        possible, threshold = least > 0, [ensembles._halfway(*pair) for pair in zip(low, high)]
        return np.where(possible, attribute, -1), np.where(possible, threshold, np.inf)

    def purity(self, values, order):
        """Σ_c below_c² / below + Σ_c above_c² / above at every place; 0 where there is no cut. Axes (attribute, place).

        With L for the rows of a row's own class that come before it, Σ_c below_c² grows by (L + w)² − L² when w such rows pass
        the cut, and Σ_c above_c² falls by (N_c − L)² − (N_c − L − w)². Sums of whole numbers are exact, and fast.
        """
        weight, group = self.counts.take(order), self.at * self.members.shape[1] + self.codes.take(order)
        place = _flat(np.argsort(_narrow(group), axis=1, kind="stable"))  # by node, class and value
        group_sizes, total = np.bincount(group[0], minlength=self.members.size), self.members.ravel()
        passed = weight.ravel().take(place)
        after = np.cumsum(passed, axis=1)
        after -= np.repeat(np.cumsum(total) - total, group_sizes)  # L + w
        twice = 2 * after - passed
        gain, loss = np.empty_like(order), np.empty_like(order)
        gain.ravel()[place] = passed * twice
        loss.ravel()[place] = passed * (np.repeat(2 * total, group_sizes) - twice)
        below = self._within(gain, self.square)
        above = self.square[self.at] - self._within(loss, self.square)
        lower = self._within(weight, self.size)
        upper = np.maximum(self.size[self.at] - lower, 1)
        purity = below[:, :-1] / lower[:, :-1] + above[:, :-1] / upper[:, :-1]
        purity *= (values[:, 1:] > values[:, :-1]) & (self.at[1:] == self.at[:-1])
        return purity

    def _within(self, numbers, totals):
        """Running sums within each node: the sums over all nodes, less the totals of the nodes before it."""
        sums = np.cumsum(numbers, axis=1)
        sums -= (np.cumsum(totals) - totals)[self.at]
        return sums
