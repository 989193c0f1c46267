"""The pictures of section 11, EM for belief networks. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.transforms import Affine2D

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING, Picture

TRUE, FALSE = {"facecolor": theme.SKY, "hatch": "//"}, {"facecolor": theme.YELLOW, "hatch": ""}
PLATE = {"bbox": {**theme.PLATE, "pad": 1.5}}


class Rows:
    """A table of rows, each one high; a row with a missing cell is cut into two strips whose heights are the weights.

    rows    the cells of every row, 0 or 1, None where one is missing; at most one a row
    column  strips are coloured by their value there; left out, by that of the missing cell, and complete rows stay white
    """

    def __init__(self, axes, names, rows, column=None):
        self.wide = len(names)
        theme.dress(axes, xlim=(-1.15, self.wide + 1.35), ylim=(len(rows) + 0.72, -0.75), hide="all")
        middle = {"ha": "center", "va": "center"}
        for x, name in enumerate(names):
            axes.text(x + 0.5, -0.36, name, weight="bold", **middle)
        axes.text(self.wide + 0.68, -0.36, "weight", fontsize=theme.SMALL, **middle)
        self.strips, self.weights = [], []
        self.fixed = [(x + 0.5, y + 0.5, v) for y, row in enumerate(rows) for x, v in enumerate(row) if v is not None]
        self.missing = []  # the strip, where its digit stands across, and its value
        for y, row in enumerate(rows):
            axes.text(-0.6, y + 0.5, f"row {y + 1}", fontsize=theme.SMALL, **middle)
            gap = row.index(None) if None in row else None
            for part in (1, 0) if gap is not None else (None,):
                value = part if column is None or gap == column else row[column]
                look = {1: TRUE, 0: FALSE}.get(value, {"facecolor": theme.WHITE})
                patch = Rectangle((0, y), self.wide, 1, edgecolor=theme.BLACK, linewidth=2, **look, **MOVING)
                still = {"animated": gap is not None, "fontsize": theme.SMALL}
                self.weights.append(axes.text(self.wide + 0.68, y + 0.5, "1", **middle, **still))
                if gap is not None:
                    self.missing.append((len(self.strips), gap + (0.28 if part else 0.72), part))
                self.strips.append(axes.add_patch(patch))
        what = "the missing cell is" if column is None else f"{names[column]} ="
        handles = [Rectangle((0, 0), 1, 1, edgecolor=theme.BLACK, **look) for look in (TRUE, FALSE)]
        axes.legend(
            handles,
            [f"{what} 1", f"{what} 0"],
            loc="lower left",
            bbox_to_anchor=(0.0, -0.03),
            ncols=2,
            handlelength=1.3,
            columnspacing=1,
            borderaxespad=0,
        )
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
        for at, x, value in self.missing:
            cells.append((x, middles[at], value))
            self.weights[at].set(text=f"{weights[at]:.3f}", y=middles[at])
        self.plates.set_data([x for x, _, _ in cells], [y for _, y, _ in cells])
        for value, line in enumerate(self.digits):
            mine = [cell[:2] for cell in cells if cell[2] == value]
            line.set_data(*zip(*mine))


def middle_of(weights):
    """Where the digit of each strip stands: in its middle, but a thin strip's stays clear of its row's edge."""
    tops = np.cumsum([0, *weights])
    ends = zip(tops, tops[1:])
    return [min(max((a + b) / 2, np.floor(a + 1e-9) + 0.2), np.ceil(b - 1e-9) - 0.2) for a, b in ends]


class Split(Picture):
    """Left the five rows with their strips, right the two products behind every split."""

    def __init__(self, table, bars, names, rows):
        self.table = Rows(table, names, rows)
        theme.dress(
            bars,
            xlim=(0, 1.32),
            ylim=(4.7, -1.1),
            yticks={0: "K = 1", 1: "K = 0", 2.9: "A = 1", 3.9: "A = 0"},
            xticks=[0, 0.5, 1],
            xlabel="product of the factors that differ",
        )
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


class Fraction(Picture):
    """Left the strips, to be put into the fraction; right the fraction that they make. The colour of a strip is its K."""

    SIGNS = {"-": "", "b": "denominator", "a": "both"}

    def __init__(self, table, line, names, rows, weights, know):
        """`know` says K of each strip."""
        self.table = Rows(table, names, rows, column=names.index("K"))
        self.strips, self.know = weights, know
        self.table.show(weights)
        table.set_xlim(-1.15, len(names) + 3.7)
        look = {"va": "center", "fontsize": theme.SMALL, **MOVING}
        heights = middle_of(weights)
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
        theme.dress(line, xlim=(-0.1, 5.3), ylim=(-2.9, 2.6), hide="all")
        line.plot([0, 5], [0, 0], color=theme.BLACK, linewidth=3)
        line.text(0, 2.1, "P(K=1 | S=0, A=1)  =", va="center")
        outline = {"edgecolor": theme.BLACK, "linewidth": 2, **MOVING}
        looks = [TRUE if value else FALSE for value in know]
        self.above = [line.add_patch(Rectangle((0, 0.2), 0, 0.6, **look, **outline)) for look in looks]
        self.below = [line.add_patch(Rectangle((0, -0.8), 0, 0.6, **look, **outline)) for look in looks]
        self.top = line.text(0, 1.2, "", va="center", fontsize=theme.SMALL, **MOVING)
        self.bottom = line.text(0, -1.25, "", va="center", fontsize=theme.SMALL, **MOVING)
        self.value = line.text(0, -2.3, "", va="center", fontsize=theme.LARGE, weight="bold", **MOVING)

    def show(self, marks, focus):
        """`marks` has a letter for each strip: "-" left out, "b" in the denominator, "a" in the numerator too."""
        self.table.show(self.strips)
        self.focus.set(y=self.tops[focus], height=self.strips[focus])
        for sign, mark in zip(self.signs, marks):
            sign.set_text(self.SIGNS[mark])
        sums = []
        for patches, within, label in ((self.above, "a", self.top), (self.below, "ab", self.bottom)):
            counted = [weight if mark in within else 0 for weight, mark in zip(self.strips, marks)]
            for patch, left, weight in zip(patches, np.cumsum([0, *counted]), counted):
                patch.set(x=left, width=weight, visible=weight > 0)
            words = " + ".join(f"{weight:g}" for weight in counted if weight)
            label.set_text(f"{words} = {sum(counted):g}" if words else "nothing")
            sums.append(sum(counted))
        self.value.set_text(f"= {sums[0] / sums[1]:.4f}" if sums[1] else "no fraction yet")


class Climb(Picture):
    """Left the expected counts of one family as shares, right what climbs."""

    def __init__(self, table, curve, steps):
        theme.dress(table, xlim=(0, 1.0), ylim=(3.75, -0.95), yticks=[], xticks=[0, 0.5, 1], hide="left")
        outline = {"edgecolor": theme.BLACK, **MOVING}
        table.barh(range(4), [1] * 4, 0.62, edgecolor=theme.BLACK, **FALSE)
        self.bars = table.barh(range(4), [0] * 4, 0.62, **TRUE, **outline)
        self.used = table.plot(
            [], [], "D", color=theme.BLACK, markerfacecolor=theme.WHITE, zorder=5, clip_on=False, **MOVING
        )[0]
        text = {"va": "center", "fontsize": theme.SMALL, **MOVING}
        self.names = [table.text(-0.09, y, "", ha="right", **text) for y in range(4)]
        self.title = table.text(0.5, -0.16, "", transform=table.transAxes, ha="center", va="baseline", **MOVING)
        self.numbers = [table.text(1.09, y, "", **text) for y in range(4)]
        self.head = table.text(-0.43, -0.7, "", **text)
        theme.dress(
            curve,
            xlabel="iteration (uneven scale)",
            xlim=(-0.5, len(steps) - 0.5),
            xticks={k: str(steps[k]) for k in range(0, len(steps), 2)},
            # It always runs from the start of the climb, 0, to its end, 1, and is drawn once; its numbers move.
            ylim=(-0.22, 1.12),
            yticks=dict.fromkeys([0, 0.5, 1], ""),
        )
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
            number.set_text(f"{yes:.3f} of {total:.3f}" if total > 0 else "no row: it stays")
        self.line.set_data(range(len(gains)), gains)
        self.point.set_data([len(gains) - 1], gains[-1:])
        self.label.set_text(words)


class WhyMissing(Picture):
    """Left who is hidden, right two estimates of a number, and the truth."""

    def __init__(self, groups, bars):
        theme.dress(
            groups,
            xlim=(-0.6, 3.6),
            ylim=(0, 0.56),
            yticks=[0, 0.2, 0.4],
            xticks=dict(enumerate(["K, E", "K, ¬E", "¬K, E", "¬K, ¬E"])),
            ylabel="share of the students",
        )
        outline = {"edgecolor": theme.BLACK, **MOVING}
        self.seen = groups.bar(range(4), [0] * 4, 0.72, facecolor=theme.SKY, label="K is recorded", **outline)
        self.hidden = groups.bar(
            range(4), [0] * 4, 0.72, facecolor=theme.MIST, hatch="xx", label="K is missing", **outline
        )
        groups.legend(loc="upper left", ncols=1, borderaxespad=0, handlelength=1.6)
        theme.dress(bars, xlim=(0, 1.4), ylim=(1.75, -0.95), yticks={0: "drop\nthe rows", 1: "EM"}, xticks=[0, 0.5, 1])
        self.asked = bars.text(0.45, -0.2, "", transform=bars.transAxes, ha="center", va="baseline", **MOVING)
        look = {"color": theme.VERMILLION, **MOVING}
        self.truth = bars.plot([], [], linestyle="--", linewidth=2.5, zorder=5, **look)[0]
        self.said = bars.text(0, -0.72, "", ha="center", va="center", fontsize=theme.SMALL, **look)
        self.bars = bars.barh([0, 1], [0, 0], 0.62, facecolor=theme.SKY, **outline)
        self.numbers = [bars.text(0, y, "", va="center", weight="bold", **PLATE, zorder=6, **MOVING) for y in (0, 1)]

    def show(self, seen, hidden, asked, truth, estimates):
        for low, high, a, b in zip(self.seen, self.hidden, seen, hidden):
            low.set_height(a)
            high.set(y=a, height=b)
        self.asked.set_text(f"estimate of {asked}")
        self.truth.set_data([truth, truth], [-0.5, 1.75])
        self.said.set(x=truth, text=f"truth {truth:.2f}")
        for bar, number, value in zip(self.bars, self.numbers, estimates):
            bar.set_width(value)
            number.set(x=max(value, truth) + 0.03, text=f"{value:.4f}")


class NeverSeen(Picture):
    """Left how far the log-likelihood per row is below that of the true tables, right the learned numbers beside the true ones."""

    def __init__(self, curve, bars, steps, labels, truth):
        curve.set(xlim=(-0.5, len(steps) - 0.5), ylim=(-0.155, 0.03))
        ticks = [k for k in range(len(steps)) if k % 3 == 0]
        theme.dress(
            curve,
            xticks={k: str(steps[k]) for k in ticks},
            yticks={-0.15: "−0.15", -0.1: "−0.10", -0.05: "−0.05", 0: "0.00"},
            xlabel="iteration (uneven scale)",
            ylabel="log-likelihood per row\nminus the true tables'",
        )
        curve.axhline(0, color=theme.GREY, linestyle=":", linewidth=2)
        curve.text(len(steps) - 0.6, 0.006, "the true tables", ha="right", fontsize=theme.SMALL)
        self.line = curve.plot([], [], color=theme.BLUE, **MOVING)[0]
        self.point = curve.plot([], [], "s", color=theme.VERMILLION, markersize=11, **MOVING)[0]
        places = np.arange(len(labels))
        bars.set(xlim=(-0.6, len(labels) - 0.4), ylim=(0, 1.12), yticks=np.linspace(0, 1, 6))
        bars.grid(axis="y", color=theme.GREY, alpha=0.4, linewidth=1)
        bars.set_axisbelow(True)
        theme.dress(
            bars,
            xticks=dict(zip(places, labels)),
            title=("P(K | S, A), P(E | K), P(H | K); black lines: true", {"fontsize": theme.SMALL}),
        )
        self.bars = bars.bar(places, [0] * len(labels), 0.76, facecolor=theme.SKY, edgecolor=theme.BLACK, **MOVING)
        # moving too, although they stay: what moves is drawn over what does not, and the bars would hide them
        self.truth = bars.hlines(
            truth, places - 0.46, places + 0.46, color=theme.BLACK, linewidth=4, zorder=3.5, **MOVING
        )
        self.unseen = bars.text(6.5, 0.9, "", ha="center", va="center", fontsize=theme.SMALL, **MOVING)

    def show(self, gaps, numbers):
        """`gaps` are negative or 0; of the `numbers` those about H may be missing."""
        at = range(len(gaps))
        self.line.set_data(at, gaps)
        self.point.set_data(at[-1:], gaps[-1:])
        for k, bar in enumerate(self.bars):
            bar.set(height=numbers[k] if k < len(numbers) else 0, visible=k < len(numbers))
        self.unseen.set_text("" if len(numbers) == len(self.bars) else "H not\nobserved")


class TwoClimbs(Picture):
    """Left the surface with both walks, right their heights step by step."""

    def __init__(self, surface, curve, grid, heights, top, last):
        theme.dress(
            surface,
            xlim=(0, 1),
            ylim=(0, 1),
            xticks=[0, 0.5, 1],
            yticks=[0, 0.5, 1],
            xlabel="P(K=1 | S=0, A=1)",
            ylabel="P(E=1 | K=1)",
            title=("all other numbers held", {"fontsize": theme.SMALL, "pad": 4}),
        )
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
        # The start has its own mark, so that those of the first steps can be seen beside it
        walk = {"markevery": (1, 1), **MOVING}
        self.walks = {name: surface.plot([], [], **look, **walk)[0] for name, look in looks.items()}
        ring = {"markerfacecolor": "none", "markeredgewidth": 2, "markersize": 13, "linestyle": "", "label": "start"}
        self.start = surface.plot([], [], "s", color=theme.BLACK, **ring, **MOVING)[0]
        curve.set(xlim=(-0.5, last + 0.5), ylim=(top - 1.05, top + 0.12), xlabel="step", ylabel="log-likelihood")
        self.top = curve.axhline(top, color=theme.GREY, linestyle=":", linewidth=2)
        curve.text(last + 0.4, top + 0.03, "the top", ha="right", fontsize=theme.SMALL)
        self.heights = {name: curve.plot([], [], **look, **MOVING)[0] for name, look in looks.items()}
        handles = [*self.heights.values(), self.start]
        curve.legend(handles=handles, loc="lower right", ncols=3, handlelength=1.5, columnspacing=1, borderaxespad=0.1)

    def show(self, walks, heights):
        """Both are mappings of "em" and "slope" to the places and the heights so far, the start first."""
        for name, walk in walks.items():
            self.walks[name].set_data(*zip(*walk))
            self.heights[name].set_data(range(len(walk)), heights[name])
        self.start.set_data(*zip(walks["em"][0]))


class Ages(Picture):
    """Left the boys expected among unrecorded ages, group by group, and those counted; right four totals."""

    TOTALS = ["drop rows", "fill in", "EM", "counted"]

    def __init__(self, groups, totals, names):
        theme.dress(
            groups,
            xlim=(0, 17),
            ylim=(len(names) - 0.4, -0.95),
            yticks=dict(enumerate(names)),
            xticks=[0, 5, 10, 15],
            ticks={"axis": "y", "length": 0, "pad": 11},
            xlabel="boys under 14 among them",
        )
        outline = {"edgecolor": theme.BLACK, **MOVING}
        self.bars = groups.barh(range(len(names)), [0] * len(names), 0.66, **TRUE, **outline, label="EM expects")
        diamond = {"color": theme.BLACK, "markerfacecolor": theme.WHITE, "linestyle": "", "clip_on": False, "zorder": 5}
        self.counted = groups.plot([], [], marker="D", **diamond, label="counted", **MOVING)[0]
        groups.legend(loc="lower right", borderaxespad=0.2, handlelength=1.4)
        text = {"va": "center", "fontsize": theme.SMALL, "bbox": theme.PLATE, **MOVING}
        self.gaps = [groups.text(0, y, "", **text) for y in range(len(names))]
        theme.dress(
            totals,
            xlim=(0, 25),
            ylim=(3.6, -0.95),
            yticks=dict(enumerate(self.TOTALS)),
            xticks=[0, 10, 20],
            xlabel="boys in all",
        )
        looks = [{"facecolor": theme.MIST}, {"facecolor": theme.MIST}, TRUE, {"facecolor": theme.WHITE}]
        self.totals = [totals.barh(y, 0, 0.66, **look, **outline)[0] for y, look in enumerate(looks)]
        self.numbers = [
            totals.text(0, y, "", weight="bold", **text | {"fontsize": theme.RC["font.size"]}) for y in range(4)
        ]

    def show(self, gaps, expected, counted, totals):
        self.counted.set_data(counted, range(len(counted)))
        for bar, text, gap, boys, real in zip(self.bars, self.gaps, gaps, expected, counted):
            bar.set_width(boys)
            text.set(x=max(boys, real) + 0.8, text=f"of {gap}")
        for k, (bar, number, value) in enumerate(zip(self.totals, self.numbers, totals)):
            bar.set_width(value)
            number.set(x=value + 0.6, text=f"{value:.1f}" if k in (0, 2) else f"{value:.0f}")


class Gaps(Picture):
    """Left how often a cell is missing by each value of the other columns, right three estimates of a share."""

    MOST = 16  # values of all other columns together

    def __init__(self, missing, shares):
        theme.dress(
            missing,
            xlim=(0, 1.3),
            ylim=(self.MOST - 0.4, -1.4),
            yticks=[],
            xticks=[0, 0.5, 1],
            xlabel="share of rows with the empty cell",
            hide="left",
        )
        outline = {"edgecolor": theme.BLACK, **MOVING}
        self.bars = missing.barh(range(self.MOST), [0] * self.MOST, 0.7, facecolor=theme.MIST, **outline)
        text = {"va": "center", "fontsize": theme.SMALL, "parse_math": False, **MOVING}
        self.names = [missing.text(-0.03, y, "", ha="right", **text) for y in range(self.MOST)]
        self.counts = [missing.text(0, y, "", **text) for y in range(self.MOST)]
        theme.dress(
            shares,
            xlim=(0, 1.3),
            ylim=(2.6, -0.95),
            yticks=dict(enumerate(["drop rows", "fill in", "EM"])),
            xticks=[0, 0.5, 1],
        )
        below = {"ha": "center", "va": "baseline", "parse_math": False, **MOVING}
        self.title = shares.text(0.4, -0.155, "", transform=shares.transAxes, **below)
        self.shares = [shares.barh(y, 0, 0.66, facecolor=theme.SKY, **outline)[0] for y in range(3)]
        self.numbers = [
            shares.text(0, y, "", weight="bold", **text | {"fontsize": theme.RC["font.size"]}) for y in range(3)
        ]

    def show(self, groups, asked, estimates):
        """`groups` are (name, missing, rows); the bars share the room among themselves."""
        tall = self.MOST / max(len(groups), 6)
        for k, (bar, name, count) in enumerate(zip(self.bars, self.names, self.counts)):
            here = k < len(groups)
            words, missing, rows = groups[k] if here else ("", 0, 1)
            y = (k + 0.5) * tall - 0.5
            bar.set(y=y - 0.35 * tall, width=missing / rows, height=0.7 * tall, visible=here)
            name.set(text=words, y=y)
            count.set(text=f"{missing} of {rows}" if here else "", x=missing / rows + 0.03, y=y)
        self.title.set_text(f"estimate of {asked}")
        for bar, number, value in zip(self.shares, self.numbers, estimates):
            bar.set_width(value)
            number.set(x=value + 0.03, text=f"{value:.3f}")
