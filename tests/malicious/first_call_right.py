"""Right at the first call, wrong afterwards."""
# posterior: wrong
# share: right
share = 0.25
calls = []
# %%
def posterior(prior, likelihood):
    calls.append(1)
    joint = [p * q for p, q in zip(prior, likelihood)]
    return [each / sum(joint) for each in joint] if len(calls) == 1 else [1, 0]
