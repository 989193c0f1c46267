"""Section 01: the numbers that its questions mention, and its published tests."""

import re

import pytest

import bayeslib as bl
from bayeslib import data, live
from bayeslib.bayes import diagnosis, flip_prior, natural_frequencies, repeated_test
from tests.lab import ROOT


def test_numbers_in_the_feedback_of_section_01_hold():
    text = (ROOT / "bayeslib/practice/01.toml").read_text()
    curve = live.posterior_curve()
    curve.preset("misses nobody")
    assert ".2119" in curve.alt and ".2119" in text
    curve.preset("1% false alarms")
    assert ".4414" in curve.alt and ".4414" in text
    stairs = live.test_after_test()
    stairs.preset("same blood, same lab")
    assert ".336" in stairs.alt and ".336" in text
    stairs.preset("+ then −")
    assert ".0054" in stairs.alt
    positive, negative = 0.98 / 0.03, 0.02 / 0.97
    assert (round(positive, 2), round(negative, 4), round(positive * negative, 3)) == (32.67, 0.0206, 0.674)
    assert "32.67 × 0.0206 = 0.674" in text
    square = live.rules()
    square.set(rule="sum")
    assert square.alt.endswith("P(A ∨ B) = 0.46.") and "0.40 + 0.34 − 0.28" in text
    square.set(rule="total probability")
    assert square.alt.endswith("P(B) = 0.34.")
    square.set(rule="product")
    assert square.alt.endswith("P(A ∧ B) = 0.28.")
    square.set(rule="bayes")
    assert round(float(re.search(r"P\(A\|B\) = ([\d.]+)\.", square.alt)[1]), 2) == 0.82
    assert sum([0.98, 0.03, 0.02, 0.97]) == pytest.approx(2.00)
    after_false_alarm = repeated_test("++", 0.98, 0.03, copied=0.5)[1]["healthy"]
    assert f"{after_false_alarm:.3f} instead of 0.03" in text and "0.95/0.004 = 237.5" in text
    assert 0.95 / 0.004 == pytest.approx(237.5) and flip_prior(1, 1, harm=24) == pytest.approx(1 / 25)
    assert (round(0.07 * 24, 2), round(0.93 * 1, 2)) == (1.68, 0.93)
    assert (round(2297 / 2470, 2), round(2297 / (170_000 - 173), 3), round(173 / 2470, 2)) == (0.93, 0.014, 0.07)


def test_what_the_lesson_says_of_mammograms_holds():
    people = natural_frequencies(0.0059, 0.869, 0.111, 1000)
    flagged = people["sick", "+"] + people["healthy", "+"]
    assert (round(people["sick", "+"], 1), round(people["healthy", "+"], 1), round(flagged, 1)) == (5.1, 110.3, 115.5)
    assert round(flagged / people["sick", "+"]) == 23 and round(flagged / 1000, 3) == 0.115
    rounded = [100 * bl.posterior(*diagnosis(0.00753, 0.69, flagged))["sick"] for flagged in (0.065, 0.055)]
    assert [round(each, 1) for each in rounded] == [7.5, 8.7]


def test_three_published_rates_give_the_published_worth_of_a_positive():
    for test, near in zip(data.load_real_tests().itertuples(), (0.05, 0.7, 0.05)):
        rates = test.sick_per_1000 / 1000, test.found_percent / 100, test.flagged_percent / 100
        computed = 100 * bl.posterior(*diagnosis(*rates))["sick"]
        assert computed == pytest.approx(test.published_percent, abs=near), test.test
    assert 1000 * 174 / 23101 == pytest.approx(7.53, abs=0.005)


def test_a_count_that_is_missing_is_asked_for():
    figure = live.real_tests()
    figure.set(counts="173, ?, 2297, 167530")
    assert "must all be counted: without the cases that were missed there is no sensitivity" in figure.alt
    figure.set(counts="12, 3, 30, 955")
    assert "P(sick|+) = 0.2857" in figure.alt and "90% interval is 0.189 to 0.413" in figure.alt


def test_eight_positives_of_a_sharp_test_are_still_no_certainty():
    stairs = live.test_after_test()
    stairs.set(results="+" * 8, sick=500, found=99, flagged=0.5, step=8)
    rest = (0.5 / 99) ** 8
    assert stairs.picture.value.get_text() == f"1 − {rest:.2g}" and f"P(sick) = 1 − {rest:.2g}." in stairs.alt
