"""A real JupyterLab in a real Chromium, or a section's slides, and what the tests and benchmarks do with them."""

import asyncio
import json
import threading
import time
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from tools.browser import (
    HOW,
    await_slides,
    browser,
    cell,
    chromium,
    jupyterlab,
    new_page,
    open_notebook,
    open_slides,
    run_all,
    served,
    slides,
)

__all__ = [
    "HOW",
    "await_slides",
    "browser",
    "cell",
    "chromium",
    "jupyterlab",
    "new_page",
    "open_notebook",
    "open_slides",
    "run_all",
    "served",
    "slides",
]
ROOT = Path(__file__).parents[1]
IMAGE = ".bayeslib-frame canvas"


@contextmanager
def far(address):
    """The same server, as far away as wished: a proxy that holds every piece back. Yields its address and `away`, a function
    that sets how many seconds each direction takes; at first none, so that the page loads soon."""
    target = int(address.rsplit(":", 1)[1])
    loop, seconds = asyncio.new_event_loop(), [0.0]

    async def carry(reader, writer):
        """Pieces go on in order, each when it has waited long enough."""
        waiting = asyncio.Queue()

        async def read():
            with suppress(OSError):  # a page that is closed resets its line
                while piece := await reader.read(65536):
                    waiting.put_nowait((loop.time() + seconds[0], piece))
            waiting.put_nowait((loop.time() + seconds[0], b""))

        reading = loop.create_task(read())
        try:
            while True:
                due, piece = await waiting.get()
                await asyncio.sleep(due - loop.time())
                if not piece:
                    break
                writer.write(piece)
                await writer.drain()
        except OSError:
            pass
        finally:
            reading.cancel()
            writer.close()

    async def connect(reader, writer):
        there = await asyncio.open_connection("127.0.0.1", target)
        with suppress(asyncio.CancelledError):  # the proxy closes
            await asyncio.gather(carry(reader, there[1]), carry(there[0], writer), return_exceptions=True)

    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(asyncio.start_server(connect, "127.0.0.1", 0), loop).result(10)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", partial(seconds.__setitem__, 0)
    finally:

        async def close():
            server.close()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for each in others:
                each.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(close(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
        loop.close()


def state(cell):
    """What a reader sees of a figure: the key of its frame, the picture itself, the caption."""
    image = cell.locator(IMAGE)
    pixels = image.evaluate(
        """(image) => {
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [90, 42];
            canvas.getContext("2d").drawImage(image, 0, 0, 90, 42);
            return canvas.toDataURL();
        }"""
    )
    return json.loads(image.get_attribute("data-key")), pixels, cell.locator("figcaption").inner_text()


def wait_for(cell, condition):
    """Until the frame's state fulfils the condition."""
    for _ in range(1200):
        key = cell.locator(IMAGE).get_attribute("data-key")  # none while it moves
        if key and condition(json.loads(key)):
            return
        time.sleep(0.05)
    raise AssertionError(f"never seen: the frame stayed at {cell.locator(IMAGE).get_attribute('data-key')}")


def reveal(page, cell_id):
    """The figure behind a prediction, without a guess, at its opening values and its last step."""
    found = cell(page, cell_id)
    if not found.locator(IMAGE).count():
        found.get_by_role("button", name="Show me without a guess").click()
        found.locator(IMAGE).wait_for()
        page.wait_for_timeout(1000)  # the figure is scrolled into sight; a click while the page moves may miss
        assert found.get_by_role("status").inner_text() == ""
        found.get_by_role("button", name="Tell the answer").click()
        found.get_by_role("status").filter(has_text="The answer is").wait_for()
        found.get_by_role("button", name="reset").click()
        page.wait_for_timeout(500)
    elif found.get_by_role("button", name="Show me without a guess").is_visible():  # third edition: at once
        found.get_by_role("button", name="Show me without a guess").click()
        found.locator(".bayeslib-reveal").wait_for()
        found.get_by_role("button", name="reset").click()
        page.wait_for_timeout(500)
        wait_for(found, lambda key: True)  # it has come to rest
    return found


WATCH = """(cell) => {
    const root = document.querySelector(`[data-cell="${cell}"]`);
    window.watched = { frames: 0, blanks: 0, pictures: new Set(), on: true };
    const look = () => {
        const image = [...root.querySelectorAll(".jp-OutputArea canvas")].at(-1);
        watched.frames += 1;
        if (!image?.width) watched.blanks += 1;
        else watched.pictures.add(image.dataset.key);
        if (watched.on) requestAnimationFrame(look);
    };
    look();
}"""


def fast_drag(page, cell_id):
    """Drag a cell's first slider over its whole range by mouse: frames seen, those without a picture, pictures shown."""
    found = cell(page, cell_id)
    found.locator(".noUi-handle").first.hover()  # scrolls it into view and waits until it stands still
    handle, track = (found.locator(part).first.bounding_box() for part in (".noUi-handle", ".noUi-target"))
    page.evaluate(WATCH, cell_id)
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    page.mouse.down()
    for part in range(81):
        page.mouse.move(track["x"] + track["width"] * part / 80, handle["y"] + 5)
        page.wait_for_timeout(8)
    page.mouse.up()
    page.wait_for_timeout(500)
    return page.evaluate("() => { watched.on = false; return { ...watched, pictures: watched.pictures.size } }")


def contrast(one, two):
    """Of two colours, red, green and blue from 0 to 1, by the rule of WCAG 2."""

    def light(colour):
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted([light(one), light(two)])
    return (high + 0.05) / (low + 0.05)
