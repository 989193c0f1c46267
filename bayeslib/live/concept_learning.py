"""The live figures of section 02, concept learning."""

import math
from itertools import combinations, permutations, product

import numpy as np

from bayeslib import data
from bayeslib.concepts import ENJOY_SPORT, ConjunctiveSpace, covers
from bayeslib.live import steer
from bayeslib.live.controls import State, choice, menu, slider, stops
from bayeslib.live.figure import LiveFigure, Player
from bayeslib.plots import concept_learning as plots
from bayeslib.plots import theme

ORDERS = [" ".join(order) for order in permutations("1234")]
# What each "?" divides the prior by: below 1 it multiplies, a taste for the general.
TASTES = [
    (f"×{1 / by:g}, general" if by < 1 else f"÷{by:g}, specific" if by > 1 else "no taste", by)
    for by in (0.25, 0.4, 0.5, 0.8, 1.0, 1.25, 2.0, 2.5, 4.0)
]


def version_space(table="EnjoySport"):
    """Figure 6.1 alive: the posterior over all hypotheses, example by example; opens on EnjoySport or PlayTennis."""
    figure = theme.figure((0.105, 0.075, 0.885, 0.72), height=4.2)
    picture = plots.VersionSpace(*figure.axes)
    tennis = data.load_play_tennis()
    tables = {"EnjoySport": _enjoy_sport(), "PlayTennis": (ConjunctiveSpace.from_table(tennis, "PlayTennis"), tennis)}
    tables = {name: (space, space.check(rows)) for name, (space, rows) in tables.items()}
    marks = {name: np.array([_marks(h) for h in space.each()]) for name, (space, _) in tables.items()}

    def history(table, order):
        """The numbers of the rows in the order in which they come; none before the first."""
        first = [int(number) - 1 for number in order.split()]
        return [None, *first, *range(4, len(tables[table][1]))]

    def show(history, step, table, order, noise, taste):
        space, rows = tables[table]
        seen = [rows[number] for number in history[1 : step + 1]]
        wrong = space.errors(seen)
        fits = wrong == 0
        left, known = np.count_nonzero(fits), f"After {step} of {len(rows)} rows" if step else "Before any row"
        last = deleted = ""
        if step:
            gone = np.count_nonzero(space.errors(seen[:-1]) == 0) - left
            name, label = f"row {history[step] + 1}", "yes" if seen[-1][1] else "no"
            last = "" if noise else f"{name}: {' '.join(seen[-1][0])} → {label}, deletes {gone}"
            deleted = f" Last came {name}, a {label}: it deleted {gone}."
        if left == 0 and noise == 0:
            when = next(k for k in range(step + 1) if (space.errors(seen[:k]) > 0).all())
            picture.show(marks[table], None, fits, [], f"{known}: 0 of {space.size} left", last)
            return (
                f"{known} of {table} no conjunction is left: the model is refuted. Example {when} in this order deleted the "
                "last ones; P(D) = 0, so there is no posterior. Allow wrong labels, and there is one again."
            )
        after = space.posterior(seen, math.log(taste), noise / 100)
        best = after.ties()
        top, held = after.array[best[0]], after.array[fits]
        most = (
            f"{len(best)} tie"
            if len(best) > 1
            else f"{_tuple(space.hypothesis(best[0]))}, against {wrong[best[0]]} of {step} labels"
        )
        if noise == 0:
            each = f"each {top:.3g}" if np.ptp(held) < 1e-12 else f"from {held.min():.2g} to {held.max():.3g}"
            head = f"{known}: {left} of {space.size} left, {each}"
            says = f"{known} of {table} {left} of {space.size} hypotheses remain, {each}; P(D) = {after.evidence:.4g}.{deleted}"
        else:
            share = f"the {left} that fit hold {held.sum():.3f}" if left else f"none fits, the best holds {top:.3f}"
            head = f"{noise}% wrong labels: {share}"
            says = (
                f"{known} of {table}, with {noise} wrong labels in 100, {left} of {space.size} hypotheses fit every row; "
                f"together they hold {held.sum():.3f} of the belief."
            )
        picture.show(marks[table], after.array, fits, best, head, last)
        return f"{says} Most probable: {most}, {top:.3g}.{_tilt(taste)}"

    plain = {"order": "1 2 3 4", "noise": 0, "taste": 1.0}
    sport = {**plain, "table": "EnjoySport"}
    return Player(
        figure,
        picture,
        {
            "table": choice("table", ["EnjoySport", "PlayTennis"], table),
            "order": menu("order of rows 1 to 4", ORDERS, "1 2 3 4"),
            "noise": slider("wrong labels in 100", 0, 50, 0),
            "taste": stops("taste: each ?", TASTES, 1.0),
        },
        history=history,
        show=show,
        step="last",
        interval=2000,
        presets={
            "one yes": {**sport, "step": 1},
            "one no": {**sport, "order": "3 1 2 4", "step": 1},
            "the book's six": {**sport, "step": 4},
            "10% wrong labels": {**sport, "noise": 10, "step": 4},
            "no conjunction fits": {**plain, "table": "PlayTennis", "step": 4},
            "… but one comes near": {**plain, "table": "PlayTennis", "noise": 10, "step": 14},
        },
    )


def lattice():
    """Candidate-Elimination step by step: the version space between S and G, and which of it a taste prefers."""
    figure = theme.figure((0.01, 0.02, 0.98, 0.96), height=4.0)
    picture = plots.Lattice(*figure.axes)
    space, days = _enjoy_sport()
    examples = space.check(days)
    history = space.candidate_elimination(examples).history
    spaces = [space.version_space(examples[:step]) for step in range(len(history))]
    places = [[space.index(h) for h in left] for left in spaces]
    layers = [[_marks(h) for h in left] for left in spaces]
    roles = [
        ["S" if h in seen.specific else "G" if h in seen.general else "-" for h in left]
        for seen, left in zip(history, spaces)
    ]
    neighbours = [_neighbours(left) if len(left) <= 64 else [] for left in spaces]

    def show(history, step, taste):
        left, (instance, label, specific, general) = spaces[step], history[step]
        after = space.posterior(examples[:step], math.log(taste))
        belief = after.array[places[step]]
        named = [n for n, role in enumerate(roles[step]) if role != "-" or len(left) <= plots.Lattice.LABELS]
        labels = {n: f"{' '.join(left[n])} · {belief[n]:.3f}" for n in named}
        day = f"Day {step}, {'yes' if label else 'no'}" if step else "No day yet"
        head = f"{day}: {len(left)} left"
        picture.show(layers[step], roles[step], belief, neighbours[step], labels, head)
        what = "Before any day"
        if step:
            moved = "S is widened just enough to cover it" if label else "G is narrowed just enough to leave it out"
            moved += ", and what in G does not cover it goes" if label and general != history[step - 1].general else ""
            what = f"Day {step}, {' '.join(instance)}, is a {'yes' if label else 'no'}: {moved}"
        best = after.ties()
        most = _tuple(space.hypothesis(best[0])) if len(best) == 1 else f"{len(best)} tie"
        return (
            f"{what}. S = {_set(specific)}, G = {_set(general)}; {len(left)} hypotheses from S to G. "
            f"S has probability {after[specific[0]]:.3f}; most probable: {most}, {belief.max():.3f}.{_tilt(taste)}"
        )

    return Player(
        figure,
        picture,
        {"taste": stops("taste: each ?", TASTES, 1.0)},
        history=history,
        show=show,
        step="last",
        interval=2500,
        presets={
            "no taste": {"taste": 1.0, "step": 4},
            "specific: each ? halves": {"taste": 2.0, "step": 4},
            "general: each ? doubles": {"taste": 0.5, "step": 4},
        },
    )


KEYS = (0, 1, 3), (2, 4, 5)  # the attributes along the rows and along the columns of the tiles


def queries():
    """The 96 days of EnjoySport with the votes of the six hypotheses: choose a day to ask about, and label it."""
    figure = theme.figure((0.22, 0.135, 0.42, 0.85), (0.67, 0.02, 0.325, 0.96), height=4.2)
    space, days = _enjoy_sport()
    examples, six = space.check(days), space.version_space(days)
    rows, columns = ([tuple(v) for v in product(*(list(ENJOY_SPORT.values())[k] for k in keys))] for keys in KEYS)
    xlabel = "8 days a row: every Humidity, Water, Forecast\norange: most even split, yellow: uneven"
    picture = plots.Queries(*figure.axes, [*map(" ".join, rows)], len(columns), xlabel, [*map(" ".join, six)])

    def day(row, column):
        values = dict(zip(KEYS[0] + KEYS[1], rows[row] + columns[column]))
        return tuple(values[place] for place in range(len(values)))

    def labelled(asked):
        """What has been asked so far, "3+ 17-" say: the tile's number in reading order, and its label."""
        pairs = [(divmod(int(each[:-1]), len(columns)), each[-1] == "+") for each in asked.split()]
        return examples + [(day(*tile), label) for tile, label in pairs]

    def show(row, column, asked):
        seen = labelled(asked)
        left = space.version_space(seen)
        votes = space.votes(seen).transpose(KEYS[0] + KEYS[1]).reshape(len(rows), len(columns))
        uneven = np.abs(2 * votes - len(left))
        kinds = np.where(uneven == uneven.min(), "best", "split")
        kinds[votes == len(left)], kinds[votes == 0] = "yes", "no"
        chosen = day(row, column)
        yes = int(votes[row, column])
        no = len(left) - yes
        says = ["gone" if h not in left else "yes" if covers(h, chosen) else "no" for h in six]
        name = f"{' '.join(chosen[:3])}\n{' '.join(chosen[3:])}"
        if not left:
            words, tail = (
                "no hypothesis is left:\nthese labels refute\nthe model",
                "No conjunction is left: these labels refute the model",
            )
        else:
            mean = (yes**2 + no**2) / len(left)
            words = f"yes leaves {yes}, no leaves {no}\nexpected left: {mean:.2f}"
            tail = f"A label yes leaves {yes}, a label no leaves {no}, expected {mean:.2f}"
            tail += f". Only {_tuple(left[0])} is left, nothing is to be asked" if len(left) == 1 else ""
        picture.show(votes, kinds, (row, column), name, says, words)
        tally = ", ".join(f"{count} get {n}" for n, count in zip(*np.unique(votes, return_counts=True)))
        more = f"Labels added: {len(seen) - 4}. " if len(seen) > 4 else ""
        return (
            f"{more}{len(left)} of 6 hypotheses are left. Votes for yes among 96 days: {tally}. "
            f"{' '.join(chosen)} gets {yes} of {len(left)}. {tail}."
        )

    def move(values, right, up):
        row, column = values["row"] - up, values["column"] + right
        return {"row": min(max(row, 0), len(rows) - 1), "column": min(max(column, 0), len(columns) - 1)}

    def label(values, sign):
        tile = f"{values['row'] * len(columns) + values['column']}"
        already = {each[:-1] for each in values["asked"].split()}
        return {} if tile in already else {"asked": f"{values['asked']} {tile}{sign}".strip()}

    def best(values):
        left = space.version_space(labelled(values["asked"]))
        if len(left) < 2:
            return {}
        query = space.best_query(labelled(values["asked"]))
        return {
            name: cells.index(tuple(query[k] for k in keys))
            for name, cells, keys in zip(("row", "column"), (rows, columns), KEYS)
        }

    def drag(values, axes, start, at):
        place = {**values, "row": round(at[1]), "column": round(at[0])}
        return move(place, 0, 0) if axes is figure.axes[0] else {}

    return LiveFigure(
        figure,
        picture,
        {
            "row": menu("Sky, AirTemp, Wind", [(" ".join(each), n) for n, each in enumerate(rows)], 0),
            "column": menu("Humidity and the rest", [(" ".join(each), n) for n, each in enumerate(columns)], 0),
            "asked": State(value=""),
        },
        show,
        presets={
            "all six say yes": {"row": 0, "column": 0, "asked": ""},
            "three of six": {"row": 1, "column": 0, "asked": ""},
            "nobody says yes": {"row": 11, "column": 0, "asked": ""},
        },
        actions={
            "go to the best day": best,
            "label it yes": lambda values: label(values, "+"),
            "label it no": lambda values: label(values, "-"),
            "take a label back": lambda values: {"asked": " ".join(values["asked"].split()[:-1])},
        },
        drag=drag,
        keys=steer.four(move),
        help="Click a tile or move with the arrow keys; then label the day and see who is left.",
    )


def _enjoy_sport():
    return ConjunctiveSpace(ENJOY_SPORT), data.load_enjoy_sport()


def _marks(hypothesis):
    """The number of "?" in a hypothesis, and −1 for never, which is below them all."""
    return -1 if "∅" in hypothesis else hypothesis.count("?")


def _neighbours(hypotheses):
    """Pairs of places of hypotheses that differ in one entry, a value here and "?" there."""
    return [
        (n, m)
        for (n, one), (m, other) in combinations(enumerate(hypotheses), 2)
        if [("?" in pair) for pair in zip(one, other) if pair[0] != pair[1]] == [True]
    ]


def _tuple(hypothesis):
    return f"⟨{', '.join(hypothesis)}⟩"


def _set(hypotheses):
    return "{" + ", ".join(map(_tuple, hypotheses)) + "}"


def _tilt(taste):
    """The taste in words, with λ of P(h) ∝ e^(−λ·number of "?")."""
    if taste == 1:
        return ""
    factor = f"divides the prior by {taste:g}" if taste > 1 else f"multiplies the prior by {1 / taste:g}"
    return f" Taste: each ? {factor}, λ = {math.log(taste):.3g}."
