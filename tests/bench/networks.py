"""Sections 07 and 08: queries on belief networks beside pgmpy and pyAgrum."""

import statistics
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

from bayeslib.models.networks import BeliefNetwork, examples, read_bif, write_bif
from tests.bench import alternate, faster, row, within


def _peers(net, folder):
    """A network as pgmpy and as pyAgrum read it from the same BIF file."""
    import pyagrum
    from pgmpy.readwrite import BIFReader

    path = str(Path(folder) / "net.bif")
    write_bif(net, path)
    return BIFReader(path).get_model(), pyagrum.loadBN(path)


def _questions(net, observed, number, rng):
    """Queries as (target, evidence, evidence in words): evidence is part of a sample, so that it is possible."""
    sample = net.sample(number, rng)
    for i in range(number):
        target, *seen = rng.permutation(net.variables)[: observed + 1].tolist()
        evidence = {v: sample[v][i].item() for v in seen}
        yield target, evidence, {v: str(state) for v, state in evidence.items()}


def _interleaved(rounds, questions, ways):
    """CPU time in ms of answering each round's fresh questions in each way, in turn, on one thread.

    `ways` maps a name to a function of target, evidence and evidence in words; the first two rounds warm everything up.
    """
    import pyagrum
    from threadpoolctl import threadpool_limits

    pyagrum.setNumberOfThreads(1)
    times = {name: [] for name in ways}
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(rounds + 2):
            asked = list(questions())
            for name, way in ways.items():
                begin = time.process_time()
                for question in asked:
                    way(*question)
                if number > 1:
                    times[name].append(1000 * (time.process_time() - begin))
    return times


def _agrum(network, target, words):
    """One query as pyAgrum's tutorials ask it; of its exact engines this one is fastest for a single target."""
    import pyagrum

    engine = pyagrum.VariableElimination(network)
    engine.setEvidence(words)
    engine.addTarget(target)
    engine.makeInference()
    return engine.posterior(target)


@row
def small_network_queries():
    """CPU time of 20 queries on each small net, beside pgmpy and pyAgrum, who build an engine for each.

    Fresh random queries in each round, with 0 to 3 observed values, the same for all. Ours has no engine to build: of a net
    this small it keeps nothing between queries but the numbering of its variables.
    """
    from pgmpy.inference import VariableElimination

    ratios, rng = [], np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        for make in (examples.burglary, examples.dog, examples.sprinkler, examples.asia):
            net = make()
            pgm, agrum = _peers(net, folder)
            ways = {
                "ours": lambda target, evidence, words: net.query(target, evidence),
                "pgmpy": lambda target, evidence, words: VariableElimination(pgm).query(
                    [target], evidence=words, show_progress=False
                ),
                "pyAgrum": lambda target, evidence, words: _agrum(agrum, target, words),
            }
            questions = lambda: (q for seen in range(4) for q in _questions(net, seen, 5, rng))  # noqa: E731
            times = _interleaved(25, questions, ways)
            peer = min(("pgmpy", "pyAgrum"), key=lambda name: statistics.median(times[name]))
            ratios.append(faster(f"{make.__name__}: 20 queries, {peer} / ours", times["ours"], times[peer], 5))
    return ratios


@row
def alarm_queries():
    """CPU time of 20 queries on alarm (37 variables) with 5 observed values, a new network object for each; and all marginals.

    Fresh random queries in each round, the same for all. A new object is our constructor with all its checks, pyAgrum's copy,
    and for pgmpy a new network from its own edges and tables (cheaper than its copy). All marginals: pyAgrum's
    LazyPropagation, one engine for each evidence, every posterior read. Ours finds its elimination order again by the shape
    of the network; no answer is kept.
    """
    import pgmpy.utils
    import pyagrum
    from pgmpy.inference import VariableElimination
    from pgmpy.models import DiscreteBayesianNetwork

    net = read_bif(Path(pgmpy.utils.__file__).parent / "example_models" / "alarm.bif.gz")
    parents, states, rng = dict(net.parents), dict(net.states), np.random.default_rng(0)
    tables = {v: net.factor(v).copy() for v in net.variables}
    with tempfile.TemporaryDirectory() as folder:
        pgm, agrum = _peers(net, folder)
    edges, cpds = list(pgm.edges()), pgm.get_cpds()

    def ask_pgmpy(target, evidence, words):
        new = DiscreteBayesianNetwork(edges)
        new.add_cpds(*cpds)
        VariableElimination(new).query([target], evidence=words, show_progress=False)

    def all_agrum(target, evidence, words):
        engine = pyagrum.LazyPropagation(agrum)
        engine.setEvidence(words)
        engine.makeInference()
        return [engine.posterior(v) for v in net.variables]

    ways = {
        "ours": lambda target, evidence, words: BeliefNetwork(parents, tables, states).query(target, evidence),
        "pyAgrum": lambda target, evidence, words: _agrum(pyagrum.BayesNet(agrum), target, words),
        "pgmpy": ask_pgmpy,
        "our marginals": lambda target, evidence, words: net.marginals(evidence),
        "pyAgrum's marginals": all_agrum,
    }
    times = _interleaved(15, lambda: _questions(net, 5, 20, rng), ways)
    return [
        within("alarm: 20 queries, ours / pyAgrum", times["ours"], times["pyAgrum"], 1.5),
        faster("alarm: 20 queries, pgmpy / ours", times["ours"], times["pgmpy"], 20),
        faster(
            "alarm: 20 times all marginals, pyAgrum / ours", times["our marginals"], times["pyAgrum's marginals"], 2
        ),
    ]


@row
def reading_bif():
    """CPU time of reading BIF files beside pyAgrum: three published networks, and a made one of 12 MB, larger than any of those."""
    import gzip

    import pgmpy.utils
    import pyagrum

    models, ratios = Path(pgmpy.utils.__file__).parent / "example_models", []
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: str(Path(folder) / f"{name}.bif") for name in ("asia", "alarm", "diabetes", "made")}
        for name in ("asia", "alarm", "diabetes"):
            Path(paths[name]).write_bytes(gzip.decompress((models / f"{name}.bif.gz").read_bytes()))
        write_bif(_made(), paths["made"])
        for name, path in paths.items():
            runs, repeats = (5, 1) if name in ("diabetes", "made") else (9, 20)
            ours, theirs = alternate(lambda: read_bif(path), lambda: pyagrum.loadBN(path), runs, repeats)
            ratios.append(within(f"{name}: reading BIF, ours / pyAgrum", ours, theirs, 2.5))
    return ratios


def _made(variables=400, states=11):
    """A large network: every variable has two of the six before it as parents."""
    rng, parents, tables = np.random.default_rng(0), {}, {}
    for i in range(variables):
        theirs = sorted(rng.choice(np.arange(max(0, i - 6), i), min(i, 2), replace=False)) if i else []
        parents[f"v{i}"] = [f"v{j}" for j in theirs]
        tables[f"v{i}"] = rng.dirichlet(np.ones(states), size=[states] * len(theirs))
    return BeliefNetwork(parents, tables, dict.fromkeys(parents, [f"s{k}" for k in range(states)]))
