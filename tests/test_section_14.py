"""Section 14: the numbers that its questions and its notebook mention."""

import nbformat
import numpy as np
import pytest

from bayeslib import KNeighborsClassifier, live
from bayeslib.live.nearest_neighbours import COIN_KS, STRAY, WRONG, _coin_curves, _useless_errors
from bayeslib.neighbors import kd_search, kd_tree
from bayeslib.practice import tasks_14
from bayeslib.practice.questions import Question
from tests.lab import ROOT
from tests.sections.section_14 import DIGITS, IMAGES, MEMORY, WAYS, most_votes, moved

TEXT = (ROOT / "bayeslib/practice/14.toml").read_text()
CELLS = {cell.id: cell for cell in nbformat.read(ROOT / "notebooks/14-nearest-neighbours.ipynb", 4).cells}


def printed(cell):
    return "".join(o.get("text") or o["data"]["text/plain"] for o in CELLS[cell].outputs)


def test_numbers_about_the_stray_circle_hold():
    figure = live.drag_cells()
    assert Question("14/stray").then["points"] == STRAY
    figure.preset("a stray circle")
    assert "has a cell of 4.6% of the map" in figure.alt and "4.6% of the map" in TEXT
    assert "4.6% of the map" in CELLS["read-stray"].source
    figure.preset("the stray, k = 3")
    land = figure.figure.axes[0].images[0].get_array()
    stray = land[60, 134]  # the cell of the grid at (1.12, 0.5)
    assert stray[2] > stray[0], "blue: the island is gone"


def test_numbers_about_k_hold():
    figure = live.k_regions()
    for k, error in ((1, "0.352"), (7, "0.261"), (99, "0.500")):
        figure.set(k=k)
        assert f"true {error};" in figure.alt and error[1:] in TEXT and error[1:] in CELLS["read-k"].source
    assert "0.31" in printed("loo-code"), "the cell uses the sample of the figure"


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
    assert round(_coin_curves(0.8)[0, 0], 2) == 0.34 and "10 points errs in about 34%" in TEXT
    last = printed("k-and-n").strip().split("\n")[-1].split()
    assert last[1:3] == ["3000", "2999"] and 0.45 < float(last[3]) <= 0.5 and "as bad as a coin" in TEXT


def test_numbers_about_units_hold():
    figure = live.height_unit()
    assert "A is 2.017 away, B 4;" in figure.alt and "A is 2.02 away, B 4.00" in TEXT
    figure.preset("centimetres")
    assert "A is 26.08 away, B 4.472" in figure.alt and "4.47 against 26.08" in TEXT
    for unit, nearest in ((13, "A"), (14, "B")):
        figure.set(unit=unit)
        assert figure.alt.endswith(f"is {nearest}.")
    assert "at 1 m = 13 it is still A, at 14 it is B" in CELLS["notes-units"].source


def test_numbers_about_useless_columns_hold():
    one, seven = _useless_errors(100)
    assert one[0] < 0.01 and "errs in less than 1%" in TEXT
    assert one[1] == pytest.approx(0.04, abs=0.01) and "some 4%" in TEXT
    assert one[5] == pytest.approx(0.3, abs=0.02) and "about 30%" in TEXT
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


def test_numbers_about_the_tree_hold():
    figure = live.search_tree()
    assert Question("14/visits").then == {"points": 31, "step": figure.controls["step"].max}
    figure.preset("the whole search")
    assert "5 measured, 26 skipped of 31" in figure.alt and "5 distances; 26 points" in CELLS["read-cost"].source
    figure.preset("an awkward query")
    assert "17 measured" in figure.alt and "17 of 31 must be measured" in CELLS["notes-cost"].source
    counts = printed("visits-code").split("\n")[1].split()[3:]
    assert counts[1] == "18" and counts[-1] == "1000" and "Some 18 in two dimensions, all 1000 in twenty" in TEXT
    random = np.random.default_rng(0)
    points, queries = random.random((1000, 2)), random.random((20, 2))
    visits = [sum(s.kind == "visit" for s in kd_search(kd_tree(points), points, q)) for q in queries]
    assert round(np.mean(visits)) == 18


def test_numbers_about_the_mean_hold():
    figure = live.mean_of_neighbours()
    figure.preset("all 25")
    assert "is 1.630" in figure.alt and "1.630" in TEXT and "1.630" in CELLS["read-numbers"].source


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
