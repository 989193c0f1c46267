"""An exception whose text never ends, and one that cannot be printed."""
# posterior: timed out
# share: right
class Endless(Exception):
    def __str__(self):
        while True:
            pass


class Mute(Exception):
    __str__ = None


share = 0.25
raise Mute
# %%
def posterior(prior, likelihood):
    raise Endless
