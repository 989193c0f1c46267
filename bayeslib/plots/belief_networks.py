"""The pictures of section 07, belief networks. Each makes its artists once; `show` moves them."""

from matplotlib.patches import Rectangle

from bayeslib.plots import theme
from bayeslib.plots.networks import SEEN, network
from bayeslib.plots.theme import MOVING, Picture


class Beliefs(Picture):
    """A network with the belief in each variable's first state: a number in its node and a bar under it.

    A tick on the bar marks the belief before any evidence, a ring the belief before the last news; a triangle beside the bar
    says which way that news moved it.
    """

    LONG, THICK, GAP = 84, 9, 8  # of a bar in points, and its distance to the node

    def __init__(self, axes, net, prior, labels=None, legend=""):
        self.net = net
        self.network = network(
            net, axes, notes={}, labels=labels, animated=True, below=(self.LONG, self.GAP + self.THICK)
        )
        self.boxes, self.bars, look = {}, {}, {"edgecolor": theme.BLACK, "linewidth": 1.5, "clip_on": False, **MOVING}
        for v in net.variables:
            corner = self._corner(v)
            box = Rectangle(corner, self.LONG, self.THICK, facecolor=theme.WHITE, zorder=1.5, **look)
            self.boxes[v] = axes.add_patch(box)
            self.bars[v] = axes.add_patch(Rectangle(corner, 0, self.THICK, **look, zorder=3, label=f"belief in {v}"))
        at = [(x + self.LONG * prior[v], y + self.THICK / 2) for v in net.variables for x, y in [self._corner(v)]]
        marks = {"linestyle": "", "zorder": 4, "clip_on": False, **MOVING}
        self.ticks = axes.plot(*zip(*at), marker="|", color=theme.BLACK, markersize=17, markeredgewidth=3, **marks)[0]
        ring = {"marker": "o", "color": theme.VERMILLION, "markerfacecolor": theme.WHITE, "markersize": 10}
        self.before = axes.plot([], [], **ring, markeredgewidth=2.5, **(marks | {"zorder": 5}))[0]
        self.moved = {
            way: axes.plot([], [], marker=marker, color=theme.VERMILLION, markersize=11, **marks)[0]
            for way, marker in ((1, "^"), (-1, "v"))
        }
        axes.text(0.5, -0.085, legend, transform=axes.transAxes, ha="center", va="top", fontsize=theme.SMALL)

    def show(self, evidence, beliefs, notes, moved, focus, before=()):
        """`beliefs` in 0 to 1 (none: nothing to show), `notes` for the nodes, `moved` +1 or −1, all by variable.

        `before` are the beliefs before the last news, of those variables that show it.
        """
        self.network.show(evidence=evidence, notes=notes, focus=focus)
        for v, bar in self.bars.items():
            states = self.net.states[v]
            seen = SEEN["first" if evidence.get(v) == states[0] else "last"]["facecolor"]
            bar.set(width=self.LONG * beliefs.get(v, 0), facecolor=seen if v in evidence else theme.BLUE)
        rings = [(x + self.LONG * before[v], y + self.THICK / 2) for v in before for x, y in [self._corner(v)]]
        self.before.set_data([x for x, _ in rings], [y for _, y in rings])
        for way, markers in self.moved.items():
            places = [self._corner(v) for v in moved if moved[v] == way]
            markers.set_data([x + self.LONG + 11 for x, _ in places], [y + self.THICK / 2 for _, y in places])

    def _corner(self, v):
        x, y = self.network.places[v]
        return x - self.LONG / 2, y + self.network.tall / 2 + self.GAP


class NetworkSize(Picture):
    """Two bars on a logarithmic scale: the numbers in one table of everything, and those in a network."""

    def __init__(self, axes):
        theme.dress(
            axes,
            xscale="log",
            xlim=(1, 1e22),
            ylim=(-0.55, 1.85),
            yticks=[],
            xticks=[10.0**power for power in range(0, 22, 3)],
            xlabel="numbers to be known, each tick a thousand times the one before",
            hide="minor left",
        )
        looks = {"edgecolor": theme.BLACK, **MOVING}
        self.bars = [
            axes.barh([row], [1], left=1, height=0.42, color=colour, hatch=hatch, **looks)[0]
            for row, colour, hatch in ((1, theme.ORANGE, "//"), (0, theme.SKY, ""))
        ]
        self.words = [axes.text(1.2, row + 0.33, "", va="bottom", fontsize=theme.SMALL, **MOVING) for row in (1, 0)]

    def show(self, sizes, words):
        """The two sizes, each with its line of words."""
        for bar, text, size, line in zip(self.bars, self.words, sizes, words):
            bar.set_width(float(size - 1))  # bars begin at 1
            text.set_text(line)


class JointCells(Picture):
    """A network with a state for every variable; beside it the cell that each table contributes, as bars to drag.

    Nodes bear the letters that the cells use; the whole names stand beside them.
    """

    def __init__(self, axes, bars, net, letters, positions):
        self.net, self.network = net, network(net, axes, positions=positions, labels=letters, animated=True)
        for v, (x, y) in self.network.places.items():
            left = positions[v][0] < 0.5
            aside = (self.network.wide[v] / 2 + 10) * (-1 if left else 1)
            name = v if letters[v] != v else ""
            axes.text(x + aside, y, name, ha="right" if left else "left", va="center", fontsize=theme.SMALL)
        rows = len(net.variables)
        theme.dress(bars, xlim=(0, 1), ylim=(rows + 0.55, -0.35), yticks=[], xticks=[], hide="left bottom")
        looks = {"edgecolor": theme.BLACK, "linewidth": 1.5, **MOVING}
        self.bars = {}
        for row, v in enumerate(net.variables):
            bars.add_patch(Rectangle((0, row + 0.2), 1, 0.4, facecolor=theme.WHITE, edgecolor=theme.GREY))
            self.bars[v] = bars.add_patch(Rectangle((0, row + 0.2), 0, 0.4, label=f"cell of {v}", **looks))
        words = {"fontsize": theme.SMALL, "va": "center", **MOVING}
        self.cells = {v: bars.text(0, row - 0.05, "", **words) for row, v in enumerate(net.variables)}
        self.product = bars.text(0.5, rows + 0.3, "", ha="center", va="center", weight="bold", **MOVING)

    def show(self, assignment, cells, words, lit, product, focus):
        """`cells` and their `words` by variable; those in `lit` stand out; `product` is the line under them."""
        family = {edge: "plain" if focus in edge else "faint" for edge in self.net.edges}
        self.network.show(evidence=assignment, edges=family, focus=focus)
        for v, bar in self.bars.items():
            look = (
                {"facecolor": theme.VERMILLION, "hatch": ""} if v in lit else {"facecolor": theme.MIST, "hatch": "//"}
            )
            bar.set(width=cells[v], **look)
            self.cells[v].set_text(words[v])
        self.product.set_text(product)


class CrossRatio(Picture):
    """Belief in one cause after the effect, with and without the other cause, over one cell of the effect's table."""

    def __init__(self, axes, percents):
        axes.set(
            xlim=(0, 100),
            ylim=(0, 0.62),
            xticks=range(0, 101, 20),
            yticks=[0, 0.2, 0.4, 0.6],
            xlabel="P(Campfire | Storm, Bus) in percent, one cell of the table",
            ylabel="belief in Storm",
        )
        self.percents = percents
        looks = {
            "a bus was seen": {"color": theme.VERMILLION, "linestyle": "-"},
            "no bus was seen": {"color": theme.BLUE, "linestyle": "--"},
        }
        self.curves = {name: axes.plot([], [], label=name, **look, **MOVING)[0] for name, look in looks.items()}
        self.here = axes.axvline(0, color=theme.BLACK, linewidth=1.5, **MOVING)
        dot = {"marker": "s", "color": theme.BLACK, "markerfacecolor": theme.VERMILLION, "markersize": 12}
        self.dot = axes.plot([], [], **dot, clip_on=False, **MOVING)[0]
        ring = {"color": theme.BLACK, "markersize": 20, "markerfacecolor": "none", "label": "cross ratio 1"}
        self.even = axes.plot([], [], "o", **ring, **MOVING)[0]
        self.ratio = axes.text(1.05, 0.3, "", transform=axes.transAxes, va="center", weight="bold", **MOVING)
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1.04), handlelength=1.8)

    def show(self, curves, percent, belief, even, words):
        """`curves` by name, the `belief` if a bus was seen, the place (percent, belief) where the cross ratio is 1."""
        for name, curve in self.curves.items():
            curve.set_data(self.percents, curves[name])
        self.dot.set_data([percent], [belief])
        self.here.set_xdata([percent, percent])
        self.even.set_data([even[0]], [even[1]])
        self.ratio.set_text(words)


class Separation(Picture):
    """Every path between two variables: open ones bold, blocked ones dashed with a cross where they are blocked."""

    ROWS = 6  # paths that fit into the list

    def __init__(self, axes, words, net, positions=None):
        self.net, self.network = net, network(net, axes, positions=positions, animated=True)
        theme.dress(words, xlim=(0, 1), ylim=(1, 0), hide="all")
        room = self.network.tall + 14
        look = {"fill": False, "edgecolor": theme.GREEN, "linewidth": 4, "zorder": 3.5, **MOVING}
        self.ends = [axes.add_patch(Rectangle((0, 0), 0, room, label="end", **look)) for _ in range(2)]
        cross = {"marker": "X", "markersize": 17, "color": theme.BLUE, "markeredgecolor": theme.WHITE}
        self.blocks = axes.plot([], [], linestyle="", zorder=5, label="blocks", clip_on=False, **cross, **MOVING)[0]
        self.list = words.text(0, 0.0, "", va="top", fontsize=theme.SMALL, linespacing=1.35, **MOVING)

    def show(self, ends, evidence, paths, words, focus):
        """`paths` as the model gives them (None: not to be told), `words` for the list beside the picture."""
        edges = dict.fromkeys(self.net.edges, "plain" if paths is None else "faint")
        for path in sorted(paths or [], key=lambda path: path.open):
            for pair in zip(path.variables, path.variables[1:]):
                edge = pair if pair in edges else pair[::-1]
                edges[edge] = "open" if path.open else "blocked"
        self.network.show(evidence=evidence, edges=edges, focus=focus)
        places, wide = self.network.places, self.network.wide
        for box, v in zip(self.ends, ends):
            (x, y), w = places[v], wide[v] + 14
            box.set(x=x - w / 2, y=y - box.get_height() / 2, width=w)
        blocks = {each.variable for path in paths or [] for each in path.blocks}
        at = [(places[v][0] + wide[v] / 2 + 4, places[v][1] - self.network.tall / 2 - 2) for v in blocks]
        self.blocks.set_data([x for x, _ in at], [y for _, y in at])
        self.list.set_text(words)


class Orders(Picture):
    """Variables in the order in which they were added, with the arrows that this order needs."""

    PLACES = {0: (0, 0), 1: (1, 0), 2: (0.5, 0.5), 3: (0, 1), 4: (1, 1)}

    def __init__(self, axes, every_arrow, widest):
        """`every_arrow` is a network over the places 0 to 4 with an arrow from each to all later ones."""
        labels = dict.fromkeys(every_arrow.variables, widest)
        self.network = network(every_arrow, axes, notes={}, positions=self.PLACES, labels=labels, animated=True)
        self.total = axes.text(0.5, -0.1, "", transform=axes.transAxes, ha="center", weight="bold", **MOVING)

    def show(self, names, arrows, notes, total, focus):
        """`names` and `notes` in order; `arrows` as pairs of places; the line under the picture."""
        self.network.labels = {place: f"{place + 1}. {name}" for place, name in enumerate(names)}
        self.network.show(notes=dict(enumerate(notes)), focus=focus)
        for pair, parts in self.network.arrows.items():
            for part in parts:
                part.set_visible(pair in arrows)
        self.total.set_text(total)

    def nearest(self, x, y):
        """The place that a point of the axes is nearest to."""
        return min(self.PLACES, key=lambda p: abs(self.network.places[p][0] - x) + abs(self.network.places[p][1] - y))


class Strata(Picture):
    """Shares of a state in two groups, among all cases and within each stratum, as pairs of bars; lines say what a net claims."""

    MOST = 6  # strata that fit beside the pair of all cases

    def __init__(self, axes):
        theme.dress(axes, xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[], hide="left")
        self.border = axes.axvline(0, color=theme.GREY, linewidth=1, linestyle=":", **MOVING)
        looks = ({"facecolor": theme.SKY}, {"facecolor": theme.ORANGE, "hatch": "//"})
        words = {"ha": "center", "fontsize": theme.SMALL, **MOVING}
        beside = {"transform": axes.transAxes, "va": "bottom", "fontsize": theme.SMALL, **MOVING}
        line = {"color": theme.BLACK, "linewidth": 5, "linestyle": "-", "solid_capstyle": "butt", "zorder": 4}
        places = range(self.MOST + 1)
        self.bars, self.shares, self.claims, self.groups = [], [], [], []
        for look, at in zip(looks, (0.0, 0.2)):
            drawn = axes.bar(places, [0] * len(places), 0.1, edgecolor=theme.BLACK, **look, **MOVING)
            self.bars.append(drawn.patches)
            self.shares.append([axes.text(0, 0, "", va="bottom", zorder=5, **words) for _ in places])
            self.claims.append(axes.plot([], [], **line, **MOVING)[0])
            key = Rectangle((at, 1.05), 0.03, 0.055, transform=axes.transAxes, edgecolor=theme.BLACK, **look)
            axes.add_patch(key).set_clip_on(False)
            self.groups.append(axes.text(at + 0.04, 1.04, "", **beside))
        axes.plot([0.4, 0.43], [1.08, 1.08], transform=axes.transAxes, clip_on=False, **line)
        self.claim = axes.text(0.44, 1.04, "", **beside)
        self.names = [axes.text(0, -0.03, "", va="top", **words) for _ in places]
        self.below = axes.text(0.5, -0.13, "", transform=axes.transAxes, ha="center", va="top", **MOVING)

    def show(self, groups, names, shares, claims, claim, below):
        """`groups` are the two compared, `names` those of the pairs; shares and claims are 2 × pairs, NaN where unknown."""
        pairs = len(names)
        room, wide = 1 / pairs, min(0.4 / pairs, 0.1)
        top = 1.15 * max(0.05, *(value for row in (*shares, *claims) for value in row if value == value))
        for bars, texts, line, mine, said, side in zip(self.bars, self.shares, self.claims, shares, claims, (-1, 1)):
            for i, (bar, text) in enumerate(zip(bars, texts)):
                known = i < pairs and mine[i] == mine[i]
                middle, height = (i + 0.5) * room + side * 0.54 * wide, mine[i] / top if known else 0
                bar.set(x=middle - wide / 2, width=wide, height=height, visible=bool(known))
                text.set(text=f"{mine[i]:.0%}" if known else "", x=middle)
                text.set_y(max(mine[i], said[i]) / top + 0.02 if known else 0)
            ends = [
                (i + 0.5) * room + side * 0.54 * wide + end for i in range(pairs) for end in (-wide / 2, wide / 2, 0)
            ]
            line.set_data(ends, [y for value in said for y in (value / top, value / top, float("nan"))])
        for i, text in enumerate(self.names):
            text.set(text=names[i] if i < pairs else "", x=(i + 0.5) * room)
        for text, word in zip((*self.groups, self.claim, self.below), (*groups, claim, below)):
            text.set_text(word)
        self.border.set_xdata([room, room])
