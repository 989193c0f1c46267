"""Learning belief networks from complete rows (section 09): counts, tables, scores. The search for arrows is in `search`.

    log P(data | graph, tables) = Σ_families Σ_parents' states j Σ_states k  N_jk log θ_jk,   at best with θ_jk = N_jk / N_j

All logarithms are natural: likelihoods and scores are in nats. Section 11 reuses `Counts` and `FamilyScores` with expected
counts, which are fractions.
"""

from itertools import product
from math import log, prod

import numpy as np

from bayeslib.models._checks import LARGEST, one_number, one_of, short
from bayeslib.models.networks import graph
from bayeslib.models.networks._arrows import checked, known
from bayeslib.models.networks._rows import Rows, domains_of, encode
from bayeslib.models.networks.network import BeliefNetwork

PRIORS = ("mle", "laplace", "bdeu", "m")
SCORES = ("bic", "bdeu", "mle")


def counts(structure, data, states=None):
    """How often each state was seen with each combination of its parents' states, for every family: `Counts` (section 09).

    structure  a mapping of every variable to its parents, or a BeliefNetwork, whose states are then used
    data       a mapping or pandas table of columns, or a list of mappings, one for each row
    states     a mapping of variable to its states, needed where the data do not show all of them

    >>> counts({"rain": [], "wet": ["rain"]}, {"rain": [0, 0, 1, 1], "wet": [0, 1, 1, 1]}).table("wet")
    {(0,): {0: 1.0, 1: 1.0}, (1,): {0: 0.0, 1: 2.0}}
    """
    parents, states = _structure(structure, states)
    codes, states = encode(data, parents, states)
    number = {v: i for i, v in enumerate(parents)}
    rows = Rows.of(codes, states)
    arrays = {v: rows.count(number[v], [number[p] for p in own_parents]) for v, own_parents in parents.items()}
    return Counts(parents, states, arrays)


class Counts:
    """Sufficient statistics: N(parents' states, state) for every family; the tables depend on nothing else (section 09).

    `counts["K"]` is an array with an axis for each parent and the variable's own axis last. They may be
    fractions: expected counts (section 11) are counts too.

    >>> seen = counts({"rain": [], "wet": ["rain"]}, {"rain": [0, 0, 1, 1], "wet": [0, 1, 1, 1]})
    >>> seen["wet"].tolist(), seen.total
    ([[1.0, 1.0], [0.0, 2.0]], 4.0)
    """

    def __init__(self, parents, states, arrays):
        self.parents, self.states = dict(parents), dict(states)
        self._arrays = {v: np.array(arrays[v], dtype=float) for v in self.parents}
        self.total = float(next(iter(self._arrays.values())).sum())  # number of rows

    def __getitem__(self, variable):
        return self._arrays[variable]

    def table(self, variable):
        """Counts as nested dicts: {parents' states: {state: count}}; without parents one row, with the key ()."""
        known(variable, self.parents, "variable")
        rows = self[variable].reshape(-1, len(self.states[variable])).tolist()
        keys = product(*(self.states[p] for p in self.parents[variable]))
        return {key: dict(zip(self.states[variable], row)) for key, row in zip(keys, rows)}

    def frame(self, variable):
        """Counts as a pandas table: a row for each combination of parents' states, a column for each state."""
        import pandas

        known(variable, self.parents, "variable")
        rows = self[variable].reshape(-1, len(self.states[variable]))
        own_parents, index = self.parents[variable], ["all rows"]
        if own_parents:
            index = pandas.MultiIndex.from_product([self.states[p] for p in own_parents], names=own_parents)
        columns = [f"{variable}={state}" for state in self.states[variable]]
        return pandas.DataFrame(rows.astype(int) if (rows == rows.round()).all() else rows, index, columns)

    def network(self, prior="mle", m=None, unseen="error"):
        """The network whose tables these counts give: see `fit` for the priors.

        unseen  what MLE does with a parent combination that has no rows: "error", or "even" shares among its states
        """
        one_of(unseen, "unseen", ("error", "even"))
        tables = {}
        for v, seen in self._arrays.items():
            added = seen + virtual_rows(seen.shape, prior, m)
            total = added.sum(axis=-1, keepdims=True)
            if unseen == "error" and not total.all():
                raise ValueError(self._no_rows_message(v, total))
            with np.errstate(invalid="ignore", divide="ignore"):
                tables[v] = np.where(total > 0, added / total, 1 / added.shape[-1])
        return BeliefNetwork(self.parents, tables, self.states)

    def _no_rows_message(self, v, total):
        keys = product(*(self.states[q] for q in self.parents[v]))
        unseen = next(key for key, n in zip(keys, total.ravel()) if n == 0)
        where = ", ".join(f"{q}={state}" for q, state in zip(self.parents[v], unseen))
        return (
            f"P({v} | {where}) cannot be estimated by counting: no row of the data has {where}. "
            'Give a prior, such as prior="laplace" or prior="m", m=2'
        )


def virtual_rows(shape, prior, m):
    """How many virtual rows a prior adds to every cell of a table of this shape: see `fit`."""
    one_of(prior, "prior", PRIORS)
    if prior in ("mle", "laplace"):
        if m is not None:
            raise ValueError(f'm must be left out unless prior is "bdeu" or "m", got {short(m)} with {prior!r}')
        return float(prior == "laplace")
    return one_number(1 if m is None else m, "m", 0, LARGEST) / (prod(shape) if prior == "bdeu" else shape[-1])


def fit(structure, data, prior="mle", m=None, states=None):
    """A BeliefNetwork with these arrows and tables counted from complete data (section 09).

        θ_jk = (N_jk + a_jk) / (N_j + Σ_k a_jk)

    prior  which virtual rows a_jk are added to the counts: "mle" none; "laplace" one for every cell; "m" m for every parent
           combination, shared evenly (section 06's m-estimate); "bdeu" m for the whole table, shared evenly by its cells
    structure, data, states: see `counts`

    >>> fit({"rain": [], "wet": ["rain"]}, {"rain": [0, 0, 1, 1], "wet": [0, 1, 1, 1]}, prior="laplace").table("wet")
    {(0,): {0: 0.5, 1: 0.5}, (1,): {0: 0.25, 1: 0.75}}
    """
    return counts(structure, data, states).network(prior, m)


def family_scores(structure, data, score="bic", states=None):
    """The score of every family, in nats: {variable: score}. Their sum is the score of the graph (section 09).

    score  "mle"   log-likelihood at its best: Σ_jk N_jk ln(N_jk / N_j)
           "bic"   the same minus ½ ln N for every free number of the table (minus the description length, section 03)
           "bdeu"  log marginal likelihood, tables integrated out over a prior of one virtual row for each table

    >>> found = family_scores({"rain": [], "wet": ["rain"]}, {"rain": [0, 0, 1, 1], "wet": [0, 1, 1, 1]}, "mle")
    >>> {variable: round(score, 3) for variable, score in found.items()}
    {'rain': -2.773, 'wet': -1.386}
    """
    parents, states = _structure(structure, states)
    codes, states = encode(data, parents, states)
    scores = FamilyScores(Rows.of(codes, states), states, score)
    return {v: scores(v, own_parents) for v, own_parents in parents.items()}


def score(structure, data, score="bic", states=None):
    """The score of a graph, in nats: the sum of its `family_scores` (section 09).

    >>> round(score({"rain": [], "wet": ["rain"]}, {"rain": [0, 0, 1, 1], "wet": [0, 1, 1, 1]}), 3)
    -6.238
    """
    return sum(family_scores(structure, data, score, states).values())


class FamilyScores:
    """Scores of families, each computed once: `scores(child, parents)` in nats (section 09).

    rows       counted data: `from_data` makes them; or expected rows (section 11)
    variables  their names, in the order of the columns

    >>> scores = FamilyScores.from_data({"rain": [0, 0, 1, 1], "wet": [0, 0, 1, 1]}, "mle")
    >>> round(scores("wet"), 3), scores("wet", ["rain"])
    (-2.773, 0.0)
    """

    ess = 1  # virtual rows of BDeu for each table

    def __init__(self, rows, variables, score="bic"):
        self.rows, self.variables, self.total = rows, list(variables), rows.total
        self.kind, self.cards = one_of(score, "score", SCORES), dict(zip(self.variables, rows.cards))
        self.number, self.cache = {v: i for i, v in enumerate(self.variables)}, {}

    @classmethod
    def from_data(cls, data, score="bic", states=None):
        """Scores of families counted in complete rows: see `counts` for `data` and `states`.

        >>> FamilyScores.from_data({"rain": [0, 0, 1, 1], "wet": [0, 0, 1, 1]}).variables
        ['rain', 'wet']
        """
        codes, states = encode(data, None, states)
        return cls(Rows.of(codes, states), states, score)

    def _count(self, child, parents):
        """N(parents, child) as a matrix; parents' states that never occur may be missing."""
        return self.rows.family(self.number[child], [self.number[p] for p in parents])

    def __call__(self, child, parents=()):
        key = child, frozenset(parents)
        if key not in self.cache:
            table = np.asarray(self._count(child, tuple(parents)), dtype=float)
            rows = table.reshape(-1, table.shape[-1])
            cells = prod([self.cards[v] for v in parents]) * self.cards[child]
            score = self.fit(rows, cells).sum() - self.fit(rows.sum(1), cells // self.cards[child]).sum()
            self.cache[key] = float(score) - self.penalty(cells, child)
        return self.cache[key]

    def fit(self, table, cells):
        """What counts contribute: N ln N, or ln Γ(N + a) − ln Γ(a) with a = ess / cells; 0 for N = 0."""
        if self.kind == "bdeu":
            from scipy.special import gammaln

            return gammaln(table + self.ess / cells) - gammaln(self.ess / cells)
        return table * np.log(table + (table == 0))

    def penalty(self, cells, child):
        """BIC's ½ ln N for every free number of a table with this many cells."""
        free = cells - cells // self.cards[child]
        return 0.5 * log(self.total) * free if self.kind == "bic" else 0.0


def _structure(structure, states, name="structure"):
    """Parents as a mapping of tuples without a cycle, and declared states."""
    if isinstance(structure, BeliefNetwork):
        return dict(structure.parents), {**structure.states, **domains_of(states)}
    parents = checked(structure, name)
    graph.topological_order(parents, name)
    return parents, domains_of(states)
