"""Structure as model selection (section 09): climb from graph to graph by adding, deleting and reversing one arrow."""

from typing import NamedTuple

import numpy as np

from bayeslib.models._checks import generator, names, one_probability, whole_number
from bayeslib.models.networks import graph
from bayeslib.models.networks._arrows import checked, known, several
from bayeslib.models.networks._rows import Rows, encode
from bayeslib.models.networks.learning import FamilyScores, RowScores, _structure

STEP = 1e-7  # a smaller gain is rounding

KINDS = ("add", "delete", "reverse")


class Move(NamedTuple):
    """One change of a graph: "add", "delete" or "reverse" the arrow from source to target; what it gains, in nats.

    >>> Move("delete", "a", "b", -1.5).applied({"a": (), "b": ("a",)})
    {'a': (), 'b': ()}
    """

    kind: str
    source: object
    target: object
    gain: float

    def __str__(self):
        return f"{self.kind} {self.source} → {self.target} ({self.gain:+.3f})"

    def applied(self, parents):
        """The graph after this move."""
        after = checked(parents)
        for end in (self.source, self.target):
            known(end, after, "parents")
        if self.kind == "add":
            after[self.target] += (self.source,)
        else:
            after[self.target] = tuple(p for p in after[self.target] if p != self.source)
        if self.kind == "reverse":
            after[self.source] += (self.target,)
        return after


class Search(NamedTuple):
    """The result of a search: the best graph, its score in nats, the graph it began with and every move from there.

    >>> found = hill_climb({"a": [0, 0, 1, 1] * 5, "b": [0, 0, 1, 1] * 5})
    >>> found.graphs()
    [{'a': (), 'b': ()}, {'a': (), 'b': ('a',)}]
    """

    parents: dict
    score: float
    start: dict
    start_score: float
    history: list

    def graphs(self):
        """The graph at the start and after every move of the history."""
        path = [self.start]
        for move in self.history:
            path.append(move.applied(path[-1]))
        return path


def hill_climb(data, score="bic", start=None, restarts=0, max_parents=None, ess=1, states=None, random_state=None):
    """Add, delete or reverse one arrow at a time, always the move that gains most, until none gains: a `Search` (section 09).

    data, states  complete rows: see `counts`. Instead of data, a `FamilyScores` of counted or expected families will do
    score, ess    "bic", "bdeu" with `ess` virtual rows, or "mle", which has no penalty: see `family_scores`
    start         a mapping of variable to parents; by default no arrows
    restarts      number of further climbs, each from the best graph so far with some arrows deleted or reversed at random; if it
                  has no arrows, from a random graph
    max_parents   no variable gets more parents than this

    >>> found = hill_climb({"a": [0, 0, 1, 1] * 5, "b": [0, 0, 1, 1] * 5})
    >>> found.parents, [str(move) for move in found.history]
    ({'a': (), 'b': ('a',)}, ['add a → b (+12.365)'])
    """
    climb = _climb(data, score, max_parents, ess, states)
    best = climb.run(climb.numbers(start, "start"))
    random = generator(random_state)
    for _ in range(whole_number(restarts, "restarts", 0)):
        best = max(
            best, climb.run(climb.perturbed(climb.numbers(best.parents, "start"), random)), key=lambda s: s.score
        )
    return best


def moves(structure, data, score="bic", max_parents=None, ess=1, states=None):
    """Every legal move from a graph, the one that gains most first (section 09).

    >>> [move.kind for move in moves({"a": [], "b": ["a"]}, {"a": [0, 0, 1, 1] * 5, "b": [0, 0, 1, 1] * 5})]
    ['reverse', 'delete']
    """
    climb = _climb(data, score, max_parents, ess, states)
    climb.begin(climb.numbers(structure, "structure"))
    gains = climb.gains()
    legal = [climb.move(*at, gains) for at in np.argwhere(gains > -np.inf)]
    # Ties in the order in which a climb would take them.
    return sorted(legal, key=lambda move: -round(move.gain / STEP))


def random_graph(variables, random_state=None, arrow=0.5):
    """A random acyclic graph: variables in random order, and an arrow along it between any two with this probability.

    >>> random_graph("abc", random_state=0)
    {'a': (), 'b': (), 'c': ()}
    """
    random, variables = generator(random_state), several(variables, "variables")
    one_probability(arrow, "arrow")
    order = random.permutation(len(variables)).tolist()
    drawn = random.random((len(order), len(order))) < arrow
    return {v: tuple(variables[j] for j in order[: order.index(i)] if drawn[i, j]) for i, v in enumerate(variables)}


def _climb(data, score, max_parents, ess, states):
    if max_parents is not None:
        whole_number(max_parents, "max_parents", 0)
    if isinstance(data, FamilyScores):
        return _Climb(data, data.variables, max_parents)
    codes, states = encode(data, None, states)
    rows = Rows(codes, [len(domain) for domain in states.values()])
    return _Climb(RowScores(rows, score, ess), list(states), max_parents)


class _Climb:
    """A graph and what each change to it would gain. Matrices have the arrow's source as row, its target as column.

    After a move only the columns of variables whose parents changed are recomputed.
    """

    def __init__(self, scores, variables, max_parents):
        self.scores, self.variables, self.keys = scores, variables, scores.variables
        self.limit = len(variables) if max_parents is None else max_parents

    def numbers(self, structure, name):
        """A graph as lists of parents' numbers."""
        if structure is None:
            return [[] for _ in self.variables]
        parents, _ = _structure(structure, None, name)
        if parents.keys() != set(self.variables):
            raise ValueError(
                f"{name} must have the variables of the data, {names(self.variables)}, got {names(parents)}"
            )
        number = {v: i for i, v in enumerate(self.variables)}
        return [[number[p] for p in parents[v]] for v in self.variables]

    def named(self, parents):
        return {v: tuple(self.variables[p] for p in own_parents) for v, own_parents in zip(self.variables, parents)}

    def perturbed(self, parents, random):
        """The graph with a share of its arrows, 10% to 70%, deleted or reversed; without any arrow, a random graph."""
        if not any(parents):
            drawn = random_graph(list(range(len(parents))), random)
            return [list(own_parents[: self.limit]) for own_parents in drawn.values()]
        arrows = [(a, b) for b, own_parents in enumerate(parents) for a in own_parents]
        share = random.uniform(0.1, 0.7)
        for (a, b), (touch, turn) in zip(arrows, random.random((len(arrows), 2)).tolist()):
            if touch < share:
                parents[b].remove(a)
                if (
                    turn < 0.5
                    and len(parents[a]) < self.limit
                    and a not in graph.ancestors(dict(enumerate(parents)), [b])
                ):
                    parents[a].append(b)
        return parents

    def begin(self, parents):
        n = len(self.variables)
        self.parents, self.now = [list(own_parents) for own_parents in parents], np.zeros(n)
        self.adding, self.deleting = np.empty((n, n)), np.empty((n, n))
        for v in range(n):
            self.update_gains(v)

    def update_gains(self, v):
        """Recompute what adding to and deleting from the parents of v would gain."""
        child, own_parents = self.keys[v], [self.keys[p] for p in self.parents[v]]
        self.now[v] = now = self.scores(child, own_parents)
        self.adding[:, v] = self.scores.with_one_more(child, own_parents) - now
        self.deleting[:, v] = -np.inf
        for i, p in enumerate(self.parents[v]):
            self.deleting[p, v] = self.scores(child, own_parents[:i] + own_parents[i + 1 :]) - now

    def gains(self):
        """Gains of adding, deleting and reversing every arrow; −∞ where that is not legal."""
        n = len(self.variables)
        above = np.zeros((n, n), dtype=bool)  # above[a, b]: arrows lead from b to a, or they are the same
        waiting = list(range(n))
        while waiting:  # parents first
            v = waiting.pop()
            if above[v, v]:
                continue
            if todo := [p for p in self.parents[v] if not above[p, p]]:
                waiting += [v, *todo]
                continue
            for p in self.parents[v]:
                above[v] |= above[p]
            above[v, v] = True
        full = np.array([len(own_parents) >= self.limit for own_parents in self.parents])
        gains = np.full((3, n, n), -np.inf)
        np.copyto(gains[0], self.adding, where=~(above | full))
        gains[1] = self.deleting
        for b, own_parents in enumerate(self.parents):
            for a in own_parents:
                if not full[a] and not any(above[p, a] for p in own_parents if p != a):  # no way round: no cycle
                    gains[2, a, b] = self.deleting[a, b] + self.adding[b, a]
        return gains

    def move(self, kind, a, b, gains):
        return Move(KINDS[kind], self.variables[a], self.variables[b], float(gains[kind, a, b]))

    def apply(self, kind, a, b):
        if KINDS[kind] == "add":
            self.parents[b].append(a)
        else:
            self.parents[b].remove(a)
        if KINDS[kind] == "reverse":
            self.parents[a].append(b)
            self.update_gains(a)
        self.update_gains(b)

    def run(self, start):
        """Climb from here until no move gains."""
        self.begin(start)
        start_score, history = float(self.now.sum()), []
        while True:
            gains = self.gains()
            best = gains.max()
            if best <= STEP:
                break
            # Of moves that differ by rounding only, such as both directions of a first arrow, the first one is taken.
            where = np.unravel_index(int((gains > best - STEP).argmax()), gains.shape)
            history.append(self.move(*where, gains))
            self.apply(*(int(i) for i in where))
        return Search(self.named(self.parents), float(self.now.sum()), self.named(start), start_score, history)
