"""Draw a lesson's live figures ahead: run its cells, and of each figure keep the frames that a page can flip through.

A page has no kernel, so it cannot draw; it can only show what was drawn. Drawn are: the figure as it opens; each
control over its range, the others as the figure opens with them; each preset; the answer to the question before
it; and of a player all steps of what it opens with, of each preset and of the answer. Frames are files named by
their content, so that equal frames are stored once.
"""

import ast
import contextlib
import hashlib
import io
import json
import os
import tempfile
from pathlib import Path

import nbformat
from ipywidgets import Dropdown, SelectionSlider, ToggleButtons

from bayeslib.live import Player
from bayeslib.live.controls import options_of, values_of
from bayeslib.plots import theme

ROOT = Path(__file__).parents[2]
STEPS, CROWDED = 25, 17  # the most values of one control that are drawn; of each where there are more than three
COLOURS, SHARP = 32, 96


def draw(path, cache):
    """What the cells of a notebook show that moves or answers, by cell id; frames go to cache/frames."""
    kept = cache / f"{path.stem}-{_key(path)}.json"
    if not kept.exists():
        (cache / "frames").mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(dict(_run(path, cache / "frames"))))
    return json.loads(kept.read_text())


def _key(path):
    """Changes when the lesson's code, the package or this file does."""
    code = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    files = [Path(__file__), *sorted(each for each in (ROOT / "bayeslib").rglob("*.*") if each.suffix != ".pyc")]
    return hashlib.sha256("\0".join(code).encode() + b"".join(map(Path.read_bytes, files))).hexdigest()[:16]


def _run(path, frames):
    """Run the code cells in one namespace, then draw what stands live in a cell's last line."""
    from bayeslib import live
    from bayeslib.live.display import Shown

    shown, names, here = {}, {}, os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.environ["BAYESLIB_ANSWERS"] = str(Path(folder) / "my-answers.json")
        os.chdir(path.parent)
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                tree = ast.parse(cell.source)
                last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
                exec(compile(tree, cell.id, "exec"), names)
                value = last and eval(compile(ast.Expression(last.value), cell.id, "eval"), names)
                if isinstance(value, Shown):
                    shown[cell.id] = (
                        value,
                        ast.unparse(last.value.args[-1] if isinstance(value, live.predict) else last),
                    )
        os.chdir(here)

    drawn = {}  # by the call that makes the figure: drawn once, asked about more than once
    for cell, (value, call) in shown.items():
        if isinstance(value, live.predict):
            asked = [each.question.then for each, same in shown.values() if same == call and hasattr(each, "question")]
            drawn[call] = drawn.get(call) or Flips(value.figure, frames, asked)
            value.figure = drawn[call].figure
            yield cell, {"question": value.page(), "figure": drawn[call].as_dict(value)}
        elif isinstance(value, live.quiz):
            yield cell, {"question": value.page()}
        elif isinstance(value, live.LiveFigure):
            yield cell, {"figure": Flips(value, frames).as_dict()}
        else:
            yield cell, {"note": type(value).__name__}


class Flips:
    """The frames of one figure.

    controls  the controls that a page can offer: name, label, kind and the values that were drawn
    states    of each frame: the value of every such control by its number, one number for all that has no control on
              the page, the step and the last step, the file, the words
    """

    def __init__(self, figure, frames, questions=()):
        self.figure, self.frames, self.base = figure, frames, figure.values
        self.is_player = isinstance(figure, Player)
        self.asked = {"": {}} | {label: values for label, values in figure.presets.items() if label != "reset"}
        self.states, self.hidden = {}, {}
        self.controls = {
            name: each
            for name, each in figure.controls.items()
            if name != "step" and (hasattr(each, "max") or hasattr(each, "options"))
        }
        self._find_values([*self.asked.values(), *questions])
        self.presets = {label: self._at(values, sharp=not label) for label, values in self.asked.items()}
        for name, values in self.values.items():
            for value in values:
                self._at({name: value})
        for values in self.asked.values():
            self._all_steps(values)

    def _find_values(self, named):
        """The values to draw of each control: those that presets and questions name, others evenly over its range."""
        limit = STEPS if len(self.controls) <= 3 else CROWDED
        self.values = {}
        for name, control in self.controls.items():
            known = {self.base[name]: None} | {each[name]: None for each in named if name in each}
            options = values_of(control)
            evenly = values_of(control, max(limit - len(known), 2))
            self.values[name] = (
                options if len(options) <= limit else [value for value in options if value in evenly or value in known]
            )

    def _at(self, values, sharp=False):
        """Go there from the opening state as a reader would, draw, and return the number of the state."""
        self.figure.set(**self.base)
        self.figure.set(**values)
        return self._keep(sharp)

    def _all_steps(self, values):
        if not self.is_player:
            return
        self._at(values)
        for step in range(self.figure.controls["step"].max + 1):
            self.figure.set(step=step)
            self._keep()

    def _keep(self, sharp=False):
        figure = self.figure
        key = figure.key
        if key not in self.states:
            at = [_nearest(self.values[name], control.value) for name, control in self.controls.items()]
            hidden = json.dumps(
                [value for name, value in figure.values.items() if name not in {*self.controls, "step"}]
            )
            state = {"at": [*at, self.hidden.setdefault(hidden, len(self.hidden))], "alt": figure.alt}
            state["png"] = self._write(1)
            if self.is_player:
                state |= {"step": figure.controls["step"].value, "last": figure.controls["step"].max}
            self.states[key] = state
        if sharp and "sharp" not in self.states[key]:
            self.states[key]["sharp"] = self._write(2)
        return list(self.states).index(key)

    def _write(self, scale):
        """The frame as a small palette PNG, named by its content."""
        png = self.figure.canvas.stored(scale * theme.DPI, COLOURS if scale == 1 else SHARP)
        name = hashlib.sha256(png).hexdigest()[:16] + ".png"
        (self.frames / name).write_bytes(png)
        return name

    def as_dict(self, predict=None):
        """Everything as the page needs it; with a prediction, the state that answers it too."""
        states, answer = dict(self.states), {}
        if predict:
            self.figure.set(**self.base)
            predict._answer_by_figure()
            then = {name: value for name, value in self.figure.values.items() if value != self.base[name]}
            answer = {"answer": self._keep(sharp=True)}
            self._all_steps({name: value for name, value in then.items() if name != "step"})
            states, self.states = self.states, states  # the next prediction with this figure has its own answer
        controls = [
            {"label": each.description, "kind": _kind(each), "values": _words(each, self.values[name])}
            for name, each in self.controls.items()
        ]
        size = {"width": self.figure.view.width, "height": self.figure.view.height}
        player = {"interval": self.figure.view.interval} if self.is_player else {}
        return {
            "controls": controls,
            "presets": self.presets,
            "states": list(states.values()),
            **size,
            **player,
            **answer,
        }


def _kind(control):
    return {Dropdown: "menu", ToggleButtons: "choice", SelectionSlider: "slider"}.get(type(control), "slider")


def _words(control, values):
    if hasattr(control, "options"):
        return [label for value in values for label, each in options_of(control) if each == value][: len(values)]
    return [f"{value:g}" if isinstance(value, float) else str(value) for value in values]


def _nearest(values, value):
    if value in values:
        return values.index(value)
    return min(range(len(values)), key=lambda at: abs(values[at] - value))
