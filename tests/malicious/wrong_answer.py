"""Forgets to normalise."""
# posterior: wrong
# share: right
share = 0.25
# %%
def posterior(prior, likelihood):
    return [p * q for p, q in zip(prior, likelihood)]
