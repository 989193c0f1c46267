"""Learning from rows with holes (section 11): against enumeration of all completions, pyAgrum, and the lecture's numbers."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayeslib.models.networks import (
    BeliefNetwork,
    ImpossibleEvidence,
    completions,
    em,
    examples,
    expected_counts,
    fit,
    gradient_ascent,
    structural_em,
)
from tests.sections.test_s11 import ROWS, START, counted, splits

T, F = True, False
STUDENT = dict(examples.student().parents)


def table(history, k, variable="K"):
    return history[k].network.table(variable)


# The lecture's rows


def test_the_lectures_weights_come_out():
    split = completions(examples.student_start(), examples.student_holes())
    assert split["row"] == [0, 1, 1, 2, 3, 3, 4]
    assert split["weight"] == pytest.approx([1, 0.6, 0.4, 1, 0.2, 0.8, 1])


def test_the_fourth_row_counts_below_the_line_only():
    step = expected_counts(examples.student_start(), examples.student_holes())
    assert step.counts["K"][1, 0].tolist() == pytest.approx([1.6, 0.6])
    assert step.counts.total == pytest.approx(5)
    new = em(examples.student_start(), examples.student_holes(), max_iter=1).network
    assert new.table("K")[False, True][True] == pytest.approx(1.6 / 2.2)


def test_em_climbs_as_the_storyboard_says():
    learned = em(examples.student_start(), examples.student_holes())
    assert learned.log_likelihoods[:5] == pytest.approx([-15.525, -13.113, -12.673, -12.396, -12.333], abs=6e-4)
    assert learned.log_likelihoods[-1] == pytest.approx(-12.275, abs=5e-4) and learned.converged
    assert [table(learned.history, k)[False, True][True] for k in range(4)] == pytest.approx(
        [0.8, 0.727, 0.802, 0.870], abs=5e-4
    )
    assert learned.network.query("K", {"S": 0, "A": 1, "E": 0, "H": 1})[True] > 0.9999


def test_em_agrees_with_enumeration_of_all_completions():
    learned, tables = em(examples.student_start(), examples.student_holes(), max_iter=6, tol=0), START
    for step in learned.history:
        found, likelihood = splits(tables, ROWS)
        assert step.log_likelihood == pytest.approx(likelihood)
        for (s, a), share in tables["K"].items():
            assert step.network.table("K")[bool(s), bool(a)][True] == pytest.approx(share)
        tables = counted(found)


def test_the_best_fit_beats_the_truth_and_is_wrong():
    from bayeslib.data import load_student

    complete = fit(examples.student(), load_student())
    assert expected_counts(complete, examples.student_holes()).log_likelihood == pytest.approx(-13.781, abs=5e-4)
    assert load_student()["K"][1] == 0


@pytest.mark.parametrize("seed", range(5))
def test_every_random_start_ends_certain_of_the_wrong_value(seed):
    learned = em(STUDENT, examples.student_holes(), random_state=seed, max_iter=3000)
    assert learned.log_likelihoods[-1] == pytest.approx(-12.2753, abs=1e-3)
    state = [s for s in learned.network.states["K"] if s == 1][0]
    assert learned.network.query("K", {"S": 0, "A": 1, "E": 0, "H": 1})[state] > 0.999


def test_map_lowers_the_likelihood_and_raises_the_posterior():
    learned = em(examples.student_start(), examples.student_holes(), "m", 2, tol=1e-12)
    assert learned.log_likelihoods[3] == pytest.approx(-14.50201, abs=5e-6)
    assert learned.log_likelihoods[-1] == pytest.approx(-14.51144, abs=5e-6)
    assert (np.diff(learned.objectives) >= -1e-12).all()
    assert learned.network.query("K", {"S": 0, "A": 1, "E": 0, "H": 1})[True] == pytest.approx(0.652, abs=5e-4)
    assert learned.network.query("A", {"S": 0, "K": 0, "E": 1, "H": 0})[True] == pytest.approx(0.574, abs=5e-4)


# November 27


def test_november_27():
    book = examples.burglary()
    assert book.query("Burglary", {"Alarm": True, "Earthquake": False})[True] == pytest.approx(0.485, abs=5e-4)
    assert book.query("Burglary", {"Alarm": True, "Earthquake": True})[True] == pytest.approx(0.003, abs=5e-4)
    learned = em(examples.november_start(), examples.november_nights(), held=["E"])
    seen = {"E": False, "A": True}
    shares = [step.network.query("B", seen)[True] for step in learned.history[:4]]
    assert shares == pytest.approx([0.619, 0.608, 0.605, 0.604], abs=5e-4)
    assert learned.network.query("B", seen)[True] == pytest.approx(0.6037, abs=5e-5)
    assert learned.network.table("B")[()][True] == pytest.approx(0.180, abs=5e-4)
    assert learned.network.table("A")[True, False][True] == pytest.approx(0.7225, abs=5e-5)
    assert learned.network.table("A")[False, False][True] == pytest.approx(0.104, abs=5e-4)
    assert learned.log_likelihoods[[0, -1]] == pytest.approx([-25.858, -25.732], abs=5e-4)
    assert learned.network.table("E")[()][True] == 0.15


def test_the_starts_are_what_they_are_said_to_be():
    known = [night for night in examples.november_nights() if night["B"] is not None]
    complete = {v: [night[v] for night in known] for v in "BEA"}
    counted_nights = fit(examples.november_start(), complete, prior="m", m=1e-12)
    for v in "BA":
        assert examples.november_start().factor(v) == pytest.approx(counted_nights.factor(v), abs=1e-9)
    leaning, mirrored = examples.student_guess("leaning"), examples.student_guess("mirrored")
    assert leaning.factor("K")[..., 0].ravel().tolist() == pytest.approx([0.7, 0.6, 0.6, 0.3])
    assert mirrored.factor("K") == pytest.approx(leaning.factor("K")[..., ::-1])
    assert examples.student_guess("flat").factor("K").tolist() == [[[0.5, 0.5]] * 2] * 2


# Properties


@st.composite
def problems(draw):
    """A small random network, rows with holes, and a seed."""
    seed = draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    n = draw(st.integers(2, 4))
    states = {f"v{i}": tuple("xyz"[: rng.integers(2, 4)]) for i in range(n)}
    names = list(states)
    parents = {v: [u for u in names[:i] if rng.random() < 0.5] for i, v in enumerate(names)}
    tables = {
        v: rng.dirichlet(np.ones(len(states[v])), tuple(len(states[u]) for u in theirs))
        for v, theirs in parents.items()
    }
    net = BeliefNetwork(parents, tables, states)
    data = net.sample(draw(st.integers(1, 12)), seed)
    hole = draw(st.sampled_from([0.0, 0.2, 0.6]))
    rows = {v: [None if rng.random() < hole else str(x) for x in column] for v, column in data.items()}
    return net, rows, seed


@settings(max_examples=40, deadline=None)
@given(problems(), st.sampled_from([("mle", None), ("laplace", None), ("bdeu", 3), ("m", 2)]))
def test_log_likelihood_plus_log_prior_never_falls(problem, prior):
    net, rows, seed = problem
    learned = em(dict(net.parents), rows, *prior, states=dict(net.states), max_iter=25, random_state=seed)
    assert (np.diff(learned.objectives) >= -1e-9).all()
    for step in learned.history[:: max(learned.iterations, 1)]:
        assert all(step.counts[v].sum() == pytest.approx(len(rows["v0"])) for v in net.variables)


@settings(max_examples=40, deadline=None)
@given(problems())
def test_the_e_step_is_the_sum_over_completions_in_both_ways_of_doing_it(problem):
    net, rows, _ = problem
    import importlib

    module = importlib.import_module("bayeslib.models.networks.em")
    split = completions(net, rows)
    step = expected_counts(net, rows)
    at_once, module.AT_ONCE = module.AT_ONCE, 0
    try:
        by_rows = expected_counts(net, rows)
    finally:
        module.AT_ONCE = at_once
    assert by_rows.log_likelihood == pytest.approx(step.log_likelihood)
    for v in net.variables:
        wanted = np.zeros(net.factor(v).shape)
        for at, weight in enumerate(split["weight"]):
            wanted[tuple(net.states[u].index(split[u][at]) for u in (*net.parents[v], v))] += weight
        assert step.counts[v] == pytest.approx(wanted) and by_rows.counts[v] == pytest.approx(wanted)


@settings(max_examples=30, deadline=None)
@given(problems())
def test_with_nothing_missing_one_step_is_counting(problem):
    net, _, seed = problem
    rows = {v: column.astype(str).tolist() for v, column in net.sample(60, seed).items()}
    learned = em(net, rows, prior="laplace", max_iter=5, tol=0)
    counted_once = fit(net, rows, prior="laplace")
    for v in net.variables:
        assert learned.history[1].network.factor(v) == pytest.approx(counted_once.factor(v))
        assert learned.network.factor(v) == pytest.approx(counted_once.factor(v))


def test_the_order_of_rows_and_equal_rows_do_not_matter():
    rows, start = examples.student_holes(), examples.student_start()
    turned = em(start, rows[::-1], max_iter=5, tol=0).network
    weighted = em(start, rows, weights=[2.0] * 5, max_iter=5, tol=0)
    plain = em(start, rows, max_iter=5, tol=0)
    for v in start.variables:
        assert turned.factor(v) == pytest.approx(plain.network.factor(v))
        assert weighted.network.factor(v) == pytest.approx(plain.network.factor(v))
    assert weighted.log_likelihoods == pytest.approx(2 * plain.log_likelihoods)


def test_pandas_and_its_missing_values_are_read():
    import pandas

    rows, start = examples.student_holes(), examples.student_start()
    wanted = em(start, rows).log_likelihoods
    floats = pandas.DataFrame(rows)
    assert floats["K"].isna().sum() == 1
    assert em(start, floats).log_likelihoods == pytest.approx(wanted)
    assert em(start, floats.astype("Int64").astype(object)).log_likelihoods == pytest.approx(wanted)


def test_hidden_in_every_row_is_learned_up_to_its_name():
    net = examples.student()
    cells = [dict(zip("SAEH", cell)) for cell in product((True, False), repeat=4)]
    weights = net.joint_table().sum(axis=2).ravel()
    for seed, names in ((2, (True, False)), (0, (False, True))):
        learned = em(STUDENT, cells, states={v: (True, False) for v in "SAKEH"}, weights=weights, random_state=seed,
                     max_iter=3000, tol=1e-13)  # fmt: skip
        assert learned.network.table("E")[names[0],][True] == pytest.approx(0.8, abs=1e-3)
        assert learned.log_likelihoods[-1] == pytest.approx(-2.6385, abs=5e-5)


# Gradient ascent


def test_the_slope_is_made_of_expected_counts():
    start, rows = examples.student_start(), examples.student_holes()
    count = expected_counts(start, rows).counts["K"][1, 0]
    slope = count[0] / 0.8 - count[1] / 0.2
    around = []
    for d in (1e-6, -1e-6):
        know = start.factor("K").copy()
        know[1, 0] = 0.8 + d, 0.2 - d
        around.append(expected_counts(start.with_tables({"K": know}), rows).log_likelihood)
    assert slope == pytest.approx(-1) and (around[0] - around[1]) / 2e-6 == pytest.approx(-1, abs=1e-4)


def test_gradient_ascent_reaches_the_same_top_slowly_or_overshoots():
    start, rows = examples.student_start(), examples.student_holes()
    slow = gradient_ascent(start, rows, rate=0.005, max_iter=300)
    assert (np.diff(slow.log_likelihoods) >= -1e-9).all()
    assert slow.log_likelihoods[20] < em(start, rows).log_likelihoods[20] - 0.1
    assert slow.log_likelihoods[-1] == pytest.approx(-12.2753, abs=2e-2)
    assert (np.diff(gradient_ascent(start, rows, rate=0.3, max_iter=5).log_likelihoods) < 0).any()
    for step in slow.history[::50]:
        assert all(step.network.factor(v).sum(axis=-1) == pytest.approx(1) for v in "SAKEH")


# Structure unknown


@pytest.mark.parametrize("seed", range(3))
def test_structural_em_never_lowers_its_score_and_finds_the_neighbours(seed):
    net = examples.student()
    rng = np.random.default_rng(seed)
    data = {v: [None if rng.random() < 0.15 else bool(x) for x in c] for v, c in net.sample(800, seed).items()}
    rounds = structural_em(data)
    assert (np.diff([each.score for each in rounds]) >= -1e-6).all() and len(rounds) > 1
    found = {frozenset(edge) for edge in rounds[-1].network.edges}
    assert {frozenset("KE"), frozenset("KH"), frozenset("KS")} <= found
    free = rounds[-1].network.parameter_count
    assert rounds[-1].score == pytest.approx(rounds[-1].log_likelihood - 0.5 * np.log(800) * free)
    again = expected_counts(rounds[-1].network, data)
    assert again.log_likelihood == pytest.approx(rounds[-1].log_likelihood)


def test_structural_em_without_holes_is_hill_climbing():
    from bayeslib.models.networks import hill_climb

    data = {v: c.tolist() for v, c in examples.student().sample(500, 3).items()}
    search = hill_climb(data)
    assert structural_em(data)[-1].score == pytest.approx(search.score)


# pyAgrum


def test_pyagrum_gets_the_same_tables_after_25_iterations(tmp_path):
    pyagrum = pytest.importorskip("pyagrum")
    from bayeslib.models.networks import write_bif

    net, start, rows, words = missing_fifth(pyagrum, tmp_path, write_bif)
    ours = em(start, rows, max_iter=25, tol=0).network
    theirs = pyagrum_em(pyagrum, tmp_path, words)
    for v in net.variables:
        order = [*net.parents[v], v]
        instance = pyagrum.Instantiation(theirs.cpt(v))
        for states in product((True, False), repeat=len(order)):
            for name, state in zip(order, states):
                instance.chgVal(name, str(state))
            cell = tuple(0 if state else 1 for state in states)
            assert theirs.cpt(v).get(instance) == pytest.approx(ours.factor(v)[cell], abs=2e-4)


def missing_fifth(pyagrum, folder, write_bif):
    import pandas

    net, rng = examples.student(), np.random.default_rng(0)
    rows = {v: [None if rng.random() < 0.2 else bool(x) for x in c] for v, c in net.sample(200, 0).items()}
    start = em(net.parents, rows, states=dict(net.states), max_iter=0, random_state=1).network
    write_bif(start, str(folder / "start.bif"))
    return net, start, rows, pandas.DataFrame(rows).astype(object).map(lambda x: "?" if x is None else str(x))


def pyagrum_em(pyagrum, folder, words):
    begin = pyagrum.loadBN(str(folder / "start.bif"))
    learner = pyagrum.BNLearner(words, begin, ["?"])
    learner.setNumberOfThreads(1)
    learner.useGreedyHillClimbing()
    learner.useNoPrior()
    learner.useEM(1e-300, 0.0)
    learner.EMsetMaxIter(25)
    return learner.learnParameters(begin)


# Bad input

HOLES = examples.student_holes()


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: em(STUDENT, []), "data must have at least one row"),
        (lambda: em(STUDENT, {v: [] for v in "SAKEH"}), "data must have at least one row"),
        (lambda: em(STUDENT, 3), "data must be a mapping or table of columns, or a list of mappings"),
        (lambda: em(STUDENT, [1, 2]), "data must be a mapping or table of columns, or a list of mappings"),
        (lambda: em(STUDENT, [{**row, "X": 1} for row in HOLES]), "data must have columns of the network.* got 'X'"),
        (lambda: em(STUDENT, [{**row, "K": None} for row in HOLES]), "data\\['K'\\] is missing in every row.*states="),
        (lambda: em(STUDENT, [{v: row[v] for v in "SAEH"} for row in HOLES]), "data\\['K'\\] is missing in every row"),
        (lambda: em(STUDENT, [{**row, "K": 1} for row in HOLES]), "data\\['K'\\] has only one value, 1"),
        (lambda: em(examples.student(), [{"S": 2}]), "data\\['S'\\] must hold one of {True, False}, got 2"),
        (lambda: em({"A": ["B"], "B": ["A"]}, [{"A": 1, "B": 0}]), "must not form a directed cycle"),
        (lambda: em({"A": ["C"]}, [{"A": 1}]), "must name variables of the network"),
        (lambda: em(7, HOLES), "structure must be a mapping"),
        (lambda: em(STUDENT, HOLES, start=examples.dog()), "start must be a network with the arrows of structure"),
        (lambda: em(STUDENT, HOLES, start="x"), "start must be a network with the arrows of structure"),
        (lambda: em(examples.student(), HOLES, states={"S": [0, 1]}), "states must be left out"),
        (lambda: em(examples.student(), HOLES, prior="flat"), "prior must be one of"),
        (lambda: em(examples.student(), HOLES, "m", -1), "m must be a number at least 0"),
        (lambda: em(examples.student(), HOLES, held=["X"]), "held must name variables of parents"),
        (
            lambda: em(examples.student(), HOLES, weights=[1, 2]),
            "weights must have one weight for each of the 5 rows of data",
        ),
        (lambda: em(examples.student(), HOLES, weights=[-1] * 5), "weights must be a number at least 0"),
        (lambda: em(examples.student(), HOLES, weights=[0] * 5), "weights must not be 0 for every row"),
        (lambda: em(examples.student(), HOLES, max_iter=-1), "max_iter must be a whole number of at least 0"),
        (lambda: em(examples.student(), HOLES, tol=-1), "tol must be a number at least 0"),
        (lambda: gradient_ascent(examples.student(), HOLES, rate=-1), "rate must be a number at least 0"),
        (lambda: structural_em(HOLES, score="bdeu"), "score must be one of {'bic', 'mle'}"),
        (lambda: structural_em([{f"v{i}": x for i in range(17)} for x in (0, 1)]), "at most 65536 cells .* got 131072"),
        (lambda: structural_em(HOLES, rounds=0), "rounds must be a whole number of at least 1"),
        (
            lambda: completions(examples.asia(), [{"asia": None}] * 300),
            "data must split into at most 65536 completions",
        ),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("at_once", [2**22, 0])
@pytest.mark.parametrize("row", [{"Cloudy": None, "Sprinkler": False, "Rain": False, "WetGrass": True}, None])
def test_an_impossible_row_is_named(monkeypatch, at_once, row):
    import importlib

    monkeypatch.setattr(importlib.import_module("bayeslib.models.networks.em"), "AT_ONCE", at_once)
    row = row or {"Cloudy": True, "Sprinkler": False, "Rain": False, "WetGrass": True}
    good = {"Cloudy": True, "Sprinkler": False, "Rain": True, "WetGrass": True}
    with pytest.raises(ValueError, match="data, row 1 is impossible with these tables: P\\(.*WetGrass=True\\) = 0"):
        em(examples.sprinkler(), [good, row])
    with pytest.raises(ValueError, match="data, row 1 is impossible"):
        completions(examples.sprinkler(), [good, row])


def test_rows_too_improbable_for_floats_are_learned_from():
    """Two signs of 10^-200 each: their product is no float, but the row says which cause it had."""
    parents = {"Cause": [], "One": ["Cause"], "Two": ["Cause"]}
    start = BeliefNetwork(parents, {"Cause": 0.5, "One": {T: 3e-200, F: 1e-200}, "Two": {T: 1e-200, F: 1e-200}})
    rows = [{"One": T, "Two": T}]
    step = expected_counts(start, rows)
    assert step.counts["Cause"].tolist() == pytest.approx([0.75, 0.25])
    assert step.log_likelihood == pytest.approx(np.log(2) - 400 * np.log(10), rel=1e-12)
    assert completions(start, rows)["weight"] == pytest.approx([0.75, 0.25])
    learned = em(start, rows, max_iter=1, tol=0).network
    assert learned.query("Cause")[T] == pytest.approx(0.75) and learned.query("One", {"Cause": T})[T] == 1


def test_a_row_that_is_impossible_is_named_with_its_number():
    start = BeliefNetwork({"a": [], "b": ["a"]}, {"a": 0.5, "b": {T: 0.0, F: 0.0}})
    with pytest.raises(ImpossibleEvidence, match="data, row 1 is impossible with these tables"):
        em(start, [{"b": F}, {"b": T}])


def test_the_tables_of_a_run_are_those_of_its_history():
    learned = em(examples.student_start(), examples.student_holes(), max_iter=4, tol=0)
    for v in learned.network.variables:
        assert (learned.tables(v) == [step.network.factor(v) for step in learned.history]).all()
    with pytest.raises(ValueError, match="variable must name variables"):
        learned.tables("X")
