"""Section 10: what must hold of its figures, and its numbers computed once more."""

import re

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from bayeslib import data
from tests.figures import EXPLAINED, number

LINE = data.load_line()["x"].to_numpy()
STARTS = [
    [[-2.0, 3.0], [1.0, -3.0]],
    [[2.0, -2.0], [4.0, -4.0]],
    [[0.0, 0.0]],
    [[1.0, 1.0], [1.0, 1.0]],
    [[-5.0, 1.0], [-5.0, -1.0], [3.0, 0.0]],
    [[0.0, 0.0], [1.0, 2.0], [-3.0, 1.0], [4.0, 4.0], [4.0, -4.0]],
]
SETTINGS = {"kmeans_and_em": {"means": STARTS}}


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
}
WRONG_NUMBERS = {
    "10/share": {"hard-share": 100, "distance-share": 60, "density-share": 100 * norm.pdf(3.4, 3, 1)},
    "10/second-mean": {
        "divide-by-all": LINE @ FIRST[:, 1] / 10,
        "hard-share": LINE[LINE > 3.5].mean(),
    },
}


# What must hold of each figure in every state: caption and artists say what the formulas say.


def holds_two_means(figure):
    mu1, mu2, sigma, x, step = (figure.values[name] for name in ("mu1", "mu2", "sigma", "x", "step"))
    h = climb(np.array([mu1, mu2]), sigma, step // 2)
    line, stacks = figure.figure.axes
    exponents = 0.5 * ((x - h) / sigma) ** 2
    said = re.search(r"exponents −(\S+) and −([^\s,]+)", figure.alt)
    assert [float(each.rstrip(".")) for each in said.groups()] == pytest.approx(exponents, rel=6e-4, abs=1e-9)
    if step:
        said = re.search(r"share of Gaussian 1 (?:is|will be) (1 − )?([\d.]+(?:e-\d+)?)\.$", figure.alt)
        told = float(said[2]) if not said[1] else 1 - float(said[2])
        assert told == pytest.approx(shares_of(x, h, sigma)[0, 0], abs=6e-4)
    else:
        assert "share of Gaussian" not in figure.alt, "the answer is told before the E step"
    assert [bell.get_xdata()[bell.get_ydata().argmax()] for bell in line.lines[1:3]] == pytest.approx(
        np.clip(h, -3.2, 11.2), abs=0.03
    )
    if step:
        shares = shares_of(LINE, climb(np.array([mu1, mu2]), sigma, (step - 1) // 2), sigma)
        bars = [patch.get_height() for patch in stacks.patches]
        assert bars == pytest.approx(shares.sum(axis=0), abs=1e-6) and sum(bars) == pytest.approx(10)
    value = number("ln L climbs to" if step and step % 2 == 0 else "ln L =", figure.alt)
    assert value == pytest.approx(log_likelihood(h, sigma), abs=6e-4, rel=1e-6)


def holds_em_bound(figure):
    mu1, mu2, step = (figure.values[name] for name in ("mu1", "mu2", "step"))
    if figure.alt.startswith(EXPLAINED):
        assert abs(mu1 - mu2) < 1e-9 and "stands still" in figure.alt
        return
    h = climb(np.array([mu1, mu2]), 1.0, step // 2)
    shares = shares_of(LINE, h, 1.0)
    new, here = LINE @ shares / shares.sum(axis=0), log_likelihood(h)
    q = float((shares * (np.log(0.5) + norm.logpdf(LINE[:, None], new, 1))).sum())
    entropy = -float((shares[shares > 0] * np.log(shares[shares > 0])).sum())
    curve, bound = (line.get_ydata() for line in figure.figure.axes[0].lines[:2])
    assert (bound <= curve + 1e-9).all() and np.isclose(bound, curve, atol=1e-9).any(), "it touches and never crosses"
    if step % 2:
        assert number("top of the bound,", figure.alt) == pytest.approx(q + entropy, abs=6e-4)
        gap, rose = number("gap of", figure.alt), number("it rose by", figure.alt)
        assert gap == pytest.approx(log_likelihood(new) - q - entropy, abs=6e-4) and gap >= 0
        assert rose == pytest.approx(log_likelihood(new) - here, abs=6e-4) and rose > 0
    else:
        assert number("log-likelihood at", figure.alt) == pytest.approx(here, abs=6e-4)
        assert number("H =", figure.alt) == pytest.approx(entropy, abs=6e-4)


def holds_em_surfaces(figure):
    mu1, mu2, step = (figure.values[name] for name in ("mu1", "mu2", "step"))
    h = climb(np.array([mu1, mu2]), 1.0, step)
    new = climb(h, 1.0, 1)
    assert number("ln L =", figure.alt) == pytest.approx(log_likelihood(h), abs=6e-4)
    for axes in figure.figure.axes:
        here, top = axes.lines[-2:]
        assert [float(*each) for each in here.get_data()] == pytest.approx(h, abs=1e-6)
        assert [float(*each) for each in top.get_data()] == pytest.approx(new, abs=1e-6)
    assert ("saddle" in figure.alt) == (mu1 == mu2)


def holds_kmeans_and_em(figure):
    values = figure.values
    table = getattr(data, f"load_{values['data'].replace(' ', '_')}")()
    X, step, start = table[["x", "y"]].to_numpy(), values["step"], np.array(values["means"])
    hard, soft = figure.figure.axes[:2]
    # k-means once more
    means, labels, done = start, None, 0
    while done < step:
        distances = ((X[:, None] - means) ** 2).sum(axis=2)
        fresh = distances.argmin(axis=1)
        done += 1
        if labels is not None and (fresh == labels).all():
            break
        labels = fresh
        if done < step:
            means = np.array([X[labels == j].mean(axis=0) if (labels == j).any() else m for j, m in enumerate(means)])
            done += 1
    drawn = [line for line in hard.lines if line.get_markersize() == 15 and line.get_visible()]
    assert [float(line.get_xdata()[0]) for line in drawn] == pytest.approx(means[:, 0])
    if labels is not None:
        cost = ((X - means[labels]) ** 2).sum()
        assert number("Cost", figure.alt) == pytest.approx(cost, abs=0.051)
    # EM: the log-likelihood of the means and rings on the picture
    centres = [line.get_data() for line in soft.lines if line.get_markersize() == 15 and line.get_visible()]
    rings = [line.get_data() for line in soft.lines if line.get_linewidth() == 2.6 and line.get_visible()]
    assert len(centres) == len(rings) == len(start)
    if len(start) == 2 and values["model"].startswith("σ = 1 known") and "learned" not in values["model"]:
        density = sum(0.5 * multivariate_normal([float(*x), float(*y)], np.eye(2)).pdf(X) for x, y in centres)
        assert number("Log-likelihood", figure.alt) == pytest.approx(np.log(density).sum(), abs=0.006)
        assert all(np.ptp(x) == pytest.approx(2, abs=0.01) for x, _ in rings), "a ring has the radius σ"
    shares = "shares" in figure.alt
    assert shares == (step % 2 == 1 or "E step" in figure.alt)
    assert ("Wrong against" in figure.alt) == (values["truth"] and step > 0)


def holds_em_starts(figure):
    method, step = figure.values["method"], figure.values["step"]
    plane, pile = figure.figure.axes
    assert len(pile.lines[0].get_xdata()) == step
    if not step:
        assert "No start yet" in figure.alt
        return
    X = data.load_three_blobs()[["x", "y"]].to_numpy()
    drawn = [line.get_data() for line in plane.lines if line.get_markersize() == 15 and line.get_visible()]
    means = np.array(drawn)[:, :, 0]
    end = number("It ended at", figure.alt)
    distances = ((X[:, None] - means) ** 2).sum(axis=2)
    if method == "k-means":
        assert end == pytest.approx(distances.min(axis=1).sum(), abs=0.051)
    elif "known" in method:
        density = np.exp(-distances / (2 * 0.7**2)).sum(axis=1) / (3 * 2 * np.pi * 0.7**2)
        assert end == pytest.approx(np.log(density).sum(), abs=0.051)
    best = {"k-means": 116.0, "EM, σ = 0.7 known": -384.6, "EM, full": -381.95}[method]
    assert ("the best end" in figure.alt) == (abs(end - best) < 5.1)
    assert number("So far", figure.alt) <= step


def holds_choose_k(figure):
    k = figure.values["k"]
    X = data.load_broad_and_tight()[["x", "y"]].to_numpy()
    full = figure.values["shape"].startswith("full")
    numbers = 2 * k + k - 1 + (3 * k if full else k)
    fit, bic = number("ℓ =", figure.alt), number(r"− [\d.]+ =", figure.alt)
    assert number("d =", figure.alt) == numbers
    assert bic == pytest.approx(fit - numbers / 2 * np.log(len(X)), abs=0.11)
    curve, scores = (line.get_ydata() for line in figure.figure.axes[1].lines[:2])
    assert (np.diff(curve) > 0).all() and np.argmax(scores) == 1
    assert fit == pytest.approx(curve[k - 1], abs=0.051)
