"""The pictures of section 07, belief networks. Each makes its artists once; `show` moves them."""

from matplotlib.patches import Rectangle

from bayeslib.plots import theme
from bayeslib.plots.networks import SEEN, Network

MOVING = {"animated": True}


class Beliefs:
    """A network with the belief in each variable's first state: a number in its node and a bar under it.

    A tick on the bar marks the belief before any evidence; a triangle beside it says which way some news moved it.
    """

    LONG, THICK, GAP = 84, 9, 8  # of a bar in points, and its distance to the node

    @theme.styled
    def __init__(self, axes, net, prior, labels=None, legend=""):
        self.net = net
        self.network = Network(net, axes, labels=labels, noted=True, animated=True)
        self.bars, look = {}, {"edgecolor": theme.BLACK, "linewidth": 1.5, "clip_on": False, **MOVING}
        for v in net.variables:
            corner = self._corner(v)
            axes.add_patch(Rectangle(corner, self.LONG, self.THICK, facecolor=theme.WHITE, zorder=1.5, **look))
            self.bars[v] = axes.add_patch(Rectangle(corner, 0, self.THICK, **look, zorder=3, label=f"belief in {v}"))
        at = [(x + self.LONG * prior[v], y + self.THICK / 2) for v in net.variables for x, y in [self._corner(v)]]
        marks = {"linestyle": "", "zorder": 4, "clip_on": False, **MOVING}
        self.ticks = axes.plot(*zip(*at), marker="|", color=theme.BLACK, markersize=17, markeredgewidth=3, **marks)[0]
        self.moved = {
            way: axes.plot([], [], marker=marker, color=theme.VERMILLION, markersize=11, **marks)[0]
            for way, marker in ((1, "^"), (-1, "v"))
        }
        axes.text(0.5, -0.085, legend, transform=axes.transAxes, ha="center", va="top", fontsize=theme.SMALL)

    def show(self, evidence, beliefs, notes, moved, focus):
        """`beliefs` in 0 to 1 (none: nothing to show), `notes` for the nodes, `moved` +1 or −1, all by variable."""
        self.network.show(evidence=evidence, notes=notes, focus=focus)
        for v, bar in self.bars.items():
            states = self.net.states[v]
            seen = SEEN["first" if evidence.get(v) == states[0] else "last"]["facecolor"]
            bar.set(width=self.LONG * beliefs.get(v, 0), facecolor=seen if v in evidence else theme.BLUE)
        for way, markers in self.moved.items():
            places = [self._corner(v) for v in moved if moved[v] == way]
            markers.set_data([x + self.LONG + 11 for x, _ in places], [y + self.THICK / 2 for _, y in places])

    def _corner(self, v):
        x, y = self.network.places[v]
        return x - self.LONG / 2, y + self.network.tall / 2 + self.GAP
