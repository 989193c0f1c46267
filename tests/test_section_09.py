"""Section 09: the numbers that its questions and its text mention, and what its figures open with."""

from itertools import combinations
from math import log

import numpy as np
import pandas as pd
import pytest

from bayeslib import data, live
from bayeslib.networks import examples, family_scores, fit, graph, hill_climb, moves, score
from bayeslib.practice.questions import Question
from tests.figures import press
from tests.lab import ROOT
from tests.reading import Lesson
from tests.sections.section_09 import GRAPHS, ROWS, graded, heart_table, wall

TEXT = (ROOT / "bayeslib/practice/09.toml").read_text()
STUDENT, NOTHING, FULL = (
    {v: list(p) for v, p in GRAPHS[name].items()} for name in ("student network", "no arrows", "all arrows")
)
COLUMNS = {v: [row[v] for row in ROWS] for v in "SAKEH"}


def said(question, right=True):
    """The feedback of a question's right option, or of all its wrong ones."""
    options = Question(f"09/{question}").options
    return " ".join(each.get("feedback", "") for each in options if each.get("correct", False) == right)


def shown(question, figure):
    """The caption of a figure once a question has set it."""
    figure.set(**Question(f"09/{question}").then)
    return figure.alt


def cell(name):
    return next(each.source for each in Lesson.read("09").cells if each.id == name)


def test_the_answers_stand_in_the_figures():
    assert "S=0, A=1: 1/2 = 0.500" in shown("one-entry", live.rows_arrive(step=0))
    assert "E −1.910" in shown("one-cell", live.family_bars()) and "−3.296 to −1.910" in said("one-cell")
    assert "BIC −20.849; student network" in shown("which-wins", live.fit_and_price())
    assert "11 different scores" in shown("how-many-scores", live.graph_wall())
    assert "B→A←E; score −577.628" in shown("how-many-scores", live.graph_wall())
    assert "9 numbers, score −157.685" in shown("few-rows", live.climb_graph(n=50))
    caption = shown("shuffled", live.hearts(step=10))
    assert "move 1 of 1" in caption and "4.970 at most, and more than 0 in 26." in caption


def test_the_first_arrow_of_the_climb_ties_with_its_reverse():
    question, figure = Question("09/first-move"), live.climb_graph()
    assert "The best of 20 moves is add K→H +23.913." in shown("first-move", figure) and "23.913" in question.prompt
    assert figure.picture.others.get_text().startswith("add H→K +23.913\nadd K→E +23.675\n")
    assert "23.913" in said("first-move") and "K→E comes third, with 23.675" in said("first-move", right=False)
    gains = {
        (each.source, each.target): each.gain
        for each in moves(dict.fromkeys("SAKEH", ()), examples.typical_rows(examples.student(), 200))
    }
    assert f"S→K gains {gains['S', 'K']:.3f}" in said("first-move", right=False)


def test_the_first_three_rows_tell_nothing_of_the_fourth():
    figure = live.rows_arrive(step=0)
    assert "S=0, A=0: 0/0, no row" in shown("one-entry", figure)
    assert [row["K"] for row in ROWS if (row["S"], row["A"]) == (0, 0)] == [0] == [ROWS[3]["K"]]
    assert fit(STUDENT, COLUMNS).table("K")[0, 0][1] == 0


def test_the_sums_done_by_hand():
    learned = fit(STUDENT, COLUMNS)
    assert learned.joint(ROWS[4]) == pytest.approx(2 / 5 * 3 / 5 * 1 * 2 / 3 * 1 / 3)
    assert (
        family_scores(STUDENT, COLUMNS, "mle")["K"] == pytest.approx(2 * log(1 / 2)) == pytest.approx(-1.386, abs=5e-4)
    )
    parts = family_scores(STUDENT, COLUMNS)
    assert parts["K"] == pytest.approx(-1.386 - 3.219, abs=1e-3)
    assert sum(parts.values()) == pytest.approx(score(STUDENT, COLUMNS)) == pytest.approx(-22.755, abs=5e-4)


def test_the_price_of_five_numbers():
    gain = score(STUDENT, COLUMNS, "mle") - score(NOTHING, COLUMNS, "mle")
    assert (gain, 5 / 2 * log(5)) == pytest.approx((2.117, 4.024), abs=5e-4)
    for text in (said("which-wins", right=False), said("which-wins"), cell("read-wins")):
        assert "2.117" in text and "4.024" in text


def test_which_graph_wins_as_new_students_come():
    best = {n: max(GRAPHS, key=lambda name: np.subtract(*graded(1, n, name))) for n in (5, 10, 20, *range(30, 301))}
    assert [n for n, name in best.items() if name == "no arrows"] == [5, 10, 20]
    assert {name for n, name in best.items() if n >= 30} == {"student network"}
    assert "leads the three from 30 rows on" in cell("read-wins")


def test_what_useless_numbers_gain():
    gain = graded(1, 200, "all arrows")[0] - graded(1, 200, "student network")[0]
    assert gain == pytest.approx(9.5, abs=0.05) and "9.5" in said("without-penalty") and "9.5" in cell("read-penalty")
    assert 21 / 2 * log(200) == pytest.approx(55.6, abs=0.05) and "55.6" in said("without-penalty", right=False)
    gains = []
    for seed in range(40):
        rows = examples.student().sample(200, random_state=seed)
        gains.append(score(FULL, rows, "mle") - score(STUDENT, rows, "mle"))
    assert np.mean(gains) == pytest.approx(21 / 2, abs=1.5)


def test_copies_of_the_same_rows_make_chance_look_real():
    rows = pd.concat([data.load_student()] * 6)
    assert max((NOTHING, STUDENT, FULL), key=lambda each: score(each, rows)) is FULL


def test_flipping_one_cell_moves_one_family():
    cells = Question("09/one-cell").then["cells"]
    flipped = {v: [int(cells[5 * i + k]) for i in range(5)] for k, v in enumerate("SAKEH")}
    before, after = family_scores(STUDENT, COLUMNS, "mle"), family_scores(STUDENT, flipped, "mle")
    assert [v for v in "SAKEH" if abs(before[v] - after[v]) > 1e-9] == ["E"]
    assert [i for i, row in enumerate(ROWS) if row["E"] != flipped["E"][i]] == [1] and "With row 2" in said("one-cell")


def test_few_rows():
    few, more = (examples.typical_rows(examples.student(), n) for n in (50, 100))
    assert (len(few["S"]), len(more["S"])) == (48, 99)
    assert f"{-hill_climb(few).score:.3f}" in said("few-rows") and f"{-score(STUDENT, few):.3f}" in said("few-rows")
    assert hill_climb(more).score == pytest.approx(score(STUDENT, more))


def test_every_first_arrow_of_the_riddle_loses_one_number_and_a_second_gains():
    riddle, empty = examples.either_or(), {v: () for v in "BEA"}
    gains = [move.gain for move in moves(empty, riddle)]
    assert gains == pytest.approx([-0.5 * log(200)] * 6) and "2.649" in said("either-or")
    pairs = {round(each.gain + moves(each.applied(empty), riddle)[0].gain, 3) for each in moves(empty, riddle)}
    assert pairs == {65.665} and "65.665" in cell("either-read")
    colliders = [{**empty, v: tuple(set("BEA") - {v})} for v in "BEA"]
    assert len({round(score(each, riddle), 6) for each in colliders}) == 1  # whichever the two arrows point to


@pytest.mark.parametrize("name, table", [("wall-head", examples.nights()), ("fails-head", examples.either_or())])
def test_tables_in_the_text_are_those_of_the_rows(name, table):
    counted = pd.crosstab(table["A"], [table["B"], table["E"]]).to_numpy().tolist()
    for a, row in enumerate(counted):
        assert f"| A={a} | {' | '.join(map(str, row))} |" in cell(name)


def test_prices_of_the_quiz():
    free = 2 * 3 * (3 - 1)
    for numbers, words in ((2, "5.99"), (6, "17.97"), (free, "35.95"), (18, "53.92")):
        assert f"{numbers / 2 * log(400):.2f}" == words and words in TEXT


def test_no_arrow_of_the_sprinkler_can_be_reversed():
    learned = {"Rain": [], "Sprinkler": [], "Wet": ["Rain", "Sprinkler"], "Slippery": ["Wet"]}
    assert len(graph.compelled(learned)) == 3


def test_links_of_three_variables():
    assert len({round(each, 6) for each in wall("bic")}) == 11 and 2**3 + 3 == 11
    assert "8 sets of links" in said("how-many-scores", right=False)


def test_a_prior_on_graphs_ends_the_lead_of_all_arrows():
    graphs = (NOTHING, STUDENT, FULL)
    bdeu = [score(each, COLUMNS, "bdeu") for each in graphs]
    prior = [sum(map(len, each.values())) * log(0.1) for each in graphs]
    assert np.argmax(bdeu) == 2 and np.argmax(np.add(bdeu, prior)) == 0
    assert bdeu[1] + prior[1] == pytest.approx(-34.5, abs=0.05)


def test_a_row_alone_on_its_line_costs_a_bit():
    lines = {tuple(row[v] for v in "SAK") for row in ROWS}
    alone, without = (family_scores(each, COLUMNS, "bdeu")["E"] for each in (FULL, NOTHING))
    assert len(lines) == 5 and alone == pytest.approx(-5 * log(2))
    told = f"costs ln 2 = {log(2):.2f}, whatever it says: for E that is 5 ln 2 = {-alone:.2f} nats, less than the {-without:.2f}"
    assert told in cell("bdeu-read")


def test_no_pair_of_the_riddle_is_dependent():
    riddle = pd.DataFrame(examples.either_or())
    for a, b in combinations(riddle, 2):
        assert (pd.crosstab(riddle[a], riddle[b]) == 50).all(axis=None)


def test_what_the_hearts_draw():
    patients = data.load_heart()
    found = hill_climb(patients)
    assert found.score == pytest.approx(-1949.184, abs=5e-4) and len(found.history) == 10
    assert found.parents["Age"] == ("Vessels",) and len(found.parents) * 8 / 2 == 36
    assert {v for _, v in graph.compelled(found.parents)} == {"Rate", "ST"}
    assert len(graph.compelled(found.parents)) == 4 and "four arrows into Rate and ST" in cell("read-shuffled")
    arrows = [(p, v) for v in found.parents for p in found.parents[v]]
    same = 0
    for flips in range(2 ** len(arrows)):
        other = {v: [] for v in found.parents}
        for bit, (a, b) in enumerate(arrows):
            other[a if flips >> bit & 1 else b].append(b if flips >> bit & 1 else a)
        try:
            graph.topological_order(other)
        except ValueError:
            continue  # a cycle
        same += graph.equivalent(other, found.parents)
    assert same == 7 and "Seven equivalent graphs" in cell("read-shuffled")


def test_what_chance_draws():
    chance = heart_table(297).chance
    assert sum(gain > 0 for gain in chance) == 26 and max(chance) == pytest.approx(4.970, abs=5e-4)
    assert f"as have {sum(gain > 0 for gain in heart_table(50).chance)} of 100 shuffles" in cell("notes-heart")
    columns = heart_table(297).columns
    seed = 5
    random = np.random.default_rng(seed)
    climb = hill_climb({v: random.permutation(column) for v, column in columns.items()})
    assert climb.history[0].gain == pytest.approx(chance[seed])
    assert log(297) / 2 == pytest.approx(2.85, abs=0.005) and "2.85" in said("shuffled", right=False)
    pairs = len(list(combinations(range(25), 2)))
    assert pairs == 300 and "300 pairs" in said("survey")


def test_a_survey_without_links_has_about_as_many_arrows():
    random = np.random.default_rng(0)
    drawn = [len(hill_climb(pd.DataFrame(random.integers(0, 2, (60, 25)))).history) for _ in range(8)]
    assert min(drawn) > 8 and np.mean(drawn) == pytest.approx(18, abs=4) and "draws 18 arrows" in TEXT


PATIENTS = data.load_heart()
STATES = {v: sorted(PATIENTS[v].unique()) for v in PATIENTS}


@pytest.mark.heavy
def test_what_chance_offers_a_tenth_arrow():
    """The line of the figure is for a first arrow; this is what further ones gain where the last one does not exist."""
    *_, nine, _ = hill_climb(PATIENTS).graphs()
    assert sum(map(len, nine.values())) == 9 and nine["Rate"] == ("Disease",)
    net = fit(nine, PATIENTS, states=STATES)
    most = [
        max(move.gain for move in moves(nine, net.sample(297, random_state=seed), states=STATES) if move.kind == "add")
        for seed in range(300)
    ]
    assert f"in 300 samples from the graph without it no further arrow gained more than {max(most):.1f}." in cell(
        "read-shuffled"
    )
    assert max(most) < 4.1 < hill_climb(PATIENTS).history[-1].gain


@pytest.mark.heavy
def test_which_graph_the_splits_prefer():
    hand = bic = 0
    for seed in range(20):
        mixed = PATIENTS.sample(frac=1, random_state=seed)
        old, new = mixed[:200], mixed[200:].to_dict("records")
        climbs = [hill_climb(old, kind, max_parents=3, states=STATES).parents for kind in ("bic", "mle")]
        assert sum(map(len, climbs[1].values())) == 21 == 0 + 1 + 2 + 6 * 3  # as many as three parents allow
        nets = [fit(each, old, "laplace", states=STATES) for each in (examples.heart_arrows(), *climbs)]
        ours, found, most = (sum(map(net.log_joint, new)) for net in nets)
        hand, bic = hand + (ours > found), bic + (found > most)
    assert f"({hand} of the 20 splits, which overlap, prefer the latter)" in cell("heart-read")
    assert f"all 21 arrows that three parents allow and does worse than BIC in {bic}." in cell("heart-read")


@pytest.mark.heavy
def test_links_that_come_and_go():
    times = {("Disease", "Rate"): 0, ("Angina", "Rate"): 0}
    for seed in range(100):
        parents = hill_climb(PATIENTS.sample(297, replace=True, random_state=seed), states=STATES).parents
        for a, b in times:
            times[a, b] += a in parents[b] or b in parents[a]
    gains = {str(move).split(" (")[0]: move.gain for move in hill_climb(PATIENTS, states=STATES).history}
    disease = f"Disease–Rate ({gains['add Disease → Rate']:.1f}) in {times['Disease', 'Rate']} of 100"
    angina = f"Angina–Rate ({gains['add Angina → Rate']:.1f}) in {times['Angina', 'Rate']}."
    assert f"{disease}, {angina}" in cell("heart-read")


def test_cells_are_flipped_by_a_click_and_by_keys():
    figure = live.family_bars()
    axes = figure.figure.axes[0]
    x, y = axes.transData.transform((2, 1)) / (figure.figure.bbox.width, figure.figure.bbox.height)
    figure.view.pointer = {"press": 1, "from": [x, 1 - y], "to": [x, 1 - y]}
    assert "Ring on K of row 2" in figure.alt and "bars of K, E, H moved" in figure.alt
    press(figure, " ")
    assert "0 cells flipped" in figure.alt


def test_a_click_on_dots_chooses_their_graphs():
    figure = live.graph_wall()
    axes, dots = figure.figure.axes[0], figure.picture.dots
    x, y = axes.transData.transform((dots.get_xdata()[-1], dots.get_ydata()[-1]))
    at = [x / figure.figure.bbox.width, 1 - y / figure.figure.bbox.height]
    figure.view.pointer = {"press": 1, "from": at, "to": at}
    assert "score −580.623 nats, rank 2, shared by 6 graphs" in figure.alt
    press(figure, "ArrowUp")
    assert "Chosen: B→A←E;" in figure.alt


def test_a_table_of_ones_own_is_climbed_or_refused_in_words():
    figure = live.hearts()
    figure.preset("a table of your own")
    assert figure.alt.startswith("48 rows of your own, move 4 of 4") and "BIC −157.685" in figure.alt
    for text, words in (
        ("a,b\nx,1\nx,2", "column a, must have at least two states"),
        ("a,b\n" + "\n".join(f"word{i},1" for i in range(9)), "column a, must be numbers"),
        ("a,b\n,1\nx,", "at least two rows without an empty cell, got 0"),
        (",".join("abcdefghij") + "\n" + ",".join("0123456789"), "2 to 9 columns"),
    ):
        figure.set(text=text)
        assert words in figure.alt, figure.alt
