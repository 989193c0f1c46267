"""What the page draws of scenes (scene.js): what matplotlib draws, by day and by night, and motion that ends where it should."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from bayeslib.figures import theme
from bayeslib.figures.recorded import _pair
from bayeslib.plots import theme as plots_theme
from tests.figures import DRAWN, FIGURES, KINDS
from tests.lab import contrast
from tools.film import Stage, state_of


@pytest.fixture(scope="module")
def stage(chromium):
    made = Stage(chromium)
    yield made
    made.page.close()


def drawn(stage, figure):
    """The pixels of the present state, at rest."""
    stage.show(state_of(figure), 0)
    return np.asarray(stage.after(10_000, 10_000), float)


def beside_text(figure):
    """Which pixels are no text's: a picture has its own typeface, stretched on the page as its layout needs."""
    free = np.ones((figure.view.height, figure.view.width), bool)
    for text in figure.figure.findobj(Text) if figure.figure else []:
        if text.get_visible() and text.get_text():
            left, bottom, right, top = np.clip(text.get_window_extent().padded(3).extents, 0, None).astype(int)
            free[max(len(free) - top - 1, 0) : len(free) - bottom, left : right + 1] = False
    return free


def differing(figure, seen, much=64):
    """The share of pixels that differ by more than this from all of Agg's nearby."""
    painted = figure.canvas.pixels()[..., :3].astype(float)
    off = np.min(
        [np.abs(np.roll(painted, (x, y), (0, 1)) - seen).max(axis=2) for x in (-1, 0, 1) for y in (-1, 0, 1)], axis=0
    )
    return (off > much)[beside_text(figure)].mean()


@pytest.mark.parametrize("name", [*KINDS, *DRAWN])
def test_the_page_draws_what_matplotlib_draws(name, stage):
    figure = FIGURES[name]()
    stage.put(figure)
    for label in (None, next(iter(figure.presets))):
        if label:
            figure.preset(label)
        assert differing(figure, drawn(stage, figure)) < 0.004, label


def test_a_line_that_differs_is_noticed(stage):
    figure = FIGURES["boost_bound"]()
    stage.put(figure)
    before = drawn(stage, figure)
    figure.preset(list(figure.presets)[-2])
    assert differing(figure, before) > 0.004


@pytest.mark.parametrize("name", DRAWN)
def test_motion_ends_exactly_at_the_scene(name, stage):
    """From state to state, and from the middle of a motion, as beside a page that opens there."""
    figure, states = DRAWN[name](), []
    stage.put(figure)
    for label in [*figure.presets][:4]:
        figure.preset(label)
        states.append({**state_of(figure), "pace": 500, "by": 0})
    if "step" in figure.controls:
        for step in (0, 1, 2, 1):
            figure.set(step=min(step, figure.controls["step"].max))
            states.append(state_of(figure))
    glided = []
    for at, state in enumerate(states):
        stage.show(state)
        if at % 3 == 1:
            stage.after(120)  # and the next takes over
        else:
            glided.append((state, np.asarray(stage.after(10_000, 10_000))))
    for state, seen in glided:
        stage.put(figure)
        stage.show(state, 0)
        assert (np.asarray(stage.after(10_000, 10_000)) == seen).all(), state["key"]


def test_by_night_colours_of_pictures_are_as_readable_as_by_day():
    day = {colour.lower(): to_rgb(colour) for colour in (*plots_theme.STRONG.values(), *plots_theme.PALE.values())}
    night = {colour: to_rgb(_pair(colour).split()[1]) for colour in day}
    day[""], night[""] = to_rgb(theme.LIGHT["paper"]), to_rgb(theme.DARK["paper"])
    for one in day:  # text and outlines on paper and on fills
        for two in day:
            assert contrast(night[one], night[two]) >= min(3, 0.55 * contrast(day[one], day[two])), (one, two)
    assert min(contrast(night[text.lower()], night[""]) for text in (plots_theme.BLACK, plots_theme.GREY)) >= 4.5


def test_by_night_a_picture_is_turned_over(stage):
    figure = FIGURES["read_digit"]()
    stage.put(figure)
    day = drawn(stage, figure)
    stage.put(figure, dark=True)
    night = drawn(stage, figure)
    assert day.mean() > 180 and night.mean() < 90
