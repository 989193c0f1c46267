"""Section 03: what its figures must say, and the claims of its lesson, computed once more."""

import re
from functools import cache
from math import e, gamma, log, log2

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy.stats import laplace, norm

from bayeslib import data, live
from bayeslib.models.likelihood import curve_sample
from tests.figures import press, says

FIVE, POINTS = np.array([2, 4, 4, 5, 10.0]), [[0.0, 1.0], [1.0, 3.0], [2.0, 2.0], [3.0, 5.0], [4.0, 4.0]]
TABLE = data.load_galton_families()
FAMILY, PARENT, CHILD = (TABLE[name].to_numpy() for name in ("family", "midparent", "height"))
P, K = PARENT - PARENT.mean(), CHILD - CHILD.mean()
FOR_CHILDREN, FOR_PARENTS = (P @ K) / (P @ P), (P @ K) / (K @ K)
LIFTED = [[2.0, 10.0] if x == 2 else [x, y] for x, y in POINTS]
SETTINGS = {
    "line_fit": {
        "points": [
            POINTS,
            LIFTED,
            [[x, 12 - y] for x, y in POINTS],
            [[1.0, 0.0]] * 4 + [[4.0, 12.0]],
            [[1.0, 2.0]] * 5,
        ],
        "line": [None, [1.0, 1.0], [11.0, -2.5], [0.0, 0.0]],
    },
    "heights": {
        "family": ["", "178, 165, daughter 170", "66 61 60", "78, 72, 84", "150 150 150", "30 60 70", "tall, 1, 2"],
    },
}

# What the captions of the figures say, from the definitions.


def claims_measured_length(mu, sigma, siblings, centre, spread, said):
    people = {0: FIVE[:0], 1: np.array([5.0]), 2: np.array([4.0, 6.0])}.get(siblings, np.tile(FIVE, siblings // 5))
    weight = (sigma / spread) ** 2 if spread else 0
    level = (people.sum() + weight * centre) / (siblings + weight)
    if spread:
        says(said, level, sigma / np.sqrt(siblings + weight), digits=3)
        says(said, float(f"{weight:.4g}"))
    else:
        says(said, ((people - mu) ** 2).sum(), abs(norm.logpdf(people, mu, sigma).sum()), digits=2)
    if abs(mu - level) > 0.051:
        says(said, abs((people - mu).sum() + weight * (centre - mu)), digits=2)


def claims_line_fit(points, line, power, said):
    x, y = np.transpose(points)
    if line:
        price = (np.abs(y - line[0] - line[1] * x) ** power).sum()
        says(said, *map(abs, line), price, digits=2)
        says(said, abs(-price / power - len(x) * log(2 * power ** (1 / power) * gamma(1 + 1 / power))), digits=2)
    elif power == 2:
        slope, intercept = np.polyfit(x, y, 1)
        says(said, abs(slope), abs(intercept), ((y - intercept - slope * x) ** 2).sum(), digits=2)


def claims_heights(units, family, step, said):
    if step == 3:
        says(said, FOR_PARENTS, digits=3)
        says(said, 4.8 * FOR_PARENTS, P[np.abs(K - 4.8) <= 0.75].mean(), digits=2)
    if step == 4:
        says(said, 100 * FOR_CHILDREN, 100 * FOR_PARENTS, digits=0)
        says(said, 2.8 * FOR_CHILDREN, 4.8 * FOR_PARENTS, digits=1)
    if units != "inches":
        says(said, np.corrcoef(P, K)[0, 1], digits=3)
    if family:
        father, mother, own = (float(h) / (2.54 if float(h) > 100 else 1) for h in re.findall(r"\d+", family))
        line = CHILD.mean() + FOR_CHILDREN * ((father + 1.08 * mother) / 2 - PARENT.mean())
        off = abs(own * (1.08 if "daughter" in family else 1) - line)
        says(said, line, off, digits=1)
        says(said, 100 * (np.abs(K - FOR_CHILDREN * P) > off).mean(), digits=0)


@cache
def drawn(count, seed):
    """(children learned from, fits of degree 0 to 7, bits of the curve and of the residuals)"""
    names = np.unique(FAMILY)
    learn = np.isin(FAMILY, names[np.random.default_rng(seed).permutation(len(names))[:count]])
    return learn, *bits(PARENT[learn], CHILD[learn], 8)


def bits(x, y, degrees):
    fits = [Polynomial.fit(x, y, d) for d in range(degrees)]
    curve = np.arange(1, degrees + 1) / 2 * log2(len(y))
    return fits, curve, [len(y) / 2 * log2(((y - fit(x)) ** 2).mean()) for fit in fits]


def error(fit, of):
    return float(np.sqrt(((CHILD[of] - fit(PARENT[of])) ** 2).mean()))


def claims_heights_degrees(degree, count, seed, said):
    learn, fits, curve, rest = drawn(count, seed)
    says(said, curve[degree], rest[degree], curve[degree] + rest[degree], digits=1)
    says(said, error(fits[degree], learn), digits=2)
    far = error(fits[degree], ~learn)
    assert any(abs(each - far) < 0.0051 + 1e-5 * far for each in said), far


def claims_coin_likelihood(heads, tails, theta, ruler, said):
    if heads + tails:
        best = heads / (heads + tails)
        says(said, best, (heads + 1) / (heads + tails + 2), digits=3)
        top, here = (p**heads * (1 - p) ** tails for p in (best, theta / 100))
        assert all(any(abs(each - value) <= 0.006 * value for each in said) for value in (top, here)), (top, here)
        says(said, here / top, digits=3)


# What the figures do


def test_the_bell_is_dragged_along_the_plank_until_it_balances():
    figure = live.measured_length("five siblings")
    assert "sum to 41.00" in figure.alt and "pull on the plank is +5.00" in figure.alt
    figure.drag("handle", 4.97, 0)
    assert figure.values["mu"] == 5.0 and "sum to 36.00" in figure.alt and "pull on the plank is 0.00" in figure.alt
    press(figure, "ArrowRight")
    assert "pull on the plank is −0.50" in figure.alt


def test_sigma_leaves_the_top_of_the_hill_where_it_is():
    for sigma in (0.5, 2.0, 5.0):
        figure = live.measured_length("five siblings", sigma=sigma, mu=5.0)
        assert "no level has more" in figure.alt


def test_points_and_the_ends_of_the_line_are_dragged_and_stay_in_the_plane():
    figure = live.line_fit()
    figure.drag("point 2", 2.04, 99)
    assert figure.values["points"][2] == [2.0, 12.0] and figure.values["line"] is None
    figure.set(points=POINTS, line=[1.0, 1.0])
    figure.drag("end 1", 0, 3.0)
    a, b = figure.values["line"]
    assert (a - 0.4 * b, a + 4.4 * b) == pytest.approx((0.6, 3.0), abs=0.03)
    figure.set(**figure.actions["best line"](figure.values))
    assert "Line 1.40 + 0.80x" in figure.alt


def test_a_family_is_read_in_inches_and_in_centimetres():
    metric, imperial = live.heights(family="178, 165, daughter 170"), live.heights()
    imperial.set(family=f"{178 / 2.54} {165 / 2.54} {170 / 2.54} daughter")
    assert imperial.alt == metric.alt and "mid-parent 70.1, height 72.3" in metric.alt


# Numbers of the lesson


def test_five_siblings_are_likeliest_at_their_mean():
    squares = {mu: ((FIVE - mu) ** 2).sum() for mu in (4, 5, 6)}
    assert squares == {4: 41, 5: 36, 6: 41} and FIVE.mean() == 5 and FIVE.var() == 7.2
    at = [norm.logpdf(FIVE, mu, 2).sum() for mu in (4, 5)]
    assert np.round(at, 2).tolist() == [-13.19, -12.56] and at[1] - at[0] == pytest.approx(5 * 1**2 / (2 * 4))


def test_least_squares_follow_an_odd_point_and_least_absolute_errors_do_not():
    def best(power, y):
        figure = live.line_fit(points=[[2.0, y] if x == 2 else [x, old] for x, old in POINTS], power=power)
        return re.match(r"Line ([^,]*),", figure.alt)[1]

    assert [best(2.0, y) for y in (2.0, 10.0)] == ["1.40 + 0.80x", "3.00 + 0.80x"]
    assert [best(1.0, y) for y in (7.0, 10.0, 12.0)] == ["2.00 + 1.00x"] * 3
    x, y = np.transpose(POINTS)
    assert ((x - 2) @ (y - 3), (x - 2) @ (x - 2)) == (8, 10)
    assert laplace(scale=3).std() == pytest.approx(3 * np.sqrt(2))


def pooled(count, mean, sigma, centre, spread):
    weight = (sigma / spread) ** 2
    return round((count * mean + weight * centre) / (count + weight), 2), round(sigma / np.sqrt(count + weight), 2)


def test_a_prior_is_worth_siblings_of_its_own():
    assert [pooled(*case) for case in ((5, 5, 2, 8, 1), (20, 5, 2, 8, 1))] == [(6.33, 0.67), (5.5, 0.41)]
    assert pooled(5, 5, 2, 8, 4)[0] == 5.14 and pooled(12, 24, 4, 20, 2)[0] == 23
    assert np.average([4, 7], weights=[1, 4]) == 6.4 and round(8 / (10 + 1 / 0.09), 3) == 0.379


def test_siblings_scatter_by_two_inches_and_families_by_one():
    rest = K - FOR_CHILDREN * P
    groups = [rest[FAMILY == each] for each in np.unique(FAMILY)]
    sizes = np.array([len(each) for each in groups])
    within = sum(((each - each.mean()) ** 2).sum() for each in groups) / (len(rest) - len(groups))
    between = sum(len(each) * each.mean() ** 2 for each in groups) / (len(groups) - 1)
    usual = (len(rest) - (sizes**2).sum() / len(rest)) / (len(groups) - 1)
    assert (round(np.sqrt(within), 2), round(np.sqrt((between - within) / usual), 2)) == (2.02, 0.99)


def test_the_rare_word_costs_more_bits_than_the_surprise():
    lengths = [[-log2(p) for p in each] for each in ((0.008, 0.98), (0.992, 0.03))]
    assert np.round(lengths, 3).tolist() == [[6.966, 0.029], [0.012, 5.059]]
    assert round(2 ** (sum(lengths[0]) - sum(lengths[1])), 1) == 3.8


def test_a_slope_pays_for_itself_and_a_bend_does_not():
    _, curve, rest = bits(PARENT, CHILD, 3)
    assert np.round(curve[1] - curve[0], 1) == 4.9
    assert np.round(-np.diff(rest), 1).tolist() == [191.2, 1.8]


def test_degree_seven_fits_twenty_families_and_fails_beyond_them():
    learn, fits, *both = drawn(20, 0)
    assert [round(error(fits[d], learn), 2) for d in (1, 7)] == [1.99, 1.88]
    assert round(error(fits[1], ~learn), 2) == 2.28 and round(error(fits[7], ~learn)) == 26
    inside = ~learn & (PARENT >= PARENT[learn].min()) & (PARENT <= PARENT[learn].max())
    assert (inside.sum(), (~learn & ~inside).sum()) == (749, 85)
    assert [round(error(fits[d], inside), 2) for d in (1, 7)] == [2.27, 2.36]
    assert np.round(np.transpose(both)[[1, 7]], 1).tolist() == [[6.6, 99.2], [26.6, 91.4]]


def test_in_twenty_draws_mdl_takes_the_line_sixteen_times():
    draws = [drawn(20, seed) for seed in range(20)]
    assert np.bincount([int(np.argmin(curve + rest)) for _, _, curve, rest in draws]).tolist() == [2, 16, 1, 0, 1]
    medians = [np.median([error(fits[d], ~learn) for learn, fits, *_ in draws]) for d in (1, 7)]
    assert [f"{each:.3g}" for each in medians] == ["2.28", "104"]


def test_tall_parents_have_less_tall_children_and_tall_children_less_tall_parents():
    assert (round(2.8 * FOR_CHILDREN, 1), round(4.8 * FOR_PARENTS, 1)) == (2.0, 1.7)
    assert (round(FOR_CHILDREN, 3), round(FOR_PARENTS, 3), round(np.corrcoef(P, K)[0, 1], 2)) == (0.713, 0.347, 0.5)
    assert (round(4.8 / 0.71, 1), round(4.8 * FOR_CHILDREN, 1)) == (6.8, 3.4) and P.max() < 6.3
    lit = np.abs(P - 2.8) <= 0.75
    assert lit.sum() == 64 and round(K[lit].mean(), 1) == 1.5
    fathers = TABLE.groupby("family")["father"].first()
    assert (round(P.std(), 2), round(K.std(), 2), round(fathers.std(ddof=0), 2)) == (1.80, 2.58, 2.64)


def test_the_best_line_is_seventy_billion_times_as_likely_as_the_diagonal():
    logs = [norm.logpdf(K - slope * P, scale=2.24).sum() for slope in (0.71, 1)]
    assert np.round(logs).tolist() == [-2079, -2104] and 6e10 < e ** (logs[0] - logs[1]) < 8e10
    assert round(logs[0] / log(10)) == -903
    assert [round(float(np.sqrt(((K - slope * P) ** 2).mean())), 2) for slope in (FOR_CHILDREN, 1)] == [2.24, 2.30]


def test_the_area_under_a_likelihood_need_not_be_one():
    theta = np.linspace(0, 1, 100_001)
    curve = theta**7 * (1 - theta) ** 3
    assert theta[curve.argmax()] == pytest.approx(0.7) and curve.max() == pytest.approx(0.0022, abs=5e-5)
    assert curve.mean() == pytest.approx(1 / 1320, rel=1e-3)
    odds = np.log(theta[1:-1] / (1 - theta[1:-1]))
    mean = (odds * curve[1:-1]).sum() / curve[1:-1].sum()
    assert (round((theta * curve).sum() / curve.sum(), 3), round(1 / (1 + e**-mean), 3)) == (0.667, 0.681)


def test_a_forecaster_pays_in_bits():
    rain, said = np.array([1, 1, 0, 1, 0]), np.array([0.9, 0.8, 0.3, 0.7, 0.2])
    assert round(-np.log2(np.where(rain, said, 1 - said)).sum(), 3) == 1.825
    assert round(-np.log2(np.where(rain, 0.6, 0.4)).sum(), 3) == 4.855


def test_mdl_finds_a_cubic_in_three_samples_of_four():
    chosen = [int(np.argmin(np.add(*bits(*curve_sample(seed)[0], 10)[1:]))) for seed in range(200)]
    assert chosen[0] == 3 and np.bincount(chosen).tolist() == [0, 0, 0, 153, 11, 10, 5, 2, 3, 16]


def test_ratios_of_likelihoods_in_the_quiz():
    assert (round(0.75**12 * 0.25**4, 6), round(0.5**16, 7)) == (0.000124, 0.0000153)
    assert round(0.75**12 * 0.25**4 / 0.5**16, 1) == 8.1
