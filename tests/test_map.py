"""The map from the lectures to the code: every row leads somewhere, its value holds, and the cell shows it."""

import re
from pkgutil import resolve_name

import pytest

from tests.reading import Lesson, normal, numbers
from tools import course_map

ENTRIES = course_map.read()
COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def shown(entry):
    """What can be read in an entry's cell and its outputs; nothing if there is no such cell."""
    lesson = Lesson.read(entry["notebook"][:2])
    return "\n".join(
        text for i, cell in enumerate(lesson.cells) if cell.id == entry["cell"] for text in lesson.texts(i)
    )


def unsaid(gives, text):
    """The parts of a value that a text does not say: numbers, to the digits written or more, in any dress; words.

    That something is true cannot be read off a page.
    """
    text = re.sub(rf"\b({'|'.join(COUNTS)})\b", lambda count: str(COUNTS.index(count[0].lower())), text, flags=re.I)
    for part in gives.split():
        if re.fullmatch(r"[-−]?[\d.]+", part):
            wanted = numbers(re.sub(r"(\.\d*?)0+$", r"\1", part).rstrip("."))[0]
            said = any(each.tells(wanted) and each.unit <= 1.0000001 * wanted.unit for each in numbers(text))
        else:
            said = part == "True" or " ".join(normal(part)) in " ".join(normal(text)) and (normal(part) or part in text)
        if not said:
            yield part


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry['source']} {entry['place']}")
def test_an_entry_leads_somewhere_its_value_holds_and_its_cell_shows_it(entry):
    resolve_name(entry["function"])
    assert course_map.differs(entry) is None
    assert shown(entry) and not list(unsaid(entry["gives"], shown(entry)))


def test_a_value_is_recognised_in_any_dress_and_nothing_else_is():
    for gives, said, not_said in (
        ("5.150 1.0", ("5.15 and 1", "5.1500, 1.00"), ("5.1 and 1", "5.15")),
        ("0.2085", ("it is .2085", "20.85%", "0.208511", "49/235"), ("0.209", "0.2086", "2085", "")),
        ("-6.59", ("−6.59", "-6.592"), ("-6.6", "6.60")),
        ("no cancer", ("h = no cancer.",), ("no", "cancerless")),
        ("+ ? True", ("? and +",), ("+",)),
        ("5", ("Five rows",), ("50", "fifty")),
    ):
        for text in said + not_said:
            assert (not list(unsaid(gives, text))) == (text in said), (gives, text)


def test_a_wrong_value_is_seen():
    entry = next(entry for entry in ENTRIES if entry["gives"] == "0.2085")
    for wrong in ("0.2086", "0.2085 0.79", "healthy"):
        assert course_map.differs({**entry, "gives": wrong})


def test_all_five_lectures_are_on_the_map_and_no_place_twice():
    assert {entry["source"] for entry in ENTRIES} == set(course_map.SOURCES)
    places = [(entry["source"], entry["place"], entry["what"]) for entry in ENTRIES]
    assert len(set(places)) == len(places)
