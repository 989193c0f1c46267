"""The live figures of section 02, concept learning."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bayeslib import data
from bayeslib.figures import user_data
from bayeslib.figures.drawn import State, Stops, Text, figure, player
from bayeslib.figures.theme import HEAD, HERO, LABEL, NUMBER, SMALL
from bayeslib.models.concepts import ENJOY_SPORT, ConjunctiveSpace, covers, more_general

SPORT = ConjunctiveSpace(ENJOY_SPORT)
DAYS = SPORT.check(data.load_enjoy_sport())
RULES = SPORT.hypotheses()
DEMANDS = np.array([7 if "∅" in rule else 6 - rule.count("?") for rule in RULES])  # 7 is never
ERRORS = [SPORT.errors(DAYS[:n]) for n in range(5)]
LEFT = [int((wrong == 0).sum()) for wrong in ERRORS]
FELL = 1 + sum((wrong == 0).astype(int) for wrong in ERRORS[1:])  # the day that refutes a rule; 5 for none of the four
RANK = np.argsort(np.lexsort((np.arange(len(RULES)), ERRORS[4], -FELL)))  # those that live longest stand in the middle


def _words(rule, short=False):
    """What a rule demands, in words; in full, air and water are told apart."""
    told = [v if short or n not in (1, 4) else f"{v} {'air' if n == 1 else 'water'}" for n, v in enumerate(rule)]
    return [words for words, v in zip(told, rule) if v not in "?∅"] or ["never" if "∅" in rule else "always"]


# All rules share one amount of ink: a dot's area is its belief, in every state

FLOATS = 0.22  # of the radius at the start: a smaller disc lies in the sediment
TASTES = (("× ½", 0.5), ("× 1", 1.0), ("× 2", 2.0))
RAMP = ("belief", "prior", "belief_tint", "sediment", "edge")  # by the number of labels that a rule contradicts
VASE = {
    True: (352, 468, 64, 326, 3.7),
    False: (195, 346, 44, 238, 2.72),
}  # centre, width, top, height; radius at the start
BED = {True: (22, 586, 466, 4), False: (16, 374, 352, 3)}  # left, right, foot; from one grain to the next
MOUNDS = {True: (22, 226, 348, 452, 540), False: (16, 236, 288, 330, 356)}  # where those begin that a day refutes


def _vase(live, r, wide):
    """Discs in centred rows by number of demands, those of a row of one size: places, and the height of each row."""
    (centre, width, top, height, r0), counts = VASE[wide], np.bincount(DEMANDS[live], minlength=8)
    there, at = np.flatnonzero(counts), np.zeros((len(RULES), 2))
    pitch = np.array([round(2.04 * r[live & (DEMANDS == n)].max() + 0.7 * r0) for n in there])
    most = np.maximum(1, (width + 0.1 * pitch) // pitch)
    lines = np.maximum(np.rint(0.4 * counts[there] ** 0.5).clip(1), np.ceil(counts[there] / most)).astype(int)
    tall = lines * pitch
    air = min(max(height - tall.sum(), 0) / max(len(there) - 1, 1), max(0.42 * pitch.max(), 14))
    least = 19.5 if wide else 8  # so that the names of rows never touch
    down = np.append(0, np.cumsum(np.maximum(air + (tall[1:] + tall[:-1]) / 2, least)))
    middles = np.rint(down + top + (height - down[-1] + (tall[0] - tall[-1]) / 2) / 2)
    for n, y, gap, rows in zip(there, middles, pitch, lines):
        across = gap * (1.24 if live.sum() < 10 else 1)
        places = [
            (across * (i - (len(row) - 1) / 2), (k - (rows - 1) / 2) * gap)
            for k, row in enumerate(np.array_split(range(counts[n]), rows))
            for i in range(len(row))
        ]
        places.sort(key=lambda place: (round(abs(place[0])), abs(place[1])))
        mine = np.flatnonzero(live & (DEMANDS == n))
        at[mine[np.argsort(RANK[mine])]] = np.array(places) + (centre, y)
    return at, dict(zip(there.tolist(), middles.tolist()))


def _packed(live, r, wide):
    """Discs of many sizes, the largest first, each size on a grid of its own around those that stand: the general above."""
    centre, width, top, height, _ = VASE[wide]
    sizes, middle = np.unique(r[live].round(6))[::-1], np.array([centre, top + height / 2])
    first = live & (r > sizes[0] - 1e-5)
    at, _ = _vase(first, r, wide)
    placed, radii = at[first], np.full(first.sum(), sizes[0])
    for size in sizes[1:]:
        mine, gap = np.flatnonzero(live & (np.abs(r - size) < 1e-5)), 0.9 + 0.3 * size**0.5
        n = int(0.45 * width / (2 * size + gap))
        x, y = np.meshgrid(np.arange(-n, n + 1.0), np.arange(-n, n + 1.0))
        grid = np.column_stack([(x + y % 2 / 2).ravel(), 0.87 * y.ravel()]) * (2 * size + gap) + middle
        for place, radius in zip(placed, radii):
            grid = grid[np.hypot(*(grid - place).T) >= radius + size + gap]
        near = np.argsort((((grid - middle) / (1.15, 1)) ** 2).sum(axis=1), kind="stable")[: len(mine)]
        chosen = grid[near][np.lexsort((grid[near, 0], grid[near, 1].round(3)))]
        at[mine[np.lexsort((RANK[mine], DEMANDS[mine]))]] = chosen
        placed, radii = np.vstack([placed, chosen]), np.append(radii, np.full(len(mine), size))
    return at, {}


@lru_cache(512)
def _spread(step, noise, taste, wide):
    """What each rule has of the belief, where it stands and how large, which ones float, and the heights of the rows."""
    (left, right, foot, pitch), r0 = BED[wide], VASE[wide][4]
    belief = SPORT.posterior(DAYS[:step], -np.log(taste), noise / 100).array
    r = r0 * np.sqrt(belief * len(RULES))
    live = r >= FLOATS * r0
    at, rows = _vase(live, r, wide) if step == 0 or noise in (0, 50) else _packed(live, r, wide)
    columns, home = int((right - left) // pitch), _vase(np.ones(len(RULES), bool), np.full(len(RULES), r0), wide)[0]
    deep = -(-(FELL == 1).sum() // columns)
    for day, start in enumerate(MOUNDS[wide], 1):  # day 1 makes the bed, each later day a small mound on it
        mine = np.flatnonzero(FELL == day)
        mine = mine[np.lexsort((-home[mine, 1], home[mine, 0]))]  # they fall nearly straight down
        k, high = np.arange(len(mine)), deep if day == 1 else 3
        up = k % high + 0.5 + (0 if day == 1 else deep + 0.5)
        bed = np.column_stack([start + pitch * (k // high + 0.5), foot - pitch * up])
        at[mine[~live[mine]]] = bed[~live[mine]]
    return belief, at, np.where(live, r, 0.37 * pitch), live, rows


def _share(share):
    return f"{share:.0%}" if share >= 0.0095 or share == 0 else f"{share:.1%}" if share >= 0.0005 else "≈ 0"


@player(
    (0, 0, 900, 480),
    size=(900, 480),
    narrow=((390, 580), (0, 0, 390, 580)),
    history=["no day yet", *(f"day {n}" for n in range(1, 5))],
    pace=600,
    interval=2500,
    controls={
        "noise": Stops("ε, wrong labels", tuple((f"{n}%", n) for n in (0, 1, 2, 5, 10, 15, 20, 30, 40, 50, 60)), 0),
        "taste": Stops("taste: each ? counts", TASTES, 1.0),
    },
    presets={"each ? halves": {"noise": 0, "taste": 0.5}, "each ? doubles": {"noise": 0, "taste": 2.0}},
    main=("noise", "taste"),
    unlocks={"02/noise-ten": ["noise", "taste"]},
    looks={
        "bed": {"color": "rule", "width": 1.2},
        "divider": {"color": "rule", "width": 1},
        "row": {"color": "muted", "size": SMALL, "ha": "right", "va": "center"},
        "demand": {"color": "paper", "size": SMALL, "bold": True, "ha": "center", "va": "center", "z": 6},
        "heap": {"color": "muted", "size": SMALL},
        "hero": {"size": HERO, "bold": True},
        "values": {"size": SMALL},
        "moves": {"bold": True, "ha": "right"},
        "count": {"bold": True, "ha": "right", "va": "center"},
        "of": {"color": "muted", "size": SMALL, "va": "center"},
        "held": {"bold": True, "ha": "right", "va": "center"},
        "lead": {"color": "rule", "width": 1.2},
        "you said": {"color": "ink", "width": 2.4, "z": 4},
    },
)
def version_space(pen, page, step, noise, taste):
    """All 973 rules of EnjoySport: each day takes the belief from some and gives it to the others."""
    wide, wrong, left = pen.size[0] > 560, ERRORS[step], LEFT[step]
    belief, at, r, live, rows = _spread(step, noise, taste, wide)
    (x0, x1, foot, pitch), clean, even = BED[wide], noise == 0 or step == 0, np.ptp(belief[live]) < 1e-12

    # The rules: 973 points, each of which stays the same rule; those that live longest lie on top
    role = np.where(live, np.minimum(wrong, 4) if step else 6, 5)
    kinds, of = np.unique(np.column_stack([role, (2 * r).round(2)]), axis=0, return_inverse=True)
    colours = [(*RAMP, "sediment", "prior")[int(k)] for k, _ in kinds]
    looks = [{"color": colour, "size": size, "edge": None, "width": 0} for colour, (_, size) in zip(colours, kinds)]
    far, front = np.abs(at[:, 0] - at[:, 0].mean()), np.argsort(-RANK)
    lag = np.where(live, 0, 0.35 * (1 - far / far.max()))[front] if clean else None  # of those that fall, first the rim
    pen.points(page, "rules", *at[front].T, of=of.ravel()[front], looks=looks, lag=lag)
    pen.line(page, "bed", [x0, x1], [foot + 3] * 2)
    pen.text(page, "head", x0, 40 if wide else 32, "973 rules share one belief", size=HEAD, bold=True)
    if wide:
        pen.text(page, "clause", x0, 40, "a dot’s area is its share", dx=12, after="head", color="muted")
        pen.line(page, "divider", [614, 614], [26, 466])
        for n, y in rows.items():
            pen.text(page, f"row {n}", 106, y, {0: "always", 1: "1 demand", 7: "never"}.get(n, f"{n} demands"))
    _inside(pen, page, at, r, np.flatnonzero(live & (r > 33) & (DEMANDS < 4)))
    sunk, heaps = int((~live).sum()), {}
    if not sunk:
        heaps[x0] = "nothing too light to float" if step else "nothing refuted yet"
    elif not clean or taste != 1:
        heaps[x0] = f"{sunk} {'refuted or ' if clean and step else ''}too light to float"
    for day in range(1, step + 1) if not heaps else ():
        named = ("refuted by day 1: " if day == 1 else f"day {day}: ") if wide or day == 1 else ""
        heaps[MOUNDS[wide][day - 1]] = f"{named}{(FELL == day).sum()}"
    for n, (x, words) in enumerate(heaps.items()):
        pen.text(page, f"heap {n}", x, foot - (10 * pitch + 9 if sunk else 8), words)

    # At the side the days, or the belief by number of contradictions
    x, end, y = (640, 880, 64) if wide else (16, 374, 404)
    held, counts = np.bincount(wrong, belief, step + 1), np.bincount(wrong, minlength=step + 1)
    hero, what, more = f"{left}", "rules left" if step else "rules", f"{1 / left:.1%} each" if even else "not all alike"
    if pen.waiting or not clean:
        said = ("?", 10) if pen.waiting else (_share(held[0]), noise)
        hero, what, more = said[0], f"the {left} that fit", f"at ε = {said[1]}%"
        _groups(pen, page, wide, held, counts, pen.guess if (noise, step) == (10, 4) else None)
    else:
        _days(pen, page, wide, step)
    pen.text(page, "hero", x - 2, y, hero, color="belief" if step and not pen.waiting else "muted")
    pen.text(page, "what", x, y - 23, what, dx=14, after="hero")
    pen.text(page, "more", x, y + 1, more, dx=14, after="hero", color="muted")

    # In words
    ties = np.flatnonzero(belief > belief.max() * (1 - 1e-9))
    best = f"{len(ties)} rules lead" if len(ties) > 1 else f"⟨{', '.join(RULES[ties[0]])}⟩ leads"
    told = f" Each ? multiplies the prior by {taste:g}." if taste != 1 else ""
    told += "" if even else f" {best} with {belief.max():.3f}."
    if step == 0:
        words = "973 rules share one belief, 0.1% each. The most general rule is on top, never at the foot. A dot’s area is its share."
        return f"{words if even else 'Before any day.'}{told}{f' ε = {noise}%, but there is no label yet.' if noise else ''}"
    if noise:
        rest = ", ".join(
            f"{n} contradict {k}: {share:.3f}" for k, (n, share) in enumerate(zip(counts, held)) if k and n
        )
        return (
            f"After day {step}, with {noise}% wrong labels, the {left} that fit all hold {held[0]:.3f}; {rest}.{told}"
        )
    evidence = _spread(0, 0, taste, wide)[0][wrong == 0].sum()
    kept = f"{left} rules left{f', {1 / left:.1%} each' if even else ''}; {973 - left} refuted, P(D) = {evidence:.4g}."
    return f"Day {step}, a {'yes' if DAYS[step - 1][1] else 'no'}: {kept}{told} The coloured area hasn’t changed."


def _inside(pen, page, at, r, rules):
    """What a rule demands, inside its disc."""
    for k in rules:
        words, pitch = _words(RULES[k], r[k] < 44), 18.5 if r[k] > 40 else 16.5
        if len(words) == 3 and r[k] < 44:
            words = [words[0], words[2], words[1]]  # the longest word where the disc is widest
        for n, each in enumerate(words):
            pen.text(page, f"demand {k}.{n}", at[k, 0], at[k, 1] + pitch * (n - (len(words) - 1) / 2), each)


def _days(pen, page, wide, step):
    """The four days; those that have come have their label, and say what they left."""
    x, end = (640, 880) if wide else (16, 374)
    for d, (day, label) in enumerate(DAYS, 1):
        on, y = d <= step, 130 + 90 * (d - 1) if wide else 440 + 34 * (d - 1)
        role = ("case" if label else "other") if on else "muted"
        look = {"color": role, "shape": "s" if label else "o", "edge": None} if on else {"color": None, "edge": "edge"}
        pen.points(page, f"label {d}", [x + 7], [y - 6], size=12, **look)
        words = f": {'yes' if label else 'no'}" if on else ""
        pen.text(page, f"day {d}", x + 23, y, f"day {d}{words}", color=role, bold=on)
        moves = f"{LEFT[d - 1]} → {LEFT[d]}" if on else ""
        pen.text(page, f"moves {d}", end, y, moves, color="belief" if d == step else "muted")
        for n in (0, 1) if wide and d <= step + 1 else ():  # the next day is announced
            words = " ".join(day[3 * n : 3 * n + 3])
            pen.text(page, f"values {d}{n}", x + 23, y + 23 + 21 * n, words, color="ink" if on else "muted")


def _groups(pen, page, wide, held, counts, guess):
    """One upright bar of length 1: the belief by number of contradicted days."""
    x, end, top, foot, broad = (640, 880, 112, 468, 30) if wide else (16, 374, 424, 572, 34)
    y, shown = top + (foot - top) * np.append(0, np.cumsum(held)), np.flatnonzero(counts)
    middles, need = (y[:-1] + y[1:])[shown] / 2, 25 * np.arange(len(shown))
    if pen.waiting:
        pen.bar(page, "share all", x, top, broad, foot - top, color="mist")
        middles = np.linspace(top + 30, foot - 30, len(shown))
    lines = np.maximum.accumulate(middles - need) + need
    lines[-1] = min(lines[-1], foot - 6)
    lines = np.minimum.accumulate((lines - need)[::-1])[::-1] + need
    for k, at, line in zip(shown, middles, lines):
        color = "belief" if k == 0 and not pen.waiting else "ink"
        pen.text(page, f"count {k}", x + broad + 51, line, f"{counts[k]}", color=color)
        pen.text(page, f"of {k}", x + broad + 57, line, f"contradict {k}" if k else f"fit all {len(held) - 1}")
        if not pen.waiting:
            pen.bar(page, f"share {k}", x, y[k], broad, max(y[k + 1] - y[k] - 1.5, 0.8), color=RAMP[k])
            pen.line(page, f"lead {k}", [x + broad + 4, x + broad + 13], [at, line])
            pen.text(page, f"held {k}", end, line, _share(held[k]), color=color)
    if guess is not None:
        pen.line(page, "you said", [x - 5, x + broad + 5], [top + (foot - top) * guess / 100] * 2)
        place, side = ((x, 100), "left") if wide else ((end, 381), "right")
        pen.text(page, "guess", *place, f"{pen.reader} said {guess:g}%", ha=side, size=SMALL)


# Between two borders: what S and G leave, step by step

HISTORY = SPORT.candidate_elimination(DAYS).history
SIDE = np.array([-3, 3, -1.2, 0.1, 1.4, -0.5])  # where a demand pulls its rules, left or right, so that few lines cross
FIRST = np.flatnonzero(FELL > 1).tolist()  # the 64 that day 1 leaves
PULL = {k: sum(SIDE[n] for n, v in enumerate(RULES[k]) if v != "?") / max(DEMANDS[k], 1) for k in FIRST}
ABOVE = [(a, b) for a in FIRST for b in FIRST if more_general(RULES[a], RULES[b]) and DEMANDS[b] == DEMANDS[a] + 1]
WALLS = {  # left, right, top and foot; the height of a day's layer; the pills after each day; where the words stand
    True: dict(page=(22, 640, 54, 468), layer=27, pill={1: (26, 13), 2: (52, 20), 3: (52, 20), 4: (180, 50)}),
    False: dict(page=(12, 378, 74, 424), layer=24, pill={1: (15, 8), 2: (31, 14), 3: (31, 14), 4: (112, 46)}),
}
DONE = (  # what each day does to S and to G
    ("S: copy the day", "G: covers it, stays"),
    ("S: Normal becomes ?", "G: covers it, stays"),
    ("S: leaves it out, stays", "G: 3 one-demand rules"),
    ("S: Warm water, Same → ?", "G: Same goes"),
)


def _between(step, wide):
    """The two walls, and the middle of each of the 64 marks: the living in rows, the others in the layer of their day."""
    g = WALLS[wide]
    (left, right, top, foot), layer = g["page"], g["layer"]
    yes = sum(label for _, label in DAYS[:step])
    floor, roof = foot - layer * yes - 6 * (step > 0), top + (layer + 4) * (step - yes)
    (w, t), alive = g["pill"].get(step, (0, 16)), [k for k in FIRST if FELL[k] > step]
    levels = sorted({int(DEMANDS[k]) for k in alive})
    heights = np.linspace(roof + t / 2 + 13, floor - t / 2 - 13, len(levels))
    at = {}
    for n, y in zip(levels, heights):
        row = sorted((k for k in alive if DEMANDS[k] == n), key=lambda k: (PULL[k], k))
        gap = min((right - left - 12) / len(row), w + (24 if step == 4 and wide else 9))
        each = min(w, gap - 3) if step < 4 or len(row) > 1 else (236 if wide else 186)
        for i, k in enumerate(row):
            at[k] = (left + right) / 2 + (i - (len(row) - 1) / 2) * gap, y, each, t
    for day in range(2, step + 1):
        for i, k in enumerate(k for k in FIRST if FELL[k] == day):
            at[k] = right - 10 - 6 * (i // 2), _layer_of(day, g) + 6 * (i % 2) - 3, 4.4, 4.4
    return at, alive, roof, floor


def _layer_of(day, g):
    """The middle of the layer that a day adds to its wall."""
    (_, _, top, foot), layer = g["page"], g["layer"]
    yes = sum(label for _, label in DAYS[:day])
    return foot - layer * (yes - 0.5) if DAYS[day - 1][1] else top + layer / 2 + 2


@player(
    (0, 0, 900, 480),
    size=(900, 480),
    narrow=((390, 580), (0, 0, 390, 580)),
    history=HISTORY,
    pace=600,
    interval=2500,
    looks={
        "wall S": {"color": "case_wash", "z": 0},
        "wall G": {"color": "other_wash", "z": 0},
        "edge S": {"color": "case"},
        "edge G": {"color": "other"},
        "border S": {"size": 24, "bold": True, "color": "case", "va": "center"},
        "border G": {"size": 24, "bold": True, "color": "other", "va": "center"},
        "links": {"color": "rule", "width": 1.2, "z": 1},
        "rule": {"z": 3},
        "dots": {"color": "paper", "z": 4},
        "card": {"color": "paper", "bold": True, "ha": "center", "va": "center", "z": 6},
        "all": {"color": "prior", "edge": None, "width": 0, "z": 2},
        "divider": {"color": "rule", "width": 1},
        "day": {"size": SMALL, "bold": True, "va": "center"},
        "value": {"size": SMALL, "va": "center"},
        "hero": {"size": HERO, "bold": True},
        "says": {"color": "muted"},
        "key": {"z": 3},
        "demand": {"size": SMALL},
        "strike": {"color": "muted", "width": 1.4, "z": 6, "grow": "x"},
        "when": {"size": SMALL, "ha": "right"},
        "done": {"size": SMALL},
    },
)
def lattice(pen, page, step):
    """The living rules between two walls: a yes lifts the lower one (S), a no lowers the upper one (G)."""
    wide = pen.size[0] > 560
    g = WALLS[wide]
    (left, right, top, foot), seen = g["page"], HISTORY[step]
    at, alive, roof, floor = _between(step, wide)

    # The two walls, with the days that built them
    for name, low, high, edge in (("S", foot, floor, floor), ("G", roof, top, roof)):
        pen.area(page, f"wall {name}", [(left, low), (right, low), (right, high), (left, high)])
        pen.line(page, f"edge {name}", [left, right], [edge, edge])
    for day in range(1, step + 1):
        _day_in_wall(pen, page, day, g, wide)

    # The rules: 973 dots before the first day, then a pill for each of the living
    if step == 0:
        rows = [np.flatnonzero(DEMANDS == n) for n in range(8)]
        for n, y in enumerate(np.linspace(roof + 22, floor - 22, 8)):
            count, pitch = len(rows[n]), 8.6 if wide else 5.4
            lines = max(1, round(0.27 * count**0.5))
            across = -(-count // lines)
            k = np.arange(count)
            x = (left + right) / 2 + pitch * (k % across - (np.minimum(across, count) - 1) / 2)
            pen.points(page, f"all {n}", x, y + pitch * (k // across - (lines - 1) / 2), size=0.74 * pitch)
    if 1 < step:
        links = [(at[a][:2], at[b][:2]) for a, b in ABOVE if a in alive and b in alive]
        pen.segments(page, "links", links, **({"color": "muted", "width": 2} if step == 4 else {}))
    for k in FIRST if step else ():
        (x, y, w, t), living = at[k], FELL[k] > step
        half = max(w - t, 0.3) / 2
        pen.line(page, f"rule {k}", [x - half, x + half], [y, y], width=t, color="belief" if living else "sediment")
        if living and step < 4:
            _dots(pen, page, k, x, y, w, t)
    for k in alive if step == 4 else ():
        words = _words(RULES[k], not wide)
        lines = [", ".join(words)] if wide or len(words) != 2 else [f"{words[0]},", words[1]]
        for n, line in enumerate(lines):
            y = at[k][1] + 20 * (n - (len(lines) - 1) / 2)
            pen.text(page, f"card {k}.{n}", at[k][0], y, line, size=LABEL if wide else SMALL)
    inside = g["pill"][step][1] / 2 + 13 if step else 40
    for name, y, says in (("G", roof + inside, "always"), ("S", floor - inside, "never")):
        pen.text(page, f"border {name}", left + 8, y, name)
        pen.text(page, f"value {says}", 0, y, "" if step else says, dx=10, after=f"border {name}", color="muted")

    # At the side: how many are left, what S demands, what the day did
    n, x, small = LEFT[step], 678 if wide else 12, LABEL if wide else SMALL
    if wide:
        pen.text(page, "head", 22, 38, "Two borders", size=HEAD, bold=True)
        pen.text(page, "clause", 22, 38, "a yes lifts S, a no lowers G", dx=12, after="head", color="muted")
        pen.line(page, "divider", [659, 659], [26, 466])
    pen.text(page, "hero", x - 2, 62 if wide else 56, f"{n}", color="belief" if step else "muted")
    pen.text(page, "alive", x, 38 if wide else 34, "rules alive", dx=12, after="hero")
    says = "from S to G" if wide else "a yes lifts S, a no lowers G"
    pen.text(page, "says", x, 62 if wide else 57, says, dx=12, after="hero", size=small)
    _side(pen, page, step, wide)
    s, g = (" and ".join(f"⟨{', '.join(rule)}⟩" for rule in rules) for rules in (seen.specific, seen.general))
    if step == 0:
        return f"Nothing seen: S is never, G is {g}. All 973 rules lie between."
    rest = f"With the {n - len({*seen.specific, *seen.general})} between them, that’s all {n}; this day refuted {LEFT[step - 1] - n}."
    return f"Day {step}, a {'yes' if seen.label else 'no'}: S = {s}. G = {g}. {rest}"


def _dots(pen, page, k, x, y, w, t):
    """Six places in a pill, with a dot where the rule demands something: a dashed line, so that it is four numbers."""
    places = np.flatnonzero([v != "?" for v in RULES[k]])
    if len(places):
        pitch, size = (w - 0.55 * t) / 6, min((w - 0.55 * t) / 6 - 1.2, 0.5 * t)
        ends = x + (places[[0, -1]] - 2.5) * pitch
        steps = np.diff(places) * pitch
        dash = {"dash": [each for gap in steps for each in (0.1, round(gap - 0.1, 2))]} if len(places) > 1 else {}
        pen.line(page, f"dots {k}", [ends[0], ends[1] + 0.3], [y, y], width=round(size, 1), **dash)


def _day_in_wall(pen, page, day, g, wide):
    """A day stands in the wall that it moved; what made S give in is in bold."""
    values, label = DAYS[day - 1]
    x, y, role = g["page"][0] + 17, _layer_of(day, g), "case" if label else "other"
    pen.points(page, f"mark {day}", [x], [y], color=role, shape="s" if label else "o", size=10, edge=None)
    pen.text(page, f"day {day}", x + 15, y, f"day {day}", color=role)
    before = HISTORY[day - 1].specific[0]
    lost = [label and before[n] not in ("?", "∅", v) for n, v in enumerate(values)]
    if wide:
        for n, v in enumerate(values):
            at = x + 72 + (0, 60, 118, 190, 256, 314)[n]
            pen.text(page, f"value {day}.{n}", at, y, v, color=role if lost[n] else "ink", bold=lost[n])
        if day == 1:
            pen.text(page, "value fell", g["page"][1] - 10, y, "909 miss it", color="muted", ha="right")
        return
    gone = ", ".join(v for v, each in zip(values, lost) if each)
    words = f"yes, but {gone}" if gone else "yes"
    pen.text(page, f"value {day}", x + 72, y, words if label else "no: Rainy, Cold, Change")


def _side(pen, page, step, wide):
    """What S demands, and when it gave a demand up; then what the day did."""
    x, end, seen = 678 if wide else 12, 878 if wide else 378, HISTORY[step]
    if step == 0:
        lines = ("No day has spoken yet:", "every rule lies between.", "Each day will push", "a border.")
        for n, words in enumerate(lines):
            pen.text(page, f"done {n}", x, (112 if wide else 456) + 25 * n, words, color="muted")
        return
    pen.text(page, "day demands", x, 106 if wide else 446, "S demands", color="case")
    for n, v in enumerate(DAYS[0][0]):
        words = {1: "Warm air", 4: "Warm water"}.get(n, v)
        kept = seen.specific[0][n] == v
        left, y = (x + 45, 136 + 27 * n) if wide else (12 + (0, 112, 236)[n % 3], 472 + 24 * (n // 3))
        pen.text(page, f"demand {n}", left, y, words, color="ink" if kept else "muted")
        if not kept:
            pen.line(page, f"strike {n}", [left - 2, left + 2 + pen.width(words, SMALL)], [y - 5, y - 5])
        if wide:
            pen.line(page, f"key {n}", [x + 8, x + 27], [y - 5] * 2, width=15, color="belief" if kept else "rule")
            dot = x + 17.5 + 5 * (n - 2.5)
            pen.line(page, f"key dot {n}", [dot, dot + 0.3], [y - 5] * 2, width=5, color="paper", z=4)
            gone = next((day for day in range(1, 5) if HISTORY[day].specific[0][n] == "?"), 0)
            in_g = kept and any(rule[n] == v for rule in seen.general)
            words = "in G" if in_g else "" if kept else f"day {gone}"
            pen.text(page, f"when {n}", end, y, words, color="other" if in_g else "case", bold=in_g)
    label, fell, y = DAYS[step - 1][1], LEFT[step - 1] - LEFT[step], 332 if wide else 526
    role, says = ("case", "yes") if label else ("other", "no")
    pen.text(page, "day says", x, y, f"day {step} says {says}", color=role)
    lines = [*DONE[step - 1], f"refuted: {fell}, they {'miss it' if label else 'let it in'}"]
    for n, words in enumerate(lines if wide else [lines[not label]]):
        pen.text(page, f"done {n}", x, y + 28 + 23 * n, words, color="ink" if n < 2 else "muted")


# Every animal is a glass, filled to the share of living rules that say "in": half-full glasses are worth a question

# What a demand says in words, for those columns of the zoo that a look at an animal, or its skeleton, can tell.
SAID = {"hair": "hair|no hair", "feathers": "feathers|no feathers", "eggs": "lays eggs|no eggs", "milk": "milk|no milk"}
SAID |= {"airborne": "flies|doesn’t fly", "aquatic": "in water|not in water", "toothed": "teeth|no teeth"}
SAID |= {"backbone": "backbone|no backbone", "breathes": "breathes|no breath", "venomous": "venomous|no venom"}
SAID |= {"fins": "fins|no fins", "legs": "|"}
LOOKS = [*SAID]
SECRETS = {
    "secret rule 1": {"backbone": "yes", "aquatic": "yes"},
    "secret rule 2": {"eggs": "yes", "breathes": "yes", "airborne": "no"},
    "secret rule 3": {"toothed": "yes", "aquatic": "no"},
}
# How many animals the machine asks about, if it starts from nothing and always takes the glass nearest to half.
MACHINE = dict(zip(["mammal", "bird", "fish", "reptile", *SECRETS], (8, 7, 12, 15, 14, 14, 7)))
GROUPS = [(look, [*rows["name"]], rows["type"].iloc[0]) for look, rows in data.load_zoo().groupby(LOOKS, sort=False)]
EIGHT = "0 12 11 17 23 6 9 21"  # by halves, from the aardvark
ANIMALS = ["frog 2" if members == ["frog"] else members[0] for _, members, _ in GROUPS]  # the venomous one
LIVES = ConjunctiveSpace({name: data.load_zoo()[name].unique().tolist() for name in LOOKS})
SIDES = {True: (718, 880), False: (16, 374)}  # left and right of the words
SHELVES = {  # for at most so many glasses: columns, left and top, from one to the next, and the size of a glass
    True: {8: (4, (22, 36), (169, 216), (145, 160)), 33: (7, (22, 24), (94, 91), (82, 60))},
    False: {8: (2, (16, 84), (186, 122), (172, 84)), 33: (4, (16, 80), (92, 54.6), (82, 31))},
}


class Known(NamedTuple):
    """What is known of some things after some were labelled, pairs (number, True or False) in the order of asking."""

    labels: tuple
    left: int  # rules
    votes: list  # how many of them cover each thing
    specific: tuple  # S
    must: list  # for each column, whether every rule that is left demands something of it

    @property
    def best(self):
        """The first of the things whose votes are nearest to half, among those on which the rules disagree; or None."""
        doubtful = [n for n, yes in enumerate(self.votes) if 0 < yes < self.left]
        return min(doubtful, key=lambda n: abs(2 * self.votes[n] - self.left), default=None)


def _known(space, things, labels):
    examples = [(things[n], label) for n, label in labels]
    fits, votes = space.errors(examples) == 0, space.votes(examples)
    places = [tuple(values.index(v) for values, v in zip(space.domains.values(), thing)) for thing in things]
    grid = fits[1:].reshape(space.shape)
    must = [bool(fits.any()) and not np.take(grid, -1, axis).any() for axis in range(grid.ndim)]
    return Known(labels, int(fits.sum()), [int(votes[place]) for place in places], space.find_s(examples), must)


@lru_cache(256)
def _zoo(labels):
    return _known(LIVES, [look for look, *_ in GROUPS], labels)


def _labels(learn, asked):
    """Pairs of an animal's number and whether it is in, in the order of asking."""
    rule = tuple(SECRETS.get(learn, {}).get(name, "?") for name in LOOKS)
    in_ = [covers(rule, look) if learn in SECRETS else kind == learn for look, _, kind in GROUPS]
    return tuple((n, in_[n]) for n in map(int, asked.split()))


def _ask(values, name):
    """What a click on a glass does: its animal is asked about, once, and no more than the display allows."""
    asked, number = values["asked"].split(), str(name).split()[-1]
    return {} if number in asked or len(asked) >= values["most"] else {"asked": " ".join([*asked, number])}


def _machine(values):
    best = _zoo(_labels(values["learn"], values["asked"])).best
    return {} if best is None else _ask(values, best)


def _blind(values):
    rest = sorted(set(range(len(GROUPS))) - {*map(int, values["asked"].split())})
    return _ask(values, np.random.default_rng(len(rest)).choice(rest)) if rest else {}


GLASSES = {
    "glass": {"color": "paper", "z": 1},
    "level": {"z": 2},
    "rim": {"color": "rule", "width": 2, "z": 3},
    "half": {"color": "belief_tint", "width": 1.7, "z": 2.5},
    "name": {"size": SMALL, "ha": "center"},
    "more": {"size": SMALL, "ha": "right"},
    "label": {"size": LABEL, "bold": True, "color": "paper", "va": "center"},
    "hero": {"bold": True},
    "key": {"size": SMALL, "color": "muted"},
    "divider": {"color": "rule", "width": 1},
    "says": {"color": "muted"},
    "veil": {"color": "mist", "width": 8},
    "strike": {"color": "muted", "width": 1.4, "z": 6, "grow": "x"},
    "every": {"size": SMALL, "color": "belief"},
}


@figure(
    (0, 0, 900, 480),
    size=(900, 480),
    narrow=((390, 580), (0, 0, 390, 580)),
    controls={"learn": State("mammal"), "asked": State(""), "most": State(len(GROUPS))},
    presets={learn: {"learn": learn, "asked": "", "most": len(GROUPS)} for learn in MACHINE},
    actions={
        "the machine asks": _machine,
        "ask at random": _blind,
        "take one back": lambda values: {"asked": " ".join(values["asked"].split()[:-1])},
    },
    unlocks={"02/secret-animal": [*MACHINE, "the machine asks", "ask at random"]},
    click=_ask,
    help="Click a glass, or move to it with Tab and press Enter, to ask whether that animal is in.",
    looks=GLASSES,
)
def zoo(pen, page, learn, asked, most):
    """Ask real animals in or out: after each answer every glass shows the share of living rules that say "in"."""
    labels, wide = _labels(learn, asked), pen.size[0] > 560
    known = _zoo(labels)
    left, votes, best, guess = known.left, known.votes, known.best, None if pen.waiting else pen.guess
    more = [len(members) - 1 for _, members, _ in GROUPS]
    _shelf(pen, page, ANIMALS, more, known, guess=guess if most == 2 else None, click="ask about {}")
    first = next((n for n, label in labels if label), None)
    words = [SAID[k].split("|")[v != "yes"] or f"{v} legs" for k, v in zip(LOOKS, GROUPS[first or 0][0])]
    _shared(pen, page, "rules left" if labels else "rules", words if first is not None else None, known)
    key = ["level: share of rules", "that say “in”", "nearest half: ask!"]
    if pen.waiting:
        key = ["33 looks, 101 animals", "+28: so many more", "look just the same"]
    elif best is None:
        key = [
            f"{len(labels)} asked,",
            "all agree" if left else "no rule is left",
            f"the machine needs {MACHINE[learn]}",
        ]
    for line, text in enumerate(key[: 3 if left else 2] if wide else ()):
        loud = line == 2 and not pen.waiting
        pen.text(page, f"key {line}", 496, 408 + 23 * line, text, color="belief" if loud else "muted", bold=loud)
    if guess is not None and asked == EIGHT:
        pen.text(page, "guess", *((718, 114) if wide else (16, 74)), f"{pen.reader} said {guess:g}", size=SMALL)

    # In words
    if pen.waiting:
        told = "The aardvark is in; 4,096 rules are left." if labels else "One secret rule says who is in."
        return f"101 animals with 33 different looks; +28 means that 28 more look just the same in the twelve facts. {told}"
    told = f" At most {most} may be asked." if most < len(GROUPS) else ""
    if not labels:
        return f"{learn}: nobody asked yet, {left:,} rules. Every glass shows the share of them that say “in”.{told}"
    (last, label), gone = labels[-1], _zoo(labels[:-1]).left - left
    said = f"{learn}: {len(labels)} asked, {left:,} of {LIVES.size:,} rules left.{told} "
    said += f"The last, {ANIMALS[last]}, is {'in' if label else 'out'}; it deleted {gone:,}."
    if not left:
        clash = [ANIMALS[n] for n, label in labels if not label and covers(known.specific, GROUPS[n][0])]
        return f"{said} No rule fits: whatever covers all that are in also covers {', '.join(clash)}."
    if best is not None:
        doubtful = sum(0 < yes < left for yes in votes)
        return f"{said} {doubtful} glasses are in doubt; nearest to half is {ANIMALS[best]}, {votes[best]:,} say in."
    truth = _labels(learn, " ".join(map(str, range(len(GROUPS)))))
    wrong = [ANIMALS[n] for n, in_ in truth if in_ != (votes[n] > 0)]
    told = f"wrong about {' and '.join(wrong)}" if wrong else "right about everybody"
    return f"{said} No doubts left: the rules all agree, and they are {told}. The machine needs {MACHINE[learn]}."


def _cup(x, y, w, h, share=1.0):
    """A tumbler filled to a share: narrower at the foot, its lower corners round, always with the same number of corners."""
    r = 8 * min(1, h / 40)
    d = np.minimum(np.array([9, 1, 0.62, 0.31, 0.1, 0]) * r, share * h)
    d[0] = share * h
    half = w / 2 - 6.5 * (1 - d / h) - np.where(d < r, r - np.sqrt(np.maximum(r**2 - (r - d) ** 2, 0)), 0)
    return np.column_stack([x + w / 2 + np.append(-half, half[::-1]), y + h - np.append(d, d[::-1])])


def _shelf(pen, page, names, more, known, says=("in", "out"), guess=None, click=None):
    """A glass for each name, filled to its votes; those that were asked are full of their answer."""
    wide, labels, halves, best = pen.size[0] > 560, dict(known.labels), [], known.best
    columns, (x0, y0), (dx, dy), (w, h) = next(each for most, each in SHELVES[wide].items() if len(names) <= most)
    for n, name in enumerate(names):
        x, y, answer = x0 + n % columns * dx, y0 + n // columns * dy, labels.get(n)
        told, share = answer is not None, known.votes[n] / max(known.left, 1)
        covered = not told and (pen.waiting or not known.left)
        doubt = 0 < share < 1 and not told and not covered
        near = doubt * (1 - abs(2 * share - 1))
        ask = doubt and (near > 0.96 or n == best)
        role = "case" if answer else "other" if told else "mist" if covered else "case_tint"
        if doubt:
            role = "belief" if near > 0.9 else "prior" if near > 0.35 else "belief_tint"
        may = {"click": click.format(name)} if click and not told else {}
        pen.area(page, f"glass {n}", _cup(x, y, w, h), color="belief_wash" if near > 0.25 else "paper", **may)
        pen.area(page, f"level {n}", _cup(x, y, w, h, 1 if covered or told else share), color=role)
        if share < 1 and not told and not covered:
            rim = "belief" if ask else "belief_tint" if near > 0.25 else "rule" if doubt else "other_tint"
            pen.line(page, f"rim {n}", *_cup(x, y, w, h).T, color=rim, width=3.6 if ask else 2)
        if doubt and h > 40:  # a measuring mark at one half
            halves += [((a, y + h / 2), (b, y + h / 2)) for a, b in ((x + 4, x + 11), (x + w - 11, x + w - 4))]
        color = role if told else "belief" if ask else "ink" if doubt or pen.waiting else "muted"
        pen.text(page, f"name {n}", x + w / 2, y + h + (20 if dy > 60 else 17), name, color=color, bold=ask or told)
        if more[n] and wide:
            pen.text(page, f"more {n}", x + w - 9, y + 20, f"+{more[n]}", color="paper" if told else "muted")
        if told:
            beside = {"ha": "left", "dx": 14 - w / 2, "dy": -13} if more[n] and wide else {"ha": "center"}
            pen.text(page, f"label {n}", x + w / 2, y + h / 2, says[not answer], **beside)
        if guess == n and wide:
            pen.text(page, "guess", x + 8, y + 20, pen.reader, size=SMALL, color="paper" if told else "muted")
    if halves:
        pen.segments(page, "half", halves)


def _shared(pen, page, what, words, known, says=("asked", "all “in” so far share")):
    """How many rules are left, and S: what all that are in share, struck out when one of them lacks it."""
    wide, number, asked = pen.size[0] > 560, f"{known.left:,}", f"{len(known.labels)} {says[0]}"
    (x, end), color = SIDES[wide], "belief" if known.labels else "muted"
    size = HERO if len(number) < 6 else NUMBER
    pen.text(page, "hero", x - 2, 60 if wide else 46, number, color=color, size=size)
    if not wide:
        pen.text(page, "what", x, 23, what, dx=12, after="hero")
        pen.text(page, "says asked", x, 46, asked, dx=12, after="hero")
        shared = f"{sum(entry != '?' for entry in known.specific)} of {len(known.specific)}" if words else ""
        pen.text(page, "share", end, 23, shared, ha="right", bold=True)
        return pen.text(page, "says share", end, 46, "facts shared" if words else "", ha="right")
    pen.line(page, "divider", [x - 26] * 2, [26, 462])
    pen.text(page, "what", x, 91, what)
    pen.text(page, "says asked", end, 91, asked if known.labels else "", ha="right")
    pen.text(page, "says share", x, 137, says[1] if words else "what do they share?", size=SMALL)
    for n, (entry, must) in enumerate(zip(known.specific, known.must)):
        y = 163 + 26 * n
        if not words:
            pen.line(page, f"veil {n}", [x + 4, x + 60 + 37 * n % 45], [y - 6, y - 6])
            continue
        color = "muted" if entry == "?" else "belief" if must else "ink"
        pen.text(page, f"demand {n}", x, y, words[n], color=color, bold=must)
        if entry == "?":
            pen.line(page, f"strike {n}", [x - 2, x + 2 + pen.width(words[n])], [y - 5.5] * 2)
        if must and pen.width(words[n], LABEL, True) < 80:
            pen.text(page, f"every {n}", x, y, "every rule", dx=8, after=f"demand {n}")


# The reader's own table

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


@figure(
    (0, 0, 900, 480),
    size=(900, 480),
    narrow=((390, 580), (0, 0, 390, 580)),
    controls={"text": Text("your table", FILMS, lines=3, file=True)},
    presets={"films": {"text": FILMS}, "no rule fits": {"text": CLASH}},
    looks=GLASSES,
)
def own_rule(pen, page, text):
    """The reader's own table: which rules explain its labels, and which row without a label to ask about next."""
    names, things, attributes, labels = _labelled(text)
    space = ConjunctiveSpace({name: list(dict.fromkeys(values)) for name, values in zip(attributes, zip(*things))})
    if space.size > 2_000_000:
        raise ValueError(f"your table must allow at most 2,000,000 rules, got {space.size:,}: leave out a column")
    known, wide = _known(space, things, labels), pen.size[0] > 560
    left, best = known.left, known.best
    cut = [_cut(pen, name, 135 if len(names) <= 8 else 88, SMALL) for name in names]
    _shelf(pen, page, cut, [0] * len(names), known, ("yes", "no"))
    first = next((n for n, label in labels if label), None)
    words = [_cut(pen, f"{name} {entry}", 158, LABEL) for name, entry in zip(attributes, things[first or 0])]
    says = ("labelled", "all “yes” so far share")
    _shared(pen, page, "rules", words if first is not None else None, known, says)
    if wide:
        told = (
            "no rule fits"
            if not left
            else "no row is in doubt"
            if best is None
            else "level: share of rules\nthat say yes"
        )
        pen.text(page, "key", SIDES[True][0], 456, told)
    said = f"{len(labels)} of {len(names)} rows are labelled, {left:,} of {space.size:,} rules agree with them."
    if not left:
        clash = [names[n] for n, yes in labels if not yes and covers(known.specific, things[n])]
        return f"{said} No rule fits: whatever covers every yes also covers {user_data.plain(', '.join(clash), 200)}."
    kept = ", ".join(f"{name} {entry}" for name, entry in zip(attributes, known.specific) if entry != "?")
    wanted = user_data.plain(kept or "nothing is demanded", 300) if first is not None else "not yet known"
    ask = "No row is in doubt."
    if best is not None:
        ask = f"Label “{user_data.plain(names[best], 20)}” next, {known.votes[best]:,} say yes."
    return f"{said} S: {wanted}. {ask}"


def _cut(pen, words, width, size):
    """Words that the typeface has, no wider than so many pixels."""
    words = user_data.plain(words, 20)
    while pen.width(words, size, True) > width and len(words) > 2:
        words = f"{words[:-2].rstrip()}…"
    return words


def _labelled(text):
    """(names, things, attributes, labels) of a typed table: names first, labels last, which may be missing."""
    table = user_data.table(text, most_rows=33)
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
    labels = tuple((n, said[each]) for n, each in enumerate(given) if said[each] is not None)
    return names, things, attributes, labels
