"""Section 04: what must hold of its figures."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from bayeslib.concepts import threshold_runs
from tests.figures import EXPLAINED, number, placed, sized, written

# Weights all over the triangle, away from its borders, to measure areas by counting.
GRID = np.array([(i, j, 90 - i - j) for i in range(90) for j in range(90 - i)]) + 1 / 3
GRID = GRID / GRID.sum(axis=1, keepdims=True)


CORNERS = np.array([[0.5, np.sqrt(0.75)], [0, 0], [1, 0]])  # of the triangle, where all weight is on h1, h2, h3


def share_of_triangle(polygons):
    """The part of the triangle that the polygons, those that can be seen, cover together."""
    outlines = [polygon.get_xy().T for polygon in polygons if polygon.get_visible()]
    twice = [abs(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1])) for x, y in outlines]
    return sum(twice) / np.sqrt(0.75)


def holds_weighted_vote(figure):
    parts, percent = ([figure.values[f"{kind}{h}"] for h in "123"] for kind in "wq")
    if not any(parts):
        assert figure.alt.startswith(EXPLAINED + "weights must not all be 0")
        return
    exact = [Fraction(part, sum(parts)) for part in parts]
    total = sum(weight * each / 100 for weight, each in zip(exact, percent))
    vote, other = float(total), float(1 - total)
    weights, plus, picture = np.array(exact, float), np.array(percent) / 100, figure.picture
    places, nothing = np.array([0, 1, 2, 3.7, 4.7]), np.zeros(5)
    yes, against = np.array([*weights * plus, vote, 0]), np.array([*weights * (1 - plus), 0, other])
    sized(picture.plus, x=places - 0.4, y=nothing, width=0.8, height=yes)
    sized(picture.minus, x=places - 0.4, y=yes, width=0.8, height=against)
    assert number(r"× [\d.]+ =", figure.alt) == pytest.approx(vote, abs=5.1e-5)
    assert number(r"P\(−\|D\) =", figure.alt) == pytest.approx(other, abs=5.1e-5)
    best = np.flatnonzero(weights > weights.max() - 1e-9)
    placed(picture.crown, best, weights[best] + 0.2)
    won = [label for label, share in (("+", vote), ("−", other)) if share > 0.5 - 1e-9]
    wins = [{"+": (3.7, vote + 0.2), "−": (4.7, other + 0.2)}[each] for each in won]
    placed(picture.winner, *np.transpose(wins))
    assert f"so it says {won[0] if len(won) == 1 else 'either, a tie'}." in figure.alt
    # What MAP says: each of the best hypotheses says what it holds more probable, half and half where it cannot tell.
    says = np.mean([0.5 if plus[h] == 0.5 else plus[h] > 0.5 for h in best])
    tied = abs(says - 0.5) < 1e-9 or len(won) > 1
    verdict = "a tie" if tied else "MAP and vote " + ("agree" if (says > 0.5) == (won == ["+"]) else "disagree")
    assert f"{verdict[0].upper()}{verdict[1:]};" in figure.alt
    of_map = plus[GRID.argmax(axis=1)]
    disagree = ((of_map > 0.5) & (GRID @ plus < 0.5)) | ((of_map < 0.5) & (GRID @ plus > 0.5))
    share = number(r"disagree on(?: \d+/\d+ =)?", figure.alt)
    assert share == pytest.approx(disagree.mean(), abs=0.02)
    assert share == pytest.approx(share_of_triangle(picture.parts), abs=5.1e-5)
    assert share_of_triangle([picture.says_plus]) == pytest.approx((GRID @ plus > 0.5 - 1e-9).mean(), abs=0.02)
    middles, centre = (CORNERS + CORNERS[[1, 2, 0]]) / 2, CORNERS.mean(axis=0)
    placed(picture.spokes, *np.array([end for middle in middles for end in (centre, middle)]).T)
    placed(picture.dot, *(weights @ CORNERS)[:, None])
    told = written(picture.numbers, [f"{each:.3g}" for each in (*weights, vote, other)])
    drawn = figure.alt.rpartition("disagree on ")[2].rstrip(".")  # the caption's share was measured above
    assert float(Fraction(drawn.split()[0])) == pytest.approx(share, abs=5.1e-5)
    return told + written([picture.verdict, picture.share], [verdict, drawn])


def clerk_errors(p, truth):
    """The errors of the vote and of Gibbs where + has the weight p, and the truth is drawn or fixed."""
    minus = {"drawn": 1 - p, "+": 0 * p, "−": 0 * p + 1}[truth]  # how often the truth is −
    vote = np.where(p == 0.5, 0.5, np.where(p > 0.5, minus, 1 - minus))
    return vote, p * minus + (1 - p) * (1 - minus)


def holds_three_clerks(figure):
    p, leader, truth = figure.values["p"] / 100, figure.values["leader"], figure.values["truth"]
    picture, grid, (vote, gibbs) = figure.picture, np.linspace(0, 1, 201), clerk_errors(p, truth)
    right = {"drawn": {"+": p, "−": 1 - p}[leader]}.get(truth, float(truth == leader))
    errors = {"vote": float(vote), "Gibbs": gibbs, "MAP": 1 - right}
    curves = dict(zip(("vote", "Gibbs"), clerk_errors(grid, truth)))
    for clerk, line in picture.lines.items():
        placed(line, grid, curves[clerk])
    for clerk, point in picture.points.items():
        placed(point, [p], [errors[clerk]])
    placed(picture.ceiling, grid, 2 * curves["vote"])
    placed(picture.here, [p, p], [0, 1])
    sized(picture.bars, x=0, y=range(3), width=[*errors.values()], height=0.4)
    assert number("the vote errs", figure.alt) == pytest.approx(errors["vote"], abs=5.1e-4)
    assert number("Gibbs errs", figure.alt) == pytest.approx(gibbs, abs=5.1e-5)
    assert number(r"says [+−], errs", figure.alt) == pytest.approx(errors["MAP"], abs=5.1e-4)
    if vote == 0:
        assert "never errs" in figure.alt
    else:
        assert number(r"Gibbs errs [\d.]+,", figure.alt) == pytest.approx(gibbs / vote, abs=5.1e-3)
        assert ("above the ceiling" in figure.alt) == (gibbs > 2 * vote)
    return written(picture.numbers, [f"{error:.3f}" for error in errors.values()])


@cache
def played(truth):
    """2000 runs with this truth: truth, points and Gibbs' cuts of the first 20 of them, and the clerks' mean errors."""
    runs = threshold_runs(30, 2000, None if truth == "drawn" else truth / 100, random_state=0)
    true, points = runs["truth"][:, None], runs["points"]
    ends = []
    for seen in range(31):
        left, right = (np.where(side, points, out)[:, :seen] for side, out in ((points < true, 0), (points >= true, 1)))
        ends.append((left.max(axis=1, initial=0), right.min(axis=1, initial=1)))
    low, high = np.transpose(ends, (1, 2, 0))
    cuts = {"vote": (low + high) / 2, "Gibbs": runs["cuts"]["Gibbs"], "MAP": high}
    assert ((low <= cuts["Gibbs"]) & (cuts["Gibbs"] <= high)).all()
    means = {clerk: np.abs(cut - true).mean(axis=0) for clerk, cut in cuts.items()}
    return runs["truth"][:20], points[:20], cuts["Gibbs"][:20], means


def holds_shrinking_gap(figure):
    truth, run, step, picture = figure.values["truth"], figure.values["run"] - 1, figure.values["step"], figure.picture
    truths, points, gibbs, means = played(truth)
    true, points = truths[run], points[run, :step]
    minus, plus = points[points < true], points[points >= true]
    low, high = max(minus, default=0), min(plus, default=1)
    placed(picture.minus, minus, -0.5)
    placed(picture.plus, plus, -0.5)
    placed(picture.truth, [true, true], [-1, 0.96])
    sized([picture.gap], x=low, y=-1, width=high - low, height=1.96)
    for clerk, cut in (("vote", (low + high) / 2), ("Gibbs", gibbs[run, step]), ("MAP", high)):
        placed(picture.cuts[clerk], [cut], [0.45])
        placed(picture.dots[clerk], np.arange(step + 1), means[clerk][: step + 1])
    placed(picture.here, [step, step], [0, 1])
    gap = 2 / (np.arange(31) + 2)
    for clerk, part in (("vote", 4), ("Gibbs", 3), ("MAP", 2)):
        placed(picture.theory[clerk], np.arange(31), gap / part)
    assert number("truth", figure.alt.partition("Run")[2]) == pytest.approx(true, abs=5.1e-4)
    assert number("gap from", figure.alt) == pytest.approx(low, abs=5.1e-4)
    assert number(r"gap from [\d.]+ to", figure.alt) == pytest.approx(high, abs=5.1e-4)
    now = {clerk: mean[step] for clerk, mean in means.items()}
    if truth == "drawn":
        assert [*now.values()] == pytest.approx([gap[step] / 4, gap[step] / 3, gap[step] / 2], rel=0.1)
        assert number("expected gap", figure.alt) == pytest.approx(gap[step], abs=5.1e-5)
        assert number("Gibbs", figure.alt) == pytest.approx(gap[step] / 3, abs=5.1e-5)
        assert number(r"as 3 : [\d.]+ :", figure.alt) == pytest.approx(3 * now["MAP"] / now["vote"], abs=5.1e-3)
    else:
        theta = truth / 100  # the first + is further than t beyond it if all points miss that stretch: (1 − t)^m
        assert true == theta
        assert now["MAP"] == pytest.approx((1 - theta ** (step + 1)) / (step + 1), rel=0.15)
        for clerk, error in now.items():
            assert number(clerk, figure.alt) == pytest.approx(error, abs=5.1e-5)
        assert ("never errs" in figure.alt) == (now["vote"] == 0)
