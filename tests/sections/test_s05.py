"""Section 05: what must hold of its figures, and its numbers computed once more, by counting rows without the model."""

import math
import re
from collections import Counter
from functools import cache
from itertools import accumulate, product
from operator import mul

import numpy as np
import pytest

import bayeslib as bl
from bayeslib import live
from bayeslib.models import naive_bayes
from bayeslib.plots import theme
from tests.figures import EXPLAINED, number, placed, sized, stroked, written
from tests.lab import ROOT

VALUES = [["sunny", "overcast", "rain"], ["hot", "mild", "cool"], ["high", "normal"], ["weak", "strong"]]
TENNIS, GUESTS = bl.data.load_play_tennis(), bl.data.load_restaurant()
ATTRIBUTES = ["Outlook", "Temperature", "Humidity", "Wind"]
SETTINGS = {
    "day_factors": {"order": [ATTRIBUTES, ATTRIBUTES[::-1], ["Wind", "Outlook", "Humidity", "Temperature"]]},
    "whose_line": {
        "line": [
            "Or at the least, so long as brain and heart",
            "To be, or not to be: that is the question",
            "Thir Nature, with such knowledg God endu'd",
            "love love love love love love love love love love",
            "he had him",
            "Donaudampfschifffahrt",
        ]
    },
}


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
    assert ("rules no out" in figure.alt) == (against == 0)
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
    best = ["yes", "no", "something else"][int(np.argmax(scores))]
    assert figure.alt.endswith(f"{first} is ahead of {second}; the most probable of all is {best}.")
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
    assert picture.value.get_window_extent().x0 > picture.value.axes.bbox.x0 + 3, "the label is on the axis"
    placed(picture.trail, claims, 2 / 3)
    placed(picture.claim, claims[-1:], [2 / 3])
    return written([picture.value, picture.name], [f"{now:.3f}", f"times that {name} is counted"])


def tiny(value, digits):
    """A number as it is written by hand, its power of ten as superscripts."""
    said = f"{value:.{digits}g}"
    if "e" not in said:
        return said
    head, power = said.split("e-")
    return f"{head}·10⁻" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(each)] for each in str(int(power)))


def holds_underflow(figure):
    words, chance, picture = figure.values["words"], float(figure.values["chance"]), figure.picture
    each = {"cook": chance, "sport": 2 * chance}
    products = {name: list(accumulate([p] * words, mul, initial=1.0)) for name, p in each.items()}
    last = {name: tiny(values[-1], 3) for name, values in products.items()}
    heights = {name: np.arange(words + 1) * math.log(p) for name, p in each.items()}
    assert f"the product is {last['cook']}, its" in figure.alt and f"product {last['sport']}, log" in figure.alt
    assert number("its logarithm", figure.alt) == pytest.approx(heights["cook"][-1], abs=0.051)
    tie = not products["cook"][-1] and not products["sport"][-1]
    assert ("a tie" in figure.alt) == tie
    lost = []  # the first word after which a product is 0
    for line, name in zip(picture.logs, each):
        placed(line, np.arange(words + 1), heights[name])
        lost += [(k, heights[name][k]) for k in range(words + 1) if not products[name][k]][:1]
    placed(picture.zero, *np.reshape(lost, (-1, 2)).T)
    placed(picture.here, [words] * 2, [values[-1] for values in heights.values()])
    ends = ["→ a tie, 0 = 0" if tie else "→ sport", "→ sport"]
    told = [f"{name}: {value}" for name, value in last.items()]
    sums = [f"{name}: {values[-1]:.1f}" for name, values in heights.items()]
    return written(picture.texts, ["\n".join([*told, ends[0]]), theme.minus("\n".join([*sums, ends[1]]))])


def holds_gaussian_attribute(figure):
    x, spread, share_a, scale = (figure.values[name] for name in ("x", "spread", "share", "scale"))
    picture, weights = figure.picture, (share_a / 100, 1 - share_a / 100)
    classes = [(0, 1), (3, spread)]

    def density(x, mean, deviation):
        return np.exp(-0.5 * ((x - mean) / deviation) ** 2) / (deviation * np.sqrt(2 * np.pi))

    in_a, in_b = (density(x, *each) for each in classes)
    assert f"density A {tiny(in_a, 2)}, B {tiny(in_b, 2)};" in figure.alt
    weighted = {"A": in_a * weights[0], "B": in_b * weights[1]}
    high_a, high_b = (tiny(each, 2) for each in weighted.values())
    assert f"the heights {high_a} and {high_b}." in figure.alt
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
    for ground, y, mine in zip(picture.grounds, (0.1, 0.03), (a_wins, ~a_wins)):
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
    said = f"x = {theme.minus(f'{x:.1f}')}: height of A {high_a}, of B {high_b} → class {best}"
    return written(picture.text, [said])


# The two poets, counted here without the package: only the order of the passages is its own


@cache
def verses(seed):
    """(train, test) of a split, each a list of (is it Shakespeare?, the words of each line)."""
    table = bl.data.load_two_poets()
    order = np.random.default_rng(seed).permutation(304)
    texts = [
        (author == "Shakespeare", [re.findall("[a-z]+(?:'[a-z]+)*", line.lower()) for line in text.split(" / ")])
        for author, text in zip(table["author"], table["text"])
    ]
    return [texts[k] for k in order[:152]], [texts[k] for k in order[152:]]


@cache
def worth(seed, shared):
    """ln P(word|Shakespeare) − ln P(word|Milton), by counting with one added."""
    his, other = (
        Counter(word for mine, lines in verses(seed)[0] for line in lines for word in line if mine == first)
        for first in (True, False)
    )
    kept = [word for word in his | other if (min if shared else sum)((his[word], other[word])) >= 3]
    sums = [sum(each[word] for word in kept) + len(kept) for each in (his, other)]
    return {word: math.log((his[word] + 1) / sums[0]) - math.log((other[word] + 1) / sums[1]) for word in kept}


def start(seed):
    first = sum(mine for mine, _ in verses(seed)[0])
    return math.log(first / (152 - first))


@cache
def told_by_poets(shared, unit):
    """ln odds of the true poet in ten splits, for each held-out line or passage."""
    found = []
    for seed in range(10):
        known = worth(seed, shared)
        for mine, lines in verses(seed)[1]:
            parts = [sum(known.get(word, 0) for word in line) for line in lines]
            parts = parts if unit == "lines" else [sum(parts)]
            found += [(each + start(seed)) * (1 if mine else -1) for each in parts]
    return np.array(found)


def holds_whose_line(figure):
    if figure.alt.startswith(EXPLAINED):
        return None
    picture, step = figure.picture, figure.values["step"]
    words = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", figure.values["line"].lower())
    known = worth(0, figure.values["counted"] == "words that both poets use")
    logs = np.array([start(0), *(known.get(word, 0) for word in words)])[: step + 1]
    edge = picture.bars[0].axes.get_xlim()[1]
    ends = np.clip(np.cumsum(logs) / math.log(10), -edge, edge)
    starts = np.concatenate([[0], ends[:-1]])
    drawn = [row for row in range(step + 1) if row == 0 or words[row - 1] in known]
    *bars, together = picture.bars
    assert [row for row, bar in enumerate(bars) if bar.get_visible()] == drawn
    sized(bars, x=starts[drawn], y=np.array(drawn) - 0.36, width=(ends - starts)[drawn], height=0.72)
    sized([together], x=0, y=len(bars) - 0.36, width=ends[-1], height=0.72)
    stroked(picture.steps, [(ends[a], a + 0.36, ends[a], b - 0.36) for a, b in zip(drawn, [*drawn[1:], len(bars)])])
    stuck = [row for row in range(step + 1) if abs(ends[row]) == edge]
    placed(picture.stuck, ends[stuck], stuck)
    chance = 1 / (1 + math.exp(-logs.sum()))
    assert number(r"P\(Shakespeare\) =", figure.alt) == pytest.approx(chance, abs=5.1e-5)
    if step == len(words):
        assert figure.alt.endswith(f"The line goes to {'Shakespeare' if logs.sum() > 0 else 'Milton'}.")
    if step and words[step - 1] in known:
        side = "Shakespeare" if known[words[step - 1]] > 0 else "Milton"
        assert f"{math.exp(abs(known[words[step - 1]])):.3g} times as frequent in {side}." in figure.alt
    elif step:
        assert "not among the words that are counted." in figure.alt
    shown = [word if len(word) < 13 else f"{word[:11]}…" for word in words]
    valued = [f"×{math.exp(known[word]):.3g}" if word in known else "not counted" for word in words[:step]]
    told = written(picture.worth, ["77 : 75", *valued, f"P = {chance:.3f}"])
    return told + written(picture.words, shown)


def holds_poet_calibration(figure):
    picture, unit, share_used = figure.picture, figure.values["unit"], figure.values["weight"] / 100
    logs = told_by_poets(figure.values["counted"] == "words that both poets use", unit) * share_used
    said, right = 1 / (1 + np.exp(-np.abs(logs))), (np.sign(logs) + 1) / 2
    edges = [0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 0.999, 1.1]
    bins = [(said >= low) & (said < high) for low, high in zip(edges, edges[1:])]
    full = [place for place, mine in enumerate(bins) if mine.any()]
    sized(picture.bars, x=np.array(full) - 0.36, y=0, width=0.72, height=[right[bins[k]].mean() for k in full])
    strokes = [(k - 0.45, said[bins[k]].mean(), k + 0.45, said[bins[k]].mean()) for k in full]
    stroked(picture.said, strokes)
    assert number("Right", figure.alt) == pytest.approx(right.mean(), abs=5.1e-5)
    assert number("on average it said", figure.alt) == pytest.approx(said.mean(), abs=5.1e-5)
    assert number("log loss", figure.alt) == pytest.approx(np.log1p(np.exp(-logs)).mean(), abs=5.1e-5)
    last = bins[full[-1]]
    assert f"from {edges[full[-1]]:g} on: {last.sum():,} {unit}, it said" in figure.alt
    assert number("and was right in", figure.alt) == pytest.approx(right[last].mean(), abs=5.1e-5)
    told = written(picture.rights, [f"{right[bins[k]].mean():.2f}" for k in full])
    told += written(picture.counts, [f"{mine.sum():,}" for mine in bins])
    lines = f"{len(logs):,} {unit}\nright: {right.mean():.3f}\nit said: {said.mean():.3f}\nlog loss: "
    return told + written(picture.text, [f"{lines}{np.log1p(np.exp(-logs)).mean():.3f}"])


# Numbers that the lesson and its questions mention

LESSON = (ROOT / "notebooks/05-naive-bayes.ipynb").read_text()
TEXT = (ROOT / "bayeslib/sections/s05_naive_bayes/questions.toml").read_text()


def test_counts_in_the_feedback_of_section_05_hold():
    figure = live.count_days()
    figure.preset("the whole day")
    assert "make 36 kinds" in figure.alt and "fill 14 of them and leave 22 empty" in figure.alt and "22 kinds" in TEXT
    for value, name, yes, no in (
        ("sunny", "Outlook", "2 of 9", "3 of 5"),
        ("cool", "Temperature", "3 of 9", "1 of 5"),
        ("strong", "Wind", "3 of 9", "3 of 5"),
    ):
        assert share(name, value, "yes") == pytest.approx(int(yes[0]) / 9)
        assert share(name, value, "no") == pytest.approx(int(no[0]) / 5)
        assert f"{yes} yes days" in TEXT and f"{no} no days" in TEXT


def test_numbers_that_a_full_table_costs():
    values = _split()[0].nunique()
    assert values.tolist() == [3, 3, 2, 2] and 2 * math.prod(values) - 1 == 71 and 1 + 2 * (values - 1).sum() == 13
    assert (values.sum(), 2 * values.sum(), 2**20) == (10, 20, 1_048_576)
    assert "2 × 36 = 72, of which 71 are free" in LESSON and "= 10 in each class, 20 fractions in all" in LESSON


def test_invented_days_make_pairs_that_no_real_day_has():
    days, answers = _split()
    invented = bl.NaiveBayes().fit(days, answers).sample(2000, random_state=1)[0]
    odd = [(day["Temperature"], day["Humidity"]) == ("cool", "high") for day in invented]
    assert np.mean(odd) == pytest.approx(0.139, abs=6e-4)
    assert not ((days["Temperature"] == "cool") & (days["Humidity"] == "high")).any()
    exact = sum(prior(v) * share("Temperature", "cool", v) * share("Humidity", "high", v) for v in ("yes", "no"))
    assert abs(np.mean(odd) - exact) < 3 * math.sqrt(exact * (1 - exact) / 2000)


def test_only_cool_argues_for_tennis():
    factors = bl.NaiveBayes().fit(*_split()).explain(as_day("sunny, cool, high, strong"))
    ratios = {name: table["yes"] / table["no"] for name, table in factors.items() if name != "prior"}
    assert [name for name, ratio in ratios.items() if ratio > 1] == ["Temperature = cool"]
    assert ratios["Temperature = cool"] == pytest.approx(1.667, abs=5e-4) and "1.667" in TEXT


def test_numbers_in_the_feedback_of_section_05_hold():
    world = live.closed_world()
    world.preset("something else: 30 per 1000")
    assert (
        "P(no) = 0.368" in world.alt
        and "P(no) is 0.368" in TEXT
        and "most probable of all is something else" in world.alt
    )
    for third, best in ((20, "no"), (21, "something else")):
        world.set(unlisted=third)
        assert world.alt.endswith(f"of all is {best}.")
    assert "at a score of 0.021" in LESSON
    copies = live.overclaim()
    copies.preset("Wind twice")
    assert "P(no) = 0.8750" in copies.alt and "rises to 0.875" in TEXT
    copies.set(attribute="Temperature", copies=4)
    assert "flips" in copies.alt and "counted four times, it flips" in LESSON
    copies.set(copies=3)
    assert "flips" not in copies.alt
    copies.set(attribute="Wind", copies=10)
    assert "P(no) = 0.9987" in copies.alt and "Counted ten times, it makes P(no) = 0.999" in LESSON
    words = live.underflow()
    words.preset("161 words")
    assert "the product is 0," not in words.alt
    words.preset("162 words")
    assert "the product is 0, its logarithm −746.0" in words.alt and "after 162 words" in TEXT
    for chance, enough in (("0.1", 324), ("0.001", 108)):
        words.set(chance=chance, words=enough)
        assert "the product is 0," in words.alt and f"{enough} of {chance}" in LESSON
        words.set(words=enough - 1)
        assert "the product is 0," not in words.alt
    bells = live.gaussian_attribute()
    bells.preset("x = −4")
    assert "density A 0.00013, B 0.00044" in bells.alt and "0.00013" in TEXT and "0.00044" in TEXT
    assert "Class B" in bells.alt and "A wins only between −3.42 and 1.42." in bells.alt


def test_a_copied_column_of_the_table_is_what_the_figure_counts():
    days, answers = _split()
    day = as_day("sunny, cool, high, strong")
    again = bl.NaiveBayes().fit(days.assign(again=days["Wind"]), answers).predict_proba({**day, "again": "strong"})
    assert again["no"] == pytest.approx(p_no(day, "Wind", 2)) == pytest.approx(0.875, abs=5e-4)


def test_the_prior_moves_the_odds_of_the_day():
    day = as_day("sunny, cool, high, strong")
    odds = score(day, "yes") / score(day, "no")
    assert (round(odds, 3), round(odds / 1.8, 3)) == (0.257, 0.143) and "0.143 in place of 0.257" in LESSON


def test_rows_that_are_left_out_are_harder_than_its_own():
    days, answers = _split()
    right = 0
    for row in range(14):
        rest = bl.NaiveBayes().fit(days.drop(row), answers.drop(row))
        right += rest.predict(days.loc[row].to_dict()) == answers[row]
    assert right == 8 and (answers == "yes").sum() == 9
    assert (bl.NaiveBayes().fit(days, answers).predict(days) == answers).sum() == 13


def test_nine_rows_prove_nothing_and_six_guests_even_less():
    table = bl.data.load_play_tennis()
    yes = table[table["PlayTennis"] == "yes"]
    cool, normal = yes["Temperature"] == "cool", yes["Humidity"] == "normal"
    assert (cool.sum(), normal.sum(), (cool & normal).sum()) == (3, 6, 3)
    assert math.comb(6, 3) / math.comb(9, 3) == pytest.approx(20 / 84) and "20/84 = 0.24" in LESSON
    assert cool.mean() * normal.mean() == pytest.approx(0.222, abs=5e-4) and "0.333 against 0.222" in LESSON
    guests = bl.data.load_restaurant()
    waited = guests[guests["Wait"] == "yes"]
    thai, some = waited["Cuisine"] == "Thai", waited["Patrons"] == "Some"
    assert (len(waited), thai.sum(), some.sum(), (thai & some).sum()) == (6, 2, 4, 1)


def test_the_coins_are_independent_overall_and_not_within_a_class():
    coins = list(product((0, 1), repeat=2))
    differ = [pair for pair in coins if pair[0] != pair[1]]
    for rows, joint in ((coins, 1 / 4), (differ, 1 / 2)):
        apart = [sum(pair[k] == value for pair in rows) / len(rows) for k, value in ((0, 0), (1, 1))]
        assert rows.count((0, 1)) / len(rows) == joint and apart == [0.5, 0.5]
    model = bl.NaiveBayes().fit(coins, [a != b for a, b in coins])
    assert model.predict_proba([0, 1])[True] == 0.5


def test_absent_words_count_in_one_of_two_models():
    texts = [
        "match goal team",
        "team wins match",
        "goal goal match",
        "salt butter pan",
        "pan heat butter",
        "match salt taste",
    ]
    words, topics = sorted(set(" ".join(texts).split())), ["sport"] * 3 + ["cook"] * 3
    for text, multinomial, bernoulli in (
        ("match", 0.667, 0.842),
        ("goal goal goal butter", 0.955, 0.471),
        ("goal butter butter butter", 0.129, 0.471),
    ):
        said = [1.0, 1.0]  # sport to cook, by counting
        for word in words:
            for place, inside in enumerate((texts[:3], texts[3:])):
                times, of = " ".join(inside).split().count(word), sum(word in each.split() for each in inside)
                factor = ((times + 1) / 18) ** text.split().count(word)
                present = (of + 1) / 5 if word in text.split() else 1 - (of + 1) / 5
                said[0] *= factor ** (1 if place == 0 else -1)
                said[1] *= present ** (1 if place == 0 else -1)
        assert [round(odds / (1 + odds), 3) for odds in said] == [multinomial, bernoulli]
        assert f"{multinomial:.3f} multinomial, {bernoulli:.3f} Bernoulli" in LESSON
    assert topics.count("sport") == topics.count("cook")


def test_the_borders_of_the_degrees():
    degrees = np.array([30, 31, 29, 21, 12, 11, 13, 22, 14, 20, 23, 21, 28, 20.0])
    no = (bl.data.load_play_tennis()["PlayTennis"] == "no").to_numpy()
    groups = degrees[no], degrees[~no]
    low, high = naive_bayes.borders([g.mean() for g in groups], [g.var() for g in groups], (5 / 14, 9 / 14))
    assert (round(high, 1), round(low, 1)) == (29.1, 1.8) and "above 29.1 and below 1.8" in LESSON


def test_the_order_of_the_factors_can_be_dragged_and_changes_no_end():
    figure = live.day_factors()
    end = figure.alt.split("Scores")[1]
    axes = figure.figure.axes[0]

    def place(row):
        x, y = axes.transData.transform((0, row)) / (figure.figure.bbox.width, figure.figure.bbox.height)
        return [x, 1 - y]

    figure.view.pointer = {"press": 1, "from": place(4), "to": place(1)}
    assert figure.values["order"] == ["Wind", "Outlook", "Temperature", "Humidity"]
    assert figure.alt.split("Scores")[1] == end and figure.alt.startswith("Humidity = high")


def _split():
    table = bl.data.load_play_tennis()
    return table.drop(columns="PlayTennis"), table["PlayTennis"]
