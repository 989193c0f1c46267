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

from bayeslib.models._checks import generator, is_mapping, names, one_number, row_weights, sequence, short, whole_number
from bayeslib.models.networks import graph
from bayeslib.models.networks._arrows import known, several
from bayeslib.models.networks._rows import MISSING, Rows, columns_of, encode
from bayeslib.models.networks._skeleton import network_of, skeleton
from bayeslib.models.networks.learning import Counts, FamilyScores, _structure, virtual_rows
from bayeslib.models.networks.network import BeliefNetwork, ImpossibleEvidence
from bayeslib.models.networks.search import hill_climb

MAX_CELLS = 2**18  # of a joint table that the E step goes through; also completions that can be listed
ROUNDS = 20  # of structural EM, at most
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
        shape, i = self._start._skeleton, self._start._number(variable, "variable")
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
    states=None,
    held=(),
    weights=None,
    max_iter=1000,
    tol=1e-8,
    random_state=None,
):
    """Expectation maximisation: tables under which the cells that were seen are as probable as nearby tables allow (section 11).

    structure    a network, whose tables are the start; or a mapping of every variable to its parents, for random tables
                 from `random_state`
    data         rows with holes: a mapping or pandas table of columns, or a list of mappings. None and NaN are holes; a
                 variable without a column is hidden in every row, and its states must be known
    prior, m     virtual rows as for `fit`; with any but "mle" this is MAP: log-prior = Σ virtual rows · log θ
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
    start, expectation = _prepared(structure, data, states, weights, random_state)
    held, virtual = _held(start, held), _virtual(start, prior, m)

    def update(numbers, counts):
        return _m_step(start._skeleton, numbers, counts + virtual, held)

    return _run(start, expectation, virtual, update, max_iter, tol)


def gradient_ascent(structure, data, rate=0.01, held=(), max_iter=100):
    """Climb the same likelihood by its slope: θ ← θ + rate · (g − mean of g in the row), g = N / θ (section 11).

    The slope of the log-likelihood is made of the same expected counts N as EM's step. Subtracting the row's mean keeps
    the row's sum at 1. With a rate that is too large the likelihood may fall. Probabilities are kept away from 0. Other
    arguments as for `em`.

    >>> from bayeslib.models.networks import examples
    >>> learned = gradient_ascent(examples.student_start(), examples.student_holes(), max_iter=3)
    >>> learned.log_likelihoods.round(3).tolist()
    [-15.525, -15.308, -15.127, -14.972]
    """
    rate = one_number(rate, "rate", 0)
    start, expectation = _prepared(structure, data, None, None, None)
    shape, held = start._skeleton, _held(start, held)
    row = _row_of(shape)
    length = np.bincount(row)

    def update(numbers, counts):
        slope = counts / np.maximum(numbers, EDGE)
        slope = slope - (np.add.reduceat(slope, shape.rows) / length)[row]
        moved = np.maximum(numbers + rate * slope, EDGE)
        return np.where(held, numbers, moved / np.add.reduceat(moved, shape.rows)[row])

    return _run(start, expectation, np.zeros(shape.ends[-1]), update, max_iter, tol=0.0)


def expected_counts(network, data, weights=None):
    """The E step once: a `Step` with the expected counts of every family and the log-likelihood (section 11).

    >>> from bayeslib.models.networks import examples
    >>> expected_counts(examples.student_start(), examples.student_holes()).counts["A"].round(3).tolist()
    [3.2, 1.8]
    """
    start, expectation = _prepared(network_of(network, "network"), data, None, weights, None)
    counts, log_likelihood = expectation(_flat(start))
    return Step(start, _counts(start, counts), log_likelihood, 0.0)


class Round(NamedTuple):
    """One round of structural EM: a graph with the tables that EM gave it, its score, and the moves that led to it.

    >>> from bayeslib.models.networks import examples
    >>> rounds = structural_em(examples.typical_rows(examples.student(), 100))
    >>> len(rounds), len(rounds[-1].moves)
    (2, 4)
    """

    network: BeliefNetwork
    log_likelihood: float
    score: float
    moves: list


def structural_em(data):
    """Arrows and tables from rows with holes: a list of `Round`s, whose BIC never falls (section 11).

    Each round runs EM for the present graph, at first one without arrows, then lets `hill_climb` search with expected counts
    in place of counts, all of them from one E step. It ends when the search finds no better graph. That need not be the best
    one: expected counts favour the arrows they were computed with. The score is BIC of the observed cells, in nats:
    log-likelihood − ½ ln N for every free number.

    >>> from bayeslib.models.networks import examples
    >>> rounds = structural_em(examples.typical_rows(examples.student(), 100))
    >>> rounds[-1].score > rounds[0].score
    True
    """
    _, states = encode(data, missing=True)
    structure, history, moves = dict.fromkeys(states, ()), [], []
    for _ in range(ROUNDS):
        learned = em(structure, data, max_iter=200, random_state=0)
        network, likelihood = learned.network, float(learned.log_likelihoods[-1])
        codes, states = _encoded(data, network.variables, network.states)
        expected, _ = _e_step(network.joint_table(), _by_holes(*np.unique(codes, axis=0, return_counts=True)))
        penalty = 0.5 * log(len(codes)) * network.parameter_count
        history.append(Round(network, likelihood, likelihood - penalty, moves))
        cells = np.argwhere(expected)
        rows = Rows(cells, expected.shape, expected[tuple(cells.T)])
        search = hill_climb(FamilyScores(rows, network.variables), start=network)
        if not search.history:
            break
        moves, number = search.history, {v: i for i, v in enumerate(network.variables)}
        arrays = {v: rows.count(number[v], [number[p] for p in theirs]) for v, theirs in search.parents.items()}
        structure = Counts(search.parents, states, arrays).network(unseen="even")
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
    codes, states = _encoded(data, network_of(network, "network").variables, network.states)
    size = np.where(codes == MISSING, network._skeleton.cards, 1).prod(axis=1, dtype=float).sum()
    if size > MAX_CELLS:
        raise ValueError(f"data must split into at most {MAX_CELLS} completions to be listed, got {size:.0f}")
    columns = {"row": [], **{v: [] for v in states}, "weight": []}
    for number, row in enumerate(codes):
        known_or_any = [s if code == MISSING else [s[code]] for s, code in zip(states.values(), row)]
        ways = [dict(zip(states, way)) for way in product(*known_or_any)]
        chances = [network.joint(way) for way in ways]
        if not any(chances):
            raise _impossible(network, row, number)
        for way, chance in zip(ways, chances):
            if chance > 0:
                for column, value in {"row": number, **way, "weight": chance / sum(chances)}.items():
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


def _prepared(structure, data, states, weights, random_state):
    """The network to start from, and the E step for these rows."""
    if isinstance(structure, BeliefNetwork) and states is not None:
        raise ValueError(f"states must be left out if structure is a network, which has them, got {short(states)}")
    parents, states = _structure(structure, states)
    codes, states = _encoded(data, graph.topological_order(parents), states)
    start = structure
    if not isinstance(structure, BeliefNetwork):
        random = generator(random_state)
        shape = skeleton(tuple(parents.items()), tuple(len(states[v]) for v in parents))
        tables = {v: random.dirichlet(np.ones(s[-1]), s[:-1]) for v, s in zip(shape.variables, shape.shapes)}
        start = BeliefNetwork(parents, tables, states)
    if (cells := prod(start._skeleton.cards)) > MAX_CELLS:
        raise ValueError(f"structure must have a joint table of at most {MAX_CELLS} cells for EM, got {cells}")
    return start, _expectation(start, codes, weights)


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
    columns = columns_of(data)
    if unknown := [v for v in columns.keys() if v not in variables]:
        raise ValueError(f"data must have columns of the network, {names(variables)}, got {unknown[0]!r}")
    present = [v for v in variables if v in columns]
    rows = len(sequence(columns[present[0]], f"data[{present[0]!r}]")) if present else 0
    holes = np.full(rows, None)
    return encode({v: columns[v] if v in columns else holes for v in variables}, variables, states, missing=True)


def _virtual(network, prior, m):
    """The virtual rows of a prior, cell by cell, all tables laid end to end."""
    return np.concatenate([np.full(array.size, virtual_rows(array.shape, prior, m)) for array in network._factors])


def _counts(network, numbers):
    return Counts(network.parents, network.states, _by_variable(network, numbers))


def _expectation(start, codes, weights):
    """The E step for these rows, as a function of all tables laid end to end: (expected counts, log-likelihood)."""
    shape = start._skeleton
    weights = None if weights is None else row_weights(weights, len(codes), "weights", "data")
    rows, inverse = np.unique(codes, axis=0, return_inverse=True)
    groups = list(_by_holes(rows, np.bincount(inverse.ravel(), weights)))
    index = _index(shape)

    def expectation(numbers):
        joint = numbers[index].prod(axis=0).reshape(shape.cards)
        expected, log_likelihood = _e_step(joint, groups)
        if not log_likelihood > -np.inf:
            at = next(
                at
                for at, row in enumerate(codes)
                if not joint[tuple(slice(None) if code == MISSING else code for code in row)].any()
            )
            raise _impossible(start, codes[at], at)
        counts = np.bincount(index.ravel(), np.tile(expected.ravel(), len(index)), shape.ends[-1])
        return counts, log_likelihood

    return expectation


def _by_holes(rows, times):
    """Distinct rows that lack the same cells, together: the axes of these cells, where the rows are without them, how often."""
    holes = rows == MISSING
    for axes in np.unique(holes, axis=0):
        same = (holes == axes).all(axis=1)
        yield tuple(np.flatnonzero(axes)), tuple(np.where(axes, 0, rows[same]).T), times[same]


def _e_step(joint, groups):
    """How many rows to expect in each cell of the joint table, and the log-likelihood of what the rows show.

    P(row) = Σ_completions joint      expected = Σ_rows times · joint / P(row), in the cells that complete it
    """
    expected, log_likelihood = np.zeros(joint.shape), 0.0
    for holes, rows, times in groups:  # the rows that lack the same cells
        chance = joint.sum(axis=holes, keepdims=True)
        if not chance[rows].all():
            return expected, -np.inf
        share = np.zeros(chance.shape)
        share[rows] = times / chance[rows]
        expected += joint * share
        log_likelihood += float(times @ np.log(chance[rows]))
    return expected, log_likelihood


def _m_step(shape, numbers, counts, held):
    """θ ← N(x, z) / N(z) in each row of each table; one that is held, or has no counts, stays as it is."""
    row = _row_of(shape)
    total = np.add.reduceat(counts, shape.rows)[row]
    return np.where(held | (total <= 0), numbers, counts / np.where(total > 0, total, 1))


def _index(shape):
    """Where in all tables laid end to end each family's cell is, for every cell of the joint table."""
    cells = np.indices(shape.cards).reshape(len(shape.cards), -1)
    families = zip(shape.ends, shape.scopes, shape.shapes)
    return np.array([a + np.ravel_multi_index(tuple(cells[i] for i in scope), size) for a, scope, size in families])


def _row_of(shape):
    """For every cell of all tables laid end to end, the number of its row."""
    return np.repeat(np.arange(len(shape.rows)), np.diff([*shape.rows, shape.ends[-1]]))


def _flat(network):
    return np.concatenate([array.ravel() for array in network._factors])


def _by_variable(network, numbers):
    """All tables laid end to end, split up again: {variable: array}."""
    shape = network._skeleton
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
