"""The examples that a reader copies, run: README's code with the values that it states, and the docstrings of the models."""

import ast
import doctest
import importlib
import inspect
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "bayeslib"
# Where the models live: the package's own modules, and three packages in it.
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for folder in ("", "concepts", "data", "networks")
    for path in sorted((PACKAGE / folder).glob("*.py"))
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(name):
    """The blocks of Python code on a page."""
    return re.findall(r"^```python\n(.*?)^```", (ROOT / name).read_text(encoding="utf-8"), re.M | re.S)


def stated(line):
    """The number that a comment at the end of a line states, as written; None if it states none."""
    found = re.search(r"  # (-?\d[\d.]*\d|\d)(…?)(?=[\s,;]|$)", line)
    return found and (found[1], bool(found[2]))


def run(code, names):
    """Run a block statement by statement; yields each stated number with the value that came."""
    lines = code.splitlines()
    for statement in ast.parse(code).body:
        source = ast.get_source_segment(code, statement)
        told = stated(lines[statement.end_lineno - 1])
        if isinstance(statement, ast.Expr):
            value = eval(source, names)
            if told:
                yield source, told, value
        else:
            assert not told, f"{source}: a value is stated where none comes"
            exec(source, names)


def agrees(told, value):
    """Whether a number is the one that was written: its first digits before "…", else rounded to as many."""
    text, cut = told
    digits = len(text.partition(".")[2])
    return f"{value:.{digits + 6}f}".startswith(text) if cut else f"{value:.{digits}f}" == text


def test_the_code_in_the_readme_runs_and_its_values_come_out():
    names, checked = {}, 0
    for code in blocks("README.md"):
        for source, told, value in run(code, names):
            assert agrees(told, value), f"{source} is {value}, README says {told[0]}"
            checked += 1
    assert checked >= 3


@pytest.mark.parametrize("line", ["1 / 3  # 0.34", "1 / 3  # 0.334…", "2 / 3  # 0.66", "7  # 8, of all"])
def test_the_readme_test_sees_a_wrong_value(line):
    ((_, told, value),) = run(line, {})
    assert not agrees(told, value)


@pytest.mark.parametrize("line", ["1 / 3  # 0.33", "2 / 3  # 0.666…, or so", "2 / 3  # 0.67", "7  # 7", "'x'  # a 7"])
def test_the_readme_test_lets_a_right_value_pass(line):
    assert all(agrees(told, value) for _, told, value in run(line, {}))


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_give_what_they_say(name):
    ran = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert not ran.failed
    assert ran.attempted or not public(name)


def public(name):
    """What a module of the models offers and defines itself: functions, and classes that do something."""
    if any(part.startswith("_") for part in name.split(".")):
        return {}
    module = importlib.import_module(name)
    package, _, own = name.rpartition(".")
    offered = importlib.import_module(package) if package else module
    if package in ("", "bayeslib") or own in offered.__all__:
        offered = module
    found = {
        key: each
        for key, each in vars(module).items()
        if callable(each) and not key.startswith("_") and hasattr(offered, key)
    }
    return {
        key: each
        for key, each in found.items()
        if (inspect.isfunction(inspect.unwrap(each)) or inspect.isclass(each))
        and each.__module__ == name
        and not is_record(each)
    }


def is_record(each):
    """A named tuple, a dataclass or an exception: it comes out of a function, and is seen in that one's example."""
    return inspect.isclass(each) and (
        issubclass(each, (tuple, Exception)) or hasattr(each, "__dataclass_fields__") or not has_methods(each)
    )


def has_methods(each):
    return any(inspect.isfunction(part) for key, part in vars(each).items() if not key.startswith("__"))


def has_example(each):
    """Whether its docstring, or that of a method, shows how it is used."""
    parts = (
        [each, *(part for part in vars(each).values() if inspect.isfunction(part))] if inspect.isclass(each) else [each]
    )
    return any(">>>" in (inspect.getdoc(part) or "") for part in parts)


def without_example(name):
    return [key for key, each in public(name).items() if not has_example(each)]


@pytest.mark.parametrize("name", MODULES)
def test_every_public_function_and_class_of_the_models_has_an_example(name):
    assert without_example(name) == []
