"""Draws one state with named marks. A figure calls the pen for everything it shows, every time; what it leaves out is gone.

A name is an identity, which is what glides, and a look: `looks` maps names to words such as color, width, size; "belief 2"
without an entry looks like "belief". A colour is always a role.
"""

import os
from functools import cache

import contourpy
import matplotlib as mpl
import numpy as np
from matplotlib.backend_bases import RendererBase
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path

from bayeslib.figures.scene import SENT, runs, tenths
from bayeslib.figures.theme import HEAD, LABEL, POINT, RC, SMALL

CIRCLE = np.array([np.cos(turn := np.linspace(0, 2 * np.pi, 64, endpoint=False)), np.sin(turn)])
SPACING, CAPITAL = 1.15, 0.66  # of the size of a text: from line to line, and the height of a capital letter
USUAL = {  # sizes of text in points, everything else in pixels
    "image": {"z": 0},
    "area": {"color": "mist", "edge": None, "width": 0, "z": 1, "clip": True},
    "line": {"color": "ink", "width": 2.6, "z": 2, "clip": True},
    "wedges": {"color": "ink", "size": 10, "z": 3.1},
    "points": {"color": "ink", "edge": "paper", "width": 0.9, "shape": "o", "size": 10, "z": 3},
    "text": {"color": "ink", "size": LABEL, "z": 5, "ha": "left", "va": "baseline"},
}


def look_of(looks, name):
    """The look of a mark: its own, or that of its name without the last word."""
    return looks.get(name) or looks.get(name.rpartition(" ")[0], {})


class Panel:
    """A box of the page, (left, top, width, height) in pixels, with a range of x and y: its own pixels, until the figure says otherwise."""

    def __init__(self, box, number):
        self.box, self.number = box, number
        self.limits((0, box[2]), (box[3], 0))

    def limits(self, x, y, log=False):
        """The range from left to right and from bottom to top."""
        self.x, self.y, self.log = tuple(x), tuple(y), log

    def pixels(self, x, y):
        """Places on the page, y down, as rows."""
        (left, top, width, height), (x0, x1), (y0, y1) = self.box, self.x, self.y
        if self.log:
            x, x0, x1 = np.log(x), np.log(x0), np.log(x1)
        across, up = (
            (np.asarray(x, float) - x0) * (width / (x1 - x0)),
            (np.asarray(y, float) - y0) * (height / (y1 - y0)),
        )
        return np.column_stack([left + across, top + height - up])

    def data(self, places):
        """The inverse of `pixels`: rows of x and y."""
        (left, top, width, height), (x0, x1), (y0, y1) = self.box, self.x, self.y
        if self.log:
            x0, x1 = np.log(x0), np.log(x1)
        x, y = np.reshape(np.asarray(places, float), (-1, 2)).T
        x, y = x0 + (x - left) / width * (x1 - x0), y0 + (top + height - y) / height * (y1 - y0)
        return np.column_stack([np.exp(x) if self.log else x, y])

    def simpler(self, places):
        """A polyline without the corners that nobody sees."""
        path = Path(self.pixels(*np.transpose(places)))
        path.should_simplify, path.simplify_threshold = True, 0.1
        clean = path.cleaned(simplify=True, remove_nans=False)
        return self.data(clean.vertices[clean.codes != 0])

    @property
    def scale(self):
        """Pixels of one unit of x."""
        return self.box[2] / abs(self.x[1] - self.x[0])


class Pen:
    """size    (width, height) in pixels at 100 dpi
    boxes   (left, top, width, height) of each panel, in the same pixels
    guess   what the reader predicted, or None: the figure may show it as a ghost
    waiting whether the question about this display is still open
    reader  whose guess it is, as in "you said"; in a lecture "we"
    held    (name, x, y) while a mark is dragged: where it was taken from, so that the figure may show it
    """

    reader = os.environ.get("BAYESLIB_READER", "you")

    def __init__(self, size, boxes, looks):
        self.size, self.boxes, self.looks, self.guess, self.held = size, boxes, looks, None, None
        self.waiting, self.asked = False, {}
        self.panels = [Panel(box, number) for number, box in enumerate(boxes)]
        self._known, self._order, self._drawn = {}, {}, {}

    def frame(self, draw, **values):
        """Draw one state: (caption, scene)."""
        self._drawn = {}
        words = draw(self, *self.panels, **values)
        return words, sorted(self._drawn.values(), key=lambda mark: mark[3]["z"])

    def answered(self, question):
        """Whether a question that the figure's `unlocks` names has been answered (a bet: settled)."""
        if question not in self.asked:
            raise ValueError(f"question must be one that unlocks names, {sorted(self.asked)}, got {question!r}")
        return self.asked[question]

    def place(self, name):
        """Where a mark of the last frame is: (panel, x, y) of its first point, or of the middle of its corners."""
        (kind, panel, *_), (_, _, numbers, _) = self._known[name]
        corners = np.array([each for each in numbers if each is not None], float).reshape(-1, 2) / 10
        return panel, *panel.data(corners[0] if kind == "points" else corners.mean(axis=0))[0].tolist()

    # What a figure draws with

    def axes(self, panel, x, y, xticks=(), yticks=(), xname="", yname="", log=False):
        """Dress a panel: baseline, ticks as {value: words} or values, hairlines where a value is read off, names without rotation."""
        panel.limits(x, y, log)
        number, low, high = panel.number, y[0], y[1]
        self.line(panel, f"{number} baseline", x, (low, low), color="muted", width=1, clip=False)
        for value, words in _labelled(xticks):
            self.text(
                panel,
                f"{number} x {words}",
                value,
                low,
                words,
                dy=-12,
                ha="center",
                va="top",
                color="muted",
                size=SMALL,
            )
        for value, words in _labelled(yticks):
            self.line(panel, f"{number} hair {words}", x, (value, value), color="rule", width=1, z=0.5)
            self.text(
                panel,
                f"{number} y {words}",
                x[0],
                value,
                words,
                dx=-8,
                ha="right",
                va="center",
                color="muted",
                size=SMALL,
            )
        self.text(panel, f"{number} xname", x[1], low, xname, dy=-34, ha="right", va="top", color="muted")
        self.text(panel, f"{number} yname", x[0], high, yname, dx=-30, dy=14, color="muted")

    def line(self, panel, name, x, y, **look):
        self._mark("line", panel, name, (np.asarray(x, float), np.asarray(y, float)), look)

    def segments(self, panel, name, pairs, **look):
        """Lines from place to place: pairs of (x, y)."""
        gaps = np.full((len(pairs), 1, 2), np.nan)
        x, y = np.concatenate([np.reshape(pairs, (-1, 2, 2)), gaps], axis=1).reshape(-1, 2)[:-1].T
        self._mark("line", panel, name, (x, y), look)

    def area(self, panel, name, *pieces, **look):
        """Filled polygons, each an array of shape (n, 2)."""
        self._mark("area", panel, name, [np.asarray(each, float) for each in pieces], look)

    def bar(self, panel, name, x, y, width, height, **look):
        self.area(panel, name, [(x, y), (x + width, y), (x + width, y + height), (x, y + height)], **look)

    def ellipse(self, panel, name, centre, spread, **look):
        """A circle of radius `spread`, or the unit circle bent by a 2 × 2 matrix, such as the root of a covariance."""
        self.area(
            panel,
            name,
            (np.reshape(centre, (2, 1)) + (spread * np.eye(2) if np.ndim(spread) == 0 else spread) @ CIRCLE).T,
            **look,
        )

    def region(self, panel, name, x, y, score, **look):
        """Where a score on the grid of x and y is positive; `border` is the line around it."""
        rings = []
        for places, codes in zip(*contourpy.contour_generator(x, y, score, fill_type="OuterCode").filled(0, np.inf)):
            rings += [panel.simpler(ring)[:-1] for ring in np.split(places, np.flatnonzero(codes == 1)[1:])]
        self.area(panel, name, *rings, **look)

    def border(self, panel, name, x, y, score, **look):
        (line,), *_ = contourpy.contour_generator(x, y, score, line_type="ChunkCombinedNan").lines(0)
        self.line(panel, name, *(np.empty((2, 0)) if line is None else panel.simpler(line).T), **look)

    def image(self, panel, name, x, y, cells, roles, **look):
        """Classes on a grid: cells[row, column] is the number of a role, rows from y[0] to y[1]."""
        self._mark(
            "image", panel, name, (np.asarray(cells, int), np.array([x, y], float)), {"roles": list(roles), **look}
        )

    def arrow(self, panel, name, start, end, shrink=(0, 0), head=13, width=2, **look):
        """A straight arrow; `shrink` pixels stay free at its ends."""
        a, b = panel.pixels(*np.transpose([start, end]))
        along = (b - a) / np.hypot(*(b - a))
        a, b, across, half = a + shrink[0] * along, b - shrink[1] * along, along[::-1] * (-1, 1), width / 2
        neck = b - head * along
        outline = [a + half * across, neck + half * across, neck + 0.42 * head * across, b]
        outline += [neck - 0.42 * head * across, neck - half * across, a - half * across]
        self.area(panel, name, panel.data(outline), **look)

    def points(self, panel, name, x, y, of=None, looks=None, **look):
        """A crowd in a stable order: point k stays point k, whatever it looks like.

        of     the number of each point's look; a later look lies on top
        looks  names of looks, or looks
        lag    of each point, the share of the time that it waits before it sets out
        via    (x, y) of a way that a single point walks to its place
        """
        base = {**USUAL["points"], **self._look(name), **look}
        some = [{**base, **(self._look(each) if isinstance(each, str) else each)} for each in looks or [{}]]
        kept = [{word: each[word] for word in ("shape", "size", "color", "edge", "width")} for each in some]
        of = np.zeros(len(x), int) if of is None else np.asarray(of, int)
        if "via" in look:
            look["via"] = [list(each) for each in look["via"]]
        if look.get("lag") is not None:
            look["lag"] = runs(np.rint(100 * np.asarray(look["lag"])))
        self._mark("points", panel, name, (np.asarray(x, float), np.asarray(y, float), of), {**look, "looks": kept})

    def wedges(self, panel, name, x, y, start, end, **look):
        """Pieces of pies, one at each place, from a share of the turn to another."""
        self._mark("wedges", panel, name, [np.asarray(each, float) for each in (x, y, start, end)], look)

    def text(self, panel, name, x, y, words, dx=0, dy=0, after=None, **look):
        """Words at a place, moved by (dx, dy) pixels, y up; or `after` the end of another text on the same height."""
        if after is not None:
            left, _, width = self._drawn[after][2][-3:]
            dx += (left + width) / 10 - panel.pixels([x], [y])[0, 0]
        self._mark("text", panel, name, (x, y, words, dx, dy), look)

    def note(self, panel, name, x, y, words, away, **look):
        """Words beside a thing, `away` from it in pixels (y up) on the side where there is room, and a thin leader to them."""
        (left, top, width, height), ((px, py),) = panel.box, panel.pixels([x], [y])
        dx = (
            -away[0]
            if not left + 8 < px + away[0] + np.sign(away[0]) * self.width(words, SMALL) < left + width - 8
            else away[0]
        )
        dy = -away[1] if not top + 20 < py - away[1] < top + height - 8 else away[1]
        ends = panel.data([[px + 0.25 * dx, py - 0.25 * dy], [px + dx, py - dy]])
        look = {"color": "ink", "size": SMALL, **look}
        self.line(panel, f"lead {name}", *ends.T, color=look["color"], width=1.2, z=4.8)
        above = {"ha": "right" if dx < 0 else "left", "dx": dx + 4 * np.sign(dx), "va": "center"}
        if abs(dy) > abs(dx):
            above = {"ha": "center", "dx": dx, "va": "baseline" if dy > 0 else "top"}
        self.text(
            panel,
            f"say {name}",
            x,
            y,
            words,
            dy=dy + (4 * np.sign(dy) if abs(dy) > abs(dx) else 0),
            **{**above, **look},
        )

    def head(self, panel, words, clause="", y=12, **look):
        """What a panel shows: semibold above its top left corner, and a muted clause on the same line."""
        x, top, name = panel.x[0], panel.y[1], f"{panel.number} head"
        self.text(panel, name, x, top, words, dy=y, size=HEAD, bold=True)
        self.text(panel, f"{name} clause", x, top, clause, dx=12, dy=y, after=name, **{"color": "muted", **look})

    @staticmethod
    def width(words, size=LABEL, bold=False):
        """Pixels that a line of words takes."""
        return _width(words, size, bold, False)

    # How marks are made

    def _look(self, name):
        return look_of(self.looks, name)

    def _mark(self, kind, panel, name, data, look):
        look = {**USUAL[kind], **self._look(name), **look}
        given = [kind, panel, (panel.x, panel.y, panel.log), look, *data]
        if name not in self._known or not _same(self._known[name][0], given):
            style = {word: look[word] for word in SENT[kind] if look.get(word) not in (None, False)}
            # What was made later lies on top; marks that come and go bring a `rank`, so that their past doesn't matter
            rank = look["rank"] if "rank" in look else self._order.setdefault(name, len(self._order))
            style["z"] = round(look["z"] + rank / 10_000, 4)
            if "clip" in style:
                style["clip"] = 1 + panel.number
            if "via" in style:
                style["via"] = tenths(panel.pixels(*style["via"]))
            self._known[name] = given, [name, kind, NUMBERS[kind](panel, style, look, *data), style]
        self._drawn[name] = self._known[name][1]


def _text(panel, style, look, x, y, words, dx, dy):
    ((left, base),) = panel.pixels([x], [y])
    lines = _lines(words, look["size"], bool(look.get("bold")), bool(look.get("italic")), look["ha"], look["va"])
    style["words"] = [line for line, *_ in lines]
    return [
        round(float(each) * 10)
        for _, right, down, width in lines
        for each in (left + dx + right, base - dy + down, width)
    ]


def _wedges(panel, style, look, x, y, start, end):
    turns = np.rint(1000 * np.column_stack([start, end])).astype(int)
    return np.column_stack([np.rint(10 * panel.pixels(x, y)).astype(int), turns]).ravel().tolist()


def _points(panel, style, look, x, y, of):
    style["of"] = runs(of)
    return tenths(panel.pixels(x, y))


def _image(panel, style, look, cells, extent):
    places = panel.pixels(*extent)
    upright = cells[::-1] if places[0, 1] > places[1, 1] else cells
    style["rows"] = ["".join(chr(97 + cell) for cell in row) for row in upright.tolist()]
    (left, right), (top, bottom) = np.sort(places, axis=0).T
    return tenths(np.array([[left, top], [right, bottom]]))


NUMBERS = {
    "line": lambda panel, style, look, x, y: tenths(panel.pixels(x, y)),
    "area": lambda panel, style, look, *pieces: tenths(*(panel.pixels(*piece.T) for piece in pieces if len(piece))),
    "points": _points,
    "wedges": _wedges,
    "text": _text,
    "image": _image,
}


class _Ruler(RendererBase):
    def points_to_pixels(self, points):
        return points / POINT


RULER = _Ruler()


@cache
def _width(line, size, bold, italic):
    font = FontProperties(
        family=RC["font.family"], size=size, weight="bold" if bold else "normal", style="italic" if italic else "normal"
    )
    with mpl.rc_context(RC):
        return RULER.get_text_width_height_descent(line, font, False)[0]


@cache
def _lines(words, size, bold, italic, ha, va):
    """(line, right, down, width): where the baseline of each line begins, seen from the place of the text.

    Top and middle are those of a capital letter, so that words and numbers of one row stand on one line whatever their letters.
    """
    em, lines = size / POINT, words.split("\n")
    pitch, share, capital = SPACING * em, {"left": 0, "center": 0.5, "right": 1}[ha], CAPITAL * em
    widths, deep = [_width(line, size, bold, italic) for line in lines], (len(lines) - 1) * pitch
    down = {"top": capital, "center": (capital - deep) / 2, "baseline": -deep}[va]
    return [(line, -share * width, down + k * pitch, width) for k, (line, width) in enumerate(zip(lines, widths))]


def _labelled(ticks):
    return ticks.items() if isinstance(ticks, dict) else ((value, f"{value:g}") for value in ticks)


def _same(a, b):
    return len(a) == len(b) and all(
        np.array_equal(x, y, equal_nan=True) if isinstance(x, np.ndarray) else x == y for x, y in zip(a, b)
    )
