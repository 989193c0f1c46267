"""The pictures of section 03, maximum likelihood and description length. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.patches import Rectangle

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING

BEST = {"marker": "D", "color": theme.BLACK, "markerfacecolor": theme.YELLOW, "linestyle": ""}
YOURS = {"marker": "s", "color": theme.VERMILLION, "markersize": 13, "linestyle": ""}


class CoinLikelihood:
    """θ^h (1−θ)^t over θ, as a share of its peak or as a logarithm, with the reader's θ on it."""

    SCALES = {"likelihood": ((0, 1.12), "likelihood ÷ its peak"), "log": ((-10, 0.8), "ln of likelihood ÷ peak")}

    @theme.styled
    def __init__(self, axes):
        axes.set(xlim=(-0.02, 1.02), xticks=np.linspace(0, 1, 11), xlabel="θ, the chance of heads")
        self.axes, self.scale = axes, None
        self.area = axes.fill([0, 0, 0], [0, 0, 0], facecolor=theme.MIST, edgecolor="none", **MOVING)[0]
        self.curve = axes.plot([], [], color=theme.BLUE, **MOVING)[0]
        self.peak = axes.plot([], [], **BEST, label="peak", clip_on=False, **MOVING)[0]
        self.yours = axes.plot([], [], **YOURS, label="your θ", clip_on=False, **MOVING)[0]
        self.words = axes.text(0, 1.06, "", transform=axes.transAxes, **MOVING)
        axes.legend(loc="lower right", ncols=2, bbox_to_anchor=(1.01, 0.99), handletextpad=0.2, columnspacing=1)

    def show(self, scale, theta, heights, yours, peak, words):
        """The curve's `heights` over `theta` on this scale, the reader's place and the peak's (None: it is flat)."""
        if scale != self.scale:
            self.scale, (limits, label) = scale, self.SCALES[scale]
            self.axes.set(ylim=limits, ylabel=label)
        seen = heights > self.axes.get_ylim()[0] - 30
        self.curve.set_data(theta[seen], heights[seen])
        self.area.set_xy(np.column_stack([[*theta, 1, 0], [*heights, 0, 0]]) if scale == "likelihood" else [[0, 0]])
        self.yours.set_data([yours[0]], [max(yours[1], self.axes.get_ylim()[0])])  # far below, it waits at the edge
        self.peak.set(data=([peak[0]], [peak[1]]) if peak else ([], []), visible=peak is not None)
        self.words.set_text(words)


class MeanLikelihood:
    """Data on a number line with their distances to μ, and under it the log-likelihood of every μ."""

    LOW = -12

    @theme.styled
    def __init__(self, line, curve, data):
        self.data, rows = np.asarray(data, dtype=float), np.arange(len(data))
        line.set(xlim=(0, 12), ylim=(-0.8, len(data) - 0.2), xticks=[], yticks=[])
        line.spines[["left", "bottom"]].set_visible(False)
        curve.set(xlim=(0, 12), ylim=(self.LOW, 0.9), xticks=range(13), yticks=[-10, -5, 0])
        curve.set(xlabel="μ", ylabel="log-likelihood\nminus its best")
        self.dots = line.plot(self.data, rows, "o", color=theme.BLUE, markersize=11)[0]
        self.residuals = [line.plot([], [], "-", color=theme.GREY, linewidth=2, **MOVING)[0] for _ in rows]
        self.rule = line.axvline(0, color=theme.VERMILLION, linestyle="--", **MOVING)
        self.words = line.text(0.5, 1.08, "", ha="center", transform=line.transAxes, **MOVING)
        self.parabola = curve.plot([], [], color=theme.BLUE, **MOVING)[0]
        self.peak = curve.plot([], [], **BEST, label="the mean", **MOVING)[0]
        self.yours = curve.plot([], [], **YOURS, label="your μ", clip_on=False, **MOVING)[0]
        curve.legend(loc="lower right", bbox_to_anchor=(1.01, -0.02), handletextpad=0.2)

    def show(self, mu, behind, curve, mean, words):
        """Your μ and how far its log-likelihood is `behind`; the curve as places and heights; the mean; a line of words."""
        for row, (line, value) in enumerate(zip(self.residuals, self.data)):
            line.set_data([value, mu], [row, row])
        self.rule.set_xdata([mu, mu])
        self.parabola.set_data(*curve)
        self.peak.set_data([mean], [0])
        self.yours.set_data([mu], [max(behind, self.LOW)])
        self.words.set_text(words)


class LineFit:
    """Points and a line with its errors drawn as squares; beside them the line's error and log-likelihood as one point."""

    HANDLES = np.array([-0.5, 4.5])  # where the line is held, away from the points
    SIZES = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000]  # how far the scale of the error may reach

    @theme.styled
    def __init__(self, points, plane):
        points.set(xlim=(-0.85, 4.85), ylim=(-0.6, 11), xticks=range(5), yticks=range(0, 11, 2), xlabel="x", ylabel="y")
        plane.set_ylabel("log-likelihood")
        plane.yaxis.set_label_coords(-0.37, 0.5)
        self.points, self.plane, self.reach = points, plane, None
        box = points.bbox
        self.square = (box.height / np.ptp(points.get_ylim())) / (box.width / np.ptp(points.get_xlim()))
        look = {"facecolor": theme.SKY, "edgecolor": theme.BLACK, "linewidth": 1.5}
        self.squares = [points.add_patch(Rectangle((0, 0), 0, 0, **look, **MOVING)) for _ in range(5)]
        self.errors = [points.plot([], [], "-", color=theme.BLACK, linewidth=2, **MOVING)[0] for _ in range(5)]
        dashed = {"color": theme.BLACK, "linestyle": "--", "linewidth": 2, "zorder": 2.5, "label": "best"}
        self.best = points.plot(self.HANDLES, [0, 0], **dashed, **MOVING)[0]
        yours = {**YOURS, "color": theme.BLUE, "label": "yours"}
        self.line = points.plot(self.HANDLES, [0, 0], **{**yours, "linestyle": "-"}, **MOVING)[0]
        self.dots = points.plot([], [], "o", color=theme.BLACK, markersize=11, **MOVING)[0]
        ring = {"markerfacecolor": "none", "markeredgewidth": 2, "markersize": 19}
        self.chosen = points.plot([], [], "o", color=theme.BLACK, **ring, **MOVING)[0]
        points.legend(loc="lower right", ncols=2, bbox_to_anchor=(1.04, 0.98), handlelength=2, columnspacing=1)
        self.ray = plane.plot([], [], "-", color=theme.BLACK, linewidth=1.5, **MOVING)[0]
        self.there = plane.plot([], [], **BEST, clip_on=False, **MOVING)[0]
        self.here = plane.plot([], [], **yours, clip_on=False, **MOVING)[0]
        self.words = [
            axes.text(x, 1.06, "", ha=side, fontsize=theme.SMALL, transform=axes.transAxes, **MOVING)
            for axes, x, side in ((points, 0, "left"), (plane, 1.05, "right"))
        ]

    def show(self, points, chosen, yours, best, squared, here, there, ray, words):
        """`yours` and `best` are lines (intercept, slope); `here` and `there` their (error, log-likelihood). `best` and
        `there` are None where no single line is best.

        `ray(error)` is the log-likelihood of any line with this error; `squared` draws the errors as squares.
        """
        x, y = np.asarray(points).T
        on_line = yours[0] + yours[1] * x
        for each in range(x.size):
            side = y[each] - on_line[each]
            self.squares[each].set(xy=(x[each], on_line[each]), width=abs(side) * self.square, height=side)
            self.squares[each].set_visible(squared)
            self.errors[each].set(data=([x[each]] * 2, [on_line[each], y[each]]), visible=not squared)
        self.line.set_ydata(yours[0] + yours[1] * self.HANDLES)
        self.best.set_visible(best is not None)
        self.there.set_visible(best is not None)
        if best is not None:
            self.best.set_ydata(best[0] + best[1] * self.HANDLES)
        self.dots.set_data(x, y)
        self.chosen.set_data([x[chosen]], [y[chosen]])
        self._scale(next((size for size in self.SIZES if size >= here[0]), self.SIZES[-1]), squared)
        ends = np.array([0, self.reach[0]])
        self.ray.set_data(ends, [ray(end) for end in ends])
        for artist, place in ((self.here, here), (self.there, there or here)):
            artist.set_data([min(place[0], self.reach[0])], [max(place[1], self.plane.get_ylim()[0])])
        for text, say in zip(self.words, words):
            text.set_text(say)

    def _scale(self, size, squared):
        """The plane reaches as far as the line's error; it is drawn again only when that changes."""
        if (size, squared) != self.reach:
            self.reach = size, squared
            self.plane.set(xlim=(0, 1.03 * size), ylim=(-2.3 * size, 0), xticks=[0, size / 2, size])
            self.plane.set_xlabel("Σ r², squared error" if squared else "Σ |r|, absolute error")


class MessageLength:
    """A message a hypothesis: first the hypothesis, then the data with its help, laid end to end."""

    @theme.styled
    def __init__(self, axes, hypotheses):
        axes.set(xlim=(0, 18.2), ylim=(len(hypotheses), -0.05), xticks=range(0, 19, 2), yticks=[])
        axes.spines["left"].set_visible(False)
        self.axes, self.unit, self.hypotheses = axes, None, list(hypotheses)
        look = {"edgecolor": theme.BLACK, **MOVING}
        rows = np.arange(len(hypotheses)) + 0.67
        none = np.zeros(len(rows))
        self.model = axes.barh(rows, none, 0.4, color=theme.ORANGE, hatch="//", label="the hypothesis", **look)
        self.data = axes.barh(rows, none, 0.4, color=theme.SKY, label="the result, given it", **look)
        self.words = [axes.text(0.05, row - 0.3, "", va="center", **MOVING) for row in rows]
        axes.legend(loc="lower center", ncols=2, bbox_to_anchor=(0.5, 0.98), columnspacing=1.5)

    def show(self, model, data, words, unit):
        """The two lengths of every hypothesis, a line of words on it, and the unit they are in."""
        if unit != self.unit:
            self.unit = unit
            self.axes.set_xlabel(f"length of the message in {unit}")
        for row, h in enumerate(self.hypotheses):
            self.model[row].set_width(model[h])
            self.data[row].set(x=model[h], width=data[h])
            self.words[row].set_text(words[h])


class DegreeBits:
    """A polynomial through points, the bits that each degree needs, and its error on points it has not seen."""

    FLOOR = -72  # where the bars start: constants are dropped, so 0 means nothing

    @theme.styled
    def __init__(self, fit, bars, held, at, truth):
        fit.set(xlim=(-1.08, 1.28), ylim=(-2.6, 6), xticks=[-1, 0, 1], xlabel="x")
        self.truth = fit.plot(at, truth, "--", color=theme.BLACK, linewidth=1.5, label="truth")[0]
        self.dots = fit.plot([], [], "o", color=theme.BLACK, markersize=6, label="data", **MOVING)[0]
        self.curve = fit.plot([], [], color=theme.BLUE, label="fit", **MOVING)[0]
        fit.legend(loc="upper left", borderaxespad=0.1, handlelength=1.6)
        degrees = np.arange(10)
        for axes in (bars, held):
            axes.set(xlim=(-0.7, 9.7), xticks=degrees)
        bars.set(ylim=(self.FLOOR, 15), yticks=[-60, -40, -20, 0], ylabel="bits + const.")
        bars.tick_params(labelbottom=False)
        held.set(ylim=(0.2, 0.85), yticks=[0.3, 0.6], xlabel="degree", ylabel="error")
        for axes in (bars, held):
            axes.yaxis.set_label_coords(-0.13, 0.5)
        held.text(9.7, 0.85, "on 200 fresh points", ha="right", va="top", fontsize=theme.SMALL)
        look, none = {"edgecolor": theme.BLACK, **MOVING}, np.zeros(10)
        self.data = bars.bar(degrees, none, 0.72, self.FLOOR, color=theme.SKY, label="data", **look)
        self.model = bars.bar(degrees, none, 0.72, color=theme.ORANGE, hatch="//", label="model", **look)
        star = {"marker": "*", "linestyle": "", "color": theme.BLACK, "markerfacecolor": theme.WHITE, "markersize": 17}
        self.shortest = bars.plot([], [], **star, label="least", **MOVING)[0]
        self.yours = bars.plot([], [], "v", color=theme.VERMILLION, markersize=12, label="yours", **MOVING)[0]
        bars.legend(loc="lower center", ncols=4, bbox_to_anchor=(0.46, 0.97), handletextpad=0.3, columnspacing=0.8)
        self.fresh = held.plot(degrees, none, "o-", color=theme.BLUE, linewidth=2, markersize=6, **MOVING)[0]
        self.least = held.plot([], [], **star, **MOVING)[0]
        self.here = held.plot([], [], "v", color=theme.VERMILLION, markersize=12, **MOVING)[0]

    def show(self, degree, points, curve, model, data, fresh):
        """The chosen degree, the points, its curve, and for all degrees the two lengths and the error on fresh points."""
        total = model + data
        self.dots.set_data(*points)
        self.curve.set_data(*curve)
        for each in range(10):
            self.data[each].set_height(data[each] - self.FLOOR)
            self.model[each].set(y=data[each], height=model[each])
        self.yours.set_data([degree], [total[degree] + 12])
        self.shortest.set_data([total.argmin()], [total.min()])
        self.fresh.set_ydata(fresh)
        self.least.set_data([fresh.argmin()], [fresh.min()])
        self.here.set_data([degree], [fresh[degree] + 0.12])


class ThreeUses:
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

    @theme.styled
    def __init__(self, bars, chart, chances, most):
        bars.set(xlim=(-0.6, len(chances) - 0.4), ylim=(0, 1.12), yticks=[0, 0.5, 1])
        bars.set_xticks(range(len(chances)), [f"{chance:g}" for chance in chances])
        bars.set(xlabel="coin's chance of heads", ylabel="posterior")
        none = [0] * len(chances)
        self.bars = bars.bar(range(len(chances)), none, 0.7, color=theme.SKY, edgecolor=theme.BLACK, **MOVING)
        self.numbers = [bars.text(place, 0, "", ha="center", weight="bold", **MOVING) for place in range(len(chances))]
        chart.set(xlim=(-0.3, most + 0.3), ylim=(0.42, 0.84), xticks=range(most + 1), yticks=[0.5, 0.6, 0.7, 0.8])
        chart.set(xlabel="heads in a row", ylabel="chance of another head")
        self.rule = chart.axvline(0, color=theme.BLACK, linewidth=1.5, **MOVING)
        self.lines = {
            name: chart.plot([], [], linewidth=2.5, label=name, **{"markersize": 8, **look}, **MOVING)[0]
            for name, look in self.LOOKS.items()
        }
        chart.legend(loc="lower center", ncols=3, bbox_to_anchor=(0.5, 0.97), handlelength=2.4)

    def show(self, heads, posterior, curves):
        """The posterior after so many heads; `curves` maps each use to its places and predictions."""
        for bar, text, belief in zip(self.bars, self.numbers, posterior):
            bar.set_height(belief)
            text.set(y=belief + 0.02, text=f"{belief:.3f}")
        self.rule.set_xdata([heads, heads])
        for name, line in self.lines.items():
            line.set_data(*curves[name])


class FlatPrior:
    """One belief about a coin over two scales: θ itself and its log-odds. The prior is flat on the first."""

    TICKS = np.array([0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98])

    @theme.styled
    def __init__(self, chance, odds, theta):
        self.places = {"chance": theta, "log-odds": np.log(theta / (1 - theta))}
        chance.set(xlim=(0, 1), xticks=[0.1, 0.3, 0.5, 0.7, 0.9])
        chance.set(xlabel="θ on its own scale", ylabel="belief ÷ its peak")
        odds.set_xticks(np.log(self.TICKS / (1 - self.TICKS)), [f"{tick:g}" for tick in self.TICKS])
        odds.set(xlim=(-4.6, 4.6), xlabel="θ on the scale of log-odds")
        self.priors, self.lines, self.peaks = {}, {}, {}
        for axes, (name, places) in zip((chance, odds), self.places.items()):
            axes.set(ylim=(0, 1.12), yticks=[0, 0.5, 1])
            prior = np.ones(theta.size) if name == "chance" else 4 * theta * (1 - theta)
            dashed = {"color": theme.GREY, "linestyle": "--", "linewidth": 2, "label": "before: flat on θ"}
            self.priors[name] = axes.plot(places, prior, **dashed)[0]
            self.lines[name] = axes.plot(places, prior, color=theme.BLUE, label="after", **MOVING)[0]
            self.peaks[name] = axes.plot([], [], **BEST, clip_on=False, label="peak", **MOVING)[0]
        handles = chance.get_legend_handles_labels()
        chance.legend(*handles, loc="lower left", ncols=3, bbox_to_anchor=(-0.03, 0.98), columnspacing=1.2)
        self.words = odds.text(1, 1.05, "", ha="right", transform=odds.transAxes, **MOVING)

    def show(self, densities, peaks, words):
        """The density over each scale and the θ at which it peaks (None: it is flat)."""
        for name, density in densities.items():
            self.lines[name].set_ydata(density / density.max())
            peak = peaks[name]
            self.peaks[name].set_visible(peak is not None)
            if peak is not None:
                self.peaks[name].set_data([peak if name == "chance" else np.log(peak / (1 - peak))], [1])
        self.words.set_text(words)
