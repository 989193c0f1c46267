"""Frames drawn ahead for a far kernel: they are the frames of their states, disturb nothing, and stay within bounds."""

import asyncio
import json
import threading

import ipywidgets
import pytest

from bayeslib import live
from bayeslib.figures import ahead
from bayeslib.figures.scene import difference
from tests import lab
from tests.figures import EXPLAINED, FIGURES, KINDS
from tests.sections import ranges


def steps(figure):
    """How long a player's history is."""
    return figure.controls["step"].max if isinstance(figure, live.Player) else None


@pytest.mark.parametrize("name", KINDS)
def test_a_frame_ahead_is_the_frame_of_that_state_and_moves_nothing(name):
    figure = FIGURES[name]()
    opening = figure.view.opening["wide"]["marks"]
    before, alt, key, last = figure.view.change, figure.alt, figure.key, steps(figure)
    for label, values in ranges(name, figure, 3).items():
        wanted = {**figure.values, label: values[-1]}
        found = figure.frame_at(wanted)
        assert (figure.view.change, figure.alt, figure.key) == (before, alt, key), label
        figure.set(**{label: values[-1]})
        if found is None:
            assert figure.alt.startswith(EXPLAINED) or steps(figure) != last, label
        else:
            change = {"wide": difference(opening, figure.scenes()["wide"][2])}
            assert figure.values == wanted, label
            assert found == {"change": change, "alt": figure.alt, "words": figure.words}, label
        figure.preset("reset")


class Page:
    """What the page does with a figure's messages."""

    def __init__(self, figure):
        self.figure, self.frames = figure, {}
        figure.view.send = self.hear

    def hear(self, content, buffers=None):
        for old in list(self.frames)[: content["drop"]]:
            del self.frames[old]
        if "ahead" in content:
            self.frames[content["ahead"]["key"]] = content["ahead"]

    def tell(self, **content):
        self.figure._ahead._on_message(None, content, [])

    def confirm(self):
        for told in self.frames.values():
            self.tell(got=told["number"])


def test_it_draws_along_the_control_under_the_hand_nearest_first():
    figure = live.umbrella_filter()
    page = Page(figure)
    figure.view.hand = "in_rain"
    while figure._ahead.draw():
        page.confirm()
    at = figure.values["in_rain"]
    drawn = [told["state"][list(figure.controls).index("in_rain")] for told in page.frames.values()]
    assert drawn[:3] in ([at - 1, at + 1, at - 2], [at + 1, at - 1, at + 2]) and len(drawn) == len(set(drawn))
    away = [abs(value - at) for value in drawn]
    assert away == sorted(away)
    told = page.frames[figure.key_of({**figure.values, "in_rain": at - 2})]
    figure.set(in_rain=at - 2)
    assert (told["change"], told["alt"], told["state"]) == (figure.view.change, figure.alt, figure.view.state)


def test_no_more_than_a_few_frames_are_under_way():
    figure = live.umbrella_filter()
    page = Page(figure)
    figure.view.hand = "in_rain"
    while figure._ahead.draw():
        pass
    assert len(page.frames) == ahead.WINDOW
    page.confirm()
    assert figure._ahead.draw()


def test_a_request_ends_it():
    figure = live.umbrella_filter()
    page = Page(figure)
    figure.view.hand = "in_rain"
    assert figure._ahead.draw()
    with figure._one_frame():
        figure.controls["stay"].value = 60
        assert not figure._ahead.draw() and len(page.frames) == 1
    assert figure._ahead.draw(), "at rest it goes on from the new state"


def test_what_was_drawn_before_a_guess_is_forgotten():
    figure = live.population()
    page = Page(figure)
    figure.view.hand = "sick"
    assert figure._ahead.draw()
    figure.guess(80)
    assert not page.frames and not figure._ahead.kept


@pytest.mark.heavy
def test_the_page_keeps_a_bounded_number_of_bytes(monkeypatch):
    monkeypatch.setattr(ahead, "BYTES", 20_000)
    figure = live.umbrella_filter()
    page = Page(figure)
    for stay in (60, 70, 80):
        figure.set(stay=stay)
        figure.view.hand = "in_rain" if figure.view.hand == "in_dry" else "in_dry"
        while figure._ahead.draw():
            page.confirm()
    sizes = [len(json.dumps(told["change"])) for told in page.frames.values()]
    assert sum(sizes) <= 20_000 and list(figure._ahead.kept.values()) == sizes
    page.tell(opened=True)
    assert not figure._ahead.kept, "a page that opens anew has nothing yet"


@pytest.mark.parametrize("most, reach", [(120, 0), (500, 7)])
def test_a_ladder_covers_the_range(most, reach):
    slider = ipywidgets.IntSlider(value=20, min=1, max=most)
    rungs = ahead.ladder(slider)
    assert len(rungs) <= ahead.MOST and len({value for value, _ in rungs}) == len(rungs)
    assert [value for value, _ in rungs[:3]] == [20, 19, 21]
    values = sorted(value for value, _ in rungs)
    assert max(b - a for a, b in zip(values, values[1:])) <= max(reach, 1) and max(r for _, r in rungs) == reach
    steps = ahead.ladder(ipywidgets.SelectionSlider(options=range(1, most + 1), value=20))
    assert steps == rungs, "of options the reach is counted in their numbers"
    assert ahead.ladder(ipywidgets.Text("a")) == [] and ahead.ladder(ipywidgets.Dropdown(options="ab")) == [
        ("a", 0),
        ("b", 0),
    ]


def test_with_an_event_loop_it_goes_on_by_itself():
    figure = live.umbrella_filter()
    page = Page(figure)

    async def rest():
        figure.view.hand = "in_rain"
        for _ in range(2400):
            await asyncio.sleep(0.05)
            page.confirm()
            if len(page.frames) >= 10:
                break

    thread = threading.Thread(target=asyncio.run, args=(rest(),))  # a browser's loop may run in this one
    thread.start()
    thread.join(180)
    assert len(page.frames) >= 10


@pytest.mark.heavy
def test_far_away_a_slider_flips_before_the_kernel_can_answer(tmp_path, chromium):
    import nbformat
    from nbformat.v4 import new_code_cell, new_notebook

    cells = [new_code_cell("from bayeslib import live\nlive.umbrella_filter()", id="far")]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(new_notebook(cells=cells, metadata=kernel), tmp_path / "far.ipynb")
    with lab.jupyterlab(tmp_path) as near, lab.far(near) as (address, away):
        page = lab.open_notebook(chromium, address, "far.ipynb")
        lab.run_all(page)
        cell = lab.cell(page, "far")
        image, handle = cell.locator(".bayeslib-frame canvas"), cell.locator(".noUi-handle").nth(1)
        cell.locator("canvas[data-key]").wait_for()
        before = image.get_attribute("data-key")
        away(0.4)
        handle.hover()
        page.wait_for_timeout(5000)
        away(10)
        handle.press("ArrowLeft")
        cell.locator('canvas[data-ahead="true"][data-key]').wait_for(timeout=18_000)  # less than a round trip takes
        key = image.get_attribute("data-key")
        assert key != before
        assert cell.locator(".bayeslib-frame figcaption").inner_text() == image.get_attribute("aria-label")
        cell.locator('canvas[data-ahead="false"][data-key]').wait_for(timeout=120_000)
        assert image.get_attribute("data-key") == key, "the exact frame has followed"
        assert page.errors == []
        page.close()
