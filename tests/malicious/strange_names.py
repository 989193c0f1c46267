"""Files whose names are too long, hold line ends, nulls or no text at all."""
# posterior: right
# share: right
import os

share = 0.25
for name in ("x" * 10_000, "x" * 255, "a\nb", "a\0b", "\u202egnp.exe", "..", b"\xff\xfe", "/scratch/../../left-behind"):
    try:
        open(name, "w").close()
    except (OSError, ValueError):
        pass
os.mkfifo("pipe")
os.symlink("pipe", "loop")
os.symlink("circle", "circle")
# %%
def posterior(prior, likelihood):
    joint = [p * q for p, q in zip(prior, likelihood)]
    return [each / sum(joint) for each in joint]
