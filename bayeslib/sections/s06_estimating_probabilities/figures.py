"""The live figures of section 06, estimating probabilities."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from bayeslib import data
from bayeslib.figures import steer, user_data
from bayeslib.figures.drawn import Choice, Menu, Slider, State, Stops, Text, figure, player
from bayeslib.figures.theme import HEAD, HERO, LABEL, NUMBER, SMALL
from bayeslib.models import estimates
from bayeslib.models.naive_bayes import NaiveBayes


def _rate(share):
    """.265"""
    return f"{share:.3f}".removeprefix("0")


def _stops(name, values, value):
    return Stops(name, tuple((f"{each:,g}", each) for each in values), value)


def _apart(places, widths, low, high, gap=12):
    """Centres of labels in one line, pushed apart as little as it takes and kept between low and high."""
    order, x = np.argsort(places, kind="stable"), np.array(places, float)
    for _ in range(60):
        for a, b in zip(order, order[1:]):
            push = max((widths[a] + widths[b]) / 2 + gap - (x[b] - x[a]), 0) / 2
            x[a], x[b] = x[a] - push, x[b] + push
        x = np.clip(x, low + np.array(widths) / 2, high - np.array(widths) / 2)
    return x


# April's fractions, pulled towards what all did together

NAMES, HITS, TRIES, LATER_HITS, LATER_TRIES = data.load_batting_1970().to_numpy().T
HITS, TRIES = HITS.astype(float), TRIES.astype(float)
APRIL, LATER = HITS / TRIES, LATER_HITS.astype(float) / LATER_TRIES.astype(float)
PRIORS = {"pooled": HITS.sum() / TRIES.sum(), "half": 0.5}
AT_BATS = (0, 1, 2, 5, 10, 20, 45, 100, 200, 400, 800, 10_000)
SEASON = {  # of each p the range of rates, their ticks, the range of errors
    "pooled": ((0.14, 0.42), (0.15, 0.2, 0.25, 0.3, 0.35, 0.4), (0.023, 0.07)),
    "half": ((0.14, 0.54), (0.2, 0.3, 0.4, 0.5), (0, 0.25)),
}


def _error(guesses):
    return float(np.sqrt(np.mean((guesses - LATER) ** 2)))


def _guesses(m, p):
    return estimates.m_estimate(HITS, TRIES, PRIORS[p], m)


@figure(
    (192, 89, 438, 355),
    (676, 22, 202, 436),
    (676, 226, 202, 176),
    size=(900, 480),
    narrow=((390, 572), (126, 68, 250, 332), (14, 430, 140, 130), (178, 462, 200, 52)),
    controls={
        "m": _stops("m, virtual tries", AT_BATS, 0),
        "p": Choice("p", ((".265, all together", "pooled"), ("½", "half")), "pooled"),
        "man": Menu("one man", ("all", *NAMES), "all"),
        "october": State(True),
    },
    presets={
        "April": {"october": False},
        "m = 0": {"m": 0, "p": "pooled", "october": True},
        "m = 2": {"m": 2, "p": "pooled", "october": True},
        "m = 45": {"m": 45, "p": "pooled", "october": True},
        "m = 200": {"m": 200, "p": "pooled", "october": True},
        "everyone p": {"m": 10_000, "p": "pooled", "october": True},
        "p = ½": {"m": 45, "p": "half", "october": True},
    },
    keys={**steer.along("m", AT_BATS), **steer.around("man", ["all", *NAMES], keys=steer.DOWN)},
    help="Left and right arrows change m; up and down arrows pick out one man.",
    main=("m",),
    unlocks={"06/october": ["october", "m", "p", "man"]},
    looks={
        "left of April": {"color": "belief_wash", "z": 0.5, "clip": False},
        "everyone": {"color": "prior", "width": 2.2, "z": 1, "clip": False},
        "grid": {"color": "rule", "width": 1, "z": 0.1, "clip": False},
        "tick": {"color": "muted", "size": SMALL},
        "string": {"color": "belief_tint", "width": 2.4, "z": 1.5},
        "pulls": {"color": "evidence_tint", "width": 3.2, "z": 2},
        "gaps": {"width": 2.1, "z": 3.5},
        "name": {"size": SMALL, "ha": "right", "va": "center"},
        "word": {"size": SMALL, "bold": True, "ha": "center"},
        "lifted": {"size": SMALL, "bold": True, "ha": "center", "halo": "paper", "z": 9},
        "divider": {"color": "rule", "width": 1, "clip": False},
        "hero": {"size": HERO, "bold": True},
        "curve": {"color": "muted", "width": 2.2},
        "jump": {"color": "muted", "width": 2, "dash": (1, 4)},
        "end yours": {"color": "evidence", "size": 10, "width": 1.5},
        "end mine": {"color": "prior", "size": 10, "width": 1.5},
        "now": {"size": 16, "width": 2, "z": 4},
        "says": {"size": SMALL, "color": "muted"},
    },
)
def batting(pen, field, side, curve, m, p, man, october):
    """Eighteen men, one row each: April's fraction, the guess it is pulled to, and the rest of the season."""
    october = october or m > 0 or p == "half" or man != "all"  # what is moved is shown
    wide, prior, (limits, ticks, errors) = pen.size[0] > 560, PRIORS[p], SEASON[p]
    guess, rows = _guesses(m, p), np.arange(len(NAMES))
    field.limits(limits, (len(NAMES) - 0.5, -0.5))
    helped = np.abs(guess - LATER) < np.abs(APRIL - LATER) - 1e-12
    lift = list(NAMES).index(man) if man != "all" else None
    dim = lift is not None
    for value in ticks:
        pen.line(field, f"grid {value}", [value] * 2, [-0.5, 17.6])
        pen.text(field, f"tick {value}", value, 17.5, _rate(value), dy=-9, ha="center", va="top")
    pen.line(field, "everyone", [prior] * 2, [-0.6, 17.6])
    for k, name in enumerate(NAMES):
        grey = dim and lift != k or m > 0 and not helped[k]
        look = {"color": "muted" if grey else "ink", "bold": lift == k, "dx": -20 if wide else -15}
        pen.text(field, f"name {k}", limits[0], k, name if wide else name.split()[-1], **look)
    size = 1 if wide else 0.86
    of = np.where(rows == lift, 0, 1) if dim else 0 * rows
    looks = [{"color": "evidence", "size": 12.4 * size}, {"color": "evidence_tint", "size": 12.4 * size}]
    pen.points(field, "april", APRIL, rows, of=of, looks=looks, width=1.2)
    if wide:
        pen.text(field, "tick name", limits[0], 17.5, "successes per try", dx=-20, dy=-9, ha="right", va="top")
    if not october:
        return _bet(pen, field, side, wide)

    # How far each is pulled, where that leaves him, and by how much it misses
    pen.area(field, "left of April", [*zip(guess, rows), (prior, 17), (prior, 0)])
    pen.line(field, "string", guess, rows)
    pen.segments(field, "pulls", [[(a, k), (g, k)] for k, a, g in zip(rows, APRIL, guess)])
    reach = 7.2 * size / field.scale
    miss = np.where(np.abs(LATER - guess) > reach, LATER - reach * np.sign(LATER - guess), guess)
    ends = [[(g, k), (end, k)] for k, g, end in zip(rows, guess, miss)]
    pen.segments(field, "gaps", ends, color="rule" if dim else "ink")
    ring = {"color": None, "edge": "ink", "width": 2.1, "size": 14.4 * size}
    pen.points(field, "later", LATER, rows, of=of, looks=[ring, {**ring, "edge": "rule"}], z=4)
    looks = [{"color": "belief", "size": 9 * size}, {"color": "belief_tint", "size": 9 * size}]
    pen.points(field, "guesses", guess, rows, of=of, looks=looks, width=1.2, z=5)
    low, high = field.box[0] - (0 if wide else 9), field.box[0] + field.box[2] + (14 if wide else 6)

    def words(name, places, texts, colours, y, dy):
        widths = [pen.width(text, SMALL, True) for text in texts]
        at = _apart(field.pixels(places, [0] * len(places))[:, 0], widths, low, high, 12 if name == "word" else 6)
        for number, (x, text, colour) in enumerate(zip(at, texts, colours)):
            ((x, _),) = field.data([[x, 0]])
            pen.text(field, f"{name} {number}", x, y, text, dy=dy, color=colour)
        return min(at - np.array(widths) / 2)

    top = 12 if wide else 9
    if m:
        texts, colours = ("April", "guess", "rest of 1970"), ("evidence_text", "belief", "ink")
        left = words("word", [APRIL[0], guess[0], LATER[0]], texts, colours, -0.5, top)
    else:
        left = words("word", [APRIL[0], LATER[0]], ("guess = April", "rest of 1970"), ("belief", "ink"), -0.5, top)
    said = ("all together " if wide else "all ") + _rate(prior) if p == "pooled" else "p = ½"
    ((pale, _),) = field.pixels([prior], [0])
    end = min(pale - 7, left - 14)
    if p == "pooled":
        if end - pen.width(said, SMALL) > 4:
            ((x, _),) = field.data([[end, 0]])
            pen.text(field, "says everyone", x, -0.5, said, dy=top, ha="right")
    elif wide:
        pen.text(field, "says everyone", prior, 17, said, dx=5, va="center")
    if dim:
        pen.segments(field, "pull lifted", [[(APRIL[lift], lift), (guess[lift], lift)]], color="evidence", width=3.2)
        pen.segments(field, "gap lifted", [[(guess[lift], lift), (miss[lift], lift)]], width=2.1, z=3.6)
        three = [APRIL[lift], guess[lift], LATER[lift]]
        words("lifted", three, [*map(_rate, three)], ("evidence_text", "belief", "ink"), lift, 9 if lift else -24)

    # The panel settles the bet: the ends of its curve are the two bettors
    now, plain, flat = _error(guess), _error(APRIL), _error(np.full(len(NAMES), prior))
    said = f"each start counts 45 of {45 + m:,}" if m else "April, taken at its word"
    head = (f"m = {m:,}" + (" virtual tries" if wide else "")) if m else "m = 0"
    start = field.data([[22 if wide else 14, 36 if wide else 28]])[0]
    pen.text(field, "head", *start, head, size=HEAD, bold=True)
    pen.text(field, "head clause", *start, said, dx=10, after="head", color="muted", size=LABEL if wide else SMALL)
    pen.text(side, "panel head", 0, 14, "Error", size=HEAD, bold=True)
    y, size = (90, HERO) if wide else (54, 34)
    pen.text(side, "hero", -2, y, _rate(now), size=size)
    pen.text(side, "closer", 0, y + 30, f"{helped.sum()} of 18" if m else "all 18", bold=True)
    pen.text(side, "closer than", 0, y + 30, "closer" if m else "unmoved", dx=7, after="closer")
    if wide:
        pen.line(side, "divider", [-22, -22], [4, 436])
        pen.text(side, "panel clause", 0, 14, "a typical miss", dx=10, after="panel head", color="muted")
        if m and not dim and not helped.all():
            pen.text(side, "says grey", 0, y + 53, "the names in grey aren’t")
    width, height = curve.box[2:]
    curve.limits((0, width), errors if wide or p == "half" else (0.03, 0.07))
    zero, one, last = 7, 36 if not wide else 30, width - 16
    foot = curve.y[0] - (14 if wide else 12) * (curve.y[1] - curve.y[0]) / height

    def across(value):
        return zero if value == 0 else one + np.log10(value) / 4 * (last - one)

    spread = np.geomspace(1, 10_000, 49)
    heights = [_error(_guesses(each, p)) for each in spread]
    pen.line(curve, "curve", [*map(across, spread)], heights, clip=False)
    pen.line(curve, "jump", [zero, one], [plain, heights[0]], clip=False)
    pen.points(curve, "end yours", [zero], [plain])
    pen.points(curve, "end mine", [last], [flat])
    pen.points(curve, "now", [across(m)], [now])
    pen.line(curve, "foot", [0, width], [foot] * 2, color="rule", width=1, clip=False)
    for value, label in {0: "0", 1: "1", 10: "10", 100: "100", 1000: "1k", 10_000: "10k"}.items():
        if wide or value != 1:
            pen.text(curve, f"tick m{value}", across(value), foot, label, dy=-8, ha="center", va="top")
    yours, mine = ("own start ", "all alike ") if wide else ("", "")
    below = p == "pooled" and wide
    place = {"dy": 14} if p == "pooled" else {"dy": -25 if wide else 12}
    pen.text(
        curve, "says yours", zero, plain, yours + _rate(plain), dx=-7, color="evidence_text", halo="paper", **place
    )
    pen.text(
        curve, "says mine", last, flat, mine + _rate(flat), dx=14, dy=-33 if below else 12, ha="right", halo="paper"
    )
    if wide:
        pen.text(curve, "tick name", width, foot, "m, virtual tries", dy=-30, ha="right", va="top")

    worse = ", ".join(name.split()[-1] for name, each in zip(NAMES, helped) if not each) if m else ""
    one = f" {man}: {APRIL[lift]:.3f} in April, guess {guess[lift]:.3f}, then {LATER[lift]:.3f}." if dim else ""
    if not m:
        return f"Error: plain fractions {plain:.4f}, everyone {prior:.1%} {flat:.4f}.{one}"
    return (
        f"m = {m}, p = {prior:.3f}: each start counts 45 of {45 + m}. Error {now:.4f}; plain fractions {plain:.4f}, "
        f"everyone {prior:.1%} {flat:.4f}. Not closer than his own start: {worse or 'nobody'}.{one}"
    )


def _bet(pen, field, side, wide):
    """April alone, and what is bet on."""
    start, pooled = field.data([[22 if wide else 14, 36 if wide else 28]])[0], PRIORS["pooled"]
    pen.text(field, "head", *start, "After 45 tries each", size=HEAD, bold=True)
    if wide:
        said = "who will do how well in the rest of 1970?"
        pen.text(field, "head clause", *start, said, dx=10, after="head", color="muted")
    pen.text(
        field, "word 0", APRIL[0], -0.5, "18 of 45", dy=12 if wide else 9, dx=0 if wide else -14, color="evidence_text"
    )
    pen.text(
        field, "says everyone", pooled, -0.5, f"all together {_rate(pooled)}", dx=-7, dy=12 if wide else 9, ha="right"
    )
    if not wide:
        for line, words in enumerate(
            ("You take each man’s own start.", f"I won’t even look: {_rate(pooled)}, 18 times.")
        ):
            pen.text(side, f"bet {line}", 0, 36 + 26 * line, words)
        pen.text(side, "asked", 0, 96, "Who comes closer?", bold=True)
    else:
        pen.line(side, "divider", [-22, -22], [4, 436])
        pen.text(side, "panel head", 0, 14, "The bet", size=HEAD, bold=True)
        numbers = f"{_rate(max(APRIL))} … {_rate(min(APRIL))}", _rate(pooled)
        roles, what = ("evidence_text", "belief"), ("each man’s own start", "eighteen times")
        for k, who in enumerate(("you take", "I won’t even look")):
            pen.text(side, f"bet {k}", 0, 82 + 130 * k, who, color="muted")
            pen.text(side, f"bet number {k}", 0, 116 + 130 * k, numbers[k], size=NUMBER, bold=True, color=roles[k])
            pen.text(side, f"bet what {k}", 0, 140 + 130 * k, what[k])
            pen.line(side, f"divider {k}", [0, 202], [174 + 130 * k] * 2)
        pen.text(side, "asked", 0, 368, "Who comes closer in\nthe rest of 1970?", bold=True)
    return (
        f"Eighteen men, 45 tries each, from {min(APRIL):.1%} to {max(APRIL):.1%}. The line is the average of all, {pooled:.1%}. "
        "October is still covered."
    )


# Belief about a share: a sheet that every day tilts

THETA = np.linspace(0, 1, 121)
EDGE = 1e-4  # a density may be infinite at 0 and 1
MOST, SINGLY = 500, 10  # days in all, and days that are drawn one by one


def _number(value):
    """4/7 where it is a small fraction, else three digits."""
    found = Fraction(value).limit_denominator(60)
    if value in (0, 1) or abs(float(found) - value) > 1e-9:
        return f"{value:g}" if value in (0, 1) else _rate(value)
    return f"{found.numerator}/{found.denominator}"


def _sheets(days):
    """The days that have arrived at each step: one more each, or of many none and all."""
    return [days[:k] for k in range(len(days) + 1)] if len(days) <= SINGLY else ["", days]


def _more(day):
    """One more day arrives after those that have."""

    def add(values):
        days = (_sheets(values["days"])[values["step"]] + day)[:MOST]
        return {"days": days, "step": len(_sheets(days)) - 1}

    return add


@player(
    (44, 72, 812, 216),
    size=(900, 410),
    narrow=((390, 556), (24, 118, 342, 232)),
    history=_sheets,
    step="last",
    pace=600,
    interval=1500,
    controls={
        "ahead": Choice("next days", (("hide", False), ("show", True)), False),
        "days": State("SSSWW"),
        "prior": State(1.0),
    },
    presets={
        "3 of 5": {"days": "SSSWW", "prior": 1.0, "step": 5},
        "30 of 50": {"days": "SSSWW" * 10, "prior": 1.0, "step": 1},
        "300 of 500": {"days": "SSSWW" * 100, "prior": 1.0, "step": 1},
        "prior Beta(½, ½)": {"days": "SSSWW", "prior": 0.5, "step": 0},
    },
    actions={"strong": _more("S"), "weak": _more("W")},
    keys={"ArrowUp": _more("S"), "ArrowDown": _more("W")},
    help="Right arrow: the next day arrives, left arrow: it leaves. Up arrow adds a strong day, down arrow a weak one.",
    unlocks={"06/next-two": ["ahead"]},
    looks={
        "first": {"color": "belief_wash", "edge": "belief_tint", "width": 1.8, "z": 1},
        "sheet": {"color": "belief_tint", "edge": "belief", "width": 3.4, "z": 2},
        "earlier": {"color": "prior", "width": 1.8, "z": 3},
        "axis": {"color": "muted", "width": 1.2, "z": 4.2, "clip": False},
        "tick": {"color": "muted", "size": SMALL, "ha": "center"},
        "word": {"color": "muted", "size": SMALL, "halo": "belief_wash"},
        "strip": {"color": "belief", "z": 5, "clip": False},
        "end": {"color": "paper", "size": SMALL, "bold": True, "z": 6},
        "stem": {"color": "belief", "width": 3, "z": 5},
        "mean": {"color": "belief", "size": 18, "width": 2.6, "z": 9},
        "says mean": {"color": "belief", "size": SMALL, "bold": True, "halo": "belief_tint"},
        "peak": {"color": "paper", "edge": "belief", "size": 14, "width": 2.6, "z": 8},
        "hero": {"color": "belief", "size": HERO, "bold": True, "z": 9},
        "you said": {"color": "prior", "width": 2, "z": 4.6},
        "you said foot": {"color": "paper", "edge": "prior", "size": 13, "width": 2.2, "z": 8.5},
        "day": {"color": "evidence", "clip": False},
        "ramp": {"color": "evidence_tint", "z": 0.5, "clip": False},  # below its day, whichever was made first
        "next": {"color": "paper", "edge": "belief", "width": 1.6, "clip": False},
    },
)
def beta_flips(pen, field, history, step, prior, ahead, days):
    """Belief about the share of strong days as they arrive: each day is a ramp, and the belief is the product of the ramps."""
    coming, days, few = days, history[step], len(history) > 2 or len(days) < 2
    wide, strong, weak = pen.size[0] > 560, days.count("S"), days.count("W")
    a, b = estimates.beta_posterior(prior, prior, strong, weak)
    before = estimates.beta_posterior(prior, prior, days[:-1].count("S"), days[:-1].count("W"))
    now, earlier, first = (
        estimates.beta_density(np.clip(THETA, EDGE, 1 - EDGE), *each) for each in ((a, b), before, (prior, prior))
    )
    tall = max(2.35, 1.16 * now[2:-2].max(), 1.05 * earlier[2:-2].max() if few and days else 0)
    field.limits((0, 1), (0, tall))
    mean = estimates.beta_mean(a, b)
    mode = None if a == b <= 1 else estimates.beta_mode(a, b)

    def height(at, sheet=now):
        return float(min(np.interp(at, THETA, sheet), tall))

    # The sheet, what it was at first, and what it was a day earlier
    top = 1.1 * tall  # beyond the panel, as are the other edges of a sheet
    for name, sheet in (("first", [1.0] if prior == 1 else first), ("sheet", now)):
        across = THETA if len(sheet) > 1 else [0.5]
        edge = [(-0.02, sheet[0]), *zip(across, sheet), (1.02, sheet[-1])]
        pen.area(field, name, [(-0.02, -0.1 * tall), *np.minimum(edge, [2, top]), (1.02, -0.1 * tall)])
    if len(days) > 1 and few:
        pen.line(field, "earlier", THETA, np.minimum(earlier, top))
    pen.line(field, "axis", (0, 1), (0, 0))
    for value, words in {0: "0", 0.25: ".25", 0.5: ".5", 0.75: ".75", 1: "1"}.items():
        pen.text(field, f"tick {value}", value, 0, words, dy=-23)
    head, clause = (
        f"{strong} strong, {weak} weak" if days else "No day yet",
        "belief about θ, the true share of strong days",
    )
    if wide:
        pen.text(field, "head", 0, tall, head, dx=-22, dy=32, size=HEAD, bold=True)
        pen.text(field, "clause", 0, tall, clause, dx=10, dy=32, after="head", color="muted")
    else:
        pen.text(field, "head", 0, tall, head, dx=-10, dy=84, size=HEAD, bold=True)
        pen.text(field, "clause", 0, tall, clause.replace("true ", ""), dx=-10, dy=58, size=SMALL, color="muted")
    flat = "every share is equally credible" if not days and prior == 1 else ""
    pen.text(field, "flat word", 0.5, 1, flat, dy=14, ha="center", color="belief")
    if days and few and first[0] > 0.2 * tall and max(now[:32].max(), earlier[:32].max()) < 0.8 * first[:32].min():
        pen.text(field, "word first", 0, first[0], "at first", dx=8, dy=-22)

    if not pen.waiting:
        _bets(pen, field, a, b, mode, height, wide, bool(days))
    if pen.guess is not None:
        pen.line(field, "you said", [pen.guess] * 2, [0, height(pen.guess)])
        pen.points(field, "you said foot", [pen.guess], [0])
        words = f"{pen.reader} said {_number(pen.guess)}"
        place = {"dx": -13, "ha": "right"} if pen.guess < mean else {"dx": 13}
        pen.text(field, "said word", pen.guess, 0, words, dy=12, size=SMALL, halo="belief_tint", z=9, **place)
    _ramps(pen, field, days, coming if few else days, a, b, ahead and not pen.waiting)

    low, high = estimates.beta_interval(a, b)
    said = f"Prior Beta({prior:g}, {prior:g}); {strong} strong, {weak} weak"
    if pen.waiting:
        return "Every share θ from 0 to 1 is equally credible. Five days are about to arrive."
    peak = f"peak {mode:.4f}" if mode is not None else "flat, no peak" if prior == 1 else "highest at both ends"
    two = f" Next day strong {mean:.4f}, next two {mean * (a + 1) / (a + b + 1):.4f}." if ahead else ""
    return f"{said}: Beta({a:g}, {b:g}), mean {mean:.4f}, {peak}, 90% between {low:.3f} and {high:.3f}.{two}"


def _bets(pen, field, a, b, mode, height, wide, days):
    """The mean to bet with, the peak, and the middle 90%."""
    mean, (low, high), scale, tall = a / (a + b), estimates.beta_interval(a, b), field.scale, field.y[1]
    foot = tall / field.box[3]
    pen.bar(field, "strip", low, -33 * foot, high - low, -22 * foot)
    width = (high - low) * scale
    name = "90% of the belief" if width > 270 else "90%"
    if width > 44:
        pen.text(field, "end name", (low + high) / 2, 0, name, dy=-50, ha="center")
    else:
        place = {"dx": 8} if high < 0.9 else {"dx": -8 - width, "ha": "right"}
        pen.text(field, "end name", high, 0, name, dy=-50, color="belief", **place)
    if width > 150:
        pen.text(field, "end low", low, 0, f"{low:.2f}".removeprefix("0"), dx=8, dy=-50)
        pen.text(field, "end high", high, 0, f"{high:.2f}".removeprefix("0"), dx=-8, dy=-50, ha="right")
    pen.line(field, "stem", [mean] * 2, [0, height(mean)])
    pen.points(field, "mean", [mean], [0])
    aside = -1 if pen.guess is None or pen.guess >= mean else 1
    if 0.2 < mean < 0.8 and height(mean + aside * (0.08 if wide else 0.16)) > 0.2 * tall:
        pen.text(field, "says mean", mean, 0, "mean", dx=13 * aside, dy=12, ha="right" if aside < 0 else "left")
    if mode is not None and days:
        right = mode < 0.75
        pen.points(field, "peak", [mode], [height(mode)])
        place = {"dx": 14 if right else -14, "dy": 8, "ha": "left" if right else "right"}
        pen.text(field, "says peak", mode, height(mode), f"peak {_number(mode)}", halo="paper", **place)
    left = mean >= 0.45
    x, ha, dx = (0, "left", -2) if left else (1, "right", 0)
    dx += 76 if a == b < 1 else 0  # beside a sheet that is high at both ends
    pen.text(field, "hero", x, tall, _number(mean), dx=dx, dy=-34 if wide else -30, ha=ha)
    pen.text(field, "says hero", x, tall, "bet on strong", dx=dx + 2 * left, dy=-64 if wide else -60, ha=ha)


def _ramps(pen, field, days, coming, a, b, ahead):
    """The days as ramps in a row, those that are coming pale; and what to expect of the next ones."""
    wide, size = pen.size[0] > 560, 24
    left, base = (22, 370) if wide else (14, 432)

    def tile(name, x, y, strong, **look):
        corners = [(x, y + size), (x + size, y + size), (x + size * strong, y)]
        pen.area(field, name, field.data(corners), **look)

    def words(name, x, y, text, **look):
        ((u, v),) = field.data([[x, y + size - 4]])
        pen.text(field, name, u, v, text, **look)
        return x + pen.width(text, look.get("size", LABEL), look.get("bold", False))

    x, y = left, base
    if len(coming) <= SINGLY:
        for k, day in enumerate(coming):
            tile(f"ramp {k}", x, y, day == "S")
            if k < len(days):
                tile(f"day {k}{day}", x, y, day == "S")
            x += size + 5
        for k, kind in product(range(len(days), len(days) + 5), "SW"):  # as large as the sheet, until their day comes
            corners = [(0, 0), (1, 0), (kind == "S", field.y[1])]
            pen.area(field, f"day {k}{kind}", corners, alpha=1e-6)
    else:
        for kind in "SW":
            if days.count(kind):
                tile(f"day {kind}", x, y, kind == "S")
                x = words(f"count {kind}", x + size + 7, y, f"× {days.count(kind)}", bold=True) + 20
    if not days and not ahead:
        look = {"color": "muted", "size": LABEL if wide else SMALL}
        x = words("each", x + 8, y, "strong × θ, weak × (1 − θ)", **look)
    if not ahead:
        return
    mean, two = a / (a + b), a / (a + b) * (a + 1) / (a + b + 1)
    x, y = (x + 34, y) if wide else (left, y + size + 20)
    tile("next 0", x, y, True)
    x = words("says next", x + size + 10, y, "next") + 7
    x = words("share next", x, y, _number(mean), color="belief", bold=True)
    x, y = (x + 26, y) if wide else (left, y + size + 16)
    tile("next 1", x, y, True)
    tile("next 2", x + size + 5, y, True)
    x = words("two", x + 2 * size + 15, y, "next two") + 7
    x = words("share two", x, y, _rate(two), color="belief", bold=True) + 9
    square = f"{_number(mean)} · {_number(mean)} = " if wide else ""
    if two - mean**2 > 0.0015:
        words("two not", x, y, f"not {square}{_rate(mean**2)}", color="muted")


# Real buyers and imaginary ones

SELLERS = {"A": (4, 4), "B": (95, 100)}
DEEP, MOST_VIRTUAL = 5, 20  # balls in a column, and imaginary buyers of each seller


@figure(
    (70, 66, 560, 112),
    (70, 208, 560, 112),
    (70, 372, 760, 62),
    size=(900, 500),
    narrow=((390, 480), (40, 96, 336, 66), (40, 218, 336, 66), (24, 344, 342, 62)),
    controls={
        "m": Slider("m, imaginary buyers each", 0, MOST_VIRTUAL, 2),
        "p": Slider("p, the share of them that is happy", 0.0, 1.0, 0.5, step=0.05),
    },
    presets={
        "m = 0": {"m": 0},
        "m = 2, p = 0.5": {"m": 2, "p": 0.5},
        "m = 2, p = 0.95": {"m": 2, "p": 0.95},
        "m = 20, p = 0.95": {"m": 20, "p": 0.95},
    },
    keys={**steer.by("m"), **steer.by("p", 0.05, keys=steer.UP)},
    help="Left and right arrows take away and add imaginary buyers; drag p on the axis, or use up and down arrows.",
    drag={"p grip": ("p", None)},
    main=("m", "p"),
    unlocks={"06/sellers-again": ["p"]},
    looks={
        "who": {"size": NUMBER, "bold": True, "va": "center"},
        "estimate": {"color": "belief", "size": NUMBER, "bold": True},
        "sum": {"color": "muted"},
        "rings": {"color": "belief_wash", "edge": "prior", "width": 1.8, "z": 2},
        "shares": {"color": "belief", "z": 3},
        "axis": {"color": "rule", "width": 1, "clip": False},
        "tick": {"color": "muted", "size": SMALL, "ha": "center", "va": "top"},
        "p line": {"color": "prior", "width": 2.2, "clip": False},
        "p grip": {
            "color": "paper",
            "edge": "prior",
            "size": 15,
            "width": 2.6,
            "z": 6,
            "grab": "p, the share of happy imaginary buyers",
        },
        "pull": {"color": "evidence_tint", "width": 4, "z": 2.5, "clip": False},
        "own": {"color": "evidence", "size": 13, "width": 1.4},
        "dot": {"size": 17, "width": 2.4, "z": 5},
        "dot name": {"size": SMALL, "bold": True, "va": "center", "halo": "paper"},
        "swap": {"width": 1.6, "dash": (4, 4), "clip": False},
    },
)
def two_sellers(pen, row_a, row_b, axis, m, p):
    """Two sellers' buyers as balls, the same m imaginary ones beside each, and both m-estimates on one axis."""
    wide, foot = pen.size[0] > 560, axis.box[3]
    found = {name: estimates.m_estimate(hits, tries, p, m) for name, (hits, tries) in SELLERS.items()}
    ahead = abs(found["A"] - found["B"]) > 1e-9 and max(found, key=found.get)
    happy = np.clip(m * p - np.arange(MOST_VIRTUAL), 0, 1)  # how much of each imaginary buyer is
    pitch, role = 22 if wide else 13, "belief" if m else "evidence_text"
    head = (
        (f"m = {m} imaginary buyer{'s' if m > 1 else ''} each" if wide else f"m = {m} imaginary each")
        if m
        else "Real buyers"
    )
    row_a.limits((0, row_a.box[2]), (row_a.box[3], 0))
    pen.text(row_a, "head", -48 if wide else -26, -30 if wide else -68, head, size=HEAD, bold=True)
    clause = f"{p:.0%} {'of them happy' if wide else 'happy'}" if m else "filled: happy; hollow: not"
    pen.text(
        row_a,
        "clause",
        0,
        -30 if wide else -68,
        clause,
        dx=10,
        after="head",
        color="muted",
        size=LABEL if wide else SMALL,
    )

    axis.limits((0, 1), (foot, 0))
    pen.line(axis, "axis", (0, 1), [foot] * 2)
    for value in (0, 0.25, 0.5, 0.75, 1):
        pen.text(axis, f"tick {value}", value, foot, f"{value:g}".replace("0.", "."), dy=-13)
    if m:
        pen.line(axis, "p line", [p, p], [-2, foot])
        pen.points(axis, "p grip", [p], [foot])
        shift = 20 * (p < 0.05) - 20 * (p > 0.95)
        pen.text(axis, "p says", p, -8, f"p = {p:g}", dx=shift, ha="center", color="muted", size=SMALL)
    for row, (panel, (name, (hits, tries))) in enumerate(zip((row_a, row_b), SELLERS.items())):
        number = np.arange(tries)
        real = (np.column_stack([number // DEEP, number % DEEP]) + 0.5) * pitch
        looks = [{"color": "evidence"}, {"color": "paper", "edge": "evidence", "width": 2}]
        pen.points(panel, f"buyers {name}", *real.T, of=np.where(number < hits, 0, 1), looks=looks, size=0.8 * pitch)
        number = np.arange(MOST_VIRTUAL)  # they wait above the page until they are asked for
        y = np.where(number < m, (number % DEEP + 0.5) * pitch, -panel.box[1] - 40)
        place = real[-1, 0] + (1.4 + number // DEEP) * pitch, y
        pen.points(panel, f"rings {name}", *place, size=0.8 * pitch, clip=False)
        pen.wedges(panel, f"shares {name}", *place, 0 * happy, happy, size=0.64 * pitch)
        pen.text(panel, f"who {name}", -48 if wide else -26, 2.5 * pitch, name)
        x, y = (panel.box[2] + 36, 48) if wide else (0, -12)
        pen.text(panel, f"estimate {name}", x, y, _rate(found[name]) if found[name] < 1 else "1", color=role)
        if ahead == name:
            pen.text(panel, f"leads {name}", x, y, "leads", dx=10, after=f"estimate {name}", bold=True)
        said = f"({hits} + {m * p:g}) / ({tries} + {m})" if m else f"{hits} / {tries}"
        place = {"y": y + 28} if wide else {"y": y, "ha": "right"}
        pen.text(panel, f"sum {name}", x if wide else panel.box[2], words=said, size=LABEL if wide else SMALL, **place)
        # On the axis: the own fraction, pulled towards p
        y = 14 + 28 * row
        pen.line(axis, f"pull {name}", [hits / tries, found[name]], [y, y])
        pen.points(axis, f"own {name}", [hits / tries], [y])
        pen.points(axis, f"dot {name}", [found[name]], [y], color="belief" if m else "evidence")
        side = {"dx": -14, "ha": "right"} if found[name] > 0.12 else {"dx": 14}
        pen.text(axis, f"dot name {name}", found[name], y, name, color=role, **side)

    if wide or p == 0.5:
        pen.text(axis, "tick name", 0, foot, "share of happy buyers", dx=-8, dy=-38, ha="left")

    # With one m the lead changes at one p, if at all
    both = ", ".join(f"{name} {share:.3f}" for name, share in found.items())
    if not m:
        coming = "Two imaginary buyers are on their way to each." if pen.waiting else f"Nobody imaginary: {both}."
        return f"Seller A, 4 of 4. Seller B, 95 of 100. {coming}"
    (a, n), (b, k) = SELLERS.values()
    swap = (b * (n + m) - a * (k + m)) / (m * (k - n))
    when = ""
    if pen.answered("06/sellers-again") or p != 0.5:
        pen.line(axis, "swap", [swap, swap], [-2, foot])
        words = f"lead changes at {_rate(swap)}"
        pen.text(axis, "swap says", swap, foot, words, dx=62 if wide else 14, dy=-38, va="top", ha="right", size=SMALL)
        when = f" With this m, A leads for every p above {swap:.3f}."
    return f"m = {m}, p = {p:g}: {both}; {ahead or 'nobody'} leads.{when}"


# Naive Bayes over all days, with virtual days in every column

TENNIS = data.load_play_tennis()
COLUMNS = {name: list(dict.fromkeys(TENNIS[name])) for name in TENNIS.columns[:4]}
DAYS = [list(day) for day in product(*COLUMNS.values())]
ADD_ONE = "add one"  # as many virtual days as a column has values
VIRTUAL = (0, 0.1, 0.5, 1, 2, ADD_ONE, 3, 5, 10, 20, 30, 100, 1000)
VETOED = DAYS.index(["overcast", "cool", "high", "strong"])


@cache
def _classifier(m):
    """(naive Bayes with m virtual days a column, P(no) of every day)"""
    model = NaiveBayes(m="laplace" if m == ADD_ONE else m, domains=COLUMNS)
    model.fit(TENNIS[[*COLUMNS]], TENNIS["PlayTennis"])
    return model, model.predict_proba(DAYS)[:, model.classes_.tolist().index("no")]


def _day_at(x, y):
    """The number of the day whose tile is at a place of the field, in tiles with gaps."""
    group, high = int(np.clip(x // 3.15, 0, 2)), int(np.clip(y // 2.15, 0, 1))
    across, down = int(np.clip(x - 3.15 * group, 0, 2)), int(np.clip(y - 2.15 * high, 0, 1))
    return 12 * group + 4 * across + 2 * high + down


def _corner(day):
    """(x, y) of a day's tile: outlook and temperature across, humidity and wind down."""
    (group, across), (high, down) = divmod(day // 4, 3), divmod(day % 4, 2)
    return np.array([3.15 * group + across, 2.15 * high + down])


def _walk(x, y):
    """A step of the frame to another tile."""

    def move(values, _):
        across, down = divmod(values["day"], 4)
        return {"day": int(4 * np.clip(across + x, 0, 8) + np.clip(down + y, 0, 3))}

    return move


WAYS = {"ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "ArrowUp": (0, -1), "ArrowDown": (0, 1)}


@figure(
    (144, 106, 492, 268),
    (676, 22, 202, 352),
    size=(900, 394),
    narrow=((390, 710), (128, 92, 248, 390), (14, 514, 362, 190)),
    controls={
        "m": Stops("m, virtual days a column", tuple((f"{each}", each) for each in VIRTUAL), 0),
        "day": State(VETOED),
    },
    presets={"m = 0": {"m": 0}, "m = 1": {"m": 1}, "m = 3": {"m": 3}, "add one": {"m": ADD_ONE}, "many": {"m": 1000}},
    keys=steer.along("m", VIRTUAL),
    help="Left and right arrows change m; drag the frame to another day, or move it with the arrow keys when it has the focus.",
    drag={"frame": lambda values, name, x, y: {"day": _day_at(x, y)}},
    mark_keys={key: ("frame the next day", _walk(*way)) for key, way in WAYS.items()},
    looks={
        "tiles": {"color": "mist", "z": 0.5, "clip": False},
        "levels": {"color": "case_tint", "clip": False},
        "changed": {"color": "belief", "z": 3, "clip": False},
        "frame": {"color": None, "edge": "belief", "width": 3.4, "z": 4, "clip": False, "grab": "the framed day"},
        "share": {"size": SMALL, "ha": "center", "va": "center", "z": 3.5},
        "name": {"size": SMALL, "color": "muted"},
        "asked": {"size": 90, "bold": True, "color": "sediment", "ha": "center", "va": "center"},
        "hero": {"color": "belief", "size": HERO, "bold": True},
        "factor": {"size": SMALL},
        "clue": {"size": SMALL},
        "sum": {"size": SMALL, "ha": "right", "bold": True},
        "play": {"size": SMALL, "ha": "right", "bold": True},
        "rule": {"color": "rule", "width": 1, "clip": False},
    },
)
def smoothed_days(pen, field, side, m, day):
    """All 36 days of PlayTennis as glasses, filled as far as naive Bayes believes in no tennis."""
    wide = pen.size[0] > 560
    ends = (9.3, 4.15) if wide else (4.15, 9.3)
    field.limits((0, ends[0]), (ends[1], 0))

    def place(number):
        return _corner(number) if wide else _corner(number)[::-1]

    corners = np.array([place(number) for number in range(len(DAYS))])
    gap = np.array([1.5 / field.scale, 1.5 * (field.y[0] - field.y[1]) / field.box[3]])

    def boxes(numbers, low=0.0, high=1.0):
        """The part of each tile from `low` to `high`, seen from its foot."""
        for number, a, b in zip(numbers, np.broadcast_to(low, len(numbers)), np.broadcast_to(high, len(numbers))):
            (x, y), (w, h) = corners[number] + gap, 1 - 2 * gap
            yield [(x, y + h * (1 - b)), (x + w, y + h * (1 - b)), (x + w, y + h * (1 - a)), (x, y + h * (1 - a))]

    every = np.arange(len(DAYS))
    pen.area(field, "tiles", *boxes(every))
    outlooks, temperatures, humidities, winds = COLUMNS.values()
    for k, outlook in enumerate(outlooks):
        x, y = (3.15 * k + 1.5, 0) if wide else (0, 3.15 * k + 1.5)
        if wide:
            pen.text(field, f"outlook {k}", x, y, outlook, dy=32, ha="center", bold=True)
        for j, temperature in enumerate(temperatures):
            if wide:
                pen.text(field, f"name {k}{j}", 3.15 * k + j + 0.5, 0, temperature, dy=9, ha="center")
            else:
                words = f"{outlook} {temperature}"
                pen.text(field, f"name {k}{j}", 0, 3.15 * k + j + 0.5, words, dx=-6, ha="right", va="center")
    for k, humidity in enumerate(humidities):
        if not wide:
            pen.text(field, f"humidity {k}", 2.15 * k + 1, 0, humidity, dy=28, ha="center", bold=True, size=SMALL)
        for j, wind in enumerate(winds):
            if wide:
                pen.text(
                    field,
                    f"wind {k}{j}",
                    0,
                    2.15 * k + j + 0.5,
                    f"{humidity} {wind}",
                    dx=-8,
                    ha="right",
                    va="center",
                    size=SMALL,
                    color="muted",
                )
            else:
                pen.text(
                    field, f"wind {k}{j}", 2.15 * k + j + 0.5, 0, wind, dy=8, ha="center", size=SMALL, color="muted"
                )
    start = field.data([[22 if wide else 14, 36 if wide else 28]])[0]
    pen.text(field, "head", *start, "36 days", size=HEAD, bold=True)
    clause = "naive Bayes’ P(no tennis), in percent" if wide else "P(no tennis), in percent"
    pen.text(field, "head clause", *start, clause, dx=10, after="head", color="muted", size=LABEL if wide else SMALL)
    if wide:
        pen.line(side, "rule side", [-20, -20], [4, 352])
    if pen.waiting:
        pen.text(side, "asked", side.box[2] / 2, 120 if wide else 44, "?")
        pen.text(side, "asks", side.box[2] / 2, 218 if wide else 148, "days impossible\nwithout tennis", ha="center")
        return "The 36 possible days. Which of them does naive Bayes consider impossible without tennis?"

    # How full each glass is, and what has changed since m = 0
    (model, shares), (_, plain) = _classifier(m), _classifier(0)
    vetoed, changed = shares == 0, (shares > 0.5) != (plain > 0.5)
    pen.area(field, "levels", *boxes(every, 0.0, shares))
    for number, share in enumerate(shares):
        x, y = corners[number] + 0.5
        look = {"bold": True} if share > 0.5 or share == 0 else {}
        words = f"{100 * share:.0f}" if share == 0 or 0.005 <= share < 0.995 else "<1" if share < 0.5 else ">99"
        pen.text(field, f"share {number}", x, y, words, **look)
    cut = np.array([9, 9]) / [field.scale, field.box[3] / (field.y[0] - field.y[1])]
    triangles = [
        [(x + 1 - gap[0] - cut[0], y + gap[1]), (x + 1 - gap[0], y + gap[1]), (x + 1 - gap[0], y + gap[1] + cut[1])]
        for x, y in corners[changed]
    ]
    pen.area(field, "changed", *triangles)
    pen.area(field, "frame", *boxes([day]))

    # One day in full
    words, told = ("of all days", *DAYS[day]), model.explain(dict(zip(COLUMNS, DAYS[day]))).values()
    factors = {play: [float(each[play]) for each in told] for play in ("no", "yes")}
    head = f"m = {m}" if m != ADD_ONE else "add one"
    count, what = (vetoed.sum(), "days impossible") if vetoed.any() else (changed.sum(), "decisions changed")
    says = f"{count} {what if wide else what.split()[-1]}"
    pen.text(side, "now", 0, 14, head, size=HEAD, bold=True)
    pen.text(side, "now says", 0, 38, says, color="muted")
    x0, x1, x2, top = (0, 138, 202, 164) if wide else (152, 300, 362, 20)
    pen.text(side, "hero", -2, 88, _rate(shares[day]) if shares[day] else "0")
    pen.text(side, "name hero", 0, 114, "P(no | this day)")
    for x, play, role in ((x1, "no", "case"), (x2, "yes", "other")):
        pen.text(side, f"play {play}", x, top, play, color=role)
        for row, factor in enumerate(factors[play]):
            said = {"words": _rate(factor)} if factor else {"words": "0", "bold": True}
            pen.text(side, f"factor {play} {row}", x, top + 24 * (row + 1), ha="right", **said)
    for row, each in enumerate(words):
        pen.text(side, f"clue {row}", x0, top + 24 * (row + 1), each)
    products = {play: float(np.prod(each)) for play, each in factors.items()}
    pen.line(side, "rule sum", [x0, x2], [top + 129] * 2)
    pen.text(side, "clue product", x0, top + 150, "product")
    for x, play in ((x1, "no"), (x2, "yes")):
        said = f"{products[play]:.4f}".removeprefix("0") if products[play] else "0"
        pen.text(side, f"sum {play}", x, top + 150, said)
    if pen.guess is not None and wide:
        pen.text(side, "guess", 0, 348, f"{pen.reader} said {pen.guess:g}", size=SMALL, color="muted")
    so = (
        f"{vetoed.sum()} of 36 days have P(no) = 0"
        if vetoed.any()
        else f"{changed.sum()} of 36 decisions differ from m = 0"
    )
    sums = "; ".join(f"{play} {products[play]:.3g}" for play in ("no", "yes"))
    return f"{head}: {', '.join(DAYS[day])} has P(no) = {shares[day]:.4f} ({sums}). {so}."


# When virtual tries help

FEW = (0, 0.1, 0.25, 0.5, 1, 2, 3, 4, 5, 7, 10, 15, 20)


@figure(
    (58, 66, 592, 262),
    (684, 22, 196, 346),
    size=(900, 392),
    narrow=((390, 530), (52, 66, 324, 220), (14, 372, 362, 150)),
    controls={
        "m": _stops("m, virtual tries", FEW, 2),
        "n": Slider("n, real tries", 1, 50, 5),
        "p": Slider("p", 0.01, 0.99, 0.5, step=0.01),
        "theta": Slider("true θ", 0.0, 1.0, 0.05, step=0.01),
    },
    presets={
        "θ = 0.05": {"n": 5, "m": 2, "p": 0.5, "theta": 0.05},
        "a quarter of one": {"n": 5, "m": 0.25, "p": 0.5, "theta": 0.05},
        "θ = 0.5": {"n": 5, "m": 2, "p": 0.5, "theta": 0.5},
        "m = √n": {"n": 16, "m": 4, "p": 0.5, "theta": 0.05},
    },
    drag={"grip": ("theta", None)},
    keys={**steer.by("theta", 0.01), **steer.along("m", FEW, keys=steer.UP)},
    help="Drag the ring, or use left and right arrows, to move the true θ; up and down arrows change m.",
    main=("m", "theta"),
    more=("p",),
    looks={
        "helps": {"color": "belief_wash", "z": 0.3},
        "plain": {"color": "evidence"},
        "smoothed": {"color": "belief"},
        "here": {"width": 1.6, "clip": False},
        "grip": {
            "color": "paper",
            "edge": "ink",
            "size": 15,
            "width": 2.6,
            "z": 6,
            "grab": "the true θ",
            "clip": False,
        },
        "dot plain": {"color": "evidence", "size": 14, "z": 5},
        "dot smoothed": {"color": "belief", "size": 17, "width": 2, "z": 5.1},
        "says": {"size": SMALL, "bold": True, "halo": "paper"},
        "error": {"size": NUMBER, "bold": True},
        "what": {"color": "muted"},
    },
)
def smoothing_error(pen, field, side, m, n, p, theta):
    """Mean squared error over the true θ, of the plain fraction and of the m-estimate."""
    grid, wide = np.linspace(0, 1, 101), pen.size[0] > 560
    plain, smoothed = (estimates.squared_error(grid, n, p, each) for each in (0, m))
    before, now = (float(estimates.squared_error(theta, n, p, each)) for each in (0, m))
    top = 1.12 * max(plain.max(), smoothed.max())
    step = 10 ** np.floor(np.log10(top))
    step *= 1 if top < 3 * step else 2 if top < 6 * step else 5
    ticks = {step * k: f"{step * k:.4f}".rstrip("0").removeprefix("0") for k in range(1, int(top / step) + 1)}
    pen.axes(field, (0, 1), (0, top), {0: "0", 0.25: ".25", 0.5: ".5", 0.75: ".75", 1: "1"}, ticks, "true θ")
    pen.text(field, "head", 0, top, "Mean squared error", dx=-36, dy=30, size=HEAD, bold=True)
    helps = estimates.smoothing_helps(n, p, m) if m else None
    if helps:
        pen.bar(field, "helps", helps[0], 0, helps[1] - helps[0], top)
        pen.line(field, "smoothed", grid, smoothed)
    pen.line(field, "plain", grid, plain)
    pen.line(field, "here", [theta] * 2, [0, max(before, now)])
    pen.points(field, "grip", [theta], [0])
    pen.points(field, "dot plain", [theta], [before])
    pen.points(field, "dot smoothed", [theta], [now])
    verdict = (
        "helps here"
        if now < before
        else "hurts here"
        if now > before
        else "no smoothing"
        if not m
        else "makes no difference here"
    )
    x, y = (0, 60) if wide else (0, 26)
    pen.text(side, "error now", x, y, f"{now:.4f}".removeprefix("0"), color="belief")
    pen.text(side, "what now", x, y + 27, f"m = {m:g}, p = {p:g}")
    x, y = (0, 140) if wide else (180, 26)
    pen.text(side, "error plain", x, y, f"{before:.4f}".removeprefix("0"), color="evidence_text")
    pen.text(side, "what plain", x, y + 27, "m = 0, plain fraction")
    x, y = (0, 218) if wide else (0, 92)
    pen.text(side, "verdict", x, y, verdict, bold=True)
    best = "" if abs(p - theta) < 1e-9 else f"{estimates.best_m(theta, p):.3g}"
    pen.text(
        side,
        "best",
        x,
        y + 27,
        f"best m here: {best}" if best else "no m is too large",
        color="muted",
        size=LABEL,
    )
    if helps:
        pen.text(side, "span", x, y + 54, f"helps {_rate(helps[0])} to {_rate(helps[1])}", color="muted", size=LABEL)
    span = f" It helps for θ between {helps[0]:.3f} and {helps[1]:.3f}." if helps else ""
    return (
        f"n = {n}, m = {m:g}, p = {p:g}: at θ = {theta:g} the mean squared error is {now:.4f}, and {before:.4f} with m = 0: "
        f"{verdict}.{span} {f'For this θ and p the best m is {best}' if best else 'No m is too large'}."
    )


# The reader's own counts

SHOPS = """shop, happy, buyers
Anna's, 4, 4
Best Books, 95, 100
Corner, 18, 20
Depot, 430, 500
Elm Street, 9, 12
First Hand, 61, 64"""
MANY = (0, 1, 2, 5, 10, 20, 45, 100, 200, 400, 800, 1600)
ROWS, LOWEST = 20, -8  # rows that fit, and where the curve of a marginal likelihood is cut off


def _counts(text):
    """Names, hits and tries of the reader's table."""
    table = user_data.table(text, most_rows=ROWS)
    if len(table.columns) != 3:
        raise ValueError(f"your table must have 3 columns, name, hits and tries, got {len(table.columns)}")
    hits, tries = (np.array(user_data.number_column(table, name, low=0, high=1e6)) for name in table.columns[1:])
    if (tries < 1).any() or (hits > tries).any():
        raise ValueError("your table must have at least 1 try and at most as many hits as tries in every row")
    if not 0 < hits.sum() < tries.sum():
        raise ValueError("your table must have at least one hit and one miss in all, else there is nothing to pull")
    return [user_data.plain(name, 12) for name in table.iloc[:, 0]], hits, tries


@figure(
    (172, 74, 424, 362),
    (644, 248, 212, 150),
    size=(900, 476),
    narrow=((390, 680), (142, 66, 228, 362), (24, 532, 334, 84)),
    controls={
        "text": Text("name, hits, tries", SHOPS, lines=3, file=True),
        "m": _stops("m, virtual tries", MANY, 10),
    },
    presets={"m = 10": {"m": 10}, "plain fractions": {"m": 0}},
    keys=steer.along("m", MANY),
    help="Paste a table with name, hits and tries, or read it from a file; left and right arrows change m.",
    main=("m",),
    looks={
        "everyone": {"color": "prior", "width": 2.2, "z": 1, "clip": False},
        "grid": {"color": "rule", "width": 1, "z": 0.1, "clip": False},
        "tick": {"color": "muted", "size": SMALL},
        "pulls": {"color": "evidence_tint", "width": 3.6, "clip": False},
        "own": {"color": "evidence", "size": 14, "width": 1.2},
        "guesses": {"color": "belief", "size": 12, "width": 1.2, "z": 5},
        "name": {"size": SMALL, "ha": "right", "va": "center"},
        "curve": {"color": "belief", "z": 3},
        "now": {"color": "belief", "size": 16, "width": 2, "z": 4},
    },
)
def own_rates(pen, field, curve, text, m):
    """The reader's own shares, pulled towards their pooled share p, and how probable all counts are under each m."""
    names, hits, tries = _counts(text)
    wide, rows, p = pen.size[0] > 560, np.arange(len(names)), hits.sum() / tries.sum()
    own, guess = hits / tries, estimates.m_estimate(hits, tries, p, m)
    low = np.floor(10 * max(own.min() - 0.02, 0)) / 10
    pitch = min(58, field.box[3] / len(names))
    field.limits((low, 1), (field.box[3], 0))
    y, foot = (rows + 0.5) * pitch, len(names) * pitch
    for value in np.linspace(low, 1, 3):
        pen.line(field, f"grid {value:.2f}", [value] * 2, [0, foot + 4])
        pen.text(field, f"tick {value:.2f}", value, foot + 4, f"{value:g}", dy=-6, ha="center", va="top")
    pen.line(field, "everyone", [p, p], [-4, foot + 4])
    pen.text(field, "tick p", p, -9, f"p = {_rate(p)}", ha="center" if p < 0.9 else "right", dx=0 if p < 0.9 else 8)
    pen.segments(field, "pulls", [[(a, at), (g, at)] for a, g, at in zip(own, guess, y)])
    pen.points(field, "own", own, y)
    pen.points(field, "guesses", guess, y)
    first, leads = int(own.argmax()), int(guess.argmax())
    for k, name in enumerate(names):
        pen.text(field, f"name {k}", low, y[k], name, dx=-16, bold=k == leads)
    pen.text(field, "head", low, -36, f"m = {m} virtual tries", dx=14 - field.box[0] + 8 * wide, size=HEAD, bold=True)

    # How probable all counts are under each m, whatever each one's θ is
    ms = np.geomspace(1, MANY[-1], 40)
    logs = estimates.log_beta_binomial(hits, tries, p, np.append(ms, m or 1)[:, None]).sum(axis=1)
    *heights, here = np.maximum(logs - logs[:-1].max(), LOWEST)
    best = ms[int(np.argmax(logs[:-1]))]
    curve.limits((1, MANY[-1]), (LOWEST, 0.4), log=True)
    x = {1: "1", 10: "10", 100: "100", 1600: "1600"}
    pen.axes(curve, (1, MANY[-1]), (LOWEST, 0.4), x, {}, "m, virtual tries", log=True)
    pen.text(curve, "curve head", 1, 0.4, "Marginal log-likelihood", dy=22, bold=True, color="ink")
    pen.line(curve, "curve", ms, heights)
    if m:
        pen.points(curve, "now", [m], [here])
    if wide:
        pen.text(
            curve,
            "leads",
            1,
            0.4,
            names[leads],
            dy=150,
            size=NUMBER if len(names[leads]) < 12 else HEAD,
            bold=True,
            color="belief",
        )
        pen.text(curve, "leads says", 1, 0.4, f"leads with {_rate(guess[leads])}", dy=122)
    learned = (
        f"The marginal likelihood is highest at m about {best:.0f}."
        if best < MANY[-1]
        else f"The marginal likelihood still rises at m = {MANY[-1]}."
    )
    learned = learned if len(names) >= 5 else "With fewer than 5 rows they can't choose m."
    return (
        f"{len(names)} rows: p = {p:.3f} from all of them, m = {m}. By the fraction {names[first]} leads with {hits[first]:g} of "
        f"{tries[first]:g}, by the estimate {names[leads]} with {guess[leads]:.3f}. {learned}"
    )
