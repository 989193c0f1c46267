"""One module a section: `holds_<figure>` tells what must be true of a live figure in every state, SETTINGS gives values
for controls that have no range of their own, and `claims_<figure>` checks what its caption says."""

import importlib
from pathlib import Path

from bayeslib.figures.controls import values_of

MODULES = [
    importlib.import_module(f"{__name__}.{path.stem}") for path in sorted(Path(__file__).parent.glob("test_s*.py"))
]


def gather(name):
    """A mapping that every section may have, as one."""
    return {key: value for module in MODULES for key, value in getattr(module, name, {}).items()}


def ranges(name, figure, most=15):
    """For every control of a figure the values to try: those that its section gives, or its own; of a slider's as many as asked for.

    A `State` without values of its own, which presets, clicks and keys set, is left out unless its section gives some.
    """
    given = gather("SETTINGS").get(name, {})
    found = {
        label: given.get(label) or values_of(control, None if hasattr(control, "options") else most)
        for label, control in figure.controls.items()
    }
    return {label: values for label, values in found.items() if values}
