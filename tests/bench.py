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

import bayeslib
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


# A million conjunctions over ten attributes of three values, and 40 examples of one of them, one label in ten wrong.
CONJUNCTIONS = """
import numpy as np
from bayeslib.concepts import ConjunctiveSpace, covers

space = ConjunctiveSpace({f"a{n}": range(3) for n in range(10)})
random = np.random.default_rng(0)
days = [tuple(day) for day in random.integers(0, 3, (40, 10)).tolist()]
target = (0, *["?"] * 9)
examples = [(day, covers(target, day) != (random.random() < 0.1)) for day in days]
"""
PEAK = (
    "import resource\nspace.posterior(examples, noise=0.1)\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
)


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

    times = {"ours": [], "dense": []}
    ways = {"ours": lambda: space.posterior(examples, noise=0.1).array, "dense": dense}
    assert np.allclose(ways["ours"](), ways["dense"](), rtol=1e-9, atol=0)
    for _ in range(runs):
        for name, way in ways.items():
            begin = time.process_time()
            way()
            times[name].append(1000 * (time.process_time() - begin))
    out = subprocess.run([sys.executable, "-c", CONJUNCTIONS + PEAK], capture_output=True, text=True, check=True)
    peak = int(out.stdout) / 1024
    return [
        faster(
            "posterior over 1,048,577 conjunctions, 40 examples: dense mask / ours", times["ours"], times["dense"], 20
        ),
        Ratio("the same, memory of the whole process in MB", peak, "at most 200 MB", peak <= 200, "peak, one process"),
    ]


@row
def text_em(runs=7, rounds=10):
    """CPU time of EM over 4,000 documents of 5,000 words, 100 of each of 4 classes labeled, both sides from the same sparse
    matrix, beside a loop over scikit-learn's MultinomialNB: there an unlabeled document comes once for each class, with
    its share as sample weight; the stacked matrix is made before the clock runs."""
    from scipy.sparse import csr_array, vstack
    from sklearn.naive_bayes import MultinomialNB

    random, k = np.random.default_rng(0), 4
    kind = np.arange(4000) % k
    chances = random.dirichlet(np.full(5000, 0.05), k)
    X = csr_array(np.stack([random.multinomial(80, 0.7 * chances[each] + 0.3 / 5000) for each in kind]).astype(float))
    y = [int(each) if place < 100 * k else None for place, each in enumerate(kind)]
    known, labels = X[: 100 * k], kind[: 100 * k]
    unlabeled, targets = X[100 * k :], np.concatenate([labels, np.repeat(range(k), 4000 - 100 * k)])
    stacked = vstack([known, *[unlabeled] * k]).tocsr()

    def ours():
        return bayeslib.MultinomialNaiveBayes(iterations=rounds, tolerance=0).fit(X, y).log_table_

    def peer():
        model = MultinomialNB().fit(known, labels)
        for _ in range(rounds):
            weights = np.concatenate([np.ones(len(labels)), model.predict_proba(unlabeled).T.ravel()])
            model.fit(stacked, targets, sample_weight=weights)
        return model.feature_log_prob_

    assert np.allclose(ours(), peer(), atol=1e-6)
    times = {ours: [], peer: []}
    for _ in range(runs):
        for way, taken in times.items():
            begin = time.process_time()
            way()
            taken.append(1000 * (time.process_time() - begin))
    name = f"text EM, {X.shape[0]:,} × {X.shape[1]:,}, {rounds} rounds, sparse: scikit-learn loop / ours"
    return [faster(name, times[ours], times[peer], 3)]


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
