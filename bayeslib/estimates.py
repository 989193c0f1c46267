"""Estimating a probability from counts (section 06).

    P = (n_c + m p) / (n + m)

n_c of n real examples, and m virtual ones of which a share p counts: the m-estimate. With m = 0 it is the plain fraction.
"""

import numpy as np

from bayeslib._checks import as_number


def m_estimate(n_c, n, p, m):
    """(n_c + m p) / (n + m): the fraction n_c/n, pulled towards p by m virtual examples (section 06).

    Numbers, or arrays that broadcast; p is a probability, m ≥ 0.
    """
    n_c, n, m = (as_number(value, name, low=0) for value, name in ((n_c, "n_c"), (n, "n"), (m, "m")))
    p = as_number(p, "p", low=0, high=1)
    if np.any(np.asarray(n_c) > n):
        raise ValueError(f"n_c must be at most n, got n_c = {n_c} of n = {n}")
    if np.any(np.add(n, m) == 0):
        raise ValueError("n + m must be above 0: no real and no virtual example, so there is nothing to estimate from")
    return (n_c + m * p) / (n + m)
