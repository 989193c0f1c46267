"""Section 04: the numbers that its questions and notes mention."""

import pytest

from bayeslib import live
from bayeslib.concepts import bayes_optimal, error_curves, expected_errors, gibbs_error
from tests.lab import ROOT
from tests.test_votes import BITS


def test_numbers_in_the_feedback_of_section_04_hold():
    text = (ROOT / "bayeslib/practice/04.toml").read_text()
    book = {"h1": 0.4, "h2": 0.3, "h3": 0.3}
    errors = expected_errors(book, {"h1": "+", "h2": "−", "h3": "−"})
    assert [f"{errors[clerk]:.2f}" for clerk in ("MAP", "Gibbs", "vote")] == ["0.60", "0.48", "0.40"]
    assert "Following h1 errs .60, drawing .48, adding up .40" in text
    undecided = live.weighted_vote()
    undecided.preset("undecided")
    assert "P(+|D) = 0.4 × 0.9 + 0.3 × 0.4 + 0.3 × 0.4 = 0.6000" in undecided.alt and ".36 + .12 + .12 = .60" in text
    bits = error_curves(BITS.T, 0, runs=1, random_state=0)
    assert bits["vote"] == pytest.approx(1 / 4) and bits["Gibbs"] == pytest.approx(1 / 3)
    assert "errs 1/3" in text and "errs 1/4" in text
    fixed = live.three_clerks()
    fixed.preset("0.8 to 0.2, always +")
    assert "the vote errs 0.000; Gibbs errs 0.2000" in fixed.alt
    fixed.preset("0.8 to 0.2, drawn")
    assert "the vote errs 0.200; Gibbs errs 0.3200" in fixed.alt and "the vote errs .2 and Gibbs .32" in text
    assert bayes_optimal([0.36, 0.32, 0.32], ["red", "blue", "blue"])["blue"] == pytest.approx(0.64)
    assert "Blue has .64" in text
    assert 1 - gibbs_error([0.7, 0.3]) == pytest.approx(0.58) and ".7 × .7 + .3 × .3 = .58" in text
    assert gibbs_error([0.2, 0.8]) == pytest.approx(0.32) and 1 - gibbs_error([0.2, 0.8]) == pytest.approx(0.68)


def test_the_vote_of_the_undecided_turns_at_65_percent():
    figure = live.weighted_vote()
    figure.preset("undecided")
    for percent, says in ((66, "+"), (65, "either, a tie"), (64, "−")):
        figure.set(q1=percent)
        assert f"so it says {says}." in figure.alt


def test_the_dot_of_the_triangle_can_be_dragged_to_any_weights():
    figure = live.weighted_vote()
    triangle = figure.figure.axes[1]

    def press(number, *place):
        x, y = triangle.transData.transform(place) / (figure.figure.bbox.width, figure.figure.bbox.height)
        figure.view.pointer = {"press": number, "from": [x, 1 - y], "to": [x, 1 - y]}
        return [figure.values[f"w{h}"] for h in "123"]

    assert press(1, 0, 0) == [0, 100, 0]
    assert press(2, 0.75, 0.433) == [50, 0, 50]
    assert sum(press(3, 0.5, 0.3)) == 100
    assert press(4, 1.1, -0.1) == [0, 0, 100], "beside the triangle: its nearest corner"
