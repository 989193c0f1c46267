"""The live figure and the step player: one small class behind every moving picture of the course.

A section brings a matplotlib figure whose moving artists are marked `animated`, a mapping of controls, and a function
`show(**values)` that asks the model, moves the artists and returns the caption. The live figure does the rest: it keeps the
still part of the picture, redraws only what moves, and sends the frame to the page.
"""

import json
import struct
import threading
import zlib
from contextlib import contextmanager
from html import escape
from io import BytesIO
from pathlib import Path

import anywidget
import ipywidgets
import numpy as np
import traitlets

from bayeslib.live.ahead import Ahead
from bayeslib.live.display import Shown, img
from bayeslib.plots import theme

HERE = Path(__file__).parent


class Frame(anywidget.AnyWidget):
    """The front end: shows one picture with its alt text and caption, reports pointer and keys (see frame.js)."""

    # As texts: a widget made from files is never freed, because anywidget watches them on its behalf.
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
    pressed = traitlets.Dict().tag(sync=True, echo_update=False)
    pointer = traitlets.Dict().tag(sync=True, echo_update=False)
    rest = traitlets.Int(0).tag(sync=True, echo_update=False)
    # For frames drawn ahead: the controls as [model id, trait, name], their values in this frame, and the control under the hand
    watched = traitlets.List().tag(sync=True)
    state = traitlets.List().tag(sync=True)
    hand = traitlets.Unicode().tag(sync=True, echo_update=False)


class LiveFigure(Shown):
    """A picture that follows its controls.

    figure    a matplotlib figure; artists made with `animated=True` are the ones that move
    picture   what drew on it: an object of `bayeslib.plots` whose attributes name the artists
    controls  a mapping of name to widget (anything with a `value` to observe)
    show      `show(**values)` moves the artists and returns the caption; a ValueError becomes the caption, in words
    presets   a mapping of label to the control values it sets; "reset" is always there
    actions   a mapping of label to a function of the values that returns the control values to set
    drag      `drag(values, axes, start, at)` returns the control values to set when the reader drags in those axes
              from `start` to `at`, both in data coordinates; `values` are those at the press, so that what was
              grabbed stays grabbed
    keys      a mapping of key name to a function like an action's, for a reader who has the picture in focus
    help      what pointer and keys do, in one line
    """

    def __init__(self, figure, picture, controls, show, presets=None, actions=None, drag=None, keys=None, help=""):
        self.figure, self.picture, self.controls, self.alt = figure, picture, dict(controls), ""
        self._show, self._drag, self._keys = show, drag, dict(keys or {})
        self._lock, self._batch, self._layers = threading.RLock(), 0, {}
        self._counted, self._explained = {}, False
        self._grabbed = None, {}  # the press under way and the values that it found
        self.presets = {**(presets or {}), "reset": self.values}
        self.actions = dict(actions or {})
        width, height = (figure.get_size_inches() * theme.DPI).round().astype(int)
        self.view = Frame(
            width=int(width), height=int(height), listens=list(self._keys), draggable=drag is not None, help=help
        )
        self._moving = [artist for axes in figure.axes for artist in _animated(axes)]
        self._draw()
        for control in self.controls.values():
            control.observe(self._on_control, "value")
        self.view.observe(self._on_rest, "rest")
        self.view.observe(self._on_pointer, "pointer")
        self.view.observe(self._on_keys, "pressed")
        self.view.watched = [
            [control.model_id, _trait(control), name] if isinstance(control, ipywidgets.Widget) else []
            for name, control in self.controls.items()
        ]
        self._ahead = Ahead(self)
        self.widget = self._box()

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
        """A state as the page knows it: an option by its number, what has no widget by its key."""
        return [
            [value for _, value in control._options_full].index(values[name])
            if _trait(control) == "index"
            else values[name]
            if isinstance(control, ipywidgets.Widget)
            else self.key_of(values[name])
            for name, control in self.controls.items()
        ]

    def set(self, **values):
        """Set several controls and draw one frame for all of them."""
        unknown = values.keys() - self.controls.keys()
        if unknown:
            raise ValueError(f"controls must be among {list(self.controls)}, got {sorted(unknown)}")
        with self._one_frame():
            for name, value in values.items():
                self.controls[name].value = value

    def preset(self, label):
        """Go to a named setting; "reset" is the one that the figure opened with."""
        if label not in self.presets:
            raise ValueError(f"label must be one of {list(self.presets)}, got {label!r}")
        self.set(**self.presets[label])

    def frame(self, sharp=False):
        """The picture of the present state as PNG bytes; sharp means twice the pixels."""
        with self._lock:
            return _png(self._render(2 * theme.DPI if sharp else theme.DPI))

    def frame_at(self, values):
        """(picture, caption) of another state; the figure itself stays where it is. None if there is no picture for it."""
        with self._lock:
            if self._explained or not self._reachable(values):
                return None
            try:
                alt = self._pose(values)
                return _png(self._render(theme.DPI)), alt
            except ValueError:
                return None
            finally:
                self._pose(self.values)

    def _reachable(self, values):
        return True

    def _pose(self, values):
        """Move the artists to a state; returns its caption. What is kept of the picture goes if more than they moved."""
        try:
            return theme.minus(self._show(**values))
        finally:
            if self.figure.stale:
                self._layers.clear()

    # What happens when a control moves

    @contextmanager
    def _one_frame(self):
        """However many controls change inside, one frame is drawn, at the outermost end."""
        with self._lock:
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
        with self._lock:
            # An impossible setting is explained, not shown half: the moving artists leave the picture.
            try:
                self.alt, self._explained = self._pose(self.values), False
            except ValueError as error:
                self.alt, self._explained = theme.minus(f"No picture for this setting: {error}."), True
            self._send(sharp=False)

    def _send(self, sharp):
        png = self.frame(sharp)
        with self.view.hold_sync():
            self.view.png, self.view.sharp, self.view.alt, self.view.key = png, sharp, self.alt, self.key
            self.view.state = self.state_of(self.values)

    def _on_rest(self, _change):
        with self._lock:
            if not self.view.sharp:
                self._send(sharp=True)
            self._ahead.start()

    def _render(self, dpi):
        """The pixels at this resolution: the kept background, and the moving artists over it."""
        figure = self.figure
        if figure.dpi != dpi:
            figure.set_dpi(dpi)
        if dpi not in self._layers:
            figure.canvas.draw()
            renderer = figure.canvas.get_renderer()
            self._layers[dpi] = renderer, renderer.copy_from_bbox(figure.bbox)
        renderer, background = self._layers[dpi]
        renderer.restore_region(background)
        for artist in () if self._explained else self._moving:
            artist.draw(renderer)
        figure.stale = False
        return np.asarray(renderer.buffer_rgba())

    # What the reader does with pointer and keys

    def _on_pointer(self, change):
        with self._lock:
            press = change["new"]["press"]
            if press != self._grabbed[0]:
                self._grabbed = press, self.values
            start, at = (self._pixels(change["new"][end]) for end in ("from", "to"))
            for axes in self.figure.axes:
                if axes.bbox.contains(*start):
                    to_data = axes.transData.inverted().transform
                    self.set(**(self._drag(self._grabbed[1], axes, to_data(start), to_data(at)) or {}))
                    return

    def _pixels(self, place):
        """From the page's fractions, y downwards, to the canvas's pixels, y upwards."""
        return place[0] * self.figure.bbox.width, (1 - place[1]) * self.figure.bbox.height

    def _on_keys(self, change):
        with self._one_frame():
            for key, total in change["new"].items():
                times, self._counted[key] = total - self._counted.get(key, 0), total
                for _ in range(times):
                    self._press(key)

    def _press(self, key):
        if key in self._keys:
            self.set(**self._keys[key](self.values))

    # How it is shown

    def _box(self):
        """Presets on top, sliders, one row of buttons, the picture: low enough for a projector's 720 lines."""
        presets = [_button(label, lambda go=label: self.preset(go)) for label in self.presets]
        widgets = [control for control in self.controls.values() if isinstance(control, ipywidgets.DOMWidget)]
        buttons = self._buttons()
        bars = [widget for widget in widgets if widget not in buttons]
        columns = "1fr" if len(bars) <= 3 else "1fr 1fr"  # long sliders are exact, but the picture must stay in sight
        grid = ipywidgets.GridBox(bars, layout={"grid_template_columns": columns, "grid_gap": "0 4px"})
        box = ipywidgets.VBox([_row(presets), grid, *([_row(buttons)] if buttons else []), self.view])
        box.add_class("bayeslib-live")
        return box

    def _buttons(self):
        actions = [_button(label, lambda act=act: self.set(**act(self.values))) for label, act in self.actions.items()]
        return actions + [each for each in self.controls.values() if isinstance(each, ipywidgets.ToggleButtons)]

    def stored(self):
        """What stays when no kernel runs: the picture, its numbers in words, and how to wake it."""
        with self._lock:
            picture = _palette(self._render(2 * theme.DPI))
        wake = "This is the stored picture. To move it, click here and press Shift+Enter to run the cell."
        return {
            "text/plain": self.alt,
            "text/html": f"<figure>{img(picture, self.alt, self.view.width)}"
            f"<figcaption>{escape(self.alt)}<br><em>{wake}</em></figcaption></figure>",
            "image/png": picture,
        }


class Player(LiveFigure):
    """A live figure that walks through the steps of an algorithm.

    `show(step, **values)` gets the step's number beside the other controls; `steps` is how many there are, or a function of
    the other values that tells. The model returns the whole history; the player only indexes it.
    """

    KEYS = {"ArrowRight": +1, "ArrowLeft": -1}

    def __init__(self, figure, picture, controls, show, steps, step=0, interval=1200, keys=None, **options):
        self._steps, self._asked = steps if callable(steps) else lambda **_: steps, None
        values = {name: control.value for name, control in controls.items()}
        last = self._steps(**values) - 1
        slider = ipywidgets.IntSlider(value=last if step == "last" else step, min=0, max=last, description="step")
        slider.layout.width, slider.style.description_width = "20em", "auto"
        move = {key: lambda values, by=by: {"step": values["step"] + by} for key, by in self.KEYS.items()}
        ends = {"Home": lambda _: {"step": 0}, "End": lambda _: {"step": self.controls["step"].max}}
        super().__init__(
            figure,
            picture,
            {**controls, "step": slider},
            show,
            keys={**move, **ends, " ": self._toggle, "tick": self._tick, **(keys or {})},
            **{"help": "Left and right arrows step, Home restarts, Space plays and pauses.", **options},
        )
        self.view.interval = interval

    def _toggle(self, values):
        """Play or pause; played from the end it starts over."""
        self.view.playing = not self.view.playing
        return {"step": 0} if self.view.playing and values["step"] == self.controls["step"].max else {}

    def _tick(self, values):
        if not self.view.playing:
            return {}
        if values["step"] + 1 >= self.controls["step"].max:
            self.view.playing = False
        return {"step": values["step"] + 1}

    def set(self, **values):
        """Set several controls; a step that is among them is meant for the history that the others make."""
        with self._lock:
            self._asked = values.get("step")
            try:
                super().set(**values)
            finally:
                self._asked = None

    def _last(self, values):
        """The number of the last step, given the other values."""
        others = {name: value for name, value in values.items() if name != "step"}
        try:
            return max(self._steps(**others) - 1, 0)
        except ValueError:
            return self.controls["step"].max  # `show` explains the setting

    def _reachable(self, values):
        """A history of another length may move the step."""
        return self._last(values) == self.controls["step"].max

    def _draw(self):
        """Before the frame: a change of the other controls may make the history longer or shorter."""
        slider, last = self.controls["step"], self._last(self.values)
        if last != slider.max:
            self._batch += 1
            step = slider.value if slider.value < slider.max else last  # at the end it stays at the end
            step = step if self._asked is None else self._asked
            slider.max = last
            slider.value = min(step, last)
            self._batch -= 1
        super()._draw()

    def _buttons(self):
        buttons = [
            _button(label, lambda key=key: self._press(key), icon)
            for label, icon, key in (
                ("restart", "fast-backward", "Home"),
                ("back", "step-backward", "ArrowLeft"),
                ("play", "play", " "),
                ("forward", "step-forward", "ArrowRight"),
            )
        ]

        def relabel(change):
            buttons[2].description = buttons[2].icon = "pause" if change["new"] else "play"

        self.view.observe(relabel, "playing")
        return [*buttons, self.controls["step"], *super()._buttons()]


STYLE = {"style": {"description_width": "11.5em"}, "layout": {"width": "97%"}}


def slider(description, low, high, value, step=1):
    """A slider in whole people or percent, because screen readers announce one decimal."""
    kind = ipywidgets.IntSlider if isinstance(step, int) else ipywidgets.FloatSlider
    options = {} if isinstance(step, int) else {"readout_format": ".1f"}
    return kind(value=value, min=low, max=high, step=step, description=description, **options, **STYLE)


def choice(description, options, value):
    """One of a few named options, all visible."""
    style = {"description_width": "auto", "button_width": "auto"}
    return ipywidgets.ToggleButtons(options=options, value=value, description=description, style=style)


def menu(description, options, value):
    """One of many options, in a list that opens."""
    return ipywidgets.Dropdown(options=options, value=value, description=description, **STYLE)


def stops(description, options, value):
    """A slider over chosen values, such as those of a logarithmic scale."""
    return ipywidgets.SelectionSlider(options=options, value=value, description=description, **STYLE)


class State(traitlets.HasTraits):
    """A control that has no widget: what the reader changes by dragging in the picture, the places of points say."""

    value = traitlets.Any()


def _trait(control):
    """Which trait of a control the page changes: the number of an option, or the value itself."""
    return "index" if control.has_trait("index") else "value"


def _button(label, act, icon=""):
    button = ipywidgets.Button(description=label, icon=icon, layout={"width": "auto"})
    button.on_click(lambda _: act())
    return button


def _row(widgets):
    return ipywidgets.HBox(widgets, layout={"flex_flow": "row wrap"})


def _animated(axes):
    return sorted((artist for artist in axes.findobj() if artist.get_animated()), key=lambda artist: artist.zorder)


def _png(rgba):
    """PNG bytes, made in a third of the time that Pillow needs: no filter, fastest compression."""
    height, width, channels = rgba.shape
    rows = np.zeros((height, 1 + width * channels), np.uint8)
    rows[:, 1:] = rgba.reshape(height, -1)

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def _palette(rgba):
    """A small PNG for the stored notebook. Maximum coverage keeps rare colours, a single marker's say, true."""
    from PIL import Image

    file, options = BytesIO(), {"method": Image.Quantize.MAXCOVERAGE, "dither": Image.Dither.NONE}
    Image.fromarray(rgba).convert("RGB").quantize(96, **options).save(file, "png", optimize=True)
    return file.getvalue()
