"""Section 03: the numbers that its questions mention, and what a reader can drag."""

import numpy as np
import pytest

from bayeslib import live
from bayeslib.data import load_galton_families
from bayeslib.practice.questions import Question
from tests.figures import press
from tests.lab import ROOT

TEXT = (ROOT / "bayeslib/practice/03.toml").read_text()


@pytest.mark.parametrize(
    "make, settings, numbers",
    [
        (live.coin_likelihood, {"theta": 70}, ["0.002224"]),
        (live.coin_likelihood, {"theta": 50}, ["0.0009766"]),
        (live.measured_length, {"mu": 4.0}, ["41.00", "36.00"]),
        (live.measured_length, {"mu": 6.0}, ["41.00"]),
        (live.line_fit, {"sigma": 1.0}, ["0.20 behind", "1.40 + 0.80 x"]),
        (live.line_fit, {"sigma": 2.0}, ["0.05 behind", "1.40 + 0.80 x"]),
        (live.mean_prior, {}, ["6.333", "4 measurements of 8.0"]),
        (live.slope_prior, {"width": 0.3}, ["0.379", "11.11"]),
        (live.message_length, {}, ["6.9658", "0.0291", "0.0116", "5.0589", "5.0705", "6.9949", "1.924"]),
        (live.degree_bits, {"degree": 1}, ["data −10.8"]),
        (live.degree_bits, {"degree": 3}, ["0.696", "model 8.6", "data −48.5", "the shortest"]),
        (live.degree_bits, {"degree": 9}, ["0.600", "model 21.6", "data −50.6"]),
        (live.three_uses, {"heads": 3}, ["0.750", "0.500", "0.571", "0.696"]),
        (live.flat_prior, {}, ["0.700", "0.667"]),
        (live.heights, {"slope": 1.0}, ["error 2.30", "least error 2.24, at slope 0.71", "at slope 2.88"]),
        (
            live.heights_degrees,
            {"degree": 7, "count": 20},
            ["Error 1.88", "error 26.27", "185 families", "total 118.0"],
        ),
        (live.heights_degrees, {"degree": 1, "count": 20}, ["error 2.28", "total 105.8"]),
    ],
)
def test_numbers_in_the_feedback_of_section_03_are_those_of_its_figures(make, settings, numbers):
    figure = make()
    figure.set(**settings)
    assert all(number in figure.alt for number in numbers)


def test_numbers_typed_in_the_feedback_of_section_03_are_right():
    for typed in (
        "0.0022",
        "41",
        "0.20 behind",
        "0.05 behind",
        "0.696",
        "0.600",
        "6.97",
        "5.07",
        "6.99",
        "0.571",
        "0.667",
    ):
        assert typed in TEXT
    assert "38 bits longer" in TEXT and round(48.5 - 10.8) == 38
    assert "about 2 bits less for the data, and 13 more" in TEXT  # degree 9 against 3: 50.6 − 48.5, 21.6 − 8.6
    assert 2**10 == 1024 and "1024" in TEXT
    assert round(np.exp(-6.39), 4) == 0.0017 and "0.0017" in TEXT
    assert 0.75**12 * 0.25**4 == pytest.approx(0.000124, abs=5e-7) and 0.5**16 == pytest.approx(0.0000153, abs=5e-8)
    assert round(0.75**12 * 0.25**4 / 0.5**16, 1) == 8.1 and "8.1 to 1" in TEXT
    assert round(2 / np.sqrt(5), 2) == 0.89 and "2/√5 = 0.89" in TEXT
    assert round(1 / np.sqrt(10), 2) == 0.32 and "0.32" in TEXT  # how well five points tell the slope, at σ = 1
    assert round(0.9 * 0.8 * 0.7 * 0.7 * 0.8, 3) == 0.282 and "0.282" in TEXT


def test_numbers_of_the_heights_in_the_feedback_are_right():
    table = load_galton_families()
    x, y = table["midparent"], table["height"]
    assert round(72 - x.mean(), 1) == 2.8 and round(74 - y.mean(), 1) == 4.8
    slope, back = np.polyfit(x, y, 1)[0], np.polyfit(y, x, 1)[0]
    assert round(slope * 2.8, 1) == 2.0 and round(4.8 / slope, 1) == 6.7 and round(4.8 * slope, 1) == 3.4
    assert round(4.8 * back, 1) == 1.7 and round(back, 2) == 0.35
    near = (x - 72).abs() <= 0.75
    assert near.sum() == 64 and round(y[near].mean() - y.mean(), 1) == 1.5


def test_the_lifted_point_of_the_prediction_is_answered_by_the_figure():
    figure = live.noise_knob()
    assert "best line is 1.40 + 0.80 x" in figure.alt
    figure.set(**Question("03/lifted").then)
    assert "best line is 3.00 + 0.80 x" in figure.alt
    figure.set(power=1.0)
    assert "best line is 2.00 + 1.00 x" in figure.alt


def test_a_family_is_read_in_inches_and_in_centimetres():
    figure = live.heights()
    figure.set(family="178, 165, daughter 170")
    in_centimetres = figure.alt
    figure.set(family=f"{178 / 2.54} {165 / 2.54} {170 / 2.54} daughter")
    assert figure.alt == in_centimetres and "You: mid-parent 70.1, height 72.3" in figure.alt


def drag(figure, press, start, to):
    """From one place to another in the left axes, in data coordinates, as the page reports it."""
    axes, size = figure.figure.axes[0], (figure.figure.bbox.width, figure.figure.bbox.height)
    (a, b), (c, d) = (axes.transData.transform(place) / size for place in (start, to))
    figure.view.pointer = {"press": press, "from": [a, 1 - b], "to": [c, 1 - d]}


def test_points_can_be_dragged_and_stay_in_the_picture():
    figure = live.line_fit()
    drag(figure, 1, (2, 2), (2.5, 6))
    drag(figure, 1, (2, 2), (2.5, 7))
    assert figure.values["points"][2] == [2.5, 7.0] and figure.values["point"] == 3
    drag(figure, 2, (4, 4), (9, -5))
    assert figure.values["points"][4] == [4.0, 0.0] and figure.values["point"] == 5
    assert (figure.values["intercept"], figure.values["slope"]) == (1.0, 1.0), "the line was not touched"


def test_each_end_of_the_line_can_be_dragged_and_the_other_stays():
    figure = live.line_fit()
    drag(figure, 1, (4.5, 5.5), (4.5, 3.0))
    a, b = figure.values["intercept"], figure.values["slope"]
    assert (a - b / 2, a + 4.5 * b) == pytest.approx((0.5, 3.0), abs=0.03)
    drag(figure, 2, (-0.5, a - b / 2), (-0.5, 2.5))
    a, b = figure.values["intercept"], figure.values["slope"]
    assert (a - b / 2, a + 4.5 * b) == pytest.approx((2.5, 3.0), abs=0.06)


def test_a_point_can_be_moved_without_a_mouse():
    figure = live.line_fit()
    press(figure, "5", "ArrowUp", "ArrowUp", "ArrowLeft")
    assert figure.values["point"] == 5 and figure.values["points"][4] == [3.5, 5.0]
    assert "Point 5 is at (3.5, 5.0)" in figure.alt


def test_points_of_the_knob_can_be_dragged():
    figure = live.noise_knob()
    drag(figure, 1, (2, 2), (2, 10))
    assert figure.values["points"][2] == [2.0, 10.0] and "3.00 + 0.80 x" in figure.alt


def test_still_points_have_their_words():
    shown = live.points([1, 2, 4], [0, -3, 1], "hours", "marks")
    bundle = shown._repr_mimebundle_()
    assert bundle["text/plain"] == "3 points: hours from 1 to 4, marks from −3 to 1." == shown.alt
    assert f'<img alt="{shown.alt}"' in bundle["text/html"]
