"""Section 08: the syllabus's numbers, and those that its questions and its text mention."""

import numpy as np
import pytest

from bayeslib import live, networks
from bayeslib.networks import examples
from bayeslib.practice.questions import Question
from tests.lab import ROOT

TEXT = (ROOT / "bayeslib/practice/08.toml").read_text()
T, F = True, False


def test_the_dogs_numbers_of_the_syllabus():
    dog = examples.dog()
    assert dog.joint({"B": T, "O": F, "D": T, "L": F, "H": T}) == pytest.approx(0.00144)
    assert dog.query("D", {"B": T})[T] == pytest.approx(0.07) and dog.query("D", {"B": F})[T] == pytest.approx(0.14)
    assert dog.query("D", {"B": F})[F] == pytest.approx(0.86) and dog.query("D", {"B": T})[F] == pytest.approx(0.93)
    assert dog.query("D")[F] == pytest.approx(0.881)
    assert round(dog.query("B", {"D": F})[F], 3) == 0.683
    for evidence in ({"D": T}, {"D": T, "O": T}, {"D": T, "O": F}):
        assert round(dog.query("B", evidence)[T], 3) == 0.176


@pytest.mark.parametrize(
    "make, settings, numbers",
    [
        (live.explaining_away, {}, ["0.3736 after the alarm", "radio 0.0033", "0.4848"]),
        (live.explaining_away, {"chance": 0.0002}, ["0.4708 after"]),
        (live.explaining_away, {"chance": 0.02}, ["0.1219 after", "radio 0.0033"]),
        (live.explaining_away, {"chance": 0.2}, ["0.0158 after"]),
        (live.explaining_away, {"seen": "john"}, ["0.0163 after"]),
        (live.explaining_away, {"seen": "both"}, ["0.2842 after", "radio 0.0033", "0.3442"]),
        (live.two_causes, {}, ["= 1.000: nothing moves", "P(B|D,O) = 0.1765", "P(B|D,¬O) = 0.1765"]),
        (live.two_causes, {"both": 1}, ["= 0.200", "P(B|D,O) = 0.0411"]),
        (live.two_causes, {"both": 10}, ["= 2.000", "P(B|D,O) = 0.3000", "P(B|D,¬O) = 0.1765"]),
        (live.two_causes, {"both": 20}, ["= 4.000", "P(B|D) = 0.3288", "P(B|D,O) = 0.4615"]),
        (live.two_causes, {"both": 40}, ["= 8.000", "P(B|D,O) = 0.6316"]),
        (live.two_causes, {"seen": "bark"}, ["= 1.069", "0.2763", "0.2821", "0.2687"]),
        (live.elimination, {"step": 1}, ["τ1(O,D) = 0.085, 0.915, 0.17, 0.83", "largest table 8"]),
        (live.elimination, {"step": 4}, ["0.0702, 0.0536", "sum 0.1238", "P(O|h) = 0.5670", "16 terms"]),
        (live.elimination, {"question": "star", "step": 1}, ["2048 entries", "1024 numbers", "20480 mult"]),
        (live.elimination, {"question": "star", "order": "effects", "step": 9}, ["largest table 4,"]),
        (live.sampling, {}, ["kept 21;", "worth 41;", "worth 5518."]),
        (live.sampling, {"step": 20}, ["none kept", "likelihood weighting: 0.000, worth 1000"]),
        (live.sampling, {"question": "locked"}, ["prior sampling: 0.495", "Gibbs: 0.443, worth 26."]),
    ],
)
def test_numbers_in_the_lesson_of_section_08_are_those_of_its_figures(make, settings, numbers):
    figure = make()
    figure.set(**settings)
    assert [each for each in numbers if each not in figure.alt] == []


def test_numbers_typed_in_the_feedback_of_section_08_are_right():
    dog, light = (examples.dog().marginals(evidence) for evidence in ({}, {"L": T}))
    steps = [(dog[v][T], light[v][T]) for v in "ODH"]
    assert [f"{abs(a - b):.3f}"[1:] for a, b in steps] == [".171", ".015", ".003"]
    assert "O moves by .171, D by .015, H by .003" in TEXT and "from .1238 to .1267" in TEXT.lower()
    assert [round(each, 4) for each in steps[2]] == [0.1238, 0.1267]
    assert [round(b, 3) for _, b in steps[:2]] == [0.429, 0.134] and ".600 to .429" in TEXT and ".119 to .134" in TEXT
    assert 0.95 * 0.001 / (0.94 * 0.29) == pytest.approx(0.0035, abs=5e-5) and ".0035" in TEXT
    assert round(0.3 * 0.4, 9) == round(0.6 * 0.2, 9) == 0.12
    assert (0.1 / 0.005) ** 2 == pytest.approx(400) and "400 times" in TEXT
    rho = (2 * 0.999 - 1) ** 2  # a step of the locked chain redraws X, then Y
    assert (1 + rho) / (1 - rho) == pytest.approx(500, rel=0.01) and "about 500 steps are worth one draw" in TEXT


def test_what_a_sampler_is_worth_is_how_far_its_answers_scatter():
    """Rare evidence: the spread over many runs agrees with the effective sample size that the lesson quotes."""
    net, evidence = examples.burglary(), {"JohnCalls": T, "MaryCalls": T}
    exact = net.query("Burglary", evidence)[T]
    share = np.exp(net.log_evidence(evidence))
    assert share == pytest.approx(0.00208, abs=1e-5) and "2 of 1000" in TEXT
    found = [networks.rejection_sampling(net, "Burglary", evidence, 10_000, seed) for seed in range(200)]
    assert np.mean([each.kept for each in found]) == pytest.approx(21, abs=1) and "about 21 of 10,000" in TEXT
    sd = np.sqrt(exact * (1 - exact) / (10_000 * share))
    assert np.std([each.answer[T] for each in found]) == pytest.approx(sd, rel=0.15) and sd == pytest.approx(
        0.099, abs=1e-3
    )
    found = [networks.likelihood_weighting(net, "Burglary", evidence, 10_000, seed) for seed in range(200)]
    assert np.mean([each.effective[-1] for each in found]) == pytest.approx(43, abs=2) and "about 43" in TEXT
    assert np.std([each.answer[T] for each in found]) == pytest.approx(0.075, abs=0.01)


@pytest.mark.parametrize("name", ["tummy", "dog-in", "light"])
def test_the_clickable_dog_answers_its_predictions(name):
    figure = live.observe("dog")
    figure.set(**Question(f"08/{name}").then)
    wanted = {"tummy": "D 0.119 → 0.070", "dog-in": "B 0.300 → 0.317", "light": "H 0.124 → 0.127"}
    assert wanted[name] in figure.alt


def test_a_click_on_a_curve_moves_the_chance_of_an_earthquake():
    figure = live.explaining_away()
    axes, size = figure.figure.axes[1], (figure.figure.bbox.width, figure.figure.bbox.height)
    x, y = axes.transData.transform((2, 0.1)) / size
    figure.view.pointer = {"press": 1, "from": [x, 1 - y], "to": [x, 1 - y]}
    assert figure.values["chance"] == 0.02
    figure.view.pointer = {"press": 2, "from": [0.1, 0.1], "to": [0.1, 0.1]}
    assert figure.values["chance"] == 0.02, "the network is no slider"
