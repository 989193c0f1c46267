"""Section 09: the search for arrows beside pyAgrum's greedy hill climbing."""

from pathlib import Path

import numpy as np

from bayeslib.models.networks import hill_climb, read_bif, score
from tests.bench import Ratio, alternate, faster, row, within

ORDERS = 8  # columns in so many random orders, a new sample each: greedy search depends on the order


def _samples(name, rows):
    """State numbers of sampled rows with columns in random order, and the states in that order."""
    import pgmpy.utils

    net = read_bif(Path(pgmpy.utils.__file__).parent / "example_models" / f"{name}.bif.gz")
    for seed in range(ORDERS):
        sample, order = net.sample(rows, seed), np.random.default_rng(seed).permutation(net.variables).tolist()
        number = {v: {state: i for i, state in enumerate(net.states[v])} for v in order}
        codes = np.array([[number[v][x] for x in sample[v].tolist()] for v in order]).T
        yield np.ascontiguousarray(codes), {v: net.states[v] for v in order}


def _agrum(codes, states):
    """A function that searches with pyAgrum from the same numbers."""
    import pandas
    import pyagrum

    pyagrum.setNumberOfThreads(1)
    table, template = pandas.DataFrame(codes, columns=list(states)), pyagrum.BayesNet()
    for v, domain in states.items():
        template.add(pyagrum.RangeVariable(v, v, 0, len(domain) - 1))

    def search():
        learner = pyagrum.BNLearner(table, template)
        learner.useGreedyHillClimbing()
        learner.useScoreBIC()
        learner.useNoPrior()
        return learner.learnDAG()

    return search


def _compared(name, rows, restarts, runs):
    """CPU times of both, a median over each sample's runs, and how much more our graph scores, by our BIC for both."""
    ours, peer, gains = [], [], []
    for codes, states in _samples(name, rows):
        search, variables = _agrum(codes, states), list(states)
        climb = lambda: hill_climb(codes, states=states, restarts=restarts, random_state=0)  # noqa: E731
        times = alternate(climb, search, runs)
        ours += times[0]
        peer += times[1]
        dag = search()
        theirs = {v: tuple(variables[p] for p in dag.parents(i)) for i, v in enumerate(variables)}
        gains.append(climb().score - score(theirs, codes, states=states))
    told = f"{', '.join(f'{gain:.1f}' for gain in gains)}"
    better = Ratio(
        f"{name}: BIC, ours − pyAgrum, worst of {ORDERS}", min(gains), "at least 0", min(gains) > -1e-6, f"{told} nats"
    )
    return ours, peer, better


@row
def hill_climbing():
    """Hill climbing with BIC from integer arrays beside pyAgrum's greedy search: time, and the score that is reached.

    Eight samples, each with its columns in another random order. Ours climbs once, and then again from its best graph with
    some arrows taken away or turned round: 30 times on asia, 20 times on alarm.
    """
    *asia, asia_score = _compared("asia", 10_000, 30, 5)
    *alarm, alarm_score = _compared("alarm", 5_000, 20, 3)
    return [
        faster("asia, 10,000 rows: pyAgrum / ours", *asia, 1),
        asia_score,
        within("alarm, 5,000 rows: ours / pyAgrum", *alarm, 3),
        alarm_score,
    ]
