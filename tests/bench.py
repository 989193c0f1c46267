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
from dataclasses import asdict, dataclass
from pathlib import Path

import nbformat
import numpy as np
from nbformat.v4 import new_code_cell, new_notebook

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


def reported(name, ours, peer, unit="ms"):
    """How many times what the peer takes we take, without a goal."""
    value = statistics.median(ours) / statistics.median(peer)
    return Ratio(name, value, "reported", True, _medians(ours, peer, unit))


def _medians(ours, peer, unit):
    return f"medians {statistics.median(ours):.3g} and {statistics.median(peer):.3g} {unit}, {len(ours)} runs each"


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


@row
def hidden_markov_models():
    """CPU time of the casino's hidden Markov model beside hmmlearn's compiled one, in turn, one thread."""
    from hmmlearn import _hmmc
    from hmmlearn.hmm import CategoricalHMM

    from bayeslib.hmm import casino, guess

    def peer(model, **options):
        other = CategoricalHMM(2, n_features=6, init_params="", **options)
        other.startprob_, other.transmat_, other.emissionprob_ = model.start, model.transition, model.emission
        return other

    model, ratios = casino(), []
    other, quick = peer(model), peer(model, implementation="scaling")
    for length, runs in ((300, 200), (100_000, 5)):
        _, rolls = model.sample(length, random_state=0)
        X = np.array(rolls)[:, None] - 1
        weights = model.emission[:, X[:, 0]].T.copy()
        forward, lattice, _ = _hmmc.forward_scaling(model.start, model.transition, weights)
        assert np.allclose(model.filter(rolls), lattice / lattice.sum(axis=1, keepdims=True), rtol=0, atol=1e-6)
        assert np.allclose(model.smooth(rolls), quick.predict_proba(X), rtol=0, atol=1e-6)
        assert abs(model.viterbi(rolls)[1] - other.decode(X)[0]) < 1e-6 and abs(forward - other.score(X)) < 1e-6
        pairs = {
            "filter / score": (lambda: model.filter(rolls), lambda: quick.score(X)),
            "smooth / predict_proba": (lambda: model.smooth(rolls), lambda: quick.predict_proba(X)),
            "Viterbi / decode": (lambda: model.viterbi(rolls), lambda: other.decode(X)),
        }
        bare = {
            "filter / bare C loop": (
                pairs["filter / score"][0],
                lambda: _hmmc.forward_scaling(model.start, model.transition, weights),
            )
        }
        for name, (ours, theirs) in {**pairs, **bare}.items():
            taken = in_turn(ours, theirs, runs)
            judged = within if length == 300 and name in pairs else reported
            ratios.append(judged(f"HMM, T={length}, {name} of hmmlearn", *taken, *([1.5] if judged is within else [])))
    _, rolls = model.sample(300, random_state=0)
    X, begin = np.array(rolls)[:, None] - 1, guess(model, random_state=0)
    learned, theirs = begin.fit([rolls], 20, 0), peer(begin, implementation="scaling", n_iter=20, tol=-np.inf).fit(X)
    assert np.allclose(learned.emission_, theirs.emissionprob_, rtol=0, atol=1e-6)
    taken = in_turn(
        lambda: begin.fit([rolls], 20, 0),
        lambda: peer(begin, implementation="scaling", n_iter=20, tol=-np.inf).fit(X),
        40,
    )
    return [*ratios, within("HMM, T=300, 20 steps of Baum–Welch / fit of hmmlearn", *taken, 4)]


def in_turn(ours, theirs, runs):
    """Milliseconds of CPU of two functions, called in turn, after a first call of each that is not counted."""
    taken = [], []
    for run in range(runs + 1):
        for function, times in zip((ours, theirs), taken):
            begin = time.process_time()
            function()
            if run:
                times.append(1000 * (time.process_time() - begin))
    return taken


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
