"""The table of sections: what follows from it is there, and a new row is told what it lacks."""

import json

import pytest

import bayeslib as bl
from bayeslib.sections import LESSONS, SECTIONS, Section
from tests.lab import ROOT
from tools.sections import FILES, hours, lessons_table, map_table, minutes, missing, models_table

README = (ROOT / "README.md").read_text(encoding="utf-8")
BOOSTED = Section(
    "17", "gradient-boosting", "Gradient boosting", "Can the errors teach?", {"gradients": ["Trees"]}, "trees"
)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.name)
def test_a_section_lacks_nothing(section):
    """To add a section, add its row to bayeslib/sections.py and run this."""
    assert not list(missing(section))


def test_a_new_row_is_told_every_file_that_it_lacks():
    told = "\n".join(missing(BOOSTED, lessons=(*LESSONS, BOOSTED)))
    for name in (
        "bayeslib/models/gradients.py",
        "tests/test_gradients.py",
        "bayeslib/plots/gradient_boosting.py",
        "bayeslib/live/gradient_boosting.py",
        "bayeslib/sections/s17_gradient_boosting/questions.toml",
        "bayeslib/sections/s17_gradient_boosting/tasks.py",
        "tests/sections/test_s17.py",
        "notebooks/17-gradient-boosting.ipynb",
        "notebooks/exercises/source/17-gradient-boosting/17-gradient-boosting.ipynb",
        "notebooks/exercises/references/17-gradient-boosting.py",
        "notebooks/exercises/release/17-gradient-boosting/17-gradient-boosting.ipynb: run make release",
    ):
        assert f"there is no {name}" in told
    assert "notebooks/16-bagging-and-boosting.ipynb does not lead on to 17-gradient-boosting.ipynb" in told


def test_a_new_section_touches_at_most_twelve_files():
    """Those that it is told it lacks, the lesson before it and the table; what make writes is not touched."""
    by_hand = [each for each in missing(BOOSTED, lessons=(*LESSONS, BOOSTED)) if "run make" not in each]
    assert len(by_hand) + 1 <= 12
    assert len([each for each in by_hand if each.startswith("there is no")]) == len(FILES) + 2 * len(BOOSTED.models)


def test_a_lesson_with_another_title_is_told_so():
    other = SECTIONS[0]._replace(title="Probability")
    assert "does not begin with '# 01 · Probability'" in "".join(missing(other, lessons=(LESSONS[0], other)))


def test_numbers_run_and_no_name_is_used_twice():
    assert [each.number for each in LESSONS] == [f"{number:02}" for number in range(len(LESSONS))]
    assert len({each.slug for each in LESSONS}) == len({each.title for each in LESSONS}) == len(LESSONS)


def test_no_file_of_a_section_is_outside_the_table():
    """A lesson, an exercise or a figure without a row would be shown to nobody."""
    names = {each.name for each in SECTIONS}
    assert {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")} == {each.name for each in LESSONS}
    for kind in ("source", "release", "references"):
        assert {path.stem for path in (ROOT / "notebooks/exercises" / kind).iterdir() if path.name[0] != "_"} == names
    numbers = {each.number for each in SECTIONS}
    assert {path.name for path in (ROOT / "bayeslib/sections").glob("s*")} == {each.folder for each in SECTIONS}
    assert {path.stem[-2:] for path in (ROOT / "tests/sections").glob("test_s*.py")} == numbers


def test_every_public_function_of_a_live_module_is_a_figure_and_no_two_share_a_name():
    from bayeslib import live
    from tests.figures import FIGURES

    found = [name for section in SECTIONS for name in live.figures(section)]
    assert len(set(found)) == len(found) and set(found) == set(FIGURES)
    assert set(found) < set(live.__all__) and len(set(live.__all__)) == len(live.__all__)


def test_the_map_and_the_readme_are_made_from_the_table():
    assert lessons_table() + "\n" in README and models_table() + "\n" in README, "run make sections"
    cells = json.loads((ROOT / "notebooks/00-start-here.ipynb").read_text(encoding="utf-8"))["cells"]
    map_cell = "".join(next(cell["source"] for cell in cells if cell["id"] == "map"))
    assert map_table() + "\n" in map_cell and hours() in map_cell, "run make sections"


def test_the_minutes_are_those_of_the_lessons_heads(tmp_path):
    (tmp_path / "notebooks").mkdir()
    head = "**Core: 55 minutes.** With all that is marked *more*: 95. Practice and quiz: 30 more. **Builds on** section 01."
    notebook = {"cells": [{"source": f"# 01 · Title\n\n*Why?*\n\n{head}"}]}
    (tmp_path / f"notebooks/{SECTIONS[0].name}.ipynb").write_text(json.dumps(notebook))
    assert minutes(SECTIONS[0], tmp_path) == (55, 40, 30)


def test_every_name_that_the_table_offers_is_there():
    offered = [name for section in SECTIONS for names in section.models.values() for name in names]
    assert all(callable(getattr(bl, name)) for name in offered) and set(offered) < set(bl.__all__)
