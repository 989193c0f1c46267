"""The rules of the second edition, for every lesson whose head has the line `**Core: N minutes.** …`.

For authors. Once the head line is in, all tests of this file hold for the lesson (`-k 01` runs those of 01), and it must come off
WAITING. A finding names the cell and what is read there.

- Tags: each cell has one of core, more, after. `## Practice` and all that follows is `after`; before it each `## ` heading begins
  a part, wholly core or wholly more, and the heading of a more part ends in " · more". What precedes the first heading is core.
- Minutes: the last notes cell of a part ends with `**N minutes, rank R.**`; N is at least words/120 + 2 a prediction + 3 a live
  figure + 1 any other code cell (words: all Markdown but the notes; formulas and folds count). Ranks run 1, 2, 3 …, core first.
- Core alone: what a core cell uses (names of variables and imports, symbols, terms in **bold** where they are introduced) must not
  come from a more part only. Cure: import, define or introduce it again in the core, or move the part.
- Spoilers: see tests/spoilers.py. Cure: another number, or the sentence after the prediction. A number or a phrase that is there
  for another reason goes into tests/spoilers.toml with that reason; an entry that is no longer needed fails.
- Symbols: each letter of a formula is in the table of 00, where each has one row. Write words in formulas as \\text{…}.
- Transfer: half of the quiz has numbers (of two digits or more) and right options that the lesson shows nowhere else.
"""

import builtins
import re
import tomllib
from functools import cache

import nbformat.v4 as v4
import pytest

from bayeslib.practice.questions import Question
from bayeslib.sections import LESSONS, SECTIONS
from tests.lab import ROOT
from tests.reading import (
    HEAD_LINE,
    MINUTES,
    NO_FIGURE,
    Lesson,
    Names,
    calls,
    digits,
    formulas,
    is_markdown,
    is_notes,
    normal,
    numbers,
    stem,
    symbols,
    tags,
    words,
)
from tests.spoilers import dresses, spoilers, told

WAITING = "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16".split()
NUMBERS = [section.number for section in SECTIONS if Lesson.read(section.number).second_edition]
EXCEPTIONS = tomllib.loads((ROOT / "tests/spoilers.toml").read_text(encoding="utf-8")).get("fine", [])


@pytest.fixture(params=NUMBERS)
def lesson(request):
    return Lesson.read(request.param)


def before(lesson):
    return [Lesson.read(each.number) for each in LESSONS if each.number < lesson.number]


def test_the_list_of_lessons_that_wait_only_shrinks():
    for section in SECTIONS:
        assert Lesson.read(section.number).second_edition == (section.number not in WAITING), section.name


# A core and more


def tagged(lesson):
    """What is wrong with the tags, the parts and the head, a sentence each."""
    for i, cell in enumerate(lesson.cells):
        if len(tags(cell)) != 1:
            yield f"{cell.id} has {tags(cell) or 'none'} of the tags core, more, after"
        elif (i >= lesson.practice) != (tags(cell) == ["after"]):
            yield f"{cell.id} is tagged {tags(cell)[0]}, but 'after' begins at ## Practice"
    first = next(iter(lesson.parts.values()), [None])[0]
    for cell in lesson.cells[: lesson.cells.index(first) if first else lesson.practice]:
        if tags(cell) != ["core"]:
            yield f"{cell.id} precedes the first part and is not core"
    for heading, cells in lesson.parts.items():
        kinds = {tag for cell in cells for tag in tags(cell)}
        if len(kinds) > 1:
            yield f"the part {heading!r} is neither wholly core nor wholly more"
        if heading.endswith(" · more") != ("more" in kinds):
            yield f"the heading {heading!r} must end in ' · more' if and only if its part is more"
    motto = re.search(r"^\*[^*].*\*$", lesson.cells[0].source, re.M)
    if not motto or not motto[0].endswith("?*"):
        yield "the motto in the head does not ask"


def minutes(cells):
    """(minutes, rank) of a part as its last notes cell says, or None."""
    notes = [cell.source for cell in cells if is_notes(cell)]
    found = re.search(rf"{MINUTES}\s*(?:</details>)?\s*$", notes[-1]) if notes else None
    return found and (int(found[1]), int(found[2]))


def least(cells):
    """The least minutes that a part can take."""
    total = sum(words(cell.source) for cell in cells if is_markdown(cell) and not is_notes(cell)) / 120
    for cell in cells:
        if not is_markdown(cell) and cell.id != "setup":
            called = list(calls(cell.source))
            figures = sum(name not in NO_FIGURE for name in called)
            total += 2 * called.count("predict") + 3 * figures
            total += not (figures or "predict" in called)
    return total


def timed(lesson):
    """What is wrong with the minutes, a sentence each."""
    found = {heading: minutes(cells) for heading, cells in lesson.parts.items()}
    yield from (
        f"the last notes of {h!r} do not end in **N minutes, rank R.**" for h, each in found.items() if not each
    )
    head = re.search(rf"^{HEAD_LINE}$", lesson.cells[0].source, re.M)
    if not head:
        yield "the head has no line of the form **Core: 55 minutes.** With all that is marked *more*: 95. Practice and quiz: 30 more."
    if not head or not all(found.values()):
        return
    for heading, cells in lesson.parts.items():
        if found[heading][0] < least(cells):
            yield f"{heading!r} takes {least(cells):.1f} minutes at least, not {found[heading][0]}"
    more = {heading: heading.endswith(" · more") for heading in found}
    core = sum(each[0] for heading, each in found.items() if not more[heading])
    whole = sum(each[0] for each in found.values())
    if core > 60:
        yield f"the core takes {core} minutes, more than 60"
    if (core, whole) != (int(head[1]), int(head[2])):
        yield f"the parts sum to {core} minutes of core and {whole} in all; the head says {head[1]} and {head[2]}"
    ranked = sorted(found, key=lambda heading: found[heading][1])
    if [found[heading][1] for heading in ranked] != list(range(1, len(found) + 1)):
        yield f"the ranks are {sorted(each[1] for each in found.values())}, not 1 to {len(found)}"
    if [more[heading] for heading in ranked] != sorted(more.values()):
        yield "a part that is more ranks before one of the core"


def test_tags_parts_and_head(lesson):
    assert not list(tagged(lesson))


def test_minutes_ranks_and_the_hour(lesson):
    assert not list(timed(lesson))


# The core holds together


def is_more(cell):
    return "more" in tags(cell)


def needs(lesson):
    """Variables and imports of the core that come from a more part only, or that a more part changes."""
    core, more, last = set(dir(builtins)), {}, {}
    for cell in lesson.cells[: lesson.practice]:
        if is_markdown(cell):
            continue
        names = Names(cell.source)
        if is_more(cell):
            more |= dict.fromkeys(names.bound, cell.id)
            last |= dict.fromkeys(names.bound - names.imported, cell.id)
            continue
        for name in sorted(names.free):
            if name not in core and name in more:
                yield f"{cell.id} uses {name}, which only {more[name]} (more) defines"
            elif name in last:
                yield f"{cell.id} uses {name}, which {last[name]} (more) has changed"
        core |= names.bound
        last = {name: where for name, where in last.items() if name not in names.bound}


def prose(cells):
    return [cell for cell in cells if is_markdown(cell) and not is_notes(cell)]


def known(lessons):
    """The Markdown that a reader of cores has met."""
    return "\n".join(cell.source for lesson in lessons for cell in prose(lesson.cells) if not is_more(cell))


def untold_symbols(lesson, earlier=()):
    """Symbols of the core that only a more part before it has introduced."""
    met, more = set(all_symbols(known(earlier))), {}
    for cell in prose(lesson.cells[: lesson.practice]):
        for symbol in all_symbols(cell.source):
            if is_more(cell):
                more.setdefault(symbol, cell.id)
            elif symbol in more and symbol not in met and not says(symbol, cell.source):
                yield f"{cell.id} uses {symbol}, which only {more[symbol]} (more) has introduced"
        if not is_more(cell):
            met |= set(all_symbols(cell.source))


def says(symbol, markdown):
    """Does a text say what a symbol is: "the slope $w$", "$w$ is …", "where $w$ …"?"""
    for found in re.finditer(r"(?<!\$)\$([^$\n]+)\$(?!\$)", markdown):
        if symbol in symbols(found[1]):
            front, back = markdown[: found.start()], markdown[found.end() :]
            if re.search(r"\b(the|an?|its|each|where|with|let|call|by|write) ([\w-]+ ){0,4}$", front) or re.match(
                r",? (is|are|be|means|stands|for|counts|says|tells)\b|:", back
            ):
                return True
    return False


def all_symbols(markdown):
    return dict.fromkeys(symbol for formula in formulas(markdown) for symbol in symbols(formula))


def terms(markdown):
    """The terms that a text introduces in bold; names of buttons are not terms."""
    for found in re.finditer(r"\*\*([^*\n]+)\*\*", markdown):
        pressed = re.search(
            r"\b(press|click|drag|choose|button|preset|set|open)\w*\W+(\w+ ){0,2}$", markdown[: found.start()]
        )
        if re.fullmatch(r"[^\W\d][\w' -]*", found[1]) and len(found[1].split()) <= 4 and not pressed:
            yield found[1]


def spoken(text):
    return " " + " ".join(map(stem, normal(text))) + " "


def untold_terms(lesson, earlier=()):
    """Terms of the core that only a more part before it has introduced."""
    met, more = spoken(known(earlier)), {}
    for cell in prose(lesson.cells[: lesson.practice]):
        if is_more(cell):
            new = (term for term in terms(cell.source) if spoken(term) not in met)
            more |= {term: cell.id for term in new if term not in more}
            continue
        for term, where in more.items():
            if spoken(term) not in met and spoken(term) in spoken(cell.source) and term not in terms(cell.source):
                yield f"{cell.id} uses the term {term!r}, which only {where} (more) has introduced"
        met += spoken(cell.source)


def test_the_core_holds_together(lesson):
    assert not [*needs(lesson), *untold_symbols(lesson, before(lesson)), *untold_terms(lesson, before(lesson))]


# Nothing is told before it is asked


def test_no_prediction_is_spoiled(lesson):
    fine = {(each["prediction"], each["cell"], each["reads"]) for each in EXCEPTIONS}
    found = [each for i, name in lesson.asked() for each in spoilers(lesson, i, name, before(lesson))]
    assert not [each for each in found if each not in fine]
    unused = {each for each in fine if each[0][:2] == lesson.number} - set(found)
    assert not unused, "an exception that is not needed"


def test_every_exception_has_its_reason():
    for each in EXCEPTIONS:
        assert set(each) == {"prediction", "cell", "reads", "reason"} and len(each["reason"].split()) >= 4, each


def test_an_answer_that_is_planted_one_cell_before_is_noticed():
    """In all lessons, those that wait too: what can be told in numbers or words at all is noticed in 95 of 100 cases."""
    planted = noticed = 0
    for section in SECTIONS:
        lesson = Lesson.read(section.number)
        for i, name in lesson.asked():
            for text in dresses(name, told(lesson.cells[i])):
                cells = [v4.new_markdown_cell(text, id="planted"), lesson.cells[i]]
                found = spoilers(Lesson(section.number, cells), 1, name)
                planted, noticed = planted + 1, noticed + any(each.cell.endswith(" planted") for each in found)
    assert planted > 250 and noticed >= 0.95 * planted, (noticed, planted)


# Symbols


@cache
def table():
    """symbol → its meanings, from the table of symbols in 00."""
    source = next(cell.source for cell in Lesson.read("00").cells if cell.id == "symbols")
    found = {}
    for row in re.findall(r"^\| *(\$.*?) *\| *(.*?) *\|", source, re.M):
        for symbol in all_symbols(row[0]):
            found.setdefault(symbol, []).append(row[1])
    return found


def unknown_symbols(lesson, table):
    for cell in lesson.cells:
        if is_markdown(cell):
            for symbol in all_symbols(cell.source):
                if symbol not in table:
                    yield f"{lesson.number} {cell.id}: {symbol} is not in the table of symbols in 00"


def test_every_symbol_is_in_the_table(lesson):
    assert not list(unknown_symbols(lesson, table()))


# Transfer


def transfers(lesson):
    """name → why a question of the quiz does not transfer, or an empty text."""
    quiz = {i: name for i, name in lesson.asked("quiz") if i >= lesson.practice}
    shown = [text for i in range(len(lesson.cells)) if i not in quiz for text in lesson.texts(i)]
    seen = {round(n.value, 9) for text in shown for n in numbers(text)}
    lines = " " + " | ".join(" ".join(normal(text)) for text in shown) + " "
    found = {}
    for name in quiz.values():
        question = Question(name)
        right = next((each["text"] for each in question.options if each.get("correct")), "")
        asked = [n for n in numbers(f"{question.prompt} ; {right}") if digits(f"{n.value:.10g}") >= 2]
        if question.answer is not None and digits(f"{question.answer:.10g}") >= 2:
            asked += numbers(f"{question.answer:.10g}{'%' if question.percent else ''}")
        known = [n.text for n in asked if round(n.value, 9) in seen]
        phrase = " ".join(normal(right))
        if len(phrase.split()) >= 3 and f" {phrase} " in lines:
            known.append(right)
        found[name] = f"{name} is not new: {', '.join(known)}" if known else ""
    return found


def test_half_of_the_quiz_transfers(lesson):
    found = transfers(lesson)
    assert sum(not why for why in found.values()) >= len(found) / 2, [why for why in found.values() if why]
