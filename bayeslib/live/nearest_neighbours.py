"""The live figures of section 14, nearest neighbours."""

from functools import cache, lru_cache

import numpy as np

from bayeslib import data
from bayeslib.figures import steer, user_data
from bayeslib.figures.controls import State, box, choice, slider, stops
from bayeslib.figures.figure import LiveFigure, Player
from bayeslib.models.neighbors import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    cell_area,
    kd_borders,
    kd_search,
    kd_tree,
    limit_error,
    voronoi_cells,
)
from bayeslib.plots import nearest_neighbours as plots
from bayeslib.plots import theme
from bayeslib.plots.nearest_neighbours import NAMED, NAMES


def _grid(left, right, bottom, top, columns, rows):
    """The middles of the cells of a grid over a map, bottom row first."""
    x, y = (np.arange(columns) + 0.5) / columns, (np.arange(rows) + 0.5) / rows
    return np.stack(np.meshgrid(left + (right - left) * x, bottom + (top - bottom) * y), axis=-1).reshape(-1, 2)


# The map

MAP, SHAPE, MOST = (0.0, 1.5, 0.0, 1.0), (120, 180), 40
NINE = [  # made up
    [0.18, 0.76, 0],
    [0.42, 0.55, 0],
    [0.24, 0.3, 0],
    [0.58, 0.84, 0],
    [0.55, 0.2, 0],
    [1.0, 0.72, 1],
    [1.28, 0.5, 1],
    [0.98, 0.26, 1],
    [1.3, 0.86, 1],
]
STRAY = [*NINE[:4], [1.12, 0.55, 0], *NINE[5:]]
ROW = [[0.1 + 0.2 * number, 0.5, number % 2] for number in range(7)]
THIRTY = [
    [round(1.5 * x, 3), round(y, 3), int(1.5 * x + 0.3 * noise > 0.75)]
    for x, y, noise in np.random.default_rng(1).uniform((0.03, 0.04, -1), (0.97, 0.96, 1), (30, 3)).tolist()
]
NUDGE = 0.02


def drag_cells():
    """Points of two classes to drag, add and remove; the cells of the nearest and the regions of 3 and 7 follow."""
    picture = plots.DragCells(
        *theme.axes((0.045, 0.08, 0.655, 0.9), (0.725, 0.03, 0.265, 0.94), height=4.2), MAP, SHAPE
    )
    grid = _grid(*MAP, *SHAPE[::-1])

    def picked(points, chosen):
        """The chosen point; where there are fewer, the last."""
        return min(chosen, len(points) - 1)

    def show(points, chosen, query, k):
        places, classes = np.array(points)[:, :2], np.array(points)[:, 2].astype(int)
        model = KNeighborsClassifier(k).fit(places, classes)
        asked, chosen = model.kneighbors([query])[1][0], picked(points, chosen)
        if k == 1:
            land, cells = None, voronoi_cells(places, MAP)
            areas = np.array([cell_area(cell) for cell in cells]) / ((MAP[1] - MAP[0]) * (MAP[3] - MAP[2]))
            triangles = float(areas[classes == 1].sum())
        else:
            land, cells = model.predict(grid).reshape(SHAPE), []
            triangles = float(land.mean())
        picture.show(places, classes, land, cells, chosen, query, asked, (1 - triangles, triangles))
        share = f" has a cell of {areas[chosen]:.1%} of the map" if k == 1 else ""
        x, y, label = points[chosen]
        votes = [int((classes[asked] == each).sum()) for each in (0, 1)]
        who = "nearest point" if k == 1 else f"{k} nearest points"
        return (
            f"{len(points)} points, k = {k}. Circles get {1 - triangles:.1%} of the map, triangles {triangles:.1%}. "
            f"Point {chosen + 1}, a {NAMES[label]} at ({x:.2f}, {y:.2f}){share or ' is chosen'}. The query at "
            f"({query[0]:.2f}, {query[1]:.2f}) asks its {who}: {theme.count(votes[0], 'circle')}, "
            f"{theme.count(votes[1], 'triangle')}, so {NAMES[int(votes[1] > votes[0])]}."
        )

    def clipped(place):
        left, right, bottom, top = MAP
        return [round(float(np.clip(place[0], left, right)), 3), round(float(np.clip(place[1], bottom, top)), 3)]

    def moved(values, number, place):
        points = [list(point) for point in values["points"]]
        points[number][:2] = clipped(place)
        return {"points": points, "chosen": number}

    def drag(values, axes, start, at):
        """A point that is grabbed moves; a press beside all points moves the query."""
        away = np.hypot(*(np.array(values["points"])[:, :2] - start).T)
        return moved(values, int(away.argmin()), at) if away.min() < 0.045 else {"query": clipped(at)}

    def nudge(values, x, y):
        chosen = picked(values["points"], values["chosen"])
        return moved(values, chosen, np.add(values["points"][chosen][:2], (NUDGE * x, NUDGE * y)))

    def walk(values, x, y):
        return {"query": clipped(np.add(values["query"], (NUDGE * x, NUDGE * y)))}

    def add(values, label):
        if len(values["points"]) == MOST:
            return {}
        return {"points": [*values["points"], [*values["query"], label]], "chosen": len(values["points"])}

    def remove(values):
        chosen = picked(values["points"], values["chosen"])
        left = [point for number, point in enumerate(values["points"]) if number != chosen]
        return {"points": left, "chosen": max(chosen - 1, 0)} if left else {}

    def turn(values):
        points = [list(point) for point in values["points"]]
        points[picked(points, values["chosen"])][2] ^= 1
        return {"points": points}

    def following(values):
        return {"chosen": (values["chosen"] + 1) % len(values["points"])}

    actions = {
        "choose next": following,
        "add a circle at the cross": lambda values: add(values, 0),
        "add a triangle": lambda values: add(values, 1),
        "remove": remove,
        "flip its class": turn,
    }
    return LiveFigure(
        picture,
        {
            "points": State(value=NINE),
            "chosen": State(value=0),
            "query": State(value=[0.8, 0.66]),
            "k": choice("neighbours asked", [(str(k), k) for k in (1, 3, 7)], 1),
        },
        show,
        presets={
            "nine points": {"points": NINE, "chosen": 0, "k": 1},
            "a stray circle": {"points": STRAY, "chosen": 4, "k": 1},
            "the stray, k = 3": {"points": STRAY, "chosen": 4, "k": 3},
            "on one line": {"points": ROW, "chosen": 0, "k": 1},
            "thirty points": {"points": THIRTY, "chosen": 0, "k": 1},
        },
        actions=actions,
        drag=drag,
        within=[0],
        keys={
            **steer.four(nudge),
            **steer.four(walk, "adsw"),
            **dict(zip("notxc", actions.values())),
        },
        help="Drag a point, or click beside them to move the cross. Keys: n next point, arrows move it, w a s d move the "
        "cross, o and t add a circle or triangle there, x removes, c flips the class.",
    )


# Regions and error against k

KS = [1, 3, 5, 7, 9, 13, 19, 25, 35, 49, 65, 81, 99]
CELLS = 171  # two pixels each
NOISES, SAMPLES = [0, 10, 20, 30], range(4)


def _wave(x):
    """The true border of the noisy map: class 1 lies above it."""
    return 0.5 + 0.25 * np.sin(2 * np.pi * x)


@lru_cache
def _sample(number):
    """(places, a uniform number each for the noise, neighbours of every grid cell and of every row), 100 rows."""
    random = np.random.default_rng(number)
    places, chance = random.random((100, 2)), random.random(100)
    model = KNeighborsClassifier(1).fit(places, np.zeros(100))
    pieces = np.array_split(_grid(0, 1, 0, 1, CELLS, CELLS), 8)
    of_cells = np.concatenate([model.kneighbors(piece, 99)[1].astype(np.int8) for piece in pieces])
    return places, chance, of_cells, model.kneighbors(places, 99)[1], model.kneighbors(n_neighbors=99)[1]


@lru_cache
def _noisy(number, noise):
    """(labels, regions for each k, the three errors for each k) of a sample; every vote is a running sum of labels."""
    places, chance, *neighbours = _sample(number)
    labels = ((places[:, 1] > _wave(places[:, 0])) ^ (chance < noise / 100)).astype(np.int8)
    ones = [np.cumsum(labels[rows], axis=1, dtype=np.int8)[:, np.array(KS) - 1] for rows in neighbours]
    cells, training, left_out = ((2 * each > KS).astype(int).T for each in ones)
    grid = _grid(0, 1, 0, 1, CELLS, CELLS)
    truth = grid[:, 1] > _wave(grid[:, 0])
    differs = (cells != truth).mean(axis=1)
    true = noise / 100 + (1 - 2 * noise / 100) * differs
    return labels, cells, [(training != labels).mean(axis=1), (left_out != labels).mean(axis=1), true]


def k_regions():
    """The regions of k-NN on noisy data while k grows, beside its training, leave-one-out and true error."""
    picture = plots.KRegions(*theme.axes((0.012, 0.09, 0.38, 0.89), (0.475, 0.16, 0.515, 0.7)), KS, (CELLS, CELLS))
    border = np.linspace(0, 1, 101)
    for number in SAMPLES:  # once, so that a change of the sample is as quick as any other
        _sample(number)

    def show(k, noise, sample):
        labels, cells, errors = _noisy(sample, noise)
        at, places = KS.index(k), _sample(sample)[0]
        picture.show(places, labels, cells[at].reshape(CELLS, CELLS), (border, _wave(border)), errors, noise / 100, k)
        training, left_out, true = (row[at] for row in errors)
        best = KS[int(np.argmin(errors[1]))]
        return (
            f"k = {k} on 100 points of sample {sample + 1}, {noise}% of the labels flipped: training error {training:.2f}, "
            f"leave-one-out {left_out:.2f}, true {true:.3f}; the best possible is {noise / 100:.2f}. Leave-one-out is least at "
            f"k = {best}, where the true error is {errors[2][KS.index(best)]:.3f}."
        )

    return LiveFigure(
        picture,
        {
            "k": stops("neighbours k", KS, 1),
            "noise": stops("flipped labels, %", NOISES, 20),
            "sample": choice("sample", [(str(number + 1), number) for number in SAMPLES], 0),
        },
        show,
        presets={
            "k = 1": {"k": 1, "noise": 20},
            "k = 3": {"k": 3, "noise": 20},
            "k = 7": {"k": 7, "noise": 20},
            "k = 25": {"k": 25, "noise": 20},
            "k = 99, nearly all": {"k": 99, "noise": 20},
            "no noise": {"k": 1, "noise": 0},
        },
        keys=steer.along("k", KS),
        help="Left and right arrows change k.",
    )


# The coin, with more and more data

COIN_KS, NS, PIXELS = [1, 3, 9, 25], [10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000], 300
QUERIES = (np.arange(200) + 0.5) / 200


@lru_cache
def _line(n):
    """A line of n points: (x, a uniform number each, neighbours of every pixel)."""
    random = np.random.default_rng(n)
    x, chance = random.random(n), random.random(n)
    model = KNeighborsClassifier(1).fit(x[:, None], np.zeros(n))
    return x, chance, model.kneighbors((np.arange(PIXELS)[:, None] + 0.5) / PIXELS, min(n, max(COIN_KS)))[1]


@lru_cache
def _across(n):
    """For each k: how often j = 0, 1 … k of a query's neighbours lie on the other side of ½, over many samples of n points."""
    random = np.random.default_rng(100 + n)
    counts = [np.zeros(k + 1) for k in COIN_KS]
    most = min(n, max(COIN_KS))
    for _ in range(60 if n <= 100 else 12):
        x = random.random((n, 1))
        rows = KNeighborsClassifier(1).fit(x, np.zeros(n)).kneighbors(QUERIES[:, None], most)[1]
        other = np.cumsum((x[rows, 0] < 0.5) != (QUERIES < 0.5)[:, None], axis=1)
        for count, k in zip(counts, COIN_KS):
            if k <= n:
                count += np.bincount(other[:, k - 1], minlength=k + 1)
    return [count / max(count.sum(), 1) for count in counts]


def _coin_error(p, n):
    """The expected error of k-NN for each k: exact over the labels, given how many neighbours sit across the border.

    With j neighbours across, the right answer gets Binomial(k − j, p) + Binomial(j, 1 − p) votes.
    """
    errors = []
    for k, shares in zip(COIN_KS, _across(n)):
        if k > n:
            errors.append(np.nan)
            continue
        right = np.array([_majority(k, j, p) for j in np.flatnonzero(shares)])
        errors.append(float(((1 - p) * right + p * (1 - right)) @ shares[shares > 0]))
    return errors


@cache
def _majority(k, j, p):
    votes = np.ones(1)
    for chance in [p] * (k - j) + [1 - p] * j:
        votes = np.convolve(votes, [1 - chance, chance])
    return float(votes[k // 2 + 1 :].sum())


@cache
def _coin_curves(p):
    return np.array([_coin_error(p, n) for n in NS]).T


def coin_limit():
    """One neighbour or many on a line of coins, with more and more data: towards Gibbs, and towards Bayes optimal."""
    picture = plots.CoinLimit(*theme.axes((0.085, 0.15, 0.37, 0.83), (0.54, 0.15, 0.45, 0.7)), COIN_KS, NS, PIXELS)

    def show(n, p):
        p /= 100
        x, chance, rows = _line(n)
        labels = chance < np.where(x < 0.5, 1 - p, p)
        bands = [(2 * labels[rows[:, :k]].sum(axis=1) > k).astype(int) if k <= n else None for k in COIN_KS[::-1]]
        best = (np.arange(PIXELS) >= PIXELS // 2).astype(int)
        errors, bayes, gibbs = _coin_curves(p), 1 - p, limit_error(p)
        limits = [
            (f"Bayes {bayes:.2f}" if bayes > 0.06 else "", bayes),
            (f"2p(1−p) = {gibbs:.4g}", gibbs),
            (f"twice Bayes {2 * bayes:.2f}" if 2 * bayes - gibbs > 0.04 else "", 2 * bayes),
        ]
        picture.show([*bands, best], errors, limits, n)
        at = errors[:, NS.index(n)]
        told = ", ".join(f"{k}-NN {error:.3f}" for k, error in zip(COIN_KS, at) if k <= n)
        return (
            f"p = {p:.2f}, n = {n}: error {told}. In the limit of infinite data 1-NN errs with 2p(1−p) = {gibbs:.4f}, 25-NN with "
            f"{limit_error(p, 25):.4f}; the best possible is {bayes:.2f}, and twice that {2 * bayes:.2f}."
        )

    return LiveFigure(
        picture,
        {"n": stops("training points n", NS, 30), "p": slider("p, %", 50, 98, 80)},
        show,
        presets={
            "10 points": {"n": 10, "p": 80},
            "100 points": {"n": 100, "p": 80},
            "3000 points": {"n": 3000, "p": 80},
            "hardly any noise": {"n": 3000, "p": 98},
            "a fair coin": {"n": 3000, "p": 50},
        },
        keys={**steer.along("n", NS), **steer.by("p", keys=steer.UP)},
        help="Left and right arrows change n, up and down p.",
    )


# Units

PEOPLE = np.array(  # J and K of the lesson, then eight more; made up
    [
        (1.60, 70),
        (1.88, 76),
        (1.55, 58),
        (1.66, 63),
        (1.74, 66),
        (1.70, 78),
        (1.79, 82),
        (1.93, 84),
        (1.96, 70),
        (1.81, 60),
    ]
)
BODY = (1.5, 2.0, 55.0, 87.0)
UNITS = [1, 2, 5, 10, 13, 14, 20, 50, 100, 200, 500, 1000]


def height_unit():
    """Two people, a query, and the unit in which height is written down: it decides who is near."""
    picture = plots.HeightUnit(*theme.axes((0.085, 0.15, 0.52, 0.83), (0.65, 0.1, 0.34, 0.89)), BODY)

    def show(unit, height, weight, people):
        here, query, factors = PEOPLE[:people], (height / 100, float(weight)), np.array([unit, 1.0])
        model = KNeighborsClassifier(1, scale=factors).fit(here, range(people))
        nearest = int(model.predict([query])[0])
        cells = voronoi_cells(here * factors, np.multiply(BODY, np.repeat(factors, 2)))
        cells = [cell / factors for cell in cells]
        squares = ((np.array(query) - here[:2]) * factors) ** 2
        words = {1: "1 m = 1: metres", 100: "1 m = 100: centimetres", 1000: "1 m = 1000: millimetres"}
        picture.show(here, query, cells, nearest, squares.tolist(), words.get(unit, f"1 m = {unit}"))
        far = np.sqrt(squares.sum(axis=1))
        return (
            f"1 m counts as {unit}. Query {query[0]:.2f} m, {weight} kg: J is {far[0]:.4g} away, K {far[1]:.4g}; height makes "
            f"{squares[0, 0] / max(squares[0].sum(), 1e-12):.1%} of the squared distance to J. The nearest of {people} is {NAMED[nearest]}."
        )

    def drag(values, axes, start, at):
        return {"height": int(np.clip(round(100 * at[0]), 152, 198)), "weight": int(np.clip(round(at[1]), 56, 86))}

    lesson = {"height": 186, "weight": 72}
    return LiveFigure(
        picture,
        {
            "unit": stops("1 m counts as", UNITS, 1),
            "height": slider("query: height, cm", 152, 198, 186),
            "weight": slider("query: weight, kg", 56, 86, 72),
            "people": choice("people", [("two", 2), ("ten", 10)], 2),
        },
        show,
        presets={
            "metres": {**lesson, "unit": 1, "people": 2},
            "centimetres": {**lesson, "unit": 100, "people": 2},
            "ten people, metres": {**lesson, "unit": 1, "people": 10},
            "ten people, cm": {**lesson, "unit": 100, "people": 10},
        },
        drag=drag,
        within=[0],
        keys={**steer.along("unit", UNITS, "[]"), **steer.by("height"), **steer.by("weight", keys=steer.UP)},
        help="Drag the cross; arrows move it, [ and ] change the unit.",
    )


# Useless columns

USELESS = [0, 1, 2, 5, 10, 20, 50]
ASKED = {100: (30, 500), 1000: (4, 500)}  # samples, and queries of each


def _growing(random, n, queries):
    """Squared distances of queries to rows with 0, 1, 2, 5 … useless columns beside the useful one."""
    from_rows, to = random.random((n, 1 + max(USELESS))), random.random((queries, 1 + max(USELESS)))
    total, done = np.zeros((queries, n)), 0
    for columns in USELESS:
        for column in range(done, columns + 1):
            total += (to[:, [column]] - from_rows[:, column]) ** 2
        done = columns + 1
        yield from_rows, to, total


@lru_cache
def _useless_errors(n):
    """The error of 1-NN and of 7-NN for each number of useless columns, over many queries."""
    (samples, queries), random = ASKED[n], np.random.default_rng(n)
    wrong = np.zeros((2, len(USELESS)))
    for _ in range(samples):
        for place, (rows, to, total) in enumerate(_growing(random, n, queries)):
            near = np.argpartition(total, 6, axis=1)[:, :7]
            closest = near[np.arange(queries), np.take_along_axis(total, near, axis=1).argmin(axis=1)]
            label, truth = rows[:, 0] > 0.5, to[:, 0] > 0.5
            wrong[0, place] += (label[closest] != truth).mean()
            wrong[1, place] += ((label[near].sum(axis=1) > 3) != truth).mean()
    return wrong / samples


def _useless_rows(n):
    random = np.random.default_rng(44_000 + n)
    return random.random((n, 1 + max(USELESS))), random.random(n), random.random(max(USELESS))


def useless_columns():
    """One attribute decides the class; columns of noise are added until the neighbours mean nothing."""
    picture = plots.UselessColumns(*theme.axes((0.04, 0.15, 0.44, 0.76), (0.57, 0.15, 0.42, 0.7)), USELESS)
    samples = {n: _useless_rows(n) for n in ASKED}

    def show(columns, k, n, query):
        rows, jitter, rest = samples[n]
        used, labels = rows[:, : 1 + columns], (rows[:, 0] > 0.5).astype(int)
        place = np.array([query, *rest[:columns]])
        model = KNeighborsClassifier(k).fit(used, labels)
        asked = model.kneighbors([place])[1][0]
        away = np.sqrt(((used - place) ** 2).sum(axis=1))
        at, errors = USELESS.index(columns), _useless_errors(n)
        error = errors[(1, 7).index(k), at]
        picture.show(np.column_stack([rows[:, 0], jitter]), labels, query, asked, errors, (at, error))
        apart = np.abs(rows[asked, 0] - query).mean()
        named = NAMES[int(model.predict([place])[0])]
        return (
            f"{theme.count(columns, 'useless column')}, n = {n}, k = {k}: error {error:.3f}. The query at "
            f"x₁ = {query:.2f} is a {NAMES[int(query > 0.5)]}; its neighbours lie {apart:.3f} off in x₁ on average and say "
            f"{named}. The nearest row is {away.min() / away.max():.2f} times as far as the farthest."
        )

    return LiveFigure(
        picture,
        {
            "columns": stops("useless columns", USELESS, 0),
            "query": slider("query: x₁", 0.0, 1.0, 0.4, step=0.01),
            "k": choice("k", [("1", 1), ("7", 7)], 7),
            "n": choice("rows", [("100", 100), ("1000", 1000)], 100),
        },
        show,
        presets={
            "none": {"columns": 0, "k": 7, "n": 100},
            "five": {"columns": 5, "k": 7, "n": 100},
            "twenty": {"columns": 20, "k": 7, "n": 100},
            "twenty, 1000 rows": {"columns": 20, "k": 7, "n": 1000},
        },
        drag=steer.drag("query", digits=2),
        within=[0],
        keys={**steer.by("query", 0.01), **steer.along("columns", USELESS, steer.UP)},
        help="Drag the query in the left picture; left and right arrows move it, up and down change the columns.",
    )


# The reader's own table

PEOPLE_TABLE = """height, shoe, house, group
1.31, 33, 112, child
1.38, 35, 18, child
1.27, 31, 77, child
1.42, 37, 23, child
1.35, 34, 9, child
1.45, 36, 64, child
1.29, 32, 190, child
1.40, 36, 143, child
1.62, 38, 31, adult
1.75, 43, 88, adult
1.58, 37, 170, adult
1.83, 45, 52, adult
1.69, 39, 187, adult
1.78, 42, 105, adult
1.55, 36, 98, adult
1.66, 40, 14, adult"""
MOST_COLUMNS, MOST_ROWS, OWN_KS, AS_THEY_ARE = 8, 100, [1, 3, 5, 7, 9], "as they are"


@lru_cache
def _own_table(text):
    """(names of the columns, rows of numbers, classes) of a table whose last column is the class."""
    table = user_data.table(text, most_rows=MOST_ROWS, most_columns=MOST_COLUMNS + 1)
    *columns, last = table.columns
    if len(columns) < 2:
        raise ValueError("your table must have at least two columns of numbers before the class")
    if table[last].nunique() < 2:
        raise ValueError(f"the last column of your table must have at least two classes, got {table[last][0]!r} only")
    return columns, np.column_stack([user_data.number_column(table, name) for name in columns]), table[last].tolist()


@lru_cache
def _column_errors(text, k, scale):
    """Leave-one-out with all columns, without each, and with each counted ten times."""
    _, rows, classes = _own_table(text)
    if k >= len(rows):
        raise ValueError(f"your table must have more than k = {k} rows, got {len(rows)}")
    factors = KNeighborsClassifier(k, scale=None if scale == AS_THEY_ARE else scale).fit(rows, classes).scale_

    def error(times):
        return KNeighborsClassifier(k, scale=factors * times).fit(rows, classes).leave_one_out()

    one = np.eye(len(factors))
    return error(1), [error(1 - each) for each in one], [error(1 + 9 * each) for each in one]


def which_columns():
    """A table, the reader's own or one of people: which column helps, which one harms, and what a unit does."""
    picture = plots.WhichColumns(*theme.axes((0.22, 0.14, 0.76, 0.74)), MOST_COLUMNS)

    def show(text, k, scale):
        columns, rows, _ = _own_table(text)
        whole, without, tenfold = _column_errors(text, k, scale)
        names = [user_data.plain(name, 12) for name in columns]
        errors = [whole, *without]
        words = [f"{each:.2f} ({round(each * len(rows))} of {len(rows)})" for each in errors]
        picture.show(["all columns", *(f"without {name}" for name in names)], errors, words, tenfold)
        best, worst = int(np.argmin(without)), int(np.argmax(without))
        scaled = "each divided by its standard deviation" if scale == "standard" else AS_THEY_ARE
        return (
            f"{len(rows)} rows and {len(columns)} columns, {scaled}, k = {k}: leave-one-out error {whole:.2f} with all columns. "
            f"It is least without {names[best]}, {without[best]:.2f}, and largest without {names[worst]}, {without[worst]:.2f}. "
            f"With {names[0]} counted ten times it is {tenfold[0]:.2f}."
        )

    return LiveFigure(
        picture,
        {
            "text": box("your table, class last", PEOPLE_TABLE, lines=3, file=True),
            "k": stops("neighbours k", OWN_KS, 3),
            "scale": choice(
                "columns", [("as they are", AS_THEY_ARE), ("÷ standard deviation", "standard")], AS_THEY_ARE
            ),
        },
        show,
        presets={
            "sixteen people": {"text": PEOPLE_TABLE, "k": 3, "scale": AS_THEY_ARE},
            "scaled": {"text": PEOPLE_TABLE, "k": 3, "scale": "standard"},
        },
        keys=steer.along("k", OWN_KS),
        help="Left and right arrows change k. Type or paste a table, or choose a file: a line of names, then numbers and a class.",
        main=("k",),
    )


# The tree

EASY, AWKWARD = [0.56, 0.62], [0.56, 0.28]


def _tree(n):
    """(places, tree, its borders) of n points on the map."""
    places = np.random.default_rng(5).uniform((0.02, 0.02), (1.48, 0.98), (n, 2))
    tree = kd_tree(places)
    return places, tree, kd_borders(tree, places, MAP)


def _corners(box):
    (left, bottom), (right, top) = np.clip(box, [MAP[0], MAP[2]], [MAP[1], MAP[3]])
    return [(left, bottom), (right, bottom), (right, top), (left, top)]


def _within(places, box):
    """The rows of a box, without those on its border, which belong to the tree above it."""
    return ((places > box[0]) & (places < box[1])).all(axis=1)


def search_tree():
    """A k-d tree looks for the nearest point: what it measures, and which boxes it skips."""
    picture = plots.KdSearch(*theme.axes((0.012, 0.02, 0.69, 0.96), (0.74, 0.1, 0.25, 0.85), height=4.2))
    trees = {points: _tree(points) for points in (15, 31, 63, 127)}

    def history(points, query):
        places, tree, _ = trees[points]
        return [None, *kd_search(tree, places, query)]

    def show(history, step, points, query):
        places, _, borders = trees[points]
        done = history[1 : step + 1]
        visited = [each.row for each in done if each.kind == "visit"]
        pruned = [each for each in done if each.kind == "prune"]
        skipped = sum(int(_within(places, each.box).sum()) for each in pruned)
        last = history[step]
        best, distance = (last.best, last.distance) if last else (None, 0.0)
        counts = [len(visited), skipped, points - len(visited) - skipped]
        now, boxes = _corners(last.box) if last else None, [_corners(each.box) for each in pruned]
        entered = last is not None and last.kind == "visit"
        picture.show(places, borders, query, visited, best, distance, boxes, now, entered, counts)
        if not last:
            return (
                f"A tree of {points} points, and a query at ({query[0]:.2f}, {query[1]:.2f}). Nothing is measured yet."
            )
        so_far = f"{len(visited)} measured, {skipped} skipped of {points}."
        if last.kind == "visit":
            mine = float(np.hypot(*(places[last.row] - query)))
            does = (
                f"the distance to point {last.row + 1} is {mine:.3f}, "
                f"{'the best so far' if last.best == last.row else f'the best stays {distance:.3f}'}"
            )
        else:
            does = (
                f"the border through point {last.row + 1} is {last.gap:.3f} away, more than the best distance {distance:.3f}: "
                f"the box behind it, with {theme.count(int(_within(places, last.box).sum()), 'point')}, is skipped unseen"
            )
        found = f" The nearest is point {best + 1}." if step == len(history) - 1 else ""
        return f"Step {step} of {len(history) - 1}: {does}. {so_far}{found}"

    def clipped(place):
        return [round(float(np.clip(place[0], 0.01, 1.49)), 2), round(float(np.clip(place[1], 0.01, 0.99)), 2)]

    def drag(values, axes, start, at):
        return {"query": clipped(at)}

    def walk(values, x, y):
        return {"query": clipped(np.add(values["query"], (NUDGE * x, NUDGE * y)))}

    def searched(points, query):
        return {"points": points, "query": query, "step": len(history(points, query)) - 1}

    return Player(
        picture,
        {"query": State(value=EASY), "points": choice("points", [(str(n), n) for n in trees], 31)},
        history=history,
        show=show,
        presets={
            "31 points": {"points": 31, "query": EASY, "step": 0},
            "the whole search": searched(31, EASY),
            "an awkward query": searched(31, AWKWARD),
            "127 points": searched(127, EASY),
        },
        drag=drag,
        within=[0],
        keys=steer.four(walk, "adsw"),
        help="Drag the cross (keys w a s d); left and right arrows step, Home restarts, Space plays and pauses.",
    )


# Numbers


def _hill():
    """25 noisy points of a hill and a valley."""
    random = np.random.default_rng(14)
    x = np.sort(random.uniform(0, 10, 25)).round(2)
    return x, (2 + 1.5 * np.sin(0.75 * x) + random.normal(0, 0.35, 25)).round(2)


def mean_of_neighbours():
    """k-NN for numbers: a curve of steps, and at the query the mean of the neighbours' values."""
    x, y = _hill()
    limits = (-0.6, 4.6)
    picture = plots.MeanOfNeighbours(*theme.axes((0.07, 0.14, 0.92, 0.76)), x, y, limits)
    across = np.linspace(-0.3, 10.3, 1061)

    def show(k, query, weights):
        model = KNeighborsRegressor(k, weights).fit(x[:, None], y)
        distances, rows = model.kneighbors([[query]])
        rows, reach = rows[0], distances[0, -1]
        answer = float(model.predict([[query]])[0])
        curve = model.predict(across[:, None])
        picture.show(across, curve, query, answer, np.column_stack([x[rows], y[rows]]), (query - reach, query + reach))
        jumps = int((np.abs(np.diff(curve)) > 1e-9).sum()) if weights == "uniform" else None
        values = ", ".join(f"{value:.2f}" for value in y[rows][:5]) + (" …" if k > 5 else "")
        mean = "their mean" if weights == "uniform" else "their mean weighted by 1/d"
        steps = f"The curve makes {jumps} steps. " if jumps is not None else "The curve passes through every point. "
        error = (
            f"{model.leave_one_out():.3f}" if k < len(x) else "none, because with k = n no neighbour is left for a row"
        )
        return (
            f"k = {k}, query x = {query:.1f}: the nearest have y = {values}; {mean} is {answer:.3f}. {steps}"
            f"Leave-one-out squared error: {error}."
        )

    return LiveFigure(
        picture,
        {
            "k": slider("neighbours k", 1, 25, 1),
            "query": slider("query: x", 0.0, 10.0, 3.2, step=0.1),
            "weights": choice("weights", [("all alike", "uniform"), ("1/distance", "distance")], "uniform"),
        },
        show,
        presets={
            "1-NN": {"k": 1, "weights": "uniform"},
            "5-NN": {"k": 5, "weights": "uniform"},
            "all 25": {"k": 25, "weights": "uniform"},
            "5-NN, 1/distance": {"k": 5, "weights": "distance"},
        },
        drag=steer.drag("query", digits=1),
        keys={**steer.by("query", 0.1), **steer.by("k", keys=steer.UP)},
        help="Drag the query; left and right arrows move it, up and down change k.",
    )


# Handwritten digits

KEPT, AS_IT_IS = 1198, "as it is"
MOVES = {AS_IT_IS: (0, 0), "left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}  # rows down, columns across
# How many of the 599 images after the first 1198 are wrong, for each k and whether moved copies are kept, by move.
WRONG = {
    (1, False): (21, 262, 224, 208, 181),
    (1, True): (19, 21, 19, 21, 20),
    (3, False): (18, 279, 259, 223, 198),
    (3, True): (14, 19, 14, 23, 25),
    (5, False): (21, 278, 262, 225, 200),
    (5, True): (17, 19, 18, 26, 24),
}
NINE_IMAGE, EMPTY = 1227, [0] * 64
SHUFFLED = np.random.default_rng(0).permutation(64)


def _moved(images, move):
    """Images of 64 pixels, all moved by one pixel; what leaves the grid is lost, what comes in is white."""
    down, across = MOVES[move]
    wide = np.pad(images.reshape(-1, 8, 8), ((0, 0), (1, 1), (1, 1)))
    return wide[:, 1 - down : 9 - down, 1 - across : 9 - across].reshape(-1, 64)


@cache
def _digits():
    """(images, digits) of the whole file, in its order."""
    table = data.load_digits()
    return table.iloc[:, 1:].to_numpy(float), table["digit"].to_numpy()


@cache
def _reader(copies, k):
    images, digits = _digits()
    kept = [_moved(images[:KEPT], move) for move in (MOVES if copies else [AS_IT_IS])]
    return KNeighborsClassifier(k).fit(np.vstack(kept), np.tile(digits[:KEPT], len(kept)))


def _named(digit):
    return f"an {digit}" if digit == 8 else f"a {digit}"


def _stroke(ink, start, end):
    """The ink of a grid with a straight stroke more; a pixel is black on the stroke and white from 1.2 pixels away on."""
    pixels = np.indices((8, 8)).reshape(2, -1).T[:, ::-1].astype(float)
    start, along = np.array(start), np.subtract(end, start)
    share = np.clip((pixels - start) @ along / max(along @ along, 1e-12), 0, 1)
    away = np.hypot(*(pixels - start - share[:, None] * along).T)
    return np.maximum(ink, np.clip(16 * (1.2 - away), 0, 16).round()).astype(int).tolist()


def read_digit():
    """A handwritten digit, from the data or drawn: its five nearest, what a move by a pixel does, and what helps."""
    picture = plots.ReadDigit(
        *theme.axes((0.015, 0.1, 0.36, 0.8), (0.42, 0.5, 0.57, 0.42), (0.51, 0.02, 0.48, 0.36), height=4.2), list(MOVES)
    )

    def show(image, move, k, copies, shuffled, ink, pen):
        images, digits = _digits()
        still = images[[image - 1]] if ink is None else np.array([ink], dtype=float)
        asked, model = _moved(still, move), _reader(copies, k)
        order = SHUFFLED if shuffled else slice(None)
        (apart, before), (found, first) = model.kneighbors(np.vstack([asked, still]), 5)
        near, answer = model._codes[found], int(model.predict(asked)[0])
        labels = [f"{model.classes_[digit]} · {away:.1f}" for digit, away in zip(near, apart)]
        wrong, at = WRONG[k, copies], list(MOVES).index(move)
        picture.show(
            asked[0, order],
            model.X_[found][:, order],
            labels,
            k,
            f"underlined: they vote, answer {answer}",
            wrong,
            at,
            pen,
        )
        was = _named(model.classes_[model._codes[first[0]]])
        unmoved = f" (not moved: {was} at {before[0]:.1f})" if move != AS_IT_IS else ""
        what = "Your own image" if ink is not None else f"Image {image}, {_named(digits[image - 1])}"
        kept = f"{len(model.X_)} kept images, moved copies among them," if copies else f"{KEPT} kept images"
        return (
            f"{what}, {move if move == AS_IT_IS else f'moved {move} by one pixel'}: the nearest of {kept} is "
            f"{_named(model.classes_[near[0]])} at distance {apart[0]:.1f}{unmoved}; k = {k} answers {answer}. "
            f"{'All images have their pixels in the same random order, so no distance changes. ' if shuffled else ''}"
            f"{'As they are' if move == AS_IT_IS else f'Moved {move}'}, {wrong[at]} of the 599 images asked are wrong. "
            f"The pen is at row {pen[0] + 1}, column {pen[1] + 1}."
        )

    def drawn(ink):
        return {"ink": ink, "move": AS_IT_IS, "shuffled": False}

    def drag(values, axes, start, at):
        """A press and a pull draw a straight stroke, the first one on an empty grid."""
        return drawn(_stroke(values["ink"] or EMPTY, start, at))

    def shift(values, across, up):
        """One step from the present place; two moves the same way do not add up, and a move back undoes."""
        down, right = np.clip(np.add(MOVES[values["move"]], (-up, across)), -1, 1).tolist()
        return {"move": {way: name for name, way in MOVES.items()}.get((down, right), values["move"])}

    def walk(values, across, up):
        row, column = values["pen"]
        return {"pen": [min(max(row - up, 0), 7), min(max(column + across, 0), 7)]}

    def dot(values):
        ink, (row, column) = list(values["ink"] or EMPTY), values["pen"]
        ink[8 * row + column] = 0 if ink[8 * row + column] else 16
        return drawn(ink)

    nine = {"image": NINE_IMAGE, "move": AS_IT_IS, "copies": False, "shuffled": False, "ink": None}
    return LiveFigure(
        picture,
        {
            "image": slider("image", KEPT + 1, 1797, NINE_IMAGE),
            "move": choice("move", [("none", AS_IT_IS), *(zip("←→↑↓", list(MOVES)[1:]))], AS_IT_IS),
            "k": choice("k", [(str(k), k) for k in (1, 3, 5)], 1),
            "copies": choice("kept", [("as they are", False), ("moved copies too", True)], False),
            "shuffled": choice("pixels", [("in place", False), ("shuffled", True)], False),
            "ink": State(value=None),
            "pen": State(value=[3, 3]),
        },
        show,
        presets={
            "a nine": nine,
            "moved left": {**nine, "move": "left"},
            "all pixels shuffled": {**nine, "shuffled": True},
            "moved left, copies kept": {**nine, "move": "left", "copies": True},
            "draw your own": {**nine, "ink": EMPTY},
        },
        drag=drag,
        within=[0],
        keys={**steer.four(shift), **steer.by("image", keys="[]"), **steer.four(walk, "adsw"), "x": dot},
        help="Press and pull in the large grid to draw strokes; fill it from top to bottom. Keys: arrows move the image, [ and ] "
        "choose another, w a s d move the pen, x inks a pixel or clears it.",
        main=("image",),
        more=("k", "shuffled"),
    )
