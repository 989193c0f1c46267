"""Stops, as Ctrl-Z would; and asks to be left alone."""
# sleeps
# posterior: timed out
# share: right
import os
import signal

share = 0.25
# %%
def posterior(prior, likelihood):
    os.kill(os.getpid(), signal.SIGSTOP)
