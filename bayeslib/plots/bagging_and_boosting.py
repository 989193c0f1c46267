"""The pictures of section 16, bagging and boosting. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING, Picture

PLUS, MINUS = {"marker": "o", "facecolors": [theme.ORANGE]}, {"marker": "s", "facecolors": [theme.SKY]}
# From the tint of − over white to that of +, as the share of votes grows; RGBA, which is drawn fastest.
_WHITE, _SKY, _ORANGE = (255 * np.array([*to_rgb(colour), 1]) for colour in (theme.WHITE, theme.SKY, theme.ORANGE))
_STEPS = np.linspace(0, 0.4, 101)[:, None]
_TINTS = np.vstack([_WHITE + (_SKY - _WHITE) * _STEPS[::-1], _WHITE + (_ORANGE - _WHITE) * _STEPS[1:]]).astype(np.uint8)


class Plane:
    """Points of two classes, round for + and square for −, over the region that a classifier calls +."""

    CIRCLE = np.sqrt(0.5) * np.array([f(np.linspace(0, 2 * np.pi, 81)) for f in (np.cos, np.sin)])

    def __init__(self, axes, cells, low=-1.0, high=1.0, ticks=(), circle=False):
        axes.set_aspect("equal")
        axes.spines[:].set_visible(True)
        axes.tick_params(labelsize=theme.SMALL, pad=2)
        self.axes, self.cells, self.limits = axes, cells, None
        blank = np.full((cells, cells, 4), 255, np.uint8)
        box = {"extent": (low, high, low, high), "origin": "lower", "interpolation": "nearest", "aspect": "equal"}
        self.region = axes.imshow(blank, zorder=0.5, **box, **MOVING)
        line = {"color": theme.BLACK, "linewidth": 1.6, "solid_capstyle": "butt", "zorder": 1}
        self.border = axes.plot([], [], linestyle="-", **line, **MOVING)[0]
        dashed = {"color": theme.BLACK, "linewidth": 2, "linestyle": "--", "zorder": 2}
        self.circle = axes.plot(*self.CIRCLE, **dashed, **MOVING)[0] if circle else None
        self.classes = [
            axes.scatter([], [], edgecolors=[theme.BLACK], linewidths=1.1, zorder=3, **look, **MOVING)
            for look in (MINUS, PLUS)
        ]
        ring = {"facecolors": "none", "edgecolors": [theme.VERMILLION], "linewidths": 2, "zorder": 4}
        self.wrong = axes.scatter([], [], marker="o", antialiased=False, **ring, **MOVING)
        self.scale(low, high, ticks)

    def scale(self, low, high, ticks=()):
        """Another range of the data; the axes are drawn again only when it changes."""
        if (low, high) != self.limits:
            self.limits, self.edges = (low, high), np.linspace(low, high, self.cells + 1)
            self.region.set_extent((low, high, low, high))
            self.axes.set(xlim=(low, high), ylim=(low, high), xticks=ticks, yticks=ticks)

    def show(self, X, y, share, base, weights=None, wrong=None):
        """`share` of votes for + in each cell; a point of average weight has area `base`; `wrong` gets a red ring."""
        share = np.reshape(share, (self.cells, self.cells))
        self.region.set_data(_TINTS[np.rint(200 * share).astype(int)])
        self.border.set_data(*self._border(share > 0.5))
        one = weights is None  # points of one size are drawn faster
        sizes = np.clip([float(base)] if one else base * len(y) * np.asarray(weights), 5, 1500)
        for sign, dots in zip((-1, 1), self.classes):
            dots.set_offsets(X[y == sign])
            dots.set_sizes(sizes if one else sizes[y == sign])
        wrong = np.zeros(len(y), bool) if wrong is None else wrong
        self.wrong.set_offsets(X[wrong])
        self.wrong.set_sizes((np.sqrt(sizes if one else sizes[wrong]) + 6) ** 2)

    def _border(self, plus):
        """The sides between cells of different answer, as one line with gaps."""
        e, gap = self.edges, np.nan
        row, col = np.nonzero(plus[:, 1:] != plus[:, :-1])
        up = np.stack([e[col + 1], e[col + 1], np.full(len(col), gap)]), np.stack([e[row], e[row + 1], e[row]])
        low, at = np.nonzero(plus[1:] != plus[:-1])
        flat = np.stack([e[at], e[at + 1], np.full(len(at), gap)]), np.stack([e[low + 1], e[low + 1], e[low]])
        return tuple(np.concatenate([one.T.ravel(), other.T.ravel()]) for one, other in zip(up, flat))


MARKS = {  # how to draw the key of a picture, by what its marks mean
    "+": {"marker": "o", "markerfacecolor": theme.ORANGE},
    "−": {"marker": "s", "markerfacecolor": theme.SKY},
    "wrong about a training point": {"marker": "o", "markersize": 13, "markeredgecolor": theme.VERMILLION},
    "vote is wrong about the truth": {"marker": "o", "markersize": 13, "markeredgecolor": theme.VERMILLION},
    "wrong label": {"marker": "x", "markersize": 11, "markeredgewidth": 3},
    "the truth": {"linestyle": "--", "linewidth": 2},
    "border of the answer": {"linestyle": "-", "linewidth": 1.6},
}


def key(figure, *names, **options):
    """What the marks of a picture mean, in one line below it."""
    look = {"linestyle": "", "color": theme.BLACK, "markersize": 9, "markeredgewidth": 1.5, "markerfacecolor": "none"}
    marks = [Line2D([], [], **{**look, **MARKS[name]}) for name in names]
    row = {
        "ncols": len(names),
        "fontsize": theme.SMALL,
        "columnspacing": 1.1,
        "handletextpad": 0.4,
        "handlelength": 1.6,
    }
    figure.legend(marks, names, borderaxespad=0.1, **{"loc": "lower center", **row, **options})


@theme.styled
def labelled(axes, X, y, cut, circle, wrong):
    """Points of two classes that do not move, and what is told about them."""
    axes.set_aspect("equal")
    size = 110 if len(y) < 50 else 30
    for sign, look in ((-1, MINUS), (1, PLUS)):
        axes.scatter(*X[y == sign].T, s=size, edgecolors=[theme.BLACK], linewidths=1.1, zorder=2, **look)
    axes.set(xlabel="x₁", ylabel="x₂")
    names = ["+", "−"]
    if cut is not None:
        axes.axvline(cut, color=theme.BLACK, linewidth=1.6)
        names.append("border of the answer")
    if circle:
        axes.plot(*Plane.CIRCLE, "--", color=theme.BLACK, linewidth=2)
        names.append("the truth")
    if wrong is not None:
        axes.plot(*X[wrong][:, None], "x", color=theme.BLACK, markersize=13, markeredgewidth=3, zorder=3)
        names.append("wrong label")
    key(axes.figure, *names, loc="center right", ncols=1)


def cell_centres(edges):
    middle = (edges[1:] + edges[:-1]) / 2
    return np.stack(np.meshgrid(middle, middle), axis=-1).reshape(-1, 2)


class Bag(Picture):
    """One bag: how often each row was drawn; beside it the share of rows that appear, against the number of rows."""

    ACROSS, MOST = 10, 60

    def __init__(self, rows, curve):
        theme.dress(rows, xlim=(-0.7, self.ACROSS - 0.3), ylim=(self.MOST / self.ACROSS - 0.35, -1.2), hide="all")
        rows.text(-0.5, -0.85, "how often each row is in the bag", va="center")
        look = {"marker": "s", "markersize": 26, "linestyle": "", "color": theme.BLACK, "markeredgewidth": 1.5}
        self.absent = rows.plot([], [], markerfacecolor=theme.WHITE, **look, **MOVING)[0]
        self.present = rows.plot([], [], markerfacecolor=theme.SKY, **look, **MOVING)[0]
        text = {"linestyle": "", "markersize": 11, "color": theme.BLACK, "markeredgewidth": 0.4, **MOVING}
        self.counts = [rows.plot([], [], marker=f"${k}$", **text)[0] for k in range(1, 10)]
        curve.set(
            xlim=(0, self.MOST + 3),
            ylim=(0, 1.08),
            yticks=[0, 0.5, 1],
            xticks=[1, 20, 40, 60],
            xlabel="rows in the data, n",
            title="share of the rows in a bag",
        )
        self.line = curve.plot([], [], color=theme.BLUE, label="expected", **MOVING)[0]
        limit = {"color": theme.GREY, "linestyle": ":", "linewidth": 2, "label": "n → ∞"}
        self.limit = curve.plot([], [], **limit, **MOVING)[0]
        self.dot = curve.plot([], [], "o", color=theme.BLUE, markersize=11, **MOVING)[0]
        mark = {"markerfacecolor": theme.WHITE, "markersize": 11, "linestyle": "", "label": "this bag"}
        self.drawn = curve.plot([], [], "D", color=theme.VERMILLION, **mark, **MOVING)[0]
        curve.legend(loc="lower right", borderaxespad=0.2)

    def show(self, counts, sizes, shares, limit, drawn):
        """`shares` is the expected share for each number of rows in `sizes`."""
        n = len(counts)
        places = np.arange(n) % self.ACROSS, np.arange(n) // self.ACROSS
        for line, mine in ((self.absent, counts == 0), (self.present, counts > 0)):
            line.set_data(places[0][mine], places[1][mine])
        for k, line in enumerate(self.counts, start=1):
            mine = counts == k if k < 9 else counts >= 9
            line.set_data(places[0][mine], places[1][mine])
        self.line.set_data(sizes, shares)
        self.limit.set_data([0, self.MOST + 3], [limit, limit])
        self.dot.set_data([n], [shares[sizes.index(n)]])
        self.drawn.set_data([n], [drawn])


class Panels(Picture):
    """Two or three planes side by side with a heading each, and a line below that says what the marks mean."""

    def __init__(self, axes, cells, names=(), **options):
        self.planes = [Plane(each, cells, **options) for each in axes]
        key(axes[0].figure, *names) if names else None
        head = {"ha": "center", "va": "bottom", "fontsize": theme.SMALL, "linespacing": 1.15, **MOVING}
        self.heads = [each.text(0.5, 1.02, "", transform=each.transAxes, **head) for each in axes]

    def head(self, *words):
        for text, line in zip(self.heads, words):
            text.set_text(line)


class Boost(Panels):
    """A round of boosting: the stump and the weights, the vote so far, the formulas with their numbers."""

    FORMULAS = (
        "ε = Σ w of the wrong",
        "α = ½ ln((1 − ε)/ε)",
        "sum = 2√(ε(1 − ε))",
        "right: times e⁻ᵅ/sum",
        "wrong: times eᵅ/sum",
    )

    def __init__(self, stump, vote, sums, cells):
        super().__init__((stump, vote), cells)
        marks = ("+", "−", "wrong about a training point", "border of the answer")
        key(stump.figure, *marks, loc="lower left")
        rows = range(len(self.FORMULAS))
        theme.dress(sums, xlim=(0, 1), ylim=(len(rows) - 0.4, -0.55), hide="all")
        text = {"va": "center", "ha": "left", "fontsize": theme.SMALL}
        for y, formula in zip(rows, self.FORMULAS):
            sums.text(0, y - 0.22, formula, linespacing=1.0, **text)
        self.numbers = [sums.text(0.08, y + 0.22, "", weight="bold", **text, **MOVING) for y in rows]

    def write(self, *numbers):
        for text, number in zip(self.numbers, numbers):
            text.set_text(number)


class Climb(Picture):
    """Rounds of boosting: errors and their bound on the left, the margins of all points at one round on the right."""

    def __init__(self, errors, margins, rounds):
        ticks = [rounds.index(each) for each in (1, 5, 10, 20, 60, 300)]
        theme.dress(
            errors,
            xlim=(-0.6, len(rounds) - 0.3),
            ylim=(-0.02, 1.05),
            yticks=[0, 0.25, 0.5, 0.75, 1],
            xticks={tick: str(rounds[tick]) for tick in ticks},
            xlabel="round (uneven scale)",
        )
        self.lines = {
            "bound": errors.plot([], [], "--", color=theme.GREY, label="bound Π 2√(ε(1−ε))", **MOVING)[0],
            "training": errors.plot([], [], "-", color=theme.BLUE, label="training error", **MOVING)[0],
            "true": errors.plot([], [], "-.", color=theme.VERMILLION, label="true error (disc only)", **MOVING)[0],
        }
        marks = (("training", "o", theme.BLUE), ("true", "s", theme.VERMILLION), ("bound", "^", theme.GREY))
        self.dots = {name: errors.plot([], [], mark, color=c, markersize=9, **MOVING)[0] for name, mark, c in marks}
        place = {"loc": "lower left", "bbox_to_anchor": (-0.12, 1.0), "ncols": 2}
        errors.legend(**place, borderaxespad=0, columnspacing=0.9, handlelength=2.6, labelspacing=0.2)
        margins.set(
            xlim=(-1.05, 1.05),
            ylim=(-0.02, 1.06),
            yticks=[0, 0.5, 1],
            xticks=[-1, 0, 1],
            xlabel="margin",
            title="share of points up to here",
        )
        margins.axvline(0, color=theme.GREY, linestyle=":", linewidth=2)
        self.steps = margins.plot([], [], drawstyle="steps-post", color=theme.BLUE, linestyle="-", **MOVING)[0]
        self.least = margins.plot([], [], "D", color=theme.BLACK, markersize=9, **MOVING)[0]  # named by `word`
        self.word = margins.text(-1, 0.97, "", va="top", fontsize=theme.SMALL, bbox=theme.PLATE, **MOVING)

    def show(self, bound, training, true, margins):
        """Lists up to the present round; `true` is None where nobody knows the truth."""
        at = np.arange(len(bound))
        for name, values in (("bound", bound), ("training", training), ("true", true)):
            for artist, part in ((self.lines[name], slice(None)), (self.dots[name], slice(-1, None))):
                artist.set_data(*(([], []) if values is None else (at[part], values[part])))
        margins = np.sort(margins)
        self.steps.set_data([-1, *margins, 1], [0, *(np.arange(len(margins)) + 1) / len(margins), 1])
        self.least.set_data([margins[0]], [0])
        self.word.set_text(theme.minus(f"◆ least {margins[0]:.3f}"))


class Liar(Picture):
    """Ten points, one of which may have the wrong label; beside them each point's weight by round, and what the vote gets wrong."""

    def __init__(self, plane, weights, errors, names, rounds):
        self.plane, self.names = Plane(plane, 40, 0, 10, (0, 2, 4, 6, 8, 10)), names
        plane.set_title("✕ the wrong label", fontsize=theme.SMALL, pad=5)
        look = {"linestyle": "", "marker": "x", "markersize": 13, "color": theme.BLACK, "markeredgewidth": 3}
        self.cross = plane.plot([], [], zorder=5, **look, **MOVING)[0]
        plain = {"fontsize": theme.SMALL, "bbox": theme.PLATE, "zorder": 6, **MOVING}
        self.labels = [plane.text(0, 0, "", va="bottom", **plain) for _ in range(3)]
        for axes in (weights, errors):
            axes.set(xlim=(0, rounds + 1))
        weights.set(ylim=(0, 0.78), yticks=[0, 0.25, 0.5], xticks=[], ylabel="weight")
        weights.axhline(0.1, color=theme.GREY, linestyle=":", linewidth=1.5)
        self.others = [weights.plot([], [], color=theme.GREY, linewidth=1, linestyle="-", **MOVING)[0] for _ in names]
        looks = ((theme.VERMILLION, "-", 3), (theme.BLUE, "--", 2.2), (theme.GREEN, ":", 2.6))
        self.marked, *self.pair = (
            weights.plot([], [], color=colour, linestyle=dash, linewidth=wide, **MOVING)[0]
            for colour, dash, wide in looks
        )
        self.words = []
        for (colour, dash, wide), y in zip(looks, (0.74, 0.635, 0.53)):
            weights.plot([0.33 * rounds, 0.41 * rounds], [y, y], color=colour, linestyle=dash, linewidth=wide)
            self.words.append(weights.text(0.43 * rounds, y, "", va="center", fontsize=theme.SMALL, **MOVING))
        theme.dress(
            errors, ylim=(-0.2, 5.4), yticks=[0, 2, 4], xlabel="round", ylabel=("truly wrong", {"labelpad": 12})
        )
        look = {"color": theme.BLUE, "linewidth": 2.2, "linestyle": "-", "drawstyle": "steps-mid"}
        self.wrong = errors.plot([], [], **look, **MOVING)[0]
        self.fooled = errors.text(0.99, 0.97, "", ha="right", va="top", transform=errors.transAxes, **MOVING)
        self.fooled.set(fontsize=theme.SMALL, bbox=theme.PLATE)
        key(plane.figure, "+", "−", "vote is wrong about the truth", loc="lower left")

    def show(self, X, y, share, weights, wrong, liar, pair, traces, errors, fooled):
        """`traces` holds a row of weights per round so far; `pair` the two points drawn beside the liar's line."""
        self.plane.show(X, y, share, 110, weights, wrong)
        self.cross.set_data(*(X[liar][:, None] if liar is not None else ([], [])))
        at = np.arange(1, len(traces) + 1)
        for point, line in enumerate(self.others):
            line.set_data(at, traces[:, point])
        for label, line, word, point in zip(self.labels, (self.marked, *self.pair), self.words, (liar, *pair)):
            line.set_data(*((at, traces[:, point]) if point is not None else ([], [])))
            label.set_text("" if point is None else self.names[point])
            kind = "wrong label" if point == liar else "right label"
            word.set_text("no wrong label" if point is None else f"{self.names[point]} {kind} {traces[-1, point]:.3f}")
            if point is not None:
                left = X[point, 0] > 8.2
                label.set(position=X[point] + (-0.45 if left else 0.45, 0.25), ha="right" if left else "left")
        self.wrong.set_data(np.arange(1, len(errors) + 1), errors)
        self.fooled.set_text(fooled)


class Biopsies(Picture):
    """Training biopsies in the plane of two measures, those looked at ringed; beside them the errors on held-out ones."""

    def __init__(self, plane, errors, rounds):
        plane.set(
            xlim=(0, 0.31),
            ylim=(45, 260),
            xticks=[0, 0.1, 0.2, 0.3],
            yticks=[50, 100, 150, 200, 250],
            xlabel="concave points",
            ylabel="perimeter",
        )
        dots = {"edgecolors": [theme.BLACK], "linewidths": 1, "s": 26, **MOVING}
        self.classes = [
            plane.scatter([], [], label=name, **look, **dots)
            for name, look in (("benign, as given", MINUS), ("malignant, as given", PLUS))
        ]
        ring = {
            "linestyle": "",
            "markerfacecolor": "none",
            "markersize": 13,
            "markeredgewidth": 2,
            "zorder": 4,
            **MOVING,
        }
        self.honest = plane.plot([], [], "o", color=theme.BLACK, label="looked at: right", **ring)[0]
        ring |= {"markeredgewidth": 3, "zorder": 5}
        self.lies = plane.plot([], [], "X", color=theme.VERMILLION, label="looked at: wrong", **ring)[0]
        place = {"loc": "lower left", "bbox_to_anchor": (-0.2, 1.0), "ncols": 2, "borderaxespad": 0}
        plane.legend(**place, columnspacing=0.6, handletextpad=0.1, labelspacing=0.2)
        ticks = [rounds.index(each) for each in (1, 3, 10, 30, 100)]
        theme.dress(
            errors,
            xlim=(-0.3, len(rounds) - 0.7),
            ylim=(0, 20),
            yticks=[0, 5, 10, 15, 20],
            xticks={tick: str(rounds[tick]) for tick in ticks},
            xlabel="rounds or bags (uneven scale)",
            ylabel="% wrong, held out",
        )
        looks = {
            "one stump": {"color": theme.GREY, "linestyle": ":"},
            "one full tree": {"color": theme.GREEN, "linestyle": "-."},
            "bagged trees": {"color": theme.BLUE, "linestyle": "--", "marker": "s", "markersize": 7},
            "boosted stumps": {"color": theme.VERMILLION, "linestyle": "-", "marker": "o", "markersize": 7},
        }
        self.lines = {name: errors.plot([], [], label=name, **look, **MOVING)[0] for name, look in looks.items()}
        place["bbox_to_anchor"] = (-0.12, 1.0)
        errors.legend(**place, columnspacing=0.8, handlelength=2, labelspacing=0.2)

    def show(self, X, y, looked, wrong, curves):
        """`looked` at rows, of which `wrong` marks those with a wrong label; `curves` has the percentages of each learner."""
        for sign, dots in zip((-1, 1), self.classes):
            dots.set_offsets(X[y == sign])
        self.honest.set_data(*X[looked[~wrong]].T)
        self.lies.set_data(*X[looked[wrong]].T)
        for name, line in self.lines.items():
            line.set_data(np.arange(len(curves[name])), curves[name])


class SecondLook(Picture):
    """The rows of a table whose labels are most disputed, by weight and by out-of-bag votes; beside them two errors."""

    MOST = 10

    def __init__(self, rows, errors):
        rows.set(
            xlim=(0, 1.02),
            ylim=(self.MOST - 0.4, -0.6),
            xticks=[0, 0.5, 1],
            yticks=[],
            xlabel="share",
            title="most disputed first",
        )
        at = np.arange(self.MOST)
        self.bars = rows.barh(
            at, 0, 0.62, color=theme.SKY, edgecolor=theme.BLACK, linewidth=1, label="weight, heaviest = 1"
        )
        for bar in self.bars:
            bar.set_animated(True)
        look = {"linestyle": "", "marker": "D", "markersize": 9, "color": theme.BLACK, "markerfacecolor": theme.WHITE}
        self.votes = rows.plot([], [], clip_on=False, zorder=3, label="out-of-bag votes against", **look, **MOVING)[0]
        look |= {"marker": "x", "markeredgewidth": 3, "color": theme.VERMILLION}
        self.flipped = rows.plot([], [], zorder=3, label="flipped for the test", **look, **MOVING)[0]
        name = {"ha": "right", "va": "center", "fontsize": theme.SMALL, **MOVING}
        self.names = [rows.text(-0.03, y, "", **name) for y in at]
        handles, labels = rows.get_legend_handles_labels()
        key = {"loc": "lower center", "ncols": 3, "fontsize": theme.SMALL, "columnspacing": 1, "handletextpad": 0.4}
        rows.figure.legend(handles, labels, borderaxespad=0.1, **key)
        errors.set(xlim=(-0.6, 1.6), ylim=(0, 1.12), yticks=[0, 0.5, 1], title="share wrong")
        errors.set_xticks([0, 1], ["larger\nclass", "bagged,\nout of bag"], fontsize=theme.SMALL)
        self.errors = errors.bar([0, 1], 0, 0.6, color=[theme.MIST, theme.ORANGE], edgecolor=theme.BLACK)
        for bar in self.errors:
            bar.set_animated(True)
        text = {"ha": "center", "va": "bottom", "fontsize": theme.SMALL, **MOVING}
        self.shares = [errors.text(x, 0, "", **text) for x in (0, 1)]

    def show(self, names, weights, votes, flipped, errors):
        """One entry a row; `votes` is NaN where a row was in every bag."""
        many = len(names)
        for k, bar in enumerate(self.bars):
            bar.set_width(weights[k] if k < many else 0)
            bar.set_visible(k < many)
            self.names[k].set_text(names[k] if k < many else "")
        at = np.arange(many)
        self.votes.set_data(votes, at)
        self.flipped.set_data(np.full(flipped.sum(), 0.03), at[flipped])
        for bar, text, share in zip(self.errors, self.shares, errors):
            bar.set_height(share)
            text.set(position=(text.get_position()[0], share + 0.02), text=f"{share:.2f}")
