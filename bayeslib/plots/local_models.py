"""The pictures of section 15, local models. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING, Picture

DATA = {"linestyle": "", "marker": "o", "color": theme.BLACK, "markersize": 6}
TRUTH = {"color": theme.GREY, "linestyle": "--", "linewidth": 1.5}
QUERY = {"linestyle": "", "marker": "X", "color": theme.VERMILLION, "markersize": 13}
# A constant, a line and a quadratic look the same in every picture.
DEGREES = {
    0: {"color": theme.VERMILLION, "linestyle": "-"},
    1: {"color": theme.BLACK, "linestyle": "--"},
    2: {"color": theme.GREY, "linestyle": ":"},
}
NAMES = {0: "average", 1: "line", 2: "quadratic"}
NEEDS = {0: "an average", 1: "a line", 2: "a quadratic"}
KERNELS = {
    "gaussian": {"color": theme.BLACK, "linestyle": "-"},
    "epanechnikov": {"color": theme.BLUE, "linestyle": "--"},
    "tricube": {"color": theme.GREY, "linestyle": "-."},
    "triangle": {"color": theme.BLUE, "linestyle": ":"},
    "box": {"color": theme.BLACK, "linestyle": (0, (6, 2, 1, 2, 1, 2))},
}
ATTRIBUTES = [
    {"facecolor": theme.SKY, "hatch": ""},
    {"facecolor": theme.ORANGE, "hatch": "//"},
    {"facecolor": theme.MIST, "hatch": ".."},
    {"facecolor": theme.YELLOW, "hatch": "\\\\"},
]


class Weights:
    """A strip under the data: a stem for what each example counts, the kernel's outline, a line at the query."""

    def __init__(self, strip, label="weight"):
        strip.set(ylim=(0, 1.12), yticks=[0, 1], ylabel=label)
        self.outline = strip.plot([], [], color=theme.GREY, linestyle="-", linewidth=1.5, label="kernel", **MOVING)[0]
        self.stems = strip.plot([], [], "-", color=theme.BLACK, linewidth=2.5, **MOVING)[0]
        look = {"color": theme.BLACK, "markersize": 6, "clip_on": False}
        self.heads = strip.plot([], [], "o", label="weights", **look, **MOVING)[0]
        self.here = strip.plot([], [], ":", color=theme.VERMILLION, linewidth=2, label="query", **MOVING)[0]
        strip.legend(loc="lower right", ncols=3, bbox_to_anchor=(1.01, 0.88), columnspacing=1.0, handlelength=1.4)

    def show(self, x, weights, query, outline=((), ())):
        """The weights of the examples at x, and the kernel as (places, heights)."""
        self.stems.set_data(*_stems(x, weights))
        seen = weights > 0.002
        self.heads.set_data(x[seen], weights[seen])
        self.here.set_data([query, query], [0, 1.12])
        self.outline.set_data(*outline)


class DistanceWeights(Picture):
    """Five points and a query, the answers to all queries as a curve, and the share of each point in this answer."""

    NEAR, FAR = (-0.3, 8.3), (-3, 104)

    def __init__(self, plane, shares, x, y):
        theme.dress(
            plane, ylim=(0, 10.8), yticks=[0, 3, 6, 9], xlabel="x", ylabel=("y", {"rotation": 0, "labelpad": 10})
        )
        self.plane, self.limits = plane, None
        self.curve = plane.plot([], [], color=theme.BLUE, linewidth=2, label="answers to all queries", **MOVING)[0]
        self.dots = plane.plot(x, y, **{**DATA, "markersize": 10}, label="examples", **MOVING)[0]
        self.marks = [
            plane.text(a, b + 0.62, str(n), ha="center", bbox=theme.PLATE, **MOVING)
            for n, (a, b) in enumerate(zip(x, y), 1)
        ]
        self.rule = plane.plot([], [], color=theme.VERMILLION, linestyle=":", linewidth=1.5, **MOVING)[0]
        self.query = plane.plot([], [], **QUERY, label="query", **MOVING)[0]
        plane.legend(loc="lower left", ncols=3, bbox_to_anchor=(-0.13, 0.98), columnspacing=1, handletextpad=0.4)
        places = range(1, len(x) + 1)
        theme.dress(
            shares,
            xlim=(0.4, len(x) + 0.6),
            ylim=(0, 1.16),
            xticks=places,
            yticks=[0, 0.5, 1],
            xlabel="point",
            title=("share in the answer", {"loc": "left"}),
        )
        self.bars = shares.bar(places, [0] * len(x), 0.75, facecolor=theme.SKY, edgecolor=theme.BLACK, **MOVING)
        text = {"ha": "center", "va": "bottom", "fontsize": theme.SMALL, **MOVING}
        self.numbers = [shares.text(place, 0, "", **text) for place in places]

    def show(self, query, answer, curve, shares):
        """`curve(places)` gives the answers at any places; far queries are shown on a longer axis."""
        limits = self.FAR if query > self.NEAR[1] else self.NEAR
        if limits != self.limits:
            self.limits = limits
            self.plane.set_xlim(*limits)
        places = np.linspace(*limits, 173)
        self.curve.set_data(places, curve(places))
        for mark in self.marks:
            mark.set_visible(limits == self.NEAR)
        self.rule.set_data([query, query], [0, answer])
        self.query.set_data([query], [answer])
        for bar, number, share in zip(self.bars, self.numbers, shares):
            bar.set_height(share)
            number.set(y=share + 0.01, text=f"{share:.2f}")


class Edge(Picture):
    """Average, line and quadratic at every query, on data without noise; below them the weights at this query."""

    def __init__(self, plane, strip, x):
        for axes in (plane, strip):
            axes.set_xlim(-0.4, 10.4)
        plane.tick_params(labelbottom=False)
        strip.set_xlabel("x")
        self.plane, self.top, self.x = plane, None, x
        self.dots = plane.plot([], [], **DATA, label="examples", **MOVING)[0]
        self.curves, self.marks = {}, {}
        for degree, marker in zip(DEGREES, "sDo"):
            look = DEGREES[degree]
            self.curves[degree] = plane.plot(
                [], [], **look, linewidth=2 + degree, label=f"local {NAMES[degree]}", **MOVING
            )[0]
            style = {"markersize": 14 - 4 * degree, "markerfacecolor": theme.WHITE, "markeredgewidth": 2.5, "zorder": 4}
            label = "at the query" if degree == 0 else None
            self.marks[degree] = plane.plot(
                [], [], marker, color=look["color"], label=label, **style, clip_on=False, **MOVING
            )[0]
        order = [0, 1, 3, 4, 2]
        handles, labels = plane.get_legend_handles_labels()
        plane.legend(
            *([each[n] for n in order] for each in (handles, labels)),
            loc="lower left",
            ncols=5,
            bbox_to_anchor=(-0.03, 0.98),
            columnspacing=0.9,
            handletextpad=0.4,
        )
        self.weights = Weights(strip)

    def show(self, y, curves, query, answers, weights, outline):
        """`curves` are (places, answers) by degree, `answers` those at the query."""
        top = 11 if max(y) < 15 else 27
        if top != self.top:
            self.top = top
            self.plane.set(ylim=(-0.06 * top, top), yticks=[0, 5, 10] if top == 11 else [0, 10, 20])
        self.dots.set_data(self.x, y)
        for degree, curve in self.curves.items():
            curve.set_data(*curves[degree])
            self.marks[degree].set_data([query], [answers[degree]])
        self.weights.show(self.x, weights, query, outline)


class LocalQuery(Picture):
    """Noisy points, the answers to all queries, and at one of them its local fit with the weights that made it."""

    LOW, HIGH = -2.1, 2.1

    def __init__(self, plane, strip, x, y, grid, truth):
        for axes in (plane, strip):
            axes.set(xlim=(-0.02, 1.02), xticks=[0, 0.25, 0.5, 0.75, 1])
        theme.dress(plane, ylim=(self.LOW, self.HIGH), yticks=[-1, 0, 1], ticks={"labelbottom": False})
        strip.set_xlabel("x")
        self.truth = plane.plot(grid, truth, **TRUTH, label="truth")[0]
        self.dots = plane.plot(x, y, **DATA, label="examples")[0]
        self.curve = plane.plot([], [], "-", color=theme.BLACK, linewidth=2, label="all queries", **MOVING)[0]
        self.fit = plane.plot([], [], "-", color=theme.VERMILLION, linewidth=5, label="fit of this query", **MOVING)[0]
        ring = {"color": theme.BLACK, "markersize": 11, "markerfacecolor": "none"}
        self.used = plane.plot([], [], "o", **ring, label="weight > 1% of the largest", **MOVING)[0]
        self.query = plane.plot([], [], **QUERY, label="query", **MOVING)[0]
        look = {"columnspacing": 0.9, "handlelength": 1.3, "handletextpad": 0.4, "labelspacing": 0.1}
        plane.legend(loc="lower left", ncols=3, bbox_to_anchor=(-0.02, 0.96), **look)
        self.weights, self.x, self.y = Weights(strip), x, y

    def show(self, curve, fit, query, answer, weights, outline, jumps):
        """`curve` and `fit` are (places, answers); `answer` is NaN if there is none. Examples that count are ringed."""
        self.curve.set_data(*curve)
        self.curve.set_drawstyle("steps-mid" if jumps else "default")
        self.fit.set_data(*fit)
        used = weights > 0.01 * weights.max()
        self.used.set_data(self.x[used], self.y[used])
        self.query.set_data([query], [np.clip(answer, self.LOW, self.HIGH)])
        self.weights.show(self.x, weights, query, outline)


class BiasVariance(Picture):
    """The curves of many data sets, their mean and the truth; and bias², variance and their sum over the bandwidth."""

    LOOKS = {
        "bias²": {"color": theme.VERMILLION, "linestyle": "--", "marker": "D"},
        "variance": {"color": theme.BLUE, "linestyle": ":", "marker": "s"},
        "sum": {"color": theme.BLACK, "linestyle": "-", "marker": "o"},
    }

    def __init__(self, plane, chart, grid, truth, bandwidths):
        plane.set(xlim=(-0.03, 1.03), ylim=(-1.9, 1.9), xticks=[0, 0.5, 1], yticks=[-1, 0, 1], xlabel="x")
        self.curves = plane.plot(
            [], [], "-", color=theme.GREY, linewidth=1, label="20 data sets", antialiased=False, **MOVING
        )[0]
        self.truth = plane.plot(grid, truth, **{**TRUTH, "color": theme.BLACK}, label="truth", **MOVING)[0]
        self.mean = plane.plot(grid, truth, "-", color=theme.VERMILLION, linewidth=3, label="mean answer", **MOVING)[0]
        look = {"columnspacing": 0.8, "handlelength": 1.2, "handletextpad": 0.4}
        plane.legend(loc="lower left", ncols=3, bbox_to_anchor=(-0.12, 0.97), **look)
        _error_axes(chart, 0.0004, 1)
        theme.dress(
            chart,
            xlim=(min(bandwidths) * 0.95, max(bandwidths) * 1.05),
            xticks={0.02: "0.02", 0.05: "0.05", 0.1: "0.1", 0.2: "0.2", 0.5: "0.5"},
            ylabel="",
        )
        self.rule = chart.axvline(1, color=theme.GREY, linewidth=1.5, **MOVING)
        self.lines, self.marks = {}, {}
        for name, look in self.LOOKS.items():
            style = {**look, "markevery": [0], "markersize": 8, "linewidth": 2.5}
            self.lines[name] = chart.plot([], [], **{**style, "marker": ""}, **MOVING)[0]
            self.marks[name] = chart.plot([], [], **{**style, "linestyle": ""}, **MOVING)[0]
            chart.plot([], [], **style, label=name)
        star = {"marker": "*", "markersize": 17, "markerfacecolor": theme.WHITE, "linestyle": "", "color": theme.BLACK}
        self.best = chart.plot([], [], **star, label="least", **MOVING)[0]
        look = {"columnspacing": 0.8, "handlelength": 1.6, "handletextpad": 0.4}
        chart.legend(loc="lower center", ncols=4, bbox_to_anchor=(0.45, 0.97), **look)

    def show(self, grid, curves, mean, bandwidths, parts, at):
        """`curves` has a row per data set; `parts` maps bias², variance and sum to values over the bandwidths."""
        rows = np.column_stack([curves, np.full(len(curves), np.nan)])
        self.curves.set_data(np.tile([*grid, np.nan], len(curves)), rows.ravel())
        self.mean.set_ydata(mean)
        self.rule.set_xdata([bandwidths[at]] * 2)
        for name, values in parts.items():
            self.lines[name].set_data(bandwidths, values)
            self.marks[name].set_data([bandwidths[at]], [values[at]])
        least = int(np.argmin(parts["sum"]))
        self.best.set_data([bandwidths[least]], [parts["sum"][least]])


class BandwidthErrors(Picture):
    """The curve of one bandwidth, and for all bandwidths the error on the examples, left out, and against the truth."""

    LOOKS = {
        "training": {"color": theme.BLACK, "linestyle": ":", "marker": "o"},
        "leave-one-out": {"color": theme.BLUE, "linestyle": "-", "marker": "s"},
        "true": {"color": theme.VERMILLION, "linestyle": "--", "marker": "D"},
    }

    def __init__(self, plane, chart, grid, truth):
        plane.set(xlim=(-0.03, 1.03), ylim=(-2.1, 2.1), xticks=[0, 0.5, 1], yticks=[-1, 0, 1], xlabel="x")
        self.truth = plane.plot(grid, truth, **TRUTH, label="truth")[0]
        self.dots = plane.plot([], [], **{**DATA, "markersize": 5}, **MOVING)[0]
        self.curve = plane.plot(grid, truth, color=theme.BLUE, linewidth=2.5, label="answers", **MOVING)[0]
        plane.legend(loc="lower left", ncols=2, bbox_to_anchor=(-0.04, 0.97), columnspacing=1.2)
        _error_axes(chart, 0.0015, 40)
        self.rule = chart.axvline(1, color=theme.GREY, linewidth=1.5, **MOVING)
        self.lines, self.marks, self.best = {}, {}, {}
        for name, look in self.LOOKS.items():
            line = {key: look[key] for key in ("color", "linestyle")}
            self.lines[name] = chart.plot([], [], **line, linewidth=2.5, label=name, **MOVING)[0]
            self.marks[name] = chart.plot([], [], look["marker"], color=look["color"], markersize=9, **MOVING)[0]
            star = {"marker": "*", "markersize": 17, "markerfacecolor": theme.WHITE, "linestyle": ""}
            self.best[name] = chart.plot([], [], color=look["color"], **star, **MOVING)[0]
        key = {"marker": "*", "markersize": 13, "markerfacecolor": theme.WHITE, "linestyle": "", "color": theme.BLACK}
        chart.plot([], [], **key, label="least")
        look = {"columnspacing": 0.7, "handlelength": 1.2, "handletextpad": 0.3}
        chart.legend(loc="lower center", ncols=4, bbox_to_anchor=(0.38, 0.97), **look)

    def show(self, points, curve, bandwidths, errors, at):
        """`errors` maps each kind to its values over the bandwidths; number `at` is chosen, stars mark the least."""
        self.dots.set_data(*points)
        self.curve.set_ydata(curve)
        self.rule.set_xdata([bandwidths[at]] * 2)
        for name, values in errors.items():
            self.lines[name].set_data(bandwidths, values)
            self.marks[name].set_data([bandwidths[at]], [values[at]])
            least = np.nanargmin(values)
            self.best[name].set_data([bandwidths[least]], [values[least]])
            self.best[name].set_visible(name != "training")


class KernelShapes(Picture):
    """The kernels side by side, and the true error of each over the bandwidth."""

    def __init__(self, shapes, chart, u, kernels, bandwidths, errors):
        shapes.set(
            xlim=(-2.6, 2.6), ylim=(0, 1.08), xticks=[-2, -1, 0, 1, 2], yticks=[0, 0.5, 1], xlabel="d / h", ylabel="K"
        )
        _error_axes(chart, 0.006, 0.6)
        chart.set_ylabel("true error", labelpad=-2)
        self.thin_shapes, self.thin_curves, self.least, self.shapes, self.curves = {}, {}, {}, {}, {}
        for name, look in KERNELS.items():
            self.thin_shapes[name] = shapes.plot(u, kernels[name], **look, linewidth=2)[0]
            self.thin_curves[name] = chart.plot(bandwidths, errors[name], **look, linewidth=1.5, label=name)[0]
            least = np.nanargmin(errors[name])
            dot = {"marker": "o", "markersize": 7, "markerfacecolor": theme.WHITE, "linestyle": ""}
            self.least[name] = chart.plot(bandwidths[least], errors[name][least], color=look["color"], **dot)[0]
            thick = {"color": look["color"], "linestyle": "-", "linewidth": 5}
            self.shapes[name] = shapes.plot(u, kernels[name], **thick, **MOVING)[0]
            self.curves[name] = chart.plot(bandwidths, errors[name], **thick, **MOVING)[0]
        self.here = chart.plot([], [], **{**QUERY, "markersize": 11}, label="chosen", **MOVING)[0]
        chart.plot([], [], color=theme.BLACK, **dot, label="least")
        chart.legend(loc="upper left", bbox_to_anchor=(0.1, 1.05), labelspacing=0.1, borderaxespad=0, handlelength=2)

    def show(self, kernel, bandwidth, error):
        for lines in (self.shapes, self.curves):
            for name, line in lines.items():
                line.set_visible(name == kernel)
        self.here.set_data([bandwidth], [error])


class Gap(Picture):
    """Six points with a gap between them: the answers, and the weights at one query on a scale of powers of ten."""

    LOWEST = -400  # powers of ten shown; below −323.3 a float is 0
    LOW, HIGH = 0.6, 3.4  # of the plane

    def __init__(self, plane, chart, x, y):
        plane.set(
            xlim=(-0.03, 1.03),
            ylim=(self.LOW, self.HIGH),
            xticks=[0, 0.2, 0.4, 0.6, 0.8, 1],
            yticks=[1, 2, 3],
            xlabel="x",
        )
        self.hole = plane.plot([], [], "-", color=theme.GREY, linewidth=1, label="no answer", **MOVING)[0]
        self.dots = plane.plot(x, y, **{**DATA, "markersize": 10})[0]
        self.curve = plane.plot([], [], color=theme.BLUE, label="answers", **MOVING)[0]
        self.rule = plane.plot([], [], color=theme.VERMILLION, linestyle=":", linewidth=1.5, **MOVING)[0]
        self.query = plane.plot([], [], **QUERY, label="query", **MOVING)[0]
        plane.legend(loc="lower left", ncols=3, bbox_to_anchor=(-0.04, 0.97), columnspacing=1.0, handlelength=1.4)
        theme.dress(
            chart,
            xlim=(-0.06, 1.06),
            ylim=(self.LOWEST, 12),
            xticks=[0, 0.2, 0.8, 1],
            yticks={0: "1", -100: "10$^{-100}$", -200: "10$^{-200}$", -300: "10$^{-300}$", -400: "10$^{-400}$"},
            xlabel="x of the example",
            title=("weight of each example", {"loc": "left"}),
        )
        chart.axhline(-323.3, color=theme.BLACK, linestyle="--", linewidth=1.5)
        text = {"ha": "center", "va": "top", "fontsize": theme.SMALL, "bbox": theme.PLATE}
        chart.text(0.5, -332, "0 as a\nfloat", **text)
        self.stems = chart.plot([], [], color=theme.BLUE, linewidth=3, **MOVING)[0]
        self.heads = chart.plot([], [], "o", color=theme.BLUE, markersize=9, **MOVING)[0]
        self.lost = chart.plot([], [], "v", color=theme.VERMILLION, markersize=12, **MOVING)[0]
        self.x = x

    def show(self, curve, hole, query, answer, powers):
        """`curve` is (places, answers), `hole` the places without one; `powers` are the weights' decimal logarithms."""
        self.curve.set_data(*curve)
        self.hole.set_data(*_stems(hole, np.full(len(hole), self.HIGH), self.LOW))
        self.rule.set_data([query, query], [self.LOW, self.HIGH])
        self.query.set(data=([query], [answer if answer is not None else 0]), visible=answer is not None)
        shown = np.maximum(powers, self.LOWEST)
        alive = powers > -323.3
        self.stems.set_data(*_stems(self.x, shown, self.LOWEST))
        self.heads.set_data(self.x[alive], shown[alive])
        self.lost.set_data(self.x[~alive], np.maximum(shown[~alive], self.LOWEST + 12))


class Bumps(Picture):
    """An RBF network: its bumps one by one, their sum so far, and the weights that they have."""

    MOST = 8

    def __init__(self, plane, chart, points, grid, truth):
        plane.set(xlim=(-0.03, 1.03), ylim=(-2.4, 2.4), xticks=[0, 0.5, 1], yticks=[-2, -1, 0, 1, 2], xlabel="x")
        self.truth = plane.plot(grid, truth, **TRUTH, label="truth")[0]
        self.dots = plane.plot(*points, **{**DATA, "markersize": 4})[0]
        look = {"color": theme.BLACK, "linestyle": "-", "linewidth": 1.2}
        self.bumps = [
            plane.plot(grid, truth, **look, label="bumps" if n == 0 else None, **MOVING)[0] for n in range(self.MOST)
        ]
        self.sum = plane.plot(grid, truth, "-", color=theme.BLUE, label="sum so far", **MOVING)[0]
        self.centres = plane.plot(
            [], [], "^", color=theme.BLACK, markersize=9, clip_on=False, label="centres", **MOVING
        )[0]
        look = {"columnspacing": 0.9, "handlelength": 1.4, "handletextpad": 0.4}
        plane.legend(loc="lower left", ncols=4, bbox_to_anchor=(-0.1, 0.97), **look)
        self.plane, self.chart, self.limits = plane, chart, None
        theme.dress(
            chart,
            yscale=("symlog", {"linthresh": 1, "linscale": 1}),
            ylim=(-3000, 3000),
            yticks={tick: theme.minus(str(tick)) for tick in (-1000, -100, -10, -1, 0, 1, 10, 100, 1000)},
            xlabel="bump",
            title=("weights (uneven scale)", {"loc": "left"}),
            hide="minor",
        )
        chart.axhline(0, color=theme.BLACK, linewidth=1.2)
        bars = {"facecolor": theme.SKY, "edgecolor": theme.BLACK, **MOVING}
        self.bars = chart.bar([-1, *range(1, self.MOST + 1)], [0] * (self.MOST + 1), 0.8, **bars)

    def show(self, centres, bumps, total, weights, added):
        """`bumps` has a column per bump; the first `added` of them are in the sum `total`."""
        top = next(top for top in (2.4, 12, 36, 300, 1500, 1e4) if top >= 1.02 * np.abs(bumps).max() or top == 1e4)
        if self.limits != (top, len(centres)):
            self.limits = top, len(centres)
            half = 2 if top < 3 else round(top * 5 / 6)
            theme.dress(self.plane, ylim=(-top, top), yticks={-half: f"−{half}", 0: "0", half: f"{half}"})
            self.chart.set(xlim=(-1.7, len(centres) + 0.7))
            places = [1, (len(centres) + 1) // 2, len(centres)]
            self.chart.set_xticks([-1, *places], ["$w_0$", *map(str, places)])
        for number, line in enumerate(self.bumps):
            line.set_visible(number < added)
            if number < added:
                line.set_ydata(bumps[:, number])
        self.sum.set_ydata(total)
        self.centres.set_data(centres[:added], np.full(added, -top))
        for number, bar in enumerate(self.bars):
            seen = number <= added
            bar.set(height=weights[number] if seen else 0, visible=seen)


class Cases(Picture):
    """Solved cases with their similarity to the query, attribute by attribute, and the vote of the most similar."""

    HALF = 0.33  # of a bar's height

    def __init__(self, chart, votes, labels, attributes, answers):
        self.rows, self.answers = np.arange(len(labels)), answers
        theme.dress(
            chart,
            xlim=(0, 1.36),
            ylim=(len(labels) - 0.4, -0.6),
            xticks=[0, 0.5, 1],
            yticks=dict(enumerate(labels)),
            ticks={"left": False},
            xlabel=("similarity to the query", {"labelpad": 1, "x": 0.37}),
        )
        outline = {"edgecolor": theme.BLACK, "linewidth": 1, **MOVING}
        # All bars of an attribute are one path, so that its hatch is drawn once.
        self.bars = [
            chart.add_patch(PathPatch(Path([(0, 0)]), label=name, **look, **outline))
            for name, look in zip(attributes, ATTRIBUTES)
        ]
        self.new = chart.text(-0.03, -0.95, "", ha="right", weight="bold", fontsize=theme.SMALL, **MOVING)
        text = {"va": "center", "fontsize": theme.SMALL, "weight": "bold", **MOVING}
        self.ranks = [chart.text(0, row, "", **text) for row in self.rows]
        handles = {"ncols": len(attributes), "columnspacing": 1.0, "handlelength": 1.2, "handletextpad": 0.4}
        chart.legend(loc="lower left", bbox_to_anchor=(-0.04, 0.97), **handles)
        theme.dress(
            votes,
            xlim=(0, 1.05),
            ylim=(len(answers) - 0.3, -0.75),
            xticks=[],
            yticks=[],
            xlabel=("share in the vote", {"labelpad": 8}),
            hide="bottom",
        )
        places = np.arange(len(answers)) + 0.1
        self.names = [votes.text(0.03, place - 0.32, "", fontsize=theme.SMALL, **MOVING) for place in places]
        self.votes = votes.barh(places, [0] * len(answers), 0.42, facecolor=theme.SKY, **outline)

    def show(self, new, parts, ranks, shares):
        """`parts` has a row per case, a column per attribute; `ranks` a word per case, `shares` each answer's part."""
        self.new.set_text(new)
        left = np.zeros(len(parts))
        for bars, widths in zip(self.bars, np.transpose(parts)):
            bars.set_path(self._bars(left, widths))
            left = left + widths
        for text, end, rank in zip(self.ranks, left, ranks):
            text.set(x=end + 0.02, text=rank)
        for bar, name, answer in zip(self.votes, self.names, self.answers):
            bar.set_width(shares[answer])
            best = shares[answer] == max(shares.values())
            name.set(text=f"{answer} {100 * shares[answer]:.0f}%", weight="bold" if best else "normal")

    def _bars(self, left, widths):
        """The rectangles of one attribute as one path."""
        low, high, right = self.rows - self.HALF, self.rows + self.HALF, left + widths
        corners = np.stack([left, low, right, low, right, high, left, high, left, low], axis=1).reshape(-1, 5, 2)
        corners = corners[widths > 0].reshape(-1, 2)
        codes = np.tile([Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY], len(corners) // 5)
        return Path(corners, codes)


class LocalCurve(Picture):
    """Measured points, the local answers with what they miss nearby, one query with its own fit, and errors by bandwidth."""

    ERRORS = {
        "training": {"color": theme.BLACK, "linestyle": ":", "marker": "o"},
        "left out": {"color": theme.BLUE, "linestyle": "-", "marker": "s"},
    }

    def __init__(self, plane, chart, recording=False):
        for axis in (plane.xaxis, plane.yaxis, chart.yaxis):
            axis.set_major_locator(MaxNLocator(5))
            axis.set_major_formatter(lambda value, _: theme.minus(f"{value:.5g}"))
        self.plane, self.chart, self.limits = plane, chart, None
        blank = Path([(0, 0)])
        hatched = {"facecolor": theme.WHITE, "edgecolor": theme.GREY, "hatch": "//", "linewidth": 1}
        self.far = plane.add_patch(PathPatch(blank, **hatched, label="no point within h", **MOVING))
        pale = {"facecolor": theme.MIST, "edgecolor": theme.GREY, "linewidth": 1}
        self.band = plane.add_patch(PathPatch(blank, **pale, label="± error nearby", **MOVING))
        self.dots = plane.plot([], [], **{**DATA, "markersize": 5}, label="points", **MOVING)[0]
        hollow = {"markersize": 7, "markerfacecolor": theme.WHITE}
        self.later = plane.plot([], [], **{**DATA, **hollow}, label="after the stop", **MOVING)[0]
        self.curve = plane.plot([], [], "-", color=theme.BLUE, linewidth=2.5, label="answers", **MOVING)[0]
        self.fit = plane.plot([], [], "--", color=theme.VERMILLION, linewidth=3, label="fit at the query", **MOVING)[0]
        self.query = plane.plot([], [], **QUERY, label="query", **MOVING)[0]
        look = {"columnspacing": 0.8, "handlelength": 1.2, "handletextpad": 0.4, "labelspacing": 0.1}
        shown = [self.dots, self.curve, self.band, self.far, *([self.later, self.fit, self.query] if recording else [])]
        plane.legend(handles=shown, loc="lower left", ncols=4, bbox_to_anchor=(-0.14, 0.97), **look)
        theme.dress(
            chart,
            xscale="log",
            xlabel="bandwidth h",
            title=("error, root mean square", {"loc": "right", "fontsize": theme.SMALL}),
        )
        self.rule = chart.axvline(1, 0, 0.68, color=theme.GREY, linewidth=1.5, **MOVING)
        self.lines, self.marks = {}, {}
        for name, look in self.ERRORS.items():
            style = {**look, "markevery": [0], "markersize": 8, "linewidth": 2.5}
            self.lines[name] = chart.plot([], [], **{**style, "marker": ""}, **MOVING)[0]
            self.marks[name] = chart.plot([], [], **{**style, "linestyle": ""}, **MOVING)[0]
            chart.plot([], [], **style, label=name)
        star = {"marker": "*", "markersize": 17, "markerfacecolor": theme.WHITE, "linestyle": "", "color": theme.BLUE}
        self.best = chart.plot([], [], **star, label="least", **MOVING)[0]
        look = {"labelspacing": 0.1, "handlelength": 1.5, "handletextpad": 0.4, "borderaxespad": 0}
        chart.legend(loc="upper left", bbox_to_anchor=(0.02, 1), **look)

    def frame(self, names, across, up, bandwidths, ticks, errors):
        """The names of x and y; (low, high) of x, of y and of the errors; and the bandwidths, with those to be named."""
        limits = tuple(names), tuple(across), tuple(up), tuple(bandwidths), tuple(errors)
        if limits != self.limits:
            self.limits = limits
            theme.dress(
                self.plane,
                xlabel=(names[0], {"parse_math": False}),
                ylabel=(names[1], {"parse_math": False}),
                xlim=across,
                ylim=up,
            )
            theme.dress(
                self.chart,
                xlim=(bandwidths[0] * 0.9, bandwidths[-1] * 1.1),
                ylim=errors,
                xticks={tick: f"{tick:.3g}" for tick in ticks},
                hide="minor",
            )

    def show(self, points, later, curve, band, far, fit, query, errors, at):
        """`curve`, `fit` and `query` are (places, answers), `band` (places, half widths), `far` a list of (from, to).

        `errors` maps training and left out to values over the bandwidths; number `at` is chosen.
        """
        _, _, (low, high), bandwidths, _ = self.limits
        self.dots.set_data(*points)
        self.later.set_data(*later)
        self.curve.set_data(*curve)
        self.fit.set_data(*fit)
        self.query.set_data([query[0]], [np.clip(query[1], low, high)])
        inside = np.isin(curve[0], band[0])
        middle = curve[1][inside]
        edge = [*zip(band[0], middle + band[1]), *zip(band[0][::-1], (middle - band[1])[::-1])]
        self.band.set_path(Path([*edge, edge[0]]) if edge else Path([(0, 0)]))
        corners = [corner for a, b in far for corner in ((a, low), (b, low), (b, high), (a, high), (a, low))]
        codes = [Path.MOVETO, *[Path.LINETO] * 3, Path.CLOSEPOLY] * len(far)
        self.far.set_path(Path(corners, codes) if far else Path([(0, low)]))
        self.rule.set_xdata([bandwidths[at]] * 2)
        for name, values in errors.items():
            self.lines[name].set_data(bandwidths, values)
            self.marks[name].set_data([bandwidths[at]], [values[at]])
        least = int(np.nanargmin(errors["left out"]))
        self.best.set_data([bandwidths[least]], [errors["left out"][least]])


def _stems(x, heights, floor=0):
    """Upright strokes as one line: down, up, and a break."""
    x, heights = np.asarray(x), np.asarray(heights)
    return np.repeat(x, 3), np.stack([np.full(len(x), floor), heights, np.full(len(x), np.nan)], axis=1).ravel()


def _error_axes(axes, low, high):
    theme.dress(
        axes,
        xscale="log",
        yscale="log",
        xlim=(0.0045, 1.1),
        ylim=(low, high),
        xticks={0.005: "0.005", 0.02: "0.02", 0.1: "0.1", 0.5: "0.5"},
        yticks={power: f"{power:g}" for power in (0.001, 0.01, 0.1, 1, 10) if low <= power <= high},
        xlabel="bandwidth h",
        ylabel=("squared error", {"labelpad": -2}),
        hide="minor",
    )
