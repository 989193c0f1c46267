"""The practice tasks of section 07. A mistake is a function that errs in a known way, so that its name can be told."""

from math import prod

from bayeslib.models.networks import graph


def _chance(tables, variable, row, state):
    """The cell of a table that holds the chance of true in each row."""
    return tables[variable][row] if state else 1 - tables[variable][row]


def _joint(parents, tables, assignment, order=lambda row: row):
    return prod(_chance(tables, v, order(tuple(assignment[p] for p in parents[v])), assignment[v]) for v in parents)


def _worlds(parents):
    """Every assignment of true and false."""
    return [dict(zip(parents, (bits >> i & 1 == 1 for i in range(len(parents))))) for bits in range(2 ** len(parents))]


def _marginals_multiplied(parents, tables, assignment):
    joint = [(world, _joint(parents, tables, world)) for world in _worlds(parents)]
    return prod(sum(p for world, p in joint if world[v] == assignment[v]) for v in parents)


def _without_complement(parents, tables, assignment):
    return prod(tables[v][tuple(assignment[p] for p in parents[v])] for v in parents)


def _count(parents, states):
    return sum((states[v] - 1) * prod(states[p] for p in parents[v]) for v in parents)


def _separated(parents, a, b, given):
    return graph.d_separated(parents, {a}, {b}, given)


def _undirected(parents, a, b, given):
    """Cut only by what is seen, however the arrows meet."""
    reached, waiting, below = {a}, [a], graph.children(parents)
    while waiting:
        v = waiting.pop()
        for u in (*parents[v], *below[v]):
            if u not in reached and u not in given:
                reached.add(u)
                waiting.append(u)
    return b not in reached


def _paths_open(parents, a, b, given, opens):
    """Separated, if a collider counts as open only by the rule `opens(collider, given)`."""
    return not any(
        all(opens(each.variable, given) if each.kind == "collider" else each.open for each in path.inner)
        for path in graph.paths(parents, a, b, given)
    )


STORM = {"S": [], "B": [], "L": ["S"], "T": ["L"], "C": ["S", "B"], "F": ["S", "L", "C"]}
DOG = {"O": [], "B": [], "L": ["O"], "D": ["O", "B"], "H": ["D"]}
TABLES = {
    "O": {(): 0.6},
    "B": {(): 0.3},
    "L": {(True,): 0.3, (False,): 0.6},
    "D": {(True, True): 0.05, (True, False): 0.1, (False, True): 0.15, (False, False): 0.2},
    "H": {(True,): 0.3, (False,): 0.1},
}

TASKS = {
    "joint": {
        "arguments": "parents, tables, assignment",
        "cases": [
            (DOG, TABLES, {"O": True, "B": True, "L": True, "D": True, "H": True}),
            (DOG, TABLES, {"O": False, "B": True, "L": False, "D": True, "H": True}),
            (DOG, TABLES, dict.fromkeys(DOG, False)),
            ({"A": []}, {"A": {(): 0.25}}, {"A": False}),
        ],
        "solve": _joint,
        "probability": True,
        "right": "One cell from each table, and the parents choose the row.",
        "hint": "For each variable: look up its parents' states, take that row, and use p if it is true and 1 − p if it is false.",
        "mistakes": {
            "all-independent": _marginals_multiplied,
            "missing-complement": _without_complement,
            "parent-order": lambda parents, tables, case: _joint(parents, tables, case, lambda row: row[::-1]),
        },
    },
    "parameter-count": {
        "arguments": "parents, states",
        "cases": [
            (STORM, dict.fromkeys(STORM, 2)),
            ({"W": [], "P": ["W"], "Q": ["W", "P"]}, {"W": 3, "P": 2, "Q": 4}),
            ({"A": []}, {"A": 5}),
        ],
        "solve": _count,
        "right": "Rows times free numbers in a row, added up over the variables.",
        "hint": "A variable has one row for each combination of its parents' states, and each row has one number fewer than the variable has states.",
        "mistakes": {
            "dependent-numbers": lambda parents, states: sum(
                states[v] * prod(states[p] for p in parents[v]) for v in parents
            ),
            "arc-count": lambda parents, states: sum(len(parents[v]) for v in parents),
            "whole-joint": lambda parents, states: prod(states.values()) - 1,
        },
    },
    "d-separated": {
        "arguments": "parents, a, b, given",
        "cases": [
            (STORM, "S", "T", []),
            (STORM, "S", "T", ["L"]),
            (STORM, "S", "B", []),
            (STORM, "S", "B", ["C"]),
            (DOG, "O", "B", ["H"]),
            (STORM, "L", "C", ["S"]),
            (STORM, "L", "C", ["S", "F"]),
            (DOG, "L", "B", ["H", "O"]),
        ],
        "solve": _separated,
        "right": "Chains and forks are closed by seeing, colliders are opened by seeing them or anything below them.",
        "hint": "List the paths and go through the inner variables of each. Where do the arrows meet head to head, and is that variable, or one below it, in given?",
        "mistakes": {
            "blind-below": lambda parents, a, b, given: _paths_open(parents, a, b, given, lambda v, seen: v in seen),
            "collider-shut": lambda parents, a, b, given: _paths_open(parents, a, b, given, lambda v, seen: False),
            "collider-as-fork": _undirected,
            "fixed-independence": lambda parents, a, b, given: _separated(parents, a, b, []),
            "no-arrow": lambda parents, a, b, given: a not in parents[b] and b not in parents[a],
        },
    },
}
