"""A lesson's slides as PDF, for a room without any of this, and as handouts: `make deck SECTION=10 MINUTES=45`.

The slides are stepped through as with a clicker, in a headless browser, and every stop is copied to a page: the question
first, then its answer. The handout for before the hour has the pages without answers, three on a sheet; another has all.
"""

import re
import sys
import tempfile
from pathlib import Path

from tools.browser import browser, open_slides, slides
from tools.lecture.__main__ import find

OUT = Path(__file__).parents[2] / "build" / "deck"
SHEETS = {  # name of the file -> (class of the page, width, height)
    "": ("", "1280px", "720px"),
    "-handout": ("handout unanswered", "794px", "1123px"),
    "-handout-with-answers": ("handout", "794px", "1123px"),
}
MOST = 400
COPY = """() => {
    const deck = document.querySelector(".deck") ?? document.body.appendChild(Object.assign(document.createElement("main"), { id: "slides", className: "deck" }));
    const copy = document.querySelector("#slides").copy();
    copy.classList.toggle("answers", Boolean(copy.querySelector(".bayeslib-locked-in, details[open]")));
    deck.append(copy);
    return deck.children.length;
}"""
# What a press of the clicker changes, except the last.
STOP = """() => { const slide = document.querySelector("section.current"); return [location.hash, slide.dataset.phase, slide.scrollTop,
    ...["details[open]", ".bayeslib-locked-in", ".bayeslib-frame"].map((each) => slide.querySelectorAll(each).length)].join(); }"""
STYLE = """
@page { margin: 0; }
.deck { display: none; }
@media print {
  html, body { height: auto; overflow: visible !important; }
  body > :not(.deck) { display: none !important; }
  #slides.deck { display: block; }
  #slides.deck section { --screen: 1; position: relative; inset: auto; visibility: visible; width: 1280px; height: 719px; box-sizing: border-box; overflow: hidden; break-after: page; break-inside: avoid; }
  .handout #slides.deck section { zoom: .47; break-after: auto; margin: 40px auto 0; border: 2px solid silver; }
  .unanswered #slides.deck .answers { display: none; }
}
"""


def write(section, minutes, folder):
    """The PDF files of a section, the number of slides, and what the plan says."""
    name = find(section).removesuffix(".ipynb")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as logs, browser() as chromium:
        with slides(section, Path(logs), f"--minutes={minutes}") as address:
            page = open_slides(chromium, address)
            page.emulate_media(reduced_motion="reduce")
            page.add_style_tag(content=STYLE)
            pages, files = _walk(page), []
            for suffix, (kind, width, height) in SHEETS.items():
                page.evaluate("(kind) => { document.documentElement.className = kind; }", kind)
                files.append(folder / f"{name}{suffix}.pdf")
                page.pdf(path=files[-1], width=width, height=height, print_background=True, tagged=True)
            log = (Path(logs) / "server.log").read_text()
    return files, pages, re.findall(r"^\d+ minutes of [^\n]*(?:\n +\d+ min[^\n]*)*", log, re.MULTILINE)


def _walk(page):
    page.keyboard.press("Home")
    page.wait_for_timeout(1000)
    for _ in range(MOST):
        pages, before = page.evaluate(COPY), page.evaluate(STOP)
        page.keyboard.press("PageDown")
        for _ in range(60):  # longer than a clicker waits for a Python that is busy
            page.wait_for_timeout(50)
            if page.evaluate(STOP) != before:
                page.wait_for_timeout(500)  # a picture is drawn, the slide fitted
                break
        else:
            return pages
    raise RuntimeError(f"the slides did not end after {MOST} steps")


def main(section="", minutes="", folder=OUT):
    files, pages, summary = write(section, minutes, Path(folder))
    print(*summary, f"{pages} pages in", *files, sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
