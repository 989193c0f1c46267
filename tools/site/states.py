"""Draw a lesson's live figures beforehand: run its cells, and keep the states of each figure that a page can show.

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
from bayeslib.figures.controls import SLIDERS, options_of, values_of
from bayeslib.figures.display import Shown
from bayeslib.figures.drawn import Drawn
from bayeslib.live import Player
from bayeslib.live.quiz import Quizzes
from bayeslib.plots import theme
from tools.site import narrow, scene

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
STEPS, CROWDED = (
    25,
    17,
)  # the most values of one control that are drawn; CROWDED where there are more than three controls
GRID = 15  # of each of the two main sliders
CLICKED = 600  # states that a row of clicks may lead to
SHARP, COLOURS = 1.5, 64  # of the picture that a page without scripts shows, also in print


def draw(path, cache):
    """The figures and questions that a notebook's cells show, by cell id; its name, the seconds it took.

    Scenes and pictures go to the folders cache/scenes and cache/pictures.
    """
    start, stored = time.monotonic(), cache / f"{path.stem}-{_key(path)}.json"
    if not stored.exists():
        for folder in ("scenes", "pictures"):
            (cache / folder).mkdir(parents=True, exist_ok=True)
        stored.write_text(json.dumps(_run(path, cache)))
    return {**json.loads(stored.read_text()), "name": path.stem, "seconds": time.monotonic() - start}


def _key(path):
    """Changes with the lesson's code, what it can reach of the package, and what draws it."""
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
    names (`live` brings them all), and what is not code, except the questions of other lessons."""
    owners = {"live": live, "bl": bayeslib}
    values = [getattr(owners[owner], name) for owner, name in re.findall(r"\b(live|bl)\.(\w+)", code)]
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == "bayeslib":
            values += [getattr(import_module(node.module), alias.name) for alias in node.names]
    finder = ModuleFinder([str(ROOT)])
    for name in {module.__name__ for module in map(inspect.getmodule, [live, *values]) if module}:
        finder.import_hook(name)
    modules = {Path(module.__file__) for module in finder.modules.values() if module.__file__}
    others = {file for file in (ROOT / "bayeslib").rglob("*.*") if not file.suffix.startswith(".py")}
    return modules | {file for file in others if file.name != "questions.toml" or file.parent.name[1:3] == number}


def _run(path, cache):
    """Run the code cells in one namespace, then draw the live objects of the cells' last lines."""
    shown, namespace, here = {}, {}, os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.environ["BAYESLIB_ANSWERS"] = str(Path(folder) / "my-answers.json")
        os.chdir(path.parent)
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                tree = ast.parse(cell.source)
                last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
                exec(compile(tree, cell.id, "exec"), namespace)
                value = last and eval(compile(ast.Expression(last.value), cell.id, "eval"), namespace)
                if isinstance(value, Shown):
                    asks = isinstance(value, live.predict)
                    call = (
                        cell.id
                        if asks and value.question.reveal
                        else ast.unparse(last.value.args[-1] if asks else last)
                    )
                    named = [name for name in re.findall(r"\blive\.(\w+)\(", cell.source) if name in narrow.LAYOUTS]
                    shown[cell.id] = value, call, narrow.LAYOUTS[named[-1]] if named else None
        os.chdir(here)

    by_call = {}  # by the call that makes the figure: it is drawn once, but more than one question may be about it
    cells, drawn = {}, {}
    for cell, (value, call, layout) in shown.items():
        if isinstance(value, live.predict) and value.question.reveal:
            cells[cell] = {"question": value.page()}
            if value.figure:
                value.figure.go_on()
                value._answer_by_figure()
                drawn[cell] = FigureStates(value.figure, [value.question.then, value.question.first], layout)
                cells[cell]["figure"] = drawn[cell].asked(cache, value)
        elif isinstance(value, Quizzes):
            cells[cell] = {"questions": value.page()}
        elif isinstance(value, live.predict):
            questions = [
                other.question for other, same, _ in shown.values() if same == call and hasattr(other, "question")
            ]
            settings = [values for question in questions for values in (question.then, question.first)]
            drawn[cell] = by_call[call] = by_call.get(call) or FigureStates(value.figure, settings, layout)
            value.figure = drawn[cell].figure
            cells[cell] = {"question": value.page(), "figure": drawn[cell].as_dict(cache, value)}
        elif isinstance(value, live.quiz):
            cells[cell] = {"question": value.page()}
        elif isinstance(value, live.LiveFigure):
            drawn[cell] = FigureStates(value, layout=layout)
            cells[cell] = {"figure": drawn[cell].as_dict(cache)}
        else:
            cells[cell] = {"note": type(value).__name__}
    for cell, shown in drawn.items():
        cells[cell]["figure"]["scene"] = shown.write(cache)
    return {"cells": cells}


class FigureStates:
    """The states of one figure.

    controls  the controls that a page can offer: name, label, kind and the values that were drawn
    states    of each: the value of every such control by its number, one number for all that has no control on the
              page, the step and the last step, the number of the frame, the words
    layout    where the page is narrow (narrow.py)
    """

    def __init__(self, figure, questions=(), layout=None, only=None):
        """only: of the controls just these, and no presets"""
        self.figure, self.base = figure, figure.values
        self.archive = scene.Archive(figure, layout and (lambda figure: {"narrow": layout.scene(figure)}))
        self.is_player, self.glides = isinstance(figure, Player), isinstance(figure, Drawn)
        named = {} if only else figure.presets
        self.named_settings = {"": {}} | {label: values for label, values in named.items() if label != "reset"}
        self.states, self.reached, self.hidden = {}, {}, {}
        self.controls = {
            name: control
            for name, control in figure.controls.items()
            if name in (only or figure.controls)
            and name != "step"
            and (hasattr(control, "max") or hasattr(control, "options"))
        }
        self.pair = (*only, "step") if only else self._pair()
        self._find_values([*self.named_settings.values(), *questions])
        self.presets = {label: self._at(values) for label, values in self.named_settings.items()}
        for name, values in self.values.items():
            for value in values:
                self._at({name: value})
        if self.pair:
            self._grid(*self.pair)
        for values in self.named_settings.values():
            self._all_steps(values)
        self._clicks()

    def _clicks(self):
        """Where clicks lead, from each state drawn so far, and from there on while there are fewer than CLICKED states."""
        known = len(self.reached)
        for number in range(CLICKED if getattr(getattr(self.figure, "spec", None), "click", None) else 0):
            if number >= len(self.reached) or (number >= known and len(self.states) >= CLICKED):
                break
            self.figure.set(**list(self.reached.values())[number])
            self._clicks_here()

    def _clicks_here(self):
        """Where a click on a mark leads from the present state."""
        spec, key, values = getattr(self.figure, "spec", None), self.figure.key, self.figure.values
        for name in [mark[0] for mark in self.figure.marks() if "click" in mark[3]] if spec and spec.click else ():
            self.figure.click(name)
            self.states[key].setdefault("clicks", {})[name] = self._record()
            self.figure.set(**values)

    def _pair(self):
        """The two sliders that move together: those that the figure plays with, a step last; () if there are fewer than two."""
        others = [name for name, control in self.figure.controls.items() if isinstance(control, SLIDERS)]
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
            known = {self.base[name]: None} | {settings[name]: None for settings in named if name in settings}
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
        return self._record()

    def _all_steps(self, values):
        if not self.is_player:
            return
        self._at(values)
        for step in range(self.figure.controls["step"].max + 1):
            self.figure.set(step=step)
            self._record()

    def _record(self):
        figure = self.figure
        key = figure.key
        if key not in self.states:
            at = [_nearest(self.values[name], control.value) for name, control in self.controls.items()]
            others = [value for name, value in figure.values.items() if name not in {*self.controls, "step"}]
            hidden = json.dumps([*others, figure._more] if self.glides and figure._more else others)
            state = {"at": [*at, self.hidden.setdefault(hidden, len(self.hidden))], "alt": figure.alt}
            state |= {"words": " ".join(figure.words)} if figure.words else {}
            state["frame"] = self.archive.add()
            if self.is_player:
                state |= {"step": figure.controls["step"].value, "last": figure.controls["step"].max}
            self.states[key], self.reached[key] = state, figure.values
        return list(self.states).index(key)

    def as_dict(self, cache, predict=None):
        """What the page itself holds, above all the state that it opens with: with a prediction, the one that answers it."""
        self.figure.set(**self.base)
        if predict:
            predict._answer_by_figure()
        then = self._moved()
        number = self._record()
        shown = self._shown(cache)
        self._all_steps(then)
        unguessed = {**predict.question.first, **({"step": 0} if self.is_player else {})} if predict else {}
        if predict and predict.question.first:
            self._all_steps(predict.question.first)
        return self._page(shown) | ({"answer": number, "first": self._at(unguessed)} if predict else {})

    def asked(self, cache, asked):
        """The same for a question of the third edition: the figure as it opens, with what it offers then, and as it answers;
        both also with the ghost of each option."""
        figure, question, numbers = self.figure, asked.question, {}
        for waiting in (True, False):
            if waiting:
                figure.wait(*asked.offers)
                asked._open_figure()
                numbers["open"], shown = self._record(), self._shown(cache)
            else:
                figure.go_on()
                figure._locks.pop(question.name, None)  # what is drawn now knows this answer and no other
                asked._answer_by_figure()
                numbers["answer"] = self._record()
            numbers["ghosts" if waiting else "told"] = []
            for option in question.options if self.glides else ():
                figure.guess(option.get("ghost"))
                numbers["ghosts" if waiting else "told"].append(self._record())
                if not waiting:
                    self._clicks_here()
            if self.glides:
                figure.guess(None)
            then = self._moved()
            for name in asked.offers if waiting else ():
                for value in self.values.get(name, ()):
                    self._at({name: value})
            if not waiting or "step" in asked.offers:
                self._all_steps(then)
        return self._page(shown) | numbers | {"offers": list(asked.offers)}

    def _moved(self):
        return {
            name: value for name, value in self.figure.values.items() if value != self.base[name] and name != "step"
        }

    def _shown(self, cache):
        """The present state, and its picture for a page without scripts."""
        picture = self.figure.canvas.stored(SHARP * theme.DPI, COLOURS)
        (cache / "pictures" / f"{_name(picture)}.png").write_bytes(picture)
        return self.states[self.figure.key] | {"png": _name(picture)}

    def _page(self, shown):
        controls = [
            {
                "name": name,
                "label": control.description,
                "kind": _kind(control),
                "values": _words(control, self.values[name]),
            }
            for name, control in self.controls.items()
        ]
        locks = {
            question: [
                *names,
                *(label for label, sets in self.figure.presets.items() if {*sets} & {*names} and label != "reset"),
            ]
            for question, names in self.figure.unlocks.items()
        }
        return {
            "width": self.figure.view.width,
            "height": self.figure.view.height,
            "tall": self.archive.openings.get("narrow", {}).get("size"),
            "controls": controls,
            "presets": self.presets,
            "shown": shown,
            "locks": locks,
            **({"interval": self.figure.view.interval} if self.is_player else {}),
        }

    def write(self, cache):
        """Write all states as a script; returns its name."""
        text = self.archive.text(states=list(self.states.values()))
        name = _name(text.encode())
        (cache / "scenes" / f"{name}.js").write_text(scene.script(name, text))
        return name


def hero(cache):
    """The figure of the home page: people, with numbers that lesson 01 does not ask about."""
    shown = FigureStates(live.population(sick=5, found=90, flagged=8.0), only=("sick",))
    return {**shown.as_dict(cache), "scene": shown.write(cache), "locks": {}, "walks": True}


def card(cache, figure, first, then, crop):
    """A detail of a figure, (left, top, width) in its pixels, and two states between which it moves."""
    made = getattr(live, figure)()
    archive = scene.Archive(made)
    frames = [(made.set(**values), archive.add())[1] for values in (first, then)]
    text = archive.text(frames=frames)
    name = _name(text.encode())
    (cache / "scenes").mkdir(parents=True, exist_ok=True)
    (cache / "scenes" / f"{name}.js").write_text(scene.script(name, text))
    return {"scene": name, "shown": frames, "crop": crop, "width": made.view.width}


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
