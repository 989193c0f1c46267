"""Section 14: the numbers that its questions and its notebook mention."""

from math import comb

import nbformat
import numpy as np
import pytest

from bayeslib import KNeighborsClassifier, live
from bayeslib.live.nearest_neighbours import COIN_KS, STRAY, WRONG, _coin_curves, _useless_errors
from bayeslib.neighbors import kd_search, kd_tree, voronoi_cells
from bayeslib.practice import tasks_14
from bayeslib.practice.questions import Question
from tests.lab import ROOT
from tests.sections.section_14 import DIGITS, IMAGES, MEMORY, WAYS, most_votes, moved

TEXT = (ROOT / "bayeslib/practice/14.toml").read_text()
CELLS = {cell.id: cell for cell in nbformat.read(ROOT / "notebooks/14-nearest-neighbours.ipynb", 4).cells}


def printed(cell):
    return "".join(o.get("text") or o["data"]["text/plain"] for o in CELLS[cell].outputs)


def test_the_fruits_are_as_on_paper():
    """√1, √5 and √18 away: three apples of 120, 160 and 210 g."""
    assert "vote: apple" in printed("by-hand-model") and round((120 + 160 + 210) / 3, 1) == 163.3
    assert "163.3 g" in printed("by-hand-model") and "163.3 g" in CELLS["by-hand-read"].source
    assert [f"{square**0.5:.3f}" in printed("by-hand") for square in (1, 5, 18)] == [True] * 3


def test_numbers_about_the_stray_circle_hold():
    figure = live.drag_cells()
    assert Question("14/stray").then["points"] == STRAY
    figure.preset("a stray circle")
    assert "has a cell of 4.5% of the map" in figure.alt and "4.5% of the map" in TEXT
    assert "4.5% of the map" in CELLS["read-stray"].source
    assert len(voronoi_cells(np.array(STRAY)[:, :2], (0, 1.5, 0, 1))[4]) == 4
    figure.preset("the stray, k = 3")
    land = figure.figure.axes[0].images[0].get_array()
    stray = land[66, 134]  # the cell of the grid at (1.12, 0.55)
    assert stray[2] > stray[0], "blue: the island is gone"


def test_numbers_about_k_hold():
    figure = live.k_regions()
    for k, error in ((1, "0.353"), (7, "0.260"), (49, "0.340")):
        figure.set(k=k)
        assert f"true {error};" in figure.alt and error in TEXT and error in CELLS["read-k"].source
    rows = [line.split()[1:] for line in printed("loo-code").split("\n")[1:]]
    assert rows[0] == ["1", "0.00", "0.31", "0.35"] and rows[2] == ["19", "0.23", "0.24", "0.27"]
    figure.set(k=7)
    assert "leave-one-out 0.28" in figure.alt and rows[1] == ["7", "0.25", "0.28", "0.26"], "the sample of the figure"
    assert "least at k = 19" in figure.alt


def test_all_splits_of_the_lesson_choose_the_same_k():
    table = [[float(each) for each in line.split()] for line in printed("cv-code").split("\n")[2:]]
    assert all(min(table, key=lambda row: row[split])[0] == 19 for split in (1, 2, 3))
    assert max(max(row[1:]) - min(row[1:]) for row in table) == pytest.approx(0.07)


def test_the_coin_errs_as_it_is_told_to():
    """The curves of the figure, exact in the labels, beside plain simulation; and what the notebook prints."""
    random, grid = np.random.default_rng(1), (np.arange(200) + 0.5) / 200
    for n, column in ((10, 0), (100, 4)):
        for number, k in enumerate(COIN_KS):
            if k > n:
                continue
            errors = []
            for _ in range(200):
                x = random.random((n, 1))
                y = random.random(n) < np.where(x[:, 0] < 0.5, 0.2, 0.8)
                answer = KNeighborsClassifier(k).fit(x, y).predict(grid[:, None])
                errors.append(np.where(answer == (grid > 0.5), 0.2, 0.8).mean())
            assert _coin_curves(0.8)[number, column] == pytest.approx(np.mean(errors), abs=0.02)
    assert round(_coin_curves(0.8)[0, 0], 2) == 0.34 and "10 points errs on about 34%" in TEXT


def test_the_order_of_the_limits_matters():
    """k = 1 and 25 go to their limits, k near √n and even n/2 + 1 to the best; with k = n − 1 only a coin is left."""
    last = [float(each) for each in printed("k-and-n").strip().split("\n")[-1].split()]
    assert last[0] == 1000 and last[1] == pytest.approx(0.32, abs=0.01) and last[2] == pytest.approx(0.2002, abs=0.005)
    assert last[3] < 0.21 and last[4] < 0.22 and last[5] == 0.500


def test_numbers_about_units_hold():
    figure = live.height_unit()
    assert "J is 2.017 away, K 4;" in figure.alt and "J is 2.02 away and K 4.00" in TEXT
    figure.preset("centimetres")
    assert "J is 26.08 away, K 4.472" in figure.alt and "4.47 against 26.08" in TEXT
    for unit, nearest in ((13, "J"), (14, "K")):
        figure.set(unit=unit)
        assert figure.alt.endswith(f"is {nearest}.")
    assert "at 1 m = 13 it is still J, at 14 it is K" in CELLS["notes-units"].source


def test_numbers_about_useless_columns_hold():
    one, seven = _useless_errors(100)
    assert one[0] < 0.01 and "errs on less than 1%" in TEXT
    assert one[1] == pytest.approx(0.04, abs=0.01) and "some 4%" in TEXT
    assert one[5] == pytest.approx(0.304, abs=5e-4) and "about 30%" in TEXT and "0.304" in CELLS["read-useless"].source
    random, errors = np.random.default_rng(7), []
    for _ in range(20):
        X, queries = random.random((100, 21)), random.random((200, 21))
        model = KNeighborsClassifier(7).fit(X, X[:, 0] > 0.5)
        errors.append(1 - model.score(queries, queries[:, 0] > 0.5))
    assert seven[5] == pytest.approx(np.mean(errors), abs=0.03)


@pytest.mark.heavy
@pytest.mark.parametrize(("k", "copies"), WRONG)
def test_the_stored_numbers_of_wrong_digits_are_computed_again(k, copies):
    """Plain distances, the course's rule for ties, all 599 images asked, each move."""
    kept = MEMORY if copies else MEMORY[:1198]
    for way, wrong in zip(WAYS, WRONG[k, copies]):
        asked = np.array([moved(image, way) for image in IMAGES[1198:]])
        squares = (asked**2).sum(axis=1)[:, None] + (kept**2).sum(axis=1) - 2 * asked @ kept.T
        found = DIGITS[np.argsort(squares.round(), axis=1, kind="stable")[:, :k] % 1198].tolist()
        assert sum(most_votes(each) != truth for each, truth in zip(found, DIGITS[1198:])) == wrong


def test_leave_one_out_finds_the_useful_column():
    """Plain distances: all 21 columns, the useful one, and the noise that seems to help."""
    X = np.random.default_rng(0).random((100, 21))
    label = X[:, 0] > 0.5

    def left_out(columns):
        away = ((X[:, None, columns] - X[:, columns]) ** 2).sum(axis=2)
        np.fill_diagonal(away, np.inf)
        return float((label[away.argmin(axis=1)] != label).mean())

    found = left_out(list(range(21))), left_out([0]), left_out([0, 20])
    assert (
        found == (0.32, 0.02, 0.0) == tuple(float(line.split(": ")[1]) for line in printed("selection").split("\n")[:3])
    )
    assert min(range(21), key=lambda column: left_out([column])) == 0
    X[:, 0] *= 10
    assert left_out(list(range(21))) == 0.04 and "x1 times 10, all 21 columns: 0.04" in printed("selection")
    assert "A weight of 10 on $x_1$ does nearly as well, 0.04" in CELLS["selection-read"].source


def test_three_strangers_of_sixteen_are_more_often_wrong_than_right():
    """Eight and eight rows, one left out, three of the other 15 drawn blindly: at least two of the seven of its own."""
    wrong = 1 - (comb(7, 2) * 8 + comb(7, 3)) / comb(15, 3)
    assert round(wrong, 2) == 0.55 and "which makes 0.55 on average" in CELLS["own-read"].source


def test_the_curse_needs_independent_columns():
    assert "0.904" in printed("dimension-code") and round(0.01 ** (1 / 1000), 3) == 0.995
    real, dealt = (float(line.split()[-1]) for line in printed("dimension-real").strip().split("\n") if line)
    assert real < 0.3 and dealt > 0.5


def test_what_the_lesson_says_of_the_digits():
    left, asked = np.array([moved(image, "left") for image in IMAGES[1198:]]), DIGITS[1198:]
    says = KNeighborsClassifier(1).fit(IMAGES[:1198], DIGITS[:1198]).predict(left)
    assert (says != asked).sum() == WRONG[1, False][1] == 262 and "262 moved left" in printed("digits-code")
    assert (says[asked == 9] == 5).sum() == 45 and (asked == 9).sum() == 58
    assert "45 of the 58 nines" in CELLS["read-pixel"].source and "262" in TEXT
    assert WRONG[1, True][1] == 21 and "and 21 are wrong instead of 262" in CELLS["read-pixel"].source
    lost = [1 - sum(moved(image, way).sum() for image in IMAGES) / IMAGES.sum() for way in WAYS]
    assert lost[1] < 1e-4 and lost[3] == pytest.approx(0.12, abs=0.005) == lost[4]
    random, wrong = np.random.default_rng(0), []
    for _ in range(20):
        order = random.permutation(1797)
        model = KNeighborsClassifier(1).fit(IMAGES[order[:1198]], DIGITS[order[:1198]])
        wrong.append((model.predict(IMAGES[order[1198:]]) != DIGITS[order[1198:]]).sum())
    assert 7 <= np.mean(wrong) <= 9 and "about 8 errors" in CELLS["digits-caveats"].source
    assert "3.5% wrong; leave-one-out on all: 1.2%" in printed("digits-code")
    blocks = []
    for block in np.split(np.arange(1797), range(300, 1797, 300)):
        model = KNeighborsClassifier(1).fit(np.delete(IMAGES, block, axis=0), np.delete(DIGITS, block))
        blocks.append(int((model.predict(IMAGES[block]) != DIGITS[block]).sum()))
    assert (min(blocks), max(blocks)) == (2, 16) and "held out in turn have 2 to 16 errors" in CELLS[
        "digits-caveats"
    ].source


def test_numbers_about_the_tree_hold():
    figure = live.search_tree()
    assert Question("14/visits").then == {"points": 31, "step": figure.controls["step"].max}
    figure.preset("the whole search")
    assert "5 measured, 26 skipped of 31" in figure.alt and "5 distances; 26 points" in CELLS["read-cost"].source
    figure.preset("an awkward query")
    assert "17 measured" in figure.alt and "17 of 31 must be measured" in CELLS["notes-cost"].source
    counts = printed("visits-code").split("\n")[1].split()[3:]
    assert counts[1] == "18" and counts[-1] == "1000"
    random = np.random.default_rng(0)
    points, queries = random.random((1000, 2)), random.random((20, 2))
    visits = [sum(s.kind == "visit" for s in kd_search(kd_tree(points), points, q)) for q in queries]
    assert round(np.mean(visits)) == 18


def test_numbers_about_the_mean_hold():
    figure = live.mean_of_neighbours()
    figure.preset("all 25")
    assert "is 1.630" in figure.alt and "1.630" in CELLS["read-numbers"].source


def test_no_answer_of_a_task_hangs_on_a_tie():
    """Right solutions may break ties either way, so there must be none."""
    for X, _, query, k, scale in tasks_14.TASKS["vote"]["cases"]:
        away = np.sort(np.hypot.reduce((np.array(X) - query) * scale, axis=1))
        assert np.diff(away)[k - 1] > 1e-6
    for X, y, query, k, scale in tasks_14.TASKS["vote"]["cases"]:
        order = np.argsort(np.hypot.reduce((np.array(X) - query) * scale, axis=1))[:k]
        counts = sorted(np.unique(np.array(y)[order], return_counts=True)[1])
        assert len(counts) == 1 or counts[-1] > counts[-2]
    for X, y, ks in tasks_14.TASKS["best-k"]["cases"]:
        errors = sorted(KNeighborsClassifier(k).fit(X, y).leave_one_out() for k in ks)
        away = np.sort(np.linalg.norm(np.array(X)[:, None] - X, axis=2), axis=1)
        assert errors[0] < errors[1] and np.diff(away, axis=1).min() > 1e-6
