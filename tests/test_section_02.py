"""Section 02: the numbers that its questions mention, and what its figures do when a reader plays."""

import math

import numpy as np
import pytest

from bayeslib import live
from tests.lab import ROOT
from tests.sections.section_02 import posterior, verdicts

TEXT = (ROOT / "bayeslib/practice/02.toml").read_text()


def test_counts_in_the_feedback_of_section_02_hold():
    assert math.prod([3, 2, 2, 2, 2, 2]) == 96 and "3 · 2 · 2 · 2 · 2 · 2 = 96" in TEXT
    assert math.prod([4, 3, 3, 3, 3, 3]) == 972 and "4 · 3 · 3 · 3 · 3 · 3 = 972" in TEXT
    assert math.prod([5, 4, 4, 4, 4, 4]) == 5120 and "5 · 4 · 4 · 4 · 4 · 4 = 5120" in TEXT
    assert (5120 - 972, round(4148 / 5120, 3)) == (4148, 0.81) and "4148/5120 = .810" in TEXT
    assert round(0.9**4, 3) == 0.656 and ".9 · .9 · .9 · .9 = .656" in TEXT


def test_survivors_in_the_feedback_of_section_02_hold():
    figure = live.version_space()
    figure.preset("one yes")
    assert "64 of 973 hypotheses remain" in figure.alt and "2 · 2 · 2 · 2 · 2 · 2 = 64" in TEXT
    figure.preset("one no")
    assert "909 of 973 hypotheses remain" in figure.alt and "973 − 64 = 909" in TEXT
    left = [np.count_nonzero(verdicts("PlayTennis")[:, :k].sum(axis=1) == 0) for k in range(5)]
    assert left == [145, 129, 121, 8, 0] and "145, 129, 121, 8, 0." in TEXT
    errors = np.bincount(posterior("EnjoySport", range(4))[1])
    assert errors.tolist()[:3] == [6, 30, 102] and 973 - 6 == 967
    assert "there are 30 of those, and 102 with two" in TEXT and "967 others" in TEXT


def test_forty_days_get_a_unanimous_vote():
    assert "32 get 0, 24 get 1, 24 get 2, 8 get 3, 8 get 6" in live.queries().alt and "On 40 of the 96 days" in TEXT


@pytest.mark.parametrize(
    "taste, s, most", [(1.0, 0.167, "6 tie"), (2.0, 0.333, "⟨Sunny, Warm, ?, Strong, ?, ?⟩"), (0.5, 0.067, "2 tie")]
)
def test_the_taste_breaks_the_tie(taste, s, most):
    figure = live.lattice()
    figure.set(taste=taste)
    assert f"S has probability {s}; most probable: {most}" in figure.alt


def test_best_questions_find_one_of_six_in_three_labels():
    figure = live.queries()
    for label in ("label it no", "label it no", "label it no"):
        figure.set(**figure.actions["go to the best day"](figure.values))
        figure.set(**figure.actions[label](figure.values))
    assert "1 of 6 hypotheses are left" in figure.alt and "nothing is to be asked" in figure.alt
    assert figure.actions["go to the best day"](figure.values) == {}
    assert figure.actions["label it yes"](figure.values) == {}, "a day is labelled once"
    figure.set(**figure.actions["take a label back"](figure.values))
    assert figure.alt.startswith("Labels added: 2. 2 of 6")


def test_a_label_that_nobody_expects_refutes_the_model_in_words():
    figure = live.queries()
    figure.preset("all six say yes")
    figure.set(**figure.actions["label it no"](figure.values))
    assert "No conjunction is left: these labels refute the model" in figure.alt


def test_a_tile_is_chosen_by_a_click():
    figure = live.queries()
    axes = figure.figure.axes[0]
    x, y = axes.transData.transform((5, 1)) / (figure.figure.bbox.width, figure.figure.bbox.height)
    figure.view.pointer = {"press": 1, "from": [x, 1 - y], "to": [x, 1 - y]}
    assert (figure.values["row"], figure.values["column"]) == (1, 5) and "gets 3 of 6" in figure.alt


def test_play_tennis_opens_where_no_conjunction_is_left():
    figure = live.version_space("PlayTennis")
    assert figure.values["step"] == 14 and "Example 4 in this order deleted the last ones" in figure.alt
    figure.set(step=3)
    assert "8 of 145 hypotheses remain" in figure.alt
