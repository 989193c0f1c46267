"""Section 11: the numbers that its questions mention."""

import re

import pytest

from bayeslib import live
from bayeslib.networks import em, examples, expected_counts, fit
from tests.figures import number
from tests.lab import ROOT

TEXT = (ROOT / "bayeslib/practice/11.toml").read_text()


def test_numbers_about_the_five_rows_hold():
    from bayeslib.data import load_student

    start, rows = examples.student_start(), examples.student_holes()
    complete = expected_counts(fit(start, load_student()), rows).log_likelihood
    learned = em(start, rows)
    assert f"score −{-complete:.3f}" in TEXT and f"EM's score −{-learned.log_likelihoods[-1]:.3f}" in TEXT
    assert load_student()["K"][1] == 0 and "row 2 has K = 0" in TEXT
    shares = [step.network.query("A", {"S": 0, "K": 0, "E": 1, "H": 0})[True] for step in learned.history[:3]]
    assert "row 4's went " + ", ".join(f"{share:.3f}"[1:] for share in shares) in TEXT
    careful = em(start, rows, "m", 2, tol=1e-12).log_likelihoods
    assert f"falls from −{-careful.max():.5f} to −{-careful[-1]:.5f}" in TEXT


def test_numbers_about_november_hold():
    climb = live.expected_climb()
    climb.set(data="nights", step=12)
    assert number("so the next is", climb.alt) == pytest.approx(0.1042, abs=1e-4) and ".104: the part" in TEXT
    assert number(r"P\(B=1\) =", climb.alt) == pytest.approx(0.604, abs=1e-3) and "About .4 of the night" in TEXT


def test_numbers_about_reasons_hold():
    figure = live.why_missing()
    figure.preset("80% of the failed")
    assert "P(K) = 0.7084, EM gives 0.5600" in figure.alt and ".7084 and .5600" in TEXT
    figure.preset("80% of those who don’t know")
    assert "P(K) = 0.8642, EM gives 0.7075" in figure.alt and ".7075, and .8642 by dropping" in TEXT


def test_numbers_about_the_hidden_variable_hold():
    figure = live.never_seen()
    figure.preset("leaning")
    heights = [f"{bar.get_height():.1f}"[1:] for bar in figure.figure.axes[1].patches]
    assert f"{heights[0]}, {heights[1]}, {heights[2]} and {heights[3]} for K, {heights[4]} and {heights[5]}" in TEXT


def test_a_click_on_a_strip_turns_it():
    figure = live.slip_fraction()
    axes = figure.figure.axes[0]
    for press, wanted in enumerate(("-b-----", "-a-----", "-------")):
        x, y = axes.transData.transform((2.5, 1.3)) / (figure.figure.bbox.width, figure.figure.bbox.height)
        figure.view.pointer = {"press": press + 1, "from": [x, 1 - y], "to": [x, 1 - y]}
        assert figure.values == {"marks": wanted, "focus": 1}


def test_every_figure_answers_its_question():
    then = dict(re.findall(r"\[([\w-]+)\]\ntitle = .*\nprompt = .*\nthen = (.*)\n", TEXT))
    assert then.keys() == {"row-two", "slip", "who-is-right", "november", "failed-exam", "silent", "never", "slope"}
