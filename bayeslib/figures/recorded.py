"""A matplotlib figure as a scene, for figures with a picture class: marks without names, so they do not glide.

matplotlib draws as usual, and its calls to the renderer are recorded. Layout, snapping and simplification are Agg's, so that the
page shows what the pixels show. Goes when the last figure is a function of its section; only this file and the site's narrow.py
know matplotlib's private parts.
"""

from contextlib import nullcontext
from copy import copy
from functools import cache

import numpy as np
from matplotlib import _path
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.image import AxesImage
from matplotlib.transforms import Affine2D

from bayeslib.figures.scene import UNIT, runs, tenths
from bayeslib.figures.theme import DARK, POINT
from bayeslib.plots import theme
from bayeslib.plots.canvas import Canvas

MOVE, CLOSE = 1, 79  # of matplotlib's path codes
UPSIDE_DOWN = Affine2D().scale(1, -1)
NEAR = 50  # pixels beside the canvas from where on a marker cannot be seen
NIGHT_INK, BEND = 0.95, 0.7


class RecordedCanvas(Canvas):
    """A canvas that also gives its picture as marks."""

    def __init__(self, figure):
        super().__init__(figure)
        for image in figure.findobj(AxesImage):
            if image.get_interpolation() == "nearest":
                image.set_interpolation("none")  # the same pixels, and the renderer gets the image unscaled

    def marks(self, layout=nullcontext):
        """The picture as marks: the kept background, and the moving artists over it.

        layout  a context in which the figure is laid out in another way
        """
        if self.figure.stale:
            self._layers.clear()
        if self.figure.dpi != theme.DPI:
            self.figure.set_dpi(theme.DPI)
        with layout(self.figure):
            if layout not in self._layers:
                recorder = Recorder(*self.figure.bbox.size)
                self.figure.draw(recorder)
                self._layers[layout] = recorder, recorder.marks
            recorder, still = self._layers[layout]
            recorder.marks = [*still]
            for number, artist in enumerate(() if self.hidden else self._moving, 1):
                recorder.begin(number)
                artist.draw(recorder)
        self.figure.stale = False
        return recorder.marks


class Recorder(RendererAgg):
    """Has Agg's metrics, so that every text is where the pixels have it; rasterises nothing."""

    def __init__(self, width, height):
        super().__init__(width, height, theme.DPI)
        self.marks, self.measured = [], {}
        self.flip = UPSIDE_DOWN + Affine2D().translate(0, height)
        self.begin(0)

    def begin(self, artist):
        """What follows belongs to this artist: the same parts of it keep their names from state to state."""
        self.artist, self.part = artist, 0

    def _update_methods(self):
        pass  # Agg's own drawing would take the place of the methods below

    def option_scale_image(self):
        return True

    def draw_path(self, gc, path, transform, rgbFace=None):
        self._shape(gc, self._pieces(gc, path, transform + self.flip, rgbFace), rgbFace)

    def draw_markers(self, gc, marker_path, marker_trans, path, trans, rgbFace=None):
        snapped = self._pieces(gc, marker_path, marker_trans + UPSIDE_DOWN, rgbFace, whole=True)
        free = self._pieces(gc, marker_path, marker_trans + UPSIDE_DOWN, rgbFace, whole=True, snap=False)
        places = (trans + self.flip).transform(path.vertices)
        places = places[np.isfinite(places).all(axis=1)]
        near = (places > -NEAR).all(axis=1) & (places < (self.width + NEAR, self.height + NEAR)).all(axis=1)
        # Agg puts the marker on whole pixels; one that was not snapped itself has its middle on a pixel's middle.
        is_free = len(snapped) == len(free) and all(map(np.array_equal, snapped, free))
        self._stamp(
            gc, snapped, np.floor(places[near] + 0.5) + 0.5 * is_free, [(self._look(gc, rgbFace), len(places[near]))]
        )

    def draw_path_collection(self, gc, master_transform, paths, all_transforms, offsets, offset_trans, *looks, **more):
        raw = list(self._iter_collection_raw_paths(master_transform, paths, all_transforms))
        more = {name: [] if value is None else value for name, value in more.items()}  # of matplotlib 3.11: hatchcolors
        places, given, shape = [], [], None
        for x, y, (path, transform), each, face in self._iter_collection(
            gc, raw, offsets, offset_trans, *looks, **more
        ):
            if len(raw) != 1 or len(offsets) < 2:
                self._shape(
                    each, self._pieces(each, path, transform + Affine2D().translate(x, y) + self.flip, face), face
                )
                continue
            shape = shape or self._pieces(each, path, transform + UPSIDE_DOWN, face, whole=True, snap=False)
            places.append((x, self.height - y))
            given.append((self._look(each, face), 1))
        if places:
            self._stamp(gc, shape, np.array(places), given)

    def draw_image(self, gc, x, y, im, transform=None):
        height, width = im.shape[:2]
        to = Affine2D().scale(width, height) if transform is None else transform
        placed = Affine2D().scale(1 / width, 1 / height) + to + Affine2D().translate(x, y) + self.flip
        colours, numbers = np.unique(np.ascontiguousarray(im).view(np.uint32).ravel(), return_inverse=True)
        roles = [_pair(_hex(*rgba)) for rgba in colours.view(np.uint8).reshape(-1, 4).tolist()]
        rows = ["".join(map(chr, row)) for row in (numbers.reshape(height, width) + 97).tolist()]
        self._add("image", tenths(placed.transform([(0, 0), (width, height)])), gc, roles=roles, rows=rows)

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        if ismath:
            return self._draw_text_as_path(gc, x, y, s, prop, angle, ismath, mtext)
        if (s, prop) not in self.measured:
            self.measured[s, copy(prop)] = self.get_text_width_height_descent(s, prop, False)[0]
        numbers = [round(float(each) * UNIT) for each in (x, y, self.measured[s, prop])]
        look = {
            "bold": prop.get_weight() in ("bold", "semibold", 700),
            "italic": prop.get_style() == "italic",
            "angle": angle,
        }
        look = {word: value for word, value in look.items() if value}
        colour = _colour(gc, gc.get_rgb())
        self._add("text", numbers, gc, words=[s], size=prop.get_size_in_points(), color=colour, **look)

    def _add(self, kind, numbers, gc, **style):
        z = round(self.artist + self.part / 10_000, 4)
        self.marks.append([f"{self.artist}.{self.part}", kind, numbers, {**style, **self._clip(gc), "z": z}])
        self.part += 1

    def _shape(self, gc, pieces, face):
        """A path: a line if nothing fills it."""
        look = self._look(gc, face)
        if not pieces or not (look["color"] or look["edge"] or gc.get_hatch()):
            return
        dash, hatch = self._dash(gc), self._hatch(gc, pieces)
        if look["color"] or hatch:
            return self._add("area", tenths(*pieces), gc, **look, **dash, **hatch)
        self._add("line", tenths(*pieces), gc, color=look["edge"], width=look["width"], **dash)

    def _stamp(self, gc, shape, places, looks):
        """A marker at many places; of a shape that does not close, its lines. looks: (look, how many of the places)"""
        if not len(places) or not shape:
            return
        if any((piece[0] != piece[-1]).any() for piece in shape):
            lines = [piece + place for place in places for piece in shape]
            return self._add("line", tenths(*lines), gc, color=looks[0][0]["edge"], width=looks[0][0]["width"])
        polygons = [piece[:-1].round(2).ravel().tolist() for piece in shape]
        known, of = [], []
        for look, count in looks:
            if look not in known:
                known.append(look)
            of += [known.index(look)] * count
        self._add(
            "points", tenths(places), gc, of=runs(of), looks=[{**each, "shape": polygons, "size": 2} for each in known]
        )

    @staticmethod
    def _look(gc, face):
        fill = None if face is None or (len(face) > 3 and face[3] == 0) else _colour(gc, face)
        width = gc.get_linewidth() / POINT
        edge = None if width == 0 or gc.get_rgb()[3:] == (0,) else _colour(gc, gc.get_rgb())
        return {"color": fill, "edge": edge, "width": round(width, 2)}

    @staticmethod
    def _dash(gc):
        """Strokes shorter and gaps longer by what round caps add."""
        _, dashes = gc.get_dashes()
        width = gc.get_linewidth()
        round_caps = [
            (each + (width if k % 2 else -width)) / POINT for k, each in enumerate([] if dashes is None else dashes)
        ]
        return {"dash": [round(max(each, 0.1), 2) for each in round_caps]} if round_caps else {}

    def _hatch(self, gc, pieces):
        """The lines of a hatch over all of a shape, which the page cuts off around it: Agg's hatches are tiles of an inch."""
        if not gc.get_hatch():
            return {}
        corners = np.vstack(pieces)
        first = np.floor(np.maximum(corners.min(axis=0), 0) / theme.DPI).astype(int)
        last = np.ceil(np.minimum(corners.max(axis=0), (self.width, self.height)) / theme.DPI).astype(int)
        tile = gc.get_hatch_path().cleaned(
            transform=Affine2D().scale(theme.DPI, -theme.DPI).translate(0, theme.DPI), curves=False
        )
        strokes = _split(tile.vertices, tile.codes)
        lines = [
            each + (theme.DPI * x, theme.DPI * y)
            for x in range(first[0], last[0])
            for y in range(first[1], last[1])
            for each in strokes
        ]
        inside = [
            each
            for each in lines
            if (each.max(axis=0) > corners.min(axis=0)).all() and (each.min(axis=0) < corners.max(axis=0)).all()
        ]
        colour = _colour(gc, gc.get_hatch_color())
        return {"hatch": tenths(*inside), "hatched": [colour, round(gc.get_hatch_linewidth() / POINT, 2)]}

    def _clip(self, gc):
        """A rectangle on whole pixels."""
        path, transform = gc.get_clip_path()
        if path is not None:
            edges = path.get_extents(transform).extents
        elif gc.get_clip_rectangle() is not None:
            edges = gc.get_clip_rectangle().extents
        else:
            return {}
        x, y, right, top = edges
        left, upper, right, lower = (
            int(np.floor(each + 0.5)) for each in (x, self.height - top, right + 1, self.height - y + 1)
        )
        return {"clip": [left, upper, right - left, lower - upper]}

    def _pieces(self, gc, path, transform, face, whole=False, snap=None):
        """The path as the pixels have it: snapped, simplified, and a line without what is far outside."""
        is_line = face is None and gc.get_hatch() is None and not whole
        near = (-20, -20, self.width + 20, self.height + 20) if is_line else None
        snap = gc.get_snap() if snap is None else snap
        simplify = path.should_simplify and is_line
        return _split(
            *_path.cleanup_path(path, transform, True, near, snap, gc.get_linewidth() / POINT, simplify, False, None)
        )


def _split(vertices, codes):
    """The pieces of a path as arrays of places; one that is closed ends where it began."""
    pieces = []
    for piece in np.split(np.arange(len(codes)), np.flatnonzero(codes == MOVE)):
        closed = (codes[piece] == CLOSE).any()
        places = vertices[piece[(codes[piece] != CLOSE) & (codes[piece] != 0)]]
        if len(places) > 1:
            pieces.append(np.vstack([places, places[:1]]) if closed else places)
    return pieces


def _colour(gc, rgba):
    """As the page takes it: #rrggbb, or #rrggbbaa if it is translucent, by day and by night."""
    alpha = gc.get_alpha() if len(rgba) == 3 or gc.get_forced_alpha() else rgba[3]
    return _pair(_hex(*(round(255 * float(each)) for each in (*rgba[:3], alpha))))


def _hex(red, green, blue, alpha):
    return f"#{red:02x}{green:02x}{blue:02x}" + (f"{alpha:02x}" if alpha < 255 else "")


# By night lightness is turned over and hue stays (OKLab, Ottosson 2020): what stood out still does, and paper gets dark. Bent
# upwards, because on a dark paper what is dim loses more.

CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LAB = np.array(
    [
        [0.2104542553, 0.793617785, -0.0040720468],
        [1.9779984951, -2.428592205, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.808675766],
    ]
)


def _linear(colour):
    rgb = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def _to_lab(colour):
    return LAB @ np.cbrt(CONES @ _linear(colour))


def _from_lab(lab):
    rgb = np.linalg.inv(CONES) @ (np.linalg.inv(LAB) @ lab) ** 3
    return np.where(rgb <= 0.0031308, 12.92 * rgb, 1.055 * np.maximum(rgb, 0.0031308) ** (1 / 2.4) - 0.055)


@cache
def _pair(colour):
    """The colour by day and by night; white is the role of paper."""
    if colour == theme.WHITE.lower():
        return "paper"
    (light, *hue), paper = _to_lab(colour), _to_lab(DARK["paper"])[0]
    turned = paper + max(1 - light, 0) ** BEND * (NIGHT_INK - paper)
    rgb = next(
        rgb
        for fade in range(200)
        if (np.abs((rgb := _from_lab(np.array([turned, *(0.95**fade * np.array(hue))]))) - 0.5) <= 0.501).all()
    )
    night = _hex(*np.rint(255 * rgb.clip(0, 1)).astype(int).tolist(), 255)
    return f"{colour} {night}{colour[7:]}"
