"""Section 02: what must hold of its figures, and its numbers computed once more, hypothesis by hypothesis."""

import math
import re
from functools import cache
from itertools import product

import numpy as np
import pytest

import bayeslib as bl
from bayeslib.concepts import ENJOY_SPORT
from tests.figures import number

TABLES = {"EnjoySport": bl.data.load_enjoy_sport(), "PlayTennis": bl.data.load_play_tennis()}
SETTINGS = {"queries": {"asked": ["", "8+", "8-", "0-", "3+", "8+ 16-", "8+ 16- 16+", "95+"]}}


@cache
def hypotheses(table):
    """All conjunctions of a table by brute force, never first; as many as differ in what they say."""
    columns = TABLES[table].columns[:-1]
    domains = ENJOY_SPORT.values() if table == "EnjoySport" else [TABLES[table][name].unique() for name in columns]
    return [("∅",) * len(columns), *product(*([*values, "?"] for values in domains))]


@cache
def rows(table):
    return [(tuple(row[:-1]), row[-1].lower() == "yes") for row in TABLES[table].itertuples(index=False, name=None)]


def says(hypothesis, instance):
    return all(entry == "?" or entry == value for entry, value in zip(hypothesis, instance))


@cache
def verdicts(table):
    """Whether each hypothesis contradicts each row."""
    return np.array([[says(h, x) != label for x, label in rows(table)] for h in hypotheses(table)])


@cache
def marks(table):
    return np.array([h.count("?") for h in hypotheses(table)])


def posterior(table, numbers, taste=1.0, noise=0.0):
    """Belief and contradictions of every hypothesis after these rows, or None for the belief where P(D) = 0."""
    wrong = verdicts(table)[:, list(numbers)].sum(axis=1)
    joint = taste ** -marks(table).astype(float) / (taste ** -marks(table).astype(float)).sum()
    joint = joint * noise**wrong * (1 - noise) ** (len(numbers) - wrong)
    return (joint / joint.sum() if joint.sum() else None), wrong, joint.sum()


BELIEF, WRONG, _ = posterior("EnjoySport", range(4), noise=0.1)
NUMBERS = {"02/noise-ten": 100 * BELIEF[WRONG == 0].sum(), "02/expected-left": (2 * 2 + 6 * 6) / 8}
WRONG_NUMBERS = {
    "02/noise-ten": {"noise-soft": 100 * (1 - 0.1), "noise-deaf": 100, "inverse": 100 * 0.9**4},
    "02/expected-left": {"equal-futures": (2 + 6) / 2},
}


def holds_version_space(figure):
    table, order, noise, taste, step = (figure.values[name] for name in ("table", "order", "noise", "taste", "step"))
    numbers = [*(int(each) - 1 for each in order.split()), *range(4, len(rows(table)))][:step]
    belief, wrong, evidence = posterior(table, numbers, taste, noise / 100)
    left, size = np.count_nonzero(wrong == 0), len(wrong)
    axes = figure.figure.axes[0]
    thin, thick, best = axes.lines[:3]
    words = [text.get_text() for text in axes.texts]
    assert figure.controls["step"].max == len(rows(table)) and size == {"EnjoySport": 973, "PlayTennis": 145}[table]
    if belief is None:
        assert "no conjunction is left: the model is refuted" in figure.alt and "P(D) = 0" in figure.alt
        empty = next(k for k in range(15) if posterior(table, numbers[:k])[0] is None)
        assert number("Example", figure.alt) == empty
        assert len(thin.get_xdata()) == len(thick.get_xdata()) == 0 and any("No conjunction fits" in w for w in words)
        return
    seen = belief > 1e-4
    assert len(thick.get_xdata()) == 3 * np.count_nonzero(seen & (wrong == 0))
    assert len(thin.get_xdata()) == 3 * np.count_nonzero(seen & (wrong > 0))
    heights = np.diff(
        np.concatenate([line.get_ydata() for line in (thick, thin)]).reshape(-1, 3)[:, :2], axis=1
    ).ravel()
    assert np.sort(10 ** (4 * (heights / 0.88 - 1))) == pytest.approx(np.sort(belief[seen]), rel=1e-6)
    ties = np.flatnonzero(belief > belief.max() * (1 - 1e-9))
    assert len(best.get_xdata()) == len(ties) and best.get_visible() == (len(ties) <= 6)
    layer = np.where(np.arange(size) == 0, -1, marks(table))
    drawn = [float(text.split()[0]) if text else 0 for text in words[3:11]][: layer.max() + 2]
    assert drawn == pytest.approx([belief[layer == k].sum() for k in range(-1, layer.max() + 1)], abs=5.1e-4)
    assert number(r"Most probable: .*,", figure.alt) == pytest.approx(belief.max(), rel=5.1e-3)
    if len(ties) == 1:
        assert f"⟨{', '.join(hypotheses(table)[ties[0]])}⟩, against {wrong[ties[0]]} of {step} labels" in figure.alt
    else:
        assert f"{len(ties)} tie" in figure.alt
    if noise:
        assert number("together they hold", figure.alt) == pytest.approx(belief[wrong == 0].sum(), abs=5.1e-4)
        assert f"{left} of {size} hypotheses fit" in figure.alt
    else:
        assert f"{left} of {size} hypotheses remain" in figure.alt
        assert number(r"P\(D\) =", figure.alt) == pytest.approx(evidence, rel=1e-3)
        if step:
            before = np.count_nonzero(posterior(table, numbers[:-1])[1] == 0)
            assert number("it deleted", figure.alt) == before - left
    if taste != 1:
        assert number("λ =", figure.alt) == pytest.approx(math.log(taste), rel=5e-3)


@cache
def between(step):
    """After so many days of EnjoySport: what is left, its lower and upper end, and how many neighbours it holds."""
    wrong = posterior("EnjoySport", range(step))[1]
    left = [h for h, k in zip(hypotheses("EnjoySport"), wrong) if k == 0]
    days = list(product(*ENJOY_SPORT.values()))
    yes = {h: frozenset(day for day in days if says(h, day)) for h in left}
    bottom = [h for h in left if not any(yes[o] < yes[h] for o in left)]
    top = [h for h in left if not any(yes[o] > yes[h] for o in left)]
    joined = sum(yes[a] < yes[b] and b.count("?") == a.count("?") + 1 for a in left for b in left if len(left) <= 64)
    return left, bottom, top, joined


def holds_lattice(figure):
    taste, step = figure.values["taste"], figure.values["step"]
    belief = posterior("EnjoySport", range(step), taste)[0]
    left, bottom, top, joined = between(step)
    assert f"; {len(left)} hypotheses from S to G" in figure.alt
    named = re.search(r"S = {(.*)}, G = {(.*)};", figure.alt)
    for listed, wanted in zip(named.groups(), (bottom, top)):
        assert {tuple(each.split(", ")) for each in re.findall("⟨(.*?)⟩", listed)} == set(wanted)
    share = dict(zip(hypotheses("EnjoySport"), belief))
    assert number("S has probability", figure.alt) == pytest.approx(share[bottom[0]], abs=5.1e-4)
    axes = figure.figure.axes[0]
    counts = [len(artist.get_offsets()) for artist in axes.collections]
    assert counts == [len(left) - len(bottom) - len(top), len(bottom), len(top)]
    shown = {text.get_text() for text in axes.texts[:-1] if text.get_visible()}
    wanted = left if len(left) <= 6 else bottom + top
    assert shown == {f"{' '.join(h)} · {share[h]:.3f}" for h in wanted}
    assert len(axes.lines[0].get_xdata()) == 3 * joined


def holds_queries(figure):
    row, column, asked = (figure.values[name] for name in ("row", "column", "asked"))

    def day(tile):
        sky, warm, wind, humid, water, forecast = np.unravel_index(tile, (3, 2, 2, 2, 2, 2))
        codes = (sky, warm, humid, wind, water, forecast)
        return tuple(values[code] for values, code in zip(ENJOY_SPORT.values(), codes))

    six = [h for h, k in zip(hypotheses("EnjoySport"), posterior("EnjoySport", range(4))[1]) if k == 0]
    labels = [(day(int(each[:-1])), each[-1] == "+") for each in asked.split()]
    left = [h for h in six if all(says(h, x) == label for x, label in labels)]
    votes = [sum(says(h, day(tile)) for h in left) for tile in range(96)]
    tally = {int(n): int(count) for count, n in re.findall(r"(\d+) get (\d+)", figure.alt)}
    assert tally == {n: votes.count(n) for n in set(votes)}
    yes = votes[8 * row + column]
    assert f"{' '.join(day(8 * row + column))} gets {yes} of {len(left)}." in figure.alt
    if left:
        assert number("expected", figure.alt) == pytest.approx(
            (yes**2 + (len(left) - yes) ** 2) / len(left), abs=5.1e-3
        )
    else:
        assert "No conjunction is left" in figure.alt
    tiles, words = figure.figure.axes
    *kinds, ring = [tiles.lines[k] for k in (0, 1, 2, 3, -1)]
    digits = tiles.lines[4:11]
    assert [len(line.get_xdata()) for line in digits] == [votes.count(n) for n in range(7)]
    split = [v for v in votes if 0 < v < len(left)]
    even = min((abs(2 * v - len(left)) for v in votes), default=0)
    best = sum(abs(2 * v - len(left)) == even for v in split)
    unanimous = sum(v == len(left) > 0 for v in votes)
    assert [len(line.get_xdata()) for line in kinds] == [len(split) - best, best, unanimous, votes.count(0)]
    assert (ring.get_xdata()[0], ring.get_ydata()[0]) == (column, row)
    verdict = {h: "gone" if h not in left else "yes" if says(h, day(8 * row + column)) else "no" for h in six}
    texts = [text.get_text() for text in words.texts]
    assert [texts[texts.index(" ".join(h)) + 1] for h in six] == list(verdict.values())
