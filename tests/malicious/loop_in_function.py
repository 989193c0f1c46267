"""An endless loop where the answer should be."""
# posterior: timed out
# share: right
share = 0.25
# %%
def posterior(prior, likelihood):
    while True:
        pass
