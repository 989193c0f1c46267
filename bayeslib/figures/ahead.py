"""Frames drawn ahead.

On Binder or a class server a frame takes a round trip of a tenth of a second or more. So while the reader rests, with a hand
on a control, the kernel draws the frames along that control, nearest first, and the page keeps them (see frame.js): a drag
then flips through them at once, and the exact frame follows when it arrives. One frame is drawn at a time, between the
page's requests, and any request ends it.
"""

import asyncio
import json
from collections import OrderedDict, deque

import ipywidgets

from bayeslib.figures.controls import values_of

MOST = 120  # frames along one control from one state
KEPT, BYTES = 160, 8_000_000  # what the page keeps of one figure; the kernel keeps no picture, only the list of them
WINDOW = 4  # frames in flight at once, so that a slow connection never holds up a real answer for long
PAUSE, REST = (
    0.005,
    0.25,
)  # seconds between two frames, in which a request gets its turn, and after one until it goes on


class Ahead:
    """Draws ahead for one live figure, whose `view` shows and keeps the frames."""

    def __init__(self, figure):
        self.figure, self.plan, self.number, self.waiting, self.moved = figure, deque(), 0, False, False
        self.flying, self.kept = set(), OrderedDict()  # numbers not yet confirmed; size of each kept frame by its key
        figure.view.on_msg(self._on_message)
        figure.view.observe(lambda _: self.start(), "hand")

    def start(self):
        """Plan the frames along the control under the hand, and begin with the nearest; after a request when the hand rests."""
        name = self.figure.view.hand
        self.plan = deque(ladder(self.figure.controls[name]) if name in self.figure.controls else [])
        self._soon()

    def stop(self):
        """A request has arrived, and goes first."""
        self.plan.clear()
        self.moved = True

    def forget(self):
        """What was drawn ahead no longer holds."""
        self.figure.view.send({"drop": len(self.kept)})
        self.kept.clear()

    def draw(self):
        """Draw and send the next frame of the plan; returns whether there was one to draw."""
        figure, name = self.figure, self.figure.view.hand
        with figure.lock:
            while self.plan and len(self.flying) < WINDOW:
                value, reach = self.plan.popleft()
                values = {**figure.values, name: value}
                key = figure.key_at(values)
                if key in self.kept or key == figure.key:
                    continue
                frame = figure.frame_at(values)
                if frame is None:
                    continue
                self._send(key, figure.state_of(values), frame, list(figure.controls).index(name), reach)
                return True
        return False

    def _send(self, key, state, frame, control, reach):
        self.number += 1
        self.flying.add(self.number)
        self.kept[key] = len(json.dumps(frame["change"]))
        drop = 0
        while len(self.kept) > KEPT or sum(self.kept.values()) > BYTES:
            self.kept.popitem(last=False)
            drop += 1
        message = {"number": self.number, "key": key, "state": state, "control": control, "reach": reach}
        self.figure.view.send({"ahead": {**message, **frame}, "drop": drop})

    def _soon(self, pause=PAUSE):
        """Go on when the event loop has a moment; without one, in a script or a test, nothing is drawn ahead."""
        if self.waiting or not self.plan:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self.waiting = True
        loop.call_later(pause, self._go_on)

    def _go_on(self):
        self.waiting = False
        if self.moved:
            self.moved = False
            self._soon(REST)
        elif self.draw():
            self._soon()

    def _on_message(self, _view, content, _buffers):
        if "opened" in content:  # a page that has just opened keeps nothing yet
            self.kept.clear()
            self.flying.clear()
        elif "got" in content:
            self.flying.discard(content["got"])
            self._soon()


def ladder(control):
    """(value, reach) along a control's range, nearest first; `reach` is how far away a frame may stand in for another.

    Of a range of more than MOST values come the nearest, then an even sample of all, coarse and then twice as fine.
    """
    if isinstance(control, (ipywidgets.IntSlider, ipywidgets.FloatSlider)):
        at, step = (control.value - control.min) / control.step, control.step
    elif isinstance(control, ipywidgets.SelectionSlider):
        at, step = control.index, 1
    elif hasattr(control, "options"):
        return [(value, 0) for value in values_of(control)]
    else:
        return []
    values = values_of(control)
    order = sorted(range(len(values)), key=lambda k: abs(k - at))
    if len(order) <= MOST:
        return [(values[k], 0) for k in order]
    near, stride = order[: MOST // 3], -(-len(values) // (MOST * 2 // 3))
    coarse, fine = ([k for k in order[MOST // 3 :] if k % (2 * stride) == rest] for rest in (0, stride))
    return [(values[k], 0) for k in near] + [(values[k], stride * step) for k in coarse + fine]
