"""The pictures of section 10, k-means and EM. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING, Picture

# How the components look, here and in every picture of a mixture: line, fill, marker.
LINES = [theme.VERMILLION, theme.BLUE, theme.GREEN, theme.PURPLE, theme.BLACK]
FILLS = [theme.ORANGE, theme.SKY, theme.YELLOW, theme.MIST, theme.WHITE]
MARKERS = ["o", "^", "s", "D", "v"]
STYLES = ["-", "--", "-.", ":", "-"]
MOST = len(LINES)
CIRCLE = np.exp(1j * np.linspace(0, 2 * np.pi, 61))
CIRCLE = np.array([CIRCLE.real, CIRCLE.imag])
RIM = [withStroke(linewidth=6, foreground=theme.WHITE)]  # of a ring that lies among points of its own colour
UNSEEN = Figure().add_subplot()  # where matplotlib traces a contour whose line is then drawn elsewhere


class Cloud:
    """Points in the plane with what a mixture says of them: whose they are, means and their trails, rings, the border."""

    DECIDED = 0.95  # a share above this is drawn as the component's marker, below it as a pie

    def __init__(self, axes, size=7):
        axes.set_aspect("equal")
        self.axes, self.limits = axes, None
        dots, line = {"linestyle": "", **MOVING}, {"marker": "", **MOVING}
        self.border = axes.plot([], [], linewidth=2, linestyle="-", color=theme.GREY, **line)[0]
        bare = {"marker": "o", "markersize": size, "color": theme.GREY, "markerfacecolor": theme.WHITE}
        self.bare = axes.plot([], [], markeredgewidth=1.2, **bare, **dots)[0]
        self.points = [
            axes.plot([], [], marker=m, markersize=size, markeredgewidth=1, color=c, markerfacecolor=f, **dots)[0]
            for m, c, f in zip(MARKERS, LINES, FILLS)
        ]
        self.pies = axes.add_collection(
            PolyCollection([], edgecolors=[theme.BLACK], linewidths=0.5, zorder=2.1, **MOVING)
        )
        ring = {"marker": "o", "markersize": size + 5, "markerfacecolor": "none", "color": theme.BLACK}
        self.wrong = axes.plot([], [], markeredgewidth=1.6, **ring, **dots)[0]
        star = {"marker": "*", "markersize": 20, "color": theme.BLACK, "markerfacecolor": theme.YELLOW, "zorder": 4}
        self.asked = axes.plot([], [], **star, **dots)[0]
        self.rings, self.wide, self.trails, self.starts, self.means = [], [], [], [], []
        for colour, marker in zip(LINES, MARKERS):
            shown = {"color": colour, "zorder": 3}
            self.rings += axes.plot([], [], linewidth=2.6, linestyle="-", path_effects=RIM, **shown, **line)
            self.wide += axes.plot([], [], linewidth=1.6, linestyle="--", **shown, **line)
            self.trails += axes.plot([], [], linewidth=1.6, linestyle="-", **shown, **line)
            handle = {"marker": "X", "markersize": 16, "markerfacecolor": theme.WHITE, "color": colour, "zorder": 3.5}
            self.starts += axes.plot([], [], **handle, **dots)
            filled = {"markerfacecolor": colour, "markeredgecolor": theme.WHITE, "markeredgewidth": 1.5}
            self.means += axes.plot([], [], marker=marker, markersize=15, **shown, **filled, **dots)

    def show(
        self, X, means, limits, shares=None, trail=None, start=None, covariances=None, scores=None, wrong=(), asked=None
    ):
        """`shares` is E[z] (0 or 1 for k-means); `scores` is how high each component is in the cells of a grid over the limits."""
        if limits != self.limits:
            ticks = [tick for tick in range(-9, 10, 3) if limits[0] + 0.4 < tick < limits[1] - 0.4]
            self.limits = limits
            self.axes.set(xlim=limits, ylim=limits, xticks=ticks, yticks=ticks)
        k = len(means)
        top = np.zeros(len(X)) if shares is None else shares.max(axis=1)
        whose = np.full(len(X), -1) if shares is None else np.where(top > self.DECIDED, shares.argmax(axis=1), -1)
        mixed = np.flatnonzero(whose < 0) if shares is not None else []
        radius = 0.0145 * (limits[1] - limits[0])
        self.pies.set_verts(_pies(X[mixed], shares[mixed], (radius, radius)) if len(mixed) else [])
        self.pies.set(facecolor=FILLS[:k] * len(mixed) or "none", visible=len(mixed) > 0)
        _place(self.bare, X.T if shares is None else None)
        _place(self.wrong, X[list(wrong)].T if len(wrong) else None)
        _place(self.border, None if scores is None else _border(scores, limits))
        _place(self.asked, None if asked is None else np.reshape(asked, (2, 1)))
        for j in range(MOST):
            there = j < k
            rings = there and covariances is not None
            _place(self.points[j], X[whose == j].T if there else None)
            _place(self.means[j], means[j][:, None] if there else None)
            _place(self.starts[j], start[j][:, None] if there and start is not None else None)
            _place(self.trails[j], np.array([each[j] for each in trail]).T if there and trail else None)
            ellipse = np.linalg.cholesky(covariances[j]) @ CIRCLE if rings else None
            _place(self.rings[j], means[j][:, None] + ellipse if rings else None)
            _place(self.wide[j], means[j][:, None] + 2 * ellipse if rings else None)


class TwoBells(Picture):
    """Figure 6.4: points on a line, both Gaussians and their sum over them, points as pies of their shares, shares as stacks."""

    REACH, TALL, RADIUS = (-3.2, 11.2), 0.46, 0.24

    def __init__(self, line, stacks, x):
        self.x, self.grid = np.asarray(x), np.linspace(*self.REACH, 400)
        theme.dress(line, xlim=self.REACH, ylim=(-0.17, self.TALL), yticks=[], xlabel="x", hide="left")
        line.axhline(0, color=theme.BLACK, linewidth=1.2)
        self.line = line
        shown = {"linewidth": 5, "alpha": 0.45, "linestyle": "-", "marker": ""}
        self.total = line.plot([], [], color=theme.GREY, label="their sum, P(x)", **shown, **MOVING)[0]
        self.bells = [
            line.plot([], [], color=c, linestyle=s, label=f"½ × Gaussian {j}", **MOVING)[0]
            for j, c, s in zip("12", LINES[:2], STYLES)
        ]
        self.old = [line.plot([], [], color=c, linestyle=":", linewidth=2, marker="", **MOVING)[0] for c in LINES[:2]]
        self.pies = line.add_collection(PolyCollection([], edgecolors=[theme.BLACK], linewidths=1.2, **MOVING))
        self.means = [
            line.plot([], [], marker=m, color=c, markersize=13, linestyle="", clip_on=False, **MOVING)[0]
            for m, c in zip(MARKERS, LINES[:2])
        ]
        ask = {"marker": "v", "color": theme.BLACK, "markersize": 12, "linestyle": ""}
        self.ask = line.plot([], [], markerfacecolor=theme.WHITE, **ask, **MOVING)[0]
        self.words = line.text(1, 0.99, "", ha="right", va="top", transform=line.transAxes, **MOVING)
        line.legend(handles=[*self.bells, self.total], loc="upper left", borderaxespad=0, handlelength=1.6)
        theme.dress(
            stacks, xlim=(-0.6, 1.6), ylim=(0, 11.4), yticks=[0, 5, 10], xticks={0: "N₁", 1: "N₂"}, title="N = Σ shares"
        )
        self.bars = stacks.bar(
            [0, 1], [0, 0], 0.7, color=FILLS[:2], hatch=["", "//"], edgecolor=theme.BLACK, linewidth=1.5, **MOVING
        )
        count = {"ha": "center", "va": "bottom", "fontsize": theme.SMALL, **MOVING}
        self.counts = [stacks.text(j, 0, "", **count) for j in (0, 1)]

    def show(self, means, sigma, shares, before, ask, words):
        """`shares` of both bells in each point (None: not yet asked); `before` are the means that the step left."""
        high = min(self.TALL * 0.435, 0.5 / (sigma * np.sqrt(2 * np.pi)))  # two in one place still fit
        bells = high * np.exp(-0.5 * ((self.grid - np.reshape(means, (2, 1))) / sigma) ** 2)
        self.total.set_data(self.grid, bells.sum(axis=0))
        for j in (0, 1):
            self.bells[j].set_data(self.grid, bells[j])
            self.means[j].set_data([np.clip(means[j], *self.REACH)], [0.0])
            moved = before is not None and abs(before[j] - means[j]) > 1e-9
            self.old[j].set_data(([before[j]] * 2, [0, high]) if moved else ([], []))
            self.bars[j].set_height(0 if shares is None else shares[:, j].sum())
            self.counts[j].set(y=0.15 if shares is None else shares[:, j].sum() + 0.15)
            self.counts[j].set_text("?" if shares is None else f"{shares[:, j].sum():.3f}")
        asked = np.full((len(self.x), 2), 0.0) if shares is None else shares
        tight = np.append(False, np.diff(self.x) < 2 * self.RADIUS)  # a pie that would cover its neighbour stands lower
        places = np.column_stack([self.x, np.where(tight, -0.122, -0.068)])
        self.pies.set_verts(_pies(places, asked if shares is not None else asked + [1, 0], (self.RADIUS, 0.0225), 31))
        self.pies.set_facecolor((FILLS[:2] if shares is not None else [theme.WHITE] * 2) * len(self.x))
        self.ask.set_data([ask], [0.028])
        self.words.set_text(words)


class Bound(Picture):
    """The log-likelihood along the line from h to h', and under it the bound that the E step puts there."""

    def __init__(self, axes):
        theme.dress(
            axes,
            xlim=(-0.5, 2.0),
            ylim=(-0.75, 1.42),
            xticks={0: "t = 0: h", 1: "t = 1: h′ after the M step", 2: "2"},
            yticks={0: "ℓ(h)", 1: "ℓ(h′)"},
            xlabel="along the line through h and h′",
        )
        self.axes = axes
        self.curve = axes.plot([], [], color=theme.BLUE, label="log-likelihood ℓ", **MOVING)[0]
        self.bound = axes.plot([], [], color=theme.VERMILLION, linestyle="--", label="bound F", **MOVING)[0]
        self.gap = axes.plot([1, 1], [0, 0], color=theme.BLACK, linewidth=2, linestyle=":", **MOVING)[0]
        marks = {"linestyle": "", "markersize": 13, **MOVING}
        self.touch = axes.plot([0], [0], "o", color=theme.BLACK, **marks)[0]
        self.top = axes.plot([1], [0], "^", color=theme.VERMILLION, **marks)[0]
        self.reached = axes.plot([1], [1], "s", color=theme.BLUE, **marks)[0]
        best = {"color": theme.BLUE, "markerfacecolor": theme.WHITE, "label": "top of ℓ on this line"}
        self.best = axes.plot([], [], "D", **best, **marks)[0]
        place = {"va": "center", "bbox": theme.PLATE, **MOVING}
        self.words = {name: axes.text(0, 0, "", **place) for name in ("touch", "top", "reached")}
        axes.legend(loc="lower right", borderaxespad=0.1)

    def show(self, t, curve, bound, best, moved, labels):
        """Heights are shares of the gain of this step, so that ℓ is 0 at h and 1 at h'. `moved`: has the M step come?"""
        self.curve.set_data(t, curve)
        self.bound.set_data(t, bound)
        top = float(np.interp(1, t, bound))
        self.gap.set(data=([1, 1], [top, 1]), visible=moved)
        self.top.set(data=([1], [top]), visible=moved)
        self.reached.set_visible(moved)
        self.best.set(data=([best[0]], [best[1]]), visible=moved and best[0] < 2)
        for name, (x, y) in {"touch": (0.06, -0.2), "top": (1.04, top - 0.3), "reached": (0.94, 1.12)}.items():
            side = "right" if name == "reached" else "left"
            self.words[name].set(x=x, y=y, ha=side, text=labels[name], visible=moved or name == "touch")


class Surfaces(Picture):
    """Two hills over (μ₁, μ₂): the log-likelihood with its two tops, and Q(h'|h), one bowl that h carries along."""

    LEVELS = [0.25, 1, 2.5, 5, 9, 15]  # how far below the top of Q its lines are, in nats

    def __init__(self, hill, bowl, grid, surface):
        for axes in (hill, bowl):
            theme.dress(
                axes,
                xlim=(0, 8),
                ylim=(0, 8),
                aspect="equal",
                xticks=[0, 2, 4, 6, 8],
                yticks=[0, 2, 4, 6, 8],
                xlabel=("μ₁", {"labelpad": 0}),
            )
            equal = axes.plot([0, 8], [0, 8], color=theme.GREY, linestyle=":", linewidth=1.5, label="μ₁ = μ₂")[0]
        hill.set(ylabel="μ₂", title="log-likelihood ℓ(μ₁, μ₂)")
        bowl.set_title("Q(h′ | h)")
        levels = surface.max() - np.array([45, 30, 20, 14, 9, 5, 2.5, 1, 0.25])
        look = {"colors": [theme.GREY], "linewidths": 1.2, "linestyles": "solid"}
        self.surface = hill.contour(grid, grid, surface.T, levels=levels, **look)
        self.rings = [
            bowl.plot([], [], color=theme.VERMILLION, linewidth=1.4, linestyle="-", **MOVING)[0] for _ in self.LEVELS
        ]
        marks = {"linestyle": "", "clip_on": False, **MOVING}
        self.paths = [
            axes.plot([], [], color=theme.BLUE, linewidth=2.2, linestyle="-", marker=".", **MOVING)[0]
            for axes in (hill, bowl)
        ]
        self.here = [axes.plot([], [], "o", color=theme.BLACK, markersize=13, **marks)[0] for axes in (hill, bowl)]
        self.top = [
            axes.plot([], [], "^", color=theme.VERMILLION, markersize=14, markeredgecolor=theme.WHITE, **marks)[0]
            for axes in (hill, bowl)
        ]

        said = {self.here[0]: "h", self.top[0]: "h′, the top of Q(h′ | h)", self.paths[0]: "EM so far"}
        hill.figure.legend(
            [*said, equal], [*said.values(), "μ₁ = μ₂"], loc="lower center", ncols=4, bbox_to_anchor=(0.52, -0.015)
        )

    def show(self, path, h, new, sigma, count):
        """`path` of h so far, the present h, the top of its Q, and N_j, which make the bowl narrow or wide."""
        for ring, level in zip(self.rings, self.LEVELS):
            ring.set_data(*(new[:, None] + sigma * np.sqrt(2 * level / count)[:, None] * CIRCLE))
        for line, here, top in zip(self.paths, self.here, self.top):
            line.set_data(*np.transpose(path))
            here.set_data([h[0]], [h[1]])
            top.set_data([new[0]], [new[1]])


class SideBySide(Picture):
    """k-means on the left, EM in the middle, on the right the cost that falls and the log-likelihood that climbs."""

    def __init__(self, hard, soft, cost, climb):
        soft.tick_params(labelleft=False)
        self.clouds = [Cloud(hard), Cloud(soft)]
        self.steps = []
        for axes, name in ((hard, "k-means"), (soft, "EM")):
            axes.text(0, 1.02, name, va="bottom", weight="bold", transform=axes.transAxes)
            place = {"ha": "right", "va": "bottom", "transform": axes.transAxes, **MOVING}
            self.steps.append(axes.text(1, 1.02, "", **place))
        self.curves, self.values = [], []
        for axes, title, colour in ((cost, "cost", theme.BLACK), (climb, "ln L", theme.BLUE)):
            axes.set(xlim=(-0.04, 1.04), ylim=(-0.12, 1.2), xticks=[], yticks=[])
            axes.text(0, 1.03, title, va="bottom", weight="bold", transform=axes.transAxes)
            line = axes.plot([], [], color=colour, linestyle="-", linewidth=2.5, **MOVING)[0]
            dot = axes.plot([], [], marker="o", color=colour, linestyle="", markersize=9, **MOVING)[0]
            self.curves.append((line, dot))
            self.values.append(axes.text(1, 1.03, "", ha="right", va="bottom", transform=axes.transAxes, **MOVING))
        self.bound = climb.plot([], [], marker="v", color=theme.VERMILLION, linestyle="", **MOVING)[0]
        climb.set_xlabel("step", fontsize=theme.SMALL, labelpad=2)
        self._legend(hard.figure)

    def _legend(self, figure):
        """What every mark of the clouds means; components have the colours and markers of the first one."""
        colour, bare = LINES[0], {"linestyle": "", "color": theme.BLACK}
        pie = {"marker": "o", "markerfacecoloralt": FILLS[1], "fillstyle": "left", "markerfacecolor": FILLS[0]}
        handles = {
            "start": Line2D([], [], marker="X", linestyle="", color=colour, markerfacecolor=theme.WHITE),
            "mean": Line2D([], [], marker="o", linestyle="", color=colour),
            "σ": Line2D([], [], color=colour, linewidth=2.6, linestyle="-"),
            "2σ": Line2D([], [], color=colour, linewidth=1.6, linestyle="--"),
            "border": Line2D([], [], color=theme.GREY, linewidth=2, linestyle="-"),
            "shared point": Line2D([], [], **pie, **bare),
            "wrong": Line2D([], [], marker="o", markerfacecolor="none", markersize=12, **bare),
            "bound F": Line2D([], [], marker="v", linestyle="", color=theme.VERMILLION),
        }
        spaced = {"handlelength": 1.3, "columnspacing": 1.1, "handletextpad": 0.4, "borderaxespad": 0.1}
        figure.legend(list(handles.values()), list(handles), loc="lower center", ncols=len(handles), **spaced)

    def show(self, hard, soft, steps, curves, at, values, bound):
        """`hard` and `soft` are what `Cloud.show` takes; `curves` are scaled to 0…1, shown as far as `at` of their length."""
        for cloud, what in zip(self.clouds, (hard, soft)):
            cloud.show(**what)
        for text, words in zip(self.steps, steps):
            text.set_text(words)
        for (line, dot), heights, end, text, value in zip(self.curves, curves, at, self.values, values):
            across = np.linspace(0, 1, len(heights)) if len(heights) > 1 else np.zeros(1)
            line.set_data(across[: end + 1], heights[: end + 1])
            dot.set(data=([across[end]], [heights[end]]), visible=bool(value))
            text.set_text(value)
        across = np.linspace(0, 1, len(curves[1]))[at[1]] if len(curves[1]) > 1 else 0
        self.bound.set_data(([across], [bound]) if bound is not None else ([], []))


class Starts(Picture):
    """One start after another: where it began and where it ended, and how many have ended at each value."""

    def __init__(self, plane, ends, tries):
        self.cloud = Cloud(plane)
        ends.set(ylim=(0, 1.1 * tries), yticks=range(0, tries + 1, tries // 3), ylabel="starts that ended there")
        self.axes, self.limits = ends, None
        self.stems = ends.plot([], [], color=theme.BLUE, linewidth=4, linestyle="-", marker="", **MOVING)[0]
        self.tops = ends.plot([], [], "o", color=theme.BLUE, **MOVING)[0]
        last = {"color": theme.BLACK, "markerfacecolor": theme.VERMILLION, "label": "the start drawn here"}
        self.last = ends.plot([], [], "D", markersize=13, **last, **MOVING)[0]
        self.words = ends.text(1.0, 0.87, "", ha="right", va="top", transform=ends.transAxes, **MOVING)
        ends.legend(loc="upper right", borderaxespad=0)

    def show(self, cloud, ends, limits, label, words):
        """`ends` are the values at which the starts so far ended, told apart by a tenth."""
        self.cloud.show(**cloud)
        if (limits, label) != self.limits:
            self.limits = limits, label
            self.axes.set(xlim=limits, xlabel=label)
        ends = np.round(ends, 1)
        values, counts = np.unique(ends, return_counts=True)
        gap = np.full(len(values), np.nan)
        stems = [(values, values, gap), (np.zeros(len(values)), counts, gap)]
        self.stems.set_data(*(np.column_stack(each).ravel() for each in stems))
        self.tops.set_data(values, counts)
        self.last.set_data(([ends[-1]], counts[values == ends[-1]]) if len(ends) else ([], []))
        self.words.set_text(words)


class ChooseK(Picture):
    """The best fit for each k: the log-likelihood always climbs, BIC turns down."""

    def __init__(self, plane, curves, numbers, low, high):
        self.cloud = Cloud(plane)
        theme.dress(
            curves,
            xlim=(0.6, max(numbers) + 0.4),
            ylim=(low, high),
            xticks=numbers,
            xlabel=("number of components k", {"labelpad": 2}),
        )
        self.numbers = list(numbers)
        self.fit = curves.plot([], [], marker="s", linestyle="--", color=theme.BLUE, label="ℓ", **MOVING)[0]
        self.bic = curves.plot([], [], marker="o", color=theme.VERMILLION, label="BIC", **MOVING)[0]
        ring = {"marker": "o", "markersize": 19, "markerfacecolor": "none", "color": theme.BLACK, "linestyle": ""}
        self.here = curves.plot([], [], **ring, **MOVING)[0]
        self.best = curves.plot([], [], marker="*", markersize=24, color=theme.BLACK, linestyle="", **MOVING)[0]
        self.words = curves.text(0.98, 0.03, "", ha="right", va="bottom", transform=curves.transAxes, **MOVING)
        curves.legend(loc="upper left", ncols=2, columnspacing=1.2, handletextpad=0.5, bbox_to_anchor=(0, 1.17))

    def show(self, cloud, fits, bics, k, words):
        """Curves over all k, the k on view ringed, the k with the highest BIC starred."""
        self.cloud.show(**cloud)
        self.fit.set_data(self.numbers, fits)
        self.bic.set_data(self.numbers, bics)
        self.here.set_data([k], [bics[self.numbers.index(k)]])
        best = int(np.argmax(bics))
        self.best.set_data([self.numbers[best]], [bics[best]])
        self.words.set_text(words)


class Groups(Picture):
    """Points in two measures with the groups that a method finds, a curve over the number of groups, and a table."""

    MARKS = "●▲■◆▼"

    def __init__(self, plane, curve, table, numbers, columns=()):
        self.plane, self.curve, self.numbers, self.limits = plane, curve, list(numbers), None
        dots = {"linestyle": "", **MOVING}
        self.points = [
            plane.plot([], [], marker=m, markersize=7, markeredgewidth=1, color=c, markerfacecolor=f, **dots)[0]
            for m, c, f in zip(MARKERS, LINES, FILLS)
        ]
        ring = {"marker": "o", "markersize": 12, "markerfacecolor": "none", "color": theme.BLACK}
        self.wrong = plane.plot([], [], markeredgewidth=1.4, **ring, **dots)[0]
        self.words = plane.text(0, 1.02, "", va="bottom", transform=plane.transAxes, **MOVING)
        theme.dress(
            curve,
            xlim=(0.6, max(numbers) + 0.4),
            ylim=(-0.2, 1.3),
            xticks=self.numbers,
            yticks=[],
            xlabel=("groups k", {"labelpad": 1}),
        )
        self.scores = curve.plot([], [], marker="o", linestyle="-", linewidth=2, color=theme.BLUE, **MOVING)[0]
        self.here = curve.plot([], [], **ring | dots | {"markersize": 19})[0]
        self.best = curve.plot([], [], marker="*", markersize=22, color=theme.BLACK, **dots)[0]
        self.score = curve.text(1, 1.03, "", ha="right", va="bottom", transform=curve.transAxes, **MOVING)
        table.set_axis_off()
        lines = {"va": "top", "linespacing": 1.35, "fontsize": theme.SMALL, "transform": table.transAxes, **MOVING}
        self.groups = table.text(0, 0.86, "", **lines)
        table.text(0, 1.0, "group", **lines | {"animated": False})
        at = [0.43, 0.75, 1.0] if columns else []
        self.heads = [table.text(x, 1.0, each, ha="right", **lines) for x, each in zip(at, columns)]
        self.columns = [table.text(x, 0.86, "", ha="right", **lines) for x in at]

    def show(self, x, y, across, up, groups, k, scores, best, score, words="", wrong=(), table=None):
        """`groups` numbers the group of each point; `scores` are scaled to 0…1 and `best` is the starred one, if any."""
        limits = [_span(x), _span(y), across, up]
        if limits != self.limits:
            self.limits = limits
            self.plane.set(xlim=limits[0], ylim=limits[1], xlabel=across, ylabel=up)
        for j, line in enumerate(self.points):
            _place(line, (x[groups == j], y[groups == j]) if j < k else None)
        _place(self.wrong, (x[wrong], y[wrong]) if len(wrong) else None)
        self.words.set_text(words)
        self.scores.set_data(self.numbers, scores)
        self.here.set_data([k], [scores[self.numbers.index(k)]])
        _place(self.best, None if best is None else ([best], [scores[self.numbers.index(best)]]))
        self.score.set_text(score)
        sizes = np.bincount(groups, minlength=k)
        self.groups.set_text("\n".join(f"{mark} {size}" for mark, size in zip(self.MARKS, sizes)))
        for head, column, counts in zip(
            self.heads, self.columns, np.transpose(table) if table is not None else self.heads
        ):
            head.set_visible(table is not None)
            column.set_text("\n".join(map(str, counts)) if table is not None else "")


def _span(values):
    """The limits of an axis for these values."""
    low, high = float(np.min(values)), float(np.max(values))
    room = 0.06 * (high - low) or 0.5 * abs(high) or 0.5
    return low - room, high + room


def _place(line, data):
    """Move a line, or take it out of the picture: what is not there costs no time to draw."""
    line.set_visible(data is not None)
    line.set_data(([], []) if data is None else data)


def _pies(places, shares, radius, corners=11):
    """Wedges around each place, one for each component, clockwise from the top; a polygon a row."""
    ends = np.cumsum(shares, axis=1)
    begins = ends - shares
    angles = np.pi / 2 - 2 * np.pi * (begins[:, :, None] + shares[:, :, None] * np.linspace(0, 1, corners))
    rim = np.stack([np.cos(angles), np.sin(angles)], axis=-1) * radius
    rim[shares < 0.002] = rim[0, 0, 0]
    cut = (shares >= 0.002) & (shares <= 0.998)  # neither a missing wedge nor a whole pie shows a line to its middle
    middle = np.where(cut[:, :, None, None], 0, rim[:, :, :1])
    wedges = np.concatenate([middle, rim], axis=2) + places[:, None, None, :]
    return wedges.reshape(-1, corners + 1, 2)


def _border(scores, limits):
    """Lines along which two components are equally high and no other is higher, with a gap after each."""
    cells, lines = np.linspace(*limits, scores.shape[1]), []
    for j in range(len(scores) - 1):
        lead = scores[j] - np.delete(scores, j, axis=0).max(axis=0)
        if lead.min() < 0 < lead.max():
            traced = UNSEEN.contour(cells, cells, lead, levels=[0])
            for line in traced.get_paths()[0].to_polygons(closed_only=False):
                lines += [line, [[np.nan, np.nan]]]
            traced.remove()
    return np.concatenate(lines).T if lines else None
