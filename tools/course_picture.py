"""Take the README's picture of the course: section 01 in JupyterLab, its first live figure awake."""

import shutil
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests import lab  # noqa: E402


def main(target=ROOT / "docs" / "course.png"):
    with tempfile.TemporaryDirectory() as folder:
        for path in (ROOT / "notebooks").glob("*.ipynb"):
            shutil.copy(path, folder)
        with lab.jupyterlab(Path(folder)) as address, lab.browser() as browser:
            page = lab.open_notebook(
                browser, address, "01-bayes-theorem.ipynb", viewport={"width": 1100, "height": 1340}
            )
            page.keyboard.press("Control+b")
            lab.run_all(page)
            cell = lab.cell(page, "predict-first")
            cell.get_by_role("radio").nth(3).check()
            cell.get_by_role("button", name="Lock in my guess").click()
            cell.locator('img[data-sharp="true"]').wait_for()
            lab.cell(page, "predict-first")
            page.mouse.click(5, 400)
            page.wait_for_timeout(1000)
            shot = Image.open(BytesIO(page.screenshot()))
    shot.convert("RGB").quantize(128, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        target, optimize=True
    )
    print(target.relative_to(ROOT), target.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
