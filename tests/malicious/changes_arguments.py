"""Works in place, on the arguments it was given: each call gets its own."""
# posterior: right
# share: right
share = 0.25
# %%
def posterior(prior, likelihood):
    for index in range(len(prior)):
        prior[index] *= likelihood[index]
    total = sum(prior)
    for index in range(len(prior)):
        prior[index] /= total
    likelihood.clear()
    return prior
