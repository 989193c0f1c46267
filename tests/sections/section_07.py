"""Section 07: what must hold of its figures, and its numbers computed once more."""

from itertools import product

import pytest

from bayeslib.networks import examples
from tests.figures import number

STORM = examples.storm()
SETTINGS = {
    "observe": {
        "evidence": [{}, {"Thunder": True}, {"Campfire": False, "Bus": True}, dict.fromkeys(STORM.variables, False)],
        "focus": list(STORM.variables),
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
        assert "it moves nothing" in figure.alt or f"leaves {', '.join(still[:-1])}" in figure.alt.replace(
            " and ", ", "
        )
    for v, state in evidence.items():
        assert f"{v} = {str(state).lower()}" in figure.alt.partition(".")[0]
