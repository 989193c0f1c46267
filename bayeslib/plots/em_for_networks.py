"""The pictures of section 11, EM for belief networks. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.transforms import Affine2D

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING

TRUE, FALSE = {"facecolor": theme.SKY, "hatch": "//"}, {"facecolor": theme.YELLOW, "hatch": ""}
HALVES = {None: 0.5, 1: 0.25, 0: 0.75}  # where in its row the words of a strip stand
PLATE = {"bbox": {**theme.PLATE, "pad": 1.5}}


class Rows:
    """A table of rows, each one high; a row with a hole is cut into two strips whose heights are the weights.

    rows  the cells of every row, 0 or 1, None for a hole; at most one hole a row
    """

    def __init__(self, axes, names, rows):
        self.wide = len(names)
        axes.set(xlim=(-1.15, self.wide + 1.35), ylim=(len(rows) + 0.06, -0.75))
        axes.axis("off")
        middle = {"ha": "center", "va": "center"}
        for x, name in enumerate(names):
            axes.text(x + 0.5, -0.36, name, weight="bold", **middle)
        axes.text(self.wide + 0.68, -0.36, "weight", fontsize=theme.SMALL, **middle)
        self.strips, self.weights = [], []
        self.fixed = [(x + 0.5, y + 0.5, v) for y, row in enumerate(rows) for x, v in enumerate(row) if v is not None]
        self.holes = []  # the strip, its column and its value
        for y, row in enumerate(rows):
            axes.text(-0.6, y + 0.5, f"row {y + 1}", fontsize=theme.SMALL, **middle)
            hole = row.index(None) if None in row else None
            for part in (1, 0) if hole is not None else (None,):
                look = {1: TRUE, 0: FALSE}.get(part, {"facecolor": theme.WHITE})
                patch = Rectangle((0, y), self.wide, 1, edgecolor=theme.BLACK, linewidth=2, **look, **MOVING)
                still = {"animated": hole is not None, "fontsize": theme.SMALL}
                self.weights.append(axes.text(self.wide + 0.68, y + HALVES[part], "1", **middle, **still))
                if hole is not None:
                    self.holes.append((len(self.strips), hole + (0.28 if part else 0.72), part))
                self.strips.append(axes.add_patch(patch))
        # Plates and digits are markers: they are drawn much faster than texts.
        look = {"linestyle": "", "color": theme.BLACK, "zorder": 4, **MOVING}
        white = {"markerfacecolor": theme.WHITE, "markeredgecolor": theme.WHITE, "markersize": 16}
        self.plates = axes.plot([], [], "o", **{**look, **white})[0]
        digit = {"markersize": 12, "markeredgewidth": 0.4}
        self.digits = [axes.plot([], [], marker=rf"$\mathrm{{{d}}}$", **look, **digit)[0] for d in (0, 1)]

    def show(self, weights):
        """`weights` of the strips, from the top; strips of one row follow each other."""
        tops = np.cumsum([0, *weights])
        for strip, top, weight in zip(self.strips, tops, weights):
            strip.set(y=top, height=weight)
        cells, middles = list(self.fixed), middle_of(weights)
        for at, x, value in self.holes:
            cells.append((x, middles[at], value))
            self.weights[at].set_text(f"{weights[at]:.3f}")
        self.plates.set_data([x for x, _, _ in cells], [y for _, y, _ in cells])
        for value, line in enumerate(self.digits):
            mine = [cell[:2] for cell in cells if cell[2] == value]
            line.set_data(*zip(*mine))


def middle_of(weights):
    """Where the digit of each strip stands: in its middle, but a thin strip's stays clear of its row's edge."""
    tops = np.cumsum([0, *weights])
    ends = zip(tops, tops[1:])
    return [min(max((a + b) / 2, np.floor(a + 1e-9) + 0.2), np.ceil(b - 1e-9) - 0.2) for a, b in ends]


class Split:
    """Left the five rows with their strips, right the two products behind every split."""

    @theme.styled
    def __init__(self, table, bars, names, rows):
        self.table = Rows(table, names, rows)
        bars.set(xlim=(0, 1.32), ylim=(4.7, -1.1), yticks=[0, 1, 2.9, 3.9])
        bars.set_yticklabels(["K = 1", "K = 0", "A = 1", "A = 0"])
        bars.set_xticks([0, 0.5, 1])
        bars.set_xlabel("product of the factors that differ")
        for y, words in ((-0.75, "row 2: what was K?"), (2.15, "row 4: what was A?")):
            bars.text(0.02, y, words, va="center", fontsize=theme.SMALL, weight="bold")
        outline = {"edgecolor": theme.BLACK, **MOVING}
        self.bars = [bars.barh(y, 0, 0.8, **look, **outline)[0] for y, look in zip((0, 1, 2.9, 3.9), (TRUE, FALSE) * 2)]
        look = {"va": "center", "fontsize": theme.SMALL, "bbox": theme.PLATE, **MOVING}
        self.numbers = [bars.text(0, y, "", **look) for y in (0, 1, 2.9, 3.9)]

    def show(self, weights, products):
        """`products` are pairs of factors, for K = 1 and 0 in row 2, for A = 1 and 0 in row 4."""
        self.table.show(weights)
        for bar, number, (a, b) in zip(self.bars, self.numbers, products):
            bar.set_width(a * b)
            number.set(x=min(a * b + 0.03, 0.65), text=f"{a:.2f} × {b:.2f} = {a * b:.4f}")


class Fraction:
    """Left the strips, to be put above or below the line; right the fraction that they make."""

    SIGNS = {"-": "", "b": "below", "a": "above + below"}

    @theme.styled
    def __init__(self, table, line, names, rows, weights):
        self.table = Rows(table, names, rows)
        self.strips = weights
        table.set_xlim(-1.15, len(names) + 4.0)
        look = {"va": "center", "fontsize": theme.SMALL, **MOVING}
        heights = [text.get_position()[1] for text in self.table.weights]
        self.signs = [table.text(len(names) + 1.4, y, "", **look) for y in heights]
        self.focus = table.add_patch(
            Rectangle(
                (-0.06, 0),
                len(names) + 0.12,
                1,
                fill=False,
                edgecolor=theme.VERMILLION,
                linewidth=4,
                zorder=3.5,
                **MOVING,
            )
        )
        self.tops = np.cumsum([0, *weights])
        line.set(xlim=(-0.1, 5.3), ylim=(-2.9, 2.6))
        line.axis("off")
        line.plot([0, 5], [0, 0], color=theme.BLACK, linewidth=3)
        line.text(0, 2.1, "P(K=1 | S=0, A=1)  =", va="center")
        outline = {"edgecolor": theme.BLACK, "linewidth": 2, **MOVING}
        self.above = [line.add_patch(Rectangle((0, 0.2), 0, 0.6, **TRUE, **outline)) for _ in weights]
        self.below = [line.add_patch(Rectangle((0, -0.8), 0, 0.6, **FALSE, **outline)) for _ in weights]
        self.top = line.text(0, 1.2, "", va="center", fontsize=theme.SMALL, **MOVING)
        self.bottom = line.text(0, -1.25, "", va="center", fontsize=theme.SMALL, **MOVING)
        self.value = line.text(0, -2.3, "", va="center", fontsize=theme.LARGE, weight="bold", **MOVING)

    def show(self, marks, focus, above, below):
        self.table.show(self.strips)
        self.focus.set(y=self.tops[focus], height=self.strips[focus])
        for sign, mark in zip(self.signs, marks):
            sign.set_text(self.SIGNS[mark])
        for patches, words, label in ((self.above, above, self.top), (self.below, below, self.bottom)):
            place = 0.0
            for patch, weight in zip(patches, [*words, *[0] * (len(patches) - len(words))]):
                patch.set(x=place, width=weight, visible=weight > 0)
                place += weight
            label.set_text(" + ".join(f"{w:g}" for w in words) + f" = {sum(words):g}" if words else "nothing")
        self.value.set_text(f"= {sum(above) / sum(below):.4f}" if below else "no fraction yet")


class Climb:
    """Left the expected counts of one family as shares, right what climbs."""

    @theme.styled
    def __init__(self, table, curve, steps):
        table.set(xlim=(0, 1.0), ylim=(3.75, -0.95), yticks=[], xticks=[0, 0.5, 1])
        table.spines["left"].set_visible(False)
        outline = {"edgecolor": theme.BLACK, **MOVING}
        table.barh(range(4), [1] * 4, 0.62, edgecolor=theme.BLACK, **FALSE)
        self.bars = table.barh(range(4), [0] * 4, 0.62, **TRUE, **outline)
        self.used = table.plot(
            [], [], "D", color=theme.BLACK, markerfacecolor=theme.WHITE, zorder=5, clip_on=False, **MOVING
        )[0]
        text = {"va": "center", "fontsize": theme.SMALL, **MOVING}
        self.names = [table.text(-0.04, y, "", ha="right", **text) for y in range(4)]
        self.title = table.text(0.5, -0.16, "", transform=table.transAxes, ha="center", va="baseline", **MOVING)
        self.numbers = [table.text(1.04, y, "", **text) for y in range(4)]
        self.head = table.text(-0.36, -0.7, "", **text)
        curve.set_xlabel("iteration (uneven scale)")
        curve.set_xlim(-0.5, len(steps) - 0.5)
        ticks = [k for k in range(len(steps)) if k % 2 == 0]
        curve.set_xticks(ticks, [str(steps[k]) for k in ticks])
        # The axis always runs from the start of the climb, 0, to its end, 1, and is drawn once; its numbers move.
        curve.set(ylim=(-0.22, 1.12), yticks=[0, 0.5, 1], yticklabels=[])
        self.way = Affine2D()
        climbs = {"transform": self.way + curve.transData, **MOVING}
        self.line = curve.plot([], [], color=theme.BLUE, **climbs)[0]
        self.point = curve.plot([], [], "s", color=theme.VERMILLION, markersize=11, **climbs)[0]
        self.label = curve.text(0.98, 0.06, "", transform=curve.transAxes, ha="right", fontsize=theme.SMALL, **MOVING)
        beside = {"transform": curve.get_yaxis_transform(), "ha": "right", **text}
        self.heights = [curve.text(-0.03, share, "", **beside) for share in (0, 0.5, 1)]

    def scale(self, names, title, low, high):
        """Names of the rows, and what the start and the end of the climb are worth."""
        room = max(high - low, 1e-6)
        self.way.clear().translate(0, -low).scale(1, 1 / room)
        self.title.set_text(title)
        for text, name in zip(self.names, names):
            text.set_text(name)
        for text, share in zip(self.heights, (0, 0.5, 1)):
            text.set_text(theme.minus(f"{low + share * room:.2f}"))

    def show(self, used, counts, head, gains, words):
        self.head.set_text(head)
        self.used.set_data(used, range(4))
        for bar, number, (yes, no), now in zip(self.bars, self.numbers, counts, used):
            total = yes + no
            share = yes / total if total > 0 else now
            bar.set_width(share)
            number.set_text(f"{yes:.3f} of {total:.3f}")
        self.line.set_data(range(len(gains)), gains)
        self.point.set_data([len(gains) - 1], gains[-1:])
        self.label.set_text(words)


class WhyMissing:
    """Left who is hidden, right three estimates of P(K)."""

    @theme.styled
    def __init__(self, groups, bars, truth):
        groups.set(xlim=(-0.6, 3.6), ylim=(0, 0.56), yticks=[0, 0.2, 0.4], xticks=range(4))
        groups.set_xticklabels(["K, E", "K, ¬E", "¬K, E", "¬K, ¬E"])
        groups.set_ylabel("share of the students")
        outline = {"edgecolor": theme.BLACK, **MOVING}
        self.seen = groups.bar(range(4), [0] * 4, 0.72, facecolor=theme.SKY, label="K is written down", **outline)
        self.hidden = groups.bar(
            range(4), [0] * 4, 0.72, facecolor=theme.MIST, hatch="xx", label="K is missing", **outline
        )
        groups.legend(loc="upper left", ncols=1, borderaxespad=0, handlelength=1.6)
        bars.set(xlim=(0, 1.22), ylim=(1.75, -0.95), yticks=[0, 1], xticks=[0, 0.5, 1])
        bars.set_yticklabels(["drop\nthe rows", "EM"])
        bars.set_xlabel("estimate of P(K)")
        self.truth = bars.axvline(truth, ymax=0.84, color=theme.VERMILLION, linestyle="--", linewidth=2.5, zorder=5)
        self.truth_text = bars.text(
            truth, -0.72, f"truth {truth:.2f}", color=theme.VERMILLION, ha="center", va="center", fontsize=theme.SMALL
        )
        self.bars = bars.barh([0, 1], [0, 0], 0.62, facecolor=theme.SKY, **outline)
        self.numbers = [bars.text(0, y, "", va="center", weight="bold", **PLATE, zorder=6, **MOVING) for y in (0, 1)]

    def show(self, seen, hidden, estimates):
        for low, high, a, b in zip(self.seen, self.hidden, seen, hidden):
            low.set_height(a)
            high.set(y=a, height=b)
        for bar, number, value in zip(self.bars, self.numbers, estimates):
            bar.set_width(value)
            number.set(x=value + 0.03, text=f"{value:.4f}")


class NeverSeen:
    """Left the log-likelihood per row against the truth's, right the learned numbers beside the true ones."""

    @theme.styled
    def __init__(self, curve, bars, steps, labels, truth, best):
        curve.set(xlim=(-0.5, len(steps) - 0.5), ylim=(-2.79, -2.61))
        ticks = [k for k in range(len(steps)) if k % 3 == 0]
        curve.set_xticks(ticks, [str(steps[k]) for k in ticks])
        curve.set(xlabel="iteration (uneven scale)", ylabel="log-likelihood per row")
        curve.axhline(best, color=theme.GREY, linestyle=":", linewidth=2)
        curve.text(len(steps) - 0.6, best + 0.006, "the true tables", ha="right", fontsize=theme.SMALL)
        self.line = curve.plot([], [], color=theme.BLUE, **MOVING)[0]
        self.point = curve.plot([], [], "s", color=theme.VERMILLION, markersize=11, **MOVING)[0]
        places = np.arange(len(labels))
        bars.set(xlim=(-0.6, len(labels) - 0.4), ylim=(0, 1.12), yticks=[0, 0.5, 1])
        bars.set_xticks(places, labels)
        bars.set_title("P(K | S,A), P(E | K), P(H | K); black: true", fontsize=theme.SMALL)
        self.bars = bars.bar(places, [0] * len(labels), 0.76, facecolor=theme.SKY, edgecolor=theme.BLACK, **MOVING)
        self.truth = bars.hlines(
            truth, places - 0.46, places + 0.46, color=theme.BLACK, linewidth=4, zorder=3.5, **MOVING
        )

    def show(self, gains, numbers):
        at = range(len(gains))
        self.line.set_data(at, gains)
        self.point.set_data(at[-1:], gains[-1:])
        for bar, value in zip(self.bars, numbers):
            bar.set_height(value)


class TwoClimbs:
    """Left the surface with both walks, right their heights step by step."""

    @theme.styled
    def __init__(self, surface, curve, grid, heights, top, last):
        surface.set(xlim=(0, 1), ylim=(0, 1), xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
        surface.set(xlabel="P(K=1 | S=0, A=1)", ylabel="P(E=1 | K=1)")
        levels = top - np.array([8, 5, 3, 2, 1.2, 0.7, 0.35, 0.12, 0.02])
        look = {"colors": theme.GREY, "linewidths": 1.2, "linestyles": "solid"}
        self.surface = surface.contour(grid, grid, heights, levels=levels, **look)
        looks = {
            "em": {"color": theme.BLUE, "marker": "o", "linestyle": "-", "markersize": 7, "label": "EM"},
            "slope": {
                "color": theme.VERMILLION,
                "marker": "^",
                "linestyle": "--",
                "markersize": 7,
                "label": "gradient",
            },
        }
        self.walks = {name: surface.plot([], [], **look, **MOVING)[0] for name, look in looks.items()}
        ring = {"markerfacecolor": "none", "markeredgewidth": 2.5, "markersize": 16}
        self.start = surface.plot([], [], "s", color=theme.BLACK, **ring, **MOVING)[0]
        curve.set(xlim=(-0.5, last + 0.5), ylim=(top - 1.05, top + 0.12), xlabel="step", ylabel="log-likelihood")
        self.top = curve.axhline(top, color=theme.GREY, linestyle=":", linewidth=2)
        self.heights = {name: curve.plot([], [], **look, **MOVING)[0] for name, look in looks.items()}
        curve.legend(loc="lower right", ncols=2, handlelength=1.8)

    def show(self, walks, heights):
        """Both are mappings of "em" and "slope" to the places and the heights so far, the start first."""
        for name, walk in walks.items():
            self.walks[name].set_data(*zip(*walk))
            self.heights[name].set_data(range(len(walk)), heights[name])
        self.start.set_data(*zip(walks["em"][0]))
