"""Leaves the scratch folder, takes away its rights, removes it, buries files deep."""
# posterior: right
# share: right
import os

share = 0.25
# %%
for depth in range(3000):
    os.mkdir("d")
    os.chdir("d")
open("left-behind", "w").close()
os.chdir("/")
# %%
import shutil

os.chmod("/scratch", 0)
shutil.rmtree("/scratch", ignore_errors=True)
os.rmdir("/scratch")
# %%
def posterior(prior, likelihood):
    joint = [p * q for p, q in zip(prior, likelihood)]
    return [each / sum(joint) for each in joint]
