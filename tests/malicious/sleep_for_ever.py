"""Uses no processor time and never comes back."""
# sleeps
# posterior: timed out
# share: right
import time

share = 0.25
# %%
def posterior(prior, likelihood):
    time.sleep(10**6)
