"""The one place that knows colours, fonts and line widths. Sized for the last row of a lecture room.

Hues are Okabe and Ito's. Those with a contrast of at least 3:1 on white draw lines and text; the paler ones only fill areas
that have an outline. Every role also has a marker or a line style, because colour is never the only carrier.
"""

import re
from functools import wraps

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

BLACK, GREY, WHITE = "#000000", "#595959", "#FFFFFF"
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, YELLOW, MIST = "#E69F00", "#56B4E9", "#F0E442", "#E8E8E8"
STRONG = {"black": BLACK, "grey": GREY, "blue": BLUE, "vermillion": VERMILLION, "green": GREEN, "purple": PURPLE}
PALE = {"orange": ORANGE, "sky": SKY, "yellow": YELLOW, "mist": MIST}

SMALL, LARGE = 13, 19  # besides the usual 15 of RC below
MOVING = {"animated": True}  # an artist that is drawn again in every frame, over a background that is kept
PLATE = {"facecolor": WHITE, "edgecolor": "none", "pad": 1}  # behind a text that may stand on lines

DPI, WIDTH, HEIGHT = 100, 9.0, 3.9
RC = {
    "figure.dpi": DPI,
    "figure.facecolor": WHITE,
    "font.family": "DejaVu Sans",
    "font.size": 15,
    "axes.titlesize": 16,
    "axes.labelsize": 15,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 1.2,
    "xtick.labelsize": 13,
    "ytick.labelsize": 13,
    "legend.fontsize": 13,
    "legend.frameon": False,
    "lines.linewidth": 3,
    "lines.markersize": 10,
    "lines.markeredgewidth": 1.5,
    "patch.linewidth": 1.5,
    "hatch.linewidth": 1.2,
    "axes.prop_cycle": mpl.cycler(color=[BLUE, VERMILLION, GREEN, PURPLE], linestyle=["-", "--", "-.", ":"]),
}


def styled(draw):
    """Run a plotting function under the theme, leaving the reader's own matplotlib settings alone."""

    @wraps(draw)
    def wrapper(*args, **kwargs):
        with mpl.rc_context(RC):
            return draw(*args, **kwargs)

    return wrapper


@styled
def figure(*boxes, width=WIDTH, height=HEIGHT):
    """A figure with axes in these boxes (left, bottom, width, height), on an Agg canvas.

    No pyplot, so nothing is shown or kept behind the reader's back.
    """
    new = Figure(figsize=(width, height), dpi=DPI)
    FigureCanvasAgg(new)
    for box in boxes:
        new.add_axes(box)
    return new


def axes(*boxes, **size):
    """The axes of a new figure in these boxes."""
    return figure(*boxes, **size).axes


class Picture:
    """What a figure shows: artists on the axes that come first, made in the style of the course. It keeps its figure."""

    def __init_subclass__(cls):
        cls.__init__ = styled(cls.__init__)

    def __new__(cls, first, *rest, **options):
        picture = super().__new__(cls)
        picture.figure = (first if isinstance(first, Axes) else first[0]).figure
        return picture


def dress(axes, hide="", ticks=None, **settings):
    """Limits, scales, labels and frame of axes, in the order given: what `axes.set` takes, and more.

    xticks, yticks          also as a mapping of place to label
    any other               also as (value, options), such as xlabel=("error", {"labelpad": 2})
    hide                    what goes, in words: "left", "bottom" (lines of the frame), "minor" (ticks), or "all" of them
    ticks                   options of `axes.tick_params`
    """
    for name, value in settings.items():
        options = {}
        if isinstance(value, dict):
            value, options = list(value), {"labels": list(value.values())}
        elif isinstance(value, tuple) and isinstance(value[-1], dict):
            value, options = value
        getattr(axes, f"set_{name}")(value, **options)
    if ticks:
        axes.tick_params(**ticks)
    for word in hide.split():
        if word == "all":
            axes.axis("off")
        elif word == "minor":
            axes.minorticks_off()
        else:
            axes.spines[word].set_visible(False)


def count(number, word):
    """1 point, 2 points."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def minus(text):
    """The text with true minus signs before its numbers, and none before a zero."""
    text = re.sub(r"(?<!\w)-(?=0(\.0*)?(?!\.?\d))", "", text)
    return re.sub(r"(?<!\w)-(?=\.?\d)", "−", text)
