"""Section 07: what must hold of its figures, and its numbers computed once more."""

import re
from itertools import combinations, permutations, product

import numpy as np
import pytest

import bayeslib as bl
from bayeslib import data, live
from bayeslib.live.belief_networks import DOG, ROUNDS, STUDENT
from bayeslib.live.belief_networks import LETTERS as SHOWN_LETTERS
from bayeslib.models.networks import examples
from bayeslib.questions.question import Question
from tests.figures import EXPLAINED, check_network, number, placed, places, press, written
from tests.lab import ROOT
from tests.test_networks import sprinkler

STORM = examples.storm()
SETTINGS = {
    "observe": {
        "evidence": [{}, {"Thunder": True}, {"Campfire": False, "Bus": True}, dict.fromkeys(STORM.variables, False)],
        "focus": list(STORM.variables),
    },
    "joint_cells": {
        "case": [dict(zip(STORM.variables, states)) for states in product((True, False), repeat=6)][::5],
        "edits": [{}, {"Storm": [0.0, 1.0]}, {"Bus": [1.0, 0.0], "Thunder": [[0.5, 0.5], [0.25, 0.75]]}],
        "focus": list(STORM.variables),
    },
    "d_separation": {
        "evidence": [
            {},
            {"Campfire": True},
            {"Campfire": False},
            {"ForestFire": True, "Lightning": False},
            dict.fromkeys(STORM.variables, True),
        ],
        "focus": list(STORM.variables),
        "guesses": [[], [True], [True, False] * 4],
        "asked": [False, True],
    },
    "strata": {
        "text": [
            "x,z,y,n\na,1,yes,3\nb,1,no,2\na,2,yes,5\nb,2,no,0\nb,2,yes,4",
            "x,z,y,n\na,1,yes,3\nb,1,no,2",
            "x,z,y,n\na,1,yes,3",
            "x,z,y,n\na,1,yes,3\nb,1,no,0",
            "nothing",
        ],
    },
    "build_order": {
        "order": [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [4, 3, 1, 0, 2], [2, 0, 4, 1, 3]],
        "focus": [0, 2, 4],
    },
}


def worlds(net, evidence):
    """Every assignment that agrees with the evidence, with its probability: inference by plain counting."""
    for states in product(*net.states.values()):
        world = dict(zip(net.variables, states))
        if all(world[v] == state for v, state in evidence.items()):
            yield world, net.joint(world)


def belief(net, variable, evidence):
    """P(variable = its first state | evidence)."""
    found = list(worlds(net, evidence))
    wanted = net.states[variable][0]
    return sum(p for world, p in found if world[variable] == wanted) / sum(p for _, p in found)


def chance(probability):
    """Three decimals, four near 0 and 1."""
    return f"{probability:.3f}" if 0.01 <= probability <= 0.99 or probability in (0, 1) else f"{probability:.4f}"


def holds_observe(figure, net=STORM, labels=None):
    evidence, focus, picture = figure.values["evidence"], figure.values["focus"], figure.picture
    others = {v: state for v, state in evidence.items() if v != focus}
    moved, still, ticks, notes, earlier = {1: [], -1: []}, [], [], {}, []
    for v, bar in picture.bars.items():
        now, (x, y) = belief(net, v, evidence), picture.network.places[v]
        left, middle = (
            x - 42,
            y + picture.network.tall / 2 + 8 + 4.5,
        )  # bars are 84 long and 9 thick, 8 under their node
        assert bar.get_width() == pytest.approx(84 * now) and bar.get_x() == pytest.approx(left)
        assert bar.get_height() == picture.boxes[v].get_height() == 9 and picture.boxes[v].get_width() == 84
        ticks.append((left + 84 * belief(net, v, {}), middle))
        if v not in evidence:
            pattern = rf"{v} [\d.]+ →" if evidence else rf"P\({v}\) ="
            assert number(pattern, figure.alt) == pytest.approx(now, abs=5.1e-4)
            notes[v] = chance(now)
            news = now - belief(net, v, others if focus in evidence else {})
            if others and focus in evidence:
                earlier.append((left + 84 * (now - news), middle))
            if abs(news) > 1e-9:
                moved[1 if news > 0 else -1].append((left + 84 + 11, middle))
            else:
                still.append(v)
    for shaft, head in picture.network.arrows.values():
        for x, y in (*shaft.get_xydata(), *head.get_xy()):
            assert not any(0 < x - box.get_x() < 84 and 0 < y - box.get_y() < 9 for box in picture.boxes.values())
    placed(picture.ticks, *np.transpose(ticks))
    placed(picture.before, *np.reshape(earlier, (-1, 2)).T)
    for way, wanted in moved.items():
        placed(picture.moved[way], *np.reshape(wanted, (-1, 2)).T)
    if focus in evidence and still:
        assert " moves nothing." in figure.alt or f"leaves {', '.join(still[:-1])}" in figure.alt.replace(" and ", ", ")
    for v, state in evidence.items():
        assert f"{v} = {str(state).lower()}" in figure.alt.partition(".")[0]
    return check_network(picture.network, evidence, focus, notes, labels)


def holds_network_size(figure):
    n, k, parents = (figure.values[name] for name in ("n", "k", "parents"))
    whole = k**n - 1
    network = 0
    for earlier in range(n):
        rows = 1
        for _ in range(min(earlier, parents)):
            rows *= k
        network += rows * (k - 1)
    numbers = [int(each.replace(",", "")) for each in re.findall(r"(?:=|up to) ([\d,]+)", figure.alt)]
    assert numbers == [whole, network] and network <= whole
    picture = figure.picture
    assert [bar.get_width() for bar in picture.bars] == pytest.approx([whole - 1, network - 1])
    assert {round(bar.get_height(), 9) for bar in picture.bars} == {0.42}
    assert ("nothing is saved" in figure.alt) == (parents >= n - 1)
    most = "no parents" if not parents else f"at most {parents} parent{'s' if parents > 1 else ''} each"
    words = [f"one table of everything: {whole:,}", f"a network with {most}: up to {network:,}"]
    return written(picture.words, words)


def holds_joint_cells(figure):
    case, edits, focus = (figure.values[name] for name in ("case", "edits", "focus"))
    product_, lit, picture, words = 1, 0, figure.picture, []
    letter = {v: ("" if case[v] else "¬") + (v if v == "Bus" else v[0]) for v in STORM.variables}
    for v in STORM.variables:
        table = edits.get(v) or STORM.factor(v).tolist()
        for state in (*(case[u] for u in STORM.parents[v]), case[v]):
            table = table[0 if state else 1]
        bar, above = picture.bars[v], ",".join(letter[u] for u in STORM.parents[v])
        assert bar.get_width() == pytest.approx(table) and bar.get_height() == 0.4
        lit += not bar.get_hatch()
        product_ *= table
        cell = f"{table:.2f}".rstrip("0").rstrip(".")
        words.append(f"P({letter[v]}{'|' + above if above else ''}) = {cell}")
    assert number(r"[\d.]+ · [\d.]+ =", figure.alt) == pytest.approx(product_, rel=1e-3, abs=1e-12)
    assert number("which stands in", figure.alt) == lit == 1 + sum(focus in p for p in STORM.parents.values())
    assert "sum to 1.000." in figure.alt
    assert ("Changed by you" in figure.alt) == bool(edits)
    labels = {v: v if v == "Bus" else v[0] for v in STORM.variables}
    said = check_network(picture.network, case, focus, labels=labels)
    return said + written(list(picture.cells.values()), words) + written(picture.product, [f"product {product_:.4g}"])


CELLS = {(True, False): 0.1, (False, True): 0.8, (False, False): 0.2, (True, True): 0.4}  # P(Campfire | Storm, Bus)


def holds_cross_ratio(figure):
    percent, fire = figure.values["percent"], figure.values["fire"]
    cells = {**CELLS, (True, True): percent / 100}
    cells = {key: p if fire else 1 - p for key, p in cells.items()}
    joint = {(s, b): (0.2 if s else 0.8) * 0.5 * p for (s, b), p in cells.items()}
    for pattern, buses in (("is", (True, False)), ("with a bus", (True,)), ("without a bus", (False,))):
        storm = sum(joint[True, b] for b in buses)
        after = storm / (storm + sum(joint[False, b] for b in buses))
        assert number(pattern, figure.alt) == pytest.approx(after, abs=5.1e-5)
        curve = {(True,): "a bus was seen", (False,): "no bus was seen"}.get(buses)
        if curve:
            assert figure.picture.curves[curve].get_label() == curve
            assert np.interp(percent, *figure.picture.curves[curve].get_data()) == pytest.approx(after)
        if buses == (True,):
            placed(figure.picture.dot, [percent], [after])
    ratio = cells[True, True] * cells[False, False] / (cells[True, False] * cells[False, True])
    assert number(r"\) =", figure.alt) == pytest.approx(ratio, abs=5.1e-4)
    gap = number("with a bus", figure.alt) - number("without a bus", figure.alt)
    told = "tells nothing" if abs(ratio - 1) < 1e-9 else "speaks against" if ratio < 1 else "speaks for"
    assert told in figure.alt and gap * (ratio - 1) >= 0
    picture, lines = figure.picture, figure.picture.curves
    assert set(picture.here.get_xdata()) == {percent}
    [(x, y)] = places(picture.even)
    assert np.interp(x, *lines["a bus was seen"].get_data()) == pytest.approx(y, abs=1e-3), "the curves cross here"
    assert np.interp(x, *lines["no bus was seen"].get_data()) == pytest.approx(y, abs=1e-3)
    # Both curves where the cell is 20% and 90%, computed again
    for cell in (20, 90):
        seen = {key: (cell / 100 if key == (True, True) else p) for key, p in CELLS.items()}
        seen = {key: p if fire else 1 - p for key, p in seen.items()}
        for name, bus in (("a bus was seen", True), ("no bus was seen", False)):
            storm, calm = 0.2 * seen[True, bus], 0.8 * seen[False, bus]
            assert np.interp(cell, *lines[name].get_data()) == pytest.approx(storm / (storm + calm))
    return written(picture.ratio, [f"cross ratio\n{ratio:.2f}"])


def separated(net, a, b, given):
    """d-separation by another road: in the moral graph of the ancestors, does `given` cut a from b?"""
    kept, waiting = set(), [a, b, *given]
    while waiting:
        v = waiting.pop()
        kept.add(v)
        waiting += [u for u in net.parents[v] if u not in kept]
    links = {frozenset(pair) for v in kept for pair in combinations((v, *net.parents[v]), 2)}
    reached, waiting = {a}, [a]
    while waiting:
        v = waiting.pop()
        for link in links:
            if v in link:
                [u] = link - {v}
                if u not in reached and u not in given:
                    reached.add(u)
                    waiting.append(u)
    return b not in reached


def holds_d_separation(figure, net=STORM):
    a, b, evidence, asked = (figure.values[name] for name in ("a", "b", "evidence", "asked"))
    if a == b:
        assert figure.alt.startswith(EXPLAINED + "from and to must be two variables")
        return
    given = {v: state for v, state in evidence.items() if v not in (a, b)}
    guesses, picture, focus = figure.values["guesses"], figure.picture, figure.values["focus"]
    said = check_network(picture.network, given, focus)
    for box, end in zip(picture.ends, (a, b)):  # a frame around each of the two
        assert box.get_center() == pytest.approx(picture.network.places[end])
        assert box.get_width() == picture.network.pills[end].get_width() + 14
        assert box.get_height() == picture.network.tall + 14
    if guesses:
        assert f"Score: {sum(guesses)} of {len(guesses)}." in figure.alt
    if asked:
        assert figure.alt.startswith(f"Round {len(guesses) + 1} of 8") and "open" not in figure.alt
        assert not places(picture.blocks), "nothing tells which paths are blocked"
        return said + written(picture.list, [f"Round {len(guesses) + 1} of 8\n\nseparated\nor connected?"])
    assert f"The frame is round {figure.values['focus']}." in figure.alt
    apart = separated(net, a, b, given)
    assert ("separated: independent" in figure.alt) == apart == (" 0 open" in figure.alt)
    together = list(worlds(net, given))
    changes = []
    for x in net.states[a]:
        after = []
        for y in net.states[b]:
            p_y = sum(p for world, p in together if world[b] == y)
            if p_y:
                after.append(sum(p for world, p in together if (world[a], world[b]) == (x, y)) / p_y)
        changes.append(max(after) - min(after))
    told = [float(each) for each in re.findall(r"\) = ([\d.]+)", figure.alt)]
    if "is certain here" not in figure.alt:
        assert abs(told[0] - told[1]) == pytest.approx(max(changes), abs=1.1e-4)
    assert not apart or max(changes) < 1e-9, "the graph's promise"
    assert ("happen to balance" in figure.alt) == (not apart and max(changes) < 1e-9)
    verdict = "separated: independent" if apart else "connected: may be dependent"
    lines = picture.list.get_text().split("\n")
    assert lines[:3] == [verdict, f"difference {max(changes):.4f}", ""]
    # Each path in the list is one of the caption's, with a ring if it is open and a cross if it is blocked
    for line in lines[3:]:
        path = line[2:].split("   ")[0]
        assert f"{path} {'open' if line[0] == '○' else 'blocked'}" in figure.alt
    blocked = {v for v in net.variables for word in (v, LETTERS.get(v)) if word and _blocks(word, figure.alt)}
    corners = [
        (x + picture.network.wide[v] / 2 + 4, y - picture.network.tall / 2 - 2)
        for v in blocked
        for x, y in [picture.network.places[v]]
    ]
    assert places(picture.blocks) == sorted(corners)
    return said + [picture.list.get_text()]


LETTERS = {"Storm": "S", "Lightning": "L", "Thunder": "T", "Campfire": "C", "ForestFire": "F"}


def _blocks(word, told):
    """Is a variable named among the reasons why paths are blocked?"""
    reasons = re.findall(r"blocked \(([^)]*)\)", told)
    return any(re.search(rf"(?:^|, ){word} ", reason) for reason in reasons)


def holds_build_order(figure):
    net = {"burglary": examples.burglary(), "dog": examples.dog()}[figure.values["net"]]
    names = [net.variables[i] for i in figure.values["order"]]
    arrows, numbers = set(), 0
    for place, v in enumerate(names):
        earlier = names[:place]
        # The smallest set of earlier variables that separates v from the others before it, by trying out all sets.
        best = next(
            set(some)
            for size in range(place + 1)
            for some in combinations(earlier, size)
            if all(separated(net, v, u, some) for u in earlier if u not in some)
        )
        arrows |= {(earlier.index(u), place) for u in best}
        numbers += 2 ** len(best)
    assert number(r"(?:\d \+ )+\d+ =", figure.alt) == numbers
    assert number(r"nothing.*\.", figure.alt) == len(arrows)
    assert "more than 0.000001." in figure.alt, "the same joint"
    assert f"The frame is round {names[figure.values['focus']]}." in figure.alt
    picture = figure.picture
    visible = {pair for pair, parts in picture.network.arrows.items() if all(part.get_visible() for part in parts)}
    assert visible == arrows
    needs = [2 ** sum(to == place for _, to in arrows) for place in range(5)]
    labels = {place: f"{place + 1}. {name}" for place, name in enumerate(names)}
    notes = {place: f"needs {need}" for place, need in enumerate(needs)}
    said = check_network(picture.network, focus=figure.values["focus"], notes=notes, labels=labels)
    return said + written(picture.total, [f"{' + '.join(map(str, needs))} = {numbers} numbers"])


def _lines_of(figure):
    """(columns, rows of (x, z, y, count), the state of y) of the data that a figure of strata shows."""
    if figure.values["data"] == "Berkeley":
        table = data.load_berkeley()
        return ["Gender", "Dept", "Admit"], table[["Gender", "Dept", "Admit", "people"]].values.tolist(), "Admitted"
    if figure.values["data"] == "Titanic":
        table = data.load_titanic()
        table = table[table["status"] != "crew"]
        return ["sex", "survived", "age"], table[["sex", "survived", "age", "people"]].values.tolist(), "child"
    head, *rows = [[word.strip() for word in line.split(",")] for line in figure.values["text"].splitlines()]
    return head[:3], [[x, z, y, int(n)] for x, z, y, n in rows], rows[0][2]


def holds_strata(figure):
    if figure.alt.startswith(EXPLAINED):
        return
    (x, z, y), rows, state = _lines_of(figure)
    groups, names = (list(dict.fromkeys(row[i] for row in rows)) for i in (0, 1))
    picture, net = figure.picture, figure.values["net"]

    def count(*, g=None, s=None, child=None):
        wanted = ((0, g), (1, s))
        kept = [row for row in rows if all(row[i] == each for i, each in wanted if each is not None)]
        return sum(row[3] for row in kept if child is None or (row[2] == state) == child)

    def ratio(a, b):
        return a / b if b else np.nan

    def through(g, s):  # P(s, y = state or not | g) by the chain, up to a factor
        return [count(g=g, s=s) * (ratio(count(s=s, child=c), count(s=s)) if count(s=s) else 0) for c in (True, False)]

    def meeting(g, s):  # by the collider
        return [count(child=c) * (count(g=g, s=s, child=c) / (count(g=g, child=c) or 1)) for c in (True, False)]

    def claim(g, some):
        if net == "all":
            return ratio(sum(count(g=g, s=s, child=True) for s in some), sum(count(g=g, s=s) for s in some))
        yes, no = np.sum([(through if net == "chain" else meeting)(g, s) for s in some], axis=0)
        return ratio(yes, yes + no)

    pairs = [names, *([s] for s in names)]
    shares = [
        [ratio(*(sum(count(g=g, s=s, child=c) for s in some) for c in (True, None))) for some in pairs] for g in groups
    ]
    claims = [[claim(g, some) for some in pairs] for g in groups]
    top, room, wide = 1.15 * max(0.05, np.nanmax([shares, claims])), 1 / len(pairs), min(0.4 / len(pairs), 0.1)
    said = []
    for side, group, told, bars, texts, line in zip(
        (-1, 1), shares, claims, picture.bars, picture.shares, picture.claims
    ):
        shown = [bar for bar in bars if bar.get_visible()]
        known = [i for i in range(len(pairs)) if not np.isnan(group[i])]
        middles = [(i + 0.5) * room + side * 0.54 * wide for i in known]
        assert [bar.get_height() for bar in shown] == pytest.approx([group[i] / top for i in known])
        assert [bar.get_x() for bar in shown] == pytest.approx([middle - wide / 2 for middle in middles])
        assert all(bar.get_width() == pytest.approx(wide) for bar in shown)
        ends, heights = np.reshape(line.get_data(), (2, -1, 3))
        assert heights[:, 0] == pytest.approx(np.divide(told, top), nan_ok=True) and np.isnan(heights[:, 2]).all()
        assert heights[:, 1] == pytest.approx(heights[:, 0], nan_ok=True)
        assert ends[known, 0] == pytest.approx(np.subtract(middles, wide / 2))
        assert ends[known, 1] == pytest.approx(np.add(middles, wide / 2))
        said += written(texts, [f"{group[i]:.0%}" for i in known])
        for i, middle in zip(known, middles):
            assert texts[i].get_position() == pytest.approx((middle, np.nanmax([group[i], told[i]]) / top + 0.02))
    assert set(picture.border.get_xdata()) == {room}
    assert [text.get_position()[0] for text in picture.names[: len(pairs)]] == pytest.approx(
        [(i + 0.5) * room for i in range(len(pairs))]
    )
    percent = lambda share: "unknown" if np.isnan(share) else f"{100 * share:.1f}%"  # noqa: E731
    for name, i in zip(["among all: " + " and ".join(groups), *names], range(len(pairs))):
        assert f"{name} {percent(shares[0][i])} and {percent(shares[1][i])}" in figure.alt
    assert f"says {percent(claims[0][0])} and {percent(claims[1][0])} among all" in figure.alt
    miss = np.nanmax(np.abs(np.subtract(shares, claims)))
    assert number("misses a share by", figure.alt) == pytest.approx(100 * miss, abs=0.051)
    assert figure.alt.startswith(f"{count():,} cases.")
    assert ("Fewer than 5" in figure.alt) == any(count(g=g, s=s) < 5 for g in groups for s in names)
    arrows = {"chain": f"{x} → {z} → {y}", "collider": f"{x} → {z} ← {y}", "all": "with all three arrows"}[net]
    said += written(picture.groups, groups) + written(picture.claim, [f"the net {arrows}"])
    return (
        said
        + written(picture.names, ["all", *names])
        + written(picture.below, [f"share with {y} = {state}: all, and by {z}"])
    )


# Numbers that the lesson and its questions mention

TEXT = (ROOT / "bayeslib/sections/s07_belief_networks/questions.toml").read_text()
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
    for key in range(1, 4):
        click(figure, "Thunder", key)
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
    figure = live.observe(sprinkler())
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

    for key, v in enumerate(STORM.variables, 1):
        before = cells()
        click(figure, SHOWN_LETTERS[v], key)
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
    for game_round, (a, b, evidence) in enumerate(ROUNDS, 1):
        figure.set(**figure.actions["game: next round"](figure.values))
        assert figure.alt.startswith(f"Round {game_round} of 8") and a in figure.alt and b in figure.alt
        click(figure, next(v for v in STORM.variables if v not in (a, b, *evidence)), game_round)
        assert figure.values["evidence"] == evidence, "during a round the nodes are not to be clicked"
        truth = separated(STORM, a, b, evidence)
        says = game_round % 3 > 0  # a reader who says "connected" every third time
        figure.set(**figure.actions["separated" if says else "connected"](figure.values))
        right.append(says == truth)
        assert figure.values["guesses"] == right and f"Score: {sum(right)} of {game_round}." in figure.alt
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
