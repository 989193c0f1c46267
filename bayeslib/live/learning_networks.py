"""The live figures of section 09, learning belief networks."""

from functools import cache
from itertools import groupby
from math import log

import numpy as np

from bayeslib import data
from bayeslib.live import steer
from bayeslib.live.controls import State, choice, stops
from bayeslib.live.figure import LiveFigure, Player
from bayeslib.networks import FamilyScores, counts, examples, family_scores, graph, hill_climb, moves
from bayeslib.plots import learning_networks as plots
from bayeslib.plots import theme

STUDENT = {"S": (), "A": (), "K": ("S", "A"), "E": ("K",), "H": ("K",)}
NOTHING = {v: () for v in STUDENT}
FULL = {v: tuple(STUDENT)[:i] for i, v in enumerate(STUDENT)}
REVERSED = {"S": ("K",), "A": ("K",), "K": ("E", "H"), "E": (), "H": ()}
GRAPHS = {"no arrows": NOTHING, "student net": STUDENT, "all arrows": FULL}
PLACES = {"S": (0, 0), "A": (1, 0), "K": (0.5, 0.5), "E": (0, 1), "H": (1, 1)}
BOTH = {v: (0, 1) for v in STUDENT}


def rows_arrive(family="K", m=0, step=5):
    """The rows of the student net arrive one by one, and each falls on one line of every family's table."""
    table = data.load_student()
    rows = table.to_numpy().tolist()
    figure = theme.figure((0.01, 0.02, 0.28, 0.96), (0.3, 0.02, 0.69, 0.96), height=3.5)
    picture = plots.Tally(*figure.axes, list(table), rows)

    def show(history, step, family, m):
        theirs = STUDENT[family]
        if step:
            tallied = counts(STUDENT, table[:step], states=BOTH).table(family)
        else:
            tallied = {key: {0: 0, 1: 0} for key in np.ndindex(*(2 for _ in theirs))}
        labels = [", ".join(f"{p}={x}" for p, x in zip(theirs, key)) or "all rows" for key in tallied]
        pairs = [(int(row[1]), int(row[0])) for row in tallied.values()]
        sums = [_fraction(hits, misses, m) for hits, misses in pairs]
        last = dict(zip(table, history[step])) if step else {}
        newest = list(tallied).index(tuple(last[p] for p in theirs)) if step else None
        head = f"P({family}=1 | {', '.join(theirs)})" if theirs else f"P({family}=1)"
        picture.show(step, f"{head}: squares {family}=1, circles {family}=0", labels, pairs, m, sums, newest)
        told = "; ".join(f"{label}: {total}" for label, total in zip(labels, sums))
        return f"After {step} of {len(rows)} rows, m = {m} virtual ones for each line: {head} is {told}."

    return Player(
        figure,
        picture,
        {
            "family": choice("table of", list(STUDENT), family),
            "m": stops("m: virtual rows", [0, 2, 4, 6], m),
        },
        history=[None, *rows],
        show=show,
        step=step,
        presets={
            "no row yet": {"family": "K", "m": 0, "step": 0},
            "all five": {"family": "K", "m": 0, "step": 5},
            "m = 2": {"family": "K", "m": 2, "step": 5},
            "exam": {"family": "E", "m": 0, "step": 5},
        },
    )


def _fraction(hits, misses, m):
    """An estimate with its sum: 1/2 = 0.500, or (1 + 1)/(2 + 2) = 0.500."""
    n = hits + misses
    if n + m == 0:
        return "0/0, no row"
    above, below = (f"({hits} + {m // 2})", f"({n} + {m})") if m else (hits, n)
    return f"{above}/{below} = {(hits + m / 2) / (n + m):.3f}"


def family_bars():
    """The log-likelihood of the student rows as a bar for each family; a click on a cell flips it."""
    table = data.load_student()
    variables, rows, wide = list(table), len(table), len(table.columns)
    exam = wide + variables.index("E")
    given = "".join(map(str, table.to_numpy().ravel()))
    figure = theme.figure((0.01, 0.02, 0.34, 0.96), (0.36, 0.02, 0.63, 0.96), height=3.7)
    picture = plots.Families(*figure.axes, variables, rows, longest=3.5)

    @cache
    def losses(graph_, cells):
        columns = np.array(list(map(int, cells))).reshape(rows, -1)
        scores = family_scores(GRAPHS[graph_], columns, "mle", states=BOTH)
        return [abs(scores[v]) for v in variables]

    def show(graph_, cells, at):
        now, before = losses(graph_, cells), losses(graph_, given)
        names = [f"{v} | {','.join(GRAPHS[graph_][v])}" if GRAPHS[graph_][v] else v for v in variables]
        changed = [a != b for a, b in zip(cells, given)]
        total = theme.minus(f"sum: log-likelihood {-sum(now):.3f}")
        picture.show([x == "1" for x in cells], changed, at, names, now, before, total)
        moved = [v for v, a, b in zip(variables, now, before) if abs(a - b) > 1e-9]
        told = ", ".join(f"{v} {-value:.3f}" for v, value in zip(variables, now))
        flips = sum(changed)
        what = f"{flips} cell{'s' if flips != 1 else ''} flipped: " + (
            f"bars of {', '.join(moved)} moved." if moved else "no bar moved."
        )
        return f"{graph_}: {told}; sum {-sum(now):.3f} nats. Ring on {variables[at % wide]} of row {at // wide + 1}. {what}"

    def flipped(cells, at):
        return {"cells": cells[:at] + "10"[int(cells[at])] + cells[at + 1 :], "at": at}

    def walk(values, x, y):
        return {"at": (values["at"] + x - wide * y) % len(given)}

    def drag(values, axes, start, at):
        where = picture.cell(*start) if axes is figure.axes[0] else None
        return {} if where is None else flipped(values["cells"], where)

    return LiveFigure(
        figure,
        picture,
        {
            "graph_": choice("graph", list(GRAPHS), "student net"),
            "cells": State(value=given),
            "at": State(value=exam),
        },
        show,
        presets={
            "as given": {"graph_": "student net", "cells": given},
            "flip E of row 2": {"graph_": "student net", **flipped(given, exam)},
            "no arrows": {"graph_": "no arrows", "cells": given},
            "all arrows": {"graph_": "all arrows", "cells": given},
        },
        drag=drag,
        keys={**steer.four(walk), **steer.press(lambda values: flipped(values["cells"], values["at"]))},
        help="Squares are 1, circles 0. Click a cell to flip it, or walk with the arrows and press Space. Ticks: before.",
    )


MOST = 12  # copies of the five rows


def fit_and_price(copies=1):
    """The five student rows, copied: what the student net's arrows gain in fit, and what BIC charges for them."""
    table = data.load_student()
    five = [sum(family_scores(each, table, "mle", states=BOTH).values()) for each in (NOTHING, STUDENT)]
    free = [sum(2 ** len(theirs) for theirs in each.values()) for each in (NOTHING, STUDENT)]
    rows = np.linspace(1, 5 * MOST, 200)
    gain, extra = (five[1] - five[0]) / len(table), free[1] - free[0]
    figure = theme.figure((0.085, 0.18, 0.89, 0.79), height=3.5)
    picture = plots.FitAndPrice(*figure.axes, rows, gain * rows, extra / 2 * np.log(rows))

    def show(copies):
        n = copies * len(table)
        bic = [copies * fit - numbers / 2 * log(n) for fit, numbers in zip(five, free)]
        winner = "student net" if bic[1] > bic[0] else "no arrows"
        picture.show(n, gain * n, extra / 2 * log(n), f"N = {n}: {winner} wins")
        return (
            f"{n} rows: the arrows gain {gain * n:.3f} nats of fit and cost {extra} extra numbers × ½ ln {n} = "
            f"{extra / 2 * log(n):.3f}. BIC of no arrows {bic[0]:.3f}, of the student net {bic[1]:.3f}: {winner} wins."
        )

    return LiveFigure(
        figure,
        picture,
        {"copies": stops("copies of the five rows", list(range(1, MOST + 1)), copies)},
        show,
        presets={
            "5 rows": {"copies": 1},
            "15 rows": {"copies": 3},
            "20 rows": {"copies": 4},
            "60 rows": {"copies": MOST},
        },
        drag=lambda values, axes, start, at: {"copies": int(np.clip(round(at[0] / 5), 1, MOST))},
        keys=steer.along("copies", range(1, MOST + 1)),
        help="Left and right arrows take away and add five rows; or drag along the picture.",
    )


def graph_wall(chosen=None):
    """All 25 graphs over Burglary, Earthquake and Alarm at the height of their score; equal scores side by side."""
    nights, number = examples.nights(), {"B": 0, "E": 1, "A": 2}
    classes = []
    for each in sorted(graph.every_graph("BEA"), key=lambda each: sum(map(len, each.values()))):
        same = next((group for group in classes if graph.equivalent(group[0], each)), None)
        classes.append([each]) if same is None else same.append(each)
    classes.sort(key=lambda group: (sum(map(len, group[0].values())), len(group)))
    scores = {
        name: [sum(family_scores(group[0], nights, name).values()) for group in classes]
        for name in ("bic", "bdeu", "mle")
    }
    arrows = [[[(number[p], number[v]) for v in each for p in each[v]] for each in group] for group in classes]
    ends = [
        (len(list(group)), word)
        for (_, group), word in zip(
            groupby(classes, key=lambda group: sum(map(len, group[0].values()))),
            ("none", "one arrow", "two arrows", "three arrows"),
        )
    ]
    find = {_written(each): place for place, group in enumerate(classes) for each in group}
    best = find["B→A←E"]
    figure = theme.figure((0.105, 0.1, 0.56, 0.87), (0.69, 0.02, 0.3, 0.96), height=3.9)
    picture = plots.Wall(*figure.axes, "BEA", [len(group) for group in classes], ends, (-695, -545))

    def show(score, chosen):
        own = scores[score]
        rank = sorted({round(value, 6) for value in own}, reverse=True)
        members, value = classes[chosen], own[chosen]
        written = ", ".join(_written(each) for each in members)
        place = rank.index(round(value, 6)) + 1
        graphs = sum(len(group) for group, other in zip(classes, own) if abs(other - value) < 1e-6)
        picture.show(own, chosen, arrows[chosen], theme.minus(f"{value:.3f}"))
        return (
            f"25 graphs, {len(rank)} different scores ({SCORES[score]}). Chosen: {written}; score {value:.3f} nats, "
            f"rank {place}, shared by {graphs} graph{'s' if graphs > 1 else ''}."
        )

    def walk(values, by):
        order = sorted(range(len(classes)), key=lambda place: -scores[values["score"]][place])
        return {"chosen": order[(order.index(values["chosen"]) + by) % len(order)]}

    def drag(values, axes, start, at):
        return {"chosen": picture.at(*at, scores[values["score"]])} if axes is figure.axes[0] else {}

    return LiveFigure(
        figure,
        picture,
        {
            "score": choice("score", [(word, name) for name, word in SCORES.items()], "bic"),
            "chosen": State(value=find[chosen] if chosen else 0),
        },
        show,
        presets={
            "the best": {"score": "bic", "chosen": best},
            "three stories, one score": {"score": "bic", "chosen": find["B→A→E"]},
            "complete": {"score": "bic", "chosen": len(classes) - 1},
            "no arrow": {"score": "bic", "chosen": 0},
            "without a penalty": {"score": "mle", "chosen": best},
        },
        drag=drag,
        keys=steer.two(walk, steer.DOWN),
        help="Each dot is a graph. Click a row of dots, or press up and down, to see the graphs that share a score.",
    )


SCORES = {"bic": "BIC", "bdeu": "BDeu, 1 virtual row", "mle": "likelihood alone"}


def _signed(gain):
    return theme.minus(f"{'+' if round(gain, 3) > 0 else ''}{gain:.3f}")


def _written(parents):
    """A graph over B, E, A in a line, such as B→A←E; more than one path is a list of arrows."""
    links = {(p, v) for v in parents for p in parents[v]}
    if len(links) == 2:
        (middle,) = set.intersection(*(set(link) for link in links))
        left, right = (v for v in parents if v != middle)
        return (
            f"{left}{'→' if (left, middle) in links else '←'}{middle}{'→' if (middle, right) in links else '←'}{right}"
        )
    order = graph.topological_order(parents)
    return " ".join(f"{a}→{b}" for a in order for b in order if (a, b) in links) or "no arrow"


ROWS = (50, 100, 200, 400, 1000, 2000)
STARTS = {"no arrows": NOTHING, "all reversed": REVERSED, "all arrows": FULL}


def climb_graph(score="bic", n=200, start="no arrows", step=0):
    """Hill climbing on rows of the student net: the graph, the score of every family, and all moves with their gains."""
    net = examples.student()
    variables = net.variables
    samples = {n: np.array([*examples.typical_rows(net, n).values()], dtype=int).T for n in ROWS}  # state numbers

    @cache
    def scorer(score, n):
        """Scores of families by name, each worked out once whatever the graph."""
        return FamilyScores.from_data(samples[n], score, states={v: (0, 1) for v in variables})

    def history(score, n, start):
        """Each move of the search, the graph that it led to, the scores of its families and its legal moves."""
        scores = scorer(score, n)
        search = hill_climb(scores, start=STARTS[start])
        return [
            (move, each, [scores(v, each[v]) for v in variables], moves(each, scores))
            for move, each in zip([None, *search.history], search.graphs())
        ]

    figure = theme.figure((0.01, 0.02, 0.3, 0.96), (0.32, 0.02, 0.4, 0.96), (0.735, 0.02, 0.26, 0.96), height=3.7)
    nodes = examples.BeliefNetwork(NOTHING, dict.fromkeys(NOTHING, 0.5))
    picture = plots.Climb(*figure.axes, nodes, PLACES, longest=1.0)

    def show(history, step, score, n, start):
        last, parents, own, ahead = history[step]
        number, free = len(samples[n]), sum(2 ** len(theirs) for theirs in parents.values())
        latest = last and ((last.source, last.target) if last.kind == "add" else (last.target, last.source))
        scale = 1 / (number * log(2))  # a fair coin costs ln 2 a row, so that the longest bar is about 1
        now, before = ([-value * scale for value in each] for each in (own, history[max(step - 1, 0)][2]))
        done = step == len(history) - 1
        words = [f"{move.kind} {move.source}→{move.target} {_signed(move.gain)}" for move in ahead]
        first = "none: a peak" if done else words[0]
        rest = words[: picture.NEXT - 1] if done else words[1 : picture.NEXT]
        picture.show(
            {(p, v) for v in parents for p in parents[v]},
            latest,
            now,
            before,
            [-value for value in own],
            theme.minus(f"score {sum(own):.3f}"),
            first,
            rest,
        )
        arrows = ", ".join(f"{p}→{v}" for v in variables for p in parents[v]) or "no arrows"
        told = ", ".join(f"{v} {value:.1f}" for v, value in zip(variables, own))
        came = f"{last.kind} {last.source}→{last.target} gained {last.gain:.3f}. " if last else ""
        ahead_words = (
            f"No move gains{f', the best is {words[0]}' if words else ''}."
            if done
            else f"The best of {len(ahead)} moves is {words[0]}."
        )
        return (
            f"{SCORES[score]}, {number} rows, step {step} of {len(history) - 1}: {came}{arrows}; {free} numbers, "
            f"score {sum(own):.3f} nats ({told}). {ahead_words}"
        )

    return Player(
        figure,
        picture,
        {
            "score": choice("score", [("BIC", "bic"), ("BDeu", "bdeu"), ("likelihood alone", "mle")], score),
            "n": stops("rows, about", list(ROWS), n),
            "start": choice("start", list(STARTS), start),
        },
        history=history,
        show=show,
        step=step,
        presets={
            "climb": {"score": "bic", "n": 200, "start": "no arrows", "step": 0},
            "no penalty": {"score": "mle", "n": 200, "start": "no arrows", "step": 10},
            "stuck": {"score": "bic", "n": 200, "start": "all reversed", "step": 1},
            "few rows": {"score": "bic", "n": 50, "start": "no arrows", "step": 4},
            "prune": {"score": "bic", "n": 200, "start": "all arrows", "step": 0},
        },
    )
