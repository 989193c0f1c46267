"""The right answer, told in the ordinary way."""
# posterior: right
# share: right
share = 0.25
# %%
import numpy as np


def posterior(prior, likelihood):
    joint = np.array(prior) * np.array(likelihood)
    return joint / joint.sum()
