"""The captions of every figure in about thirty states, stored in captions.txt and reviewed like a snapshot.

The one place where sentences are compared. A caption that was changed on purpose is stored anew by
`python -m tests.test_captions`, or for some sections by `python -m tests.test_captions 05 06`; the difference is then read.
"""

import re
import sys
from pathlib import Path

import pytest

from bayeslib import live
from bayeslib.figures.recorded import RecordedCanvas
from bayeslib.sections import SECTIONS
from tests.figures import FIGURES
from tests.sections import ranges

STORED = Path(__file__).with_name("captions.txt")
STATES = 30


def states(name):
    """(setting in words, figure in that state): as it opens, each preset, each control over its range."""
    figure = FIGURES[name]()
    yield "as it opens", figure
    for label in [label for label in figure.presets if label != "reset"]:
        figure.preset(label)
        yield f"preset {label}", figure
        figure.preset("reset")
    controls = ranges(name, figure, max(3, (STATES - len(figure.presets)) // len(figure.controls)))
    for label, values in controls.items():
        for number, value in enumerate(values[:STATES]):
            figure.set(**{label: value})
            said = repr(value)
            yield f"{label} = {said if len(said) < 60 else f'value {number}'}", figure
        figure.preset("reset")


def captions(name):
    """One line for the setting and one for the caption, for every state of a figure."""
    return "\n".join(f"{setting}\n    {re.sub(chr(92) + 's+', ' ', figure.alt)}" for setting, figure in states(name))


def stored():
    """name of a figure -> its stored captions"""
    pieces = re.split(r"(?m)^## (\w+)\n", STORED.read_text(encoding="utf-8"))
    return dict(zip(pieces[1::2], (piece.strip("\n") for piece in pieces[2::2])))


def store(sections):
    """Store the captions of some sections anew and drop those of figures that are gone."""
    kept = stored() if STORED.exists() else {}
    named = {name for section in sections for name in live.figures(section)}
    texts = {name: captions(name) if name in named else kept.get(name, "") for name in FIGURES}
    STORED.write_text("".join(f"## {name}\n{text}\n\n" for name, text in texts.items()), encoding="utf-8")


@pytest.mark.parametrize("name", FIGURES)
def test_captions_are_the_stored_ones(name, monkeypatch):
    monkeypatch.setattr(RecordedCanvas, "marks", lambda *_: [])  # only the words count here
    assert captions(name) == stored().get(name), (
        "if this is meant: python -m tests.test_captions, and read the difference"
    )


def test_only_figures_of_the_course_are_stored():
    assert list(stored()) == list(FIGURES)


if __name__ == "__main__":
    store([section for section in SECTIONS if section.number in sys.argv[1:] or not sys.argv[1:]])
