"""Bayesian learning, section by section: models (here), pictures (`bayeslib.plots`), live figures (`bayeslib.live`).

A name is loaded when it is first asked for, so that `import bayeslib` costs next to nothing.
"""

from importlib import import_module

from bayeslib.sections import SECTIONS

__version__ = "0.2.0.dev0"
# name -> the module that holds it
_HOMES = {name: module for each in SECTIONS for module, names in each.models.items() for name in names}
_MODULES = sorted({"data", *(module.partition(".")[0] for each in SECTIONS for module in each.models)})
_FLOORS = ["live", "plots", "practice"]
__all__ = [*_HOMES, *_MODULES]


def __getattr__(name):
    if name in _MODULES or name in _FLOORS:
        return import_module(f"bayeslib.{name}")
    if name in _HOMES:
        return getattr(import_module(f"bayeslib.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'bayeslib' has no attribute {name!r}")


def __dir__():
    return [*__all__, *_FLOORS]
