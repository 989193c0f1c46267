"""Section 05: the numbers that its questions mention."""

import numpy as np
import pytest

import bayeslib as bl
from bayeslib import live
from tests.lab import ROOT
from tests.sections.section_05 import as_day, p_no, score, share

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


def test_only_cool_argues_for_tennis():
    factors = bl.NaiveBayes().fit(*_split()).explain(as_day("sunny, cool, high, strong"))
    ratios = {name: table["yes"] / table["no"] for name, table in factors.items() if name != "prior"}
    assert [name for name, ratio in ratios.items() if ratio > 1] == ["Temperature = cool"]
    assert ratios["Temperature = cool"] == pytest.approx(1.667, abs=5e-4) and "1.667" in TEXT


def test_numbers_in_the_feedback_of_section_05_hold():
    world = live.closed_world()
    world.preset("something else: 30 per 1000")
    assert "P(no) = 0.368" in world.alt and "P(no) is .368" in TEXT
    copies = live.overclaim()
    copies.preset("Wind twice")
    assert "P(no) = 0.8750" in copies.alt and "rises to .875" in TEXT
    copies.set(attribute="Temperature", copies=4)
    assert "flips" in copies.alt and "counted four times" in TEXT
    copies.set(copies=3)
    assert "flips" not in copies.alt
    words = live.underflow()
    words.preset("161 words")
    assert "the product is 0," not in words.alt
    words.preset("162 words")
    assert "the product is 0, its logarithm −746.0" in words.alt and "after 162:" in TEXT
    for chance, enough in (("0.1", 324), ("0.001", 108)):
        words.set(chance=chance, words=enough)
        assert "the product is 0," in words.alt and f"{enough} of {chance.lstrip('0')}" in LESSON
        words.set(words=enough - 1)
        assert "the product is 0," not in words.alt
    copies.set(attribute="Wind", copies=10)
    assert "P(no) = 0.9987" in copies.alt and "Ten copies make it .999" in LESSON
    bells = live.gaussian_attribute()
    bells.preset("x = −4")
    assert "density A 0.00013, B 0.00044" in bells.alt and ".00013" in TEXT and ".00044" in TEXT
    assert "Class B" in bells.alt and "A wins only between −3.42 and 1.42." in bells.alt


def test_the_factor_that_decides_is_normal():
    day = as_day("sunny, hot, normal, weak")
    ratios = {name: share(name, value, "yes") / share(name, value, "no") for name, value in day.items()}
    odds = 9 / 5 * np.prod(list(ratios.values()))
    assert [round(ratio, 3) for ratio in ratios.values()] == [0.37, 0.556, 3.333, 1.667]
    assert round(odds, 2) == 2.06 and p_no(day) == pytest.approx(1 / (1 + odds))
    left = {name: odds / ratio for name, ratio in ratios.items()}
    assert [name for name, rest in left.items() if rest < 1] == ["Humidity"]
    assert (round(left["Humidity"], 3), round(left["Wind"], 2), round(left["Outlook"], 2)) == (0.617, 1.23, 5.56)


def test_the_last_quiz_prints_its_two_scores():
    day = as_day("rain, mild, high, strong")
    assert (round(score(day, "yes"), 4), round(score(day, "no"), 4)) == (0.0106, 0.0274)
    assert "Scores .0106 and .0274" in TEXT
    assert [round(9 * share(name, value, "yes")) for name, value in day.items()] == [3, 4, 3, 3]
    assert [round(5 * share(name, value, "no")) for name, value in day.items()] == [2, 2, 4, 3]


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
