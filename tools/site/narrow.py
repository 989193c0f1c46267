"""How each figure is laid out where the page is narrow, as on a phone: figure by figure, by the name of its function.

Most are cut: the picture is drawn as usual, and pieces of it are stacked. A single wide panel is drawn again on a narrower
figure, its axes as far from the edges as before. Numbers are pixels of the picture, from the left and the top.
"""

from contextlib import contextmanager, nullcontext
from functools import partial

import numpy as np
from matplotlib.legend import Legend
from matplotlib.transforms import Affine2D

from bayeslib.figures.scene import UNIT
from bayeslib.plots import theme

UPPER = {1, 2, 9}  # matplotlib's location codes for a legend that hangs from its anchor
LINE = 25  # pixels from one row of a legend to the next
PHONE, LARGEST = 358, 0.7  # pixels that a phone has for a figure; more would make a piece's print shout


class Rows:
    """Pieces below each other.

    rows  each a piece, or a list of pieces side by side at their own heights; a piece is (left, right) or (left, right,
          top, bottom)
    """

    def __init__(self, *rows):
        self.rows = rows

    def pieces(self, height):
        """Rows of pieces as the page has them: [left, top, right, bottom]."""
        rows = ([row] if isinstance(row, tuple) else row for row in self.rows)
        full = lambda left, right, top=0, bottom=height: [left, top, right, bottom]  # noqa: E731
        return [[full(*piece) for piece in row] for row in rows]

    def __call__(self, figure):
        """Laid out as usual."""
        return nullcontext()

    def scene(self, figure):
        """(size, boxes, marks): every row as large as it may be."""
        marks, end, stacked = figure.canvas.marks(self), 0, []
        for row in self.pieces(figure.view.height):
            wide, first = sum(right - left for left, _, right, _ in row), min(top for _, top, _, _ in row)
            scale = min(PHONE / wide, LARGEST)
            x, y = (PHONE - wide * scale) / 2, end
            for left, top, right, bottom in row:
                stacked += _piece(
                    marks, (left, top, right, bottom), scale, (x - left * scale, y - first * scale), len(stacked)
                )
                x += (right - left) * scale
                end = max(end, y + (bottom - first) * scale)
        return (PHONE, round(end)), [], stacked


def _piece(marks, box, scale, by, number):
    """The marks of a piece of the picture at its place, larger or smaller, without what is outside of it."""
    left, top, right, bottom = box
    place = [left * scale + by[0], top * scale + by[1], (right - left) * scale, (bottom - top) * scale]
    found = []
    for name, kind, numbers, style in marks:
        away = 20 + style.get("size", 0) * (10 if kind == "text" else 0)
        each = np.array([np.nan if value is None else value for value in numbers], float)
        every, gaps = 3 if kind == "text" else 2, np.isnan(each)
        xy = each.reshape(-1, 3)[:, :2] if every == 3 else np.insert(each, np.flatnonzero(gaps), np.nan).reshape(-1, 2)
        xy = xy[np.isfinite(xy).all(axis=1)] / UNIT
        width = each.reshape(-1, 3)[:, 2].max() / UNIT if every == 3 else 0
        if (
            not len(xy)
            or (xy.min(axis=0) > (right + away, bottom + away)).any()
            or (xy.max(axis=0) + (width, 0) < (left - away, top - away)).any()
        ):
            continue
        clip = style.get("clip", [left, top, right - left, bottom - top])
        clip = [clip[0] * scale + by[0], clip[1] * scale + by[1], clip[2] * scale, clip[3] * scale]
        low, high = (
            np.maximum(clip[:2], place[:2]),
            np.minimum(np.add(clip[:2], clip[2:]), np.add(place[:2], place[2:])),
        )
        if (high <= low).any():
            continue
        found.append(
            [
                f"{number}:{name}",
                kind,
                _moved(numbers, every, scale, by),
                {**_scaled(style, scale, by), "clip": [*np.r_[low, high - low].round(1).tolist()]},
            ]
        )
    return found


def _moved(numbers, every, scale, by):
    """Numbers of a mark on a page of another scale; a place that ends a piece starts the count anew."""
    moved, at = [], 0
    for value in numbers:
        moved.append(None if value is None else round(value * scale + (by[at] * UNIT if at < 2 else 0)))
        at = 0 if value is None else (at + 1) % every
    return moved


def _scaled(style, scale, by):
    look = {**style}
    for word in ("width", "size"):
        if word in style:
            look[word] = round(style[word] * scale, 2)
    if "dash" in style:
        look["dash"] = [round(each * scale, 2) for each in style["dash"]]
    if "looks" in style:
        look["looks"] = [_scaled(each, scale, by) for each in style["looks"]]
    if "hatch" in style:
        look["hatch"] = _moved(style["hatch"], 2, scale, by)
        look["hatched"] = [style["hatched"][0], round(style["hatched"][1] * scale, 2)]
    return look


class Redrawn(Rows):
    """Drawn again on a figure of this width.

    left     of the piece that is shown
    above    more room at the top
    lifted   how many axes, from the first on, make room for a line of the legend below them
    columns  of a legend at most; what does not fit in its row goes above
    raised   how far up legends move besides
    spread   how far up texts move that would run into each other
    """

    def __init__(self, width, left=0, above=0, lifted=0, columns=9, raised=0, spread=0):
        super().__init__((left, width))
        self.width, self.above, self.lifted = width, above, lifted
        self.columns, self.raised, self.spread = columns, raised, spread

    def pieces(self, height):
        return super().pieces(height + self.above)

    @contextmanager
    def __call__(self, figure):
        """Lay the figure out this way while it is drawn."""
        old_size = figure.get_size_inches() * theme.DPI
        undo = [partial(figure.set_size_inches, old_size / theme.DPI)]
        size = np.array([self.width, old_size[1] + self.above])
        figure.set_size_inches(size / theme.DPI)
        for number, axes in enumerate(figure.axes):
            box = axes.get_position(original=True)
            undo.append(partial(axes.set_position, box))
            (left, low), (right, high) = box.min * old_size, box.max * old_size
            right, up = right + self.width - old_size[0], LINE if number < self.lifted else 0
            axes.set_position([*([left, low + up] / size), *([right - left, high - low] / size)])
            undo += self._label(axes.yaxis, box.width * old_size[0] / (right - left))
        undo += [step for legend in figure.findobj(Legend) for step in self._legend(legend)]
        undo += [step for axes in figure.axes for step in self._texts(axes)]
        try:
            yield
        finally:
            for step in undo:
                step()

    def _label(self, axis, ratio):
        """Keep a label placed at a fixed fraction of the axes' width as far away as it was; yields how to undo it."""
        if not axis._autolabelpos:
            x, label = axis.label.get_position()[0], axis.label
            label.set_x(x * ratio)
            yield partial(label.set_x, x)

    def _legend(self, legend):
        """Put a legend into fewer columns, and higher; yields how to undo it."""
        box = legend._legend_handle_box
        columns, anchor, up = box._children, legend._bbox_to_anchor, self.raised
        if len(columns) > self.columns:
            kept = [(column, column._children) for column in columns]
            items = [item for _, children in kept for item in children]
            for column, numbers in zip(columns, np.array_split(np.arange(len(items)), self.columns)):
                column._children = [items[at] for at in numbers]
            box._children = columns[: self.columns]
            yield partial(setattr, box, "_children", columns)
            yield from (partial(setattr, column, "_children", children) for column, children in kept)
            up += LINE * (len(columns[0]._children) - len(kept[0][1])) if legend._loc in UPPER else 0
        if up:
            legend._bbox_to_anchor = legend.get_bbox_to_anchor().frozen().translated(0, up)
            yield partial(setattr, legend, "_bbox_to_anchor", anchor)

    def _texts(self, axes):
        """Keep texts on the figure and, if asked to, apart; yields how to undo it."""
        taken = []
        for text in (each for each in axes.texts if each.get_visible() and each.get_text()):
            box = text.get_window_extent()
            across, up = min(self.width - 2 - box.x1, 0), 0
            while self.spread and any(box.translated(across, up).padded(-1).overlaps(other) for other in taken):
                up += self.spread
            taken.append(box.translated(across, up))
            if across or up:
                transform = text.get_transform()
                text.set_transform(transform + Affine2D().translate(across, up))
                yield partial(text.set_transform, transform)


def cut(*places, left=0, right=900):
    """Pieces between these places."""
    edges = left, *places, right
    return Rows(*zip(edges, edges[1:]))


LAYOUTS = {
    # 02
    "version_space": Rows(
        (0, 740, 0, 76),
        (0, 690, 95, 384),
        [(0, 94, 76, 384), (690, 850, 76, 384)],
        (0, 455, 384, 410),
        (455, 790, 384, 410),
    ),
    "lattice": Redrawn(700, above=25, raised=25, spread=-20),
    "queries": Rows((0, 540, 0, 386), (0, 660, 386, 410), (540, 900, 0, 386)),
    "zoo": cut(600),
    "own_rule": cut(600),
    # 03
    "coin_likelihood": Redrawn(660, above=25, raised=25),
    "measured_length": Redrawn(690),
    "line_fit": Rows((60, 660, 0, 38), (0, 560, 38, 390), (560, 900, 40, 390)),
    "noise_knob": Rows((40, 605, 0, 39), (0, 545, 39, 390), [(545, 610, 45, 390), (610, 900)]),
    "mean_prior": Redrawn(660, above=25, columns=3),
    "slope_prior": cut(525),
    "message_length": Redrawn(700),
    "degree_bits": cut(405),
    "three_uses": cut(370),
    "flat_prior": Rows((40, 457, 0, 42), (457, 860, 0, 42), (0, 459, 42, 390), (459, 900, 42, 390)),
    "heights": cut(535),
    "heights_degrees": cut(405),
    # 04
    "weighted_vote": cut(553),
    "three_clerks": cut(663),
    "shrinking_gap": Redrawn(690),
    "costly_errors": cut(645),
    "one_number": Redrawn(690, above=50, lifted=1, columns=2, spread=18),
    "who_survived": cut(459),
    "forecasters": cut(372),
    # 05
    "count_days": cut(560),
    "day_factors": Rows((5, 676), [(5, 255, 0, 330), (676, 870, 0, 330)]),
    "closed_world": Rows((0, 520), [(0, 104, 30, 285), (535, 900)]),
    "overclaim": Rows([(0, 592), (592, 625, 0, 45)], [(592, 650, 45, 390), (650, 900)]),
    "underflow": cut(600),
    "gaussian_attribute": Redrawn(690),
    "whose_line": Rows((20, 708), [(20, 147, 0, 375), (708, 830, 0, 375)]),
    "poet_calibration": Rows((10, 680), (680, 900, 0, 180)),
    # 06
    "virtual_balls": Redrawn(660),
    "smoothed_days": cut(622),
    "beta_flips": cut(614),
    "smoothing_error": Redrawn(660, above=25, columns=2),
    "batting": Rows([(0, 557), (557, 595, 0, 40)], [(557, 610, 40, 390), (610, 900)]),
    "own_rates": cut(550),
    "two_sellers": Redrawn(660, above=25, columns=2),
    # 07
    "observe": cut(left=110, right=790),
    "network_size": Redrawn(700),
    "joint_cells": cut(540),
    "cross_ratio": Rows([(0, 650), (650, 668, 300, 390)], (650, 900, 0, 255)),
    "d_separation": Rows((0, 514), (514, 900, 0, 220)),
    "build_order": cut(left=110, right=790),
    "strata": Redrawn(700),
    # 08
    "explaining_away": cut(350),
    "two_causes": cut(365),
    "elimination": cut(312),
    "sampling": Rows(
        (0, 355, 0, 40),
        (355, 700, 0, 40),
        (0, 345, 40, 390),
        [(0, 76, 40, 339), (350, 615, 40, 390)],
        [(0, 76, 40, 339), (625, 900, 40, 390)],
    ),
    "heart": cut(457),
    # 09
    "rows_arrive": cut(262),
    "family_bars": cut(312),
    "fit_and_price": cut(528),
    "graph_wall": cut(612),
    "climb_graph": Rows([(0, 278), (648, 900)], (278, 648)),
    "hearts": cut(476),
    # 11
    "split_rows": Rows([(0, 437), (437, 485, 360, 390)], [(437, 500, 0, 358), (500, 900)]),
    "slip_fraction": cut(566),
    "expected_climb": cut(543),
    "why_missing": cut(470),
    "never_seen": cut(420),
    "two_climbs": cut(470),
    "whose_age": cut(514),
    "your_gaps": cut(548),
    # 13
    "hidden_chain": cut(480),
    "umbrella_filter": cut(480),
    "umbrella_smooth": Redrawn(720, left=12),
    "trellis": cut(575),
    "streak": Redrawn(690, above=25, columns=2),
    "baum_welch": cut(475),
    "own_rolls": cut(635),
    "letter_states": Rows(
        (0, 630, 0, 272),
        (630, 900, 0, 272),
        (75, 740, 272, 297),
        (0, 495, 297, 390),
        [(0, 84, 297, 390), (495, 900, 297, 390)],
    ),
    # 14
    "drag_cells": cut(642),
    "k_regions": cut(356),
    "coin_limit": cut(424),
    "height_unit": cut(563),
    "useless_columns": cut(436),
    "which_columns": Rows([(55, 700), (700, 748, 330, 390)], [(55, 196, 45, 330), (700, 890, 45, 330)]),
    "search_tree": cut(642),
    "mean_of_neighbours": Redrawn(660, above=25, columns=2),
    "read_digit": cut(360),
    # 15
    "distance_weights": cut(558),
    "edge": Redrawn(660, above=25, columns=3),
    "local_query": Redrawn(690),
    "bias_variance": cut(422),
    "bandwidth_errors": cut(412),
    "kernel_shapes": cut(415),
    "gap": cut(530),
    "rbf_bumps": cut(560),
    "case_based": Rows([(22, 706), (706, 724, 0, 38)], (708, 900, 38, 420)),
    "helmet": cut(614),
    "own_curve": Rows([(0, 590), (590, 640, 0, 40)], [(590, 650, 40, 390), (650, 900)]),
    # 16
    "bootstrap_bag": cut(475),
    "bagging_votes": Rows((0, 490, 0, 388), (490, 900, 0, 388), (40, 480, 388, 430), (480, 885, 388, 430)),
    "boost_rounds": Rows(
        [(0, 347, 0, 379), (347, 358, 358, 379)],
        [(347, 358, 0, 358), (358, 699, 0, 379), (699, 703, 358, 379)],
        (699, 900, 0, 379),
        (0, 690, 379, 410),
    ),
    "boost_bound": cut(547),
    "one_liar": Rows([(0, 395), (395, 455, 395, 430)], [(395, 455, 0, 395), (455, 900)]),
    "biopsies": cut(447),
    "second_look": Rows((60, 615, 0, 386), (615, 900, 0, 386), (80, 578, 386, 420), (578, 840, 386, 420)),
    "map_regions": Rows((0, 450, 0, 392), (450, 900, 0, 392), (110, 555, 392, 430), (555, 800, 392, 430)),
    "three_votes": Rows((0, 300, 0, 352), (300, 600, 0, 352), (600, 900, 0, 352), (190, 720, 352, 390)),
}
