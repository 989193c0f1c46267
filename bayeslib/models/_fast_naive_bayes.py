"""Counting many rows at once: the fast twin of `naive_bayes.count`, and tables in place of dictionaries."""

import numpy as np


def count(labels, codes, shape, weights=None):
    """How often each value (a column) occurs with each class (a row), from their codes."""
    return np.bincount(labels * shape[1] + codes, weights, minlength=shape[0] * shape[1]).reshape(shape)


def are_whole(column):
    """Whether a column holds enough whole numbers, none of them large, for a table to beat a dictionary."""
    if not isinstance(column, np.ndarray) or column.dtype.kind not in "iu" or len(column) < 100:
        return False
    return 0 <= column.min() and column.max() < len(column)


def encode(column, values=None):
    """(values, the code of each entry's value, or −1 if it is not among them) for whole numbers from 0 on."""
    column = column.astype(np.intp, copy=False)  # a narrow type would overflow where codes are combined
    values = np.flatnonzero(np.bincount(column)).tolist() if values is None else values
    if values == list(range(len(values))) and column.max() < len(values):
        return values, column
    codes = np.full(max(column.max(), *values) + 1, -1)
    codes[values] = np.arange(len(values))
    return values, codes[column]
