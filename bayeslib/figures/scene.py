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
    """What changed, as marks: whole, or with {start: numbers} for the numbers that differ; [name, None] for one that is gone."""
    before, after = {mark[0]: mark for mark in opening}, {mark[0] for mark in now}
    changed = [[mark[0], None] for mark in opening if mark[0] not in after]
    for mark in now:
        name, kind, numbers, style = mark
        old = before.get(name)
        if old is mark or old == mark:
            continue
        if old and old[1] == kind and len(old[2]) == len(numbers):
            patch = _patch(old[2], numbers)
            short = sum(len(run) + 2 for run in patch.values()) < len(numbers)
            mark = [name, kind, patch if short else numbers, None if old[3] == style else style]
        changed.append(mark)
    return changed


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
