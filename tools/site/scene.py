"""A figure as draw commands instead of pixels: matplotlib draws as usual, and its calls to the renderer are recorded.

A command is a style and a path (SVG path data), a path and the places where it stands, a text, or an image; coordinates
are whole tenths of a pixel at theme.DPI, y down. scene.js draws them on a canvas, at any size. Layout, snapping and
simplification are Agg's, so that the canvas shows what the pixels show. Only this file and
narrow.py know matplotlib's private parts.
"""

import base64
import json
import zlib
from contextlib import nullcontext
from copy import copy
from io import BytesIO
from pathlib import Path

import numpy as np
from fontTools import subset
from matplotlib import _path, get_data_path
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.image import AxesImage
from matplotlib.transforms import Affine2D

from bayeslib.plots import theme
from bayeslib.plots.canvas import Canvas

UNIT = 10
LETTERS = {
    1: ("m", 1),
    2: ("l", 1),
    3: ("q", 2),
    4: ("c", 3),
}  # of matplotlib's path codes, and how many points each has
STOP, CLOSE = 0, 79
CAPS = {"butt": 0, "round": 1, "projecting": 2}
JOINS = {"miter": 0, "round": 1, "bevel": 2}
UPSIDE_DOWN = Affine2D().scale(1, -1)
NEAR = 50  # pixels beside the canvas from where on a marker cannot be seen


class Scene(Canvas):
    """A canvas that also gives commands. It has no frames for a page with a kernel, and antialiases everything."""

    def __init__(self, figure):
        super().__init__(figure)
        for artist in figure.findobj(lambda each: hasattr(each, "set_antialiased")):
            artist.set_antialiased(True)  # as a canvas of the page does
        for image in figure.findobj(AxesImage):
            if image.get_interpolation() == "nearest":
                image.set_interpolation("none")  # the same pixels, and the renderer gets the image unscaled

    def commands(self, layout=nullcontext):
        """The picture as a list of commands: the kept background, and the moving artists over it.

        layout  a context in which the figure is laid out in another way (narrow.py)
        """
        if self.figure.stale:
            self._layers.clear()
        if self.figure.dpi != theme.DPI:
            self.figure.set_dpi(theme.DPI)
        with layout(self.figure):
            if layout not in self._layers:
                recorder = Recorder(*self.figure.bbox.size)
                self.figure.draw(recorder)
                self._layers[layout] = recorder, recorder.commands
            recorder, still = self._layers[layout]
            recorder.commands = [*still]
            for artist in () if self.hidden else self._moving:
                artist.draw(recorder)
        self.figure.stale = False
        return recorder.commands

    def png(self, dpi=theme.DPI):
        return b""  # nobody uses it


class Recorder(RendererAgg):
    """Has Agg's metrics, so that every text is where the pixels have it; rasterises nothing."""

    def __init__(self, width, height):
        super().__init__(width, height, theme.DPI)
        self.commands, self.measured = [], {}
        self.flip = UPSIDE_DOWN + Affine2D().translate(0, height)

    def _update_methods(self):
        pass  # Agg's own drawing would take the place of the methods below

    def option_scale_image(self):
        return True

    def draw_path(self, gc, path, transform, rgbFace=None):
        self._add(self._style(gc, rgbFace), self._data(gc, path, transform + self.flip, rgbFace))

    def draw_markers(self, gc, marker_path, marker_trans, path, trans, rgbFace=None):
        snapped = self._data(gc, marker_path, marker_trans + UPSIDE_DOWN, rgbFace, whole=True)
        free = self._data(gc, marker_path, marker_trans + UPSIDE_DOWN, rgbFace, whole=True, snap=False)
        places = (trans + self.flip).transform(path.vertices)
        places = places[np.isfinite(places).all(axis=1)]
        near = (places > -NEAR).all(axis=1) & (places < (self.width + NEAR, self.height + NEAR)).all(axis=1)
        # Agg puts the marker on whole pixels; one that was not snapped itself has its middle on a pixel's middle.
        self._add_places(self._style(gc, rgbFace), snapped, np.floor(places[near] + 0.5) + 0.5 * (snapped == free))

    def draw_path_collection(self, gc, master_transform, paths, all_transforms, offsets, offset_trans, *looks, **more):
        raw = list(self._iter_collection_raw_paths(master_transform, paths, all_transforms))
        more["hatchcolors"] = [] if more.get("hatchcolors") is None else more["hatchcolors"]
        is_one = len(raw) == 1 and len(offsets) > 1
        known, last, places = {}, None, []
        for x, y, (path, transform), each, face in self._iter_collection(
            gc, raw, offsets, offset_trans, *looks, **more
        ):
            style = self._style(each, face)
            if not is_one:
                moved = transform + Affine2D().translate(x, y) + self.flip
                self._add(style, self._data(each, path, moved, face))
                continue
            if style not in known:
                known[style] = self._data(each, path, transform + UPSIDE_DOWN, face, whole=True, snap=False)
            if style != last and places:
                self._add_places(last, known[last], places)
                places = []
            last = style
            places.append((x, self.height - y))
        if places:
            self._add_places(last, known[last], places)

    def draw_image(self, gc, x, y, im, transform=None):
        height, width = im.shape[:2]
        if transform is None:
            transform = Affine2D().scale(width, height)
        matrix = (
            Affine2D().scale(1 / width, 1 / height) + transform + Affine2D().translate(x, y) + self.flip
        ).get_matrix()
        colours, numbers = np.unique(np.ascontiguousarray(im).view(np.uint32).ravel(), return_inverse=True)
        palette = " ".join(_hex(*rgba) for rgba in colours.view(np.uint8).reshape(-1, 4).tolist())
        pixels = "".join(chr(0xA1 + number) for number in numbers.ravel())  # no quote and no backslash among them
        placed = [round(float(each), 4) for each in matrix[:2].T.ravel() * UNIT]
        self.commands.append(((None, None, self._clip(gc, last=0)), palette, width, height, pixels, *placed))

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        if ismath:
            return self._draw_text_as_path(gc, x, y, s, prop, angle, ismath, mtext)
        size = round(prop.get_size_in_points() * self.dpi / 72, 2)
        if (s, prop) not in self.measured:
            width, _, _ = self.get_text_width_height_descent(s, prop, False)
            self.measured[s, copy(prop)] = width, Path(self._prepare_font(prop).fname).stem
        width, face = self.measured[s, prop]
        style = _colour(gc, gc.get_rgb()), size, face, angle, self._clip(gc)
        self.commands.append((style, s, *(round(float(each) * UNIT) for each in (x, y, width))))

    def _add(self, style, data):
        if data and (style[:2] != (None, None) or len(style) > 6):
            self.commands.append((style, data))

    def _add_places(self, style, data, places):
        if data and len(places):
            steps = np.diff(np.rint(np.asarray(places) * UNIT).astype(int), axis=0, prepend=0)
            self.commands.append((style, data, " ".join(map(str, steps.ravel()))))

    def _style(self, gc, face):
        """What a path looks like: fill, edge, clip, and of an edge width, cap, join and dashes; of a hatch all of it."""
        fill = None if face is None or (len(face) > 3 and face[3] == 0) else _colour(gc, face)
        width = gc.get_linewidth() * self.dpi / 72
        edge = None if width == 0 or gc.get_rgb()[3:] == (0,) else _colour(gc, gc.get_rgb())
        style = fill, edge, self._clip(gc)
        if edge or gc.get_hatch():
            offset, dashes = gc.get_dashes()
            dashes = " ".join(f"{each * self.dpi / 72:.4g}" for each in ([] if dashes is None else [offset, *dashes]))
            style += round(width, 2), 3 * CAPS[str(gc.get_capstyle())] + JOINS[str(gc.get_joinstyle())], dashes
        if gc.get_hatch():
            tile = Affine2D().scale(self.dpi, -self.dpi).translate(0, self.dpi)
            hatch = gc.get_hatch_path().cleaned(transform=tile, curves=True)
            drawn = _data(hatch.vertices, hatch.codes)
            style += drawn, _colour(gc, gc.get_hatch_color()), round(gc.get_hatch_linewidth() * self.dpi / 72, 2)
        return style

    def _clip(self, gc, last=1):
        """Path data: a rectangle on whole pixels, or a path. matplotlib never gives both."""
        path, transform = gc.get_clip_path()
        if path is not None:
            clean = path.cleaned(transform=transform + self.flip, curves=True)
            return _data(clean.vertices, clean.codes)
        if gc.get_clip_rectangle() is None:
            return ""
        x, y, right, top = gc.get_clip_rectangle().extents
        edges = [int(np.floor(each + 0.5)) for each in (x, self.height - top, right + last, self.height - y + last)]
        left, upper, right, lower = (UNIT * each for each in edges)  # Agg draws paths on the last pixel too
        return f"m{left} {upper}h{right - left}v{lower - upper}h{left - right}z"

    def _data(self, gc, path, transform, face, whole=False, snap=None):
        """The path as the pixels have it: snapped, simplified, and a line without what is far outside."""
        is_line = face is None and gc.get_hatch() is None and not whole
        near = (-20, -20, self.width + 20, self.height + 20) if is_line else None
        width = gc.get_linewidth() * self.dpi / 72
        snap = gc.get_snap() if snap is None else snap
        simplify = path.should_simplify and is_line
        return _data(*_path.cleanup_path(path, transform, True, near, snap, width, simplify, True, None))


class SceneArchive:
    """The frames of one figure, with each command and each style stored once."""

    def __init__(self, width, height):
        self.size = {"width": width, "height": height}
        self.styles, self.commands, self.frames = {}, {}, {}

    def add(self, commands):
        """Keep a picture; returns the number of its frame."""
        numbers = []
        for style, *what in commands:
            command = self.styles.setdefault(style, len(self.styles)), *what
            numbers.append(self.commands.setdefault(command, len(self.commands)))
        return self.frames.setdefault(tuple(numbers), len(self.frames))

    def text(self, **more):
        """All of it, with `more` added, as JSON."""
        content = {
            **self.size,
            "styles": list(self.styles),
            "commands": list(self.commands),
            "frames": list(self.frames),
            **more,
        }
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))

    def letters(self):
        """The letters of its texts, by the name of the font's file."""
        styles, letters = list(self.styles), {}
        for style, text, *rest in self.commands:
            if len(rest) == 3:
                letters.setdefault(styles[style][2], set()).update(text)
        return letters


def script(name, text):
    """A text as a script that holds it, deflated: a page opened from a file may load nothing else."""
    return f'SCENES["{name}"] = "{base64.b64encode(zlib.compress(text.encode(), 9)).decode()}";\n'


def fonts(letters):
    """A script that holds fonts with these letters, and their licence."""
    folder, packed = Path(get_data_path()) / "fonts" / "ttf", {}
    for name, used in sorted(letters.items()):
        options = subset.Options(flavor="woff", drop_tables=["FFTM"])
        font = subset.load_font(folder / f"{name}.ttf", options)
        subsetter = subset.Subsetter(options)
        subsetter.populate(text="".join(sorted(used)))
        subsetter.subset(font)
        file = BytesIO()
        subset.save_font(font, file, options)
        packed[name] = base64.b64encode(file.getvalue()).decode()
    licence = (folder / "LICENSE_DEJAVU").read_text().strip()
    return f"/* Parts of the DejaVu fonts.\n\n{licence}\n*/\nconst FONTS = {json.dumps(packed)};\n"


def _data(vertices, codes):
    """SVG path data in relative whole units."""
    points, codes = np.rint(vertices * UNIT).astype(int).tolist(), codes.tolist()
    words, at, start, k, letter = [], (0, 0), (0, 0), 0, ""
    while k < len(codes) and codes[k] != STOP:
        if codes[k] == CLOSE:
            words.append("z" if words else "")  # what was cut off may have left an end without a beginning
            at, letter, k = start, "z", k + 1
            continue
        before, (letter, count) = letter, LETTERS[codes[k]]
        if letter != before and (before, letter) != ("m", "l") or letter == "m":
            words.append(letter)
        for x, y in points[k : k + count]:
            words += f" {x - at[0]}", f" {y - at[1]}"
        at, k = tuple(points[k + count - 1]), k + count
        if letter == "m":
            start = at
    data = "".join(words).replace(" -", "-")
    return data if "z" in data or len(codes) > 1 else ""


def _colour(gc, rgba):
    """As #rrggbb, or #rrggbbaa if it is translucent."""
    alpha = gc.get_alpha() if len(rgba) == 3 or gc.get_forced_alpha() else rgba[3]
    return _hex(*(round(255 * float(each)) for each in (*rgba[:3], alpha)))


def _hex(red, green, blue, alpha):
    return f"#{red:02x}{green:02x}{blue:02x}" + (f"{alpha:02x}" if alpha < 255 else "")
