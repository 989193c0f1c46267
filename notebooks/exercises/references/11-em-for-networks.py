"""Exercise 11: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from collections import Counter
from functools import partial
from itertools import product

import data
import numpy as np


def _joint(parents, tables):
    """P of every complete row, an axis for each variable in the order of `parents`."""
    names = list(parents)
    values, joint = np.indices((2,) * len(names)), np.ones((2,) * len(names))
    for name, here in zip(names, values):
        shape = (2,) * len(parents[name])
        ones = np.array([tables[name][each] for each in product((0, 1), repeat=len(shape))]).reshape(shape)
        ones = ones[tuple(values[names.index(each)] for each in parents[name])]
        joint *= np.where(here == 1, ones, 1 - ones)
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


def _kinds(parents, rows):
    """How often each kind of row occurs, and the complete rows that agree with it."""
    kinds = Counter(tuple(row[name] for name in parents) for row in rows)
    return [(number, _fits(parents, dict(zip(parents, kind)))) for kind, number in kinds.items()]


def _weights(parents, tables, rows, split=_soft):
    """All rows split and added up: the expected number of every complete row."""
    joint = _joint(parents, tables)
    return sum(number * split(joint, fits) for number, fits in _kinds(parents, rows))


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
    for values in product((0, 1), repeat=len(parents[child])):
        row = dict(zip(parents[child], values))
        above, below = (
            float(weights[tuple(each.get(name, slice(None)) for name in names)].sum())
            for each in ({**row, child: 1}, row)
        )
        found[values] = [above, below]
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


def _alphabetical(parents, tables, rows, child):
    """The values of the parents in the order of their names."""
    order = sorted(range(len(parents[child])), key=parents[child].__getitem__)
    found = expected_counts(parents, tables, rows, child)
    return {tuple(values[place] for place in order): pair for values, pair in found.items()}


def _from_above(parents, tables, rows, child):
    """Only the family and what lies above it is asked."""
    _weights(parents, tables, rows)
    above, more = set(), {child}
    while more:
        above, more = above | more, {each for name in more for each in parents[name]}
    return expected_counts({name: parents[name] for name in parents if name in above}, tables, rows, child)


def _without_zeros(*case):
    return {values: pair for values, pair in expected_counts(*case).items() if pair[1] > 0}


def _two_columns(*case):
    return {values: [above, below - above] for values, (above, below) in expected_counts(*case).items()}


def _shares(found, old, empty):
    return {values: above / below if below > 0 else empty(old[values]) for values, (above, below) in found.items()}


def _learn(parents, tables, weights, empty=lambda old: old):
    return {name: _shares(_family(parents, weights, name), tables[name], empty) for name in parents}


def _log_likelihood(parents, tables, rows):
    joint = _joint(parents, tables)
    return sum(number * math.log((joint * fits).sum()) for number, fits in _kinds(parents, rows))


def _log_complete(parents, tables, rows):
    """The expected log-likelihood of the completed rows, Q, in place of that of the rows as they are."""
    joint, weights = _joint(parents, tables), _weights(parents, tables, rows)
    return float((weights * np.log(np.where(weights > 0, joint, 1))).sum())


def _keep(old):
    return old


def _climb(parents, tables, rows, steps, split=_soft, empty=_keep, score=_log_likelihood):
    scores = [score(parents, tables, rows)]
    for _ in range(steps):
        tables = _learn(parents, tables, _weights(parents, tables, rows, split), empty)
        scores.append(score(parents, tables, rows))
    return {"tables": tables, "log_likelihood": scores}


def em(parents, tables, rows, steps):
    _weights(parents, tables, rows)
    return _climb(parents, tables, rows, steps)


def _in_turn(parents, tables, rows, steps, empty=_keep):
    """Each table is renewed before the next family is counted."""
    scores = [_log_likelihood(parents, tables, rows)]
    for _ in range(steps):
        for name in parents:
            tables = {**tables, name: _learn(parents, tables, _weights(parents, tables, rows), empty)[name]}
        scores.append(_log_likelihood(parents, tables, rows))
    return {"tables": tables, "log_likelihood": scores}


def _complete_rows(rows):
    return [row for row in rows if None not in row.values()]


def _without_start(*case):
    found = em(*case)
    return found | {"log_likelihood": found["log_likelihood"][1:]}


def _dropping(run):
    return lambda parents, tables, rows, steps, **options: run(parents, tables, _complete_rows(rows), steps, **options)


UNSEEN = "The task says what becomes of a combination of parents' values that is expected in no row."
SLIPS = {
    "hard-fill": partial(_climb, split=_hard),
    "drop-rows": _dropping(_climb),
    "half-updated": _in_turn,
    "q-is-likelihood": partial(_climb, score=_log_complete),
}


def _half(old):
    return 0.5


def _gains(run):
    """The other variant: one half where nothing is expected, and how much each step has gained."""

    def solve(parents, tables, rows, steps):
        _weights(parents, tables, rows)
        found = run(parents, tables, rows, steps, empty=_half)
        return {"tables": found["tables"], "gains": np.diff(found["log_likelihood"]).tolist()}

    return solve


def _with_start(*case):
    """Log-likelihoods under the name of gains."""
    return {"tables": _gains(_climb)(*case)["tables"], "gains": _climb(*case, empty=_half)["log_likelihood"]}


GRAPHS = [
    {"A": [], "K": ["A"]},
    {"A": [], "K": ["A"], "E": ["K"]},
    {"A": [], "K": ["A"], "E": ["A"]},
    {"A": [], "K": ["A"], "E": ["K"], "H": ["K"]},
    {"S": [], "A": [], "K": ["S", "A"]},
    {"S": [], "A": ["S"], "K": ["A", "S"]},
    {"S": [], "A": [], "K": ["A", "S"], "E": ["K"]},
]


def _mixed(random, entries):
    """A dict in another order."""
    names = list(entries)
    return {names[i]: entries[names[i]] for i in random.permutation(len(names))}


def draw_net(random, graph=None):
    parents = GRAPHS[int(random.integers(len(GRAPHS)))] if graph is None else graph
    tables = {
        name: {values: int(random.integers(10, 91)) / 100 for values in product((0, 1), repeat=len(above))}
        for name, above in parents.items()
    }
    return _mixed(random, {name: list(above) for name, above in parents.items()}), _mixed(random, tables)


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
    return [_mixed(random, rows[i]) for i in random.permutation(len(rows))]


def draw_counts(random):
    parents, tables = draw_net(random)
    return parents, tables, draw_rows(random, parents), list(parents)[int(random.integers(len(parents)))]


def draw_parent_holes(random):
    """A family in which a parent is missing where the child is 0."""
    parents, tables = draw_net(random, GRAPHS[int(random.integers(4, 6))])
    rows = [*draw_rows(random, parents), {"S": 0, "A": None, "K": 0}, {"S": None, "A": None, "K": 0}]
    return parents, tables, rows, "K"


def _last(parents):
    """The variable without children that comes last in the alphabet."""
    return max(set(parents) - {each for above in parents.values() for each in above})


def _forbid(random, parents, tables, rows):
    """A table that says never (or always); half of the time a row contradicts it."""
    child, never = _last(parents), int(random.integers(2))
    tables[child][(0,) * len(parents[child])] = float(1 - never)
    clash = {**dict.fromkeys(parents, 0), child: never}
    rows = [row for row in rows if row[child] != never or 1 in [row[each] for each in parents[child]]]
    rows += [{**clash, child: None}, dict.fromkeys(parents)]
    if random.random() < 0.5:
        rows.insert(int(random.integers(len(rows))), clash)
    return rows


def draw_forbidden(random):
    parents, tables, rows, _ = draw_counts(random)
    return parents, tables, _forbid(random, parents, tables, rows), _last(parents)


def _root(parents):
    return min(name for name, above in parents.items() if not above)


def draw_never_counted(random):
    """A child of a parent that is 1 in every row."""
    parents, tables, rows, _ = draw_counts(random)
    root = _root(parents)
    child = min(name for name, above in parents.items() if root in above)
    return parents, tables, [{**row, root: 1} for row in rows], child


def draw_em(random):
    parents, tables = draw_net(random)
    return parents, tables, draw_rows(random, parents), int(random.integers(1, 4))


def draw_never_seen(random):
    """A parent that is 1 in every row, so that its other combinations have nothing to count."""
    parents, tables, rows, _ = draw_never_counted(random)
    return parents, tables, rows, int(random.integers(1, 4))


def draw_em_forbidden(random):
    parents, tables, rows, _ = draw_em(random)
    return parents, tables, _forbid(random, parents, tables, rows), 1


STEPS = 15


def _titanic(student):
    found = data.titanic(student)
    return found["parents"], found["tables"], found["rows"]


def _no_age(rows):
    return [row for row in rows if row["C"] is None]


def _boys(student, run=em, asked=_no_age, steps=STEPS, side=0):
    """The expected number of boys among the rows that are asked for (side 1: of all of them)."""
    parents, tables, rows = _titanic(student)
    end = run(parents, tables, rows, steps)["tables"]
    return sum(pair[side] for pair in expected_counts(parents, end, asked(rows), "C").values())


def _by_class(student):
    """From the table of C alone, whatever became of the passenger."""
    parents, tables, rows = _titanic(student)
    end = em(parents, tables, rows, STEPS)["tables"]
    return sum(end["C"][row["T"],] for row in _no_age(rows))


def _one_share(student):
    """The share of boys among all recorded ages, times the number of those without one."""
    rows = _titanic(student)[2]
    known = [row["C"] for row in rows if row["C"] is not None]
    return len(_no_age(rows)) * sum(known) / len(known)


def _rounded_boys(student):
    parents, tables, rows = _titanic(student)
    end = em(parents, tables, rows, STEPS)["tables"]
    weights = [sum(above for above, _ in expected_counts(parents, end, [row], "C").values()) for row in _no_age(rows)]
    return float(sum(weight > 0.5 for weight in weights))


def _share_of_missing(student):
    return _boys(student) / len(_no_age(_titanic(student)[2]))


def _slope(student, split=_soft, how=lambda yes, no, p: yes / p - no / (1 - p), keep=lambda rows: rows):
    """∂ ln P(rows) / ∂ P(C=1 | T=1) at the start."""
    parents, tables, rows = _titanic(student)
    above, below = _counts(parents, tables, keep(rows), "C", split)[1,]
    return how(above, below - above, tables["C"][1,])


CHAIN = {"E": ["K"], "A": [], "K": ["A"]}
CHAIN_TABLES = {"A": {(): 0.6}, "K": {(0,): 0.2, (1,): 0.7}, "E": {(0,): 0.3, (1,): 0.8}}
CHAIN_ROWS = [
    {"A": 1, "K": 1, "E": 1},
    {"A": 0, "E": 1, "K": None},
    {"A": None, "K": 0, "E": None},
    {"K": None, "A": 1, "E": None},
    {"A": None, "K": None, "E": 0},
    {"A": 0, "K": 0, "E": 0},
    {"A": 0, "K": 0, "E": 0},
]
MEET = {"S": [], "A": [], "K": ["A", "S"], "E": ["K"]}
MEET_TABLES = {
    "S": {(): 0.3},
    "A": {(): 0.5},
    "K": {(0, 0): 0.2, (0, 1): 0.8, (1, 0): 0.7, (1, 1): 0.9},
    "E": {(0,): 0.25, (1,): 0.75},
}
MEET_ROWS = [
    {"S": 0, "A": 1, "K": None, "E": 0},
    {"S": 0, "A": 1, "K": 1, "E": None},
    {"S": 0, "A": None, "K": 0, "E": 1},
    {"S": 0, "A": 0, "K": 1, "E": 1},
    {"S": 0, "A": None, "K": None, "E": 1},
]
FREE_ROWS = [
    *MEET_ROWS,
    {"S": 1, "A": 0, "K": 0, "E": None},
    {"S": None, "A": None, "K": 0, "E": 0},
    dict.fromkeys("SAKE"),
]
PAIR, NEVER = {"A": [], "K": ["A"]}, {"A": {(): 0.5}, "K": {(0,): 0.0, (1,): 0.5}}
IMPOSSIBLE = PAIR, NEVER, [{"A": 1, "K": 1}, {"A": 0, "K": 1}]
POSSIBLE = PAIR, NEVER, [{"A": 1, "K": 0}, {"A": None, "K": 1}, {"A": 0, "K": None}, {"A": 0, "K": 0}]
ALWAYS = PAIR, {"A": {(): 0.5}, "K": {(0,): 1.0, (1,): 0.5}}, [{"A": None, "K": 0}, {"A": 0, "K": 0}]

TASKS = {
    "expected_counts": {
        "kind": "function",
        "points": 3,
        "arguments": "parents, tables, rows, child",
        "solve": expected_counts,
        "cases": [
            (MEET, MEET_TABLES, FREE_ROWS, "K"),
            (CHAIN, CHAIN_TABLES, CHAIN_ROWS, "E"),
            (CHAIN, CHAIN_TABLES, CHAIN_ROWS, "A"),
            (MEET | {"K": ["S", "A"]}, MEET_TABLES, MEET_ROWS, "K"),
            (*POSSIBLE, "K"),
            (*IMPOSSIBLE, "K"),
            (*ALWAYS, "A"),
        ],
        "checks": [
            {"says": "empty cells anywhere", "points": 1, "draw": draw_counts, "times": 6},
            {"says": "a child of two parents, one of them missing", "points": 1, "draw": draw_parent_holes, "times": 4},
            {"says": "a combination that no row can have", "points": 0.5, "draw": draw_never_counted, "times": 4},
            {
                "says": "a table that says never or always, and a row that contradicts it or none",
                "points": 0.5,
                "draw": draw_forbidden,
                "times": 12,
            },
        ],
        "mistakes": {
            "hard-fill": lambda *case: _counts(*case, split=_hard),
            "drop-rows": lambda *case: _counts(*case, split=_dropped),
            "row-ignored": _from_tables,
            "row-ignored: The cells of the row that lie below the family are evidence too.": _from_above,
            "parent-order": _alphabetical,
            "fraction-everywhere": _everywhere,
            "joint-posterior": lambda *case: _counts(*case, split=_unnormalised),
            "Combinations that no row can have belong in the dict as well, with [0, 0].": _without_zeros,
            "The second number counts all rows with this combination, not only those with child 0.": _two_columns,
        },
        "almost_right": {
            "parents in the order of the network": lambda parents, tables, rows, child: {
                tuple(dict(zip(parents[child], values))[each] for each in parents if each in parents[child]): pair
                for values, pair in expected_counts(parents, tables, rows, child).items()
            },
            "the same row twice counts once": lambda parents, tables, rows, child: expected_counts(
                parents, tables, [row for place, row in enumerate(rows) if row not in rows[:place]], child
            ),
            "rows without any value left out": lambda parents, tables, rows, child: expected_counts(
                parents, tables, [row for row in rows if set(row.values()) != {None}], child
            ),
        },
        "read": "2 · Count the strips",
        "hint": "For each row list its completions, multiply the tables for each of them, and divide by the sum over this row's completions. The weight goes below for the parents' values, and above only if the child is 1.",
        "right": "Every row was split by a query of its own, and the strips were added up.",
    },
    "em": {
        "kind": "function",
        "builds_on": "expected_counts",
        "points": 2,
        "arguments": "parents, tables, rows, steps",
        "solve": em,
        "keys": ["tables", "log_likelihood"],
        "hints": {
            "tables": "In each step take the expected counts of every variable with the old tables, and only then replace them all, above divided by below. Mind what the task says about a combination that no row has.",
            "log_likelihood": "The probability of what a row shows is the sum of the joint over its completions, before any division. Take the logarithms, add them up over the rows, and begin with the start.",
            "gains": "The probability of what a row shows is the sum of the joint over its completions, before any division. Add up the logarithms over the rows, before and after each step, and take the differences.",
        },
        "cases": [
            (CHAIN, CHAIN_TABLES, CHAIN_ROWS, 1),
            (CHAIN, CHAIN_TABLES, CHAIN_ROWS[::-1], 3),
            (MEET, MEET_TABLES, MEET_ROWS, 2),
            (*POSSIBLE, 2),
            (*IMPOSSIBLE, 1),
        ],
        "checks": [
            {"says": "networks of two to four variables, a few steps", "points": 1, "draw": draw_em, "times": 5},
            {"says": "a combination that no row can have", "points": 0.5, "draw": draw_never_seen, "times": 4},
            {
                "says": "a table that says never or always, and a row that contradicts it or none",
                "points": 0.5,
                "draw": draw_em_forbidden,
                "times": 12,
            },
        ],
        "mistakes": SLIPS
        | {
            "unseen-zero": partial(_climb, empty=lambda old: 0.0),
            UNSEEN: partial(_climb, empty=_half),
            "The list of log-likelihoods begins with that of the start, before any step.": _without_start,
        },
        "read": "3 · Repeat",
        "hint": "In each step call expected_counts for every variable with the old tables, and only then replace them all, above divided by below. The likelihood of a row is the sum of the joint over its completions, before any division.",
        "right": "All rows split with the old tables, all tables renewed together, and a likelihood that never falls.",
        "variants": [
            {},
            {
                "solve": _gains(_climb),
                "keys": ["tables", "gains"],
                "mistakes": {tag: _gains(slip) for tag, slip in SLIPS.items()}
                | {
                    "unseen-zero": _gains(lambda *case, empty: _climb(*case, empty=lambda old: 0.0)),
                    UNSEEN: _gains(lambda *case, empty: _climb(*case)),
                    "These are log-likelihoods; the task asks how much each step has raised them.": _with_start,
                },
            },
        ],
    },
    "boys": {
        "kind": "number",
        "builds_on": ["expected_counts", "em"],
        "points": 1,
        "solve": _boys,
        "varies": True,
        "low": 0,
        "high": 300,
        "mistakes": {
            "drop-rows": _one_share,
            "hard-fill": partial(_boys, run=partial(_climb, split=_hard)),
            "row-ignored": _by_class,
            "These are the expected boys among all 300; asked for are those whose age was not recorded.": partial(
                _boys, asked=lambda rows: rows
            ),
            "This is a share of those without an age; their expected number was asked for.": _share_of_missing,
            "This is the number of all who have no recorded age, boys or men.": partial(_boys, side=1),
            "These weights come from the tables of the start; let EM run first.": partial(_boys, steps=0),
            "These are the boys whose age was recorded.": lambda student: sum(
                row["C"] or 0 for row in _titanic(student)[2]
            ),
            "hard-fill: A passenger counts as a boy in part, by his weight; do not round the weights.": _rounded_boys,
        },
        "read": "Back to the list",
        "hint": "Run em, keep the rows without an age, and ask expected_counts for the family of C with the new tables: above, for both values of T.",
        "right": "The rows without an age were split with the tables that all rows have taught.",
    },
    "slope": {
        "kind": "number",
        "builds_on": "expected_counts",
        "points": 1,
        "solve": _slope,
        "varies": True,
        "mistakes": {
            "counts-for-slope": partial(_slope, how=lambda yes, no, p: yes - no),
            "drop-rows": partial(_slope, split=_dropped),
            "hard-fill": partial(_slope, split=_hard),
            "The log-likelihood rises with θ where the slope is positive; this is the right number with the other sign.": lambda student: (
                -_slope(student)
            ),
            "The rows with C = 0 pull the other way: their count, divided by 1 − θ, has to be subtracted.": partial(
                _slope, how=lambda yes, no, p: yes / p
            ),
            "This is how far the M step moves θ, which is not the slope.": partial(
                _slope, how=lambda yes, no, p: yes / (yes + no) - p
            ),
            "Both counts are divided by θ here; that of C = 0 belongs to 1 − θ.": partial(
                _slope, how=lambda yes, no, p: (yes - no) / p
            ),
            "The second number of the pair counts all rows with T = 1; subtract the first to get those with C = 0.": partial(
                _slope, how=lambda yes, no, p: yes / p - (yes + no) / (1 - p)
            ),
        },
        "read": "The same hill, by its slope",
        "hint": "Expected counts with the starting tables: those with C = 1 divided by the probability in use, minus those with C = 0 divided by one minus it.",
        "right": "EM goes where this expression is 0, in one jump.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "EM has stopped too early: with more iterations the log-likelihood would go on rising, and the bars would come to the strokes.",
            "B": "The bars are the true tables with *yes* and *no* of *knows* exchanged, as they may be when it alone is hidden.",
            "C": "These tables fit what was observed as well as the true ones do, and yet they are not the true ones under other names.",
            "D": "The fit is as good as that of the true tables, and the rows are exact proportions, so the bars show how often students really know the subject.",
        },
        "solve": "C",
        "mistakes": {
            "A": "The log-likelihood has reached that of the true tables and stays there, so no climb is left.",
            "B": "With the names exchanged the bars would stand at one minus the first four strokes, 0.1, 0.4, 0.5 and 0.9, and the two of the exam on each other's strokes; they do not.",
            "D": "fit-identifies",
        },
        "read": "Never recorded at all",
        "hint": "First look at the left: is anything left to climb? Then work out where the bars would be if only the names were exchanged.",
        "right": "Seen from too few sides, a hidden variable is not identifiable.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: a reason that is recorded, such as age, sex or cough, which goes with smoking too: the rows that are left are a biased selection, and EM corrects for it (accepted: missing at random, given what is recorded).",
            "1 point: a reason that is smoking itself: EM takes the silent for ordinary patients and, if smokers are silent, says too little (too much, if others are); and a remedy: ask some of them again, another source, or several assumptions compared (half a point if the direction or the remedy is missing).",
        ],
    },
}
