"""The pictures of section 08, inference in belief networks. Each makes its artists once; `show` moves them."""

from itertools import combinations

import numpy as np
from matplotlib.patches import Polygon, Rectangle

from bayeslib.plots import theme
from bayeslib.plots.networks import Network
from bayeslib.plots.theme import MOVING, Picture


class ExplainingAway(Picture):
    """The burglar alarm with its evidence, and P(Burglary) over the chance of an earthquake, before and after the news."""

    LINES = {
        "silent": ("radio silent", theme.BLUE, "-"),
        "quake": ("earthquake", theme.VERMILLION, "--"),
        "none": ("no earthquake", theme.GREEN, "-."),
    }
    LOW = 5e-4

    def __init__(self, graph, axes, net, prior):
        self.network = Network(net, graph, animated=True)
        theme.dress(
            axes,
            xscale="log",
            yscale="log",
            xlim=(0.018, 22),
            ylim=(self.LOW, 1.3),
            xticks={0.02: "0.02%", 0.2: "0.2%", 2: "2%", 20: "20%"},
            yticks={0.001: "0.001", 0.01: "0.01", 0.1: "0.1", 1: "1"},
            xlabel="P(Earthquake), log scale",
            ylabel="P(Burglary | seen)",
            hide="minor",
        )
        self.prior = axes.axhline(prior, color=theme.GREY, linestyle=":", linewidth=2)
        axes.text(0.02, prior * 0.93, "before any evidence", va="top", fontsize=theme.SMALL, color=theme.GREY)
        self.lines = {
            key: axes.plot([], [], color=color, linestyle=style, label=label, **MOVING)[0]
            for key, (label, color, style) in self.LINES.items()
        }
        look = {"color": theme.BLACK, "markerfacecolor": theme.YELLOW, "markersize": 14, "linestyle": ""}
        self.point = axes.plot([], [], "s", **look, clip_on=False, **MOVING)[0]
        self.value = axes.text(0, 0, "", weight="bold", ha="center", bbox=theme.PLATE, **MOVING)
        axes.legend(loc="lower left", ncols=3, bbox_to_anchor=(-0.21, 1.0), handlelength=1.7, columnspacing=1)

    def show(self, evidence, chances, curves, radio, at, belief):
        """`curves` over `chances`, for each state of the radio; the reader stands at `at` on the curve of `radio`."""
        self.network.show(evidence)
        for key, line in self.lines.items():
            line.set_data(100 * chances, curves[key])
        self.point.set_data([100 * at], [belief])
        above = belief < 0.1
        self.value.set(x=100 * min(max(at, 4e-4), 0.1), y=belief * (1.5 if above else 0.62), text=f"{belief:.4f}")
        self.value.set_va("bottom" if above else "top")


class TwoCauses(Picture):
    """The table of what was seen, with its two diagonals, and belief in one cause before and after news of the other."""

    CELLS = {(True, True): (0, 1), (True, False): (1, 1), (False, True): (0, 0), (False, False): (1, 0)}
    BARS = ["before", "seen", "then O", "then ¬O"]

    def __init__(self, table, bars, prior):
        theme.dress(table, xlim=(-0.9, 2.05), ylim=(-1.05, 2.75), hide="all")
        for x, name in ((0.5, "B"), (1.5, "¬B")):
            table.text(x, 2.12, name, ha="center", va="bottom")
        for y, name in ((1.5, "O"), (0.5, "¬O")):
            table.text(-0.12, y, name, ha="right", va="center")
        self.title = table.text(1, 2.5, "", ha="center", weight="bold")
        for x, y in self.CELLS.values():
            table.add_patch(Rectangle((x, y), 1, 1, facecolor=theme.WHITE, edgecolor=theme.BLACK))
        for ends, color, style in (([1.88, 0.12], theme.BLACK, "-"), ([0.12, 1.88], theme.VERMILLION, "--")):
            for part in ([0, 0.08], [0.36, 0.64], [0.92, 1]):  # the numbers stand in the gaps
                x, y = np.interp(part, [0, 1], [0.12, 1.88]), np.interp(part, [0, 1], ends)
                table.plot(x, y, color=color, linestyle=style, linewidth=4, solid_capstyle="butt", zorder=2)
        place = {"ha": "center", "va": "center", "weight": "bold", **MOVING}
        self.cells = {key: table.text(x + 0.5, y + 0.5, "", **place) for key, (x, y) in self.CELLS.items()}
        self.words = table.text(-0.85, -0.12, "", va="top", linespacing=1.5, fontsize=theme.SMALL, **MOVING)
        theme.dress(
            bars,
            xlim=(-0.6, 3.6),
            ylim=(0, 1.1),
            yticks=[0, 0.5, 1],
            xticks=dict(enumerate(self.BARS)),
            ylabel="P(B | …), bowel trouble",
        )
        self.prior = bars.bar([0], [prior], 0.6, color=theme.MIST, edgecolor=theme.BLACK)[0]
        self.prior_text = bars.text(0, prior + 0.02, f"{prior:.3f}", ha="center", va="bottom", weight="bold")
        looks = [(theme.WHITE, ""), (theme.ORANGE, "//"), (theme.SKY, "")]
        self.bars = [
            bars.add_patch(
                Rectangle((x - 0.3, 0), 0.6, 0, facecolor=fill, hatch=hatch, edgecolor=theme.BLACK, **MOVING)
            )
            for x, (fill, hatch) in enumerate(looks, 1)
        ]
        self.values = [bars.text(x, 0, "", ha="center", va="bottom", weight="bold", **MOVING) for x in (1, 2, 3)]

    def show(self, title, table, words, beliefs):
        """`table` of P(seen | O, B); `beliefs` in B after it, and after O and ¬O as well."""
        self.title.set_text(title)
        for key, text in self.cells.items():
            text.set_text(f"{table[key]:.3g}")
        self.words.set_text("\n".join(words))
        for bar, value, belief in zip(self.bars, self.values, beliefs):
            bar.set_height(belief)
            value.set(y=belief + 0.02, text=f"{belief:.3f}")


class EliminationSteps(Picture):
    """The network with what is summed out crossed, the tables as tiles with their sizes, and the size of each product."""

    COLUMNS, SLOTS, MOST = 4, 12, 7

    def __init__(self, graph, tiles, bars, questions):
        """`questions` maps a name to (net, evidence, positions, terms of enumeration)."""
        self.questions, self.question, self.still = questions, None, {}
        self.places, self.corners = {}, {}
        for name, (net, evidence, positions, _) in questions.items():
            self._network(graph, name, net, evidence, positions)
        theme.dress(tiles, xlim=(0, self.COLUMNS), ylim=(5.6, -0.05), hide="all")
        self.tiles, self.names = [], []
        for slot in range(self.SLOTS):
            corner = (slot % self.COLUMNS + 0.04, slot // self.COLUMNS + 0.07)
            box = Rectangle(corner, 0.92, 0.84, edgecolor=theme.BLACK, **MOVING)
            self.tiles.append(tiles.add_patch(box))
            middle = {"ha": "center", "va": "center_baseline", "fontsize": theme.SMALL, **MOVING}
            self.names.append(tiles.text(corner[0] + 0.46, corner[1] + 0.42, "", **middle))
        self.words = tiles.text(0.04, 3.1, "", va="top", fontsize=theme.SMALL, linespacing=1.4, **MOVING)
        marks = "dashed: multiplied   bold: made   ✕: summed out   thin: joined"
        tiles.text(0.04, 5.6, marks, va="bottom", fontsize=theme.SMALL, color=theme.GREY)
        theme.dress(
            bars,
            xlim=(0.4, self.MOST),
            yscale="log",
            ylim=(1, 200),
            xticks=range(1, self.MOST),
            yticks={2: "2", 8: "8", 64: "64"},
            xlabel=("step", {"labelpad": 1}),
            ylabel="entries",
            hide="minor",
        )
        self.bars = [
            bars.add_patch(Rectangle((x - 0.36, 1), 0.72, 0, facecolor=theme.SKY, edgecolor=theme.BLACK, **MOVING))
            for x in range(1, self.MOST)
        ]
        self.terms = bars.axhline(1, color=theme.VERMILLION, linestyle="--", linewidth=2.5)
        self.terms_name = bars.text(self.MOST, 1, "", ha="right", va="bottom", fontsize=theme.SMALL)
        self.joins = graph.plot([], [], color=theme.VERMILLION, linestyle="--", linewidth=1.2, zorder=1.5, **MOVING)[0]
        gone = {"marker": "x", "linestyle": "", "markersize": 17, "zorder": 5, "clip_on": False, **MOVING}
        self.gone = graph.plot([], [], color=theme.GREY, markeredgewidth=2.5, **gone)[0]
        self.now = graph.plot([], [], color=theme.VERMILLION, markeredgewidth=5, **gone)[0]

    def show(self, question, tiles, gone, now, joined, words, sizes):
        """`tiles` are (name, look) with a look "plain", "used" or "made"; `joined` are variables that now share a table."""
        if question != self.question:
            self._ask(question)
        places, corners, edges = self.places[question], self.corners[question], self.questions[question][0].edges
        for line, variables in ((self.gone, gone), (self.now, now)):
            line.set_data(np.array([corners[v] for v in variables]).reshape(-1, 2).T)
        strangers = [pair for pair in combinations(joined, 2) if pair not in edges and pair[::-1] not in edges]
        self.joins.set_data(np.array([_between(places[a], places[b]) for a, b in strangers]).reshape(-1, 2).T)
        looks = {"plain": (theme.WHITE, "-", 1.5), "used": (theme.ORANGE, "--", 2.5), "made": (theme.YELLOW, "-", 4)}
        for slot, (box, text) in enumerate(zip(self.tiles, self.names)):
            seen = slot < len(tiles)
            box.set_visible(seen)
            text.set_visible(seen)
            if seen:
                fill, line, width = looks[tiles[slot][1]]
                box.set(facecolor=fill, linestyle=line, linewidth=width)
                text.set(text=tiles[slot][0], weight="bold" if tiles[slot][1] == "made" else "normal")
        self.words.set_text("\n".join(words))
        for x, bar in enumerate(self.bars):
            bar.set_visible(x < len(sizes))
            if x < len(sizes):
                bar.set(height=sizes[x] - 1, facecolor=theme.ORANGE if sizes[x] == max(sizes) else theme.SKY)

    def _network(self, graph, question, net, evidence, positions):
        """A network of its own for each question. It stands still, so it belongs to the background."""
        before = {*graph.patches, *graph.texts, *graph.lines}
        picture = Network(net, graph, positions)
        picture.show(evidence)
        new = {*graph.patches, *graph.texts, *graph.lines} - before
        self.still[question] = [artist for artist in new if artist.get_visible()]
        for artist in self.still[question]:
            artist.set_visible(False)
        self.places[question] = {v: np.array(place) for v, place in picture.places.items()}
        self.corners[question] = {
            v: place + [picture.wide[v] / 2 - 3, -picture.tall / 2 + 2] for v, place in self.places[question].items()
        }

    def _ask(self, question):
        """Another network and another count of terms, both in the background."""
        for artist in self.still.get(self.question, []):
            artist.set_visible(False)
        for artist in self.still[question]:
            artist.set_visible(True)
        terms = self.questions[question][-1]
        self.terms.set_ydata([terms, terms])
        self.terms_name.set(y=1.15 * terms, text=f"enumeration: {terms} terms")
        self.question = question


def _between(start, end, room=24):
    """A line between two nodes that stops short of both, and a gap after it."""
    along = room * (end - start) / np.hypot(*(end - start))
    return [start + along, end - along, [np.nan, np.nan]]


class Sampling(Picture):
    """Running estimates of three samplers side by side, over the number of draws, with the exact answer."""

    def __init__(self, panels):
        self.panels, self.question = panels, None
        self.lines, self.bands, self.exact, self.words = [], [], [], []
        for panel in panels:
            theme.dress(
                panel,
                xscale="log",
                xlim=(10, 10_000),
                xticks={10: "10", 100: "100", 1000: "1000", 10_000: "10⁴"},
                xlabel="draws",
                hide="minor",
            )
            band = Polygon([[10, 0]], facecolor=theme.MIST, edgecolor=theme.GREY, linewidth=1, **MOVING)
            self.bands.append(panel.add_patch(band))
            self.exact.append(panel.axhline(0, color=theme.BLACK, linestyle="--", linewidth=2, **MOVING))
            self.lines.append(panel.plot([], [], color=theme.BLUE, **MOVING)[0])
            self.words.append(panel.text(0.5, 1.03, "", ha="center", transform=panel.transAxes, **MOVING))
        for panel in panels[1:]:
            panel.tick_params(labelleft=False)
        names = "estimate", "exact answer", "where 19 of 20 runs should be"
        lines = self.lines[0], self.exact[0], self.bands[0]
        panels[0].figure.legend(lines, names, loc="upper left", bbox_to_anchor=(0.01, 1.02), ncols=3, columnspacing=1.2)

    def show(self, question, label, titles, limits, exact, draws, runs, words):
        """`runs` are (estimates, sds) for each panel at these `draws`; the band is the exact answer ± 2 sds."""
        if question != self.question:
            self._scale(question, label, titles, limits)
        for i, (estimates, sds) in enumerate(runs):
            self.lines[i].set_data(draws, estimates)
            low, high = np.clip(exact - 2 * sds, *limits), np.clip(exact + 2 * sds, *limits)
            self.bands[i].set_xy(np.column_stack([[*draws, *draws[::-1]], [*low, *high[::-1]]]))
            self.exact[i].set_ydata([exact, exact])
            self.words[i].set_text(words[i])

    @theme.styled
    def _scale(self, question, label, titles, limits):
        """Another question: other titles and another scale, both in the background."""
        self.question = question
        for panel, title in zip(self.panels, titles):
            panel.set_title(title, pad=30)
            panel.set_ylim(limits)
        self.panels[0].set_ylabel(label)


class Heart(Picture):
    """The net of a heart with what is known, the belief in disease fact by fact, and what each test is expected to tell."""

    PLACES = {
        **{"Age": (0.1, 0), "Sex": (0.9, 0), "Rate": (0, 0.33), "Disease": (0.47, 0.33), "Scan": (1, 0.33)},
        **{"Pain": (0, 0.66), "Vessels": (1, 0.66), "Angina": (0.3, 1), "ST": (0.68, 1)},
    }

    def __init__(self, graph, path, bars, net, tests, states):
        """`net` has all arrows, for its nodes there are `states` to write; `tests` are named beside their bars."""
        longest = {v: max(theirs, key=len) for v, theirs in states.items()}
        self.network = Network(net, graph, self.PLACES, {"Scan": "Thal scan"}, noted=longest, animated=True)
        path.set(
            xlim=(-0.4, 8.4),
            ylim=(0, 1.06),
            xticks=range(9),
            yticks=[0, 0.5, 1],
            xlabel="facts known",
            ylabel="P(disease)",
        )
        path.axhline(0.5, color=theme.GREY, linestyle=":", linewidth=1.5)
        self.path = path.plot([], [], "-o", color=theme.BLUE, clip_on=False, **MOVING)[0]
        self.truth = path.plot(
            [], [], "s", color=theme.BLACK, markerfacecolor=theme.YELLOW, markersize=13, clip_on=False
        )[0]
        self.truth.set_animated(True)
        path.legend(
            [self.path, self.truth], ["belief", "angiogram"], loc="lower left", ncols=2, bbox_to_anchor=(-0.02, 0.98)
        )
        theme.dress(
            bars,
            xlim=(0, 0.36),
            ylim=(len(tests) - 0.4, -0.6),
            xticks=[0, 0.1, 0.2, 0.3],
            yticks=dict(enumerate(tests)),
            xlabel=("bits to expect from a test", {"labelpad": 1}),
        )
        look = {"edgecolor": theme.BLACK, **MOVING}
        self.bars = [bars.add_patch(Rectangle((0, y - 0.36), 0, 0.72, **look)) for y in range(len(tests))]
        here = {"va": "center", "fontsize": theme.SMALL, **MOVING}
        self.values = [bars.text(0, y, "", **here) for y in range(len(tests))]

    def show(self, hidden, notes, known, beliefs, truth, bits):
        """`hidden` arrows are left out; `beliefs` after 0, 1, … facts; `truth` 0, 1 or not yet told, None; `bits` None: done."""
        self.network.show(dict.fromkeys(known, True), notes=notes)
        for edge, arrow in self.network.arrows.items():
            for part in arrow:
                part.set_visible(edge not in hidden)
        self.path.set_data(range(len(beliefs)), beliefs)
        self.truth.set_data(*([], []) if truth is None else ([8], [truth]))
        most = max((each for each in bits if each is not None), default=None)
        for bar, value, each in zip(self.bars, self.values, bits):
            bar.set(width=each or 0, facecolor=theme.ORANGE if each == most else theme.SKY)
            value.set(x=(each or 0) + 0.008, text="done" if each is None else f"{each:.3f}")
