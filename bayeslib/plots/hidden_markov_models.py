"""The pictures of section 13, hidden Markov models. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyArrowPatch, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import TextPath

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING, Picture

LONGEST = 7  # days that fit a picture
RAIN, DRY = {"facecolor": theme.SKY, "hatch": "//"}, {"facecolor": theme.YELLOW, "hatch": ""}
LOADED = {"facecolor": theme.MIST, "edgecolor": theme.BLACK, "hatch": "//", "linewidth": 1}
_HANDLE = Path([(-0.06, 0), (-0.06, -0.9), (0.06, -0.9), (0.06, 0), (-0.06, 0)])
UMBRELLA = Path.make_compound_path(Path.wedge(0, 180), _HANDLE)
SIGNS = {  # how a day's observation looks, in every picture
    "U": {"marker": UMBRELLA, "markersize": 22, "color": theme.BLUE, "label": "umbrella"},
    "-": {"marker": "x", "markersize": 13, "markeredgewidth": 3, "color": theme.GREY, "label": "none"},
    "?": {"marker": "$?$", "markersize": 14, "color": theme.BLACK, "label": "not seen"},
}


class Days:
    """The row of days under a picture: what was seen on each, and a frame around the day in question."""

    def __init__(self, axes, y, top):
        self.axes, self.y, self.length = axes, y, None
        self.signs = {sign: axes.plot([], [], linestyle="", **look, **MOVING)[0] for sign, look in SIGNS.items()}
        frame = Rectangle((0, y - 0.2), 0.94, top - y + 0.2, facecolor="none", edgecolor=theme.BLACK, linewidth=2.5)
        self.frame = axes.add_patch(frame)
        self.frame.set(clip_on=False, **MOVING)

    def show(self, days, day):
        """`days` is a string of signs; the frame stands around `day`, counted from 1."""
        for sign, line in self.signs.items():
            mine = [place for place, each in enumerate(days, start=1) if each == sign]
            line.set_data(mine, [self.y] * len(mine))
        self.frame.set_x(day - 0.47)
        self.scale(len(days))

    def scale(self, length):
        """Make room for this many days; the axis is drawn again only when their number changes."""
        if length != self.length:
            self.length = length
            self.axes.set(xlim=(0.4, length + 0.6), xticks=range(1, length + 1))


class Band:
    """Belief in rain as a band over the days: the hatched part is rain, the rest dry."""

    def __init__(self, axes, bottom=0.0, decimals=3):
        self.bottom, self.decimals = bottom, decimals
        outline = {"fill": True, "edgecolor": theme.BLACK, "linewidth": 1.5, **MOVING}
        self.dry, self.rain = (axes.stairs([0], [0, 1], **look, **outline) for look in (DRY, RAIN))
        self.numbers = [
            axes.text(day, bottom + 1.03, "", ha="center", va="bottom", fontsize=theme.SMALL, **MOVING)
            for day in range(1, LONGEST + 1)
        ]

    def show(self, beliefs):
        edges, low = np.arange(len(beliefs) + 1) + 0.5, self.bottom
        self.rain.set_data(np.asarray(beliefs) + low, edges, low)
        self.dry.set_data(np.full(len(beliefs), 1.0) + low, edges, low)
        for day, number in enumerate(self.numbers):
            seen = day < len(beliefs)
            number.set(visible=seen, text=f"{beliefs[day]:.{self.decimals}f}" if seen else "")


class HiddenChain(Picture):
    """Three days as a belief network: states above, signs below, and what day 1 still says about day 3."""

    PLACES = {"s1": (0, 1), "s2": (1, 1), "s3": (2, 1), "o1": (0, 0), "o2": (1, 0), "o3": (2, 0)}
    NAMES = {"s1": "S₁", "s2": "S₂", "s3": "S₃", "o1": "O₁", "o2": "O₂", "o3": "O₃"}
    WORDS = {None: "", "rain": "rain", "dry": "dry", "U": "umbrella", "-": "none"}

    def __init__(self, graph, bars):
        theme.dress(graph, xlim=(-0.5, 2.5), ylim=(-0.84, 1.62), hide="all")
        for a, b in (("s1", "s2"), ("s2", "s3"), ("s1", "o1"), ("s2", "o2"), ("s3", "o3")):
            arrow = {"arrowstyle": "-|>", "linewidth": 2, "color": theme.GREY, "shrinkA": 24, "shrinkB": 24}
            graph.annotate("", self.PLACES[b], self.PLACES[a], arrowprops={**arrow, "mutation_scale": 20})
        look = {"linestyle": "", "marker": "o", "markersize": 44, "color": theme.BLACK, "markeredgewidth": 2}
        self.free = graph.plot([], [], markerfacecolor=theme.WHITE, **look, **MOVING)[0]
        self.known = graph.plot([], [], markerfacecolor=theme.ORANGE, **look, **MOVING)[0]
        middle = {"ha": "center", "va": "center", **MOVING}
        self.names = {
            node: graph.text(*place, self.NAMES[node], fontsize=theme.LARGE, zorder=5, **middle)
            for node, place in self.PLACES.items()
        }
        self.words = {
            node: graph.text(x, y + (0.36 if y else -0.36), "", ha="center", va="center", **MOVING)
            for node, (x, y) in self.PLACES.items()
            if node not in ("s3", "o3")
        }
        graph.text(2, -0.36, "umbrella\non day 3?", ha="center", va="center", linespacing=1.0)
        graph.text(-0.45, -0.76, "filled circle: known", va="center", fontsize=theme.SMALL)
        theme.dress(
            bars,
            xlim=(0, 1.24),
            ylim=(1.7, -0.75),
            yticks={0: "day 1:\numbrella", 1: "day 1:\nnone"},
            xticks=[0, 0.5, 1],
            title=("P(umbrella on day 3)", {"loc": "left"}),
        )
        self.bars = bars.barh([0, 1], [0, 0], 0.6, facecolor=theme.SKY, edgecolor=theme.BLACK, **MOVING)
        self.numbers = [bars.text(0, y, "", va="center", weight="bold", **MOVING) for y in (0, 1)]
        self.verdict = bars.text(0.03, -0.53, "", va="center", fontsize=theme.SMALL, **MOVING)

    def show(self, known, chances, verdict):
        """`known` gives the value of a node or None; `chances` are P(umbrella on day 3) for both signs of day 1."""
        for artist, wanted in ((self.known, True), (self.free, False)):
            mine = [self.PLACES[n] for n in self.PLACES if (known.get(n) is not None or n == "o1") == wanted]
            artist.set_data(*zip(*mine))
        for node, text in self.words.items():
            text.set_text("either" if node == "o1" else self.WORDS[known[node]])
        for bar, number, chance in zip(self.bars, self.numbers, chances):
            bar.set_width(chance)
            number.set(x=chance + 0.02, text=f"{chance:.4f}")
        self.verdict.set_text(verdict)


class FilterSteps(Picture):
    """Filtering day by day: left the beliefs so far, right today's three stages, push, weigh and normalise."""

    STAGES = ["before", "push", "weigh", "normalise"]

    def __init__(self, days, stages):
        theme.dress(days, ylim=(-0.45, 1.2), yticks=[0, 0.5, 1], xlabel="day", ylabel=("P(rain), hatched", {"y": 0.62}))
        self.band, self.days = Band(days, decimals=2), Days(days, -0.22, 1.17)
        theme.dress(stages, xlim=(-0.6, 3.6), ylim=(0, 1.2), yticks=[0, 0.5, 1], xticks=dict(enumerate(self.STAGES)))
        bars = {"edgecolor": theme.BLACK, **MOVING}
        self.rain = stages.bar(np.arange(4) - 0.21, [0] * 4, 0.4, label="rain", **RAIN, **bars)
        self.dry = stages.bar(np.arange(4) + 0.21, [0] * 4, 0.4, label="dry", **DRY, **bars)
        text = {"ha": "center", "va": "bottom", "fontsize": theme.SMALL, **MOVING}
        self.numbers = [(stages.text(x - 0.25, 0, "", **text), stages.text(x + 0.26, 0, "", **text)) for x in range(4)]
        stages.legend(loc="upper left", ncols=2, bbox_to_anchor=(-0.02, 1.2), handlelength=1.4)

    def show(self, days, day, beliefs, columns):
        """`columns` are the pairs (rain, dry) of the four stages, None where there is nothing to show yet."""
        self.band.show(beliefs)
        self.days.show(days, day)
        for rain, dry, numbers, pair in zip(self.rain, self.dry, self.numbers, columns):
            for bar, number, value in zip((rain, dry), numbers, pair or (0, 0)):
                bar.set(height=value, visible=pair is not None)
                number.set(y=value + 0.01, text=f"{value:.2f}", visible=pair is not None)


class Hindsight(Picture):
    """Over the days: what was believed at the time, how probable each state makes the later signs, and both together."""

    BOTTOMS, LATER = (3.0, 0.0), 1.5
    WORDS = ("at the time\n(filtered)", "P(later signs\n| state)", "in hindsight\n(smoothed)")

    def __init__(self, axes):
        theme.dress(
            axes,
            ylim=(-0.62, 4.4),
            yticks=dict(zip([3.5, 2.0, 0.5], self.WORDS)),
            ticks={"left": False},
            xlabel=("day (hatched: rain, plain: dry)", {"labelpad": 1}),
            hide="left",
        )
        self.bands = [Band(axes, bottom) for bottom in self.BOTTOMS]
        places, text = np.arange(1, LONGEST + 1), {"ha": "center", "va": "bottom", "fontsize": theme.SMALL, **MOVING}
        self.later, self.numbers = [], []
        for look, side in ((RAIN, -0.24), (DRY, 0.24)):
            bars = {"bottom": self.LATER, "edgecolor": theme.BLACK, **MOVING}
            self.later.append(axes.bar(places + side, [0] * LONGEST, 0.4, **bars, **look))
            self.numbers.append([axes.text(day + side, 0, "", **text) for day in places])
        self.days = Days(axes, -0.33, 4.42)

    def show(self, days, day, filtered, later, smoothed):
        """`later` holds P(later signs | rain) and P(later signs | dry); the larger one of a day is a full bar."""
        for band, beliefs in zip(self.bands, (filtered, smoothed)):
            band.show(beliefs)
        heights = later / later.max(axis=1, keepdims=True)
        for state, (bars, numbers) in enumerate(zip(self.later, self.numbers)):
            for t, (bar, number) in enumerate(zip(bars, numbers)):
                seen = t < len(days)
                bar.set(height=heights[t, state] if seen else 0, visible=seen)
                said = likelihood(later[t, state]) if seen else ""
                number.set(y=self.LATER + bar.get_height() + 0.03, text=said, visible=seen)
        self.days.show(days, day)


class Trellis(Picture):
    """States over days with every move between them, the two answers under it, and the paths one by one."""

    HEIGHTS, MOST = {0: 1.0, 1: 0.0}, 8  # rain above, dry below; how many paths are listed
    KEYS = {
        "sum": "larger, thicker: more probable",
        "max": "arrow: best way into a state; dashed: best path",
    }

    def __init__(self, net, paths):
        theme.dress(
            net,
            ylim=(-1.66, 1.56),
            yticks={1: "rain", 0: "dry", -0.66: "seen", -1.06: "day by day", -1.44: "best path"},
            ticks={"left": False},
            hide="left bottom",
        )
        net.xaxis.set_major_formatter("day {x:.0f}")
        self.days = Days(net, -0.66, 1.52)
        self.moves = net.add_collection(LineCollection([], color=theme.GREY, **MOVING))
        look = {"arrowstyle": "-|>", "mutation_scale": 22, "linewidth": 2.5, "color": theme.GREY, **MOVING}
        self.arrows = [net.add_patch(FancyArrowPatch((0, 0), (1, 1), **look)) for _ in range(8)]
        self.best = net.plot([], [], color=theme.VERMILLION, linestyle="--", linewidth=5, zorder=2.5, **MOVING)[0]
        self.key = net.text(-0.24, -0.15, "", transform=net.transAxes, fontsize=theme.SMALL, va="center", **MOVING)
        self.nodes = [
            net.scatter([], [], edgecolors=theme.BLACK, linewidths=1.5, zorder=3, **look, **MOVING)
            for look in (RAIN, DRY)
        ]
        text = {"ha": "center", "va": "center", "fontsize": theme.SMALL, "zorder": 4, **MOVING}
        self.numbers = [[net.text(0, 0, "", **text) for _ in range(5)] for _ in (0, 1)]
        self.rows = self._letters(net)
        theme.dress(paths, xlim=(0, 1.25), ylim=(self.MOST - 0.4, -1.9), hide="all")
        paths.text(
            0, -1.25, "the most probable paths;\nhatched: rain on the framed day", va="center", fontsize=theme.SMALL
        )
        self.bars = paths.barh(range(self.MOST), [0] * self.MOST, 0.7, edgecolor=theme.BLACK, **MOVING)
        self.chances = [paths.text(0, y, "", va="center", fontsize=theme.SMALL, **MOVING) for y in range(self.MOST)]
        self.listed = self._letters(paths)

    @staticmethod
    def _letters(axes):
        """Lines that write R and D for the two states; markers are drawn much faster than texts."""
        look = {"linestyle": "", "markersize": 11, "color": theme.BLACK, "markeredgewidth": 0.4, **MOVING}
        return [axes.plot([], [], marker=rf"$\mathrm{{{name}}}$", **look)[0] for name in "RD"]

    def show(self, answer, days, day, sizes, numbers, moves, by_day, best, paths):
        """`moves` are ((day, state), (day, state), weight); `paths` are (states, probability), the most probable first."""
        steps, added = range(1, len(days) + 1), answer == "sum"
        self.days.show(days, day)
        ends = [[(t, self.HEIGHTS[s]) for t, s in ends] for *ends, _ in moves]
        self.moves.set_segments(ends if added else [])
        self.moves.set_linewidths([max(14 * weight, 1) for *_, weight in moves])
        for number, arrow in enumerate(self.arrows):
            arrow.set_visible(not added and number < len(moves))
            if arrow.get_visible():
                (t, r), (_, s), _ = moves[number]
                arrow.set_positions(*ends[number])
                arrow.shrinkA, arrow.shrinkB = (_radius(sizes[at][each]) + 1 for at, each in ((t - 1, r), (t, s)))
        self.best.set(data=(steps, [self.HEIGHTS[state] for state in best]), visible=not added)
        self.key.set_text(self.KEYS[answer])
        for state, (dots, texts) in enumerate(zip(self.nodes, self.numbers)):
            y = self.HEIGHTS[state]
            dots.set_offsets([(t, y) for t in steps])
            dots.set_sizes([4 * _radius(size[state]) ** 2 for size in sizes])
            for t, text in enumerate(texts):
                seen = t < len(days)
                text.set(
                    x=t + 1, y=y + 0.3 - 0.6 * state, visible=seen, text=f"{numbers[t][state]:.3f}" if seen else ""
                )
        rows = [(t, y, state) for y, row in ((-1.06, by_day), (-1.44, best)) for t, state in zip(steps, row)]
        _write(self.rows, rows)
        _write(
            self.listed,
            [(0.04 + 0.075 * t, y, state) for y, (path, _) in enumerate(paths) for t, state in enumerate(path)],
        )
        left = 0.075 * len(days) + 0.05
        for place, (bar, number) in enumerate(zip(self.bars, self.chances)):
            seen = place < len(paths)
            path, chance = paths[place] if seen else (best, 0)
            width = (1.0 - left) * chance / paths[0][1]
            bar.set(x=left, width=width, visible=seen, **(DRY if path[day - 1] else RAIN))
            number.set(x=left + width + 0.02, text=f"{chance:.3f}", visible=seen)


class Streak(Picture):
    """A run of sixes between ones: belief that the die is loaded, roll by roll, and the best path below it."""

    FROM, TO = -10, 20

    def __init__(self, axes):
        theme.dress(
            axes,
            xlim=(self.FROM - 0.8, self.TO + 10.8),
            ylim=(-0.52, 1.06),
            yticks={-0.42: "best path", -0.16: "rolls", 0: "0", 0.5: "0.5", 1: "1"},
            xlabel="roll, counted from the first six",
            ylabel=("P(loaded)", {"y": 0.66, "labelpad": -30}),
        )
        axes.axhline(0.5, color=theme.GREY, linewidth=1)
        axes.axhline(0, color=theme.BLACK, linewidth=1.2)
        self.still = axes.plot([], [], ":", color=theme.GREY, label="if never swapped", **MOVING)[0]
        self.filtered = axes.plot([], [], "--", color=theme.BLACK, label="at the time", **MOVING)[0]
        self.smoothed = axes.plot([], [], color=theme.VERMILLION, label="in hindsight", **MOVING)[0]
        self.here = axes.plot([], [], "o", color=theme.VERMILLION, markersize=9, **MOVING)[0]
        letter = {"linestyle": "", "markersize": 10, "color": theme.BLACK, "markeredgewidth": 0.4, **MOVING}
        self.rolls = {roll: axes.plot([], [], marker=f"${roll}$", **letter)[0] for roll in (1, 6)}
        self.path = axes.stairs([0], [0, 1], fill=True, label="best path: loaded", **LOADED, **MOVING)
        axes.legend(loc="upper left", ncols=4, bbox_to_anchor=(-0.12, 1.19), columnspacing=1.2, handlelength=1.8)

    def show(self, first, rolls, still, filtered, smoothed, loaded, roll):
        """`first` is the place of the first roll; `loaded` says for each roll whether the best path has the loaded die."""
        at = np.arange(len(rolls)) + first
        for line, values in ((self.still, still), (self.filtered, filtered), (self.smoothed, smoothed)):
            line.set_data(at, values)
        self.here.set_data([at[roll]], [smoothed[roll]])
        for value, line in self.rolls.items():
            mine = at[np.asarray(rolls) == value]
            line.set_data(mine, np.full(len(mine), -0.16))
        self.path.set_data(np.where(loaded, -0.36, -0.48), np.arange(len(rolls) + 1) + first - 0.5, -0.48)


class Climb(Picture):
    """Baum–Welch: left the log-likelihood over the true model's, right the two dice as learned so far."""

    def __init__(self, curve, one, two, iterations, truth):
        ticks = [iterations.index(each) for each in (0, 5, 10, 20, 60, 300)]
        theme.dress(
            curve,
            xlim=(-0.8, len(iterations) - 0.2),
            yscale=("symlog", {"linthresh": 10, "linscale": 2}),
            yticks={-100: "−100", -30: "−30", -10: "−10", -5: "−5", 0: "0", 5: "+5"},
            ylim=(-400, 9),
            xticks={tick: str(iterations[tick]) for tick in ticks},
            xlabel="iteration (uneven scale)",
            ylabel=("log-likelihood\nabove the truth’s", {"labelpad": -4}),
            hide="minor",
        )
        curve.axhline(0, color=theme.GREY, linestyle=":", linewidth=2)
        curve.text(len(iterations) - 0.4, -150, "dotted, dashed: the true dice", ha="right", fontsize=theme.SMALL)
        self.line = curve.plot([], [], color=theme.BLUE, **MOVING)[0]
        self.point = curve.plot([], [], "s", color=theme.VERMILLION, markersize=12, **MOVING)[0]
        self.dice, self.truths, self.heads = [], [], []
        for axes, row, name in ((one, truth[0], "first die"), (two, truth[1], "second die")):
            axes.set(xlim=(0.4, 6.6), ylim=(0, 0.82), xticks=range(1, 7), yticks=[0, 0.5] if axes is one else [])
            self.dice.append(axes.bar(range(1, 7), [0] * 6, 0.8, facecolor=theme.SKY, edgecolor=theme.BLACK, **MOVING))
            outline = {"color": theme.BLACK, "linestyle": "--", "linewidth": 2, "zorder": 4, **MOVING}
            self.truths.append(axes.stairs(row, np.arange(7) + 0.5, baseline=None, **outline))
            axes.set_title(f"P(side), {name}", fontsize=theme.SMALL)
            self.heads.append(axes.text(3.5, 0.74, "", ha="center", va="center", fontsize=theme.SMALL, **MOVING))

    def show(self, gains, dice):
        at = np.arange(len(gains))
        self.line.set_data(at, gains)
        self.point.set_data(at[-1:], gains[-1:])
        for bars, head, row in zip(self.dice, self.heads, dice):
            for bar, value in zip(bars, row):
                bar.set_height(value)
            head.set_text(f"P(6) = {row[5]:.3f}")


class OwnRolls(Picture):
    """Rolls that somebody typed: belief that the die was loaded, the rolls with the best path, and how often each face came."""

    def __init__(self, curve, faces, shares):
        theme.dress(curve, ylim=(-0.03, 1.05), yticks=[0, 0.5, 1], ylabel="P(loaded)", ticks={"labelbottom": False})
        curve.axhline(0.5, color=theme.GREY, linewidth=1)
        self.filtered = curve.plot([], [], "--", color=theme.BLACK, label="at the time", **MOVING)[0]
        self.smoothed = curve.plot([], [], color=theme.VERMILLION, label="in hindsight", **MOVING)[0]
        faces.set(ylim=(0.3, 6.7), yticks=[1, 6], xlabel="roll", ylabel="face")
        self.path = faces.stairs([0], [0, 1], fill=True, label="best path: loaded", **LOADED, **MOVING)
        look = {"linestyle": "", "markersize": 6, "color": theme.BLUE, "markeredgewidth": 0, **MOVING}
        self.others = faces.plot([], [], marker="o", **look)[0]
        self.sixes = faces.plot([], [], marker="s", **(look | {"color": theme.VERMILLION, "markersize": 7}))[0]
        handles = [self.filtered, self.smoothed, self.path]
        curve.legend(handles=handles, loc="upper left", ncols=3, bbox_to_anchor=(-0.1, 1.34), columnspacing=1.2)
        theme.dress(
            shares,
            xlim=(0, 1.3),
            ylim=(7.6, 0.4),
            xticks=[0, 0.5, 1],
            yticks=dict(enumerate([*"123456", "repeat"], start=1)),
            title=("share of the rolls", {"fontsize": theme.SMALL}),
        )
        look = {"facecolor": theme.SKY, "edgecolor": theme.BLACK, **MOVING}
        self.bars = shares.barh(range(1, 8), [0] * 7, 0.7, **look)
        self.numbers = [shares.text(0, y, "", va="center", fontsize=theme.SMALL, **MOVING) for y in range(1, 8)]
        shares.axvline(1 / 6, color=theme.BLACK, linestyle="--", linewidth=1.5, zorder=4)
        shares.set_xlabel("dashed: one in six", fontsize=theme.SMALL)
        self.axes, self.length = (curve, faces), None

    def scale(self, length):
        """Make room for this many rolls; the axes are drawn again only when their number changes."""
        if length != self.length:
            self.length = length
            for axes in self.axes:
                axes.set_xlim(0.4, length + 0.6)

    def show(self, rolls, filtered, smoothed, loaded, shares):
        at = np.arange(1, len(rolls) + 1)
        self.scale(len(rolls))
        self.filtered.set_data(at, filtered)
        self.smoothed.set_data(at, smoothed)
        self.path.set_data(np.where(loaded, 6.7, 0.3), np.arange(len(rolls) + 1) + 0.5, 0.3)
        for line, mine in ((self.sixes, np.equal(rolls, 6)), (self.others, np.not_equal(rolls, 6))):
            line.set_data(at[mine], np.asarray(rolls)[mine])
        for bar, number, share in zip(self.bars, self.numbers, shares):
            bar.set_width(share)
            number.set(x=max(share, 1 / 6) + 0.03, text=f"{share:.2f}")


class LetterStates(Picture):
    """Two states learned from letters: how much of each letter is in state A, the climb, and a new text by its states."""

    def __init__(self, sides, curve, strip, symbols, text, rounds):
        self.symbols, self.text = symbols, text
        theme.dress(
            sides,
            xlim=(-0.8, len(symbols) - 0.2),
            ylim=(-0.12, 1.12),
            xticks=[],
            yticks={0: "all in B", 0.5: "half", 1: "all in A"},
            title=("share of each symbol in state A", {"fontsize": theme.SMALL, "loc": "left"}),
        )
        sides.axhline(0.5, color=theme.GREY, linestyle=":", linewidth=1.5)
        look = {"linestyle": "", "color": theme.BLACK, "markeredgewidth": 0.4, **MOVING}
        self.letters = [sides.plot([], [], marker=_glyph(symbol), markersize=22, **look)[0] for symbol in symbols]
        ticks = [rounds.index(each) for each in (0, 5, 20, 60, 300)]
        theme.dress(
            curve,
            yscale=("symlog", {"linthresh": 100, "linscale": 1}),
            xlim=(-0.8, len(rounds) - 0.2),
            ylim=(-5000, 1000),
            yticks={-1000: "−1000", -100: "−100", 0: "0", 100: "+100", 526: "+526"},
            xticks={tick: str(rounds[tick]) for tick in ticks},
            xlabel=("iteration (uneven)", {"fontsize": theme.SMALL, "labelpad": 1}),
            title=("log-likelihood\nabove one die’s", {"fontsize": theme.SMALL}),
            hide="minor",
        )
        curve.axhline(0, color=theme.GREY, linestyle=":", linewidth=1.5)
        self.line = curve.plot([], [], color=theme.BLUE, **MOVING)[0]
        self.point = curve.plot([], [], "s", color=theme.VERMILLION, markersize=11, **MOVING)[0]
        theme.dress(strip, xlim=(-1, len(text)), ylim=(-0.6, 1.6), xticks=[], yticks={0: "B", 1: "A"})
        unseen = "the first letters of a tale it has not seen, each in its most probable state"
        strip.set_title(unseen, fontsize=theme.SMALL, loc="left")
        self.read = [strip.plot([], [], marker=_glyph(symbol), markersize=24, **look)[0] for symbol in symbols]

    def show(self, shares, gains, states):
        """`shares` of the symbols in state A, `gains` up to now, `states` a string of A and B for the new text."""
        for number, (line, share) in enumerate(zip(self.letters, shares)):
            line.set_data([number], [share])
        at = np.arange(len(gains))
        self.line.set_data(at, gains)
        self.point.set_data(at[-1:], gains[-1:])
        for symbol, line in zip(self.symbols, self.read):
            mine = [place for place, each in enumerate(self.text) if each == symbol]
            line.set_data(mine, [states[place] == "A" for place in mine])


def _glyph(letter):
    """A letter as a marker. A lone point far off gives all letters one scale; else each would be stretched to the same size."""
    path = TextPath((0, 0), letter, size=1, prop=FontProperties(family="DejaVu Sans"))
    middle = (path.vertices[:, 0].min() + path.vertices[:, 0].max()) / 2, 0.28
    return Path.make_compound_path(Path(path.vertices - middle, path.codes), Path([(0.75, 0.75)], [Path.MOVETO]))


def _write(lines, places):
    """Put the letters of (x, y, state) where they belong, a line per state."""
    for state, line in enumerate(lines):
        mine = [place[:2] for place in places if place[2] == state]
        line.set_data(*zip(*mine) if mine else ([], []))


def likelihood(value):
    """A likelihood in five characters: three decimals, or a power of ten where they would be too few."""
    return f"{value:.3f}" if value >= 0.01 else f"{value:.0e}".replace("e-0", "e−")


def _radius(probability):
    """The radius of a node, in points, such that its area grows with the probability."""
    return np.sqrt(60 + 900 * probability) / 2
