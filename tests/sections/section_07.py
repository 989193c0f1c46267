"""Section 07: what must hold of its figures, and its numbers computed once more."""

import re
from itertools import combinations, product

import numpy as np
import pytest
from matplotlib.patches import Polygon

from bayeslib.networks import examples
from tests.figures import EXPLAINED, number

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
    "build_order": {
        "order": [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [4, 3, 1, 0, 2], [2, 0, 4, 1, 3]],
        "focus": [0, 2, 4],
    },
}

NUMBERS = {
    "07/six-variables": STORM.joint_table().size - 1,
    "07/four-parents": len(list(product((True, False), repeat=4))),
    "07/three-states": len(list(product(range(2), range(4)))) * (3 - 1),
}
WRONG_NUMBERS = {
    "07/six-variables": {"last-free": STORM.joint_table().size, "adds-states": 6 * 2},
    "07/four-parents": {"arc-count": 4, "both-columns": 2 * 2**4, "whole-joint": 2**5 - 1},
    "07/three-states": {
        "both-columns": 2 * 4 * 3,
        "adds-states": (2 + 4) * 2,
        "arc-count": 2,
        "whole-joint": 2 * 4 * 3 - 1,
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


def holds_observe(figure, net=STORM):
    evidence, focus = figure.values["evidence"], figure.values["focus"]
    named = {patch.get_label(): patch for patch in figure.figure.axes[0].patches}
    bars = {v: named[f"belief in {v}"] for v in net.variables}
    up, down = (line for line in figure.figure.axes[0].lines if line.get_marker() in ("^", "v"))
    others = {v: state for v, state in evidence.items() if v != focus}
    moved, still = {"^": 0, "v": 0}, []
    for v, bar in bars.items():
        now = belief(net, v, evidence)
        assert bar.get_width() == pytest.approx(84 * now)
        if v not in evidence:
            pattern = rf"{v} [\d.]+ →" if evidence else rf"P\({v}\) ="
            assert number(pattern, figure.alt) == pytest.approx(now, abs=5.1e-4)
            news = now - belief(net, v, others if focus in evidence else {})
            if abs(news) > 1e-9:
                moved["^" if news > 0 else "v"] += 1
            else:
                still.append(v)
    assert (len(up.get_xdata()), len(down.get_xdata())) == (moved["^"], moved["v"])
    if focus in evidence and still:
        assert " moves nothing." in figure.alt or f"leaves {', '.join(still[:-1])}" in figure.alt.replace(" and ", ", ")
    for v, state in evidence.items():
        assert f"{v} = {str(state).lower()}" in figure.alt.partition(".")[0]


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
    assert [bar.get_width() for bar in figure.figure.axes[0].patches] == pytest.approx([whole - 1, network - 1])
    assert ("nothing is saved" in figure.alt) == (parents >= n - 1)


def holds_joint_cells(figure):
    case, edits, focus = (figure.values[name] for name in ("case", "edits", "focus"))
    product_, named = 1, {patch.get_label(): patch for patch in figure.figure.axes[1].patches}
    lit = 0
    for v in STORM.variables:
        table = edits.get(v) or STORM.factor(v).tolist()
        for state in (*(case[u] for u in STORM.parents[v]), case[v]):
            table = table[0 if state else 1]
        assert named[f"cell of {v}"].get_width() == pytest.approx(table)
        lit += not named[f"cell of {v}"].get_hatch()
        product_ *= table
    assert number(r"[\d.]+ · [\d.]+ =", figure.alt) == pytest.approx(product_, rel=1e-3, abs=1e-12)
    assert number("which stands in", figure.alt) == lit == 1 + sum(focus in p for p in STORM.parents.values())
    assert "sum to 1.000." in figure.alt
    assert ("Changed by you" in figure.alt) == bool(edits)


def holds_cross_ratio(figure):
    percent, fire = figure.values["percent"], figure.values["fire"]
    cells = {(True, True): percent / 100, (True, False): 0.1, (False, True): 0.8, (False, False): 0.2}
    cells = {key: p if fire else 1 - p for key, p in cells.items()}
    joint = {(s, b): (0.2 if s else 0.8) * 0.5 * p for (s, b), p in cells.items()}
    for pattern, buses in (("is", (True, False)), ("with a bus", (True,)), ("without a bus", (False,))):
        storm = sum(joint[True, b] for b in buses)
        after = storm / (storm + sum(joint[False, b] for b in buses))
        assert number(pattern, figure.alt) == pytest.approx(after, abs=5.1e-5)
        if buses == (True,):
            lines = {line.get_label(): line for line in figure.figure.axes[0].lines}
            assert np.interp(percent, *lines["a bus was seen"].get_data()) == pytest.approx(after)
    ratio = cells[True, True] * cells[False, False] / (cells[True, False] * cells[False, True])
    assert number(r"\) =", figure.alt) == pytest.approx(ratio, abs=5.1e-4)
    gap = number("with a bus", figure.alt) - number("without a bus", figure.alt)
    told = "tells nothing" if abs(ratio - 1) < 1e-9 else "speaks against" if ratio < 1 else "speaks for"
    assert told in figure.alt and gap * (ratio - 1) >= 0
    x, y = figure.figure.axes[0].lines[-1].get_data()
    assert np.interp(x, *lines["a bus was seen"].get_data()) == pytest.approx(y, abs=1e-3), "the curves cross here"


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
    guesses = figure.values["guesses"]
    if guesses:
        assert f"Score: {sum(guesses)} of {len(guesses)}." in figure.alt
    if asked:
        assert figure.alt.startswith(f"Round {len(guesses) + 1} of 8") and "open" not in figure.alt
        return
    assert f"The ring is on {figure.values['focus']}." in figure.alt
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
    assert number(r"nobody.*\.", figure.alt) == len(arrows)
    assert "more than 0.000001." in figure.alt, "the same joint"
    assert f"The ring is on {names[figure.values['focus']]}." in figure.alt
    heads = [patch for patch in figure.figure.axes[0].patches if isinstance(patch, Polygon)]
    assert sum(head.get_visible() for head in heads) == len(arrows)
