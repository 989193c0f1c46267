"""The practice tasks of section 11. A mistake is a function that errs in a known way, so that its name can be told.

The first and the last are about a network of two variables, attends → knows. A row is a pair (a, k) of 0, 1 or None; p_a is
P(attends), p_k holds P(knows | doesn't attend) and P(knows | attends).
"""

import numpy as np


def _joint(p_a, p_k):
    """P(a, k) as an array."""
    return np.array([1 - p_a, p_a])[:, None] * np.array([[1 - p, p] for p in p_k])


def _fits(row):
    """1 for every (a, k) that agrees with the row."""
    a, k = ([value is None or value == each for each in (0, 1)] for value in row)
    return np.outer(a, k).astype(float)


def _split(p_a, p_k, row):
    found = _joint(p_a, p_k) * _fits(row)
    return found / found.sum()


def _filled(p_a, p_k, row):
    """All weight to the likeliest completion."""
    found = np.zeros(4)
    found[_split(p_a, p_k, row).argmax()] = 1
    return found.reshape(2, 2)


def _dropped(p_a, p_k, row):
    return _split(p_a, p_k, row) if None not in row else np.zeros((2, 2))


def _from_table(p_a, p_k, row):
    """A missing value gets its share from the tables alone: A from P(A), whatever K was."""
    a, k = row
    of_a = np.array([1 - p_a, p_a]) if a is None else np.eye(2)[a]
    of_k = np.array([[1 - p, p] for p in p_k]) if k is None else np.eye(2)[[k, k]]
    return of_a[:, None] * of_k


def _tables(counts):
    """The M step on a table of counts N(a, k)."""
    counts = np.asarray(counts)
    return float(counts[1].sum() / counts.sum()), (counts[:, 1] / counts.sum(axis=1)).tolist()


def _step(p_a, p_k, rows, split=_split):
    return _tables(sum(split(p_a, p_k, row) for row in rows))


def _half_updated(p_a, p_k, rows):
    counts = np.zeros((2, 2))
    for row in rows:
        counts += _split(p_a, p_k, row)
        if counts.all():
            p_a, p_k = _tables(counts)
    return p_a, p_k


def _both_sides(p_a, p_k, rows):
    """The weight of A's value goes into the numerator whatever K was."""
    counts = sum(_split(p_a, p_k, row) for row in rows)
    holes = sum((_split(p_a, p_k, row).sum(axis=1) for row in rows if row[0] is None and row[1] == 0), np.zeros(2))
    return _tables(counts)[0], ((counts[:, 1] + holes) / counts.sum(axis=1)).tolist()


def _fraction(strips, child, given, parts=False, everything=False):
    """The share of child = 1 among the weighted rows that show `given`.

    Two ways to get it wrong: parts of rows in the numerator whatever the child is, and everything in the denominator.
    """
    mine = [(row, w) for row, w in strips if all(row[v] == value for v, value in given.items())]
    top = sum(w for row, w in mine if row[child] == 1 or (parts and w < 1))
    bottom = sum(w for _, w in (strips if everything else mine))
    return top / bottom if bottom else 0.0


MIXED = [(1, 1), (0, 0), (None, 1), (1, None), (None, 0), (0, 1), (1, 1)]
SILENT = [(1, 1)] * 6 + [(1, 0)] * 2 + [(0, 1)] + [(0, 0)] * 1 + [(0, None)] * 8
STRIPS = [
    (dict(zip(("studies", "attends", "knows", "exam", "homework"), cells)), weight)
    for cells, weight in (
        ((1, 0, 1, 1, 0), 1),
        ((0, 1, 1, 0, 1), 0.6),
        ((0, 1, 0, 0, 1), 0.4),
        ((0, 1, 1, 0, 0), 1),
        ((0, 1, 0, 1, 0), 0.2),
        ((0, 0, 0, 1, 0), 0.8),
        ((1, 1, 1, 1, 1), 1),
        ((0, 1, 0, 1, 1), 1),
        ((0, 1, 0, 0, 0), 1),
    )
]
TASKS = {
    "split-row": {
        "arguments": "p_attends, p_knows, row",
        "cases": [(0.5, [0.2, 0.8], (None, 1)), (0.3, [0.4, 0.9], (1, None)), (0.3, [0.4, 0.9], (None, None))],
        "solve": lambda p_a, p_k, row: _split(p_a, p_k, row).tolist(),
        "right": "The joint, zero where the row disagrees, divided by its sum: one query, and its weights sum to 1.",
        "hint": "Multiply P(a) and P(k | a) for each of the four pairs, put 0 where a pair disagrees with the row, and divide by the sum.",
        "mistakes": {
            "joint-posterior": lambda p_a, p_k, row: (_joint(p_a, p_k) * _fits(row)).tolist(),
            "row-ignored": lambda p_a, p_k, row: _from_table(p_a, p_k, row).tolist(),
            "hard-fill": lambda p_a, p_k, row: _filled(p_a, p_k, row).tolist(),
            "drop-rows": lambda p_a, p_k, row: _dropped(p_a, p_k, row).tolist(),
        },
    },
    "new-value": {
        "arguments": "strips, child, given",
        "cases": [
            (STRIPS, "knows", {"studies": 0, "attends": 1}),
            (STRIPS, "attends", {"knows": 0}),
            (STRIPS, "exam", {"knows": 1}),
            (STRIPS, "homework", {}),
        ],
        "solve": _fraction,
        "right": "A strip with the parents' values is below the line, and above it only if it has the child's value too.",
        "hint": "First collect the strips that agree with everything in `given`; their weights go below. Which of them also have 1 at `child`?",
        "mistakes": {
            "fraction-everywhere": lambda *case: _fraction(*case, parts=True),
            "drop-rows": lambda strips, *case: _fraction([each for each in strips if each[1] == 1], *case),
            "hard-fill": lambda strips, *case: _fraction([(row, round(w)) for row, w in strips], *case),
            "share-of-all": lambda *case: _fraction(*case, everything=True),
        },
    },
    "em-step": {
        "arguments": "p_attends, p_knows, rows",
        "cases": [(0.5, [0.2, 0.8], MIXED), (0.5, [0.2, 0.8], MIXED[::-1]), (0.3, [0.4, 0.9], SILENT)],
        "solve": _step,
        "right": "All rows torn with the old tables, one division at the end; so the order of the rows doesn't matter.",
        "hint": "Add up the torn rows in one table `N`, with the old tables for every row. Then P(attends) is a share of everything, "
        "and `p_knows[a]` a share of `N[a]`.",
        "mistakes": {
            "hard-fill": lambda p_a, p_k, rows: _step(p_a, p_k, rows, _filled),
            "drop-rows": lambda p_a, p_k, rows: _step(p_a, p_k, rows, _dropped),
            "row-ignored": lambda p_a, p_k, rows: _step(p_a, p_k, rows, _from_table),
            "fraction-everywhere": _both_sides,
            "half-updated": _half_updated,
        },
    },
}
