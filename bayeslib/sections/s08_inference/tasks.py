"""The practice tasks of section 08. A mistake is a function that errs in a known way, so that its name can be told."""

from math import prod

from bayeslib.models.networks import examples, graph
from bayeslib.models.networks.sampling import draw


def _query(net, target, evidence):
    return net.query(target, evidence)[True]


def _with_target(net, target, evidence):
    """P(target, evidence) = P(evidence) P(target | evidence), one observed variable after another."""
    joint = 1.0
    for number, (variable, state) in enumerate(evidence.items()):
        joint *= net.query(variable, dict(list(evidence.items())[:number]))[state]
    return joint * _query(net, target, evidence)


def _above(net, target, evidence):
    ancestors = graph.ancestors(net.parents, [target])
    return _query(net, target, {v: state for v, state in evidence.items() if v in ancestors})


def _sizes(parents, order):
    """Entries of each product on the way, before its variable is summed out."""
    scopes, sizes = [{v, *theirs} for v, theirs in parents.items()], []
    for variable in order:
        joined = set().union(*(scope for scope in scopes if variable in scope))
        sizes.append(2 ** len(joined))
        scopes = [scope for scope in scopes if variable not in scope] + [joined - {variable}]
    return sizes


def _weighted(weight, by=None):
    """A function of (net, worlds, target, evidence): the share of the target among worlds that count `weight` each."""

    def share(net, worlds, target, evidence):
        weights = [weight(net, world, evidence) for world in worlds]
        part = sum(w for w, world in zip(weights, worlds) if world[target])
        return part / (by or sum)(weights)

    return share


def _evidence(net, world, evidence):
    return prod(net.cells(world)[v] for v in evidence)


def _forced(net, n, seed, **evidence):
    """n worlds as likelihood weighting draws them: evidence forced, the rest parents first."""
    drawn = draw(net, n, seed, {net.variables.index(v): int(not state) for v, state in evidence.items()})
    return [dict(zip(net.variables, (code == 0 for code in map(int, codes)))) for codes in zip(*drawn)]


DOG, BURGLARY, STORM = examples.family_out(), examples.burglary(), examples.storm()
STAR = {v: list(parents) for v, parents in examples.star().parents.items()}
LEAVES = [v for v in STAR if v not in ("Hub", "Leaf1")]
STORMS = {v: list(parents) for v, parents in STORM.parents.items()}
CALLS = {"JohnCalls": True, "MaryCalls": True}

TASKS = {
    "query": {
        "arguments": "net, target, evidence",
        "cases": [
            (DOG, "B", {"D": True}),
            (DOG, "D", {"B": True}),
            (DOG, "B", {"D": False, "O": True}),
            (BURGLARY, "Burglary", CALLS),
            (DOG, "O", {}),
        ],
        "solve": _query,
        "probability": True,
        "right": "You added the worlds that agree with the evidence, and divided.",
        "hint": "A world counts if it agrees with every piece of evidence. Two sums: with the target true, and with it false.",
        "mistakes": {
            "joint-posterior": _with_target,
            "inverse": lambda net, target, evidence: _with_target(net, target, evidence) / _query(net, target, {}),
            "with-arrows": _above,
            "other-answer": lambda net, target, evidence: 1 - _query(net, target, evidence),
        },
    },
    "cost": {
        "arguments": "parents, order",
        "cases": [
            (STAR, ["Hub", *LEAVES]),
            (STAR, [*LEAVES, "Hub"]),
            (STORMS, ["Storm", "Bus", "Lightning", "ForestFire", "Campfire"]),
            (STORMS, ["Bus", "ForestFire", "Campfire", "Storm", "Lightning"]),
        ],
        "solve": lambda parents, order: max(_sizes(parents, order)),
        "right": "Every table that mentions the variable is multiplied, and only then is it summed out.",
        "hint": "Keep a list of scopes, sets of variables. In each step unite those that hold the variable, and note 2 to the power of their size.",
        "mistakes": {
            "unjoined": lambda parents, order: 2 ** max(1 + len(theirs) for theirs in parents.values()),
            "after-sum": lambda parents, order: max(_sizes(parents, order)) // 2,
            "tables-added": lambda parents, order: sum(_sizes(parents, order)),
        },
    },
    "weighting": {
        "arguments": "net, worlds, target, evidence",
        "cases": [
            (DOG, _forced(DOG, 6, 2, L=True, H=True), "O", {"L": True, "H": True}),
            (DOG, _forced(DOG, 40, 1, D=True), "B", {"D": True}),
            (STORM, _forced(STORM, 40, 1, Campfire=True), "Storm", {"Campfire": True}),
        ],
        "solve": _weighted(_evidence),
        "probability": True,
        "right": "Each world counted as much as it makes the evidence likely.",
        "hint": "net.cells(world)[v] is P(v's state | its parents' states) in that world. Which variables belong in the weight?",
        "mistakes": {
            "all-count": _weighted(lambda *_: 1.0),
            "weighted-twice": _weighted(lambda net, world, _: net.joint(world)),
            "joint-posterior": _weighted(_evidence, by=len),
        },
    },
}
