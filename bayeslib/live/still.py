"""A picture that does not move: what a question is about, shown before it is asked."""

import numpy as np

from bayeslib.figures.display import img
from bayeslib.plots import theme
from bayeslib.plots.canvas import Canvas
from bayeslib.plots.networks import network


class Still:
    """A figure and its description in words."""

    def __repr__(self):
        return self.alt

    def _repr_mimebundle_(self, **_):
        png = Canvas(self.figure).stored()
        return {"text/plain": self.alt, "text/html": img(png, self.alt, int(theme.WIDTH * theme.DPI))}


class Points(Still):
    """Points in the plane, with the names of the axes; by default nothing else.

    classes  0 or 1 for each point: circles and triangles
    query    the position of a query, drawn as a cross
    borders  straight lines, each from one position to another
    mark     a position, drawn as a star with its coordinates

    >>> Points([1, 2, 4], [0, 3, 1], "hours", "marks")
    3 points: hours from 1 to 4, marks from 0 to 3.
    >>> Points([1, 2, 4], [0, 3, 1], classes=[0, 0, 1], query=(3, 2))
    3 points, 2 circles and 1 triangle: x from 1 to 4, y from 0 to 3. A query at (3, 2).
    """

    def __init__(self, x, y, across="x", up="y", classes=None, query=None, borders=(), mark=None):
        spans = (f"{name} from {min(values):.3g} to {max(values):.3g}" for name, values in ((across, x), (up, y)))
        kinds = ""
        if classes is not None:
            ones = sum(classes)
            kinds = f", {theme.count(len(classes) - ones, 'circle')} and {theme.count(ones, 'triangle')}"
        notes = "" if query is None else f" A query at ({query[0]:.3g}, {query[1]:.3g})."
        notes += "" if mark is None else f" A star at ({mark[0]:g}, {mark[1]:g})."
        self.alt = theme.minus(f"{len(x)} points{kinds}: {', '.join(spans)}.{notes}")
        is_map = classes is not None or query is not None  # where distances matter, both axes have the same scale
        self.figure = theme.figure((0.1, 0.2, 0.88, 0.77), height=3.6 if is_map else 3.0)
        if is_map:
            self.figure.axes[0].set(aspect="equal", anchor="W")
        self._draw(self.figure.axes[0], np.array([x, y], float), across, up, classes, query, borders, mark)

    @theme.styled
    def _draw(self, axes, places, across, up, classes, query, borders, mark):
        many = places.shape[1] >= 100 and classes is None
        size, alpha = (4, 0.5) if many else (9, 1)
        looks = {None: ("o", theme.BLACK, None), 0: ("o", theme.VERMILLION, "circle"), 1: ("^", theme.BLUE, "triangle")}
        for kind in [None] if classes is None else [0, 1]:
            marker, colour, name = looks[kind]
            here = places if kind is None else places[:, np.asarray(classes) == kind]
            axes.plot(*here, marker, color=colour, markersize=size, alpha=alpha, markeredgewidth=0, label=name)
        for start, end in borders:
            axes.plot(*np.transpose([start, end]), "-", color=theme.GREY, linewidth=1.3, zorder=1)
        if query is not None:
            cross = {"markersize": 15, "color": theme.BLACK, "markerfacecolor": theme.YELLOW, "linestyle": ""}
            axes.plot(*np.transpose([query]), "X", label="query", **cross)
        if mark is not None:
            star = {"markersize": 20, "color": theme.BLACK, "markerfacecolor": theme.YELLOW}
            axes.plot(*mark, "*", **star)
            axes.annotate(
                theme.minus(f"({mark[0]:g}, {mark[1]:g})"), mark, (0, 12), textcoords="offset points", ha="center"
            )
        axes.set(xlabel=across, ylabel=up)
        if axes.get_legend_handles_labels()[1]:
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), handletextpad=0.2)


class Curves(Still):
    """Up to four curves over one axis, with a legend, and points under them.

    >>> Curves([0, 1, 2], {"up": [0, 1, 2], "down": [2, 1, 0]}, [0.5])
    2 curves over x from 0 to 2: up, down. Points at 0.5.
    """

    def __init__(self, x, curves, points=(), across="x"):
        places = f" Points at {', '.join(f'{point:g}' for point in points)}." if len(points) else ""
        spans = f"over {across} from {min(x):g} to {max(x):g}"
        self.alt = theme.minus(f"{len(curves)} curves {spans}: {', '.join(curves)}.{places}")
        self.figure = theme.figure((0.03, 0.2, 0.95, 0.77), height=2.6)
        self._draw(self.figure.axes[0], x, curves, points, across)

    @theme.styled
    def _draw(self, axes, x, curves, points, across):
        looks = zip((theme.VERMILLION, theme.BLUE, theme.GREY, theme.GREEN), ("-", "--", ":", "-."))
        for (name, y), (colour, style) in zip(curves.items(), looks):
            axes.plot(x, y, color=colour, linestyle=style, label=name)
        axes.plot(points, [0] * len(points), "o", color=theme.BLACK, clip_on=False)
        axes.set(xlabel=across, yticks=[], xlim=(min(x), max(x)), ylim=(0, None))
        axes.legend(loc="upper right")


class Drawing(Still):
    """A belief network as nodes and arrows, without a number; `labels` and `positions` as `plots.networks.Network` takes them.

    >>> from bayeslib.models.networks import BeliefNetwork
    >>> Drawing(BeliefNetwork({"A": [], "B": ["A"]}, {"A": 0.5, "B": {True: 0.9, False: 0.2}}))
    A network of 2 variables: A → B.
    """

    def __init__(self, net, labels=None, positions=None):
        arrows = ", ".join(f"{a} → {b}" for a, b in net.edges) or "no arrows"
        self.alt = f"A network of {len(net.variables)} variables: {arrows}."
        self.figure = theme.figure((0.01, 0.02, 0.98, 0.96), height=2.9)
        self.network = network(net, self.figure.axes[0], positions=positions, labels=labels)
