"""A picture as a scene: named marks with numbers and roles instead of pixels and colours.

A mark is [name, kind, numbers, style]. Numbers are whole tenths of a pixel at 100 dpi, y down; None starts a new piece.

    line    x, y, x, y, …                     stroked
    area    x, y, x, y, …                     filled and closed, perhaps with an edge
    points  x, y of point 0, of point 1, …    style: "looks", and "of" as runs [look, count, look, count, …]
    wedges  x, y, start, end of each one      of a disc of style "size"; thousandths of a turn, from the top clockwise
    text    x, y, width of each line          style: "words", "size", "bold", "halo"; x, y is where the baseline begins
    image   left, top, right, bottom          style: "roles", and "rows", one letter a cell, the first row at the top

Styles hold role names, never colours. Every update is a difference from the opening scene, so that updates may be merged or
lost: a page needs the opening scene and the last update, nothing else.
"""

import numpy as np

UNIT = 10
MOVES = (
    "when grow swap alpha z clip".split()
)  # words that every kind of mark may send; those of motion are told in README.md
SENT = {
    "line": "color width dash".split() + MOVES,
    "area": "color edge width fill click grab along spot".split() + MOVES,
    "points": "looks lag via click grab along".split() + MOVES,
    "wedges": "color size".split() + MOVES,
    "text": "color size bold italic halo".split() + MOVES,
    "image": "roles".split() + MOVES,
}


def tenths(*pieces):
    """The numbers of polylines given in pixels; a place that is not a number ends a piece."""
    numbers = []
    for piece in pieces:
        if numbers:
            numbers.append(None)
        whole = np.rint(piece * UNIT)
        if np.isfinite(whole).all():
            numbers += whole.astype(int).ravel().tolist()
            continue
        for x, y in whole.tolist():
            there = np.isfinite(x) and np.isfinite(y)
            numbers += [int(x), int(y)] if there else [None] if numbers and numbers[-1] is not None else []
    return numbers


def difference(opening, now):
    """What changed, as marks: whole, or with {start: numbers} for the numbers that differ; [name, None] for one that is gone.

    Points in a row, at equal distances, are sent as [count, dx, dy] behind the first.
    """
    before, after = {mark[0]: mark for mark in opening}, {mark[0] for mark in now}
    changed = [[mark[0], None] for mark in opening if mark[0] not in after]
    for mark in now:
        name, kind, numbers, style = mark
        old = before.get(name)
        if old is mark or old == mark:
            continue
        short = _rows if kind == "points" else list
        if old and old[1] == kind and len(old[2]) == len(numbers):
            patch, style = _patch(old[2], numbers), None if old[3] == style else style
            if sum(len(run) + 2 for run in patch.values()) < len(numbers):
                changed.append([name, kind, {start: short(run) for start, run in patch.items()}, style])
                continue
        changed.append([name, kind, short(numbers), style])
    return changed


def _rows(numbers, least=3):
    """x, y, x, y, …, but [count, dx, dy] for `least` places or more that follow one another at equal distances."""
    sent, k = numbers[:2], 2
    while k < len(numbers):
        end = k
        while end + 1 < len(numbers) and all(
            numbers[end + i] - numbers[end + i - 2] == numbers[k + i] - numbers[k + i - 2] for i in (0, 1)
        ):
            end += 2
        if end - k >= 2 * least:
            sent.append([(end - k) // 2, numbers[k] - numbers[k - 2], numbers[k + 1] - numbers[k - 1]])
            k = end
        else:
            sent.append(numbers[k])
            k += 1
    return sent


def _patch(old, new, gap=3):
    """{start: numbers}: runs of numbers that differ; runs with less than `gap` between them are one."""
    found = []
    for k, (a, b) in enumerate(zip(old, new, strict=True)):
        if a == b:
            continue
        if found and k - found[-1][1] <= gap:
            found[-1][1] = k
        else:
            found.append([k, k])
    return {str(first): new[first : last + 1] for first, last in found}


def runs(values):
    """[value, count, value, count, …]"""
    values = np.asarray(values)
    starts = np.flatnonzero(np.r_[True, values[1:] != values[:-1]]) if len(values) else np.array([], int)
    return np.column_stack([values[starts], np.diff(np.r_[starts, len(values)])]).ravel().astype(int).tolist()


def unrolled(runs):
    return np.repeat(runs[::2], runs[1::2]).astype(int)
