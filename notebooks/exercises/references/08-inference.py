"""Exercise 08: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from itertools import product

import data

from bayeslib.networks import graph


def _factor(variables, table):
    """A table over yes-or-no variables; `table(states)` gives the entry."""
    keys = product([True, False], repeat=len(variables))
    return {"variables": list(variables), "table": {key: table(dict(zip(variables, key))) for key in keys}}


def _entry(factor, world):
    return factor["table"][tuple(world[v] for v in factor["variables"])]


def _joined(factors, variable, states=(True, False)):
    """The product of the tables, with the variable summed out over `states`."""
    scope = sorted({v for factor in factors for v in factor["variables"]} - {variable})

    def entry(world):
        return sum(math.prod(_entry(factor, {**world, variable: state}) for factor in factors) for state in states)

    return _factor(scope, entry)


def _mentioning(factors, variable):
    found = [factor for factor in factors if variable in factor["variables"]]
    if not found:
        raise ValueError(f"no table mentions {variable!r}")
    return found


def eliminate(factors, variable):
    return _joined(_mentioning(factors, variable), variable)


def _summed_apart(factors, variable):
    apart = [_joined([factor], variable) for factor in _mentioning(factors, variable)]
    return _joined(apart, None, states=(None,))


def _early(factors, variable):
    made = eliminate(factors, variable)
    total = sum(made["table"].values())
    return {**made, "table": {key: each / total for key, each in made["table"].items()}}


def draw_factors(random):
    """Two or three tables that mention X, and one that does not."""
    names = [str(each) for each in random.permutation(list("ABCD"))]
    scopes = [["X", names[0]], [names[1], "X"], ["X", names[0], names[2]], [names[3]]]
    scopes = [scopes[i] for i in random.permutation(4) if i < 2 or random.random() < 0.7]
    return [_factor(scope, lambda world: float(random.uniform(0.05, 1))) for scope in scopes], "X"


def draw_last(random):
    """Tables over X alone, so that a single number is left; every other time no table mentions it."""
    factors = [_factor(["X"], lambda world: float(random.uniform(0.05, 1))) for _ in range(random.integers(1, 4))]
    return factors, "X" if random.random() < 0.5 else "Y"


def _worlds(parents, evidence):
    for states in product([True, False], repeat=len(parents)):
        world = dict(zip(parents, states))
        if all(world[v] == state for v, state in evidence.items()):
            yield world


def _joint(parents, tables, world):
    cells = ((tables[v][tuple(world[p] for p in parents[v])], world[v]) for v in parents)
    return math.prod(chance if state else 1 - chance for chance, state in cells)


def _mass(parents, tables, evidence):
    return sum(_joint(parents, tables, world) for world in _worlds(parents, evidence))


def belief(parents, tables, target, evidence):
    total = _mass(parents, tables, evidence)
    if total == 0:
        raise ValueError("the evidence has probability 0")
    return _mass(parents, tables, {**evidence, target: True}) / total


def _transposed(parents, tables, target, evidence):
    return _mass(parents, tables, {**evidence, target: True}) / _mass(parents, tables, {target: True})


def _from_above(parents, tables, target, evidence):
    ancestors = graph.ancestors(parents, [target])
    return belief(parents, tables, target, {v: state for v, state in evidence.items() if v in ancestors})


def draw_net(random):
    """A net of four to six variables, something seen and something asked."""
    names = [str(each) for each in random.permutation(list("ABCDEF"))[: random.integers(4, 7)]]
    parents = {v: [u for u in names[max(0, i - 3) : i] if random.random() < 0.6] for i, v in enumerate(names)}
    parents[names[1]] = [names[0]]
    tables = {
        v: {key: float(random.uniform(0.05, 0.95)) for key in product([True, False], repeat=len(theirs))}
        for v, theirs in parents.items()
    }
    evidence = {v: bool(random.integers(2)) for v in names[1 : 1 + random.integers(1, 3)]}
    order = [str(each) for each in random.permutation(names)]
    return {v: parents[v] for v in order}, tables, names[0], evidence


def draw_impossible(random):
    """The child follows its only parent for certain, and the two are seen to differ, every other time."""
    parents, tables, asked, _ = draw_net(random)
    child = next(v for v, theirs in parents.items() if theirs == [asked])
    tables[child] = {(True,): 1.0, (False,): 0.0}
    tables["Z"] = {(True,): float(random.uniform(0.2, 0.8)), (False,): 0.5}
    return {**parents, "Z": [child]}, tables, "Z", {asked: True, child: random.random() < 0.5}


def _house(student):
    house = data.house(student)
    chances = {"burglary": {(): house["burglary"]}, "earthquake": {(): house["earthquake"]}, "alarm": house["alarm"]}
    return {"burglary": [], "earthquake": [], "alarm": ["burglary", "earthquake"]}, chances


def _burglary(**evidence):
    return lambda student: belief(*_house(student), "burglary", evidence)


explained = _burglary(alarm=True, earthquake=True)

DOG = {"O": [], "B": [], "L": ["O"], "D": ["O", "B"], "H": ["D"]}
TABLES = {
    "O": {(): 0.6},
    "B": {(): 0.3},
    "L": {(True,): 0.3, (False,): 0.6},
    "D": {(True, True): 0.05, (True, False): 0.1, (False, True): 0.1, (False, False): 0.2},
    "H": {(True,): 0.3, (False,): 0.1},
}
DOOR = {"Key": [], "Open": ["Key"]}
LOCK = {"Key": {(): 0.4}, "Open": {(True,): 0.9, (False,): 0.0}}


def _tables_of(*names):
    """Tables of the dog net as factors, each over its parents and itself."""

    def factor(v):
        return _factor([*DOG[v], v], lambda world: _joint({v: DOG[v]}, TABLES, world))

    return [factor(v) for v in names]


TASKS = {
    "eliminate": {
        "kind": "function",
        "points": 3,
        "arguments": "factors, variable",
        "solve": eliminate,
        "cases": [
            (_tables_of("B", "D"), "B"),
            (_tables_of("O", "L", "B", "D"), "O"),
            (_tables_of("L", "H"), "D"),
            (_tables_of("B"), "B"),
            (_tables_of("B"), "L"),
        ],
        "checks": [
            {"says": "tables that share the variable", "points": 2, "draw": draw_factors, "times": 5},
            {"says": "a single number left, or no table that mentions it", "points": 1, "draw": draw_last, "times": 12},
        ],
        "mistakes": {
            "unjoined": _summed_apart,
            "half-sum": lambda factors, variable: _joined(_mentioning(factors, variable), variable, (True,)),
            "all-joined": lambda factors, variable: (
                _joined(factors, variable) if _mentioning(factors, variable) else None
            ),
            "early-division": _early,
        },
        "hint": "Collect the tables that mention the variable, and the names in them without it. For each combination of states of these names: multiply the entries, once with the variable true and once with it false, and add the two.",
        "right": "All its neighbours met in one table, and the variable is gone.",
    },
    "belief": {
        "kind": "function",
        "points": 3,
        "arguments": "parents, tables, target, evidence",
        "solve": belief,
        "cases": [
            (DOG, TABLES, "D", {"B": True}),
            (DOG, TABLES, "B", {"D": True}),
            (DOG, TABLES, "O", {"L": True, "H": True}),
            (DOG, TABLES, "L", {}),
            (DOOR, LOCK, "Key", {"Open": True}),
            (
                {**DOOR, "Inside": ["Open"]},
                {**LOCK, "Inside": {(True,): 0.5, (False,): 0.1}},
                "Inside",
                {"Key": False, "Open": True},
            ),
        ],
        "checks": [
            {"says": "questions with and against the arrows", "points": 2, "draw": draw_net, "times": 6},
            {"says": "evidence that cannot be, or can", "points": 1, "draw": draw_impossible, "times": 12},
        ],
        "mistakes": {
            "joint-posterior": lambda parents, tables, target, evidence: _mass(
                parents, tables, {**evidence, target: True}
            ),
            "inverse": _transposed,
            "with-arrows": _from_above,
            "other-answer": lambda *case: 1 - belief(*case),
        },
        "hint": "Go through all worlds that agree with the evidence; a world's weight is one cell from each table. Add up the weights with the target true, and divide by the sum of all.",
        "right": "Worlds that agree, added up and divided: it does not matter which way the arrows point.",
    },
    "explained": {
        "kind": "number",
        "builds_on": "belief",
        "points": 1,
        "solve": explained,
        "varies": True,
        "probability": True,
        "mistakes": {
            "fixed-independence": _burglary(alarm=True),
            "explained-excluded": lambda student: 0.0,
            "inverse": lambda student: data.house(student)["alarm"][True, True],
            "joint-posterior": lambda student: (
                data.house(student)["alarm"][True, True] * data.house(student)["burglary"]
            ),
            "other-answer": lambda student: 1 - explained(student),
        },
        "hint": "With the earthquake known two worlds are left, with and without a burglary. Compare their weights.",
        "right": "The earthquake took most of the alarm for itself, but not all of it.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "C",
        "mistakes": {"A": "all-count", "B": "more-samples", "D": "one-network"},
        "hint": "The text of the figure says what the draws of each sampler are worth.",
        "right": "What counts is what the draws are worth.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: multiplies the diagonals, .3 · .4 = .12 and .6 · .2 = .12, and concludes that the belief in the second cause does not move.",
            "1 point: says why that is no contradiction: seeing the effect opens the path, which allows dependence and does not force it; whether and in which direction the causes influence each other is decided by the table (below 1 explains away, above 1 supports).",
        ],
    },
}
