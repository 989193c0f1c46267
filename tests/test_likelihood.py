"""Claims about section 03's model: its numbers, brute force, independent libraries, and the words of its errors."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression, QuantileRegressor
from sklearn.model_selection import LeaveOneOut
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

import bayeslib as bl
from bayeslib.models.likelihood import (
    bernoulli_log_likelihood,
    bernoulli_ml,
    code_length,
    coin_density,
    coin_posterior,
    coin_predictions,
    cross_entropy,
    curve_sample,
    description_length,
    fit_line,
    gaussian_log_likelihood,
    gaussian_ml,
    held_out_error,
    laplace_log_likelihood,
    least_absolute_line,
    least_power_line,
    mean_posterior,
    polynomial_description_length,
    polynomial_scores,
    polynomial_values,
    power_log_likelihood,
    ridge_line,
    true_curve,
    weighted_mean,
)

X, Y = np.arange(5), np.array([1, 3, 2, 5, 4])
COINS, PRIOR = [0.25, 0.5, 0.75], [0.1, 0.8, 0.1]
number = st.floats(-100, 100).map(lambda value: round(value, 3))
rows = st.lists(number, min_size=1, max_size=8)
probability = st.floats(0.001, 0.999)


def test_seven_heads_in_ten_are_most_likely_at_seven_tenths():
    assert bernoulli_ml(7, 3) == 0.7
    assert math.exp(bernoulli_log_likelihood(0.7, 7, 3)) == pytest.approx(0.002224, abs=5e-7)
    assert math.exp(bernoulli_log_likelihood(0.7, 7, 3) - bernoulli_log_likelihood(0.5, 7, 3)) == pytest.approx(
        2.28, abs=5e-3
    )
    grid = np.linspace(0, 1, 10001)
    assert np.exp(bernoulli_log_likelihood(grid, 7, 3)).mean() == pytest.approx(1 / 1320, rel=1e-3)


@given(st.integers(0, 40), st.integers(0, 40), st.floats(0, 1))
def test_no_chance_is_more_likely_than_the_share_of_successes(successes, failures, theta):
    if successes + failures:
        best = bernoulli_log_likelihood(bernoulli_ml(successes, failures), successes, failures)
        assert bernoulli_log_likelihood(theta, successes, failures) <= best + 1e-9


def test_impossible_tosses_have_log_likelihood_minus_infinity_and_no_toss_zero():
    assert bernoulli_log_likelihood([0, 0.5, 1], 1, 0).tolist() == [-math.inf, math.log(0.5), 0]
    assert bernoulli_log_likelihood([0, 0.5, 1], 0, 1).tolist() == [0, math.log1p(-0.5), -math.inf]
    assert bernoulli_log_likelihood([0, 0.3], 0, 0).tolist() == [0, 0] and bernoulli_log_likelihood(0.3, 0, 0) == 0
    assert math.isfinite(bernoulli_log_likelihood(0.7, 7000, 3000))


def test_mean_and_variance_of_the_five_measurements():
    data = np.array([2, 4, 4, 5, 10])
    assert gaussian_ml(data) == pytest.approx((5, 7.2))
    assert [((data - mu) ** 2).sum() for mu in (4, 5, 6)] == [41, 36, 41]


@given(rows, number, st.floats(0.5, 9))
def test_no_mean_and_no_variance_are_more_likely_than_the_ml_estimates(data, mu, sigma):
    data = np.array(data)
    mean, variance = gaussian_ml(data)
    assert (mean, variance) == pytest.approx((np.mean(data), np.var(data)))
    assert gaussian_log_likelihood(data - mu, sigma) <= gaussian_log_likelihood(data - mean, sigma) + 1e-9
    if variance > 1e-6:
        best = gaussian_log_likelihood(data - mean, math.sqrt(variance))
        assert gaussian_log_likelihood(data - mean, sigma) <= best + 1e-9


@given(rows, st.floats(0.5, 9))
def test_log_likelihoods_are_sums_of_log_densities(residuals, size):
    from scipy.stats import laplace, norm

    assert gaussian_log_likelihood(residuals, size) == pytest.approx(norm.logpdf(residuals, scale=size).sum())
    assert laplace_log_likelihood(residuals, size) == pytest.approx(laplace.logpdf(residuals, scale=size).sum())


def test_best_line_and_its_lead_over_one_plus_x():
    a, b = fit_line(X, Y)
    assert (a, b) == pytest.approx((1.4, 0.8))
    best, rival = Y - a - b * X, Y - 1 - X
    assert (best @ best, rival @ rival) == pytest.approx((3.6, 4.0))
    assert gaussian_log_likelihood(best, 1) == pytest.approx(-6.39, abs=5e-3)
    assert gaussian_log_likelihood(best, 2) == pytest.approx(-8.510, abs=5e-4)
    leads = [gaussian_log_likelihood(best, s) - gaussian_log_likelihood(rival, s) for s in (0.5, 1, 2)]
    assert leads == pytest.approx([0.8, 0.2, 0.05])


points = st.lists(st.tuples(number, number), min_size=2, max_size=7, unique_by=lambda point: point[0])


@given(points, number, number, st.floats(0.5, 3))
def test_least_squares_is_maximum_likelihood_and_agrees_with_scikit_learn(rows, a, b, sigma):
    x, y = np.array(rows).T
    mine = fit_line(x, y)
    other = LinearRegression().fit(x[:, None], y)
    assert mine[0] + mine[1] * x == pytest.approx(other.predict(x[:, None]), abs=1e-5)
    best, tried = (gaussian_log_likelihood(y - line[0] - line[1] * x, sigma) for line in (mine, (a, b)))
    assert tried <= best + 1e-6


@given(points, number, number)
def test_no_line_has_a_smaller_absolute_error(rows, a, b):
    x, y = np.array(rows).T
    c, d = least_absolute_line(x, y)
    assert np.abs(y - c - d * x).sum() <= np.abs(y - a - b * x).sum() + 1e-6


@pytest.mark.parametrize("middle, line", [(2, (1, 0.75)), (7, (2, 1)), (10, (2, 1)), (12, (2, 1))])
def test_absolute_line_stops_following_the_lifted_point_and_squares_do_not(middle, line):
    y = np.array([1, 3, middle, 5, 4])
    assert least_absolute_line(X, y) == pytest.approx(line)
    assert fit_line(X, y) == pytest.approx((1.4 + (middle - 2) / 5, 0.8))
    other = QuantileRegressor(alpha=0).fit(X[:, None], y)
    assert np.abs(y - other.predict(X[:, None])).sum() == pytest.approx(np.abs(y - line[0] - line[1] * X).sum())


@given(rows, st.floats(0.5, 9), st.sampled_from([1, 1.3, 1.7, 2]))
def test_noise_between_laplace_and_gaussian_is_scipys_generalised_normal(residuals, size, power):
    from scipy.stats import gennorm

    wanted = gennorm.logpdf(residuals, power, scale=size * power ** (1 / power)).sum()
    assert power_log_likelihood(residuals, size, power) == pytest.approx(wanted)
    assert power_log_likelihood(residuals, size, 1) == pytest.approx(laplace_log_likelihood(residuals, size))
    assert power_log_likelihood(residuals, size, 2) == pytest.approx(gaussian_log_likelihood(residuals, size))


@given(points, number, number, st.sampled_from([1, 1.1, 1.5, 1.9, 2]))
def test_no_line_has_a_smaller_sum_of_powers(rows, a, b, power):
    x, y = np.array(rows).T
    c, d = least_power_line(x, y, power)

    def loss(intercept, slope):
        return (np.abs(y - intercept - slope * x) ** power).sum()

    near = [(c + step, d) for step in (-1e-3, 1e-3)] + [(c, d + step) for step in (-1e-3, 1e-3)]
    least = loss(c, d)
    assert all(least <= loss(*line) + 1e-6 * (1 + least) for line in [(a, b), fit_line(x, y), *near])


def test_the_lifted_point_pulls_less_as_the_exponent_falls():
    lines = [least_power_line(X, [1, 3, 10, 5, 4], power) for power in (2, 1.5, 1)]
    assert lines == [pytest.approx(line, abs=5e-4) for line in ((3, 0.8), (2.161, 0.921), (2, 1))]


def test_a_prior_counts_as_one_more_measurement():
    mean, spread = mean_posterior([2, 4, 4, 5, 10], sigma=2, prior_mean=8, prior_sigma=1)
    assert (mean, spread) == pytest.approx(((5 * 5 + 4 * 8) / 9, 2 / 3))
    assert weighted_mean([4, 7], [1, 0.5]) == pytest.approx(((4 + 4 * 7) / 5, 1 / math.sqrt(5)))


@given(rows, st.floats(0.5, 9), number, st.floats(0.5, 9))
def test_the_belief_in_a_mean_is_prior_times_likelihood(data, sigma, centre, width):
    mean, spread = mean_posterior(data, sigma, centre, width)
    mu = mean + spread * np.linspace(-2, 2, 5)
    log = [
        gaussian_log_likelihood(np.array(data) - each, sigma) + gaussian_log_likelihood([each - centre], width)
        for each in mu
    ]
    assert np.subtract(log, log[2]) == pytest.approx(-(np.linspace(-2, 2, 5) ** 2) / 2, abs=1e-6)


@given(points, st.floats(0.1, 9), st.floats(0.1, 9))
def test_ridge_is_scikit_learns(rows, sigma, width):
    from sklearn.linear_model import Ridge

    x, y = np.array(rows).T
    other = Ridge(alpha=(sigma / width) ** 2).fit(x[:, None], y)
    assert ridge_line(x, y, sigma, width) == pytest.approx((other.intercept_, other.coef_[0]), rel=1e-6, abs=1e-6)


@given(st.lists(st.tuples(st.integers(0, 1), probability), min_size=1, max_size=8))
def test_cross_entropy_is_scikit_learns_log_loss(said):
    from sklearn.metrics import log_loss

    outcomes, predicted = np.array(said).T
    wanted = log_loss(outcomes, predicted, labels=[0, 1], normalize=False)
    assert cross_entropy(outcomes, predicted, base=math.e) == pytest.approx(wanted)
    share = outcomes.mean()
    for other in (0.1, 0.5, 0.9):  # of one forecast for all, the share is the best
        assert cross_entropy(outcomes, [share] * len(said)) <= cross_entropy(outcomes, [other] * len(said)) + 1e-9


def test_forecasters_of_the_lesson():
    rain = [1, 1, 0, 1, 0]
    assert cross_entropy(rain, [0.9, 0.8, 0.3, 0.7, 0.2]) == pytest.approx(1.825, abs=5e-4)
    assert cross_entropy(rain, [1, 1, 0, 1, 1]) == math.inf


def test_scores_of_polynomials_are_those_of_one_at_a_time():
    points, fresh = curve_sample(0)
    scores = polynomial_scores(*points, range(10), *fresh)
    residuals = points[1] - polynomial_values(*points, 3, points[0])
    assert scores["SSE"][3] == pytest.approx(residuals @ residuals) and scores["total"].argmin() == 3
    assert scores["held out"][3] == held_out_error(*points, 3, *fresh)


def test_heights_of_children_and_parents():
    table = bl.data.load_galton_families()
    x, y = table["midparent"], table["height"]
    assert fit_line(x, y) == pytest.approx((19.92, 0.713), abs=5e-3)
    assert fit_line(y, x) == pytest.approx((45.21, 0.347), abs=5e-3)
    assert fit_line(x, y)[1] * fit_line(y, x)[1] == pytest.approx(np.corrcoef(x, y)[0, 1] ** 2)


def test_cancer_patient_in_bits_is_the_map_decision_of_section_01():
    prior, positive = {"cancer": 0.008, "no cancer": 0.992}, {"cancer": 0.98, "no cancer": 0.03}
    total = description_length(prior, positive)
    assert [code_length(p) for p in (0.008, 0.98, 0.992, 0.03)] == pytest.approx([6.966, 0.029, 0.012, 5.059], abs=5e-4)
    assert total == pytest.approx({"cancer": 6.995, "no cancer": 5.070}, abs=6e-4)
    after = bl.posterior(prior, positive)
    assert 2 ** (total["cancer"] - total["no cancer"]) == pytest.approx(after["no cancer"] / after["cancer"])
    assert total["cancer"] - total["no cancer"] == pytest.approx(1.924, abs=5e-4)


@given(st.lists(st.tuples(probability, probability), min_size=2, max_size=6), st.sampled_from([2, math.e, 10]))
def test_shortest_message_names_the_map_hypothesis_in_every_base(rows, base):
    weights, likelihood = np.array(rows).T
    prior = weights / weights.sum()
    lengths = description_length(prior, likelihood, base)
    assert bl.posterior(prior, likelihood)[lengths.argmin()] == pytest.approx(bl.posterior(prior, likelihood).max())
    assert lengths * math.log(base) == pytest.approx(-np.log(prior * likelihood))


def test_lengths_come_back_as_the_kind_that_came_in_and_a_prior_may_be_partial():
    assert description_length(1 / 2, 1 / 32) == 6 and description_length(Fraction(1, 64), Fraction(1, 4)) == 8
    assert description_length({"A": 1 / 2, "B": 1 / 64}, {"A": 1 / 32, "B": 1 / 4}) == {"A": 6, "B": 8}
    column = description_length(pd.Series({"A": 0.5}), pd.Series({"A": 0.5}))
    assert isinstance(column, pd.Series) and column["A"] == 2
    assert code_length(1) == 0 and code_length(0) == math.inf and description_length(1, 0) == math.inf


def test_degree_three_has_the_shortest_message_and_the_smallest_held_out_error():
    points, fresh = curve_sample(0)
    parts = np.array([polynomial_description_length(*points, d) for d in range(10)])
    held = [held_out_error(*points, d, *fresh) for d in range(10)]
    assert parts.sum(axis=1)[[1, 3, 5, 9]] == pytest.approx([-6.4, -39.8, -36.2, -29.0], abs=0.05)
    assert parts[3] == pytest.approx([8.6, -48.5], abs=0.06)
    assert parts.sum(axis=1).argmin() == np.argmin(held) == 3
    sse = 20 * 4 ** (parts[:, 1] / 20)
    assert sse[[1, 3, 5, 9]] == pytest.approx([9.485, 0.696, 0.662, 0.600], abs=5e-4) and (np.diff(sse) < 0).all()
    beyond = [polynomial_values(*points, d, [1.2])[0] for d in (3, 9)]
    assert [*beyond, true_curve(1.2)] == pytest.approx([4.69, 0.20, 3.78], abs=6e-3)
    nats = polynomial_description_length(*points, 3, base=math.e)
    assert nats == pytest.approx(parts[3] * math.log(2))


def test_over_200_samples_degree_three_wins_153_times_and_seeds_3_and_6_pick_nine():
    chosen = []
    for seed in range(200):
        points, _ = curve_sample(seed)
        chosen.append(np.argmin([sum(polynomial_description_length(*points, d)) for d in range(10)]))
    assert chosen.count(3) == 153 and chosen[3] == chosen[6] == 9


def test_description_length_chooses_as_leaving_one_out_does_on_the_first_sample():
    (x, y), _ = curve_sample(0)
    errors = []
    for d in range(10):
        model = make_pipeline(PolynomialFeatures(d), LinearRegression())
        errors.append(
            sum(
                (y[out] - model.fit(x[kept, None], y[kept]).predict(x[out, None]))[0] ** 2
                for kept, out in LeaveOneOut().split(x)
            )
        )
        assert polynomial_values(x, y, d, x) == pytest.approx(model.fit(x[:, None], y).predict(x[:, None]))
    assert np.argmin(errors) == 3


def test_polynomials_far_from_zero_are_fitted_as_well_as_near_it():
    (x, y), _ = curve_sample(1)
    far = 2000 + 5 * x
    assert polynomial_values(far, y, 9, far) == pytest.approx(polynomial_values(x, y, 9, x))
    assert polynomial_values([3, 3], [1, 2], 0, [7]) == pytest.approx([1.5])


def test_samples_are_the_same_for_the_same_seed_and_fresh_points_are_others():
    (x, y), (x_new, y_new) = curve_sample(5)
    assert (curve_sample(5)[0][1] == y).all() and not (curve_sample(6)[0][1] == y).any()
    assert x.size == 20 and x_new.size == y_new.size == 200 and not set(x) & set(x_new)


def test_three_heads_give_three_predictions():
    assert coin_posterior(COINS, PRIOR, 3, 0) == pytest.approx([0.011, 0.696, 0.293], abs=5e-4)
    assert coin_predictions(COINS, PRIOR, 3, 0) == pytest.approx({"MLE": 0.75, "MAP": 0.5, "BMA": 0.571}, abs=6e-4)
    five, six = (coin_predictions(COINS, PRIOR, heads, 0) for heads in (5, 6))
    assert (five["MAP"], six["MAP"]) == (0.5, 0.75)
    assert (five["BMA"], six["BMA"]) == pytest.approx((0.621, 0.647), abs=5e-4)


def test_ties_are_none_and_a_flat_prior_makes_map_the_mle():
    assert coin_predictions(COINS, PRIOR, 0, 0) == {"MLE": None, "MAP": 0.5, "BMA": pytest.approx(0.5)}
    assert coin_predictions([0.25, 0.75], [0.5, 0.5], 1, 1)["MLE"] is None
    for heads in range(1, 9):
        said = coin_predictions(COINS, [1 / 3] * 3, heads, 2)
        assert said["MLE"] == said["MAP"]


@given(st.integers(0, 30), st.integers(0, 30))
def test_coin_posterior_is_bayes_theorem_and_the_average_lies_between(heads, tails):
    likelihood = [c**heads * (1 - c) ** tails for c in COINS]
    assert coin_posterior(COINS, PRIOR, heads, tails) == pytest.approx(bl.posterior(PRIOR, likelihood))
    assert 0.25 < coin_predictions(COINS, PRIOR, heads, tails)["BMA"] < 0.75


def test_many_tosses_do_not_underflow():
    assert coin_posterior(COINS, PRIOR, 50_000, 50_000) == pytest.approx([0, 1, 0])


@pytest.mark.parametrize("heads, tails", [(0, 0), (7, 3), (3, 0), (0, 2)])
def test_both_densities_of_one_belief_have_area_one_and_their_own_peaks(heads, tails):
    log_odds = np.linspace(-25, 25, 50_001)
    theta = 1 / (1 + np.exp(-log_odds))
    assert np.trapezoid(coin_density(theta, heads, tails, "log-odds"), log_odds) == pytest.approx(1, abs=1e-6)
    assert np.trapezoid(coin_density(theta, heads, tails), theta) == pytest.approx(1, abs=1e-6)
    peak = theta[coin_density(theta, heads, tails, "log-odds").argmax()]
    assert peak == pytest.approx((heads + 1) / (heads + tails + 2), abs=1e-3)


NAN = float("nan")


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: gaussian_ml([]), "data must be one row of at least one number, got shape (0,)"),
        (lambda: gaussian_ml([[1, 2]]), "data must be one row of at least one number, got shape (1, 2)"),
        (lambda: gaussian_ml([1, NAN]), "data[1] must be a finite number, got nan"),
        (lambda: gaussian_ml(["a"]), "data must be a row of numbers, got ['a']"),
        (lambda: gaussian_log_likelihood([1], 0), "sigma must be a number above 0, got 0"),
        (lambda: gaussian_log_likelihood([1], -1), "sigma must be a number above 0, got -1"),
        (lambda: gaussian_log_likelihood([1], NAN), "sigma must be a number above 0, got nan"),
        (lambda: gaussian_log_likelihood([1], "x"), "sigma must be a number above 0, got 'x'"),
        (lambda: gaussian_log_likelihood([math.inf], 1), "residuals[0] must be a finite number, got inf"),
        (lambda: laplace_log_likelihood([1], 0), "scale must be a number above 0, got 0"),
        (lambda: bernoulli_ml(0, 0), "successes + failures must be at least 1, got 0"),
        (lambda: bernoulli_ml(-1, 2), "successes must be a whole number of at least 0, got -1"),
        (lambda: bernoulli_ml(1, 2.5), "failures must be a whole number of at least 0, got 2.5"),
        (lambda: bernoulli_ml(True, 1), "successes must be a whole number of at least 0, got True"),
        (lambda: bernoulli_log_likelihood(1.2, 1, 1), "theta must be a probability between 0 and 1, got 1.2"),
        (lambda: bernoulli_log_likelihood([0.5, NAN], 1, 1), "theta[1] must be a probability between 0 and 1, got nan"),
        (lambda: power_log_likelihood([1], 1, 3), "power must be a number between 1 and 2, got 3"),
        (lambda: least_power_line(X, Y, 0.5), "power must be a number between 1 and 2, got 0.5"),
        (lambda: weighted_mean([1, 2], [1]), "sigma must have one value for each of data, 2, got 1"),
        (lambda: weighted_mean([1, 2], [1, 0]), "sigma must be numbers above 0, got"),
        (lambda: mean_posterior([], 1, 0, 1), "data must be one row of at least one number"),
        (lambda: mean_posterior([1], 1, 0, 0), "prior_sigma must be a number above 0, got 0"),
        (lambda: ridge_line(X, Y, 1, -1), "prior_sigma must be a number above 0, got -1"),
        (lambda: cross_entropy([1, 2], [0.5, 0.5]), "outcomes must be 0 or 1, got [1.0, 2.0]"),
        (lambda: cross_entropy([1, 0], [0.5]), "predicted must be a row with one probability for each of outcomes, 2"),
        (lambda: polynomial_scores(X, Y, [], X, Y), "degrees must hold at least one degree, got none"),
        (lambda: fit_line([1, 2], [1]), "y must have one value per x, 2, got 1"),
        (lambda: fit_line([1, 1], [1, 2]), "x must hold more different values than the degree, 1, got 1"),
        (lambda: fit_line([1, NAN], [1, 2]), "x[1] must be a finite number, got nan"),
        (lambda: least_absolute_line([], []), "x must be one row of at least one number"),
        (
            lambda: least_absolute_line([2, 2, 2], [1, 2, 3]),
            "x must hold more different values than the degree, 1, got 1",
        ),
        (lambda: code_length(1.5), "probability must be a probability between 0 and 1, got 1.5"),
        (lambda: code_length(0.5, base=1), "base must be a number above 1, such as 2 for bits, got 1"),
        (lambda: code_length(0.5, base=NAN), "base must be a number above 1, such as 2 for bits, got nan"),
        (lambda: description_length(-0.1, 0.5), "prior must be a probability between 0 and 1, got -0.1"),
        (lambda: description_length(0.1, 2), "likelihood must be a probability between 0 and 1, got 2"),
        (lambda: description_length([0.9, 0.9], [1, 1]), "prior must sum to at most 1, got 1.8"),
        (
            lambda: description_length({"a": 1}, {"b": 1}),
            "likelihood must have the hypotheses of prior, {'a'}, got {'b'}",
        ),
        (lambda: description_length({"a": 1}, [1]), "both be mappings or both be arrays"),
        (lambda: polynomial_description_length(X, Y, -1), "degree must be a whole number of at least 0, got -1"),
        (lambda: polynomial_description_length(X, Y, 1.5), "degree must be a whole number of at least 0, got 1.5"),
        (lambda: polynomial_description_length(X, Y, 5), "x must hold more different values than the degree, 5, got 5"),
        (lambda: polynomial_description_length(X, Y, 4), "y must not lie exactly on a polynomial of degree 4"),
        (lambda: polynomial_description_length(X, X * 0, 0), "y must not lie exactly on a polynomial of degree 0"),
        (lambda: polynomial_description_length(X, Y, 1, base=0), "base must be a number above 1"),
        (lambda: polynomial_values(X, Y, 1, []), "at must be one row of at least one number"),
        (lambda: held_out_error(X, Y, 1, [1, 2], [1]), "y_new must have one value per x_new, 2, got 1"),
        (lambda: held_out_error(X, Y, 1, [NAN], [1]), "x_new[0] must be a finite number, got nan"),
        (lambda: coin_posterior([0.5, 0.6], [1], 1, 0), "chances and prior must be rows of equal length"),
        (lambda: coin_posterior([0.5, 1.6], [0.5, 0.5], 1, 0), "chances[1] must be a probability between 0 and 1"),
        (lambda: coin_posterior([0.5, 0.6], [0.5, 0.6], 1, 0), "prior must sum to 1, got 1.1"),
        (
            lambda: coin_posterior([0, 1], [0.5, 0.5], 1, 1),
            "must be possible for some coin with a prior above 0, got 1 and 1",
        ),
        (lambda: coin_posterior([0, 0.5], [1, 0], 1, 0), "must be possible for some coin with a prior above 0"),
        (lambda: coin_density([0.5], 1, 1, "odds"), "over must be one of {'chance', 'log-odds'}, got 'odds'"),
        (lambda: coin_density([1.5], 1, 1), "theta[0] must be a probability between 0 and 1, got 1.5"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value)


def test_inputs_are_left_alone():
    x, y = np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 2.0])
    fit_line(x, y), least_absolute_line(x, y), polynomial_values(x, y, 1, x), gaussian_ml(y)
    assert x.tolist() == [0, 1, 2] and y.tolist() == [1, 3, 2]
