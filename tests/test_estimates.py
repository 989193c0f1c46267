"""Claims about section 06's model: the numbers of the syllabus, with scipy and plain counting as oracles."""

from math import comb

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from bayeslib.models.estimates import (
    best_m,
    beta_density,
    beta_interval,
    beta_mean,
    beta_mode,
    beta_posterior,
    log_beta_binomial,
    m_estimate,
    smoothing_helps,
    squared_error,
)

shape, share = st.floats(0.2, 60), st.floats(0.01, 0.99)
counted = st.integers(0, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize("m, estimate", [(0, 0.6), (1, 0.583), (2, 4 / 7), (3, 0.5625), (10, 0.533), (100, 0.505)])
def test_strong_given_no_moves_from_three_fifths_towards_one_half(m, estimate):
    assert m_estimate(3, 5, 0.5, m) == pytest.approx(estimate, abs=5e-4)


@given(counted, share, st.floats(0.1, 100))
def test_the_m_estimate_is_the_mean_of_the_beta_posterior(counts, p, m):
    n_c, n = counts
    assert m_estimate(n_c, n, p, m) == pytest.approx(beta_mean(*beta_posterior(m * p, m * (1 - p), n_c, n - n_c)))


@given(shape, shape, st.floats(0.001, 0.999), st.floats(0, 1))
def test_scipy_agrees_about_the_beta_distribution(a, b, theta, level):
    beta = stats.beta(a, b)
    assert beta_density(theta, a, b) == pytest.approx(beta.pdf(theta), rel=1e-8)
    assert beta_mean(a, b) == pytest.approx(beta.mean())
    assert beta_interval(a, b, level) == pytest.approx(beta.interval(level), abs=1e-6)
    assume(max(a, b) > 1)
    mode, inside = np.clip(beta_mode(a, b), 1e-9, 1 - 1e-9), np.linspace(0.001, 0.999, 301)
    assert beta_density(mode, a, b) >= beta_density(inside, a, b).max() * (1 - 1e-9)


@pytest.mark.parametrize("a, b", [(1, 1), (0.5, 0.5)])
def test_a_flat_density_has_no_mode_and_no_density_is_beyond_1(a, b):
    with pytest.raises(ValueError, match="theta must"):
        beta_density(1.5, a, b)
    with pytest.raises(ValueError, match="a and b must"):
        beta_mode(a, b)


@pytest.mark.parametrize("successes, n, band", [(3, 5, (0.27, 0.85)), (30, 50, (0.48, 0.70)), (300, 500, (0.56, 0.64))])
def test_the_band_narrows_as_observations_arrive(successes, n, band):
    assert beta_interval(*beta_posterior(1, 1, successes, n - successes)) == pytest.approx(band, abs=0.006)


@given(st.floats(0, 1), st.integers(0, 12), st.floats(0, 1), st.floats(0.1, 20))
def test_the_squared_error_is_the_average_over_every_sample(theta, n, p, m):
    chances = [comb(n, k) * theta**k * (1 - theta) ** (n - k) for k in range(n + 1)]
    by_hand = sum(chance * (m_estimate(k, n, p, m) - theta) ** 2 for k, chance in enumerate(chances))
    assert squared_error(theta, n, p, m) == pytest.approx(by_hand, abs=1e-12)


@given(st.integers(1, 60), st.floats(0, 1), st.floats(0.1, 30), st.floats(0, 1))
def test_smoothing_helps_between_its_two_ends_and_hurts_outside(n, p, m, theta):
    low, high = smoothing_helps(n, p, m)
    assert -1e-9 <= low <= p + 1e-9 and p - 1e-9 <= high <= 1 + 1e-9
    assume(min(abs(theta - low), abs(theta - high)) > 1e-6)
    assert (squared_error(theta, n, p, m) < squared_error(theta, n, p, 0)) == (low < theta < high)


@given(share, share, st.sampled_from([1, 5, 60]))
def test_the_best_m_has_the_smallest_error_whatever_n_is(theta, p, n):
    assume(abs(p - theta) >= 0.01)
    best = best_m(theta, p)
    errors = squared_error(theta, n, p, best * np.array([1, 0, 0.5, 0.99, 1.01, 3]))
    assert errors[0] <= errors.min() + 1e-12


@given(st.integers(0, 40), share, st.floats(0.1, 500))
def test_the_beta_binomial_is_scipys(n, p, m):
    logs = log_beta_binomial(np.arange(n + 1), n, p, m)
    assert logs == pytest.approx(stats.betabinom.logpmf(np.arange(n + 1), n, m * p, m * (1 - p)), abs=1e-8)


@pytest.mark.parametrize(
    "arguments", [(6, 5, 0.5, 1), ([1, 6], 5, 0.5, 1), (0, 0, 0.5, 0), (1, 5, 1.1, 1), (1, 5, 0.5, -1)]
)
def test_counts_that_cannot_be_are_refused(arguments):
    with pytest.raises(ValueError, match="n_c|p|m must"):
        m_estimate(*arguments)
    with pytest.raises(ValueError):
        log_beta_binomial(*arguments)
