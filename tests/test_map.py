"""The map from the lectures to the code: every row leads somewhere, and its value holds."""

import ast
import re
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

import pytest

from tests.reading import Lesson, normal, numbers
from tools import course_map

ROOT = Path(__file__).parents[1]
ENTRIES = course_map.read()


def cells(entry):
    """id → the number of the cell, in an entry's lesson."""
    return {cell.id: i for i, cell in enumerate(Lesson.read(entry["notebook"][:2]).cells)}


def shown(entry):
    """What can be read in an entry's cell and its outputs."""
    return "\n".join(Lesson.read(entry["notebook"][:2]).texts(cells(entry)[entry["cell"]]))


@cache
def functions(name):
    """name → source, of the functions of a test file, with what decorates them."""
    text = (ROOT / "tests" / name).read_text()
    found = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return {each.name: "\n".join(ast.unparse(part) for part in (*each.decorator_list, each)) for each in found}


def lost(entry):
    """What in an entry points nowhere."""
    try:
        resolve_name(entry["function"])
    except (ImportError, AttributeError):
        yield f"there is no {entry['function']}"
    if entry["cell"] not in cells(entry):
        yield f"{entry['notebook']} has no cell {entry['cell']}"
    file, name = entry["test"].split("::")
    if name not in functions(file):
        yield f"{file} has no {name}"


COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def unsaid(entry, text):
    """The parts of an entry's value that a text does not say: numbers, to the digits written or more, in any dress; words.

    That something is true cannot be read off a page, so the test of the entry holds it alone.
    """
    text = re.sub(rf"\b({'|'.join(COUNTS)})\b", lambda count: str(COUNTS.index(count[0].lower())), text, flags=re.I)
    for part in entry["gives"].split():
        if re.fullmatch(r"[-−]?[\d.]+", part):
            wanted = numbers(re.sub(r"(\.\d*?)0+$", r"\1", part).rstrip("."))[0]
            said = any(each.tells(wanted) and each.unit <= 1.0000001 * wanted.unit for each in numbers(text))
        else:
            said = part == "True" or " ".join(normal(part)) in " ".join(normal(text)) and (normal(part) or part in text)
        if not said:
            yield part


def unheld(entry):
    """What is wrong with the cell and the test of an entry: the one shows its value, the other has it or calls its function."""
    parts = list(unsaid(entry, shown(entry)))
    if parts:
        yield f"{entry['notebook'][:2]} {entry['cell']} does not show {', '.join(parts)}"
    file, name = entry["test"].split("::")
    source = functions(file)[name]
    source += "".join(helper for other, helper in functions(file).items() if f"{other}(" in source and other != name)
    if not re.search(rf"\b{entry['function'].rpartition('.')[2]}\b", source) and any(unsaid(entry, source)):
        yield f"{name} has neither {entry['gives']} nor {entry['function'].rpartition('.')[2]}"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry['source']} {entry['place']}")
def test_an_entry_leads_somewhere_and_its_value_holds(entry):
    assert not list(lost(entry))
    assert course_map.differs(entry) is None


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry['source']} {entry['place']}")
def test_the_cell_shows_the_value_and_the_test_holds_it(entry):
    assert not list(unheld(entry))


def test_a_value_is_recognised_in_any_dress_and_nothing_else_is():
    for gives, said, not_said in (
        ("5.150 1.0", ("5.15 and 1", "5.1500, 1.00"), ("5.1 and 1", "5.15")),
        ("0.2085", ("it is .2085", "20.85%", "0.208511", "49/235"), ("0.209", "0.2086", "2085", "")),
        ("-6.59", ("−6.59", "-6.592"), ("-6.6", "6.60")),
        ("1 0.33", ("1 and 0.333",), ("0.33", "1 and 0.3")),
        ("no cancer", ("h = no cancer.",), ("no", "cancerless")),
        ("+ ? True", ("? and +",), ("+",)),
        ("5", ("Five rows",), ("50", "fifty")),
        ("973", ("973 rules",), ("972", "97")),
    ):
        for text in said + not_said:
            assert (not list(unsaid({"gives": gives}, text))) == (text in said), (gives, text)


def test_the_check_sees_what_is_wrong():
    entry = next(entry for entry in ENTRIES if entry["gives"] == "0.2085")
    for change in (
        {"function": "bayeslib.posterior_of_nothing"},
        {"cell": "no-such-cell"},
        {"test": "test_bayes.py::test_nothing"},
    ):
        assert len(list(lost({**entry, **change}))) == 1
    file, name = entry["test"].split("::")
    elsewhere = next(other for other, source in functions(file).items() if any(unsaid(entry, source)))
    wrong = {**entry, "cell": "next", "test": f"{file}::{elsewhere}", "function": "bayeslib.no_such_function"}
    assert len(list(unheld(wrong))) == 2
    assert "0.2086" in course_map.differs({**entry, "gives": "0.2086"})
    assert course_map.differs({**entry, "gives": "0.2085 0.79"}) and course_map.differs({**entry, "gives": "healthy"})


def test_all_five_lectures_are_on_the_map_and_no_place_twice():
    assert {entry["source"] for entry in ENTRIES} == set(course_map.SOURCES)
    places = [(entry["source"], entry["place"], entry["what"]) for entry in ENTRIES]
    assert len(set(places)) == len(places)
