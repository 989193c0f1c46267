"""Real JupyterLab in real Chromium: every figure is whole at every width, says its names, and says so when Python is gone."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests import lab
from tests.figures import FIGURES, rotating

SIZES = [(1024, 768), (1280, 720), (1920, 1080)]

# What a reader can see of a figure: heights, what is cut, what scrolls, and what a keyboard and a screen reader find.
MEASURE = """async (box) => {
    const controls = box.querySelector(":scope > .bayeslib-controls"), figure = box.querySelector(".bayeslib-frame");
    const all = (selector) => [...controls.querySelectorAll(selector)].filter((each) => each.checkVisibility());
    const name = (each) => each.textContent || each.getAttribute("aria-label") || each.className;
    const edge = box.getBoundingClientRect();
    const inside = (each) => { const { left, right } = each.getBoundingClientRect(); return left >= edge.left - 1 && right <= edge.right + 1; };
    const tabs = [...box.querySelectorAll("button, [role=slider], input, select, textarea, [contenteditable], [tabindex]")]
        .filter((each) => each.tabIndex >= 0 && each.checkVisibility());
    const probe = document.createElement("select");
    return {
        height: box.offsetHeight, room: box.closest(".jp-WindowedPanel-outer").clientHeight, width: box.offsetWidth,
        controls: controls.offsetHeight, over: controls.scrollHeight - controls.clientHeight,
        picture: figure.querySelector("img").offsetHeight, caption: figure.querySelector("figcaption").offsetHeight,
        tracks: all(".noUi-target").map((each) => each.offsetWidth),
        scrolling: [controls, ...all("*")].filter((each) => ["auto", "scroll"].includes(getComputedStyle(each).overflowY)
            && (each.scrollHeight > each.clientHeight || each.scrollWidth > each.clientWidth)).map(name),
        cut: all(".widget-label, button, .widget-readout").filter((each) => each.scrollWidth > each.clientWidth + 1 || !inside(each)).map(name),
        lists: all("select").filter((each) => {
            const copy = each.parentElement.appendChild(each.cloneNode(true));
            copy.style.cssText = "position: absolute; width: max-content; min-width: 0";
            const wanted = copy.offsetWidth;
            copy.remove();
            return wanted > each.offsetWidth + 1;
        }).map((each) => each.value),
        outside: all("button, .noUi-target, select, input").filter((each) => !inside(each)).map(name),
        folded: [...controls.querySelectorAll(".bayeslib-folded")].map(name),
        unnamed: all("[role=slider]").filter((each) => !each.getAttribute("aria-label") || !each.getAttribute("aria-valuetext")).length,
        said: all("[role=slider]").map((each) => `${each.getAttribute("aria-label")}: ${each.getAttribute("aria-valuetext")}`),
        tabs: tabs.indexOf(figure) + 1,
        words: figure.querySelector("figcaption").textContent === figure.querySelector("img").alt,
    };
}"""


def notebook(path, **cells):
    """Write a notebook with these cells by their ids."""
    made = [new_code_cell(source, id=name.replace("_", "-")) for name, source in cells.items()]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(new_notebook(cells=made, metadata=kernel), path)


def box(page, name):
    """The box of a cell's figure, its picture there."""
    found = lab.cell(page, name.replace("_", "-")).locator(".bayeslib-live:has(> .bayeslib-controls)")
    found.locator("img[data-key]").wait_for(timeout=20_000)
    found.locator('[role="toolbar"]').first.wait_for(state="attached", timeout=10_000)
    return found


def settled(page, found):
    """Measure a figure once its layout stands still."""
    before = None
    for _ in range(40):
        page.wait_for_timeout(120)
        now = found.evaluate(MEASURE)
        if now == before:
            return now
        before = now
    raise AssertionError(f"the layout never came to rest: {now}")


@pytest.fixture(scope="module")
def every(tmp_path_factory, chromium):
    """A page with every figure of this run, each in its cell."""
    folder = tmp_path_factory.mktemp("lab")
    cells = {name: f"live.{name}()" for name in rotating(FIGURES)}
    notebook(folder / "all.ipynb", first="from bayeslib import live", **cells)
    with lab.jupyterlab(folder) as address:
        page = lab.open_notebook(chromium, address, "all.ipynb", viewport={"width": 1280, "height": 720})
        lab.run_all(page)
        yield page
        assert page.errors == []
        page.close()


@pytest.mark.heavy
@pytest.mark.parametrize("name", rotating(FIGURES))
def test_every_figure_is_whole_at_every_width(every, name):
    for width, height in SIZES:
        every.set_viewport_size({"width": width, "height": height})
        seen = settled(every, box(every, name))
        whole(seen, f"{name} at {width} px: {json.dumps(seen)}")


def whole(seen, where):
    assert seen["controls"] <= 130 and seen["over"] <= 0, f"too many controls in {where}"
    assert seen["height"] <= seen["room"], f"higher than its window: {where}"
    assert all(track >= 120 for track in seen["tracks"]), f"a short slider in {where}"
    assert not (seen["scrolling"] or seen["cut"] or seen["lists"] or seen["outside"]), f"cut: {where}"
    assert not seen["unnamed"] and seen["tabs"] <= 8 and seen["words"], f"not for everyone: {where}"
