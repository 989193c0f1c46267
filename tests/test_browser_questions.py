"""Real JupyterLab in real Chromium: a lesson of the third edition starts itself; bets, predictions and what they unlock."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from bayeslib.questions.question import OWN
from tests import lab

QUESTIONS = r"""
[letter]
title = "Bet"
prompt = "Of 100 letters, how many are about a cancer?"
again = "You bet {}. Keep it?"
once = { "own/first" = "It must be *less* than that." }
reveal = "About $4$ in 100."
options = [{ text = "about 76", tag = "rates-subtracted", feedback = "" }, { text = "about 4", correct = true, feedback = "" }]

[first]
title = "Predict"
prompt = "How large is $P(\\text{sick} \\mid +)$?"
reveal = '''
$$P(\text{sick} \mid +) = \frac{7.84}{37.6} \tag{1.1}$$

One in five.'''
options = [{ text = "98%", tag = "inverse", ghost = 98, feedback = "" }, { text = "20%", correct = true, ghost = 20, feedback = "" }]
"""
CELLS = {
    "setup": "from bayeslib import check, live\nlive.start()",
    "bet": 'live.bet("own/letter", live.population())',
    "above": 'live.edge().before("15/valley")',
    "first": 'live.predict("own/first", live.population())',
    "raise": 'live.raise_bet("own/letter")',
    "below": 'live.predict("15/valley", live.edge())',
    "settle": 'live.settle("own/letter", live.population())',
}
STUCK = {"setup": CELLS["setup"], "bad": "1 / 0", "after": "print('ran')"}
SCROLLED = "() => document.querySelector('.jp-WindowedPanel-outer').scrollTop"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    for name, sources in (("lesson", CELLS), ("stuck", STUCK)):
        cells = [new_code_cell(source, id=id) for id, source in sources.items()] + [new_markdown_cell("end", id="end")]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        (folder / f"{name}.ipynb").write_text(nbformat.writes(new_notebook(cells=cells, metadata=kernel)))
    (folder / "own.toml").write_text(QUESTIONS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(OWN, str(folder / "own.toml"))
        with lab.jupyterlab(folder) as address:
            yield address, folder


def opened(chromium, served, name):
    """A page whose first cell has run."""
    page = lab.open_notebook(chromium, served[0], name, reduced_motion="reduce")
    page.evaluate(
        """async () => {
            const panel = window.jupyterapp.shell.currentWidget, cell = panel.content.widgets[0];
            await cell.constructor.execute(cell, panel.sessionContext);
        }"""
    )
    return page


@pytest.fixture(scope="module")
def lesson(chromium, served):
    page = opened(chromium, served, "lesson.ipynb")
    page.get_by_role("button", name="Start this lesson").dblclick()  # the second click does nothing
    page.get_by_text("Everything is ready.").wait_for()
    assert page.evaluate(SCROLLED) == 0, "the page stays where it is"
    counts = "() => window.jupyterapp.shell.currentWidget.content.widgets.map((each) => each.model.executionCount)"
    assert page.evaluate(counts)[: len(CELLS)] == list(range(1, len(CELLS) + 1)), "each cell ran once"
    yield page
    assert page.errors == []
    page.close()


def test_a_lesson_that_starts_itself_stops_at_an_error_and_says_where(chromium, served):
    page = opened(chromium, served, "stuck.ipynb")
    page.get_by_role("button", name="Start this lesson").click()
    page.get_by_text("It stopped at an error in cell 2: ZeroDivisionError").wait_for()
    assert page.get_by_text("ran", exact=True).count() == 0 and page.get_by_role("button", name="Show me").is_visible()
    page.close()


def test_a_prediction_stands_with_its_figure_and_brings_controls_and_explanation_by_keyboard(lesson):
    cell = lab.cell(lesson, "first")
    assert cell.locator(lab.IMAGE).is_visible() and not cell.get_by_role("slider").count()
    cell.get_by_role("button", name="Lock in my guess").click()
    assert "Pick one" in cell.get_by_role("status").first.inner_text()
    cell.get_by_role("radio").nth(0).focus()
    lesson.keyboard.press("Space")
    lesson.keyboard.press("Enter")
    reveal = cell.locator(".bayeslib-reveal")
    reveal.locator("math mfrac").wait_for()
    assert "Not quite" in reveal.inner_text() and "(1.1)" in reveal.inner_text() and "$" not in reveal.inner_text()
    lesson.wait_for_function("document.activeElement.classList.contains('bayeslib-reveal')")
    cell.get_by_role("slider").first.wait_for()
    assert cell.locator("label:has-text('98%')").inner_text().endswith("you said")
    assert cell.locator("label:has-text('20%')").inner_text().endswith("right")
    lab.wait_for(cell, lambda key: key.get("", {}).get("guess") == 98)


def test_a_bet_is_sealed_kept_or_changed_once_and_settled_wherever_it_stands(lesson, served):
    bet = lab.cell(lesson, "bet")
    bet.get_by_role("radio").nth(0).check()
    bet.get_by_role("button", name="Place my bet").click()
    bet.get_by_text("sealed").wait_for()
    assert (
        "about 76" in bet.get_by_role("status").first.inner_text() and not bet.get_by_role("radio").first.is_visible()
    )
    again = lab.cell(lesson, "raise")
    again.get_by_text("You bet about 76. Keep it? It must be less than that.").wait_for()
    assert again.get_by_role("button", name="Keep my bet").is_visible()
    again.get_by_role("radio").nth(1).check()
    again.get_by_role("button", name="Change my bet").click()
    again.get_by_text("sealed").wait_for()
    assert lab.cell(lesson, "bet").locator("s").inner_text() == "about 76", "the first bet stays as a pale mark"
    kept = json.loads((served[1] / "my-answers.json").read_text())["own/letter"]
    assert kept["bets"] == [0, 1] and not kept["settled"]
    end = lab.cell(lesson, "settle")
    assert not end.get_by_role("slider").count() and not end.locator(".bayeslib-reveal").inner_text()
    end.get_by_role("button", name="Settle the bet").click()
    end.locator(".bayeslib-reveal math").wait_for()
    end.get_by_role("slider").first.wait_for()
    notes = end.locator("label em").all_inner_texts()
    assert notes == ["your first bet", "right, you said"]


def test_an_answer_unlocks_a_control_of_another_figure(lesson):
    above = lab.cell(lesson, "above").get_by_role("button", name="the bottom of the valley")
    assert not above.is_visible()
    asked = lab.cell(lesson, "below")
    asked.get_by_role("radio").first.check()
    asked.get_by_role("button", name="Lock in my guess").click()
    asked.locator(lab.IMAGE).wait_for()
    lab.cell(lesson, "above")
    above.wait_for()


def test_the_record_is_followed_when_another_kernel_has_written_it(lesson, served):
    file = served[1] / "my-answers.json"
    answers = json.loads(file.read_text())
    file.write_text(json.dumps({name: entry for name, entry in answers.items() if name != "own/first"}))
    cell = lab.cell(lesson, "first")
    cell.locator(".bayeslib-reveal:empty").wait_for(state="attached")
    assert not cell.get_by_role("slider").count() and cell.get_by_role("radio").first.is_enabled()


def test_a_state_is_copied_as_a_line_of_python(lesson):
    lesson.context.grant_permissions(["clipboard-read", "clipboard-write"])
    cell = lab.cell(lesson, "above")
    cell.locator(".bayeslib-frame").hover()
    cell.get_by_role("button", name="Copy this state").click()
    cell.get_by_role("button", name="Copied").wait_for()
    copied = lesson.evaluate("() => navigator.clipboard.readText()")
    assert copied.startswith("figure.set(") and copied.endswith(")")
    from bayeslib import live

    figure = live.edge()
    eval(copied)
    assert "figure" in locals() and figure.alt
