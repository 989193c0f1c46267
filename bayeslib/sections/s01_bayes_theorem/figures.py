"""The live figures of section 01, Bayes' theorem."""

from typing import NamedTuple

import numpy as np

from bayeslib.figures import steer, user_data
from bayeslib.figures.drawn import Slider, State, Stops, Text, figure, player
from bayeslib.figures.theme import HEAD, HERO, LABEL, NUMBER, SMALL
from bayeslib.models import bayes

BOOK = {"sick": 8, "found": 98, "flagged": 3.0}


# People, not percentages


class Words(NamedTuple):
    """What a test is about, and how many of its positives are right, in percent, according to those who published it."""

    crowd: str = "people"
    case: str = "sick"
    other: str = "healthy"
    yes: str = "test positive"
    no: str = "test negative"
    who: str = "Who tests positive?"
    right: str = "of these are sick"
    asked: str = "P(sick | +)"
    opening: str = "The next steps show who is sick and whom the test flags."
    published: float | None = None


FLAGS = {"yes": "are flagged", "no": "aren't flagged", "who": "Who is flagged?", "right": "of the flags are right"}
CANCER = {**FLAGS, "case": "with cancer", "other": "without", "asked": "P(cancer | flag)"}
LETTERS = "Some will be followed by a letter. How many of those letters are about a cancer?"
OWN = "your own four counts"
TESTS = {
    "practice test": Words(),
    "mammogram US": Words("screening examinations", **CANCER, opening=LETTERS, published=4.4),
    "mammogram Canada": Words("women", **CANCER, opening="Their first screening. Whom does it flag?", published=8.6),
    "HIV test Germany": Words("men", opening="Men without a known risk. Whom does the test flag?", published=50),
    OWN: Words("cases", "real", "not real", **FLAGS, asked="P(real | flag)", opening="Which of them raise a flag?"),
}
RATES = {  # per 1000, of 100, of 100; the lesson's last cell says where they come from
    "practice test": (8, 98, 3.0),
    "mammogram US": (5.9, 86.9, 11.1),
    "mammogram Canada": (7.53, 69, 6.0),
    "HIV test Germany": (0.1, 99.9, 0.01),
}
SICK = (0.1, 1, 2, 5, 5.9, 7.53, 8, 10, 20, 50, 100, 200, 300, 500)
FOUND = (0, 20, 40, 60, 69, 80, 86.9, 90, 95, 98, 99, 99.9, 100)
FLAGGED = (0, 0.01, 0.1, 1.0, 2.0, 3.0, 5.0, 6.0, 8.0, 10.0, 11.1, 20.0, 30.0, 50.0)
PITCHES = (31, 20, 15.5, 12, 9.1, 7.4, 6, 4.8, 3.9, 3)  # pixels from one gathered person to the next


def _stops(name, values, value):
    return Stops(name, tuple((f"{each:g}", each) for each in values), value)


def _counted(text):
    """Right alarms, misses (None for ?), false alarms and all the rest, as a reader typed them."""
    name, unknown = f"{OWN} (right alarms, misses, false alarms, rest)", "?" in text
    right, missed, wrong, rest = user_data.numbers(text.replace("?", "0", 1), name, least=4, most=4, low=0, high=1e6)
    if right + missed == 0 or wrong + rest == 0:
        raise ValueError(f"{name} must hold at least one real case and one other, or a rate has nothing to divide by")
    if right + wrong == 0:
        raise ValueError(f"{name} must hold at least one alarm")
    return right, None if unknown else missed, wrong, rest


def _whole(numbers):
    """Whole people: round down, then give the missing ones to the largest remainders."""
    whole = {kind: int(number + 1e-9) for kind, number in numbers.items()}
    short = round(sum(numbers.values())) - sum(whole.values())
    for kind in sorted(numbers, key=lambda kind: whole[kind] - numbers[kind])[:short]:
        whole[kind] += 1
    return whole


def _size(number):
    return f"{number:,}" if number >= 10_000 else f"{number}"


def _count(number):
    """A count of people, with ≈ where somebody would be a fraction."""
    return f"{'' if abs(number - round(number)) < 1e-6 else '≈'}{_size(round(number))}"


@player(
    (22, 74, 480, 300),
    (560, 22, 318, 352),
    narrow=((390, 646), (16, 60, 356, 222.5), (20, 306, 354, 328)),
    history=["everybody", "who is sick", "who is flagged", "gathered"],
    step="last",
    pace=600,
    interval=2500,
    controls={
        "sick": _stops("sick per 1000", SICK, 8),
        "found": _stops("found of 100 sick", FOUND, 98),
        "flagged": _stops("flagged of 100 healthy", FLAGGED, 3.0),
        "counts": Text(OWN, ""),
        "test": State("practice test"),
    },
    presets={
        **{test: {**dict(zip(BOOK, rates)), "test": test, "counts": ""} for test, rates in RATES.items()},
        "own counts": {"test": OWN, "counts": "12, 3, 30, 955"},
    },
    main=("sick", "flagged"),
    more=("counts",),
    unlocks={"01/mammogram": [*BOOK, "counts", *RATES, "own counts"]},
    help="Four counts are right alarms, misses, false alarms and all the rest; ? stands for misses that nobody counted.",
    looks={
        "crowd": {"edge": None, "width": 0},
        "places left": {"color": None, "edge": "rule", "width": 1.1},
        "divider": {"color": "rule", "width": 1},
        "head": {"size": HEAD, "bold": True},
        "who": {"size": HEAD, "color": "muted"},
        "asked": {"size": 90, "bold": True, "color": "sediment", "ha": "center", "va": "center"},
        "group sick": {"color": "case", "bold": True},
        "group healthy": {"color": "other", "bold": True},
        "answer": {"color": "belief", "size": HERO, "bold": True},
        "about": {"color": "muted"},
        "scale": {"color": "mist"},
        "belief": {"color": "belief"},
        "you said": {"color": "prior", "width": 4},
        "published": {"color": "ink", "width": 2.4},
        "note": {"color": "muted", "size": SMALL},
    },
)
def population(pen, field, room, step, sick, found, flagged, counts, test):
    """The test in natural frequencies: who tests positive walks over and gathers, sick and healthy apart."""
    rates, uncounted = (sick / 1000, found / 100, flagged / 100), False
    if counts.strip():
        right, missed, wrong, rest = _counted(counts)
        real, others, uncounted, test = right + (missed or 0), wrong + rest, missed is None, OWN
        rates = real / (real + others), right / real, wrong / others
    words = TESTS["practice test" if test == OWN and not counts.strip() else test]
    crowd = 1000 if rates[0] >= 0.001 else 10_000
    numbers = bayes.natural_frequencies(*rates, crowd)
    people = _whole(numbers)
    hit, missed, alarms = people["sick", "+"], people["sick", "-"], people["healthy", "+"]
    ill, yes = hit + missed, hit + alarms
    true, false = numbers["sick", "+"], numbers["healthy", "+"]
    share = true / max(true + false, 1e-300)
    person = np.arange(crowd)  # first the sick, found and missed, then the healthy: person k keeps the place
    is_sick = person < ill
    flags = (person < hit) | ((person >= ill) & (person < ill + alarms))

    # One grid that never changes, and in the last step the room beside it
    columns = 40 if crowd == 1000 else 125
    pitch = int(5 * field.box[2] / columns) / 5  # centres on whole tenths of a pixel, so that a row is sent as a row
    field.limits((-0.5, field.box[2] / pitch - 0.5), (field.box[3] / pitch - 0.5, -0.5))
    at = np.column_stack([person % columns, person // columns]).astype(float)
    bottom, published = room.box[3], words.published if step == 3 else None
    marks = [(name, value) for name, value in (("you said", pen.guess), ("published", published)) if value is not None]
    height = bottom - 216 - [0, 34, 56][len(marks)]  # what headings, marks and the number leave for people
    for pitch in PITCHES:
        files = int(310 / pitch)
        if (-(-hit // files) - (-alarms // files) - 1) * pitch <= height:
            break
    foot = 154 + (max(-(-hit // files) - 1, 0) + 0.5) * pitch
    if step == 3:
        rank, top = np.where(is_sick, person, person - ill)[flags], np.where(is_sick, 96, foot)[flags]
        there = np.column_stack([0.39 * pitch + pitch * (rank % files), top + pitch * (rank // files)])
        at[flags] = field.data(room.pixels(*there.T))
    small, large = 0.72 * field.scale, 0.78 * pitch if step == 3 else 0.86 * field.scale
    looks = [{"color": "other_tint", "size": small}, {"color": "case", "shape": "s", "size": 0.92 * small}]
    looks += [{"color": "other", "size": large}, {"color": "case", "shape": "s", "size": 0.92 * large}]
    left = np.flatnonzero(flags) if step == 3 else person[:0]
    late = np.where(flags, (np.cumsum(flags) - 1) / (2 * max(yes, 1)), 0)  # they set out one after the other
    pen.points(field, "places left", left % columns, left // columns, size=0.53 * field.scale)
    of = np.where(step >= 1, is_sick, False) + 2 * np.where(step >= 2, flags, False)
    pen.points(field, "crowd", *at.T, of=of, looks=looks, lag=late if step == 3 else None)

    # Words, each at the thing that it names
    size, certain = _size(crowd), numbers["sick", "-"] == 0
    heads = [
        f"{size} {words.crowd}",
        f"{ill} of {size} {words.case}",
        f"{yes} {words.yes}",
        f"{crowd - yes} {words.no}",
    ]
    clauses = ["", "the squares" if ill else "", f"{hit} {words.case}, {alarms} {words.other}"]
    clauses += [f"{missed} {words.case}" if missed else f"{'' if certain else 'nearly '}all {words.other}"]
    clause = "misses unknown" if uncounted and step == 3 else clauses[step]
    pen.head(field, heads[step], clause, y=30, color="case" if step == 3 and missed else "muted")
    if pen.size[0] > 560:
        pen.line(room, "divider", [-30, -30], [4, 352], clip=False)
    if step < 3:
        pen.text(room, "who", 0, 22, words.who)
        pen.text(room, "asked", room.box[2] / 2 - 16, bottom / 2, "?")
    else:
        pen.text(room, "head", 0, 22, heads[2])
        pen.text(room, "group sick", 0, 71, f"{hit} {words.case}")
        pen.text(room, "group healthy", 0, foot - 25, f"{alarms} {words.other}: false alarms")
    if step == 3 and yes:
        exact = abs(true - hit) + abs(false - alarms) < 1e-9
        pen.text(room, "answer", -2, bottom - 4, f"{100 * share:.{int(share < 0.0995)}f}%")
        pen.text(room, "of these", 0, bottom - 28, words.right, dx=14, after="answer")
        pen.text(room, "about", 0, bottom - 4, f"{'' if exact else 'about '}{hit} of {yes}", dx=14, after="answer")
    if marks:  # the reader's prediction stays, and the truth moves past it
        pen.bar(room, "scale", 0, bottom - 66, 300, 8)
        pen.bar(room, "belief", 0, bottom - 66, 300 * share * (step == 3), 8)
    for line, (name, value) in enumerate(marks):
        pen.line(room, name, [3 * value] * 2, [bottom - 72 - 22 * line, bottom - 52])
        side = {"dx": 8} if value < 50 else {"dx": -8, "ha": "right"}
        pen.text(
            room,
            f"note {line}",
            3 * value,
            bottom - 78 - 22 * line,
            f"{name.replace('you', pen.reader)} {value:g}%",
            **side,
        )

    # In words, with the exact numbers
    total, (sick_, healthy, hits, false_) = (
        true + false,
        map(_count, (rates[0] * crowd, (1 - rates[0]) * crowd, true, false)),
    )
    if step == 3 and total == 0:
        return "Nobody tests positive: with these settings a positive result is impossible."
    if step == 3 and uncounted:
        most = sick / (sick + (1000 - sick) * rates[2])
        return (
            f"Of {right + wrong:g} flags {right:g} were right: {share:.4f}. Of {others:g} others {wrong:g} were flagged: {rates[2]:.4f}. "
            f"Nobody counted the misses, so for a group with {sick:g} per 1000 there is only an upper bound: {most:.4f}."
        )
    return [
        f"{size} {words.crowd}. {words.opening}",
        f"{size} {words.crowd}: {sick_} {words.case}, {healthy} {words.other}.",
        f"Of {sick_} {words.case} the test flags {100 * rates[1]:.4g} in 100: {hits}. "
        f"Of {healthy} {words.other} it flags {100 * rates[2]:.4g} in 100: {false_}.",
        f"Of {size} {words.crowd} {_count(total)} {words.yes}: {hits} {words.case}, {false_} {words.other}. "
        f"{words.asked} = {true:.4g}/{total:.4g} = {share:.4f}."
        + (f" Published: {published:g}%." if published else "")
        + (" To use the sliders again, empty the box." if counts.strip() else ""),
    ][step]


# From prior and likelihood to the posterior, and what it is at every prior

LOGIT = [np.log(p / (1 - p)) for p in (0.0007, 0.94)]  # the ends of the axis of priors
GRID = np.linspace(*LOGIT, 121)
TICKS = (1, 10, 100, 500, 900)


def _logistic(z):
    return 1 / (1 + np.exp(-z))


def _logit(p):
    return np.log(p / (1 - p))


def _percent(share):
    """Whole percent, and digits only where they are needed."""
    if share in (0, 1) or 0.00995 <= share < 0.995:
        return f"{100 * share:.0f}%"
    if 0.0005 <= share < 0.9995:
        return f"{100 * share:.1f}%"
    return "<0.1%" if share < 0.5 else ">99.9%"


def _plain(p):
    """A probability with as many digits as tell it from 0, without the leading zero."""
    return f"{p:.5f}".rstrip("0").removesuffix(".").removeprefix("0") or "0"


def _sick(share):
    return {"sick": int(np.clip(round(1000 * share), 1, 999))}


@figure(
    (22, 88, 300, 300),
    (362, 88, 40, 300),
    (462, 88, 416, 300),
    size=(900, 468),
    narrow=((390, 580), (16, 70, 172, 176), (212, 70, 28, 176), (16, 318, 358, 180)),
    controls={
        "sick": Slider("sick per 1000", 1, 999, 8),
        "found": Slider("found of 100 sick", 1, 100, 98),
        "flagged": Slider("flagged of 100 healthy", 0, 50, 3.0, step=0.5),
    },
    presets={
        "misses nobody": {**BOOK, "found": 100},
        "1% false alarms": {**BOOK, "flagged": 1.0},
        "one in ten sick": {**BOOK, "sick": 100},
    },
    main=("sick", "flagged"),
    drag={"dot": lambda values, name, x, y: _sick(_logistic(x)), "cut grip": lambda values, name, x, y: _sick(y)},
    keys={**steer.by("sick"), **steer.by("found", keys=steer.UP)},
    help="Drag the cut of the square or the dot to change the prior; arrow keys left and right move it too, up and down the share found.",
    looks={
        "row healthy": {"color": "other_wash"},
        "row sick": {"color": "case_tint"},
        "filled healthy": {"color": "other", "z": 2},
        "filled sick": {"color": "case", "z": 3},
        "cut": {"color": "paper", "width": 1.5, "z": 3.5},
        "cut grip": {
            "color": "paper",
            "edge": "ink",
            "width": 2.2,
            "size": 12,
            "z": 6,
            "grab": "the prior, as the cut",
        },
        "fan healthy": {"color": "other_wash", "clip": False},
        "fan sick": {"color": "case_wash", "clip": False},
        "bar healthy": {"color": "other", "z": 4},
        "bar sick": {"color": "case", "z": 4},
        "posterior": {"color": "belief", "bold": True, "ha": "center"},
        "asked": {"size": 90, "bold": True, "color": "sediment", "ha": "center", "va": "center", "halo": "paper"},
        "hero": {"color": "belief", "size": HERO, "bold": True},
        "hair": {"color": "rule", "width": 1, "z": 0.2, "clip": False},
        "y": {"color": "muted", "size": SMALL},
        "says healthy": {"color": "other_tint", "clip": False},
        "says sick": {"color": "case_tint", "clip": False},
        "word": {"size": SMALL, "ha": "center", "va": "center"},
        "before": {"color": "prior", "width": 1.8},
        "curve": {"color": "belief", "z": 5},
        "first": {"color": "belief_tint", "width": 2.2, "z": 1.5},
        "dot first": {"color": "paper", "edge": "belief_tint", "size": 13, "width": 2.4, "z": 5.5},
        "shift": {"color": "evidence", "z": 4},
        "lift": {"color": "belief", "width": 2.6, "z": 6},
        "thread": {"color": "belief", "width": 1.2, "z": 2, "clip": False},
        "dot": {"color": "belief", "size": 19, "width": 2.4, "z": 10, "grab": "the prior, as a dot on the curve"},
        "dot before": {"color": "paper", "edge": "prior", "size": 11, "width": 2.2, "z": 8},
        "flip": {"color": "paper", "edge": "ink", "size": 10, "width": 2, "z": 9},
        "flip line": {"color": "ink", "width": 1.2, "z": 3, "clip": False},
        "factor": {"color": "evidence_text", "bold": True, "halo": "paper"},
        "name": {"color": "muted", "size": SMALL, "halo": "paper"},
        "tick flip": {"color": "ink", "bold": True, "size": SMALL, "ha": "center"},
        "tick prior": {"color": "belief", "bold": True, "size": SMALL, "ha": "center"},
        "tick": {"color": "muted", "size": SMALL, "ha": "center"},
    },
)
def posterior_curve(pen, square, bar, plot, sick, found, flagged):
    """Prior × likelihood as areas, the same two areas as one bar, and the bar's height at every prior."""
    wide = pen.size[0] > 560
    prior, likelihood = bayes.diagnosis(sick / 1000, found / 100, flagged / 100)
    joint = {h: prior[h] * likelihood[h] for h in prior}
    total, after = sum(joint.values()), bayes.posterior(prior, likelihood)["sick"]
    square.limits((0, 1), (0, 1))
    bar.limits((0, 1), (0, 1))
    plot.limits(LOGIT, (0, 1))
    _square(pen, square, sick, found, flagged, joint, total)

    # The bar: the same two areas, stretched to a length of 1
    p, edge = sick / 1000, (1 + 3 / square.box[2], -3 / bar.box[2])
    for name, (low, high), (there, up) in (("sick", (0, p), (0, after)), ("healthy", (p, 1), (after, 1))):
        corners = np.vstack([square.pixels([edge[0]] * 2, [low, high]), bar.pixels([edge[1]] * 2, [up, there])])
        pen.area(square, f"fan {name}", square.data(corners))
        pen.bar(bar, f"bar {name}", 0, there, 1, up - there)
    if 0.004 < after < 0.996:
        pen.line(bar, "cut bar", [0, 1], [after, after], z=5, color="paper", width=1.5)
    pen.text(bar, "posterior", 0.5, 1, "posterior", dy=12, size=LABEL if wide else SMALL)
    pen.text(bar, "divide", 0.5, 0, f"÷ {_plain(total)}" if wide else "", dy=-26, color="muted", ha="center")

    # The plot's frame, the dot, and the number
    for share in (0, 0.5, 1):
        pen.line(plot, f"hair {share}", LOGIT, [share, share])
        if wide or share:
            place = {"dx": -9, "ha": "right", "va": "center"} if wide else {"dy": -17 if share == 1 else 5}
            pen.text(plot, f"y {share}", LOGIT[0], share, f"{100 * share:.0f}%", **place)
    here = _logit(p)
    if LOGIT[0] <= here <= LOGIT[1]:
        pen.line(plot, "lift", [here, here], [p, after])
        start = LOGIT[0] - (60 if wide else 0) / plot.scale
        pen.line(plot, "thread", [start, here], [after, after] if wide else [np.nan] * 2)
        pen.points(plot, "dot before", [here], [p])
        pen.points(plot, "dot", [here], [after])
    if pen.waiting:
        pen.text(plot, "asked", _logit(0.35), 0.5, "?")
    flip = None if pen.waiting else _every_prior(pen, plot, here, found, flagged)
    ticks = [] if flip is None else [("tick flip", flip, f"{1000 * _logistic(flip):.3g}")]
    ticks += [("tick prior", here, f"{sick}"), *((f"tick {each}", _logit(each / 1000), f"{each}") for each in TICKS)]
    taken = []
    for name, z, words in ticks:
        x, half = (z - LOGIT[0]) * plot.scale, pen.width(words, SMALL, True) / 2
        if -1 <= x <= plot.box[2] + 1 and all(abs(x - other) > half + width + 6 for other, width in taken):
            taken.append((x, half))
            pen.text(plot, name, z, 0, words, dy=-50)
    pen.text(plot, "x", LOGIT[1], 0, "sick per 1000, before the test", dy=-73, ha="right", color="muted", size=SMALL)
    if wide:
        pen.text(plot, "hero", LOGIT[0], 1, _percent(after), dy=37)
        pen.text(plot, "note", LOGIT[0], 1, "sick, once the test says +", dx=14, dy=61, after="hero")
        formula = f"P(sick | +) = {_plain(joint['sick'])} / {_plain(total)}"
        pen.text(plot, "note formula", LOGIT[0], 1, formula, dx=14, dy=37, after="hero", color="muted")
    else:
        pen.text(bar, "hero", 1, 1, _percent(after), dx=14, dy=-40, size=HERO if len(_percent(after)) < 4 else NUMBER)
        for line, text in enumerate(("sick, once", "the test", "says +")):
            pen.text(bar, f"note {line}", 1, 1, text, dx=14, dy=-68 - 22 * line, size=SMALL)

    if pen.waiting:
        return (
            f"A square of area 1, cut at {sick} per 1000. Of the thin strip at the foot the test flags {found:g}%, of all above it "
            f"{flagged:g}%. The two flagged areas are the two products; side by side they make the bar, P(sick | +) = {after:.4f}."
        )
    best = "sick" if after > 0.5 else "healthy" if after < 0.5 else "either, a tie"
    turn = bayes.flip_prior(found / 100, flagged / 100)
    where = (
        f"MAP flips at {1000 * turn:.1f} per 1000"
        if turn
        else "MAP says sick at every prior: no healthy person is flagged"
    )
    likely = "sick" if found > flagged else "healthy" if found < flagged else "either"
    return (
        f"{sick} per 1000 before the test, P(sick | +) = {after:.4f} after a positive: MAP says {best}. "
        f"{where}; ML says {likely} at every prior."
    )


def _square(pen, square, sick, found, flagged, joint, total):
    """The height of a row is its prior, the width of its filled part its likelihood."""
    p, wide = sick / 1000, pen.size[0] > 560
    size = LABEL if wide else SMALL
    pen.bar(square, "row healthy", 0, p, 1, 1 - p)
    pen.bar(square, "row sick", 0, 0, 1, p)
    pen.bar(square, "filled healthy", 0, p, flagged / 100, 1 - p)
    pen.bar(square, "filled sick", 0, 0, found / 100, p)
    if 0.02 < p < 0.98:
        pen.line(square, "cut", [0, 1], [p, p])
    pen.points(square, "cut grip", [1], [p])
    pen.head(square, "Prior × likelihood", y=51 if wide else 36)
    how, below = ("height × width = area", 23) if wide else ("height × width", 12)
    pen.text(square, "how", 0, 1, how, dy=below, color="muted", size=size)
    if p < 0.67 and (wide or flagged < 33):
        x, inside = (flagged / 100, "other") if flagged < 45 else (0, "paper")
        rows = [f"{1000 - sick} healthy", f"{flagged:g}% flagged", *[f"area {_plain(joint['healthy'])}"] * wide]
        for line, text in enumerate(rows):
            color = "muted" if line == 2 and inside == "other" else inside
            down = -34 - 25 * line
            pen.text(square, f"healthy {line}", x, 1, text, dx=12, dy=down, size=size, color=color, bold=line == 0)
    row = [
        (f"{sick} sick", "case"),
        (f"{found:g}% flagged", "case"),
        *[(f"area {_plain(joint['sick'])}", "muted")] * wide,
    ]
    for k, (text, color) in enumerate(row):
        place = {"dx": 10, "after": f"sick {k - 1}"} if k else {}
        pen.text(square, f"sick {k}", 0, 0, text, dy=-26, size=size, color=color, bold=k == 0, **place)
    if wide:
        sum_ = f"P(+) = {_plain(joint['sick'])} + {_plain(joint['healthy'])} = {_plain(total)}"
        pen.text(square, "evidence", 0, 0, sum_, dy=-53, color="muted")


def _every_prior(pen, plot, here, found, flagged):
    """The curve over all priors, and what MAP says there; in steps of log odds a test only slides it. Returns where MAP flips."""
    wide, p = pen.size[0] > 560, _logistic(here)
    size, factor = LABEL if wide else SMALL, found / flagged if flagged else np.inf
    slide = np.log(np.clip(factor, 1e-6, 1e6))
    turn, seen = np.clip(-slide, *LOGIT), LOGIT[0] < -slide < LOGIT[1]
    pen.line(plot, "before", GRID, _logistic(GRID))
    pen.line(plot, "curve", GRID, _logistic(GRID + slide))
    if (found, flagged) != (BOOK["found"], BOOK["flagged"]):  # the first test, to compare with
        old = bayes.posterior_curve([p], BOOK["found"] / 100, BOOK["flagged"] / 100)[0]
        pen.line(plot, "first", GRID, _logistic(GRID + np.log(BOOK["found"] / BOOK["flagged"])))
        if LOGIT[0] <= here <= LOGIT[1]:
            side = {"dx": 16, "dy": -18 if old > 0.1 else 12} if here < -1 else {"dx": -14, "dy": 12, "ha": "right"}
            pen.points(plot, "dot first", [here], [old])
            pen.text(plot, "name first", here, old, f"first test: {_percent(old)}", **side)
    if abs(turn) * plot.scale > 24:
        pen.arrow(plot, "shift", (0, 0.5), (turn, 0.5), shrink=(0, 8 if seen else 0), head=20, width=7)
    times = "∞" if not 0 < factor < 1e6 else f"{factor:.0f}" if factor >= 100 else f"{factor:.3g}"
    words, away = f"odds × {times}", 8 / plot.scale
    crossed = min(turn, 0) - away < here < max(turn, 0) + away
    if abs(turn) * plot.scale > 112 and not crossed:
        pen.text(plot, "factor", 0, 0.5, words, dy=15, ha="right" if turn < 0 else "left", size=size)
    else:
        right = min(max(turn, 0) + 2 * away, LOGIT[1] - pen.width(words, size, True) / plot.scale)
        pen.text(plot, "factor", right, 0.5, words, dy=-26, size=size)
    side = {"dx": 10, "dy": -12} if factor >= 1 else {"dx": -12, "dy": 4, "ha": "right"}
    pen.text(plot, "name before", _logit(0.66), 0.66, "before", **side)

    foot, strip = -7 / plot.box[3], 23 / plot.box[3]
    if seen:
        pen.line(plot, "flip line", [turn, turn], [0.5, foot - strip])
        pen.points(plot, "flip", [turn], [0.5])
    for name, (left, right) in {"healthy": (LOGIT[0], turn), "sick": (turn, LOGIT[1])}.items():
        pen.bar(plot, f"says {name}", left, foot - strip, right - left, strip)
        room = (right - left) * plot.scale - 12
        words = next((each for each in (f"MAP: {name}", name) if pen.width(each, SMALL) < room), "")
        pen.text(plot, f"word {name}", (left + right) / 2, foot - strip / 2, words)
    return turn if seen else None


# Result after result: each is a gate, and who passes fills the next room with the same ink

LONGEST = 8
SHOWN = 3  # rooms at a time; earlier ones leave to the left
ROOMS = {True: {"tile": (218, 282), "r": 2.9, "at": [(22, 66), (340, 66), (658, 66)]}}
ROOMS[False] = {"tile": (222, 136), "r": 1.8, "at": [(16, 20), (16, 216), (16, 412)]}
ROLES = {"sick": "case", "healthy": "other"}


def _after_each(results, copied):
    """For each room the likelihoods of the result before it, the belief, the belief if no result were copied, and the people
    in it of 1000: state -> (tested, let through as a copy)."""
    if len(results) > LONGEST:
        raise ValueError(f"results must hold at most {LONGEST} signs to fit the picture, got {len(results)}")
    test = BOOK["found"] / 100, BOOK["flagged"] / 100
    prior, _ = bayes.diagnosis(BOOK["sick"] / 1000, *test)
    rooms = [(None, prior, prior, {h: (1000 * p, 0.0) for h, p in prior.items()})]
    likelihoods, alone = (bayes.repeated_test(results, *test, each) for each in (copied / 100, 0))
    beliefs, ghosts = bayes.update(prior, likelihoods), bayes.update(prior, alone)
    for k, (now, fresh) in enumerate(zip(likelihoods, alone)):
        before = {h: sum(pair) for h, pair in rooms[-1][3].items()}
        tested = {h: before[h] * (1 - (copied / 100 if k else 0)) * fresh[h] for h in now}
        rooms.append((now, beliefs[k], ghosts[k], {h: (tested[h], before[h] * now[h] - tested[h]) for h in now}))
    return rooms


def _placed(people, layout, slot):
    """One entry a drawn person, and where: state, share of a person (the last may be a part), let through?; x, y, radius."""
    drawn = []
    for h in ROLES:
        for copy, number in ((True, people[h][1]), (False, people[h][0])):
            whole = int(number + 1e-9)
            drawn += [(h, 1.0, copy)] * whole + ([(h, number - whole, copy)] if number - whole > 1e-6 else [])
    (left, top), (width, height), count = layout["at"][slot], layout["tile"], max(len(drawn), 1)
    columns = max(range(1, 80), key=lambda k: min(width / k, height / -(-count // k)))
    pitch = min(width / columns, height / -(-count // columns))
    radius = min(layout["r"] * (1000 / sum(map(sum, people.values()))) ** 0.5, pitch / 2.1)
    pitch, k = min(pitch, 2.66 * radius), np.arange(len(drawn))
    share = np.array([part for _, part, _ in drawn])
    return drawn, left + pitch * (k % columns + 0.5), top + pitch * (k // columns + 0.5), radius * share**0.5


def _few(number):
    return f"{number:.0f}" if number >= 0.995 else f"{number:.2g}" if number >= 0.001 else "≈ 0"


def _odds(sick, healthy):
    large, small = max(sick, healthy), min(sick, healthy)
    if large >= 1e6 * small:
        return "over 10⁶ : 1" if sick > healthy else "1 : over 10⁶"
    ratio = large / small
    times = f"{float(f'{ratio:.3g}'):,.0f}" if ratio >= 9.95 else f"{ratio:.1f}".removesuffix(".0")
    return f"{times} : 1" if sick >= healthy else f"1 : {times}"


def _share(p):
    """A belief in percent: whole ones in the middle, more digits towards both ends, and never 100% for what is not certain."""
    if 0.0995 <= p < 0.9905:
        return f"{p:.0%}"
    if p >= 0.5:
        return f"{p:.1%}" if p < 0.9995 else f"{p:.2%}" if p < 0.99995 else "≈ 100%"
    return f"{p:.1%}" if p >= 0.00095 else f"{100 * p:.1g}%" if p >= 1e-6 else "≈ 0%"


def _factor(likelihood):
    ratio = likelihood["sick"] / likelihood["healthy"]
    return f"{ratio:.1f}" if ratio >= 9.95 else f"{ratio:.2f}" if ratio >= 0.995 else f"{ratio:.2g}"


def _chance(probability, rest):
    """Four decimals, but never 1 for what is not certain: 1 − 3e-07 instead of 1.0000, and `rest` may be less than 1e-16."""
    if 0.0001 <= probability <= 0.9999:
        return f"{probability:.4f}"
    return f"{probability:.2g}" if probability < 0.5 else f"1 − {rest:.2g}"


def _largest(weights):
    """The hypothesis with the largest weight, or word of a tie."""
    return max(weights, key=weights.get) if len(set(weights.values())) > 1 else "a tie"


def _results(results):
    return {"results": results[:LONGEST], "step": len(results[:LONGEST])}


def _add(sign):
    return lambda values: _results(values["results"] + sign)


@player(
    (0, 0, 900, 450),
    size=(900, 450),
    narrow=((390, 588), (0, 0, 390, 588)),
    history=_after_each,
    step="last",
    pace=600,
    controls={"results": State("++"), "copied": Slider("results copied, percent", 0, 100, 0)},
    presets={"+ then −": _results("+-"), "half copied": {**_results("++"), "copied": 50}},
    actions={"+": _add("+"), "−": _add("-"), "undo": lambda values: _results(values["results"][:-1])},
    unlocks={"01/plus-minus": ["−", "+ then −"], "01/copied": ["copied", "half copied"]},
    click=lambda values, _: (
        _add("+")(values) if values["step"] == len(values["results"]) else {"step": values["step"] + 1}
    ),
    looks={
        "words sick": {"color": "case", "bold": True},
        "words healthy": {"color": "other", "bold": True},
        "belief": {"bold": True},
        "formula": {"color": "muted", "size": SMALL},
        "odds": {"size": HEAD},
        "said": {"color": "muted", "size": SMALL},
        "wall": {"color": "rule", "width": 1, "clip": False},
        "badge": {"color": "evidence", "edge": "paper", "width": 0, "z": 4},
        "sign": {"color": "paper", "width": 3.4, "z": 4.5},
        "passes": {"color": "muted", "size": SMALL, "ha": "center"},
        "key": {"z": 4},
        "part": {"size": SMALL, "va": "center", "halo": "paper"},
        "factor": {"color": "evidence_text", "bold": True},
        "hollow": {"color": "mist", "click": "the next room: who passes?"},
        "question": {"color": "muted", "size": HERO, "bold": True, "ha": "center", "va": "center"},
        "who": {"size": HEAD, "color": "muted"},
    },
)
def test_after_test(pen, page, step, history, results, copied):
    """Belief after each of a sequence of test results; with copied results the steps shrink."""
    wide, signs = pen.size[0] > 560, results.replace("−", "-")
    layout, first = ROOMS[wide], max(0, step + 1 - SHOWN)
    for k in range(first, step + 1):
        slot, (likelihood, belief, _, people) = k - first, history[k]
        total = {h: sum(pair) for h, pair in people.items()}
        following = history[k + 1][3] if k + 1 < len(history) else None
        passing = {h: round(sum(following[h])) if k < step else 10**6 for h in total}
        there = _placed(people, layout, slot)
        _crowd(pen, page, f"{k}", *there, passing)
        if k == step and following:  # who will pass stands on his place already, so that he can walk
            ahead = _placed(following, layout, slot)[0]
            start = {h: [j for j, person in enumerate(there[0]) if person[0] == h] for h in total}
            seen, on = {h: 0 for h in total}, []
            for h, _, _ in ahead:
                on.append(start[h][min(seen[h], len(start[h]) - 1)])
                seen[h] += 1
            _crowd(
                pen, page, f"{k + 1}", [(h, 1.0, False) for h, *_ in ahead], *(each[on] for each in there[1:]), passing
            )
        if slot:
            _gate(pen, page, layout["at"][slot], k, signs, copied, likelihood)
        _room_words(pen, page, layout, slot, k, k == step, total, belief, signs[:k])
    for slot in range(step - first + 1, SHOWN):  # rooms that nobody has entered yet
        (left, top), (width, height), k = layout["at"][slot], layout["tile"], first + slot
        pen.bar(page, f"hollow {k}", left, top, width, height)
        pen.text(page, f"question {k}", left + width / 2, top + height / 2, "?")
        if wide:
            pen.text(page, f"who {k}", left, 44, "who passes?" if k == 1 else "and again?")
        if k == step + 1 <= len(signs):
            _gate(pen, page, layout["at"][slot], k, signs, copied)
        elif wide:
            pen.line(page, f"wall {k}", [left - 50] * 2, [22, 432])

    _, now, alone, _ = history[step]
    if step < len(signs):
        people = {h: _few(sum(pair)) for h, pair in history[step][3].items()}
        gate = f" At the next gate {copied}% of them are waved through untested." if step and copied else ""
        passed = f"After {signs[:step].replace('-', '−')} there are" if step else "There are"
        return (
            f"{passed} {people['sick']} sick and {people['healthy']} healthy people: P(sick) = "
            f"{_chance(now['sick'], now['healthy'])}.{gate} Who passes the next test?"
        )
    if step == 0:
        return f"Before any result P(sick) = {now['sick']:.4g}, odds of 1 to {now['healthy'] / now['sick']:.4g}. MAP says {_largest(now)}."
    likelihood = history[step][0]
    together = {h: float(np.prod([room[0][h] for room in history[1 : step + 1]])) for h in likelihood}
    ghost = (
        f" ({copied}% of the results copied: {_chance(alone['sick'], alone['healthy'])} if none were)" if copied else ""
    )
    return (
        f"Result {step} is {signs[step - 1].replace('-', '−')}: the odds are multiplied by {likelihood['sick']:.4g}/"
        f"{likelihood['healthy']:.4g} = {likelihood['sick'] / likelihood['healthy']:.4g}. After {signs[:step].replace('-', '−')} "
        f"P(sick) = {_chance(now['sick'], now['healthy'])}{ghost}. ML says {_largest(together)}, MAP {_largest(now)}."
    )


test_after_test.__test__ = False  # a figure, though pytest would take its name for a test


def _crowd(pen, page, room, drawn, x, y, radius, passing):
    """The people of a room; pale are those whom the next gate stopped, outlined those let through as copies."""
    for h, role in ROLES.items():
        shape = "s" if h == "sick" else "o"
        mine = np.array([j for j, person in enumerate(drawn) if person[0] == h], int)
        looks, of = [], []
        for rank, j in enumerate(mine):
            size = round(float(radius[j]) * (np.pi**0.5 if shape == "s" else 2), 2)
            color = role if rank < passing[h] else f"{role}_tint"
            look = {"shape": shape, "size": size, "color": color, "edge": None, "width": 0}
            if drawn[j][2]:
                edge = min(2.6, 0.08 * size + 0.6)
                look |= {"color": "paper", "edge": color, "size": size - edge, "width": edge}
            if look not in looks:
                looks.append(look)
            of.append(looks.index(look))
        lag = 0.35 * mine / max(len(drawn) - 1, 1) if len(mine) else None
        pen.points(page, f"{h} {room}", x[mine], y[mine], of=of, looks=looks or [{}], lag=lag, z=3)


def _room_words(pen, page, layout, slot, k, last, total, belief, signs):
    """Above a room who is in it, below it odds and belief."""
    (left, top), (width, _), wide = layout["at"][slot], layout["tile"], pen.size[0] > 560
    p, odds = _share(belief["sick"]), _odds(total["sick"], total["healthy"])
    names, color = [f"{_few(total[h])} {h}" for h in ROLES], "belief" if k else "muted"
    said = f"{pen.reader} said {pen.guess:g}%" if last and signs == "++" and pen.guess is not None else ""

    def fitting(words, room, *sizes):
        return next((size for size in sizes if pen.width(words, size, True) <= room), sizes[-1])

    large = (HERO, 34, 30, NUMBER, 22) if last else (30, NUMBER, 22)
    if not wide:
        x = left + width + 18
        size = fitting(p, pen.size[0] - x - 6, *large)
        pen.text(page, f"belief {k}", x - 1, top + 40, p, size=size, color=color)
        pen.text(page, f"odds {k}", x, top + 68, odds, size=LABEL, color="muted")
        pen.text(page, f"words sick {k}", x, top + 103, names[0], size=SMALL)
        pen.text(page, f"words healthy {k}", x, top + 128, names[1], size=SMALL)
        return pen.text(page, f"said {k}", x, top + 158, said)
    size = fitting("  ".join(names), width, HEAD, LABEL, SMALL)
    pen.text(page, f"words sick {k}", left, 44, names[0], size=size)
    pen.text(page, f"words healthy {k}", left, 44, names[1], dx=10, after=f"words sick {k}", size=size)
    pen.text(page, f"odds {k}", left, 378, ("odds  " if k == 0 else "") + odds)
    pen.text(page, f"said {k}", left, 378, said, dx=14, after=f"odds {k}")
    given = signs.replace("-", "−") if k < 5 else f"{k} results"
    formula = f"P(sick | {given})" if k else "P(sick)"
    size = fitting(p, width + (10 if last else 34) - pen.width(formula, SMALL), *large)
    pen.text(page, f"belief {k}", left - 2, 428, p, size=size, color=color)
    pen.text(page, f"formula {k}", left, 428, formula, dx=10, after=f"belief {k}")


def _gate(pen, page, at, k, signs, copied, likelihood=None):
    """A wall before room k: the result, whom it lets through, and, once the room is entered, what that does to the odds."""
    sign, (left, top) = signs[k - 1], at
    copied = copied if k > 1 and sign == signs[k - 2] else 0  # a copy never contradicts what it copies
    through = {"sick": BOOK["found"], "healthy": BOOK["flagged"]}
    rows = [(h, f"{each if sign == '+' else 100 - each:g}%", ROLES[h]) for h, each in through.items()]
    factor = f"× {_factor(likelihood)}" if likelihood else ""
    if pen.size[0] > 560:
        x, door = left - 50, top + 70
        low = door + (190 if copied else 112)
        pen.segments(page, f"wall {k}", [((x, a), (x, b)) for a, b in ((22, door - 30), (low, 352), (392, 432))])
        _badge(pen, page, k, x, door, sign, 46)
        pen.text(page, f"passes {k}", x, door + 50, "lets pass")
        for line, (h, words, role) in enumerate(rows):
            look = {"shape": "so"[line], "size": 12 + line, "color": role, "edge": None}
            pen.points(page, f"key {h} {k}", [x - 25], [door + 71 + 25 * line], **look, z=4)
            pen.text(page, f"through {h} {k}", x - 11, door + 77 + 25 * line, words, color=role, bold=True)
        if copied:
            look = {"size": 11, "color": "paper", "edge": "muted", "width": 1.9, "z": 4}
            pen.points(page, f"key copy {k}", [x - 25], [door + 142], **look)
            pen.text(page, f"through copy {k}", x - 11, door + 148, f"{copied}%", color="muted", bold=True)
            pen.text(page, f"passes untested {k}", x, door + 172, "untested", color="muted", size=SMALL, ha="center")
        return pen.text(page, f"factor {k}", x - 2, 377, factor, ha="center")
    y = top - 30
    pen.line(page, f"wall {k}", [16, 374], [y, y])
    _badge(pen, page, k, 33, y, sign, 32)
    parts = [(f"{copied}% copied", "muted")] * bool(copied)
    parts += [(words if copied else f"{words} of {h}", role) for h, words, role in rows]
    for line, (words, role) in enumerate(parts):
        place = {"after": f"part {k}.{line - 1}", "dx": 8} if line else {"dx": 60}
        pen.text(page, f"part {k}.{line}", 0, y, words, color=role, **place)
    pen.text(page, f"factor {k}", 374, y, factor, va="center", ha="right", halo="paper", size=SMALL)


def _badge(pen, page, k, x, y, sign, size):
    """The result, as evidence: an amber disc with its sign cut out."""
    arm = 0.22 * size
    pen.points(page, f"badge {k}", [x], [y], size=size, edge=None)
    strokes = [((x - arm, y), (x + arm, y)), *([((x, y - arm), (x, y + arm))] if sign == "+" else [])]
    pen.segments(page, f"sign {k}", strokes)


# The rules of probability as areas of a square


def _rule(rule, p_a, p_b_a, p_b_not_a):
    """(title, areas that count, result, formula, the same in numbers, in words, the caption's last sentence)"""
    prior, likelihood = {"A": p_a, "¬A": 1 - p_a}, {"A": p_b_a, "¬A": p_b_not_a}
    p_b, both, rest = bayes.total_probability(prior, likelihood), p_b_a * p_a, p_b_not_a * (1 - p_a)
    if rule == "product":
        told = "P(A and B) = P(B | A) P(A)", f"= {p_b_a:.4g} × {p_a:.4g}", "height times width"
        return (
            "Product rule",
            "AB",
            f"{both:.4g}",
            *told,
            f"The area of A and B together is {p_b_a:.4g} × {p_a:.4g} = {both:.4g}.",
        )
    if rule == "sum":
        either = f"{p_a + p_b - both:.4g}"
        told = (
            "P(A or B) = P(A) + P(B) − P(A and B)",
            f"= {p_a:.4g} + {p_b:.4g} − {both:.4g}",
            "the overlap counts once",
        )
        say = f"P(A) and P(B) = {p_b:.4g} share the area {both:.4g}, so P(A or B) = {either}."
        return "Sum rule", "AB A¬B ¬AB", either, *told, say
    if rule == "total":
        told = "P(B) = P(B | A) P(A) + P(B | ¬A) P(¬A)", f"= {both:.4g} + {rest:.4g}", "the two full areas together"
        say = f"B is {both:.4g} inside A and {rest:.4g} outside, so P(B) = {p_b:.4g}."
        return "Total probability", "AB ¬AB", f"{p_b:.4g}", *told, say
    formula, told = "P(A | B) = P(B | A) P(A) / P(B)", "of the two full areas, the share in A"
    if not p_b:
        say = "B never happens here: P(B) = 0, and there is no P(A | B) to speak of."
        return "Bayes' theorem", "AB ¬AB", "no B", formula, "P(B) = 0: B never happens", told, say
    after = f"{bayes.posterior(prior, likelihood)['A']:.4g}"
    say = f"Of the area of B, {p_b:.4g}, the part inside A is {both:.4g}, so P(A | B) = {after}."
    return "Bayes' theorem", "AB ¬AB", after, formula, f"= {both:.4g} / {p_b:.4g}", told, say


@figure(
    (128, 24, 312, 312),
    (566, 24, 316, 312),
    size=(900, 396),
    narrow=((390, 560), (80, 16, 230, 230), (16, 326, 358, 220)),
    controls={
        "a": Slider("P(A) in percent", 0, 100, 40),
        "b_a": Slider("P(B|A) in percent", 0, 100, 70),
        "b_not_a": Slider("P(B|not A) in percent", 0, 100, 10),
        "rule": State("product"),
    },
    presets={rule: {"rule": rule} for rule in ("product", "sum", "total", "Bayes")},
    unlocks={"01/either": ["sum"]},
    drag={"grip 1": ("a", None), "grip 2": (None, "b_a"), "grip 3": (None, "b_not_a")},
    keys={**steer.by("a"), **steer.by("b_a", keys=steer.UP)},
    help="Drag the upright line or a height by its ring; left and right arrows move P(A), up and down P(B|A).",
    looks={
        "area AB": {"color": "case"},
        "area A¬B": {"color": "case_tint"},
        "area ¬AB": {"color": "other"},
        "area ¬A¬B": {"color": "other_wash"},
        "name": {"size": SMALL, "ha": "center", "va": "center"},
        "seam": {"color": "paper", "width": 1.5, "z": 2.5},
        "grip": {"color": "paper", "edge": "ink", "width": 2.2, "size": 12, "z": 6},
        "side": {"color": "muted"},
        "result": {"color": "belief", "size": HERO, "bold": True},
    },
)
def rules(pen, square, words, a, b_a, b_not_a, rule):
    """The four rules of probability as areas of a square that the reader can cut elsewhere."""
    p_a, p_b_a, p_b_not_a, wide = a / 100, b_a / 100, b_not_a / 100, pen.size[0] > 560
    title, counts, result, *lines, caption = _rule(rule, p_a, p_b_a, p_b_not_a)

    # The square: width is P(A), heights are P(B|A) and P(B|¬A)
    square.limits((0, 100), (0, 100))
    areas = {"A and B": ("AB", 0, 0, a, b_a), "A, not B": ("A¬B", 0, b_a, a, 100 - b_a)}
    areas |= {"B, not A": ("¬AB", a, 0, 100 - a, b_not_a), "neither": ("¬A¬B", a, b_not_a, 100 - a, 100 - b_not_a)}
    for name, (area, x, y, width, height) in areas.items():
        lit = area in counts.split()
        pen.bar(square, f"area {area}", x, y, width, height, **({} if lit else {"color": "mist"}))
        fits = width * square.scale > pen.width(name, SMALL) + 12 and height * square.scale > 26
        color = "muted" if not lit else "paper" if area in ("AB", "¬AB") else "ink"
        pen.text(square, f"name {area}", x + width / 2, y + height / 2, name if fits else "", color=color)
    pen.segments(square, "seam", [((a, 0), (a, 100)), ((0, b_a), (a, b_a)), ((a, b_not_a), (100, b_not_a))])
    pen.points(square, "grip 1", [a], [100], grab="the line between A and not A")
    pen.points(square, "grip 2", [a / 2], [b_a], grab="the height of B inside A")
    pen.points(square, "grip 3", [(100 + a) / 2], [b_not_a], grab="the height of B outside A")
    size = LABEL if wide else SMALL
    pen.text(square, "side A", 0, 0, f"P(A) = {p_a:.4g}", dy=-30, size=size)
    pen.text(square, "side not A", 100, 0, f"P(¬A) = {1 - p_a:.4g}", dy=-30, size=size, ha="right", color="muted")
    for name, x, ha, dx, height in (("P(B | A)", 0, "right", -12, b_a), ("P(B | ¬A)", 100, "left", 12, b_not_a)):
        at = {"dx": dx, "ha": ha, "va": "center", "size": SMALL}
        pen.text(square, f"side {name}", x, min(max(height, 8), 92), f"{name}\n{height / 100:.4g}", **at, color="muted")

    # The rule in words and numbers
    pen.head(words, title, y=-18)
    for line, (text, color) in enumerate(zip(lines, ("ink", "muted", "muted"))):
        pen.text(
            words, f"formula {line}", 0, 62 + 34 * line, text, color=color, size=size if line else LABEL * wide or SMALL
        )
    pen.text(words, "result", -2, 210, result)
    return f"{title}. A has width {p_a:.4g}; B has height {p_b_a:.4g} inside A and {p_b_not_a:.4g} outside. {caption}"
