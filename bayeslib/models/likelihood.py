"""Maximum likelihood, least squares and description length (section 03).

    h_ML = argmax_h P(D|h),    length of h and D = −log P(h) − log P(D|h)

Log-likelihoods are natural logarithms. Code lengths take a `base`: 2 for bits, e for nats.
"""

import math
from itertools import combinations
from numbers import Real

import numpy as np

from bayeslib.models._checks import (
    LARGEST,
    TOLERANCE,
    as_number,
    as_probabilities,
    exact_log,
    generator,
    is_mapping,
    like,
    number_row,
    one_number,
    one_probability,
    positive,
    same_keys,
    sequence,
    short,
    whole_number,
)


def bernoulli_ml(successes, failures):
    """θ_ML = n_c / n, the share of successes (section 03).

    >>> bernoulli_ml(3, 1)
    0.75
    """
    successes, failures = _counts(successes, failures)
    if successes + failures == 0:
        raise ValueError("successes + failures must be at least 1, got 0: without data every chance is as likely")
    return successes / (successes + failures)


def bernoulli_log_likelihood(theta, successes, failures):
    """ln θ^s (1 − θ)^f for one chance θ or an array of them, the order of the results known (section 03).

    >>> round(bernoulli_log_likelihood(0.5, 3, 1), 4)
    -2.7726
    """
    from scipy.special import xlog1py, xlogy

    successes, failures = _counts(successes, failures)
    theta = as_number(theta, "theta", low=0, high=1)
    total = xlogy(successes, theta) + xlog1py(failures, -theta)  # 0 log 0 = 0
    return float(total) if np.ndim(total) == 0 else total


def gaussian_ml(data):
    """μ_ML and σ²_ML = Σ (x − μ_ML)² / n, the most likely mean and variance of Gaussian data (section 03).

    >>> gaussian_ml([1, 2, 3, 6])
    (3.0, 3.5)
    """
    data = number_row(data, "data")
    return float(data.mean()), float(((data - data.mean()) ** 2).mean())


def gaussian_log_likelihood(residuals, sigma):
    """−(n/2) ln 2πσ² − Σ r² / 2σ², the log-likelihood of Gaussian errors (section 03).

    >>> round(gaussian_log_likelihood([1, -1], sigma=1), 4)
    -2.8379
    """
    residuals, sigma = number_row(residuals, "residuals"), positive(sigma, "sigma")
    with np.errstate(over="ignore"):  # −∞ where it is beyond any float
        log_density = -math.log(2 * math.pi) / 2 - math.log(sigma) - (residuals / sigma) ** 2 / 2
    return float(log_density.sum())


def weighted_mean(data, sigma):
    """Σ x/σ² / Σ 1/σ² and its own σ, (Σ 1/σ²)^−½: the most likely μ if each number has its own noise (section 03).

    >>> weighted_mean([4, 7], sigma=[1, 0.5])[0]
    6.4
    """
    data, sigma = number_row(data, "data"), number_row(sigma, "sigma", 1 / LARGEST, LARGEST)
    if sigma.shape != data.shape:
        raise ValueError(f"sigma must have one value for each of data, {data.size}, got {sigma.size}")
    least = sigma.min()
    weights = (least / sigma) ** 2  # the smallest σ as the unit, so that no weight overflows
    return float(weights @ data / weights.sum()), float(least / math.sqrt(weights.sum()))


def mean_posterior(data, sigma, prior_mean, prior_sigma):
    """Mean and σ of the posterior of μ after `data`, with the prior μ ~ N(prior_mean, prior_sigma²) (section 03).

    The prior counts as one more measurement with its own noise.

    >>> mean, spread = mean_posterior([2, 4, 4, 5, 10], sigma=2, prior_mean=8, prior_sigma=1)
    >>> round(mean, 3), round(spread, 3)
    (6.333, 0.667)
    """
    data, sigma = number_row(data, "data"), positive(sigma, "sigma")
    prior_mean = one_number(prior_mean, "prior_mean", -LARGEST, LARGEST)
    prior_sigma = positive(one_number(prior_sigma, "prior_sigma", high=LARGEST), "prior_sigma")
    return weighted_mean([*data, prior_mean], [*[sigma] * data.size, prior_sigma])


def fit_line(x, y):
    """Intercept and slope with the least Σ r², the most likely line under Gaussian errors (section 03).

    >>> fit_line([0, 1, 2], [1, 3, 5])
    (1.0, 2.0)
    """
    x, y = _points(x, y)
    across = x - x.mean()
    slope = (across * (y - y.mean())).sum() / (across**2).sum()
    return float(y.mean() - slope * x.mean()), float(slope)


def least_absolute_line(x, y):
    """Intercept and slope of a line with the least Σ |r|, the most likely one under Laplace errors (section 03).

    One of the best lines passes through two of the points, so it is enough to try every pair. Of equally good lines the
    one through the earliest pair is returned.

    >>> least_absolute_line([0, 1, 2, 3], [0, 1, 2, 9])
    (0.0, 1.0)
    """
    x, y = _points(x, y)
    lines = []
    for i, j in combinations(range(x.size), 2):
        if x[i] != x[j]:
            slope = (y[j] - y[i]) / (x[j] - x[i])
            intercept = y[i] - slope * x[i]
            lines.append((np.abs(y - intercept - slope * x).sum(), intercept, slope))
    least = min(error for error, *_ in lines)
    _, intercept, slope = next(line for line in lines if line[0] <= least * (1 + 1e-9))
    return float(intercept), float(slope)


def least_power_line(x, y, power):
    """Intercept and slope of the line with the least Σ |r|^q, the most likely one for noise between Laplace and Gaussian
    (section 03).

    For 33 slopes at once the best intercept is found by bisection; then 33 slopes around the best of them, and so on.

    >>> [round(part, 3) for part in least_power_line([0, 1, 2, 3, 4], [1, 3, 10, 5, 4], power=1.5)]
    [2.161, 0.921]
    """
    q = one_number(power, "power", low=1, high=2)
    if q in (1, 2):
        return least_absolute_line(x, y) if q == 1 else fit_line(x, y)
    x, y = _points(x, y)
    pairs = [(i, j) for i, j in combinations(range(x.size), 2) if x[i] != x[j]]
    slopes = [(y[j] - y[i]) / (x[j] - x[i]) for i, j in pairs]
    low, high = min(slopes), max(slopes)
    for _ in range(9):
        slopes = np.linspace(low, high, 33)
        offsets = y - slopes[:, None] * x
        below, above = offsets.min(axis=1), offsets.max(axis=1)
        for _ in range(60):
            intercepts = (below + above) / 2
            r = offsets - intercepts[:, None]
            up = (np.abs(r) ** (q - 1) * np.sign(r)).sum(axis=1) > 0  # the points pull the line up
            below, above = np.where(up, intercepts, below), np.where(up, above, intercepts)
        best = int((np.abs(r) ** q).sum(axis=1).argmin())
        low, high = slopes[max(best - 1, 0)], slopes[min(best + 1, 32)]
    return float(intercepts[best]), float(slopes[best])


def code_length(probability, base=2):
    """−log P, the length of the message for an event of this probability, in units of `base` (section 03).

    >>> code_length(0.125)
    3.0
    """
    probability, base = one_probability(probability, "probability"), _base(base)
    return abs(exact_log(probability) / math.log(base))


def description_length(prior, likelihood, base=2):
    """−log P(h) − log P(D|h): first the hypothesis, then the data with its help (section 03).

    For one hypothesis two numbers; for several, mappings. The priors may leave some hypotheses out, so they sum to at most 1.
    The shortest message names the MAP hypothesis.

    >>> description_length(0.25, 0.5)
    3.0
    """
    if not is_mapping(prior):
        prior, likelihood = one_probability(prior, "prior"), one_probability(likelihood, "likelihood")
        return code_length(prior, base) + code_length(likelihood, base)
    kind, prior, likelihood = prior, as_probabilities(prior, "prior"), as_probabilities(likelihood, "likelihood")
    same_keys(prior, likelihood)
    total = sum(prior.values())
    if total > 1 + TOLERANCE:
        raise ValueError(f"prior must sum to at most 1, got {float(total):.6g}")
    return like(kind, {h: description_length(prior[h], likelihood[h], base) for h in prior})


def polynomial_values(x, y, degree, at):
    """The values at `at` of the polynomial of this degree that fits the points with the least Σ r² (section 03).

    >>> polynomial_values([0, 1, 2, 3], [0, 1, 4, 9], degree=2, at=[4]).round(6).tolist()
    [16.0]
    """
    x, y = _points(x, y, degree)
    at = number_row(at, "at")
    middle, half = (x.max() + x.min()) / 2, (x.max() - x.min()) / 2 or 1.0  # powers of numbers near 1 stay tame

    def powers(values):
        return np.vander((values - middle) / half, degree + 1)

    return powers(at) @ np.linalg.lstsq(powers(x), y, rcond=None)[0]


def polynomial_description_length(x, y, degree):
    """Model part ½ (d+1) log n and data part (n/2) log (SSE/n) of a polynomial's message, in bits (section 03).

    Each of the d+1 coefficients is sent as precisely as n points can determine it. Constants that are the same for every
    degree are dropped, so a part may be negative: only differences between degrees mean anything.

    >>> [round(part, 3) for part in polynomial_description_length([0, 1, 2, 3], [0, 1, 1, 2], degree=1)]
    [2.0, -8.644]
    """
    x, y = _points(x, y, degree)
    n = y.size
    sse = ((y - polynomial_values(x, y, degree, x)) ** 2).sum()
    if sse <= 1e-24 * (y**2).sum():
        raise ValueError(
            f"y must not lie exactly on a polynomial of degree {degree}: errors of size 0 have no code length"
        )
    return (degree + 1) / 2 * math.log(n) / math.log(2), float(n / 2 * math.log(sse / n) / math.log(2))


def _held_out_error(x, y, degree, x_new, y_new):
    """Root of the mean squared error on points that the fit has not seen."""
    y_new, predicted = number_row(y_new, "y_new"), polynomial_values(x, y, degree, number_row(x_new, "x_new"))
    if predicted.shape != y_new.shape:
        raise ValueError(f"y_new must have one value per x_new, {predicted.size}, got {y_new.size}")
    return float(np.sqrt(((y_new - predicted) ** 2).mean()))


def polynomial_scores(x, y, degrees, x_new, y_new):
    """For polynomials of these degrees: squared error, bits for the model and for the data, error on new points
    (section 03).

    >>> scores = polynomial_scores([0, 1, 2, 3], [0, 1, 1, 2], [0, 1], x_new=[4], y_new=[3])
    >>> {name: score.round(3).tolist() for name, score in scores.items()}
    {'SSE': [2.0, 0.2], 'model': [1.0, 2.0], 'data': [-2.0, -8.644], 'total': [-1.0, -6.644], 'held out': [2.0, 0.5]}
    """
    degrees = [whole_number(d, "degrees", 0) for d in sequence(degrees, "degrees")]
    if not degrees:
        raise ValueError("degrees must hold at least one degree, got none")
    model, data = np.array([polynomial_description_length(x, y, d) for d in degrees]).T
    n = np.size(y)
    return {
        "SSE": n * 2 ** (2 * data / n),
        "model": model,
        "data": data,
        "total": model + data,
        "held out": np.array([_held_out_error(x, y, d, x_new, y_new) for d in degrees]),
    }


def curve_sample(random_state):
    """Two samples of y = 1 − 2x + 3x³ + noise of σ 0.3: 20 points to learn from, 200 to test on (section 03).

    >>> (x, y), (x_new, y_new) = curve_sample(random_state=0)
    >>> len(x), len(x_new)
    (20, 200)
    """
    random = generator(random_state)
    x = np.linspace(-1, 1, 20)
    y = true_curve(x) + random.normal(0, 0.3, 20)
    x_new = random.uniform(-1, 1, 200)
    return (x, y), (x_new, true_curve(x_new) + random.normal(0, 0.3, 200))


def true_curve(x):
    """1 − 2x + 3x³, the curve behind `curve_sample` (section 03).

    >>> true_curve(1.0)
    2.0
    """
    return 1 - 2 * x + 3 * x**3


def _points(x, y, degree=1):
    """x and y as rows of equal length with enough different x for a polynomial of this degree."""
    x, y = number_row(x, "x"), number_row(y, "y")
    if x.shape != y.shape:
        raise ValueError(f"y must have one value per x, {x.size}, got {y.size}")
    whole_number(degree, "degree", 0)
    if np.unique(x).size <= degree:
        raise ValueError(f"x must hold more different values than the degree, {degree}, got {np.unique(x).size}")
    return x, y


def _base(base):
    if not isinstance(base, Real) or not 1 < base <= LARGEST:
        raise ValueError(f"base must be a number above 1, such as 2 for bits, got {short(base)}")
    return float(base)


def _counts(successes, failures, names=("successes", "failures")):
    return whole_number(successes, names[0], 0), whole_number(failures, names[1], 0)
