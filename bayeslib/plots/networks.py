"""Pictures of belief networks (from section 07 on): layers from causes to effects, evidence in a second colour and shape."""

from itertools import permutations, product
from math import factorial, prod

import numpy as np
from matplotlib.patches import FancyBboxPatch, Polygon, Rectangle

from bayeslib.plots import theme

EDGES = {
    "plain": {"color": theme.BLACK, "linewidth": 2, "linestyle": "-", "zorder": 1},
    "open": {"color": theme.VERMILLION, "linewidth": 4.5, "linestyle": "-", "zorder": 1.2},
    "blocked": {"color": theme.BLUE, "linewidth": 2, "linestyle": (0, (5, 3)), "zorder": 1.1},
    "faint": {"color": theme.GREY, "linewidth": 1.2, "linestyle": "-", "zorder": 0.9},
}
# What was observed: its first state (true), its last (false), or one between.
SEEN = {
    "first": {"facecolor": theme.ORANGE, "linestyle": "-", "linewidth": 3.5},
    "last": {"facecolor": theme.SKY, "linestyle": (0, (3, 1.2)), "linewidth": 3.5},
    "other": {"facecolor": theme.YELLOW, "linestyle": "-", "linewidth": 3.5},
}
# Of a node in points: height, height with a note, room beside the name; width of a letter per font size
HEIGHT, TALL, PAD, LETTER = 30, 48, 14, 0.66
HEAD = 17  # length of an arrow's head in points


def network(
    net, axes, evidence=None, edges=None, notes=None, positions=None, labels=None, animated=False, below=(0, 0)
):
    """Draw a network on these axes and return the picture, whose `show` changes it: see `Network` (section 07)."""
    picture = Network(net, axes, positions, labels, noted=notes is not None, animated=animated, below=below)
    picture.show(evidence=evidence, edges=edges, notes=notes)
    return picture


class Network:
    """A belief network as nodes and arrows. Unobserved: a white pill. Observed: a filled box, ■ true or □ false.

    positions  a mapping of variable to (across, down), both from 0 to 1; left out, `layout` finds places
    labels     a mapping of variable to the name drawn, where that is not its own
    noted      True leaves room in every node for a second line, such as its probability; a mapping of variable to the longest
               one makes the node as wide as that
    animated   True for all artists, "nodes" for all but the arrows, else False
    below      width and height in points of what stands under each node, and arrows pass by
    Its artists are in `pills`, `boxes`, `names`, `notes` (by variable), `arrows` (shaft and head, by edge) and `frame`.
    """

    @theme.styled
    def __init__(self, net, axes, positions=None, labels=None, noted=False, animated=False, below=(0, 0)):
        self.below = below
        self.net, self.labels = net, {v: str((labels or {}).get(v, v)) for v in net.variables}
        box = axes.get_window_extent()
        width, height = (72 / axes.figure.dpi * np.array([box.width, box.height])).tolist()
        # In points, from the top: sizes of text and nodes are known.
        theme.dress(axes, xlim=(0, width), ylim=(height, 0), hide="all")
        size = theme.RC["font.size"]
        wide = {v: max(LETTER * size * (len(name) + 2) + PAD, 1.6 * HEIGHT) for v, name in self.labels.items()}
        notes = (
            {v: LETTER * theme.SMALL * len(note) + PAD for v, note in noted.items()} if isinstance(noted, dict) else {}
        )
        if max(_row_widths(net, wide)) > width:
            size = theme.SMALL
            wide = {v: max(LETTER * size * (len(name) + 1) + PAD, 1.4 * HEIGHT) for v, name in self.labels.items()}
        self.wide = {v: max(each, notes.get(v, 0)) for v, each in wide.items()}
        self.tall = TALL if noted else HEIGHT
        self.places = self._places(positions, width, height)
        nodes = {"animated": bool(animated)}
        self.pills, self.boxes, self.names, self.notes = {}, {}, {}, {}
        for v, (x, y) in self.places.items():
            corner, w, h = (x - self.wide[v] / 2, y - self.tall / 2), self.wide[v], self.tall
            pill = FancyBboxPatch(corner, w, h, boxstyle=f"round,pad=0,rounding_size={HEIGHT / 2}", zorder=2, **nodes)
            pill.set(facecolor=theme.WHITE, edgecolor=theme.BLACK, linewidth=2)
            self.pills[v] = axes.add_patch(pill)
            self.boxes[v] = axes.add_patch(Rectangle(corner, w, h, edgecolor=theme.BLACK, zorder=2, **nodes))
            middle, up = {"ha": "center", "va": "center", "zorder": 3, **nodes}, 10 if noted else 0
            self.names[v] = axes.text(x, y - up, self.labels[v], fontsize=size, **middle)
            if noted:
                self.notes[v] = axes.text(x, y + up, "", fontsize=theme.SMALL, **middle)
        self.arrows = {edge: self._arrow(axes, *edge, animated=animated is True) for edge in net.edges}
        self.frame = axes.add_patch(
            Rectangle((0, 0), 0, self.tall + 12, fill=False, edgecolor=theme.BLUE, zorder=4, **nodes)
        )
        self.frame.set(linewidth=2.5, linestyle=":", visible=False)

    def show(self, evidence=None, edges=None, notes=None, focus=None):
        """Set what is observed, the look of edges (a name in `EDGES`, by edge), second lines in the nodes, and a frame round one."""
        evidence, edges, notes = evidence or {}, edges or {}, notes or {}
        for v in self.net.variables:
            seen = v in evidence
            self.pills[v].set_visible(not seen)
            self.boxes[v].set_visible(seen)
            if seen:
                states = self.net.states[v]
                where = {0: "first", len(states) - 1: "last"}.get(states.index(evidence[v]), "other")
                self.boxes[v].set(**SEEN[where])
            self.names[v].set(text=self._name(v, evidence), weight="bold" if seen else "normal")
        for v, note in self.notes.items():
            note.set_text(notes.get(v, ""))
            self.names[v].set_y(self.places[v][1] - (10 if notes.get(v) else 0))
        for edge, (shaft, head) in self.arrows.items():
            look = EDGES[edges.get(edge, "plain")]
            shaft.set(**look)
            head.set(color=look["color"], zorder=look["zorder"])
        self.frame.set_visible(focus is not None)
        if focus is not None:
            (x, y), w = self.places[focus], self.wide[focus] + 12
            self.frame.set(x=x - w / 2, y=y - self.tall / 2 - 6, width=w)

    def at(self, x, y):
        """The variable whose node is at a point of the axes, or None: for a reader who clicks."""
        for v, (across, down) in self.places.items():
            if abs(x - across) <= self.wide[v] / 2 and abs(y - down) <= self.tall / 2:
                return v
        return None

    def _name(self, v, evidence):
        if v not in evidence:
            return self.labels[v]
        if isinstance(evidence[v], (bool, np.bool_)):
            return f"{'■' if evidence[v] else '□'} {self.labels[v]}"
        return f"{self.labels[v]}={evidence[v]}"

    def _places(self, positions, width, height):
        """Centres of the nodes in points."""
        across_down = positions or layout(self.net)
        side, edge = max(self.wide.values()) / 2 + 8, self.tall / 2 + 8
        found = {}
        for v in self.net.variables:
            across, down = across_down[v]
            half = self.wide[v] / 2 + 8 if positions else side
            found[v] = (half + across * (width - 2 * half), edge + down * (height - 2 * edge))
        return found

    def _arrow(self, axes, a, b, **moving):
        """Shaft and head of an arrow from border to border. Matplotlib's own arrows take 10 ms each, these a fraction of one."""
        curve = self._curve(a, b)
        begins = max(i for i, point in enumerate(curve) if self._inside(point, a, 0)) + 1
        ends = min(i for i, point in enumerate(curve) if self._inside(point, b, 2))
        curve = curve[begins:ends] if begins < ends else curve
        tip = curve[-1]
        base = curve[np.hypot(*(curve - tip).T) >= HEAD][-1:] if len(curve) > 1 else curve
        base = base[0] if len(base) else curve[0]
        along = (tip - base) / max(np.hypot(*(tip - base)), 1e-9)
        across = 0.42 * HEAD * np.array([-along[1], along[0]])
        shaft = curve[np.hypot(*(curve - tip).T) >= 0.8 * HEAD]
        return (
            axes.plot(*shaft.T, solid_capstyle="butt", **moving)[0],
            axes.add_patch(
                Polygon([tip, tip - HEAD * along + across, tip - HEAD * along - across], linewidth=0, **moving)
            ),
        )

    def _curve(self, a, b):
        """Points from centre to centre, with the smallest bend that passes by all other nodes."""
        start, end = np.array(self.places[a]), np.array(self.places[b])
        t, aside = np.linspace(0, 1, 201)[:, None], np.array([start[1] - end[1], end[0] - start[0]])
        for bend in (0, 0.12, -0.12, 0.22, -0.22, 0.35, -0.35, 0.5, -0.5):
            middle = (start + end) / 2 + bend * aside
            curve = (1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end
            others = (v for v in self.places if v not in (a, b))
            if not any(self._inside(point, v, 6) for v in others for point in curve[::5]):
                return curve
        return start + t * (end - start)

    def _inside(self, point, v, room):
        x, y = point - self.places[v]
        (wide, tall), node = self.below, self.tall / 2
        under = abs(x) < wide / 2 + room and node < y < node + tall + room
        return under or abs(x) < self.wide[v] / 2 + room and abs(y) < node + room


def layout(net):
    """A place for every variable, as (across, down) from 0 to 1: causes above effects, few arrows crossing."""
    rows = _rows(net)
    links, number = [], {v: i for i, row in enumerate(rows) for v in row}
    for (
        a,
        b,
    ) in net.edges:  # an arrow over several rows takes a place in each row between, so that it does not cross nodes
        stops = [a, *((a, b, i) for i in range(number[a] + 1, number[b])), b]
        for i, stop in enumerate(stops[1:-1], number[a] + 1):
            rows[i].append(stop)
        links += list(zip(stops, stops[1:]))
    rows = _untangled(rows, links)
    places = {}
    for i, row in enumerate(rows):
        for j, v in enumerate(row):
            places[v] = ((j + 0.5) / len(row), i / max(len(rows) - 1, 1))
    least, most = (edge(places[v][0] for v in net.variables) for edge in (min, max))
    stretch = lambda across: (across - least) / (most - least) if most > least else 0.5  # noqa: E731
    return {v: (stretch(places[v][0]), places[v][1]) for v in net.variables}


def _rows(net):
    """Variables by depth; one without parents stands just above its first child."""
    depth = {}
    for v in net.variables:
        depth[v] = 1 + max((depth[p] for p in net.parents[v]), default=-1)
    for v in reversed(net.variables):
        if not net.parents[v] and net.children[v]:
            depth[v] = min(depth[child] for child in net.children[v]) - 1
    return [[v for v in net.variables if depth[v] == d] for d in range(max(depth.values()) + 1)]


def _row_widths(net, wide):
    return [sum(wide[v] + 12 for v in row) for row in _rows(net)]


def _untangled(rows, links):
    """Each row in the order that makes links cross least and run straightest: tried out if small, else row by row."""

    def cost(rows):
        across = {v: (j + 0.5) / len(row) for row in rows for j, v in enumerate(row)}
        at = {v: i for i, row in enumerate(rows) for v in row}
        ends = [(at[a], across[a], across[b]) for a, b in links]
        crossings = sum(
            (x1 - x2) * (y1 - y2) < 0 for k, (i, x1, y1) in enumerate(ends) for j, x2, y2 in ends[:k] if i == j
        )
        return 10 * crossings + sum(abs(x - y) for _, x, y in ends)

    if prod(factorial(len(row)) for row in rows) <= 2000:
        return list(min(product(*(list(permutations(row)) for row in rows)), key=cost))
    best = rows
    for sweep in range(8):
        for i in range(len(rows)) if sweep % 2 == 0 else reversed(range(len(rows))):
            across = {v: (j + 0.5) / len(row) for row in rows for j, v in enumerate(row)}
            beside = {v: [across[b] if a == v else across[a] for a, b in links if v in (a, b)] for v in rows[i]}
            rows = [*rows[:i], sorted(rows[i], key=lambda v: np.mean(beside[v] or [across[v]])), *rows[i + 1 :]]
        best = min(best, rows, key=cost)
    return best
