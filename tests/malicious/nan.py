"""Not a number, and infinity: floats like others, and wrong."""
# posterior: wrong
# share: wrong
share = float("nan")
# %%
def posterior(prior, likelihood):
    return [float("inf"), float("nan")]
