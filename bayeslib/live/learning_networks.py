"""The live figures of section 09, learning belief networks."""

from functools import cache
from itertools import groupby
from math import log

import numpy as np

from bayeslib import data
from bayeslib.figures import steer, user_data
from bayeslib.figures.controls import State, box, choice, slider, stops
from bayeslib.figures.figure import LiveFigure, Player
from bayeslib.models.networks import FamilyScores, counts, examples, family_scores, graph, hill_climb, moves
from bayeslib.plots import learning_networks as plots
from bayeslib.plots import theme

STUDENT = {"S": (), "A": (), "K": ("S", "A"), "E": ("K",), "H": ("K",)}
NOTHING = {v: () for v in STUDENT}
FULL = {v: tuple(STUDENT)[:i] for i, v in enumerate(STUDENT)}
REVERSED = {"S": ("K",), "A": ("K",), "K": ("E", "H"), "E": (), "H": ()}
GRAPHS = {"no arrows": NOTHING, "student network": STUDENT, "all arrows": FULL}
PLACES = {"S": (0, 0.4), "A": (1, 0.4), "K": (0.5, 0), "E": (0, 1), "H": (1, 1)}
BOTH = {v: (0, 1) for v in STUDENT}


def rows_arrive(family="K", m=0, step=5):
    """The rows of the student network arrive one by one, and each falls on one line of every family's table."""
    table = data.load_student()
    rows = table.to_numpy().tolist()
    picture = plots.Tally(*theme.axes((0.01, 0.02, 0.28, 0.96), (0.3, 0.02, 0.69, 0.96), height=3.5), list(table), rows)

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
    picture = plots.Families(
        *theme.axes((0.01, 0.02, 0.34, 0.96), (0.36, 0.02, 0.63, 0.96), height=3.7), variables, rows, longest=3.5
    )

    @cache
    def losses(graph_, cells):
        columns = np.array(list(map(int, cells))).reshape(rows, -1)
        scores = family_scores(GRAPHS[graph_], dict(zip(variables, columns.T)), "mle", states=BOTH)
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
        what = f"{theme.count(flips, 'cell')} flipped: " + (
            f"bars of {', '.join(moved)} moved." if moved else "no bar moved."
        )
        return f"{graph_}: {told}; sum {-sum(now):.3f} nats. Ring on {variables[at % wide]} of row {at // wide + 1}. {what}"

    def flipped(cells, at):
        return {"cells": cells[:at] + "10"[int(cells[at])] + cells[at + 1 :], "at": at}

    def walk(values, x, y):
        return {"at": (values["at"] + x - wide * y) % len(given)}

    def drag(values, axes, start, at):
        where = picture.cell(*start)
        return {} if where is None else flipped(values["cells"], where)

    return LiveFigure(
        picture,
        {
            "graph_": choice("graph", list(GRAPHS), "student network"),
            "cells": State(value=given),
            "at": State(value=exam),
        },
        show,
        presets={
            "as given": {"graph_": "student network", "cells": given},
            "flip E of row 2": {"graph_": "student network", **flipped(given, exam)},
            "no arrows": {"graph_": "no arrows", "cells": given},
            "all arrows": {"graph_": "all arrows", "cells": given},
        },
        drag=drag,
        within=[0],
        keys={**steer.four(walk), **steer.press(lambda values: flipped(values["cells"], values["at"]))},
        help="Squares are 1, circles 0. Click a cell to flip it, or walk with the arrows and press Space. Ticks: before.",
    )


SIZES = (5, 10, 20, 30, 40, 50, 75, 100, 150, 200, 300)
DRAWS = 5


@cache
def _graded(draw):
    """Minus the log-likelihood and the price of each graph, for each number of rows: the five students, then students drawn."""
    drawn = examples.student().sample(SIZES[-1] - 5, random_state=draw + 10)
    rows = np.vstack([data.load_student().to_numpy(), np.column_stack([drawn[v] for v in STUDENT])])
    misfit, prices = np.empty((2, len(SIZES), len(GRAPHS)))
    for i, n in enumerate(SIZES):
        scores = FamilyScores.from_data(dict(zip(STUDENT, rows[:n].T)), "mle", states=BOTH)
        for j, each in enumerate(GRAPHS.values()):
            misfit[i, j] = -sum(scores(v, theirs) for v, theirs in each.items())
            prices[i, j] = log(n) / 2 * sum(2 ** len(theirs) for theirs in each.values())
    return misfit, prices


def fit_and_price(rows=200):
    """Three graphs on more and more students: how well each fits the rows, and what BIC charges for its numbers."""
    picture = plots.FitAndPrice(
        *theme.axes((0.065, 0.16, 0.5, 0.74), (0.6, 0.02, 0.39, 0.96), height=3.7), SIZES, list(GRAPHS), (-30, 150)
    )

    def show(rows, draw):
        misfit, prices = _graded(draw)
        bic, at = -misfit - prices, SIZES.index(rows)
        picture.show(at, (bic[:, 1:] - bic[:, :1]).T, misfit[at], prices[at])
        told = "; ".join(
            f"{name} log-likelihood {-fit:.3f}, {round(2 * price / log(rows))} numbers cost {price:.3f}, BIC {-fit - price:.3f}"
            for name, fit, price in zip(GRAPHS, misfit[at], prices[at])
        )
        new = f", the five and {rows - 5} new ones, draw {draw}" if rows > 5 else ""
        return f"{rows} students{new}: {told}. Best: {list(GRAPHS)[bic[at].argmax()]}."

    return LiveFigure(
        picture,
        {
            "rows": stops("rows", list(SIZES), rows),
            "draw": slider("new students, draw", 1, DRAWS, 1),
        },
        show,
        presets={
            "the five": {"rows": 5, "draw": 1},
            "20 rows": {"rows": 20, "draw": 1},
            "50 rows": {"rows": 50, "draw": 1},
            "200 rows": {"rows": 200, "draw": 1},
            "other students": {"rows": 20, "draw": 2},
        },
        keys={**steer.along("rows", SIZES), **steer.by("draw", keys=steer.UP)},
        help="Left and right arrows take away and add rows; up and down draw other students.",
        main=("rows", "draw"),
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
            ("0", "1 arrow", "2 arrows", "3 arrows"),
        )
    ]
    find = {_written(each): place for place, group in enumerate(classes) for each in group}
    best = find["B→A←E"]
    picture = plots.Wall(
        *theme.axes((0.105, 0.1, 0.56, 0.87), (0.69, 0.02, 0.3, 0.96), height=3.9),
        "BEA",
        [len(group) for group in classes],
        ends,
        (-695, -545),
    )

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
        return {"chosen": picture.at(*at, scores[values["score"]])}

    return LiveFigure(
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
        within=[0],
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
    """Hill climbing on rows of the student network: the graph, the score of every family, and all moves with their gains."""
    net = examples.student()
    variables = net.variables
    samples = {n: examples.typical_rows(net, n) for n in ROWS}

    @cache
    def scorer(score, n):
        """Scores of families by name, each worked out once whatever the graph."""
        return FamilyScores.from_data(samples[n], score)

    def history(score, n, start):
        """Each move of the search, the graph that it led to, the scores of its families and its legal moves."""
        scores = scorer(score, n)
        search = hill_climb(scores, start=STARTS[start])
        return [
            (move, each, [scores(v, each[v]) for v in variables], moves(each, scores))
            for move, each in zip([None, *search.history], search.graphs())
        ]

    nodes = examples.BeliefNetwork(NOTHING, dict.fromkeys(NOTHING, 0.5))
    picture = plots.Climb(
        *theme.axes((0.01, 0.02, 0.3, 0.96), (0.32, 0.02, 0.4, 0.96), (0.735, 0.02, 0.26, 0.96), height=3.7),
        nodes,
        PLACES,
        longest=1.0,
    )

    def show(history, step, score, n, start):
        last, parents, own, ahead = history[step]
        number, free = len(samples[n]["S"]), sum(2 ** len(theirs) for theirs in parents.values())
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


PATIENTS = (50, 100, 200, 297)
SHUFFLES = 100
TYPED = "\n".join(
    [
        "studies, attends, knows, exam, homework",
        *(
            ", ".join("yes" if state else "no" for state in row)
            for row in zip(*examples.typical_rows(examples.student(), 50).values())
        ),
    ]
)


def hearts(patients=297, step=0):
    """Hill climbing on the patients of section 08 or on a table of the reader's: the graph, its moves, and what chance offers."""
    picture = plots.Ring(*theme.axes((0.005, 0.01, 0.525, 0.98), (0.54, 0.01, 0.455, 0.98), height=4.3))
    everybody = data.load_heart()

    def table(patients, text):
        if text.strip():
            return _typed(text)
        return (everybody if patients == len(everybody) else everybody.sample(patients, random_state=9)), 0

    @cache
    def chance(patients, text):
        """What the best first arrow gains when every column is shuffled by itself, for 100 seeds."""
        columns = [np.unique(column, return_inverse=True)[1] for column in table(patients, text)[0].to_numpy().T]
        return [_first_gain(_shuffled(columns, seed)) for seed in range(SHUFFLES)]

    for number in PATIENTS:
        chance(number, "")  # ahead, so that no frame waits for it

    def history(patients, shuffle, text):
        """(what was climbed, rows left out, its chances, the search, its graph), once for each step."""
        rows, left = table(patients, text)
        if shuffle:
            rows = dict(zip(rows, _shuffled(rows.to_numpy().T, shuffle)))
        search, gains = hill_climb(rows), chance(0 if text.strip() else patients, text.strip())
        return [(rows, left, gains, search, parents) for parents in search.graphs()]

    def show(history, step, patients, shuffle, text):
        rows, left, gains, search, parents = history[step]
        names, made = list(parents), search.history[:step]
        place = {v: i for i, v in enumerate(names)}
        arrows, fixed = [(p, v) for v in names for p in parents[v]], graph.compelled(parents)
        last = made[-1] if made else None
        latest = last and ((last.target, last.source) if last.kind == "reverse" else (last.source, last.target))
        picture.show(
            [user_data.plain(v, 10) for v in names],
            sorted((place[a], place[b]) for a, b in arrows),
            {(place[a], place[b]) for a, b in fixed},
            latest and (place[latest[0]], place[latest[1]]),
            [(_short(move), move.gain) for move in made[-picture.LISTED :]],
            max(gains),
        )
        number = len(rows[names[0]])
        who = f"{number} rows of your own" if text.strip() else f"{number} patients"
        what = f", every column shuffled by itself ({shuffle})" if shuffle else ""
        lost = f"; {left} left out, with empty cells" if left else ""
        gained = (
            f"{last.kind} {user_data.plain(last.source, 20)}→{user_data.plain(last.target, 20)} gained {last.gain:.3f}. "
            if last
            else ""
        )
        end = "" if step < len(history) - 1 else " No move gains."
        return (
            f"{who}{what}{lost}, move {step} of {len(history) - 1}: {gained}{theme.count(len(arrows), 'arrow')}, {len(fixed)} with a "
            f"fixed direction; BIC {search.start_score + sum(move.gain for move in made):.3f}, without arrows "
            f"{search.start_score:.3f}.{end} In {SHUFFLES} shuffles the best first arrow gained {max(gains):.3f} at most, and "
            f"more than 0 in {sum(gain > 0 for gain in gains)}."
        )

    def at(patients=297, shuffle=0, text="", step=0):
        return {"patients": patients, "shuffle": shuffle, "text": text, "step": step}

    return Player(
        picture,
        {
            "patients": stops("patients", list(PATIENTS), patients),
            "shuffle": slider("shuffle (0: as it is)", 0, 9, 0),
            "text": box("or your own table", "", lines=3, file=True),
        },
        history=history,
        show=show,
        step=step,
        presets={
            "297 patients": at(step=10),
            "shuffled": at(shuffle=5, step=1),
            "50 patients": at(50, step=9),
            "50, shuffled": at(50, 8, step=3),
            "a table of your own": at(text=TYPED, step=4),
        },
        main=("patients", "shuffle"),
        more=("text",),
    )


def _shuffled(columns, seed):
    """Each column in an order of its own."""
    random = np.random.default_rng(seed)
    return [random.permutation(column) for column in columns]


def _first_gain(columns):
    """BIC's gain of the best first arrow: N times the mutual information minus ½ ln N for each new number."""
    cards, total = np.array([column.max() + 1 for column in columns]), len(columns[0])
    one_hot = np.concatenate([np.eye(k)[column] for k, column in zip(cards, columns)], axis=1)
    joint, begins = one_hot.T @ one_hot, np.cumsum([0, *cards[:-1]])
    sums = np.add.reduceat(np.add.reduceat(joint * np.log(joint + (joint == 0)), begins), begins, axis=1)
    alone = np.diag(sums)
    gain = sums - alone - alone[:, None] + total * log(total) - log(total) / 2 * np.outer(cards - 1, cards - 1)
    return float(gain[np.triu_indices(len(cards), 1)].max())


def _typed(text):
    """A reader's table of at most nine columns with two to six states each, and how many rows with empty cells it lost."""
    given = user_data.table(text, most_columns=plots.Ring.MOST)
    rows = given[(given != "").all(axis=1)].reset_index(drop=True)
    if len(rows) < 2:
        raise ValueError(f"your table must have at least two rows without an empty cell, got {len(rows)}")
    for column in rows:
        states = rows[column].nunique()
        if states > 6:
            values = np.array(user_data.number_column(rows, column))
            rows[column] = np.where(values > np.median(values), "high", "low")
        if rows[column].nunique() < 2:
            raise ValueError(
                f"your table, column {user_data.plain(column, 20)}, must have at least two states, got one"
            )
    return rows, len(given) - len(rows)


def _short(move):
    """A move in a few letters: Scan→Disease, or what else was done."""
    ends = "→".join(user_data.plain(end, 8) for end in (move.source, move.target))
    return ends if move.kind == "add" else f"{'−' if move.kind == 'delete' else '↔'} {ends}"
