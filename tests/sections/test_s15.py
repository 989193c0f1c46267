"""Section 15: what must hold of its figures, and its numbers computed once more, query by query."""

import re
from functools import cache

import nbformat
import numpy as np
import pytest

import bayeslib as bl
from bayeslib import live
from bayeslib.data import load_helmets
from bayeslib.live.local_models import BIAS_H, BIKES, FEVER, GRID, HELMET_H, REPAIRS, WAVE_H
from bayeslib.models import local
from bayeslib.questions.question import Question
from tests.figures import number, placed, places, written
from tests.lab import ROOT

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
    "bias_variance": {"h": [0.02, 0.05, 0.11, 0.2, 0.5, 1.0]},
    "helmet": {"query": [-5.0, 8.0, 20.0, 33.5, 57.5, 65.0, 70.0]},
    "own_curve": {
        "text": [FEVER, "a, b\n1, 2\n2, 2\n3, 2\n4, 2\n9, 2", "x;y\n0;1\n1;-3\n2;5\n3;1\n4;0\n4;9", "only words"]
    },
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
    assert curve.min() >= 2 - 1e-9 and curve.max() <= 9 + 1e-9, "an average stays within the range of its values"
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
    numbers = [f"{share:.2f}" for share in shares]
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
    picture = figure.picture

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


@cache
def smoother(h, degree):
    """(the sixty places, what each y counts at every place of GRID): answers to data sets with a single 1, column by column."""
    x = local.wave_sample()[0]
    apart = (GRID[:, None] - x) ** 2
    weights = np.exp(-(apart - apart.min(axis=1, keepdims=True)) / (2 * h**2))
    root = np.sqrt(weights)
    if degree == 0:
        return x, weights / weights.sum(axis=1, keepdims=True)
    found = [np.linalg.pinv(np.stack([r, r * (x - q)], axis=1))[0] * r for r, q in zip(root, GRID)]
    return x, np.array(found)


def holds_bias_variance(figure):
    h, seed, degree = (figure.values[name] for name in ("h", "seed", "degree"))
    picture, truth = figure.picture, np.sin(2 * np.pi * GRID)
    x, shares = smoother(h, degree)
    wave = np.sin(2 * np.pi * x)
    sets = wave + np.random.default_rng(seed).normal(0, 0.3, (20, 60))
    drawn = picture.curves.get_ydata().reshape(20, -1)
    assert np.isnan(drawn[:, -1]).all() and drawn[:, :-1] == pytest.approx(sets @ shares.T, abs=1e-6)
    assert picture.curves.get_xdata().reshape(20, -1)[:, :-1] == pytest.approx(np.tile(GRID, (20, 1)))
    assert picture.mean.get_ydata() == pytest.approx(shares @ wave, abs=1e-6)
    wanted = {"bias²": ((shares @ wave - truth) ** 2).mean(), "variance": 0.09 * (shares**2).sum(axis=1).mean()}
    wanted["sum"] = sum(wanted.values())
    at, lines = BIAS_H.index(h), {name: line.get_ydata() for name, line in picture.lines.items()}
    assert set(picture.rule.get_xdata()) == {h}
    assert picture.truth.get_ydata() == pytest.approx(truth)
    for name, value in wanted.items():
        assert picture.lines[name].get_xdata() == pytest.approx(BIAS_H) and lines[name][at] == pytest.approx(
            value, rel=1e-5
        )
        assert np.ravel(picture.marks[name].get_data()) == pytest.approx([h, value], rel=1e-5)
        assert number("=" if name == "sum" else name, figure.alt.partition(": ")[2]) == pytest.approx(value, abs=5.1e-5)
    assert lines["sum"] == pytest.approx(lines["bias²"] + lines["variance"])
    assert (np.diff(lines["bias²"]) > 0).all() and (np.diff(lines["variance"]) < 0).all(), (
        "wider: more bias, less variance"
    )
    least = int(np.argmin(lines["sum"]))
    assert places(picture.best) == [(BIAS_H[least], lines["sum"][least])]
    assert number("least sum is", figure.alt) == pytest.approx(lines["sum"][least], abs=5.1e-5)


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
    for name, values_ in errors.items():
        best = np.nanargmin(values_)
        assert places(picture.least[name]) == [(WAVE_H[best], values_[best])]
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
    squared = (x - query) ** 2
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
    assert dead or places(picture.query) == [(query, pytest.approx(answer))]
    assert set(picture.rule.get_xdata()) == {query} and picture.rule.get_ydata() == pytest.approx([0.6, 3.4])
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
    assert picture.hole.get_xdata()[::3] == pytest.approx(at[gone])
    assert set(picture.hole.get_ydata()[::3]) <= {0.6} and set(picture.hole.get_ydata()[1::3]) <= {3.4}
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
    low, high = figure.figure.axes[0].get_ylim()
    assert low == -high and high >= np.abs((design(GRID) * weights)[:, 1:]).max(), "no bump leaves the picture"
    placed(picture.centres, middles[:step], np.full(step, low))
    ticks = [text.get_text() for text in figure.figure.axes[1].get_xticklabels()]
    assert ticks == ["$w_0$", "1", str((centres + 1) // 2), str(centres)]
    bars = [bar for bar in picture.bars if bar.get_visible()]
    assert [bar.get_height() for bar in bars] == pytest.approx(weights[: step + 1], rel=1e-6)
    assert {round(bar.get_width(), 9) for bar in bars} == {0.8}


def holds_case_based(figure):
    weights = np.array([figure.values[name] for name in ("noise", "when", "weather", "age")], dtype=float)
    if weights.sum() == 0:
        assert "attribute of weight above 0" in figure.alt
        return
    new, kinds = BIKES[figure.values["bike"]], [part for *_, part in REPAIRS]
    alike = {
        frozenset(("squeal", "squeak")): 0.8,
        frozenset(("squeak", "grind")): 0.3,
        frozenset(("grind", "click")): 0.4,
    }
    rows = []
    for noise, when, weather, age, _ in REPAIRS:
        same = 1.0 if noise == new[0] else alike.get(frozenset((noise, new[0])), 0)
        rows.append([same, when == new[1], weather == new[2], 1 - abs(age - new[3]) / 9])
    similarity = np.array(rows, dtype=float) @ weights / weights.sum()
    assert number("similarity", figure.alt) == pytest.approx(similarity.max(), abs=0.0051)
    order = np.argsort(-similarity.round(12), kind="stable")[: figure.values["k"]]
    answers = dict.fromkeys(kinds[n] for n in order)
    votes = {answer: sum(similarity[n] for n in order if kinds[n] == answer) for answer in answers}
    best = max(votes, key=lambda answer: round(votes[answer], 12))
    assert f"{'says' if len(order) > 1 else 'alone says'} {best}, with" in figure.alt
    share = votes[best] / sum(votes.values())
    assert number(f"{best}, with", figure.alt) == pytest.approx(100 * share, abs=0.51)
    picture = figure.picture
    shares = {kind: votes.get(kind, 0) / sum(votes.values()) for kind in dict.fromkeys(kinds)}
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


def gaussian_fit(x, y, query, h, degree):
    """The answer at one query: rows √w about the heaviest point, in units of h, so that far out no digits are lost."""
    squared = (x - query) ** 2
    root = np.exp(-(squared - squared.min()) / (4 * h**2))
    middle = x[squared.argmin()]
    design = ((x - middle) / h)[:, None] ** np.arange(degree + 1)
    size = np.sqrt(((root[:, None] * design) ** 2).sum(axis=0))
    beta, _, rank, _ = np.linalg.lstsq(root[:, None] * design / size, root * y, rcond=1e-13)
    return beta / size @ ((query - middle) / h) ** np.arange(degree + 1) if rank == degree + 1 else np.nan


@cache
def left_out(x, y, h, degree):
    """(root mean square on the points, left-out residuals), a fit at a time."""
    x, y = np.array(x), np.array(y)
    residuals = [gaussian_fit(np.delete(x, i), np.delete(y, i), x[i], h, degree) - y[i] for i in range(len(x))]
    training = [gaussian_fit(x, y, q, h, degree) - t for q, t in zip(x, y)]
    return np.sqrt(np.mean(np.square(training))), np.array(residuals)


def check_local_curve(picture, x, y, h, degree, bandwidths, width):
    """What the helmet and the reader's own points share: dots, curve, band, grey stretches and errors; the left-out error."""
    assert places(picture.dots) == sorted(zip(x, y))
    at, curve = picture.curve.get_data()
    for place in (0, 40, len(at) // 2, len(at) - 1):
        wanted = gaussian_fit(x, y, at[place], h, degree)
        assert curve[place] == pytest.approx(wanted, rel=5e-3, abs=1e-3, nan_ok=True)
    training, residuals = left_out(tuple(x), tuple(y), h, degree)
    missed = np.sqrt(np.mean(residuals**2))
    for name, value in (("training", training), ("left out", missed)):
        line, mark = picture.lines[name], picture.marks[name]
        assert line.get_xdata() == pytest.approx(bandwidths)
        drawn = line.get_ydata()[bandwidths.index(h)]
        assert drawn == pytest.approx(value, rel=3e-3, abs=5e-3) or np.isnan(value)
        assert np.ravel(mark.get_data()) == pytest.approx([h, drawn])
    assert set(picture.rule.get_xdata()) == {h}
    errors = picture.lines["left out"].get_ydata()
    assert places(picture.best) == [(bandwidths[np.argmin(errors)], min(errors))]
    inside = (at >= x.min()) & (at <= x.max())
    apart = (at[inside][:, None] - x) ** 2
    near = np.exp(-(apart - apart.min(axis=1, keepdims=True)) / (2 * width**2))
    half = np.sqrt(near @ residuals**2 / near.sum(axis=1))
    band, count, close = picture.band.get_path().vertices, inside.sum(), {"rel": 5e-3, "abs": 5e-3}
    upper, lower = (np.stack([at[inside], curve[inside] + side * half], axis=1) for side in (1, -1))
    assert np.isnan(half).any() or band[:count] == pytest.approx(upper, **close)
    assert np.isnan(half).any() or band[count : 2 * count][::-1] == pytest.approx(lower, **close)
    lonely = np.abs(at[:, None] - x).min(axis=1) > h
    corners = picture.far.get_path().vertices
    covered = np.zeros(len(at), dtype=bool)
    low, high = picture.plane.get_ylim()
    for a, _, b, _, _ in corners.reshape(-1, 5, 2) if len(corners) > 1 else ():
        covered |= (at >= a[0]) & (at <= b[0])
        assert (a[1], b[1]) == pytest.approx((low, high))
    assert (covered == lonely).all(), "grey is what has no point within h"
    return training, missed


def holds_helmet(figure):
    h, query, stop, degree = (figure.values[name] for name in ("h", "query", "stop", "degree"))
    table, picture = load_helmets(), figure.picture
    ms, g = table["ms"].to_numpy(), table["g"].to_numpy()
    seen = ms < stop
    x, y = ms[seen], g[seen]
    training, missed = check_local_curve(picture, x, y, h, degree, HELMET_H, 3.0)
    assert picture.later.get_xdata() == pytest.approx(ms[~seen]) and picture.later.get_ydata() == pytest.approx(
        g[~seen]
    )
    answer = gaussian_fit(x, y, query, h, degree)
    close = {"rel": 5e-3, "abs": 0.11}  # far outside a fit hangs on differences of tiny weights
    at, fit = picture.fit.get_data()
    if np.isnan(answer):
        assert "too few points have weight" in figure.alt and len(at) == 0
    else:
        assert number("it says", figure.alt) == pytest.approx(answer, **close)
        assert places(picture.query) == [(query, pytest.approx(np.clip(answer, -150, 120), **close))]
        assert fit[15] == pytest.approx(answer, **close)
        assert (at[0], at[-1]) == pytest.approx((query - 2.5 * h, query + 2.5 * h))
        bent = np.diff(fit, degree + 1)
        assert np.abs(bent).max() <= 1e-6 * max(1, np.abs(fit).max()), "a fit of this degree"
    assert number("training error", figure.alt) == pytest.approx(training, abs=0.0051)
    assert number("left-out error", figure.alt) == pytest.approx(missed, abs=0.0051)
    outside = max(x.min() - query, query - x.max())
    assert ("outside the data" in figure.alt) == (outside > 0)
    if outside > 0:
        assert number(r"At [−\d.]+ ms,", figure.alt) == pytest.approx(outside, abs=0.051)
    else:
        residuals = left_out(tuple(x), tuple(y), h, degree)[1]
        near = SHAPES["gaussian"]((query - x) / 3)
        wanted = np.sqrt(near @ residuals**2 / near.sum())
        assert number("answers miss by", figure.alt) == pytest.approx(wanted, abs=0.051)
    if not seen.all():
        later = np.array([gaussian_fit(x, y, q, h, degree) for q in ms[~seen]]) - g[~seen]
        if np.isnan(later).any():
            assert "For some of" in figure.alt
        else:
            assert number("after the stop by", figure.alt) == pytest.approx(np.sqrt(np.mean(later**2)), **close)
        assert number("misses them by", figure.alt) == pytest.approx(np.sqrt(np.mean(g[~seen] ** 2)), abs=0.051)
        assert f"the {(~seen).sum()} rows after" in figure.alt
    assert f"{len(x)} rows" in figure.alt


def holds_own_curve(figure):
    text, times, degree = (figure.values[name] for name in ("text", "times", "degree"))
    lines = [line.replace(";", ",").split(",") for line in text.splitlines()]
    if len(lines) < 2:
        assert "at least one row" in figure.alt
        return
    x, y = np.array([[float(a), float(b)] for a, b in lines[1:]]).T
    every = [float(f"{(x.max() - x.min()) * 0.02 ** (1 - step / 12):.3g}") for step in range(13)]
    line = figure.picture.lines["left out"]
    tried, drawn = list(line.get_xdata()), np.array(line.get_ydata())
    assert tried == every[-len(tried) :], "only the narrowest leave a point unanswered"
    errors = np.array([np.sqrt(np.mean(left_out(tuple(x), tuple(y), h, degree)[1] ** 2)) for h in every])
    errors = errors[-len(tried) :]
    known = ~np.isnan(errors)
    assert drawn[known] == pytest.approx(errors[known], rel=3e-3, abs=5e-3)
    best = tried[int(np.argmin(drawn))]
    h = tried[int(np.argmin(np.abs(np.log(np.array(tried) / (best * times)))))]
    training, missed = check_local_curve(figure.picture, x, y, h, degree, tried, h)
    assert number("likes h =", figure.alt) == pytest.approx(best) and number(
        "shown is h =", figure.alt
    ) == pytest.approx(h)
    assert number("training error", figure.alt) == pytest.approx(training, rel=0.0051, abs=5e-3)
    assert np.isnan(missed) or number("left-out error", figure.alt) == pytest.approx(missed, rel=0.0081, abs=5e-3)
    end = x.max() + 0.1 * (x.max() - x.min())
    assert number("picture,", figure.alt) == pytest.approx(end, rel=0.00051)
    assert number("curve says", figure.alt) == pytest.approx(gaussian_fit(x, y, end, h, degree), rel=0.0021, abs=1e-3)


# Numbers that the lesson and its questions mention

TEXT = (ROOT / "bayeslib/sections/s15_local_models/questions.toml").read_text()
NOTEBOOK = nbformat.read(ROOT / "notebooks/15-local-models.ipynb", 4)
LESSON = "\n".join(cell.source for cell in NOTEBOOK.cells)


@pytest.mark.parametrize(
    "make, settings, captions, typed",
    [
        (
            live.distance_weights,
            {"query": 100.0},
            ["weighted mean 4.681", "mean of all five is 4.6;"],
            ["near the mean 4.6"],
        ),
        (live.edge, {"query": 0.0}, ["average 1.30, line 0.00"], ["pull the average up to 1.30"]),
        (live.edge, {"query": 10.0}, ["average 8.70"], []),
        (
            live.edge,
            {"data": "valley"},
            ["average 3.81, line 3.81, quadratic 0.00"],
            ["says 3.81", "A quadratic says 0.00"],
        ),
        (live.bias_variance, {}, ["bias² 0.0052 + variance 0.0093"], ["bias² 0.0052 and variance 0.0093"]),
        (
            live.bias_variance,
            {"h": 0.2},
            ["bias² 0.1080 + variance 0.0028", "least sum is 0.0143"],
            ["0.0028 and bias² 0.1080"],
        ),
        (
            live.bandwidth_errors,
            {"h": 0.05},
            ["0.0890", "0.1215", "0.0029"],
            ["It is 0.1215", "0.089", "true error 0.003"],
        ),
        (live.kernel_shapes, {"h": 0.13, "kernel": "box"}, ["error is 0.0095"], ["It is 0.0095", "less than a fifth"]),
        (
            live.kernel_shapes,
            {},
            ["0.0081 at h = 0.071", "0.0083 at h = 0.14"],
            ["the other three have 0.0082 or 0.0083"],
        ),
        (
            live.kernel_shapes,
            {},
            ["tricube 0.0082 at h = 0.18", "triangle 0.0082", "box 0.0095 at h = 0.13"],
            ["from 0.071 for the Gaussian to 0.18 for the tricube; for the box it is 0.13"],
        ),
        (live.gap, {"h": 0.005}, ["e^−800", "0/0: every weight is 0"], ["e to the power −800"]),
        (live.gap, {"h": 0.005, "way": "logs"}, ["the average is 1.000"], ["the answer is 1."]),
        (live.rbf_bumps, {}, ["error is 0.0133", "weight is 1.43"], ["true error 0.0133", "1.43"]),
        (
            live.rbf_bumps,
            {"width": 0.3},
            ["error is 0.0130", "weight is 33."],
            ["true error of 0.0130", "largest is 33 now"],
        ),
        (live.case_based, {}, ["says spoke"], ["three most similar cases say spoke"]),
        (
            live.case_based,
            {"noise": 10, "when": 1, "weather": 0, "age": 1},
            ["says brake pads, with 71%"],
            ["brake pads have 71%"],
        ),
        (
            live.helmet,
            {"query": 65.0},
            ["7.4 ms outside", "says 47.2 g", "error 23.69 g"],
            ["7.4 ms after", "24.4, 23.7"],
        ),
        (live.helmet, {"query": 65.0, "degree": 0, "h": 0.9}, ["says 10.7 g", "error 24.41 g"], ["11, 47 and 108 g"]),
        (live.helmet, {"query": 65.0, "degree": 2, "h": 2.6}, ["says 107.9 g", "error 23.42 g"], ["and 23.4 g"]),
    ],
)
def test_numbers_in_the_questions_are_those_of_the_figures(make, settings, captions, typed):
    figure = make()
    figure.set(**settings)
    assert all(number in figure.alt for number in captions), figure.alt
    assert all(number in TEXT for number in typed)


def test_the_share_of_the_nearest_point_from_far_away():
    figure = live.distance_weights()
    figure.preset("far away")
    assert f"{figure.figure.axes[1].patches[4].get_height():.2f}" == "0.21" and "0.21 of the weight" in TEXT
    assert 33.03 / 1.43 > 20 and "more than twenty times as large" in TEXT


def helmets(degree, h, rows):
    table = bl.data.load_helmets()
    x, y = table["ms"].to_numpy(), table["g"].to_numpy()
    return bl.LocallyWeightedRegression(bandwidth=h, degree=degree).fit(x[rows(x)], y[rows(x)]), x, y


def root(errors):
    return np.sqrt(np.mean(np.square(errors)))


def test_numbers_of_the_helmets():
    later = {}
    for degree, h in ((0, 0.9), (1, 1.5), (2, 2.6)):
        model, x, y = helmets(degree, h, lambda x: x < 50)
        later[degree] = f"{root(model.predict(x[x >= 50]) - y[x >= 50]):.1f} g"
        whole = []
        for time in x:
            without = helmets(degree, h, lambda x, time=time: x != time)[0]
            whole.append(without.predict([time])[0])
        assert f"{root(np.array(whole) - y):.1f}" in "24.8, 23.9 and 23.6 g"
    assert list(later.values()) == ["17.6 g", "27.1 g", "221.3 g"]
    assert "17.6 g (average), 27.1 g (line) and 221.3 g (quadratic), and by 9.1 g" in LESSON
    assert f"{root(y[x >= 50]):.1f}" == "9.1" and (x >= 50).sum() == 7
    at, often = np.unique(x, return_counts=True)
    assert often.max() == 6 and len(set(y[x == at[often.argmax()]])) > 1 and "occur up to six times" in LESSON
    at = np.linspace(15, 28, 200)
    deepest = [helmets(1, h, lambda x: x < 60)[0].predict(at).min() for h in (1.5, 5)]
    assert [f"{each:.0f}" for each in deepest] == ["-110", "-63"] and "−63 g in place of −110" in LESSON


def test_numbers_in_the_prose_are_printed_by_a_cell_or_a_figure():
    """Each is computed elsewhere in the tests; here the lesson must not say another one."""
    for typed in (
        "4.68, near the plain mean 4.6",
        "1.30. In the middle",
        "3.81, the same as the average",
        "falls from 0.0093 to 0.0028, and bias² grows from 0.0052 to 0.1080",
        "0.0095 against 0.0081",
        "0.071 for the Gaussian, 0.18 for the tricube",
        "grows from 1.43 to 33",
        "at 0.02 the bumps leave gaps, and the true error is 0.4404",
        "71% of the summed similarity",
    ):
        assert typed in LESSON, typed
    outputs = str(NOTEBOOK)
    for digits in "8.824 1.849 7.23 3.946 3.500 0.882 0.0092 0.0027 0.0081 0.1182 24.4 23.7 23.4".split():
        assert digits in LESSON or digits in TEXT or digits in ("3.946", "3.500", "0.1182"), digits
        assert digits.strip() in outputs, digits


def test_what_leave_one_out_chooses_and_what_it_costs():
    figure = live.bandwidth_errors()
    assert "least leave-one-out 0.1182 at h = 0.032, least true 0.0027 at h = 0.056" in figure.alt
    figure.set(h=0.032)
    assert "true 0.0092" in figure.alt and "0.099 against 0.093" in LESSON
    figure.set(degree=1, h=0.063)
    assert "least true 0.0081" in figure.alt
    figure = live.bias_variance()
    figure.set(degree=1)
    assert "least sum is 0.0117" in figure.alt and "0.0143 for the average and 0.0117 for the line" in LESSON


def test_half_of_the_gain_of_the_line_is_at_the_two_ends():
    """Bias² + variance at the best bandwidths, near the ends and between them."""
    x, y = local.wave_sample()
    grid = np.linspace(0, 1, 201)
    expected = []
    for degree, h in ((0, 0.045), (1, 0.06)):
        shares = bl.LocallyWeightedRegression(bandwidth=h, degree=degree).fit(x, y).shares(grid)
        expected.append((shares @ local.wave(x) - local.wave(grid)) ** 2 + 0.09 * (shares**2).sum(axis=1))
    average, line = expected
    ends = (grid < 0.1) | (grid > 0.9)
    gain = average - line
    assert 0.4 < gain[ends].sum() / gain.sum() < 0.6 and "about half of the gain comes from the outer tenths" in LESSON


def test_the_sums_solved_by_hand():
    (a, b), (c, d) = (1.579, -1.362), (-1.362, 3.416)
    found = np.linalg.solve([[a, b], [c, d]], [11.415, -5.700])
    assert found == pytest.approx([8.824, 1.849], abs=0.01)
    assert f"{11.415 / 1.579:.2f}" == "7.23" and "says 7.23." in LESSON
    assert re.search(r"a = 8.824\$ and \$b = 1.849", LESSON)


def test_far_out_the_local_line_is_nearly_that_of_the_last_two_points():
    """Beyond the data each query has its own line; there the last two points outweigh all others, for a quadratic the last three."""
    x, y = local.FIVE_X, local.FIVE_Y
    far = np.array([30.0, 40.0])
    for degree, text in ((1, "nearly the line through the last two"), (2, "the quadratic with their bend")):
        model = bl.LocallyWeightedRegression("gaussian", bandwidth=1.5, degree=degree).fit(x, y)
        through = np.polyfit(x[-degree - 1 :], y[-degree - 1 :], degree)
        assert model.predict(far) == pytest.approx(np.polyval(through, far), rel=0.01) and text in LESSON


def test_a_round_guess_along_the_trend_is_told_what_it_expects():
    verdict, said = Question("15/far-query").judge(100)
    assert verdict == "wrong" and "least squares line" in said[0]
