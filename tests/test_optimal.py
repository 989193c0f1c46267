"""Claims about section 04's model: the vote, the draw, the favourite, their errors, and the words of its refusals."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayeslib as bl
from bayeslib.models.concepts import (
    bayes_optimal,
    clerk_answers,
    error_curves,
    error_over_p,
    expected_errors,
    gibbs,
    gibbs_error,
    map_answer,
    threshold_errors,
    threshold_runs,
    weight_map,
    winners,
)

POSTERIOR = {"h1": 0.4, "h2": 0.3, "h3": 0.3}
VOTES = {"h1": "+", "h2": "−", "h3": "−"}
UNDECIDED = {"h1": {"+": 0.9, "−": 0.1}, "h2": {"+": 0.4, "−": 0.6}, "h3": {"+": 0.4, "−": 0.6}}
BITS = np.array(list(product([0, 1], repeat=3)), bool)


@st.composite
def posteriors_and_votes(draw):
    """A posterior over up to six hypotheses, each undecided between three labels."""
    size = draw(st.integers(1, 6))
    part = st.integers(0, 20)
    weights = draw(st.lists(part, min_size=size, max_size=size).filter(any))
    rows = draw(st.lists(st.lists(part, min_size=3, max_size=3).filter(any), min_size=size, max_size=size))
    posterior = {f"h{h}": Fraction(weight, sum(weights)) for h, weight in enumerate(weights)}
    return posterior, {h: {v: Fraction(n, sum(row)) for v, n in zip("abc", row)} for h, row in zip(posterior, rows)}


def test_three_hypotheses_vote_negative_though_map_is_positive():
    vote = bl.concepts.bayes_optimal(POSTERIOR, VOTES)
    assert vote == pytest.approx({"+": 0.4, "−": 0.6})
    assert winners(vote) == ["−"] and winners(POSTERIOR) == ["h1"]
    assert map_answer(POSTERIOR, VOTES) == {"+": 1, "−": 0}


def test_undecided_hypotheses_turn_the_vote_and_rounding_them_does_not():
    assert bayes_optimal(POSTERIOR, UNDECIDED) == pytest.approx({"+": 0.6, "−": 0.4})
    assert winners(bayes_optimal(POSTERIOR, {h: winners(p)[0] for h, p in UNDECIDED.items()})) == ["−"]


def test_a_random_draw_beats_the_favourite_and_the_vote_beats_both():
    assert expected_errors(POSTERIOR, VOTES) == pytest.approx({"vote": 0.4, "Gibbs": 0.48, "MAP": 0.6})


def test_for_one_truth_gibbs_may_err_infinitely_more_often_than_the_vote():
    two, says = {"h1": 0.8, "h2": 0.2}, {"h1": "+", "h2": "−"}
    assert expected_errors(two, says, truth="+") == pytest.approx({"vote": 0, "Gibbs": 0.2, "MAP": 0})
    assert expected_errors(two, says, truth="−") == pytest.approx({"vote": 1, "Gibbs": 0.8, "MAP": 1})
    assert expected_errors(two, says) == pytest.approx({"vote": 0.2, "Gibbs": 0.32, "MAP": 0.2})


def test_ties_are_said_and_settled_by_a_fair_coin():
    half = {"h1": 0.5, "h2": 0.25, "h3": 0.25}
    assert winners(bayes_optimal(half, VOTES)) == ["+", "−"]
    assert winners({"a": 0.1 + 0.2, "b": 0.3, "c": 0.1}) == ["a", "b"] and winners([0.2, 0.4, 0.4]) == [1, 2]
    equal = {"h1": 0.5, "h2": 0.5}
    assert map_answer(equal, {"h1": "+", "h2": "−"}) == {"+": 0.5, "−": 0.5}
    assert clerk_answers(equal, {"h1": "+", "h2": "−"})["vote"] == {"+": 0.5, "−": 0.5}
    assert expected_errors(equal, {"h1": "+", "h2": "−"}, truth="+") == pytest.approx(
        {"vote": 0.5, "Gibbs": 0.5, "MAP": 0.5}
    )


def test_map_follows_what_its_hypothesis_holds_most_probable():
    assert clerk_answers(POSTERIOR, UNDECIDED)["MAP"] == {"+": 1, "−": 0}
    assert map_answer(POSTERIOR, UNDECIDED) == {"+": 0.9, "−": 0.1}


def test_fractions_stay_exact_and_arrays_columns_and_declared_labels_work():
    third = Fraction(1, 3)
    assert bayes_optimal(dict.fromkeys("abc", third), {"a": 1, "b": 0, "c": 0}) == {1: third, 0: 2 * third}
    assert bayes_optimal([0.4, 0.3, 0.3], ["+", "−", "−"]) == pytest.approx({"+": 0.4, "−": 0.6})
    assert bayes_optimal([0.4, 0.6], np.array([[0.9, 0.1], [0.4, 0.6]])) == pytest.approx({0: 0.6, 1: 0.4})
    assert bayes_optimal(pd.Series(POSTERIOR), pd.Series(VOTES)) == pytest.approx({"+": 0.4, "−": 0.6})
    assert bayes_optimal(POSTERIOR, VOTES, labels=["−", "?", "+"]) == pytest.approx({"−": 0.6, "?": 0, "+": 0.4})
    mixed = {"h1": {"+": 0.5, "−": 0.5}, "h2": "−", "h3": "+"}
    assert bayes_optimal(POSTERIOR, mixed) == pytest.approx({"+": 0.5, "−": 0.5})


@given(posteriors_and_votes())
def test_the_vote_is_a_distribution_and_nothing_beats_it_and_gibbs_errs_at_most_twice(case):
    posterior, votes = case
    vote = bayes_optimal(posterior, votes)
    assert sum(vote.values()) == 1
    errors = expected_errors(posterior, votes)
    assert errors["vote"] == pytest.approx(float(1 - max(vote.values())))
    for clerk, says in clerk_answers(posterior, votes).items():
        assert sum(says.values()) == pytest.approx(1)
        brute = sum(float(says[a] * vote[b]) for a in says for b in vote if a != b)
        assert errors[clerk] == pytest.approx(brute)
        assert errors[clerk] >= errors["vote"] - 1e-12
    assert errors["Gibbs"] == gibbs_error(vote) <= 2 * (1 - max(vote.values()))


@given(posteriors_and_votes())
def test_the_promise_is_the_average_over_the_truths(case):
    posterior, votes = case
    vote = bayes_optimal(posterior, votes)
    drawn = expected_errors(posterior, votes)
    for clerk in drawn:
        mean = sum(float(vote[v]) * expected_errors(posterior, votes, truth=v)[clerk] for v in vote)
        assert drawn[clerk] == pytest.approx(mean)


def test_gibbs_draws_labels_as_often_as_the_vote_weighs_them():
    random = np.random.default_rng(0)
    drawn = [gibbs(POSTERIOR, UNDECIDED, random) for _ in range(4000)]
    assert np.mean([each == "+" for each in drawn]) == pytest.approx(0.6, abs=4 * np.sqrt(0.24 / 4000))
    assert set(drawn) == {"+", "−"}
    assert gibbs(POSTERIOR, VOTES, 3) == gibbs(POSTERIOR, VOTES, np.int64(3)) == gibbs(POSTERIOR, VOTES, 3)
    assert gibbs({"h1": 1, "h2": 0}, {"h1": "yes", "h2": "no"}) == "yes"
    assert gibbs([0, 1], [[1, 0], [0, 1]]) == 1


def test_gibbs_error_of_three_labels():
    assert gibbs_error([0.5, 0.3, 0.2]) == pytest.approx(0.62)
    assert gibbs_error({"a": Fraction(1, 2), "b": Fraction(1, 2)}) == Fraction(1, 2)


@pytest.mark.parametrize("p, ratio", [(0.4, 1.2), (0.5, 1), (0.9, 1.8), (0.99, 1.98)])
def test_gibbs_comes_close_to_twice_only_when_errors_are_rare(p, ratio):
    curve = error_over_p([p])
    assert curve["Gibbs"] / curve["vote"] == pytest.approx([ratio])
    assert gibbs_error([p, 1 - p]) == pytest.approx(curve["Gibbs"][0]) and gibbs_error([0.8, 0.2]) == pytest.approx(
        0.32
    )


@pytest.mark.parametrize("leader", "+−")
@pytest.mark.parametrize("truth", ["+", "−", None])
def test_the_curves_are_the_expected_errors_at_every_p(leader, truth):
    share = np.linspace(0.02, 0.98, 25)
    curves = error_over_p(share, leader, truth)
    for place, p in enumerate(share):
        # One leader, and so many small ones beside it that none of them weighs more.
        mine = p if leader == "+" else 1 - p
        crowd = 200
        weights = {"leader": mine / 2, **{f"with{k}": mine / 2 / crowd for k in range(crowd)}}
        weights |= {f"against{k}": (1 - mine) / crowd for k in range(crowd)}
        other = "−" if leader == "+" else "+"
        votes = {h: other if h.startswith("against") else leader for h in weights}
        errors = expected_errors(weights, votes, truth)
        assert {clerk: curve[place] for clerk, curve in curves.items()} == pytest.approx(errors)


# The triangle of weights


def test_map_and_vote_disagree_on_a_twelfth_of_the_triangle_between_a_third_and_a_half():
    where = weight_map([1, 0, 0])
    assert where["share"] == Fraction(1, 12) and where["disagree"][1:] == [[], []]
    first = [corner[0] for corner in where["disagree"][0]]
    assert (min(first), max(first)) == (Fraction(1, 3), Fraction(1, 2))


@given(st.tuples(*[st.integers(0, 100)] * 3))
def test_the_areas_are_those_of_a_fine_grid(percent):
    p_plus = np.array(percent) / 100
    where = weight_map([Fraction(each, 100) for each in percent])
    weights = np.random.default_rng(0).dirichlet([1, 1, 1], 4000)
    vote, favourite = weights @ p_plus, p_plus[weights.argmax(axis=1)]
    disagree = ((favourite > 0.5) & (vote < 0.5)) | ((favourite < 0.5) & (vote > 0.5))
    assert float(where["share"]) == pytest.approx(disagree.mean(), abs=0.035)
    assert all(sum(corner) == 1 and min(corner) >= 0 for part in where["disagree"] for corner in part)
    middle = [np.mean(np.array(part, float), axis=0) for part in where["disagree"] if part]
    for weights, h in zip(middle, [h for h, part in enumerate(where["disagree"]) if part]):
        assert weights.argmax() == h and (weights @ p_plus - 0.5) * (p_plus[h] - 0.5) <= 1e-12


# Errors as data arrives


@pytest.mark.parametrize(
    "m, vote, drawn, edge", [(0, 0.25, 1 / 3, 0.5), (8, 0.05, 1 / 15, 0.1), (18, 0.025, 1 / 30, 0.05)]
)
def test_threshold_errors_are_a_quarter_a_third_and_a_half_of_the_gap(m, vote, drawn, edge):
    errors = threshold_errors(m)
    assert errors == pytest.approx({"gap": 2 / (m + 2), "vote": vote, "Gibbs": drawn, "MAP": edge})


def test_played_thresholds_agree_with_the_theory():
    runs, theory = threshold_runs(30, 4000, random_state=1), threshold_errors(np.arange(31))
    for clerk, errors in runs["errors"].items():
        off = np.abs(errors.mean(axis=0) - theory[clerk]) / (errors.std(axis=0) / np.sqrt(4000))
        assert off.max() < 4, clerk
    assert (runs["high"] - runs["low"]).mean(axis=0) == pytest.approx(theory["gap"], rel=0.06)


def test_one_run_told_slowly():
    runs = threshold_runs(12, 50, random_state=2)
    for run, (truth, points) in enumerate(zip(runs["truth"], runs["points"])):
        for seen in range(13):
            low = max([x for x in points[:seen] if x < truth], default=0)
            high = min([x for x in points[:seen] if x >= truth], default=1)
            assert (runs["low"][run, seen], runs["high"][run, seen]) == (low, high)
            assert runs["cuts"]["vote"][run, seen] == pytest.approx((low + high) / 2)
            assert low <= runs["cuts"]["Gibbs"][run, seen] <= high and runs["cuts"]["MAP"][run, seen] == high
            for clerk, cut in runs["cuts"].items():
                assert runs["errors"][clerk][run, seen] == abs(cut[run, seen] - truth)


def test_a_truth_fixed_in_the_middle_breaks_the_bound_before_any_data():
    errors = threshold_runs(5, 500, truth=0.5, random_state=0)["errors"]
    assert (errors["vote"][:, 0] == 0).all() and errors["Gibbs"][:, 0].mean() > 0.2


def exact_errors(labels, examples, prior):
    """Every target and every sequence of examples, one by one, with exact fractions."""
    rows, columns = labels.shape
    total = dict.fromkeys(("vote", "Gibbs", "MAP"), Fraction(0))
    for target, seen in product(range(rows), product(range(columns), repeat=examples)):
        left = {h: prior[h] for h in range(rows) if all(labels[h][x] == labels[target][x] for x in seen)}
        posterior = {h: weight / sum(left.values()) for h, weight in left.items()}
        for x in range(columns):
            share = prior[target] * Fraction(1, columns ** (examples + 1))
            plus = sum(weight for h, weight in posterior.items() if labels[h][x])
            wrong = 1 - plus if labels[target][x] else plus
            total["Gibbs"] += share * wrong
            total["vote"] += share * (Fraction(1, 2) if wrong == Fraction(1, 2) else wrong > Fraction(1, 2))
            total["MAP"] += share * bool(labels[max(posterior, key=posterior.get)][x] != labels[target][x])
    return total


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("examples", [0, 1, 2])
def test_over_targets_from_the_prior_gibbs_errs_at_most_twice_and_the_curves_are_those_of_brute_force(seed, examples):
    random = np.random.default_rng(seed)
    labels = random.random((5, 4)) < 0.5
    parts = random.integers(1, 9, 5)
    prior = [Fraction(int(part), int(parts.sum())) for part in parts]
    exact = exact_errors(labels, examples, prior)
    assert exact["vote"] <= exact["Gibbs"] <= 2 * exact["vote"] and exact["vote"] <= exact["MAP"]
    curves = error_curves(labels, examples, [float(each) for each in prior], runs=3000, random_state=seed)
    for clerk, errors in curves.items():
        assert errors.shape == (3000, examples + 1)
        spread = errors[:, -1].std() / np.sqrt(3000)
        assert abs(errors[:, -1].mean() - float(exact[clerk])) < 4 * spread + 1e-9, clerk


def test_three_single_bits_the_majority_beats_every_rule_in_h():
    curves = error_curves(BITS.T, 0, runs=50, random_state=0)
    assert curves["vote"] == pytest.approx(0.25) and curves["Gibbs"] == pytest.approx(1 / 3)
    exact = exact_errors(BITS.T, 0, [Fraction(1, 3)] * 3)
    assert exact == {"vote": Fraction(1, 4), "Gibbs": Fraction(1, 3), "MAP": Fraction(1, 3)}


def test_a_target_can_be_fixed_and_then_gibbs_may_err_more_than_twice():
    nested = np.tri(6, 5, -1, dtype=bool)
    drawn = error_curves(nested, 3, runs=2000, random_state=0)
    assert (drawn["Gibbs"].mean(axis=0) <= 2 * drawn["vote"].mean(axis=0)).all()
    fixed = error_curves(nested, 0, runs=1, truth=3, random_state=0)
    assert fixed["Gibbs"][0, 0] > 2 * fixed["vote"][0, 0]
    assert error_curves([[1, 0], [0, 1]], 2, runs=1, random_state=0)["vote"].shape == (1, 3)


# Bad input


@pytest.mark.parametrize("function", [bayes_optimal, map_answer, gibbs, clerk_answers, expected_errors])
@pytest.mark.parametrize(
    "posterior, votes, words",
    [
        ({"a": 0.5, "b": 0.4}, {"a": "+", "b": "−"}, "posterior must sum to 1, got 0.9 over {'a', 'b'}"),
        ({"a": 1.5, "b": -0.5}, {"a": "+", "b": "−"}, "posterior['a'] must be a probability between 0 and 1, got 1.5"),
        ({"a": 0.5, "b": 0.5}, {"a": "+"}, "votes must have the hypotheses of posterior, {'a', 'b'}, got {'a'}"),
        ({"a": 1}, {"a": "+", "c": "−"}, "votes must have the hypotheses of posterior, {'a'}, got {'a', 'c'}"),
        ({"a": 1}, {"a": {"+": 0.9, "−": 0.2}}, "votes['a'] must sum to 1, got 1.1 over {'+', '−'}"),
        (
            {"a": 1},
            {"a": {"+": float("nan"), "−": 0.2}},
            "votes['a']['+'] must be a probability between 0 and 1, got nan",
        ),
        ({"a": 1}, {"a": 0.9}, "votes['a'] must be a label or a mapping label → P(label|h), got 0.9"),
        ({"a": 1}, {"a": float("nan")}, "votes['a'] must be a label or a mapping label → P(label|h), got nan"),
        ({"a": 1}, {"a": None}, "votes['a'] must be a label or a mapping label → P(label|h), got None"),
        ({"a": 1}, {"a": [0.9, 0.1]}, "votes['a'] must be a label or a mapping label → P(label|h), got [0.9, 0.1]"),
        ({}, {}, "posterior must hold at least one hypothesis"),
        ({"a": 1}, ["+"], "posterior and votes must both be mappings or both be arrays"),
        ([1.0], {"a": "+"}, "posterior and votes must both be mappings or both be arrays"),
        ([0.5, 0.5], ["+"], "votes must have the hypotheses of posterior, {0, 1}, got {0}"),
        ([0.5, 0.5], [[0.9, 0.1], [0.4, 0.4]], "votes[1] must sum to 1, got 0.8 over {0, 1}"),
        ([0.5, 0.5], [[0.9, 0.1], [1]], "votes must be a mapping or an array of labels or rows"),
        ([0.5, 0.5], 3, "votes must be a mapping or an array of labels or rows, got 3"),
    ],
)
def test_bad_votes_are_named(function, posterior, votes, words):
    with pytest.raises(ValueError) as caught:
        function(posterior, votes)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "call, words",
    [
        (
            lambda: bayes_optimal(POSTERIOR, VOTES, ["+", "?"]),
            "votes must be for the labels {'+', '?'}, got {'+', '−'}",
        ),
        (lambda: expected_errors(POSTERIOR, VOTES, "?"), "truth must be one of the labels {'+', '−'}, got '?'"),
        (lambda: gibbs(POSTERIOR, VOTES, -1), "random_state must be None, a whole number of at least 0 or a numpy"),
        (lambda: gibbs(POSTERIOR, VOTES, "x"), "numpy Generator, got 'x'"),
        (lambda: gibbs(POSTERIOR, VOTES, 1.5), "numpy Generator, got 1.5"),
        (lambda: gibbs(POSTERIOR, VOTES, True), "numpy Generator, got True"),
        (lambda: winners({}), "weights must hold at least one"),
        (lambda: gibbs_error([0.5, 0.4]), "p must sum to 1, got 0.9"),
        (lambda: error_over_p([0.5, 1.5]), "p must be a number between 0 and 1"),
        (lambda: error_over_p(0.5, leader="-"), "leader must be '+' or '−', got '-'"),
        (lambda: error_over_p(0.5, leader=None), "leader must be '+' or '−', got None"),
        (lambda: error_over_p(0.5, truth="x"), "truth must be '+' or '−', got 'x'"),
        (lambda: weight_map([1, 0]), "p_plus must hold three probabilities, one for each hypothesis, got 2"),
        (lambda: weight_map([1, 0, 2]), "p_plus[2] must be a probability between 0 and 1, got 2"),
        (lambda: threshold_errors(-1), "examples must be whole numbers of at least 0, got -1"),
        (lambda: threshold_errors([1, 2.5]), "examples must be whole numbers of at least 0, got [1, 2.5]"),
        (lambda: threshold_runs(-1, 5), "examples must be a whole number of at least 0, got -1"),
        (lambda: threshold_runs(3, 0), "runs must be a whole number of at least 1, got 0"),
        (lambda: threshold_runs(3, 5, truth=1.5), "truth must be a probability between 0 and 1, got 1.5"),
        (lambda: error_curves([True, False], 3), "labels must be a matrix of True and False, got shape (2,)"),
        (lambda: error_curves([[0, 2]], 3), "labels must hold only True and False, or 1 and 0"),
        (lambda: error_curves(BITS, 3, prior=[0.5, 0.5]), "one weight per row of labels, 8, got 2"),
        (lambda: error_curves([[0], [1]], 3, prior=[0.5, 0.4]), "prior must sum to 1, got 0.9"),
        (lambda: error_curves([[0], [1]], 3, prior={"a": 0.5, "b": 0.5}), "prior must be an array"),
        (lambda: error_curves([[0], [1]], 3, truth=2), "truth must be a row of labels, 0 to 1"),
        (lambda: error_curves([[0], [1]], 3, prior=[1, 0], truth=1), "with a prior above 0, got 1"),
        (lambda: error_curves([[0], [1]], 2.5), "examples must be a whole number of at least 0, got 2.5"),
    ],
)
def test_other_bad_input_is_named(call, words):
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value)
