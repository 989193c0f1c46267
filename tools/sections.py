"""What follows from the table of sections: the README's tables and the map in 00 are generated, everything else is checked for.

`make sections` writes the tables and lists what a section still lacks; tests/test_repository.py fails until it is there.
"""

import json
import re
import sys
from pathlib import Path

import nbformat

from bayeslib.sections import APPENDIX, LESSONS, SECTIONS, START
from tools import budget

ROOT = Path(__file__).parents[1]
# What a section consists of besides its models: one file each, named after its number, its slug or both.
FIGURES = {  # by the edition of its lesson
    2: ("bayeslib/plots/{module}.py", "bayeslib/live/{module}.py"),
    3: ("bayeslib/sections/{folder}/figures.py", "tools/lecture/notes/{number}.md"),
}
FILES = (
    "bayeslib/sections/{folder}/questions.toml",
    "bayeslib/sections/{folder}/tasks.py",
    "tests/sections/test_s{number}.py",
    "notebooks/{name}.ipynb",
    "notebooks/exercises/source/{name}/{name}.ipynb",
    "notebooks/exercises/references/{name}.py",
)
MADE = ("notebooks/exercises/source/{name}/checks.json", "notebooks/exercises/release/{name}/{name}.ipynb")


def missing(section, root=ROOT, lessons=LESSONS):
    """What a section of the table still lacks, one sentence for each: files, titles, links."""
    fields = {"number": section.number, "name": section.name, "module": section.module, "folder": section.folder}
    for model in section.models:
        path = f"bayeslib/models/{model.replace('.', '/')}"
        if not (root / f"{path}.py").is_file() and not (root / path / "__init__.py").is_file():
            yield f"there is no {path}.py, its model"
    for file in (path.format(**fields) for path in (*FIGURES[section.edition], *FILES)):
        if not (root / file).is_file():
            yield f"there is no {file}"
    for file in (path.format(**fields) for path in MADE):
        if not (root / file).is_file():
            yield f"there is no {file}: run make release"
    heading = f"# {section.number} · {section.title}"
    if (root / f"notebooks/{section.name}.ipynb").is_file() and not _cells(root, section)[0].startswith(heading):
        yield f"notebooks/{section.name}.ipynb does not begin with {heading!r}"
    before = lessons[lessons.index(section) - 1]
    if f"({section.name}.ipynb)" not in _cells(root, before)[-1]:
        yield f"notebooks/{before.name}.ipynb does not lead on to {section.name}.ipynb in its last cell"


def _cells(root, section):
    notebook = json.loads((root / f"notebooks/{section.name}.ipynb").read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"]]


def lessons_table(sections=SECTIONS):
    """The table of lessons and exercises in the README."""
    rows = ["| | lesson | exercise |", "|---|---|---|"]
    reference = f"[{APPENDIX.title.lower()}](notebooks/{APPENDIX.name}.ipynb)"
    rows.append(f"| {START.number} | [{START.title}](notebooks/{START.name}.ipynb): {START.asks}; {reference} | |")
    for section in sections:
        exercise = f"[exercise {section.number}](notebooks/exercises/release/{section.name}/{section.name}.ipynb)"
        rows.append(f"| {section.number} | [{section.title}](notebooks/{section.name}.ipynb) | {exercise} |")
    return "\n".join(rows)


def models_table(sections=SECTIONS):
    """The table of models in the README: the names that bayeslib offers, the modules, what is in them."""
    rows = ["| section | names | where, and what else |", "|---|---|---|"]
    for section in sections:
        names = ", ".join(f"`bl.{name}`" for group in section.models.values() for name in group)
        places = ", ".join(f"[`{model}`](bayeslib/models/{model.replace('.', '/')}.py)" for model in section.models)
        rows.append(f"| {section.number} | {names} | {places}: {section.holds} |".replace("|  |", "| |"))
    return "\n".join(rows)


def minutes(section, root=ROOT):
    """The minutes of a lesson's main path; in the second edition, of its core."""
    if section.edition == 3:
        return budget.minutes(nbformat.read(root / f"notebooks/{section.name}.ipynb", as_version=4).cells)["main"]
    return int(re.search(r"\*\*Core: (\d+) minutes\.\*\*", _cells(root, section)[0])[1])


def map_table(sections=SECTIONS):
    """The table of the map in 00."""
    rows = ["| | lesson | its question | minutes | exercise |", "|---|---|---|---|---|"]
    for section in sections:
        exercise = f"[{section.number}](exercises/release/{section.name}/{section.name}.ipynb)"
        lesson = f"[{section.title}]({section.name}.ipynb)"
        rows.append(f"| **{section.number}** | {lesson} | {section.asks} | {minutes(section)} | {exercise} |")
    return "\n".join(rows)


def replaced(text, table):
    """The text with its table replaced by this one, found by the same head."""
    return re.sub(re.escape(table.split("\n")[0]) + r"\n(\|.*\n?)*", lambda _: table + "\n", text)


def write(root=ROOT):
    """Put the tables in their places; nothing else there changes."""
    readme = root / "README.md"
    text = replaced(replaced(readme.read_text(encoding="utf-8"), lessons_table()), models_table())
    readme.write_text(text, encoding="utf-8")
    path = root / f"notebooks/{START.name}.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["id"] == "map":
            cell["source"] = replaced("".join(cell["source"]), map_table()).splitlines(keepends=True)
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
    found = [f"{section.name}: {each}" for section in SECTIONS for each in missing(section)]
    sys.exit("\n".join(found) or print(f"{len(SECTIONS)} sections, nothing missing"))
