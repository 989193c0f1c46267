"""Claims about the examples in docstrings: every public function and class of the models has one, and all of them are right."""

import doctest
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import bayeslib
from tests.edges import MODULES, public


def parts(module):
    """A module of the models, or all modules of a package of theirs."""
    top = import_module(f"bayeslib.{module}")
    folder = Path(bayeslib.__file__).parent / module
    return [top, *(import_module(f"bayeslib.{module}.{each.stem}") for each in sorted(folder.glob("[a-z]*.py")))]


@pytest.mark.parametrize("module", MODULES)
def test_examples_are_right(module):
    for part in parts(module):
        assert doctest.testmod(part).failed == 0, part.__name__


@pytest.mark.parametrize("module", MODULES)
def test_every_public_function_and_class_has_an_example(module):
    without = [name for name, each in public(import_module(f"bayeslib.{module}")) if ">>>" not in inspect.getdoc(each)]
    assert not without
