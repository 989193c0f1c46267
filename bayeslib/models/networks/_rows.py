"""Tables of data as numbers of states, and the counts of families in them (sections 09 and 11)."""

from math import prod

import numpy as np

from bayeslib.models._checks import is_mapping, names, sequence, short

MISSING = -1  # the code of a missing cell
DENSE = 2**16  # tables up to this many cells are counted cell by cell, larger ones by what occurs in the data


def encode(data, variables=None, states=None, missing=False):
    """Data as an array of state numbers, one row for each row and one column for each variable; and the states.

    data       a mapping or pandas table of columns; or a 2-d array of state numbers, then `states` names its columns in order
    variables  which columns to use, in this order; by default all of them
    states     a mapping of variable to its states; by default the values in the column, sorted, True before False
    missing    whether cells may be missing (None or NaN): these become −1. Otherwise they are an error
    """
    states = domains_of(states)
    if not is_mapping(data):
        data, states = _from_array(data, states)
    columns = list(data.keys()) if variables is None else list(variables)
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
    for v, array in zip(columns, arrays):
        if len(array) != rows:
            raise ValueError(
                f"data must have columns of one length, got {rows} in {columns[0]!r}, {len(array)} in {v!r}"
            )
    codes = np.empty((rows, len(columns)), dtype=np.int64)
    domains = {}
    for i, (v, array) in enumerate(zip(columns, arrays)):
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


def _from_array(data, states):
    """A 2-d array of state numbers as a mapping of coded columns, named in the order of `states`; and `states`."""
    try:
        array = np.asarray(data)
    except ValueError:
        array = np.empty(0, dtype=object)
    if array.ndim != 2 or array.dtype.kind not in "iu" or array.shape[1] != len(states):
        raise ValueError(
            "data must be a mapping or table of columns, or a 2-d array of state numbers with `states` naming its columns "
            f"in order, got {type(data).__name__} of shape {array.shape} and {_kind(array)}, {len(states)} states"
        )
    columns = {}
    for (v, domain), column in zip(states.items(), array.T):
        if column.size and not (column.min() >= 0 and column.max() < len(domain)):
            bad = column[(column < 0) | (column >= len(domain))][0]
            raise ValueError(f"data[{v!r}] must hold state numbers from 0 to {len(domain) - 1}, got {bad}")
        columns[v] = _Coded(column, tuple(domain))
    return columns, states


def _kind(array):
    return {"f": "floats", "O": "objects", "U": "words", "b": "truth values"}.get(array.dtype.kind, array.dtype.name)


class _Coded:
    """A column that already consists of state numbers."""

    def __init__(self, codes, states):
        self.codes, self.states = codes, states

    def __len__(self):
        return len(self.codes)


def _column(values, variable):
    if isinstance(values, _Coded):
        return values
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"data[{variable!r}] must be one column of values, got {short(values)}") from None
    if array.ndim != 1:
        raise ValueError(f"data[{variable!r}] must be one column of values, got shape {array.shape}")
    return array


def _codes(array, variable, domain):
    """State numbers of one column, and its states."""
    if isinstance(array, _Coded):
        return array.codes, array.states
    kind = array.dtype.kind
    if kind in "iu" and array.min() >= 0 and array.max() < 4096:
        values, inverse = np.flatnonzero(np.bincount(array)), array
        lookup = np.zeros(values[-1] + 1, dtype=np.int64)
    elif kind in "iubU":
        values, inverse = np.unique(array, return_inverse=True)
        lookup = np.zeros(len(values), dtype=np.int64)
    else:
        seen = {}
        inverse = np.array([MISSING if _absent(x) else seen.setdefault(x, len(seen)) for x in array.tolist()])
        values, lookup = list(seen), np.zeros(len(seen) + 1, dtype=np.int64)
        lookup[-1] = MISSING  # index −1
    occurring = values if isinstance(values, list) else values.tolist()
    if domain is None:
        domain = _sorted(occurring)
        if not domain:
            raise ValueError(
                f"data[{variable!r}] is missing in every row: say which states it can have, states={{{variable!r}: [...]}}"
            )
        if len(domain) == 1:
            raise ValueError(
                f"data[{variable!r}] has only one value, {domain[0]!r}, in every row: say which states it can have, "
                f"states={{{variable!r}: [{domain[0]!r}, ...]}}"
            )
    number = {state: i for i, state in enumerate(domain)}
    if unknown := [x for x in occurring if x not in number]:
        raise ValueError(f"data[{variable!r}] must hold one of {names(domain)}, got {unknown[0]!r}")
    slots = occurring if inverse is array else range(len(occurring))
    lookup[slots] = [number[x] for x in occurring]
    return lookup[inverse], tuple(domain)


def _absent(value):
    """None, NaN, pandas' NA."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


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
        self.begins = np.cumsum([0, *self.cards[:-1]])
        self._columns = self.codes + self.begins[:, None]
        self._weights = None if weights is None else np.tile(weights, len(self.cards))

    def count(self, child, parents):
        """N(parents, child): an array with an axis for each parent and the child's axis last."""
        scope = (*parents, child)
        shape = tuple(self.cards[v] for v in scope)
        cell = np.ravel_multi_index(tuple(self.codes[v] for v in scope), shape)
        return np.bincount(cell, self.weights, minlength=prod(shape)).reshape(shape).astype(float)

    def extended(self, child, parents):
        """N(parents, child, z) for every variable z at once: an array over (parents' states, child, all states of all z).

        Parents' states that never occur may be missing: their counts are 0.
        """
        code, size = self._joint(parents)
        cell = code * self.cards[child] + self.codes[child]
        width = int(self.begins[-1] + self.cards[-1])
        flat = (self._columns + cell * width).ravel()
        counts = np.bincount(flat, self._weights, minlength=size * self.cards[child] * width)
        return counts.reshape(size, self.cards[child], width).astype(float, copy=False)

    def family(self, child, parents):
        """N(parents, child) as a matrix; parents' states that never occur may be missing."""
        code, size = self._joint(parents)
        r = self.cards[child]
        cell = code * r + self.codes[child]
        return np.bincount(cell, self.weights, minlength=size * r).reshape(size, r).astype(float, copy=False)

    def _joint(self, variables):
        """One number for the states of several variables together, and how many numbers there are."""
        code, size = np.zeros(self.codes.shape[1], dtype=np.int64), 1
        for v in variables:
            code, size = code * self.cards[v] + self.codes[v], size * self.cards[v]
            if size > self.codes.shape[1]:
                distinct, code = np.unique(code, return_inverse=True)
                size = len(distinct)
        return code, size
