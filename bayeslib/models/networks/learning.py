"""Learning belief networks from complete rows (section 09): counts, tables, scores. The search for arrows is in `search`.

    log P(data | graph, tables) = Σ_families Σ_parents' states j Σ_states k  N_jk log θ_jk,   at best with θ_jk = N_jk / N_j

All logarithms are natural: likelihoods and scores are in nats. Section 11 reuses `Counts` and `FamilyScores` with expected
counts, which are fractions.
"""

from itertools import product
from math import log, prod

import numpy as np

from bayeslib.models._checks import LARGEST, TOLERANCE, is_mapping, names, one_number, one_of, positive, real, short
from bayeslib.models.networks import graph
from bayeslib.models.networks._arrows import known
from bayeslib.models.networks._rows import Rows, domains_of, encode
from bayeslib.models.networks.network import BeliefNetwork, parents_of

PRIORS = ("mle", "laplace", "bdeu", "m")
SCORES = ("bic", "bdeu", "mle")


def counts(structure, data, states=None):
    """How often each state was seen with each combination of its parents' states, for every family: `Counts` (section 09).

    structure  a mapping of every variable to its parents, or a BeliefNetwork, whose states are then used
    data       a mapping or pandas table of columns; or a 2-d array of state numbers, with `states` naming its columns in order
    states     a mapping of variable to its states, needed where the data do not show all of them

    >>> counts({"rain": [], "wet": ["rain"]}, {"rain": [0, 0, 1, 1], "wet": [0, 1, 1, 1]}).table("wet")
    {(0,): {0: 1.0, 1: 1.0}, (1,): {0: 0.0, 1: 2.0}}
    """
    parents, states = _structure(structure, states)
    codes, states = encode(data, parents, states)
    number = {v: i for i, v in enumerate(parents)}
    rows = Rows(codes, [len(domain) for domain in states.values()])
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
        own_parents = self.parents[variable]
        index = (
            pandas.MultiIndex.from_product([self.states[p] for p in own_parents], names=own_parents)
            if own_parents
            else ["all rows"]
        )
        columns = [f"{variable}={state}" for state in self.states[variable]]
        return pandas.DataFrame(rows.astype(int) if (rows == rows.round()).all() else rows, index, columns)

    def network(self, prior="mle", m=None, p=None, unseen="error"):
        """The network whose tables these counts give: see `fit` for the priors.

        unseen  what MLE does with a parent combination that has no rows: "error", or "even" shares among its states
        """
        one_of(unseen, "unseen", ("error", "even"))
        tables = {}
        for v in self.parents:
            added = self[v] + self._virtual(v, prior, m, p)
            total = added.sum(axis=-1, keepdims=True)
            if unseen == "error" and not total.all():
                raise ValueError(self._no_rows_message(v, total))
            with np.errstate(invalid="ignore", divide="ignore"):
                tables[v] = np.where(total > 0, added / total, 1 / added.shape[-1])
        return BeliefNetwork(self.parents, tables, self.states)

    def _virtual(self, v, prior, m, p):
        """Virtual rows that the prior adds to the counts of v."""
        one_of(prior, "prior", PRIORS)
        if prior in ("mle", "laplace") and m is not None or prior != "m" and p is not None:
            raise ValueError(
                f'm belongs to prior="bdeu" or "m", p to prior="m" only; got prior={prior!r}, m={m!r}, p={p!r}'
            )
        array, r = self[v], self[v].shape[-1]
        if prior in ("mle", "laplace"):
            return float(prior == "laplace")
        m = one_number(1 if m is None else m, "m", 0, LARGEST)
        if prior == "bdeu":
            return m / array.size
        if p is not None and not is_mapping(p):
            raise ValueError(f"p must be a mapping of variable to its distribution, got {short(p)}")
        share = p[v] if p is not None and v in p else None
        share = np.full(r, 1 / r) if share is None else self._share(v, share)
        return m * share

    def _share(self, v, share):
        domain = self.states[v]
        if is_mapping(share):
            share = [share.get(state, np.nan) for state in domain]
        elif np.ndim(share) == 0 and len(domain) == 2:
            share = [share, 1 - share]
        try:
            array = np.asarray(real(share), dtype=float)
            valid = array.shape == (len(domain),) and array.min() >= 0 and abs(array.sum() - 1) <= TOLERANCE
        except (TypeError, ValueError, OverflowError):
            valid = False
        if not valid:
            raise ValueError(f"p[{v!r}] must be a distribution over {names(domain)}, got {short(share)}")
        return array

    def _no_rows_message(self, v, total):
        keys = list(product(*(self.states[q] for q in self.parents[v])))
        unseen = [key for key, n in zip(keys, total.ravel()) if n == 0]
        where = ", ".join(f"{q}={state}" for q, state in zip(self.parents[v], unseen[0]))
        rest = f" (and {len(unseen) - 1} more)" if len(unseen) > 1 else ""
        return (
            f"P({v} | {where}) cannot be estimated by counting: no row of the data has {where}{rest}. "
            'Give a prior, such as prior="laplace" or prior="m", m=2'
        )

    def scores(self, score="bic", ess=1):
        """The score of every family, in nats: {variable: score}; see `family_scores`."""
        scorer = FamilyScores(
            lambda child, parents: self[child], {v: len(s) for v, s in self.states.items()}, self.total, score, ess
        )
        return {v: scorer(v, parents) for v, parents in self.parents.items()}


def fit(structure, data, prior="mle", m=None, p=None, states=None):
    """A BeliefNetwork with these arrows and tables counted from complete data (section 09).

        θ_jk = (N_jk + a_jk) / (N_j + Σ_k a_jk)

    prior  which virtual rows a_jk are added to the counts: "mle" none; "laplace" one for every cell; "m" m for every parent
           combination, shared as `p` says ({variable: distribution}), or evenly (section 06's m-estimate); "bdeu" m for the
           whole table, shared evenly by its cells
    structure, data, states: see `counts`

    >>> fit({"rain": [], "wet": ["rain"]}, {"rain": [0, 0, 1, 1], "wet": [0, 1, 1, 1]}, prior="laplace").table("wet")
    {(0,): {0: 0.5, 1: 0.5}, (1,): {0: 0.25, 1: 0.75}}
    """
    return counts(structure, data, states).network(prior, m, p)


def family_scores(structure, data, score="bic", ess=1, states=None):
    """The score of every family, in nats: {variable: score}. Their sum is the score of the graph (section 09).

    score  "mle"   log-likelihood at its best: Σ_jk N_jk ln(N_jk / N_j)
           "bic"   the same minus ½ ln N for every free number of the table (minus the description length, section 03)
           "bdeu"  log marginal likelihood, tables integrated out over a prior of `ess` virtual rows for each table

    >>> found = family_scores({"rain": [], "wet": ["rain"]}, {"rain": [0, 0, 1, 1], "wet": [0, 1, 1, 1]}, "mle")
    >>> {variable: round(score, 3) for variable, score in found.items()}
    {'rain': -2.773, 'wet': -1.386}
    """
    return counts(structure, data, states).scores(score, ess)


def score(structure, data, score="bic", ess=1, states=None):
    """The score of a graph, in nats: the sum of its `family_scores` (section 09).

    >>> round(score({"rain": [], "wet": ["rain"]}, {"rain": [0, 0, 1, 1], "wet": [0, 1, 1, 1]}), 3)
    -6.238
    """
    return sum(family_scores(structure, data, score, ess, states).values())


class FamilyScores:
    """Scores of families, each computed once: `scores(child, parents)` in nats (section 09).

    count  a function of (child, parents) that returns N(parents, child), own axis last. It may hold expected counts
           (section 11), and may leave out parents' states that have no rows
    cards  how many states each variable has: a mapping, or a sequence if variables are numbers
    total  the number of rows

    >>> scores = FamilyScores.from_data({"rain": [0, 0, 1, 1], "wet": [0, 0, 1, 1]}, "mle")
    >>> round(scores("wet"), 3), scores("wet", ["rain"])
    (-2.773, 0.0)
    """

    def __init__(self, count, cards, total, score="bic", ess=1):
        if not callable(count):
            raise ValueError(f"count must be a function of a child and its parents, got {short(count)}")
        if not is_mapping(cards) and not isinstance(cards, (list, tuple)):
            raise ValueError(f"cards must be a mapping or a sequence of numbers of states, got {short(cards)}")
        self.count, self.cards, self.total = count, cards, positive(total, "total")
        self.kind, self.ess = one_of(score, "score", SCORES), one_number(ess, "ess", 1e-12, LARGEST)
        self.variables = list(cards) if is_mapping(cards) else list(range(len(cards)))
        self.cache = {}

    @classmethod
    def from_data(cls, data, score="bic", ess=1, states=None):
        """Scores of families by the names of the variables, counted in complete rows: see `counts` for `data` and `states`.

        >>> scores = FamilyScores.from_data({"rain": [0, 0, 1, 1], "wet": [0, 0, 1, 1]}, "mle")
        >>> round(scores("wet"), 3), scores("wet", ["rain"])
        (-2.773, 0.0)
        """
        codes, states = encode(data, None, states)
        rows, number = Rows(codes, [len(domain) for domain in states.values()]), {v: i for i, v in enumerate(states)}

        def count(child, parents):
            return rows.family(number[child], [number[p] for p in parents])

        return cls(count, {v: len(domain) for v, domain in states.items()}, rows.total, score, ess)

    def __call__(self, child, parents=()):
        key = child, frozenset(parents)
        if key not in self.cache:
            table = np.asarray(self.count(child, tuple(parents)), dtype=float)
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

    def with_one_more(self, child, parents):
        """Scores of this family with each variable in turn as one more parent; −∞ for the child and its present parents."""
        out = [-np.inf if v == child or v in parents else self(child, (*parents, v)) for v in self.variables]
        return np.array(out)


class RowScores(FamilyScores):
    """`FamilyScores` of rows of data, all variables numbered: one pass over the rows scores all families with one more parent."""

    def __init__(self, rows, score="bic", ess=1):
        super().__init__(rows.family, rows.cards, rows.total, score, ess)
        self.rows, self._more = rows, {}

    def with_one_more(self, child, parents):
        key = child, frozenset(parents)
        if key not in self._more:
            table = self.rows.extended(child, parents)
            cards = np.array(self.cards)
            cells = prod([self.cards[v] for v in parents]) * self.cards[child] * cards
            columns = np.repeat(cells, cards)
            both = self.fit(table, columns).sum((0, 1))
            alone = self.fit(table.sum(1), columns // self.cards[child]).sum(0)
            scores = np.add.reduceat(both - alone, self.rows.begins) - self.penalty(cells, child)
            scores[[child, *parents]] = -np.inf
            self._more[key] = scores
        return self._more[key]


def _structure(structure, states, name="structure"):
    """Parents as a mapping of tuples without a cycle, and declared states."""
    if isinstance(structure, BeliefNetwork):
        given = domains_of(states)
        return dict(structure.parents), {**given, **structure.states, **given}  # in the order given
    if not is_mapping(structure) or not len(structure.keys()):
        wanted = "a mapping of variable to its parents or a BeliefNetwork"
        raise ValueError(f"{name} must be {wanted}, got {short(structure)}")
    parents = {v: parents_of(v, structure[v], name) for v in structure.keys()}
    graph.topological_order(parents, name)
    return parents, domains_of(states)
