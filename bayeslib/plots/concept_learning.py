"""The pictures of section 02, concept learning. Each makes its artists once; `show` moves them."""

import numpy as np

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING


class VersionSpace:
    """Figure 6.1 alive: a bar for every hypothesis, in rows by its number of "?", as high as its probability."""

    LOWEST = 4  # powers of ten below 1 where a bar has no height any more
    WIDE = 570  # points that a row of bars may take

    @theme.styled
    def __init__(self, axes):
        axes.set(xlim=(-0.01, 1.38), xticks=[])
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
        key = f"bars: P(h|D), log scale from {10**-self.LOWEST:g}; thick blue: fits every row; ◆ most probable, if few"
        axes.set_xlabel(key, fontsize=theme.SMALL)
        self.axes, self.marks, self.still = axes, None, []
        bars = {"linestyle": "-", "solid_capstyle": "butt", **MOVING}
        self.others = axes.plot([], [], color=theme.GREY, **bars)[0]
        self.fitting = axes.plot([], [], color=theme.BLUE, **bars)[0]
        self.best = axes.plot([], [], "D", color=theme.VERMILLION, markersize=7, **MOVING)[0]
        self.head = axes.text(0, 0, "", weight="bold", va="top", transform=axes.transAxes, **MOVING)
        self.last = axes.text(0, 0, "", va="top", transform=axes.transAxes, **MOVING)
        for text, y in ((self.head, 1.24), (self.last, 1.13)):
            text.set_position((-0.1, y))
        self.refuted = axes.text(0.5, 0, "", ha="center", va="center", fontsize=theme.LARGE, weight="bold", **MOVING)
        self.rows = [axes.text(1.03, 0, "", va="bottom", fontsize=theme.SMALL, **MOVING) for _ in range(8)]
        self.titles = axes.text(1.03, 0, "belief    fit", va="bottom", fontsize=theme.SMALL, weight="bold")

    def _space(self, marks):
        """Give every hypothesis its place; `marks` is its number of "?", −1 for never. Drawn again only for another space."""
        if self.marks is not None and np.array_equal(marks, self.marks):
            return
        self.marks, layers = marks, np.arange(-1, marks.max() + 1)
        self.counts = np.array([np.count_nonzero(marks == layer) for layer in layers])
        widest = self.counts.max()
        self.x, self.row = np.empty(len(marks)), marks + 1
        for row, count in enumerate(self.counts):
            self.x[self.row == row] = (np.arange(count) + 0.5 + (widest - count) / 2) / widest
        self.axes.set_yticks(np.arange(len(layers)) + 0.3, ["never", *(f"{layer} × ?" for layer in layers[1:])])
        self.axes.set_ylim(-0.05, len(layers) + 0.45)
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
        thick = room * 0.55 if fits.sum() > 64 else max(room, 4 if fits.sum() > 16 else 6)
        for line, mine, width in (
            (self.fitting, fits & drawn, thick),
            (self.others, ~fits & drawn, min(room * 0.6, 3)),
        ):
            line.set(data=_upright(self.x[mine], self.row[mine], heights[mine]), linewidth=width)
        self.best.set(data=(self.x[best], heights[best] + 0.02), visible=0 < len(best) <= 6)
        for row, text in enumerate(self.rows[: len(self.counts)]):
            mine = self.row == row
            held = belief[mine].sum()
            text.set_text(f"{held:.3f}    {np.count_nonzero(fits & mine)}" if held else "")
        self.head.set_text(head)
        self.last.set_text(last)


class Lattice:
    """The version space between its boundaries: general hypotheses above, specific ones below, neighbours joined."""

    LABELS = 6

    @theme.styled
    def __init__(self, axes):
        axes.set(xlim=(-0.04, 1.04), ylim=(-0.3, 1.45))
        axes.axis("off")
        moving = {**MOVING, "edgecolor": theme.BLACK}
        self.edges = axes.plot([], [], color=theme.GREY, linewidth=1.5, zorder=0, **MOVING)[0]
        self.between = axes.scatter([], [], marker="o", facecolor=theme.SKY, label="between", **moving)
        self.specific = axes.scatter([], [], marker="s", facecolor=theme.BLUE, label="S, most specific", **moving)
        self.general = axes.scatter([], [], marker="^", facecolor=theme.VERMILLION, label="G, most general", **moving)
        self.labels = [
            axes.text(0, 0, "", ha="center", fontsize=theme.SMALL, bbox=theme.PLATE, **MOVING)
            for _ in range(self.LABELS)
        ]
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
        gap = np.full(len(ends), np.nan)
        self.edges.set_data(*(np.column_stack([*places[ends, axis].T, gap]).ravel() for axis in (0, 1)))
        for text in self.labels:
            text.set_visible(False)
        for text, (place, words) in zip(self.labels, labels.items()):
            x, y = places[place]
            above = roles[place] == "G"
            text.set(text=words, x=np.clip(x, 0.12, 0.88), y=y + (0.09 if above else -0.09), visible=True)
            text.set_va("bottom" if above else "top")
        self.head.set_text(head)


class Queries:
    """All days as tiles, each with the votes that it gets; beside them what the hypotheses say of the chosen one."""

    KINDS = {"split": theme.YELLOW, "best": theme.ORANGE, "yes": theme.SKY, "no": theme.WHITE}
    TILE = [(-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5), (-1, -0.5)]
    VERDICTS = {"yes": theme.BLUE, "no": theme.VERMILLION, "gone": theme.GREY}
    MOST = 6  # votes that a day can get

    @theme.styled
    def __init__(self, tiles, words, rows, columns, xlabel, hypotheses):
        tiles.set(xlim=(-0.6, columns - 0.4), ylim=(len(rows) - 0.4, -0.6), xticks=[])
        tiles.set_yticks(range(len(rows)), rows)
        tiles.tick_params(length=0)
        tiles.spines[:].set_visible(False)
        tiles.set_xlabel(xlabel, fontsize=theme.SMALL)
        words.set(xlim=(0, 1), ylim=(0, 1))
        words.axis("off")
        moving = {"linestyle": "", **MOVING}
        self.tiles = {
            kind: tiles.plot(
                [],
                [],
                marker=self.TILE,
                color=theme.BLACK,
                markerfacecolor=fill,
                markersize=31,
                markeredgewidth=1,
                **moving,
            )[0]
            for kind, fill in self.KINDS.items()
        }
        self.digits = [
            tiles.plot([], [], marker=f"${votes}$", color=theme.BLACK, markersize=9, markeredgewidth=0.3, **moving)[0]
            for votes in range(self.MOST + 1)
        ]
        ring = {"color": theme.VERMILLION, "markerfacecolor": "none", "markersize": 37, "markeredgewidth": 4}
        self.chosen = tiles.plot([], [], marker=self.TILE, **ring, **moving)[0]
        self.day = words.text(0, 0.99, "", va="top", weight="bold", linespacing=1.3, **MOVING)
        self.says = []
        for line, hypothesis in enumerate(hypotheses):
            place = {"y": 0.78 - 0.075 * line, "va": "top", "fontsize": theme.SMALL}
            words.text(0.17, s=hypothesis, **place)
            self.says.append(words.text(0, s="", weight="bold", **MOVING, **place))
        self.futures = words.text(0, 0.29, "", va="top", linespacing=1.35, **MOVING)

    def show(self, votes, kinds, chosen, day, says, futures):
        """Votes and kind of every tile (rows by columns), the chosen one, and each hypothesis' verdict on it."""
        for kind, artist in self.tiles.items():
            artist.set_data(*np.nonzero(kinds == kind)[::-1])
        for number, artist in enumerate(self.digits):
            artist.set_data(*np.nonzero(votes == number)[::-1])
        self.chosen.set_data([chosen[1]], [chosen[0]])
        self.day.set_text(day)
        for artist, verdict in zip(self.says, says):
            artist.set(text=verdict, color=self.VERDICTS[verdict])
        self.futures.set_text(futures)


def _upright(x, low, high):
    """Upright strokes as one line with gaps: x and y with a NaN after each stroke."""
    gap = np.full(len(x), np.nan)
    return np.column_stack([x, x, gap]).ravel(), np.column_stack([low, high, gap]).ravel()
