"""Tables of data as numbers of states, and the counts of families in them (sections 09 and 11)."""

from math import prod

import numpy as np

from bayeslib.models._checks import is_mapping, is_missing, names, sequence, short

MISSING = -1  # the code of a missing cell
DENSE = 2**16  # tables up to this many cells are counted cell by cell, larger ones by what occurs in the data


def columns_of(data):
    """Data as a mapping of columns; a list of mappings, one for each row, is turned round."""
    if is_mapping(data):
        return data
    rows = list(data) if np.iterable(data) else [data]
    if not all(is_mapping(row) for row in rows):
        wanted = "a mapping or pandas table of columns, or a list of mappings, one for each row"
        raise ValueError(f"data must be {wanted}, got {short(data)}")
    return {v: [row.get(v) for row in rows] for v in dict.fromkeys(v for row in rows for v in row.keys())}


def encode(data, variables=None, states=None, missing=False):
    """Data as an array of state numbers, one row for each row and one column for each variable; and the states.

    data       a mapping or pandas table of columns, or a list of mappings, one for each row
    variables  which columns to use, in this order; by default all of them
    states     a mapping of variable to its states; by default the values in the column, sorted, True before False
    missing    whether cells may be missing (None or NaN): these become −1. Otherwise they are an error
    """
    data, states = columns_of(data), domains_of(states)
    columns = list(data.keys() if variables is None else variables)
    if not columns:
        raise ValueError("data must have at least one column, got none")
    if unknown := [v for v in columns if v not in data]:
        raise ValueError(
            f"data must have a column for every variable, missing: {names(unknown)}. "
            "A variable that was never seen needs EM: bayeslib.models.networks.em (section 11)"
        )
    arrays = [_column(data[v], v) for v in columns]
    rows = len(arrays[0])
    if not rows:
        raise ValueError("data must have at least one row, got an empty table")
    codes = np.empty((rows, len(columns)), dtype=np.int64)
    domains = {}
    for i, (v, array) in enumerate(zip(columns, arrays)):
        if len(array) != rows:
            raise ValueError(
                f"data must have columns of one length, got {rows} in {columns[0]!r}, {len(array)} in {v!r}"
            )
        codes[:, i], domains[v] = _codes(array, v, states.get(v))
        if not missing and (codes[:, i] == MISSING).any():
            row = int((codes[:, i] == MISSING).argmax())
            raise ValueError(
                f"data[{v!r}] has a missing cell, first in row {row}: counting needs complete rows. "
                "For data with missing cells use EM: bayeslib.models.networks.em (section 11)"
            )
    return codes, domains


def domains_of(states):
    """`states` as a dict, after checking that it maps variables to sequences of states; None gives an empty dict."""
    if states is None:
        return {}
    if not is_mapping(states):
        raise ValueError(f"states must be a mapping of variable to its states, got {short(states)}")
    return {v: tuple(sequence(states[v], f"states[{v!r}]", "states")) for v in states.keys()}


def _column(values, variable):
    try:
        array = np.asarray(values)
    except ValueError:  # ragged
        array = np.empty(())
    if array.ndim != 1:
        raise ValueError(f"data[{variable!r}] must be one column of values, got {short(values)}")
    return array


def _codes(array, variable, domain):
    """State numbers of one column, and its states."""
    if array.dtype.kind in "iubU":
        values, inverse = np.unique(array, return_inverse=True)
        occurring = values.tolist()
    else:
        seen = {}
        inverse = np.array([MISSING if is_missing(x) else seen.setdefault(x, len(seen)) for x in array.tolist()])
        occurring = list(seen)
    domain = _sorted(occurring) if domain is None else domain
    if len(domain) < 2:
        raise ValueError(
            f"data[{variable!r}] must show at least two states, got only {names(domain)}: say which it can have, "
            f"states={{{variable!r}: [...]}}"
        )
    number = {state: i for i, state in enumerate(domain)}
    if unknown := [x for x in occurring if x not in number]:
        raise ValueError(f"data[{variable!r}] must hold one of {names(domain)}, got {unknown[0]!r}")
    lookup = np.array([*(number[x] for x in occurring), MISSING])  # a missing cell looks up the last
    return lookup[inverse], tuple(domain)


def _sorted(values):
    try:
        values = sorted(values)
    except TypeError:
        values = list(values)
    return tuple(values[::-1]) if all(isinstance(x, bool) for x in values) else tuple(values)


class Rows:
    """Complete rows of state numbers, ready to be counted for any family; equal rows are stored once, with a weight.

    codes    one row for each row of data, one column for each variable, numbered from 0
    cards    how many states each variable has
    weights  how often each row counts, if not once; may be fractions (expected counts of section 11)
    """

    def __init__(self, codes, cards, weights=None):
        self.cards = tuple(cards)
        self.total = float(len(codes) if weights is None else np.sum(weights))
        size = prod(self.cards)
        if size <= DENSE and size < 4 * len(codes):  # few possible rows: most of the data repeats them
            cell = np.ravel_multi_index(codes.T, self.cards)
            counts = np.bincount(cell, weights)
            occupied = np.flatnonzero(counts)
            codes, weights = np.stack(np.unravel_index(occupied, self.cards), axis=1), counts[occupied].astype(float)
        self.codes, self.weights = np.ascontiguousarray(codes.T), weights

    @classmethod
    def of(cls, codes, states):
        return cls(codes, [len(domain) for domain in states.values()])

    def count(self, child, parents):
        """N(parents, child): an array with an axis for each parent and the child's axis last."""
        scope = (*parents, child)
        shape = tuple(self.cards[v] for v in scope)
        cell = np.ravel_multi_index(tuple(self.codes[v] for v in scope), shape)
        return np.bincount(cell, self.weights, minlength=prod(shape)).reshape(shape).astype(float)

    def family(self, child, parents):
        """N(parents, child) as a matrix; parents' states that never occur may be missing."""
        code, size = np.zeros(self.codes.shape[1], dtype=np.int64), 1
        for v in parents:
            code, size = code * self.cards[v] + self.codes[v], size * self.cards[v]
            if size > self.codes.shape[1]:
                occurring, code = np.unique(code, return_inverse=True)
                size = len(occurring)
        r = self.cards[child]
        return np.bincount(code * r + self.codes[child], self.weights, minlength=size * r).reshape(size, r)
