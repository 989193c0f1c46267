"""Lessons in real JupyterLab in real Chromium: Run All, no error, and each of their figures opens and moves.

Every second lesson is opened here, the others on slides (tests/test_lecture.py); FULL=1 opens all of them in both.
"""

import nbformat
import pytest

from tests import lab
from tests.figures import half
from tests.lab import IMAGE

LESSONS = sorted((lab.ROOT / "notebooks").glob("[0-9][0-9]-*.ipynb"))

FAILED = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter((each) => each.model.type === "code" && each.outputArea.node.querySelector("[data-mime-type*=stderr], [data-mime-type*=error]"))
    .map((each) => each.model.id)"""


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    for path in LESSONS:
        (folder / path.name).write_bytes(path.read_bytes())
    with lab.jupyterlab(folder) as address:
        yield address


@pytest.mark.heavy
@pytest.mark.parametrize("path", half(LESSONS, 0), ids=lambda path: path.stem[:2])
def test_run_all_and_move_every_figure(path, served, chromium):
    page = lab.open_notebook(chromium, served, path.name, viewport={"width": 1280, "height": 720})
    lab.run_all(page)
    assert page.evaluate(FAILED) == []
    for each in nbformat.read(path, 4).cells:
        if each.cell_type != "code" or "live." not in each.source:
            continue
        cell = lab.cell(page, each.id)
        if "live.predict(" in each.source:
            cell.get_by_role("button", name="Show me without a guess").click()
            cell.locator(IMAGE).wait_for()
            page.wait_for_timeout(700)  # the figure is scrolled into sight
        if cell.locator(IMAGE).count() and cell.get_by_role("slider").count():
            assert moves(page, cell), f"{each.id}: no slider moves the picture"
    assert page.errors == []
    page.close()


def moves(page, cell):
    """Whether the first slider that can move moves the picture, its key and its caption."""
    before = seen(cell)
    for slider in cell.get_by_role("slider").all():
        for key in ("ArrowRight", "ArrowLeft"):
            slider.press(key)
            for _ in range(40):
                page.wait_for_timeout(50)
                now = seen(cell)
                if now["key"] != before["key"]:
                    assert now["alt"] == now["caption"] and now["src"] != before["src"]
                    return True
    return False


def seen(cell):
    return cell.locator(".bayeslib-frame").evaluate(
        """(figure) => { const image = figure.querySelector("img"); return {
            key: image.dataset.key, src: image.src, alt: image.alt,
            caption: figure.querySelector("figcaption").textContent } }"""
    )
