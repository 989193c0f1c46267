"""A section as slides, in real Chromium: readable from the last row, all of it reached by a clicker, each lesson live."""

import json
import re
import signal
import subprocess
import sys
import time

import nbformat
import nbformat.v4 as v4
import pytest
import requests

from bayeslib.sections import LESSONS
from tests import lab
from tests.lab import IMAGE, state, wait_for
from tools.lecture import plan as plans
from tools.lecture.plan import plan

FIRST = "01-bayes-theorem"
NOTED = [lesson for lesson in LESSONS if (plans.NOTES / f"{lesson.number}.md").exists()]
# Of every slide, once it is shown: its first cell, by how many pixels it is too wide and too tall, and its smallest words.
SIZES = """async () => {
    const sizes = [], wait = (ms) => new Promise((go) => setTimeout(go, ms));
    for (const slide of document.querySelectorAll("#slides section")) {
        location.hash = slide.dataset.number;
        await wait(400);
        const words = [...slide.querySelectorAll(".content :is(p, li, td, label, summary, pre, figcaption)")]
            .filter((each) => each.textContent.trim() && each.checkVisibility() && !each.closest(".bayeslib-controls, mjx-container"));
        sizes.push([slide.querySelector("[data-cell]").dataset.cell, slide.scrollWidth - slide.clientWidth, slide.scrollHeight - slide.clientHeight,
            Math.min(...words.map((each) => parseFloat(getComputedStyle(each).fontSize) * each.currentCSSZoom))]);
    }
    return sizes;
}"""
PRESS = """() => [...document.querySelectorAll("#slides form.bayeslib-question:not(.bayeslib-locked-in) .bayeslib-skip:not([hidden])")]
    .map((each) => each.click()).length"""
UNDRAWN = """() => [...document.querySelectorAll("#slides .bayeslib-frame")].filter((each) =>
    each.checkVisibility() && !each.querySelector("img")?.naturalWidth && !each.querySelector("canvas")?.dataset.key).length"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Of the slides of section 01; the same server has those of all others."""
    with lab.slides("01", tmp_path_factory.mktemp("lecture")) as address:
        yield address


@pytest.fixture(scope="module")
def page(address, chromium):
    page = lab.open_slides(chromium, address)
    yield page
    heard_nothing_bad(page)
    page.close()


def heard_nothing_bad(page):
    assert page.errors == []
    assert [url for url in page.requests if not re.match(r"(http|ws)://127\.0\.0\.1:|data:|blob:", url)] == []


def number(page):
    return int(page.evaluate("location.hash.slice(1)"))


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


def test_question_answer_figure_and_explanation_by_a_clicker_alone(page):
    cell = go(page, "first-positive")
    at, prompt, reveal = number(page), cell.locator("fieldset p"), cell.locator(".bayeslib-reveal")
    cell.locator(IMAGE).wait_for()
    assert prompt.is_visible() and not cell.locator("label.bayeslib-right").count()
    page.keyboard.press("PageDown")
    cell.locator("label.bayeslib-right").wait_for()
    assert prompt.is_visible() and cell.locator(IMAGE).is_visible() and not reveal.is_visible()
    page.keyboard.press("PageDown")
    page.wait_for_function(
        "() => document.querySelector('section.current canvas').getBoundingClientRect().width > 1000"
    )
    assert not prompt.is_visible()
    page.keyboard.press("PageDown")
    reveal.wait_for()
    assert reveal.locator("math").count() and not cell.locator(IMAGE).is_visible() and number(page) == at
    page.keyboard.press("PageDown")
    assert number(page) == at + 1
    # A Python that does not answer holds nobody up.
    go(page, "read-second").locator("form").evaluate(
        "(form) => form.addEventListener('room', (e) => e.stopImmediatePropagation(), true)"
    )
    at = number(page)
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    assert number(page) == at
    page.wait_for_timeout(2100)
    page.keyboard.press("PageDown")
    assert number(page) == at + 1


@pytest.mark.heavy
def test_keys_turn_slides_jump_by_number_and_show_an_overview(page):
    total = page.locator("#slides section").count()
    for pressed, place in {
        "End": total,
        "7 Enter": 7,
        "1 2 Enter": 12,
        "9 9 9 Enter": total,
        "3 Escape": total,
        "5 Enter": 5,
    }.items():
        for key in pressed.split():
            page.keyboard.press(key)
        assert number(page) == place, pressed
    page.keyboard.press("o")
    boxes = [page.locator("#slides section").nth(at).bounding_box() for at in range(total)]
    assert all(0 < box["width"] < 320 for box in boxes) and 0 <= boxes[4]["y"] < 720
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert number(page) == 6 and page.locator(".overview").count() == 0
    page.keyboard.press("o")
    page.locator("#slides section").nth(1).click()
    assert number(page) == 2 and page.locator(".overview").count() == 0
    for blanks in (1, 0):
        page.keyboard.press("b")
        assert page.locator("#blank").count() == blanks


@pytest.mark.heavy
def test_a_fold_is_a_step_and_the_wall_shows_its_own_words_and_no_call(page):
    cell = go(page, "costs")
    at = number(page)
    page.keyboard.press("PageDown")
    assert cell.locator("details[open] p").first.is_visible() and number(page) == at
    page.keyboard.press("PageDown")
    assert number(page) == at + 1
    assert "live." not in page.locator("#slides").inner_text() and "def posterior" in go(page, "three").inner_text()
    assert "minutes" not in go(page, "title").inner_text()


@pytest.mark.heavy
def test_controls_come_with_the_pointer_and_a_slider_has_all_keys_but_a_clickers(page):
    cell = go(page, "which-helps")
    if not cell.locator("label.bayeslib-right").count():
        page.keyboard.press("t")
        cell.locator("label.bayeslib-right").wait_for()
    shown = "() => getComputedStyle(document.querySelector('section.current .bayeslib-controls')).opacity"
    page.wait_for_function(f"() => ({shown})() === '0'")
    page.mouse.move(300, 300)
    page.mouse.move(310, 300)
    page.wait_for_function(f"() => ({shown})() === '1'")
    page.keyboard.press("c")
    wait_for(cell, bool)
    at, before, handle = number(page), state(cell), cell.get_by_role("slider").first
    handle.focus()
    page.keyboard.press("ArrowRight")
    wait_for(cell, lambda key: key != before[0])
    assert number(page) == at and state(cell)[1] != before[1]
    page.keyboard.press("PageUp")
    assert number(page) == at - 1, "a clicker has no Escape"
    page.keyboard.press("c")


@pytest.mark.heavy
def test_notes_stand_in_a_second_window_beside_plan_and_next_slide_and_survive_a_reload(address, chromium):
    page = lab.open_slides(chromium, address)
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    notes = popup.value
    go(page, "a-thousand")
    at, places = number(page), lambda: notes.inner_text(".place")
    notes.wait_for_function(
        "(words) => document.querySelector('.place').textContent.includes(words)", arg=f"slide {at} of"
    )
    notes.locator(".say p").first.wait_for()
    assert re.search(r"minute \d+ · planned \d+", notes.inner_text(".plan"))
    notes.locator("#slides .bayeslib-stage img").wait_for()
    notes.keyboard.press("PageUp")
    assert number(page) == at - 1
    page.reload()
    lab.await_slides(page)
    notes.wait_for_function(
        "(words) => document.querySelector('.place')?.textContent.includes(words)", arg=f"slide {at - 1} of"
    )
    notes.keyboard.press("PageDown")
    assert number(page) == at and len(page.context.pages) == 2 and places()
    page.close()


@pytest.mark.heavy
def test_a_finger_turns_slides_but_not_in_a_figure(address, chromium):
    context = chromium.new_context(has_touch=True, viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(address)
    lab.await_slides(page)
    page.touchscreen.tap(900, 650)
    assert number(page) == 2
    cell = go(page, "which-helps")
    page.keyboard.press("t")
    cell.locator(".bayeslib-stage button").first.wait_for()
    at, grip = number(page), cell.locator(".bayeslib-stage button").first.bounding_box()
    page.touchscreen.tap(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    assert number(page) == at
    context.close()


@pytest.mark.heavy
def test_a_larger_screen_shows_larger_slides(page):
    go(page, "recap")
    size = "() => Number(document.querySelector('section.current .content').style.zoom)"
    small = page.evaluate(size)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_function(f"(small) => ({size})() > 1.35 * small", arg=small)
    page.set_viewport_size({"width": 1280, "height": 720})


def kernel(page):
    return json.loads(page.locator("#jupyter-config-data").text_content())["kernelId"]


def ended(address, kernel_id):
    """Does the server no longer know the kernel, or know it no more after a while?"""
    asked = f"{address.partition('/voila')[0]}/api/kernels/{kernel_id}"
    for _ in range(300):
        if requests.get(asked, headers={"Referer": address}).status_code == 404:
            return True
        time.sleep(0.2)
    return False


def started_again(page, old):
    """Wait for the slides of another Python."""
    told = "(id) => document.querySelector('#jupyter-config-data')?.textContent.includes(id) === false"
    page.wait_for_function(told, arg=old)
    lab.await_slides(page)


@pytest.mark.heavy
def test_every_visit_has_a_python_of_its_own_that_ends_with_it_and_says_so_if_it_dies(address, chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    page, other = context.new_page(), context.new_page()  # what is closed last takes its messages along
    page.goto(address)
    lab.await_slides(page)
    cell = go(page, "first-positive")
    page.keyboard.press("t")
    cell.locator("label.bayeslib-right").wait_for()
    at, old = number(page), kernel(page)
    page.mouse.move(300, 300)
    page.get_by_role("button", name="Start afresh").click()
    started_again(page, old)
    assert ended(address, old) and number(page) == at
    assert not go(page, "first-positive").locator("label.bayeslib-right").count()
    dead = kernel(page)
    subprocess.run(["pkill", "-KILL", "-f", f"kernel-{dead}"], check=True)
    page.locator("#trouble").get_by_text("Python has ended").wait_for()
    page.keyboard.press("PageUp")
    assert number(page) == at - 1, "slides without a figure go on"
    page.get_by_role("button", name="Start again").click()
    started_again(page, dead)
    assert number(page) == at - 1 and not page.locator("#trouble").is_visible()
    last = kernel(page)
    page.close(run_before_unload=True)
    assert ended(address, last)
    other.close()
    context.close()


# What is shown, and in how many minutes


def read(lesson):
    return nbformat.read(lab.ROOT / f"notebooks/{lesson.name}.ipynb", as_version=4).cells


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)
def test_a_lecture_fits_its_time_ends_with_the_recap_and_shows_no_practice(lesson):
    whole, said = plan(read(lesson), lesson.number)
    assert not [each.id for each in whole if "check(" in each.source or re.match("## (Practice|Quiz)", each.source)]
    if lesson.number != "00":
        assert whole[-1].id == "recap" and len(whole) > 20 and not said
    for minutes in (45, 60):
        assert int(plan(read(lesson), lesson.number, minutes)[1].split()[0]) <= minutes


@pytest.mark.parametrize("lesson", NOTED, ids=lambda lesson: lesson.number)
def test_the_shortest_hour_has_the_bet_its_settlement_and_every_role_is_on_the_wall(lesson):
    roles = [cell.metadata.get("role") for cell in plan(read(lesson), lesson.number, 1)[0]]
    assert roles.index("bet") < roles.index("settle")
    shown = {cell.id for cell in plan(read(lesson), lesson.number)[0]}
    assert {
        cell.id for cell in read(lesson) if re.match(r"live\.(bet|raise_bet|predict|settle)\(", cell.source)
    } <= shown


def part(heading, minutes, rank, *code):
    notes = f"<details><summary>For the lecturer</summary>\n\n**{minutes} minutes, rank {rank}.**\n\n</details>"
    kinds = [v4.new_markdown_cell(f"## {heading}"), *map(v4.new_code_cell, code), v4.new_markdown_cell(notes)]
    for cell, kind in zip(kinds, ["slide", *["-"] * len(code), "notes"]):
        cell.metadata["slideshow"] = {"slide_type": kind}
    return kinds


@pytest.mark.parametrize(
    "minutes, left_out",
    [(100, ""), (45, "D"), (40, "B, D"), (35, "B, E, D"), (25, "B, C, E, D"), (5, "B, C, E, D")],
)
def test_the_time_there_is_drops_parts_by_rank_and_their_code_still_runs(minutes, left_out):
    lesson = [
        v4.new_markdown_cell("# 99 · Head\n\n*Why?*"),
        *part("A", 20, 1, "a = 1"),
        *part("B", 9, 4, "b = 1", "live.rules()"),
        *part("C", 13, 2, "live.rules()"),
        *part("E", 3, 3),
        *part("D", 4, 5, "b + 1"),
        v4.new_markdown_cell("## Practice"),
        v4.new_markdown_cell("## Recap"),
    ]
    cells, said = plan(lesson, "99", minutes)
    shown = [cell.source for cell in cells if cell.metadata.slideshow.slide_type != "skip"]
    gone = [heading for heading in "ABCED" if f"## {heading}" not in shown]
    assert ", ".join(gone) == left_out == ", ".join(re.findall(r"min  (.+)", said))
    assert "# Head" in shown[0] and shown[-1] == "## Recap" and "For the lecturer" not in "".join(shown)
    assert "b = 1" in [cell.source for cell in cells], "a part that is shown may need what one left out computes"


@pytest.mark.parametrize(
    "notes, said",
    [
        ("## title 3 min", "expected '## cell"),
        ("## title + nothing · 3 min · rank 1", "no cell 'nothing'"),
        ("## text · 3 min · rank 1", "begins with its title"),
        ("## title · 1 min · rank 1\n## end · 1 min · rank 1\n## text · 1 min · rank 1", "order"),
    ],
)
def test_notes_that_do_not_fit_their_lesson_are_told(notes, said, tmp_path, monkeypatch):
    (tmp_path / "99.md").write_text(notes)
    monkeypatch.setattr(plans, "NOTES", tmp_path)
    with pytest.raises(ValueError, match=said):
        plan([v4.new_markdown_cell("# 99 · T", id=name) for name in ("title", "text", "end")], "99")


def test_words_for_the_wall_take_the_place_of_a_text_and_stand_above_code(tmp_path, monkeypatch):
    (tmp_path / "99.md").write_text(
        "## title · 1 min · rank 1\nA\n\n## text + sum · 2 min · rank 1\n> ## Wall\n\nB\n\n## sum2 · 1 min · rank 2\n> words\n"
    )
    monkeypatch.setattr(plans, "NOTES", tmp_path)
    text, codes = (
        v4.new_markdown_cell("long", id="text"),
        [v4.new_code_cell("1 + 1", id=name) for name in ("hidden", "sum", "sum2")],
    )
    cells, said = plan([v4.new_markdown_cell("# 99 · T", id="title"), text, *codes], "99", 3)
    assert [(cell.source.strip(), cell.metadata.slideshow.slide_type) for cell in cells[1:4]] == [
        ("## Wall", "slide"),
        ("1 + 1", "skip"),
        ("1 + 1", "-"),
    ]
    assert "B" in cells[1].metadata.notes and cells[1].metadata.planned == 1 and "words" in codes[2].metadata.words
    assert said.splitlines()[0] == "3 minutes of 4. Left out:"


@pytest.mark.heavy
def test_a_lecture_names_its_sections_and_ends_by_control_c():
    command = [sys.executable, "-m", "tools.lecture"]
    for wrong in (["99"], ["1", "--minutes=soon"], ["1", "--minutes=0"]):
        said = subprocess.run([*command, *wrong], capture_output=True, text=True, cwd=lab.ROOT)
        assert said.returncode == 1 and "make lecture SECTION=10" in said.stderr
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


# Beside a question k-means and EM stand below each other, higher than the wall.
SCROLLS = {"side-numbers", "true-means"}


@pytest.mark.heavy
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)
def test_every_lesson_draws_its_figures_and_is_read_from_the_last_row(lesson, address, chromium):
    page = lab.open_slides(chromium, address.replace(FIRST, lesson.name))
    page.wait_for_function(f"() => !({PRESS})() && !({UNDRAWN})()", polling=1000, timeout=180_000)
    assert page.get_by_text("Traceback").count() == 0
    sizes = page.evaluate(SIZES)
    assert [
        cell for cell, wide, tall, _ in sizes if wide > 1 or (tall > 2 and lesson in NOTED and cell not in SCROLLS)
    ] == []  # older slides may scroll
    assert [cell for cell, _, _, smallest in sizes if smallest is not None and smallest < 23.9] == []
    heard_nothing_bad(page)
    page.close()


@pytest.mark.heavy
def test_the_deck_has_the_question_before_its_answer_and_a_handout_leaves_answers_out(tmp_path):
    command = [sys.executable, "-m", "tools.lecture.deck", "01", "30", tmp_path]
    said = subprocess.run(command, cwd=lab.ROOT, capture_output=True, text=True, check=True).stdout
    sheets = {path.stem: len(re.findall(rb"/Type /Page\b", path.read_bytes())) for path in tmp_path.glob("*.pdf")}
    pages = int(re.search(r"(\d+) pages", said)[1])
    assert sheets.pop(FIRST) == pages > 12 and "Left out" in said
    assert 1 < sheets[f"{FIRST}-handout"] < sheets[f"{FIRST}-handout-with-answers"] < pages / 2
