"""Section 15: what must hold of its figures, and its numbers computed once more, query by query."""

from functools import cache

import numpy as np
import pytest

from bayeslib import local
from bayeslib.live.local import BIKES, GRID, WAVE_H
from tests.figures import number

SHAPES = {
    "gaussian": lambda u: np.exp(-(u**2) / 2),
    "epanechnikov": lambda u: np.clip(1 - u**2, 0, None),
    "tricube": lambda u: np.clip(1 - u**3, 0, None) ** 3,
    "triangle": lambda u: np.clip(1 - u, 0, None),
    "box": lambda u: (u <= 1) * 1.0,
}
SOME_H = [*WAVE_H[::6], 0.1, WAVE_H[-1]]  # of 47
SETTINGS = {
    "distance_weights": {"query": [0.0, 0.9, 1.0, 2.5, 3.0, 5.0, 6.0, 8.0, 10.0, 100.0]},
    **{name: {"h": SOME_H} for name in ("local_query", "bandwidth_errors", "kernel_shapes")},
    "side_by_side": {"h": [0.02, 0.05, 0.1, 0.5, 1.0]},
}
FIVE = np.array([1.0, 2, 3, 4, 6]), np.array([2.0, 3, 5, 4, 9])


def by_rows(x, y, query, weights, degree):
    """A weighted fit at one query, the textbook's way: least squares on rows √w (1, x − q, …). NaN if not decided."""
    weights = np.asarray(weights)
    if weights.max() == 0:
        return np.nan
    root = np.sqrt(weights / weights.max())
    design = (np.asarray(x) - query)[:, None] ** np.arange(degree + 1)
    beta, _, rank, _ = np.linalg.lstsq(root[:, None] * design, root * y, rcond=1e-13)
    return beta[0] if rank == degree + 1 else np.nan


def nearest(x, query, k):
    return np.argsort(np.abs(x - query), kind="stable")[:k]


def weighted_mean(query, k, power=2):
    x, y = FIVE
    near = nearest(x, query, k)
    weights = np.abs(x[near] - query) ** -float(power)
    return (weights * y[near]).sum() / weights.sum()


NUMBERS = {
    "15/far-query": weighted_mean(100, 5),
    "15/edge": by_rows(*[np.arange(11.0)] * 2, 0, SHAPES["gaussian"](np.arange(11) / 2), 0),
}
LINE_AT_100 = np.polyval(np.polyfit(*FIVE, 1), 100)
WRONG_NUMBERS = {"15/far-query": {"average-extrapolates": LINE_AT_100}, "15/edge": {"average-line": 0.0}}


def holds_distance_weights(figure):
    query, k, h, rule = (figure.values[name] for name in ("query", "k", "h", "rule"))
    x, y = FIVE
    shares = np.array([bar.get_height() for bar in figure.figure.axes[1].patches])
    assert shares.sum() == pytest.approx(1) and (shares > 0).sum() <= k
    curve = figure.figure.axes[0].lines[0].get_ydata()
    assert curve.min() >= 2 - 1e-9 and curve.max() <= 9 + 1e-9, "an average cannot leave the data"
    if rule == "inverse" and query in x:
        assert "1/0 is infinite" in figure.alt and number("own value,", figure.alt) == y[x == query][0]
        return
    near = nearest(x, query, k)
    distances = np.abs(x[near] - query)
    logs = {
        "inverse": -2 * np.log(distances + (distances == 0)),
        "gaussian": -((distances / h) ** 2) / 2,
        "box": 0 * distances,
    }
    weights = np.exp(logs[rule] - logs[rule].max())
    wanted = (weights * y[near]).sum() / weights.sum()
    assert number("weighted mean", figure.alt) == pytest.approx(wanted, abs=5.1e-4)
    assert (shares * y).sum() == pytest.approx(wanted) or not 0 < shares.max() < 1


def holds_edge(figure):
    query, h, data = (figure.values[name] for name in ("query", "h", "data"))
    x = np.arange(11.0)
    y, truth = (x, query) if data == "line" else ((x - 5) ** 2, (query - 5) ** 2)
    weights = SHAPES["gaussian"](np.sqrt((x - query) ** 2 - ((x - query) ** 2).min()) / h)
    for degree, name in enumerate(("average", "line", "quadratic")):
        wanted = by_rows(x, y, query, weights, degree)
        assert number(name, figure.alt) == pytest.approx(wanted, abs=0.0051)
        if degree == 2 or (degree == 1 and data == "line"):
            assert wanted == pytest.approx(truth, abs=1e-6), "a local model is exact on its own kind"
    assert number("the truth is", figure.alt.replace(". Of", " Of")) == pytest.approx(truth, abs=0.0051)
    left, right = (number(side, figure.alt.replace("%", "")) for side in ("Of the weight", "query and"))
    assert left == pytest.approx(100 * weights[x < query].sum() / weights.sum(), abs=0.51)
    assert right == pytest.approx(100 * weights[x > query].sum() / weights.sum(), abs=0.51)


def holds_local_query(figure):
    query, kernel, h, k, degree, error = (figure.values[n] for n in ("query", "kernel", "h", "k", "degree", "error"))
    x, y = local.wave_sample()
    weights = SHAPES[kernel](np.abs(x - query / 100) / h) if error != "nearest" else np.ones(60)
    if error != "kernel":
        weights = np.where(np.isin(np.arange(60), nearest(x, query / 100, k)), weights, 0)
    plane, strip = figure.figure.axes
    assert strip.lines[1].get_ydata()[1::3] == pytest.approx(weights), "the stems are the weights"
    if "No answer" in figure.alt:
        assert len(plane.lines[3].get_xdata()) == 0
        assert (weights > 0).sum() <= degree or h < 0.02
        return
    wanted = by_rows(x, y, query / 100, weights, degree)
    if not np.isnan(wanted) and abs(wanted) < 20:
        assert number(r"(?:average|line|quadratic) says", figure.alt) == pytest.approx(wanted, abs=6e-3)
    assert number("weights sum to", figure.alt) == pytest.approx(weights.sum(), rel=0.0051, abs=1e-9)
    used = weights > 0.01 * weights.max()
    assert f"{used.sum()} of 60 points" in figure.alt and len(plane.lines[4].get_xdata()) == used.sum()


def holds_side_by_side(figure):
    k, h, seed = (figure.values[name] for name in ("k", "h", "seed"))
    x, y = local.wave_sample(random_state=seed)
    truth = np.sin(2 * np.pi * GRID)
    curves = [np.array([y[nearest(x, q, count)].mean() for q in GRID]) for count in (1, k)]
    for axes, curve, words in zip(figure.figure.axes, curves, ("nearest neighbour", f"mean of {k} nearest")):
        assert axes.lines[2].get_ydata() == pytest.approx(curve)
        assert number(words, figure.alt) == pytest.approx(((curve - truth) ** 2).mean(), abs=5.1e-5)
    line = figure.figure.axes[2].lines[2].get_ydata()
    for at in (0, 77, 200):
        weights = SHAPES["gaussian"](np.sqrt((x - GRID[at]) ** 2 - ((x - GRID[at]) ** 2).min()) / h)
        assert line[at] == pytest.approx(by_rows(x, y, GRID[at], weights, 1), abs=1e-5)
    assert number(f"h = {h:g}", figure.alt) == pytest.approx(((line - truth) ** 2).mean(), abs=5.1e-5)
    assert number("the second", figure.alt) == (np.abs(np.diff(curves[1])) > 1e-12).sum()


@cache
def errors(h, seed, degree):
    """Training, leave-one-out and true error, a fit at a time."""
    x, y = local.wave_sample(random_state=seed)

    def answer(x, y, query):
        squared = (x - query) ** 2
        return by_rows(x, y, query, np.exp(-(squared - squared.min()) / (2 * h**2)), degree)

    rest = [np.delete(np.arange(60), i) for i in range(60)]
    training = np.mean([(answer(x, y, q) - t) ** 2 for q, t in zip(x, y)])
    out = np.mean([(answer(x[r], y[r], x[i]) - y[i]) ** 2 for i, r in enumerate(rest)])
    true = np.mean([(answer(x, y, q) - np.sin(2 * np.pi * q)) ** 2 for q in GRID])
    return training, out, true


def holds_bandwidth_errors(figure):
    h, seed, degree = (figure.values[name] for name in ("h", "seed", "degree"))
    lines = {line.get_label(): line.get_ydata() for line in figure.figure.axes[1].lines}
    assert len(lines["training"]) == len(WAVE_H)
    at = WAVE_H.index(h)
    if seed == 0 and h in (0.02, 0.1, 0.5):  # one at a time is slow
        for kind, wanted in zip(("training", "leave-one-out", "true"), errors(h, seed, degree)):
            assert lines[kind][at] == pytest.approx(wanted, rel=1e-6)
    if np.isnan(lines["training"][at]):
        assert "there is no answer" in figure.alt and degree == 2
    else:
        assert number("training", figure.alt) == pytest.approx(lines["training"][at], abs=5.1e-5)
    for kind in ("leave-one-out", "true"):
        assert number(f"least {kind}", figure.alt) == pytest.approx(np.nanmin(lines[kind]), abs=5.1e-5)
    training = lines["training"][~np.isnan(lines["training"])]
    assert (np.diff(training) > -0.01).all(), "the training error falls with the bandwidth"


def holds_kernel_shapes(figure):
    h, kernel = (figure.values[name] for name in ("h", "kernel"))
    shapes, chart = figure.figure.axes
    shown = [line for line in shapes.lines if line.get_animated() and line.get_visible()]
    u, values = shown[0].get_data()
    assert len(shown) == 1 and values == pytest.approx(SHAPES[kernel](abs(u)), abs=1e-9)
    errors = {line.get_label(): line.get_ydata() for line in chart.lines}
    error = errors[kernel][WAVE_H.index(h)]
    if np.isnan(error):
        assert "too few points" in figure.alt
    else:
        assert number("the true error is", figure.alt) == pytest.approx(error, abs=5.1e-5)
    for name in SHAPES:
        assert number(f"(?<=[:,]) {name}", figure.alt) == pytest.approx(np.nanmin(errors[name]), abs=5.1e-5)


def holds_gap(figure):
    query, h, way = (figure.values[name] for name in ("query", "h", "way"))
    x, y = np.array([0, 0.1, 0.2, 0.8, 0.9, 1]), np.array([1, 1, 1, 3, 3, 3])
    squared = (x - query / 100) ** 2
    plain = np.exp(-squared / (2 * h**2))
    shifted = np.exp(-(squared - squared.min()) / (2 * h**2))
    answer = (shifted * y).sum() / shifted.sum()
    if plain.sum() == 0 and way == "plain":
        assert "0/0: every weight is 0" in figure.alt
    else:
        assert number("the average is", figure.alt) == pytest.approx(answer, abs=5.1e-4)
    assert ("too small for a float" in figure.alt) == (plain.max() == 0)
    lost = (np.exp(-((GRID[:, None] - x) ** 2) / (2 * h**2)).sum(axis=1) == 0).sum()
    assert number("0/0 at", figure.alt) == lost


def holds_rbf_bumps(figure):
    centres, width, step = (figure.values[name] for name in ("centres", "width", "step"))
    assert figure.controls["step"].max == centres
    x, y = local.wave_sample()
    places = np.linspace(0, 1, centres)

    def design(at):
        return np.hstack([np.ones((len(at), 1)), SHAPES["gaussian"]((at[:, None] - places) / width)])

    weights = np.linalg.lstsq(design(x), y, rcond=None)[0]
    error = ((design(GRID) @ weights - np.sin(2 * np.pi * GRID)) ** 2).mean()
    assert number("true error is", figure.alt) == pytest.approx(error, abs=5.1e-5)
    assert number("weight is", figure.alt) == pytest.approx(np.abs(weights[1:]).max(), rel=0.0051)
    plane, chart = figure.figure.axes
    total = next(line for line in plane.lines if line.get_label() == "sum so far").get_ydata()
    assert total == pytest.approx((design(GRID) * weights)[:, : step + 1].sum(axis=1), abs=1e-6)
    assert [bar.get_height() for bar in chart.patches if bar.get_visible()] == pytest.approx(
        weights[: step + 1], rel=1e-6
    )


def holds_case_based(figure):
    weights = np.array([figure.values[name] for name in ("noise", "when", "weather", "age")], dtype=float)
    if weights.sum() == 0:
        assert "attribute of weight above 0" in figure.alt
        return
    new, base = BIKES[figure.values["bike"]], local.workshop()
    alike = {
        frozenset(("squeal", "squeak")): 0.8,
        frozenset(("squeak", "grind")): 0.3,
        frozenset(("grind", "click")): 0.4,
    }
    rows = []
    for case in base.cases:
        noise, when, weather, age = case.values()
        same = 1.0 if noise == new[0] else alike.get(frozenset((noise, new[0])), 0)
        rows.append([same, when == new[1], weather == new[2], 1 - abs(age - new[3]) / 9])
    similarity = np.array(rows, dtype=float) @ weights / weights.sum()
    assert number("similarity", figure.alt) == pytest.approx(similarity.max(), abs=0.0051)
    order = np.argsort(-similarity.round(12), kind="stable")[: figure.values["k"]]
    answers = dict.fromkeys(base.answers[n] for n in order)
    votes = {answer: sum(similarity[n] for n in order if base.answers[n] == answer) for answer in answers}
    best = max(votes, key=lambda answer: round(votes[answer], 12))
    assert f"{'says' if len(order) > 1 else 'alone says'} {best}, with" in figure.alt
    share = votes[best] / sum(votes.values())
    assert number(f"{best}, with", figure.alt) == pytest.approx(100 * share, abs=0.51)
    bars = [patch.get_width() for patch in figure.figure.axes[1].patches]
    assert sum(bars) == pytest.approx(1) and max(bars) == pytest.approx(share)
