"""Fills the scratch folder: one large file, then many (at most 300 MB)."""
# posterior: nothing
# share: right
import os

share = 0.25
# %%
def posterior(prior, likelihood):
    written = 0
    for name in range(300):
        try:
            with open(f"{name}", "wb") as file:
                written += file.write(b"x" * (1 << 20))
        except OSError:
            break
    return [] if written <= 16 << 20 else [written]
