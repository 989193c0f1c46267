"""Exercise 09: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from collections import Counter
from itertools import combinations

import data

from bayeslib.networks import graph


def _fit(rows, child, parents):
    """Σ N_jk ln(N_jk / N_j) of one family."""
    cells = Counter((*(row[p] for p in parents), row[child]) for row in rows)
    lines = Counter(tuple(row[p] for p in parents) for row in rows)
    return sum(n * math.log(n / lines[cell[:-1]]) for cell, n in cells.items())


def _numbers(parents, states, child):
    return (states[child] - 1) * math.prod(states[p] for p in parents[child])


def _scored(price, base=math.e):
    """Fit minus ½ ln N for each number that `price(rows, parents, states)` counts."""

    def score(rows, parents, states):
        fit = sum(_fit(rows, v, parents[v]) for v in parents)
        return (fit - price(rows, parents, states) / 2 * math.log(len(rows))) / math.log(base)

    return score


def _free(rows, parents, states):
    return sum(_numbers(parents, states, v) for v in parents)


def _seen(rows, parents, states):
    return sum((states[v] - 1) * len({tuple(row[p] for p in parents[v]) for row in rows}) for v in parents)


bic = _scored(_free)


def draw_data(random, names="ABC", sizes=(2, 4), rows=None):
    """Variables that depend on the one before them, and how many states each has."""
    states = {v: int(random.integers(*sizes)) for v in names}
    found = []
    for _ in range(rows or int(random.integers(6, 40))):
        row, before = {}, 0
        for v in names:
            value = before % states[v] if random.random() < 0.7 else int(random.integers(states[v]))
            row[v] = before = value if row else int(random.integers(states[v]))
        found.append(row)
    return found, states


def draw_parents(random, names="ABC"):
    order = [str(each) for each in random.permutation(list(names))]
    parents = {v: [u for u in order[:i] if random.random() < 0.6] for i, v in enumerate(order)}
    parents[order[-1]] = order[:2]
    return {v: parents[v] for v in names}


def draw_graph(random):
    rows, states = draw_data(random)
    return rows, draw_parents(random), states


def draw_few_rows(random):
    """So few rows that some lines of the tables have none."""
    rows, states = draw_data(random, sizes=(3, 5), rows=int(random.integers(3, 6)))
    return rows, draw_parents(random), states


def _gains(rows, parents, price):
    """What every arrow that is not yet there gains; `price(number of parents already there)` in numbers."""
    return {
        (p, v): _fit(rows, v, [*parents[v], p])
        - _fit(rows, v, parents[v])
        - price(len(parents[v])) / 2 * math.log(len(rows))
        for p in sorted(parents)
        for v in sorted(parents)
        if p != v and p not in parents[v] and v not in parents[p]
    }


def _doubling(already):
    return 2**already


def _best(gains, least=0.0):
    top = max(gains.values(), default=-math.inf)
    if top <= least + 1e-9:
        return []
    arrow = min(arrow for arrow, gain in gains.items() if gain > top - 1e-9)
    return [*arrow, gains[arrow]]


def _legal(gains, parents):
    return {(p, v): gain for (p, v), gain in gains.items() if v not in graph.ancestors(parents, [p])}


def best_arrow(rows, parents):
    return _best(_legal(_gains(rows, parents, _doubling), parents))


def _downhill(rows, parents):
    return _best(_legal(_gains(rows, parents, _doubling), parents), least=-math.inf)


def _by_arrow(rows, parents):
    return _best(_legal(_gains(rows, parents, lambda already: 1), parents))


def _unpaid(rows, parents):
    return _best(_legal(_gains(rows, parents, lambda already: 0), parents))


def draw_step(random, names="ABCD"):
    rows, _ = draw_data(random, names, (2, 3), rows=int(random.integers(25, 60)))
    return rows, {**dict.fromkeys(names, []), "C": ["A"], "D": ["C"]} if random.random() < 0.5 else {
        v: [] for v in names
    }


def draw_circle(random):
    """A chain against the order of the data, so that the best arrow would close a circle."""
    rows, _ = draw_data(random, "ABC", (2, 3), rows=int(random.integers(30, 50)))
    for row in rows[: len(rows) * 3 // 4]:
        row["C"] = row["A"]
    return rows, {"A": [], "B": ["A"], "C": ["B"]} if random.random() < 0.5 else {"A": ["B"], "B": ["C"], "C": []}


def draw_noise(random):
    """Columns that have nothing to do with each other, so that no arrow gains; every other time they have."""
    if random.random() < 0.5:
        return draw_step(random)
    rows = [dict(zip("ABC", map(int, random.integers(0, 2, 3)))) for _ in range(random.integers(8, 30))]
    return [*rows, *({**row, "A": 1 - row["A"]} for row in rows)], {"A": [], "B": [], "C": ["B"]}


def _turned(parents, p, v):
    return {**parents, v: [each for each in parents[v] if each != p], p: [*parents[p], v]}


def _acyclic(parents):
    try:
        return bool(graph.topological_order(parents))
    except ValueError:
        return False


def _links(parents):
    return {frozenset((p, v)) for v in parents for p in parents[v]}


def _colliders(parents, linked=False):
    pairs = ((frozenset(pair), v) for v in parents for pair in combinations(parents[v], 2))
    return {(pair, v) for pair, v in pairs if linked or pair not in _links(parents)}


def _arrows(parents, keeps):
    """The arrows that may be turned round: `keeps(the graph, the graph with this arrow turned)`."""
    return sorted((p, v) for v in parents for p in parents[v] if keeps(parents, _turned(parents, p, v)))


def reversible(parents):
    return _arrows(parents, lambda old, new: _acyclic(new) and _colliders(old) == _colliders(new))


def _any_circle(parents):
    return _arrows(parents, lambda old, new: _colliders(old) == _colliders(new))


def _any_link(parents):
    return _arrows(parents, lambda old, new: _acyclic(new))


def _strict(parents):
    return _arrows(parents, lambda old, new: _acyclic(new) and _colliders(old, True) == _colliders(new, True))


def draw_drawing(random):
    while True:
        names = list("ABCDE")[: random.integers(3, 6)]
        order = [str(each) for each in random.permutation(names)]
        parents = {v: [u for u in order[:i] if random.random() < 0.6] for i, v in enumerate(order)}
        if _any_circle(parents) != reversible(parents):
            return ({v: parents[v] for v in names},)


def draw_sparse(random):
    names = list("ABCDEF")
    order = [str(each) for each in random.permutation(names)]
    parents = {v: order[i - 1 : i] if i < 4 else [str(random.choice(order[:i]))] for i, v in enumerate(order)}
    parents[order[2]] = order[:2] if random.random() < 0.5 else order[1:2]
    parents[order[1]] = [] if len(parents[order[2]]) == 2 else order[:1]
    return ({v: parents[v] for v in names},)


STATES = dict.fromkeys("SAK", 2)
EMPTY = {"S": [], "A": [], "K": []}
KNOWS = {**EMPTY, "K": ["S", "A"]}


def _gain(score):
    def gain(student):
        rows = data.rows(student)
        return score(rows, KNOWS, STATES) - score(rows, EMPTY, STATES)

    return gain


gain = _gain(bic)

FIVE = [dict(zip("SAK", row)) for row in ((1, 0, 1), (0, 1, 0), (0, 1, 1), (0, 0, 0), (1, 1, 1))]
SIZES = [
    dict(zip("WPQ", row)) for row in (("a", 0, 0), ("a", 0, 1), ("b", 1, 1), ("c", 1, 0), ("b", 1, 1), ("a", 0, 0))
]
ROUND = [
    dict(zip("ABC", row)) for row in ((0, 0, 0), (0, 1, 0), (1, 0, 1), (1, 1, 1), (0, 1, 0), (1, 0, 1), (0, 0, 1))
] * 3
PAIRS = [dict(zip("ABC", row)) for row in ((0, 0, 1), (1, 1, 0), (1, 1, 1), (0, 0, 0), (1, 1, 0), (0, 1, 0))] * 3

TASKS = {
    "bic": {
        "kind": "function",
        "points": 3,
        "arguments": "rows, parents, states",
        "solve": bic,
        "cases": [
            (FIVE * 2, KNOWS, STATES),
            (FIVE, EMPTY, STATES),
            (SIZES, {"W": [], "P": ["W"], "Q": ["P"]}, {"W": 3, "P": 2, "Q": 2}),
            (SIZES[:3], {"W": [], "P": ["W"], "Q": ["P", "W"]}, {"W": 3, "P": 2, "Q": 2}),
        ],
        "checks": [
            {"says": "graphs over variables with two and three states", "points": 2, "draw": draw_graph, "times": 6},
            {"says": "lines of a table without any row", "points": 1, "draw": draw_few_rows, "times": 3},
        ],
        "mistakes": {
            "fit-best": _scored(lambda rows, parents, states: 0),
            "arrow-price": _scored(lambda rows, parents, states: sum(map(len, parents.values()))),
            "dependent-numbers": _scored(
                lambda rows, parents, states: sum(
                    _numbers(parents, states, v) * states[v] // (states[v] - 1) for v in parents
                )
            ),
            "seen-values": _scored(_seen),
            "The scores here use natural logarithms; one bit is 0.693 nats.": _scored(_free, base=2),
            "sign-flip": lambda *case: -bic(*case),
        },
        "hint": "Family by family: Σ N_jk ln(N_jk / N_j) over the cells that are not empty, minus ½ ln N for each free number. A table has one line for every combination of the parents' states, seen or not.",
        "right": "Fit minus price, family by family.",
    },
    "best_arrow": {
        "kind": "function",
        "builds_on": "bic",
        "points": 3,
        "arguments": "rows, parents",
        "solve": best_arrow,
        "cases": [
            (PAIRS, {"A": [], "B": [], "C": []}),
            (PAIRS, {"A": [], "B": ["A"], "C": []}),
            (FIVE * 8, {"S": [], "A": [], "K": ["A"]}),
            (ROUND, {"A": [], "B": ["A"], "C": ["B"]}),
        ],
        "checks": [
            {"says": "one step of the climb", "points": 1, "draw": draw_step, "times": 6},
            {"says": "an arrow that would close a circle", "points": 1, "draw": draw_circle, "times": 5},
            {
                "says": "columns that have nothing to do with each other, or have",
                "points": 1,
                "draw": draw_noise,
                "times": 12,
            },
        ],
        "mistakes": {
            "fit-best": _unpaid,
            "circle": lambda rows, parents: _best(_gains(rows, parents, _doubling)),
            "downhill": _downhill,
            "arrow-price": _by_arrow,
        },
        "hint": "An arrow p → v changes the family of v only: new fit minus old fit, minus ½ ln N for each number that the doubled table needs more. Leave out arrows that close a circle, and round the gains to nine digits before you compare them.",
        "right": "You climb by the score, and you know when to stop.",
    },
    "reversible": {
        "kind": "function",
        "points": 2,
        "arguments": "parents",
        "solve": reversible,
        "cases": [
            ({"A": [], "B": ["A"], "C": ["B"]},),
            ({"A": [], "B": ["A", "C"], "C": []},),
            ({"A": [], "B": ["A"], "C": ["A", "B"]},),
            ({"A": [], "B": [], "C": ["A", "B"], "D": ["C"]},),
        ],
        "checks": [
            {"says": "graphs with many links", "points": 1, "draw": draw_drawing, "times": 5},
            {"says": "graphs with few links", "points": 1, "draw": draw_sparse, "times": 5},
        ],
        "mistakes": {
            "circle": _any_circle,
            "same-links": _any_link,
            "every-collider": _strict,
            "same-arrows": lambda parents: [],
        },
        "hint": "Turn one arrow round and compare: does a circle arise? Are the colliders whose ends are not linked the same as before?",
        "right": "Those are the arrows whose direction no data can tell.",
    },
    "gain": {
        "kind": "number",
        "builds_on": "bic",
        "points": 1,
        "solve": gain,
        "varies": True,
        "mistakes": {
            "fit-best": _gain(_scored(lambda rows, parents, states: 0)),
            "arrow-price": _gain(_scored(lambda rows, parents, states: sum(map(len, parents.values())))),
            "The scores here use natural logarithms; one bit is 0.693 nats.": _gain(_scored(_free, base=2)),
            "sign-flip": lambda student: -gain(student),
        },
        "hint": "Score both graphs with your function and subtract: with the arrows minus without.",
        "right": "Now you know whether these rows pay for the two arrows.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "A",
        "mistakes": {"B": "causal-arrow", "C": "fit-best", "D": "same-arrows"},
        "hint": "How many graphs stand side by side at the chosen height, and what do they have in common?",
        "right": "Links and colliders are visible in data; other directions are not.",
    },
}
