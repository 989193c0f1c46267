"""Almost right answers to exercise 09."""

import math
from collections import Counter
from itertools import combinations, product


def _above(parents, v):
    return {v}.union(*(_above(parents, each) for each in parents[v]))


def _refused(parents, parent, child):
    return parent in parents[child] or child in _above(parents, parent)


def _bic(rows, parents, states, lines=None, half=0.5):
    total = 0.0
    for child, theirs in parents.items():
        cells = Counter((tuple(row[p] for p in theirs), row[child]) for row in rows)
        piles = Counter(tuple(row[p] for p in theirs) for row in rows)
        total += sum(n * math.log(n / piles[line]) for (line, _), n in cells.items())
        number = math.prod(states[p] for p in theirs) if lines is None else lines(rows, theirs)
        total -= half * (states[child] - 1) * number * math.log(len(rows))
    return total


def _differ(score, refuse=_refused):
    def arrow_gain(rows, parents, states, parent, child):
        if refuse(parents, parent, child):
            raise ValueError("no")
        more = {**parents, child: [*parents[child], parent]}
        return score(rows, more, states) - score(rows, parents, states)

    return arrow_gain


whole_graphs = _differ(_bic)


def _family(rows, child, theirs, empty=False):
    """The fit of one table, cell by cell, with the values that the rows show; `empty` cells stop it where they count."""
    values = {v: sorted({row[v] for row in rows}) for v in [child, *theirs]}
    total = 0.0
    for line in product(*(values[p] for p in theirs)):
        pile = [row[child] for row in rows if all(row[p] == x for p, x in zip(theirs, line))]
        for n in (pile.count(value) for value in values[child]):
            total += n * math.log(n / len(pile)) if n or empty else 0.0
    return total


def line_by_line(rows, parents, states, parent, child):
    """Every cell of every line, with the values that the rows show."""
    if _refused(parents, parent, child):
        raise ValueError("no")

    numbers = (states[child] - 1) * math.prod(states[p] for p in parents[child])
    price = 0.5 * numbers * (states[parent] - 1) * math.log(len(rows))
    before, after = (_family(rows, child, theirs) for theirs in (parents[child], [*parents[child], parent]))
    return after - before - price


def parent_in_front(rows, parents, states, parent, child):
    if _refused(parents, parent, child):
        raise ValueError("no")
    return _bic(rows, {**parents, child: [parent, *parents[child]]}, states) - _bic(rows, parents, states)


def crashes_on_empty_cells(rows, parents, states, parent, child):
    if _refused(parents, parent, child):
        raise ValueError("no")

    before, after = (_family(rows, child, theirs, empty=True) for theirs in (parents[child], [*parents[child], parent]))
    return after - before


def as_if_no_parents(rows, parents, states, parent, child):
    if _refused(parents, parent, child):
        raise ValueError("no")
    return whole_graphs(rows, {v: [] for v in parents}, states, parent, child)


def price_of_a_first_parent(rows, parents, states, parent, child):
    """The fit is right, but the price is that of an arrow into a variable without parents."""
    if _refused(parents, parent, child):
        raise ValueError("no")
    fit = _differ(lambda rows, parents, states: _bic(rows, parents, states, half=0))
    price = 0.5 * (states[child] - 1) * (states[parent] - 1) * math.log(len(rows))
    return fit(rows, parents, states, parent, child) - price


def binary(rows, parents, states, parent, child):
    return whole_graphs(rows, parents, dict.fromkeys(states, 2), parent, child)


def seen_lines(rows, theirs):
    return len({tuple(row[p] for p in theirs) for row in rows})


def not_its_parents(parents, parent, child):
    return parent in parents[child] or child in parents[parent]


def children_first(parents, parent, child):
    """Takes the order of the dict for that of the arrows."""
    order = list(parents)
    return parent in parents[child] or order.index(parent) > order.index(child)


def only_cycles(parents, parent, child):
    return child in _above(parents, parent)


def any_way_round(parents, parent, child):
    """Refuses every arrow between two variables that some path joins, in whatever direction."""
    reached, waiting = {parent}, [parent]
    while waiting:
        here = waiting.pop()
        for v in parents:
            if v not in reached and (v in parents[here] or here in parents[v]):
                reached.add(v)
                waiting.append(v)
    return child in reached


def _climb(gain=whole_graphs, order=list, start=0.0, pairs=None, pack=sorted):
    def best_link(rows, parents, states):
        best = {"link": [], "gain": start}
        for parent in order(parents):
            for child in order(parents):
                if parent == child or (pairs and not pairs(parent, child)):
                    continue
                try:
                    found = gain(rows, parents, states, parent, child)
                except ValueError:
                    continue
                if found > best["gain"]:
                    best = {"link": pack((parent, child)), "gain": found}
        return best if best["link"] else {"link": [], "gain": 0}

    return best_link


def with_max(rows, parents, states):
    found = {}
    for parent, child in product(parents, repeat=2):
        if parent != child and not _refused(parents, parent, child):
            found[parent, child] = whole_graphs(rows, parents, states, parent, child)
    top = max(found, key=found.get, default=None)
    if top is None or found[top] <= 0:
        return {"gain": 0.0, "link": ()}
    return {"gain": found[top], "link": tuple(sorted(top))}


def always_one(rows, parents, states):
    return _climb(start=-math.inf)(rows, parents, states)


def largest_change(rows, parents, states):
    found = {
        (p, v): whole_graphs(rows, parents, states, p, v)
        for p, v in product(parents, repeat=2)
        if p != v and not _refused(parents, p, v)
    }
    top = max(found, key=lambda arrow: abs(found[arrow]), default=None)
    return {"link": sorted(top), "gain": found[top]} if top else {"link": [], "gain": 0}


def list_if_nothing(rows, parents, states):
    found = with_max(rows, parents, states)
    return found if found["link"] else []


def none_if_nothing(rows, parents, states):
    found = with_max(rows, parents, states)
    return found if found["link"] else {"link": None, "gain": 0}


def score_for_gain(rows, parents, states):
    """The BIC that the new graph has."""
    found = with_max(rows, parents, states)
    return {**found, "gain": _bic(rows, parents, states) + found["gain"]}


def rounded(rows, parents, states):
    found = with_max(rows, parents, states)
    return {**found, "gain": round(found["gain"], 3)}


def _colliders(parents, shielded=False):
    links = {frozenset((p, v)) for v in parents for p in parents[v]}
    pairs = {(frozenset(pair), v) for v in parents for pair in combinations(parents[v], 2)}
    return pairs if shielded else {(pair, v) for pair, v in pairs if pair not in links}


def _turned(parents, p, v):
    return {**parents, v: [u for u in parents[v] if u != p], p: [*parents[p], v]}


def _cyclic(parents):
    waiting = {v: set(theirs) for v, theirs in parents.items()}
    while free := [v for v, theirs in waiting.items() if not theirs]:
        for v in free:
            del waiting[v]
        for theirs in waiting.values():
            theirs -= set(free)
    return bool(waiting)


def _each(keeps):
    return lambda parents: {(p, v): keeps(parents, _turned(parents, p, v), p, v) for v in parents for p in parents[v]}


by_definition = _each(lambda old, new, p, v: not _cyclic(new) and _colliders(old) == _colliders(new))


def covered(parents):
    """An arrow can be reversed exactly if its ends have the same other parents."""
    return {(p, v): set(parents[v]) - {p} == set(parents[p]) for v in parents for p in parents[v]}


def number_of_colliders(parents):
    return _each(lambda old, new, p, v: not _cyclic(new) and len(_colliders(old)) == len(_colliders(new)))(parents)


def two_cycles_only(parents):
    return _each(lambda old, new, p, v: v not in old[p] and _colliders(old) == _colliders(new))(parents)


def one_after_the_other(parents):
    """Goes on with the reversed graph."""
    now, found = parents, {}
    for v in parents:
        for p in parents[v]:
            new = _turned(now, p, v)
            found[p, v] = not _cyclic(new) and _colliders(new) == _colliders(now)
            if found[p, v]:
                now = new
    return found


def no_other_parents(parents):
    return {(p, v): len(parents[v]) == 1 and not parents[p] for v in parents for p in parents[v]}


def only_at_the_child(parents):
    return {(p, v): len(parents[v]) == 1 for v in parents for p in parents[v]}


def only_the_free(parents):
    return {arrow: True for arrow, free in by_definition(parents).items() if free}


def child_and_parent(parents):
    return {(v, p): free for (p, v), free in by_definition(parents).items()}


def a_list(parents):
    return sorted(arrow for arrow, free in by_definition(parents).items() if free)


def ones(parents):
    return {arrow: int(free) for arrow, free in by_definition(parents).items()}


def _parts(student):
    hearts = data.hearts(student)  # noqa: F821
    rows, states, (parent, child) = hearts["rows"], hearts["states"], hearts["arrow"]
    both, one, other = (Counter(tuple(row[v] for v in names) for row in rows) for names in _names(parent, child))
    n = len(rows)
    fit = sum(k / n * math.log(k * n / (one[a,] * other[b,])) for (a, b), k in both.items())
    return fit, states[parent], states[child]


def _names(parent, child):
    return (parent, child), (parent,), (child,)


def _until(student, price, start=200):
    fit, p, c = _parts(student)
    n = start
    while n * fit <= price(p, c) * math.log(n):
        n += 1
    return n


def _right(p, c):
    return (p - 1) * (c - 1) / 2


def _halving(student):
    fit, p, c = _parts(student)
    low, high = 200, 10**7
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if middle * fit > _right(p, c) * math.log(middle) else (middle, high)
    return high


ALMOST_RIGHT = {
    "arrow_gain": {
        "whole graphs": whole_graphs,
        "line by line": line_by_line,
        "the new parent in front": parent_in_front,
        "logarithms of 0": crashes_on_empty_cells,
        "the other parents forgotten": as_if_no_parents,
        "the price of a first parent": price_of_a_first_parent,
        "two states for all": binary,
        "seen lines": _differ(lambda *case: _bic(*case, lines=seen_lines)),
        "no half": _differ(lambda *case: _bic(*case, half=1)),
        "no price": _differ(lambda *case: _bic(*case, half=0)),
        "no ValueError": _differ(_bic, lambda *case: False),
        "cycles of two": _differ(_bic, not_its_parents),
        "the order of the dict": _differ(_bic, children_first),
        "an arrow that is there": _differ(_bic, only_cycles),
        "loops of any kind": _differ(_bic, any_way_round),
        "rounded": lambda *case: round(whole_graphs(*case), 3),
    },
    "best_link": {
        "the dict's order": _climb(),
        "alphabetical": _climb(order=sorted),
        "max, with tuples": with_max,
        "one direction": _climb(pairs=lambda parent, child: parent < child),
        "the other direction": _climb(pairs=lambda parent, child: parent > child),
        "as it points": _climb(pack=list),
        "always an arrow": always_one,
        "the largest change": largest_change,
        "[] for nothing": list_if_nothing,
        "None for nothing": none_if_nothing,
        "the score instead of the gain": score_for_gain,
        "rounded": rounded,
        "no price": _climb(_differ(lambda *case: _bic(*case, half=0))),
        "cycles of two": _climb(_differ(_bic, not_its_parents)),
        "a gain of a nat at least": _climb(start=1.0),
    },
    "reversible": {
        "the definition": by_definition,
        "covered arrows": covered,
        "the number of colliders": number_of_colliders,
        "no cycle beyond two": two_cycles_only,
        "shielded colliders too": _each(
            lambda old, new, p, v: not _cyclic(new) and _colliders(old, True) == _colliders(new, True)
        ),
        "no look at colliders": _each(lambda old, new, p, v: not _cyclic(new)),
        "one after the other": one_after_the_other,
        "no other parents": no_other_parents,
        "the child's parents only": only_at_the_child,
        "only the free ones": only_the_free,
        "(child, parent)": child_and_parent,
        "a list": a_list,
        "1 and 0": ones,
    },
    "enough": {
        "step by step": lambda student: _until(student, _right),
        "halving": _halving,
        "a float": lambda student: float(_halving(student)),
        "one less": lambda student: _halving(student) - 1,
        "the additional ones": lambda student: _halving(student) - 200,
        "no half": lambda student: _until(student, lambda p, c: (p - 1) * (c - 1)),
        "one number for the arrow": lambda student: _until(student, lambda p, c: 0.5),
        "the whole table": lambda student: _until(student, lambda p, c: p * (c - 1) / 2),
        "all entries": lambda student: _until(student, lambda p, c: p * c / 2),
        "a fixed price": lambda student: (
            math.floor(_right(*_parts(student)[1:]) * math.log(200) / _parts(student)[0]) + 1
        ),
    },
}
