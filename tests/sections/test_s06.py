"""Section 06: what must hold of its figures, and its numbers computed once more."""

from itertools import product

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize_scalar

from bayeslib import data, live
from bayeslib.models.naive_bayes import NaiveBayes
from bayeslib.questions import record
from bayeslib.questions.question import Question
from tests.figures import press, says

RATES = [
    "name,hits,tries\nx,1,2\ny,3,3",
    "shop; happy; buyers\nAda;0;7\nBo;5;9\nCy;5;5\nDi;11;40\nEd;2;3\nFy;600;900",
    "name,hits,tries\nx,3,2\ny,1,3",
    "name,hits,tries\nx,2,2\ny,3,3",
    "a name as long as they come,hits,tries\n" + "\n".join(f"row number {k},{k % 7},{7 + k}" for k in range(20)),
]
SETTINGS = {
    "own_rates": {"text": RATES},
    "beta_flips": {
        "days": ["", "S", "W", "SWS", "SSSWW", "W" * 10, "W" * 40, "S" * 499, "SW" * 250],
        "prior": [1.0, 0.5],
    },
    "smoothed_days": {"day": [0, 3, 18, 35]},
    "batting": {"october": [True, False]},
}

BATTERS = data.load_batting_1970()
HITS, LATER = BATTERS["hits_first"].to_numpy(), (BATTERS["hits_rest"] / BATTERS["at_bats_rest"]).to_numpy()
APRIL, POOLED = HITS / 45, HITS.sum() / (18 * 45)

TENNIS = [[str(value) for value in row] for row in data.load_play_tennis().to_numpy()]
VALUES = [list(dict.fromkeys(column)) for column in zip(*TENNIS)][:4]
DAYS = [*product(*VALUES)]  # as the tiles are numbered


def rmse(guess):
    return np.sqrt(np.mean((guess - LATER) ** 2))


def shrunk(m, p=POOLED):
    return (HITS + m * p) / (45 + m)


def marginal(hits, tries, p, m):
    """ln P(all hits), each θ drawn from Beta(mp, m(1 − p))."""
    return stats.betabinom.logpmf(hits, tries, m * p, m * (1 - p)).sum()


def products(day, m):
    """play -> the product of a day's five factors, by plain counting."""
    found = {}
    for play in ("yes", "no"):
        rows = [row for row in TENNIS if row[-1] == play]
        found[play] = len(rows) / len(TENNIS)
        for place, value in enumerate(day):
            k = len(VALUES[place])
            extra = k if m == "add one" else m
            found[play] *= (sum(row[place] == value for row in rows) + extra / k) / (len(rows) + extra)
    return found


def p_no(day, m):
    each = products(day, m)
    return each["no"] / (each["no"] + each["yes"])


# What the captions of the figures say, from the definitions


def claims_batting(m, p, man, october, said):
    if not october and (m, p, man) == (0, "pooled", "all"):
        return says(said, 100 * APRIL.min(), 100 * APRIL.max(), 100 * POOLED, digits=1)
    prior = 0.5 if p == "half" else POOLED
    says(said, rmse(APRIL), rmse(prior), *([rmse(shrunk(m, prior))] if m else []))
    if man != "all":
        k = BATTERS["player"].tolist().index(man)
        says(said, APRIL[k], shrunk(m, prior)[k], LATER[k], digits=3)


def claims_beta_flips(days, prior, ahead, step, said):
    days = days[:step] if len(days) <= 10 else days * step
    a, b = prior + days.count("S"), prior + days.count("W")
    belief = stats.beta(a, b)
    says(said, belief.mean())
    says(said, *belief.interval(0.9), digits=3)
    if max(a, b) > 1:
        peak = minimize_scalar(
            lambda theta: -belief.logpdf(theta), bounds=(0, 1), method="bounded", options={"xatol": 1e-7}
        )
        says(said, peak.x, digits=3)
    if ahead:
        says(said, belief.moment(2))


def claims_two_sellers(m, p, said):
    if m:
        a, b = (4 + m * p) / (4 + m), (95 + m * p) / (100 + m)
        says(said, a, b, digits=3)
        if p != 0.5:  # where the lead changes, on a fine grid
            grid = np.linspace(0, 1, 200_001)
            ahead = (4 + m * grid) / (4 + m) > (95 + m * grid) / (100 + m)
            says(said, grid[ahead.argmax()], digits=3)


def claims_smoothed_days(m, day, said):
    each, now, plain = products(DAYS[day], m), *([p_no(day, m_) for day in DAYS] for m_ in (m, 0))
    says(said, now[day])
    assert any(f"{each['no']:.3g}" == f"{found:.3g}" for found in said)
    zeros = now.count(0)
    says(said, zeros or sum((a > 0.5) != (b > 0.5) for a, b in zip(now, plain)), digits=0)


def claims_smoothing_error(m, n, p, theta, said):
    hits = np.arange(n + 1)
    chance = stats.binom.pmf(hits, n, theta)
    says(said, *(chance @ ((hits + each * p) / (n + each) - theta) ** 2 for each in (0, m)))


def claims_own_rates(text, m, said):
    rows = [line.replace(";", ",").split(",") for line in text.strip().splitlines()[1:]]
    hits, tries = np.array([row[1:] for row in rows], float).T
    p = hits.sum() / tries.sum()
    says(said, p, ((hits + m * p) / (tries + m)).max(), digits=3)
    if len(rows) >= 5 and len(said) > 6:
        grid = np.geomspace(1, 1600, 40)
        best = max(grid, key=lambda each: marginal(hits, tries, p, each))
        assert best == grid[-1] or any(abs(each - best) <= 0.5 for each in said)


# What the figures do


def test_days_arrive_and_leave_by_key_and_button():
    figure = live.beta_flips()
    press(figure, "Home", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowLeft")
    assert figure.values["days"] == "SSW" and "Beta(3, 1)" in figure.alt
    figure.set(**figure.actions["weak"](figure.values))
    assert figure.values["days"] == "SSW" and "Beta(3, 2)" in figure.alt
    figure.set(days="S" * 10)
    figure.set(**figure.actions["strong"](figure.values))
    assert "Beta(12, 1)" in figure.alt, "of many days all at once"


def test_the_days_to_come_stay_hidden_until_their_question_is_answered():
    figure = live.beta_flips()
    assert figure.locked("ahead")
    record.remember("06/next-two", 1, True)
    assert not figure.locked("ahead") and figure.values["ahead"] and "next two 0.3571" in figure.alt


def test_the_frame_moves_by_hand_and_by_key():
    figure = live.smoothed_days()
    figure.drag("frame", 0.5, 0.5)
    assert "sunny, hot, high, weak has P(no) = 0.7954" in figure.alt or figure.values["day"] == 0
    for key in ("ArrowRight", "ArrowDown"):
        figure._press(f"mark:{key}:frame")
    assert DAYS[figure.values["day"]] == ("sunny", "mild", "high", "strong")


def test_october_stays_covered_until_the_bet_is_settled():
    figure = live.batting("April")
    assert all(map(figure.locked, ("october", "m", "m = 200"))) and "0.0344" not in figure.alt


# Numbers of the lesson


def test_pulling_all_batters_to_their_average_comes_closer_than_their_own_starts():
    for m, error in ((0, 0.0647), (2, 0.0622), (45, 0.0403), (100, 0.0354), (200, 0.0344), (800, 0.0357)):
        assert rmse(shrunk(m)) == pytest.approx(error, abs=5e-5)
    assert rmse(POOLED) == pytest.approx(0.0368, abs=5e-5) and rmse(shrunk(45, 0.5)) == pytest.approx(0.124, abs=5e-4)
    closer = np.abs(POOLED - LATER) < np.abs(APRIL - LATER)
    worse = [name.split()[-1] for name in BATTERS["player"][~closer]]
    assert closer.sum() == 14 and worse == ["Clemente", "Swoboda", "Rodriguez", "Alvis"]
    for rows, april, later in ((slice(0, 8), 0.331, 0.270), (slice(-8, None), 0.206, 0.264)):
        assert (APRIL[rows].mean(), LATER[rows].mean()) == pytest.approx((april, later), abs=5e-4)


def test_luck_alone_nearly_accounts_for_the_spread_of_april():
    assert APRIL.std(ddof=1) == pytest.approx(0.070, abs=5e-4)
    assert np.sqrt(0.265 * 0.735 / 45) == pytest.approx(0.066, abs=5e-4)


def test_plug_in_always_says_0_the_marginal_likelihood_rules_small_m_out_and_later_tries_prefer_about_400():
    grid = np.arange(1, 2000)
    plug_in = [(HITS * np.log(shrunk(m)) + (45 - HITS) * np.log(1 - shrunk(m))).sum() for m in [0, *grid]]
    assert np.argmax(plug_in) == 0
    assert marginal(HITS, 45, POOLED, 100) - marginal(HITS, 45, POOLED, 1) > np.log(1e12)
    assert abs(marginal(HITS, 45, POOLED, 100) - marginal(HITS, 45, POOLED, 1600)) < 1
    hits, tries = BATTERS["hits_rest"].to_numpy(), BATTERS["at_bats_rest"].to_numpy()
    held_out = [(hits * np.log(shrunk(m)) + (tries - hits) * np.log(1 - shrunk(m))).sum() for m in grid]
    assert 350 < grid[np.argmax(held_out)] < 450


def test_twelve_days_are_vetoed_and_virtual_days_lift_them_to_the_class_prior():
    assert sum(p_no(day, 0) == 0 for day in DAYS) == 12
    day = ("overcast", "cool", "high", "strong")
    said = [p_no(day, m) for m in (0, 1, 3, "add one", 1e9, 0.001)]
    assert said == pytest.approx([0, 0.145, 0.256, 0.278, 5 / 14, 0.0002], abs=5e-4)
    odds = p_no(day, 0.001) / (1 - p_no(day, 0.001)) * 100.0**10
    assert odds > 1e15, "ten sensors that report 100 to 1"


def test_too_many_virtual_days_outvote_the_real_ones():
    def changed(m):
        return sum((p_no(day, m) > 0.5) != (p_no(day, 0) > 0.5) for day in DAYS)

    assert [changed(m) for m in (5, 10, 17, 19, 30)] == [1, 6, 7, 9, 11]
    sunny = ("sunny", "cool", "high", "strong")
    assert p_no(sunny, 18) > 0.5 > p_no(sunny, 18.1)


def test_smoothed_days_are_those_of_the_library():
    table = data.load_play_tennis()
    for m, own in ((0, 0), (2, 2), ("laplace", "add one")):
        model = NaiveBayes(m=m).fit(table.drop(columns="PlayTennis"), table["PlayTennis"])
        assert model.predict_proba([list(day) for day in DAYS])[:, 0] == pytest.approx([p_no(day, own) for day in DAYS])


def test_the_first_strong_day_is_news_about_the_second():
    belief = stats.beta(4, 3)
    assert belief.moment(2) == pytest.approx(20 / 56) and 20 / 56 > (4 / 7) ** 2
    sheet = np.arange(1, 1000) / 1000
    weights = sheet**3 * (1 - sheet) ** 2
    assert sheet[weights.argmax()] == 0.6 and weights[sheet > 0.5].sum() / weights.sum() == pytest.approx(
        0.655, abs=5e-4
    )


def test_a_small_virtual_share_helps_a_rare_event_and_a_whole_try_hurts_it():
    def error(m, n=5, theta=0.05):
        return (n * theta * (1 - theta) + m**2 * (0.5 - theta) ** 2) / (n + m) ** 2

    assert [error(m) for m in (0, 0.25, 1, 2)] == pytest.approx([0.0095, 0.0091, 0.0122, 0.0214], abs=5e-5)
    best = minimize_scalar(error, bounds=(0, 2), method="bounded").x
    assert best == pytest.approx(0.05 * 0.95 / 0.45**2, abs=1e-4) and best == pytest.approx(0.235, abs=5e-4)
    everywhere = [error(np.sqrt(5), theta=theta) for theta in np.linspace(0, 1, 11)]
    assert everywhere == pytest.approx([0.0239] * 11, abs=5e-5), "minimax"


def test_a_half_and_a_half_are_a_belief_in_the_ends():
    assert 2 * stats.beta(0.5, 0.5).cdf(0.1) > 0.4


def test_the_bus_and_the_drugs():
    assert 3 / 4 * 4 / 5 == pytest.approx(Question("06/new-bus").answer / 100)
    assert (3 + 3) / 13 < 0.47 < 0.77 < (160 + 3) / 210 and (3 + 5) / 13 < (160 + 5) / 210
