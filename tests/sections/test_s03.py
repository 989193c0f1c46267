"""Section 03: what must hold of its figures, and its numbers computed once more."""

import math
import re
from decimal import Decimal
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from bayeslib import live
from bayeslib.data import load_galton_families
from bayeslib.plots import theme
from bayeslib.questions.question import Question
from tests.figures import EXPLAINED, number, placed, press, sized, written
from tests.lab import ROOT

FIVE = [[0.0, 1.0], [1.0, 3.0], [2.0, 2.0], [3.0, 5.0], [4.0, 4.0]]
PLACES = [
    FIVE,
    [[0.0, 1.0], [1.0, 3.0], [2.0, 10.0], [3.0, 5.0], [4.0, 4.0]],
    [[2.0, 1.0]] * 5,
    [[0.0, 0.0]] * 4 + [[4.0, 10.0]],
    [[0.0, 10.0], [4.0, 0.0], [0.5, 3.5], [3.9, 9.9], [4.0, 10.0]],
]
SETTINGS = {
    "line_fit": {"points": PLACES},
    "noise_knob": {"points": PLACES},
    "heights": {
        "family": [
            "",
            "70, 65, 71",
            "180 165 daughter 170",
            "62; 58; 56",
            "78.5 70.5 79",
            "70 65",
            "tall, 1, 2",
            "30 60 70",
        ]
    },
}


def tens(value, digits):
    """A number as the coin's figure writes it, by another way: a small one with a power of ten."""
    if value == 0 or value >= 1e-4:
        return f"{value:.{digits}g}"
    power = math.floor(math.log10(value))
    front = f"{value / 10**power:.{digits - 1}f}"
    if front.startswith("10"):
        power, front = power + 1, f"{1:.{digits - 1}f}"
    return f"{front} × 10⁻" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(-power))


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
    at = [-10, -5, 0] if scale == "log" else [0, 0.5, 1]
    assert [text.get_position()[1] for text in picture.ticks] == at == picture.axes.get_yticks().tolist()
    logs = [theme.minus(f"{math.log(top) + drop:.1f}") for drop in at]
    ticks = written(picture.ticks, logs if scale == "log" else [tens(share * top, 2) for share in at])
    if not tossed:
        assert figure.alt.startswith("No toss yet")
        return ticks + written(picture.words, ["no toss, no peak"])
    assert number("peaks at θ =", figure.alt) == pytest.approx(best, abs=5.1e-5)
    assert number("which is", figure.alt) == pytest.approx(here / top, abs=5.1e-4)
    area = 1 / (math.comb(heads + tails, heads) * (heads + tails + 1))  # held against a sum in test_likelihood.py
    nudges = (1 - 1e-12, 1 + 1e-12)  # powers of one half end in a 5 that may go either way
    for said, value in (("with {}. At", top), ("it is {}, which", here), ("curve is {}.", area)):
        assert any(said.format(tens(value * nudge, 4)) in figure.alt for nudge in nudges), said
    if scale == "log" and here > 1e-300:
        assert number("Its logarithm is", figure.alt) == pytest.approx(math.log(here), abs=5.1e-4)
    told = [f"peak {tens(top * one, 4)} at {best:.2f}; yours {tens(here * two, 4)}" for one in nudges for two in nudges]
    assert picture.words.get_text() in told
    return told + ticks


def holds_measured_length(figure):
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
    (x, y), sigma = np.array(values["points"]).T, values["sigma"]

    def loss(line):
        return ((y - line[0] - line[1] * x) ** 2).sum()

    def density(error):
        return -error / (2 * sigma**2) - 5 * math.log(sigma * math.sqrt(2 * math.pi))

    several = len(set(x)) > 1
    best = np.polyfit(x, y, 1)[::-1] if several else (y.mean(), 0)
    yours, least = (values["intercept"], values["slope"]), loss(best)
    mine, here = loss(yours), density(loss(yours))
    told = number("squared error", figure.alt), number("log-likelihood", figure.alt)
    assert told == pytest.approx((mine, here), abs=0.0051)
    assert ("no single line is best" in figure.alt) == (not several)
    assert ("no line does better" in figure.alt) == (several and mine - least < 1e-9 * (1 + least))
    if "behind" in figure.alt:
        found = number("has", figure.alt), number(r"has [\d.]+ and", figure.alt)
        assert found == pytest.approx((least, density(least)), abs=0.0051)
        assert number("yours is", figure.alt) == pytest.approx(density(least) - here, abs=0.0051)
    place = values["points"][values["point"] - 1]
    assert f"Point {values['point']} is at ({place[0]:.1f}, {place[1]:.1f})" in figure.alt
    on_line, ends = yours[0] + yours[1] * x, np.array([-0.5, 4.5])
    pixel = picture.points.transData.transform([[0, 0], [1, 1]])
    wide, high = pixel[1] - pixel[0]
    sides = y - on_line  # a square is a square on the screen
    sized(picture.squares, x=x, y=on_line, width=np.abs(sides) * high / wide, height=sides)
    placed(picture.line, ends, yours[0] + yours[1] * ends)
    placed(picture.dots, x, y)
    placed(picture.chosen, *np.transpose([place]))
    placed(picture.best, *(ends, best[0] + best[1] * ends) if several else ([], []), atol=1e-7)
    reach, more = picture.ray.get_xdata()[1], (mine - least, (mine - least) / (2 * sigma**2))
    assert reach >= min(max(more), 10000) and picture.plane.get_xlim()[1] >= reach
    placed(picture.ray, [0, reach], [0, -reach / (2 * sigma**2)])
    placed(picture.here, [min(more[0], reach)], [-min(more[1], reach)], atol=1e-7)
    words = f"Σ r² = {mine:.2f} (best {least:.2f}),  ln likelihood = {here:.2f} (best {density(least):.2f})"
    return written(picture.words, [theme.minus(words)])


def holds_noise_knob(figure):
    values, picture = figure.values, figure.picture
    (x, y), power = np.array(values["points"]).T, values["power"]
    if len(set(x)) == 1:
        assert "must not all share one x" in figure.alt
        return None

    def loss(line, power):
        return (np.abs(y - line[0] - line[1] * x) ** power).sum()

    pairs = [(i, j) for i, j in combinations(range(5), 2) if x[i] != x[j]]
    through = [(y[i] - (b := (y[j] - y[i]) / (x[j] - x[i])) * x[i], b) for i, j in pairs]
    squares, absolute = np.polyfit(x, y, 1)[::-1], min(loss(line, 1) for line in through)
    ends = np.array([-0.5, 4.5])

    def drawn(artist):
        low, high = artist.get_ydata()
        placed(artist, ends, [low, high])
        return low + (high - low) / 10, (high - low) / 5

    placed(picture.ends["squares"], ends, squares[0] + squares[1] * ends, atol=1e-7)
    assert loss(drawn(picture.ends["absolute"]), 1) == pytest.approx(absolute, abs=1e-9)
    line = drawn(picture.line)
    least, r = loss(line, power), y - line[0] - line[1] * x
    # Convex: what cannot be bettered nearby cannot be bettered.
    near = [(line[0] + a, line[1] + b) for a in (-1e-3, 0, 1e-3) for b in (-1e-3, 0, 1e-3)]
    assert all(least <= loss(each, power) + 1e-7 * (1 + least) for each in [*near, squares, *through])
    for each, stroke in enumerate(picture.errors):
        placed(stroke, [x[each]] * 2, [y[each] - r[each], y[each]], atol=1e-7)
    placed(picture.dots, x, y)
    placed(picture.chosen, *np.transpose([values["points"][values["point"] - 1]]))
    grid = picture.curves["loss"].get_xdata()
    assert grid[0] == -10.5 and grid[-1] == 10.5 and len(grid) == 211
    placed(picture.curves["loss"], grid, np.abs(grid) ** power / power)
    steep = np.where(np.abs(grid) > 1e-9, np.sign(grid) * np.abs(grid) ** (power - 1), 0)
    placed(picture.curves["pull"], grid, steep, atol=1e-6)
    placed(picture.marks["loss"], r, np.abs(r) ** power / power, atol=1e-6)
    pull = picture.marks["pull"].get_ydata()
    placed(picture.marks["pull"], r, pull, atol=1e-6)
    clear = np.abs(r) > 1e-6  # where the residual is 0, rounding decides its sign
    assert pull[clear] == pytest.approx(np.sign(r[clear]) * np.abs(r[clear]) ** (power - 1), rel=1e-5)
    if 1 < power < 2 and clear.all():
        assert abs(pull.sum()) < 1e-3, "the pulls balance"
    assert f"Exponent {power:.1f}" in figure.alt
    mine = values["point"] - 1
    assert number(f"Point {mine + 1}, ringed, has the residual", figure.alt) == pytest.approx(r[mine], abs=0.0051)
    if least > 1e-9:
        share = float(re.search(r"and (\d+)% of the loss", figure.alt)[1])
        assert share == pytest.approx(100 * np.abs(r[mine]) ** power / least, abs=0.51)
    said = {1: "|r|", 2: "½ r²"}.get(power, f"|r|^{power:.1f} ÷ {power:.1f}")
    return written(picture.words, [f"loss = {said}"])


def holds_mean_prior(figure):
    count, tau, centre, sigma = (figure.values[name] for name in ("count", "width", "centre", "sigma"))
    picture = figure.picture
    precision = count / sigma**2 + 1 / tau**2
    after, spread = (5 * count / sigma**2 + centre / tau**2) / precision, precision**-0.5
    assert number("most probable μ is", figure.alt) == pytest.approx(after, abs=5.1e-4)
    assert number("has the width", figure.alt) == pytest.approx(spread, abs=5.1e-4)
    assert number("σ²/σ₀² =", figure.alt) == pytest.approx((sigma / tau) ** 2, rel=6e-3)
    mu = picture.curves["after"].get_xdata()
    assert mu[0] == 0 and mu[-1] == 12 and len(mu) == 481
    prior, likely = -((mu - centre) ** 2) / (2 * tau**2), -count * (mu - 5) ** 2 / (2 * sigma**2)
    top = -((after - centre) ** 2) / (2 * tau**2) - count * (after - 5) ** 2 / (2 * sigma**2)
    placed(picture.curves["before"], mu, np.exp(prior))
    placed(picture.curves["after"], mu, np.exp(prior + likely - top))  # prior times likelihood, over its peak
    placed(picture.curves["likelihood"], *(mu, np.exp(likely)) if count else ([], []))
    placed(picture.mean, *([5], [0]) if count else ([], []))
    placed(picture.most, [after], [1])
    worth = f"{(sigma / tau) ** 2:.3g}"
    return written(picture.words, [f"({count} × 5 + {worth} × {centre:g}) ÷ ({count} + {worth}) = {after:.2f}"])


def holds_slope_prior(figure):
    tau, sigma, picture = figure.values["width"], figure.values["sigma"], figure.picture
    (x, y), ends = np.array(FIVE).T, np.array([-0.5, 4.5])
    # The most probable line by another way: one more observation, 0 = b with noise σ₀, beside the five.
    rows = np.vstack([np.column_stack([np.ones(5), x]) / sigma, [0, 1 / tau]])
    a, b = np.linalg.lstsq(rows, [*(y / sigma), 0], rcond=None)[0]
    placed(picture.dots, x, y)
    placed(picture.best, ends, 1.4 + 0.8 * ends)
    placed(picture.line, ends, a + b * ends)
    slopes = picture.curves["after"].get_xdata()
    assert slopes[0] == -1 and slopes[-1] == 2
    profile = -10 * (slopes - 0.8) ** 2 / (2 * sigma**2)  # Σ (x − x̄)² = 10, the intercept at its best
    prior = -(slopes**2) / (2 * tau**2)
    top = -10 * (b - 0.8) ** 2 / (2 * sigma**2) - b**2 / (2 * tau**2)
    placed(picture.curves["before"], slopes, np.exp(prior))
    placed(picture.curves["likelihood"], slopes, np.exp(profile))
    placed(picture.curves["after"], slopes, np.exp(profile + prior - top))
    assert number("with the prior it is", figure.alt) == pytest.approx(b, abs=5.1e-4)
    assert number("σ²/σ₀² =", figure.alt) == pytest.approx((sigma / tau) ** 2, rel=6e-3)


def holds_message_length(figure):
    sick, found, flagged, base = (figure.values[name] for name in ("sick", "found", "flagged", "base"))
    picture, odds = figure.picture, sick * found / ((1000 - sick) * flagged)
    tie = math.isclose(odds, 1)
    model, data = (
        np.array([math.log(1 / p, base) for p in pair])
        for pair in ((sick / 1000, 1 - sick / 1000), (found / 100, flagged / 100))
    )
    sums = []
    for name, first, second in zip(("Sick", "Healthy"), model, data):
        told = re.search(rf"{name}: (([\d.]+) \+ ([\d.]+) = ([\d.]+)) ", figure.alt)
        parts = [Decimal(part) for part in told.groups()[1:]]
        assert parts[0] + parts[1] == parts[2], "a sum that does not add up"
        assert [float(part) for part in parts] == pytest.approx([first, second, first + second], abs=1.01e-4)
        sums.append(told[1])
    for bars, start, long in ((picture.model, 0 * model, model), (picture.data, model, data)):
        seen, rows = long >= 0.25, np.array([0.47, 1.47])
        sized(bars, x=start[seen], y=rows[seen], width=long[seen], height=0.4)
    short = [
        [f"{name} ({part:.4f})" for name, part in zip(("the hypothesis", "the result"), pair) if part < 0.25]
        for pair in zip(model, data)
    ]
    thin = written(picture.thin, [" and ".join(names) + ": too short to see" for names in short if names])
    for text, end in zip(picture.thin, model + data):
        assert text.get_position()[0] == pytest.approx(end + 0.2)
    if tie:
        assert "a tie" in figure.alt
    else:
        assert figure.alt.endswith(f"h_MAP = {'sick' if odds > 1 else 'healthy'}.")
        assert number("odds of", figure.alt) == pytest.approx(max(odds, 1 / odds), abs=5.1e-4)
    assert {2: "bits", math.e: "nats", 10: "decimal digits"}[base] in picture.axes.get_xlabel()
    shorter = ["   shorter" * (odds > 1 and not tie), "   shorter" * (odds < 1 and not tie)]
    return thin + written(picture.words, [f"sick: {sums[0]}{shorter[0]}", f"healthy: {sums[1]}{shorter[1]}"])


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


def check_degrees(figure, scores, digits):
    """What both figures of degrees draw: bars of bits, the error on other points, and their words."""
    degree, picture = figure.values["degree"], figure.picture
    sse, model, data, held = scores
    total, last = model + data, data[-1]
    assert (np.diff(sse) <= 1e-9 * sse[0]).all()
    for pattern, value, places in (
        ("model", model[degree], 1),
        ("data", data[degree], 1),
        ("total", total[degree], 1),
        ("; error", held[degree], digits),
        ("least:", held.min(), digits),
    ):
        assert number(pattern, figure.alt) == pytest.approx(value, abs=0.51 * 10**-places, rel=1e-6), pattern
    assert ("the shortest of degrees" in figure.alt) == (degree == total.argmin())
    size, top = len(model), picture.top
    left, extra = np.arange(size) - 0.36, data - last
    cut = np.minimum(extra, top - model)
    sized(picture.model, x=left, y=0, width=0.72, height=model)
    sized(picture.data, x=left, y=model, width=0.72, height=cut, atol=1e-7)
    best, heights = total.argmin(), np.minimum(total - last, top) + 0.06 * top
    placed(picture.shortest, [best], [heights[best]])
    placed(picture.yours, [degree], [heights[degree] + (0.13 * top if degree == best else 0)])
    placed(picture.fresh, range(size), held)
    placed(picture.least, [held.argmin()], [held.min()])
    placed(picture.here, [degree], [held[degree]])
    return written(picture.beyond, [f"{each - last:.0f}" for each in total if each - last > top])


def holds_degree_bits(figure):
    degree, picture = figure.values["degree"], figure.picture
    points, fits, sse, model, data, held = cubic_fits(figure.values["seed"])
    assert number("Squared error", figure.alt) == pytest.approx(sse[degree], abs=5.1e-4)
    assert number("it says", figure.alt) == pytest.approx(fits[degree](1.2), abs=0.0051)
    placed(picture.dots, *points)
    along = picture.truth.get_xdata()
    placed(picture.truth, along, 1 - 2 * along + 3 * along**3)
    placed(picture.curve, along, fits[degree](along))
    return check_degrees(figure, (sse, model, data, held), 3)


@cache
def galton():
    rows = [line.split(",") for line in (ROOT / "bayeslib/data/galton_families.csv").read_text().splitlines()[2:]]
    x = np.array([(float(father) + 1.08 * float(mother)) / 2 for _, father, mother, _, _ in rows])
    y = np.array([float(child) * (1.08 if gender == "female" else 1) for *_, gender, child in rows])
    return np.array([row[0] for row in rows]), x, y


def holds_heights(figure):
    slope, family = figure.values["slope"], figure.values["family"]
    picture, (_, x, y) = figure.picture, galton()
    if figure.alt.startswith(EXPLAINED):
        assert "your family must be" in figure.alt and family in ("70 65", "tall, 1, 2", "30 60 70")
        return None
    drawn = np.array(picture.dots.get_data())
    assert np.abs(drawn - [x, y]).max() <= 0.2 and np.abs(drawn - [x, y]).mean() > 0.05, (
        "jittered, and no more than that"
    )
    placed(picture.middle, [x.mean()], [y.mean()])
    ends = picture.line.get_xdata()
    placed(picture.line, ends, y.mean() + slope * (ends - x.mean()))
    along_y = y - y.mean() - slope * (x - x.mean())
    along_x = x - x.mean() - (y - y.mean()) / slope
    for name, off in (("child", along_y), ("parents", along_x)):
        error = np.sqrt((off**2).mean())
        said = {"child": "Child from parents: error", "parents": "Parents from child: error"}[name]
        assert number(said, figure.alt) == pytest.approx(error, abs=0.0051)
        placed(picture.marks[name], [slope], [min(error, 5.6)])
        tried = picture.curves[name].get_xdata()
        far = np.subtract.outer(y, 0 * tried) - y.mean() - np.outer(x - x.mean(), tried)
        errors = np.sqrt((far**2).mean(axis=0)) / (tried if name == "parents" else 1)
        placed(picture.curves[name], tried, errors)
        least = (np.cov(x, y)[0, 1] / x.var(ddof=1)) if name == "child" else y.var(ddof=1) / np.cov(x, y)[0, 1]
        assert re.findall(r"at slope ([\d.]+)", figure.alt)[name == "parents"] == f"{least:.2f}"
    variance = (along_y**2).mean()
    log = -len(y) / 2 * (math.log(2 * math.pi * variance) + 1)
    assert number("log-likelihood", figure.alt) == pytest.approx(log, abs=0.051)
    if not family:
        placed(picture.you, [], [])
        return None
    father, mother, own = (float(each) / (2.54 if float(each) > 100 else 1) for each in re.findall(r"[\d.]+", family))
    you = (father + 1.08 * mother) / 2, own * (1.08 if "daughter" in family else 1)
    placed(picture.you, [you[0]], [you[1]])
    b, a = np.polyfit(x, y, 1)
    off = you[1] - a - b * you[0]
    apart = y - a - b * x
    assert number("the best line for children says", figure.alt) == pytest.approx(a + b * you[0], abs=0.051)
    assert number("so you are", figure.alt) == pytest.approx(abs(off) / apart.std(), abs=0.051)
    assert (" above it" in figure.alt) == (off >= 0)
    share = float(re.search(r"Of Galton's children (\d+)%", figure.alt)[1])
    assert share == pytest.approx(100 * (np.abs(apart) > abs(off)).mean(), abs=0.51)


def holds_heights_degrees(figure):
    count, seed, degree = (figure.values[name] for name in ("count", "seed", "degree"))
    families, x, y = galton()
    names = sorted(set(families))
    chosen = {names[each] for each in np.random.default_rng(seed).permutation(len(names))[:count]}
    learn = np.array([family in chosen for family in families])
    fits = [np.polynomial.Polynomial.fit(x[learn], y[learn], d) for d in range(8)]
    n = learn.sum()
    sse = np.array([((y[learn] - fit(x[learn])) ** 2).sum() for fit in fits])
    held = np.array([np.sqrt(((y[~learn] - fit(x[~learn])) ** 2).mean()) for fit in fits])
    scores = sse, np.arange(1, 9) / 2 * math.log2(n), n / 2 * np.log2(sse / n), held
    assert f"{count} families ({n} children) to learn from" in figure.alt
    assert f"{(~learn).sum()} children of the other {205 - count} families" in figure.alt
    assert number("Error", figure.alt) == pytest.approx(math.sqrt(sse[degree] / n), abs=0.0051)
    placed(figure.picture.dots, x[learn], y[learn])
    along = figure.picture.curve.get_xdata()
    placed(figure.picture.curve, along, fits[degree](along), rtol=1e-4)
    placed(figure.picture.truth, [], [])
    return check_degrees(figure, scores, 2)


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
    placed(picture.likelihoods["chance"], theta, shape(heads, tails))
    placed(picture.likelihoods["log-odds"], log_odds, shape(heads, tails))
    placed(picture.priors["chance"], theta, 1)
    placed(picture.priors["log-odds"], log_odds, shape(1, 1))
    other = (heads + 1) / (heads + tails + 2)
    placed(picture.peaks["log-odds"], [np.log(other / (1 - other))], [1])
    assert number("same belief peaks at θ =", figure.alt) == pytest.approx(other, abs=5.1e-4)
    words = "no peak"
    if heads + tails:
        peak = heads / (heads + tails)
        words = f"peak at {peak:.3f}"
        placed(picture.peaks["chance"], [peak], [1])
        assert number("over θ the posterior density peaks at θ =", figure.alt) == pytest.approx(peak, abs=5.1e-4)
        assert number("The likelihood peaks at θ =", figure.alt) == pytest.approx(peak, abs=5.1e-4)
    else:
        placed(picture.peaks["chance"], [], [])
        assert "flat and has no peak" in figure.alt
    return written(picture.words.values(), [words, f"peak at {other:.3f}"])


# Numbers that the lesson and its questions mention

TEXT = (ROOT / "bayeslib/sections/s03_maximum_likelihood/questions.toml").read_text()


@pytest.mark.parametrize(
    "make, settings, numbers",
    [
        (live.coin_likelihood, {"theta": 70}, ["0.002224"]),
        (live.coin_likelihood, {"theta": 50}, ["0.0009766"]),
        (live.measured_length, {"mu": 4.0}, ["41.00", "36.00"]),
        (live.measured_length, {"mu": 6.0}, ["41.00"]),
        (live.line_fit, {"sigma": 1.0}, ["0.20 behind", "1.40 + 0.80 x"]),
        (live.line_fit, {"sigma": 2.0}, ["0.05 behind", "1.40 + 0.80 x"]),
        (live.mean_prior, {}, ["6.333", "4 measurements of 8.0"]),
        (live.slope_prior, {"width": 0.3}, ["0.379", "11.11"]),
        (live.message_length, {}, ["6.9658", "0.0291", "0.0116", "5.0589", "5.0705", "6.9949", "1.924"]),
        (live.degree_bits, {"degree": 1}, ["data −10.8"]),
        (live.degree_bits, {"degree": 3}, ["0.696", "model 8.6", "data −48.5", "the shortest"]),
        (live.degree_bits, {"degree": 9}, ["0.600", "model 21.6", "data −50.6"]),
        (live.three_uses, {"heads": 3}, ["0.750", "0.500", "0.571", "0.696"]),
        (live.flat_prior, {}, ["0.700", "0.667"]),
        (live.heights, {"slope": 1.0}, ["error 2.30", "least error 2.24, at slope 0.71", "at slope 2.88"]),
        (
            live.heights_degrees,
            {"degree": 7, "count": 20},
            ["Error 1.88", "error 26.27", "185 families", "total 118.0"],
        ),
        (live.heights_degrees, {"degree": 1, "count": 20}, ["error 2.28", "total 105.8"]),
    ],
)
def test_numbers_in_the_feedback_of_section_03_are_those_of_its_figures(make, settings, numbers):
    figure = make()
    figure.set(**settings)
    assert all(number in figure.alt for number in numbers)


def test_numbers_typed_in_the_feedback_of_section_03_are_right():
    for typed in (
        "0.0022",
        "41",
        "0.20 behind",
        "0.05 behind",
        "0.696",
        "0.600",
        "6.97",
        "5.07",
        "6.99",
        "0.571",
        "0.667",
    ):
        assert typed in TEXT
    assert "38 bits longer" in TEXT and round(48.5 - 10.8) == 38
    assert "about 2 bits less for the data, and 13 more" in TEXT  # degree 9 against 3: 50.6 − 48.5, 21.6 − 8.6
    assert 2**10 == 1024 and "1024" in TEXT
    assert round(np.exp(-6.39), 4) == 0.0017 and "0.0017" in TEXT
    assert 0.75**12 * 0.25**4 == pytest.approx(0.000124, abs=5e-7) and 0.5**16 == pytest.approx(0.0000153, abs=5e-8)
    assert round(0.75**12 * 0.25**4 / 0.5**16, 1) == 8.1 and "8.1 to 1" in TEXT
    assert round(2 / np.sqrt(5), 2) == 0.89 and "2/√5 = 0.89" in TEXT
    assert round(1 / np.sqrt(10), 2) == 0.32 and "0.32" in TEXT  # how well five points tell the slope, at σ = 1
    assert round(0.9 * 0.8 * 0.7 * 0.7 * 0.8, 3) == 0.282 and "0.282" in TEXT


def test_numbers_of_the_heights_in_the_feedback_are_right():
    table = load_galton_families()
    x, y = table["midparent"], table["height"]
    assert round(72 - x.mean(), 1) == 2.8 and round(74 - y.mean(), 1) == 4.8
    slope, back = np.polyfit(x, y, 1)[0], np.polyfit(y, x, 1)[0]
    assert round(slope * 2.8, 1) == 2.0 and round(4.8 / slope, 1) == 6.7 and round(4.8 * slope, 1) == 3.4
    assert round(4.8 * back, 1) == 1.7 and round(back, 2) == 0.35
    near = (x - 72).abs() <= 0.75
    assert near.sum() == 64 and round(y[near].mean() - y.mean(), 1) == 1.5


def test_the_lifted_point_of_the_prediction_is_answered_by_the_figure():
    figure = live.noise_knob()
    assert "best line is 1.40 + 0.80 x" in figure.alt
    figure.set(**Question("03/lifted").then)
    assert "best line is 3.00 + 0.80 x" in figure.alt
    figure.set(power=1.0)
    assert "best line is 2.00 + 1.00 x" in figure.alt


def test_a_family_is_read_in_inches_and_in_centimetres():
    figure = live.heights()
    figure.set(family="178, 165, daughter 170")
    in_centimetres = figure.alt
    figure.set(family=f"{178 / 2.54} {165 / 2.54} {170 / 2.54} daughter")
    assert figure.alt == in_centimetres and "You: mid-parent 70.1, height 72.3" in figure.alt


def drag(figure, press, start, to):
    """From one place to another in the left axes, in data coordinates, as the page reports it."""
    axes, size = figure.figure.axes[0], (figure.figure.bbox.width, figure.figure.bbox.height)
    (a, b), (c, d) = (axes.transData.transform(place) / size for place in (start, to))
    figure.view.pointer = {"press": press, "from": [a, 1 - b], "to": [c, 1 - d]}


def test_points_can_be_dragged_and_stay_in_the_picture():
    figure = live.line_fit()
    drag(figure, 1, (2, 2), (2.5, 6))
    drag(figure, 1, (2, 2), (2.5, 7))
    assert figure.values["points"][2] == [2.5, 7.0] and figure.values["point"] == 3
    drag(figure, 2, (4, 4), (9, -5))
    assert figure.values["points"][4] == [4.0, 0.0] and figure.values["point"] == 5
    assert (figure.values["intercept"], figure.values["slope"]) == (1.0, 1.0), "the line was not touched"


def test_each_end_of_the_line_can_be_dragged_and_the_other_stays():
    figure = live.line_fit()
    drag(figure, 1, (4.5, 5.5), (4.5, 3.0))
    a, b = figure.values["intercept"], figure.values["slope"]
    assert (a - b / 2, a + 4.5 * b) == pytest.approx((0.5, 3.0), abs=0.03)
    drag(figure, 2, (-0.5, a - b / 2), (-0.5, 2.5))
    a, b = figure.values["intercept"], figure.values["slope"]
    assert (a - b / 2, a + 4.5 * b) == pytest.approx((2.5, 3.0), abs=0.06)


def test_a_point_can_be_moved_without_a_mouse():
    figure = live.line_fit()
    press(figure, "5", "ArrowUp", "ArrowUp", "ArrowLeft")
    assert figure.values["point"] == 5 and figure.values["points"][4] == [3.5, 5.0]
    assert "Point 5 is at (3.5, 5.0)" in figure.alt


def test_points_of_the_knob_can_be_dragged():
    figure = live.noise_knob()
    drag(figure, 1, (2, 2), (2, 10))
    assert figure.values["points"][2] == [2.0, 10.0] and "3.00 + 0.80 x" in figure.alt


def test_still_points_have_their_words():
    shown = live.points([1, 2, 4], [0, -3, 1], "hours", "marks")
    bundle = shown._repr_mimebundle_()
    assert bundle["text/plain"] == "3 points: hours from 1 to 4, marks from −3 to 1." == shown.alt
    assert f'<img alt="{shown.alt}"' in bundle["text/html"]
