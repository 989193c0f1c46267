"""How keys and the pointer move a control: mappings for `LiveFigure(keys=…)` and functions for `LiveFigure(drag=…)`."""

ACROSS, UP, DOWN = ("ArrowLeft", "ArrowRight"), ("ArrowDown", "ArrowUp"), ("ArrowUp", "ArrowDown")


def two(act, keys=ACROSS):
    """Two keys, back and forward: `act(values, by)` gets −1 or 1."""
    return {key: lambda values, by=by: act(values, by) for key, by in zip(keys, (-1, 1))}


def four(act, keys=(*ACROSS, *UP)):
    """Four keys, left, right, down and up: `act(values, x, y)` gets −1, 0 or 1 in each direction."""
    directions = zip(keys, ((-1, 0), (1, 0), (0, -1), (0, 1)))
    return {key: lambda values, direction=direction: act(values, *direction) for key, direction in directions}


def by(name, step=1, keys=ACROSS):
    """Two keys that move a slider; it stops at its ends by itself."""
    return two(lambda values, sign: {name: round(values[name] + sign * step, 6)}, keys)


def along(name, options, keys=ACROSS):
    """Two keys that go along a control's options, as far as the ends."""
    return two(lambda values, sign: {name: _at(options, options.index(values[name]) + sign)}, keys)


def around(name, options, keys=ACROSS):
    """Two keys that go along a control's options, and wrap around at the ends."""
    return two(lambda values, sign: {name: options[(options.index(values[name]) + sign) % len(options)]}, keys)


def press(act, keys=(" ", "Enter")):
    """Keys that all do the same."""
    return dict.fromkeys(keys, act)


def drag(name, scale=1, digits=None):
    """A drag that moves a slider to the horizontal position, times `scale` and rounded."""
    return lambda values, axes, start, at: {name: round(scale * at[0], digits)}


def _at(options, place):
    return options[min(max(place, 0), len(options) - 1)]
