"""Two hundred threads at most; they must not all come to be."""
# posterior: nothing
# share: right
import threading

share = 0.25
# %%
def posterior(prior, likelihood):
    for _ in range(200):
        try:
            threading.Thread(target=threading.Event().wait).start()
        except RuntimeError:
            return []
    return ["made 200 threads"]
