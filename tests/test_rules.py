"""The rules that every lesson keeps: those of the second edition below, those of the third at the end (`third`).

For authors. `-k 01` runs the tests of lesson 01. A finding names the cell and what is read there.

- Tags: each cell has one of core, more, after. `## Practice` and all that follows is `after`; before it each `## ` heading begins
  a part, wholly core or wholly more, and the heading of a more part ends in " · more". What precedes the first heading is core.
- Minutes: the last notes cell of a part ends with `**N minutes, rank R.**`; N is at least words/120 + 2 a prediction + 3 a live
  figure + 1 any other code cell (words: all Markdown but the notes; formulas and folds count). Ranks run 1, 2, 3 …, core first.
- Core alone: what a core cell uses (names of variables and imports, symbols, terms in **bold** where they are introduced) must not
  come from a more part only. Cure: import, define or introduce it again in the core, or move the part.
- Spoilers: see tests/spoilers.py. Cure: another number, or the sentence after the prediction. A number or a phrase that is there
  for another reason goes into tests/spoilers.toml with that reason; an entry that is no longer needed fails.
- Symbols: each letter of a formula is in the table of 00 and has its one meaning there (a row may name the sections). Words, and
  the variables of a network or a table, are upright: \\text{sick}, \\mathrm{K}.
- Transfer: half of the quiz has numbers (of two digits or more; no counts below 20) and right options (of two content words or
  more) that the lesson shows nowhere else.
"""

import builtins
import re
import tomllib
from functools import cache
from types import SimpleNamespace

import nbformat.v4 as v4
import pytest

from bayeslib.figures.figure import LiveFigure
from bayeslib.questions.question import Question
from bayeslib.sections import LESSONS, SECTIONS
from tests.figures import a_third, every_third
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
    stems,
    symbols,
    tags,
    words,
)
from tests.spoilers import Clues, dresses, spoilers, told
from tools import budget
from tools.store_notebooks import dress

NUMBERS = [section.number for section in SECTIONS if section.edition == 2]
EXCEPTIONS = tomllib.loads((ROOT / "tests/spoilers.toml").read_text(encoding="utf-8")).get("fine", [])
FINE = {(each["prediction"], each["cell"], each["reads"]) for each in EXCEPTIONS}


@pytest.fixture(params=NUMBERS)
def lesson(request):
    return Lesson.read(request.param)


def before(lesson):
    return [Lesson.read(each.number) for each in LESSONS if each.number < lesson.number]


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
            last |= dict.fromkeys((names.bound - names.imported) | names.changed, cell.id)
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
    found = [each for i, name in lesson.asked() for each in spoilers(lesson, i, name, before(lesson))]
    assert not [each for each in found if each not in FINE]
    unused = {each for each in FINE if each[0][:2] == lesson.number} - set(found)
    assert not unused, "an exception that is not needed"


AT_ONCE = {
    "07/calls-first": "31 is what one table needs, and the options say so",
}


@pytest.mark.heavy
@pytest.mark.parametrize("number", [section.number for section in SECTIONS])
def test_a_figure_that_is_shown_without_a_guess_does_not_answer_yet(number):
    """A third of them in a run. Cure: `first` in the question's entry, control values that leave the answer open."""
    lesson = Lesson.read(number)
    for i, name in a_third(lesson.asked()):
        asked = lesson.result(i)
        if asked.figure is None:
            continue
        asked._open_figure()
        opened, read = asked.figure.frame(), list(Clues(name, told(lesson.cells[i])).read_in(asked.figure.alt, True))
        asked.figure.go_on()
        asked._answer_by_figure()
        assert (not read and asked.figure.frame() != opened) or name in AT_ONCE, (name, read)


def answering_presets(lesson):
    """(prediction, cell above it, preset of the figure there that shows the answer)"""
    shown = []
    for i, cell in enumerate(lesson.cells):
        if is_markdown(cell) or set(calls(cell.source)) <= NO_FIGURE:
            continue
        result = lesson.result(i)
        figure, then = result, {}
        if not isinstance(result, LiveFigure):
            figure, then = result.figure, result.question.then
        alike = [each for each in shown if then and each[1].values.keys() == figure.values.keys()]
        for where, above in alike:
            new = {name: each for name, each in figure.values.items() if above.values[name] != each} | then
            for label, preset in above.presets.items():
                if label != "reset" and not above.locked(label) and new.items() <= {**above.values, **preset}.items():
                    yield result.question.name, where, label
        shown.append((cell.id, figure))


@pytest.mark.parametrize("number", every_third(NUMBERS))
def test_no_preset_above_a_question_shows_its_answer(number):
    assert not [*answering_presets(Lesson.read(number))]


def test_a_preset_that_answers_a_later_question_is_found_and_left_out():
    ask = 'live.predict("15/valley", live.edge())'
    for above, found in (
        ("live.edge()", [("15/valley", "first", "the bottom of the valley")]),
        ('live.edge().before("15/valley")', []),
        ("live.rules()", []),
    ):
        cells = [v4.new_code_cell(above, id="first"), v4.new_code_cell(ask, id="second")]
        assert [*answering_presets(Lesson("15", cells))] == found


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
    """symbol → the sections in which it has its meaning, from the table of symbols in the appendix."""
    source = next(cell.source for cell in Lesson.read("A").cells if cell.id == "symbols")
    found = {}
    for first, _, where in re.findall(r"^\| *(\$.*?) *\| *(.*?) *\| *(.*?) *\|$", source, re.M):
        for formula in formulas(first):
            for symbol in symbols(formula):
                alone = symbols(formula) == [symbol]
                found[symbol] = in_sections(where) if alone else found.get(symbol, in_sections(""))
    return found


def in_sections(text):
    """The sections that "03, 10 to 12" names; none named are all."""
    every = [section.number for section in SECTIONS]
    spans = re.findall(r"(\d\d)(?: to (\d\d))?", text)
    return {number for number in every if not spans or any(a <= number <= (b or a) for a, b in spans)}


def strange_symbols(lesson, table):
    for cell in lesson.cells:
        for symbol in all_symbols(cell.source) if is_markdown(cell) else ():
            if symbol not in table:
                yield f"{lesson.number} {cell.id}: {symbol} is not in the table of symbols in the appendix"
            elif lesson.number not in table[symbol]:
                where = ", ".join(sorted(table[symbol]))
                yield f"{lesson.number} {cell.id}: {symbol} has the meaning of the table only in {where}"


def test_every_symbol_is_in_the_table_with_this_meaning(lesson):
    assert not list(strange_symbols(lesson, table()))


def test_no_symbol_has_two_rows_in_the_table():
    source = next(cell.source for cell in Lesson.read("A").cells if cell.id == "symbols")
    alone = [
        symbols(formula)[0]
        for first in re.findall(r"^\| *(\$.*?) *\|", source, re.M)
        for formula in formulas(first)
        if re.fullmatch(r"\\?[A-Za-z]+|\\(hat|bar) ?\\?[A-Za-z]+", formula) and symbols(formula)
    ]
    assert len(alone) > 30 and len(set(alone)) == len(alone)


# Transfer


def transfers(lesson):
    """name → why a question of the quiz does not transfer, or an empty text."""
    quiz = [(i, name) for i, name in lesson.asked("quiz") if i >= lesson.practice]
    shown = [text for i in range(len(lesson.cells)) if i not in dict(quiz) for text in lesson.texts(i)]
    seen = {round(n.value, 9) for text in shown for n in numbers(text)}
    lines = " " + " | ".join(" ".join(normal(text)) for text in shown) + " "
    found = {}
    for _, name in quiz:
        question = Question(name)
        right = next((each["text"] for each in question.options if each.get("correct")), "")
        answer = "" if question.answer is None else f"{question.answer:.10g}{'%' if question.percent else ''}"
        asked = numbers(f"{question.prompt} ; {right} ; {answer}", parts=False)
        telling = [
            n for n in asked if min(n.digits, digits(f"{n.value:.10g}")) >= 2 and not (n.unit == 1 and n.value < 20)
        ]
        known = [n.text for n in telling if round(n.value, 9) in seen]
        phrase = " ".join(normal(right))
        if len(stems(right)) >= 2 and len(phrase.split()) >= 3 and f" {phrase} " in lines:
            known.append(right)
        found[name] = f"{name} is not new: {', '.join(known)}" if known else ""
    return found


def test_half_of_the_quiz_transfers(lesson):
    found = transfers(lesson)
    assert sum(not why for why in found.values()) >= len(found) / 2, [why for why in found.values() if why]


# The third edition

MOST_CELLS, MOST_LINES, MOST_WORDS, PREDICTIONS, QUIZ, GOALS = 60, 10, {"main": 2400, "further": 900}, 6, 8, 6
DISPLAYS, FIGURES, MINUTES_OF, REVEAL = 7, {"main": 4, "further": 2}, {"main": 75, "practice": 40}, 150


def third(lesson):
    """What is wrong with a lesson of the third edition, a sentence each."""
    cells = lesson.cells
    by_tag = {each: [cell for cell in cells if budget.tag(cell) == each] for each in budget.TAGS}
    yield from (f"{cell.id} has not one of the tags {budget.TAGS}" for cell in cells if not budget.tag(cell))
    order = [budget.TAGS.index(budget.tag(cell)) for cell in cells if budget.tag(cell) and cell.id != budget.CLOSING]
    if order != sorted(order):
        yield "the cells are not in the order main, practice, further"
    if len(cells) > MOST_CELLS:
        yield f"{len(cells)} cells, more than {MOST_CELLS}"
    counts = {each: budget.count(by_tag[each]) for each in budget.TAGS}
    for each, most in MOST_WORDS.items():
        if counts[each]["words"] > most:
            yield f"{counts[each]['words']} words of {each}, more than {most}"
    if counts["main"]["prediction"] > PREDICTIONS:
        yield f"{counts['main']['prediction']} predictions, more than {PREDICTIONS}"
    if counts["practice"]["prediction"] > QUIZ:
        yield f"{counts['practice']['prediction']} questions in the quiz, more than {QUIZ}"
    if counts["main"]["display"] > DISPLAYS:
        yield f"{counts['main']['display']} displays of figures, more than {DISPLAYS}"
    for each, most in FIGURES.items():
        called = {name for cell in by_tag[each] if not is_markdown(cell) for name, _ in budget.calls(cell.source)}
        if len(called - {*budget.QUIET, "start", "source"}) > most:
            yield f"{len(called - {*budget.QUIET, 'start', 'source'})} different figures in {each}, more than {most}"
    minutes = budget.minutes(cells)
    for each, most in MINUTES_OF.items():
        if minutes[each] > most:
            yield f"{minutes[each]} minutes of {each}, more than {most}"
    if budget.head(cells) not in cells[0].source:
        yield f"the head does not say {budget.head(cells)!r}: run make store"
    prose = "\n\n".join(cell.source for cell in by_tag["main"] if is_markdown(cell))
    goals = re.search(r"you can\*\*\s+((?:- .*\n?)+)", prose)  # in the head, or after the bet
    if not goals or len(re.findall("(?m)^- ", goals[1])) > GOALS:
        yield f"the main path does not name at most {GOALS} goals under **By the end you can**"
    yield from code_of_the_third(cells)
    yield from questions_of_the_third(lesson)


def code_of_the_third(cells):
    for cell in cells:
        hidden = cell.metadata.get("jupyter", {}).get("source_hidden", False)
        if hidden != budget.is_quiet(cell):
            yield f"{cell.id} has its input {'collapsed' if hidden else 'shown'}: run make store"
        if is_notes(cell):
            yield f"{cell.id} is for the lecturer: it belongs into tools/lecture/notes"
        if is_markdown(cell):
            continue
        lines = [line for line in cell.source.splitlines() if line.strip()]
        if len(lines) > MOST_LINES and "check(" not in cell.source:
            yield f"{cell.id} has {len(lines)} lines, more than {MOST_LINES}"
        if cell.id != "setup" and re.search(r"(?m)^(import|from) ", cell.source):
            yield f"{cell.id} imports, which only the cell setup does"
        if "live.source(" in cell.source and budget.tag(cell) == "main":
            yield f"{cell.id} shows the library's source on the main path"


def questions_of_the_third(lesson):
    bets = {}
    for i, cell in enumerate(lesson.cells):
        for call, question in budget.asked([cell]):
            if call in ("bet", "raise_bet", "settle"):
                bets.setdefault(question.name, {})[call] = i
            if call == "quiz":
                continue
            if not question.reveal:
                yield f"{question.name} has no reveal"
            if budget.words(f"{question.prompt} {question.reveal}") > REVEAL:
                yield f"{question.name}: prompt and reveal have more than {REVEAL} words"
            if call in ("predict", "settle"):
                yield from told_too_early(lesson, i, question.name)
    for name, at in bets.items():
        if not {"bet", "settle"} <= at.keys() or not at["bet"] < at.get("raise_bet", at["settle"] - 0.5) < at["settle"]:
            yield f"the bet {name} is not placed, perhaps raised, and settled, in this order"


def told_too_early(lesson, i, name):
    """What gives a prediction away before its cell, or in open view in the two cells after it."""
    clues = Clues(name, told(lesson.cells[i]))
    for j in [*range(i), *range(i + 1, min(i + 3, len(lesson.cells)))]:
        for text in in_open_view(lesson.cells[j]):
            for reads in clues.read_in(text, True):
                if (name, f"{lesson.number} {lesson.cells[j].id}", reads[:90]) not in FINE:
                    yield f"{name} is told in {lesson.cells[j].id}: {reads}"


def in_open_view(cell):
    """What can be read in a cell without opening a fold."""
    fold = re.compile("<details.*?</details>", re.S)
    yield fold.sub("", cell.source)
    for output in cell.get("outputs", []):
        yield output.get("text", "")
        html = fold.sub("", output.get("data", {}).get("text/html", ""))
        yield from re.findall(r'alt="([^"]*)"', html)
        yield re.sub("<[^>]*>", " ", html)


@pytest.mark.parametrize("number", [section.number for section in SECTIONS if section.edition == 3])
def test_the_rules_of_the_third_edition(number):
    assert not list(third(Lesson.read(number)))


# The tests are tried: on a lesson that is made up and good, and on one thing at a time that is wrong with it

HEAD = """# 99 · Made up

*Why not?*

**Core: 8 minutes.** With all that is marked *more*: 14. Practice and quiz: 5 more.
"""
NOTES = "<details><summary>For the lecturer</summary>\n\nHands first. **{} minutes, rank {}.**\n\n</details>"
GOOD = (
    ("head", "core", HEAD),
    ("setup", "core", "import numpy as np\nfrom bayeslib import live"),
    ("first", "core", "## One\n\nThe **prior** $P(h)$ of the hypothesis $h$."),
    ("code", "core", "table = np.array([1, 2])\nfor row in table:\n    print([each for each in [row]])"),
    ("notes", "core", NOTES.format(3, 1)),
    ("second", "more", "## Two · more\n\nA **kernel** $K$ has the width $w$."),
    ("changed", "more", "width = table.sum()"),
    ("figure", "more", "live.rules()"),
    ("notes-two", "more", NOTES.format(6, 3)),
    ("third", "core", "## Three\n\nNow the prior again, $P(h)$."),
    ("again", "core", "print(table)"),
    ("notes-three", "core", NOTES.format(5, 2)),
    ("practice", "after", "## Practice"),
    ("quiz", "after", 'live.quiz("99/new")\nlive.quiz("99/old")'),
)


def made(number="99", **changes):
    """The good lesson with some cells changed: `id="source"`, or `id=("tag", "source")`."""
    cells = []
    for name, tag, source in GOOD:
        change = changes.get(name.replace("-", "_"), (tag, source))
        tag, source = (tag, change) if isinstance(change, str) else change
        code = re.match(r"import|live\.|table|width|print|for ", source)
        cell = (v4.new_code_cell if code else v4.new_markdown_cell)(source, id=name)
        cell.metadata["tags"] = [tag] if tag else []
        cells.append(cell)
    return Lesson(number, cells)


def rule_8(lesson):
    return [*tagged(lesson), *timed(lesson), *needs(lesson), *untold_symbols(lesson), *untold_terms(lesson)]


def test_the_lesson_that_is_made_up_is_good():
    assert not rule_8(made())


@pytest.mark.parametrize(
    ("changes", "finding"),
    [
        ({"code": ("", "table = 1")}, "code has none"),
        ({"quiz": ("core", "live.quiz()")}, "'after' begins"),
        ({"again": ("after", "print(table)")}, "again is tagged after"),
        ({"setup": ("more", "import numpy as np")}, "precedes the first part"),
        ({"figure": ("core", "live.rules()")}, "neither wholly core"),
        ({"second": ("more", "## Two\n\nA **kernel** $K$ has the width $w$.")}, "must end in ' · more'"),
        ({"first": "## One · more\n\nThe **prior** $P(h)$."}, "must end in ' · more'"),
        ({"head": HEAD.replace("Why not?", "It is not so.")}, "motto"),
        ({"head": HEAD.replace("Core: 8 minutes", "Core: 8 min")}, "no line of the form"),
        ({"head": HEAD.replace("8 minutes", "7 minutes")}, "sum to 8 minutes"),
        ({"head": HEAD.replace("14", "15")}, "sum to 8 minutes"),
        ({"notes": NOTES.format(3, 2)}, "ranks are [2, 2, 3]"),
        ({"notes": NOTES.format(3, 3), "notes_two": NOTES.format(6, 1)}, "ranks before"),
        ({"notes": NOTES.format(3, 1).replace("\n\n</d", " Two more words.\n\n</d")}, "do not end in"),
        ({"notes": "Three minutes."}, "do not end in"),
        ({"notes_two": NOTES.format(4, 3)}, "takes 4.1 minutes at least"),
        ({"third": "## Three\n\n" + "word " * 600}, "takes 6.0 minutes at least"),
        ({"again": 'live.predict("99/new", live.rules())\nlive.rules()'}, "takes 8.1 minutes at least"),
        ({"notes": NOTES.format(58, 1)}, "63 minutes, more than 60"),
        ({"again": "print(width)"}, "again uses width, which only changed"),
        ({"changed": "import os\nwidth = 1", "again": "print(os)"}, "again uses os"),
        ({"changed": "table = table.sum()"}, "again uses table, which changed (more) has changed"),
        ({"changed": "table[0] = 3"}, "again uses table, which changed (more) has changed"),
        ({"third": "## Three\n\nHere $K(0) = 1$."}, "third uses K, which only second"),
        ({"third": "## Three\n\nBut kernels differ."}, "third uses the term 'kernel'"),
    ],
)
def test_what_is_wrong_with_core_and_more_is_found(changes, finding):
    found = rule_8(made(**changes))
    assert any(finding in each for each in found), found


@pytest.mark.parametrize(
    "changes",
    [
        {"changed": "import numpy as np\nwidth = 1", "again": "print(np)"},
        {"changed": "width = [table for table in [1]]"},
        {"changed": "table = 1", "again": "table = 2\nprint(table)"},
        {"again": "width = 1\nprint(width)"},
        {"third": "## Three\n\nHere the kernel is called a **kernel**, and $K$ is its shape."},
        {"second": "## Two · more\n\nThe prior has **weight**; press **Three** and the **prior** $h$."},
    ],
)
def test_what_is_fine_is_not_found(changes):
    assert not rule_8(made(**changes))


def test_a_strange_symbol_is_found_and_told_where():
    known = {"P": {"99"}, "h": {"99"}, "K": {"99"}, "w": {"01"}}
    assert list(strange_symbols(made(), known)) == ["99 second: w has the meaning of the table only in 01"]
    del known["K"], known["w"]
    assert [each.split(" is ")[0] for each in strange_symbols(made(), known)] == ["99 second: K", "99 second: w"]


def test_symbols_are_read_as_a_reader_reads_them():
    for formula, wanted in {
        r"h_{ML} = \underset{h}{\operatorname{argmax}}\; P(D \mid h)": "h P D",
        r"\hat{\theta}_{ij} = \frac{n_c + mp}{n + m}": r"\hat{\theta} i j n c m p",
        r"\bar x \le \hat P(\text{sick} \mid \mathrm{K})^{2}": r"\bar{x} \hat{P}",
        r"\neg cancer \sim \Sigma": r"\Sigma",
    }.items():
        assert symbols(formula) == wanted.split(), formula
    assert formulas("It costs `$x$`, or $y$.\n\n$$z$$\n\n```\n$a$\n```") == ["y", "z"]
    assert {"P", "h", r"\theta", r"\hat{f}"} <= table().keys() and table()["L"] == {"03"}
    assert in_sections("03, 10 to 12") == {"03", "10", "11", "12"}


def question(**given):
    """A question that is made up, under any name."""
    given = {"prompt": "", "options": [], "answer": None, "percent": False} | given
    return lambda _: SimpleNamespace(**given)


CHOICE = [
    {"text": "about 20%", "correct": True, "feedback": "It is 20.85% of them."},
    {"text": "about 80%", "feedback": ""},
    {"text": "98%, as the test finds", "feedback": ""},
]
WORDS = [{"text": "fewer false alarms", "correct": True, "feedback": ""}, {"text": "missing nobody", "feedback": ""}]
FALLS = [{"text": "it falls", "correct": True, "feedback": ""}, {"text": "it rises", "feedback": ""}]


@pytest.mark.parametrize(
    ("asked", "texts", "fine"),
    [
        (
            {"prompt": "Of 38 positives, how many are sick?", "options": CHOICE},
            [
                ".209",
                "0.2085",
                "20.9%",
                "20.9 percent",
                r"20.9\%",
                "21 in 100",
                "49/235",
                r"\frac{49}{235}",
                "0.208510638",
            ],
            ["0.2", "2085", "0.22", "38", "1 in 10", "0.80", "98%", "02/085", "$2^{21}$"],
        ),
        ({"answer": 89.6, "percent": True}, ["0.896", "90%", "0.90", "89.59"], ["89", "0.9", "90", "8.96", "89.7%"]),
        ({"answer": 973}, ["973", "$973$", "973 rules"], ["97", "970", "0.973", "9730", "h973"]),
        ({"answer": 64, "prompt": "There are 64. How many?"}, [], ["64"]),
        ({"answer": 10}, [], ["10", "10%"]),
        (
            {"prompt": "Which raises P(sick | +) more?", "options": WORDS},
            ["Fewer **false alarms**!", "false alarms that are fewer", "What helps is *fewer false alarms*."],
            ["false alarms", "a few alarms are false", "missing nobody"],
        ),
        (
            {"prompt": "The alarm rings. What happens to the probability of a burglary?", "options": FALLS},
            ["The probability of a burglary falls when that happens.", "| what happens to a burglary | it falls |"],
            [
                "It falls.",
                "The probability of rain falls.",
                "The burglary happens, and its probability falls or rises.",
            ],
        ),
    ],
)
def test_what_gives_an_answer_away_and_what_does_not(monkeypatch, asked, texts, fine):
    monkeypatch.setattr("tests.spoilers.Question", question(**asked))
    cells = [v4.new_markdown_cell("", id="place"), v4.new_code_cell('live.predict("99/x", live.rules())', id="asks")]
    for text in texts + fine:
        cells[0]["source"] = f"So much for that: {text}"
        assert bool(list(spoilers(Lesson("99", cells), 1, "99/x"))) == (text in texts), text


def test_an_answer_is_read_in_outputs_pictures_and_folds_but_not_in_the_question_itself(monkeypatch):
    monkeypatch.setattr("tests.spoilers.Question", question(prompt="How large is it?", answer=0.28))
    asks = v4.new_code_cell('live.predict("99/x", live.rules())', id="asks")
    asks["outputs"] = [v4.new_output("display_data", {"text/plain": "It is 0.28."})]
    place = v4.new_code_cell("live.rules()", id="place")
    lesson = Lesson("99", [place, asks])
    assert not list(spoilers(lesson, 1, "99/x"))
    for data in (
        {"text/plain": "0.28"},
        {"text/html": '<img alt="0.28 of it">'},
        {"text/html": "<details>The answer is 28%</details>"},
        {"image/png": "…"},  # drawn again: the picture says 0.28
    ):
        place["outputs"] = [v4.new_output("display_data", data)]
        assert [each.cell for each in spoilers(lesson, 1, "99/x")] == ["99 place"], data
    place["outputs"] = [v4.new_output("stream", text="0.2800\n")]
    assert list(spoilers(lesson, 1, "99/x"))


def test_a_picture_is_drawn_with_the_cells_above_it():
    sources = ("import os", "start, places = 20, {}", 'places["at"] = start', "live.posterior_curve()")
    last = "figure = live.rules()\nfigure.set(a=places['at'])\nfigure"
    cells = [v4.new_code_cell(each) for each in ("from bayeslib import live", *sources, last)]
    assert "0.14" in " ".join(Lesson("99", cells).pictured(len(sources) + 1))


def test_earlier_lessons_count_too_their_heads_and_teasers_by_less(monkeypatch):
    monkeypatch.setattr("tests.spoilers.Question", question(answer=3.1416))
    asks = Lesson("99", [v4.new_code_cell('live.predict("99/x", live.rules())', id="asks")])

    def found(number, *sources):
        return list(spoilers(asks, 0, "99/x", [Lesson(number, [v4.new_markdown_cell(each) for each in sources])]))

    assert found("98", "head", "3.1416") and not found("98", "head", "3.1", "3.14")
    assert found("98", "3.1") and found("98", "head", "**Next:** 3.1") and found("00", "head", "3.1")


def test_a_question_that_the_lesson_has_answered_does_not_transfer(monkeypatch):
    new = {"prompt": "Of 350 people 12 are sick. Which share?", "options": [{"text": "3.43%", "correct": True}]}
    old = {"prompt": "What is it?", "options": [{"text": "the width of the kernel", "correct": True}]}
    for prompt in ("", " There are 0.35 of them.", " There are 35% of them."):
        asked = {"99/new": question(**new)(""), "99/old": question(**old | {"prompt": old["prompt"] + prompt})("")}
        monkeypatch.setattr("tests.test_rules.Question", asked.__getitem__)
        for source, known in (("nothing", 0), ("0.350", bool(prompt)), ("So it is *the width of the* kernel.", 1)):
            found = transfers(made(again=source))
            assert not found["99/new"] and bool(found["99/old"]) == known, (prompt, source)


# The same for the third edition

THIRD = (
    (
        "head",
        "main",
        "# 99 · Made up\n\n*Why not?*\n\n**11 minutes.** Then practice and a quiz (about 5), then *Further*, if you like (about 5).\n\n**By the end you can**\n\n- do it.",
    ),
    ("setup", "main", "from bayeslib import check, live\nlive.start()"),
    ("bet", "main", 'live.bet("01/mammogram", live.population())'),
    ("sum", "main", "<!-- by hand -->\nHow many?"),
    ("code", "main", "print(1 + 1)"),
    ("settle", "main", 'live.settle("01/mammogram")'),
    ("task", "practice", 'def mine():\n    return None\n\n\ncheck("01/posterior", mine)'),
    ("quiz", "practice", 'live.quiz("01/retest")'),
    ("own", "further", "## Further\n\nFour words of prose."),
    ("rules", "further", "live.rules()"),
    ("closing", "main", "**Next:** nothing."),
)


def made_up(**changes):
    cells = []
    for id, tag, source in THIRD:
        tag, source = changes.get(id, (tag, source))
        is_text = source.startswith(("#", "<", "*", "How", "Four")) and not source.startswith("from")
        cells.append((v4.new_markdown_cell if is_text else v4.new_code_cell)(source, id=id, metadata={"tags": [tag]}))
    dress(cells)
    return Lesson("99", cells)


def about(found, *words):
    return [each for each in found if any(word in each for word in words)]


def test_a_lesson_of_the_third_edition_is_counted_dressed_and_measured():
    lesson = made_up()
    hidden = [cell.id for cell in lesson.cells if cell.metadata.get("jupyter")]
    assert hidden == ["setup", "bet", "settle", "quiz", "rules"], (
        "what starts the lesson, or only shows a figure or a question"
    )
    assert budget.head(lesson.cells) in lesson.cells[0].source
    counted = budget.count([cell for cell in lesson.cells if budget.tag(cell) == "main"])
    assert [counted[each] for each in ("prediction", "display", "code", "by hand")] == [1, 1, 1, 1]
    assert not about(third(lesson), "tags", "order", "minutes", "words", "figures", "lines", "input")


@pytest.mark.parametrize(
    "changes, found",
    [
        ({"code": ("core", "print(1)")}, "code has not one of the tags"),
        ({"code": ("practice", "print(1)")}, "not in the order"),
        ({"code": ("main", "print(1)\n" * 11)}, "11 lines, more than 10"),
        ({"code": ("main", "import numpy\nprint(1)")}, "only the cell setup"),
        ({"code": ("main", "live.source(print)")}, "source on the main path"),
        ({"sum": ("main", "How " * 2401)}, "words of main, more than 2400"),
        ({"own": ("further", "Four " * 901)}, "words of further, more than 900"),
        ({"code": ("main", "live.rules(), live.climb(), live.edge(), live.batting()")}, "different figures in main"),
        ({"sum": ("main", "<!-- by hand -->" * 20)}, "minutes of main, more than 75"),
        ({"quiz": ("practice", 'live.quiz("01"), live.quiz("02")')}, "questions in the quiz, more than 8"),
        ({"settle": ("main", "live.rules()")}, "is not placed, perhaps raised, and settled"),
        ({"head": ("main", "# 99")}, "at most 6 goals"),
        ({"head": ("main", "# 99")}, "the head does not say"),
    ],
)
def test_what_breaks_a_rule_of_the_third_edition_is_found(changes, found):
    assert about(third(made_up(**changes)), found)


def test_an_answer_in_one_of_the_next_two_cells_is_found_unless_it_is_in_a_fold():
    for text, seen in (("How? 89.6%.", 1), ("How? <details>89.6%.</details>", 0)):
        cells = [
            v4.new_code_cell('live.predict("01/second-positive")', id="asks"),
            v4.new_markdown_cell(text, id="tells"),
        ]
        assert len(about(third(Lesson("99", cells)), "is told in tells")) == seen
