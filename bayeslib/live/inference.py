"""The live figures of section 08, inference in belief networks."""

import re
from functools import cache

import numpy as np

from bayeslib import data
from bayeslib.figures import steer, user_data
from bayeslib.figures.controls import box, choice, slider, stops
from bayeslib.figures.figure import LiveFigure, Player
from bayeslib.models import networks
from bayeslib.models.networks import BeliefNetwork, examples
from bayeslib.plots import inference as plots
from bayeslib.plots import theme

CHANCES = np.geomspace(0.0002, 0.2, 31).round(6).tolist()
SEEN = {
    "alarm": ("the alarm", {"Alarm": True}),
    "john": ("John's call", {"JohnCalls": True}),
    "both": ("both calls", {"JohnCalls": True, "MaryCalls": True}),
}
RADIO = {"silent": {}, "quake": {"Earthquake": True}, "none": {"Earthquake": False}}


def explaining_away():
    """Belief in a burglary after the alarm, and after the radio has explained it, over the chance of an earthquake."""
    net = examples.burglary()
    nets = [net.with_tables({"Earthquake": chance}) for chance in CHANCES]
    curves = {
        seen: {
            radio: [each.query("Burglary", {**evidence, **news})[True] for each in nets]
            for radio, news in RADIO.items()
        }
        for seen, (_, evidence) in SEEN.items()
    }
    picture = plots.ExplainingAway(
        *theme.axes((0.01, 0.04, 0.38, 0.92), (0.5, 0.18, 0.48, 0.68)), net, net.query("Burglary")[True]
    )

    def show(chance, seen, radio):
        name, evidence = SEEN[seen]
        at = CHANCES.index(chance)
        now = {key: curve[at] for key, curve in curves[seen].items()}
        picture.show({**evidence, **RADIO[radio]}, np.array(CHANCES), curves[seen], radio, chance, now[radio])
        heard = {"silent": "says nothing", "quake": "reports an earthquake", "none": "reports no earthquake"}[radio]
        return (
            f"P(Earthquake) = {chance:.4g}. Burglary: {net.query('Burglary')[True]:.4g} before any evidence, "
            f"{now['silent']:.4f} after {name}; with an earthquake on the radio {now['quake']:.4f}, with the news of "
            f"none {now['none']:.4f}. The radio {heard}: P(Burglary) = {now[radio]:.4f}."
        )

    def drag(values, axes, start, at):
        return {"chance": min(CHANCES, key=lambda each: abs(np.log(100 * each / max(at[0], 1e-6))))}

    def told(seen, radio, chance=0.002):
        return {"seen": seen, "radio": radio, "chance": chance}

    return LiveFigure(
        picture,
        {
            "chance": stops("P(Earthquake)", [(f"{100 * p:.3g}%", p) for p in CHANCES], 0.002),
            "seen": choice(
                "seen", [("the alarm rings", "alarm"), ("John calls", "john"), ("both call", "both")], "alarm"
            ),
            "radio": choice(
                "the radio", [("is silent", "silent"), ("earthquake", "quake"), ("no earthquake", "none")], "silent"
            ),
        },
        show,
        presets={
            "alarm": told("alarm", "silent"),
            "alarm, earthquake": told("alarm", "quake"),
            "both call": told("both", "silent"),
            "both call, earthquake": told("both", "quake"),
            "shaky ground": told("alarm", "silent", 0.2),
        },
        drag=drag,
        within=[1],
        keys=steer.along("chance", CHANCES),
        help="Drag along a curve to change P(Earthquake); left and right arrows move it too.",
    )


TABLE = {"both": (True, True), "out": (True, False), "ill": (False, True), "neither": (False, False)}
DOG = {"both": 5, "out": 10, "ill": 10, "neither": 20}
SIGNS = {"out": ("D", {"D": True}), "in": ("¬D", {"D": False}), "bark": ("H", {"H": True})}


def two_causes():
    """Whether one cause explains the other away, read off the table of what was seen: the dog with any numbers in it."""
    dog = examples.dog()
    picture = plots.TwoCauses(*theme.axes((0.01, 0.02, 0.39, 0.97), (0.5, 0.12, 0.49, 0.84)), dog.query("B")[True])

    def show(both, out, ill, neither, seen):
        percent = {"both": both, "out": out, "ill": ill, "neither": neither}
        net = dog.with_tables({"D": {key: percent[name] / 100 for name, key in TABLE.items()}})
        sign, evidence = SIGNS[seen]
        [(variable, state)] = evidence.items()
        table = {(o, b): net.query(variable, {"O": o, "B": b})[state] for o, b in TABLE.values()}
        along, across = table[True, True] * table[False, False], table[True, False] * table[False, True]
        ratio = along / across
        now, all_out, not_all = (net.query("B", {**evidence, **o})[True] for o in ({}, {"O": True}, {"O": False}))
        says = "nothing moves" if abs(ratio - 1) < 1e-9 else "O explains B away" if ratio < 1 else "O supports B"
        words = [
            f"solid: {table[True, True]:.3g} × {table[False, False]:.3g} = {along:.4f}",
            f"dashed: {table[True, False]:.3g} × {table[False, True]:.3g} = {across:.4f}",
            f"cross ratio {ratio:.3f}: {says}",
        ]
        picture.show(f"P({sign} | O, B)", table, words, (now, all_out, not_all))
        return (
            f"Seen: {sign}. Its table has the cross ratio {along:.4f}/{across:.4f} = {ratio:.3f}: {says}. "
            f"P(B|{sign}) = {now:.4f}, P(B|{sign},O) = {all_out:.4f}, P(B|{sign},¬O) = {not_all:.4f}."
        )

    def table(seen, *numbers):
        return {**dict(zip(TABLE, numbers)), "seen": seen}

    return LiveFigure(
        picture,
        {
            "both": slider("P(D|O,B) in percent", 1, 99, DOG["both"]),
            "out": slider("P(D|O,¬B) in percent", 1, 99, DOG["out"]),
            "ill": slider("P(D|¬O,B) in percent", 1, 99, DOG["ill"]),
            "neither": slider("P(D|¬O,¬B) in percent", 1, 99, DOG["neither"]),
            "seen": choice("seen", [("dog outside", "out"), ("dog inside", "in"), ("only barking", "bark")], "out"),
        },
        show,
        presets={
            "the lecture's table": table("out", *DOG.values()),
            "Charniak's table": table("out", 99, 90, 97, 30),
            "both together: 1%": table("out", 1, 10, 10, 20),
            "both together: 20%": table("out", 20, 10, 10, 20),
            "a touchy alarm": table("out", 95, 94, 29, 1),
            "only barking": table("bark", *DOG.values()),
        },
        keys={**steer.by("both"), **steer.by("neither", keys=steer.UP)},
        help="Left and right arrows move P(D|O,B), up and down P(D|¬O,¬B).",
    )


def _renamed(net, names):
    """The same network of booleans with shorter names, so that a table fits on a tile."""
    return BeliefNetwork(
        {names[v]: [names[p] for p in parents] for v, parents in net.parents.items()},
        {names[v]: net.factor(v) for v in net.variables},
    )


STORM = {"Storm": "S", "Bus": "B", "Lightning": "L", "Thunder": "T", "Campfire": "C", "ForestFire": "F"}
STAR = {"Hub": "Hub", **{f"{name}{i}": f"{name[0]}{i}" for name in ("Leaf", "Witness") for i in range(1, 6)}}
# The net, the target, the evidence, the question in symbols, and places for nodes where layers would not do.
ASKED = {
    "dog": (examples.family_out(), "O", {"H": True}, "P(O|h)", None),
    "storm": (_renamed(examples.storm(), STORM), "T", {"C": True}, "P(T|c)", None),
    "star": (
        _renamed(examples.star(5, witnesses=True), STAR),
        "L1",
        {f"W{i}": True for i in range(1, 6)},
        "P(L1|w)",
        {
            "Hub": (0, 0.5),
            **{f"L{i}": (0.62 - 0.05 * (i - 3) ** 2, (i - 1) / 4) for i in range(1, 6)},
            **{f"W{i}": (1, (i - 1) / 4) for i in range(1, 6)},
        },
    ),
}
ORDERS = {"causes": "causes first", "effects": "effects first", "min-fill": "min-fill"}


def _hidden(question):
    net, target, evidence, *_ = ASKED[question]
    return [v for v in net.variables if v != target and v not in evidence]


def elimination(*asked):
    """Variable elimination step by step: which tables are multiplied, how large they get, and what the order does.

    `asked` are the questions on offer, of "dog", "storm" and "star"; none means all.
    """
    offered = {"dog": "dog: P(O|h)", "storm": "storm: P(T|c)", "star": "star: P(L1|w)"}
    if not set(asked) <= set(offered):
        raise ValueError(f"asked must be among {list(offered)}, got {asked}")
    offered = {key: label for key, label in offered.items() if key in (asked or offered)}
    presets = {
        "dog": {"question": "dog", "order": "causes"},
        "star, hub first": {"question": "star", "order": "causes", "step": 1},
        "star, hub last": {"question": "star", "order": "effects", "step": 1},
        "storm, min-fill": {"question": "storm", "order": "min-fill"},
    }
    terms = {question: 2 ** (len(_hidden(question)) + 1) for question in ASKED}  # that plain enumeration adds up
    questions = {key: (net, evidence, positions, terms[key]) for key, (net, _, evidence, _, positions) in ASKED.items()}
    picture = plots.EliminationSteps(
        *theme.axes((0.01, 0.02, 0.33, 0.96), (0.36, 0.4, 0.63, 0.58), (0.46, 0.155, 0.53, 0.21), height=4.2), questions
    )

    def history(question, order):
        """The whole elimination, then each of its steps."""
        net, target, evidence, *_ = ASKED[question]
        hidden = _hidden(question)
        orders = {"causes": hidden, "effects": hidden[::-1], "min-fill": None}
        found = net.explain(target, evidence, orders[order])
        return [found, *found.steps]

    def show(history, step, question, order):
        net, asked = ASKED[question][0], ASKED[question][3]
        found, steps = history[0], history[1 : step + 1]
        if not steps:
            gone, now, joined, cost = found.barren, [], [], ""
            tiles = [(_tile(f), "plain") for f in found.start]
            did = f"{len(tiles)} tables to begin with"
            words = [f"{asked}: {did}", "on a tile: a table and its entries"]
            if found.barren:
                words.append(f"left out, because they sum to 1: {_list(found.barren)}")
                did += f", without {_list(found.barren)}, which sum to 1"
        else:
            this, before = steps[-1], steps[-2].left if step > 1 else found.start
            used = {id(f) for f in this.used}
            tiles = [(_tile(f), "used" if id(f) in used else "plain") for f in before] + [(_tile(this.made), "made")]
            words, did = _told(found, this, asked)
            largest = max(each.size for each in steps)
            words.append(f"largest table so far: {largest}")
            cost = f" So far: largest table {largest}, {sum(s.multiplications for s in steps)} multiplications."
            gone = [*(each.variable for each in steps[:-1]), *found.barren]
            now, joined = ([this.variable], this.made.variables) if this.variable else ([], [])
        sizes = [each.size for each in steps]
        picture.show(question, tiles, gone, now, joined, words, sizes)
        return (
            f"{asked}, {ORDERS[order]} ({_list(found.order)}), step {step} of {len(found.steps)}: {did}.{cost} "
            f"Enumeration adds {terms[question]} terms of {len(net.variables)} factors."
        )

    return Player(
        picture,
        {
            "question": choice("question", [(label, key) for key, label in offered.items()], next(iter(offered))),
            "order": choice("order", [(label, key) for key, label in ORDERS.items()], "causes"),
        },
        history=history,
        show=show,
        interval=2500,
        presets={label: values for label, values in presets.items() if values["question"] in offered},
    )


def _told(found, step, asked):
    """A step in two short lines for the picture, and in a sentence for the caption."""
    used, numbers = [_name(f) for f in step.used], _numbers(step.made)
    if step.variable is None:
        total, answer = f"{found.evidence_probability:.4g}", f"{asked} = {found.answer[True]:.4f}"
        first = f"multiply the {len(used)} tables left: {numbers}"
        return [first, f"divide by their sum {total}: {answer}"], f"{first}; divided by their sum {total}, {answer}"
    many = f"multiply {len(used)} tables" if len(used) > 1 else f"only {used[0]}"
    lines = [
        f"{step.variable}: {many}, {step.size} entries over {_list(step.scope)}",
        f"sum {step.variable} out: {_name(step.made)} = {numbers}",
    ]
    return lines, (
        f"{step.variable} is summed out of {f'{len(used)} tables' if len(used) > 3 else ' and '.join(used)}, together "
        f"{step.size} entries over {_list(step.scope)}, and leaves {_name(step.made)} = {numbers}"
    )


def _name(factor):
    """P(H=true | D) as P(h|D), and a table over many variables by their number."""
    if len(factor.variables) > 3:
        return f"{factor.name.partition('(')[0]}({len(factor.variables)} variables)"
    return re.sub(r"(\w+)=true", lambda match: match[1].lower(), factor.name).replace(" ", "")


def _tile(factor):
    return f"{re.sub(r'[(].* variables[)]', '(…)', _name(factor))}: {factor.size}"


def _numbers(factor):
    if factor.size > 4:
        return f"{factor.size} numbers"
    return ", ".join(f"{value:.4g}" for value in factor.array.ravel())


def _list(variables):
    if len(variables) > 5:
        return f"{', '.join(variables[:2])}, …, {variables[-1]}"
    return ", ".join(variables)


DRAWS = np.unique(np.geomspace(10, 10_000, 31).round().astype(int))
POSTERIORS = {
    "burglary": (examples.burglary(), "Burglary", {"JohnCalls": True, "MaryCalls": True}, "P(B|j,m)", (0, 0.8)),
    "dog": (examples.family_out(), "O", {"L": True, "H": True}, "P(O|l,h)", (0.6, 1)),
    "prior": (examples.family_out(), "D", {}, "P(D)", (0.1, 0.7)),
    "locked": (examples.locked(), "Y", {}, "P(Y)", (0, 1)),
}
SEEDS = 5
SAMPLERS = (networks.rejection_sampling, networks.likelihood_weighting, networks.gibbs_sampling)


@cache
def _runs(question, seed):
    """At some numbers of draws: for each sampler its estimate, and what the draws were worth."""
    net, target, evidence, *_ = POSTERIORS[question]
    found = [sampler(net, target, evidence, int(DRAWS[-1]), seed) for sampler in SAMPLERS]
    return np.array([(each.running[DRAWS - 1, 0], each.effective[DRAWS - 1]) for each in found]).T


def sampling():
    """Three samplers at work on one question: estimates that run towards the exact answer, or do not."""
    picture = plots.Sampling(theme.axes((0.09, 0.15, 0.26, 0.58), (0.405, 0.15, 0.26, 0.58), (0.72, 0.15, 0.26, 0.58)))
    for question in POSTERIORS:  # a walk of 10,000 rounds takes longer than a frame may, so all are walked beforehand
        for seed in range(1, SEEDS + 1):
            _runs(question, seed)
    answers = {key: net.query(target, evidence)[True] for key, (net, target, evidence, *_) in POSTERIORS.items()}

    def show(history, step, seed, question):
        _, _, evidence, asked, limits = POSTERIORS[question]
        exact, draws, runs = answers[question], DRAWS[: step + 1], history[: step + 1].T
        titles = ["rejection" if evidence else "prior sampling", "likelihood weighting", "Gibbs"]
        short = [_end(*end, "kept" if i == 0 else "worth") for i, end in enumerate(runs[..., -1])]
        bands = [(estimates, np.sqrt(exact * (1 - exact) / np.maximum(worth, 1))) for estimates, worth in runs]
        picture.show(question, asked, titles, limits, exact, draws, bands, short)
        told = "; ".join(f"{title}: {words}" for title, words in zip(titles, short))
        return f"{asked}, exactly {exact:.4f}. After {draws[-1]} draws with seed {seed}: {told}."

    return Player(
        picture,
        {
            "seed": slider("seed", 1, SEEDS, 1),
            "question": choice(
                "question",
                [
                    ("burglary: P(B|j,m)", "burglary"),
                    ("dog: P(O|l,h)", "dog"),
                    ("dog: P(D)", "prior"),
                    ("locked: P(Y)", "locked"),
                ],
                "burglary",
            ),
        },
        history=_runs,
        show=show,
        step="last",
        interval=300,
        presets={
            "rare evidence": {"question": "burglary", "seed": 1},
            "easy evidence": {"question": "dog", "seed": 1},
            "no evidence": {"question": "prior", "seed": 1},
            "locked neighbours": {"question": "locked", "seed": 1},
        },
    )


def _end(estimate, worth, word):
    if worth == 0:
        return "none kept"
    return f"{estimate:.3f}, {word} {worth:.0f}"


ASKED_FIRST, TESTS = ("Sex", "Age", "Pain"), ("Angina", "Rate", "ST", "Scan", "Vessels")
ARROWS, LISTED = {"with": True, "without": False}, "as listed"


@cache
def _hearts():
    """For both nets: its tables from 198 patients, and of the 99 others, for both orders, what is known when and believed."""
    rows = data.load_heart().sample(frac=1, random_state=8)
    fitted, others = rows[:198], rows[198:].to_dict("records")
    states = {variable: sorted(rows[variable].unique()) for variable in rows}
    nets = {
        name: networks.fit(examples.heart_arrows(linked), fitted, prior="laplace", states=states)
        for name, linked in ARROWS.items()
    }
    orders = {
        (name, way): [_order(net, patient, way) for patient in others]
        for name, net in nets.items()
        for way in (LISTED, "best")
    }
    beliefs = {
        key: [[_ill(nets[key[0]], patient, order[:k]) for k in range(9)] for patient, order in zip(others, found)]
        for key, found in orders.items()
    }
    return nets, others, orders, beliefs


def _order(net, patient, way):
    """In which order the facts of a patient become known: as listed, or after three questions the best test next."""
    order, left = list(ASKED_FIRST), list(TESTS)
    while left:
        seen = {v: patient[v] for v in order}
        best = left[0] if way == LISTED else max(left, key=lambda v: networks.expected_bits(net, "Disease", v, seen))
        order.append(best)
        left.remove(best)
    return order


def _ill(net, patient, known):
    return net.query("Disease", {v: patient[v] for v in known})["yes"]


CUTS = {"Age": (["under 50", "50-59", "60+"], (50, 60)), "Rate": (["<150", "150+"], (150,)), "ST": (["<1", "1+"], (1,))}
TYPED = "Sex female, Age 54, Pain typical, Rate 132, ST 1.8"


def _patient(text, states):
    """The facts that a reader typed, such as "Sex male, Age 54", in their order; numbers are cut as in the data."""
    user_data.words(text, "your patient", most=40)
    found, names = {}, {v.lower(): v for v in (*ASKED_FIRST, *TESTS)}
    for fact in filter(None, (part.strip() for part in re.split(r"[,;\n]", text))):
        name, state = (re.split(r"[\s=:]+", fact, maxsplit=1) + [""])[:2]
        v, said = names.get(name.lower()), user_data.plain(state, 20)
        if v is None or v in found:
            wrong = f"{user_data.plain(name, 20)!r} {'twice' if v else ''}".strip()
            raise ValueError(f"your patient must be facts on {', '.join(names.values())}, each once, got {wrong}")
        known = {each.lower(): each for each in states[v]}
        if v in CUTS and state.lower() not in known:
            labels, cuts = CUTS[v]
            [value] = user_data.numbers(state, f"your patient's {v}", most=1, low=0, high=250)
            state = labels[np.searchsorted(cuts, value, side="right")]
        if state.lower() not in known:
            raise ValueError(f"your patient's {v} must be one of {', '.join(states[v])}, got {said!r}")
        found[v] = known[state.lower()]
    return found


def heart():
    """A patient fact by fact: belief in disease, and what each test not yet done is expected to tell."""
    nets, others, orders, beliefs = _hearts()
    linked, plain = (BeliefNetwork(nets[name].parents, _even(nets[name].parents)) for name in ARROWS)
    hidden = {"with": set(), "without": set(linked.edges) - set(plain.edges)}
    picture = plots.Heart(
        *theme.axes((0.01, 0.01, 0.5, 0.98), (0.6, 0.56, 0.38, 0.34), (0.63, 0.13, 0.35, 0.27), height=4.2),
        linked,
        TESTS,
        nets["with"].states,
    )
    ill = np.array([patient["Disease"] == "yes" for patient in others])

    def show(patient, known, order, arrows, text):
        who, net = others[patient - 1], nets[arrows]
        seen = {v: who[v] for v in orders[arrows, order][patient - 1][:known]}
        path, truth = beliefs[arrows, order][patient - 1][: known + 1], None
        if text.strip():
            seen = _patient(text, net.states)
            path = [_ill(net, seen, list(seen)[:k]) for k in range(len(seen) + 1)]
        elif known == 8:
            truth = int(who["Disease"] == "yes")
        bits = [None if v in seen else networks.expected_bits(net, "Disease", v, seen) for v in TESTS]
        picture.show(hidden[arrows], {**seen, "Disease": f"{path[-1]:.3f}"}, list(seen), path, truth, bits)
        says = np.array([each[known] for each in beliefs[arrows, order]])
        loss = -np.log(np.where(ill, says, 1 - says)).mean()
        told = ", ".join(f"{v} {state}" for v, state in seen.items()) or "nothing"
        if truth is None:
            left = [v for v in TESTS if v not in seen]
            best = max(left, key=lambda v: bits[TESTS.index(v)], default=None)
            next_one = (
                f"Most to expect from {best}: {bits[TESTS.index(best)]:.3f} bits." if left else "No test is left."
            )
        else:
            next_one = f"The angiogram found {'narrowed arteries' if truth else 'no narrowed artery'}."
        if text.strip():
            told = f"Your patient. Known: {told}. P(disease) = {path[-1]:.3f}. {next_one}"
            return f"{told} The tables are those of 198 patients of one hospital, all suspected of disease."
        return (
            f"Patient {patient} of 99 held out. Known: {told}. P(disease) = {path[-1]:.3f}. {next_one} All 99, "
            f"with {known} facts each, {'the best test next' if order == 'best' else order}: right {((says > 0.5) == ill).mean():.3f}, log loss {loss:.3f} nats."
        )

    def at(known, order=LISTED, arrows="with", text=""):
        return {"known": known, "order": order, "arrows": arrows, "text": text}

    return LiveFigure(
        picture,
        {
            "patient": slider("patient", 1, 99, 1),
            "known": slider("facts known", 0, 8, 3),
            "order": choice("order", [(LISTED, LISTED), ("best test next", "best")], LISTED),
            "arrows": choice("arrows between tests", [("with", "with"), ("without", "without")], "with"),
            "text": box("or your own patient", ""),
        },
        show,
        presets={
            "nothing known": at(0),
            "age, sex, pain": at(3),
            "best test next": at(4, "best"),
            "all tests": at(8),
            "all tests, no arrows between": at(8, arrows="without"),
            "a patient of your own": at(3, text=TYPED),
        },
        keys={**steer.by("known"), **steer.by("patient", keys=steer.UP)},
        help="Left and right arrows change how many facts are known, up and down go to another patient.",
        main=("patient", "known"),
        more=("text",),
    )


def _even(parents):
    """Tables for a drawing, in which no number counts."""
    return {v: np.full((2,) * (len(theirs) + 1), 0.5) for v, theirs in parents.items()}
