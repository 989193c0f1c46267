"""Slides: how soon the first live picture is there, and how soon the next slide."""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbformat.v4 import new_markdown_cell, new_notebook

from tests import lab
from tests.bench import Ratio, row, within
from tests.test_room_votes import QUESTION, crowd, running

KERNEL = {"kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"}}


@row
def first_picture(runs=5):
    """From the address to the first live picture (section 00, on its slide), beside voila with an empty notebook."""
    times = {"slide": [], "empty": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        nbformat.write(new_notebook(metadata=KERNEL, cells=[new_markdown_cell("# Nothing")]), folder / "empty.ipynb")
        voila = [sys.executable, "-m", "voila", folder, "--no-browser", "--Voila.ip=127.0.0.1"]
        with (
            lab.slides("00", folder) as slides,
            lab.served(voila, "/voila/static/voila.js", folder) as empty,
            lab.browser() as browser,
        ):
            pages = {
                "slide": (f"{slides}#3", ".current .bayeslib-frame img"),
                "empty": (f"{empty}/voila/render/empty.ipynb", "#rendered_cells h1"),
            }
            for run in range(runs + 1):
                for kind, (address, awaited) in pages.items():
                    page = lab.new_page(browser)
                    begin = time.perf_counter()
                    page.goto(address, wait_until="commit")
                    page.locator(awaited).first.wait_for(timeout=60_000)
                    if run:  # the first warms everything up
                        times[kind].append(1000 * (time.perf_counter() - begin))
                    page.close()
    return [within("first live picture on a slide / empty notebook in voila", times["slide"], times["empty"], 2.5)]


# In the page: from the key to the frame that shows the next slide.
TURN = """() => new Promise((done) => {
    const begin = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    requestAnimationFrame(() => requestAnimationFrame(() => done([location.hash, performance.now() - begin])));
})"""


@row
def slide_to_slide():
    """From a key to the next slide on the wall, all slides of the longest lesson that have nothing to show in between."""
    with tempfile.TemporaryDirectory() as name, lab.slides("10", Path(name)) as address, lab.browser() as browser:
        page = lab.open_slides(browser, address)
        times = []
        for at in range(1, page.locator("#slides section").count()):
            page.evaluate(f"() => {{ location.hash = {at}; }}")
            page.wait_for_timeout(100)
            turned, taken = page.evaluate(TURN)
            if turned == f"#{at + 1}":
                times.append(taken)
    slowest = max(times)
    detail = f"milliseconds, the slowest of {len(times)} slides of section 10"
    return [Ratio("slide to slide", slowest, "at most 200 ms", slowest <= 200, detail)]


@row
def room_that_votes():
    """How long a phone waits for an answer while 500 of them vote within four seconds."""
    with running() as beside:
        beside.ask("POST", step="open", question=QUESTION)
        delays = crowd(beside.where, spread=4)
    middle = 1000 * statistics.median(delays)
    detail = f"milliseconds, the median of {len(delays)} answers; the longest {1000 * max(delays):.0f}"
    return [Ratio("answer to a phone among 500", middle, "at most 200 ms", middle <= 200, detail)]
