"""One module a section: `holds_<figure>` tells what must be true of a live figure in every state, SETTINGS gives values
for controls that have no range of their own, NUMBERS and WRONG_NUMBERS compute what 01.toml and its like only type."""

import importlib
from pathlib import Path

import ipywidgets
import numpy as np

MODULES = [
    importlib.import_module(f"{__name__}.{path.stem}") for path in sorted(Path(__file__).parent.glob("section_*.py"))
]


def gather(name):
    """A mapping that every section may have, as one."""
    return {key: value for module in MODULES for key, value in getattr(module, name, {}).items()}


def settings(control, most=15):
    """Values across a control's range, extremes included."""
    if isinstance(control, (ipywidgets.IntSlider, ipywidgets.FloatSlider)):
        steps = round((control.max - control.min) / control.step)
        values = [control.min + control.step * k for k in np.unique(np.linspace(0, steps, most).round())]
        return [type(control.value)(value) for value in values]
    return [value for _, value in control._options_full]


def ranges(name, figure, most=15):
    """For every control of a figure the values to try: those that its section gives, or its own range."""
    given = gather("SETTINGS").get(name, {})
    return {label: given.get(label) or settings(control, most) for label, control in figure.controls.items()}
