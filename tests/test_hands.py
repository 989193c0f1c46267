"""Hands on the picture: mouse, finger and key move the same mark in the same way, and two fingers two of them."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests import lab

KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
SHOWN = ("posterior_curve()", "kmeans_and_em()", "test_after_test(results='')")


@pytest.fixture(scope="module")
def page(tmp_path_factory, chromium):
    folder = tmp_path_factory.mktemp("hands")
    cells = [new_code_cell("from bayeslib import live", id="import")]
    cells += [new_code_cell(f"live.{call}", id=call.partition("(")[0]) for call in SHOWN]
    nbformat.write(new_notebook(cells=cells, metadata=KERNEL), folder / "hands.ipynb")
    with lab.jupyterlab(folder) as address:
        page = lab.open_notebook(
            chromium,
            address,
            "hands.ipynb",
            has_touch=True,
            reduced_motion="reduce",
            viewport={"width": 1280, "height": 900},
        )
        lab.run_all(page)
        lab.cell(page, "test_after_test").locator("canvas[data-key]").wait_for(timeout=120_000)
        yield page
        assert page.errors == []
        page.close()


def key(found):
    return json.loads(found.locator("canvas[data-key]").get_attribute("data-key"))


def middle(mark):
    box = mark.bounding_box()
    return [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]


def touch(page, kind, *places):
    """One message to all fingers; each keeps its number."""
    page.touches = getattr(page, "touches", None) or page.context.new_cdp_session(page)
    points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
    page.touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.heavy
def test_a_mark_follows_mouse_finger_and_key(page):
    found = lab.cell(page, "posterior_curve")
    dot = found.get_by_role("button", name="the prior, as a dot on the curve")
    for way in ("mouse", "finger"):
        found.get_by_role("button", name="reset").click()
        lab.wait_for(found, lambda key: key["sick"] == 8 and "" not in key)
        dot.scroll_into_view_if_needed()
        x, y = middle(dot)
        if way == "mouse":
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x + 150, y, steps=6)
        else:
            touch(page, "touchStart", (x, y))
            for step in range(1, 7):
                touch(page, "touchMove", (x + 25 * step, y))
        lab.wait_for(found, lambda key: key["sick"] > 60 and key[""]["held"][0] == "dot")
        assert middle(dot)[0] == pytest.approx(x + 150, abs=1.5), "it is under the hand"
        if way == "mouse":
            page.mouse.up()
        else:
            touch(page, "touchEnd")
        lab.wait_for(found, lambda key: key["sick"] > 60 and "" not in key)
    dot.focus()
    before = key(found)["sick"]
    page.keyboard.press("ArrowRight")
    lab.wait_for(found, lambda key: key["sick"] > before)
    there = key(found)["sick"]
    page.keyboard.press("ArrowLeft")
    lab.wait_for(found, lambda key: key["sick"] < there)


@pytest.mark.heavy
def test_two_fingers_hold_two_marks(page):
    found = lab.cell(page, "kmeans_and_em")
    marks = [found.get_by_role("button", name=f"k-means, start of mean {number}") for number in (1, 2)]
    marks[0].scroll_into_view_if_needed()
    start, at = key(found)["means"], [middle(mark) for mark in marks]
    touch(page, "touchStart", *at)
    for step in range(1, 6):
        touch(page, "touchMove", (at[0][0] + 8 * step, at[0][1]), (at[1][0], at[1][1] - 8 * step))
    lab.wait_for(found, lambda key: key["means"][0][0] > start[0][0] + 1 and key["means"][1][1] > start[1][1] + 1)
    touch(page, "touchEnd")
    lab.wait_for(found, lambda key: "held" not in key.get("", {}))
    means = key(found)["means"]
    assert means[0][1] == pytest.approx(start[0][1], abs=0.11) and means[1][0] == pytest.approx(start[1][0], abs=0.11)


@pytest.mark.heavy
def test_a_mark_answers_to_click_tap_and_key(page):
    found = lab.cell(page, "test_after_test")
    for act in ("click", "tap", "press"):
        found.get_by_role("button", name="reset").click()
        lab.wait_for(found, lambda key: key["results"] == "")
        room = found.get_by_role("button", name="the next room: who passes?").first
        room.scroll_into_view_if_needed()
        room.press("Enter") if act == "press" else getattr(room, act)()
        lab.wait_for(found, lambda key: key["results"] == "+" and key["step"] == 1)


@pytest.mark.heavy
def test_a_page_closed_in_the_middle_of_a_drag_leaves_nothing_held(page):
    found = lab.cell(page, "posterior_curve")
    dot = found.get_by_role("button", name="the prior, as a dot on the curve")
    dot.scroll_into_view_if_needed()
    x, y = middle(dot)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y, steps=3)
    lab.wait_for(found, lambda key: "" in key)
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_timeout(1500)
    page.reload()
    page.mouse.up()
    page.wait_for_selector(".bayeslib-stage canvas[data-key]", timeout=60_000)
    found = lab.cell(page, "posterior_curve")
    lab.wait_for(found, lambda key: "" not in key)
