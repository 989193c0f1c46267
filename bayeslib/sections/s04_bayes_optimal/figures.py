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
        "vote": {"color": "belief", "edge": "paper", "width": 1.6, "size": size - 2},
        "MAP": {"color": "paper", "edge": "ink", "width": 2.6, "size": size + 3},  # both can be seen in one place
        "Gibbs": {"color": "muted", "edge": "paper", "width": 1.6, "size": size - 2},
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


def _row(pen, column, k, look, words, value, share, wide, indent=0):
    """One of a list of numbers: the name, the number, and a thin bar on a track; a question mark while the number is asked for."""
    y, (x, down, left, width) = 28 + (94 if wide else 48) * k, (0, 34, 110, 76) if wide else (158, 2, 240, 110)
    pen.text(column, f"who {k}", indent, y, words, bold=True, color=look)
    if value is None:
        return pen.text(column, f"value {k}", x, y + down, "?", color="sediment", size=NUMBER, bold=True)
    pen.text(column, f"value {k}", x, y + down, value, color=look, size=NUMBER, bold=True)
    pen.bar(column, f"track {k}", left, y + down - 12, width, 6, color="mist")
    pen.bar(column, f"bar {k}", left, y + down - 12, width * share, 6, color=look)


def _place(pen, plot, name, p, top, words):
    """A stem at p with the ring that moves it above the plot."""
    pen.line(plot, "stem", (p, p), (0, top), color="rule", width=1.6, z=0.8, clip=False)
    pen.points(plot, "here", [p], [top], color="paper", edge="ink", width=2.2, size=13, z=6, grab=name)
    side = {"dx": 14} if p < 0.55 else {"dx": -14, "ha": "right"}
    pen.text(plot, "here says", p, top, words, va="center", **side)


def _hypotheses(w1, w2, w3, q1, q2, q3, whose):
    """Weights, P(first label|h), names, errors or None, and the two labels. A slider that moves leads back from her to the three."""
    if whose == "her" and (w1, w2, w3, q1, q2, q3) == (40, 30, 30, 100, 0, 0):
        return *_her(), ("survived", "died")
    weight, q, names = np.array([w1, w2, w3]) / (w1 + w2 + w3), np.array([q1, q2, q3]) / 100, ["h₁", "h₂", "h₃"]
    if whose == "cut in two":
        weight, q, names = np.r_[weight[0] / 2, weight[0] / 2, weight[1:]], q[[0, 0, 1, 2]], CUT
    return weight, q, names, None, ("+", "−")


def _stages(w1, w2, w3, q1, q2, q3, whose):
    """How many discs have been counted after each step: one by one (two halves together), or heap by heap."""
    weight, _, _, wrong, _ = _hypotheses(w1, w2, w3, q1, q2, q3, whose)
    if wrong is None:
        return [0, 1, 2, len(weight)]
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
        "cut in two": {"whose": "cut in two"},
        "undecided": dict(w1=40, w2=30, w3=30, q1=90, q2=40, q3=40, whose="three"),
        "her": dict(w1=40, w2=30, w3=30, q1=100, q2=0, q3=0, whose="her"),
    },
    main=("w1", "q1"),
    unlocks={"04/cut-in-two": ["cut in two"], "04/undecided": ["undecided", "q1", "q2", "q3"]},
    looks={
        "glass": {"color": "mist", "z": 0},
        "corner": {"color": "paper", "z": 4.5},
        "wall": {"color": "muted", "width": 2.2, "z": 5, "clip": False},
        "level line": {"width": 1.6, "z": 5.5},
        "half": {"size": SMALL, "ha": "center", "va": "center"},
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
    roles, rim, said = ("case", "other"), foot - tall, -99

    # The discs, the tints that they leave, and the layers that they become: the largest lie lowest
    part, fell = weight[:, None] * np.column_stack([q, 1 - q]), rank < counted
    below = np.array([part[rank < rank[i]].sum(axis=0) for i in range(n)])
    level = part[fell].sum(axis=0).tolist()
    for i in range(n):
        key, start = i if many else names[i], max(each for each in history if each <= rank[i])
        wait = 0.5 * (rank[i] - start) / (min(each for each in history if each > rank[i]) - start)
        corners = int(np.clip(2 * round(2.6 * np.sqrt(radius[i])), 8, 44))
        for side in np.flatnonzero(part[i]):
            shape = at[i] + radius[i] * _piece(q[i], side == 0, corners)
            tint = f"{roles[side]}_tint" if fell[i] else "belief"
            pen.area(page, f"left {key}.{side}", shape, color=tint)
            look = {"color": "belief", "edge": "prior" if 0 < q[i] < 1 else None, "width": 1.2}
            if fell[i]:
                x, low, thick = place["left"][side], foot - tall * below[i, side], tall * part[i, side]
                top, end = low - thick, x + across
                shape = [(x, low - thick / 2), (x, top), (end, top), (end, low), (x, low)]
                look = {"color": roles[side], "edge": "paper", "width": round(min(1.5, 0.28 * thick), 2)}
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
            half, down = pen.width(words, SMALL) / 2 + 12, 24 if wide else 22 - 10 * (k > 1)
            pen.text(page, f"heap {k}", np.clip(x, half, pen.size[0] - half), y + down, words)
    else:
        for i in range(n):
            small, large = radius[i] < 18, radius[i] > 30
            up = radius[i] + 10 if small else 4 if large else -6
            pen.text(page, f"name {names[i]}", *at[i], names[i], dy=up, color="ink" if small else ground[i])
            if large:
                pen.text(page, f"weight {names[i]}", *at[i], f"{weight[i]:.2g}", dy=-20, ha="center", color=ground[i])
            words = f"says {labels[int(q[i] < 0.5)]}" if q[i] in (0, 1) else f"{q[i]:.0%} {labels[0]}"
            role = "case" if q[i] > 0.5 else "other" if q[i] < 0.5 else "muted"
            y, half = at[:, 1].max() + radius.max() + 28, pen.width(words) / 2 + 3
            if at[i][0] - half > said:  # two tiny halves say it once
                pen.text(page, f"says {names[i]}", at[i][0], y, words, ha="center", color=role)
                said = at[i][0] + half

    # The glasses and the half-way line
    bend, r = np.linspace(0, np.pi / 2, 9), place["corner"]
    for side, x in enumerate(place["left"]):
        pen.bar(page, f"glass {side}", x, rim, across, tall)
        lower = np.column_stack([x + r - r * np.cos(bend), foot - r + r * np.sin(bend)])
        upper = np.column_stack([2 * x + across - lower[:, 0], lower[:, 1]])[::-1]
        for end, arc, out in (("a", lower, x - 2), ("b", upper[::-1], x + across + 2)):
            pen.area(page, f"corner {side}{end}", [*arc, (arc[-1][0], foot + 3), (out, foot + 3), (out, arc[0][1])])
        pen.line(page, f"wall {side}", *np.vstack([(x, rim), lower, upper, (x + across, rim)]).T)
        pen.line(page, f"level line {side}", (x - 8, x + across + 8), (foot - tall / 2,) * 2)
        if pen.waiting:
            pen.text(page, f"asked {side}", x + across / 2, foot - tall / 4, "?")
    pen.text(page, "half", (sum(place["left"]) + across) / 2, foot - tall / 2, "half")

    # The head and, beside the glasses, what each has and who says so
    title = f"{n} rules about her" if many else f"{('Three', 'Four')[n == 4]} hypotheses"
    clause = f"area: weight{' after twenty people' * many}; ringed: the best rule"
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
            _mark(pen, page, f"mark {who}.{side}", who, x + 7 * way, y + 38 + 27 * k, 12)
            pen.text(page, f"verdict {who}.{side}", x + 21 * way, y + 44 + 27 * k, names[who], color=TONES[who], **look)
        return
    x, y = place["left"][side], foot - tall
    pen.text(page, f"label {side}", x, y - 11, label, size=HEAD if many else NUMBER, color=role, bold=True)
    for k, who in enumerate(verdicts):
        left = x + 7 + 86 * k if many else x + 34
        line = y - (41 if many else 12 + 22 * k)
        _mark(pen, page, f"mark {who}.{side}", who, left, line, 12)
        look = {"size": SMALL, "color": TONES[who]}
        pen.text(page, f"verdict {who}.{side}", left + 14, line + 6, names[who], **look)
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
    answers = dict.fromkeys(_answer(q[i], labels) for i in ringed)
    best, one = " and ".join(names[i] for i in ringed), len(ringed) == 1
    sums = " + ".join(f"{w:.4g} × {p:.4g}" for w, p in zip(weight, q))
    return (
        f"P(+|D) = {sums} = {level[0]:.4f}, P(−|D) = {level[1]:.4f}: the vote says {_answer(level[0], labels)}. "
        f"The best rule{'' if one else 's'}, {best}, say{'s' * one} {' or '.join(answers)}."
    )


# How often each way of answering errs


@figure(
    (58, 56, 560, 322),
    (690, 92, 190, 300),
    size=(900, 438),
    narrow=((390, 560), (40, 52, 334, 284), (16, 400, 358, 150)),
    controls={
        "p": Slider("P(+|D)", 0.01, 0.99, 0.4, step=0.01),
        "truth": Choice("truth", (("drawn", "drawn"), ("always +", "+"), ("always −", "−")), "drawn"),
    },
    presets={
        "0.4, 0.3, 0.3": {"p": 0.4, "truth": "drawn"},
        "0.8 and 0.2": {"p": 0.8, "truth": "drawn"},
        "nearly sure": {"p": 0.99, "truth": "drawn"},
    },
    drag={"here": ("p", None)},
    keys=steer.by("p", 0.01),
    help="Drag the ring to change P(+|D); left and right arrows move it too.",
    looks={
        "band": {"color": "belief_wash", "z": 0.3},
        "twice": {"color": "prior", "width": 1.6, "z": 1.5},
        "lead": {"color": "muted", "width": 1.2, "z": 1.6},
        "name": {"bold": True},
    },
)
def three_ways(pen, plot, column, p, truth):
    """The errors of the vote, the best rule and a random rule over P(+|D), for a drawn or a fixed truth."""
    wide, fixed, grid = pen.size[0] > 560, None if truth == "drawn" else truth, np.linspace(0, 1, 101)
    curves = concepts.error_over_p(grid, fixed)
    error = {way: float(each) for way, each in concepts.error_over_p(p, fixed).items()}
    pen.axes(plot, (0, 1), (0, 1.1), xticks=(0, 0.5, 1), yticks=(0, 0.5, 1), xname="P(+|D)")
    pen.head(plot, "Three ways to answer", "how often each errs" if wide else "", y=22)
    _place(pen, plot, "P(+|D)", p, 1.09, f"{p:.2f}")
    if not pen.waiting:
        if fixed is None:
            tent = np.minimum(grid, 1 - grid)
            pen.area(plot, "band", np.column_stack([np.r_[grid, grid[::-1]], np.r_[tent, 2 * tent[::-1]]]))
            pen.line(plot, "twice", (0, 0.5, 1), (0, 1, 0))
            pen.text(plot, "twice says", 0.6, 0.8, "twice the vote", dx=8, size=SMALL, color="muted")
            pen.line(plot, "lead", (0.86, 0.92), (0.26, 0.58))
            size = LABEL if wide else SMALL
            for way, x, y, ha in (
                ("MAP", 0.16, 0.88, "left"),
                ("Gibbs", 1, 0.61, "right"),
                ("vote", 0.27, 0.17, "left"),
            ):
                pen.text(plot, f"name {way}", x, y, WAYS[way], ha=ha, size=size, color=TONES[way])
        for way, width in (("MAP", 5.6), ("Gibbs", 2.6), ("vote", 2.4)):
            line = (grid[1:], curves[way][1:]) if way == "MAP" else (grid, curves[way])  # at 0 no rule says +
            if way == "vote" and fixed:
                line = (0, 0.5, 0.5, 1), curves["vote"][[0, 0, -1, -1]]
            pen.line(plot, f"line {way}", *line, color=TONES[way], width=width, clip=False)
        for way in ("MAP", "Gibbs", "vote"):
            _mark(pen, plot, f"mark {way}", way, p, error[way])
    for k, way in enumerate(("MAP", "Gibbs", "vote")):
        _mark(pen, column, f"key {way}", way, 9, 22 + (94 if wide else 48) * k)
        exact = f"{error[way]:.2f}" if abs(error[way] - round(error[way], 2)) < TIE else f"{error[way]:.4f}"
        said = None if pen.waiting else exact if wide else f"{error[way]:.2f}"
        _row(pen, column, k, TONES[way], WAYS[way], said, error[way], wide, indent=26)
    if pen.waiting:
        return f"Error over the probability of +. We stand at {p:.2f}. Where do the three ways stand?"
    how = "drawn with the weights" if fixed is None else f"always {fixed}"
    vote, random = error["vote"], error["Gibbs"]
    ratio = f"{random / vote:.2f} times as often as the vote" if vote else "while the vote never errs"
    return (
        f"P(+|D) = {p:.2f}, the truth is {how}. The best rule says + and errs with probability {error['MAP']:.2f}, "
        f"the vote with {vote:.2f}, a random rule with {random:.4f}, {ratio}."
    )


# Costs


@figure(
    (58, 74, 560, 272),
    (690, 74, 190, 300),
    size=(900, 446),
    narrow=((390, 600), (24, 70, 346, 250), (20, 444, 354, 150)),
    controls={
        "p": Slider("P(saved|D)", 0.0, 1.0, 0.4, step=0.01),
        "saved": Slider("a false saved costs", 1, 12, 6),
        "lost": Slider("a false lost costs", 1, 12, 1),
        "wait": Choice("no news yet", (("not allowed", False), ("costs 0.5", True)), False),
    },
    main=("saved", "lost"),
    drag={"here": ("p", None)},
    keys=steer.by("p", 0.01),
    help="Drag the ring to change P(saved|D); left and right arrows move it too.",
    looks={
        "cost": {"width": 1.8, "z": 2},
        "least": {"color": "ink", "width": 3.4, "z": 2.5},
        "cheap": {"clip": False, "z": 0.6},
        "word": {"bold": True, "size": SMALL, "ha": "center", "va": "center"},
        "asked": {"size": 90, "bold": True, "color": "sediment", "ha": "center", "va": "center"},
    },
)
def costly_errors(pen, plot, column, p, saved, lost, wait):
    """What each word costs on average over P(saved|D), and under the axis the cheapest word."""
    costs = {"lost": (0, lost), "saved": (saved, 0), **({"no news yet": (0.5, 0.5)} if wait else {})}  # at p = 0 and 1
    roles, wide = {"lost": "other", "saved": "case", "no news yet": "best"}, pen.size[0] > 560
    borders = _borders(costs)
    edges = [0, *borders, 1]
    least = np.min([np.interp(edges, (0, 1), ends) for ends in costs.values()], axis=0)
    top = min(max(saved, lost), 4 * least.max())
    pen.axes(plot, (0, 1), (0, top))
    strip = -30 * top / plot.box[3]
    below = {"dy": -12, "va": "top", "ha": "center", "size": SMALL}
    for x in (0, 0.5, 1):
        near = not pen.waiting and any(abs(x - each) * plot.scale < 46 for each in borders)
        pen.text(plot, f"tick {x}", x, strip, "" if near else f"{x:g}", color="muted", **below)
    pen.text(plot, "x name", 1, strip, "P(saved|D)", dy=-34, ha="right", va="top", color="muted")
    pen.head(plot, "What a word costs", "on average" if wide else "", y=44)
    _place(pen, plot, "P(saved|D)", p, 1.05 * top, f"{p:.2f}")
    expected = {word: float(np.interp(p, (0, 1), ends)) for word, ends in costs.items()}
    if pen.waiting:
        pen.text(plot, "asked", 0.7, top / 2, "?")
    for k, (low, high) in enumerate(zip(edges, edges[1:]) if not pen.waiting else ()):
        word = min(costs, key=lambda each: np.interp((low + high) / 2, (0, 1), costs[each]))
        corners = [(low, strip), (low, least[k]), (high, least[k + 1]), (high, strip)]
        pen.area(plot, f"cheap {k}", corners, color=f"{roles[word]}_tint")
        fits = (high - low) * plot.scale > pen.width(word, SMALL, True) + 8
        pen.text(plot, f"word {k}", (low + high) / 2, strip / 2, word if fits else "")
    for k, (word, (start, stop)) in enumerate(costs.items()):
        if not pen.waiting:
            pen.line(plot, f"cost {k}", (0, 1), (start, stop), color=roles[word])
            if expected[word] <= top:
                pen.points(plot, f"mark {k}", [p], [expected[word]], color=roles[word], size=13, width=2.2)
        said = None if pen.waiting else f"{expected[word]:.2f}"
        _row(pen, column, k, roles[word], f"“{word}”", said, expected[word] / max(saved, lost), wide)
    if pen.waiting:
        return f"Expected cost of a word over P(saved|D). A false saved costs {saved}, a false lost {lost}."
    pen.line(plot, "least", edges, least)
    for k, x in enumerate(borders):
        pen.text(plot, f"border {k}", min(x, 1 - 22 / plot.scale), strip, f"{100 * x:.1f}%", bold=True, **below)
    cheap = " or ".join(word for word in expected if expected[word] < min(expected.values()) + TIE)
    told = ", ".join(f"{word} {cost:.2f}" for word, cost in expected.items())
    return (
        f"A false saved costs {saved}, a false lost {lost}. At P(saved|D) = {p:.2f} the expected costs are {told}; "
        f"least: {cheap}. The cheapest word changes at {' and '.join(f'{x:.3f}' for x in borders)}."
    )


def _borders(costs):
    """Where the cheapest of several answers changes; each costs so much at p = 0 and so much at p = 1."""
    lines, found = [*costs.values()], set()
    for k, (a, b) in enumerate(lines):
        for c, d in lines[:k]:
            x = (a - c) / (a - c + d - b) if a - c + d - b else -1
            if 0 < x < 1 and a + x * (b - a) < min(e + x * (f - e) for e, f in lines) + TIE:
                found.add(round(x, 9))
    return sorted(found)


# The three ways on trial, on everybody who wasn't drawn

SEEN = (5, 10, 20, 50, 100, 200, 500)
CLEAR = {"error": 0.002, "log_loss": 0.005}  # a gap smaller than this, or than three standard errors, names no winner
RANGE = {"error": (0.19, 0.36), "log_loss": (0.46, 0.72)}
TICKS = {"error": (0.2, 0.25, 0.3, 0.35), "log_loss": (0.5, 0.55, 0.6, 0.65, 0.7)}
PITCH, HIGHEST = 3.7, 140  # pixels from dot to dot, and what a heap may grow to before its dots spread
TRIAL = dict(left=424, right=872, top=92, foot=406, wall=238, hero=(420, 58), asks=(424, 44), people=(22, 467, 12.3))
TRIAL_NARROW = dict(
    left=54, right=374, top=118, foot=388, wall=None, hero=(16, 52), asks=(16, 52), people=(16, 509, 11.7)
)


@cache
def _scores(fates, size, noise, counts):
    """What the three ways score in each of the 500 draws; each ? in a rule multiplies its prior by `counts`."""
    _, _, rules, says = _titanic()
    prior = np.array([float(counts) ** (rule or ()).count("?") for rule in rules])
    return concepts.held_out_scores(says, *_trials(fates, size), noise / 100, prior / prior.sum())


def _floor(fates, score):
    """What nobody beats on average: the majority and the shares of each kind of people, or the rule that was drawn."""
    counts = _titanic()[1]
    share = counts / counts.sum(axis=1, keepdims=True) if fates == "real" else np.array([[0.2, 0.8]])
    each = share.min(axis=1) if score == "error" else -(share * np.log(np.where(share > 0, share, 1))).sum(axis=1)
    return float(np.average(each, weights=counts.sum(axis=1) if fates == "real" else None))


def _who(answer):
    """The kinds of people who an answer says survived, in words, if one rule says just this."""
    _, _, rules, says = _titanic()
    if not answer.any():  # so says also a rule about children in the crew, of whom there were none
        return "nobody"
    for rule in (rules[h] for h in np.flatnonzero((says == answer).all(axis=1))):
        place = {"first": "1st-class ", "second": "2nd-class ", "third": "3rd-class ", "crew": "crew "}.get(rule[0], "")
        group = {
            "adult": ("adults", "women", "men"),
            "child": ("children", "girls", "boys"),
            "?": ("people", "females", "males"),
        }
        return place + group[rule[1]][("?", "female", "male").index(rule[2])]


def _heap(values, low, high, top, foot, loose=2):
    """A heap of one dot a draw: how far each stands from the wall, and how high. A dot may leave its row by `loose` rows."""
    rows = int((foot - top) / PITCH)
    own = np.clip(np.round((np.clip(values, low, high) - low) / (high - low) * (foot - top) / PITCH - 0.5), 0, rows)
    filled, out, at = np.zeros(rows + 1, int), np.zeros(len(values)), np.zeros(len(values))
    for k, row in enumerate(own.astype(int)):
        near = range(max(row - loose, 0), min(row + loose, rows) + 1)
        best = min(near, key=lambda j: (filled[j] + 1.6 * abs(j - row), abs(j - row)))
        out[k], at[k] = filled[best] * PITCH, foot - (best + 0.5) * PITCH
        filled[best] += 1
    if filled.max() * PITCH > HIGHEST and loose < 9:
        return _heap(values, low, high, top, foot, loose + 1)
    return out, at


@figure(
    (0, 0, 900, 480),
    size=(900, 480),
    narrow=((390, 560), (0, 0, 390, 560)),
    controls={
        "seen": Stops("people seen", tuple((str(size), size) for size in SEEN), 20),
        "picked": Slider("draw", 1, 500, DRAW),
        "fates": Choice("fates", (("real", "real"), ("drawn from the rules", "drawn")), "real"),
        "score": Choice("score", (("errors", "error"), ("log loss", "log_loss")), "error"),
        "counts": Choice("each ? counts", tuple((f"×{k}", k) for k in (1, 2, 3, 4)), 1),
        "noise": Slider("assumed noise (%)", 5, 40, 20, step=5),
    },
    presets={
        "real fates": {"fates": "real", "score": "error", "counts": 1, "noise": 20},
        "fates drawn from the rules": {"fates": "drawn", "score": "error", "counts": 1, "noise": 20},
        "log loss": {"fates": "real", "score": "log_loss", "counts": 1, "noise": 20},
    },
    main=("seen", "picked"),
    more=("counts", "noise"),
    keys={**steer.along("seen", SEEN), **steer.by("picked", keys=steer.UP)},
    help="Left and right arrows change how many people are seen, up and down the draw that is picked out.",
    looks={
        "grid": {"color": "rule", "width": 1, "z": 0.2},
        "tick": {"color": "muted", "size": SMALL},
        "chosen": {"color": "mist", "z": 0.1},
        "floor": {"width": 1.6, "dash": [4, 3]},
        "lead": {"width": 1.2},
        "name": {"bold": True},
        "wall": {"color": "muted", "width": 1},
        "link": {"color": "evidence", "width": 2, "z": 5},
        "this": {"edge": "evidence", "width": 2.4, "size": 9.6, "z": 7},
        "says": {"size": SMALL, "color": "belief", "ha": "right"},
        "sex": {"size": SMALL, "color": "muted"},
        "quiet": {"size": SMALL, "color": "muted"},
        "asks": {"bold": True},
        "hero": {"size": HERO, "bold": True},
        "others": {"color": "muted"},
        "draw": {"bold": True, "color": "evidence_text"},
        "draw says": {"color": "muted"},
        "asked": {"size": 90, "bold": True, "color": "sediment", "ha": "center", "va": "center"},
    },
)
def who_survived(pen, page, seen, picked, fates, score, counts, noise):
    """The errors of vote, best rule and random rule on all who weren't drawn, in 500 draws, over the number of people seen."""
    wide, (low, high) = pen.size[0] > 560, RANGE[score]
    place, size = (TRIAL, LABEL) if wide else (TRIAL_NARROW, SMALL)
    top, foot, left, right = (place[each] for each in ("top", "foot", "left", "right"))
    curves = {way: np.array([_scores(fates, n, noise, counts)[score][way].mean() for n in SEEN]) for way in WAYS}
    now, at, floor = _scores(fates, seen, noise, counts), SEEN.index(seen), _floor(fates, score)

    def up(value):
        return foot - (np.asarray(value) - low) / (high - low) * (foot - top)

    def unit(value):
        return f"{100 * value:.1f}%" if score == "error" else f"{value:.3f}"

    # Scale, the chosen size and what nobody beats
    xs = left + 10 + (right - left - 20) * np.log(np.array(SEEN) / SEEN[0]) / np.log(SEEN[-1] / SEEN[0])
    start = 62 if wide and not pen.waiting else left
    for value in TICKS[score]:
        y, words = float(up(value)), f"{100 * value:.0f}%" if score == "error" else f"{value:.2f}"
        pen.line(page, f"grid {words}", (start, right), (y, y))
        pen.text(page, f"tick {words}", start - 8, y, words, ha="right", va="center")
    pen.bar(page, "chosen", xs[at] - 17, top - 6, 34, foot - top + 10)
    for n, x in zip(SEEN, xs):
        look = {"color": "ink", "bold": True} if n == seen else {}
        pen.text(page, f"tick {n}", x, foot + 24, f"{n}", ha="center", **look)
    pen.text(page, "quiet x", right, foot + 46, "people seen", ha="right")
    best = "best possible from these facts" if wide else "best possible"
    y, best = float(up(floor)), "the true rule" if fates == "drawn" else best
    pen.line(page, "floor", (left, right), (y, y))
    pen.text(page, "floor says", left + 4, y, f"{best} {unit(floor)}", dy=-18 if fates == "drawn" else 8, size=SMALL)
    if pen.waiting:
        x, y = place["asks"]
        pen.text(page, "asks", x, y, "Errors on all the others, 500 draws", size=HEAD if wide else LABEL)
        pen.text(page, "asked", xs[at], (top + foot) / 2 - 20, "?")
        _people(pen, page, place, wide, picked, fates, seen, f"{seen} people seen")
        return (
            f"500 draws of {seen} people from the {_titanic()[1].sum()} aboard. Draw {picked} is shown. "
            "Which way errs least on all the others, on average?"
        )

    # The three lines, their marks and names
    for way, width in (("Gibbs", 2.2), ("MAP", 2.8), ("vote", 2.8)):
        pen.line(page, f"line {way}", xs, np.maximum(up(curves[way]), top - 5), color=TONES[way], width=width, z=2.2)
    for way in ("Gibbs", "MAP", "vote"):
        _mark(pen, page, f"mark {way}", way, xs[at], max(float(up(curves[way][at])), top - 5))
    heights = {way: up(curve) for way, curve in curves.items()}
    _line_names(pen, page, place, wide, xs, heights, y - (8 if fates == "drawn" else 30))
    order = sorted(WAYS, key=lambda way: curves[way][at])
    least, gap = curves[order[0]][at], now[score][order[1]] - now[score][order[0]]
    clear = gap.mean() > max(3 * gap.std() / np.sqrt(len(gap)), CLEAR[score])
    verdict = f"{WAYS[order[0]]} {'errs' if score == 'error' else 'loses'} least" if clear else "no clear winner"
    others = [f"{WAYS[way]} {unit(curves[way][at])}".replace("random rule", "random") for way in order[1:]]
    x, y = place["hero"]
    pen.text(page, "hero", x, y, unit(least), color=TONES[order[0]] if clear else "ink")
    x += pen.width(unit(least), HERO, True) + 14
    pen.text(page, "verdict", x, y - 24, verdict, size=size)
    pen.text(page, "others", x, y + (0 if wide else 18), (", " if wide else "\n").join(others), size=size)
    whose = "real fates" if fates == "real" else "fates drawn from the rules"
    if wide:
        _heaps(pen, page, place, now, score, fates, seen, picked, up)
    else:
        pen.text(page, "quiet mean", 16, 102, f"mean of 500 draws, {whose.replace('drawn ', '')}")
    means, alone = (
        ", ".join(f"{WAYS[way]} {unit(each[way])}" for way in WAYS)
        for each in ({way: curves[way][at] for way in WAYS}, {way: now[score][way][picked - 1] for way in WAYS})
    )
    _people(pen, page, place, wide, picked, fates, seen, alone.partition(", random")[0])
    return (
        f"{seen} people seen, {whose}. {'Errors' if score == 'error' else 'Log loss'} on the rest, mean of 500 draws: "
        f"{means}. {'The true rule has' if fates == 'drawn' else 'The best possible from these facts is'} {unit(floor)}. In draw {picked}: {alone}."
    )


def _line_names(pen, page, place, wide, xs, heights, limit):
    """Names at the lines: the lowest from below, the others from above, each with a thin leader."""
    size, span = LABEL if wide else SMALL, xs[-1] - xs[0]
    low, *others = sorted(WAYS, key=lambda way: -heights[way][2])

    def height(way, x):
        return max(float(np.interp(x, xs, heights[way])), place["top"] - 5)

    x = xs[0] + (0.3 if wide else 0.36) * span
    y = min(height(low, x) + 52, limit)
    pen.line(page, "lead 0", (x - 8, x - 22), (height(low, x - 8) + 9, y - 18), color=TONES[low])
    pen.text(page, f"name {low}", x - 40, y, WAYS[low], size=size, ha="center", color=TONES[low])
    for k, way in enumerate(sorted(others, key=lambda way: heights[way][2])):
        x = xs[0] + (0.4 + 0.07 * k) * span
        y = height(way, x) - (74 - 30 * k)
        pen.line(page, f"lead {k + 1}", (x + 4, x + 35), (height(way, x + 4) - 6, y - 2), color=TONES[way])
        pen.text(page, f"name {way}", x + 40, y, WAYS[way], size=size, color=TONES[way])


def _heaps(pen, page, place, now, score, fates, seen, picked, up):
    """The 500 draws on both sides of a wall, the vote's and the best rule's, and what the vote says in the large heaps."""
    wall, top, foot, (low, high) = place["wall"], place["top"], place["foot"], RANGE[score]
    pen.text(page, "heap head", 22, 44, f"500 draws of {seen}", size=HEAD, bold=True)
    pen.text(page, "heap clause", 22, 44, "a dot is a draw", after="heap head", dx=10, color="muted")
    pen.text(page, "quiet y", 22, 74, {"error": "error on others", "log_loss": "log loss"}[score])
    pen.line(page, "wall", (wall, wall), (top - 4, foot + 2))
    dots = {way: _heap(now[score][way], low, high, top, foot) for way in ("vote", "MAP")}
    ends = []
    for way, side, ha in (("vote", -1, "right"), ("MAP", 1, "left")):
        out, y = dots[way]
        look = {"color": TONES[way], "edge": None, "width": 0, "size": 3.2}
        pen.points(page, f"heap {way}", np.round(wall + side * (9 + out)), np.round(y), **look)
        pen.text(page, f"heap name {way}", wall + 12 * side, 74, WAYS[way], ha=ha, bold=True, color=TONES[way])
        ends.append((wall + side * (9 + out[picked - 1]), y[picked - 1]))
        pen.points(page, f"this {way}", *np.transpose([ends[-1]]), color=TONES[way])
    pen.line(page, "link", *np.transpose(ends))
    out, y = dots["MAP"]
    if any((now[score][way] > high).any() for way in dots):
        words = f"over {high:.0%}" if score == "error" else f"over {high:.2f}"
        pen.text(page, "quiet over", wall + 18 + out[y < top + 9].max(initial=0), top + 8, words)
    if (score, fates) != ("error", "real"):
        return
    out, y = dots["vote"]
    answers, of, count = np.unique(now["vote"] > 0.5, axis=0, return_inverse=True, return_counts=True)
    taken = []
    for k in np.argsort(-count, kind="stable"):
        word, middle = _who(answers[k]), float(np.mean(y[of.ravel() == k]))
        edge = wall - 17 - out[np.abs(y - middle) < 20].max(initial=0)
        if word and count[k] >= 25 and edge >= 112 and all(abs(middle - each) >= 44 for each in taken):
            first, _, second = word.partition(" ")
            lines = f"“{first}\n{second} lived”".replace("\n lived", "\nlived")
            pen.text(page, f"says {len(taken)}", edge, middle + 14, lines)
            taken.append(middle)


def _people(pen, page, place, wide, picked, fates, seen, told):
    """The people of one draw, large while the question is open: women and girls first, who lived is a square."""
    kinds, drawn = _titanic()[0], _trials(fates, seen)[0][picked - 1]
    large, few, (x, y, pitch) = pen.waiting and wide, seen <= 20, place["people"]
    size, line = (LABEL, 44) if large else (SMALL, y - 27)
    pen.text(page, "draw", x, line, f"draw {picked}", size=HEAD if large else SMALL)
    pen.text(page, "draw says", x, line, told, after="draw", dx=9, size=size)
    places, squares = [], []
    for sex, start in (("female", 110), ("male", 236)):
        lived, died = (sum(row[fate] for kind, row in zip(kinds, drawn) if kind[2] == sex) for fate in (1, 0))
        words = sex if few and not large else f"{lived + died} {sex}, {lived} lived"
        if large:
            x, y = 22, start
        pen.text(page, f"sex {sex}", x, y, words, size=size)
        x += pen.width(words, SMALL) + (10 if few else 26)
        for k in range((lived + died) * few):
            places.append((39 + 44 * (k % 7), y + 32 + 44 * (k // 7)) if large else (x + pitch * k, y - 5.5))
            squares.append(k < lived)
        x += (pitch * (lived + died) + 8) * few
    looks = [{"color": "other", "size": 0.82 * pitch}, {"color": "case", "shape": "s", "size": 0.72 * pitch}]
    looks = [{**look, "size": look["size"] * (3.4 if large else 1), "edge": None, "width": 0} for look in looks]
    pen.points(page, "people", *np.reshape(places, (-1, 2)).T, of=squares, looks=looks)


# Further: a number for an answer, and the reader's own forecasters

WEIGHTS = (0.4, 0.3, 0.3)


@figure(
    (58, 62, 560, 288),
    (690, 92, 190, 300),
    size=(900, 430),
    narrow=((390, 560), (34, 52, 340, 268), (16, 400, 358, 150)),
    controls={
        "answer": Slider("your answer", 0.0, 40.0, 12.0, step=0.2),
        "first": Slider("h1 (0.4) predicts", 0, 40, 12),
        "second": Slider("h2 (0.3) predicts", 0, 40, 16),
        "third": Slider("h3 (0.3) predicts", 0, 40, 30),
        "cost": Choice("cost", (("degrees off", "absolute"), ("squared", "squared")), "absolute"),
    },
    main=("answer", "third"),
    drag={"yours": ("answer", None), "says 1": ("first", None), "says 2": ("second", None), "says 3": ("third", None)},
    keys=steer.by("answer", 0.2),
    help="Drag the ring to change your answer, a disc to change a prediction; left and right arrows move the answer.",
    looks={
        "stem": {"color": "rule", "width": 1.6, "z": 0.8},
        "yours": {"color": "paper", "edge": "ink", "width": 2.4, "size": 17, "z": 6, "grab": "your answer"},
        "says": {"color": "belief", "z": 4, "edge": "paper", "width": 2},
        "name": {"bold": True, "color": "belief", "ha": "center", "size": SMALL},
    },
)
def one_number(pen, plot, column, answer, first, second, third, cost):
    """What a number costs on average as an answer, if three hypotheses predict numbers."""
    wide, said, grid = pen.size[0] > 560, (first, second, third), np.linspace(0, 40, 201)
    best = concepts.best_number(WEIGHTS, said, cost)
    price = {each: float(concepts.expected_loss(each, WEIGHTS, said, cost)) for each in (answer, first, best)}
    top = max(4 * price[best], 1)
    pen.axes(plot, (0, 40), (0, top))
    for x in (0, 10, 20, 30, 40):
        pen.text(plot, f"tick {x}", x, 0, f"{x}°", dy=-40, ha="center", size=SMALL, color="muted")
    pen.head(plot, "What an answer costs", "on average" if wide else "", y=26)
    pen.line(plot, "curve", grid, concepts.expected_loss(grid, WEIGHTS, said, cost))
    pen.line(plot, "stem", (answer, answer), (0, top))
    pen.points(plot, "yours", [answer], [min(price[answer], top)])
    taken = []
    for k, (x, weight) in sorted(enumerate(zip(said, WEIGHTS), 1), key=lambda each: each[1][0]):
        pen.points(plot, f"says {k}", [x], [0], size=54 * np.sqrt(weight), grab=f"what hypothesis {k} predicts")
        line = next(k for k in range(3) if all(k != row or abs(x - other) * plot.scale > 26 for other, row in taken))
        pen.text(plot, f"name {k}", x, 0, f"h{'₁₂₃'[k - 1]}", dy=22 + 20 * line, halo="paper")
        taken.append((x, line))
    name = {"absolute": "weighted median", "squared": "weighted mean"}[cost]
    rows = (
        (f"you say {answer:g}", answer, "ink"),
        (f"h₁ says {first}", first, "muted"),
        (f"{name if wide else name.split()[1]} {best:.3g}", best, "best"),
    )
    for k, (words, each, role) in enumerate(rows):
        _row(pen, column, k, role, words, f"{price[each]:.3g}", min(price[each] / top, 1), wide)
    unit = {"absolute": "degree", "squared": "squared degree"}[cost]
    return (
        f"Predictions {first}, {second} and {third} with weights 0.4, 0.3 and 0.3; you pay for every {unit}. Your answer {answer:g} costs "
        f"{price[answer]:.4g} on average, what h₁ says {price[first]:.4g}, the {name}, {best:.4g}, {price[best]:.4g}, the least."
    )


WEEKS = """app, radio, neighbour, almanac, old knee, rain?
no, yes, yes, yes, yes, yes
no, yes, no, no, no, no
yes, yes, no, yes, yes, yes
no, no, no, yes, no, no
no, no, no, no, yes, no
no, yes, yes, yes, no, yes
no, yes, no, no, no, no
yes, yes, no, yes, yes, yes
no, no, no, yes, no, no
yes, yes, yes, yes, no, yes"""
ODD = """one, two, three, came
yes, no, no, no
no, yes, yes, yes
yes, no, no, no
no, yes, no, yes
yes, no, yes, no"""
SAID = dict.fromkeys(("yes", "y", "1", "true", "+"), True) | dict.fromkeys(("no", "n", "0", "false", "-", "−"), False)
MOST, DAYS = 8, 40  # forecasters, and days


@cache
def _forecasts(text):
    """The names of the forecasters, what they said, days × forecasters, and what came."""
    table = user_data.table(text, most_rows=DAYS, most_columns=MOST + 1)
    for column in table:
        for said in table[column]:
            if said.lower() not in SAID:
                names = user_data.plain(column, 14), user_data.plain(said, 14)
                raise ValueError(f"your table, column {names[0]}, must hold yes or no in every row, got {names[1]}")
    said = table.map(lambda each: SAID[each.lower()]).to_numpy(bool)
    return [user_data.plain(column, 14) for column in table.columns[:-1]], said[:, :-1], said[:, -1]


def _days(text, noise):
    names, said, came = _forecasts(text)
    return [concepts.day_by_day(said, came, noise)] * (len(came) + 1)


@player(
    (22, 80, 856, 340),
    size=(900, 440),
    narrow=((390, 600), (16, 80, 358, 500)),
    history=_days,
    step="last",
    interval=700,
    controls={
        "text": Text("your table", WEEKS, lines=3, file=True),
        "noise": Choice("wrong with probability", (0.05, 0.1, 0.2, 0.3, 0.4), 0.2),
    },
    presets={"ten days of rain": {"text": WEEKS}, "one that is always wrong": {"text": ODD}},
    looks={
        "days": {"edge": None, "width": 0},
        "track": {"color": "mist"},
        "weight": {"color": "belief"},
        "value": {"bold": True, "color": "belief", "va": "center"},
        "name": {"va": "center", "bold": True},
        "wrong": {"va": "center", "size": SMALL, "color": "muted"},
        "column": {"size": SMALL, "color": "muted"},
    },
)
def forecasters(pen, page, history, step, text, noise):
    """The reader's own forecasters, weighed each morning by their errors so far, and voting."""
    names, said, came = _forecasts(text)
    found, wide, days = history[0], pen.size[0] > 560, len(came)
    wrong, weights = said != came[:, None], found["weights"][step]
    left, span, bars, length = (150, 400, 586, 170) if wide else (0, 190, 206, 92)
    pitch = min((page.box[3] - 30) / (len(names) + 1), 58)
    pen.text(page, "head", 0, -42, f"After {step} of {days} days", size=HEAD, bold=True)
    pen.text(page, "column days", left, -12, "day by day: bold is wrong" if wide else "bold is wrong")
    pen.text(page, "column weight", bars, -12, "weight")
    size, x = min(17, 0.8 * span / days), left + span * (np.arange(days) + 0.5) / days
    looks = [{"color": role, "size": size} for role in ("mist", "rule", "muted", "ink")]
    looks = [{**look, "edge": None, "width": 0} for look in looks]
    rows = [*zip(names, wrong.T, weights), ("the vote", found["errors"]["vote"], None)]
    for k, (name, missed, weight) in enumerate(rows):
        y = pitch * (k + 0.5) + 14 * (weight is None)
        low = y + (0 if wide else 8)
        of = np.where(np.arange(days) >= step, 0, 1 + np.rint(2 * missed).astype(int))
        pen.points(page, f"days {k}", x, np.full(days, low), of=of, looks=looks)
        pen.text(
            page,
            f"name {k}",
            0,
            y - (0 if wide else 16),
            name,
            color="belief" if weight is None else "ink",
            size=LABEL if wide else SMALL,
        )
        total = float(np.sum(missed[:step]))
        words, at = (
            f"{total:g} wrong",
            (bars + length + 100, y) if wide else (374 - 16, low if weight is None else y - 16),
        )
        pen.text(page, f"wrong {k}", at[0] if not wide else 856, at[1], words, ha="right")
        if weight is not None:
            pen.bar(page, f"track {k}", bars, low - 4, length * (0.7 if wide else 1), 8)
            pen.bar(page, f"weight {k}", bars, low - 4, length * (0.7 if wide else 1) * weight, 8)
            pen.text(
                page,
                f"value {k}",
                bars + length * (0.7 if wide else 1) + 10,
                low,
                f"{weight:.2f}",
                size=LABEL if wide else SMALL,
            )
    sums = {way: float(np.sum(each[:step])) for way, each in found["errors"].items()}
    told = ", ".join(f"“{name}” {weight:.3f}" for name, weight in zip(names, weights))
    least = wrong[:step].sum(axis=0)
    errors = ", ".join(f"the {WAYS[way]} {each:.4g}" for way, each in sums.items()).replace("the random", "a random")
    return (
        f"After {step} of {days} days, each forecast assumed wrong with probability {noise:g}. Weights: {told}. "
        f"Errors: {errors}; the fewest of any forecaster, known only afterwards, {least.min()}."
    )
