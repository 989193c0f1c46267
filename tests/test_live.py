"""Every control of every live figure over its range: no exception, numbers that hold, a caption that follows."""

import gc
import inspect
import io
import json
import re
import threading
import weakref
from base64 import b64decode
from html import escape
from itertools import cycle
from types import SimpleNamespace

import ipywidgets
import numpy as np
import pytest
from PIL import Image

from bayeslib import live
from bayeslib.figures import steer
from bayeslib.figures.controls import State, slider, unit_of, values_of
from bayeslib.figures.figure import LiveFigure, Player
from bayeslib.plots import theme
from bayeslib.plots.canvas import Canvas
from bayeslib.questions import record
from tests import sections
from tests.figures import DRAWN, EXPLAINED, FIGURES, KINDS, PICTURED, a_third, every_third, press, unexplained
from tests.sections import ranges


def picture(png):
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


# Told by their sources, because to make them all takes long.
DRAGGED = [name for name, make in PICTURED.items() if "drag=" in inspect.getsource(make)]
HOLDS = {
    name.removeprefix("holds_"): check
    for module in sections.MODULES
    for name, check in vars(module).items()
    if name.startswith("holds_")
}


def holds(name, figure):
    """What must be true of every figure, and what must be true of this one."""
    said = {name: value for name, value in json.loads(figure.key).items() if name}  # "" is what else the picture shows
    assert figure.view.key == figure.key and said == figure.values
    assert figure.alt and figure.view.alt == figure.alt
    assert not re.search(r"(?<!“)\bnan\b", figure.alt, re.IGNORECASE), "NaN is no number; as a word it is quoted"
    if name in DRAWN:
        return
    pixels = figure.canvas.pixels()
    border = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    assert (border == 255).all(), "something touches the edge of the picture"
    holds_drawing(name, figure)


def holds_drawing(name, figure):
    """The figure's own invariant, and of every figure: a number in the picture is in the caption or was checked."""
    if name in DRAWN:
        return  # test_figures.py looks at these
    checked = HOLDS[name](figure) or []
    assert figure.alt.startswith(EXPLAINED) or not unexplained(figure, checked), "a number that nothing explains"


def test_every_figure_has_its_invariant():
    assert HOLDS.keys() == PICTURED.keys()


@pytest.mark.parametrize("name", a_third(FIGURES))
def test_every_control_over_its_range(name):
    figure = FIGURES[name]()
    for label, values in ranges(name, figure).items():
        if label == "text" and "your own" in figure.presets:
            figure.preset("your own")  # what is typed is shown once it is chosen
        alts = set()
        for value in values:
            figure.controls[label].value = value
            holds(name, figure)
            alts.add(figure.alt)
        if len(alts) == 1:  # which draw is shown: the picture follows, what is said of all draws stays
            last = figure.frame()
            figure.controls[label].value = values[0]
            assert figure.frame() != last, f"nothing follows {label}"
        figure.preset("reset")


@pytest.mark.heavy
@pytest.mark.parametrize("name", FIGURES)
def test_every_pair_of_extremes(name):
    figure = FIGURES[name]()
    ends = {label: (each[0], each[-1]) for label, each in ranges(name, figure, 2).items()}
    for corner in np.unique(np.linspace(0, 2 ** len(ends) - 1, 8).astype(int)):
        figure.set(**{label: pair[corner >> bit & 1] for bit, (label, pair) in enumerate(ends.items())})
        holds(name, figure)


@pytest.mark.heavy
@pytest.mark.parametrize("name", PICTURED)
def test_fast_random_sequences_leave_nothing_behind(name):
    figure, random = FIGURES[name](), np.random.default_rng(0)
    values = ranges(name, figure, 1000)
    for _ in range(25):
        label = random.choice(list(values))
        figure.controls[label].value = values[label][random.integers(len(values[label]))]
    holds(name, figure)
    state = figure.values
    fresh = FIGURES[name]()
    fresh.set(**{label: value for label, value in state.items() if label != "step"})
    fresh.set(**state)
    assert (picture(figure.frame()) == picture(fresh.frame())).all(), "the picture depends on how the state was reached"


@pytest.mark.parametrize("name", every_third(FIGURES))
def test_presets_and_reset_bring_back_the_slide(name):
    figure = FIGURES[name]()
    opened = figure.key, figure.frame()
    for label in figure.presets:
        figure.preset(label)
        holds(name, figure)
        assert figure.presets[label].items() <= figure.values.items()
    assert list(figure.presets)[-1] == "reset" and (figure.key, figure.frame()) == opened
    with pytest.raises(ValueError, match="label must be one of"):
        figure.preset("nonsense")
    with pytest.raises(ValueError, match="controls must be among .* got \\['nonsense'\\]"):
        figure.set(nonsense=1)


@pytest.mark.heavy
@pytest.mark.parametrize("name", FIGURES)
def test_actions_and_keys_work_from_the_presets(name):
    figure = FIGURES[name]()
    presets = cycle(figure.presets)
    for act in figure.actions.values():
        figure.preset(next(presets))
        figure.set(**act(figure.values))
        holds(name, figure)
    for key in figure.view.listens:
        figure.preset(next(presets))
        press(figure, key, key, key)
        holds(name, figure)


@pytest.mark.parametrize("name", every_third(DRAGGED))
def test_pointer_over_the_whole_picture(name):
    figure = FIGURES[name]()
    before, press = figure.key, 0
    for start in (0.02, 0.2, 0.35, 0.5, 0.65, 0.8, 0.98):
        for x, y in [(0.3, 0.4), (1, 1), (-0.5, 1.5)]:
            press += 1
            figure.view.pointer = {"press": press, "from": [start, start], "to": [x, y]}
            holds(name, figure)
    figure.view.pointer = {"press": press + 1, "from": [0.2, 0.5], "to": [0.3, 0.2]}
    assert figure.key != before


@pytest.mark.parametrize("name", KINDS)
def test_a_frame_is_drawn_and_moves(name):
    figure = FIGURES[name]()
    before, marks = picture(figure.frame()), figure.scenes()
    assert (before < 250).any(axis=2).mean() > 0.01, "an empty picture"
    assert before.shape == (figure.view.height, figure.view.width, 3)
    label, values = next(iter(ranges(name, figure).items()))
    figure.controls[label].value = next(value for value in reversed(values) if value != figure.values[label])
    assert (picture(figure.frame()) != before).any() and figure.scenes() != marks and figure.view.change["wide"]


@pytest.mark.parametrize("name", KINDS)
def test_stored_form_is_a_picture_with_its_words(name):
    figure = FIGURES[name]()
    bundle = figure._repr_mimebundle_()
    assert bundle.keys() >= {"text/plain", "text/html", "image/png", "application/vnd.jupyter.widget-view+json"}
    assert bundle["text/plain"] == figure.alt and figure.view.draggable == (name in DRAGGED)
    assert f'<img alt="{escape(figure.alt)}"' in bundle["text/html"] and "Shift+Enter" in bundle["text/html"]
    stored = b64decode(bundle["image/png"])
    assert len(stored) < 100_000 and Image.open(io.BytesIO(stored)).mode == "P"
    off = np.abs(picture(stored).astype(int) - picture(figure.canvas.png(2 * theme.DPI)))
    assert off.max() <= 16, "the palette has lost a colour"


def test_impossible_settings_are_explained_in_the_caption_and_recovered_from():
    figure = live.test_after_test()
    figure.set(results="+?")
    assert figure.alt.startswith(EXPLAINED) and "results must hold only + and -" in figure.alt
    figure.preset("reset")
    assert "0.8959" in figure.alt


def test_a_figure_above_a_question_has_no_button_for_its_answer_until_it_is_given():
    figure = live.edge().before("15/valley")
    answer = "the bottom of the valley"
    assert figure.locked(answer) and not figure.locked("the left edge") and not figure.locked("reset")
    record.remember("15/valley", 0, False)
    assert not figure.locked(answer), "it appears with the answer"
    with pytest.raises(ValueError, match="questions must be ones that a preset answers, got .*16/many-lies"):
        figure.before("16/many-lies")


def test_a_moved_background_is_drawn_again():
    """A figure may move its axes: what is not marked animated is noticed by matplotlib and the background renewed."""
    drawing = theme.figure((0.1, 0.1, 0.8, 0.8))
    line = drawing.axes[0].plot([0, 1], [0, 1], animated=True)[0]

    def show(top):
        drawing.axes[0].set_ylim(0, top)
        line.set_ydata([0, top / 2])
        return f"up to {top}"

    figure = LiveFigure(SimpleNamespace(figure=drawing), {"top": ipywidgets.IntSlider(1, 1, 9)}, show)
    before = picture(figure.frame())
    figure.set(top=9)
    moved = picture(figure.frame())
    assert (moved[:, :80] != before[:, :80]).any(), "the tick labels stayed"
    figure.set(top=1)
    assert (picture(figure.frame()) == before).all()


def counted_player(runs):
    """A player whose history counts down from `top`, and writes down each run of its model."""
    drawing = theme.figure((0.1, 0.1, 0.8, 0.8))
    text = drawing.axes[0].text(0.5, 0.5, "", **theme.MOVING)

    def history(top):
        if top == 0:
            raise ValueError("top must be at least 1, got 0")
        runs.append(top)
        return list(range(top, -1, -1))

    def show(history, step, top, colour):
        text.set(text=str(history[step]), color=colour)
        return f"{colour}: {history[step]}, down to {history[-1]}"

    controls = {"top": ipywidgets.IntSlider(3, 0, 100), "colour": State(value=theme.BLACK)}
    return Player(SimpleNamespace(figure=drawing), controls, history, show, step="last")


def test_the_model_runs_once_for_a_setting_whatever_is_drawn_of_it():
    runs = []
    figure = counted_player(runs)
    for step in (0, 1, 2):
        figure.set(step=step)
        assert figure.alt.endswith(f": {3 - step}, down to 0")
    figure.set(colour=theme.BLUE)
    figure.frame_at({**figure.values, "step": 0})
    assert runs == [3], "the colour is not named by the history"
    assert figure.frame_at({**figure.values, "top": 5}) is None, "a history of another length may move the step"
    figure.set(top=5)
    assert runs == [3, 5] and figure.controls["step"].max == 5
    for top in (3, 5, 3):
        figure.set(top=top)
    assert runs == [3, 5], "the last few histories are kept"
    for top in range(10, 10 + Player.KEPT):
        figure.set(top=top)
    figure.set(top=3)
    assert runs[-1] == 3 and len(runs) == 2 + Player.KEPT + 1, "but no more than that"


def test_a_history_that_cannot_be_made_is_explained_and_recovered_from():
    figure = counted_player([])
    figure.set(top=0)
    assert figure.alt == f"{EXPLAINED}top must be at least 1, got 0." and figure.canvas.hidden
    assert (figure.canvas.pixels() == 255).all(axis=2).mean() > 0.9, "the number has left the picture"
    figure.set(top=3, step=1)
    assert figure.alt.endswith(": 2, down to 0") and not figure.canvas.hidden


def plain(main=None, **options):
    """A figure of three sliders and a text that says their values."""
    drawing = theme.figure((0.1, 0.1, 0.8, 0.8))
    text = drawing.axes[0].text(0.5, 0.5, "", **theme.MOVING)
    controls = {name: slider(name, 0, 9, k) for k, name in enumerate("abc")}

    def show(**values):
        text.set_text(said := ", ".join(f"{name} = {value}" for name, value in values.items()))
        return said

    return LiveFigure(SimpleNamespace(figure=drawing), controls, show, main=main, **options)


def test_a_drag_counts_only_in_the_axes_that_are_named():
    drawing = theme.figure((0.0, 0.1, 0.5, 0.8), (0.5, 0.1, 0.5, 0.8))
    controls = {"x": slider("x", 0, 9, 3)}
    picture, drag = SimpleNamespace(figure=drawing), steer.drag("x", scale=9)
    for within, counts in ((None, {0, 1}), ([0, 1], {0, 1}), ([1], {1}), ([], set())):
        figure = LiveFigure(picture, controls, lambda x: f"x = {x}", drag=drag, within=within)
        for number in (0, 1):
            figure.preset("reset")
            place = [0.49 + number / 2, 0.5]  # at the right edge of these axes
            figure.view.pointer = {"press": number + 1, "from": place, "to": place}
            assert (figure.values["x"] == 9) == (number in counts)
            figure.set(x=3)


def test_the_pair_of_main_sliders_is_named_and_comes_first():
    assert plain().main == ("a", "b") and plain(("b",)).main == ("b",)
    figure = plain(("c", "b"))
    assert figure.main == ("c", "b") and list(figure.controls) == ["a", "b", "c"]
    grid = figure.widget.children[0].children[1]
    assert [each.description for each in grid.children] == ["c", "b", "a"]
    for wrong in (("a", "nonsense"), ("a", "b", "c")):
        with pytest.raises(ValueError, match="main must be at most two of the sliders"):
            plain(wrong)
    for name in ("rules", "two_means"):
        figure = FIGURES[name]()
        assert set(figure.main) <= figure.controls.keys() and len(figure.main) == 2


def test_the_controls_that_fold_first_are_marked():
    figure = plain(more=("b",))
    marked = [name for name, control in figure.controls.items() if "bayeslib-more" in control._dom_classes]
    assert figure.more == ("b",) and marked == ["b"]
    with pytest.raises(ValueError, match="more must be among .* got \\['nonsense'\\]"):
        plain(more=("nonsense",))


@pytest.mark.parametrize(
    "made, unit, shown",
    [
        (slider("height, cm", 0, 9, 3), "cm", "d"),
        (slider("P(A) in percent", 0, 9, 3), "percent", "d"),
        (slider("umbrella in rain, %", 0, 9, 3), "percent", "d"),
        (slider("sick per 1000", 0, 9, 3), "per 1000", "d"),
        (slider("query", 0, 1, 0.3, step=0.01), "", ".2f"),
        (slider("width", 0.0, 2.0, 0.5, step=0.25, unit="m"), "m", ".2f"),
    ],
    ids=lambda each: str(getattr(each, "description", each)),
)
def test_a_slider_speaks_the_units_of_the_lesson(made, unit, shown):
    assert unit_of(made) == unit and made.readout_format == shown


def test_a_preset_stops_a_player():
    figure = live.umbrella_filter()
    press(figure, "Home", " ")
    assert figure.view.playing
    figure.preset("reset")
    press(figure, "tick")
    assert not figure.view.playing and figure.values == figure.presets["reset"]


@pytest.mark.parametrize("name", ["baum_welch", "never_seen", "boost_bound"])
def test_rounds_name_what_each_step_draws(name):
    figure = FIGURES[name]()
    assert len(figure.view.rounds) == figure.controls["step"].max + 1 and not figure.controls["step"].readout
    for step in (0, 5, figure.controls["step"].max):
        figure.set(step=step)
        assert f"{figure.view.rounds[step]}:" in figure.alt


def test_a_place_on_the_page_is_found_in_the_axes_under_it():
    drawing = theme.figure((0.1, 0.2, 0.6, 0.7))
    drawing.axes[0].set(xlim=(0, 10), ylim=(0, 1))
    canvas = Canvas(drawing)
    for dpi in (theme.DPI, 2 * theme.DPI):
        canvas.pixels(dpi)
        axes, start, at = canvas.in_axes((0.25, 0.625), (0.4, 0.1))
        assert axes is drawing.axes[0]
        assert start == pytest.approx([2.5, 0.25]) and at == pytest.approx([5, 1])
    assert canvas.in_axes((0.01, 0.01), (0.5, 0.5)) is None


@pytest.mark.parametrize(
    "control, values",
    [
        (ipywidgets.IntSlider(5, 2, 6), [2, 3, 4, 5, 6]),
        (ipywidgets.FloatSlider(0.2, min=0.1, max=0.4, step=0.1), [0.1, 0.2, 0.3, 0.4]),
        (ipywidgets.SelectionSlider(options=range(3), value=1), [0, 1, 2]),
        (ipywidgets.Dropdown(options=[("one", 1), ("two", 2)]), [1, 2]),
        (ipywidgets.ToggleButtons(options="abc"), ["a", "b", "c"]),
        (ipywidgets.Text("a"), []),
        (State(value=3), []),
    ],
    ids=lambda each: type(each).__name__,
)
def test_the_values_of_a_control_are_listed_as_a_reader_would_write_them(control, values):
    assert values_of(control) == values


def test_some_of_the_values_run_from_end_to_end():
    assert values_of(ipywidgets.IntSlider(0, 0, 100), 5) == [0, 25, 50, 75, 100]
    assert values_of(ipywidgets.IntSlider(0, 0, 3), 5) == [0, 1, 2, 3]


def test_keys_go_along_options_to_their_ends_and_around_them():
    options = ["a", "b", "c"]
    along, around = (make("name", options) for make in (steer.along, steer.around))
    for keys, after in ((along, "c"), (around, "a")):
        assert keys["ArrowRight"]({"name": "c"}) == {"name": after}
    assert along["ArrowLeft"]({"name": "a"}) == {"name": "a"} and around["ArrowLeft"]({"name": "a"}) == {"name": "c"}
    assert steer.by("x", 0.1)["ArrowLeft"]({"x": 0.3}) == {"x": 0.2}, "no trace of how floats are kept"
    ways = steer.four(lambda values, x, y: (x, y), "adsw")
    assert {key: act({}) for key, act in ways.items()} == {"a": (-1, 0), "d": (1, 0), "s": (0, -1), "w": (0, 1)}


def test_player_plays_to_the_end_and_starts_over():
    figure = live.population()
    press(figure, "Home")
    assert figure.values["step"] == 0 and not figure.view.playing
    press(figure, " ")
    assert figure.view.playing
    for expected in (1, 2, 3):
        press(figure, "tick")
        assert figure.values["step"] == expected
    assert not figure.view.playing, "it stops at the last step"
    press(figure, "tick")
    assert figure.values["step"] == 3, "a late tick moves nothing"
    press(figure, " ")
    assert figure.view.playing and figure.values["step"] == 0
    press(figure, " ")
    assert not figure.view.playing
    press(figure, "ArrowRight", "ArrowLeft", "ArrowLeft")
    assert figure.values["step"] == 0
    press(figure, "End")
    assert figure.values["step"] == 3


@pytest.mark.parametrize("before", ["", "+", "++-", "+" * 8])
def test_a_preset_of_another_length_shows_its_last_step(before):
    figure = live.test_after_test()
    figure.set(results=before)
    figure.set(step=0)
    figure.preset("+ then −")
    assert figure.values["step"] == 2 and "0.0054" in figure.alt


def test_merged_key_presses_are_all_counted():
    figure = live.posterior_curve()
    figure.view.pressed = {"total": 5, "runs": [["ArrowRight", 5]]}
    figure.view.pressed = {"total": 7, "runs": [["ArrowRight", 5], ["ArrowLeft", 2]]}
    assert figure.values["sick"] == 8 + 5 - 2
    figure.view.pressed = {"total": 110, "runs": [["ArrowRight", 1], ["ArrowLeft", 1]]}
    assert figure.values["sick"] == 8 + 5 - 2, "what the page no longer tells is lost, not done twice"


def test_merged_keys_and_clicks_are_answered_in_their_order():
    figure = live.test_after_test()
    buttons = {button.description: button.model_id for button in figure._rows.children[0].children}
    assert set(buttons.values()) < set(figure.view.buttons)
    press(figure, "ArrowLeft", buttons["+ then −"], "ArrowLeft", buttons["reset"], "ArrowLeft")
    assert figure.values["results"] == "++" and figure.values["step"] == 1
    press(figure, "ArrowLeft", buttons["+ then −"])
    assert figure.values["step"] == 2 and "0.0054" in figure.alt


def test_one_frame_for_a_preset():
    figure, frames = live.rules(), []
    figure.view.observe(lambda change: frames.append(change["new"]), "key")
    figure.preset("total")
    assert len(frames) == 1


def test_handlers_from_several_threads_end_in_the_last_state():
    figure, errors = live.posterior_curve(), []

    def drag(control, values):
        try:
            for value in values:
                figure.controls[control].value = value
        except Exception as error:
            errors.append(error)

    threads = [
        threading.Thread(target=drag, args=("sick", range(3, 120, 3))),
        threading.Thread(target=drag, args=("found", range(99, 59, -1))),
        threading.Thread(target=lambda: [figure.frame_at({**figure.values, "sick": k}) for k in range(1, 20)]),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    figure.set(sick=117)
    assert figure.view.key == figure.key
    holds("posterior_curve", figure)


@pytest.mark.parametrize("make", [live.population, lambda: live.quiz("01/retest")], ids=["figure", "quiz"])
def test_what_is_closed_is_freed(make):
    kept = weakref.ref(make())
    ipywidgets.Widget.close_all()
    gc.collect()
    assert kept() is None
