"""Structure as model selection (section 09): climb from graph to graph by adding, deleting and reversing one arrow."""

from typing import NamedTuple

import numpy as np

from bayeslib._checks import generator, whole_number
from bayeslib.networks import graph
from bayeslib.networks._rows import Rows, encode
from bayeslib.networks.learning import RowScores, _structure

STEP = 1e-7  # a smaller gain is rounding


class Move(NamedTuple):
    """One change of a graph: "add", "delete" or "reverse" the arrow from source to target; what it gains, in nats."""

    kind: str
    source: object
    target: object
    gain: float

    def __str__(self):
        return f"{self.kind} {self.source} → {self.target} ({self.gain:+.3f})"

    def applied(self, parents):
        """The graph after this move."""
        after = {v: tuple(theirs) for v, theirs in parents.items()}
        if self.kind == "add":
            after[self.target] += (self.source,)
        else:
            after[self.target] = tuple(p for p in after[self.target] if p != self.source)
        if self.kind == "reverse":
            after[self.source] += (self.target,)
        return after


class Search(NamedTuple):
    """What a search found: the best graph, its score in nats, the graph it began with and every move from there."""

    parents: dict
    score: float
    start: dict
    start_score: float
    history: list

    def graphs(self):
        """The graph at the start and after every move of the history."""
        found = [self.start]
        for move in self.history:
            found.append(move.applied(found[-1]))
        return found


def hill_climb(
    data, score="bic", start=None, tabu=0, restarts=0, max_parents=None, ess=1, states=None, random_state=None
):
    """Add, delete or reverse one arrow at a time, always the move that gains most, until none gains: a `Search` (section 09).

    data, states  complete rows: see `counts`. Instead of data, a `FamilyScores` of counted or expected families will do
    score, ess    "bic", "bdeu" with `ess` virtual rows, or "mle", which has no penalty: see `family_scores`
    start         a mapping of variable to parents; left out, no arrows
    tabu          0 stops at the first peak. With a number t, the search goes on downhill by the best move, may not touch the
                  last t arrows it changed, and gives up when as many moves have brought nothing better
    restarts      how many more searches begin from random graphs; the best result is returned
    max_parents   no variable gets more parents than this
    """
    climb = _climb(data, score, max_parents, ess, states)
    for name, value in (("tabu", tabu), ("restarts", restarts)):
        whole_number(value, name, 0)
    best = climb.run(climb.numbers(start), tabu)
    random = generator(random_state)
    for _ in range(restarts):
        best = max(best, climb.run(climb.random(random), tabu), key=lambda search: search.score)
    return best


def moves(structure, data, score="bic", max_parents=None, ess=1, states=None):
    """Every legal move from a graph, the one that gains most first (section 09)."""
    climb = _climb(data, score, max_parents, ess, states)
    climb.begin(climb.numbers(structure))
    gains = climb.gains()
    found = [climb.move(kind, a, b, gains) for kind in range(3) for a, b in zip(*np.nonzero(gains[kind] > -np.inf))]
    return sorted(found, key=lambda move: -move.gain)


def random_graph(variables, random_state=None, arrow=0.5):
    """A random acyclic graph: variables in random order, and an arrow along it between any two with this probability."""
    random, variables = generator(random_state), list(variables)
    order = random.permutation(len(variables)).tolist()
    drawn = random.random((len(order), len(order))) < arrow
    return {v: tuple(variables[j] for j in order[: order.index(i)] if drawn[i, j]) for i, v in enumerate(variables)}


def _climb(data, score, max_parents, ess, states):
    if max_parents is not None:
        whole_number(max_parents, "max_parents", 0)
    if callable(getattr(data, "with_one_more", None)):
        return _Climb(data, data.variables, max_parents)
    codes, states = encode(data, None, states)
    scores = RowScores(Rows(codes, [len(domain) for domain in states.values()]), score, ess)
    return _Climb(scores, list(states), max_parents)


class _Climb:
    """A graph under change, and what each change would gain. Matrices have the arrow's source as row, its target as column.

    After a move only the columns of variables whose parents changed are worked out again.
    """

    def __init__(self, scores, variables, max_parents):
        self.scores, self.variables = scores, variables
        self.most = len(variables) if max_parents is None else max_parents
        named = scores.variables == variables  # a scorer of one's own may speak of variables by name
        self.names = variables if named else list(range(len(variables)))

    def numbers(self, structure):
        """A graph as lists of parents' numbers."""
        if structure is None:
            return [[] for _ in self.variables]
        parents, _ = _structure(structure, None)
        if set(parents) != set(self.variables):
            raise ValueError(f"the graph must have the variables of the data, {self.variables}, got {list(parents)}")
        number = {v: i for i, v in enumerate(self.variables)}
        return [[number[p] for p in parents[v]] for v in self.variables]

    def random(self, random):
        drawn = random_graph(range(len(self.variables)), random)
        return [list(drawn[i])[: self.most] for i in range(len(self.variables))]

    def named(self, parents):
        return {v: tuple(self.variables[p] for p in theirs) for v, theirs in zip(self.variables, parents)}

    def begin(self, parents):
        n = len(self.variables)
        self.parents = [list(theirs) for theirs in parents]
        self.adding, self.deleting = np.full((n, n), -np.inf), np.full((n, n), -np.inf)
        self.now = np.zeros(n)
        for v in range(n):
            self.look(v)
        self.reach()

    def look(self, v):
        """What adding to and deleting from the parents of v would gain."""
        child, theirs = self.names[v], [self.names[p] for p in self.parents[v]]
        self.now[v] = self.scores(child, theirs)
        self.adding[:, v] = self.scores.with_one_more(child, theirs) - self.now[v]
        self.adding[[v, *self.parents[v]], v] = -np.inf
        self.deleting[:, v] = -np.inf
        for p in self.parents[v]:
            self.deleting[p, v] = self.scores(child, [q for q in theirs if q != self.names[p]]) - self.now[v]

    def reach(self):
        """above[b]: everything from which arrows lead to b, and b itself, as bits; `below` says the same as a matrix."""
        n = len(self.variables)
        above = [0] * n
        for b in graph.topological_order(dict(enumerate(self.parents))):
            above[b] = 1 << b
            for p in self.parents[b]:
                above[b] |= above[p]
        self.above = above
        self.leads = np.array([[above[b] >> a & 1 for b in range(n)] for a in range(n)], dtype=bool)

    def gains(self):
        """Gains of adding, deleting and reversing every arrow; −∞ where that is not legal."""
        full = np.array([len(theirs) >= self.most for theirs in self.parents])
        add = np.where(self.leads.T | full, -np.inf, self.adding)
        reverse = np.full_like(add, -np.inf)
        for b, theirs in enumerate(self.parents):
            for a in theirs:
                round_about = any(self.above[p] >> a & 1 for p in theirs if p != a)
                if not round_about and not full[a]:
                    reverse[a, b] = self.deleting[a, b] + self.scores_with(a, b)
        return np.stack([add, self.deleting, reverse])

    def scores_with(self, v, p):
        return self.adding[p, v]

    def move(self, kind, a, b, gains):
        return Move(("add", "delete", "reverse")[kind], self.variables[a], self.variables[b], float(gains[kind, a, b]))

    def apply(self, kind, a, b):
        if kind == 0:
            self.parents[b].append(a)
        else:
            self.parents[b].remove(a)
        if kind == 2:
            self.parents[a].append(b)
            self.look(a)
        self.look(b)
        self.reach()

    def run(self, start, tabu):
        self.begin(start)
        n = len(self.variables)
        start_score = score = best_score = float(self.now.sum())
        best, history, kept, idle = [list(p) for p in self.parents], [], 0, 0
        free_at = np.zeros((n, n), dtype=int)  # the move at which an arrow may be touched again
        while True:
            gains = self.gains()
            if tabu:
                barred = (free_at > len(history)) & (
                    score + gains <= best_score + STEP
                )  # a new record is always allowed
                gains[barred] = -np.inf
            most = gains.max()
            if most == -np.inf or not tabu and most <= STEP or idle > tabu:
                break
            kind, a, b = np.unravel_index(int((gains > most - 1e-9).argmax()), gains.shape)
            history.append(self.move(kind, a, b, gains))
            self.apply(kind, a, b)
            score = float(self.now.sum())
            free_at[a, b] = free_at[b, a] = len(history) + tabu
            idle += 1
            if score > best_score + STEP:
                best, best_score, kept, idle = [list(p) for p in self.parents], score, len(history), 0
        return Search(self.named(best), best_score, self.named(start), start_score, history[:kept])
