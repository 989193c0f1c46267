"""Section 05: what must hold of its figures, and its numbers computed once more, by counting rows without the model."""

import math
import re
from functools import cache
from itertools import accumulate, product
from operator import mul

import numpy as np
import pytest

import bayeslib as bl
from bayeslib.plots import theme
from tests.figures import number, placed, sized, stroked, written

VALUES = [["sunny", "overcast", "rain"], ["hot", "mild", "cool"], ["high", "normal"], ["weak", "strong"]]
TENNIS, GUESTS = bl.data.load_play_tennis(), bl.data.load_restaurant()
ATTRIBUTES = ["Outlook", "Temperature", "Humidity", "Wind"]
SETTINGS = {"day_factors": {"order": [ATTRIBUTES, ATTRIBUTES[::-1], ["Wind", "Outlook", "Humidity", "Temperature"]]}}


def as_day(text):
    return dict(zip(ATTRIBUTES, text.split(", ")))


@cache
def counted(name, value, answer):
    """How many days of this answer have this value."""
    return int(((TENNIS["PlayTennis"] == answer) & (TENNIS[name] == value)).sum())


DAYS = {answer: counted("PlayTennis", answer, answer) for answer in ("yes", "no")}


def share(name, value, answer):
    """P(value|answer), counted in the table."""
    return counted(name, value, answer) / DAYS[answer]


def prior(answer):
    return DAYS[answer] / sum(DAYS.values())


def score(day, answer, again=None, copies=1):
    """P(answer) times the factors of a day, the one of the attribute `again` taken `copies` times."""
    return prior(answer) * math.prod(
        share(name, value, answer) ** (copies if name == again else 1) for name, value in day.items()
    )


def no(yes_score, no_score):
    return no_score / (yes_score + no_score)


def p_no(day, *copied):
    return no(score(day, "yes", *copied), score(day, "no", *copied))


OTHER = as_day("rain, mild, high, strong")
MARGINALS = math.prod((TENNIS[name] == value).mean() for name, value in OTHER.items())


def reversed_score(day, answer):
    given = [TENNIS[TENNIS[name] == value]["PlayTennis"] for name, value in day.items()]
    return prior(answer) * math.prod((column == answer).mean() for column in given)


WAIT = GUESTS[GUESTS["Wait"] == "yes"]
GUEST = {"Cuisine": "Thai", "Patrons": "Some", "Raining": "yes"}
NUMBERS = {
    "05/restaurant-slip": 0.5
    * math.prod((WAIT[name] == value).mean() / (GUESTS[name] == value).mean() for name, value in GUEST.items()),
    "05/free-numbers": 2 + 3 * 5 * 3,
    "05/another-day": 100 * p_no(OTHER),
}
WRONG_NUMBERS = {
    "05/restaurant-slip": {},
    "05/free-numbers": {"whole-joint": 3 * 4**5 - 1, "dependent-numbers": 3 + 3 * 5 * 4},
    "05/another-day": {
        "base-rate": 100 * no(score(OTHER, "yes") / prior("yes"), score(OTHER, "no") / prior("no")),
        "inverse": 100 * no(reversed_score(OTHER, "yes"), reversed_score(OTHER, "no")),
        "joint-posterior": 100 * score(OTHER, "no"),
        "marginals": 100 * score(OTHER, "no") / MARGINALS,
    },
}


# What must hold of each figure in every state: caption and artists say what counting says.


def cell(values):
    """Column, row, width and height of a kind of day in a grid of 9 by 4: outlook and temperature across, the others down."""
    outlook, temperature, humidity, wind = [
        names.index(value) if value else None for names, value in zip(VALUES, [*values, *[None] * (4 - len(values))])
    ]
    x, width = (3 * outlook, 3) if temperature is None else (3 * outlook + temperature, 1)
    y, height = (0, 4) if humidity is None else (2 * humidity, 2) if wind is None else (2 * humidity + wind, 1)
    return x, y, width, height


def holds_count_days(figure):
    used, day = ATTRIBUTES[: figure.values["attributes"]], as_day(figure.values["day"])
    picture, wanted = figure.picture, [day[name] for name in used]
    rows = TENNIS[used].to_numpy().tolist()
    kinds = [list(each) for each in product(*VALUES[: len(used)])]
    never = [each for each in kinds if each not in rows]
    assert number("makes?", figure.alt) == len(kinds) and number("fill", figure.alt) == len(kinds) - len(never)
    assert number("leave", figure.alt) == len(never)
    mine = [answer for row, answer in zip(rows, TENNIS["PlayTennis"]) if row == wanted]
    yes, against = mine.count("yes"), mine.count("no")
    assert f"{yes} yes, {against} no" in figure.alt
    assert number("was seen", figure.alt) == len(mine)
    assert ("says nothing" in figure.alt) == (not mine)
    middles = [(x + width / 2, y + height / 2) for x, y, width, height in map(cell, never)]
    placed(picture.empty, *np.array(middles).reshape(-1, 2).T)
    sized([picture.asked], **dict(zip(("x", "y", "width", "height"), cell(wanted))))
    _, _, wide, high = cell(wanted)
    upright = {(x, 0, x, 4) for x in range(0, 10, wide)}
    stroked(picture.lines, upright | {(0, y, 9, y) for y in range(0, 5, high)})
    for answer, line in picture.days.items():
        places = [cell(row)[:2] for row in TENNIS[TENNIS["PlayTennis"] == answer][ATTRIBUTES].to_numpy()]
        placed(line, *np.add(places, 0.5).T)
    heads = {2: VALUES[1] * 3, 3: VALUES[2], 4: VALUES[3] * 2}
    for least, names in heads.items():
        written(picture.heads[least], names if len(used) >= least else [])
    found = f"{against}/{len(mine)}" if mine else "0/0"
    told = f"{len(never)} of them never seen\n\nthe framed one:\n{yes} yes, {against} no\nP(no) = {found}"
    return written([picture.title, picture.text], [f"{len(kinds)} kinds of day", told])


def holds_day_factors(figure):
    order, step, picture = figure.values["order"], figure.values["step"], figure.picture
    day = {name: figure.values[name] for name in order}
    used = {name: day[name] for name in order[:step]}
    yes, against = score(used, "yes"), score(used, "no")
    assert number(r"so far yes", figure.alt) == pytest.approx(yes, abs=5.1e-5)
    assert number(r", no", figure.alt) == pytest.approx(against, abs=5.1e-5)
    assert number(r"P\(no\) =", figure.alt) == pytest.approx(no(yes, against), abs=5.1e-5)
    assert ("vetoes" in figure.alt) == (against == 0)
    if step == 4:
        assert figure.alt.count(f"v_NB = {'yes' if yes > against else 'no'}") == 1
    counts = [[(counted(name, value, each), DAYS[each]) for each in ("yes", "no")] for name, value in day.items()]
    ratios = [9 / 5] + [(a / b) / (c / d) if c else np.inf for (a, b), (c, d) in counts]
    edge = picture.bars[0].axes.get_xlim()[1]
    ends = np.minimum(np.log10(list(accumulate(ratios, mul))), edge)[: step + 1]
    starts, now = np.concatenate([[0], ends[:-1]]), ends[-1]
    *bars, together = picture.bars
    sized(bars, x=starts, y=np.arange(step + 1) - 0.3, width=ends - starts, height=0.6)
    sized([together], x=0, y=4.7, width=now, height=0.6)
    down = [(end, row + 0.3, end, row + 0.7) for row, end in enumerate(ends[:-1])]
    stroked(picture.steps, [*down, (now, step + 0.3, now, 4.7)])
    stuck = np.flatnonzero(ends == edge)
    placed(picture.stuck, np.full(len(stuck), edge), stuck)
    assert [text.get_text() for text in picture.names] == order
    worth = [
        f"{a}/{b} : {c}/{d}  " + (f"×{ratio:.3f}" if c else "× no limit")
        for ((a, b), (c, d)), ratio in zip(counts[:step], ratios[1:])
    ]
    told = written(picture.worth, ["9 : 5", *worth, f"P(no) = {no(yes, against):.3f}"])
    return told + written(picture.values, day.values())


def holds_closed_world(figure):
    day, unlisted = as_day(figure.values["day"]), figure.values["unlisted"] / 1000
    scores = [score(day, "yes"), score(day, "no"), unlisted]
    shares = [each / sum(scores) for each in scores]
    assert number("sum is", figure.alt) == pytest.approx(sum(scores), abs=5.1e-5)
    assert number(r"P\(yes\) =", figure.alt) == pytest.approx(shares[0], abs=5.1e-4)
    assert number(r"P\(no\) =", figure.alt) == pytest.approx(shares[1], abs=5.1e-4)
    first, second = ("Yes", "no") if scores[0] > scores[1] else ("No", "yes")
    assert figure.alt.endswith(f"{first} still stands before {second}.")
    checked = []
    for panel, values, digits in ((0, scores, 4), (1, shares, 3)):
        sized(figure.picture.bars[panel], x=0, y=np.arange(3) - 0.32, width=values, height=0.64)
        checked += written(figure.picture.numbers[panel], [f"{each:.{digits}f}" for each in values])
    return checked


def holds_overclaim(figure):
    day, name, copies = as_day(figure.values["day"]), figure.values["attribute"], figure.values["copies"]
    picture, chances = figure.picture, [p_no(day, name, k) for k in range(1, 11)]
    now = chances[copies - 1]
    assert number(r"P\(no\) =", figure.alt) == pytest.approx(now, abs=5.1e-5)
    assert ("flips" in figure.alt) == ((now > 0.5) != (chances[0] > 0.5))
    claims = [2**k / (1 + 2**k) for k in range(1, copies + 1)]
    assert number("claims", figure.alt) == pytest.approx(claims[-1], abs=5.1e-5)
    placed(picture.line, np.arange(1, copies + 1), chances[:copies])
    placed(picture.once, picture.once.axes.get_xlim(), chances[0])
    placed(picture.here, [copies], [now])
    placed(picture.trail, claims, 2 / 3)
    placed(picture.claim, claims[-1:], [2 / 3])
    return written(picture.value, [f"{now:.3f}"])


def holds_underflow(figure):
    words, chance, picture = figure.values["words"], float(figure.values["chance"]), figure.picture
    each = {"cook": chance, "sport": 1.2 * chance}
    products = {name: list(accumulate([p] * words, mul, initial=1.0)) for name, p in each.items()}
    last = {name: values[-1] for name, values in products.items()}
    logs = {name: words * math.log(p) for name, p in each.items()}
    assert number("the product is", figure.alt) == pytest.approx(last["cook"], rel=5.1e-3)
    assert number("its logarithm", figure.alt) == pytest.approx(logs["cook"], abs=0.051)
    tie = last["cook"] == last["sport"]
    assert ("a tie" in figure.alt) == tie
    heights = np.arange(words + 1) * math.log10(chance)
    alive = np.flatnonzero(products["cook"])
    lost = np.arange(words + 1)[len(alive) :][:1]  # the first word after which the product is 0
    placed(picture.log, np.arange(words + 1), heights)
    placed(picture.product, alive, heights[alive])
    placed(picture.zero, lost, heights[lost])
    placed(picture.here, [words], heights[-1:])
    ends = ["→ a tie, 0 = 0" if tie else "→ sport", "→ sport"]
    told = [f"{name}: {value:.3g}" for name, value in last.items()], [f"{name}: {x:.1f}" for name, x in logs.items()]
    wanted = "\n".join([*told[0], ends[0]]), theme.minus("\n".join([*told[1], ends[1]]))
    return written(picture.texts, wanted)


def holds_gaussian_attribute(figure):
    x, spread, share_a, scale = (figure.values[name] for name in ("x", "spread", "share", "scale"))
    picture, weights = figure.picture, (share_a / 100, 1 - share_a / 100)
    classes = [(0, 1), (3, spread)]

    def density(x, mean, deviation):
        return np.exp(-0.5 * ((x - mean) / deviation) ** 2) / (deviation * np.sqrt(2 * np.pi))

    in_a, in_b = (density(x, *each) for each in classes)
    assert number("density A", figure.alt) == pytest.approx(in_a, rel=0.051)
    assert number(", B", figure.alt) == pytest.approx(in_b, rel=0.051)
    weighted = {"A": in_a * weights[0], "B": in_b * weights[1]}
    best = max(weighted, key=weighted.get)
    assert f"Class {best}, " in figure.alt
    assert number(r"\|x\) =", figure.alt) == pytest.approx(weighted[best] / sum(weighted.values()), abs=5.1e-5)
    low, high = picture.axes.get_ylim()
    places = picture.bells[0].get_xdata()
    assert (places[[0, -1]] == picture.axes.get_xlim()).all() and np.ptp(np.diff(places)) < 1e-9
    along = [weight * density(places, *each) for weight, each in zip(weights, classes)]
    for bell, dot, curve, height in zip(picture.bells, picture.dots, along, weighted.values()):
        y = np.log10(height) if scale == "log" else height
        placed(bell, places, np.log10(curve) if scale == "log" else curve)
        placed(dot, *([x], [y]) if low < y < high else ([], []))
    a_wins, sure = along[0] > along[1], ~np.isclose(*along, rtol=1e-9)
    for ground, y, mine in zip(picture.grounds, (0.09, 0.03), (a_wins, ~a_wins)):
        at, heights = ground.get_data()
        assert (at == places).all() and (heights[sure] == y).tolist() == mine[sure].tolist()
    placed(picture.here, [x, x], [0.15, 1])
    ground = figure.alt.partition("|x) =")[2]
    assert "wins" in ground and ("everywhere" not in ground or len(set(a_wins)) == 1)
    for edge in re.findall(r"(?:below|between|and) (−?\d+\.\d+)", ground):
        edge = float(edge.replace("−", "-"))
        gap = np.log(weights[0] * density(edge, 0, 1)) - np.log(weights[1] * density(edge, 3, spread))
        slope = abs(edge) + abs(edge - 3) / spread**2
        assert abs(gap) < 0.0051 * (slope + 0.1), "a border stands where the two are equal"
    return written(picture.text, [f"x = {theme.minus(f'{x:.1f}')}: density A {in_a:.2g}, B {in_b:.2g} → class {best}"])
