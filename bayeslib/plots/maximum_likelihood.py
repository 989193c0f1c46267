"""The pictures of section 03, maximum likelihood and description length. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.patches import Rectangle

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING, Picture

BEST = {"marker": "D", "color": theme.BLACK, "markerfacecolor": theme.YELLOW, "linestyle": ""}
YOURS = {"marker": "s", "color": theme.VERMILLION, "markersize": 19, "linestyle": "", "markerfacecolor": "none"}
YOURS["markeredgewidth"] = 3  # hollow, so that the best is seen inside it


def tiny(value, digits=2):
    """A number with this many digits, a very small one with a power of ten.

    >>> tiny(0.0022236), tiny(0.0000049), tiny(0)
    ('0.0022', '4.9 × 10⁻⁶', '0')
    """
    if value == 0 or value >= 1e-4:
        return f"{value:.{digits}g}"
    front, power = f"{value:.{digits - 1}e}".split("e-")
    return f"{front} × 10⁻{power.lstrip('0').translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


class CoinLikelihood(Picture):
    """θ^h (1−θ)^t over θ, up to its peak, or its logarithm, with the reader's θ on it."""

    SCALES = {"likelihood": ((0, 1.12), [0, 0.5, 1], "likelihood"), "log": ((-10, 0.8), [-10, -5, 0], "ln likelihood")}

    def __init__(self, axes):
        axes.set(xlim=(-0.02, 1.02), xticks=np.linspace(0, 1, 11), xlabel="θ, the probability of heads")
        axes.yaxis.set_label_coords(-0.15, 0.5)
        axes.tick_params(labelleft=False)
        self.axes, self.scale = axes, None
        self.curve = axes.plot([], [], color=theme.BLUE, **MOVING)[0]
        self.peak = axes.plot([], [], **BEST, label="peak", clip_on=False, **MOVING)[0]
        self.yours = axes.plot([], [], **YOURS, label="your θ", clip_on=False, **MOVING)[0]
        self.words = axes.text(0, 1.06, "", transform=axes.transAxes, **MOVING)
        beside = {"ha": "right", "va": "center", "fontsize": theme.SMALL, "transform": axes.get_yaxis_transform()}
        self.ticks = [axes.text(-0.012, 0, "", **beside, **MOVING) for _ in range(3)]
        axes.legend(loc="lower right", ncols=2, bbox_to_anchor=(1.01, 0.99), handletextpad=0.4, columnspacing=1)

    def show(self, scale, theta, heights, ticks, yours, peak, words):
        """The curve's `heights` over `theta` on this scale, what its three `ticks` stand for, the reader's place and the
        peak's (None: it is flat)."""
        limits, places, label = self.SCALES[scale]
        if scale != self.scale:
            self.scale = scale
            self.axes.set(ylim=limits, ylabel=label, yticks=places)
        seen = heights > limits[0] - 30
        self.curve.set_data(theta[seen], heights[seen])
        for text, place, say in zip(self.ticks, places, ticks):
            text.set(y=place, text=say)
        self.yours.set_data([yours[0]], [max(yours[1], limits[0])])  # far below, it waits at the edge
        self.peak.set(data=([peak[0]], [peak[1]]) if peak else ([], []), visible=peak is not None)
        self.words.set_text(words)


class MeanLikelihood(Picture):
    """Data on a number line with their distances to μ, and under it the log-likelihood of every μ."""

    LOW = -12

    def __init__(self, line, curve, data):
        self.data, rows = np.asarray(data, dtype=float), np.arange(len(data))
        theme.dress(line, xlim=(0, 12), ylim=(-0.8, len(data) - 0.2), xticks=[], yticks=[], hide="left bottom")
        curve.set(
            xlim=(0, 12),
            ylim=(self.LOW, 0.9),
            xticks=range(13),
            yticks=[-10, -5, 0],
            xlabel="μ",
            ylabel="log-likelihood\nminus its best",
        )
        self.dots = line.plot(self.data, rows, "o", color=theme.BLUE, markersize=11, label="measurement")[0]
        self.residuals = [line.plot([], [], "-", color=theme.GREY, linewidth=2, **MOVING)[0] for _ in rows]
        self.rule = line.axvline(0, color=theme.VERMILLION, linestyle="--", **MOVING)
        self.words = line.text(0.5, 1.08, "", ha="center", transform=line.transAxes, **MOVING)
        self.parabola = curve.plot([], [], color=theme.BLUE, **MOVING)[0]
        self.peak = curve.plot([], [], **BEST, label="the mean", **MOVING)[0]
        self.yours = curve.plot([], [], **YOURS, label="your μ", clip_on=False, **MOVING)[0]
        self.residuals[0].set_label("residual")
        handles = [self.dots, self.residuals[0], self.peak, self.yours]
        curve.legend(
            handles=handles, loc="lower right", bbox_to_anchor=(1.03, -0.05), handletextpad=0.4, labelspacing=0.3
        )

    def show(self, mu, behind, curve, mean, words):
        """Your μ and how far its log-likelihood is `behind`; the curve as places and heights; the mean; a line of words."""
        for row, (line, value) in enumerate(zip(self.residuals, self.data)):
            line.set_data([value, mu], [row, row])
        self.rule.set_xdata([mu, mu])
        self.parabola.set_data(*curve)
        self.peak.set_data([mean], [0])
        self.yours.set_data([mu], [max(behind, self.LOW)])
        self.words.set_text(words)


class LineFit(Picture):
    """Points and a line with its errors drawn as squares; beside them how far the line is behind the best one."""

    HANDLES = np.array([-0.5, 4.5])  # where the line is held, away from the points
    SIZES = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000]  # how far the scale may reach

    def __init__(self, points, plane):
        points.set(xlim=(-0.85, 4.85), ylim=(-0.6, 11), xticks=range(5), yticks=range(0, 11, 2), xlabel="x", ylabel="y")
        plane.set(xlabel="Σ r² minus the best", ylabel="ln likelihood minus the best")
        plane.yaxis.set_label_coords(-0.36, 0.5)
        self.points, self.plane, self.reach = points, plane, None
        box = points.bbox
        self.square = (box.height / np.ptp(points.get_ylim())) / (box.width / np.ptp(points.get_xlim()))
        look = {"facecolor": theme.SKY, "edgecolor": theme.BLACK, "linewidth": 1.5}
        self.squares = [points.add_patch(Rectangle((0, 0), 0, 0, **look, **MOVING)) for _ in range(5)]
        dashed = {"color": theme.BLACK, "linestyle": "--", "linewidth": 2, "zorder": 2.5, "label": "best line"}
        self.best = points.plot(self.HANDLES, [0, 0], **dashed, **MOVING)[0]
        yours = {"color": theme.BLUE, "marker": "s", "markersize": 13, "label": "your line"}
        self.line = points.plot(self.HANDLES, [0, 0], **yours, **MOVING)[0]
        self.dots = points.plot([], [], "o", color=theme.BLACK, markersize=11, **MOVING)[0]
        ring = {"markerfacecolor": "none", "markeredgewidth": 2, "markersize": 19}
        self.chosen = points.plot([], [], "o", color=theme.BLACK, **ring, **MOVING)[0]
        self.squares[0].set_label("r² as an area")
        points.legend(loc="upper left", ncols=3, bbox_to_anchor=(-0.01, 1.03), handlelength=1.8, columnspacing=1)
        self.ray = plane.plot([], [], "-", color=theme.GREY, linewidth=2, **MOVING)[0]
        self.there = plane.plot([0], [0], **BEST, clip_on=False, label="best")[0]
        self.here = plane.plot([], [], **{**YOURS, "color": theme.BLUE}, clip_on=False, label="yours", **MOVING)[0]
        plane.legend(loc="lower left", bbox_to_anchor=(-0.02, -0.02), handletextpad=0.2)
        self.words = points.text(0, 1.06, "", fontsize=theme.SMALL, transform=points.transAxes, **MOVING)

    def show(self, points, chosen, yours, best, behind, ray, words):
        """`yours` and `best` are lines (intercept, slope), `best` None where no single line is best; `behind` says by how
        much yours has more squared error and less log-likelihood than is possible, `ray(more)` is that loss in general."""
        x, y = np.asarray(points).T
        on_line = yours[0] + yours[1] * x
        for each in range(x.size):
            side = y[each] - on_line[each]
            self.squares[each].set(xy=(x[each], on_line[each]), width=abs(side) * self.square, height=side)
        self.line.set_ydata(yours[0] + yours[1] * self.HANDLES)
        self.best.set_visible(best is not None)
        if best is not None:
            self.best.set_ydata(best[0] + best[1] * self.HANDLES)
        self.dots.set_data(x, y)
        self.chosen.set_data([x[chosen]], [y[chosen]])
        size = next((size for size in self.SIZES if size >= max(behind)), self.SIZES[-1])
        if size != self.reach:  # the scale is drawn again only when it changes
            self.reach = size
            ticks = np.array([0, 0.5, 1]) * size
            theme.dress(
                self.plane,
                xlim=(0, 1.03 * size),
                ylim=(-1.03 * size, 0.05 * size),
                xticks=ticks,
                yticks={-tick: theme.minus(f"{-tick:g}") for tick in ticks},
            )
        self.ray.set_data([0, size], [0, -ray(size)])
        self.here.set_data([min(behind[0], size)], [-min(behind[1], size)])
        self.words.set_text(words)


class NoiseKnob(Picture):
    """Points and the most likely line for noise between Laplace and Gaussian; beside them each point's loss and pull."""

    ENDS = np.array([-0.5, 4.5])

    def __init__(self, points, loss, pull):
        points.set(xlim=(-0.6, 4.6), ylim=(-0.6, 11), xticks=range(5), yticks=range(0, 11, 2), xlabel="x", ylabel="y")
        theme.dress(
            loss,
            xlim=(-10.5, 10.5),
            ylim=(-3, 56),
            xticks=[-10, -5, 0, 5, 10],
            yticks=[0, 25, 50],
            ylabel="loss",
            ticks={"labelbottom": False},
        )
        pull.set(
            xlim=(-10.5, 10.5),
            ylim=(-12, 12),
            xticks=[-10, -5, 0, 5, 10],
            yticks=[-10, 0, 10],
            ylabel="pull",
            xlabel="residual r",
        )
        for axes in (loss, pull):
            axes.yaxis.set_label_coords(-0.17, 0.5)
            axes.axvline(0, color=theme.GREY, linewidth=1)
        pull.axhline(0, color=theme.GREY, linewidth=1)
        self.points = points
        self.errors = [points.plot([], [], "-", color=theme.GREY, linewidth=2, **MOVING)[0] for _ in range(5)]
        ends = {"squares": ("--", "exponent 2"), "absolute": (":", "exponent 1")}
        self.ends = {
            name: points.plot([], [], style, color=theme.BLACK, linewidth=2, label=label, **MOVING)[0]
            for name, (style, label) in ends.items()
        }
        self.line = points.plot([], [], color=theme.BLUE, label="best line", **MOVING)[0]
        self.dots = points.plot([], [], "o", color=theme.BLACK, markersize=11, **MOVING)[0]
        ring = {"markerfacecolor": "none", "markeredgewidth": 2, "markersize": 19}
        self.chosen = points.plot([], [], "o", color=theme.BLACK, **ring, **MOVING)[0]
        self.errors[0].set_label("residual")
        points.legend(
            loc="lower left",
            ncols=4,
            bbox_to_anchor=(-0.04, 0.98),
            handlelength=1.5,
            columnspacing=0.8,
            handletextpad=0.4,
        )
        self.curves, self.marks = {}, {}
        for name, axes in (("loss", loss), ("pull", pull)):
            self.curves[name] = axes.plot([], [], color=theme.BLUE, **MOVING)[0]
            self.marks[name] = axes.plot([], [], "o", color=theme.BLACK, markersize=9, clip_on=False, **MOVING)[0]
        self.words = loss.text(0.5, 1.08, "", ha="center", fontsize=theme.SMALL, transform=loss.transAxes, **MOVING)

    def show(self, points, chosen, line, ends, loss, pull, words):
        """`line` is the best one, `ends` those of exponents 1 and 2 (None where none is best); `loss` and `pull` are
        functions of a residual."""
        x, y = np.asarray(points).T
        grid = np.linspace(-10.5, 10.5, 211)
        residuals = y - line[0] - line[1] * x
        for each, stroke in enumerate(self.errors):
            stroke.set_data([x[each]] * 2, [y[each] - residuals[each], y[each]])
        self.line.set_data(self.ENDS, line[0] + line[1] * self.ENDS)
        for name, artist in self.ends.items():
            artist.set_data(self.ENDS, ends[name][0] + ends[name][1] * self.ENDS)
        self.dots.set_data(x, y)
        self.chosen.set_data([x[chosen]], [y[chosen]])
        for name, of in (("loss", loss), ("pull", pull)):
            self.curves[name].set_data(grid, of(grid))
            self.marks[name].set_data(residuals, of(residuals))
        self.words.set_text(words)


class MeanPrior(Picture):
    """Three curves over μ: the belief before, the likelihood of the measurements, and the belief after."""

    LOOKS = {
        "before": ("before: prior", {"color": theme.BLACK, "linestyle": "--"}),
        "likelihood": ("likelihood", {"color": theme.VERMILLION, "linestyle": ":"}),
        "after": ("after: posterior", {"color": theme.BLUE, "linestyle": "-"}),
    }

    def __init__(self, axes):
        axes.set(xlim=(0, 12), ylim=(0, 1.28), xticks=range(13), yticks=[], xlabel="μ", ylabel="density ÷ its peak")
        self.curves = {
            name: axes.plot([], [], label=label, **look, **MOVING)[0] for name, (label, look) in self.LOOKS.items()
        }
        foot = {"clip_on": False, "zorder": 3}
        self.mean = axes.plot([], [], "o", color=theme.VERMILLION, markersize=12, label="mean", **foot, **MOVING)[0]
        self.most = axes.plot([], [], **BEST, label="MAP", **foot, **MOVING)[0]
        self.words = axes.text(0.01, 0.9, "", transform=axes.transAxes, **MOVING)
        axes.legend(loc="lower center", ncols=5, bbox_to_anchor=(0.49, 0.98), handlelength=1.9, columnspacing=1)

    def show(self, mu, curves, mean, most, words):
        """The three curves over `mu` (None: there is none), the mean of the measurements and the most probable μ."""
        for name, artist in self.curves.items():
            artist.set(data=(mu, curves[name]) if curves[name] is not None else ([], []))
        self.mean.set_data(*([mean], [0]) if mean is not None else ([], []))
        self.most.set_data([most], [1])
        self.words.set_text(words)


class SlopePrior(Picture):
    """Points, the line of least squares and the one that a prior on the slope makes; beside them the slope's belief."""

    ENDS = np.array([-0.5, 4.5])

    def __init__(self, points, belief):
        points.set(xlim=(-0.6, 4.6), ylim=(-0.6, 7), xticks=range(5), yticks=range(0, 8, 2), xlabel="x", ylabel="y")
        belief.set(
            xlim=(-1, 2), ylim=(0, 1.12), xticks=[-1, 0, 1, 2], yticks=[], xlabel="slope b", ylabel="density ÷ its peak"
        )
        self.dots = points.plot([], [], "o", color=theme.BLACK, markersize=11, **MOVING)[0]
        self.best = points.plot([], [], "--", color=theme.BLACK, linewidth=2, label="least squares", **MOVING)[0]
        self.line = points.plot([], [], color=theme.BLUE, label="with the prior", **MOVING)[0]
        points.legend(loc="lower center", ncols=2, bbox_to_anchor=(0.5, 0.98), columnspacing=1)
        self.curves = {
            name: belief.plot([], [], label=label, **look, **MOVING)[0]
            for name, (label, look) in {
                "before": ("prior", MeanPrior.LOOKS["before"][1]),
                "likelihood": MeanPrior.LOOKS["likelihood"],
                "after": ("posterior", MeanPrior.LOOKS["after"][1]),
            }.items()
        }
        belief.legend(
            loc="lower right",
            ncols=3,
            bbox_to_anchor=(1.05, 0.98),
            handlelength=1.5,
            handletextpad=0.4,
            columnspacing=0.7,
        )

    def show(self, points, best, line, slopes, curves):
        """The two lines (intercept, slope), and three curves over `slopes`."""
        self.dots.set_data(*np.asarray(points).T)
        for artist, each in ((self.best, best), (self.line, line)):
            artist.set_data(self.ENDS, each[0] + each[1] * self.ENDS)
        for name, artist in self.curves.items():
            artist.set_data(slopes, curves[name])


class MessageLength(Picture):
    """A message a hypothesis: first the hypothesis, then the data with its help, laid end to end."""

    THIN = 0.25  # a part shorter than this is not seen as a bar, so it is told in words

    def __init__(self, axes, hypotheses):
        theme.dress(axes, xlim=(0, 18.2), ylim=(len(hypotheses), -0.05), xticks=range(0, 19, 2), yticks=[], hide="left")
        self.axes, self.unit, self.hypotheses = axes, None, list(hypotheses)
        look = {"edgecolor": theme.BLACK, **MOVING}
        rows = np.arange(len(hypotheses)) + 0.67
        none = np.zeros(len(rows))
        self.model = axes.barh(rows, none, 0.4, color=theme.ORANGE, hatch="//", label="the hypothesis", **look)
        self.data = axes.barh(rows, none, 0.4, color=theme.SKY, label="the result, given it", **look)
        self.words = [axes.text(0.05, row - 0.3, "", va="center", **MOVING) for row in rows]
        self.thin = [axes.text(0, row, "", va="center", fontsize=theme.SMALL, **MOVING) for row in rows]
        axes.legend(loc="lower center", ncols=2, bbox_to_anchor=(0.5, 0.98), columnspacing=1.5)

    def show(self, model, data, words, unit):
        """The two lengths of every hypothesis, a line of words on it, and the unit they are in."""
        if unit != self.unit:
            self.unit = unit
            self.axes.set_xlabel(f"length of the message in {unit}")
        for row, h in enumerate(self.hypotheses):
            parts = {"the hypothesis": model[h], "the result": data[h]}
            thin = [f"{name} ({length:.4f})" for name, length in parts.items() if length < self.THIN]
            self.thin[row].set(
                x=model[h] + data[h] + 0.2, text=f"{' and '.join(thin)}: too short to see" if thin else ""
            )
            for bar, start, length in ((self.model[row], 0, model[h]), (self.data[row], model[h], data[h])):
                bar.set(x=start, width=length, visible=length >= self.THIN)
            self.words[row].set_text(words[h])


class DegreeBits(Picture):
    """A polynomial through points, the bits that each degree needs, and its error on points it has not seen.

    The bars begin at 0: bits for the model, and on them the bits that the data needs beyond those of the highest degree.
    """

    def __init__(self, fit, bars, held, degrees, top, look, said):
        fit.set(**look)
        self.dots = fit.plot([], [], "o", color=theme.BLACK, markersize=6, label="data", **MOVING)[0]
        self.curve = fit.plot([], [], color=theme.BLUE, label="fit", **MOVING)[0]
        self.truth = fit.plot([], [], "--", color=theme.BLACK, linewidth=1.5, label=said.get("truth"), **MOVING)[0]
        self.degrees, self.top = np.arange(degrees), top
        for axes in (bars, held):
            axes.set(xlim=(-0.7, degrees - 0.3), xticks=self.degrees)
            axes.yaxis.set_label_coords(-0.12, 0.5)
        theme.dress(bars, ylim=(0, 1.12 * top), yticks=[0, top // 2, top], ylabel="bits", ticks={"labelbottom": False})
        held.set(xlabel="degree", ylabel="error", **said["held"])
        held.minorticks_off()
        held.text(0.99, 0.97, said["new"], ha="right", va="top", fontsize=theme.SMALL, transform=held.transAxes)
        edge, none = {"edgecolor": theme.BLACK, **MOVING}, np.zeros(degrees)
        self.model = bars.bar(self.degrees, none, 0.72, color=theme.ORANGE, hatch="//", label="model", **edge)
        self.data = bars.bar(self.degrees, none, 0.72, color=theme.SKY, label="data, extra", **edge)
        star = {"marker": "*", "linestyle": "", "color": theme.BLACK, "markerfacecolor": theme.WHITE, "markersize": 17}
        self.shortest = bars.plot([], [], **star, label="least", clip_on=False, **MOVING)[0]
        arrow = {"marker": "v", "linestyle": "", "color": theme.VERMILLION, "markersize": 12, "label": "yours"}
        self.yours = bars.plot([], [], **arrow, clip_on=False, **MOVING)[0]
        beyond = {"ha": "center", "va": "top", "fontsize": theme.SMALL, "bbox": theme.PLATE}
        self.beyond = [bars.text(d, 0.93 * top, "", **beyond, **MOVING) for d in self.degrees]
        bars.legend(loc="lower right", ncols=4, bbox_to_anchor=(1.02, 0.97), handletextpad=0.3, columnspacing=0.6)
        fit.legend(loc="lower right", borderaxespad=0.1, handlelength=1.6)
        self.fresh = held.plot(self.degrees, none, "o-", color=theme.BLUE, linewidth=2, markersize=6, **MOVING)[0]
        self.least = held.plot([], [], **star, **MOVING)[0]
        self.here = held.plot(
            [], [], **{**arrow, "marker": "o", "markersize": 16, "markerfacecolor": "none"}, **MOVING
        )[0]
        self.here.set_markeredgewidth(2.5)

    def show(self, degree, points, curve, truth, model, data, fresh):
        """The chosen degree, the points, its curve and the true one (None: nobody knows it), and for all degrees the two
        lengths and the error on fresh points. A bar that is too high is cut, and its height written in it."""
        extra = data - data[-1]
        total = model + extra
        self.dots.set_data(*points)
        self.curve.set_data(*curve)
        self.truth.set(data=truth if truth is not None else ([], []))
        for each, text in enumerate(self.beyond):
            self.model[each].set_height(model[each])
            self.data[each].set(y=model[each], height=min(extra[each], self.top - model[each]))
            text.set_text(f"{total[each]:.0f}" if total[each] > self.top else "")
        best = int(total.argmin())
        low, high = np.minimum(total[[best, degree]], self.top) + 0.06 * self.top
        self.shortest.set_data([best], [low])
        self.yours.set_data([degree], [high + (0.13 * self.top if degree == best else 0)])
        self.fresh.set_ydata(fresh)
        self.least.set_data([fresh.argmin()], [fresh.min()])
        self.here.set_data([degree], [fresh[degree]])


class ThreeUses(Picture):
    """The posterior of three coins, and what MLE, MAP and averaging say of the next toss, head after head."""

    LOOKS = {
        "MAP": {"color": theme.BLACK, "marker": "s", "linestyle": "--", "drawstyle": "steps-mid"},
        "BMA": {"color": theme.BLUE, "marker": "o", "linestyle": "-"},
        "MLE": {
            "color": theme.VERMILLION,
            "marker": "^",
            "linestyle": ":",
            "markersize": 15,
            "markerfacecolor": "none",
        },
    }

    def __init__(self, bars, chart, chances, most):
        theme.dress(
            bars,
            xlim=(-0.6, len(chances) - 0.4),
            ylim=(0, 1.12),
            yticks=[0, 0.5, 1],
            xticks=dict(enumerate(f"{chance:g}" for chance in chances)),
            xlabel="coin's chance of heads",
            ylabel="posterior",
        )
        none = [0] * len(chances)
        self.bars = bars.bar(range(len(chances)), none, 0.7, color=theme.SKY, edgecolor=theme.BLACK, **MOVING)
        self.numbers = [bars.text(place, 0, "", ha="center", weight="bold", **MOVING) for place in range(len(chances))]
        chart.set(
            xlim=(-0.3, most + 0.3),
            ylim=(0.42, 0.84),
            xticks=range(most + 1),
            yticks=[0.5, 0.6, 0.7, 0.8],
            xlabel="heads in a row",
            ylabel="chance of another head",
        )
        self.rule = chart.axvline(0, color=theme.BLACK, linewidth=1.5, **MOVING)
        self.lines = {
            name: chart.plot([], [], linewidth=2.5, label=name, **{"markersize": 8, **look}, **MOVING)[0]
            for name, look in self.LOOKS.items()
        }
        chart.legend(loc="lower center", ncols=3, bbox_to_anchor=(0.5, 0.97), handlelength=2.4)

    def show(self, heads, posterior, curves):
        """The posterior after a number of heads; `curves` maps each use to its places and predictions."""
        for bar, text, belief in zip(self.bars, self.numbers, posterior):
            bar.set_height(belief)
            text.set(y=belief + 0.02, text=f"{belief:.3f}")
        self.rule.set_xdata([heads, heads])
        for name, line in self.lines.items():
            line.set_data(*curves[name])


class FlatPrior(Picture):
    """A belief about a coin and the likelihood behind it, over two scales: θ itself and its log odds."""

    TICKS = np.array([0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98])

    def __init__(self, chance, odds, theta):
        self.places = {"chance": theta, "log-odds": np.log(theta / (1 - theta))}
        chance.set(xlim=(0, 1), xticks=[0.1, 0.3, 0.5, 0.7, 0.9], xlabel="θ on its own scale", ylabel="÷ its peak")
        theme.dress(
            odds,
            xticks={np.log(tick / (1 - tick)): f"{tick:g}" for tick in self.TICKS},
            xlim=(-4.6, 4.6),
            xlabel="θ on the scale of log odds",
        )
        self.priors, self.lines, self.peaks, self.likelihoods, self.words = {}, {}, {}, {}, {}
        for axes, (name, places) in zip((chance, odds), self.places.items()):
            axes.set(ylim=(0, 1.12), yticks=[0, 0.5, 1])
            prior = np.ones(theta.size) if name == "chance" else 4 * theta * (1 - theta)
            dashed = {"color": theme.GREY, "linestyle": "--", "linewidth": 2, "label": "prior density"}
            self.priors[name] = axes.plot(places, prior, **dashed)[0]
            self.lines[name] = axes.plot(places, prior, color=theme.BLUE, label="posterior density", **MOVING)[0]
            dotted = {"color": theme.BLACK, "linestyle": ":", "label": "likelihood"}
            self.likelihoods[name] = axes.plot(places, prior, **dotted, **MOVING)[0]
            self.peaks[name] = axes.plot([], [], **BEST, clip_on=False, label="posterior's peak", **MOVING)[0]
            self.words[name] = axes.text(0.02, 0.79, "", fontsize=theme.SMALL, transform=axes.transAxes, **MOVING)
        handles = chance.get_legend_handles_labels()
        chance.legend(*handles, loc="lower left", ncols=4, bbox_to_anchor=(-0.1, 0.98), columnspacing=1.2)

    def show(self, densities, likelihood, peaks, words):
        """The density over each scale, the likelihood, and the θ at which each density peaks (None: it is flat)."""
        for name, density in densities.items():
            self.lines[name].set_ydata(density / density.max())
            self.likelihoods[name].set_ydata(likelihood / likelihood.max())
            peak = peaks[name]
            self.peaks[name].set_visible(peak is not None)
            if peak is not None:
                self.peaks[name].set_data([peak if name == "chance" else np.log(peak / (1 - peak))], [1])
            self.words[name].set_text(words[name])


class Heights(Picture):
    """Children and their parents, a line through the middle of the cloud, and how well it predicts in either direction."""

    ENDS = np.array([63, 76.0])
    TOP = 5.6  # inches; a larger error waits at the edge

    def __init__(self, cloud, errors, x, y, centre, slopes, curves):
        cloud.set(
            xlim=(63, 76.5),
            ylim=(59, 80.5),
            xticks=range(64, 77, 4),
            yticks=range(60, 81, 5),
            xlabel="mid-parent, inches",
            ylabel="child, inches",
        )
        jitter = np.random.default_rng(0).uniform(-0.2, 0.2, (2, len(x)))  # many heights are whole inches
        look = {"marker": "o", "linestyle": "", "markersize": 3.5, "color": theme.GREY, "markeredgewidth": 0}
        self.dots = cloud.plot(x + jitter[0], y + jitter[1], **look, alpha=0.6)[0]
        self.line = cloud.plot([], [], color=theme.BLUE, label="your line", **MOVING)[0]
        self.middle = cloud.plot(*[[each] for each in centre], **BEST, label="both means")[0]
        self.you = cloud.plot([], [], **{**YOURS, "marker": "*", "markersize": 22}, label="you", **MOVING)[0]
        cloud.legend(loc="lower center", ncols=3, bbox_to_anchor=(0.47, 0.98), handlelength=1.5, columnspacing=1)
        errors.set(
            xlim=(0, slopes[-1]),
            ylim=(1.2, self.TOP),
            xticks=range(4),
            yticks=range(2, 6),
            xlabel="slope of the line",
            ylabel="typical error, inches",
        )
        hollow = {"marker": "s", "markersize": 16, "markerfacecolor": "none", "markeredgewidth": 2.5}
        ways = {
            "child": ("-", theme.BLUE, "child from parents", {"marker": "o", "markersize": 9}),
            "parents": ("--", theme.VERMILLION, "parents from child", hollow),
        }
        self.curves, self.marks = {}, {}
        for name, (style, colour, label, mark) in ways.items():
            self.curves[name] = errors.plot(slopes, curves[name], style, color=colour, label=label)[0]
            self.marks[name] = errors.plot([], [], linestyle="", color=colour, clip_on=False, **mark, **MOVING)[0]
        errors.legend(loc="lower center", bbox_to_anchor=(0.45, 0.97), handlelength=2.4)

    def show(self, centre, slope, sizes, you):
        """A line of this slope through the centre, the size of its errors in both directions, and the reader (or None)."""
        self.line.set_data(self.ENDS, centre[1] + slope * (self.ENDS - centre[0]))
        for name, mark in self.marks.items():
            mark.set_data([slope], [min(sizes[name], self.TOP)])
        self.you.set_data(*([you[0]], [you[1]]) if you else ([], []))
