"""Section 16: what must hold of its figures, and its numbers computed once more, point by point."""

from functools import cache
from math import comb, exp, log, sqrt

import numpy as np
import pytest

from bayeslib import GaussianNaiveBayes, ensembles
from bayeslib.live.ensembles import LEARNERS, UNEVEN
from tests.figures import number

PLUS, MINUS = [(1, 5), (2, 2), (5, 9), (6, 8), (8, 7)], [(4, 3), (5, 6), (7, 4), (9, 8.5), (9.5, 2)]
TEN = [(point, 1) for point in PLUS] + [(point, -1) for point in MINUS]


def majority(p, n):
    return sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n // 2 + 1, n + 1))


NUMBERS = {
    "16/share-in-bag": 100 * (1 - 0.9**10),
    "16/on-new-weights": 100 * 3 / 6,
    "16/twenty-one": 100 * majority(0.55, 21),
    "16/alpha-by-hand": 0.5 * log(0.8 / 0.2),
}
WRONG_NUMBERS = {
    "16/share-in-bag": {"all-in-bag": 100.0},
    "16/on-new-weights": {"same-error": 30.0, "mended-stump": 0.0},
    "16/twenty-one": {"weak-vote": 100 * majority(0.45, 21), "copies-vote": 55.0},
    "16/alpha-by-hand": {"half-missing": log(4), "log-ten": 0.5 * log(4, 10), "alpha-sign": -log(2)},
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


def sizes(axes):
    """The areas of all points in a plane, and how many have a ring."""
    minus, plus, rings = axes.collections
    areas = [np.broadcast_to(each.get_sizes(), len(each.get_offsets())) for each in (plus, minus)]
    return np.concatenate(areas), len(rings.get_offsets())


def holds_bootstrap_bag(figure):
    n, size = figure.values["n"], figure.values["size"]
    draws = max(round(n * size / 100), 1)
    assert number("Bag", figure.alt.replace(":", " ")) == figure.values["bag"]
    assert number(r"\^\d+ =", figure.alt) == pytest.approx(1 - (1 - 1 / n) ** draws, abs=5.1e-4)
    assert number("more rows", figure.alt) == pytest.approx(1 - exp(-size / 100), abs=5.1e-4)
    absent, present = (line.get_xdata() for line in figure.figure.axes[0].lines[:2])
    assert len(absent) + len(present) == n and len(present) <= draws
    assert number("a share of", figure.alt) == pytest.approx(len(present) / n, abs=5.1e-4)
    counted = sum(k * len(line.get_xdata()) for k, line in enumerate(figure.figure.axes[0].lines[2:], start=1))
    assert counted == draws or len(figure.figure.axes[0].lines[-1].get_xdata())


@cache
def fitted(learner):
    X, y, _ = ensembles.disc(150, 0.15, random_state=0)
    return LEARNERS[learner].fit(X, y)


def holds_bagging_votes(figure):
    learner, size, bags = (figure.values[name] for name in ("learner", "size", "bags"))
    assert f"{bags} bag" in figure.alt and f"of {round(1.5 * size)} rows" in figure.alt
    side = (np.arange(40) + 0.5) / 20 - 1
    truth = np.array([x * x + y * y < 0.5 for y in side for x in side])
    one, vote = (axes.images[0].get_array().reshape(-1, 4).astype(int) for axes in figure.figure.axes)
    for shown, words in ((one, f"bag {bags} alone"), (vote, "the vote")):
        plus = shown[:, 0] > shown[:, 2]  # the orange tint has more red than blue, the blue one less
        assert number(words, figure.alt) == pytest.approx((plus != truth).mean(), abs=0.006)
    if bags == 1:
        assert (one == vote).all(), "the vote of one bag is that bag"
    if learner == "nearest neighbour" and (size, bags) == (100, 101):
        assert "the very same answers" in figure.alt
    alone = fitted(learner).predict(np.array([(x, y) for y in side for x in side])) > 0
    assert number("on all the data", figure.alt) == pytest.approx((alone != truth).mean(), abs=5.1e-4)


def holds_boost_rounds(figure):
    data, step = figure.values["data"], figure.values["step"]
    left, right, sums = figure.figure.axes
    areas, rings = sizes(left)
    n = 10 if data == "ten points" else 120
    assert len(areas) == n
    texts = [text.get_text() for text in sums.texts if text.get_animated()]
    if step == 0:
        assert f"1/{n}" in figure.alt and rings == 0 and set(texts) == {"–"}
        return
    done = (step + 1) // 2
    assert number("Round", figure.alt.replace(",", " ")) == done
    assert texts[1:] == ["–"] * 4 if step % 2 else "–" not in texts
    error = number("ε =", figure.alt)
    if step % 2 == 0:
        assert number(r"\) =", figure.alt) == pytest.approx(0.5 * log((1 - error) / error), abs=6e-4)
        assert number("Z =", figure.alt) == pytest.approx(2 * sqrt(error * (1 - error)), abs=2e-4)
        assert number("errs on", figure.alt) == sizes(right)[1], "the ringed points are those that are counted"
    if data == "ten points":
        wanted, _, after, _, says = lesson()[done - 1]
        assert error == pytest.approx(wanted, abs=5.1e-5)
        weights = after if step % 2 == 0 else lesson()[done - 2][2] if done > 1 else [0.1] * 10
        assert areas == pytest.approx(np.maximum(1100 * np.array(weights), 5))
        assert rings == sum(say != label for say, (_, label) in zip(says, TEN)), "the wrong ones are ringed"


def holds_boost_bound(figure):
    data, step = figure.values["data"], figure.values["step"]
    lines = {line.get_label(): line.get_ydata() for line in figure.figure.axes[0].lines}
    bound, training = lines["bound Π 2√(ε(1−ε))"], lines["training error"]
    assert len(bound) == step + 1 and (np.diff(bound) <= 0).all()
    assert (np.array(training) <= np.array(bound) + 1e-12).all(), "the training error is under the bound"
    assert number("round", figure.alt.replace(":", " ")) == UNEVEN[step]
    assert number("training error", figure.alt) == pytest.approx(training[-1], abs=5.1e-4)
    assert number("bound", figure.alt) == pytest.approx(bound[-1], rel=0.05, abs=5.1e-4)
    margins = figure.figure.axes[1].lines[-2].get_xdata()[1:-1]
    assert number("Least margin", figure.alt) == pytest.approx(min(margins), abs=5.1e-4)
    assert (np.array(margins) <= 0).mean() >= training[-1] - 1e-9, "who is wrong has a negative margin"
    assert (
        ("error on the true disc" in figure.alt) == (data != "ten points") == bool(len(lines["error on the true disc"]))
    )
    if data == "ten points" and UNEVEN[step] <= 60:
        rounds = lesson()[: UNEVEN[step]]
        assert bound[-1] == pytest.approx(np.prod([2 * sqrt(e * (1 - e)) for e, *_ in rounds]))
        whole = sum(alpha for _, alpha, *_ in rounds)
        wanted = [label * vote / whole for (_, label), vote in zip(TEN, rounds[-1][3])]
        assert sorted(margins) == pytest.approx(sorted(wanted))


def holds_one_liar(figure):
    liar, step = figure.values["liar"], figure.values["step"]
    which = None if liar == "nobody" else [f"({x:g}, {y:g})" for (x, y), _ in TEN].index(liar)
    plane, traces, errors = figure.figure.axes
    assert (liar in figure.alt) == (which is not None)
    assert len(plane.lines[-1].get_xdata()) == (which is not None)
    if step == 0:
        assert "0.100" in figure.alt
        return
    rounds = lesson(which)[:step]
    weights = np.array([[0.1] * 10, *(each[2] for each in rounds)])
    shown = np.array([line.get_ydata() for line in traces.lines[1:11]]).T
    assert shown == pytest.approx(weights, abs=1e-6)
    truly = [sum((1 if vote > 1e-12 else -1) != label for vote, (_, label) in zip(each[3], TEN)) for each in rounds]
    assert list(errors.lines[-1].get_ydata()) == truly
    assert number("is wrong about", figure.alt) == truly[-1] == sizes(plane)[1]
    if which is not None:
        assert number("liar weighs", figure.alt) == pytest.approx(weights[-1, which], abs=5.1e-4)
    assert number(r"Heaviest: \([\d., ]+\)", figure.alt) == pytest.approx(weights[-1].max(), abs=5.1e-4)


def holds_map_regions(figure):
    data, voters, rounds = (figure.values[name] for name in ("data", "voters", "rounds"))
    X, y = ensembles.clouds(200, 0) if data == "two clouds" else ensembles.disc(200, 0.1, 0)[:2]
    bayes = (GaussianNaiveBayes().fit(X, y).predict(X) != y).mean()
    assert number("naive Bayes:", figure.alt) == pytest.approx(bayes, abs=5.1e-4)
    (areas, one), (_, many) = (sizes(axes) for axes in figure.figure.axes)
    assert len(areas) == 200 and one == round(200 * bayes), "every error has its ring"
    assert number(r"boosted [\w ]+:", figure.alt) == pytest.approx(many / 200, abs=5.1e-4)
    assert f"{rounds} boosted" in figure.alt or voters == "naive Bayes"


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
    assert number("heaviest stump has", figure.alt) == pytest.approx(1 / np.exp(odds).sum(), abs=5.1e-4)
    errors = [number(f"{name} errs on", figure.alt) for name in ("averaging", "bagging", "boosting")]
    assert min(errors) == errors[2] or examples < 50, "one stump after the other makes a disc, a posterior does not"
