"""The pictures of section 04, Bayes optimal and Gibbs. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.patches import Polygon, Rectangle
from matplotlib.path import Path

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING, Picture

PLUS = {"facecolor": theme.ORANGE, "hatch": "//", "edgecolor": theme.BLACK}
MINUS = {"facecolor": theme.SKY, "edgecolor": theme.BLACK}
CROWN = Path([(-1, -0.7), (1, -0.7), (1.1, 0.6), (0.5, 0), (0, 0.9), (-0.5, 0), (-1.1, 0.6), (-1, -0.7)])
# How the three clerks look, here and in every later picture of them.
CLERKS = {
    "vote": {"color": theme.BLUE, "linestyle": "-", "marker": "o"},
    "Gibbs": {"color": theme.VERMILLION, "linestyle": "--", "marker": "D"},
    "MAP": {"color": theme.GREEN, "linestyle": "-.", "marker": "s"},
}


def _limits(axes, name, low, high):
    """Set the limits of an axis where they change: a changed axis draws the whole background anew."""
    if getattr(axes, f"get_{name}lim")() != (low, high):
        getattr(axes, f"set_{name}lim")(low, high)


class _Scale:
    """A vertical axis from 0 to 1 whose ticks are written anew in every frame, so that the background stays as it is."""

    def __init__(self, axes, ticks, top):
        self.ticks = np.array(ticks)
        theme.dress(axes, ylim=(0, top), yticks=dict.fromkeys(ticks, ""))
        place = {"transform": axes.get_yaxis_transform(), "ha": "right", "va": "center", "fontsize": theme.SMALL}
        self.labels = [axes.text(-0.025, tick, "", **place, **MOVING) for tick in ticks]

    def show(self, low, high):
        """What 0 and 1 stand for; returns how a value is placed."""
        for label, tick in zip(self.labels, self.ticks):
            label.set_text(f"{low + tick * (high - low):g}")
        return lambda values: (np.asarray(values) - low) / (high - low)


class WeightedVote(Picture):
    """Three hypotheses with their weights, the vote that they make, and the triangle of all weights."""

    HYPOTHESES = ["h1", "h2", "h3"]
    PLACES = [0, 1, 2, 3.7, 4.7]  # of the three weights and of the two sums
    CORNERS = np.array([[0.5, np.sqrt(0.75)], [0, 0], [1, 0]])  # where all weight is on h1, h2, h3

    def __init__(self, bars, triangle):
        theme.dress(
            bars,
            xlim=(-0.6, 5.25),
            ylim=(0, 1.42),
            yticks=[0, 0.5, 1],
            xticks=dict(zip(self.PLACES, [*self.HYPOTHESES, "+", "−"])),
            xlabel=("weights P(h|D)              the vote P(v|D)", {"x": 0.52}),
        )
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
        theme.dress(triangle, xlim=(-0.13, 1.13), ylim=(-0.31, 1.13), aspect="equal", hide="all")
        for name, (x, y), across in zip(self.HYPOTHESES, self.CORNERS, ("center", "right", "left")):
            triangle.text(x, y + 0.02, name, ha=across, va="bottom", weight="bold")
        whole = triangle.add_patch(Polygon(self.CORNERS, **MINUS))
        self.says_plus = triangle.add_patch(Polygon(self.CORNERS, **PLUS, **MOVING))
        part = {"facecolor": "none", "edgecolor": theme.BLACK, "hatch": "xxx", "linewidth": 3}
        self.parts = [triangle.add_patch(Polygon(self.CORNERS, **part, **MOVING)) for _ in range(3)]
        for each in self.parts:
            each.set_clip_path(whole)  # its thick corners would stick out
        spokes = [self.CORNERS.mean(axis=0), *((self.CORNERS + self.CORNERS[[1, 2, 0]]) / 2)]
        path = np.array([spokes[0], spokes[1], spokes[0], spokes[2], spokes[0], spokes[3]])
        self.spokes = triangle.plot(*path.T, color=theme.GREY, linewidth=1.5, zorder=3, **MOVING)[0]
        dot = {"color": theme.VERMILLION, "markeredgecolor": theme.BLACK, "markersize": 15, "zorder": 4}
        self.dot = triangle.plot([], [], "o", **dot, **MOVING)[0]
        self.verdict = triangle.text(0.5, 1.1, "", ha="center", va="top", weight="bold", **MOVING)
        triangle.text(0.5, -0.04, "crossed: they disagree,", ha="center", va="top")
        self.share = triangle.text(0.5, -0.13, "", ha="center", va="top", **MOVING)
        words = "dot: our weights; grey: MAP changes"
        triangle.text(0.5, -0.23, words, ha="center", va="top", fontsize=theme.SMALL)

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


class ThreeClerks(Picture):
    """The errors of vote, Gibbs and MAP over P(+|D), and as bars at the reader's place."""

    def __init__(self, curves, bars, p):
        curves.set(
            xlim=(-0.02, 1.02),
            ylim=(-0.04, 1.06),
            xticks=[0, 0.25, 0.5, 0.75, 1],
            yticks=[0, 0.5, 1],
            xlabel="P(+|D): the weight of all hypotheses that say +",
            ylabel="probability of an error",
        )
        self.p = p
        self.lines, self.points = {}, {}
        for (clerk, look), size in zip(CLERKS.items(), (10, 12, 14)):  # where they meet, each is still seen
            self.lines[clerk] = curves.plot([], [], **{**look, "marker": ""}, **MOVING)[0]
            place = {"markersize": size, "zorder": 20 - size, "clip_on": False}
            self.points[clerk] = curves.plot([], [], **look, **place, label=clerk, **MOVING)[0]
        bound = {"color": theme.VERMILLION, "linestyle": ":", "linewidth": 2, "zorder": 5}
        self.bound = curves.plot([], [], **bound, **MOVING)[0]
        self.here = curves.plot([], [], color=theme.GREY, linewidth=1.5, zorder=1, **MOVING)[0]
        curves.legend(
            [*self.points.values(), self.bound],
            [*CLERKS, "twice the vote, at most 1"],
            loc="lower left",
            ncols=4,
            columnspacing=1.2,
            bbox_to_anchor=(-0.12, 0.99),
        )
        theme.dress(bars, xlim=(0, 1.6), ylim=(2.6, -0.75), xticks=[], yticks=[], hide="left bottom")
        self.bars = [
            bars.add_patch(Rectangle((0, y), 0, 0.4, color=look["color"], **MOVING))
            for y, look in enumerate(CLERKS.values())
        ]
        self.numbers = [bars.text(0, y + 0.2, "", va="center", weight="bold", **MOVING) for y in range(3)]
        for y, clerk in enumerate(CLERKS):
            bars.text(0.03, y - 0.05, f"{clerk}: error", va="bottom")

    def show(self, p, curves, errors):
        """The clerks' errors along `self.p`, and at the reader's `p`."""
        apart = np.where(curves["MAP"] == curves["vote"], np.nan, curves["MAP"])  # elsewhere it lies on the vote's line
        for (clerk, line), curve in zip(self.lines.items(), (curves["vote"], curves["Gibbs"], apart)):
            line.set_data(self.p, curve)
            self.points[clerk].set_data([p], [errors[clerk]])
        self.bound.set_data(self.p, np.minimum(2 * curves["vote"], 1))
        self.here.set_data([p, p], [0, 1])
        for bar, number, error in zip(self.bars, self.numbers, errors.values()):
            bar.set_width(error)
            number.set(x=error + 0.04, text=f"{error:.3f}")


class ShrinkingGap(Picture):
    """A threshold on a line between its examples, and the clerks' errors as the gap closes."""

    LABELS = {"vote": "vote: middle of the gap", "Gibbs": "Gibbs: anywhere in it", "MAP": "MAP: at the first +"}

    def __init__(self, line, curves, theory):
        theme.dress(line, xlim=(-0.01, 1.01), ylim=(-1, 1), yticks=[], xticks=[0, 1], hide="left")
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
        theme.dress(
            curves,
            xlim=(-0.6, examples[-1] + 0.6),
            yscale="log",
            ylim=(0.006, 0.7),
            yticks={0.01: "0.01", 0.03: "0.03", 0.1: "0.1", 0.3: "0.3"},
            xlabel="examples seen",
            ylabel="error rate (log scale)",
            hide="minor",
        )
        self.here = curves.axvline(0, color=theme.GREY, linewidth=1.5, **MOVING)
        self.theory, self.dots = {}, {}
        for clerk, look in CLERKS.items():
            self.theory[clerk] = curves.plot(examples, theory[clerk], **{**look, "marker": "", "linewidth": 2})[0]
        for (clerk, look), size in zip(CLERKS.items(), (6, 9, 9)):  # the vote on top, and each still seen
            mark = {**look, "linestyle": "", "markersize": size, "zorder": 12 - size}
            self.dots[clerk] = curves.plot([], [], **mark, **MOVING)[0]
        curves.legend(
            [curves.plot([], [], **look)[0] for look in CLERKS.values()],
            [*self.LABELS.values()],
            loc="upper right",
            bbox_to_anchor=(0.975, 1),
        )
        words = (
            "lines: the truth is drawn uniformly (formula 4.5)\nmarks: mean of 2000 runs with the truth chosen above"
        )
        curves.text(0.015, 0.04, words, transform=curves.transAxes, va="bottom", fontsize=theme.SMALL)

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


class CostlyErrors(Picture):
    """What each of two answers costs on average, over P(+|D), and as bars at the reader's place."""

    LOOKS = {
        "+": {"color": theme.VERMILLION, "linestyle": "--", "marker": "D"},
        "−": {"color": theme.BLUE, "linestyle": "-", "marker": "o"},
    }

    def __init__(self, curves, bars, p):
        self.p = p
        theme.dress(
            curves,
            xlim=(-0.02, 1.02),
            xticks=[0, 0.25, 0.5, 0.75, 1],
            xlabel="P(+|D)",
            ylabel=("expected cost", {"labelpad": 30}),
        )
        self.scale = _Scale(curves, [0, 0.5, 1], 1.06)
        self.here = curves.plot([], [], color=theme.GREY, linewidth=1.5, zorder=1, **MOVING)[0]
        self.change = curves.plot([], [], color=theme.BLACK, linestyle=":", linewidth=2.5, **MOVING)[0]
        self.lines, self.points = {}, {}
        for answer, look in self.LOOKS.items():
            self.lines[answer] = curves.plot([], [], **{**look, "marker": ""}, **MOVING)[0]
            self.points[answer] = curves.plot([], [], **look, markersize=12, clip_on=False, zorder=4, **MOVING)[0]
        curves.legend(
            [*self.points.values(), self.change],
            ["say +", "say −", "both cost the same"],
            loc="lower left",
            ncols=3,
            columnspacing=1.2,
            bbox_to_anchor=(-0.03, 0.99),
        )
        theme.dress(bars, xlim=(0, 1.6), ylim=(1.7, -0.75), xticks=[], yticks=[], hide="left bottom")
        self.bars = [
            bars.add_patch(Rectangle((0, y), 0, 0.4, color=look["color"], **MOVING))
            for y, look in enumerate(self.LOOKS.values())
        ]
        self.numbers = [bars.text(0, y + 0.2, "", va="center", weight="bold", **MOVING) for y in range(2)]
        for y, answer in enumerate(self.LOOKS):
            bars.text(0.03, y - 0.05, f"saying {answer} costs", va="bottom")

    def show(self, p, alarm, missed, change, costs):
        """`costs` of the two answers at `p`; the lines rise to the cost of a false `alarm` and of a `missed` +."""
        top = max(alarm, missed)
        place = self.scale.show(0, top)
        for (answer, line), height in zip(self.lines.items(), (alarm * (1 - self.p), missed * self.p)):
            line.set_data(self.p, place(height))
            self.points[answer].set_data([p], [place(costs[answer])])
        self.here.set_data([p, p], [0, 1])
        self.change.set_data([change, change], [0, 1])
        for bar, number, cost in zip(self.bars, self.numbers, costs.values()):
            bar.set_width(cost / top)
            number.set(x=cost / top + 0.04, text=f"{cost:.2f}")


class OneNumber(Picture):
    """Three hypotheses that predict a number, and what each answer costs on average."""

    LOOKS = {
        "MAP": {"color": theme.GREEN, "marker": "s", "markersize": 13},
        "median": {"color": theme.PURPLE, "marker": "^", "markersize": 13},
        "mean": {"color": theme.BLUE, "marker": "o", "markersize": 10},
    }

    TOPS = {"squared": 320, "absolute": 24}  # what is above is far from any good answer

    def __init__(self, weights, losses, answers):
        self.answers = answers
        ends = (answers[0] - 1, answers[-1] + 1)
        weights.set(xlim=ends, ylim=(0, 1.35), yticks=[0, 1], xticks=[], ylabel="weight")
        self.stems = [weights.add_patch(Rectangle((0, 0), 0.5, 0, color=theme.GREY, **MOVING)) for _ in range(3)]
        self.names = [
            weights.text(0, 0, "", ha="center", va="bottom", fontsize=theme.SMALL, **MOVING) for _ in range(3)
        ]
        theme.dress(losses, xlim=ends, xlabel="the answer, in degrees", ylabel=("expected loss", {"labelpad": 30}))
        self.scale = _Scale(losses, [0, 0.5, 1], 1)
        self.curve = losses.plot([], [], color=theme.BLACK, **MOVING)[0]
        self.points = {
            name: losses.plot([], [], linestyle="", markeredgecolor=theme.BLACK, **look, **MOVING)[0]
            for name, look in self.LOOKS.items()
        }
        self.best = losses.plot([], [], linestyle="", marker="v", markersize=14, color=theme.BLACK, **MOVING)[0]
        losses.legend(
            [*self.points.values(), self.best],
            ["what h_MAP says", "weighted median", "weighted mean", "least"],
            loc="lower center",
            bbox_to_anchor=(0.47, 0.97),
            ncols=4,
            columnspacing=1.2,
            handletextpad=0.3,
        )

    def show(self, numbers, weights, loss, losses, places, best):
        """The predicted `numbers` with their weights; expected `losses` along the answers; (answer, loss) of the marks."""
        place = self.scale.show(0, self.TOPS[loss])
        for number, (stem, name, at, weight) in enumerate(zip(self.stems, self.names, numbers, weights), 1):
            stem.set(x=at - 0.25, height=weight)
            name.set(x=at, y=weight + 0.04, text=f"h{number}: {at:g}")
        self.curve.set_data(self.answers, place(losses))
        for name, point in self.points.items():
            point.set_data([places[name][0]], [place(places[name][1])])
        self.best.set_data([best[0]], [place(best[1]) + 0.14])


class WhoSurvived(Picture):
    """The rules by their probability with what they say of one person, and the clerks' scores over how many were seen."""

    ASIDE = {"vote": -0.2, "Gibbs": 0.2, "MAP": 0}
    TOPS = (0.08, 0.15, 0.3, 0.6, 1)  # heights of the axis, of which the smallest that is enough is taken

    def __init__(self, rules, scores, number, sizes):
        self.sizes = sizes
        theme.dress(
            rules,
            xlim=(-0.8, number - 0.2),
            xticks=[],
            xlabel=f"the {number} rules, most probable first",
            ylabel=("P(h|D)", {"labelpad": 36}),
        )
        self.weights = _Scale(rules, [0, 0.5, 1], 1.25)
        self.bars = [
            rules.add_patch(Rectangle((x - 0.4, 0), 0.8, 0, edgecolor=theme.BLACK, linewidth=1, **MOVING))
            for x in range(number)
        ]
        crown = {"linestyle": "", "color": theme.BLACK, "markerfacecolor": theme.YELLOW, "clip_on": False}
        self.crown = rules.plot([], [], marker=CROWN, markersize=15, **crown, **MOVING)[0]
        small = {"hatch": "////", "facecolor": theme.ORANGE, "edgecolor": theme.BLACK}
        rules.legend(
            [
                Rectangle((0, 0), 1, 1, **small),
                Rectangle((0, 0), 1, 1, facecolor=theme.WHITE, edgecolor=theme.BLACK),
                rules.plot([], [], marker=CROWN, **crown)[0],
            ],
            ["says: survived", "says: did not", "MAP"],
            loc="upper right",
        )
        self.words = rules.text(
            0.97, 0.5, "", transform=rules.transAxes, ha="right", va="center", linespacing=1.5, **MOVING
        )
        theme.dress(
            scores,
            xlim=(-0.4, len(sizes) - 0.6),
            xlabel="people seen",
            xticks=dict(enumerate(map(str, sizes))),
        )
        self.scale = _Scale(scores, [0, 0.2, 0.4, 0.6, 0.8, 1], 1)
        label = {"rotation": 90, "ha": "center", "va": "center", "transform": scores.transAxes}
        self.named = scores.text(-0.17, 0.45, "", **label, **MOVING)
        self.here = scores.plot([], [], color=theme.BLACK, linewidth=1, zorder=1, **MOVING)[0]
        self.lines, self.points = {}, {}
        for clerk, look in CLERKS.items():  # side by side, as most of them would cover each other
            joined = {**look, "linestyle": "-" if clerk == "vote" else ""}
            self.lines[clerk] = scores.plot([], [], **joined, markersize=8, **MOVING)[0]
            hollow = {**look, "linestyle": "", "markerfacecolor": "none", "markersize": 14, "zorder": 3}
            self.points[clerk] = scores.plot([], [], **hollow, **MOVING)[0]
        self.floor = scores.plot([], [], color=theme.BLACK, linestyle=":", linewidth=2, **MOVING)[0]
        hollow = {"marker": "o", "linestyle": "", "markerfacecolor": theme.WHITE, "markeredgecolor": theme.BLACK}
        scores.legend(
            [*self.lines.values(), scores.plot([], [], markersize=11, **hollow)[0], self.floor],
            [*CLERKS, "hollow: this draw alone", "best possible on average"],
            loc="upper right",
            labelspacing=0.25,
        )

    def show(self, weights, yes, best, words, place, curves, alone, floor, named, limits):
        """Weights in falling order, whether each rule says yes, how many tie as MAP; the clerks' mean scores by size seen, and
        those of this draw at `place`; `floor` is the score that none beats on average."""
        top = next(each for each in self.TOPS if weights[0] <= each * 0.8 or each == 1)
        weights = self.weights.show(0, top)(weights)
        for bar, weight, says in zip(self.bars, weights, yes):
            bar.set(height=weight, facecolor=theme.ORANGE if says else theme.WHITE, hatch="////" if says else "")
        self.crown.set_data([(best - 1) / 2], [weights[0] + 0.09])
        self.words.set_text(words)
        self.named.set_text(named)
        height = self.scale.show(*limits)
        self.here.set_data([place, place], [0, 0.6])
        for clerk, line in self.lines.items():
            line.set_data(np.arange(len(self.sizes)) + self.ASIDE[clerk], height(curves[clerk]))
            beyond = min(height(alone[clerk]), 1)  # above the axis: at its end
            self.points[clerk].set_data([place + self.ASIDE[clerk]], [beyond])
        self.floor.set_data([-0.4, len(self.sizes) - 0.6], [height(floor)] * 2)


class Forecasters(Picture):
    """The weights of forecasters after the last day, and the errors of the clerks as the days go by."""

    MOST = 8

    def __init__(self, weights, errors):
        self.weights, self.errors = weights, errors
        theme.dress(
            weights, xlim=(0, 1.3), xticks=[0, 0.5, 1], yticks=[], xlabel="weight after the last day", hide="left"
        )
        self.bars = [
            weights.add_patch(Rectangle((0, y), 0, 0.45, facecolor=theme.MIST, edgecolor=theme.BLACK, **MOVING))
            for y in range(self.MOST)
        ]
        text = {"parse_math": False, "fontsize": theme.SMALL}
        self.names = [weights.text(0.02, y - 0.04, "", va="bottom", **text, **MOVING) for y in range(self.MOST)]
        self.numbers = [weights.text(0, y + 0.22, "", va="center", **text, **MOVING) for y in range(self.MOST)]
        errors.set(xlabel="days so far", ylabel="errors so far")
        look = {"color": theme.BLACK, "linestyle": ":", "linewidth": 3}
        self.best = errors.plot([], [], **look, **MOVING)[0]
        self.lines = {
            clerk: errors.plot([], [], **{**look, "linestyle": joined}, markersize=size, **MOVING)[0]
            for (clerk, look), joined, size in zip(CLERKS.items(), ("-", "", "-."), (6, 7, 8))
        }
        labels = [*CLERKS, "the best forecaster, in hindsight"]
        errors.legend([*self.lines.values(), self.best], labels, loc="upper left")

    def show(self, names, weights, wrong, errors, best):
        """Forecasters with their weights and numbers of errors; the clerks' errors summed up day by day, and the best one's."""
        _limits(self.weights, "y", len(names) - 0.3, -0.6)
        rows = zip(self.bars, self.names, self.numbers)
        for number, (bar, name, value) in enumerate(rows):
            shown = number < len(names)
            for artist in (bar, name, value):
                artist.set_visible(shown)
            if shown:
                bar.set_width(weights[number])
                name.set_text(f"{names[number]}: {wrong[number]} wrong")
                value.set(x=weights[number] + 0.03, text=f"{weights[number]:.3f}")
        days, most = len(best) - 1, float(np.ceil(max(best[-1], *(each[-1] for each in errors.values()), 2)))
        _limits(self.errors, "x", -0.03 * days, 1.03 * days)
        _limits(self.errors, "y", -0.04 * most, 1.9 * most)
        for clerk, line in self.lines.items():
            line.set_data(range(days + 1), errors[clerk])
        self.best.set_data(range(days + 1), best)
