"""The live figures of section 04, Bayes-optimal and Gibbs classifiers."""

from functools import cache
from itertools import product

import numpy as np

from bayeslib.data import load_titanic
from bayeslib.figures import steer, user_data
from bayeslib.figures.drawn import Choice, Slider, State, Stops, Text, figure, player
from bayeslib.figures.theme import HEAD, HERO, LABEL, NUMBER, SMALL
from bayeslib.models import concepts

TIE = 1e-9
WAYS = {"vote": "vote", "MAP": "best rule", "Gibbs": "random rule"}  # what the books call them, and what we do
TONES = {"vote": "belief", "MAP": "ink", "Gibbs": "muted"}


def _mark(pen, panel, name, way, x, y, size=15):
    """The vote is a dot, the best rule a ring, a random rule a small grey dot."""
    looks = {
        "vote": {"color": "belief", "edge": "paper", "width": 2.2, "size": size},
        "MAP": {"color": "paper", "edge": "ink", "width": 2.6, "size": size - 1},
        "Gibbs": {"color": "muted", "edge": "paper", "width": 2.2, "size": size - 2},
    }
    pen.points(panel, name, [x], [y], **looks[way])


# Hypotheses as discs that melt into two glasses; a disc's area is its weight, and the liquid keeps it

DRAW = 53  # the draw of twenty that text, code and figures share
LAST = 8  # rules with more errors than this share one heap
CUT = ["h₁a", "h₁b", "h₂", "h₃"]
WIDE = dict(glass=(226, 204), left=(196, 478), foot=460, few=131, most=77, ends=(27, 873), corner=16)
WIDE |= dict(rows=((122, (0, 1, 2, 3, 4)),), lines=(1, 2, 4, 4, 4))
NARROW = dict(glass=(146, 172), left=(22, 222), foot=508, few=146, most=60, ends=(27, 363), corner=12)
NARROW |= dict(rows=((96, (0, 1)), (212, (2, 3, 4))), lines=(1, 2, 3, 4, 4))


@cache
def _titanic():
    """Kinds of people, how many of each died and survived, the 46 rules, and what each says, in the order of the lesson's code."""
    table = load_titanic().pivot_table("people", ["status", "age", "sex"], "survived", fill_value=0)
    rules = [*product(("?", "first", "second", "third", "crew"), ("?", "adult", "child"), ("?", "female", "male"))]
    says = [[all(part in ("?", have) for part, have in zip(rule, kind)) for kind in table.index] for rule in rules]
    return list(table.index), table.to_numpy(int), [*rules, None], np.array([*says, [False] * len(table)])


@cache
def _trials(fates, size):
    """500 draws of so many people, and the rest."""
    _, counts, _, says = _titanic()
    return concepts.draw_trials(counts, size, 500, says if fates == "drawn" else None, 0.2, random_state=size)


@cache
def _her():
    """The 46 rules after draw 53, best first: weights, P(survived|h) of a woman in first class, names, numbers of errors."""
    kinds, _, rules, says = _titanic()
    seen = _trials("real", 20)[0][DRAW - 1]
    wrong = says @ seen[:, 0] + ~says @ seen[:, 1]
    order, weight = np.argsort(wrong, kind="stable"), 0.25**wrong
    names = [" ".join(part for part in rules[h] or ["nobody"] if part != "?") for h in order]
    return (weight / weight.sum())[order], says[order, 2].astype(float), names, wrong[order]


def _hypotheses(w1, w2, w3, q1, q2, q3, whose):
    """Weights, P(first label|h), names, errors or None, and the two labels. A slider that moves leads back from her to the three."""
    if whose == "her" and (w1, w2, w3, q1, q2, q3) == (40, 30, 30, 100, 0, 0):
        return *_her(), ("survived", "died")
    weight, q, names = np.array([w1, w2, w3]) / (w1 + w2 + w3), np.array([q1, q2, q3]) / 100, ["h₁", "h₂", "h₃"]
    if whose == "cut in two":
        weight, q, names = np.r_[weight[0] / 2, weight[0] / 2, weight[1:]], q[[0, 0, 1, 2]], CUT
    return weight, q, names, None, ("+", "−")


def _stages(w1, w2, w3, q1, q2, q3, whose):
    """How many discs have been counted after each step: one by one, or heap by heap."""
    weight, _, _, wrong, _ = _hypotheses(w1, w2, w3, q1, q2, q3, whose)
    if wrong is None:
        return list(range(len(weight) + 1))
    return [0, *(int((wrong <= most).sum()) for most in range(wrong.min(), LAST + 1)), len(wrong)]


def _shelf(place, weight, wrong):
    """Where each disc waits and its radius, and of each heap (x, y, members): few in a row, many by their errors."""
    (wide, tall), (low, high), n = place["glass"], place["ends"], len(weight)
    radius = np.sqrt(weight * wide * tall / np.pi)
    if wrong is None:
        radius = radius * min(1, place["most"] / radius.max())  # a nearly certain one would not fit: all shrink alike
        gap = min(60, (high - low - 2 * radius.sum()) / (n - 1))
        if gap < 6:
            radius, gap = radius * (high - low - 8 * (n - 1)) / (2 * radius.sum()), 8
        left = (low + high - 2 * radius.sum() - gap * (n - 1)) / 2
        x = left + np.cumsum(2 * radius) - radius + gap * np.arange(n)
        return np.column_stack([x, np.full(n, place["few"])]), radius, []
    groups = [np.flatnonzero(np.minimum(wrong, LAST + 1) == errors) for errors in range(wrong.min(), LAST + 2)]
    at, heaps = np.zeros((n, 2)), []
    for y, chosen in place["rows"]:
        pitch = [radius[groups[j][0]] + (1.5 if j else 4) for j in chosen]
        columns = [-(-len(groups[j]) // place["lines"][j]) for j in chosen]
        free = high - low - 2 * np.dot(pitch, columns)
        gap = min(free / (len(chosen) - 1), 74)
        x = (low + high - (high - low - free) - gap * (len(chosen) - 1)) / 2
        for j, r, many in zip(chosen, pitch, columns):
            for k, i in enumerate(groups[j]):
                column, line = divmod(k, place["lines"][j])
                here = min(place["lines"][j], len(groups[j]) - column * place["lines"][j])
                at[i] = x + r + 2 * r * column, y + (2 * line - here + 1) * r
            heaps.append((x + r * many, y + radius[0] + 4, groups[j]))
            x += 2 * r * many + gap
    return at, radius, heaps


def _piece(share, left, corners):
    """The left or right part of a disc of radius 1 that an upright cut divides by this share, from its outermost point on."""
    low, high = -1.0, 1.0
    for _ in range(40):
        x = (low + high) / 2
        low, high = (x, high) if 0.5 + (x * np.sqrt(1 - x * x) + np.arcsin(x)) / np.pi < share else (low, x)
    reach = np.pi - np.arccos(x) if left else np.arccos(x)  # half of the arc that is kept
    turn = np.linspace(0, reach, corners // 2 + 1) if share % 1 else np.linspace(0, np.pi, corners // 2 + 1)
    upper = np.column_stack([-np.cos(turn), -np.sin(turn)]) * ((1, 1) if left else (-1, 1))
    return np.vstack([upper, (upper * (1, -1))[::-1][:-1]])


def _answer(share, labels):
    return "either, a tie" if abs(share - 0.5) < TIE else labels[int(share < 0.5)]


@player(
    (0, 0, 900, 480),
    size=(900, 480),
    narrow=((390, 560), (0, 0, 390, 560)),
    history=_stages,
    pace=600,
    interval=1000,
    controls={
        **{f"w{k}": Slider(f"weight of h{k}, in parts", 1, 100, w) for k, w in zip("123", (40, 30, 30))},
        **{f"q{k}": Slider(f"h{k} says + with (%)", 0, 100, q) for k, q in zip("123", (100, 0, 0))},
        "whose": State("three"),
    },
    presets={
        name: {"whose": whose, **dict(zip(("w1", "w2", "w3", "q1", "q2", "q3"), (40, 30, 30, *q))), "step": 0}
        for name, whose, q in (
            ("three", "three", (100, 0, 0)),
            ("cut in two", "cut in two", (100, 0, 0)),
            ("undecided", "three", (90, 40, 40)),
            ("her", "her", (100, 0, 0)),
        )
    },
    main=("w1", "q1"),
    unlocks={"04/cut-in-two": ["cut in two", "her"], "04/undecided": ["undecided", "q1", "q2", "q3"]},
    looks={
        "glass": {"color": "mist", "z": 0},
        "corner": {"color": "paper", "z": 4.5},
        "wall": {"color": "muted", "width": 2.2, "z": 5, "clip": False},
        "half": {"width": 1.6, "z": 5.5},
        "ring": {"color": None, "edge": "ink", "width": 2.4, "z": 4},
        "left": {"edge": None, "width": 0, "z": 0.8},
        "asked": {"size": 60, "bold": True, "color": "sediment", "ha": "center", "va": "center"},
        "heap": {"size": SMALL, "color": "muted", "ha": "center"},
        "name": {"size": HEAD, "bold": True, "ha": "center"},
        "layer": {"bold": True, "color": "paper", "ha": "center", "va": "center", "z": 6},
        "verdict": {"bold": True},
    },
)
def weighted_vote(pen, page, history, step, **values):
    """Hypotheses as discs, their area the weight, that fall into two glasses, one for each answer."""
    wide = pen.size[0] > 560
    place, counted = WIDE if wide else NARROW, history[step]
    weight, q, names, wrong, labels = _hypotheses(**values)
    (across, tall), foot, n, many = place["glass"], place["foot"], len(weight), wrong is not None
    at, radius, heaps = _shelf(place, weight, wrong)
    order = np.argsort(-weight, kind="stable")
    rank, done = np.argsort(order), counted == n
    ringed = np.flatnonzero(weight > weight.max() - TIE)
    roles, level, rim = ("case", "other"), [0.0, 0.0], foot - tall

    # The discs, the tints that they leave, and the layers that they become
    for i in order:
        fell, start = rank[i] < counted, max((each for each in history if each <= rank[i]), default=0)
        heap = next((each for each in history if each > rank[i]), n) - start
        wait, key = 0.5 * (rank[i] - start) / heap, i if many else names[i]
        corners = int(np.clip(2 * round(2.6 * np.sqrt(radius[i])), 8, 44))
        for side, share in enumerate((q[i], 1 - q[i])):
            if share <= 0:
                continue
            shape = at[i] + radius[i] * _piece(q[i], side == 0, corners)
            thick, low = tall * weight[i] * share, foot - tall * level[side]
            look = {"color": "belief", "edge": "prior" if share < 1 else None, "width": 1.2}
            if fell:
                pen.area(page, f"left {key}.{side}", shape, color=f"{roles[side]}_tint")
                x, middle = place["left"][side], low - thick / 2
                shape = [(x, middle), (x, low - thick), (x + across, low - thick), (x + across, low), (x, low)]
                look = {"color": roles[side], "edge": "paper", "width": round(min(1.5, 0.28 * thick), 2)}
                level[side] += weight[i] * share
                if thick > 22 and (not many or rank[i] == 0):
                    _layer_name(pen, page, f"{key}.{side}", x + across / 2, low, thick, foot - tall / 2, names[i])
            pen.area(page, f"disc {key}.{side}", shape, z=3, when=(round(wait, 2), round(wait + 0.5, 2)), **look)
    for i in ringed:
        pen.ellipse(page, f"ring {i if many else names[i]}", at[i], radius[i] + 4)

    # Words on the shelf
    ground = ["paper" if rank[i] >= counted else "ink" if 0 < q[i] < 1 else roles[int(q[i] < 0.5)] for i in range(n)]
    if many:
        pen.text(page, "name 0", *at[0], names[0], dy=-6, size=LABEL, color=ground[0])
        for k, (x, y, members) in enumerate(heaps):
            units = 4.0 ** (LAST - wrong[members])  # a rule with 8 errors is the unit of the sum by hand
            words = f"{wrong[members[0]]}" + " errors" * (k < 2 or not wide and k == 2) if k < 4 else "more"
            if rank[members[0]] < counted:
                words += f": {len(members)} × {units[0]:g}" if k < 4 else f": {units.sum():.1f}"
            half = pen.width(words, SMALL) / 2 + 12
            pen.text(page, f"heap {k}", np.clip(x, half, pen.size[0] - half), y + (24 if wide else 22 - 10 * (k > 1)), words)
    else:
        for i in range(n):
            small, large = radius[i] < 18, radius[i] > 30
            up = radius[i] + 10 if small else 4 if large else -6
            pen.text(page, f"name {names[i]}", *at[i], names[i], dy=up, color="ink" if small else ground[i])
            if large:
                pen.text(page, f"weight {names[i]}", *at[i], f"{weight[i]:.2g}", dy=-20, ha="center", color=ground[i])
            words = f"says {labels[int(q[i] < 0.5)]}" if q[i] in (0, 1) else f"{q[i]:.0%} {labels[0]}"
            role = "case" if q[i] > 0.5 else "other" if q[i] < 0.5 else "muted"
            y = at[:, 1].max() + radius.max() + 28
            pen.text(page, f"says {names[i]}", at[i][0], y, words, ha="center", color=role)

    # The glasses and the half-way line
    bend, r = np.linspace(0, np.pi / 2, 9), place["corner"]
    for side, x in enumerate(place["left"]):
        pen.bar(page, f"glass {side}", x, rim, across, tall)
        lower = np.column_stack([x + r - r * np.cos(bend), foot - r + r * np.sin(bend)])
        upper = np.column_stack([2 * x + across - lower[:, 0], lower[:, 1]])[::-1]
        for end, arc, out in (("a", lower, x - 2), ("b", upper[::-1], x + across + 2)):
            pen.area(page, f"corner {side}{end}", [*arc, (arc[-1][0], foot + 3), (out, foot + 3), (out, arc[0][1])])
        pen.line(page, f"wall {side}", *np.vstack([(x, rim), lower, upper, (x + across, rim)]).T)
        pen.line(page, f"half {side}", (x - 8, x + across + 8), (foot - tall / 2,) * 2)
        if pen.waiting:
            pen.text(page, f"asked {side}", x + across / 2, foot - tall / 4, "?")
    pen.text(page, "half", (place["left"][0] + across + place["left"][1]) / 2, foot - tall / 2, "half", va="center", ha="center", size=SMALL)

    # The head and, beside the glasses, what each has and who says so
    title = f"{n} rules about her" if many else f"{('Three', 'Four')[n == 4]} hypotheses"
    clause = "area: weight after twenty people; ringed: the best rule" if many else "area: weight; ringed: the best rule"
    pen.text(page, "head", 22, 40 if wide else 34, title, size=HEAD, bold=True)
    if wide:
        pen.text(page, "clause", 22, 40, clause, after="head", dx=10, color="muted")
    follows = [_answer(q[i], labels) for i in ringed]
    voted = _answer(level[0], labels) if done else ""
    for side, label in enumerate(labels):
        verdicts = [] if pen.waiting else ["MAP"] * any(each in (label, "either, a tie") for each in follows)
        verdicts += ["vote"] * (voted in (label, "either, a tie"))
        _tell(pen, page, place, side, label, level[side] if counted else None, voted == label, verdicts, many)
    return _told(weight, q, names, labels, level, counted, many, ringed)


def _layer_name(pen, page, mark, x, low, thick, line, name):
    """The name in a layer, if it has room beside the half-way line."""
    y = low - thick / 2
    if abs(y - line) < 15:
        y = min((line + 16, line - 16), key=lambda each: (not low - thick + 11 <= each <= low - 11, abs(each - y)))
    if low - thick + 10 <= y <= low - 10:
        pen.text(page, f"layer {mark}", x, y, name)


def _tell(pen, page, place, side, label, level, won, verdicts, many):
    """Beside a glass (on a phone over and under it): the answer, its weight, and who gives it."""
    (across, tall), foot, role = place["glass"], place["foot"], ("case", "other")[side]
    names = {"MAP": "best rule", "vote": "the vote"}
    if pen.size[0] > 560:
        x, way = (place["left"][0] - 20, -1) if side == 0 else (place["left"][1] + across + 20, 1)
        look, y = {"ha": "right" if side == 0 else "left", "bold": True}, foot - tall / 2
        pen.text(page, f"label {side}", x, y - 44, label, size=HEAD if many else NUMBER, color=role, **look)
        if level is not None:
            pen.text(page, f"level {side}", x, y + 6, f"{level:.2f}", size=HERO if won else NUMBER, color=role, **look)
        for k, who in enumerate(verdicts):
            _mark(pen, page, f"mark {who}.{side}", who, x + 7 * way, y + 38 + 27 * k, 14)
            pen.text(page, f"verdict {who}.{side}", x + 21 * way, y + 44 + 27 * k, names[who], color=TONES[who], **look)
        return
    x, y = place["left"][side], foot - tall
    pen.text(page, f"label {side}", x, y - 11, label, size=HEAD if many else NUMBER, color=role, bold=True)
    for k, who in enumerate(verdicts):
        left = x + 7 + 86 * k if many else x + 34
        _mark(pen, page, f"mark {who}.{side}", who, left, y - (41 if many else 12 + 22 * k), 14)
        pen.text(page, f"verdict {who}.{side}", left + 12, y - (35 if many else 6 + 22 * k), names[who], size=SMALL, color=TONES[who])
    if level is not None:
        pen.text(page, f"level {side}", x, foot + 36, f"{level:.2f}", size=NUMBER, color=role, bold=True)


def _told(weight, q, names, labels, level, counted, many, ringed):
    """The caption."""
    n = len(weight)
    if many and not counted:
        return (
            "46 rules after twenty people. The larger a disc, the better its rule fits. "
            "None has said anything yet about a woman in first class."
        )
    if many:
        says = f"{level[0]:.3f} of the weight says survived, {level[1]:.3f} says died"
        if counted < n:
            return f"{counted} of 46 rules counted: {says}."
        return f"All 46 rules counted: {says}. The best rule, {names[0]}, says she survived; the vote says she died."
    if not counted:
        each = ", ".join(f"{name} with weight {w:.4g} says + with {p:.4g}" for name, w, p in zip(names, weight, q))
        return f"{('Three', 'Four')[n == 4]} hypotheses: {each}. The largest is ringed."
    if counted < n:
        return f"{counted} of {n} counted: + has {level[0]:.4f}, − has {level[1]:.4f}."
    best = " and ".join(names[i] for i in ringed)
    answers = dict.fromkeys(_answer(q[i], labels) for i in ringed)
    sums = " + ".join(f"{w:.4g} × {p:.4g}" for w, p in zip(weight, q))
    return (
        f"P(+|D) = {sums} = {level[0]:.4f}, P(−|D) = {level[1]:.4f}: the vote says {_answer(level[0], labels)}. "
        f"The most probable, {best}: says {' or '.join(answers)}."
    )


# How often each way of answering errs


@figure(
    (58, 70, 560, 300),
    (690, 70, 190, 300),
    size=(900, 430),
    narrow=((390, 560), (44, 66, 330, 250), (20, 392, 354, 150)),
    controls={
        "p": Slider("P(+|D) in percent", 1, 99, 40),
        "truth": Choice("truth", (("drawn", "drawn"), ("always +", "+"), ("always −", "−")), "drawn"),
    },
    presets={
        "0.4, 0.3, 0.3": {"p": 40, "truth": "drawn"},
        "0.8 and 0.2": {"p": 80, "truth": "drawn"},
        "nearly sure": {"p": 99, "truth": "drawn"},
    },
    drag={"here": ("p", None)},
    keys=steer.by("p"),
    help="Drag the ring along the axis to change P(+|D); left and right arrows move it too.",
    looks={
        "band": {"color": "belief_wash", "z": 0.3},
        "twice": {"color": "prior", "width": 1.6, "z": 1.5},
        "here": {"color": "paper", "edge": "ink", "width": 2.2, "size": 13, "z": 6, "grab": "P(+|D)"},
        "stem": {"color": "rule", "width": 1.6, "z": 0.8},
        "name": {"bold": True, "halo": "paper"},
        "who": {"bold": True},
        "error": {"size": NUMBER, "bold": True},
        "asked": {"size": NUMBER, "bold": True, "color": "sediment"},
        "track": {"color": "mist"},
    },
)
def three_ways(pen, plot, column, p, truth):
    """The errors of the vote, the best rule and a random rule over P(+|D), for a drawn or a fixed truth."""
    wide, fixed, grid = pen.size[0] > 560, None if truth == "drawn" else truth, np.linspace(0, 1, 101)
    curves = concepts.error_over_p(grid, "+", fixed)
    error = {way: float(each) for way, each in concepts.error_over_p(p / 100, "+", fixed).items()}
    pen.axes(plot, (0, 1), (0, 1), xticks=(0, 0.5, 1), yticks=(0, 0.5, 1), xname="P(+|D)")
    pen.head(plot, "Three ways to answer", "how often each errs" if wide else "", y=24)
    pen.line(plot, "stem", (p / 100, p / 100), (0, max(error.values()) if not pen.waiting else 1))
    if not pen.waiting:
        if fixed is None:
            tent = np.minimum(grid, 1 - grid)
            double = np.minimum(2 * tent, 1)
            pen.area(plot, "band", np.column_stack([np.r_[grid, grid[::-1]], np.r_[tent, double[::-1]]]))
            pen.line(plot, "twice", grid, double)
            pen.text(plot, "twice says", 0.5, 1, "twice the vote", dx=10, dy=-22, size=SMALL, color="muted", ha="left")
        for way, x, dx, dy, ha in (("MAP", 0.2, 10, 6, "left"), ("Gibbs", 0.66, 10, 8, "left"), ("vote", 0.3, 12, -22, "left")):
            y, start = curves[way], int(way == "MAP")  # where nobody says +, no best rule does
            step = {"where": None} if way != "vote" or fixed is None else None
            xs, ys = (grid[start:], y[start:]) if step else _steps(grid, y)
            pen.line(plot, f"line {way}", xs, ys, color=TONES[way], z=2 + 0.1 * (way == "vote"))
            if fixed is None:
                at = float(np.interp(x, grid, y))
                pen.text(plot, f"name {way}", x, at, WAYS[way], dx=dx, dy=dy, ha=ha, color=TONES[way])
        for way in ("Gibbs", "MAP", "vote"):
            _mark(pen, plot, f"mark {way}", way, p / 100, error[way])
    pen.points(plot, "here", [p / 100], [0], clip=False)
    top, pitch = (34, 96) if wide else (24, 52)
    for k, (way, name) in enumerate((way, WAYS[way]) for way in ("MAP", "Gibbs", "vote")):
        y = top + pitch * k
        _mark(pen, column, f"key {way}", way, 8, y - 6)
        pen.text(column, f"who {way}", 24, y, name, color=TONES[way])
        x, down = (0, 34) if wide else (150, 2)
        if pen.waiting:
            pen.text(column, f"asked {way}", x, y + down, "?")
            continue
        pen.text(column, f"error {way}", x, y + down, f"{error[way]:.2f}" if error[way] in (0, 1) or p % 10 == 0 or way != "Gibbs" else f"{error[way]:.4f}", color=TONES[way])
        left, width = (84, 100) if wide else (240, 110)
        pen.bar(column, f"track {way}", left, y + down - 12, width, 6)
        pen.bar(column, f"bar {way}", left, y + down - 12, width * error[way], 6, color=TONES[way])
    if pen.waiting:
        return f"Error over the probability of +. We stand at {p / 100:.2f}. Where do the three ways stand?"
    how = "drawn with the weights" if fixed is None else f"always {fixed}"
    vote, random = error["vote"], error["Gibbs"]
    ratio = f"{random / vote:.2f} times as often as the vote" if vote else "while the vote never errs"
    return (
        f"P(+|D) = {p / 100:.2f}, the truth is {how}. The best rule says + and errs with probability {error['MAP']:.2f}, "
        f"the vote with {vote:.2f}, a random rule with {random:.4f}, {ratio}."
    )


# Costs


@figure(
    (58, 84, 560, 256),
    (690, 84, 190, 300),
    size=(900, 446),
    narrow=((390, 600), (44, 70, 330, 240), (20, 432, 354, 150)),
    controls={
        "p": Slider("P(saved|D) in percent", 0, 100, 40),
        "saved": Slider("a false saved costs", 1, 12, 6),
        "lost": Slider("a false lost costs", 1, 12, 1),
        "wait": Choice("no news yet", (("not allowed", False), ("costs 0.5", True)), False),
    },
    main=("saved", "lost"),
    unlocks={"04/telegram": []},
    drag={"here": ("p", None)},
    keys=steer.by("p"),
    help="Drag the ring along the axis to change P(saved|D); left and right arrows move it too.",
    looks={
        "here": {"color": "paper", "edge": "ink", "width": 2.2, "size": 13, "z": 6, "grab": "P(saved|D)"},
        "stem": {"color": "rule", "width": 1.6, "z": 0.8},
        "cost": {"width": 1.8, "z": 2},
        "least": {"color": "ink", "width": 3.4, "z": 2.5},
        "name": {"bold": True, "halo": "paper"},
        "says": {"clip": False},
        "word": {"bold": True, "size": SMALL, "ha": "center", "va": "center"},
        "border": {"bold": True, "ha": "center"},
        "who": {"bold": True},
        "value": {"size": NUMBER, "bold": True},
        "asked": {"size": 90, "bold": True, "color": "sediment", "ha": "center", "va": "center"},
        "track": {"color": "mist"},
    },
)
def costly_errors(pen, plot, column, p, saved, lost, wait):
    """What each word costs on average over P(saved|D), and below the axis the cheapest word."""
    costs = {"lost": {"saved": lost, "lost": 0}, "saved": {"saved": 0, "lost": saved}}
    if wait:
        costs["no news yet"] = {"saved": 0.5, "lost": 0.5}
    roles, wide, top = {"lost": "other", "saved": "case", "no news yet": "best"}, pen.size[0] > 560, max(saved, lost)
    at = {word: np.array([each["lost"], each["saved"]], float) for word, each in costs.items()}  # at p = 0 and at p = 1
    pen.axes(plot, (0, 1), (0, 1), yname="expected cost")
    strip = -30 / plot.box[3]
    edges = sorted({0.0, 1.0, *_crossings(at)})
    for x in (0, 0.5, 1):
        pen.text(plot, f"tick {x}", x, strip, f"{x:g}", dy=-12, ha="center", va="top", color="muted", size=SMALL)
    pen.text(plot, "x name", 1, strip, "P(saved|D)", dy=-34, ha="right", va="top", color="muted")
    pen.head(plot, "Which word is kinder?" if pen.waiting else "The cheapest word", y=44)
    if pen.waiting:
        pen.text(plot, "asked", 0.5, 0.5, "?")
    else:
        pen.line(plot, "stem", (p / 100, p / 100), (0, 1))
        least = np.min([np.interp(edges, (0, 1), ends) for ends in at.values()], axis=0)
        for word, ends in at.items():
            pen.line(plot, f"cost {word}", (0, 1), ends / top, color=roles[word])
            pen.points(plot, f"mark {word}", [p / 100], [np.interp(p / 100, (0, 1), ends) / top], color=roles[word], size=13, width=2.2)
        pen.line(plot, "least", edges, least / top)
        for low, high in zip(edges, edges[1:]):
            middle = {word: np.interp((low + high) / 2, (0, 1), ends) for word, ends in at.items()}
            word = min(middle, key=middle.get)
            pen.bar(plot, f"says {word}", low, strip, high - low, -strip, color=f"{roles[word]}_tint")
            fits = (high - low) * plot.scale > pen.width(word, SMALL, True) + 8
            pen.text(plot, f"word {word}", (low + high) / 2, strip / 2, word if fits else "")
        for k, x in enumerate(edges[1:-1]):
            y = float(np.interp(x, edges, least)) / top
            pen.text(plot, f"border {k}", x, y, f"{100 * x:.1f}%", dy=12, halo="paper", **({"ha": "right"} if x > 0.85 else {}))
    pen.points(plot, "here", [p / 100], [0], clip=False)
    expected = {word: float(np.interp(p / 100, (0, 1), ends)) for word, ends in at.items()}
    pitch, size = (86, NUMBER) if wide else (50, NUMBER)
    pen.text(column, "at", 0, 2, f"at P(saved|D) = {p / 100:.2f}", color="muted", size=SMALL)
    for k, (word, cost) in enumerate(expected.items()):
        y = 44 + pitch * k
        pen.text(column, f"who {word}", 0, y, f"“{word}” costs" if wide else word, color=roles[word])
        x, down = (0, 36) if wide else (130, 2)
        pen.text(column, f"value {word}", x, y + down, "?" if pen.waiting else f"{cost:.2f}", color="sediment" if pen.waiting else roles[word], size=size)
        left, width = (80, 104) if wide else (214, 136)
        if not pen.waiting:
            pen.bar(column, f"track {word}", left, y + down - 12, width, 6)
            pen.bar(column, f"bar {word}", left, y + down - 12, width * cost / top, 6, color=roles[word])
    if pen.waiting:
        return f"Expected cost of a word over P(saved|D). A false saved costs {saved}, a false lost {lost}."
    best = min(expected.values())
    cheap = " or ".join(word for word, cost in expected.items() if cost < best + TIE)
    told = ", ".join(f"{word} {cost:.2f}" for word, cost in expected.items())
    turns = " and ".join(f"{x:.3f}" for x in edges[1:-1])
    return f"A false saved costs {saved}, a false lost {lost}. At P(saved|D) = {p / 100:.2f} the expected costs are {told}; least: {cheap}. The cheapest word changes at {turns}."


def _crossings(at):
    """Where one of the lines takes over as the lowest."""
    pairs = [(a, b) for k, a in enumerate(at.values()) for b in [*at.values()][k + 1 :]]
    found = [(a[0] - b[0]) / (a[0] - b[0] + b[1] - a[1]) for a, b in pairs if a[0] - b[0] + b[1] - a[1]]
    height = lambda ends, x: ends[0] + (ends[1] - ends[0]) * x  # noqa: E731
    meet = {x: sorted(height(ends, x) for ends in at.values()) for x in found if 0 < x < 1}
    return [round(x, 9) for x, (low, next_, *_) in meet.items() if next_ - low < TIE]


def _steps(x, y):
    """A line that jumps at one half, with an upright."""
    left, right = y[0], y[-1]
    return (x[0], 0.5, 0.5, x[-1]), (left, left, right, right)
