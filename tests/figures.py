"""Every live figure of the course: the functions of `bayeslib.live`, and how to read their captions and what they draw."""

import inspect
import re

import numpy as np
import pytest
from matplotlib.text import Text

from bayeslib import live

FIGURES = {name: getattr(live, name) for name in live.__all__ if inspect.isfunction(getattr(live, name))}
EXPLAINED = "No picture for this setting: "
DRAWN = {name: make for name, make in FIGURES.items() if hasattr(make, "spec")}  # functions of their section
PICTURED = {
    name: make for name, make in FIGURES.items() if name not in DRAWN
}  # with a picture class, until their lesson's turn
# One of each kind: many controls and a field, rounds, an image, points, a network, a hatch.
KINDS = (
    "boost_bound",
    "read_digit",
)
KINDS += ("observe", "bagging_votes")


def number(pattern, text):
    """The number that a caption gives for something."""
    found = re.search(pattern + r" ([-−]?[\d.]+(?:e-?\d+)?)", text)
    assert found, f"{pattern!r} is not in {text!r}"
    return float(found[1].replace("−", "-").rstrip("."))


def says(said, *values, digits=4):
    """Check that a caption has these numbers."""
    for value in values:
        assert any(abs(each - value) <= 0.50001 * 10**-digits + 1e-9 * abs(value) for each in said), (value, said)


NUMBER = r"(?<![\w.])[-−+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-−+]?\d+)?"


def numbers(text):
    """The numbers that stand in a text, as they are written but without their signs."""
    return {found.strip("-−+").rstrip(".,") for found in re.findall(NUMBER, text)}


def moving(figure, kind):
    """The artists of a kind that move in a figure and can be seen now."""
    found = [artist for axes in figure.figure.axes if axes.get_visible() for artist in axes.findobj(kind)]
    return [artist for artist in found if artist.get_animated() and artist.get_visible()]


def minus(value, digits):
    """A number as a picture writes it: a true minus sign, and none before zero."""
    said = f"{value:.{digits}f}"
    return said.replace("-", "−") if float(said) else said.lstrip("-")


def places(line):
    """Where the points of a line stand, as sorted pairs."""
    return sorted(zip(*(np.asarray(each, dtype=float).tolist() for each in line.get_data())))


def leads(network, a, b, shaft, head):
    """Does an arrow of a drawn network begin at the border of node a or of what is below it, and does its head touch node b?"""
    ends = (a, np.array(shaft.get_data()).T[0]), (b, head.get_xy()[0])
    (out, inn), (wide, tall) = ((end - network.places[v] for v, end in ends), network.below)
    away = [np.abs(end) - (network.wide[v] / 2, network.tall / 2) for v, end in ((a, out), (b, inn))]
    under = np.abs(out - (0, network.tall / 2 + tall / 2)) - (wide / 2, tall / 2)
    return -2 < away[1].max() < 8 and (-2 < away[0].max() < 8 or -2 < under.max() < 8)


def check_network(network, evidence=None, focus=None, notes=None, labels=None):
    """A drawn network: boxes for what is seen, names, second lines, arrows and the frame; returns what is written in it."""
    evidence, notes, labels = evidence or {}, notes or {}, labels or {}
    names = []
    for v in network.net.variables:
        seen, pill, box = v in evidence, network.pills[v], network.boxes[v]
        assert (pill.get_visible(), box.get_visible()) == (not seen, seen)
        assert (box.get_width(), box.get_height()) == (pill.get_width(), pill.get_height())
        sign = ("■ " if evidence[v] else "□ ") if seen else ""
        names.append(f"{sign}{labels.get(v, v)}")
    for edge, (shaft, head) in network.arrows.items():
        assert not shaft.get_visible() or leads(network, *edge, shaft, head)
    frame = network.frame
    assert frame.get_visible() == (focus is not None)
    if focus is not None:
        pill = network.pills[focus]
        assert frame.get_center() == pytest.approx(network.places[focus])
        assert (frame.get_width(), frame.get_height()) == (pill.get_width() + 12, pill.get_height() + 12)
    said = [note for v, note in ((v, notes.get(v)) for v in network.notes) if note]
    return written(list(network.names.values()), names) + written(list(network.notes.values()), said)


def written(artists, wanted):
    """Check that texts of a picture, those that can be seen, say what they must; an invariant returns what it checked so."""
    artists = [artists] if isinstance(artists, Text) else artists
    found = [text.get_text() for text in artists if text.get_visible() and text.get_text()]
    wanted = list(wanted)
    assert len(found) == len(wanted) and all(map(_alike, found, wanted)), f"the picture says {found}, not {wanted}"
    return found


def _alike(said, wanted):
    """The same words and numbers; where rounding decides, a decimal may differ by one in its last place."""
    if re.sub(NUMBER, "#", said) != re.sub(NUMBER, "#", wanted):
        return said == wanted
    for one, other in zip(re.findall(NUMBER, said), re.findall(NUMBER, wanted)):
        digits = len(one.rpartition(".")[2]) if "." in one and "e" not in one else 0
        same_form = len(one) == len(other) and one.find(".") == other.find(".")
        same_form = same_form and (one[0] == other[0] or one[0].isdigit() and other[0].isdigit())
        values = [float(each.replace("−", "-").replace(",", "")) for each in (one, other)]
        if one != other and not (digits and same_form and abs(values[0] - values[1]) < 1.01 * 10**-digits):
            return False
    return True


def placed(line, x, y, rtol=1e-6, atol=1e-9):
    """Check where the points of a line stand; one that cannot be seen stands nowhere, and so ([], []) says."""
    found = line.get_data(orig=False) if line.get_visible() else ([], [])
    np.testing.assert_allclose(np.array(found, dtype=float), np.broadcast_arrays(x, y), rtol, atol)


def sized(bars, atol=1e-9, **wanted):
    """Check the x, y, width or height of bars, of those that can be seen; one value may stand for all of them."""
    seen = [bar for bar in bars if bar.get_visible()]
    for name, values in wanted.items():
        found = np.array([getattr(bar, f"get_{name}")() for bar in seen], dtype=float)
        np.testing.assert_allclose(found, values, 1e-6, atol, err_msg=name)


def stroked(line, wanted):
    """Check the strokes of a line with a gap after each: their two ends as (x, y, x, y), in any order."""
    x, y = np.array(line.get_data(orig=False), dtype=float).reshape(2, -1, 3)
    assert np.isnan(x[:, 2]).all() and np.isnan(y[:, 2]).all()
    found = np.column_stack([x[:, 0], y[:, 0], x[:, 1], y[:, 1]])
    assert len(found) == len(wanted)
    found, wanted = (sorted(np.round(each, 7).tolist()) for each in (found, np.reshape(list(wanted), (-1, 4))))
    np.testing.assert_allclose(found, wanted, atol=2e-7)


def unexplained(figure, checked):
    """Texts in the picture with a number that neither the caption has nor the figure's invariant has `checked`."""
    known = numbers(figure.alt)
    texts = [text.get_text() for text in moving(figure, Text)]
    return [text for text in texts if text not in checked and not numbers(text) <= known]


def press(figure, *keys):
    """Press keys or click buttons as the page tells it: merged into one message, in their order."""
    before = figure.view.pressed
    runs = [*before.get("runs", []), *([key, 1] for key in keys)]
    figure.view.pressed = {"total": before.get("total", 0) + len(keys), "runs": runs}


def every_third(cases):
    """Parameters: a third of the cases in `make test`, always the same one; `make test-all` runs all of them."""
    cases = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*case, marks=pytest.mark.heavy if at % 3 else ()) for at, case in enumerate(cases)]


def a_third(cases):
    """A third of the cases, always the same one, for what takes longest."""
    return list(cases)[::3]
