"""Claims about belief networks (sections 07 and 08): the books' numbers, the joint table as oracle, samplers, the picture."""

import copy
import gzip
import pickle
from functools import cache
from itertools import combinations, product
from math import exp, inf, log, prod
from pathlib import Path

import numpy as np
import pandas
import pgmpy.utils
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayeslib.models.networks import (
    BeliefNetwork,
    ImpossibleEvidence,
    enumeration,
    examples,
    gibbs_sampling,
    graph,
    likelihood_weighting,
    network,
    read_bif,
    rejection_sampling,
)
from bayeslib.plots import network as draw_network
from bayeslib.plots import theme

T, F = True, False
MODELS = Path(pgmpy.utils.__file__).parent / "example_models"
DOG = examples.dog()


def sprinkler():
    """Russell and Norvig's wet grass, with the book's numbers."""
    wet = {(T, T): 0.99, (T, F): 0.9, (F, T): 0.9, (F, F): 0.0}
    parents = {"Cloudy": [], "Sprinkler": ["Cloudy"], "Rain": ["Cloudy"], "WetGrass": ["Sprinkler", "Rain"]}
    tables = {"Cloudy": 0.5, "Sprinkler": {T: 0.1, F: 0.5}, "Rain": {T: 0.8, F: 0.2}, "WetGrass": wet}
    return BeliefNetwork(parents, tables)


@cache
def standard(name):
    return read_bif(MODELS / f"{name}.bif.gz")


def belief(net, target, *true, **states):
    """P(target = True | those in `true`, and `states`)."""
    return net.query(target, {**dict.fromkeys(true, True), **states})[True]


# Numbers of the books


def test_two_calls_make_a_burglary_likely_and_an_earthquake_explains_the_alarm_away():
    net, night = examples.burglary(), {"JohnCalls": T, "MaryCalls": T, "Alarm": T, "Burglary": F, "Earthquake": F}
    said = [belief(net, "Burglary", *seen) for seen in (["JohnCalls", "MaryCalls"], ["Alarm"], ["Alarm", "Earthquake"])]
    assert said == pytest.approx([0.284, 0.374, 0.0033], abs=5e-4)
    assert exp(net.log_joint(night)) == pytest.approx(net.joint(night)) == pytest.approx(0.000628, abs=5e-7)
    assert (net.parameter_count, net.joint_parameter_count) == (10, 31)


# What a network is made of


def test_every_way_to_write_a_table_gives_the_same_network():
    parents, states = {"Rain": [], "Mood": "Rain"}, {"Rain": ["yes", "no"], "Mood": ["good", "fair", "bad"]}
    array = [[0.1, 0.2, 0.7], [0.5, 0.3, 0.2]]
    named = pandas.DataFrame(array, ["yes", "no"], states["Mood"])
    rows = {"yes": {"bad": 0.7, "good": 0.1, "fair": 0.2}, "no": [0.5, 0.3, 0.2]}
    ways = [(0.3, array), ({"no": 0.7, "yes": 0.3}, rows), ([0.3, 0.7], {("yes",): array[0], ("no",): array[1]})]
    ways += [(pandas.Series([0.3, 0.7]), pandas.DataFrame(array)), (0.3, named.iloc[::-1, ::-1])]
    for rain, mood in ways:
        net = BeliefNetwork(parents, {"Rain": rain, "Mood": mood}, states)
        assert net.factor("Rain").tolist() == [0.3, 0.7] and net.factor("Mood").tolist() == array
    assert net.table("Mood")["no",] == {"good": 0.5, "fair": 0.3, "bad": 0.2}


def test_a_pandas_table_has_the_parents_states_in_its_rows_even_where_its_columns_would_do():
    table = pandas.DataFrame([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.3, 0.2, 0.5]], list("abc"), list("abc"))
    net = BeliefNetwork({"p": [], "q": ["p"]}, {"p": [0.2, 0.3, 0.5], "q": table}, {v: list("abc") for v in "pq"})
    assert list(net.query("q", {"p": "a"}).values()) == pytest.approx([0.5, 0.3, 0.2])
    for wrong in (table.iloc[:2], table.set_axis(list("abx")), table.set_axis(list("abx"), axis=1)):
        with pytest.raises(ValueError, match=r"tables\['q'\]"):
            net.with_tables({"q": wrong})


def test_variables_come_parents_first_and_a_network_does_not_change():
    given = np.array([0.2, 0.8])
    net = BeliefNetwork({"c": ["b"], "b": ["a"], "a": []}, {"a": given, "b": np.eye(2), "c": {T: 0.3, F: 0.4}})
    given[0] = 0.9
    assert net.variables == ("a", "b", "c") and net.edges == (("a", "b"), ("b", "c")) and net.children["a"] == ("b",)
    assert net.factor("a")[0] == 0.2 and net.with_tables({"a": 0.5}).factor("a")[0] == 0.5 != net.factor("a")[0]
    with pytest.raises(ValueError, match="read-only"):
        net.factor("a")[0] = 1
    for again in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert again.marginals({"c": T}) == net.marginals({"c": T})


# The joint table as oracle, on random networks


@st.composite
def networks(draw, most=5, generic=False):
    """A random network: any acyclic arrows, one to three states, tables with zeros here and there unless `generic`."""
    number = draw(st.integers(2, most))
    cards = [draw(st.integers(2 if generic else 1, 3)) for _ in range(number)]
    parents = {f"x{i}": [f"x{j}" for j in range(i) if draw(st.booleans())][:3] for i in range(number)}
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tables = {}
    for i, (v, theirs) in enumerate(parents.items()):
        weights = rng.random([cards[int(p[1:])] for p in theirs] + [cards[i]]) ** 2 + 0.02
        if not generic:
            weights[rng.random(weights.shape) < 0.25] = 0
            weights[weights.sum(axis=-1) == 0] = 1
        tables[v] = weights / weights.sum(axis=-1, keepdims=True)
    states = {v: [f"s{k}" for k in range(cards[i])] for i, v in enumerate(parents)}
    names = draw(st.permutations(list(parents)))  # the reader may write variables in any order
    return BeliefNetwork({v: parents[v] for v in names}, tables, states)


def worlds(net):
    """Every assignment with its probability, a product of cells looked up by name."""
    tables = {v: net.table(v) for v in net.variables}
    for states in product(*net.states.values()):
        world = dict(zip(net.variables, states))
        yield world, prod(tables[v][tuple(world[p] for p in net.parents[v])][world[v]] for v in world)


def added(net, seen, *targets):
    """{states of the targets: P(targets, seen)}, added up world by world."""
    sums = dict.fromkeys(product(*(net.states[v] for v in targets)), 0.0)
    for world, p in worlds(net):
        if all(world[v] == state for v, state in seen.items()):
            sums[tuple(world[v] for v in targets)] += p
    return sums


@pytest.mark.parametrize("one_table", [network.ONE_TABLE, 0])
def test_every_answer_is_a_sum_over_the_joint_distribution_or_impossible(one_table, monkeypatch):
    monkeypatch.setattr(network, "ONE_TABLE", one_table)

    @settings(deadline=None, max_examples=60)
    @given(networks(), st.data())
    def holds(net, data):
        names = data.draw(st.permutations(net.variables))
        targets = names[: data.draw(st.integers(1, min(2, len(names) - 1)))]
        seen = {v: data.draw(st.sampled_from(net.states[v])) for v in names[len(targets) :] if data.draw(st.booleans())}
        hidden = [v for v in names if v not in targets and v not in seen]
        sums = added(net, seen, *targets)
        total = sum(sums.values())
        ways = (net.query, lambda *asked: net.explain(*asked).answer, lambda *asked: enumeration(net, *asked).answer)
        ways += (lambda t, e: net.explain(t, e, hidden).answer,)
        if total == 0:
            assert net.log_evidence(seen) == -inf
            for ask in (*ways, lambda _, e: net.marginals(e)):
                with pytest.raises(ImpossibleEvidence, match=r"P\(.*\) = 0"):
                    ask(targets, seen)
            return
        wanted = {states: p / total for states, p in sums.items()}
        assert all(ask(targets, seen) == pytest.approx(wanted, abs=1e-12) for ask in ways)
        told, marginals = net.explain(targets, seen, hidden), net.marginals(seen)
        assert told.order == tuple(hidden) and told.evidence_probability == pytest.approx(total)
        assert net.log_evidence(seen) == pytest.approx(log(total), abs=1e-12)
        for v in names:
            alone = {state: p / total for (state,), p in added(net, seen, v).items()}
            assert marginals[v] == pytest.approx(alone, abs=1e-12)

    holds()


def dependence(net, a, b, given):
    """The largest |P(a,b|g) P(g)² − P(a,g) P(b,g)| over all states: 0 if and only if independent."""
    joint = net.joint_table()

    def part(*keep):
        gone = tuple(i for i, v in enumerate(net.variables) if v not in keep)
        return joint.sum(axis=gone, keepdims=True)

    return np.abs(part(*a, *b, *given) * part(*given) - part(*a, *given) * part(*b, *given)).max()


@settings(deadline=None)
@given(networks(generic=True), st.data())
def test_d_separation_is_numerical_independence_and_open_paths_are_its_reason(net, data):
    names = data.draw(st.permutations(net.variables))
    a, b = [names[0]], list(names[1 : data.draw(st.integers(2, len(names)))])
    rest = [v for v in names if v not in a and v not in b]
    given = rest[: data.draw(st.integers(0, len(rest)))]
    separated = net.d_separated(a, b, given)
    assert separated == net.d_separated(b, a, given) == (dependence(net, a, b, given) < 1e-12)
    first = [path for v in b for path in net.paths(a[0], v, given) if not set(path.variables[1:-1]) & set(b)]
    assert separated == (not any(path.open for path in first))
    for v in net.variables:
        blanket = net.markov_blanket(v)
        far = [u for u in net.variables if u != v and u not in blanket]
        assert not far or net.d_separated(v, far, blanket)
        assert not any(net.d_separated(v, u, [w for w in blanket if w != u]) for u in blanket)


def test_a_string_is_one_variable():
    parents = {"a": [], "b": ["a"], "ab": []}
    assert graph.d_separated(parents, "ab", "b") and not graph.d_separated(parents, "a", "b")
    assert graph.ancestors(parents, "ab") == {"ab"} and graph.ancestors(parents, "b") == {"a", "b"}


def test_paths_say_what_opens_and_blocks_them():
    net = examples.storm()
    closed = net.paths("Storm", "Bus")
    assert [path.open for path in closed] == [False] * 3 and closed[0].variables == ("Storm", "Campfire", "Bus")
    assert [each.reason for each in closed[0].blocks] == ["collider unobserved"]
    opened = net.paths("Storm", "Bus", ["ForestFire"])[0]
    assert opened.open and opened.inner[0].reason == "collider opened by ForestFire"
    chain = DOG.paths("O", "H", "D")[0]
    assert [(each.kind, each.reason) for each in chain.inner] == [("chain", "chain observed")]


@pytest.mark.parametrize("order, count", [("B E A J M", 10), ("M J A B E", 13), ("M J E B A", 31)])
def test_a_wrong_order_costs_numbers_and_keeps_the_joint(order, count):
    net = examples.burglary()
    other = net.reordered([next(v for v in net.variables if v[0] == letter) for letter in order.split()])
    assert other.parameter_count == count
    axes = [other.variables.index(v) for v in net.variables]
    assert other.joint_table().transpose(axes) == pytest.approx(net.joint_table())


# Elimination shows its work


def test_elimination_of_the_dog_net_step_by_step():
    told = DOG.explain("O", {"H": T}, order=["L", "B", "D"])
    made = [step.made.array.round(4).tolist() for step in told.steps]
    assert made == [[1, 1], [[0.085, 0.915], [0.17, 0.83]], [0.117, 0.134], [0.0702, 0.0536]]
    assert [step.size for step in told.steps] == [4, 8, 4, 2] and told.largest == 8
    used = [[factor.name for factor in step.used] for step in told.steps[:3]]
    assert used == [["P(L | O)"], ["P(B)", "P(D | O, B)"], ["P(H=true | D)", "τ2(O, D)"]]
    # Two factors over 8, two over 4 and three over 2 entries.
    assert told.multiplications == 8 + 4 + 2 * 2 and [len(step.left) for step in told.steps] == [5, 4, 3, 1]
    assert DOG.explain("O", {"H": T}).barren == ("L",)


def test_a_hub_is_eliminated_last():
    net, leaves = examples.star(10), [f"Leaf{i}" for i in range(2, 11)]
    assert net.explain("Leaf1", order=["Hub", *leaves]).largest == 2**11 == enumeration(net, "Leaf1").terms
    assert net.explain("Leaf1", order=[*leaves, "Hub"]).largest == 4
    assert enumeration(net, "Leaf1").multiplications == 2**11 * 10
    told = examples.star(10, witnesses=True).explain("Leaf1", {f"Witness{i}": T for i in range(1, 11)})
    assert told.largest == 4 and told.order[-1] == "Hub"  # by min-fill


# Large networks


@pytest.mark.filterwarnings("ignore")
def test_answers_about_the_alarm_network_are_those_of_pgmpy():
    from pgmpy.inference import VariableElimination
    from pgmpy.readwrite import BIFReader

    net, rng = standard("alarm"), np.random.default_rng(0)
    model = BIFReader(string=gzip.open(MODELS / "alarm.bif.gz", "rt").read()).get_model()
    words = {v: model.get_cpds(v).state_names[v] for v in net.variables}
    sample = net.sample(1, rng)
    evidence = {v: sample[v][0] for v in rng.permutation(net.variables)[:6].tolist()}
    said, engine = (
        {v: words[v][net.states[v].index(state)] for v, state in evidence.items()},
        VariableElimination(model),
    )
    for v in list(set(net.variables) - set(evidence))[::3]:
        answer = engine.query([v], evidence=said, show_progress=False)
        order = [answer.state_names[v].index(word) for word in words[v]]
        assert list(net.query(v, evidence).values()) == pytest.approx(answer.values[order], abs=1e-7)
        assert net.explain(v, evidence).largest < 200  # of 10^16 cells: min-fill keeps tables small


def test_signs_that_speak_for_either_side_by_more_than_a_float_holds_cancel():
    """Half of the signs are 10^-400 as probable if the cause is there, the other half if it is not."""
    parents = {"Cause": [], **{f"Sign{i}": ["Cause"] for i in range(80)}}
    tables = {f"Sign{i}": {T: 1e-20, F: 1e-10} if i < 40 else {T: 1e-10, F: 1e-20} for i in range(80)}
    net, evidence = BeliefNetwork(parents, {"Cause": 0.3, **tables}), {f"Sign{i}": T for i in range(80)}
    assert belief(net, "Cause", **evidence) == pytest.approx(0.3, rel=1e-10)
    assert gibbs_sampling(net, "Cause", evidence, 2000, random_state=0).answer[T] == pytest.approx(0.3, abs=0.05)


def test_a_network_too_wide_for_exact_inference_says_so_and_offers_sampling():
    parents = {(i, j): [(i - 1, j)] * (i > 0) + [(i, j - 1)] * (j > 0) for i in range(27) for j in range(27)}
    net = BeliefNetwork(parents, {v: np.full((2,) * len(p) + (2,), 0.5) for v, p in parents.items()})
    for ask in (lambda: net.query((26, 26)), net.joint_table):
        with pytest.raises(ValueError, match=r"too wide for exact inference.*likelihood_weighting or gibbs_sampling"):
            ask()
    assert net.query((0, 3)) == pytest.approx({T: 0.5, F: 0.5})  # what is above it is slim


# Samplers

SAMPLERS = (rejection_sampling, likelihood_weighting, gibbs_sampling)


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("net, target, evidence", [
    (DOG, "O", {"L": T, "H": T}), (sprinkler(), "Rain", {"WetGrass": T}), (standard("survey"), "E", {"T": "train"}),
])  # fmt: skip
def test_samplers_converge_on_the_exact_answer(sampler, net, target, evidence):
    exact, found = net.query(target, evidence), sampler(net, target, evidence, 8000, 1)
    assert found.running.shape == (8000, len(exact)) and found.effective.shape == (8000,)
    assert list(found.answer.values()) == found.running[-1].tolist()
    for state, p in exact.items():
        assert abs(found.answer[state] - p) < 4.5 * (p * (1 - p) / found.effective[-1]) ** 0.5


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_claimed_standard_error_is_the_spread_over_many_runs(sampler):
    exact = DOG.query("O", {"L": T, "H": T})[T]
    runs = [sampler(DOG, "O", {"L": T, "H": T}, 500, seed) for seed in range(60)]
    spread = np.sqrt(np.mean([(run.answer[T] - exact) ** 2 for run in runs]))
    assert 0.7 < spread / np.mean([(exact * (1 - exact) / run.effective[-1]) ** 0.5 for run in runs]) < 1.4


def test_rare_evidence_starves_rejection_and_weighting_but_not_gibbs_which_near_copies_lock():
    net, calls = examples.burglary(), {"JohnCalls": T, "MaryCalls": T}
    rejected, weighted, walked = (sampler(net, "Burglary", calls, 10_000, 0) for sampler in SAMPLERS)
    assert 5 <= rejected.kept <= 45 and np.isnan(rejected.running[0]).all() and rejected.effective[0] == 0
    assert weighted.kept == 10_000 and weighted.effective[-1] < 150 and walked.effective[-1] > 3000
    assert gibbs_sampling(examples.locked(), "X", None, 10_000, 0).effective[-1] < 200
    with pytest.raises(ValueError, match="evidence must be possible"):
        gibbs_sampling(sprinkler(), "Cloudy", {"Sprinkler": F, "Rain": F, "WetGrass": T})


def test_samples_have_the_right_shares_and_kinds_and_a_row_of_them_is_evidence():
    net, odd = standard("survey"), BeliefNetwork({"a": []}, {"a": [0.5, 0.5]}, {"a": [("x", 1), None]})
    sample = pandas.DataFrame(net.sample(20_000, 0))
    for v, shares in net.marginals().items():
        assert sample[v].value_counts(normalize=True).to_dict() == pytest.approx(shares, abs=0.015)
    assert net.joint(sample.iloc[0]) > 0 and set(odd.sample(50, 0)["a"]) == {("x", 1), None}
    mixed = BeliefNetwork({"a": []}, {"a": [0.5, 0.5]}, {"a": [True, "no"]})
    assert set(mixed.sample(50, 0)["a"].tolist()) == {True, "no"} and DOG.sample(5, 0)["D"].dtype == bool


# Bad input


def with_one(**changes):
    """The dog net with some arguments changed."""
    parts = {"parents": dict(DOG.parents), "tables": {v: DOG.factor(v) for v in DOG.variables}, "states": {}}
    return BeliefNetwork(**{name: {**part, **changes.get(name, {})} for name, part in parts.items()})


@pytest.mark.parametrize("call, words", [
    (lambda: with_one(parents={"O": ["H"]}), "parents must not form a directed cycle, got O → D → H → O"),
    (lambda: with_one(parents={"D": ["O", "X"]}), "parents['D'] must name variables of the network"),
    (lambda: with_one(parents={"D": ["O", "O"]}), "parents['D'] must name each parent once"),
    (lambda: with_one(states={"O": [1, 1]}), "states['O'] must be a sequence of distinct states"),
    (lambda: with_one(states={"O": 5}), "states['O'] must be a sequence of distinct states"),
    (lambda: BeliefNetwork({"a": [], "b": []}, {"a": 0.5}), "tables must have a table for every variable, missing: {'b'}"),
    (lambda: with_one(tables={"X": 0.5}), "tables must name variables of the network"),
    (lambda: with_one(tables={"D": np.ones((2, 2))}), "tables['D'] must have shape (2, 2, 2), axes (O: 2, B: 2, D: 2;"),
    (lambda: with_one(tables={"D": {(T, T): 0.1, (F, F): 0.2}}), "got 2; missing: [(True, False), (False, True)]"),
    (lambda: with_one(tables={"D": {(T, "yes"): 0.1}}), "tables['D'][(True, 'yes')] must be keyed by states of its parents"),
    (lambda: with_one(tables={"O": {T: 0.1}}), "tables['O'] must give a probability for each of {True, False}, got {True: 0.1}"),
    (lambda: with_one(tables={"L": {T: [0.5, 0.6], F: 0.5}}), "tables['L'][True] must sum to 1, got 1.1"),
    (lambda: with_one(tables={"O": [np.nan, 0.5]}), "tables['O'], the probability of True, must be a probability"),
    (lambda: DOG.query(["O", "X"]), "target must name variables of the network, {'O', 'B', 'L', 'D', 'H'}, got 'X'"),
    (lambda: DOG.query(["O", "O"]), "target must name at least one variable, and each once"),
    (lambda: DOG.query("O", {"L": "on"}), "evidence['L'] must be one of {True, False}, got 'on'"),
    (lambda: DOG.query("O", {"O": T}), "target 'O' is observed, evidence says True: ask about another variable"),
    (lambda: DOG.explain("O", {"H": T}, ["L", "B"]), "order must name every hidden variable once, {'B', 'L', 'D'}"),
    (lambda: enumeration(standard("alarm"), "CVP"), "net is too large for enumeration: 36 hidden variables"),
    (lambda: DOG.joint({"O": T, "B": T}), "assignment must give a state to every variable, missing: {'L', 'D', 'H'}"),
    (lambda: DOG.d_separated("O", []), "b must name at least one variable"),
    (lambda: DOG.d_separated("O", "B", ["O"]), "a and given must not overlap, both name {'O'}"),
    (lambda: DOG.reordered(["O", "B"]), "order must name every variable once"),
    (lambda: likelihood_weighting(DOG, ["O", "B"]), "target must be one variable"),
])  # fmt: skip
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value)


# The picture


@pytest.mark.parametrize("net", [examples.storm(), DOG, examples.burglary(), examples.student(), standard("asia")])
def test_nodes_stand_apart_and_no_arrow_crosses_a_node(net):
    picture = draw_network(net, theme.figure((0.01, 0.01, 0.6, 0.98)).axes[0], notes={})
    for a, b in combinations(net.variables, 2):
        (x1, y1), (x2, y2) = picture.places[a], picture.places[b]
        assert abs(x1 - x2) > (picture.wide[a] + picture.wide[b]) / 2 or abs(y1 - y2) > picture.tall, (a, b)
    for (a, b), (shaft, _) in picture.arrows.items():
        assert {picture.at(x, y) for x, y in shaft.get_xydata()} <= {None, a, b}
        assert picture.places[a][1] < picture.places[b][1]  # causes above effects
