"""A list in a list in a list."""
# posterior: returned something that is not plain data: nested too deeply
# share: right
share = 0.25
# %%
def posterior(prior, likelihood):
    value = []
    for _ in range(100_000):
        value = [value]
    return value
