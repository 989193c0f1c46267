"""Ends the process in the middle of a call."""
# posterior: the process ended before it had answered
# share: right
import os

share = 0.25
# %%
def posterior(prior, likelihood):
    os._exit(0)
