"""Section 12: what must hold of its figures, and its numbers computed once more."""

import re
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from bayeslib import text
from tests.figures import number, written

NUMBERS = {"12/two-shares": 100 * (1 + 0.2 + 0.4) / 6}
WRONG_NUMBERS = {
    "12/two-shares": {"hard-share": 100 * 1 / 6, "dropped-rows": 100 * 1 / 4, "half-half": 100 * (1 + 0.5 + 0.5) / 6}
}

ROWS = [[0, 0, 1, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]


@cache
def by_hand(rounds, hard):
    """(P(Y=1), the estimates given 0 and given 1, the shares of rows 4 and 5) by exact fractions."""
    shares, counted = [Fraction(1), Fraction(0), Fraction(0)], ROWS[:3]
    for _ in range(rounds + 1):
        classes = [[1 - q for q in shares], shares]
        prior = sum(shares) / len(shares)
        table = [
            [(sum(q * row[i] for q, row in zip(each, counted)) + 1) / (sum(each) + 2) for i in range(4)]
            for each in classes
        ]
        open_ = []
        for row in ROWS[3:]:
            zero, one = (
                p * np.prod([given if x else 1 - given for given, x in zip(chances, row)])
                for p, chances in zip((1 - prior, prior), table)
            )
            open_.append(Fraction(one / (zero + one)).limit_denominator(10**12))
        counted, shares = ROWS, [Fraction(1), Fraction(0), Fraction(0), *(round(q) if hard else q for q in open_)]
    return float(prior), np.array(table, float), [float(q) for q in open_]


def holds_five_rows(figure):
    picture = figure.picture
    dots, starts = ([line.get_ydata() for line in lines] for lines in (picture.dots, picture.starts))
    assert [line.get_xdata().tolist() for line in picture.dots] == [
        line.get_xdata().tolist() for line in picture.starts
    ]
    assert {round(bar.get_height(), 9) for bar in (*picture.zero, *picture.one)} == {0.8}
    assert {bar.get_width() for bar in picture.zero if bar.get_visible()} == {1}
    if figure.values["counting"] == "plain":
        assert figure.alt.startswith("Plain counting") and "row 5 gets 0/0" in figure.alt
        assert np.array(dots).tolist() == np.array(starts).tolist() == [[0, 0.5, 0.5, 0], [0, 0, 1, 1]]
        assert not any(bar.get_visible() for bar in picture.one)
        # Row 5 is 0 1 0 1: P(y) and P(x|y) as plain counting of three rows gives them
        says = "row 5, Y = 1:  1/3 · 1 · 0 · 0 · 1 = 0\nrow 5, Y = 0:  2/3 · 1 · 1/2 · 1/2 · 0 = 0"
        return written(picture.shares, ["0.000", "0/0"]) + written(picture.says, [says])
    prior, table, q = by_hand(figure.values["step"], figure.values["hard"])
    assert number(r"P\(Y=1\) =", figure.alt) == pytest.approx(prior, abs=5.1e-5)
    assert number("row 4 belongs", figure.alt) == pytest.approx(q[0], abs=5.1e-5)
    assert number("row 5", figure.alt) == pytest.approx(q[1], abs=5.1e-5)
    assert np.array(dots) == pytest.approx(table) and [bar.get_width() for bar in picture.one] == pytest.approx(q)
    assert np.array(starts) == pytest.approx(by_hand(0, figure.values["hard"])[1])
    assert ("Rounded" in figure.alt) == figure.values["hard"] and "fell" not in figure.alt
    zero, one = (
        p * np.prod([chance if x else 1 - chance for chance, x in zip(chances, ROWS[4])])
        for p, chances in zip((1 - prior, prior), table)
    )
    says = f"P(Y=1) = {prior:.4f}\nrow 5:  {one:.4f} / ({one:.4f} + {zero:.4f}) = {q[1]:.4f}"
    return written(picture.shares, [f"{each:.3f}" for each in q]) + written(picture.says, [says])


@cache
def oracle(task, labels, split, weight=1.0):
    """Accuracies by round of a plain, dense EM, and the tables of the first and the last round."""
    counts, _, y, _ = text.task_data(task)
    train, given, test = text.split_documents(y, labels, split)
    X, unseen, classes = counts[train].toarray(), counts[test].toarray(), sorted(set(y))
    share = np.array([[label == each for each in classes] for label in given], float)
    open_ = share.sum(axis=1) == 0
    accuracy, tables = [], []
    for _ in range(text.ROUNDS + 1):
        count = share * np.where(open_, weight, 1)[:, None]
        words = count.T @ X + 1
        table, prior = np.log(words / words.sum(axis=1, keepdims=True)), np.log(count.sum(axis=0) / count.sum())
        accuracy.append(
            np.mean([classes[best] == y[row] for best, row in zip((prior + unseen @ table.T).argmax(1), test)])
        )
        tables.append(table)
        scores = prior + X[open_] @ table.T
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        share[open_] = scores / scores.sum(axis=1, keepdims=True)
    return accuracy, tables


CHECKED = {(1, 7), (1, 20), (1, 3), (5, 20), (50, 0)}  # the oracle is slow: the settings of the presets and one more


def holds_telling_words(figure):
    labels, split, step = (figure.values[name] for name in ("labels", "split", "step"))
    accuracy, climb, words = figure.figure.axes
    _, shown = (line.get_ydata() for line in accuracy.lines)
    (heights,) = (line.get_ydata() for line in climb.lines)
    assert len(shown) == len(heights) == step + 1
    assert (np.diff(heights) > -1e-9).all() and heights[0] == 0 and -1e-9 <= heights[-1] <= 1 + 1e-9
    assert number("accuracy", figure.alt) == pytest.approx(shown[-1], abs=5.1e-4)
    assert f"Split {split}, {labels} label" in figure.alt and f"Round {step}:" in figure.alt
    lists = [(name, re.findall("“(.+?)”", named)) for name, named in re.findall(r"For (\w+): (.+?)\.", figure.alt)]
    assert [name for name, _ in lists] == ["numpy", "matplotlib"] and not {*lists[0][1]} & {*lists[1][1]}
    labeled, telling = words.collections
    assert (len(labeled.get_paths()), len(telling.get_paths())) == (3, 14)
    if (labels, split) in CHECKED:
        accuracies, tables = oracle("two packages", labels, split)
        assert shown == pytest.approx(accuracies[: step + 1])
        counts, vocabulary, _, _ = text.task_data("two packages")
        ratio = tables[step][1] - tables[step][0]  # the classes in order: matplotlib, numpy
        for (_, named), sign in zip(lists, (1, -1)):
            best = sorted(range(len(vocabulary)), key=lambda word: (-round(sign * ratio[word], 9), word))[:3]
            assert named == [vocabulary[word] for word in best]


def check_splits(figure, task, labels, weight, place, shown):
    """`shown` are all accuracies of this setting; they decide where the scale begins."""
    curve, slopes = figure.figure.axes
    floor = next(floor for floor in (0.8, 0.6, 0.2, 0) if floor <= np.min(shown))
    before, after = (floor + (1 - floor) * line.get_ydata() for line in slopes.lines)
    assert len(before) == len(after) == 10
    here, alone, both = (line.get_data() for line in curve.lines)
    assert here[0][0] == place and alone[0].tolist() == both[0].tolist() == list(range(6))
    assert floor + (1 - floor) * np.array([alone[1], both[1]]) == pytest.approx(np.mean(shown, axis=2).T)
    assert np.mean(shown, axis=2)[place] == pytest.approx([before.mean(), after.mean()])
    for words, values in (("Labels alone: accuracy", before), ("unlabeled documents:", after)):
        assert number(words, figure.alt) == pytest.approx(values.mean(), abs=5.1e-4)
    assert f"worse in {(after < before).sum()} of 10 splits" in figure.alt
    better, worse = (len(each.get_segments()) for each in slopes.collections)
    assert (better, worse) == ((after >= before).sum(), (after < before).sum())
    for split in (0, 3) if (labels, weight) in {(5, 1), (20, 1), (50, 0.1), (5, 0.1)} else ():
        accuracies, _ = oracle(task, labels, split, weight)
        assert (before[split], after[split]) == pytest.approx((accuracies[0], accuracies[-1]))


LABELS, WEIGHTS = [1, 2, 5, 10, 20, 50], [0, 0.01, 0.03, 0.1, 0.3, 1]


def holds_label_curve(figure):
    labels, task = figure.values["labels"], figure.values["task"]
    assert figure.alt.startswith(f"{task.capitalize()}, {labels} label")
    check_splits(figure, task, labels, 1, LABELS.index(labels), [text.accuracies(task, each) for each in LABELS])


def holds_text_weight(figure):
    labels, weight = figure.values["labels"], figure.values["weight"]
    assert f"{labels} labels of each class, an unlabeled document counts {weight:g}." in figure.alt
    shown = [text.accuracies("three packages", labels, each) for each in WEIGHTS]
    check_splits(figure, "three packages", labels, weight, WEIGHTS.index(weight), shown)
    before, after = (line.get_ydata() for line in figure.figure.axes[1].lines)
    assert weight or (before == after).all()
