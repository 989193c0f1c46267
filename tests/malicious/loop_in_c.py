"""A loop inside the interpreter, which no signal handler of Python interrupts."""
# posterior: timed out
# share: right
share = 0.25
# %%
def posterior(prior, likelihood):
    return 3 ** 10**9
