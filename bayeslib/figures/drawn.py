"""Live figures from functions that draw one state: `@figure` and `@player`.

The decorated function takes a pen, the panels and the values of its controls, draws, and returns the caption, which is also
the text alternative. The decorator holds what is declarative, so that a figure can be inspected without being made:
`population.spec.controls`. Calling the function makes a live figure.
"""

import re
from dataclasses import dataclass, field
from functools import wraps
from inspect import signature
from io import BytesIO

from bayeslib.figures import controls as widgets
from bayeslib.figures import paint, theme
from bayeslib.figures.figure import Frame, LiveFigure, Player
from bayeslib.figures.pen import Pen, look_of
from bayeslib.plots.canvas import few_colours
from bayeslib.questions.prose import inline, plain

NARROW = 560  # pixels of the page below which a figure takes its narrow layout
STEP, JUMP, HAND = 300, 500, -1  # ms of motion; the page knows what the hand does
NUDGE = 8  # pixels that an arrow key moves a mark which has no control of its own
ARROWS = {"ArrowRight": (1, 0), "ArrowLeft": (-1, 0), "ArrowUp": (0, 1), "ArrowDown": (0, -1)}


# What a figure declares


@dataclass(frozen=True)
class Slider:
    """A range of numbers; whole ones if the step is whole."""

    description: str
    low: float
    high: float
    value: float
    step: float = 1
    unit: str | None = None

    def widget(self):
        return widgets.slider(self.description, self.low, self.high, self.value, self.step, self.unit)

    def takes(self, value):
        return self.low <= value <= self.high

    def nearest(self, value):
        """The value that the slider can take nearest to this one."""
        steps = round((min(max(value, self.low), self.high) - self.low) / self.step)
        return type(self.step)(round(self.low + steps * self.step, 9))


@dataclass(frozen=True)
class Choice:
    """One of a few options, all visible: plain values, or pairs of label and value."""

    description: str
    options: tuple
    value: object
    make = staticmethod(widgets.choice)

    def widget(self):
        return self.make(self.description, list(self.options), self.value)

    def takes(self, value):
        return any(value == (each[1] if isinstance(each, tuple) else each) for each in self.options)


class Menu(Choice):
    """One of many options, in a list that opens."""

    make = staticmethod(widgets.menu)


class Stops(Choice):
    """A slider over chosen values, such as those of a logarithmic scale."""

    make = staticmethod(widgets.stops)


@dataclass(frozen=True)
class Text:
    """What the reader types; with `file` it can also be read from a file."""

    description: str
    value: str
    lines: int = 1
    file: bool = False

    def widget(self):
        return widgets.box(self.description, self.value, self.lines, self.file)

    def takes(self, value):
        return isinstance(value, str)


@dataclass(frozen=True)
class State:
    """A control without a widget: what clicks, drags and presets change."""

    value: object

    def widget(self):
        return widgets.State(value=self.value)

    def takes(self, value):
        return True


@dataclass(frozen=True)
class Spec:
    """What a figure declares, in the decorator's arguments.

    layouts   for "wide", and perhaps "narrow", the size and the boxes of the panels, all in pixels
    controls  name -> control, with the value that the figure opens with
    looks     name of a mark -> its look (pen.py)
    presets   label -> the values that it sets; "reset" is always there
    actions   label of a button -> a function of the values that returns those to set
    keys      key -> a function of the values, for whoever has the picture in focus; `help` says in words what they do
    click     `click(values, name)` returns what a click on the mark of this name sets; the mark's look has `click`, in words
    drag      name or look of a mark -> the controls that its x and y set, such as ("sick", None), or a function
              `drag(values, name, x, y)` that returns the values to set; the mark's look has `grab`, what it is in words, and
              `spot` if not the mark is to follow the pointer but the pointer's own place counts, as on a map
    mark_keys key -> (what it does in words, a function of values and name), for the mark that has the focus
    main      the pair of sliders that the lesson uses most; `more`, those that fold first where space is short
    history   of a player: one entry a step, or a function of some controls that makes them
    step      where a player opens: a number, or "last"
    unlocks   question -> names of controls, presets, actions and keys, "click" or "drag", that appear when it is answered; an
              empty list if only the picture changes, which asks `pen.answered(question)`
    pace      ms in which a step glides; `interval`, ms between two steps while it plays
    """

    draw: object
    layouts: dict
    controls: dict = field(default_factory=dict)
    looks: dict = field(default_factory=dict)
    presets: dict = field(default_factory=dict)
    actions: dict = field(default_factory=dict)
    keys: dict = field(default_factory=dict)
    help: str = ""
    click: object = None
    drag: dict = field(default_factory=dict)
    mark_keys: dict = field(default_factory=dict)
    main: tuple | None = None
    more: tuple = ()
    unlocks: dict = field(default_factory=dict)
    history: object = None
    step: object = 0
    rounds: tuple = ()
    pace: int = STEP
    interval: int = 1200

    def __post_init__(self):
        name, known = self.draw.__name__, {*self.controls, *(["step"] if self.history is not None else [])}
        takes = {control: each.takes for control, each in self.controls.items()}
        for what, settings in {"its controls": self._opening, **self.presets}.items():
            for control, value in settings.items():
                if control not in known:
                    raise ValueError(f"{name}: preset {what!r} sets {control!r}, which is none of {sorted(known)}")
                if control in takes and not takes[control](value):
                    raise ValueError(
                        f"{name}: {what!r} sets {control} to {value!r}, which {self.controls[control]} cannot take"
                    )
        for mark, controls in self.drag.items():
            if not callable(controls) and (unknown := {each for each in controls if each} - known):
                raise ValueError(f"{name}: dragging {mark!r} sets {sorted(unknown)}, none of {sorted(known)}")

    @property
    def _opening(self):
        return {name: each.value for name, each in self.controls.items()}

    @property
    def along(self):
        """Name of a mark that can be dragged -> "x", "y" or "xy", the directions in which it follows the pointer."""
        ways = {
            name: "xy" if callable(act) else [c for c, to in zip("xy", act) if to] for name, act in self.drag.items()
        }
        return {name: "".join(way) for name, way in ways.items()}


def figure(*boxes, size=(900, 390), narrow=None, **declared):
    """A decorator for the function that draws. narrow: (size, *boxes), the layout for phones; the function is the same.

    What is decorated makes the live figure, as it opens, with a preset, or with values of controls: `rules("sum", a=30)`.
    """

    def decorate(draw):
        layouts = {"wide": (size, boxes)} | ({"narrow": (narrow[0], narrow[1:])} if narrow else {})

        @wraps(draw)
        def make(preset=None, /, **values):
            if preset is not None and preset not in make.spec.presets:
                raise ValueError(f"preset must be one of {[*make.spec.presets]}, got {preset!r}")
            values = {**make.spec.presets.get(preset, {}), **values}
            return (Drawn if make.spec.history is None else DrawnPlayer)(make.spec, values)

        make.spec = Spec(draw, layouts, **declared)
        make.__signature__ = signature(lambda preset=None, /, **values: None)
        return make

    return decorate


def player(*boxes, history, **declared):
    """The same for the steps of a history; the function also takes `step`, and `history` if it names it."""
    return figure(*boxes, history=history, **declared)


# The figure


class SceneCanvas:
    """The pixels of what a figure shows now: for stored output, print and film."""

    def __init__(self, shown):
        self.shown, self.hidden = shown, False

    def pixels(self, dpi=theme.DPI, palette=theme.LIGHT, layout="wide"):
        """Rows of RGBA."""
        with self.shown.lock:
            return paint.pixels(*self.shown.spec.layouts[layout], self.shown.marks(layout), dpi, palette)

    def stored(self, dpi=2 * theme.DPI, colours=96):
        """The picture as a small palette PNG, for what is kept in files."""
        file = BytesIO()
        few_colours(self.pixels(dpi), colours).save(file, "png", optimize=True)
        return file.getvalue()

    png = stored


class Drawn(LiveFigure):
    """A live figure whose picture is a scene."""

    def __init__(self, spec, values=(), **more):
        self.spec, self._guess, self._holds = spec, None, {}
        self._pens, self._marks, self._last_values = {}, {"wide": []}, None
        self._signature = signature(spec.draw).parameters
        controls = {name: control.widget() for name, control in spec.controls.items()}
        unknown = dict(values).keys() - controls.keys()
        if unknown:
            raise ValueError(f"controls must be among {list(controls)}, got {sorted(unknown)}")
        for name, value in dict(values).items():
            controls[name].value = value
        options = {name: getattr(spec, name) for name in ("presets", "actions", "keys", "main", "more", "unlocks")}
        options |= {"help": spec.help} if spec.help else {}
        super().__init__(self, controls, **{"show": self._caption, **options, **more})
        self.view.observe(lambda _: self._draw(), "layouts")
        self.view.observe(self._on_drag, "dragged")

    def _open(self, picture):
        """Instead of a matplotlib figure there are pens."""
        self.picture = self.figure = None
        self.canvas = SceneCanvas(self)

    def _view_of(self, **options):
        (width, height), _ = self.spec.layouts["wide"]
        words = {key: text for key, (text, _) in self.spec.mark_keys.items()}
        narrow = NARROW if "narrow" in self.spec.layouts else 0
        return Frame(**{**options, "draggable": False}, width=width, height=height, narrow=narrow, mark_keys=words)

    def guess(self, value):
        """Keep the reader's prediction in the picture, or take it out with None."""
        self._guess = value
        self._ahead.forget()
        self._draw()

    def click(self, name):
        """What a click on the mark of this name does."""
        self._touch(self.spec.click(self.values, name))

    def drag(self, name, x, y):
        """What dragging a mark to a place does; x and y as its panel has them."""
        act = self._drag_of(name)
        if callable(act):
            return self._touch(act(self.values, name, x, y))
        self._touch({to: self.spec.controls[to].nearest(value) for to, value in zip(act, (x, y)) if to})

    @property
    def _held(self):
        return next(iter(self._holds.values()), None)

    def _drag_of(self, name):
        return self.spec.drag.get(name) or self.spec.drag[name.rpartition(" ")[0]]

    # How a state becomes a picture

    def _frame(self, layout, values):
        """(caption, marks) of a state."""
        if layout not in self._pens:
            size, boxes = self.spec.layouts[layout]
            looks = dict(self.spec.looks)
            for name, way in self.spec.along.items():
                looks[name] = {**look_of(looks, name), "along": way}
            self._pens[layout] = Pen(size, boxes, looks)
        pen = self._pens[layout]
        pen.guess, pen.held, pen.waiting = self._guess, self._held, self.waiting
        pen.asked = {name: name not in self._locks for name in self.unlocks}
        caption, marks = pen.frame(self.spec.draw, **values)
        return caption, [*map(self._offered, marks)] if self.waiting or self._locks else marks

    def _offered(self, mark):
        """A mark without what the reader may not do with it yet."""
        name, kind, numbers, style = mark
        barred = {"click"} if self.locked("click") else set()
        if "grab" in style:
            act = self._drag_of(name)
            barred |= (
                {"grab"}
                if self.locked("drag") or (not callable(act) and all(self.locked(c) for c in act if c))
                else set()
            )
        return (
            (name, kind, numbers, {key: each for key, each in style.items() if key not in barred})
            if barred & style.keys()
            else mark
        )

    def _arguments(self, values):
        return values

    def _caption(self, **values):
        """The caption of a state; its marks are kept until the next."""
        given = self._arguments(values)
        drawn = {layout: self._frame(layout, given) for layout in self._layouts}
        self._marks = {layout: marks for layout, (_, marks) in drawn.items()}
        return drawn["wide"][0]

    @property
    def _layouts(self):
        return list(dict.fromkeys(["wide", *self.view.layouts]))

    def marks(self, layout="wide"):
        """The marks of the present state."""
        return [] if self.canvas.hidden else self._frame(layout, self._arguments(self.values))[1]

    def scenes(self):
        """Of each layout its size, its boxes and the marks of the last pose."""
        layouts = {layout: self.spec.layouts[layout] for layout in self._marks}
        return {layout: [*layouts[layout], [] if self.canvas.hidden else self._marks[layout]] for layout in layouts}

    @property
    def _more(self):
        """What else the picture shows."""
        more = {
            "guess": self._guess,
            "held": self._held,
            "waiting": self.waiting or None,
            "locks": sorted(self._locks) or None,
        }
        return {name: value for name, value in more.items() if value is not None}

    def key_at(self, values):
        """A state as one string: the values, and what else the picture shows."""
        return self.key_of({**values, **({"": self._more} if self._more else {})})

    def state_of(self, values):
        return [*super().state_of(values), self.key_of(self._more)]

    def _send(self):
        values, last = self.values, self._last_values or self.values
        moved = {name for name in values if values[name] != last[name]}
        by = values.get("step", 0) - last.get("step", 0)
        stepped = moved == {"step"} and abs(by) == 1
        self._last_values = values
        pace = self.spec.pace if stepped else JUMP if self._jumps else HAND
        super()._send(pace=pace, by=by, answered=self.view.dragged.get("number", 0))

    def _spoken(self, text):
        """A formula is shown typeset, and said and stored as it would be typed; what a reader typed is none, if it cannot be one."""
        try:
            return plain(text), _halves(text)
        except ValueError:
            return text, []

    def _restore(self):
        """Nothing to move back: a pen draws every state anew."""

    # What the reader does with the marks

    def _press(self, key):
        if not key.startswith("mark:"):
            return super()._press(key)
        _, key, name = key.split(":", 2)
        if not key:
            return self.click(name)
        if key in self.spec.mark_keys:
            return self._touch(self.spec.mark_keys[key][1](self.values, name))
        pen, (right, up), act = self._pens["wide"], ARROWS[key], self._drag_of(name)
        self._frame("wide", self._arguments(self.values))
        panel, x, y = pen.place(name)
        if callable(act):
            return self.drag(name, *panel.data(panel.pixels(x, y) + [NUDGE * right, -NUDGE * up])[0].tolist())
        steps = {
            to: self.values[to] + by * self.spec.controls[to].step for to, by in zip(act, (right, up)) if to and by
        }
        self._touch({to: self.spec.controls[to].nearest(value) for to, value in steps.items()})

    def _on_drag(self, change):
        at, layout, before = change["new"]["at"], change["new"]["layout"], change["old"].get("at", {})
        with self.lock, self._one_frame(jumps=False):
            pen, self._holds = self._pens[layout], {name: held for name, held in self._holds.items() if name in at}
            for name, (*place, held) in at.items():
                if before.get(name) == at[name]:
                    continue  # this finger rests
                self._frame(layout, self._arguments(self.values))
                panel, x, y = pen.place(name)
                if held:
                    self._holds.setdefault(name, [name, x, y])
                else:
                    self._holds.pop(name, None)
                self.drag(name, *panel.data(place)[0].tolist())


class DrawnPlayer(Drawn, Player):
    """The same for a player."""

    def __init__(self, spec, values=()):
        more = {name: getattr(spec, name) for name in ("history", "step", "interval", "rounds")}
        super().__init__(spec, values, show=lambda _, step, **others: self._caption(step=step, **others), **more)

    def _arguments(self, values):
        return {**values, "history": self.history(values)} if "history" in self._signature else values


def _halves(text):
    """A caption with formulas as HTML, its first sentence and the rest; [] of one without."""
    if "$" not in text:
        return []
    parts = re.split(r"(?<=[.!?])(?=\s)", text, maxsplit=1)
    return [inline(part) for part in [*parts, ""][:2]]
