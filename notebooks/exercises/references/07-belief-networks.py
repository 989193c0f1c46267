"""Exercise 07: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from itertools import product

import data

from bayeslib.networks import graph


def blanket(parents, variable):
    return sorted(graph.markov_blanket(parents, variable))


def _neighbours(parents, variable):
    return sorted({*parents[variable], *graph.children(parents)[variable]})


def draw_graph(random, low=5, high=8):
    """An acyclic graph; the names say nothing about the order."""
    names = [str(each) for each in random.permutation(list("ABCDEFGH"))[: random.integers(low, high)]]
    parents = {v: [u for u in names[:i] if random.random() < 0.4] for i, v in enumerate(names)}
    if len(names) > 3:  # one collider for certain
        parents[names[2]] = list(dict.fromkeys([*parents[names[2]], names[0], names[1]]))
    return {v: parents[v] for v in sorted(names)}


def draw_blanket(random):
    parents = draw_graph(random)
    return parents, next(v for v in parents if sum(v in theirs and len(theirs) > 1 for theirs in parents.values()))


def draw_lonely(random):
    """A variable that is nobody's child and nobody's parent; every other time another one is asked for."""
    parents, variable = draw_blanket(random)
    return {**parents, "Z": []}, "Z" if random.random() < 0.5 else variable


def _open(parents, a, b, given, passes):
    """The paths on which every inner variable lets news pass: `passes(kind, variable, given)`."""
    return sorted(
        list(path.variables)
        for path in graph.paths(parents, a, b, given)
        if all(passes(each.kind, each.variable, given) for each in path.inner)
    )


def _below(parents, variable):
    return {v for v in parents if variable in graph.ancestors(parents, [v])}


def open_paths(parents, a, b, given):
    def passes(kind, variable, seen):
        return bool(_below(parents, variable) & set(seen)) if kind == "collider" else variable not in seen

    return _open(parents, a, b, given, passes)


def _blind_below(parents, a, b, given):
    return _open(parents, a, b, given, lambda kind, v, seen: (v in seen) == (kind == "collider"))


def _shut(parents, a, b, given):
    return _open(parents, a, b, given, lambda kind, v, seen: kind != "collider" and v not in seen)


def _undirected(parents, a, b, given):
    return _open(parents, a, b, given, lambda kind, v, seen: v not in seen)


def draw_question(random, seen=0, below=False):
    """Two variables of a graph and what is seen; `below`: only a variable below a collider is."""
    while True:
        parents = draw_graph(random, 5, 7)
        names = [str(each) for each in random.permutation(list(parents))]
        a, b, given = names[0], names[1], names[2 : 2 + seen]
        if below:
            middle = [
                each.variable
                for path in graph.paths(parents, a, b, [])
                for each in path.inner
                if each.kind == "collider"
            ]
            found = [v for each in middle for v in sorted(_below(parents, each) - {each, a, b, *middle})]
            given = found[:1]
        case = (parents, a, b, given)
        if graph.paths(parents, a, b, []) and (not below or (given and open_paths(*case) != _blind_below(*case))):
            return case


def draw_seen(random):
    return draw_question(random, seen=int(random.integers(1, 3)))


def draw_descendant(random):
    return draw_question(random, below=True)


def _cell(parents, tables, row, variable, order=lambda states: states):
    return tables[variable][order(tuple(row[parent] for parent in parents[variable]))][row[variable]]


def _log(chance):
    return math.log(chance) if chance else -math.inf


def log_likelihood(parents, tables, rows):
    return float(sum(_log(_cell(parents, tables, row, v)) for row in rows for v in parents))


def _turned(parents, tables, rows):
    return float(
        sum(_log(_cell(parents, tables, row, v, lambda states: states[::-1])) for row in rows for v in parents)
    )


def _marginals(parents, tables, rows):
    states = {v: list(next(iter(tables[v].values()))) for v in parents}
    worlds = [dict(zip(parents, each)) for each in product(*states.values())]
    weights = [math.prod(_cell(parents, tables, world, v) for v in parents) for world in worlds]
    share = {
        (v, state): sum(w for w, world in zip(weights, worlds) if world[v] == state)
        for v in parents
        for state in states[v]
    }
    return float(sum(_log(share[v, row[v]]) for row in rows for v in parents))


def _multiplied(parents, tables, rows):
    log = log_likelihood(parents, tables, rows)
    return log if log > -745 else -math.inf


def draw_rows(random, rows=None):
    """A small net with two or three states for each variable, and some of its worlds."""
    parents = {"W": [], "P": [], "Q": ["W", "P"], "R": ["Q"]}
    states = [["low", "mid", "high"], ["low", "high"]][int(random.integers(2))]

    def table(variable):
        keys = product(states, repeat=len(parents[variable]))
        return {key: dict(zip(states, map(float, random.dirichlet([2] * len(states))))) for key in keys}

    drawn = random.choice(states, (rows or int(random.integers(2, 6)), len(parents)))
    drawn[0, :2] = states[0], states[-1]
    return parents, {v: table(v) for v in parents}, [dict(zip(parents, map(str, row))) for row in drawn]


def draw_many_rows(random):
    return draw_rows(random, rows=400)


def draw_impossible(random):
    """One cell of a table is 0; every other time a row needs it."""
    parents, tables, rows = draw_rows(random)
    states = list(tables["R"][rows[0]["Q"],])
    sure = {state: float(state == states[0]) for state in states}
    tables["R"][rows[0]["Q"],] = sure
    for row in rows:
        row["R"] = states[0]
    if random.random() < 0.5:
        rows[0]["R"] = states[1]
    return parents, tables, rows


def silent(student):
    one, other, none = data.alarm(student).values()
    return one * other / none


def _additive(student):
    one, other, none = data.alarm(student).values()
    return one + other - none


def _for_silence(student):
    """What the cell must be for the causes to stay apart when the alarm does not ring."""
    one, other, none = data.alarm(student).values()
    return 1 - (1 - one) * (1 - other) / (1 - none)


STORM = {"S": [], "B": [], "L": ["S"], "T": ["L"], "C": ["S", "B"], "F": ["S", "L", "C"]}
KITCHEN = {"Smoke": [], "Steam": [], "Alarm": ["Smoke", "Steam"], "Call": ["Alarm"], "Cough": ["Smoke"]}
SHOE = {"Size": [], "Age": [], "Price": ["Size", "Age"]}
PRICES = {
    "Size": {(): {"s": 0.3, "l": 0.7}},
    "Age": {(): {"s": 0.4, "l": 0.6}},
    "Price": {
        ("s", "s"): {"low": 0.5, "mid": 0.4, "high": 0.1},
        ("s", "l"): {"low": 0.8, "mid": 0.2, "high": 0.0},
        ("l", "s"): {"low": 0.1, "mid": 0.3, "high": 0.6},
        ("l", "l"): {"low": 0.25, "mid": 0.5, "high": 0.25},
    },
}

TASKS = {
    "blanket": {
        "kind": "function",
        "points": 2,
        "arguments": "parents, variable",
        "solve": blanket,
        "cases": [(STORM, "T"), (KITCHEN, "Smoke"), (STORM, "C"), ({"A": [], "B": ["A"], "C": ["B"]}, "A")],
        "checks": [
            {"says": "variables of larger nets", "points": 1, "draw": draw_blanket, "times": 6},
            {"says": "nets with a variable without any arrow", "points": 1, "draw": draw_lonely, "times": 12},
        ],
        "mistakes": {
            "co-parents": _neighbours,
            "independent-of-rest": lambda parents, variable: sorted(parents[variable]),
            "own-blanket": lambda parents, variable: sorted({*blanket(parents, variable), variable}),
            "with-arrows": lambda parents, variable: sorted(graph.ancestors(parents, [variable]) - {variable}),
        },
        "hint": "In whose tables does the variable stand? In its own and in those of its children. Who else stands there?",
        "right": "Whatever shares a table with the variable, and nothing else.",
    },
    "open_paths": {
        "kind": "function",
        "points": 3,
        "arguments": "parents, a, b, given",
        "solve": open_paths,
        "cases": [
            (STORM, "S", "T", []),
            (STORM, "L", "C", ["S"]),
            (STORM, "B", "L", ["C"]),
            (STORM, "B", "S", ["F"]),
            (KITCHEN, "Cough", "Steam", ["Call"]),
            (KITCHEN, "Smoke", "Call", ["Alarm"]),
        ],
        "checks": [
            {"says": "nothing seen", "points": 1, "draw": draw_question, "times": 5},
            {"says": "one or two variables seen", "points": 1, "draw": draw_seen, "times": 6},
            {"says": "something below a collider seen", "points": 1, "draw": draw_descendant, "times": 4},
        ],
        "mistakes": {
            "blind-below": _blind_below,
            "collider-shut": _shut,
            "collider-as-fork": _undirected,
            "fixed-independence": lambda parents, a, b, given: open_paths(parents, a, b, []),
            "no-arrow": lambda parents, a, b, given: [[a, b]] if a in parents[b] or b in parents[a] else [],
        },
        "hint": "First list every path that visits no variable twice. Then look at each inner variable with its two neighbours on the path: do both arrows point at it? What has to be seen, or not seen, there?",
        "right": "You know the rules of the road: chain and fork, collider and descendant.",
    },
    "log_likelihood": {
        "kind": "function",
        "points": 3,
        "arguments": "parents, tables, rows",
        "solve": log_likelihood,
        "cases": [
            (SHOE, PRICES, [{"Size": "s", "Age": "l", "Price": "low"}]),
            (SHOE, PRICES, [{"Size": "l", "Age": "s", "Price": "mid"}, {"Size": "s", "Age": "s", "Price": "high"}]),
            ({"A": []}, {"A": {(): {"x": 0.001, "y": 0.999}}}, [{"A": "x"}] * 120),
            (SHOE, PRICES, [{"Size": "s", "Age": "l", "Price": "high"}]),
        ],
        "checks": [
            {"says": "a few rows", "points": 1, "draw": draw_rows, "times": 6},
            {"says": "hundreds of rows", "points": 1, "draw": draw_many_rows, "times": 2},
            {"says": "a row that cannot be", "points": 1, "draw": draw_impossible, "times": 12},
        ],
        "mistakes": {
            "no-logs": _multiplied,
            "parent-order": _turned,
            "all-independent": _marginals,
            "sign-flip": lambda *case: -log_likelihood(*case),
        },
        "hint": "For each row and each variable: the parents' states choose the line of the table, the variable's own state the cell. Add the logarithms.",
        "right": "One cell from each table for each row, and the logarithms add.",
    },
    "silent": {
        "kind": "number",
        "points": 1,
        "solve": silent,
        "varies": True,
        "probability": True,
        "mistakes": {"differences-for-ratios": _additive, "other-state": _for_silence},
        "hint": "Write the cross ratio of the four chances that the alarm rings. For which value is it 1?",
        "right": "The path is open, and yet no news comes through.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "D",
        "mistakes": {"A": "arrow-cause", "B": "arc-count", "C": "open-dependent"},
        "hint": "What does the figure say about the probabilities of all cases, in this order and in the old one?",
        "right": "The same distribution, at a higher price.",
    },
}
