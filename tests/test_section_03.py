"""Section 03: the numbers that its questions mention, and what a reader can drag."""

import numpy as np
import pytest

from bayeslib import live
from bayeslib.practice.questions import Question
from tests.lab import ROOT

TEXT = (ROOT / "bayeslib/practice/03.toml").read_text()


@pytest.mark.parametrize(
    "make, settings, numbers",
    [
        (live.coin_likelihood, {"theta": 70}, [".002224"]),
        (live.coin_likelihood, {"theta": 50}, [".0009766"]),
        (live.mean_likelihood, {"mu": 4.0}, ["41.00", "36.00"]),
        (live.mean_likelihood, {"mu": 6.0}, ["41.00"]),
        (live.line_fit, {"sigma": 1.0}, ["0.20 behind"]),
        (live.line_fit, {"sigma": 2.0}, ["0.05 behind"]),
        (live.line_fit, {"sigma": 0.5}, ["0.80 behind"]),
        (live.message_length, {}, ["6.966", "0.029", "5.059", "5.070", "6.995"]),
        (live.degree_bits, {"degree": 3}, ["0.696", "model 8.6", "data −48.5", "the shortest"]),
        (live.degree_bits, {"degree": 9}, ["0.600", "model 21.6", "data −50.6"]),
        (live.three_uses, {"heads": 3}, ["0.750", "0.500", "0.571", "0.696"]),
        (live.flat_prior, {}, ["0.700", "0.667"]),
    ],
)
def test_numbers_in_the_feedback_of_section_03_are_those_of_its_figures(make, settings, numbers):
    figure = make()
    figure.set(**settings)
    assert all(number in figure.alt for number in numbers)


def test_numbers_typed_in_the_feedback_of_section_03_are_right():
    for typed in (".0022", "41", ".20 behind", ".05 behind", ".696", ".600", "6.966", "5.070", "6.995", ".571", ".667"):
        assert typed in TEXT
    assert "about 2, and 13 more" in TEXT  # degree 9 against 3: data 50.6 − 48.5, model 21.6 − 8.6
    assert 2**10 == 1024 and "1024" in TEXT
    assert round(np.exp(-6.39), 4) == 0.0017  # on the slide
    assert round(np.log2(973), 2) == 9.93 and "9.93" in TEXT
    assert round(0.7**7 * 0.3**3 / 0.5**10, 2) == 2.28 and "2.28 to 1" in TEXT


def test_the_lifted_point_of_the_prediction_is_answered_by_the_figure():
    figure = live.line_fit()
    figure.set(**Question("03/lifted").then)
    assert "Line 1.40 + 0.80 x" in figure.alt and "the best line, 3.00 + 0.80 x" in figure.alt
    figure.set(noise="laplace")
    figure.set(**figure.actions["take the best line"](figure.values))
    assert "Line 2.00 + 1.00 x: absolute error 9.00" in figure.alt and "no line does better" in figure.alt


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
    for key in ("5", "ArrowUp", "ArrowUp", "ArrowLeft"):
        figure.view.pressed = {**figure.view.pressed, key: figure.view.pressed.get(key, 0) + 1}
    assert figure.values["point"] == 5 and figure.values["points"][4] == [3.5, 5.0]
    assert "Point 5 is at (3.5, 5.0)" in figure.alt
