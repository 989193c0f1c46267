"""The static site: opened from a file it flips, plays, answers and finds, asks no network, and shuts nobody out."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import zlib
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import pytest

from bayeslib import live
from bayeslib.questions.prose import plain
from bayeslib.questions.question import Question, names
from bayeslib.sections import LESSONS, SECTIONS
from tests.figures import PICTURED
from tests.test_hands import middle, touch
from tools import budget
from tools.site import narrow, states

ROOT = Path(__file__).parents[1]
HOW = "npm is missing: sudo apt-get install npm (it brings axe-core)"
LESSON = "01-bayes-theorem.html"
# One page of each kind.
KINDS = ["index.html", "00-start-here.html", LESSON, f"exercise-{LESSON}", "figures.html", "equations.html", "map.html"]
KINDS += ["teaching.html"]
SHOWN = re.compile(
    r"^live\.(?!quiz|start|raise_bet|predict\(\S+\)$|works_here|answers|source|look_again|points|curves|drawing)\w+\(|^figure$",
    re.MULTILINE,
)  # cells that show a figure


@cache
def built():
    """The site of two sections, made once; the folder is deleted when nobody knows it any more."""
    folder = TemporaryDirectory()
    subprocess.run([sys.executable, "-m", "tools.site", "00", "01", "--target", folder.name], cwd=ROOT, check=True)
    return folder


@pytest.fixture(scope="module")
def site():
    return Path(built().name)


# All settings of all figures take minutes; a few of each show as well that every lesson becomes a page.
BUILD = """
import sys
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tools import budget
from tools.site import build, states

states.STEPS = states.CROWDED = states.GRID = 3

def draw(paths, cache):
    with get_context("fork").Pool(2, maxtasksperchild=1) as pool:
        return pool.map(partial(states.draw, cache=cache), paths, chunksize=1)

build._draw = draw
build.build(Path(sys.argv[1], "site"), Path(sys.argv[1], "drawn"))
"""


@pytest.fixture(scope="module")
def whole(site, tmp_path_factory):
    """The site of all sections, with few settings of each figure."""
    folder = tmp_path_factory.mktemp("whole")
    subprocess.run([sys.executable, "-c", BUILD, folder], cwd=ROOT, check=True)
    return folder / "site"


class Visit:
    """A page opened from its file, or from the address of a server; it collects what was asked for and what went wrong."""

    def __init__(self, browser, folder, name=LESSON, width=1280, before="", **view):
        self.page = browser.new_page(viewport={"width": width, "height": 900}, **view)
        self.page.add_init_script(before)
        self.asked, self.errors = [], []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.base = folder if isinstance(folder, str) else folder.as_uri() + "/"
        self.goto(name)

    def goto(self, name):
        self.page.goto(self.base + name)

    def cell(self, name):
        return self.page.locator(f"#cell-{name}")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.page.close()
        assert error[0] or not self.errors
        assert error[0] or not [url for url in self.asked if not url.startswith((self.base, "data:", "blob:"))]


def pages(folder):
    return sorted(path.name for path in folder.glob("*.html"))


def reveal(cell):
    cell.get_by_role("button", name="Show me without a guess").click()
    cell.locator("canvas").wait_for()
    return cell.locator("canvas")


def words(canvas):
    return canvas.get_attribute("aria-label")


def answer(cell, number, button="Check"):
    """Answer a question; returns what it says."""
    cell.get_by_role("radio").nth(number).check()
    cell.get_by_role("button", name=button).click()
    return cell.get_by_role("status").first.inner_text()


# What the files hold


def check_links(folder, sections):
    """Each link leads to a page that is there and to a place on it; scripts and pictures too; none leads elsewhere."""
    texts = {name: (folder / name).read_text() for name in pages(folder)}
    ids = {name: set(re.findall(r' id="([^"]*)"', html)) for name, html in texts.items()}
    for name, html in texts.items():
        for target in re.findall(r'(?:href|src)="(?!data:)([^"]*)"', html):
            file, _, anchor = target.partition("#")
            section = re.match(r"(?:exercise-)?(\d\d)-", file)
            if section and section[1] not in sections:
                continue  # a section that was not asked for
            assert (folder / (file or name)).is_file() and (not anchor or anchor in ids[file or name]), (name, target)


def check_lesson(folder, name):
    cells = nbformat.read(ROOT / f"notebooks/{name}.ipynb", as_version=4).cells
    html, index = (folder / f"{name}.html").read_text(), (folder / "figures.html").read_text()
    figures = [cell.id for cell in cells if cell.cell_type == "code" and SHOWN.search(cell.source)]
    assert html.count('class="flips"') == len(figures)
    assert all(f"{name}.html#cell-{cell}" in index for cell in figures)
    assert html.count('class="question"') == len(list(budget.asked(cells)))
    for tag in re.findall(r"\\tag\{([\d.]+)\}", "".join(cell.source for cell in cells if cell.cell_type == "markdown")):
        assert f'id="eq-{tag}"' in html and f"#eq-{tag}" in (folder / "equations.html").read_text()
    lost = [cell.id for cell in cells if f'id="cell-{cell.id}"' not in html]
    assert lost in ([], ["how"]), "only how to read a notebook"


def test_each_figure_equation_and_question_is_on_its_page_and_links_lead_somewhere(site):
    check_links(site, {"00", "01"})
    check_lesson(site, "01-bayes-theorem")
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < 5e6
    assert "SIL Open Font License" in (site / "fonts/LICENSE.md").read_text()


def test_every_picture_has_words_and_is_stored_once(site):
    html = "".join((site / name).read_text() for name in pages(site))
    alts = re.findall(r'<img alt="([^"]*)" src="pictures/([^"]*)"', html)
    assert min(len(alt) for alt, _ in alts) > 40 and html.count("<img ") == len(re.findall(r'<img [^>]*alt="', html))
    assert {path.name for path in (site / "pictures").iterdir()} == {name for _, name in alts}
    used = set(re.findall(r'"scene": "(\w+)"', html))
    assert {path.stem for path in (site / "scenes").iterdir()} == used
    for name in used:
        packed = re.fullmatch(rf'SCENES\["{name}"\] = "([^"]*)";\n', (site / "scenes" / f"{name}.js").read_text())[1]
        recorded = json.loads(zlib.decompress(base64.b64decode(packed)))
        assert min(len(state["alt"]) for state in recorded.get("states", [{"alt": 21 * "x"}])) > 20
        for kind in {"marks", "frames"} & recorded.keys():
            stored = [json.dumps(each) for each in recorded[kind]]
            assert len(set(stored)) == len(stored)


def test_the_two_main_sliders_make_a_whole_grid():
    drawn = states.FigureStates(live.posterior_curve())
    assert tuple(drawn.pair) == drawn.figure.main
    sizes = [len(drawn.values[name]) for name in drawn.pair]
    assert min(sizes) >= 13
    opening = dict(zip(drawn.controls, next(iter(drawn.states.values()))["at"]))
    there = [dict(zip(drawn.controls, state["at"])) for state in drawn.states.values()]
    grid = {tuple(at[name] for name in drawn.pair) for at in there if at["found"] == opening["found"]}
    assert len(grid) == sizes[0] * sizes[1]


def test_every_figure_has_a_narrow_layout():
    assert set(narrow.LAYOUTS) == set(PICTURED)


# What a reader does


def test_sliders_and_presets_flip_the_picture_and_its_words(site, chromium):
    with Visit(chromium, site) as visit:
        cell = visit.cell("which-helps")
        canvas = reveal(cell)
        first, frame = words(canvas), canvas.get_attribute("data-frame")
        sick, flagged = cell.get_by_label("sick per 1000"), cell.get_by_label("flagged of 100")
        at_first = sick.input_value()
        for row, column in ((10, 12), (3, 0)):  # the two main sliders move together
            sick.fill(str(row))
            flagged.fill(str(column))
            assert (sick.input_value(), flagged.input_value()) == (str(row), str(column))
            assert words(canvas).startswith(f"{sick.get_attribute('aria-valuetext')} per 1000")
            assert words(canvas) in cell.locator("figcaption").inner_text() and cell.locator(".note").inner_text() == ""
        assert canvas.get_attribute("data-frame") != frame
        cell.get_by_label("found of 100 sick").fill("3")
        assert sick.input_value() == at_first and "went back" in cell.locator(".note").inner_text()
        cell.get_by_role("button", name="1% false alarms").click()
        assert "0.4414" in words(canvas) and flagged.get_attribute("aria-valuetext") == "1"
        cell.get_by_role("button", name="reset").click()
        assert words(canvas) == first


def test_a_mark_goes_to_what_was_drawn_nearest_by_mouse_finger_and_key(site, chromium):
    with Visit(chromium, site, has_touch=True, reduced_motion="reduce") as visit:
        cell, page = visit.cell("which-helps"), visit.page
        canvas, dot = reveal(cell), cell.get_by_role("button", name="the prior, as a dot on the curve")
        sick = lambda: int(words(canvas).partition(" per")[0])  # noqa: E731
        for way in ("mouse", "finger"):
            cell.get_by_role("button", name="reset").click()
            dot.scroll_into_view_if_needed()
            before, (x, y) = sick(), middle(dot)
            if way == "mouse":
                page.mouse.move(x, y)
                page.mouse.down()
                page.mouse.move(x + 200, y, steps=5)
                page.mouse.up()
            else:
                touch(page, "touchStart", (x, y))
                touch(page, "touchMove", (x + 100, y))
                touch(page, "touchMove", (x + 200, y))
                touch(page, "touchEnd")
            page.wait_for_timeout(300)
            assert sick() > 2 * before and middle(dot)[0] > x + 60
        there = sick()
        dot.press("ArrowRight")
        assert sick() > there
        dot.press("ArrowLeft")
        assert sick() == there


SHADE = """(canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let sum = 0, count = 0; // of what is drawn; the paper shows through
    for (let at = 0; at < data.length; at += 4)
        if (data[at + 3] > 128) (sum += data[at] + data[at + 1] + data[at + 2]), (count += 3);
    return sum / count;
}"""


@pytest.mark.heavy
def test_a_picture_is_as_fine_as_the_screen_follows_the_light_and_is_printed_light(site, chromium):
    view = {"width": 1000, "device_scale_factor": 2, "color_scheme": "dark"}
    with Visit(chromium, site, **view) as visit:
        visit.cell("square").scroll_into_view_if_needed()
        canvas = visit.cell("square").locator("canvas")
        canvas.wait_for()
        wide = canvas.evaluate("(e) => [e.width, 2 * e.clientWidth]")
        assert wide[0] == pytest.approx(wide[1], abs=1) and canvas.evaluate(SHADE) < 120
        for theme, is_dark in (("light", False), ("", True)):
            visit.page.evaluate(
                "(theme) => { document.documentElement.dataset.theme = theme; "
                "return new Promise((drawn) => setTimeout(() => requestAnimationFrame(drawn), 50)); }",
                theme,
            )
            visit.page.wait_for_timeout(100)
            assert (canvas.evaluate(SHADE) < 120) == is_dark
        visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert canvas.evaluate(SHADE) > 180


@pytest.mark.heavy
def test_a_figure_whose_file_is_missing_stands_still_and_says_so(site, chromium, tmp_path):
    shutil.copytree(site, tmp_path / "site", ignore=shutil.ignore_patterns("scenes"))
    page = chromium.new_page()
    page.goto((tmp_path / "site" / LESSON).as_uri())
    cell = page.locator("#cell-square")
    cell.scroll_into_view_if_needed()
    cell.get_by_text("stands still").wait_for()
    assert cell.locator("img").is_visible()
    page.close()


@pytest.mark.heavy
def test_a_player_plays_to_its_end_and_a_slider_is_reached_by_keys_alone(site, chromium):
    with Visit(chromium, site) as visit:
        cell, keys = visit.cell("first-positive"), visit.page.keyboard
        reveal(cell)
        step = cell.get_by_label("step", exact=True)
        cell.locator(".stage").focus()
        for key, at in (("Home", "0"), ("ArrowRight", "1"), ("Home", "0")):
            keys.press(key)
            assert step.input_value() == at
        keys.press("Space")
        assert cell.get_by_role("button", name="pause").is_visible()
        cell.get_by_role("button", name="play").wait_for()
        assert step.input_value() == step.get_attribute("max") == "3"
        cell = visit.cell("square")
        cell.scroll_into_view_if_needed()
        before = words(cell.locator("canvas"))
        cell.get_by_role("button", name="product").focus()
        while not visit.page.evaluate("document.activeElement.type === 'range'"):
            keys.press("Shift+Tab")
        keys.press("ArrowRight")
        assert "Product rule" in before != words(cell.locator("canvas"))


@pytest.mark.heavy
def test_nothing_is_told_before_it_is_asked_for_and_then_it_is(site, chromium):
    with Visit(chromium, site) as visit:
        text = visit.page.locator("main").inner_text()
        for question in map(Question, names("01")):
            assert "$" in question.prompt or plain(question.prompt) in text, question.name
            assert not [part for reply in question.replies for part in reply["parts"] if part in text], question.name
        assert "$" not in text and "\\frac" not in text and "\\mid" not in text
        widths = visit.page.evaluate(
            "[...document.querySelectorAll('main math')].map((e) => e.getBoundingClientRect().width)"
        )
        assert len(widths) > 50 and sum(width > 0 for width in widths) > 40  # the others are behind folds
        cell = visit.cell("first-positive")
        assert not cell.get_by_role("button", name="forward").is_visible()
        cell.get_by_role("button", name="Lock in my guess").click()
        answer(cell, 0, "Lock in my guess")
        assert "inverse fallacy" in cell.inner_text() and "One in five." in cell.inner_text()
        assert "0.2085" in words(cell.locator("canvas"))


class Guess(live.quiz):
    """What a prediction says, without its figure."""

    GUESS = live.predict.GUESS


# The replies of the page's model to the answers of each question.
REPLIES = """(asked) => asked.map(([question, answers]) => answers.map((answer) => {
    const model = new Asked(question);
    model.set("reply", { answer });
    model.save_changes();
    return [model.get("verdict"), model.get("feedback").trim()];
}))"""


@pytest.mark.heavy
def test_the_page_says_what_the_notebook_says_to_every_answer_of_every_question(site, chromium, answers_file):
    asked, said = [], []
    for kind, name in [(kind, name) for each in SECTIONS for name in names(each.number) for kind in (live.quiz, Guess)]:
        quiz = kind(name)
        given = [reply["value"] for reply in quiz.question.replies]
        if not quiz.question.is_choice:
            given += [-3, 0.25, 101, 12.3456789, 77.7, quiz.question.answer + 0.9 * quiz.question.tolerance]
        asked.append([quiz.page(), given])
        said.append([(quiz.answer(value), [quiz.form.verdict, quiz.form.feedback])[1] for value in given])
        answers_file.unlink(missing_ok=True)
    with Visit(chromium, site) as visit:
        assert visit.page.evaluate(REPLIES, asked) == said


@pytest.mark.heavy
def test_the_search_finds_a_word_forgives_a_typo_and_leads_there(site, chromium):
    with Visit(chromium, site, "index.html") as visit:
        visit.page.get_by_role("link", name="Search").click()
        visit.page.get_by_role("searchbox").fill("base rate")
        visit.page.wait_for_selector("#results li")
        assert visit.page.locator("#results a").first.inner_text() == "base rate"
        box, count = visit.page.get_by_role("searchbox"), visit.page.locator("#count")
        box.fill("bayse theorm")
        assert "theorem" in visit.page.locator("#results mark").all_inner_texts()
        assert count.inner_text().startswith("0 places, and ")
        box.fill("xylophone")
        assert count.inner_text() == "0 places"
        box.fill("odds multiplication")
        visit.page.locator("#results a").first.click()
        assert visit.page.url.endswith("01-bayes-theorem.html#Odds-make-it-a-multiplication")


@pytest.mark.heavy
def test_on_paper_the_folds_are_open_and_the_way_about_is_gone(site, chromium):
    with Visit(chromium, site) as visit:
        visit.page.emulate_media(media="print")
        for part in ("header", ".columns > nav", ".question form"):
            assert not visit.page.locator(part).first.is_visible()
        there = {"square": "Figure 1.", "task-flip-text": "A useless test", "quiz": "The answer is B."}
        assert all(visit.cell(name).get_by_text(text).first.is_visible() for name, text in there.items())


@pytest.mark.heavy
@pytest.mark.parametrize("width", [390, 820])
def test_a_phone_stacks_a_figure_and_moves_it(site, chromium, width):
    with Visit(chromium, site, width=width, has_touch=True, device_scale_factor=2) as visit:
        for name in ("which-helps", "read-second"):  # their narrow layouts
            canvas = reveal(visit.cell(name))
            visit.page.wait_for_timeout(100)
            across, down = canvas.evaluate("(e) => [e.clientWidth, e.clientHeight]")
            assert (across / down < 1.8) == (width == 390) and across <= width
            before = canvas.evaluate("(e) => e.toDataURL()")
            visit.cell(name).get_by_role("slider").first.press("ArrowLeft")
            visit.page.wait_for_timeout(100)
            assert canvas.evaluate("(e) => e.toDataURL()") != before


# Everybody


TARGETS = """() => [...document.querySelectorAll("button, select, summary, input, header a, nav a")].filter((each) => {
    const box = (each.type === "radio" ? each.closest("label") : each).getBoundingClientRect();
    const wanted = each.matches("button, input[type=range], select") ? 40 : 24;
    return each.checkVisibility() && box.width && each.className !== "skip" && (box.height < wanted || box.width < 24);
}).map((each) => each.outerHTML.slice(0, 100))"""
OPEN = """() => {
    document.querySelectorAll("form button[type=button]").forEach((each) => each.click());
    document.querySelectorAll("details").forEach((each) => (each.open = true));
}"""
# What sticks out of the page or is cut: nothing may, but in a box that scrolls.
OUT = """() => [...document.querySelectorAll("main *, header *, nav *")].filter((each) => {
    if (!each.checkVisibility() || each.closest("svg, .detail")) return false;
    for (let box = each.parentElement; box; box = box.parentElement)
        if (getComputedStyle(box).overflowX === "auto") return false;
    const { left, right, width } = each.getBoundingClientRect();
    return width && (right > document.documentElement.clientWidth + 0.5 || left < -0.5);
}).map((each) => each.outerHTML.slice(0, 120))"""


@cache
def axe():
    """The text of axe-core, which npm brings."""
    if shutil.which("npm") is None:
        pytest.fail(HOW) if os.environ.get("CI") == "true" else pytest.skip(HOW)
    folder = ROOT / "build" / "npm"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "tests/package.json", folder)
    quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
    subprocess.run(["npm", "install", *quiet], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return (folder / "node_modules/axe-core/axe.min.js").read_text()


def barriers(page):
    """What axe-core says shuts people out."""
    page.evaluate(axe())
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'], preload: false })")["violations"]
    return [
        f"{each['id']}: {each['help']} ({each['nodes'][0]['html'][:160]})"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


@pytest.mark.heavy
@pytest.mark.parametrize("name", [*KINDS, "search.html?q=prior"])
def test_nobody_is_shut_out_of_a_page_of_each_kind_by_day_and_by_night(site, chromium, name):
    for width, scheme in ((1280, "light"), (390, "dark")):
        with Visit(chromium, site, name, width, color_scheme=scheme, has_touch=width == 390) as visit:
            visit.page.evaluate(OPEN)
            visit.page.wait_for_timeout(200)
            assert not barriers(visit.page), (width, scheme)
            assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
            assert not visit.page.evaluate(OUT), (width, scheme)
            assert width == 1280 or not visit.page.evaluate(TARGETS), "too small for a finger"


@pytest.mark.heavy
def test_axe_sees_a_barrier(site, chromium):
    with Visit(chromium, site, "index.html") as visit:
        visit.page.evaluate("document.body.append(new Image())")
        assert [each for each in barriers(visit.page) if each.startswith("image-alt")]


# The whole


@pytest.mark.heavy
def test_the_whole_site_is_whole_and_each_page_is_small_fits_a_phone_and_moves(whole, chromium):
    check_links(whole, {lesson.number for lesson in LESSONS})
    for lesson in LESSONS:
        check_lesson(whole, lesson.name)
    with Visit(chromium, whole, "index.html") as visit:
        for name in pages(whole):
            visit.page.set_viewport_size({"width": 390, "height": 900})
            visit.asked.clear()
            visit.goto(name)
            visit.page.wait_for_load_state("networkidle")
            files = {re.split("[?#]", url)[0] for url in visit.asked if url.startswith("file:")}
            assert sum(Path(url.removeprefix("file://")).stat().st_size for url in files) < 1e6, name
            visit.page.evaluate(OPEN)
            for width in (390, 1280):
                visit.page.set_viewport_size({"width": width, "height": 900})
                assert visit.page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
                assert not visit.page.evaluate(OUT), (name, width)
            assert not visit.page.evaluate(MOVE_ALL), name
            assert not visit.errors, name


MOVE_ALL = """async () => {
    const broken = [];
    const set = (input, value, event) => () => { input.value = value; input.dispatchEvent(new Event(event)); };
    for (const box of document.querySelectorAll(".flips")) {
        const acts = [], seen = new Set();
        for (const input of box.querySelectorAll("input[type=range]")) {
            acts.push(set(input, input.max, "input"), set(input, input.min, "input"));
        }
        for (const select of box.querySelectorAll("select")) {
            for (const option of select.options) acts.push(set(select, option.value, "change"));
        }
        for (const each of box.querySelectorAll("input[type=radio], button")) {
            if (each.textContent !== "play" && !each.closest(".stage")) acts.push(() => each.click());
        }
        box.scrollIntoView();
        for (let tries = 0; tries < 200 && !box.querySelector("canvas"); tries++) {
            await new Promise((done) => setTimeout(done, 20));
        }
        const canvas = box.querySelector("canvas");
        if (!canvas) { broken.push("no canvas: " + box.textContent.slice(0, 200)); continue; }
        for (const act of acts) {
            act();
            const words = canvas.getAttribute("aria-label");
            seen.add(words + canvas.dataset.frame);
            if (!words || words !== box.querySelector(".words").textContent) broken.push(words);
        }
        if (acts.length && seen.size < 2) broken.push("never flipped: " + canvas.getAttribute("aria-label"));
    }
    return broken;
}"""
