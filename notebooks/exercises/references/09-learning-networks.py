"""Exercise 09: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from collections import Counter
from itertools import combinations

import data

from bayeslib.models.networks import graph


def _fit(rows, child, parents):
    """Σ N_jk ln(N_jk / N_j) of one family."""
    cells = Counter((*(row[p] for p in parents), row[child]) for row in rows)
    lines = Counter(tuple(row[p] for p in parents) for row in rows)
    return sum(n * math.log(n / lines[cell[:-1]]) for cell, n in cells.items())


def _numbers(rows, child, parents, states):
    return (states[child] - 1) * math.prod(states[p] for p in parents)


def _entries(rows, child, parents, states):
    return states[child] * math.prod(states[p] for p in parents)


def _seen(rows, child, parents, states):
    return (states[child] - 1) * len({tuple(row[p] for p in parents) for row in rows})


def _shown(rows, child, parents, states):
    """The free numbers, if a variable has the states that the rows show."""
    shown = {v: len({row[v] for row in rows}) for v in (child, *parents)}
    return _numbers(rows, child, parents, shown)


def _arrows_in(rows, child, parents, states):
    return len(parents)


def _above(parents, v):
    found, waiting = {v}, [v]
    while waiting:
        for p in parents[waiting.pop()]:
            if p not in found:
                found.add(p)
                waiting.append(p)
    return found


def _legal(parents, parent, child):
    if parent in parents[child] or child in _above(parents, parent):
        raise ValueError(f"{parent} → {child} cannot be added")


def _gain(price=_numbers, each=0.5, old=True, guard=_legal, base=math.e):
    """What an arrow gains, with `each` ln n for every number that `price` counts."""

    def arrow_gain(rows, parents, states, parent, child):
        guard(parents, parent, child)
        before, after = list(parents[child]), [*parents[child], parent]
        paid = price(rows, child, after, states) - (price(rows, child, before, states) if old else 0)
        fit = _fit(rows, child, after) - _fit(rows, child, before)
        return (fit - each * paid * math.log(len(rows))) / math.log(base)

    return arrow_gain


arrow_gain = _gain()


def _no_guard(parents, parent, child):
    pass


def _opposite_only(parents, parent, child):
    if parent in parents[child] or child in parents[parent]:
        raise ValueError("linked already")


HALF = "A number costs half a ln n: from n rows it is known to about one part in √n."
NATS = "The scores here use natural logarithms; one bit is 0.693 nats."
OLD = "The numbers of the old table are paid for already: only the additional ones count."
FIT = "fit-best: Every additional number of the tables costs ½ ln n nats."
GAINS = {
    FIT: _gain(each=0),
    "arrow-price": _gain(_arrows_in),
    HALF: _gain(each=1),
    "dependent-numbers": _gain(_entries),
    "seen-values: A line that no row shows has to be written down all the same.": _gain(_seen),
    "seen-values": _gain(_shown),
    OLD: _gain(old=False),
    NATS: _gain(base=2),
    "sign-flip": lambda *case: -arrow_gain(*case),
    "circle: A cycle may have more than two arrows.": _gain(guard=_opposite_only),
    "circle": _gain(guard=_no_guard),
}


def draw_data(random, names, states, rows):
    """Variables that often follow the one before them."""
    found = []
    for _ in range(rows):
        row, before = {}, 0
        for v in names:
            follows = row and random.random() < 0.7
            row[v] = before = before % states[v] if follows else int(random.integers(states[v]))
        found.append({v: row[v] for v in map(str, random.permutation(names))})
    return found


def draw_parents(random, names, links=0.5):
    """A graph whose dict is in any order, children before their parents too."""
    order = [str(each) for each in random.permutation(names)]
    parents = {v: [u for u in order[:i] if random.random() < links] for i, v in enumerate(order)}
    return {v: parents[v] for v in map(str, random.permutation(names))}


def _allowed(parents):
    return [
        (p, v)
        for p in sorted(parents)
        for v in sorted(parents)
        if p != v and p not in parents[v] and v not in _above(parents, p)
    ]


def draw_first(random):
    """The first arrow into a variable; two to four states."""
    names = list("ABCD")
    states = {v: int(random.integers(2, 5)) for v in names}
    parent, child = map(str, random.permutation(names)[:2])
    rows = draw_data(random, names, states, int(random.integers(8, 40)))
    return rows, {v: [] for v in map(str, random.permutation(names))}, states, parent, child


def draw_further(random):
    """A variable that has parents already, and few rows: some lines have none, and some states never appear."""
    names = list("ABCD")
    while True:
        states = {v: int(random.integers(2, 5)) for v in names}
        rows = draw_data(random, names, states, int(random.integers(4, 9)))
        parents = draw_parents(random, names)
        arrows = [(p, v) for p, v in _allowed(parents) if parents[v]]
        if arrows:
            return rows, parents, states, *arrows[int(random.integers(len(arrows)))]


def draw_legal(random):
    """Any two variables: sometimes the arrow is there, its opposite is, a longer way leads back, or all is well."""
    names = list("ABCD")
    states = {v: int(random.integers(2, 4)) for v in names}
    rows = draw_data(random, names, states, int(random.integers(8, 20)))
    parents = draw_parents(random, names)
    parent, child = map(str, random.permutation(names)[:2])
    if random.random() < 0.3:  # child → … → between → parent
        between, last = (v for v in map(str, random.permutation(names)) if v not in (parent, child))
        parents = {last: [between], parent: [between], between: [child], child: []}
    return rows, parents, states, parent, child


def _best(gain, least=0.0):
    """The link of the arrow that gains most by `gain`."""

    def best_link(rows, parents, states):
        found = []
        for p in sorted(parents):
            for v in sorted(parents):
                if p != v:
                    try:
                        found.append((gain(rows, parents, states, p, v), p, v))
                    except ValueError:
                        continue
        top, p, v = max(found, default=(-math.inf, "", ""))
        return {"link": sorted((p, v)), "gain": top} if top > least else {"link": [], "gain": 0.0}

    return best_link


def _away(rows, parents, states):
    """From the last name in the alphabet to the first only."""
    found = _best(lambda *case: arrow_gain(*case) if case[3] < case[4] else -math.inf)
    return found(rows, parents, states)


best_link = _best(arrow_gain)
LINKS = {
    FIT: _best(GAINS[FIT]),
    "circle": _best(_gain(guard=lambda parents, p, v: _opposite_only(parents, p, v))),
    "downhill": _best(arrow_gain, least=-math.inf),
    "arrow-price": _best(_gain(lambda rows, child, parents, states: len(parents))),
    "The right link, but its names are asked for in alphabetical order.": lambda *case: (
        best_link(*case) | {"link": best_link(*case)["link"][::-1]}
    ),
    "An arrow may point either way: try both directions of every link.": _away,
}


def _clear(case):
    """No second link comes near the best one, and it is clear whether it gains."""
    rows, parents, states = case
    gains = {}
    for p, v in _allowed(parents):
        pair = frozenset((p, v))
        gains[pair] = max(gains.get(pair, -math.inf), arrow_gain(rows, parents, states, p, v))
    top, *others = sorted(gains.values(), reverse=True) or [-1]
    return top < -1e-3 or (top > 1e-3 and all(top - gain > 1e-3 for gain in others))


def draw_step(random):
    names = list("ABCD")
    while True:
        states = {v: int(random.integers(2, 4)) for v in names}
        rows = draw_data(random, names, states, int(random.integers(25, 60)))
        order = random.random()
        parents = {"D": ["C"], "A": [], "C": ["A"], "B": []} if order < 0.5 else {v: [] for v in "DBAC"}
        if _clear((rows, parents, states)):
            return rows, parents, states


def draw_end(random):
    """Near the end of a climb: the best arrow would close a cycle, or no arrow gains, or one does."""
    names = list("ABC")
    while True:
        kind, states = random.random(), dict.fromkeys(names, 2)
        rows = draw_data(random, names, states, int(random.integers(30, 50)))
        if kind < 0.5:
            for row in rows[: len(rows) * 3 // 4]:
                row["C"] = row["A"]
            parents = {"C": ["B"], "B": ["A"], "A": []} if kind < 0.25 else {"A": ["B"], "C": [], "B": ["C"]}
        elif kind < 0.75:
            rows = [dict(zip(names, map(int, random.integers(0, 2, 3)))) for _ in range(random.integers(8, 30))]
            rows += [{**row, "A": 1 - row["A"]} for row in rows]
            parents = {"C": ["B"], "A": [], "B": []}
        else:
            parents = {"B": [], "C": [], "A": []}
        if _clear((rows, parents, states)):
            return rows, parents, states


def _turned(parents, p, v):
    return {**parents, v: [each for each in parents[v] if each != p], p: [*parents[p], v]}


def _acyclic(parents):
    return all(v not in _above(parents, p) for v in parents for p in parents[v])


def _links(parents):
    return {frozenset((p, v)) for v in parents for p in parents[v]}


def _colliders(parents, linked=False):
    pairs = ((frozenset(pair), v) for v in parents for pair in combinations(parents[v], 2))
    return {(pair, v) for pair, v in pairs if linked or pair not in _links(parents)}


def _arrows(keeps):
    """For every arrow whether it may be reversed: `keeps(the graph, the graph with this arrow reversed)`."""
    return lambda parents: {(p, v): keeps(parents, _turned(parents, p, v)) for v in parents for p in parents[v]}


reversible = _arrows(lambda old, new: _acyclic(new) and _colliders(old) == _colliders(new))


def _in_the_class(parents):
    """Open in the class of equivalent graphs, with other arrows reversed too where that is needed."""
    fixed = graph.compelled(parents)
    return {(p, v): (p, v) not in fixed for v in parents for p in parents[v]}


def _staying(parents):
    """An arrow that can be reversed stays reversed while the next one is tried."""
    found, now = {}, parents
    for v in parents:
        for p in parents[v]:
            new = _turned(now, p, v)
            found[p, v] = _acyclic(new) and _colliders(new) == _colliders(parents)
            now = new if found[p, v] else now
    return found


ALL_STAY = (
    "An equivalent graph may have this arrow reversed together with others; here all the others stay as they are."
)
ARROW_SLIPS = {
    "It isn't enough that there are as many colliders as before: they must be the same ones.": _arrows(
        lambda old, new: _acyclic(new) and len(_colliders(old)) == len(_colliders(new))
    ),
    "A collider counts if it is lost as well as if it is new: compare both graphs.": _arrows(
        lambda old, new: _acyclic(new) and _colliders(new) <= _colliders(old)
    ),
    "It isn't enough that the child has no other parent: the reversed arrow must make no new collider at its other end.": (
        lambda parents: {(p, v): len(parents[v]) == 1 for v in parents for p in parents[v]}
    ),
    "A parent without parents of its own isn't enough, nor needed: compare the colliders before and after.": (
        lambda parents: {(p, v): not parents[p] for v in parents for p in parents[v]}
    ),
    "Each arrow is tried on the graph as it was: an arrow that was reversed before goes back first.": lambda parents: (
        _staying(parents)
    ),
    "An arrow into no collider may still make one when it is reversed, or a cycle.": lambda parents: {
        (p, v): v not in {middle for _, middle in _colliders(parents)} for v in parents for p in parents[v]
    },
    "Not every arrow can be reversed: compare the colliders, and look for cycles.": _arrows(lambda old, new: True),
}
ARROWS = {
    "circle": _arrows(lambda old, new: _colliders(old) == _colliders(new)),
    "same-links": _arrows(lambda old, new: _acyclic(new)),
    "every-collider": _arrows(lambda old, new: _acyclic(new) and _colliders(old, True) == _colliders(new, True)),
    "same-arrows": _arrows(lambda old, new: False),
    ALL_STAY: _in_the_class,
    "A collider counts if it is new as well as if it is lost: compare both graphs.": _arrows(
        lambda old, new: _acyclic(new) and _colliders(old) <= _colliders(new)
    ),
}


def _opposite(function):
    return lambda parents: {arrow: not value for arrow, value in function(parents).items()}


def draw_drawing(random):
    """So many links that some reversal would close a cycle."""
    while True:
        (parents,) = (draw_parents(random, list("ABCDE")[: random.integers(3, 6)], 0.6),)
        if ARROWS["circle"](parents) != reversible(parents):
            return (parents,)


def draw_sparse(random):
    names = [str(each) for each in random.permutation(list("ABCDEF"))]
    parents = {v: names[i - 1 : i] if i < 4 else [str(random.choice(names[:i]))] for i, v in enumerate(names)}
    parents[names[2]] = names[:2] if random.random() < 0.5 else names[1:2]
    parents[names[1]] = [] if len(parents[names[2]]) == 2 else names[:1]
    return ({v: parents[v] for v in map(str, random.permutation(names))},)


def _enough(numbers=lambda parent, child: (parent - 1) * (child - 1), each=0.5):
    """The smallest number of patients with which the arrow gains, and the parts that the mistakes need."""

    def enough(student):
        fit, paid, n = _parts(student, numbers, each)
        found = n
        while found * fit <= paid * math.log(found):
            found += 1
        return found

    return enough


def _parts(student, numbers=lambda parent, child: (parent - 1) * (child - 1), each=0.5):
    """The fit for each patient, the price in units of ln n, and how many patients there are."""
    hearts = data.hearts(student)
    (parent, child), rows, states = hearts["arrow"], hearts["rows"], hearts["states"]
    fit = (_fit(rows, child, [parent]) - _fit(rows, child, [])) / len(rows)
    return fit, each * numbers(states[parent], states[child]), len(rows)


def _fixed_price(student):
    fit, paid, n = _parts(student)
    return math.floor(paid * math.log(n) / fit) + 1


enough = _enough()

FIVE = [dict(zip("SAK", row)) for row in ((1, 0, 1), (0, 1, 0), (0, 1, 1), (0, 0, 0), (1, 1, 1))]
TWO = dict.fromkeys("SAK", 2)
SIZES = [
    dict(zip("WPQ", row)) for row in (("a", 0, 0), ("a", 0, 1), ("b", 1, 1), ("c", 1, 0), ("b", 1, 1), ("a", 0, 0))
]
WIDE = {"W": 3, "P": 2, "Q": 4}
ROUND = [
    dict(zip("ABC", row)) for row in ((0, 0, 0), (0, 1, 0), (1, 0, 1), (1, 1, 1), (0, 1, 0), (1, 0, 1), (0, 0, 1))
] * 3
PAIRS = [dict(zip("CAB", row)) for row in ((0, 0, 1), (1, 1, 0), (1, 1, 1), (0, 0, 0), (1, 1, 0), (0, 1, 0))] * 3
BITS = dict.fromkeys("ABC", 2)
THREE = [dict(zip("XYZ", row)) for row in ((0, 0, 0), (1, 1, 0), (2, 2, 1), (0, 0, 1), (1, 1, 1), (2, 2, 0))] * 2
# whatever A is, half of B and C are 1: no arrow gains
NOTHING = [dict(zip("ABC", row)) for row in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0))] * 2

TASKS = {
    "arrow_gain": {
        "kind": "function",
        "points": 3,
        "arguments": "rows, parents, states, parent, child",
        "solve": arrow_gain,
        "cases": [
            (SIZES, {"Q": [], "P": [], "W": []}, WIDE, "W", "Q"),
            (SIZES, {"Q": [], "P": [], "W": []}, WIDE, "W", "P"),
            (FIVE * 4, {"S": [], "A": [], "K": ["S"]}, TWO, "A", "K"),
            (SIZES[:3], {"Q": ["P"], "P": [], "W": []}, WIDE, "W", "Q"),
            (SIZES, {"Q": ["W", "P"], "P": [], "W": []}, WIDE, "P", "W"),
            (FIVE, {"K": ["S"], "A": ["K"], "S": []}, TWO, "S", "A"),
            (FIVE, {"K": ["S"], "A": ["K"], "S": []}, TWO, "A", "S"),
            (FIVE, {"K": ["S"], "A": ["K"], "S": []}, TWO, "K", "S"),
            (FIVE, {"K": ["S"], "A": ["K"], "S": []}, TWO, "S", "K"),
        ],
        "checks": [
            {"says": "the first arrow into a variable", "points": 1, "draw": draw_first, "times": 6},
            {"says": "a variable with parents, and few rows", "points": 1, "draw": draw_further, "times": 6},
            {"says": "arrows that may be added, or not", "points": 1, "draw": draw_legal, "times": 14},
        ],
        "mistakes": GAINS,
        "almost_right": {
            "an arrow that is there": _gain(guard=lambda parents, p, v: _legal({**parents, v: []}, p, v)),
            "loops of any kind refused": _gain(
                guard=lambda parents, p, v: _legal(
                    {u: [*parents[u], *(w for w in parents if u in parents[w])] for u in parents}, p, v
                )
            ),
        },
        "read": "2 · Pay",
        "hint": "An arrow into `child` changes the family of `child` only. For both lists of parents: Σ N_jx ln(N_jx / N_j) over the cells that are not empty, minus ½ ln n for each free number; a table has a line for every combination of the parents' states. Subtract.",
        "right": "One family changes, and the bill is the difference.",
    },
    "best_link": {
        "kind": "function",
        "builds_on": "arrow_gain",
        "points": 2,
        "arguments": "rows, parents, states",
        "keys": ["link", "gain"],
        "hints": {
            "link": "The link is the pair of names of the arrow with the largest gain, sorted by the alphabet; it is empty if no gain is above 0.",
            "gain": "The gain is what `arrow_gain` gives for the best arrow, in the better of its two directions, and 0 if no arrow gains anything.",
        },
        "solve": best_link,
        "cases": [
            (PAIRS, {"C": [], "A": [], "B": []}, BITS),
            (PAIRS, {"C": ["A"], "A": [], "B": []}, BITS),
            (THREE, {"Z": [], "Y": [], "X": []}, {"X": 3, "Y": 3, "Z": 2}),
            (FIVE * 8, {"K": ["A"], "S": [], "A": []}, TWO),
            (FIVE * 8, {"K": ["S"], "S": [], "A": []}, TWO),
            (ROUND, {"C": ["B"], "B": ["A"], "A": []}, BITS),
            (ROUND, {"A": ["B"], "B": ["C"], "C": []}, BITS),
            (NOTHING, {"C": [], "B": [], "A": []}, BITS),
            (SIZES * 3, {"Q": ["W"], "P": [], "W": []}, WIDE),
        ],
        "checks": [
            {"says": "one step of a climb", "points": 1, "draw": draw_step, "times": 8},
            {"says": "a step that would close a cycle, or gains nothing", "points": 1, "draw": draw_end, "times": 14},
        ],
        "mistakes": LINKS,
        "almost_right": {
            "a gain of a nat at least": _best(arrow_gain, least=1.0),
        },
        "read": "4 · Climb",
        "hint": "Try every ordered pair of different variables with your `arrow_gain`, and leave out those for which it raises a ValueError. Begin with a best gain of 0.",
        "right": "You climb by the score, and you know when to stop.",
    },
    "reversible": {
        "kind": "function",
        "points": 2,
        "arguments": "parents",
        "solve": reversible,
        "cases": [
            ({"C": ["B"], "B": ["A"], "A": []},),
            ({"A": [], "B": ["A", "C"], "C": []},),
            ({"A": [], "B": ["A"], "C": ["A", "B"]},),
            ({"A": [], "B": [], "C": ["A", "B"], "D": ["C"]},),
            ({"A": [], "B": ["A"], "C": ["A"], "D": ["B", "C"]},),
            ({"D": ["B", "C", "A"], "C": ["A"], "B": ["A"], "A": []},),
            ({"B": ["A"], "A": [], "C": []},),
            ({"A": [], "B": []},),
        ],
        "checks": [
            {"says": "graphs with many links", "points": 1, "draw": draw_drawing, "times": 6},
            {"says": "graphs with few links", "points": 1, "draw": draw_sparse, "times": 6},
        ],
        "mistakes": ARROWS,
        "slips": ARROW_SLIPS,
        "almost_right": {
            "colliders only counted": _arrows(
                lambda old, new: _acyclic(new) and len(_colliders(old)) == len(_colliders(new))
            ),
        },
        "read": "3 · Which way round?",
        "hint": "Reverse one arrow and compare: does a directed cycle arise? Are the colliders whose parents are not linked the same as before, none lost and none new?",
        "right": "You know which arrows say something and which could as well point the other way.",
        "variants": [
            {},
            {
                "solve": _opposite(reversible),
                "slips": {tag: _opposite(wrong) for tag, wrong in ARROW_SLIPS.items()},
                "mistakes": {tag: _opposite(wrong) for tag, wrong in ARROWS.items()}
                | {"True and False are the wrong way round: a fixed arrow is True.": reversible},
            },
        ],
    },
    "enough": {
        "kind": "number",
        "builds_on": "arrow_gain",
        "points": 1,
        "solve": enough,
        "varies": True,
        "low": 201,
        "whole": True,
        "mistakes": {
            "The price grows too, with the logarithm of the number of patients.": _fixed_price,
            HALF: _enough(each=1),
            "arrow-price": _enough(lambda parent, child: 1),
            "dependent-numbers": _enough(lambda parent, child: parent * child),
            "One line of the table exists already: the new arrow pays only for the additional lines.": _enough(
                lambda parent, child: parent * (child - 1)
            ),
            "With this number the arrow does not yet gain anything.": lambda student: enough(student) - 1,
            "The patients that are there already count as well.": lambda student: enough(student) - 200,
        },
        "read": "2 · Pay",
        "hint": "Split the gain of your 200 patients into the fit and the price. With n patients the fit is n/200 times as large, and the price is that of n patients. Increase n until the fit is larger.",
        "right": "The fit grows with n and the price with ln n: a real link pays in the end.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: a reason why the graph does not support the headline, and what to do about it (half a point without that). Chance: 780 pairs and 60 patients, so some gain comes from chance alone, and 0.9 nats is little; shuffle the columns and compare the gains, bootstrap, or test on new patients. Direction: an equivalent graph may have Headache → Coffee with the same score; look at the colliders or at all equivalent graphs, or do an experiment. A common cause without a column, such as sleep or stress: record it, or do an experiment. Selection: all are patients of a clinic; look at other people. A local optimum: restart the climb.",
            "1 point: a second, different reason of this kind, and what to do about it.",
        ],
    },
}
