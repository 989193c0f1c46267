"""Figures as scenes: what the page draws is what matplotlib draws, in the day's colours and, as readable, in the night's."""

import base64
import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from matplotlib.lines import Line2D
from matplotlib.text import Text
from PIL import Image

from bayeslib.live.controls import values_of
from bayeslib.plots import theme
from tests.figures import FIGURES
from tools.site import scene
from tools.site.states import _reached

# Where Agg and the browser round the edges of many small shapes each in its way, of rings, boxes or hatches.
CLOSE = {"population": 4, "zoo": 1.5, "queries": 1.5, "search_tree": 1.5, "penguin_groups": 1.5, "bagging_votes": 1.2}
SITE = Path(scene.__file__).parent
ROOT = SITE.parents[1] / "bayeslib"
STARTED = r"""async () => {
    for (const [name, data] of Object.entries(FONTS)) {
        document.fonts.add(await new FontFace(name, `url(data:font/woff;base64,${data})`).load());
    }
}"""
DRAW = r"""([recorded, frame, scale, dark]) => {
    const canvas = sheet(recorded.width * scale, recorded.height * scale);
    new Scene(recorded).draw(canvas, frame, dark);
    return canvas.toDataURL().split(",")[1];
}"""


class Replay:
    """A page that draws what is recorded."""

    def __init__(self, browser):
        self.page = browser.new_page()
        self.page.add_script_tag(content=(SITE / "scene.js").read_text())
        letters = {name: {chr(code) for code in range(32, 0x2A00)} for name in ("DejaVuSans", "DejaVuSans-Bold")}
        letters |= {name: set(map(chr, range(32, 127))) for name in ("DejaVuSans-Oblique", "DejaVuSansMono")}
        self.page.add_script_tag(content=scene.fonts(letters))
        self.page.evaluate(STARTED)

    def pixels(self, figure, scale=1, dark=False):
        book = scene.SceneArchive(figure.view.width, figure.view.height)
        recorded = json.loads(book.text(frame=book.add(figure.canvas.commands())))
        png = self.page.evaluate(DRAW, [recorded, 0, scale, dark])
        return np.asarray(Image.open(BytesIO(base64.b64decode(png))).convert("RGB"), float)


@pytest.fixture(scope="module")
def replay(chromium):
    made = Replay(chromium)
    yield made
    made.page.close()


def recorded(name):
    figure = FIGURES[name]()
    figure.canvas = scene.Scene(figure.figure)
    return figure


def states(figure):
    """The opening state, two presets and an end of each main slider."""
    base = figure.values
    yield {}
    yield from [values for label, values in figure.presets.items() if label != "reset"][:2]
    yield from ({name: values_of(figure.controls[name], 5)[-1 - (at == 0)]} for at, name in enumerate(figure.main))
    figure.set(**base)


def beside_text(figure):
    """Which pixels are no text's."""
    height, width = figure.view.height, figure.view.width
    free = np.ones((height, width), bool)
    for text in figure.figure.findobj(Text):
        if text.get_visible() and text.get_text():
            box = text.get_window_extent().padded(3).extents
            left, bottom, right, top = np.clip(box, 0, None).astype(int)
            free[max(height - top - 1, 0) : height - bottom, left : right + 1] = False
    return free


def difference(figure, replay):
    """The mean difference of the two pictures beside all text, in 255ths."""
    drawn, again = figure.canvas.pixels()[..., :3].astype(float), replay.pixels(figure)
    return np.abs(drawn - again)[beside_text(figure)].mean()


@pytest.mark.heavy
@pytest.mark.parametrize("name", FIGURES)
def test_the_page_draws_what_matplotlib_draws(name, replay):
    figure = recorded(name)
    base = figure.values
    for values in states(figure):
        figure.set(**base)
        figure.set(**values)
        assert difference(figure, replay) < CLOSE.get(name, 1), values


def test_a_lesson_is_drawn_anew_only_if_what_it_reaches_changes():
    code = "from bayeslib import live\nimport bayeslib as bl\nlive.posterior_curve()\nbl.posterior"
    reached = {str(path.relative_to(ROOT)) for path in _reached(code, "01")}
    assert {
        "live/bayes_theorem.py",
        "plots/bayes_theorem.py",
        "plots/canvas.py",
        "models/bayes.py",
        "sections/s01_bayes_theorem/questions.toml",
    } <= reached
    assert (
        not {
            "models/hmm.py",
            "live/k_means_and_em.py",
            "plots/k_means_and_em.py",
            "sections/s10_k_means_and_em/questions.toml",
        }
        & reached
    )


@pytest.mark.parametrize("spoil", [{"linewidth": 1}, {"color": "red"}, {"visible": False}])
def test_a_line_that_differs_is_noticed(spoil, replay):
    figure = recorded("posterior_curve")
    drawn = figure.canvas.pixels()[..., :3].astype(float)
    longest = max(figure.figure.findobj(Line2D), key=lambda line: len(line.get_xdata()))
    longest.set(**spoil)
    assert np.abs(drawn - replay.pixels(figure))[beside_text(figure)].mean() > 1


def test_a_replay_is_sharp_at_twice_the_size(replay):
    """Pixels blown up are the same in blocks of four; a picture drawn anew is not."""
    twice = replay.pixels(recorded("bayes_table"), scale=2)
    assert (twice[::2, ::2] != twice[1::2, 1::2]).any(axis=2).sum() > 5000


def contrast(one, two):
    """WCAG's contrast of two colours."""

    def light(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05

    bright, dark = sorted((light(one), light(two)), reverse=True)
    return bright / dark


def test_by_night_colours_are_as_readable_as_by_day(replay):
    night = {
        colour: replay.page.evaluate("night", colour.lower())
        for colour in (*theme.STRONG.values(), *theme.PALE.values(), theme.WHITE)
    }
    paper = night[theme.WHITE]
    assert contrast(paper, "#000000") < 1.5  # a dark paper
    for colour in theme.STRONG.values():
        assert contrast(night[colour], paper) >= 3, colour
    for text in (theme.BLACK, theme.GREY):
        assert contrast(night[text], paper) >= 4.5
    for one in night:  # text and outlines on fills
        for two in night:
            by_day = contrast(one, two)
            assert contrast(night[one], night[two]) >= min(3, 0.55 * by_day), (one, two)


def test_by_night_an_image_is_turned_over_like_all_else(replay):
    figure = recorded("read_digit")
    day, night = replay.pixels(figure), replay.pixels(figure, dark=True)
    assert day.mean() > 180 and night.mean() < 90
    colours = {tuple(colour) for colour in night.reshape(-1, 3).astype(int)}
    assert (255, 255, 255) not in colours  # nothing stays as bright as paper by day
