"""Belief networks: arrows, tables and the queries they answer (sections 07 and 08).

    P(x₁, …, xₙ) = Π_i P(xᵢ | parents of xᵢ)

A query is a sum over the table of the whole joint distribution; where that would be large, variables are eliminated one by
one, as `explain` shows.
"""

from itertools import combinations, product
from math import log, prod
from types import MappingProxyType

import numpy as np

from bayeslib.models._checks import TOLERANCE, among, is_mapping, names, short
from bayeslib.models.networks import _tables, elimination, graph, sampling
from bayeslib.models.networks._arrows import checked, known, several
from bayeslib.models.networks._skeleton import skeleton

BOOLEAN = (True, False)
ALL = slice(None)
ALL = slice(None)
ONE_TABLE = 2**16  # cells of a joint distribution up to which queries sum over its table


class BeliefNetwork:
    """A directed acyclic graph with a conditional probability table for every variable (section 07).

    parents  a mapping of every variable to its parents: {"Alarm": ["Burglary", "Earthquake"], "Burglary": [], …}
    tables   a mapping of every variable to its table. Without parents, a distribution over its states; with parents, a
             mapping with one such row for each combination of the parents' states, in the parents' order:
                 {"Burglary": 0.001, "JohnCalls": {True: 0.9, False: 0.05},
                  "Alarm": {(True, True): 0.95, (True, False): 0.94, (False, True): 0.29, (False, False): 0.001}}
             A distribution is a mapping of state to probability, a sequence in the order of the states, or, for a
             variable with two states, the one number that belongs to the first. A whole table may also be an array with
             an axis for each parent and the variable's own axis last, or a pandas table with a row for each
             combination of the parents' states, which its index names or else are in order.
    states   a mapping of variable to its states, for variables that are not simply True or False: {"Weather":
             ["sunny", "rainy"]}. True comes first, so a bare number is the probability of True.

    A network does not change after it is made; `with_tables` gives a changed copy. Variables are kept in topological order.

    >>> net = BeliefNetwork({"rain": [], "wet": ["rain"]}, {"rain": 0.25, "wet": {True: 0.75, False: 0.25}})
    >>> net.query("rain", {"wet": True})
    {True: 0.5, False: 0.5}
    """

    __slots__ = ("_skeleton", "_states", "_factors", "_joint")

    def __init__(self, parents, tables, states=None):
        parents, states = checked(parents), {} if states is None else states
        for name, given in (("tables", tables), ("states", states)):
            if not is_mapping(given):
                raise ValueError(f"{name} must be a mapping with variables of the network as keys, got {short(given)}")
            for v in given.keys():
                known(v, parents, name)
        if missing := [v for v in parents if v not in tables]:
            raise ValueError(f"tables must have a table for every variable, missing: {names(missing)}")
        domains = {v: _domain(v, states[v]) if v in states else BOOLEAN for v in parents}
        self._skeleton = shape = skeleton(tuple(parents.items()), tuple(len(domain) for domain in domains.values()))
        self._states = MappingProxyType({v: domains[v] for v in shape.variables})
        arrays = [_tables.as_array(tables[v], v, shape.parents[v], self._states) for v in shape.variables]
        self._joint = None  # the table of the joint distribution, made by the first query
        self._factors = self._checked(arrays)

    def _checked(self, arrays):
        """The tables as read-only views of one array, after checking that every row is a distribution."""
        shape = self._skeleton
        numbers = np.concatenate([array.ravel() for array in arrays]).astype(float, copy=False)
        numbers.flags.writeable = False
        factors = [numbers[a:b].reshape(s) for a, b, s in zip(shape.ends, shape.ends[1:], shape.shapes)]
        # All rows are checked at once (NaN fails too); only if one is wrong, table by table, to find it.
        if not (numbers.min() >= 0 and np.abs(np.add.reduceat(numbers, shape.rows) - 1).max() <= TOLERANCE):
            for variable, array in zip(shape.variables, factors):
                _tables.check_rows(array, variable, shape.parents[variable], self._states)
        return factors

    # Structure and tables

    @property
    def variables(self):
        """All variables, parents before children."""
        return self._skeleton.variables

    @property
    def parents(self):
        """Every variable's parents, in the order of the axes of its table."""
        return self._skeleton.parents

    @property
    def children(self):
        return self._skeleton.children

    @property
    def edges(self):
        """The arrows as pairs (from, to)."""
        return tuple((parent, v) for v in self.variables for parent in self.parents[v])

    @property
    def states(self):
        """Every variable's states, in the order of the axes of its table."""
        return self._states

    def factor(self, variable):
        """P(variable | parents) as a read-only array with an axis for each parent and the variable's own axis last."""
        return self._factors[self._number(variable, "variable")]

    def table(self, variable):
        """P(variable | parents) as nested dicts: {parent states: {state: probability}}; without parents one row, with the key ()."""
        rows = self.factor(variable).reshape(-1, len(self.states[variable])).tolist()
        keys = product(*(self.states[p] for p in self.parents[variable]))
        return {key: dict(zip(self.states[variable], row)) for key, row in zip(keys, rows)}

    def with_tables(self, tables):
        """A network with the same arrows and states, and with these tables in place of its own."""
        if not is_mapping(tables):
            raise ValueError(f"tables must be a mapping of variable to its table, got {short(tables)}")
        return BeliefNetwork(self.parents, {**dict(zip(self.variables, self._factors)), **tables}, self.states)

    @property
    def parameter_count(self):
        """How many numbers the tables need: each row has one less than it has entries, as it sums to 1."""
        return sum(array.size - array.size // array.shape[-1] for array in self._factors)

    @property
    def joint_parameter_count(self):
        """How many numbers one table of the whole joint distribution would need."""
        return prod(self._skeleton.cards) - 1

    def __reduce__(self):
        return BeliefNetwork, (dict(self.parents), dict(zip(self.variables, self._factors)), dict(self.states))

    def __repr__(self):
        families = ", ".join(f"P({v}{' | ' + ', '.join(map(str, p)) if p else ''})" for v, p in self.parents.items())
        return f"<BeliefNetwork {families}>"

    # The joint distribution (section 07)

    def joint(self, assignment):
        """P(x₁, …, xₙ) = Π_i P(xᵢ | parents of xᵢ), for a state of every variable."""
        return prod(self.cells(assignment).values())

    def log_joint(self, assignment):
        """log P(x₁, …, xₙ) = Σ_i log P(xᵢ | parents of xᵢ); −∞ for an impossible assignment."""
        return sum(log(p) if p > 0 else -np.inf for p in self.cells(assignment).values())

    def cells(self, assignment):
        """The cell of each table that an assignment picks: {variable: P(its state | its parents' states)}."""
        at = self._observed(assignment, "assignment")
        if missing := [v for i, v in enumerate(self.variables) if i not in at]:
            raise ValueError(f"assignment must give a state to every variable, missing: {names(missing)}")
        scopes = zip(self.variables, self._factors, self._skeleton.scopes)
        return {v: array.item(*(at[i] for i in scope)) for v, array, scope in scopes}

    def joint_table(self):
        """The whole joint distribution as one array with an axis for each variable, in their order."""
        elimination.check_width(prod(self._skeleton.cards))
        return elimination.multiplied(self._factors, self._skeleton.scopes, range(len(self.variables)))

    # Exact inference (section 08)

    def query(self, target, evidence=None):
        """P(target | evidence) as a mapping of state to probability (section 08).

        With several targets, a list, it is a mapping of tuples of states: query(["B", "E"], {"A": True})[True, False].
        """
        targets, observed = self._target_numbers(target), self._observed(evidence)
        self._check_not_observed(targets, observed)
        return self._answer(target, self._sum(targets, observed)[0], evidence)

    def log_evidence(self, evidence):
        """log P(evidence), summed over everything that was not observed; −∞ if it is impossible."""
        values, log_scale = self._sum((), self._observed(evidence))
        return log(values) + log_scale if values > 0 else -np.inf

    def marginals(self, evidence=None):
        """P(v | evidence) for all variables v at once: {variable: {state: probability}} (section 08).

        An observed variable has probability 1 for its state.
        """
        observed, found = self._observed(evidence), {}
        if self.log_evidence(evidence) == -np.inf:
            raise _impossible(evidence)
        for i, v in enumerate(self.variables):
            if i in observed:
                found[v] = {state: float(code == observed[i]) for code, state in enumerate(self._states[v])}
            else:
                found[v] = self._answer(v, self._sum((i,), observed)[0], evidence)
        return found

    def explain(self, target, evidence=None, order=None):
        """How variable elimination answers a query: its factors, steps and cost (section 08).

        Without an `order`, variables that cannot matter are left out and the rest is eliminated by min-fill. An `order`,
        which names every hidden variable, is followed exactly: give two orders to compare their cost.
        """
        return elimination.eliminate(self, target, evidence, order)

    # Independence (section 07)

    def d_separated(self, a, b, given=()):
        """Does the graph guarantee that a and b are independent given `given`? Each is a variable or a set of them."""
        groups = {name: several(each, name, self.parents) for name, each in (("a", a), ("b", b), ("given", given))}
        for name in "ab":
            if not groups[name]:
                raise ValueError(f"{name} must name at least one variable, got none")
        for one, other in combinations(groups, 2):
            if both := set(groups[one]) & set(groups[other]):
                raise ValueError(f"{one} and {other} must not overlap, both name {names(both)}")
        return graph.d_separated(self.parents, *groups.values())

    def paths(self, a, b, given=()):
        """Every path between the variables a and b, open ones first, with what opens or blocks it: see `graph.Path`."""
        return graph.paths(self.parents, a, b, given)

    def markov_blanket(self, variable):
        """Parents, children and the children's other parents: given these, a variable is independent of all the rest."""
        return graph.markov_blanket(self.parents, variable)

    def reordered(self, order):
        """The same joint distribution with arrows that follow `order`, each variable with as few parents as it needs.

        Rows for parents' states that cannot occur are uniform: no data can contradict them.
        """
        parents = graph.smallest_parents(self.parents, order)
        tables = {}
        for variable, own_parents in parents.items():
            joint, _ = self._sum(tuple(self._skeleton.number[v] for v in (*own_parents, variable)), {})
            total = joint.sum(axis=-1, keepdims=True)
            tables[variable] = np.where(total > 0, joint / np.where(total > 0, total, 1), 1 / joint.shape[-1])
        return BeliefNetwork(parents, tables, self.states)

    # Samples (section 08)

    def sample(self, n, random_state=None):
        """n complete assignments, drawn parents first: {variable: array of n states}; pandas.DataFrame accepts it."""
        drawn = sampling.draw(self, n, random_state)
        return {v: sampling.as_states(self.states[v])[codes] for v, codes in zip(self.variables, drawn)}

    # For the algorithms of this package: names and states to numbers, and numbers to an answer

    def _number(self, variable, argument):
        """The position of a variable in `variables`; `argument` is its name in an error message."""
        return self._skeleton.number[known(variable, self._skeleton.number, argument)]

    def _observed(self, evidence, argument="evidence"):
        """Evidence, a mapping or a pandas row, as {number of the variable: number of its state}."""
        if evidence is None:
            return {}
        if not is_mapping(evidence):
            raise ValueError(f"{argument} must be a mapping of variable to state, got {short(evidence)}")
        codes = {}
        for variable in evidence.keys():
            number, state = self._number(variable, argument), evidence[variable]
            try:
                codes[number] = self._states[variable].index(state)
            except (TypeError, ValueError):  # a TypeError where a state cannot be compared, such as pandas' NA
                wanted = names(self._states[variable])
                raise ValueError(f"{argument}[{variable!r}] must be one of {wanted}, got {short(state)}") from None
        return codes

    def _check_query(self, target, evidence):
        """Targets and evidence by name, after checking them: (tuple of targets, {variable: state})."""
        targets, observed = self._target_numbers(target), self._observed(evidence)
        self._check_not_observed(targets, observed)
        variables, states = self.variables, self._states
        evidence = {variables[i]: states[variables[i]][code] for i, code in observed.items()}
        return tuple(variables[i] for i in targets), evidence

    def _answer(self, target, values, evidence):
        """P(target, evidence) up to a factor, an array with an axis for each target, as P(target | evidence) by state."""
        flat = values.ravel().tolist()
        total = sum(flat)
        if not total > 0:
            raise _impossible(evidence)
        if not self._is_group(target):
            keys = self._states[target]
        else:
            keys = product(*(self._states[v] for v in target))
        return {key: value / total for key, value in zip(keys, flat)}

    def _is_group(self, target):
        return not (isinstance(target, str) or among(target, self._skeleton.number))

    def _target_numbers(self, target):
        """The numbers of the target variables."""
        if not self._is_group(target):
            return (self._number(target, "target"),)
        targets = tuple(self._number(variable, "target") for variable in several(target, "target", self.parents))
        if not targets or len(set(targets)) < len(targets):
            raise ValueError(f"target must name at least one variable, and each once, got {short(target)}")
        return targets

    def _check_not_observed(self, targets, observed):
        for i in targets:
            if i in observed:
                variable = self.variables[i]
                state = self._states[variable][observed[i]]
                raise ValueError(
                    f"target {variable!r} is observed, evidence says {state!r}: ask about another variable"
                )

    def _sum(self, targets, observed):
        """P(targets, evidence) up to a factor, as an array with an axis for each target; and the log of that factor."""
        cards = self._skeleton.cards
        if prod(cards) <= ONE_TABLE:
            if self._joint is None:
                self._joint = self.joint_table()
            left = [i for i in range(len(cards)) if i not in observed]
            table = self._joint[tuple([observed.get(i, ALL) for i in range(len(cards))])]
            values = table.sum(axis=tuple([axis for axis, i in enumerate(left) if i not in targets]))
            kept = sorted(targets)
            values = values.transpose([kept.index(i) for i in targets])
            if values.sum() >= elimination.TINY:
                return values, 0.0
        elif not (targets or observed):
            return np.array(1.0), 0.0
        targets = tuple(self.variables[i] for i in targets)
        evidence = {v: self._states[v][observed[i]] for i, v in enumerate(self.variables) if i in observed}
        relevant = graph.ancestors(self.parents, [*targets, *evidence])
        return elimination.summed(self, relevant, targets, evidence)[2:]


class ImpossibleEvidence(ValueError):
    """What was observed has probability 0, so nothing can be conditioned on it.

    >>> net = BeliefNetwork({"rain": [], "wet": ["rain"]}, {"rain": 0.0, "wet": {True: 1.0, False: 0.5}})
    >>> try:
    ...     net.query("wet", {"rain": True})
    ... except ImpossibleEvidence as error:
    ...     print(error)
    evidence is impossible in this network: P(rain=True) = 0, so nothing can be conditioned on it
    """


def _impossible(evidence):
    what = ", ".join(f"{v}={evidence[v]!r}" for v in (evidence or {}).keys())
    return ImpossibleEvidence(
        f"evidence is impossible in this network: P({what}) = 0, so nothing can be conditioned on it"
    )


def _domain(variable, states):
    """States as a tuple, at least one and all distinct."""
    try:
        domain = tuple(states) if not isinstance(states, str) else ()
        valid = 0 < len(domain) == len(set(domain))
    except TypeError:
        valid = False
    if not valid:
        raise ValueError(f"states[{variable!r}] must be a sequence of distinct states, got {short(states)}")
    return domain
