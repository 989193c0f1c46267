"""A picture that does not move: what a question is about, shown before it is asked."""

from bayeslib.live.display import img
from bayeslib.plots import theme
from bayeslib.plots.canvas import Canvas
from bayeslib.plots.learning_networks import Sheet
from bayeslib.plots.networks import network


class Still:
    """A figure and the words that stand for it."""

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
    """A belief network as nodes and arrows, without a number; `labels` and `positions` as `plots.networks.Network` takes them.

    >>> from bayeslib.networks import BeliefNetwork
    >>> Drawing(BeliefNetwork({"A": [], "B": ["A"]}, {"A": 0.5, "B": {True: 0.9, False: 0.2}}))
    A network of 2 variables: A → B.
    """

    def __init__(self, net, labels=None, positions=None):
        arrows = ", ".join(f"{a} → {b}" for a, b in net.edges) or "no arrows"
        self.alt = f"A network of {len(net.variables)} variables: {arrows}."
        self.figure = theme.figure((0.01, 0.02, 0.98, 0.96), height=2.9)
        self.network = network(net, self.figure.axes[0], positions=positions, labels=labels)


class Drawings(Still):
    """Many graphs over the same three variables, each a mapping of variable to parents, drawn small (section 09).

    >>> Drawings([{"B": [], "E": [], "A": ["B", "E"]}, {"B": [], "E": [], "A": []}])
    2 graphs over B, E and A: B→A E→A; no arrow.
    """

    def __init__(self, graphs):
        variables = list(graphs[0])
        arrows = [[(p, v) for v in variables for p in each[v]] for each in graphs]
        told = "; ".join(" ".join(f"{p}→{v}" for p, v in each) or "no arrow" for each in arrows)
        self.alt = f"{len(graphs)} graphs over {', '.join(variables[:-1])} and {variables[-1]}: {told}."
        self.figure = theme.figure((0.01, 0.01, 0.98, 0.98), height=2.9)
        pairs = [[(variables.index(p), variables.index(v)) for p, v in each] for each in arrows]
        self.sheet = Sheet(self.figure.axes[0], variables, pairs)
