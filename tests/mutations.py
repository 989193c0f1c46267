"""Wrong pictures on purpose: what a figure draws is changed, and the figure's own invariant must notice.

A mutation spoils what is drawn in the present state and gives back how to mend it, or None where there is nothing to spoil. Only
artists that move are spoiled; what is the same in every state was looked at once.
"""

from itertools import combinations
from random import Random

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from tests.figures import EXPLAINED, moving
from tests.sections import ranges


def _texts(figure):
    return [text for text in moving(figure, Text) if text.get_text()]


def _lines(figure):
    return [line for line in moving(figure, Line2D) if len(line.get_xdata())]


def _bars(figure):
    return [bar for bar in moving(figure, Rectangle) if bar is not bar.axes.patch]


def _data(line):
    return np.array(line.get_data(orig=False), dtype=float)


def _place(line, data):
    line.set_data(*data)


def _size(bar):
    return np.array([bar.get_width(), bar.get_height()])


def _resize(bar, size):
    bar.set_width(size[0])
    bar.set_height(size[1])


def _change(artists, get, put, change):
    before = [get(artist) for artist in artists]
    after = [change(value) for value in before]
    if all(np.array_equal(old, new, equal_nan=not isinstance(old, str)) for old, new in zip(before, after)):
        return None
    for artist, value in zip(artists, after):
        put(artist, value)
    return lambda: [put(artist, value) for artist, value in zip(artists, before)]


def _swap(pairs, get, put, random):
    """Exchange what two artists show, if there are two that show something different."""
    pairs = [pair for pair in pairs if not np.array_equal(*map(get, pair))]
    if not pairs:
        return None
    one, other = random.choice(pairs)
    first, second = get(one), get(other)
    put(one, second)
    put(other, first)
    return lambda: (put(one, first), put(other, second))


def digits(figure, random):
    """Every digit written in the picture is one higher, 9 is 0."""
    shift = str.maketrans("0123456789", "1234567890")
    return _change(_texts(figure), Text.get_text, Text.set_text, lambda said: said.translate(shift))


def lines(figure, random):
    """Every line is a tenth and a little too high."""
    return _change(_lines(figure), _data, _place, lambda data: data * [[1], [1.1]] + [[0], [0.01]])


def bars(figure, random):
    """Every bar is a tenth too wide and too high."""
    return _change(_bars(figure), _size, _resize, lambda size: size * 1.1)


def labels(figure, random):
    """Two texts, at least one of them with a number, have changed places."""
    pairs = [(a, b) for a, b in combinations(_texts(figure), 2) if any(map(str.isdigit, a.get_text() + b.get_text()))]
    return _swap(pairs, Text.get_text, Text.set_text, random)


def series(figure, random):
    """Two lines of one panel have changed places, or two bars where there are no two lines."""
    for artists, get, put in ((_lines(figure), _data, _place), (_bars(figure), _size, _resize)):
        mend = _swap([pair for pair in combinations(artists, 2) if pair[0].axes is pair[1].axes], get, put, random)
        if mend:
            return mend


MUTATIONS = [digits, lines, bars, labels, series]


def states(name, figure):
    """The figure in every preset and over four values of each control."""
    for label in figure.presets:
        figure.preset(label)
        yield
    for label, values in ranges(name, figure, 4).items():
        for value in values[:: max(1, len(values) // 4)]:
            figure.controls[label].value = value
            yield
        figure.preset("reset")


def notice(name, figure, holds):
    """Mutation → (in how many states it spoiled something, in how many of these `holds` failed)."""
    counts = {mutation.__name__: [0, 0] for mutation in MUTATIONS}
    for number, _ in enumerate(states(name, figure)):
        if figure.alt.startswith(EXPLAINED):
            continue
        for mutation in MUTATIONS:
            mend = mutation(figure, Random(number))
            if mend is None:
                continue
            counts[mutation.__name__][0] += 1
            try:
                holds(figure)
            except Exception:  # a picture so wrong that the invariant cannot even read it
                counts[mutation.__name__][1] += 1
            finally:
                mend()
            holds(figure)
    return counts
