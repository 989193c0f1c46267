"""A player as a film, gliding as on the page: make film FIGURE=kmeans_and_em, to build/films, or to the file TO.

An MP4 where ffmpeg is at hand, else a GIF, by what TO ends in if it is given. What draws is the page's own script.
"""

import base64
import shutil
import subprocess
import sys
import tempfile
from io import BytesIO
from itertools import islice
from pathlib import Path

from PIL import Image

from bayeslib import live
from bayeslib.figures import theme
from bayeslib.figures.figure import HERE
from bayeslib.plots.canvas import few_colours
from tools import browser

ROOT = Path(__file__).parents[1]
# A page that stands still until it is told what time it is.
OPEN = """async ([light, dark, fonts]) => {
    let clock = 0, waiting = [];
    performance.now = () => clock;
    window.requestAnimationFrame = (act) => waiting.push(act);
    window.cancelAnimationFrame = () => { waiting = []; };
    window.pass = (time) => { clock += time; const now = waiting; waiting = []; now.forEach((act) => act()); };
    fonts = fonts.map((font) => ({ ...font, data: `url(data:font/woff;base64,${font.data})` }));
    const known = { light, dark, fonts, motion: true };
    made.initialize({ model: { get: (name) => known[name], on() {} } });
    await Promise.all(["16px", "bold 16px", "italic 16px"].map((face) => document.fonts.load(`${face} "Course Sans"`)));
    const makeStage = await bayeslibStage.promise;
    window.put = (opening, dark) => {
        document.documentElement.dataset.theme = dark ? "dark" : "light";
        window.model = { opening, narrow: 0, layouts: ["wide"], answered: 0, mark_keys: {}, dragged: {} };
        document.body.innerHTML = `<figure style="margin: 0; width: ${opening.wide.size[0]}px"></figure>`;
        window.shown = makeStage({ get: (name) => model[name], set() {}, save_changes() {} }, document.querySelector("figure"), () => {});
    };
    const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
    window.go = ({ opening, ...state }) => {
        if (!same(opening, model.opening)) model.opening = opening;
        shown.show({ ...state, alt: "" });
    };
}"""


def state_of(figure):
    """What a page is told of a figure's present state."""
    return {name: getattr(figure.view, name) for name in ("opening", "change", "key", "pace", "by")}


class Stage:
    """A page that draws scenes, without a kernel, in a browser of Playwright's."""

    def __init__(self, chromium, scale=1):
        self.page = chromium.new_page(device_scale_factor=scale, viewport={"width": 1000, "height": 900})
        code = (HERE / "scene.js").read_text(encoding="utf-8").replace("export default", "window.made =")
        self.page.add_script_tag(content=f"(() => {{\n{code}\n}})()")
        fonts = [{**font, "data": base64.b64encode(font["data"]).decode()} for font in theme.page_fonts()]
        self.page.evaluate(OPEN, [theme.LIGHT, theme.DARK, fonts])

    def put(self, figure, dark=False):
        """Take a figure onto the page."""
        self.paper = (theme.DARK if dark else theme.LIGHT)["paper"]
        self.page.evaluate("([opening, dark]) => put(opening, dark)", [figure.view.opening, dark])
        self.page.wait_for_timeout(100)  # its size is seen

    def show(self, state, pace=None):
        """Begin to glide to a state, as `state_of` gives it."""
        self.page.evaluate("(state) => go(state)", {**state, **({} if pace is None else {"pace": pace})})

    def after(self, *times):
        """The picture after so many milliseconds more."""
        for time in times:
            self.page.evaluate("(time) => pass(time)", time)
        data = self.page.evaluate("() => document.querySelector('canvas').toDataURL().split(',')[1]")
        picture = Image.open(BytesIO(base64.b64decode(data))).convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", picture.size, self.paper), picture).convert("RGB")


def frames(figure, stage, every, rest):
    """(picture, milliseconds) of the film: each step glides, then rests; it begins with the first step."""
    figure.set(step=0)
    stage.put(figure)
    stage.show(state_of(figure), 0)
    yield stage.after(0, 1000), rest
    last = figure.controls["step"].max
    for step in range(1, last + 1):
        figure.set(step=step)
        stage.show(state_of(figure))
        for _ in range(figure.view.pace // every):
            yield stage.after(every), every
        yield stage.after(every, 1000), rest if step < last else 4 * rest


def gif(pictures, target, most=61, colours=96):
    """The first pictures as a GIF, all in the same colours."""
    shown, times = zip(*islice(pictures, most))
    sample = Image.new("RGB", (shown[0].width, 3 * shown[0].height))
    for row, picture in enumerate((shown[0], shown[len(shown) // 2], shown[-1])):
        sample.paste(picture, (0, row * picture.height))
    palette = few_colours(sample, colours)
    first, *others = (picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in shown)
    first.save(target, save_all=True, append_images=others, duration=[*times[:-1], 3000], loop=0, optimize=True)


def mp4(pictures, target):
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "list.txt"
        with listed.open("w") as file:
            for number, (picture, time) in enumerate(pictures):
                picture.save(Path(folder) / f"{number}.png")
                file.write(f"file {number}.png\nduration {time / 1000}\n")
        even = "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p"  # what players take
        subprocess.run(
            ["ffmpeg", "-y", "-loglevel", "error", "-f", "concat", "-i", listed, "-vf", even, target], check=True
        )


def write(name, target):
    """The film of a player of `bayeslib.live`."""
    make = getattr(live, name, None)
    if not hasattr(make, "spec") or make.spec.history is None:
        known = [
            each
            for each in live.__all__
            if getattr(getattr(getattr(live, each), "spec", None), "history", None) is not None
        ]
        raise SystemExit(f"FIGURE must be a player that glides, one of {', '.join(known)}, got {name!r}")
    is_gif = target.suffix == ".gif"
    with browser.browser() as chromium:
        stage = Stage(chromium, 1 if is_gif else 2)
        (gif if is_gif else mp4)(frames(make(), stage, 100 if is_gif else 40, 700), target)


if __name__ == "__main__":
    name, to = (sys.argv + ["", ""])[1:3]
    target = Path(to) if to else ROOT / "build" / "films" / f"{name}.{'mp4' if shutil.which('ffmpeg') else 'gif'}"
    target.parent.mkdir(parents=True, exist_ok=True)
    write(name, target)
    print(target, target.stat().st_size, "bytes")
