"""Section 07: what must hold of its figures, and its numbers computed once more."""

import re
from itertools import combinations, product

import numpy as np
import pytest

from bayeslib import data
from bayeslib.networks import examples
from tests.figures import EXPLAINED, check_network, number, placed, places, written

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

NUMBERS = {
    "07/six-variables": STORM.joint_table().size - 1,
    "07/five-parents": len(list(product((True, False), repeat=5))),
    "07/four-states": len(list(product(range(3), range(4)))) * (4 - 1),
    "07/chain-reordered": 2**0 + 2**1 + 2**2,
}
WRONG_NUMBERS = {
    "07/six-variables": {"dependent-numbers": STORM.joint_table().size, "adds-states": 6 * 2},
    "07/five-parents": {
        "arc-count": 5,
        "adds-states": 5 * 2,
        "dependent-numbers": 2 * 2**5,
        "whole-joint": 2**6 - 1,
    },
    "07/four-states": {
        "dependent-numbers": 3 * 4 * 4,
        "adds-states": (3 + 4) * 3,
        "arc-count": 2,
        "whole-joint": 3 * 4 * 4 - 1,
    },
    "07/chain-reordered": {"no-arrow": 1 + 1 + 2},
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
