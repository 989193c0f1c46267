"""The pictures of section 14, nearest neighbours. Each makes its artists once; `show` moves them."""

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb

from bayeslib.plots import theme
from bayeslib.plots.theme import MOVING, Picture

# How the two classes look in every picture: line, marker; and what they are called.
LINES, MARKERS, NAMES = [theme.VERMILLION, theme.BLUE], ["o", "^"], ["circle", "triangle"]
FILLS = [theme.ORANGE, theme.SKY]
NAMED = list("JKLMNOPQRS")  # people; A to D are the options of a question
RING = {"marker": "o", "markerfacecolor": "none", "color": theme.BLACK, "linestyle": ""}
CROSS = {"marker": "X", "markersize": 15, "color": theme.BLACK, "markerfacecolor": theme.YELLOW, "linestyle": ""}


def _tint(colour, share):
    """A colour of the theme thinned with white."""
    return 1 - share * (1 - np.array(to_rgb(colour)))


# Region colours by class and by hatching, as bytes, which are drawn fastest: triangles' land is hatched.
LAND = np.array([[_tint(theme.ORANGE, 0.3), _tint(theme.ORANGE, 0.3)], [_tint(theme.SKY, 0.3), _tint(theme.SKY, 0.5)]])
LAND = np.dstack([(255 * LAND).round(), np.full((2, 2), 255)]).astype(np.uint8)


class Land:
    """Which class gets which part of a map: an image, hatched for triangles, and the border between the classes."""

    def __init__(self, axes, extent, shape):
        """`extent` is (left, right, bottom, top); `shape` the rows and columns of the grid."""
        axes.set(xlim=extent[:2], ylim=extent[2:])
        self.extent = extent
        up, across = np.indices(shape)
        self.hatch = ((across - up) % 8 < 2).astype(int)
        self.image = axes.imshow(
            LAND[0, self.hatch], extent=extent, origin="lower", interpolation="nearest", aspect="auto", **MOVING
        )
        dots = {"marker": "s", "markersize": 2, "markeredgewidth": 0, "color": theme.GREY, "linestyle": ""}
        self.border = axes.plot([], [], **dots, **MOVING)[0]

    def show(self, classes):
        """`classes` holds 0 or 1 for each cell of the grid, bottom row first."""
        self.image.set_data(LAND[classes, self.hatch])
        left, right, bottom, top = self.extent
        wide, high = (right - left) / classes.shape[1], (top - bottom) / classes.shape[0]
        down, across = np.nonzero(classes[:, 1:] != classes[:, :-1])
        up, along = np.nonzero(classes[1:] != classes[:-1])
        x = np.concatenate([across + 1, along + 0.5]) * wide + left
        self.border.set_data(x, np.concatenate([down + 0.5, up + 1]) * high + bottom)


def _points(axes, size=10):
    """A line of markers for each class."""
    return [
        axes.plot([], [], marker=m, markersize=size, color=c, markeredgewidth=0, linestyle="", zorder=3, **MOVING)[0]
        for m, c in zip(MARKERS, LINES)
    ]


def _place(lines, places, classes):
    for number, line in enumerate(lines):
        line.set_data(*places[classes == number].T)


def _plain(axes):
    """No ticks, a frame all around: a map."""
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(True)


class DragCells(Picture):
    """A map with points of two classes: cells, regions, a query with lines to those it asks, and who owns how much."""

    def __init__(self, plane, shares, box, shape):
        _plain(plane)
        self.land = Land(plane, box, shape)
        plane.set(aspect="equal", xticks=[0, 0.5, 1, 1.5], yticks=[0, 0.5, 1])
        fill = {"linewidths": 0, "zorder": 1, **MOVING}
        self.fills = [
            plane.add_collection(
                PolyCollection([], facecolors=[plain / 255], edgecolors=[striped / 255], hatch=h, **fill)
            )
            for (plain, striped), h in zip(LAND, ("", "//"))
        ]
        edges = {"facecolors": "none", "edgecolors": [theme.GREY], "linewidths": 2}
        self.cells = plane.add_collection(PolyCollection([], zorder=2.1, **edges, **MOVING))
        bold = {"facecolors": "none", "edgecolors": [theme.BLACK], "linewidths": 3}
        self.mine = plane.add_collection(PolyCollection([], zorder=2.2, **bold, **MOVING))
        self.asks = plane.add_collection(
            LineCollection([], colors=[theme.BLACK], linewidths=1.8, linestyles="dashed", zorder=2.5, **MOVING)
        )
        self.points = _points(plane, 12)
        self.chosen = plane.plot([], [], markersize=21, markeredgewidth=2, zorder=3.2, **RING, **MOVING)[0]
        self.query = plane.plot([], [], zorder=3.5, **CROSS, **MOVING)[0]
        theme.dress(shares, xlim=(0, 1.0), ylim=(5.2, -0.75), hide="all")
        shares.text(0, -0.45, "share of the map", va="center", weight="bold")
        look = {"edgecolor": theme.BLACK, **MOVING}
        self.bars = [
            shares.barh([row + 0.4], [0], 0.55, color=FILLS[row], hatch=["", "//"][row], **look)[0] for row in (0, 1)
        ]
        self.numbers = [shares.text(0, row + 0.4, "", va="center", **MOVING) for row in (0, 1)]
        shares.text(0, 2.6, "the query ✖ asks", va="center", weight="bold")
        self.votes = _points(shares, 12)
        for line in self.votes:
            line.set_clip_on(False)
        self.verdict = shares.text(0, 4.1, "", va="center", **MOVING)
        shares.text(0, 4.95, "ring: the chosen point;\nthick line: its cell", va="center", fontsize=theme.SMALL)

    def show(self, places, classes, land, cells, chosen, query, asked, shares):
        """`asked` are the rows of the query's neighbours, nearest first. For k = 1 there are `cells` and no `land`."""
        for artist in (self.land.image, self.land.border):
            artist.set_visible(land is not None)
        if land is not None:
            self.land.show(land)
        for label, fill in enumerate(self.fills):
            fill.set_verts([cell for cell, mine in zip(cells, classes) if mine == label and len(cell)])
        self.cells.set_verts([cell for cell in cells if len(cell)])
        self.mine.set_verts([cells[chosen]] if len(cells) and len(cells[chosen]) else [])
        self.asks.set_segments([[query, places[row]] for row in asked])
        _place(self.points, places, classes)
        self.chosen.set_data(*places[[chosen]].T)
        self.query.set_data(*np.array(query)[:, None])
        for bar, number, share in zip(self.bars, self.numbers, shares):
            bar.set_width(0.74 * share)
            number.set(x=0.74 * share + 0.03, text=f"{share:.0%}")
        seats = np.array([(0.05 + 0.12 * seat, 3.4) for seat in range(len(asked))])
        votes = classes[asked]
        _place(self.votes, seats, votes)
        self.verdict.set_text(f"answer: {NAMES[int(2 * votes.sum() > len(votes))]}")


class KRegions(Picture):
    """Left the regions of k-NN with the data, right its three errors against k."""

    def __init__(self, plane, curves, ks, shape):
        _plain(plane)
        plane.set_xlabel("dashed: the true border", labelpad=3, fontsize=theme.SMALL)
        self.land = Land(plane, (0, 1, 0, 1), shape)
        self.truth = plane.plot([], [], "--", color=theme.GREY, linewidth=2.4, zorder=2.5, **MOVING)[0]
        self.points = _points(plane, 7)
        theme.dress(
            curves,
            xscale="log",
            xlim=(0.85, 1.18 * ks[-1]),
            ylim=(-0.02, 0.62),
            yticks=[0, 0.2, 0.4, 0.6],
            xticks={1: "1", 3: "3", 7: "7", 25: "25", 99: "99"},
            xlabel=("k (logarithmic)", {"labelpad": 2}),
            ylabel="error",
            hide="minor",
        )
        self.ks = ks
        looks = {
            "training": {"color": theme.GREY, "linestyle": ":", "marker": "s"},
            "leave-one-out": {"color": theme.BLACK, "linestyle": "--", "marker": "^"},
            "true": {"color": theme.VERMILLION, "linestyle": "-", "marker": "o"},
        }
        self.lines = [curves.plot([], [], markersize=6, label=n, **look, **MOVING)[0] for n, look in looks.items()]
        self.here = curves.plot([], [], color=theme.BLACK, linewidth=1.5, linestyle="-", **MOVING)[0]
        self.floor = curves.plot([0.85, 120], [0, 0], color=theme.BLACK, linewidth=1.2, linestyle="-.", **MOVING)[0]
        self.best = curves.text(117, 0, "best possible", ha="right", va="bottom", fontsize=theme.SMALL, **MOVING)
        curves.legend(
            loc="upper left", ncols=3, columnspacing=1, handlelength=1.6, handletextpad=0.4, bbox_to_anchor=(-0.14, 1.2)
        )

    def show(self, places, classes, land, truth, errors, floor, k):
        """`errors` are the three rows over all k; `floor` is the error of the best possible answer."""
        self.land.show(land)
        self.truth.set_data(*truth)
        _place(self.points, places, classes)
        for line, row in zip(self.lines, errors):
            line.set_data(self.ks, row)
        self.here.set_data([k, k], [-0.02, 0.62])
        self.floor.set_ydata([floor, floor])
        self.best.set(y=floor - 0.01 if floor else 0.005, va="top" if floor else "bottom")


class CoinLimit(Picture):
    """Left what k-NN answers along the line, a band for each k; right its error as the data grow, with the limits."""

    LOOKS = [
        {"color": theme.VERMILLION, "marker": "o", "linestyle": "-"},
        {"color": theme.BLUE, "marker": "s", "linestyle": "--"},
        {"color": theme.GREY, "marker": "D", "linestyle": "-."},
        {"color": theme.BLACK, "marker": "^", "linestyle": "-"},
    ]

    def __init__(self, bands, curves, ks, ns, pixels):
        theme.dress(
            bands,
            xlim=(0, 1),
            ylim=(-0.5, len(ks) + 0.6),
            xticks=[0, 0.5, 1],
            yticks=dict(enumerate([*(f"{k}-NN" for k in ks[::-1]), "best"])),
            ticks={"left": False},
            xlabel=("x (hatched: answers 1)", {"labelpad": 2}),
            hide="left",
        )
        self.lands = []
        for row in range(len(ks) + 1):
            extent = (0, 1, row - 0.36, row + 0.36)
            self.lands.append(
                bands.imshow(
                    np.zeros((24, pixels, 4), np.uint8),
                    extent=extent,
                    origin="lower",
                    interpolation="nearest",
                    aspect="auto",
                    **MOVING,
                )
            )
        bands.set(xlim=(0, 1), ylim=(-0.5, len(ks) + 0.6))
        up, across = np.indices((24, pixels))
        self.hatch = ((across - up) % 8 < 2).astype(int)
        theme.dress(
            curves,
            xscale="log",
            xlim=(ns[0] / 1.15, ns[-1] * 1.15),
            ylim=(0, 0.6),
            yticks=[0, 0.2, 0.4, 0.6],
            xticks={10: "10", 100: "100", 1000: "1000"},
            xlabel=("number of training points n", {"labelpad": 2}),
            ylabel=("error", {"labelpad": 2}),
            hide="minor",
        )
        self.ns = ns
        self.curves = [
            curves.plot([], [], markersize=7, linewidth=2.4, label=f"{k}-NN", **look, **MOVING)[0]
            for k, look in zip(ks, self.LOOKS)
        ]
        limit = {"color": theme.BLACK, "linestyle": ":", "linewidth": 2}
        self.limits = [curves.plot([ns[0] / 1.15, ns[-1] * 1.15], [0, 0], **limit, **MOVING)[0] for _ in range(3)]
        words = {"ha": "right", "fontsize": theme.SMALL, **MOVING}
        self.words = [curves.text(ns[-1] * 0.86, 0, "", va=side, **words) for side in ("top", "bottom", "bottom")]
        self.here = curves.plot([], [], color=theme.BLACK, linewidth=1.5, linestyle="-", **MOVING)[0]
        self.rings = curves.plot([], [], markersize=14, markeredgewidth=2, **RING, **MOVING)[0]
        curves.legend(
            loc="upper left",
            ncols=4,
            columnspacing=0.8,
            handlelength=1.3,
            handletextpad=0.3,
            bbox_to_anchor=(-0.17, 1.19),
        )

    def show(self, bands, errors, limits, n):
        """`bands` are 0 or 1 along the line, the last k first, then the best; `limits` are (words, height), lowest first.

        Where k neighbours are not to be had, a band is None and an error NaN, which is not drawn.
        """
        for image, row in zip(self.lands, bands):
            image.set_visible(row is not None)
            if row is not None:
                image.set_data(LAND[np.broadcast_to(row, self.hatch.shape), self.hatch])
        for line, row in zip(self.curves, errors):
            line.set_data(self.ns, row)
        for number, (line, text, (words, height)) in enumerate(zip(self.limits, self.words, limits)):
            line.set_ydata([height, height])
            text.set(y=height + (0.006 if number else -0.014), text=words, visible=bool(words) and height < 0.58)
        self.here.set_data([n, n], [0, 0.6])
        self.rings.set_data([n] * len(errors), [row[self.ns.index(n)] for row in errors])


class HeightUnit(Picture):
    """Left people by height and weight with the cells of the nearest, right the squared distances, part by part."""

    def __init__(self, plane, parts, box):
        left, right, bottom, top = box
        theme.dress(
            plane,
            xlim=(left, right),
            ylim=(bottom, top),
            xticks=[1.5, 1.6, 1.7, 1.8, 1.9, 2.0],
            yticks=[60, 70, 80],
            xlabel=("height in metres", {"labelpad": 2}),
            ylabel=("weight in kg", {"labelpad": 2}),
        )
        edges = {"edgecolors": [theme.BLACK], "linewidths": 1.6}
        self.cells = plane.add_collection(PolyCollection([], facecolors="none", **edges, **MOVING))
        self.mine = plane.add_collection(PolyCollection([], facecolors=[_tint(theme.YELLOW, 0.6)], **edges, **MOVING))
        self.line = plane.plot([], [], "--", color=theme.BLACK, linewidth=2, marker="", **MOVING)[0]
        self.people = plane.plot([], [], "o", markersize=21, color=theme.BLUE, markeredgecolor=theme.WHITE, **MOVING)[0]
        text = {
            "ha": "center",
            "va": "center_baseline",
            "weight": "bold",
            "color": theme.WHITE,
            "zorder": 3.2,
            **MOVING,
        }
        self.names = [plane.text(0, 0, "", **text) for _ in range(10)]
        self.query = plane.plot([], [], zorder=3.5, **CROSS, **MOVING)[0]
        theme.dress(
            parts,
            xlim=(0, 1.32),
            ylim=(1.55, -1.35),
            xticks=[],
            yticks=dict(enumerate(NAMED[:2])),
            ticks={"left": False},
            hide="bottom left",
        )
        look = {"edgecolor": theme.BLACK, **MOVING}
        self.height = parts.barh([0, 1], [0, 0], 0.5, color=theme.SKY, hatch="//", label="height", **look)
        self.weight = parts.barh([0, 1], [0, 0], 0.5, color=theme.ORANGE, label="weight", **look)
        self.numbers = [parts.text(0, row, "", va="center", fontsize=theme.SMALL, **MOVING) for row in (0, 1)]
        parts.text(0, -1.1, "squared distance d²", va="center", weight="bold")
        self.unit = parts.text(0, -0.72, "", va="center", fontsize=theme.SMALL, **MOVING)
        parts.barh([9], [0], color=[_tint(theme.YELLOW, 0.6)], edgecolor=theme.BLACK, label="its nearest")
        parts.legend(
            loc="lower left",
            ncols=3,
            handlelength=1,
            handletextpad=0.4,
            columnspacing=0.8,
            bbox_to_anchor=(-0.1, -0.11),
        )

    def show(self, people, query, cells, nearest, squares, unit):
        """`squares` are (height, weight) parts of the squared distance to the first two people."""
        self.cells.set_verts(cells)
        self.mine.set_verts([cells[nearest]] if len(cells[nearest]) else [])
        self.line.set_data(*np.array([query, people[nearest]]).T)
        self.people.set_data(*people.T)
        for number, text in enumerate(self.names):
            seen = number < len(people)
            x, y = people[number] if seen else (1.7, 70)
            text.set(x=x, y=y, text=NAMED[number], visible=seen)
        self.query.set_data(*np.array(query)[:, None])
        longest = max(map(sum, squares))
        for row, (height, weight) in enumerate(squares):
            self.height[row].set_width(height / longest)
            self.weight[row].set(x=height / longest, width=weight / longest)
            total = height + weight
            text = f"{total:,.0f}" if total >= 1000 else f"{total:.4g}"
            self.numbers[row].set(x=total / longest + 0.03, text=text)
        self.unit.set_text(unit)


class UselessColumns(Picture):
    """Left the rows by their one useful attribute, the query's neighbours ringed; right the error as columns are added."""

    def __init__(self, rows, curves, numbers):
        theme.dress(
            rows,
            xlim=(-0.03, 1.03),
            ylim=(-0.04, 1.04),
            yticks=[],
            xticks={0: "0", 0.5: "½", 1: "1"},
            xlabel=("x₁, which alone decides the class", {"labelpad": 2}),
            title=("line: the query; rings: its neighbours", {"loc": "left", "fontsize": theme.SMALL}),
            ylabel=("height has no meaning", {"fontsize": theme.SMALL}),
            hide="left",
        )
        rows.axvline(0.5, color=theme.GREY, linestyle=":", linewidth=2)
        self.points = _points(rows, 7)
        self.query = rows.plot([], [], color=theme.BLACK, linestyle="-", linewidth=2, zorder=3.5, **MOVING)[0]
        self.rings = rows.plot([], [], markersize=14, markeredgewidth=2.2, zorder=4, **RING, **MOVING)[0]
        theme.dress(
            curves,
            xlim=(-0.4, len(numbers) - 0.6),
            ylim=(0, 0.56),
            yticks=[0, 0.25, 0.5],
            xticks=dict(enumerate(map(str, numbers))),
            xlabel=("useless columns added", {"labelpad": 2}),
            ylabel=("error", {"labelpad": 2}),
        )
        curves.axhline(0.5, color=theme.GREY, linestyle=":", linewidth=2)
        curves.text(0, 0.505, "a coin", va="bottom", fontsize=theme.SMALL)
        looks = [("1-NN", theme.VERMILLION, "-", "o"), ("7-NN", theme.BLUE, "--", "^")]
        self.lines = [curves.plot([], [], color=c, linestyle=s, marker=m, label=n, **MOVING)[0] for n, c, s, m in looks]
        self.here = curves.plot([], [], markersize=19, markeredgewidth=2, **RING, **MOVING)[0]
        curves.legend(loc="upper left", ncols=2, bbox_to_anchor=(-0.03, 1.2), columnspacing=1)

    def show(self, places, classes, query, asked, errors, here):
        """`errors` of 1-NN and 7-NN over the numbers of columns; `here` is the (place, error) on view."""
        _place(self.points, places, classes)
        for line in self.points:
            line.set_markersize(7 if len(places) < 500 else 4)
            line.set_markeredgewidth(1.5 if len(places) < 500 else 0)
        self.query.set_data([query, query], [-0.04, 1.04])
        self.rings.set_data(*places[asked].T)
        for line, row in zip(self.lines, errors):
            line.set_data(range(len(row)), row)
        self.here.set_data([here[0]], [here[1]])


class KdSearch(Picture):
    """Left the boxes of a k-d tree with the search for the nearest point, right how much was looked at."""

    def __init__(self, plane, tally):
        _plain(plane)
        plane.set(xlim=(0, 1.5), ylim=(0, 1), aspect="equal")
        skip = {"facecolors": [_tint(theme.GREY, 0.25)], "edgecolors": [theme.GREY], "hatch": "xx", "linewidths": 0}
        self.skipped = plane.add_collection(PolyCollection([], zorder=0.5, **skip, **MOVING))
        self.now = plane.add_collection(
            PolyCollection([], edgecolors=[theme.BLACK], linewidths=3, zorder=1.2, **MOVING)
        )
        self.borders = plane.add_collection(LineCollection([], colors=[theme.GREY], linewidths=1.3, zorder=1, **MOVING))
        dots = {"marker": "o", "linestyle": "", "zorder": 3}
        self.waiting = plane.plot(
            [], [], markersize=7, color=theme.GREY, markerfacecolor=theme.WHITE, **dots, **MOVING
        )[0]
        self.visited = plane.plot([], [], markersize=9, color=theme.BLUE, **dots, **MOVING)[0]
        self.best = plane.plot(
            [], [], marker="*", markersize=22, color=theme.VERMILLION, linestyle="", zorder=3.3, **MOVING
        )[0]
        self.circle = plane.plot([], [], color=theme.VERMILLION, linestyle="--", linewidth=2.2, zorder=3.1, **MOVING)[0]
        self.query = plane.plot([], [], zorder=3.5, **CROSS, **MOVING)[0]
        theme.dress(tally, xlim=(0, 1.3), ylim=(3.7, -0.9), xticks=[], yticks=[], hide="left bottom")
        look = {"edgecolor": theme.BLACK, **MOVING}
        kinds = [
            ("measured", theme.BLUE, ""),
            ("skipped", _tint(theme.GREY, 0.25), "xx"),
            ("not yet decided", theme.WHITE, ""),
        ]
        self.bars = [tally.barh([row], [0], 0.4, color=[c], hatch=h, **look)[0] for row, (_, c, h) in enumerate(kinds)]
        self.numbers = [tally.text(0, row, "", va="center", **MOVING) for row in range(3)]
        for row, (name, _, _) in enumerate(kinds):
            tally.text(0, row - 0.38, name, va="center", fontsize=theme.SMALL)
        self.title = tally.text(0, -0.75, "", va="center", weight="bold", **MOVING)
        for row, (marker, colour, name) in enumerate(
            [
                ("X", theme.BLACK, "query"),
                ("*", theme.VERMILLION, "best so far"),
                ("s", theme.BLACK, "box of this step"),
            ]
        ):
            fill = theme.WHITE if marker == "s" else theme.YELLOW if marker == "X" else colour
            tally.plot([0.06], [2.75 + 0.36 * row], marker, color=colour, markerfacecolor=fill, markersize=11)
            tally.text(0.16, 2.75 + 0.36 * row, name, va="center", fontsize=theme.SMALL)

    def show(self, places, borders, query, visited, best, distance, skipped, now, entered, counts):
        """`borders` are the tree's lines, `skipped` and `now` boxes as corners, `counts` the three numbers of points.

        `entered` says whether the box of this step was entered, or skipped.
        """
        self.skipped.set_verts(skipped)
        self.now.set_verts([now] if now is not None else [])
        self.now.set(facecolor=_tint(theme.YELLOW, 0.55) if entered else "none", zorder=0.6 if entered else 1.2)
        self.borders.set_segments(borders)
        seen = np.zeros(len(places), dtype=bool)
        seen[visited] = True
        self.waiting.set_data(*places[~seen].T)
        self.visited.set_data(*places[seen].T)
        self.best.set_data(*places[[best]].T if best is not None else ([], []))
        turn = np.linspace(0, 2 * np.pi, 90)
        rim = (query[0] + distance * np.cos(turn), query[1] + distance * np.sin(turn)) if best is not None else ([], [])
        self.circle.set_data(*rim)
        self.query.set_data(*np.array(query)[:, None])
        for bar, number, count in zip(self.bars, self.numbers, counts):
            bar.set_width(count / len(places))
            number.set(x=count / len(places) + 0.03, text=str(count))
        self.title.set_text(f"{len(places)} points")


class MeanOfNeighbours(Picture):
    """k-NN for numbers: the data, the curve of means, and at the query the neighbours whose mean it is."""

    def __init__(self, axes, x, y, limits):
        theme.dress(axes, xlim=(-0.3, 10.3), ylim=limits, xlabel=("x", {"labelpad": 0}), ylabel=("y", {"labelpad": 8}))
        self.limits = limits
        self.window = axes.axvspan(
            0, 1, facecolor=_tint(theme.GREY, 0.12), edgecolor="none", label="as far as the k-th neighbour", **MOVING
        )
        line = {"color": theme.VERMILLION, "linestyle": "-", "linewidth": 2.6, "zorder": 2.5, "label": "answers"}
        self.curve = axes.plot([], [], **line, **MOVING)[0]
        self.points = axes.plot(x, y, "o", color=theme.BLUE, markersize=8, zorder=2.6, **MOVING)[0]
        named = {"zorder": 3, "label": "neighbours"}
        self.rings = axes.plot([], [], markersize=16, markeredgewidth=2.2, **named, **RING, **MOVING)[0]
        self.ask = axes.plot([], [], ":", color=theme.BLACK, linewidth=2, zorder=2.7, **MOVING)[0]
        self.answer = axes.plot([], [], zorder=3.5, label="answer at the query", **CROSS, **MOVING)[0]
        axes.legend(
            loc="lower left",
            ncols=4,
            columnspacing=1.2,
            handlelength=1.4,
            handletextpad=0.5,
            markerscale=0.7,
            bbox_to_anchor=(-0.03, 0.98),
        )

    def show(self, across, curve, query, answer, neighbours, window):
        """`neighbours` are the (x, y) of those asked; `window` the stretch from the farthest to the query and as far again."""
        self.curve.set_data(across, curve)
        self.rings.set_data(*neighbours.T)
        self.ask.set_data([query, query], self.limits)
        self.answer.set_data([query], [answer])
        self.window.set(x=window[0], width=window[1] - window[0])


class ReadDigit(Picture):
    """Left the image that is asked about, right its five nearest and, for each move, how many of all asked are wrong."""

    MOST = 300  # the right end of the scale of the bars

    def __init__(self, plane, near, bars, moves):
        ink = {"cmap": "Greys", "vmin": 0, "vmax": 16, "interpolation": "nearest", **MOVING}
        _plain(plane)
        self.image = plane.imshow(np.zeros((8, 8)), **ink)
        for line in np.arange(0.5, 7):
            plane.axhline(line, color=theme.GREY, linestyle=":", linewidth=1)
            plane.axvline(line, color=theme.GREY, linestyle=":", linewidth=1)
        plane.set_title("asked: which digit?", loc="left")
        pen = {"marker": "s", "markersize": 26, "markerfacecolor": "none", "markeredgewidth": 2, "linestyle": ""}
        self.pen = plane.plot([], [], color=theme.VERMILLION, **pen, **MOVING)[0]
        plane.set_xlabel("square: the pen", labelpad=4, fontsize=theme.SMALL)
        self.nearest = near.imshow(np.zeros((8, 44)), **ink)
        theme.dress(
            near,
            xlim=(-0.7, 43.7),
            ylim=(12.6, -0.7),
            title=("the five nearest kept images and their distances", {"loc": "left", "fontsize": theme.SMALL}),
            hide="all",
        )
        for tile in range(5):
            frame = np.array([-0.6, 7.6, 7.6, -0.6, -0.6])
            near.plot(frame + 9 * tile, np.roll(frame, 1), "-", color=theme.GREY, linewidth=1)
        text = {"ha": "center", "va": "center", "fontsize": theme.SMALL, **MOVING}
        self.labels = [near.text(3.5 + 9 * tile, 9.2, "", **text) for tile in range(5)]
        self.voters = near.plot([], [], "-", color=theme.VERMILLION, linewidth=3, **MOVING)[0]
        self.verdict = near.text(0, 11.9, "", va="center", **MOVING)
        theme.dress(
            bars,
            xlim=(0, 1.17 * self.MOST),
            ylim=(4.6, -0.6),
            xticks=[],
            yticks=dict(enumerate(moves)),
            ticks={"left": False},
            title=("wrong of all 599 asked, by move", {"loc": "left", "fontsize": theme.SMALL}),
            hide="bottom",
        )
        look = {"edgecolor": theme.BLACK, **MOVING}
        self.bars = [bars.barh([row], [0], 0.62, color=theme.SKY, **look)[0] for row in range(5)]
        self.numbers = [bars.text(0, row, "", va="center", fontsize=theme.SMALL, **MOVING) for row in range(5)]

    def show(self, image, nearest, labels, voters, verdict, wrong, here, pen):
        """`nearest` are five images in a row; `voters` is how many of them vote; `here` the row of the move on view."""
        self.image.set_data(np.ma.masked_equal(image.reshape(8, 8), 0))  # white is clear, so that the grid can be seen
        tiles = np.zeros((8, 44))
        for tile, each in enumerate(nearest):
            tiles[:, 9 * tile : 9 * tile + 8] = each.reshape(8, 8)
        self.nearest.set_data(np.ma.masked_equal(tiles, 0))
        for text, words in zip(self.labels, labels):
            text.set_text(words)
        self.voters.set_data([-0.5, 9 * voters - 1.5], [10.4, 10.4])
        self.verdict.set_text(verdict)
        for row, (bar, number, count) in enumerate(zip(self.bars, self.numbers, wrong)):
            bar.set(width=count, hatch="//" if row == here else "")
            number.set(x=count + 5, text=str(count))
        self.pen.set_data([pen[1]], [pen[0]])


class WhichColumns(Picture):
    """The leave-one-out error of a table: with all columns, without each of them, and with each counted ten times."""

    def __init__(self, axes, most):
        theme.dress(
            axes,
            xlim=(0, 1.3),
            ylim=(most + 0.6, -0.7),
            yticks=[],
            xticks=[0, 0.25, 0.5, 0.75, 1],
            xlabel=("leave-one-out error", {"labelpad": 2}),
        )
        look = {"edgecolor": theme.BLACK, **MOVING}
        self.bars = [axes.barh([row], [0], 0.56, color=theme.SKY, **look)[0] for row in range(most + 1)]
        text = {"va": "center", "fontsize": theme.SMALL, **MOVING}
        self.names = [axes.text(-0.012, row, "", ha="right", **text) for row in range(most + 1)]
        self.numbers = [axes.text(1.05, row, "", **text) for row in range(most + 1)]
        diamond = {"marker": "D", "markersize": 9, "linestyle": "", "color": theme.VERMILLION, "zorder": 3}
        self.tenfold = axes.plot([], [], label="this column counted ten times", **diamond, **MOVING)[0]
        self.all = axes.plot([], [], ":", color=theme.BLACK, linewidth=2, label="all columns", **MOVING)[0]
        axes.legend(loc="lower left", ncols=2, columnspacing=1.4, handletextpad=0.5, bbox_to_anchor=(-0.02, 0.99))

    def show(self, names, errors, words, tenfold):
        """Bars from the top: all columns, then without each; `tenfold` are the errors with each counted ten times."""
        for row, (bar, name, number) in enumerate(zip(self.bars, self.names, self.numbers)):
            seen = row < len(errors)
            for artist in (bar, name, number):
                artist.set_visible(seen)
            if seen:
                bar.set_width(errors[row])
                name.set_text(names[row])
                number.set_text(words[row])
        self.tenfold.set_data(tenfold, range(1, len(tenfold) + 1))
        self.all.set_data([errors[0], errors[0]], [-0.5, len(errors) - 0.5])
