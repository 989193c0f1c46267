"""Prints a million lines, in a cell and on both streams."""
# posterior: right
# share: right
import os
import sys

share = 0.25
# %%
print("line\n" * 1_000_000)
# %%
sys.stderr.write("line\n" * 100_000)
os.write(1, b"line\n" * 100_000)
# %%
def posterior(prior, likelihood):
    print("called")
    joint = [p * q for p, q in zip(prior, likelihood)]
    return [each / sum(joint) for each in joint]
