"""What goes on the slides of a lesson: no practice, and only the parts that fit the time, by the notes' minutes and ranks."""

import re
from dataclasses import dataclass, field

MINUTES = re.compile(r"\*\*(\d+) minutes, rank (\d+)\.\*\*")


@dataclass
class Part:
    """A `## ` heading and its cells; minutes and rank from its last notes, 0 if they give none."""

    heading: str
    cells: list = field(default_factory=list)
    minutes: int = 0
    rank: int = 0

    @property
    def more(self):
        return self.heading.endswith("· more")


def parts_of(cells):
    """The parts of a lesson up to its practice; what comes before the first heading belongs to none."""
    parts = []
    for cell in cells:
        heading = re.match(r"## +(.+)", cell.source) if cell.cell_type == "markdown" else None
        if heading and heading[1].startswith("Practice"):
            break
        if heading:
            parts.append(Part(heading[1].strip()))
        if parts:
            parts[-1].cells.append(cell)
            for minutes, rank in MINUTES.findall(cell.source):
                parts[-1].minutes, parts[-1].rank = int(minutes), int(rank)
    return parts


def chosen(parts, minutes):
    """The parts for this many minutes: the core, dropped from its last rank where it is too long, then what else fits, by rank."""
    kept, left = [], minutes
    for part in sorted((part for part in parts if not part.more), key=lambda part: part.rank):
        if kept and part.minutes > left:
            return kept  # nothing of a later rank in its place, and none of the parts marked as more
        kept.append(part)
        left -= part.minutes
    for part in sorted((part for part in parts if part.more), key=lambda part: part.rank):
        if part.minutes <= left:
            kept.append(part)
            left -= part.minutes
    return kept


def plan(cells, minutes=None):
    """The cells to show, and a summary of what was left out for lack of time; empty if no time is given."""
    lesson, summary = _without_practice(cells), ""
    parts = parts_of(cells)
    if minutes is None:
        return lesson, summary
    if not parts or not all(part.rank for part in parts):
        return lesson, "Shown whole: the notes of this lesson do not yet say how long its parts take."
    kept = chosen(parts, minutes)
    left_out = [part for part in parts if part not in kept]
    summary = f"{sum(part.minutes for part in kept)} minutes of {sum(part.minutes for part in parts)}."
    if left_out:
        summary += " Left out:\n" + "\n".join(f"  {part.minutes:2} min  {part.heading}" for part in left_out)
    for part in left_out:
        for cell in part.cells:
            if cell.cell_type == "code" and not cell.source.startswith("live."):
                cell.metadata["slideshow"] = {"slide_type": "skip"}  # a later part may need its variables
            else:
                lesson = [other for other in lesson if other is not cell]
    return lesson, summary


def _without_practice(cells):
    """Practice and quiz are done alone; the recap ends the lecture."""
    at = next((i for i, cell in enumerate(cells) if re.match(r"## Practice\b", cell.source)), len(cells))
    return cells[:at] + [cell for cell in cells[at:] if re.match(r"## Recap\b", cell.source)]
