"""Section 10: what must hold of its figures, and its numbers computed once more."""

import re
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.special import logsumexp
from scipy.stats import multivariate_normal, norm

import bayeslib as bl
from bayeslib import GaussianMixture, KMeans, data, live
from bayeslib.live.k_means_and_em import BEST, GOOD, KS, MODELS, _run
from bayeslib.models import mixtures
from tests.figures import EXPLAINED, minus, number, placed, places, press, stroked, written
from tests.lab import ROOT

LINE = data.load_line()["x"].to_numpy()
STARTS = [
    [[-2.0, 3.0], [1.0, -3.0]],
    [[2.0, -2.0], [4.0, -4.0]],
    [[0.0, 0.0]],
    [[1.0, 1.0], [1.0, 1.0]],
    [[-5.0, 1.0], [-5.0, -1.0], [3.0, 0.0]],
    [[0.0, 0.0], [1.0, 2.0], [-3.0, 1.0], [4.0, 4.0], [4.0, -4.0]],
]
POINTS = [
    "a, b\n1, 2\n2, 1\n3, 3\n9, 8\n8, 9\n9, 9\n7, 8\n2, 2\n1, 1",
    "height; mass; name\n" + "\n".join(f"{150 + 7 * i % 40}; {50 + 11 * i % 30}; x" for i in range(20)),
    "a, b\n" + "\n".join(f"{i % 3}, {i}" for i in range(12)),
]
SETTINGS = {
    "kmeans_and_em": {"means": STARTS, "asked": [None, [6.5, 2.2], [-3.0, 4.0]]},
    "own_groups": {"text": POINTS},
}


def shares_of(x, means, sigma):
    """E[z] by hand: densities of every point, in logs because some underflow, divided by their sum."""
    logs = norm.logpdf(np.atleast_1d(x)[:, None], means, sigma)
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def climb(h, sigma, iterations):
    """The means after so many E and M steps."""
    for _ in range(iterations):
        shares = shares_of(LINE, h, sigma)
        h = LINE @ shares / shares.sum(axis=0)
    return h


def log_likelihood(h, sigma=1.0):
    logs = norm.logpdf(LINE[:, None], h, sigma)
    top = logs.max(axis=1, keepdims=True)
    return float((top[:, 0] + np.log(0.5 * np.exp(logs - top).sum(axis=1))).sum())


FIRST = shares_of(LINE, [3, 4], 1)
SECOND = LINE @ FIRST / FIRST.sum(axis=0)
NUMBERS = {
    "10/share": 100 * shares_of(3.4, [3, 4], 1)[0, 0],
    "10/second-mean": SECOND[1],
    "10/new-share": 100 * 0.25 * 0.4 / (0.25 * 0.4 + 0.75 * 0.08),
    "10/new-mean": np.average([2, 5, 11], weights=[0.9, 0.5, 0.1]),
    "10/count-numbers": 2 * 4 + 2 * (4 + 6) + 1,
}
WRONG_NUMBERS = {
    "10/share": {"hard-share": 100, "distance-share": 60, "density-share": 100 * norm.pdf(3.4, 3, 1)},
    "10/second-mean": {
        "divide-by-all": LINE @ FIRST[:, 1] / 10,
        "hard-share": LINE[LINE > 3.5].mean(),
        "3.9 is the average of all ten points, each counted once. Points to the right have larger shares here.": LINE.mean(),
    },
    "10/new-share": {
        "forgotten-weights": 100 * 0.4 / 0.48,
        "density-share": 100 * 0.25 * 0.4,
        "hard-share": 100,
        "25% is the weight, what we believe before we have seen x.": 25,
    },
    "10/new-mean": {
        "divide-by-all": np.dot([2, 5, 11], [0.9, 0.5, 0.1]) / 3,
        "hard-share": np.mean([2, 5]),
        "6 is the plain average of the three points. The shares have not been used.": np.mean([2, 5, 11]),
    },
    "10/count-numbers": {
        "28 are the means and covariances; one weight is learned as well.": 2 * 4 + 2 * 10,
        "The two weights sum to 1, so only one of them is free.": 2 * 4 + 2 * 10 + 2,
        "17 would be diagonal ellipses, with four variances each and no covariances.": 2 * 4 + 2 * 4 + 1,
        "A covariance matrix is symmetric: of its 16 entries only 10 are different.": 2 * 4 + 2 * 16 + 1,
    },
}


# k-means and EM in the plane once more, step by step, for one start of one set of points.


def plane(name):
    table = getattr(data, f"load_{name.replace(' ', '_')}")()
    return table[["x", "y"]].to_numpy(), table["component"].to_numpy()


@cache
def hard_steps(name, start):
    """(means, labels or None, how many changed side) after each step, until no point changes."""
    X, means = plane(name)[0], np.array(start)
    steps = [(means, None, 0)]
    while True:
        before, labels = steps[-1][1], ((X[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
        steps.append((means, labels, len(X) if before is None else int((labels != before).sum())))
        if steps[-1][2] == 0:
            return steps
        means = np.array([X[labels == j].mean(axis=0) if (labels == j).any() else mean for j, mean in enumerate(means)])
        steps.append((means, labels, 0))


@cache
def soft_steps(name, start, model, most=240):
    """(means, covariances, weights, shares or None, ln L) after each E and each M step from σ = 1 and equal weights."""
    X, means, k = plane(name)[0], np.array(start), len(start)
    theta, shares, steps = (means, np.array([np.eye(2)] * k), np.full(k, 1 / k)), None, []
    while len(steps) < most:
        joint = log_joint(X, *theta)
        total = float(logsumexp(joint, axis=1).sum())
        steps.append((*theta, shares, total))
        shares = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
        steps.append((*theta, shares, total))
        if len(steps) > 3 and total - steps[-3][4] < 1e-6:
            break
        theta = after_m(X, shares, theta, model)
    return steps


def log_joint(X, means, covariances, weights):
    parts = [multivariate_normal(mean, cov).logpdf(X) for mean, cov in zip(means, covariances)]
    return np.log(weights) + np.transpose(parts)


def after_m(X, shares, theta, model):
    """The means, covariances and weights of one M step; what the model does not learn stays."""
    count = shares.sum(axis=0)
    means = shares.T @ X / count[:, None]
    away = X - means[:, None]
    full = np.einsum("ij,jix,jiy->jxy", shares, away, away) / count[:, None, None]
    wide = np.trace(full, axis1=1, axis2=2)[:, None, None] / 2 * np.eye(2)
    covariances = full if model.startswith("full") else wide if model.startswith("round") else theta[1]
    lifted = [
        vectors @ np.diag(np.maximum(values, 1e-6)) @ vectors.T for values, vectors in map(np.linalg.eigh, covariances)
    ]
    return means, np.array(lifted), count / len(X) if "learned" in model else theta[2]


def check_cloud(cloud, X, means, start=None, trail=None, shares=None, covariances=None):
    """Points, means, starts, trails and rings of a drawn cloud."""
    k = len(means)
    assert [line.get_visible() for line in cloud.means] == [j < k for j in range(len(cloud.means))]
    decided = np.full(len(X), -1) if shares is None else np.where(shares.max(axis=1) > 0.95, shares.argmax(axis=1), -1)
    for j, mean in enumerate(means):
        assert np.ravel(cloud.means[j].get_data()) == pytest.approx(mean, abs=1e-6)
        assert len(cloud.points[j].get_xdata()) == (decided == j).sum()
        assert places(cloud.points[j]) == sorted(map(tuple, X[decided == j].tolist()))
        if start is not None:
            assert np.ravel(cloud.starts[j].get_data()) == pytest.approx(start[j])
        if trail is not None:
            assert np.transpose(cloud.trails[j].get_data()) == pytest.approx(
                np.array([each[j] for each in trail]), abs=1e-6
            )
        if covariances is not None:  # a ring of one σ and one of two: (x − μ)ᵀ Σ⁻¹ (x − μ) is 1 and 4
            for line, radius in ((cloud.rings[j], 1), (cloud.wide[j], 4)):
                away = np.array(line.get_data()) - np.reshape(mean, (2, 1))
                assert (away * np.linalg.solve(covariances[j], away)).sum(axis=0) == pytest.approx(radius, rel=1e-4)
    assert cloud.bare.get_visible() == (shares is None)
    if shares is None:
        assert places(cloud.bare) == sorted(map(tuple, X.tolist()))


def check_border(cloud, owner):
    """All along the border two components meet, and wherever neighbours on a grid differ the border is near."""
    line = np.transpose(cloud.border.get_data()) if cloud.border.get_visible() else np.empty((0, 2))
    along = np.linspace(0, 1, 40)[:, None, None]
    line = ((1 - along) * line[:-1] + along * line[1:]).reshape(-1, 2)
    line = line[np.isfinite(line).all(axis=1)]
    wide = cloud.limits[1] - cloud.limits[0]
    if len(line):
        meets = np.zeros(len(line), dtype=bool)
        for cells in (0.2, 0.7):  # a narrow territory is left by a longer step on both sides
            steps = cells * wide / 109 * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])
            left, right, down, up = (owner(line + step) for step in steps)
            meets |= (left != right) | (down != up)
        assert meets.mean() > 0.95
    at = np.linspace(*cloud.limits, 25)
    whose = owner(np.stack(np.meshgrid(at, at), axis=-1).reshape(-1, 2)).reshape(25, 25)
    down, across = np.nonzero(whose[:, 1:] != whose[:, :-1])
    middles = np.column_stack([(at[across] + at[across + 1]) / 2, at[down]])
    if len(middles):
        assert len(line), "there is a border to be drawn"
        near = np.sqrt(((middles[:, None] - line) ** 2).sum(axis=2)).min(axis=1)
        assert (near < wide / 24).mean() > 0.95


# What must hold of each figure in every state: caption and artists say what the formulas say.


def holds_two_means(figure):
    mu1, mu2, sigma, x, step = (figure.values[name] for name in ("mu1", "mu2", "sigma", "x", "step"))
    h, before = (climb(np.array([mu1, mu2]), sigma, steps) for steps in (step // 2, max(step - 1, 0) // 2))
    picture = figure.picture
    if step:
        exponents = 0.5 * ((x - h) / sigma) ** 2
        said = re.search(r"exponents −(\S+) and −([^\s,]+)", figure.alt)
        assert [float(each.rstrip(".")) for each in said.groups()] == pytest.approx(exponents, rel=6e-4, abs=1e-9)
        said = re.search(r"share of Gaussian 1 (?:is|will be) (1 − )?([\d.]+(?:e-\d+)?)\.$", figure.alt)
        told = float(said[2]) if not said[1] else 1 - float(said[2])
        assert told == pytest.approx(shares_of(x, h, sigma)[0, 0], abs=6e-4)
    else:
        assert not re.search("share of Gaussian|exponent", figure.alt), "the answer is told before the E step"
        assert number("triangle is at x =", figure.alt) == x
    grid, high = picture.total.get_data()
    scale = min(0.46 * 0.435, norm.pdf(0, 0, sigma) / 2) / norm.pdf(0, 0, sigma)
    assert high == pytest.approx(scale * norm.pdf(grid[:, None], h, sigma).sum(axis=1), abs=1e-4)
    for j, bell in enumerate(picture.bells):
        grid, high = bell.get_data()
        top = min(0.46 * 0.435, norm.pdf(0, 0, sigma) / 2)
        assert high == pytest.approx(top * norm.pdf(grid, h[j], sigma) / norm.pdf(0, 0, sigma), abs=1e-4)
        assert places(picture.means[j]) == [(pytest.approx(np.clip(h[j], -3.2, 11.2), abs=1e-6), 0)]
        moved = step % 2 == 0 and step and abs(before[j] - h[j]) > 1e-9
        assert places(picture.old[j]) == (
            [(pytest.approx(before[j]), each) for each in (0, pytest.approx(top))] if moved else []
        )
    assert places(picture.ask) == [(x, 0.028)]
    shares = shares_of(LINE, before, sigma).sum(axis=0) if step else [0, 0]
    assert [bar.get_height() for bar in picture.bars] == pytest.approx(shares, abs=1e-6)
    assert {round(bar.get_width(), 9) for bar in picture.bars} == {0.7}
    told = re.search(r"μ = \(([^,]+), ([^)]+)\)", figure.alt.replace("−", "-"))
    assert [float(each) for each in told.groups()] == pytest.approx(h, abs=6e-4)
    words = [minus(each, 3 if step else 1) for each in h]
    does = ("M step to" if step % 2 == 0 else "E step at") if step else "two guesses:"
    counts = [f"{each:.3f}" for each in shares] if step else ["?", "?"]
    return written(picture.words, [f"{does} μ = {words[0]} and {words[1]}"]) + written(picture.counts, counts)


def holds_em_bound(figure):
    mu1, mu2, step = (figure.values[name] for name in ("mu1", "mu2", "step"))
    if figure.alt.startswith(EXPLAINED):
        assert abs(mu1 - mu2) < 1e-9 and "stands still" in figure.alt
        return
    h = climb(np.array([mu1, mu2]), 1.0, step // 2)
    shares = shares_of(LINE, h, 1.0)
    new, here = LINE @ shares / shares.sum(axis=0), log_likelihood(h)
    entropy = -float((shares[shares > 0] * np.log(shares[shares > 0])).sum())
    gain, picture = log_likelihood(new) - here, figure.picture

    def f(at):
        """The bound at a hypothesis, and the log-likelihood there."""
        return float((shares * (np.log(0.5) + norm.logpdf(LINE[:, None], at, 1))).sum()) + entropy, log_likelihood(at)

    t, curve = picture.curve.get_data()
    bound = picture.bound.get_ydata()
    assert (bound <= curve + 1e-9).all() and np.isclose(bound, curve, atol=1e-9).any(), "it touches and never crosses"
    for i in (0, 60, 150, 250):
        assert np.array([bound[i], curve[i]]) * gain + here == pytest.approx(f(h + t[i] * (new - h)), abs=1e-6)
    top = f(new)[0]
    scaled = (top - here) / gain
    assert places(picture.touch) == [(0, 0)] and picture.reached.get_visible() == bool(step % 2)
    wanted = [f"touch: {minus(here, 3)}"]
    if step % 2:
        assert places(picture.top) == [(1, pytest.approx(scaled, abs=1e-6))] and places(picture.reached) == [(1, 1)]
        assert picture.gap.get_ydata() == pytest.approx([scaled, 1], abs=1e-6)
        if picture.best.get_visible():
            assert places(picture.best) == [(t[curve.argmax()], pytest.approx(curve.max()))]
        assert number("top of the bound,", figure.alt) == pytest.approx(top, abs=6e-4)
        gap, rose = number("gap of", figure.alt), number("it rose by", figure.alt)
        assert gap == pytest.approx(log_likelihood(new) - top, abs=6e-4) and gap >= 0
        assert rose == pytest.approx(gain, abs=6e-4) and rose > 0
        wanted += [f"top {minus(top, 3)}", f"ℓ is now {minus(log_likelihood(new), 3)}"]
    else:
        assert number("log-likelihood at", figure.alt) == pytest.approx(here, abs=6e-4)
        assert number("entropy,", figure.alt) == pytest.approx(entropy, abs=6e-4)
        assert number("Q =", figure.alt) == pytest.approx(here - entropy, abs=6e-4)
    return written([picture.words[name] for name in ("touch", "top", "reached")], wanted)


def holds_em_surfaces(figure):
    mu1, mu2, step = (figure.values[name] for name in ("mu1", "mu2", "step"))
    path = [climb(np.array([mu1, mu2]), 1.0, steps) for steps in range(step + 1)]
    h, new, picture = path[-1], climb(path[-1], 1.0, 1), figure.picture
    assert number("ln L =", figure.alt) == pytest.approx(log_likelihood(h), abs=6e-4)
    for line, here, top in zip(picture.paths, picture.here, picture.top):
        assert np.transpose(line.get_data()) == pytest.approx(np.array(path), abs=1e-6)
        assert np.ravel(here.get_data()) == pytest.approx(h, abs=1e-6)
        assert np.ravel(top.get_data()) == pytest.approx(new, abs=1e-6)
    count = shares_of(LINE, h, 1.0).sum(axis=0)  # Q falls by ½ Σ N_j (μ'_j − top_j)² from its top
    for ring, level in zip(picture.rings, (0.25, 1, 2.5, 5, 9, 15)):
        falls = 0.5 * (count[:, None] * (np.array(ring.get_data()) - new[:, None]) ** 2).sum(axis=0)
        assert falls == pytest.approx(level, rel=1e-6)
    assert ("saddle" in figure.alt) == (mu1 == mu2)


def holds_kmeans_and_em(figure):
    values, picture = figure.values, figure.picture
    (X, component), step, start = plane(values["data"]), values["step"], tuple(map(tuple, values["means"]))
    hard = hard_steps(values["data"], start)
    means, labels, changed = hard[min(step, len(hard) - 1)]
    given = None if labels is None else np.eye(len(start))[labels]
    trail = [each[0] for each in hard[: step + 1]]
    check_cloud(picture.clouds[0], X, means, start, trail, given)
    costs = [float(((X - each[0][each[1]]) ** 2).sum()) for each in hard[1:]]
    done = (
        "start"
        if not step
        else "stopped"
        if step >= len(hard) - 1
        else f"{changed} change side"
        if step % 2
        else "the means move"
    )
    said = ["", ""]
    if labels is not None:
        said[0] = f"{costs[min(step, len(hard) - 1) - 1]:.1f}"
        assert number("Cost", figure.alt) == pytest.approx(float(said[0]), abs=0.051)
        check_border(picture.clouds[0], lambda at: ((at[:, None] - means) ** 2).sum(axis=2).argmin(axis=1))
    soft = soft_steps(values["data"], start, values["model"])
    # The figure stops where a step gains less than 1e-6; so near the end both may be one step apart.
    now = soft[min(step, len(soft) - 1)]
    moved = [each[0] for each in soft[: step + 1]]
    drawn = len(picture.clouds[1].trails[0].get_xdata())
    assert drawn == len(moved) or min(drawn, len(moved)) >= 30 or "collapsed" in figure.alt
    if drawn == len(moved) and np.linalg.eigvalsh(now[1]).min() > 1e-3:
        check_cloud(picture.clouds[1], X, now[0], start, moved, now[3], now[1])
        apart = [np.abs(one - other).max() for one, other in combinations(now[0], 2)]
        if now[3] is not None and min(apart, default=1) > 0.01:  # else rounding decides where two that coincide meet
            check_border(picture.clouds[1], lambda at: log_joint(at, *now[:3]).argmax(axis=1))
        assert number("Log-likelihood", figure.alt) == pytest.approx(now[4], abs=0.006)
    said[1] = picture.values[1].get_text()
    assert float(said[1].replace("−", "-")) == pytest.approx(number("Log-likelihood", figure.alt), abs=0.0551)
    climbs = [each[4] for each in soft]
    for (line, dot), heights, seen in zip(picture.curves, (costs, climbs), (costs, climbs[2:])):
        x, y = line.get_data()
        collapsed = heights is climbs and min(np.linalg.eigvalsh(each[1]).min() for each in soft) < 1e-3
        if np.ptp(seen) > 1e-6 and not collapsed:  # else rounding decides, or where the width of a collapse ends
            scaled = (np.array(heights[: len(y)]) - min(seen)) / np.ptp(seen)
            assert y == pytest.approx(np.clip(scaled, -0.08, 1), abs=2e-3)
        assert not dot.get_visible() or places(dot) == [(x[-1], y[-1])]
    if places(picture.bound):
        (_, low), height = places(picture.bound)[0], picture.curves[1][1].get_ydata()[0]
        assert low == height if step % 2 else low <= height + 1e-9, "the bound touches after an E step"
    for cloud in picture.clouds:
        assert places(cloud.asked) == ([tuple(values["asked"])] if values["asked"] else [])
    if values["asked"] and step:
        assert number("to mean", figure.alt) == 1 + ((np.array(values["asked"]) - means) ** 2).sum(axis=1).argmin()
        if drawn == len(moved) and np.linalg.eigvalsh(now[1]).min() > 1e-3:
            joint = log_joint([values["asked"]] * 2, *now[:3])[0]
            said_shares = figure.alt.split("its shares are ")[1].split(". ")[0].rstrip(".").split(", ")
            assert list(map(float, said_shares)) == pytest.approx(np.exp(joint - logsumexp(joint)), abs=2e-3)
    assert ("Wrong against" in figure.alt) == (values["truth"] and step > 0)
    if values["truth"] and step:
        for cloud, whose in zip(picture.clouds, (labels, now[3].argmax(axis=1))):
            named = {j: np.bincount(component[whose == j]).argmax() for j in set(whose.tolist())}
            wrong = X[np.array([named[j] for j in whose.tolist()]) != component]
            assert places(cloud.wrong) == sorted(map(tuple, wrong.tolist()))
    undecided = 0 if now[3] is None else int((now[3].max(axis=1) < 0.9).sum())
    weighed = "start" if not step else f"E: {undecided} undecided" if drawn % 2 == 0 else "M: the means move"
    steps = written(picture.steps, [done, weighed])
    return steps + written(picture.values, [value for value in said if value])


def holds_em_starts(figure):
    method, step, picture = figure.values["method"], figure.values["step"], figure.picture
    if not step:
        assert "No start yet" in figure.alt
        check_cloud(picture.cloud, plane("three blobs")[0], [])
        return written(picture.words, ["0 starts, 0 stuck"])
    X = plane("three blobs")[0]
    means = np.array([np.ravel(line.get_data()) for line in picture.cloud.means if line.get_visible()])
    end = number("It ended at", figure.alt)
    distances = ((X[:, None] - means) ** 2).sum(axis=2)
    if method == "k-means":
        assert end == pytest.approx(distances.min(axis=1).sum(), abs=0.051)
        check_cloud(picture.cloud, X, means, shares=np.eye(3)[distances.argmin(axis=1)])
    elif "known" in method:
        logs = -distances / (2 * 0.7**2) - np.log(3 * 2 * np.pi * 0.7**2)
        assert end == pytest.approx(logsumexp(logs, axis=1).sum(), abs=0.051)
        shares = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
        check_cloud(picture.cloud, X, means, shares=shares, covariances=[0.49 * np.eye(2)] * 3)
    starts = re.findall(r"\((-?[\d.]+), (-?[\d.]+)\)", figure.alt.replace("−", "-"))
    drawn = [np.ravel(line.get_data()) for line in picture.cloud.starts if line.get_visible()]
    assert np.array(drawn) == pytest.approx(np.array(starts, dtype=float), abs=0.051)
    assert all(tuple(each) in set(map(tuple, X)) for each in drawn)
    for trail, begun, mean in zip(picture.cloud.trails, drawn, means):
        assert np.transpose(trail.get_data()) == pytest.approx(np.array([begun, mean]))
    # A stem for each different end, as high as there were such ends, from 0; the last start is marked on its own.
    ends = [end_of(method, figure.values["how"], each) for each in range(step)]
    assert ends[-1] == pytest.approx(end, abs=0.051)
    values, counts = np.unique(np.round(ends, 1), return_counts=True)
    placed(picture.tops, values, counts)
    stroked(picture.stems, [(value, 0, value, count) for value, count in zip(values, counts)])
    placed(picture.last, [round(ends[-1], 1)], [counts[values == round(ends[-1], 1)][0]])
    best = best_end(method)
    assert ("the best end" in figure.alt) == (abs(end - best) < 5.1)
    stuck = sum(abs(each - best) > 5 for each in ends)
    assert number("So far", figure.alt) == stuck
    return written(picture.words, [f"{step} starts, {stuck} stuck"])


@cache
def end_of(method, how, number):
    """Where the start of this number ends: the lesson's own steps, not the fast ones."""
    X = plane("three blobs")[0]
    hard = KMeans(3, start=how, random_state=number).fit(X)
    if method == "k-means":
        return hard.cost_
    options = {"start": hard.history_[0].means, "sigma": 0.7, "history": True}
    shape = ("full", "learned") if method.endswith("full") else ("known", "equal")
    return GaussianMixture(3, *shape, **options).fit(X).log_likelihood_


@cache
def best_end(method):
    """The cost or the log-likelihood where the true components start."""
    X, component = plane("three blobs")
    start = tuple(tuple(X[component == j].mean(axis=0)) for j in range(3))
    if method == "k-means":
        means, labels, _ = hard_steps("three blobs", start)[-1]
        return float(((X - means[labels]) ** 2).sum())
    theta = np.array(start), np.array([0.49 * np.eye(2)] * 3), np.full(3, 1 / 3)
    for _ in range(200):
        joint = log_joint(X, *theta)
        shares = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
        theta = after_m(X, shares, theta, "full, learned" if method.endswith("full") else "σ known")
    return float(logsumexp(log_joint(X, *theta), axis=1).sum())


def holds_choose_k(figure):
    k, picture = figure.values["k"], figure.picture
    X = plane("broad and tight")[0]
    full = figure.values["shape"].startswith("full")
    numbers = 2 * k + k - 1 + (3 * k if full else k)
    fit, bic = number("ℓ =", figure.alt), number(r"− [\d.]+ =", figure.alt)
    assert f"with {numbers} learned numbers" in figure.alt
    assert bic == pytest.approx(fit - numbers / 2 * np.log(len(X)), abs=0.11)
    curve, scores = picture.fit.get_ydata(), picture.bic.get_ydata()
    assert (np.diff(curve) > 0).all() and np.argmax(scores) == 1
    counted = [3 * j - 1 + (3 * j if full else j) for j in range(1, 6)]
    assert scores == pytest.approx(np.array(curve) - np.array(counted) / 2 * np.log(len(X)))
    assert fit == pytest.approx(curve[k - 1], abs=0.051)
    said = figure.alt.split("the log-likelihood is ")[1].split(";")[0].replace("−", "-").split(", ")
    assert list(map(float, said)) == pytest.approx(curve, abs=0.051)
    assert places(picture.here) == [(k, scores[k - 1])] and places(picture.best) == [(2, scores[1])]
    # The rings and means on the picture explain the points as well as it says.
    means = [np.ravel(line.get_data()) for line in picture.cloud.means[:k]]
    covariances = []
    for mean, ring in zip(means, picture.cloud.rings):
        away = np.array(ring.get_data())[:, :60] - mean[:, None]
        covariances.append(away @ away.T / 30)
    shares, total = explained(np.array(means).tobytes(), np.array(covariances).tobytes())
    assert total == pytest.approx(curve[k - 1], abs=0.05)
    check_cloud(picture.cloud, X, means, shares=shares, covariances=covariances)
    return written(picture.words, ["★ highest BIC: k = 2"])


@cache
def explained(means, covariances):
    """(shares, ln L) of the points under these components with the best weights."""
    X, means, covariances = plane("broad and tight")[0], *map(np.frombuffer, (means, covariances))
    means, covariances = means.reshape(-1, 2), covariances.reshape(-1, 2, 2)
    joint, weights = log_joint(X, means, covariances, 1.0), np.full(len(means), 1 / len(means))
    for _ in range(1000):
        logs = joint + np.log(weights)
        shares = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
        weights = shares.mean(axis=0)
    return shares, float(logsumexp(logs, axis=1).sum())


# Penguins, and the reader's own points

PENGUINS, FITS = data.load_penguins(), data.load_penguin_fits()
MEASURES = PENGUINS.iloc[:, 2:].to_numpy(float)
UNITS = {"mm and g": ("g", 1.0), "mm and kg": ("kg", np.array([1, 1, 1, 1000])), "standardised": ("standard", 1.0)}
KINDS = {"k-means": "k-means", "EM, round": "round", "EM, shared ellipse": "shared", "EM, full ellipses": "full"}
SPECIES = ["Adelie", "Chinstrap", "Gentoo"]


def learned_numbers(kind, k, features):
    widths = {"round": k, "shared": features * (features + 1) // 2, "full": k * features * (features + 1) // 2}
    return k * features + k - 1 + widths[kind]


@cache
def penguin_fit(kind, unit, k):
    """(the groups, cost or BIC) in these units: ellipses are fitted to standardised measures and then stretched."""
    code, by = UNITS[unit]
    used = "standard" if kind in ("shared", "full") else code
    draw = int(FITS.query("method == @kind and unit == @used and k == @k")["draw"].iloc[0])
    middle, spread = MEASURES.mean(axis=0), MEASURES.std(axis=0)
    X = (MEASURES - middle) / spread if used == "standard" else MEASURES / by
    if kind == "k-means":
        fit = KMeans(k, random_state=draw).fit(X)
        return fit.labels_, ((X - fit.means_[fit.labels_]) ** 2).sum()
    fit = GaussianMixture(k, kind, random_state=draw).fit(X)
    stretch = spread / by if used == "standard" != code else np.ones(4)
    parts = []
    for mean, covariance, weight in zip(fit.means_, fit.covariances_, fit.weights_):
        away, wide = (X - mean) * stretch, covariance * np.outer(stretch, stretch)
        distance = (away * np.linalg.solve(wide, away.T).T).sum(axis=1)
        parts.append(np.log(weight) - (distance + np.linalg.slogdet(2 * np.pi * wide)[1]) / 2)
    joint = np.transpose(parts)
    return joint.argmax(axis=1), logsumexp(joint, axis=1).sum() - learned_numbers(kind, k, 4) / 2 * np.log(len(X))


def check_groups(figure, x, y, groups, k, fits):
    """Points by group, the curve over k with its marks, and the sizes; returns what is written."""
    picture, kmeans = figure.picture, figure.values["method"] == "k-means"
    for j, line in enumerate(picture.points):
        assert places(line) == (sorted(zip(x[groups == j], y[groups == j])) if j < k else [])
    fits = np.array(fits)
    heights = 1 - fits / fits[0] if kmeans else (fits - fits.min()) / np.ptp(fits)
    placed(picture.scores, range(1, 6), heights, atol=2e-4)
    placed(picture.here, [k], [heights[k - 1]], atol=2e-4)
    best = int(fits.argmax()) + 1
    placed(picture.best, *(([], []) if kmeans else ([best], [1.0])))
    sizes = np.bincount(groups, minlength=k)
    assert f"k = {k}: groups of {', '.join(map(str, sizes))}" in figure.alt
    if kmeans:
        wanted = f"between / total: {heights[k - 1]:.1%}"
        assert f"Of all squared distances {heights[k - 1]:.1%} lie" in figure.alt
    else:
        wanted = f"BIC {minus(fits[k - 1], 1)} (★ highest)"
        assert number("BIC =", figure.alt) == pytest.approx(fits[k - 1], abs=0.06)
        assert number("highest at k =", figure.alt) == best
    marks = "\n".join(f"{mark} {size}" for mark, size in zip("●▲■◆▼", sizes))
    return written(picture.score, [wanted]) + written(picture.groups, [marks])


def holds_penguin_groups(figure):
    values, picture = figure.values, figure.picture
    kind, k = KINDS[values["method"]], values["k"]
    fits = [penguin_fit(kind, values["unit"], each) for each in range(1, 6)]
    groups = fits[k - 1][0]
    a, b = {"bill d": (0, 1), "flippe": (0, 2), "mass b": (0, 3)}[values["axes"][:6]]
    a, b = (2, 3) if values["axes"] == "mass by flipper" else (a, b)
    checked = check_groups(figure, MEASURES[:, a], MEASURES[:, b], groups, k, [each[1] for each in fits])
    table = np.array([[((groups == j) & (PENGUINS["species"] == each)).sum() for each in SPECIES] for j in range(k)])
    rows, columns = linear_sum_assignment(-table)
    wrong = len(groups) - table[rows, columns].sum()
    assert values["axes"] in figure.alt and ("species are hidden" in figure.alt) == (not values["species"])
    if not values["species"]:
        assert not places(picture.wrong) and not any(head.get_visible() for head in picture.heads)
        return checked + written([picture.words, *picture.columns], [])
    assert f" {wrong} of 342 are not with their species" in figure.alt
    assert len(picture.wrong.get_xdata()) == wrong
    named = {row: SPECIES[column] for row, column in zip(rows, columns)}
    others = MEASURES[[named.get(j) != kind for j, kind in zip(groups, PENGUINS["species"])]][:, [a, b]]
    assert k > 3 or places(picture.wrong) == sorted(map(tuple, others.tolist()))
    counts = ["\n".join(map(str, column)) for column in table.T]
    return (
        checked
        + written(picture.heads, SPECIES)
        + written(picture.columns, counts)
        + written(picture.words, [f"○ not with its species: {wrong}"])
    )


@cache
def own_numbers(kind, points):
    """(groups, cost or BIC) for one to five groups, by the lesson's own steps."""
    X, found, options = np.array(points), [], {"n_init": 3, "random_state": 0, "max_iter": 60}
    for k in range(1, 6):
        if kind == "k-means":
            fit = KMeans(k, **options).fit(X)
            found.append((fit.labels_, fit.cost_))
        else:
            fit = GaussianMixture(k, kind, **options).fit(X)
            penalty = learned_numbers(kind, k, 2) / 2 * np.log(len(X))
            found.append((fit.predict(X), fit.log_likelihood_ - penalty))
    return found


def holds_own_groups(figure):
    values = figure.values
    if figure.alt.startswith(EXPLAINED):
        return
    head, *rows = values["text"].strip().splitlines()
    rows = np.array([re.split(" *[,;] *", row)[:2] for row in rows], dtype=float)
    times = {"× 0.01": 0.01, "× 0.1": 0.1, "as typed": 1, "× 10": 10, "× 100": 100}[values["times"]]
    fits = own_numbers(KINDS[values["method"]], tuple(map(tuple, rows * [1, times])))
    assert figure.alt.startswith(f"{len(rows)} points, second column {values['times']}. {values['method']}, ")
    assert [figure.picture.plane.get_xlabel(), figure.picture.plane.get_ylabel()] == re.split(" *[,;] *", head)[:2]
    groups = fits[values["k"] - 1][0]
    return check_groups(figure, *rows.T, groups, values["k"], [each[1] for each in fits])


# Numbers that the lesson and its questions mention

TEXT = (ROOT / "bayeslib/sections/s10_k_means_and_em/questions.toml").read_text()
LESSON = (ROOT / "notebooks/10-k-means-and-em.ipynb").read_text()


def test_shares_and_bound_in_the_feedback_hold():
    line = live.two_means()
    line.set(step=1)
    assert (
        "exponents −0.08 and −0.18" in line.alt
        and "Gaussian 1 is 0.525" in line.alt
        and "N = 4.546 and 5.454" in line.alt
    )
    x = bl.data.load_line()["x"].to_numpy()
    shares = bl.GaussianMixture(2, "known", "equal", start=[3, 4]).fit(x).history_[1].responsibilities[:, 1]
    told = [f"{share:.3f}" for share in shares]
    assert f"{', '.join(told[:-1])} and {told[-1]}" in TEXT and f"{shares @ x:.3f}" == "28.085" and "28.085" in TEXT
    assert f"{', '.join(f'{each}' for each in x[:-1])} and {x[-1]}" in TEXT
    bound = live.em_bound()
    for told in ("−22.901", "−20.552", "gap of 2.349", "rose by 6.770", "bound by 4.421", "t = 1.46"):
        assert told in bound.alt
    for told in ("by exactly 4.421", "It rises by 6.770", "2.349 on top"):
        assert told in TEXT
    for told in ("−27.322", "−22.901", "−20.552", "2.349"):
        assert told in LESSON


def test_the_threshold_of_sigma_is_the_spread_of_the_data():
    x = bl.data.load_line()["x"].to_numpy()
    assert f"{x.std():.3f}" == "2.014" and "together is 2.01." in TEXT
    assert f"{x.var() / 2.1**2:.2f}" == "0.92" and "4.058 / 4.41 = 0.92" in TEXT
    line = live.two_means()
    line.set(sigma=2.1, step=line.controls["step"].max)
    assert line.controls["step"].max > 50
    line.set(step=line.controls["step"].max - 1)
    assert "μ = (3.898, 3.902)" in line.alt
    line.preset("reset")
    line.set(sigma=2.1, step=2)
    assert "μ = (3.434, 4.328)" in line.alt and "become 3.43 and 4.33" in TEXT


def test_scenes_of_the_showpiece_end_as_the_questions_say():
    figure = live.kmeans_and_em()
    figure.set(step=figure.controls["step"].max, truth=True)
    assert "k-means 22, EM 2 of 150" in figure.alt and "k-means 22, EM 2" in TEXT
    figure.preset("broad and tight")
    figure.set(step=15, truth=False)
    assert "k-means has stopped" in figure.alt and "EM, E step" in figure.alt, "the lecturer may stop here"
    figure.preset("cigars, true means")
    figure.set(step=figure.controls["step"].max, truth=True)
    assert "Cost 608.6" in figure.alt and "k-means 52, EM 0 of 120" in figure.alt
    assert "608.6, the true one 1039.5" in TEXT and "52 of 120 points in the wrong one" in TEXT
    figure.preset("onto the outlier")
    figure.set(step=figure.controls["step"].max)
    assert "Component 2 has collapsed" in figure.alt
    figure.preset("a bad start")
    figure.set(step=figure.controls["step"].max)
    assert "Cost 424.2" in figure.alt


def test_an_empty_cluster_is_said():
    figure = live.kmeans_and_em()
    figure.set(means=[[0.0, 0.0], [-6.0, 7.0]], model="σ = 1 known")
    figure.set(data="three blobs", means=[[3.0, 0.0], [-5.0, 0.0], [-7.5, 5.5]])
    figure.set(step=figure.controls["step"].max)
    assert "Mean 3 of k-means has no point" in figure.alt


def test_a_starting_mean_can_be_dragged_and_nudged():
    figure = live.kmeans_and_em()
    axes = figure.figure.axes[1]

    def place(x, y):
        px, py = axes.transData.transform((x, y)) / (figure.figure.bbox.width, figure.figure.bbox.height)
        return [px, 1 - py]

    figure.view.pointer = {"press": 1, "from": place(-1.9, 3.1), "to": place(3.7, -4.6)}
    assert figure.values["means"] == [[3.7, -4.6], [1.0, -3.0]]
    press(figure, "a", "a", "i")
    assert figure.values["means"] == [[3.5, -4.6], [1.0, -2.9]]
    figure.set(**figure.actions["add a mean"](figure.values))
    assert len(figure.values["means"]) == 3 and "3 guesses" in figure.alt


def test_how_many_starts_get_stuck():
    figure = live.em_starts()
    figure.preset("60 random starts")
    assert "11 of 60" in figure.alt and "11 of 60" in TEXT
    figure.preset("60 of k-means++")
    assert "6 of 60" in figure.alt


def test_far_point_and_bic_in_the_feedback_hold():
    X = bl.data.load_broad_and_tight()[["x", "y"]].to_numpy()
    fit = bl.GaussianMixture(2, "round", sigma=1.0, start=[(-2, 3), (1, -3)], tol=1e-6).fit(X)
    place = np.array([6.5, 2.2])
    assert f"{fit.predict_proba([place])[0, 0]:.3f}" == "0.991" and "Its share is 0.991" in TEXT
    assert np.exp(fit.score_samples([(4, 1.5)])[0]) == pytest.approx(0.21375, abs=5e-6)
    widths = np.hypot(*(place - fit.means_).T) / np.sqrt(fit.covariances_[:, 0, 0])
    assert 3 < widths[0] < 4 and 5 < widths[1] < 5.5
    broad, tight = fit.predict_proba([place])[0]
    assert 95 < broad / tight < 110 and "weight times density is a hundred times larger" in TEXT
    figure = live.choose_k()
    figure.set(k=5)
    assert "ℓ = −552.6" in figure.alt and "BIC is highest at k = 2" in figure.alt and "−552.6 at k = 5" in TEXT
    assert f"{np.log(150) / 2:.1f}" == "2.5"


@pytest.mark.parametrize("shape", BEST)
def test_the_kept_starts_are_the_best_of_thirty_that_did_not_collapse(shape):
    X = bl.data.load_broad_and_tight()[["x", "y"]].to_numpy()

    def run(k, seed):
        options = {"sigma": 1.0, "start": "points", "random_state": seed, "history": False}
        fit = bl.GaussianMixture(k, MODELS[shape][0], **options).fit(X)
        return -np.inf if fit.collapsed_ else fit.log_likelihood_

    for k in KS:
        tried = range(30) if k < 4 else range(0, 30, 5)
        assert run(k, BEST[shape][k]) >= max(run(k, seed) for seed in tried) - 0.01


def test_shares_of_a_gaussian_within_its_rings():
    assert (f"{1 - np.exp(-0.5):.0%}", f"{1 - np.exp(-2):.0%}") == ("39%", "86%") and "39%" in TEXT and "86%" in TEXT


def test_hard_shares_make_the_m_step_one_of_k_means():
    x = bl.data.load_line()["x"].to_numpy()[:, None]
    whole = np.eye(2)[mixtures.nearest(x, np.array([[3.0], [4.0]]))]
    means, _, weights = mixtures.m_step(x, whole)
    assert means.ravel() == pytest.approx([2.1, 5.7]) and weights.tolist() == [0.5, 0.5]
    assert "five points up to 3.4 average 2.1, the other five 5.7" in LESSON and (x <= 3.4).sum() == 5


def test_the_bound_of_one_point_in_the_lesson():
    """With the numbers as they are printed there."""
    means, p, shares = np.array([2.401, 5.150]), np.array([0.1211, 0.0431]), np.array([[0.525, 0.475]])
    assert 0.5 * np.exp(-0.5 * (3.4 - means) ** 2) / np.sqrt(2 * np.pi) == pytest.approx(p, abs=5e-5)
    found = np.log(p.sum()), mixtures.lower_bound(shares, np.log([p]))
    assert found == pytest.approx((-1.807, -1.910), abs=5e-4) and "-1.807 \\\\ge -1.910" in LESSON


def test_total_is_within_and_between():
    x = bl.data.load_line()["x"].to_numpy()
    within = bl.KMeans(2, start=[3, 4]).fit(x).cost_
    between = 5 * (2.1 - x.mean()) ** 2 + 5 * (5.7 - x.mean()) ** 2
    told = len(x) * x.var(), within, between
    assert told == pytest.approx((40.58, 8.18, 32.40), abs=5e-3) and "40.58 = 8.18 + 32.40" in LESSON


def test_a_small_gap_grows_by_the_variance_over_sigma_squared():
    x = bl.data.load_line()["x"].to_numpy()
    for sigma in (0.5, 1.0, 2.0, 2.1):
        options = {"sigma": sigma, "start": [3.9 - 5e-7, 3.9 + 5e-7], "max_iter": 1, "tol": 0}
        gap = np.ptp(bl.GaussianMixture(2, "known", "equal", **options).fit(x).means_)
        assert gap == pytest.approx(1e-6 * x.var() / sigma**2, rel=1e-6)


def wrong(groups, species, named=None):
    named = named or mixtures.best_naming(groups, species)
    return sum(named.get(group) != kind for group, kind in zip(groups.tolist(), species))


def test_penguins_not_with_their_species():
    table = bl.data.load_penguins()
    X, species = table.iloc[:, 2:].to_numpy(float), table["species"].to_numpy()
    standard = (X - X.mean(axis=0)) / X.std(axis=0)
    options = {"random_state": 0, "history": False}
    found = []
    for table in (X, X / [1, 1, 1, 1000], standard):
        hard = bl.KMeans(3, n_init=100, **options).fit(table)
        full = bl.GaussianMixture(3, "full", n_init=20, **options).fit(table)
        found.append((wrong(hard.labels_, species), wrong(full.predict(table), species)))
    assert found == [(144, 5), (55, 5), (29, 5)] and "It is 144." in TEXT and "29 is what it takes" in TEXT
    assert f"{X[:, 3].var() / X.var(axis=0).sum():.2%}" == "99.96%" and "99.96%" in LESSON
    assert np.ptp(X[:, 3]) == 3600 and (species != "Adelie").sum() == 191
    figure = live.penguin_groups()
    for label, count in (("k-means, g", 144), ("k-means, kg", 55), ("k-means, standardised", 29), ("EM, full", 5)):
        figure.preset(label)
        assert f"{count} of 342 are not" in figure.alt
    for method, best in (("EM, full ellipses", 3), ("EM, shared ellipse", 4), ("EM, round", 5)):
        figure.set(method=method, unit="standardised")
        assert figure.alt.split("highest at k = ")[1].startswith(str(best))


def test_six_round_groups_are_nearly_the_sexes_of_the_species():
    table = bl.data.load_penguins()
    X, known = table.iloc[:, 2:].to_numpy(float), (table["sex"] != "unknown").to_numpy()
    standard = (X - X.mean(axis=0)) / X.std(axis=0)
    fit = bl.GaussianMixture(6, "round", n_init=10, random_state=0, history=False).fit(standard)
    kinds = (table["species"] + table["sex"]).to_numpy()[known]
    right = len(kinds) - wrong(fit.predict(standard)[known], kinds)
    assert f"six round groups {right} of the {len(kinds)} penguins of known sex are with their species" in LESSON
    mass = table.groupby(["species", "sex"])["body_mass_g"].mean().unstack()
    assert (mass["male"] > mass["female"]).all()


def test_a_wide_sigma_need_not_put_the_means_in_one_place():
    x = np.r_[np.linspace(-0.1, 0.1, 1000), 10]
    fit = bl.GaussianMixture(2, "known", "equal", sigma=1, start=[0, 10]).fit(x)
    assert x.std() < 1 and fit.means_.ravel() == pytest.approx([0, 10], abs=1e-6) and "of the data can do that" in TEXT


@pytest.mark.heavy
def test_the_stored_fits_are_the_best_of_a_hundred_starts():
    X = bl.data.load_penguins().iloc[:, 2:].to_numpy(float)
    units = {"g": X, "kg": X / [1, 1, 1, 1000], "standard": (X - X.mean(axis=0)) / X.std(axis=0)}
    for method, unit, k, draw, score in bl.data.load_penguin_fits().itertuples(index=False, name=None):
        tried = {}
        for seed in range(100):
            if method == "k-means":
                fit = bl.KMeans(k, random_state=seed, history=False).fit(units[unit])
                tried[seed] = -fit.cost_, fit.cost_
            else:
                fit = bl.GaussianMixture(k, method, random_state=seed, history=False).fit(units[unit])
                climbed = -np.inf if fit.collapsed_ else fit.log_likelihood_
                tried[seed] = climbed, fit.bic_score(units[unit])
        assert tried[draw][0] == pytest.approx(max(value for value, _ in tried.values()), rel=1e-6)
        assert tried[draw][1] == pytest.approx(score, rel=1e-6)


@pytest.mark.heavy
def test_bic_on_halves_of_the_penguins_mostly_chooses_two():
    X = bl.data.load_penguins().iloc[:, 2:].to_numpy(float)
    X, chosen = (X - X.mean(axis=0)) / X.std(axis=0), []
    for seed in range(20):
        half = X[np.random.default_rng(seed).permutation(342)[:171]]
        fits = (bl.GaussianMixture(k, n_init=10, random_state=0, history=False).fit(half) for k in range(1, 5))
        chosen.append(1 + int(np.argmax([fit.bic_score(half) for fit in fits])))
    assert chosen.count(2) == 14 and "two groups in 14 of 20 cases" in LESSON
    two, three = (bl.GaussianMixture(k, max_iter=1, history=False).fit(X).free_parameters() for k in (2, 3))
    assert f"the {three - two} numbers of a third ellipse" in LESSON


def test_the_shapes_on_long_clouds():
    clouds = bl.data.load_cigars()
    X, side = clouds[["x", "y"]].to_numpy(), clouds["component"].to_numpy()
    for shape, told, missed in (("round", -520.37, 54), ("diagonal", -444.32, 0), ("full", -443.09, 0)):
        run = bl.GaussianMixture(2, shape, sigma=1, start=[(-3, 0), (3, 0)]).fit(X)
        count = (run.predict(X) != side).sum()
        assert run.log_likelihood_ == pytest.approx(told, abs=6e-3) and min(count, 120 - count) == missed


def stuck(how, starts):
    return sum(abs(_run("k-means", how, number)[3] - GOOD["k-means"]) > 5 for number in range(starts))


def test_who_ends_well_did_not_all_start_well():
    runs = [_run("k-means", "points", number) for number in range(60)]
    good = [abs(run[3] - GOOD["k-means"]) <= 5 for run in runs]
    blobs = next(run[1] for run, well in zip(runs, good) if well)
    spread = [len({*mixtures.nearest(run[0], blobs).tolist()}) == 3 for run in runs]
    assert (sum(good), sum(a and b for a, b in zip(good, spread)), sum(spread)) == (49, 20, 20)
    assert "20 of them start with a mean in each blob, and in the other 29" in TEXT


@pytest.mark.heavy
def test_sixty_starts_are_few():
    shares = [f"{stuck(how, 6000) / 6000:.0%}" for how in ("points", "k-means++")]
    assert "of 6000 starts about {} got stuck with random points and {} with k-means++".format(*shares) in LESSON
