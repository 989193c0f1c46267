"""Learning tables from rows with holes: expected counts, EM, gradient ascent, structural EM (section 11).

    E step: N(v, parents) = Σ_rows P(v, parents | what the row shows, θ)        M step: θ ← N(v, parents) / N(parents)

A missing cell (None or NaN, or a column that is not there at all) is never filled in: its row is split into weighted rows,
and the weights are added up like counts.
"""

from functools import cached_property
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from bayeslib._checks import as_number, generator, is_mapping, names, whole_number
from bayeslib.networks import graph
from bayeslib.networks._skeleton import skeleton
from bayeslib.networks.network import BOOLEAN, BeliefNetwork
from bayeslib.networks.network import _parents_of as parents_of

MISSING = -1
AT_ONCE = 2**22  # rows × cells of the joint table up to which the E step is two products of a matrix with a vector
MOST_SPLIT = 2**16  # rows that a table of completions may have
EDGE = 1e-6  # gradient ascent keeps probabilities this far from 0


class Step(NamedTuple):
    """One entry of a history: tables, and what the E step makes of the rows with them."""

    network: BeliefNetwork
    counts: dict  # expected counts by variable, arrays with the axes of `network.factor(variable)`
    log_likelihood: float
    log_prior: float

    @property
    def objective(self):
        """What never falls: log-likelihood + log-prior (which is 0 without a prior)."""
        return self.log_likelihood + self.log_prior

    def table(self, variable):
        """Expected counts as rows to read: {parent states: {state: count}}; no parents, one row, key ()."""
        net, counts = self.network, self.counts[variable]
        keys = product(*(net.states[p] for p in net.parents[variable]))
        return {
            k: dict(zip(net.states[variable], row))
            for k, row in zip(keys, counts.reshape(-1, counts.shape[-1]).tolist())
        }


class Learned:
    """A run of EM or of gradient ascent: `log_likelihoods`, `objectives`, and the whole `history`, the start included.

    Every entry of the history is a `Step`, made when it is looked at; `network` is the last one's.
    """

    def __init__(self, start, numbers, counts, log_likelihoods, log_priors, converged):
        self._start, self._numbers, self._counts = start, numbers, counts
        self.log_likelihoods, self.log_priors = np.array(log_likelihoods), np.array(log_priors)
        self.converged = converged

    @property
    def objectives(self):
        """Log-likelihood + log-prior after 0, 1, 2, … iterations: what EM never lowers."""
        return self.log_likelihoods + self.log_priors

    @property
    def iterations(self):
        return len(self._numbers) - 1

    @property
    def network(self):
        return self.history[-1].network

    @cached_property
    def history(self):
        return [self._step(k) for k in range(len(self._numbers))]

    def _step(self, k):
        counts, score = _by_variable(self._start, self._counts[k]), (self.log_likelihoods[k], self.log_priors[k])
        tables = _by_variable(self._start, self._numbers[k])
        return Step(self._start.with_tables(tables), counts, *map(float, score))


def em(
    structure, data, prior=None, start=None, states=None, held=(), iterations=1000, tolerance=1e-8, random_state=None
):
    """Expectation maximisation: tables that make the seen cells as probable as possible nearby (section 11).

    structure   a mapping of every variable to its parents, or a network, whose tables are then the start
    data        rows with holes: a pandas table, a mapping of columns, or a list of mappings; None and NaN are holes, and a
                variable without a column is hidden in every row
    prior       None for maximum likelihood; else pseudo-counts, which makes it MAP: a number that is added to every cell,
                or a mapping of variable to the number or array that is added to its cells
    start       a network with the first tables; left out, the structure's own, or random ones from `random_state`
    states      a mapping of variable to its states; left out, the network's, else what the column holds
    held        variables whose tables stay as they are
    It stops after `iterations`, or once log-likelihood + log-prior gains no more than `tolerance`. A row of a table about
    which the data say nothing at all keeps its numbers.
    """
    start, expectation, pseudo, held = _prepared(structure, data, prior, start, states, held, random_state)
    shape = start._skeleton

    def climb(numbers, counts):
        counts = counts + pseudo
        total = np.add.reduceat(counts, shape.rows)[_row_of(shape)]
        return np.where(held | (total <= 0), numbers, counts / np.where(total > 0, total, 1))

    return _climbed(start, expectation, pseudo, climb, iterations, tolerance)


def gradient_ascent(
    structure,
    data,
    rate=0.01,
    prior=None,
    start=None,
    states=None,
    held=(),
    iterations=100,
    tolerance=0.0,
    random_state=None,
):
    """Climb the same likelihood by its slope: θ ← θ + rate · (g − mean of g in the row), g = N / θ (section 11).

    The slope of the log-likelihood is made of the same expected counts N as EM's step. What is left of it after the row's
    mean is taken off keeps the row's sum at 1. With a rate that is too large the likelihood may fall. Probabilities are kept
    away from 0. Arguments as for `em`.
    """
    as_number(rate, "rate", 0)
    start, expectation, pseudo, held = _prepared(structure, data, prior, start, states, held, random_state)
    shape = start._skeleton
    at, wide = _row_of(shape), np.diff(np.append(shape.rows, shape.ends[-1]))

    def climb(numbers, counts):
        slope = (counts + pseudo) / np.maximum(numbers, EDGE)
        slope = slope - (np.add.reduceat(slope, shape.rows) / wide)[at]
        moved = np.maximum(numbers + rate * slope, EDGE)
        return np.where(held, numbers, moved / np.add.reduceat(moved, shape.rows)[at])

    return _climbed(start, expectation, pseudo, climb, iterations, tolerance)


def expected_counts(network, data):
    """The E step once: a `Step` with the expected counts of every family and the log-likelihood (section 11)."""
    start, expectation, _, _ = _prepared(network, data, None, None, None, (), None)
    counts, log_likelihood = expectation(_flat(start))
    return Step(start, _by_variable(start, counts), log_likelihood, 0.0)


def completions(network, data):
    """Every row split into its possible completions: columns "row", each variable, and "weight" (section 11).

    The weights of a row are P(completion | what the row shows); they sum to 1. Impossible completions are left out. Counting
    these rows by their weight gives the expected counts.
    """
    codes = coded(read_columns(data, network.variables), network.states)
    size = sum(prod(np.where(row == MISSING, network._skeleton.cards, 1).tolist()) for row in codes)
    if size > MOST_SPLIT:
        raise ValueError(f"data must split into at most {MOST_SPLIT} completions to be listed, got {size}")
    columns = {"row": [], **{v: [] for v in network.variables}, "weight": []}
    for number, row in enumerate(codes):
        ways = list(
            product(*([code] if code != MISSING else range(c) for code, c in zip(row, network._skeleton.cards)))
        )
        filled = [{v: network.states[v][code] for v, code in zip(network.variables, way)} for way in ways]
        chances = np.array([network.joint(each) for each in filled])
        if not chances.sum() > 0:
            raise _impossible(network, row, number)
        for each, weight in zip(filled, (chances / chances.sum()).tolist()):
            if weight > 0:
                for column, value in {"row": number, **each, "weight": weight}.items():
                    columns[column].append(value)
    return columns


# What a run shares


def _climbed(start, expectation, pseudo, climb, iterations, tolerance):
    """The history of repeated steps from the tables of `start`; `climb(numbers, counts)` gives the next tables."""
    whole_number(iterations, "iterations", 0)
    as_number(tolerance, "tolerance", 0)
    numbers, history, converged = _flat(start), [], False
    for k in range(iterations + 1):
        counts, log_likelihood = expectation(numbers)
        history.append((numbers, counts, log_likelihood, _weighted_logs(pseudo, numbers)))
        gain = sum(history[-1][2:]) - sum(history[-2][2:]) if k else np.inf
        if converged := bool(abs(gain) <= tolerance):
            break
        if k < iterations:
            numbers = climb(numbers, counts)
    return Learned(start, *map(list, zip(*history)), converged)


def _prepared(structure, data, prior, start, states, held, random_state):
    """The network to start from, the E step for these rows, and, cell by cell, pseudo-counts and what is held."""
    if isinstance(structure, BeliefNetwork):
        start = structure if start is None else start
        structure = structure.parents
    elif not is_mapping(structure) or not structure:
        raise ValueError(f"structure must be a network or a mapping of variable to its parents, got {structure!r}")
    parents = {v: parents_of(v, structure[v]) for v in structure.keys()}
    order = graph.topological_order(parents)
    if start is not None:
        if not isinstance(start, BeliefNetwork) or dict(start.parents) != parents:
            raise ValueError(f"start must be a network with the arrows of structure, {parents}, got {start!r}")
        if states is not None:
            raise ValueError("states must be left out where a network, as structure or start, already tells them")
        states = start.states
    columns = read_columns(data, order)
    domains = {v: domain(v, columns.get(v), (states or {}).get(v)) for v in order}
    codes = coded(columns, domains)
    if start is None:
        rng = generator(random_state)
        shape = skeleton(tuple(parents.items()), tuple(len(domains[v]) for v in parents))
        tables = {v: rng.dirichlet(np.ones(s[-1]), s[:-1]) for v, s in zip(shape.variables, shape.shapes)}
        start = BeliefNetwork(parents, tables, domains)
    held = {start._number(v, "held") for v in held}
    flags = np.concatenate([np.full(array.size, i in held) for i, array in enumerate(start._factors)])
    return start, _expectation(start, codes), _pseudo_counts(prior, start), flags


def _expectation(start, codes):
    """The E step for these rows, as a function of all tables laid end to end: (expected counts, log-likelihood)."""
    shape = start._skeleton
    rows, first, times = np.unique(codes, axis=0, return_index=True, return_counts=True)
    small = len(rows) * prod(shape.cards) <= AT_ONCE
    return (_all_at_once if small else _row_by_row)(start, shape, rows, times, first)


def _all_at_once(start, shape, rows, times, first):
    """For small networks: `fits` says which cells of the joint table agree with which row, and products with it do all.

    P(row) = Σ_cells fits · joint        expected joint = joint · Σ_rows fits · times / P(row)
    """
    cells = np.indices(shape.cards).reshape(len(shape.cards), -1)
    index = _index(shape, cells)
    fits = np.ones((len(rows), cells.shape[1]))
    for i, cell in enumerate(cells):
        fits *= (rows[:, i, None] == MISSING) | (rows[:, i, None] == cell)
    times, by_cell = times.astype(float), index.ravel()

    def expectation(numbers):
        joint = numbers[index].prod(axis=0)
        chances = fits @ joint
        if not chances.all():
            at = int(np.flatnonzero(chances == 0)[0])
            raise _impossible(start, rows[at], first[at])
        expected = joint * ((times / chances) @ fits)
        counts = np.bincount(by_cell, np.tile(expected, len(index)), shape.ends[-1])
        return counts, float(times @ np.log(chances))

    return expectation


def _row_by_row(start, shape, rows, times, first):
    """For large networks: one pass of exact inference for each distinct row with a hole; complete rows are only counted."""
    whole = (rows != MISSING).all(axis=1)
    complete = np.zeros(shape.ends[-1])
    np.add.at(complete, _index(shape, rows[whole].T), times[whole])
    partial = [
        ({v: start.states[v][code] for v, code in zip(shape.variables, row) if code != MISSING}, row, n, at)
        for row, n, at in zip(rows[~whole], times[~whole].tolist(), first[~whole])
    ]

    def expectation(numbers):
        if (numbers[complete > 0] == 0).any():
            at = next(k for k in np.flatnonzero(whole) if (numbers[_index(shape, rows[k])] == 0).any())
            raise _impossible(start, rows[at], first[at])
        network = start.with_tables(_by_variable(start, numbers))
        counts, log_likelihood = complete.copy(), _weighted_logs(complete, numbers)
        for evidence, row, n, at in partial:
            try:
                families, log_evidence = network.families(evidence)
            except ValueError as error:
                if "impossible" in str(error):
                    raise _impossible(start, row, at) from None
                raise
            counts += n * np.concatenate([families[v].ravel() for v in shape.variables])
            log_likelihood += n * log_evidence
        return counts, log_likelihood

    return expectation


def _index(shape, codes):
    """Where in all tables laid end to end each family's cell is, for complete assignments given variable by variable."""
    return np.array(
        [
            begin + np.ravel_multi_index(tuple(codes[i] for i in scope), size)
            for begin, scope, size in zip(shape.ends, shape.scopes, shape.shapes)
        ]
    )


def _row_of(shape):
    """For every cell of all tables laid end to end, the number of its row."""
    return np.repeat(np.arange(len(shape.rows)), np.diff(np.append(shape.rows, shape.ends[-1])))


def _flat(network):
    return np.concatenate([array.ravel() for array in network._factors])


def _by_variable(network, numbers):
    """All tables laid end to end, cut up again: {variable: array}."""
    shape = network._skeleton
    cut = zip(shape.variables, shape.ends, shape.ends[1:], shape.shapes)
    return {v: numbers[a:b].reshape(s) for v, a, b, s in cut}


def _weighted_logs(weights, numbers):
    """Σ weight · log number, where a weight of 0 counts nothing."""
    used = weights > 0
    with np.errstate(divide="ignore"):
        return float(weights[used] @ np.log(numbers[used]))


def _pseudo_counts(prior, network):
    """What a prior adds to every cell, laid end to end."""
    given = prior if is_mapping(prior) else dict.fromkeys(network.variables, 0.0 if prior is None else prior)
    found = {v: np.zeros(network.factor(v).shape) for v in network.variables}
    for variable in given.keys():
        network._number(variable, "prior")
        extra = as_number(given[variable], f"prior[{variable!r}]" if is_mapping(prior) else "prior", 0)
        try:
            found[variable] = np.broadcast_to(extra, found[variable].shape)
        except ValueError:
            wanted = found[variable].shape
            raise ValueError(
                f"prior[{variable!r}] must be a number or have shape {wanted}, got {extra.shape}"
            ) from None
    return np.concatenate([found[v].ravel() for v in network.variables])


# Rows with holes


def read_columns(data, variables):
    """Data as {variable: list of values}, only of the variables that have a column; all columns equally long, not empty."""
    if is_mapping(data):
        columns = {v: list(data[v]) for v in data.keys()}
    else:
        rows = list(data)
        if not all(is_mapping(row) for row in rows):
            raise ValueError("data must be a table, a mapping of columns or a list of mappings, one for each row")
        columns = {v: [row.get(v) for row in rows] for v in dict.fromkeys(v for row in rows for v in row.keys())}
    if unknown := [v for v in columns if v not in variables]:
        raise ValueError(f"data must have columns of the network, {names(variables)}, got {unknown[0]!r}")
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        raise ValueError(f"data must have columns of one length, got {sorted(lengths)}")
    if not lengths or not lengths.pop():
        raise ValueError("data must hold at least one row, got none")
    return columns


def domain(variable, column, states):
    """The states of a variable: those declared, else the values that its column holds, which must be at least two."""
    if states is not None:
        return tuple(states)
    seen = {value for value in column or () if not _missing(value)}
    if not seen:
        raise ValueError(f"states must declare the states of {variable!r}: it is missing in every row")
    if seen <= set(BOOLEAN):
        return BOOLEAN
    if len(seen) == 1:
        raise ValueError(f"states must declare the states of {variable!r}: every row that shows it has {seen.pop()!r}")
    return tuple(sorted(seen, key=lambda value: (str(type(value)), value)))


def coded(columns, domains):
    """Rows of state numbers, a column for each variable of `domains` in order; MISSING where a cell is."""
    length = len(next(iter(columns.values())))
    codes = np.full((length, len(domains)), MISSING)
    for i, (variable, states) in enumerate(domains.items()):
        number = {state: code for code, state in enumerate(states)}
        for at, value in enumerate(columns.get(variable, ())):
            if not _missing(value):
                try:
                    codes[at, i] = number[value]
                except (KeyError, TypeError):
                    where = f"data, row {at}: {variable}"
                    raise ValueError(f"{where} must be one of {names(states)} or missing, got {value!r}") from None
    return codes


def _missing(value):
    """None, NaN, and pandas' own sign for a missing value, which is the only one that refuses to be compared."""
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True


def _impossible(network, row, at):
    seen = {v: network.states[v][code] for v, code in zip(network.variables, row) if code != MISSING}
    what = ", ".join(f"{v}={state!r}" for v, state in seen.items())
    return ValueError(
        f"data, row {at} is impossible with these tables: P({what}) = 0; start from tables without that zero"
    )
