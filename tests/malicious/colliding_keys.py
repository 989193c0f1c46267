"""A dict whose keys all have the same hash, to keep the reader busy."""
# posterior: too much data
# share: right
share = 0.25
# %%
def posterior(prior, likelihood):
    step = 2**61 - 1
    return {step * each: 0 for each in range(6_000)}
