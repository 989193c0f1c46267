"""Claims about section 01's model: the numbers of the syllabus, the algebra, and the words of its errors."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayeslib as bl
from bayeslib.models.bayes import diagnosis, flip_prior, natural_frequencies, posterior_curve, repeated_test

PRIOR = {"cancer": 0.008, "no cancer": 0.992}
POSITIVE, NEGATIVE = {"cancer": 0.98, "no cancer": 0.03}, {"cancer": 0.02, "no cancer": 0.97}
probability = st.floats(0.001, 0.999)


def test_products_of_the_cancer_test_are_0078_and_0298():
    joint = natural_frequencies(0.008, 0.98, 0.03, crowd=1)
    assert list(joint.values()) == pytest.approx([0.00784, 0.00016, 0.02976, 0.96224])
    assert (round(joint["sick", "+"], 4), round(joint["healthy", "+"], 4)) == (0.0078, 0.0298)
    assert bl.total_probability(PRIOR, POSITIVE) == pytest.approx(joint["sick", "+"] + joint["healthy", "+"])


def test_the_six_probabilities_of_the_test_and_its_ml_hypothesis():
    prior, positive = diagnosis(0.008, 0.98, 0.03)
    missed, cleared = (
        natural_frequencies(1, 0.98, 0.03, 1)["sick", "-"],
        natural_frequencies(0, 0.98, 0.03, 1)["healthy", "-"],
    )
    assert [prior["healthy"], missed, cleared] == pytest.approx([0.992, 0.02, 0.97])
    assert max(positive, key=positive.get) == "sick"


def test_a_positive_test_raises_cancer_to_21_percent_and_map_stays_no_cancer():
    after = bl.posterior(PRIOR, POSITIVE)
    assert after["cancer"] == pytest.approx(0.2085, abs=5e-5)
    assert max(after, key=after.get) == "no cancer"


def test_exact_fractions_stay_exact():
    prior = {"sick": Fraction(8, 1000), "healthy": Fraction(992, 1000)}
    assert bl.posterior(prior, {"sick": Fraction(98, 100), "healthy": Fraction(3, 100)})["sick"] == Fraction(49, 235)


def test_the_order_of_the_keys_does_not_matter():
    tiny = {"b": 1e-200, "a": 3e-200}
    assert bl.posterior({"a": 0.5, "b": 0.5}, tiny) == pytest.approx({"a": 0.75, "b": 0.25})
    assert bl.update({"a": 0.5, "b": 0.5}, [tiny, tiny])[-1] == pytest.approx({"a": 0.9, "b": 0.1})
    with pytest.raises(ValueError, match="impossible under every hypothesis"):
        bl.posterior({"a": 1.0, "b": 0.0}, {"b": 1.0, "a": 0.0})


def test_second_positive_test_raises_cancer_to_90_percent():
    steps = bl.update(PRIOR, [POSITIVE, POSITIVE])
    assert [round(step["cancer"], 3) for step in steps] == [0.209, 0.896]


def test_order_of_results_does_not_matter():
    there, back = bl.update(PRIOR, [POSITIVE, NEGATIVE])[-1], bl.update(PRIOR, [NEGATIVE, POSITIVE])[-1]
    assert there == pytest.approx(back) and there["cancer"] == pytest.approx(0.0054, abs=5e-5)


def test_map_flips_at_30_sick_per_1000():
    flip = flip_prior(0.98, 0.03)
    assert 1000 * flip == pytest.approx(29.7, abs=0.05)
    assert bl.posterior(*diagnosis(flip, 0.98, 0.03))["sick"] == pytest.approx(0.5)


@given(probability, probability, st.floats(0.01, 100))
def test_at_the_flip_waiting_and_acting_do_the_same_harm(sensitivity, false_positive, harm):
    after = bl.posterior(*diagnosis(flip_prior(sensitivity, false_positive, harm), sensitivity, false_positive))
    assert harm * after["sick"] == pytest.approx(after["healthy"])
    assert after["sick"] == pytest.approx(1 / (1 + harm))


def test_three_causes_share_one_belief():
    """Theorem 12 for three exclusive events, as the lesson's parcels have it."""
    after = bl.posterior([0.5, 0.3, 0.2], [0.1, 0.2, 0.4])
    assert after.round(3).tolist() == [0.263, 0.316, 0.421]


def test_the_joint_read_both_ways_is_00784():
    after, evidence = bl.posterior(PRIOR, POSITIVE)["cancer"], bl.total_probability(PRIOR, POSITIVE)
    assert after * evidence == pytest.approx(0.98 * 0.008) == pytest.approx(0.00784)


def test_the_posterior_falls_as_the_data_becomes_common():
    flags = {flagged: bl.posterior(*diagnosis(0.008, 0.98, flagged))["sick"] for flagged in (0.001, 0.03, 0.1, 0.5)}
    assert [round(each, 4) for each in flags.values()] == [0.8877, 0.2085, 0.0732, 0.0156]


def test_one_in_ten_sick_makes_a_positive_worth_784():
    assert bl.posterior(*diagnosis(0.1, 0.98, 0.03))["sick"] == pytest.approx(0.784, abs=5e-4)


@given(st.lists(probability, min_size=1, max_size=5), probability, probability)
def test_the_curve_is_the_posterior_at_every_prior(priors, sensitivity, false_positive):
    one_by_one = [bl.posterior(*diagnosis(p, sensitivity, false_positive))["sick"] for p in priors]
    assert posterior_curve(priors, sensitivity, false_positive) == pytest.approx(one_by_one)


@pytest.mark.parametrize("copied, worth", [(0, 0.896), (0.1, 0.671), (0.25, 0.488), (0.5, 0.336), (1, 0.2085)])
def test_copied_results_are_worth_less(copied, worth):
    prior, _ = diagnosis(0.008, 0.98, 0.03)
    assert bl.update(prior, repeated_test("++", 0.98, 0.03, copied))[-1]["sick"] == pytest.approx(worth, abs=5e-4)


def test_crowd_of_6250_has_no_fractions_of_people():
    counts = natural_frequencies(0.008, 0.98, 0.03, 6250)
    assert counts == pytest.approx({("sick", "+"): 49, ("sick", "-"): 1, ("healthy", "+"): 186, ("healthy", "-"): 6014})


def test_the_answer_comes_back_as_the_kind_that_came_in():
    assert isinstance(bl.posterior(PRIOR, POSITIVE), dict)
    column = bl.posterior(pd.Series(PRIOR), pd.Series(POSITIVE))
    assert isinstance(column, pd.Series) and list(column.index) == list(PRIOR)
    array = bl.posterior([0.008, 0.992], np.array([0.98, 0.03]))
    assert isinstance(array, np.ndarray) and array == pytest.approx([*column])
    assert isinstance(bl.update(pd.Series(PRIOR), [POSITIVE])[0], pd.Series)
    assert bl.update([0.008, 0.992], [[0.98, 0.03]] * 3).shape == (3, 2)
    assert bl.update(PRIOR, []) == [] and bl.update([0.5, 0.5], []).shape == (0, 2)


def test_a_column_is_matched_by_name_not_by_place():
    turned = pd.Series({"no cancer": 0.03, "cancer": 0.98})
    assert bl.posterior(pd.Series(PRIOR), turned)["cancer"] == pytest.approx(0.2085, abs=5e-5)


def test_inputs_are_left_alone():
    prior, likelihood = np.array([0.5, 0.5]), np.array([0.2, 0.4])
    bl.posterior(prior, likelihood)
    assert prior.tolist() == [0.5, 0.5] and likelihood.tolist() == [0.2, 0.4]


@given(st.lists(st.tuples(probability, probability), min_size=1, max_size=8))
def test_posteriors_sum_to_one_and_keep_the_likelihood_ratio(rows):
    weights, likelihood = np.array(rows).T
    prior = weights / weights.sum()
    after = bl.posterior(prior, likelihood)
    assert after.sum() == pytest.approx(1)
    assert after * bl.total_probability(prior, likelihood) == pytest.approx(prior * likelihood)


@given(st.lists(st.tuples(probability, probability), min_size=1, max_size=6), probability)
def test_updating_in_turn_equals_updating_at_once(rows, start):
    prior = {"h": start, "other": 1 - start}
    together = {"h": np.prod([a for a, _ in rows]), "other": np.prod([b for _, b in rows])}
    steps = bl.update(prior, [{"h": a, "other": b} for a, b in rows])
    assert len(steps) == len(rows)
    assert steps[-1] == pytest.approx(bl.posterior(prior, together))


def test_what_is_too_improbable_for_a_product_of_floats_has_a_posterior():
    assert bl.posterior([1e-200, 1 - 1e-200], [1e-200, 0]).tolist() == [1, 0]
    assert bl.posterior([0.5, 0.5], [1e-200, 3e-200]) == pytest.approx([0.25, 0.75])
    assert bl.posterior({"a": 0.25, "b": 0.75}, {"a": 5e-324, "b": 5e-324}) == pytest.approx({"a": 0.25, "b": 0.75})
    mixed = bl.posterior({"a": Fraction(1, 10**400), "b": 1 - 1e-17}, {"a": 0.5, "b": 0.0})
    assert mixed == {"a": 1.0, "b": 0.0}
    column = bl.posterior(pd.Series({"a": 1e-200, "b": 1.0}), pd.Series({"a": 1e-200, "b": 0.0}))
    assert isinstance(column, pd.Series) and column.tolist() == [1, 0]
    whole = bl.posterior(pd.Series({"a": 1, "b": 0}), {"a": 1e-200, "b": 1.0})
    assert whole.tolist() == [1, 0]


def test_a_belief_that_floats_cannot_hold_comes_back_when_the_other_is_refuted():
    assert bl.update([0.5, 0.5], [[1e-200, 1]] * 2 + [[1, 0]])[-1].tolist() == [1, 0]
    there_and_back = [{"a": 1e-200, "b": 0.5}] * 3 + [{"a": 0.5, "b": 1e-200}] * 3
    steps = bl.update({"a": 0.2, "b": 0.8}, there_and_back)
    assert steps[2] == {"a": 0.0, "b": 1.0} and steps[-1] == pytest.approx({"a": 0.2, "b": 0.8})


@pytest.mark.parametrize("small", [Fraction(1, 10**200), Fraction(1, 10**400)])
def test_fractions_stay_exact_however_small(small):
    third = Fraction(1, 3)
    assert bl.posterior({"a": third, "b": 1 - third}, {"a": small, "b": small}) == {"a": third, "b": 1 - third}
    steps = bl.update({"a": third, "b": 1 - third}, [{"a": small, "b": 1}, {"a": 1, "b": small}])
    assert steps[0]["a"] == small / (small + 2) and steps[1] == {"a": third, "b": 1 - third}


@pytest.mark.parametrize("prior, likelihood", [([1, 0], [0, 1]), ({"a": Fraction(1), "b": 0}, {"a": 0, "b": 1})])
def test_what_is_impossible_is_called_so(prior, likelihood):
    with pytest.raises(ValueError, match="impossible under every hypothesis"):
        bl.posterior(prior, likelihood)
    with pytest.raises(ValueError, match=r"likelihoods\[0\].*impossible"):
        bl.update(prior, [likelihood])


@pytest.mark.parametrize(
    "prior, likelihood, words",
    [
        ({"a": 0.5, "b": 0.47}, {"a": 1, "b": 1}, "prior must sum to 1, got 0.97 over {'a', 'b'}"),
        ({"a": -0.5, "b": 1.5}, {"a": 1, "b": 1}, "prior['a'] must be a probability between 0 and 1, got -0.5"),
        ({"a": 0.5, "b": 0.5}, {"a": 1.2, "b": 1}, "likelihood['a'] must be a probability between 0 and 1, got 1.2"),
        ({"a": 0.5, "b": 0.5}, {"a": 0.5}, "likelihood must have the hypotheses of prior, {'a', 'b'}, got {'a'}"),
        ({"a": 0.5, "b": 0.5}, [0.5, 0.5], "both be mappings or both be arrays"),
        ({"a": "x"}, {"a": 1}, "prior['a'] must be a probability between 0 and 1, got 'x'"),
        ({}, {}, "prior must hold at least one hypothesis"),
        ([0.5, float("nan")], [1, 1], "prior[1] must be a probability between 0 and 1, got nan"),
        ([0.5, 0.5], [0.5, float("inf")], "likelihood[1] must be a probability between 0 and 1, got inf"),
        ([0.5, 0.4], [1, 1], "prior must sum to 1, got 0.9 over 2 hypotheses"),
        ([0.5, 0.5], [1, 1, 1], "likelihood must have one value per hypothesis, 2 as in prior, got 3"),
        ([[0.5, 0.5]], [1, 1], "prior must be one row of at least one probability, got shape (1, 2)"),
        ([], [], "prior must be one row of at least one probability"),
        (["a", "b"], [1, 1], "prior must be a mapping or an array of probabilities"),
        ([0.5, 0.5], [0, 0], "impossible under every hypothesis"),
        ([1, 0], [0, 1], "impossible under every hypothesis"),
    ],
)
def test_bad_input_is_named(prior, likelihood, words):
    with pytest.raises(ValueError) as caught:
        bl.posterior(prior, likelihood)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: bl.update(PRIOR, POSITIVE), "likelihoods must be a sequence"),
        (lambda: bl.update(PRIOR, [POSITIVE, {"cancer": 1}]), "likelihoods[1]: likelihood must have the hypotheses"),
        (lambda: bl.update({"a": 2}, []), "prior['a'] must be a probability"),
        (lambda: diagnosis(2, 0.5, 0.5), "prior must be a probability between 0 and 1, got 2"),
        (lambda: flip_prior(0, 0), "never positive"),
        (lambda: flip_prior(0.9, 0.1, harm=0), "harm must be above 0, got 0"),
        (lambda: repeated_test("+?", 0.9, 0.1), "results must hold only + and -, got '+?'"),
        (lambda: repeated_test("+", 0.9, 0.1, copied=1.5), "copied must be a probability"),
        (lambda: diagnosis(True, 0.5, 0.5), "prior must be a probability between 0 and 1, got True"),
    ],
)
def test_other_bad_input_is_named(call, words):
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value)
