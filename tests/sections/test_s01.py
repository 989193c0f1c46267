"""Section 01: what its figures must say, and the claims of its lesson, computed once more."""

import re
from math import prod

import numpy as np
import pytest

import bayeslib as bl
from bayeslib import live
from bayeslib.models.bayes import diagnosis, flip_prior, repeated_test
from tests.figures import says

SETTINGS = {
    "population": {
        "test": ["practice test", "mammogram US", "HIV test Germany"],
        "counts": ["", "12, 3, 30, 955", "1 0 0 1", "0;5;3;9", "173, ?, 2297, 167530", "0 0 1 1", "1 2 3", "many"],
    },
    "rules": {"rule": ["product", "sum", "total", "Bayes"]},
    "test_after_test": {"results": ["", "+", "-", "−+", "+-+-+-+-", "++++++++", "+?", "+" * 9]},
}

# What the captions of the figures say, computed from the definitions.


def claims_population(sick, found, flagged, counts, test, step, said):
    rates = sick / 1000, found / 100, flagged / 100
    if counts:
        right, missed, wrong, rest = (float(each) for each in re.findall(r"[\d.]+|\?", counts.replace("?", "0")))
        rates = (right + missed) / (right + missed + wrong + rest), right / (right + missed), wrong / (wrong + rest)
    crowd = 10_000 if rates[0] < 0.001 else 1000
    ill, well = crowd * rates[0], crowd * (1 - rates[0])
    true, false = ill * rates[1], well * rates[2]
    if step == 1:
        says(said, round(ill), round(well))
    if step == 2:
        says(said, round(true), round(false))
    if step == 3 and "?" in counts:
        says(said, true / (true + false), rates[2], sick / (sick + (1000 - sick) * rates[2]))
    elif step == 3 and true + false:
        says(said, crowd, round(true + false), round(true), round(false), true / (true + false))


def claims_posterior_curve(sick, found, flagged, said):
    true, false = sick * found, (1000 - sick) * flagged
    says(said, sick, true / (true + false))
    if flagged:
        says(said, 1000 * flagged / (found + flagged), digits=1)


def claims_rules(a, b_a, b_not_a, rule, said):
    p_a, inside, outside = a / 100, b_a / 100, b_not_a / 100
    both, p_b = p_a * inside, p_a * inside + (1 - p_a) * outside
    says(said, p_a, inside, outside, both)
    if rule != "product":
        says(said, p_b)
    if rule == "sum":
        says(said, p_a + p_b - both)
    if rule == "Bayes" and p_b:
        says(said, both / p_b)


def claims_test_after_test(results, copied, step, said):
    odds, before = 8 / 992, None
    for sign in results.replace("−", "-")[:step]:
        share = copied / 100 if before else 0
        ways = [share * (sign == before) + (1 - share) * (p if sign == "+" else 1 - p) for p in (0.98, 0.03)]
        odds, before = odds * ways[0] / ways[1], sign
    chance = odds / (1 + odds)
    if 0.0001 <= chance <= 0.9999:
        says(said, chance)
    if 0 < step == len(results):
        says(said, round(float(f"{ways[0]:.4g}"), 4))


# What the lesson claims


def after(prior, sensitivity, false_positive):
    return bl.posterior(*diagnosis(prior, sensitivity, false_positive))["sick"]


def test_one_positive_of_the_practice_test_makes_one_in_five_sick():
    assert after(0.008, 0.98, 0.03) == pytest.approx(0.2085, abs=5e-5)


def test_fewer_false_alarms_raise_trust_in_a_positive_more_than_missing_nobody():
    assert after(0.008, 1, 0.03) == pytest.approx(0.2119, abs=5e-5)
    assert after(0.008, 0.98, 0.01) == pytest.approx(0.4414, abs=5e-5)


def test_map_flips_at_three_percent_and_where_one_in_ten_is_sick_it_says_sick():
    assert flip_prior(0.98, 0.03) == pytest.approx(0.0297, abs=5e-5)
    assert after(0.0296, 0.98, 0.03) < 0.5 < after(0.0298, 0.98, 0.03)
    assert after(0.1, 0.98, 0.03) == pytest.approx(0.784)


def test_treating_pays_long_before_sick_is_the_most_probable_state():
    sick = 1000 * after(0.008, 0.98, 0.03)
    assert (round(sick) * 10, 1000 - round(sick)) == (2090, 791)
    assert round(1 / (1 + 10), 2) == 0.09 < sick / 1000 < 0.5


def test_a_second_positive_raises_the_probability_to_90_percent_unless_it_may_be_a_copy():
    def twice(copied):
        return bl.update(diagnosis(0.008, 0.98, 0.03)[0], repeated_test("++", 0.98, 0.03, copied))[-1]["sick"]

    assert [round(twice(copied), 3) for copied in (0, 0.1, 0.5, 1)] == [0.896, 0.671, 0.336, 0.209]
    second = repeated_test("++", 0.98, 0.03, 0.5)[1]
    assert (second["sick"], second["healthy"]) == pytest.approx((0.99, 0.515))


def test_a_positive_and_a_negative_leave_less_than_the_start_in_either_order():
    ends = [
        bl.update(diagnosis(0.008, 0.98, 0.03)[0], repeated_test(each, 0.98, 0.03))[-1]["sick"] for each in ("+-", "-+")
    ]
    assert ends == pytest.approx([0.0054] * 2, abs=5e-5) and ends[0] < 0.008
    assert 0.98 / 0.03 * 0.02 / 0.97 == pytest.approx(0.674, abs=5e-4)


@pytest.mark.parametrize("copied", [0, 0.3, 0.9])
def test_a_disagreement_is_never_an_echo(copied):
    second = repeated_test("+-", 0.98, 0.03, copied)[1]
    assert second["sick"] / second["healthy"] == pytest.approx(0.02 / 0.97)


def test_four_of_a_hundred_letters_are_about_a_cancer():
    letter = after(0.0059, 0.869, 0.111)
    odds = 5.9 / 994.1 * 0.869 / 0.111
    assert round(letter, 3) == 0.044 and letter == pytest.approx(odds / (1 + odds)) and round(0.869 / 0.111, 2) == 7.83
    assert (round(994.1 / 5.9), round(1 / odds, 1), round(letter / 0.0059, 1)) == (168, 21.5, 7.5)
    echo = odds * (0.5 + 0.5 * 0.869) / (0.5 + 0.5 * 0.111)
    again = odds * 0.869 / 0.111
    assert (round(again / (1 + again), 2), round(echo / (1 + echo), 2)) == (0.27, 0.07)


def test_published_rates_give_the_published_share_within_their_rounding():
    said = []
    for test in ("mammogram US", "mammogram Canada", "HIV test Germany"):
        figure = live.population()
        figure.preset(test)
        computed = re.search(r"= (0\.\d{4})\.", figure.alt)[1]
        said.append((float(computed), float(re.search(r"Published: ([\d.]+)%", figure.alt)[1]) / 100))
    (us, us_said), (canada, canada_said), (hiv, hiv_said) = said
    assert (round(us, 3), round(hiv, 2)) == pytest.approx((us_said, hiv_said))
    low, high = (after(0.00753, 0.69, rate) for rate in (0.065, 0.055))  # the rate was printed as "6%"
    assert low < canada < high and low < canada_said < high


def test_misses_that_nobody_counted_leave_an_upper_bound():
    figure = live.population()
    figure.set(counts="12, ?, 30, 955", sick=100)
    assert f"upper bound: {0.1 / (0.1 + 0.9 * 30 / 985):.4f}" in figure.alt
    figure.set(counts="12, 3, 30, 955")
    assert "12/42 = 0.2857" in figure.alt


def test_two_symptoms_that_come_together_count_less_than_two():
    flu = np.array([0.05, 0.95])
    joint, naive = (bl.posterior(flu, np.array(each))[0] for each in ([0.60, 0.02], [0.7 * 0.75, 0.1 * 0.05]))
    assert (round(joint, 3), round(naive, 3)) == (0.612, 0.847)


def test_a_form_that_was_chosen_because_it_is_positive_is_worth_less():
    some = 1 - 0.02**3, 1 - 0.97**3
    assert (round(some[0], 5), round(some[1], 4), round(some[0] / some[1], 1)) == (0.99999, 0.0873, 11.5)
    assert round(after(0.008, *some), 3) == 0.085


def test_two_experts_who_share_a_prior_pool_their_factors():
    odds = [p / (1 - p) for p in (0.2, 0.5, 1 / 3)]
    pooled = odds[0] * prod(each / odds[0] for each in odds[1:])
    assert pooled / (1 + pooled) == pytest.approx(2 / 3)
