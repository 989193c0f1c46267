"""Section 01: the numbers that its questions mention."""

from bayeslib import live
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
    assert "32.67 × .0206 = .674" in text
    square = live.rules()
    square.set(rule="sum")
    assert square.alt.endswith("P(A ∨ B) = 0.46.") and "0.40 + 0.34 − 0.28" in text


def test_eight_positives_of_a_sharp_test_are_still_no_certainty():
    stairs = live.test_after_test()
    stairs.set(results="+" * 8, sick=500, found=99, flagged=0.5, step=8)
    rest = (0.5 / 99) ** 8
    assert stairs.picture.value.get_text() == f"1 − {rest:.2g}" and f"P(sick) = 1 − {rest:.2g}." in stairs.alt
