"""Section 02: the posterior over a large space of conjunctions."""

import subprocess
import sys

import numpy as np

from tests.bench import Ratio, alternate, faster, row

# A million conjunctions over ten attributes of three values, and 40 examples of one of them, one label in ten wrong.
CONJUNCTIONS = """
import numpy as np
from bayeslib.models.concepts import ConjunctiveSpace, covers

space = ConjunctiveSpace({f"a{n}": range(3) for n in range(10)})
random = np.random.default_rng(0)
days = [tuple(day) for day in random.integers(0, 3, (40, 10)).tolist()]
target = (0, *["?"] * 9)
examples = [(day, covers(target, day) != (random.random() < 0.1)) for day in days]
"""
# Not resource's ru_maxrss: a child inherits that from the process that started it.
PEAK = """
space.posterior(examples, noise=0.1)
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@row
def posterior_of_a_million_conjunctions(runs=5):
    """CPU time of the posterior beside a dense mask over all hypotheses, example by example, and its memory."""
    scope = {}
    exec(CONJUNCTIONS, scope)
    space, examples = scope["space"], scope["examples"]
    grid = np.indices(space.shape, np.int8).reshape(
        len(space.shape), -1
    )  # every hypothesis, made before the clock runs

    def dense():
        likelihood = np.ones(space.size)
        for day, label in examples:
            says = np.zeros(space.size, bool)
            says[1:] = np.logical_and.reduce([(code == value) | (code == 3) for code, value in zip(grid, day)])
            likelihood *= np.where(says == label, 0.9, 0.1)
        return likelihood / likelihood.sum()

    def ours():
        return space.posterior(examples, noise=0.1).array

    assert np.allclose(ours(), dense(), rtol=1e-9, atol=0)
    out = subprocess.run([sys.executable, "-c", CONJUNCTIONS + PEAK], capture_output=True, text=True, check=True)
    peak = int(out.stdout) / 1024
    return [
        faster(
            "posterior over 1,048,577 conjunctions, 40 examples: dense mask / ours", *alternate(ours, dense, runs), 20
        ),
        Ratio("the same, memory of the whole process in MB", peak, "at most 200 MB", peak <= 200, "peak, one process"),
    ]
