"""Section 16: what must hold of its figures, and its numbers computed once more, point by point."""

import csv
import re
from functools import cache
from math import comb, exp, log, sqrt

import numpy as np
import pytest

from bayeslib import GaussianNaiveBayes, ensembles
from bayeslib.live.bagging_and_boosting import LEARNERS, UNEVEN
from tests.figures import minus, number, placed, places, sized, written
from tests.lab import ROOT

PLUS, MINUS = [(1, 5), (2, 2), (5, 9), (6, 8), (8, 7)], [(4, 3), (5, 6), (7, 4), (9, 8.5), (9.5, 2)]
TEN = [(point, 1) for point in PLUS] + [(point, -1) for point in MINUS]


def majority(p, n):
    return sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n // 2 + 1, n + 1))


NUMBERS = {
    "16/share-in-bag": 100 * (1 - 0.9**10),
    "16/on-new-weights": 100 * 3 / 6,
    "16/five-voters": 100 * majority(0.2, 5),
    "16/alpha-by-hand": 0.5 * log(0.9 / 0.1),
    "16/new-weight": 100 * 0.5 / 6,
    "16/bound-by-hand": np.prod([2 * sqrt(e * (1 - e)) for e in (0.2, 0.25, 0.3)]),
}
WRONG_NUMBERS = {
    "16/share-in-bag": {"all-in-bag": 100.0},
    "16/on-new-weights": {"same-error": 30.0, "mended-stump": 0.0},
    "16/five-voters": {
        "copies-vote": 20.0,
        "0.032% is the probability that all five are wrong; three wrong doctors are already a majority.": 100 * 0.2**5,
        "0.8% is the probability that three given doctors are wrong; any three of the five will do, and so will four "
        "or five.": 100 * 0.2**3,
        "94.2% is how often the majority is right.": 100 * (1 - majority(0.2, 5)),
    },
    "16/alpha-by-hand": {
        "half-missing": log(9),
        "0.477 is ½ log₁₀ 9; the vote α is defined with the natural logarithm.": 0.5 * log(9, 10),
        "alpha-sign": -log(3),
    },
    "16/new-weight": {
        "same-error": 100 / 40,
        "unnormalised-weights": 100 / 40 * sqrt(0.85 / 0.15),
        "16.7% would give the 6 wrong points all of the weight; the 34 others keep one half.": 100 / 6,
    },
    "16/bound-by-hand": {
        "0.015 is the product of the three ε; each ε is measured on other weights, so they do not multiply like that.": 0.2
        * 0.25
        * 0.3,
        "0.25 is the mean of the three ε; the vote may be better or worse than that.": 0.25,
        "0.2 is the error of the first stump alone, and the vote of three may be worse.": 0.2,
    },
}


def boost(points, rounds):
    """AdaBoost once more, in plain loops: (ε, α, weights after, votes, what the stump says) of each round."""
    weights, votes, history = [1 / len(points)] * len(points), [0.0] * len(points), []
    for _ in range(rounds):
        best = None
        for attribute in (0, 1):
            values = sorted({point[attribute] for point, _ in points})
            for low, high in zip(values, values[1:]):
                for above in (-1, 1):
                    cut = (low + high) / 2
                    error = sum(
                        w for w, (p, y) in zip(weights, points) if (above if p[attribute] > cut else -above) != y
                    )
                    if best is None or error < best[0] - 1e-12:
                        best = error, attribute, cut, above
        error, attribute, cut, above = best
        alpha = 0.5 * log((1 - error) / error)
        says = [above if p[attribute] > cut else -above for p, _ in points]
        weights = [w * exp(-alpha * s * y) for w, s, (_, y) in zip(weights, says, points)]
        weights = [w / sum(weights) for w in weights]
        votes = [v + alpha * s for v, s in zip(votes, says)]
        history.append((error, alpha, weights, votes, says))
    return history


@cache
def lesson(liar=None, rounds=60):
    return boost([(point, -label if k == liar else label) for k, (point, label) in enumerate(TEN)], rounds)


def sizes(plane):
    """The areas of all points in a plane, + first, and how many have a ring."""
    less, plus = plane.classes
    areas = [np.broadcast_to(each.get_sizes(), len(each.get_offsets())) for each in (plus, less)]
    return np.concatenate(areas), len(plane.wrong.get_offsets())


def check_plane(plane, X, y):
    """Points stand where they are, and the border runs between cells of different answer and nowhere else."""
    for sign, dots in zip((-1, 1), plane.classes):
        assert np.asarray(dots.get_offsets()) == pytest.approx(X[y == sign])
    edges = np.linspace(*plane.limits, plane.cells + 1)
    shown = plane.region.get_array().astype(int)
    leaning = np.sign(shown[:, :, 0] - shown[:, :, 2])  # 0 where the vote is so near to one half that the cell is white

    def sides(differ):
        down, across = differ(leaning[:, 1:], leaning[:, :-1]), differ(leaning[1:], leaning[:-1])
        upright = {(edges[c + 1], edges[r], edges[c + 1], edges[r + 1]) for r, c in np.argwhere(down)}
        return upright | {(edges[c], edges[r + 1], edges[c + 1], edges[r + 1]) for r, c in np.argwhere(across)}

    x, height = plane.border.get_data()
    drawn = set(zip(x[::3], height[::3], x[1::3], height[1::3]))
    assert sides(lambda a, b: a * b < 0) <= drawn <= sides(lambda a, b: a * b <= 0)
    if plane.circle:
        assert np.hypot(*plane.circle.get_data()) == pytest.approx(sqrt(0.5))
    return leaning > 0


def holds_bootstrap_bag(figure):
    n, size = figure.values["n"], figure.values["size"]
    draws, picture = max(round(n * size / 100), 1), figure.picture
    assert number("Bag", figure.alt.replace(":", " ")) == figure.values["bag"]
    assert number(r"\^\d+ =", figure.alt) == pytest.approx(1 - (1 - 1 / n) ** draws, abs=5.1e-4)
    assert number("more rows", figure.alt) == pytest.approx(1 - exp(-size / 100), abs=5.1e-4)
    absent, present = places(picture.absent), places(picture.present)
    assert sorted(absent + present) == sorted((row % 10, row // 10) for row in range(n)) and len(present) <= draws
    assert number("a share of", figure.alt) == pytest.approx(len(present) / n, abs=5.1e-4)
    assert sorted(place for line in picture.counts for place in places(line)) == present
    counted = sum(k * len(places(line)) for k, line in enumerate(picture.counts, start=1))
    assert counted == draws if not places(picture.counts[-1]) else counted <= draws, "9 stands for 9 and more"
    expected = [1 - (1 - 1 / k) ** max(round(k * size / 100), 1) for k in range(1, 61)]
    placed(picture.line, range(1, 61), expected)
    placed(picture.limit, [0, 63], [1 - exp(-size / 100)] * 2)
    placed(picture.dot, [n], [expected[n - 1]])
    placed(picture.drawn, [n], [len(present) / n])


@cache
def fitted(learner):
    X, y, _ = ensembles.disc(150, 0.15, random_state=0)
    return LEARNERS[learner].fit(X, y)


def holds_bagging_votes(figure):
    learner, size, bags = (figure.values[name] for name in ("learner", "size", "bags"))
    assert f"{bags} bag" in figure.alt and f"of {round(1.5 * size)} rows" in figure.alt
    side = (np.arange(40) + 0.5) / 20 - 1
    truth = np.array([x * x + y * y < 0.5 for y in side for x in side])
    X, y, _ = ensembles.disc(150, 0.15, random_state=0)
    picture, heads = figure.picture, []
    one, vote = (check_plane(plane, X, y) for plane in picture.planes)
    for plus, words, head in ((one, f"bag {bags} alone", f"bag {bags} alone"), (vote, "the vote", f"vote of {bags}")):
        error = (plus.ravel() != truth).mean()
        assert number(words, figure.alt) == pytest.approx(error, abs=0.006)
        heads.append(f"{head}: error {number(words, figure.alt):.3f}")
    for plane, plus in zip(picture.planes, (one, vote)):  # a ring around a point in a cell that is wrong about it
        inside = plus[tuple(np.clip(((X[:, ::-1] + 1) * 20).astype(int), 0, 39).T)]
        assert abs(len(plane.wrong.get_offsets()) - (inside != (y > 0)).sum()) <= 25
    if bags == 1:
        assert (one == vote).all(), "the vote of one bag is that bag"
    if learner == "nearest neighbour" and (size, bags) == (100, 101):
        assert "the very same answers" in figure.alt
    alone = fitted(learner).predict(np.array([(x, y) for y in side for x in side])) > 0
    assert number("on all the data", figure.alt) == pytest.approx((alone != truth).mean(), abs=5.1e-4)
    return written(picture.heads, heads)


def holds_boost_rounds(figure):
    data, step = figure.values["data"], figure.values["step"]
    picture = figure.picture
    left, right = picture.planes
    areas, rings = sizes(left)
    if data == "ten points":
        X, y = np.array([point for point, _ in TEN], dtype=float), np.array([label for _, label in TEN])
    else:
        X, y, _ = ensembles.disc(120, 0.0, random_state=0)
    n = len(y)
    stump, vote = (check_plane(plane, X, y) for plane in picture.planes)
    done = step // 2
    head = f"vote of {done}: {sizes(right)[1]} of {n} wrong" if done else "nobody has voted yet"
    if step == 0:
        assert f"1/{n}" in figure.alt and rings == 0
        return written(picture.heads, [f"every weight is 1/{n}", head]) + written(picture.numbers, ["–"] * 5)
    round_ = (step + 1) // 2
    assert number("Round", figure.alt.replace(",", " ")) == round_
    error = number("ε =", figure.alt)
    words = figure.alt.split("+ if ")[1].split(", ε")[0].split(". ")[0]
    column, sign, cut = words.replace("−", "-").split(" ")
    column = ["x₁", "x₂"].index(column)
    middles = plots_cells(left)
    side = middles[:, column] > float(cut)
    assert ((side if sign == ">" else ~side) == stump.ravel()).mean() > 0.99, "the region is what the words say"
    assert rings == ((X[:, column] > float(cut)) != ((y > 0) == (sign == ">"))).sum()
    heads = written(picture.heads, [f"round {round_}: + if {words}", head])
    if step % 2:
        numbers = [text.get_text() for text in picture.numbers]
        assert float(numbers[0]) == pytest.approx(error, abs=5.6e-4) and numbers[1:] == ["–"] * 4
    else:
        alpha, z = 0.5 * log((1 - error) / error), 2 * sqrt(error * (1 - error))
        assert number(r"\) =", figure.alt) == pytest.approx(alpha, abs=6e-4)
        assert number("sum =", figure.alt) == pytest.approx(z, abs=2e-4)
        assert number("is wrong about", figure.alt) == sizes(right)[1], "the ringed points are those that are counted"
        numbers = [text.get_text() for text in picture.numbers]
        wanted = [error, alpha, z, exp(-alpha) / z, exp(alpha) / z]
        assert [float(each) for each in numbers] == pytest.approx(wanted, abs=1.1e-3, rel=1e-3)
    if data == "ten points":
        wanted, _, after, _, says = lesson()[round_ - 1]
        assert error == pytest.approx(wanted, abs=5.1e-5)
        weights = after if step % 2 == 0 else lesson()[round_ - 2][2] if round_ > 1 else [0.1] * 10
        assert areas == pytest.approx(np.maximum(1100 * np.array(weights), 5))
        assert rings == sum(say != label for say, (_, label) in zip(says, TEN)), "the wrong ones are ringed"
    return heads + numbers


def plots_cells(plane):
    """The middles of the cells of a plane, bottom row first."""
    edges = np.linspace(*plane.limits, plane.cells + 1)
    middle = (edges[1:] + edges[:-1]) / 2
    return np.array([(x, y) for y in middle for x in middle])


def holds_boost_bound(figure):
    data, step = figure.values["data"], figure.values["step"]
    picture = figure.picture
    bound, training, true = (picture.lines[name].get_ydata() for name in ("bound", "training", "true"))
    for name, values in (("bound", bound), ("training", training), ("true", true)):
        assert places(picture.dots[name]) == ([(step, values[-1])] if len(values) else [])
    assert len(bound) == step + 1 and (np.diff(bound) <= 0).all()
    assert (np.array(training) <= np.array(bound) + 1e-12).all(), "the training error is under the bound"
    assert number("round", figure.alt.replace(":", " ")) == UNEVEN[step]
    assert number("training error", figure.alt) == pytest.approx(training[-1], abs=5.1e-4)
    assert number("bound", figure.alt) == pytest.approx(bound[-1], rel=0.05, abs=5.1e-4)
    margins, shares = (each[1:-1] for each in picture.steps.get_data())
    assert shares == pytest.approx((np.arange(len(margins)) + 1) / len(margins))
    placed(picture.least, [min(margins)], [0])
    assert number("Least margin", figure.alt) == pytest.approx(min(margins), abs=5.1e-4)
    assert (np.array(margins) <= 0).mean() >= training[-1] - 1e-9, "who is wrong has a negative margin"
    assert ("error on the true disc" in figure.alt) == (data != "ten points") == bool(len(true))
    assert not len(true) or number("true disc", figure.alt) == pytest.approx(true[-1], abs=5.1e-4)
    if data == "ten points" and UNEVEN[step] <= 60:
        rounds = lesson()[: UNEVEN[step]]
        assert bound[-1] == pytest.approx(np.prod([2 * sqrt(e * (1 - e)) for e, *_ in rounds]))
        whole = sum(alpha for _, alpha, *_ in rounds)
        wanted = [label * vote / whole for (_, label), vote in zip(TEN, rounds[-1][3])]
        assert sorted(margins) == pytest.approx(sorted(wanted))
    return written(picture.word, [f"◆ least {minus(min(margins), 3)}"])


def holds_one_liar(figure):
    liar, step = figure.values["liar"], figure.values["step"]
    which = None if liar == "nobody" else [f"({x:g}, {y:g})" for (x, y), _ in TEN].index(liar)
    picture = figure.picture
    assert (liar in figure.alt) == (which is not None)
    X = np.array([point for point, _ in TEN], dtype=float)
    y = np.array([-label if k == which else label for k, (_, label) in enumerate(TEN)])
    check_plane(picture.plane, X, y)
    assert places(picture.cross) == ([tuple(X[which])] if which is not None else [])
    rounds = lesson(which)[:step]
    weights = np.array([[0.1] * 10, *(each[2] for each in rounds)])
    shown = np.array([line.get_ydata() for line in picture.others]).T
    assert shown == pytest.approx(weights, abs=1e-6)
    late = np.round(weights[max(step - 20, 0) : max(step, 1)].mean(axis=0), 9)  # what the last rounds were trained on
    order = sorted(range(10), key=lambda k: (-late[k], k))
    drawn = [which, *[k for k in order if k != which][:2]]
    rounds_so_far, said, names = np.arange(1, step + 2), [], []
    for k, line, label in zip(drawn, (picture.marked, *picture.pair), picture.labels):
        placed(line, *([], []) if k is None else (rounds_so_far, weights[:, k]))
        if k is None:
            said.append("no wrong label")
            continue
        (x, y_), _ = TEN[k]
        names.append(f"({x:g}, {y_:g})")
        said.append(f"{names[-1]} {'wrong' if k == which else 'right'} label {weights[-1, k]:.3f}")
        assert 0.2 < abs(label.get_position()[0] - x) < 0.6 and 0 < label.get_position()[1] - y_ < 0.5, "beside it"
    heard = written(picture.words, said) + written(picture.labels, names)
    if step == 0:
        assert "0.100" in figure.alt
        return heard + written(picture.fooled, [])
    truly = [sum((1 if vote > 1e-12 else -1) != label for vote, (_, label) in zip(each[3], TEN)) for each in rounds]
    placed(picture.wrong, range(1, step + 1), truly)
    assert number("is wrong about", figure.alt) == truly[-1] == sizes(picture.plane)[1]
    if which is not None:
        assert number("It weighs", figure.alt) == pytest.approx(weights[-1, which], abs=5.1e-4)
    heaviest = re.findall(r"\) (0\.\d+)", figure.alt.split("Heaviest on average")[1])
    assert [float(each) for each in heaviest] == pytest.approx(late[order[:4]], abs=5.1e-4)
    assert number("average over", figure.alt) == min(step, 20)
    return heard + written(picture.fooled, [f"truly wrong: {truly[-1]}"])


@cache
def stored():
    """The rows of biopsy_votes.csv as the csv module reads them."""
    with (ROOT / "bayeslib/data/biopsy_votes.csv").open(encoding="utf-8") as lines:
        next(lines)
        return list(csv.DictReader(lines))


@cache
def biopsy_rows():
    with (ROOT / "bayeslib/data/biopsies.csv").open(encoding="utf-8") as lines:
        next(lines)
        rows = list(csv.DictReader(lines))
    places = [(float(row["concave_points"]), float(row["perimeter"])) for row in rows]
    return np.array(places), np.array([1 if row["diagnosis"] == "malignant" else -1 for row in rows])


def holds_biopsies(figure):
    lies, look, by, split = (figure.values[name] for name in ("lies", "look", "by", "split"))
    picture, (X, y) = figure.picture, biopsy_rows()
    train = np.random.default_rng(split - 1).permutation(569)[190:]
    turned = set(np.random.default_rng(99 + split).choice(379, 38, replace=False)[:lies].tolist())
    given = np.array([-label if k in turned else label for k, label in enumerate(y[train])])
    for sign, dots in zip((-1, 1), picture.classes):
        assert np.asarray(dots.get_offsets()) == pytest.approx(X[train][given == sign])
    mine = [row for row in stored() if int(row["flipped"]) == lies]
    listed = {"weight in boosting": "heaviest", "out-of-bag votes": "contradicted"}[by]
    order = next(row for row in mine if int(row["split"]) == split - 1)[listed].split()[:look]
    found = [k for k in map(int, order) if k in turned]
    assert places(picture.lies) == sorted(map(tuple, X[train[found]].tolist()))
    others = [int(k) for k in order if int(k) not in turned]
    assert places(picture.honest) == sorted(map(tuple, X[train[others]].tolist()))
    assert number(f"{look} rows?,", figure.alt) == len(found) and number("Split", figure.alt.replace(":", " ")) == split
    assert number(r":", figure.alt) == lies
    if look:
        assert number("would hold", figure.alt) == pytest.approx(look * lies / 379, abs=0.051)
    ends = []
    for name, column in (("one stump", "stump"), ("one full tree", "tree"), ("bagged trees", "bagging"), ("boosted stumps", "boosting")):  # fmt: skip
        wrong = np.array([row[column].split() for row in mine], dtype=float)
        curve = np.broadcast_to(100 * wrong.mean(axis=0) / 190, 12)
        placed(picture.lines[name], range(12), curve)
        ends.append(f"{name} {curve[-1]:.1f}%")
        assert number(name, figure.alt) == pytest.approx(curve[-1], abs=0.051)


TABLES = [
    "a,b,class\n" + "\n".join(f"{k},{k % 3},{'up' if k > 7 else 'down'}" for k in range(16)),
    "x;ok\n" + "\n".join(f"{k % 5};{'yes' if k % 2 else 'no'}" for k in range(12)),
]
SETTINGS = {"second_look": {"table": TABLES}}


def holds_second_look(figure):
    picture, flips = figure.picture, figure.values["flips"]
    mark = max(",;", key=figure.values["table"].splitlines()[0].count)
    _, *rows = csv.reader(figure.values["table"].strip().splitlines(), delimiter=mark)
    names = sorted({row[-1] for row in rows})
    X, y = [list(map(float, row[:-1])) for row in rows], [names.index(row[-1]) for row in rows]
    turned = set(np.random.default_rng(0).permutation(len(y))[:flips].tolist())
    y = [1 - label if k in turned else label for k, label in enumerate(y)]
    rounds = ensembles.AdaBoost(ensembles.DecisionStump(), 30).fit(X, y).history_
    weights = np.mean([each.weights for each in rounds] or [[1 / len(y)] * len(y)], axis=0).round(9)
    order = sorted(range(len(y)), key=lambda k: (-weights[k], k))[:10]
    sized(picture.bars, width=weights[order] / weights.max(), height=0.62)
    said = written(picture.names, [f"row {k + 1}: {names[y[k]]}" for k in order])
    bags = ensembles.Bagging(ensembles.DecisionTree(), 11, random_state=0).fit(X, y)
    answers, asked = bags.answers(X), np.array([[k not in bag for k in range(len(y))] for bag in bags.bags_])
    against = ((answers != y) & asked).sum(axis=0) / np.maximum(asked.sum(axis=0), 1)
    judged = asked.any(axis=0)
    placed(picture.votes, np.where(judged, against, np.nan)[order], range(10))
    found = [at for at, k in enumerate(order) if k in turned]
    placed(picture.flipped, 0.03, found)
    likely = np.array([(((answers == 1) & asked).sum(axis=0) > ((answers == 0) & asked).sum(axis=0)) * 1])[0]
    errors = [min(np.bincount(y)) / len(y), (likely != y)[judged].mean()]
    sized(picture.errors, height=errors)
    assert number("class:", figure.alt) == pytest.approx(errors[0], abs=0.0051)
    assert number("out of bag:", figure.alt) == pytest.approx(errors[1], abs=0.0051)
    if np.ptp(weights):
        assert number("look at is row", figure.alt.replace(",", " ")) == order[0] + 1
    else:
        assert "All rows weigh the same" in figure.alt
    assert not flips or number("flipped labels?", figure.alt) == len(found)
    return said + written(picture.shares, [f"{each:.2f}" for each in errors])


def holds_map_regions(figure):
    data, voters, rounds = (figure.values[name] for name in ("data", "voters", "rounds"))
    X, y = ensembles.clouds(200, 0) if data == "two clouds" else ensembles.disc(200, 0.1, 0)[:2]
    bayes = (GaussianNaiveBayes().fit(X, y).predict(X) != y).mean()
    assert number("naive Bayes:", figure.alt) == pytest.approx(bayes, abs=5.1e-4)
    picture = figure.picture
    (areas, one), (_, many) = (sizes(plane) for plane in picture.planes)
    regions = [check_plane(plane, X, y) for plane in picture.planes]
    said = GaussianNaiveBayes().fit(X, y).predict(plots_cells(picture.planes[0])) > 0
    assert (said == regions[0].ravel()).all(), "the left region is that of naive Bayes"
    assert len(areas) == 200 and one == round(200 * bayes), "every error has its ring"
    assert number(r"boosted [\w ]+:", figure.alt) == pytest.approx(many / 200, abs=5.1e-4)
    assert f"{rounds} boosted" in figure.alt or voters == "naive Bayes"
    new = number("training points,", figure.alt), number(f"{many / 200:.3f} and", figure.alt)
    boosted = figure.alt.split("of new ones. ")[1].split(":")[0]
    heads = [
        f"MAP, naive Bayes: {bayes:.3f}\non new points {new[0]:.3f}",
        f"{boosted}: {many / 200:.3f}\non new points {new[1]:.3f}",
    ]
    if data != "two clouds":  # the new points are the middles of 40 by 40 cells
        side = (np.arange(40) + 0.5) / 20 - 1
        cells = np.array([(x, y) for y in side for x in side])
        truth = (cells**2).sum(axis=1) < 0.5
        wrong = (GaussianNaiveBayes().fit(X, y).predict(cells) > 0) != truth
        assert new[0] == pytest.approx(wrong.mean(), abs=5.1e-4)
    return written(picture.heads, heads)


def holds_three_votes(figure):
    examples, noise = figure.values["examples"], figure.values["noise"] / 100
    X, y, _ = ensembles.disc(1000, 0.0, random_state=0)
    X, y = X[:examples], y[:examples]
    right = [
        (above * np.where(X[:, attribute] >= threshold, 1, -1) == y).sum()
        for attribute in (0, 1)
        for threshold in np.round(np.arange(-9, 10) / 10, 1)
        for above in (1, -1)
    ]
    odds = (np.array(right) - max(right)) * log((1 - noise) / noise)
    assert number("its heaviest stump", figure.alt) == pytest.approx(1 / np.exp(odds).sum(), abs=5.1e-4)
    names = ("averaging", "bagging", "boosting")
    errors = [number(f"{name} has error", figure.alt) for name in names]
    picture, side = figure.picture, (np.arange(40) + 0.5) / 20 - 1
    truth = np.array([x * x + y * y < 0.5 for y in side for x in side])
    for plane, error in zip(picture.planes, errors):
        plus = check_plane(plane, X[:200], y[:200])
        red, _, blue, _ = np.moveaxis(plane.region.get_array().astype(int), -1, 0)
        assert error == pytest.approx((plus.ravel() != truth).mean(), abs=0.006 + (red == blue).mean())
    tops = [float(part) for part in re.findall(r"its heaviest stump ([\d.]+\d)", figure.alt)]
    heads = ["model averaging", "bagging", "boosting"]
    written(picture.heads, [f"{n}: error {e:.3f}\nheaviest stump {t:.3f}" for n, e, t in zip(heads, errors, tops)])
    assert min(errors) == errors[2] or examples < 50, "one stump after the other makes a disc, a posterior does not"
