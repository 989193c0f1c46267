"""Section 12: the numbers that its questions and its prose mention."""

import numpy as np
import pytest

from bayeslib import live, text
from bayeslib.live.unlabeled_text import WEIGHTS
from bayeslib.practice.questions import Question
from bayeslib.text import FIVE_LABELS, FIVE_ROWS, e_step, m_step
from tests.lab import ROOT

LESSON = next(ROOT.glob("notebooks/12-*.ipynb")).read_text()


def words(question):
    asked = Question(f"12/{question}")
    return asked.prompt + " " + " ".join(option["text"] + " " + option.get("feedback", "") for option in asked.options)


def test_row_five_is_shared_by_a_third():
    share = e_step(*m_step(FIVE_ROWS[:3], FIVE_LABELS[:3]), FIVE_ROWS, FIVE_LABELS)[4]
    for part in (share, 1 - share):
        assert f"{part:.3f}"[1:] in words("a-third")


def test_a_labeled_row_of_68_percent_is_the_first():
    assert e_step(*m_step(FIVE_ROWS[:3], FIVE_LABELS[:3]), FIVE_ROWS, [None] * 5)[0] == pytest.approx(0.68, abs=0.005)
    assert ".68" in words("clamped")


def test_one_label_has_several_fates():
    ends = np.array([text.run_trial("two packages", 1, split).accuracy for split in range(10)])
    assert ends[:, 0].mean() == pytest.approx(0.5, abs=0.1) and "about as good as a coin" in words("one-label")
    assert (ends[:, -1] > 0.9).sum() >= 3 and (ends[:, -1] < 0.6).sum() >= 3
    assert text.run_trial("two packages", 1, 0).unlabeled == pytest.approx(900, abs=20)


def test_split_20_ends_upside_down_in_the_words_of_the_quiz():
    trial = text.run_trial("two packages", 1, 20)
    said = f"fell from {trial.accuracy[0]:.0%} to {trial.accuracy[-1]:.0%}"
    assert said in words("climbed") and trial.accuracy[-1] < 0.1
    assert (np.diff(trial.log_posterior) > 0).all()
    assert [name.split(": ")[1] for name in sorted(trial.labeled)] == [
        "BezierSegment.axis_aligned_extrema",
        "broadcast_shapes",
    ]
    late = np.diff(trial.log_posterior)[-1] / (trial.log_posterior[-1] - trial.log_posterior[0])
    assert late < 0.01 and "almost at rest" in words("climbed")


def test_class_or_function_falls_in_all_ten_splits():
    alone, both = text.accuracies("class or function", 20)
    assert (both < alone).all() and alone.mean() == pytest.approx(0.75, abs=0.02)
    assert text.run_trial("class or function", 20, 0).unlabeled == pytest.approx(860, abs=10)


def test_a_tenth_is_the_best_of_the_six_weights():
    found = {weight: text.accuracies("three packages", 50, weight) for weight in WEIGHTS}
    means = {weight: both.mean() for weight, (_, both) in found.items()}
    assert max(means, key=means.get) == 0.1 and min(means, key=means.get) == 0
    alone, both = found[0.1]
    assert (both >= alone).all()
    assert (found[1][1] < found[1][0]).sum() == 2 and "two of the ten splits get worse" in words("which-weight")


def test_capped_virtual_words_make_a_small_weight_safe():
    before, small = text.accuracies("three packages", 5, 0.03)
    _, capped = text.accuracies("three packages", 5, 0.03, m="capped")
    said = [f"{each.mean():.2f}"[1:] for each in (before, small, capped)]
    assert (capped > before).all() and "from {} with the labels alone to {}".format(*said[:2]) in LESSON
    assert f"The mean of the ten splits is then {said[2]}" in LESSON


def test_the_figures_open_where_the_notebook_says():
    assert "Split 7, 1 label" in live.telling_words().alt and "Round 0" in live.telling_words().alt
    assert live.label_curve().alt.startswith("Three packages, 1 label of")
    assert "50 labels of each class, an unlabeled document counts 1." in live.text_weight().alt
