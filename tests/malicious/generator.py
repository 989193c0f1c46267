"""yield for return, and a variable that is still a map."""
# posterior: returned something that is not plain data: generator
# share: returned something that is not plain data: map
share = map(float, ["0.25"])
# %%
def posterior(prior, likelihood):
    for p, q in zip(prior, likelihood):
        yield p * q
