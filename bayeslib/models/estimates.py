"""Estimating a probability from counts (section 06).

    P = (n_c + m p) / (n + m)

n_c of n real examples, and m virtual ones of which a share p counts: the m-estimate. With m = 0 it is the plain fraction.
The same number is the mean of a belief about the true probability θ that starts as Beta(mp, m(1 − p)) and gets n_c added to
its first parameter and n − n_c to its second.
"""

from numbers import Real

import numpy as np

from bayeslib.models._checks import HUGE, as_number, one_number, one_probability, short


def m_estimate(n_c, n, p, m):
    """(n_c + m p) / (n + m): the fraction n_c/n, pulled towards p by m virtual examples (section 06).

    Numbers, or arrays that broadcast; p is a probability, m ≥ 0.

    >>> m_estimate(0, 4, p=0.5, m=2), m_estimate(3, 4, p=0.5, m=0)
    (0.16666666666666666, 0.75)
    """
    n_c, n, p, m = _together(n_c=n_c, n=n, p=p, m=m)
    if np.any(np.asarray(n_c) > n):
        raise ValueError(f"n_c must be at most n, got n_c = {n_c} of n = {n}")
    _some(n, m)
    return (n_c + m * p) / (n + m)


def beta_posterior(a, b, successes, failures):
    """Beta(a + successes, b + failures): each observation adds one to its side (section 06).

    >>> beta_posterior(1, 1, successes=3, failures=1)
    (4, 2)
    """
    a, b = _beta(a, b)
    return a + _number(successes, "successes"), b + _number(failures, "failures")


def beta_mean(a, b):
    """a / (a + b), the average of θ: the probability to bet with (section 06).

    >>> beta_mean(4, 4)
    0.5
    """
    a, b = _beta(a, b)
    return a / (a + b)


def beta_mode(a, b):
    """(a − 1) / (a + b − 2), the θ where the density peaks; an end, 0 or 1, where it only climbs towards it (section 06).

    >>> beta_mode(3, 2), beta_mode(1, 2)
    (0.6666666666666666, 0.0)
    """
    a, b = _beta(a, b)
    if a == b == 1 or max(a, b) < 1:
        raise ValueError(
            f"a and b must give a single peak, got Beta({a:g}, {b:g}), which is flat or highest at both ends"
        )
    return 0.0 if a <= 1 and b >= 1 else 1.0 if b <= 1 else (a - 1) / (a + b - 2)


def beta_interval(a, b, level=0.9):
    """The central interval: θ lies in it with probability `level`, and below or above it equally often (section 06).

    >>> [round(end, 3) for end in beta_interval(4, 2)]
    [0.343, 0.924]
    """
    from scipy.special import betaincinv

    a, b = map(float, _beta(a, b))
    tail = (1 - float(one_probability(level, "level"))) / 2
    low, high = float(betaincinv(a, b, tail)), float(betaincinv(a, b, 1 - tail))
    if np.isnan(low) or np.isnan(high):
        raise ValueError(f"a and b must be smaller for an interval that floats can represent, got Beta({a:g}, {b:g})")
    return low, high


def beta_density(theta, a, b):
    """θ^(a−1) (1 − θ)^(b−1) / B(a, b), in logs so that many observations do not underflow (section 06).

    >>> float(beta_density(0.5, 1, 1))
    1.0
    """
    from scipy.special import betaln, xlog1py, xlogy

    a, b = map(float, _beta(a, b))
    theta = as_number(theta, "theta", low=0, high=1)
    return np.exp(xlogy(a - 1, theta) + xlog1py(b - 1, -np.asarray(theta)) - betaln(a, b))


def squared_error(theta, n, p, m):
    """E[(estimate − θ)²] = (n θ(1 − θ) + m² (p − θ)²) / (n + m)²: variance plus squared bias (section 06).

    The mean over all samples of n examples when the true probability is θ.

    >>> squared_error(0.5, n=4, p=0.5, m=0), squared_error(0.5, n=4, p=0.5, m=4)
    (0.0625, 0.015625)
    """
    theta, n, p, m = _together(theta=theta, n=n, p=p, m=m)
    _some(n, m)
    return (n * theta * (1 - theta) + m**2 * (p - theta) ** 2) / (n + m) ** 2


def smoothing_helps(n, p, m):
    """(low, high): the true θ between which m virtual examples lower the squared error of n real ones (section 06).

    The ends solve n m (p − θ)² = (2n + m) θ(1 − θ), where the two errors are equal.

    >>> [round(end, 3) for end in smoothing_helps(n=4, p=0.5, m=2)]
    [0.127, 0.873]
    """
    n, p, m = one_number(n, "n", 0, HUGE), float(one_probability(p, "p")), one_number(m, "m", 0, HUGE)
    if n == 0 or m == 0:
        raise ValueError(f"n and m must be above 0 to compare the two estimates, got n = {n:g}, m = {m:g}")
    square, line = n * m + 2 * n + m, 2 * n * m * p + 2 * n + m
    root = np.sqrt(line**2 - 4 * square * n * m * p**2)
    return float((line - root) / (2 * square)), float((line + root) / (2 * square))


def best_m(theta, p):
    """m* = θ(1 − θ) / (p − θ)², the m with the smallest squared error; it does not depend on n (section 06).

    >>> best_m(0.2, p=0.4)
    4.0
    """
    theta, p = float(one_probability(theta, "theta")), float(one_probability(p, "p"))
    if abs(p - theta) < 1e-12:
        raise ValueError(f"theta and p must differ, got {theta:g} and {p:g}: if they are equal, no m is too large")
    return round(theta * (1 - theta) / (p - theta) ** 2, 12)


def log_beta_binomial(n_c, n, p, m):
    """ln P(n_c | n, p, m) = ln C(n, n_c) + ln B(n_c + mp, n − n_c + m(1 − p)) − ln B(mp, m(1 − p)) (section 06).

    The log-likelihood of p and m for n_c hits of n, if θ is drawn from Beta(mp, m(1 − p)). Numbers, or arrays that broadcast.

    >>> float(np.exp(log_beta_binomial(1, 4, p=0.5, m=2)).round(6))
    0.2
    """
    from scipy.special import betaln

    n_c, n, p, m = map(np.asarray, _together(n_c=n_c, n=n, p=p, m=m))
    if np.any(n_c > n):
        raise ValueError(f"n_c must be at most n, got n_c = {n_c} of n = {n}")
    if np.any(m == 0) or np.any(p * (1 - p) == 0) or max(np.max(m, initial=0), np.max(n, initial=0)) > 1e9:
        raise ValueError("m and n must be at most 1e9, m above 0 and p above 0 and below 1 for a Beta distribution")
    ways = -np.log(n + 1) - betaln(n - n_c + 1, n_c + 1)
    return ways + betaln(n_c + m * p, n - n_c + m * (1 - p)) - betaln(m * p, m * (1 - p))


def _together(**given):
    """Shares (theta, p) and counts, checked to be numbers or arrays that broadcast."""
    checked = {name: as_number(value, name, 0, 1 if name in ("theta", "p") else HUGE) for name, value in given.items()}
    try:
        np.broadcast_shapes(*map(np.shape, checked.values()))
    except ValueError:
        shapes = ", ".join(f"{name}: {np.shape(value)}" for name, value in checked.items() if np.ndim(value))
        raise ValueError(
            f"{', '.join(checked)} must be numbers or arrays whose shapes fit together, got shapes {shapes}"
        ) from None
    return checked.values()


def _some(n, m):
    """Refuse to estimate without any example, real or virtual."""
    if np.any(np.add(n, m) == 0):
        raise ValueError("n + m must be above 0: no real and no virtual example, so there is nothing to estimate from")


def _beta(a, b):
    """a and b, checked to be above 0: otherwise there is no Beta distribution."""
    for value, name in ((a, "a"), (b, "b")):
        if np.ndim(as_number(value, name, low=0)) or value == 0:
            raise ValueError(f"{name} must be one number above 0 for a Beta distribution, got {short(value)}")
    return _number(a, "a"), _number(b, "b")


def _number(value, name):
    """One number of at least 0, unchanged if it is a Python number, so that fractions stay exact."""
    number = one_number(value, name, low=0)
    return value if isinstance(value, Real) else number
