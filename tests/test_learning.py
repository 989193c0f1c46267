"""Learning belief networks (section 09): counts, tables, scores and the search, beside plain counting."""

from collections import Counter
from itertools import permutations
from math import lgamma, log, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayeslib as bl
from bayeslib.models.networks import (
    FamilyScores,
    counts,
    examples,
    fit,
    graph,
    hill_climb,
    moves,
    random_graph,
    score,
)

STUDENT = {"S": [], "A": [], "K": ["S", "A"], "E": ["K"], "H": ["K"]}
NOTHING = {v: [] for v in STUDENT}
STUDENTS = bl.data.load_student()
MADE = examples.typical_rows(examples.student(), 200)


def arrows(parents):
    return {(p, v) for v, theirs in parents.items() for p in theirs}


def plain_score(rows, parents, kind, states):
    """Score of a graph over lists of dicts, by plain counting and the textbook's formulas."""
    total = 0.0
    for v, theirs in parents.items():
        cells = Counter((tuple(row[p] for p in theirs), row[v]) for row in rows)
        lines = Counter(tuple(row[p] for p in theirs) for row in rows)
        lists, k = prod(len(states[p]) for p in theirs), len(states[v])
        if kind == "bdeu":
            total += sum(lgamma(1 / lists) - lgamma(1 / lists + n) for n in lines.values())
            total += sum(lgamma(1 / lists / k + n) - lgamma(1 / lists / k) for n in cells.values())
        else:
            total += sum(n * log(n / lines[key]) for (key, _), n in cells.items())
            total -= 0.5 * log(len(rows)) * lists * (k - 1) if kind == "bic" else 0
    return total


@st.composite
def tables(draw):
    """A small table of data with 2 or 3 states a column, and an acyclic graph over its columns."""
    n = draw(st.integers(2, 4))
    names, cards = "WXYZ"[:n], draw(st.lists(st.integers(2, 3), min_size=n, max_size=n))
    rows = draw(st.integers(1, 40))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    data = {v: random.integers(0, k, rows) for v, k in zip(names, cards)}
    if n > 2 and draw(st.booleans()):
        data["Y"] = np.where(random.random(rows) < 0.8, data["W"] % cards[2], data["Y"])
    return data, {v: range(k) for v, k in zip(names, cards)}, random_graph(names, random)


# Plain counting as oracle


@settings(max_examples=60, deadline=None)
@given(tables(), st.sampled_from(["bic", "bdeu", "mle"]))
def test_scores_are_the_formulas_and_a_climb_takes_the_best_of_all_legal_moves_until_none_gains(made, kind):
    data, states, start = made
    rows = [dict(zip(data, row)) for row in zip(*(column.tolist() for column in data.values()))]
    every = list(graph.every_graph(list(data)))
    scores = FamilyScores.from_data(data, kind, states)

    def plain(parents):
        return plain_score(rows, parents, kind, states)

    assert score(start, data, kind, states=states) == pytest.approx(plain(start), abs=1e-8)
    found = hill_climb(data, kind, start=start, states=states)
    assert found.score == pytest.approx(plain(found.parents), abs=1e-6) and found.graphs()[0] == found.start == start
    for seen, move in zip(found.graphs(), [*found.history, None]):
        # A neighbour has one arrow more, one less, or one turned round.
        near = [each for each in every if len({frozenset(a) for a in arrows(each) ^ arrows(seen)}) == 1]
        gains = {frozenset(arrows(each)): plain(each) - plain(seen) for each in near}
        legal = {frozenset(arrows(each.applied(seen))): each.gain for each in moves(seen, scores)}
        assert legal == pytest.approx(gains, abs=1e-6)
        best = max(gains.values())
        assert best < 1e-6 if move is None else move.gain == pytest.approx(best, abs=1e-6) and move.gain > 0
    few = hill_climb(data, kind, states=states, max_parents=1)
    assert all(len(theirs) < 2 for theirs in few.parents.values())


@settings(max_examples=40, deadline=None)
@given(tables(), st.sampled_from([("laplace", None), ("bdeu", 3), ("m", 2.5)]))
def test_fitted_tables_are_counts_and_virtual_rows(made, prior):
    (data, states, parents), (prior, m) = made, prior
    net = fit(parents, data, prior, m, states=states)
    rows = [dict(zip(data, row)) for row in zip(*(column.tolist() for column in data.values()))]
    for v, theirs in parents.items():
        table, k = net.table(v), len(states[v])
        each = {"laplace": 1, "bdeu": (m or 0) / k / len(table), "m": (m or 0) / k}[prior]
        for key, line in table.items():
            pile = [row[v] for row in rows if tuple(row[p] for p in theirs) == key]
            assert line == pytest.approx({s: (pile.count(s) + each) / (len(pile) + k * each) for s in states[v]})


@settings(max_examples=30, deadline=None)
@given(tables(), st.sampled_from(["bic", "bdeu"]))
def test_equivalent_graphs_score_alike_and_a_denser_one_never_fits_worse(made, kind):
    data, states, parents = made
    same = [each for each in graph.every_graph(list(data)) if graph.equivalent(each, parents)]
    assert arrows(parents) in map(arrows, same)
    mine = score(parents, data, kind, states=states)
    assert all(score(each, data, kind, states=states) == pytest.approx(mine, abs=1e-8) for each in same[:12])
    order = graph.topological_order(parents)
    denser = {v: order[:i] for i, v in enumerate(order)}
    assert score(denser, data, "mle", states=states) >= score(parents, data, "mle", states=states) - 1e-9


@pytest.mark.parametrize("variables, number, models", [("ab", 3, 2), ("abc", 25, 11), ("abcd", 543, 185)])
def test_compelled_arrows_are_those_that_all_equivalent_graphs_share(variables, number, models):
    every, classes = list(graph.every_graph(variables)), {}
    for each in every:
        links = frozenset(map(frozenset, arrows(each)))
        classes.setdefault((links, frozenset(graph.colliders(each))), []).append(each)
    assert (len(every), len(classes)) == (number, models)
    for equals in classes.values():
        assert all(graph.compelled(each) == set.intersection(*map(arrows, equals)) for each in equals)


def test_large_families_are_counted_by_what_occurs():
    random = np.random.default_rng(0)
    data = {f"X{i}": random.integers(0, 3, 30) for i in range(40)}
    scores, parents = FamilyScores.from_data(data, "mle"), [f"X{i}" for i in range(39)]
    assert scores("X39", parents) == pytest.approx(0)  # no two rows share their parents' states


# What a teacher would claim


def test_a_climb_finds_the_student_network_or_ends_on_a_lower_top_by_the_order_of_the_columns():
    found = hill_climb(MADE)
    said = ["add K → H (+23.913)", "add K → E (+23.675)", "add S → K (+18.119)", "add A → K (+11.618)"]
    assert [str(move) for move in found.history] == said and arrows(found.parents) == arrows(STUDENT)
    ends = Counter(round(hill_climb({v: MADE[v] for v in order}).score, 3) for order in permutations(MADE))
    assert ends == {-615.117: 104, -613.816: 16}
    turned = {"S": ["K"], "A": ["K"], "K": ["E", "H"], "E": [], "H": []}
    assert hill_climb(MADE, start=turned).score < hill_climb(MADE, start=turned, restarts=20, random_state=0).score


def test_greedy_search_is_stuck_on_either_or_and_restarts_free_it():
    riddle, best = examples.either_or(), {"B": [], "E": [], "A": ["B", "E"]}
    assert hill_climb(riddle).history == [] and moves({v: [] for v in "BEA"}, riddle)[0].gain < 0
    freed = [hill_climb(riddle, restarts=5, random_state=seed).score for seed in range(5)]
    assert freed == pytest.approx([score(best, riddle)] * 5)
    assert hill_climb(riddle, restarts=5, max_parents=1, random_state=0).score == hill_climb(riddle).score


# Ways to give data


def test_data_may_be_a_table_columns_or_rows_and_counts_are_shown_as_tables():
    wanted = counts(STUDENT, STUDENTS)
    for data in (STUDENTS.to_dict("list"), STUDENTS.to_dict("records")):
        assert counts(STUDENT, data).table("K") == wanted.table("K")
    assert wanted.total == 5 and wanted.table("K")[0, 1] == {0: 1, 1: 1} and wanted.table("S") == {(): {0: 3, 1: 2}}
    frame = wanted.frame("K")
    assert frame.loc[(0, 1)].tolist() == [1, 1] and list(frame.columns) == ["K=0", "K=1"]
    words = {"W": ["wet", "dry", "wet"], "U": [True, False, True]}
    assert counts({"W": "U", "U": []}, words).states == {"W": ("dry", "wet"), "U": (True, False)}
    assert fit(examples.student(), STUDENTS).table("K")[False, True] == {True: 0.5, False: 0.5}  # the net's own states


def test_parents_that_never_occur_need_a_prior_or_even_shares():
    three = counts(STUDENT, STUDENTS[:3])
    assert three.network(unseen="even").table("K")[0, 0] == three.network("m").table("K")[0, 0] == {0: 0.5, 1: 0.5}
    assert three.network("m").table("S")[()][1] == (1 + 0.5) / (3 + 1)  # m is 1


@pytest.mark.parametrize("call, words", [
    (lambda: fit({"X": [], "Y": []}, {"X": [0, 1]}), "data must have a column for every variable, missing: {'Y'}. A var"),
    (lambda: fit({"X": []}, {"X": []}), "data must have at least one row"),
    (lambda: counts({"X": [], "Y": []}, {"X": [0, 1], "Y": [0]}), "data must have columns of one length, got 2 in 'X', 1 in"),
    (lambda: fit({"X": []}, {"X": [1, 1]}), "data['X'] must show at least two states, got only {1}: say which it can have"),
    (lambda: fit({"X": []}, {"X": [0, 7]}, states={"X": [0, 1]}), "data['X'] must hold one of {0, 1}, got 7"),
    (lambda: fit({"X": []}, {"X": [1.0, 0.0, None]}), "data['X'] has a missing cell, first in row 2: counting needs complete"),
    (lambda: fit({"X": []}, [[0, 1], [1, 0]]), "data must be a mapping or pandas table of columns, or a list of mappings"),
    (lambda: fit(STUDENT, STUDENTS[:3]), "P(K | S=0, A=0) cannot be estimated by counting: no row of the data has S=0, A=0."),
    (lambda: fit({"S": ["A"], "A": ["S"]}, STUDENTS), "structure must not form a directed cycle"),
    (lambda: fit(STUDENT, STUDENTS, "jeffreys"), "prior must be one of {'mle', 'laplace', 'bdeu', 'm'}, got 'jeffreys'"),
    (lambda: fit(STUDENT, STUDENTS, "laplace", m=2), "m must be left out unless prior is \"bdeu\" or \"m\", got 2"),
    (lambda: fit(STUDENT, STUDENTS, "m", m=-1), "m must be a number at least 0, got -1"),
    (lambda: score(STUDENT, STUDENTS, "aic"), "score must be one of {'bic', 'bdeu', 'mle'}, got 'aic'"),
    (lambda: hill_climb(STUDENTS, start={"S": []}), "start must have the variables of the data"),
])  # fmt: skip
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value)
