"""The pictures of section 02, concept learning. Each makes its artists once; `show` moves them."""

import numpy as np

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING, Picture


class VersionSpace(Picture):
    """Figure 6.1 alive: a bar for every hypothesis, in rows by its number of "?", as high as its probability."""

    LOWEST = 4  # powers of ten below 1 where a bar has no height any more
    WIDE = 400  # points that a row of bars takes

    def __init__(self, axes):
        theme.dress(axes, xlim=(-0.01, 1.38), xticks=[], ticks={"length": 0}, hide="left bottom")
        self.axes, self.marks, self.still = axes, None, []
        bars = {"linestyle": "-", "solid_capstyle": "butt", **MOVING}
        self.others = axes.plot([], [], color=theme.GREY, label="contradicts a row", **bars)[0]
        self.fitting = axes.plot([], [], color=theme.BLUE, label="agrees with every row", **bars)[0]
        best = {"color": theme.VERMILLION, "markersize": 7, "label": "most probable, if at most 6 are"}
        self.best = axes.plot([], [], "D", **best, **MOVING)[0]
        legend = {"loc": "upper left", "bbox_to_anchor": (-0.12, -0.08), "borderpad": 0, "columnspacing": 1}
        axes.legend(handles=[self.fitting, self.others, self.best], ncols=3, handlelength=1, **legend)
        height = f"height of a bar: P(h|D), log scale from {10**-self.LOWEST:g}"
        axes.text(0, -0.01, height, va="top", fontsize=theme.SMALL, transform=axes.transAxes)
        self.head = axes.text(0, 0, "", weight="bold", va="top", transform=axes.transAxes, **MOVING)
        self.last = axes.text(0, 0, "", va="top", transform=axes.transAxes, **MOVING)
        for text, y in ((self.head, 1.26), (self.last, 1.15)):
            text.set_position((-0.1, y))
        words = {"ha": "center", "va": "center", "fontsize": theme.LARGE, "weight": "bold", "bbox": theme.PLATE}
        self.refuted = axes.text(0.5, 0, "", **words, **MOVING)
        self.rows = [axes.text(1.03, 0, "", va="bottom", fontsize=theme.SMALL, **MOVING) for _ in range(8)]
        self.titles = axes.text(1.03, 0, "", va="bottom", fontsize=theme.SMALL, weight="bold", **MOVING)

    def _space(self, marks):
        """Give every hypothesis its place; `marks` is its number of "?", −1 for never. Drawn again only for another space."""
        if self.marks is not None and np.array_equal(marks, self.marks):
            return
        self.marks, layers = marks, np.arange(-1, marks.max() + 1)
        self.counts = np.array([np.count_nonzero(marks == layer) for layer in layers])
        self.x, self.row = np.empty(len(marks)), marks + 1
        for row, count in enumerate(self.counts):
            self.x[self.row == row] = (np.arange(count) + 0.5) / count
        theme.dress(
            self.axes,
            yticks={row + 0.3: f"{layer} × ?" if row else "never" for row, layer in enumerate(layers)},
            ylim=(-0.05, len(layers) + 0.45),
        )
        for line in self.still:
            line.remove()
        self.still = [self.axes.hlines(range(len(layers)), 0, 1, color=theme.GREY, linewidth=1)]
        for row, text in enumerate(self.rows):
            text.set(y=row + 0.05, visible=row < len(layers))
        self.titles.set_y(len(layers) + 0.05)
        self.refuted.set_y(len(layers) / 2)

    def show(self, marks, belief, fits, best, head, last):
        """`belief` and `fits` (contradicts nothing) for every hypothesis; belief None: nothing is left to believe."""
        self._space(marks)
        nothing = belief is None
        self.refuted.set_text("No conjunction fits: P(D) = 0,\nand there is no posterior" if nothing else "")
        belief = np.zeros(len(marks)) if nothing else belief
        heights = self.row + 0.88 * np.clip(1 + np.log10(np.maximum(belief, 1e-300)) / self.LOWEST, 0, 1)
        drawn, room = heights > self.row, self.WIDE / self.counts.max()
        thick = room * 0.6 if fits.sum() > 64 else 1.5 if fits.sum() > 16 else 4.5
        for line, mine, width in (
            (self.fitting, fits & drawn, thick),
            (self.others, ~fits & drawn, min(room * 0.6, 2)),
        ):
            line.set(data=_upright(self.x[mine], self.row[mine], heights[mine]), linewidth=width)
        self.best.set(data=(self.x[best], heights[best] + 0.02), visible=0 < len(best) <= 6)
        for row, text in enumerate(self.rows[: len(self.counts)]):
            mine = self.row == row
            held = belief[mine].sum()
            text.set_text(f"{held:.3f}    {np.count_nonzero(fits & mine)}" if held else "")
        self.titles.set_text("" if nothing else "belief    agree")
        self.head.set_text(head)
        self.last.set_text(last)


class Lattice(Picture):
    """The version space between its boundaries: general hypotheses above, specific ones below, neighbours joined."""

    LABELS, UNDER = 6, 0.18  # texts at most, and how far below its mark the text of a hypothesis ends

    def __init__(self, axes):
        theme.dress(axes, xlim=(-0.04, 1.04), ylim=(-0.3, 1.45), hide="all")
        moving = {**MOVING, "edgecolor": theme.BLACK}
        self.edges = axes.plot([], [], color=theme.GREY, linewidth=1.5, zorder=0, **MOVING)[0]
        self.between = axes.scatter([], [], marker="o", facecolor=theme.SKY, label="between", **moving)
        self.specific = axes.scatter([], [], marker="s", facecolor=theme.BLUE, label="S, most specific", **moving)
        self.general = axes.scatter([], [], marker="^", facecolor=theme.VERMILLION, label="G, most general", **moving)
        self.labels = [axes.text(0, 0, "", ha="center", fontsize=theme.SMALL, **MOVING) for _ in range(self.LABELS)]
        self.head = axes.text(-0.03, 1.41, "", weight="bold", va="top", **MOVING)
        legend = axes.legend(
            loc="upper right", ncols=3, handletextpad=0, columnspacing=0.8, bbox_to_anchor=(1.02, 1.02)
        )
        for handle in legend.legend_handles:
            handle.set_sizes([90])

    def show(self, layers, roles, belief, edges, labels, head):
        """For every hypothesis its layer, role (S, G or -) and belief; `edges` are pairs of places, `labels` maps place to text."""
        layers, roles, belief = np.asarray(layers), np.asarray(roles), np.asarray(belief)
        floors = {layer: floor for floor, layer in enumerate(np.unique(layers))}
        places = np.empty((len(layers), 2))
        for layer, floor in floors.items():
            mine = np.flatnonzero(layers == layer)
            places[mine, 0] = (np.arange(len(mine)) + 0.5) / len(mine)
            places[mine, 1] = floor / max(len(floors) - 1, 1)
        size = (30 if len(layers) > 100 else 150 if len(layers) > 6 else 420) * belief / belief.max()
        for artist, role in ((self.between, "-"), (self.specific, "S"), (self.general, "G")):
            artist.set_offsets(places[roles == role])
            artist.set_sizes(np.maximum(size[roles == role], 12 if role == "-" else 90))
        ends = np.array(edges, int).reshape(-1, 2)
        ends = np.take_along_axis(ends, np.argsort(layers[ends], axis=1), axis=1)  # the lower one first
        strokes = places[ends]
        under = np.isin(ends[:, 1], [place for place in labels if roles[place] != "G"])
        strokes[under, 1, 1] -= self.UNDER  # down from a text, not through it
        gap = np.full(len(ends), np.nan)
        self.edges.set_data(*(np.column_stack([*strokes[..., axis].T, gap]).ravel() for axis in (0, 1)))
        for text in self.labels:
            text.set_visible(False)
        for text, (place, words) in zip(self.labels, labels.items()):
            x, y = places[place]
            above = roles[place] == "G"
            text.set(text=words, x=np.clip(x, 0.12, 0.88), y=y + (0.09 if above else -0.09), visible=True)
            text.set_va("bottom" if above else "top")
        self.head.set_text(head)


class Queries(Picture):
    """All days as tiles, each with the votes that it gets; beside them what the hypotheses say of the chosen one."""

    KINDS = {
        "yes": (theme.SKY, "all say yes"),
        "no": (theme.WHITE, "all say no"),
        "split": (theme.YELLOW, "they disagree"),
        "best": (theme.ORANGE, "P(yes) nearest ½"),
    }
    TILE = [(-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5), (-1, -0.5)]
    VERDICTS = {"yes": theme.BLUE, "no": theme.VERMILLION, "gone": theme.GREY}
    MOST = 6  # votes that a day can get

    def __init__(self, tiles, words, rows, columns, xlabel, hypotheses):
        theme.dress(
            tiles,
            xlim=(-0.6, columns - 0.4),
            ylim=(len(rows) - 0.4, -0.6),
            xticks=[],
            yticks=dict(enumerate(rows)),
            ticks={"length": 0},
            xlabel=(xlabel, {"fontsize": theme.SMALL}),
            hide="left bottom",
        )
        theme.dress(words, xlim=(0, 1), ylim=(0, 1), hide="all")
        moving = {"linestyle": "", **MOVING}
        self.tiles = {
            kind: tiles.plot(
                [],
                [],
                marker=self.TILE,
                color=theme.BLACK,
                markerfacecolor=fill,
                markersize=27,
                markeredgewidth=1,
                label=label,
                **moving,
            )[0]
            for kind, (fill, label) in self.KINDS.items()
        }
        legend = {"ncols": 4, "handletextpad": 0.1, "columnspacing": 0.8, "borderpad": 0, "markerscale": 0.7}
        tiles.legend(loc="lower left", bbox_to_anchor=(-0.62, -0.19), **legend)
        self.digits = [
            tiles.plot([], [], marker=f"${votes}$", color=theme.BLACK, markersize=9, markeredgewidth=0.3, **moving)[0]
            for votes in range(self.MOST + 1)
        ]
        ring = {"color": theme.VERMILLION, "markerfacecolor": "none", "markersize": 33, "markeredgewidth": 4}
        self.chosen = tiles.plot([], [], marker=self.TILE, **ring, **moving)[0]
        self.day = words.text(0, 0.99, "", va="top", weight="bold", linespacing=1.3, **MOVING)
        self.says, self.beliefs = [], []
        for line, hypothesis in enumerate(hypotheses):
            place = {"y": 0.78 - 0.075 * line, "va": "top", "fontsize": theme.SMALL}
            words.text(0.31, s=hypothesis, **place)
            self.says.append(words.text(0, s="", weight="bold", **MOVING, **place))
            self.beliefs.append(words.text(0.15, s="", **MOVING, **place))
        self.futures = words.text(0, 0.29, "", va="top", linespacing=1.35, **MOVING)

    def show(self, votes, kinds, chosen, day, says, beliefs, futures):
        """Votes and kind of every tile (rows by columns), the chosen one, and each hypothesis' verdict on it and belief."""
        for kind, artist in self.tiles.items():
            artist.set_data(*np.nonzero(kinds == kind)[::-1])
        for number, artist in enumerate(self.digits):
            artist.set_data(*np.nonzero(votes == number)[::-1])
        self.chosen.set_data([chosen[1]], [chosen[0]])
        self.day.set_text(day)
        for artist, verdict in zip(self.says, says):
            artist.set(text=verdict, color=self.VERDICTS[verdict])
        for artist, belief in zip(self.beliefs, beliefs):
            artist.set_text(belief)
        self.futures.set_text(futures)


class Tiles(Picture):
    """Things to ask about as named tiles, and beside them what the rules that are left demand, column by column."""

    ACROSS, DOWN, COLUMNS = 4, 9, 12
    MOST = ACROSS * DOWN
    BAND = [(-1, -0.12), (1, -0.12), (1, 0.12), (-1, 0.12), (-1, -0.12)]
    TILE = [(-1, -0.27), (1, -0.27), (1, 0.27), (-1, 0.27), (-1, -0.27)]
    LONG, LOW = 0.44, 0.2  # half a band across, and how far it is below the middle of its tile
    # What is written in a band: the words, their size, and how far a letter below the line lifts them
    WORDS = {
        "yes": ("yes", 22, 0.05),
        "no": ("no", 15, 0),
        "all yes": ("all\\ yes", 42, 0.05),
        "all no": ("all\\ no", 36, 0),
        "none left": ("no\\ rule", 40, 0),
    }

    def __init__(self, tiles, words):
        tiles.set(xlim=(-0.53, self.ACROSS - 0.47), ylim=(self.DOWN - 0.45, -0.55))
        words.set(xlim=(0, 1), ylim=(0, 1))
        for axes in (tiles, words):
            axes.axis("off")
        self.axes, self.still = tiles, None
        moving = {"linestyle": "", "color": theme.BLACK, **MOVING}
        band = {"marker": self.BAND, "markersize": 96, "markeredgewidth": 0.8}
        self.asked = tiles.plot([], [], markerfacecolor=theme.SKY, label="asked", **band, **moving)[0]
        open_ = {"markerfacecolor": theme.YELLOW, "label": "open; bar: share of the rules that say yes"}
        self.open = tiles.plot([], [], **open_, **band, **moving)[0]
        self.shares = tiles.plot([], [], color=theme.BLUE, linewidth=6, solid_capstyle="butt", **MOVING)[0]
        self.words = {
            word: tiles.plot([], [], marker=f"$\\mathrm{{{text}}}$", markersize=size, markeredgewidth=0.2, **moving)[0]
            for word, (text, size, _) in self.WORDS.items()
        }
        ring = {"markerfacecolor": "none", "markersize": 103, "markeredgewidth": 4, **moving, "color": theme.VERMILLION}
        self.chosen = tiles.plot([], [], marker=self.TILE, **ring)[0]
        legend = {"ncols": 2, "handletextpad": 0.4, "columnspacing": 1.2, "borderpad": 0, "markerscale": 0.25}
        tiles.legend(handles=[self.asked, self.open], loc="upper left", bbox_to_anchor=(0, 0.015), **legend)
        self.outlines = tiles.plot([], [], marker=self.TILE, markersize=101, **{**moving, "animated": False})[0]
        self.outlines.set(markerfacecolor="none", markeredgewidth=0.8)
        small = {"fontsize": theme.SMALL, "parse_math": False}
        places = [divmod(tile, self.ACROSS)[::-1] for tile in range(self.MOST)]
        self.names = [tiles.text(x, y + 0.04, "", ha="center", va="bottom", **small) for x, y in places]
        heights = [0.85 - 0.059 * line for line in range(self.COLUMNS + 1)]
        self.attributes, self.specific, self.general = (
            [words.text(x, y, "", va="top", animated=moves, **small) for y in heights]
            for x, moves in ((0, False), (0.42, True), (0.66, True))
        )
        self.head = words.text(0, 1, "", va="top", weight="bold", linespacing=1.3, **MOVING)
        self.last = words.text(0, 0, "", va="bottom", **small, **MOVING)

    def name(self, names, attributes):
        """What is the same for a whole table: the names of its rows and columns. Drawn again only for another table."""
        if self.still == (names, attributes):
            return
        self.still = names, attributes
        _write(self.names, names)
        _write(self.attributes, ["", *attributes])
        self.outlines.set_data(*np.divmod(np.arange(len(names)), self.ACROSS)[::-1])

    def show(self, states, chosen, head, specific, general, last):
        """The state of every tile, a word of WORDS or the share that says yes; `specific` and `general`: a text a column, after a head."""
        x, y = np.divmod(np.arange(len(states)), self.ACROSS)[::-1]
        low, shares = y + self.LOW, np.array([each if isinstance(each, float) else np.nan for each in states])
        asked, open_ = np.isin(states, ["yes", "no"]), np.isfinite(shares)
        self.asked.set_data(x[asked], low[asked])
        self.open.set_data(x[open_], low[open_])
        ends = x[open_] - self.LONG, x[open_] - self.LONG + 2 * self.LONG * shares[open_]
        self.shares.set_data(*_along(*ends, low[open_]))
        for word, artist in self.words.items():
            mine = np.array([each == word for each in states])
            artist.set_data(x[mine], low[mine] + self.WORDS[word][2])
        self.chosen.set_data(*([], []) if chosen is None else ([x[chosen]], [y[chosen]]))
        self.head.set_text(head)
        _write(self.specific, specific)
        _write(self.general, general)
        self.last.set_text(last)


def _write(artists, texts):
    for artist, text in zip(artists, [*texts, *[""] * (len(artists) - len(texts))]):
        artist.set_text(text)


def _along(left, right, y):
    """Level strokes as one line with gaps."""
    return _upright(y, left, right)[::-1]


def _upright(x, low, high):
    """Upright strokes as one line with gaps: x and y with a NaN after each stroke."""
    gap = np.full(len(x), np.nan)
    return np.column_stack([x, x, gap]).ravel(), np.column_stack([low, high, gap]).ravel()
