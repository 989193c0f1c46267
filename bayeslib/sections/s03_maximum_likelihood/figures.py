"""The live figures of section 03, maximum likelihood, least squares and description length."""

from functools import cache
from math import lgamma

import numpy as np

from bayeslib import data as tables
from bayeslib.figures import steer, user_data
from bayeslib.figures.drawn import Choice, Slider, State, Stops, Text, figure, player
from bayeslib.figures.theme import HEAD, HERO, LABEL, NUMBER, SMALL
from bayeslib.models import likelihood


def _signed(value, digits=1):
    """A number with its sign and a true minus; zero has none."""
    words = f"{value:+.{digits}f}".replace("-", "−")
    return words if words.strip("+−0.") else words[1:]


def _minus(text):
    return text.replace("-", "−")


# Five siblings on a plank, the bell above them, the hill below; and the prior's ghosts on the same plank

FIVE = (2, 4, 4, 5, 10)
ENDS = (-0.62, 12.62)  # of the plank, in inches above 5 ft 1
DROP = 12  # the hill is drawn down to this far below its top
EVEN = 0.0501  # half a step of the fulcrum: nearer to the balance it cannot be set
BELL = np.r_[-30, np.linspace(-3.6, 3.6, 41), 30]  # around its middle, and along the floor
ROUND = np.linspace(0, np.pi, 7)
BODY = np.column_stack(
    [[0.225, *(0.225 * np.cos(ROUND)), -0.225], [0, *(0.40 + 0.20 * np.sin(ROUND)), 0]]
)  # of a person of height 1 who stands on 0
PLANK = {  # floor and height of the bell, plank, ground, top and floor of the hill, ticks; without and with a prior
    (True, False): (208, 134, 300, 327, 378, 446, 469),
    (True, True): (232, 150, 410, 437, None, None, 469),
    (False, False): (194, 92, 314, 338, 390, 502, 526),
    (False, True): (278, 140, 476, 500, None, None, 526),
}


def _family(n):
    """Invented siblings whose mean is 5: the five, four or twenty times over; one or two stand closer together."""
    return {0: (), 1: (5,), 2: (4, 6)}.get(n) or FIVE * (n // 5)


def _heap(count, size, widest, room):
    """(right, up, share) of people who stand in rows, as few as the width allows; the last may be a fraction of one."""
    whole, width = int(np.ceil(count - 1e-9)), 0.51 * size
    columns = max(1, min(whole, int(widest // width)))
    while -(-whole // columns) * size > room and columns < whole:
        columns += 1
    columns = -(-whole // -(-whole // columns)) if whole else 1
    for k in range(whole):
        row, column = divmod(k, columns)
        here = min(columns, whole - row * columns)
        yield (column - (here - 1) / 2) * width, row * size, min(1.0, count - k)


def _bell(x, mean, width):
    return np.exp(-0.5 * ((x - mean) / width) ** 2)


@figure(
    (22, 0, 632, 480),
    (692, 0, 186, 480),
    size=(900, 480),
    narrow=((390, 560), (22, 0, 346, 560), (22, 0, 346, 560)),
    controls={
        "mu": Slider("level μ", 0.0, 12.0, 6.3, step=0.1),
        "sigma": Slider("σ of one sibling", 0.5, 5.0, 2.0, step=0.1),
        "siblings": Stops("siblings", (0, 1, 2, 5, 20, 100), 5),
        "centre": Slider("the parents say μ₀", 2.0, 11.0, 8.0, step=0.5),
        "spread": Stops("give or take σ₀", (("no parents", 0), *((f"{s:g}", s) for s in (4, 2, 1, 0.5, 0.2))), 1),
    },
    presets={
        "five siblings": {"mu": 4.0, "sigma": 2.0, "siblings": 5, "spread": 0},
        "twenty siblings": {"mu": 5.5, "sigma": 2.0, "siblings": 20, "centre": 8.0, "spread": 1},
        "a vague prior": {"mu": 5.1, "sigma": 2.0, "siblings": 5, "centre": 8.0, "spread": 4},
    },
    unlocks={"03/pulled": ["siblings", "centre", "spread", "twenty siblings", "a vague prior"]},
    main=("mu", "sigma"),
    more=("centre",),
    drag={"fulcrum": ("mu", None), "handle": ("mu", None), "expected": ("centre", None)},
    keys={**steer.by("mu", 0.1), **steer.by("sigma", 0.1, steer.UP)},
    help="Drag the bell or the fulcrum; left and right arrows move them too, up and down change σ.",
    looks={
        "bell": {"color": "mist"},
        "floor": {"color": "rule", "width": 1, "z": 1.5},
        "stems": {"color": "evidence", "z": 2.5},
        "tops": {"color": "evidence", "size": 12, "z": 3.4},
        "spine": {"color": "muted", "width": 1.2, "z": 1.6, "clip": False},
        "handle": {"color": "paper", "edge": "ink", "size": 16, "width": 2.4, "z": 6, "grab": "the bell"},
        "plank": {"width": 6, "z": 4, "clip": False},
        "fulcrum": {"color": "ink", "shape": "^", "size": 26, "edge": None, "z": 4, "grab": "the fulcrum"},
        "people": {"color": "evidence", "edge": "paper", "width": 1.2, "z": 5, "clip": False},
        "faces": {"color": "evidence", "edge": "paper", "width": 1.2, "z": 5.1},
        "ghosts": {"color": "belief_wash", "edge": "prior", "width": 1.8, "z": 4.6, "clip": False},
        "ghost faces": {"color": "belief_wash", "edge": "prior", "width": 1.8, "z": 4.7},
        "tall": {"color": "evidence_text", "bold": True, "size": SMALL, "ha": "center", "halo": "paper"},
        "hill": {"color": "evidence_wash"},
        "ridge": {"color": "evidence", "width": 3, "z": 2},
        "pen": {"color": "evidence", "size": 18, "width": 2, "z": 5},
        "top": {"color": "best", "shape": "D", "size": 11, "width": 1.4, "z": 4},
        "guess": {"color": "paper", "edge": "muted", "size": 12, "width": 1.8, "z": 5},
        "prior area": {"color": "belief_wash"},
        "prior line": {"color": "prior", "z": 2},
        "siblings area": {"color": "evidence_wash"},
        "siblings line": {"color": "evidence", "z": 2.1},
        "posterior area": {"color": "belief_tint", "z": 1.4, "alpha": 0.85},
        "posterior line": {"color": "belief", "width": 3.2, "z": 3},
        "expected": {"color": "paper", "edge": "prior", "size": 14, "width": 2.4, "z": 5.5, "grab": "the prior"},
        "name": {"bold": True, "halo": "paper", "ha": "center"},
        "tick": {"size": SMALL, "color": "muted", "ha": "center"},
        "note": {"size": SMALL, "color": "muted"},
        "asked": {"size": 90, "bold": True, "color": "sediment", "ha": "center"},
        "square": {"color": "evidence"},
        "row": {"size": SMALL, "color": "muted"},
        "count": {"bold": True, "ha": "right"},
        "number": {"size": NUMBER, "bold": True},
        "hero": {"size": HERO, "bold": True, "color": "belief"},
    },
)
def measured_length(pen, page, side, mu, sigma, siblings, centre, spread):
    """Where the bell makes five siblings most likely, their plank balances; a prior is some ghosts who step on to it."""
    people, ghosts = np.array(_family(siblings), float), (sigma / spread) ** 2 if spread else 0
    best, give = _level(mu, sigma, siblings, centre, spread)
    wide, prior, even = pen.size[0] > 560, bool(spread), abs(mu - best) < EVEN
    floor, height, plank, ground, crest, foot, ticks = PLANK[wide, prior]
    page.limits(ENDS, (page.box[3], 0))
    side.limits((0, side.box[2]), (side.box[3], 0))
    pull = 0 if even else float((people - mu).sum() + ghosts * (centre - mu))
    lever = ground - plank
    reach = page.scale * ((ENDS[1] - mu) if pull > 0 else (mu - ENDS[0]))
    angle = 0 if pen.waiting else np.tanh(pull / 5) * np.arcsin((lever - 9) / max(reach, 60))
    level = ground - 4 if pen.waiting else plank

    def turned(x, y):
        """Places on the plank, in inches and in pixels above it, after it has tipped about the fulcrum."""
        across, up = (np.asarray(x, float) - mu) * page.scale, np.asarray(y, float)
        return (
            mu + (across * np.cos(angle) + up * np.sin(angle)) / page.scale,
            level - up * np.cos(angle) + across * np.sin(angle),
        )

    # The plank and who stands on it
    pen.line(page, "plank", *turned(ENDS, [-3, -3]))
    pen.line(page, "floor ground", ENDS, (ground, ground), clip=False)
    if not pen.waiting:
        pen.points(page, "fulcrum", [mu], [plank + 16])
    _stand(pen, page, turned, people, 0 if pen.waiting else ghosts, centre, sigma)
    for tick in (0, 3, 6, 9, 12):
        pen.text(page, f"tick {tick}", tick, ticks, f"{tick}")
    name, clause = (
        ("Siblings and ghosts", "the family's level") if prior else ("Slide the bell", "five invented siblings")
    )
    pen.text(page, "head", ENDS[0], 34, name, size=HEAD, bold=True)
    if wide:
        pen.text(page, "head clause", ENDS[0], 34, clause, dx=12, after="head", color="muted")
        pen.text(side, "note unit", 0, ticks, "inches above 5 ft 1")
    else:
        pen.text(side, "note unit", side.box[2], ticks + 22, "inches above 5 ft 1", ha="right")

    if prior:
        _beliefs(pen, page, people, sigma, centre, spread, (best, give), mu, floor, height)
        if pen.waiting:
            pen.text(side, "asked", 93 if wide else 300, 160 if wide else 110, "?")
            return f"The parents say {centre:g} ± {spread:g}. Five siblings with an average of 5 wait on the plank."
        _weighed(pen, side, siblings, ghosts, centre, best, give, wide)
        worth = f"worth {ghosts:.4g} siblings of {centre:g}"
        data = (
            f"{siblings} sibling{'s' * (siblings > 1)} averaging 5, one scatters by {sigma:.1f}"
            if siblings
            else "No sibling"
        )
        rest = "the plank balances, to a tenth of an inch" if even else f"the pull on the plank is {_signed(pull, 2)}"
        return (
            f"{data}. The parents say {centre:g} ± {spread:g}, {worth}. Most probable level: {best:.3f}, give or take "
            f"{give:.3f}. At μ = {mu:.4g} {rest}."
        )

    if pen.waiting:
        pen.text(page, "asked", 6, floor - 30, "?")
        return "Five invented siblings on a plank, in inches above 5 ft 1. Where does the bell belong?"
    here, top = (likelihood.gaussian_log_likelihood(people - each, sigma) for each in (mu, best))

    # The bell, and its height above each sibling
    x = mu + sigma * BELL
    up = floor - height * _bell(BELL, 0, 1)
    pen.area(page, "bell", np.column_stack([np.r_[x, x[-1], x[0]], np.r_[up, floor, floor]]))
    pen.line(page, "edge", x, up)
    pen.line(page, "floor bell", ENDS, (floor, floor))
    stands = np.array(_family(min(siblings, 5)), float)
    apart = np.where(stands == 4, np.cumsum(stands == 4) * 2 - 3, 0) * (5.2 if wide else 4.2) * (len(stands) == 5)
    at, high = stands + apart / page.scale, floor - height * _bell(stands, mu, sigma)
    half = (4.5 if wide else 3.5) / page.scale
    pen.area(
        page, "stems", *([(a - half, floor), (a - half, y), (a + half, y), (a + half, floor)] for a, y in zip(at, high))
    )
    pen.points(page, "tops", at, high)

    # The hill: ln p of every level
    far = DROP * 2 * sigma**2 / siblings
    level_of = best + np.sqrt(far) * np.linspace(-1, 1, 61)
    fall = foot - (foot - crest) * (1 - np.linspace(-1, 1, 61) ** 2)
    pen.area(page, "hill", np.column_stack([level_of, fall]))
    pen.line(page, "ridge", level_of, fall)
    pen.line(page, "floor hill", ENDS, (foot, foot))
    drop = min((top - here) / DROP, 1)
    pen.line(page, "spine", [mu, mu], [floor - height, crest + drop * (foot - crest)])
    pen.points(page, "handle", [mu], [floor - height])
    pen.points(page, "pen", [mu], [crest + drop * (foot - crest)])
    if not even:
        pen.points(page, "top", [best], [crest])
    words, right = f"μ = {mu:.3g}{', the mean' if even else ''}", mu < 9
    look = {"color": "best" if even else "ink", "halo": "paper", "bold": True}
    pen.text(page, "mu", mu, ground + 24, words, dx=14 if right else -14, ha="left" if right else "right", **look)
    if pen.guess is not None:
        _guess(
            pen,
            page,
            crest + min(siblings * (pen.guess - best) ** 2 / (2 * sigma**2) / DROP, 1) * (foot - crest),
            best,
            10,
        )

    error = float(((people - mu) ** 2).sum())
    told = f"{error:.2f}" if error < 1000 else f"{error:,.0f}", _signed(pull), _minus(f"{here:.2f}")
    _paid(pen, side, stands, mu, told, 0 if even else pull)
    lead = "no level has more" if even else f"{round(top, 2) - round(here, 2):.2f} less than at the mean"
    return (
        f"At μ = {mu:.3g} the squares of {siblings} siblings sum to {error:.2f}. With σ = {sigma:.1f}, ln p = "
        f"{_minus(f'{here:.2f}')}, {lead}. The pull on the plank is {_signed(pull, 2)}."
    )


def _paid(pen, side, stands, mu, told, pull):
    """The squared distances, their sum, the pull on the plank, and ln p."""
    if pen.size[0] < 560:
        pen.text(side, "number squares", 0, 70, told[0])
        pen.text(side, "of squares", 0, 70, "squares", dx=8, after="number squares", color="muted")
        pen.text(side, "number ln", 346, 70, told[2], ha="right", color="evidence_text")
        return pen.text(side, "of ln", 346, 38, "ln p", ha="right", color="muted")
    pen.text(side, "head squares", 0, 34, "Squared distance", size=HEAD, bold=True)
    for k, (sibling, square) in enumerate(zip(stands, (stands - mu) ** 2)):
        y, long, words = 70 + 25 * k, 1.12 * square, f"{square:.2f}".removesuffix(".00")
        pen.text(side, f"row {k}", 18, y + 5, f"{sibling:g}", ha="right")
        pen.bar(side, f"square {k}", 28, y - 7, long, 14)
        pen.text(side, f"row of{k}", 34 + long, y + 5, words, color="evidence_text", bold=True)
    where = f"pull to the {'right' if pull > 0 else 'left'}" if pull else "pull"
    colors, beside = ("ink", "ink" if pull else "best", "evidence_text"), ("in all", "" if pull else "in balance", "")
    for y, above, number, color, words in zip((222, 316, 420), ("", where, "ln p"), told, colors, beside):
        pen.text(side, f"of {y}", 0, y - 32, above, color="muted")
        pen.text(side, f"number {y}", 0, y, number, color=color)
        pen.text(side, f"of beside{y}", 0, y, words, dx=10, after=f"number {y}", color="best" if y == 316 else "muted")
    return None


def _level(mu, sigma, siblings, centre, spread):
    """The most probable level and its σ; without a prior the mean, and how well so many siblings tell it."""
    if spread:
        return likelihood.mean_posterior(_family(siblings), sigma, centre, spread) if siblings else (centre, spread)
    if not siblings:
        raise ValueError("siblings must be at least 1 where no parents say anything, got 0")
    return 5.0, sigma / siblings**0.5


def _stand(pen, page, turned, people, ghosts, centre, sigma):
    """Siblings and ghosts on the plank, smaller the more there are."""
    wide = pen.size[0] > 560
    pawn, room = (58, 140) if wide else (47, 130)
    size = pawn * min(1, (5 / max(len(people), 5)) ** 0.37, (8 / max(ghosts, 8)) ** 0.40)

    def crowd(name, heaps):
        """Bodies and heads of heaps of people, each (level, right, up, height)."""
        bodies, heads = [], []
        for level, right, up, tall in heaps:
            x = level + (right + tall * BODY[:, 0]) / page.scale
            bodies.append(np.column_stack(turned(x, up + tall * BODY[:, 1])))
            heads.append(turned(level + right / page.scale, up + 0.80 * tall))
        tall = [round(float(0.31 * each[3]), 1) for each in heaps]
        edge = {"width": min(1.8, 0.05 * max(size, 1))} if name == "ghosts" else {"width": min(1.2, 0.03 * size)}
        faces = "ghost faces" if name == "ghosts" else "faces"
        looks = [{"size": each, **edge} for each in sorted(set(tall))] or [{}]
        pen.area(page, name, *bodies, **edge)
        pen.points(
            page, faces, *(np.transpose(heads) if heads else ([], [])),
            of=[sorted(set(tall)).index(each) for each in tall], looks=looks,
        )  # fmt: skip

    grown = len(people) <= 5
    tall = {value: size * (61 + value) / 66 if grown else size for value in people.tolist()}
    places = {}
    for value in tall:
        widest = (9 * size if wide else size) if grown else (1.35 if value == 4 else 0.8) * page.scale
        places[value] = _heap(int((people == value).sum()), tall[value], widest, room)
    heaps = [
        (value, *next(places[value])[:2], tall[value]) for value in people.tolist()
    ]  # the first five stay the five
    tops = {value: (max(up for at, _, up, _ in heaps if at == value) + tall[value]) for value in tall}
    crowd("people", heaps)
    ghostly = [(centre, right, up, size * part**0.5) for right, up, part in _heap(ghosts, size, 2.4 * page.scale, room)]
    crowd("ghosts", ghostly)
    for value, up in tops.items() if grown and not ghosts else ():
        words = " ".join([f"{value:g}"] * int((people == value).sum()))
        pen.text(page, f"tall {value:g}", *turned(value, up + 5), words)
    if ghosts:
        words = f"{ghosts:.3g} ghost{'' if abs(ghosts - 1) < 1e-9 else 's'}"
        half = pen.width(words, LABEL, True) / 2 / page.scale
        place = np.clip(centre, ENDS[0] + half, ENDS[1] - half)
        near = [top for value, top in tops.items() if abs(value - place) < max(half + 0.4, 2)]  # above their heads
        up = max([at + tall for _, _, at, tall in ghostly] + near)
        x, y = turned(place, up + 8)
        pen.text(page, "name ghosts", x, y, words, color="muted")


def _beliefs(pen, page, people, sigma, centre, spread, after, mu, floor, height):
    """Prior, likelihood and posterior of the level as three bells of one area, each named at its shoulder."""
    (best, give), n = after, len(people)
    bells = [("prior", centre, spread, "prior", "muted")]
    if not pen.waiting:
        if n:
            bells.append(("siblings", 5, sigma / n**0.5, f"{n} sibling{'s' * (n > 1)}", "evidence_text"))
        bells.append(("posterior", best, give, "posterior", "belief"))
    outward, taken = 1 if centre >= (5 if n else 6) else -1, []
    pen.line(page, "floor bell", ENDS, (floor, floor), clip=False)
    tallest = spread if pen.waiting else give
    for name, mean, width, words, color in reversed(bells):
        peak = height * tallest / width
        x, up = mean + width * BELL[1:-1], floor - peak * _bell(BELL[1:-1], 0, 1)
        pen.area(page, f"{name} area", np.column_stack([x, up]))
        pen.line(page, f"{name} line", x, up)
        lean = {"posterior": outward, "prior": outward, "siblings": -outward}[name]
        half = pen.width(words, LABEL, True) / 2 / page.scale
        place = mean if name == "posterior" else mean + lean * (0.7 * width + half + 8 / page.scale)
        place = float(np.clip(place, ENDS[0] + half, ENDS[1] - half))
        y = floor - height - 14 if name == "posterior" else max(floor - 0.78 * peak, floor - height + 8)
        while any(abs(place - at) < half + wide + 8 / page.scale and abs(y - line) < 24 for at, wide, line in taken):
            y += 6
        taken.append((place, half, y))
        pen.text(page, f"name {name}", place, y, words, color=color)
    if pen.waiting:
        return
    pen.points(page, "expected", [centre], [floor - min(height * tallest / spread, height)])
    y = floor - height * _bell(mu, best, give)
    pen.line(page, "spine", [mu, mu], [y, PLANK[pen.size[0] > 560, True][2]])
    pen.points(page, "handle", [mu], [y], color="belief", edge="paper", grab="the level")
    if pen.guess is not None:
        _guess(pen, page, floor, best, -22)


def _guess(pen, page, y, best, up):
    """The reader's prediction as a ring, and words on the side that is turned away from the answer."""
    right, words = pen.guess > best, f"{pen.reader} said {pen.guess:g}"
    pen.points(page, "guess", [pen.guess], [y])
    place = {"dx": 14, "ha": "left"} if right else {"dx": -14, "ha": "right"}
    pen.text(page, "note guess", pen.guess, y, words, dy=up, halo="paper", **place)


def _weighed(pen, side, siblings, ghosts, centre, best, give, wide):
    """The most probable level, and the sum that gives it."""
    if not wide:
        pen.text(side, "hero", -2, 84, f"{best:.2f}")
        pen.text(side, "of hero", 0, 62, f"level, ± {give:.2f}", dx=12, after="hero")
        total = (
            f"({siblings} × 5 + {ghosts:.3g} × {centre:g}) / {siblings + ghosts:.4g}" if siblings else "no sibling yet"
        )
        return pen.text(side, "of hero sum", 0, 84, total, dx=12, after="hero", color="muted", size=SMALL)
    pen.text(side, "hero", -2, 92, f"{best:.2f}")
    pen.text(side, "of hero", 0, 120, "most probable level")
    pen.text(side, "of hero give", 0, 144, f"± {give:.2f}", color="muted")
    rows = [
        (siblings, f"sibling{'s' * (siblings != 1)} × 5", "evidence_text"),
        (ghosts, f"ghosts × {centre:g}", "muted"),
    ]
    for k, (count, words, color) in enumerate([*rows, (siblings + ghosts, "on the plank", "belief")]):
        y = 312 + 28 * k + 8 * (k == 2)
        pen.text(side, f"count {k}", 46, y, f"{count:.4g}", color=color)
        pen.text(side, f"of count {k}", 54, y, words, color=color)
    return pen.line(side, "floor sum", (0, 176), (347, 347))


# A line, and the price of what it leaves over

POINTS = [[0.0, 1.0], [1.0, 3.0], [2.0, 2.0], [3.0, 5.0], [4.0, 4.0]]
HANDLES = (-0.4, 4.4)  # where the line is held
TALL = 12.0  # of the plane


def _best_line(points, power):
    x, y = np.array(points).T
    if len(set(x)) == 1:
        raise ValueError("the points must not all share one x, because then no single line is best")
    return likelihood.least_power_line(x, y, power)


def _drag_line(values, name, x, y):
    """An end of the line goes where it is dragged, the other stays; a point keeps its x on the grid of a tenth."""
    what, _, k = name.partition(" ")
    if what == "point":
        places = [list(each) for each in values["points"]]
        places[int(k)] = [round(min(max(x, 0), 4), 1), round(min(max(y, 0), TALL), 1)]
        return {"points": places}
    a, b = values["line"] or _best_line(values["points"], values["power"])
    ends = [a + b * each for each in HANDLES]
    ends[int(k)] = min(max(y, 0), TALL)
    slope = (ends[1] - ends[0]) / (HANDLES[1] - HANDLES[0])
    return {"line": [round(ends[0] - slope * HANDLES[0], 2), round(slope, 2)]}


def _middle_at(y, power):
    return {"points": [[2.0, y] if x == 2 else [x, old] for x, old in POINTS], "power": power, "line": None}


@figure(
    (40, 60, 480, 380),
    (580, 60, 298, 200),
    (580, 300, 298, 150),
    size=(900, 468),
    narrow=((390, 690), (40, 56, 328, 320), (22, 544, 346, 110), (22, 404, 346, 100)),
    controls={
        "points": State(POINTS),
        "line": State(None),
        "power": Slider("exponent of a residual", 1.0, 2.0, 2.0, step=0.1),
    },
    presets={
        "squares, middle at 10": _middle_at(10.0, 2.0),
        "absolute, middle at 10": _middle_at(10.0, 1.0),
        "absolute, middle at 7": _middle_at(7.0, 1.0),
        "my own line": {"points": POINTS, "power": 2.0, "line": [1.0, 1.0]},
    },
    actions={"best line": lambda values: {"line": None}},
    drag={"point": _drag_line, "end": _drag_line},
    keys=steer.by("power", 0.1),
    help="Drag a point, or an end of the line; left and right arrows change the exponent.",
    looks={
        "ground": {"color": "mist", "z": 0},
        "cost": {"color": "evidence", "alpha": 0.42, "z": 1.5},
        "stick": {"color": "evidence", "width": 2.2, "z": 2.5},
        "best": {"color": "best", "width": 1.8, "z": 2.8},
        "line": {"color": "ink", "width": 3.4, "z": 3, "clip": False},
        "point": {"color": "ink", "size": 17, "width": 1.6, "z": 5, "grab": "the point"},
        "end": {"color": "paper", "edge": "ink", "size": 14, "width": 2.4, "z": 4.5, "grab": "the end of the line"},
        "curve": {"color": "evidence", "width": 3},
        "dots": {"color": "ink", "size": 13, "width": 1.4, "z": 4},
        "drop": {"color": "evidence", "width": 2.2, "z": 2.5},
        "number": {"size": NUMBER, "bold": True},
        "of": {"color": "muted"},
        "tick": {"size": SMALL, "color": "muted"},
    },
)
def line_fit(pen, plane, price, words, points, line, power):
    """Each residual costs its rectangle: a square while the exponent is 2, a bar of width 1 when it is 1."""
    wide, (x, y) = pen.size[0] > 560, np.array(points).T
    best = _best_line(points, power)
    a, b = line or best
    plane.limits((-0.5, 4.5), (-0.5, TALL + 0.5))
    unit = plane.box[3] / (TALL + 1) / plane.scale  # of y, measured along x
    r, least = y - a - b * x, y - best[0] - best[1] * x
    cost, lowest = np.abs(r) ** power, float((np.abs(least) ** power).sum())
    total, scale = float(cost.sum()), len(x) * (np.log(2) + np.log(power) / power + lgamma(1 + 1 / power))
    mine, top = (-each / power - scale for each in (total, lowest))
    pen.bar(plane, "ground", -0.5, -0.5, 5, TALL + 1)
    for x_tick, y_tick in ((0, 0), (2, 5), (4, 10)):
        pen.text(plane, f"tick x{x_tick}", x_tick, -0.5, f"{x_tick}", dy=-20, ha="center")
        pen.text(plane, f"tick y{y_tick}", -0.5, y_tick, f"{y_tick}", dx=-8, ha="right", va="center")
    for k in range(len(x)):
        width = (-1 if x[k] > 2.5 else 1) * unit * abs(r[k]) ** (power - 1) * (abs(r[k]) > 1e-9)
        pen.bar(plane, f"cost {k}", x[k], y[k], width, -r[k])
        pen.line(plane, f"stick {k}", (x[k], x[k]), (y[k], y[k] - r[k]))
        pen.points(plane, f"point {k}", x[k : k + 1], y[k : k + 1])
    pen.line(plane, "line", HANDLES, [a + b * each for each in HANDLES])
    for k, each in enumerate(HANDLES):
        pen.points(plane, f"end {k}", [each], [a + b * each])
    off = total - lowest > 1e-9 * (1 + total)
    if line and off:
        pen.line(plane, "best", HANDLES, [best[0] + best[1] * each for each in HANDLES])
    what = {2.0: "squares", 1.0: "absolute errors"}.get(power, f"|r| to the {power:g}")
    pen.head(plane, "Your line" if line else "The best line", f"y = {_line(a, b)}", y=22)

    # What a residual costs, and the five that have to be paid
    price.limits((-7, 7), (0, 1.12))
    grid = np.linspace(-7, 7, 57)
    pen.line(price, "floor", (-7, 7), (0, 0), color="muted", width=1, clip=False)
    pen.line(price, "curve", grid, (np.abs(grid) / 7) ** power)
    seen = np.clip(r, -7, 7)
    pen.segments(price, "drop", [((each, 0), (each, (abs(each) / 7) ** power)) for each in seen])
    pen.points(price, "dots", seen, (np.abs(seen) / 7) ** power)
    pen.text(price, "of price", -7, 1.12, "price of a residual", dy=10 if wide else 4, size=LABEL if wide else SMALL)
    pen.text(price, "of below", -7, 0, "below", dy=-10, va="top", size=SMALL)
    pen.text(price, "of above", 7, 0, "above the line", dy=-10, va="top", ha="right", size=SMALL)

    # Total price and ln p: the two agree
    words.limits((0, words.box[2]), (words.box[3], 0))
    apart = words.box[2] / 2
    for k, (name, value, here, role) in enumerate(
        ((what, total, lowest, "ink"), ("ln p, with scale 1", mine, top, "evidence_text"))
    ):
        pen.text(words, f"of {k}", k * apart, 28, name, size=SMALL)
        pen.text(words, f"number {k}", k * apart, 60, _minus(f"{value:.2f}"), color=role)
        best_of = f"best {_minus(f'{here:.2f}')}" if line and off else "no line has " + ("more" if k else "less")
        pen.text(words, f"of best-{k}", k * apart, 88, best_of, size=SMALL, color="best")
    if pen.waiting:
        return f"Five points and their best line, {_line(a, b)}. The squares have a total area of {total:.1f}."
    name = {1.0: "Laplace noise", 2.0: "Gaussian noise"}.get(power, "noise between Laplace and Gaussian")
    behind = (
        f"the best line, {_line(*best)}, has {lowest:.2f} and {_minus(f'{top:.2f}')}"
        if line and off
        else "no line does better"
    )
    return (
        f"Line {_line(a, b)}, exponent {power:g}, {name} of scale 1. The residuals cost {total:.2f}, ln p = "
        f"{_minus(f'{mine:.2f}')}; {behind}. The middle point is at ({x[2]:g}, {y[2]:g})."
    )


def _line(intercept, slope):
    return _minus(f"{intercept + 0:.2f} {'+' if slope >= 0 else '-'} {abs(slope):.2f}x")


# Galton's families: one cloud, two best lines


@cache
def _galton():
    """(family, mid-parent, child) of 934 grown children, in inches."""
    table = tables.load_galton_families()
    return tuple(table[name].to_numpy() for name in ("family", "midparent", "height"))


@cache
def _lines():
    """Mid-parents and children from their own means; both standard deviations, slopes for children and for parents, both means."""
    _, parent, child = _galton()
    p, k = parent - parent.mean(), child - child.mean()
    slopes = likelihood.fit_line(p, k)[1], likelihood.fit_line(k, p)[1]
    return p, k, p.std(), k.std(), *slopes, parent.mean(), child.mean()


STRIP, GIVEN = 1.5, {"children": 2.8, "parents": 4.8}  # inches; the strips that the text talks about stand there
REACH = 10.0  # the plane shows so many inches up and down
STEPS = ["cloud", "strips", "children", "parents", "both"]


def _strips(given, values, other):
    """number -> (how many, mean of the other height) of each strip that holds at least three children."""
    number = np.round((values - given) / STRIP).astype(int)
    held = {j: other[number == j] for j in range(number.min(), number.max() + 1)}
    return {j: (len(each), float(each.mean())) for j, each in held.items() if len(each) >= 3}


def _own(text):
    """Mid-parent and height in inches, women's heights times 1.08 as Galton had it; None if nothing is typed."""
    if not text.strip():
        return None
    heights, daughter, after = text.partition("daughter")
    found = np.array(
        user_data.numbers((heights + after).replace("son", " ").replace(":", " "), "your family", 3, 3, 20, 250)
    )
    found = np.where(found > 100, found / 2.54, found)  # centimetres
    if found.min() < 40:
        raise ValueError(
            f"your family must be heights of at least 40 inches or 102 centimetres, got {found.min():.3g} inches"
        )
    father, mother, height = found
    return (father + 1.08 * mother) / 2, height * (1.08 if daughter else 1)


@player(
    (58, 56, 420, 384),
    (532, 0, 346, 480),
    size=(900, 480),
    narrow=((390, 570), (48, 44, 320, 320), (22, 364, 346, 206)),
    history=STEPS,
    pace=600,
    interval=2500,
    controls={
        "units": Choice("measured in", ("inches", "standard units"), "inches"),
        "family": Text("father, mother, you", ""),
    },
    presets={
        "two best lines": {"step": 4, "units": "inches"},
        "standard units": {"step": 4, "units": "standard units"},
        "a family": {"step": 4, "family": "178, 165, daughter 170"},
    },
    unlocks={"03/tall-parents": ["units", "family"]},
    help="Arrows step. Your family in inches or centimetres, such as: 178, 165, daughter 170. Nothing is stored.",
    looks={
        "ground": {"color": "mist", "z": 0},
        "strip": {"color": "paper", "alpha": 0.6, "z": 0.5},
        "fan": {"alpha": 0.55, "z": 0.8},
        "cloud": {
            "color": "ink",
            "edge": "ink",
            "width": 0.2,
            "size": 7,
            "alpha": 0.24,
            "z": 2,
        },  # with a rim dots add up
        "line": {"width": 3.4, "z": 4},
        "rim": {"color": "mist", "width": 6.4, "z": 3.9},
        "mean": {"size": 14, "width": 1.8, "z": 5},
        "name": {"bold": True, "halo": "mist"},
        "tick": {"size": SMALL, "color": "muted"},
        "sd": {"z": 6},
        "you": {"shape": "*", "size": 27, "width": 1.6, "z": 7},
        "given": {"grow": "x"},
        "found": {"grow": "x"},
        "asked": {"color": None, "edge": "muted", "width": 1.4},
        "guess": {"color": None, "edge": "muted", "width": 1.4, "z": 0.9},
        "who": {"color": "muted", "ha": "right"},
        "value": {"bold": True},
        "note": {"size": SMALL, "color": "muted"},
        "share": {"size": NUMBER, "bold": True},
        "of": {"color": "muted"},
        "lane": {"color": "case_tint", "edge": None, "width": 0, "size": 9.4, "z": 2},
    },
)
def heights(pen, plane, side, step, units, family):
    """Slice the cloud by parents and thread the children's means, slice it by children and thread the parents': two lines."""
    p, k, sdp, sdk, to_child, to_parent, *_ = _lines()
    wide, standard, what = pen.size[0] > 560, units == "standard units", STEPS[step]
    settled = pen.answered("03/tall-parents") and not (pen.waiting and step < 4)
    stretch = sdk / sdp if standard else 1  # standard units stretch the parents' axis; no child moves up or down
    across = REACH * plane.box[2] / plane.box[3] / stretch
    plane.limits((-across, across), (-REACH, REACH))
    pen.bar(plane, "ground", -across, -REACH, 2 * across, 2 * REACH)

    # Strips: upright for children, lying for parents; on the way they turn
    sliced = {"strips": "children", "children": "children", "parents": "parents"}.get(what)
    if sliced and not pen.waiting:
        given, values, other = (GIVEN[sliced], p, k) if sliced == "children" else (GIVEN[sliced], k, p)
        role, shape = ("case", "s") if sliced == "children" else ("other", "o")
        for j, (_, mean) in _strips(given, values, other).items():
            low, high, long = given + STRIP * (j - 0.46), given + STRIP * (j + 0.46), 3 * REACH
            corners = [(low, -long), (high, -long), (high, long), (low, long)]
            if sliced == "parents":  # the same corners after a quarter of a turn
                corners = [(-y, x) for x, y in corners]
            look = {"color": f"{role}_tint", "alpha": 1} if not j else {}
            pen.area(plane, f"strip {j}", corners, **look)
            place = (given + STRIP * j, mean) if sliced == "children" else (mean, given + STRIP * j)
            pen.points(plane, f"mean {j}", *np.transpose([place]), color=role, shape=shape)
    pen.points(plane, "cloud", p, k)

    # The lines through both means, and the fans between them and the diagonal
    equal = (sdp, sdk) if standard else (1, 1)
    shown = {}
    if step in (2, 3, 4):
        shown["children"] = ((1, to_child), "case" if step != 3 else "case_tint")
    if step in (3, 4):
        shown["parents"] = ((to_parent, 1), "other")
    if step in (0, 4):
        _through(pen, plane, "equal", equal, "muted", 1.8)
    for name, (way, role) in shown.items():
        if what == "both":
            far = [30 * np.array(each) / max(each) for each in (equal, way)]
            wedges = [[(0, 0), *(sign * each for each in far)] for sign in (1, -1)]
            pen.area(plane, f"fan {name}", *wedges, color=f"{role}_tint")
        _through(pen, plane, name, way, role, 3.4)
    _plane_words(pen, plane, what, standard, (sdp, sdk, to_child, to_parent), stretch)
    you = _own(family)
    if you:
        _you(pen, plane, you, across)

    # What is left of a lead
    say = {"units": standard, "stretch": stretch, "sd": (sdp, sdk)}
    heads = {
        "cloud": ("Tall parents", "how tall is the child?"),
        "strips": ("Slice by parents", "a mean per strip"),
        "children": ("Slice by parents", "thread the means"),
        "parents": ("Slice by children", "turned round"),
        "both": ("Two best lines", "neither is “equal”"),
    }
    side.limits((0, side.box[2]), (side.box[3], 0))
    name, clause = heads[what] if not pen.waiting or step == 0 else ("Turn it round", "and the parents?")
    if wide:
        pen.text(side, "head", 0, 42, name, size=HEAD, bold=True)
        pen.text(side, "head clause", 0, 42, clause, dx=10, after="head", color="muted")
    tell = step >= 2 and (settled or (step == 4 and not pen.waiting))
    guess = pen.guess if not standard and not (pen.waiting and step == 2) else None
    asks_parents = step == 2 and pen.waiting
    _lead(pen, side, 0, "children", to_child, tell, None if asks_parents or step == 3 else guess, **say)
    if step >= 3 or asks_parents:
        _lead(pen, side, 1, "parents", to_parent, not asks_parents, guess if step == 3 else None, **say)
    elif step in (1, 2):
        _lane(pen, side, tell, p, k, to_child)
    else:
        for line, (number, words) in enumerate(((len(p), "grown children"), (205, "families, England, 1884"))):
            x, y = (0, 290 + 44 * line) if wide else (200, 78 + 62 * line)
            pen.text(side, f"share {number}", x, y, f"{number}")
            place = {"dx": 12, "after": f"share {number}"} if wide else {"dy": -22, "size": SMALL}
            pen.text(side, f"of {number}", x, y, words if wide else words.removesuffix(", 1884"), **place)
    if what == "both" and wide:
        shared = f"both lines keep the correlation, {to_child * sdp / sdk:.2f}"
        pen.text(side, "of both", 0, 440, shared if standard else "parents, an average of two, vary less")
    return _said(step, pen.waiting, settled, standard, you)


def _through(pen, plane, name, way, role, width):
    """A line through both means, as far as the plane goes."""
    far = 30 * np.array(way) / max(way)
    pen.line(plane, f"rim {name}", *np.transpose([-far, far]), width=width + 3)
    pen.line(plane, f"line {name}", *np.transpose([-far, far]), color=role, width=width)


def _plane_words(pen, plane, what, standard, numbers, stretch):
    (sdp, sdk, to_child, to_parent), wide = numbers, pen.size[0] > 560
    (left, right), (low, high) = plane.x, plane.y
    kind = "standard units above the mean" if standard else "inches above the mean"
    pen.text(plane, "name child", left, high, "child", dx=-36 if wide else -26, dy=14, color="case", halo=None)
    pen.text(plane, "of kind", left, high, kind, dx=8, dy=14, after="name child", size=LABEL if wide else SMALL)
    pen.text(plane, "name axis", right, low, "parents", dy=-21, ha="right", color="other", halo=None)
    for v in (-2, -1, 0, 1, 2) if standard else (-6, -3, 0, 3, 6):
        words = _signed(v, 0)
        x, y = (v * sdp, v * sdk) if standard else (v, v)
        if wide or v < (2 if standard else 6):
            pen.text(plane, f"tick x{v}", x, low, words, dy=-21, ha="center")
        pen.text(plane, f"tick y{v}", left, y, words, dx=-8, ha="right", va="center")
    if what in ("cloud", "both"):
        steep = sdk / sdp if standard else 1
        x = (low + 0.9) / steep
        pen.text(plane, "name equal", x, low + 0.9, "equal", dx=16, color="muted", bold=False)
    look = {"ha": "right"}
    if what in ("children", "both"):
        y, words = (right - 126 / plane.scale) * to_child, "for children" if wide else "children"
        pen.text(plane, "name children", right, y, words, dx=-9, dy=-22, color="case", **look)
    if what in ("parents", "both"):
        x, words = (high - 1.6) * to_parent, "for parents" if wide else "parents"
        pen.text(plane, "name parents", x, high - 1.4, words, dx=-12, color="other", **look)
    if what == "both":
        pen.bar(plane, "sd parents", -sdp, low, 2 * sdp, 0.4, color="other")
        pen.bar(plane, "sd child", left, -sdk, 0.4 / stretch, 2 * sdk, color="case")
        words = ("SD 1", "SD 1") if standard else (f"SD {sdp:.1f}", f"SD {sdk:.1f}")
        look = {"size": SMALL, "bold": True, "halo": "mist"}
        pen.text(plane, "name sd-parents", sdp, low, words[0], dx=10, dy=8, color="other", **look)
        pen.text(plane, "name sd-child", left, 0, words[1], dx=14, va="center", color="case", **look)


def _you(pen, plane, you, across):
    """The reader's family as a star, kept inside the plane."""
    *_, mean, average = _lines()
    x, y = np.clip(you[0] - mean, -0.93 * across, 0.93 * across), np.clip(you[1] - average, -9.2, 9.2)
    pen.points(plane, "you", [x], [y])
    left = x > 0.7 * across
    dy = 36 if y < -8 else -24 if left else 0  # clear of the names at both ends of the diagonal
    pen.text(plane, "name you", x, y, "you", dx=-16 if left else 16, dy=dy, ha="right" if left else "left", va="center")


def _lead(pen, side, row, who, slope, tell, guess, units, stretch, sd):
    """Two bars, the lead that is given and what is left of it, and the share that is kept."""
    wide, given = pen.size[0] > 560, GIVEN[who]
    (first, tint), (then, role) = [("parents", "other"), ("child", "case")][:: -1 if row else 1]
    inch, zero, top = (33.0, 80, 112 + 176 * row) if wide else (14.0, 184 * row, 46)
    size = {"parents": (stretch, sd[0]), "child": (1, sd[1])}

    def bar(name, kind, y, value, **look):
        end = zero + inch * value * size[name][0]
        pen.bar(side, f"{kind} {who}", zero, y - 9, max(end - zero, 2), 18, **look)
        return end, _signed(value / size[name][1] if units else value)

    if wide:
        words = "Parents of tall children" if row else "Children of tall parents"
        pen.text(side, f"head {who}", 0, top - 26, words, bold=True, color=role)
    low, value = top + 28, given * slope
    for name, y in ((first, top), (then, low)) if wide else ():
        pen.text(side, f"who {who}-{name}", zero - 10, y + 5, name)
    end, words = bar(first, "given", top, given, color=f"{tint}_tint")
    pen.text(side, f"value given-{who}", end + 8, top + 6, words)
    end, words = bar(then, "found", low, value, color=role) if tell else (end, "?")
    if not tell:
        pen.bar(side, f"asked {who}", zero, low - 9, end - zero, 18)
    if guess is not None:
        far = max(end, zero + inch * guess)
        end = far if far + 56 < side.box[2] else end  # else the number stands inside the outline
        pen.bar(side, f"guess {who}", zero, low - 9, max(inch * guess, 2), 18)
        pen.text(side, f"note {who}", zero, low + 28, f"{pen.reader} said {_signed(guess)}")
    pen.text(side, f"value {who}", end + 8, low + 6, words, color=role)
    for name, mark, y in () if wide else ((first, f"value given-{who}", top), (then, f"value {who}", low)):
        short = "" if guess is not None and y == low else name
        pen.text(side, f"of {who}-{name}", 0, y + 6, short, dx=7, after=mark, size=SMALL)
    if tell:
        x, y, ratio = 0 if wide else zero, low + (64 if wide else 72), slope * (stretch if row else 1 / stretch)
        pen.text(side, f"share {who}", x, y, f"{ratio:.0%}", color=role)
        place = {"dx": 12, "after": f"share {who}"} if wide else {"dy": -22, "size": SMALL}
        pen.text(side, f"of {who}", x, y, "of the lead is kept", **place)


def _lane(pen, side, tell, p, k, to_child):
    """The lit strip laid on its side: each of its children a dot over its own height, stacked in half inches."""
    wide = pen.size[0] > 560
    inside = np.flatnonzero(np.round((p - GIVEN["children"]) / STRIP) == 0)
    count, mean = len(inside), float(k[inside].mean())
    if not wide:
        pen.text(side, "share lit", 196, 144, f"{count}", color="case")
        return pen.text(side, "of lit", 196, 144, f"in the lit strip: {_signed(mean)}", dy=-22, size=SMALL)
    pen.text(side, "share lit", 0, 256, f"{count}", color="case")
    pen.text(side, "of lit", 0, 256, "children in the lit strip", dx=12, after="share lit")
    pitch, zero, base, seen = 21.0, 150, 432, {}
    x, y = [], []
    for each in inside[np.argsort(k[inside], kind="stable")]:
        column = int(np.floor(2 * k[each]))
        seen[column] = seen.get(column, 0) + 1
        x.append(zero + pitch * (column + 0.5) / 2)
        y.append(base - 6 - 10.2 * (seen[column] - 1))
    pen.points(side, "lane", x, y)
    pen.line(side, "floor lane", (0, 340), (base, base), color="rule", width=1)
    for v in (-6, -3, 0, 3, 6):
        pen.text(side, f"tick lane{v}", zero + pitch * v, base + 22, _signed(v, 0), ha="center")
    top = base - 10.2 * max(seen.values()) - 14
    at = zero + pitch * mean
    pen.line(side, "lane mean", (at, at), (base, top), color="case", width=1.4)
    pen.points(side, "mean lane", [at], [base], color="case", shape="s")
    pen.text(side, "value mean", at - 6, top - 4, f"mean {_signed(mean)}", ha="right", color="case")
    if tell:
        at = zero + pitch * GIVEN["children"] * to_child
        pen.line(side, "lane line", (at, at), (base - 2, top), color="case", width=3.4)
        pen.text(side, "value line", at + 6, top - 4, f"line {_signed(GIVEN['children'] * to_child)}", color="case")
    return None


def _said(step, waiting, settled, standard, you):
    """The caption of Galton's families."""
    p, k, sdp, sdk, to_child, to_parent, mean, average = _lines()
    if waiting and step == 0:
        return f"{len(p)} grown children of 205 families. Parents and children are both measured from their own average, {average:.1f} inches."
    if waiting and step == 2:
        return f"The line for children has slope {to_child:.2f}. Which line predicts the parents?"
    (near, mean_child), (far, mean_parent) = _strips(2.8, p, k)[0], _strips(4.8, k, p)[0]
    given = f"The {near} children whose parents are within ¾ inch of 2.8 above are {mean_child:.2f} above."
    two, back = 2.8 * to_child, 4.8 * to_parent
    says = [
        f"{len(p)} grown children of 205 families, measured from their average of {average:.2f} inches, mid-parents from {mean:.2f}.",
        given,
        given + (f" The line for children has slope {to_child:.3f}: {two:.2f} above." if settled else ""),
        f"The {far} mid-parents of children within ¾ inch of 4.8 above are {mean_parent:.2f} above; the line for parents has "
        f"slope {to_parent:.3f}: {back:.2f} above.",
        f"Parents 2.8 above, children {two:.1f} above: {to_child:.0%} is kept. Children 4.8 above, parents {back:.1f} above: "
        f"{to_parent:.0%} is kept.",
    ]
    words = says[step]
    if standard:
        words += f" In standard units (σ {sdp:.2f} and {sdk:.2f} inches) both lines keep {to_child * sdp / sdk:.3f}, the correlation."
    if you:
        line = average + to_child * (you[0] - mean)
        off, rest = you[1] - line, k - to_child * p
        words += (
            f" You: mid-parent {you[0]:.1f}, height {you[1]:.1f}; the line for children says {line:.1f}, so you are "
            f"{abs(off):.1f} {'above' if off >= 0 else 'below'} it. Of Galton's children {(np.abs(rest) > abs(off)).mean():.0%} are farther off."
        )
    return words


# How much curve some of the families pay for

LOOK, UP, MOST = (63.5, 75.6), (56, 82), 7  # inches of mid-parents and of children; the highest degree
AT = np.linspace(*LOOK, 73)


@cache
def _fits(count, seed):
    """(which children are learned from, scores of degrees 0 to 7, their curves) for so many families, drawn at random."""
    of, x, y = _galton()
    families, of = np.unique(of, return_inverse=True)
    learn = np.isin(of, np.random.default_rng(seed).permutation(len(families))[:count])
    scores = likelihood.polynomial_scores(x[learn], y[learn], range(MOST + 1), x[~learn], y[~learn])
    curves = [likelihood.polynomial_values(x[learn], y[learn], d, AT) for d in range(MOST + 1)]
    return learn, scores, np.clip(curves, UP[0] - 60, UP[1] + 60)


@figure(
    (52, 58, 410, 322),
    (520, 0, 358, 440),
    size=(900, 440),
    narrow=((390, 740), (40, 64, 334, 244), (16, 372, 358, 368)),
    controls={
        "degree": Slider("degree", 0, MOST, 1),
        "count": Slider("families", 20, 190, 20, step=10),
        "seed": Slider("draw", 0, 19, 0),
    },
    presets={
        "a line": {"degree": 1, "count": 20, "seed": 0},
        "degree 7": {"degree": 7, "count": 20, "seed": 0},
        "100 families": {"degree": 7, "count": 100, "seed": 0},
    },
    keys=steer.by("degree"),
    help="Left and right arrows change the degree.",
    main=("degree", "count"),
    looks={
        "rest": {"color": "rule", "edge": None, "width": 0, "size": 5.5, "z": 2},
        "learned": {"color": "ink", "edge": "paper", "size": 8, "width": 0.7, "z": 3},
        "curve": {"color": "belief", "width": 3.4, "z": 4},
        "line": {"color": "muted", "width": 1.8, "z": 3.5},
        "model": {"color": "prior", "grow": "x"},
        "data": {"color": "evidence", "grow": "x"},
        "row": {"va": "center"},
        "of": {"size": SMALL, "color": "muted"},
        "asked": {"size": 90, "bold": True, "color": "sediment", "ha": "center"},
        "number": {"size": NUMBER, "bold": True},
    },
)
def heights_degrees(pen, plane, bills, degree, count, seed):
    """A curve through the children of some families: what it costs in bits, and how it does on everybody else."""
    learn, scores, curves = _fits(count, seed)
    (_, x, y), wide, n = _galton(), pen.size[0] > 560, int(learn.sum())
    pen.axes(plane, LOOK, UP, xticks=[64, 67, 70, 73], yticks=[60, 70, 80], xname="mid-parent, inches")
    if not pen.waiting:
        pen.points(plane, "rest", x[~learn], y[~learn])
    pen.points(plane, "learned", x[learn], y[learn])
    if degree != 1:
        pen.line(plane, "line", LOOK, curves[1][[0, -1]])
    pen.line(plane, "curve", AT, curves[degree])
    name = ["A constant", "A line"][degree] if degree < 2 else f"Degree {degree}"
    pen.head(plane, name, f"{count} families, {n} children", y=22)
    pen.text(plane, "of child", LOOK[0], UP[1], "child", dx=-30, dy=2)
    bills.limits((0, bills.box[2]), (bills.box[3], 0))
    if pen.waiting:
        own = np.sqrt(scores["SSE"] / n)
        for k, (words, d) in enumerate((("a line", 1), ("degree 7", 7))):
            y0 = (120 + 120 * k) if wide else 60 + 110 * k
            pen.text(bills, f"row {d}", 0, y0, words, size=HEAD, bold=True)
            for column, value in ((0, f"{own[d]:.2f}"), (170, f"{scores['held out'][d]:.2f}" if d == 1 else "?")):
                pen.text(bills, f"number {d}-{column}", column, y0 + 44, value)
                where = "on these children" if not column else "on all the others"
                pen.text(bills, f"of {d}-{column}", column, y0 + 66, where)
        pen.text(bills, "of error", 0, 78 if wide else 24, "error, inches", size=LABEL)
        return f"{n} children of {count} families, drawn at random, and the best line through them."

    model, rest = scores["model"], scores["data"]
    total, extra, held = scores["total"], rest - rest.min(), scores["held out"]
    best, long = int(total.argmin()), 114
    scale = long / max(float((model + extra)[1:].max()), 30)
    heads = ((44, "bits: curve + residuals", "left"), (bills.box[2], "error on the others", "right"))
    base = 58 if wide else 24
    for left, words, ha in heads:
        pen.text(bills, f"of {ha}", left if ha == "right" else 0, base, words, ha=ha)
    for d in range(MOST + 1):
        y0, on = base + 34 + 40 * d, d == degree
        look = {"bold": on or d == best, "color": "best" if d == best else "ink" if on else "muted"}
        width = scale * model[d]
        pen.text(bills, f"row {d}", 0, y0, f"degree {d}", **look)
        pen.bar(bills, f"model {d}", 92, y0 - 10, width, 20, **({} if on or d == best else {"alpha": 0.5}))
        more = min(scale * extra[d], long - width)
        pen.bar(bills, f"data {d}", 92 + width + 1.5, y0 - 10, more, 20, **({} if on or d == best else {"alpha": 0.5}))
        pen.text(bills, f"row total-{d}", 92 + width + more + 10, y0, f"{total[d]:.1f}", **look)
        error = f"{held[d]:.2f}" if held[d] < 99.5 else f"{held[d]:,.0f}"
        pen.text(
            bills, f"row error-{d}", bills.box[2], y0, error, ha="right", **{**look, "color": "ink" if on else "muted"}
        )
    end = "the shortest message" if best == degree else f"the shortest, {total[best]:.1f}, is that of degree {best}"
    return (
        f"Degree {degree} on {count} families, {n} children: curve {model[degree]:.1f} + residuals {rest[degree]:.1f} = "
        f"{total[degree]:.1f} bits, {end}; of the residuals the bars leave out {rest.min():.1f}. Error {np.sqrt(scores['SSE'][degree] / n):.2f} inches on them, {held[degree]:.2f} on the "
        f"{int((~learn).sum())} children of the other {205 - count} families."
    )


# A coin on two rulers

LOGITS = np.linspace(-5, 5, 101)
CHANCES = 1 / (1 + np.exp(-LOGITS))
RULERS = ("θ", "log odds")


def _on(ruler, theta):
    """Where a chance stands on a ruler, from 0 to 1."""
    return np.asarray(theta, float) if ruler == "θ" else (np.log(theta) - np.log1p(-np.asarray(theta, float)) + 5) / 10


def _off(ruler, place):
    """The chance that stands at a place of a ruler, the inverse of `_on`."""
    return place if ruler == "θ" else 1 / (1 + np.exp(5 - 10 * place))


@figure(
    (40, 66, 820, 280),
    size=(900, 420),
    narrow=((390, 430), (22, 92, 346, 250)),
    controls={
        "heads": Slider("heads", 0, 20, 7),
        "tails": Slider("tails", 0, 20, 3),
        "theta": Slider("your θ in percent", 1, 99, 50),
        "ruler": Choice("ruler", RULERS, "θ"),
    },
    presets={
        "log odds": {"heads": 7, "tails": 3, "ruler": "log odds"},
        "14 of 20": {"heads": 14, "tails": 6, "ruler": "θ"},
    },
    drag={"yours": lambda values, name, x, y: {"theta": int(np.clip(round(100 * _off(values["ruler"], x)), 1, 99))}},
    keys={**steer.by("theta"), **steer.by("heads", keys=steer.UP)},
    help="Drag the ring along the curve, or move it with the left and right arrows; up and down change the heads.",
    main=("heads", "tails"),
    looks={
        "prior": {"color": "prior", "width": 2, "z": 2},
        "belief": {"color": "belief_tint", "alpha": 0.7},
        "edge": {"color": "belief", "width": 4.4, "z": 3},
        "likelihood": {"color": "evidence", "width": 1.7, "z": 3.2},
        "peak": {"color": "belief", "size": 17, "width": 2.4, "z": 5},
        "best": {"color": "evidence", "size": 13, "width": 2, "z": 5.2, "shape": "D"},
        "drop": {"width": 1.6, "z": 2.5},
        "yours": {"color": "paper", "edge": "evidence", "size": 15, "width": 2.6, "z": 5.4, "grab": "your θ"},
        "tick": {"size": SMALL, "color": "muted", "ha": "center"},
        "name": {"bold": True, "halo": "paper"},
    },
)
def coin_likelihood(pen, panel, heads, tails, theta, ruler):
    """The likelihood of a coin's chance and the posterior density, over θ or over its log odds, where the same belief peaks elsewhere."""
    wide, tossed, odds = pen.size[0] > 560, heads + tails > 0, ruler == "log odds"
    panel.limits((0, 1), (0, 1.12))
    at = _on(ruler, CHANCES)
    curves = {
        "prior": CHANCES * (1 - CHANCES) * 4 if odds else np.ones(len(at)),
        "edge": np.exp(_shape(heads + odds, tails + odds)),
        "likelihood": np.exp(_shape(heads, tails)),
    }
    pen.line(panel, "floor", (0, 1), (0, 0), color="muted", width=1, clip=False)
    pen.area(panel, "belief", np.column_stack([np.r_[at, at[-1], at[0]], np.r_[curves["edge"], 0, 0]]))
    for name, curve in curves.items():
        pen.line(panel, name, at, 0.5 * curve if name == "prior" else curve)
    for tick in (0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99) if odds else (0, 0.25, 0.5, 0.75, 1):
        pen.text(panel, f"tick {tick}", float(_on(ruler, tick)), 0, f"{tick:g}", dy=-24)
    pen.text(
        panel,
        "xname",
        1,
        0,
        "θ, spaced by its log odds" if odds else "θ, the chance of heads",
        dy=-52,
        ha="right",
        color="muted",
    )
    best = likelihood.bernoulli_ml(heads, tails) if tossed else None
    peak = (heads + 1) / (heads + tails + 2) if odds else best
    for name, place in (("best", best), ("peak", peak)):
        if place is not None:
            x = float(np.clip(_on(ruler, np.clip(place, 0.0067, 0.9933) if odds else place), 0, 1))
            pen.points(panel, name, [x], [1])
    here, top = (
        np.exp(likelihood.bernoulli_log_likelihood(each, heads, tails))
        for each in (theta / 100, best if tossed else 0.5)
    )
    place = float(_on(ruler, theta / 100))
    pen.line(panel, "drop", (place, place), (0, here / top), color="evidence")
    pen.points(panel, "yours", [place], [here / top])
    name = f"{heads} heads, {tails} tails"
    pen.text(panel, "head", 0, 1.12, name, dy=32 if wide else 56, size=HEAD, bold=True)
    said = [
        ("peak", f"posterior density, peak {peak:.3f}" if peak is not None else "posterior density: flat", "belief")
    ]
    said += [("best", f"likelihood, peak {best:.3f}" if best is not None else "likelihood: flat", "evidence_text")]
    for line, (key, words, color) in enumerate(said):
        x, y = (220 + 300 * line, 32) if wide else (0, 32 - 24 * line)
        pen.text(panel, f"name {key}", 0, 1.12, words, dx=x, dy=y, color=color)
    pen.text(
        panel, "name prior", 0, 0, "prior", dx=12, dy=0.5 * panel.box[3] / 1.12 + 8 if not odds else 24, color="muted"
    )
    if not tossed:
        return (
            f"No toss yet, ruler {ruler}. Every θ, your {theta / 100:.2f} too, has likelihood 1. A prior uniform over θ"
            + (" peaks at 0.500 over the log odds." if odds else " is flat, and so is the likelihood.")
        )
    other = (heads + 1) / (heads + tails + 2)
    drawn = "drawn over the log odds" if odds else "drawn over θ"
    return (
        f"{heads} heads, {tails} tails, {drawn}. The likelihood peaks at {best:.3f} with {top:.3g}. With a prior uniform over θ the "
        f"posterior density peaks at {best:.3f} over θ, and at {other:.3f} over the log odds. At θ = {theta / 100:.2f} the "
        f"likelihood is {here:.3g}, which is {here / top:.3f} of its peak."
    )


def _shape(heads, tails):
    """ln θ^h (1 − θ)^t on the grid, 0 at its top."""
    logs = heads * np.log(CHANCES) + tails * np.log1p(-CHANCES)
    best = heads / (heads + tails) if heads + tails else 0.5
    return logs - float(likelihood.bernoulli_log_likelihood(best, heads, tails))
