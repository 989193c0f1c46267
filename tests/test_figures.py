"""What holds of every figure that is a function, present and future, without naming it."""

import re
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from bayeslib.figures import theme
from bayeslib.figures.drawn import ARROWS
from bayeslib.figures.pen import look_of
from bayeslib.figures.scene import difference
from tests.figures import DRAWN, numbers
from tests.lab import ROOT, contrast
from tests.sections import MODULES, ranges

CLAIMS = {
    name.removeprefix("claims_"): check
    for module in MODULES
    for name, check in vars(module).items()
    if name.startswith("claims_")
}
READABLE = 4.5  # contrast of text on its ground
CSS_PER_POINT, PHONE = 100 / 72, 358  # pixels of the page at full width, and what a phone has for a figure


def states(name, figure, most=9):
    """The figure as it opens, in each preset, and each control over its range, from two settings."""
    yield "as it opens"
    for label in figure.presets:
        figure.preset(label)
        yield label
    settings = [label for label in figure.presets if label != "reset"][:1]
    for start in ["reset", *settings]:
        for control, values in ranges(name, figure, most).items():
            figure.preset(start)
            for value in values:
                figure.set(**{control: value})
                yield f"{start}, {control} = {value!r}"


def texts(marks):
    """(name, words, left, top, right, bottom, size) of every line of text that can be seen, in pixels."""
    for name, kind, numbers_, style in marks:
        if kind == "text":
            em = style["size"] * CSS_PER_POINT
            for words, (x, y, width) in zip(style["words"], np.reshape(numbers_, (-1, 3)) / 10):
                if words.strip():
                    yield name, words, x, y - 0.66 * em, x + width, y + 0.05 * em, style["size"]


@pytest.mark.parametrize("layout", ["wide", "narrow"])
@pytest.mark.parametrize("name", DRAWN)
def test_no_text_is_cut_small_or_under_another(name, layout):
    figure = DRAWN[name]()
    (width, height), _ = figure.spec.layouts[layout]
    scale = 1 if layout == "wide" else min(PHONE / width, 1)
    wrong = set()
    for state in states(name, figure):
        lines = list(texts(figure.marks(layout)))
        for mark, words, left, top, right, bottom, size in lines:
            if left < 0 or top < 0 or right > width + 0.5 or bottom > height:
                wrong.add(f"{state}: {words!r} ({mark}) is cut: {left:.0f} {top:.0f} {right:.0f} {bottom:.0f}")
            if size < 14 or size * CSS_PER_POINT * scale < 14:
                wrong.add(f"{state}: {words!r} ({mark}) is small")
        for a, b in combinations(lines, 2):
            across, down = min(a[4], b[4]) - max(a[2], b[2]), min(a[5], b[5]) - max(a[3], b[3])
            if across > 0 and down > 0:
                wrong.add(f"{state}: {a[1]!r} ({a[0]}) and {b[1]!r} ({b[0]}) overlap")
    assert not wrong, "\n".join(sorted(wrong)[:20])


@pytest.mark.parametrize("name", DRAWN)
def test_the_same_state_is_the_same_scene_and_a_change_leads_to_it(name):
    figure, again = DRAWN[name](), DRAWN[name]()
    for state in states(name, figure, most=4):
        again.set(**{key: value for key, value in figure.values.items() if key != "step"})
        again.set(**figure.values)
        marks = figure.marks()
        assert marks == again.marks(), state
        opening, change = figure.view.opening["wide"]["marks"], figure.view.change["wide"]
        assert change == difference(opening, marks), state
        assert replayed(opening, change) == {mark[0]: mark for mark in marks}, state


def in_full(numbers):
    """[count, dx, dy] behind a place is so many places, each that far from the one before."""
    every = []
    for each in numbers:
        for _ in range(each[0] if isinstance(each, list) else 0):
            every += [every[-2] + each[1], every[-1] + each[2]]
        every += [] if isinstance(each, list) else [each]
    return every


def replayed(opening, change):
    """The marks by name after a change, as the page makes them."""
    marks = {mark[0]: mark for mark in opening}
    for name, *rest in change:
        if rest == [None]:
            del marks[name]
            continue
        kind, places, style = rest
        if isinstance(places, dict):
            patched = list(marks[name][2])
            for start, run in places.items():
                patched[int(start) : int(start) + len(in_full(run))] = in_full(run)
            places = patched
        places = in_full(places)
        marks[name] = [name, kind, places, marks[name][3] if style is None else style]
    return marks


@pytest.mark.parametrize("name", DRAWN)
def test_the_caption_follows_every_control_and_says_the_numbers_that_the_model_gives(name):
    figure = DRAWN[name]()
    captions = {}
    for state in states(name, figure):
        assert figure.alt and "nan" not in figure.alt, state
        captions.setdefault(state.partition(" = ")[0], set()).add(figure.alt)
        if not figure.canvas.hidden:
            CLAIMS[name](**figure.values, said=[float(each.replace(",", "")) for each in numbers(figure.alt)])
    assert all(len(found) > 1 for key, found in captions.items() if key.startswith("reset, ")), captions.keys()


@pytest.mark.parametrize("palette", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
def test_every_role_that_writes_can_be_read(palette):
    used = {
        style["color"]
        for name, make in DRAWN.items()
        for figure in [make()]
        for label in figure.presets
        for _ in [figure.preset(label)]
        for _, kind, _, style in figure.marks()
        if kind == "text"
    }
    on_paper = used - {"paper"}
    assert all(contrast(to_rgb(palette[role]), to_rgb(palette["paper"])) >= READABLE for role in on_paper), on_paper
    grounds = ["case", "other", "belief", "best"]  # what words in the colour of paper stand on
    assert all(contrast(to_rgb(palette["paper"]), to_rgb(palette[role])) >= READABLE for role in grounds)


@pytest.mark.parametrize("name", DRAWN)
def test_scenes_hold_roles_and_never_colours(name):
    figure = DRAWN[name]()
    figure.view.layouts = list(figure.spec.layouts)
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b", f"{figure.view.opening} {figure.view.change}")


GRABBED = [
    (name, mark[0])
    for name, make in DRAWN.items()
    for mark in make().marks()
    if mark[3].get("grab") and not callable(look_of(make.spec.drag, mark[0]))
]


@pytest.mark.parametrize("name, mark", GRABBED)
def test_a_drag_and_its_keys_reach_the_same_state(name, mark):
    for arrow, (right, up) in ARROWS.items():
        by_key, by_hand = DRAWN[name](), DRAWN[name]()
        act = look_of(by_key.spec.drag, mark)
        by_key._press(f"mark:{arrow}:{mark}")
        moved = {to: by * by_key.spec.controls[to].step for to, by in zip(act, (right, up)) if to}
        panel, x, y = by_hand._pens["wide"].place(mark)
        place = [by_hand.values[to] + moved[to] if to else old for to, old in zip(act, (x, y))]
        by_hand.drag(mark, *place)
        assert by_key.values == by_hand.values


def test_a_setting_that_no_control_takes_is_refused_where_the_figure_is_declared():
    from bayeslib.figures.drawn import Slider, figure

    def draw(pen, panel, sick):
        return f"{sick} sick"

    declare = figure((0, 0, 100, 100), controls={"sick": Slider("sick", 0, 10, 3)}, presets={"many": {"sick": 11}})
    with pytest.raises(ValueError, match="'many' sets sick to 11"):
        declare(draw)
    with pytest.raises(ValueError, match="'ill'"):
        figure((0, 0, 100, 100), controls={"sick": Slider("sick", 0, 10, 3)}, presets={"few": {"ill": 1}})(draw)


def test_the_example_in_contributing_makes_a_figure():
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(code.strip().splitlines()) <= 22
    names = {}
    exec(code, names)
    figure = names["posterior"]()
    figure.drag("now", 100, 0.5)
    assert figure.values == {"sick": 100} and "= 0.78" in figure.alt
