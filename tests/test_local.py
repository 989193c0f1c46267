"""Local models: the numbers of the lesson, brute force, statsmodels and scikit-learn, properties, bad input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.preprocessing import PolynomialFeatures
from statsmodels.nonparametric.kernel_regression import KernelReg

import bayeslib as bl
from bayeslib import live
from bayeslib.models import _fast_local, local
from bayeslib.models.local import CaseBase, columns, distance_weighted_mean, wave, wave_sample, weighted_fit, workshop
from tests.sections.test_s15 import SHAPES, by_rows, errors

X, Y = np.array([1.0, 2, 3, 4, 6]), np.array([2.0, 3, 5, 4, 9])
LINE = np.arange(11.0)
GRID = np.linspace(0, 1, 201)


def lwr(h=1.0, degree=1, kernel="gaussian", **options):
    return bl.LocallyWeightedRegression(kernel, h, degree, **options)


# The numbers of the lesson


def test_five_points_by_hand():
    assert distance_weighted_mean(X, Y, [2.5])[0] == pytest.approx(3.946, abs=5e-4)
    assert distance_weighted_mean(X, Y, [2.5], k=4)[0] == pytest.approx(3.9)
    assert lwr(error="nearest", n_neighbors=4, degree=0).fit(X, Y).predict([2.5])[0] == 3.5
    assert [lwr(h, 0).fit(X, Y).predict([2.5])[0] for h in (1, 0.5)] == pytest.approx([3.736, 3.982], abs=5e-4)
    assert distance_weighted_mean(X, Y, [100, 3]) == pytest.approx([4.681, 5], abs=5e-4)
    assert lwr(1.5).fit(X, Y).predict([6])[0] == pytest.approx(8.824, abs=5e-4)


def test_an_average_is_pulled_inwards_at_the_edge_and_a_line_is_not():
    found = {h: lwr(h, 0).fit(LINE, LINE).predict([0, 5, 10]).round(2).tolist() for h in (0.5, 1, 2, 4)}
    assert found == {0.5: [0.12, 5, 9.88], 1: [0.52, 5, 9.48], 2: [1.3, 5, 8.7], 4: [2.82, 5, 7.18]}
    assert lwr(2).fit(LINE, LINE).predict(LINE) == pytest.approx(LINE)


def test_at_the_bottom_of_a_valley_average_and_line_agree():
    for h, height in ((1, 1.0), (2, 3.81)):
        answers = [lwr(h, degree).fit(LINE, (LINE - 5) ** 2).predict([5])[0] for degree in (0, 1, 2)]
        assert answers == pytest.approx([height, height, 0], abs=0.005)


@pytest.mark.parametrize(
    "degree, h, wanted",
    [
        (0, 0.005, (0.021, 0.194, 0.067)),
        (0, 0.05, (0.089, 0.122, 0.003)),
        (0, 0.5, (0.478, 0.500, 0.338)),
        (1, 0.005, (0.0086, 15.6, 3.72)),
        (1, 0.056, (0.0804, 0.1071, 0.0086)),
        (1, 0.063, (0.0832, 0.1075, 0.0081)),
    ],
)
def test_three_errors_of_the_bandwidth(degree, h, wanted):
    x, y = wave_sample()
    model = lwr(h, degree).fit(x, y)
    found = [
        np.mean((model.predict(x) - y) ** 2),
        np.mean((model.leave_one_out() - y) ** 2),
        np.mean((model.predict(GRID) - wave(GRID)) ** 2),
    ]
    assert found == pytest.approx(wanted, rel=0.002, abs=6e-4)
    if h > 0.01:  # below that, rows √w about the query are too ill-conditioned to decide a line
        assert found == pytest.approx(errors(h, 0, degree), rel=1e-6)


def test_a_gap_is_answered_in_logs_where_plain_weights_are_all_zero():
    x, y = np.array([0, 0.1, 0.2, 0.8, 0.9, 1]), np.array([1.0, 1, 1, 3, 3, 3])
    for h, answer in ((0.2, 1.303), (0.1, 1.005), (0.05, 1.0), (0.005, 1.0)):
        model = lwr(h, 0).fit(x, y)
        assert model.predict([0.4])[0] == pytest.approx(answer, abs=5e-4)
    assert model.weights([0.4]).sum() == 0, "what the formula as it stands would divide by"
    assert model.predict([0.5])[0] == pytest.approx(2), "as far from both sides"


def test_the_average_of_nine_neighbours_jumps_51_times():
    curve = lwr(degree=0, error="nearest", n_neighbors=9).fit(*wave_sample()).predict(GRID)
    assert (np.abs(np.diff(curve)) > 1e-12).sum() == 51


def test_radial_basis_functions_of_several_widths():
    x, y = wave_sample()
    found = {}
    for width in (0.02, 0.05, 0.1, 0.15, 0.3):
        network = bl.RBFNetwork(np.linspace(0, 1, 6), width).fit(x, y)
        found[width] = [np.mean((network.predict(GRID) - wave(GRID)) ** 2), np.abs(network.weights_).max()]
    assert [error for error, _ in found.values()] == pytest.approx([0.4404, 0.108, 0.0136, 0.0133, 0.0130], abs=4e-4)
    assert found[0.15][1] == pytest.approx(1.43, abs=0.005) and found[0.3][1] == pytest.approx(33, abs=0.05)


# Brute force and other libraries


def brute(model, x, y, queries):
    """Every query on its own: weights by the formula, least squares on rows √w (1, z, z²)."""
    answers = []
    for query in queries:
        d = np.abs(x - query)
        weights = SHAPES[model.kernel](d / model.bandwidth) if model.error != "nearest" else np.ones(len(x))
        if model.error != "kernel":
            weights[np.argsort(d, kind="stable")[model.n_neighbors :]] = 0
        answers.append(by_rows(x, y, query, weights, model.degree))
    return np.array(answers)


@pytest.mark.parametrize("degree", [0, 1, 2])
@pytest.mark.parametrize("error", ["nearest", "kernel", "both"])
@pytest.mark.parametrize("kernel", SHAPES)
def test_every_kernel_error_and_degree_row_by_row(kernel, error, degree):
    x, y = wave_sample(40, random_state=3)
    model = lwr(0.2, degree, kernel, error=error, n_neighbors=12).fit(x, y)
    queries = np.linspace(-0.05, 1.05, 37)
    wanted = brute(model, x, y, queries)
    assert model.predict(queries) == pytest.approx(wanted, rel=1e-6, abs=1e-8)
    assert model.local_model(0.3, [0.3])[0] == pytest.approx(model.predict([0.3])[0])


def both_ways(monkeypatch, model, queries):
    """What the lesson's formulas answer, and what the fast ones do: for the queries, and for each example from the others."""
    answers = []
    for lesson in (local.LESSON, 0):
        monkeypatch.setattr(local, "LESSON", lesson)
        answers.append(np.concatenate([model.values(queries), model.leave_one_out()]))
    return answers


@pytest.mark.parametrize("degree", [0, 1, 2])
@pytest.mark.parametrize("kernel", SHAPES)
@pytest.mark.parametrize("bandwidth", [0.001, 0.02, 0.1, 3])
@pytest.mark.parametrize("cells", [40, 2**14])
def test_fast_answers_are_those_of_the_lesson(kernel, bandwidth, degree, cells, monkeypatch):
    monkeypatch.setattr(_fast_local, "CELLS", cells)  # so few that a window comes in pieces
    x, y = wave_sample(90, random_state=4)
    x = np.round(x, 2)  # the same place more than once
    queries = np.linspace(-0.3, 1.3, 130)
    wanted, found = both_ways(monkeypatch, lwr(bandwidth, degree, kernel).fit(x[::-1], y), queries)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("options", [{"error": "nearest"}, {"error": "both"}, {"error": "both", "kernel": "box"}])
def test_fast_answers_choose_the_neighbours_of_the_lesson(options, monkeypatch):
    random = np.random.default_rng(0)
    X, queries = (
        random.integers(0, 4, (90, 2)) * 1.0,
        random.integers(0, 4, (50, 2)) + 0.5,
    )  # distances tie all the time
    model = lwr(3.0, n_neighbors=9, **options).fit(X, random.normal(size=90))
    wanted, found = both_ways(monkeypatch, model, queries)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


def test_far_from_zero_the_fast_answers_are_as_good(monkeypatch):
    x, y = wave_sample(90, random_state=4)
    for kernel in SHAPES:
        far = both_ways(monkeypatch, lwr(0.1, 1, kernel).fit(x + 1e6, y), GRID + 1e6)[1]
        here = both_ways(monkeypatch, lwr(0.1, 1, kernel).fit(x, y), GRID)[1]
        np.testing.assert_allclose(far, here, rtol=1e-6, atol=1e-6)


def test_the_lesson_fits_at_every_query_and_the_figures_too(monkeypatch):
    asked, lesson = [], local.weighted_fit
    monkeypatch.setattr(local, "weighted_fit", lambda *given: asked.append(given[0].shape) or lesson(*given))
    lwr(0.05).fit(*wave_sample()).predict(GRID)  # as in the cells of lesson 15
    assert asked == [(2, 201, 60)]
    monkeypatch.setattr(_fast_local, "answers", None)
    for make in (live.distance_weights, live.edge, live.local_query, live.kernel_shapes, live.gap):
        figure = make()
        for name in figure.presets:
            figure.preset(name)
    assert len(asked) > 20


@pytest.mark.parametrize("kind, degree", [("lc", 0), ("ll", 1)])
def test_statsmodels_says_the_same(kind, degree):
    x, y = wave_sample(80, random_state=1)
    peer = KernelReg(y, x, "c", reg_type=kind, bw=[0.07]).fit(GRID)[0]
    assert lwr(0.07, degree).fit(x, y).predict(GRID) == pytest.approx(peer, abs=1e-9)


def test_statsmodels_says_the_same_in_two_dimensions():
    random = np.random.default_rng(0)
    points, queries = random.uniform(-1, 1, (120, 2)), random.uniform(-1, 1, (30, 2))
    y = points[:, 0] * points[:, 1] + random.normal(0, 0.1, 120)
    peer = KernelReg(y, points, "cc", reg_type="ll", bw=[0.4, 0.4]).fit(queries)[0]
    assert lwr(0.4).fit(points, y).predict(queries) == pytest.approx(peer, abs=1e-9)


@pytest.mark.parametrize("degree", [0, 1, 2])
@pytest.mark.parametrize("kernel, h", [("gaussian", 0.005), ("gaussian", 0.1), ("tricube", 0.2), ("box", 0.05)])
def test_shares_give_the_answer_and_sum_to_1(kernel, h, degree):
    x, y = local.wave_sample()
    queries = np.linspace(-0.2, 1.2, 57)
    model = lwr(h, degree, kernel).fit(x, y)
    shares, answers = model.shares(queries), model.values(queries)
    assert (np.isnan(shares).any(axis=1) == np.isnan(answers)).all()
    told = ~np.isnan(answers) & (np.abs(answers) < 1e3)
    assert shares[told].sum(axis=1) == pytest.approx(1, abs=1e-6)
    assert shares[told] @ y == pytest.approx(answers[told], rel=1e-5, abs=1e-6)
    if degree == 0:
        weights = model.weights(queries)[told]
        usable = weights.sum(axis=1) > 0
        wanted = weights[usable] / weights[usable].sum(axis=1, keepdims=True)
        assert shares[told][usable] == pytest.approx(wanted, abs=1e-9)


def test_leave_one_out_is_a_fit_without_the_point():
    x, y = wave_sample(25, random_state=2)
    for options in (
        {},
        {"error": "nearest", "n_neighbors": 7},
        {"error": "both", "n_neighbors": 7, "kernel": "tricube"},
    ):
        model = lwr(0.5, **options).fit(x, y)
        one_by_one = [lwr(0.5, **options).fit(np.delete(x, i), np.delete(y, i)).predict([x[i]])[0] for i in range(25)]
        assert model.leave_one_out() == pytest.approx(one_by_one)


def test_the_mean_of_neighbours_is_scikit_learns():
    x, y = wave_sample(50)
    queries = np.linspace(0, 1, 31)
    for weights, model in {
        "uniform": lambda q: lwr(degree=0, error="nearest", n_neighbors=5).fit(x, y).predict(q),
        "distance": lambda q: distance_weighted_mean(x, y, q, 5, power=1),
    }.items():
        peer = KNeighborsRegressor(5, weights=weights).fit(x[:, None], y)
        assert model(queries) == pytest.approx(peer.predict(queries[:, None]))
        assert model(x) == pytest.approx(peer.predict(x[:, None])), "also at the points themselves"


def test_a_local_fit_in_three_dimensions_is_scikit_learns_weighted_one():
    random = np.random.default_rng(1)
    points, y, query = random.normal(size=(60, 3)), random.normal(size=60), np.array([[0.2, -0.1, 0.3]])
    for degree in (1, 2):
        model = lwr(1.3, degree).fit(points, y)
        features = PolynomialFeatures(degree).fit(points)
        peer = LinearRegression().fit(features.transform(points), y, model.weights(query)[0])
        assert model.predict(query)[0] == pytest.approx(peer.predict(features.transform(query))[0], abs=1e-8)
        assert columns(points.T, degree).shape == (features.n_output_features_, 60)


def test_a_network_with_a_bump_on_every_point_interpolates_like_kernel_ridge():
    x, y = np.linspace(0, 1, 8), wave(np.linspace(0, 1, 8))
    network = bl.RBFNetwork(x, 0.15).fit(x, y)
    assert network.predict(x) == pytest.approx(y, abs=1e-6)
    peer = KernelRidge(alpha=1e-12, kernel="rbf", gamma=1 / (2 * 0.15**2)).fit(x[:, None], y)
    assert network.predict(GRID) == pytest.approx(peer.predict(GRID[:, None]), abs=0.05)
    assert network.intercept_ + network.bumps([0.4]).sum() == pytest.approx(network.predict([0.4])[0])


def test_k_means_places_the_bumps_where_only_their_number_is_given():
    network = bl.RBFNetwork(6, 0.15, random_state=0).fit(*wave_sample())
    assert network.centres_.shape == (6, 1) and np.mean((network.predict(GRID) - wave(GRID)) ** 2) < 0.03
    plane = np.random.default_rng(0).uniform(size=(80, 2))
    assert bl.RBFNetwork(9, 0.3, random_state=0).fit(plane, plane @ [1, 2]).score(plane, plane @ [1, 2]) > 0.98


def test_score_is_the_share_of_variance_explained():
    x, y = wave_sample()
    model = lwr(0.06).fit(x, y)
    assert model.score(x, y) == pytest.approx(1 - np.mean((model.predict(x) - y) ** 2) / y.var())


# Properties

values = st.floats(-50, 50).map(lambda value: round(value, 3))
points = st.lists(st.tuples(values, values), min_size=3, max_size=12, unique_by=lambda point: point[0])


@settings(max_examples=80, deadline=None)
@given(points, values, st.sampled_from(list(SHAPES)), st.floats(0.5, 100))
def test_an_average_never_leaves_the_data(data, query, kernel, h):
    x, y = np.array(data).T
    answer = lwr(h, 0, kernel).fit(x, y).values([query])[0]
    assert np.isnan(answer) or y.min() - 1e-9 <= answer <= y.max() + 1e-9
    assert y.min() - 1e-9 <= distance_weighted_mean(x, y, [query])[0] <= y.max() + 1e-9


@settings(max_examples=80, deadline=None)
@given(points, values, st.floats(-3, 3), st.floats(-3, 3), st.floats(1, 100))
def test_a_local_line_is_exact_on_a_line(data, query, intercept, slope, h):
    x = np.array(data)[:, 0]
    answer = lwr(h).fit(x, intercept + slope * x).values([query])[0]
    assert np.isnan(answer) or answer == pytest.approx(intercept + slope * query, abs=1e-3)


@settings(max_examples=60, deadline=None)
@given(points, values, st.integers(0, 2), st.floats(2, 30), values)
def test_answers_move_with_the_data(data, query, degree, h, shift):
    x, y = np.array(data).T
    there, here = (
        lwr(h, degree).fit(x + shift, y).values([query + shift])[0],
        lwr(h, degree).fit(x, y).values([query])[0],
    )
    if abs(here) < 1e3 and not np.isnan(there):
        assert there == pytest.approx(here, rel=1e-3, abs=1e-2)
    scaled = lwr(h, degree).fit(x, 2 * y + 1).values([query])[0]
    assert np.isnan(here) or scaled == pytest.approx(2 * here + 1, rel=1e-3, abs=1e-2)


def test_a_wide_line_is_the_least_squares_line_and_a_narrow_average_the_nearest_point():
    slope, intercept = np.polyfit(X, Y, 1)
    assert lwr(1e6).fit(X, Y).predict([0, 7]) == pytest.approx([intercept, intercept + 7 * slope])
    assert lwr(1e-3, 0).fit(X, Y).predict([1.2, 5.5]) == pytest.approx([2, 9])


def test_e3_is_e2_over_the_nearest_and_e1_with_a_box_wide_enough():
    x, y = wave_sample(30)
    assert lwr(0.1, error="both", n_neighbors=30).fit(x, y).predict(GRID) == pytest.approx(
        lwr(0.1).fit(x, y).predict(GRID)
    )
    first, third = (
        lwr(error="nearest", n_neighbors=6).fit(x, y),
        lwr(10, 1, "box", error="both", n_neighbors=6).fit(x, y),
    )
    assert third.predict(GRID) == pytest.approx(first.predict(GRID))


def test_the_answer_is_the_least_of_its_error():
    """No small step away from β lowers E2."""
    x, y = wave_sample(30)
    model, q = lwr(0.2).fit(x, y), 0.37
    weights, line = model.weights([q])[0], model.local_model(q, x)
    least = (weights * (y - line) ** 2).sum()
    for step in (1e-3, -1e-3):
        assert (weights * (y - line - step) ** 2).sum() > least
        assert (weights * (y - line - step * (x - q)) ** 2).sum() > least


# Cases


def test_a_case_explains_its_similarity():
    base = CaseBase([{"a": "x", "n": 0}, {"a": "y", "n": 10}], ["no", "yes"], {"a": 3}, {"a": {("x", "y"): 0.5}})
    first, second = base.retrieve({"a": "y", "n": 8}, k=2)
    assert (first.number, first.answer, first.parts) == (1, "yes", {"a": 0.75, "n": pytest.approx(0.25 * 0.8)})
    assert second.similarity == pytest.approx(0.75 * 0.5 + 0.25 * 0.2) == pytest.approx(sum(second.parts.values()))
    assert base.predict({"a": "y", "n": 8}) == "yes" and base.predict({"n": 1}) == "no"


def test_numbers_are_adapted_by_their_mean():
    base = CaseBase(pd.DataFrame({"town": ["A", "A", "B"], "rooms": [2, 4, 4]}), [500, 900, 700])
    assert base.predict({"town": "A", "rooms": 4}, k=1) == 900
    assert base.predict({"town": "A", "rooms": 4}, k=2) == pytest.approx((1 * 900 + 0.5 * 500) / 1.5)
    assert CaseBase([{"rooms": 3}] * 2, [1, 2]).compare("rooms", 3, 4) == 0, "no spread, no scale"


def test_a_similarity_can_be_a_function_and_equal_values_are_always_alike():
    base = CaseBase([{"a": 1}, {"a": 5}], [0, 1], similarity={"a": lambda a, b: 1 / (1 + abs(a - b))})
    assert base.compare("a", 1, 5) == pytest.approx(0.2) and base.compare("a", 5, 5) == 1
    assert [match.number for match in CaseBase([{"a": 1}, {"a": 1}], "xy").retrieve({"a": 1}, 2)] == [0, 1]


def test_the_workshop_votes():
    query = {"noise": "squeal", "when": "coasting", "weather": "wet", "age": 9}
    assert workshop().predict(query, k=3) == "spoke"
    assert workshop(noise=10, when=1, weather=0).predict(query, k=3) == "brake pads"
    assert workshop().compare("noise", "squeak", "squeal") == 0.8 == workshop().compare("noise", "squeal", "squeak")


# Bad input


def fitted(**options):
    return lwr(**options).fit(X, Y)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: lwr(0), "bandwidth must be a number above 0, got 0"),
        (lambda: lwr(-1), "bandwidth must be a number above 0, got -1"),
        (lambda: lwr(np.nan), "bandwidth must be a number above 0, got nan"),
        (lambda: lwr([1.0, 2.0]), r"bandwidth must be a number above 0, got \[1.0, 2.0\]"),
        (lambda: lwr(kernel="cosine"), "kernel must be one of .* got 'cosine'"),
        (lambda: lwr(error="E1"), "error must be one of {'nearest', 'kernel', 'both'}, got 'E1'"),
        (lambda: lwr(degree=3), "degree must be a whole number of at most 2, got 3"),
        (lambda: lwr(degree=True), "degree must be a whole number of at least 0, got True"),
        (lambda: lwr(error="nearest"), "n_neighbors must be a whole number of at least 1, got None"),
        (lambda: lwr(error="both", n_neighbors=0), "n_neighbors must be a whole number of at least 1, got 0"),
        (
            lambda: lwr(error="nearest", n_neighbors=6).fit(X, Y),
            "n_neighbors must be at most the number of examples, 5, got 6",
        ),
        (
            lambda: lwr(error="nearest", n_neighbors=5).fit(X, Y).leave_one_out(),
            "n_neighbors must be at most 4 to leave one of 5 out, got 5",
        ),
        (lambda: lwr().fit(X, Y[:4]), "y must have one number for each of the 5 rows of X, got"),
        (lambda: lwr().fit([1, np.nan], [1, 2]), "X must hold numbers .* got nan in row 1"),
        (lambda: lwr().fit([1, 2], [1, np.inf]), "y must hold numbers .* got inf in row 1"),
        (lambda: lwr().fit([], []), r"X must have two axes.* got shape \(0, 1\)"),
        (lambda: lwr().fit(np.zeros((2, 2, 2)), [1, 2]), r"X must have two axes.* got shape \(2, 2, 2\)"),
        (lambda: lwr().fit(["a", "b"], [1, 2]), "X must be rows of numbers"),
        (lambda: fitted().predict(["a"]), "X must be rows of numbers"),
        (lambda: fitted().predict([np.nan]), "X must hold numbers .* got nan"),
        (lambda: fitted().predict([[1, 2]]), "X must have 1 attributes as in fit, got 2"),
        (lambda: lwr().predict([1]), "is not fitted yet"),
        (lambda: lwr().leave_one_out(), "is not fitted yet"),
        (lambda: lwr().fit([1], [1]).leave_one_out(), "leave_one_out must have at least 2 examples, got 1"),
        (lambda: fitted().score([1, 2], [3]), "y must have one number for each of the 2 rows of X"),
        (lambda: lwr(1e-300), "bandwidth must be a number at least 1e-100, got 1e-300"),
        (lambda: lwr(10**400), "bandwidth must be a number above 0, got 1000"),
        (lambda: columns("abc", 1), "Z must be a number"),
        (lambda: weighted_fit(X, Y, X), "design must have three axes"),
        (lambda: weighted_fit(np.ones((1, 2, 5)), Y, X), r"weights must have shape \(2, 5\) as design has it"),
        (
            lambda: fitted(h=0.3, kernel="box", degree=0).predict([1, 5]),
            r"X\[1\] = 5.0 must be near enough to .*: every weight is 0 there, the bandwidth 0.3 being too narrow",
        ),
        (
            lambda: fitted(h=0.3, kernel="box").predict([1]),
            r"X\[0\] = 1.0 must .*: 1 example has weight there, too few .* for the 2 numbers of degree 1",
        ),
        (
            lambda: lwr(degree=2).fit([1, 1, 2, 2], [1, 2, 3, 4]).predict([1.5]),
            "4 examples have weight there, .* 3 numbers of degree 2",
        ),
        (
            lambda: fitted(error="nearest", n_neighbors=1).local_model(2.4, [2, 3]),
            r"query\[0\] = 2.4 must be near enough",
        ),
        (lambda: fitted(h=0.1, kernel="box").local_model(5, [5]), r"query\[0\] = 5.0 must .* every weight is 0"),
        (lambda: distance_weighted_mean(X, Y, [1], k=0), "k must be a whole number of at least 1, got 0"),
        (lambda: distance_weighted_mean(X, Y, [1], k=9), "k must be at most the number of examples, 5, got 9"),
        (lambda: distance_weighted_mean(X, Y, [1], power=-1), "power must be a number at least 0, got -1"),
        (lambda: distance_weighted_mean(X, Y[:2], [1]), "y must have one number for each of the 5"),
        (lambda: bl.RBFNetwork(0, 1), "centres must be a whole number of at least 1, got 0"),
        (lambda: bl.RBFNetwork(3, 0), "width must be a number above 0, got 0"),
        (lambda: bl.RBFNetwork(3, -1), "width must be a number above 0, got -1"),
        (lambda: bl.RBFNetwork([[1, 2]], 1).fit(X, Y), "centres must have 1 attributes as X, got 2"),
        (lambda: bl.RBFNetwork(3, 1).predict([1]), "is not fitted yet"),
        (lambda: bl.RBFNetwork([1.0, np.nan], 1), "centres must hold numbers .* got nan"),
        (lambda: bl.RBFNetwork([1, 2], 1).fit(X, Y).predict([[1, 2]]), "X must have 1 attributes as in fit, got 2"),
        (lambda: CaseBase([], []), "cases must be at least 1, got none"),
        (lambda: CaseBase(5, [1]), "cases must be mappings from attribute to value, or a table, got 5"),
        (lambda: CaseBase({"a": 1}, [1]), "cases must be mappings"),
        (lambda: CaseBase([{"a": 1}], 5), "answers must be one for each case, got 5"),
        (lambda: CaseBase([{"a": 1}], [1], "abc"), "weights must be a mapping from attributes, got 'abc'"),
        (lambda: workshop().retrieve("abc"), "query must be a mapping from attributes, got 'abc'"),
        (lambda: workshop().retrieve({"age": None}), r"query\['age'\] must be a value, got None"),
        (lambda: workshop().retrieve({"age": pd.NA}), r"query\['age'\] must be a value, got <NA>"),
        (lambda: workshop().compare("colour", 1, 2), "attribute must be one of .* got 'colour'"),
        (lambda: wave_sample(5, np.nan), "noise must be a number at least 0, got nan"),
        (lambda: wave_sample(5, random_state=-1), "random_state must be None, a whole number of at least 0"),
        (lambda: bl.RBFNetwork(3, 1, random_state="x"), "random_state must be None"),
        (lambda: CaseBase([{"a": 1}], [1, 2]), "answers must be one for each of the 1 cases, got 2"),
        (lambda: CaseBase([{"a": 1}, {"b": 1}], [1, 2]), r"cases\[1\] must have the attributes \{'a'\}, got \{'b'\}"),
        (lambda: CaseBase([{"a": 1}], [1], {"b": 1}), r"weights must name attributes among \{'a'\}, got 'b'"),
        (lambda: CaseBase([{"a": 1}], [1], {"a": -1}), r"weights\['a'\] must be a number at least 0, got -1"),
        (lambda: CaseBase([{"a": 1}], [1], similarity={"b": {}}), "similarity must name attributes among"),
        (lambda: workshop().retrieve({"colour": "red"}), r"query must name attributes among .* got 'colour'"),
        (lambda: workshop().retrieve({}), "query must give an attribute of weight above 0"),
        (lambda: workshop(age=0).retrieve({"age": 3}), "query must give an attribute of weight above 0"),
        (lambda: workshop().retrieve({"age": np.nan}), r"query\['age'\] must be a value, got nan; leave out"),
        (lambda: workshop().retrieve({"age": 3}, k=10), "k must be at most the number of cases, 9, got 10"),
        (lambda: workshop().predict({"noise": "hum"}), "query must be like at least one case, got similarity 0 to all"),
        (lambda: workshop(colour=1), "weights must name attributes among .* got 'colour'"),
        (
            lambda: CaseBase([{"a": 1}], [1], similarity={"a": lambda a, b: 2}).retrieve({"a": 3}),
            "similarity of 3 and 1 must be a number between 0 and 1, got 2",
        ),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_numbers_near_the_largest_are_answered_without_a_warning():
    with np.errstate(all="raise", under="ignore"):
        for degree in (0, 1, 2):
            for size, h in ((1e99, 1e99), (1e-99, 1e-99), (1e99, 1e-99), (1.0, 1e100)):
                answers = lwr(h, degree).fit(X * size, Y * size).values(X * size)
                assert np.isfinite(answers[0]) or h < size
        assert distance_weighted_mean(X * 1e99, Y, [1e99]).tolist() == [2]
    assert fitted().score([1, 2], [3, 3]) == 0, "R² where y does not vary: 1 only if all is right"


def test_values_leaves_out_what_predict_refuses():
    model = fitted(h=0.3, kernel="box", degree=0)
    assert np.isnan(model.values([1, 5])).tolist() == [False, True]
    assert np.isnan(lwr(0.1, 0, "box").fit(X, Y).leave_one_out()).all()


def test_two_examples_at_a_query_of_zero_distance_are_averaged():
    assert distance_weighted_mean([1, 1, 2], [3, 5, 9], [1])[0] == 4
    assert distance_weighted_mean([1, 1, 2], [3, 5, 9], [1], k=1)[0] == 3, "of equals the first"
