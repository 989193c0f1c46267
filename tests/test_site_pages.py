"""The site's pages around the figures: progress, the home page, phones, dark mode, links to copy, search, offline, exercises."""

import json

import pytest

from bayeslib import live
from bayeslib.practice import record
from tests.test_site import Visit, axe, barriers, pages, site, whole  # noqa: F401 (fixtures)

HOSTILE = [
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


def kept(page):
    return json.loads(page.evaluate("localStorage.getItem('bayeslib-answers')"))


def answer(cell, number, button="Check"):
    cell.get_by_role("radio").nth(number).check()
    cell.get_by_role("button", name=button).click()


# Progress


def test_the_page_reads_a_saved_file_as_the_notebook_does(site, chromium):  # noqa: F811
    def read(text):
        try:
            return record.parse(text)[0]
        except ValueError:
            return None

    tried = """(texts) => texts.map((text) => { try { return record.parse(text)[0]; } catch { return null; } })"""
    with Visit(chromium, site, "index.html") as visit:
        assert visit.page.evaluate(tried, HOSTILE) == [read(text) for text in HOSTILE]


def test_the_page_remembers_what_the_notebook_would_to_the_letter(site, chromium, answers_file):  # noqa: F811
    given = [("01/a", 2, False), ("01/a", 2, False), ("01/a", 0.5, False), ("01/b", 1, True), ("01/a", 1, True)]
    given += [("01/a", 3, False), *(("02/c", number, False) for number in range(25))]
    for each in given:
        record.remember(*each)
    with Visit(chromium, site, "index.html") as visit:
        visit.page.evaluate("(given) => given.forEach((each) => record.remember(...each))", given)
        assert visit.page.evaluate("record.text()") + "\n" == answers_file.read_text()


def test_after_a_reload_guesses_answers_and_open_figures_are_as_they_were(site, chromium):  # noqa: F811
    with Visit(chromium, site) as visit:
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


def test_a_file_from_the_site_restores_in_the_notebook_and_back(site, chromium, answers_file, tmp_path):  # noqa: F811
    with Visit(chromium, site) as visit:
        answer(visit.cell("quiz-1"), 1)
        visit.page.goto((site / "00-start-here.html").as_uri())
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


def test_damage_is_told_and_nothing_is_lost(site, chromium, tmp_path):  # noqa: F811
    with Visit(chromium, site) as visit:
        visit.page.evaluate("localStorage.setItem('bayeslib-answers', '{broken')")
        visit.page.reload()
        assert "damaged" in visit.cell("quiz-1").get_by_role("status").inner_text()
        answer(visit.cell("quiz-1"), 1)
        assert "✓ Correct" in visit.cell("quiz-1").get_by_role("status").inner_text()
        visit.page.goto((site / "00-start-here.html").as_uri())
        cell = visit.cell("answers")
        with visit.page.expect_download() as saved:
            cell.get_by_role("link", name="my-answers.json.damaged").click()
        assert saved.value.path().read_text() == "{broken"
        (tmp_path / "bad.json").write_text("[]")
        cell.locator("input[type=file]").set_input_files(tmp_path / "bad.json")
        visit.page.get_by_text("Nothing was changed: text must be a saved answers file").wait_for()
        assert "01/no-base-rate" in kept(visit.page)


def test_forgetting_asks_first_and_sets_aside(site, chromium):  # noqa: F811
    with Visit(chromium, site) as visit:
        answer(visit.cell("predict-first"), 0, "Lock in my guess")
        visit.page.goto((site / "00-start-here.html").as_uri())
        cell = visit.cell("answers")
        cell.get_by_role("button", name="Forget my answers").click()
        cell.get_by_role("button", name="No, keep them").click()
        assert kept(visit.page)
        cell.get_by_role("button", name="Forget my answers").click()
        cell.get_by_role("button", name="Yes, forget all of them").click()
        assert "0 questions answered so far" in cell.get_by_role("status").inner_text()
        assert cell.get_by_role("link", name="my-answers.json.old").is_visible()
        visit.page.goto((site / "01-bayes-theorem.html").as_uri())
        assert not visit.cell("predict-first").locator("figure").is_visible()


REFUSED = """for (const act of ["setItem", "getItem"])
    Storage.prototype[act] = () => { throw new DOMException("no", "QuotaExceededError"); };"""


@pytest.mark.parametrize(
    "refused", [REFUSED, "Object.defineProperty(window, 'localStorage', { get() { throw new Error(); } })"]
)
def test_where_the_browser_keeps_nothing_the_page_says_so_and_goes_on(site, chromium, refused):  # noqa: F811
    with Visit(chromium, site, before=refused) as visit:
        answer(visit.cell("quiz-1"), 1)
        said = visit.cell("quiz-1").get_by_role("status").inner_text()
        assert "✓ Correct" in said and "keeps nothing for this page" in said


def test_the_home_page_goes_on_where_one_was(site, chromium):  # noqa: F811
    with Visit(chromium, site, "index.html") as visit:
        box = visit.page.locator(".go-on")
        assert not box.is_visible()
        visit.page.goto((site / "01-bayes-theorem.html").as_uri())
        answer(visit.cell("quiz-1"), 1)
        visit.page.locator("#Odds-make-it-a-multiplication").evaluate("(e) => e.scrollIntoView()")
        visit.page.goto((site / "index.html").as_uri())
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
            visit.page.goto((site / "index.html").as_uri())
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
    return width && (right > innerWidth + 0.5 || left < -0.5);
}).map((each) => each.outerHTML.slice(0, 120))"""


def check_widths(folder, chromium, names):
    for name in names:
        for width in (390, 820, 1280):
            with Visit(chromium, folder, name, width, has_touch=width < 1000, is_mobile=width < 1000) as visit:
                visit.page.evaluate(OPEN)
                assert visit.page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
                assert not visit.page.evaluate(OUT), (name, width)
                assert width == 1280 or not visit.page.evaluate(TARGETS), (name, width)


def test_pages_fit_phones_and_fingers(site, chromium):  # noqa: F811
    check_widths(site, chromium, ["index.html", "00-start-here.html", "01-bayes-theorem.html", "equations.html"])


@pytest.mark.heavy
def test_every_page_fits_every_width(whole, chromium):  # noqa: F811
    check_widths(whole, chromium, pages(whole))


def test_the_button_sets_the_colours_and_they_stay(site, chromium):  # noqa: F811
    dark = "getComputedStyle(document.body).backgroundColor === 'rgb(23, 24, 27)'"
    with Visit(chromium, site, "index.html", color_scheme="dark") as visit:
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
        page.goto((site / "search.html").as_uri())
        assert page.evaluate(dark)
        page.emulate_media(media="print")
        assert not page.evaluate(dark)


def check_contrast(folder, chromium, axe, names):  # noqa: F811
    for name in names:
        for width, scheme in ((390, "dark"), (1280, "dark"), (390, "light"), (1280, "light")):
            with Visit(chromium, folder, name, width, color_scheme=scheme) as visit:
                visit.page.evaluate(OPEN)
                visit.page.wait_for_timeout(200)
                assert not barriers(visit.page, axe), (name, width, scheme)


def test_nobody_is_shut_out_in_the_dark(site, chromium, axe):  # noqa: F811
    check_contrast(site, chromium, axe, ["00-start-here.html"])


@pytest.mark.heavy
def test_nobody_is_shut_out_anywhere_dark_or_light(whole, chromium, axe):  # noqa: F811
    check_contrast(whole, chromium, axe, [*pages(whole), "search.html?q=prior"])
