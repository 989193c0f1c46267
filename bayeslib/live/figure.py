"""The live figure and the step player: one small class behind every moving picture of the course.

A section brings a matplotlib figure whose moving artists are marked, a mapping of controls, and a function `show(**values)`
that runs the model, moves the artists and returns the caption. The live figure does the rest: it draws what moved and sends
the frame to the page.
"""

import json
import textwrap
import threading
from contextlib import contextmanager
from html import escape
from inspect import signature
from itertools import groupby
from pathlib import Path

import anywidget
import ipywidgets
import traitlets

from bayeslib.live.ahead import Ahead
from bayeslib.live.controls import SLIDERS, trait_of, unit_of, values_of
from bayeslib.live.display import Shown, img
from bayeslib.live.steer import by
from bayeslib.plots import theme
from bayeslib.plots.canvas import Canvas
from bayeslib.questions.question import Question

HERE = Path(__file__).parent


class Frame(anywidget.AnyWidget):
    """The front end: shows one picture with its alt text and caption, reports pointer and keys (see frame.js)."""

    # As text: a widget made from files is never freed, because anywidget keeps watching them.
    _esm = (HERE / "frame.js").read_text(encoding="utf-8")
    _css = (HERE / "style.css").read_text(encoding="utf-8")
    png = traitlets.Bytes().tag(sync=True)
    alt = traitlets.Unicode().tag(sync=True)
    key = traitlets.Unicode().tag(sync=True)
    sharp = traitlets.Bool(False).tag(sync=True)
    width = traitlets.Int().tag(sync=True)
    height = traitlets.Int().tag(sync=True)
    help = traitlets.Unicode().tag(sync=True)
    listens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    draggable = traitlets.Bool(False).tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)
    interval = traitlets.Int(1200).tag(sync=True)
    # Keys and clicks: how many in total, and the last ones in order as [key or button's model id, times]
    pressed = traitlets.Dict().tag(sync=True, echo_update=False)
    buttons = traitlets.List(traitlets.Unicode()).tag(sync=True)
    pointer = traitlets.Dict().tag(sync=True, echo_update=False)
    rest = traitlets.Int(0).tag(sync=True, echo_update=False)
    own = traitlets.Unicode().tag(sync=True)  # the id of this model, by which the page finds it
    rounds = traitlets.List(traitlets.Unicode()).tag(sync=True)
    # The controls as [model id, trait, name, unit]; for frames drawn ahead their values in this frame, and the control under
    # the hand
    watched = traitlets.List().tag(sync=True)
    state = traitlets.List().tag(sync=True)
    hand = traitlets.Unicode().tag(sync=True, echo_update=False)


class LiveFigure(Shown):
    """A picture that follows its controls.

    picture   what is drawn: a `theme.Picture`, whose attributes name the artists and which keeps its matplotlib figure; artists
              made with `theme.MOVING` are the ones that move
    controls  a mapping of name to widget (anything with a `value` to observe)
    show      `show(**values)` moves the artists and returns the caption; a ValueError becomes the caption, in words
    presets   a mapping of label to the control values it sets; "reset" is always there
    actions   a mapping of label to a function of the values that returns the control values to set
    drag      `drag(values, axes, start, at)` returns the control values to set when the reader drags in those axes
              from `start` to `at`, both in data coordinates; `values` are those at the press, so that what was
              grabbed stays grabbed
    within    the numbers of the axes in which a drag counts; by default all
    keys      a mapping of key name to a function like an action's, for a reader who has the picture in focus
    help      what pointer and keys do, in one line
    main      the names of the pair of sliders that the lesson uses most, shown first; by default the first two
    more      the names of the controls that are used least: where space is short they are the first to fold under
              "more controls", then the others from the last to the first, never the main ones
    """

    def __init__(
        self,
        picture,
        controls,
        show,
        presets=None,
        actions=None,
        drag=None,
        within=None,
        keys=None,
        help="",
        main=None,
        more=(),
    ):
        self.figure, self.picture, self.canvas = picture.figure, picture, Canvas(picture.figure)
        self.controls, self.alt, self.lock = dict(controls), "", threading.RLock()
        self.main, self.more = self._main(main), tuple(more)
        self._show, self._drag, self._keys = show, drag, dict(keys or {})
        self._within = self.figure.axes if within is None else [self.figure.axes[number] for number in within]
        self._batch, self._handled, self._clicks = 0, 0, {}
        self._grabbed = None, {}  # the current press, and the values when it began
        self.presets = {**(presets or {}), "reset": self.values}
        self.actions = dict(actions or {})
        width, height = (self.figure.get_size_inches() * theme.DPI).round().astype(int)
        self.view = Frame(
            width=int(width), height=int(height), listens=list(self._keys), draggable=drag is not None, help=help
        )
        self._draw()
        for control in self.controls.values():
            control.observe(self._on_control, "value")
        self.view.observe(self._on_rest, "rest")
        self.view.observe(self._on_pointer, "pointer")
        self.view.observe(self._on_keys, "pressed")
        self.view.watched = [
            [control.model_id, trait_of(control), name, unit_of(control)]
            if isinstance(control, ipywidgets.Widget)
            else []
            for name, control in self.controls.items()
        ]
        self.view.own = self.view.model_id
        self._ahead = Ahead(self)
        self.widget = self._box(main is not None)
        self.view.buttons = list(self._clicks)

    def _main(self, names):
        sliders = [name for name, control in self.controls.items() if isinstance(control, SLIDERS)]
        unknown = set(names or ()) - set(sliders)
        if unknown or len(names or ()) > 2:
            raise ValueError(f"main must be at most two of the sliders {sliders}, got {names!r}")
        return tuple(sliders[:2] if names is None else names)

    @property
    def values(self):
        """The value of every control by its name."""
        return {name: control.value for name, control in self.controls.items()}

    @property
    def key(self):
        """The state of the controls as one string; every frame carries the key of the state it shows."""
        return self.key_of(self.values)

    @staticmethod
    def key_of(values):
        """The key of any state."""
        return json.dumps(values, sort_keys=True, separators=(",", ":"), default=str)

    def state_of(self, values):
        """A state as the page knows it: options by number, controls without a widget by key."""

        def page_value(control, value):
            if not isinstance(control, ipywidgets.Widget):
                return self.key_of(value)
            return values_of(control).index(value) if trait_of(control) == "index" else value

        return [page_value(control, values[name]) for name, control in self.controls.items()]

    def set(self, **values):
        """Set several controls and draw one frame for all of them."""
        unknown = values.keys() - self.controls.keys()
        if unknown:
            raise ValueError(f"controls must be among {list(self.controls)}, got {sorted(unknown)}")
        with self._one_frame():
            for name, value in values.items():
                self.controls[name].value = value

    def preset(self, label):
        """Go to a named setting; "reset" is the one with which the figure opened."""
        if label not in self.presets:
            raise ValueError(f"label must be one of {list(self.presets)}, got {label!r}")
        self.set(**self.presets[label])

    def before(self, *questions):
        """This figure without the presets that show the answers of these questions, for a place above them."""
        revealing = set()
        for name in questions:
            then = Question(name).then.items()
            labels = {
                label for label, preset in self.presets.items() if then and then <= (self.values | preset).items()
            }
            if not labels - {"reset"}:
                raise ValueError(f"questions must be ones that a preset answers, got {name!r}")
            revealing |= labels - {"reset"}
        self.presets = {label: values for label, values in self.presets.items() if label not in revealing}
        self._named.children = [button for button in self._named.children if button.description not in revealing]
        return self

    def frame(self, sharp=False):
        """The picture of the present state as PNG bytes; sharp means twice the pixels."""
        with self.lock:
            return self.canvas.png(2 * theme.DPI if sharp else theme.DPI)

    def frame_at(self, values):
        """(picture, caption) of another state; the figure itself does not move. None if there is no picture of it."""
        with self.lock:
            if self.canvas.hidden:
                return None
            try:
                if self._reachable(values):
                    alt = self._pose(values)
                    return self.canvas.png(), alt
            except ValueError:
                pass
            finally:
                self._pose(self.values)
            return None

    def _reachable(self, values):
        return True

    def _pose(self, values):
        """Move the artists to a state; returns its caption."""
        return theme.minus(self._show(**values))

    # What happens when a control moves

    @contextmanager
    def _one_frame(self):
        """However many controls change inside, one frame is drawn, when the outermost block ends."""
        with self.lock:
            self._batch += 1
            try:
                yield
            finally:
                self._batch -= 1
                self._on_control(None)

    def _on_control(self, _change):
        self._ahead.stop()
        if not self._batch:
            self._draw()

    def _draw(self):
        with self.lock:
            # An impossible setting is explained, not half drawn: the moving artists are hidden.
            try:
                self.alt, self.canvas.hidden = self._pose(self.values), False
            except ValueError as error:
                why = textwrap.shorten(str(error), 300, placeholder=" …")
                self.alt, self.canvas.hidden = theme.minus(f"No picture for this setting: {why}."), True
            self._send(sharp=False)

    def _send(self, sharp):
        png = self.frame(sharp)
        with self.view.hold_sync():
            self.view.png, self.view.sharp, self.view.alt, self.view.key = png, sharp, self.alt, self.key
            self.view.state = self.state_of(self.values)

    def _on_rest(self, _change):
        with self.lock:
            if not self.view.sharp:
                self._send(sharp=True)
            self._ahead.start()

    # What the reader does with pointer and keys

    def _on_pointer(self, change):
        with self.lock:
            press = change["new"]["press"]
            if press != self._grabbed[0]:
                self._grabbed = press, self.values
            where = self.canvas.in_axes(change["new"]["from"], change["new"]["to"])
            if where and where[0] in self._within:
                self.set(**(self._drag(self._grabbed[1], *where) or {}))

    def _on_keys(self, change):
        with self.lock:
            keys = [key for key, times in change["new"]["runs"] for _ in range(times)]
            new, self._handled = change["new"]["total"] - self._handled, change["new"]["total"]
            for is_click, presses in groupby(keys[max(len(keys) - new, 0) :], self._clicks.__contains__):
                if is_click:  # every click draws its own frame
                    for button in presses:
                        self._clicks[button]()
                    continue
                with self._one_frame():
                    for key in presses:
                        self._press(key)

    def _press(self, key):
        if key in self._keys:
            self.set(**self._keys[key](self.values))

    # How it is shown

    def _box(self, named):
        """Presets on top, sliders, one row of buttons, the picture; the page decides how they share the space."""
        presets = [self._button(label, lambda go=label: self.preset(go)) for label in self.presets]
        widgets = {
            name: control for name, control in self.controls.items() if isinstance(control, ipywidgets.DOMWidget)
        }
        unknown = set(self.more) - widgets.keys()
        if unknown:
            raise ValueError(f"more must be among {list(widgets)}, got {sorted(unknown)}")
        buttons = self._buttons()
        bars = [widget for widget in widgets.values() if widget not in buttons]
        main = [self.controls[name] for name in self.main if self.controls[name] in bars]
        if named:
            bars.sort(key=lambda widget: main.index(widget) if widget in main else len(main))
        for widget in main if named else bars[:2]:
            widget.add_class("bayeslib-main")
        for name in self.more:
            self.controls[name].add_class("bayeslib-more")
        self._named = _row(presets, "presets")
        rows = ipywidgets.VBox([self._named, _row(bars, "bars", ipywidgets.GridBox), _row(buttons, "buttons")])
        rows.add_class("bayeslib-controls")
        box = ipywidgets.VBox([rows, self.view])
        box.add_class("bayeslib-live")
        return box

    def _button(self, label, act, icon=""):
        """The view reports clicks too, and the page prefers that: a kernel may handle each widget in another thread, so that
        a click and a later key could arrive in either order, and while a cell runs the click long after the key."""
        button = ipywidgets.Button(description=label, icon=icon, layout={"width": "auto"})
        button.on_click(lambda _: act())
        self._clicks[button.model_id] = act
        return button

    def _buttons(self):
        actions = [
            self._button(label, lambda act=act: self.set(**act(self.values))) for label, act in self.actions.items()
        ]
        files = [control.file for control in self.controls.values() if getattr(control, "file", None)]
        return actions + files + [c for c in self.controls.values() if isinstance(c, ipywidgets.ToggleButtons)]

    def stored(self):
        """What stays when no kernel runs: the picture, its numbers in words, and how to wake it."""
        with self.lock:
            picture = self.canvas.stored()
        wake = "This is the stored picture. To move it, click here and press Shift+Enter to run the cell."
        return {
            "text/plain": self.alt,
            "text/html": f"<figure>{img(picture, self.alt, self.view.width)}"
            f"<figcaption>{escape(self.alt)}<br><em>{wake}</em></figcaption></figure>",
            "image/png": picture,
        }


class Player(LiveFigure):
    """A live figure that walks through the history of an algorithm.

    history   all of it, one entry per step: a sequence, or a function that makes one from the controls that it names
    show      `show(history, step, **values)` moves the artists to history[step]; it may also use earlier and later entries
    step      where it opens: a number, or "last"
    rounds    what each step shows, such as "round 40", where the history skips rounds

    The model runs once per setting: the last few histories are kept, and every step and frame ahead only indexes them.
    """

    KEPT = 64  # histories

    def __init__(self, picture, controls, history, show, step=0, interval=1200, keys=None, rounds=(), **options):
        self._run = history if callable(history) else lambda: history
        self._parameters = list(signature(self._run).parameters)
        self._histories, self._requested = {}, None
        last = len(self.history({name: control.value for name, control in controls.items()})) - 1
        slider = ipywidgets.IntSlider(value=last if step == "last" else step, min=0, max=last, description="step")
        slider.readout, slider.style.description_width = not rounds, "auto"
        ends = {"Home": lambda _: {"step": 0}, "End": lambda _: {"step": self.controls["step"].max}}
        super().__init__(
            picture,
            {**controls, "step": slider},
            lambda step, **others: show(self.history(others), step, **others),
            keys={**by("step"), **ends, " ": self._toggle, "tick": self._tick, **(keys or {})},
            **{"help": "Left and right arrows step, Home restarts, Space plays and pauses.", **options},
        )
        self.view.interval, self.view.rounds = interval, list(rounds)

    def history(self, values):
        """The history for these values of the controls."""
        arguments = [values[name] for name in self._parameters]
        key = self.key_of(arguments)
        if key not in self._histories:
            self._histories = dict([*self._histories.items()][-self.KEPT + 1 :]) | {key: self._run(*arguments)}
        return self._histories[key]

    def _toggle(self, values):
        """Play or pause; from the end, play starts over."""
        self.view.playing = not self.view.playing
        return {"step": 0} if self.view.playing and values["step"] == self.controls["step"].max else {}

    def _tick(self, values):
        if not self.view.playing:
            return {}
        if values["step"] + 1 >= self.controls["step"].max:
            self.view.playing = False
        return {"step": values["step"] + 1}

    def set(self, **values):
        """Set several controls; a step among them refers to the history that the others make."""
        with self.lock:
            self._requested = values.get("step")
            try:
                super().set(**values)
            finally:
                self._requested = None

    def preset(self, label):
        """Go to a named setting and stay there."""
        self.view.playing = False
        super().preset(label)

    def _last(self, values):
        """The number of the last step, given the other values."""
        try:
            return max(len(self.history(values)) - 1, 0)
        except ValueError:
            return self.controls["step"].max  # the caption explains the setting

    def _reachable(self, values):
        """A history of another length may move the step."""
        return self._last(values) == self.controls["step"].max

    def _draw(self):
        """Before the frame: a change of the other controls may make the history longer or shorter."""
        slider, last = self.controls["step"], self._last(self.values)
        if last != slider.max:
            self._batch += 1
            step = slider.value if slider.value < slider.max else last  # at the end it stays at the end
            step = step if self._requested is None else self._requested
            slider.max = last
            slider.value = min(step, last)
            self._batch -= 1
        super()._draw()

    def _buttons(self):
        buttons = [
            self._button(label, lambda key=key: self._press(key), icon)
            for label, icon, key in (
                ("restart", "fast-backward", "Home"),
                ("back", "step-backward", "ArrowLeft"),
                ("play", "play", " "),
                ("forward", "step-forward", "ArrowRight"),
            )
        ]

        def relabel(change):
            buttons[2].description = buttons[2].icon = "pause" if change["new"] else "play"

        for button in buttons:
            button.add_class("bayeslib-step")
        self.view.observe(relabel, "playing")
        return [*buttons, self.controls["step"], *super()._buttons()]


def _row(widgets, name, kind=ipywidgets.HBox):
    row = kind(widgets)
    row.add_class(f"bayeslib-{name}")
    return row
