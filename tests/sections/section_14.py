"""Section 14: what must hold of its figures, and its numbers computed once more, by plain sorting."""

import math
import re

import numpy as np
import pytest

from bayeslib.live.neighbors import NINE, NS, ROW, STRAY, THIRTY, USELESS, _hill, _line, _noisy, _tree, _useless_rows
from tests.figures import EXPLAINED, number

POINTS = [
    NINE,
    STRAY,
    ROW,
    [*THIRTY, *([[0.3, 0.3, 0], [0.3, 0.3, 1]] * 5)],
    [[0.5, 0.5, 0]],
    [[0.0, 0.0, 0], [1.5, 1.0, 1]],
    [[0.2, 0.2, 1], [0.2, 0.2, 0], [0.9, 0.9, 0]],
    THIRTY,
]
SETTINGS = {
    "drag_cells": {
        "points": POINTS,
        "chosen": [0, 3, 8, 39],
        "query": [[0.0, 0.0], [0.8, 0.5], [1.5, 1.0], [0.3, 0.3], [1.1, 0.52]],
    },
    "search_tree": {"query": [[0.56, 0.62], [0.01, 0.01], [1.49, 0.99], [0.56, 0.28], [0.75, 0.02], [1.2, 0.4]]},
}


def nearest(rows, query, k):
    """The k nearest rows by a plain sort; of equally distant ones the earlier."""
    return sorted(range(len(rows)), key=lambda i: (math.dist(rows[i], query), i))[:k]


def limit(p, k):
    """P(a label differs from the vote of k others with the same p), toss by toss."""
    ones = sum(math.comb(k, j) * p**j * (1 - p) ** (k - j) for j in range(k // 2 + 1, k + 1))
    return p * (1 - ones) + (1 - p) * ones


NUMBERS = {"14/coin": 100 * limit(0.8, 1), "14/endless": 100 * limit(0.9, 1)}
WRONG_NUMBERS = {
    "14/coin": {"more-data-cures": 20, "bound-for-value": 40},
    "14/endless": {"more-data-cures": 10, "bound-for-value": 20},
}


def holds_drag_cells(figure):
    points, chosen, query, k = (figure.values[name] for name in ("points", "chosen", "query", "k"))
    if k > len(points):
        assert figure.alt.startswith(f"{EXPLAINED}k must be at most the number of rows of X, {len(points)}, got {k}")
        return
    places, classes = np.array(points)[:, :2], np.array(points)[:, 2].astype(int)
    asked = nearest(places.tolist(), query, k)
    triangles = int(classes[asked].sum())
    assert number("nearest points?:", figure.alt) == k - triangles
    assert figure.alt.endswith(f"so {'triangle' if 2 * triangles > k else 'circle'}.")
    x, y = np.meshgrid((np.arange(45) + 0.5) / 30, (np.arange(30) + 0.5) / 30)
    away = np.hypot(x.reshape(-1, 1) - places[:, 0], y.reshape(-1, 1) - places[:, 1])
    votes = classes[np.argsort(away, axis=1, kind="stable")[:, :k]].sum(axis=1)
    share = number("triangles", figure.alt) / 100
    assert share == pytest.approx((2 * votes > k).mean(), abs=0.03)
    plane, bars = figure.figure.axes
    widths = [bar.get_width() / 0.74 for bar in bars.patches]
    assert sum(widths) == pytest.approx(1) and widths[1] == pytest.approx(share, abs=6e-4)
    segments = plane.collections[2].get_segments()
    assert [segment[1].tolist() for segment in segments] == places[asked].tolist()
    chosen = min(chosen, len(points) - 1)
    assert f"Point {chosen + 1}, a {['circle', 'triangle'][classes[chosen]]}" in figure.alt
    cells = [path.vertices for path in plane.collections[0].get_paths()]
    assert len(cells) == (len(np.unique(places, axis=0)) if k == 1 else 0)
    if k == 1:
        mine = (away.argmin(axis=1) == chosen).mean()
        assert number("cell of", figure.alt.replace("%", " ")) / 100 == pytest.approx(mine, abs=0.02)


def holds_k_regions(figure):
    k, noise, sample = (figure.values[name] for name in ("k", "noise", "sample"))
    curves = {line.get_label(): line for line in figure.figure.axes[1].lines}
    at = list(curves["true"].get_xdata()).index(k)
    for name, words in (("training", "training error"), ("leave-one-out", "leave-one-out"), ("true", "true")):
        assert number(words, figure.alt) == pytest.approx(curves[name].get_ydata()[at], abs=0.0051)
    assert (curves["true"].get_ydata() >= noise / 100 - 1e-9).all(), "nothing beats the best possible"
    if k == 1:
        assert number("training error", figure.alt) == 0, "everybody is their own nearest neighbour"
    labels = _noisy(sample, noise)[0]
    drawn = [line.get_xdata().size for line in figure.figure.axes[0].lines[-2:]]
    assert drawn == [int((labels == each).sum()) for each in (0, 1)]


def holds_coin_limit(figure):
    n, p = figure.values["n"], figure.values["p"] / 100
    assert number(r"2p\(1−p\) =", figure.alt) == pytest.approx(limit(p, 1), abs=5.1e-5)
    assert number("25-NN with", figure.alt) == pytest.approx(limit(p, 25), abs=5.1e-5)
    bands, curves = figure.figure.axes
    for k, line in zip((1, 3, 9, 25), curves.lines):
        error = line.get_ydata()[NS.index(n)]
        if k > n:
            assert np.isnan(error) and f"{k}-NN 0" not in figure.alt.split(".")[0]
            continue
        assert number(f"{k}-NN", figure.alt) == pytest.approx(error, abs=5.1e-4)
        assert 1 - p - 1e-9 <= error <= 0.5 + 1e-9, "between the best possible and a coin"
        assert line.get_ydata()[-1] == pytest.approx(limit(p, k), abs=0.012), "3000 points are near the limit"
    x, chance, _ = _line(n)
    labels = chance < np.where(x < 0.5, 1 - p, p)
    shown = bands.images[3].get_array()  # 1-NN
    for pixel in (3, 150, 296):
        own = labels[np.abs(x - (pixel + 0.5) / 300).argmin()]
        assert (shown[:, pixel, 2] > shown[:, pixel, 0]).all() == own, "blue answers 1"


def holds_height_unit(figure):
    unit, height, weight, people = (figure.values[name] for name in ("unit", "height", "weight", "people"))
    far = [math.hypot(unit * (height / 100 - h), weight - w) for h, w in ((1.60, 70), (1.88, 76))]
    assert number("A is", figure.alt) == pytest.approx(far[0], rel=6e-4)
    assert number("away, B", figure.alt) == pytest.approx(far[1], rel=6e-4)
    share = (unit * (height / 100 - 1.6)) ** 2 / far[0] ** 2 if far[0] else 0
    assert number("height makes", figure.alt.replace("%", " ")) == pytest.approx(100 * share, abs=0.051)
    if people == 2 and abs(far[0] - far[1]) > 1e-9:
        assert figure.alt.endswith(f"The nearest of 2 is {'AB'[int(far[1] < far[0])]}.")
    bars = [bar.get_width() for bar in figure.figure.axes[1].patches]
    assert (bars[0] + bars[2]) / (bars[1] + bars[3]) == pytest.approx((far[0] / far[1]) ** 2 if far[1] else math.inf)


def holds_useless_columns(figure):
    columns, k, n, query = (figure.values[name] for name in ("columns", "k", "n", "query"))
    rows, _, rest = _useless_rows(n)
    asked = nearest(rows[:, : columns + 1].tolist(), [query / 100, *rest[:columns]], k)
    drawn = figure.figure.axes[0].lines[-1].get_xdata()
    assert sorted(drawn) == pytest.approx(sorted(rows[asked, 0]))
    assert number("lie", figure.alt) == pytest.approx(np.abs(rows[asked, 0] - query / 100).mean(), abs=5.1e-4)
    says = "triangle" if 2 * (rows[asked, 0] > 0.5).sum() > k else "circle"
    assert f"on average and say {says}." in figure.alt
    curve = figure.figure.axes[1].lines[1 + (k == 7)].get_ydata()
    assert number("error", figure.alt) == pytest.approx(curve[USELESS.index(columns)], abs=5.1e-4)
    assert (np.diff(curve) > 0).all() and curve[0] < 0.02 and curve[-1] > 0.2, "each column makes it worse"


def holds_search_tree(figure):
    points, query, step = (figure.values[name] for name in ("points", "query", "step"))
    places = _tree(points)[0]
    bars = figure.figure.axes[1].patches
    counts = [round(bar.get_width() * points) for bar in bars]
    assert sum(counts) == points
    if not step:
        assert counts == [0, 0, points] and "Nothing is measured yet" in figure.alt
        return
    found = re.search(r"(\d+) measured, (\d+) skipped", figure.alt)
    assert [int(each) for each in found.groups()] == counts[:2] and counts[0] > 0
    if step == figure.controls["step"].max:
        assert counts[2] == 0
        assert number("The nearest is point", figure.alt) == nearest(places.tolist(), query, 1)[0] + 1


def holds_mean_of_neighbours(figure):
    k, query, weights = (figure.values[name] for name in ("k", "query", "weights"))
    x, y = _hill()
    query /= 10
    asked = nearest([[each] for each in x], [query], k)
    away = np.abs(x[asked] - query)
    if weights == "uniform":
        weight = np.ones(k)
    else:
        weight = (away == 0).astype(float) if (away == 0).any() else 1 / away
    answer = weight @ y[asked] / weight.sum()
    assert number(r"(?:mean|by 1/d) is", figure.alt) == pytest.approx(answer, abs=5.1e-4)
    assert figure.figure.axes[0].lines[-1].get_ydata()[0] == pytest.approx(answer)
    if k < 25:
        left_out = []
        for row in range(25):
            others = np.delete(np.arange(25), row)
            near = others[nearest([[each] for each in x[others]], [x[row]], k)]
            weight = np.ones(k) if weights == "uniform" else 1 / np.abs(x[near] - x[row])
            left_out.append((weight @ y[near] / weight.sum() - y[row]) ** 2)
        assert number("squared error:", figure.alt) == pytest.approx(np.mean(left_out), abs=5.1e-4)
