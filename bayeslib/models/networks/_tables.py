"""Turns a table as a reader writes it into an array with one axis per parent and the variable's own axis last."""

from itertools import product
from numbers import Real

import numpy as np

from bayeslib.models._checks import TOLERANCE, among, is_mapping, names, one_probability, real, short


def as_array(table, variable, parents, states):
    """The conditional probability table of `variable` as an array; see `BeliefNetwork` for the ways to write one."""
    shape = tuple(len(states[v]) for v in (*parents, variable))
    name, domain = f"tables[{variable!r}]", states[variable]
    keys = list(product(*(states[p] for p in parents)))
    if hasattr(table, "iterrows"):  # a pandas table has a row for each combination of the parents' states
        if len(table) != len(keys):
            raise ValueError(f"{name} must have {len(keys)} rows, one for each of {names(keys)}, got {len(table)}")
        table = dict(zip(keys if _only_counts(table.index) else table.index, (row for _, row in table.iterrows())))
    elif not parents and (is_mapping(table) or isinstance(table, Real)):
        return _row(table, name, domain)
    if is_mapping(table):
        rows = {
            _parent_states(key, f"{name}[{key!r}]", parents, states): _row(table[key], f"{name}[{key!r}]", domain)
            for key in table.keys()
        }
        if missing := [key for key in keys if key not in rows]:
            raise ValueError(
                f"{name} must have a row for each of the {len(keys)} combinations of its parents' states "
                f"({', '.join(map(str, parents))}), got {len(rows)}; missing: {short(missing)}"
            )
        return np.array([rows[key] for key in keys]).reshape(shape)
    array = _numbers(table)
    if array is None or array.shape != shape:
        axes = ", ".join(f"{v}: {len(states[v])}" for v in (*parents, variable))
        got = f"shape {array.shape}" if array is not None else short(table)
        raise ValueError(f"{name} must have shape {shape}, axes ({axes}; parents in order, then {variable}), got {got}")
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


def _only_counts(index):
    """Whether a pandas index is the 0, 1, 2, … that pandas adds by itself, and so names nothing."""
    return type(index).__name__ == "RangeIndex"


def _parent_states(key, where, parents, states):
    """A row's key as a tuple of parent states; a single parent's state may be given bare."""
    key = key if isinstance(key, tuple) and (len(parents) != 1 or len(key) == 1) else (key,)
    if len(key) != len(parents) or not all(among(state, states[p]) for p, state in zip(parents, key)):
        wanted = ", ".join(f"{p} in {names(states[p])}" for p in parents)
        raise ValueError(f"{where} must be keyed by states of its parents, ({wanted})")
    return key


def _row(row, where, domain):
    """One distribution over the variable's own states: a mapping, a sequence, or for two states the first one's number."""
    values = row
    if is_mapping(row) and not (hasattr(row, "index") and _only_counts(row.index)):
        values = [row[state] for state in domain] if set(row.keys()) == set(domain) else None
    elif isinstance(row, Real) and not isinstance(row, bool) and len(domain) == 2:
        values = [row, 1 - one_probability(row, where)]
    array = _numbers(values)
    if array is None or array.shape != (len(domain),):
        raise ValueError(f"{where} must give a probability for each of {names(domain)}, got {short(row)}")
    return array


def _numbers(values):
    """`values` as an array of floats; None if they are not numbers."""
    try:
        return np.array(real(values), dtype=float)
    except (TypeError, ValueError, OverflowError):
        return None
