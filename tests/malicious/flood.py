"""Writes on the line of answers for ever."""
# posterior: the answer could not be read
# share: right
import os

share = 0.25
# %%
def posterior(prior, likelihood):
    while True:
        os.write(4, b"\0" * 65536)
