"""`make bench`: the course beside its peers, both in one run, as ratios. Machines are noisy; ratios travel.

A row is one function with `@row` that returns its ratios; what it prints and writes is done here. `make bench
BENCH_ARGS="import"` runs only the rows whose name contains a word.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path

import nbformat
import numpy as np
from nbformat.v4 import new_code_cell, new_notebook

from bayeslib.networks import BeliefNetwork, examples, read_bif, write_bif
from tests import lab
from tests.figures import FIGURES
from tests.sections import ranges

RESULTS = lab.ROOT / "bench-results.json"
ROWS = []


@dataclass
class Ratio:
    """One line of the report: `value` is a ratio of two medians, `goal` says in words what it should be."""

    name: str
    value: float
    goal: str
    met: bool
    detail: str


def row(function):
    """Adds a row to the benchmark."""
    ROWS.append(function)
    return function


def faster(name, ours, peer, by, unit="ms"):
    """We should be at least `by` times faster than the peer; 0 means that the ratio is only reported."""
    value = statistics.median(peer) / statistics.median(ours)
    return Ratio(name, value, f"at least {by}" if by else "reported", value >= by, _medians(ours, peer, unit))


def within(name, ours, peer, limit, unit="ms"):
    """We should take at most `limit` times what the peer takes."""
    value = statistics.median(ours) / statistics.median(peer)
    return Ratio(name, value, f"at most {limit}", value <= limit, _medians(ours, peer, unit))


def _medians(ours, peer, unit):
    return f"medians {statistics.median(ours):.1f} and {statistics.median(peer):.1f} {unit}, {len(ours)} runs each"


@row
def import_time():
    """CPU time of `import bayeslib` beside `import numpy`, each in a fresh interpreter, in turn."""
    code = "import time; begin = time.process_time(); import {}; print(time.process_time() - begin)"
    times = {"bayeslib": [], "numpy": []}
    for _ in range(25):
        for name, taken in times.items():
            out = subprocess.run(
                [sys.executable, "-c", code.format(name)], capture_output=True, text=True, check=True, cwd="/"
            )
            taken.append(1000 * float(out.stdout))
    return [within("import bayeslib / import numpy", times["bayeslib"], times["numpy"], 1.25)]


# The notebook behind the next row: a live figure, the same artists drawn by interact, and a slider that is only echoed.
INTERACT = """\
%matplotlib inline
import matplotlib
import matplotlib.pyplot as plt
from ipywidgets import IntSlider, interact
from bayeslib import bayes
from bayeslib.live.bayes import PRIORS
from bayeslib.plots import bayes as plots, theme

def fresh(*boxes):
    figure = plt.figure(figsize=(theme.WIDTH, theme.HEIGHT))
    return [figure.add_axes(box) for box in boxes]

def draw(sick):
    with matplotlib.rc_context(theme.RC):
        {draw}
    plt.show()

interact(draw, sick=IntSlider(8, 1, 500))"""
DRAW = {
    "posterior_curve": """
        curve = bayes.posterior_curve(PRIORS, 0.98, 0.03)
        picture = plots.PosteriorCurve(*fresh((0.1, 0.18, 0.62, 0.78), (0.8, 0.18, 0.19, 0.7)), PRIORS, curve)
        after = bayes.posterior(*bayes.diagnosis(sick / 1000, 0.98, 0.03))["sick"]
        picture.show(PRIORS, curve, sick / 1000, after, bayes.flip_prior(0.98, 0.03))""",
    "population": """
        counts = bayes.natural_frequencies(sick / 1000, 0.98, 0.03, 1000)
        people = {kind: round(number) for kind, number in counts.items()}
        plots.Population(*fresh((0.01, 0, 0.98, 1))).show(people, 3, "negative", "positive")""",
}
ECHO = """\
from ipywidgets import IntSlider, Label, VBox
slider, echo = IntSlider(8, 1, 500), Label("8")
slider.observe(lambda change: setattr(echo, "value", str(change["new"])), "value")
VBox([slider, echo])"""
# In the page: from the key press on the slider to the painted picture (or text) that answers it.
MEASURE = """([cell, kind]) => {
    const root = document.querySelector(`[data-cell="${cell}"]`);
    const now = {
        live: () => root.querySelector(".bayeslib-live img").dataset.key,
        interact: () => root.querySelector(".jp-OutputArea img")?.src,
        echo: () => [...root.querySelectorAll(".jp-OutputArea-output .widget-label")].at(-1).textContent,
    }[kind];
    const before = now();
    let begin = null;
    root.querySelector(".noUi-handle").addEventListener("keydown", () => (begin = performance.now()), { capture: true, once: true });
    window.measured = new Promise((resolve, reject) => {
        setTimeout(() => reject(`${kind}: no answer to a key press within 10 s`), 10000);
        const watch = new MutationObserver(async () => {
            const after = now();
            if (after === undefined || after === before) return;
            watch.disconnect();
            const image = kind !== "echo" && [...root.querySelectorAll(".jp-OutputArea img")].at(-1);
            if (image && !image.complete) await new Promise((loaded) => (image.onload = loaded));
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin))); // after the paint
        });
        watch.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    });
}"""


@row
def slider_to_pixels(moves=30):
    """From a key press on a slider to pixels in Chromium: live figure, interact and echo in turn."""
    ratios = []
    for figure, draw in DRAW.items():
        sources = {
            "live": f"from bayeslib import live\nlive.{figure}()",
            "interact": INTERACT.replace("{draw}", draw.strip()),
            "echo": ECHO,
        }
        kinds, cells = list(sources), [new_code_cell(source, id=kind) for kind, source in sources.items()]
        with tempfile.TemporaryDirectory() as folder:
            kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
            nbformat.write(new_notebook(cells=cells, metadata=kernel), Path(folder) / "bench.ipynb")
            with lab.jupyterlab(Path(folder)) as address, lab.browser() as browser:
                page = lab.open_notebook(browser, address, "bench.ipynb")
                lab.run_all(page)
                page.wait_for_timeout(2000)
                times = {kind: [] for kind in kinds}
                for move in range(moves + 5):
                    for kind in kinds:
                        lab.cell(page, kind).locator(".noUi-handle").first.focus()
                        page.evaluate(MEASURE, [kind, kind])
                        page.keyboard.press("ArrowRight")
                        taken = page.evaluate("() => window.measured")
                        if move >= 5:  # the first moves warm everything up
                            times[kind].append(taken)
                        page.wait_for_timeout(450)  # the sharp frame at rest is drawn and gone before the next move
                seen = {kind: lab.fast_drag(page, kind) for kind in kinds[:2]}
        # The bare picture of dots is cheap to draw afresh as well: beside interact it is reported, without a goal.
        by = 3 if figure == "posterior_curve" else 0
        ratios += [
            faster(f"{figure}: interact / live figure, slider to pixels", times["live"], times["interact"], by),
            within(f"{figure}: live figure / echo, slider to pixels", times["live"], times["echo"], 2.2),
            Ratio(
                f"{figure}: blank frames of the live figure in a fast drag",
                seen["live"]["blanks"],
                "at most 0",
                seen["live"]["blanks"] == 0,
                "; ".join(f"{kind}: {each['blanks']} of {each['frames']} frames" for kind, each in seen.items()),
            ),
        ]
    return ratios


@row
def live_frames(moves=40):
    """CPU time of one frame of every live figure, model included: random moves of random controls, median per figure."""
    ratios = []
    for name, make in FIGURES.items():
        figure, random, taken = make(), np.random.default_rng(0), []
        values = ranges(name, figure)
        for _ in range(moves):
            label = random.choice(list(values))
            others = [value for value in values[label] if value != figure.values[label]]
            begin = time.process_time()
            figure.controls[label].value = others[random.integers(len(others))]
            taken.append(1000 * (time.process_time() - begin))
        median = statistics.median(taken)
        worst = f"slowest {max(taken):.1f} ms of {moves} moves"
        ratios.append(Ratio(f"{name}: ms of CPU for a frame", median, "at most 40", median <= 40, worst))
    return ratios


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


def main(words):
    chosen = [each for each in ROWS if not words or any(word in each.__name__ for word in words)]
    if not chosen:
        sys.exit(f"no row has one of {words} in its name; there are {[each.__name__ for each in ROWS]}")
    results = []
    for each in chosen:
        print(f"\n{each.__name__}: {each.__doc__}", flush=True)
        for ratio in each():
            results.append(asdict(ratio))
            print(
                f"  {'ok  ' if ratio.met else 'MISS'} {ratio.value:6.2f}  ({ratio.goal})  {ratio.name}; {ratio.detail}",
                flush=True,
            )
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    print(f"\nwritten to {RESULTS.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
