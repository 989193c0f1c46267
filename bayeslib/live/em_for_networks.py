"""The live figures of section 11, EM for belief networks."""

from functools import lru_cache
from itertools import product
from math import log

import numpy as np

from bayeslib import data
from bayeslib.figures import steer, user_data
from bayeslib.figures.controls import State, box, choice, menu, slider, stops
from bayeslib.figures.figure import LiveFigure, Player
from bayeslib.models.networks import em, examples, expected_counts, gradient_ascent
from bayeslib.plots import em_for_networks as plots
from bayeslib.plots import theme

NAMES = "SAKEH"
ROWS = [[row[v] for v in NAMES] for row in examples.student_holes()]
STRIPS = ["row 1", "row 2 as K = 1", "row 2 as K = 0", "row 3", "row 4 as A = 1", "row 4 as A = 0", "row 5"]
WEIGHTS = [1, 0.6, 0.4, 1, 0.2, 0.8, 1]


def split_rows():
    """Rows with a hole split into weighted strips; sliders for the tables that decide the weights."""
    picture = plots.Split(*theme.axes((0.015, 0.02, 0.46, 0.96), (0.57, 0.17, 0.41, 0.81)), NAMES, ROWS)

    def show(k_01, k_00, e_1, e_0, a):
        k1, k0, e1, e0, a1 = (value / 100 for value in (k_01, k_00, e_1, e_0, a))
        products = [(k1, 1 - e1), (1 - k1, 1 - e0), (a1, 1 - k1), (1 - a1, 1 - k0)]
        joint = [x * y for x, y in products]
        know, came = joint[0] / (joint[0] + joint[1]), joint[2] / (joint[2] + joint[3])
        weights = [1, know, 1 - know, 1, came, 1 - came, 1]
        picture.show(weights, products)
        (p, q), (r, s), (t, u), (v, w) = products
        return (
            f"Row 2 (E = 0): {p:.2f} × {q:.2f} = {joint[0]:.4f} for K = 1 against {r:.2f} × {s:.2f} = {joint[1]:.4f} for K = 0, "
            f"so K = 1 gets weight {know:.3f}. Row 4 (K = 0): {t:.2f} × {u:.2f} = {joint[2]:.4f} for A = 1 against "
            f"{v:.2f} × {w:.2f} = {joint[3]:.4f} for A = 0, so A = 1 gets weight {came:.3f}. Seven strips, and their weights "
            f"add up to {sum(weights):.3f}."
        )

    return LiveFigure(
        picture,
        {
            "k_01": slider("P(K | S=0, A=1), %", 1, 99, 80),
            "k_00": slider("P(K | S=0, A=0), %", 1, 99, 20),
            "e_1": slider("P(E | K=1), %", 1, 99, 70),
            "e_0": slider("P(E | K=0), %", 1, 99, 20),
            "a": slider("P(A), %", 1, 99, 50),
        },
        show,
        presets={
            "E says nothing": {"k_01": 80, "k_00": 20, "e_1": 50, "e_0": 50, "a": 50},
            "a sure exam": {"k_01": 80, "k_00": 20, "e_1": 99, "e_0": 1, "a": 50},
            "after one step": {"k_01": 73, "k_00": 1, "e_1": 56, "e_0": 71, "a": 64},
        },
        main=("k_01", "e_1"),
        more=("k_00", "a"),
    )


def slip_fraction():
    """Which strips belong into the numerator of P(K=1 | S=0, A=1), which only into the denominator? Click them."""
    picture = plots.Fraction(
        *theme.axes((0.015, 0.02, 0.6, 0.96), (0.65, 0.04, 0.34, 0.92)),
        NAMES,
        ROWS,
        WEIGHTS,
        [row["K"] for row in _split()],
    )

    def show(marks, focus):
        picture.show(marks, focus)
        above = sum(w for w, mark in zip(WEIGHTS, marks) if mark == "a")
        below = sum(w for w, mark in zip(WEIGHTS, marks) if mark != "-")
        value = f"{above:g} / {below:g} = {above / below:.4f}" if below else "No fraction yet"
        sign = {"-": "left out", "b": "in the denominator only", "a": "in numerator and denominator"}[marks[focus]]
        return f"{value}. {_fault(marks)} In the frame: {STRIPS[focus]}, {sign}."

    turn = {"-": "b", "b": "a", "a": "-"}

    def turned(marks, at):
        return marks[:at] + turn[marks[at]] + marks[at + 1 :]

    def click(values, axes, start, at):
        strip = int(np.searchsorted(np.cumsum(WEIGHTS), start[1], side="right"))
        if not 0 <= start[1] < sum(WEIGHTS) or not 0 <= strip < len(WEIGHTS):
            return {}
        return {"marks": turned(values["marks"], strip), "focus": strip}

    return LiveFigure(
        picture,
        {"marks": State(value="-------"), "focus": State(value=1)},
        show,
        presets={
            "the slide": {"marks": "-abaa--", "focus": 4},
            "by the rule": {"marks": "-abab--", "focus": 4},
            "drop incomplete rows": {"marks": "---a---", "focus": 3},
            "all of row 4": {"marks": "-ababb-", "focus": 5},
        },
        drag=click,
        within=[0],
        keys={
            **steer.along("focus", range(len(WEIGHTS)), steer.DOWN),
            "ArrowRight": lambda values: {"marks": turned(values["marks"], values["focus"])},
        },
        help="Click a strip: denominator, both, out. Up and down arrows choose a strip, right changes its place.",
    )


def _fault(marks):
    """The first strip that stands where the rule does not put it, in words."""
    for strip, mark, row in zip(STRIPS, marks, _split()):
        right = "-" if row["S"] or not row["A"] else "a" if row["K"] else "b"
        if mark != right:
            if mark == "-":
                return f"Not yet: {strip} has S = 0 and A = 1, so it belongs in the fraction."
            if right == "-":
                return f"Not yet: {strip} does not have S = 0 and A = 1, so it is left out."
            where = "K = 1, so it counts in the numerator too" if right == "a" else "K = 0: denominator only"
            return f"Not yet: {strip} has {where}."
    return (
        "Every strip is where the rule puts it: in the denominator if S = 0 and A = 1, in the numerator if also K = 1."
    )


def _split():
    """The seven strips as complete rows."""
    for row in examples.student_holes():
        hole = next((v for v, value in row.items() if value is None), None)
        yield from [{**row, hole: 1}, {**row, hole: 0}] if hole else [row]


SHOWN = [0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50]
TABLES = {
    "student": {
        "family": "K",
        "labels": ["S=1, A=1", "S=1, A=0", "S=0, A=1", "S=0, A=0"],
        "title": "bars: next P(K=1 | S, A); ◇ now in use",
        "holes": [("row 2: P(K=1)", "K", 1), ("row 4: P(A=1)", "A", 3)],
    },
    "nights": {
        "family": "A",
        "labels": ["B=1, E=1", "B=1, E=0", "B=0, E=1", "B=0, E=0"],
        "title": "bars: next P(A=1 | B, E); ◇ now in use",
        "holes": [("Nov 27: P(B=1)", "B", 19)],
    },
}


def expected_climb(data="student"):
    """EM iteration by iteration: the expected counts of one family, and the likelihood, or with a prior the posterior."""
    picture = plots.Climb(*theme.axes((0.135, 0.17, 0.28, 0.81), (0.69, 0.17, 0.29, 0.78)), SHOWN)

    def history(data, m):
        """EM on one of the two tables at the iterations that are shown: the step, and P(1) in each hole."""
        rows = examples.student_holes() if data == "student" else examples.november_nights()
        start = examples.student_start() if data == "student" else examples.november_start()
        held = () if data == "student" else ("E",)
        steps = em(start, rows, "m", m, held=held, max_iter=SHOWN[-1], tol=0).history
        seen = [
            (variable, {v: value for v, value in rows[row].items() if value is not None})
            for _, variable, row in TABLES[data]["holes"]
        ]
        return [(step, [step.network.query(*hole)[True] for hole in seen]) for step in _at(steps, SHOWN)]

    def show(history, step, data, m):
        table, (now, holes) = TABLES[data], history[step]
        family, gains = table["family"], [each.objective for each, _ in history]
        picture.scale(table["labels"], table["title"], min(gains), max(gains))
        used = now.network.factor(family).reshape(-1, 2)[:, 0]
        virtual = m / 2
        counts = now.counts[family].reshape(-1, 2) + virtual
        shares = ", ".join(f"{name} = {share:.3f}" for (name, _, _), share in zip(table["holes"], holes))
        kind = "log-likelihood" if m == 0 else "log-likelihood + log-prior"
        words = theme.minus(f"{kind}\n{now.objective:.4f}")
        picture.show(used, counts, shares, gains[: step + 1], words)
        at = 2 if data == "student" else 3
        yes, no = counts[at]
        what = "P(K=1 | S=0, A=1)" if data == "student" else "P(A=1 | B=0, E=0)"
        prior = f" with {m:g} virtual rows for each combination" if m else ""
        both = f"; the log-likelihood alone is {now.log_likelihood:.4f}" if m else ""
        return (
            f"{'Five students' if data == 'student' else 'Twenty nights'}{prior}, iteration {SHOWN[step]}: "
            f"{shares}. With {what} = {used[at]:.4f} in use, the expected counts are {yes:.3f} of {yes + no:.3f}, so the next "
            f"is {yes / (yes + no):.4f}. {kind[0].upper()}{kind[1:]} {now.objective:.4f}{both}."
        )

    return Player(
        picture,
        {
            "data": choice("data", [("five students", "student"), ("November 27", "nights")], data),
            "m": slider("virtual rows", 0, 6, 0),
        },
        history=history,
        show=show,
        rounds=[f"iteration {each}" for each in SHOWN],
        presets={
            "students, the end": {"data": "student", "m": 0, "step": len(SHOWN) - 1},
            "with a prior": {"data": "student", "m": 2, "step": len(SHOWN) - 1},
            "November 27": {"data": "nights", "m": 0, "step": 0},
        },
    )


def _at(steps, iterations):
    """The steps at these iterations; a run that stopped early stays where it is."""
    return [steps[min(k, len(steps) - 1)] for k in iterations]


CELLS = [dict(zip(NAMES, cell)) for cell in product((True, False), repeat=5)]


REASONS = {
    "random": (lambda row: True, "the rows, whatever they show"),
    "study": (lambda row: not row["S"], "those who do not study (S = 0, recorded)"),
    "exam": (lambda row: not row["E"], "those who failed the exam (E = 0, recorded)"),
    "know": (lambda row: not row["K"], "those who do not know the subject (K = 0)"),
}
# What is asked for: a variable that is 1, among the rows that show this
ASKED = {"P(K)": ("K", {}), "P(K | S, A)": ("K", {"S": True, "A": True}), "P(E | K)": ("E", {"K": True})}


@lru_cache(maxsize=128)
def _missing(reason, share):
    """Shares of students by K and E, recorded and missing, and the networks: true, from the complete rows, and EM's."""
    net = examples.student()
    chances = net.joint_table().ravel()
    hidden = np.array([share / 100 * REASONS[reason][0](row) for row in CELLS])
    groups = [(k, e) for k in (True, False) for e in (True, False)]
    mine = np.array([[(row["K"], row["E"]) == group for row in CELLS] for group in groups])
    complete = expected_counts(net, CELLS, weights=chances * (1 - hidden)).counts.network()
    rows, weights = [*CELLS, *({**row, "K": None} for row in CELLS)], [*chances * (1 - hidden), *chances * hidden]
    learned = em(complete, rows, weights=weights, tol=1e-10).network
    return mine @ (chances * (1 - hidden)), mine @ (chances * hidden), chances * (1 - hidden), learned


def why_missing():
    """Why a cell is missing, and which number is asked for, decide what may be done: drop the rows, EM, or neither."""
    picture, net = plots.WhyMissing(*theme.axes((0.1, 0.13, 0.4, 0.84), (0.65, 0.19, 0.33, 0.79))), examples.student()

    def show(share, reason, asked):
        seen, hidden, left, learned = _missing(reason, share)
        variable, given = ASKED[asked]
        among = np.array([all(row[v] == state for v, state in given.items()) for row in CELLS])
        dropped = left[among & [row[variable] for row in CELLS]].sum() / left[among].sum()
        truth, found = (each.query(variable, given)[True] for each in (net, learned))
        picture.show(seen, hidden, asked, truth, (dropped, found))
        return (
            f"K is missing for {share}% of {REASONS[reason][1]}, in {100 * hidden.sum():.1f}% of all rows. Dropping them "
            f"gives {asked} = {dropped:.4f}, EM gives {found:.4f}, and the truth is {truth:.4f}."
        )

    reasons = [("at random", "random"), ("S = 0", "study"), ("E = 0", "exam"), ("K = 0 itself", "know")]
    return LiveFigure(
        picture,
        {
            "share": slider("of these missing, %", 0, 90, 0, 5),
            "reason": choice("K is missing", reasons, "random"),
            "asked": choice("asked for", [(each, each) for each in ASKED], "P(K)"),
        },
        show,
        presets={
            "40% at random": {"reason": "random", "share": 40},
            "80% of the failed": {"reason": "exam", "share": 80},
            "60% of those who don't know": {"reason": "know", "share": 60},
        },
        main=("share",),
        help="P(K | S, A) is asked for S = 1 and A = 1.",
    )


ITERATIONS = [0, 1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 160]
STARTS = {"leaning": "a leaning start", "mirrored": "the mirrored start", "flat": "the flat start"}


def _numbers(net):
    """The eight numbers about K: P(K | S, A), P(E | K), P(H | K)."""
    return [*net.factor("K")[..., 0].ravel(), *net.factor("E")[:, 0], *net.factor("H")[:, 0]]


def never_seen():
    """EM with K hidden in every row, from several starts; with H hidden too, K has one effect only that is observed."""
    net = examples.student()
    labels = ["S\nA", "S\n¬A", "¬S\nA", "¬S\n¬A", "E\n| K", "E\n| ¬K", "H\n| K", "H\n| ¬K"]
    chances, truth = net.joint_table(), _numbers(net)
    picture = plots.NeverSeen(
        *theme.axes((0.16, 0.19, 0.29, 0.78), (0.52, 0.19, 0.465, 0.7)), ITERATIONS, labels, truth
    )

    def best(hidden):
        """Log-likelihood per row of the true tables, with these variables hidden."""
        axes = tuple(NAMES.index(v) for v in hidden)
        return float(np.sum(chances * np.log(chances.sum(axis=axes, keepdims=True))))

    def history(start, hidden):
        """The numbers about K and the log-likelihood at the iterations that are shown."""
        rows = [{v: value for v, value in row.items() if v not in hidden} for row in CELLS]
        first = examples.student_guess(start) if start in STARTS else net.parents
        options = {} if start in STARTS else {"states": net.states, "random_state": start}
        run = em(first, rows, weights=chances.ravel(), max_iter=ITERATIONS[-1], tol=0, **options)
        return [(_numbers(each.network), each.log_likelihood) for each in _at(run.history, ITERATIONS)]

    def show(history, step, start, hidden):
        numbers, gain = history[step]
        shown = numbers[: 8 if hidden == "K" else 6]
        picture.show([each - best(hidden) for _, each in history[: step + 1]], shown)
        name = STARTS.get(start, f"random start {start}")
        far = max(abs(a - b) for a, b in zip(shown, truth))
        return (
            f"{' and '.join(hidden)} never observed, {name}, iteration {ITERATIONS[step]}: log-likelihood per row {gain:.4f}, the "
            f"true tables have {best(hidden):.4f}. P(K | S, A) = {numbers[0]:.3f}, P(E | K) = {numbers[4]:.3f}, "
            f"P(E | ¬K) = {numbers[5]:.3f}; the true ones are 0.900, 0.800 and 0.300. Farthest from the truth: a bar by {far:.3f}."
        )

    options = [*((name, key) for key, name in STARTS.items()), *((f"random {seed}", seed) for seed in range(4))]
    last = len(ITERATIONS) - 1
    return Player(
        picture,
        {
            "start": menu("start from", options, "leaning"),
            "hidden": choice("never observed", [("K", "K"), ("K and H", "KH")], "K"),
        },
        history=history,
        show=show,
        rounds=[f"iteration {each}" for each in ITERATIONS],
        presets={
            "leaning": {"start": "leaning", "hidden": "K", "step": last},
            "mirrored": {"start": "mirrored", "hidden": "K", "step": last},
            "flat": {"start": "flat", "hidden": "K", "step": last},
            "H hidden too": {"start": 2, "hidden": "KH", "step": last},
        },
        interval=500,
    )


LAST = 20  # steps of both climbs


def _height(x, y):
    """Log-likelihood of the five rows with P(K=1 | S=0, A=1) = x and P(E=1 | K=1) = y, all else as at the start.

    Row by row: what x and y are in, times what stays.
    """
    rows = [y, x * (1 - y) + 0.8 * (1 - x), x * (1 - y), 0.5 * (1 - x) + 0.5 * 0.8, y]
    fixed = log(0.25 * 0.7 * 0.5) + log(0.25 * 0.5) + log(0.25 * 0.5) + log(0.5 * 0.2 * 0.5) + log(0.25 * 0.9 * 0.5)
    return sum(np.log(row) for row in rows) + fixed


def _two(x, y):
    """The network to start from, and which cells are held: all but the rows of x and y."""
    start = examples.student_start()
    know, exam = start.factor("K").copy(), start.factor("E").copy()
    know[1, 0], exam[0] = (x, 1 - x), (y, 1 - y)
    free = {"K": np.ones((2, 2, 1), dtype=bool), "E": np.ones((2, 1), dtype=bool)}
    free["K"][1, 0], free["E"][0] = False, False
    return start.with_tables({"K": know, "E": exam}), {**dict.fromkeys("SAH", True), **free}


def _walks(x, y, rate):
    """Where EM and gradient ascent are after each step, and how high: [{"em": ((x, y), ℓ), "slope": …}, …]."""
    start, held = _two(x, y)
    rows = examples.student_holes()
    runs = {
        "em": em(start, rows, held=held, max_iter=LAST, tol=0),
        "slope": gradient_ascent(start, rows, rate, held=held, max_iter=LAST),
    }
    walks = {}
    for name, run in runs.items():
        places = zip(run.tables("K")[:, 1, 0, 0].tolist(), run.tables("E")[:, 0, 0].tolist())
        walks[name] = list(zip(places, run.log_likelihoods.tolist()))
    return [dict(zip(walks, each)) for each in zip(*(_at(walk, range(LAST + 1)) for walk in walks.values()))]


def two_climbs():
    """EM beside gradient ascent on one surface: the likelihood of the five rows over two numbers."""
    grid = np.linspace(0.01, 0.99, 99)
    heights = _height(*np.meshgrid(grid, grid))
    top = _walks(0.65, 0.57, 0.02)[-1]["em"][1]
    picture = plots.TwoClimbs(*theme.axes((0.1, 0.18, 0.4, 0.74), (0.63, 0.18, 0.35, 0.74)), grid, heights, top, LAST)

    def show(history, step, x, y, rate):
        walks, gains = ({name: [each[name][i] for each in history[: step + 1]] for name in history[0]} for i in (0, 1))
        picture.show(walks, gains)
        here = ", ".join(f"{name} {gains[key][-1]:.4f}" for name, key in (("EM", "em"), ("gradient ascent", "slope")))
        (a, b), (c, d) = walks["em"][-1], walks["slope"][-1]
        fell = sum(after < before - 1e-9 for before, after in zip(gains["slope"], gains["slope"][1:]))
        falls = f"Gradient ascent has gone down {fell} times so far." if fell else "Neither has gone down so far."
        return (
            f"Start at ({x / 100:.2f}, {y / 100:.2f}), rate {rate:g}, step {step}: log-likelihood {here}. EM is at "
            f"({a:.3f}, {b:.3f}), gradient ascent at ({c:.3f}, {d:.3f}). {falls}"
        )

    def drag(values, axes, start, at):
        x, y = (int(np.clip(round(100 * value), 2, 98)) for value in at)
        return {"x": x, "y": y}

    return Player(
        picture,
        {
            "x": slider("start, across, %", 2, 98, 80),
            "y": slider("start, upwards, %", 2, 98, 70),
            "rate": stops("rate of the gradient", [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3], 0.02),
        },
        history=lambda x, y, rate: _walks(x / 100, y / 100, rate),
        show=show,
        presets={
            "one step": {"x": 80, "y": 70, "rate": 0.02, "step": 1},
            "a careful rate": {"x": 80, "y": 70, "rate": 0.02, "step": LAST},
            "a bold rate": {"x": 80, "y": 70, "rate": 0.1, "step": LAST},
            "too bold": {"x": 80, "y": 70, "rate": 0.3, "step": 3},
            "from the corner": {"x": 10, "y": 10, "rate": 0.02, "step": LAST},
        },
        drag=drag,
        within=[0],
        interval=500,
        help="Drag in the left picture to start elsewhere. Left and right arrows step, Home restarts, Space plays and pauses.",
    )


# The ages of the Titanic

GROUPS = [(cabin, survived) for cabin in ("1st", "2nd", "3rd") for survived in ("no", "yes")]
SEES = {
    "sex": {"Sex": [], "Child": ["Sex"]},
    "class": {"Class": [], "Sex": ["Class"], "Child": ["Class", "Sex"]},
    "survival": {"Class": [], "Sex": ["Class"], "Child": ["Class", "Sex"], "Survived": ["Class", "Sex", "Child"]},
}
SEES["title"] = {**SEES["survival"], "Title": ["Sex", "Child"]}
ALIKE, CHILDREN = "all alike", "children half as often"


@lru_cache(maxsize=1)
def _passengers():
    """The kinds of passenger, (class, sex, survived, title, child), and for each passenger the kind, whether the age is known, and
    the share of unknown ages among those of the same class, sex and survival. Without an age a child is a "Master".
    """
    table = data.load_titanic_ages()
    known = (table["Age"] != "").to_numpy()
    child = [float(age) < 14 if age else title == "Master" for age, title in zip(table["Age"], table["Title"])]
    rate = table["Age"].eq("").groupby([table["Class"], table["Sex"], table["Survived"]]).transform("mean")
    each = list(zip(*(table[name] for name in ("Class", "Sex", "Survived", "Title")), child))
    kinds = sorted(set(each))
    return kinds, np.array([kinds.index(one) for one in each]), known, rate.to_numpy()


def _hidden(gaps, seed):
    """[(kind, how many with their age, how many without)]: the list itself, seed 0, or with some of the known ages hidden."""
    kinds, mine, known, rate = _passengers()
    hidden = ~known
    if seed:
        child = np.array([kind[-1] for kind in kinds])[mine]
        chance = rate * np.where(child, 0.5, 1) if gaps == CHILDREN else rate
        hidden, mine = (np.random.default_rng(seed).random(len(mine)) < chance)[known], mine[known]
    counts = (np.bincount(mine[some], minlength=len(kinds)).tolist() for some in (~hidden, hidden))
    return list(zip(kinds, *counts))


@lru_cache(maxsize=256)
def _boys(gaps, sees, seed):
    """Men and boys without an age by class and survival; the boys that EM expects and those counted; and four totals."""
    counts, arrows, names = _hidden(gaps, seed), SEES[sees], ("Class", "Sex", "Survived", "Title")
    rows, times = [], []
    for (*shown, child), *both in counts:
        for cell, number in zip(("yes" if child else "no", None), both):
            if number:
                rows.append({v: value for v, value in zip((*names, "Child"), (*shown, cell)) if v in arrows})
                times.append(number)
    net = em(arrows, rows, weights=times, random_state=0).network
    missing, expected, counted, filled, share = *np.zeros((3, len(GROUPS))), 0, {}
    men = [each for each in counts if each[0][1] == "male"]
    for (*shown, child), _, n in men:
        if n:
            given = tuple((v, value) for v, value in zip(names, shown) if v in arrows)
            if given not in share:
                share[given] = net.query("Child", dict(given))["yes"]
            at = GROUPS.index((shown[0], shown[2]))
            missing[at], expected[at], counted[at] = (
                missing[at] + n,
                expected[at] + n * share[given],
                counted[at] + n * child,
            )
            filled += n * (share[given] > 0.5 + 1e-6)  # a tie counts as no
    boys = sum(seen for (*_, child), seen, _ in men if child) / sum(seen for _, seen, _ in men)
    return missing.astype(int), expected, counted, (boys * missing.sum(), filled, expected.sum(), counted.sum())


def whose_age():
    """Ages that nobody recorded: how many of these men were boys, by four ways of counting."""
    picture = plots.Ages(
        *theme.axes((0.14, 0.19, 0.41, 0.79), (0.7, 0.19, 0.28, 0.79)),
        [f"{cabin}, {'lived' if yes == 'yes' else 'died'}" for cabin, yes in GROUPS],
    )
    words = {"sex": "sex only", "class": "sex and class", "survival": "sex, class and survival"}
    words["title"] = f"{words['survival']}, and the title"

    def show(seed, gaps, sees):
        missing, expected, counted, totals = _boys(gaps, sees, seed)
        picture.show(missing, expected, counted, totals)
        drop, fill, found, real = totals
        how = f"Known ages hidden, {gaps}, draw {seed}" if seed else f"The list (draws hide known ages, {gaps})"
        return (
            f"{how}: {sum(missing)} men and boys without an age. EM sees {words[sees]} and expects {found:.1f} boys under 14; "
            f"dropping the rows says {drop:.1f}, filling in the more probable value {fill:.0f}; "
            f"{real:.0f} {'boys by their age' if seed else 'Masters counted'}."
        )

    columns = [("sex", "sex"), ("+ class", "class"), ("+ survival", "survival"), ("+ title", "title")]
    return LiveFigure(
        picture,
        {
            "seed": slider("hide known ages: draw", 0, 20, 0),
            "gaps": choice("hidden", [(each, each) for each in (ALIKE, CHILDREN)], ALIKE),
            "sees": choice("EM sees", columns, "survival"),
        },
        show,
        presets={
            "the list": {"seed": 0, "sees": "survival"},
            "with the title": {"seed": 0, "sees": "title"},
            "known ages hidden": {"seed": 1, "gaps": ALIKE, "sees": "survival"},
            "children hidden less": {"seed": 1, "gaps": CHILDREN, "sees": "survival"},
        },
        main=("seed",),
        help="Draw 0 is the list as it is; the others hide ages that are known, as often as those of the group are missing.",
    )


SHEET = (
    "seat, homework, passed\nfront, yes, yes\nfront, yes, yes\nfront, no, yes\nfront, yes, no\nfront, yes, \nfront, no, no\n"
    "back, no, no\nback, no, \nback, no, \nback, yes, yes\nback, no, no\nback, no, \nback, yes, \nfront, yes, yes"
)
EMPTY = {"", "?", "-", "NA", "N/A", "nan", "NaN", "None", "null"}
MOST_COLUMNS, MOST_VALUES = 5, 4


@lru_cache(maxsize=32)
def _sheet(text):
    """The table that was typed, None for what is empty, and the values of every column."""
    table = user_data.table(text, most_columns=MOST_COLUMNS).astype(object)
    table = table.where(~table.isin(EMPTY), None)
    values = {column: list(dict.fromkeys(each for each in table[column] if each is not None)) for column in table}
    for column, found in values.items():
        if not 1 <= len(found) <= MOST_VALUES:
            shown = user_data.plain(column, 20)
            raise ValueError(
                f"your table, column {shown}, must have 1 to {MOST_VALUES} different values, got {len(found)}"
            )
    return table, values


@lru_cache(maxsize=64)
def _estimates(text, at):
    """For one column: the share of each value by dropping rows, by filling in and by EM, and where its cells are empty."""
    table, values = _sheet(text)
    target = list(values)[at]
    empty = table[target].isna().to_numpy()
    if not empty.any():
        raise ValueError(
            f"your table, column {user_data.plain(target, 20)}, must have an empty cell to ask about, got none"
        )
    others = [column for column in values if column != target]
    arrows = {target: [], **{column: [target] for column in others}}
    net = em(arrows, table.to_dict("list"), states=values, random_state=0, max_iter=100, tol=1e-6).network
    fill = {}
    for each in table[empty].to_dict("records"):
        shown = {column: each[column] for column in others if each[column] is not None}
        likely = net.query(target, shown)
        best = max(values[target], key=likely.get)
        fill[best] = fill.get(best, 0) + 1
    counts = {value: int((table[target] == value).sum()) for value in values[target]}
    known, n = sum(counts.values()), len(table)
    shares = {v: (c / known, (c + fill.get(v, 0)) / n, net.query(target)[v]) for v, c in counts.items()}
    groups = []
    for column in others:
        for value in values[column]:
            mine = (table[column] == value).to_numpy()
            groups.append(
                (
                    f"{user_data.plain(column, 10)} = {user_data.plain(value, 8)}",
                    int((mine & empty).sum()),
                    int(mine.sum()),
                )
            )
    return target, shares, groups, int(empty.sum()), n


def your_gaps():
    """The reader's own table with empty cells: who is silent, and a share by dropping rows, by filling in and by EM."""
    picture = plots.Gaps(*theme.axes((0.24, 0.17, 0.34, 0.81), (0.72, 0.17, 0.27, 0.81)))

    def show(column, value, text):
        names, values = zip(*_sheet(text)[1].items())
        if column > len(names):
            raise ValueError(f"your table has {len(names)} columns; choose column 1 to {len(names)}")
        if value > len(values[column - 1]):
            name, many = user_data.plain(names[column - 1], 20), len(values[column - 1])
            raise ValueError(f"your table, column {name}, has {many} different values; choose one of them")
        target, shares, groups, empty, n = _estimates(text, column - 1)
        state = values[column - 1][value - 1]
        asked = f"{user_data.plain(target, 10)} = {user_data.plain(state, 8)}"
        picture.show(groups, asked, shares[state])
        drop, fill, found = shares[state]
        return (
            f"{empty} of {n} cells of {user_data.plain(target, 20)} are empty. Share with {asked}: {drop:.3f} among the others, {fill:.3f} "
            f"with the more probable value filled in, {found:.3f} by EM, which takes the other columns as independent given this one."
        )

    return LiveFigure(
        picture,
        {
            "column": slider("column with empty cells", 1, MOST_COLUMNS, 3),
            "value": slider("value asked for", 1, MOST_VALUES, 1),
            "text": box("your table", SHEET, lines=3, file=True),
        },
        show,
        presets={"the sheet": {"text": SHEET, "column": 3, "value": 1}},
        main=("column", "value"),
    )
