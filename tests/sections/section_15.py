"""Section 15: what must hold of its figures, and its numbers computed once more, query by query."""

from functools import cache

import numpy as np
import pytest

from bayeslib import local
from bayeslib.live.local_models import BIKES, GRID, WAVE_H
from tests.figures import number, placed, places, written

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
WRONG_NUMBERS = {"15/far-query": {"average-extrapolates": LINE_AT_100}, "15/edge": {"boundary-bias": 0.0}}


def near_answer(x, y, query, k, h, rule):
    """(the shares of the points, their weighted mean) at a query that is no point, or with weights that stay finite."""
    near = nearest(x, query, k)
    distances = np.abs(x[near] - query)
    logs = {
        "inverse": -2 * np.log(distances + (distances == 0)),
        "gaussian": -((distances / h) ** 2) / 2,
        "box": 0 * distances,
    }
    weights, shares = np.exp(logs[rule] - logs[rule].max()), np.zeros(len(x))
    if rule == "inverse" and (distances == 0).any():
        weights = (distances == 0) * 1.0
    shares[near] = weights / weights.sum()
    return shares, shares @ y


def check_weights(strip, x, weights, query, kernel=None, h=None):
    """Stems, heads, outline and the line at the query of a strip of weights."""
    assert strip.stems.get_ydata()[1::3] == pytest.approx(weights), "the stems are the weights"
    assert strip.stems.get_xdata()[::3] == pytest.approx(x) and set(strip.stems.get_ydata()[::3]) == {0}
    seen = np.asarray(weights) > 0.002
    placed(strip.heads, x[seen], np.asarray(weights)[seen])
    assert set(strip.here.get_xdata()) == {query} and strip.here.get_ydata()[1] == 1.12
    at, heights = strip.outline.get_data()
    if kernel is None:
        assert len(at) == 0
    else:
        assert heights == pytest.approx(SHAPES[kernel](np.round(np.abs(at - query) / h, 9)), abs=1e-6)


def holds_distance_weights(figure):
    query, k, h, rule = (figure.values[name] for name in ("query", "k", "h", "rule"))
    x, y = FIVE
    picture = figure.picture
    shares = np.array([bar.get_height() for bar in picture.bars])
    assert shares.sum() == pytest.approx(1) and (shares > 0).sum() <= k
    assert {round(bar.get_width(), 9) for bar in picture.bars} == {0.75}
    at, curve = picture.curve.get_data()
    assert curve.min() >= 2 - 1e-9 and curve.max() <= 9 + 1e-9, "an average cannot leave the data"
    for place in (5, 60, 130):
        assert curve[place] == pytest.approx(near_answer(x, y, at[place], k, h, rule)[1], abs=1e-6)
    assert places(picture.dots) == sorted(zip(x, y))
    wanted, answer = near_answer(x, y, query, k, h, rule)
    assert places(picture.query) == [(query, pytest.approx(answer))]
    assert picture.rule.get_ydata() == pytest.approx([0, answer]) and set(picture.rule.get_xdata()) == {query}
    if rule == "inverse" and query in x:
        assert "1/0 is infinite" in figure.alt and number("own value,", figure.alt) == y[x == query][0]
    else:
        assert number("weighted mean", figure.alt) == pytest.approx(answer, abs=5.1e-4)
    if 1e-9 < wanted.max() < 1 - 1e-9:
        assert shares == pytest.approx(wanted, abs=1e-9)
    numbers = [f"{share:.3f}".removeprefix("0") for share in shares]
    return written(picture.numbers, numbers) + written(picture.marks, list("12345") if query <= 8.3 else [])


def holds_edge(figure):
    query, h, data = (figure.values[name] for name in ("query", "h", "data"))
    x, picture = np.arange(11.0), figure.picture
    y, truth = (x, query) if data == "line" else ((x - 5) ** 2, (query - 5) ** 2)

    def weights_at(place):
        return SHAPES["gaussian"](np.sqrt((x - place) ** 2 - ((x - place) ** 2).min()) / h)

    weights = weights_at(query)
    for degree, name in enumerate(("average", "line", "quadratic")):
        wanted = by_rows(x, y, query, weights, degree)
        assert number(name, figure.alt) == pytest.approx(wanted, abs=0.0051)
        if degree == 2 or (degree == 1 and data == "line"):
            assert wanted == pytest.approx(truth, abs=1e-6), "a local model is exact on its own kind"
        assert places(picture.marks[degree]) == [(query, pytest.approx(wanted, abs=1e-6))]
        at, curve = picture.curves[degree].get_data()
        for place in (0, 37, 100):
            assert curve[place] == pytest.approx(by_rows(x, y, at[place], weights_at(at[place]), degree), abs=1e-5)
    assert places(picture.dots) == list(zip(x, y))
    check_weights(picture.weights, x, SHAPES["gaussian"](np.abs(x - query) / h), query, "gaussian", h)
    assert number("the truth is", figure.alt.replace(". Of", " Of")) == pytest.approx(truth, abs=0.0051)
    left, right = (number(side, figure.alt.replace("%", "")) for side in ("Of the weight", "query and"))
    assert left == pytest.approx(100 * weights[x < query].sum() / weights.sum(), abs=0.51)
    assert right == pytest.approx(100 * weights[x > query].sum() / weights.sum(), abs=0.51)


def holds_local_query(figure):
    query, kernel, h, k, degree, error = (figure.values[n] for n in ("query", "kernel", "h", "k", "degree", "error"))
    x, y = local.wave_sample()
    picture, query = figure.picture, query / 100

    def weights_at(place):
        weights = SHAPES[kernel](np.abs(x - place) / h) if error != "nearest" else np.ones(60)
        return weights if error == "kernel" else np.where(np.isin(np.arange(60), nearest(x, place, k)), weights, 0)

    weights = weights_at(query)
    check_weights(picture.weights, x, weights, query, None if error == "nearest" else kernel, h)
    used = weights > 0.01 * weights.max()
    assert places(picture.used) == sorted(zip(x[used], y[used])) if weights.any() else not places(picture.used)
    at, curve = picture.curve.get_data()
    for place in (20, 100, 160):
        wanted = by_rows(x, y, at[place], weights_at(at[place]), degree)
        if not np.isnan(wanted) and not np.isnan(curve[place]) and abs(wanted) < 20:
            assert curve[place] == pytest.approx(wanted, abs=6e-3)
    if "No answer" in figure.alt:
        assert len(picture.fit.get_xdata()) == 0
        assert (weights > 0).sum() <= degree or h < 0.02
        return
    wanted = by_rows(x, y, query, weights, degree)
    if not np.isnan(wanted) and abs(wanted) < 20:
        assert number(r"(?:average|line|quadratic) says", figure.alt) == pytest.approx(wanted, abs=6e-3)
        assert places(picture.query) == [(query, pytest.approx(np.clip(wanted, -2.1, 2.1), abs=6e-3))]
        reach, fit = picture.fit.get_data()
        assert fit == pytest.approx(np.polyval(np.polyfit(reach, fit, degree), reach), abs=1e-6), "a fit of this degree"
        assert fit[np.abs(reach - query).argmin()] == pytest.approx(wanted, abs=0.02 + 0.1 * np.ptp(fit))
    assert number("weights sum to", figure.alt) == pytest.approx(weights.sum(), rel=0.0051, abs=1e-9)
    assert f"{used.sum()} of 60 points" in figure.alt


def holds_side_by_side(figure):
    k, h, seed = (figure.values[name] for name in ("k", "h", "seed"))
    x, y = local.wave_sample(random_state=seed)
    truth = np.sin(2 * np.pi * GRID)
    curves = [np.array([y[nearest(x, q, count)].mean() for q in GRID]) for count in (1, k)]
    picture = figure.picture
    for drawn, curve, words in zip(picture.curves, curves, ("nearest neighbour", f"mean of {k} nearest")):
        assert drawn.get_ydata() == pytest.approx(curve)
        assert number(words, figure.alt) == pytest.approx(((curve - truth) ** 2).mean(), abs=5.1e-5)
    line = picture.curves[2].get_ydata()
    assert all(places(dots) == sorted(zip(x, y)) for dots in picture.dots)
    for at in (0, 77, 200):
        weights = SHAPES["gaussian"](np.sqrt((x - GRID[at]) ** 2 - ((x - GRID[at]) ** 2).min()) / h)
        assert line[at] == pytest.approx(by_rows(x, y, GRID[at], weights, 1), abs=1e-5)
    assert number(f"h = {h:g}", figure.alt) == pytest.approx(((line - truth) ** 2).mean(), abs=5.1e-5)
    assert number("the second", figure.alt) == (np.abs(np.diff(curves[1])) > 1e-12).sum()
    titles = ["nearest", f"mean of {k} nearest", f"local line, h = {h:g}"]
    errors = [f"error {((curve - truth) ** 2).mean():.4f}" for curve in (*curves, line)]
    return written(picture.titles, titles) + written(picture.errors, errors)


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
    picture = figure.picture
    lines = {name: line.get_ydata() for name, line in picture.lines.items()}
    assert all(picture.lines[name].get_label() == name for name in lines)
    assert len(lines["training"]) == len(WAVE_H)
    at = WAVE_H.index(h)
    if seed == 0 and h in (0.02, 0.1, 0.5):  # one at a time is slow
        for kind, wanted in zip(("training", "leave-one-out", "true"), errors(h, seed, degree)):
            assert lines[kind][at] == pytest.approx(wanted, rel=1e-6)
    x, y = local.wave_sample(random_state=seed)
    assert places(picture.dots) == sorted(zip(x, y)) and set(picture.rule.get_xdata()) == {h}
    curve = picture.curve.get_ydata()
    if not np.isnan(lines["true"][at]):
        assert ((curve - np.sin(2 * np.pi * GRID)) ** 2).mean() == pytest.approx(lines["true"][at])
    for name, values in lines.items():
        assert picture.marks[name].get_data()[1][0] == pytest.approx(values[at], nan_ok=True)
        assert picture.marks[name].get_data()[0][0] == h
        if name != "training":
            best = np.nanargmin(values)
            assert places(picture.best[name]) == [(WAVE_H[best], values[best])]
            now = [
                part for part in figure.alt.split("Squared error: ")[1].split(". Over")[0].split(", ") if name in part
            ]
            assert np.isnan(values[at]) or number(name, now[0]) == pytest.approx(values[at], abs=5.1e-5)
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
    picture = figure.picture
    assert [name for name, line in picture.shapes.items() if line.get_visible()] == [kernel]
    assert [name for name, line in picture.curves.items() if line.get_visible()] == [kernel]
    u, values = picture.shapes[kernel].get_data()
    assert values == pytest.approx(SHAPES[kernel](abs(u)), abs=1e-9)
    errors = {name: line.get_ydata() for name, line in picture.thin_curves.items()}
    assert picture.curves[kernel].get_ydata() == pytest.approx(errors[kernel], nan_ok=True)
    assert picture.curves[kernel].get_xdata() == pytest.approx(WAVE_H)
    assert np.ravel(picture.here.get_data()) == pytest.approx([h, errors[kernel][WAVE_H.index(h)]], nan_ok=True)
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
    picture, dead = figure.picture, plain.sum() == 0 and way == "plain"
    assert ("too small for a float" in figure.alt) == (plain.max() == 0)
    assert picture.query.get_visible() != dead
    assert dead or places(picture.query) == [(query / 100, pytest.approx(answer))]
    assert set(picture.rule.get_xdata()) == {query / 100} and picture.rule.get_ydata() == pytest.approx([0.6, 3.4])
    powers = -squared / (2 * h**2) / np.log(10)
    shown, alive = np.maximum(powers, -400), powers > -323.3
    assert picture.stems.get_ydata()[1::3] == pytest.approx(shown)
    placed(picture.heads, x[alive], shown[alive])
    placed(picture.lost, x[~alive], np.maximum(shown[~alive], -388))
    at, curve = picture.curve.get_data()
    away = (at[:, None] - x) ** 2
    shares = np.exp(-(away - away.min(axis=1, keepdims=True)) / (2 * h**2))
    gone = (np.exp(-away / (2 * h**2)).sum(axis=1) == 0) & (way == "plain")
    assert curve == pytest.approx(np.where(gone, np.nan, shares @ y / shares.sum(axis=1)), nan_ok=True)
    assert picture.hole.get_ydata() == pytest.approx(np.where(gone, 0.66, np.nan), nan_ok=True)
    lost = (np.exp(-((GRID[:, None] - x) ** 2) / (2 * h**2)).sum(axis=1) == 0).sum()
    assert number("0/0 at", figure.alt) == lost


def holds_rbf_bumps(figure):
    centres, width, step = (figure.values[name] for name in ("centres", "width", "step"))
    assert figure.controls["step"].max == centres
    x, y = local.wave_sample()
    middles = np.linspace(0, 1, centres)

    def design(at):
        return np.hstack([np.ones((len(at), 1)), SHAPES["gaussian"]((at[:, None] - middles) / width)])

    weights = np.linalg.lstsq(design(x), y, rcond=None)[0]
    error = ((design(GRID) @ weights - np.sin(2 * np.pi * GRID)) ** 2).mean()
    assert number("true error is", figure.alt) == pytest.approx(error, abs=5.1e-5)
    assert number("weight is", figure.alt) == pytest.approx(np.abs(weights[1:]).max(), rel=0.0051)
    picture = figure.picture
    assert picture.sum.get_ydata() == pytest.approx((design(GRID) * weights)[:, : step + 1].sum(axis=1), abs=1e-6)
    for number_, bump in enumerate(picture.bumps):
        assert bump.get_visible() == (number_ < step)
        if bump.get_visible():
            assert bump.get_ydata() == pytest.approx((design(GRID) * weights)[:, number_ + 1], abs=1e-6)
    placed(picture.centres, middles[:step], np.full(step, -2.4))
    bars = [bar for bar in picture.bars if bar.get_visible()]
    assert [bar.get_height() for bar in bars] == pytest.approx(weights[: step + 1], rel=1e-6)
    assert {round(bar.get_width(), 9) for bar in bars} == {0.8}


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
    picture, kinds = figure.picture, list(dict.fromkeys(base.answers))
    shares = {kind: votes.get(kind, 0) / sum(votes.values()) for kind in kinds}
    assert [bar.get_width() for bar in picture.votes] == pytest.approx(list(shares.values()))
    assert {round(bar.get_height(), 9) for bar in picture.votes} == {0.42}
    # The bars of an attribute are one path: from what came before it to what it adds
    parts = np.array(rows, dtype=float) * weights / weights.sum()
    for column, bars in enumerate(picture.bars):
        left, wide = parts[:, :column].sum(axis=1), parts[:, column]
        corners = bars.get_path().vertices.reshape(-1, 5, 2)
        assert corners[:, 0, 0] == pytest.approx(left[wide > 0], abs=1e-9)
        assert corners[:, 1, 0] == pytest.approx((left + wide)[wide > 0], abs=1e-9)
    ranks = [f"{each:.2f} " for each in similarity]
    for place, row in enumerate(order):
        ranks[row] += "①②③④⑤⑥⑦⑧⑨"[place]
    names = [f"{kind} {100 * share:.0f}%" for kind, share in shares.items()]
    said = written(picture.new, ["new: " + ", ".join(map(str, new))])
    return said + written(picture.ranks, ranks) + written(picture.names, names)
