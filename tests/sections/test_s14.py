"""Section 14: what must hold of its figures, and its numbers computed once more, by plain sorting."""

import math
import re
from math import comb

import nbformat
import numpy as np
import pytest
from sklearn.datasets import load_digits

from bayeslib import KNeighborsClassifier, live
from bayeslib.live.nearest_neighbours import (
    COIN_KS,
    MOVES,
    NINE,
    NS,
    PEOPLE,
    PEOPLE_TABLE,
    ROW,
    STRAY,
    THIRTY,
    USELESS,
    WRONG,
    _coin_curves,
    _hill,
    _line,
    _noisy,
    _sample,
    _tree,
    _useless_errors,
    _useless_rows,
)
from bayeslib.models.neighbors import kd_search, kd_tree, voronoi_cells
from bayeslib.questions.question import Question
from bayeslib.sections.s14_nearest_neighbours import tasks
from tests.figures import EXPLAINED, number, placed, places, written
from tests.lab import ROOT

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
    "read_digit": {
        "ink": [None, [0] * 64, [16] * 64, [0] * 27 + [16] + [0] * 36, list(range(16)) * 4],
        "pen": [[3, 3], [0, 0], [7, 7], [0, 7]],
    },
    "which_columns": {
        "text": [
            PEOPLE_TABLE,
            "a, b, c\n1, 2, x\n2, 2, y",
            "a; b; kind\n" + "\n".join(f"{i}; {i * i % 7}; {'xyz'[i % 3]}" for i in range(40)),
            ",".join(f"column{i}" for i in range(9))
            + "\n"
            + "\n".join("1,2,3,4,5,6,7,8,u\n8,7,6,5,4,3,2,1,v" for _ in range(6)),
            "a, kind\n1, x\n2, y",
            "a, b, kind\n1, 2, x\n2, 3, x",
            "a, b, kind\n1, two, x\n2, 3, y",
            "",
        ]
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


def check_points(lines, rows, classes):
    """The markers of each class stand at its rows."""
    for label, line in enumerate(lines):
        assert places(line) == sorted(
            tuple(row) for row, each in zip(np.asarray(rows).tolist(), classes) if each == label
        )


def holds_drag_cells(figure):
    points, chosen, query, k = (figure.values[name] for name in ("points", "chosen", "query", "k"))
    if k > len(points):
        assert figure.alt.startswith(f"{EXPLAINED}") and str(len(points)) in figure.alt and str(k) in figure.alt
        return
    picture, rows, classes = figure.picture, np.array(points)[:, :2], np.array(points)[:, 2].astype(int)
    asked = nearest(rows.tolist(), query, k)
    triangles = int(classes[asked].sum())
    assert number("nearest points?:", figure.alt) == k - triangles
    answer = "triangle" if 2 * triangles > k else "circle"
    assert figure.alt.endswith(f"so {answer}.")
    x, y = np.meshgrid((np.arange(45) + 0.5) / 30, (np.arange(30) + 0.5) / 30)
    away = np.hypot(x.reshape(-1, 1) - rows[:, 0], y.reshape(-1, 1) - rows[:, 1])
    votes = classes[np.argsort(away, axis=1, kind="stable")[:, :k]].sum(axis=1)
    share = number("triangles", figure.alt) / 100
    assert share == pytest.approx((2 * votes > k).mean(), abs=0.03)
    widths = [bar.get_width() / 0.74 for bar in picture.bars]
    assert sum(widths) == pytest.approx(1) and widths[1] == pytest.approx(share, abs=6e-4)
    assert {round(bar.get_height(), 9) for bar in picture.bars} == {0.55}
    segments = picture.asks.get_segments()
    assert [segment.tolist() for segment in segments] == [[list(query), row] for row in rows[asked].tolist()]
    chosen = min(chosen, len(points) - 1)
    assert f"Point {chosen + 1}, a {['circle', 'triangle'][classes[chosen]]}" in figure.alt
    assert places(picture.chosen) == [tuple(rows[chosen])] and places(picture.query) == [tuple(query)]
    check_points(picture.points, rows, classes)
    check_points(picture.votes, [(0.05 + 0.12 * seat, 3.4) for seat in range(k)], classes[asked])
    filled = sum(len(each.get_paths()) for each in picture.fills)
    assert filled == len(picture.cells.get_paths()) == (len(np.unique(rows, axis=0)) if k == 1 else 0)
    if k == 1:
        mine = (away.argmin(axis=1) == chosen).mean()
        assert number("cell of", figure.alt.replace("%", " ")) / 100 == pytest.approx(mine, abs=0.02)
    shares = [text.get_text() for text in picture.numbers]
    assert [float(each.rstrip("%")) for each in shares] == pytest.approx([100 * each for each in widths], abs=0.51)
    return shares + written(picture.verdict, [f"answer: {answer}"])


def holds_k_regions(figure):
    k, noise, sample = (figure.values[name] for name in ("k", "noise", "sample"))
    picture, curves = figure.picture, dict(zip(("training", "leave-one-out", "true"), figure.picture.lines))
    assert [line.get_label() for line in picture.lines] == list(curves)
    at = list(curves["true"].get_xdata()).index(k)
    for name, words in (("training", "training error"), ("leave-one-out", "leave-one-out"), ("true", "true")):
        assert number(words, figure.alt) == pytest.approx(curves[name].get_ydata()[at], abs=0.0051)
    assert (curves["true"].get_ydata() >= noise / 100 - 1e-9).all(), "nothing beats the best possible"
    if k == 1:
        assert number("training error", figure.alt) == 0, "everybody is their own nearest neighbour"
    labels = _noisy(sample, noise)[0]
    rows = _sample(sample)[0]
    check_points(picture.points, rows, labels)
    away = ((rows[:, None] - rows) ** 2).sum(axis=2)
    order = np.argsort(away, axis=1, kind="stable")
    for name, own in (("training", 0), ("leave-one-out", 1)):
        vote = 2 * labels[order[:, own : own + k]].sum(axis=1) > k
        assert curves[name].get_ydata()[at] == pytest.approx((vote != labels).mean())
    assert set(picture.here.get_xdata()) == {k} and set(picture.floor.get_ydata()) == {noise / 100}
    x, y = picture.truth.get_data()
    assert y == pytest.approx(0.5 + 0.25 * np.sin(2 * np.pi * x))
    # The regions: what is blue gets more triangles among the k nearest
    land = picture.land.image.get_array()
    for row, column in ((3, 5), (60, 20), (150, 110), (20, 160)):
        middle = ((column + 0.5) / len(land), (row + 0.5) / len(land))
        answer = 2 * labels[nearest(rows.tolist(), middle, k)].sum() > k
        assert (land[row, column, 2] > land[row, column, 0]) == answer


def holds_coin_limit(figure):
    n, p = figure.values["n"], figure.values["p"] / 100
    assert number(r"2p\(1−p\) =", figure.alt) == pytest.approx(limit(p, 1), abs=5.1e-5)
    assert number("25-NN with", figure.alt) == pytest.approx(limit(p, 25), abs=5.1e-5)
    picture, at = figure.picture, NS.index(n)
    for k, line in zip((1, 3, 9, 25), picture.curves):
        error = line.get_ydata()[at]
        if k > n:
            assert np.isnan(error) and f"{k}-NN 0" not in figure.alt.split(".")[0]
            continue
        assert number(f"{k}-NN", figure.alt) == pytest.approx(error, abs=5.1e-4)
        assert 1 - p - 1e-9 <= error <= 0.5 + 1e-9, "between the best possible and a coin"
        assert line.get_ydata()[-1] == pytest.approx(limit(p, k), abs=0.012), "3000 points are near the limit"
    x, chance, _ = _line(n)
    labels = chance < np.where(x < 0.5, 1 - p, p)
    shown = picture.lands[3].get_array()  # 1-NN
    for pixel in (3, 150, 296):
        own = labels[np.abs(x - (pixel + 0.5) / 300).argmin()]
        assert (shown[:, pixel, 2] > shown[:, pixel, 0]).all() == own, "blue answers 1"
    heights, words = [1 - p, 2 * p * (1 - p), 2 * (1 - p)], [f"Bayes {1 - p:.2f}", f"2p(1−p) = {2 * p * (1 - p):.4g}"]
    assert [line.get_ydata()[0] for line in picture.limits] == pytest.approx(heights)
    assert [line.get_ydata()[1] for line in picture.limits] == pytest.approx(heights)
    assert set(picture.here.get_xdata()) == {n}
    rings = np.array(picture.rings.get_data()).T
    assert rings == pytest.approx(np.array([(n, line.get_ydata()[at]) for line in picture.curves]), nan_ok=True)
    words.append(f"twice Bayes {2 * (1 - p):.2f}")
    shown = [text.get_visible() and bool(text.get_text()) for text in picture.words]
    assert shown[1] == (heights[1] < 0.58)
    return written(picture.words, [word for word, there in zip(words, shown) if there])


def holds_height_unit(figure):
    unit, height, weight, people = (figure.values[name] for name in ("unit", "height", "weight", "people"))
    far = [math.hypot(unit * (height / 100 - h), weight - w) for h, w in ((1.60, 70), (1.88, 76))]
    assert number("J is", figure.alt) == pytest.approx(far[0], rel=6e-4)
    assert number("away, K", figure.alt) == pytest.approx(far[1], rel=6e-4)
    share = (unit * (height / 100 - 1.6)) ** 2 / far[0] ** 2 if far[0] else 0
    assert number("height makes", figure.alt.replace("%", " ")) == pytest.approx(100 * share, abs=0.051)
    if people == 2 and abs(far[0] - far[1]) > 1e-9:
        assert figure.alt.endswith(f"The nearest of 2 is {'JK'[int(far[1] < far[0])]}.")
    picture, rows = figure.picture, PEOPLE[:people]
    squares = np.array([[(unit * (height / 100 - h)) ** 2, (weight - w) ** 2] for h, w in rows[:2]])
    widths = np.array([[bar.get_width() for bar in part] for part in (picture.height, picture.weight)]).T
    whole = squares.sum(axis=1).max()
    assert widths == pytest.approx(squares / whole if whole else squares, abs=1e-9)
    assert [bar.get_x() for bar in picture.weight] == pytest.approx(widths[:, 0])
    assert {round(bar.get_height(), 9) for part in (picture.height, picture.weight) for bar in part} == {0.5}
    assert places(picture.people) == sorted(map(tuple, rows.tolist())) and places(picture.query) == [
        (height / 100, weight)
    ]
    near = nearest((rows * [unit, 1]).tolist(), (unit * height / 100, weight), 1)[0]
    assert sorted(places(picture.line)) == sorted([(height / 100, weight), tuple(rows[near])])
    names = written(picture.names, list("JKLMNOPQRS"[:people]))
    assert [text.get_position() for text in picture.names[:people]] == [tuple(row) for row in rows.tolist()]
    said = [text.get_text() for text in picture.numbers]
    assert [float(each.replace(",", "")) for each in said] == pytest.approx(squares.sum(axis=1), rel=6e-3, abs=0.06)
    word = {1: ": metres", 100: ": centimetres", 1000: ": millimetres"}.get(unit, "")
    return names + said + written(picture.unit, [f"1 m = {unit}{word}"])


def holds_useless_columns(figure):
    columns, k, n, query = (figure.values[name] for name in ("columns", "k", "n", "query"))
    rows, _, rest = _useless_rows(n)
    asked = nearest(rows[:, : columns + 1].tolist(), [query, *rest[:columns]], k)
    picture, jitter = figure.picture, _useless_rows(n)[1]
    assert places(picture.rings) == sorted(zip(rows[asked, 0].tolist(), jitter[asked].tolist()))
    check_points(picture.points, np.column_stack([rows[:, 0], jitter]), rows[:, 0] > 0.5)
    assert set(picture.query.get_xdata()) == {query}
    assert number("lie", figure.alt) == pytest.approx(np.abs(rows[asked, 0] - query).mean(), abs=5.1e-4)
    says = "triangle" if 2 * (rows[asked, 0] > 0.5).sum() > k else "circle"
    assert f"on average and say {says}." in figure.alt
    one, seven = (line.get_ydata() for line in picture.lines)
    curve, at = (one if k == 1 else seven), USELESS.index(columns)
    assert number("error", figure.alt) == pytest.approx(curve[at], abs=5.1e-4)
    assert places(picture.here) == [(at, curve[at])]
    for each in (one, seven):
        assert (np.diff(each) > 0).all() and each[0] < 0.02 and each[-1] > 0.2, "each column makes it worse"
    assert (one[1:] > seven[1:]).all() and [line.get_label() for line in picture.lines] == ["1-NN", "7-NN"]


def holds_search_tree(figure):
    points, query, step = (figure.values[name] for name in ("points", "query", "step"))
    rows, picture = _tree(points)[0], figure.picture
    counts = [round(bar.get_width() * points) for bar in picture.bars]
    assert [bar.get_width() * points for bar in picture.bars] == pytest.approx(counts) and sum(counts) == points
    assert {round(bar.get_height(), 9) for bar in picture.bars} == {0.4}
    assert places(picture.query) == [tuple(query)]
    seen, waiting = places(picture.visited), places(picture.waiting)
    assert sorted(seen + waiting) == sorted(map(tuple, rows.tolist())) and len(seen) == counts[0]
    said = written(picture.title, [f"{points} points"]) + written(picture.numbers, [str(count) for count in counts])
    if not step:
        assert counts == [0, 0, points] and "Nothing is measured yet" in figure.alt
        return said
    found = re.search(r"(\d+) measured, (\d+) skipped", figure.alt)
    assert [int(each) for each in found.groups()] == counts[:2] and counts[0] > 0
    best = min(seen, key=lambda place: math.dist(place, query))  # the star is the nearest of those measured
    assert places(picture.best) == [best]
    assert np.hypot(*(np.array(picture.circle.get_data()).T - query).T) == pytest.approx(math.dist(best, query))
    if step == figure.controls["step"].max:
        assert counts[2] == 0
        assert number("The nearest is point", figure.alt) == nearest(rows.tolist(), query, 1)[0] + 1
    return said


def mean_at(x, y, query, k, weights):
    """(the k nearest, the mean of their values, weighted by 1/d or not) at one place."""
    asked = nearest([[each] for each in x], [query], k)
    away = np.abs(x[asked] - query)
    weight = np.ones(k) if weights == "uniform" else (away == 0).astype(float) if (away == 0).any() else 1 / away
    return asked, weight @ y[asked] / weight.sum()


def holds_mean_of_neighbours(figure):
    k, query, weights = (figure.values[name] for name in ("k", "query", "weights"))
    x, y = _hill()
    asked, answer = mean_at(x, y, query, k, weights)
    away = np.abs(x[asked] - query)
    assert number(r"(?:mean|by 1/d) is", figure.alt) == pytest.approx(answer, abs=5.1e-4)
    picture = figure.picture
    assert places(picture.answer) == [(query, pytest.approx(answer))]
    assert places(picture.points) == sorted(zip(x.tolist(), y.tolist()))
    assert places(picture.rings) == sorted(zip(x[asked].tolist(), y[asked].tolist()))
    assert set(picture.ask.get_xdata()) == {query}
    window = picture.window
    assert (window.get_x(), window.get_width()) == pytest.approx((query - away.max(), 2 * away.max()))
    assert window.get_height() == 1
    across, curve = picture.curve.get_data()
    for at in (0, 333, 700, 1060):
        assert curve[at] == pytest.approx(mean_at(x, y, across[at], k, weights)[1])
    if k < 25:
        left_out = []
        for row in range(25):
            others = np.delete(np.arange(25), row)
            near = others[nearest([[each] for each in x[others]], [x[row]], k)]
            weight = np.ones(k) if weights == "uniform" else 1 / np.abs(x[near] - x[row])
            left_out.append((weight @ y[near] / weight.sum() - y[row]) ** 2)
        assert number("squared error:", figure.alt) == pytest.approx(np.mean(left_out), abs=5.1e-4)


# The digits, read here from scikit-learn's copy

IMAGES, DIGITS = load_digits(return_X_y=True)
WAYS = {"as it is": (0, 0), "left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}  # across, down


def moved(image, way):
    """An image with its ink one pixel further, pixel by pixel."""
    across, down = WAYS[way]
    found = np.zeros((8, 8))
    for row in range(8):
        for column in range(8):
            if 0 <= row + down < 8 and 0 <= column + across < 8:
                found[row + down, column + across] = image[8 * row + column]
    return found.ravel()


MEMORY = np.vstack([[moved(image, way) for image in IMAGES[:1198]] for way in WAYS])


def five_nearest(image, copies):
    """(distances, rows of MEMORY) of the five nearest."""
    kept = MEMORY if copies else MEMORY[:1198]
    away = np.linalg.norm(kept - image, axis=1)
    found = np.argsort(away, kind="stable")[:5]
    return away[found], found


def most_votes(digits):
    return max(sorted(set(digits)), key=digits.count)


def holds_read_digit(figure):
    image, move, k, copies, shuffled, ink, pen = (
        figure.values[name] for name in ("image", "move", "k", "copies", "shuffled", "ink", "pen")
    )
    picture, order = figure.picture, np.random.default_rng(0).permutation(64) if shuffled else np.arange(64)
    still = IMAGES[image - 1] if ink is None else np.array(ink, float)
    asked = moved(still, move)
    away, rows = five_nearest(asked, copies)
    digits = [int(DIGITS[row % 1198]) for row in rows]
    answer = most_votes(digits[:k])
    assert (picture.image.get_array().filled(0).ravel() == asked[order]).all()
    tiles = picture.nearest.get_array().filled(0)
    assert [tiles[:, 9 * tile : 9 * tile + 8].ravel().tolist() for tile in range(5)] == [
        MEMORY[row][order].tolist() for row in rows
    ]
    assert f"answers {answer}." in figure.alt and f"{len(MEMORY) if copies else 1198} kept images" in figure.alt
    assert re.search(rf"is an? {digits[0]} at distance {away[0]:.1f}", figure.alt)
    if ink is None:
        assert re.match(rf"Image {image}, an? {DIGITS[image - 1]}, ", figure.alt)
    else:
        assert figure.alt.startswith("Your own image, ")
    if move != "as it is":
        first, row = five_nearest(still, copies)
        assert re.search(rf"\(not moved: an? {DIGITS[row[0] % 1198]} at {first[0]:.1f}\)", figure.alt)
    assert ("no distance changes" in figure.alt) == shuffled
    wrong = WRONG[k, copies]
    at = list(WAYS).index(move)
    assert f"{wrong[at]} of the 599" in figure.alt and [bar.get_width() for bar in picture.bars] == list(wrong)
    assert {round(bar.get_height(), 9) for bar in picture.bars} == {0.62}
    assert [bool(bar.get_hatch()) for bar in picture.bars] == [each == at for each in range(5)]
    assert places(picture.voters) == [(-0.5, 10.4), (9 * k - 1.5, 10.4)] and list(MOVES) == list(WAYS)
    assert places(picture.pen) == [(pen[1], pen[0])] and f"row {pen[0] + 1}, column {pen[1] + 1}." in figure.alt
    said = written(picture.labels, [f"{digit} · {each:.1f}" for digit, each in zip(digits, away)])
    said += written(picture.numbers, [str(each) for each in wrong])
    return said + written(picture.verdict, [f"underlined: they vote, answer {answer}"])


def left_out(rows, classes, k, factors):
    """The leave-one-out error by a plain sort and a plain count."""
    rows, wrong = (np.array(rows) * factors).tolist(), 0
    for i, row in enumerate(rows):
        others = sorted(
            (j for j in range(len(rows)) if j != i), key=lambda j: (sum((a - b) ** 2 for a, b in zip(rows[j], row)), j)
        )
        wrong += most_votes([classes[j] for j in others[:k]]) != classes[i]
    return wrong / len(rows)


def holds_which_columns(figure):
    text, k, scale = (figure.values[name] for name in ("text", "k", "scale"))
    if figure.alt.startswith(EXPLAINED):
        assert "your table" in figure.alt
        return
    mark = ";" if ";" in text else ","
    (*names, _), *lines = [[each.strip() for each in line.split(mark)] for line in text.strip().split("\n")]
    rows, classes = np.array([line[:-1] for line in lines], float), [line[-1] for line in lines]
    spread = rows.std(axis=0) if scale == "standard" else np.ones(len(names))
    factors = 1 / np.where(spread > 0, spread, 1)
    errors, tenfold = [left_out(rows, classes, k, factors)], []
    for column in range(len(names)):
        without, ten = factors.copy(), factors.copy()
        without[column], ten[column] = 0, 10 * factors[column]
        errors.append(left_out(rows, classes, k, without))
        tenfold.append(left_out(rows, classes, k, ten))
    picture = figure.picture
    bars = [bar for bar in picture.bars if bar.get_visible()]
    assert [bar.get_width() for bar in bars] == pytest.approx(errors)
    assert {round(bar.get_height(), 9) for bar in bars} == {0.56}
    placed(picture.tenfold, tenfold, range(1, len(names) + 1))
    assert np.array(picture.all.get_data()).tolist() == [[errors[0]] * 2, [-0.5, len(errors) - 0.5]]
    assert f"{len(rows)} rows and {len(names)} columns, " in figure.alt and f"k = {k}:" in figure.alt
    assert ("standard deviation" in figure.alt) == (scale == "standard")
    assert number("leave-one-out error", figure.alt) == pytest.approx(errors[0], abs=0.0051)
    assert number("ten times it is", figure.alt) == pytest.approx(tenfold[0], abs=0.0051)
    least, largest = re.search(
        r"least without (.+), ([\d.]+), and largest without (.+), ([\d.]+)\. With", figure.alt
    ).groups()[1::2]
    assert (float(least), float(largest)) == pytest.approx((min(errors[1:]), max(errors[1:])), abs=0.0051)
    said = written(picture.names, ["all columns", *(f"without {name}" for name in names)])
    return said + written(
        picture.numbers, [f"{each:.2f} ({round(each * len(rows))} of {len(rows)})" for each in errors]
    )


# Numbers that the lesson and its questions mention

TEXT = (ROOT / "bayeslib/sections/s14_nearest_neighbours/questions.toml").read_text()
CELLS = {cell.id: cell for cell in nbformat.read(ROOT / "notebooks/14-nearest-neighbours.ipynb", 4).cells}


def printed(cell):
    return "".join(o.get("text") or o["data"]["text/plain"] for o in CELLS[cell].outputs)


def test_the_fruits_are_as_on_paper():
    """√1, √5 and √18 away: three apples of 120, 160 and 210 g."""
    assert "vote: apple" in printed("by-hand-model") and round((120 + 160 + 210) / 3, 1) == 163.3
    assert "163.3 g" in printed("by-hand-model") and "163.3 g" in CELLS["by-hand-read"].source
    assert [f"{square**0.5:.3f}" in printed("by-hand") for square in (1, 5, 18)] == [True] * 3


def test_numbers_about_the_stray_circle_hold():
    figure = live.drag_cells()
    assert Question("14/stray").then["points"] == STRAY
    figure.preset("a stray circle")
    assert "has a cell of 4.5% of the map" in figure.alt and "4.5% of the map" in TEXT
    assert "4.5% of the map" in CELLS["read-stray"].source
    assert len(voronoi_cells(np.array(STRAY)[:, :2], (0, 1.5, 0, 1))[4]) == 4
    figure.preset("the stray, k = 3")
    land = figure.figure.axes[0].images[0].get_array()
    stray = land[66, 134]  # the cell of the grid at (1.12, 0.55)
    assert stray[2] > stray[0], "blue: the island is gone"


def test_numbers_about_k_hold():
    figure = live.k_regions()
    for k, error in ((1, "0.353"), (7, "0.260"), (49, "0.340")):
        figure.set(k=k)
        assert f"true {error};" in figure.alt and error in TEXT and error in CELLS["read-k"].source
    rows = [line.split()[1:] for line in printed("loo-code").split("\n")[1:]]
    assert rows[0] == ["1", "0.00", "0.31", "0.35"] and rows[2] == ["19", "0.23", "0.24", "0.27"]
    figure.set(k=7)
    assert "leave-one-out 0.28" in figure.alt and rows[1] == ["7", "0.25", "0.28", "0.26"], "the sample of the figure"
    assert "least at k = 19" in figure.alt


def test_all_splits_of_the_lesson_choose_the_same_k():
    table = [[float(each) for each in line.split()] for line in printed("cv-code").split("\n")[2:]]
    assert all(min(table, key=lambda row: row[split])[0] == 19 for split in (1, 2, 3))
    assert max(max(row[1:]) - min(row[1:]) for row in table) == pytest.approx(0.07)


def test_the_coin_errs_as_it_is_told_to():
    """The curves of the figure, exact in the labels, beside plain simulation; and what the notebook prints."""
    random, grid = np.random.default_rng(1), (np.arange(200) + 0.5) / 200
    for n, column in ((10, 0), (100, 4)):
        for place, k in enumerate(COIN_KS):
            if k > n:
                continue
            errors = []
            for _ in range(200):
                x = random.random((n, 1))
                y = random.random(n) < np.where(x[:, 0] < 0.5, 0.2, 0.8)
                answer = KNeighborsClassifier(k).fit(x, y).predict(grid[:, None])
                errors.append(np.where(answer == (grid > 0.5), 0.2, 0.8).mean())
            assert _coin_curves(0.8)[place, column] == pytest.approx(np.mean(errors), abs=0.02)
    assert round(_coin_curves(0.8)[0, 0], 2) == 0.34 and "10 points errs on about 34%" in TEXT


def test_the_order_of_the_limits_matters():
    """k = 1 and 25 go to their limits, k near √n and even n/2 + 1 to the best; with k = n − 1 only a coin is left."""
    last = [float(each) for each in printed("k-and-n").strip().split("\n")[-1].split()]
    assert last[0] == 1000 and last[1] == pytest.approx(0.32, abs=0.01) and last[2] == pytest.approx(0.2002, abs=0.005)
    assert last[3] < 0.21 and last[4] < 0.22 and last[5] == 0.500


def test_numbers_about_units_hold():
    figure = live.height_unit()
    assert "J is 2.017 away, K 4;" in figure.alt and "J is 2.02 away and K 4.00" in TEXT
    figure.preset("centimetres")
    assert "J is 26.08 away, K 4.472" in figure.alt and "4.47 against 26.08" in TEXT
    for unit, nearest in ((13, "J"), (14, "K")):
        figure.set(unit=unit)
        assert figure.alt.endswith(f"is {nearest}.")
    assert "at 1 m = 13 it is still J, at 14 it is K" in CELLS["notes-units"].source


def test_numbers_about_useless_columns_hold():
    one, seven = _useless_errors(100)
    assert one[0] < 0.01 and "errs on less than 1%" in TEXT
    assert one[1] == pytest.approx(0.04, abs=0.01) and "some 4%" in TEXT
    assert one[5] == pytest.approx(0.304, abs=5e-4) and "about 30%" in TEXT and "0.304" in CELLS["read-useless"].source
    random, errors = np.random.default_rng(7), []
    for _ in range(20):
        X, queries = random.random((100, 21)), random.random((200, 21))
        model = KNeighborsClassifier(7).fit(X, X[:, 0] > 0.5)
        errors.append(1 - model.score(queries, queries[:, 0] > 0.5))
    assert seven[5] == pytest.approx(np.mean(errors), abs=0.03)


@pytest.mark.heavy
@pytest.mark.parametrize(("k", "copies"), WRONG)
def test_the_stored_numbers_of_wrong_digits_are_computed_again(k, copies):
    """Plain distances, the course's rule for ties, all 599 images asked, each move."""
    kept = MEMORY if copies else MEMORY[:1198]
    for way, wrong in zip(WAYS, WRONG[k, copies]):
        asked = np.array([moved(image, way) for image in IMAGES[1198:]])
        squares = (asked**2).sum(axis=1)[:, None] + (kept**2).sum(axis=1) - 2 * asked @ kept.T
        found = DIGITS[np.argsort(squares.round(), axis=1, kind="stable")[:, :k] % 1198].tolist()
        assert sum(most_votes(each) != truth for each, truth in zip(found, DIGITS[1198:])) == wrong


def test_leave_one_out_finds_the_useful_column():
    """Plain distances: all 21 columns, the useful one, and the noise that seems to help."""
    X = np.random.default_rng(0).random((100, 21))
    label = X[:, 0] > 0.5

    def left_out(columns):
        away = ((X[:, None, columns] - X[:, columns]) ** 2).sum(axis=2)
        np.fill_diagonal(away, np.inf)
        return float((label[away.argmin(axis=1)] != label).mean())

    found = left_out(list(range(21))), left_out([0]), left_out([0, 20])
    assert (
        found == (0.32, 0.02, 0.0) == tuple(float(line.split(": ")[1]) for line in printed("selection").split("\n")[:3])
    )
    assert min(range(21), key=lambda column: left_out([column])) == 0
    X[:, 0] *= 10
    assert left_out(list(range(21))) == 0.04 and "x1 times 10, all 21 columns: 0.04" in printed("selection")
    assert "A weight of 10 on $x_1$ does nearly as well, 0.04" in CELLS["selection-read"].source


def test_three_strangers_of_sixteen_are_more_often_wrong_than_right():
    """Eight and eight rows, one left out, three of the other 15 drawn blindly: at least two of the seven of its own."""
    wrong = 1 - (comb(7, 2) * 8 + comb(7, 3)) / comb(15, 3)
    assert round(wrong, 2) == 0.55 and "which makes 0.55 on average" in CELLS["own-read"].source


def test_the_curse_needs_independent_columns():
    assert "0.904" in printed("dimension-code") and round(0.01 ** (1 / 1000), 3) == 0.995
    real, dealt = (float(line.split()[-1]) for line in printed("dimension-real").strip().split("\n") if line)
    assert real < 0.3 and dealt > 0.5


def test_what_the_lesson_says_of_the_digits():
    left, asked = np.array([moved(image, "left") for image in IMAGES[1198:]]), DIGITS[1198:]
    says = KNeighborsClassifier(1).fit(IMAGES[:1198], DIGITS[:1198]).predict(left)
    assert (says != asked).sum() == WRONG[1, False][1] == 262 and "262 moved left" in printed("digits-code")
    assert (says[asked == 9] == 5).sum() == 45 and (asked == 9).sum() == 58
    assert "45 of the 58 nines" in CELLS["read-pixel"].source and "262" in TEXT
    assert WRONG[1, True][1] == 21 and "and 21 are wrong instead of 262" in CELLS["read-pixel"].source
    lost = [1 - sum(moved(image, way).sum() for image in IMAGES) / IMAGES.sum() for way in WAYS]
    assert lost[1] < 1e-4 and lost[3] == pytest.approx(0.12, abs=0.005) == lost[4]
    random, wrong = np.random.default_rng(0), []
    for _ in range(20):
        order = random.permutation(1797)
        model = KNeighborsClassifier(1).fit(IMAGES[order[:1198]], DIGITS[order[:1198]])
        wrong.append((model.predict(IMAGES[order[1198:]]) != DIGITS[order[1198:]]).sum())
    assert 7 <= np.mean(wrong) <= 9 and "about 8 errors" in CELLS["digits-caveats"].source
    assert "3.5% wrong; leave-one-out on all: 1.2%" in printed("digits-code")
    blocks = []
    for block in np.split(np.arange(1797), range(300, 1797, 300)):
        model = KNeighborsClassifier(1).fit(np.delete(IMAGES, block, axis=0), np.delete(DIGITS, block))
        blocks.append(int((model.predict(IMAGES[block]) != DIGITS[block]).sum()))
    assert (min(blocks), max(blocks)) == (2, 16) and "held out in turn have 2 to 16 errors" in CELLS[
        "digits-caveats"
    ].source


def test_numbers_about_the_tree_hold():
    figure = live.search_tree()
    assert Question("14/visits").then == {"points": 31, "step": figure.controls["step"].max}
    figure.preset("the whole search")
    assert "5 measured, 26 skipped of 31" in figure.alt and "5 distances; 26 points" in CELLS["read-cost"].source
    figure.preset("an awkward query")
    assert "17 measured" in figure.alt and "17 of 31 must be measured" in CELLS["notes-cost"].source
    counts = printed("visits-code").split("\n")[1].split()[3:]
    assert counts[1] == "18" and counts[-1] == "1000"
    random = np.random.default_rng(0)
    points, queries = random.random((1000, 2)), random.random((20, 2))
    visits = [sum(s.kind == "visit" for s in kd_search(kd_tree(points), points, q)) for q in queries]
    assert round(np.mean(visits)) == 18


def test_numbers_about_the_mean_hold():
    figure = live.mean_of_neighbours()
    figure.preset("all 25")
    assert "is 1.630" in figure.alt and "1.630" in CELLS["read-numbers"].source


def test_no_answer_of_a_task_hangs_on_a_tie():
    """Right solutions may break ties either way, so there must be none."""
    for X, _, query, k, scale in tasks.TASKS["vote"]["cases"]:
        away = np.sort(np.hypot.reduce((np.array(X) - query) * scale, axis=1))
        assert np.diff(away)[k - 1] > 1e-6
    for X, y, query, k, scale in tasks.TASKS["vote"]["cases"]:
        order = np.argsort(np.hypot.reduce((np.array(X) - query) * scale, axis=1))[:k]
        counts = sorted(np.unique(np.array(y)[order], return_counts=True)[1])
        assert len(counts) == 1 or counts[-1] > counts[-2]
    for X, y, ks in tasks.TASKS["best-k"]["cases"]:
        errors = sorted(KNeighborsClassifier(k).fit(X, y).leave_one_out() for k in ks)
        away = np.sort(np.linalg.norm(np.array(X)[:, None] - X, axis=2), axis=1)
        assert errors[0] < errors[1] and np.diff(away, axis=1).min() > 1e-6
