"""The site's pages around the figures: progress, the home page, dark mode, links to copy, offline, exercises."""

import json
import re
import shutil
import zipfile
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread

import nbformat
import pytest

from bayeslib import live
from bayeslib.questions import record, review
from bayeslib.questions.question import Question, names
from bayeslib.sections import SECTIONS
from tests.test_site import LESSON, ROOT, Visit, answer, reveal, site  # noqa: F401 (a fixture)
from tools.site.build import build

MALICIOUS = [
    "", "{", "[]", "null", "7", '"text"', "{}", '{"__proto__": 1}', '{"01/a": null}', '{"01/a": []}',
    '{"01/a": {"answer": 1, "right": true, "tries": 1}}',
    '{"01/a": {"answer": 1, "right": true, "tries": 1, "wrong": [0, 2.5]}}',
    '{"01/a": {"answer": 1, "right": true, "tries": 0}}',
    '{"01/a": {"answer": 1, "right": 1, "tries": 1}}',
    '{"01/a": {"answer": true, "right": true, "tries": 1}}',
    '{"01/a": {"answer": "1", "right": true, "tries": 1}}',
    '{"01/a": {"answer": 1e999, "right": true, "tries": 1}}',
    '{"01/a": {"answer": 1000000000000000, "right": true, "tries": 1}}',
    '{"01/a": {"answer": 1, "right": true, "tries": 1.5}}',
    '{"01/a": {"answer": 1, "right": true, "tries": 1, "wrong": 3}}',
    '{"01/a": {"answer": 1, "right": true, "tries": 1, "wrong": ["x"]}}',
    '{"01/a": {"answer": 1, "right": true, "tries": 1, "more": 1}}',
    '{"01/a\\n": {"answer": 1, "right": true, "tries": 1}}',
    '{"1/a": {"answer": 1, "right": true, "tries": 1}, "10/b-2": {"answer": -0.5, "right": false, "tries": 3}}',
]  # fmt: skip


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextmanager
def server(folder):
    """Serves a folder; yields its address and what stops it."""
    web = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    thread = Thread(target=web.serve_forever)
    thread.start()

    def stop():
        web.shutdown()
        web.server_close()
        thread.join()

    try:
        yield f"http://127.0.0.1:{web.server_port}/", stop
    finally:
        if thread.is_alive():
            stop()


@pytest.fixture(scope="module")
def served(site):  # noqa: F811
    """The site of two sections on a server, where a browser surely keeps things."""
    with server(site) as (address, _):
        yield address


def kept(page):
    return json.loads(page.evaluate("localStorage.getItem('bayeslib-answers')"))


# Progress


def parsed(text):
    try:
        return record.parse(text)[0]
    except ValueError:
        return None


@pytest.mark.heavy
def test_the_page_reads_and_remembers_to_the_letter_what_the_notebook_would(served, chromium, answers_file):
    given = [("01/a", 2, False), ("01/a", 2, False), ("01/a", 0.5, False), ("01/b", 1, True), ("01/a", 1, True)]
    given += [("01/a", 3, False), *(("02/c", number, False) for number in range(25))]
    for each in given:
        record.remember(*each)
    tried = """(texts) => texts.map((text) => { try { return record.parse(text)[0]; } catch { return null; } })"""
    with Visit(chromium, served, "index.html") as visit:
        assert visit.page.evaluate(tried, MALICIOUS) == [parsed(text) for text in MALICIOUS]
        visit.page.evaluate("(given) => given.forEach((each) => record.remember(...each))", given)
        assert visit.page.evaluate("record.text()") + "\n" == answers_file.read_text()


@pytest.mark.smoke
@pytest.mark.heavy
def test_after_a_reload_guesses_answers_and_open_figures_are_as_they_were(served, chromium):
    with Visit(chromium, served) as visit:
        said = answer(visit.cell("first-positive"), 0, "Lock in my guess")
        answer(visit.cell("quiz").locator(".question").first, 0)
        visit.cell("which-helps").get_by_role("button", name="Show me without a guess").click()
        visit.page.reload()
        cell = visit.cell("first-positive")
        assert cell.get_by_role("radio").nth(0).is_checked() and cell.get_by_role("radio").nth(0).is_disabled()
        assert cell.get_by_role("status").first.inner_text() == said and cell.locator("figure").is_visible()
        assert "✗ Not quite" in visit.cell("quiz").locator(".question").first.get_by_role("status").inner_text()
        assert visit.cell("which-helps").locator("figure").is_visible()
        assert not visit.cell("read-second").get_by_role("button", name="forward").is_visible()
        assert "✓ Correct" in answer(visit.cell("quiz").locator(".question").first, 1)
        assert kept(visit.page)["01/no-base-rate"] == {"answer": 1, "right": True, "tries": 2, "wrong": [0]}


@pytest.mark.heavy
def test_a_file_from_the_site_restores_in_the_notebook_and_back(site, served, chromium, answers_file, tmp_path):  # noqa: F811
    with Visit(chromium, served) as visit:
        answer(visit.cell("quiz").locator(".question").first, 1)
        visit.goto("00-start-here.html")
        with visit.page.expect_download() as saved:
            visit.page.get_by_role("button", name="Save my answers").click()
        saved.value.save_as(tmp_path / "saved.json")
    there = live.answers()
    there.restore((tmp_path / "saved.json").read_text())
    assert "1 questions answered so far, 1 of them right" in there.form.status
    live.quiz("01/retest").answer(0)
    with Visit(chromium, site, "00-start-here.html") as visit:
        visit.page.locator("input[type=file]").set_input_files(answers_file)
        visit.page.get_by_text("2 answers restored.").wait_for()
        assert kept(visit.page) == json.loads(answers_file.read_text())
        assert "opened from a file" in visit.cell("answers").get_by_role("status").inner_text()


@pytest.mark.heavy
def test_damage_is_told_forgetting_asks_first_and_nothing_is_lost(served, chromium, tmp_path):
    with Visit(chromium, served) as visit:
        visit.page.evaluate("localStorage.setItem('bayeslib-answers', '{broken')")
        visit.page.reload()
        assert "damaged" in visit.cell("quiz").locator(".question").first.get_by_role("status").inner_text()
        assert "✓ Correct" in answer(visit.cell("quiz").locator(".question").first, 1)
        visit.goto("00-start-here.html")
        cell = visit.cell("answers")
        with visit.page.expect_download() as saved:
            cell.get_by_role("link", name="my-answers.json.damaged").click()
        assert saved.value.path().read_text() == "{broken"
        (tmp_path / "bad.json").write_text("[]")
        cell.locator("input[type=file]").set_input_files(tmp_path / "bad.json")
        visit.page.get_by_text("Nothing was changed: text must be a saved answers file").wait_for()
        for decided in ("No, keep them", "Yes, forget all of them"):
            assert "01/no-base-rate" in kept(visit.page)
            cell.get_by_role("button", name="Forget my answers").click()
            cell.get_by_role("button", name=decided).click()
        assert "0 questions answered so far" in cell.get_by_role("status").inner_text()
        assert cell.get_by_role("link", name="my-answers.json.old").is_visible()


REFUSED = """for (const act of ["setItem", "getItem"])
    Storage.prototype[act] = () => { throw new DOMException("no", "QuotaExceededError"); };"""


@pytest.mark.heavy
@pytest.mark.parametrize(
    "refused", [REFUSED, "Object.defineProperty(window, 'localStorage', { get() { throw new Error(); } })"]
)
def test_where_the_browser_keeps_nothing_the_page_says_so_and_goes_on(site, chromium, refused):  # noqa: F811
    with Visit(chromium, site, before=refused) as visit:
        said = answer(visit.cell("quiz").locator(".question").first, 1)
        assert "✓ Correct" in said and "keeps nothing for this page" in said


def some_record(random, asked):
    """Answers to these questions as somebody might have given them."""

    def given(question):
        return random.choice(
            [0, 1, 2, 3] if question.is_choice else [each["value"] for each in question.wrong] or [7.5]
        )

    return {
        question.name: {
            "answer": given(question),
            "right": random.random() < 0.5,
            "tries": 2,
            "wrong": [given(question) for _ in range(random.randrange(3))],
        }
        for question in sorted(asked, key=lambda question: question.name)
    } | {"99/of-another-edition": {"answer": 1, "right": False, "tries": 1}}


@pytest.mark.heavy
def test_the_page_looks_again_at_what_the_notebook_would(served, chromium):
    random, asked = Random(7), [Question(name) for section in SECTIONS for name in names(section.number)]
    records = [some_record(random, random.sample(asked, size)) for size in [0, 1, 3, 20, 60, 200]]
    told = [
        [
            [[shown.tag, [each.name for each in shown.questions]] for shown in review.misconceptions(each)],
            [question.name for question in review.questions(each)],
        ]
        for each in records
    ]
    assert sum(len(shown) for shown, _ in told) > 50
    look = """(records) => { const data = JSON.parse(document.querySelector(".again script").textContent);
        return records.map((each) => [shownErrors(data, each).map(([tag, asked]) => [tag, asked.map(({ name }) => name)]),
            onceMore(data, each).map(({ name }) => name)]); }"""
    with Visit(chromium, served, "00-start-here.html") as visit:
        assert visit.page.evaluate(look, records) == told
        cell = visit.cell("look-again")
        assert "no answers of yours yet" in cell.inner_text()
        visit.page.evaluate("record.remember('01/which-helps', 0, false)")
        assert "Sensitivity taken for trust in a positive." in cell.inner_text()
        cell.get_by_role("link", name="Section 01").first.click()
        assert visit.page.url.endswith("01-bayes-theorem.html#cell-which-helps")


@pytest.mark.heavy
def test_the_home_page_goes_on_where_one_was(served, chromium):
    with Visit(chromium, served, "index.html") as visit:
        box = visit.page.locator(".go-on")
        assert not box.is_visible()
        visit.goto(LESSON)
        answer(visit.cell("quiz").locator(".question").first, 1)
        visit.page.locator("#Odds-make-it-a-multiplication").evaluate("(e) => e.scrollIntoView()")
        visit.goto("index.html")
        assert "1 of the" in box.inner_text() and "“Odds make it a multiplication”" in box.inner_text()
        box.get_by_role("link").first.click()
        assert visit.page.url.endswith("01-bayes-theorem.html#Odds-make-it-a-multiplication")
        for strange in ("{", "null", '{"page": "99", "anchor": "a", "heading": "b"}', '{"page": "01-bayes-theorem"}'):
            visit.goto("index.html")
            visit.page.evaluate("(text) => localStorage.setItem('bayeslib-place', text)", strange)
            visit.page.reload()
            assert not box.is_visible()


# Every screen


@pytest.mark.heavy
def test_the_buttons_set_the_colours_and_they_stay(served, chromium):
    dark = "getComputedStyle(document.body).backgroundColor === 'rgb(21, 23, 26)'"
    with Visit(chromium, served, "index.html", color_scheme="dark") as visit:
        for name, is_dark in (("Auto", True), ("Light", False), ("Dark", True)):
            visit.page.get_by_role("button", name=name, exact=True).click()
            for _ in range(2):
                assert visit.page.locator(".theme [aria-pressed=true]").inner_text() == name
                assert visit.page.evaluate(dark) == is_dark
                visit.page.reload()


# Links to copy and to share


@pytest.mark.heavy
def test_headings_figures_and_equations_have_links_to_copy(site, chromium):  # noqa: F811
    with Visit(chromium, site) as visit:
        visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        for what in ("“Odds make it a multiplication”", "Figure 1.1", "equation 1.2"):
            link = visit.page.get_by_label(f"Copy the link to {what}", exact=True)
            link.evaluate("(e) => e.closest('details')?.setAttribute('open', '')")
            link.focus()
            visit.page.keyboard.press("Enter")
            visit.page.get_by_text(f"The link to {what} is copied.").wait_for(state="attached")
            address = visit.page.evaluate("navigator.clipboard.readText()")
            assert address == visit.page.url and visit.page.locator(f'[id="{address.partition("#")[2]}"]').count() == 1


def meta(page):
    return dict(re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)">', page.read_text()))


@pytest.mark.heavy
def test_pages_describe_themselves_and_name_addresses_only_where_one_is_set(site, tmp_path):  # noqa: F811
    told = {path.name: meta(path) for path in site.glob("*.html")}
    assert all(len(each["description"]) > 30 and each["og:title"] for each in told.values())
    assert not any("og:image" in each or "og:url" in each for each in told.values())
    build(tmp_path, ROOT / "build" / "drawn", ["00", "01"], repository="somebody/course")
    page, place = tmp_path / "00-start-here.html", "https://somebody.github.io/course/"
    assert meta(page)["og:url"] == place + page.name
    assert (tmp_path / meta(page)["og:image"].removeprefix(place)).is_file()
    for link in (
        "https://github.com/somebody/course/blob/HEAD/notebooks/00-start-here.ipynb",
        "https://mybinder.org/v2/gh/somebody/course/HEAD?urlpath=lab/tree/notebooks/00-start-here.ipynb",
    ):
        assert f'href="{link}"' in page.read_text()


# Without a network


@pytest.mark.heavy
def test_after_one_visit_pages_open_without_a_network_and_a_new_build_replaces_them(site, chromium, tmp_path):  # noqa: F811
    folder = shutil.copytree(site, tmp_path / "served")
    worker, home = folder / "worker.js", folder / "index.html"
    page = chromium.new_page()
    with server(folder) as (address, _):
        page.goto(address + LESSON)
        manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
        assert not manifest["errors"] and manifest["data"]
        page.wait_for_function("navigator.serviceWorker.controller")
        home.write_text(home.read_text().replace("Three ways in", "Three new ways"))
        worker.write_text(worker.read_text().replace('VERSION = "', 'VERSION = "next-'))
        page.goto(address)
        assert page.get_by_text("Three new ways").is_visible()
        page.wait_for_function("() => caches.keys().then((names) => names.length === 1 && names[0].includes('next-'))")
        page.goto(address + LESSON)
        reveal(page.locator("#cell-which-helps"))
        seen = page.evaluate("[...document.scripts].map((each) => each.src).filter((url) => url.includes('/scenes/'))")
        page.wait_for_function("(url) => caches.match(url).then(Boolean)", arg=seen[-1])
    for name in ("", "search.html?q=prior", f"exercise-{LESSON}", LESSON):
        page.goto(address + name)
        assert page.get_by_role("heading", level=1).is_visible()
        assert page.locator(".theme [aria-pressed=true]").is_visible()  # style and script too
    page.locator("#cell-which-helps").scroll_into_view_if_needed()
    page.locator("#cell-which-helps canvas[data-frame]").wait_for(state="attached")
    page.close()


@pytest.mark.heavy
def test_a_course_that_is_kept_moves_without_a_network(site, chromium):  # noqa: F811
    page = chromium.new_page()
    with server(site) as (address, _):
        page.goto(address)
        page.get_by_role("button", name="Keep this course").click()
        page.get_by_text("Kept, ").wait_for()
    page.goto(address + LESSON)
    canvas = reveal(page.locator("#cell-which-helps"))
    page.wait_for_selector("#cell-which-helps canvas[data-frame]")
    before = canvas.get_attribute("aria-label")
    page.locator("#cell-which-helps").get_by_role("slider").first.press("ArrowRight")
    assert canvas.get_attribute("aria-label") != before
    page.close()


@pytest.mark.heavy
def test_the_home_page_walks_through_its_figure_and_then_it_is_the_readers(site, chromium):  # noqa: F811
    with Visit(chromium, site, "index.html") as visit:
        figure = visit.page.locator(".hero .flips")
        figure.locator("canvas[data-frame]").wait_for()
        slider = figure.get_by_role("slider", name="sick per 1000")
        for key, share in (("Home", "0.0011"), ("End", "0.9184")):
            slider.press(key)
            assert f"= {share}." in figure.locator(".words").inner_text()
        card = visit.page.locator(".card").first
        picture = card.locator("canvas")
        card.scroll_into_view_if_needed()
        picture.wait_for(state="attached")
        visit.page.wait_for_timeout(500)
        before = picture.evaluate("(e) => e.toDataURL()")
        card.hover()
        visit.page.wait_for_timeout(1500)
        assert picture.evaluate("(e) => e.toDataURL()") != before


# Exercises


@pytest.mark.heavy
def test_an_exercise_can_be_read_and_got_with_a_text_on_how_to_run_it(site, chromium):  # noqa: F811
    name = "01-bayes-theorem"
    released = nbformat.read(ROOT / "notebooks" / "exercises" / "release" / name / f"{name}.ipynb", as_version=4)
    with Visit(chromium, site) as visit:
        visit.page.get_by_role("link", name="Exercise 01").click()
        text = " ".join(visit.page.locator("main").inner_text().split())
        code = [" ".join(cell.source.split()) for cell in released.cells if cell.cell_type == "code"]
        assert not [source for source in code if source not in text]
        with visit.page.expect_download() as saved:
            visit.page.get_by_role("link", name="the notebook with its data and checks").click()
        with zipfile.ZipFile(saved.value.path()) as file:
            handed_out = {each.name for each in (ROOT / "notebooks/exercises/release" / name).iterdir()}
            assert {f"{name}.ipynb", "data.py", "checks.json"} <= handed_out
            assert {Path(each).name for each in file.namelist()} == handed_out | {"how-to-run.txt"}
            assert "make lab" in file.read(f"{name}/how-to-run.txt").decode()
