"""The live figures of section 05, naive Bayes."""

from collections import Counter
from functools import cache, lru_cache
from textwrap import shorten

import numpy as np

from bayeslib import data
from bayeslib.figures import steer, user_data
from bayeslib.figures.drawn import Choice, Menu, Slider, State, Text, figure, player
from bayeslib.figures.theme import HEAD, HERO, LABEL, NUMBER, SMALL
from bayeslib.models import poets
from bayeslib.models.naive_bayes import NaiveBayes, borders, log_normal


def _pointer(pen, panel, name, start, end, thick, tip=9, **look):
    """A bar from one place to another that points at its end; the tip is part of its length."""
    a, b = panel.pixels(*np.transpose([start, end]))
    length = max(np.hypot(*(b - a)), 1e-6)
    along, half = (b - a) / length, thick / 2
    across, neck = along[::-1] * (-half, half), b - min(tip, length) * along
    pen.area(panel, name, panel.data([a + across, neck + across, b, neck - across, a - across]), **look)


def _percent(share):
    """Whole percent, more digits near the ends, and 0 or 100 only where it is certain."""
    if share in (0, 1) or 0.01 <= share < 0.995:
        return f"{100 * share:.0f}%"
    return ">99.9%" if share > 0.9995 else "<0.1%" if share < 0.0005 else f"{100 * share:.1f}%"


# A day: each clue multiplies the odds. One row a clue; the belief walks down from bar to bar

VALUES = {
    "Outlook": ["sunny", "overcast", "rain"],
    "Temperature": ["hot", "mild", "cool"],
    "Humidity": ["high", "normal"],
    "Wind": ["weak", "strong"],
}
TOMORROW = {"Outlook": "sunny", "Temperature": "cool", "Humidity": "high", "Wind": "strong"}
SAYS = {"Humidity": "{} humidity", "Wind": "{} wind"}  # the other values speak for themselves
MISSING = "not recorded"
REACHES = ((3.3, (1, 2, 3)), (4.7, (2, 4)), (6.8, (2, 4, 6)), (11.8, (5, 10)), (21, (10,)))  # doublings, ticks
FOOT = 5.0  # rows: the lower edge of the field


@cache
def _tennis():
    """(days of each class, counts of each attribute in each class) of the fourteen days."""
    table = data.load_play_tennis()
    model = NaiveBayes(domains=VALUES).fit(table[[*VALUES]], table["PlayTennis"].tolist())
    days = dict(zip(model.classes_.tolist(), model.class_count_.tolist()))
    return days, {each: model.counts(each) for each in VALUES}


def _clue(attribute, value):
    """(name, days that have it among the yes and the no days, factor of the odds); a missing one leaves the odds alone."""
    if value == MISSING:
        return f"{attribute.lower()} ?", (1, 1), 1.0
    days, counts = _tennis()
    yes, no = (counts[attribute][v][value] for v in ("yes", "no"))
    return SAYS.get(attribute, "{}").format(value), (yes, no), (yes / days["yes"]) / (no / days["no"]) if no else np.inf


def _moved(order, attribute, by=0, to=None):
    """The order with one clue at another place."""
    rest = [each for each in order if each != attribute]
    place = order.index(attribute) + by if to is None else to
    rest.insert(int(np.clip(place, 0, len(rest))), attribute)
    return {"order": rest}


@player(
    (176, 68, 460, 286),
    (660, 68, 220, 286),
    size=(900, 446),
    narrow=((390, 560), (154, 66, 224, 396), (0, 66, 390, 396)),
    history=range(5),
    step="last",
    pace=600,
    interval=1600,
    controls={
        **{name: Menu(name, (*values, MISSING), TOMORROW[name]) for name, values in VALUES.items()},
        "counted": Menu("counted more than once", tuple(VALUES), "Wind"),
        "times": Slider("times counted", 1, 10, 1),
        "order": State([*VALUES]),
    },
    presets={
        "a veto": {**TOMORROW, "Outlook": "overcast", "step": 4},
        "a day for tennis": {**dict(zip(VALUES, ("rain", "mild", "normal", "weak"))), "step": 4},
        "cool, four times": {**TOMORROW, "counted": "Temperature", "times": 4, "step": 4},
    },
    unlocks={"05/for-tennis": [], "05/missing-wind": [*VALUES], "05/wind-twice": ["counted", "times"]},
    main=("times",),
    more=tuple(VALUES),
    drag={"bar": lambda values, name, x, y: _moved(values["order"], name[4:], to=round(y) - 1)},
    mark_keys={
        "ArrowUp": ("multiply it earlier", lambda values, name: _moved(values["order"], name[4:], -1)),
        "ArrowDown": ("multiply it later", lambda values, name: _moved(values["order"], name[4:], 1)),
    },
    help="Drag a bar up or down to multiply in another order. Left and right arrows step, Space plays.",
    looks={
        "grid": {"color": "paper", "width": 1.3, "z": 0.5},
        "even": {"color": "muted", "width": 1.6, "z": 1},
        "tick": {"color": "muted", "size": SMALL, "ha": "center"},
        "word": {"size": HEAD, "bold": True},
        "bar": {"grab": "a clue", "z": 4, "clip": False, "when": (0, 0.4)},
        "prior bar": {"z": 4},
        "echo": {"z": 3.9},
        "path": {"color": "belief", "width": 2.8, "z": 5, "grow": "y", "clip": False, "when": (0, 0.4)},
        "path last": {"color": "belief", "width": 2.8, "z": 5, "clip": False, "when": (0.4, 1)},
        "said": {"color": "belief", "size": SMALL, "va": "center"},
        "cover": {"color": "paper", "z": 4},
        "asked": {"color": "muted", "bold": True, "ha": "center", "va": "center"},
        "start": {"color": "paper", "edge": "belief", "width": 2.2, "size": 10, "z": 6},
        "belief": {"color": "belief", "width": 2.6, "size": 19, "z": 7, "when": (0.4, 1)},
        "guess": {"color": "paper", "edge": "prior", "width": 2.8, "size": 12, "z": 6},
        "hero": {"color": "belief", "size": HERO, "bold": True},
        "ring": {"color": None, "edge": "ink", "width": 1.8, "size": 40},
        "name": {"va": "center"},
        "again": {"size": SMALL, "color": "muted", "va": "center"},
        "small": {"size": SMALL, "color": "muted", "va": "center"},
        "yes": {"ha": "right", "va": "center"},
        "no": {"ha": "right", "va": "center"},
        "factor": {"bold": True, "ha": "right", "va": "center"},
    },
)
def day_factors(pen, field, ledger, step, counted, times, order, **day):
    """The multiplication of naive Bayes as a walk of the odds, clue by clue."""
    wide, days, covered = pen.size[0] > 560, _tennis()[0], pen.waiting and not pen.answered("05/for-tennis")
    clues = [("before looking", (days["yes"], days["no"]), days["yes"] / days["no"])]
    clues += [_clue(each, day[each]) for each in order]
    copies = [1, *(times if each == counted and day[each] != MISSING else 1 for each in order)]
    weight = np.log2([ratio for *_, ratio in clues])
    level = np.cumsum(weight * copies)
    known = np.abs([each for each in [*level, *weight] if np.isfinite(each)])
    reach, ticks = next(each for each in REACHES if known.max() <= each[0] - 0.2)
    rows = field.box[3] / (FOOT + 0.5)  # pixels of a row
    field.limits((-reach, reach), (FOOT, -0.5))
    ledger.limits((0, ledger.box[2]), (FOOT, -0.5))

    def at(doublings):
        """Where odds stand; a veto ends beyond the scale."""
        return doublings if np.isfinite(doublings) else reach + (14 if wide else 4) / field.scale

    # The ground: no to the left, yes to the right
    for side, role, words, ha in ((-1, "case", "no tennis", "left"), (1, "other", "tennis", "right")):
        pen.bar(field, f"ground {role}", 0, -0.5, side * reach, FOOT + 0.5, color=f"{role}_wash", z=0)
        pen.text(field, f"word {role}", side * reach, -0.5, words, dy=33, ha=ha, color=role)
        for tick in ticks:
            pen.line(field, f"grid {side * tick}", [side * tick] * 2, [-0.5, FOOT])
            if wide or tick == ticks[len(ticks) // 2 if reach < 5 else 0]:
                pen.text(field, f"tick {side * tick}", side * tick, -0.5, f"{2**tick:,}:1", dy=9)
    pen.line(field, "even", [0, 0], [-0.5, FOOT])
    pen.text(field, "tick even", 0, -0.5, "even", dy=9)
    pen.points(field, "start", [0], [0])
    if wide:
        pen.text(field, "word day", -reach, -0.5, "This day", dx=-154, dy=33)
        pen.text(ledger, "word often", 0, -0.5, "How often", dy=33)
        for x, words, role in ((64, "yes days", "other"), (142, "no days", "case"), (218, "odds", "muted")):
            pen.text(ledger, f"tick {words}", x, -0.5, words, dy=9, ha="right", color=role)

    # One row a clue: a bar that waits lies at even; multiplied in, it goes on from where the last one ended
    stand = [k + (n > 1) * (13 + _echoes(n)[0] * (n - 1.5)) / rows for k, n in enumerate(copies)]
    for k, (says, (yes, no), ratio) in enumerate(clues):
        attribute, done = ("prior", *order)[k], k <= step and (k == 0 or not covered)
        dead, role = k > 0 and np.isinf(level[k - 1]), "case" if weight[k] < 0 else "other"
        here = done and not dead
        start = level[k - 1] if here and k else 0.0
        missing = k > 0 and day[attribute] == MISSING
        bar = "prior bar" if k == 0 else f"bar {attribute}"
        if covered and k:
            pen.bar(field, f"cover {k}", -30 / field.scale, k - 12 / rows, 60 / field.scale, 24 / rows)
            pen.text(field, f"asked {k}", 0, k, "?")
        elif missing:
            thin = 1.5 / field.scale
            _pointer(pen, field, bar, (start - thin, k), (start + thin, k), 24, tip=0, color="muted")
        else:
            tone = role if here else f"{role}_tint"
            _pointer(pen, field, bar, (start, k), (at(start + weight[k]), k), 24, color=tone)
            _copies(pen, field, copies[k] if here else 1, k, start, weight[k], role, rows)
        if k < step and not covered:
            pen.line(field, f"path {k}", [at(level[k])] * 2, [stand[k], k + 1])
            said, side = 1 / (1 + 2.0 ** level[k]), -1 if weight[k] < 0 else 1
            words = _percent(said) + (" no" if k == 0 else "")
            room = reach - side * at(level[k]) - (pen.width(words, SMALL) + 14) / field.scale
            if room > 0 and copies[k] == 1 and not missing and np.isfinite(level[k]):
                edge = at(level[k]) + side * 8 / field.scale
                halo = "case_wash" if edge < 0 else "other_wash"
                pen.text(field, f"said {k}", edge, k, words, ha="left" if side > 0 else "right", halo=halo)

        # Its words: how often it is on yes days and on no days, and what that does to the odds
        factor = ("× " if k else "") + ("?" if covered and k else "∞" if np.isinf(ratio) else f"{ratio:.3f}")
        ink = "ink" if done or covered else "muted"
        again = _often(copies[k]) if copies[k] > 1 else ""
        look = {"color": "muted" if missing else ink, "bold": k > 0 and not missing}
        if not wide:
            pen.text(ledger, f"name {attribute}", 12, k, says, dy=11, size=SMALL, **look)
            pen.text(ledger, f"small {attribute}", 12, k, f"{factor}, {again}" if again else factor, dy=-11)
            continue
        pen.text(field, f"name {attribute}", -reach, k, says, dx=-14, ha="right", **look)
        pen.text(field, f"again {k}", -reach, k, again, dx=-14, dy=-22, ha="right")
        for name, x, number, of, tone in (("yes", 64, yes, days["yes"], "other"), ("no", 142, no, days["no"], "case")):
            words = f"?/{of}" if covered and k else f"{number}/{of}" if k and not missing else f"{number}"
            pen.text(ledger, f"{name} {attribute}", x, k, words, color=tone if done else "muted")
        if np.isinf(ratio) and not covered:
            pen.points(ledger, "ring zero", [127], [k])
        pen.text(ledger, f"factor {attribute}", 218, k, factor, color=ink)

    # The belief
    now = level[0 if covered and step < 4 else step]
    place, y = at(now), stand[step] if not covered else FOOT - 0.3 if step else 0.0
    no = 1 / (1 + 2.0**now)
    via = ([at(level[step - 1])], [step]) if step and not covered else None
    pen.points(field, "belief", [place], [y], **({"via": via} if via else {}))
    pen.line(field, "path last", [place] * 2, [y, FOOT + 30 / rows])
    lead, share = ("no tennis", no) if no >= 0.5 else ("tennis", 1 - no)
    words = _percent(share)
    width = pen.width(words, HERO, True)
    right = (636 if wide else 376) - width - 10 - pen.width(lead, LABEL)
    ((x, y),) = field.pixels([place], [FOOT])
    ((x, _),) = field.data([np.clip(x - width / 2, 22 if wide else 14, right), y])
    pen.text(field, "hero", x, FOOT, words, dy=-78)
    pen.text(field, "lead", x, FOOT, lead, dx=10, dy=-78, after="hero")
    asked = counted == "Wind" and {**day, "Wind": ""} == {**TOMORROW, "Wind": ""}
    if pen.guess is not None and step == 4 and asked:
        said, side = np.log2((100 - pen.guess) / pen.guess), 1 if pen.guess / 100 < no else -1
        pen.points(field, "guess", [said], [FOOT])
        words = f"{pen.reader} said {pen.guess:g}%"
        pen.text(field, "small guess", said, FOOT, words, dx=12 * side, dy=-20, ha="left" if side > 0 else "right")
    if np.isinf(now) and step == 4 and wide:
        pen.text(field, "small dead", 0, 4, "no clue brings it back", dx=14, halo="other_wash")
    if wide:
        pen.line(ledger, "rule", [10, 218], [4.62, 4.62], color="rule", width=1.3)
        pen.text(ledger, "product of", 142, FOOT, "yes : no", dy=-12, ha="right", color="muted")
        pen.text(ledger, "product", 218, FOOT, _odds(2.0**now), dy=-12, ha="right", bold=True, color="belief")
        pen.text(ledger, "posterior of", 142, FOOT, "P(no | clues)", dy=-78, ha="right", color="muted")
        told = "0" if no == 0 else ">.999" if no > 0.9995 else "<.001" if no < 0.0005 else f"{no:.3f}"
        pen.text(ledger, "posterior", 218, FOOT, told, dy=-78, ha="right", bold=True, color="belief")
    return _day_in_words(clues, copies, order, day, step, level, no, covered, counted, times)


def _often(times):
    return "once" if times == 1 else "twice" if times == 2 else f"{times} times"


def _odds(odds, digits=3):
    return (
        "∞"
        if np.isinf(odds)
        else f"{odds:,.0f}"
        if odds >= 999.5
        else f"{odds:.{digits}f}"
        if odds >= 0.0995
        else f"{odds:.2g}"
    )


def _echoes(copies):
    """(pitch, thickness) in pixels of the copies under a bar."""
    pitch = min(17, 28 / (copies - 1)) if copies > 1 else 0
    return pitch, max(pitch - 3 if pitch > 6 else pitch - 1, 1.6)


def _copies(pen, field, copies, row, start, weight, role, rows):
    """The same clue again and again: thinner bars below, each from where the last one ended."""
    pitch, thick = _echoes(copies)
    look = {"color": f"{role}_tint", "edge": role, "width": 1.2} if thick > 6 else {"color": role}
    ends = [row, *(row + (13 + pitch * (j - 0.5)) / rows for j in range(1, copies))]
    for j in range(1, copies):
        a = start + j * weight
        _pointer(pen, field, f"echo {j}", (a, ends[j]), (a + weight, ends[j]), thick, tip=min(5, thick), **look)
    if copies > 1:
        drops = [((start + j * weight, ends[j - 1]), (start + j * weight, ends[j])) for j in range(1, copies)]
        pen.segments(field, "path copies", drops, width=1.8)


def _day_in_words(clues, copies, order, day, step, level, no, covered, counted, times):
    if step == 0 or covered:
        return f"Before looking, 9 yes days to 5 no days: P(no) = {5 / 14:.3f}. Four clues wait for their turn."
    days, (says, (yes, no_days), _) = _tennis()[0], clues[step]
    factors = [f"{each:.3f}" + f" ({_often(n)})" * (n > 1) for (*_, each), n in zip(clues[: step + 1], copies)]
    odds, product = 2.0 ** level[step], " × ".join(factors)
    here = f"{says}: {yes:g}/{days['yes']:g} of the yes days, {no_days:g}/{days['no']:g} of the no days."
    if day[order[step - 1]] == MISSING:
        here = f"{order[step - 1]} isn't recorded: its factor is left out."
    if np.isinf(odds):
        return f"{here} No overcast day was a no day: P(no) = 0, whatever the other clues say."
    said = (
        f" {counted} is counted {_often(times)}."
        if (times > 1 or counted != "Wind") and day[counted] != MISSING
        else ""
    )
    chance = f"{no:.4f}" if 0.0005 < no < 0.9995 else f"1 − {1 - no:.2g}" if no > 0.5 else f"{no:.2g}"
    return f"{here} The odds of tennis are {product} = {_odds(odds, 4)}, so P(no) = {chance}.{said}"


# Eight lines without a name: the reader's game

GAME = {  # held out in the first split
    "Torments him; round he throws his baleful eyes": "Milton",
    "When day's oppression is not eased by night": "Shakespeare",
    "The injuries that to myself I do": "Shakespeare",
    "Hast thou forgot me then, and do I seem": "Milton",
    "But neither breath of Morn when she ascends": "Milton",
    "O, that record could with a backward look": "Shakespeare",
    "Much wondring how the suttle Fiend had stoln": "Milton",
    "They draw but what they see, know not the heart": "Shakespeare",
}
EIGHT = [*GAME]


@cache
def _worth(shared):
    """word -> odds for Shakespeare, counted in the first split."""
    train, _ = poets.halves(seed=0)
    said = [poets.words(" ".join(train["text"][train["author"] == poet])) for poet in poets.POETS]
    return poets.word_odds(*said, shared=shared)


def _verse(line):
    return line.replace("'", "’")


def _name(letter):
    """The reader says who wrote the line, and the line goes to the one who did."""

    def act(values, *_):
        step = values["step"]
        return {"named": (values["named"][:step].ljust(step, "-") + letter)[:8], "step": min(step + 1, 8)}

    return act


@player(
    (22, 52, 856, 350),
    size=(900, 424),
    narrow=((390, 560), (12, 52, 366, 490)),
    history=range(9),
    pace=500,
    controls={"named": State("")},
    keys={"s": _name("S"), "m": _name("M")},
    click=lambda values, name: _name(name.split()[1][0])(values),
    unlocks={"05/poet-word": []},
    help="Press S for Shakespeare or M for Milton, or click a poet; the right arrow only tells.",
    looks={
        "ground Shakespeare": {"color": "case_wash", "z": 0, "click": "this line is Shakespeare's"},
        "ground Milton": {"color": "other_wash", "z": 0, "click": "this line is Milton's"},
        "poet Shakespeare": {"color": "case", "size": NUMBER, "bold": True},
        "poet Milton": {"color": "other", "size": NUMBER, "bold": True},
        "verse": {"size": 30, "italic": True, "ha": "center", "va": "center"},
        "line": {"italic": True, "va": "center"},
        "square": {"size": 13, "width": 1.8, "shape": "s"},
        "machine": {"color": "belief", "bold": True, "ha": "right", "va": "center"},
        "small": {"color": "muted", "size": SMALL},
        "press": {"color": "muted", "size": SMALL},
        "yours": {"size": NUMBER, "bold": True, "ha": "center"},
    },
)
def whose_line(pen, page, step, named):
    """Eight held-out lines: who wrote them? Each goes to its poet, and a square keeps the score."""
    wide, (_, _, width, height), size = pen.size[0] > 560, page.box, LABEL if pen.size[0] > 560 else SMALL
    band, machine, given = (height - 90) / 2, pen.answered("05/poet-word"), named[:step].ljust(step, "-")
    tops = {"Shakespeare": 0, "Milton": height - band}
    for (poet, top), book in zip(tops.items(), ("Sonnets, 1609", "Paradise Lost, 1667")):
        pen.bar(page, f"ground {poet}", 0, top, width, band)
        pen.text(page, f"poet {poet}", 16, top + 38, poet)
        at, ha = ((16, top + 66), "left") if wide else ((width - 12, top + 36), "right")
        pen.text(page, f"small {poet}", *at, book, ha=ha)
        if step < 8 and wide:
            pen.text(page, f"press {poet}", 16, top + band - 14, f"{poet[0]}, or click here")
    pen.head(page, "Whose line?", f"{step + 1} of 8" if step < 8 else "the eight" if wide else "", y=20)

    # Told lines stand with their poets, and squares keep the score
    right, seen, sure = 0, Counter(), 0
    for k, (line, poet) in enumerate(GAME.items()):
        verdict = given[k : k + 1] and {poet[0]: "best", "-": "rule"}.get(given[k], "ink")
        look = {"color": verdict or "paper", "edge": verdict or ("ink" if k == step else "rule")}
        pen.points(page, f"square {k}", [width - 8 - (26 if wide else 21) * (7 - k)], [-27], **look)
        if k >= step:
            continue
        y = tops[poet] + (22 + 29 * seen[poet] if wide else 70 + 34 * seen[poet])
        seen[poet] += 1
        right += verdict == "best"
        x, room = (244, width - 324) if wide else (16, width - 32 - 56 * machine)
        tone = {"ink": "ink", "rule": "muted"}.get(verdict, "case" if poet == "Shakespeare" else "other")
        if verdict == "ink":
            pen.text(page, f"cross {k}", x, y, "×", va="center", bold=True)
            x, room = x + 20, room - 22
        pen.text(page, f"line {k}", x, y, _fitting(pen, _verse(line), size, room), color=tone, size=size)
        if machine:
            chance = _chance(line) if poet == "Shakespeare" else 1 - _chance(line)
            sure += chance > 0.5
            pen.text(page, f"machine {k}", width - 12, y, _percent(chance), color="belief" if chance > 0.5 else "ink")
    tried = sum(letter != "-" for letter in given)
    asked = " At the right: how probable the machine finds the true poet." if machine and step else ""
    if step < 8:
        line = _verse(EIGHT[step])
        words, half = line.split(), len(line.split()) // 2 + len(line.split()) % 2
        broken = " ".join(words[:half]) + "\n" + " ".join(words[half:])
        pen.text(page, f"verse {step}", width / 2, height / 2, line if wide else broken, size=30 if wide else 22)
        said = {"S": " You said Shakespeare.", "M": " You said Milton."}.get(named[step : step + 1], "")
        was = f" The last one was {GAME[EIGHT[step - 1]]}'s." if step else ""
        score = f" {right} of {tried} right so far." if tried else ""
        return f"Line {step + 1} of 8, held out: {line}.{said}{was}{score}{asked}"
    yours = f"You named {right} of {tried}" if tried else "Four of each"
    other = f"the machine {sure}" if machine else "the machine's answers come later"
    pen.text(page, "yours", width / 2, height / 2, yours, dy=8)
    pen.text(page, "other", width / 2, height / 2, other, dy=-22, ha="center", color="belief" if machine else "muted")
    score = f" You named {right} of {tried}." if tried else ""
    told = f"The machine has {sure} of them.{asked}" if machine else "The machine's answers come later."
    return f"Eight lines, chosen by us; 4 are Shakespeare's, 4 Milton's.{score} {told}"


def _chance(line):
    """P(Shakespeare | line) from even odds, by the shared words."""
    odds = float(np.prod([_worth(True).get(word, 1) for word in poets.words(line)]))
    return odds / (1 + odds)


def _fitting(pen, words, size, room):
    """As many of the words as the room takes."""
    if pen.width(words, size) <= room:
        return words
    kept = words.split()
    while pen.width(" ".join(kept) + " …", size) > room:
        kept.pop()
    return " ".join(kept) + " …"


# A line word by word: below each word its step, up for Shakespeare, down for Milton

SONNET, FOUR = "My mistress' eyes are nothing like the sun", "god adam thir hell"
LINES = {
    SONNET: "Shakespeare",
    "Better to reign in Hell, then serve in Heav'n": "Milton",
    **GAME,
    "Hello my love, I am going to the supermarket": None,
    FOUR: None,
}
LONGEST = 10  # words


def _read(line, own):
    """The words as they are written, and the author if he is known."""
    if own.strip():
        user_data.words(own, "your own line", most=LONGEST)
        return own.replace("'", "’").split()[:LONGEST], None
    return _verse(line).split(), LINES[line]


@player(
    (66, 96, 634, 312),
    size=(900, 430),
    narrow=((390, 560), (52, 108, 326, 332)),
    history=lambda line, own: [None, *_read(line, own)[0]],
    step="last",
    pace=600,
    interval=900,
    controls={
        "line": Menu("line", tuple((shorten(_verse(each), 28, placeholder=" …"), each) for each in LINES), SONNET),
        "own": Text("or your own, up to 10 words", ""),
        "words": Choice("words", (("those that both use", "shared"), ("all", "all")), "shared"),
    },
    presets={
        "all words": {"words": "all", "own": ""},
        "sure and wrong": {"line": EIGHT[3], "own": "", "words": "shared"},
        "neither poet": {"line": "Hello my love, I am going to the supermarket", "own": "", "words": "shared"},
    },
    more=("own",),
    help="Left and right arrows walk from word to word, Space plays.",
    looks={
        "ground case": {"color": "case_wash", "z": 0},
        "ground other": {"color": "other_wash", "z": 0},
        "grid": {"color": "paper", "width": 1.3, "z": 0.5},
        "even": {"color": "muted", "width": 1.6, "z": 1},
        "tick": {"color": "muted", "size": SMALL, "ha": "right", "va": "center"},
        "poet": {"size": HEAD, "bold": True},
        "verse": {"italic": True},
        "mark": {"width": 2.6, "clip": False},
        "thread": {"width": 1.3, "z": 0.8, "clip": False},
        "step": {"z": 4, "when": (0, 0.4)},
        "path": {"color": "belief", "width": 2.8, "z": 5, "grow": "x", "when": (0, 0.4)},
        "start": {"color": "paper", "edge": "belief", "width": 2.2, "size": 10, "z": 6},
        "belief": {"color": "belief", "width": 2.6, "size": 19, "z": 7, "when": (0.4, 1)},
        "wrong": {"color": None, "edge": "ink", "width": 1.8, "size": 32, "z": 7},
        "worth": {"size": SMALL, "ha": "center"},
        "word": {"size": SMALL, "ha": "center"},
        "asked": {"size": HERO, "bold": True, "color": "sediment", "ha": "center", "va": "center"},
        "hero": {"color": "belief", "bold": True},
        "truth": {"size": SMALL},
    },
)
def word_by_word(pen, field, history, step, line, own, words):
    """What each word of a line is worth: a stair of odds from poet to poet."""
    wide, covered, (_, author) = pen.size[0] > 560, pen.waiting, _read(line, own)
    read, known, (_, _, width, height) = history[1:], _worth(words == "shared"), field.box
    plain = [(poets.words(each.replace("’", "'")) or [""])[0] for each in read]
    verse = [user_data.plain(each, min(14, 64 // len(read))) for each in read] if own.strip() else read
    ratio = np.array([known.get(word, 1.0) for word in plain])
    counts, weight = np.array([word in known for word in plain]), np.log2(ratio)
    level = np.r_[0, np.cumsum(weight)]
    count = step if not covered else 0

    # The verse stands above; below each of its words is the word's step, unless the line is too long for that
    size, left, row, even = _set(pen, verse, width, wide)
    at = np.array([x + pen.width(each, size) / 2 for x, each in zip(left, verse)])
    if even:
        at[counts] = np.linspace(44, width - 66, max(counts.sum(), 2))[: counts.sum()]
    else:
        left, at = left + 8, at + 8
    near = [0, *(v for k in np.flatnonzero(counts) if at[k] < 172 for v in (level[k], level[k + 1], weight[k]))]
    up, down = max(level.max(), weight.max(), 0.6), min(level.min(), weight.min(), -0.6)
    if covered:
        near, up, down = [0], 4, -4
    above, under = 62 if max(near) > 0.62 * up else 40, 62 if min(near) < 0.62 * down else 40
    unit = (height - above - under) / (up - down)  # pixels of a doubling
    field.limits((0, width), (down - under / unit, up + above / unit))
    (low, high), taken, tags = field.y, [], []
    ends = ("case", high, high - 27 / unit), ("other", low, low + 14 / unit)
    for poet, (role, end, y) in zip(poets.POETS, ends):
        pen.bar(field, f"ground {role}", 0, 0, width, end)
        pen.text(field, f"poet {role}", 14, y, poet, color=role, halo=f"{role}_wash")
        ((px, py),) = field.pixels([14], [y])
        taken.append((px, py - 18, px + pen.width(poet, HEAD, True), py + 2))
    gap = next((each for each in (1, 2, 4, 8) if each * unit > 30), 16)
    for doublings in range(int(np.ceil(low)), int(high) + 1) if not covered else [0]:
        if doublings % gap == 0 and low + 8 / unit < doublings < high - 8 / unit:
            pen.line(field, "even" if not doublings else f"grid {doublings}", (0, width), [doublings] * 2)
            pen.text(field, f"tick {doublings}", 0, doublings, _to_one(doublings), dx=-8 if wide else -5)
    pen.points(field, "start", [8], [0])

    x = 8
    for k, word in enumerate(verse):
        role, done, pale = "case" if weight[k] > 0 else "other", k < count, "" if k < count else "_tint"
        tone = "muted" if not counts[k] else role if done else "ink"
        lift = 38 if not even else (64 - 34 * row[k] if wide else 66 - 38 * row[k])
        pen.text(field, f"verse {k}", left[k], high, word, dy=lift, size=size, color=tone)
        if covered and counts[k]:
            pen.text(field, f"asked {k}", at[k], 0, "?")
        if covered or not counts[k]:
            continue
        a = level[k] if done else 0.0
        b = a + weight[k]
        if not even:
            under = high + 22 / unit
            pen.line(field, f"mark {k}", [left[k], left[k] + pen.width(word, size)], [under] * 2, color=role + pale)
            pen.line(field, f"thread {k}", [at[k]] * 2, [under, max(a, b) + 4 / unit], color=f"{role}_tint")
        _pointer(pen, field, f"step {k}", (at[k], a), (at[k], b), 24 if wide else 20, color=role + pale)
        if done:
            pen.line(field, f"path {k}", [x, at[k]], [level[k]] * 2)
            x = at[k]
        tags.append((abs(weight[k]), k, a, b))
    last = max(np.flatnonzero(counts[:count]), default=-1)
    for _, k, a, b in sorted(tags, reverse=True):  # what each word is worth, where there is room for it
        side, done = 1 if weight[k] > 0 else -1, k < count
        clear = (12 if k == last and count < len(verse) else 0) + 8
        said = [("worth", _times(ratio[k]), b + side * clear / unit, side, "ink", False)]
        said += [("word", plain[k], a - side * 7 / unit, -side, "case" if side > 0 else "other", True)] if even else []
        for name, told, y, way, tone, bold in said if done or even else []:
            half, ((px, py),) = pen.width(told, SMALL, bold) / 2 + 2, field.pixels([at[k]], [y])
            box = (px - half, py - 15 * (way > 0), px + half, py + 15 * (way < 0))
            if not any(box[0] < o[2] and o[0] < box[2] and box[1] < o[3] and o[1] < box[3] for o in taken):
                taken.append(box)
                look = {"halo": "case_wash" if y > 0 else "other_wash", "va": "baseline" if way > 0 else "top"}
                pen.text(field, f"{name} {k}", at[k], y, told, color=tone, bold=bold, **look)
    end = x if count < len(verse) else width - 22
    now = level[count]
    if count == len(verse):
        pen.line(field, "path last", [x, end], [now] * 2)
    via = ([end], [level[count - 1]]) if count else None
    if not covered:
        pen.points(field, "belief", [end], [now], **({"via": via} if via else {}))
    return _verdict(pen, field, wide, covered, verse, plain, counts, ratio, count, now, author, end, own)


def _set(pen, verse, width, wide):
    """(size, left end of each word, its row, whether steps need places of their own) of a verse as large as fits."""
    half = (len(verse) + 1) // 2
    for size in (30, 28, 26, 24, 22, 20):
        widths, space = np.array([pen.width(each, size) for each in verse]), 0.38 * size
        if wide and widths.sum() + space * (len(verse) - 1) <= width - 24:
            space = min(max(space, (width - 24 - widths.sum()) / len(verse)), 70 if len(verse) < 5 else space)
            return size, np.r_[0, np.cumsum(widths + space)[:-1]], np.zeros(len(verse), int), False
    for size in (28, 26, 24, 22, 20, 18, 16, 14):
        widths, space = np.array([pen.width(each, size) for each in verse]), 0.36 * size
        rows = [widths[:half], widths[half:]]
        if max(each.sum() + space * (len(each) - 1) for each in rows) <= width + (38 if not wide else 0):
            break
    left = np.concatenate([np.r_[0, np.cumsum(each + space)[:-1]] if len(each) else [] for each in rows])
    return size, left - (38 if not wide else 0), np.arange(len(verse)) // half, True


def _to_one(doublings):
    """The odds on an axis of doublings, to one."""
    odds, unit = 2 ** abs(doublings), ""
    for larger in ("k", "M", "bn", "tn"):
        if odds >= 1000:
            odds, unit = odds // 1000, larger
    return "even" if doublings == 0 else f"{odds}{unit}" if unit not in ("", "k") else f"{odds}{unit}:1"


def _times(ratio):
    words = f"{ratio:.0f}" if ratio >= 99.5 else f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.2g}"
    return "×" + words.removeprefix("0")


def _verdict(pen, field, wide, covered, verse, plain, counts, ratio, count, now, author, end, own):
    """Whose line it is by the words so far, large and in words."""
    line, number = " ".join(verse), counts.sum()
    if covered:
        return f"{', '.join(verse)}: each is worth a factor for one of the poets."
    chance = 1 / (1 + 2.0**-now)
    first, share = chance >= 0.5, max(chance, 1 - chance)
    told, poet, (_, top, width, height) = _percent(share), poets.POETS[int(not first)], field.box
    x = width + 22 if wide else -38
    end_y = np.clip(field.pixels([end], [now])[0, 1] + 14, top + 34, top + height - 84)
    ((_, y),) = field.data([0, end_y if wide else top + height + 54])
    pen.text(field, "hero", x, y, told, size=HERO if len(told) < 6 or not wide else 33)
    look = {"dx": 12, "after": "hero"} if not wide else {"dy": -27}
    pen.text(field, "winner", x, y, poet, size=HEAD, bold=True, color="case" if first else "other", **look)
    ended = count == len(verse)
    if author and ended:
        ok = author == poet
        words = "and it's his" if ok else f"but it's {author}'s"
        pen.text(field, "truth", x, y, words, dy=-52 if wide else -32, color="muted" if ok else "ink")
        if not ok:
            pen.points(field, "wrong", [end], [now])
    factors = [f"{plain[k]} {ratio[k]:.3g}" for k in np.flatnonzero(counts[:count])]
    empty = " To read the lines of the list again, empty the box." if own.strip() else ""
    odds = 2.0 ** abs(now)
    far = f"the odds are {f'{odds:,.0f}' if odds < 1e9 else 'more than a billion'} to 1 for {poet}"
    said = f"P(Shakespeare) = {chance:.4f}" if odds < 10_000 else far
    upto = "" if ended else f" After {count} of {len(verse)}:"
    return f"“{line}”: {number} of {len(verse)} words are counted.{upto} {' × '.join(factors) or 'even odds'}, so {said}.{empty}"


# Every held-out passage a dot over what the machine said of it; wrong ones hang below, beside the number that it promised

EDGES = [0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 0.999, 1]
SHUFFLE, DOTS = 500, 1520  # one dot a passage; of lines one dot for fourteen
COLUMNS = {
    "wide": {"x": (*(104 + 70 * j for j in range(7)), 694), "pitch": 5, "air": 12, "base": 290, "hang": 323},
    "narrow": {"x": (*(10 + 42 * j for j in range(7)), 380), "pitch": 3.5, "air": 5, "base": 318, "hang": 347},
}
HANGING = {"wide": ((6, 9.6), (9, 6.2), 42), "narrow": ((5, 7.4), (8, 4.6), 45)}  # (a row, pitch): few, many; how many
LABELS = {
    "wide": ["50–60%", "60–70", "70–80", "80–90", "90–99", "99–99.9", "over 99.9%"],
    "narrow": ["50", "60", "70", "80", "90", "99", "over 99.9%"],
}


@cache
def _for_truth(text, unit):
    """ln odds of the true poet, for each held-out passage or line of ten splits."""
    return getattr(poets.held_out(shuffle=SHUFFLE if text == "shuffled" else None), unit)


class Sure:
    """How sure it was and how often wrong, by columns; and the column and verdict of each dot."""

    def __init__(self, text, unit, weight):
        odds = _for_truth(text, unit) * weight
        chance, wrong = 1 / (1 + np.exp(-np.abs(odds))), odds < 0
        column = np.minimum(np.searchsorted(EDGES, chance, "right"), 7) - 1
        self.size, self.said, self.right = len(odds), chance.mean(), 1 - wrong.mean()
        self.loss = float(np.logaddexp(0, -odds).mean())
        self.count = np.bincount(column, minlength=7)
        self.wrong = np.bincount(column, wrong, 7).astype(int)
        self.promised = np.bincount(column, 1 - chance, 7)
        self.each = self.size // DOTS
        if self.each > 1:  # in proportion, largest remainders first
            cells = np.column_stack([self.count - self.wrong, self.wrong]).ravel() / self.each
            dots = np.floor(cells).astype(int)
            dots[np.argsort(dots - cells, kind="stable")[: DOTS - dots.sum()]] += 1
            column, wrong = (each.astype(int) for each in np.divmod(np.repeat(np.arange(14), dots), 2))
        self.column, self.bad = column, wrong.astype(bool)


_sure = lru_cache(32)(Sure)


@lru_cache(64)
def _dots(text, unit, weight, layout, covered):
    """(x, y, look) of each dot: 0 right, 1 wrong as promised, 2 wrong beyond that, 3 not told yet."""
    now, place = _sure(text, unit, weight), COLUMNS[layout]
    bad = np.zeros(DOTS, bool) if covered else now.bad
    few, many, most = HANGING[layout]
    row, pitch = few if np.bincount(now.column[now.bad], minlength=7).max() <= most else many
    home = _slots(_sure("as written", "passages", 1.0)) if now.each == 1 else None
    slot = _slots(now, None if (text, weight) == ("as written", 1.0) else home)
    x, y, look = np.zeros(DOTS), np.zeros(DOTS), np.zeros(DOTS, int)
    for j, (a, b) in enumerate(zip(place["x"], place["x"][1:])):
        across, middle = int((b - a - place["air"]) // place["pitch"]), (a + b) / 2
        good, hung = (np.flatnonzero((now.column == j) & (bad == each)) for each in (False, True))
        at = slot[good] if not covered else np.arange(len(good))[np.argsort(np.argsort(now.bad[good], kind="stable"))]
        x[good] = middle + (at % across - (across - 1) / 2) * place["pitch"]
        y[good] = place["base"] - place["pitch"] * (0.75 + at // across)
        x[hung] = middle + (slot[hung] % row - (row - 1) / 2) * pitch
        y[hung] = place["hang"] + pitch * (0.5 + slot[hung] // row)
        look[hung] = np.where(slot[hung] >= int(round(now.promised[j] / now.each)), 2, 1)
    return x, y, np.full(DOTS, 3) if covered else look


def _slots(now, home=None):
    """Each dot's place among its kind in its column; who was there at home keeps it."""
    slot = np.zeros(DOTS, int)
    kind = 2 * now.column + now.bad
    for each in range(14):
        here = np.flatnonzero(kind == each)
        slot[here] = np.arange(len(here))
        if home is not None:
            before = _sure("as written", "passages", 1.0)
            stays = (2 * before.column[here] + before.bad[here] == each) & (home[here] < len(here))
            slot[here[stays]] = home[here[stays]]
            slot[here[~stays]] = np.setdiff1d(np.arange(len(here)), home[here[stays]])
    return slot


def _state(**values):
    return {"show": "columns", "text": "as written", "unit": "passages", "weight": 1.0, **values}


@figure(
    (0, 0, 900, 480),
    size=(900, 480),
    narrow=((390, 560), (0, 0, 390, 560)),
    controls={
        "text": Choice("words", ("as written", "shuffled"), "as written"),
        "unit": Choice("it judges", ("passages", "lines"), "passages"),
        "weight": Slider("log odds ×", 0.1, 1.0, 1.0, step=0.1),
        "show": State("columns"),
    },
    presets={
        "shuffled": _state(text="shuffled"),
        "single lines": _state(unit="lines"),
        "log odds × 0.3": _state(weight=0.3),
    },
    unlocks={"05/shuffled": [], "05/very-sure": ["text", "unit", "weight"]},
    main=("weight",),
    keys=steer.by("weight", 0.1),
    help="Left and right arrows scale the log odds.",
    looks={
        "strip": {"color": "mist", "z": 0},
        "said": {"size": SMALL, "ha": "center"},
        "allowance": {"color": "evidence_tint", "z": 1},
        "promised": {"color": "evidence", "width": 2.8, "z": 1.5},
        "wrong": {"bold": True, "ha": "center"},
        "promise": {"size": SMALL, "color": "evidence_text", "ha": "center"},
        "head": {"size": HEAD, "bold": True},
        "clause": {"color": "muted"},
        "mean said": {"size": NUMBER, "bold": True, "color": "evidence_text"},
        "mean right": {"size": NUMBER, "bold": True, "color": "belief"},
        "hero": {"bold": True, "size": HERO},
        "asked": {"bold": True, "size": 90, "color": "sediment"},
        "note": {"size": SMALL, "color": "muted"},
        "leader": {"width": 1.2},
    },
)
def poet_calibration(pen, page, show, text, unit, weight):
    """What the machine said of 1520 held-out passages, and how many of them it got wrong."""
    if show == "right":
        return _how_many_right(pen, page, text)
    wide = pen.size[0] > 560
    layout = "wide" if wide else "narrow"
    place, now = COLUMNS[layout], _sure(text, unit, weight)
    edges, base, hang, covered = place["x"], place["base"], place["hang"], pen.waiting
    few, many, most = HANGING[layout]
    row, pitch = few if np.bincount(now.column[now.bad], minlength=7).max() <= most else many
    x, y, of = _dots(text, unit, weight, layout, covered)
    small = {"edge": None, "width": 0, "size": 0.82 * place["pitch"]}
    large = {"edge": "ink", "width": 1.5, "size": 0.8 * pitch}
    looks = [{"color": "belief_tint", **small}, {"color": "paper", **large}, {"color": "ink", **large}]
    pen.points(page, unit, x, y, of=of, looks=[*looks, {"color": "sediment", **small}])
    pen.bar(page, "strip", edges[0], base + 2, edges[-1] - edges[0], hang - base - 8)
    for j, middle in enumerate((a + b) / 2 for a, b in zip(edges, edges[1:])):
        pen.text(page, f"said {j}", middle, base + 21, LABELS[layout][j], bold=j == 6)
        if covered:
            continue
        half, deep = row * pitch / 2 + 2, now.promised[j] / now.each / row * pitch
        pen.bar(page, f"allowance {j}", middle - half, hang, 2 * half, deep)
        pen.line(page, f"promised {j}", [middle - half, middle + half], [hang + deep] * 2)
        one, two = (430, 454) if wide else (440, 462)
        count, promise = (_short(each) if not wide else _counted(each) for each in (now.wrong[j], now.promised[j]))
        pen.text(page, f"wrong {j}", middle, one, count, size=LABEL if wide else SMALL)
        pen.text(page, f"promise {j}", middle, two, promise)

    # Words: all of them, then the surest
    sure, slips = int(now.count[-1]), int(now.wrong[-1])
    head = {"as written": "As written", "shuffled": "Words shuffled"}[text]
    head += "" if weight == 1 else f", log odds × {weight:g}"
    clause = f"{_counted(now.wrong.sum())} of {_counted(now.size)} {unit} wrong, {round(now.promised.sum())} promised"
    clause = f"{_counted(now.size)} held-out {unit}, by what it said" if covered else clause
    odds = f"1 in {round(sure / slips)}" if slips else "none" if sure else "never"
    words = [f"of its {sure} surest", "are wrong?" if covered else "is wrong"] if sure else ["more than", "99.9% sure"]
    left, right, size = edges[0] - 10, edges[-1] + 20, LABEL if wide else SMALL
    pen.text(page, "head", *((22, 36) if wide else (14, 28)), head)
    look = {"dx": 10, "after": "head"} if wide else {}
    pen.text(page, "clause", *((22, 36) if wide else (14, 51)), clause, size=size, **look)
    hero = (right - 2, 118) if wide else (13, 106)
    if covered:
        pen.text(page, "asked", *hero, "?", size=90 if wide else HERO)
    else:
        pen.text(page, "hero", *hero, odds, size=HERO if len(odds) < 8 else 32)
    for k, each in enumerate(words if wide else [" ".join(words)]):
        pen.text(page, f"surest {k}", hero[0] + 2, hero[1] + 25 + 23 * k + 14 * covered, each, size=size)
    if wide:
        dot = "a dot is a passage" if now.each == 1 else f"a dot is {now.each} lines"
        pen.text(page, "note said", left, base + 21, "it said", ha="right")
        pen.text(page, "note dot", right, base + 2, dot + "," * (not covered))
        pen.text(page, "note large", right, base + 21, "" if covered else "wrong ones larger")
    if not covered:
        _words_of_columns(pen, page, wide, now, place, row, pitch, text, unit, weight, of)
    if covered:
        return f"{now.size} held-out {unit}, by what the machine said of them: {sure} stand over 99.9%. What it got wrong is still covered."
    surest = f"It was more than 99.9% sure of {sure}: {sure - slips} right, {slips} wrong, {_counted(now.promised[-1])} promised."
    surest = surest if sure else "It was never more than 99.9% sure."
    means = f"It said {now.said:.1%} on average and was right about {now.right:.1%}; log loss {now.loss:.3f}."
    return f"{head}: of {_counted(now.size)} held-out {unit} {_counted(now.wrong.sum())} wrong. {means} {surest}"


def _words_of_columns(pen, page, wide, now, place, row, pitch, text, unit, weight, of):
    edges, base, hang = place["x"], place["base"], place["hang"]
    said, right = f"{now.said:.1%}", f"{now.right:.1%}"
    if not wide:
        pen.text(page, "note wrong", 14, 496, "wrong", bold=True, color="ink")
        pen.text(page, "note and", 14, 496, "and", dx=6, after="note wrong")
        pen.text(page, "note promised", 14, 496, "promised", dx=6, after="note and", color="evidence_text")
        pen.text(page, "note by", 14, 496, "by what it said, %", dx=6, after="note promised")
        pen.text(page, "mean said", 14, 536, said, size=LABEL)
        pen.text(page, "note mean said", 14, 536, "it said", dx=6, after="mean said")
        pen.text(page, "mean right", 176, 536, right, size=LABEL)
        return pen.text(page, "note mean right", 176, 536, "it was right", dx=6, after="mean right")
    left, x = edges[0] - 10, edges[-1] + 20
    pen.text(page, "mean said", edges[0], 88, said)
    pen.text(page, "note mean said", edges[0], 88, "it said", dx=10, after="mean said", size=LABEL, color="ink")
    pen.text(page, "mean right", edges[0], 121, right)
    pen.text(page, "note mean right", edges[0], 121, "it was right", dx=10, after="mean right", size=LABEL, color="ink")
    pen.text(page, "note right", left, base - 8, "right", ha="right", color="belief")
    pen.text(page, "wrong row", left, 430, "wrong", ha="right", size=LABEL)
    pen.text(page, "promise row", left, 454, "promised", ha="right")
    if now.count[-1]:
        pen.text(page, "note surest", x, 204, "promised: less", size=LABEL, color="evidence_text")
        pen.text(page, "note promise", x, 227, "than 1 in 1000", size=LABEL, color="evidence_text")
    if (text, unit, weight) == ("as written", "passages", 1.0):
        stake, won = int(now.count[-1]), 100 * int(now.wrong[-1])
        pen.text(page, "note stake", x, hang + 36, "£1 on each of them", size=LABEL)
        pen.text(page, "pay", x, hang + 66, f"you pay  £{stake}")
        pen.text(page, "get", x, hang + 90, f"you get  £{won}", bold=True)
    elif (of[now.column == 6] == 2).sum() > row:
        y = hang + pitch * 2.5
        pen.line(page, "leader", [(edges[-2] + edges[-1]) / 2 + row * pitch / 2 + 6, x - 6], [y, y])
        pen.text(page, "note beyond", x, y + 5, "more than promised", color="ink")


def _how_many_right(pen, page, text):
    """The same passages twice, as written and shuffled, each in its place: the black ones were given to the wrong poet."""
    wide = pen.size[0] > 560
    rank = np.argsort(np.argsort(-_for_truth("as written", "passages"), kind="stable"))
    columns, pitch = (40, 9.6) if wide else (60, 5.95)
    looks = [
        {"color": "belief_tint", "edge": None, "width": 0, "size": 0.78 * pitch},
        {"color": "ink", "edge": None, "width": 0, "size": 0.9 * pitch},
        {"color": "paper", "edge": "rule", "width": 1, "size": 0.6 * pitch},
    ]
    told = []
    for k, name in enumerate(("as written", "shuffled")):
        left, top = ((22, 494)[k], 0) if wide else (16, 272 * k)
        wrong, seen = _for_truth(name, "passages") < 0, name in ("as written", text)
        x, y = left + pitch * (rank % columns + 0.5), top + 96 + pitch * (rank // columns + 0.5)
        of = wrong if seen else np.full(DOTS, 2)
        pen.points(page, ("passages", "again")[k], x, y, of=of, looks=looks)
        pen.text(page, f"head {k}", left, top + 36, ("As written", "Words shuffled")[k])
        if seen:
            share = f"{1 - wrong.mean():.1%}"
            pen.text(page, f"mean right {k}", left, top + 76, share)
            pen.text(page, f"clause {k}", left, top + 76, f"right, {wrong.sum()} wrong", dx=10, after=f"mean right {k}")
            told.append(f"{name} {DOTS - wrong.sum()} of {DOTS} held-out passages are named correctly, {share}")
        else:
            middle = left + columns * pitch / 2, top + 96 + DOTS / columns * pitch / 2
            pen.text(page, "asked", *middle, "?", ha="center", va="center", halo="paper")
    if pen.guess is not None:
        said = f"{pen.reader} said {pen.guess:g}%"
        pen.text(page, "note guess", left + columns * pitch, top + 36, said, ha="right")
    words = "; ".join(told)
    return f"{words[0].upper()}{words[1:]}.{'' if len(told) > 1 else ' And shuffled?'}"


def _counted(number):
    """A count, with digits only where it's less than one."""
    if number >= 0.95 or number == 0:
        return f"{round(number):,}" if number >= 10_000 else f"{round(number)}"
    return f"{number:.1f}" if number >= 0.095 else f"{number:.2f}" if number >= 0.005 else "0"


def _short(number):
    return f"{number / 1000:.1f}k" if number >= 999.5 else _counted(number)


# A number as a clue: two bells

MEANS, PLACES = np.array([0.0, 3.0]), np.linspace(-8, 10, 181)


@figure(
    (40, 60, 820, 270),
    size=(900, 384),
    narrow=((390, 390), (20, 80, 350, 250)),
    controls={
        "x": Slider("x", -8.0, 10.0, 1.0, step=0.1),
        "spread": Slider("σ of B", 0.5, 4.0, 2.0, step=0.1),
        "scale": Choice("heights", ("density", "log scale"), "density"),
    },
    presets={
        "x = −4, log scale": {"x": -4.0, "spread": 2.0, "scale": "log scale"},
        "equal widths": {"spread": 1.0, "x": 1.0, "scale": "log scale"},
    },
    main=("x", "spread"),
    drag={"asked": ("x", None)},
    keys={**steer.by("x", 0.1), **steer.by("spread", 0.1, steer.UP)},
    help="Drag the ring, or move it with the left and right arrows; up and down change the width of B.",
    looks={
        "ground": {"z": 0},
        "bell": {"alpha": 0.3, "z": 1},
        "edge": {"width": 2.6, "z": 2},
        "stem": {"width": 5, "z": 3},
        "border": {"color": "muted", "width": 2, "z": 1.5},
        "half": {"color": "muted", "size": SMALL, "ha": "center"},
        "tick": {"color": "muted", "size": SMALL, "ha": "center"},
        "class": {"size": HEAD, "bold": True, "ha": "center"},
        "asked": {"color": "paper", "edge": "ink", "width": 2.2, "size": 17, "z": 6, "grab": "the value asked about"},
        "hero": {"color": "belief", "size": NUMBER, "bold": True},
    },
)
def gaussian_attribute(pen, plot, x, spread, scale):
    """Two classes with a bell each: which one a value belongs to, and where the two are even."""
    widths, wide = np.array([1.0, spread]), pen.size[0] > 560
    log = scale == "log scale"
    plot.limits((-8, 10), (-20, 1) if log else (0, 0.92))
    floor, ceiling = plot.y

    def height(at, j):
        return log_normal(at, MEANS[j], widths[j] ** 2)

    edges = [each for each in borders(MEANS, widths**2, (0.5, 0.5)) if -8 < each < 10]
    cuts = [-8.0, *edges, 10.0]
    for k, (a, b) in enumerate(zip(cuts, cuts[1:])):
        best = int(height((a + b) / 2, 1) > height((a + b) / 2, 0))
        pen.bar(plot, f"ground {k}", a, floor, b - a, ceiling - floor, color=("case_wash", "other_wash")[best])
    for edge in edges:
        pen.line(plot, f"border {edges.index(edge)}", [edge] * 2, [floor, ceiling])
        words = f"{edge:.2f}".replace("-", "−")
        words = f"50 : 50 at {words}" if wide else words
        half = (pen.width(words, SMALL) / 2 - 20) / plot.scale
        pen.text(plot, f"half {edges.index(edge)}", np.clip(edge, -8 + half, 10 - half), ceiling, words, dy=8)
    for j, role in enumerate(("case", "other")):
        tops = height(PLACES, j) if log else np.exp(height(PLACES, j))
        tops = np.maximum(tops, floor)
        if not log:
            pen.area(plot, f"bell {j}", np.column_stack([np.r_[PLACES, 10, -8], np.r_[tops, 0, 0]]), color=role)
        pen.line(plot, f"edge {j}", PLACES, tops, color=role)
        here = max(float(height(x, j) if log else np.exp(height(x, j))), floor)
        pen.line(plot, f"stem {j}", [x + (j - 0.5) * 6 / plot.scale] * 2, [floor, here], color=role)
        top = float(height(MEANS[j], j) if log else np.exp(height(MEANS[j], j)))
        look = {"dy": -24 if log else 8, "color": role, "halo": f"{role}_wash"}
        pen.text(plot, f"class {j}", MEANS[j], top, "AB"[j], **look)
    for tick in (-8, -4, 0, 4, 8):
        pen.text(plot, f"tick {tick}", tick, floor, f"{tick}".replace("-", "−"), dy=-30)
    pen.points(plot, "asked", [x], [floor])
    logs = np.array([height(x, j) for j in (0, 1)])
    densities, chance = np.exp(logs), 1 / (1 + np.exp(logs[::-1] - logs))
    best = int(logs.argmax())
    said = _percent(chance[best])
    lift, told = 30 if wide else 46, f"class {'AB'[best]} at x = {x:.1f}".replace("-", "−")
    pen.text(plot, "hero", -8, ceiling, said, dy=lift)
    pen.text(plot, "winner", -8, ceiling, told, dx=10, dy=lift, after="hero")
    ground = f"They are even at {' and '.join(f'{edge:.2f}' for edge in edges)}." if edges else ""
    ground += " Heights on a log scale." if log else ""
    return (
        f"Two classes, equally common. A: mean 0, σ 1. B: mean 3, σ {spread:.1f}. At x = {x:.1f} the densities are "
        f"{densities[0]:.2g} and {densities[1]:.2g}, so class {'AB'[best]} with {chance[best]:.4f}. {ground}"
    )
