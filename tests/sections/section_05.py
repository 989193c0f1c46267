"""Section 05: what must hold of its figures, and its numbers computed once more, by counting rows without the model."""

import math

import numpy as np
import pytest

import bayeslib as bl
from tests.figures import number

TENNIS, GUESTS = bl.data.load_play_tennis(), bl.data.load_restaurant()
ATTRIBUTES = ["Outlook", "Temperature", "Humidity", "Wind"]
SETTINGS = {"day_factors": {"order": [ATTRIBUTES, ATTRIBUTES[::-1], ["Wind", "Outlook", "Humidity", "Temperature"]]}}


def as_day(text):
    return dict(zip(ATTRIBUTES, text.split(", ")))


def share(name, value, answer):
    """P(value|answer), counted in the table."""
    return (TENNIS[TENNIS["PlayTennis"] == answer][name] == value).mean()


def prior(answer):
    return (TENNIS["PlayTennis"] == answer).mean()


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
    "05/free-numbers": {"full-table": 3 * 4**5 - 1, "dependent-numbers": 3 + 3 * 5 * 4},
    "05/another-day": {
        "noprior": 100 * no(score(OTHER, "yes") / prior("yes"), score(OTHER, "no") / prior("no")),
        "reverse": 100 * no(reversed_score(OTHER, "yes"), reversed_score(OTHER, "no")),
        "joint-posterior": 100 * score(OTHER, "no"),
        "marginals": 100 * score(OTHER, "no") / MARGINALS,
    },
}


# What must hold of each figure in every state: caption and artists say what counting says.


def holds_count_days(figure):
    used, day = ATTRIBUTES[: figure.values["attributes"]], as_day(figure.values["day"])
    groups = TENNIS.groupby(used).size()
    kinds = math.prod(TENNIS[name].nunique() for name in used)
    assert number("makes?", figure.alt) == kinds and number("fill", figure.alt) == len(groups)
    assert number("leave", figure.alt) == kinds - len(groups)
    mine = TENNIS[(TENNIS[used] == [day[name] for name in used]).all(axis=1)]["PlayTennis"]
    assert f"{(mine == 'yes').sum()} yes, {(mine == 'no').sum()} no" in figure.alt
    assert number("was seen", figure.alt) == len(mine)
    assert ("says nothing" in figure.alt) == mine.empty
    grid = figure.figure.axes[0]
    zeros = next(line for line in grid.lines if line.get_marker() == "$0$")
    assert len(zeros.get_xdata()) == kinds - len(groups)
    marks = {line.get_label(): line.get_xydata() for line in grid.lines if line.get_label() in ("yes", "no")}
    assert {label: len(places) for label, places in marks.items()} == {"yes": 9, "no": 5}
    frame = grid.patches[0].get_bbox()
    inside = {label: sum(frame.contains(*place) for place in places) for label, places in marks.items()}
    assert inside == {"yes": (mine == "yes").sum(), "no": (mine == "no").sum()}
    for place in zeros.get_xydata():
        assert not any(np.allclose(place, mark) for places in marks.values() for mark in places)


def holds_day_factors(figure):
    order, step = figure.values["order"], figure.values["step"]
    used = {name: figure.values[name] for name in order[:step]}
    yes, against = score(used, "yes"), score(used, "no")
    assert number(r"so far yes", figure.alt) == pytest.approx(yes, abs=5.1e-5)
    assert number(r", no", figure.alt) == pytest.approx(against, abs=5.1e-5)
    assert number(r"P\(no\) =", figure.alt) == pytest.approx(no(yes, against), abs=5.1e-5)
    assert ("vetoes" in figure.alt) == (against == 0)
    if step == 4:
        assert figure.alt.count(f"v_NB = {'yes' if yes > against else 'no'}") == 1
    *bars, together = figure.figure.axes[0].patches
    assert [bar.get_visible() for bar in bars] == [row <= step for row in range(5)]
    edge = figure.figure.axes[0].get_xlim()[1]
    at = min(np.log10(yes / against), edge) if against else edge
    assert together.get_width() == pytest.approx(at) and together.get_x() == 0
    assert bars[step].get_x() + bars[step].get_width() == pytest.approx(at)
    assert bars[0].get_width() == pytest.approx(np.log10(9 / 5))


def holds_closed_world(figure):
    day, unlisted = as_day(figure.values["day"]), figure.values["unlisted"] / 1000
    scores = [score(day, "yes"), score(day, "no"), unlisted]
    shares = [each / sum(scores) for each in scores]
    assert number("sum is", figure.alt) == pytest.approx(sum(scores), abs=5.1e-5)
    assert number(r"P\(yes\) =", figure.alt) == pytest.approx(shares[0], abs=5.1e-4)
    assert number(r"P\(no\) =", figure.alt) == pytest.approx(shares[1], abs=5.1e-4)
    first, second = ("Yes", "no") if scores[0] > scores[1] else ("No", "yes")
    assert figure.alt.endswith(f"{first} still stands before {second}.")
    for axes, wanted in zip(figure.figure.axes, (scores, shares)):
        assert [bar.get_width() for bar in axes.patches] == pytest.approx(wanted)


def holds_overclaim(figure):
    day, name, copies = as_day(figure.values["day"]), figure.values["attribute"], figure.values["copies"]
    chances = [p_no(day, name, k) for k in range(1, 11)]
    assert number(r"P\(no\) =", figure.alt) == pytest.approx(chances[copies - 1], abs=5.1e-5)
    assert ("flips" in figure.alt) == ((chances[copies - 1] > 0.5) != (chances[0] > 0.5))
    curve, calibration = figure.figure.axes
    [drawn] = [line.get_ydata() for line in curve.lines if line.get_marker() == "o"]
    assert drawn == pytest.approx(chances[:copies])
    [here] = [line.get_xydata()[0] for line in curve.lines if line.get_markersize() == 14]
    assert here == pytest.approx([copies, chances[copies - 1]])
    claim = 2**copies / (1 + 2**copies)
    assert number("claims", figure.alt) == pytest.approx(claim, abs=5.1e-5)
    assert calibration.lines[-1].get_xydata()[0] == pytest.approx([claim, 2 / 3])


def holds_underflow(figure):
    words, chance = figure.values["words"], figure.values["chance"]
    products = {"cook": 1.0, "sport": 1.0}
    lasted = None
    for word in range(1, words + 1):
        products["cook"] *= float(chance)
        products["sport"] *= 1.2 * float(chance)
        lasted = word if products["cook"] == 0 and lasted is None else lasted
    assert number("the product is", figure.alt) == pytest.approx(products["cook"], rel=5.1e-3)
    assert number("its logarithm", figure.alt) == pytest.approx(words * math.log(float(chance)), abs=0.051)
    assert ("a tie" in figure.alt) == (products["cook"] == products["sport"])
    lines = {line.get_label(): line.get_xydata() for line in figure.figure.axes[0].lines}
    assert len(lines["sum of logarithms"]) == words + 1
    assert lines["sum of logarithms"][-1] == pytest.approx([words, words * math.log10(float(chance))])
    assert [x for x, _ in lines["product is 0"]] == ([] if lasted is None else [lasted])
    assert len(lines["product"]) == (words + 1 if lasted is None else lasted)


def holds_gaussian_attribute(figure):
    x, spread, share_a, scale = (figure.values[name] for name in ("x", "spread", "share", "scale"))

    def density(x, mean, deviation):
        return np.exp(-0.5 * ((x - mean) / deviation) ** 2) / (deviation * np.sqrt(2 * np.pi))

    a, b = density(x, 0, 1), density(x, 3, spread)
    assert number("density A", figure.alt) == pytest.approx(a, rel=0.051)
    assert number(", B", figure.alt) == pytest.approx(b, rel=0.051)
    weighted = {"A": a * share_a / 100, "B": b * (1 - share_a / 100)}
    best = max(weighted, key=weighted.get)
    assert f"Class {best}, " in figure.alt
    assert number(r"\|x\) =", figure.alt) == pytest.approx(weighted[best] / sum(weighted.values()), abs=5.1e-5)
    axes = figure.figure.axes[0]
    lines = {line.get_label(): line.get_xydata() for line in axes.lines}
    heights = np.log10(density(lines["A"][:, 0], 0, 1) * share_a / 100)
    assert lines["A"][:, 1] == pytest.approx(heights if scale == "log" else 10**heights)
    if "wins only between" in figure.alt:
        low, high = number("between", figure.alt), number(r"between \S+ and", figure.alt)
        for edge in (low, high):
            gap = np.log(density(edge, 0, 1) * share_a / (density(edge, 3, spread) * (100 - share_a)))
            assert abs(gap) < 0.3 + 0.02 * abs(edge) / spread**2, "a border stands where the two are equal"
