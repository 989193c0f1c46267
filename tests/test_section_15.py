"""Section 15: the numbers that its questions and its lesson mention."""

import nbformat
import pytest

from bayeslib import live
from tests.lab import ROOT

TEXT = (ROOT / "bayeslib/practice/15.toml").read_text()
LESSON = "\n".join(cell.source for cell in nbformat.read(ROOT / "notebooks/15-local-models.ipynb", 4).cells)


@pytest.mark.parametrize(
    "make, settings, captions, typed",
    [
        (
            live.distance_weights,
            {"query": 100.0},
            ["weighted mean 4.681", "mean of all five is 4.6,"],
            ["near the mean 4.6"],
        ),
        (live.edge, {"query": 0.0}, ["average 1.30, line 0.00"], ["pull the average up to 1.30"]),
        (live.edge, {"query": 10.0}, ["average 8.70"], []),
        (live.edge, {"query": 0.0, "h": 1.0}, ["average 0.52"], []),
        (live.edge, {"query": 0.0, "h": 0.5}, ["average 0.12"], []),
        (
            live.edge,
            {"data": "valley"},
            ["average 3.81, line 3.81, quadratic 0.00"],
            ["says 3.81", "A quadratic says 0.00"],
        ),
        (live.side_by_side, {}, ["0.0923", "0.0118", "0.0081"], [".0923", ".0118", "line .0081"]),
        (live.side_by_side, {"k": 9}, ["the second 51 times"], ["jumps 51 times on 200 small steps"]),
        (live.bandwidth_errors, {"h": 0.005}, ["0.0207", "0.1939", "0.0674"], [".0207", ".1939", ".0674"]),
        (live.bandwidth_errors, {"h": 0.05}, ["0.0890", "0.1215", "0.0029"], [".1215", ".0029"]),
        (live.bandwidth_errors, {"h": 0.5}, ["0.4781", "0.4995", "0.3378"], [".4995", ".3378"]),
        (live.kernel_shapes, {"h": 0.13, "kernel": "box"}, ["error is 0.0095"], ["It is .0095", "less than a fifth"]),
        (live.kernel_shapes, {}, ["0.0081 at h = 0.071", "0.0083 at h = 0.14"], ["between .0081 and .0083"]),
        (live.kernel_shapes, {}, ["0.0082 at h = 0.18", "triangle 0.0082"], ["from .071 to .18"]),
        (live.gap, {"h": 0.005}, ["e^−800", "0/0: every weight is 0"], ["e to the power −800"]),
        (live.gap, {"h": 0.005, "way": "logs"}, ["the average is 1.000"], ["the answer is 1."]),
        (live.rbf_bumps, {}, ["error is 0.0133", "weight is 1.43"], ["true error .0133", "1.43"]),
        (
            live.rbf_bumps,
            {"width": 0.3},
            ["error is 0.0130", "weight is 33."],
            ["true error .0130", "largest is 33 now"],
        ),
        (live.case_based, {}, ["says spoke"], ["the vote says spoke"]),
        (
            live.case_based,
            {"noise": 10, "when": 1, "weather": 0, "age": 1},
            ["says brake pads, with 71%"],
            ["brake pads have 71%"],
        ),
    ],
)
def test_numbers_in_the_questions_are_those_of_the_figures(make, settings, captions, typed):
    figure = make()
    figure.set(**settings)
    assert all(number in figure.alt for number in captions), figure.alt
    assert all(number in TEXT for number in typed)


def test_the_share_of_the_nearest_point_from_far_away():
    figure = live.distance_weights()
    figure.preset("far away")
    assert f"{figure.figure.axes[1].patches[4].get_height():.3f}" == "0.212" and ".212 of the weight" in TEXT
    assert 33.03 / 1.43 > 20 and "more than twentyfold" in TEXT


def test_numbers_in_the_prose_are_printed_by_a_cell_or_a_figure():
    """Each is computed elsewhere in the tests; here the lesson must not say another one."""
    for typed in (
        "4.68, near the plain mean 4.6",
        "1.30. In the middle",
        "3.81, the same as the average",
        ".0923 against .0118 and .0081",
        ".0029, against .0674 for .005 and .3378 for .5",
        ".0207, .0890, .4781",
        ".0095 against .0081",
        ".071 for the Gaussian, .18 for the tricube",
        "grows from 1.43 to 33",
        "at .02 the bumps leave gaps, and the true error is .4404",
        "71% of the vote",
    ):
        assert typed in LESSON, typed
    outputs = str(nbformat.read(ROOT / "notebooks/15-local-models.ipynb", 4))
    for pair in (("(.0137)", "0.0137"), ("(.0157)", "0.0157"), (".449", "0.4490"), (".069", "0.0687")):
        assert pair[0] in LESSON and pair[1] in outputs
