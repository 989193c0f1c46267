"""Calls itself for ever: the ordinary way, which Python notices."""
# posterior: raised RecursionError
# share: right
share = 0.25
# %%
def posterior(prior, likelihood):
    return posterior(prior, likelihood)
