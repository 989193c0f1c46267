"""What a reader and a teacher wait for: a picture after a slider, the first picture, the next slide, the grades of a class."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from bayeslib import live
from bayeslib.figures.controls import values_of
from tests import course, lab
from tests.bench import Line, row
from tools.film import Stage, state_of

KERNEL = {"kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"}}
# A live figure without frames ahead, and with them; the same moved by interact; and a slider that is only echoed.
FIGURES = {name: make for name, make in vars(live).items() if hasattr(make, "spec")}
SOURCES = {
    "live": "from bayeslib import live\nfigure = live.{figure}()\nfigure._ahead.start = lambda: None\nfigure",
    "ahead": "live.{figure}()",
    "interact": """\
from IPython.display import Image
from ipywidgets import IntSlider, interact
shown = live.{figure}()

def draw(x):
    shown.set({slider}=x)
    return Image(shown.frame())

interact(draw, x=IntSlider({value}, {low}, {high}))""",
    "echo": """\
from ipywidgets import IntSlider, Label, VBox
slider, echo = IntSlider({value}, {low}, {high}), Label("0")
slider.observe(lambda change: setattr(echo, "value", str(change["new"])), "value")
VBox([slider, echo])""",
}
# In the page: from the key press on the slider to the painted picture (or text) that answers it.
MEASURE = """(kind) => {
    const root = document.querySelector(`[data-cell="${kind}"]`);
    const now = {
        live: () => root.querySelector(".bayeslib-stage canvas").dataset.key,
        ahead: () => root.querySelector(".bayeslib-stage canvas").dataset.key,
        interact: () => root.querySelector(".jp-OutputArea img")?.src,
        echo: () => [...root.querySelectorAll(".jp-OutputArea-output .widget-label")].at(-1).textContent,
    }[kind];
    const before = now();
    let begin = null;
    root.addEventListener("keydown", () => (begin = performance.now()), { capture: true, once: true });
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


def measured(figure, moves=20):
    """kind → milliseconds from a key press on a slider to pixels, the three in turn in one notebook."""
    shown = getattr(live, figure)()
    name = "step" if "step" in shown.controls else shown.main[0]
    control = shown.controls[name]
    low, high = int(control.min), int(control.max)
    value = int(control.value)
    slider = {"figure": figure, "slider": name, "value": value, "low": low, "high": high}
    cells = [new_code_cell(source.format(**slider), id=kind) for kind, source in SOURCES.items()]
    times = {kind: [] for kind in SOURCES}
    with tempfile.TemporaryDirectory() as folder:
        nbformat.write(new_notebook(cells=cells, metadata=KERNEL), Path(folder) / "bench.ipynb")
        with lab.jupyterlab(Path(folder)) as address, lab.browser() as browser:
            page = lab.open_notebook(browser, address, "bench.ipynb", reduced_motion="reduce")
            lab.run_all(page)
            page.wait_for_timeout(3000)
            for move in range(moves + 5):
                for kind, taken in times.items():
                    cell = lab.cell(page, kind)
                    drawn = kind in ("live", "ahead")
                    handle = (
                        cell.get_by_role("slider", name=control.description, exact=True)
                        if drawn
                        else cell.locator(".noUi-handle").first
                    )
                    handle.focus()
                    page.wait_for_timeout(450)  # frames are drawn ahead while the hand rests
                    page.evaluate(MEASURE, kind)
                    page.keyboard.press(("ArrowRight", "ArrowLeft")[(move + (control.value == control.max)) % 2])
                    answered = page.evaluate("() => window.measured")
                    taken += [answered] * (move >= 5)  # the first moves warm everything up
                    page.wait_for_timeout(100)
    return times


@row
def slider_to_pixels():
    """From a key press on a slider to pixels in Chromium: each figure beside interact, and beside a slider that is only echoed."""
    for figure in FIGURES:
        times = measured(figure)
        yield Line(f"{figure}, nothing ahead, beside an echo", 1.4, times["live"], times["echo"])
        yield Line(f"{figure}, nothing ahead, beside interact", 1 / 3, times["live"], times["interact"])
        yield Line(f"{figure}, frames ahead, beside an echo", 1, times["ahead"], times["echo"])


def _moves(figure):
    """A figure in every step and along every slider, as its reader moves it."""
    for name, control in figure.controls.items():
        for value in values_of(control, 12):
            figure.set(**{name: value})
            yield
        figure.preset("reset")


@row
def updates():
    """CPU milliseconds of the kernel and kilobytes sent for one move of a control: the middle one and the worst."""
    for name, make in FIGURES.items():
        figure, times, sizes, begin = make(), [], [], time.process_time()
        opening = figure.view.opening
        for turn in range(2):
            for _ in _moves(figure):
                times += [1000 * (time.process_time() - begin)] * turn  # the first turn warms everything up
                told = [figure.view.change] + [figure.view.opening] * (figure.view.opening != opening)
                sizes.append(len(json.dumps(told, ensure_ascii=False, separators=(",", ":"))) / 1000)
                opening, begin = figure.view.opening, time.process_time()
        yield Line(f"{name}, an update", 6, times)
        yield Line(f"{name}, its worst", 20, [max(times)])
        yield Line(f"{name}, what is sent", 2, sizes, unit="kB")
        yield Line(f"{name}, the most", 12, [max(sizes)], unit="kB")


# In the page: milliseconds that each frame of a motion takes, until its pixels are there.
PAINTED = """(states) => {
    const now = () => Performance.prototype.now.call(performance), taken = [];
    for (const state of states) {
        go(state);
        for (let k = 0; k < 12; k++) {
            const begin = now();
            pass(state.pace / 12);
            document.querySelector("canvas").getContext("2d").getImageData(0, 0, 1, 1);
            taken.push(now() - begin);
        }
        pass(1000);
    }
    return taken;
}"""


@row
def frames_of_motion():
    """One frame of motion in the page at single and double resolution: the middle one, and what 19 of 20 stay under."""
    with lab.browser() as browser:
        for scale in (1, 2):
            stage = Stage(browser, scale)
            for name, make in FIGURES.items():
                figure, changes = make(), []
                stage.put(figure)
                for label in figure.presets:
                    figure.preset(label)
                    changes.append({**state_of(figure), "pace": 500, "by": 0})
                for step in range(figure.controls["step"].max + 1 if "step" in figure.controls else 0):
                    figure.set(step=step)
                    changes.append({**state_of(figure), "pace": 500})
                taken = stage.page.evaluate(PAINTED, changes)
                yield Line(f"{name}, {scale}×", 16, taken)
                yield Line(f"{name}, {scale}×, 95%", 50, [statistics.quantiles(taken, n=20)[-1]])


@row
def first_picture(runs=5):
    """From the address to the first live picture (section 00, on its slide), beside voila with an empty notebook."""
    line = Line("first live picture on a slide", 2.5)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        nbformat.write(new_notebook(metadata=KERNEL, cells=[new_markdown_cell("# Nothing")]), folder / "empty.ipynb")
        voila = [sys.executable, "-m", "voila", folder, "--no-browser", "--Voila.ip=127.0.0.1"]
        with (
            lab.slides("00", folder) as slides,
            lab.served(voila, "/voila/static/voila.js", folder) as empty,
            lab.browser() as browser,
        ):
            for run in range(runs + 1):
                for address, awaited, taken in (
                    (f"{slides}#3", ".current .bayeslib-frame canvas[data-key]", line.ours),
                    (f"{empty}/voila/render/empty.ipynb", "#rendered_cells h1", line.peer),
                ):
                    page = lab.new_page(browser)
                    begin = time.perf_counter()
                    page.goto(address, wait_until="commit")
                    page.locator(awaited).first.wait_for(timeout=60_000)
                    taken += [1000 * (time.perf_counter() - begin)] * (run > 0)  # the first warms everything up
                    page.close()
    yield line


# In the page: from the key to the frame that shows the next slide.
TURN = """() => new Promise((done) => {
    const begin = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    requestAnimationFrame(() => requestAnimationFrame(() => done([location.hash, performance.now() - begin])));
})"""


@row
def slide_to_slide():
    """From a key to the next slide on the wall, all slides of the longest lesson that have nothing to show in between."""
    line = Line("slide to slide, milliseconds", 200)
    with tempfile.TemporaryDirectory() as name, lab.slides("10", Path(name)) as address, lab.browser() as browser:
        page = lab.open_slides(browser, address)
        for at in range(1, page.locator("#slides section").count()):
            page.evaluate(f"() => {{ location.hash = {at}; }}")
            page.wait_for_timeout(100)
            turned, taken = page.evaluate(TURN)
            line.ours += [taken] * (turned == f"#{at + 1}")
    yield line


@row
def grading(students=40):
    """Wall time of grading a submission of exercise 01, sandbox included, beside stock `nbgrader autograde`.

    Both start from the command line and use what cores they know how to use.
    """
    line = Line(f"a submission of {students}", 1 / 5, unit="s")
    with tempfile.TemporaryDirectory() as name:
        ours, stock = Path(name) / "ours", Path(name) / "stock"
        course.make(ours)
        work = course.solved(ours)
        for number in range(students):
            course.submit(ours, f"student{number:02}", work)
        stock_course(stock, ours)
        for folder, words, taken in (
            (ours, ["grading", "grade"], line.ours),
            (stock, ["nbgrader", "autograde"], line.peer),
        ):
            begin = time.perf_counter()
            command = [sys.executable, "-m", *words, course.NAME, "--force"]
            told = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
            taken.append((time.perf_counter() - begin) / students)
            graded = len(list((folder / "autograded").glob(f"*/{course.NAME}/*.ipynb")))
            assert graded == students, told.stdout + told.stderr
    yield line


def stock_course(stock, ours):
    """The same submissions for nbgrader as it comes: without our settings, and with a check that is content with everything,
    because ours does not let itself be run there, and without the figure, which would cost stock nbgrader seconds more."""
    shutil.copytree(ours, stock, ignore=shutil.ignore_patterns("references", "secrets", "autograded", "gradebook*"))
    (stock / "nbgrader_config.py").write_text(f"get_config().CourseDirectory.root = {str(stock)!r}\n")
    content = {
        "from bayeslib.questions import exercise": "exercise = lambda name: lambda *function, **value: None",
        "from bayeslib import live": "live = None",
        "live.posterior_curve()": "live",
    }
    for path in [*stock.glob("source/*/*.ipynb"), *stock.glob("submitted/*/*/*.ipynb")]:
        text = path.read_text()
        for was, now in content.items():
            text = text.replace(was, now)
        path.write_text(text)
    words = [sys.executable, "-m", "nbgrader", "generate_assignment", course.NAME, "--force"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(words, cwd=stock, capture_output=True, check=True, env=os.environ | {"PATH": path})
