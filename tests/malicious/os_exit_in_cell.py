"""Ends the process in a cell."""
# posterior: the process ended before it had answered in cell 2
# share: the process ended before it had answered in cell 2
share = 0.25
# %%
import os

os._exit(0)
