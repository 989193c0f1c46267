"""Real JupyterLab in real Chromium: the lesson opens, runs, and its pictures follow mouse, keyboard and pointer."""

import json
import re
import shutil
import time

import nbformat
import pytest

from bayeslib.questions.question import VERDICTS, Question
from tests import lab
from tests.lab import IMAGE, reveal, state, wait_for

SECTION = "01-bayes-theorem.ipynb"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    for path in (lab.ROOT / "notebooks").glob("*.ipynb"):
        shutil.copy(path, folder)
    with lab.jupyterlab(folder) as address:
        yield address, folder


@pytest.fixture(scope="module")
def section(chromium, served):
    """Section 01 after Run All, for the tests that play with it."""
    page = lab.open_notebook(chromium, served[0], SECTION)
    lab.run_all(page)
    yield page
    page.close()


@pytest.fixture(autouse=True)
def quiet(request):
    """No test leaves an error on the console."""
    yield
    if "section" in request.fixturenames:
        assert request.getfixturevalue("section").errors == []


@pytest.mark.heavy
def test_a_notebook_stored_by_another_python_is_not_unsaved_when_it_is_opened(chromium, tmp_path):
    """`make lab` opens it so; by itself JupyterLab marks it as soon as the kernel has said its version."""
    exercise = lab.ROOT / "notebooks" / "exercises" / "release" / "01-bayes-theorem" / SECTION
    for name, path in (("lesson.ipynb", lab.ROOT / "notebooks" / SECTION), ("exercise.ipynb", exercise)):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        notebook["metadata"]["language_info"]["version"] = "3.11.0a1"
        (tmp_path / name).write_text(json.dumps(notebook), encoding="utf-8")
    with lab.jupyterlab(tmp_path, start=[lab.ROOT / "tools" / "open_lab.py"]) as address:
        for name in ("lesson.ipynb", "exercise.ipynb"):
            page = lab.open_notebook(chromium, address, name)
            page.wait_for_timeout(2000)  # the kernel has said what it is; the mark came within some milliseconds
            assert not page.evaluate("() => window.jupyterapp.shell.currentWidget.context.model.dirty"), name
            assert page.locator(".jp-mod-dirty").count() == 0
            page.close()


@pytest.mark.smoke
def test_run_all_ends_without_an_error_and_without_a_click(section):
    assert section.locator(".jp-RenderedText[data-mime-type='application/vnd.jupyter.stderr']").count() == 0


@pytest.mark.smoke
def test_a_prediction_hides_the_figure_until_the_guess(section, served):
    cell = lab.cell(section, "predict-columns")
    assert cell.locator(IMAGE).count() == 0
    cell.get_by_role("button", name="Lock in my guess").click()
    assert "Pick one" in cell.get_by_role("status").inner_text()
    cell.get_by_role("radio").nth(0).focus()
    section.keyboard.press("ArrowDown")
    section.keyboard.press("Enter")
    cell.locator(IMAGE).wait_for()
    assert VERDICTS["wrong"] in cell.get_by_role("status").inner_text()
    assert json.loads((served[1] / "my-answers.json").read_text())["01/columns"]["answer"] == 1


@pytest.mark.smoke
def test_a_slider_moved_by_keyboard_moves_picture_and_caption(section):
    cell = reveal(section, "predict-first")
    before = state(cell)
    handle = cell.get_by_role("slider").nth(0)
    handle.focus()
    for _ in range(5):
        handle.press("ArrowRight")
    wait_for(cell, lambda key: key["sick"] == before[0]["sick"] + 5)
    after = state(cell)
    assert after[1] != before[1] and after[2] != before[2] and "13 are sick" in after[2]
    assert after[2] == cell.locator(IMAGE).get_attribute("alt")


def test_a_slider_dragged_by_mouse_moves_picture_and_caption_and_never_shows_a_blank(section):
    cell = reveal(section, "predict-helps")
    before = state(cell)
    seen = lab.fast_drag(section, "predict-helps")
    wait_for(cell, lambda key: key["sick"] > 900)
    assert seen["blanks"] == 0 and seen["frames"] > 20
    assert seen["pictures"] >= 8, "the picture follows during the drag, not only after it"
    after = state(cell)
    assert after[1] != before[1] and after[2] != before[2]


def test_at_rest_the_frame_is_sharp(section):
    cell = reveal(section, "predict-helps")
    cell.locator(f'{IMAGE}[data-sharp="true"]').wait_for()
    assert cell.locator(IMAGE).evaluate("(image) => image.naturalWidth") == 1800
    cell.get_by_role("slider").nth(1).press("ArrowLeft")
    cell.locator(f'{IMAGE}[data-sharp="false"]').wait_for()
    cell.locator(f'{IMAGE}[data-sharp="true"]').wait_for()


def test_presets_and_reset_answer_to_a_click(section):
    cell = reveal(section, "predict-helps")
    cell.get_by_role("button", name="1% false alarms").click()
    wait_for(cell, lambda key: key["flagged"] == 1)
    assert "0.4414" in state(cell)[2]
    cell.get_by_role("button", name="reset").click()
    wait_for(cell, lambda key: key == {"sick": 8, "found": 98, "flagged": 3})


def test_the_picture_can_be_dragged_and_moved_by_arrow_keys(section):
    cell = reveal(section, "predict-helps")
    cell.get_by_role("button", name="reset").click()
    wait_for(cell, lambda key: key["sick"] == 8)
    cell.locator(".bayeslib-frame").hover()
    # In one go, because a frame that comes in between puts a new image in the place of the old one.
    box = cell.locator(".bayeslib-frame").evaluate(
        "(figure) => figure.querySelector('img').getBoundingClientRect().toJSON()"
    )
    section.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.5 * box["height"])
    section.mouse.down()
    section.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.4 * box["height"], steps=8)
    section.mouse.up()
    wait_for(cell, lambda key: 50 < key["sick"] < 150)
    section.wait_for_timeout(1500)  # frames of the drag may still be on their way
    dragged = state(cell)[0]["sick"]
    figure = cell.locator(".bayeslib-frame")
    figure.focus()
    for _ in range(6):
        section.keyboard.press("ArrowLeft")
    wait_for(cell, lambda key: key["sick"] == dragged - 6)
    assert "arrows" in figure.get_attribute("aria-label")
    assert section.evaluate("() => document.activeElement.className").startswith("bayeslib-frame"), "the keys stay here"


@pytest.mark.heavy
def test_the_player_steps_plays_and_ends(section):
    cell = reveal(section, "predict-second")
    cell.get_by_role("button", name="restart").click()
    wait_for(cell, lambda key: key["step"] == 0)
    cell.get_by_role("button", name="forward").click()
    wait_for(cell, lambda key: key["step"] == 1)
    assert "32.67" in state(cell)[2]
    cell.get_by_role("button", name="restart").click()
    wait_for(cell, lambda key: key["step"] == 0)
    figure = cell.locator(".bayeslib-frame")
    figure.focus()
    section.keyboard.press(" ")
    cell.get_by_role("button", name="pause").wait_for()
    wait_for(cell, lambda key: key["step"] == 2)
    cell.get_by_role("button", name="play").wait_for()
    cell.get_by_role("button", name="add −").click()
    wait_for(cell, lambda key: key["results"] == "++-" and key["step"] == 3)


def test_an_impossible_setting_is_explained_on_the_page(section):
    cell = reveal(section, "predict-second")
    field = cell.locator("input[type=text]")
    field.fill("+?")
    field.press("Tab")
    wait_for(cell, lambda key: key["results"] == "+?")
    assert "results must hold only + and -" in state(cell)[2]
    cell.get_by_role("button", name="reset").click()
    wait_for(cell, lambda key: key["results"] == "++")


def test_a_quiz_answers_back(section):
    [source] = [each.source for each in nbformat.read(lab.ROOT / "notebooks" / SECTION, 4).cells if each.id == "quiz-2"]
    cell, question = lab.cell(section, "quiz-2"), Question(re.search(r'"(.+?)"', source)[1])
    looks = {}
    for verdict in ("wrong", "correct"):
        number = [reply["verdict"] for reply in question.replies].index(verdict)
        cell.get_by_role("radio").nth(number).check()
        cell.get_by_role("button", name="Check").click()
        status = cell.get_by_role("status").filter(has_text=VERDICTS[verdict])
        status.wait_for()
        assert " ".join(question.replies[number]["parts"]) in status.inner_text()
        looks[verdict] = status.locator("strong").evaluate("(word) => getComputedStyle(word).backgroundColor")
    assert looks["wrong"] != looks["correct"] and all("rgb(" in colour for colour in looks.values())


def test_buttons_of_questions_look_like_those_of_figures(section):
    cell = reveal(section, "predict-helps")
    look = """(button) => {
        const { backgroundColor, borderTopWidth, borderRadius, color } = getComputedStyle(button);
        return [backgroundColor, borderTopWidth, borderRadius, color].join();
    }"""
    mine = lab.cell(section, "quiz-2").get_by_role("button", name="Check")
    section.mouse.move(1, 1)
    mine.blur()
    assert mine.evaluate(look) == cell.get_by_role("button", name="reset").evaluate(look)


@pytest.mark.heavy
def test_a_locked_guess_stays_marked_after_a_reload_and_an_impossible_one_is_refused(chromium, tmp_path):
    cells = [
        "from bayeslib import live",
        'live.predict("01/first-positive", live.population())',
        'live.predict("01/second-positive", live.test_after_test())',
    ]
    made = [nbformat.v4.new_code_cell(source, id=f"cell-{number}") for number, source in enumerate(cells)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=made, metadata=kernel), tmp_path / "guess.ipynb")
    with lab.jupyterlab(tmp_path) as address:
        for again in (False, True):
            page = lab.open_notebook(chromium, address, "guess.ipynb")
            lab.run_all(page)
            choice, number = (lab.cell(page, f"cell-{each}").locator(".bayeslib-question") for each in (1, 2))
            choice.wait_for()
            if not again:
                choice.get_by_role("radio").nth(2).check()
                choice.get_by_role("button", name="Lock in").click()
                number.get_by_role("spinbutton").fill("-5")
                number.get_by_role("button", name="Lock in").click()
                number.get_by_text("A percentage lies between 0 and 100.").wait_for()
                assert number.get_by_role("spinbutton").is_enabled()
                number.get_by_role("spinbutton").fill("42.5")
                number.get_by_role("button", name="Lock in").click()
            for form in (choice, number):
                form.get_by_role("status").filter(has_text="Your guess").wait_for()
            assert choice.get_by_role("radio").nth(2).is_checked() and choice.get_by_role("radio").nth(2).is_disabled()
            assert (
                number.get_by_role("spinbutton").input_value() == "42.5"
                and number.get_by_role("spinbutton").is_disabled()
            )
            assert page.errors == []
            page.close()


@pytest.mark.heavy
def test_opened_without_running_it_shows_pictures_and_how_to_wake_them(chromium, served):
    page = lab.open_notebook(chromium, served[0], "00-start-here.ipynb")
    cell = lab.cell(page, "demo")
    image = cell.locator(".bayeslib-stored img")
    image.wait_for()
    assert image.evaluate("(image) => image.naturalWidth") == 1800
    assert "k = 1" in image.get_attribute("alt")
    assert "Shift+Enter" in cell.inner_text() and "Error" not in cell.inner_text()
    assert page.errors == []
    page.close()


@pytest.mark.heavy
def test_start_here_says_whether_widgets_work_and_saves_answers(chromium, served):
    page = lab.open_notebook(chromium, served[0], "00-start-here.ipynb")
    lab.run_all(page)
    cell = lab.cell(page, "works")
    handle = cell.get_by_role("slider")
    handle.focus()
    handle.press("ArrowRight")
    cell.get_by_text("stands at 4").wait_for()
    assert not cell.get_by_text("Nothing moves yet").is_visible()
    cell = lab.cell(page, "answers")
    with page.expect_download() as download:
        cell.get_by_role("button", name="Save my answers").click()
    saved = json.loads(download.value.path().read_text())
    cell.locator("input[type=file]").set_input_files(
        {"name": "my-answers.json", "mimeType": "application/json", "buffer": json.dumps(saved).encode()}
    )
    cell.get_by_text("restored.").wait_for()
    before = cell.get_by_role("status").inner_text()
    cell.get_by_role("button", name="Forget my answers").dblclick()  # the second click lands on "No, keep them"
    assert not cell.get_by_role("button", name="Yes, forget").is_visible()
    assert cell.get_by_role("status").inner_text() == before
    cell.get_by_role("button", name="Forget my answers").click()
    cell.get_by_role("button", name="Yes, forget all of them").click()
    cell.get_by_text("0 questions answered so far").wait_for()
    assert page.errors == []
    page.close()


@pytest.mark.heavy
@pytest.mark.parametrize("without", ["**/extensions/@jupyter-widgets/**", "**/extensions/anywidget/**"])
def test_where_widgets_do_not_work_the_first_cell_says_so_and_what_to_do(chromium, served, without):
    page = lab.open_notebook(chromium, served[0], "00-start-here.ipynb", without)
    lab.run_all(page)
    cell = lab.cell(page, "works")
    cell.get_by_text("live figures do not work on this page").wait_for()
    page.wait_for_timeout(2000)
    assert cell.get_by_text("live figures do not work on this page").is_visible()
    assert "everything works here" not in cell.inner_text()
    page.close()


@pytest.mark.heavy
def test_a_saved_and_reopened_notebook_shows_the_picture_not_a_dead_widget(chromium, served):
    page = lab.open_notebook(chromium, served[0], "00-start-here.ipynb")
    lab.run_all(page)
    lab.cell(page, "demo").locator(IMAGE).wait_for()
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.close()
    page = lab.open_notebook(chromium, served[0], "00-start-here.ipynb")
    time.sleep(3)  # the widget manager gives up looking for the model
    cell = lab.cell(page, "demo")
    cell.locator(".bayeslib-stored img").wait_for()
    assert "Error displaying widget" not in cell.inner_text()
    page.close()
