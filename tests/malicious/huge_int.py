"""A whole number of a hundred thousand digits."""
# posterior: returned something that is not plain data: a whole number of too many digits
# share: returned something that is not plain data: a whole number of too many digits
share = 10**100000
# %%
def posterior(prior, likelihood):
    return [10**400, 1]
