"""Real JupyterLab in real Chromium: every kind of figure is whole at every width, for everybody, and says so when Python is gone."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from bayeslib import live
from tests import lab
from tests.figures import DRAWN, KINDS

SIZES = [(1024, 768), (1280, 720), (1920, 1080), (640, 360)]  # the last: 1280 x 720 at 200%
KERNEL = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"
SCREEN = {"width": 1280, "height": 720}

# What a reader can see of a figure: heights, what is cut, what scrolls, and what a keyboard and a screen reader find.
MEASURE = """async (box) => {
    const controls = box.querySelector(":scope > .bayeslib-controls"), figure = box.querySelector(".bayeslib-frame");
    const all = (selector) => [...controls.querySelectorAll(selector)].filter((each) => each.checkVisibility());
    const name = (each) => each.textContent || each.getAttribute("aria-label") || each.className;
    const edge = box.getBoundingClientRect();
    const inside = (each) => { const { left, right } = each.getBoundingClientRect(); return left >= edge.left - 1 && right <= edge.right + 1; };
    const tabs = [...box.querySelectorAll("button, [role=slider], input, select, textarea, [contenteditable], [tabindex]")]
        .filter((each) => each.tabIndex >= 0 && each.checkVisibility());
    return {
        height: box.offsetHeight, room: box.closest(".jp-WindowedPanel-outer").clientHeight, width: box.offsetWidth,
        controls: controls.offsetHeight, over: controls.scrollHeight - controls.clientHeight,
        picture: figure.querySelector("canvas").offsetHeight, caption: figure.querySelector("figcaption").offsetHeight,
        tracks: all(".noUi-target").map((each) => each.offsetWidth),
        scrolling: [controls, ...all("*:not(textarea)")].filter((each) => ["auto", "scroll"].includes(getComputedStyle(each).overflowY)
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
        words: figure.querySelector("canvas").ariaLabel === figure.querySelector("figcaption").textContent,
    };
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With a notebook of these figures, and of a question and a prediction."""
    folder = tmp_path_factory.mktemp("lab")
    cells = {"first": "from bayeslib import live"} | {
        name.replace("_", "-"): f"live.{name}()" for name in (*KINDS, *DRAWN)
    }
    cells |= {"asked": 'live.quiz("01/retest")', "guess": 'live.predict("01/first-positive", live.population())'}
    made = [new_code_cell(source, id=name) for name, source in cells.items()]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(new_notebook(cells=made, metadata=kernel), folder / "some.ipynb")
    return folder


@pytest.fixture(scope="module")
def served(folder):
    with lab.jupyterlab(folder) as address:
        yield address


@pytest.fixture(scope="module")
def page(served, chromium):
    """The notebook, run."""
    page = lab.open_notebook(chromium, served, "some.ipynb", viewport=SCREEN)
    lab.run_all(page)
    yield page
    page.close()


def box(page, name):
    """The box of a cell's figure at its opening state, its layout at rest."""
    found = lab.cell(page, name.replace("_", "-")).locator(".bayeslib-live:has(> .bayeslib-controls)")
    found.locator("canvas[data-key]").wait_for()
    found.locator('[role="toolbar"]').first.wait_for(state="attached")
    settled(page, found)
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


def key(found):
    return json.loads(found.locator("canvas[data-key]").get_attribute("data-key"))


def whole(page, name):
    """A figure of which nothing is cut, unnamed or out of reach."""
    seen = settled(page, box(page, name))
    assert seen["over"] <= 0 and all(track >= 120 for track in seen["tracks"]), seen
    assert not (seen["scrolling"] or seen["cut"] or seen["lists"] or seen["outside"] or seen["unnamed"]), seen
    assert seen["tabs"] <= 8 and seen["words"], seen
    return seen


LINE = 32  # pixels: the last line of a caption may stand below the screen


@pytest.mark.heavy
@pytest.mark.parametrize("name", (*KINDS, *DRAWN))
def test_a_figure_of_each_kind_is_whole_at_every_width(page, name):
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        seen = whole(page, name)
        room = seen["room"] + LINE
        assert height == 360 or seen["controls"] <= 130 and seen["height"] <= room, (width, seen)
    page.set_viewport_size(SCREEN)
    assert page.errors == []


@pytest.mark.heavy
def test_controls_without_room_fold_and_open_by_mouse_and_keyboard(page):
    page.set_viewport_size({"width": 1024, "height": 768})
    found = box(page, "two_means")
    last, before = found.locator('[role="slider"][aria-label="start of mean 2"]'), key(found)["mu2"]
    assert not last.is_visible() and found.locator('[role="slider"][aria-label="the point asked about"]').is_visible()
    found.get_by_role("button", name="more controls").click()
    last.press("ArrowRight")
    lab.wait_for(found, lambda key: key["mu2"] > before)
    fewer = found.get_by_role("button", name="fewer controls")
    assert fewer.get_attribute("aria-expanded") == "true"
    fewer.press("Enter")
    assert not last.is_visible()
    page.set_viewport_size({"width": 1920, "height": 1080})
    assert len(settled(page, found)["folded"]) <= 1, "what has room again is unfolded"
    page.set_viewport_size(SCREEN)


@pytest.mark.heavy
def test_the_keyboard_reaches_everything_and_the_picture_soon(page):
    found = box(page, "two_means")
    found.get_by_role("button", name="start", exact=True).focus()
    focus = "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    seen = []
    for _ in range(7):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(focus))
    assert seen[-1].startswith("Drag the ring"), "first the presets, then the picture as the eighth stop"
    assert seen[:4] == ["σ", "the point asked about", "start of mean 1", "start of mean 2"], "one stop a slider"
    found.get_by_role("button", name="start", exact=True).focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focus) == "same place"
    page.keyboard.press("Enter")
    lab.wait_for(found, lambda key: key["mu1"] == key["mu2"] and key["step"] == 2)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(focus) == "reset", "the row goes around"


@pytest.mark.heavy
def test_a_player_names_its_rounds_and_stops_for_a_preset_and_out_of_sight(page):
    found = box(page, "boost_bound")
    found.get_by_role("button", name="20% flipped, round 60").click()
    lab.wait_for(found, lambda key: key["step"] == 24)
    assert found.locator(".bayeslib-round").inner_text() == "round 60"
    assert found.get_by_role("slider").get_attribute("aria-valuetext") == "round 60, step 24 of 29"
    for stop in (lambda: found.get_by_role("button", name="reset").click(), lambda: box(page, "population")):
        found.get_by_role("button", name="restart").click()
        lab.wait_for(found, lambda key: key["step"] == 0)
        found.get_by_role("button", name="play").click()
        lab.wait_for(found, lambda key: key["step"] > 1)
        stop()
        page.wait_for_timeout(2500)
        box(page, "boost_bound").get_by_role("button", name="play").wait_for()


@pytest.mark.heavy
def test_nodes_of_a_network_answer_to_clicks_and_keys_in_their_order(page):
    found, figure = box(page, "observe"), live.observe().figure
    found.get_by_role("button", name="reset").click()
    lab.wait_for(found, lambda key: key["evidence"] == {})
    [name] = [text for text in figure.axes[0].texts if text.get_text() == "Bus"]
    x, y = figure.axes[0].transData.transform(name.get_position()) / (figure.bbox.width, figure.bbox.height)
    for evidence in ({"Bus": True}, {"Bus": False}, {}):
        place = found.locator("canvas").evaluate("(image) => image.getBoundingClientRect().toJSON()")
        page.mouse.click(place["x"] + x * place["width"], place["y"] + (1 - y) * place["height"])
        lab.wait_for(found, lambda key: key["evidence"] == evidence)
    # Of a kernel with subshells each widget may be answered in another thread, and a cell holds up one of them.
    found.locator("canvas[data-key]").wait_for()  # at rest: what came before is answered
    page.evaluate(f"() => {{ window.busy = {KERNEL}.requestExecute({{ code: 'import time; time.sleep(3)' }}).done; }}")
    found.get_by_role("button", name="thunder", exact=True).click()
    found.locator(".bayeslib-frame").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    page.evaluate("() => busy")
    lab.wait_for(found, lambda key: key["evidence"] == {"Thunder": True, "Campfire": True})


def readable(page, found):
    """In the dark, words stand out from what is behind them."""
    page.evaluate("() => window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    page.wait_for_selector('body[data-jp-theme-light="false"]', state="attached")
    pairs = found.evaluate(COLOURS)
    assert len(pairs) > 10 and [what for what, front, back in pairs if lab.contrast(front, back) < 4.5] == []


@pytest.mark.heavy
def test_in_the_dark_words_can_be_read(page):
    readable(page, box(page, "test_after_test"))


def sliding(page, found):
    """Try to move the first slider; tells whether it went."""
    handle = found.locator('[role="slider"]').first
    before, area = handle.get_attribute("aria-valuenow"), handle.bounding_box()
    page.mouse.move(area["x"] + 8, area["y"] + 8)
    page.mouse.down()
    page.mouse.move(area["x"] + 90, area["y"] + 8, steps=4)
    page.mouse.up()
    handle.evaluate("(handle) => handle.focus()")
    page.keyboard.press("ArrowRight")
    return handle.get_attribute("aria-valuenow") != before


def dead(page, found, words):
    """Within 3 s the figure says so and is grey."""
    found.get_by_role("alert").filter(has_text=words).wait_for()
    assert "grayscale" in found.locator(".bayeslib-frame").evaluate("(each) => getComputedStyle(each).filter")


@pytest.mark.parametrize("end", ["restart()", "requestExecute({ code: 'import os; os._exit(1)' })"])
def test_a_dead_kernel_says_so_no_slider_pretends_and_a_click_runs_the_cells_again(page, end):
    found = box(page, "posterior_curve")
    assert found.get_by_role("alert").count() == 0 and sliding(page, found)
    page.evaluate(f"() => {{ {KERNEL}.{end}; }}")
    dead(page, found, "Run the cells above again, then this cell")
    assert not sliding(page, found)
    if "exit" in end:
        page.locator(".jp-Dialog").get_by_role("button", name="Ok").click()  # JupyterLab says it too
    found.get_by_role("button", name="Run them now").click()
    found.get_by_role("alert").wait_for(state="detached")
    assert sliding(page, box(page, "posterior_curve"))


@pytest.mark.heavy
def test_a_question_over_a_dead_kernel_says_that_nobody_answers(page):
    form = lab.cell(page, "asked").locator("form")
    page.evaluate(f"async () => {{ await {KERNEL}.restart(); }}")
    form.locator("input").first.check()
    form.get_by_role("button").first.click()
    form.get_by_role("status").filter(has_text="Python has not answered for 3 seconds").wait_for()


@pytest.mark.heavy
def test_a_lost_connection_and_a_silent_kernel_are_told_and_recovered_from(served, chromium):
    with lab.far(served) as (address, away):
        page = lab.open_notebook(chromium, address, "some.ipynb", viewport=SCREEN)
        lab.run_all(page)
        found = box(page, "posterior_curve")
        away(4)
        found.locator('[role="slider"]').first.press("ArrowRight")
        dead(page, found, "has not answered for 3 seconds")
        found.get_by_role("alert").wait_for(state="detached")
        lab.wait_for(found, lambda key: key["sick"] == 9)
        away(0)
    dead(page, found, "The connection to Python is lost")
    assert not sliding(page, found)
    page.close()


@pytest.mark.heavy
def test_notebook_7_has_it_all_too(chromium, folder):
    """There the notebook's own keys come before ours, in the capturing phase."""
    with lab.jupyterlab(folder, start=["-m", "notebook"]) as address:
        page = lab.open_notebook(chromium, address, "some.ipynb", at="notebooks", viewport=SCREEN)
        lab.run_all(page)
        whole(page, "posterior_curve")
        found = box(page, "posterior_curve")
        found.locator('[role="slider"]').first.press("ArrowRight")
        lab.wait_for(found, lambda key: key["sick"] == 9)
        assert sliding(page, found)
        page.wait_for_timeout(1000)  # all of the drag is answered
        found.get_by_role("button", name="reset").press("Enter")
        lab.wait_for(found, lambda key: key["sick"] == 8)
        asked = lab.cell(page, "guess")
        asked.get_by_role("radio").nth(0).focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        asked.locator("label").nth(1).filter(has_text="you said").wait_for()
        readable(page, box(page, "posterior_curve"))
        page.evaluate(f"async () => {{ await {KERNEL}.restart(); }}")
        dead(page, box(page, "posterior_curve"), "Run the cells above again, then this cell")
        page.close()


# [text, its colour, the colour behind it] of whatever can be read beside the picture.
COLOURS = """(box) => [...box.querySelectorAll("figcaption, .widget-label, .widget-readout, button, input")]
    .filter((each) => each.checkVisibility()).map((each) => {
        let at = each;
        const back = (node) => getComputedStyle(node).backgroundColor;
        while (at.parentElement && ["rgba(0, 0, 0, 0)", "transparent"].includes(back(at))) at = at.parentElement;
        const numbers = (text) => text.match(/[\\d.]+/g).slice(0, 3).map((each) => each / 255);
        return [each.textContent || each.value, numbers(getComputedStyle(each).color), numbers(back(at))];
    })"""
