"""The live figures of section 07, belief networks."""

from bayeslib.live.figure import LiveFigure, State
from bayeslib.networks import BeliefNetwork, examples
from bayeslib.plots import belief_networks as plots
from bayeslib.plots import theme

DOG = {"O": "O: all out", "B": "B: bowel trouble", "L": "L: light on", "D": "D: dog outside", "H": "H: barking"}
STUDENT = {"S": "S: smart", "A": "A: ambitious", "K": "K: knows", "E": "E: good exam", "H": "H: homework"}


def _seen(*variables, **evidence):
    """A preset of `observe`: what is seen, and the ring on the last of it."""
    evidence = {**dict.fromkeys(variables, True), **evidence}
    return {"evidence": evidence, "focus": list(evidence)[-1]}


# The net, what its nodes are called, and settings worth going back to.
NETS = {
    "storm": (
        examples.storm,
        None,
        {
            "thunder": _seen("Thunder"),
            "storm, thunder": _seen("Storm", "Thunder"),
            "no campfire": _seen(Campfire=False),
            "no campfire, bus": _seen(Campfire=False, Bus=True),
            "campfire, bus": _seen("Campfire", "Bus"),
            "forest fire": _seen("ForestFire"),
        },
    ),
    "dog": (
        examples.dog,
        DOG,
        {
            "light": _seen("L"),
            "light, barking": _seen("L", "H"),
            "dog out": _seen("D"),
            "dog out, all out": _seen("D", "O"),
            "dog in": _seen(D=False),
        },
    ),
    "burglary": (
        examples.burglary,
        None,
        {
            "alarm": _seen("Alarm"),
            "alarm, earthquake": _seen("Alarm", "Earthquake"),
            "John calls": _seen("JohnCalls"),
            "both call": _seen("JohnCalls", "MaryCalls"),
            "only John calls": _seen(JohnCalls=True, MaryCalls=False),
        },
    ),
    "student": (
        examples.student,
        STUDENT,
        {
            "good exam": _seen("E"),
            "good exam, smart": _seen("E", "S"),
            "bad exam": _seen(E=False),
            "bad exam, smart": _seen(E=False, S=True),
        },
    ),
}


def observe(net="storm", labels=None, presets=None):
    """A network whose nodes are clicked through unobserved, true and false, and the belief in every variable.

    `net` is "storm", "dog", "burglary", "student", or a `BeliefNetwork`; `presets` are values of `evidence` and `focus`.
    """
    if not isinstance(net, BeliefNetwork):
        if net not in NETS:
            raise ValueError(f"net must be one of {list(NETS)} or a BeliefNetwork, got {net!r}")
        make, usual, settings = NETS[net]
        net, labels, presets = make(), labels or usual, settings if presets is None else presets
    variables, first = net.variables, {v: net.states[v][0] for v in net.variables}

    def beliefs(evidence):
        return {v: table[first[v]] for v, table in net.marginals(evidence).items()}

    prior = beliefs({})
    figure = theme.figure((0.01, 0.15, 0.98, 0.84), height=4.3)
    legend = "bar: belief now    tick: before any evidence    ▲▼: moved by the ringed node"
    picture = plots.Beliefs(*figure.axes, net, prior, labels, legend)

    def show(evidence, focus):
        try:
            now = beliefs(evidence)
        except ValueError:
            picture.show(evidence, {}, {}, {}, focus)
            return f"Seen: {_told(evidence)}. This cannot happen in this network: its probability is 0. Click a node to change it."
        others = {v: state for v, state in evidence.items() if v != focus}
        without = beliefs(others) if focus in evidence and _possible(net, others) else prior
        hidden = [v for v in variables if v not in evidence]
        moved = {v: (now[v] > without[v]) - (now[v] < without[v]) for v in hidden if abs(now[v] - without[v]) > 1e-9}
        picture.show(evidence, now, {v: _p(now[v]) for v in hidden}, moved, focus)
        if not evidence:
            listed = ", ".join(f"P({v}) = {_p(now[v])}" for v in variables)
            return f"Nothing is seen yet; the ring is on {focus}. {listed}."
        listed = "; ".join(f"{v} {_p(prior[v])} → {_p(now[v])}" for v in hidden) or "nothing is left to ask"
        if focus not in evidence:
            return f"Seen: {_told(evidence)}. Beliefs before → now: {listed}. The ring is on {focus}, not seen."
        still = [v for v in hidden if v not in moved]
        told = f"it moves {_and(list(moved)) or 'nothing'}"
        told += f" and leaves {_and(still)} unmoved" if still and moved else ""
        beside = f"Beside {_told(others)}, {_told({focus: evidence[focus]})} is news" if others else "Ringed"
        return f"Seen: {_told(evidence)}. Beliefs before → now: {listed}. {beside}: {told}."

    return LiveFigure(
        figure,
        {"evidence": State(value={}), "focus": State(value=variables[0])},
        show,
        presets=presets,
        drag=_click(picture.network, lambda values, v: {"evidence": _cycled(net, values["evidence"], v), "focus": v}),
        keys={
            **_ring_keys(variables),
            **dict.fromkeys(
                (" ", "Enter"), lambda values: {"evidence": _cycled(net, values["evidence"], values["focus"])}
            ),
        },
        help="Click a node to see it true ■, false □, or unseen again. Arrow keys move the ring, Space clicks.",
    )


def _possible(net, evidence):
    return net.log_evidence(evidence) > -float("inf")


def _click(network, act):
    """Pointer to node: `act(values, variable)` with the values at the press, so that a click counts once."""

    def drag(values, axes, start, at):
        variable = network.at(*start)
        return {} if variable is None else act(values, variable)

    return drag


def _ring_keys(variables):
    """Arrow keys that move the ring to the next or the previous variable."""
    ways = {"ArrowRight": 1, "ArrowDown": 1, "ArrowLeft": -1, "ArrowUp": -1}

    def move(values, by):
        return {"focus": variables[(variables.index(values["focus"]) + by) % len(variables)]}

    return {key: lambda values, by=by: move(values, by) for key, by in ways.items()}


def _cycled(net, evidence, variable):
    """Evidence with one variable moved on: unseen, its first state, …, its last state, unseen."""
    states = (None, *net.states[variable])
    after = states[(states.index(evidence.get(variable)) + 1) % len(states)]
    rest = {v: state for v, state in evidence.items() if v != variable}
    return rest if after is None else {**rest, variable: after}


def _told(evidence):
    return ", ".join(
        f"{v} = {str(state).lower() if isinstance(state, bool) else state}" for v, state in evidence.items()
    )


def _and(names):
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _p(probability):
    """Three decimals, four where the first two say nothing."""
    return f"{probability:.3f}" if 0.01 <= probability <= 0.99 or probability in (0, 1) else f"{probability:.4f}"
