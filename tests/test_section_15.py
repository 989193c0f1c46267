"""Section 15: the numbers that its questions and its lesson mention."""

import re

import nbformat
import numpy as np
import pytest

import bayeslib as bl
from bayeslib import live, local
from bayeslib.practice.questions import Question
from tests.lab import ROOT

TEXT = (ROOT / "bayeslib/practice/15.toml").read_text()
NOTEBOOK = nbformat.read(ROOT / "notebooks/15-local-models.ipynb", 4)
LESSON = "\n".join(cell.source for cell in NOTEBOOK.cells)


@pytest.mark.parametrize(
    "make, settings, captions, typed",
    [
        (
            live.distance_weights,
            {"query": 100.0},
            ["weighted mean 4.681", "mean of all five is 4.6;"],
            ["near the mean 4.6"],
        ),
        (live.edge, {"query": 0.0}, ["average 1.30, line 0.00"], ["pull the average up to 1.30"]),
        (live.edge, {"query": 10.0}, ["average 8.70"], []),
        (
            live.edge,
            {"data": "valley"},
            ["average 3.81, line 3.81, quadratic 0.00"],
            ["says 3.81", "A quadratic says 0.00"],
        ),
        (live.bias_variance, {}, ["bias² 0.0052 + variance 0.0093"], ["bias² 0.0052 and variance 0.0093"]),
        (
            live.bias_variance,
            {"h": 0.2},
            ["bias² 0.1080 + variance 0.0028", "least sum is 0.0143"],
            ["0.0028 and bias² 0.1080"],
        ),
        (
            live.bandwidth_errors,
            {"h": 0.05},
            ["0.0890", "0.1215", "0.0029"],
            ["It is 0.1215", "0.089", "true error 0.003"],
        ),
        (live.kernel_shapes, {"h": 0.13, "kernel": "box"}, ["error is 0.0095"], ["It is 0.0095", "less than a fifth"]),
        (
            live.kernel_shapes,
            {},
            ["0.0081 at h = 0.071", "0.0083 at h = 0.14"],
            ["the other three have 0.0082 or 0.0083"],
        ),
        (
            live.kernel_shapes,
            {},
            ["tricube 0.0082 at h = 0.18", "triangle 0.0082", "box 0.0095 at h = 0.13"],
            ["from 0.071 for the Gaussian to 0.18 for the tricube; for the box it is 0.13"],
        ),
        (live.gap, {"h": 0.005}, ["e^−800", "0/0: every weight is 0"], ["e to the power −800"]),
        (live.gap, {"h": 0.005, "way": "logs"}, ["the average is 1.000"], ["the answer is 1."]),
        (live.rbf_bumps, {}, ["error is 0.0133", "weight is 1.43"], ["true error 0.0133", "1.43"]),
        (
            live.rbf_bumps,
            {"width": 0.3},
            ["error is 0.0130", "weight is 33."],
            ["true error of 0.0130", "largest is 33 now"],
        ),
        (live.case_based, {}, ["says spoke"], ["three most similar cases say spoke"]),
        (
            live.case_based,
            {"noise": 10, "when": 1, "weather": 0, "age": 1},
            ["says brake pads, with 71%"],
            ["brake pads have 71%"],
        ),
        (
            live.helmet,
            {"query": 65.0},
            ["7.4 ms outside", "says 47.2 g", "error 23.69 g"],
            ["7.4 ms after", "24.4, 23.7"],
        ),
        (live.helmet, {"query": 65.0, "degree": 0, "h": 0.9}, ["says 10.7 g", "error 24.41 g"], ["11, 47 and 108 g"]),
        (live.helmet, {"query": 65.0, "degree": 2, "h": 2.6}, ["says 107.9 g", "error 23.42 g"], ["and 23.4 g"]),
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
    assert f"{figure.figure.axes[1].patches[4].get_height():.2f}" == "0.21" and "0.21 of the weight" in TEXT
    assert 33.03 / 1.43 > 20 and "more than twenty times as large" in TEXT


def helmets(degree, h, rows):
    table = bl.data.load_helmets()
    x, y = table["ms"].to_numpy(), table["g"].to_numpy()
    return bl.LocallyWeightedRegression(bandwidth=h, degree=degree).fit(x[rows(x)], y[rows(x)]), x, y


def root(errors):
    return np.sqrt(np.mean(np.square(errors)))


def test_numbers_of_the_helmets():
    later = {}
    for degree, h in ((0, 0.9), (1, 1.5), (2, 2.6)):
        model, x, y = helmets(degree, h, lambda x: x < 50)
        later[degree] = f"{root(model.predict(x[x >= 50]) - y[x >= 50]):.1f} g"
        whole = []
        for time in x:
            without = helmets(degree, h, lambda x, time=time: x != time)[0]
            whole.append(without.predict([time])[0])
        assert f"{root(np.array(whole) - y):.1f}" in "24.8, 23.9 and 23.6 g"
    assert list(later.values()) == ["17.6 g", "27.1 g", "221.3 g"]
    assert "17.6 g (average), 27.1 g (line) and 221.3 g (quadratic), and by 9.1 g" in LESSON
    assert f"{root(y[x >= 50]):.1f}" == "9.1" and (x >= 50).sum() == 7
    at, often = np.unique(x, return_counts=True)
    assert often.max() == 6 and len(set(y[x == at[often.argmax()]])) > 1 and "occur up to six times" in LESSON
    at = np.linspace(15, 28, 200)
    deepest = [helmets(1, h, lambda x: x < 60)[0].predict(at).min() for h in (1.5, 5)]
    assert [f"{each:.0f}" for each in deepest] == ["-110", "-63"] and "−63 g in place of −110" in LESSON


def test_numbers_in_the_prose_are_printed_by_a_cell_or_a_figure():
    """Each is computed elsewhere in the tests; here the lesson must not say another one."""
    for typed in (
        "4.68, near the plain mean 4.6",
        "1.30. In the middle",
        "3.81, the same as the average",
        "falls from 0.0093 to 0.0028, and bias² grows from 0.0052 to 0.1080",
        "0.0095 against 0.0081",
        "0.071 for the Gaussian, 0.18 for the tricube",
        "grows from 1.43 to 33",
        "at 0.02 the bumps leave gaps, and the true error is 0.4404",
        "71% of the summed similarity",
    ):
        assert typed in LESSON, typed
    outputs = str(NOTEBOOK)
    for number in "8.824 1.849 7.23 3.946 3.500 0.882 0.0092 0.0027 0.0081 0.1182 24.4 23.7 23.4".split():
        assert number in LESSON or number in TEXT or number in ("3.946", "3.500", "0.1182"), number
        assert number.strip() in outputs, number


def test_what_leave_one_out_chooses_and_what_it_costs():
    figure = live.bandwidth_errors()
    assert "least leave-one-out 0.1182 at h = 0.032, least true 0.0027 at h = 0.056" in figure.alt
    figure.set(h=0.032)
    assert "true 0.0092" in figure.alt and "0.099 against 0.093" in LESSON
    figure.set(degree=1, h=0.063)
    assert "least true 0.0081" in figure.alt
    figure = live.bias_variance()
    figure.set(degree=1)
    assert "least sum is 0.0117" in figure.alt and "0.0143 for the average and 0.0117 for the line" in LESSON


def test_half_of_the_gain_of_the_line_is_at_the_two_ends():
    """Bias² + variance at the best bandwidths, near the ends and between them."""
    x, y = local.wave_sample()
    grid = np.linspace(0, 1, 201)
    expected = []
    for degree, h in ((0, 0.045), (1, 0.06)):
        shares = bl.LocallyWeightedRegression(bandwidth=h, degree=degree).fit(x, y).shares(grid)
        expected.append((shares @ local.wave(x) - local.wave(grid)) ** 2 + 0.09 * (shares**2).sum(axis=1))
    average, line = expected
    ends = (grid < 0.1) | (grid > 0.9)
    gain = average - line
    assert 0.4 < gain[ends].sum() / gain.sum() < 0.6 and "about half of the gain comes from the outer tenths" in LESSON


def test_the_sums_solved_by_hand():
    (a, b), (c, d) = (1.579, -1.362), (-1.362, 3.416)
    found = np.linalg.solve([[a, b], [c, d]], [11.415, -5.700])
    assert found == pytest.approx([8.824, 1.849], abs=0.01)
    assert f"{11.415 / 1.579:.2f}" == "7.23" and "says 7.23." in LESSON
    assert re.search(r"a = 8.824\$ and \$b = 1.849", LESSON)


def test_far_out_the_local_line_is_nearly_that_of_the_last_two_points():
    """Beyond the data each query has its own line; there the last two points outweigh all others, for a quadratic the last three."""
    x, y = local.FIVE_X, local.FIVE_Y
    far = np.array([30.0, 40.0])
    for degree, text in ((1, "nearly the line through the last two"), (2, "the quadratic with their bend")):
        model = bl.LocallyWeightedRegression("gaussian", bandwidth=1.5, degree=degree).fit(x, y)
        through = np.polyfit(x[-degree - 1 :], y[-degree - 1 :], degree)
        assert model.predict(far) == pytest.approx(np.polyval(through, far), rel=0.01) and text in LESSON


def test_a_round_guess_along_the_trend_is_told_what_it_expects():
    verdict, said = Question("15/far-query").judge(100)
    assert verdict == "wrong" and "least squares line" in said[0]
