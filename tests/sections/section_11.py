"""Section 11: what must hold of its figures, and its numbers computed once more, completion by completion."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from bayeslib.live.em_networks import ITERATIONS, LAST, SHOWN
from tests.figures import number

SETTINGS = {
    "slip_fraction": {
        "marks": ["-------", "-abab--", "-abaa--", "---a---", "bbbbbbb", "aaaaaaa", "-ab-b--", "a-b-a-b"],
        "focus": list(range(7)),
    },
}
ROWS = [(1, 0, 1, 1, 0), (0, 1, None, 0, 1), (0, 1, 1, 0, 0), (0, None, 0, 1, 0), (1, 1, 1, 1, 1)]
START = {
    "S": 0.5,
    "A": 0.5,
    "K": {(1, 1): 0.9, (1, 0): 0.7, (0, 1): 0.8, (0, 0): 0.2},
    "E": (0.2, 0.7),
    "H": (0.5, 0.5),
}


def chance(tables, row):
    """P(S, A, K, E, H), a product of five numbers written out."""
    s, a, k, e, h = row
    factors = tables["S"], tables["A"], tables["K"][s, a], tables["E"][k], tables["H"][k]
    return np.prod([p if value else 1 - p for p, value in zip(factors, row)])


def splits(tables, rows=ROWS):
    """Every row's completions with their weights, and the log-likelihood."""
    found, likelihood = [], 0.0
    for row in rows:
        ways = list(product(*((value,) if value is not None else (1, 0) for value in row)))
        chances = [chance(tables, way) for way in ways]
        found.append(list(zip(ways, np.array(chances) / sum(chances))))
        likelihood += np.log(sum(chances))
    return found, likelihood


def counted(found, m=0.0):
    """Tables from weighted rows, with m virtual rows for each combination of parents."""
    strips = [strip for row in found for strip in row]

    def share(child, **given):
        among = [(row, w) for row, w in strips if all(row["SAKEH".index(v)] == value for v, value in given.items())]
        top = sum(w for row, w in among if row["SAKEH".index(child)])
        return (top + m / 2) / (sum(w for _, w in among) + m)

    know = {(s, a): share("K", S=s, A=a) for s, a in product((1, 0), repeat=2)}
    effects = {v: (share(v, K=0), share(v, K=1)) for v in "EH"}
    return {"S": share("S"), "A": share("A"), "K": know, **effects}


@cache
def after(iterations, m):
    """The tables after so many steps of EM; no combination of parents ever empties on these rows."""
    return counted(splits(after(iterations - 1, m))[0], m) if iterations else START


def percent(top, bottom):
    return 100 * top / bottom


NUMBERS = {
    "11/row-two": percent(0.8 * 0.3, 0.8 * 0.3 + 0.2 * 0.8),
    "11/slip": percent(0.6 + 1, 0.6 + 0.4 + 1 + 0.2),
    "11/one-weight": percent(0.5 * 0.8, 0.5 * 0.8 + 0.5 * 0.2),
}
WRONG_NUMBERS = {
    "11/row-two": {"row-ignored": 80, "joint-posterior": 100 * 0.8 * 0.3, "hard-fill": 100},
    "11/slip": {"fraction-everywhere": percent(0.6 + 1 + 0.2, 0.6 + 0.4 + 1 + 0.2), "drop-rows": percent(1, 1)},
    "11/one-weight": {"row-ignored": 50, "joint-posterior": 100 * 0.5 * 0.8, "hard-fill": 100},
}


def strips_of(axes, count=7):
    return [patch for patch in axes.patches if patch.get_width() == 5][:count]


def holds_split_rows(figure):
    k_01, k_00, e_1, e_0, a = (figure.values[name] / 100 for name in ("k_01", "k_00", "e_1", "e_0", "a"))
    tables = {**START, "A": a, "K": {**START["K"], (0, 1): k_01, (0, 0): k_00}, "E": (e_0, e_1)}
    found, _ = splits(tables)
    assert number("K = 1 gets weight", figure.alt) == pytest.approx(found[1][0][1], abs=5.1e-4)
    assert number("A = 1 gets weight", figure.alt) == pytest.approx(found[3][0][1], abs=5.1e-4)
    heights = [strip.get_height() for strip in strips_of(figure.figure.axes[0])]
    assert heights == pytest.approx([w for row in found for _, w in row]) and sum(heights) == pytest.approx(5)


def holds_slip_fraction(figure):
    found, _ = splits(START)
    strips = [(row, round(w, 9)) for each in found for row, w in each]
    marks, focus = figure.values["marks"], figure.values["focus"]
    above = sum(w for (_, w), mark in zip(strips, marks) if mark == "a")
    below = sum(w for (_, w), mark in zip(strips, marks) if mark != "-")
    if below:
        assert number("=", figure.alt) == pytest.approx(above / below, abs=5.1e-5)
    else:
        assert "no fraction yet" in figure.alt
    rule = "".join("-" if row[0] or not row[1] else "a" if row[2] else "b" for row, _ in strips)
    assert ("Every strip is where the rule puts it" in figure.alt) == (marks == rule)
    assert {"-": "left out", "b": "below only", "a": "above and below"}[marks[focus]] in figure.alt
    shown = [patch.get_width() for patch in figure.figure.axes[1].patches if patch.get_visible()]
    assert sum(shown) == pytest.approx(above + below)


def holds_expected_climb(figure):
    data, m, step = (figure.values[name] for name in ("data", "m", "step"))
    gains = figure.figure.axes[1].lines[0].get_ydata()
    assert len(gains) == step + 1 and (np.diff(gains) >= -1e-9).all(), "what EM climbs never falls"
    assert number("iteration", figure.alt.replace(":", " ")) == SHOWN[step]
    assert number("[Ll]og-likelihood(?: \\+ log-prior)?", figure.alt) == pytest.approx(gains[-1], abs=5.1e-5)
    if data == "student":
        found, likelihood = splits(after(SHOWN[step], m))
        assert number(r"row 2: P\(K=1\) =", figure.alt) == pytest.approx(found[1][0][1], abs=5.1e-4)
        assert number(r"row 4: P\(A=1\) =", figure.alt) == pytest.approx(found[3][0][1], abs=5.1e-4)
        assert number("the log-likelihood alone is" if m else "Log-likelihood", figure.alt) == pytest.approx(
            likelihood, abs=5.1e-5
        )
        new = counted(found, m)["K"][0, 1]
        assert number("so the next is", figure.alt) == pytest.approx(new, abs=5.1e-5)
    else:
        a1, a0, b = 2 / 3, 1 / 13, 3 / 19
        for _ in range(SHOWN[step] + 1):
            w = b * a1 / (b * a1 + (1 - b) * a0)
            before = w
            b = (3 + w + m / 2) / (20 + m)
            a1, a0 = (2 + w + m / 2) / (3 + w + m), (1 + 1 - w + m / 2) / (13 + 1 - w + m)
        assert number(r"Nov 27: P\(B=1\) =", figure.alt) == pytest.approx(before, abs=5.1e-4)
        assert number("so the next is", figure.alt) == pytest.approx(a0, abs=5.1e-5)
    bars = [bar.get_width() for bar in figure.figure.axes[0].patches[4:8]]
    at = 2 if data == "student" else 3
    assert number("so the next is", figure.alt) == pytest.approx(bars[at], abs=5.1e-5)


def holds_why_missing(figure):
    reason, share = figure.values["reason"], figure.values["share"] / 100
    know = {(1, 1): 0.9, (1, 0): 0.6, (0, 1): 0.5, (0, 0): 0.1}
    truth = {"S": 0.5, "A": 0.6, "K": know, "E": (0.3, 0.8), "H": (0.2, 0.7)}
    seen, all_seen, gone = 0.0, 0.0, 0.0
    for row in product((1, 0), repeat=5):
        hit = {"random": True, "exam": not row[3], "know": not row[2]}[reason]
        left = chance(truth, row) * (1 - share * hit)
        seen, all_seen, gone = seen + left * row[2], all_seen + left, gone + chance(truth, row) * share * hit
    assert number(r"gives P\(K\) =", figure.alt) == pytest.approx(seen / all_seen, abs=5.1e-5)
    assert f"{100 * gone:.1f}% of all rows have the hole" in figure.alt
    learned = number("EM gives", figure.alt)
    assert number("the truth is", figure.alt) == 0.56
    if reason != "know" or not share:
        assert learned == pytest.approx(0.56, abs=5.1e-5), "what depends on seen cells only is repaired"
    else:
        assert 0.56 < learned < seen / all_seen
    bars = figure.figure.axes[0].patches[:8]
    assert sum(bar.get_height() for bar in bars) == pytest.approx(1)
    assert sum(bar.get_height() for bar in bars[4:]) == pytest.approx(gone)


def holds_never_seen(figure):
    start, step = figure.values["start"], figure.values["step"]
    gains = figure.figure.axes[0].lines[1].get_ydata()
    assert len(gains) == step + 1 and (np.diff(gains) >= -1e-12).all()
    assert number("iteration", figure.alt.replace(":", " ")) == ITERATIONS[step]
    assert number("log-likelihood per row", figure.alt) == pytest.approx(gains[-1], abs=5.1e-5)
    best = number("the true tables have", figure.alt)
    assert best == -2.6385 and gains[-1] <= best + 5.1e-5
    heights = [bar.get_height() for bar in figure.figure.axes[1].patches]
    assert number(r"P\(E \| K\) =", figure.alt) == pytest.approx(heights[4], abs=5.1e-4)
    if start == "flat":
        assert heights[:4] == [0.5] * 4 and heights[4] == pytest.approx(heights[5]), "nothing tells K from ¬K"
    elif step == len(ITERATIONS) - 1 and start in ("leaning", "mirrored"):
        truth = [0.9, 0.6, 0.5, 0.1, 0.8, 0.3, 0.7, 0.2]
        mirrored = [0.1, 0.4, 0.5, 0.9, 0.3, 0.8, 0.2, 0.7]
        assert heights == pytest.approx(truth if start == "leaning" else mirrored, abs=2e-4)


def holds_two_climbs(figure):
    x, y, rate, step = (figure.values[name] for name in ("x", "y", "rate", "step"))
    walks = {line.get_label(): np.transpose(line.get_data()) for line in figure.figure.axes[0].lines[:2]}
    assert walks["EM"].shape == walks["gradient"].shape == (step + 1, 2)
    heights = {line.get_label(): line.get_ydata() for line in figure.figure.axes[1].lines[1:]}
    for name, walk in walks.items():
        a, b = walk[-1]
        tables = {**START, "K": {**START["K"], (0, 1): a}, "E": (0.2, b)}
        assert heights[name][-1] == pytest.approx(splits(tables)[1]), "the height is the likelihood at that place"
    assert (np.diff(heights["EM"]) >= -1e-9).all(), "EM never goes down"
    assert number("log-likelihood EM", figure.alt) == pytest.approx(heights["EM"][-1], abs=5.1e-5)
    if step:
        tables = {**START, "K": {**START["K"], (0, 1): x / 100}, "E": (0.2, y / 100)}
        new = counted(splits(tables)[0])
        assert walks["EM"][1] == pytest.approx([new["K"][0, 1], new["E"][1]])
        ahead = [splits({**tables, "K": {**tables["K"], (0, 1): x / 100 + d}})[1] for d in (1e-6, -1e-6)]
        moved = x / 100 + rate / 2 * (ahead[0] - ahead[1]) / 2e-6
        if 0.001 < moved < 0.999:
            assert walks["gradient"][1][0] == pytest.approx(moved, abs=1e-5)
    assert figure.controls["step"].max == LAST
