"""Exercise 11: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from itertools import product

import data
import numpy as np


def _joint(parents, tables):
    """P of every complete row, an axis for each variable in the order of `parents`."""
    names = list(parents)
    joint = np.empty((2,) * len(names))
    for values in product((0, 1), repeat=len(names)):
        row = dict(zip(names, values))
        ones = {name: tables[name][tuple(row[each] for each in parents[name])] for name in names}
        joint[values] = math.prod(p if row[name] else 1 - p for name, p in ones.items())
    return joint


def _fits(parents, row):
    """1 for every complete row that agrees with the row."""
    fits = np.ones(())
    for name in parents:
        fits = np.multiply.outer(fits, [float(row[name] in (None, value)) for value in (0, 1)])
    return fits


def _unnormalised(joint, fits):
    return joint * fits


def _soft(joint, fits):
    found = joint * fits
    if found.sum() == 0:
        raise ValueError("the tables give a row the probability 0, and 0/0 is no weight")
    return found / found.sum()


def _hard(joint, fits):
    """All weight to the likeliest completion."""
    found = _soft(joint, fits)
    return (np.arange(found.size) == found.argmax()).astype(float).reshape(found.shape)


def _dropped(joint, fits):
    return _soft(joint, fits) * (fits.sum() == 1)


def _weights(parents, tables, rows, split=_soft):
    """All rows split and added up: the expected number of every complete row."""
    joint = _joint(parents, tables)
    return sum(split(joint, _fits(parents, row)) for row in rows)


def _from_tables(parents, tables, rows, child):
    """Missing values drawn along the arrows; what lies below them is not asked."""
    _weights(parents, tables, rows)
    forced = [
        {name: tables[name] if row[name] is None else dict.fromkeys(tables[name], row[name]) for name in parents}
        for row in rows
    ]
    return _family(parents, sum(_joint(parents, each) for each in forced), child)


def _family(parents, weights, child):
    """{parents' values: [expected number with child 1, expected number]} from the weights of all complete rows."""
    names, found = list(parents), {}
    for values in product((0, 1), repeat=len(names)):
        row = dict(zip(names, values))
        pair = found.setdefault(tuple(row[each] for each in parents[child]), [0.0, 0.0])
        pair[0] += float(weights[values]) * row[child]
        pair[1] += float(weights[values])
    return found


def _counts(parents, tables, rows, child, split=_soft):
    return _family(parents, _weights(parents, tables, rows, split), child)


def expected_counts(parents, tables, rows, child):
    return _counts(parents, tables, rows, child)


def _everywhere(parents, tables, rows, child):
    """The strips of a row with a hole among the parents count above, whatever the child was."""
    found = expected_counts(parents, tables, rows, child)
    for row in rows:
        if row[child] == 0 and None in [row[each] for each in parents[child]]:
            for values, (_, weight) in expected_counts(parents, tables, [row], child).items():
                found[values][0] += weight
    return found


def _shares(found, old, empty):
    return {values: above / below if below > 0 else empty(old[values]) for values, (above, below) in found.items()}


def _learn(parents, tables, weights, empty=lambda old: old):
    return {name: _shares(_family(parents, weights, name), tables[name], empty) for name in parents}


def _log_likelihood(parents, tables, rows):
    joint = _joint(parents, tables)
    return sum(math.log((joint * _fits(parents, row)).sum()) for row in rows)


def _log_complete(parents, tables, rows):
    """The expected log-likelihood of the completed rows, Q, in place of that of the rows as they are."""
    joint, weights = _joint(parents, tables), _weights(parents, tables, rows)
    return float((weights * np.log(np.where(weights > 0, joint, 1))).sum())


def _climb(parents, tables, rows, steps, split=_soft, empty=lambda old: old, score=_log_likelihood):
    scores = [score(parents, tables, rows)]
    for _ in range(steps):
        tables = _learn(parents, tables, _weights(parents, tables, rows, split), empty)
        scores.append(score(parents, tables, rows))
    return {"tables": tables, "log_likelihood": scores}


def em(parents, tables, rows, steps):
    _weights(parents, tables, rows)
    return _climb(parents, tables, rows, steps)


def _in_turn(parents, tables, rows, steps):
    """Each table is renewed before the next family is counted."""
    scores = [_log_likelihood(parents, tables, rows)]
    for _ in range(steps):
        for name in parents:
            tables = {**tables, name: _learn(parents, tables, _weights(parents, tables, rows))[name]}
        scores.append(_log_likelihood(parents, tables, rows))
    return {"tables": tables, "log_likelihood": scores}


def _complete_rows(rows):
    return [row for row in rows if None not in row.values()]


GRAPHS = [
    {"A": [], "K": ["A"]},
    {"A": [], "K": ["A"], "E": ["K"]},
    {"A": [], "K": ["A"], "E": ["A"]},
    {"S": [], "A": [], "K": ["S", "A"]},
    {"S": [], "A": ["S"], "K": ["S", "A"]},
]


def draw_net(random, graph=None):
    parents = GRAPHS[int(random.integers(len(GRAPHS)))] if graph is None else graph
    tables = {
        name: {values: int(random.integers(10, 91)) / 100 for values in product((0, 1), repeat=len(above))}
        for name, above in parents.items()
    }
    return {name: list(above) for name, above in parents.items()}, tables


def draw_rows(random, parents, holes=0.35):
    """All complete rows once, so that no combination is empty, some of them more often, and rows with holes."""
    names = list(parents)
    rows = [dict(zip(names, values)) for values in product((0, 1), repeat=len(names))]
    rows += [dict(rows[int(random.integers(len(rows)))]) for _ in range(3)]
    for row in rows[2:]:
        for name in names:
            if random.random() < holes:
                row[name] = None
    first, second = (str(each) for each in random.permutation(names)[:2])
    rows += [{**rows[0], first: None}, {**rows[1], second: None}, dict.fromkeys(names)]
    return [rows[i] for i in random.permutation(len(rows))]


def draw_counts(random):
    parents, tables = draw_net(random)
    return parents, tables, draw_rows(random, parents), list(parents)[int(random.integers(1, len(parents)))]


def draw_parent_holes(random):
    """A family in which a parent is missing where the child is 0."""
    parents, tables = draw_net(random, GRAPHS[int(random.integers(3, 5))])
    rows = [*draw_rows(random, parents), {"S": 0, "A": None, "K": 0}, {"S": None, "A": None, "K": 0}]
    return parents, tables, rows, "K"


def _forbid(random, parents, tables, rows):
    """A table that says never; half of the time a row does show it."""
    child = list(parents)[-1]
    values = (0,) * len(parents[child])
    tables[child][values] = 0.0
    clash = {**dict.fromkeys(parents, 0), child: 1}
    rows = [row for row in rows if row[child] is None or row[child] == 0 or 1 in [row[each] for each in parents[child]]]
    rows += [{**clash, child: None}, dict.fromkeys(parents)]
    if random.random() < 0.5:
        rows.insert(int(random.integers(len(rows))), clash)
    return rows


def draw_forbidden(random):
    parents, tables, rows, _ = draw_counts(random)
    return parents, tables, _forbid(random, parents, tables, rows), list(parents)[-1]


def draw_em(random):
    parents, tables = draw_net(random)
    return parents, tables, draw_rows(random, parents), int(random.integers(1, 4))


def draw_never_seen(random):
    """A parent that is 1 in every row, so that its other combinations have nothing to count."""
    parents, tables = draw_net(random)
    first = next(iter(parents))
    return parents, tables, [{**row, first: 1} for row in draw_rows(random, parents)], int(random.integers(1, 4))


def draw_em_forbidden(random):
    parents, tables, rows, _ = draw_em(random)
    return parents, tables, _forbid(random, parents, tables, rows), 1


STEPS = 30


def _burglar(student, run=em, keep=lambda rows: rows, **options):
    nights = data.nights(student)
    end = run(nights["parents"], nights["tables"], keep(nights["rows"]), STEPS, **options)
    return end["tables"]["B"][()]


def _slope(student, split=_soft, how=lambda yes, no, p: yes / p - no / (1 - p)):
    """∂ ln P(rows) / ∂ P(A=1 | B=1, E=0) at the start."""
    nights = data.nights(student)
    above, below = _counts(nights["parents"], nights["tables"], nights["rows"], "A", split)[1, 0]
    return how(above, below - above, nights["tables"]["A"][1, 0])


CHAIN = {"A": [], "K": ["A"], "E": ["K"]}
CHAIN_TABLES = {"A": {(): 0.6}, "K": {(0,): 0.2, (1,): 0.7}, "E": {(0,): 0.3, (1,): 0.8}}
CHAIN_ROWS = [
    {"A": 1, "K": 1, "E": 1},
    {"A": 0, "K": None, "E": 1},
    {"A": None, "K": 0, "E": None},
    {"A": 1, "K": None, "E": None},
    {"A": None, "K": None, "E": 0},
    {"A": 0, "K": 0, "E": 0},
]
MEET = {"S": [], "A": [], "K": ["S", "A"]}
MEET_TABLES = {"S": {(): 0.3}, "A": {(): 0.5}, "K": {(0, 0): 0.2, (0, 1): 0.8, (1, 0): 0.7, (1, 1): 0.9}}
MEET_ROWS = [
    {"S": 0, "A": 1, "K": None},
    {"S": 0, "A": 1, "K": 1},
    {"S": 0, "A": None, "K": 0},
    {"S": 0, "A": 0, "K": 1},
    {"S": 0, "A": None, "K": None},
]
NEVER = {"A": {(): 0.5}, "K": {(0,): 0.0, (1,): 0.5}}
IMPOSSIBLE = {"A": [], "K": ["A"]}, NEVER, [{"A": 1, "K": 1}, {"A": 0, "K": 1}]

TASKS = {
    "expected_counts": {
        "kind": "function",
        "points": 3,
        "arguments": "parents, tables, rows, child",
        "solve": expected_counts,
        "cases": [
            (MEET, MEET_TABLES, MEET_ROWS, "K"),
            (CHAIN, CHAIN_TABLES, CHAIN_ROWS, "E"),
            (CHAIN, CHAIN_TABLES, CHAIN_ROWS, "A"),
            (*IMPOSSIBLE, "K"),
        ],
        "checks": [
            {"says": "holes anywhere", "points": 1, "draw": draw_counts, "times": 6},
            {"says": "a child of two parents, one of them missing", "points": 1, "draw": draw_parent_holes, "times": 4},
            {
                "says": "a table that says never, and a row that shows it or none",
                "points": 1,
                "draw": draw_forbidden,
                "times": 12,
            },
        ],
        "mistakes": {
            "hard-fill": lambda *case: _counts(*case, split=_hard),
            "drop-rows": lambda *case: _counts(*case, split=_dropped),
            "row-ignored": _from_tables,
            "fraction-everywhere": _everywhere,
            "joint-posterior": lambda *case: _counts(*case, split=_unnormalised),
        },
        "hint": "For each row list its completions, multiply the tables for each of them, and divide by the sum over this row's completions. The weight goes below for the parents' values, and above only if the child is 1.",
        "right": "Every row was split by a query of its own, and the strips were added up.",
    },
    "em": {
        "kind": "function",
        "builds_on": "expected_counts",
        "points": 4,
        "arguments": "parents, tables, rows, steps",
        "solve": em,
        "keys": ["tables", "log_likelihood"],
        "cases": [
            (CHAIN, CHAIN_TABLES, CHAIN_ROWS, 1),
            (CHAIN, CHAIN_TABLES, CHAIN_ROWS[::-1], 3),
            (MEET, MEET_TABLES, MEET_ROWS, 2),
            (*IMPOSSIBLE, 1),
        ],
        "checks": [
            {"says": "nets of two or three variables, a few steps", "points": 2, "draw": draw_em, "times": 5},
            {"says": "a combination that no row can have", "points": 1, "draw": draw_never_seen, "times": 4},
            {
                "says": "a table that says never, and a row that shows it or none",
                "points": 1,
                "draw": draw_em_forbidden,
                "times": 12,
            },
        ],
        "mistakes": {
            "hard-fill": lambda *case: _climb(*case, split=_hard),
            "drop-rows": lambda parents, tables, rows, steps: em(parents, tables, _complete_rows(rows), steps),
            "half-updated": _in_turn,
            "unseen-zero": lambda *case: _climb(*case, empty=lambda old: 0.0),
            "q-is-likelihood": lambda *case: _climb(*case, score=_log_complete),
        },
        "hint": "In each step call expected_counts for every variable with the old tables, and only then replace them all, above divided by below. The likelihood of a row is the sum of the joint over its completions, before any division.",
        "right": "All rows split with the old tables, all tables renewed together, and a likelihood that never falls.",
    },
    "burglar": {
        "kind": "number",
        "builds_on": "em",
        "points": 1,
        "solve": _burglar,
        "varies": True,
        "probability": True,
        "mistakes": {
            "drop-rows": lambda student: _burglar(student, keep=_complete_rows),
            "hard-fill": lambda student: _burglar(student, _climb, split=_hard),
            "other-answer": lambda student: 1 - _burglar(student),
        },
        "hint": "Call your function with 30 steps and all the nights, then look up the table of B.",
        "right": "The nights with holes had their say, by their weights.",
    },
    "slope": {
        "kind": "number",
        "builds_on": "expected_counts",
        "points": 1,
        "solve": _slope,
        "varies": True,
        "mistakes": {
            "counts-for-slope": lambda student: _slope(student, how=lambda yes, no, p: yes - no),
            "drop-rows": lambda student: _slope(student, _dropped),
            "hard-fill": lambda student: _slope(student, _hard),
            "sign-flip": lambda student: -_slope(student),
        },
        "hint": "Expected counts with the starting tables: those with A = 1 divided by the probability in use, minus those with A = 0 divided by one minus it.",
        "right": "EM goes where this expression is 0, in one jump.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "C",
        "mistakes": {"A": "labels-matter", "B": "guess-from-nothing", "D": "certain-true"},
        "hint": "Compare each bar with the black line of its partner, with ¬K in place of K.",
        "right": "The same distribution of all that was seen, with the names of the two states exchanged.",
    },
}
