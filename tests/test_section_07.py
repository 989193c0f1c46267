"""Section 07: the numbers that its questions mention, the other nets, and what a reader can click, drag and press."""

from itertools import permutations

import pytest

import bayeslib as bl
from bayeslib import live
from bayeslib.live.belief_networks import DOG, LETTERS, ROUNDS, STUDENT
from bayeslib.networks import examples
from bayeslib.practice.questions import Question
from tests.figures import check_network, press
from tests.lab import ROOT
from tests.sections.section_07 import belief, holds_d_separation, holds_observe, separated

TEXT = (ROOT / "bayeslib/practice/07.toml").read_text()
STORM = examples.storm()
NETS = {name: getattr(examples, name)() for name in ("storm", "dog", "burglary", "student")}


@pytest.mark.parametrize(
    "make, settings, numbers",
    [
        (live.network_size, {}, ["= 63 ", "up to 19 "]),
        (live.network_size, {"n": 30}, ["1,073,741,823", "up to 115 "]),
        (live.joint_cells, {}, ["0.2 · 0.5 · 0.6 · 0.9 · 0.9 · 0.2 = 0.00972"]),
        (live.observe, Question("07/thunder").then, ["Campfire 0.450 → 0.373", "leaves Bus unmoved"]),
        (live.observe, Question("07/storm-and-thunder").then, ["Campfire 0.450 → 0.250", "leaves Bus and Campfire"]),
        (live.observe, {"evidence": {"Campfire": False}}, ["Storm 0.200 → 0.273"]),
        (live.observe, Question("07/no-fire-bus").then, ["Storm 0.200 → 0.429"]),
        (live.observe, {"evidence": {"Campfire": True, "Bus": True}, "focus": "Bus"}, ["→ 0.111", "moves nothing"]),
        (live.cross_ratio, {}, ["0.1111; with a bus 0.1111, without a bus 0.1111", "= 1.000, exactly 1"]),
        (live.cross_ratio, {"percent": 10}, ["with a bus 0.0303"]),
        (live.cross_ratio, {"percent": 80}, ["with a bus 0.2000"]),
        (live.d_separation, Question("07/separate").then, ["0 open", "separated"]),
        (
            live.strata,
            Question("07/departments").then,
            ["44.5% and 30.4%", "A 62.1% and 82.4%", "says 45.1% and 29.5%"],
        ),
        (live.strata, Question("07/survivors").then, ["10.1% and 7.4%", "yes 8.6% and 16.6%", "by 2.4 points"]),
        (live.build_order, {}, ["1 + 1 + 4 + 2 + 2 = 10"]),
        (live.build_order, Question("07/calls-first").then, ["1 + 2 + 4 + 8 + 16 = 31"]),
    ],
)
def test_numbers_of_section_07_are_those_of_its_figures(make, settings, numbers):
    figure = make()
    figure.set(**settings)
    assert all(number in figure.alt for number in numbers), figure.alt


@pytest.mark.parametrize(
    "question, numbers",
    [
        ("07/knows-attends", ["S 0.500 → 0.643", "on top of K = true"]),
        ("07/exam-attends", ["S 0.500 → 0.577", "on top of E = true"]),
    ],
)
def test_numbers_of_the_student_are_those_of_the_figure(question, numbers):
    figure = live.observe("student")
    figure.set(**Question(question).then)
    assert all(number in figure.alt for number in numbers), figure.alt


def test_numbers_typed_in_the_questions_and_the_lesson_are_right():
    house, student = NETS["burglary"], NETS["student"]
    shaken = {"Burglary": False, "Earthquake": True}
    assert house.query("Alarm", shaken)[True] == pytest.approx(0.29)
    assert round(house.query("Alarm", {**shaken, "JohnCalls": True})[True], 3) == 0.880
    for seen, value in (
        ({"K": True}, 0.696),
        ({"K": True, "A": True}, 0.643),
        ({"K": True, "A": False}, 0.857),
        ({"E": True}, 0.595),
        ({"E": True, "A": True}, 0.577),
        ({"E": True, "A": False}, 0.632),
    ):
        assert round(belief(student, "S", seen), 3) == value
    for typed in ("0.450", "0.373", "0.250", "0.273", "0.429", "0.111", "0.696", "0.643", "0.595", "0.577", "0.880"):
        assert typed in TEXT
    assert [row[True] for row in STORM.table("Campfire").values()] == [0.4, 0.1, 0.8, 0.2]
    assert STORM.query("Storm", {"Campfire": True})[True] == pytest.approx(1 / 9)
    assert 0.6 * 0.8 / (0.9 * 0.2) == pytest.approx(2.67, abs=0.005) and 0.9 * 0.1 / (0.6 * 0.5) == pytest.approx(0.3)


def test_two_paths_can_cancel_and_a_collider_with_two_states_cannot_be_balanced_in_both():
    """The lesson's counterexample; with cross ratio 1 for both states of a collider, one parent has no influence at all."""
    late = bl.BeliefNetwork(
        {"R": [], "W": ["R"], "B": ["R"], "L": ["W", "B"]},
        {
            "R": 0.3,
            "W": {True: 0.2, False: 0.6},
            "B": {True: 0.7, False: 0.3},
            "L": {(True, True): 0.8, (True, False): 0.4, (False, True): 0.4, (False, False): 0.0},
        },
    )
    assert not late.d_separated("R", "L")
    assert belief(late, "L", {"R": True}) == pytest.approx(belief(late, "L", {"R": False}))
    storm, bus = (STORM.query("Storm", {"Campfire": False, "Bus": each})[True] for each in (True, False))
    assert storm != pytest.approx(bus), "independent in the context of a campfire only"


def test_naive_bayes_is_a_network_that_separates_the_attributes_given_the_class():
    net = bl.BeliefNetwork(
        {"Play": [], "Humid": ["Play"], "Windy": ["Play"]},
        {"Play": 9 / 14, "Humid": {True: 3 / 9, False: 4 / 5}, "Windy": {True: 3 / 9, False: 3 / 5}},
    )
    figure = live.d_separation(net, "Humid", "Windy")
    assert "connected" in figure.alt
    figure.set(evidence={"Play": True})
    assert "separated: independent" in figure.alt
    holds_d_separation(figure, net)


def test_a_drawing_shows_the_arrows_and_no_number():
    drawing = live.drawing(STORM)
    assert repr(drawing).startswith("A network of 6 variables: Storm → Lightning,")
    check_network(drawing.network)
    assert not drawing.network.notes


def test_tables_of_the_readers_own_are_read_or_refused_in_words():
    figure = live.strata()
    figure.set(data="your own")
    assert figure.alt.startswith("90 cases. Exam = passed among all: yes and no 71.1% and 51.1%.")
    for text, why in (
        ("a,b,c\n1,2,3", "x, z, y and a count, got 3 columns"),
        ("a,b,c,n\n1,2,3,4\n2,2,3,4\n3,2,3,4", "column a, must have two states, got 3"),
        ("a,b,c,n\n1,2,3,4\n2,2,4,0", "at least one case in each"),
        ("a,b,c,n\n1,2,3,4\n2,2,4,many", "must be numbers between"),
    ):
        figure.set(text=text)
        assert why in figure.alt
    with pytest.raises(ValueError, match="name must be one of .*'Berkeley'"):
        live.strata("Oxford")


def test_seeing_a_child_of_the_parents_still_tells():
    """The slip of the slide: given its parents, a variable is not independent of the rest, but of its non-descendants."""
    for net in NETS.values():
        for v in net.variables:
            descendants, waiting = set(), [v]
            while waiting:
                children = net.children[waiting.pop()]
                descendants.update(children)
                waiting += children
            others = set(net.variables) - {v, *descendants, *net.parents[v]}
            assert not others or net.d_separated(v, others, net.parents[v])
            assert not any(net.d_separated(v, child, net.parents[v]) for child in net.children[v])


# Clicks and keys


def place(figure, x, y, axes=0):
    """Where a point of the axes is on the page, in fractions with y downwards."""
    across, up = figure.figure.axes[axes].transData.transform((x, y)) / (
        figure.figure.bbox.width,
        figure.figure.bbox.height,
    )
    return [across, 1 - up]


def node(figure, name):
    """The middle of a node, found by the text that it shows."""
    [text] = [each for each in figure.figure.axes[0].texts if each.get_text().lstrip("■□ ") == name]
    return place(figure, *text.get_position())


def click(figure, name, press):
    at = node(figure, name)
    for _ in range(3):  # the page reports a press and then each twitch of the pointer
        figure.view.pointer = {"press": press, "from": at, "to": [at[0] + 0.001, at[1]]}


def test_a_click_counts_once_and_goes_round_unseen_true_false():
    figure = live.observe()
    seen = []
    for number in range(1, 4):
        click(figure, "Thunder", number)
        seen.append(figure.values["evidence"].get("Thunder"))
        assert figure.values["focus"] == "Thunder"
    assert seen == [True, False, None]


def test_a_click_beside_the_nodes_changes_nothing():
    figure = live.observe()
    before = figure.key
    figure.view.pointer = {"press": 1, "from": [0.5, 0.05], "to": [0.5, 0.05]}
    assert figure.key == before


def test_nodes_are_reached_and_turned_by_keys_alone():
    figure = live.observe()
    press(figure, "ArrowRight", "ArrowRight", " ", "ArrowLeft", "Enter", "Enter")
    assert figure.values == {"evidence": {"Lightning": True, "Bus": False}, "focus": "Bus"}
    press(figure, "ArrowLeft", "ArrowUp")
    assert figure.values["focus"] == STORM.variables[-1], "the ring goes round"


@pytest.mark.parametrize("name", NETS)
def test_every_net_can_be_observed(name):
    figure, labels = live.observe(name), {"dog": DOG, "student": STUDENT}.get(name)
    for label in figure.presets:
        figure.preset(label)
        holds_observe(figure, NETS[name], labels)
    for _ in range(3 * len(NETS[name].variables)):
        press(figure, "ArrowRight", " ")
        holds_observe(figure, NETS[name], labels)


def test_impossible_evidence_is_said_in_words_and_the_nodes_stay_to_be_clicked():
    figure = live.observe(examples.sprinkler())
    dry = {"Sprinkler": False, "Rain": False, "WetGrass": True}
    figure.set(evidence=dry, focus="WetGrass")
    assert "WetGrass = true. This cannot happen" in figure.alt and "probability is 0" in figure.alt
    click(figure, "Sprinkler", 1)
    assert figure.values["evidence"] == {"Rain": False, "WetGrass": True}
    assert "Sprinkler 0.300 → 1.000" in figure.alt
    figure.set(evidence={**dry, "WetGrass": False}, focus="WetGrass")
    assert "Cloudy" in figure.alt and "cannot" not in figure.alt


def test_states_of_any_number_and_name_are_gone_through():
    net = bl.BeliefNetwork({"Sky": [], "Wet": ["Sky"]}, {"Sky": [0.5, 0.3, 0.2], "Wet": {"sun": 0, "fog": 0.4, "rain": 1}},
                           {"Sky": ["sun", "fog", "rain"]})  # fmt: skip
    figure, seen = live.observe(net), []
    for _ in range(4):
        press(figure, " ")
        seen.append(figure.values["evidence"].get("Sky"))
    assert seen == ["sun", "fog", "rain", None]
    figure.set(evidence={"Sky": "fog"}, focus="Sky")
    assert "Sky = fog" in figure.alt and "Wet 0.320 → 0.400" in figure.alt


@pytest.mark.parametrize("make", [live.observe, live.d_separation])
def test_an_unknown_net_is_named(make):
    with pytest.raises(ValueError, match="net must be one of .*'storm'.* or a BeliefNetwork, got 'weather'"):
        make("weather")


# The cells of the joint distribution


def test_flipping_a_node_changes_its_own_cell_and_its_childrens():
    figure = live.joint_cells()

    def cells():
        return {p.get_label(): p.get_width() for p in figure.figure.axes[1].patches if "cell" in p.get_label()}

    for number, v in enumerate(STORM.variables, 1):
        before = cells()
        click(figure, LETTERS[v], number)
        changed = {name.removeprefix("cell of ") for name, width in cells().items() if width != before[name]}
        assert changed <= {v, *STORM.children[v]}
        figure.preset("our case")


def test_a_bar_is_dragged_and_edits_one_cell_of_its_table():
    figure = live.joint_cells()
    row = STORM.variables.index("Campfire")
    start = place(figure, 0.9, row + 0.4, axes=1)
    for to in (0.7, 0.5):
        figure.view.pointer = {"press": 1, "from": start, "to": place(figure, to, row + 0.4, axes=1)}
    assert figure.values["edits"] == {"Campfire": [[[0.4, 0.6], [0.5, 0.5]], [[0.8, 0.2], [0.2, 0.8]]]}
    assert "= 0.0054." in figure.alt and "Changed by you: the table of Campfire" in figure.alt
    press(figure, "ArrowDown", "ArrowDown")
    assert figure.values["edits"]["Campfire"][0][1] == [0.6, 0.4], "the case has no campfire: its cell falls by .1"
    figure.preset("reset")
    assert "0.00972" in figure.alt


# d-separation


def test_the_game_counts_what_the_reader_knows():
    figure, right = live.d_separation(), []
    for number, (a, b, evidence) in enumerate(ROUNDS, 1):
        figure.set(**figure.actions["game: next round"](figure.values))
        assert figure.alt.startswith(f"Round {number} of 8") and a in figure.alt and b in figure.alt
        click(figure, next(v for v in STORM.variables if v not in (a, b, *evidence)), number)
        assert figure.values["evidence"] == evidence, "during a round the nodes are not to be clicked"
        truth = separated(STORM, a, b, evidence)
        says = number % 3 > 0  # a reader who says "connected" every third time
        figure.set(**figure.actions["separated" if says else "connected"](figure.values))
        right.append(says == truth)
        assert figure.values["guesses"] == right and f"Score: {sum(right)} of {number}." in figure.alt
        figure.set(**figure.actions["separated"](figure.values))
        assert figure.values["guesses"] == right, "one answer a round"
    assert {separated(STORM, *each) for each in ROUNDS} == {True, False}
    figure.set(**figure.actions["game: next round"](figure.values))
    assert figure.values["guesses"] == [] and figure.alt.startswith("Round 1 of 8")


@pytest.mark.parametrize("name", ["dog", "burglary", "student"])
def test_paths_of_other_nets(name):
    net = NETS[name]
    figure = live.d_separation(name, net.variables[0], net.variables[-1])
    for a in net.variables:
        figure.set(a=a)
        for v in net.variables:
            figure.set(evidence={v: True})
            holds_d_separation(figure, net)


def test_the_ends_are_no_evidence():
    figure = live.d_separation()
    click(figure, "Storm", 1)
    assert figure.values["evidence"] == {}
    click(figure, "Campfire", 2)
    assert figure.values["evidence"] == {"Campfire": True} and "happen to balance" in figure.alt


def test_an_end_that_is_certain_is_said():
    net = bl.BeliefNetwork({"A": [], "B": ["A"]}, {"A": 1.0, "B": {True: 0.5, False: 0.5}})
    assert "A is certain here" in live.d_separation(net, "B", "A").alt


# Orders


def test_no_order_needs_fewer_numbers_than_causes_first_and_none_more_than_one_table():
    net = examples.burglary()
    sizes = [net.reordered(order).parameter_count for order in permutations(net.variables)]
    assert (min(sizes), max(sizes)) == (10, 31) == (net.parameter_count, net.joint_parameter_count)


def test_a_node_is_dragged_to_another_place():
    figure = live.build_order()
    start, end = node(figure, "3. Alarm"), node(figure, "1. Burglary")
    figure.view.pointer = {"press": 1, "from": start, "to": end}
    assert figure.values["order"] == [2, 0, 1, 3, 4] and figure.values["focus"] == 0
    figure.view.pointer = {"press": 1, "from": start, "to": start}
    assert figure.values["order"] == [0, 1, 2, 3, 4], "back where it was taken up"


def test_keys_move_the_ring_and_its_variable():
    figure = live.build_order()
    press(figure, "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowUp")
    assert figure.values["order"] == [2, 0, 1, 3, 4] and figure.values["focus"] == 0
    press(figure, "ArrowLeft", "ArrowDown")
    assert figure.values["order"] == [0, 2, 1, 3, 4] and "Order Burglary, Alarm," in figure.alt


def test_the_ring_tells_what_one_observation_adds():
    """Beliefs with and without the ringed node, counted out by hand for the storm net."""
    figure = live.observe()
    figure.set(evidence={"Storm": True, "Thunder": True}, focus="Thunder")
    assert belief(STORM, "Campfire", {"Storm": True}) == pytest.approx(
        belief(STORM, "Campfire", {"Storm": True, "Thunder": True})
    )
    assert "seeing it on top of Storm = true moves Lightning and ForestFire and leaves Bus and Campfire" in figure.alt
