"""Learning tables from rows with holes: expected counts, EM, gradient ascent, structural EM (section 11).

    E step: N(v, parents) = Σ_rows P(v, parents | what the row shows, θ)        M step: θ ← N(v, parents) / N(parents)

A missing cell (None or NaN, or a column that is not there at all) is never filled in: its row is split into weighted rows,
and the weights are added up like counts.
"""

from functools import cached_property
from itertools import product
from math import log, prod
from typing import NamedTuple

import numpy as np

from bayeslib.models._checks import (
    generator,
    is_mapping,
    names,
    one_number,
    one_of,
    row_weights,
    sequence,
    short,
    whole_number,
)
from bayeslib.models.networks import graph
from bayeslib.models.networks._arrows import known, several
from bayeslib.models.networks._plan import TINY, from_logs
from bayeslib.models.networks._rows import MISSING, Rows, domains_of, encode
from bayeslib.models.networks._skeleton import network_of, skeleton
from bayeslib.models.networks.learning import Counts, RowScores, _structure
from bayeslib.models.networks.network import BeliefNetwork, ImpossibleEvidence
from bayeslib.models.networks.search import hill_climb

AT_ONCE = 2**22  # rows × cells of the joint table up to which the E step is two products of a matrix with a vector
MAX_CELLS = 2**16  # of a joint table whose arrows can be searched; also completions that can be listed
EDGE = 1e-6  # gradient ascent keeps probabilities this far from 0


class Step(NamedTuple):
    """One entry of a history: tables, and the result of the E step with them.

    >>> from bayeslib.models.networks import examples
    >>> step = expected_counts(examples.student_start(), examples.student_holes())
    >>> round(step.log_likelihood, 4), step.objective == step.log_likelihood
    (-15.5254, True)
    """

    network: BeliefNetwork
    counts: Counts  # expected counts of every family; `counts.frame("K")` is a table to read
    log_likelihood: float
    log_prior: float

    @property
    def objective(self):
        """What EM never lowers: log-likelihood + log-prior (which is 0 without a prior)."""
        return self.log_likelihood + self.log_prior


class Learned:
    """A run of EM or of gradient ascent: `log_likelihoods`, `objectives`, and the whole `history`, the start included.

    Every entry of the history is a `Step`; they are built on first access. `network` is the last one's.

    >>> from bayeslib.models.networks import examples
    >>> learned = em(examples.student_start(), examples.student_holes(), max_iter=3, tol=0)
    >>> learned.iterations, learned.tables("K").shape
    (3, (4, 2, 2, 2))
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

    def tables(self, variable):
        """One variable's table after 0, 1, 2, … iterations: an array whose first axis is the iteration, then those of `factor`."""
        shape, i = self._start.skeleton, self._start.number(variable)
        return np.array(self._numbers)[:, shape.ends[i] : shape.ends[i + 1]].reshape(-1, *shape.shapes[i])

    @cached_property
    def history(self):
        return [self._step(k) for k in range(len(self._numbers))]

    def _step(self, k):
        network = self._start.with_tables(_by_variable(self._start, self._numbers[k]))
        scores = float(self.log_likelihoods[k]), float(self.log_priors[k])
        return Step(network, _counts(network, self._counts[k]), *scores)


def em(
    structure,
    data,
    prior="mle",
    m=None,
    p=None,
    start=None,
    states=None,
    held=(),
    weights=None,
    max_iter=1000,
    tol=1e-8,
    random_state=None,
):
    """Expectation maximisation: tables under which the cells that were seen are as probable as nearby tables allow (section 11).

    structure    a mapping of every variable to its parents, or a network, whose tables are then the start
    data         rows with holes: a mapping or pandas table of columns, or a list of mappings. None and NaN are holes; a
                 variable without a column is hidden in every row, and its states must be known
    prior, m, p  virtual rows as for `fit`; with any but "mle" this is MAP: log-prior = Σ virtual rows · log θ
    start        a network with the first tables; by default the structure's own, or random ones from `random_state`
    states       a mapping of variable to its states; by default the network's, else the values in the column
    held         variables whose tables stay as they are; or a mapping of variable to a boolean array, for some of its cells
    weights      how often each row counts, if not once
    It stops after `max_iter` iterations, or once log-likelihood + log-prior gains no more than `tol`. A row of a table about
    which the data say nothing keeps its numbers. All logarithms are natural.

    >>> from bayeslib.models.networks import examples
    >>> learned = em(examples.student_start(), examples.student_holes(), max_iter=3, tol=0)
    >>> learned.log_likelihoods.round(3).tolist()
    [-15.525, -13.113, -12.673, -12.396]
    """
    start, expectation, held = _prepared(structure, data, start, states, held, weights, random_state)
    virtual = _virtual(start, prior, m, p)

    def update(numbers, counts):
        return _m_step(start.skeleton, numbers, counts + virtual, held)

    return _run(start, expectation, virtual, update, max_iter, tol)


def gradient_ascent(
    structure,
    data,
    rate=0.01,
    prior="mle",
    m=None,
    p=None,
    start=None,
    states=None,
    held=(),
    weights=None,
    max_iter=100,
    tol=0.0,
    random_state=None,
):
    """Climb the same likelihood by its slope: θ ← θ + rate · (g − mean of g in the row), g = N / θ (section 11).

    The slope of the log-likelihood is made of the same expected counts N as EM's step. Subtracting the row's mean keeps
    the row's sum at 1. With a rate that is too large the likelihood may fall. Probabilities are kept away from 0. Arguments
    as for `em`.

    >>> from bayeslib.models.networks import examples
    >>> learned = gradient_ascent(examples.student_start(), examples.student_holes(), max_iter=3)
    >>> learned.log_likelihoods.round(3).tolist()
    [-15.525, -15.308, -15.127, -14.972]
    """
    rate = one_number(rate, "rate", 0)
    start, expectation, held = _prepared(structure, data, start, states, held, weights, random_state)
    shape, virtual = start.skeleton, _virtual(start, prior, m, p)
    row = _row_of(shape)
    length = np.bincount(row)

    def update(numbers, counts):
        slope = (counts + virtual) / np.maximum(numbers, EDGE)
        slope = slope - (np.add.reduceat(slope, shape.rows) / length)[row]
        moved = np.maximum(numbers + rate * slope, EDGE)
        return np.where(held, numbers, moved / np.add.reduceat(moved, shape.rows)[row])

    return _run(start, expectation, virtual, update, max_iter, tol)


def expected_counts(network, data, weights=None):
    """The E step once: a `Step` with the expected counts of every family and the log-likelihood (section 11).

    >>> from bayeslib.models.networks import examples
    >>> expected_counts(examples.student_start(), examples.student_holes()).counts["A"].round(3).tolist()
    [3.2, 1.8]
    """
    start, expectation, _ = _prepared(network_of(network, "network"), data, None, None, (), weights, None)
    counts, log_likelihood = expectation(_flat(start))
    return Step(start, _counts(start, counts), log_likelihood, 0.0)


class Round(NamedTuple):
    """One round of structural EM: a graph with the tables that EM gave it, its score, and the moves that led to it.

    >>> from bayeslib.models.networks import examples
    >>> rounds = structural_em(examples.typical_rows(examples.student(), 100), max_iter=5)
    >>> len(rounds), len(rounds[-1].moves)
    (2, 4)
    """

    network: BeliefNetwork
    log_likelihood: float
    score: float
    moves: list


def structural_em(
    data, score="bic", start=None, states=None, max_parents=None, rounds=20, max_iter=200, random_state=None
):
    """Arrows and tables from rows with holes: a list of `Round`s, whose score never falls (section 11).

    Each round runs EM for the present graph, then lets `hill_climb` search with expected counts in place of counts, all of
    them from one E step. It ends when the search finds no better graph. That need not be the best one: expected counts
    favour the arrows they were computed with.
    score  of the observed cells, in nats: "bic", log-likelihood − ½ ln N for every free number; or "mle", without the penalty
    start  the first graph, or a network with its tables too; by default no arrows. A variable that is never observed needs
           arrows here, as nothing can suggest one later

    >>> from bayeslib.models.networks import examples
    >>> rounds = structural_em(examples.typical_rows(examples.student(), 100), max_iter=5)
    >>> rounds[-1].score > rounds[0].score
    True
    """
    one_of(score, "score", ("bic", "mle"))
    data, states = data if is_mapping(data) else _columns(data), states if states is None else domains_of(states)
    if not len(data.keys()):
        raise ValueError(f"data must have at least one column, got {short(data)}")
    start = dict.fromkeys([*data.keys(), *(states or {})], ()) if start is None else start
    parents, declared = _structure(start, states, "start")
    _, domains = _encoded(data, parents, declared)
    cards = [len(domain) for domain in domains.values()]
    if prod(cards) > MAX_CELLS:
        raise ValueError(f"data must have a joint table of at most {MAX_CELLS} cells for a search, got {prod(cards)}")
    history, moves = [], []
    for _ in range(whole_number(rounds, "rounds", 1)):
        first = None if isinstance(start, BeliefNetwork) else states
        learned = em(start, data, states=first, max_iter=max_iter, random_state=random_state)
        network, cards = learned.network, learned.network.skeleton.cards
        expected = _expected_joint(network, data)
        free = network.parameter_count if score == "bic" else 0
        likelihood = float(learned.log_likelihoods[-1])
        history.append(Round(network, likelihood, likelihood - 0.5 * log(expected.sum()) * free, moves))
        cells = np.indices(cards).reshape(len(cards), -1)
        rows = Rows(cells.T[expected > 0], cards, expected[expected > 0])
        numbers = {i: scope[:-1] for i, scope in enumerate(network.skeleton.scopes)}
        search = hill_climb(RowScores(rows, score), start=numbers, max_parents=max_parents)
        if not search.history:
            break
        v = network.variables
        moves = [move._replace(source=v[move.source], target=v[move.target]) for move in search.history]
        parents = {v[i]: tuple(v[j] for j in own_parents) for i, own_parents in search.parents.items()}
        arrays = {v[i]: rows.count(i, own_parents) for i, own_parents in search.parents.items()}
        start = Counts(parents, network.states, arrays).network(unseen="even")
    return history


def completions(network, data):
    """Every row split into its possible completions: columns "row", each variable, and "weight" (section 11).

    The weights of a row are P(completion | what the row shows); they sum to 1. Impossible completions are left out. Counting
    these rows by their weight gives the expected counts.

    >>> from bayeslib.models.networks import examples
    >>> ways = completions(examples.student_start(), examples.student_holes())
    >>> [round(weight, 2) for weight in ways["weight"]]
    [1.0, 0.6, 0.4, 1.0, 0.2, 0.8, 1.0]
    """
    codes, _ = _encoded(data, network_of(network, "network").variables, network.states)
    size = sum(prod(np.where(row == MISSING, network.skeleton.cards, 1).tolist()) for row in codes)
    if size > MAX_CELLS:
        raise ValueError(f"data must split into at most {MAX_CELLS} completions to be listed, got {size}")
    columns = {"row": [], **{v: [] for v in network.variables}, "weight": []}
    for number, row in enumerate(codes):
        ways = list(product(*([code] if code != MISSING else range(c) for code, c in zip(row, network.skeleton.cards))))
        filled = [{v: network.states[v][code] for v, code in zip(network.variables, way)} for way in ways]
        chances, _ = from_logs(np.array([network.log_joint(assignment) for assignment in filled]))
        if not chances.any():
            raise _impossible(network, row, number)
        for assignment, weight in zip(filled, (chances / chances.sum()).tolist()):
            if weight > 0:
                for column, value in {"row": number, **assignment, "weight": weight}.items():
                    columns[column].append(value)
    return columns


# Shared by EM and gradient ascent


def _run(start, expectation, virtual, update, max_iter, tol):
    """The history of repeated steps from the tables of `start`; `update(numbers, counts)` gives the next tables."""
    whole_number(max_iter, "max_iter", 0)
    one_number(tol, "tol", 0)
    numbers, history, converged = _flat(start), [], False
    for k in range(max_iter + 1):
        counts, log_likelihood = expectation(numbers)
        history.append((numbers, counts, log_likelihood, _weighted_logs(virtual, numbers)))
        gain = sum(history[-1][2:]) - sum(history[-2][2:]) if k else np.inf
        converged = bool(abs(gain) <= tol)
        if converged or k == max_iter:
            return Learned(start, *map(list, zip(*history)), converged)
        numbers = update(numbers, counts)


def _prepared(structure, data, start, states, held, weights, random_state):
    """The network to start from, the E step for these rows, and which cells are held fixed."""
    if isinstance(structure, BeliefNetwork):
        start = structure if start is None else start
    parents, _ = _structure(structure, None)
    if start is not None:
        if not isinstance(start, BeliefNetwork) or dict(start.parents) != parents:
            raise ValueError(f"start must be a network with the arrows of structure, {parents}, got {start!r}")
        if states is not None:
            raise ValueError("states must be left out if structure or start is a network, which has them already")
        states = start.states
    codes, states = _encoded(data, graph.topological_order(parents), states)
    if start is None:
        random = generator(random_state)
        shape = skeleton(tuple(parents.items()), tuple(len(states[v]) for v in parents))
        tables = {v: random.dirichlet(np.ones(s[-1]), s[:-1]) for v, s in zip(shape.variables, shape.shapes)}
        start = BeliefNetwork(parents, tables, states)
    return start, _expectation(start, codes, weights), _held(start, held)


def _held(network, held):
    """Which cells stay as they are, all tables laid end to end."""
    held = held if is_mapping(held) else dict.fromkeys(several(held, "held", network.parents), True)
    flags = {v: np.zeros(network.factor(v).shape, dtype=bool) for v in network.variables}
    for v in held.keys():
        known(v, network.parents, "held")
        try:
            flags[v][...] = held[v]
        except (TypeError, ValueError):
            shape = flags[v].shape
            raise ValueError(
                f"held[{v!r}] must be True or False, or an array of them of shape {shape}, got {short(held[v])}"
            ) from None
    return np.concatenate([flag.ravel() for flag in flags.values()])


def _encoded(data, variables, states):
    """Rows of state numbers with MISSING for holes; a variable without a column is a column of holes."""
    columns = data if is_mapping(data) else _columns(data)
    if unknown := [v for v in columns.keys() if v not in variables]:
        raise ValueError(f"data must have columns of the network, {names(variables)}, got {unknown[0]!r}")
    present = [v for v in variables if v in columns]
    rows = len(sequence(columns[present[0]], f"data[{present[0]!r}]")) if present else 0
    holes = np.full(rows, None)
    return encode({v: columns[v] if v in columns else holes for v in variables}, variables, states, missing=True)


def _columns(data):
    """A list of rows as columns."""
    rows = list(data) if np.iterable(data) else [data]
    if not all(is_mapping(row) for row in rows):
        raise ValueError("data must be a mapping or table of columns, or a list of mappings, one for each row")
    return {v: [row.get(v) for row in rows] for v in dict.fromkeys(v for row in rows for v in row.keys())}


def _virtual(network, prior, m, p):
    """The virtual rows of a prior, cell by cell, all tables laid end to end."""
    empty = Counts(network.parents, network.states, {v: np.zeros(network.factor(v).shape) for v in network.variables})
    added = [np.broadcast_to(empty._virtual(v, prior, m, p), empty[v].shape).ravel() for v in network.variables]
    return np.concatenate(added)


def _counts(network, numbers):
    return Counts(network.parents, network.states, _by_variable(network, numbers))


def _expected_joint(network, data):
    """Expected counts of all cells of the joint table, from which those of any family follow."""
    shape = network.skeleton
    cells = np.indices(shape.cards).reshape(len(shape.cards), -1)
    with np.errstate(divide="ignore"):
        log_joint = np.log(_flat(network))[_index(shape, cells)].sum(axis=0)
    codes, _ = _encoded(data, network.variables, network.states)
    rows, times = np.unique(codes, axis=0, return_counts=True)
    expected = np.zeros(cells.shape[1])
    for row, n in zip(rows, times):
        fits = ((row[:, None] == MISSING) | (row[:, None] == cells)).all(axis=0)
        joint, _ = from_logs(log_joint[fits])
        expected[fits] += n * joint / joint.sum()
    return expected


def _expectation(start, codes, weights):
    """The E step for these rows, as a function of all tables laid end to end: (expected counts, log-likelihood)."""
    shape = start.skeleton
    weights = None if weights is None else row_weights(weights, len(codes), "weights", "data")
    rows, first, inverse = np.unique(codes, axis=0, return_index=True, return_inverse=True)
    times = np.bincount(inverse.ravel(), weights).astype(float)
    small = len(rows) * prod(shape.cards) <= AT_ONCE
    return (_all_at_once if small else _row_by_row)(start, shape, rows, times, first)


def _m_step(shape, numbers, counts, held):
    """θ ← N(x, z) / N(z) in each row of each table; one that is held, or has no counts, stays as it is."""
    row = _row_of(shape)
    total = np.add.reduceat(counts, shape.rows)[row]
    return np.where(held | (total <= 0), numbers, counts / np.where(total > 0, total, 1))


def _all_at_once(start, shape, rows, times, first):
    """The E step of a small network: `fits` says which cells of the joint table agree with which row.

    P(row) = Σ_cells fits · joint        expected joint = joint · Σ_rows fits · times / P(row)
    """
    cells = np.indices(shape.cards).reshape(len(shape.cards), -1)
    index = _index(shape, cells)
    fits = np.ones((len(rows), cells.shape[1]))
    for i, cell in enumerate(cells):
        fits *= (rows[:, i, None] == MISSING) | (rows[:, i, None] == cell)
    by_cell = index.ravel()

    def expectation(numbers):
        joint = numbers[index].prod(axis=0)
        chances = fits @ joint
        if chances.min() < TINY:  # impossible, or nearly: each row is looked at for itself
            return _row_by_row(start, shape, rows, times, first)(numbers)
        expected = joint * ((times / chances) @ fits)
        counts = np.bincount(by_cell, np.tile(expected, len(index)), shape.ends[-1])
        return counts, float(times @ np.log(chances))

    return expectation


def _row_by_row(start, shape, rows, times, first):
    """For large networks: one pass of exact inference for each distinct row with a hole; complete rows are only counted."""
    is_complete = (rows != MISSING).all(axis=1)
    index = _index(shape, rows[is_complete].T)
    complete = np.bincount(index.ravel(), np.tile(times[is_complete], len(index)), shape.ends[-1]).astype(float)
    partial = [
        ({v: start.states[v][code] for v, code in zip(shape.variables, row) if code != MISSING}, row, n, at)
        for row, n, at in zip(rows[~is_complete], times[~is_complete].tolist(), first[~is_complete])
    ]

    def expectation(numbers):
        if (numbers[complete > 0] == 0).any():
            at = next(k for k in np.flatnonzero(is_complete) if (numbers[_index(shape, rows[k])] == 0).any())
            raise _impossible(start, rows[at], first[at])
        network = start.with_tables(_by_variable(start, numbers))
        counts, log_likelihood = complete.copy(), _weighted_logs(complete, numbers)
        for evidence, row, n, at in partial:
            try:
                families, log_evidence = network.families(evidence)
            except ImpossibleEvidence:
                raise _impossible(start, row, at) from None
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
    return np.repeat(np.arange(len(shape.rows)), np.diff([*shape.rows, shape.ends[-1]]))


def _flat(network):
    return np.concatenate([array.ravel() for array in network.factors])


def _by_variable(network, numbers):
    """All tables laid end to end, split up again: {variable: array}."""
    shape = network.skeleton
    parts = zip(shape.variables, shape.ends, shape.ends[1:], shape.shapes)
    return {v: numbers[a:b].reshape(s) for v, a, b, s in parts}


def _weighted_logs(weights, numbers):
    """Σ weight · log number, where a weight of 0 counts nothing."""
    used = weights > 0
    with np.errstate(divide="ignore"):
        return float(weights[used] @ np.log(numbers[used]))


def _impossible(network, row, at):
    seen = {v: network.states[v][code] for v, code in zip(network.variables, row) if code != MISSING}
    what = ", ".join(f"{v}={state!r}" for v, state in seen.items())
    return ImpossibleEvidence(
        f"data, row {at} is impossible with these tables: P({what}) = 0; start from tables without that zero"
    )
