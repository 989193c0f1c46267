"""Turns a table as a reader writes it into an array with one axis per parent and the variable's own axis last."""

from itertools import product
from numbers import Real

import numpy as np

from bayeslib.models._checks import TOLERANCE, among, is_mapping, names, one_probability, real, short


def as_array(table, variable, parents, states):
    """The conditional probability table of `variable` as an array; see `BeliefNetwork` for the ways to write one."""
    shape = tuple(len(states[v]) for v in (*parents, variable))
    name, domain = f"tables[{variable!r}]", states[variable]
    if is_mapping(table):
        if not parents:
            return _row(table, name, domain)
        by_parents = {}
        for key in table.keys():
            where = f"{name}[{key!r}]"
            by_parents[_parent_states(key, where, parents, states)] = _row(table[key], where, domain)
        required = list(product(*(states[p] for p in parents)))
        missing = [key for key in required if key not in by_parents]
        if missing:
            raise ValueError(
                f"{name} must have a row for each of the {len(required)} combinations of its parents' states "
                f"({', '.join(map(str, parents))}), got {len(by_parents)}; missing: {_keys(missing)}"
            )
        return np.array([by_parents[key] for key in required]).reshape(shape)
    if not parents and isinstance(table, Real):
        return _row(table, name, domain)
    try:
        array = np.asarray(real(table), dtype=float)
    except (TypeError, ValueError, OverflowError):
        array = None
    if array is None or array.shape != shape:
        axes = ", ".join(f"{v}: {len(states[v])}" for v in (*parents, variable))
        got = f"shape {array.shape}" if array is not None else short(table)
        order = f"its parents in order, then {variable}" if parents else f"{variable} has no parents"
        raise ValueError(f"{name} must have shape {shape}, axes ({axes}; {order}), got {got}")
    return array


def check_rows(array, variable, parents, states):
    """Raise a ValueError that names the first row that is not a distribution, if there is one."""
    rows = array.reshape(-1, array.shape[-1])
    for key, row in zip(product(*(states[p] for p in parents)), rows):
        where = f"tables[{variable!r}]" + (f"[{key if len(key) > 1 else key[0]!r}]" if parents else "")
        for state, value in zip(states[variable], row):
            one_probability(float(value), f"{where}, the probability of {state!r},")
        if abs(row.sum() - 1) > TOLERANCE:
            raise ValueError(f"{where} must sum to 1, got {row.sum():.6g} over {names(states[variable])}")


def _parent_states(key, where, parents, states):
    """A row's key as a tuple of parent states; a single parent's state may be given bare."""
    bare = len(parents) == 1 and not (isinstance(key, tuple) and len(key) == 1)
    key = (key,) if bare else key
    if not isinstance(key, tuple) or len(key) != len(parents):
        raise ValueError(f"{where} must be keyed by one state of each parent, ({', '.join(map(str, parents))})")
    for parent, state in zip(parents, key):
        if not among(state, states[parent]):
            raise ValueError(f"{where}: {parent} must be one of its states {names(states[parent])}, got {short(state)}")
    return key


def _row(row, where, domain):
    """One distribution over the variable's own states: a mapping, a sequence, or for two states the first one's number."""
    if is_mapping(row):
        if set(row.keys()) != set(domain):
            raise ValueError(f"{where} must give a probability for each of {names(domain)}, got {names(row.keys())}")
        row = [row[state] for state in domain]
    elif isinstance(row, Real) and not isinstance(row, bool):
        if len(domain) != 2:
            raise ValueError(
                f"{where} must give a probability for each of {names(domain)}, got the single number {row}"
            )
        row = [row, 1 - one_probability(row, where)]
    try:
        array = np.array(real(row), dtype=float)
    except (TypeError, ValueError, OverflowError):
        array = None
    if array is None or array.shape != (len(domain),):
        raise ValueError(
            f"{where} must give {len(domain)} probabilities, one for each of {names(domain)}, got {short(row)}"
        )
    return array


def _keys(missing, limit=4):
    shown = ", ".join(str(key if len(key) > 1 else key[0]) for key in missing[:limit])
    return shown + (f" and {len(missing) - limit} more" if len(missing) > limit else "")
