"""A scene as pixels, drawn by matplotlib: for stored output, print and GitHub."""

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import IdentityTransform

from bayeslib.figures.scene import UNIT, unrolled
from bayeslib.figures.theme import DPI, HALO, LIGHT, POINT, RC


def pixels(size, boxes, marks, dpi=DPI, palette=LIGHT):
    """Rows of RGBA."""
    (width, height), colour = size, lambda role: to_rgba(palette[role]) if role else (0, 0, 0, 0)
    with mpl.rc_context(RC):
        figure = Figure((width / DPI, height / DPI), dpi=dpi, facecolor=palette["paper"])
        canvas, axes = FigureCanvasAgg(figure), figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        axes.axis("off")
        for _, kind, numbers, style in marks:
            for artist in PAINT[kind](
                axes, np.array([np.nan if each is None else each for each in numbers], float) / UNIT, style, colour
            ):
                artist.set(zorder=style["z"], snap=False)
                if artist.get_alpha() is None:
                    artist.set_alpha(style.get("alpha"))
                axes.add_artist(artist)
                if clip := style.get("clip"):
                    left, top, w, h = boxes[clip - 1]
                    artist.set_clip_path(Rectangle((left, top), w, h, transform=axes.transData))
                else:
                    artist.set_clip_on(False)
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())


def _corners(numbers):
    """The places of a polyline, with a place that is not a number between its pieces."""
    gaps = np.flatnonzero(np.isnan(numbers))
    return np.insert(numbers, gaps, np.nan).reshape(-1, 2)


def _line(axes, numbers, style, colour):
    dash = (0, tuple(each / style["width"] for each in style["dash"])) if "dash" in style else "-"
    look = {"color": colour(style.get("color")), "linewidth": style["width"] * POINT, "linestyle": dash}
    yield Line2D(*_corners(numbers).T, **look, solid_capstyle="round", dash_capstyle="round", solid_joinstyle="round")


def _area(axes, numbers, style, colour):
    if not len(numbers):
        return
    places = _corners(numbers)
    pieces = np.split(places, np.flatnonzero(np.isnan(places[:, 0])))
    pieces = [piece[np.isfinite(piece[:, 0])] for piece in pieces]
    path = Path.make_compound_path(*(Path(np.vstack([piece, piece[:1]]), closed=True) for piece in pieces))
    face, edge = (
        colour(style[word]) if style.get(word) else "none" for word in ("color", "edge")
    )  # alpha leaves "none" alone
    if "fill" in style:
        yield PathPatch(path, facecolor=face, edgecolor="none", alpha=style["fill"] * style.get("alpha", 1))
        face = "none"
    yield PathPatch(path, facecolor=face, edgecolor=edge, linewidth=style.get("width", 0) * POINT, joinstyle="round")


def _points(axes, numbers, style, colour):
    """Drawn look by look, so that later looks lie on top."""
    of, looks = unrolled(style["of"]), style["looks"]
    order = np.argsort(of, kind="stable")
    shapes = [MarkerStyle(each["shape"]) for each in looks]
    paths = [shape.get_path().transformed(shape.get_transform()) for shape in shapes]
    fill, edge = (np.array([colour(each[word]) for each in looks])[of[order]] for word in ("color", "edge"))
    size, width = (np.array([each[word] * POINT for each in looks])[of[order]] for word in ("size", "width"))
    made = PathCollection(
        [paths[k] for k in of[order]], offsets=numbers.reshape(-1, 2)[order], offset_transform=axes.transData
    )
    made.set_transform(IdentityTransform())
    made.set(facecolor=fill, edgecolor=edge, linewidth=width, sizes=size**2)
    yield made


def _wedges(axes, numbers, style, colour):
    radius = style["size"] / 2
    for x, y, start, end in (numbers * [1, 1, UNIT, UNIT] for numbers in numbers.reshape(-1, 4)):
        if end > start:
            wedge = Path.wedge(90 - 0.36 * end, 90 - 0.36 * start)
            corners = wedge.vertices * (radius, -radius) + (x, y)
            yield PathPatch(Path(corners, wedge.codes), facecolor=colour(style["color"]), edgecolor="none")


def _text(axes, numbers, style, colour):
    halo = [withStroke(linewidth=HALO * POINT, foreground=colour(style["halo"]))] if "halo" in style else []
    look = {
        "size": style["size"],
        "weight": "bold" if "bold" in style else "normal",
        "style": "italic" if "italic" in style else "normal",
    }
    for words, (x, y, _) in zip(style["words"], numbers.reshape(-1, 3)):
        yield Text(x, y, words, color=colour(style["color"]), parse_math=False, path_effects=halo, **look)


def _image(axes, numbers, style, colour):
    left, top, right, bottom = numbers
    made = AxesImage(axes, interpolation="nearest", origin="upper", extent=(left, right, bottom, top))
    cells = np.array([[ord(letter) - 97 for letter in row] for row in style["rows"]])
    made.set_data(np.array([colour(role) for role in style["roles"]])[cells])
    yield made


PAINT = {"line": _line, "area": _area, "points": _points, "wedges": _wedges, "text": _text, "image": _image}
