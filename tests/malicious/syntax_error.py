"""One cell is not Python; the others are."""
# posterior: right
# share: right
share = 0.25
# %%
def broken(:
# %%
def posterior(prior, likelihood):
    joint = [p * q for p, q in zip(prior, likelihood)]
    return [each / sum(joint) for each in joint]
