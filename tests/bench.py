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

from bayeslib import GaussianMixture, KMeans
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


def in_turn(ours, peer, runs):
    """CPU times in ms of two functions called in turn, after one call each to warm up; one thread."""
    from threadpoolctl import threadpool_limits

    times = [], []
    with threadpool_limits(1):
        for run in range(runs + 1):
            for function, taken in zip((ours, peer), times):
                begin = time.process_time()
                function()
                taken.append(1000 * (time.process_time() - begin))
    return times[0][1:], times[1][1:]


def agree(*pairs):
    """Two answers to one question: a benchmark of a wrong answer says nothing."""
    for ours, peer in pairs:
        np.testing.assert_allclose(ours, peer, rtol=1e-6, atol=1e-6)


def blobs(number, features, k, spread=3.0):
    """Points around k centres, and the first of each as a starting mean."""
    random = np.random.default_rng(0)
    centres = random.normal(0, spread, (k, features))
    return np.vstack([random.normal(centre, 1, (number // k, features)) for centre in centres]), number // k


@row
def mixture_of_gaussians():
    """EM for Gaussians beside scikit-learn's, from one start: history kept on 500 points, not on 100,000."""
    from sklearn.mixture import GaussianMixture as Peer

    ratios = []
    for number, features, k, iterations, runs in ((500, 1, 3, 25, 40), (500, 2, 3, 25, 40), (100_000, 4, 5, 10, 7)):
        X, every = blobs(number, features, k)
        start, keep = X[::every][:k], number < 1000

        def ours():
            options = {"sigma": 1.0, "iterations": iterations, "tolerance": 0, "floor": 1e-12, "history": keep}
            return GaussianMixture(k, start=start, **options).fit(X)

        def peer():
            known = {"means_init": start, "weights_init": [1 / k] * k, "precisions_init": [np.eye(features)] * k}
            with warnings.catch_warnings(action="ignore"):  # it has not converged: all do the same 25 iterations
                return Peer(k, max_iter=iterations, tol=0, reg_covar=0, **known).fit(X)

        a, b = ours(), peer()
        assert a.n_iter_ == b.n_iter_ == iterations
        agree((a.means_, b.means_), (a.covariances_, b.covariances_), (a.weights_, b.weights_))
        name = f"mixture of {k} Gaussians, {number} points in {features}-d, {iterations} iterations: sklearn / ours"
        ratios.append(faster(name, *in_turn(ours, peer, runs), 4))
    return ratios


@row
def k_means():
    """k-means beside scikit-learn's and scipy's, from one start."""
    from scipy.cluster.vq import kmeans2
    from sklearn.cluster import KMeans as Peer

    ratios = []
    for number, features, k, runs in ((500, 2, 3, 60), (100_000, 8, 10, 7)):
        X, every = blobs(number, features, k, spread=1.5)
        start = X[:: every // 2][:k]

        def ours():
            return KMeans(k, start=start, history=False).fit(X)

        def peer():
            return Peer(k, init=start, n_init=1, tol=0).fit(X)

        def scipy():
            return kmeans2(X, start, iter=ours.iterations, minit="matrix")

        fit = ours()
        ours.iterations = fit.n_iter_
        agree((fit.means_, peer().cluster_centers_), (fit.means_, scipy()[0]))
        name = f"k-means, {number} points in {features}-d, k = {k}, {fit.n_iter_} iterations"
        if number < 1000:
            ratios.append(faster(f"{name}: sklearn / ours", *in_turn(ours, peer, runs), 1))
            ratios.append(faster(f"{name}: scipy / ours", *in_turn(ours, scipy, runs), 1))
        else:
            ratios.append(within(f"{name}: ours / sklearn", *in_turn(ours, peer, runs), 3))
    return ratios


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
