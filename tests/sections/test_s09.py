"""Section 09: what must hold of its figures, with counts and scores worked out once more in plain Python."""

import re
from collections import Counter
from functools import cache, cached_property
from itertools import combinations, product
from math import lgamma, log

import numpy as np
import pandas as pd
import pytest

import bayeslib as bl
from bayeslib import data, live
from bayeslib.models.networks import FamilyScores, examples, family_scores, fit, graph, hill_climb, moves
from bayeslib.models.networks import score as network_score
from bayeslib.questions.question import Question
from tests.figures import leads, minus, number, placed, places, press, sized, written
from tests.lab import ROOT
from tests.reading import Lesson

ROWS = [dict(zip("SAKEH", map(int, row))) for row in bl.data.load_student().to_numpy()]
GIVEN = "".join(str(row[v]) for row in ROWS for v in "SAKEH")
STUDENT = {"S": "", "A": "", "K": "SA", "E": "K", "H": "K"}
GRAPHS = {
    "no arrows": dict.fromkeys("SAKEH", ""),
    "student network": STUDENT,
    "all arrows": {v: "SAKEH"[:i] for i, v in enumerate("SAKEH")},
}
SETTINGS = {
    "family_bars": {
        "cells": [GIVEN, "0" * 25, "1" * 25, GIVEN[::-1], "1011001011011000001011111"],
        "at": [0, 4, 8, 20, 24],
    },
    "graph_wall": {"chosen": list(range(11))},
    "hearts": {
        "text": [
            "a,b\nx,1\ny,2\nx,1\ny,2\nx,1\ny,2\nx,1\ny,2\nx,1\ny,1",
            "height;sport;unusually long name\n"
            + "\n".join(
                f"{150 + 7 * i % 40};{('', 'yes', 'no')[i % 3]};{'big' if 7 * i % 40 > 20 else 'small'}"
                for i in range(40)
            ),
        ]
    },
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
    assert places(picture.new) == ([(-1.15, seen - 1)] if seen else [])
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


@cache
def students(draw):
    """The five students of the lecture, and then those that the figure draws."""
    drawn = examples.student().sample(295, random_state=draw + 10)
    return ROWS + [{v: int(drawn[v][i]) for v in "SAKEH"} for i in range(295)]


@cache
def graded(draw, n, name):
    """(fit, price) of a graph on the first n students."""
    fit = score(students(draw)[:n], GRAPHS[name], "mle")
    return fit, fit - score(students(draw)[:n], GRAPHS[name], "bic")


def holds_fit_and_price(figure):
    n, draw, picture = figure.values["rows"], figure.values["draw"], figure.picture
    fits, prices = zip(*(graded(draw, n, name) for name in GRAPHS))
    bic = np.subtract(fits, prices)
    for name, *wanted in zip(GRAPHS, fits, prices, bic):
        told = figure.alt.split(name)[1]
        found = [number(word, told) for word in ("log-likelihood", "cost", "BIC")]
        assert found == pytest.approx(wanted, abs=5.1e-4)
        assert number(",", told) == sum(2 ** len(theirs) for theirs in GRAPHS[name].values())
    best = list(GRAPHS)[bic.argmax()]
    assert figure.alt.startswith(f"{n} students") and figure.alt.endswith(f"Best: {best}.")
    longest = -bic.min()
    sized(picture.misfit, x=0, width=-np.array(fits) / longest, height=0.42)
    sized(picture.price, x=-np.array(fits) / longest, width=np.array(prices) / longest, height=0.42)
    sizes = figure.controls["rows"].options
    for name, line, point in zip(list(GRAPHS)[1:], picture.ahead, picture.points):
        ahead = [np.subtract(*graded(draw, k, name)) - np.subtract(*graded(draw, k, "no arrows")) for k in sizes]
        placed(line, sizes, ahead)
        placed(point, [n], [ahead[sizes.index(n)]])
    placed(picture.line, [n, n], [0, 1])
    labels = written(picture.labels, [f"{name}, the best" if name == best else name for name in GRAPHS])
    return labels + written(picture.values, [f"BIC {minus(each, 1)}" for each in bic])


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
    b, e, a = (np.array(letters.get_data()) for letters in picture.small.letters)
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


class Table:
    """A table of words, its families scored by plain counting, and a greedy climb over its graphs."""

    def __init__(self, columns):
        self.columns = columns
        self.rows = [dict(zip(columns, row)) for row in zip(*columns.values())]
        self.states = {v: len(set(column)) for v, column in columns.items()}
        self.known = {}

    def bic(self, child, parents):
        key = child, frozenset(parents)
        if key not in self.known:
            free = (self.states[child] - 1) * np.prod([self.states[p] for p in parents])
            self.known[key] = family(self.rows, child, sorted(parents), "mle") - 0.5 * log(len(self.rows)) * free
        return self.known[key]

    def gains(self, parents):
        """(kind, from, to) → gain, in the order in which a search meets them."""
        found = {}
        for kind in ("add", "delete", "reverse"):
            for a, b in ((a, b) for a in parents for b in parents if a != b):
                less = {**parents, b: parents[b] - {a}}
                if kind == "add" and a not in parents[b] and not _leads(parents, b, a):
                    found[kind, a, b] = self.bic(b, parents[b] | {a}) - self.bic(b, parents[b])
                elif kind != "add" and a in parents[b] and (kind == "delete" or not _leads(less, a, b)):
                    back = self.bic(a, parents[a] | {b}) - self.bic(a, parents[a]) if kind == "reverse" else 0
                    found[kind, a, b] = self.bic(b, less[b]) - self.bic(b, parents[b]) + back
        return found

    @cached_property
    def climb(self):
        """Graphs from the one without arrows on, each with the move that led to it."""
        parents = {v: frozenset() for v in self.columns}
        path = [(parents, None, 0.0)]
        while True:
            gains = self.gains(parents)
            most = max(gains.values())
            if most <= 1e-7:
                return path
            kind, a, b = next(move for move, gain in gains.items() if gain > most - 1e-7)
            parents = {**parents, b: parents[b] | {a} if kind == "add" else parents[b] - {a}}
            if kind == "reverse":
                parents[a] |= {b}
            path.append((parents, (kind, a, b), gains[kind, a, b]))

    def shuffled(self, seed):
        random = np.random.default_rng(seed)
        return Table({v: random.permutation(column).tolist() for v, column in self.columns.items()})

    @cached_property
    def chance(self):
        """The gain of the best first arrow for 100 seeds: no direction gains more than the other."""
        found = []
        for seed in range(100):
            other = self.shuffled(seed)
            found.append(max(other.bic(b, {a}) - other.bic(b, ()) for a, b in combinations(other.columns, 2)))
        return found


@cache
def heart_table(n):
    rows = bl.data.load_heart()
    rows = rows if n == 297 else rows.sample(n, random_state=9)
    return Table({v: rows[v].tolist() for v in rows})


@cache
def own_table(text):
    """(table, rows left out): numbers of more than six kinds are cut at their median."""
    head, *rows = [[each.strip() for each in re.split("[,;]", line)] for line in text.strip().split("\n")]
    full = [row for row in rows if all(row)]
    columns = {v: [row[i] for row in full] for i, v in enumerate(head)}
    for v, column in columns.items():
        if len(set(column)) > 6:
            middle = np.median([float(each) for each in column])
            columns[v] = ["high" if float(each) > middle else "low" for each in column]
    return Table(columns), len(rows) - len(full)


@cache
def climbed(patients, text, shuffle):
    table = own_table(text)[0] if text else heart_table(patients)
    return (table.shuffled(shuffle) if shuffle else table).climb


def shared(parents):
    """The arrows that all graphs with these links and colliders have, by trying every way to direct the links."""
    edges = [(p, v) for v in parents for p in parents[v]]

    def colliders(graph):
        pairs = ((a, b, v) for v in graph for a, b in combinations(sorted(graph[v]), 2))
        return {(a, b, v) for a, b, v in pairs if a not in graph[b] and b not in graph[a]}

    wanted, found = colliders(parents), []
    for flips in product((False, True), repeat=len(edges)):
        graph = {v: set() for v in parents}
        for (a, b), flip in zip(edges, flips):
            graph[a if flip else b].add(b if flip else a)
        free = set()
        for _ in graph:
            free |= {v for v in graph if graph[v] <= free}
        if len(free) == len(graph) and colliders(graph) == wanted:
            found.append({(p, v) for v in graph for p in graph[v]})
    return set.intersection(*found)


@cache
def shared_of(edges, variables):
    return shared({v: {a for a, b in edges if b == v} for v in variables})


def holds_hearts(figure):
    patients, shuffle, text, step = (figure.values[name] for name in ("patients", "shuffle", "text", "step"))
    path, picture = climbed(patients, text, shuffle), figure.picture
    table, left = own_table(text) if text else (heart_table(patients), 0)
    names, (parents, _, _) = list(table.columns), path[step]
    assert figure.controls["step"].max == len(path) - 1
    edges = [(p, v) for v in names for p in parents[v]]
    fixed = shared_of(tuple(edges), tuple(names))
    start = sum(table.bic(v, ()) for v in names)
    assert number("BIC", figure.alt) == pytest.approx(start + sum(gain for _, _, gain in path[: step + 1]), abs=1.1e-3)
    assert number("without arrows", figure.alt) == pytest.approx(start, abs=5.1e-4)
    assert f"{len(edges)} arrow{'s' * (len(edges) != 1)}, {len(fixed)} with a" in figure.alt and figure.alt.startswith(
        f"{len(table.rows)} "
    )
    assert ("left out" in figure.alt) == bool(left) and ("No move gains" in figure.alt) == (step == len(path) - 1)
    assert (f"by itself ({shuffle})" in figure.alt) == bool(shuffle)
    assert number("arrow gained", figure.alt) == pytest.approx(max(table.chance), abs=5.1e-4)
    assert figure.alt.endswith(f"more than 0 in {sum(gain > 0 for gain in table.chance)}.")
    place = {v: i for i, v in enumerate(names)}
    turn = np.pi / 2 - 2 * np.pi * np.arange(len(names)) / len(names)
    where = np.column_stack([1.02 * np.cos(turn), np.sin(turn)])
    for i, text_ in enumerate(picture.names):
        assert text_.get_visible() == (i < len(names))
        assert i >= len(names) or text_.get_position() == pytest.approx(where[i])
    for kind, shafts in picture.shafts.items():
        wanted = sorted((place[a], place[b]) for a, b in edges if ((a, b) in fixed) == (kind == "fixed"))
        drawn = [(path.vertices[0], path.vertices[-1]) for path in shafts.get_paths()]
        assert len(drawn) == len(wanted) == len(picture.heads[kind].get_paths())
        for (a, b), ends, head in zip(wanted, drawn, picture.heads[kind].get_paths()):
            whole, points = where[b] - where[a], np.array([*ends, head.vertices[0]]) - where[a]
            assert points @ (-whole[1], whole[0]) == pytest.approx([0, 0, 0], abs=1e-9)  # on the line from name to name
            assert np.all(np.diff([0, *points @ whole, whole @ whole]) > 0)  # shaft, then head, then the name
    made = path[1 : step + 1]
    if made:
        _, (kind, a, b), gain = made[-1]
        assert f"{kind} " in figure.alt and number("gained", figure.alt) == pytest.approx(gain, abs=5.1e-4)
        ends = where[[place[b], place[a]]] if kind == "reverse" else where[[place[a], place[b]]]
        placed(picture.new, *ends.T)
    else:
        placed(picture.new, [], [])
    listed = made[-12:]
    scale = 0.34 / max([max(table.chance), *(gain for _, _, gain in listed)])
    sized(picture.bars, x=0.5, width=[scale * gain for _, _, gain in listed], height=0.66)
    at = 0.5 + scale * max(max(table.chance), 0)
    placed(picture.chance, [at, at], [-0.6, 11.8])

    def short(name, most):
        return name if len(name) <= most else f"{name[: most - 1]}…"

    signs = {"add": "", "delete": "− ", "reverse": "↔ "}
    moves = [f"{signs[kind]}{short(a, 8)}→{short(b, 8)}" for _, (kind, a, b), _ in listed]
    return (
        written(picture.names, [short(v, 10) for v in names])
        + written(picture.moves, moves)
        + written(picture.values, [minus(gain, 2) for _, _, gain in listed])
        + written(picture.word, [f"most in 100 shuffles: {minus(max(table.chance), 2)}"])
    )


# Numbers that the lesson and its questions mention

TEXT = (ROOT / "bayeslib/sections/s09_learning_networks/questions.toml").read_text()
STUDENT_GRAPH, NOTHING, FULL = (
    {v: list(p) for v, p in GRAPHS[name].items()} for name in ("student network", "no arrows", "all arrows")
)
COLUMNS = {v: [row[v] for row in ROWS] for v in "SAKEH"}


def said(question, right=True):
    """The feedback of a question's right option, or of all its wrong ones."""
    options = Question(f"09/{question}").options
    return " ".join(each.get("feedback", "") for each in options if each.get("correct", False) == right)


def shown(question, figure):
    """The caption of a figure once a question has set it."""
    figure.set(**Question(f"09/{question}").then)
    return figure.alt


def cell(name):
    return next(each.source for each in Lesson.read("09").cells if each.id == name)


def test_the_answers_stand_in_the_figures():
    assert "S=0, A=1: 1/2 = 0.500" in shown("one-entry", live.rows_arrive(step=0))
    assert "E −1.910" in shown("one-cell", live.family_bars()) and "−3.296 to −1.910" in said("one-cell")
    assert "BIC −20.849; student network" in shown("which-wins", live.fit_and_price())
    assert "11 different scores" in shown("how-many-scores", live.graph_wall())
    assert "B→A←E; score −577.628" in shown("how-many-scores", live.graph_wall())
    assert "9 numbers, score −157.685" in shown("few-rows", live.climb_graph(n=50))
    caption = shown("shuffled", live.hearts(step=10))
    assert "move 1 of 1" in caption and "4.970 at most, and more than 0 in 26." in caption


def test_the_first_arrow_of_the_climb_ties_with_its_reverse():
    question, figure = Question("09/first-move"), live.climb_graph()
    assert "The best of 20 moves is add K→H +23.913." in shown("first-move", figure) and "23.913" in question.prompt
    assert figure.picture.others.get_text().startswith("add H→K +23.913\nadd K→E +23.675\n")
    assert "23.913" in said("first-move") and "K→E comes third, with 23.675" in said("first-move", right=False)
    gains = {
        (each.source, each.target): each.gain
        for each in moves(dict.fromkeys("SAKEH", ()), examples.typical_rows(examples.student(), 200))
    }
    assert f"S→K gains {gains['S', 'K']:.3f}" in said("first-move", right=False)


def test_the_first_three_rows_tell_nothing_of_the_fourth():
    figure = live.rows_arrive(step=0)
    assert "S=0, A=0: 0/0, no row" in shown("one-entry", figure)
    assert [row["K"] for row in ROWS if (row["S"], row["A"]) == (0, 0)] == [0] == [ROWS[3]["K"]]
    assert fit(STUDENT_GRAPH, COLUMNS).table("K")[0, 0][1] == 0


def test_the_sums_done_by_hand():
    learned = fit(STUDENT_GRAPH, COLUMNS)
    assert learned.joint(ROWS[4]) == pytest.approx(2 / 5 * 3 / 5 * 1 * 2 / 3 * 1 / 3)
    assert (
        family_scores(STUDENT_GRAPH, COLUMNS, "mle")["K"]
        == pytest.approx(2 * log(1 / 2))
        == pytest.approx(-1.386, abs=5e-4)
    )
    parts = family_scores(STUDENT_GRAPH, COLUMNS)
    assert parts["K"] == pytest.approx(-1.386 - 3.219, abs=1e-3)
    assert (
        sum(parts.values()) == pytest.approx(network_score(STUDENT_GRAPH, COLUMNS)) == pytest.approx(-22.755, abs=5e-4)
    )


def test_the_price_of_five_numbers():
    gain = network_score(STUDENT_GRAPH, COLUMNS, "mle") - network_score(NOTHING, COLUMNS, "mle")
    assert (gain, 5 / 2 * log(5)) == pytest.approx((2.117, 4.024), abs=5e-4)
    for text in (said("which-wins", right=False), said("which-wins"), cell("read-wins")):
        assert "2.117" in text and "4.024" in text


def test_which_graph_wins_as_new_students_come():
    best = {n: max(GRAPHS, key=lambda name: np.subtract(*graded(1, n, name))) for n in (5, 10, 20, *range(30, 301))}
    assert [n for n, name in best.items() if name == "no arrows"] == [5, 10, 20]
    assert {name for n, name in best.items() if n >= 30} == {"student network"}
    assert "leads the three from 30 rows on" in cell("read-wins")


def test_what_useless_numbers_gain():
    gain = graded(1, 200, "all arrows")[0] - graded(1, 200, "student network")[0]
    assert gain == pytest.approx(9.5, abs=0.05) and "9.5" in said("without-penalty") and "9.5" in cell("read-penalty")
    assert 21 / 2 * log(200) == pytest.approx(55.6, abs=0.05) and "55.6" in said("without-penalty", right=False)
    gains = []
    for seed in range(40):
        rows = examples.student().sample(200, random_state=seed)
        gains.append(network_score(FULL, rows, "mle") - network_score(STUDENT_GRAPH, rows, "mle"))
    assert np.mean(gains) == pytest.approx(21 / 2, abs=1.5)


def test_copies_of_the_same_rows_make_chance_look_real():
    rows = pd.concat([data.load_student()] * 6)
    assert max((NOTHING, STUDENT_GRAPH, FULL), key=lambda each: network_score(each, rows)) is FULL


def test_flipping_one_cell_moves_one_family():
    cells = Question("09/one-cell").then["cells"]
    flipped = {v: [int(cells[5 * i + k]) for i in range(5)] for k, v in enumerate("SAKEH")}
    before, after = family_scores(STUDENT_GRAPH, COLUMNS, "mle"), family_scores(STUDENT_GRAPH, flipped, "mle")
    assert [v for v in "SAKEH" if abs(before[v] - after[v]) > 1e-9] == ["E"]
    assert [i for i, row in enumerate(ROWS) if row["E"] != flipped["E"][i]] == [1] and "With row 2" in said("one-cell")


def test_few_rows():
    few, more = (examples.typical_rows(examples.student(), n) for n in (50, 100))
    assert (len(few["S"]), len(more["S"])) == (48, 99)
    assert f"{-hill_climb(few).score:.3f}" in said("few-rows") and f"{-network_score(STUDENT_GRAPH, few):.3f}" in said(
        "few-rows"
    )
    assert hill_climb(more).score == pytest.approx(network_score(STUDENT_GRAPH, more))


def test_every_first_arrow_of_the_riddle_loses_one_number_and_a_second_gains():
    riddle, empty = examples.either_or(), {v: () for v in "BEA"}
    gains = [move.gain for move in moves(empty, riddle)]
    assert gains == pytest.approx([-0.5 * log(200)] * 6) and "2.649" in said("either-or")
    pairs = {round(each.gain + moves(each.applied(empty), riddle)[0].gain, 3) for each in moves(empty, riddle)}
    assert pairs == {65.665} and "65.665" in cell("either-read")
    colliders = [{**empty, v: tuple(set("BEA") - {v})} for v in "BEA"]
    assert len({round(network_score(each, riddle), 6) for each in colliders}) == 1  # whichever the two arrows point to


@pytest.mark.parametrize("name, table", [("wall-head", examples.nights()), ("fails-head", examples.either_or())])
def test_tables_in_the_text_are_those_of_the_rows(name, table):
    counted = pd.crosstab(table["A"], [table["B"], table["E"]]).to_numpy().tolist()
    for a, row in enumerate(counted):
        assert f"| A={a} | {' | '.join(map(str, row))} |" in cell(name)


def test_prices_of_the_quiz():
    free = 2 * 3 * (3 - 1)
    for numbers, words in ((2, "5.99"), (6, "17.97"), (free, "35.95"), (18, "53.92")):
        assert f"{numbers / 2 * log(400):.2f}" == words and words in TEXT


def test_no_arrow_of_the_sprinkler_can_be_reversed():
    learned = {"Rain": [], "Sprinkler": [], "Wet": ["Rain", "Sprinkler"], "Slippery": ["Wet"]}
    assert len(graph.compelled(learned)) == 3


def test_links_of_three_variables():
    assert len({round(each, 6) for each in wall("bic")}) == 11 and 2**3 + 3 == 11
    assert "8 sets of links" in said("how-many-scores", right=False)


def test_a_prior_on_graphs_ends_the_lead_of_all_arrows():
    graphs = (NOTHING, STUDENT_GRAPH, FULL)
    bdeu = [network_score(each, COLUMNS, "bdeu") for each in graphs]
    prior = [sum(map(len, each.values())) * log(0.1) for each in graphs]
    assert np.argmax(bdeu) == 2 and np.argmax(np.add(bdeu, prior)) == 0
    assert bdeu[1] + prior[1] == pytest.approx(-34.5, abs=0.05)


def test_a_row_alone_on_its_line_costs_a_bit():
    lines = {tuple(row[v] for v in "SAK") for row in ROWS}
    alone, without = (family_scores(each, COLUMNS, "bdeu")["E"] for each in (FULL, NOTHING))
    assert len(lines) == 5 and alone == pytest.approx(-5 * log(2))
    told = f"costs ln 2 = {log(2):.2f}, whatever it says: for E that is 5 ln 2 = {-alone:.2f} nats, less than the {-without:.2f}"
    assert told in cell("bdeu-read")


def test_no_pair_of_the_riddle_is_dependent():
    riddle = pd.DataFrame(examples.either_or())
    for a, b in combinations(riddle, 2):
        assert (pd.crosstab(riddle[a], riddle[b]) == 50).all(axis=None)


def test_what_the_hearts_draw():
    patients = data.load_heart()
    found = hill_climb(patients)
    assert found.score == pytest.approx(-1949.184, abs=5e-4) and len(found.history) == 10
    assert found.parents["Age"] == ("Vessels",) and len(found.parents) * 8 / 2 == 36
    assert {v for _, v in graph.compelled(found.parents)} == {"Rate", "ST"}
    assert len(graph.compelled(found.parents)) == 4 and "four arrows into Rate and ST" in cell("read-shuffled")
    arrows = [(p, v) for v in found.parents for p in found.parents[v]]
    same = 0
    for flips in range(2 ** len(arrows)):
        other = {v: [] for v in found.parents}
        for bit, (a, b) in enumerate(arrows):
            other[a if flips >> bit & 1 else b].append(b if flips >> bit & 1 else a)
        try:
            graph.topological_order(other)
        except ValueError:
            continue  # a cycle
        same += graph.equivalent(other, found.parents)
    assert same == 7 and "Seven equivalent graphs" in cell("read-shuffled")


def test_what_chance_draws():
    chance = heart_table(297).chance
    assert sum(gain > 0 for gain in chance) == 26 and max(chance) == pytest.approx(4.970, abs=5e-4)
    assert f"as have {sum(gain > 0 for gain in heart_table(50).chance)} of 100 shuffles" in cell("notes-heart")
    columns = heart_table(297).columns
    seed = 5
    random = np.random.default_rng(seed)
    climb = hill_climb({v: random.permutation(column) for v, column in columns.items()})
    assert climb.history[0].gain == pytest.approx(chance[seed])
    assert log(297) / 2 == pytest.approx(2.85, abs=0.005) and "2.85" in said("shuffled", right=False)
    pairs = len(list(combinations(range(25), 2)))
    assert pairs == 300 and "300 pairs" in said("survey")


def test_a_survey_without_links_has_about_as_many_arrows():
    random = np.random.default_rng(0)
    drawn = [len(hill_climb(pd.DataFrame(random.integers(0, 2, (60, 25)))).history) for _ in range(8)]
    assert min(drawn) > 8 and np.mean(drawn) == pytest.approx(18, abs=4) and "draws 18 arrows" in TEXT


PATIENTS = data.load_heart()
STATES = {v: sorted(PATIENTS[v].unique()) for v in PATIENTS}


@pytest.mark.heavy
def test_what_chance_offers_a_tenth_arrow():
    """The line of the figure is for a first arrow; this is what further ones gain where the last one does not exist."""
    *_, nine, _ = hill_climb(PATIENTS).graphs()
    assert sum(map(len, nine.values())) == 9 and nine["Rate"] == ("Disease",)
    net = fit(nine, PATIENTS, states=STATES)
    most = [
        max(
            move.gain
            for move in moves(nine, FamilyScores.from_data(net.sample(297, random_state=seed), states=STATES))
            if move.kind == "add"
        )
        for seed in range(300)
    ]
    assert f"in 300 samples from the graph without it no further arrow gained more than {max(most):.1f}." in cell(
        "read-shuffled"
    )
    assert max(most) < 4.1 < hill_climb(PATIENTS).history[-1].gain


@pytest.mark.heavy
def test_which_graph_the_splits_prefer():
    hand = bic = 0
    for seed in range(20):
        mixed = PATIENTS.sample(frac=1, random_state=seed)
        old, new = mixed[:200], mixed[200:].to_dict("records")
        climbs = [hill_climb(old, kind, max_parents=3, states=STATES).parents for kind in ("bic", "mle")]
        assert sum(map(len, climbs[1].values())) == 21 == 0 + 1 + 2 + 6 * 3  # as many as three parents allow
        nets = [fit(each, old, "laplace", states=STATES) for each in (examples.heart_arrows(), *climbs)]
        ours, found, most = (sum(map(net.log_joint, new)) for net in nets)
        hand, bic = hand + (ours > found), bic + (found > most)
    assert f"({hand} of the 20 splits, which overlap, prefer the latter)" in cell("heart-read")
    assert f"all 21 arrows that three parents allow and does worse than BIC in {bic}." in cell("heart-read")


@pytest.mark.heavy
def test_links_that_come_and_go():
    times = {("Disease", "Rate"): 0, ("Angina", "Rate"): 0}
    for seed in range(100):
        parents = hill_climb(PATIENTS.sample(297, replace=True, random_state=seed), states=STATES).parents
        for a, b in times:
            times[a, b] += a in parents[b] or b in parents[a]
    gains = {str(move).split(" (")[0]: move.gain for move in hill_climb(PATIENTS, states=STATES).history}
    disease = f"Disease–Rate ({gains['add Disease → Rate']:.1f}) in {times['Disease', 'Rate']} of 100"
    angina = f"Angina–Rate ({gains['add Angina → Rate']:.1f}) in {times['Angina', 'Rate']}."
    assert f"{disease}, {angina}" in cell("heart-read")


def test_cells_are_flipped_by_a_click_and_by_keys():
    figure = live.family_bars()
    axes = figure.figure.axes[0]
    x, y = axes.transData.transform((2, 1)) / (figure.figure.bbox.width, figure.figure.bbox.height)
    figure.view.pointer = {"press": 1, "from": [x, 1 - y], "to": [x, 1 - y]}
    assert "Ring on K of row 2" in figure.alt and "bars of K, E, H moved" in figure.alt
    press(figure, " ")
    assert "0 cells flipped" in figure.alt


def test_a_click_on_dots_chooses_their_graphs():
    figure = live.graph_wall()
    axes, dots = figure.figure.axes[0], figure.picture.dots
    x, y = axes.transData.transform((dots.get_xdata()[-1], dots.get_ydata()[-1]))
    at = [x / figure.figure.bbox.width, 1 - y / figure.figure.bbox.height]
    figure.view.pointer = {"press": 1, "from": at, "to": at}
    assert "score −580.623 nats, rank 2, shared by 6 graphs" in figure.alt
    press(figure, "ArrowUp")
    assert "Chosen: B→A←E;" in figure.alt


def test_a_table_of_ones_own_is_climbed_or_refused_in_words():
    figure = live.hearts()
    figure.preset("a table of your own")
    assert figure.alt.startswith("48 rows of your own, move 4 of 4") and "BIC −157.685" in figure.alt
    for text, words in (
        ("a,b\nx,1\nx,2", "column a, must have at least two states"),
        ("a,b\n" + "\n".join(f"word{i},1" for i in range(9)), "column a, must be numbers"),
        ("a,b\n,1\nx,", "at least two rows without an empty cell, got 0"),
        (",".join("abcdefghij") + "\n" + ",".join("0123456789"), "2 to 9 columns"),
    ):
        figure.set(text=text)
        assert words in figure.alt, figure.alt
