"""The live figures of section 02, concept learning."""

from functools import lru_cache

import numpy as np

from bayeslib import data
from bayeslib.figures import user_data
from bayeslib.figures.drawn import State, Stops, Text, figure, player
from bayeslib.figures.theme import HEAD, HERO, LABEL, NUMBER, SMALL
from bayeslib.models.concepts import ENJOY_SPORT, ConjunctiveSpace, covers

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
TASTES = tuple(
    (f"× {words}", factor) for words, factor in (("¼", 0.25), ("½", 0.5), ("1", 1.0), ("2", 2.0), ("4", 4.0))
)
RAMP = ("belief", "prior", "belief_tint", "sediment", "edge")  # by the number of labels that a rule contradicts
SPREAD = {  # centre, width, top and height of the vase; radius at the start; left, right, foot and pitch of the bed
    True: dict(
        centre=352, width=468, top=64, height=326, r0=3.7, bed=(22, 586, 466, 4.15), mounds=(226, 348, 452, 540)
    ),
    False: dict(
        centre=195, width=346, top=44, height=238, r0=2.72, bed=(16, 374, 352, 3.2), mounds=(236, 288, 330, 356)
    ),
}


def _vase(live, r, g):
    """Discs in centred rows by number of demands, those of a row of one size: places, and the height of each row."""
    counts = np.bincount(DEMANDS[live], minlength=8)
    there, few = np.flatnonzero(counts), live.sum() < 10
    pitch = {n: 2.04 * r[live & (DEMANDS == n)].max() + 2.6 * g["r0"] / 3.7 for n in there}
    most = {n: max(1, int((g["width"] + 0.1 * pitch[n]) // pitch[n])) for n in there}
    lines = {n: max(1, round(0.4 * counts[n] ** 0.5), -(-counts[n] // most[n])) for n in there}
    tall = np.array([lines[n] * pitch[n] for n in there])
    free, least = g["height"] - tall.sum(), 19.5 if g["width"] > 400 else 8  # so that the names of rows never touch
    air = min(max(free, 0) / max(len(there) - 1, 1), max(0.42 * max(pitch.values()), 14))
    gaps = np.maximum(air + (tall[1:] + tall[:-1]) / 2, least)
    above = np.append(0, np.cumsum(gaps))
    middles = above + g["top"] + (g["height"] - above[-1] + (tall[0] - tall[-1]) / 2) / 2
    at = np.zeros((len(RULES), 2))
    for n, y in zip(there, middles):
        wide, sizes = (
            pitch[n] * (1.24 if few else 1),
            [len(part) for part in np.array_split(range(counts[n]), lines[n])],
        )
        rows = enumerate(sizes)
        places = [
            (wide * (i - (size - 1) / 2), (k - (lines[n] - 1) / 2) * pitch[n]) for k, size in rows for i in range(size)
        ]
        places.sort(key=lambda place: (round(abs(place[0])), abs(place[1])))
        mine = np.flatnonzero(live & (DEMANDS == n))
        at[mine[np.argsort(RANK[mine])]] = np.array(places) + (g["centre"], y)
    return at, dict(zip(there.tolist(), middles.tolist()))


def _packed(live, r, g):
    """Discs of many sizes, the largest first, each size on a grid of its own around those that stand: the general above."""
    sizes = np.unique(r[live].round(6))[::-1]
    first = live & (r > sizes[0] - 1e-5)
    at, _ = _vase(first, r, g)
    placed, radii = at[first], np.full(first.sum(), sizes[0])
    middle, half = np.array([g["centre"], g["top"] + g["height"] / 2]), np.array([1.15, 1])
    reach = 0.45 * g["width"]
    for size in sizes[1:]:
        mine, gap = np.flatnonzero(live & (np.abs(r - size) < 1e-5)), 0.9 + 0.3 * size**0.5
        pitch = 2 * size + gap
        n = int(reach / pitch)
        x, y = np.meshgrid(np.arange(-n, n + 1) * pitch, np.arange(-n, n + 1) * 0.87 * pitch)
        x += np.arange(2 * n + 1)[:, None] % 2 * pitch / 2
        grid = np.column_stack([x.ravel(), y.ravel()]) + middle
        for place, radius in zip(placed, radii):
            grid = grid[np.hypot(*(grid - place).T) >= radius + size + gap]
        chosen = grid[np.argsort((((grid - middle) / half) ** 2).sum(axis=1), kind="stable")[: len(mine)]]
        chosen = chosen[np.lexsort((chosen[:, 0], chosen[:, 1].round(3)))]
        at[mine[np.lexsort((RANK[mine], DEMANDS[mine]))]] = chosen
        placed, radii = np.vstack([placed, chosen]), np.append(radii, np.full(len(mine), size))
    return at, {}


@lru_cache(512)
def _belief(step, noise, taste):
    """P(h|D) of every rule."""
    wrong = ERRORS[step]
    weight = (noise / 100) ** wrong * (1 - noise / 100) ** (step - wrong)
    weight = weight * taste ** np.array([0 if "∅" in rule else rule.count("?") for rule in RULES])
    return weight / weight.sum()


@lru_cache(512)
def _spread(step, noise, taste, wide):
    """Where each rule stands and how large, which ones float, and the heights of the rows."""
    g, belief = SPREAD[wide], _belief(step, noise, taste)
    r = g["r0"] * np.sqrt(belief * len(RULES))
    live = r >= FLOATS * g["r0"]
    at, rows = _vase(live, r, g) if noise in (0, 50) else _packed(live, r, g)
    left, right, foot, pitch = g["bed"]
    columns, home = int((right - left) // pitch), _vase(np.ones(len(RULES), bool), np.full(len(RULES), g["r0"]), g)[0]
    deep = -(-(FELL == 1).sum() // columns)
    for day, start in enumerate((left, *g["mounds"]), 1):  # day 1 makes the bed, each later day a small mound on it
        mine = np.flatnonzero(FELL == day)
        mine = mine[np.lexsort((-home[mine, 1], home[mine, 0]))]  # they fall nearly straight down
        k, high = np.arange(len(mine)), deep if day == 1 else 3
        across = k // high * (columns - 1) / max((len(mine) - 1) // high, 1) if day == 1 else k // high
        up = k % high + 0.5 + (0 if day == 1 else deep + 0.5)
        bed = np.column_stack([start + pitch * (across + 0.5), foot - pitch * up])
        at[mine[~live[mine]]] = bed[~live[mine]]
    return at, np.where(live, r, 0.37 * pitch), live, rows


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
    presets={
        "clean labels": {"noise": 0, "taste": 1.0},
        "one label in ten wrong": {"noise": 10, "taste": 1.0},
        "specific": {"noise": 0, "taste": 0.5},
        "general": {"noise": 0, "taste": 2.0},
    },
    main=("noise", "taste"),
    unlocks={"02/noise-ten": ["noise", "taste"]},
    looks={
        "bed": {"color": "rule", "width": 1.2},
        "divider": {"color": "rule", "width": 1},
        "row": {"color": "muted", "size": SMALL, "ha": "right", "va": "center"},
        "demand": {"size": SMALL, "bold": True, "ha": "center", "va": "center", "z": 6},
        "heap": {"color": "muted", "size": SMALL},
        "hero": {"size": HERO, "bold": True},
        "says": {"color": "muted"},
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
    wide = pen.size[0] > 560
    g, belief, wrong = SPREAD[wide], _belief(step, noise, taste), ERRORS[step]
    at, r, live, rows = _spread(step, noise, taste, wide)
    even, left, (x0, x1, foot, _) = np.ptp(belief[live]) < 1e-12, LEFT[step], g["bed"]

    # The rules: 973 points, each of which stays the same rule; those that live longest lie on top
    role = np.where(live, np.minimum(wrong, 4), 5) if step else np.where(live, 6, 5)
    kinds, of = np.unique(np.column_stack([role, (2 * r).round(2)]), axis=0, return_inverse=True)
    looks = [
        {"color": (*RAMP, "sediment", "prior")[int(k)], "size": size, "edge": None, "width": 0} for k, size in kinds
    ]
    far, front = np.abs(at[:, 0] - g["centre"]), np.argsort(-RANK)
    lag = np.where(live, 0, 0.35 * (1 - far / far.max()))  # of those that fall, the rim lets go first
    pen.points(page, "rules", *at[front].T, of=of.ravel()[front], looks=looks, lag=lag[front] if not noise else None)
    pen.line(page, "bed", [x0, x1], [foot + 3] * 2)
    if wide:
        pen.text(page, "head", 22, 40, "973 rules share one belief", size=HEAD, bold=True)
        pen.text(page, "clause", 22, 40, "a dot’s area is its share", dx=12, after="head", color="muted")
        pen.line(page, "divider", [614, 614], [26, 466])
        for n, y in rows.items():
            pen.text(page, f"row {n}", 106, y, {0: "always", 1: "1 demand", 7: "never"}.get(n, f"{n} demands"))
    else:
        pen.text(page, "head", 16, 32, "973 rules share one belief", size=HEAD, bold=True)
    _demands_inside(pen, page, at, r, np.flatnonzero(live & (r > 24)), "paper" if step else "ink")
    _heaps(pen, page, g, step, live, noise == 0 and taste == 1)

    # At the side the days, or the belief by number of contradictions
    x, end, y = (640, 880, 64) if wide else (16, 374, 404)
    held = [float(belief[wrong == k].sum()) for k in range(step + 1)]
    counts = np.bincount(wrong, minlength=step + 1).tolist()
    bar = pen.waiting or noise > 0
    each = f"{1 / left:.1%} each" if even else "not all alike"
    lines = [
        (f"{left}", "rules left" if step else "rules", each),
        (_share(held[0]), f"the {left} that fit", f"at ε = {noise}%"),
    ]
    hero, *says = ("?", f"the {left} that fit", "at ε = 10%") if pen.waiting else lines[noise > 0]
    pen.text(page, "hero", x - 2, y, hero, color="muted" if pen.waiting else "belief" if step else "muted")
    for n, words in enumerate(says):
        pen.text(page, f"says {n}", x, y - 23 + 24 * n, words, dx=14, after="hero", color=("ink", "muted")[n])
    if pen.guess is not None and noise == 10 and step == 4:
        place = (x, y + 36) if wide else (end, y - 23)
        pen.text(
            page, "says guess", *place, f"{pen.reader} said {pen.guess:g}%", ha="left" if wide else "right", size=SMALL
        )
    if bar:
        _groups(pen, page, wide, held, counts, noise == 10 and step == 4)
    for d, (day, label) in enumerate(DAYS if not bar else (), 1):
        on, now, top = d <= step, d == step, 130 + 90 * (d - 1) if wide else 440 + 34 * (d - 1)
        role = ("case" if label else "other") if on else "muted"
        look = {"color": role, "shape": "s" if label else "o", "edge": None} if on else {"color": None, "edge": "edge"}
        pen.points(page, f"label {d}", [x + 7], [top - 6], size=12, **look)
        pen.text(
            page,
            f"day {d}",
            x + 23,
            top,
            f"day {d}: {'yes' if label else 'no'}" if on else f"day {d}",
            color=role,
            bold=on,
        )
        moves = f"{LEFT[d - 1]} → {LEFT[d]}" if on else ""
        pen.text(page, f"moves {d}", end, top, moves, color="belief" if now else "muted")
        for n in (0, 1) if wide else ():
            words = " ".join(day[3 * n : 3 * n + 3])
            pen.text(page, f"values {d}{n}", x + 23, top + 23 + 21 * n, words, color="ink" if on else "muted")

    # In words
    ties = np.flatnonzero(belief > belief.max() * (1 - 1e-9))
    best = f"{len(ties)} rules lead" if len(ties) > 1 else f"⟨{', '.join(RULES[ties[0]])}⟩ leads"
    leads = "" if even else f" {best} with {belief.max():.3f}."
    told = f" Each ? multiplies the prior by {taste:g}." if taste != 1 else ""
    if step == 0 and even:
        words = "973 rules share one belief, 0.1% each. The most general rule is on top, *never* at the foot. A dot’s area is its share."
        return words.replace("*", "") + told
    if step == 0:
        return f"Before any day.{told}{leads}"
    if noise == 0:
        word = f"{left} rules left{f', {1 / left:.1%} each' if even else ''}; {973 - left} refuted, P(D) = {_evidence(step, taste):.4g}."
        return f"Day {step}, a {'yes' if DAYS[step - 1][1] else 'no'}: {word}{told}{leads} The coloured area hasn’t changed."
    rest = ", ".join(f"{n} contradict {k}: {share:.3f}" for k, (n, share) in enumerate(zip(counts, held)) if k and n)
    return f"After day {step}, with {noise}% wrong labels, the {left} that fit all hold {held[0]:.3f}; {rest}.{told}{leads}"


def _evidence(step, taste):
    """P(D) with clean labels: what the rules that are left had before."""
    return float(_belief(0, 0, taste)[ERRORS[step] == 0].sum())


def _demands_inside(pen, page, at, r, rules, color):
    """What a rule demands, inside its disc, in the longest wording that fits; all are named or none is."""
    made = {}
    for k in rules:
        for short in (False, True):
            full = _words(RULES[k], short)
            high = 18.5 if r[k] > 40 else 16.5
            if short and len(full) == 3:
                full = [full[0], full[2], full[1]]  # the longest word where the disc is widest
            lines = [(words, (n - (len(full) - 1) / 2) * high) for n, words in enumerate(full)]
            reach = max(np.hypot(pen.width(words, SMALL, True) / 2, abs(y) + 5.5) for words, y in lines)
            if reach <= r[k] + 0.5:
                made[k] = lines
                break
    for k, lines in made.items() if len(made) == len(rules) else ():
        for n, (words, y) in enumerate(lines):
            pen.text(page, f"demand {k}.{n}", at[k, 0], at[k, 1] + y, words, color=color)


def _heaps(pen, page, g, step, live, clean):
    """How many rules lie in the sediment, and which day refuted them."""
    (x, _, foot, pitch), sunk = g["bed"], int((~live).sum())
    if not clean or not sunk:
        words = (
            f"{sunk} refuted or too light to float"
            if sunk
            else "nothing refuted yet"
            if not step
            else "nothing too light to float"
        )
        return pen.text(page, "heap 1", x, foot - (10 * pitch + 9 if sunk else 8), words)
    for day, start in enumerate((x, *g["mounds"][:3])[:step], 1):
        n = int((FELL == day).sum())
        words = f"refuted by day 1: {n}" if day == 1 else f"day {day}: {n}" if g["width"] > 400 else f"{n}"
        pen.text(page, f"heap {day}", start, foot - 10 * pitch - 9, words)


def _groups(pen, page, wide, held, counts, guessed):
    """One upright bar of length 1: the belief by number of contradicted days."""
    x, end, top, foot, broad = (640, 880, 112, 468, 30) if wide else (16, 374, 424, 572, 34)
    if pen.waiting:
        pen.bar(page, "share all", x, top, broad, foot - top, color="mist")
    y = top + (foot - top) * np.append(0, np.cumsum(held))
    shown = [k for k, n in enumerate(counts) if n]
    middles = np.linspace(top + 30, foot - 30, len(shown)) if pen.waiting else (y[:-1] + y[1:])[shown] / 2
    lines, need = middles.copy(), 25
    for n in range(1, len(lines)):
        lines[n] = max(lines[n], lines[n - 1] + need)
    lines[-1] = min(lines[-1], foot - 6)
    for n in range(len(lines) - 2, -1, -1):
        lines[n] = min(lines[n], lines[n + 1] - need)
    for k, at, line in zip(shown, middles, lines):
        color = "belief" if k == 0 and not pen.waiting else "ink"
        pen.text(page, f"count {k}", x + broad + 51, line, f"{counts[k]}", color=color)
        pen.text(page, f"of {k}", x + broad + 57, line, f"fit all {len(held) - 1}" if k == 0 else f"contradict {k}")
        if pen.waiting:
            continue
        pen.bar(page, f"share {k}", x, y[k], broad, max(y[k + 1] - y[k] - 1.5, 0.8), color=RAMP[k])
        pen.line(page, f"lead {k}", [x + broad + 4, x + broad + 13], [at, line])
        pen.text(page, f"held {k}", end, line, _share(held[k]), color=color)
    if guessed and pen.guess is not None:
        place = top + (foot - top) * pen.guess / 100
        pen.line(page, "you said", [x - 5, x + broad + 5], [place, place])


# Between two borders: what S and G leave, step by step

HISTORY = SPORT.candidate_elimination(DAYS).history
SIDE = np.array([-3, 3, -1.2, 0.1, 1.4, -0.5])  # where a demand pulls its rules, left or right, so that few lines cross
FIRST = np.flatnonzero(FELL > 1).tolist()  # the 64 that day 1 leaves
PULL = {k: sum(SIDE[n] for n, v in enumerate(RULES[k]) if v != "?") / max(DEMANDS[k], 1) for k in FIRST}
PAIRS = [
    (a, b)
    for a in FIRST
    for b in FIRST
    if DEMANDS[b] == DEMANDS[a] + 1 and all(p in ("?", q) for p, q in zip(RULES[a], RULES[b]))
]
WALLS = {  # left, right, top and foot; the height of a day's layer; the pills after each day; where the words stand
    True: dict(page=(22, 640, 54, 468), layer=27, pill={1: (26, 13), 2: (52, 20), 3: (52, 20), 4: (180, 50)}),
    False: dict(page=(12, 378, 74, 424), layer=24, pill={1: (15, 8), 2: (31, 14), 3: (31, 14), 4: (112, 46)}),
}
DONE = {  # what each day does to S, to G, and to the rules between
    1: ("S: copy the day", "G: covers it, stays", "miss it"),
    2: ("S: Normal becomes ?", "G: covers it, stays", "miss it"),
    3: ("S: leaves it out, stays", "G: 3 rules, 1 demand", "let it in"),
    4: ("S: Warm water, Same → ?", "G: Same goes", "miss it"),
}


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
        label, dead = DAYS[day - 1][1], [k for k in FIRST if FELL[k] == day]
        y = foot - layer * (sum(each for _, each in DAYS[:day]) - 0.5) if label else top + layer / 2 + 2
        for i, k in enumerate(dead):
            at[k] = right - 10 - 6 * (i // 2), y + 6 * (i % 2) - 3, 4.4, 4.4
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
        "all": {"color": "prior", "edge": None, "width": 0, "size": 6.4, "z": 2},
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
        links = [(at[a][:2], at[b][:2]) for a, b in PAIRS if a in alive and b in alive]
        pen.segments(page, "links", links, **({"color": "muted", "width": 2} if step == 4 else {}))
    for k in FIRST if step else ():
        x, y, w, t = at[k]
        living = FELL[k] > step
        pen.line(
            page,
            f"rule {k}",
            [x - max(w - t, 0.3) / 2, x + max(w - t, 0.3) / 2],
            [y, y],
            width=t,
            color="belief" if living else "sediment",
        )
        if living and step < 4:
            _dots(pen, page, k, x, y, w, t)
    for k in alive if step == 4 else ():
        words = _words(RULES[k], not wide)
        lines = [", ".join(words)] if wide or len(words) != 2 else [f"{words[0]},", words[1]]
        for n, line in enumerate(lines):
            y = at[k][1] + 20 * (n - (len(lines) - 1) / 2)
            pen.text(page, f"card {k}.{n}", at[k][0], y, line, size=LABEL if wide else SMALL)
    inside = 40 if step == 0 else g["pill"][step][1] / 2 + 13
    pen.text(page, "border G", left + 8, roof + inside, "G")
    pen.text(page, "border S", left + 8, floor - inside, "S")
    if step == 0:
        pen.text(page, "value always", 0, roof + inside, "always", dx=10, after="border G", color="muted")
        pen.text(page, "value never", 0, floor - inside, "never", dx=10, after="border S", color="muted")

    # At the side: how many are left, what S demands, what the day did
    n, x = LEFT[step], 678 if wide else 12
    if wide:
        pen.text(page, "head", 22, 38, "Two borders", size=HEAD, bold=True)
        pen.text(page, "clause", 22, 38, "a yes lifts S, a no lowers G", dx=12, after="head", color="muted")
        pen.line(page, "divider", [659, 659], [26, 466])
    pen.text(page, "hero", x - 2, 62 if wide else 56, f"{n}", color="belief" if step else "muted")
    pen.text(page, "says 0", x, 38 if wide else 34, "rules alive", dx=12, after="hero", color="ink")
    pen.text(
        page,
        "says 1",
        x,
        62 if wide else 57,
        "from S to G" if wide else "a yes lifts S, a no lowers G",
        dx=12,
        after="hero",
        size=LABEL if wide else SMALL,
    )
    _side(pen, page, step, wide)
    sets = [", ".join(f"⟨{', '.join(rule)}⟩" for rule in rules) for rules in (seen.specific, seen.general)]
    if step == 0:
        return f"Nothing seen: S is never, G is {sets[1]}. All 973 rules lie between."
    between = len(alive) - len({*seen.specific, *seen.general})
    rest = f"With the {between} between them, that’s all {n}" if between else f"That’s all {n}"
    return f"Day {step}, a {'yes' if seen.label else 'no'}: S = {sets[0]}. G = {sets[1].replace('⟩, ⟨', '⟩ and ⟨')}. {rest}; this day refuted {LEFT[step - 1] - n}."


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
        lines = ("No day has spoken yet:", "every rule lies between.", "Each day will push one", "of the borders.")
        for n, words in enumerate(lines):
            pen.text(page, f"done {n}", x, (112 if wide else 456) + 25 * n, words, color="muted")
        return
    pen.text(page, "day demands", x, 106 if wide else 446, "S demands", color="case", size=LABEL if wide else SMALL)
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
    label, fell = DAYS[step - 1][1], LEFT[step - 1] - LEFT[step]
    role, y = "case" if label else "other", 332 if wide else 526
    pen.text(
        page, "day says", x, y, f"day {step} says {'yes' if label else 'no'}", color=role, size=LABEL if wide else SMALL
    )
    lines = [*DONE[step][:2], f"refuted: {fell}, they {DONE[step][2]}"]
    for n, words in enumerate(lines if wide else [lines[not label]]):
        pen.text(page, f"done {n}", x, y + 27 + 23 * n, words, color="ink" if n < 2 else "muted")


# Every animal is a glass, filled to the share of living rules that say "in": half-full glasses are worth a question

# Of the zoo's columns those that a look at an animal, or its skeleton, can tell, and what a demand says in words.
SAID = {
    "hair": ("hair", "no hair"),
    "feathers": ("feathers", "no feathers"),
    "eggs": ("lays eggs", "no eggs"),
    "milk": ("milk", "no milk"),
    "airborne": ("flies", "doesn’t fly"),
    "aquatic": ("in water", "not in water"),
    "toothed": ("teeth", "no teeth"),
    "backbone": ("backbone", "no backbone"),
    "breathes": ("breathes", "no breath"),
    "venomous": ("venomous", "no venom"),
    "fins": ("fins", "no fins"),
}
LOOKS = [*SAID, "legs"]
SECRETS = {
    "secret rule 1": {"backbone": "yes", "aquatic": "yes"},
    "secret rule 2": {"eggs": "yes", "breathes": "yes", "airborne": "no"},
    "secret rule 3": {"toothed": "yes", "aquatic": "no"},
}
# How many animals the machine asks about, if it starts from nothing and always takes the glass nearest to half.
MACHINE = {
    "mammal": 8,
    "bird": 7,
    "fish": 12,
    "reptile": 15,
    "secret rule 1": 14,
    "secret rule 2": 14,
    "secret rule 3": 7,
}
GROUPS = [
    (look, rows["name"].tolist(), rows["type"].iloc[0]) for look, rows in data.load_zoo().groupby(LOOKS, sort=False)
]
ANIMALS = ["frog 2" if members == ["frog"] else members[0] for _, members, _ in GROUPS]  # the venomous one
SIDES = {True: (718, 880), False: (16, 374)}  # left and right of the words
SHELVES = {  # for at most so many glasses: columns, left and top, from one to the next, and the size of a glass
    True: {
        8: (4, (22, 36), (169, 216), (145, 160)),
        12: (4, (22, 30), (169, 150), (145, 100)),
        20: (5, (22, 26), (134, 114), (116, 76)),
        33: (7, (22, 24), (94, 91), (82, 60)),
    },
    False: {
        8: (2, (16, 84), (186, 122), (172, 84)),
        12: (3, (16, 84), (122, 122), (112, 84)),
        20: (4, (16, 84), (92, 98), (82, 62)),
        33: (4, (16, 80), (92, 54.6), (82, 31)),
    },
}


class Learner:
    """What rules are left after some things were labelled, and what they demand; `things` are tuples of values."""

    def __init__(self, space, things):
        self.space, self.things = space, things
        self.codes = [[codes[value] for codes, value in zip(space._codes, thing)] for thing in things]
        self.after = lru_cache(64)(self._after)

    def _after(self, labels):
        """(rules left, votes for each thing, S, what G demands) after pairs (number of a thing, True or False)."""
        fits = self.space.errors([(self.things[number], label) for number, label in labels]) == 0
        grid, left = fits[1:].reshape(self.space.shape), int(np.count_nonzero(fits))
        votes = [int(np.count_nonzero(grid[self._covering(codes)])) for codes in self.codes]
        yes = [number for number, label in labels if label]
        # What covers a positive example has its value or "?" in each place: after the first the rest of the grid is empty.
        demanded = _most_general(grid[self._covering(self.codes[yes[0]])] if yes else grid)
        return left, votes, self.space.find_s([(self.things[number], True) for number in yes]), demanded

    def _covering(self, codes):
        return tuple(slice(code, None, last - 1 - code) for code, last in zip(codes, self.space.shape))

    def best(self, labels):
        """The first of the things whose votes are nearest to half, among those on which the rules disagree; or None."""
        left, votes, *_ = self.after(labels)
        doubtful = [number for number, yes in enumerate(votes) if 0 < yes < left]
        return min(doubtful, key=lambda number: abs(2 * votes[number] - left), default=None)


def _most_general(fits):
    """Which entries the most general hypotheses of a version space demand: a row of truth values for each of them.

    Between two hypotheses that fit all the others fit too: so one is most general if no value in it can become "?".
    """
    below = np.zeros_like(fits)
    for axis in range(fits.ndim):
        np.moveaxis(below, axis, -1)[..., :-1] |= np.moveaxis(fits, axis, -1)[..., -1:]
    return np.argwhere(fits & ~below) < np.array(fits.shape) - 1


@lru_cache(1)
def _zoo():
    columns = {name: data.load_zoo()[name].unique().tolist() for name in LOOKS}
    return Learner(ConjunctiveSpace(columns), [look for look, *_ in GROUPS])


def _labels(learn, asked):
    """Pairs of an animal's number and whether it is in, in the order of asking."""
    rule = SECRETS.get(learn)
    wanted = tuple(rule.get(name, "?") for name in LOOKS) if rule else None
    return tuple((n, covers(wanted, GROUPS[n][0]) if rule else GROUPS[n][2] == learn) for n in map(int, asked.split()))


def _ask(values, name):
    """What a click on a glass does: its animal is asked about, once, and at most as many as the display allows."""
    asked, number = values["asked"].split(), str(name).split()[-1]
    return {} if number in asked or len(asked) >= values["most"] else {"asked": " ".join([*asked, number])}


def _machine(values):
    best = _zoo().best(_labels(values["learn"], values["asked"]))
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
    "you": {"size": SMALL, "color": "muted"},
    "key": {"size": SMALL, "color": "muted"},
    "divider": {"color": "rule", "width": 1},
    "says": {"color": "muted"},
    "demand": {"size": LABEL},
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
    looks={**GLASSES, "hero": {"bold": True}},
)
def zoo(pen, page, learn, asked, most):
    """Ask real animals in or out: after each answer every glass shows the share of living rules that say "in"."""
    labels, learner = _labels(learn, asked), _zoo()
    left, votes, specific, general = state = learner.after(labels)
    doubtful = [n for n, yes in enumerate(votes) if 0 < yes < left]
    more = [len(members) - 1 for _, members, _ in GROUPS]
    key = ["33 looks, 101 animals", "+28: so many more", "look just the same"]
    if not pen.waiting:
        agreed = ["all agree", f"the machine needs {MACHINE[learn]}"] if left else ["no rule is left"]
        key = (
            ["level: share of rules", "that say “in”", "nearest half: ask!"]
            if doubtful
            else [f"{len(labels)} asked,", *agreed]
        )
    best, guess = (None, None) if pen.waiting else (learner.best(labels), pen.guess)
    _shelf(pen, page, ANIMALS, more, labels, left, votes, best, guess=guess if most == 2 else None)
    for line, text in enumerate(key if pen.size[0] > 560 else ()):
        loud = text.startswith(("nearest", "the machine"))
        pen.text(page, f"key {line}", 496, 408 + 23 * line, text, color="belief" if loud else "muted", bold=loud)
    first = next((n for n, label in labels if label), None)
    words = [SAID[name][v != "yes"] if name in SAID else f"{v} legs" for name, v in zip(LOOKS, GROUPS[first or 0][0])]
    _shared(
        pen, page, f"{left:,}", "rules left" if labels else "rules", labels, words if first is not None else None, state
    )
    if guess is not None and most > 2:
        x, y = (SIDES[True][0], 114) if pen.size[0] > 560 else (16, 74)
        pen.text(page, "says guess", x, y, f"{pen.reader} said {pen.guess:g}", size=SMALL)

    # In words
    size = learner.space.size
    if pen.waiting:
        known = "The aardvark is in; 4,096 rules are left." if labels else "One secret rule says who is in."
        return f"101 animals with 33 different looks; +28 means that 28 more look just the same in the twelve facts. {known}"
    if not labels:
        return f"{learn}: nobody asked yet, {size:,} rules. Every glass shows the share of them that say “in”."
    (last, label), gone = labels[-1], learner.after(labels[:-1])[0] - left
    said = f"{learn}: {len(labels)} asked, {left:,} of {size:,} rules left. The last, {ANIMALS[last]}, is {'in' if label else 'out'}; it deleted {gone:,}."
    if not left:
        clash = [ANIMALS[n] for n, label in labels if not label and covers(specific, GROUPS[n][0])]
        return f"{said} No rule fits: whatever covers all that are in also covers {', '.join(clash)}."
    if doubtful:
        return (
            f"{said} {len(doubtful)} glasses are in doubt; nearest to half is {ANIMALS[best]}, {votes[best]:,} say in."
        )
    truth = dict(_labels(learn, " ".join(map(str, range(len(GROUPS))))))
    wrong = [ANIMALS[n] for n, yes in enumerate(votes) if (yes > 0) != truth[n]]
    told = f"wrong about {' and '.join(wrong)}" if wrong else "right about everybody"
    return f"{said} No doubts left: the rules all agree, and they are {told}. The machine needs {MACHINE[learn]}."


def _cup(x, y, w, h, share=1.0):
    """A tumbler filled to a share: narrower at the foot, its lower corners round, always with the same number of corners."""
    d = np.minimum(np.array([h, 8, 5, 2.5, 0.8, 0]) * min(1, h / 40), share * h)
    d[0], r = share * h, 8 * min(1, h / 40)
    half = w / 2 - 6.5 * (1 - d / h) - np.where(d < r, r - np.sqrt(np.maximum(r**2 - (r - d) ** 2, 0)), 0)
    return np.column_stack([x + w / 2 + np.append(-half, half[::-1]), y + h - np.append(d, d[::-1])])


def _shelf(pen, page, names, more, labels, left, votes, best, says=("in", "out"), guess=None):
    """A glass for each name, filled to its votes; those that were asked are full of their answer."""
    wide = pen.size[0] > 560
    shelf, known = next(shelf for most, shelf in SHELVES[wide].items() if len(names) <= most), dict(labels)
    columns, (x0, y0), (dx, dy), (w, h) = shelf
    halves = []
    for n, name in enumerate(names):
        x, y = x0 + n % columns * dx, y0 + n // columns * dy
        share, answer = votes[n] / left if left else 0, known.get(n)
        near, doubt = 1 - abs(2 * share - 1), 0 < share < 1 and answer is None and not pen.waiting
        covered = answer is None and (pen.waiting or not left)
        role = {True: "case", False: "other"}.get(answer) or ("mist" if covered else "case_tint")
        role = ("belief" if near > 0.9 else "prior" if near > 0.35 else "belief_tint") if doubt else role
        ask = doubt and (near > 0.96 or n == best)
        ground = "belief_wash" if doubt and near > 0.25 else "paper"
        grab = {} if n in known else {"click": f"ask about {name}"}
        pen.area(page, f"glass {n}", _cup(x, y, w, h), color=ground, **grab)
        full = 1 if covered or answer is not None else share
        pen.area(page, f"level {n}", _cup(x, y, w, h, full), color=role)
        rim = "belief" if ask else "belief_tint" if doubt and near > 0.25 else "rule" if doubt else "other_tint"
        if share < 1 and answer is None and not covered:
            pen.line(page, f"rim {n}", *_cup(x, y, w, h).T, color=rim, width=3.6 if ask else 2)
        if doubt and h > 40:
            halves += [((a, y + h / 2), (b, y + h / 2)) for a, b in ((x + 4, x + 11), (x + w - 11, x + w - 4))]
        settled = answer is None and not doubt and not pen.waiting
        color = role if answer is not None else "belief" if ask else "muted" if settled else "ink"
        pen.text(
            page,
            f"name {n}",
            x + w / 2,
            y + h + (20 if dy > 60 else 17),
            name,
            color=color,
            bold=ask or answer is not None,
        )
        if more[n] and wide:
            pen.text(page, f"more {n}", x + w - 9, y + 20, f"+{more[n]}", color="muted" if answer is None else "paper")
        if answer is not None:
            beside = {"ha": "left", "dx": 14 - w / 2, "dy": -13} if more[n] and wide else {"ha": "center"}
            pen.text(page, f"label {n}", x + w / 2, y + h / 2, says[not answer], **beside)
        if guess == n and wide:
            pen.text(page, "you", x + 8, y + 20, pen.reader, color="paper" if answer is not None else "muted")
    if halves:
        pen.segments(page, "half", halves)


def _shared(pen, page, number, what, labels, words, state, says=("asked", "all “in” so far share")):
    """How many rules are left, and S: what all that are in share, struck out when one of them lacks it."""
    left, _, specific, general = state
    wide = pen.size[0] > 560
    (x, end), role = SIDES[wide], "belief" if labels else "muted"
    shared = sum(entry not in "?∅" for entry in map(str, specific))
    size = HERO if len(number) < 6 else NUMBER
    pen.text(page, "hero", x - 2, 60 if wide else 46, number, color=role, size=size)
    if not wide:
        pen.text(page, "says 0", x, 23, what, dx=12, after="hero", color="ink")
        pen.text(page, "says 1", x, 46, f"{len(labels)} {says[0]}", dx=12, after="hero")
        if words:
            pen.text(page, "says 2", end, 23, f"{shared} of {len(specific)}", ha="right", bold=True, color="ink")
            pen.text(page, "says 3", end, 46, "facts shared", ha="right")
        return
    pen.line(page, "divider", [x - 26] * 2, [26, 462])
    pen.text(page, "says 0", x, 91, what, color="ink")
    pen.text(page, "says 1", end, 91, f"{len(labels)} {says[0]}" if labels else "", ha="right")
    pen.text(page, "says 2", x, 137, says[1] if words else "what do they share?", size=SMALL)
    must = general.all(axis=0) if left and len(general) else np.zeros(len(specific), bool)
    for n in range(len(specific)):
        y = 163 + 26 * n
        if not words:
            pen.line(page, f"veil {n}", [x + 4, x + 60 + 37 * n % 45], [y - 6, y - 6])
            continue
        gone, sure = specific[n] == "?", must[n] and specific[n] != "?"
        color = "muted" if gone else "belief" if sure else "ink"
        pen.text(page, f"demand {n}", x, y, words[n], color=color, bold=sure)
        if gone:
            pen.line(page, f"strike {n}", [x - 2, x + 2 + pen.width(words[n])], [y - 5.5] * 2)
        if sure and pen.width(words[n], LABEL, True) < 80:
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
    looks={**GLASSES, "hero": {"bold": True}},
)
def own_rule(pen, page, text):
    """The reader's own table: which rules explain its labels, and which row without a label to ask about next."""
    names, things, attributes, labels = _labelled(text)
    domains = {name: list(dict.fromkeys(values)) for name, values in zip(attributes, zip(*things))}
    space = ConjunctiveSpace(domains)
    if space.size > 2_000_000:
        raise ValueError(f"your table must allow at most 2,000,000 rules, got {space.size:,}: leave out a column")
    learner = Learner(space, things)
    left, votes, specific, general = state = learner.after(labels)
    best = learner.best(labels)
    wide = pen.size[0] > 560
    cut = [_cut(pen, name, 135 if len(names) <= 12 and wide else 88, SMALL) for name in names]
    _shelf(pen, page, cut, [0] * len(names), labels, left, votes, best, ("yes", "no"))
    first = next((n for n, label in labels if label), None)
    words = [_cut(pen, f"{name} {entry}", 158, LABEL) for name, entry in zip(attributes, things[first or 0])]
    words = words if first is not None else None
    _shared(pen, page, f"{left:,}", "rules", labels, words, state, ("labelled", "all “yes” so far share"))
    told = (
        "no rule fits" if not left else "no row is in doubt" if best is None else "level: share of rules\nthat say yes"
    )
    if wide:
        pen.text(page, "key", SIDES[True][0], 456, told)
    said = f"{len(labels)} of {len(names)} rows are labelled, {left:,} of {space.size:,} rules agree with them."
    if not left:
        clash = ", ".join(user_data.plain(names[n], 20) for n, yes in labels if not yes and covers(specific, things[n]))
        return f"{said} No rule fits: whatever covers every yes also covers {user_data.plain(clash, 200)}."
    kept = [f"{name} {entry}" for name, entry in zip(attributes, specific) if entry != "?"]
    wanted = (", ".join(kept) or "nothing is demanded") if first is not None else "not yet known"
    ask = "no row is in doubt"
    if best is not None:
        ask = f"label “{user_data.plain(names[best], 20)}” next, {votes[best]:,} say yes"
    return f"{said} S: {user_data.plain(wanted, 300)}. G has {len(general)} rule{'s' * (len(general) != 1)}; {ask}."


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
