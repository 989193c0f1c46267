"""The live figures of section 09, learning belief networks."""

from functools import cache
from itertools import product

import numpy as np

from bayeslib import data as tables
from bayeslib.figures import steer
from bayeslib.figures.drawn import Menu, Slider, State, figure, player
from bayeslib.figures.theme import HEAD, HERO, LABEL, NUMBER, SMALL
from bayeslib.models.networks import FamilyScores, graph, moves

HEARTS = tables.load_heart()


def _minus(words):
    return words.replace("-", "−")


def _counted(number, thing):
    """ "no links", "1 link", "2 links"."""
    return f"{number or 'no'} {thing}{'s' * (number != 1)}"


def _shaft(points, start, end):
    """A line without `start` pixels at its beginning and `end` at its end, in as many points."""
    along = np.r_[0, np.cumsum(np.hypot(*np.diff(points, axis=0).T))]
    at = np.linspace(min(start, along[-1] / 2), max(along[-1] - end, along[-1] / 2 + 0.1), len(points))
    return np.column_stack([np.interp(at, along, each) for each in points.T])


def _head(tip, neck, half):
    """An arrowhead with a notch, as a polygon."""
    away = (tip - neck) / np.hypot(*(tip - neck))
    side = half * np.array([-away[1], away[0]])
    return np.array([tip, neck + side, neck + 0.16 * (tip - neck), neck - side])


# The drawing that a program made: its links, what they gain, and which heads the data can vouch for

WIDE = "Sex 64 168, Age 64 300, Scan 186 112, Vessels 186 352, Disease 318 234, Pain 420 104, Angina 572 126, Rate 572 262, ST 440 368"
PHONE = "Sex 32 126, Age 32 242, Scan 106 74, Vessels 106 296, Disease 184 185, Pain 246 74, Angina 344 91, Rate 354 206, ST 270 298"
BENT = {"Age/Rate": 30, "ST/Scan": 72, "Angina/Sex": 12, "Angina/ST": 40, "Angina/Scan": -30}
BENT |= {"Rate/Sex": 28, "Angina/Vessels": -18, "Pain/Vessels": 62}  # links that go round another word
RECORDED, REVERSED, HIDDEN = "as recorded", "columns reversed", "without Disease"
STRONGEST = 37.6  # nats of the thickest link
ACROSS = {("Disease", "Angina"), ("Angina", "Disease")}  # a link where a note would stand


def _shuffle(columns, seed):
    """Each column in an order of its own."""
    random = np.random.default_rng(seed)
    return {name: random.permutation(column) for name, column in columns.items()}


def _table(columns, sample, shuffle):
    """The patients; of 100 draws of 200 of them one, and of 100 shuffles one, if these are not 0."""
    rows = {RECORDED: HEARTS, REVERSED: HEARTS[HEARTS.columns[::-1]], HIDDEN: HEARTS.drop(columns="Disease")}[columns]
    rows = rows.sample(200, random_state=sample % 100) if sample else rows
    return _shuffle(rows, shuffle % 100) if shuffle else rows


@cache
def _climb(columns, sample, shuffle):
    """([(source, target, gain)], scores): arrows are only added, always the one that gains most, as in the lesson's lines."""
    scores, made = FamilyScores.from_data(_table(columns, sample, shuffle)), []
    parents = {v: () for v in scores.variables}
    while (best := next(move for move in moves(parents, scores) if move.kind == "add")).gain > 0:
        parents = best.applied(parents)
        made.append((best.source, best.target, best.gain))
    return made, scores


@cache
def _chance(columns, sample):
    """What the best first arrow gains when every column is shuffled by itself, for 100 seeds, and the largest of all."""
    codes = {v: np.unique(column, return_inverse=True)[1] for v, column in _table(columns, sample, 0).items()}
    gains = sorted((_first_gain(list(_shuffle(codes, seed).values())) for seed in range(100)), reverse=True)
    return np.array(gains), gains[0]


def _first_gain(columns):
    """n times the mutual information of the best pair, minus ½ ln n for each new number."""
    cards, n = np.array([column.max() + 1 for column in columns]), len(columns[0])
    one_hot = np.concatenate([np.eye(k)[column] for k, column in zip(cards, columns)], axis=1)
    joint, begins = one_hot.T @ one_hot, np.cumsum([0, *cards[:-1]])
    sums = np.add.reduceat(np.add.reduceat(joint * np.log(joint + (joint == 0)), begins), begins, axis=1)
    alone, price = np.diag(sums), np.log(n) / 2 * np.outer(cards - 1, cards - 1)
    return (sums - alone - alone[:, None] + n * np.log(n) - price)[np.triu_indices(len(cards), 1)].max()


def _parents(arrows, names):
    return {v: tuple(a for a, b in arrows if b == v) for v in names}


def _changed(arrows, touched, scores):
    """The arrows with one struck out or turned round, and what each family gains."""
    if touched is None or tuple(touched[:2]) not in arrows:
        return arrows, {}
    a, b, how = touched
    after = [arrow for arrow in arrows if arrow != (a, b)] + ([(b, a)] if how == "turned" else [])
    before, now = (_parents(each, scores.variables) for each in (arrows, after))
    return after, {v: scores(v, now[v]) - scores(v, before[v]) for v in (b, a) if now[v] != before[v]}


def _touch(values, name):
    """A click on a link strikes it out, the next turns it round, unless that closes a circle, the third puts it back."""
    made, scores = _climb(values["columns"], values["sample"], values["shuffle"])
    arrows, (a, b) = [arrow[:2] for arrow in made[: values["step"]]], name.removeprefix("touch ").split("/")
    a, b = (a, b) if (a, b) in arrows else (b, a)
    if values["touched"] != [a, b, "out"]:
        return {"touched": None if values["touched"] == [a, b, "turned"] else [a, b, "out"]}
    rest = _parents([arrow for arrow in arrows if arrow != (a, b)], scores.variables)
    return {"touched": None if a in graph.ancestors(rest, [b]) else [a, b, "turned"]}


def _between(a, b, boxes, bend):
    """The way from the edge of one word to the edge of another."""
    ends = np.array([boxes[a][:2], boxes[b][:2]])
    along = ends[1] - ends[0]
    top = ends.mean(axis=0) + 2 * bend * np.array([-along[1], along[0]]) / np.hypot(*along)
    u = np.linspace(0, 1, 201)[:, None]
    points = (1 - u) ** 2 * ends[0] + 2 * u * (1 - u) * top + u**2 * ends[1]
    free = points[np.all([(np.abs(points - boxes[v][:2]) > boxes[v][2:]).any(axis=1) for v in (a, b)], axis=0)]
    return free[np.linspace(0, len(free) - 1, 13 if bend else 2).round().astype(int)]


SHOWS = {"columns": RECORDED, "sample": 0, "shuffle": 0, "stage": "settled", "touched": None, "step": 10}


@player(
    (0, 0, 900, 470),
    size=(900, 470),
    narrow=((390, 560), (0, 0, 390, 560)),
    history=lambda columns, sample, shuffle: range(1 + len(_climb(columns, sample, shuffle)[0])),
    step="last",
    pace=600,
    interval=1600,
    controls={
        "columns": Menu("columns", (RECORDED, REVERSED, HIDDEN), RECORDED),
        "sample": Slider("200 of them (0: all)", 0, 100, 0),
        "shuffle": Slider("shuffle (0: none)", 0, 100, 0),
        "stage": State("settled"),
        "touched": State(None),
    },
    presets={
        "the gains": {**SHOWS, "stage": "gains"},
        "one shuffle": {**SHOWS, "shuffle": 51, "stage": "gains", "step": 2},
        "the climb": SHOWS,
        "the thread": {**SHOWS, "touched": ["Angina", "Rate", "out"]},
        "columns reversed": {**SHOWS, "columns": REVERSED},
        "without Disease": {**SHOWS, "columns": HIDDEN, "step": 8},
        "200 others": {**SHOWS, "sample": 1},
    },
    main=("sample", "shuffle"),
    more=("columns",),
    unlocks={
        "09/shuffled": ["columns", "sample", "shuffle", "the gains", "one shuffle"],
        "09/ten-arrows": ["click", "the climb", "the thread", REVERSED, HIDDEN, "200 others"],
    },
    click=_touch,
    help="Arrows step, Space plays; click a link to strike it out, again to turn it round, again to put it back.",
    looks={
        "word": {"bold": True, "ha": "center", "va": "center", "z": 9},
        "head": {"z": 3.4, "when": (0.6, 1)},
        "touch": {"color": None, "edge": None, "width": 0, "size": 30, "z": 10},
        "number": {"bold": True},
        "note": {"color": "muted", "size": SMALL},
        "ask": {"size": HERO, "bold": True, "color": "muted"},
        "ruler": {"color": "rule", "width": 1.4},
        "tick": {"width": 2.6, "z": 5},
        "gain": {"size": SMALL, "bold": True, "va": "center"},
        "name": {"size": SMALL, "va": "center"},
        "chance": {"edge": None, "width": 0, "color": "sediment"},
        "cross": {"color": "ink", "width": 3.4, "z": 8},
    },
)
def hearts(pen, page, step, columns, sample, shuffle, stage, touched):
    """Ten links that a program drew, thick by what they gain; a head stays only where all equivalent drawings share it."""
    wide, (made, scores) = pen.size[0] > 560, _climb(columns, sample, shuffle)
    lots, best = _chance(HIDDEN if columns == HIDDEN else RECORDED, sample)
    before, gains = [arrow[:2] for arrow in made[:step]], {frozenset(arrow[:2]): arrow[2] for arrow in made}
    arrows, change = _changed(before, touched, scores)
    names, shown = list(scores.variables), {frozenset(arrow): arrow for arrow in arrows}
    heads = graph.compelled(_parents(arrows, names)) if stage == "settled" else set(arrows)
    lost = graph.compelled(_parents(before, names)) - heads if change else set()

    # The words, and a box around each
    boxes = {}
    for name, x, y in (each.split() for each in (WIDE if wide else PHONE).split(", ")):
        x, y, size = int(x), int(y), (20 if wide else 17) if name == "Disease" else LABEL if wide else SMALL
        pen.text(page, f"word {name}", x, y, name, size=size, color="ink" if name in names else "muted")
        half = pen.width(name, size, True) / 2
        boxes[name] = (x, y, half + (8 if wide else 5), size)
        if name not in names:
            pen.line(page, "gone", [x - half - 4, x + half + 4], [y, y], color="muted", width=2, z=10)

    # The links
    for k, (source, target, gain) in enumerate(made):
        key = "/".join(sorted((source, target)))
        way = _between(source, target, boxes, BENT.get(key, 0) * (1 if source < target else -1) * (1 if wide else 0.6))
        thick = 2.6 if stage == "drawn" else max(gain * (14 if wide else 9.5) / STRONGEST, 1.6)
        if k >= step:  # it waits at its source, and grows from there
            pen.line(page, f"link {key}", *np.repeat(way[:1], len(way), axis=0).T, color="paper", width=thick, z=0.2)
            continue
        (x, y), arrow, r = way.mean(axis=0), shown.get(frozenset((source, target))), 6
        if stage != "drawn":
            does = f"{source} – {target}: strike it out, turn it round, put it back"
            pen.points(page, f"touch {key}", [x], [y], click=does)
        if arrow is None:
            pen.line(page, f"link {key}", *way.T, color="rule", width=1.6, z=2)
            pen.segments(page, "cross", [[(x - r, y - r), (x + r, y + r)], [(x - r, y + r), (x + r, y - r)]])
            continue
        way = way if arrow == (source, target) else way[::-1]
        size, half = (11 if wide else 9) + 0.75 * thick, (5 if wide else 4) + 0.62 * thick
        color = "muted" if shuffle else "belief" if arrow in heads else "prior"
        if arrow in heads or arrow in lost:
            look = {"color": color} if arrow in heads else {"color": "paper", "edge": "muted", "width": 1.4}
            pen.area(page, f"head {key}/{arrow[1]}", _head(way[-1], _shaft(way, 0, size)[-1], half), **look)
        line = _shaft(way, thick / 2, thick / 2 + (0.8 * size if arrow in heads else 0))
        line = line if arrow[0] < arrow[1] else line[::-1]  # the same order in every table, so that it glides
        pen.line(page, f"link {key}", *line.T, color=color, width=thick, z=3 + 0.01 * k)

    beyond = sum(gains[frozenset(arrow)] > best for arrow in arrows)
    _words(
        pen, page, wide, stage, (columns, sample, shuffle), made[:step], arrows, heads, beyond, change, touched, names
    )
    if stage == "drawn":
        return (
            f"Ten arrows, drawn from {len(HEARTS)} patients by a program that knows no medicine. How many links are more than "
            "chance, how many heads can the data vouch for, how many causes are there?"
        )
    ticks = [(shown.get(frozenset(each[:2])), each[2]) for each in made[:step]]
    _ruler(pen, page, wide, lots, ticks, [each[2] for each in made], heads, shuffle)

    who = f"{200 if sample else len(HEARTS)} patients"
    who += f", draw {sample}" * bool(sample) + f", {columns}" * (columns != RECORDED)
    who += f", every column shuffled by itself ({shuffle})" * bool(shuffle)
    links = f"{_counted(len(arrows), 'link')}, {beyond} beyond chance"
    last = f" The last, {made[step - 1][0]} → {made[step - 1][1]}, gained {made[step - 1][2]:.2f}." if step else ""
    chance = f"The best first arrow of 100 shuffles gained {best:.2f} at most, and more than 0 in {(lots > 0).sum()}."
    if stage == "gains":
        return f"{who}: {links}.{last} {chance}"
    if change:
        parts = ", ".join(f"{v} {each:+.2f}" for v, each in change.items())
        done = {"out": "struck out", "turned": "turned round"}[touched[2]]
        last = f" {touched[0]} – {touched[1]} {done}: BIC {sum(change.values()):+.2f} ({parts})."
    bic, vouched = (
        sum(scores(v, above) for v, above in _parents(arrows, names).items()),
        _counted(len(heads), "arrowhead"),
    )
    return f"{who}: {links}; {vouched} that all equivalent drawings share; no causes. BIC {bic:.2f}.{last} {chance}"


def _words(pen, page, wide, stage, table, made, arrows, heads, beyond, change, touched, names):
    """What the picture shows, above it; below it the three numbers, or beside it the three questions."""
    (columns, sample, shuffle), (a, b, how), drawn = table, touched or ("", "", ""), stage == "drawn"
    last, gained = (" → ".join(made[-1][:2]), made[-1][2]) if made else ("No arrows yet", 0)
    new = len(heads - graph.compelled(_parents([each[:2] for each in made[:-1]], names))) if stage == "settled" else 0
    at_once = f", and {_counted(new, 'arrowhead')} at once" if new > 1 and wide else ""
    _, title, clause = next(
        each
        for each in (
            (drawn, "Ten arrows", "drawn by a program" + " that knows no medicine" * wide),
            (change, f"{b} → {a}" if how == "turned" else f"Without {a} – {b}", f"BIC {sum(change.values()):+.2f}"),
            (shuffle, "Shuffled", f"every column by itself ({shuffle})"),
            (sample, f"200 of the {len(HEARTS)}", f"draw {sample}"),
            (columns != RECORDED, columns[0].upper() + columns[1:], "the same patients"),
            (True, last, f"+{gained:.2f}{at_once}" * bool(made)),
        )
        if each[0]
    )
    left, top, foot, size = (22, 34, 448, LABEL) if wide else (14, 30, 510, SMALL)
    pen.text(page, "title", left, top, title, size=HEAD, bold=True)
    pen.text(page, "clause", left, top, _minus(clause), dx=10, after="title", color="muted", size=size)
    if wide and not change and last == "Angina → Rate" and new == len(heads) > 1 and not {*arrows} & ACROSS:
        pen.text(page, "note thread", 558, 190, f"all {new} heads\nhang by this thread", ha="right")

    everything = "all" if arrows and beyond == len(arrows) else beyond or "none"
    numbers = [(len(arrows), "link", f"{everything} beyond chance"), (len(heads), "arrowhead", "the data vouch for")]
    numbers += [(0, "cause", "no table can tell")]
    if drawn:
        numbers = [(len(HEARTS), "patient", "X-rayed"), (len(names), "column", "of their table")]
        numbers += [(len(arrows), "arrow", "read out of it")]
    for k, (x, (value, noun, note)) in enumerate(zip((22, 246, 454) if wide else (14, 124, 270), numbers)):
        if drawn and not wide:
            break  # the questions have their place
        covered, name = stage == "gains" and k > 0, f"number {k}"
        ink = "muted" if covered or shuffle else "ink" if k == 2 or drawn else "belief"
        pen.text(page, name, x, foot, "?" if covered else f"{value}", color=ink, size=36 if wide else 28)
        beside = {"after": name, "size": size, **({"dx": 9, "dy": 18} if wide else {"dx": 6})}
        pen.text(page, f"noun {k}", x, foot, noun + "s" * (value != 1 or covered), **beside)
        said = pen.guess is not None and stage == "settled"
        note = f"{pen.reader} said {pen.guess[k]}" if said else "" if covered else note
        if wide:
            pen.text(page, f"note {k}", x, foot, note, dx=9, dy=-1, after=name)
        elif said:
            pen.text(page, f"note {k}", x, foot, note.replace(" said", ":"), dy=-24)
    asks = "links are more\nthan chance?", "arrowheads can\nthe data vouch for?", "causes does\nthe table show?"
    for k, words in enumerate(asks if drawn else ()):
        x, y = (668, 132 + 128 * k) if wide else (14, 404 + 60 * k)
        pen.text(page, f"asks {k}", x, y, "How many" if wide or k == 0 else "", dy=48, color="muted")
        pen.text(page, f"ask {k}", x, y, "?")
        pen.text(page, f"question {k}", x + 36, y, words if wide else words.replace("\n", " "))
    if wide:
        pen.line(page, "divider", [634, 634], [20, 450], color="rule", width=1)


def _ruler(pen, page, wide, lots, made, gains, heads, shuffle):
    """The gains as ticks on a ruler, above what chance reached in 100 shuffled tables."""
    size, nat = (5.7, 7.85) if wide else (3.4, 8)

    def at(gain, side):  # rows of pixels
        gain, side = np.broadcast_arrays(nat * np.asarray(gain), side)
        return np.column_stack([668 + side, 390 - gain] if wide else [54 + gain, 424 - side])

    bins = np.rint(nat * lots / size)
    beside = size * np.array([(bins[:k] == each).sum() for k, each in enumerate(bins)])
    beside = beside * min(1, 190 / beside.max()) if wide else beside
    low, high, edge = lots.min() - 1, lots.max() + 0.45, 210 if wide else beside.max() + 5
    pen.area(page, "band", at([low, high, high, low], [-10, -10, edge, edge]), color="mist")
    pen.points(page, "chance", *at(lots, beside + 13 * wide).T, size=size - 0.6)
    pen.line(page, "ruler", *at([low, 40.8 if wide else 39], 0).T)
    if wide:
        pen.text(page, "heading", 658, 34, "Gain of each link", size=HEAD, bold=True)
        pen.text(page, "note nats", 658, 56, "in nats, price paid")
        words = f"best link of 100\nshuffled tables: up to {lots.max():.2f}"
        pen.text(page, "note chance", 878, 432 - nat * low, words, ha="right")
        pen.text(page, "note zero", 655, 395, "0", ha="right")
    else:
        pen.text(page, "note chance", 24, 450, f"100 shuffles: up to {lots.max():.2f}")
        pen.text(page, "note axis", 366, 450, "gain in BIC", ha="right")

    # Labels as near to their ticks as they can stand, in places that do not depend on the step
    order = sorted(gains, reverse=True)
    places, rows = 390 - nat * np.array(order), 21 * np.arange(len(order))
    for _ in range(100):
        for k in np.flatnonzero(np.diff(places) < 21 - 1e-6):
            places[k : k + 2] = places[k : k + 2].mean() + [-10.5, 10.5]
        places = np.minimum(np.maximum(places, 78 + rows), 375 - nat * lots.max() - rows[::-1])
    for arrow, gain in made:
        if arrow is None:
            continue
        key, on, ends = "/".join(sorted(arrow)), arrow in heads, at(gain, [-9, 9] if wide else [4, 30])
        pen.line(page, f"tick {key}", *ends.T, color="muted" if shuffle else "belief" if on else "prior")
        if wide:
            y = places[order.index(gain)]
            pen.line(page, f"leader {key}", [679, 689, 695], [ends[0, 1], y, y], color="rule", width=1)
            pen.text(page, f"gain {key}", 732, y, f"{gain:.1f}", ha="right")
            look = {"color": "belief" if on and not shuffle else "muted", "bold": gain == made[-1][1]}
            pen.text(page, f"name {key}", 740, y, f"{arrow[0]} {'→' if on else '–'} {arrow[1]}", **look)
        elif gain == order[0]:
            pen.text(page, f"gain {key}", ends[0, 0] + 6, 374, f"{gain:.1f}", ha="right")


# All drawings of three columns: a column for each kind, as high as it scores, a wash for those with one claim

THREE = ("Sex", "Scan", "Disease")
CORNERS = dict(zip(THREE, ((-0.345, 0.27), (0, -0.3), (0.345, 0.27))))  # of a drawing one unit wide
KINDS = {"no link": 1, "one link": 2, "chain or fork": 3, "collider": 1, "all linked": 3}  # and how many stand abreast


@cache
def _wall():
    """Every drawing as (arrows, family), and of each family (kind, score, claim, members), the best first."""
    scores = FamilyScores.from_data(HEARTS[list(THREE)])
    drawings, families = list(graph.every_graph(THREE)), []
    drawings.sort(key=lambda parents: -round(sum(scores(v, parents[v]) for v in THREE), 6))
    for number, parents in enumerate(drawings):
        same = next((each for each in families if graph.equivalent(drawings[each[0]], parents)), None)
        same.append(number) if same else families.append([number])
    arrows = [frozenset((a, b) for b in THREE for a in parents[b]) for parents in drawings]
    told = []
    for members in families:
        parents, links = drawings[members[0]], arrows[members[0]]
        middle = next((v for v in THREE if len(links) == 2 and all(v in arrow for arrow in links)), None)
        ends = " and ".join(v for v in THREE if v != middle)
        alone = next((v for v in THREE if not any(v in arrow for arrow in links)), None)
        kind, claim = {
            0: ("no link", "all three are\nindependent"),
            1: ("one link", f"{alone} is independent\nof the two others"),
            2: ("chain or fork", f"given {middle},\n{ends}\nare independent"),
            3: ("all linked", "claims no\nindependence"),
        }[len(links)]
        if graph.colliders(parents):
            kind, claim = "collider", f"{ends}\nare independent"
        told.append((kind, sum(scores(v, parents[v]) for v in THREE), claim, members))
    return [(each, next(k for k, family in enumerate(families) if n in family)) for n, each in enumerate(arrows)], told


def _turned(held, arrow):
    """The drawing with this arrow turned; None if that closes a circle."""
    wanted = (_wall()[0][held][0] - {arrow}) | {arrow[::-1]}
    return next((n for n, (arrows, _) in enumerate(_wall()[0]) if arrows == wanted), None)


def _hold(values, name):
    kind, which = name.split()
    if kind == "pick":
        return {"held": int(which)}
    after = _turned(values["held"], tuple(which.split("/")))
    return {} if after is None else {"held": after}


def _mini(arrows, x, y, size, head):
    """The arrows of a drawing as polygons, around a place."""
    at, outlines = {v: np.array([x, y]) + size * np.array(corner) for v, corner in CORNERS.items()}, []
    for a, b in sorted(arrows):
        away = (at[b] - at[a]) / np.hypot(*(at[b] - at[a]))
        side, start, tip = np.array([-away[1], away[0]]), at[a] + 0.09 * size * away, at[b] - 0.09 * size * away
        neck, thin, thick = tip - head * away, 0.12 * head * side, 0.48 * head * side
        outlines.append(
            np.array([start + thin, neck + thin, neck + thick, tip, neck - thick, neck - thin, start - thin])
        )
    return np.array(list(at.values())), outlines


@figure(
    (0, 0, 900, 480),
    size=(900, 480),
    narrow=((390, 590), (0, 0, 390, 590)),
    controls={"held": State(0)},
    presets={"a chain": {"held": 0}, "a collider": {"held": 12}, "all linked": {"held": 3}},
    click=_hold,
    keys={**steer.along("held", list(range(25))), "t": lambda values: _next_turn(values)},
    help="Click a drawing to hold it, click one of its arrows to turn it; left and right arrows go through all, T turns an arrow.",
    looks={
        "drawing": {"edge": None, "width": 0, "z": 4},
        "pick": {"color": None, "edge": None, "width": 0, "z": 6},
        "arrows": {"z": 4.1},
        "family": {"z": 1},
        "rule": {"color": "rule", "width": 1, "z": 0.5},
        "scale": {"color": "muted", "size": SMALL},
        "hand": {"edge": None, "width": 0, "color": "ink", "size": 11},
        "turn": {"color": "ink"},
        "corner": {"bold": True, "ha": "center"},
        "score": {"color": "evidence_text", "size": HERO, "bold": True},
        "asks": {"color": "sediment", "size": 90, "bold": True, "ha": "center", "va": "center"},
        "told": {"bold": True, "size": SMALL},
    },
)
def graph_wall(pen, page, held):
    """25 drawings of three columns, as high as they score: turning an arrow stays in the family, or falls out of it."""
    wide, (drawings, families) = pen.size[0] > 560, _wall()
    (arrows, home), size = drawings[held], 48 if wide else 32
    scores = [score for _, score, _, _ in families]
    top, bottom = (128, 440) if wide else (96, 340)
    spots, boxes, lefts = (
        {},
        {},
        dict(zip(KINDS, np.cumsum([70 if wide else 17, *(n * size + (14 if wide else 9) for n in KINDS.values())]))),
    )

    def height(score):
        return top + (scores[0] - score) / (scores[0] - scores[-1]) * (bottom - top)

    for n, (kind, score, _, members) in enumerate(families):
        abreast = min(KINDS[kind], len(members))
        high, y = -(-len(members) // abreast) * (size - 4), height(score)
        boxes[n] = (lefts[kind], y - high / 2, abreast * size, high)
        for k, member in enumerate(members):
            spots[member] = lefts[kind] + size * (k % abreast + 0.5), y - high / 2 + (size - 4) * (k // abreast + 0.5)
    right = lefts["all linked"] + 3 * size
    if pen.waiting:  # a heap, in no order
        left, across, up = (70, 105, 80) if wide else (46, 74, 62)
        heap = np.random.default_rng(9).permutation(25)
        spots = {
            n: (left + across * (k % 5), (110 if wide else 90) + up * (k // 5)) for k, n in enumerate(heap.tolist())
        }
    turns = {} if pen.waiting else {arrow: _turned(held, arrow) for arrow in sorted(arrows)}

    # The wall
    for n, (x, y, width, high) in boxes.items() if not pen.waiting else ():
        pen.bar(page, f"family {n}", x + 1, y + 1, width - 2, high - 2, color="evidence_tint" if n == home else "mist")
    for n, (each, family) in enumerate(drawings):
        near = not pen.waiting and (family == home or n in turns.values())
        ink = "ink" if n == held and not pen.waiting or near else "muted"
        corners, outlines = _mini(each, *spots[n], size, 9 if wide else 7)
        dot = (7 if wide else 5) + 2 * (n == held and not pen.waiting)
        pen.points(page, f"drawing {n}", *corners.T, color=ink, size=dot)
        x, y = spots[n]
        pen.points(page, f"pick {n}", [x], [y], size=0.9 * size, click=f"hold the drawing {_arrows(each)}")
        pen.area(page, f"arrows {n}", *outlines, color=ink)
    edge, base = (22, 42) if wide else (17, 34)
    pen.text(page, "head", edge, base, "25 drawings", size=HEAD, bold=True)
    clause = "of the same three columns" if pen.waiting else "11 families, one score each" if wide else "11 families"
    pen.text(page, "clause", edge, base, clause, dx=10, after="head", color="muted", size=LABEL if wide else SMALL)
    if wide:
        pen.line(page, "rule divider", [right + 22] * 2, [26, 456])
    if pen.waiting:
        pen.text(
            page, "hand head", *((right + 44, 42) if wide else (206, 420)), "How many scores?", size=HEAD, bold=True
        )
        _corners(pen, page, wide, right, ())
        pen.text(page, "asks", *(((right + 922) / 2, 300) if wide else (92, 498)), "?", size=90 if wide else HERO)
        return "Three columns, 25 drawings. How many scores?"
    for score in (-600, -620, -640, -660):
        y = height(score)
        if wide:
            pen.text(page, f"scale {score}", 60, y, f"−{-score}", ha="right", va="center")
            pen.line(page, f"rule {score}", [70, right], [y, y])
        elif score < -600:
            pen.text(page, f"scale {score}", 373, y - 5, ("BIC " if score == -620 else "") + f"−{-score}", ha="right")
            pen.line(page, f"rule {score}", [17, 373], [y, y])
    if wide:
        pen.text(page, "scale BIC", 22, 80, "BIC")
        for kind, n in KINDS.items():
            pen.text(page, f"scale {kind.replace(' ', '-')}", lefts[kind] + n * size / 2, 80, kind, ha="center")

    # The drawing that is held, and where each of its turns leads
    kind, score, claim, members = families[home]
    outlines, left = _corners(pen, page, wide, right, arrows), right + 44 if wide else 190
    pen.text(page, "hand head", left, 42 if wide else 402, "In your hand", size=HEAD, bold=True)
    pen.text(page, "score", left, 98 if wide else 434, f"−{-score:.1f}", size=HERO if wide else NUMBER)
    claim = claim.replace("\n", " ", 1) if wide and claim.count("\n") > 1 else claim
    pen.text(page, "claim", left, 126 if wide else 450, claim, va="top", color="muted", size=SMALL)
    told = []
    for k, (arrow, n) in enumerate(turns.items()):
        key, change = "/".join(arrow), None if n is None else families[drawings[n][1]][1] - score
        says = "a circle" if n is None else "stays" if drawings[n][1] == home else f"{change:+.1f}".replace("-", "−")
        told.append(f" Turn {arrow[0]} → {arrow[1]}: {says}.")
        pen.area(page, f"turn {key}", outlines[k], click=f"turn {arrow[0]} → {arrow[1]}: {says}")
        at = (left, 414 + 22 * k) if wide else (left, 538 + 21 * k)
        pen.text(
            page,
            f"way {key}",
            *at,
            f"turn {arrow[0]} → {arrow[1]}:" if wide else f"{arrow[0]} → {arrow[1]}:",
            color="muted",
            size=SMALL,
        )
        pen.text(
            page,
            f"told {key}",
            *at,
            says if wide else says.removeprefix("a "),
            dx=6,
            after=f"way {key}",
            color="best" if says == "stays" else "ink",
        )
        if n is not None:
            _lead(pen, page, key, np.array(spots[held]), np.array(spots[n]), size, drawings[n][1] != home)
    same, claim = _counted(len(members), "drawing"), " ".join(claim.split())
    return f"{_arrows(arrows)}: BIC {score:.3f}, shared by {same}; {claim}.{''.join(told)}"


def _corners(pen, page, wide, right, arrows):
    """The three names, large; returns the arrows between them."""
    corners, outlines = _mini(arrows, *(((right + 922) / 2, 296, 210) if wide else (92, 488, 150)), 15)
    pen.points(page, "hand", *corners.T)
    for v, (x, y) in zip(THREE, corners):
        pen.text(page, f"corner {v}", x, y, v, dy=13 if v == "Scan" else -27, size=LABEL if wide else SMALL)
    return outlines


def _arrows(arrows):
    return ", ".join(f"{a} → {b}" for a, b in sorted(arrows)) or "no arrows"


def _lead(pen, page, key, start, end, size, far):
    """A bow from the drawing that is held to the one that a turn leads to."""
    down = np.array([0, size * 0.5 * (1 if far and end[1] > start[1] else -1)])
    start, end = start + down, end - down if far else end + down
    top = (start + end) / 2 + (np.array([size * 0.5, 0]) * (np.sign(end[0] - start[0]) or 1) if far else 1.2 * down)
    u = np.linspace(0, 1, 13)[:, None]
    bow = (1 - u) ** 2 * start + 2 * u * (1 - u) * top + u**2 * end
    pen.line(page, f"lead {key}", *bow.T, color="ink", width=1.8, z=5)
    pen.points(page, f"lands {key}", *end[:, None], color="ink", size=8, edge="paper", width=1, z=6)


def _next_turn(values):
    """The first arrow of the held drawing that can be turned."""
    turns = [_turned(values["held"], arrow) for arrow in sorted(_wall()[0][values["held"]][0])]
    return next(({"held": n} for n in turns if n is not None), {})


# What an arrow gains and what it pays, from ten patients to all of them

ORDERS = 2000  # random orders of the patients, each with a shuffle of its own
PATIENTS = np.arange(10, len(HEARTS) + 1)


@cache
def _gains():
    """What Scan → Disease gains in fit with the first n patients of each order, with the scan as it is and shuffled.

    Of both all gains, their mean, and the outline of the middle 80%.
    """
    scan, ill = (np.unique(HEARTS[name], return_inverse=True)[1] for name in ("Scan", "Disease"))
    random, found = np.random.default_rng(0), []
    for shuffled in (False, True):
        orders = np.array([random.permutation(len(ill)) for _ in range(ORDERS)])
        scans = scan[random.permuted(orders, axis=1) if shuffled else orders]
        cells = np.eye(6)[2 * scans + ill[orders]].cumsum(axis=1)[:, PATIENTS - 1].reshape(ORDERS, -1, 3, 2)
        counts = cells.reshape(ORDERS, -1, 6), cells.sum(axis=3), cells.sum(axis=2)
        joint, rows, columns = ((n * np.log(n + (n == 0))).sum(axis=-1) for n in counts)
        gains = joint - rows - columns + PATIENTS * np.log(PATIENTS)
        low, high = np.quantile(gains, (0.1, 0.9), axis=0)
        outline = np.r_[np.c_[PATIENTS, low][::6], np.c_[PATIENTS, high][::-6]]
        found.append((gains, gains.mean(axis=0), outline))
    return found


@figure(
    (60, 76, 560, 300),
    (664, 40, 214, 360),
    size=(900, 440),
    narrow=((390, 600), (44, 76, 326, 280), (14, 430, 358, 160)),
    controls={"patients": Slider("patients", 10, len(HEARTS), len(HEARTS)), "number": State(0)},
    presets={"75 patients": {"patients": 75, "number": 0}, "all 297": {"patients": len(HEARTS), "number": 0}},
    actions={"another draw": lambda values: {"number": (values["number"] + 1) % ORDERS}},
    drag={"now": ("patients", None)},
    keys=steer.by("patients", 5),
    help="Drag the ring, or press left and right arrows, to take fewer patients.",
    main=("patients",),
    looks={
        "title": {"size": HEAD, "bold": True},
        "clause": {"color": "muted"},
        "spread": {"color": "evidence_wash"},
        "noise": {"color": "rule"},
        "label": {"ha": "right", "halo": "paper"},
        "one": {"width": 1.4, "z": 2.4},
        "mean": {"z": 2.6},
        "price": {"color": "ink", "z": 2.7},
        "at": {"color": "muted", "width": 1, "z": 1.6},
        "now": {"color": "paper", "edge": "ink", "width": 2.2, "size": 13, "z": 6, "grab": "the number of patients"},
        "you": {"color": "paper", "edge": "prior", "width": 2.4, "size": 11, "z": 5},
        "value": {"bold": True},
        "what": {"color": "muted", "size": SMALL},
    },
)
def gain_and_price(pen, plot, side, patients, number):
    """What the arrow Scan → Disease gains and pays: the signal grows with the patients, chance does not."""
    wide, covered, k, price = pen.size[0] > 560, pen.waiting, patients - PATIENTS[0], np.log(PATIENTS)  # 2 × ½ ln n
    (real, mean, band), (chance, level, noise) = _gains()
    pen.axes(plot, (0, 300), (0, 48), xticks=[75, 150, 225, 297], yticks=[20, 40], xname="patients", yname="nats")
    clause = "as patients come in" if covered else "the signal grows, " * wide + "chance stays"
    pen.text(plot, "title", 0, 48, "Scan → Disease", dx=(22 if wide else 14) - plot.box[0], dy=44)
    pen.text(plot, "clause", 0, 48, clause, dx=10, dy=44, after="title", size=LABEL if wide else SMALL)
    pen.area(plot, "spread", band)
    pen.line(plot, "mean real", PATIENTS[::7], mean[::7], color="evidence")
    pen.text(plot, "label real", 172, mean[162], "the arrow", dx=-10, dy=10, color="evidence_text")
    if not covered:
        pen.area(plot, "noise", noise)
        pen.line(plot, "mean chance", PATIENTS[::7], level[::7], color="muted")
        pen.line(plot, "one real", PATIENTS[::7], real[number][::7], color="evidence")
        pen.line(plot, "one chance", PATIENTS[::7], chance[number][::7], color="muted")
        pen.line(plot, "price", PATIENTS[::7], price[::7])
        pen.text(plot, "label price", 284, price[-1], "price", dy=8)
        pen.text(plot, "label chance", 296, 2.7 if wide else 2.2, "a shuffled scan", size=SMALL, color="muted")
        pen.line(plot, "at", [patients] * 2, [0, mean[k]])
        pen.points(plot, "now", [patients], [0])

    # The three numbers, in the order in which they stand in the plot
    rows = ["the arrow gains", "two numbers pay", "a shuffled scan gains"], ["evidence_text", "ink", "muted"]
    for row, (words, ink, value) in enumerate(zip(*rows, (mean[k], price[k], level[k]))):
        x, y = (0, 40 + 92 * row) if wide else ((0, 176, 0)[row], (14, 14, 88)[row])
        size, told = (NUMBER, y + 34) if row < 2 else (HERO, y + 48)
        if not (covered and row == 1):
            pen.text(side, f"what {row}", x, y, words)
            said = "?" if covered and row else f"{value:.2f}"
            pen.text(side, f"value {row}", x, told, said, size=size, color="muted" if said == "?" else ink)
    if pen.guess is not None:
        pen.points(plot, "you", [75, 297], pen.guess)
        x, y = (0, 316) if wide else (150, 136)
        pen.text(side, "what you", x, y, f"{pen.reader} said {pen.guess[0]} and {pen.guess[1]}")
    if covered:
        return (
            f"Scan → Disease gains {mean[65]:.1f} nats with 75 patients and {mean[-1]:.1f} with all {len(HEARTS)}. "
            "And a shuffled scan?"
        )
    return (
        f"{patients} patients: Scan → Disease gains {mean[k]:.2f} nats of fit, a shuffled scan {level[k]:.2f}, averages of "
        f"{ORDERS} draws; this draw {real[number][k]:.2f} and {chance[number][k]:.2f}. Two numbers cost {price[k]:.2f}."
    )


# Five students: each row goes to one line of every table, and each table has its part of the log-likelihood

STUDENTS = ("studies", "attends", "knows", "exam", "homework")
ABOVE = {"studies": (), "attends": (), "knows": ("studies", "attends"), "exam": ("knows",), "homework": ("knows",)}
CELLS = "".join(str(cell) for row in tables.load_student().to_numpy().tolist() for cell in row)
INKS, KEYS = {"1": "ink", "0": "paper"}, {"1": "muted", "0": "paper"}  # yes and no
LONGEST = 5 * np.log(2)  # nats: five rows, half and half
TABLES = {  # left and top of each table
    "wide": dict(studies=(440, 40), attends=(674, 40), knows=(557, 150), exam=(440, 326), homework=(674, 326)),
    "narrow": dict(studies=(16, 344), attends=(206, 344), knows=(111, 448), exam=(16, 622), homework=(206, 622)),
}


def _counts(rows):
    """Of each table and line the rows that fall on it, and each table's part of the log-likelihood."""
    piles = {
        v: {
            states: [k for k, row in enumerate(rows) if all(row[p] == x for p, x in zip(above, states))]
            for states in product("01", repeat=len(above))
        }
        for v, above in ABOVE.items()
    }
    parts = {}
    for v, lines in piles.items():
        cells = [[sum(rows[k][v] == x for k in pile) for x in "01"] for pile in lines.values()]
        parts[v] = sum(n * np.log(n / sum(line)) for line in cells for n in line if n)
    return piles, parts


def _flip(values, name):
    at = int(name.split()[1])
    cells = values["cells"]
    return {"cells": cells[:at] + "10"[int(cells[at])] + cells[at + 1 :]}


@player(
    (0, 0, 900, 440),
    size=(900, 440),
    narrow=((390, 712), (0, 0, 390, 712)),
    history=range(6),
    step="last",
    pace=600,
    interval=1500,
    controls={"cells": State(CELLS)},
    presets={
        "row 2 corrected": {"cells": CELLS[:7] + "1" + CELLS[8:], "step": 5},
        "as recorded": {"cells": CELLS, "step": 5},
    },
    click=_flip,
    help="Arrows send the rows to the tables one by one; click a cell of a row to change it.",
    looks={
        "cell": {"shape": "s", "edge": "ink", "width": 1.6, "size": 22, "z": 3},
        "token": {"shape": "s", "edge": "ink", "width": 1.4, "size": 15, "z": 2.9},
        "key": {"shape": "s", "edge": "muted", "width": 1.2, "size": 9, "z": 3},
        "column": {"size": SMALL, "color": "muted", "ha": "center"},
        "row": {"size": SMALL, "color": "muted", "va": "center"},
        "table": {"bold": True},
        "part": {"bold": True, "color": "evidence_text", "ha": "right"},
        "track": {"color": "mist"},
        "was": {"color": "evidence_tint"},
        "bar": {"color": "evidence", "z": 1.2, "grow": "x"},
        "share": {"size": SMALL, "va": "center", "ha": "right"},
        "sum": {"color": "evidence_text", "size": HERO, "bold": True},
        "what": {"color": "muted", "size": SMALL},
        "rule": {"color": "rule", "width": 1},
    },
)
def rows_and_tables(pen, page, step, cells):
    """Five rows go to their lines of five tables; click a cell, and see whose part of the log-likelihood moves."""
    wide = pen.size[0] > 560
    rows = [dict(zip(STUDENTS, cells[k : k + 5])) for k in range(0, 25, 5)]
    piles, parts = _counts(rows[:step])
    given = _counts([dict(zip(STUDENTS, CELLS[k : k + 5])) for k in range(0, step * 5, 5)])[1]
    left, top, across, down = (66, 112, 74, 46) if wide else (52, 84, 70, 38)
    pen.text(page, "title", *((22, 34) if wide else (14, 28)), "Five students", size=HEAD, bold=True)
    pen.text(page, "what head", *((22, 34) if wide else (14, 28)), "■ yes   □ no", dx=12, after="title")
    for n, (cell, was) in enumerate(zip(cells, CELLS)):
        k, j = divmod(n, 5)
        x, y, v = left + across * j, top + down * k, STUDENTS[j]
        pen.text(page, f"column {v}", x, top - 28, v)
        pen.text(page, f"row {k}", left - (49 if wide else 37), y, f"{k + 1}")
        does = f"row {k + 1}, {v}: {'yes' if cell == '1' else 'no'}, change it"
        look = {"edge": "evidence", "width": 3.2} if cell != was else {"edge": "ink", "width": 1.6}
        pen.points(page, f"cell {n}", [x], [y], color=INKS[cell], click=does, **look)
        if k >= step:  # still on its card
            pen.points(page, f"token {n}", [x], [y], color=INKS[cell])

    # The tables: a line for each combination of the parents' states
    pitch, width, small, places = (24, 204, LABEL, TABLES["wide"]) if wide else (22, 168, SMALL, TABLES["narrow"])
    for v, (x, y) in places.items():
        for parent in ABOVE[v]:
            start, top = places[parent]
            side, low = np.sign(x - start), top + 26 + pitch * len(piles[parent]) + 4 * (parent == "knows")
            start += width / 2 + (60 if parent == "knows" else 30) * side
            pen.arrow(page, f"arrow {parent}/{v}", (start, low), (x + width / 2 - 60 * side, y - 22), color="sediment")
        pen.text(page, f"table {v}", x, y, v, size=LABEL)
        pen.text(page, f"part {v}", x + width, y, _minus(f"{parts[v]:.3f}") if step else "", size=small)
        pen.bar(page, f"track {v}", x, y + 8, width, 6)
        pen.bar(page, f"was {v}", x, y + 8, width * -given[v] / LONGEST, 6)
        pen.bar(page, f"bar {v}", x, y + 8, width * -parts[v] / LONGEST, 6)
        for line, (states, pile) in enumerate(piles[v].items()):
            at, first = y + 34 + pitch * line, x + 8 + 13 * len(states) + 8 * bool(states)
            for j, state in enumerate(states):
                pen.points(page, f"key {v}/{line}/{j}", [x + 5 + 13 * j], [at], color=KEYS[state])
            hits = sum(rows[k][v] == "1" for k in pile)
            pen.text(page, f"share {v}/{line}", x + width, at, f"{hits}/{len(pile)}" if pile else "–")
            for place, k in enumerate(sorted(pile, key=lambda k: (rows[k][v] == "0", k))):
                token = f"token {5 * k + STUDENTS.index(v)}"
                pen.points(page, token, [first + 22 * place], [at], color=INKS[rows[k][v]])
    total, moved = sum(parts.values()), [v for v in STUDENTS if abs(parts[v] - given[v]) > 1e-9]
    x, y, size = (22, 404, HERO) if wide else (16, 296, NUMBER)
    pen.text(page, "sum", x - 2, y, _minus(f"{total:.3f}") if step else "0", size=size)
    words = "log-likelihood,\nfive parts together" if wide else "log-likelihood, five parts"
    pen.text(page, "what sum", x, y, words, dx=12, after="sum")
    if wide:
        pen.line(page, "rule divider", [412, 412], [20, 420])
    changed = sum(a != b for a, b in zip(cells, CELLS))
    told = ", ".join(f"{v} {each:.3f}" for v, each in parts.items())
    ends = f" Changed: {_counted(changed, 'cell')}. Moved: {', '.join(moved) or 'nothing'}." if changed else ""
    if step < 5:
        return f"{step} of five rows counted. Parts of the log-likelihood: {told}; sum {total:.3f}.{ends}"
    return f"Five rows, five tables, five parts of the log-likelihood: {told}; sum {total:.3f}.{ends}"
