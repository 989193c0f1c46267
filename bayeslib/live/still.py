"""A picture that does not move: what a question is about, shown before it is asked."""

from bayeslib.live.display import img
from bayeslib.plots import theme
from bayeslib.plots.canvas import Canvas
from bayeslib.plots.networks import Network


class Still:
    """A picture with its words."""

    def __repr__(self):
        return self.alt

    def _repr_mimebundle_(self, **_):
        png = Canvas(self.figure).stored()
        return {"text/plain": self.alt, "text/html": img(png, self.alt, int(theme.WIDTH * theme.DPI))}


class Points(Still):
    """Points in the plane, with the names of the axes and nothing else.

    >>> Points([1, 2, 4], [0, 3, 1], "hours", "marks")
    3 points: hours from 1 to 4, marks from 0 to 3.
    """

    def __init__(self, x, y, across="x", up="y"):
        spans = (f"{name} from {min(each):.3g} to {max(each):.3g}" for name, each in ((across, x), (up, y)))
        self.alt = theme.minus(f"{len(x)} points: {', '.join(spans)}.")
        self.figure = theme.figure((0.1, 0.2, 0.88, 0.77), height=3.0)
        self._draw(self.figure.axes[0], x, y, across, up)

    @theme.styled
    def _draw(self, axes, x, y, across, up):
        size, alpha = (9, 1) if len(x) < 100 else (4, 0.5)
        axes.plot(x, y, "o", color=theme.BLACK, markersize=size, alpha=alpha, markeredgewidth=0)
        axes.set(xlabel=across, ylabel=up)


class Drawing(Still):
    """A belief network: its nodes and arrows, without a number.

    >>> from bayeslib.networks import examples
    >>> Drawing(examples.locked(), labels={"X": "X: a coin"})
    A network of 2 variables, X: a coin and Y, with the arrows X → Y.
    """

    def __init__(self, net, labels=None, height=3.0):
        labels = [(labels or {}).get(v, str(v)) for v in net.variables]
        arrows = ", ".join(f"{a} → {b}" for a, b in net.edges)
        self.alt = f"A network of {len(labels)} variables, {', '.join(labels[:-1])} and {labels[-1]}, with the arrows {arrows}."
        self.figure = theme.figure((0.01, 0.02, 0.98, 0.96), height=height)
        self.network = Network(net, self.figure.axes[0], labels=dict(zip(net.variables, labels)))
        self.network.show()
