"""Uses no processor time and never comes back."""
# posterior: timed out after 5 s
# share: right
import time

share = 0.25
# %%
def posterior(prior, likelihood):
    time.sleep(10**6)
