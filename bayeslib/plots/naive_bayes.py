"""The pictures of section 05, naive Bayes. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.patches import Rectangle

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING, Picture

# How the two answers look in all pictures of the section: yes is a round sky, no a hatched orange square.
YES = {"marker": "o", "color": theme.BLUE, "markerfacecolor": theme.SKY}
NO = {"marker": "s", "color": theme.VERMILLION, "markerfacecolor": theme.VERMILLION}
FILL = {
    "yes": {"facecolor": theme.SKY, "hatch": "", "edgecolor": theme.BLACK},
    "no": {"facecolor": theme.ORANGE, "hatch": "//", "edgecolor": theme.BLACK},
    "unlisted": {"facecolor": theme.MIST, "hatch": "..", "edgecolor": theme.BLACK},
}


class DayGrid(Picture):
    """Every kind of day as a cell, every row of the table as a mark in its cell; the marks stay, the cells get smaller."""

    SPLITS = ((3, 1), (9, 1), (9, 2), (9, 4))  # columns and rows with one to four attributes

    def __init__(self, grid, words, values, places, answers):
        """`values` are the values of the four attributes, `places` the cell (column, row) of each row of the table."""
        theme.dress(grid, xlim=(-2.85, 9.05), ylim=(4.1, -1.15), hide="all")
        theme.dress(words, xlim=(0, 1), ylim=(0, 1), hide="all")
        outlook, temperature, humidity, wind = values
        middle = {"ha": "center", "va": "center"}
        for place, name in enumerate(outlook):
            grid.text(3 * place + 1.5, -0.85, name, weight="bold", **middle)
        small = {"fontsize": theme.SMALL, **middle, **MOVING}
        self.heads = {
            2: [grid.text(place + 0.5, -0.3, temperature[place % 3], **small) for place in range(9)],
            3: [grid.text(-2.05, 2 * place + 1, humidity[place], weight="bold", **small) for place in range(2)],
            4: [grid.text(-0.72, place + 0.5, wind[place % 2], **small) for place in range(4)],
        }
        self.lines = grid.plot([], [], color=theme.GREY, linewidth=1.5, **MOVING)[0]
        self.empty = grid.plot([], [], linestyle="", marker="$0$", color=theme.GREY, **MOVING)[0]
        self.days = {}
        for look, answer in ((YES, "yes"), (NO, "no")):
            mine = np.array([place for place, each in zip(places, answers) if each == answer]) + 0.5
            self.days[answer] = grid.plot(*mine.T, linestyle="", markersize=13, label=answer, **look)[0]
        self.asked = grid.add_patch(
            Rectangle((0, 0), 1, 1, facecolor="none", edgecolor=theme.BLACK, linewidth=4, **MOVING)
        )
        self.title = words.text(0, 0.98, "", fontsize=theme.LARGE, weight="bold", va="top", **MOVING)
        self.text = words.text(0, 0.8, "", va="top", linespacing=1.55, **MOVING)
        for y, look, label in ((0.12, YES, "a row with yes"), (0.02, NO, "a row with no")):
            words.plot([0.03], [y], markersize=13, linestyle="", **look)
            words.text(0.1, y, label, va="center", fontsize=theme.SMALL)

    def show(self, attributes, empty, asked, title, lines):
        """Cells by the first few `attributes`; the cells (column, row) that are `empty`, and the one that is `asked`."""
        columns, rows = self.SPLITS[attributes - 1]
        wide, high = 9 / columns, 4 / rows
        upright = [([x, x, np.nan], [0, 4, np.nan]) for x in np.linspace(0, 9, columns + 1)]
        level = [([0, 9, np.nan], [y, y, np.nan]) for y in np.linspace(0, 4, rows + 1)]
        self.lines.set_data(*np.concatenate([np.array(each) for each in upright + level], axis=1))
        for least, heads in self.heads.items():
            for head in heads:
                head.set_visible(attributes >= least)
        self.empty.set_data([(x + 0.5) * wide for x, _ in empty], [(y + 0.5) * high for _, y in empty])
        self.asked.set(x=asked[0] * wide, y=asked[1] * high, width=wide, height=high)
        self.title.set_text(title)
        self.text.set_text("\n".join(lines))


class Balance(Picture):
    """Odds of yes to no as a balance on a log scale: each factor is a bar that starts where the last one ended."""

    EDGE = 1.62  # how far the scale reaches, in powers of ten

    def __init__(self, axes, factors):
        axes.set(xlim=(-self.EDGE, self.EDGE), ylim=(factors + 1.6, -0.6), yticks=[])
        odds = [30, 10, 3, 1]
        theme.dress(
            axes,
            xticks={-np.log10(k): f"1:{k}" for k in odds} | {np.log10(k): f"{k}:1" for k in odds[2::-1]},
            xlabel="odds yes : no (log scale)",
            hide="left",
        )
        axes.axvline(0, color=theme.GREY, linestyle=":", linewidth=2)
        axes.axhline(factors + 0.5, color=theme.BLACK, linewidth=1.5)
        beside = {"transform": axes.get_yaxis_transform(), "va": "center"}
        for y, name in ((0, "prior"), (factors + 1, "together")):
            axes.text(-0.02, y, name, ha="right", weight="bold", **beside)
        axes.text(0.01, factors + 1, "← no", ha="left", **beside)
        axes.text(0.99, factors + 1, "yes →", ha="right", **beside)
        rows = range(factors + 2)
        self.bars = [axes.add_patch(Rectangle((0, y - 0.3), 0, 0.6, edgecolor=theme.BLACK, **MOVING)) for y in rows]
        # Names move only when the reader changes the order; then the background is drawn again.
        self.names = [axes.text(-0.265, y, "", ha="right", **beside) for y in rows[1:-1]]
        self.values = [axes.text(-0.02, y, "", ha="right", **beside, **MOVING) for y in rows[1:-1]]
        self.worth = [axes.text(1.035, y, "", fontsize=theme.SMALL, **beside, **MOVING) for y in rows]
        self.steps = axes.plot([], [], color=theme.BLACK, linewidth=1.5, **MOVING)[0]
        self.stuck = axes.plot([], [], ">", color=theme.BLACK, clip_on=False, **MOVING)[0]

    def show(self, day, ratios, worth, shown):
        """A `day` in the order of its factors; `ratios` of yes to no, the prior's first; the first `shown` factors are used."""
        with np.errstate(divide="ignore"):
            ends = np.clip(np.log10(np.cumprod(ratios)), -self.EDGE, self.EDGE)
        starts = np.concatenate([[0], ends[:-1]])
        now = ends[shown]
        for row, bar in enumerate(self.bars[:-1]):
            bar.set(x=starts[row], width=ends[row] - starts[row], visible=row <= shown)
            bar.set(**FILL["yes" if ratios[row] > 1 else "no"])
            self.worth[row].set(text=worth[row], visible=row <= shown)
        self.bars[-1].set(x=0, width=now, **FILL["yes" if now > 0 else "no"])
        self.worth[-1].set_text(worth[-1])
        for row, (name, value) in enumerate(day.items()):
            self.names[row].set_text(name)
            self.values[row].set(text=value, alpha=1 if row < shown else 0.55)
        down = [([x, x, np.nan], [row + 0.3, row + 0.7, np.nan]) for row, x in enumerate(ends[:shown])]
        last = ([now, now, np.nan], [shown + 0.3, len(self.bars) - 1.3, np.nan])
        self.steps.set_data(*np.concatenate([np.array(each) for each in [*down, last]], axis=1))
        stuck = [row for row in range(shown + 1) if ends[row] >= self.EDGE]
        self.stuck.set_data([self.EDGE] * len(stuck), stuck)


class Shares(Picture):
    """Scores on the left, what they become when divided by their sum on the right."""

    ROWS = ["yes", "no", "unlisted"]

    def __init__(self, scores, chances):
        for axes, limit, title in ((scores, 0.075, "score"), (chances, 1.28, "divided by the sum")):
            theme.dress(
                axes,
                xlim=(0, limit),
                ylim=(2.6, -0.6),
                yticks=range(3),
                title=(title, {"loc": "left", "fontsize": theme.SMALL, "weight": "bold"}),
            )
        theme.dress(scores, yticklabels=["yes", "no", "something\nelse"], xticks=[0, 0.02, 0.04, 0.06])
        chances.set(yticklabels=[], xticks=[0, 0.5, 1])
        chances.spines["bottom"].set_bounds(0, 1)  # the room beyond is for the numbers
        self.bars, self.numbers = [], []
        for axes in (scores, chances):
            self.bars.append(
                [
                    axes.add_patch(Rectangle((0, y - 0.32), 0, 0.64, **FILL[row], **MOVING))
                    for y, row in enumerate(self.ROWS)
                ]
            )
            self.numbers.append([axes.text(0, y, "", va="center", **MOVING) for y in range(3)])

    def show(self, scores, shares):
        """Both are mappings over yes, no and unlisted."""
        for row, name in enumerate(self.ROWS):
            for panel, (value, gap, text) in enumerate(
                ((scores[name], 0.0012, f"{scores[name]:.4f}"), (shares[name], 0.02, f"{shares[name]:.3f}"))
            ):
                self.bars[panel][row].set_width(value)
                self.numbers[panel][row].set(x=value + gap, text=text)


class Copies(Picture):
    """P(no) as one attribute is counted again and again; beside it, what a clean example claims and what is true."""

    def __init__(self, curve, calibration, most, claims, truth):
        curve.set(
            xlim=(0.6, most + 0.4), ylim=(-0.2, 1.2), xticks=range(1, most + 1), yticks=[0, 0.5, 1], ylabel="P(no)"
        )
        curve.spines["left"].set_bounds(0, 1)
        curve.axhline(0.5, color=theme.GREY, linestyle=":", linewidth=2)
        self.once = curve.plot([], [], color=theme.GREY, linestyle="--", linewidth=2, label="counted once", **MOVING)[0]
        self.line = curve.plot(
            [], [], "o-", color=theme.BLUE, markersize=7, linewidth=2, label="P(no), copy by copy", **MOVING
        )[0]
        self.here = curve.plot([], [], "s", color=theme.VERMILLION, markersize=14, label="now", **MOVING)[0]
        self.value = curve.text(0, 0, "", weight="bold", va="center", bbox=theme.PLATE, **MOVING)
        self.name = curve.text(0.5, -0.14, "", ha="center", va="top", transform=curve.transAxes, **MOVING)
        curve.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, columnspacing=1.2, borderaxespad=0.1)
        theme.dress(
            calibration,
            xlim=(0.55, 1.03),
            ylim=(0.55, 1.03),
            xticks=[0.6, 0.8, 1],
            yticks=[0.6, 0.8, 1],
            xlabel="what it claims",
            ylabel="how often it is right",
            title=("one 2 : 1 clue, copied", {"fontsize": theme.SMALL, "weight": "bold"}),
        )
        calibration.plot([0.55, 1.03], [0.55, 1.03], color=theme.GREY, linestyle="--", linewidth=2)
        calibration.text(0.6, 0.77, "calibrated", fontsize=theme.SMALL, color=theme.GREY, rotation=52)
        self.trail = calibration.plot([], [], "o", color=theme.BLUE, markersize=7, **MOVING)[0]
        self.claims, self.truth = claims, truth
        self.claim = calibration.plot([], [], "s", color=theme.VERMILLION, markersize=14, **MOVING)[0]

    def show(self, chances, copies, attribute):
        """`chances` is P(no) with one copy, two copies, …."""
        self.line.set_data(np.arange(1, copies + 1), chances[:copies])
        self.once.set_data([0.6, len(chances) + 0.4], [chances[0]] * 2)
        self.name.set_text(f"times that {attribute} is counted")
        now = chances[copies - 1]
        self.here.set_data([copies], [now])
        self.value.set(
            x=max(copies, 1.45), y=now + (0.13 if chances[-1] > chances[0] else -0.13), text=f"{now:.3f}", ha="center"
        )
        self.trail.set_data(self.claims[:copies], [self.truth] * copies)
        self.claim.set_data([self.claims[copies - 1]], [self.truth])


class Underflow(Picture):
    """The logarithms go down for ever; a product becomes 0 where the machine has no smaller number."""

    def __init__(self, axes, words, most, floor):
        axes.set(
            xlim=(0, most + 5),
            ylim=(-3600, 150),
            yticks=[0, -745, -1500, -2500, -3500],
            xlabel="words multiplied",
            ylabel="natural log of the product",
        )
        axes.axhspan(-3600, floor, facecolor=theme.MIST, edgecolor="none")
        self.floor = axes.axhline(floor, color=theme.GREY, linestyle=":", linewidth=2)
        small = {"ha": "right", "fontsize": theme.SMALL, "color": theme.GREY}
        axes.text(most, floor + 60, "smallest number: 5·10⁻³²⁴", **small)
        axes.text(most, floor - 90, "here a product is 0", va="top", **small)
        self.logs = [
            axes.plot([], [], "--", color=theme.BLUE, label="log, cook", **MOVING)[0],
            axes.plot([], [], "-.", color=theme.GREEN, label="log, sport", **MOVING)[0],
        ]
        self.zero = axes.plot([], [], "X", color=theme.VERMILLION, markersize=13, zorder=5, **MOVING)[0]
        self.zero.set_label("product becomes 0")
        self.here = axes.plot([], [], "s", color=theme.BLACK, markersize=9, zorder=4, **MOVING)[0]
        axes.legend(loc="lower left", borderaxespad=0.1, labelspacing=0.2)
        theme.dress(words, xlim=(0, 1), ylim=(0, 1), hide="all")
        heads = [(0.97, "the products say"), (0.47, "the logarithms say")]
        self.texts = []
        for y, head in heads:
            words.text(0, y, head, va="top", weight="bold")
            self.texts.append(words.text(0, y - 0.11, "", va="top", linespacing=1.5, **MOVING))

    def show(self, logs, alive, products, sums):
        """`logs` of cook and sport after each word, `alive` how many words each product survives; the two panels' words."""
        count = np.arange(len(logs[0]))
        for line, values in zip(self.logs, logs):
            line.set_data(count, values)
        dead = [(end + 1, values[end + 1]) for values, end in zip(logs, alive) if end + 1 < len(values)]
        self.zero.set_data(*zip(*dead) if dead else ([], []))
        self.here.set_data([count[-1]] * 2, [values[-1] for values in logs])
        for text, lines in zip(self.texts, (products, sums)):
            text.set_text("\n".join(lines))


class TwoBells(Picture):
    """Two Gaussian classes, each bell weighted by its prior; below, whose ground is whose."""

    def __init__(self, axes, x):
        axes.set(xlim=(x[0], x[-1]), xlabel="attribute x", ylabel="P(class) × density")
        axes.yaxis.set_label_coords(-0.085, 0.5)
        self.axes, self.x, self.log = axes, x, None
        self.bells = [
            axes.plot([], [], color=theme.BLUE, label="A", **MOVING)[0],
            axes.plot([], [], "--", color=theme.GREEN, label="B", **MOVING)[0],
        ]
        beside = axes.get_xaxis_transform()
        strip = {
            "solid_capstyle": "butt",
            "transform": beside,
            "linewidth": 9,
            "linestyle": "-",
            "antialiased": False,
            **MOVING,
        }
        self.grounds = [
            axes.plot([], [], color=theme.BLUE, **strip)[0],
            axes.plot([], [], color=theme.GREEN, **strip)[0],
        ]
        self.here = axes.plot(
            [], [], color=theme.GREY, linewidth=2, linestyle="-", zorder=1, transform=beside, **MOVING
        )[0]
        self.dots = [
            axes.plot([], [], mark, color=look.get_color(), **MOVING)[0] for mark, look in zip("os", self.bells)
        ]
        for y, words in ((0.1, "A wins"), (0.03, "B wins")):
            axes.text(1.01, y, words, transform=axes.transAxes, va="center", fontsize=theme.SMALL)
        self.text = axes.text(0, 1.05, "", va="bottom", transform=axes.transAxes, **MOVING)
        axes.legend(loc="upper left", bbox_to_anchor=(0.995, 1.02), handlelength=1.6, borderaxespad=0.1)

    def _scale(self, log):
        """Heights or their logarithms; the axis is drawn again only when that changes."""
        if log == self.log:
            return
        self.log = log
        if log:
            theme.dress(self.axes, ylim=(-9.2, 0.6), yticks={-6: "$10^{-6}$", -4: "$10^{-4}$", -2: "$10^{-2}$", 0: "1"})
        else:
            theme.dress(self.axes, ylim=(-0.09, 0.42), yticks={0: "0", 0.1: "0.1", 0.2: "0.2", 0.3: "0.3", 0.4: "0.4"})

    def show(self, weighted, at, heights, log, text):
        """`weighted` log densities of both classes along x, and `heights` of both at the place `at`."""
        self._scale(log)
        low, high = self.axes.get_ylim()
        for bell, dot, curve, height in zip(self.bells, self.dots, weighted, heights):
            bell.set_data(self.x, curve / np.log(10) if log else np.exp(curve))
            y = height / np.log(10) if log else np.exp(height)
            dot.set(data=([at], [y]), visible=bool(low < y < high))
        leads = weighted[0] >= weighted[1]
        for ground, y, mine in zip(self.grounds, (0.1, 0.03), (leads, ~leads)):
            ground.set_data(self.x, np.where(mine, y, np.nan))
        self.here.set_data([at, at], [0.15, 1])
        self.text.set_text(text)


class WordBalance(Picture):
    """A line read word by word: each word is a bar from the odds before it to the odds after it, on a log scale."""

    EDGE = 3.4  # how far the scale reaches, in powers of ten

    def __init__(self, axes, most, right, left):
        """At most this many words; odds above 1 favour the name at the `right`."""
        theme.dress(
            axes,
            xlim=(-self.EDGE, self.EDGE),
            ylim=(most + 1.6, -0.6),
            yticks=[],
            xticks={k: f"1:{10**-k:,}" if k < 0 else f"{10**k:,}:1" for k in range(-3, 4)},
            xlabel=f"odds {right} : {left} (log scale)",
            hide="left",
        )
        axes.axvline(0, color=theme.GREY, linestyle=":", linewidth=2)
        axes.axhline(most + 0.5, color=theme.BLACK, linewidth=1.5)
        beside = {"transform": axes.get_yaxis_transform(), "va": "center", "fontsize": theme.SMALL}
        for y, name in ((0, "prior"), (most + 1, "together")):
            axes.text(-0.02, y, name, ha="right", weight="bold", **beside)
        axes.text(0.01, most + 1, f"← {left}", ha="left", **beside)
        axes.text(0.99, most + 1, f"{right} →", ha="right", **beside)
        rows = range(most + 2)
        self.bars = [axes.add_patch(Rectangle((0, y - 0.36), 0, 0.72, edgecolor=theme.BLACK, **MOVING)) for y in rows]
        self.steps = axes.plot([], [], color=theme.BLACK, linewidth=1.5, **MOVING)[0]
        self.words = [axes.text(-0.02, y, "", ha="right", **beside, **MOVING) for y in rows[1:-1]]
        self.worth = [axes.text(1.02, y, "", **beside, **MOVING) for y in rows]
        self.stuck = axes.plot([], [], "D", color=theme.BLACK, markersize=7, clip_on=False, **MOVING)[0]

    def show(self, words, odds, worth, shown):
        """Odds of the prior and of each word; the first `shown` words are read. What each is `worth`, in words, and the sum."""
        ends = np.clip(np.cumsum(np.log10(odds)), -self.EDGE, self.EDGE)
        starts = np.concatenate([[0], ends[:-1]])
        for row, bar in enumerate(self.bars[:-1]):
            seen = row <= shown
            bar.set_visible(seen and odds[row] != 1)
            self.worth[row].set(text=worth[row] if seen else "")
            if bar.get_visible():
                bar.set(x=starts[row], width=ends[row] - starts[row], **FILL["yes" if odds[row] > 1 else "no"])
        for row, text in enumerate(self.words):
            text.set(text=words[row] if row < len(words) else "", alpha=1 if row < shown else 0.55)
        now = ends[shown]
        self.bars[-1].set(x=0, width=now, **FILL["yes" if now > 0 else "no"])
        self.worth[-1].set_text(worth[-1])
        turns = [row for row in range(shown + 1) if row == 0 or odds[row] != 1]  # words without a bar are passed by
        below = [*turns[1:], len(self.bars) - 1]
        down = [([ends[row]] * 2 + [np.nan], [row + 0.36, end - 0.36, np.nan]) for row, end in zip(turns, below)]
        self.steps.set_data(*np.concatenate([np.array(each) for each in down], axis=1))
        stuck = [row for row in range(shown + 1) if abs(ends[row]) >= self.EDGE]
        self.stuck.set_data(ends[stuck], stuck)


class Reliability(Picture):
    """Forecasts sorted by how sure they were: a bar for how often they were right, a stroke for what they had said."""

    def __init__(self, axes, words, labels):
        """A column for each bin, called by its label."""
        places = np.arange(len(labels))
        theme.dress(
            axes,
            xlim=(-0.6, len(labels) - 0.4),
            ylim=(0, 1.16),
            yticks=[0, 0.5, 1],
            ylabel="share right",
            xticks=dict(enumerate(labels)),
        )
        axes.spines["left"].set_bounds(0, 1)
        axes.tick_params(axis="x", length=0)
        beside = {"transform": axes.get_xaxis_transform(), "ha": "center", "va": "top", "fontsize": theme.SMALL}
        for y, head in ((-0.03, "it says at least"), (-0.125, "so often")):
            axes.text(-0.03, y, head, transform=axes.transAxes, ha="right", va="top", fontsize=theme.SMALL)
        self.bars = [
            axes.add_patch(Rectangle((x - 0.36, 0), 0.72, 0, facecolor=theme.SKY, edgecolor=theme.BLACK, **MOVING))
            for x in places
        ]
        self.said = axes.plot([], [], color=theme.VERMILLION, linewidth=4, **MOVING)[0]
        self.rights = [axes.text(x, 0.03, "", ha="center", va="bottom", fontsize=theme.SMALL, **MOVING) for x in places]
        self.counts = [axes.text(x, -0.125, "", **beside, **MOVING) for x in places]
        self.bars[0].set_label("was right")
        self.said.set_label("had said, on average")
        axes.legend(loc="upper left", ncols=2, borderaxespad=0.1, handlelength=1.4)
        theme.dress(words, xlim=(0, 1), ylim=(0, 1), hide="all")
        self.text = words.text(0, 0.96, "", va="top", linespacing=1.5, **MOVING)

    def show(self, bins, lines):
        """A (count, said, right) for each column, or None where nothing was said; and the words at the side."""
        for bar, right, count, each in zip(self.bars, self.rights, self.counts, bins):
            bar.set(height=each.right if each else 0, visible=each is not None)
            right.set_text(f"{each.right:.2f}" if each else "")
            count.set_text(f"{each.count:,}" if each else "0")
        strokes = [
            ([x - 0.45, x + 0.45, np.nan], [each.said, each.said, np.nan]) for x, each in enumerate(bins) if each
        ]
        self.said.set_data(*np.concatenate([np.array(each) for each in strokes], axis=1))
        self.text.set_text("\n".join(lines))
