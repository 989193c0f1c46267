"""Numpy's float, which is a subclass of Python's, and a fraction: as good as a float."""
# posterior: right
# share: right
from fractions import Fraction

import numpy as np

share = Fraction(1, 4)
# %%
def posterior(prior, likelihood):
    joint = [np.float64(p) * q for p, q in zip(prior, likelihood)]
    return tuple(each / sum(joint) for each in joint)
