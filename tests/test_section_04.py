"""Section 04: the numbers that its questions, texts and notes mention."""

import json

import numpy as np
import pytest

from bayeslib import live
from bayeslib.concepts import best_number, error_curves, expected_errors, gibbs_error, threshold_runs
from bayeslib.live.bayes_optimal import ODD
from tests.lab import ROOT
from tests.test_votes import BITS

CELLS = json.loads((ROOT / "notebooks/04-bayes-optimal.ipynb").read_text(encoding="utf-8"))["cells"]
LESSON = "\n".join("".join(cell["source"]) for cell in CELLS)
QUESTIONS = (ROOT / "bayeslib/practice/04.toml").read_text(encoding="utf-8")


def test_numbers_in_the_feedback_hold():
    errors = expected_errors({"h1": 0.4, "h2": 0.3, "h3": 0.3}, {"h1": "+", "h2": "−", "h3": "−"})
    assert [f"{errors[clerk]:.2f}" for clerk in ("MAP", "Gibbs", "vote")] == ["0.60", "0.48", "0.40"]
    assert "MAP errs with probability 0.60, Gibbs with 0.48 and the vote with 0.40" in QUESTIONS
    undecided = live.weighted_vote()
    undecided.preset("undecided")
    assert "P(+|D) = 0.4 × 0.9 + 0.3 × 0.4 + 0.3 × 0.4 = 0.6000" in undecided.alt
    assert "Adding 0.36, 0.12 and 0.12 gives 0.60" in QUESTIONS
    bits = error_curves(BITS.T, 0, runs=1, random_state=0)
    assert bits["vote"] == pytest.approx(1 / 4) and bits["Gibbs"] == pytest.approx(1 / 3)
    fixed = live.three_clerks()
    fixed.preset("0.8 to 0.2, always +")
    assert "vote 0.000; Gibbs 0.2000, while the vote never errs" in fixed.alt
    fixed.preset("0.8 to 0.2, drawn")
    assert "vote 0.200; Gibbs 0.3200" in fixed.alt and "errs with probability 0.2 and Gibbs with 0.32" in QUESTIONS
    assert 1 - gibbs_error([0.7, 0.3]) == pytest.approx(0.58) and "= 58% of the rolls" in QUESTIONS
    assert 0.7 * 0.6 + 0.3 * 0.1 == pytest.approx(0.45) and "0.42 + 0.03 = 0.45" in QUESTIONS


def test_costs_and_numbers_of_the_questions_hold():
    frost = live.costly_errors()
    frost.preset("frost")
    assert frost.alt.endswith("It changes at P(+|D) = 1/7 = 0.143.")
    for percent, minus, plus in ((50, "3.00", "0.50"), (17, "1.02", "0.83"), (86, "5.16", "0.14")):
        frost.set(p=percent)
        assert f"saying + costs {plus} on average, saying − {minus}" in frost.alt
    assert 0.03 * 60 == pytest.approx(1.80) and "0.03 × 60 = 1.80" in QUESTIONS
    numbers = live.one_number()
    numbers.preset("absolute")
    assert "MAP 12 (6.6), median 16 (5.8), mean 18.6 (6.84)" in numbers.alt
    weights, minutes = [0.46, 0.14, 0.40], [22, 27, 94]
    assert best_number(weights, minutes, "absolute") == 27 and best_number(weights, minutes) == pytest.approx(
        51.5, abs=0.05
    )


def test_the_titanic_is_as_the_lesson_tells():
    figure = live.who_survived()
    assert "8 of 46 rules, with 0.363 of the weight, say survived; 140 of 144 did." in figure.alt
    assert "vote 0.280 (0.323), Gibbs 0.284 (0.303), MAP 0.266 (0.261)" in figure.alt
    assert "MAP errs on 26.6% of the people, the vote on 28.0% and Gibbs on 28.4%" in QUESTIONS
    assert "MAP errs on 26.6%, the vote on 28.0% and Gibbs on 28.4%" in LESSON

    def means(**values):
        figure.set(**values)
        return [float(line.get_ydata()[2]) for line in figure.picture.lines.values()]  # vote, Gibbs, MAP at 20 seen

    vote, gibbs, best = means(fates="drawn")
    assert vote < min(gibbs, best), "as proved"
    vote, gibbs, best = means(fates="real", score="log_loss")
    assert vote < best < gibbs, "the vote's probabilities are better"
    vote, _, best = means(noise=30)
    assert best < vote, "with 30% the advantage is gone"


def test_twenty_people_hold_six_or_seven_survivors_and_sometimes_two():
    random = np.random.default_rng(0)
    survivors = random.hypergeometric(711, 1490, 20, 4000)
    assert 6 < survivors.mean() < 7 and 0.002 < (survivors <= 2).mean() < 0.05


def test_the_truth_near_the_end_favours_map_for_eight_examples():
    runs = threshold_runs(30, 2000, 0.95, random_state=0)
    vote, gibbs, best = (runs["errors"][clerk].mean(axis=0) for clerk in ("vote", "Gibbs", "MAP"))
    assert (best[:9] < np.minimum(vote, gibbs)[:9]).all() and (vote[9:] < best[9:]).all()


def test_the_example_of_the_forecasters():
    figure = live.forecasters()
    assert "vote 1, Gibbs 3.334, MAP 4.717; the best forecaster, “app”, 2." in figure.alt
    figure.set(text=ODD)
    assert figure.picture.names[0].get_text() == "one: 5 wrong", "the one that is always wrong"


def test_the_vote_of_the_undecided_turns_at_65_percent():
    figure = live.weighted_vote()
    figure.preset("undecided")
    for percent, says in ((66, "+"), (65, "either, a tie"), (64, "−")):
        figure.set(q1=percent)
        assert f"so it says {says}." in figure.alt


def test_the_dot_of_the_triangle_can_be_dragged_to_any_weights():
    figure = live.weighted_vote()
    triangle = figure.figure.axes[1]

    def press(number, *place):
        x, y = triangle.transData.transform(place) / (figure.figure.bbox.width, figure.figure.bbox.height)
        figure.view.pointer = {"press": number, "from": [x, 1 - y], "to": [x, 1 - y]}
        return [figure.values[f"w{h}"] for h in "123"]

    assert press(1, 0, 0) == [0, 100, 0]
    assert press(2, 0.75, 0.433) == [50, 0, 50]
    assert sum(press(3, 0.5, 0.3)) == 100
    assert press(4, 1.1, -0.1) == [0, 0, 100], "beside the triangle: its nearest corner"


@pytest.mark.parametrize(
    "text, words",
    [
        ("a,b\nyes,perhaps", "your table, column b, must hold yes or no in every row, got perhaps"),
        ("a,b,c,d,e,f,g,h,i,j\n" + ",".join(["1"] * 10), "must have 2 to 9 columns, got 10"),
        ("a", "must have a line with the names"),
    ],
)
def test_forecasts_that_cannot_be_read_are_refused_in_words(text, words):
    figure = live.forecasters()
    figure.set(text=text)
    assert words in figure.alt


def test_forecasters_may_have_any_names():
    figure = live.forecasters()
    figure.set(text="$x_1$;💥;nan;a name that is much too long;came\n+;−;1;n;yes\nno;no;0;Y;0")
    assert "“$x_1$”" in figure.alt and "“·”" in figure.alt and "“a name that i…”" in figure.alt
    assert len(figure.frame()) > 1000
