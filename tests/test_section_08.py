"""Section 08: the syllabus's numbers, and those that its questions and its text mention."""

import numpy as np
import pytest

from bayeslib import live, networks
from bayeslib.data import load_heart
from bayeslib.networks import examples
from bayeslib.practice.questions import Question
from tests.lab import ROOT
from tests.reading import Lesson

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
    assert [round(dog.query("D", {"O": state})[T], 3) for state in (T, F)] == [0.085, 0.170]


def test_charniaks_dog_is_as_the_lesson_tells():
    dog = examples.family_out()
    assert dog.joint({"O": T, "B": F, "L": F, "D": T, "H": T}) == pytest.approx(0.15 * 0.99 * 0.4 * 0.9 * 0.7)
    assert [dog.query("D", {"O": state})[T] for state in (T, F)] == pytest.approx([0.9009, 0.3067])
    assert dog.query("H")[T] == pytest.approx(0.283, abs=5e-4)
    wanted = {"LH": 0.858, "H": 0.335}
    for seen, belief in wanted.items():
        assert round(dog.query("O", dict.fromkeys(seen, T))[T], 3) == belief
    assert round(dog.query("O", {"L": T, "H": F})[T], 3) == 0.501, "the one half of the paper"
    assert [round(dog.query("B", {"D": T, **o})[T], 3) for o in ({}, {"O": T}, {"O": F})] == [0.025, 0.011, 0.032]
    assert 0.99 * 0.3 / (0.9 * 0.97) == pytest.approx(0.34, abs=5e-3)
    weights = np.array([0.0005, 0.035, 0.42, 0.0005])  # the four worlds by hand
    assert 0.42 / weights.sum() == pytest.approx(0.92, abs=5e-3)
    assert weights.sum() ** 2 / (weights**2).sum() == pytest.approx(1.17, abs=5e-3)
    step = dog.query("O", {"B": F, "L": T, "D": T, "H": T})[T]
    assert step == pytest.approx(0.081 / (0.081 + 0.01275)) and round(step, 3) == 0.864
    assert round(dog.query("B", {"O": T, "L": T, "D": T, "H": T})[T], 3) == 0.011
    assert round(dog.query("D", {"O": T, "B": F, "L": T, "H": T})[T], 3) == 0.998


def test_a_star_is_summed_out_from_its_leaves():
    net, leaves = examples.star(5, witnesses=True), [f"Leaf{i}" for i in range(2, 6)]
    told = {f"Witness{i}": T for i in range(1, 6)}
    found = [net.explain("Leaf1", told, order) for order in (["Hub", *leaves], [*leaves, "Hub"])]
    assert [each.largest for each in found] == [64, 4]
    assert found[0].answer == pytest.approx(networks.enumeration(net, "Leaf1", told).answer)
    assert net.explain("Leaf1", told).barren == () and examples.star(5).explain("Leaf1").barren


def test_the_hearts_are_as_the_lesson_tells():
    table = load_heart()
    groups = table.groupby("Pain")["Disease"].agg(["size", lambda each: (each == "yes").sum()])
    assert groups.loc["none"].tolist() == [142, 103] and groups.loc["typical"].tolist() == [23, 7]
    assert groups.loc["atypical"].tolist() == [49, 9] and groups.loc["other"].tolist() == [83, 18]
    assert [round(100 * ill / n) for n, ill in groups.loc[["none", "typical", "other", "atypical"]].values] == [
        *(73, 30, 22, 18)
    ]
    net = networks.fit(examples.heart_arrows(), table, prior="laplace")
    patient = {"Sex": "male", "Age": "50-59", "Pain": "none"}
    assert round(net.query("Disease", patient)["yes"], 3) == 0.791
    bits = {
        test: networks.expected_bits(net, "Disease", test, patient)
        for test in ("Vessels", "Rate", "Scan", "Angina", "ST")
    }
    assert [round(each, 3) for each in bits.values()] == [0.111, 0.088, 0.087, 0.074, 0.073]
    figure = live.heart()
    for settings, said in (
        ({"patient": 29, "known": 3}, "P(disease) = 0.802"),
        ({"patient": 29, "known": 6}, "P(disease) = 0.338"),
        ({"patient": 29, "known": 8}, "P(disease) = 0.806. The angiogram found narrowed arteries."),
        ({"known": 8}, "log loss 0.518"),
        ({"known": 8, "arrows": "without"}, "log loss 0.564"),
    ):
        figure.set(**settings)
        assert said in figure.alt


@pytest.mark.heavy
def test_arrows_between_tests_help_on_most_splits():
    """Twenty splits of 198 and 99: with all facts the net with arrows between tests has the lower log loss in most of them."""
    rows, wins = load_heart(), 0
    states = {v: sorted(set(rows[v])) for v in rows}
    for seed in range(20):
        mixed = rows.sample(frac=1, random_state=seed)
        losses = []
        for linked in (T, F):
            net = networks.fit(examples.heart_arrows(linked), mixed[:198], prior="laplace", states=states)
            others = mixed[198:].to_dict("records")
            chances = [net.query("Disease", {v: p[v] for v in p if v != "Disease"})[p["Disease"]] for p in others]
            losses.append(-np.log(chances).mean())
        wins += losses[0] < losses[1]
    assert wins >= 15


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
        (live.elimination, {"step": 1}, ["τ1(O,D) = 0.9009, 0.0991, 0.3067, 0.6933", "largest table 8"]),
        (live.elimination, {"step": 4}, ["0.09474, 0.1884", "sum 0.2831", "P(O|h) = 0.3346", "16 terms"]),
        (live.elimination, {"question": "star", "step": 1}, ["64 entries", "32 numbers"]),
        (live.elimination, {"question": "star", "order": "effects", "step": 5}, ["largest table 4,"]),
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
    assert 0.95 * 0.001 / (0.94 * 0.29) == pytest.approx(0.0035, abs=5e-5)
    assert 0.28 * 0.8 == pytest.approx(0.224) == 0.35 * 0.64 and "0.224" in TEXT
    assert 0.08 / np.sqrt(2) == pytest.approx(0.057, abs=5e-4)
    assert 10_000 * (0.001 * 0.94 + 0.002 * 0.29 + 0.001) == pytest.approx(25, abs=0.5) and "about 25 of 10,000" in TEXT
    rho = (2 * 0.999 - 1) ** 2  # a step of the locked chain redraws X, then Y
    assert (1 + rho) / (1 - rho) == pytest.approx(500, rel=0.01) and "about 500 rounds are worth one draw" in TEXT


def test_what_a_sampler_is_worth_is_how_far_its_answers_scatter():
    """Rare evidence: the spread over many runs agrees with the effective sample size that the lesson quotes."""
    net, evidence = examples.burglary(), {"JohnCalls": T, "MaryCalls": T}
    exact = net.query("Burglary", evidence)[T]
    share = np.exp(net.log_evidence(evidence))
    assert share == pytest.approx(0.00208, abs=1e-5)
    found = [networks.rejection_sampling(net, "Burglary", evidence, 10_000, seed) for seed in range(200)]
    assert np.mean([each.kept for each in found]) == pytest.approx(21, abs=1)
    sd = np.sqrt(exact * (1 - exact) / (10_000 * share))
    assert np.std([each.answer[T] for each in found]) == pytest.approx(sd, rel=0.15) and sd == pytest.approx(
        0.099, abs=1e-3
    )
    found = [networks.likelihood_weighting(net, "Burglary", evidence, 10_000, seed) for seed in range(200)]
    assert np.mean([each.effective[-1] for each in found]) == pytest.approx(43, abs=2)
    assert np.std([each.answer[T] for each in found]) == pytest.approx(0.075, abs=0.01)


def test_the_clickable_dog_answers_its_prediction():
    figure = live.observe(examples.family_out())
    figure.set(**Question("08/barking").then)
    assert "O 0.150 → 0.335" in figure.alt


@pytest.mark.parametrize(
    ("test", "evidence", "wrong"), [("O", {}, "another variable than target"), ("L", {"L": T}, "L"), ("Z", {}, "Z")]
)
def test_expected_bits_refuses_what_is_no_test(test, evidence, wrong):
    with pytest.raises(ValueError, match=wrong):
        networks.expected_bits(examples.family_out(), "O", test, evidence)


def test_a_test_that_cannot_tell_anything_saves_no_bits():
    dog = examples.family_out()
    for target, test, evidence in (("O", "B", {}), ("L", "H", {"O": T})):
        assert networks.expected_bits(dog, target, test, evidence) == pytest.approx(0, abs=1e-12)
    assert networks.expected_bits(examples.locked(1.0), "X", "Y") == 1


def test_a_click_on_a_curve_moves_the_chance_of_an_earthquake():
    figure = live.explaining_away()
    axes, size = figure.figure.axes[1], (figure.figure.bbox.width, figure.figure.bbox.height)
    x, y = axes.transData.transform((2, 0.1)) / size
    figure.view.pointer = {"press": 1, "from": [x, 1 - y], "to": [x, 1 - y]}
    assert figure.values["chance"] == 0.02
    figure.view.pointer = {"press": 2, "from": [0.1, 0.1], "to": [0.1, 0.1]}
    assert figure.values["chance"] == 0.02, "the network is no slider"


def test_the_star_is_offered_only_where_it_is_asked():
    figure = live.elimination("dog", "storm")
    assert list(figure.presets) == ["dog", "storm, min-fill", "reset"]
    assert [value for _, value in figure.controls["question"].options] == ["dog", "storm"]
    with pytest.raises(ValueError, match="asked must be among .*, got .*cat"):
        live.elimination("cat")
    [shown] = [cell for cell in Lesson.read("08").cells if cell.id == "show-elimination"]
    assert shown.source == 'live.elimination("dog", "storm")'
