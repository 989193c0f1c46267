"""Claims about section 06's model: the numbers of the syllabus, scipy and plain counting as oracles, the words of its errors."""

from fractions import Fraction
from math import comb, inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import bayeslib as bl
from bayeslib.models.estimates import (
    best_m,
    beta_density,
    beta_interval,
    beta_mean,
    beta_mode,
    beta_posterior,
    beta_prior,
    dirichlet_mean,
    log_beta_binomial,
    m_estimate,
    smoothing_helps,
    squared_error,
)

shape, share = st.floats(0.1, 60), st.floats(0.01, 0.99)
counted = st.integers(0, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
TENNIS = bl.data.load_play_tennis()
DAYS, PLAY = TENNIS.drop(columns="PlayTennis"), TENNIS["PlayTennis"]
OVERCAST = {"Outlook": "overcast", "Temperature": "cool", "Humidity": "high", "Wind": "strong"}


# The numbers of the syllabus


@pytest.mark.parametrize(
    "m, estimate",
    [(0, 0.6), (1, 0.583), (2, Fraction(4, 7)), (3, 0.5625), (5, 0.55), (10, 0.533), (100, 0.505)],
)
def test_strong_given_no_moves_from_three_fifths_towards_one_half(m, estimate):
    assert m_estimate(3, 5, 0.5, m) == pytest.approx(float(estimate), abs=5e-4)


@pytest.mark.parametrize("m, p_no", [(0, 0), (1, 0.145), (3, 0.256), ("laplace", 0.278), (1e9, 5 / 14)])
def test_an_overcast_day_is_vetoed_without_smoothing_and_only_then(m, p_no):
    assert bl.NaiveBayes(m=m).fit(DAYS, PLAY).predict_proba(OVERCAST)["no"] == pytest.approx(p_no, abs=5e-4)


def test_a_seller_with_4_of_4_loses_to_one_with_95_of_100():
    small, large = m_estimate(4, 4, 0.5, 2), m_estimate(95, 100, 0.5, 2)
    assert (small, large) == (pytest.approx(5 / 6), pytest.approx(96 / 102)) and small < large


def test_three_of_five_under_a_flat_prior_has_mean_four_sevenths_and_mode_three_fifths():
    a, b = beta_posterior(1, 1, 3, 2)
    assert (a, b, beta_mean(a, b), beta_mode(a, b)) == (4, 3, pytest.approx(4 / 7), pytest.approx(0.6))
    assert beta_interval(a, b) == pytest.approx((0.271, 0.847), abs=5e-4)


@pytest.mark.parametrize("successes, n, band", [(3, 5, (0.27, 0.85)), (30, 50, (0.48, 0.70)), (300, 500, (0.56, 0.64))])
def test_the_band_narrows_as_observations_arrive(successes, n, band):
    low, high = beta_interval(*beta_posterior(1, 1, successes, n - successes))
    assert (low, high) == pytest.approx(band, abs=0.006)


@pytest.mark.parametrize(
    "theta, m, error",
    [(0.5, 0, 0.05), (0.5, 2, 0.0255), (0.5, 5, 0.0125), (0.05, 0, 0.0095), (0.05, 1, 0.0122)]
    + [(0.05, 2, 0.0214), (0.05, 5, 0.053)],
)
def test_smoothing_helps_at_one_half_and_hurts_near_zero(theta, m, error):
    assert squared_error(theta, 5, 0.5, m) == pytest.approx(error, abs=5e-5)


def test_with_m_the_root_of_n_the_error_is_the_same_everywhere():
    errors = squared_error(np.linspace(0, 1, 11), 5, 0.5, 5**0.5)
    assert errors == pytest.approx(np.full(11, 0.0239), abs=5e-5)


def test_two_virtual_examples_lose_below_131_per_thousand():
    assert smoothing_helps(5, 0.5, 2) == pytest.approx((0.1307, 0.8693), abs=5e-5)


# Oracles and properties


@given(counted, share, st.floats(0.01, 100))
def test_the_estimate_is_a_weighted_mean_of_fraction_and_prior(counts, p, m):
    n_c, n = counts
    estimate, weight = m_estimate(n_c, n, p, m), n / (n + m)
    assert estimate == pytest.approx(weight * (n_c / n if n else 0) + (1 - weight) * p)
    assert 0 < estimate < 1


@given(counted, share, st.floats(0.1, 100))
def test_the_estimate_is_the_mean_of_the_beta_posterior(counts, p, m):
    n_c, n = counts
    assert m_estimate(n_c, n, p, m) == pytest.approx(beta_mean(*beta_posterior(*beta_prior(p, m), n_c, n - n_c)))


@given(counted)
def test_the_flat_priors_mode_is_the_plain_fraction(counts):
    n_c, n = counts
    if n:
        assert beta_mode(*beta_posterior(1, 1, n_c, n - n_c)) == pytest.approx(n_c / n)


@given(shape, shape, st.floats(0.001, 0.999), st.floats(0, 1))
def test_scipy_agrees_about_the_beta_distribution(a, b, theta, level):
    beta = stats.beta(a, b)
    assert beta_density(theta, a, b) == pytest.approx(beta.pdf(theta), rel=1e-8)
    assert beta_mean(a, b) == pytest.approx(beta.mean())
    low, high = beta_interval(a, b, level)
    assert (low, high) == pytest.approx(beta.interval(level), abs=1e-6)


@given(st.floats(0.2, 30), st.floats(0.2, 30))
def test_the_mode_is_where_the_density_is_highest(a, b):
    if a == b == 1 or max(a, b) < 1:
        with pytest.raises(ValueError, match="a and b must give a single peak"):
            beta_mode(a, b)
        return
    mode, inside = np.clip(beta_mode(a, b), 1e-9, 1 - 1e-9), np.linspace(0.001, 0.999, 301)
    assert beta_density(mode, a, b) >= beta_density(inside, a, b).max() * (1 - 1e-9)


def test_the_density_survives_many_observations_and_both_ends():
    assert beta_density(0.6, 3001, 2001) == pytest.approx(stats.beta.pdf(0.6, 3001, 2001))
    assert beta_density([0, 1], 1, 2).tolist() == [2, 0] and beta_density(0, 0.5, 1) == inf


@given(st.lists(st.integers(0, 30), min_size=2, max_size=6), st.floats(0.1, 50))
def test_dirichlet_piles_are_m_estimates_that_sum_to_one(counts, m):
    k = len(counts)
    piles = dirichlet_mean(counts, m / k)
    assert piles == pytest.approx([m_estimate(n_c, sum(counts), 1 / k, m) for n_c in counts])
    assert piles.sum() == pytest.approx(1) and (piles > 0).all()


def test_add_one_is_m_equal_to_k():
    assert dirichlet_mean([3, 0, 2], 1) == pytest.approx(m_estimate(np.array([3, 0, 2]), 5, 1 / 3, 3))
    assert dirichlet_mean([3, 0, 2], [1, 0, 1]) == pytest.approx([4 / 7, 0, 3 / 7])


@given(st.floats(0, 1), st.integers(0, 12), st.floats(0, 1), st.floats(0.1, 20))
def test_the_squared_error_is_the_average_over_every_sample(theta, n, p, m):
    chances = [comb(n, k) * theta**k * (1 - theta) ** (n - k) for k in range(n + 1)]
    by_hand = sum(chance * (m_estimate(k, n, p, m) - theta) ** 2 for k, chance in enumerate(chances))
    assert squared_error(theta, n, p, m) == pytest.approx(by_hand, abs=1e-12)


@given(st.integers(1, 60), st.floats(0, 1), st.floats(0.1, 30), st.floats(0, 1))
def test_smoothing_helps_between_its_two_ends_and_hurts_outside(n, p, m, theta):
    low, high = smoothing_helps(n, p, m)
    assert -1e-9 <= low <= p + 1e-9 and p - 1e-9 <= high <= 1 + 1e-9
    if min(abs(theta - low), abs(theta - high)) > 1e-6:
        assert (squared_error(theta, n, p, m) < squared_error(theta, n, p, 0)) == (low < theta < high)


# Bad input is named


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((3, 5, 0.5, -1), "m must be a number at least 0, got -1"),
        ((3, 5, -0.1, 1), "p must be a number between 0 and 1, got -0.1"),
        ((3, 5, 1.1, 1), "p must be a number between 0 and 1, got 1.1"),
        ((6, 5, 0.5, 1), "n_c must be at most n, got n_c = 6 of n = 5"),
        (([1, 6], 5, 0.5, 1), "n_c must be at most n"),
        ((0, 0, 0.5, 0), r"n \+ m must be above 0"),
        ((-1, 5, 0.5, 1), "n_c must be a number at least 0, got -1"),
        ((0, -5, 0.5, 1), "n must be a number at least 0, got -5"),
        ((nan, 5, 0.5, 1), "n_c must be a number at least 0, got nan"),
        ((3, inf, 0.5, 1), "n must be a number at least 0, got inf"),
        ((3, 5, nan, 1), "p must be a number between 0 and 1, got nan"),
        ((3, 5, 0.5, nan), "m must be a number at least 0, got nan"),
        (("3", 5, 0.5, 1), "n_c must be a number at least 0, got '3'"),
    ],
)
def test_bad_counts_are_named(arguments, words):
    with pytest.raises(ValueError, match=words):
        m_estimate(*arguments)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: beta_prior(1.5, 2), "p must be a probability between 0 and 1, got 1.5"),
        (lambda: beta_prior(0.5, -2), "m must be a number at least 0, got -2"),
        (lambda: beta_prior(0.5, 0), "m must be above 0 and p above 0 and below 1 for a Beta distribution, got m = 0"),
        (
            lambda: beta_prior(1, 2),
            "m must be above 0 and p above 0 and below 1 for a Beta distribution, got m = 2, p = 1",
        ),
        (lambda: beta_posterior(1, 1, -1, 0), "successes must be a number at least 0, got -1"),
        (lambda: beta_posterior(1, 1, 0, nan), "failures must be a number at least 0, got nan"),
        (lambda: beta_mean(0, 1), "a must be one number above 0"),
        (lambda: beta_mean(1, [1, 2]), "b must be one number above 0"),
        (lambda: beta_mode(1, nan), "b must be a number at least 0, got nan"),
        (lambda: beta_mode(1, 1), r"single peak, got Beta\(1, 1\), which is flat"),
        (lambda: beta_mode(0.5, 0.5), r"single peak, got Beta\(0.5, 0.5\), which is highest at both ends"),
        (lambda: beta_interval(2, 2, 1.2), "level must be a probability between 0 and 1, got 1.2"),
        (lambda: beta_density(1.5, 2, 2), "theta must be a number between 0 and 1, got 1.5"),
        (lambda: dirichlet_mean([3, -1], 1), "counts must be a number at least 0, got .*-1"),
        (lambda: dirichlet_mean([3, nan], 1), "counts must be a number at least 0, got .*nan"),
        (lambda: dirichlet_mean([3, 1], -1), "alpha must be a number at least 0, got -1"),
        (lambda: dirichlet_mean([3, 1], [1, 1, 1]), r"alpha must be one number or one per count, 2, got shape \(3,\)"),
        (lambda: dirichlet_mean([[3, 1]], 1), r"counts must be one row of counts, one per value, got shape \(1, 2\)"),
        (lambda: dirichlet_mean([], 1), r"counts must be one row of counts, one per value, got shape \(0,\)"),
        (lambda: dirichlet_mean([0, 0], 0), r"counts \+ alpha must be above 0 somewhere"),
        (lambda: squared_error(2, 5, 0.5, 1), "theta must be a number between 0 and 1, got 2"),
        (lambda: squared_error(0.5, 0, 0.5, 0), r"n \+ m must be above 0"),
        (lambda: squared_error(0.5, -1, 0.5, 0), "n must be a number at least 0, got -1"),
        (lambda: squared_error(0.5, 1, 0.5, nan), "m must be a number at least 0, got nan"),
        (lambda: smoothing_helps(0, 0.5, 1), "n and m must be above 0 to compare the two estimates, got n = 0, m = 1"),
        (lambda: smoothing_helps(5, 0.5, 0), "n and m must be above 0"),
        (lambda: smoothing_helps(5, nan, 1), "p must be a probability between 0 and 1, got nan"),
    ],
)
def test_bad_arguments_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@given(share, share)
def test_the_best_m_has_the_smallest_error_whatever_n_is(theta, p):
    if abs(p - theta) < 0.01:
        return
    best = best_m(theta, p)
    for n in (1, 5, 60):
        least = squared_error(theta, n, p, best)
        assert all(
            least <= squared_error(theta, n, p, each) + 1e-12
            for each in (0, best / 2, 0.99 * best, 1.01 * best, 3 * best)
        )


def test_a_quarter_of_an_example_helps_even_a_rare_event():
    assert best_m(0.05, 0.5) == pytest.approx(0.0475 / 0.2025)
    least = squared_error(0.05, 5, 0.5, best_m(0.05, 0.5))
    assert least == pytest.approx(0.00907, abs=5e-6) and least < squared_error(0.05, 5, 0.5, 0)
    with pytest.raises(ValueError, match="theta and p must differ"):
        best_m(0.3, 0.3)


@given(st.integers(1, 40), share, st.floats(0.1, 500))
def test_the_beta_binomial_is_scipys_and_sums_to_1(n, p, m):
    logs = log_beta_binomial(np.arange(n + 1), n, p, m)
    assert logs == pytest.approx(stats.betabinom.logpmf(np.arange(n + 1), n, m * p, m * (1 - p)), abs=1e-8)
    assert np.exp(logs).sum() == pytest.approx(1, abs=1e-8)


def test_the_beta_binomial_of_a_large_m_is_the_binomial_and_refuses_what_it_cannot_do():
    assert log_beta_binomial(18, 45, 0.265, 1e8) == pytest.approx(stats.binom.logpmf(18, 45, 0.265), abs=1e-5)
    assert log_beta_binomial(0, 0, 0.3, 2) == pytest.approx(0, abs=1e-12)
    for wrong in ((3, 2, 0.5, 1), (1, 2, 0.5, 0), (1, 2, 0, 1), (1, 2, 0.5, 1e10)):
        with pytest.raises(ValueError):
            log_beta_binomial(*wrong)
