"""The pictures of section 09, learning belief networks. Each makes its artists once; `show` moves them."""

from itertools import permutations

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Rectangle

from bayeslib.plots import theme
from bayeslib.plots.networks import EDGES, Network
from bayeslib.plots.theme import MOVING, Picture

SMALL = {"fontsize": theme.SMALL, "va": "center"}

# Hits are squares and misses circles; real ones are filled, virtual ones hollow.
BALLS = {
    ("real", "hit"): {"marker": "s", "color": theme.VERMILLION},
    ("real", "miss"): {"marker": "o", "color": theme.BLUE, "markerfacecolor": theme.SKY},
    ("virtual", "hit"): {"marker": "s", "color": theme.VERMILLION, "markerfacecolor": "none"},
    ("virtual", "miss"): {"marker": "o", "color": theme.BLUE, "markerfacecolor": "none"},
}


def _cells(axes):
    """Markers for the cells of a table of 1 and 0: squares and circles."""
    look = {"linestyle": "", "markersize": 19, "color": theme.BLACK, **MOVING}
    return (
        axes.plot([], [], "s", markerfacecolor=theme.ORANGE, **look)[0],
        axes.plot([], [], "o", markerfacecolor=theme.WHITE, **look)[0],
    )


class Tally(Picture):
    """Rows of data on the left; on the right a line for each combination of the parents' states, its rows as balls."""

    LINES = 4  # as many combinations as a family of the student net has

    def __init__(self, table, tally, variables, rows):
        theme.dress(table, xlim=(-1.4, len(variables) - 0.4), ylim=(len(rows) + 0.35, -1.5), hide="all")
        for x, name in enumerate(variables):
            table.text(x, -0.75, name, ha="center", va="center", weight="bold")
        for y in range(len(rows)):
            table.text(-0.75, y, y + 1, ha="center", color=theme.GREY, **SMALL)
        table.text(-1.3, len(rows) - 0.1, "■ 1   ○ 0   ▶ newest", **SMALL)
        self.cells = np.array(rows, dtype=bool)
        self.ones, self.zeros = _cells(table)
        self.new = table.plot([], [], ">", color=theme.BLACK, markersize=11, **MOVING)[0]
        theme.dress(tally, xlim=(-0.6, 20.5), ylim=(self.LINES - 0.2, -1.15), hide="all")
        self.title = tally.text(-0.4, -0.85, "", weight="bold", va="center", **MOVING)
        self.labels = [tally.text(-0.4, y, "", va="center", **MOVING) for y in range(self.LINES)]
        self.sums = [tally.text(20.4, y, "", ha="right", va="center", **MOVING) for y in range(self.LINES)]
        tally.text(-0.4, self.LINES - 0.45, "filled: rows that were seen; outlined: virtual rows", **SMALL)
        balls = {"linestyle": "", "markersize": 12, **MOVING}
        self.balls = {kind: tally.plot([], [], **look, **balls)[0] for kind, look in BALLS.items()}

    def show(self, seen, title, labels, counts, m, sums, newest):
        """`seen` rows; for each line its label, (real hits, real misses), `m` virtual ones, its sum; which line is newest."""
        for artist, wanted in ((self.ones, True), (self.zeros, False)):
            y, x = np.nonzero(self.cells[:seen] == wanted)
            artist.set_data(x, y)
        self.new.set_data(([-1.15], [seen - 1]) if seen else ([], []))
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


class Families(Picture):
    """A table of rows whose cells are flipped, and the log-likelihood as a bar for each family."""

    def __init__(self, cells, bars, variables, rows, longest):
        self.columns, self.count = len(variables), rows
        theme.dress(cells, xlim=(-1.1, len(variables) - 0.3), ylim=(rows + 0.25, -1.35), hide="all")
        for y in range(rows):
            cells.text(-0.75, y, y + 1, ha="center", color=theme.GREY, **SMALL)
        cells.text(-0.9, rows - 0.25, "■ 1   ○ 0   × flipped", **SMALL)
        for x, name in enumerate(variables):
            cells.text(x, -0.9, name, ha="center", va="center", weight="bold")
        self.ones, self.zeros = _cells(cells)
        self.changed = cells.plot([], [], "x", color=theme.BLACK, linestyle="", markersize=9, **MOVING)[0]
        self.ring = cells.add_patch(Rectangle((0, 0), 0.84, 0.84, fill=False, edgecolor=theme.BLUE, **MOVING))
        self.ring.set(linewidth=2.5, linestyle=":")
        theme.dress(bars, xlim=(-0.42 * longest, 1.35 * longest), ylim=(len(variables) + 0.75, -1.05), hide="all")
        bars.plot([0, 0], [-0.5, len(variables) - 0.5], color=theme.BLACK, linewidth=1.5)
        bars.text(0, -0.8, "minus log-likelihood, nats (tick: before the flips)", **SMALL)
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


class FitAndPrice(Picture):
    """How far graphs with arrows are ahead of the one without, over the number of rows; and fit and price of each, as bars."""

    LOOKS = (
        {"color": theme.BLUE, "linestyle": "-", "marker": "o"},
        {"color": theme.VERMILLION, "linestyle": "--", "marker": "s"},
    )

    def __init__(self, axes, bars, rows, names, limits):
        theme.dress(
            axes,
            xscale="log",
            xlim=(0.9 * rows[0], 1.12 * rows[-1]),
            ylim=limits,
            xlabel="rows N",
            xticks={number: number for number in rows[::2]},
            title=("BIC, nats above “no arrows”", {"fontsize": theme.SMALL, "loc": "left"}),
            hide="minor",
        )
        axes.axhline(0, color=theme.BLACK, linewidth=1.5, linestyle=":")
        self.rows = rows
        self.ahead = [
            axes.plot([], [], linewidth=2, markersize=5, label=name, **look, **MOVING)[0]
            for name, look in zip(names[1:], self.LOOKS)
        ]
        axes.legend(loc="upper left", borderaxespad=0)
        self.line = axes.axvline(rows[0], color=theme.GREY, linewidth=1.5, linestyle="-", **MOVING)
        self.points = [
            axes.plot([], [], markersize=11, markeredgecolor=theme.BLACK, **look, **MOVING)[0] for look in self.LOOKS
        ]
        theme.dress(bars, xlim=(0, 1.5), ylim=(2.75, -0.75), hide="all")
        fills = ({"facecolor": theme.SKY}, {"facecolor": theme.ORANGE, "hatch": "//"})
        for x, word, fill in zip((0, 0.8), ("−log-likelihood", "price"), fills):
            bars.add_patch(Rectangle((x, -0.71), 0.09, 0.16, edgecolor=theme.BLACK, **fill))
            bars.text(x + 0.12, -0.63, word, **SMALL)
        self.names, self.labels, self.values, self.misfit, self.price = names, [], [], [], []
        for y in range(len(names)):
            self.labels.append(bars.text(0, y - 0.33, "", **SMALL, **MOVING))
            self.values.append(bars.text(0, y + 0.05, "", **SMALL, **MOVING))
            for kind, fill in zip((self.misfit, self.price), fills):
                bar = Rectangle((0, y - 0.17), 0, 0.42, edgecolor=theme.BLACK, **fill, **MOVING)
                kind.append(bars.add_patch(bar))

    def show(self, at, ahead, misfit, prices):
        """`ahead` for all numbers of rows, of which number `at` is shown; minus the log-likelihood and the price of each graph."""
        for line, point, values in zip(self.ahead, self.points, ahead):
            line.set_data(self.rows, values)
            point.set_data([self.rows[at]], [values[at]])
        self.line.set_xdata([self.rows[at]] * 2)
        sums = np.add(misfit, prices)
        for i, total in enumerate(sums):
            self.misfit[i].set_width(misfit[i] / sums.max())
            self.price[i].set(x=misfit[i] / sums.max(), width=prices[i] / sums.max())
            best = i == sums.argmin()
            self.labels[i].set(text=self.names[i] + (", the best" if best else ""), weight="bold" if best else "normal")
            self.values[i].set(x=total / sums.max() + 0.03, text=theme.minus(f"BIC {-total:.1f}"))


class Small:
    """Graphs over three variables, drawn small: the first two letters above, the third below."""

    AT = np.array([(0.1, 0.85), (1.2, 0.85), (0.65, 0.1)])

    def __init__(self, axes, variables):
        letter = {"linestyle": "", "markersize": 13, "color": theme.BLACK, **MOVING}
        self.letters = [axes.plot([], [], marker=f"${v}$", markeredgewidth=0.5, **letter)[0] for v in variables]
        self.shafts = LineCollection([], colors=theme.BLACK, linewidths=2.5, **MOVING)
        self.heads = PolyCollection([], facecolors=theme.BLACK, edgecolors="none", **MOVING)
        for each in (self.shafts, self.heads):
            axes.add_collection(each, autolim=False)
        box = axes.get_window_extent()
        self.shape = np.array(
            [box.width / np.ptp(axes.get_xlim()), box.height / np.ptp(axes.get_ylim())]
        )  # pixels of a unit

    def show(self, slots, graphs):
        """Where each graph stands, and its arrows as pairs of variable numbers."""
        slots = np.asarray(slots)
        for corner, letters in zip(self.AT, self.letters):
            letters.set_data(*(slots + corner).T)
        ends = [(slot + self.AT[a], slot + self.AT[b]) for slot, arrows in zip(slots, graphs) for a, b in arrows]
        shafts, heads = [], []
        for start, end in ends:
            along = (end - start) * self.shape
            unit = along / np.hypot(*along)
            across = np.array([-unit[1], unit[0]])
            start, tip = start + 15 * unit / self.shape, end - 15 * unit / self.shape
            base = tip - 15 * unit / self.shape
            shafts.append([start, base])
            heads.append([tip, base + 7 * across / self.shape, base - 7 * across / self.shape])
        self.shafts.set_segments(shafts)
        self.heads.set_verts(heads)


class Sheet(Picture):
    """Graphs over three variables in the order given, nine in a line."""

    WIDE = 9

    def __init__(self, axes, variables, graphs):
        down = -(-len(graphs) // self.WIDE)
        theme.dress(axes, xlim=(-0.2, 1.75 * self.WIDE - 0.2), ylim=(-1.4 * (down - 1) - 0.25, 1.2), hide="all")
        self.small = Small(axes, variables)
        self.small.show([(1.75 * (i % self.WIDE), -1.4 * (i // self.WIDE)) for i in range(len(graphs))], graphs)
        for artist in (*self.small.letters, self.small.shafts, self.small.heads):
            artist.set_animated(False)


class Wall(Picture):
    """All graphs over three variables as dots at the height of their score; those of one class side by side."""

    MIDDLE = 0.95

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
        theme.dress(axes, xticks=dict(zip(ticks, labels)), ticks={"axis": "x", "length": 0})
        dots = {"linestyle": "", "markersize": 11, "color": theme.BLACK, **MOVING}
        self.dots = axes.plot([], [], "o", markerfacecolor=theme.SKY, label="a graph", **dots)[0]
        look = {**dots, "markersize": 14, "markerfacecolor": theme.ORANGE, "label": "chosen, drawn beside"}
        self.chosen = axes.plot([], [], "s", **look)[0]
        axes.legend(loc="upper left", ncols=2, borderaxespad=0, columnspacing=1, handletextpad=0.2)
        self.level = axes.axhline(0, color=theme.VERMILLION, linewidth=1.5, linestyle="--", zorder=0.9, **MOVING)
        theme.dress(small, xlim=(-0.2, 3.4), ylim=(-0.25, 4.75), hide="all")
        self.title = small.text(1.6, 4.5, "", ha="center", va="center", weight="bold", **MOVING)
        self.small = Small(small, variables)

    def show(self, scores, chosen, members, title):
        """`scores` of the classes, which one is `chosen`, its `members` as lists of arrows between variable numbers."""
        x = [start + i for start, size in zip(self.starts, self.sizes) for i in range(size)]
        self.dots.set_data(x, np.repeat(scores, self.sizes))
        self.chosen.set_data(self.starts[chosen] + np.arange(self.sizes[chosen]), [scores[chosen]] * self.sizes[chosen])
        self.level.set_ydata([scores[chosen]] * 2)
        self.title.set_text(title)
        columns, down = ([0, 2 * self.MIDDLE], 3) if len(members) > 3 else ([self.MIDDLE], len(members))
        slots = [(x, 2.1 - 0.7 * down + 1.4 * y) for y in reversed(range(down)) for x in columns]
        self.small.show(slots, members)

    def at(self, x, y, scores):
        """The class whose dots are nearest to a point of the axes."""
        wide, high = np.ptp(self.dots.axes.get_xlim()), np.ptp(self.dots.axes.get_ylim())
        near = [
            np.hypot((x - np.clip(x, start, start + size - 1)) / wide, (y - score) / high)
            for start, size, score in zip(self.starts, self.sizes, scores)
        ]
        return int(np.argmin(near))


class Climb(Picture):
    """A graph whose arrows come and go, the score of every family as a bar, and the next moves with their gains."""

    NEXT = 4

    def __init__(self, graph, bars, words, net, positions, longest):
        self.network = Network(net, graph, positions)
        self.network.show()
        self.arrows = {edge: self.network._arrow(graph, *edge, **MOVING) for edge in permutations(net.variables, 2)}
        theme.dress(bars, xlim=(-0.42 * longest, 1.62 * longest), ylim=(len(net.variables) + 0.7, -1.05), hide="all")
        bars.plot([0, 0], [-0.5, len(net.variables) - 0.5], color=theme.BLACK, linewidth=1.5)
        bars.text(-0.4 * longest, -0.85, "minus family scores; tick: a move ago", **SMALL)
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
        theme.dress(words, xlim=(0, 1), ylim=(5.7, -1.05), hide="all")
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


class Ring(Picture):
    """A learned graph with its variables in a ring, and what each move of the search gained beside what chance offers."""

    MOST = 9  # variables
    LISTED = 12  # moves

    def __init__(self, ring, bars):
        theme.dress(ring, xlim=(-1.32, 1.32), ylim=(-1.42, 1.2), hide="all")
        box = ring.get_window_extent()
        self.shape = np.array([box.width / 2.64, box.height / 2.62])  # pixels of a unit
        plate = {"boxstyle": "round,pad=0.35", "facecolor": theme.WHITE, "edgecolor": theme.BLACK, "linewidth": 1.5}
        place = {"ha": "center", "va": "center", "fontsize": theme.SMALL, "bbox": plate, "zorder": 3}
        self.names = [ring.text(0, 0, "", parse_math=False, **place, **MOVING) for _ in range(self.MOST)]
        looks = {
            "fixed": {"color": theme.BLACK, "linewidth": 2.5},
            "free": {"color": theme.GREY, "linewidth": 2.5, "linestyle": (0, (3, 1.5))},
        }
        self.new = ring.plot([], [], color=theme.VERMILLION, alpha=0.4, linewidth=9, zorder=0.5, **MOVING)[0]
        self.shafts = {kind: LineCollection([], **look, **MOVING) for kind, look in looks.items()}
        self.heads = {kind: PolyCollection([], facecolors=look["color"], **MOVING) for kind, look in looks.items()}
        for each in (*self.shafts.values(), *self.heads.values()):
            ring.add_collection(each, autolim=False)
        ring.plot([0.85, 1.01], [-1.34, -1.34], color=theme.VERMILLION, alpha=0.4, linewidth=9)
        for x, kind in ((-1.3, "fixed"), (-0.33, "free")):
            ring.plot([x, x + 0.16], [-1.34, -1.34], **looks[kind])
        for x, word in ((-1.1, "direction fixed"), (-0.13, "could be reversed"), (1.05, "new")):
            ring.text(x, -1.34, word, **SMALL)
        theme.dress(bars, xlim=(0, 1), ylim=(self.LISTED + 0.9, -1.3), hide="all")
        bars.text(0, -0.95, "gain of each move, nats", **SMALL)
        self.bars = []
        for y in range(self.LISTED):
            bar = Rectangle((0.5, y - 0.33), 0, 0.66, facecolor=theme.SKY, edgecolor=theme.BLACK, **MOVING)
            self.bars.append(bars.add_patch(bar))
        self.moves = [
            bars.text(0.48, y, "", ha="right", parse_math=False, **SMALL, **MOVING) for y in range(self.LISTED)
        ]
        self.chance = bars.plot([], [], "--", color=theme.VERMILLION, linewidth=2.5, **MOVING)[0]
        plain = {"bbox": theme.PLATE, "zorder": 4, **SMALL, **MOVING}
        self.values = [bars.text(0, y, "", **plain) for y in range(self.LISTED)]
        self.word = bars.text(0, self.LISTED + 0.4, "", ha="right", color=theme.VERMILLION, **SMALL, **MOVING)

    def show(self, names, arrows, fixed, latest, moves, chance):
        """`arrows` between variable numbers, those that are `fixed` and the `latest`; `moves` as (words, gain); `chance`."""
        turn = np.pi / 2 - 2 * np.pi * np.arange(len(names)) / len(names)
        places = np.column_stack([1.02 * np.cos(turn), np.sin(turn)])
        half = [
            (0.30 * theme.SMALL * len(name) * theme.DPI / 72 + 12, 19) for name in names
        ]  # of a name's plate, in pixels
        for i, text in enumerate(self.names):
            text.set_visible(i < len(names))
            if i < len(names):
                text.set(text=names[i], position=places[i])
        found = {kind: ([], []) for kind in self.shafts}
        for a, b in arrows:
            kind = "fixed" if (a, b) in fixed else "free"
            along = (places[b] - places[a]) * self.shape
            unit = along / np.hypot(*along)
            start, tip = (
                sign * unit * min(w / abs(unit[0]) if unit[0] else np.inf, h / abs(unit[1]) if unit[1] else np.inf)
                for sign, (w, h) in ((1, half[a]), (-1, half[b]))
            )
            base, across = tip - 14 * unit, 6.5 * np.array([-unit[1], unit[0]])
            found[kind][0].append([places[a] + start / self.shape, places[b] + base / self.shape])
            found[kind][1].append([places[b] + each / self.shape for each in (tip, base + across, base - across)])
        for kind, (shafts, heads) in found.items():
            self.shafts[kind].set_segments(shafts)
            self.heads[kind].set_verts(heads)
        self.new.set_data(places[list(latest)].T if latest else ([], []))
        scale = 0.34 / max([chance, *(gain for _, gain in moves), 1e-9])
        for y in range(self.LISTED):
            words, gain = moves[y] if y < len(moves) else ("", 0)
            self.bars[y].set(width=scale * gain, visible=y < len(moves))
            self.moves[y].set_text(words)
            self.values[y].set(x=0.5 + scale * max(gain, 0) + 0.02, text=theme.minus(f"{gain:.2f}") if words else "")
        at = 0.5 + scale * max(chance, 0)
        self.chance.set_data([at, at], [-0.6, self.LISTED - 0.2])
        self.word.set(x=1, text=theme.minus(f"most in 100 shuffles: {chance:.2f}"))
