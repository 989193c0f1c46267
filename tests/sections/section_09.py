"""Section 09: what must hold of its figures, with counts and scores worked out once more in plain Python."""

from collections import Counter
from functools import cache
from itertools import product
from math import lgamma, log

import numpy as np
import pytest

import bayeslib as bl
from bayeslib.networks import examples
from tests.figures import number

ROWS = [dict(zip("SAKEH", map(int, row))) for row in bl.data.load_student().to_numpy()]
GIVEN = "".join(str(row[v]) for row in ROWS for v in "SAKEH")
STUDENT = {"S": "", "A": "", "K": "SA", "E": "K", "H": "K"}
GRAPHS = {
    "no arrows": dict.fromkeys("SAKEH", ""),
    "student net": STUDENT,
    "all arrows": {v: "SAKEH"[:i] for i, v in enumerate("SAKEH")},
}
SETTINGS = {
    "family_bars": {
        "cells": [GIVEN, "0" * 25, "1" * 25, GIVEN[::-1], "1011001011011000001011111"],
        "at": [0, 4, 8, 20, 24],
    },
    "graph_wall": {"chosen": list(range(11))},
}


def family(rows, child, parents, score):
    """The score of one two-state family by plain counting."""
    cells = Counter((tuple(row[p] for p in parents), row[child]) for row in rows)
    above = Counter(tuple(row[p] for p in parents) for row in rows)
    if score == "bdeu":
        per = 1 / 2 ** len(parents)
        return sum(lgamma(n + per / 2) - lgamma(per / 2) for n in cells.values()) - sum(
            lgamma(n + per) - lgamma(per) for n in above.values()
        )
    fit = sum(n * log(n / above[theirs]) for (theirs, _), n in cells.items())
    return fit - (0.5 * log(len(rows)) * 2 ** len(parents) if score == "bic" else 0)


def score(rows, parents, kind):
    return sum(family(rows, v, parents[v], kind) for v in parents)


def holds_rows_arrive(figure):
    seen, v, m = (figure.values[name] for name in ("step", "family", "m"))
    rows, theirs = ROWS[:seen], STUDENT[v]
    table, tally = figure.figure.axes
    ones, zeros = (len(line.get_xdata()) for line in table.lines[:2])
    assert ones == sum(row[x] for row in rows for x in "SAKEH") and ones + zeros == 5 * seen
    real = [len(line.get_xdata()) for line in tally.lines[:2]]
    assert real == [sum(row[v] for row in rows), sum(1 - row[v] for row in rows)]
    lines = list(product((0, 1), repeat=len(theirs)))
    assert [len(line.get_xdata()) for line in tally.lines[2:4]] == [len(lines) * m // 2] * 2
    for states in lines:
        label = ", ".join(f"{p}={x}" for p, x in zip(theirs, states)) or "all rows"
        pile = [row[v] for row in rows if all(row[p] == x for p, x in zip(theirs, states))]
        if len(pile) + m == 0:
            assert f"{label}: 0/0, no row" in figure.alt
        else:
            wanted = (sum(pile) + m / 2) / (len(pile) + m)
            assert number(rf"{label}: [^=;]+ =", figure.alt) == pytest.approx(wanted, abs=5.1e-4)


def holds_family_bars(figure):
    graph_, cells = figure.values["graph_"], figure.values["cells"]
    rows = [dict(zip("SAKEH", map(int, cells[i : i + 5]))) for i in range(0, 25, 5)]
    wanted = [family(rows, v, GRAPHS[graph_][v], "mle") for v in "SAKEH"]
    for v, value in zip("SAKEH", wanted):
        assert number(rf"[:,] {v}", figure.alt) == pytest.approx(value, abs=5.1e-4)
    assert number("sum", figure.alt) == pytest.approx(sum(wanted), abs=5.1e-4)
    table, bars = figure.figure.axes
    assert [bar.get_width() for bar in bars.patches] == pytest.approx([-value for value in wanted], abs=1e-9)
    assert len(table.lines[0].get_xdata()) == cells.count("1")
    assert len(table.lines[2].get_xdata()) == sum(a != b for a, b in zip(cells, GIVEN))
    before = [family(ROWS, v, GRAPHS[graph_][v], "mle") for v in "SAKEH"]
    moved = [v for v, a, b in zip("SAKEH", wanted, before) if abs(a - b) > 1e-9]
    assert f"bars of {', '.join(moved)} moved" in figure.alt if moved else "no bar moved" in figure.alt


def holds_fit_and_price(figure):
    rows = ROWS * figure.values["copies"]
    bic = [score(rows, GRAPHS[name], "bic") for name in ("no arrows", "student net")]
    assert number("no arrows", figure.alt) == pytest.approx(bic[0], abs=5.1e-4)
    assert number("of the student net", figure.alt) == pytest.approx(bic[1], abs=5.1e-4)
    assert figure.alt.endswith(f"{'student net' if bic[1] > bic[0] else 'no arrows'} wins.")
    lines = figure.figure.axes[0].lines
    gain, price = (float(line.get_ydata()[0]) for line in lines[-2:])
    assert gain - price == pytest.approx(bic[1] - bic[0]) and lines[-1].get_xdata()[0] == len(rows)
    assert np.interp(len(rows), *lines[0].get_data()) == pytest.approx(gain)


NIGHTS = [dict(zip("BEA", row)) for row in zip(*examples.nights().values())]


@cache
def wall(kind):
    """Scores of all 25 graphs, found by trying every choice of parents."""
    found = []
    for b, e, a in product(("", "E", "A", "EA"), ("", "B", "A", "BA"), ("", "B", "E", "BE")):
        parents = {"B": b, "E": e, "A": a}
        free = set()
        for _ in range(3):
            free |= {v for v in parents if set(parents[v]) <= free}
        if len(free) == 3:
            found.append(score(NIGHTS, parents, kind))
    return found


def holds_graph_wall(figure):
    kind = figure.values["score"]
    scores = wall(kind)
    assert len(scores) == 25 and number("graphs,", figure.alt) == len({round(each, 6) for each in scores})
    dots, chosen = figure.figure.axes[0].lines[-3:-1]
    assert sorted(dots.get_ydata()) == pytest.approx(sorted(scores))
    value = number("score", figure.alt.split("Chosen")[1])
    assert value == pytest.approx(chosen.get_ydata()[0], abs=5.1e-4)
    same = sum(abs(each - value) < 1e-3 for each in scores)
    assert number("shared by", figure.alt) == same and 1 <= len(chosen.get_ydata()) <= same
    assert number("rank", figure.alt) == 1 + len({round(each, 6) for each in scores if each > value + 1e-3})
    letters = figure.figure.axes[1].lines
    assert {len(line.get_xdata()) for line in letters} == {len(chosen.get_ydata())}


@cache
def generated(n):
    columns = examples.typical_rows(examples.student(), n)
    return [dict(zip("SAKEH", row)) for row in zip(*(columns[v] for v in "SAKEH"))]


@cache
def cached(n, child, parents, kind):
    return family(generated(n), child, parents, kind)


def holds_climb_graph(figure):
    kind, n, step = (figure.values[name] for name in ("score", "n", "step"))
    edges = [(a, b) for a in "SAKEH" for b in "SAKEH" if f" {a}→{b}," in figure.alt or f" {a}→{b};" in figure.alt]
    shown = {edge for edge, (shaft, _) in zip(_pairs(), _arrows(figure)) if shaft.get_visible()}
    assert shown == set(edges)
    parents = {v: "".join(a for a, b in edges if b == v) for v in "SAKEH"}
    own = [cached(n, v, parents[v], kind) for v in "SAKEH"]
    assert number("score", figure.alt) == pytest.approx(sum(own), abs=5.1e-4)
    assert number(";", figure.alt) == sum(2 ** len(theirs) for theirs in parents.values())
    bars = [bar.get_width() for bar in figure.figure.axes[1].patches]
    scale = len(generated(n)) * log(2)
    assert bars == pytest.approx([-value / scale for value in own])
    if "The best of" in figure.alt:
        assert number(r"moves is \w+ \w→\w", figure.alt.replace("+", "")) > 0
    else:
        assert "No move gains" in figure.alt and step == figure.controls["step"].max
        for a, b in _pairs():  # adding what is not there, taking away what is: nothing gains
            if (a, b) in edges:
                other = parents[b].replace(a, "")
            elif (b, a) not in edges and not _leads(parents, b, a):
                other = "".join(sorted(parents[b] + a, key="SAKEH".index))
            else:
                continue
            assert cached(n, b, other, kind) <= cached(n, b, parents[b], kind) + 1e-6


def _leads(parents, a, b):
    """Do arrows lead from a to b?"""
    return a == b or any(_leads(parents, a, p) for p in parents[b])


def _pairs():
    return [(a, b) for a in "SAKEH" for b in "SAKEH" if a != b]


def _arrows(figure):
    """Shaft and head of each of the 20 possible arrows, in the order of `_pairs`."""
    axes = figure.figure.axes[0]
    heads = [patch for patch in axes.patches if type(patch).__name__ == "Polygon"]
    return list(zip(axes.lines, heads))
