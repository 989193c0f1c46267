"""Stops, as Ctrl-Z would; and asks to be left alone."""
# posterior: timed out after 5 s
# share: right
import os
import signal

share = 0.25
# %%
def posterior(prior, likelihood):
    os.kill(os.getpid(), signal.SIGSTOP)
