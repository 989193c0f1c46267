"""The map from the lectures to the code: every row leads somewhere, and its value holds."""

import ast
import re
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

import nbformat
import pytest

from tools import course_map

ROOT = Path(__file__).parents[1]
ENTRIES = course_map.read()


@cache
def cells(notebook):
    return {cell.id for cell in nbformat.read(ROOT / "notebooks" / f"{notebook}.ipynb", as_version=4).cells}


@cache
def functions(name):
    tree = ast.parse((ROOT / "tests" / name).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def lost(entry):
    """What in an entry points nowhere."""
    try:
        resolve_name(entry["function"])
    except (ImportError, AttributeError):
        yield f"there is no {entry['function']}"
    if entry["cell"] not in cells(entry["notebook"]):
        yield f"{entry['notebook']} has no cell {entry['cell']}"
    file, name = entry["test"].split("::")
    if name not in functions(file):
        yield f"{file} has no {name}"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry['source']} {entry['place']}")
def test_an_entry_leads_somewhere_and_its_value_holds(entry):
    assert not list(lost(entry))
    assert course_map.differs(entry) is None


def test_the_check_sees_what_is_wrong():
    entry = next(entry for entry in ENTRIES if entry["gives"] == "0.2085")
    for change in (
        {"function": "bayeslib.posterior_of_nothing"},
        {"cell": "no-such-cell"},
        {"test": "test_bayes.py::test_nothing"},
    ):
        assert len(list(lost({**entry, **change}))) == 1
    assert "0.2086" in course_map.differs({**entry, "gives": "0.2086"})
    assert course_map.differs({**entry, "gives": "0.2085 0.79"}) and course_map.differs({**entry, "gives": "healthy"})


def test_all_five_lectures_are_on_the_map_and_no_place_twice():
    assert {entry["source"] for entry in ENTRIES} == set(course_map.SOURCES)
    places = [(entry["source"], entry["place"], entry["what"]) for entry in ENTRIES]
    assert len(set(places)) == len(places)


def test_the_table_in_docs_is_made_from_the_map():
    assert (ROOT / "docs" / "map.md").read_text() == course_map.markdown(), "run make map"


def test_a_function_is_linked_to_the_line_that_defines_it():
    links = re.findall(r"\[`([\w.]+)`\]\(\.\./([\w./]+)#L(\d+)\)", (ROOT / "docs" / "map.md").read_text())
    assert len(links) == len(ENTRIES)
    for name, file, line in links:
        defined = (ROOT / file).read_text().splitlines()[int(line) - 1]
        assert re.match(rf" *(def|class) {name.split('.')[-1]}\b|{name.split('.')[-1]} =", defined), name
