"""The site, in Chromium: bets, predictions that reveal and links to a state of the third edition, on a page without Python."""

import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from bayeslib.questions.question import OWN
from bayeslib.sections import APPENDIX, START
from tests.lab import ROOT
from tests.test_browser_questions import QUESTIONS
from tests.test_site import LESSON, Visit
from tools.site import build

CELLS = {
    "bet": 'live.bet("own/letter", live.population())',
    "first": 'live.predict("own/first", live.population())',
    "raise": 'live.raise_bet("own/letter")',
    "settle": 'live.settle("own/letter", live.population())',
    "quiz": 'live.quiz("01")',
}
KEPT = "() => JSON.parse(localStorage.getItem('bayeslib-answers'))"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site whose lesson 01 is this notebook."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "notebooks").mkdir()
    for name in ("bayeslib", "docs"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "own.toml").write_text(QUESTIONS)
    start = "from bayeslib import live\nlive.start()"
    cells = [nbformat.v4.new_markdown_cell("# 01 · Made up\n\nA lesson.")]
    cells += [new_code_cell(source, id=id) for id, source in {"setup": start, **CELLS}.items()]
    (folder / "notebooks" / f"{Path(LESSON).stem}.ipynb").write_text(nbformat.writes(new_notebook(cells=cells)))
    for lesson in (START, APPENDIX):
        shutil.copy(ROOT / "notebooks" / f"{lesson.name}.ipynb", folder / "notebooks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(OWN, str(folder / "own.toml"))
        patch.setattr(build, "ROOT", folder)
        build.build(folder / "site", folder / "drawn", ["00", "01"])
    return folder / "site"


def lock_in(cell, option, button):
    cell.get_by_role("radio").nth(option).check()
    cell.get_by_role("button", name=button).click()


def test_bet_prediction_and_settlement_follow_the_record_and_stay_after_a_reload(site, chromium):
    with Visit(chromium, site) as visit:
        bet, first, again, end = map(visit.cell, ("bet", "first", "raise", "settle"))
        for cell in (bet, first, end):
            assert cell.locator("figure").is_visible() and not cell.get_by_role("slider").count()
        lock_in(bet, 0, "Place my bet")
        assert "about 76" in bet.get_by_role("status").first.inner_text() and not bet.get_by_role("radio").count()
        assert "You bet about 76. Keep it?" in again.inner_text() and "less" not in again.inner_text()
        lock_in(first, 0, "Lock in my guess")
        reveal = first.locator(".bayeslib-reveal")
        reveal.locator("math mfrac").wait_for()
        assert "Not quite" in reveal.inner_text() and first.get_by_role("slider").first.is_visible()
        assert "0.2085" in first.locator(".words").inner_text() and "It must be less than that." in again.inner_text()
        lock_in(again, 1, "Change my bet")
        assert bet.locator("s").inner_text() == "about 76"
        assert visit.page.evaluate(KEPT)["own/letter"]["bets"] == [0, 1]
        end.get_by_role("button", name="Settle the bet").click()
        end.get_by_text("right, you said").wait_for()
        assert end.locator("label em").all_inner_texts() == ["your first bet", "right, you said"]
        visit.page.reload()
        assert visit.cell("settle").locator("label em").all_inner_texts() == ["your first bet", "right, you said"]
        assert (
            visit.cell("first").locator(".bayeslib-reveal math").count() and "Quiz" in visit.cell("quiz").inner_text()
        )


def test_a_link_to_a_state_opens_it_behind_an_unanswered_prediction_after_the_answer(site, chromium):
    with Visit(chromium, site) as visit:
        cell = visit.cell("first")
        assert not cell.get_by_role("button", name="Copy link to this state").is_visible()
        lock_in(cell, 1, "Lock in my guess")
        cell.get_by_role("slider").first.press("ArrowRight")
        words = cell.locator(".words").inner_text()
        visit.page.evaluate("() => Object.assign(navigator.clipboard ?? {}, { writeText: () => Promise.reject() })")
        cell.get_by_role("button", name="Copy link to this state").click()
        link = cell.locator(".note").inner_text()
        visit.page.evaluate("() => localStorage.clear()")
        visit.page.goto(link)
        visit.page.reload()
        cell = visit.cell("first")
        assert cell.locator(".words").inner_text() != words
        lock_in(cell, 1, "Lock in my guess")
        visit.page.wait_for_function(
            "(words) => document.querySelector('#cell-first .words').innerText === words", arg=words
        )
