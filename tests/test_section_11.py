"""Section 11: the numbers that its text, its questions and its notes mention."""

import re
from math import comb

import numpy as np
import pandas as pd
import pytest

from bayeslib import live
from bayeslib.data import load_titanic_ages
from bayeslib.live.em_for_networks import ALIKE, CHILDREN, _boys
from bayeslib.networks import completions, em, examples, expected_counts, fit, gradient_ascent, structural_em
from tests.figures import number
from tests.lab import ROOT
from tests.reading import Lesson

TEXT = (ROOT / "bayeslib/practice/11.toml").read_text(encoding="utf-8")
LESSON = {cell.id: cell.source for cell in Lesson.read("11").cells}
ROW_2 = {"S": 0, "A": 1, "E": 0, "H": 1}


def test_numbers_about_the_sixth_student_hold():
    start, row = examples.student_start(), {"S": 0, "A": None, "K": None, "E": 1, "H": 0}
    weights = completions(start, [row])["weight"]
    assert all(f"| {weight:.3f} |" in LESSON["two-missing"] for weight in weights)
    a, k = (start.query(v, {"S": 0, "E": 1, "H": 0})[True] for v in "AK")
    assert f"{a:.3f} and {k:.3f}, whose product is {a * k:.3f}, not {weights[0]:.3f}" in LESSON["two-missing"]


def test_numbers_about_the_five_rows_hold():
    from bayeslib.data import load_student

    start, rows = examples.student_start(), examples.student_holes()
    complete = expected_counts(fit(start, load_student()), rows).log_likelihood
    learned = em(start, rows)
    said = LESSON["reveal-read"]
    assert f"{learned.log_likelihoods[-1]:.3f}" in said and f"{complete:.3f}" in said and "its K is 0" in said
    assert load_student()["K"][1] == 0
    careful = em(start, rows, "m", 2, tol=1e-12).log_likelihoods
    assert f"from −{-careful.max():.5f} to −{-careful[-1]:.5f}" in LESSON["map-read"] and careful.argmax() == 3
    one = em(start, rows, "m", 1, tol=1e-12).network.query("K", ROW_2)[True]
    assert one < 0.9 and "with one virtual row already the certainty is gone" in LESSON["notes-map"]


@pytest.mark.heavy
def test_numbers_about_certainty_hold():
    truth, sure, wrong = examples.student(), 0, 0
    for seed in range(200):
        five = pd.DataFrame(truth.sample(5, random_state=seed)).astype(object)
        was = five.loc[1, "K"]
        five.loc[1, "K"] = five.loc[3, "A"] = None
        shown = five.loc[1].dropna().to_dict()
        found = em(truth.parents, five, states=truth.states, random_state=seed).network.query("K", shown)[True]
        sure, wrong = (sure + 1, wrong + ((found > 0.5) != was)) if max(found, 1 - found) > 0.99 else (sure, wrong)
    assert f"In {sure} of the classes" in TEXT and f"in {wrong} of {sure}" in LESSON["reveal-read"]
    cells = pd.DataFrame(completions(truth, [{"S": None}]))
    likelier = cells.groupby(["S", "A", "E", "H"])["weight"].max().sum()
    assert f"about {100 * (1 - likelier):.0f} of 100" in LESSON["notes-certain"]


def test_numbers_about_november_hold():
    climb = live.expected_climb("nights")
    climb.set(data="nights", step=12)
    assert number("so the next is", climb.alt) == pytest.approx(0.1042, abs=1e-4) and "0.104" in TEXT
    assert "1.396 of 13.396" in climb.alt and "1.396/13.396 = 0.104" in LESSON["november-read"]
    climb.set(step=0)
    assert "P(B=1) = 0.619" in climb.alt and "split 0.619 and 0.381" in LESSON["notes-november"]


def test_numbers_about_reasons_hold():
    figure = live.why_missing()
    for preset, dropped, learned in (
        ("40% at random", 0.56, 0.56),
        ("80% of the failed", 0.7084, 0.56),
        ("60% of those who don't know", 0.7609, 0.6512),
    ):
        figure.preset(preset)
        assert f"P(K) = {dropped:.4f}, EM gives {learned:.4f}" in figure.alt
        assert f"| {dropped:.3f} | {learned:.3f} |" in LESSON["read-why"]
        assert dropped == 0.56 or f"{dropped:.4f}" in TEXT or f"P(K) = {dropped:.2f}" in TEXT
    figure.set(asked="P(E | K)")
    assert "P(E | K) = 0.8000, EM gives 0.7603" in figure.alt
    assert "0.800, the truth, against EM's 0.760" in LESSON["which-number"]


def test_the_table_of_harmless_numbers_is_what_the_figure_says():
    figure = live.why_missing()
    lines = re.findall(r"^\| (?!K is|---)(.+) \|$", LESSON["which-number"], re.M)
    for reason, line in zip(("random", "study", "exam", "know"), lines, strict=True):
        for asked, word in zip(("P(K)", "P(K | S, A)", "P(E | K)"), line.split(" | ")[1:], strict=True):
            figure.set(reason=reason, share=60, asked=asked)
            dropped, truth = (
                number("= ?", figure.alt.partition(f"gives {asked}")[2]),
                number("the truth is", figure.alt),
            )
            assert (dropped == truth) == (word == "right"), (reason, asked)


def test_numbers_about_the_hidden_variable_hold():
    figure = live.never_seen()
    figure.preset("leaning")
    heights = [f"{bar.get_height():.1f}" for bar in figure.picture.bars]
    assert f"{heights[0]}, {heights[1]}, {heights[2]} and {heights[3]} for K, {heights[4]} and {heights[5]}" in TEXT
    ends = []
    for start in ("leaning", 0, 1, 2, 3):  # without H the same likelihood, and other tables each time
        figure.set(start=start, hidden="KH", step=12)
        assert number("log-likelihood per row", figure.alt) == number("true tables have", figure.alt)
        ends.append(number(r"P\(E \| ¬K\) =", figure.alt))
    assert len(set(ends)) == 5


def test_numbers_about_the_slope_hold():
    start, rows = examples.student_start(), examples.student_holes()
    slow, bold = (gradient_ascent(start, rows, rate=rate, max_iter=50).log_likelihoods for rate in (0.01, 0.3))
    assert slow[50] == pytest.approx(-13.055, abs=5e-4)
    assert bold[10::2] == pytest.approx(bold[10], abs=5e-4) and bold[11::2] == pytest.approx(bold[11], abs=5e-4)
    assert (
        f"from step 10 on it leaps to and fro between two such places, −{-bold[10]:.3f} and −{-bold[11]:.3f}"
        in LESSON["two-runs-read"]
    )
    assert bold[8] != pytest.approx(bold[10], abs=5e-4)
    assert em(start, rows).log_likelihoods[50] == pytest.approx(-12.275, abs=5e-4)


def test_numbers_about_the_search_hold():
    truth = examples.student()
    for seed, score in ((2, -2502.65), (1, -2500.15)):
        sample = pd.DataFrame(truth.sample(1000, random_state=seed)).astype(object)
        data = sample.mask(np.random.default_rng(seed).random(sample.shape) < 0.2, None)
        found = structural_em(data)[-1]
        assert found.score == pytest.approx(score, abs=5e-3)
        assert (set(found.network.edges) == set(truth.edges)) == (seed == 2)


def test_numbers_about_the_ages_hold():
    _, expected, counted, (drop, fill, found, real) = _boys(ALIKE, "survival", 0)
    assert (round(drop, 1), fill, round(found, 1), real) == (14.9, 0, 16.0, 8)
    by_hand = [128 * 25 / 290, 16 * 12 / 59, 8 * 5 / 53, 2 * 11 / 23]
    assert expected[[4, 5, 1, 3]] == pytest.approx(by_hand, abs=1e-3) and sum(by_hand) == pytest.approx(found, abs=1e-3)
    for boys in by_hand:
        assert f"= {boys:.1f}$" in LESSON["read-boys"]
    assert f"{expected[4:].sum():.1f} of them are in third class" in TEXT
    assert f"expects {_boys(ALIKE, 'title', 0)[3][2]:.1f}:" in LESSON["ages-caveats"]
    chances, mean = np.array([1.0]), 0.0  # of 0, 1, 2, … Masters without an age, if gaps do not ask for the title
    for _, group in load_titanic_ages().query("Sex == 'male'").groupby(["Class", "Survived"]):
        all_males, boys, gaps = len(group), (group["Title"] == "Master").sum(), (group["Age"] == "").sum()
        ways = [comb(boys, k) * comb(all_males - boys, gaps - k) if k <= gaps else 0 for k in range(boys + 1)]
        chances, mean = np.convolve(chances, np.divide(ways, comb(all_males, gaps))), mean + boys * gaps / all_males
    assert f"{mean:.1f} of the 61 would have no age" in LESSON["ages-caveats"]
    p = chances[chances <= chances[8] * (1 + 1e-9)].sum()
    assert f"p = {p:.3f}" in LESSON["ages-caveats"]
    table = [comb(185, k) * comb(658, 61 - k) / comb(843, 61) for k in range(62)]
    assert (
        f"with no groups {sum(each for each in table if each <= table[8] * (1 + 1e-9)):.2f}" in LESSON["ages-caveats"]
    )


@pytest.mark.heavy
def test_numbers_about_hidden_ages_hold():
    for kind, words in (
        (ALIKE, "EM expects {2:.1f} boys, dropping {0:.1f}, and there are {3:.1f}"),
        (CHILDREN, "EM expects {2:.1f} where there are {3:.1f}"),
    ):
        draws = np.array([_boys(kind, "survival", seed)[3] for seed in range(1, 201)])
        assert words.format(*draws.mean(axis=0)) in LESSON["read-boys"]
        if kind == ALIKE:
            assert f"standard deviation of {(draws[:, 2] - draws[:, 3]).std():.1f}" in LESSON["read-boys"]


def test_a_click_on_a_strip_moves_it():
    figure = live.slip_fraction()
    axes = figure.figure.axes[0]
    for press, wanted in enumerate(("-b-----", "-a-----", "-------")):
        x, y = axes.transData.transform((2.5, 1.3)) / (figure.figure.bbox.width, figure.figure.bbox.height)
        figure.view.pointer = {"press": press + 1, "from": [x, 1 - y], "to": [x, 1 - y]}
        assert figure.values == {"marks": wanted, "focus": 1}


def test_an_own_table_is_read_or_refused_in_words():
    figure = live.your_gaps()
    for text, words in (
        ("a, b\n1, 2\n1, ", "column 1 to 2"),
        ("a, b, c\n1, 2, 3\n1, 1, 2", "must have an empty cell"),
        ("a, b, c\n1, 2, \n2, 1, ", "must have 1 to 4 different values, got 0"),
        ("a, b, c\n" + "".join(f"{k}, 1, \n" for k in range(6)), "must have 1 to 4 different values, got 6"),
    ):
        figure.set(text=text)
        assert words in figure.alt
    figure.set(text="a, b, c\n1, 2, x\n1, 1, \n2, 1, y\n2, 2, ?")
    assert "2 of 4 cells of c are empty" in figure.alt
    figure.set(value=3)
    assert "choose one of them" in figure.alt
    figure.set(
        value=1, text="$\\alpha_$, $b, c_{\n1$, $, x\n1, ^$, \n2, 1, y"
    )  # what looks like a formula is written as it is
    assert "1 of 3 cells of c_{ are empty" in figure.alt and len(figure.frame()) > 1000


def test_every_figure_answers_its_question():
    then = dict(re.findall(r"\[([\w-]+)\]\ntitle = .*\nprompt = .*\n(?:first = .*\n)?then = (.*)\n", TEXT))
    assert then.keys() == {
        "row-two", "slip", "certain", "november", "failed-exam", "silent", "never", "slope", "boys",
    }  # fmt: skip


def test_em_creeps_only_up_to_an_edge():
    truth, rounds = Lesson.read("11").names("reason-code")["truth"], []
    cells = pd.DataFrame(completions(truth, [{"S": None}]))
    for silent in (0, 0.1):
        hide = np.where(cells["K"] == 0, 0.6, silent)
        rows = pd.concat([cells[[*"SAKEH"]].assign(R=1), cells[[*"SAKEH"]].assign(K=None, R=0)])
        weights = np.concatenate([cells["weight"] * (1 - hide), cells["weight"] * hide])
        states = {**truth.states, "R": [0, 1]}
        arrows = {**truth.parents, "R": ["K"]}
        found = em(arrows, rows, weights=weights, states=states, max_iter=8000, tol=1e-12, random_state=0)
        rounds.append(len(found.history) - 1)
    assert 2450 < rounds[0] < 2550 and rounds[1] == 30 and "silent too, 30 would do" in LESSON["reason-read"]


def test_the_reason_on_the_titanic_is_told_by_the_best_of_six_starts():
    people = load_titanic_ages()
    people["Child"] = [None if age == "" else "yes" if float(age) < 14 else "no" for age in people["Age"]]
    people["R"] = np.where(people["Age"] == "", "no", "yes")
    seen = {"Class": [], "Sex": ["Class"], "Child": ["Class", "Sex"], "Survived": ["Class", "Sex", "Child"]}
    asked = people[(people["R"] == "no") & (people["Sex"] == "male")]
    told, low = [], []
    for parents in (["Child"], ["Child", "Class"]):
        arrows, ends = {**seen, "R": parents}, []
        for seed in range(6):
            found = em(arrows, people[list(arrows)], max_iter=3000, random_state=seed)
            parts = pd.DataFrame(completions(found.network, asked[list(arrows)]))
            ends.append((found.log_likelihoods[-1], parts["weight"][parts["Child"] == "yes"].sum()))
        best = max(ends)[0]
        assert ends[0][0] == pytest.approx(best, abs=1e-3)  # the start that the lesson prints
        told.append(f"{ends[0][1]:.1f}")
        low.append([f"{boys:.1f}" for score, boys in ends if score < best - 0.01])
    assert f"give {told[0]} and {told[1]} boys" in LESSON["reason-read"]
    assert [len(each) for each in low] == [1, 0] and f"ends lower, at {low[0][0]} boys" in LESSON["reason-read"]


def test_three_states_with_two_children_are_found_in_many_ways():
    """2 + 3 + 3 numbers from 3 shares: every start meets the four shares, each with other tables."""
    pairs = pd.DataFrame([{"Q": None, "X": x, "Y": y} for x in (0, 1) for y in (0, 1)]).astype(object)
    shares, ends = np.array([0.4, 0.1, 0.15, 0.35]), set()
    states = {"Q": [0, 1, 2], "X": [0, 1], "Y": [0, 1]}
    for seed in range(5):
        arrows = {"Q": [], "X": ["Q"], "Y": ["Q"]}
        found = em(arrows, pairs, weights=shares, states=states, max_iter=5000, tol=1e-13, random_state=seed)
        assert found.log_likelihoods[-1] == pytest.approx(shares @ np.log(shares), abs=1e-9)
        ends.add(tuple(np.round(sorted(found.network.table("Q")[()].values()), 2)))
    assert len(ends) == 5 and found.network.parameter_count == 8 and "2 + 3 + 3 = 8 free numbers" in TEXT
