"""Section 06: the numbers that its questions mention."""

import pytest
from scipy import stats

from bayeslib import live
from bayeslib.estimates import dirichlet_mean, m_estimate, squared_error
from bayeslib.practice.questions import Question
from tests.lab import ROOT

TEXT = (ROOT / "bayeslib/practice/06.toml").read_text()


def said(question, right=True):
    """The feedback of a question's right option, or of all its wrong ones."""
    return " ".join(
        option.get("feedback", "")
        for option in Question(f"06/{question}").options
        if option.get("correct", False) == right
    )


def test_numbers_of_the_sellers_hold():
    assert m_estimate(4, 4, 0.5, 2) == pytest.approx(5 / 6) and m_estimate(95, 100, 0.5, 2) == pytest.approx(96 / 102)
    assert ".833" in said("sellers") and ".941" in said("sellers")
    assert round(0.8**4, 2) == 0.41 and "two times in five" in said("sellers", right=False)
    assert round(100 * (96 / 102 - 5 / 6)) == 11 and "11 points" in said("sellers", right=False)


def test_numbers_of_halfway_hold():
    balls = live.virtual_balls()
    for m, words in ((1, ".583"), (2, ".571"), (5, ".55")):
        balls.set(m=m)
        assert words in balls.alt and words in TEXT
    assert "data weighs n/(n + m) = 0.500" in balls.alt


def test_the_day_goes_to_the_class_prior():
    grid = live.smoothed_days()
    grid.set(m=1)
    assert "P(no) = 0.1450" in grid.alt and ".145" in said("limit", right=False)
    grid.set(m=1000)
    assert "P(no) = 0.3571" in grid.alt and ".357" in said("limit") and round(5 / 14, 3) == 0.357


def test_sums_of_mended_tables_hold():
    assert 3 / 5 + 1 / 5 + 2 / 5 == pytest.approx(1.2) and "1.2" in Question("06/patched-sum").options[1]["text"]
    assert (4 + 1 + 3) / 5 == 1.6 and "1.6" in said("patched-sum", right=False)
    assert 4 / 6 + 1 / 6 + 3 / 6 == pytest.approx(8 / 6) and "8/6" in said("our-slide")
    assert dirichlet_mean([3, 0, 2], 1)[1] == 1 / 8 and "1/8" in said("tiny-patch")


def test_mean_mode_and_median_of_three_in_five_hold():
    curve = live.beta_flips()
    curve.preset("3 of 5")
    assert "mean 0.5714, mode 0.6000" in curve.alt and "Mean .571, mode .600" in said("peak")
    assert f"{stats.beta.median(4, 3):.3f}"[1:] in said("which-summary", right=False)


@pytest.mark.parametrize("m, words", [(0, ".0095"), (1, ".0122"), (2, ".0214"), (5, ".0530")])
def test_errors_of_the_best_m_hold(m, words):
    assert f"{squared_error(0.05, 5, 0.5, m):.4f}"[1:] == words
    assert words in said("best-m") + said("best-m", right=False)


def test_the_small_decision_flips_at_four():
    def scores(m):
        return 8 / 12 * m_estimate(1, 8, 0.5, m), 4 / 12 * m_estimate(2, 4, 0.5, m)

    assert (
        scores(4) == pytest.approx((1 / 6, 1 / 6))
        and scores(3.9)[0] < scores(3.9)[1]
        and scores(4.1)[0] > scores(4.1)[1]
    )
    for m, yes, no in ((2, 0.133, 0.167), (8, 0.208, 0.167)):
        assert scores(m) == pytest.approx((yes, no), abs=5e-4)
        assert f"{yes:.3f}"[1:] in said("flip-m", right=False) and f"{no:.3f}"[1:] in said("flip-m", right=False)
