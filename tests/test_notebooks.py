"""The stored lessons: one clean Run All each, readable without a kernel, with slides and notes. (nbval runs them.)"""

import re
from pathlib import Path

import nbformat
import pytest
from ipykernel.ipkernel import IPythonKernel

from bayeslib.sections import BY_NUMBER, SECTIONS

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
SLIDES = {"slide", "subslide", "fragment", "skip", "notes", "-"}


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def lesson(request):
    notebook = nbformat.read(request.param, as_version=4)
    nbformat.validate(notebook)
    notebook.path = request.param
    return notebook


def code(lesson):
    return [cell for cell in lesson.cells if cell.cell_type == "code"]


def outputs(lesson):
    return [output for cell in code(lesson) for output in cell.outputs]


def test_it_is_one_clean_run_all(lesson):
    assert [cell.execution_count for cell in code(lesson)] == list(range(1, len(code(lesson)) + 1))
    assert not [output for output in outputs(lesson) if output.output_type == "error"]
    assert not [output for output in outputs(lesson) if output.get("name") == "stderr"]


def test_it_holds_no_widget_state_and_no_path_of_a_machine(lesson):
    text = lesson.path.read_text()
    assert "widget-view" not in text and "widgets" not in lesson.metadata
    assert set(lesson.metadata) == {"kernelspec", "language_info"}
    assert (
        lesson.metadata.kernelspec == KERNEL
        and lesson.metadata.language_info.keys() == IPythonKernel.language_info.keys()
    )
    assert not re.search(r"/(root|home|work|tmp|Users)/\w", text)
    assert lesson.path.stat().st_size < 1_000_000


def test_every_picture_has_its_words(lesson):
    for output in outputs(lesson):
        data = output.get("data", {})
        if "image/png" in data:
            assert len(data["text/plain"]) > 40 and "<img alt=" in data["text/html"]
        for alt in re.findall(r'<img alt="([^"]*)"', data.get("text/html", "")):
            assert len(alt) > 40


def test_cells_are_short_and_carry_slide_metadata(lesson):
    for cell in lesson.cells:
        assert cell.metadata["slideshow"]["slide_type"] in SLIDES, cell.id
    assert all(len(cell.source.splitlines()) <= 12 for cell in code(lesson))
    assert lesson.cells[0].source.startswith("# ") and lesson.cells[0].metadata.slideshow.slide_type == "slide"


def test_links_between_lessons_lead_somewhere(lesson):
    for cell in lesson.cells:
        for target in re.findall(r"\]\(([^)#]+)", cell.source):
            assert (lesson.path.parent / target).exists(), target


def test_a_lesson_and_its_exercise_lead_to_each_other(lesson):
    if lesson.path.stem not in {each.name for each in SECTIONS}:
        return
    exercise = Path("exercises", "release", lesson.path.stem, lesson.path.name)
    assert f"]({exercise.as_posix()})" in lesson.cells[-1].source + lesson.cells[-2].source
    back = nbformat.read(lesson.path.parent / exercise, as_version=4).cells[0].source
    assert f"](../../../{lesson.path.name})" in back


def test_nothing_is_fetched(lesson):
    everything = [cell.source for cell in lesson.cells] + [str(output.get("data", "")) for output in outputs(lesson)]
    assert not [text for text in everything if re.search(r"""(src|href)=["']?https?:|import (requests|urllib)""", text)]


def test_a_section_asks_before_it_shows_and_ends_with_practice_quiz_and_recap(lesson):
    if BY_NUMBER[lesson.path.stem.partition("-")[0]].edition != 2:
        return
    sources = [cell.source for cell in lesson.cells]
    text = "\n".join(sources)
    for part in ("Builds on", "you can", "## Practice", "## Quiz", "## Recap", "**Next:**"):
        assert part in text, part
    asked = [source for source in sources if "live.predict(" in source]
    assert (
        next(cell.source for cell in code(lesson) if re.search(r"live\.(?!drawing|points|source|curves)", cell.source))
        == asked[0]
    ), "the first figure shows before it asks"
    assert text.count("live.quiz(") >= 5
    notes = [cell for cell in lesson.cells if cell.metadata.slideshow.slide_type == "notes"]
    assert len(notes) >= len(asked) - 1 and all("For the lecturer" in cell.source for cell in notes)


def test_the_source_that_a_lesson_shows_is_that_of_the_package_and_fits_a_slide(lesson):
    """Such a cell is marked for nbval to run, not to compare: a changed line of the package is found here."""
    names = {}
    for cell in code(lesson):
        if cell.id == "setup":
            exec(cell.source, names)
        if not cell.source.startswith("live.source("):
            continue
        shown = eval(cell.source, names)
        assert cell.outputs[0].data["text/plain"] == shown.text, "run make store"
        assert cell.outputs[0].data["text/markdown"] == f"```python\n{shown.text}\n```"
        assert "nbval-ignore-output" in cell.metadata.tags and 1 <= len(shown.codes) <= 3
        for name, text in shown.codes.items():
            assert len(text.splitlines()) <= 25 and max(map(len, text.splitlines())) <= 110, name
            assert ">>>" not in text
        before, after = (lesson.cells[lesson.cells.index(cell) + way] for way in (-1, 1))
        assert before.cell_type == after.cell_type == "markdown" and "?" in after.source.partition("<details>")[0]
