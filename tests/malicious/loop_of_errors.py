"""Swallows every exception and goes on; has handlers for all signals it may handle."""
# posterior: timed out
# share: right
import signal

share = 0.25
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, lambda *_: None)
# %%
def posterior(prior, likelihood):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
