"""Belief networks: arrows, tables and the queries they answer (sections 07 and 08).

    P(x₁, …, xₙ) = Π_i P(xᵢ | parents of xᵢ)

A query is answered by whichever way to do its sum is quickest; `explain` shows one of them step by step.
"""

from functools import lru_cache
from itertools import product
from math import log, prod
from types import MappingProxyType

import numpy as np

from bayeslib.models._checks import TOLERANCE, as_number, is_mapping, names, short, whole_number
from bayeslib.models.networks import _plan, _tables, elimination, graph, sampling
from bayeslib.models.networks._skeleton import skeleton

BOOLEAN = (True, False)
ALL = slice(None)
AT_ONCE = 512  # up to this many terms, one einsum over the whole sum beats any cleverness
ONE_BY_ONE = 2**16  # a junction tree with more entries is not worth it for one query


class BeliefNetwork:
    """A directed acyclic graph with a conditional probability table for every variable (section 07).

    parents  a mapping of every variable to its parents: {"Alarm": ["Burglary", "Earthquake"], "Burglary": [], …}
    tables   a mapping of every variable to its table. Without parents, a distribution over its states; with parents, a
             mapping with one such row for each combination of the parents' states, in the parents' order:
                 {"Burglary": 0.001, "JohnCalls": {True: 0.9, False: 0.05},
                  "Alarm": {(True, True): 0.95, (True, False): 0.94, (False, True): 0.29, (False, False): 0.001}}
             A distribution is a mapping of state to probability, a sequence in the order of the states, or, for a
             variable with two states, the one number that belongs to the first. A whole table may also be an array with
             an axis for each parent and the variable's own axis last.
    states   a mapping of variable to its states, for variables that are not simply True or False: {"Weather":
             ["sunny", "rainy"]}. True comes first, so a bare number is the probability of True.

    A network does not change after it is made; `with_tables` gives a changed copy. Variables are kept in topological order.

    >>> net = BeliefNetwork({"rain": [], "wet": ["rain"]}, {"rain": 0.25, "wet": {True: 0.75, False: 0.25}})
    >>> net.query("rain", {"wet": True})
    {True: 0.5, False: 0.5}
    """

    __slots__ = ("_skeleton", "_states", "_factors")

    def __init__(self, parents, tables, states=None):
        if not is_mapping(parents) or not len(parents.keys()):
            raise ValueError(f"parents must be a mapping of at least one variable to its parents, got {short(parents)}")
        if not is_mapping(tables):
            raise ValueError(f"tables must be a mapping of every variable to its table, got {short(tables)}")
        if states is not None and not is_mapping(states):
            raise ValueError(f"states must be a mapping of variable to its states, got {short(states)}")
        arrows = tuple([(v, parents_of(v, parents[v])) for v in parents.keys()])
        for name, given in (("tables", tables), ("states", {} if states is None else states)):
            if unknown := [v for v in given.keys() if v not in parents]:
                raise ValueError(
                    f"{name} must name variables of the network, {names(parents.keys())} as in parents, got {unknown[0]!r}"
                )
        if missing := [v for v in parents.keys() if v not in tables]:
            raise ValueError(f"tables must have a table for every variable, missing: {names(missing)}")
        declared = () if states is None else states
        domains = {v: _domain(v, states[v]) if v in declared else BOOLEAN for v in parents.keys()}
        self._skeleton = shape = skeleton(arrows, tuple(len(domain) for domain in domains.values()))
        self._states = MappingProxyType({v: domains[v] for v in shape.variables})
        arrays = [tables[v] for v in shape.variables]
        for i, expected in enumerate(shape.shapes):
            if type(arrays[i]) is not np.ndarray or arrays[i].shape != expected:
                variable = shape.variables[i]
                arrays[i] = _tables.as_array(arrays[i], variable, shape.parents[variable], self._states)
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

    @property
    def skeleton(self):
        """The arrows and the shapes of the tables, with variables and states as numbers: what algorithms work with."""
        return self._skeleton

    @property
    def factors(self):
        """The tables of all variables in their order, each as `factor` gives it."""
        return self._factors

    def factor(self, variable):
        """P(variable | parents) as a read-only array with an axis for each parent and the variable's own axis last."""
        return self._factors[self.number(variable, "variable")]

    def table(self, variable):
        """P(variable | parents) as nested dicts: {parent states: {state: probability}}; without parents one row, with the key ()."""
        rows = self.factor(variable).reshape(-1, len(self.states[variable])).tolist()
        keys = product(*(self.states[p] for p in self.parents[variable]))
        return {key: dict(zip(self.states[variable], row)) for key, row in zip(keys, rows)}

    def with_tables(self, tables):
        """A network with the same arrows and states, and with these tables in place of its own."""
        if not is_mapping(tables):
            raise ValueError(f"tables must be a mapping of variable to its table, got {short(tables)}")
        for variable in tables.keys():
            self.number(variable, "tables")
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
        at = self.observed(assignment, "assignment")
        if missing := [v for i, v in enumerate(self.variables) if i not in at]:
            raise ValueError(f"assignment must give a state to every variable, missing: {names(missing)}")
        scopes = zip(self.variables, self._factors, self._skeleton.scopes)
        return {v: array.item(*(at[i] for i in scope)) for v, array, scope in scopes}

    def joint_table(self):
        """The whole joint distribution as one array with an axis for each variable, in their order."""
        _plan.check_width(prod(self._skeleton.cards))
        everything = tuple(range(len(self.variables)))
        return _plan.contract(self._factors, self._skeleton.scopes, everything)

    # Exact inference (section 08)

    def query(self, target, evidence=None):
        """P(target | evidence) as a mapping of state to probability (section 08).

        With several targets, a list, it is a mapping of tuples of states: query(["B", "E"], {"A": True})[True, False].
        """
        targets, observed = self._target_numbers(target), self.observed(evidence)
        self._check_not_observed(targets, observed)
        values, _ = self._sum(targets, observed)
        return self._answer(target, values, evidence)

    def log_evidence(self, evidence):
        """log P(evidence), summed over everything that was not observed; −∞ if it is impossible."""
        values, scale = self._sum((), self.observed(evidence))
        return log(values) + scale if values > 0 else -np.inf

    def marginals(self, evidence=None):
        """P(v | evidence) for all variables v at once: {variable: {state: probability}} (section 08).

        One pass over the network answers for all, so this costs far less than a query for each. An observed variable
        has probability 1 for its state. A `query` needs less of the network, and may be possible where this is not.
        """
        beliefs, _ = self._beliefs(evidence)
        readings = zip(self._states.items(), self._skeleton.tree.readings[0])
        return {v: dict(zip(s, _plan.einsum(sub, beliefs[at]).tolist())) for (v, s), (at, sub) in readings}

    def families(self, evidence=None):
        """P(parents, v | evidence) for all v at once, as arrays with the axes of `factor(v)`; and log P(evidence)."""
        beliefs, log_evidence = self._beliefs(evidence)
        readings = zip(self.variables, self._skeleton.tree.readings[1])
        return {v: _plan.einsum(sub, beliefs[at]) for v, (at, sub) in readings}, log_evidence

    def explain(self, target, evidence=None, order=None):
        """How variable elimination answers a query: its factors, steps and cost (section 08).

        Without an `order`, variables that cannot matter are left out and the rest is eliminated by min-fill. An `order`,
        which names every hidden variable, is followed exactly: give two orders to compare their cost.
        """
        return elimination.eliminate(self, target, evidence, order)

    # Independence (section 07)

    def d_separated(self, a, b, given=()):
        """Does the graph guarantee that a and b are independent given `given`? Each is a variable or a set of them."""
        return graph.d_separated(self.parents, *self._sets(a, b, given))

    def paths(self, a, b, given=(), limit=1000):
        """Every path between the variables a and b, open ones first, with what opens or blocks it: see `graph.Path`."""
        whole_number(limit, "limit", 0)
        (a,), (b,), given = self._sets([a], [b], given)
        return graph.paths(self.parents, a, b, given, limit)

    def markov_blanket(self, variable):
        """Parents, children and the children's other parents: given these, a variable is independent of all the rest."""
        self.number(variable, "variable")
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

    def number(self, variable, argument="variable"):
        """The position of a variable in `variables`; `argument` is its name in an error message."""
        try:
            return self._skeleton.number[variable]
        except (KeyError, TypeError):
            raise ValueError(
                f"{argument} must name variables of the network, {names(self.variables)}, got {short(variable)}"
            ) from None

    def observed(self, evidence, argument="evidence"):
        """Evidence, a mapping or a pandas row, as {number of the variable: number of its state}."""
        if evidence is None:
            return {}
        if not is_mapping(evidence):
            raise ValueError(f"{argument} must be a mapping of variable to state, got {short(evidence)}")
        codes = {}
        for variable in evidence.keys():
            number, state = self.number(variable, argument), evidence[variable]
            try:
                codes[number] = self._states[variable].index(state)
            except (TypeError, ValueError):  # a TypeError where a state cannot be compared, such as pandas' NA
                known = names(self._states[variable])
                raise ValueError(f"{argument}[{variable!r}] must be one of {known}, got {short(state)}") from None
        return codes

    def check_query(self, target, evidence=None):
        """Targets and evidence by name, after checking them: (tuple of targets, {variable: state})."""
        targets, observed = self._target_numbers(target), self.observed(evidence)
        self._check_not_observed(targets, observed)
        variables, states = self.variables, self._states
        evidence = {variables[i]: states[variables[i]][code] for i, code in observed.items()}
        return tuple(variables[i] for i in targets), evidence

    def answer(self, target, values, evidence=None):
        """P(target, evidence) up to a factor, an array with an axis for each target, as P(target | evidence) by state."""
        targets = self._target_numbers(target)
        values, sizes = as_number(values, "values", low=0), [self._skeleton.cards[i] for i in targets]
        if np.size(values) != prod(sizes):
            raise ValueError(f"values must have an axis for each target, shape {tuple(sizes)}, got {np.shape(values)}")
        self.observed(evidence)
        return self._answer(target, values, evidence)

    def _answer(self, target, values, evidence):
        flat = values.ravel().tolist()
        total = sum(flat)
        if not total > 0:
            raise _impossible(evidence)
        if not self._is_group(target):
            keys = self._states[target]
        else:
            keys = product(*(self._states[v] for v in target))
        return {key: value / total for key, value in zip(keys, flat)}

    # Helpers

    def _sets(self, *groups):
        """a, b and given as sets of known variables that do not overlap."""
        a, b, given = (
            {v: self.number(v, name) for v in self._group(group, name)}
            for group, name in zip(groups, ("a", "b", "given"))
        )
        if not (a and b):
            raise ValueError(f"{'b' if a else 'a'} must name at least one variable, got none")
        for one, other, both in (
            ("a", "b", a.keys() & b),
            ("a", "given", a.keys() & given),
            ("b", "given", b.keys() & given),
        ):
            if both:
                raise ValueError(f"{one} and {other} must not overlap, both name {names(both)}")
        return set(a), set(b), set(given)

    def _is_group(self, target):
        return not (isinstance(target, str) or _hashable(target) and target in self._skeleton.number)

    def _group(self, variables, argument):
        """One variable, or several, as a list."""
        if not self._is_group(variables):
            return [variables]
        try:
            len(variables)  # an iterator could be read only once
            return list(variables)
        except TypeError:
            raise ValueError(
                f"{argument} must name variables of the network, {names(self.variables)}, got {short(variables)}"
            ) from None

    def _target_numbers(self, target):
        """The numbers of the target variables."""
        if not self._is_group(target):  # the usual case, and it should cost nothing
            return (self.number(target, "target"),)
        targets = tuple(self.number(variable, "target") for variable in self._group(target, "target"))
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
        """P(targets, evidence) as an array with an axis for each target, up to e^scale; and that scale.

        The sum is done by one einsum if it is short, by the junction tree if that is small, else by elimination.
        """
        shape = self._skeleton
        relevant = shape.relevant([*targets, *observed])
        if not relevant:
            return np.array(1.0), 0.0
        numbers = [i for i in shape.all if relevant >> i & 1]
        terms = prod([shape.cards[i] for i in numbers if i not in observed])
        if terms <= AT_ONCE and shape.small:
            words, factors = [], []
            for i in numbers:
                word, factor = shape.words[i], self._factors[i]
                if not observed.keys().isdisjoint(scope := shape.scopes[i]):
                    word = "".join([_plan.LETTERS[v] for v in scope if v not in observed])
                    factor = factor[tuple([observed.get(v, ALL) for v in scope])]
                words.append(word)
                factors.append(factor)
            out = "".join([_plan.LETTERS[v] for v in targets])
            values = _plan.einsum(f"{','.join(words)}->{out}", *factors)
            if sum(values.ravel().tolist()) > _plan.TINY:
                return values, 0.0
        elif shape.tree.size <= ONE_BY_ONE and (steps := shape.tree.steps(targets)):
            # Leaving out barren factors changes the sum by a constant factor: not allowed if the sum itself is the answer.
            return _follow(steps, self._conditioned(observed), relevant if targets else _plan.ALL)
        scopes = [[v for v in shape.scopes[i] if v not in observed] for i in numbers]
        factors = [self._factors[i][tuple([observed.get(v, ALL) for v in shape.scopes[i]])] for i in numbers]
        return _follow(_plan.elimination_plan(scopes, shape.cards, targets), factors)

    def _conditioned(self, observed):
        """All factors, with zeros for states that contradict the evidence."""
        factors = list(self._factors)
        for i, code in observed.items():
            factors[i] = self._factors[i] * _unit(self._skeleton.cards[i], code)
        return factors

    def _beliefs(self, evidence):
        """P(clique | evidence) for every clique of the junction tree, and log P(evidence)."""
        factors, tree = self._conditioned(self.observed(evidence)), self._skeleton.tree
        _plan.check_width(tree.largest)
        beliefs, log_evidence = tree.beliefs(factors)
        if beliefs is None:
            raise _impossible(evidence)
        return beliefs, log_evidence


def _follow(steps, factors, relevant=_plan.ALL):
    """A plan's answer and its scale; anything near underflow is redone in logs."""
    values = _plan.run(steps, factors, relevant)
    return (values, 0.0) if values.sum() > _plan.TINY else _plan.run_in_logs(steps, factors)


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


def _hashable(value):
    try:
        hash(value)
    except TypeError:
        return False
    return True


def parents_of(variable, parents, name="parents"):
    """Parents as a tuple; a string is one parent."""
    if isinstance(parents, str):
        return (parents,)
    try:
        hash(own_parents := tuple(parents))
        return own_parents
    except TypeError:
        raise ValueError(f"{name}[{variable!r}] must be a sequence of variables, got {short(parents)}") from None


def _domain(variable, states):
    """States as a tuple, at least one and all distinct."""
    try:
        domain = tuple(states) if not isinstance(states, str) else ()
        valid = _distinct(domain)
    except TypeError:
        valid = False
    if not valid:
        raise ValueError(f"states[{variable!r}] must be a sequence of distinct states, got {short(states)}")
    return domain


@lru_cache(maxsize=1024)
def _unit(size, at):
    return np.eye(size)[at]


@lru_cache(maxsize=1024)  # the same few domains recur
def _distinct(domain):
    return 0 < len(domain) == len(set(domain))
