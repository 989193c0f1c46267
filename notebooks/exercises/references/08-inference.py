"""Exercise 08: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from itertools import product

import data

from bayeslib.models.networks import graph


def _factor(variables, table):
    """A table over yes-or-no variables; `table(states)` gives the entry."""
    keys = product([True, False], repeat=len(variables))
    return {"variables": list(variables), "table": {key: table(dict(zip(variables, key))) for key in keys}}


def _entry(factor, world):
    return factor["table"][tuple(world[v] for v in factor["variables"])]


def _joined(factors, variable, states=(True, False), add=sum, order=sorted):
    """The product of the tables, with the variable summed out over `states`."""
    scope = order(dict.fromkeys(v for factor in factors for v in factor["variables"] if v != variable))

    def entry(world):
        return add(math.prod(_entry(factor, {**world, variable: state}) for factor in factors) for state in states)

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


def _half_sorted(factors, variable):
    """The names in alphabetical order, the states in that in which the names appear."""
    made = _joined(_mentioning(factors, variable), variable, order=list)
    return {**made, "variables": sorted(made["variables"])}


def _variously(**how):
    return lambda factors, variable: _joined(_mentioning(factors, variable), variable, **how)


def _draw_scopes(random, names):
    """Two or three tables that mention X, and one that does not."""
    scopes = [["X", names[0]], [names[1], "X"], ["X", names[0], names[2]], [names[3]]]
    kept = [place for place in range(4) if place < 2 or random.random() < 0.7]
    return [_factor(scopes[place], lambda world: float(random.uniform(0.05, 1))) for place in kept], "X"


def draw_factors(random):
    """The names appear in alphabetical order, so that whoever did not sort them is not yet wrong."""
    return _draw_scopes(random, "ABCD")


def draw_shuffled(random):
    factors, variable = _draw_scopes(random, [str(each) for each in random.permutation(list("ABCD"))])
    return [factors[place] for place in random.permutation(len(factors))], variable


def draw_last(random):
    """Tables over X alone, so that a single number is left; every other time no table mentions it."""
    factors = [_factor(["X"], lambda world: float(random.uniform(0.05, 1))) for _ in range(random.integers(1, 4))]
    return factors, "X" if random.random() < 0.5 else "Y"


def _worlds(parents, evidence):
    for states in product([True, False], repeat=len(parents)):
        world = dict(zip(parents, states))
        if all(world[v] == state for v, state in evidence.items()):
            yield world


def _cell(parents, tables, world, v):
    chance = tables[v][tuple(world[p] for p in parents[v])]
    return chance if world[v] else 1 - chance


def _joint(parents, tables, world):
    return math.prod(_cell(parents, tables, world, v) for v in parents)


def _mass(parents, tables, evidence):
    return sum(_joint(parents, tables, world) for world in _worlds(parents, evidence))


FEWER = "fewer than two worlds with a probability above 0 agree with the evidence"


def _ranked(place, weight=_joint, divide=True):
    """The world at this place of the order, by its weight."""

    def best(parents, tables, evidence):
        found = [(weight(parents, tables, world), world) for world in _worlds(parents, evidence)]
        found = sorted((pair for pair in found if pair[0] > 0), key=lambda pair: -pair[0])
        if len(found) <= place:
            none = "the evidence has probability 0"
            raise ValueError(FEWER if place else none)
        chance, world = found[place]
        return {"world": world, "probability": chance / (sum(each for each, _ in found) if divide else 1)}

    return best


def _ones(parents, tables, world):
    return math.prod(tables[v][tuple(world[p] for p in parents[v])] for v in parents)


def _given(parents, tables, world, evidence):
    """P(world | evidence)."""
    total = _mass(parents, tables, evidence)
    if total == 0:
        raise ValueError("the evidence has probability 0")
    return _joint(parents, tables, world) / total


def _one_by_one(parents, tables, evidence):
    """Every variable in its own most probable state."""
    total = _mass(parents, tables, evidence)
    if total == 0:
        raise ValueError("the evidence has probability 0")
    world = {v: _mass(parents, tables, evidence | {v: True}) > total / 2 for v in parents if v not in evidence}
    world = {v: (evidence | world)[v] for v in parents}
    return {"world": world, "probability": _given(parents, tables, world, evidence)}


def _pasted(place):
    """The world that is best without evidence, with the evidence written over it."""

    def best(parents, tables, evidence):
        world = _ranked(place)(parents, tables, {})["world"] | evidence
        return {"world": world, "probability": _given(parents, tables, world, evidence)}

    return best


def _downwards(parents, tables, evidence):
    """Parents first, each variable in the state that is more probable given theirs."""
    world = {}
    for v in graph.topological_order(parents):
        world[v] = evidence.get(v, tables[v][tuple(world[p] for p in parents[v])] > 0.5)
    world = {v: world[v] for v in parents}
    return {"world": world, "probability": _given(parents, tables, world, evidence)}


def _hidden_only(place):
    def best(parents, tables, evidence):
        found = _ranked(place)(parents, tables, evidence)
        return found | {"world": {v: state for v, state in found["world"].items() if v not in evidence}}

    return best


UNSEEN = "The right states, but `world` must hold every variable, those that were seen included."
DOWNWARDS = "best-parts: Choosing the more probable state of each variable, parents first, does not ask how well the choice explains what was seen further down."
SECOND = "This is the most probable world, not the one that comes second."
ALL_TRUE = "missing-complement"


def _stories(place):
    return {
        "joint-posterior": _ranked(place, divide=False),
        UNSEEN: _hidden_only(place),
        ALL_TRUE: _ranked(place, _ones),
        "Evidence changes which worlds are in question, so search among those that agree with it.": _pasted(place),
        "prior-only: This world is the answer if nothing has been seen; only worlds that agree with the evidence count.": lambda parents, tables, evidence: (
            _ranked(place)(parents, tables, {})
        ),
    }


FIRST = _stories(0) | {"best-parts": _one_by_one, DOWNWARDS: _downwards}
RUNNER_UP = _stories(1) | {SECOND: _ranked(0), "best-parts": _one_by_one}


def draw_net(random):
    """A net of four to six variables in any order, and something seen at its lower end, sometimes nothing."""
    names = [str(each) for each in random.permutation(list("ABCDEF"))[: random.integers(4, 7)]]
    parents = {v: [u for u in names[max(0, i - 3) : i] if random.random() < 0.6] for i, v in enumerate(names)}
    parents[names[1]] = [names[0]]
    tables = {
        v: {key: float(random.uniform(0.05, 0.95)) for key in product([True, False], repeat=len(theirs))}
        for v, theirs in parents.items()
    }
    evidence = {v: bool(random.integers(2)) for v in names[-int(random.integers(1, 3)) :]}
    order = [str(each) for each in random.permutation(names)]
    return {v: parents[v] for v in order}, tables, evidence if random.random() < 0.9 else {}


def draw_certain(random):
    """A child that follows its only parent for certain: it is seen to do so, seen not to, or everything is seen."""
    parents, tables, _ = draw_net(random)
    child = next(v for v, theirs in parents.items() if len(theirs) == 1)
    (parent,) = parents[child]
    tables[child] = {(True,): 1.0, (False,): 0.0}
    if random.random() < 0.25:
        world = max(_worlds(parents, {}), key=lambda world: _joint(parents, tables, world))
        return parents, tables, world
    return parents, tables, {parent: True, child: random.random() < 0.5}


ORDER = ("Vessels", "Male", "ST", "Angina", "NoPain")


def _seen(name, state):
    return {"variables": [name], "table": {(True,): float(state), (False,): float(not state)}}


def _sums(student, step=eliminate, facts=None, without=()):
    """What is left for the disease, true and false, when all other variables have been eliminated."""
    patient = data.patient(student)
    factors = [factor for factor in patient["tables"] if factor["variables"][-1] not in without]
    factors += [_seen(name, state) for name, state in (facts or (lambda facts: facts))(patient["facts"]).items()]
    for name in ORDER:
        if any(name in factor["variables"] for factor in factors):
            made = step(factors, name)
            factors = [factor for factor in factors if name not in factor["variables"]] + [made]
    return {
        state: math.prod(factor["table"][(state,) * len(factor["variables"])] for factor in factors)
        for state in (True, False)
    }


def _diagnosis(**how):
    def share(student):
        sums = _sums(student, **how)
        return sums[True] / (sums[True] + sums[False])

    return share


diagnosis = _diagnosis()


def _likelihoods(student):
    """P(facts other than the sex | disease), true and false."""
    sums = _sums(student)
    sex = data.patient(student)["facts"]["Male"]
    prior = data.patient(student)["tables"][1]["table"]
    return {state: sums[state] / prior[sex, state] for state in sums} | {"prior": prior[sex, True]}


def _inverse(student):
    """P(facts | disease), with the sex among the facts."""
    apart = _sums(student, facts=lambda facts: {})
    return _sums(student)[True] / apart[True]


def _flat(student):
    found = _likelihoods(student)
    return found[True] / (found[True] + found[False])


def _naive(student):
    """The product of P(D | each fact), as if each were the only one, divided by the same for ¬D."""
    one = {}
    for name, state in data.patient(student)["facts"].items():
        one[name] = _diagnosis(facts=lambda facts: {name: state})(student)
    yes, no = math.prod(one.values()), math.prod(1 - each for each in one.values())
    return yes / (yes + no)


MISSING = "Angina was not noted: sum over both of its states instead of choosing one."

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
LATE = {"Late": ["Strike", "Snow"], "Crowd": ["Late"], "Snow": [], "Strike": ["Snow"]}
TRAIN = {
    "Snow": {(): 0.3},
    "Strike": {(True,): 0.1, (False,): 0.2},
    "Late": {(True, True): 0.9, (True, False): 0.7, (False, True): 0.6, (False, False): 0.15},
    "Crowd": {(True,): 0.8, (False,): 0.25},
}
# The most probable states one by one are not the most probable world: A is more probably true, but then B is divided.
SPLIT = {"C": ["B"], "B": ["A"], "A": []}
PARTS = {"A": {(): 0.55}, "B": {(True,): 0.52, (False,): 0.03}, "C": {(True,): 0.55, (False,): 0.44}}


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
            ([*_tables_of("H", "D"), _factor(["Z", "D"], lambda world: 0.8764 if world["Z"] else 0.3137)], "D"),
            (_tables_of("B"), "B"),
            ([*_tables_of("B"), *_tables_of("B"), *_tables_of("O")], "B"),
            (_tables_of("B"), "L"),
        ],
        "checks": [
            {"says": "tables that share the variable", "points": 1, "draw": draw_factors, "times": 5},
            {"says": "names in any order", "points": 1, "draw": draw_shuffled, "times": 6},
            {"says": "a single number left, or no table that mentions it", "points": 1, "draw": draw_last, "times": 12},
        ],
        "mistakes": {
            "unjoined": _summed_apart,
            "half-sum": _variously(states=(True,)),
            "all-joined": lambda factors, variable: (
                _joined(factors, variable) if _mentioning(factors, variable) else None
            ),
            "early-division": _early,
            "The right table, with its names in another order.": _variously(order=list),
            "The right table, with its names in another order: they are asked for as `sorted` gives them.": _variously(
                order=lambda names: sorted(names, reverse=True)
            ),
            "The right table, with its names in another order: that of the alphabet is asked for.": _variously(
                order=lambda names: list(names)[::-1]
            ),
            "The names are in alphabetical order, but the states in the tuples are not: they follow the names.": _half_sorted,
            "The larger entry was kept where both were to be added.": _variously(add=max),
        },
        "almost_right": {
            "nothing left, nothing in the table": lambda *case: (
                found if (found := eliminate(*case))["variables"] else {"variables": [], "table": {}}
            ),
            "names of all tables": lambda factors, variable: _joined(
                [
                    *_mentioning(factors, variable),
                    _factor({v for each in factors for v in each["variables"]}, lambda world: 1.0),
                ],
                variable,
            ),
        },
        "read": "Adding up the worlds, with less work",
        "hint": "Collect the tables that mention the variable, and the names in them without it. For each combination of states of these names: multiply the entries, once with the variable true and once with it false, and add the two.",
        "right": "All its neighbours met in one table, and the variable is gone.",
    },
    "diagnosis": {
        "kind": "number",
        "builds_on": "eliminate",
        "points": 2,
        "solve": diagnosis,
        "varies": True,
        "probability": True,
        "mistakes": {
            "joint-posterior": lambda student: _sums(student)[True],
            "inverse": _inverse,
            "base-rate": _flat,
            "other-answer": lambda student: 1 - diagnosis(student),
            "unjoined": _diagnosis(step=_summed_apart),
            MISSING: _diagnosis(facts=lambda facts: facts | {"Angina": False}),
            "Angina was not noted: it is not known to be true, so sum over both of its states.": _diagnosis(
                facts=lambda facts: facts | {"Angina": True}
            ),
            "The ST depression was seen, and it says something about the disease although Angina is unknown.": _diagnosis(
                facts=lambda facts: {name: state for name, state in facts.items() if name != "ST"}
            ),
            "prior-only": lambda student: _likelihoods(student)["prior"],
            "prior-only: This is P(Disease) before anything is known: no fact has gone in.": _diagnosis(
                facts=lambda facts: {}
            ),
            "The sex of the patient is known, and the table of the disease depends on it: put it in as a fact.": _diagnosis(
                facts=lambda facts: {name: state for name, state in facts.items() if name != "Male"}
            ),
            "It is known whether there was chest pain: put NoPain in as a fact.": _diagnosis(
                facts=lambda facts: {name: state for name, state in facts.items() if name != "NoPain"}
            ),
            "Vessels was not examined, so it must not be put in as a fact.": _diagnosis(
                facts=lambda facts: facts | {"Vessels": False}
            ),
            "A fact may be false: then the entry for False is the one that counts.": _diagnosis(
                facts=lambda facts: dict.fromkeys(facts, True)
            ),
            "prior-twice": _naive,
        },
        "read": "Real data: a heart, test by test",
        "hint": "Two worlds of the disease are compared. Eliminate all the other variables one after another, each time with the new table in place of those that it was made from; multiply what is left, and divide by the sum.",
        "right": "You asked a network about a patient whose record has a gap.",
    },
    "best_world": {
        "kind": "function",
        "points": 2,
        "arguments": "parents, tables, evidence",
        "solve": _ranked(0),
        "keys": ["world", "probability"],
        "hints": {
            "world": "The weight of a world is one cell from each table, 1 − P where the variable is false. Compare the weights of all worlds that agree with the evidence, and return the state of every variable.",
            "probability": "Given the evidence, the worlds that agree with it have probabilities that sum to 1: divide the weight of your world by the sum of their weights.",
        },
        "cases": [
            (DOG, TABLES, {"D": True}),
            (LATE, TRAIN, {"Crowd": True}),
            (LATE, TRAIN, {"Late": True, "Crowd": False}),
            (SPLIT, PARTS, {}),
            (SPLIT, PARTS, {"C": True}),
            (DOG, TABLES, {"O": True, "L": False, "H": True}),
            (DOOR, LOCK, {"Open": True}),
            (DOOR, LOCK, {"Key": True, "Open": True}),
            (DOOR, LOCK, {"Key": False, "Open": True}),
        ],
        "checks": [
            {"says": "networks of four to six variables, in any order", "points": 1, "draw": draw_net, "times": 8},
            {"says": "evidence that leaves many worlds, one, or none", "points": 1, "draw": draw_certain, "times": 16},
        ],
        "mistakes": FIRST,
        "almost_right": {
            "parents before children": lambda parents, *rest: (
                [list(parents)[:place].index(p) for place, v in enumerate(parents) for p in parents[v]]
                and _ranked(0)(parents, *rest)
            ),
        },
        "read": "The joint: one cell from each table",
        "hint": "Go through all worlds that agree with the evidence; a world's weight is one cell from each table. Divide the weight that you choose by the sum of all of them.",
        "right": "One story out of all that fit, and how far it can be trusted.",
        "variants": [{}, {"solve": _ranked(1), "mistakes": RUNNER_UP}],
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "Run 2 moves least of the three, so it is the one that has settled, and its estimate is to be trusted more than a mean of all three.",
            "B": "Each run holds 3000 draws, so each estimate has a standard error of about 0.01.",
            "C": "The runs differ by far more than means of 3000 independent draws would, so each run is worth far fewer than 3000.",
            "D": "Gibbs sampling is unreliable: on any network, worlds drawn from the causes to the effects give the better estimate.",
        },
        "solve": "C",
        "mistakes": {"A": "calm-chain", "B": "dependent-draws", "D": "one-network"},
        "read": "When a sampler misleads",
        "hint": "How far apart would three means of 3000 independent draws lie, and how far apart are these?",
        "right": "Several runs show what one of them hides.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: the belief in the second cause does not change, with a reason from the table: equal products of the diagonals, 0.3 · 0.4 = 0.6 · 0.2; or equal ratios, 0.3/0.6 = 0.2/0.4; or a calculation with any priors.",
            "1 point: why that does not contradict the arrows: seeing the effect opens the path, which allows dependence and does not force it; whether and how the causes influence each other, the numbers decide.",
        ],
    },
}
