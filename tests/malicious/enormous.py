"""Answers with more than anybody wants to read."""
# posterior: too much data
# share: too much data
import numpy as np

share = "x" * 5_000_000
# %%
def posterior(prior, likelihood):
    return np.zeros(5_000_000)
