"""Import time, slider to pixels, and every live figure's frame."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import numpy as np
from nbformat.v4 import new_code_cell, new_notebook

from tests import lab
from tests.bench import Ratio, faster, row, within
from tests.figures import FIGURES
from tests.sections import ranges


@row
def import_time():
    """CPU time of `import bayeslib`, its first function loaded, beside `import numpy`, each in a fresh interpreter, in turn."""
    code = "import time; begin = time.process_time(); import {}; print(time.process_time() - begin)"
    times = {"bayeslib, bayeslib.models.bayes": [], "numpy": []}
    for _ in range(25):
        for name, taken in times.items():
            out = subprocess.run(
                [sys.executable, "-c", code.format(name)], capture_output=True, text=True, check=True, cwd="/"
            )
            taken.append(1000 * float(out.stdout))
    return [within("import bayeslib / import numpy", times["bayeslib, bayeslib.models.bayes"], times["numpy"], 1.25)]


# The notebook behind the next row: a live figure, the same artists drawn by interact, and a slider that is only echoed.
INTERACT = """\
%matplotlib inline
import matplotlib
import matplotlib.pyplot as plt
from ipywidgets import IntSlider, interact
from bayeslib.models import bayes
from bayeslib.live.bayes_theorem import PRIORS
from bayeslib.plots import bayes_theorem as plots, theme

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
    """From a key press on a slider to pixels in Chromium: live figure, interact and echo in turn.

    Once with frames drawn ahead switched off, which has the goals, and once with them.
    """
    ratios = []
    for figure, draws_ahead in [(figure, draws_ahead) for figure in DRAW for draws_ahead in (False, True)]:
        draw, how = DRAW[figure], "" if draws_ahead else ", no frames ahead"
        begin = "" if draws_ahead else "from bayeslib.live.ahead import Ahead\nAhead.start = lambda self: None\n"
        sources = {
            "live": f"{begin}from bayeslib import live\nlive.{figure}()",
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
        by = 3.6 if figure == "posterior_curve" and not draws_ahead else 0
        ratios += [
            faster(f"{figure}: interact / live figure, slider to pixels{how}", times["live"], times["interact"], by),
            within(f"{figure}: live figure / echo, slider to pixels{how}", times["live"], times["echo"], 2.2),
            Ratio(
                f"{figure}: blank frames of the live figure in a fast drag{how}",
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


# In the page: each picture painted while a slider is dragged, and how long a move waits for the next painted picture.
DRAGGED = """(cell) => {
    const root = document.querySelector(`[data-cell="${cell}"]`), figure = root.querySelector(".bayeslib-frame");
    window.dragged = { pictures: 0, waits: [] };
    let moved = 0, key = figure.querySelector("img").dataset.key;
    root.querySelector(".bayeslib-live").addEventListener("pointermove", () => (moved ||= performance.now()), true);
    const look = () => {
        const now = figure.querySelector("img").dataset.key, since = moved;
        requestAnimationFrame(look);
        if (now === key) return;
        key = now;
        moved = 0;
        setTimeout(() => { // after the paint
            dragged.pictures += 1;
            if (since) dragged.waits.push(performance.now() - since);
        });
    };
    requestAnimationFrame(look);
}"""


@row
def far_kernel(moves=90, seconds=0.075):
    """A drag over a warmed range with the kernel 75 ms away in each direction: pictures a second, wait for the first change."""
    ratios = []
    for name in ("posterior_curve", "population"):
        cells = [new_code_cell(f"from bayeslib import live\nlive.{name}()", id="far")]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        found = {}
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(new_notebook(cells=cells, metadata=kernel), Path(folder) / "far.ipynb")
            with lab.jupyterlab(Path(folder)) as near, lab.far(near) as (address, away), lab.browser() as browser:
                for warmed in (False, True):
                    away(0)
                    page = lab.open_notebook(browser, address, "far.ipynb")
                    lab.run_all(page)
                    cell = lab.cell(page, "far")
                    cell.locator('img[data-sharp="true"]').wait_for()
                    handle = cell.locator(".noUi-handle").first
                    away(seconds)
                    if warmed:
                        handle.hover()
                        page.wait_for_timeout(8000)
                    at, track = handle.bounding_box(), cell.locator(".noUi-target").first.bounding_box()
                    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
                    page.mouse.move(x, y)
                    page.mouse.down()
                    page.evaluate(DRAGGED, "far")
                    begin = time.perf_counter()
                    for move in range(1, moves + 1):
                        page.mouse.move(x + (track["x"] + 0.9 * track["width"] - x) * move / moves, y)
                        page.wait_for_timeout(10)
                    taken, seen = time.perf_counter() - begin, page.evaluate("() => dragged")
                    page.mouse.up()
                    found[warmed] = seen["pictures"] / taken, statistics.median(seen["waits"] or [1000 * taken])
                    page.close()
        (slow, long), (rate, wait) = found[False], found[True]
        ratios += [
            Ratio(f"{name}: pictures a second", rate, "at least 20", rate >= 20, f"without frames ahead {slow:.1f}"),
            Ratio(
                f"{name}: ms to the first change", wait, "at most 50", wait <= 50, f"without frames ahead {long:.0f}"
            ),
        ]
    return ratios
