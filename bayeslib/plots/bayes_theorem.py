"""The pictures of section 01, Bayes theorem. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.patches import Rectangle

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING

# How the four kinds of tested people look, here and in every later picture of the test.
PEOPLE = {
    ("sick", "+"): {"marker": "s", "color": theme.VERMILLION},
    ("sick", "-"): {"marker": "s", "color": theme.VERMILLION},
    ("healthy", "+"): {"marker": "o", "color": theme.BLUE, "markerfacecolor": theme.SKY},
    ("healthy", "-"): {"marker": "o", "color": theme.BLUE, "markerfacecolor": theme.SKY},
}
RING = {"marker": "o", "color": theme.BLACK, "markerfacecolor": "none"}


class Rules:
    """The unit square of two events: width is P(A), heights are P(B|A) and P(B|¬A), areas are probabilities."""

    FILLS = {"AB": theme.ORANGE, "A¬B": theme.SKY, "¬AB": theme.YELLOW, "¬A¬B": theme.MIST}
    HATCH = {"AB": "//", "A¬B": "", "¬AB": "..", "¬A¬B": ""}
    NAMES = {"AB": "A ∧ B", "A¬B": "A ∧ ¬B", "¬AB": "¬A ∧ B", "¬A¬B": "¬A ∧ ¬B"}

    @theme.styled
    def __init__(self, square, words):
        square.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal", xticks=[], yticks=[])
        square.set_xlabel("width: A | not A")
        square.set_ylabel("height: B given …")
        square.spines[:].set_visible(False)
        words.set(xlim=(0, 1), ylim=(0, 1))
        words.axis("off")
        self.areas = {
            name: square.add_patch(Rectangle((0, 0), 0, 0, edgecolor=theme.BLACK, linewidth=2, **MOVING))
            for name in self.FILLS
        }
        self.names = {
            name: square.text(0, 0, self.NAMES[name], ha="center", va="center", bbox=theme.PLATE, **MOVING)
            for name in self.FILLS
        }
        self.title = words.text(0, 0.95, "", fontsize=theme.LARGE, weight="bold", va="top", **MOVING)
        self.lines = words.text(0, 0.78, "", va="top", linespacing=1.9, **MOVING)

    def show(self, p_a, p_b_given_a, p_b_given_not_a, emphasis, title, lines):
        """Move the four areas; those in `emphasis` are filled, the others left white."""
        corners = {
            "AB": (0, 0, p_a, p_b_given_a),
            "A¬B": (0, p_b_given_a, p_a, 1 - p_b_given_a),
            "¬AB": (p_a, 0, 1 - p_a, p_b_given_not_a),
            "¬A¬B": (p_a, p_b_given_not_a, 1 - p_a, 1 - p_b_given_not_a),
        }
        for name, (x, y, width, height) in corners.items():
            lit = name in emphasis
            self.areas[name].set(x=x, y=y, width=width, height=height)
            self.areas[name].set(
                facecolor=self.FILLS[name] if lit else theme.WHITE, hatch=self.HATCH[name] if lit else ""
            )
            self.names[name].set(x=x + width / 2, y=y + height / 2, visible=width > 0.22 and height > 0.09)
        self.title.set_text(title)
        self.lines.set_text("\n".join(lines))


class Population:
    """People, not percentages: a crowd as dots, the positives ringed and at last gathered on the right."""

    WHOLE, LEFT, RIGHT = (0.0, 1.75), (0.0, 1.0), (1.12, 1.75)  # where everybody, the negatives, the positives stand
    POINTS = 320  # how many points one unit of the axes is wide

    @theme.styled
    def __init__(self, axes):
        axes.set(xlim=(-0.02, 1.76), ylim=(-0.18, 1.14))
        axes.axis("off")
        moving = {"linestyle": "", **MOVING}
        self.groups = {kind: axes.plot([], [], **look, **moving)[0] for kind, look in PEOPLE.items()}
        self.rings = axes.plot([], [], **RING, **moving)[0]
        self.bare = axes.plot([], [], marker="o", color=theme.GREY, **moving)[0]
        self.heads = [axes.text(x, 1.08, "", va="center", weight="bold", **MOVING) for x in (0.0, self.RIGHT[0])]
        for x, look, label in (
            (0.02, PEOPLE["sick", "+"], "sick"),
            (0.32, PEOPLE["healthy", "+"], "healthy"),
            (0.72, RING, "ring: tests positive"),
        ):
            axes.plot([x], [-0.12], linestyle="", markersize=10, **look)
            axes.text(x + 0.04, -0.12, label, va="center")

    def show(self, counts, stage, head, gathered):
        """`counts` are whole people by (state, sign); stages: 0 crowd, 1 who is sick, 2 who tests positive, 3 gathered."""
        crowd = sum(counts.values())
        columns, wide = (40, 50) if crowd <= 1000 else (100, 140)
        positives, negatives = ({kind: number for kind, number in counts.items() if kind[1] == sign} for sign in "+-")
        if stage == 3:
            ringed = sum(positives.values())
            room = max(14, int(np.ceil(np.sqrt(ringed * 0.75))))
            self._place(negatives, columns, self.LEFT)
            self._place(positives, room, self.RIGHT)
        else:
            self._place(counts, wide, self.WHOLE)
        for line in self.groups.values():
            line.set_visible(stage > 0)
        sick, healthy = (self.groups[kind] for kind in positives)
        self.bare.set(data=_grid(crowd, wide, self.WHOLE), visible=stage == 0, markersize=self._size(wide, self.WHOLE))
        self.rings.set(data=np.hstack([sick.get_data(), healthy.get_data()]), visible=stage > 1)
        self.rings.set(markersize=1.7 * sick.get_markersize(), markeredgewidth=sick.get_markersize() / 5)
        self.heads[0].set_text(head)
        self.heads[1].set_text(gathered)

    def _place(self, counts, columns, span):
        """Line these people up in reading order; the more columns, the smaller they are."""
        places, start = _grid(sum(counts.values()), columns, span), 0
        size = self._size(columns, span)
        for kind, number in counts.items():
            mine = 1.7 * size if kind[0] == "sick" and size < 4 else size  # one sick person is found in a large crowd
            self.groups[kind].set(data=places[:, start : start + number], markersize=mine, markeredgewidth=size / 6)
            start += number

    def _size(self, columns, span):
        return min(8, 0.55 * self.POINTS * (span[1] - span[0]) / columns)


class BayesTable:
    """The table of the course: a row per hypothesis, a column per factor, a bar in every cell."""

    COLUMNS = ["prior", "likelihood", "product", "posterior"]
    FORMULAS = ["P(h)", "P(+|h)", "P(+|h) P(h)", "P(h|+)"]
    LOOK = {"sick": (theme.ORANGE, "//"), "healthy": (theme.SKY, "")}

    @theme.styled
    def __init__(self, axes, hypotheses):
        axes.set(xlim=(-0.72, 4), ylim=(3.05, -0.75))
        axes.axis("off")
        for row, name in enumerate([*hypotheses, "sum"]):
            axes.text(-0.68, row + 0.42, name, va="center", weight="bold")
        for column, (name, formula) in enumerate(zip(self.COLUMNS, self.FORMULAS)):
            axes.text(column + 0.05, -0.52, name, va="center", weight="bold")
            axes.text(column + 0.05, -0.2, formula, va="center", color=theme.GREY)
        for y in (0, 2):
            axes.axhline(y, color=theme.BLACK, linewidth=1.5)
        self.hypotheses, self.bars, self.numbers = list(hypotheses), {}, {}
        for column in range(4):
            for row, name in enumerate(hypotheses):
                fill, hatch = self.LOOK[name]
                look = {"facecolor": fill, "hatch": hatch, "edgecolor": theme.BLACK, **MOVING}
                self.bars[row, column] = axes.add_patch(Rectangle((column + 0.05, row + 0.56), 0, 0.3, **look))
            for row in range(3):
                self.numbers[row, column] = axes.text(column + 0.05, row + 0.3, "", va="center", **MOVING)
        self.notes = [
            axes.text(x + 0.05, 2.78, "", va="center", fontsize=theme.SMALL, color=theme.GREY, **MOVING)
            for x in range(4)
        ]

    def show(self, columns, shown, notes):
        """`columns` are four mappings over the hypotheses; only the first `shown` are filled in. A note stands below each."""
        for column, values in enumerate(columns):
            total, visible = sum(values.values()), column < shown
            scale = total if column == 2 else 1  # products are tiny: their bars show shares of the sum
            for row, name in enumerate(self.hypotheses):
                self.bars[row, column].set(width=0.85 * values[name] / scale if scale else 0, visible=visible)
                self.numbers[row, column].set(text=f"{values[name]:.5g}", visible=visible)
            self.numbers[2, column].set(text=f"{total:.5g}", visible=visible)
            self.notes[column].set(text=notes[column], visible=visible)


class PosteriorCurve:
    """P(sick|+) as a curve over the prior, beside the bars of belief before and after the test."""

    @theme.styled
    def __init__(self, curve, bars, priors, usual):
        curve.set(xscale="log", xlim=(1, 1000), ylim=(0, 1.02))
        curve.set_xticks([1, 3, 10, 30, 100, 300, 1000], ["1", "3", "10", "30", "100", "300", "1000"])
        curve.minorticks_off()
        curve.set(xlabel="prior: sick per 1000 before the test (log scale)", ylabel="P(sick | +)")
        curve.axhline(0.5, color=theme.GREY, linestyle=":", linewidth=2)
        dashed = {"color": theme.GREY, "linewidth": 2, "linestyle": "--", "label": "the book's test"}
        self.usual = curve.plot(1000 * priors, usual, **dashed)[0]
        self.line = curve.plot([], [], color=theme.BLUE, label="this test", **MOVING)[0]
        self.point = curve.plot([], [], "s", color=theme.VERMILLION, markersize=13, label="you are here", **MOVING)[0]
        self.point.set_clip_on(False)  # at the edge of the scale it is seen whole
        self.flip = curve.plot(
            [], [], "D", color=theme.BLACK, markerfacecolor=theme.YELLOW, label="MAP flips", **MOVING
        )[0]
        self.flip_text = curve.text(0, 0, "", va="top", fontsize=theme.SMALL, bbox=theme.PLATE, **MOVING)
        curve.legend(loc="upper left", handlelength=1.6, borderaxespad=0.1)
        bars.set(xlim=(-0.6, 1.6), ylim=(0, 1.12), yticks=[0, 0.5, 1])
        bars.set_xticks([0, 1], ["before", "after +"])
        bars.axhline(0.5, color=theme.GREY, linestyle=":", linewidth=2)
        self.sick = bars.bar([0, 1], [0, 0], 0.7, color=theme.ORANGE, hatch="//", edgecolor=theme.BLACK, **MOVING)
        self.healthy = bars.bar([0, 1], [1, 1], 0.7, color=theme.SKY, edgecolor=theme.BLACK, **MOVING)
        self.labels = [bars.text(x, 0, "", ha="center", va="bottom", weight="bold", **MOVING) for x in (0, 1)]
        bars.set_title("P(sick), hatched", fontsize=theme.SMALL)

    def show(self, priors, posteriors, prior, posterior, flip):
        """The curve of this test, the reader's place on it and the prior where the MAP decision flips (None: nowhere)."""
        self.line.set_data(1000 * priors, posteriors)
        self.point.set_data([1000 * prior], [posterior])
        seen = flip is not None and 0.001 < flip < 1
        self.flip.set(data=([1000 * flip], [0.5]) if seen else ([], []), visible=seen)
        self.flip_text.set(visible=seen)
        if seen:
            right = flip < 0.1
            self.flip_text.set(x=1000 * flip * (1.12 if right else 0.89), y=0.46, ha="left" if right else "right")
            self.flip_text.set_text(f"flips at {1000 * flip:.1f}")
        for bar, other, label, belief in zip(self.sick, self.healthy, self.labels, (prior, posterior)):
            bar.set_height(belief)
            other.set(y=belief, height=1 - belief)
            label.set(y=1.01, text=f"{belief:.3f}")


class Staircase:
    """Belief as evidence arrives, on a scale of log-odds: each result is a step up or down of fixed height."""

    EDGE = 4.6  # how far the scale reaches at least, in powers of ten

    @theme.styled
    def __init__(self, axes, longest):
        axes.set(xlim=(-0.4, longest + 0.9), xticks=range(longest + 1))
        axes.set(xlabel="results seen", ylabel="P(sick), log-odds scale")
        axes.axhline(0, color=theme.GREY, linestyle=":", linewidth=2)
        for words, points, side in (("above: MAP says sick", 4, "bottom"), ("below: MAP says healthy", -4, "top")):
            place = {"xytext": (0, points), "textcoords": "offset points", "ha": "right", "va": side}
            axes.annotate(words, (longest + 0.85, 0), fontsize=theme.SMALL, color=theme.GREY, **place)
        axes.yaxis.set_label_coords(-0.15, 0.5)
        self.axes, self.reach = axes, None
        self._scale(self.EDGE)
        steps = {"drawstyle": "steps-post", **MOVING}
        ghost = {"color": theme.GREY, "linestyle": "--", "linewidth": 2, "label": "if no result were copied"}
        self.ghost = axes.plot([], [], **ghost, **steps)[0]
        self.path = axes.plot([], [], color=theme.BLUE, **steps)[0]
        self.start = axes.plot([], [], "o", color=theme.BLUE, label="prior", **MOVING)[0]
        self.ups = axes.plot([], [], "^", color=theme.VERMILLION, markersize=14, label="after a +", **MOVING)[0]
        self.downs = axes.plot([], [], "v", color=theme.GREEN, markersize=14, label="after a −", **MOVING)[0]
        self.value = axes.text(0, 0, "", weight="bold", va="center", bbox=theme.PLATE, **MOVING)
        axes.legend(loc="upper left", ncols=4, columnspacing=1.2, handletextpad=0.4, bbox_to_anchor=(-0.02, 1.16))

    def _scale(self, reach):
        """Let the scale reach as many powers of ten as the beliefs need; it is drawn again only when that changes."""
        if reach == self.reach:
            return
        self.reach = reach
        every = 1 if reach < 7 else 2 if reach < 12 else 4
        powers = range(every, int(reach) + 1, every)
        low = [(-k, f"{10.0**-k:g}") for k in powers]
        high = [(k, f"{1 - 10.0**-k:g}" if k < 5 else f"1 − {10.0**-k:g}") for k in powers]
        self.axes.set_yticks(*zip(*low, (0, "0.5"), *high))
        self.axes.set_ylim(-reach, reach)

    def show(self, beliefs, signs, ghost, label):
        """`beliefs` in sick and healthy from the prior on, the sign of each result after it, the beliefs of independent tests."""
        heights, others = _log_odds(beliefs), _log_odds(ghost)
        self._scale(max(self.EDGE, float(np.ceil(np.abs([*heights, *others]).max())) + 0.6))
        at = np.arange(len(beliefs))
        for line, steps in ((self.path, heights), (self.ghost, others)):
            line.set_data([*at, at[-1] + 0.4], [*steps, steps[-1]])
        self.ghost.set_visible(ghost != beliefs)
        self.start.set_data([0], heights[:1])
        for artist, sign in ((self.ups, "+"), (self.downs, "-")):
            mine = [place + 1 for place, each in enumerate(signs) if each == sign]
            artist.set_data(mine, heights[mine])
        late = at[-1] > self.axes.get_xlim()[1] - 2.5  # near the right edge the number stands on the other side
        self.value.set(x=at[-1] + (-0.25 if late else 0.5), y=heights[-1], text=label, ha="right" if late else "left")


def _log_odds(beliefs):
    """log10 of the odds from pairs of P(sick) and P(healthy), of which the smaller one may be far below 1e-16."""
    sick, healthy = np.log10(beliefs).T
    return sick - healthy


def _grid(number, columns, span):
    """Places for `number` people in reading order, `columns` a row: an array of their x and an array of their y."""
    index = np.arange(number)
    rows = max(-(-number // columns), 1)
    step = (span[1] - span[0]) / columns
    height = min(1 / rows, 2.05 * step)  # a picture is about twice as wide as high
    return np.array([span[0] + step * (index % columns), 1 - height * (index // columns)])
