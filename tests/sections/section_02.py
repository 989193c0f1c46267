"""Section 02: what must hold of its figures, and its numbers computed once more, hypothesis by hypothesis."""

import math
import re
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

import bayeslib as bl
from bayeslib.concepts import ENJOY_SPORT
from tests.figures import number, placed, stroked, written

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


def layer(hypothesis):
    """The number of "?"; never is below those that have none."""
    return -1 if "∅" in hypothesis else hypothesis.count("?")


@cache
def marks(table):
    return np.array([h.count("?") for h in hypotheses(table)])


@cache
def standing(table):
    """The row of each hypothesis in the picture and its x: a row stands in the middle, the widest one fills the width."""
    row = np.array([layer(h) + 1 for h in hypotheses(table)])
    counts, x = np.bincount(row), np.empty(len(row))
    for each, count in enumerate(counts):
        x[row == each] = 0.5 + (np.arange(count) - (count - 1) / 2) / counts.max()
    return row, x


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
    left, size, picture = np.count_nonzero(wrong == 0), len(wrong), figure.picture
    gone = np.count_nonzero(posterior(table, numbers[:-1])[1] == 0) - left
    known = f"After {step} of {len(rows(table))} rows" if step else "Before any row"
    assert figure.controls["step"].max == len(rows(table)) and size == {"EnjoySport": 973, "PlayTennis": 145}[table]
    if step and not noise:
        day, label = rows(table)[numbers[-1]]
        last = [f"row {numbers[-1] + 1}: {' '.join(day)} → {'yes' if label else 'no'}, deletes {gone}"]
    told = written(picture.last, last if step and not noise else [])
    if belief is None:
        assert "no conjunction is left: the model is refuted" in figure.alt and "P(D) = 0" in figure.alt
        empty = next(k for k in range(15) if posterior(table, numbers[:k])[0] is None)
        assert number("Example", figure.alt) == empty
        for line in (picture.others, picture.fitting, picture.best):
            placed(line, [], [])
        told += written(picture.refuted, ["No conjunction fits: P(D) = 0,\nand there is no posterior"])
        return told + written(picture.rows, []) + written(picture.head, [f"{known}: 0 of {size} left"])
    row, x = standing(table)
    seen = belief > 1e-4
    with np.errstate(divide="ignore"):
        top = row + 0.88 * np.maximum(1 + np.log10(belief) / 4, 0)
    for line, mine in ((picture.fitting, seen & (wrong == 0)), (picture.others, seen & (wrong > 0))):
        stroked(line, np.column_stack([x, row, x, top])[mine])
    ties = np.flatnonzero(belief > belief.max() * (1 - 1e-9))
    few = ties if len(ties) <= 6 else []
    placed(picture.best, x[few], top[few] + 0.02)
    held = [(belief[row == k].sum(), np.count_nonzero((row == k) & (wrong == 0))) for k in range(row.max() + 1)]
    told += written(picture.rows, [f"{share:.3f}    {fit}" for share, fit in held if share])
    told += written(picture.refuted, []) + written(picture.head, [version_space_head(known, noise, belief, wrong)])
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
            assert number("it deleted", figure.alt) == gone
    if taste != 1:
        assert number("λ =", figure.alt) == pytest.approx(math.log(taste), rel=5e-3)
    return told


def version_space_head(known, noise, belief, wrong):
    fits = belief[wrong == 0]
    if noise:
        best = (
            f"the {len(fits)} that fit hold {fits.sum():.3f}"
            if len(fits)
            else f"none fits, the best holds {belief.max():.3f}"
        )
        return f"{noise}% wrong labels: {best}"
    each = f"each {fits[0]:.3g}" if np.ptp(fits) < 1e-12 else f"from {fits.min():.2g} to {fits.max():.3g}"
    return f"{known}: {len(fits)} of {len(belief)} left, {each}"


@cache
def between(step):
    """After so many days of EnjoySport: what is left, its lower and upper end, and which of it are neighbours."""
    wrong = posterior("EnjoySport", range(step))[1]
    left = [h for h, k in zip(hypotheses("EnjoySport"), wrong) if k == 0]
    days = list(product(*ENJOY_SPORT.values()))
    yes = {h: frozenset(day for day in days if says(h, day)) for h in left}
    bottom = [h for h in left if not any(yes[o] < yes[h] for o in left)]
    top = [h for h in left if not any(yes[o] > yes[h] for o in left)]
    pairs = combinations(left if len(left) <= 64 else [], 2)
    joined = [(a, b) for a, b in pairs if abs(layer(a) - layer(b)) == 1 and (yes[a] < yes[b] or yes[b] < yes[a])]
    return left, bottom, top, joined


@cache
def stands(step):
    """Where each of the hypotheses left stands: rows by the number of "?", from the bottom to the top of the picture."""
    left = between(step)[0]
    floors = sorted(set(map(layer, left)))
    rows = [[h for h in left if layer(h) == floor] for floor in floors]
    heights = np.linspace(0, 1, len(rows)) if len(rows) > 1 else [0]
    return {h: ((k + 0.5) / len(row), y) for row, y in zip(rows, heights) for k, h in enumerate(row)}


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
    picture, at = figure.picture, stands(step)
    middle = [h for h in left if h not in bottom and h not in top]
    for artist, mine in ((picture.between, middle), (picture.specific, bottom), (picture.general, top)):
        np.testing.assert_allclose(artist.get_offsets(), np.reshape([at[h] for h in mine], (-1, 2)))
        by_belief = np.argsort([share[h] for h in mine])
        assert (np.diff(artist.get_sizes()[by_belief]) >= -1e-9).all(), "a larger belief is a larger mark"
    stroked(picture.edges, [(*at[a], *at[b]) for a, b in joined])
    named = left if len(left) <= 6 else [h for h in left if h in bottom or h in top]
    told = written(picture.labels, [f"{' '.join(h)} · {share[h]:.3f}" for h in named])
    for text, h in zip(picture.labels, named):
        (x, y), off = at[h], 0.09 if h in top else -0.09
        assert text.get_position() == pytest.approx((np.clip(x, 0.12, 0.88), y + off))
    day = f"Day {step}, {'yes' if rows('EnjoySport')[step - 1][1] else 'no'}" if step else "No day yet"
    return told + written(picture.head, [f"{day}: {len(left)} left"])


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
    picture, votes, half = figure.picture, np.reshape(votes, (12, 8)), len(left) / 2
    unanimous, nobody = (votes == len(left)) & (votes > 0), votes == 0
    split, nearest = ~(unanimous | nobody), np.abs(votes - half).min()
    best = split & (np.abs(votes - half) == nearest)
    kinds = {"split": split & ~best, "best": best, "yes": unanimous, "no": nobody}
    for line, mine in [(picture.tiles[kind], each) for kind, each in kinds.items()] + [
        (picture.digits[n], votes == n) for n in range(7)
    ]:
        placed(line, *np.nonzero(mine)[::-1])
    placed(picture.chosen, [column], [row])
    chosen = day(8 * row + column)
    told = written(picture.says, ["gone" if h not in left else "yes" if says(h, chosen) else "no" for h in six])
    told += written(picture.day, [f"{' '.join(chosen[:3])}\n{' '.join(chosen[3:])}"])
    against = len(left) - yes
    futures = "no hypothesis is left:\nthese labels refute\nthe model"
    if left:
        expected = (yes**2 + against**2) / len(left)
        futures = f"yes leaves {yes}, no leaves {against}\nexpected left: {expected:.2f}"
    return told + written(picture.futures, [futures])
