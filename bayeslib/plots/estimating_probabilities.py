"""The pictures of section 06, estimating probabilities. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Polygon, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import IdentityTransform

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING, Picture

# Hits are squares and misses circles; real ones are filled, virtual ones hollow.
BALLS = {
    ("real", "hit"): {"marker": "s", "color": theme.VERMILLION},
    ("real", "miss"): {"marker": "o", "color": theme.BLUE, "markerfacecolor": theme.SKY},
    ("virtual", "hit"): {"marker": "s", "color": theme.VERMILLION, "markerfacecolor": "none"},
    ("virtual", "miss"): {"marker": "o", "color": theme.BLUE, "markerfacecolor": "none"},
}


class Balls(Picture):
    """Real and virtual examples as balls, and below them where the estimate lies between data and prior."""

    START = {"real": 0.0, "virtual": 21.5}  # where the tray of each kind begins

    def __init__(self, trays, line):
        theme.dress(trays, xlim=(-0.8, 41.6), ylim=(6.5, -2.1), hide="all")
        balls = {"linestyle": "", **MOVING}
        self.balls = {kind: trays.plot([], [], **look, **balls)[0] for kind, look in BALLS.items()}
        self.parts = {
            kind: trays.plot([], [], **look, **balls)[0] for kind, look in BALLS.items() if kind[0] == "virtual"
        }
        self.heads = {kind: trays.text(x - 0.4, -1.5, "", va="center", **MOVING) for kind, x in self.START.items()}
        self.sum = trays.text(20.5, 5.7, "", ha="center", va="center", weight="bold", **MOVING)
        theme.dress(
            line,
            xlim=(0, 1),
            ylim=(-1, 1),
            yticks=[],
            xticks=np.linspace(0, 1, 11),
            xlabel="▲ estimate of the probability of a hit (a square)",
            hide="left",
        )
        self.pull = line.plot([], [], "-", color=theme.BLACK, linewidth=4, solid_capstyle="butt", **MOVING)[0]
        self.prior = line.plot([], [], "D", color=theme.PURPLE, clip_on=False, **MOVING)[0]
        self.data = line.plot([], [], "o", color=theme.GREEN, clip_on=False, **MOVING)[0]
        self.estimate = line.plot([], [], "^", color=theme.BLACK, markersize=16, clip_on=False, **MOVING)[0]
        words = {"fontsize": theme.SMALL, **MOVING}
        self.words = {name: line.text(0, y, "", va="center", **words) for name, y in (("data", 0.72), ("prior", -0.72))}

    def show(self, n_c, n, p, m, estimate):
        """`n_c` of `n` real balls and a share `p` of `m` virtual ones are hits; a smaller ball is a part of one."""
        self.columns, size = (10, 20) if max(n, m) <= 18 else (20, 10)  # few balls are drawn large
        for line in (*self.balls.values(), *self.parts.values()):
            line.set_markersize(size)
        self._place("real", n_c, n - n_c)
        self._place("virtual", m * p, m * (1 - p))
        self.heads["real"].set_text(f"real, filled: hits {n_c} of {n}")
        self.heads["virtual"].set_text(f"virtual, hollow: hits {m * p:.4g} of {m:g}")
        self.sum.set_text(f"({n_c} + {m * p:.4g}) / ({n} + {m:g}) = {estimate:.3f}")
        start = n_c / n if n else p
        self.pull.set_data([start, estimate], [0, 0])
        self.data.set(data=([start], [0]), visible=n > 0)
        self.prior.set_data([p], [0])
        self.estimate.set_data([estimate], [0])
        self._say("data", start, f"data {n_c}/{n} = {start:.3f}")
        self.words["data"].set_visible(n > 0)
        self._say("prior", p, f"prior p = {p:.2f}")

    def _say(self, name, x, text):
        self.words[name].set(x=x, text=text, ha="left" if x < 0.15 else "right" if x > 0.85 else "center")

    def _place(self, kind, hits, misses):
        """Whole balls in reading order, hits first; what is left of each sort stands after its whole balls, smaller."""
        place = 0
        for sort, number in (("hit", hits), ("miss", misses)):
            whole = int(number + 1e-9)
            part = max(number - whole, 0)
            self.balls[kind, sort].set_data(self._grid(kind, place, whole))
            place += whole
            if kind == "virtual":
                seen = part > 1e-6
                piece = self.parts[kind, sort]
                piece.set(data=self._grid(kind, place, int(seen)), markersize=piece.get_markersize() * part**0.5)
                place += seen

    def _grid(self, kind, first, number):
        index, pitch = np.arange(first, first + number), 20 / self.columns
        return self.START[kind] + pitch * (index % self.columns) + (pitch - 1) / 2, pitch * (index // self.columns)


class DayGrid(Picture):
    """All 36 days as tiles: shade, bar and number tell P(no); beside them the chosen day's P(no) up to this m."""

    SHADES = LinearSegmentedColormap.from_list("P(no)", [theme.WHITE, theme.ORANGE])

    def __init__(self, grid, trace, columns, rows, limit):
        """`columns` and `rows` are pairs of attributes, each a list of values; `limit` is P(no) when m is infinite."""
        (outer, inner), (upper, lower) = columns, rows
        wide, high = len(outer) * len(inner), len(upper) * len(lower)
        theme.dress(grid, xlim=(-3.1, wide + 0.1), ylim=(high + 0.1, -1.4), hide="all")
        small = {"fontsize": theme.SMALL, "va": "center"}
        grid.text(-0.15, -1.0, "P(no) in percent", ha="right", **small)
        for place, name in enumerate(outer):
            grid.text((place + 0.5) * len(inner), -1.0, name, ha="center", weight="bold", va="center")
        for place in range(wide):
            grid.text(place + 0.5, -0.35, inner[place % len(inner)], ha="center", **small)
        for place in range(high):
            words = f"{upper[place // len(lower)]}, {lower[place % len(lower)]}"
            grid.text(-0.15, place + 0.5, words, ha="right", **small)
        self.corners = np.array([(x, y) for y in range(high) for x in range(wide)], dtype=float)
        crisp = {"antialiaseds": False, **MOVING}
        self.tiles = PolyCollection(_boxes(self.corners, 1, 1), edgecolors=theme.GREY, linewidths=1, **crisp)
        self.bars = PolyCollection([], facecolors=theme.BLACK, edgecolors="none", **crisp)
        self.numbers = PathCollection(
            [_glyph("0")], sizes=[1], offsets=self.corners + (0.5, 0.4), offset_transform=grid.transData
        )
        self.numbers.set(facecolor=theme.BLACK, edgecolor="none", transform=IdentityTransform(), **MOVING)
        for each in (self.tiles, self.bars, self.numbers):
            grid.add_collection(each, autolim=False)
        diamond = {"color": theme.BLACK, "markerfacecolor": theme.YELLOW, "markersize": 8}
        self.changed = grid.plot([], [], "D", **diamond, **MOVING)[0]
        grid.plot(-2.1, -0.35, "D", **diamond)
        grid.text(-0.15, -0.35, "changed", ha="right", **small)
        self.frame = grid.add_patch(Rectangle((0, 0), 1, 1, fill=False, edgecolor=theme.BLACK, linewidth=4, **MOVING))
        theme.dress(
            trace,
            xlim=(-0.03, 1200),  # the point at 0 clears the labels
            ylim=(-0.06, 1.04),
            yticks=[0, 0.5, 1],
            xscale=("symlog", {"linthresh": 0.1, "linscale": 0.5}),
            xticks={0: "0", 1: "1", 30: "30", 1000: "1000"},
            xlabel="m (log scale)",
            title=("P(no) of the framed day", {"fontsize": theme.SMALL}),
            hide="minor",
        )
        trace.axhline(0.5, color=theme.GREY, linestyle=":", linewidth=2)
        self.limit = trace.axhline(limit, color=theme.GREY, linestyle="--", linewidth=2)
        trace.text(0.02, limit + 0.02, "prior of no", fontsize=theme.SMALL, color=theme.GREY)
        self.line = trace.plot([], [], "-", color=theme.BLACK, **MOVING)[0]
        self.point = trace.plot([], [], "s", color=theme.BLACK, markersize=12, clip_on=False, **MOVING)[0]

    def show(self, p_no, changed, day, ms, path):
        """`p_no` of each tile, which decisions have `changed`, the chosen `day`, its `path` over the `ms` so far."""
        shades = np.round(4 * p_no) / 4  # few, so that the palette of the stored picture has room for them
        self.tiles.set_facecolor(self.SHADES(shades))
        self.bars.set_verts(_boxes(self.corners + (0.08, 0.78), 0.84 * p_no, 0.14))
        self.numbers.set_paths([_glyph(percent(each)) for each in p_no])
        self.changed.set_data((self.corners[changed] + (0.83, 0.83)).T)
        self.frame.set_xy(self.corners[day])
        self.line.set_data(ms, path)
        self.point.set_data(ms[-1:], path[-1:])


class BetaCurve(Picture):
    """What is believed about θ: the density before and after the observations, its mean, its mode and the middle 90%."""

    SCALES = (3, 6, 12, 25, 50)  # densities at the top of the picture; the axis bears no numbers

    def __init__(self, axes, words, theta):
        axes.set(
            xlim=(0, 1),
            ylim=(0, 1),
            yticks=[],
            xticks=np.linspace(0, 1, 11),
            xlabel="true probability θ of a strong wind",
            ylabel="density",
        )
        self.theta = theta
        self.band = Polygon([(0, 0)], facecolor=theme.SKY, edgecolor=theme.BLUE, label="middle 90%", **MOVING)
        axes.add_patch(self.band)
        before = {"color": theme.GREY, "linestyle": "--", "linewidth": 2}
        self.prior = axes.plot([], [], label="prior", **before, **MOVING)[0]
        self.curve = axes.plot([], [], "-", color=theme.BLUE, label="posterior", **MOVING)[0]
        self.mean = axes.plot(
            [], [], "^", color=theme.VERMILLION, label="mean", markersize=14, clip_on=False, **MOVING
        )[0]
        self.mode = axes.plot([], [], "o", color=theme.BLACK, label="mode", markersize=11, clip_on=False, **MOVING)[0]
        theme.dress(words, xlim=(0, 1), ylim=(0, 1), hide="all")
        handles = [self.prior, self.curve, self.band, self.mean, self.mode]
        words.legend(handles=handles, loc="lower left", borderaxespad=0, handlelength=1.8)
        self.title = words.text(0, 0.98, "", va="top", weight="bold", **MOVING)
        self.lines = words.text(0, 0.85, "", va="top", linespacing=1.5, **MOVING)

    def show(self, prior, curve, mean, mode, band, title, lines):
        """Densities over θ; the `mode` may be None, where there is none; `band` is an interval of θ."""
        top = next((scale for scale in self.SCALES if curve[4:-4].max() < 0.93 * scale), self.SCALES[-1])
        before, after = (np.minimum(density / top, 2) for density in (prior, curve))  # at the ends it may be infinite
        low, high = band
        inside = np.concatenate([[low], self.theta[(self.theta > low) & (self.theta < high)], [high]])
        self.band.set_xy([(low, 0), *zip(inside, np.interp(inside, self.theta, after)), (high, 0)])
        self.prior.set_data(self.theta, before)
        self.curve.set_data(self.theta, after)
        self.mean.set_data([mean], [0.03])
        self.mode.set_visible(mode is not None)
        if mode is not None:
            self.mode.set_data([mode], [min(np.interp(mode, self.theta, after), 0.97)])
        self.title.set_text(title)
        self.lines.set_text(lines)


class ErrorCurve(Picture):
    """Mean squared error over the true θ, with and without virtual examples, and the θ for which they help."""

    SCALES = (0.006, 0.012, 0.03, 0.06, 0.12, 0.3, 0.6, 1.2)

    def __init__(self, axes, theta):
        axes.set(xlim=(0, 1), xticks=np.linspace(0, 1, 11), xlabel="true probability θ", ylabel="mean squared error")
        axes.yaxis.set_label_coords(-0.09, 0.5)
        self.axes, self.theta, self.scale = axes, theta, None
        helps = {"color": theme.GREEN, "linewidth": 8, "solid_capstyle": "butt", "clip_on": False}
        self.helps = axes.plot([], [], "-", **helps, **MOVING)[0]
        self.plain = axes.plot([], [], "--", color=theme.GREY, **MOVING)[0]
        self.curve = axes.plot([], [], "-", color=theme.BLUE, **MOVING)[0]
        self.here = axes.plot([], [], color=theme.BLACK, linewidth=1.5, linestyle=":", **MOVING)[0]
        self.points = [
            axes.plot([], [], marker, color=colour, markersize=12, clip_on=False, **MOVING)[0]
            for marker, colour in (("o", theme.GREY), ("s", theme.VERMILLION))
        ]
        handles = [self.helps, (self.plain, self.points[0]), (self.curve, self.points[1])]
        labels = ["smoothing helps here", "n_c/n, no smoothing", "m-estimate"]
        where = {"loc": "lower left", "bbox_to_anchor": (-0.02, 1.0), "borderaxespad": 0.2}
        axes.legend(handles, labels, ncols=3, columnspacing=1.4, handlelength=2.6, **where)

    def show(self, plain, curve, span, theta, errors):
        """Both errors over θ, the span where smoothing helps, and the errors (plain, smoothed) at the chosen θ."""
        most = max(plain.max(), curve.max())
        top = next(scale for scale in self.SCALES if most <= scale)
        if top != self.scale:
            self.scale = top
            self.axes.set(ylim=(0, top), yticks=np.linspace(0, top, 7))
        self.plain.set_data(self.theta, plain)
        self.curve.set_data(self.theta, curve)
        self.helps.set_data(span, [0, 0])
        self.here.set_data([theta, theta], [0, top])
        for point, error in zip(self.points, errors):
            point.set_data([theta], [error])


class Shrinkage(Picture):
    """Fractions, their m-estimates and, where known, what came later, as threads; how well each m did, over m."""

    MOST = 40  # threads
    # Of a thread whose estimate is closer to what came later than its fraction was, equally close, or farther off
    LOOKS = {
        1: {"color": theme.BLUE, "linestyle": "-"},
        0: {"color": theme.GREY, "linestyle": ":"},
        -1: {"color": theme.VERMILLION, "linestyle": "--"},
    }

    def __init__(self, threads, *scores, names, ms):
        """`names` of the stages of a thread; `scores` are one axes for each curve over the `ms`."""
        self.threads, self.ms, self.limits = threads, ms, None
        threads.set(xlim=(-0.12, len(names) - 0.88), xticks=range(len(names)), xticklabels=names)
        self.level = threads.axhline(0, color=theme.PURPLE, linestyle="-.", linewidth=2, **MOVING)
        self.lines = [threads.plot([], [], linewidth=1.5, **MOVING)[0] for _ in range(self.MOST)]
        self.chosen = threads.plot([], [], "o-", color=theme.BLACK, linewidth=4, **MOVING)[0]
        said = {"va": "top", "ha": "center", "fontsize": theme.SMALL, "parse_math": False, "bbox": theme.PLATE}
        self.said = threads.text(0.5, 0.99, "", **said, **MOVING)
        self.said.set_transform(threads.transAxes)
        handles, labels = [self.level, self.chosen], ["prior p", "chosen"]
        if len(names) == 3:
            handles = [*(threads.plot([], [], linewidth=1.5, **look)[0] for look in self.LOOKS.values()), *handles]
            labels = ["closer", "as close", "farther off", *labels]
        where = {"loc": "lower left", "bbox_to_anchor": (-0.2, 1.0), "borderaxespad": 0.1}
        threads.legend(handles, labels, ncols=5, columnspacing=0.9, handlelength=1.5, handletextpad=0.4, **where)
        self.scores = scores
        self.curves = [axes.plot([], [], "-", color=theme.BLUE, **MOVING)[0] for axes in scores]
        self.points = [axes.plot([], [], "s", color=theme.BLACK, clip_on=False, **MOVING)[0] for axes in scores]
        for axes in scores:
            theme.dress(
                axes,
                xscale=("symlog", {"linthresh": 1, "linscale": 0.4}),
                xlim=(0, ms[-1]),
                xticks={0: "0", 1: "1", 10: "10", 100: "100", 1000: "1000"},
                hide="minor",
            )
        scores[-1].set_xlabel("m (log scale)")

    def show(self, stages, gains, p, chosen, said, curves, points, limits):
        """`stages` × threads; a key of LOOKS for each; a thread that is `chosen`; `curves` over the ms and their `points` (m, y)."""
        if limits != self.limits:
            self.limits = limits
            for axes, (low, high) in zip((self.threads, *self.scores), limits):
                axes.set_ylim(low, high)
        x = range(len(stages))
        for number, line in enumerate(self.lines):
            shown = number < len(stages[0])
            line.set_visible(shown)
            if shown:
                line.set_data(x, [stage[number] for stage in stages])
                line.set(**self.LOOKS[gains[number]])
        self.level.set_ydata([p, p])
        self.chosen.set_data(x, [stage[chosen] for stage in stages])
        self.said.set_text(said)
        for line, point, curve, (m, y) in zip(self.curves, self.points, curves, points):
            line.set_data(self.ms, curve)
            point.set(data=([m], [y]), visible=bool(np.isfinite(y)))


class TwoSellers(Picture):
    """The estimates of two sellers over the prior p, for one m: where the lines cross, the lead changes."""

    def __init__(self, axes, names, p):
        axes.set(
            xlim=(0, 1),
            ylim=(0.3, 1.02),
            xticks=np.linspace(0, 1, 11),
            xlabel="prior p: share of content buyers of an average seller",
            ylabel="estimate",
        )
        self.p = p
        looks = ({"color": theme.BLUE, "linestyle": "-"}, {"color": theme.VERMILLION, "linestyle": "--"})
        self.lines = [axes.plot([], [], label=name, **look, **MOVING)[0] for name, look in zip(names, looks)]
        self.cross = axes.plot([], [], "X", color=theme.BLACK, markersize=13, label="the lead changes", **MOVING)[0]
        axes.legend(loc="lower left", ncols=3, bbox_to_anchor=(-0.02, 1.0), borderaxespad=0.2)
        self.here = axes.plot([], [], ":", color=theme.BLACK, linewidth=2, **MOVING)[0]
        self.points = [
            axes.plot([], [], marker, color=look["color"], clip_on=False, **MOVING)[0]
            for marker, look in zip("so", looks)
        ]
        self.said = axes.text(0.02, 0.05, "", transform=axes.transAxes, va="bottom", linespacing=1.4, **MOVING)

    def show(self, p, curves, estimates, cross, said):
        """`curves` over p, the `estimates` at the chosen p, and the p and height at which the lines `cross`, or None."""
        for line, curve in zip(self.lines, curves):
            line.set_data(self.p, curve)
        for point, estimate in zip(self.points, estimates):
            point.set_data([p], [estimate])
        self.cross.set(data=([], []) if cross is None else ([cross[0]], [cross[1]]))
        self.here.set_data([p, p], [0.3, 1.02])
        self.said.set_text(said)


def percent(probability):
    """A probability as a whole percentage; only a true 0 or 1 is shown as 0 or 100."""
    if 0 < probability < 0.005:
        return "<1"
    return "99" if 0.99 < probability < 1 else f"{100 * probability:.0f}"


_GLYPHS = {}


def _glyph(text):
    """A short text as a path around its middle: 36 of them are drawn at once, where 36 texts would take 50 ms."""
    if text not in _GLYPHS:
        path = TextPath((0, 0), text, size=theme.SMALL, prop=FontProperties(family=theme.RC["font.family"]))
        box = path.get_extents()
        _GLYPHS[text] = Path(path.vertices - ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2), path.codes)
    return _GLYPHS[text]


def _boxes(corners, widths, height):
    """The four corners of each box, from its upper left one (y points down)."""
    x, y = corners.T
    right = x + widths
    return np.stack([np.stack(each, axis=-1) for each in ((x, y), (right, y), (right, y + height), (x, y + height))], 1)
