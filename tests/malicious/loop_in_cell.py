"""An endless loop in a cell: noticed once, not once for each ask."""
# posterior: timed out in cell 2
# share: timed out in cell 2
share = 0.25
# %%
while True:
    pass
