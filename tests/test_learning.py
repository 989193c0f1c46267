"""Learning belief networks (section 09): counts, tables, scores and the search, beside brute force, pgmpy and pyAgrum."""

import warnings
from collections import Counter
from itertools import permutations, product
from math import lgamma, log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayeslib as bl
from bayeslib.models.networks import (
    BeliefNetwork,
    Counts,
    FamilyScores,
    counts,
    examples,
    family_scores,
    fit,
    graph,
    hill_climb,
    moves,
    random_graph,
    score,
)
from bayeslib.models.networks._rows import Rows, encode
from bayeslib.models.networks.learning import RowScores

STUDENT = {"S": [], "A": [], "K": ["S", "A"], "E": ["K"], "H": ["K"]}
NOTHING = {v: [] for v in STUDENT}
FULL = {v: list(STUDENT)[:i] for i, v in enumerate(STUDENT)}


@pytest.fixture
def students():
    return bl.data.load_student()


@pytest.fixture
def made():
    return examples.typical_rows(examples.student(), 200)


def brute_score(rows, parents, kind, states, ess=1):
    """Score of a graph over lists of dicts, by plain counting and the textbook's formulas."""
    total = 0.0
    for v, theirs in parents.items():
        cells = Counter((tuple(row[p] for p in theirs), row[v]) for row in rows)
        lines = Counter(tuple(row[p] for p in theirs) for row in rows)
        combinations, k = 1, len(states[v])
        for p in theirs:
            combinations *= len(states[p])
        if kind == "bdeu":
            a = ess / combinations
            total += sum(lgamma(a) - lgamma(a + n) for n in lines.values())
            total += sum(lgamma(a / k + n) - lgamma(a / k) for n in cells.values())
        else:
            total += sum(n * log(n / lines[key]) for (key, _), n in cells.items())
            total -= 0.5 * log(len(rows)) * combinations * (k - 1) if kind == "bic" else 0
    return total


@st.composite
def tables(draw, most=5):
    """A small table of data with 2 or 3 states a column, and an acyclic graph over its columns."""
    n = draw(st.integers(2, most))
    names, cards = "VWXYZ"[:n], draw(st.lists(st.integers(2, 3), min_size=n, max_size=n))
    rows = draw(st.integers(1, 40))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    data = {v: random.integers(0, k, rows) for v, k in zip(names, cards)}
    if n > 2 and draw(st.booleans()):
        data[names[2]] = np.where(random.random(rows) < 0.8, data[names[0]] % cards[2], data[names[2]])
    return data, {v: range(k) for v, k in zip(names, cards)}, random_graph(names, random)


# Numbers of the syllabus and the storyboard


def test_two_rows_give_one_half(students):
    assert fit(STUDENT, students).table("K")[0, 1] == {0: 0.5, 1: 0.5}
    estimates = [row[1] for row in fit(STUDENT, students).table("K").values()]
    assert estimates == [0, 0.5, 1, 1]
    assert [row[1] for row in fit(STUDENT, students, "m", m=2).table("K").values()] == pytest.approx(
        [1 / 3, 1 / 2, 2 / 3, 2 / 3]
    )
    assert fit(STUDENT, students).joint({"S": 0, "A": 0, "K": 1, "E": 1, "H": 1}) == 0


def test_the_likelihood_falls_apart_into_families(students):
    parts = family_scores(STUDENT, students, "mle")
    assert list(parts.values()) == pytest.approx([-3.365, -3.365, -1.386, -3.296, -3.296], abs=5e-4)
    net = fit(STUDENT, students)
    rows = students.to_dict("records")
    assert sum(parts.values()) == pytest.approx(sum(net.log_joint(row) for row in rows)) == pytest.approx(-14.708084763)


def test_five_rows_do_not_pay_for_the_arrows(students):
    assert score(NOTHING, students, "mle") == pytest.approx(-16.825, abs=5e-4)
    assert (score(NOTHING, students), score(STUDENT, students)) == pytest.approx((-20.849, -22.755), abs=5e-4)


def test_25_graphs_have_11_scores():
    nights, graphs = examples.nights(), list(graph.every_graph("BEA"))
    assert len(graphs) == 25 and len(nights["B"]) == 400
    for kind, best, second in (("bic", -577.628, -580.623), ("bdeu", -578.612, -581.798)):
        tied = Counter(round(score(each, nights, kind), 6) for each in graphs)
        (top, alone), (next_best, six) = sorted(tied.items(), reverse=True)[:2]
        assert len(tied) == 11 and (alone, six) == (1, 6)
        assert (top, next_best) == pytest.approx((best, second), abs=5e-4)
    assert score({"B": [], "E": [], "A": ["B", "E"]}, nights) == pytest.approx(-577.628, abs=5e-4)


def test_the_climb_of_the_student_net(made):
    found = hill_climb(made)
    assert [str(move) for move in found.history] == [
        "add K → H (+23.913)",
        "add K → E (+23.675)",
        "add S → K (+18.119)",
        "add A → K (+11.618)",
    ]
    assert found.score == pytest.approx(score(STUDENT, made)) == pytest.approx(-613.816, abs=5e-4)
    assert found.graphs()[-1] == found.parents and found.graphs()[0] == {v: () for v in STUDENT} == found.start
    assert found.score - found.start_score == pytest.approx(sum(move.gain for move in found.history))


def test_where_the_climb_ends_hangs_on_the_order_of_the_columns(made):
    ends = Counter(round(hill_climb({v: made[v] for v in order}).score, 3) for order in permutations(made))
    assert ends == {-615.117: 104, -613.816: 16}


def test_likelihood_alone_takes_every_arrow(made):
    found = hill_climb(made, "mle")
    assert sum(map(len, found.parents.values())) == 10
    assert found.score - score(STUDENT, made, "mle") == pytest.approx(0.947, abs=5e-4)
    assert score(found.parents, made) == pytest.approx(-668.4, abs=0.05)


def test_greedy_search_is_stuck_on_either_or():
    riddle = examples.either_or()
    found = hill_climb(riddle)
    assert found.history == [] and found.score == pytest.approx(-423.836, abs=5e-4)
    assert score({"B": [], "E": [], "A": ["B", "E"]}, riddle) == pytest.approx(-358.170, abs=5e-4)
    assert {round(move.gain, 3) for move in moves({v: [] for v in "BEA"}, riddle)} == {-2.649}
    for seed in range(5):
        assert hill_climb(riddle, restarts=5, random_state=seed).score == pytest.approx(-358.170, abs=5e-4)
    assert hill_climb(riddle, restarts=5, max_parents=1, random_state=0).score == pytest.approx(found.score)


def test_a_turned_start_is_stuck_and_restarts_free_it(made):
    turned = {"S": ["K"], "A": ["K"], "K": ["E", "H"], "E": [], "H": []}
    stuck = hill_climb(made, start=turned)
    assert [str(move) for move in stuck.history] == ["reverse E → K (+8.490)"]
    assert stuck.score == pytest.approx(-615.117, abs=5e-4)
    assert hill_climb(made, start=turned, restarts=20, random_state=0).score == pytest.approx(-613.816, abs=5e-4)


def test_with_48_rows_the_truth_is_not_on_top():
    few = examples.typical_rows(examples.student(), 50)
    assert len(few["S"]) == 48
    assert hill_climb(few).score == pytest.approx(-157.685, abs=5e-4)
    assert score(STUDENT, few) == pytest.approx(-158.838, abs=5e-4)


@pytest.mark.parametrize("n, number", [(1, 1), (2, 3), (3, 25), (4, 543)])
def test_numbers_of_graphs(n, number):
    assert sum(1 for _ in graph.every_graph(range(n))) == number


# Properties


@settings(max_examples=60, deadline=None)
@given(tables(), st.sampled_from(["bic", "bdeu", "mle"]))
def test_scores_are_those_of_brute_force_and_sum_over_families(made, kind):
    data, states, parents = made
    rows = [dict(zip(data, row)) for row in zip(*(column.tolist() for column in data.values()))]
    wanted = brute_score(rows, parents, kind, states)
    assert score(parents, data, kind, states=states) == pytest.approx(wanted, abs=1e-8)
    scores = RowScores(Rows(encode(data, None, states)[0], [len(s) for s in states.values()]), kind)
    number = {v: i for i, v in enumerate(data)}
    by_rows = sum(scores(number[v], [number[p] for p in theirs]) for v, theirs in parents.items())
    assert by_rows == pytest.approx(wanted, abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(tables(4), st.sampled_from(["bic", "bdeu", "mle"]))
def test_the_climb_ends_where_no_move_improves_and_its_gains_are_true(made, kind):
    data, states, start = made
    found = hill_climb(data, kind, start=start, states=states)
    graph.topological_order(found.parents)
    top = score(found.parents, data, kind, states=states)
    assert found.score == pytest.approx(top, abs=1e-6)
    seen = start
    for move in found.history:
        after = move.applied(seen)
        gain = score(after, data, kind, states=states) - score(seen, data, kind, states=states)
        assert move.gain == pytest.approx(gain, abs=1e-6) and gain > 0
        seen = after
    legal = {frozenset(each.items()) for each in neighbours(found.parents)}
    listed = {
        frozenset((v, frozenset(p)) for v, p in move.applied(found.parents).items())
        for move in moves(found.parents, data, kind, states=states)
    }
    assert listed == legal
    for each in legal:
        assert score({v: tuple(p) for v, p in each}, data, kind, states=states) <= top + 1e-6


def neighbours(parents):
    """Every acyclic graph that is one addition, deletion or reversal away, with sets of parents."""
    parents = {v: frozenset(theirs) for v, theirs in parents.items()}
    for a, b in product(parents, repeat=2):
        if a == b:
            continue
        if a in parents[b]:
            without = {**parents, b: parents[b] - {a}}
            yield without
            others = [{**without, a: parents[a] | {b}}]
        else:
            others = [] if b in parents[a] else [{**parents, b: parents[b] | {a}}]
        for each in others:
            try:
                graph.topological_order({v: tuple(p) for v, p in each.items()})
            except ValueError:
                continue
            yield each


@settings(max_examples=60, deadline=None)
@given(tables())
def test_a_denser_graph_never_fits_worse(made):
    data, states, parents = made
    order = graph.topological_order(parents)
    denser = {v: order[:i] for i, v in enumerate(order)}
    assert score(denser, data, "mle", states=states) >= score(parents, data, "mle", states=states) - 1e-9


@settings(max_examples=40, deadline=None)
@given(tables(4), st.sampled_from(["bic", "bdeu"]))
def test_equivalent_graphs_score_alike(made, kind):
    data, states, parents = made
    mine = score(parents, data, kind, states=states)
    same = [each for each in graph.every_graph(list(data)) if graph.equivalent(each, parents)]
    assert any({v: set(p) for v, p in each.items()} == {v: set(p) for v, p in parents.items()} for each in same)
    for each in same[:12]:
        assert score(each, data, kind, states=states) == pytest.approx(mine, abs=1e-8)


@settings(max_examples=40, deadline=None)
@given(tables(), st.sampled_from([("laplace", None), ("bdeu", 3), ("m", 2.5)]))
def test_fitted_tables_are_counts_and_virtual_rows(made, prior):
    (data, states, parents), (prior, m) = made, prior
    net = fit(parents, data, prior, m, states=states)
    rows = list(zip(*(column.tolist() for column in data.values())))
    at = {v: i for i, v in enumerate(data)}
    for v, theirs in parents.items():
        for key, row in net.table(v).items():
            pile = [r[at[v]] for r in rows if tuple(r[at[p]] for p in theirs) == key]
            k, cells = len(states[v]), len(net.table(v)) * len(states[v])
            each = {"laplace": 1, "bdeu": (m or 0) / cells, "m": (m or 0) / k}[prior]
            for state, p in row.items():
                assert p == pytest.approx((pile.count(state) + each) / (len(pile) + k * each))


def test_expected_counts_do_as_well_as_counts(made):
    """Structural EM (section 11) brings fractions: a scorer of one's own, asked by name."""
    halves = {key: [x for x in column for _ in range(2)] for key, column in made.items()}
    whole = counts(STUDENT, made)
    rows = {v: np.array(column) for v, column in halves.items()}

    def count(child, parents):
        return counts({**{p: () for p in parents}, child: parents}, rows)[child] / 2

    scores = FamilyScores(count, dict.fromkeys(made, 2), whole.total)
    found = hill_climb(scores)
    assert found.score == pytest.approx(hill_climb(made).score) and found.parents == hill_climb(made).parents
    codes, _ = encode(halves)
    weighted = RowScores(Rows(codes, [2] * 5, np.full(len(codes), 0.5)))
    assert hill_climb(weighted).score == pytest.approx(found.score)


def test_large_families_are_counted_by_what_occurs():
    random = np.random.default_rng(0)
    data = {f"X{i}": random.integers(0, 3, 30) for i in range(12)}
    states = {v: range(3) for v in data}
    parents = {**{v: () for v in data}, "X11": tuple(f"X{i}" for i in range(8))}
    scores = RowScores(Rows(encode(data, None, states)[0], [3] * 12), "bic")
    wanted = score(parents, data, states=states) - score({v: () for v in data}, data, states=states)
    assert scores(11, range(8)) - scores(11, ()) == pytest.approx(wanted)
    assert scores.with_one_more(11, range(7))[7] == pytest.approx(scores(11, range(8)))
    assert max(map(len, hill_climb(data, "mle", states=states, max_parents=2).parents.values())) == 2


def test_colliders_and_equivalence():
    chain, fork, collider = (
        {"B": [], "A": ["B"], "E": ["A"]},
        {"B": ["A"], "A": [], "E": ["A"]},
        {"B": [], "A": ["B", "E"], "E": []},
    )
    assert graph.equivalent(chain, fork) and not graph.equivalent(chain, collider)
    assert graph.colliders(collider) == {(frozenset("BE"), "A")} and graph.colliders(chain) == set()
    assert graph.colliders({"B": [], "E": ["B"], "A": ["B", "E"]}) == set()


def arrows(parents):
    return {(p, v) for v, theirs in parents.items() for p in theirs}


@pytest.mark.parametrize("variables, models", [("ab", 2), ("abc", 11), ("abcd", 185)])
def test_compelled_arrows_are_those_that_all_equivalent_graphs_share(variables, models):
    classes = {}
    for each in graph.every_graph(variables):
        links = frozenset(map(frozenset, arrows(each)))
        classes.setdefault((links, frozenset(graph.colliders(each))), []).append(each)
    assert len(classes) == models
    for equals in classes.values():
        assert all(graph.compelled(each) == set.intersection(*map(arrows, equals)) for each in equals)


# Peers


def test_counts_parameters_and_bic_agree_with_pgmpy(made):
    from pgmpy.estimators import BIC, BDeu, MaximumLikelihoodEstimator
    from pgmpy.models import DiscreteBayesianNetwork

    frame = pd.DataFrame(made).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = DiscreteBayesianNetwork([(p, v) for v, theirs in STUDENT.items() for p in theirs])
        bic, bdeu = BIC(frame), BDeu(frame, equivalent_sample_size=5)
        for v, theirs in STUDENT.items():
            assert family_scores(STUDENT, frame)[v] == pytest.approx(bic.local_score(v, theirs))
            assert family_scores(STUDENT, frame, "bdeu", ess=5)[v] == pytest.approx(bdeu.local_score(v, theirs))
        model.add_nodes_from(STUDENT)
        cpds = {cpd.variable: cpd for cpd in MaximumLikelihoodEstimator(model, frame).get_parameters()}
    net = fit(STUDENT, frame)
    for (s, a), row in net.table("K").items():
        assert cpds["K"].get_value(K=1, S=s, A=a) == pytest.approx(row[1])


def test_the_climb_scores_no_worse_than_pyagrums():
    import pyagrum

    net = examples.asia()
    data = {v: column.astype(int) for v, column in net.sample(3000, 0).items()}
    frame = pd.DataFrame(data)
    template = pyagrum.BayesNet()
    for v in data:
        template.add(pyagrum.RangeVariable(v, v, 0, 1))
    learner = pyagrum.BNLearner(frame, template)
    learner.useGreedyHillClimbing()
    learner.useScoreBIC()
    learner.useNoPrior()
    dag, variables = learner.learnDAG(), list(data)
    theirs = {v: tuple(variables[p] for p in dag.parents(i)) for i, v in enumerate(variables)}
    states = {v: (0, 1) for v in data}
    assert (
        hill_climb(data, restarts=30, random_state=0, states=states).score >= score(theirs, data, states=states) - 1e-6
    )


# Ways to give data


def test_data_may_be_a_table_a_mapping_or_state_numbers(students):
    states = {v: (0, 1) for v in students}
    wanted = fit(STUDENT, students).table("K")
    assert fit(STUDENT, {v: students[v].tolist() for v in students}).table("K") == wanted
    assert fit(STUDENT, students.to_numpy(), states=states).table("K") == wanted
    words = {"W": ["wet", "dry", "wet"], "U": [True, False, True]}
    assert counts({"W": ["U"], "U": []}, words).states == {"W": ("dry", "wet"), "U": (True, False)}
    net = examples.student()
    assert fit(net, students).table("K")[False, True] == {True: 0.5, False: 0.5}  # the states of the net


def test_counts_are_shown_as_tables(students):
    tally = counts(STUDENT, students)
    assert tally.total == 5 and tally.table("K")[0, 1] == {0: 1, 1: 1} and tally.table("S") == {(): {0: 3, 1: 2}}
    assert tally.frame("K").loc[(0, 1)].tolist() == [1, 1] and list(tally.frame("K").columns) == ["K=0", "K=1"]
    assert tally.frame("S").to_numpy().tolist() == [[3, 2]]


# Bad input


@pytest.mark.parametrize(
    "data, states, words",
    [
        ({"X": [], "Y": []}, None, "at least one row, got an empty table"),
        ({}, None, "must have a column for every variable, missing: {'X', 'Y'}"),
        ({"X": [0, 1]}, None, "missing: {'Y'}.*EM"),
        ({"X": [0, 1], "Y": [0]}, None, "columns of one length, got 2 in 'X', 1 in 'Y'"),
        ({"X": [0, 1], "Y": [1, 1]}, None, r"data\['Y'\] has only one value, 1.*states=\{'Y': \[1, ...\]\}"),
        ({"X": [0, 1], "Y": ["a", "c"]}, {"Y": ["a", "b"]}, r"data\['Y'\] must hold one of \{'a', 'b'\}, got 'c'"),
        ({"X": [0, 1], "Y": [0, 7]}, {"Y": [0, 1]}, r"data\['Y'\] must hold one of \{0, 1\}, got 7"),
        ({"X": [0, 1], "Y": [0, -1]}, {"Y": [0, 1]}, "got -1"),
        ({"X": [0, 1], "Y": [None, None]}, None, r"data\['Y'\] is missing in every row.*states="),
        (
            {"X": [0, 1, 1], "Y": [0, None, 1]},
            None,
            r"data\['Y'\] has a missing cell, first in row 1.*em \(section 11\)",
        ),
        ({"X": [0, 1], "Y": [0.0, float("nan")]}, {"Y": [0, 1]}, "missing cell"),
        ({"X": [0, 1], "Y": [[0], [1]]}, None, "one column of values, got shape"),
        ([[0, 1], [1, 0]], None, "2-d array of state numbers with `states`"),
        ([[0, 1], [1, 2]], {"X": (0, 1), "Y": (0, 1)}, r"data\['Y'\] must hold state numbers from 0 to 1, got 2"),
        ("nonsense", None, "data must be a mapping"),
    ],
)
def test_bad_data_is_named(data, states, words):
    with pytest.raises(ValueError, match=words):
        fit({"X": [], "Y": ["X"]}, data, states=states)


def test_a_parent_combination_without_rows_is_named(students):
    with pytest.raises(ValueError, match=r"P\(K \| S=0, A=0\).*no row of the data has S=0, A=0 \(and 1 more\).*prior"):
        fit(STUDENT, students[:3])
    assert fit(STUDENT, students[:3], "laplace").table("K")[0, 0] == {0: 0.5, 1: 0.5}
    assert counts(STUDENT, students[:3]).network(unseen="even").table("K")[0, 0] == {0: 0.5, 1: 0.5}


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda d: fit({"S": ["A"], "A": ["S"]}, d), "must not form a directed cycle, got"),
        (lambda d: hill_climb(d, start={**NOTHING, "S": ["A"], "A": ["S"]}), "directed cycle"),
        (lambda d: hill_climb(d, start={"S": []}), "start must have the variables of the data"),
        (lambda d: fit([], d), "structure must be a mapping"),
        (
            lambda d: fit(STUDENT, d, "jeffreys"),
            r"prior must be one of \{'mle', 'laplace', 'bdeu', 'm'\}, got 'jeffreys'",
        ),
        (lambda d: fit(STUDENT, d, "laplace", m=2), 'm belongs to prior="bdeu" or "m"'),
        (lambda d: fit(STUDENT, d, "m", m=-1), "m must be a number at least 0, got -1"),
        (lambda d: fit(STUDENT, d, "m", m=2, p={"K": [0.5, 0.6]}), r"p\['K'\] must be a distribution over"),
        (lambda d: counts(STUDENT, d).network(unseen="guess"), "unseen must be one of {'error', 'even'}"),
        (lambda d: score(STUDENT, d, "aic"), "score must be one of"),
        (lambda d: score(STUDENT, d, "bdeu", ess=0), "ess must be a number"),
        (lambda d: hill_climb(d, restarts=-1), "restarts must be a whole number"),
        (lambda d: hill_climb(d, max_parents=1.5), "max_parents must be a whole number"),
        (lambda d: moves({"S": []}, d), "structure must have the variables"),
    ],
)
def test_bad_arguments_are_named(students, call, words):
    with pytest.raises(ValueError, match=words):
        call(students)


def test_a_prior_of_ones_own(students):
    third = fit(STUDENT, students, "m", m=3, p={"S": {0: 1 / 3, 1: 2 / 3}, "A": 0.5})
    assert third.table("S")[()][1] == pytest.approx((2 + 2) / (5 + 3))


def test_a_variable_may_be_called_none():
    data = {None: [0, 0, 1, 1], "b": [0, 1, 1, 1]}
    net = fit({None: [], "b": [None]}, data)
    assert net.variables == (None, "b") and net.query("b", {None: 1})[1] == 1
    with pytest.raises(ValueError, match="structure must not form a directed cycle"):
        fit({None: ["b"], "b": [None]}, data)


def test_counts_and_tables_are_copies_of_what_was_given():
    given = {"a": np.array([1.0, 3.0])}
    kept, table = Counts({"a": ()}, {"a": (0, 1)}, given), np.array([0.25, 0.75])
    net = BeliefNetwork({"a": []}, {"a": table}, {"a": (0, 1)})
    given["a"][:], table[:] = 7, 0.5
    assert kept["a"].tolist() == [1, 3] and net.factor("a").tolist() == [0.25, 0.75]


def test_scores_from_data_are_those_of_the_counted_families():
    data = examples.typical_rows(examples.student(), 200)
    scores, arrows = FamilyScores.from_data(data), dict(examples.student().parents)
    assert {v: scores(v, theirs) for v, theirs in arrows.items()} == pytest.approx(family_scores(arrows, data))
