"""The live figures of section 07, belief networks."""

from itertools import combinations

import numpy as np

from bayeslib import data
from bayeslib.figures import steer, user_data
from bayeslib.figures.controls import State, box, choice, menu, slider
from bayeslib.figures.figure import LiveFigure
from bayeslib.models.networks import BeliefNetwork, examples
from bayeslib.plots import belief_networks as plots
from bayeslib.plots import theme

DOG = {"O": "O: all out", "B": "B: bowel trouble", "L": "L: light on", "D": "D: dog outside", "H": "H: barking"}
STUDENT = {"S": "S: studies", "A": "A: attends", "K": "K: knows", "E": "E: good exam", "H": "H: homework"}


def _seen(*variables, **evidence):
    """A preset of `observe`: what is seen, and the frame round the last of it."""
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
            "good exam, studies": _seen("E", "S"),
            "bad exam": _seen(E=False),
            "bad exam, studies": _seen(E=False, S=True),
        },
    ),
}


def observe(net="storm", labels=None, presets=None):
    """A network whose nodes are clicked through unobserved, true and false, and the belief in every variable.

    `net` is "storm", "dog", "burglary", "student", or a `BeliefNetwork`; `presets` are values of `evidence` and `focus`.
    """
    if not isinstance(net, BeliefNetwork):
        net, usual, settings = _net(net)
        labels, presets = labels or usual, settings if presets is None else presets
    variables, first = net.variables, {v: net.states[v][0] for v in net.variables}

    def beliefs(evidence):
        return {v: table[first[v]] for v, table in net.marginals(evidence).items()}

    prior = beliefs({})
    legend = "bar: belief now   tick: at first   ▲▼: moved by the framed node\n○: before that node was seen"
    picture = plots.Beliefs(*theme.axes((0.13, 0.18, 0.74, 0.81), height=4.3), net, prior, labels, legend)

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
        earlier = {v: without[v] for v in hidden} if focus in evidence and others else {}
        picture.show(evidence, now, {v: _p(now[v]) for v in hidden}, moved, focus, earlier)
        if not evidence:
            listed = ", ".join(f"P({v}) = {_p(now[v])}" for v in variables)
            return f"Nothing is seen yet; the frame is round {focus}. {listed}."
        listed = "; ".join(f"{v} {_p(prior[v])} → {_p(now[v])}" for v in hidden) or "nothing is left to ask"
        if focus not in evidence:
            return f"Seen: {_told(evidence)}. Beliefs before → now: {listed}. The frame is round {focus}, not seen."
        still = [v for v in hidden if v not in moved]
        told = f"moves {_and(list(moved)) or 'nothing'}" + (
            f" and leaves {_and(still)} unmoved" if still and moved else ""
        )
        beside = f" on top of {_told(others)}" if others else ""
        return f"Seen: {_told(evidence)}. Beliefs before → now: {listed}. The frame is round {focus}: seeing it{beside} {told}."

    return LiveFigure(
        picture,
        {"evidence": State(value={}), "focus": State(value=variables[0])},
        show,
        presets=presets,
        drag=_click(picture.network, lambda values, v: {"evidence": _cycled(net, values["evidence"], v), "focus": v}),
        keys={
            **_ring_keys(variables),
            **steer.press(lambda values: {"evidence": _cycled(net, values["evidence"], values["focus"])}),
        },
        help="Click a node to see it true ■, false □, or unseen again. Arrow keys move the frame, Space clicks.",
    )


def network_size():
    """One table of everything against a network, counted in numbers, on a logarithmic scale."""
    picture = plots.NetworkSize(*theme.axes((0.03, 0.2, 0.94, 0.78), height=3.4))

    def show(n, k, parents):
        whole = k**n - 1
        # The first variable has no earlier one, the second has one, and so on.
        network = sum((k - 1) * k ** min(earlier, parents) for earlier in range(n))
        most = {0: "no parents", 1: "at most 1 parent each"}.get(parents, f"at most {parents} parents each")
        picture.show(
            (whole, network), (f"one table of everything: {whole:,}", f"a network with {most}: up to {network:,}")
        )
        saved = "nothing is saved" if network == whole else f"{whole / network:,.4g} times fewer"
        return (
            f"{n} variables with {k} states each: {k}^{n} − 1 = {whole:,} numbers as one table, "
            f"up to {network:,} as a network with {most}: {saved}."
        )

    return LiveFigure(
        picture,
        {
            "n": slider("variables", 2, 30, 6),
            "k": slider("states of each", 2, 5, 2),
            "parents": slider("most parents", 0, 5, 2),
        },
        show,
        presets={
            "6 variables": {"n": 6, "k": 2, "parents": 2},
            "30 variables": {"n": 30, "k": 2, "parents": 2},
            "30, no parents": {"n": 30, "k": 2, "parents": 0},
            "6, all earlier ones": {"n": 6, "k": 2, "parents": 5},
        },
        keys={**steer.by("n"), **steer.by("parents", keys=steer.UP)},
        help="Left and right arrows change the number of variables, up and down the most parents.",
    )


LETTERS = {"Storm": "S", "Bus": "Bus", "Lightning": "L", "Thunder": "T", "Campfire": "C", "ForestFire": "F"}
PLACES = {
    "Storm": (0.32, 0),
    "Lightning": (0.32, 0.5),
    "Thunder": (0.32, 1),
    "Bus": (0.68, 0),
    "Campfire": (0.68, 0.5),
    "ForestFire": (0.68, 1),
}
CASE = {"Storm": True, "Bus": False, "Lightning": True, "Thunder": True, "Campfire": False, "ForestFire": True}


def joint_cells():
    """One case of the storm net: the six cells that it picks, their product, and cells that can be changed."""
    book = examples.storm()
    picture = plots.JointCells(
        *theme.axes((0.0, 0.01, 0.6, 0.98), (0.64, 0.01, 0.34, 0.98), height=4.0), book, LETTERS, PLACES
    )

    def network(edits):
        return book.with_tables({v: np.array(table) for v, table in edits.items()}) if edits else book

    def show(case, edits, focus):
        net = network(edits)
        cells = net.cells(case)
        words = {v: f"{_cell(net, v, case)} = {_short(p)}" for v, p in cells.items()}
        lit = {focus, *net.children[focus]}
        product = net.joint(case)
        factors = " · ".join(_short(p) for p in cells.values())
        picture.show(case, cells, words, lit, f"product {product:.4g}", focus)
        own = f"its own{' and that of ' + _and(list(net.children[focus])) if net.children[focus] else ''}"
        changed = f" Changed by you: the table of {_and(sorted(edits))}." if edits else ""
        return (
            f"{', '.join(_literal(v, state) for v, state in case.items())}: {factors} = {product:.4g}. The frame is round "
            f"{focus}, which stands in {len(lit)} of 6 factors: {own}.{changed} All 64 products sum to "
            f"{net.joint_table().sum():.3f}."
        )

    def flip(values, v):
        return {"case": {**values["case"], v: not values["case"][v]}, "focus": v}

    def edit(values, v, chance):
        """The cell that the case picks from the table of v gets this chance; the other cell of its row gets the rest."""
        table, case = network(values["edits"]).factor(v).copy(), values["case"]
        row = tuple(int(not case[u]) for u in book.parents[v])
        chance = round(min(max(chance, 0), 1), 2)
        table[row] = [chance, 1 - chance] if case[v] else [1 - chance, chance]
        return {"edits": {**values["edits"], v: table.round(2).tolist()}, "focus": v}

    def drag(values, axes, start, at):
        if axes is picture.figure.axes[0]:
            v = picture.network.at(*start)
            return {} if v is None else flip(values, v)
        row = int(np.floor(start[1] + 0.3))
        return edit(values, book.variables[row], at[0]) if 0 <= row < len(book.variables) else {}

    def nudge(values, by):
        v = values["focus"]
        return edit(values, v, network(values["edits"]).cells(values["case"])[v] + by)

    def case(**states):
        return {"case": {**CASE, **states}, "edits": {}}

    return LiveFigure(
        picture,
        {"case": State(value=CASE), "edits": State(value={}), "focus": State(value="Storm")},
        show,
        presets={
            "our case": {**case(), "focus": "Storm"},
            "everything true": {**case(Bus=True, Campfire=True), "focus": "Storm"},
            "nothing true": {**case(**dict.fromkeys(CASE, False)), "focus": "Storm"},
        },
        drag=drag,
        keys={
            **steer.around("focus", book.variables),
            **steer.two(lambda values, by: nudge(values, 0.05 * by), steer.UP),
            **steer.press(lambda values: flip(values, values["focus"])),
        },
        help="Click a node to flip it; drag a bar to edit that cell. Left and right move the frame, Space flips, "
        "up and down edit.",
    )


PERCENTS = np.arange(1, 100)


def cross_ratio():
    """Storm and bus, two causes of a campfire: what one tells about the other turns on one cell of the table."""
    picture = plots.CrossRatio(*theme.axes((0.09, 0.19, 0.62, 0.78)), PERCENTS)
    book = examples.storm()
    rows = {states: row[True] for states, row in book.table("Campfire").items()}
    known = {"a bus was seen": {"Bus": True}, "no bus was seen": {"Bus": False}, "bus not known": {}}

    def beliefs(percent, fire):
        net = book.with_tables({"Campfire": {**rows, (True, True): percent / 100}})
        return {name: net.query("Storm", {"Campfire": fire, **bus})[True] for name, bus in known.items()}

    tables = {fire: [beliefs(percent, fire) for percent in PERCENTS.tolist()] for fire in (True, False)}
    curves = {fire: {name: [each[name] for each in table] for name in known} for fire, table in tables.items()}

    def chance(states, fire):
        return rows[states] if fire else 1 - rows[states]

    def show(percent, fire):
        now = tables[fire][percent - 1]
        both = percent / 100 if fire else 1 - percent / 100
        none, storm, bus = (chance(states, fire) for states in ((False, False), (True, False), (False, True)))
        ratio, even = both * none / (storm * bus), storm * bus / none
        where = 100 * (even if fire else 1 - even), now["no bus was seen"]
        picture.show(curves[fire], percent, now["a bus was seen"], where, f"cross ratio\n{ratio:.2f}")
        if abs(ratio - 1) < 1e-9:
            told = "exactly 1: the bus tells nothing about the storm"
        else:
            told = "below 1: a bus speaks against a storm" if ratio < 1 else "above 1: a bus speaks for a storm"
        return (
            f"{'A campfire burns' if fire else 'No campfire burns'}. P(Storm) is {now['bus not known']:.4f}; with a bus "
            f"{now['a bus was seen']:.4f}, without a bus {now['no bus was seen']:.4f}. Cross ratio {both:.4g}·{none:.4g} / "
            f"({storm:.4g}·{bus:.4g}) = {ratio:.3f}, {told}."
        )

    return LiveFigure(
        picture,
        {
            "percent": slider("P(C|S,Bus), percent", 1, 99, 40),
            "fire": choice("campfire", [("burns", True), ("does not burn", False)], True),
        },
        show,
        presets={
            "40%": {"percent": 40, "fire": True},
            "10%": {"percent": 10, "fire": True},
            "80%": {"percent": 80, "fire": True},
            "40%, no fire": {"percent": 40, "fire": False},
        },
        drag=steer.drag("percent"),
        keys=steer.by("percent"),
        help="Drag in the picture, or use left and right arrows, to change the one cell of the table.",
    )


# The rounds of the game on the storm net: two variables and what is seen.
ROUNDS = [
    ("Thunder", "Campfire", {}),
    ("Storm", "Bus", {}),
    ("Storm", "Bus", {"ForestFire": True}),
    ("Thunder", "Campfire", {"Storm": False}),
    ("Lightning", "Campfire", {"Storm": True, "ForestFire": True}),
    ("Thunder", "ForestFire", {"Lightning": True}),
    ("Thunder", "Bus", {"Campfire": True}),
    ("Thunder", "Bus", {"Storm": True, "Campfire": False}),
]


def d_separation(net="storm", a=None, b=None, positions=None):
    """Two variables, what is seen, and every path between them: open, or blocked and why. With a game of eight rounds.

    `net` is a name as in `observe`, or a `BeliefNetwork`; a and b are the variables to start with; `positions` are places
    of the nodes, as (across, down) from 0 to 1.
    """
    game = net == "storm"
    net = net if isinstance(net, BeliefNetwork) else _net(net)[0]
    variables = net.variables
    picture = plots.Separation(
        *theme.axes((0.01, 0.03, 0.55, 0.94), (0.58, 0.03, 0.41, 0.92), height=3.7), net, positions
    )
    short = LETTERS if game else {v: v for v in variables}

    def show(a, b, evidence, focus, guesses, asked):
        if a == b:
            raise ValueError(f"from and to must be two variables, got {a} twice")
        evidence = {v: state for v, state in evidence.items() if v not in (a, b)}
        given = f"given {_told(evidence)}" if evidence else "with nothing seen"
        score = f" Score: {sum(guesses)} of {len(guesses)}." if guesses else ""
        if asked:
            question = f"Round {len(guesses) + 1} of {len(ROUNDS)}\n\nseparated\nor connected?"
            picture.show((a, b), evidence, None, question, focus)
            return (
                f"Round {len(guesses) + 1} of {len(ROUNDS)}: {given}, does the graph separate {a} from {b}? Press separated "
                f"or connected.{score}"
            )
        paths = net.paths(a, b, evidence)
        separated = net.d_separated(a, b, evidence)
        verdict = "separated: independent" if separated else "connected: may be dependent"
        difference, words = _difference(net, a, b, evidence)
        lines = [f"{'○' if path.open else '✕'} {_drawn(net, path, short)}{_stop(path, short)}" for path in paths]
        hidden = len(lines) - picture.ROWS
        more = [f"and {hidden} more"] if hidden > 0 else []
        told = "\n".join([verdict, f"difference {difference:.4f}", "", *lines[: picture.ROWS], *more])
        picture.show((a, b), evidence, paths, told, focus)
        count = f"{theme.count(len(paths), 'path')}, {sum(path.open for path in paths)} open"
        agrees = (
            "as the graph promised"
            if separated
            else "the open path carries news"
            if difference > 1e-9
            else "an open path, and yet no news in this state: these tables happen to balance"
        )
        why = "; ".join(f"{_drawn(net, path, short)} {_reason(path, short)}" for path in paths) or "no path"
        return f"{a} and {b} {given}: {verdict}. {words}: {agrees}. {count}: {why}. The frame is round {focus}.{score}"

    def click(values, v):
        ends = (values["a"], values["b"])
        return {} if values["asked"] or v in ends else {"evidence": _cycled(net, values["evidence"], v), "focus": v}

    def ask(values):
        guesses = values["guesses"] if len(values["guesses"]) < len(ROUNDS) else []
        a, b, evidence = ROUNDS[len(guesses)]
        return {"a": a, "b": b, "evidence": evidence, "guesses": guesses, "asked": True}

    def guess(values, separated):
        if not values["asked"]:
            return {}
        right = net.d_separated(values["a"], values["b"], values["evidence"]) == separated
        return {"guesses": [*values["guesses"], right], "asked": False}

    names = [(str(v), v) for v in variables]
    a, b = a or variables[0], b or variables[1]
    return LiveFigure(
        picture,
        {
            "a": menu("from", names, a),
            "b": menu("to", names, b),
            "evidence": State(value={}),
            "focus": State(value=variables[0]),
            "guesses": State(value=[]),
            "asked": State(value=False),
        },
        show,
        presets=SEPARATIONS if game else {},
        actions={
            "game: next round": ask,
            "separated": lambda values: guess(values, True),
            "connected": lambda values: guess(values, False),
        }
        if game
        else {},
        drag=_click(picture.network, click),
        keys={
            **_ring_keys(variables),
            **steer.press(lambda values: click(values, values["focus"])),
        },
        help="Click a node to see it true ■, false □, or unseen again. Arrow keys move the frame, Space clicks.",
    )


def _setting(a, b, **evidence):
    return {"a": a, "b": b, "evidence": evidence, "asked": False}


SEPARATIONS = {
    "chain": _setting("Storm", "Thunder"),
    "chain, seen": _setting("Storm", "Thunder", Lightning=True),
    "fork": _setting("Lightning", "Campfire"),
    "fork, seen": _setting("Lightning", "Campfire", Storm=True),
    "collider": _setting("Storm", "Bus"),
    "collider, seen": _setting("Storm", "Bus", Campfire=False),
    "one state only": _setting("Storm", "Bus", Campfire=True),
}

ORDERS = {"burglary": examples.burglary(), "dog": examples.dog()}


def build_order():
    """A network built up in any order: which arrows the order needs, and how many numbers."""
    places = range(5)
    every_arrow = BeliefNetwork({p: list(range(p)) for p in places}, {p: np.full((2,) * (p + 1), 0.5) for p in places})
    picture = plots.Orders(*theme.axes((0.13, 0.16, 0.74, 0.83), height=4.0), every_arrow, "1. Earthquake")

    def show(net, order, focus):
        book = ORDERS[net]
        names = [book.variables[i] for i in order]
        turned = book.reordered(names)
        numbers = {v: 2 ** len(turned.parents[v]) for v in names}
        arrows = {(names.index(u), names.index(v)) for u, v in turned.edges}
        off = np.abs(
            turned.joint_table().transpose([turned.variables.index(v) for v in book.variables]) - book.joint_table()
        )
        total = f"{' + '.join(str(numbers[v]) for v in names)} = {turned.parameter_count} numbers"
        picture.show(names, arrows, [f"needs {numbers[v]}" for v in names], total, focus)
        asks = ", ".join(f"{v} given {_and(list(turned.parents[v])) or 'nothing'}" for v in names)
        return (
            f"Order {', '.join(names)}: {asks}. {len(arrows)} arrows, {total}; one table needs "
            f"{turned.joint_parameter_count}. No probability of any case differs by more than "
            f"{'0.000001' if off.max() < 1e-6 else f'{off.max():.6f}'}. The frame is round {names[focus]}."
        )

    def moved(values, place, to):
        order = list(values["order"])
        order.insert(to, order.pop(place))
        return {"order": order, "focus": to}

    def drag(values, axes, start, at):
        place = picture.network.at(*start)
        return {} if place is None else moved(values, place, picture.nearest(*at))

    def step(values, by):
        to = min(max(values["focus"] + by, 0), 4)
        return moved(values, values["focus"], to)

    def order(net, letters):
        starts = [v[0] for v in ORDERS[net].variables]
        return {"net": net, "order": [starts.index(letter) for letter in letters], "focus": 0}

    return LiveFigure(
        picture,
        {
            "net": choice("network", [("burglary", "burglary"), ("dog", "dog")], "burglary"),
            "order": State(value=[0, 1, 2, 3, 4]),
            "focus": State(value=0),
        },
        show,
        presets={
            "causes first": order("burglary", "BEAJM"),
            "M J A B E": order("burglary", "MJABE"),
            "M J E B A": order("burglary", "MJEBA"),
            "dog": order("dog", "OBLDH"),
            "dog, H L D O B": order("dog", "HLDOB"),
        },
        drag=drag,
        keys={**steer.along("focus", places), **steer.two(step, steer.DOWN)},
        help="Drag a node to another place. Left and right arrows move the frame, up and down move its variable.",
    )


# Data of which three columns are compared: the groups x, the strata z, and the state of y whose share is drawn.
STRATA = {
    "Berkeley": (data.load_berkeley, ("Gender", "Dept", "Admit"), "Admitted"),
    "Titanic": (
        lambda: data.load_titanic().query("status != 'crew'"),
        ("sex", "survived", "age"),
        "child",
    ),
}
OWN = (
    "Breakfast, Sleep, Exam, people\nyes, long, passed, 24\nyes, long, failed, 6\nyes, short, passed, 8\nyes, short, failed, 7\n"
    "no, long, passed, 9\nno, long, failed, 3\nno, short, passed, 14\nno, short, failed, 19"
)
ARROWS = {"chain": "{0} → {1} → {2}", "collider": "{0} → {1} ← {2}", "all": "with all three arrows"}


def strata(name="Berkeley"):
    """Counts of three variables x, y and z: the share of a state of y in two groups x, among all cases and within each z, and
    what a net says without an arrow between x and y. `name` is "Berkeley" or "Titanic".
    """
    if name not in STRATA:
        raise ValueError(f"name must be one of {list(STRATA)}, got {name!r}")
    picture = plots.Strata(*theme.axes((0.03, 0.22, 0.94, 0.64), height=3.9))
    known = {each: _counted(load(), columns, state) for each, (load, columns, state) in STRATA.items()}

    def show(data, net, text):
        columns, groups, names, state, counts = known[data] if data in known else _typed(text)
        shares, claims = _shares(counts), _claims(counts, net)
        claim = ARROWS[net].format(*columns)
        picture.show(
            groups,
            ["all", *names],
            shares,
            claims,
            f"the net {claim}",
            f"share with {columns[2]} = {state}: all, and by {columns[1]}",
        )
        pairs = [" and ".join(_percent(row[i]) for row in shares) for i in range(len(names) + 1)]
        within = "; ".join(f"{each} {pair}" for each, pair in zip(names, pairs[1:]))
        few = [each for i, each in enumerate(names) if counts[:, i].sum(axis=1).min() < 5]
        warned = f" Fewer than 5 cases in a group of {_and(few)}." if few else ""
        said = " and ".join(_percent(row[0]) for row in claims)
        return (
            f"{counts.sum():,.0f} cases. {columns[2]} = {state} among all: {groups[0]} and {groups[1]} {pairs[0]}. By {columns[1]}: "
            f"{within}. The net {claim} says {said} among all, and misses a share by {100 * _miss(shares, claims):.1f} points "
            f"at most.{warned}"
        )

    return LiveFigure(
        picture,
        {
            "data": menu("data", [(each, each) for each in (*STRATA, "your own")], name),
            "net": choice("arrows", [("x → z → y", "chain"), ("x → z ← y", "collider"), ("and x → y", "all")], "chain"),
            "text": box("your own: x, z, y, count", OWN, lines=3, file=True),
        },
        show,
        presets={
            "Berkeley": {"data": "Berkeley", "net": "chain"},
            "Titanic": {"data": "Titanic", "net": "collider"},
            "Titanic, chain": {"data": "Titanic", "net": "chain"},
            "your own": {"data": "your own", "net": "chain"},
        },
        keys=steer.around("net", list(ARROWS)),
        help="Choose the data and the arrows; left and right arrow keys change the net.",
    )


def _counted(table, columns, state):
    """(columns, groups, strata, state, counts of x × z × (y is the state, or not))."""
    x, z, y = columns
    groups, names = (list(dict.fromkeys(table[each])) for each in (x, z))
    counts = np.zeros((2, len(names), 2))
    for a, b, c, people in zip(table[x], table[z], table[y], table[table.columns[-1]]):
        counts[groups.index(a), names.index(b), int(c != state)] += people
    return columns, groups, names, state, counts


def _typed(text):
    """The same of a table that the reader typed."""
    table = user_data.table(text, most_columns=4)
    if table.shape[1] != 4:
        raise ValueError(f"your table must have the columns x, z, y and a count, got {table.shape[1]} columns")
    columns = list(table.columns)
    for column, least, most in zip(columns, (2, 1, 2), (2, plots.Strata.MOST, 2)):
        if not least <= table[column].nunique() <= most:
            wanted = "two states" if most == 2 else f"at most {most} states"
            raise ValueError(f"your table, column {_plain(column)}, must have {wanted}, got {table[column].nunique()}")
    state = table[columns[2]].iloc[0]
    table[columns[3]] = user_data.number_column(table, columns[3], low=0, high=1e6)
    *_, groups, names, state, counts = _counted(table, columns[:3], state)
    if not counts.sum(axis=(1, 2)).all():
        raise ValueError("your table must count at least one case in each of the two groups")
    return (
        [_plain(each) for each in columns[:3]],
        *([_plain(each) for each in some] for some in (groups, names)),
        _plain(state),
        counts,
    )


def _plain(word):
    """A reader's word as the picture's font can write it, not too long, and no formula."""
    word = "".join(each if each.isprintable() and ord(each) < 0x2000 and each not in "$\\" else "?" for each in word)
    return word if len(word) <= 12 else f"{word[:11]}…"


def _shares(counts):
    """P(y | x) among all cases, then P(y | x, z) for each z: 2 × (1 + strata), NaN where nothing was counted."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.column_stack(
            [counts[..., 0].sum(axis=1) / counts.sum(axis=(1, 2)), counts[..., 0] / counts.sum(axis=2)]
        )


def _claims(counts, net):
    """The same of a net whose tables are counted: x → z → y, x → z ← y, or with all three arrows."""
    if net == "all":
        return _shares(counts)
    with np.errstate(invalid="ignore", divide="ignore"):
        if net == "chain":  # P(z | x) P(y | z)
            joint = counts.sum(axis=2, keepdims=True) * (counts.sum(axis=0) / counts.sum(axis=(0, 2))[:, None])
        else:  # P(x) P(y) P(z | x, y)
            margins = np.outer(counts.sum(axis=(1, 2)), counts.sum(axis=(0, 1)))
            joint = margins[:, None] * np.nan_to_num(counts / counts.sum(axis=1, keepdims=True))
        return _shares(np.nan_to_num(joint))


def _miss(shares, claims):
    return np.nanmax(np.abs(shares - claims))


def _percent(share):
    return f"{share:.1%}" if share == share else "unknown"


def _net(name):
    """A net of the course by its name, what its nodes are called, and its presets."""
    if name not in NETS:
        raise ValueError(f"net must be one of {list(NETS)} or a BeliefNetwork, got {name!r}")
    make, labels, presets = NETS[name]
    return make(), labels, presets


def _possible(net, evidence):
    return net.log_evidence(evidence) > -float("inf")


def _click(network, act):
    """Pointer to node: `act(values, variable)` with the values at the press, so that a click counts once."""

    def drag(values, axes, start, at):
        variable = network.at(*start)
        return {} if variable is None else act(values, variable)

    return drag


def _ring_keys(variables):
    """Arrow keys that move the frame to the next or the previous variable."""
    return {**steer.around("focus", variables), **steer.around("focus", variables, steer.DOWN)}


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


def _short(probability):
    """As a reader would type it: 0.2, 0.95."""
    return f"{probability:.2f}".rstrip("0").rstrip(".")


def _literal(variable, state):
    return variable if state else f"no {variable}"


def _cell(net, variable, case):
    """The name of a cell in letters: P(¬C|S,¬Bus)."""
    sign = {v: ("" if case[v] else "¬") + LETTERS[v] for v in net.variables}
    parents = ",".join(sign[u] for u in net.parents[variable])
    return f"P({sign[variable]}{'|' + parents if parents else ''})"


def _drawn(net, path, short):
    """A path with its arrows: S → C ← Bus."""
    words = [short[path.variables[0]]]
    for u, v in zip(path.variables, path.variables[1:]):
        words += ["→" if u in net.parents[v] else "←", short[v]]
    return " ".join(words) if sum(map(len, words)) < 20 else "".join(words)  # a long one must fit into the list


def _stop(path, short):
    """The first variable that blocks a path, for the list beside the picture."""
    return "".join(f"   {short[v]} {'unseen' if kind == 'collider' else 'seen'}" for v, kind, *_ in path.blocks[:1])


def _reason(path, short):
    """Why a path is open or blocked, in words."""
    why = ", ".join(f"{short[each.variable]} {each.reason}" for each in (path.inner if path.open else path.blocks))
    return f"{'open' if path.open else 'blocked'} ({why or 'an arrow'})"


def _difference(net, a, b, evidence):
    """The largest change in P(a | b, evidence) from one state of b to another, and that change in words."""
    together = net.query([a, b], evidence)
    of_b = {y: sum(together[x, y] for x in net.states[a]) for y in net.states[b]}
    possible = [y for y in net.states[b] if of_b[y] > 0]
    after = {(x, y): together[x, y] / of_b[y] for x in net.states[a] for y in possible}
    pairs = [(x, y, z) for x in net.states[a] for y, z in combinations(possible, 2)]
    if not pairs:
        return 0.0, f"{b} is certain here, so there is nothing to compare"
    x, y, z = max(pairs, key=lambda each: round(abs(after[each[0], each[1]] - after[each[0], each[2]]), 9))
    first, then = (f"P({_told({a: x})} | {_told({b: each})}) = {after[x, each]:.4f}" for each in (y, z))
    return abs(after[x, y] - after[x, z]), f"{first} and {then}"
