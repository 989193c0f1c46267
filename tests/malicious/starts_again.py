"""Replaces itself by a fresh interpreter, without the runner's code."""
# posterior: the process ended before it had answered
# share: right
import os

share = 0.25
# %%
def posterior(prior, likelihood):
    os.execv("@PYTHON@", ["@PYTHON@", "-S", "-c", "0"])
