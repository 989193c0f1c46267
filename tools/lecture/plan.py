"""What the wall shows of a lesson: which cells stand on a slide, for how many minutes, and what the time is enough for.

The lecturer's notes of a lesson are notes/NN.md, one entry for each slide:

    ## the-letter + bet-letter · 3 min · rank 1
    > What stands on the wall in place of the first cell's text; without such lines the text itself does.

    What to say, in Markdown.

The heading names the cells that the slide shows, in the order of the lesson, which begins with its title. Slides of rank 1
are always shown, the others by rank as long as there is time. A lesson without such a file (second edition) has the slides
of its cells' metadata, and its notes in folds.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from bayeslib.questions.prose import html

NOTES = Path(__file__).parent / "notes"
ENTRY = re.compile(r"## (?P<cells>.+?) · (?P<minutes>[\d.]+) min · rank (?P<rank>\d)$")
WALL = re.compile(r"(?:^>.*\n?)+", re.MULTILINE)
FOLD = re.compile(r"<details><summary>For the lecturer</summary>|</details>")
TAKES = re.compile(r"\*\*(\d+) minutes, rank (\d+)\.\*\*")
FULL = 90  # words on a slide of the second edition, to which no more are added
CALL = re.compile(r"^live\.(bet|raise_bet|settle|predict|quiz)\(\"([^\"]+/[^\"]+)\"", re.MULTILINE)


@dataclass
class Part:
    """Slides that are shown or left out together, each a list of cells, and the minutes they take."""

    heading: str
    slides: list = field(default_factory=list)
    minutes: float = 0
    rank: int = 0


def parts_of(cells, number):
    """The parts of a lesson: each slide of its notes, or each `## ` heading with what follows."""
    file = NOTES / f"{number}.md"
    return _noted(cells, file) if file.exists() else _headed(cells)


def _noted(cells, file):
    ids, parts, last = [cell.id for cell in cells], [], -1
    for entry in re.split(r"^(?=## )", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        heading, _, notes = entry.partition("\n")
        if not (match := ENTRY.match(heading)):
            raise ValueError(f"{file.name}: expected '## cell + cell · 3 min · rank 1', got {heading!r}")
        names = match["cells"].split(" + ")
        if unknown := [name for name in names if name not in ids]:
            raise ValueError(f"{file.name}: the lesson has no cell {unknown[0]!r}")
        places = [ids.index(name) for name in names]
        if places != sorted({*places}) or places[0] <= last or (last < 0 < places[0]):
            raise ValueError(f"{file.name}: {names[0]!r} breaks the order of the lesson, which begins with its title")
        last, slide = places[-1], [cells[at] for at in places]
        if wall := WALL.match(notes.lstrip("\n")):
            words = re.sub(r"^> ?", "", wall[0], flags=re.MULTILINE)
            if slide[0].cell_type == "markdown":
                slide[0].source = words if places[0] else slide[0].source.rpartition("\n\n")[0] + "\n\n" + words
            else:
                slide[0].metadata["words"] = html(words)
            notes = notes.lstrip("\n")[wall.end() :]
        for cell in slide:
            cell.metadata.setdefault("tags", []).append("show")  # code on a slide is there to be read
        slide[0].metadata["notes"] = html(notes)
        heading = next(filter(None, map(_heading, slide)), names[0])
        parts.append(Part(heading, [slide], float(match["minutes"]), int(match["rank"])))
    return parts


def _headed(cells):
    """Of the second edition: without practice and quiz, which are done alone; the recap ends the lecture."""
    practice = next((at for at, cell in enumerate(cells) if cell.source.startswith("## Practice")), len(cells))
    parts = [Part("")]
    for cell in cells[:practice] + [cell for cell in cells[practice:] if cell.source.startswith("## Recap")]:
        kind = cell.metadata.get("slideshow", {}).get("slide_type", "-")
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            parts.append(Part(_heading(cell)))
        slides = parts[-1].slides
        if kind == "notes":
            for minutes, rank in TAKES.findall(cell.source):
                parts[-1].minutes, parts[-1].rank = int(minutes), int(rank)
            slides[-1][0].metadata["notes"] = html(TAKES.sub("", FOLD.sub("", cell.source)))
        elif kind != "skip":
            cell.source = cell.source.replace(" (guess first)", "").replace(" · more\n", "\n")
            if slides and (kind in ("-", "fragment") or _is_rest(slides[-1], cell)):
                slides[-1].append(cell)
            else:
                slides.append([cell])
    for part in parts:  # the library's own source is nothing for a wall
        part.slides = [slide for slide in part.slides if not any("live.source(" in cell.source for cell in slide)]
        for first, *_ in part.slides:
            if part.heading and not _heading(first) and not first.source.startswith("live."):
                first.metadata["words"] = html(f"## {part.heading}")
    return parts


def _is_rest(slide, cell):
    """Whether a cell without a heading is too little for a slide of its own, and still fits on the one before it."""
    words = sum(len(each.source.split()) for each in (*slide, cell))
    return not _heading(cell) and words < FULL and not any("live." in each.source for each in (*slide, cell))


def _heading(cell):
    match = re.match(r"#+ +(?:\d\d? · )?(.+)", cell.source)
    return match[1].removesuffix(" · more").replace("*", "") if match and cell.cell_type == "markdown" else ""


def chosen(parts, minutes):
    """The parts for this many minutes: those of rank 1, then the others by rank until one does not fit."""
    kept, left = [], minutes
    for part in sorted(parts, key=lambda part: part.rank):
        if part.rank > 1 and part.minutes > left:
            break  # nothing of a later rank in its place
        kept.append(part)
        left -= part.minutes
    return kept


def plan(cells, number, minutes=None):
    """The cells for the wall, with their slides in the metadata, and a summary of what was left out for lack of time.

    Code of a part left out, or of no slide, still runs: a later one may need its variables.
    """
    _make_title(cells[0], number)
    parts = parts_of(cells, number)
    kept, shown, before = chosen(parts, minutes or float("inf")), {}, 0
    for part in [part for part in parts if part in kept]:
        for slide in part.slides:
            shown |= {cell.id: "-" for cell in slide} | {slide[0].id: "slide"}
            slide[0].metadata |= {"planned": before, "part": part.heading if part.heading != slide[0].id else ""}
            before += part.minutes / len(part.slides)
    for cell in cells:
        cell.metadata["slideshow"] = {"slide_type": shown.get(cell.id, "skip")}
        if call := CALL.search(cell.source):
            cell.metadata["role"], cell.metadata["question"] = call.groups()
    asks = re.compile(r"\Alive\.|^check\(", re.MULTILINE)  # of no use behind the scenes
    last = max(at for at, cell in enumerate(cells) if cell.id in shown)
    runs = [cell for cell in cells[:last] if cell.cell_type == "code" and not asks.search(cell.source)]
    return [cell for cell in cells if cell.id in shown or cell in runs], _summary(parts, kept) if minutes else ""


def _make_title(cell, number):
    """The title slide: what the lesson is called and what it asks, instead of the self-learner's head."""
    title, *lines = cell.source.splitlines()
    asks = next((line for line in lines if re.match(r"\*[^*]", line)), "")
    cell.source = f"Lesson {number}\n\n{title.replace(f'{number} · ', '')}\n\n{asks}"


def _summary(parts, kept):
    left_out = [part for part in parts if part not in kept]
    total, taken = (sum(part.minutes for part in each) for each in (parts, kept))
    lines = [f"  {part.minutes:2g} min  {part.heading}" for part in left_out]
    return "\n".join([f"{taken:g} minutes of {total:g}.{' Left out:' if left_out else ''}", *lines])
