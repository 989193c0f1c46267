"""Real JupyterLab in real Chromium: nodes of a network answer to clicks and to keys."""

import json

import pytest

from bayeslib import live
from tests import lab
from tests.lab import IMAGE

LESSON = "07-belief-networks.ipynb"


@pytest.fixture(scope="module")
def page(tmp_path_factory, chromium):
    folder = tmp_path_factory.mktemp("lab")
    (folder / LESSON).write_bytes((lab.ROOT / "notebooks" / LESSON).read_bytes())
    with lab.jupyterlab(folder) as address:
        page = lab.open_notebook(chromium, address, LESSON, viewport={"width": 1280, "height": 720})
        lab.run_all(page)
        yield page
        assert page.errors == []
        page.close()


@pytest.fixture
def student(page):
    """The student net behind its prediction, at its opening state."""
    cell = lab.cell(page, "predict-knows")
    cell.scroll_into_view_if_needed()
    unseen = cell.get_by_role("button", name="Show me without a guess")
    unseen.or_(cell.locator(IMAGE)).first.wait_for()
    if unseen.is_visible():
        unseen.click()
    cell.locator(IMAGE).wait_for()
    cell.get_by_role("button", name="reset").click()
    seen(page, cell, {})
    return cell


def seen(page, cell, evidence):
    """Wait until the frame shows this evidence; return its whole state and the caption."""
    for _ in range(1200):
        state = json.loads(cell.locator(IMAGE).get_attribute("data-key"))
        if state["evidence"] == evidence:
            return state, cell.locator(".bayeslib-frame figcaption").inner_text()
        page.wait_for_timeout(50)
    raise AssertionError(f"never seen: {evidence}; the frame stayed at {state}")


def click(page, cell, x, y):
    """At a place of the picture in fractions."""
    cell.locator(".bayeslib-frame").hover()
    box = cell.locator(".bayeslib-frame").evaluate(
        "(figure) => figure.querySelector('img').getBoundingClientRect().toJSON()"
    )
    page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])


@pytest.mark.heavy
def test_a_clicked_node_goes_round_unseen_true_false(page, student):
    figure = live.observe("student").figure
    [name] = [text for text in figure.axes[0].texts if text.get_text() == "K: knows"]
    x, y = figure.axes[0].transData.transform(name.get_position()) / (figure.bbox.width, figure.bbox.height)
    click(page, student, x, 1 - y)
    state, caption = seen(page, student, {"K": True})
    assert state["focus"] == "K" and "Seen: K = true." in caption and "E 0.580 → 0.800" in caption
    click(page, student, x, 1 - y)
    seen(page, student, {"K": False})
    click(page, student, x, 1 - y)
    seen(page, student, {})


@pytest.mark.heavy
def test_nodes_are_reached_and_turned_by_keyboard(page, student):
    frame = student.locator(".bayeslib-frame")
    frame.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    state, caption = seen(page, student, {"A": True})
    assert state["focus"] == "A" and "Seen: A = true." in caption
    page.keyboard.press("Enter")
    seen(page, student, {"A": False})
    assert "Click a node" in frame.get_attribute("aria-label")
    assert page.evaluate("() => document.activeElement.className").startswith("bayeslib-frame"), "the keys stay here"


@pytest.mark.heavy
def test_clicks_and_keys_are_answered_in_their_order_while_a_cell_runs(page, student):
    """Of a kernel with subshells each widget may be answered in another thread, and a cell holds up one of them."""
    kernel = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"
    student.locator(f'{IMAGE}[data-sharp="true"]').wait_for()  # at rest: what came before is answered
    page.evaluate(f"() => {{ window.busy = {kernel}.requestExecute({{ code: 'import time; time.sleep(3)' }}).done; }}")
    student.get_by_role("button", name="good exam", exact=True).click()
    student.locator(".bayeslib-frame").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    seen(page, student, {"E": True, "H": True})
    page.evaluate("() => busy")
    page.wait_for_timeout(500)
    seen(page, student, {"E": True, "H": True})
