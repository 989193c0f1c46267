"""The pictures of section 01, Bayes' theorem. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.patches import Rectangle

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING, Picture

# How the four kinds of tested people look, here and in every later picture of the test.
PEOPLE = {
    ("sick", "+"): {"marker": "s", "color": theme.VERMILLION},
    ("sick", "-"): {"marker": "s", "color": theme.VERMILLION},
    ("healthy", "+"): {"marker": "o", "color": theme.BLUE, "markerfacecolor": theme.SKY},
    ("healthy", "-"): {"marker": "o", "color": theme.BLUE, "markerfacecolor": theme.SKY},
}
RING = {"marker": "o", "color": theme.BLACK, "markerfacecolor": "none"}


class Rules(Picture):
    """The unit square of two events: width is P(A), heights are P(B|A) and P(B|¬A), areas are probabilities."""

    FILLS = {"AB": theme.ORANGE, "A¬B": theme.SKY, "¬AB": theme.YELLOW, "¬A¬B": theme.MIST}
    HATCH = {"AB": "//", "A¬B": "", "¬AB": "..", "¬A¬B": ""}
    NAMES = {"AB": "A ∧ B", "A¬B": "A ∧ ¬B", "¬AB": "¬A ∧ B", "¬A¬B": "¬A ∧ ¬B"}

    def __init__(self, square, words):
        theme.dress(
            square, xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal", xticks=[], yticks=[], hide="left bottom"
        )
        theme.dress(words, xlim=(0, 1), ylim=(0, 1), hide="all")
        self.areas = {
            name: square.add_patch(Rectangle((0, 0), 0, 0, edgecolor=theme.BLACK, linewidth=2, **MOVING))
            for name in self.FILLS
        }
        self.names = {
            name: square.text(0, 0, self.NAMES[name], ha="center", va="center", bbox=theme.PLATE, **MOVING)
            for name in self.FILLS
        }
        sides = [
            (0, -0.03, "left", "top"),
            (1, -0.03, "right", "top"),
        ]  # the widths below, the heights of B at the sides
        sides += [(-0.03, 0, "right", "bottom"), (1.03, 0, "left", "bottom")]
        self.sides = [
            square.text(x, y, "", ha=ha, va=va, rotation=0 if va == "top" else 90, **MOVING) for x, y, ha, va in sides
        ]
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
        named = {"P(A)": p_a, "P(¬A)": 1 - p_a, "P(B|A)": p_b_given_a, "P(B|¬A)": p_b_given_not_a}
        for text, (name, value) in zip(self.sides, named.items()):
            text.set_text(f"{name} = {value:.4g}")
        self.title.set_text(title)
        self.lines.set_text("\n".join(lines))


class Population(Picture):
    """People, not percentages: a crowd as dots, the positives ringed and at last gathered on the right."""

    WHOLE, LEFT, RIGHT = (0.0, 1.75), (0.0, 1.0), (1.12, 1.75)  # where everybody, the negatives, the positives stand
    POINTS = 320  # how many points one unit of the axes is wide

    def __init__(self, axes):
        theme.dress(axes, xlim=(-0.02, 1.76), ylim=(-0.18, 1.14), hide="all")
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


class BayesTable(Picture):
    """The table of the course: a row per hypothesis, a column per factor, a bar in every cell."""

    COLUMNS = ["prior", "likelihood", "product", "posterior"]
    FORMULAS = ["P(h)", "P(+|h)", "P(+|h) P(h)", "P(h|+)"]
    LOOK = {"sick": (theme.ORANGE, "//"), "healthy": (theme.SKY, "")}

    def __init__(self, axes, hypotheses):
        theme.dress(axes, xlim=(-0.72, 4), ylim=(3.05, -0.75), hide="all")
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


class PosteriorCurve(Picture):
    """P(sick|+) as a curve over the prior, beside the bars of belief before and after the test."""

    def __init__(self, curve, bars, priors, usual):
        theme.dress(
            curve,
            xscale="log",
            xlim=(1, 1000),
            ylim=(0, 1.02),
            xticks={1: "1", 3: "3", 10: "10", 30: "30", 100: "100", 300: "300", 1000: "1000"},
            xlabel="prior: sick per 1000 before the test (log scale)",
            ylabel="P(sick | +)",
            hide="minor",
        )
        curve.axhline(0.5, color=theme.GREY, linestyle=":", linewidth=2)
        self.line = curve.plot([], [], color=theme.BLUE, label="this test", **MOVING)[0]
        dashed = {"color": theme.BLACK, "linewidth": 1.5, "linestyle": (0, (5, 5)), "label": "the first test"}
        self.usual = curve.plot(1000 * priors, usual, **dashed, **MOVING)[0]  # over the other: seen where both are one
        self.point = curve.plot([], [], "s", color=theme.VERMILLION, markersize=13, label="you are here", **MOVING)[0]
        self.point.set_clip_on(False)  # at the edge of the scale it is seen whole
        self.flip = curve.plot(
            [], [], "D", color=theme.BLACK, markerfacecolor=theme.YELLOW, label="MAP flips", **MOVING
        )[0]
        self.flip_text = curve.text(0, 0, "", va="top", fontsize=theme.SMALL, bbox=theme.PLATE, **MOVING)
        curve.legend(loc="upper left", handlelength=1.6, borderaxespad=0.1)
        theme.dress(bars, xlim=(-0.6, 1.6), ylim=(0, 1.12), yticks=[0, 0.5, 1], xticks={0: "before", 1: "after +"})
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


class Staircase(Picture):
    """Belief as results arrive, on a scale of log odds: each result is a step up or down of fixed height."""

    EDGE, PLACES = 4.6, 4  # how far the scales reach at least: in powers of ten, in results

    def __init__(self, axes, longest):
        axes.set(xlabel="results so far", ylabel="P(sick)")
        axes.axhline(0, color=theme.GREY, linestyle=":", linewidth=2)
        look = {"transform": axes.transAxes, "fontsize": theme.SMALL, "color": theme.GREY}
        axes.text(0.02, 0.98, "above the dotted line MAP says sick", va="top", **look)
        axes.text(0.02, 0.02, "below it MAP says healthy", va="bottom", **look)
        axes.yaxis.set_label_coords(-0.14, 0.5)
        self.odds = axes.secondary_yaxis("right")
        self.odds.set_ylabel("odds, sick : healthy")
        self.odds.spines["right"].set_visible(True)
        self.axes, self.longest, self.reach = axes, longest, None
        self._scale(self.EDGE, self.PLACES)
        steps = {"drawstyle": "steps-post", **MOVING}
        self.ghost = axes.plot([], [], color=theme.GREY, linestyle="--", linewidth=2, **steps)[0]
        self.path = axes.plot([], [], color=theme.BLUE, **steps)[0]
        self.start = axes.plot([], [], "o", color=theme.BLUE, label="prior", **MOVING)[0]
        self.ups = axes.plot([], [], "^", color=theme.VERMILLION, markersize=14, label="after a +", **MOVING)[0]
        self.downs = axes.plot([], [], "v", color=theme.GREEN, markersize=14, label="after a −", **MOVING)[0]
        self.value = axes.text(0, 0, "", weight="bold", va="center", bbox=theme.PLATE, **MOVING)
        # Its key comes and goes with it, so it is not in the legend.
        key = {"ha": "right", "va": "center", "fontsize": theme.SMALL, "color": theme.GREY}
        self.ghost_key = axes.text(
            1.2, 1.08, "– –  if no result were copied", transform=axes.transAxes, **key, **MOVING
        )
        axes.legend(loc="upper left", ncols=4, columnspacing=1.2, handletextpad=0.4, bbox_to_anchor=(-0.02, 1.16))

    def _scale(self, reach, places):
        """Reach as many powers of ten and results as are needed; the axes are drawn again only when that changes."""
        if (reach, places) == self.reach:
            return
        self.reach = reach, places
        every = 1 if reach < 7 else 2 if reach < 12 else 4
        powers = range(every, int(reach) + 1, every)
        # Odds of 1 : 10 are a probability of 1/11, so the tick of 0.1 does not stand at −1.
        at = [float(np.log10(10.0**k - 1)) for k in powers]
        low = [(-place, f"{10.0**-k:g}") for k, place in zip(powers, at)]
        high = [(place, f"{1 - 10.0**-k:g}" if k < 5 else f"1 − {10.0**-k:g}") for k, place in zip(powers, at)]
        self.axes.set_yticks(*zip(*low, (0, "0.5"), *high))
        odds = [(-k, f"1 : {_power(k)}") for k in powers] + [(0, "1 : 1")] + [(k, f"{_power(k)} : 1") for k in powers]
        self.odds.set_yticks(*zip(*odds))
        self.axes.set(ylim=(-reach, reach), xlim=(-0.02 * places - 0.2, 1.1 * places), xticks=range(places + 1))

    def show(self, beliefs, signs, ghost, label, results):
        """`beliefs` in sick and healthy from the prior on, the sign of each result after it, the beliefs of independent tests;
        `results` is how many there will be in all."""
        heights, others = _log_odds(beliefs), _log_odds(ghost)
        reach = max(self.EDGE, float(np.ceil(np.abs([*heights, *others]).max())) + 0.6)
        self._scale(reach, self.PLACES if results <= self.PLACES else self.longest)
        at = np.arange(len(beliefs))
        for line, steps in ((self.path, heights), (self.ghost, others)):
            line.set_data([*at, at[-1] + 0.4], [*steps, steps[-1]])
        for artist in (self.ghost, self.ghost_key):
            artist.set_visible(ghost != beliefs)
        self.start.set_data([0], heights[:1])
        for artist, sign in ((self.ups, "+"), (self.downs, "-")):
            mine = [place + 1 for place, each in enumerate(signs) if each == sign]
            artist.set_data(mine, heights[mine])
        late = at[-1] > 0.7 * self.reach[1]  # near the right edge the number stands on the other side
        aside = self.reach[1] / 32 if late else 0.4 + self.reach[1] / 80
        self.value.set(
            x=at[-1] + (-aside if late else aside), y=heights[-1], text=label, ha="right" if late else "left"
        )


class RealTest(Picture):
    """A hundred people whom a test has flagged, and what a positive is worth in groups where more or fewer are sick."""

    SIDE = 10

    def __init__(self, crowd, curve):
        theme.dress(crowd, xlim=(-0.7, 9.7), ylim=(12.2, -1.6), hide="all")
        looks = {"rightly flagged": {"marker": "s", "color": theme.VERMILLION}}
        looks["false alarm"] = {"marker": "o", "color": theme.BLUE, "markerfacecolor": theme.SKY}
        self.groups = [crowd.plot([], [], linestyle="", **look, **MOVING)[0] for look in looks.values()]
        self.head = crowd.text(-0.4, -1.1, "", va="center", weight="bold", **MOVING)
        for y, (label, look) in zip((10.7, 11.8), looks.items()):
            crowd.plot([0], [y], linestyle="", **look)
            crowd.text(0.6, y, label, va="center")
        theme.dress(
            curve,
            xscale="log",
            xlim=(0.05, 1000),
            ylim=(0, 1.04),
            xticks={0.1: "0.1", 1: "1", 10: "10", 100: "100", 1000: "1000"},
            xlabel="sick per 1000 in the group (log scale)",
            ylabel="P(sick | +)",
            hide="minor",
        )
        self.line = curve.plot([], [], color=theme.BLUE, label="this test", **MOVING)[0]
        self.range = curve.plot([], [], color=theme.PURPLE, linestyle="-", linewidth=7, label="90% interval", **MOVING)[
            0
        ]
        self.point = curve.plot([], [], "s", color=theme.VERMILLION, markersize=13, label="this group", **MOVING)[0]
        self.published = curve.plot([], [], "x", color=theme.BLACK, markersize=11, label="as published", **MOVING)[0]
        self.published.set_markeredgewidth(3)
        for artist in (self.point, self.published):
            artist.set_clip_on(False)
        self.value = curve.text(0, 0, "", va="center", weight="bold", bbox=theme.PLATE, **MOVING)
        curve.legend(loc="lower left", ncols=2, handlelength=1.4, borderaxespad=0, bbox_to_anchor=(-0.03, 1.03))

    def show(self, priors, posteriors, prior, posterior, published, interval):
        """The test's curve, this group's place on it; `published` is a pair of prior and posterior, or None, as is `interval`."""
        rightly = round(self.SIDE**2 * posterior)
        places = np.divmod(np.arange(self.SIDE**2), self.SIDE)[::-1]
        for artist, part in zip(self.groups, (slice(rightly), slice(rightly, None))):
            artist.set_data(places[0][part], places[1][part])
        self.head.set_text(f"of 100 flagged, {rightly} rightly")
        self.line.set_data(1000 * priors, posteriors)
        self.point.set_data([1000 * prior], [posterior])
        self.published.set_data([1000 * published[0]] if published else [], [published[1]] if published else [])
        self.range.set_data([1000 * prior] * 2 if interval else [], interval or [])
        right = prior > 0.05
        self.value.set(x=1000 * prior * (0.6 if right else 1.7), y=max(posterior, 0.08), text=f"{posterior:.3f}")
        self.value.set_ha("right" if right else "left")


def _power(k):
    """10^k as an axis writes it: in full while it is short."""
    return f"{10**k:,}" if k < 5 else f"10{str(k).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


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
