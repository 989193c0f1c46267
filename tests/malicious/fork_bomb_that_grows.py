"""Every child forks again; two hundred in all at most, counted in a file."""
# sleeps
# posterior: timed out
# share: right
import os
import time

share = 0.25
# %%
def posterior(prior, likelihood):
    while os.path.getsize("count") < 200 if os.path.exists("count") else True:
        with open("count", "ab") as file:
            file.write(b"x")
        try:
            os.fork()
        except BlockingIOError:
            time.sleep(0.1)
    time.sleep(1000)
