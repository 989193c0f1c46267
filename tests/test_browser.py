"""Real JupyterLab in real Chromium: the lesson opens, runs, and its pictures follow mouse, keyboard and pointer."""

import json
import shutil

import pytest

from bayeslib.questions.question import VERDICTS, Question
from tests import lab
from tests.lab import IMAGE, reveal, state, wait_for

SECTION, START = "01-bayes-theorem.ipynb", "00-start-here.ipynb"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    for name in (SECTION, START):
        shutil.copy(lab.ROOT / "notebooks" / name, folder)
    # By itself JupyterLab marks a notebook that another Python stored as unsaved; `make lab` opens it so.
    notebook = json.loads((folder / SECTION).read_text(encoding="utf-8"))
    notebook["metadata"]["language_info"]["version"] = "3.11.0a1"
    (folder / SECTION).write_text(json.dumps(notebook), encoding="utf-8")
    with lab.jupyterlab(folder, start=[lab.ROOT / "tools" / "open_lab.py"]) as address:
        yield address, folder


@pytest.fixture(scope="module")
def section(chromium, served):
    """Section 01 after Run All, for the tests that play with it."""
    page = lab.open_notebook(chromium, served[0], SECTION)
    page.wait_for_timeout(2000)  # the kernel has said what it is; a mark comes within some milliseconds
    assert not page.evaluate("() => window.jupyterapp.shell.currentWidget.context.model.dirty")
    lab.run_all(page)
    yield page
    assert page.errors == []
    page.close()


@pytest.mark.smoke
def test_a_prediction_offers_no_control_until_the_guess_and_nothing_fails(section, served):
    cell = lab.cell(section, "first-positive")
    cell.locator(IMAGE).wait_for()
    assert not cell.get_by_role("button", name="forward").is_visible()
    cell.get_by_role("button", name="Lock in my guess").click()
    assert "Pick one" in cell.get_by_role("status").first.inner_text()
    cell.get_by_role("radio").nth(0).focus()
    section.keyboard.press("ArrowDown")
    section.keyboard.press("Enter")
    cell.get_by_role("button", name="forward").wait_for()
    assert VERDICTS["wrong"] in cell.inner_text() and "One in five." in cell.inner_text()
    assert json.loads((served[1] / "my-answers.json").read_text())["01/first-positive"]["answer"] == 1
    assert section.locator("[data-mime-type$=stderr], [data-mime-type$=error]").count() == 0


@pytest.mark.smoke
def test_a_slider_moved_by_keyboard_moves_picture_and_caption(section):
    cell = reveal(section, "which-helps")
    before = state(cell)
    handle = cell.get_by_role("slider").nth(0)
    handle.focus()
    for _ in range(5):
        handle.press("ArrowRight")
    wait_for(cell, lambda key: key["sick"] == before[0]["sick"] + 5)
    after = state(cell)
    assert after[1] != before[1] and after[2] != before[2] and "13 per 1000" in after[2]
    assert after[2] == cell.locator(IMAGE).get_attribute("aria-label")


def test_a_slider_dragged_by_mouse_never_shows_a_blank_and_at_rest_the_frame_is_sharp(section):
    cell = reveal(section, "which-helps")
    seen = lab.fast_drag(section, "which-helps")
    wait_for(cell, lambda key: key["sick"] > 900)
    assert seen["blanks"] == 0 and seen["frames"] > 20
    assert seen["pictures"] >= 8, "the picture follows during the drag, not only after it"
    assert cell.locator(IMAGE).evaluate(
        "(canvas) => canvas.width === Math.round(canvas.clientWidth * devicePixelRatio)"
    )
    cell.get_by_role("button", name="1% false alarms").click()
    wait_for(cell, lambda key: key["flagged"] == 1)
    cell.locator("figcaption").get_by_text("0.4414").wait_for()
    cell.get_by_role("button", name="reset").click()
    wait_for(cell, lambda key: key == {"sick": 8, "found": 98, "flagged": 3})


def test_the_picture_can_be_dragged_and_moved_by_arrow_keys(section):
    cell = reveal(section, "which-helps")
    figure = cell.locator(".bayeslib-frame")
    grip = cell.get_by_role("button", name="as a dot on the curve")
    grip.hover()
    box, width = grip.bounding_box(), cell.locator(IMAGE).bounding_box()["width"]
    section.mouse.down()
    section.mouse.move(box["x"] + box["width"] / 2 + 0.12 * width, box["y"] + 10, steps=8)
    moved = grip.bounding_box()
    assert abs(moved["x"] - box["x"] - 0.12 * width) < 3, "the mark stays under the pointer"
    section.mouse.up()
    wait_for(cell, lambda key: 30 < key["sick"] < 300 and "" not in key)
    dragged = state(cell)[0]["sick"]
    grip.press("ArrowRight")
    wait_for(cell, lambda key: key["sick"] > dragged)
    dragged = state(cell)[0]["sick"]
    figure.focus()
    for _ in range(6):
        section.keyboard.press("ArrowLeft")
    wait_for(cell, lambda key: key["sick"] == dragged - 6)
    assert "arrow keys" in figure.get_attribute("aria-label")
    assert section.evaluate("() => document.activeElement.className").startswith("bayeslib-frame"), "the keys stay here"


@pytest.mark.heavy
def test_the_player_steps_plays_and_ends(section):
    cell = reveal(section, "read-second")
    cell.get_by_role("button", name="restart").click()
    wait_for(cell, lambda key: key["step"] == 0)
    cell.get_by_role("button", name="forward").click()
    wait_for(cell, lambda key: key["step"] == 1)
    assert "0.2085" in state(cell)[2]
    cell.locator(".bayeslib-frame").focus()
    section.keyboard.press(" ")
    wait_for(cell, lambda key: key["step"] == 2)
    cell.get_by_role("button", name="play").wait_for()
    cell.get_by_role("button", name="+", exact=True).click()
    wait_for(cell, lambda key: key["results"] == "+++")
    assert "0.9965" in state(cell)[2]
    cell.get_by_role("button", name="undo").click()
    wait_for(cell, lambda key: key["results"] == "++")
    assert not cell.get_by_role("button", name="−", exact=True).is_visible(), "another question unlocks it"


@pytest.mark.heavy
def test_a_quiz_answers_back_and_a_locked_guess_stays_marked_when_the_notebook_is_run_again(section, chromium, served):
    cell, question = lab.cell(section, "quiz").locator(".bayeslib-question").first, Question("01/no-base-rate")
    for verdict in ("wrong", "correct"):
        number = [reply["verdict"] for reply in question.replies].index(verdict)
        cell.get_by_role("radio").nth(number).check()
        cell.get_by_role("button", name="Check").click()
        status = cell.get_by_role("status").filter(has_text=VERDICTS[verdict])
        status.wait_for()
        assert verdict != "correct" or question.replies[number]["parts"][0] in status.inner_text()
    cell = lab.cell(section, "read-copied")
    cell.get_by_role("radio").nth(2).check()
    cell.get_by_role("button", name="Lock in my guess").click()
    cell.locator(".verdict").wait_for()
    page = lab.open_notebook(chromium, served[0], SECTION)
    lab.run_all(page)
    cell = lab.cell(page, "read-copied")
    cell.locator(".verdict").wait_for()
    guess = cell.get_by_role("radio").nth(2)
    assert guess.is_checked() and guess.is_disabled() and page.errors == []
    page.close()


@pytest.mark.heavy
def test_start_here_says_whether_widgets_work_and_saves_answers(chromium, served):
    page = lab.open_notebook(chromium, served[0], START)
    lab.run_all(page)
    cell = lab.cell(page, "works")
    cell.get_by_role("slider").press("ArrowRight")
    cell.get_by_text("stands at 4").wait_for()
    assert not cell.get_by_text("Nothing moves yet").is_visible()
    cell = lab.cell(page, "answers")
    with page.expect_download() as download:
        cell.get_by_role("button", name="Save my answers").click()
    saved = download.value.path().read_bytes()
    file = {"name": "my-answers.json", "mimeType": "application/json", "buffer": saved}
    cell.locator("input[type=file]").set_input_files(file)
    cell.get_by_text("restored.").wait_for()
    before = cell.get_by_role("status").inner_text()
    cell.get_by_role("button", name="Forget my answers").dblclick()  # the second click lands on "No, keep them"
    assert cell.get_by_role("status").inner_text() == before
    cell.get_by_role("button", name="Forget my answers").click()
    cell.get_by_role("button", name="Yes, forget all of them").click()
    cell.get_by_text("0 questions answered so far").wait_for()
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    assert page.errors == []
    page.close()


@pytest.mark.heavy
def test_a_figure_that_does_not_run_shows_its_stored_picture_and_how_to_wake_it(chromium, served):
    shutil.copy(lab.ROOT / "notebooks" / SECTION, served[1] / "not-run.ipynb")
    page = lab.open_notebook(chromium, served[0], "not-run.ipynb")
    page.wait_for_timeout(3000)  # the widget manager gives up looking for the model
    cell = lab.cell(page, "square")
    stored = cell.locator(".bayeslib-stored img")
    stored.wait_for()
    assert stored.evaluate("(image) => image.naturalWidth") == 1800 and "0.28" in stored.get_attribute("alt")
    assert "Shift+Enter" in cell.inner_text() and "Error" not in cell.inner_text()
    page.close()


@pytest.mark.heavy
@pytest.mark.parametrize("without", ["**/extensions/@jupyter-widgets/**", "**/extensions/anywidget/**"])
def test_where_widgets_do_not_work_the_first_cell_says_so_and_what_to_do(chromium, served, without):
    page = lab.open_notebook(chromium, served[0], START, without)
    lab.run_all(page)
    cell = lab.cell(page, "works")
    cell.get_by_text("live figures do not work on this page").wait_for()
    page.wait_for_timeout(2000)
    assert cell.get_by_text("live figures do not work on this page").is_visible()
    assert "everything works here" not in cell.inner_text()
    page.close()
