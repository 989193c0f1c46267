"""sys.exit in a cell and in the function: an error like others."""
# posterior: raised SystemExit
# share: right
import sys

share = 0.25
sys.exit(0)
# %%
exit()
# %%
def posterior(prior, likelihood):
    sys.exit(0)
