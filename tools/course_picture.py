"""Take the README's pictures: section 01 in JupyterLab, its first live figure awake, and section 10's k-means and EM, moving."""

import shutil
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

from bayeslib import live
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
            cell.locator('img[data-sharp="true"]').wait_for()
            browser.cell(page, "predict-first")
            page.mouse.click(5, 400)
            page.wait_for_timeout(1000)
            shot = Image.open(BytesIO(page.screenshot()))
    few_colours(shot, 128).save(target, optimize=True)


def animation(target, most=24):
    """The first steps of the player, pausing on the last."""
    figure, frames = live.kmeans_and_em(), []
    for step in range(min(most, figure.controls["step"].max + 1)):
        figure.set(step=step)
        frames.append(few_colours(figure.canvas.pixels(), 48))
    times = [700] * (len(frames) - 1) + [3000]
    frames[0].save(target, save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=True)


if __name__ == "__main__":
    for name, make in {"course.png": lesson, "k-means-and-em.gif": animation}.items():
        target = ROOT / "docs" / name
        make(target)
        print(target.relative_to(ROOT), target.stat().st_size, "bytes")
