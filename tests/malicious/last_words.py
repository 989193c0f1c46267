"""Code that would run when everything is over: atexit, __del__, weak references, a thread, a timer."""
# posterior: wrong
# share: right
import atexit
import os
import signal
import threading
import time
import weakref


class Last:
    def __del__(self):
        os.write(4, b"forged")


share = 0.25
keep = Last()
atexit.register(os.write, 4, b"forged")
weakref.finalize(Last, os.write, 4, b"forged")
os.register_at_fork(before=lambda: None)
threading._shutdown = lambda: time.sleep(100)
# %%
def posterior(prior, likelihood):
    threading.Thread(target=time.sleep, args=(100,)).start()
    signal.setitimer(signal.ITIMER_REAL, 100)
    return [0.1, 0.9]
