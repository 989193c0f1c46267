"""Structure as model selection (section 09): climb from graph to graph by adding, deleting and reversing one arrow."""

from itertools import permutations
from typing import NamedTuple

from bayeslib.models._checks import generator, names, whole_number
from bayeslib.models.networks import graph
from bayeslib.models.networks._arrows import checked, distinct, known
from bayeslib.models.networks.learning import FamilyScores, _structure

STEP = 1e-7  # a smaller gain is rounding


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


def hill_climb(data, score="bic", start=None, restarts=0, max_parents=None, states=None, random_state=None):
    """Add, delete or reverse one arrow at a time, always the move that gains most, until none gains: a `Search` (section 09).

    data, states  complete rows: see `counts`. Instead of data, a `FamilyScores` of counted or expected families will do
    score         "bic", "bdeu", or "mle", which has no penalty: see `family_scores`
    start         a mapping of variable to parents; by default no arrows
    restarts      number of further climbs, each from the best graph so far with some arrows deleted or reversed at random; if it
                  has no arrows, from a random graph
    max_parents   no variable gets more parents than this

    >>> found = hill_climb({"a": [0, 0, 1, 1] * 5, "b": [0, 0, 1, 1] * 5})
    >>> found.parents, [str(move) for move in found.history]
    ({'a': (), 'b': ('a',)}, ['add a → b (+12.365)'])
    """
    scores = _scores(data, score, states)
    limit = len(scores.variables) if max_parents is None else whole_number(max_parents, "max_parents", 0)
    start = dict.fromkeys(scores.variables, ()) if start is None else _graph(start, scores, "start")
    best, random = _climb(start, scores, limit), generator(random_state)
    for _ in range(whole_number(restarts, "restarts", 0)):
        again = _climb(_perturbed(best.parents, limit, random), scores, limit)
        best = max(best, again, key=lambda search: search.score)
    return best


def moves(structure, data):
    """Every legal move from a graph, the one that gains most first; data as for `hill_climb`, scored by BIC (section 09).

    >>> [move.kind for move in moves({"a": [], "b": ["a"]}, {"a": [0, 0, 1, 1] * 5, "b": [0, 0, 1, 1] * 5})]
    ['reverse', 'delete']
    """
    scores = _scores(data, "bic", None)
    legal = _legal(_graph(structure, scores, "structure"), scores, len(scores.variables))
    # Ties in the order in which a climb would take them.
    return sorted(legal, key=lambda move: -round(move.gain / STEP))


def random_graph(variables, random_state=None):
    """A random acyclic graph: variables in random order, and an arrow along it between any two with probability ½.

    >>> random_graph("abc", random_state=0)
    {'a': (), 'b': (), 'c': ()}
    """
    random, variables = generator(random_state), distinct(variables, "variables")
    order = random.permutation(len(variables)).tolist()
    drawn = random.random((len(order), len(order))) < 0.5
    return {v: tuple(variables[j] for j in order[: order.index(i)] if drawn[i, j]) for i, v in enumerate(variables)}


def _climb(parents, scores, limit):
    """Climb from this graph until no move gains."""
    start, history = parents, []
    while True:
        legal = list(_legal(parents, scores, limit))
        best = max((move.gain for move in legal), default=0.0)
        if best <= STEP:
            return Search(parents, _total(parents, scores), start, _total(start, scores), history)
        # Of moves that differ by rounding only, such as both directions of a first arrow, the first one is taken.
        history.append(next(move for move in legal if move.gain > best - STEP))
        parents = history[-1].applied(parents)


def _legal(parents, scores, limit):
    """Every legal move and what it gains: additions, then deletions, then reversals."""
    now = {v: scores(v, own_parents) for v, own_parents in parents.items()}
    above = {v: graph.ancestors(parents, [v]) for v in parents}
    pairs = list(permutations(parents, 2))
    arrows = [(a, b) for a, b in pairs if a in parents[b]]
    room = {v for v in parents if len(parents[v]) < limit}

    def adding(a, b):
        return scores(b, (*parents[b], a)) - now[b]

    def deleting(a, b):
        return scores(b, tuple(p for p in parents[b] if p != a)) - now[b]

    for a, b in pairs:
        if a not in parents[b] and b not in above[a] and b in room:  # no cycle
            yield Move("add", a, b, adding(a, b))
    for a, b in arrows:
        yield Move("delete", a, b, deleting(a, b))
    for a, b in arrows:
        if a in room and not any(a in above[p] for p in parents[b] if p != a):  # no way round, so no cycle
            yield Move("reverse", a, b, deleting(a, b) + adding(b, a))


def _total(parents, scores):
    return sum(scores(v, own_parents) for v, own_parents in parents.items())


def _scores(data, score, states):
    return data if isinstance(data, FamilyScores) else FamilyScores.from_data(data, score, states)


def _graph(structure, scores, name):
    """A graph over the variables of the data, in their order."""
    parents, _ = _structure(structure, None, name)
    if parents.keys() != set(scores.variables):
        wanted, got = names(scores.variables), names(parents)
        raise ValueError(f"{name} must have the variables of the data, {wanted}, got {got}")
    return {v: parents[v] for v in scores.variables}


def _perturbed(parents, limit, random):
    """The graph with a share of its arrows, 10% to 70%, deleted or reversed; without any arrow, a random graph."""
    if not any(parents.values()):
        return {v: own_parents[:limit] for v, own_parents in random_graph(list(parents), random).items()}
    parents = {v: list(own_parents) for v, own_parents in parents.items()}
    arrows = [(a, b) for b, own_parents in parents.items() for a in own_parents]
    share = random.uniform(0.1, 0.7)
    for (a, b), (touch, turn) in zip(arrows, random.random((len(arrows), 2)).tolist()):
        if touch < share:
            parents[b].remove(a)
            if turn < 0.5 and len(parents[a]) < limit and a not in graph.ancestors(parents, [b]):
                parents[a].append(b)
    return {v: tuple(own_parents) for v, own_parents in parents.items()}
