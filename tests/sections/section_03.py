"""Section 03: what must hold of its figures, and its numbers computed once more."""

import math
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from bayeslib.plots import theme
from tests.figures import number, placed, sized, written

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
    "03/bits": {
        "fit-best": -math.log2(1 / 8),
        "Bits need logarithms to base 2; one nat is 1.443 bits.": -math.log(1 / 128),
        "lengths-multiply": 4 * 3,
    },
}


def holds_coin_likelihood(figure):
    heads, tails, theta, scale = (figure.values[name] for name in ("heads", "tails", "theta", "scale"))
    picture, tossed, theta = figure.picture, heads + tails > 0, theta / 100
    best = heads / (heads + tails) if tossed else 0.5

    def likelihood(theta):
        return theta**heads * (1 - theta) ** tails

    def height(theta):
        share = likelihood(theta) / likelihood(best)
        with np.errstate(divide="ignore"):
            return np.log(share) if scale == "log" else share

    top, here, grid = likelihood(best), likelihood(theta), np.linspace(0, 1, 201)
    low = picture.axes.get_ylim()[0]
    seen = grid[height(grid) > low - 30]
    placed(picture.curve, seen, height(seen))
    placed(picture.yours, [theta], [max(height(theta), low)])
    placed(picture.peak, *([best], [height(best)]) if tossed else ([], []))
    outline = picture.area.get_xy()
    if scale == "log":
        assert np.ptp(outline) == 0, "no area under a logarithm"
    else:
        area = np.trapezoid(outline[:201, 1], outline[:201, 0])
        exact = 1 / ((heads + tails + 1) * math.comb(heads + tails, heads) * top)
        assert area == pytest.approx(exact, rel=2e-3) and (outline[201:203, 1] == 0).all()
    if not tossed:
        assert figure.alt.startswith("No toss yet")
        return written(picture.words, ["no toss, no peak"])
    assert number("peaks at θ =", figure.alt) == pytest.approx(best, abs=5.1e-5)
    assert number("with", figure.alt) == pytest.approx(top, rel=1e-3)
    assert number(r"At θ = [\d.]+ it is", figure.alt) == pytest.approx(here, rel=1e-3)
    assert number("which is", figure.alt) == pytest.approx(here / top, abs=5.1e-4)
    area = np.trapezoid(likelihood(np.linspace(0, 1, 20001)), dx=1 / 20000)
    assert number("area under the likelihood itself is", figure.alt) == pytest.approx(area, rel=1e-3)
    if scale == "log" and here:
        assert number("ln of it:", figure.alt) == pytest.approx(math.log(here), abs=5.1e-4)
    nudges = (1 - 1e-12, 1 + 1e-12)  # powers of one half end in a 5 that may go either way
    told = [f"peak {top * one:.4g} at {best:.2f}; yours {here * other:.4g}" for one in nudges for other in nudges]
    assert picture.words.get_text() in told
    return told


def holds_mean_likelihood(figure):
    mu, sigma, data = figure.values["mu"], figure.values["sigma"], np.array([2, 4, 4, 5, 10])
    picture, errors = figure.picture, data - mu

    def log_likelihood(centre):
        squares = np.subtract.outer(centre, data) ** 2
        return (-squares / (2 * sigma**2) - math.log(sigma * math.sqrt(2 * math.pi))).sum(axis=-1)

    mine, best = log_likelihood(mu), log_likelihood(5)
    assert number("squared error is", figure.alt) == pytest.approx(errors @ errors, abs=0.0051)
    assert number("errors sum to", figure.alt) == pytest.approx(errors.sum(), abs=0.0051)
    assert number("log-likelihood is", figure.alt) == pytest.approx(mine, abs=0.0051)
    assert ("largest log-likelihood possible" in figure.alt) == math.isclose(mu, 5)
    placed(picture.dots, data, range(5))
    for row, line in enumerate(picture.residuals):
        placed(line, [data[row], mu], [row, row])
    placed(picture.rule, [mu, mu], [0, 1])
    x, low = picture.parabola.get_xdata(), picture.yours.axes.get_ylim()[0]
    assert (np.diff(x) > 0).all() and np.ptp(np.diff(x)) < 1e-9
    reach = 5 - sigma * math.sqrt(-2 * low / 5)  # where the curve leaves the picture
    assert x[0] == pytest.approx(max(reach, 0), abs=0.06) and x[-1] == pytest.approx(min(10 - reach, 12), abs=0.06)
    placed(picture.parabola, x, log_likelihood(x) - best)
    placed(picture.peak, [5], [0])
    placed(picture.yours, [mu], [max(mine - best, low)])
    told = f"Σ r² = {errors @ errors:.2f}    log-likelihood = {mine:.2f}    Σ r = {errors.sum():.2f}"
    return written(picture.words, [theme.minus(told)])


def holds_line_fit(figure):
    values, picture = figure.values, figure.picture
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
    mine, here = loss(yours), density(loss(yours))
    told = best = number("(?:squared|absolute) error", figure.alt), number("log-likelihood", figure.alt)
    assert told == pytest.approx((mine, here), abs=0.0051)
    assert ("no line does better" in figure.alt) == (several and mine - least < 1e-9 * (1 + least))
    if "behind" in figure.alt:
        best = number("has", figure.alt), number(r"has [\d.]+ and", figure.alt)
        assert best == pytest.approx((least, density(least)), abs=0.0051)
        assert number("yours is", figure.alt) == pytest.approx(density(least) - here, abs=0.0051)
    place = values["points"][values["point"] - 1]
    assert f"Point {values['point']} is at ({place[0]:.1f}, {place[1]:.1f})" in figure.alt
    on_line, ends = yours[0] + yours[1] * x, np.array([-0.5, 4.5])
    pixel = picture.points.transData.transform([[0, 0], [1, 1]])
    wide, high = pixel[1] - pixel[0]
    sides = y - on_line  # a square is a square on the screen
    assert [square.get_visible() for square in picture.squares] == [squared] * 5
    if squared:
        sized(picture.squares, x=x, y=on_line, width=np.abs(sides) * high / wide, height=sides)
    for row, line in enumerate(picture.errors):
        placed(line, *([], []) if squared else ([x[row]] * 2, [on_line[row], y[row]]))
    placed(picture.line, ends, yours[0] + yours[1] * ends)
    placed(picture.dots, x, y)
    placed(picture.chosen, *np.transpose([place]))
    assert picture.best.get_visible() == picture.there.get_visible() == several
    reach, low = picture.ray.get_xdata()[1], picture.plane.get_ylim()[0]
    assert reach >= min(mine, 5000) and picture.ray.get_xdata()[0] == 0
    placed(picture.ray, [0, reach], [density(0), density(reach)])
    placed(picture.here, [min(mine, reach)], [max(here, low)])
    if several:  # where several lines are best, one of them
        low_end, high_end = picture.best.get_ydata()
        slope = (high_end - low_end) / 5
        placed(picture.best, ends, [low_end, high_end])
        assert loss((low_end + slope / 2, slope)) == pytest.approx(least, abs=1e-9)
        placed(picture.there, [min(least, reach)], [max(density(least), low)], atol=1e-7)
    symbol, also = "Σ r²" if squared else "Σ |r|", "{}(best {:.2f})" if several else ""
    words = f"{symbol} = {told[0]:.2f}" + also.format("   ", best[0]), f"{told[1]:.2f}" + also.format("  ", best[1])
    return written(picture.words, map(theme.minus, words))


def holds_message_length(figure):
    sick, found, flagged, base = (figure.values[name] for name in ("sick", "found", "flagged", "base"))
    picture, odds = figure.picture, sick * found / ((1000 - sick) * flagged)
    tie = math.isclose(odds, 1)
    model, data = (
        np.array([math.log(1 / p, base) for p in pair])
        for pair in ((sick / 1000, 1 - sick / 1000), (found / 100, flagged / 100))
    )
    sums = [f"{first:.3f} + {second:.3f} = {first + second:.3f}" for first, second in zip(model, data)]
    for name, told in zip(("Sick", "Healthy"), sums):
        assert f"{name}: {told} " in figure.alt
    sized(picture.model, x=0, y=[0.47, 1.47], width=model, height=0.4)
    sized(picture.data, x=model, y=[0.47, 1.47], width=data, height=0.4)
    if tie:
        assert "a tie" in figure.alt
    else:
        assert figure.alt.endswith(f"h_MAP = {'sick' if odds > 1 else 'healthy'}.")
        assert number("odds of", figure.alt) == pytest.approx(max(odds, 1 / odds), abs=5.1e-4)
    assert {2: "bits", math.e: "nats", 10: "decimal digits"}[base] in picture.axes.get_xlabel()
    shorter = ["   shorter" * (odds > 1 and not tie), "   shorter" * (odds < 1 and not tie)]
    return written(picture.words, [f"sick: {sums[0]}{shorter[0]}", f"healthy: {sums[1]}{shorter[1]}"])


@cache
def cubic_fits(seed):
    """The points of a data set, polynomials of degree 0 to 9 through them, and their bits and errors."""
    random = np.random.default_rng(seed)
    x = np.linspace(-1, 1, 20)
    y = 1 - 2 * x + 3 * x**3 + random.normal(0, 0.3, 20)
    new = random.uniform(-1, 1, 200)
    fresh = 1 - 2 * new + 3 * new**3 + random.normal(0, 0.3, 200)
    fits = [np.polynomial.Polynomial.fit(x, y, d) for d in range(10)]
    sse = np.array([((y - fit(x)) ** 2).sum() for fit in fits])
    model, data = np.arange(1, 11) / 2 * math.log2(20), 10 * np.log2(sse / 20)
    held = np.array([np.sqrt(((fresh - fit(new)) ** 2).mean()) for fit in fits])
    return (x, y), fits, sse, model, data, held


def holds_degree_bits(figure):
    degree, picture = figure.values["degree"], figure.picture
    points, fits, sse, model, data, held = cubic_fits(figure.values["seed"])
    total = model + data
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
    floor, left = picture.yours.axes.get_ylim()[0], np.arange(10) - 0.36
    sized(picture.data, x=left, y=floor, width=0.72, height=data - floor)
    sized(picture.model, x=left, y=data, width=0.72, height=model)
    placed(picture.shortest, [total.argmin()], [total.min()])
    placed(picture.yours, [degree], [total[degree] + 12])
    placed(picture.fresh, range(10), held)
    placed(picture.least, [held.argmin()], [held.min()])
    placed(picture.here, [degree], [held[degree] + 0.12])
    placed(picture.dots, *points)
    along = picture.truth.get_xdata()
    placed(picture.truth, along, 1 - 2 * along + 3 * along**3)
    placed(picture.curve, along, fits[degree](along))


def holds_three_uses(figure):
    heads, prior, picture = figure.values["heads"], figure.values["prior"], figure.picture
    coins, tosses = np.array([0.25, 0.5, 0.75]), np.arange(11)
    before = np.array({"mostly fair": [0.1, 0.8, 0.1], "flat": [1 / 3] * 3, "mostly bent": [0.4, 0.2, 0.4]}[prior])
    beliefs = before * coins ** tosses[:, None]
    beliefs /= beliefs.sum(axis=1, keepdims=True)
    after, average = beliefs[heads], beliefs @ coins
    sure = tosses[np.isclose(beliefs, beliefs.max(axis=1, keepdims=True)).sum(axis=1) == 1]
    assert ", ".join(f"{each:.3f}" for each in after) in figure.alt
    assert number("BMA says", figure.alt) == pytest.approx(average[heads], abs=5.1e-4)
    if heads:
        assert number("MLE says", figure.alt) == 0.75
        assert number("MAP says", figure.alt) == coins[after.argmax()]
    else:
        assert "MLE cannot choose" in figure.alt
        assert ("MAP cannot choose" in figure.alt) == (prior != "mostly fair")
    sized(picture.bars, x=np.arange(3) - 0.35, y=0, width=0.7, height=after)
    placed(picture.rule, [heads, heads], [0, 1])
    placed(picture.lines["BMA"], tosses, average)
    placed(picture.lines["MLE"], tosses[1:], 0.75)
    placed(picture.lines["MAP"], sure, coins[beliefs[sure].argmax(axis=1)])
    return written(picture.numbers, [f"{each:.3f}" for each in after])


def holds_flat_prior(figure):
    heads, tails, picture = figure.values["heads"], figure.values["tails"], figure.picture
    log_odds = np.linspace(-9, 9, 361)
    theta = 1 / (1 + np.exp(-log_odds))

    def shape(heads, tails):
        exact = heads * np.log(theta) + tails * np.log(1 - theta)
        return np.exp(exact - exact.max())

    placed(picture.lines["chance"], theta, shape(heads, tails))
    placed(picture.lines["log-odds"], log_odds, shape(heads + 1, tails + 1))  # dθ is θ(1 − θ) times d log-odds
    placed(picture.priors["chance"], theta, 1)
    placed(picture.priors["log-odds"], log_odds, shape(1, 1))
    other = (heads + 1) / (heads + tails + 2)
    placed(picture.peaks["log-odds"], [np.log(other / (1 - other))], [1])
    assert number("belief peaks at θ =", figure.alt.partition("log-odds")[2]) == pytest.approx(other, abs=5.1e-4)
    if heads + tails:
        peak = heads / (heads + tails)
        placed(picture.peaks["chance"], [peak], [1])
        assert number("over θ the belief peaks at θ =", figure.alt) == pytest.approx(peak, abs=5.1e-4)
    else:
        placed(picture.peaks["chance"], [], [])
        assert "flat and has no peak" in figure.alt
    return written(picture.words, [f"peaks: {f'{peak:.3f}' if heads + tails else 'none'} and {other:.3f}"])
