"""The pictures of section 09, learning belief networks. Each makes its artists once; `show` moves them."""

from itertools import permutations

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Rectangle

from bayeslib.plots import theme
from bayeslib.plots.estimating_probabilities import BALLS
from bayeslib.plots.networks import EDGES, Network
from bayeslib.plots.theme import MOVING

SMALL = {"fontsize": theme.SMALL, "va": "center"}


def _cells(axes):
    """Markers for the cells of a table of 1 and 0: squares and circles."""
    look = {"linestyle": "", "markersize": 19, "color": theme.BLACK, **MOVING}
    return (
        axes.plot([], [], "s", markerfacecolor=theme.ORANGE, **look)[0],
        axes.plot([], [], "o", markerfacecolor=theme.WHITE, **look)[0],
    )


class Tally:
    """Rows of data on the left; on the right a line for each combination of the parents' states, its rows as balls."""

    LINES = 4  # as many combinations as a family of the student net has

    @theme.styled
    def __init__(self, table, tally, variables, rows):
        table.set(xlim=(-0.9, len(variables) - 0.4), ylim=(len(rows) + 0.35, -1.5))
        table.axis("off")
        for x, name in enumerate(variables):
            table.text(x, -0.75, name, ha="center", va="center", weight="bold")
        self.cells = np.array(rows, dtype=bool)
        self.ones, self.zeros = _cells(table)
        self.new = table.plot([], [], ">", color=theme.BLACK, markersize=11, **MOVING)[0]
        tally.set(xlim=(-0.6, 20.5), ylim=(self.LINES - 0.3, -1.15))
        tally.axis("off")
        self.title = tally.text(-0.4, -0.85, "", weight="bold", va="center", **MOVING)
        self.labels = [tally.text(-0.4, y, "", va="center", **MOVING) for y in range(self.LINES)]
        self.sums = [tally.text(20.4, y, "", ha="right", va="center", **MOVING) for y in range(self.LINES)]
        balls = {"linestyle": "", "markersize": 12, **MOVING}
        self.balls = {kind: tally.plot([], [], **look, **balls)[0] for kind, look in BALLS.items()}

    def show(self, seen, title, labels, counts, m, sums, newest):
        """`seen` rows; for each line its label, (real hits, real misses), `m` virtual ones, its sum; which line is newest."""
        for artist, wanted in ((self.ones, True), (self.zeros, False)):
            y, x = np.nonzero(self.cells[:seen] == wanted)
            artist.set_data(x, y)
        self.new.set_data(([-0.6], [seen - 1]) if seen else ([], []))
        self.title.set_text(title)
        places = {kind: ([], []) for kind in BALLS}
        for y in range(self.LINES):
            used = y < len(labels)
            self.labels[y].set(text=labels[y] if used else "", weight="bold" if y == newest else "normal")
            self.sums[y].set_text(sums[y] if used else "")
            if not used:
                continue
            x = 4.1
            groups = (("real", "hit", counts[y][0]), ("real", "miss", counts[y][1]))
            for source, sort, number in (*groups, ("virtual", "hit", m // 2), ("virtual", "miss", m // 2)):
                places[source, sort][0].extend(x + 0.73 * np.arange(number))
                places[source, sort][1].extend([y] * number)
                x += 0.73 * number
        for kind, (x, y) in places.items():
            self.balls[kind].set_data(x, y)


class Families:
    """A table of rows whose cells are flipped, and the log-likelihood as a bar for each family."""

    @theme.styled
    def __init__(self, cells, bars, variables, rows, longest):
        self.columns, self.count = len(variables), rows
        cells.set(xlim=(-0.7, len(variables) - 0.3), ylim=(rows - 0.3, -1.35))
        cells.axis("off")
        for x, name in enumerate(variables):
            cells.text(x, -0.9, name, ha="center", va="center", weight="bold")
        self.ones, self.zeros = _cells(cells)
        self.changed = cells.plot([], [], "x", color=theme.BLACK, linestyle="", markersize=9, **MOVING)[0]
        self.ring = cells.add_patch(Rectangle((0, 0), 0.84, 0.84, fill=False, edgecolor=theme.BLUE, **MOVING))
        self.ring.set(linewidth=2.5, linestyle=":")
        bars.set(xlim=(-0.42 * longest, 1.35 * longest), ylim=(len(variables) + 0.75, -1.05))
        bars.axis("off")
        bars.plot([0, 0], [-0.5, len(variables) - 0.5], color=theme.BLACK, linewidth=1.5)
        bars.text(0, -0.8, "minus log-likelihood, nats", **SMALL)
        self.names = [bars.text(-0.03 * longest, y, "", ha="right", va="center") for y in range(len(variables))]
        self.bars = [
            bars.add_patch(Rectangle((0, y - 0.32), 0, 0.64, facecolor=theme.SKY, edgecolor=theme.BLACK, **MOVING))
            for y in range(len(variables))
        ]
        self.before = bars.plot([], [], "|", color=theme.VERMILLION, markersize=26, **MOVING)[0]
        self.before.set_markeredgewidth(4)
        self.values = [bars.text(0, y, "", va="center", **MOVING) for y in range(len(variables))]
        self.total = bars.text(-0.4 * longest, len(variables) + 0.2, "", va="center", weight="bold", **MOVING)

    def show(self, cells, changed, at, names, losses, before, total):
        """`cells` and what has `changed` as flat lists of truth values, the ring `at` a cell's number, and the bars."""
        y, x = np.divmod(np.arange(len(cells)), self.columns)
        cells, changed = np.array(cells, dtype=bool), np.array(changed, dtype=bool)
        self.ones.set_data(x[cells], y[cells])
        self.zeros.set_data(x[~cells], y[~cells])
        self.changed.set_data(x[changed], y[changed])
        self.ring.set_xy((at % self.columns - 0.42, at // self.columns - 0.42))
        for i, (bar, value) in enumerate(zip(self.bars, losses)):
            moved = abs(value - before[i]) > 1e-9
            bar.set(width=value, facecolor=theme.ORANGE if moved else theme.SKY)
            self.names[i].set_text(names[i])
            self.values[i].set(
                x=max(value, before[i]) + 0.15, text=f"{value:.3f}", weight="bold" if moved else "normal"
            )
        self.before.set_data(before, np.arange(len(before)))
        self.total.set_text(total)

    def cell(self, x, y):
        """The number of the cell at a point of the table, or None."""
        row, column = round(y), round(x)
        return row * self.columns + column if 0 <= row < self.count and 0 <= column < self.columns else None


MARKS = (("o", theme.BLUE), ("s", theme.VERMILLION))


class FitAndPrice:
    """What extra arrows gain in fit and what they cost, over the number of rows."""

    @theme.styled
    def __init__(self, axes, rows, gain, price):
        axes.set(xlim=(0, 1.02 * rows[-1]), ylim=(0, max(gain[-1], price[-1]) * 1.04), xlabel="rows N", ylabel="nats")
        self.gain = axes.plot(rows, gain, "-", color=theme.BLUE, label="fit gained by the arrows")[0]
        dashed = {"color": theme.VERMILLION, "linestyle": "--", "label": "price: ½ ln N for each extra number"}
        self.price = axes.plot(rows, price, **dashed)[0]
        axes.legend(loc="upper left", borderaxespad=0.2)
        self.line = axes.plot([], [], ":", color=theme.BLACK, linewidth=2, **MOVING)[0]
        self.points = [axes.plot([], [], mark, color=colour, **MOVING)[0] for mark, colour in MARKS]
        place = {"ha": "right", "va": "center", "transform": axes.transAxes}
        self.text = axes.text(0.93, 0.1, "", weight="bold", **place, **MOVING)

    def show(self, rows, gain, price, text):
        self.line.set_data([rows, rows], [0, max(gain, price)])
        for point, value in zip(self.points, (gain, price)):
            point.set_data([rows], [value])
        self.text.set_text(text)


class Wall:
    """All graphs over three variables as dots at the height of their score; those of one class side by side."""

    AT = {0: (0.1, 0.85), 1: (1.2, 0.85), 2: (0.65, 0.1)}  # the corners of a small graph
    MIDDLE = 0.95

    @theme.styled
    def __init__(self, axes, small, variables, sizes, ends, limits):
        """`sizes` of the classes in their order, `ends` as (number of classes, label) for stretches of the axis."""
        self.starts = np.cumsum([0, *(size + 0.9 for size in sizes[:-1])])
        self.sizes = sizes
        axes.set(xlim=(-0.9, self.starts[-1] + sizes[-1] - 0.1), ylim=limits, ylabel="score, nats")
        ticks, labels, at = [], [], 0
        for number, label in ends:
            last = at + number - 1
            ticks.append((self.starts[at] + self.starts[last] + sizes[last] - 1) / 2)
            labels.append(label)
            at += number
            if at < len(sizes):
                axes.axvline(self.starts[at] - 0.95, color=theme.GREY, linewidth=1, linestyle=":")
        axes.set_xticks(ticks, labels)
        axes.tick_params(axis="x", length=0)
        dots = {"linestyle": "", "markersize": 11, "color": theme.BLACK, **MOVING}
        self.dots = axes.plot([], [], "o", markerfacecolor=theme.SKY, **dots)[0]
        self.chosen = axes.plot([], [], "s", markerfacecolor=theme.ORANGE, **{**dots, "markersize": 14})[0]
        self.level = axes.axhline(0, color=theme.VERMILLION, linewidth=1.5, linestyle="--", zorder=0.9, **MOVING)
        small.set(xlim=(-0.2, 3.4), ylim=(-0.25, 4.75))
        small.axis("off")
        self.title = small.text(1.6, 4.5, "", ha="center", va="center", weight="bold", **MOVING)
        letter = {"linestyle": "", "markersize": 13, "color": theme.BLACK, **MOVING}
        self.letters = [small.plot([], [], marker=f"${v}$", markeredgewidth=0.5, **letter)[0] for v in variables]
        self.shafts = LineCollection([], colors=theme.BLACK, linewidths=2.5, **MOVING)
        self.heads = PolyCollection([], facecolors=theme.BLACK, edgecolors="none", **MOVING)
        for each in (self.shafts, self.heads):
            small.add_collection(each, autolim=False)
        box = small.get_window_extent()
        self.shape = np.array([box.width / 3.6, box.height / 5])  # pixels of a unit, so that heads are not skewed
        self.shape /= self.shape[0]

    def show(self, scores, chosen, members, title):
        """`scores` of the classes, which one is `chosen`, its `members` as lists of arrows between variable numbers."""
        x = [start + i for start, size in zip(self.starts, self.sizes) for i in range(size)]
        self.dots.set_data(x, np.repeat(scores, self.sizes))
        self.chosen.set_data(self.starts[chosen] + np.arange(self.sizes[chosen]), [scores[chosen]] * self.sizes[chosen])
        self.level.set_ydata([scores[chosen]] * 2)
        self.title.set_text(title)
        columns, down = ([0, 2 * self.MIDDLE], 3) if len(members) > 3 else ([self.MIDDLE], len(members))
        slots = np.array([(x, 2.1 - 0.7 * down + 1.4 * y) for y in reversed(range(down)) for x in columns])
        for number, letters in enumerate(self.letters):
            letters.set_data(*(slots + self.AT[number]).T)
        shafts, heads = [], []
        for slot, arrows in zip(slots, members):
            for a, b in arrows:
                start, end = (slot + self.AT[i] for i in (a, b))
                along = (end - start) * self.shape
                unit = along / np.hypot(*along)
                across = np.array([-unit[1], unit[0]])
                start, tip = start + 0.2 * unit / self.shape, end - 0.2 * unit / self.shape
                base = tip - 0.22 * unit / self.shape
                shafts.append([start, base])
                heads.append([tip, base + 0.1 * across / self.shape, base - 0.1 * across / self.shape])
        self.shafts.set_segments(shafts)
        self.heads.set_verts(heads)

    def at(self, x, y, scores):
        """The class whose dots are nearest to a point of the axes."""
        wide, high = np.ptp(self.dots.axes.get_xlim()), np.ptp(self.dots.axes.get_ylim())
        near = [
            np.hypot((x - np.clip(x, start, start + size - 1)) / wide, (y - score) / high)
            for start, size, score in zip(self.starts, self.sizes, scores)
        ]
        return int(np.argmin(near))


class Climb:
    """A graph whose arrows come and go, the score of every family as a bar, and the next moves with their gains."""

    NEXT = 4

    @theme.styled
    def __init__(self, graph, bars, words, net, positions, longest):
        self.network = Network(net, graph, positions)
        self.network.show()
        self.arrows = {edge: self.network._arrow(graph, *edge, **MOVING) for edge in permutations(net.variables, 2)}
        bars.set(xlim=(-0.42 * longest, 1.62 * longest), ylim=(len(net.variables) + 0.7, -1.05))
        bars.axis("off")
        bars.plot([0, 0], [-0.5, len(net.variables) - 0.5], color=theme.BLACK, linewidth=1.5)
        bars.text(-0.4 * longest, -0.85, "minus the score of each family", **SMALL)
        end = len(net.variables)
        self.bars = []
        for y, v in enumerate(net.variables):
            bars.text(-0.06 * longest, y, v, ha="right", va="center")
            bar = Rectangle((0, y - 0.32), 0, 0.64, facecolor=theme.SKY, edgecolor=theme.BLACK, **MOVING)
            self.bars.append(bars.add_patch(bar))
        self.before = bars.plot([], [], "|", color=theme.VERMILLION, markersize=24, **MOVING)[0]
        self.before.set_markeredgewidth(4)
        self.values = [bars.text(0, y, "", **SMALL, **MOVING) for y in range(end)]
        self.total = bars.text(-0.4 * longest, end + 0.15, "", va="center", weight="bold", **MOVING)
        words.set(xlim=(0, 1), ylim=(5.7, -1.05))
        words.axis("off")
        words.text(0, -0.85, "next moves, gain", **SMALL)
        self.best = words.text(0, 0.1, "", **SMALL, weight="bold", **MOVING)
        self.others = words.text(0, 0.75, "", fontsize=theme.SMALL, va="top", linespacing=1.62, **MOVING)

    def show(self, arrows, latest, losses, before, values, total, best, others):
        """`arrows` of the graph, the `latest` of them or None; bars with marks where they were and the `values` beside them;
        what could come next."""
        for edge, (shaft, head) in self.arrows.items():
            look = EDGES["open" if edge == latest else "plain"]
            shaft.set_visible(edge in arrows)
            head.set_visible(edge in arrows)
            if edge in arrows:
                shaft.set(**look)
                head.set(color=look["color"], zorder=look["zorder"])
        for y, (bar, value) in enumerate(zip(self.bars, losses)):
            moved = abs(value - before[y]) > 1e-9
            bar.set(width=value, facecolor=theme.ORANGE if moved else theme.SKY)
            place = max(value, before[y]) + 0.05 * self.bars[0].axes.get_xlim()[1]
            self.values[y].set(x=place, text=f"{values[y]:.1f}", weight="bold" if moved else "normal")
        self.before.set_data(before, np.arange(len(before)))
        self.total.set_text(total)
        self.best.set_text(best)
        self.others.set_text("\n".join(others))
