"""Kernels: how much a point at distance d counts, as K(d / h) with bandwidth h (sections 14 and 15).

gaussian exp(−u²/2) · epanechnikov 1 − u² · tricube (1 − u³)³ · triangle 1 − u · box 1, all but the first 0 beyond u = 1
"""

import numpy as np

from bayeslib.models._checks import as_number, one_of, positive


def _cubed(u):
    return u * u * u  # ten times as fast as u**3


KERNELS = {
    "gaussian": lambda u: np.exp(-u * u / 2),
    "epanechnikov": lambda u: np.where(u <= 1, 1 - u**2, 0.0),
    "tricube": lambda u: np.where(u <= 1, _cubed(1 - _cubed(u)), 0.0),
    "triangle": lambda u: np.where(u <= 1, 1 - u, 0.0),
    "box": lambda u: np.where(u <= 1, 1.0, 0.0),
}


def kernel_weights(distances, kernel, bandwidth):
    """K(d / h) for every distance d (section 15). Not normalised; far points may get exactly 0.

    >>> kernel_weights([0, 1, 2, 3], "triangle", bandwidth=2).tolist()
    [1.0, 0.5, 0.0, 0.0]
    """
    shape = KERNELS[one_of(kernel, "kernel", KERNELS)]
    bandwidth = positive(bandwidth, "bandwidth")
    with np.errstate(over="ignore"):  # beyond any float: infinitely many bandwidths away
        return shape(np.asarray(as_number(distances, "distances", low=0), dtype=float) / bandwidth)
