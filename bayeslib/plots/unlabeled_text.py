"""The pictures of section 12, learning from unlabelled text. Each makes its artists once; `show` moves them."""

from functools import lru_cache

import numpy as np
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Patch, Rectangle
from matplotlib.textpath import TextPath
from matplotlib.transforms import IdentityTransform

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING, Picture

ONE = {"marker": "s", "color": theme.VERMILLION}
ZERO = {"marker": "o", "color": theme.BLUE}


class FiveRows(Picture):
    """The table with its two missing labels as split bars, and the eight estimates that follow from them."""

    def __init__(self, rows, estimates, X, y):
        """`X` holds 0 and 1, `y` is NaN where nobody wrote the label down."""
        self.open = np.flatnonzero(np.isnan(y))
        wide = X.shape[1]
        theme.dress(rows, xlim=(-0.75, wide + 2.2), ylim=(len(X) + 2.5, -1), hide="all")
        for place, name in enumerate(["Y", *(f"X{number}" for number in range(1, wide + 1))]):
            rows.text(place + (1.9 if place else 0.85), -0.5, name, ha="center", va="center", weight="bold")
        self.cells, self.labels = {}, {}  # the table's numbers by (row, column) and by row
        for row in range(len(X)):
            rows.text(
                -0.1, row + 0.5, f"row {row + 1}", ha="center", va="center", fontsize=theme.SMALL, color=theme.GREY
            )
            for place, value in enumerate(X[row]):
                self.cells[row, place] = rows.text(place + 2.9, row + 0.5, f"{value}", ha="center", va="center")
            if row not in self.open:
                self.labels[row] = rows.text(0.85, row + 0.5, f"{y[row]:.0f}", ha="center", va="center", weight="bold")
        box = {"edgecolor": theme.BLACK, "linewidth": 1.5, **MOVING}
        corners = [(0.35, row + 0.1) for row in self.open]
        self.zero = [rows.add_patch(Rectangle(at, 1, 0.8, facecolor=theme.SKY, **box)) for at in corners]
        self.one = [rows.add_patch(Rectangle(at, 0, 0.8, facecolor=theme.ORANGE, hatch="//", **box)) for at in corners]
        self.shares = [rows.text(1.47, row + 0.5, "", va="center", weight="bold", **MOVING) for row in self.open]
        parts = [
            Patch(facecolor=theme.ORANGE, hatch="//", edgecolor=theme.BLACK, label="share of Y = 1"),
            Patch(facecolor=theme.SKY, edgecolor=theme.BLACK, label="share of Y = 0"),
        ]
        rows.legend(handles=parts, loc="lower left", ncols=2, bbox_to_anchor=(0, -0.01), borderaxespad=0)
        self.says = rows.text(-0.6, len(X) + 0.75, "", va="center", fontsize=theme.SMALL, linespacing=1.5, **MOVING)
        theme.dress(
            estimates,
            xlim=(0.5, wide + 0.5),
            ylim=(-0.02, 1.02),
            yticks=[0, 0.25, 0.5, 0.75, 1],
            xticks={number: f"X{number}" for number in range(1, wide + 1)},
            ylabel="P(X = 1 | Y)",
        )
        estimates.grid(axis="y", color=theme.MIST, linewidth=1)
        self.places = np.arange(1, wide + 1)
        looks = [(ZERO, -0.12, "given Y = 0"), (ONE, 0.12, "given Y = 1")]
        hollow = {"linestyle": "", "markerfacecolor": "none", **MOVING}
        self.starts = [estimates.plot([], [], **look, **hollow)[0] for look, _, _ in looks]
        self.dots = [
            estimates.plot([], [], **look, linestyle="", markersize=12, label=label, clip_on=False, **MOVING)[0]
            for look, _, label in looks
        ]
        self.shift = [shift for _, shift, _ in looks]
        estimates.legend(loc="lower left", ncols=2, bbox_to_anchor=(-0.02, 1.0), borderaxespad=0.1, handletextpad=0.1)
        estimates.set_xlabel("hollow: from the labelled rows alone", fontsize=theme.SMALL)

    def show(self, table, start, q, says):
        """`table` and `start` hold P(X=1|Y=0) and P(X=1|Y=1); `q` is the share of each open row, None where there is none."""
        for zero, one, text, share in zip(self.zero, self.one, self.shares, q):
            zero.set_visible(share is not None)
            one.set(width=share or 0, visible=bool(share))
            text.set_text("0/0" if share is None else f"{share:.3f}")
        for line, hollow, now, before, shift in zip(self.dots, self.starts, table, start, self.shift):
            line.set_data(self.places + shift, now)
            hollow.set_data(self.places + shift, before)
        self.says.set_text(says)


class TellingWords(Picture):
    """Accuracy and log posterior round by round, and beside them the words that speak most for each class."""

    def __init__(self, accuracy, climb, words, rounds, classes, lines):
        self.rounds = np.arange(rounds + 1)
        for axes in (accuracy, climb):
            axes.set(xlim=(-0.4, rounds + 0.4), xticks=range(0, rounds + 1, 2))
        theme.dress(
            accuracy,
            ylim=(-0.02, 1.02),
            yticks=[0, 0.5, 1],
            xticklabels=[],
            title=(
                "accuracy on unseen documents\n(dotted: one name for all)",
                {"loc": "left", "fontsize": theme.SMALL},
            ),
        )
        line = {"color": theme.GREY, "linestyle": ":", "linewidth": 2}
        self.constant = accuracy.plot([], [], **line, **MOVING)[0]
        theme.dress(
            climb,
            ylim=(-0.08, 1.08),
            yticks=[],
            title=("log posterior (EM climbs this)", {"loc": "left", "fontsize": theme.SMALL}),
            xlabel="round of EM",
        )
        self.accuracy, self.climb = (
            axes.plot([], [], marker, color=colour, clip_on=False, markersize=8, **MOVING)[0]
            for axes, marker, colour in ((accuracy, "s-", theme.BLUE), (climb, "o-", theme.GREEN))
        )
        theme.dress(words, xlim=(0, 1), ylim=(0, 1), hide="all")
        for place, name in enumerate(classes):
            words.text(0.52 * place, 0.68, f"speaks for {name}", va="bottom", weight="bold", fontsize=theme.SMALL)
        self.labelled = _lines(words, [(0, 0.96), (0, 0.87), (0, 0.78)], theme.GREY)
        places = [(0.52 * place, 0.6 - 0.095 * row) for place in range(len(classes)) for row in range(lines)]
        self.words = _lines(words, places, theme.BLACK)

    def show(self, accuracy, log_posterior, constant, labelled, words):
        """Both curves up to this round (`log_posterior` from 0 to 1), three lines on the labels, a list of words per class."""
        seen = len(accuracy)
        self.constant.set_data([-0.4, self.rounds[-1] + 0.4], [constant, constant])
        self.accuracy.set_data(self.rounds[:seen], accuracy)
        self.climb.set_data(self.rounds[:seen], log_posterior)
        self.labelled.set_paths([_lettering(line, theme.SMALL) for line in labelled])
        self.words.set_paths([_lettering(word) for column in words for word in column])


class Splits(Picture):
    """A curve of mean accuracies with and without unlabelled documents, and beside it every split by itself."""

    def __init__(self, curve, slopes, ticks, xlabel, low):
        """`low` is where the scale of accuracies begins; it ends at 1."""
        for axes in (curve, slopes):
            axes.set(ylim=(low - 0.03 * (1 - low), 1), yticks=np.linspace(low, 1, 6 if low == 0 else 8))
            axes.grid(axis="y", color=theme.MIST, linewidth=1)
        slopes.set_yticklabels([])
        theme.dress(
            curve,
            xlim=(-0.3, len(ticks) - 0.7),
            xticks=dict(enumerate(ticks)),
            xlabel=xlabel,
            ylabel=("accuracy, mean of 10 splits", {"fontsize": theme.SMALL}),
        )
        self.low = low
        self.here = curve.plot([], [], color=theme.BLACK, linewidth=1.5, linestyle=":", **MOVING)[0]
        self.constant = curve.plot([], [], "-.", color=theme.GREEN, label="always the largest class", **MOVING)[0]
        dashed = {"color": theme.GREY, "linestyle": "--", "marker": "o", "label": "labels alone"}
        self.alone = curve.plot([], [], **dashed, **MOVING)[0]
        self.both = curve.plot([], [], "s-", color=theme.BLUE, label="with unlabelled documents", **MOVING)[0]
        order = [self.alone, self.both, self.constant]
        curve.legend(handles=order, loc="lower left", ncols=2, bbox_to_anchor=(-0.02, 1.0), borderaxespad=0.1)
        theme.dress(
            slopes,
            xlim=(-0.25, 1.25),
            xticks={0: "labels\nalone", 1: "with\nunlabelled"},
            title=("each split\n(dashed: worse)", {"fontsize": theme.SMALL}),
        )
        lines = {
            "linewidths": 2,
            "antialiaseds": False,
            **MOVING,
        }  # crossing lines would fill the stored picture's palette
        self.better = slopes.add_collection(LineCollection([], colors=theme.BLUE, **lines), autolim=False)
        self.worse = slopes.add_collection(
            LineCollection([], colors=theme.VERMILLION, linestyles="--", **lines), autolim=False
        )
        self.ends = [
            slopes.plot([], [], marker, color=colour, markersize=7, linestyle="", clip_on=False, **MOVING)[0]
            for marker, colour in (("o", theme.GREY), ("s", theme.BLUE))
        ]

    def show(self, place, splits, constant):
        """`splits[tick]` holds the accuracies of all splits, labels alone and with the others; the chosen tick is `place`."""
        (alone, both), (before, after) = np.mean(splits, axis=2).T, splits[place]
        ticks = np.arange(len(alone))
        self.here.set_data([place, place], [self.low - 0.03 * (1 - self.low), 1])
        self.constant.set_data([-0.3, len(ticks) - 0.7], [constant, constant])
        self.alone.set_data(ticks, alone)
        self.both.set_data(ticks, both)
        paths = np.stack(
            [np.column_stack([np.zeros_like(before), before]), np.column_stack([np.ones_like(after), after])], 1
        )
        self.better.set_segments(paths[after >= before])
        self.worse.set_segments(paths[after < before])
        for line, x, values in zip(self.ends, (0, 1), (before, after)):
            line.set_data(np.full(len(values), x), values)


class Tales(Picture):
    """Every part of every tale, the kept-back ones right or wrong; the learning curve; the words that speak for each author."""

    MARKS = {
        "right": {"marker": "s", "color": theme.BLUE, "label": "kept back, right"},
        "wrong": {"marker": "X", "color": theme.VERMILLION, "label": "kept back, wrong"},
        "labelled": {"marker": "^", "color": theme.GREEN, "label": "labelled"},
        "unlabelled": {"marker": "|", "color": theme.GREY, "label": "unlabelled"},
    }

    def __init__(self, parts, curve, words, tales, authors, longest, ticks, lines):
        """`tales` are their names from top to bottom; `longest` is how many parts the longest has."""
        theme.dress(
            parts,
            xlim=(0, longest + 1),
            ylim=(len(tales) - 0.5, -0.5),
            xticks=[],
            yticks=dict(enumerate(tales)),
            ticks={"length": 0},
            hide="left bottom",
        )
        sizes = {"right": 5, "wrong": 7, "labelled": 7, "unlabelled": 6}
        for name, look in self.MARKS.items():
            edge = {"markeredgewidth": 1.2 if name == "unlabelled" else 0}
            setattr(self, name, parts.plot([], [], linestyle="", markersize=sizes[name], **look, **edge, **MOVING)[0])
        parts.legend(loc="lower left", ncols=2, bbox_to_anchor=(-0.55, 0.99), borderaxespad=0.1, handletextpad=0.1)
        theme.dress(
            curve,
            ylim=(0.4, 1),
            yticks=[0.4, 0.6, 0.8, 1],
            xlim=(-0.3, len(ticks) - 0.7),
            xticks=dict(enumerate(ticks)),
            ylabel=("share right", {"fontsize": theme.SMALL}),
            xlabel=("labels (mean of 15 splits)", {"fontsize": theme.SMALL, "labelpad": 1}),
        )
        self.here = curve.plot([], [], color=theme.BLACK, linewidth=1.5, linestyle=":", **MOVING)[0]
        self.constant = curve.plot([], [], "-.", color=theme.GREEN, linewidth=2, label="one name for all", **MOVING)[0]
        small = {"markersize": 6, "linewidth": 2, **MOVING}
        self.alone = curve.plot([], [], "o--", color=theme.GREY, label="labels alone", **small)[0]
        self.both = curve.plot([], [], "s-", color=theme.BLUE, label="with EM", **small)[0]
        order = [self.alone, self.both, self.constant]
        curve.legend(
            handles=order,
            loc="lower right",
            ncols=2,
            bbox_to_anchor=(1.03, 0.98),
            borderaxespad=0,
            columnspacing=1,
        )
        theme.dress(words, xlim=(0, 1), ylim=(0, 1), hide="all")
        for place, name in enumerate(authors):
            words.text(0.52 * place, 0.86, f"for {name}", weight="bold", fontsize=theme.SMALL)
        places = [(0.52 * place, 0.7 - 0.16 * row) for place in range(len(authors)) for row in range(lines)]
        self.words = _lines(words, places, theme.BLACK)

    def show(self, marks, place, curves, constant, words):
        """`marks` gives (part, row) of each kind; `curves` the two means by labels; `words` a list for each author."""
        for name in self.MARKS:
            getattr(self, name).set_data(*np.reshape(marks[name], (-1, 2)).T)
        ticks = np.arange(len(curves[0]))
        self.here.set_data([place, place], [0.4, 1])
        self.constant.set_data([-0.3, len(ticks) - 0.7], [constant, constant])
        self.alone.set_data(ticks, curves[0])
        self.both.set_data(ticks, curves[1])
        self.words.set_paths([_lettering(word, theme.SMALL) for column in words for word in column])


class YourTexts(Picture):
    """How strongly each part of three texts speaks for the first or the second, and the words that decide."""

    MOST = 15  # ln odds, where the scale ends

    def __init__(self, parts, words, lines):
        theme.dress(
            parts,
            ylim=(-self.MOST - 1.5, self.MOST + 1.5),
            yticks={-15: "−15", -10: "−10", -5: "−5", 0: "0", 5: "5", 10: "10", 15: "15"},
            xticks=[],
            xlim=(0, 1),
            ylabel=("ln odds, first : second", {"fontsize": theme.SMALL}),
            xlabel=("parts, in the order of the texts", {"fontsize": theme.SMALL}),
        )
        parts.axhline(0, color=theme.BLACK, linewidth=1.2)
        looks = [
            ("o", theme.BLUE, "first, kept back"),
            ("s", theme.VERMILLION, "second, kept back"),
            ("D", theme.GREEN, "third text"),
        ]
        self.parts = [
            parts.plot([], [], marker, color=colour, label=label, markersize=8, clip_on=False, **MOVING)[0]
            for marker, colour, label in looks
        ]
        parts.legend(loc="lower left", ncols=3, bbox_to_anchor=(-0.02, 1.0), borderaxespad=0.1, handletextpad=0.1)
        theme.dress(words, xlim=(0, 1), ylim=(0, 1), hide="all")
        for place, name in enumerate(["first", "second"]):
            words.text(0.52 * place, 0.88, f"{name} text", weight="bold", fontsize=theme.SMALL)
        self.words = [
            words.text(0.52 * place, 0.76 - 0.13 * row, "", fontsize=theme.SMALL, parse_math=False, **MOVING)
            for place in range(2)
            for row in range(lines)
        ]

    def show(self, odds, words):
        """ln odds of the parts of each text, and a list of words for the first and for the second."""
        total, begin = sum(map(len, odds)), 0
        for line, values in zip(self.parts, odds):
            line.set_data((begin + np.arange(len(values)) + 0.5) / total, np.clip(values, -self.MOST, self.MOST))
            begin += len(values)
        for text, word in zip(self.words, [word for column in words for word in column]):
            text.set_text(word)


def _lines(axes, places, colour):
    """Lines of text at these places, drawn all at once: as many texts would take a frame's time."""
    lines = PathCollection([_lettering("text")], sizes=[1], offsets=places, offset_transform=axes.transData)
    lines.set(facecolor=colour, edgecolor="none", transform=IdentityTransform(), **MOVING)
    axes.add_collection(lines, autolim=False)
    return lines


@lru_cache(2000)
def _lettering(text, size=theme.RC["font.size"]):
    """A text as a path."""
    return TextPath((0, 0), text, size=size, prop=FontProperties(family=theme.RC["font.family"]))
