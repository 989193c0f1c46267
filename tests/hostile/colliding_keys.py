"""A dict whose keys all have the same hash, to keep the reader busy."""
# posterior: too much data
# share: right
share = 0.25
# %%
def posterior(prior, likelihood):
    step = 2**61 - 1
    return {"few": 1, "many": [[(1 + step * each, 1.0) for each in range(3)]] * 2000, "most": dict.fromkeys(range(20_000))}
