"""Section 15: kernels, weighted means and local fits beside least squares row by row, statsmodels and scikit-learn."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import PolynomialFeatures
from statsmodels.nonparametric.kernel_regression import KernelReg

from bayeslib import LocallyWeightedRegression, RBFNetwork, local
from bayeslib.models.kernels import KERNELS, kernel_weights
from bayeslib.models.local import FIVE_X, FIVE_Y, distance_weighted_mean, wave, wave_sample

GRID = np.linspace(0, 1, 201)


def lwr(h=1.0, degree=1, kernel="gaussian", **options):
    return LocallyWeightedRegression(kernel, h, degree, **options)


def test_kernels_fall_from_1_and_all_but_the_gaussian_end_at_one_bandwidth():
    half = {"gaussian": np.exp(-1 / 8), "epanechnikov": 3 / 4, "tricube": (7 / 8) ** 3, "triangle": 1 / 2, "box": 1}
    assert {name: float(kernel_weights(1.0, name, 2.0)) for name in KERNELS} == pytest.approx(half)
    for name in KERNELS:
        weights = kernel_weights([0, 1, 2, 2.0000001, 6], name, 2.0)
        assert weights[0] == 1 and (np.diff(weights) <= 0).all()
        assert (weights[3:] == 0).all() == (name != "gaussian")
    with np.errstate(all="raise", under="ignore"):
        assert all(kernel_weights([1e300], name, 1e-300).tolist() == [0] for name in KERNELS)


def test_distance_weighted_means_of_five_points():
    assert distance_weighted_mean(FIVE_X, FIVE_Y, [2.5, 100]) == pytest.approx([3.946, 4.681], abs=5e-4)
    assert distance_weighted_mean(FIVE_X, FIVE_Y, [2.5, 3], k=4) == pytest.approx([3.9, 5]), "at a point its own value"
    assert distance_weighted_mean([1, 1, 2], [3, 5, 9], [1])[0] == 4, "where two points are, their mean"
    assert distance_weighted_mean([1, 1, 2], [3, 5, 9], [1], k=1)[0] == 3, "of equals the first"


@pytest.mark.parametrize("degree", [0, 1, 2])
@pytest.mark.parametrize("error", ["nearest", "kernel", "both"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_fit_is_least_squares_on_weighted_rows(kernel, error, degree, monkeypatch):
    """One query at a time; all again a few at a time, as for large data."""
    (x, y), queries, wanted = wave_sample(40, random_state=3), np.linspace(-0.05, 1.05, 37), []
    model = lwr(0.2, degree, kernel, error=error, n_neighbors=12).fit(x, y)
    for query in queries:
        apart = np.abs(x - query)
        weights = kernel_weights(apart, kernel, 0.2) if error != "nearest" else np.ones(40)
        if error != "kernel":
            weights[np.argsort(apart, kind="stable")[12:]] = 0
        assert model.weights([query])[0] == pytest.approx(weights)
        rows = np.sqrt(weights)[:, None] * np.vander((x - query) / 0.2, degree + 1, increasing=True)
        wanted.append(np.linalg.lstsq(rows, np.sqrt(weights) * y)[0][0])
    assert model.predict(queries) == pytest.approx(wanted, rel=1e-6, abs=1e-8)
    assert model.local_model(0.3, [0.3, 0.4])[0] == pytest.approx(model.predict([0.3])[0])
    whole = np.concatenate([model.values(queries), model.leave_one_out()])
    monkeypatch.setattr(local, "CELLS", 100)
    assert np.concatenate([model.values(queries), model.leave_one_out()]) == pytest.approx(whole, nan_ok=True)


@pytest.mark.parametrize("degree", [1, 2])
def test_a_fit_in_several_dimensions_is_that_of_the_peers(degree):
    random = np.random.default_rng(1)
    points, y, queries = random.normal(size=(60, 2)), random.normal(size=60), random.normal(size=(3, 2)) / 2
    model, features = lwr(1.3, degree).fit(points, y), PolynomialFeatures(degree).fit(points)
    for query, answer in zip(queries, model.predict(queries)):
        peer = LinearRegression().fit(features.transform(points), y, model.weights([query])[0])
        assert answer == pytest.approx(peer.predict(features.transform([query]))[0], abs=1e-8)
        assert answer == pytest.approx(model.local_model(query, [query, [9, 9]])[0])
    if degree == 1:
        peer = KernelReg(y, points, "cc", reg_type="ll", bw=[1.3, 1.3]).fit(queries)[0]
        assert model.predict(queries) == pytest.approx(peer, abs=1e-8)


@pytest.mark.parametrize("options", [{}, {"error": "nearest"}, {"error": "both", "kernel": "tricube"}])
def test_leave_one_out_is_a_fit_without_the_point(options):
    x, y = wave_sample(25, random_state=2)
    model = lwr(0.5, n_neighbors=7, **options)
    alone = [model.fit(np.delete(x, i), np.delete(y, i)).predict([x[i]])[0] for i in range(25)]
    assert model.fit(x, y).leave_one_out() == pytest.approx(alone)


@pytest.mark.parametrize("degree", [0, 1, 2])
@pytest.mark.parametrize("kernel, h", [("gaussian", 0.005), ("gaussian", 0.1), ("box", 0.05)])
def test_shares_give_the_answer_and_sum_to_1(kernel, h, degree):
    x, y = wave_sample()
    queries = np.linspace(-0.2, 1.2, 57)
    model = lwr(h, degree, kernel).fit(x, y)
    shares, answers = model.shares(queries), model.values(queries)
    told = ~np.isnan(answers) & (np.abs(answers) < 1e3)  # beyond, the line runs off to where no digits are left
    assert (np.isnan(shares).any(axis=1) == np.isnan(answers)).all() and told.sum() > 20
    assert shares[told].sum(axis=1) == pytest.approx(1, abs=1e-6)
    assert shares[told] @ y == pytest.approx(answers[told], rel=1e-5, abs=1e-6)


def test_a_gap_is_answered_in_logs_where_plain_weights_are_all_zero():
    for h, answer in ((0.2, 1.303), (0.1, 1.005), (0.05, 1.0), (0.005, 1.0)):
        model = lwr(h, 0).fit(local.GAP_X, local.GAP_Y)
        assert model.predict([0.4, 0.5]) == pytest.approx([answer, 2], abs=5e-4)
    assert model.weights([0.4]).sum() == 0, "what the formula as it stands would divide by"


def test_numbers_near_the_largest_are_answered_without_a_warning():
    with np.errstate(all="raise", under="ignore"):
        for size, h in ((1e99, 1e99), (1e-99, 1e-99), (1e99, 1e-99), (1.0, 1e100)):
            answers = [lwr(h, degree).fit(FIVE_X * size, FIVE_Y * size).values(FIVE_X * size) for degree in (0, 1, 2)]
            assert np.isfinite(answers[0]).all() and (np.isfinite(answers).all() or h < size)
        assert distance_weighted_mean(FIVE_X * 1e99, FIVE_Y, [1e99]).tolist() == [2]


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: lwr(0.3, 0, "box").fit(FIVE_X, FIVE_Y).predict([1, 5]), r"X\[1\] = 5.0 must .*: every weight is 0"),
        (lambda: lwr(0.3, 1, "box").fit(FIVE_X, FIVE_Y).predict([1]), "1 example has weight .* 2 numbers of degree 1"),
        (lambda: lwr(1, 2).fit([1, 1, 2, 2], [1, 2, 3, 4]).predict([1.5]), "4 examples .* 3 numbers of degree 2"),
        (lambda: lwr(0.1, 1, "box").fit(FIVE_X, FIVE_Y).local_model(5, [5]), r"query\[0\] = 5.0 must"),
        (lambda: lwr(error="both", n_neighbors=6).fit(FIVE_X, FIVE_Y), "n_neighbors must be at most .* 5, got 6"),
        (
            lambda: lwr(error="nearest", n_neighbors=5).fit(FIVE_X, FIVE_Y).leave_one_out(),
            "at most 4 to leave one of 5",
        ),
        (lambda: lwr().fit([1], [1]).leave_one_out(), "leave_one_out must have at least 2 examples, got 1"),
        (lambda: RBFNetwork([[1, 2]], 1).fit(FIVE_X, FIVE_Y), "centres must have 1 attributes as X, got 2"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_a_network_is_least_squares_on_its_bumps():
    x, y = wave_sample()
    places = np.linspace(0, 1, 6)
    network = RBFNetwork(places, 0.15).fit(x, y)
    bumps = np.exp(-(np.subtract.outer(x, places) ** 2) / (2 * 0.15**2))
    peer = LinearRegression().fit(bumps, y)
    assert network.predict(x) == pytest.approx(peer.predict(bumps))
    assert network.bumps(x) == pytest.approx(bumps * peer.coef_) and network.intercept_ == pytest.approx(
        peer.intercept_
    )
    assert np.mean((network.predict(GRID) - wave(GRID)) ** 2) == pytest.approx(0.0133, abs=5e-5)
    placed = RBFNetwork(6, 0.15, random_state=0).fit(x, y)
    assert placed.centres_.shape == (6, 1) and np.mean((placed.predict(GRID) - wave(GRID)) ** 2) < 0.03
