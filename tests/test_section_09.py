"""Section 09: the numbers that its questions mention, and what its figures open with."""

from math import log

import pytest

from bayeslib import live
from bayeslib.networks import examples, family_scores, fit, hill_climb, moves, score
from bayeslib.practice.questions import Question
from tests.lab import ROOT
from tests.sections.section_09 import GRAPHS, ROWS, wall

TEXT = (ROOT / "bayeslib/practice/09.toml").read_text()
STUDENT, NOTHING = ({v: list(p) for v, p in GRAPHS[name].items()} for name in ("student net", "no arrows"))
COLUMNS = {v: [row[v] for row in ROWS] for v in "SAKEH"}


def said(question, right=True):
    """The feedback of a question's right option, or of all its wrong ones."""
    options = Question(f"09/{question}").options
    return " ".join(each.get("feedback", "") for each in options if each.get("correct", False) == right)


def shown(question, figure):
    """The caption of a figure once a question has set it."""
    figure.set(**Question(f"09/{question}").then)
    return figure.alt


def test_the_answers_stand_in_the_figures():
    assert "S=0, A=1: 1/2 = 0.500" in shown("one-entry", live.rows_arrive(step=0))
    assert "S=0, A=0: (0 + 1)/(1 + 2) = 0.333; S=0, A=1: (1 + 1)/(2 + 2) = 0.500" in shown(
        "which-stays", live.rows_arrive()
    )
    assert "E −1.910" in shown("one-cell", live.family_bars()) and "−3.296 to −1.910" in said("one-cell")
    assert "gain 2.117 nats" in shown("which-wins", live.fit_and_price(copies=12)) and "2.117" in said("which-wins")
    assert "11 different scores" in shown("how-many-scores", live.graph_wall())
    assert "B→A←E; score −577.628" in shown("how-many-scores", live.graph_wall())
    assert "add K→H gained 23.913" in shown("first-move", live.climb_graph()) and "23.913" in said("first-move")
    assert "31 numbers, score −586.428" in shown("without-penalty", live.climb_graph(step=4))
    assert "9 numbers, score −157.685" in shown("few-rows", live.climb_graph(n=50))


def test_one_row_of_k_is_in_five():
    assert sum(row["S"] == 0 and row["A"] == 1 and row["K"] == 1 for row in ROWS) == 1
    assert sum(row["K"] for row in ROWS) == 3
    assert fit(STUDENT, COLUMNS).table("K")[0, 0][1] == 0


def test_the_price_of_five_numbers():
    gain = score(STUDENT, COLUMNS, "mle") - score(NOTHING, COLUMNS, "mle")
    assert (gain, 5 / 2 * log(5)) == pytest.approx((2.117, 4.024), abs=5e-4)
    assert "2.117" in said("which-wins", right=False) and "4.024" in said("which-wins", right=False)


def test_flipping_one_cell_moves_one_family():
    cells = Question("09/one-cell").then["cells"]
    flipped = {v: [int(cells[5 * i + k]) for i in range(5)] for k, v in enumerate("SAKEH")}
    before, after = family_scores(STUDENT, COLUMNS, "mle"), family_scores(STUDENT, flipped, "mle")
    assert [v for v in "SAKEH" if abs(before[v] - after[v]) > 1e-9] == ["E"]


def test_ten_arrows_bring_less_than_one_nat():
    rows = examples.typical_rows(examples.student(), 200)
    greedy, true = hill_climb(rows, "mle").score, score(STUDENT, rows, "mle")
    assert len(rows["S"]) == 198 and (true, greedy) == pytest.approx((-587.374, -586.428), abs=5e-4)
    assert greedy - true == pytest.approx(0.947, abs=5e-4) and "0.947" in said("without-penalty")
    assert 21 / 2 * log(198) == pytest.approx(55.5, abs=0.05) and "55.5" in said("without-penalty")


def test_few_rows():
    few, more = (examples.typical_rows(examples.student(), n) for n in (50, 100))
    assert (len(few["S"]), len(more["S"])) == (48, 99)
    assert f"{-hill_climb(few).score:.3f}" in said("few-rows") and f"{-score(STUDENT, few):.3f}" in said("few-rows")
    assert hill_climb(more).score == pytest.approx(score(STUDENT, more))


def test_every_first_arrow_of_the_riddle_loses_one_number():
    gains = [move.gain for move in moves({v: [] for v in "BEA"}, examples.either_or())]
    assert (
        gains == pytest.approx([-0.5 * log(200)] * 6)
        and "2.649" in said("either-or")
        and round(log(200) / 2, 3) == 2.649
    )


def test_prices_of_the_quiz():
    for value, words in ((0.5 * log(200), "2.65"), (log(200), "5.30"), (2 * log(200), "10.60")):
        assert f"{value:.2f}" == words and words in TEXT


def test_links_of_three_variables():
    assert len({round(each, 6) for each in wall("bic")}) == 11 and 2**3 + 3 == 11
    assert "8 sets of links" in said("how-many-scores", right=False)


def test_cells_are_flipped_by_a_click_and_by_keys():
    figure = live.family_bars()
    axes = figure.figure.axes[0]
    x, y = axes.transData.transform((2, 1)) / (figure.figure.bbox.width, figure.figure.bbox.height)
    figure.view.pointer = {"press": 1, "from": [x, 1 - y], "to": [x, 1 - y]}
    assert "Ring on K of row 2" in figure.alt and "bars of K, E, H moved" in figure.alt
    figure.view.pressed = {" ": 1}
    assert "0 cells flipped" in figure.alt


def test_a_click_on_dots_chooses_their_graphs():
    figure = live.graph_wall()
    axes = figure.figure.axes[0]
    dots = axes.lines[-3]
    x, y = axes.transData.transform((dots.get_xdata()[-1], dots.get_ydata()[-1]))
    at = [x / figure.figure.bbox.width, 1 - y / figure.figure.bbox.height]
    figure.view.pointer = {"press": 1, "from": at, "to": at}
    assert "score −580.623 nats, rank 2, shared by 6 graphs" in figure.alt
    figure.view.pressed = {"ArrowUp": 1}
    assert "Chosen: B→A←E;" in figure.alt
