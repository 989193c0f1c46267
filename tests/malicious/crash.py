"""Reads address 0."""
# posterior: the process died
# share: right
import ctypes

share = 0.25
# %%
def posterior(prior, likelihood):
    return ctypes.string_at(0)
