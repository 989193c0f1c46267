"""Claims about section 01's model: the numbers of the syllabus, and the algebra."""

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


@given(st.lists(st.tuples(probability, probability), min_size=1, max_size=6))
def test_the_posterior_is_prior_times_likelihood_over_their_sum_in_every_kind_of_container(rows):
    weights, likelihood = np.array(rows).T
    prior, names = weights / weights.sum(), [f"h{number}" for number in range(len(rows))]
    wanted = prior * likelihood / (prior @ likelihood)
    assert bl.posterior(prior, likelihood) == pytest.approx(wanted)
    assert bl.total_probability(prior, likelihood) == pytest.approx(prior @ likelihood)
    column = bl.posterior(pd.Series(prior, names), pd.Series(likelihood, names)[::-1])
    assert column.index.tolist() == names and column.tolist() == pytest.approx(wanted), "matched by name, not by place"
    assert bl.update(pd.Series(prior, names), [pd.Series(likelihood, names)])[0].tolist() == pytest.approx(wanted)


@given(st.lists(st.tuples(probability, probability), min_size=1, max_size=6), probability)
def test_updating_in_turn_equals_updating_at_once(rows, start):
    prior = {"h": start, "other": 1 - start}
    together = {"h": np.prod([a for a, _ in rows]), "other": np.prod([b for _, b in rows])}
    steps = bl.update(prior, [{"h": a, "other": b} for a, b in rows])
    assert len(steps) == len(rows) and steps[-1] == pytest.approx(bl.posterior(prior, together))
    assert bl.update([start, 1 - start], rows)[-1] == pytest.approx(list(steps[-1].values()))


def test_one_positive_test_makes_cancer_21_percent_and_a_second_one_90():
    assert [round(step["cancer"], 3) for step in bl.update(PRIOR, [POSITIVE, POSITIVE])] == [0.209, 0.896]
    there, back = bl.update(PRIOR, [POSITIVE, NEGATIVE])[-1], bl.update(PRIOR, [NEGATIVE, POSITIVE])[-1]
    assert there == pytest.approx(back) and there["cancer"] == pytest.approx(0.0054, abs=5e-5)
    assert bl.update(PRIOR, []) == [] and bl.update([0.5, 0.5], []).shape == (0, 2)


@pytest.mark.parametrize("small", [Fraction(98, 100), Fraction(1, 10**400)])
def test_fractions_stay_exact_however_small(small):
    third = Fraction(1, 3)
    assert bl.posterior({"a": third, "b": 1 - third}, {"a": small, "b": small}) == {"a": third, "b": 1 - third}
    steps = bl.update({"a": third, "b": 1 - third}, [{"a": small, "b": 1}, {"a": 1, "b": small}])
    assert steps[0]["a"] == small / (small + 2) and steps[1] == {"a": third, "b": 1 - third}


def test_what_is_too_improbable_for_a_product_of_floats_has_a_posterior():
    assert bl.posterior([0.5, 0.5], [1e-200, 3e-200]) == pytest.approx([0.25, 0.75])
    assert bl.posterior([1e-200, 1 - 1e-200], [1e-200, 0]).tolist() == [1, 0]
    mixed = {"a": Fraction(1, 10**400), "b": 1 - 1e-17}
    assert bl.posterior(mixed, {"a": 0.5, "b": 0.0}) == {"a": 1.0, "b": 0.0}
    there_and_back = [{"a": 1e-200, "b": 0.5}] * 3 + [{"a": 0.5, "b": 1e-200}] * 3
    steps = bl.update({"a": 0.2, "b": 0.8}, there_and_back)
    assert steps[2] == {"a": 0.0, "b": 1.0} and steps[-1] == pytest.approx({"a": 0.2, "b": 0.8})


@pytest.mark.parametrize("prior, likelihood", [([1, 0], [0, 1]), ({"a": Fraction(1), "b": 0}, {"b": 1, "a": 0})])
def test_impossible_evidence_has_no_posterior(prior, likelihood):
    with pytest.raises(ValueError, match="impossible"):
        bl.posterior(prior, likelihood)
    with pytest.raises(ValueError, match=r"likelihoods\[0\].*impossible"):
        bl.update(prior, [likelihood])


@pytest.mark.parametrize(
    "prior, likelihood",
    [
        ({"a": 0.5, "b": 0.47}, {"a": 1, "b": 1}),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, [1]),
        ([0.5, 0.5], [1]),
        ([2, -1], [1, 1]),
    ],
)
def test_beliefs_that_do_not_fit_are_refused(prior, likelihood):
    with pytest.raises(ValueError, match="prior|likelihood"):
        bl.posterior(prior, likelihood)


@given(probability, probability, st.floats(0.01, 100))
def test_at_the_flip_waiting_and_acting_do_the_same_harm(sensitivity, false_positive, harm):
    after = bl.posterior(*diagnosis(flip_prior(sensitivity, false_positive, harm), sensitivity, false_positive))
    assert harm * after["sick"] == pytest.approx(after["healthy"])


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
