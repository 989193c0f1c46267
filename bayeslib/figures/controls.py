"""What a reader moves: the widgets of the course, and the values that each of them can take."""

import re
from decimal import Decimal

import ipywidgets
import traitlets

from bayeslib.figures import user_data

SLIDERS = ipywidgets.IntSlider, ipywidgets.FloatSlider, ipywidgets.SelectionSlider
STYLE = {"style": {"description_width": "11.5em"}, "layout": {"width": "97%"}}


def slider(description, low, high, value, step=1, unit=None):
    """A slider in the units of the lesson: over whole numbers, or over floats with as many decimals as the step has.

    unit  what a screen reader says after the number; by default taken from a description such as "height, cm"
    """
    kind = ipywidgets.IntSlider if isinstance(step, int) else ipywidgets.FloatSlider
    decimals = -Decimal(str(step)).as_tuple().exponent
    options = {} if isinstance(step, int) else {"readout_format": f".{decimals}f"}
    control = kind(value=value, min=low, max=high, step=step, description=description, **options, **STYLE)
    control.unit = unit
    return control


def choice(description, options, value):
    """One of a few named options, all visible."""
    style = {"description_width": "auto", "button_width": "auto"}
    return ipywidgets.ToggleButtons(options=options, value=value, description=description, style=style)


def menu(description, options, value):
    """One of many options, in a list that opens."""
    return ipywidgets.Dropdown(options=options, value=value, description=description, **STYLE)


def stops(description, options, value):
    """A slider over chosen values, such as those of a logarithmic scale."""
    return ipywidgets.SelectionSlider(options=options, value=value, description=description, **STYLE)


def box(description, value, lines=1, file=False):
    """A text that the reader types or pastes; with `file` it can also be read from a file.

    A figure reads its text with `bayeslib.figures.user_data`; what cannot be read is a ValueError, which the caption says in words.
    """
    kind = ipywidgets.Text if lines == 1 else ipywidgets.Textarea
    options = {} if lines == 1 else {"rows": lines}
    text = kind(value=value, description=description, continuous_update=False, **options, **STYLE)
    text.file = (
        ipywidgets.FileUpload(description="from a file", accept=".csv,.tsv,.txt", multiple=False) if file else None
    )
    if file:
        text.file.observe(lambda change: setattr(text, "value", user_data.decoded(change["new"])), "value")
    return text


class State(traitlets.HasTraits):
    """A control without a widget: what the reader changes by dragging in the picture, for example the positions of points."""

    value = traitlets.Any()


def values_of(control, most=None):
    """The values that a control can take, in order; at most `most` of them, spread evenly from end to end.

    A text and a `State` can take any value, so there are none to list.
    """
    if hasattr(control, "options"):
        values = [value for _, value in options_of(control)]
    elif hasattr(control, "step"):
        count, kind = round((control.max - control.min) / control.step), type(control.value)
        values = [kind(round(control.min + k * control.step, 6)) for k in range(count + 1)]
    else:
        values = []
    if most is None or len(values) <= most:
        return values
    return [values[round(k * (len(values) - 1) / (most - 1))] for k in range(most)]


def options_of(control):
    """(label, value) of each option; a widget takes pairs or plain values."""
    pairs = all(isinstance(option, (tuple, list)) and len(option) == 2 for option in control.options)
    return list(control.options) if pairs else [(str(option), option) for option in control.options]


def trait_of(control):
    """Which trait of a widget the page changes: the number of an option, or the value itself."""
    return "index" if control.has_trait("index") else "value"


def unit_of(control):
    """The unit of a slider's numbers: as given, or from the end of the description; "" if there is none."""
    given = getattr(control, "unit", None)
    match = re.search(r"(?:, | in |\()(%|percent|cm|kg)\)?$|\b(per 1000|of 100)\b", control.description)
    return given if given is not None else (match[1] or match[2]).replace("%", "percent") if match else ""
