"""The pictures of section 04, Bayes optimal and Gibbs. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.patches import Polygon, Rectangle
from matplotlib.path import Path

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING

PLUS = {"facecolor": theme.ORANGE, "hatch": "//", "edgecolor": theme.BLACK}
MINUS = {"facecolor": theme.SKY, "edgecolor": theme.BLACK}
CROWN = Path([(-1, -0.7), (1, -0.7), (1.1, 0.6), (0.5, 0), (0, 0.9), (-0.5, 0), (-1.1, 0.6), (-1, -0.7)])
# How the three clerks look, here and in every later picture of them.
CLERKS = {
    "vote": {"color": theme.BLUE, "linestyle": "-", "marker": "o"},
    "Gibbs": {"color": theme.VERMILLION, "linestyle": "--", "marker": "D"},
    "MAP": {"color": theme.GREEN, "linestyle": "-.", "marker": "s"},
}


class WeightedVote:
    """Three hypotheses with their weights, the vote that they make, and the triangle of all weights."""

    HYPOTHESES = ["h1", "h2", "h3"]
    PLACES = [0, 1, 2, 3.7, 4.7]  # of the three weights and of the two sums
    CORNERS = np.array([[0.5, np.sqrt(0.75)], [0, 0], [1, 0]])  # where all weight is on h1, h2, h3

    @theme.styled
    def __init__(self, bars, triangle):
        bars.set(xlim=(-0.6, 5.25), ylim=(0, 1.42), yticks=[0, 0.5, 1])
        bars.set_xticks(self.PLACES, [*self.HYPOTHESES, "+", "−"])
        bars.set_xlabel("weights P(h|D)              the vote P(v|D)", x=0.52)
        bars.spines["left"].set_bounds(0, 1)
        bars.plot([3.1, 5.25], [0.5, 0.5], color=theme.GREY, linestyle=":", linewidth=2)
        self.plus = [bars.add_patch(Rectangle((x - 0.4, 0), 0.8, 0, **PLUS, **MOVING)) for x in self.PLACES]
        self.minus = [bars.add_patch(Rectangle((x - 0.4, 0), 0.8, 0, **MINUS, **MOVING)) for x in self.PLACES]
        plates = [None] * 3 + [theme.PLATE] * 2  # the sums stand on the line of one half
        self.numbers = [
            bars.text(x, 0, "", ha="center", va="bottom", bbox=plate, **MOVING) for x, plate in zip(self.PLACES, plates)
        ]
        look = {"linestyle": "", "color": theme.BLACK, "markerfacecolor": theme.YELLOW, "clip_on": False}
        self.crown = bars.plot([], [], marker=CROWN, markersize=22, label="MAP", **look, **MOVING)[0]
        self.winner = bars.plot([], [], marker="v", markersize=14, label="wins the vote", **look, **MOVING)[0]
        handles = [Rectangle((0, 0), 1, 1, **PLUS), Rectangle((0, 0), 1, 1, **MINUS)]
        shown = bars.plot([], [], marker=CROWN, markersize=17, **look) + bars.plot([], [], marker="v", **look)
        bars.legend(
            [*handles, *shown],
            ["says +", "says −", "MAP", "wins the vote"],
            loc="upper left",
            ncols=4,
            columnspacing=0.9,
            handletextpad=0.4,
            handlelength=1.4,
            borderaxespad=0,
            bbox_to_anchor=(-0.02, 1.03),
        )
        triangle.set(xlim=(-0.13, 1.13), ylim=(-0.2, 1.13), aspect="equal")
        triangle.axis("off")
        for name, (x, y), across in zip(self.HYPOTHESES, self.CORNERS, ("center", "right", "left")):
            triangle.text(x, y + 0.02, name, ha=across, va="bottom", weight="bold")
        triangle.add_patch(Polygon(self.CORNERS, **MINUS))
        self.says_plus = triangle.add_patch(Polygon(self.CORNERS, **PLUS, **MOVING))
        part = {"facecolor": "none", "edgecolor": theme.BLACK, "hatch": "xxx", "linewidth": 3}
        self.parts = [triangle.add_patch(Polygon(self.CORNERS, **part, **MOVING)) for _ in range(3)]
        spokes = [self.CORNERS.mean(axis=0), *((self.CORNERS + self.CORNERS[[1, 2, 0]]) / 2)]
        path = np.array([spokes[0], spokes[1], spokes[0], spokes[2], spokes[0], spokes[3]])
        self.spokes = triangle.plot(*path.T, color=theme.GREY, linewidth=1.5, zorder=3, **MOVING)[0]
        dot = {"color": theme.VERMILLION, "markeredgecolor": theme.BLACK, "markersize": 15, "zorder": 4}
        self.dot = triangle.plot([], [], "o", **dot, **MOVING)[0]
        self.verdict = triangle.text(0.5, 1.1, "", ha="center", va="top", weight="bold", **MOVING)
        triangle.text(0.5, -0.05, "crossed: they disagree,", ha="center", va="top")
        self.share = triangle.text(0.5, -0.14, "", ha="center", va="top", **MOVING)

    def show(self, weights, p_plus, best, vote, won, where, verdict, share):
        """Weights and P(+|h) of h1, h2, h3; the MAP hypotheses `best`; the vote for + and − and who `won`; the triangle's
        parts as `weight_map` gives them; two lines of words."""
        sums = [(vote[0], 0), (0, vote[1])]
        parts = [(w * p, w * (1 - p)) for w, p in zip(weights, p_plus)] + sums
        tops = [*weights, *vote]
        for plus, minus, number, top, (yes, no) in zip(self.plus, self.minus, self.numbers, tops, parts):
            plus.set_height(yes)
            minus.set(y=yes, height=no)
            number.set(y=top + 0.025, text=f"{top:.3g}")
        for artist, places in ((self.crown, best), (self.winner, [3 + each for each in won])):
            artist.set_data([self.PLACES[each] for each in places], [tops[each] + 0.2 for each in places])
        for artist, corners in zip([self.says_plus, *self.parts], [where["plus"], *where["disagree"]]):
            artist.set_visible(bool(corners))
            if corners:
                artist.set_xy(np.array(corners, dtype=float) @ self.CORNERS)
        self.dot.set_data(*(np.array([weights]) @ self.CORNERS).T)
        self.verdict.set_text(verdict)
        self.share.set_text(share)

    def weights(self, place):
        """The three weights at a place of the triangle, as whole percent; beside the triangle, those of a place on its edge."""
        place = np.linalg.solve(np.vstack([self.CORNERS.T, np.ones(3)]), [*place, 1]).clip(0)
        edges = np.round(np.cumsum(100 * place / place.sum())).astype(int)
        return np.diff(edges, prepend=0).tolist()


class ThreeClerks:
    """The errors of vote, Gibbs and MAP over P(+|D), and as bars at the reader's place."""

    @theme.styled
    def __init__(self, curves, bars, p):
        curves.set(xlim=(-0.02, 1.02), ylim=(-0.04, 1.04), xticks=[0, 0.25, 0.5, 0.75, 1], yticks=[0, 0.5, 1])
        curves.set(xlabel="P(+|D): the weight of all hypotheses that say +", ylabel="error")
        self.p = p
        ceiling = {"color": theme.VERMILLION, "linestyle": ":", "linewidth": 2, "label": "twice the vote"}
        self.ceiling = curves.plot([], [], **ceiling, **MOVING)[0]
        self.lines = {
            clerk: curves.plot([], [], **{**CLERKS[clerk], "marker": ""}, **MOVING)[0] for clerk in ("vote", "Gibbs")
        }
        self.here = curves.plot([], [], color=theme.GREY, linewidth=1.5, zorder=1, **MOVING)[0]
        self.points = {}
        for (clerk, look), size in zip(CLERKS.items(), (10, 12, 14)):  # where they meet, each is still seen
            place = {"markersize": size, "zorder": 20 - size, "clip_on": False}
            self.points[clerk] = curves.plot([], [], **look, **place, label=clerk, **MOVING)[0]
        curves.legend(
            [*self.points.values(), self.ceiling],
            [*CLERKS, "twice the vote"],
            loc="lower left",
            ncols=4,
            columnspacing=1.2,
            bbox_to_anchor=(-0.03, 0.99),
        )
        bars.set(xlim=(0, 1.6), ylim=(2.6, -0.75), xticks=[], yticks=[])
        bars.spines[:].set_visible(False)
        self.bars = [
            bars.add_patch(Rectangle((0, y), 0, 0.4, color=look["color"], **MOVING))
            for y, look in enumerate(CLERKS.values())
        ]
        self.numbers = [bars.text(0, y + 0.2, "", va="center", weight="bold", **MOVING) for y in range(3)]
        for y, clerk in enumerate(CLERKS):
            bars.text(0.03, y - 0.05, f"{clerk} errs", va="bottom")

    def show(self, p, curves, errors):
        """The clerks' errors along `self.p`, and at the reader's `p`."""
        for clerk, line in self.lines.items():
            line.set_data(self.p, curves[clerk])
        for clerk, point in self.points.items():
            point.set_data([p], [errors[clerk]])
        self.ceiling.set_data(self.p, 2 * curves["vote"])
        self.here.set_data([p, p], [0, 1])
        for bar, number, error in zip(self.bars, self.numbers, errors.values()):
            bar.set_width(error)
            number.set(x=error + 0.04, text=f"{error:.3f}")


class ShrinkingGap:
    """A threshold on a line between its examples, and the clerks' errors as the gap closes."""

    LABELS = {"vote": "vote: middle of the gap", "Gibbs": "Gibbs: anywhere in it", "MAP": "MAP: at the first +"}

    @theme.styled
    def __init__(self, line, curves, theory):
        line.set(xlim=(-0.01, 1.01), ylim=(-1, 1), yticks=[], xticks=[0, 1])
        line.spines["left"].set_visible(False)
        words = "signs: the examples seen    grey: the gap    black: the truth"
        line.text(0.5, -1.2, words, ha="center", va="top", fontsize=theme.SMALL)
        gap = {"facecolor": theme.MIST, "edgecolor": theme.BLACK, "linewidth": 1}
        self.gap = line.add_patch(Rectangle((0, -1), 1, 1.96, **gap, **MOVING))
        self.truth = line.plot([], [], color=theme.BLACK, linewidth=4, **MOVING)[0]
        sign = {"linestyle": "", "markersize": 13, "markeredgewidth": 3, "clip_on": False}
        self.minus = line.plot([], [], marker="_", color=theme.BLUE, **sign, **MOVING)[0]
        self.plus = line.plot([], [], marker="+", color=theme.VERMILLION, **sign, **MOVING)[0]
        self.cuts = {
            clerk: line.plot([], [], **{**look, "linestyle": ""}, clip_on=False, zorder=4, **MOVING)[0]
            for clerk, look in CLERKS.items()
        }
        examples = np.arange(len(theory["gap"]))
        curves.set(xlim=(-0.6, examples[-1] + 0.6), yscale="log", ylim=(0.006, 0.7))
        curves.set_yticks([0.01, 0.03, 0.1, 0.3], ["0.01", "0.03", "0.1", "0.3"])
        curves.minorticks_off()
        curves.set(xlabel="examples seen", ylabel="error (log scale)")
        self.here = curves.axvline(0, color=theme.GREY, linewidth=1.5, **MOVING)
        self.theory, self.dots = {}, {}
        for clerk, look in CLERKS.items():
            self.theory[clerk] = curves.plot(examples, theory[clerk], **{**look, "marker": "", "linewidth": 2})[0]
            self.dots[clerk] = curves.plot([], [], **{**look, "linestyle": ""}, markersize=8, **MOVING)[0]
        curves.legend(
            [curves.plot([], [], **look)[0] for look in CLERKS.values()], [*self.LABELS.values()], loc="upper right"
        )

    def show(self, truth, points, low, high, cuts, errors):
        """The truth and the points of one run, its gap and the three cuts; the clerks' mean errors so far."""
        self.gap.set(x=low, width=high - low)
        self.truth.set_data([truth, truth], [-1, 0.96])
        for artist, mine in ((self.minus, points[points < truth]), (self.plus, points[points >= truth])):
            artist.set_data(mine, np.full(len(mine), -0.5))
        for clerk, artist in self.cuts.items():
            artist.set_data([cuts[clerk]], [0.45])
            self.dots[clerk].set_data(np.arange(len(errors[clerk])), errors[clerk])
        self.here.set_xdata([len(points)] * 2)
