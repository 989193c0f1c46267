"""Eight gigabytes, an array and then a list."""
# posterior: used more than 600 MB of memory
# share: right
import numpy as np

share = 0.25
# %%
def posterior(prior, likelihood):
    try:
        return np.ones(10**9)
    except MemoryError:
        return [bytearray(10**6) for _ in range(8000)]
