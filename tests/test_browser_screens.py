"""Real JupyterLab in real Chromium: every figure is whole at every width, says its names, and says so when Python is gone."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests import lab
from tests.figures import FIGURES, a_third

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
    return {
        height: box.offsetHeight, room: box.closest(".jp-WindowedPanel-outer").clientHeight, width: box.offsetWidth,
        controls: controls.offsetHeight, over: controls.scrollHeight - controls.clientHeight,
        picture: figure.querySelector("img").offsetHeight, caption: figure.querySelector("figcaption").offsetHeight,
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
    found.locator("img[data-key]").wait_for()
    found.locator('[role="toolbar"]').first.wait_for(state="attached")
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
    cells = {name: f"live.{name}()" for name in a_third(FIGURES)}
    notebook(folder / "all.ipynb", first="from bayeslib import live", **cells)
    with lab.jupyterlab(folder) as address:
        page = lab.open_notebook(chromium, address, "all.ipynb", viewport={"width": 1280, "height": 720})
        lab.run_all(page)
        yield page
        assert page.errors == []
        page.close()


@pytest.mark.heavy
@pytest.mark.parametrize("name", a_third(FIGURES))
def test_every_figure_is_whole_at_every_width(every, name):
    for width, height in SIZES:
        every.set_viewport_size({"width": width, "height": height})
        seen = settled(every, box(every, name))
        where = f"{name} at {width} px: {json.dumps(seen)}"
        assert seen["controls"] <= 130 and seen["over"] <= 0, f"too many controls in {where}"
        assert seen["height"] <= seen["room"], f"higher than its window: {where}"
        assert seen["tabs"] <= 8 and seen["words"], f"not for everyone: {where}"
        uncut(seen, where)
    every.set_viewport_size({"width": 640, "height": 360})  # 1280 x 720 at 200%
    seen = settled(every, box(every, name))
    assert seen["over"] <= 0, f"controls over the picture of {name} at 200%"
    uncut(seen, f"{name} at 200%")


def uncut(seen, where):
    assert all(track >= 120 for track in seen["tracks"]), f"a short slider in {where}"
    assert not (seen["scrolling"] or seen["cut"] or seen["lists"] or seen["outside"]), f"cut: {where}"
    assert seen["unnamed"] == 0, where


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A few figures to play with: many controls, a player, one whose steps are not its rounds; and a question."""
    folder = tmp_path_factory.mktemp("lab")
    cells = {name: f"live.{name}()" for name in ("test_after_test", "population", "boost_bound")}
    notebook(folder / "some.ipynb", first="from bayeslib import live", **cells, asked='live.quiz("01/retest")')
    with lab.jupyterlab(folder) as address:
        yield address


@pytest.fixture
def page(served, chromium):
    """The notebook of these figures, run, in a window of its own with a kernel of its own."""
    page = lab.open_notebook(chromium, served, "some.ipynb", viewport={"width": 1280, "height": 720})
    lab.run_all(page)
    yield page
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.close()


def key(found):
    return json.loads(found.locator("img[data-key]").get_attribute("data-key"))


@pytest.mark.heavy
def test_controls_without_room_fold_and_open_by_mouse_and_keyboard(page):
    page.set_viewport_size({"width": 1024, "height": 768})
    found = box(page, "test_after_test")
    settled(page, found)
    last, before = found.locator('[aria-label="flagged of 100 healthy"]'), key(found)["flagged"]
    assert not last.is_visible() and found.locator('[aria-label="sick per 1000"]').is_visible()
    found.get_by_role("button", name="more controls").click()
    assert last.is_visible()
    fewer = found.get_by_role("button", name="fewer controls")
    assert fewer.get_attribute("aria-expanded") == "true"
    last.press("ArrowRight")
    lab.wait_for(found, lambda key: key["flagged"] > before)
    fewer.press("Enter")
    assert not last.is_visible()
    page.set_viewport_size({"width": 1920, "height": 1080})
    assert len(settled(page, found)["folded"]) <= 1, "what has room again is unfolded"
    assert page.errors == []


@pytest.mark.heavy
def test_the_keyboard_reaches_everything_and_the_picture_soon(page):
    found = box(page, "test_after_test")
    settled(page, found)
    found.get_by_role("button", name="no result yet").focus()
    focus = "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    seen = []
    for _ in range(7):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(focus))
    assert seen[-1].startswith("Left and right arrows step"), (
        "the first stop was the presets, the picture is the eighth"
    )
    sliders = [each for each in seen if " of 100 " in each or " 1000" in each or "percent" in each]
    assert sliders[:3] == ["sick per 1000", "results copied, percent", "found of 100 sick"], "one stop a slider"
    found.get_by_role("button", name="no result yet").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focus) == "one positive"
    page.keyboard.press("Enter")
    lab.wait_for(found, lambda key: key["results"] == "+")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(focus) == "reset", "the row goes around"
    slider = found.locator('[aria-label="sick per 1000"]')
    slider.press("ArrowRight")
    found.locator('[aria-label="sick per 1000"][aria-valuetext="9 per 1000"]').wait_for()
    frame = found.locator(".bayeslib-frame")
    frame.focus()
    page.keyboard.press("ArrowLeft")
    ring = frame.evaluate(
        """(frame) => {
            const room = frame.closest(".jp-OutputArea-output").getBoundingClientRect(), own = frame.getBoundingClientRect();
            const { outlineWidth, outlineOffset } = getComputedStyle(frame), out = parseFloat(outlineWidth) + parseFloat(outlineOffset);
            return [out, own.left - room.left, room.right - own.right];
        }"""
    )
    assert ring[0] >= 3 and min(ring[1:]) >= ring[0], "the focus ring is cut"
    assert page.errors == []


@pytest.mark.heavy
def test_presets_stop_a_player_and_its_buttons_stand_still(page):
    found = box(page, "population")
    settled(page, found)
    place = found.get_by_role("button", name="forward").bounding_box()["x"]
    found.get_by_role("button", name="restart").click()
    found.get_by_role("button", name="play").click()
    found.get_by_role("button", name="pause").wait_for()
    assert found.get_by_role("button", name="forward").bounding_box()["x"] == place
    lab.wait_for(found, lambda key: key["step"] == 1)
    found.get_by_role("button", name="rare disease").click()
    found.get_by_role("button", name="play").wait_for()
    lab.wait_for(found, lambda key: key["step"] == 3 or key["sick"] != 8)
    before = key(found)
    page.wait_for_timeout(1600)
    assert key(found) == before


@pytest.mark.heavy
def test_a_player_out_of_sight_stops(page):
    found = box(page, "boost_bound")
    found.get_by_role("button", name="play").click()
    lab.wait_for(found, lambda key: key["step"] > 1)
    box(page, "test_after_test")
    page.wait_for_timeout(2500)
    found = box(page, "boost_bound")
    found.get_by_role("button", name="play").wait_for()
    assert 1 < key(found)["step"] < 8, "it stopped soon, and stays where it was"


@pytest.mark.heavy
def test_a_step_says_the_round_that_is_drawn(page):
    found = box(page, "boost_bound")
    found.get_by_role("button", name="20% flipped, round 60").click()
    lab.wait_for(found, lambda key: key["step"] == 24)
    assert "round 60:" in found.locator("figcaption").inner_text()
    assert found.locator(".bayeslib-round").inner_text() == "round 60"
    assert found.get_by_role("slider").get_attribute("aria-valuetext") == "round 60, step 24 of 29"


def dead(page, found, words):
    """Within 3 s the figure says so, is grey and takes nothing."""
    notice = found.get_by_role("alert")
    notice.wait_for()
    assert words in notice.inner_text()
    assert "grayscale" in found.locator(".bayeslib-frame").evaluate("(each) => getComputedStyle(each).filter")
    assert not found.evaluate(
        "(box) => [box, ...box.querySelectorAll('*')].some((each) => "
        "each.matches('.jupyter-widgets-disconnected') && getComputedStyle(each, '::before').content !== 'none')"
    ), "broken links among the controls"


def sliding(page, found):
    """Try to move the first slider; tells whether it went."""
    handle = found.locator('[role="slider"]').first
    before = handle.get_attribute("aria-valuenow")
    area = handle.bounding_box()
    page.mouse.move(area["x"] + 8, area["y"] + 8)
    page.mouse.down()
    page.mouse.move(area["x"] + 90, area["y"] + 8, steps=4)
    page.mouse.up()
    handle.evaluate("(handle) => handle.focus()")
    page.keyboard.press("ArrowRight")
    return handle.get_attribute("aria-valuenow") != before


KERNEL = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"


@pytest.mark.parametrize(
    "end",
    [
        f"async () => {{ await {KERNEL}.restart(); }}",
        pytest.param(
            f"""() => new Promise((noticed) => {{
                {KERNEL}.statusChanged.connect((_, status) => status === "autorestarting" && noticed()); // looked for now and then
                {KERNEL}.requestExecute({{ code: "import os; os._exit(1)" }});
            }})""",
            marks=pytest.mark.heavy,
        ),
        pytest.param(
            "() => { window.jupyterapp.shell.currentWidget.sessionContext.shutdown(); }", marks=pytest.mark.heavy
        ),
    ],
    ids=["restarted", "crashed", "shut down"],
)
def test_a_dead_kernel_says_so_and_no_slider_pretends(page, end):
    found = box(page, "population")
    assert sliding(page, found), "a slider that lives can be moved so"
    assert found.get_by_role("alert").count() == 0
    page.evaluate(end)
    dead(page, found, "Run the cells above again, then this cell")
    assert not sliding(page, found)


@pytest.mark.heavy
def test_a_question_over_a_dead_kernel_says_that_nobody_answers(page):
    form = lab.cell(page, "asked").locator("form")
    said, silent = form.get_by_role("status"), "Python has not answered for 3 seconds"
    form.locator("input").first.check()
    for _ in range(2):  # the same answer again changes no verdict, and is answered all the same
        form.get_by_role("button").first.click()
        said.locator("strong").wait_for()
        page.wait_for_timeout(3000)
        assert silent not in said.inner_text()
    page.evaluate(f"async () => {{ await {KERNEL}.restart(); }}")
    form.get_by_role("button").first.click()
    said.filter(has_text=silent).wait_for()
    assert "run the cells above again" in said.inner_text()


@pytest.mark.heavy
def test_a_click_runs_the_cells_again(page):
    found = box(page, "population")
    page.evaluate(f"async () => {{ await {KERNEL}.restart(); }}")
    found.get_by_role("button", name="Run them now").click()
    found.get_by_role("alert").wait_for(state="detached")
    found = box(page, "population")
    assert sliding(page, found)
    lab.wait_for(found, lambda key: key["sick"] > 8)


@pytest.mark.heavy
def test_a_lost_connection_and_a_silent_kernel_are_told_and_recovered_from(served, chromium):
    with lab.far(served) as (address, away):
        page = lab.open_notebook(chromium, address, "some.ipynb", viewport={"width": 1280, "height": 720})
        lab.run_all(page)
        found = box(page, "population")
        settled(page, found)
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
def test_in_the_dark_pictures_are_framed_and_words_can_be_read(page):
    page.evaluate("() => window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    page.wait_for_selector('body[data-jp-theme-light="false"]', state="attached")
    found = box(page, "test_after_test")
    settled(page, found)
    assert "8px" in found.locator("img").evaluate("(image) => getComputedStyle(image).borderRadius")
    pairs = found.evaluate(COLOURS)
    assert len(pairs) > 10
    for what, front, back in pairs:
        assert contrast(front, back) >= 4.5, f"{what}: {front} on {back}"


@pytest.mark.heavy
def test_notebook_7_has_it_all_too(chromium, tmp_path):
    """There the notebook's own keys come before ours, in the capturing phase."""
    notebook(
        tmp_path / "some.ipynb",
        first="from bayeslib import live",
        ask='live.predict("01/first-positive", live.population())',
        move="live.posterior_curve()",
    )
    with lab.jupyterlab(tmp_path, start=["-m", "notebook"]) as address:
        page = lab.open_notebook(
            chromium, address, "some.ipynb", at="notebooks", viewport={"width": 1280, "height": 720}
        )
        lab.run_all(page)
        found = box(page, "move")
        seen = settled(page, found)
        assert seen["controls"] <= 130 and seen["height"] <= seen["room"], seen
        uncut(seen, "Notebook 7")
        found.locator('[role="slider"]').first.press("ArrowRight")
        lab.wait_for(found, lambda key: key["sick"] == 9)
        found.locator(".bayeslib-frame").press("ArrowLeft")
        lab.wait_for(found, lambda key: key["sick"] == 8)
        assert sliding(page, found)
        lab.wait_for(found, lambda key: key["sick"] > 9)
        found.locator('img[data-sharp="true"]').wait_for()  # all of the drag is answered
        found.get_by_role("button", name="reset").press("Enter")
        lab.wait_for(found, lambda key: key["sick"] == 8)
        found.locator(".bayeslib-frame").press("Shift+Enter")
        page.wait_for_function("() => window.jupyterapp.shell.currentWidget.content.activeCellIndex === 3")
        asked = lab.cell(page, "ask")
        asked.get_by_role("radio").nth(0).focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        asked.get_by_role("status").filter(has_text="Your guess: B").wait_for()
        page.evaluate("() => window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
        page.wait_for_selector('body[data-jp-theme-light="false"]', state="attached")
        found = box(page, "move")
        assert all(contrast(front, back) >= 4.5 for _, front, back in found.evaluate(COLOURS))
        page.evaluate(f"async () => {{ await {KERNEL}.restart(); }}")
        dead(page, found, "Run the cells above again, then this cell")
        page.close()


# [text, its colour, the colour behind it] of whatever can be read beside the picture.
COLOURS = """(box) => [...box.querySelectorAll("figcaption, .widget-label, .widget-readout, button, input")]
    .filter((each) => each.checkVisibility()).map((each) => {
        let at = each;
        const back = (node) => getComputedStyle(node).backgroundColor;
        while (at.parentElement && ["rgba(0, 0, 0, 0)", "transparent"].includes(back(at))) at = at.parentElement;
        const numbers = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
        return [each.textContent || each.value, numbers(getComputedStyle(each).color), numbers(back(at))];
    })"""


def contrast(front, back):
    """By the rule of WCAG 2."""

    def light(colour):
        parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (c / 255 for c in colour)]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted([light(front), light(back)])
    return (high + 0.05) / (low + 0.05)
