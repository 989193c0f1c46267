"""Learning from rows with holes (section 11): the lecture's numbers, and all completions as oracle."""

from itertools import product
from math import log, prod

import numpy as np
import pandas
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
    hill_climb,
    structural_em,
)

T, F = True, False
STUDENT, START, HOLES = examples.student(), examples.student_start(), examples.student_holes()


# The lecture's rows


def test_em_on_the_lectures_rows():
    assert completions(START, HOLES)["row"] == [0, 1, 1, 2, 3, 3, 4]
    assert completions(START, HOLES)["weight"] == pytest.approx([1, 0.6, 0.4, 1, 0.2, 0.8, 1])
    step, learned = expected_counts(START, HOLES), em(START, HOLES)
    assert step.counts["K"][1, 0].tolist() == pytest.approx([1.6, 0.6]) and step.counts.total == pytest.approx(5)
    assert learned.history[1].network.table("K")[F, T][T] == pytest.approx(1.6 / 2.2)
    assert learned.log_likelihoods[:5] == pytest.approx([-15.525, -13.113, -12.673, -12.396, -12.333], abs=6e-4)
    assert learned.log_likelihoods[-1] == pytest.approx(-12.275, abs=5e-4) and learned.converged
    assert learned.network.query("K", {"S": 0, "A": 1, "E": 0, "H": 1})[T] > 0.9999
    assert (learned.tables("K") == [step.network.factor("K") for step in learned.history]).all()


def test_a_held_table_or_row_stays_and_a_random_start_ends_as_high():
    one = np.array([[[T, T], [F, F]], [[T, T], [T, T]]])  # one row of A's table is free
    start, nights = examples.november_start(), examples.november_nights()
    learned = em(start, nights, held={"A": one, "E": T}, max_iter=1).network
    assert ((learned.factor("A") == start.factor("A")) == one).all() and (
        learned.factor("E") == start.factor("E")
    ).all()
    assert (em(start, nights, held="E").network.factor("E") == start.factor("E")).all()
    drawn = em(STUDENT.parents, HOLES, random_state=0, max_iter=3000)
    assert drawn.log_likelihoods[-1] == pytest.approx(-12.2753, abs=1e-3)


# Completions as oracle


@st.composite
def problems(draw):
    """A small random network, rows with holes, and a seed."""
    seed = draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    states = {f"v{i}": tuple("xyz"[: rng.integers(2, 4)]) for i in range(draw(st.integers(2, 4)))}
    names = list(states)
    parents = {v: [u for u in names[:i] if rng.random() < 0.5] for i, v in enumerate(names)}
    sizes = {v: [len(states[u]) for u in theirs] for v, theirs in parents.items()}
    tables = {v: rng.dirichlet(np.ones(len(states[v])), sizes[v]) for v in names}
    net, hole = BeliefNetwork(parents, tables, states), draw(st.sampled_from([0.0, 0.2, 0.6]))
    data = net.sample(draw(st.integers(1, 12)), seed)
    return net, {v: [None if rng.random() < hole else str(x) for x in column] for v, column in data.items()}, seed


def completed(net, rows):
    """(completion, its weight) of every row, cell by cell, and the log-likelihood."""
    tables, found, log_likelihood = {v: net.table(v) for v in net.variables}, [], 0.0
    for row in zip(*rows.values()):
        ways = product(*([x] if x is not None else net.states[v] for v, x in zip(rows, row)))
        worlds = [dict(zip(rows, way)) for way in ways]
        chances = [prod(tables[v][tuple(w[p] for p in net.parents[v])][w[v]] for v in w) for w in worlds]
        found += [(world, chance / sum(chances)) for world, chance in zip(worlds, chances)]
        log_likelihood += log(sum(chances))
    return found, log_likelihood


@settings(max_examples=60, deadline=None)
@given(problems(), st.sampled_from([("mle", None, 0), ("laplace", None, 1), ("m", 2, 2)]))
def test_the_e_step_counts_completions_by_weight_the_m_step_divides_and_no_step_falls(problem, priors):
    (net, rows, seed), (prior, m, virtual) = problem, priors
    found, log_likelihood = completed(net, rows)
    weights = np.random.default_rng(seed).integers(1, 4, len(rows["v0"]))
    thrice = {v: [x for x, n in zip(column, weights) for _ in range(n)] for v, column in rows.items()}
    learned, step = em(net, rows, prior, m, max_iter=25), expected_counts(net, rows)
    assert step.log_likelihood == pytest.approx(log_likelihood) and (np.diff(learned.objectives) >= -1e-9).all()
    split = completions(net, rows)
    assert sorted(split["weight"]) == pytest.approx(sorted(weight for _, weight in found))
    weighted, repeated = expected_counts(net, rows, weights), expected_counts(net, thrice)
    assert weighted.log_likelihood == pytest.approx(repeated.log_likelihood)
    for v in net.variables:
        wanted = np.zeros(net.factor(v).shape)
        for world, weight in found:
            wanted[tuple(net.states[u].index(world[u]) for u in (*net.parents[v], v))] += weight
        assert step.counts[v] == pytest.approx(wanted) and weighted.counts[v] == pytest.approx(repeated.counts[v])
        wanted += virtual / (wanted.shape[-1] if prior == "m" else 1)
        total = wanted.sum(axis=-1, keepdims=True)
        new = np.where(total > 0, wanted / np.where(total > 0, total, 1), net.factor(v))
        assert learned.history[1].network.factor(v) == pytest.approx(new)


def test_pandas_and_its_missing_values_are_read():
    wanted, floats = em(START, HOLES).log_likelihoods, pandas.DataFrame(HOLES)
    for rows in (floats, floats.astype("Int64"), floats.iloc[::-1]):
        assert em(START, rows).log_likelihoods == pytest.approx(wanted)


# Gradient ascent, structural EM


def test_gradient_ascent_climbs_slowly_by_the_slope_that_expected_counts_give_or_overshoots():
    know = START.factor("K").copy()
    know[1, 0] = 0.8 + 1e-6, 0.2 - 1e-6
    moved, before = (expected_counts(net, HOLES).log_likelihood for net in (START.with_tables({"K": know}), START))
    first = gradient_ascent(START, HOLES, rate=1e-3, max_iter=1).network.factor("K")[1, 0, 0]
    assert (first - 0.8) / 1e-3 == pytest.approx((moved - before) / 1e-6 / 2, abs=1e-3)  # less the row's mean: a half
    slow = gradient_ascent(START, HOLES, rate=0.005, max_iter=300).log_likelihoods
    assert (np.diff(slow) >= -1e-9).all() and slow[20] + 0.1 < em(START, HOLES).log_likelihoods[20]
    assert (np.diff(gradient_ascent(START, HOLES, rate=0.3, max_iter=5).log_likelihoods) < 0).any()
    assert (gradient_ascent(START, HOLES, held=["K"], max_iter=3).network.factor("K") == START.factor("K")).all()


@pytest.mark.parametrize("seed", range(3))
def test_structural_em_never_lowers_its_score_and_finds_the_neighbours(seed):
    rng, sample = np.random.default_rng(seed), STUDENT.sample(800, seed)
    rounds = structural_em({v: [None if rng.random() < 0.15 else bool(x) for x in c] for v, c in sample.items()})
    assert (np.diff([each.score for each in rounds]) >= -1e-6).all() and len(rounds) > 1
    found, last = {frozenset(edge) for edge in rounds[-1].network.edges}, rounds[-1]
    assert {frozenset("KE"), frozenset("KH"), frozenset("KS")} <= found
    assert last.score == pytest.approx(last.log_likelihood - 0.5 * log(800) * last.network.parameter_count)
    assert structural_em(sample)[-1].score == pytest.approx(hill_climb(sample).score)  # without holes


# Bad input


@pytest.mark.parametrize("call, words", [
    (lambda: em(STUDENT, []), "data must have at least one row"),
    (lambda: em(STUDENT, 3), "data must be a mapping or pandas table of columns, or a list of mappings"),
    (lambda: em(STUDENT, [{**row, "X": 1} for row in HOLES]), "data must have columns of the network, "),
    (lambda: em(STUDENT.parents, [{**row, "K": None} for row in HOLES]), "data['K'] must show at least two states"),
    (lambda: em(STUDENT, [{"S": 2}]), "data['S'] must hold one of {True, False}, got 2"),
    (lambda: em(STUDENT, HOLES, states={"S": [0, 1]}), "states must be left out if structure is a network"),
    (lambda: em(STUDENT, HOLES, held=["X"]), "held must name variables of the network"),
    (lambda: em(STUDENT, HOLES, held={"K": [T]*3}), "held['K'] must be True or False, or an array of them of shape (2, 2, 2)"),
    (lambda: em(STUDENT, HOLES, weights=[1, 2]), "weights must have one weight for each of the 5 rows of data"),
    (lambda: em({f"v{i}": [] for i in range(19)}, [{f"v{i}": x for i in range(19)} for x in (0, 1)]), "at most 262144 cells"),
    (lambda: completions(STUDENT, [{"S": None}] * 20_000), "data must split into at most 262144 completions"),
])  # fmt: skip
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value)


def test_an_impossible_row_is_named_with_its_number():
    start = BeliefNetwork({"a": [], "b": ["a"]}, {"a": 0.5, "b": {T: 0.0, F: 0.0}})
    for learn in (em, completions):
        with pytest.raises(ImpossibleEvidence, match=r"data, row 1 is impossible with these tables: P\(b=True\) = 0"):
            learn(start, [{"b": F}, {"b": T}])
    assert fit(start, {"a": [T, F], "b": [F, F]}).query("b")[T] == 0
