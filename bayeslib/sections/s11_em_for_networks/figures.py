"""The live figures of section 11, EM for belief networks."""

from functools import cache, lru_cache
from itertools import product

import numpy as np

from bayeslib import data
from bayeslib.figures import user_data
from bayeslib.figures.drawn import Choice, Menu, Slider, State, Text, figure, player
from bayeslib.figures.theme import HEAD, HERO, LABEL, NUMBER, SMALL
from bayeslib.models.networks import em, examples, expected_counts

# Five students, two holes

NAMES, SHORT = ("studies", "attends", "knows", "exam", "homework"), ("study", "attend", "know", "exam", "home")
HOLES = {1: 2, 3: 1}  # row: column
STRIPS = [  # (row, what stands in its cells), a row with a hole torn in two
    (number, tuple(value if cell is None else cell for cell in row.values()))
    for number, row in enumerate(examples.student_holes())
    for value in ((1, 0) if None in row.values() else (None,))
]
UPPER = [i for i, (row, _) in enumerate(STRIPS) if row not in [each for each, _ in STRIPS[:i]]]
RULE, SLIDE = "-abab--", "-abaa--"  # of each strip: a above the line and below, b below only, - neither
TORN = np.random.default_rng(41).uniform(-1, 1, (5, 25))
QUIET = {"size": SMALL, "color": "muted"}


@lru_cache(128)
def _climb(exam, attends):
    """Round by round: the network, its log-likelihood, and the weights of the seven strips."""
    start = examples.student_start()
    know, good = start.factor("K").copy(), start.factor("E").copy()
    know[1, 0], good[0] = (attends, 1 - attends), (exam, 1 - exam)
    found = []
    for step in em(start.with_tables({"K": know, "E": good}), examples.student_holes(), max_iter=10, tol=0).history:
        knows = step.network.query("K", {"S": 0, "A": 1, "E": 0, "H": 1})[True]
        came = step.network.query("A", {"S": 0, "K": 0, "E": 1, "H": 0})[True]
        found.append((step.network, step.log_likelihood, [1, knows, 1 - knows, 1, came, 1 - came, 1]))
    return found


def _fault(place, cells):
    """What is wrong with the place of a strip in the fraction; empty if nothing is."""
    studies, attends, knows, *_ = cells
    if studies or not attends:
        return "" if place == "-" else "studies" if studies else "doesn't attend"
    return {"-": "is left out", "b": "knows" if knows else "", "a": "" if knows else "doesn't know"}[place]


def _brief(value):
    """At most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _minus(text):
    return text.replace("-", "−")


@player(
    (0, 0, 900, 420),
    size=(900, 420),
    narrow=((390, 590), (0, 0, 390, 590)),
    history=lambda exam, attends: _climb(exam, attends),
    pace=500,
    controls={
        "exam": Slider("P(good exam | knows)", 0.1, 0.9, 0.7, step=0.1),
        "attends": Slider("P(knows | attends only)", 0.1, 0.9, 0.8, step=0.1),
        "mode": State("holes"),
        "places": State("-------"),
    },
    presets={
        "five rows": {"mode": "holes"},
        "tear": {"mode": "split"},
        "the slide": {"mode": "count", "places": SLIDE, "exam": 0.7, "attends": 0.8, "step": 0},
        "by the rule": {"mode": "count", "places": RULE},
    },
    main=("exam", "attends"),
    unlocks={"11/slip": ["step", "the slide", "by the rule", "click"]},
    click=lambda values, name: {
        "places": "".join("ba-"["-ba".index(e)] if f"{k}" == name[-1] else e for k, e in enumerate(values["places"]))
    },
    help="Click a strip: below the line, above it as well, out again. Arrows step through the rounds.",
    looks={
        **dict.fromkeys(("column", "word"), {"size": SMALL, "ha": "center", "va": "center"}),
        **dict.fromkeys(("weight", "number"), {"size": SMALL, "va": "center"}),
        **dict.fromkeys(("first", "product", "fault"), {"size": SMALL, "bold": True}),
        **dict.fromkeys(("line", "note", "fit name", "ghost says"), QUIET),
        "strip": {"color": "mist"},
        "tear": {"color": "paper", "z": 1.6},
        "hole": {"color": "paper", "z": 1.5},
        "ask": {"size": HEAD, "bold": True, "ha": "center", "va": "center"},
        "columns": {"color": "paper", "width": 1.6, "z": 1.7, "clip": False},
        "divider": {"color": "rule", "width": 1},
        "head": {"size": HEAD, "bold": True},
        "says": {"color": "muted"},
        "node": {"bold": True, "ha": "center", "va": "center"},
        "arrow": {"color": "muted"},
        "chance": {"size": SMALL, "color": "belief", "bold": True, "ha": "right"},
        "times": {**QUIET, "ha": "right"},
        "size": {"grow": "x"},
        "ghost": {"color": "prior", "width": 3, "z": 1.65},
        "tray": {"color": "mist", "z": 0.5},
        "block": {"size": SMALL, "bold": True, "va": "center"},
        "wrong": {"color": None, "edge": "ink", "width": 1.8, "z": 5.5},
        "bar": {"width": 2.4, "z": 5},
        "sum": {"bold": True},
        "value": {"size": HERO, "bold": True},
        "all rounds": {"color": "rule", "width": 2.4},
        "climb": {"color": "belief"},
        "climbed": {"color": "belief", "size": 13, "width": 2},
        "fit": {"size": SMALL, "color": "belief", "bold": True},
    },
)
def strips(pen, page, history, step, exam, attends, mode, places):
    """A row with a hole tears lengthwise into weighted strips; counting stacks strips below and above a line."""
    (network, _, weights), wide = history[step], pen.size[0] > 560
    places = None if pen.waiting else places
    spots = _table(pen, page, mode, places, weights, wide)
    right, down = (542, 0) if wide else (14, 284)
    if wide:
        pen.line(page, "divider", (right - 26, right - 26), (26, 396))
    heads = {
        "holes": ("What we know", f"tables after round {step}" if step else "arrows, and the tables to begin with"),
        "split": ("How high is a strip?", "as probable as its story"),
        "count": ("Who knows?", "of those who attend but don't study"),
    }
    for name, words, y in zip(("head right", "says right"), heads[mode], (42, 67)):
        pen.text(page, name, right, y + down, words)
    if mode == "count":
        return _fraction(pen, page, history, step, places, spots, (right, down))
    know, good, came = network.factor("K")[1, :, 0], network.factor("E")[:, 0], network.query("A")[True]
    if mode == "holes":
        _network(pen, page, know, good, right, down)
        opening = "Five students. In row 2 nobody recorded whether the student knows the subject, in row 4 whether the student attends."
        tables = f"P(knows | attends only) = {know[0]:.3f}, P(good exam | knows) = {good[0]:.3f}"
        return opening if pen.waiting else f"{opening} The tables of round {step} say {tables}."
    if pen.guess is not None and not step and not pen.answered("11/slip"):  # where the reader would have torn row 2
        left, start, end, cell = spots[1][2] - 2 * spots[1][3], spots[1][0], spots[2][1], spots[1][3]
        pen.line(page, "ghost", (left, left + 5 * cell), [start + pen.guess / 100 * (end - start)] * 2)
        pen.text(page, "ghost says", right, down + 94, f"{pen.reader} said {pen.guess:g}%")
    stories = [("knows", know[0], "bad exam", 1 - good[0]), ("doesn't", 1 - know[0], "bad exam", 1 - good[1])]
    stories += [("attends", came, "not knowing", 1 - know[0]), ("doesn't", 1 - came, "not knowing", 1 - know[1])]
    widest = max(0.5, *(p * q for _, p, _, q in stories))
    for k, (first, p, second, q) in enumerate(stories):
        role = ("case", "other", "ink", "ink")[k]
        y = down + ((174, 218, 296, 340) if wide else (120, 160, 220, 260))[k]
        pen.text(page, f"first {k}", right, y, first, color=role)
        pen.text(page, f"times {k}", right + 120, y, f"{_brief(p)} ×")
        pen.text(page, f"line {k}", right + 126, y, second)
        pen.text(page, f"times q{k}", right + 286, y, f"{_brief(q)} =")
        pen.text(page, f"product {k}", right + 294, y, f"{p * q:.2f}", color=role)
        pen.bar(page, f"size {k}", right, y + 8, 336 * p * q / widest, 7, color=role)
    said = [f"{p:.3f} × {q:.3f} = {p * q:.4f}" for _, p, _, q in stories]
    return (
        f"Round {step}. Row 2: {said[0]} for knowing against {said[1]}, so the strip that knows weighs {weights[1]:.3f}. "
        f"Row 4: {said[2]} for attending against {said[3]}, so the strip that attends weighs {weights[4]:.3f}."
    )


def _table(pen, page, mode, places, weights, wide):
    """The five rows, or the seven strips; returns of each strip its top and bottom, and left and width of the cell *knows*."""
    unit, cell, left, top, gap, drift = (44, 76, 44, 112, 12, 9) if wide else (27, 64, 14, 92, 8, 7)
    whole, head = mode == "holes", (22, 42) if wide else (14, 34)
    says = "two holes" if whole else "their weights still sum to 5"
    pen.text(page, "head left", *head, "Five rows" if whole else "Seven strips")
    pen.text(page, "says left", *head, says, dx=10, after="head left", size=LABEL if wide else SMALL)
    for j, name in enumerate(NAMES if wide else SHORT):
        look = {"color": "ink", "bold": True} if j == 2 else {"color": "muted"}
        pen.text(page, f"column {j}", left + cell * (j + 0.5), top - 18, name, **look)
    spots, y = [], top
    for i, (row, cells) in enumerate(STRIPS):
        lower, hole, torn = i not in UPPER, HOLES.get(row), row in HOLES and not whole
        y += drift * torn if lower else gap * (i > 0)
        height = unit * (float(not lower) if whole else weights[i])  # a row that is whole hides its lower strip
        pale, middle = mode == "count" and places is not None and places[i] == "-", y + height / 2
        clicks = mode == "count" and places is not None and pen.answered("11/slip")
        click = f"strip {i + 1}, row {row + 1}: change its place" if clicks else None
        pen.bar(page, f"strip {i}", left, y, 5 * cell, height, click=click)
        for j, value in enumerate(cells):
            x = left + cell * j
            role = (("case" if value else "other") if j == 2 else "muted") if value or j == 2 else "mist"
            fill = "paper" if whole and j == hole else role if not pale else f"{role}_tint" if j == 2 else "rule"
            if value or j in (2, hole):
                pen.bar(
                    page,
                    f"cell {i}{j}",
                    x,
                    y,
                    cell,
                    height,
                    color="mist" if role == "mist" and not whole else fill,
                    z=1.2,
                )
            if not (whole and (lower or j == hole)) and height > (23 if wide else 19):
                ink = "ink" if pale and j == 2 else "muted" if pale or role == "mist" else "paper"
                pen.text(page, f"word {i}{j}", x + cell / 2, middle, "yes" if value else "no", color=ink)
        if not whole:
            look = {"bold": True} if torn and not pale else {"color": "muted"}
            pen.text(page, f"weight {i}", left + 5 * cell + 10, middle, _brief(weights[i]), **look)
        if wide and not lower:
            pen.text(page, f"number {row}", 22, y + (unit + drift * torn) / 2, f"{row + 1}", color="muted")
        if torn and lower:
            size = min(2.4, 0.3 * height, 0.3 * (spots[-1][1] - spots[-1][0]))
            x = np.linspace(left - 2, left + 5 * cell + 2, 25)
            pen.line(page, f"tear {row}", x, y - drift / 2 + size * TORN[row], width=drift + 1)
        elif lower:  # a hole is torn, not cut
            x, edge = left + cell * hole, np.linspace(y - unit - 1, y + 1, 5)
            sides = np.r_[x + 4 * TORN[row][:5], x + cell + 4 * TORN[row][5:10]]
            pen.area(page, f"hole {row}", np.column_stack([sides, np.r_[edge, edge[::-1]]]))
            pen.text(page, f"ask {row}", x + cell / 2, y - unit / 2, "?")
        spots.append((y, y + height, left + 2 * cell, cell))
        y += height
    pen.segments(page, "columns", [[(left + cell * j, top), (left + cell * j, y)] for j in range(1, 5)])
    return spots


def _network(pen, page, know, good, right, down):
    """The arrows, and the lines of the tables that the two holes need."""
    high, step, shrink = (134, 100, (24, 24)) if not down else (down + 98, 70, (20, 20))
    at = {"studies": (44, 0), "attends": (224, 0), "knows": (134, 1), "exam": (44, 2), "homework": (224, 2)}
    at = {name: (right + x, high + step * y) for name, (x, y) in at.items()}
    for a, b in (("studies", "knows"), ("attends", "knows"), ("knows", "exam"), ("knows", "homework")):
        pen.arrow(page, f"arrow {a}-{b}", at[a], at[b], shrink=shrink)
    for name, place in at.items():
        pen.text(page, f"node {name}", *place, name)
    lines = [(186, 330, "knows", -4, "attends only", know[0]), (186, 330, "knows", 18, "neither", know[1])]
    lines += [(0, 112, "exam", 32, "knows", good[0]), (0, 112, "exam", 54, "doesn't", good[1])]
    for k, (x, end, node, y, words, chance) in enumerate(lines):
        pen.text(page, f"line {k}", right + x, at[node][1] + y, words)
        pen.text(page, f"chance {k}", right + end, at[node][1] + y, _brief(chance))


def _fraction(pen, page, history, step, places, spots, corner):
    """The strips once more, below and above a line; a strip keeps its height as long as there is room."""
    (network, fit, weights), (right, down), wide = history[step], corner, not corner[1]
    line, width, foot = (236, 112, 404) if wide else (down + 168, 104, 578)
    above, below = ([i for i, each in enumerate(places or "") if each in signs] for signs in ("a", "ab"))
    over, under = (sum(weights[i] for i in each) for each in (above, below))
    unit = min(spots[0][1] - spots[0][0], (line - down - 92) / max(over, 0.1), (foot - line) / max(under, 0.1))
    faults = [_fault(place, cells) for place, (_, cells) in zip(places or "", STRIPS)]
    for side, mine, way in (("above", above, -1), ("below", below, 1)):
        y, beside = line + 3 * way, None
        for i in sorted(range(len(STRIPS)), key=lambda i: (-STRIPS[i][1][2], -weights[i])):
            role, high = "case" if STRIPS[i][1][2] else "other", weights[i] * unit
            if i not in mine:  # what waits lies under its cell
                start, end, x, cell = spots[i]
                pen.bar(page, f"{side} {i}", x, start, cell, end - start, color=role, z=1.1)
                continue
            pen.bar(page, f"{side} {i}", right, y, width, way * high, color=role, z=4)
            middle = y + way * high / 2
            beside = middle if beside is None or way * (middle - beside) > 20 else beside + 20 * way
            if abs(beside - middle) < 24 and down + 90 < beside < foot and high > 0.5:
                pen.text(page, f"block {side}{i}", right + width + 9, beside, _brief(weights[i]), color=role)
            if faults[i] and (side == "above" or places[i] == "b"):
                pen.bar(page, f"wrong {side}{i}", right - 3, y - 2 * way, width + 6, way * (high + 4))
            y += way * (high + 1.6)
    pen.line(page, "bar", (right - 6, right + width + 6), (line, line))
    x, ruled, used = right + width + 44, places == RULE, network.factor("K")[1, 0, 0]
    if not below:
        pen.text(page, "value", x, line + 14, "?", color="belief")
        for side, way in (("above", -1), ("below", 1)):
            pen.bar(page, f"tray {side}", right, line + 4 * way, width, 84 * way)
            pen.text(page, f"word {side}", right + width / 2, line + 46 * way, side, color="muted")
        return "Seven strips. Which of them belong below the line, and which above it as well?"
    role, note = ("case", f"was {used:.3f}") if ruled else ("ink", "on the slide" if places == SLIDE else "")
    pen.text(page, "sum above", x, line - 38, f"{_brief(over)} {'know' if ruled else 'above'}", color=role)
    pen.text(page, "value", x, line + 14, f"{over / under:.3f}", color="belief" if ruled else "ink")
    pen.text(page, "sum below", x, line + 46, f"of {_brief(under)}")
    pen.text(page, "note", x, line + 46, note, dx=10, after="sum below")
    word = next((f"row {row + 1} {fault}" for (row, _), fault in zip(STRIPS, faults) if fault), "")
    pen.text(page, "fault", x, line - 66, word if wide else "")

    # ℓ, a bare line
    heights, (low, high) = np.array([each for _, each, _ in history]), (396, 356) if wide else (578, 556)
    y = low + (high - low) * (heights - heights[0]) / (np.ptp(heights) or 1)
    rounds = x + 16 * np.arange(len(y))
    pen.line(page, "all rounds", rounds, y)
    pen.line(page, "climb", rounds[: step + 1], y[: step + 1])
    pen.points(page, "climbed", rounds[[step]], y[[step]])
    pen.text(page, "fit name", x, high - 14, "log-likelihood" if wide else "ℓ")
    pen.text(page, "fit", x, high - 14, _minus(f"{fit:.3f}"), dx=6, after="fit name")
    return (
        f"{over:.3f} of {under:.3f}: the new P(knows | attends only) would be {over / under:.3f}; {used:.3f} was in use."
        f"{f' Not yet: {word}.' if word else ''} Round {step}: log-likelihood {fit:.3f}."
    )


# 200 classes of five

CLASSES, SURE = 200, 0.99
ACROSS, DOWN = 20, 10
STAGES = ("the classes", "sure", "wrong")


@cache
def _classes():
    """For each class its five rows, without what was hidden, what row 2 knows in truth, and EM's weight for it."""
    truth, found = examples.student(), []
    for seed in range(CLASSES):
        five = {name: list(column) for name, column in truth.sample(5, random_state=seed).items()}
        was, five["K"][1], five["A"][3] = five["K"][1], None, None
        learned = em(truth.parents, five, states=truth.states, random_state=seed).network
        weight = learned.query("K", {name: five[name][1] for name in "SAEH"})[True]
        found.append((list(zip(*(five[name] for name in "SAKEH"))), was, weight))
    return found


@cache
def _verdicts():
    """Of each class 0 for sure and right, 1 for sure and wrong, 2 for unsure, and its place among those of its kind."""
    weights, was = (np.array(each) for each in list(zip(*_classes()))[:0:-1])
    kind = np.where(np.maximum(weights, 1 - weights) <= SURE, 2, (weights > 0.5) != was)
    place = np.empty(CLASSES, int)
    place[np.argsort(kind, kind="stable")] = np.arange(CLASSES)
    return kind, place


def _one(values, name, x, y):
    """The class whose dot is nearest."""
    at = int(np.clip(x, 0, ACROSS - 1) + 0.5) % ACROSS * DOWN + int(np.clip(y, 0, DOWN - 1) + 0.5) % DOWN
    place = _verdicts()[1] if values["show"] == "wrong" else np.arange(CLASSES)
    return {"one": int(np.flatnonzero(place == at)[0]) + 1}


def _next(by):
    return lambda values, name: {"one": min(max(values["one"] + by, 1), CLASSES)}


@figure(
    (22, 104, 476, 238),
    (556, 0, 322, 420),
    size=(900, 420),
    narrow=((390, 640), (16, 92, 358, 179), (16, 340, 358, 300)),
    controls={"show": Choice("show", STAGES, "the classes"), "one": Slider("class", 1, CLASSES, 3)},
    drag={"ring": _one},
    mark_keys={"ArrowRight": ("the next class", _next(1)), "ArrowLeft": ("the one before", _next(-1))},
    help="Drag the ring to another dot to see its five rows.",
    looks={
        "ring": {"color": None, "edge": "ink", "width": 2.2, "z": 3.5},
        "head": {"size": HEAD, "bold": True},
        "clause": {"color": "muted"},
        "count": {"size": NUMBER, "bold": True},
        "share": {"size": HERO, "bold": True, "color": "ink"},
        "of": {"size": SMALL, "color": "muted"},
        "column": {"size": SMALL, "ha": "center"},
        "word": {"size": SMALL, "ha": "center", "va": "center"},
        "columns": {"color": "paper", "width": 1.6, "z": 1.7},
        "says": {"size": LABEL},
        "divider": {"color": "rule", "width": 1, "clip": False},
    },
)
def sure_and_wrong(pen, crowd, side, show, one):
    """200 classes of five students: in how many EM is sure about row 2, and in how many of those it is wrong."""
    wide, stage = pen.size[0] > 560, 0 if pen.waiting else STAGES.index(show)
    kind, place = (
        _verdicts() if stage == 2 else (_verdicts()[0] if stage else np.zeros(CLASSES, int), np.arange(CLASSES))
    )
    rows, was, weight = _classes()[one - 1]
    crowd.limits((-0.5, ACROSS - 0.5), (DOWN - 0.5, -0.5))
    size = 17 if wide else 13
    right = {"color": "belief" if stage else "sediment", "size": size}
    wrong = {"color": "ink", "size": size} if stage == 2 else right
    unsure = {"color": "paper", "edge": "edge", "width": 1.5, "size": size - 2}
    x, y = place // DOWN, place % DOWN
    pen.points(crowd, "classes", x, y, of=kind, looks=[right, wrong, unsure])
    grab = f"class {one}: its five rows"
    pen.points(crowd, "ring", x[[one - 1]], y[[one - 1]], size=size + 8, grab=grab)
    counts = np.bincount(kind, minlength=3)
    sure = int(counts[0] + counts[1]) if stage else 0
    pen.text(crowd, "head", -0.5, -0.5, f"{CLASSES} classes", dy=62 if wide else 52)
    clause = ("of five students", f"EM is sure in {sure}", f"sure in {sure}, wrong in {counts[1]} of them")[stage]
    look = {"after": "head", "dx": 10, "dy": 62} if wide else {"dy": 28, "size": SMALL}
    pen.text(crowd, "clause", -0.5, -0.5, clause, **look)
    if stage:
        labels = [("sure", sure, 0, "belief"), ("unsure", counts[2], 16.4 if wide else 14, "muted")]
        if stage == 2:
            at = counts[0] / DOWN - 0.5 if wide else 7
            labels[:1] = [("right", counts[0], 0, "belief"), ("wrong", counts[1], at, "ink")]
        for name, count, at, role in labels:
            look = {"dy": -36, "size": NUMBER if wide else HEAD}
            pen.text(crowd, f"count {name}", at - 0.5, DOWN - 0.5, f"{count}", color=role, **look)
            pen.text(crowd, f"of {name}", at - 0.5, DOWN - 0.5, name, dx=7, dy=-36, after=f"count {name}")
    if stage == 2 and pen.guess is not None and wide:
        pen.text(
            crowd, "of guess", counts[0] / DOWN - 0.5, DOWN - 0.5, f"{pen.reader} said about {pen.guess:g}", dy=-62
        )

    # One class, and what EM makes of its row 2
    cell, high, top = (64, 30, 92) if wide else (71, 26, 62)
    if wide:
        pen.line(side, "divider", (-26, -26), (26, 396))
    pen.text(side, "head one", 0, 42 if wide else 12, f"Class {one}")
    pen.text(side, "clause one", 0, 42 if wide else 12, "its five rows", dx=10, after="head one")
    for j, name in enumerate(SHORT):
        look = {"color": "ink", "bold": True} if j == 2 else {"color": "muted"}
        pen.text(side, f"column {j}", cell * (j + 0.5), top - 9, name, **look)
    for i, row in enumerate(rows):
        y = top + (high + 7) * i
        for j, value in enumerate(row):
            role = (
                "paper" if value is None else ("case" if value else "other") if j == 2 else "muted" if value else "mist"
            )
            pen.bar(side, f"cell {i}{j}", cell * j, y, cell, high, color=role)
            words, ink = "?" if value is None else "yes" if value else "no", "muted" if role == "mist" else "paper"
            pen.text(side, f"word {i}{j}", cell * (j + 0.5), y + high / 2, words, color="ink" if value is None else ink)
    pen.segments(side, "columns", [[(cell * j, top), (cell * j, y + high)] for j in range(1, 5)])
    opening = f"{CLASSES} classes of five students, from tables we know; the same two cells are blank in each."
    if not stage:
        return opening if pen.waiting else f"{opening} The five rows are those of class {one}."
    verdict = f"In truth row 2 {'knows' if was else 'does not know'}."
    pen.text(side, "says em", 0, y + high + 38, f"EM says row 2 knows: {weight:.3f}", color="belief", bold=True)
    if stage == 2:
        pen.text(side, "says truth", 0, y + high + 62, verdict, color="ink")
    told = f" In {sure} of them EM puts row 2 above {SURE} or below {1 - SURE:.2f}"
    told += f", and in {counts[1]} of these it is wrong, {counts[1] / sure:.2f}." if stage == 2 else "."
    return f"{opening}{told} Class {one}: EM says {weight:.3f}.{' ' + verdict if stage == 2 else ''}"


# Who is silent?

CELLS = [dict(zip("SAKEH", cell)) for cell in product((True, False), repeat=5)]
REASONS = {
    "chance": (lambda row: True, "all students, picked at random"),
    "study": (lambda row: not row["S"], "those who don't study"),
    "exam": (lambda row: not row["E"], "those with a bad exam"),
    "know": (lambda row: not row["K"], "those who don't know the subject"),
}
ASKED = {  # a variable that is 1, among the rows that show this
    "P(knows)": ("K", {}),
    "P(knows | studies, attends)": ("K", {"S": True, "A": True}),
    "P(good exam | knows)": ("E", {"K": True}),
}
CROWD = 250  # students: the fewest that make whole numbers of knows and exam


@lru_cache(128)
def _missing(reason, share):
    """The class as shares of all students, cell by cell: those recorded, those silent; and the network that EM finds."""
    net = examples.student()
    chances = net.joint_table().ravel()
    silent = chances * np.array([share / 100 * REASONS[reason][0](row) for row in CELLS])
    start = expected_counts(net, CELLS, weights=chances - silent).counts.network()
    rows = [*CELLS, *({**row, "K": None} for row in CELLS)]
    learned = em(start, rows, weights=[*(chances - silent), *silent], tol=1e-10).network
    return chances - silent, silent, learned


@figure(
    (22, 84, 470, 316),
    (556, 0, 322, 420),
    size=(900, 420),
    narrow=((390, 600), (16, 66, 358, 250), (16, 330, 358, 270)),
    controls={
        "share": Slider("of these, silent", 0, 90, 80, 10, unit="percent"),
        "asked": Choice("the number asked for", tuple(ASKED), "P(knows)"),
        "reason": State("exam"),
    },
    presets={
        "at random": {"reason": "chance", "share": 40},
        "who doesn't study": {"reason": "study", "share": 60},
        "bad exam": {"reason": "exam", "share": 80},
        "doesn't know": {"reason": "know", "share": 60},
    },
    main=("share",),
    unlocks={"11/silent": ["doesn't know"]},
    looks={
        "waterline": {"color": "muted", "width": 1.8, "clip": False},
        "head": {"size": HEAD, "bold": True},
        "clause": {"color": "muted"},
        "group": {"size": SMALL, "bold": True},
        "exam": {"size": SMALL, "color": "muted"},
        "track": {"color": "mist"},
        "value": {"size": NUMBER, "bold": True, "ha": "right"},
        "truth line": {"dash": (4, 4), "width": 1.6, "z": 0.9},
        "mark": {"size": 17, "width": 2.4},
        "divider": {"color": "rule", "width": 1, "clip": False},
        "guess": {"size": SMALL, "color": "muted", "ha": "right"},
    },
)
def why_missing(pen, crowd, side, share, asked, reason):
    """Who is silent, and which number is asked for, decide what may be done: drop the rows, run EM, or neither."""
    wide, waiting = pen.size[0] > 560, pen.waiting
    left, silent, learned = _missing(reason, share)
    covered = waiting and reason != "know"
    _silent_crowd(pen, crowd, left, silent, covered, wide)
    variable, given = ASKED[asked]
    among = np.array([all(row[v] == state for v, state in given.items()) for row in CELLS])
    yes = among & [row[variable] for row in CELLS]
    every = left + silent
    truth, dropped = every[yes].sum() / every[among].sum(), left[yes].sum() / left[among].sum()
    found = learned.query(variable, given)[True]

    width = side.box[2]
    if wide:
        pen.line(side, "divider", (-30, -30), (26, 396))
    pen.text(side, "head side", 0, 42 if wide else 14, asked)
    shown = [("in truth", truth, "ink"), ("complete rows alone", dropped, "muted"), ("EM, all rows", found, "belief")]
    first, pitch = (112, 98) if wide else (58, 74)
    pieces = [[(width * truth, first + pitch * k + 24), (width * truth, first + pitch * (k + 1) - 32)] for k in (0, 1)]
    pen.segments(side, "truth line", pieces)
    for k, (name, value, role) in enumerate(shown):
        y, known = first + pitch * k, k == 0 or not waiting or (k == 1 and not covered)
        pen.text(side, f"name {k}", 0, y, name, color=role)
        pen.text(side, f"value {k}", width, y, f"{value:.3f}" if known else "?", color=role)
        pen.bar(side, f"track {k}", 0, y + 18, width, 6)
        if known:
            pen.points(side, f"mark {k}", [width * value], [y + 21], color=role, edge="paper")
    if pen.guess is not None and not waiting and (reason, asked) == ("know", "P(knows)"):
        pen.points(side, "mark guess", [width * pen.guess], [y + 21], color="prior", size=13, z=2.9)
        pen.text(side, "guess", width, y + 48, f"{pen.reader} said {pen.guess:g}")
    gone = silent.sum()
    opening = f"For {share}% of {REASONS[reason][1]} nobody recorded whether they know the subject."
    if waiting:
        return opening if covered else f"{opening} Dropping their rows says {asked} = {dropped:.2f}."
    return (
        f"{opening} That blanks {100 * gone:.1f}% of all rows. Dropping them gives {asked} = {dropped:.3f}, EM {found:.3f}; "
        f"the truth is {truth:.3f}."
    )


def _silent_crowd(pen, panel, left, silent, covered, wide):
    """A dot a student: those who know at the left, a good exam above the line; hollow if nobody recorded what they know."""
    across = (14, 11)  # columns of those who know, of the others: with 250 students each group is a rectangle
    pitch = panel.box[2] / 27
    line = 8.7 * pitch
    x, y, of = [], [], []
    for k, e in product((True, False), repeat=2):
        mine = np.array([(row["K"], row["E"]) == (k, e) for row in CELLS])
        many = round(CROWD * (left + silent)[mine].sum())
        hollow = 0 if covered else round(CROWD * silent[mine].sum())
        at = np.arange(many)
        x += ((at % across[not k] + (0.5 if k else 16.5)) * pitch).tolist()
        y += (line + (-1 if e else 1) * (at // across[not k] + 0.9) * pitch).tolist()
        of += [(0 if k else 1) + (2 if number >= many - hollow else 0) for number in range(many)]
    size = 0.76 * pitch
    looks = [{"color": role, "size": size, "width": 0} for role in ("case", "other")]
    looks += [{"color": "paper", "edge": role, "size": size - 2, "width": 1.4} for role in ("case", "other")]
    pen.points(panel, "students", x, y, of=of, looks=looks)
    pen.line(panel, "waterline", (0, panel.box[2]), (line, line))
    pen.text(panel, "head crowd", 0, -42 if wide else -34, "250 students")
    clause = "who know, and who don't" if covered else "hollow: not recorded"
    pen.text(
        panel, "clause crowd", 0, -42 if wide else -34, clause, dx=10, after="head crowd", size=LABEL if wide else SMALL
    )
    pen.text(panel, "group knows", 0, line - 8.5 * pitch - 6, "know the subject", color="case")
    pen.text(panel, "group others", 16 * pitch, line - 3.5 * pitch - 6, "don't", color="other")
    pen.text(panel, "exam good", panel.box[2], line - 3.5 * pitch - 6, "good exam", ha="right")
    pen.text(panel, "exam bad", 0, line + 2.5 * pitch + 24, "bad exam")


# The passenger list

CABINS, ALIKE, HALF = ("1st", "2nd", "3rd"), "alike", "children half as often"
DEEP = {"1st": 10, "2nd": 13, "3rd": 18}  # rows of a block below the waterline


@cache
def _list():
    """All passengers: group (class and fate; -1 for women), whether a boy, whether of known age, and how often ages are blank."""
    table = data.load_titanic_ages()
    known = (table["Age"] != "").to_numpy()
    boy = [float(age) < 14 if age else title == "Master" for age, title in zip(table["Age"], table["Title"])]
    rate = table["Age"].eq("").groupby([table["Class"], table["Sex"], table["Survived"]]).transform("mean")
    group = [2 * CABINS.index(cabin) + (lived == "yes") for cabin, lived in zip(table["Class"], table["Survived"])]
    return np.where(table["Sex"] == "male", group, -1), np.array(boy), known, rate.to_numpy()


@lru_cache(256)
def _men(seed, gaps):
    """Men and boys: group, whether a boy, blank and there (a draw hides known ages, and leaves out those who have none)."""
    group, boy, known, rate = _list()
    blank, there = ~known, np.ones(len(known), bool)
    if seed:
        chance = rate * np.where(boy & (gaps == HALF), 0.5, 1)
        blank, there = np.random.default_rng(seed).random(len(known)) < chance, known
    return [each[group >= 0] for each in (group, boy, blank, there)]


@lru_cache(256)
def _boys(seed, gaps):
    """By group: blanks, boys and all of known age, boys that EM expects; then what dropping says, what EM says, and the truth.

    With all arrows between class, sex, survival and child, EM comes to rest at the share among those of the same group.
    """
    group, boy, blank, there = _men(seed, gaps)
    blanks, boys, known = (np.bincount(group[mine & there], minlength=6) for mine in (blank, boy & ~blank, ~blank))
    expected = blanks * boys / known
    return (
        blanks,
        boys,
        known,
        expected,
        (blanks.sum() * boys.sum() / known.sum(), expected.sum(), (boy & blank & there).sum()),
    )


@cache
def _on_average(gaps):
    """What EM expects and how many boys were hidden, over 200 draws."""
    return np.mean([_boys(seed, gaps)[4][1:] for seed in range(1, 201)], axis=0)


@cache
def _places(left, line, pitch, split, gap, air):
    """Where each man stands, from the waterline on: those of known age at the left of their block, boys first; and the blocks."""
    group, boy, blank, _ = _men(0, ALIKE)
    at, x, blocks = np.zeros((len(group), 2)), left, []
    for k, cabin in enumerate(CABINS):
        start = x
        for lost in (False, True):
            mine = [np.flatnonzero((group == 2 * k + lived) & (blank == lost)) for lived in (False, True)]
            columns = -(-len(mine[0]) // DEEP[cabin])
            for lived, who in enumerate(mine):
                who = who[np.argsort(~boy[who], kind="stable")] if not lost else who
                rows = -(-len(who) // columns)
                n = np.arange(len(who))
                at[who, 0] = x + pitch * (n // rows + 0.5)
                at[who, 1] = line + (-1 if lived else 1) * (air + pitch * (n % rows + 0.5))
            x += columns * pitch + (0 if lost else split)
        low = at[(group == 2 * k), 1].max() + pitch / 2
        blocks.append((start, x, low))
        x += gap
    return at, blocks


def _squares(value, x, y, side, pitch, across):
    """So many squares in rows, the last as wide as its fraction."""
    found = []
    for n in range(int(np.ceil(value - 0.02))):
        a, b, wide = x + pitch * (n % across), y + pitch * (n // across), side * min(1, value - n)
        found.append([(a, b), (a + wide, b), (a + wide, b + side), (a, b + side)])
    return found


@figure(
    (0, 0, 900, 470),
    size=(900, 470),
    narrow=((390, 540), (0, 0, 390, 540)),
    controls={"seed": Slider("known ages hidden: draw", 0, 20, 0), "gaps": State(ALIKE), "stage": State("blanks")},
    presets={
        "the list": {"seed": 0, "stage": "uncover"},
        "known ages hidden": {"seed": 1, "gaps": ALIKE, "stage": "uncover"},
        "children hidden half as often": {"seed": 1, "gaps": HALF, "stage": "uncover"},
    },
    main=("seed",),
    unlocks={"11/boys": ["seed", "the list", "known ages hidden", "children hidden half as often"]},
    help="Draw 0 is the list as it is; the others hide ages that are known, as often as those of the group are missing.",
    looks={
        "water": {"color": "mist", "z": 0},
        "waterline": {"color": "muted", "width": 1.8},
        "levels": {"z": 3.2},
        "head": {"size": HEAD, "bold": True},
        "says": {"color": "muted"},
        "class": {"size": SMALL, "bold": True},
        **dict.fromkeys(("fate", "key", "note"), QUIET),
        "sum": {"size": SMALL, "color": "belief"},
        "divider": {"color": "rule", "width": 1},
        "hero": {"size": 48, "bold": True},
        "name": {"size": SMALL},
        "value": {"bold": True, "ha": "right"},
        "pile": {"z": 2},
        "places": {"color": "mist", "z": 1},
        "cover": {"color": "evidence_tint", "z": 6},
        "covered": {"size": SMALL, "ha": "center", "va": "center", "z": 7},
    },
)
def whose_age(pen, page, seed, gaps, stage):
    """The passenger list: 843 men and boys above and below the waterline, 185 of them without an age."""
    wide, stage = pen.size[0] > 560, "uncover" if seed else stage
    group, boy, blank, there = _men(seed, gaps)
    blanks, boys, known, expected, (dropped, found, real) = _boys(seed, gaps)
    believed, bare = stage != "blanks", stage == "uncover"
    left, line, pitch, split, gap, air = (24, 176, 11.3, 5, 29, 5) if wide else (14, 132, 6.85, 3, 8, 3)
    at, blocks = _places(left, line, pitch, split, gap, air)
    edge, right, bottom = (8, blocks[2][1], blocks[2][2] + 26) if wide else (6, blocks[2][1], blocks[2][2] + 24)
    pen.bar(page, "water", left - edge, line, right - left + 2 * edge, bottom - line)
    pen.line(page, "waterline", (left - edge, right + edge), (line, line))

    # Everybody keeps the place that he has on the list
    share = np.where(blank & there, (expected / np.maximum(blanks, 1))[group], 0)
    kind = np.where(
        ~there, 5, np.where(blank, np.where(bare & boy, 4, np.where(believed & (share > 0), 3, 2)), 1 * boy)
    )
    r = pitch * 0.74
    looks = [{"color": "sediment", "size": r, "width": 0}, {"color": "case", "shape": "s", "size": r * 1.1, "width": 0}]
    looks += [
        {"color": "paper", "edge": role, "shape": "s", "size": r * 1.06, "width": 1.2 if wide else 0.8}
        for role in ("muted", "belief")
    ]
    looks += [{"color": "ink", "shape": "s", "size": r * 1.3, "width": 1}, {"color": "rule", "size": 2.5, "width": 0}]
    pen.points(page, "people", *at.T, of=kind, looks=looks)
    if believed:  # each blank fills to its share
        full = "prior" if bare else "belief"
        sizes = [
            {"color": full, "shape": "s", "size": r * 1.06 * (n / max(m, 1)) ** 0.5, "width": 0}
            for n, m in zip(expected, blanks)
        ]
        here = np.flatnonzero(kind == 3)
        pen.points(page, f"levels {seed}", *at[here].T, of=group[here], looks=sizes)

    # Words
    total, boys_known, men_known = int(blanks.sum()), int(boys.sum()), int(known.sum() - boys.sum())
    pen.text(page, "head list", left - edge, 34 if wide else 30, f"{total} without an age")
    clause = f"of {there.sum()}: known ages, hidden by us" if seed else f"of {there.sum()} men and boys on the list"
    if wide:
        pen.text(page, "says list", left, 34, clause, dx=10, after="head list")
    for k, (cabin, (start, end, low)) in enumerate(zip(CABINS, blocks)):
        died, lived = (int(blanks[each] + known[each]) for each in (2 * k, 2 * k + 1))
        if wide:
            pen.text(page, f"class {k}", start, 68, f"{cabin} class")
            pen.text(page, f"fate {k}", start, 68, f"{lived} lived", dx=7, after=f"class {k}")
        else:
            pen.text(page, f"class {k}", start, 60, f"{cabin} class" if k == 2 else cabin)
        words, y = f"{died} died" if wide or k == 2 else f"{died}", low + 20 if wide else bottom - 5
        pen.text(page, f"fate died{k}", start, y, words, halo="mist")
        for each, x, y, ha in ((2 * k + 1, start, 90, "left"), (2 * k, end, low + 20, "right")):
            if believed and wide and expected[each] > 0:
                words = f"{blanks[each]} × {boys[each]}/{known[each]} = {expected[each]:.2f}"
                pen.text(page, f"sum {each}", x, y, words, ha=ha, **({"halo": "mist"} if each == 2 * k else {}))
    x, y = left - edge + 6, bottom + (25 if wide else 24)
    keys = [
        (0, f"{men_known} men"),
        (1, f"{boys_known} boys under 14" if wide else f"{boys_known} boys"),
        (2, f"{total} without an age" if wide else f"{total} blank"),
    ]
    for look, words in keys:
        pen.points(page, f"sign {look}", [x], [y - 6], looks=[{**looks[look], "size": 11}])
        pen.text(page, f"key {look}", x + 11, y, words, color="case" if look == 1 else "muted")
        x += 11 + pen.width(words, SMALL) + 24

    # Piles of boys, and the column under a strip of paper
    rows = [
        ("rows dropped" if wide else "dropped", dropped, "sediment", "muted", believed),
        ("EM expects" if wide else "EM", found, "prior" if bare else "belief", "belief", believed),
    ]
    counted = ("were hidden", "titled Master") if wide else ("hidden", "counted")
    rows.append((counted[not seed], real, "ink", "ink", bare))
    x, end, side, step = (696, 878, 18, 23.4) if wide else (14, 376, 11, 13.4)
    across = 8 if wide else 17
    if wide and max(dropped, found, real) > 2 * across:  # still two rows
        across, side, step = 10, 14, 18.6
    for k, (name, value, role, ink, told) in enumerate(rows):
        y = (182, 268, 354)[k] if wide else bottom + 60 + 36 * k
        corner = (x, y + 10, side, step, across) if wide else (x + 90, y - 11, side, step, across)
        if told:
            pen.text(page, f"name {k}", x, y, name, color=ink)
            pen.text(page, f"value {k}", end, y, f"{value:.0f}" if k == 2 else f"{value:.1f}", color=ink)
            pen.area(page, f"pile {k}", *_squares(value, *corner), color=role)
        elif k < 2:
            pen.area(page, f"places {k}", *_squares(16, *corner))
    y, off = (354, 230) if wide else (bottom + 132, 400)
    box = (x - 4, y - 20, end - x + 8, 58) if wide else (x - 4, y - 18, end - x + 8, 28)
    pen.bar(page, "cover", box[0] + (off if bare else 0), *box[1:])
    if not bare:
        words = "one more column,\ncovered up" if wide else "one more column, covered up"
        pen.text(page, "covered", box[0] + box[2] / 2, box[1] + box[3] / 2, words)
    _told(pen, page, x, seed, gaps, stage, (boys_known, int(known.sum()), found, int(real)))

    if seed:
        hidden, guessed = _on_average(gaps)[::-1]
        return (
            f"Known ages hidden, {gaps}, draw {seed}: {total} without an age. Dropping says {dropped:.1f}, EM expects {found:.1f} boys; "
            f"{real} were hidden. In 200 draws {hidden:.1f} were hidden on average, and EM expected {guessed:.1f}."
        )
    if bare:
        return f"{total} without an age: dropping says {dropped:.1f}, EM expects {found:.1f}, and {real} are titled Master."
    if believed:
        return f"EM expects {found:.1f} boys among the {total} blanks, if blanks are like the rest of their group."
    return (
        f"{len(group)} men and boys: those who lived above the waterline, those who died below. Filled squares are the "
        f"{boys_known} boys whose age we know; the {total} open squares have no age."
    )


def _told(pen, page, x, seed, gaps, stage, counts):
    """The one large number, and what stands beside it."""
    (boys, known, found, real), wide = counts, pen.size[0] > 560
    number, role, words = {
        "blanks": ("?", "belief", (f"{boys} boys among", f"{known} of known age")),
        "em": (f"{found:.1f}", "belief", ("if blanks are like", "the rest of their group")),
        "uncover": (f"{real}", "ink", ("boys were", "hidden") if seed else ("boys among", "the blanks")),
    }[stage]
    if wide:
        pen.line(page, "divider", (x - 22, x - 22), (20, 450))
        pen.text(page, "head boys", x, 34, "How many boys?")
    pen.text(page, "hero", x - 2, 92 if wide else 500, number, color=role)
    high = {"blanks": 72, "em": 118, "uncover": 72}[stage] if wide else 478
    look = {} if wide and stage == "em" else {"dx": 12, "after": "hero"}
    for k, line in enumerate(words):
        pen.text(page, f"note {k}", x, high + 20 * k if wide else 478 + 21 * k, line, **look)
    if stage != "uncover":
        return
    if pen.guess is not None:
        bet = f"about {pen.guess:g}" if pen.guess else "none"
        pen.text(page, "note guess", x, 124 if wide else 528, f"{pen.reader} bet on {bet}")
    if seed:
        hidden, guessed = _on_average(gaps)[::-1]
        lines = "", "mean of 200 draws:", f"{hidden:.1f}, EM expects {guessed:.1f}"
    else:
        titles, (_, _, blank, _) = data.load_titanic_ages().query("Sex == 'male'")["Title"], _men(0, ALIKE)
        master = (titles == "Master").to_numpy()
        lines = (
            "No age was written for",
            f"{(master & blank).sum()} of {master.sum()} Masters ({blank[master].mean():.0%})",
        )
        lines += (f"and {blank[~master].mean():.0%} of the men",)
    for k, line in enumerate(lines if wide else ()):
        pen.text(page, f"note {k + 2}", x, 416 + 20 * k, line)


# Further: a variable that nobody recorded

ITERATIONS = [0, 1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 160]
STARTS = {"leaning": "a leaning start", "mirrored": "the mirrored start", "flat": "the flat start"}
TABLES = ("both", "studies only", "attends only", "neither", "knows", "doesn't", "knows", "doesn't")


def _numbers(network):
    """The eight numbers about K: P(K | S, A), P(E | K), P(H | K)."""
    return [*network.factor("K")[..., 0].ravel(), *network.factor("E")[:, 0], *network.factor("H")[:, 0]]


@lru_cache(64)
def _never(start, hidden):
    """The numbers about K and the log-likelihood of a row at the iterations that are shown; last the log-likelihood of the truth."""
    net = examples.student()
    chances = net.joint_table()
    rows = [{name: value for name, value in row.items() if name not in hidden} for row in CELLS]
    first = examples.student_guess(start) if start in STARTS else net.parents
    options = {} if start in STARTS else {"states": net.states, "random_state": start}
    history = em(first, rows, weights=chances.ravel(), max_iter=ITERATIONS[-1], tol=0, **options).history
    axes = tuple("SAKEH".index(name) for name in hidden)
    best = float(np.sum(chances * np.log(chances.sum(axis=axes, keepdims=True))))
    steps = [history[min(k, len(history) - 1)] for k in ITERATIONS]
    return [(_numbers(step.network), step.log_likelihood, best) for step in steps]


@player(
    (28, 96, 300, 252),
    (390, 60, 490, 320),
    size=(900, 400),
    narrow=((390, 660), (24, 92, 340, 120), (16, 312, 358, 340)),
    history=lambda start, hidden: _never(start, hidden),
    rounds=[f"iteration {each}" for each in ITERATIONS],
    interval=500,
    controls={
        "start": Menu(
            "start from",
            (*((words, key) for key, words in STARTS.items()), *((f"random start {k}", k) for k in range(4))),
            "leaning",
        ),
        "hidden": Choice("never recorded", (("knows", "K"), ("knows and homework", "KH")), "K"),
    },
    presets={
        "leaning": {"start": "leaning", "hidden": "K", "step": len(ITERATIONS) - 1},
        "mirrored": {"start": "mirrored", "hidden": "K", "step": len(ITERATIONS) - 1},
        "flat": {"start": "flat", "hidden": "K", "step": len(ITERATIONS) - 1},
        "homework hidden too": {"start": 2, "hidden": "KH", "step": len(ITERATIONS) - 1},
    },
    looks={
        "best": {"dash": (5, 5), "width": 1.8},
        "climb": {"color": "belief"},
        "reached": {"color": "belief", "size": 14, "width": 2},
        "head": {"size": HEAD, "bold": True},
        "clause": {"color": "muted"},
        "says": {"size": SMALL, "color": "muted"},
        "fit": {"size": NUMBER, "bold": True, "color": "belief"},
        "table": {"size": SMALL, "color": "muted"},
        "row": {"size": SMALL},
        "track": {"color": "mist"},
        "bar": {"color": "belief", "z": 1.2, "grow": "x"},
        "truth": {"width": 3, "z": 1.4},
        "value": {"size": SMALL, "bold": True, "ha": "right"},
    },
)
def never_seen(pen, climb, bars, history, step, start, hidden):
    """EM with K hidden in every row, from several starts; with H hidden too, K has one effect only that is observed."""
    wide, (numbers, fit, best), truth = pen.size[0] > 560, history[step], _numbers(examples.student())
    count = 8 if hidden == "K" else 6
    fits = [each for _, each, _ in history]
    low, high = min(fits[0], best - 0.01), best + 0.004
    climb.limits((0, len(fits) - 1), (low, high))
    pen.line(climb, "best", (0, len(fits) - 1), (best, best), clip=False)
    pen.text(climb, "says best", len(fits) - 1, best, _minus(f"the true tables {best:.4f}"), dy=8, ha="right")
    pen.line(climb, "climb", range(step + 1), fits[: step + 1], clip=False)
    pen.points(climb, "reached", [step], [fit], clip=False)
    top = 56 if wide else 62
    pen.text(climb, "head climb", 0, high, "Log-likelihood", dy=top)
    pen.text(climb, "clause climb", 0, high, "of a row", dx=8, dy=top, after="head climb")
    pen.text(climb, "fit", 0, low, _minus(f"{fit:.4f}"), dy=-36)
    pen.text(climb, "says fit", 0, low, f"iteration {ITERATIONS[step]}", dx=10, dy=-36, after="fit")
    width = bars.box[2]
    pen.text(bars, "head bars", 0, -18, "Learned")
    pen.text(bars, "clause bars", 0, -18, "line: the true tables", dx=10, after="head bars")
    columns = (0, 124, width - 52) if wide else (0, 110, width - 50)
    for k in range(count):
        y = 18 + (38 if wide else 42) * k
        if k in (0, 4, 6):
            pen.text(bars, f"table {k}", 0, y, ("knows", "", "", "", "exam", "", "homework")[k])
        x0, x1 = columns[1] + 108, columns[2]
        pen.text(bars, f"row {k}", columns[1] - (20 if wide else 14), y, TABLES[k])
        pen.bar(bars, f"track {k}", x0, y - 12, x1 - x0, 12)
        pen.bar(bars, f"bar {k}", x0, y - 12, (x1 - x0) * numbers[k], 12)
        pen.line(bars, f"truth {k}", [x0 + (x1 - x0) * truth[k]] * 2, (y - 15, y + 3))
        pen.text(bars, f"value {k}", width, y, f"{numbers[k]:.3f}", color="belief")
    far = max(abs(a - b) for a, b in zip(numbers[:count], truth))
    return (
        f"{'Knows' if hidden == 'K' else 'Knows and homework'} never recorded, {STARTS.get(start, f'random start {start}')}, iteration "
        f"{ITERATIONS[step]}: log-likelihood of a row {fit:.4f}, with the true tables {best:.4f}. P(knows | both) = {numbers[0]:.3f}, "
        f"P(good exam | knows) = {numbers[4]:.3f}, P(good exam | doesn't) = {numbers[5]:.3f}. Farthest from the truth: a bar by {far:.3f}."
    )


# Further: the reader's own table

SHEET = (
    "seat, homework, passed\nfront, yes, yes\nfront, yes, yes\nfront, no, yes\nfront, yes, no\nfront, yes, \nfront, no, no\n"
    "back, no, no\nback, no, \nback, no, \nback, yes, yes\nback, no, no\nback, no, \nback, yes, \nfront, yes, yes"
)
EMPTY = {"", "?", "-", "NA", "N/A", "nan", "NaN", "None", "null"}
MOST_COLUMNS, MOST_VALUES = 5, 4


@lru_cache(32)
def _sheet(text):
    """The table that was typed, None for what is empty, and the values of every column."""
    table = user_data.table(text, most_columns=MOST_COLUMNS).astype(object)
    table = table.where(~table.isin(EMPTY), None)
    values = {column: list(dict.fromkeys(each for each in table[column] if each is not None)) for column in table}
    for column, found in values.items():
        if not 1 <= len(found) <= MOST_VALUES:
            shown = user_data.plain(column, 20)
            raise ValueError(
                f"your table, column {shown}, must have 1 to {MOST_VALUES} different values, got {len(found)}"
            )
    return table, values


@lru_cache(64)
def _estimates(text, at):
    """For one column: each value's share by dropping rows and by EM, and of the others' values how many cells are empty of how many."""
    table, values = _sheet(text)
    if at >= len(values):
        raise ValueError(f"your table has {len(values)} columns; choose column 1 to {len(values)}")
    target = [*values][at]
    empty = table[target].isna().to_numpy()
    if not empty.any():
        name = user_data.plain(target, 20)
        raise ValueError(f"your table, column {name}, must have an empty cell to ask about, got none")
    others = [column for column in values if column != target]
    arrows = {target: [], **{column: [target] for column in others}}
    net = em(arrows, table.to_dict("list"), states=values, random_state=0, max_iter=100, tol=1e-6).network
    shares = [
        (value, (table[target] == value).sum() / (~empty).sum(), net.query(target)[value]) for value in values[target]
    ]
    groups = []
    for column in others:
        for value in values[column]:
            mine = (table[column] == value).to_numpy()
            groups.append((column, value, int((mine & empty).sum()), int(mine.sum())))
    return target, shares, groups, int(empty.sum()), len(table)


@figure(
    (22, 0, 500, 430),
    (578, 0, 300, 430),
    size=(900, 430),
    narrow=((390, 680), (16, 250, 358, 430), (16, 0, 358, 250)),
    controls={
        "text": Text("your table", SHEET, lines=3, file=True),
        "column": Slider("column with empty cells", 1, MOST_COLUMNS, 3),
        "value": Slider("value asked for", 1, MOST_VALUES, 1),
    },
    presets={"the sheet": {"text": SHEET, "column": 3, "value": 1}},
    main=("column", "value"),
    help="The first line names two to five columns; leave a cell empty, or write ? or NA.",
    looks={
        "head": {"size": HEAD, "bold": True},
        "clause": {"color": "muted"},
        "group": {"size": SMALL},
        "count": {"size": SMALL, "bold": True, "ha": "right"},
        "track": {"color": "mist"},
        "bar": {"color": "ink", "z": 1.2, "grow": "x"},
        "divider": {"color": "rule", "width": 1},
        "share": {"size": NUMBER, "bold": True, "ha": "right"},
        "name": {"color": "muted"},
        "mark": {"z": 1.2, "grow": "x"},
    },
)
def your_gaps(pen, who, side, text, column, value):
    """The reader's own table with empty cells: who is silent, and a share by dropping rows and by EM."""
    wide = pen.size[0] > 560
    target, shares, groups, empty, n = _estimates(text, column - 1)
    if value > len(shares):
        name = user_data.plain(target, 20)
        raise ValueError(f"your table, column {name}, has {len(shares)} different values; choose one of them")
    state, dropped, found = shares[value - 1]
    name = user_data.plain(target, 12)
    pen.text(who, "head who", 0, 40, "Who is silent?")
    pen.text(who, "clause who", 0, 40, f"{name} is blank", dx=10, after="head who")
    width, pitch = who.box[2], min(64, 372 / max(len(groups), 1))
    for k, (other, each, blank, all_of) in enumerate(groups):
        y, words = 76 + pitch * k, f"{user_data.plain(other, 10)} = {user_data.plain(each, 8)}"
        start = 200 if wide else 160
        pen.text(who, f"group {k}", 0, y, words)
        pen.bar(who, f"track {k}", start, y - 11, width - start - 74, 10)
        pen.bar(who, f"bar {k}", start, y - 11, (width - start - 74) * blank / max(all_of, 1), 10)
        pen.text(who, f"count {k}", width, y, f"{blank} of {all_of}")
    if wide:
        pen.line(side, "divider", (-28, -28), (24, 406))
    asked, top = f"{name} = {user_data.plain(state, 8)}", 40 if wide else 24
    pen.text(side, "head share", 0, top, "Share")
    pen.text(side, "clause share", 0, top, asked, dx=10, after="head share")
    for k, (words, share, role) in enumerate(
        (("complete rows alone", dropped, "muted"), ("EM, all rows", found, "belief"))
    ):
        y = top + 76 + 120 * k
        pen.text(side, f"name {k}", 0, y, words, color=role)
        pen.text(side, f"share {k}", side.box[2], y, f"{share:.3f}", color=role)
        pen.bar(side, f"track s{k}", 0, y + 14, side.box[2], 8)
        pen.bar(side, f"mark {k}", 0, y + 14, side.box[2] * share, 8, color="sediment" if not k else role)
    return (
        f"{empty} of {n} cells of {user_data.plain(target, 20)} are empty. Share with {asked}: {dropped:.3f} among the complete rows, "
        f"{found:.3f} by EM, which takes the other columns as independent given this one."
    )
