"""Claims about section 04's model: the vote, the draw and the favourite, their errors, and what costs least."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bayeslib import data
from bayeslib.models.concepts import (
    ConjunctiveSpace,
    bayes_optimal,
    best_number,
    covers,
    day_by_day,
    draw_trials,
    error_over_p,
    expected_costs,
    expected_errors,
    expected_loss,
    gibbs,
    gibbs_error,
    held_out_scores,
    map_answer,
    three_answers,
    winners,
)

POSTERIOR = {"h1": 0.4, "h2": 0.3, "h3": 0.3}
VOTES = {"h1": "+", "h2": "−", "h3": "−"}
UNDECIDED = {"h1": {"+": 0.9, "−": 0.1}, "h2": {"+": 0.4, "−": 0.6}, "h3": {"+": 0.4, "−": 0.6}}


@st.composite
def posteriors_and_votes(draw):
    """A posterior over up to six hypotheses, each undecided between three labels."""
    size, part = draw(st.integers(1, 6)), st.integers(0, 20)
    weights = draw(st.lists(part, min_size=size, max_size=size).filter(any))
    rows = draw(st.lists(st.lists(part, min_size=3, max_size=3).filter(any), min_size=size, max_size=size))
    posterior = {f"h{h}": Fraction(weight, sum(weights)) for h, weight in enumerate(weights)}
    return posterior, {h: {v: Fraction(n, sum(row)) for v, n in zip("abc", row)} for h, row in zip(posterior, rows)}


def people():
    """The 46 rules of the Titanic, its 14 kinds of people, what each rule says of each kind, and the counts by kind and label."""
    table = data.load_titanic()
    names = ["status", "age", "sex"]
    space = ConjunctiveSpace({name: list(dict.fromkeys(table[name])) for name in names})
    kinds = list(dict.fromkeys(zip(*(table[name] for name in names))))
    found = {(tuple(row[:3]), row[3]): row[4] for row in table.to_numpy().tolist()}
    counts = np.array([[found.get((kind, label), 0) for label in ("no", "yes")] for kind in kinds])
    return space, kinds, np.array([[covers(h, kind) for kind in kinds] for h in space.each()]), counts


# The three ways of answering


def test_three_hypotheses_vote_negative_though_map_is_positive():
    vote = bayes_optimal(POSTERIOR, VOTES)
    assert vote == pytest.approx({"+": 0.4, "−": 0.6}) and winners(vote) == ["−"]
    assert map_answer(POSTERIOR, VOTES) == {"+": 1, "−": 0}
    assert expected_errors(POSTERIOR, VOTES) == pytest.approx({"vote": 0.4, "Gibbs": 0.48, "MAP": 0.6})
    assert bayes_optimal(POSTERIOR, UNDECIDED) == pytest.approx({"+": 0.6, "−": 0.4}), "shares turn the vote"
    assert map_answer(POSTERIOR, UNDECIDED) == {"+": 0.9, "−": 0.1}


def test_ties_are_said_and_settled_by_a_fair_coin():
    assert winners({"a": 0.1 + 0.2, "b": 0.3, "c": 0.1}) == ["a", "b"] and winners([0.2, 0.4, 0.4]) == [1, 2]
    equal, says = [0.5, 0.5], ["+", "−"]
    assert map_answer(equal, says) == three_answers(equal, says)["vote"] == {"+": 0.5, "−": 0.5}
    assert expected_errors(equal, says, truth="+") == {"vote": 0.5, "Gibbs": 0.5, "MAP": 0.5}


def test_arrays_columns_and_mixed_votes_count():
    assert bayes_optimal([0.4, 0.6], np.array([[0.9, 0.1], [0.4, 0.6]])) == pytest.approx({0: 0.6, 1: 0.4})
    assert bayes_optimal(pd.Series(POSTERIOR), pd.Series(VOTES)) == pytest.approx({"+": 0.4, "−": 0.6})
    mixed = {"h1": {"+": 0.5, "−": 0.5}, "h2": "−", "h3": "+"}
    assert bayes_optimal(POSTERIOR, mixed) == pytest.approx({"+": 0.5, "−": 0.5})


@given(posteriors_and_votes())
def test_the_vote_is_a_distribution_and_nothing_beats_it_and_gibbs_errs_at_most_twice(case):
    posterior, votes = case
    vote, errors = bayes_optimal(posterior, votes), expected_errors(posterior, votes)
    assert vote == {v: sum(posterior[h] * votes[h][v] for h in posterior) for v in "abc"}
    best, favourites = winners(vote), [winners(votes[h]) for h in winners(posterior)]
    says = {
        "vote": {v: (v in best) / len(best) for v in vote},
        "Gibbs": vote,
        "MAP": {v: np.mean([(v in each) / len(each) for each in favourites]) for v in vote},
    }
    assert three_answers(posterior, votes) == {way: pytest.approx(chances) for way, chances in says.items()}
    for way, chances in says.items():
        assert errors[way] == pytest.approx(sum(float(chances[a] * vote[b]) for a in vote for b in vote if a != b))
        assert errors[way] >= errors["vote"] - 1e-12
        mean = sum(float(vote[v]) * expected_errors(posterior, votes, truth=v)[way] for v in vote)
        assert errors[way] == pytest.approx(mean), "the average over the truths"
    assert errors["Gibbs"] == gibbs_error(vote) <= 2 * (1 - max(vote.values()))


def test_gibbs_draws_labels_as_often_as_the_vote_weighs_them():
    random = np.random.default_rng(0)
    drawn = [gibbs(POSTERIOR, UNDECIDED, random) for _ in range(4000)]
    assert np.mean([each == "+" for each in drawn]) == pytest.approx(0.6, abs=4 * np.sqrt(0.24 / 4000))
    assert gibbs(POSTERIOR, VOTES, 3) == gibbs(POSTERIOR, VOTES, 3) and gibbs([0, 1], [[1, 0], [0, 1]]) == 1


@pytest.mark.parametrize("truth", ["+", "−", None])
def test_the_curves_are_the_expected_errors_at_every_p(truth):
    share = np.linspace(0.02, 0.98, 25)
    curves = error_over_p(share, truth)
    for place, p in enumerate(share):
        # The best one, and so many small ones beside it that none of them weighs more.
        weights = {"best": p / 2} | {("with", k): p / 400 for k in range(200)}
        weights |= {("against", k): (1 - p) / 200 for k in range(200)}
        votes = {h: "−" if h[0] == "against" else "+" for h in weights}
        expected = expected_errors(weights, votes, truth)
        assert {way: curve[place] for way, curve in curves.items()} == pytest.approx(expected)


@pytest.mark.parametrize(
    "posterior, votes",
    [
        ({"a": 0.5, "b": 0.4}, {"a": "+", "b": "−"}),
        ({"a": 1}, {"a": "+", "c": "−"}),
        ({"a": 1}, {"a": {"+": 0.9, "−": 0.2}}),
        ({"a": 1}, {"a": 0.9}),
        ({"a": 1}, {"a": None}),
        ({"a": 1}, ["+"]),
        ([0.5, 0.5], [[0.9, 0.1], [1]]),
    ],
)
def test_votes_that_cannot_be_counted_are_refused(posterior, votes):
    with pytest.raises(ValueError, match="posterior|votes"):
        bayes_optimal(posterior, votes)


# Costs and numbers


@given(st.integers(0, 100), st.integers(0, 20), st.integers(0, 20))
def test_the_answer_that_costs_least_changes_at_the_false_alarms_share_of_both_costs(percent, missed, alarm):
    p = percent / 100
    costs = expected_costs({"+": p, "−": 1 - p}, {"+": {"+": 0, "−": alarm}, "−": {"+": missed, "−": 0}})
    assert costs == pytest.approx({"+": alarm * (1 - p), "−": missed * p})
    assume(missed + alarm and abs(p - alarm / (missed + alarm)) > 1e-9)
    assert (costs["+"] < costs["−"]) == (p > alarm / (missed + alarm))


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(-20, 20)), min_size=1, max_size=6))
def test_no_answer_on_a_grid_is_better_than_the_best_number(given):
    weights, numbers = np.array(given, dtype=float).T
    weights /= weights.sum()
    grid = np.linspace(-21, 21, 421)
    for loss, power in (("squared", 2), ("absolute", 1)):
        losses, best = expected_loss(grid, weights, numbers, loss), best_number(weights, numbers, loss)
        assert losses == pytest.approx((np.abs(grid[:, None] - numbers) ** power) @ weights)
        assert expected_loss(best, weights, numbers, loss) <= losses.min() + 1e-9
    by_name = dict(enumerate(weights)), dict(reversed([*enumerate(numbers)]))
    assert best_number(*by_name) == pytest.approx(weights @ numbers)


@pytest.mark.parametrize("function", [expected_costs, best_number])
@pytest.mark.parametrize("second", [{"a": {"b": 1}}, {"b": 1}, [1, 2, 3]])
def test_costs_and_numbers_must_be_of_the_same_hypotheses(function, second):
    with pytest.raises(ValueError, match="costs|numbers"):
        function({"a": 1}, second)


# On trial


def test_held_out_scores_are_those_of_the_three_ways_person_by_person():
    space, kinds, says, counts = people()
    seen, rest = draw_trials(counts, 20, 4, random_state=1)
    found = held_out_scores(says, seen, rest, noise=0.2)
    for run in range(4):
        rows = [(kind, y) for kind, row in zip(kinds, seen[run]) for y in (False, True) for _ in range(row[int(y)])]
        posterior, error, loss = found["weights"][run], dict.fromkeys(("vote", "Gibbs", "MAP"), 0.0), [0.0, 0.0]
        assert posterior == pytest.approx(space.posterior(rows, noise=0.2).array)
        best = np.flatnonzero(posterior > posterior.max() - 1e-12)
        for kind, (no, yes) in enumerate(rest[run]):
            votes = ["yes" if each else "no" for each in says[:, kind]]
            vote = {"yes": 0, "no": 0, **bayes_optimal(posterior, votes)}
            assert vote["yes"] == pytest.approx(found["vote"][run, kind])
            for label, number in (("yes", yes), ("no", no)):
                for way, chances in three_answers(posterior, votes).items():
                    error[way] += number * (1 - chances.get(label, 0))
                loss[0] -= number * np.log(0.2 + 0.6 * vote[label])
                loss[1] -= number * np.mean([np.log(0.8 if votes[h] == label else 0.2) for h in best])
        left = rest[run].sum()
        assert {way: each[run] * left for way, each in found["error"].items()} == pytest.approx(error)
        assert [found["log_loss"][way][run] for way in ("vote", "MAP")] == pytest.approx(np.array(loss) / left)


def test_on_the_titanic_map_errs_least_but_with_truths_drawn_from_the_rules_the_vote_does():
    _, _, says, counts = people()
    real, drawn = (held_out_scores(says, *draw_trials(counts, 20, 4000, s, random_state=20)) for s in (None, says))
    errors = {way: error.mean() for way, error in real["error"].items()}
    assert errors == pytest.approx({"vote": 0.280, "Gibbs": 0.284, "MAP": 0.268}, abs=0.002)
    assert real["log_loss"]["vote"].mean() < real["log_loss"]["MAP"].mean() - 0.01
    assert drawn["error"]["vote"].mean() + 0.003 < min(drawn["error"][way].mean() for way in ("MAP", "Gibbs"))


def test_drawn_trials_keep_the_people_and_real_ones_the_fates():
    _, _, says, counts = people()
    seen, rest = draw_trials(counts, 100, 50, random_state=0)
    assert (seen + rest == counts).all() and (seen.sum(axis=(1, 2)) == 100).all() and min(seen.min(), rest.min()) >= 0
    seen, rest = draw_trials(counts, 100, 50, says, random_state=0)
    assert ((seen + rest).sum(axis=2) == counts.sum(axis=1)).all() and (seen.sum(axis=(1, 2)) == 100).all()


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=12), st.sampled_from([0.1, 0.3]))
def test_forecasters_day_by_day_are_three_ways_each_morning(days, noise):
    days = np.array(days)
    forecasts, outcomes = days[:, :3], days[:, 3]
    found = day_by_day(forecasts, outcomes, noise)
    for day, (said, came) in enumerate(zip(forecasts, outcomes)):
        wrong = (forecasts[:day] != outcomes[:day, None]).sum(axis=0)
        weights = noise**wrong * (1 - noise) ** (day - wrong)
        assert found["weights"][day] == pytest.approx(weights / weights.sum())
        errors = dict.fromkeys(found["errors"], 1)
        if came in said:
            errors = expected_errors(found["weights"][day], said.tolist(), truth=came)
        assert {way: each[day] for way, each in found["errors"].items()} == pytest.approx(errors)
