"""The live figures of section 02, concept learning."""

import math
from itertools import combinations, permutations, product

import numpy as np

from bayeslib import data
from bayeslib.figures import steer, user_data
from bayeslib.figures.controls import State, box, choice, menu, slider, stops
from bayeslib.figures.figure import LiveFigure, Player
from bayeslib.models.concepts import ENJOY_SPORT, ConjunctiveSpace, covers
from bayeslib.plots import concept_learning as plots
from bayeslib.plots import theme

ORDERS = [" ".join(order) for order in permutations("1234")]
# What each "?" divides the prior by: below 1 it multiplies, which prefers the general.
TASTES = [
    (f"×{1 / by:g}, general" if by < 1 else f"÷{by:g}, specific" if by > 1 else "same for all", by)
    for by in (0.25, 0.4, 0.5, 0.8, 1.0, 1.25, 2.0, 2.5, 4.0)
]


def version_space(table="EnjoySport"):
    """Figure 6.1 alive: the posterior over all hypotheses, example by example; opens on EnjoySport or PlayTennis."""
    picture = plots.VersionSpace(*theme.axes((0.105, 0.135, 0.885, 0.665), height=4.1))
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
        most = f" Most probable: {len(best)} tie, {top:.3g}."
        if len(best) == 1:
            most = f" Most probable: {_tuple(space.hypothesis(best[0]))}, against {wrong[best[0]]} of {step} labels, {top:.3g}."
        if noise == 0:
            each = f"each {top:.3g}" if np.ptp(held) < 1e-12 else f"from {held.min():.2g} to {held.max():.3g}"
            head = f"{known}: {left} of {space.size} left, {each}"
            says = f"{known} of {table} {left} of {space.size} hypotheses remain, {each}; P(D) = {after.evidence:.4g}.{deleted}"
            most = "" if len(best) == left else most
        else:
            share = f"the {left} that fit hold {held.sum():.3f}" if left else f"none fits, the best holds {top:.3f}"
            head = f"{noise}% wrong labels: {share}"
            says = (
                f"{known} of {table}, with {noise} wrong labels in 100, {left} of {space.size} hypotheses fit every row; "
                f"together they hold {held.sum():.3f} of the belief."
            )
        picture.show(marks[table], after.array, fits, best, head, last)
        return f"{says}{most}{_tilt(taste)}"

    plain = {"order": "1 2 3 4", "noise": 0, "taste": 1.0}
    sport = {**plain, "table": "EnjoySport"}
    return Player(
        picture,
        {
            "table": choice("table", ["EnjoySport", "PlayTennis"], table),
            "order": menu("order of rows 1 to 4", ORDERS, "1 2 3 4"),
            "noise": slider("wrong labels in 100", 0, 50, 0),
            "taste": stops("prior: each ?", TASTES, 1.0),
        },
        history=history,
        show=show,
        step="last",
        interval=2000,
        main=("noise", "taste"),
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
    """Candidate-Elimination step by step: the version space between S and G, and how the belief is shared among it.

    Positive days were labelled, or picked from the concept itself, which makes small hypotheses more likely.
    """
    picture = plots.Lattice(*theme.axes((0.01, 0.02, 0.98, 0.96), height=4.0))
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

    def show(history, step, taste, days):
        left, (instance, label, specific, general) = spaces[step], history[step]
        after = space.posterior(examples[:step], math.log(taste), sampled=days == "picked")
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
            f"S has probability {after[specific[0]]:.3f}; most probable: {most}, {belief.max():.3f}.{_tilt(taste)}{picked[days]}"
        )

    picked = {
        "labelled": "",
        "picked": " The positive days were picked from the concept: each has the likelihood 1/|h|.",
    }

    return Player(
        picture,
        {
            "taste": stops("prior: each ?", TASTES, 1.0),
            "days": choice("positive days", ["labelled", "picked"], "labelled"),
        },
        history=history,
        show=show,
        step="last",
        interval=2500,
        main=("taste",),
        presets={
            "equal priors": {"taste": 1.0, "days": "labelled", "step": 4},
            "specific: each ? halves": {"taste": 2.0, "days": "labelled", "step": 4},
            "general: each ? doubles": {"taste": 0.5, "days": "labelled", "step": 4},
            "picked days": {"taste": 1.0, "days": "picked", "step": 4},
        },
    )


KEYS = (0, 1, 3), (2, 4, 5)  # the attributes along the rows and along the columns of the tiles


def queries():
    """The 96 days of EnjoySport with the votes of the six hypotheses: choose a day to ask about, and label it."""
    space, days = _enjoy_sport()
    examples, six = space.check(days), space.version_space(days)
    rows, columns = ([tuple(v) for v in product(*(list(ENJOY_SPORT.values())[k] for k in keys))] for keys in KEYS)
    xlabel = "every Humidity, Water, Forecast"
    picture = plots.Queries(
        *theme.axes((0.22, 0.15, 0.37, 0.84), (0.61, 0.02, 0.385, 0.96), height=4.1),
        [*map(" ".join, rows)],
        len(columns),
        xlabel,
        [*map(" ".join, six)],
    )

    def day(row, column):
        values = dict(zip(KEYS[0] + KEYS[1], rows[row] + columns[column]))
        return tuple(values[place] for place in range(len(values)))

    def labelled(asked):
        """What has been asked so far, "3+ 17-" say: the tile's number in reading order, and its label."""
        pairs = [(divmod(int(each[:-1]), len(columns)), each[-1] == "+") for each in asked.split()]
        return examples + [(day(*tile), label) for tile, label in pairs]

    def on_tiles(array):
        return array.transpose(KEYS[0] + KEYS[1]).reshape(len(rows), len(columns))

    def show(row, column, taste, asked):
        seen = labelled(asked)
        left = space.version_space(seen)
        votes = on_tiles(space.votes(seen))
        chance = on_tiles(space.yes(seen, math.log(taste))) if left else np.zeros(votes.shape)
        uneven = np.abs(2 * chance - 1).round(9)
        kinds = np.where(uneven == uneven.min(), "best", "split")
        kinds[votes == len(left)], kinds[votes == 0] = "yes", "no"
        chosen = day(row, column)
        yes, sure = int(votes[row, column]), chance[row, column]
        no = len(left) - yes
        says = ["gone" if h not in left else "yes" if covers(h, chosen) else "no" for h in six]
        name = f"{' '.join(chosen[:3])}\n{' '.join(chosen[3:])}"
        if not left:
            words, tail = (
                "no hypothesis is left:\nthese labels refute\nthe model",
                "No conjunction is left: these labels refute the model",
            )
        else:
            mean = sure * yes + (1 - sure) * no
            words = f"P(yes) = {sure:.3f}\nyes leaves {yes}, no leaves {no}\nexpected left: {mean:.2f}"
            tail = f"P(yes) = {sure:.3f}; a label yes leaves {yes}, a label no leaves {no}, expected {mean:.2f}"
            tail += f". Only {_tuple(left[0])} is left, there is nothing to ask" if len(left) == 1 else ""
        after = space.posterior(seen, math.log(taste)) if left else {}
        beliefs = [f"{after[h]:.3f}" if h in left else "" for h in six]
        picture.show(votes, kinds, (row, column), name, says, beliefs, words)
        tally = ", ".join(f"{count} get {n}" for n, count in zip(*np.unique(votes, return_counts=True)))
        more = f"Labels added: {len(seen) - 4}. " if len(seen) > 4 else ""
        return (
            f"{more}{len(left)} of 6 hypotheses are left. Votes for yes among 96 days: {tally}. "
            f"{' '.join(chosen)} gets {yes} of {len(left)}. {tail}.{_tilt(taste)}"
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
        query = space.best_query(labelled(values["asked"]), math.log(values["taste"]))
        return {
            name: cells.index(tuple(query[k] for k in keys))
            for name, cells, keys in zip(("row", "column"), (rows, columns), KEYS)
        }

    def drag(values, axes, start, at):
        place = {**values, "row": round(at[1]), "column": round(at[0])}
        return move(place, 0, 0)

    return LiveFigure(
        picture,
        {
            "row": menu("Sky, AirTemp, Wind", [(" ".join(each), n) for n, each in enumerate(rows)], 0),
            "column": menu("Humidity and the rest", [(" ".join(each), n) for n, each in enumerate(columns)], 0),
            "taste": stops("prior: each ?", TASTES, 1.0),
            "asked": State(value=""),
        },
        show,
        presets={
            "all six say yes": {"row": 0, "column": 0, "taste": 1.0, "asked": ""},
            "three of six": {"row": 1, "column": 0, "taste": 1.0, "asked": ""},
            "none says yes": {"row": 11, "column": 0, "taste": 1.0, "asked": ""},
            "general: each ? doubles": {"row": 2, "column": 0, "taste": 0.5, "asked": ""},
        },
        actions={
            "go to the best day": best,
            "label it yes": lambda values: label(values, "+"),
            "label it no": lambda values: label(values, "-"),
            "take a label back": lambda values: {"asked": " ".join(values["asked"].split()[:-1])},
        },
        drag=drag,
        within=[0],
        keys=steer.four(move),
        help="Click a tile or move with the arrow keys; then label the day and see which rules are left.",
        main=("taste",),
        more=("row", "column"),
    )


# Of the zoo's columns those that a look at an animal, or its skeleton, can tell.
LOOKS = "hair feathers eggs milk airborne aquatic toothed backbone breathes venomous fins legs".split()
TYPES = ["mammal", "bird", "fish", "insect", "amphibian", "reptile", "invertebrate"]
SECRETS = {
    "secret rule 1": {"backbone": "yes", "aquatic": "yes"},
    "secret rule 2": {"eggs": "yes", "breathes": "yes", "airborne": "no"},
    "secret rule 3": {"toothed": "yes", "aquatic": "no"},
}
# How many animals are asked about until none is open, or no rule is left, if the best question is asked each time.
HALVING = dict(zip([*TYPES, *SECRETS], (8, 7, 12, 9, 14, 15, 7, 14, 14, 7)))


class _Learner:
    """What rules are left after some things were labelled, and what they demand; `things` are tuples of values."""

    def __init__(self, space, things):
        self.space, self.things = space, things
        self.codes = [[codes[value] for codes, value in zip(space._codes, thing)] for thing in things]

    def left(self, labels):
        return int(np.count_nonzero(self._fits(labels)))

    def _fits(self, labels):
        return self.space.errors([(self.things[number], label) for number, label in labels.items()]) == 0

    def after(self, labels):
        """`labels` maps the number of a thing to True or False, in the order of asking."""
        space = self.space
        fits = self._fits(labels)
        grid, left = fits[1:].reshape(space.shape), np.count_nonzero(fits)
        votes = [np.count_nonzero(grid[self._covering(codes)]) for codes in self.codes]
        yes = [number for number, label in labels.items() if label]
        # What covers a positive example has its value or "?" in each place: after the first the rest of the grid is empty.
        general = _most_general(grid[self._covering(self.codes[yes[0]])] if yes else grid)
        return left, votes, space.find_s([(self.things[number], True) for number in yes]), general

    def _covering(self, codes):
        return tuple(slice(code, None, last - 1 - code) for code, last in zip(codes, self.space.shape))

    def best(self, labels):
        """The first of the things whose votes are nearest to half, among those on which the rules disagree; or None."""
        left, votes, _, _ = self.after(labels)
        open_ = [number for number, yes in enumerate(votes) if 0 < yes < left and number not in labels]
        return min(open_, key=lambda number: abs(2 * votes[number] - left), default=None)

    def shown(self, labels):
        """What `plots.Tiles` shows of the tiles and of S and G, and the state itself."""
        left, votes, specific, general = state = self.after(labels)
        states = [yes / left if 0 < yes < left else "all yes" if yes else "all no" for yes in votes]
        states = states if left else ["none left"] * len(votes)
        for number, label in labels.items():
            states[number] = "yes" if label else "no"
        demanded = general.sum(axis=0)
        columns = ["S", *(user_data.plain(entry, 7) for entry in specific)] if left else []
        counts = [f"in G: {len(general)}", *(str(each) if each else "" for each in demanded)] if left else []
        return states, columns, counts, state


def _most_general(fits):
    """Which entries the most general hypotheses of a version space demand: a row of truth values for each of them.

    Between two hypotheses that fit all the others fit too: so one is most general if no value in it can become "?".
    """
    below = np.zeros_like(fits)
    for axis in range(fits.ndim):
        np.moveaxis(below, axis, -1)[..., :-1] |= np.moveaxis(fits, axis, -1)[..., -1:]
    return np.argwhere(fits & ~below) < np.array(fits.shape) - 1


def zoo():
    """Twenty questions with real animals: click one to be told whether it belongs, and see which rules are left."""
    picture = plots.Tiles(*theme.axes((0.005, 0.07, 0.665, 0.925), (0.69, 0.03, 0.305, 0.955), height=4.1))
    table = data.load_zoo()
    groups = table.groupby(LOOKS, sort=False)  # animals that look alike in these columns share a tile
    things, members = zip(*((look, rows["name"].tolist()) for look, rows in groups))
    names = [f"{each[0]} +{len(each) - 1}" if len(each) > 1 else each[0] for each in members]
    names = ["frog 2" if each == "frog" else each for each in names]  # it is venomous, the other frogs are not
    kinds = [table.loc[rows.index[0], "type"] for _, rows in groups]
    learner = _Learner(ConjunctiveSpace({name: table[name].unique().tolist() for name in LOOKS}), things)
    secrets = {name: tuple(rule.get(look, "?") for look in LOOKS) for name, rule in SECRETS.items()}
    truth = {kind: [each == kind for each in kinds] for kind in TYPES}
    truth |= {name: [covers(rule, thing) for thing in things] for name, rule in secrets.items()}

    def labels(learn, asked):
        return {int(number): truth[learn][int(number)] for number in asked.split()}

    def show(learn, at, asked):
        known = labels(learn, asked)
        states, columns, counts, (left, votes, specific, general) = learner.shown(known)
        last = deleted = ""
        if known:
            *before, number = known
            gone = learner.left({each: known[each] for each in before}) - left
            name, belongs = names[number].partition(" +")[0], "belongs" if known[number] else "does not belong"
            last, deleted = f"{name} deleted {gone:,}", f" The last, {name}, {belongs}: it deleted {gone:,}."
        picture.name(names, LOOKS)
        picture.show(states, at, f"{learn}: {len(known)} asked\n{left:,} rules left", columns, counts, last)
        opens = sum(isinstance(each, float) for each in states)
        says = f"{learn}: {len(known)} asked about, {left:,} of {learner.space.size:,} rules left, {opens} tiles open.{deleted}"
        says += f" The frame is round {names[at]}: {votes[at]:,} say yes."
        if not left:
            clash = [names[n] for n, label in known.items() if not label and covers(specific, things[n])]
            return f"{says} No conjunction fits: whatever covers all that belong also covers {', '.join(clash)}."
        if not opens:
            wrong = [
                names[n]
                for n, each in enumerate(states)
                if each in ("all yes", "all no") and truth[learn][n] != (each == "all yes")
            ]
            checked = f"wrong about {', '.join(wrong)}" if wrong else "right about all that was not asked"
            says += f" Nothing is left to ask: the rules are {checked}. Asking the best question each time takes {HALVING[learn]}."
        wanted = _demands(LOOKS, specific) if any(known.values()) else "not known before the first that belongs"
        return f"{says} S: {wanted}. G has {len(general)} rule{'s' * (len(general) != 1)}."

    def ask(values, tile):
        already = values["asked"].split()
        return {"at": tile, **({} if str(tile) in already else {"asked": " ".join([*already, str(tile)])})}

    def best(values):
        found = learner.best(labels(values["learn"], values["asked"]))
        return {} if found is None else {"at": found}

    def blind(values):
        left = [tile for tile in range(len(names)) if str(tile) not in values["asked"].split()]
        return ask(values, left[int(np.random.default_rng(len(left)).integers(len(left)))]) if left else {}

    def move(values, right, up):
        row, column = divmod(values["at"], picture.ACROSS)
        row, column = min(max(row - up, 0), picture.DOWN - 1), min(max(column + right, 0), picture.ACROSS - 1)
        return {"at": min(row * picture.ACROSS + column, len(names) - 1)}

    def drag(values, axes, start, at):
        tile = round(at[1]) * picture.ACROSS + round(at[0])
        inside = 0 <= round(at[0]) < picture.ACROSS and 0 <= tile < len(names)
        return ask(values, tile) if inside else {}

    start = {"at": 0, "asked": ""}
    return LiveFigure(
        picture,
        {
            "learn": menu("what to learn", [*TYPES, *SECRETS], "mammal"),
            "at": State(value=0),
            "asked": State(value=""),
        },
        show,
        presets={
            "mammal": {"learn": "mammal", **start},
            "mammal, by halves": {"learn": "mammal", "at": 21, "asked": "0 12 11 17 23 6 9 21"},
            "reptile: no rule": {"learn": "reptile", "at": 0, "asked": ""},
            "a secret rule": {"learn": "secret rule 1", **start},
        },
        actions={
            "ask about this one": lambda values: ask(values, values["at"]),
            "go to the best question": best,
            "ask at random": blind,
            "take one back": lambda values: {"asked": " ".join(values["asked"].split()[:-1])},
        },
        drag=drag,
        within=[0],
        keys={**steer.four(move), **steer.press(lambda values: ask(values, values["at"]))},
        help="Click an animal to ask about it; or move with the arrow keys and ask with Enter.",
    )


FILMS = """film, long, old, funny, animals, liked
Alien, no, yes, no, yes, no
Airplane!, no, yes, yes, no, yes
Babe, no, no, yes, yes, yes
Ben-Hur, yes, yes, no, yes, no
Up, no, no, yes, yes, ?
Titanic, yes, no, no, no, ?
Duck Soup, no, yes, yes, no, ?
Jaws, yes, yes, yes, yes, ?"""
CLASH = """mushroom, cap, ring, edible
first, red, yes, no
second, brown, no, no
third, red, no, yes
fourth, brown, yes, yes"""


def own_rule():
    """The reader's own table: which rules explain its labels, and which row without a label to ask about next."""
    picture = plots.Tiles(*theme.axes((0.005, 0.07, 0.665, 0.925), (0.69, 0.03, 0.305, 0.955), height=4.1))

    def show(text):
        names, things, attributes, labels = _labelled(text)
        domains = {name: list(dict.fromkeys(values)) for name, values in zip(attributes, zip(*things))}
        space = ConjunctiveSpace(domains)
        if space.size > 2_000_000:
            raise ValueError(f"your table must allow at most 2,000,000 rules, got {space.size:,}: leave out a column")
        learner = _Learner(space, things)
        states, columns, counts, (left, votes, specific, general) = learner.shown(labels)
        best = learner.best(labels)
        picture.name([user_data.plain(name, 14) for name in names], [user_data.plain(name, 10) for name in attributes])
        ask = "" if best is None else f"ask: {user_data.plain(names[best], 20)}"
        picture.show(states, best, f"{len(labels)} rows labelled\n{left:,} rules left", columns, counts, ask)
        said = f"{len(labels)} of {len(names)} rows are labelled, {left:,} of {space.size:,} rules agree with them."
        if not left:
            clash = ", ".join(
                user_data.plain(names[n], 20)
                for n, label in labels.items()
                if not label and covers(specific, things[n])
            )
            return f"{said} No conjunction fits: whatever covers every yes also covers {user_data.plain(clash, 200)}."
        wanted = _demands(attributes, specific) if any(labels.values()) else "not yet known"
        ask = (
            "no row is open"
            if best is None
            else f"label “{user_data.plain(names[best], 20)}” next, {votes[best]:,} say yes"
        )
        return f"{said} S: {user_data.plain(wanted, 300)}. G has {len(general)} rule{'s' * (len(general) != 1)}; {ask}."

    return LiveFigure(
        picture,
        {"text": box("your table", FILMS, lines=3, file=True)},
        show,
        presets={"films": {"text": FILMS}, "no rule fits": {"text": CLASH}},
    )


def _labelled(text):
    """(names, things, attributes, labels) of a typed table: names first, labels last, which may be missing."""
    table = user_data.table(text, most_rows=plots.Tiles.MOST)
    if len(table.columns) < 3:
        raise ValueError("your table must have a column of names, at least one that describes, and one of labels")
    names, attributes = table.iloc[:, 0].tolist(), list(table.columns[1:-1])
    things = [*table.iloc[:, 1:-1].itertuples(index=False, name=None)]
    if any(entry in ("", "?", "∅") for thing in things for entry in thing):
        raise ValueError("your table must say something in every column that describes, got an empty entry or a mark")
    said = {"yes": True, "no": False, "1": True, "0": False, "true": True, "false": False, "": None, "?": None}
    given = [each.lower() for each in table.iloc[:, -1]]
    if wrong := [each for each in given if each not in said]:
        raise ValueError(f"your table must have yes, no or ? in its last column, got {user_data.plain(wrong[0], 20)!r}")
    return names, things, attributes, {n: said[each] for n, each in enumerate(given) if said[each] is not None}


def _demands(attributes, hypothesis):
    """A conjunction in words."""
    said = [
        f"{user_data.plain(name, 20)} {user_data.plain(entry, 20)}"
        for name, entry in zip(attributes, hypothesis)
        if entry != "?"
    ]
    return ", ".join(said) or "nothing is demanded"


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
    """The preference in words, with λ of P(h) ∝ e^(−λ·number of "?")."""
    if taste == 1:
        return ""
    factor = f"divides the prior by {taste:g}" if taste > 1 else f"multiplies the prior by {1 / taste:g}"
    return f" Each ? {factor}, λ = {math.log(taste):.3g}."
