"""The live figure and the step player: one small class behind every moving picture of the course.

A section brings a picture, a mapping of controls, and a function `show(**values)` that runs the model, draws and returns the
caption. The live figure does the rest: it sends the page the scene, as what differs from the one it opened with.
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

from bayeslib.figures.ahead import Ahead
from bayeslib.figures.controls import SLIDERS, trait_of, unit_of, values_of
from bayeslib.figures.display import Shown, img
from bayeslib.figures.recorded import RecordedCanvas
from bayeslib.figures.scene import difference
from bayeslib.figures.steer import by
from bayeslib.figures.theme import DARK, LIGHT, page_fonts
from bayeslib.plots import theme
from bayeslib.questions import record
from bayeslib.questions.question import Question

HERE = Path(__file__).parent
RENEW = 14_000  # letters of a change from which on the present scene is the one that changes are told from


class Stage(anywidget.AnyWidget):
    """Code, colours and fonts of all pictures, sent to a page once; never shown."""

    _esm = (HERE / "scene.js").read_text(encoding="utf-8")
    light, dark = traitlets.Dict(LIGHT).tag(sync=True), traitlets.Dict(DARK).tag(sync=True)
    fonts = traitlets.List().tag(sync=True)
    motion = traitlets.Bool(True).tag(sync=True)


class Frame(anywidget.AnyWidget):
    """The front end: shows one picture with its alt text and caption, reports pointer and keys (see frame.js).

    For each layout it has the opening scene, and how the present one differs from it. Every change is one from the opening
    scene, so a second view, a reload or voila needs these traits and nothing that was sent before.
    """

    # As text: a widget made from files is never freed, because anywidget keeps watching them.
    _esm = (HERE / "frame.js").read_text(encoding="utf-8")
    _css = (HERE / "style.css").read_text(encoding="utf-8")
    opening = traitlets.Dict().tag(sync=True)
    change = traitlets.Dict().tag(sync=True)
    pace = traitlets.Int(0).tag(sync=True)  # ms of motion
    by = traitlets.Int(0).tag(sync=True)  # steps since the last picture: what a step stages is staged for 1 and −1
    alt = traitlets.Unicode().tag(sync=True)
    words = traitlets.List(traitlets.Unicode()).tag(
        sync=True
    )  # of a caption with formulas: its first sentence and the rest
    key = traitlets.Unicode().tag(sync=True)
    narrow = traitlets.Int(0).tag(sync=True)  # pixels of the page below which it takes its narrow layout
    layouts = traitlets.List().tag(sync=True, echo_update=False)  # those that some view of this figure needs
    width = traitlets.Int().tag(sync=True)
    height = traitlets.Int().tag(sync=True)
    help = traitlets.Unicode().tag(sync=True)
    listens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    draggable = traitlets.Bool(False).tag(sync=True)
    mark_keys = traitlets.Dict().tag(sync=True)  # what a key does to the mark that has the focus, in words
    dragged = traitlets.Dict().tag(sync=True, echo_update=False)  # number, layout, and at: name -> [x, y, whether held]
    answered = traitlets.Int(0).tag(sync=True)  # the last drag that the picture knows of
    playing = traitlets.Bool(False).tag(sync=True)
    interval = traitlets.Int(1200).tag(sync=True)
    # Keys and clicks: how many in total, and the last ones in order as [key or button's model id, times]
    pressed = traitlets.Dict().tag(sync=True, echo_update=False)
    buttons = traitlets.List(traitlets.Unicode()).tag(sync=True)
    pointer = traitlets.Dict().tag(sync=True, echo_update=False)
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
    unlocks   a mapping of question to the names of controls, presets, actions and keys that appear when it is answered (a
              bet: settled), wherever the figure stands
    """

    _offers, _locks = None, {}  # what a display offers before its question is answered; what no answer has unlocked yet
    _stage = None  # one for all figures of a kernel

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
        unlocks=None,
    ):
        self.controls, self.alt, self.lock = dict(controls), "", threading.RLock()
        self.unlocks, self._shown_as, self._batch, self._jumps = dict(unlocks or {}), {}, 0, False
        self._locks = self._locks_now()
        if LiveFigure._stage is None or LiveFigure._stage.comm is None:
            LiveFigure._stage = Stage(fonts=page_fonts())
        self._open(picture)
        self.main, self.more = self._main(main), tuple(more)
        self._show, self._drag, self._keys = show, drag, dict(keys or {})
        self._within = within
        self._batch, self._handled, self._clicks, self._jumps, self._openings = 0, 0, {}, False, {}
        self._grabbed = None, {}  # the current press, and the values when it began
        self.presets = {**(presets or {}), "reset": self.values}
        self.actions = dict(actions or {})
        self.view = self._view_of(listens=list(self._keys), draggable=drag is not None, help=help)
        self._draw()
        for control in self.controls.values():
            control.observe(self._on_control, "value")
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
        known = {*self.controls, *self.presets, *self.actions, *self._keys, "click", "drag"}
        if unknown := {name for names in self.unlocks.values() for name in names} - known:
            raise ValueError(f"unlocks must name some of {sorted(known)}, got {sorted(unknown)}")
        self._offer()
        record.watch(self._follow)

    def _open(self, picture):
        self.figure, self.picture, self.canvas = picture.figure, picture, RecordedCanvas(picture.figure)

    def _view_of(self, **options):
        width, height = (self.figure.get_size_inches() * theme.DPI).round().astype(int)
        return Frame(width=int(width), height=int(height), **options)

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
        return self.key_at(self.values)

    def key_at(self, values):
        return self.key_of(values)

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

    # What it offers

    def wait(self, *offers):
        """Offer only these controls, presets, actions and keys until `go_on`, because a question about it is open."""
        self._offers = set(offers)
        self._follow(force=True)
        return self

    def go_on(self):
        """Offer everything that no other question locks."""
        if self.waiting:
            self._offers = None
            self._follow(force=True)
        return self

    @property
    def waiting(self):
        """Whether the question about it is still open."""
        return self._offers is not None

    def locked(self, name):
        """Whether a control, preset, action or key is not offered yet."""
        if self.waiting:
            return name not in self._offers
        if name == "reset":
            return all(map(self.locked, self.controls))
        return any(name in names for names in self._locks.values()) or any(
            map(self.locked, self.presets.get(name, {}).keys() - {name})
        )

    def before(self, *questions):
        """Of a figure of the second edition: its presets that show the answers of these questions appear with the answers."""
        for name in questions:
            then = Question(name).then.items()
            labels = {
                label for label, preset in self.presets.items() if then and then <= (self.values | preset).items()
            }
            if not labels - {"reset"}:
                raise ValueError(f"questions must be ones that a preset answers, got {name!r}")
            self.unlocks[name] = labels - {"reset"}
        self._follow(force=True)
        return self

    def _locks_now(self):
        return {name: set(names) for name, names in self.unlocks.items() if not record.answered(name)}

    def _follow(self, force=False):
        """After a change of the answers: offer what they unlock, and go where the question asks about this figure."""
        locks = self._locks_now()
        if locks == self._locks and not force:
            return
        opened, self._locks = self._locks.keys() - locks.keys(), locks
        self._offer()
        for name in () if self.waiting else opened:
            then = Question(name).then
            if then.keys() <= self.controls.keys():
                self.set(**then)
        self._draw()

    def _offer(self):
        for name, widgets in self._shown_as.items():
            for widget in widgets:
                (widget.add_class if self.locked(name) else widget.remove_class)("bayeslib-locked")
        everything = all(map(self.locked, self._shown_as))
        (self._rows.add_class if everything else self._rows.remove_class)("bayeslib-locked")
        self.view.listens = [key for key in self._keys if not self.locked(key)]

    def _touch(self, values):
        """Set what the reader may move."""
        self.set(**{name: value for name, value in (values or {}).items() if not self.locked(name)})

    def frame(self):
        """The picture of the present state as PNG bytes."""
        with self.lock:
            return self.canvas.png()

    def frame_at(self, values):
        """Change and caption of another state; the figure itself does not move. None if there is no picture of it."""
        with self.lock:
            if self.canvas.hidden:
                return None
            try:
                if self._reachable(values):
                    text = self._pose(values)
                    alt, words = self._spoken(text)
                    return {"change": self._changes(), "alt": alt, "words": words}
            except ValueError:
                pass
            finally:
                self._restore()
            return None

    def _restore(self):
        self._pose(self.values)

    def scenes(self):
        """Of each layout its size, its boxes and the marks of the last pose."""
        return {"wide": [(self.view.width, self.view.height), [], self.canvas.marks()]}

    def _changes(self):
        """For each layout how the last pose differs from the opening scene."""
        changes = {}
        for layout, (size, boxes, marks) in self.scenes().items():
            opening = self._openings.setdefault(layout, {"size": size, "boxes": boxes, "marks": marks})
            changes[layout] = difference(opening["marks"], marks)
        return changes

    def _reachable(self, values):
        return True

    def _pose(self, values):
        """Move the artists to a state; returns its caption."""
        return theme.minus(self._show(**values))

    # What happens when a control moves

    @contextmanager
    def _one_frame(self, jumps=True):
        """However many controls change inside, one frame is drawn, when the outermost block ends.

        jumps  whether a picture that glides takes the time of a preset, not of a hand on a control
        """
        with self.lock:
            self._jumps = self._jumps if self._batch else jumps
            self._batch += 1
            try:
                yield
            finally:
                self._batch -= 1
                self._on_control(None)
                self._jumps = self._jumps and self._batch > 0

    def _on_control(self, _change):
        self._ahead.stop()
        if not self._batch:
            self._draw()
            self._ahead.start()

    def _draw(self):
        with self.lock:
            # An impossible setting is explained, not half drawn: the moving artists are hidden.
            try:
                self._caption_is(self._pose(self.values))
                self.canvas.hidden = False
            except ValueError as error:
                why = textwrap.shorten(str(error), 300, placeholder=" …")
                self._caption_is(theme.minus(f"No picture for this setting: {why}."))
                self.canvas.hidden = True
            self._send()

    def _caption_is(self, text):
        self.alt, self.words = self._spoken(text)

    def _spoken(self, text):
        """The caption as text, and as HTML halves where it has formulas; here none are typeset."""
        return text, []

    def _send(self, **more):
        changes = self._changes()
        if max(len(json.dumps(change)) for change in changes.values()) > RENEW:
            self._openings.clear()
            changes = self._changes()
            self._ahead.forget()
        with self.view.hold_sync():
            self.view.opening, self.view.change = dict(self._openings), changes
            self.view.alt, self.view.words, self.view.key = self.alt, self.words, self.key
            self.view.state = self.state_of(self.values)
            for name, value in more.items():
                setattr(self.view, name, value)

    # What the reader does with pointer and keys

    def _on_pointer(self, change):
        with self.lock:
            press = change["new"]["press"]
            if press != self._grabbed[0]:
                self._grabbed = press, self.values
            where = self.canvas.in_axes(change["new"]["from"], change["new"]["to"])
            if where and (self._within is None or self.figure.axes.index(where[0]) in self._within):
                self._touch(self._drag(self._grabbed[1], *where))

    def _on_keys(self, change):
        with self.lock:
            keys = [key for key, times in change["new"]["runs"] for _ in range(times)]
            new, self._handled = change["new"]["total"] - self._handled, change["new"]["total"]
            for is_click, presses in groupby(keys[max(len(keys) - new, 0) :], self._clicks.__contains__):
                if is_click:  # every click draws its own frame
                    for button in presses:
                        self._clicks[button]()
                    continue
                with self._one_frame(jumps=False):
                    for key in presses:
                        self._press(key)

    def _press(self, key):
        if key in self._keys and not self.locked(key):
            self._touch(self._keys[key](self.values))

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
        for name, widget in widgets.items():
            self._shown_as.setdefault(name, []).append(widget)
        rows = [_row(presets, "presets"), _row(bars, "bars", ipywidgets.GridBox), _row(buttons, "buttons")]
        self._rows = ipywidgets.VBox(rows)
        self._rows.add_class("bayeslib-controls")
        box = ipywidgets.VBox([self._rows, self.view])
        box.add_class("bayeslib-live")
        return box

    def _button(self, label, act, icon="", of=""):
        """The view reports clicks too, and the page prefers that: a kernel may handle each widget in another thread, so that
        a click and a later key could arrive in either order, and while a cell runs the click long after the key."""
        button = ipywidgets.Button(description=label, icon=icon, layout={"width": "auto"})
        button.on_click(lambda _: act())
        self._clicks[button.model_id] = act
        self._shown_as.setdefault(of or label, []).append(button)
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
    HELP = "Left and right arrows step, Home restarts, Space plays and pauses."
    STEPPING = ("ArrowLeft", "ArrowRight", "Home", "End", " ")

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
            **{"help": self.HELP, **options},
        )
        self.view.interval, self.view.rounds = interval, list(rounds)

    def history(self, values):
        """The history for these values of the controls."""
        arguments = [values[name] for name in self._parameters]
        key = self.key_of(arguments)
        if key not in self._histories:
            self._histories = dict([*self._histories.items()][-self.KEPT + 1 :]) | {key: self._run(*arguments)}
        return self._histories[key]

    def locked(self, name):
        return super().locked("step" if name in (*self.STEPPING, "tick") else name)

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
            self._button(label, lambda key=key: self._press(key), icon, of="step")
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
