"""Section 11: EM on rows with holes beside pyAgrum, and its memory on a large network."""

import statistics
import tempfile
import tracemalloc
from pathlib import Path

import numpy as np

from bayeslib.models.networks import em, examples, expected_counts, read_bif, write_bif
from tests.bench import Ratio, alternate, faster, row


@row
def em_with_holes():
    """CPU time of 25 iterations of EM, 5 variables, 200 rows, a fifth of the cells missing, from the same tables.

    Both get their rows in memory and read them each time; both must end with tables that score the same on the rows.
    """
    import pandas
    import pyagrum

    net, rng = examples.student(), np.random.default_rng(0)
    rows = {v: [None if rng.random() < 0.2 else bool(x) for x in column] for v, column in net.sample(200, 0).items()}
    words = pandas.DataFrame(rows).astype(object).map(lambda x: "?" if x is None else str(x))
    start = em(net.parents, rows, states=dict(net.states), max_iter=0, random_state=1).network
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "start.bif")
        write_bif(start, path)
        begin = pyagrum.loadBN(path)
    pyagrum.setNumberOfThreads(1)

    def ours():
        return em(start, rows, max_iter=25, tol=0)

    def theirs():
        learner = pyagrum.BNLearner(words, begin, ["?"])
        learner.setNumberOfThreads(1)
        learner.useGreedyHillClimbing()
        learner.useNoPrior()
        learner.useEM(1e-300, 0.0)
        learner.EMsetMaxIter(25)
        return learner.learnParameters(begin)

    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "theirs.bif")
        theirs().saveBIF(path)
        peer = read_bif(path)
    gap = ours().log_likelihoods[-1] - expected_counts(peer, rows).log_likelihood
    assert abs(gap) < 0.01, f"not the same tables: log-likelihoods differ by {gap}"
    return [faster("EM, 20% missing, 25 iterations, pyAgrum / ours", *alternate(ours, theirs, 5), 50)]


@row
def em_memory_on_alarm():
    """Peak memory of an EM iteration on alarm (37 variables), a fifth of the cells missing: it may grow as the rows do, no faster."""
    import pgmpy.utils

    net = read_bif(Path(pgmpy.utils.__file__).parent / "example_models" / "alarm.bif.gz")
    peaks = []
    for n in (50, 200):
        rng = np.random.default_rng(0)
        rows = {v: [None if rng.random() < 0.2 else x for x in c.tolist()] for v, c in net.sample(n, 0).items()}
        em(net, rows, max_iter=0)
        tracemalloc.start()
        em(net, rows, max_iter=1, tol=0)
        peaks.append(tracemalloc.get_traced_memory()[1] / 2**20)
        tracemalloc.stop()
    value = statistics.fmean(peaks[1:]) / peaks[0]
    detail = f"peaks {peaks[0]:.2f} and {peaks[1]:.2f} MB at 50 and 200 rows"
    return [
        Ratio(
            "EM on alarm, peak memory at 200 / 50 rows",
            value,
            "at most 4, and 20 MB",
            value <= 4 and peaks[1] < 20,
            detail,
        )
    ]
