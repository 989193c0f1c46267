"""Section 11: what must hold of its figures, and its numbers computed once more, completion by completion."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from bayeslib.live.em_for_networks import ITERATIONS, LAST, SHOWN
from tests.figures import minus, number, places, written

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


def check_rows(table, weights):
    """The strips of a drawn table: as high as their weights, with the digits of the rows in them; returns the weights written."""
    tops = np.cumsum([0, *weights])
    for strip, top, weight in zip(table.strips, tops, weights):
        assert (strip.get_y(), strip.get_height(), strip.get_width()) == pytest.approx((top, weight, 5), abs=1e-9)
    ends = iter(zip(tops, tops[1:]))
    digits = {0: [], 1: []}
    for y, row in enumerate(ROWS):
        for x, value in enumerate(row):
            if value is not None:
                digits[value].append((x + 0.5, y + 0.5))
        parts = [next(ends) for _ in range(1 + (None in row))]
        if None in row:  # the digit of a strip is in its middle, but not nearer than 0.2 to the edge of its row
            for value, (top, bottom), aside in zip((1, 0), parts, (0.28, 0.72)):
                digits[value].append((row.index(None) + aside, float(np.clip((top + bottom) / 2, y + 0.2, y + 0.8))))
    for value, line in enumerate(table.digits):
        assert np.array(places(line)) == pytest.approx(np.array(sorted(digits[value])))
    assert np.array(places(table.plates)) == pytest.approx(np.array(sorted(digits[0] + digits[1])))
    holes = [at for at, _, _ in table.holes]
    return written([table.weights[at] for at in holes], [f"{weights[at]:.3f}" for at in holes])


def holds_split_rows(figure):
    k_01, k_00, e_1, e_0, a = (figure.values[name] / 100 for name in ("k_01", "k_00", "e_1", "e_0", "a"))
    tables = {**START, "A": a, "K": {**START["K"], (0, 1): k_01, (0, 0): k_00}, "E": (e_0, e_1)}
    found, _ = splits(tables)
    assert number("K = 1 gets weight", figure.alt) == pytest.approx(found[1][0][1], abs=5.1e-4)
    assert number("A = 1 gets weight", figure.alt) == pytest.approx(found[3][0][1], abs=5.1e-4)
    products = [(k_01, 1 - e_1), (1 - k_01, 1 - e_0), (a, 1 - k_01), (1 - a, 1 - k_00)]
    picture = figure.picture
    assert [bar.get_width() for bar in picture.bars] == pytest.approx([p * q for p, q in products])
    assert {round(bar.get_height(), 9) for bar in picture.bars} == {0.8}
    sums = written(picture.numbers, [f"{p:.2f} × {q:.2f} = {p * q:.4f}" for p, q in products])
    return sums + check_rows(picture.table, [w for row in found for _, w in row])


def holds_slip_fraction(figure):
    found, _ = splits(START)
    strips = [(row, round(w, 9)) for each in found for row, w in each]
    marks, focus, picture = figure.values["marks"], figure.values["focus"], figure.picture
    above = [w for (_, w), mark in zip(strips, marks) if mark == "a"]
    below = [w for (_, w), mark in zip(strips, marks) if mark != "-"]
    if below:
        assert number("=", figure.alt) == pytest.approx(sum(above) / sum(below), abs=5.1e-5)
    else:
        assert "no fraction yet" in figure.alt
    rule = "".join("-" if row[0] or not row[1] else "a" if row[2] else "b" for row, _ in strips)
    assert ("Every strip is where the rule puts it" in figure.alt) == (marks == rule)
    assert {"-": "left out", "b": "below only", "a": "above and below"}[marks[focus]] in figure.alt
    for bars, wanted in ((picture.above, above), (picture.below, below)):
        shown = [bar for bar in bars if bar.get_visible()]
        assert [bar.get_width() for bar in shown] == pytest.approx(wanted)
        assert [bar.get_x() for bar in shown] == pytest.approx(np.cumsum([0, *wanted])[:-1].tolist())
    tops = np.cumsum([0, *(w for _, w in strips)])
    ring = picture.focus
    assert (ring.get_y(), ring.get_height()) == pytest.approx((tops[focus], strips[focus][1]))
    assert ring.get_width() == pytest.approx(5.12)
    sums = [" + ".join(f"{w:g}" for w in each) + f" = {sum(each):g}" if each else "nothing" for each in (above, below)]
    value = f"= {sum(above) / sum(below):.4f}" if below else "no fraction yet"
    signs = [{"b": "below", "a": "above + below"}[mark] for mark in marks if mark != "-"]
    said = written(picture.signs, signs) + written([picture.top, picture.bottom, picture.value], [*sums, value])
    assert [bool(sign.get_text()) for sign in picture.signs] == [mark != "-" for mark in marks]
    return said + check_rows(picture.table, [w for _, w in strips])


def holds_expected_climb(figure):
    data, m, step = (figure.values[name] for name in ("data", "m", "step"))
    picture = figure.picture
    gains = picture.line.get_ydata()
    assert len(gains) == step + 1 and (np.diff(gains) >= -1e-9).all(), "what EM climbs never falls"
    assert places(picture.point) == [(step, gains[-1])] and list(picture.line.get_xdata()) == list(range(step + 1))
    assert number("iteration", figure.alt.replace(":", " ")) == SHOWN[step]
    assert number("[Ll]og-likelihood(?: \\+ log-prior)?", figure.alt) == pytest.approx(gains[-1], abs=5.1e-5)
    if data == "student":
        found, likelihood = splits(after(SHOWN[step], m))
        assert number(r"row 2: P\(K=1\) =", figure.alt) == pytest.approx(found[1][0][1], abs=5.1e-4)
        assert number(r"row 4: P\(A=1\) =", figure.alt) == pytest.approx(found[3][0][1], abs=5.1e-4)
        assert number("the log-likelihood alone is" if m else "Log-likelihood", figure.alt) == pytest.approx(
            likelihood, abs=5.1e-5
        )
        tables, used = counted(found, m), after(SHOWN[step], m)
        lines = [(1, 1), (1, 0), (0, 1), (0, 0)]
        wanted, diamonds = [tables["K"][line] for line in lines], [used["K"][line] for line in lines]
        weights = [sum(w for row in found for (s, a, *_), w in row if (s, a) == line) + m for line in lines]
        names, at = [f"S={s}, A={a}" for s, a in lines], 2
        title, head = "P(K=1 | S, A)", f"row 2: P(K=1) = {found[1][0][1]:.3f}, row 4: P(A=1) = {found[3][0][1]:.3f}"
    else:
        a1, a0, b = 2 / 3, 1 / 13, 3 / 19
        for _ in range(SHOWN[step] + 1):
            w, before = b * a1 / (b * a1 + (1 - b) * a0), (a1, a0)
            b = (3 + w + m / 2) / (20 + m)
            a1, a0 = (2 + w + m / 2) / (3 + w + m), (1 + 1 - w + m / 2) / (13 + 1 - w + m)
        assert number(r"Nov 27: P\(B=1\) =", figure.alt) == pytest.approx(w, abs=5.1e-4)
        wanted, diamonds, weights = (
            [None, a1, None, a0],
            [None, before[0], None, before[1]],
            [None, 3 + w + m, None, 14 - w + m],
        )
        names, at = [f"B={b}, E={e}" for b in (1, 0) for e in (1, 0)], 3
        title, head = "P(A=1 | B, E)", f"Nov 27: P(B=1) = {w:.3f}"
    assert number("so the next is", figure.alt) == pytest.approx(wanted[at], abs=5.1e-5)
    assert {round(bar.get_height(), 9) for bar in picture.bars} == {0.62}
    used, heights = places(picture.used), picture.used.get_ydata()
    assert list(heights) == [0, 1, 2, 3] and len(used) == 4
    counts = []
    for y, (bar, number_, share, diamond, weight) in enumerate(
        zip(picture.bars, picture.numbers, wanted, diamonds, weights)
    ):
        if share is None:  # the nights with an earthquake: their numbers are in the text that was written for them
            yes, total = map(float, number_.get_text().split(" of "))
            assert bar.get_width() == pytest.approx(yes / total, abs=2e-3) if total else 0 <= bar.get_width() <= 1
            counts.append(number_.get_text())
        else:
            assert bar.get_width() == pytest.approx(share, abs=1e-6)
            assert picture.used.get_xdata()[y] == pytest.approx(diamond, abs=1e-6)
            counts.append(f"{share * weight:.3f} of {weight:.3f}")
    kind = "log-likelihood + log-prior" if m else "log-likelihood"
    said = written(picture.numbers, counts) + written(picture.label, [f"{kind}\n{minus(gains[-1], 4)}"])
    said += written(picture.names, names) + written(picture.head, [head])
    said += written(picture.title, [f"next {title}; diamond: the one used"])
    # The axis runs from the start of the climb to its end
    low, middle, high = (float(text.get_text().replace("−", "-")) for text in picture.heights)
    assert low == pytest.approx(gains[0], abs=0.0051) and high >= gains[-1] - 0.0051
    assert middle == pytest.approx((low + high) / 2, abs=0.011)
    return said + [text.get_text() for text in picture.heights]


TRUTH = {
    "S": 0.5,
    "A": 0.6,
    "K": {(1, 1): 0.9, (1, 0): 0.6, (0, 1): 0.5, (0, 0): 0.1},
    "E": (0.3, 0.8),
    "H": (0.2, 0.7),
}


def holds_why_missing(figure):
    reason, share = figure.values["reason"], figure.values["share"] / 100
    seen, all_seen, gone = 0.0, 0.0, 0.0
    for row in product((1, 0), repeat=5):
        hit = {"random": True, "exam": not row[3], "know": not row[2]}[reason]
        left = chance(TRUTH, row) * (1 - share * hit)
        seen, all_seen, gone = seen + left * row[2], all_seen + left, gone + chance(TRUTH, row) * share * hit
    assert number(r"gives P\(K\) =", figure.alt) == pytest.approx(seen / all_seen, abs=5.1e-5)
    assert f"{100 * gone:.1f}% of all rows have the hole" in figure.alt
    learned = number("EM gives", figure.alt)
    assert number("the truth is", figure.alt) == 0.56
    if reason != "know" or not share:
        assert learned == pytest.approx(0.56, abs=5.1e-5), "what depends on seen cells only is repaired"
    else:
        assert 0.56 < learned < seen / all_seen
    groups = {(k, e): [0.0, 0.0] for k in (1, 0) for e in (1, 0)}
    for row in product((1, 0), repeat=5):
        hit = share * {"random": True, "exam": not row[3], "know": not row[2]}[reason]
        groups[row[2], row[3]][0] += chance(TRUTH, row) * (1 - hit)
        groups[row[2], row[3]][1] += chance(TRUTH, row) * hit
    picture = figure.picture
    assert [bar.get_height() for bar in picture.seen] == pytest.approx([seen for seen, _ in groups.values()])
    assert [bar.get_height() for bar in picture.hidden] == pytest.approx([gone for _, gone in groups.values()])
    assert [bar.get_y() for bar in picture.hidden] == pytest.approx([seen for seen, _ in groups.values()])
    assert [bar.get_width() for bar in picture.bars] == pytest.approx([seen / all_seen, learned], abs=5.1e-5)
    return written(picture.numbers, [f"{seen / all_seen:.4f}", f"{learned:.4f}"])


def holds_never_seen(figure):
    start, step = figure.values["start"], figure.values["step"]
    picture = figure.picture
    gains = picture.line.get_ydata()
    assert places(picture.point) == [(step, gains[-1])]
    assert len(gains) == step + 1 and (np.diff(gains) >= -1e-12).all()
    assert number("iteration", figure.alt.replace(":", " ")) == ITERATIONS[step]
    assert number("log-likelihood per row", figure.alt) == pytest.approx(gains[-1], abs=5.1e-5)
    best = number("the true tables have", figure.alt)
    assert best == -2.6385 and gains[-1] <= best + 5.1e-5
    heights = [bar.get_height() for bar in picture.bars]
    assert number(r"P\(E \| K\) =", figure.alt) == pytest.approx(heights[4], abs=5.1e-4)
    assert number(r"P\(E \| ¬K\) =", figure.alt) == pytest.approx(heights[5], abs=5.1e-4)
    assert number(r"P\(K \| S, A\) =", figure.alt) == pytest.approx(heights[0], abs=5.1e-4)
    share, effects = {}, {}  # the bars explain the rows as well as the curve says: Σ P(s,a,e,h) ln Σ_k P(s,a,k,e,h)
    for (s, a), know in zip(product((1, 0), repeat=2), heights):
        share[s, a] = know
    for v, pair in (("E", heights[4:6]), ("H", heights[6:8])):
        effects[v] = pair[::-1]
    learned, total = {"S": 0.5, "A": 0.6, "K": share, **effects}, 0.0
    for s, a, e, h in product((1, 0), repeat=4):
        real, drawn = (sum(chance(tables, (s, a, k, e, h)) for k in (1, 0)) for tables in (TRUTH, learned))
        total += real * np.log(drawn)
    assert not step or total == pytest.approx(gains[-1], abs=1e-4), "the start has other tables of S and A"
    if start == "flat":
        assert heights[:4] == [0.5] * 4 and heights[4] == pytest.approx(heights[5]), "nothing tells K from ¬K"
    elif step == len(ITERATIONS) - 1 and start in ("leaning", "mirrored"):
        truth = [0.9, 0.6, 0.5, 0.1, 0.8, 0.3, 0.7, 0.2]
        mirrored = [0.1, 0.4, 0.5, 0.9, 0.3, 0.8, 0.2, 0.7]
        assert heights == pytest.approx(truth if start == "leaning" else mirrored, abs=2e-4)


def holds_two_climbs(figure):
    x, y, rate, step = (figure.values[name] for name in ("x", "y", "rate", "step"))
    picture = figure.picture
    walks = {line.get_label(): np.transpose(line.get_data()) for line in picture.walks.values()}
    assert places(picture.start) == [(x / 100, y / 100)]
    assert walks["EM"].shape == walks["gradient"].shape == (step + 1, 2)
    heights = {line.get_label(): line.get_ydata() for line in picture.heights.values()}
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
