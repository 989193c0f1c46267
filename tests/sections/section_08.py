"""Section 08: what must hold of its figures, and its numbers computed once more."""

from functools import cache, lru_cache
from itertools import product

import numpy as np
import pytest

from bayeslib import networks
from bayeslib.live.inference import ASKED, CHANCES, DRAWS, POSTERIORS
from tests.figures import number

DOG_ROWS = {(True, True): 0.05, (True, False): 0.1, (False, True): 0.1, (False, False): 0.2}  # O, B


def dog_in(ill):
    """P(¬D | B or ¬B)."""
    return sum(p_o * (1 - DOG_ROWS[o, ill]) for o, p_o in ((True, 0.6), (False, 0.4)))


FINE, ILL = 0.7 * dog_in(False), 0.3 * dog_in(True)
NUMBERS = {
    "08/dog-in": 100 * FINE / (FINE + ILL),
    "08/by-hand": 100 * 0.6 * 0.7 * 0.3 * 0.9 * 0.9,
}
WRONG_NUMBERS = {
    "08/dog-in": {
        "inverse": 100 * dog_in(False),
        "joint-posterior": 100 * FINE,
        "other-answer": 100 * ILL / (FINE + ILL),
    },
    "08/by-hand": {
        "missing-complement": 100 * 0.6 * 0.3 * 0.3 * 0.1 * 0.1,
        "all-independent": 100 * 0.6 * 0.7 * 0.42 * (1 - 0.119) * (1 - 0.1238),
    },
}

ALARM = {(True, True): 0.95, (True, False): 0.94, (False, True): 0.29, (False, False): 0.001}
CALLS = {"alarm": (1, 0), "john": (0.9, 0.05), "both": (0.9 * 0.7, 0.05 * 0.01)}  # P(seen | alarm), P(seen | no alarm)


def burglary(chance, seen, quakes=(True, False)):
    """P(Burglary | what is seen), with the earthquake known or not, from the book's tables alone."""
    ring, still = CALLS[seen]
    weight = dict.fromkeys((True, False), 0.0)
    for b, e in product(weight, quakes):
        alarm = ALARM[b, e]
        weight[b] += (0.001 if b else 0.999) * (chance if e else 1 - chance) * (ring * alarm + still * (1 - alarm))
    return weight[True] / sum(weight.values())


def holds_explaining_away(figure):
    chance, seen, radio = (figure.values[name] for name in ("chance", "seen", "radio"))
    known = {"silent": (True, False), "quake": (True,), "none": (False,)}
    belief = {key: burglary(chance, seen, quakes) for key, quakes in known.items()}
    for pattern, key in (("before any evidence,", "silent"), ("on the radio", "quake"), ("news of none", "none")):
        assert number(pattern, figure.alt) == pytest.approx(belief[key], abs=5.1e-5)
    assert number(r"P\(Burglary\) =", figure.alt) == pytest.approx(belief[radio], abs=5.1e-5)
    *lines, point = figure.figure.axes[1].lines[1:]
    assert [float(*place) for place in point.get_data()] == pytest.approx([100 * chance, belief[radio]])
    for line, quakes in zip(lines, known.values()):
        assert line.get_ydata() == pytest.approx([burglary(each, seen, quakes) for each in CHANCES])
    boxes = sum(text.get_text().startswith(("■", "□")) for text in figure.figure.axes[0].texts)
    assert boxes == (2 if seen == "both" else 1) + (radio != "silent")


def holds_two_causes(figure):
    both, out, ill, neither = (figure.values[name] / 100 for name in ("both", "out", "ill", "neither"))
    of = {"out": lambda p: p, "in": lambda p: 1 - p, "bark": lambda p: 0.3 * p + 0.1 * (1 - p)}[figure.values["seen"]]
    both, out, ill, neither = map(of, (both, out, ill, neither))
    ratio = both * neither / (out * ill)
    sick, fine = (0.3 * both, 0.3 * ill), (0.7 * out, 0.7 * neither)  # with O and with ¬O
    mixed = [0.6 * with_o + 0.4 * without for with_o, without in (sick, fine)]
    beliefs = [mixed[0] / sum(mixed), *(s / (s + f) for s, f in zip(sick, fine))]
    assert number("[0-9] =", figure.alt) == pytest.approx(ratio, abs=5.1e-4)
    told = [number(rf"{end}\) =", figure.alt) for end in (r"B\|(?:D|¬D|H)", ",O", ",¬O")]
    assert told == pytest.approx(beliefs, abs=5.1e-5)
    assert [bar.get_height() for bar in figure.figure.axes[1].patches] == pytest.approx([0.3, *beliefs])
    says = "nothing moves" if abs(ratio - 1) < 1e-9 else "explains B away" if ratio < 1 else "supports B"
    assert says in figure.alt
    assert np.sign(round(beliefs[1] - beliefs[2], 9)) == np.sign(round(ratio - 1, 9)), "the cross ratio gives the sign"


@lru_cache
def enumerated(question):
    """P(target true | evidence) as a sum over all worlds."""
    net, target, evidence, *_ = ASKED[question]
    sums = dict.fromkeys((True, False), 0.0)
    for states in product((True, False), repeat=len(net.variables)):
        world = dict(zip(net.variables, states))
        if evidence.items() <= world.items():
            sums[world[target]] += net.joint(world)
    return sums[True] / sum(sums.values())


def products(question, order):
    """Sizes of the products in this order, from the scopes alone."""
    net, target, evidence, *_ = ASKED[question]
    hidden = [v for v in net.variables if v != target and v not in evidence]
    order, left_out = {"causes": hidden, "effects": hidden[::-1], "min-fill": None}[order], ()
    if order is None:
        found = net.explain(target, evidence)
        order, left_out = found.order, found.barren
        assert not {child for v in left_out for child in net.children[v]} - set(left_out), "needed, and left out"
    scopes = [{v, *net.parents[v]} - evidence.keys() for v in net.variables if v not in left_out]
    sizes = []
    for variable in order:
        joined = set().union(*(scope for scope in scopes if variable in scope))
        sizes.append(2 ** len(joined))
        scopes = [scope for scope in scopes if variable not in scope] + [joined - {variable}]
    return [*sizes, 2]


def holds_elimination(figure):
    question, order, step = (figure.values[name] for name in ("question", "order", "step"))
    sizes = products(question, order)
    assert figure.controls["step"].max == len(sizes)
    _, tiles, bars = figure.figure.axes
    seen = [bar for bar in bars.patches if bar.get_visible()]
    assert [bar.get_height() + 1 for bar in seen] == pytest.approx(sizes[:step])
    if step:
        assert number("largest table", figure.alt) == max(sizes[:step])
        assert f"largest table so far: {max(sizes[:step])}" in tiles.texts[-1].get_text()
    if step == len(sizes):
        assert number(r"P\(\w+(?:\|\w)?\) =", figure.alt) == pytest.approx(enumerated(question), abs=5.1e-5)
    hidden = len(ASKED[question][0].variables) - len(ASKED[question][2])
    assert number("Enumeration adds", figure.alt) == 2**hidden
    shown = [text.get_text() for text in tiles.texts[:-1] if text.get_visible()]
    assert len(shown) == sum(patch.get_visible() for patch in tiles.patches)
    crossed = sum(len(line.get_xdata()) for line in figure.figure.axes[0].lines if line.get_marker() == "x")
    assert crossed == min(step, len(sizes) - 1) + len(ASKED[question][0].variables) - len(ASKED[question][2]) - len(
        sizes
    )


@cache
def runs(question, seed):
    net, target, evidence, *_ = POSTERIORS[question]
    samplers = networks.rejection_sampling, networks.likelihood_weighting, networks.gibbs_sampling
    return [sampler(net, target, evidence, 10_000, seed) for sampler in samplers]


def holds_sampling(figure):
    question, seed, step = (figure.values[name] for name in ("question", "seed", "step"))
    n = int(DRAWS[step])
    net, target, evidence, *_ = POSTERIORS[question]
    exact = networks.enumeration(net, target, evidence).answer[True]
    assert number("exactly", figure.alt) == pytest.approx(exact, abs=5.1e-5)
    assert number("After", figure.alt) == n and number("seed", figure.alt) == seed
    names = ["rejection" if evidence else "prior sampling", "likelihood weighting", "Gibbs"]
    for panel, name, run in zip(figure.figure.axes, names, runs(question, seed)):
        line, worth = panel.lines[1], run.effective[n - 1]
        assert line.get_xdata()[-1] == n and panel.get_title() == name
        if worth == 0:
            assert f"{name}: none kept" in figure.alt and np.isnan(line.get_ydata()[-1])
            continue
        assert line.get_ydata()[-1] == pytest.approx(run.running[n - 1, 0])
        assert number(f"{name}:", figure.alt.replace(",", " ")) == pytest.approx(run.running[n - 1, 0], abs=5.1e-4)
        assert number(rf"{name}: [\d.]+, (?:kept|worth)", figure.alt) == pytest.approx(worth, abs=0.51)
