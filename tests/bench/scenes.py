"""Would frames drawn ahead for a far kernel pay as draw commands? (See bayeslib/live/ahead.py and tools/site/scene.py.)"""

import base64
import json
import time
import zlib
from pathlib import Path

from playwright.sync_api import sync_playwright

from bayeslib.live.ahead import ladder
from tests import lab
from tests.bench import Ratio, row
from tests.figures import FIGURES
from tools.browser import FLAGS
from tools.site import scene

KINDS = {"posterior_curve": "lines", "population": "dots", "map_regions": "images", "bagging_votes": "a short range"}
# In the page, as frame.js keeps them: images, loaded and not yet decoded; or what scene.js makes of commands.
KEEP = {
    "pixels": """async (frames) => {
        window.kept = await Promise.all(frames.map(async (data) => {
            const image = Object.assign(new Image(), { decoding: "sync" });
            image.src = URL.createObjectURL(await (await fetch(`data:image/png;base64,${data}`)).blob());
            await new Promise((loaded) => (image.onload = loaded));
            URL.revokeObjectURL(image.src);
            return image;
        }));
        window.show = (number) => document.body.replaceChildren(kept[number]);
    }""",
    "scenes": """async ([book, fonts]) => {
        const face = ([name, data]) => new FontFace(name, `url(data:font/woff;base64,${data})`).load();
        (await Promise.all(Object.entries(fonts).map(face))).forEach((each) => document.fonts.add(each));
        const bytes = Uint8Array.from(atob(book), (letter) => letter.charCodeAt(0));
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
        window.kept = new Scene(await new Response(stream).json());
        const canvas = sheet(kept.width, kept.height);
        document.body.replaceChildren(canvas);
        window.show = (number) => kept.draw(canvas, number, false);
    }""",
}
FLIP = """async (order) => {
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    await painted();
    const begin = performance.now();
    for (const number of order) await (show(number), painted());
    return performance.now() - begin;
}"""


@row
def frames_as_scenes():
    """A warmed range as scenes beside PNG frames: bytes on the way, memory of the page, CPU in the kernel, pictures a second.

    Frames ahead would become scenes with a tenth of the bytes, a fifth of the memory and no fewer pictures. Bytes are a
    hundredth, and memory of a long range well under a fifth; but the page takes longer to draw dots and images
    than to flip PNG frames, and a short range saves little memory. So pixels stay.
    """
    ratios = []
    for name, kind in KINDS.items():
        size, seconds, *content = _scenes(name)
        png_size, png_seconds, *png_content = _pixels(name)
        (held, rate), (png_held, png_rate) = _shown("scenes", *content), _shown("pixels", *png_content)
        count = len(png_content[1])
        for what, ours, peer, limit, unit in (
            ("bytes of the range", size / 1e3, png_size / 1e3, 0.1, "kB"),
            ("memory of the page", held, png_held, 0.2, "MB"),
            ("CPU to draw and encode", 1e3 * seconds / count, 1e3 * png_seconds / count, 1, "ms a picture"),
            ("time of the page to show", 1e3 / rate, 1e3 / png_rate, 1, "ms a picture"),
        ):
            told = f"{ours:.3g} and {peer:.3g} {unit}, {count} frames"
            ratios.append(Ratio(f"{name} ({kind}): {what}", ours / peer, f"would pay at {limit} or less", None, told))
    return ratios


def _range(name):
    """The figure and its states along the first main slider, as ahead.py draws them; the model has answered each once."""
    figure = FIGURES[name]()
    states = [{**figure.values, figure.main[0]: value} for value, _ in ladder(figure.controls[figure.main[0]])]
    for values in states:
        figure.frame_at(values)
    return figure, states


def _pixels(name):
    """(bytes, CPU seconds, what the page gets, its frames in order)"""
    figure, states = _range(name)
    begin = time.process_time()
    frames = [figure.frame_at(values)[0] for values in states]
    taken = time.process_time() - begin
    return sum(map(len, frames)), taken, [base64.b64encode(each).decode() for each in frames], list(range(len(frames)))


def _scenes(name):
    """The same; a message is what is new in its frame, deflated after those before. Fonts go once for all figures."""
    figure, states = _range(name)
    figure.canvas = scene.Scene(figure.figure)
    figure.canvas.commands()
    book, stream, size, order = scene.SceneArchive(figure.view.width, figure.view.height), zlib.compressobj(), 0, []
    begin = time.process_time()
    for values in states:
        known = len(book.styles), len(book.commands)
        figure._pose(values)
        order.append(book.add(figure.canvas.commands()))
        new = *(list(each)[at:] for each, at in zip((book.styles, book.commands), known)), list(book.frames)[order[-1]]
        text = json.dumps(new, ensure_ascii=False, separators=(",", ":"))
        size += len(stream.compress(text.encode()) + stream.flush(zlib.Z_SYNC_FLUSH))
        figure._pose(figure.values)
    taken = time.process_time() - begin
    fonts = json.loads(scene.fonts(book.letters()).partition("const FONTS = ")[2].rstrip(";\n"))
    return size, taken, [base64.b64encode(zlib.compress(book.text().encode())).decode(), fonts], order


def _shown(what, content, order):
    """In a browser of its own that waits for no screen: (megabytes that the range adds, pictures a second)."""
    with sync_playwright() as playwright:
        flags = [*FLAGS, "--disable-frame-rate-limit", "--disable-gpu-vsync"]
        browser = playwright.chromium.launch(executable_path=lab.chromium(), args=flags)
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.add_script_tag(content=(Path(scene.__file__).parent / "scene.js").read_text())
        devtools = browser.new_browser_cdp_session()
        before = _megabytes(devtools, page)
        page.evaluate(KEEP[what], content)
        milliseconds = page.evaluate(FLIP, order)
        added = _megabytes(devtools, page) - before
        browser.close()
    return added, 1000 * len(order) / milliseconds


def _megabytes(devtools, page):
    """What the browser's processes hold, of shared memory their share, once garbage is collected."""
    page.context.new_cdp_session(page).send("HeapProfiler.collectGarbage")
    page.wait_for_timeout(1500)
    found = devtools.send("SystemInfo.getProcessInfo")["processInfo"]
    rolled = [Path(f"/proc/{each['id']}/smaps_rollup").read_text() for each in found]
    return sum(int(each.split("Pss:")[1].split()[0]) for each in rolled) / 1000
