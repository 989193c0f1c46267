"""Slides: how soon the first live picture is there."""

import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbformat.v4 import new_markdown_cell, new_notebook

from tests import lab
from tests.bench import row, within

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
