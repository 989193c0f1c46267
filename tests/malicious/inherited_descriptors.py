"""Writes to every descriptor it was born with."""
# posterior: too much data
# share: right
import os

share = 0.25
# %%
def posterior(prior, likelihood):
    for descriptor in range(3, 300):
        try:
            os.write(descriptor, b"x" * 40)
        except OSError:
            pass
    return [0.5, 0.5]
