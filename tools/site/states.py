"""Draw a lesson's live figures ahead: run its cells, and of each figure keep the states that a page can go through.

A page has no kernel, so it cannot draw what was not drawn. Drawn are: the figure as it opens; its pair of main sliders
in all combinations; each other control over its range, the others as the figure opens with them; each preset; the
answer to the question before it; and of a player all steps of what it opens with, of each preset and of the answer.
States are kept as scenes (scene.py), a file a figure; what a page without scripts shows is kept as PNG.
"""

import ast
import contextlib
import hashlib
import inspect
import io
import json
import os
import re
import tempfile
import time
from importlib import import_module
from modulefinder import ModuleFinder
from pathlib import Path

import nbformat
from ipywidgets import Dropdown, SelectionSlider, ToggleButtons

import bayeslib
from bayeslib import live
from bayeslib.live import Player
from bayeslib.live.controls import SLIDERS, options_of, values_of
from bayeslib.live.display import Shown
from bayeslib.plots import theme
from tools.site import narrow, scene

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
STEPS, CROWDED = 25, 17  # the most values of one control that are drawn; of each where there are more than three
GRID = 15  # of each of the two main sliders
SHARP, COLOURS = 1.5, 64  # of what a page without scripts shows, on paper too


def draw(path, cache):
    """What a notebook's cells show that moves or answers, by cell id; the letters in it, its name, the seconds it took.

    Scenes and pictures go to the folders cache/scenes and cache/pictures.
    """
    began, kept = time.monotonic(), cache / f"{path.stem}-{_key(path)}.json"
    if not kept.exists():
        for folder in ("scenes", "pictures"):
            (cache / folder).mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(_run(path, cache)))
    return {**json.loads(kept.read_text()), "name": path.stem, "seconds": time.monotonic() - began}


def _key(path):
    """Changes when the lesson's code, or what it can reach of the package, or what draws it does."""
    code = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    files = [
        HERE / "states.py",
        HERE / "narrow.py",
        HERE / "scene.py",
        *sorted(_reached("\n".join(code), path.name[:2])),
    ]
    return hashlib.sha256("\0".join(code).encode() + b"".join(map(Path.read_bytes, files))).hexdigest()[:16]


def _reached(code, number):
    """The files of the package that a lesson's code can reach: what it imports, the modules of the figures that it
    names (`live` brings them all), and what is no code, but for the questions of other lessons."""
    owners = {"live": live, "bl": bayeslib}
    values = [getattr(owners[owner], name) for owner, name in re.findall(r"\b(live|bl)\.(\w+)", code)]
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == "bayeslib":
            values += [getattr(import_module(node.module), each.name) for each in node.names]
    finder = ModuleFinder([str(ROOT)])
    for name in {module.__name__ for module in map(inspect.getmodule, [live, *values]) if module}:
        finder.import_hook(name)
    modules = {Path(each.__file__) for each in finder.modules.values() if each.__file__}
    others = {each for each in (ROOT / "bayeslib").rglob("*.*") if not each.suffix.startswith(".py")}
    return modules | {each for each in others if each.name != "questions.toml" or each.parent.name[1:3] == number}


def _run(path, cache):
    """Run the code cells in one namespace, then draw what stands live in a cell's last line."""
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
                    call = ast.unparse(last.value.args[-1] if isinstance(value, live.predict) else last)
                    named = [each for each in re.findall(r"\blive\.(\w+)\(", cell.source) if each in narrow.LAYOUTS]
                    shown[cell.id] = value, call, narrow.LAYOUTS[named[-1]] if named else None
        os.chdir(here)

    asked = {}  # by the call that makes the figure: drawn once, asked about more than once
    cells, drawn = {}, {}
    for cell, (value, call, layout) in shown.items():
        if isinstance(value, live.predict):
            about = [each.question for each, same, _ in shown.values() if same == call and hasattr(each, "question")]
            told = [values for question in about for values in (question.then, question.first)]
            drawn[cell] = asked[call] = asked.get(call) or FigureStates(value.figure, told, layout)
            value.figure = drawn[cell].figure
            cells[cell] = {"question": value.page(), "figure": drawn[cell].as_dict(cache, value)}
        elif isinstance(value, live.quiz):
            cells[cell] = {"question": value.page()}
        elif isinstance(value, live.LiveFigure):
            drawn[cell] = FigureStates(value, layout=layout)
            cells[cell] = {"figure": drawn[cell].as_dict(cache)}
        else:
            cells[cell] = {"note": type(value).__name__}
    letters = {}
    for cell, shown in drawn.items():
        cells[cell]["figure"]["scene"] = shown.write(cache)
        for face, used in shown.book.letters().items():
            letters[face] = "".join(sorted({*letters.get(face, ""), *used}))
    return {"cells": cells, "letters": letters}


class FigureStates:
    """The states of one figure.

    controls  the controls that a page can offer: name, label, kind and the values that were drawn
    states    of each: the value of every such control by its number, one number for all that has no control on the
              page, the step and the last step, the number of the frame (and of one that is drawn narrower), the words
    layout    where the page is narrow (narrow.py)
    """

    def __init__(self, figure, questions=(), layout=None):
        self.figure, self.base, self.layout = figure, figure.values, layout
        figure.canvas = scene.Scene(figure.figure)
        self.book = scene.SceneArchive(figure.view.width, figure.view.height)
        self.is_player = isinstance(figure, Player)
        self.asked = {"": {}} | {label: values for label, values in figure.presets.items() if label != "reset"}
        self.states, self.hidden = {}, {}
        self.controls = {
            name: each
            for name, each in figure.controls.items()
            if name != "step" and (hasattr(each, "max") or hasattr(each, "options"))
        }
        self.pair = self._pair()
        self._find_values([*self.asked.values(), *questions])
        self.presets = {label: self._at(values) for label, values in self.asked.items()}
        for name, values in self.values.items():
            for value in values:
                self._at({name: value})
        if self.pair:
            self._grid(*self.pair)
        for values in self.asked.values():
            self._all_steps(values)

    def _pair(self):
        """The two sliders that move together: those that the figure plays with, a step last; () where there are no two."""
        others = [name for name, each in self.figure.controls.items() if isinstance(each, SLIDERS)]
        names = list(dict.fromkeys([*self.figure.main, *(["step"] if self.is_player else []), *others]))[:2]
        return sorted(names, key="step".__eq__) if len(names) == 2 else ()

    def _grid(self, one, two):
        for value in self.values[one]:
            if two == "step":
                self._all_steps({one: value})
            else:
                for other in self.values[two]:
                    self._at({one: value, two: other})

    def _find_values(self, named):
        """The values to draw of each control: those that presets and questions name, others evenly over its range."""
        self.values = {}
        for name, control in self.controls.items():
            limit = GRID if name in self.pair else STEPS if len(self.controls) <= 3 else CROWDED
            known = {self.base[name]: None} | {each[name]: None for each in named if name in each}
            options = values_of(control)
            evenly = values_of(control, max(limit - len(known), 2))
            self.values[name] = (
                options if len(options) <= limit else [value for value in options if value in evenly or value in known]
            )

    def _at(self, values):
        """Go there from the opening state as a reader would, draw, and return the number of the state."""
        if self.is_player:  # where the last step stays the last
            self.figure.set(**self.base)
        self.figure.set(**(values if self.is_player else self.base | values))
        return self._keep()

    def _all_steps(self, values):
        if not self.is_player:
            return
        self._at(values)
        for step in range(self.figure.controls["step"].max + 1):
            self.figure.set(step=step)
            self._keep()

    def _keep(self):
        figure = self.figure
        key = figure.key
        if key not in self.states:
            at = [_nearest(self.values[name], control.value) for name, control in self.controls.items()]
            hidden = json.dumps(
                [value for name, value in figure.values.items() if name not in {*self.controls, "step"}]
            )
            state = {"at": [*at, self.hidden.setdefault(hidden, len(self.hidden))], "alt": figure.alt}
            state["frame"] = self.book.add(figure.canvas.commands())
            if isinstance(self.layout, narrow.Again):
                state["narrow"] = self.book.add(figure.canvas.commands(self.layout))
            if self.is_player:
                state |= {"step": figure.controls["step"].value, "last": figure.controls["step"].max}
            self.states[key] = state
        return list(self.states).index(key)

    def as_dict(self, cache, predict=None):
        """What the page itself holds, most of all the state that it opens with: with a prediction, the one that answers."""
        self.figure.set(**self.base)
        if predict:
            predict._answer_by_figure()
        then = {
            name: value for name, value in self.figure.values.items() if value != self.base[name] and name != "step"
        }
        number = self._keep()
        picture = self.figure.canvas.stored(SHARP * theme.DPI, COLOURS)
        shown = self.states[self.figure.key] | {"png": _name(picture)}
        (cache / "pictures" / f"{shown['png']}.png").write_bytes(picture)
        self._all_steps(then)
        unguessed = {**predict.question.first, **({"step": 0} if self.is_player else {})} if predict else {}
        if predict and predict.question.first:
            self._all_steps(predict.question.first)
        controls = [
            {"label": each.description, "kind": _kind(each), "values": _words(each, self.values[name])}
            for name, each in self.controls.items()
        ]
        return {
            **self.book.size,
            "narrow": self.layout.pieces(self.book.size["height"]),
            "controls": controls,
            "presets": self.presets,
            "shown": shown,
            **({"interval": self.figure.view.interval} if self.is_player else {}),
            **({"answer": number, "first": self._at(unguessed)} if predict else {}),
        }

    def write(self, cache):
        """Keep all states as a script; returns its name."""
        text = self.book.text(states=list(self.states.values()))
        name = _name(text.encode())
        (cache / "scenes" / f"{name}.js").write_text(scene.script(name, text))
        return name


def _name(content):
    return hashlib.sha256(content).hexdigest()[:16]


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
