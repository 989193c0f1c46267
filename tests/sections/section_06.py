"""Section 06: what must hold of its figures, and its numbers computed once more."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import bayeslib as bl
from tests.figures import EXPLAINED, number

SETTINGS = {
    "beta_flips": {"seen": ["", "S", "W", "SWS", "SSSWW", "W" * 40, "S" * 499, "SW" * 250, "SSSWW" * 100]},
}

TENNIS = [[str(value) for value in row] for row in bl.data.load_play_tennis().to_numpy()]
SIZES = [3, 3, 2, 2]


def p_no(day, m):
    """P(no) of a day by plain counting, in exact fractions."""
    scores = {}
    for play in ("yes", "no"):
        rows = [row for row in TENNIS if row[-1] == play]
        score = Fraction(len(rows), len(TENNIS))
        for place, (value, k) in enumerate(zip(day, SIZES)):
            hits = sum(row[place] == value for row in rows)
            score *= (hits + Fraction(m) / k) / (len(rows) + Fraction(m))
        scores[play] = score
    return float(scores["no"] / sum(scores.values()))


def holds_virtual_balls(figure):
    n_c, n, p, m = (figure.values[name] for name in ("n_c", "n", "p", "m"))
    if n_c > n or n + m == 0:
        wanted = "n_c must be at most n" if n_c > n else "n + m must be above 0"
        assert figure.alt.startswith(EXPLAINED + wanted)
        return
    estimate = (n_c + m * p / 100) / (n + m)
    assert number(r"\) =", figure.alt) == pytest.approx(estimate, abs=5.1e-5)
    trays, line = figure.figure.axes
    hits, misses, *virtual = (len(each.get_xdata()) for each in trays.lines[:4])
    assert (hits, misses) == (n_c, n - n_c)
    whole = [int(m * p / 100 + 1e-9), int(m * (1 - p / 100) + 1e-9)]
    assert virtual == whole
    # Areas: a part of a ball has that part of a whole one's area.
    size = trays.lines[0].get_markersize()
    areas = [len(each.get_xdata()) * each.get_markersize() ** 2 / size**2 for each in trays.lines[4:6]]
    assert sum(whole) + sum(areas) == pytest.approx(m)
    drawn = {each.get_marker(): float(each.get_xdata()[0]) for each in line.lines[1:] if each.get_visible()}
    assert drawn["^"] == pytest.approx(estimate) and drawn["D"] == pytest.approx(p / 100)
    assert ("o" in drawn) == (n > 0) and (n == 0 or drawn["o"] == pytest.approx(n_c / n))
    low, high = sorted((n_c / n if n else p / 100, p / 100))
    assert low - 1e-12 <= estimate <= high + 1e-12


def holds_smoothed_days(figure):
    m, chosen = figure.values["m"], figure.values["day"]
    day = chosen.split(", ")
    grid, trace = figure.figure.axes
    wanted = p_no(day, m)
    assert number(r"P\(no\) =", figure.alt) == pytest.approx(wanted, abs=5.1e-5)
    column = ["sunny", "overcast", "rain"].index(day[0]) * 3 + ["hot", "mild", "cool"].index(day[1])
    row = ["high", "normal"].index(day[2]) * 2 + ["weak", "strong"].index(day[3])
    framed = next(patch for patch in grid.patches)
    assert tuple(framed.get_xy()) == (column, row)
    tiles, bars, numbers = grid.collections
    lengths = [np.ptp(path.vertices[:, 0]) for path in bars.get_paths()]
    assert len(lengths) == len(tiles.get_facecolor()) == len(numbers.get_paths()) == 36
    assert lengths[9 * row + column] == pytest.approx(0.84 * wanted, abs=1e-9)
    changed = len(grid.lines[0].get_xdata())
    assert figure.alt.endswith(
        f" {changed} of 36 decisions differ from those at m = 0." if m else " 12 of 36 days are vetoed by a zero."
    )
    if m in CHANGED:
        assert changed == CHANGED[m]
    path, point = (line.get_data() for line in trace.lines[-2:])
    assert (point[0][0], point[1][0]) == (m, pytest.approx(wanted))
    assert np.interp(m, *path) == pytest.approx(wanted)


CHANGED = {0: 0, 0.1: 0, 1: 0, 2: 0, 3: 0, 5: 1, 10: 6, 30: 11, 1000: 11}  # decisions, by the storyboard


def holds_beta_flips(figure):
    a, b, seen = (figure.values[name] for name in ("a", "b", "seen"))
    strong, weak = seen.count("S"), seen.count("W")
    a, b = a + strong, b + weak
    beta = stats.beta(a, b)
    assert f"{strong} strong, {weak} weak: Beta({a:g}, {b:g})" in figure.alt
    assert number("mean", figure.alt) == pytest.approx(a / (a + b), abs=5.1e-5)
    low, high = beta.interval(0.9)
    assert number("between", figure.alt) == pytest.approx(low, abs=5.1e-4)
    assert number("and", figure.alt) == pytest.approx(high, abs=5.1e-4)
    axes = figure.figure.axes[0]
    _, curve, mean, mode = axes.lines
    theta, height = curve.get_data()
    inside = (theta > 0) & (theta < 1) & (height < 1)  # what is seen; the axis has no numbers, so up to a factor
    density = beta.pdf(theta[inside])
    assert height[inside] / height[inside].max() == pytest.approx(density / density.max(), rel=1e-6, abs=1e-9)
    assert height[inside].max() > 0.3
    assert mean.get_xdata()[0] == pytest.approx(a / (a + b))
    band = axes.patches[0].get_xy()[:, 0]
    assert (band.min(), band.max()) == pytest.approx((low, high), abs=1e-6)
    if mode.get_visible():
        assert number("mode", figure.alt) == pytest.approx(mode.get_xdata()[0], abs=5.1e-5)
        around = np.clip(mode.get_xdata()[0] + np.array([-1e-4, 0, 1e-4]), 1e-9, 1 - 1e-9)
        assert beta.logpdf(around).argmax() == 1 or mode.get_xdata()[0] in (0, 1)
    else:
        assert "no single mode" in figure.alt and max(a, b) <= 1


def holds_smoothing_error(figure):
    n, m, p, theta = figure.values["n"], figure.values["m"], figure.values["p"] / 100, figure.values["theta"] / 100
    counts = np.arange(n + 1)
    chance = stats.binom.pmf(counts, n, theta)
    smoothed, plain = (float(chance @ ((counts + each * p) / (n + each) - theta) ** 2) for each in (m, 0))
    assert number("error is", figure.alt) == pytest.approx(smoothed, abs=5.1e-5)
    assert number("and", figure.alt) == pytest.approx(plain, abs=5.1e-5)
    lines = figure.figure.axes[0].lines
    for line, error in zip(lines[1:3], (plain, smoothed)):
        assert np.interp(theta, *line.get_data()) == pytest.approx(error, abs=1e-9)
    assert [line.get_ydata()[0] for line in lines[-2:]] == pytest.approx([plain, smoothed])
    low, high = lines[0].get_xdata()
    if m == 0:
        assert np.isnan([low, high]).all() and "no smoothing" in figure.alt
    else:
        assert number("between", figure.alt) == pytest.approx(low, abs=5.1e-4)
        assert ("hurts" in figure.alt) == (smoothed >= plain) == (not low < theta < high)
