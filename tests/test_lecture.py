"""A section as slides, in real Chromium: all of it is reached by key, fits, stays live and asks no network."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import ExitStack, suppress
from urllib.error import HTTPError

import nbformat
import nbformat.v4 as v4
import pytest
from playwright.sync_api import TimeoutError

from bayeslib import live
from bayeslib.sections import LESSONS
from tests import lab
from tests.figures import half
from tests.lab import IMAGE, state, wait_for
from tools.lecture.plan import plan

# The current slide: its number, whether it scrolls or is cut off at a side, and the names of its cells.
LOOK = """() => {
    const section = document.querySelector("section.current"), content = section.firstChild;
    return {
        number: Number(location.hash.slice(1)),
        scrolls: section.scrollHeight > section.clientHeight + 1,
        cut: content.scrollWidth > content.clientWidth + 1,
        size: Number(content.style.zoom),
        cells: [...content.children].filter((cell) => !cell.classList.contains("hidden")).map((cell) => cell.dataset.cell),
    };
}"""


# Where a clicker's press has led: slide, fragments, how far scrolled, figures, answers.
STOP = """() => {
    const section = document.querySelector("section.current");
    const count = (what) => section.querySelectorAll(what).length;
    return [location.hash, count(".waiting"), section.scrollTop, count(".bayeslib-frame img"), count("form button:disabled")].join();
}"""
# Of all slides: those that scroll or are cut off at a side, and the cells with a figure, drawn or waiting.
UNFIT = """() => [...document.querySelectorAll("#slides section")]
    .filter((each) => each.scrollHeight > each.clientHeight + 1 || each.firstChild.scrollWidth > each.firstChild.clientWidth + 1)
    .map((each) => [...each.firstChild.children].map((cell) => cell.dataset.cell).join(" "))"""
FIGURES = """() => Object.fromEntries([...document.querySelectorAll("#slides [data-cell]")]
    .filter((cell) => cell.querySelector(".bayeslib-frame, .bayeslib-question > fieldset ~ button[type=button]"))
    .map((cell) => [cell.dataset.cell, cell.querySelectorAll(".bayeslib-frame img").length]))"""


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The address of a section's slides; each section has one server."""
    servers, addresses = ExitStack(), {}

    def serve(section):
        if section not in addresses:
            addresses[section] = servers.enter_context(lab.slides(section, tmp_path_factory.mktemp("lecture")))
        return addresses[section]

    with servers:
        yield serve


@pytest.fixture(scope="module")
def shown(served, chromium):
    """Opens a section's slides, each once."""
    pages = {}

    def show(section):
        if section not in pages:
            pages[section] = lab.open_slides(chromium, served(section))
        return pages[section]

    yield show
    for page in pages.values():
        page.close()


@pytest.fixture
def first(shown):
    return shown("01")


@pytest.fixture
def tenth(shown):
    return shown("10")


def number(page):
    return page.evaluate(LOOK)["number"]


def go(page, cell_id):
    """To the slide with this cell; returns the cell."""
    page.evaluate(
        """(id) => {
            const sections = [...document.querySelectorAll("#slides section")];
            location.hash = sections.findIndex((each) => each.querySelector(`[data-cell="${id}"]`)) + 1;
        }""",
        cell_id,
    )
    page.locator(f'section.current [data-cell="{cell_id}"]').wait_for()
    return page.locator(f'[data-cell="{cell_id}"]')


def reveal(page, cell_id):
    """The figure behind a prediction, without a guess."""
    cell = go(page, cell_id)
    if not cell.locator(IMAGE).count():
        cell.get_by_role("button", name="Show me without a guess").click()
        cell.locator(IMAGE).wait_for()
        page.wait_for_timeout(500)  # the slide is fitted once more
    return cell


def walk(page):
    """Steps through all slides by key, opens each prediction's figure; yields what it saw."""

    page.keyboard.press("Home")
    total = page.locator("#slides section").count()
    for at in range(1, total + 1):
        looks = [page.evaluate(LOOK)]
        assert looks[0]["number"] == at
        for name in ("Show me without a guess", "Tell the answer"):
            button = page.locator("section.current").get_by_role("button", name=name)
            if button.count():
                button.click()
                page.locator("section.current").locator(IMAGE).first.wait_for()
                page.wait_for_timeout(700)
                looks.append(page.evaluate(LOOK))
        yield from looks
        page.keyboard.press("Escape")
        for _ in range(6):  # a slide that scrolls needs more than one
            page.keyboard.press("PageDown")
            page.wait_for_timeout(30)
            if number(page) != at:
                break
    assert number(page) == total


def unfit(looks):
    """The cells of each slide that does not fit: one of them may begin a slide of its own (slide type subslide)."""
    return [" ".join(look["cells"]) for look in looks if look["scrolls"] or look["cut"]]


@pytest.mark.heavy
def test_all_slides_are_reached_by_key_and_nothing_runs_over_the_edge(first):
    assert unfit(walk(first)) == []
    total = number(first)
    for key, place in {
        "Home": 1,
        "ArrowRight": 2,
        " ": 3,
        "ArrowLeft": 2,
        "PageUp": 1,
        "PageDown": 2,
        "End": total,
    }.items():
        first.keyboard.press(key)
        assert number(first) == place, key


@pytest.mark.heavy
def test_skipped_cells_and_notes_are_on_no_slide_and_code_of_figures_is_hidden(first):
    visible = [id for at in range(first.locator("#slides section").count()) for id in _cells(first, at)]
    assert "setup" not in visible and not [id for id in visible if id.startswith("notes-")]
    assert "crowd" in visible
    assert "live." not in go(first, "predict-first").inner_text()


@pytest.mark.heavy
def test_code_is_folded_away_until_its_key_and_what_it_prints_is_not(first):
    cell = go(first, "crowd")
    assert "Fraction(8, 1000)" not in cell.inner_text() and cell.locator(".jp-OutputArea").inner_text().strip()
    first.keyboard.press("Enter")
    assert "Fraction(8, 1000)" not in cell.inner_text()
    first.keyboard.press("c")
    assert "Fraction(8, 1000)" in cell.inner_text()
    first.keyboard.press("c")
    cell.locator("summary").click()
    assert "Fraction(8, 1000)" in cell.inner_text()
    first.keyboard.press("c")
    assert "Fraction(8, 1000)" not in cell.inner_text()


@pytest.mark.parametrize("lesson", LESSONS, ids=str)
def test_a_lecture_ends_with_the_recap_and_shows_no_practice(lesson):
    notebook = nbformat.read(lab.ROOT / f"notebooks/{lesson.name}.ipynb", as_version=4)
    cells, said = plan(notebook.cells)
    assert not [
        cell.id for cell in cells if "check(" in cell.source or cell.source.startswith(("## Practice", "## Quiz"))
    ]
    if lesson.number != "00":
        assert cells[-1].source.startswith("## Recap") and len(cells) > 40 and not said


def _cells(page, at):
    page.evaluate("(at) => { location.hash = at + 1; }", at)
    page.wait_for_function(f"() => document.querySelectorAll('#slides section')[{at}].classList.contains('current')")
    return page.evaluate(LOOK)["cells"]


@pytest.mark.heavy
def test_formulas_are_typeset(first):
    cell = go(first, "bayes-named")
    assert cell.locator("mjx-container").count() >= 5 and "$" not in cell.inner_text()


@pytest.mark.heavy
def test_a_slider_moves_the_picture_by_key_and_by_mouse(first):
    cell = reveal(first, "predict-helps")
    before = state(cell)
    handle = cell.get_by_role("slider").first
    handle.focus()
    for _ in range(5):
        handle.press("ArrowRight")
    wait_for(cell, lambda key: key["sick"] == before[0]["sick"] + 5)
    by_key = state(cell)
    assert by_key[1] != before[1] and by_key[2] != before[2]
    box, track = handle.bounding_box(), cell.locator(".noUi-target").first.bounding_box()
    first.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    first.mouse.down()
    first.mouse.move(track["x"] + track["width"] / 2, box["y"] + 5, steps=10)
    first.mouse.up()
    wait_for(cell, lambda key: key["sick"] > 50)
    assert state(cell)[2] != by_key[2]


@pytest.mark.heavy
def test_keys_belong_to_the_slider_in_focus_until_escape(first):
    cell = reveal(first, "predict-helps")
    at, before = number(first), state(cell)[0]
    cell.get_by_role("button", name="reset").click()
    wait_for(cell, lambda key: key["sick"] == 8)
    handle = cell.get_by_role("slider").first
    handle.focus()
    for key in ("ArrowRight", "Home", "End", "ArrowLeft"):
        first.keyboard.press(key)
    assert number(first) == at
    wait_for(cell, lambda key: key["sick"] != before["sick"])
    assert "Esc" in first.locator("#bar").inner_text()
    first.keyboard.press("Escape")
    first.keyboard.press("ArrowLeft")
    assert number(first) == at - 1
    go(first, "predict-helps").get_by_role("button", name="reset").click()
    first.keyboard.press("PageUp")
    assert number(first) == at - 1, "a button that was clicked does not keep a clicker's keys"


@pytest.mark.heavy
def test_a_clicker_turns_slides_whatever_has_the_focus(first):
    figure = reveal(first, "predict-helps")
    first.keyboard.press("t")
    told(first)
    before = state(figure)[0]
    square = first.locator('[data-cell="predict-square"]')
    owners = {
        "a slider": ("predict-helps", figure.get_by_role("slider").first),
        "a picture": ("predict-helps", figure.locator(".bayeslib-frame")),
        "an option": ("predict-square", square.locator("input[type=radio]").first),
    }
    for name, (cell_id, control) in owners.items():
        for key, by in (("PageUp", -1), ("PageDown", +1)):
            go(first, cell_id)
            at = number(first)
            control.focus()
            first.keyboard.press(key)
            assert number(first) == at + by, f"{key} on {name}"
    assert state(figure)[0] == before
    reveal(first, "predict-second").locator("input[type=text]").focus()
    at = number(first)
    first.keyboard.press("PageUp")
    assert number(first) == at - 1


def told(page):
    """Once the answer of the slide's question is told: the slide's number."""
    page.locator("section.current .bayeslib-question button:disabled").first.wait_for(state="attached")
    return number(page)


def test_question_figure_answer_and_on_by_a_clicker_alone(served, chromium):
    page = lab.open_slides(chromium, served("01"))
    total, stages, answer = page.locator("#slides section").count(), [], "button:disabled"
    for _ in range(4 * total):
        at, current = number(page), page.locator("section.current")
        asks = current.locator(".bayeslib-question:has(> button[type=button])")
        if asks.count():
            stages.append((at, current.locator(IMAGE).count(), asks.locator(answer).count() > 0))
        if at == total:
            break
        page.keyboard.press("PageDown")
        page.wait_for_timeout(50)
        if asks.count() and number(page) == at:
            (told(page) if stages[-1][1] else current.locator(IMAGE).wait_for())
    assert at == total
    places = sorted({at for at, *_ in stages})
    assert stages == [(at, *stage) for at in places for stage in ((0, False), (1, False), (1, True))]
    predictions = re.findall(r"live\.predict\(", (lab.ROOT / "notebooks/01-bayes-theorem.ipynb").read_text())
    assert len(places) == len(predictions)
    page.close()


@pytest.mark.heavy
def test_a_python_that_does_not_answer_holds_no_clicker_up(served, chromium):
    page = lab.open_slides(chromium, served("01"))
    go(page, "predict-first")
    at = number(page)
    page.evaluate("() => { document.querySelector('section.current form > button[type=button]').onclick = null; }")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    assert number(page) == at
    page.wait_for_timeout(2100)
    page.keyboard.press("PageDown")
    assert number(page) == at + 1
    page.close()


@pytest.mark.heavy
def test_figure_answer_and_player_have_keys(tenth):
    cell = go(tenth, "predict-second")
    tenth.keyboard.press("d")
    cell.locator(IMAGE).wait_for()
    assert cell.get_by_role("button", name="Tell the answer").count() == 1
    tenth.keyboard.press("t")
    told(tenth)
    cell = go(tenth, "predict-wide")
    tenth.keyboard.press("t")
    told(tenth)
    cell.get_by_role("button", name="restart").click()
    wait_for(cell, lambda key: key["step"] == 0)
    tenth.keyboard.press("p")
    wait_for(cell, lambda key: key["step"] >= 1)
    tenth.keyboard.press("p")
    cell.get_by_role("button", name="play").wait_for()


@pytest.mark.heavy
def test_a_text_field_keeps_its_keys(first):
    cell = reveal(first, "predict-second")
    at, field = number(first), cell.locator("input[type=text]")
    field.fill("+")
    field.press("Home")
    first.keyboard.type("- n")
    assert number(first) == at and field.input_value() == "- n+"
    assert first.locator("#notes").count() == 0
    first.keyboard.press("Escape")
    cell.get_by_role("button", name="reset").click()


@pytest.mark.heavy
def test_a_mean_is_dragged_on_the_slide(tenth):
    cell = reveal(tenth, "predict-wins")
    before = state(cell)
    figure = live.kmeans_and_em()
    place = figure.figure.axes[0].transData.transform((-2, 3)) / figure.figure.bbox.size
    box = cell.locator(".bayeslib-frame").evaluate(
        "(frame) => frame.querySelector('img').getBoundingClientRect().toJSON()"
    )
    x, y = box["x"] + place[0] * box["width"], box["y"] + (1 - place[1]) * box["height"]
    tenth.mouse.move(x, y)
    tenth.mouse.down()
    tenth.mouse.move(x + 60, y - 30, steps=6)
    tenth.mouse.up()
    wait_for(cell, lambda key: key != before[0])
    after = state(cell)
    assert after[1] != before[1] and after[2] != before[2]


@pytest.mark.heavy
def test_a_player_plays_on_the_slide_and_its_keys_come_back(tenth):
    cell = reveal(tenth, "predict-share")
    at = number(tenth)
    cell.get_by_role("button", name="restart").click()
    wait_for(cell, lambda key: key["step"] == 0)
    cell.get_by_role("button", name="play").click()
    wait_for(cell, lambda key: key["step"] >= 2)
    cell.get_by_role("button", name="pause").click()
    step = state(cell)[0]["step"]
    cell.locator(".bayeslib-frame").focus()
    tenth.keyboard.press("ArrowRight")
    wait_for(cell, lambda key: key["step"] > step)
    assert number(tenth) == at
    tenth.keyboard.press("Escape")
    tenth.keyboard.press("ArrowLeft")
    assert number(tenth) == at - 1


@pytest.mark.heavy
def test_a_player_stops_when_its_slide_is_left(tenth):
    cell = reveal(tenth, "predict-share")
    cell.get_by_role("button", name="restart").click()
    wait_for(cell, lambda key: key["step"] == 0)
    tenth.keyboard.press("p")
    wait_for(cell, lambda key: key["step"] >= 1)
    tenth.keyboard.press("Home")
    tenth.wait_for_timeout(1500)
    step = state(cell)[0]["step"]
    tenth.wait_for_timeout(2500)
    assert state(cell)[0]["step"] == step
    go(tenth, "predict-share").get_by_role("button", name="play").wait_for()


@pytest.mark.heavy
def test_enter_opens_a_fold(tenth):
    cell = go(tenth, "read-bound")
    assert not cell.get_by_text("Three numbers").is_visible()
    tenth.keyboard.press("Enter")
    assert cell.get_by_text("Three numbers").is_visible()
    tenth.keyboard.press("Enter")
    assert not cell.get_by_text("Three numbers").is_visible()


@pytest.mark.heavy
def test_notes_show_below_and_in_a_second_window_that_follows(tenth):
    go(tenth, "predict-bound")
    asked = tenth.locator("section.current fieldset p").first.inner_text()
    tenth.keyboard.press("n")
    assert "two curves that touch" in tenth.locator("#notes").inner_text()
    assert tenth.locator("#notes h2").inner_text() == asked
    tenth.keyboard.press("n")
    assert tenth.locator("#notes").count() == 0
    with tenth.expect_popup() as popup:
        tenth.keyboard.press("s")
    notes = popup.value
    assert "two curves that touch" in notes.inner_text("body")
    assert notes.locator("h2").first.inner_text() == asked
    assert re.search(r"\d+:\d\d since the start · slide \d+ of \d+", notes.inner_text("body"))
    at = number(tenth)
    notes.keyboard.press("PageUp")
    assert number(tenth) == at - 1
    assert "No notes for this slide" in notes.inner_text("body")
    assert asked in notes.locator(".next").inner_text(), "the slide that comes next"
    notes.close()


@pytest.mark.heavy
def test_the_next_slide_s_figure_is_drawn_in_the_notes_and_they_survive_a_reload(served, chromium):
    page = lab.open_slides(chromium, served("01"))
    reveal(page, "predict-helps")
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    notes = popup.value
    page.keyboard.press("PageUp")
    picture = notes.locator(".next .bayeslib-frame img")
    picture.wait_for()
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 500
    page.reload()
    lab.await_slides(page)
    at = number(page)
    notes.wait_for_function("(at) => document.body.innerText.includes(`slide ${at} of`)", arg=at)
    page.keyboard.press("PageUp")
    notes.wait_for_function("(at) => document.body.innerText.includes(`slide ${at} of`)", arg=at - 1)
    notes.keyboard.press("PageDown")
    assert number(page) == at and len(page.context.pages) == 2
    page.close()


@pytest.mark.heavy
def test_overview_and_a_jump_by_number(first):
    go(first, "predict-helps")
    at, total = number(first), first.locator("#slides section").count()
    first.keyboard.press("o")
    boxes = [first.locator("#slides section").nth(k).bounding_box() for k in range(total)]
    assert all(0 < box["width"] < 320 and 0 < box["height"] < 180 for box in boxes)
    assert len({(round(box["x"]), round(box["y"])) for box in boxes}) == total
    assert 0 <= boxes[at - 1]["y"] < 720
    first.keyboard.press("ArrowRight")
    first.keyboard.press("Enter")
    assert number(first) == at + 1 and first.locator(".overview").count() == 0
    first.keyboard.press("o")
    first.locator("#slides section").nth(at + 1).click()
    assert number(first) == at + 2 and first.locator(".overview").count() == 0
    for keys, place in ((["g", "1", "2", "Enter"], 12), (["7", "Enter"], 7), (["9", "9", "9", "Enter"], total)):
        for key in keys:
            first.keyboard.press(key)
        assert number(first) == place
    first.keyboard.press("3")
    assert "3" in first.locator("#bar span").nth(1).inner_text()
    first.keyboard.press("Escape")
    first.keyboard.press("Enter")
    assert number(first) == total


@pytest.mark.heavy
def test_a_finger_and_the_wheel_turn_slides_but_not_in_a_figure(served, chromium):
    context = chromium.new_context(has_touch=True, viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(served("01"))
    lab.await_slides(page)
    page.touchscreen.tap(900, 600)
    assert number(page) == 2
    page.touchscreen.tap(100, 600)
    assert number(page) == 1
    page.mouse.move(900, 600)
    for _ in range(3):
        page.mouse.wheel(0, 60)
    page.wait_for_timeout(400)
    assert number(page) == 2, "one turn of the wheel, one slide"
    page.mouse.wheel(0, -60)
    page.wait_for_timeout(400)
    assert number(page) == 1
    hand = context.new_cdp_session(page)

    def swipe(x, y, to):
        hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for k in range(1, 6):
            point = {"x": x + (to - x) * k / 5, "y": y}
            hand.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(100)

    swipe(900, 600, 500)
    assert number(page) == 2
    swipe(500, 600, 900)
    assert number(page) == 1
    cell = reveal(page, "predict-helps")
    at = number(page)
    for inside in (cell.locator(IMAGE), cell.locator(".noUi-target").first):
        box = inside.bounding_box()
        swipe(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2, box["x"] + box["width"] * 0.2)
    assert number(page) == at
    page.get_by_role("button", name="slide back").click()
    assert number(page) == at - 1
    context.close()


@pytest.mark.heavy
def test_a_wide_formula_shrinks_alone(first):
    go(first, "bayes-named")
    first.evaluate("() => dispatchEvent(new Event('resize'))")
    size = first.evaluate(LOOK)["size"]
    formula = first.locator('section.current mjx-container[display="true"]').first
    before = formula.bounding_box()["height"]
    formula.evaluate(
        "(each) => { each.firstElementChild.style.paddingRight = '30em'; dispatchEvent(new Event('resize')); }"
    )
    look = fitted(first)
    assert look["size"] >= size and not look["cut"]
    assert formula.bounding_box()["height"] < before
    formula.evaluate(
        "(each) => { each.firstElementChild.style.paddingRight = ''; dispatchEvent(new Event('resize')); }"
    )


@pytest.mark.heavy
def test_a_larger_screen_shows_larger_slides(tenth):
    go(tenth, "predict-bound")
    small = tenth.evaluate(LOOK)["size"]
    tenth.set_viewport_size({"width": 1920, "height": 1080})
    tenth.wait_for_function(f"(small) => ({LOOK})().size !== small", arg=small)
    assert tenth.evaluate(LOOK)["size"] == pytest.approx(1.5 * small, rel=0.1)
    assert tenth.evaluate("() => parseFloat(getComputedStyle(document.querySelector('#bar')).fontSize)") >= 24
    tenth.set_viewport_size({"width": 1280, "height": 720})


@pytest.mark.heavy
def test_nothing_was_asked_of_the_network_and_no_error_was_told(first, tenth):
    for page in (first, tenth):
        assert page.errors == []
        away = [url for url in page.requests if not re.match(r"(http|ws)://127\.0\.0\.1:|data:|blob:", url)]
        assert away == [] and len(page.requests) > 10


def kernel(page):
    return json.loads(page.locator("#jupyter-config-data").text_content())["kernelId"]


def ended(address, kernel_id):
    """Does the server no longer know the kernel, or know it no more after a while?"""
    asked = f"{address.partition('/voila')[0]}/api/kernels/{kernel_id}"
    for _ in range(300):
        try:
            urllib.request.urlopen(urllib.request.Request(asked, headers={"Referer": address})).close()
        except HTTPError as error:
            return error.code == 404
        time.sleep(0.2)
    return False


@pytest.mark.heavy
def test_a_kernel_ends_when_its_page_is_reloaded_or_closed(served, chromium):
    context = chromium.new_context()
    page, other = context.new_page(), context.new_page()  # what is closed last takes its messages along
    page.goto(served("01"))
    lab.await_slides(page)
    one = kernel(page)
    page.reload()
    lab.await_slides(page)
    two = kernel(page)
    assert two != one and ended(served("01"), one)
    page.close(run_before_unload=True)
    assert ended(served("01"), two)
    other.close()
    context.close()


@pytest.mark.heavy
def test_a_dead_kernel_says_so_in_words_and_a_button_starts_again(served, chromium):
    page = lab.open_slides(chromium, served("01"))
    go(page, "predict-helps")
    at, dead = number(page), kernel(page)
    assert not page.locator("#trouble").is_visible()
    os.kill(process(dead), signal.SIGKILL)
    page.locator("#trouble").get_by_text("Python has ended").wait_for()
    page.keyboard.press("PageUp")
    assert number(page) == at - 1, "slides without a figure go on"
    page.get_by_role("button", name="Start again").click()
    page.wait_for_function(
        "(id) => document.querySelector('#jupyter-config-data')?.textContent.includes(id) === false", arg=dead
    )
    lab.await_slides(page)
    assert number(page) == at - 1 and not page.locator("#trouble").is_visible()
    reveal(page, "predict-helps")
    page.close()


def process(kernel_id):
    """The number of a kernel's process, which is told its connection file."""
    for line in subprocess.run(["ps", "-ewwo", "pid,args"], capture_output=True, text=True).stdout.splitlines():
        if kernel_id in line and "ipykernel" in line:
            return int(line.split()[0])
    raise AssertionError(f"no process of kernel {kernel_id}")


@pytest.mark.heavy
def test_a_new_group_sees_no_guess_of_the_old_one(served, chromium):
    def guess(page):
        cell = go(page, "predict-helps")
        cell.locator("input[type=radio]").first.check()
        cell.get_by_role("button", name="Lock in my guess").click()
        cell.locator(IMAGE).wait_for()

    page = lab.open_slides(chromium, served("01"))
    guess(page)
    other = lab.open_slides(chromium, served("01"))
    assert go(other, "predict-helps").get_by_role("button", name="Show me without a guess").is_enabled()
    other.close()
    at, old = number(page), kernel(page)
    page.get_by_role("button", name="Forget the guesses").click()
    page.wait_for_function(
        "(id) => document.querySelector('#jupyter-config-data')?.textContent.includes(id) === false", arg=old
    )
    lab.await_slides(page)
    assert number(page) == at
    assert go(page, "predict-helps").get_by_role("button", name="Show me without a guess").is_enabled()
    page.close()


def part(heading, minutes, rank, *code):
    notes = f"<details><summary>For the lecturer</summary>\n\n**{minutes} minutes, rank {rank}.**\n\n</details>"
    return [v4.new_markdown_cell(f"## {heading}"), *map(v4.new_code_cell, code), v4.new_markdown_cell(notes)]


@pytest.mark.parametrize(
    "minutes, left_out",
    [
        (100, ""),
        (40, "B · more"),  # no room for 9, but for the 4 of a later rank
        (37, "B · more, D · more"),
        (36, "B · more, D · more"),
        (35, "B · more, E, D · more"),
        (25, "B · more, C, E, D · more"),  # C is of rank 2 and E of rank 3; the 3 minutes of E are not put in C's place
        (5, "B · more, C, E, D · more"),
    ],
)
def test_the_time_there_is_takes_the_core_then_more_and_drops_by_rank(minutes, left_out):
    lesson = [
        v4.new_markdown_cell("# Head"),
        *part("A", 20, 1, "a = 1"),
        *part("B · more", 9, 4, "b = 1", "live.rules()"),
        *part("C", 13, 2, "live.rules()"),
        *part("E", 3, 3),
        *part("D · more", 4, 5, "b + 1"),
        v4.new_markdown_cell("## Practice"),
        v4.new_markdown_cell("## Recap"),
    ]
    cells, said = plan(lesson, minutes)
    shown = [cell.source for cell in cells if cell.metadata.get("slideshow", {}).get("slide_type") != "skip"]
    gone = [heading for heading in ("A", "B · more", "C", "E", "D · more") if f"## {heading}" not in shown]
    assert ", ".join(gone) == left_out == ", ".join(re.findall(r"min  (.+)", said))
    taken = re.findall(r"(\d+) minutes, rank", " ".join(shown))
    assert said.startswith(f"{sum(map(int, taken))} minutes of 49.")
    assert shown[0] == "# Head" and shown[-1] == "## Recap"
    assert "b = 1" in [cell.source for cell in cells], "a part that is shown may need what one left out computes"


@pytest.mark.parametrize("minutes", [20, 45, 60])
@pytest.mark.parametrize("lesson", LESSONS, ids=str)
def test_every_lesson_fits_its_time_or_says_that_it_is_whole(lesson, minutes):
    notebook = nbformat.read(lab.ROOT / f"notebooks/{lesson.name}.ipynb", as_version=4)
    whole = len(plan(notebook.cells)[0])
    cells, said = plan(notebook.cells, minutes)
    if "**Core: " in notebook.cells[0].source:
        assert int(said.split()[0]) <= minutes
    else:
        assert said.startswith("Shown whole") and len(cells) == whole


@pytest.mark.heavy
def test_a_shorter_hour_has_fewer_slides_and_all_of_them_run(chromium, tmp_path):
    with lab.slides("01", tmp_path, "--minutes=30") as address:
        page = lab.open_slides(chromium, address)
        ids = [cell for at in range(page.locator("#slides section").count()) for cell in _cells(page, at)]
        assert "predict-first" in ids and "recap" in ids
        assert not {"predict-helps", "square", "practice", "flip-number"} & set(ids)
        assert page.get_by_text("Traceback").count() == 0 and page.errors == []
        page.close()
    assert "Left out:" in (tmp_path / "server.log").read_text()


@pytest.mark.heavy
def test_before_the_kernel_is_awake_the_page_says_so(chromium, tmp_path):
    with lab.slides("00", tmp_path) as address:
        page = lab.new_page(chromium)
        page.goto(address, wait_until="commit")
        page.locator("#waking").get_by_text("Waking up").wait_for()
        page.locator("section.current h1").wait_for()
        page.close()


@pytest.mark.heavy
def test_a_lecture_names_its_sections_and_ends_by_control_c(tmp_path):
    command = [sys.executable, "-m", "tools.lecture"]
    for wrong in (["99"], ["1", "--minutes=soon"], ["1", "--minutes=0"]):
        told = subprocess.run([*command, *wrong], capture_output=True, text=True, cwd=lab.ROOT)
        assert told.returncode == 1 and "make lecture SECTION=10" in told.stderr
    # A shell that runs the tests in the background has them ignore Control-C, and what they start as well.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    server = subprocess.Popen(
        [*command, "1", "--no-browser"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=lab.ROOT
    )
    signal.signal(signal.SIGINT, before)
    assert "http://127.0.0.1:" in server.stdout.readline()
    server.send_signal(signal.SIGINT)
    rest, _ = server.communicate(timeout=120)
    assert server.returncode == 0 and "Traceback" not in rest


def fitted(page, tries=300):
    """The slide as it is once it has been fitted; a busy machine takes its time."""
    look = page.evaluate(LOOK)
    while (look["scrolls"] or look["cut"]) and tries:
        page.wait_for_timeout(200)
        look, tries = page.evaluate(LOOK), tries - 1
    return look


def clicked(page):
    """Steps through the slides by PageDown alone; yields what it saw at every stop."""
    page.keyboard.press("Home")
    total = page.locator("#slides section").count()
    for _ in range(10 * total):
        yield fitted(page)
        before = page.evaluate(STOP)
        page.keyboard.press("PageDown")
        try:
            patience = 20_000 if number(page) < total else 3000
            page.wait_for_function(f"() => ({STOP})() !== {json.dumps(before)}", timeout=patience)
        except TimeoutError:
            assert number(page) == total, f"the clicker is trapped at {before}"
            return


@pytest.mark.heavy
@pytest.mark.parametrize("section", half([lesson.number for lesson in LESSONS], 1))  # the others: test_browser_sections
def test_a_clicker_shows_every_figure_and_every_slide_fits_every_screen(chromium, section, tmp_path):
    with lab.slides(section, tmp_path) as address:
        page = lab.open_slides(chromium, address)
        assert unfit(clicked(page)) == []
        figures = page.evaluate(FIGURES)
        assert [cell for cell, drawn in figures.items() if not drawn] == []
        page.evaluate(
            """() => document.querySelectorAll("#slides details:not(.code)").forEach((each) => { each.open = !each.closest(".hidden"); })"""
        )
        for width, height in ((1024, 768), (1920, 1080), (1280, 720)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(500)
            with suppress(TimeoutError):  # what is too large then is named
                page.wait_for_function(f"() => !({UNFIT})().length")
            assert page.evaluate(UNFIT) == [], (width, height)
        assert page.errors == []
        page.close()


@pytest.mark.heavy
def test_the_deck_has_every_step_of_the_hour_on_a_page_that_holds_it(tmp_path):
    command = [sys.executable, "-m", "tools.lecture.deck", "01", "30", tmp_path]
    said = subprocess.run(command, cwd=lab.ROOT, capture_output=True, text=True, check=True).stdout
    pdf = (tmp_path / "01-bayes-theorem.pdf").read_bytes()
    pages = int(re.search(r"(\d+) pages", said)[1])
    assert len(re.findall(rb"/Type /Page\b", pdf)) == pages > 15 and len(pdf) < 5e6
    assert "minutes of" in said and "Left out" in said and "does not fit" not in said
