"""Section 01: what must hold of its figures, and its numbers computed once more."""

import re
from itertools import accumulate
from operator import mul

import numpy as np
import pytest
from scipy.stats import beta

import bayeslib as bl
from bayeslib import data, live
from bayeslib.models.bayes import diagnosis, flip_prior, natural_frequencies, repeated_test
from tests.figures import EXPLAINED, number, placed, sized, written
from tests.lab import ROOT

SETTINGS = {
    "test_after_test": {"results": ["", "+", "-", "−+", "+-+-+-+-", "++++++++", "+?", "+" * 9, "plus"]},
    "real_tests": {
        "counts": [
            "",
            "12, 3, 30, 955",
            "1 0 0 1",
            "0;5;3;9",
            "173, ?, 2297, 167530",
            "0 0 1 1",
            "0 1 0 1",
            "1 2 3",
            "many",
            "7,1,1e6,2",
        ]
    },
}


def percent(prior, *others):
    return 100 * bl.posterior(*diagnosis(prior, *others))["sick"]


MACHINES = [0.6 * 0.02, 0.3 * 0.03, 0.1 * 0.16]
NUMBERS = {
    "01/third-machine": 100 * MACHINES[2] / sum(MACHINES),
    "01/same-thermometer": 100 * repeated_test("++", 0.5, 0.15, copied=0.4)[1]["healthy"],
    "01/second-positive": 100 * bl.update(diagnosis(0.008, 0.98, 0.03)[0], repeated_test("++", 0.98, 0.03))[-1]["sick"],
    "01/another-ward": percent(0.1, 0.9, 0.2),
}
WRONG_NUMBERS = {
    "01/third-machine": {
        "inverse": 16,
        "base-rate": 100 * 0.16 / 0.21,
        "joint-posterior": 100 * MACHINES[2],
        "prior-only": 10,
    },
    "01/same-thermometer": {"independence-assumed": 15},
    "01/second-positive": {
        "reset": percent(0.008, 0.98, 0.03),
        "double-evidence": 2 * percent(0.008, 0.98, 0.03),
        "inverse": 98,
    },
    "01/another-ward": {
        "inverse": 90,
        "base-rate": 100 * 0.9 / 1.1,
        "joint-posterior": 100 * 0.9 * 0.1,
        "fp-flip": 80,
        "equal-crowds": 100 * 0.09 / 0.29,
    },
}


# What must hold of each figure in every state: caption and artists say what the model says.


def best(sick, healthy):
    """The larger of two weights by its name."""
    return "sick" if sick > healthy else "healthy" if sick < healthy else "a tie"


def holds_rules(figure):
    a, b_a, b_not_a = (figure.values[name] / 100 for name in ("a", "b_a", "b_not_a"))
    picture, both, rest = figure.picture, a * b_a, (1 - a) * b_not_a
    p_b = both + rest
    areas = ("A ∧ B", "A ∧ ¬B", "¬A ∧ B", "¬A ∧ ¬B")
    corners = [(0, 0, a, b_a), (0, b_a, a, 1 - b_a), (a, 0, 1 - a, b_not_a), (a, b_not_a, 1 - a, 1 - b_not_a)]
    sized(picture.areas.values(), **dict(zip(("x", "y", "width", "height"), zip(*corners))))
    for name, text, (x, y, width, height) in zip(areas, picture.names.values(), corners):
        assert text.get_text() == name
        assert text.get_position() == pytest.approx((x + width / 2, y + height / 2))
    title, pattern, value, line = {
        "product": ("Product rule", r"P\(A ∧ B\) =", both, f"= {b_a:.4g} × {a:.4g} = {both:.4g}"),
        "sum": (
            "Sum rule",
            r"P\(A ∨ B\) =",
            a + p_b - both,
            f"= {a:.4g} + {p_b:.4g} − {both:.4g} = {a + p_b - both:.4g}",
        ),
        "total probability": (
            "Total probability",
            r"P\(B\) =",
            p_b,
            f"= {both:.4g} + {rest:.4g} = {p_b:.4g}",
        ),
        "bayes": (
            "Bayes' theorem",
            r"P\(A\|B\) =",
            both / p_b if p_b else None,
            f"= {both:.4g} / {p_b:.4g} = {both / p_b:.4g}" if p_b else "P(B) = 0: B never happens,",
        ),
    }[figure.values["rule"]]
    assert line in picture.lines.get_text().split("\n")
    if value is None:
        assert "B never happens" in figure.alt
    else:
        assert number(pattern, figure.alt) == pytest.approx(value, rel=1e-3, abs=1e-9)
    sides = [f"P(A) = {a:.4g}", f"P(¬A) = {1 - a:.4g}", f"P(B|A) = {b_a:.4g}", f"P(B|¬A) = {b_not_a:.4g}"]
    return [*written(picture.title, [title]), *written(picture.sides, sides), picture.lines.get_text()]


def in_reading_order(x, y):
    """Whether people stand in rows from the top, evenly, each row from left to right and none on another."""
    rows, down, right = np.unique(y), np.diff(y), np.diff(x)
    evenly = len(rows) < 3 or np.allclose(np.diff(rows), rows[1] - rows[0])
    return len(y) == 0 or (rows[-1] == 1 and evenly and ((down < 0) | (down == 0) & (right > 0)).all())


def holds_population(figure):
    sick, found, flagged, crowd, step = (figure.values[name] for name in ("sick", "found", "flagged", "crowd", "step"))
    counts, picture = natural_frequencies(sick / 1000, found / 100, flagged / 100, crowd), figure.picture
    places = {kind: np.array(line.get_data()) for kind, line in picture.groups.items()}
    drawn = {kind: each.shape[1] for kind, each in places.items()}
    assert sum(drawn.values()) == crowd and all(abs(drawn[kind] - counts[kind]) < 1 for kind in counts)
    rings = drawn["sick", "+"] + drawn["healthy", "+"]
    if step:
        halves = [[("sick", "+"), ("healthy", "+")], [("sick", "-"), ("healthy", "-")]] if step == 3 else [list(counts)]
        for half in halves:
            assert in_reading_order(*np.hstack([places[kind] for kind in half]))
    else:
        assert len(picture.bare.get_xdata()) == crowd and in_reading_order(*picture.bare.get_data())
    assert [line.get_visible() for line in picture.groups.values()] == [step > 0] * 4
    assert picture.bare.get_visible() == (step == 0) and picture.rings.get_visible() == (step >= 2)
    if step >= 2:
        placed(picture.rings, *np.hstack([places["sick", "+"], places["healthy", "+"]]))
    positives = counts["sick", "+"] + counts["healthy", "+"]
    if step == 3 and positives:
        assert number(r"/[\d.]+ =", figure.alt) == pytest.approx(counts["sick", "+"] / positives, abs=5.1e-5)
    elif step == 3:
        assert "impossible" in figure.alt
    people = [f"{crowd} people", f"{crowd} people: filled squares are sick", f"{crowd} people: a ring means positive"]
    gathered = [f"{crowd - rings} test negative", f"{rings} positive: {drawn['sick', '+']} sick"]
    return written(picture.heads, gathered if step == 3 else people[step : step + 1])


def holds_bayes_table(figure):
    sick, found, flagged, step = (figure.values[name] for name in ("sick", "found", "flagged", "step"))
    prior, likelihood = (sick / 1000, 1 - sick / 1000), (found / 100, flagged / 100)
    product = tuple(map(mul, prior, likelihood))
    evidence = sum(product)
    if step == 4 and not evidence:
        assert figure.alt.startswith(EXPLAINED) and "impossible" in figure.alt
        return
    shares = tuple(each / evidence if evidence else 0 for each in product)
    wanted = [
        [],
        [(r"P\(sick\) =", prior[0]), (r"P\(healthy\) =", prior[1])],
        [(r"\+\|sick\) =", likelihood[0]), (r"\+\|healthy\) =", likelihood[1]), ("sum to", sum(likelihood))],
        [("Product: [^=]+ =", product[0]), ("and [^=]+ =", product[1]), (r"P\(\+\) =", evidence)],
        [(r"P\(sick\|\+\) = [^=]+ =", shares[0]), (r"P\(healthy\|\+\) =", shares[1])],
    ][step]
    for pattern, value in wanted:
        assert number(pattern, figure.alt) == pytest.approx(value, abs=5.1e-6 if step == 3 else 5.1e-5), pattern
    if step in (2, 4):
        assert figure.alt.endswith(f": {best(*(likelihood if step == 2 else product))}.")
    columns, bars = (prior, likelihood, product, shares), (prior, likelihood, shares, shares)
    notes = ["must be 1", "between 0 and 2", "= P(+)\n(bars: its shares)", "must be 1"]
    picture, checked = figure.picture, written(figure.picture.notes, notes[:step])
    for row in range(2):
        mine = [picture.bars[row, column] for column in range(4)]
        left = np.arange(step) + 0.05
        sized(mine, x=left, y=row + 0.56, width=[0.85 * each[row] for each in bars[:step]], height=0.3)
    for row, part in enumerate([lambda pair: pair[0], lambda pair: pair[1], sum]):
        cells = [picture.numbers[row, column] for column in range(4)]
        checked += written(cells, [f"{part(each):.5g}" for each in columns[:step]])
    return checked


def holds_posterior_curve(figure):
    sick, found, flagged = (figure.values[name] for name in ("sick", "found", "flagged"))
    picture = figure.picture

    def after(prior, found, flagged):
        return prior * found / (prior * found + (1000 - prior) * flagged)

    now, flip = after(sick, found, flagged), 1000 * flagged / (found + flagged)
    for line, test in ((picture.line, (found, flagged)), (picture.usual, (98, 3))):
        priors = line.get_xdata()
        assert priors[0] == 1 and priors[-1] == 1000 and (np.diff(priors) > 0).all()
        placed(line, priors, after(priors, *test))
    placed(picture.point, [sick], [now])
    seen = flip > 1
    placed(picture.flip, [flip] if seen else [], [0.5] if seen else [])
    sized(picture.sick, x=[-0.35, 0.65], y=0, width=0.7, height=[sick / 1000, now])
    sized(picture.healthy, x=[-0.35, 0.65], y=[sick / 1000, now], width=0.7, height=[1 - sick / 1000, 1 - now])
    assert number(r"P\(sick\|\+\) =", figure.alt) == pytest.approx(now, abs=5.1e-5)
    says = "sick" if now > 0.5 else "healthy" if now < 0.5 else "either"
    assert f"MAP says {says}" in figure.alt
    assert f"ML says {best(found, flagged).replace('a tie', 'either')} at every prior" in figure.alt
    if flagged:
        assert number("flips at", figure.alt) == pytest.approx(flip, abs=0.051)
    texts = written(picture.labels, [f"{sick / 1000:.3f}", f"{now:.3f}"])
    return texts + written(picture.flip_text, [f"flips at {number('flips at', figure.alt):.1f}"] if seen else [])


def odds_of_results(results, sick, found, flagged, copied):
    """P(sick) : P(healthy) before and after each result; a copied one only repeats the result before it."""
    factors, before = [sick / (1000 - sick)], None
    for result in results:
        fresh = (found, flagged) if result == "+" else (100 - found, 100 - flagged)
        share = copied / 100 if before else 0
        p, q = (share * (result == before) + (1 - share) * each / 100 for each in fresh)
        factors.append(p / q if q else np.nan)
        before = result
    return np.array(list(accumulate(factors, mul)))


def chance(odds):
    """The probability of these odds as the picture writes it; near certainty as what is missing from it."""
    p, rest = odds / (1 + odds), 1 / (1 + odds)
    return f"{p:.4f}" if 0.0001 <= p <= 0.9999 else f"{p:.2g}" if p < 0.5 else f"1 − {rest:.2g}"


def holds_test_after_test(figure):
    results, step = figure.values["results"].replace("−", "-"), figure.values["step"]
    if set(results) - {"+", "-"} or len(results) > 8:
        assert figure.alt.startswith(EXPLAINED + "results must hold")
        return
    test, copied = [figure.values[name] for name in ("sick", "found", "flagged")], figure.values["copied"]
    odds = odds_of_results(results, *test, copied)
    if np.isnan(odds).any():
        assert figure.alt.startswith(EXPLAINED) and "impossible" in figure.alt
        return
    assert figure.controls["step"].max == len(results)
    odds, alone = odds[: step + 1], odds_of_results(results, *test, 0)[: step + 1]
    if step:
        assert f"P(sick) = {chance(odds[-1])}" in figure.alt
        assert number(r"\d =", figure.alt) == pytest.approx(odds[-1] / odds[-2], rel=1e-3)
        assert (f": {chance(alone[-1])} if none were)" in figure.alt) == (copied > 0)
    for name, weight in [("h_MAP", odds[-1])] + [("h_ML", odds[-1] / odds[0])] * (step > 0):
        if weight != pytest.approx(1):  # where rounding does not decide
            assert f"{name} = {best(weight, 1)}" in figure.alt
    picture, heights, others = figure.picture, np.log10(odds), np.log10(alone)
    seen = np.append(np.arange(step + 1), step + 0.4)
    placed(picture.path, seen, [*heights, heights[-1]])
    if picture.ghost.get_visible():
        placed(picture.ghost, seen, [*others, others[-1]])
    else:
        assert others == pytest.approx(heights)
    placed(picture.start, [0], heights[:1])
    for line, sign in ((picture.ups, "+"), (picture.downs, "-")):
        mine = [k for k in range(1, step + 1) if results[k - 1] == sign]
        placed(line, mine, heights[mine])
    assert picture.ghost_key.get_visible() == picture.ghost.get_visible()
    for at, said in zip(picture.axes.get_yticks(), picture.axes.get_yticklabels()):
        if "−" not in said.get_text():  # near certainty what is missing is written instead
            p = float(said.get_text())
            assert at == pytest.approx(np.log10(p / (1 - p)), abs=1e-6), said
    return written(picture.value, [chance(odds[-1])])


PUBLISHED = {  # per 1000, found, flagged, and what a positive was said to be worth
    "mammogram, US": (5.9, 0.869, 0.111, 0.044),
    "mammogram, Canada": (1000 * 174 / 23101, 0.69, 0.06, 0.086),
    "HIV test, Germany": (0.1, 0.999, 0.0001, 0.5),
}


def holds_real_tests(figure):
    test, sick, counts = (figure.values[name] for name in ("test", "sick", "counts"))
    picture, interval = figure.picture, None
    if not counts.strip():
        measured, found, flagged, published = PUBLISHED[test]
        placed(picture.published, [measured], [published], rtol=1e-3)
        prior = measured
    else:
        numbers = [float(each) for each in re.split("[,; ]+", counts)] if re.fullmatch("[0-9,; .e]+", counts) else []
        if len(numbers) != 4 or not (sum(numbers[:2]) and sum(numbers[2:]) and numbers[0] + numbers[2]):
            assert figure.alt.startswith(f"{EXPLAINED}your four counts (right alarms, missed, false alarms, rest) must")
            return
        right, missed, false, rest = numbers
        prior, found, flagged = 1000 * (right + missed) / sum(numbers), right / (right + missed), false / (false + rest)
        interval = beta(1 + right, 1 + false).interval(0.9)
        placed(picture.published, [], [])
    prior = sick / 10 or prior

    def after(prior):
        return prior * found / (prior * found + (1000 - prior) * flagged)

    now, priors = after(prior), picture.line.get_xdata()
    assert priors[0] == pytest.approx(0.05) and priors[-1] == pytest.approx(999) and (np.diff(priors) > 0).all()
    placed(picture.line, priors, after(priors), rtol=1e-6)
    placed(picture.point, [prior], [now], rtol=1e-3)
    placed(picture.range, *(([prior] * 2, interval) if interval and not sick else ([], [])))
    rightly = round(100 * now)
    for artist, kind in zip(picture.groups, (range(rightly), range(rightly, 100))):
        placed(artist, [number % 10 for number in kind], [number // 10 for number in kind])
    assert number(r"P\(sick\|\+\) =", figure.alt) == pytest.approx(now, abs=5.1e-5)
    assert number("Base rate", figure.alt) == pytest.approx(10 * prior, rel=1e-3)
    assert number("finds", figure.alt) == pytest.approx(100 * found, rel=1e-3)
    assert number("flags", figure.alt) == pytest.approx(100 * flagged, rel=1e-3, abs=1e-9)
    people = 10 * prior * found, (10_000 - 10 * prior) * flagged
    said = [int(each) for each in re.findall(r"≈?(\d+) (?:are flagged|of them)", figure.alt)]
    assert said == pytest.approx([sum(people), people[0]], abs=0.501)
    if interval and not sick:
        assert re.findall(r"is (.+) to (.+) \(", figure.alt) == [tuple(f"{end:.3f}" for end in interval)]
    elif not sick:
        assert number("Published:", figure.alt) == pytest.approx(100 * published)
    return written(picture.head, [f"of 100 flagged, {rightly} rightly"]) + written(picture.value, [f"{now:.3f}"])


# Numbers that the lesson and its questions mention


def test_numbers_in_the_feedback_of_section_01_hold():
    text = (ROOT / "bayeslib/sections/s01_bayes_theorem/questions.toml").read_text()
    curve = live.posterior_curve()
    curve.preset("misses nobody")
    assert ".2119" in curve.alt and ".2119" in text
    curve.preset("1% false alarms")
    assert ".4414" in curve.alt and ".4414" in text
    stairs = live.test_after_test()
    stairs.preset("same blood, same lab")
    assert ".336" in stairs.alt and ".336" in text
    stairs.preset("+ then −")
    assert ".0054" in stairs.alt
    positive, negative = 0.98 / 0.03, 0.02 / 0.97
    assert (round(positive, 2), round(negative, 4), round(positive * negative, 3)) == (32.67, 0.0206, 0.674)
    assert "32.67 × 0.0206 = 0.674" in text
    square = live.rules()
    square.set(rule="sum")
    assert square.alt.endswith("P(A ∨ B) = 0.46.") and "0.40 + 0.34 − 0.28" in text
    square.set(rule="total probability")
    assert square.alt.endswith("P(B) = 0.34.")
    square.set(rule="product")
    assert square.alt.endswith("P(A ∧ B) = 0.28.")
    square.set(rule="bayes")
    assert round(float(re.search(r"P\(A\|B\) = ([\d.]+)\.", square.alt)[1]), 2) == 0.82
    assert sum([0.98, 0.03, 0.02, 0.97]) == pytest.approx(2.00)
    after_false_alarm = repeated_test("++", 0.98, 0.03, copied=0.5)[1]["healthy"]
    assert f"{after_false_alarm:.3f} instead of 0.03" in text and "0.95/0.004 = 237.5" in text
    assert 0.95 / 0.004 == pytest.approx(237.5) and flip_prior(1, 1, harm=24) == pytest.approx(1 / 25)
    assert (round(0.07 * 24, 2), round(0.93 * 1, 2)) == (1.68, 0.93)
    assert (round(2297 / 2470, 2), round(2297 / (170_000 - 173), 3), round(173 / 2470, 2)) == (0.93, 0.014, 0.07)


def test_what_the_lesson_says_of_mammograms_holds():
    people = natural_frequencies(0.0059, 0.869, 0.111, 1000)
    flagged = people["sick", "+"] + people["healthy", "+"]
    assert (round(people["sick", "+"], 1), round(people["healthy", "+"], 1), round(flagged, 1)) == (5.1, 110.3, 115.5)
    assert round(flagged / people["sick", "+"]) == 23 and round(flagged / 1000, 3) == 0.115
    rounded = [100 * bl.posterior(*diagnosis(0.00753, 0.69, flagged))["sick"] for flagged in (0.065, 0.055)]
    assert [round(each, 1) for each in rounded] == [7.5, 8.7]


def test_three_published_rates_give_the_published_worth_of_a_positive():
    for test, near in zip(data.load_real_tests().itertuples(), (0.05, 0.7, 0.05)):
        rates = test.sick_per_1000 / 1000, test.found_percent / 100, test.flagged_percent / 100
        computed = 100 * bl.posterior(*diagnosis(*rates))["sick"]
        assert computed == pytest.approx(test.published_percent, abs=near), test.test
    assert 1000 * 174 / 23101 == pytest.approx(7.53, abs=0.005)


def test_a_count_that_is_missing_is_asked_for():
    figure = live.real_tests()
    figure.set(counts="173, ?, 2297, 167530")
    assert "must all be counted: without the cases that were missed there is no sensitivity" in figure.alt
    figure.set(counts="12, 3, 30, 955")
    assert "P(sick|+) = 0.2857" in figure.alt and "90% interval is 0.189 to 0.413" in figure.alt


def test_eight_positives_of_a_sharp_test_are_still_no_certainty():
    stairs = live.test_after_test()
    stairs.set(results="+" * 8, sick=500, found=99, flagged=0.5, step=8)
    rest = (0.5 / 99) ** 8
    assert stairs.picture.value.get_text() == f"1 − {rest:.2g}" and f"P(sick) = 1 − {rest:.2g}." in stairs.alt
