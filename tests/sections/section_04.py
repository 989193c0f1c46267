"""Section 04: what must hold of its figures."""

import numpy as np
import pytest

from tests.figures import EXPLAINED, number

# Weights all over the triangle, away from its borders, to measure areas by counting.
GRID = np.array([(i, j, 90 - i - j) for i in range(90) for j in range(90 - i)]) + 1 / 3
GRID = GRID / GRID.sum(axis=1, keepdims=True)


def holds_weighted_vote(figure):
    weights, plus = (np.array([figure.values[f"{kind}{h}"] for h in "123"], float) for kind in "wq")
    if not weights.any():
        assert figure.alt.startswith(EXPLAINED + "weights must not all be 0")
        return
    weights, plus = weights / weights.sum(), plus / 100
    vote = weights @ plus
    bars, triangle = figure.figure.axes
    heights = [patch.get_height() for patch in bars.patches]
    assert heights == pytest.approx([*(weights * plus), vote, 0, *(weights * (1 - plus)), 0, 1 - vote], abs=1e-12)
    assert number(r"× [\d.]+ =", figure.alt) == pytest.approx(vote, abs=5.1e-5)
    assert number(r"P\(−\|D\) =", figure.alt) == pytest.approx(1 - vote, abs=5.1e-5)
    lines = {line.get_label(): line for line in bars.lines}
    best = np.flatnonzero(weights > weights.max() - 1e-9)
    assert lines["MAP"].get_xdata() == pytest.approx(best)
    won = [label for label, share in (("+", vote), ("−", 1 - vote)) if share > 0.5 - 1e-9]
    assert lines["wins the vote"].get_xdata() == pytest.approx([{"+": 3.7, "−": 4.7}[each] for each in won])
    assert f"so it says {won[0] if len(won) == 1 else 'either, a tie'}." in figure.alt
    # What MAP says: each of the best hypotheses says what it holds more probable, half and half where it cannot tell.
    says = np.mean([0.5 if plus[h] == 0.5 else plus[h] > 0.5 for h in best])
    tied = abs(says - 0.5) < 1e-9 or len(won) > 1
    verdict = "A tie" if tied else "MAP and vote " + ("agree" if (says > 0.5) == (won == ["+"]) else "disagree")
    assert f"{verdict};" in figure.alt and verdict.lower() in [text.get_text().lower() for text in triangle.texts]
    of_map = plus[GRID.argmax(axis=1)]
    disagree = ((of_map > 0.5) & (GRID @ plus < 0.5)) | ((of_map < 0.5) & (GRID @ plus > 0.5))
    assert number(r"disagree on(?: \d+/\d+ =)?", figure.alt) == pytest.approx(disagree.mean(), abs=0.02)
    assert float(triangle.lines[-1].get_ydata()[0]) == pytest.approx(np.sqrt(0.75) * weights[0])


def holds_three_clerks(figure):
    p, leader, truth = figure.values["p"] / 100, figure.values["leader"], figure.values["truth"]
    true = {"drawn": {"+": p, "−": 1 - p}, "+": {"+": 1, "−": 0}, "−": {"+": 0, "−": 1}}[truth]
    wanted = {
        "vote": 0.5 if p == 0.5 else true["−" if p > 0.5 else "+"],
        "Gibbs": p * true["−"] + (1 - p) * true["+"],
        "MAP": 1 - true[leader],
    }
    curves, bars = figure.figure.axes
    lines = {line.get_label(): line.get_data() for line in curves.lines}
    for clerk, error in wanted.items():
        assert [float(*place) for place in lines[clerk]] == pytest.approx([p, error])
    assert [patch.get_width() for patch in bars.patches] == pytest.approx([*wanted.values()])
    assert number("the vote errs", figure.alt) == pytest.approx(wanted["vote"], abs=5.1e-4)
    assert number("Gibbs errs", figure.alt) == pytest.approx(wanted["Gibbs"], abs=5.1e-5)
    assert number(r"says [+−], errs", figure.alt) == pytest.approx(wanted["MAP"], abs=5.1e-4)
    if wanted["vote"] == 0:
        assert "never errs" in figure.alt
    else:
        assert number(r"Gibbs errs [\d.]+,", figure.alt) == pytest.approx(wanted["Gibbs"] / wanted["vote"], abs=5.1e-3)
        assert ("above the ceiling" in figure.alt) == (wanted["Gibbs"] > 2 * wanted["vote"])
    p_values, ceiling = lines["twice the vote"]
    curve = {"drawn": 2 * np.minimum(p_values, 1 - p_values), "+": 2.0 * (p_values < 0.5), "−": 2.0 * (p_values > 0.5)}
    sure = np.abs(p_values - 0.5) > 1e-9
    assert ceiling[sure] == pytest.approx(curve[truth][sure])


def holds_shrinking_gap(figure):
    truth, step = figure.values["truth"], figure.values["step"]
    strip, curves = figure.figure.axes
    black, minus, plus, *cuts = (line.get_xdata() for line in strip.lines)
    low, width = strip.patches[0].get_x(), strip.patches[0].get_width()
    assert len(minus) + len(plus) == step
    assert low == max(minus, default=0) and low + width == pytest.approx(min(plus, default=1))
    assert low <= black[0] <= low + width
    assert number("gap from", figure.alt) == pytest.approx(low, abs=5.1e-4)
    vote, gibbs, specific = (float(cut[0]) for cut in cuts)
    assert vote == pytest.approx(low + width / 2) and low <= gibbs <= low + width and specific == low + width
    dots = [line.get_ydata() for line in curves.lines if line.get_linestyle() == "None"]
    assert [len(each) for each in dots] == [step + 1] * 3
    gap = 2 / (step + 2)
    if truth == "drawn":
        assert [each[-1] for each in dots] == pytest.approx([gap / 4, gap / 3, gap / 2], rel=0.1)
        assert number("expected gap", figure.alt) == pytest.approx(gap, abs=5.1e-5)
        assert number("Gibbs", figure.alt) == pytest.approx(gap / 3, abs=5.1e-5)
        assert number(r"as 3 : [\d.]+ :", figure.alt) == pytest.approx(3 * dots[2][-1] / dots[0][-1], abs=5.1e-3)
    else:
        theta = truth / 100  # the first + is further than t beyond it if all points miss that stretch: (1 − t)^m
        assert black[0] == theta
        assert dots[2][-1] == pytest.approx((1 - theta ** (step + 1)) / (step + 1), rel=0.15)
        for clerk, each in zip(("vote", "Gibbs", "MAP"), dots):
            assert number(clerk, figure.alt) == pytest.approx(each[-1], abs=5.1e-5)
        assert ("never errs" in figure.alt) == (dots[0][-1] == 0)
