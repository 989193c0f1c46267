"""Section 05: the numbers that its questions mention."""

import math
from itertools import product

import numpy as np
import pytest

import bayeslib as bl
from bayeslib import live, naive_bayes
from tests.lab import ROOT
from tests.sections.section_05 import as_day, p_no, prior, score, share

LESSON = (ROOT / "notebooks/05-naive-bayes.ipynb").read_text()
TEXT = (ROOT / "bayeslib/practice/05.toml").read_text()


def test_counts_in_the_feedback_of_section_05_hold():
    figure = live.count_days()
    figure.preset("the whole day")
    assert "make 36 kinds" in figure.alt and "fill 14 of them and leave 22 empty" in figure.alt and "22 kinds" in TEXT
    for value, name, yes, no in (
        ("sunny", "Outlook", "2 of 9", "3 of 5"),
        ("cool", "Temperature", "3 of 9", "1 of 5"),
        ("strong", "Wind", "3 of 9", "3 of 5"),
    ):
        assert share(name, value, "yes") == pytest.approx(int(yes[0]) / 9)
        assert share(name, value, "no") == pytest.approx(int(no[0]) / 5)
        assert f"{yes} yes days" in TEXT and f"{no} no days" in TEXT


def test_numbers_that_a_full_table_costs():
    values = _split()[0].nunique()
    assert values.tolist() == [3, 3, 2, 2] and 2 * math.prod(values) - 1 == 71 and 1 + 2 * (values - 1).sum() == 13
    assert (values.sum(), 2 * values.sum(), 2**20) == (10, 20, 1_048_576)
    assert "2 × 36 = 72, of which 71 are free" in LESSON and "= 10 in each class, 20 fractions in all" in LESSON


def test_invented_days_make_pairs_that_no_real_day_has():
    days, answers = _split()
    invented = bl.NaiveBayes().fit(days, answers).sample(2000, random_state=1)[0]
    odd = [(day["Temperature"], day["Humidity"]) == ("cool", "high") for day in invented]
    assert np.mean(odd) == pytest.approx(0.139, abs=6e-4)
    assert not ((days["Temperature"] == "cool") & (days["Humidity"] == "high")).any()
    exact = sum(prior(v) * share("Temperature", "cool", v) * share("Humidity", "high", v) for v in ("yes", "no"))
    assert abs(np.mean(odd) - exact) < 3 * math.sqrt(exact * (1 - exact) / 2000)


def test_only_cool_argues_for_tennis():
    factors = bl.NaiveBayes().fit(*_split()).explain(as_day("sunny, cool, high, strong"))
    ratios = {name: table["yes"] / table["no"] for name, table in factors.items() if name != "prior"}
    assert [name for name, ratio in ratios.items() if ratio > 1] == ["Temperature = cool"]
    assert ratios["Temperature = cool"] == pytest.approx(1.667, abs=5e-4) and "1.667" in TEXT


def test_numbers_in_the_feedback_of_section_05_hold():
    world = live.closed_world()
    world.preset("something else: 30 per 1000")
    assert (
        "P(no) = 0.368" in world.alt
        and "P(no) is 0.368" in TEXT
        and "most probable of all is something else" in world.alt
    )
    for third, best in ((20, "no"), (21, "something else")):
        world.set(unlisted=third)
        assert world.alt.endswith(f"of all is {best}.")
    assert "at a score of 0.021" in LESSON
    copies = live.overclaim()
    copies.preset("Wind twice")
    assert "P(no) = 0.8750" in copies.alt and "rises to 0.875" in TEXT
    copies.set(attribute="Temperature", copies=4)
    assert "flips" in copies.alt and "counted four times, it flips" in LESSON
    copies.set(copies=3)
    assert "flips" not in copies.alt
    copies.set(attribute="Wind", copies=10)
    assert "P(no) = 0.9987" in copies.alt and "Counted ten times, it makes P(no) = 0.999" in LESSON
    words = live.underflow()
    words.preset("161 words")
    assert "the product is 0," not in words.alt
    words.preset("162 words")
    assert "the product is 0, its logarithm −746.0" in words.alt and "after 162 words" in TEXT
    for chance, enough in (("0.1", 324), ("0.001", 108)):
        words.set(chance=chance, words=enough)
        assert "the product is 0," in words.alt and f"{enough} of {chance}" in LESSON
        words.set(words=enough - 1)
        assert "the product is 0," not in words.alt
    bells = live.gaussian_attribute()
    bells.preset("x = −4")
    assert "density A 0.00013, B 0.00044" in bells.alt and "0.00013" in TEXT and "0.00044" in TEXT
    assert "Class B" in bells.alt and "A wins only between −3.42 and 1.42." in bells.alt


def test_a_copied_column_of_the_table_is_what_the_figure_counts():
    days, answers = _split()
    day = as_day("sunny, cool, high, strong")
    again = bl.NaiveBayes().fit(days.assign(again=days["Wind"]), answers).predict_proba({**day, "again": "strong"})
    assert again["no"] == pytest.approx(p_no(day, "Wind", 2)) == pytest.approx(0.875, abs=5e-4)


def test_the_prior_moves_the_odds_of_the_day():
    day = as_day("sunny, cool, high, strong")
    odds = score(day, "yes") / score(day, "no")
    assert (round(odds, 3), round(odds / 1.8, 3)) == (0.257, 0.143) and "0.143 in place of 0.257" in LESSON


def test_rows_that_are_left_out_are_harder_than_its_own():
    days, answers = _split()
    right = 0
    for row in range(14):
        rest = bl.NaiveBayes().fit(days.drop(row), answers.drop(row))
        right += rest.predict(days.loc[row].to_dict()) == answers[row]
    assert right == 8 and (answers == "yes").sum() == 9
    assert (bl.NaiveBayes().fit(days, answers).predict(days) == answers).sum() == 13


def test_nine_rows_prove_nothing_and_six_guests_even_less():
    table = bl.data.load_play_tennis()
    yes = table[table["PlayTennis"] == "yes"]
    cool, normal = yes["Temperature"] == "cool", yes["Humidity"] == "normal"
    assert (cool.sum(), normal.sum(), (cool & normal).sum()) == (3, 6, 3)
    assert math.comb(6, 3) / math.comb(9, 3) == pytest.approx(20 / 84) and "20/84 = 0.24" in LESSON
    assert cool.mean() * normal.mean() == pytest.approx(0.222, abs=5e-4) and "0.333 against 0.222" in LESSON
    guests = bl.data.load_restaurant()
    waited = guests[guests["Wait"] == "yes"]
    thai, some = waited["Cuisine"] == "Thai", waited["Patrons"] == "Some"
    assert (len(waited), thai.sum(), some.sum(), (thai & some).sum()) == (6, 2, 4, 1)


def test_the_coins_are_independent_overall_and_not_within_a_class():
    coins = list(product((0, 1), repeat=2))
    differ = [pair for pair in coins if pair[0] != pair[1]]
    for rows, joint in ((coins, 1 / 4), (differ, 1 / 2)):
        apart = [sum(pair[k] == value for pair in rows) / len(rows) for k, value in ((0, 0), (1, 1))]
        assert rows.count((0, 1)) / len(rows) == joint and apart == [0.5, 0.5]
    model = bl.NaiveBayes().fit(coins, [a != b for a, b in coins])
    assert model.predict_proba([0, 1])[True] == 0.5


def test_absent_words_count_in_one_of_two_models():
    texts = [
        "match goal team",
        "team wins match",
        "goal goal match",
        "salt butter pan",
        "pan heat butter",
        "match salt taste",
    ]
    words, topics = sorted(set(" ".join(texts).split())), ["sport"] * 3 + ["cook"] * 3
    for text, multinomial, bernoulli in (
        ("match", 0.667, 0.842),
        ("goal goal goal butter", 0.955, 0.471),
        ("goal butter butter butter", 0.129, 0.471),
    ):
        said = [1.0, 1.0]  # sport to cook, by counting
        for word in words:
            for place, inside in enumerate((texts[:3], texts[3:])):
                times, of = " ".join(inside).split().count(word), sum(word in each.split() for each in inside)
                factor = ((times + 1) / 18) ** text.split().count(word)
                present = (of + 1) / 5 if word in text.split() else 1 - (of + 1) / 5
                said[0] *= factor ** (1 if place == 0 else -1)
                said[1] *= present ** (1 if place == 0 else -1)
        assert [round(odds / (1 + odds), 3) for odds in said] == [multinomial, bernoulli]
        assert f"{multinomial:.3f} multinomial, {bernoulli:.3f} Bernoulli" in LESSON
    assert topics.count("sport") == topics.count("cook")


def test_the_borders_of_the_degrees():
    degrees = np.array([30, 31, 29, 21, 12, 11, 13, 22, 14, 20, 23, 21, 28, 20.0])
    no = (bl.data.load_play_tennis()["PlayTennis"] == "no").to_numpy()
    groups = degrees[no], degrees[~no]
    low, high = naive_bayes.borders([g.mean() for g in groups], [g.var() for g in groups], (5 / 14, 9 / 14))
    assert (round(high, 1), round(low, 1)) == (29.1, 1.8) and "above 29.1 and below 1.8" in LESSON


def test_the_order_of_the_factors_can_be_dragged_and_changes_no_end():
    figure = live.day_factors()
    end = figure.alt.split("Scores")[1]
    axes = figure.figure.axes[0]

    def place(row):
        x, y = axes.transData.transform((0, row)) / (figure.figure.bbox.width, figure.figure.bbox.height)
        return [x, 1 - y]

    figure.view.pointer = {"press": 1, "from": place(4), "to": place(1)}
    assert figure.values["order"] == ["Wind", "Outlook", "Temperature", "Humidity"]
    assert figure.alt.split("Scores")[1] == end and figure.alt.startswith("Humidity = high")


def _split():
    table = bl.data.load_play_tennis()
    return table.drop(columns="PlayTennis"), table["PlayTennis"]
