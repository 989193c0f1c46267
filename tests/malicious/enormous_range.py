"""A range takes no room until it is read."""
# posterior: too much data
# share: too much data
share = range(10**18)
# %%
def posterior(prior, likelihood):
    return np.broadcast_to(np.float64(0), (10**6, 10**6))


import numpy as np
