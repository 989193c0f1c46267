"""The static site: opened from a file it flips, plays, answers and finds, asks no network, and shuts nobody out."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import zlib
from itertools import combinations
from pathlib import Path

import nbformat
import pytest

from bayeslib import live
from bayeslib.questions.question import Question, names
from bayeslib.sections import SECTIONS
from tests.figures import a_third
from tools.site.states import FigureStates

ROOT = Path(__file__).parents[1]
HOW = "npm is missing: sudo apt-get install npm (it typesets the site's formulas and brings axe-core)"
SHOWN = re.compile(
    r"^live\.(?!quiz|works_here|answers|source|look_again|points|curves|drawing)\w+\(|^figure$", re.MULTILINE
)  # cells that show a figure


def need_npm():
    if shutil.which("npm") is None:
        pytest.fail(HOW) if os.environ.get("CI") == "true" else pytest.skip(HOW)


def build(folder, *sections):
    need_npm()
    subprocess.run([sys.executable, "-m", "tools.site", *sections, "--target", folder], cwd=ROOT, check=True)
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site of two sections."""
    return build(tmp_path_factory.mktemp("site"), "00", "01")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The site of all sections, as make site builds it."""
    return build(tmp_path_factory.mktemp("whole"))


@pytest.fixture(scope="session")
def axe():
    """axe-core, which looks for what shuts people out."""
    need_npm()
    from tools.site.build import npm

    return (npm() / "axe-core" / "axe.min.js").read_text()


class Visit:
    """A page opened from its file, or from the address of a server; it collects what was asked for and what went wrong."""

    def __init__(self, browser, folder, name="01-bayes-theorem.html", width=1280, before="", **view):
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


def frame(canvas):
    return canvas.get_attribute("data-frame")


def words(canvas):
    return canvas.get_attribute("aria-label")


def flipped(canvas, before):
    """Wait until another picture is there; returns its words."""
    canvas.page.wait_for_function(
        "([canvas, before]) => canvas.dataset.frame !== before", arg=[canvas.element_handle(), before]
    )
    return words(canvas)


# What the files hold


def links(folder):
    for name in pages(folder):
        html = (folder / name).read_text()
        for target in re.findall(r'(?:href|src)="(?!data:)([^"]*)"', html):
            yield name, html, target


def check_links(folder, sections):
    ids = {name: set(re.findall(r' id="([^"]*)"', (folder / name).read_text())) for name in pages(folder)}
    for name, _, target in links(folder):
        assert not re.match(r"\w+:|//", target), (name, target)
        file, _, anchor = target.partition("#")
        file = file or name
        section = re.match(r"(?:exercise-)?(\d\d)-", file)
        if section and section[1] not in sections:
            continue  # a section that was not asked for
        assert (folder / file).is_file(), (name, target)
        assert not anchor or anchor in ids[file], (name, target)


def data(html):
    """What the scripts of a page know of its figures and questions."""
    return [json.loads(text) for text in re.findall(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)]


def scene(folder, name):
    """What was recorded of a figure."""
    packed = re.fullmatch(rf'SCENES\["{name}"\] = "([^"]*)";\n', (folder / "scenes" / f"{name}.js").read_text())[1]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def check_pictures(folder):
    """Every picture of every state has words with numbers in them, and what it takes to draw it is there."""
    for name in pages(folder):
        html = (folder / name).read_text()
        for alt in re.findall(r'<img alt="([^"]*)"', html):
            assert len(alt) > 40, (name, alt)
        assert len(re.findall("<img ", html)) == len(re.findall(r'<img [^>]*alt="', html)), name
        for figure in data(html):
            if "scene" not in figure:
                continue
            known = scene(folder, figure["scene"])
            states, last = known["states"], len(known["states"]) - 1
            for state in states:
                assert len(state["alt"]) > 20
                assert all(0 <= number < len(known["commands"]) for number in known["frames"][state["frame"]])
            assert all(0 <= number <= last for number in [*figure["presets"].values(), figure.get("answer", 0)])
            assert all(len(control["values"]) <= 25 for control in figure["controls"])


def test_links_lead_somewhere_and_nowhere_else(site):
    check_links(site, {"00", "01"})


def test_every_frame_is_there_with_its_words(site):
    check_pictures(site)


def test_equal_frames_are_stored_once_and_no_file_is_left_over(site):
    html = "".join((site / name).read_text() for name in pages(site))
    scenes = {figure["scene"] for figure in data(html) if "scene" in figure}
    assert {path.stem for path in (site / "scenes").iterdir()} == scenes
    for name in scenes:
        for kind in ("styles", "commands", "frames"):
            stored = [json.dumps(each) for each in scene(site, name)[kind]]
            assert len(set(stored)) == len(stored)
    assert {path.name for path in (site / "pictures").iterdir()} == set(re.findall(r'src="pictures/([^"]*)"', html))


def test_the_fonts_have_their_licence(site):
    assert "Bitstream" in (site / "fonts.js").read_text().partition("*/")[0]


def test_each_figure_equation_and_question_of_the_lesson_is_on_its_page(site):
    check_lesson(site, ROOT / "notebooks" / "01-bayes-theorem.ipynb")


def check_lesson(folder, path):
    cells = nbformat.read(path, as_version=4).cells
    html, index = (folder / f"{path.stem}.html").read_text(), (folder / "figures.html").read_text()
    figures = [cell.id for cell in cells if cell.cell_type == "code" and SHOWN.search(cell.source)]
    assert html.count('class="flips"') == len(figures)
    assert all(f"{path.stem}.html#cell-{cell}" in index for cell in figures)
    asked = [cell for cell in cells if cell.cell_type == "code" and re.match(r"live\.(quiz|predict)\(", cell.source)]
    assert html.count('class="question"') == len(asked)
    for tag in re.findall(r"\\tag\{([\d.]+)\}", "".join(cell.source for cell in cells if cell.cell_type == "markdown")):
        assert f'id="mjx-eqn:{tag}"' in html and f"#mjx-eqn:{tag}" in (folder / "equations.html").read_text()
    assert all(
        f'id="cell-{cell.id}"' in html for cell in cells if not cell.source.startswith("**How to read this notebook")
    )


# What a reader does


@pytest.mark.heavy
def test_formulas_are_set_and_none_is_left_as_tex(site, chromium):
    with Visit(chromium, site) as visit:
        widths = visit.page.evaluate("[...document.querySelectorAll('mjx-container svg')].map((e) => e.clientWidth)")
        assert len(widths) > 50 and sum(width > 0 for width in widths) > 40  # the others are behind folds
        assert visit.page.evaluate(
            "[...document.querySelectorAll('use')].every((e) => document.querySelector(e.getAttribute('href')))"
        )
        text = visit.page.locator("main").inner_text()
        assert "$" not in text and "\\frac" not in text and "\\mid" not in text


def test_a_slider_flips_the_picture_and_its_words(site, chromium):
    with Visit(chromium, site) as visit:
        cell = visit.cell("predict-helps")
        canvas = reveal(cell)
        before = frame(canvas)
        cell.get_by_label("sick per 1000").fill("10")
        said = flipped(canvas, before)
        shown = cell.get_by_label("sick per 1000").get_attribute("aria-valuetext")
        assert said.startswith(f"{shown} per 1000 before the test") and said in cell.locator("figcaption").inner_text()


@pytest.mark.heavy
def test_the_two_main_sliders_move_together_and_another_puts_them_back_and_says_so(site, chromium):
    with Visit(chromium, site) as visit:
        cell = visit.cell("predict-helps")
        canvas = reveal(cell)
        sick, flagged = cell.get_by_label("sick per 1000"), cell.get_by_label("flagged of 100")
        at_first = sick.input_value()
        for row, column in ((10, 12), (3, 0), (12, 12), (0, 5)):
            sick.fill(str(row))
            flagged.fill(str(column))
            assert (sick.input_value(), flagged.input_value()) == (str(row), str(column))
            assert words(canvas).startswith(f"{sick.get_attribute('aria-valuetext')} per 1000")
            assert cell.locator(".note").inner_text() == ""
        cell.get_by_label("found of 100 sick").fill("3")
        assert sick.input_value() == at_first and "went back" in cell.locator(".note").inner_text()


@pytest.mark.heavy
def test_presets_go_where_they_say_and_reset_comes_back(site, chromium):
    with Visit(chromium, site) as visit:
        cell = visit.cell("predict-helps")
        canvas = reveal(cell)
        first, before = words(canvas), frame(canvas)
        cell.get_by_role("button", name="1% false alarms").click()
        assert "0.4414" in flipped(canvas, before)
        assert cell.get_by_label("flagged of 100").get_attribute("aria-valuetext") == "1"
        before = frame(canvas)
        cell.get_by_role("button", name="reset").click()
        assert flipped(canvas, before) == first


SHADE = """(canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.reduce((sum, each) => sum + each, 0) / data.length;
}"""


@pytest.mark.heavy
def test_a_picture_is_as_fine_as_the_screen_and_follows_the_light(site, chromium):
    page = chromium.new_page(viewport={"width": 1000, "height": 900}, device_scale_factor=2, color_scheme="dark")
    page.goto((site / "00-start-here.html").as_uri())
    canvas = page.locator("#cell-demo canvas")
    page.locator("#cell-demo").scroll_into_view_if_needed()
    canvas.wait_for()

    def pixels():
        wide = canvas.evaluate("(e) => [e.width, 2 * e.clientWidth]")
        assert abs(wide[0] - wide[1]) <= 1
        return wide[0]

    first = pixels()
    page.set_viewport_size({"width": 1300, "height": 900})
    page.wait_for_function("([e, wide]) => e.width > wide", arg=[canvas.element_handle(), first])
    pixels()
    assert canvas.evaluate(SHADE) < 120
    page.evaluate("document.documentElement.dataset.theme = 'light'; document.dispatchEvent(new Event('themechange'))")
    assert canvas.evaluate(SHADE) > 180
    page.evaluate("document.documentElement.dataset.theme = ''; document.dispatchEvent(new Event('themechange'))")
    assert canvas.evaluate(SHADE) < 120
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.set_viewport_size({"width": 1000, "height": 900})  # as if to a sheet of paper
    page.wait_for_function("(e) => e.width >= 2.9 * e.clientWidth", arg=canvas.element_handle())
    assert canvas.evaluate(SHADE) > 180
    page.emulate_media(color_scheme="light")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert canvas.evaluate(SHADE) > 180 and pixels()
    page.close()


@pytest.mark.heavy
def test_a_figure_whose_file_is_missing_stands_still_and_says_so(site, chromium, tmp_path):
    shutil.copytree(site, tmp_path / "site")
    for path in (tmp_path / "site" / "scenes").glob("[0-9a-f]*.js"):
        path.unlink()
    page = chromium.new_page()
    page.goto((tmp_path / "site" / "00-start-here.html").as_uri())
    cell = page.locator("#cell-demo")
    cell.scroll_into_view_if_needed()
    cell.get_by_text("could not be loaded").wait_for()
    assert cell.locator("img").is_visible()
    page.close()


@pytest.mark.heavy
def test_a_player_plays_to_its_end_by_keys_alone(site, chromium):
    with Visit(chromium, site) as visit:
        cell = visit.cell("predict-columns")
        reveal(cell)
        figure, step = cell.locator("figure"), cell.get_by_label("step", exact=True)
        assert step.input_value() == "0"
        figure.focus()
        visit.page.keyboard.press("ArrowRight")
        assert step.input_value() == "1"
        visit.page.keyboard.press("Home")
        visit.page.keyboard.press("Space")
        assert cell.get_by_role("button", name="pause").is_visible()
        last = step.get_attribute("max")
        visit.page.wait_for_function(
            "([e, last]) => e.value === last", arg=[step.element_handle(), last], timeout=15_000
        )
        assert last == "4" and cell.get_by_role("button", name="play").is_visible()
        cell.get_by_role("button", name="restart").click()
        assert step.input_value() == "0"


@pytest.mark.heavy
def test_a_figure_is_reached_and_moved_by_the_keyboard_alone(site, chromium):
    with Visit(chromium, site, "00-start-here.html") as visit:
        for _ in range(60):
            visit.page.keyboard.press("Tab")
            if visit.page.evaluate("document.activeElement.type === 'range'"):
                break
        canvas = visit.cell("demo").locator("canvas")
        before = frame(canvas)
        visit.page.keyboard.press("ArrowRight")
        assert "the nearest have" in flipped(canvas, before)


@pytest.mark.heavy
def test_a_prediction_keeps_its_picture_back_and_then_tells(site, chromium):
    with Visit(chromium, site) as visit:
        cell = visit.cell("predict-first")
        assert not cell.locator("img").is_visible()
        cell.get_by_role("button", name="Lock in my guess").click()
        assert "Pick one" in cell.get_by_role("status").first.inner_text()
        cell.get_by_role("radio").nth(0).check()
        cell.get_by_role("button", name="Lock in my guess").click()
        assert "inverse fallacy" in cell.get_by_role("status").first.inner_text()
        cell.locator("canvas").wait_for()
        assert "0.2085" in words(cell.locator("canvas"))


@pytest.mark.heavy
def test_a_quiz_answers_back_to_choices_and_numbers(site, chromium):
    with Visit(chromium, site) as visit:
        cell = visit.cell("quiz-1")
        for number, words in ((0, "✗ Not quite"), (1, "✓ Correct")):
            cell.get_by_role("radio").nth(number).check()
            cell.get_by_role("button", name="Check").click()
            assert words in cell.get_by_role("status").inner_text()
        cell = visit.cell("quiz-6")
        for typed, words in (
            ("0.333", "percent"),
            ("-5", "between 0 and 100"),
            ("33.3", "✓ Correct"),
            ("77", "✗ Not quite"),
        ):
            cell.get_by_role("spinbutton").fill(typed)
            cell.get_by_role("button", name="Check").click()
            assert words in cell.get_by_role("status").inner_text()


class Guess(live.quiz):
    """What a prediction says, without its figure."""

    GUESS = live.predict.GUESS


# The replies of the page's model to the answers of each question.
REPLIES = """(asked) => asked.map(([question, answers]) => answers.map((answer) => {
    const model = new Asked(question);
    model.set("reply", { answer });
    model.save_changes();
    return [model.get("verdict"), model.get("feedback")];
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
def test_no_answer_is_told_before_it_is_asked_for(site, chromium):
    with Visit(chromium, site) as visit:
        text = visit.page.locator("main").inner_text()
        for name in names("01"):
            question = Question(name)
            assert question.prompt in text and question.solution not in text
            assert not [part for reply in question.replies for part in reply["parts"] if part in text], name


@pytest.mark.heavy
def test_the_search_finds_a_word_and_leads_to_it(site, chromium):
    with Visit(chromium, site, "index.html") as visit:
        visit.page.get_by_role("searchbox").fill("base rate")
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_selector("#results li")
        first = visit.page.locator("#results a").first
        assert first.inner_text() == "base rate" and visit.page.locator("mark").count()
        visit.page.get_by_role("searchbox").last.fill("odds multiplication")
        assert visit.page.locator("#results a").first.inner_text() == "Odds make it a multiplication"
        visit.page.locator("#results a").first.click()
        assert visit.page.url.endswith("01-bayes-theorem.html#Odds-make-it-a-multiplication")
        visit.page.go_back()
        visit.page.get_by_role("searchbox").last.fill("xylophone")
        assert visit.page.locator("#count").inner_text() == "0 places"


@pytest.mark.heavy
def test_on_paper_the_folds_are_open_and_the_way_about_is_gone(site, chromium):
    with Visit(chromium, site) as visit:
        visit.page.emulate_media(media="print")
        for part in ("header", ".columns > nav", ".question form"):
            assert not visit.page.locator(part).first.is_visible()
        for part in ("predict-first", "task-flip-help"):
            assert (
                visit.cell(part)
                .get_by_text({"predict-first": "Figure 1.1", "task-flip-help": "A useless test"}[part])
                .is_visible()
            )
        assert visit.cell("quiz-1").get_by_text("The answer is B.").is_visible()
        assert len(visit.page.pdf(format="A4")) > 100_000


# Everybody


def barriers(page, axe):
    page.evaluate(axe)
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'], preload: false })")["violations"]
    return [
        f"{each['id']}: {each['help']} ({each['nodes'][0]['html'][:160]})"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


def check_barriers(folder, chromium, axe, names):
    for name in names:
        for width in (1280, 390):
            with Visit(chromium, folder, name, width) as visit:
                assert visit.page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
                assert not barriers(visit.page, axe), (name, width)
                visit.page.evaluate(
                    "document.querySelectorAll('form button[type=button]').forEach((each) => each.click())"
                )
                visit.page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
                visit.page.wait_for_timeout(200)
                assert not barriers(visit.page, axe), (name, width, "folds open")


@pytest.mark.heavy
def test_axe_sees_a_barrier(site, chromium, axe):
    with Visit(chromium, site) as visit:
        assert not barriers(visit.page, axe)
        visit.page.evaluate("document.body.append(new Image())")
        assert any(each.startswith("image-alt") for each in barriers(visit.page, axe))


# The whole


@pytest.mark.heavy
def test_the_whole_site_is_small_and_whole(whole):
    assert sum(path.stat().st_size for path in whole.rglob("*") if path.is_file()) < 20e6
    lessons = sorted((ROOT / "notebooks").glob("*.ipynb"))
    for path in lessons:
        check_lesson(whole, path)
    check_links(whole, {path.stem[:2] for path in lessons})
    check_pictures(whole)


@pytest.mark.heavy
def test_the_first_view_of_every_page_is_small(whole, chromium):
    for name in pages(whole):
        with Visit(chromium, whole, name) as visit:
            visit.page.wait_for_load_state("networkidle")
            files = {
                Path(url.removeprefix("file://").partition("?")[0].partition("#")[0])
                for url in visit.asked
                if url.startswith("file:")
            }
            assert sum(path.stat().st_size for path in files) < 1e6, name


@pytest.mark.heavy
def test_every_control_of_every_figure_flips(whole, chromium):
    """Both ends of every slider, every option, every preset, the ends of every player: a picture with its words."""
    for name in pages(whole):
        with Visit(chromium, whole, name) as visit:
            visit.page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
            broken = visit.page.evaluate(MOVE_ALL)
            assert not broken, (name, broken)


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
            if (each.textContent !== "play") acts.push(() => each.click());
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


def test_the_two_main_sliders_make_a_whole_grid():
    states = FigureStates(live.posterior_curve())
    assert tuple(states.pair) == states.figure.main
    sizes = [len(states.values[name]) for name in states.pair]
    assert min(sizes) >= 13
    opening = dict(zip(states.controls, next(iter(states.states.values()))["at"]))
    there = [dict(zip(states.controls, state["at"])) for state in states.states.values()]
    grid = {tuple(at[name] for name in states.pair) for at in there if at["found"] == opening["found"]}
    assert len(grid) == sizes[0] * sizes[1]


@pytest.mark.heavy
def test_every_figure_with_two_sliders_moves_a_pair_of_them_together(whole):
    """All combinations of two of them are there; a step counts as one."""
    for name in pages(whole):
        for figure in data((whole / name).read_text()):
            sliders = [at for at, each in enumerate(figure.get("controls", [])) if each["kind"] == "slider"]
            pairs = [*combinations([*sliders, "step"] if "interval" in figure else sliders, 2)]
            states = scene(whole, figure["scene"])["states"] if pairs else []
            assert not pairs or any(is_whole(figure, states, *pair) for pair in pairs), figure["shown"]["alt"]


def is_whole(figure, states, one, two):
    """Whether the states have all combinations of two controls, the others as at first."""
    others = [at for at in range(len(figure["controls"])) if at not in (one, two)]
    there = [state for state in states if all(state["at"][at] == states[0]["at"][at] for at in others)]
    rows = range(len(figure["controls"][one]["values"]))
    if two != "step":
        wanted = {(row, column) for row in rows for column in range(len(figure["controls"][two]["values"]))}
        return wanted <= {(state["at"][one], state["at"][two]) for state in there}
    steps = {row: {(state["step"], state["last"]) for state in there if state["at"][one] == row} for row in rows}
    return all(found and {step for step, _ in found} >= set(range(max(found)[1] + 1)) for found in steps.values())


@pytest.mark.heavy
def test_every_page_fits_every_width(whole, chromium):
    from tests.test_site_pages import check_widths

    check_widths(whole, chromium, pages(whole))


@pytest.mark.heavy
def test_nobody_is_shut_out_anywhere(whole, chromium, axe):
    """A third of the pages in a run, on a phone and on a desk, by day and by night."""
    from tests.test_site_pages import check_contrast

    some = a_third([*pages(whole), "search.html?q=prior"])
    check_barriers(whole, chromium, axe, some)
    check_contrast(whole, chromium, axe, some)


# On a narrow page


LEAST = 9.9  # pixels of print on a phone, whose screen is so wide:
PHONE = 390
LARGEST = 0.7  # as in scene.js
EDGES = 80  # square pixels by which two texts may touch that were apart
DEEP = set("gjpqy,;()|Q_μβρφ[]")  # letters that reach below the line


def texts(recorded, frame):
    """The texts of a frame with their sizes and boxes (left, top, right, bottom), but for slanted ones."""
    for number in recorded["frames"][frame]:
        at, *what = recorded["commands"][number]
        if len(what) == 4:
            _, size, _, angle, _ = recorded["styles"][at]
            text, x, y, width = what[0], *(each / 10 for each in what[1:])
            up, down = 0.74 * size, 0.22 * size if DEEP & set(text) else 0
            if abs(angle) < 1:
                yield text, size, (x, y - up, x + width, y + down)
            elif abs(angle - 90) < 1:
                yield text, size, (x - up, y - width, x + down, y)


def is_within(row, box):
    """Whether a text stands whole in a row of pieces; those that touch each other in the picture count as one."""
    left, top, right, bottom = box
    for piece in row:
        if piece[0] - 0.5 <= left < piece[2] and piece[1] - 0.5 <= top and bottom <= piece[3] + 0.5:
            left = piece[2]
            if right <= piece[2] + 0.5:
                return True
    return False


def overlaps(found):
    """How much any two texts cover each other, in square pixels."""
    covered = {}
    for (one, _, a), (two, _, b) in combinations(found, 2):
        wide, tall = (min(a[at + 2], b[at + 2]) - max(a[at], b[at]) for at in (0, 1))
        if wide > 1 and tall > 1:
            covered[one, two] = max(covered.get((one, two), 0), wide * tall)
    return covered


def narrow_faults(figure, recorded):
    """What is cut, too small, or in the way of something else where the page is narrow."""
    faults = set()
    for state in recorded["states"]:
        drawn = state.get("narrow", state["frame"])
        found = [*texts(recorded, drawn)]
        for text, size, box in found:
            rows = [row for row in figure["narrow"] if is_within(row, box)]
            widths = [sum(right - left for left, _, right, _ in row) for row in rows]
            faults |= {f"{text} is cut"} if not rows else set()
            faults |= {f"{text} is small" for wide in widths if size * min(PHONE / wide, LARGEST) < LEAST}
        if drawn != state["frame"]:
            wide = overlaps([*texts(recorded, state["frame"])])
            covered = overlaps(found).items()
            faults |= {f"{pair} overlap" for pair, much in covered if much > wide.get(pair, 0) + EDGES}
    return faults


def check_narrow(folder, names):
    for name in names:
        for figure in data((folder / name).read_text()):
            if "scene" in figure:
                faults = narrow_faults(figure, scene(folder, figure["scene"]))
                assert not faults, (name, figure["shown"]["alt"], sorted(faults))


def test_every_figure_has_a_narrow_layout():
    from tests.figures import FIGURES
    from tools.site.narrow import LAYOUTS

    assert set(LAYOUTS) == set(FIGURES)


def test_on_a_narrow_page_no_text_is_cut_or_small(site):
    check_narrow(site, ["00-start-here.html", "01-bayes-theorem.html"])


@pytest.mark.heavy
def test_on_a_narrow_page_no_text_of_any_figure_is_cut_or_small(whole):
    """A third of the pages in a run."""
    check_narrow(whole, a_third(pages(whole)))


COLOURS = """(canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
}"""


@pytest.mark.heavy
@pytest.mark.parametrize("width, stacked", [(390, True), (820, False), (1280, False)])
def test_a_phone_stacks_a_figure_and_moves_it(site, chromium, width, stacked):
    with Visit(chromium, site, width=width, has_touch=width < 1000, device_scale_factor=2) as visit:
        for name in ("predict-helps", "predict-second"):  # one that is cut, one that is drawn again
            cell = visit.cell(name)
            canvas = reveal(cell)
            visit.page.wait_for_timeout(100)
            across, down = canvas.evaluate("(e) => [e.clientWidth, e.clientHeight]")
            wide, tall = canvas.evaluate("(e) => [e.width, e.height]")
            assert (wide / tall < 1.8) == stacked and across / down == pytest.approx(wide / tall, rel=0.02)
            assert across <= width and (not stacked or across == width)
            assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
            assert canvas.evaluate(COLOURS) > 20
            before, picture = frame(canvas), canvas.evaluate("(e) => e.toDataURL()")
            cell.get_by_role("slider").first.press("ArrowRight")
            flipped(canvas, before)
            assert canvas.evaluate("(e) => e.toDataURL()") != picture
