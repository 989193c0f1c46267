"""Claims about section 04's answers: what costs least, which number is least wrong, and the clerks on trial."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayeslib import data
from bayeslib.models.concepts import (
    ConjunctiveSpace,
    bayes_optimal,
    best_number,
    clerk_answers,
    covers,
    day_by_day,
    draw_trials,
    expected_costs,
    expected_errors,
    expected_loss,
    held_out_scores,
    weigh_by_errors,
    winners,
)

ONCE = {"+": {"+": 0, "−": 1}, "−": {"+": 1, "−": 0}}
FROST = {"+": {"+": 0, "−": 1}, "−": {"+": 6, "−": 0}}


def people():
    """The 46 rules of the Titanic, its 14 kinds of people, what each rule says of each kind, and the counts by kind and label."""
    table = data.load_titanic()
    names = ["status", "age", "sex"]
    space = ConjunctiveSpace({name: list(dict.fromkeys(table[name])) for name in names})
    kinds = list(dict.fromkeys(zip(*(table[name] for name in names))))
    found = {(tuple(row[:3]), row[3]): row[4] for row in table.to_numpy().tolist()}
    counts = np.array([[found.get((kind, label), 0) for label in ("no", "yes")] for kind in kinds])
    return space, kinds, np.array([[covers(h, kind) for kind in kinds] for h in space.each()]), counts


# Costs


@given(st.integers(0, 100), st.integers(0, 20), st.integers(0, 20))
def test_the_answer_that_costs_least_changes_at_the_false_alarms_share_of_both_costs(percent, missed, alarm):
    p = percent / 100
    costs = expected_costs({"+": p, "−": 1 - p}, {"+": {"+": 0, "−": alarm}, "−": {"+": missed, "−": 0}})
    assert costs == pytest.approx({"+": alarm * (1 - p), "−": missed * p})
    if missed + alarm and abs(p - alarm / (missed + alarm)) > 1e-9:
        assert (costs["+"] < costs["−"]) == (p > alarm / (missed + alarm))


def test_with_equal_costs_the_cheapest_answer_is_the_most_probable_and_its_cost_the_error():
    p = {"+": 0.4, "−": 0.6}
    assert expected_costs(p, ONCE) == pytest.approx({"+": 0.6, "−": 0.4})
    assert expected_costs(p, FROST) == pytest.approx({"+": 0.6, "−": 2.4})
    assert (
        min(expected_costs({"+": 1 / 7 + 1e-6, "−": 6 / 7 - 1e-6}, FROST).items(), key=lambda each: each[1])[0] == "+"
    )


def test_an_answer_need_not_be_a_label():
    costs = {"+": {"+": 0, "−": 1}, "−": {"+": 1, "−": 0}, "ask": {"+": 0.2, "−": 0.2}}
    assert expected_costs({"+": 0.5, "−": 0.5}, costs)["ask"] == pytest.approx(0.2)


# Numbers


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(-20, 20)), min_size=1, max_size=6))
def test_no_answer_on_a_grid_is_better_than_the_best_number(given):
    weights, numbers = np.array(given, dtype=float).T
    weights /= weights.sum()
    grid = np.linspace(-21, 21, 421)
    for loss in ("squared", "absolute"):
        best = best_number(weights, numbers, loss)
        assert expected_loss(best, weights, numbers, loss) <= expected_loss(grid, weights, numbers, loss).min() + 1e-9


def test_three_temperatures_have_three_best_answers():
    weights, numbers = {"h1": 0.4, "h2": 0.3, "h3": 0.3}, {"h1": 12, "h2": 16, "h3": 30}
    assert best_number(weights, numbers) == pytest.approx(18.6)
    assert best_number(weights, numbers, "absolute") == 16 and numbers[winners(weights)[0]] == 12
    assert [float(expected_loss(a, weights, numbers, "absolute")) for a in (12, 16, 18.6)] == pytest.approx(
        [6.6, 5.8, 6.84]
    )
    assert float(expected_loss(18.6, weights, numbers)) == pytest.approx(58.44)


# On trial


@given(st.lists(st.integers(0, 40), min_size=2, max_size=6), st.sampled_from([0.05, 0.2, 0.4]))
def test_weights_by_errors_are_the_posterior_of_the_noise(errors, noise):
    likelihood = np.array([noise**k * (1 - noise) ** (40 - k) for k in errors])
    assert weigh_by_errors(errors, noise) == pytest.approx(likelihood / likelihood.sum())
    prior = np.arange(1, len(errors) + 1.0)
    assert weigh_by_errors(errors, noise, prior) == pytest.approx(likelihood * prior / (likelihood @ prior))


def test_weights_agree_with_the_space_of_section_02():
    space, kinds, says, counts = people()
    seen, _ = draw_trials(counts, 20, 3, random_state=5)
    for trial in seen:
        rows = [(kind, bool(label)) for kind, row in zip(kinds, trial) for label in (0, 1) for _ in range(row[label])]
        wrong = trial[:, 0] @ says.T + trial[:, 1] @ ~says.T
        assert weigh_by_errors(wrong, 0.2) == pytest.approx(space.posterior(rows, noise=0.2).array)


def test_held_out_scores_are_those_of_the_three_clerks_person_by_person():
    _, kinds, says, counts = people()
    seen, rest = draw_trials(counts, 20, 4, random_state=1)
    found = held_out_scores(says, seen, rest, noise=0.2)
    for run in range(4):
        posterior, error, loss = found["weights"][run], dict.fromkeys(("vote", "Gibbs", "MAP"), 0.0), [0.0, 0.0]
        best = np.flatnonzero(posterior > posterior.max() - 1e-12)
        for kind, (no, yes) in enumerate(rest[run]):
            votes = ["yes" if each else "no" for each in says[:, kind]]
            vote = {"yes": 0, "no": 0, **bayes_optimal(posterior, votes)}
            assert vote["yes"] == pytest.approx(found["vote"][run, kind])
            for label, number in (("yes", yes), ("no", no)):
                for clerk, chances in clerk_answers(posterior, votes).items():
                    error[clerk] += number * (1 - chances.get(label, 0))
                loss[0] -= number * np.log(0.2 + 0.6 * vote[label])
                loss[1] -= number * np.mean([np.log(0.8 if votes[h] == label else 0.2) for h in best])
        left = rest[run].sum()
        assert {clerk: each[run] for clerk, each in found["error"].items()} == pytest.approx(
            {clerk: wrong / left for clerk, wrong in error.items()}
        )
        assert [found["log_loss"][clerk][run] for clerk in ("vote", "MAP")] == pytest.approx(np.array(loss) / left)


@cache
def trials(size, real=True, runs=4000, noise=0.2, prior=None):
    _, _, says, counts = people()
    seen, rest = draw_trials(counts, size, runs, None if real else says, random_state=size)
    found = held_out_scores(says, seen, rest, noise, prior)
    return {score: {clerk: each.mean() for clerk, each in found[score].items()} for score in ("error", "log_loss")}


def test_on_the_titanic_map_errs_least_but_the_vote_has_the_better_probabilities():
    for size in (10, 20, 50):
        real = trials(size)
        assert real["error"]["MAP"] + 0.003 < real["error"]["vote"] < real["error"]["Gibbs"]
        assert real["log_loss"]["vote"] < real["log_loss"]["MAP"] - 0.01
    assert trials(20)["error"] == pytest.approx({"vote": 0.280, "Gibbs": 0.284, "MAP": 0.268}, abs=0.002)
    assert trials(5)["error"]["vote"] < trials(5)["error"]["MAP"]


def test_with_truths_drawn_from_the_rules_the_vote_errs_least():
    for size in (5, 20, 50):
        drawn = trials(size, real=False)["error"]
        assert drawn["vote"] + 0.003 < min(drawn["MAP"], drawn["Gibbs"])


def test_the_best_rule_and_the_best_answers_of_the_titanic():
    space, _, says, counts = people()
    assert space.size == 46 and counts.sum() == 2201 and (says.sum(axis=0) == 8).all()
    wrong = counts[:, 0] @ says.T + counts[:, 1] @ ~says.T
    assert space.hypothesis(int(wrong.argmin())) == ("?", "?", "female")
    assert wrong.min() / 2201 == pytest.approx(0.224, abs=5e-4) and counts.min(axis=1).sum() / 2201 == pytest.approx(
        0.209, abs=5e-4
    )


def test_drawn_trials_keep_the_people_and_real_ones_the_fates():
    _, _, says, counts = people()
    seen, rest = draw_trials(counts, 100, 50, random_state=0)
    assert (
        (seen + rest == counts).all()
        and (seen.sum(axis=(1, 2)) == 100).all()
        and (seen >= 0).all()
        and (rest >= 0).all()
    )
    seen, rest = draw_trials(counts, 100, 50, says, random_state=0)
    assert ((seen + rest).sum(axis=2) == counts.sum(axis=1)).all() and (seen.sum(axis=(1, 2)) == 100).all()


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=12), st.sampled_from([0.1, 0.3]))
def test_forecasters_day_by_day_are_three_clerks_each_morning(days, noise):
    days = np.array(days)
    forecasts, outcomes = days[:, :3], days[:, 3]
    found = day_by_day(forecasts, outcomes, noise)
    for day, (said, came) in enumerate(zip(forecasts, outcomes)):
        weights = weigh_by_errors((forecasts[:day] != outcomes[:day, None]).sum(axis=0), noise)
        assert found["weights"][day] == pytest.approx(weights)
        votes, label = ["yes" if each else "no" for each in said], "yes" if came else "no"
        if label in votes:
            wrong = expected_errors(weights, votes, truth=label)
        else:
            wrong = dict.fromkeys(found["errors"], 1)
        assert {clerk: each[day] for clerk, each in found["errors"].items()} == pytest.approx(wrong)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: expected_costs([0.5, 0.5], ONCE), "p must be a mapping label → P(label|D), got [0.5, 0.5]"),
        (lambda: expected_costs({"+": 0.5, "−": 0.4}, ONCE), "p must sum to 1, got 0.9"),
        (lambda: expected_costs({"+": 1}, ONCE), "costs['+'] must be a mapping with the labels of p, {'+'}, got"),
        (lambda: expected_costs({"+": 1}, {"+": {"+": "x"}}), "costs['+']['+'] must be a number"),
        (
            lambda: expected_loss(1, [0.5, 0.5], [1, 2], "cubed"),
            "loss must be one of {'squared', 'absolute'}, got 'cubed'",
        ),
        (lambda: best_number([0.5, 0.5], [1, 2, 3]), "numbers must have one number per hypothesis, 2, got 3"),
        (lambda: best_number({"a": 1}, {"b": 2}), "numbers must have the hypotheses of posterior, {'a'}, got {'b'}"),
        (lambda: weigh_by_errors([1, 2], 0.5), "noise must be a chance between 0 and 0.5, both excluded, got 0.5"),
        (lambda: weigh_by_errors([1, 2], 0.2, [0, 0]), "prior must have a weight for each of 2 hypotheses, not all 0"),
        (lambda: draw_trials([[1, 2]], 3, 5), "size must be a whole number of at most 2, got 3"),
        (lambda: held_out_scores([[1, 0]], [[1, 2]], [[1, 2]]), "says must have a column for each of 1 kinds, got 2"),
        (lambda: held_out_scores([[1]], [[1, 2]], [[0, 0]]), "rest must hold people and have the shape of seen"),
        (lambda: day_by_day([[1, 0]], [1, 0]), "outcomes must have one for each of 1 days, got 2"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value)
