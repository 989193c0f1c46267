"""Claims about section 03's model: the numbers of the syllabus, and independent libraries."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm
from sklearn.linear_model import LinearRegression, QuantileRegressor

import bayeslib as bl
from bayeslib.models.likelihood import (
    bernoulli_log_likelihood,
    bernoulli_ml,
    code_length,
    curve_sample,
    description_length,
    fit_line,
    gaussian_log_likelihood,
    gaussian_ml,
    least_absolute_line,
    least_power_line,
    mean_posterior,
    polynomial_description_length,
    polynomial_scores,
    polynomial_values,
    true_curve,
    weighted_mean,
)

X = np.arange(5)
number = st.floats(-100, 100).map(lambda value: round(value, 3))
rows = st.lists(number, min_size=1, max_size=8)
points = st.lists(st.tuples(number, number), min_size=2, max_size=7, unique_by=lambda point: point[0])
probability = st.floats(0.001, 0.999)


@given(st.integers(0, 40), st.integers(0, 40), st.floats(0.001, 0.999))
def test_the_share_of_successes_is_most_likely_and_scipy_agrees_how_likely(successes, failures, theta):
    n = successes + failures
    found = bernoulli_log_likelihood([theta], successes, failures)[0] + math.log(math.comb(n, successes))
    assert found == pytest.approx(binom.logpmf(successes, n, theta), abs=1e-9)
    if n:
        best = bernoulli_log_likelihood(bernoulli_ml(successes, failures), successes, failures)
        assert bernoulli_log_likelihood(theta, successes, failures) <= best + 1e-9


def test_impossible_tosses_have_log_likelihood_minus_infinity_and_no_toss_zero():
    assert bernoulli_log_likelihood([0, 0.5, 1], 1, 0).tolist() == [-math.inf, math.log(0.5), 0]
    assert bernoulli_log_likelihood([0, 1], 0, 0).tolist() == [0, 0] and bernoulli_ml(7, 3) == 0.7


@given(rows, number, st.floats(0.5, 9))
def test_errors_have_the_log_densities_of_scipy_and_no_mean_is_more_likely_than_the_ml_estimate(data, mu, sigma):
    residuals = np.array(data) - mu
    found = gaussian_log_likelihood(residuals, sigma)
    assert found == pytest.approx(norm.logpdf(residuals, scale=sigma).sum())
    assert gaussian_ml(data) == pytest.approx((np.mean(data), np.var(data)))
    assert found <= gaussian_log_likelihood(np.array(data) - gaussian_ml(data)[0], sigma) + 1e-9


@given(points)
def test_a_line_is_that_of_scikit_learn(rows):
    x, y = np.array(rows).T
    other = LinearRegression().fit(x[:, None], y)
    intercept, slope = fit_line(x, y)
    assert intercept + slope * x == pytest.approx(other.predict(x[:, None]), abs=1e-5)


@given(points, number, number, st.sampled_from([1, 1.1, 1.5, 1.9, 2]))
def test_no_line_has_a_smaller_sum_of_powers(rows, a, b, power):
    x, y = np.array(rows).T
    c, d = least_power_line(x, y, power)

    def loss(intercept, slope):
        return (np.abs(y - intercept - slope * x) ** power).sum()

    near = [(c + step, d) for step in (-1e-3, 1e-3)] + [(c, d + step) for step in (-1e-3, 1e-3)]
    least = loss(c, d)
    assert all(least <= loss(*line) + 1e-6 * (1 + least) for line in [(a, b), fit_line(x, y), *near])


@pytest.mark.parametrize("middle, line", [(2, (1, 0.75)), (7, (2, 1)), (10, (2, 1)), (12, (2, 1))])
def test_absolute_line_stops_following_the_lifted_point_and_squares_do_not(middle, line):
    y = np.array([1, 3, middle, 5, 4])
    assert least_absolute_line(X, y) == pytest.approx(line)
    assert fit_line(X, y) == pytest.approx((1.4 + (middle - 2) / 5, 0.8))
    other = QuantileRegressor(alpha=0).fit(X[:, None], y)
    assert np.abs(y - other.predict(X[:, None])).sum() == pytest.approx(np.abs(y - line[0] - line[1] * X).sum())


@given(rows, st.floats(0.5, 9), number, st.floats(0.5, 9))
def test_the_belief_in_a_mean_is_prior_times_likelihood(data, sigma, centre, width):
    mean, spread = mean_posterior(data, sigma, centre, width)
    mu, data = mean + spread * np.linspace(-2, 2, 5), np.array(data)
    log = [gaussian_log_likelihood(data - m, sigma) + gaussian_log_likelihood([m - centre], width) for m in mu]
    assert np.subtract(log, log[2]) == pytest.approx(-(np.linspace(-2, 2, 5) ** 2) / 2, abs=1e-6)
    assert weighted_mean([*data, centre], [*[sigma] * len(data), width]) == (mean, spread)


@given(st.lists(st.tuples(probability, probability), min_size=2, max_size=6), st.sampled_from([2, math.e, 10]))
def test_the_shortest_message_names_the_map_hypothesis_in_every_base(rows, base):
    weights, likelihood = np.array(rows).T
    prior, likelihood = pd.Series(weights / weights.sum()), pd.Series(likelihood)
    lengths, after = description_length(prior, likelihood, base), bl.posterior(prior, likelihood)
    assert after[lengths.idxmin()] == pytest.approx(after.max())
    assert lengths.tolist() == pytest.approx((-np.log(prior * likelihood) / math.log(base)).tolist())


def test_code_lengths_are_exact_and_the_impossible_has_none():
    assert description_length(1 / 2, 1 / 32) == 6 and description_length(Fraction(1, 64), Fraction(1, 4)) == 8
    assert code_length(1) == 0 and code_length(0) == math.inf and description_length(1, 0) == math.inf
    assert description_length({"A": 0.25}, {"A": 0.5}) == {"A": 3}, "other hypotheses may be left out"
    for prior, likelihood in (({"A": 0.9, "B": 0.9}, {"A": 1, "B": 1}), ({"A": 1}, {"B": 1})):
        with pytest.raises(ValueError, match="prior"):
            description_length(prior, likelihood)


def test_degree_three_has_the_shortest_message_and_the_smallest_held_out_error():
    (x, y), fresh = curve_sample(0)
    scores = polynomial_scores(x, y, range(10), *fresh)
    assert scores["total"][[1, 3, 5, 9]] == pytest.approx([-6.4, -39.8, -36.2, -29.0], abs=0.05)
    assert polynomial_description_length(x, y, 3) == pytest.approx((scores["model"][3], scores["data"][3]))
    assert scores["total"].argmin() == scores["held out"].argmin() == 3
    residuals = [np.polynomial.Polynomial.fit(x, y, d)(x) - y for d in range(10)]
    assert scores["SSE"] == pytest.approx([r @ r for r in residuals])
    beyond = [polynomial_values(x, y, d, [1.2])[0] for d in (3, 9)]
    assert [*beyond, true_curve(1.2)] == pytest.approx([4.69, 0.20, 3.78], abs=6e-3)
    far = 2000 + 5 * x
    assert polynomial_values(far, y, 9, far) == pytest.approx(polynomial_values(x, y, 9, x)), "also far from zero"
