"""Almost right answers to exercise 08."""

import math
from itertools import product

BOTH = (True, False)


def _entry(factor, world):
    return factor["table"][tuple(world[name] for name in factor["variables"])]


def _step(used, variable, names, states=BOTH, add=sum):
    table = {}
    for key in product(BOTH, repeat=len(names)):
        worlds = ({**dict(zip(names, key)), variable: state} for state in states)
        table[key] = add(math.prod(_entry(factor, world) for factor in used) for world in worlds)
    return {"variables": list(names), "table": table}


def _used(factors, variable):
    used = [factor for factor in factors if variable in factor["variables"]]
    if not used:
        raise ValueError("not there")
    return used


def _names(used, variable):
    return sorted({name for factor in used for name in factor["variables"]} - {variable})


def by_pairs(factors, variable):
    """Two tables at a time, then the sum: right."""
    used = _used(factors, variable)
    product_so_far = used[0]
    for factor in used[1:]:
        names = list(dict.fromkeys(product_so_far["variables"] + factor["variables"]))
        table = {}
        for key in product(BOTH, repeat=len(names)):
            world = dict(zip(names, key))
            table[key] = _entry(product_so_far, world) * _entry(factor, world)
        product_so_far = {"variables": names, "table": table}
    names = sorted(name for name in product_so_far["variables"] if name != variable)
    table = {}
    for key, value in product_so_far["table"].items():
        world = dict(zip(product_so_far["variables"], key))
        short = tuple(world[name] for name in names)
        table[short] = table.get(short, 0) + value
    return {"variables": names, "table": table}


def tuples_for_lists(factors, variable):
    used = _used(factors, variable)
    found = _step(used, variable, _names(used, variable))
    return {"variables": tuple(found["variables"]), "table": found["table"]}


def first_appearance(factors, variable):
    used = _used(factors, variable)
    return _step(used, variable, list(dict.fromkeys(v for f in used for v in f["variables"] if v != variable)))


def backwards(factors, variable):
    used = _used(factors, variable)
    return _step(used, variable, _names(used, variable)[::-1])


def names_sorted_keys_not(factors, variable):
    found = first_appearance(factors, variable)
    return {"variables": sorted(found["variables"]), "table": found["table"]}


def two_tables_only(factors, variable):
    used = _used(factors, variable)[:2]
    return _step(used, variable, _names(used, variable))


def no_guard(factors, variable):
    used = [factor for factor in factors if variable in factor["variables"]]
    return _step(used, variable, _names(used, variable))


def empty_table(factors, variable):
    used = _used(factors, variable)
    names = _names(used, variable)
    return _step(used, variable, names) if names else {"variables": [], "table": {}}


def number_at_the_end(factors, variable):
    found = by_pairs(factors, variable)
    return found if found["variables"] else found["table"][()]


def keys_without_tuples(factors, variable):
    found = by_pairs(factors, variable)
    if len(found["variables"]) == 1:
        found["table"] = {key[0]: value for key, value in found["table"].items()}
    return found


def with_all_tables(factors, variable):
    _used(factors, variable)
    return _step(factors, variable, _names(factors, variable))


def names_of_all(factors, variable):
    return _step(_used(factors, variable), variable, _names(factors, variable))


def true_only(factors, variable):
    used = _used(factors, variable)
    return _step(used, variable, _names(used, variable), states=(True,))


def in_the_order_of_the_first(factors, variable):
    """Takes the tuples of all tables to be in the same order of names."""
    used = _used(factors, variable)
    return _step(
        [{**factor, "variables": sorted(factor["variables"])} for factor in used], variable, _names(used, variable)
    )


def rounded(factors, variable):
    found = by_pairs(factors, variable)
    return {**found, "table": {key: round(value, 3) for key, value in found["table"].items()}}


def _weight(parents, tables, world):
    weight = 1.0
    for name in parents:
        chance = tables[name][tuple(world[parent] for parent in parents[name])]
        weight *= chance if world[name] else 1 - chance
    return weight


def _agreeing(parents, evidence):
    for states in product(BOTH, repeat=len(parents)):
        world = dict(zip(parents, states))
        if all(world[name] == state for name, state in evidence.items()):
            yield world


def with_max(parents, tables, evidence):
    worlds = list(_agreeing(parents, evidence))
    total = sum(_weight(parents, tables, world) for world in worlds)
    if total == 0:
        raise ValueError
    best = max(worlds, key=lambda world: _weight(parents, tables, world))
    return {"world": best, "probability": _weight(parents, tables, best) / total}


def over_the_hidden_only(parents, tables, evidence):
    hidden = [name for name in parents if name not in evidence]
    scored = {}
    for states in product(BOTH, repeat=len(hidden)):
        scored[states] = _weight(parents, tables, {**evidence, **dict(zip(hidden, states))})
    best = max(scored, key=scored.get)
    if scored[best] == 0:
        raise ValueError
    return {"probability": scored[best] / sum(scored.values()), "world": {**dict(zip(hidden, best)), **evidence}}


def in_logarithms(parents, tables, evidence):
    def log(world):
        weight = _weight(parents, tables, world)
        return math.log(weight) if weight else -math.inf

    worlds = list(_agreeing(parents, evidence))
    best = max(worlds, key=log)
    if log(best) == -math.inf:
        raise ValueError
    return {"world": best, "probability": 1 / sum(math.exp(log(world) - log(best)) for world in worlds)}


def in_the_order_of_the_dict(parents, tables, evidence):
    """Recursive enumeration that takes every parent to stand before its child."""

    def search(names, world):
        if not names:
            return [(1.0, world)]
        found = []
        chance = tables[names[0]][tuple(world[parent] for parent in parents[names[0]])]
        for state in BOTH:
            if evidence.get(names[0], state) == state:
                factor = chance if state else 1 - chance
                found += [(factor * w, full) for w, full in search(names[1:], {**world, names[0]: state})]
        return found

    worlds = search(list(parents), {})
    total = sum(weight for weight, _ in worlds)
    if total == 0:
        raise ValueError
    weight, world = max(worlds, key=lambda pair: pair[0])
    return {"world": world, "probability": weight / total}


def joint(parents, tables, evidence):
    found = with_max(parents, tables, evidence)
    return {**found, "probability": _weight(parents, tables, found["world"])}


def unguarded(parents, tables, evidence):
    worlds = list(_agreeing(parents, evidence))
    best = max(worlds, key=lambda world: _weight(parents, tables, world))
    total = sum(_weight(parents, tables, world) for world in worlds)
    return {"world": best, "probability": _weight(parents, tables, best) / total}


def zero_for_impossible(parents, tables, evidence):
    try:
        return with_max(parents, tables, evidence)
    except ValueError:
        return {"world": evidence, "probability": 0.0}


def unseen_only(parents, tables, evidence):
    found = with_max(parents, tables, evidence)
    return {**found, "world": {name: state for name, state in found["world"].items() if name not in evidence}}


def state_by_state(parents, tables, evidence):
    worlds = list(_agreeing(parents, evidence))
    total = sum(_weight(parents, tables, world) for world in worlds)
    if total == 0:
        raise ValueError
    world = {name: sum(_weight(parents, tables, each) for each in worlds if each[name]) > total / 2 for name in parents}
    return {"world": world, "probability": _weight(parents, tables, world) / total}


def against_its_negation(parents, tables, evidence):
    """Divides by the worlds that do not agree as well."""
    found = with_max(parents, tables, evidence)
    return {
        **found,
        "probability": _weight(parents, tables, found["world"])
        / sum(_weight(parents, tables, world) for world in _agreeing(parents, {})),
    }


def stops_if_nothing_is_seen(parents, tables, evidence):
    if not evidence:
        raise ValueError
    return with_max(parents, tables, evidence)


def second(parents, tables, evidence):
    worlds = sorted(_agreeing(parents, evidence), key=lambda world: -_weight(parents, tables, world))
    total = sum(_weight(parents, tables, world) for world in worlds)
    return {"world": worlds[1], "probability": _weight(parents, tables, worlds[1]) / total}


def a_pair(parents, tables, evidence):
    found = with_max(parents, tables, evidence)
    return found["world"], found["probability"]


def ones_and_zeros(parents, tables, evidence):
    found = with_max(parents, tables, evidence)
    return {**found, "world": {name: int(state) for name, state in found["world"].items()}}


def _diagnosis(student, angina=None, facts=("Male", "NoPain", "ST"), prior=True, **more):
    """P(Disease | facts) from the tables, written out."""
    patient = data.patient(student)  # noqa: F821
    table = {each["variables"][-1]: each["table"] for each in patient["tables"]}
    seen = patient["facts"] | more
    sums = {}
    for d in BOTH:
        weight = table["Disease"][seen["Male"], d] if prior else 1.0
        if "NoPain" in facts:
            weight *= table["NoPain"][d, seen["NoPain"]]
        if "Vessels" in more:
            weight *= table["Vessels"][d, more["Vessels"]]
        ways = BOTH if angina is None else (angina,)
        weight *= sum(
            table["Angina"][d, seen["NoPain"], a] * (table["ST"][d, a, seen["ST"]] if "ST" in facts else 1.0)
            for a in ways
        )
        sums[d] = weight
    return sums[True] / (sums[True] + sums[False])


ALMOST_RIGHT = {
    "eliminate": {
        "two tables at a time": by_pairs,
        "a tuple of names": tuples_for_lists,
        "names as they appear": first_appearance,
        "names backwards": backwards,
        "names sorted, keys not": names_sorted_keys_not,
        "two tables at most": two_tables_only,
        "no ValueError": no_guard,
        "nothing left, nothing in the table": empty_table,
        "a number instead of the last table": number_at_the_end,
        "bare states as keys": keys_without_tuples,
        "all tables": with_all_tables,
        "names of all tables": names_of_all,
        "only one state": true_only,
        "every table's keys taken as sorted": in_the_order_of_the_first,
        "rounded": rounded,
    },
    "best_world": {
        "max": with_max,
        "the hidden variables only": over_the_hidden_only,
        "logarithms": in_logarithms,
        "parents before children": in_the_order_of_the_dict,
        "not divided": joint,
        "no guard": unguarded,
        "0 for the impossible": zero_for_impossible,
        "without what was seen": unseen_only,
        "state by state": state_by_state,
        "divided by all worlds": against_its_negation,
        "something must be seen": stops_if_nothing_is_seen,
        "the second": second,
        "the evidence forgotten": lambda parents, tables, evidence: with_max(parents, tables, {}),
        "a pair": a_pair,
        "1 and 0": ones_and_zeros,
    },
    "diagnosis": {
        "written out": _diagnosis,
        "three decimals": lambda student: round(_diagnosis(student), 3),
        "two decimals": lambda student: round(_diagnosis(student), 2),
        "no angina": lambda student: _diagnosis(student, angina=False),
        "angina": lambda student: _diagnosis(student, angina=True),
        "without ST": lambda student: _diagnosis(student, facts=("NoPain",)),
        "no vessels": lambda student: _diagnosis(student, Vessels=False),
        "without the prior": lambda student: _diagnosis(student, prior=False),
        "only the sex": lambda student: _diagnosis(student, facts=()),
        "the complement": lambda student: 1 - _diagnosis(student),
    },
}
