"""The site's pages around the figures: progress, the home page, phones, dark mode, links to copy, search, offline, exercises."""

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
from tests.test_site import ROOT, Visit, axe, barriers, reveal, site  # noqa: F401 (fixtures)
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


def answer(cell, number, button="Check"):
    cell.get_by_role("radio").nth(number).check()
    cell.get_by_role("button", name=button).click()


# Progress


@pytest.mark.heavy
def test_the_page_reads_a_saved_file_as_the_notebook_does(site, chromium):  # noqa: F811
    def read(text):
        try:
            return record.parse(text)[0]
        except ValueError:
            return None

    tried = """(texts) => texts.map((text) => { try { return record.parse(text)[0]; } catch { return null; } })"""
    with Visit(chromium, site, "index.html") as visit:
        assert visit.page.evaluate(tried, MALICIOUS) == [read(text) for text in MALICIOUS]


@pytest.mark.heavy
def test_the_page_remembers_what_the_notebook_would_to_the_letter(site, chromium, answers_file):  # noqa: F811
    given = [("01/a", 2, False), ("01/a", 2, False), ("01/a", 0.5, False), ("01/b", 1, True), ("01/a", 1, True)]
    given += [("01/a", 3, False), *(("02/c", number, False) for number in range(25))]
    for each in given:
        record.remember(*each)
    with Visit(chromium, site, "index.html") as visit:
        visit.page.evaluate("(given) => given.forEach((each) => record.remember(...each))", given)
        assert visit.page.evaluate("record.text()") + "\n" == answers_file.read_text()


@pytest.mark.smoke
@pytest.mark.heavy
def test_after_a_reload_guesses_answers_and_open_figures_are_as_they_were(served, chromium):
    with Visit(chromium, served) as visit:
        answer(visit.cell("predict-first"), 0, "Lock in my guess")
        answer(visit.cell("quiz-1"), 0)
        visit.cell("predict-helps").get_by_role("button", name="Show me without a guess").click()
        said = visit.cell("predict-first").get_by_role("status").first.inner_text()
        visit.page.reload()
        cell = visit.cell("predict-first")
        assert cell.get_by_role("radio").nth(0).is_checked() and cell.get_by_role("radio").nth(0).is_disabled()
        assert cell.get_by_role("status").first.inner_text() == said and cell.locator("figure").is_visible()
        assert "✗ Not quite" in visit.cell("quiz-1").get_by_role("status").inner_text()
        assert visit.cell("predict-helps").locator("figure").is_visible()
        assert visit.cell("predict-helps").get_by_role("button", name="Tell the answer").is_enabled()
        assert not visit.cell("predict-second").locator("figure").is_visible()
        answer(visit.cell("quiz-1"), 1)
        assert kept(visit.page)["01/no-base-rate"] == {"answer": 1, "right": True, "tries": 2, "wrong": [0]}


@pytest.mark.heavy
def test_a_file_from_the_site_restores_in_the_notebook_and_back(site, served, chromium, answers_file, tmp_path):  # noqa: F811
    with Visit(chromium, served) as visit:
        answer(visit.cell("quiz-1"), 1)
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
def test_damage_is_told_and_nothing_is_lost(served, chromium, tmp_path):
    with Visit(chromium, served) as visit:
        visit.page.evaluate("localStorage.setItem('bayeslib-answers', '{broken')")
        visit.page.reload()
        assert "damaged" in visit.cell("quiz-1").get_by_role("status").inner_text()
        answer(visit.cell("quiz-1"), 1)
        assert "✓ Correct" in visit.cell("quiz-1").get_by_role("status").inner_text()
        visit.goto("00-start-here.html")
        cell = visit.cell("answers")
        with visit.page.expect_download() as saved:
            cell.get_by_role("link", name="my-answers.json.damaged").click()
        assert saved.value.path().read_text() == "{broken"
        (tmp_path / "bad.json").write_text("[]")
        cell.locator("input[type=file]").set_input_files(tmp_path / "bad.json")
        visit.page.get_by_text("Nothing was changed: text must be a saved answers file").wait_for()
        assert "01/no-base-rate" in kept(visit.page)


@pytest.mark.heavy
def test_forgetting_asks_first_and_sets_aside(served, chromium):
    with Visit(chromium, served) as visit:
        answer(visit.cell("predict-first"), 0, "Lock in my guess")
        visit.goto("00-start-here.html")
        cell = visit.cell("answers")
        cell.get_by_role("button", name="Forget my answers").click()
        cell.get_by_role("button", name="No, keep them").click()
        assert kept(visit.page)
        cell.get_by_role("button", name="Forget my answers").click()
        cell.get_by_role("button", name="Yes, forget all of them").click()
        assert "0 questions answered so far" in cell.get_by_role("status").inner_text()
        assert cell.get_by_role("link", name="my-answers.json.old").is_visible()
        visit.goto("01-bayes-theorem.html")
        assert not visit.cell("predict-first").locator("figure").is_visible()


REFUSED = """for (const act of ["setItem", "getItem"])
    Storage.prototype[act] = () => { throw new DOMException("no", "QuotaExceededError"); };"""


@pytest.mark.heavy
@pytest.mark.parametrize(
    "refused", [REFUSED, "Object.defineProperty(window, 'localStorage', { get() { throw new Error(); } })"]
)
def test_where_the_browser_keeps_nothing_the_page_says_so_and_goes_on(site, chromium, refused):  # noqa: F811
    with Visit(chromium, site, before=refused) as visit:
        answer(visit.cell("quiz-1"), 1)
        said = visit.cell("quiz-1").get_by_role("status").inner_text()
        assert "✓ Correct" in said and "keeps nothing for this page" in said


@pytest.mark.heavy
def test_the_page_looks_again_at_what_the_notebook_would(served, chromium):
    random, records = Random(7), []
    asked = [Question(name) for section in SECTIONS for name in names(section.number)]

    def given(question):
        return random.choice(
            [0, 1, 2, 3] if question.is_choice else [each["value"] for each in question.wrong] or [7.5]
        )

    for size in [0, 1, 3, 20, 60, 200]:
        record_ = {}
        for question in random.sample(asked, size):
            wrong = [given(question) for _ in range(random.randrange(3))]
            entry = {"answer": given(question), "right": random.random() < 0.5, "tries": random.randrange(1, 3)}
            record_[question.name] = entry | ({"wrong": wrong} if wrong else {})
        records.append(
            {"99/of-another-edition": {"answer": 1, "right": False, "tries": 1}} | dict(sorted(record_.items()))
        )
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
        visit.page.evaluate("record.remember('01/columns', 0, false)")
        assert "Likelihoods expected to sum to 1." in cell.inner_text()
        cell.get_by_role("link", name="Section 01").first.click()
        assert visit.page.url.endswith("01-bayes-theorem.html#cell-predict-columns")


@pytest.mark.heavy
def test_the_home_page_goes_on_where_one_was(served, chromium):
    with Visit(chromium, served, "index.html") as visit:
        box = visit.page.locator(".go-on")
        assert not box.is_visible()
        visit.goto("01-bayes-theorem.html")
        answer(visit.cell("quiz-1"), 1)
        visit.page.locator("#Odds-make-it-a-multiplication").evaluate("(e) => e.scrollIntoView()")
        visit.goto("index.html")
        assert "1 of the" in box.inner_text() and "“Odds make it a multiplication”" in box.inner_text()
        row = visit.page.locator("tr", has=visit.page.get_by_role("link", name="Bayes' theorem", exact=True))
        assert "1 of " in row.inner_text() and "answered" in row.inner_text()
        box.get_by_role("link").first.click()
        assert visit.page.url.endswith("01-bayes-theorem.html#Odds-make-it-a-multiplication")
        for strange in (
            "{",
            "null",
            "[]",
            '{"page": "99", "anchor": "a", "heading": "b"}',
            '{"page": "01-bayes-theorem"}',
        ):
            visit.goto("index.html")
            visit.page.evaluate("(text) => localStorage.setItem('bayeslib-place', text)", strange)
            visit.page.reload()
            assert not box.is_visible()


# Every screen


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
    if (!each.checkVisibility() || each.closest("svg, mjx-assistive-mml, .find span")) return false;
    for (let box = each.parentElement; box; box = box.parentElement)
        if (getComputedStyle(box).overflowX === "auto") return false;
    const { left, right, width } = each.getBoundingClientRect();
    return width && (right > document.documentElement.clientWidth + 0.5 || left < -0.5);
}).map((each) => each.outerHTML.slice(0, 120))"""


def check_widths(folder, chromium, names):
    for name in names:
        for width in (390, 820, 1280):
            with Visit(chromium, folder, name, width, has_touch=width < 1000, is_mobile=width < 1000) as visit:
                visit.page.evaluate(OPEN)
                assert visit.page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
                assert not visit.page.evaluate(OUT), (name, width)
                assert width == 1280 or not visit.page.evaluate(TARGETS), (name, width)


@pytest.mark.heavy
def test_pages_fit_phones_and_fingers(site, chromium):  # noqa: F811
    check_widths(site, chromium, ["index.html", "00-start-here.html", "01-bayes-theorem.html", "equations.html"])


@pytest.mark.heavy
def test_the_button_sets_the_colours_and_they_stay(served, chromium):
    dark = "getComputedStyle(document.body).backgroundColor === 'rgb(23, 24, 27)'"
    with Visit(chromium, served, "index.html", color_scheme="dark") as visit:
        page = visit.page
        page.evaluate("document.addEventListener('themechange', () => (window.changes = (window.changes ?? 0) + 1))")
        assert page.evaluate(dark)
        page.get_by_role("button", name="Colours: as the device").click()
        assert not page.evaluate(dark) and page.evaluate(
            "[window.changes, document.documentElement.dataset.theme]"
        ) == [1, "light"]
        page.emulate_media(color_scheme="light")
        page.get_by_role("button", name="Colours: light").click()
        page.reload()
        assert page.evaluate(dark) and page.get_by_role("button", name="Colours: dark").is_visible()
        visit.goto("search.html")
        assert page.evaluate(dark)
        page.emulate_media(media="print")
        assert not page.evaluate(dark)
        page.emulate_media(media="screen")
        page.get_by_role("button", name="Colours: dark").click()
        assert not page.evaluate(dark) and not page.evaluate("'theme' in document.documentElement.dataset")


def check_contrast(folder, chromium, axe, names):  # noqa: F811
    for name in names:
        for width, scheme in ((390, "dark"), (1280, "dark"), (390, "light"), (1280, "light")):
            with Visit(chromium, folder, name, width, color_scheme=scheme) as visit:
                visit.page.evaluate(OPEN)
                visit.page.wait_for_timeout(200)
                assert not barriers(visit.page, axe), (name, width, scheme)


@pytest.mark.heavy
def test_nobody_is_shut_out_in_the_dark(site, chromium, axe):  # noqa: F811
    check_contrast(site, chromium, axe, ["00-start-here.html"])


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
        wanted = visit.page.evaluate(
            "document.querySelectorAll('main :is(h2, h3)[id], .flips, [id^=\"mjx-eqn:\"]').length"
        )
        assert visit.page.locator(".anchor").count() == wanted


def meta(page):
    pattern = r'<meta (?:name|property)="([\w:]+)" content="([^"]*)">'
    return dict(re.findall(pattern, page.read_text()))


@pytest.mark.heavy
def test_pages_describe_themselves_and_name_addresses_only_where_one_is_set(site, tmp_path):  # noqa: F811
    told = {path.name: meta(path) for path in site.glob("*.html")}
    assert all(len(each["description"]) > 30 and each["og:title"] for each in told.values())
    assert len({each["description"] for each in told.values()}) == len(told)
    assert "How worried should you be" in told["01-bayes-theorem.html"]["og:description"]
    assert not any("og:image" in each or "og:url" in each for each in told.values())

    build(tmp_path, ROOT / "build" / "drawn", ["00", "01"], repository="somebody/course")
    page = tmp_path / "01-bayes-theorem.html"
    place = "https://somebody.github.io/course/"
    assert meta(page)["og:url"] == place + page.name
    assert (tmp_path / meta(page)["og:image"].removeprefix(place)).is_file()
    for link in (
        "https://github.com/somebody/course/blob/HEAD/notebooks/01-bayes-theorem.ipynb",
        "https://mybinder.org/v2/gh/somebody/course/HEAD?urlpath=lab/tree/notebooks/01-bayes-theorem.ipynb",
    ):
        assert f'href="{link}"' in page.read_text()


# The search


def slips(word, random):
    """The word with one letter missing, doubled, wrong, or swapped with the next."""
    at = random.randrange(len(word) - 1)
    other = random.choice([letter for letter in "etaoinsrhl" if letter != word[at]])
    yield word[:at] + word[at + 1 :]
    yield word[:at] + word[at] + word[at:]
    yield word[:at] + other + word[at + 1 :]
    yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


@pytest.mark.heavy
def test_the_search_forgives_a_typo_in_the_words_of_the_course(site, chromium):  # noqa: F811
    with Visit(chromium, site, "search.html") as visit:
        words = visit.page.evaluate("async () => (window.WORDS = await unpack('words', 'words.js'))")
        known = sorted({word.lower() for piece in words for word in re.findall("[a-zA-Z]{5,}", piece[2])})
        typed = [(word, each) for word in known for each in slips(word, Random(word))]
        assert len(typed) > 400
        found = "([word, typed]) => search(WORDS, typed)[1].some((piece) => piece[2].toLowerCase().includes(word))"
        lost = visit.page.evaluate(f"(typed) => typed.filter((each) => !({found})(each))", typed)
        assert not lost
        box = visit.page.get_by_role("searchbox").last
        box.fill("bayse theorm")
        assert "theorem" in visit.page.locator("#results mark").all_inner_texts()
        assert visit.page.locator("#count").inner_text().startswith("0 places, and ")
        pieces, exact = visit.page.evaluate("() => search(WORDS, 'tests').slice(1)")
        has = [bool(re.search(r"\btests", " ".join(piece[1:]), re.IGNORECASE)) for piece in pieces]
        assert 0 < exact < len(pieces) and has == [True] * exact + [False] * (len(pieces) - exact)


# Without a network


@pytest.mark.heavy
def test_after_one_visit_pages_open_without_a_network(site, chromium):  # noqa: F811
    page = chromium.new_page()
    with server(site) as (address, stop):
        page.goto(address + "01-bayes-theorem.html")
        manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
        assert not manifest["errors"] and manifest["data"]
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        page.wait_for_function("navigator.serviceWorker.controller")
        reveal(page.locator("#cell-predict-helps"))
        seen = page.evaluate("[...document.scripts].map((each) => each.src).filter((url) => url.includes('/scenes/'))")
        page.wait_for_function("(url) => caches.match(url).then(Boolean)", arg=seen[-1])
        stop()
        for name in ("01-bayes-theorem.html", "", "search.html?q=prior", "exercise-01-bayes-theorem.html"):
            page.goto(address + name)
            assert page.get_by_role("heading", level=1).is_visible()
        assert page.get_by_role("button", name="Colours").is_visible()  # style and script too
        page.goto(address + "01-bayes-theorem.html")
        page.locator("#cell-predict-helps").scroll_into_view_if_needed()
        page.locator("#cell-predict-helps canvas[data-frame]").wait_for(state="attached")
        assert "no network" in page.evaluate("fetch('exercises/01-bayes-theorem.zip').then((answer) => answer.text())")
    page.close()


@pytest.mark.heavy
def test_a_new_build_drops_the_old_cache_and_the_cache_is_bounded(site, chromium, tmp_path):  # noqa: F811
    folder = tmp_path / "served"
    shutil.copytree(site, folder)
    worker = (folder / "worker.js").read_text()
    (folder / "worker.js").write_text(worker.replace("MOST = 500", "MOST = 3"))
    files = [f"{each}/{path.name}" for each in ("pictures", "scenes") for path in (folder / each).iterdir()][:8]
    assert len(files) == 8
    kept = "() => caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((each) => each.keys()))))"
    page = chromium.new_page()
    with server(folder) as (address, _):
        page.goto(address + "index.html")
        page.wait_for_function("navigator.serviceWorker.controller")
        for name in files:
            page.evaluate("(name) => fetch(name).then((answer) => answer.blob()).then(() => null)", name)
        drawn = (
            f"({kept})().then((all) => all.flat().filter((each) => /\\/(pictures|scenes)\\//.test(each.url)).length)"
        )
        assert page.evaluate(drawn) == 3
        (folder / "index.html").write_text(
            (folder / "index.html").read_text().replace("You learn alone", "You learn anew")
        )
        (folder / "worker.js").write_text(worker.replace('VERSION = "', 'VERSION = "next-'))
        page.reload()
        assert page.get_by_text("You learn anew").is_visible()
        page.wait_for_function("() => caches.keys().then((names) => names.length === 1 && names[0].includes('next-'))")
    page.close()


# Exercises


@pytest.mark.heavy
def test_an_exercise_can_be_read_and_got_with_a_text_on_how_to_run_it(site, chromium):  # noqa: F811
    name = "01-bayes-theorem"
    released = nbformat.read(ROOT / "notebooks" / "exercises" / "release" / name / f"{name}.ipynb", as_version=4)
    with Visit(chromium, site, f"{name}.html") as visit:
        visit.page.get_by_role("link", name="Exercise 01").click()
        text = " ".join(visit.page.locator("main").inner_text().split())
        for cell in released.cells:
            if cell.cell_type == "code":
                assert " ".join(cell.source.split()) in text
        with visit.page.expect_download() as saved:
            visit.page.get_by_role("link", name="the notebook with its data and checks").click()
        with zipfile.ZipFile(saved.value.path()) as file:
            handed_out = {each.name for each in (ROOT / "notebooks/exercises/release" / name).iterdir()}
            assert {f"{name}.ipynb", "data.py", "checks.json"} <= handed_out
            assert {Path(each).name for each in file.namelist()} == handed_out | {"how-to-run.txt"}
            assert "make lab" in file.read(f"{name}/how-to-run.txt").decode()
