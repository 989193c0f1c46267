"""Threads that never end, started in a cell; the answer itself is right."""
# posterior: right
# share: right
import threading
import time

share = 0.25


def busy():
    while True:
        time.sleep(0.01)


for _ in range(4):
    threading.Thread(target=busy).start()
# %%
def posterior(prior, likelihood):
    joint = [p * q for p, q in zip(prior, likelihood)]
    return [each / sum(joint) for each in joint]
