"""Section 06: the numbers that its questions mention."""

import pytest
from scipy import stats

from bayeslib import live
from bayeslib.estimates import best_m, beta_mean, beta_mode, dirichlet_mean, m_estimate, squared_error
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
    assert "0.833" in said("sellers") and "0.941" in said("sellers") and round(100 * (96 / 102 - 5 / 6)) == 11
    assert m_estimate(4, 4, 0.95, 2) == pytest.approx(5.9 / 6) and m_estimate(95, 100, 0.95, 2) == pytest.approx(0.95)
    assert "0.983" in said("sellers-again") and "0.950" in said("sellers-again")


def test_the_lead_changes_where_the_lesson_says():
    sellers = live.two_sellers()
    assert "every p above 0.844" in sellers.alt and "B leads" in sellers.alt
    for m in (0.1, 1, 2, 50, 100):
        sellers.set(p=95, m=m)
        assert "A leads." in sellers.alt
    sellers.set(p=50, m=0.2)
    assert "A leads." in sellers.alt


def test_numbers_of_halfway_hold():
    balls = live.virtual_balls()
    for m, words in ((1, "0.583"), (2, "0.571"), (5, "0.55")):
        balls.set(m=m)
        assert words in balls.alt and words in TEXT
    assert "data weighs n/(n + m) = 0.500" in balls.alt


def test_twelve_days_are_vetoed_and_go_to_the_class_prior():
    grid = live.smoothed_days()
    assert "12 of 36 days are vetoed" in grid.alt and "12" in Question("06/veto").options[2]["text"]
    grid.set(m=1)
    assert "P(no) = 0.1450" in grid.alt and "0.145" in said("limit", right=False)
    grid.set(m=1000)
    assert "P(no) = 0.3571" in grid.alt and "0.357" in said("limit") and round(5 / 14, 3) == 0.357


def test_sums_of_mended_tables_hold():
    assert 3 / 5 + 1 / 5 + 2 / 5 == pytest.approx(1.2) and "1.2" in Question("06/patched-sum").options[1]["text"]
    assert (4 + 1 + 3) / 5 == 1.6 and "1.6" in said("patched-sum", right=False)
    assert 4 / 6 + 1 / 6 + 3 / 6 == pytest.approx(8 / 6) and "8/6" in said("our-slide")
    assert dirichlet_mean([3, 0, 2], 1)[1] == 1 / 8 and "1/8" in said("tiny-patch")


def test_mean_and_mode_hold():
    curve = live.beta_flips()
    curve.preset("3 of 5")
    assert "mean 0.5714, mode 0.6000" in curve.alt and "mean is 0.571, the mode 0.600" in said("peak")
    assert (beta_mean(9, 2), beta_mode(9, 2)) == pytest.approx((9 / 11, 8 / 9))
    assert "0.818" in said("which-summary", right=False) and Question("06/which-summary").options[1]["text"] == "at 8/9"


def test_half_a_hit_and_half_a_miss_are_a_belief_in_the_ends():
    curve = live.beta_flips()
    curve.preset("prior Beta(½, ½)")
    assert "no single mode" in curve.alt
    ends, middle = (stats.beta(0.5, 0.5).cdf(x) for x in (0.1, 0.55))
    assert 2 * ends > 0.4 and middle - stats.beta(0.5, 0.5).cdf(0.45) < 0.07


@pytest.mark.parametrize("m, words", [(0, "0.0095"), (0.25, "0.0091"), (2, "0.0214"), (5, "0.0530")])
def test_errors_of_the_best_m_hold(m, words):
    assert f"{squared_error(0.05, 5, 0.5, m):.4f}" == words
    assert words in said("best-m") + said("best-m", right=False)
    assert squared_error(0.05, 5, 0.5, m) >= squared_error(0.05, 5, 0.5, best_m(0.05, 0.5))


def test_the_batters_shrink_by_four_fifths():
    figure = live.batting()
    for m, words in ((0, "0.0647"), (2, "0.0622"), (45, "0.0403"), (200, "0.0344")):
        figure.set(m=m)
        assert f"season {words};" in figure.alt
        assert f"{float(words):.3f}" in said("batting") + said("batting", right=False)
    assert "each start counts 45/245 = 0.184" in figure.alt
    assert figure.alt.count("Clemente, Swoboda, Rodriguez, Alvis") == 1


def test_the_two_drugs_hold():
    assert m_estimate(3, 3, 0.3, 10) == pytest.approx(0.46, abs=5e-3) and "0.46" in said("whose-p")
    assert m_estimate(160, 200, 0.3, 10) == pytest.approx(0.78, abs=5e-3) and "0.78" in said("whose-p")
    assert round(m_estimate(3, 3, 0.5, 10), 3) == 0.615 < m_estimate(160, 200, 0.5, 10)


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
        assert f"{yes:.3f}" in said("flip-m", right=False) and f"{no:.3f}" in said("flip-m", right=False)
