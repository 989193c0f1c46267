"""The examples that a reader copies, run: README's code with the values that it states, and the docstrings of the package."""

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import bayeslib

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
MODULES = [each.name for each in pkgutil.walk_packages(bayeslib.__path__, "bayeslib.")]


def test_the_code_in_the_readme_runs_and_its_values_come_out():
    names, stated = {}, 0
    for block in re.findall(r"^```python\n(.*?)^```", README, re.M | re.S):
        lines = block.splitlines()
        for statement in ast.parse(block).body:
            source, told = (
                ast.get_source_segment(block, statement),
                lines[statement.end_lineno - 1].partition("  # ")[2],
            )
            if not re.match(r"-?\d", told):
                exec(source, names)
                continue
            digits, cut = re.match(r"(-?[\d.]*\d)(…?)", told).groups()
            decimals, value = len(digits.partition(".")[2]), eval(source, names)
            written = f"{value:.{decimals + 6}f}"[: len(digits)] if cut else f"{value:.{decimals}f}"
            assert written == digits, f"{source} is {value}, README says {told}"
            stated += 1
    assert stated >= 3


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_give_what_they_say(name):
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert not doctest.testmod(importlib.import_module(name), optionflags=flags).failed


@pytest.mark.parametrize("name", [name for name in MODULES if re.match(r"bayeslib\.(models|data)\b(?!.*\._)", name)])
def test_every_public_function_and_class_of_the_models_has_an_example(name):
    package, _, own = name.rpartition(".")
    offered = getattr(importlib.import_module(package), "__all__", None)  # of a package's modules, only what it offers
    for key, each in vars(importlib.import_module(name)).items():
        record = inspect.isclass(each) and (
            issubclass(each, (tuple, Exception)) or hasattr(each, "__dataclass_fields__")
        )
        mine = callable(each) and getattr(each, "__module__", None) == name and key[0] != "_"
        if not mine or record or offered is not None and not {own, key} & {*offered}:
            continue
        parts = [each, *(part for part in vars(each).values() if inspect.isfunction(part))]
        assert any(">>>" in (inspect.getdoc(part) or "") for part in parts), key
