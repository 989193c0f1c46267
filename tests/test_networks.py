"""Claims about belief networks (sections 07 and 08): numbers, oracles, algebra, samplers, words of errors, the picture."""

import copy
import gzip
import pickle
import subprocess
import sys
import warnings
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import exp, log
from pathlib import Path

import numpy as np
import pandas
import pgmpy.utils
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayeslib as bl
from bayeslib.models.networks import (
    BeliefNetwork,
    ImpossibleEvidence,
    enumeration,
    examples,
    gibbs_sampling,
    likelihood_weighting,
    network,
    prior_sampling,
    read_bif,
    rejection_sampling,
)
from bayeslib.plots import network as draw_network
from bayeslib.plots import theme

T, F = True, False
MODELS = Path(pgmpy.utils.__file__).parent / "example_models"
STANDARD = ["asia", "cancer", "earthquake", "survey", "sachs", "child", "insurance", "alarm"]
COURSE = [examples.storm, examples.dog, examples.burglary, examples.student, examples.sprinkler, examples.asia]


@cache
def standard(name):
    return read_bif(MODELS / f"{name}.bif.gz")


def belief(net, target, *true, **states):
    """P(target = True | those in `true`, and `states`)."""
    return net.query(target, {**dict.fromkeys(true, True), **states})[True]


# Numbers of the syllabus and the books


def test_burglary_numbers_are_those_of_the_book():
    net = bl.BeliefNetwork(
        examples.burglary().parents, {v: examples.burglary().factor(v) for v in examples.burglary().parents}
    )
    assert belief(net, "Burglary", "JohnCalls", "MaryCalls") == pytest.approx(0.284, abs=5e-4)
    assert belief(net, "Burglary", "JohnCalls") == pytest.approx(0.0163, abs=5e-5)
    # "John and Mary call, the alarm rings, and there is neither burglary nor earthquake": 0.000628 in the book.
    nights = {"JohnCalls": T, "MaryCalls": T, "Alarm": T, "Burglary": F, "Earthquake": F}
    assert net.joint(nights) == pytest.approx(0.000628, abs=5e-7)
    assert net.log_joint(nights) == pytest.approx(log(net.joint(nights)))


@pytest.mark.parametrize(
    "seen, wanted",
    [
        ({}, 0.001),
        ({"Alarm": T}, 0.374),
        ({"Alarm": T, "Earthquake": T}, 0.0033),
        ({"JohnCalls": T, "MaryCalls": F}, 0.0051),
        ({"JohnCalls": T, "MaryCalls": T, "Earthquake": T}, 0.0033),
        ({"JohnCalls": T, "MaryCalls": T, "Earthquake": F}, 0.344),
    ],
)
def test_an_earthquake_explains_the_alarm_away(seen, wanted):
    assert belief(examples.burglary(), "Burglary", **seen) == pytest.approx(wanted, abs=5e-4 if wanted > 0.01 else 5e-5)


def test_dog_numbers_are_those_of_the_lecture():
    net = examples.dog()
    assert net.joint({"B": T, "O": F, "D": T, "L": F, "H": T}) == pytest.approx(0.00144)
    assert net.cells({"B": T, "O": F, "D": T, "L": F, "H": T}) == pytest.approx(
        {"O": 0.4, "B": 0.3, "L": 0.4, "D": 0.1, "H": 0.3}
    )
    assert belief(net, "D", "B") == pytest.approx(0.07)
    assert net.query("D", {"B": F})[F] == pytest.approx(0.86)
    assert net.query("D", {"B": T})[F] == pytest.approx(0.93)
    assert net.query("D")[F] == pytest.approx(0.881)
    assert net.query("B", {"D": F})[F] == pytest.approx(0.683, abs=5e-4)
    # Its table is a product, so seeing the dog explains nothing away.
    assert belief(net, "B", "D") == pytest.approx(belief(net, "B", "D", "O")) == pytest.approx(0.1765, abs=5e-5)
    assert belief(net, "D", "O", "B", "H") == pytest.approx(0.136, abs=5e-4)
    assert [belief(net, "O", "L"), belief(net, "H", "L"), belief(net, "O", "L", "H")] == pytest.approx(
        [0.429, 0.1267, 0.396], abs=5e-4
    )


def test_storm_numbers():
    net = examples.storm()
    assert {v: round(p[T], 4) for v, p in net.marginals().items()} == {
        "Storm": 0.2, "Bus": 0.5, "Lightning": 0.16, "Thunder": 0.228, "Campfire": 0.45, "ForestFire": 0.1099
    }  # fmt: skip
    cell = {"Storm": T, "Bus": F, "Lightning": T, "Thunder": T, "Campfire": F, "ForestFire": T}
    assert net.joint(cell) == pytest.approx(0.00972)
    assert belief(net, "Campfire", "Thunder") == pytest.approx(0.373, abs=5e-4)
    assert belief(net, "Campfire", "Storm") == pytest.approx(belief(net, "Campfire", "Storm", "Thunder")) == 0.25
    storms = [
        belief(net, "Storm", Campfire=F),
        belief(net, "Storm", Campfire=F, Bus=T),
        belief(net, "Storm", Campfire=F, Bus=F),
    ]
    assert storms == pytest.approx([0.273, 0.429, 0.220], abs=5e-4)
    assert [belief(net, "Storm", "Campfire", Bus=bus) for bus in (T, F)] == pytest.approx([1 / 9, 1 / 9])
    assert [belief(net, "Storm", "ForestFire", **bus) for bus in ({}, {"Bus": T}, {"Bus": F})] == pytest.approx(
        [0.247, 0.197, 0.341], abs=5e-4
    )


def test_asia_numbers_are_those_of_the_paper():
    after = examples.asia().marginals({"asia": T, "dysp": T})
    assert [after[v][T] for v in ("tub", "lung", "bronc")] == pytest.approx([0.0878, 0.0995, 0.8114], abs=5e-5)
    theirs = standard("asia").marginals({"asia": "yes", "dysp": "yes"})
    assert all(list(after[v].values()) == pytest.approx(list(theirs[v].values()), abs=1e-12) for v in after)


def test_student_knows_with_56_percent_and_the_grass_is_wet_in_the_book():
    assert examples.student().query("K")[T] == pytest.approx(0.56)
    assert belief(examples.sprinkler(), "Rain", "Sprinkler") == pytest.approx(0.3)


def test_a_network_needs_few_numbers():
    counts = {make.__name__: (net.parameter_count, net.joint_parameter_count) for make in COURSE if (net := make())}
    assert counts["storm"] == (18, 63) and counts["dog"] == counts["burglary"] == counts["student"] == (10, 31)
    assert standard("alarm").parameter_count == 509


@pytest.mark.parametrize(
    "make, order, count",
    [
        (examples.burglary, "Burglary Earthquake Alarm JohnCalls MaryCalls", 10),
        (examples.burglary, "MaryCalls JohnCalls Alarm Burglary Earthquake", 13),
        (examples.burglary, "MaryCalls JohnCalls Earthquake Burglary Alarm", 31),
        (examples.dog, "O B L D H", 10),
        (examples.dog, "H L D O B", 15),
    ],
)
def test_a_wrong_order_costs_numbers_and_keeps_the_joint(make, order, count):
    net, other = make(), make().reordered(order.split())
    assert other.parameter_count == count
    axes = [other.variables.index(v) for v in net.variables]
    assert other.joint_table().transpose(axes) == pytest.approx(net.joint_table())


# What a network is made of


def test_every_way_to_write_a_table_gives_the_same_network():
    parents = {"Rain": [], "Mood": "Rain"}
    states = {"Rain": ["yes", "no"], "Mood": ["good", "fair", "bad"]}
    array = [[0.1, 0.2, 0.7], [0.5, 0.3, 0.2]]
    rows = {"yes": {"bad": 0.7, "good": 0.1, "fair": 0.2}, "no": [0.5, 0.3, 0.2]}
    ways = [(0.3, array), ({"no": 0.7, "yes": 0.3}, rows), ([0.3, 0.7], {("yes",): array[0], ("no",): array[1]})]
    nets = [
        BeliefNetwork(parents, {"Rain": rain, "Mood": np.array(mood) if mood is array else mood}, states)
        for rain, mood in ways
    ]
    for net in nets:
        assert net.factor("Rain").tolist() == [0.3, 0.7] and net.factor("Mood").tolist() == array
    assert nets[0].table("Mood")[("no",)] == {"good": 0.5, "fair": 0.3, "bad": 0.2}
    assert nets[0].table("Rain") == {(): {"yes": 0.3, "no": 0.7}}
    assert repr(nets[0]) == "<BeliefNetwork P(Rain), P(Mood | Rain)>"


def test_variables_come_in_topological_order_and_the_readers_order_where_that_is_one():
    assert examples.storm().variables[:3] == ("Storm", "Bus", "Lightning")
    backwards = BeliefNetwork(
        {"c": ["b"], "b": ["a"], "a": []}, {"a": 0.5, "b": {T: 0.1, F: 0.2}, "c": {T: 0.3, F: 0.4}}
    )
    assert backwards.variables == ("a", "b", "c") and backwards.edges == (("a", "b"), ("b", "c"))
    assert backwards.children["a"] == ("b",) and backwards.parents["c"] == ("b",)


def test_ones_and_zeros_serve_as_true_and_false():
    assert examples.dog().query("D", {"B": 1, "O": np.False_}) == examples.dog().query("D", {"B": True, "O": False})


def test_a_network_does_not_change():
    table = np.array([0.2, 0.8])
    net = BeliefNetwork({"a": []}, {"a": table})
    table[0] = 0.9
    assert net.factor("a")[0] == 0.2
    with pytest.raises(ValueError, match="read-only"):
        net.factor("a")[0] = 1
    with pytest.raises(TypeError):
        net.states["a"] = (1, 2)
    with pytest.raises(AttributeError):
        net.variables = ()


def test_the_package_loads_networks_when_they_are_asked_for():
    code = "import sys, bayeslib; a = 'bayeslib.models.networks' in sys.modules; bayeslib.networks.examples.dog(); print(a)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False" and bl.BeliefNetwork is BeliefNetwork
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = bl.nothing


def test_a_network_can_be_copied_and_pickled():
    for again in (copy.deepcopy(DOG), pickle.loads(pickle.dumps(DOG))):
        assert again.variables == DOG.variables and again.states == DOG.states
        assert again.marginals({"H": T}) == DOG.marginals({"H": T})


def test_a_single_number_of_any_kind_is_the_first_states_probability():
    for number in (np.float32(0.25), np.float64(0.25), Fraction(1, 4)):
        assert BeliefNetwork({"a": []}, {"a": number}).factor("a").tolist() == [0.25, 0.75]


def test_with_tables_changes_a_copy():
    net = examples.storm()
    other = net.with_tables({"Campfire": {(T, T): 0.8, (T, F): 0.1, (F, T): 0.8, (F, F): 0.2}})
    assert belief(other, "Storm", "Campfire", "Bus") == pytest.approx(0.2)
    assert belief(net, "Storm", "Campfire", "Bus") == pytest.approx(1 / 9)


# Independent oracles


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", STANDARD)
def test_every_marginal_under_random_evidence_is_that_of_pgmpy(name):
    from pgmpy.inference import VariableElimination
    from pgmpy.readwrite import BIFReader

    net, rng = standard(name), np.random.default_rng(0)
    theirs = BIFReader(string=gzip.open(MODELS / f"{name}.bif.gz", "rt").read()).get_model()
    words = {v: theirs.get_cpds(v).state_names[v] for v in net.variables}
    sample = net.sample(3, rng)
    for i in range(3):
        seen = rng.permutation(net.variables)[: min(i * 3, len(net.variables) // 2)].tolist()
        evidence = {v: sample[v][i] for v in seen}
        in_words = {v: words[v][net.states[v].index(state)] for v, state in evidence.items()}
        ours, engine = net.marginals(evidence), VariableElimination(theirs)
        for v in set(net.variables) - set(seen):
            answer = engine.query([v], evidence=in_words, show_progress=False)
            order = [answer.state_names[v].index(word) for word in words[v]]
            assert list(ours[v].values()) == pytest.approx(answer.values[order], abs=1e-7)
            assert list(net.query(v, evidence).values()) == pytest.approx(answer.values[order], abs=1e-7)


def test_every_marginal_of_alarm_and_the_evidence_is_that_of_pyagrum(tmp_path):
    import pyagrum

    from bayeslib.models.networks import write_bif

    net, rng = standard("alarm"), np.random.default_rng(1)
    write_bif(net, tmp_path / "alarm.bif")
    theirs = pyagrum.loadBN(str(tmp_path / "alarm.bif"))
    sample = net.sample(10, rng)
    for i in range(10):
        evidence = {v: sample[v][i].item() for v in rng.permutation(net.variables)[:6].tolist()}
        engine = pyagrum.LazyPropagation(theirs)
        engine.setEvidence({v: str(state) for v, state in evidence.items()})
        engine.makeInference()
        for v, ours in net.marginals(evidence).items():
            assert list(ours.values()) == pytest.approx(engine.posterior(v).tolist(), abs=1e-7)
        assert net.log_evidence(evidence) == pytest.approx(log(engine.evidenceProbability()), rel=1e-6)


# The algebra, on random networks


@st.composite
def networks(draw, most=6, generic=False):
    """A random network: any acyclic arrows, one to three states, tables with zeros here and there unless `generic`."""
    number = draw(st.integers(2, most))
    cards = [draw(st.integers(2 if generic else 1, 3)) for _ in range(number)]
    parents = {f"x{i}": [f"x{j}" for j in range(i) if draw(st.booleans())][:3] for i in range(number)}
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tables = {}
    for i, (v, theirs) in enumerate(parents.items()):
        shape = [cards[int(p[1:])] for p in theirs] + [cards[i]]
        weights = rng.random(shape) ** 2 + (0.02 if generic else 1e-3)
        if not generic:
            weights[rng.random(shape) < 0.15] = 0
            weights[weights.sum(axis=-1) == 0] = 1
        tables[v] = weights / weights.sum(axis=-1, keepdims=True)
    states = {v: [f"s{k}" for k in range(cards[i])] for i, v in enumerate(parents)}
    names = draw(st.permutations(list(parents)))  # the reader may write variables in any order
    return BeliefNetwork({v: parents[v] for v in names}, tables, states)


@st.composite
def questions(draw, **how):
    """A network, targets and evidence that is part of a sample, so that it is possible."""
    net = draw(networks(**how))
    names = draw(st.permutations(net.variables))
    asked = draw(st.integers(1, min(2, len(names) - 1)))
    seen = draw(st.integers(0, len(names) - asked))
    sample = net.sample(1, draw(st.integers(0, 1000)))
    return net, names[:asked], {v: sample[v][0] for v in names[asked : asked + seen]}


@settings(deadline=None)
@given(networks())
def test_the_joint_sums_to_one_and_is_the_product_of_cells(net):
    joint = net.joint_table()
    assert joint.sum() == pytest.approx(1)
    for codes in product(*map(range, joint.shape)):
        assignment = {v: net.states[v][code] for v, code in zip(net.variables, codes)}
        assert net.joint(assignment) == pytest.approx(joint[codes], abs=1e-15)


@settings(deadline=None)
@given(questions(), st.randoms())
def test_elimination_equals_enumeration_in_any_order(question, random):
    net, targets, evidence = question
    wanted = enumeration(net, targets, evidence)
    hidden = [v for v in net.variables if v not in targets and v not in evidence]
    random.shuffle(hidden)
    assert net.query(targets, evidence) == pytest.approx(wanted.answer, abs=1e-12)
    for told in (net.explain(targets, evidence), net.explain(targets, evidence, hidden)):
        assert told.answer == pytest.approx(wanted.answer, abs=1e-12)
        assert told.evidence_probability == pytest.approx(wanted.evidence_probability)
    assert told.order == tuple(hidden)
    assert exp(net.log_evidence(evidence)) == pytest.approx(wanted.evidence_probability)


@settings(deadline=None)
@given(questions())
def test_short_sums_trees_and_elimination_agree(question):
    net, targets, evidence = question
    at_once, one_by_one = network.AT_ONCE, network.ONE_BY_ONE
    answers, logs = [], []
    try:
        for network.AT_ONCE, network.ONE_BY_ONE in ((10**6, 10**6), (0, 10**6), (0, 0)):
            answers.append(net.query(targets, evidence))
            logs.append(net.log_evidence(evidence))
    finally:
        network.AT_ONCE, network.ONE_BY_ONE = at_once, one_by_one
    assert answers[0] == pytest.approx(answers[1], abs=1e-12) and answers[0] == pytest.approx(answers[2], abs=1e-12)
    assert logs == pytest.approx([logs[0]] * 3)


@settings(deadline=None)
@given(questions())
def test_one_pass_gives_every_marginal_and_every_family(question):
    net, _, evidence = question
    marginals, (families, log_evidence) = net.marginals(evidence), net.families(evidence)
    joint = net.joint_table()
    for v, state in evidence.items():
        joint = joint * (np.arange(len(net.states[v])) == net.states[v].index(state)).reshape(
            [-1 if u == v else 1 for u in net.variables]
        )
    assert log_evidence == pytest.approx(log(joint.sum())) == pytest.approx(net.log_evidence(evidence))
    joint = joint / joint.sum()
    for i, v in enumerate(net.variables):
        alone = joint.sum(axis=tuple(j for j in range(joint.ndim) if j != i))
        assert list(marginals[v].values()) == pytest.approx(alone.tolist(), abs=1e-12)
        scope = [net.variables.index(u) for u in (*net.parents[v], v)]
        assert families[v] == pytest.approx(np.einsum(joint, list(range(joint.ndim)), scope), abs=1e-12)


def dependence(net, a, b, given):
    """The largest |P(a,b|g) P(g)² − P(a,g) P(b,g)| over all states: 0 if and only if independent."""
    joint, every = net.joint_table(), net.variables
    number = [[every.index(v) for v in group] for group in (a, b, given)]
    sums = lambda *groups: np.einsum(joint, range(joint.ndim), sorted(sum(groups, [])))  # noqa: E731
    put = lambda array, *groups: array.reshape(  # noqa: E731
        [joint.shape[i] if any(i in group for group in groups) else 1 for i in range(joint.ndim)]
    )
    a, b, g = number
    both = put(sums(a, b, g), a, b, g) * put(sums(g), g)
    return np.abs(both - put(sums(a, g), a, g) * put(sums(b, g), b, g)).max()


@settings(deadline=None)
@given(networks(most=5, generic=True), st.data())
def test_d_separation_is_numerical_independence(net, data):
    names = data.draw(st.permutations(net.variables))
    a, b = [names[0]], list(names[1 : data.draw(st.integers(2, len(names)))])
    rest = [v for v in names if v not in a and v not in b]
    given = rest[: data.draw(st.integers(0, len(rest)))]
    separated = net.d_separated(a, b, given)
    assert separated == (dependence(net, a, b, given) < 1e-12)
    assert separated == net.d_separated(b, a, given)
    assert separated == (not any(path.open for v in b for path in net.paths(a[0], v, given) if open_within(path, b)))


def open_within(path, ends):
    """A path that ends at the first of the `ends` it meets."""
    return not set(path.variables[1:-1]) & set(ends)


@settings(deadline=None)
@given(networks(most=5, generic=True))
def test_the_markov_blanket_screens_a_variable_off_and_nothing_less_does(net):
    for v in net.variables:
        blanket = net.markov_blanket(v)
        rest = [u for u in net.variables if u != v and u not in blanket]
        assert not rest or net.d_separated(v, rest, blanket)
        for u in blanket:
            assert not net.d_separated(v, u, [w for w in blanket if w != u])


def test_a_product_table_hides_a_dependence_in_one_state_only():
    net = examples.storm()
    assert not net.d_separated("Storm", "Bus", "Campfire")
    assert dependence(net, ["Storm"], ["Bus"], ["Campfire"]) > 1e-3
    assert net.d_separated("Storm", "Bus") and net.d_separated({"Thunder"}, ["Campfire", "Bus"], {"Storm"})


def test_paths_say_what_opens_and_blocks_them():
    net = examples.storm()
    closed = net.paths("Storm", "Bus")
    assert [path.open for path in closed] == [False] * 3
    assert closed[0].variables == ("Storm", "Campfire", "Bus")
    assert [each.reason for each in closed[0].blocks] == ["collider unobserved"]
    opened = net.paths("Storm", "Bus", ["ForestFire"])
    assert opened[0].open and opened[0].inner[0].reason == "collider opened by ForestFire"
    reasons = {
        path.variables: [each.reason for each in path.blocks] for path in net.paths("Thunder", "Campfire", "Storm")
    }
    assert reasons["Thunder", "Lightning", "Storm", "Campfire"] == ["fork observed"]
    assert reasons["Thunder", "Lightning", "ForestFire", "Campfire"] == ["collider unobserved"]
    chain = examples.dog().paths("O", "H", "D")
    assert [(each.kind, each.reason) for each in chain[0].inner] == [("chain", "chain observed")]


# Elimination shows its work


def test_elimination_of_the_dog_net_step_by_step():
    told = examples.dog().explain("O", {"H": T}, order=["L", "B", "D"])
    made = [step.made.array.round(4).tolist() for step in told.steps]
    assert made == [[1, 1], [[0.085, 0.915], [0.17, 0.83]], [0.117, 0.134], [0.0702, 0.0536]]
    assert [step.size for step in told.steps] == [4, 8, 4, 2] and told.largest == 8
    assert [[factor.name for factor in step.used] for step in told.steps[:3]] == [
        ["P(L | O)"], ["P(B)", "P(D | O, B)"], ["P(H=true | D)", "τ2(O, D)"]
    ]  # fmt: skip
    assert told.answer[T] == pytest.approx(0.567, abs=5e-4) and told.evidence_probability == pytest.approx(0.1238)
    # Two factors over 8, two over 4 and three over 2 entries; each sum halves its table.
    assert (told.multiplications, told.additions) == (8 + 4 + 2 * 2, 2 + 4 + 2)
    assert [len(step.left) for step in told.steps] == [5, 4, 3, 1]


def test_barren_leaves_are_left_out_unless_an_order_names_them():
    assert examples.dog().explain("O", {"H": T}).barren == ("L",)
    assert examples.burglary().explain("Burglary").order == ()


def test_a_hub_is_eliminated_last():
    net = examples.star(10)
    leaves = [f"Leaf{i}" for i in range(2, 11)]
    assert net.explain("Leaf1", order=["Hub", *leaves]).largest == 2**11
    assert net.explain("Leaf1", order=["Hub", *leaves]).steps[0].made.size == 2**10
    assert net.explain("Leaf1", order=[*leaves, "Hub"]).largest == 4
    assert enumeration(net, "Leaf1").terms == 2**11


# Large networks


def test_a_thousand_features_do_not_underflow():
    number = 1000
    parents = {"C": [], **{f"x{i}": ["C"] for i in range(number)}}
    net = BeliefNetwork(parents, {v: {T: 0.11, F: 0.1} if p else 0.5 for v, p in parents.items()})
    evidence = {f"x{i}": i % 10 == 0 for i in range(number - 1)}  # the last one stays hidden
    odds = 100 * (log(0.11) - log(0.1)) + 899 * (log(0.89) - log(0.9))
    assert belief(net, "C", **evidence) == pytest.approx(1 / (1 + exp(-odds)))
    assert net.marginals(evidence)["C"][T] == pytest.approx(1 / (1 + exp(-odds)))
    wanted = log(0.5) + 100 * log(0.1) + 899 * log(0.9) + log(1 + exp(odds))
    assert net.log_evidence(evidence) == pytest.approx(wanted) and wanted < -300
    assert net.families(evidence)[1] == pytest.approx(wanted)


def test_a_long_chain_is_the_forward_algorithm():
    length, move, seen = 600, np.array([[0.7, 0.3], [0.3, 0.7]]), np.array([[0.05, 0.95], [0.02, 0.98]])
    parents = {"z0": [], "y0": ["z0"]}
    for t in range(1, length):
        parents |= {f"z{t}": [f"z{t - 1}"], f"y{t}": [f"z{t}"]}
    tables = {v: np.array([0.5, 0.5]) if not p else move if v[0] == "z" else seen for v, p in parents.items()}
    net = BeliefNetwork(parents, tables)
    forward, logs = np.array([0.5, 0.5]), 0.0
    for t in range(length):
        forward = (forward @ move if t else forward) * seen[:, 0]
        logs, forward = logs + log(forward.sum()), forward / forward.sum()
    evidence = {f"y{t}": True for t in range(length)}
    assert logs < -1000 and net.log_evidence(evidence) == pytest.approx(logs)
    last = f"z{length - 1}"
    assert belief(net, last, **evidence) == pytest.approx(forward[0])
    assert net.marginals(evidence)[last][T] == pytest.approx(forward[0])


def grid(side):
    parents = {(i, j): [(i - 1, j)] * (i > 0) + [(i, j - 1)] * (j > 0) for i in range(side) for j in range(side)}
    row = np.array([0.6, 0.4])
    return BeliefNetwork(parents, {v: np.broadcast_to(row, (2,) * len(p) + (2,)).copy() for v, p in parents.items()})


def test_a_network_too_wide_for_exact_inference_says_so_and_offers_sampling():
    net = grid(27)
    for ask in (
        lambda: net.query((26, 26)),
        net.families,
        lambda: net.explain((26, 26)),
        net.joint_table,
        net.marginals,
    ):
        with pytest.raises(ValueError, match=r"too wide for exact inference: it needs a table of .* entries \(.*GiB\).*"
                           "likelihood_weighting or gibbs_sampling"):  # fmt: skip
            ask()
    assert net.query((0, 3)) == pytest.approx({T: 0.6, F: 0.4})  # what is above it is slim
    assert likelihood_weighting(net, (26, 26), {(26, 25): T}, 2000, 0).answer[T] == pytest.approx(0.6, abs=0.05)


# Samplers


@pytest.mark.parametrize("sampler", [rejection_sampling, likelihood_weighting, gibbs_sampling])
@pytest.mark.parametrize("make, target, evidence", [
    (examples.dog, "O", {"L": T, "H": T}),
    (examples.sprinkler, "Rain", {"WetGrass": T}),
    (examples.student, "S", {"E": T, "H": F}),
    (lambda: standard("survey"), "E", {"T": "train"}),
])  # fmt: skip
def test_samplers_converge_on_the_exact_answer(sampler, make, target, evidence):
    net = make()
    exact, found = net.query(target, evidence), sampler(net, target, evidence, 8000, 1)
    assert found.running.shape == (8000, len(exact)) and found.effective.shape == (8000,)
    for state, p in exact.items():
        assert abs(found.answer[state] - p) < 4.5 * (p * (1 - p) / found.effective[-1]) ** 0.5
    assert np.nansum(found.running[-1]) == pytest.approx(1)


def test_the_claimed_standard_error_is_the_spread_over_many_runs():
    net, exact = examples.dog(), examples.dog().query("O", {"L": T, "H": T})[T]
    for sampler in (rejection_sampling, likelihood_weighting, gibbs_sampling):
        runs = [sampler(net, "O", {"L": T, "H": T}, 500, seed) for seed in range(60)]
        spread = np.sqrt(np.mean([(run.answer[T] - exact) ** 2 for run in runs]))
        claimed = np.mean([(exact * (1 - exact) / run.effective[-1]) ** 0.5 for run in runs])
        assert 0.7 < spread / claimed < 1.4, sampler


def test_prior_sampling_counts_and_rejection_without_evidence_is_the_same():
    net = examples.dog()
    prior, rejection = prior_sampling(net, "D", 1000, 3), rejection_sampling(net, "D", None, 1000, 3)
    drawn = net.sample(1000, 3)["D"]
    assert prior.running == pytest.approx(rejection.running) and prior.kept == 1000
    assert prior.running[:, 0] == pytest.approx(np.cumsum(drawn) / np.arange(1, 1001))
    assert prior.effective.tolist() == pytest.approx(np.arange(1, 1001).tolist())


def test_rare_evidence_starves_rejection_and_weighting_but_not_gibbs():
    net, calls = examples.burglary(), {"JohnCalls": T, "MaryCalls": T}
    worth = {
        s: s(net, "Burglary", calls, 10_000, 0) for s in (rejection_sampling, likelihood_weighting, gibbs_sampling)
    }
    assert 5 <= worth[rejection_sampling].kept <= 45  # P(j, m) = .00208
    assert worth[likelihood_weighting].kept == 10_000 and worth[likelihood_weighting].effective[-1] < 150
    assert worth[gibbs_sampling].effective[-1] > 3000
    assert np.isnan(worth[rejection_sampling].running[0]).all() and worth[rejection_sampling].effective[0] == 0


def test_gibbs_is_locked_where_neighbours_copy_each_other():
    assert gibbs_sampling(examples.locked(), "X", None, 10_000, 0).effective[-1] < 200
    assert prior_sampling(examples.locked(), "X", 10_000, 0).effective[-1] == pytest.approx(10_000)


def test_samples_have_the_right_shares_and_kinds():
    net = standard("survey")
    sample = net.sample(20_000, 0)
    for v, shares in net.marginals().items():
        for state, p in shares.items():
            assert (sample[v] == state).mean() == pytest.approx(p, abs=0.015)
    assert examples.dog().sample(3, 0)["B"].dtype == bool and sample["A"].dtype.kind == "U"
    again = np.random.default_rng(0)
    assert (net.sample(20_000, again)["T"] == sample["T"]).all()
    odd = BeliefNetwork({"a": []}, {"a": [0.5, 0.5]}, {"a": [("x", 1), None]})
    assert set(odd.sample(50, 0)["a"]) == {("x", 1), None}


# Bad input


def with_one(**changes):
    """The dog net with some arguments changed."""
    net = examples.dog()
    parts = {"parents": dict(net.parents), "tables": {v: net.factor(v) for v in net.variables}, "states": None}
    for name, change in changes.items():
        parts[name] = {**(parts[name] or {}), **change}
    return BeliefNetwork(**parts)


DOG = examples.dog()
IMPOSSIBLE = examples.sprinkler()


@pytest.mark.parametrize("call, words", [
    (lambda: with_one(parents={"O": ["H"]}), "parents must not form a directed cycle, got O → D → H → O"),
    (lambda: with_one(parents={"B": ["B"]}), "directed cycle, got B → B"),
    (lambda: with_one(parents={"D": ["O", "X"]}), "parents['D'] must name variables of the network, {'O', 'B', 'L', 'D', 'H'}, got 'X'"),
    (lambda: with_one(parents={"D": ["O", "O"]}), "parents['D'] must name each parent once"),
    (lambda: with_one(parents={"D": 3}), "parents['D'] must be a sequence of variables, got 3"),
    (lambda: BeliefNetwork({}, {}), "parents must be a mapping of at least one variable"),
    (lambda: BeliefNetwork(["a"], {}), "parents must be a mapping"),
    (lambda: BeliefNetwork({"a": []}, [0.5]), "tables must be a mapping"),
    (lambda: BeliefNetwork({"a": [], "b": []}, {"a": 0.5}), "tables must have a table for every variable, missing: {'b'}"),
    (lambda: with_one(tables={"X": 0.5}), "tables must name variables of the network, {'O', 'B', 'L', 'D', 'H'} as in parents, got 'X'"),
    (lambda: BeliefNetwork({"a": []}, {"a": 0.5}, [1, 2]), "states must be a mapping of variable to its states, got [1, 2]"),
    (lambda: with_one(states={"X": [1, 2]}), "states must name variables of the network"),
    (lambda: with_one(states={"O": "ab"}), "states['O'] must be a sequence of distinct states, got 'ab'"),
    (lambda: with_one(states={"O": [1, 1]}), "states['O'] must be a sequence of distinct states"),
    (lambda: with_one(tables={"D": np.ones((2, 2))}),
     "tables['D'] must have shape (2, 2, 2), axes (O: 2, B: 2, D: 2; its parents in order, then D), got shape (2, 2)"),
    (lambda: with_one(tables={"O": [0.1, 0.2, 0.7]}), "tables['O'] must have shape (2,), axes (O: 2; O has no parents), got shape (3,)"),
    (lambda: with_one(tables={"D": "x"}), "tables['D'] must have shape (2, 2, 2)"),
    (lambda: with_one(tables={"L": 0.5}), "tables['L'] must have shape (2, 2)"),
    (lambda: with_one(tables={"D": {(T, T): 0.1, (F, F): 0.2}}),
     "must have a row for each of the 4 combinations of its parents' states (O, B), got 2; missing: (True, False), (False, True)"),
    (lambda: with_one(tables={"D": {(T, "yes"): 0.1}}), "tables['D'][(True, 'yes')]: B must be one of its states {True, False}, got 'yes'"),
    (lambda: with_one(tables={"D": {T: 0.1}}), "tables['D'][True] must be keyed by one state of each parent, (O, B)"),
    (lambda: with_one(tables={"O": {T: 0.1}}), "tables['O'] must give a probability for each of {True, False}, got {True}"),
    (lambda: with_one(tables={"O": {T: 0.1, F: 0.8}}), "tables['O'] must sum to 1, got 0.9 over {True, False}"),
    (lambda: with_one(tables={"O": 1.2}), "tables['O'] must be a probability between 0 and 1, got 1.2"),
    (lambda: with_one(tables={"L": {T: [0.5, 0.6], F: 0.5}}), "tables['L'][True] must sum to 1, got 1.1"),
    (lambda: with_one(tables={"L": {T: [0.5, 0.6, 0], F: 0.5}}), "tables['L'][True] must give 2 probabilities, one for each of"),
    (lambda: with_one(tables={"D": np.full((2, 2, 2), 0.4)}), "tables['D'][(True, True)] must sum to 1, got 0.8"),
    (lambda: with_one(tables={"O": [1.5, -0.5]}), "tables['O'], the probability of True, must be a probability between 0 and 1"),
    (lambda: with_one(tables={"O": [np.nan, 0.5]}), "tables['O'], the probability of True,"),
    (lambda: BeliefNetwork({"a": []}, {"a": 0.5}, {"a": [1, 2, 3]}), "for each of {1, 2, 3}, got the single number 0.5"),
    (lambda: DOG.query("X"), "target must name variables of the network, {'O', 'B', 'L', 'D', 'H'}, got 'X'"),
    (lambda: DOG.query(["O", "X"]), "target must name variables of the network"),
    (lambda: DOG.query([]), "target must name at least one variable"),
    (lambda: DOG.query(["O", "O"]), "and each once"),
    (lambda: DOG.query("O", {"X": T}), "evidence must name variables of the network"),
    (lambda: DOG.query("O", {"L": "on"}), "evidence['L'] must be one of {True, False}, got 'on'"),
    (lambda: DOG.query("O", ["L"]), "evidence must be a mapping of variable to state, got ['L']"),
    (lambda: DOG.query("O", {"O": T}), "target 'O' is observed, evidence says True: ask about another variable"),
    (lambda: DOG.explain("O", {"O": T}), "target 'O' is observed"),
    (lambda: enumeration(DOG, "O", {"O": T}), "target 'O' is observed"),
    (lambda: DOG.explain("O", {"H": T}, ["L", "B"]), "order must name every hidden variable once, {'B', 'L', 'D'}, got ['L', 'B']"),
    (lambda: DOG.joint({"O": T, "B": T}), "assignment must give a state to every variable, missing: {'L', 'D', 'H'}"),
    (lambda: DOG.joint({"O": 3}), "assignment['O'] must be one of {True, False}, got 3"),
    (lambda: DOG.factor("X"), "variable must name variables of the network"),
    (lambda: DOG.with_tables({"X": 0.1}), "tables must name variables of the network"),
    (lambda: DOG.markov_blanket("X"), "variable must name variables of the network"),
    (lambda: DOG.d_separated("O", "X"), "b must name variables of the network"),
    (lambda: DOG.d_separated("O", []), "must name at least one variable"),
    (lambda: DOG.d_separated("O", "B", ["O"]), "a and given must not overlap, both name {'O'}"),
    (lambda: DOG.d_separated("O", {"O", "B"}), "a and b must not overlap"),
    (lambda: DOG.paths("O", "H", limit=0), "more than 0 paths between 'O' and 'H'"),
    (lambda: DOG.reordered(["O", "B"]), "order must name every variable once"),
    (lambda: DOG.sample(0), "n must be a whole number of at least 1, got 0"),
    (lambda: likelihood_weighting(DOG, "O", n=2.5), "n must be a whole number of at least 1"),
    (lambda: gibbs_sampling(DOG, "O", n=2.5), "n must be a whole number of at least 1"),
    (lambda: gibbs_sampling(DOG, "O", n=10, burn_in=-1), "burn_in must be a whole number of at least 0, got -1"),
    (lambda: likelihood_weighting(DOG, ["O", "B"]), "target must be one variable"),
    (lambda: gibbs_sampling(IMPOSSIBLE, "Cloudy", {"Sprinkler": F, "Rain": F, "WetGrass": T}), "evidence must be possible"),
])  # fmt: skip
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value)


def test_impossible_evidence_is_named_by_every_method():
    never = {"Sprinkler": F, "Rain": F, "WetGrass": T}
    words = r"evidence is impossible in this network: P\(Sprinkler=False, Rain=False, WetGrass=True\) = 0"
    ways = (
        IMPOSSIBLE.query,
        IMPOSSIBLE.explain,
        lambda v, e: enumeration(IMPOSSIBLE, v, e),
        lambda v, e: IMPOSSIBLE.marginals(e),
    )
    for ask in ways:
        with pytest.raises(ValueError, match=words):
            ask("Cloudy", never)
    assert IMPOSSIBLE.log_evidence(never) == IMPOSSIBLE.log_joint({"Cloudy": T, **never}) == -np.inf
    large = standard("alarm")
    zero = {v: large.states[v][0] for v in ("HRBP", "HR", "ERRLOWOUTPUT")}
    assert large.log_evidence(zero) > -np.inf


# The picture


@pytest.mark.parametrize("make", COURSE)
def test_nodes_stand_apart_inside_the_axes_and_no_arrow_crosses_a_node(make):
    net, figure = make(), theme.figure((0.01, 0.01, 0.6, 0.98))
    picture = draw_network(net, figure.axes[0], notes={}, animated=True)
    (left, right), (bottom, top) = figure.axes[0].get_xlim(), figure.axes[0].get_ylim()
    for v, (x, y) in picture.places.items():
        assert left < x - picture.wide[v] / 2 and x + picture.wide[v] / 2 < right and top < y < bottom
    for a, b in combinations(net.variables, 2):
        (x1, y1), (x2, y2) = picture.places[a], picture.places[b]
        apart = abs(x1 - x2) > (picture.wide[a] + picture.wide[b]) / 2, abs(y1 - y2) > picture.tall
        assert any(apart), (a, b)
    for (a, b), (shaft, head) in picture.arrows.items():
        on_the_way = {picture.at(x, y) for x, y in shaft.get_xydata()}
        assert on_the_way <= {None, a, b} and shaft.get_animated() and head.get_animated()
        assert picture.places[a][1] < picture.places[b][1]  # causes above effects
    figure.canvas.draw()
    for v, name in picture.names.items():
        box = name.get_window_extent()
        assert box.width * 72 / figure.dpi < picture.wide[v]


def test_evidence_changes_colour_and_shape_and_edges_their_look():
    net, figure = examples.storm(), theme.figure((0, 0, 1, 1))
    picture = draw_network(net, figure.axes[0], evidence={"Storm": T, "Bus": F}, edges={("Storm", "Lightning"): "open"})
    assert [picture.boxes[v].get_visible() for v in ("Storm", "Bus", "Thunder")] == [True, True, False]
    assert [picture.pills[v].get_visible() for v in ("Storm", "Bus", "Thunder")] == [False, False, True]
    assert picture.names["Storm"].get_text() == "■ Storm" and picture.names["Bus"].get_text() == "□ Bus"
    assert picture.boxes["Storm"].get_facecolor() != picture.boxes["Bus"].get_facecolor()
    assert picture.arrows["Storm", "Lightning"][0].get_color() == theme.VERMILLION
    x, y = picture.places["Thunder"]
    assert picture.at(x, y) == "Thunder" and picture.at(-5, -5) is None
    picture.show(focus="Thunder")
    assert picture.frame.get_visible() and not picture.boxes["Storm"].get_visible()
    other = draw_network(
        standard("asia"), theme.figure((0, 0, 1, 1)).axes[0], evidence={"xray": "yes"}, labels={"xray": "X-ray"}
    )
    assert other.names["xray"].get_text() == "X-ray=yes"


# Evidence too improbable for floats


def witnesses(number, right=2e-3, wrong=1e-3):
    """A cause with many children, each of them improbable whatever the cause, but less so if it is there."""
    parents = {"Cause": [], **{f"Sign{i}": ["Cause"] for i in range(number)}}
    return BeliefNetwork(parents, {v: {T: right, F: wrong} if theirs else 0.5 for v, theirs in parents.items()})


@pytest.mark.parametrize("seen", [5, 110, 120, 300])
def test_what_many_improbable_signs_say_is_told_by_every_way_of_asking(seen):
    net, evidence = witnesses(300), {f"Sign{i}": T for i in range(seen)}
    wanted, log_evidence = {F: 1 / (1 + 2.0**seen), T: 1 / (1 + 0.5**seen)}, log(0.5) + log(1e-3) * seen
    log_evidence += log(1 + 2.0**seen)
    told = net.explain("Cause", evidence)
    for answer in (net.query("Cause", evidence), net.marginals(evidence)["Cause"], told.answer):
        assert answer == pytest.approx(wanted, rel=1e-10)
    assert net.log_evidence(evidence) == pytest.approx(log_evidence, rel=1e-12)
    assert told.log_evidence == pytest.approx(log_evidence, rel=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        weighted = likelihood_weighting(net, "Cause", evidence, 400, random_state=0)
        walked = gibbs_sampling(net, "Cause", evidence, 400, random_state=0)
    assert weighted.kept == 400 and not np.isnan(weighted.running).any()
    assert weighted.answer[T] == pytest.approx(wanted[T], abs=0.05) and walked.answer[T] == pytest.approx(
        wanted[T], abs=0.05
    )


def test_enumeration_and_elimination_add_up_terms_that_floats_cannot_hold():
    net, evidence = witnesses(8, 2e-60, 1e-60), {f"Sign{i}": T for i in range(8)}
    log_evidence = log(0.5) + 8 * log(1e-60) + log(1 + 2**8)
    for found in (enumeration(net, "Cause", evidence), net.explain("Cause", evidence)):
        assert found.answer[T] == pytest.approx(256 / 257) and found.log_evidence == pytest.approx(
            log_evidence, rel=1e-13
        )
        assert found.evidence_probability == 0.0
    factor = net.explain("Cause", evidence).steps[-1].made
    assert factor.array.max() == 1 and factor.log_scale < log(1e-300)


def test_signs_that_speak_for_either_side_by_more_than_a_float_holds_cancel():
    """Half of the signs are 10^-400 as probable if the cause is there, the other half if it is not."""
    parents = {"Cause": [], **{f"Sign{i}": ["Cause"] for i in range(80)}}
    tables = {f"Sign{i}": {T: 1e-20, F: 1e-10} if i < 40 else {T: 1e-10, F: 1e-20} for i in range(80)}
    net, evidence = BeliefNetwork(parents, {"Cause": 0.3, **tables}), {f"Sign{i}": T for i in range(80)}
    for answer in (
        net.query("Cause", evidence),
        net.marginals(evidence)["Cause"],
        net.explain("Cause", evidence).answer,
    ):
        assert answer[T] == pytest.approx(0.3, rel=1e-10)
    assert gibbs_sampling(net, "Cause", evidence, 2000, random_state=0).answer[T] == pytest.approx(0.3, abs=0.05)


def test_an_early_sample_that_weighs_nothing_beside_later_ones_is_all_there_is_to_begin_with():
    net = witnesses(300, 0.5, 1e-3)
    estimate = likelihood_weighting(net, "Cause", {f"Sign{i}": T for i in range(300)}, 50, random_state=0)
    assert estimate.running[0].tolist() == [0.0, 1.0] and estimate.running[-1].tolist() == pytest.approx([1.0, 0.0])
    assert not np.isnan(estimate.running).any() and estimate.effective[0] == 1


def test_what_is_impossible_is_still_called_so():
    net = witnesses(300, 1e-3, 1e-3).with_tables({"Sign7": {T: 0.0, F: 0.0}})
    evidence = {f"Sign{i}": T for i in range(300)}
    for ask in (net.query, net.explain, lambda *asked: enumeration(net, *asked)):
        with pytest.raises(ImpossibleEvidence, match="evidence is impossible"):
            ask("Cause", evidence)
    assert net.log_evidence(evidence) == -np.inf


def test_enumeration_refuses_what_it_cannot_finish_and_says_what_to_use():
    net = read_bif(MODELS / "alarm.bif.gz")
    with pytest.raises(ValueError, match=r"net is too large .*36 hidden .*net\.query.*likelihood_weighting"):
        enumeration(net, "CVP")


def test_a_pandas_row_is_evidence():
    row = pandas.DataFrame([{"JohnCalls": True, "MaryCalls": True}]).iloc[0]
    net, seen = examples.burglary(), {"JohnCalls": True, "MaryCalls": True}
    assert net.query("Burglary", row) == net.query("Burglary", seen)
    assert net.marginals(row) == net.marginals(seen) and net.log_evidence(row) == net.log_evidence(seen)
    assert enumeration(net, "Burglary", row).answer == enumeration(net, "Burglary", seen).answer
    for sampler in (rejection_sampling, likelihood_weighting, gibbs_sampling):
        assert sampler(net, "Burglary", row, 50, 0).kept == sampler(net, "Burglary", seen, 50, 0).kept
    whole = pandas.DataFrame(net.sample(1, 0)).iloc[0]
    assert net.joint(whole) == net.joint(whole.to_dict())
