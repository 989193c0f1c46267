"""A lesson's slides as PDF, one page per slide, for a room without any of this: `make deck SECTION=10 MINUTES=45`.

The slides are stepped through as with a clicker, in a headless browser: a prediction becomes its question, the figure as it
opens, and the answer. Every stop is copied to a page of the PDF.
"""

import re
import sys
import tempfile
from pathlib import Path

from tools.browser import browser, open_slides, slides
from tools.lecture.__main__ import find

OUT = Path(__file__).parents[2] / "build" / "deck"
SIZE = {"width": 1280, "height": 720}
MOST = 400

# Copies the current slide to a page of its own; pictures by value, because their addresses expire.
COPY = """() => {
    const section = document.querySelector("section.current");
    section.querySelectorAll(".answered").forEach((each) => each.classList.add("asked-again"));
    dispatchEvent(new Event("resize")); // fitted anew
    const copy = section.cloneNode(true);
    const drawn = section.querySelectorAll("img");
    copy.querySelectorAll("img").forEach((each, at) => {
        if (!drawn[at].naturalWidth || !each.src.startsWith("blob:")) return;
        const canvas = Object.assign(document.createElement("canvas"), { width: drawn[at].naturalWidth, height: drawn[at].naturalHeight });
        canvas.getContext("2d").drawImage(drawn[at], 0, 0);
        each.src = canvas.toDataURL();
    });
    copy.querySelectorAll(".hidden, .waiting, .voila-skeleton-container, .code").forEach((each) => each.remove());
    const page = document.createElement("div"), foot = document.createElement("p");
    foot.textContent = `${document.querySelector("#bar span").textContent} · ${location.hash.slice(1)}`;
    page.className = "page";
    page.append(copy, foot);
    const deck = document.querySelector("#slides.deck") ?? Object.assign(document.createElement("main"), { id: "slides", className: "deck" });
    deck.append(page);
    document.body.append(deck);
    return [deck.children.length, section.scrollHeight > section.clientHeight + 1];
}"""
# Opens what is folded on the slide; returns whether there was anything.
UNFOLD = """() => {
    const folds = [...document.querySelectorAll("section.current details:not(.code, [open])")].filter((each) => each.checkVisibility());
    folds.forEach((each) => { each.open = true; });
    return folds.length > 0;
}"""
# The state of the slide, which every press of the clicker changes, except the last.
STOP = """() => [location.hash, document.querySelectorAll("section.current .bayeslib-frame img").length,
    document.querySelectorAll("section.current form button:disabled").length, document.querySelectorAll("section.current .waiting").length].join()"""
STYLE = """
@page { size: 1280px 720px; margin: 0; }
.deck { display: none; }
.bayeslib-controls, .bayeslib-question button, .bayeslib-question input { display: none !important; } /* nothing to press on paper */
@media print {
  html, body { height: auto; overflow: visible !important; }
  body > :not(.deck) { display: none !important; }
  .deck { display: block; }
  .deck .page { position: relative; width: 1280px; height: 719px; overflow: hidden; break-after: page; }
  .deck .page > p { position: absolute; right: 20px; bottom: 2px; margin: 0; font: 15px sans-serif; color: dimgray; }
}
"""


def write(section, minutes, folder):
    """The deck of a section: its path, the number of its pages, the slides that are cut off, and what the plan says."""
    path = folder / find(section).replace(".ipynb", ".pdf")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as logs, browser() as chromium:
        with slides(section, Path(logs), f"--minutes={minutes}") as address:
            page = open_slides(chromium, address)
            page.add_style_tag(content=STYLE)
            pages, cut = _walk(page)
            page.pdf(path=path, width="1280px", height="720px", print_background=True, tagged=True)
            log = (Path(logs) / "server.log").read_text()
    return path, pages, cut, re.findall(r"^\d+ minutes of [^\n]*(?:\n +\d+ min[^\n]*)*", log, re.MULTILINE)


def _walk(page):
    cut = set()

    def copy():
        pages, too_tall = page.evaluate(COPY)
        if too_tall:
            cut.add(int(page.evaluate("location.hash.slice(1)")))
        return pages

    page.keyboard.press("Home")
    page.wait_for_timeout(300)
    for _ in range(MOST):
        pages, before = copy(), page.evaluate(STOP)
        if page.evaluate(UNFOLD):
            page.wait_for_timeout(100)
            pages = copy()
        page.keyboard.press("PageDown")
        for _ in range(50):  # longer than a clicker waits for a Python that is busy
            page.wait_for_timeout(50)
            if page.evaluate(STOP) != before:
                page.wait_for_timeout(400)  # a picture is drawn, the slide fitted
                break
        else:
            return pages, sorted(cut)
    raise RuntimeError(f"the slides did not end after {MOST} steps")


def main(section="", minutes="", folder=OUT):
    path, pages, cut, summary = write(section, minutes, Path(folder))
    print(*summary, f"{pages} pages in {path}", *(f"Slide {number} does not fit its page." for number in cut), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
