"""Section 03: what must hold of its figures, and its numbers computed once more."""

import math
from itertools import combinations

import numpy as np
import pytest

from tests.figures import number

LIFTED = [[0.0, 1.0], [1.0, 3.0], [2.0, 10.0], [3.0, 5.0], [4.0, 4.0]]
SETTINGS = {
    "line_fit": {
        "points": [
            [[0.0, 1.0], [1.0, 3.0], [2.0, 2.0], [3.0, 5.0], [4.0, 4.0]],
            LIFTED,
            [[2.0, 1.0]] * 5,
            [[0.0, 0.0]] * 4 + [[4.0, 10.0]],
            [[0.0, 10.0], [4.0, 0.0], [0.5, 3.5], [3.9, 9.9], [4.0, 10.0]],
        ]
    }
}
NUMBERS = {
    "03/flip-after": next(k for k in range(100) if 6 + 2 * k < 1 + 5 * k),
    "03/bits": -math.log2(1 / 16 * 1 / 8),
}
WRONG_NUMBERS = {
    "03/flip-after": {"fit-best": next(k for k in range(100) if 2 * k < 5 * k)},
    "03/bits": {"fit-best": -math.log2(1 / 8), "nats": -math.log(1 / 128), "lengths-multiply": 4 * 3},
}


def holds_coin_likelihood(figure):
    heads, tails, theta, scale = (figure.values[name] for name in ("heads", "tails", "theta", "scale"))
    if heads + tails == 0:
        [peak] = [line for line in figure.figure.axes[0].lines if line.get_label() == "peak"]
        assert figure.alt.startswith("No toss yet") and not peak.get_visible()
        return
    best, theta = heads / (heads + tails), theta / 100
    top, here = best**heads * (1 - best) ** tails, theta**heads * (1 - theta) ** tails
    assert number("peaks at θ =", figure.alt) == pytest.approx(best, abs=5.1e-5)
    assert number("with", figure.alt) == pytest.approx(top, rel=1e-3)
    assert number(r"At θ = [\d.]+ it is", figure.alt) == pytest.approx(here, rel=1e-3)
    assert number("which is", figure.alt) == pytest.approx(here / top, abs=5.1e-4)
    grid = np.linspace(0, 1, 20001)
    area = np.trapezoid(grid**heads * (1 - grid) ** tails, grid)
    assert number("area under the likelihood itself is", figure.alt) == pytest.approx(area, rel=1e-3)
    lines = {line.get_label(): line for line in figure.figure.axes[0].lines}
    curve = next(line for line in lines.values() if len(line.get_xdata()) > 1)
    x, y = curve.get_data()
    ratio = np.exp(y) if scale == "log" else y
    assert ratio == pytest.approx(x**heads * (1 - x) ** tails / top)
    assert x[y.argmax()] == pytest.approx(best, abs=0.0051)
    assert lines["peak"].get_xdata() == pytest.approx([best]) and lines["your θ"].get_xdata() == pytest.approx([theta])
    if scale == "log" and here:
        assert number("ln of it:", figure.alt) == pytest.approx(math.log(here), abs=5.1e-4)


def holds_mean_likelihood(figure):
    mu, sigma, data = figure.values["mu"], figure.values["sigma"], [2, 4, 4, 5, 10]

    def log_likelihood(centre):
        return sum(
            math.log(math.exp(-(((x - centre) / sigma) ** 2) / 2) / (sigma * math.sqrt(2 * math.pi))) for x in data
        )

    assert number("squared error is", figure.alt) == pytest.approx(sum((x - mu) ** 2 for x in data), abs=0.0051)
    assert number("errors sum to", figure.alt) == pytest.approx(sum(x - mu for x in data), abs=0.0051)
    assert number("log-likelihood is", figure.alt) == pytest.approx(log_likelihood(mu), abs=0.0051)
    assert ("largest log-likelihood possible" in figure.alt) == math.isclose(mu, 5)
    above, below = figure.figure.axes
    assert [line.get_xdata()[0] for line in above.lines[1:6]] == data
    assert all(line.get_xdata()[1] == mu for line in above.lines[1:6])
    lines = {line.get_label(): line for line in below.lines}
    behind = log_likelihood(mu) - log_likelihood(5)
    assert lines["your μ"].get_ydata() == pytest.approx([max(behind, -12)], abs=1e-9)
    x, y = below.lines[0].get_data()
    assert y == pytest.approx([log_likelihood(each) - log_likelihood(5) for each in x], abs=1e-6)


def holds_line_fit(figure):
    values, axes = figure.values, figure.figure.axes
    (x, y), sigma, squared = np.array(values["points"]).T, values["sigma"], values["noise"] == "gaussian"

    def loss(line):
        r = y - line[0] - line[1] * x
        return r @ r if squared else np.abs(r).sum()

    def density(error):
        if squared:
            return -error / (2 * sigma**2) - 5 * math.log(sigma * math.sqrt(2 * math.pi))
        return -error / sigma - 5 * math.log(2 * sigma)

    several = len(set(x)) > 1
    if not several:
        assert "no single line is best" in figure.alt
        least = math.inf
    elif squared:
        slope, intercept = np.polyfit(x, y, 1)
        least = loss((intercept, slope))
    else:
        pairs = [(i, j) for i, j in combinations(range(5), 2) if x[i] != x[j]]
        slopes = [(y[j] - y[i]) / (x[j] - x[i]) for i, j in pairs]
        least = min(loss((y[i] - slope * x[i], slope)) for (i, _), slope in zip(pairs, slopes))
    yours = values["intercept"], values["slope"]
    assert number("(?:squared|absolute) error", figure.alt) == pytest.approx(loss(yours), abs=0.0051)
    assert number("log-likelihood", figure.alt) == pytest.approx(density(loss(yours)), abs=0.0051)
    assert ("no line does better" in figure.alt) == (several and loss(yours) - least < 1e-9 * (1 + least))
    if "behind" in figure.alt:
        assert number("yours is", figure.alt) == pytest.approx(density(least) - density(loss(yours)), abs=0.0051)
    place = values["points"][values["point"] - 1]
    assert f"Point {values['point']} is at ({place[0]:.1f}, {place[1]:.1f})" in figure.alt
    squares = [patch for patch in axes[0].patches]
    sides = y - yours[0] - yours[1] * x
    assert [patch.get_height() for patch in squares] == pytest.approx(sides)
    assert all(patch.get_visible() == squared for patch in squares)
    wide, high = axes[0].transData.transform([[1, 1]])[0] - axes[0].transData.transform([[0, 0]])[0]
    for patch in squares:
        assert patch.get_width() * wide == pytest.approx(abs(patch.get_height()) * high), "a square is a square"
    line = next(line for line in axes[0].lines if line.get_label() == "best")
    ray, best, mine = axes[1].lines
    assert line.get_visible() == best.get_visible() == several
    if several:
        ends = line.get_ydata()
        slope = (ends[1] - ends[0]) / 5
        assert loss((ends[0] + slope / 2, slope)) == pytest.approx(least, abs=1e-9)
        assert float(best.get_xdata()[0]) == pytest.approx(min(least, ray.get_xdata()[1]), abs=1e-9)
    assert ray.get_ydata() == pytest.approx([density(error) for error in ray.get_xdata()])
    assert float(mine.get_ydata()[0]) == pytest.approx(max(density(loss(yours)), axes[1].get_ylim()[0]))


def holds_message_length(figure):
    sick, found, flagged, base = (figure.values[name] for name in ("sick", "found", "flagged", "base"))
    parts = {"Sick": (sick / 1000, found / 100), "Healthy": (1 - sick / 1000, flagged / 100)}
    bars = figure.figure.axes[0].patches
    for row, (name, (prior, likelihood)) in enumerate(parts.items()):
        model, data = (math.log(1 / p) / math.log(base) for p in (prior, likelihood))
        assert number(f"{name}:", figure.alt) == pytest.approx(model, abs=5.1e-4)
        assert number(rf"{name}: [\d.]+ \+ [\d.]+ =", figure.alt) == pytest.approx(model + data, abs=5.1e-4)
        assert [bars[row].get_width(), bars[2 + row].get_width()] == pytest.approx([model, data], abs=1e-12)
        assert bars[2 + row].get_x() == pytest.approx(model)
    odds = math.prod(parts["Sick"]) / math.prod(parts["Healthy"])
    if math.isclose(odds, 1):
        assert "a tie" in figure.alt
    else:
        assert figure.alt.endswith(f"h_MAP = {'sick' if odds > 1 else 'healthy'}.")
        assert number("odds of", figure.alt) == pytest.approx(max(odds, 1 / odds), abs=5.1e-4)
    assert {2: "bits", math.e: "nats", 10: "decimal digits"}[base] in figure.figure.axes[0].get_xlabel()


def holds_degree_bits(figure):
    degree, seed = figure.values["degree"], figure.values["seed"]
    random = np.random.default_rng(seed)
    x = np.linspace(-1, 1, 20)
    y = 1 - 2 * x + 3 * x**3 + random.normal(0, 0.3, 20)
    new = random.uniform(-1, 1, 200)
    fresh = 1 - 2 * new + 3 * new**3 + random.normal(0, 0.3, 200)
    fits = [np.polynomial.Polynomial.fit(x, y, d) for d in range(10)]
    sse = np.array([((y - fit(x)) ** 2).sum() for fit in fits])
    model, data = np.arange(1, 11) / 2 * math.log2(20), 10 * np.log2(sse / 20)
    total, held = model + data, np.array([np.sqrt(((fresh - fit(new)) ** 2).mean()) for fit in fits])
    assert (np.diff(sse) <= 1e-9).all()
    for pattern, value, digits in (
        ("model", model[degree], 1),
        ("data", data[degree], 1),
        ("total", total[degree], 1),
        ("Squared error", sse[degree], 3),
        ("points; error", held[degree], 3),
        ("least:", held.min(), 3),
        ("it says", fits[degree](1.2), 2),
    ):
        assert number(pattern, figure.alt) == pytest.approx(value, abs=0.51 * 10**-digits), pattern
    assert ("the shortest of degrees" in figure.alt) == (degree == total.argmin())
    left, bars, below = figure.figure.axes
    tops = [patch.get_y() + patch.get_height() for patch in bars.patches]
    assert tops == pytest.approx([*data, *total])
    lines = {line.get_label(): line for line in bars.lines}
    assert lines["least"].get_xdata() == [total.argmin()] and lines["yours"].get_xdata() == [degree]
    assert below.lines[0].get_ydata() == pytest.approx(held)
    curve = next(line for line in left.lines if line.get_label() == "fit")
    assert curve.get_ydata() == pytest.approx(fits[degree](curve.get_xdata()), abs=1e-6)


def holds_three_uses(figure):
    heads, prior = figure.values["heads"], figure.values["prior"]
    coins = np.array([0.25, 0.5, 0.75])
    before = np.array({"mostly fair": [0.1, 0.8, 0.1], "flat": [1 / 3] * 3, "mostly bent": [0.4, 0.2, 0.4]}[prior])
    after = before * coins**heads / (before @ coins**heads)
    assert ", ".join(f"{each:.3f}" for each in after) in figure.alt
    assert [bar.get_height() for bar in figure.figure.axes[0].patches] == pytest.approx(after)
    assert number("BMA says", figure.alt) == pytest.approx(coins @ after, abs=5.1e-4)
    if heads:
        assert number("MLE says", figure.alt) == 0.75
        assert number("MAP says", figure.alt) == coins[after.argmax()]
    else:
        assert "MLE cannot choose" in figure.alt
        assert ("MAP cannot choose" in figure.alt) == (prior != "mostly fair")
    lines = {line.get_label(): line for line in figure.figure.axes[1].lines}
    for x, y in zip(*lines["BMA"].get_data()):
        belief = before * coins**x
        assert y == pytest.approx(belief @ coins / belief.sum())
    assert list(lines["MLE"].get_xdata()) == list(range(1, 11))


def holds_flat_prior(figure):
    heads, tails = figure.values["heads"], figure.values["tails"]
    axes = figure.figure.axes
    theta, belief = next(line for line in axes[0].lines if line.get_label() == "after").get_data()
    log_odds, other = next(line for line in axes[1].lines if line.get_label() == "after").get_data()
    assert np.log(theta / (1 - theta)) == pytest.approx(log_odds)
    exact = heads * np.log(theta) + tails * np.log(1 - theta)
    assert belief == pytest.approx(np.exp(exact - exact.max()))
    exact = (heads + 1) * np.log(theta) + (tails + 1) * np.log(1 - theta)
    assert other == pytest.approx(np.exp(exact - exact.max()))
    assert number("belief peaks at θ =", figure.alt.partition("log-odds")[2]) == pytest.approx(
        (heads + 1) / (heads + tails + 2), abs=5.1e-4
    )
    assert theta[other.argmax()] == pytest.approx((heads + 1) / (heads + tails + 2), abs=0.01)
    if heads + tails:
        assert number("over θ the belief peaks at θ =", figure.alt) == pytest.approx(
            heads / (heads + tails), abs=5.1e-4
        )
    else:
        assert "flat and has no peak" in figure.alt
