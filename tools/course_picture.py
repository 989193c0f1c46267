"""Take the README's picture: section 01 in JupyterLab, its first live figure awake."""

import shutil
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

from bayeslib.plots.canvas import few_colours
from tools import browser

ROOT = Path(__file__).parents[1]


def lesson(target):
    with tempfile.TemporaryDirectory() as folder:
        for path in (ROOT / "notebooks").glob("*.ipynb"):
            shutil.copy(path, folder)
        with browser.jupyterlab(Path(folder)) as address, browser.browser() as chromium:
            page = browser.open_notebook(
                chromium, address, "01-bayes-theorem.ipynb", viewport={"width": 1100, "height": 1340}
            )
            page.keyboard.press("Control+b")
            browser.run_all(page)
            cell = browser.cell(page, "predict-first")
            cell.get_by_role("radio").nth(3).check()
            cell.get_by_role("button", name="Lock in my guess").click()
            cell.locator("canvas[data-key]").wait_for()
            browser.cell(page, "predict-first")
            page.mouse.click(5, 400)
            page.wait_for_timeout(1000)
            shot = Image.open(BytesIO(page.screenshot()))
    few_colours(shot, 128).save(target, optimize=True)


if __name__ == "__main__":
    lesson(ROOT / "docs" / "course.png")
