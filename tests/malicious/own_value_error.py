"""An error of its own that is a kind of ValueError."""
# posterior: raised ValueError
# share: right
class NoHypothesis(ValueError):
    pass


share = 0.25
# %%
def posterior(prior, likelihood):
    raise NoHypothesis("none is possible")
