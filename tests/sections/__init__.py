"""One module a section: `holds_<figure>` tells what must be true of a live figure in every state, SETTINGS gives values
for controls that have no range of their own, NUMBERS and WRONG_NUMBERS compute what 01.toml and its like only type."""

import importlib
from pathlib import Path

MODULES = [
    importlib.import_module(f"{__name__}.{path.stem}") for path in sorted(Path(__file__).parent.glob("section_*.py"))
]


def gather(name):
    """A mapping that every section may have, as one."""
    return {key: value for module in MODULES for key, value in getattr(module, name, {}).items()}
