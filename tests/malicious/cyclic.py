"""A list that holds itself, and one that takes little room and is a million of billions long."""
# posterior: too much data
# share: returned something that is not plain data: nested too deeply
share = []
share.append(share)
# %%
def posterior(prior, likelihood):
    value = 1.0
    for _ in range(15):
        value = [value] * 10
    return value
