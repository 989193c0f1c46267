"""Section 09: what must hold of its figures, with counts and scores worked out once more in plain Python."""

from collections import Counter
from functools import cache
from itertools import product
from math import lgamma, log

import numpy as np
import pytest

import bayeslib as bl
from bayeslib.networks import examples
from tests.figures import leads, minus, number, places, written

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
    rows, theirs, picture = ROWS[:seen], STUDENT[v], figure.picture
    for state, artist in ((1, picture.ones), (0, picture.zeros)):
        wanted = [(x, y) for y, row in enumerate(rows) for x, name in enumerate("SAKEH") if row[name] == state]
        assert places(artist) == sorted(wanted)
    assert places(picture.new) == ([(-0.6, seen - 1)] if seen else [])
    lines, sums, balls = list(product((0, 1), repeat=len(theirs))), [], Counter()
    labels = [", ".join(f"{p}={x}" for p, x in zip(theirs, states)) or "all rows" for states in lines]
    for y, (states, label) in enumerate(zip(lines, labels)):
        pile = [row[v] for row in rows if all(row[p] == x for p, x in zip(theirs, states))]
        hits, n = sum(pile), len(pile)
        if n + m == 0:
            sums.append("0/0, no row")
        else:
            asked = f"({hits} + {m // 2})/({n} + {m})" if m else f"{hits}/{n}"
            sums.append(f"{asked} = {(hits + m / 2) / (n + m):.3f}")
        assert f"{label}: {sums[-1]}" in figure.alt
        balls += Counter({("real", "hit", y): hits, ("real", "miss", y): n - hits})
        balls += Counter({("virtual", "hit", y): m // 2, ("virtual", "miss", y): m // 2})
    assert Counter((*kind, y) for kind, line in picture.balls.items() for _, y in places(line)) == balls
    head = f"P({v}=1 | {', '.join(theirs)})" if theirs else f"P({v}=1)"
    title = written(picture.title, [f"{head}: squares {v}=1, circles {v}=0"])
    return title + written(picture.labels, labels) + written(picture.sums, sums)


def holds_family_bars(figure):
    graph_, cells, at = (figure.values[name] for name in ("graph_", "cells", "at"))
    rows = [dict(zip("SAKEH", map(int, cells[i : i + 5]))) for i in range(0, 25, 5)]
    wanted = [family(rows, v, GRAPHS[graph_][v], "mle") for v in "SAKEH"]
    for v, value in zip("SAKEH", wanted):
        assert number(rf"[:,] {v}", figure.alt) == pytest.approx(value, abs=5.1e-4)
    assert number("sum", figure.alt) == pytest.approx(sum(wanted), abs=5.1e-4)
    picture = figure.picture
    assert [bar.get_width() for bar in picture.bars] == pytest.approx([-value for value in wanted], abs=1e-9)
    assert {round(bar.get_height(), 9) for bar in picture.bars} == {0.64}
    where = [(i % 5, i // 5) for i in range(25)]
    for state, artist in (("1", picture.ones), ("0", picture.zeros)):
        assert places(artist) == sorted(place for place, cell in zip(where, cells) if cell == state)
    assert places(picture.changed) == sorted(place for place, a, b in zip(where, cells, GIVEN) if a != b)
    assert picture.ring.get_center() == pytest.approx(where[at]) and picture.ring.get_width() == 0.84
    before = [family(ROWS, v, GRAPHS[graph_][v], "mle") for v in "SAKEH"]
    assert places(picture.before) == pytest.approx(np.array(sorted((-b, y) for y, b in enumerate(before))))
    moved = [v for v, a, b in zip("SAKEH", wanted, before) if abs(a - b) > 1e-9]
    assert f"bars of {', '.join(moved)} moved" in figure.alt if moved else "no bar moved" in figure.alt
    total = f"sum: log-likelihood {minus(sum(wanted), 3)}"
    return written(picture.values, [f"{abs(value):.3f}" for value in wanted]) + written(picture.total, [total])


def holds_fit_and_price(figure):
    rows, picture = ROWS * figure.values["copies"], figure.picture
    bic = [score(rows, GRAPHS[name], "bic") for name in ("no arrows", "student net")]
    assert number("no arrows", figure.alt) == pytest.approx(bic[0], abs=5.1e-4)
    assert number("of the student net", figure.alt) == pytest.approx(bic[1], abs=5.1e-4)
    winner = "student net" if bic[1] > bic[0] else "no arrows"
    assert figure.alt.endswith(f"{winner} wins.")
    gain = score(rows, GRAPHS["student net"], "mle") - score(rows, GRAPHS["no arrows"], "mle")
    price = gain - (bic[1] - bic[0])
    assert [places(point) for point in picture.points] == [
        [(len(rows), pytest.approx(gain))],
        [(len(rows), pytest.approx(price))],
    ]
    assert picture.line.get_ydata() == pytest.approx([0, max(gain, price)])
    assert np.interp(len(rows), *figure.figure.axes[0].lines[0].get_data()) == pytest.approx(gain)
    return written(picture.text, [f"N = {len(rows)}: {winner} wins"])


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
    picture, chosen = figure.picture, figure.picture.chosen
    assert sorted(picture.dots.get_ydata()) == pytest.approx(sorted(scores))
    value = number("score", figure.alt.split("Chosen")[1])
    assert chosen.get_ydata() == pytest.approx([value] * len(chosen.get_ydata()), abs=5.1e-4)
    assert set(places(chosen)) <= set(places(picture.dots)) and set(picture.level.get_ydata()) == set(
        chosen.get_ydata()
    )
    same = sum(abs(each - value) < 1e-3 for each in scores)
    assert number("shared by", figure.alt) == same and 1 <= len(chosen.get_ydata()) <= same
    assert number("rank", figure.alt) == 1 + len({round(each, 6) for each in scores if each > value + 1e-3})
    # B and E stand above A, and B left of E, in each of the small graphs
    b, e, a = (np.array(letters.get_data()) for letters in picture.letters)
    assert b.shape == e.shape == a.shape == (2, len(chosen.get_ydata()))
    assert e - b == pytest.approx(np.array([[1.1], [0]]) + 0 * b) and a - b == pytest.approx(
        np.array([[0.55], [-0.75]]) + 0 * b
    )
    assert all(0 <= y and y + 0.85 <= 4.2 for y in a[1])
    return written(picture.title, [minus(value, 3)])


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
    picture = figure.picture
    assert {edge for edge, (shaft, _) in picture.arrows.items() if shaft.get_visible()} == set(edges)
    assert all(leads(picture.network, *edge, *picture.arrows[edge]) for edge in edges)
    parents = {v: "".join(a for a, b in edges if b == v) for v in "SAKEH"}
    own = [cached(n, v, parents[v], kind) for v in "SAKEH"]
    assert number("score", figure.alt) == pytest.approx(sum(own), abs=5.1e-4)
    assert number(";", figure.alt) == sum(2 ** len(theirs) for theirs in parents.values())
    scale = len(generated(n)) * log(2)
    assert [bar.get_width() for bar in picture.bars] == pytest.approx([-value / scale for value in own])
    assert {round(bar.get_height(), 9) for bar in picture.bars} == {0.64}
    gains = sorted(_gains(n, kind, parents).items(), key=lambda each: -each[1])
    if "The best of" in figure.alt:
        assert number(r"moves is \w+ \w→\w", figure.alt.replace("+", "")) == pytest.approx(gains[0][1], abs=5.1e-4)
    else:
        assert "No move gains" in figure.alt and step == figure.controls["step"].max
        assert gains[0][1] < 1e-6
    marks = np.array(picture.before.get_data())
    assert marks[1].tolist() == [0, 1, 2, 3, 4]
    if not step:
        assert marks[0] == pytest.approx([-value / scale for value in own])
    elif number("gained", figure.alt) > 1e-3:  # before the last move the score was lower by what it gained
        assert (marks[0].sum() * scale + sum(own)) == pytest.approx(number("gained", figure.alt), abs=1e-3)
    best = picture.best.get_text()
    assert (best == "none: a peak") == ("No move gains" in figure.alt)
    listed = ([] if best == "none: a peak" else [best]) + picture.others.get_text().split("\n")
    for (_, gain), line in zip(gains, filter(None, listed)):
        move, said = line.rsplit(" ", 1)
        assert float(said.replace("−", "-")) == pytest.approx(gain, abs=5.1e-4)
        assert _gains(n, kind, parents)[move] == pytest.approx(gain, abs=5.1e-4)
    values = written(picture.values, [f"{abs(value):.1f}" for value in own])
    return values + written(picture.total, [f"score {minus(sum(own), 3)}"]) + [best, picture.others.get_text()]


def _gains(n, kind, parents):
    """What every legal move gains: "add S→K", "delete …", "reverse …", by scoring its families again."""

    def score_of(v, theirs):
        return cached(n, v, "".join(sorted(theirs, key="SAKEH".index)), kind) - cached(n, v, parents[v], kind)

    found = {}
    for a, b in _pairs():
        if a in parents[b]:
            without = parents | {b: parents[b].replace(a, "")}
            found[f"delete {a}→{b}"] = score_of(b, without[b])
            if not _leads(without, a, b):
                found[f"reverse {a}→{b}"] = score_of(b, without[b]) + score_of(a, parents[a] + b)
        elif not _leads(parents, b, a):
            found[f"add {a}→{b}"] = score_of(b, parents[b] + a)
    return found


def _leads(parents, a, b):
    """Do arrows lead from a to b?"""
    return a == b or any(_leads(parents, a, p) for p in parents[b])


def _pairs():
    return [(a, b) for a in "SAKEH" for b in "SAKEH" if a != b]
