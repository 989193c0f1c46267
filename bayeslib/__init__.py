"""Bayesian learning, section by section: models (`bayeslib.models`), questions, pictures and live figures (`bayeslib.live`).

This is the front: `bl.posterior`, `bl.networks`, `bl.data`. A name is loaded when it is first used, so that `import bayeslib`
costs next to nothing. A lesson begins with `from bayeslib import check, live`.
"""

from importlib import import_module

from bayeslib.sections import SECTIONS

__version__ = "0.2.0.dev0"
# name -> the module that holds it
_HOMES = {name: module for each in SECTIONS for module, names in each.models.items() for name in names}
_MODELS = sorted({module.partition(".")[0] for each in SECTIONS for module in each.models})
_LAYERS = ["live", "plots", "questions"]
__all__ = [*_HOMES, *_MODELS, "check", "data"]


def __getattr__(name):
    if name in _MODELS:
        return import_module(f"bayeslib.models.{name}")
    if name in _HOMES:
        return getattr(import_module(f"bayeslib.models.{_HOMES[name]}"), name)
    if name in _LAYERS or name == "data":
        return import_module(f"bayeslib.{name}")
    if name == "check":
        return import_module("bayeslib.questions").check
    raise AttributeError(f"module 'bayeslib' has no attribute {name!r}")


def __dir__():
    return [*__all__, *_LAYERS]
