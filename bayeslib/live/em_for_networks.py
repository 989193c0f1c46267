"""The live figures of section 11, EM for belief networks."""

from functools import lru_cache
from itertools import product
from math import log

import numpy as np

from bayeslib.live import steer
from bayeslib.live.controls import State, choice, menu, slider, stops
from bayeslib.live.figure import LiveFigure, Player
from bayeslib.networks import em, examples, expected_counts, gradient_ascent
from bayeslib.plots import em_for_networks as plots
from bayeslib.plots import theme

NAMES = "SAKEH"
ROWS = [[row[v] for v in NAMES] for row in examples.student_holes()]
STRIPS = ["row 1", "row 2 as K = 1", "row 2 as K = 0", "row 3", "row 4 as A = 1", "row 4 as A = 0", "row 5"]
WEIGHTS = [1, 0.6, 0.4, 1, 0.2, 0.8, 1]


def split_rows():
    """Rows with a hole split into weighted strips; sliders for the tables that decide the weights."""
    figure = theme.figure((0.015, 0.02, 0.46, 0.96), (0.57, 0.17, 0.41, 0.81))
    picture = plots.Split(*figure.axes, NAMES, ROWS)

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
        figure,
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
    )


def slip_fraction():
    """Which strips belong above the line of P(K=1 | S=0, A=1), which only below? Click them."""
    figure = theme.figure((0.015, 0.02, 0.6, 0.96), (0.65, 0.04, 0.34, 0.92))
    picture = plots.Fraction(*figure.axes, NAMES, ROWS, WEIGHTS)

    def show(marks, focus):
        above = [w for w, mark in zip(WEIGHTS, marks) if mark == "a"]
        below = [w for w, mark in zip(WEIGHTS, marks) if mark != "-"]
        picture.show(marks, focus, above, below)
        value = f"{sum(above):g} / {sum(below):g} = {sum(above) / sum(below):.4f}" if below else "no fraction yet"
        sign = {"-": "left out", "b": "below only", "a": "above and below"}[marks[focus]]
        return f"{value}. {_fault(marks)} Marked: {STRIPS[focus]}, {sign}."

    turn = {"-": "b", "b": "a", "a": "-"}

    def turned(marks, at):
        return marks[:at] + turn[marks[at]] + marks[at + 1 :]

    def click(values, axes, start, at):
        strip = int(np.searchsorted(np.cumsum(WEIGHTS), start[1], side="right"))
        if axes is not figure.axes[0] or not 0 <= start[1] < sum(WEIGHTS) or not 0 <= strip < len(WEIGHTS):
            return {}
        return {"marks": turned(values["marks"], strip), "focus": strip}

    return LiveFigure(
        figure,
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
        keys={
            **steer.along("focus", range(len(WEIGHTS)), steer.DOWN),
            "ArrowRight": lambda values: {"marks": turned(values["marks"], values["focus"])},
        },
        help="Click a strip: below, above and below, out. Up and down arrows choose a strip, right turns it.",
    )


def _fault(marks):
    """The first strip that stands where the rule does not put it, in words."""
    for strip, mark, row in zip(STRIPS, marks, _split()):
        right = "-" if row["S"] or not row["A"] else "a" if row["K"] else "b"
        if mark != right:
            if mark == "-":
                return f"Not yet: {strip} has S = 0 and A = 1, so it belongs into the fraction."
            if right == "-":
                return f"Not yet: {strip} does not have S = 0 and A = 1, so it belongs nowhere."
            where = "K = 1, so it counts above as well" if right == "a" else "K = 0, so it counts below only"
            return f"Not yet: {strip} has {where}."
    return "Every strip is where the rule puts it: below if S = 0 and A = 1, above too if also K = 1."


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
        "title": "next P(K=1 | S, A); diamond: the one used",
        "holes": [("row 2: P(K=1)", "K", 1), ("row 4: P(A=1)", "A", 3)],
    },
    "nights": {
        "family": "A",
        "labels": ["B=1, E=1", "B=1, E=0", "B=0, E=1", "B=0, E=0"],
        "title": "next P(A=1 | B, E); diamond: the one used",
        "holes": [("Nov 27: P(B=1)", "B", 19)],
    },
}


def expected_climb(data="student"):
    """EM iteration by iteration: the expected counts of one family, and the likelihood, or with a prior the posterior."""
    figure = theme.figure((0.115, 0.17, 0.3, 0.81), (0.68, 0.17, 0.3, 0.78))
    picture = plots.Climb(*figure.axes, SHOWN)

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
            f"{'The lecture’s five rows' if data == 'student' else 'Twenty nights'}{prior}, iteration {SHOWN[step]}: "
            f"{shares}. With {what} = {used[at]:.4f} in use, the expected counts are {yes:.3f} of {yes + no:.3f}, so the next "
            f"is {yes / (yes + no):.4f}. {kind[0].upper()}{kind[1:]} {now.objective:.4f}{both}."
        )

    return Player(
        figure,
        picture,
        {
            "data": choice("data", [("the lecture’s rows", "student"), ("November 27", "nights")], data),
            "m": slider("virtual rows m", 0, 6, 0),
        },
        history=history,
        show=show,
        rounds=[f"iteration {each}" for each in SHOWN],
        presets={
            "lecture, the end": {"data": "student", "m": 0, "step": len(SHOWN) - 1},
            "with a prior": {"data": "student", "m": 2, "step": len(SHOWN) - 1},
            "November 27": {"data": "nights", "m": 0, "step": 0},
        },
    )


def _at(steps, iterations):
    """The steps at these iterations; a run that stopped early stays where it is."""
    return [steps[min(k, len(steps) - 1)] for k in iterations]


CELLS = [dict(zip(NAMES, cell)) for cell in product((True, False), repeat=5)]


@lru_cache(maxsize=128)
def _missing(reason, share):
    """Shares of students by K and E, seen and hidden, and P(K) by dropping rows and by EM."""
    net = examples.student()
    chances = net.joint_table().ravel()
    hides = {"random": lambda row: True, "exam": lambda row: not row["E"], "know": lambda row: not row["K"]}[reason]
    hidden = np.array([share / 100 * hides(row) for row in CELLS])
    groups = [(k, e) for k in (True, False) for e in (True, False)]
    mine = np.array([[(row["K"], row["E"]) == group for row in CELLS] for group in groups])
    complete = expected_counts(net, CELLS, weights=chances * (1 - hidden)).counts.network()
    rows, weights = [*CELLS, *({**row, "K": None} for row in CELLS)], [*chances * (1 - hidden), *chances * hidden]
    learned = em(complete, rows, weights=weights, tol=1e-10).network
    left, gone = mine @ (chances * (1 - hidden)), mine @ (chances * hidden)
    return left, gone, (left[0] + left[1]) / left.sum(), learned.query("K")[True]


def why_missing():
    """Why a cell is missing decides what may be done: at random, because of something seen, because of itself."""
    figure = theme.figure((0.1, 0.13, 0.4, 0.84), (0.65, 0.19, 0.33, 0.79))
    picture = plots.WhyMissing(*figure.axes, examples.student().query("K")[True])
    words = {
        "random": "the rows, at random",
        "exam": "those who failed the exam (E = 0, which is written down)",
        "know": "those who do not know (K = 0)",
    }

    def show(reason, share):
        seen, hidden, dropped, learned = _missing(reason, share)
        picture.show(seen, hidden, (dropped, learned))
        return (
            f"K is missing for {share}% of {words[reason]}: {100 * hidden.sum():.1f}% of all rows have the hole. Dropping them "
            f"gives P(K) = {dropped:.4f}, EM gives {learned:.4f}, and the truth is 0.5600."
        )

    reasons = [("at random", "random"), ("exam failed", "exam"), ("K = 0 itself", "know")]
    return LiveFigure(
        figure,
        picture,
        {"share": slider("of these hidden, %", 0, 90, 0, 5), "reason": choice("K is missing", reasons, "random")},
        show,
        presets={
            "40% at random": {"reason": "random", "share": 40},
            "80% of the failed": {"reason": "exam", "share": 80},
            "80% of those who don’t know": {"reason": "know", "share": 80},
        },
    )


ITERATIONS = [0, 1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 160]
STARTS = {"leaning": "a leaning start", "mirrored": "the mirrored start", "flat": "the flat start"}


def _numbers(net):
    """The eight numbers about K: P(K | S, A), P(E | K), P(H | K)."""
    return [*net.factor("K")[..., 0].ravel(), *net.factor("E")[:, 0], *net.factor("H")[:, 0]]


def never_seen():
    """EM with K hidden in every row, from several starts."""
    net = examples.student()
    labels = ["S\nA", "S\n¬A", "¬S\nA", "¬S\n¬A", "E\n| K", "E\n| ¬K", "H\n| K", "H\n| ¬K"]
    chances = net.joint_table()
    best = float(np.sum(chances * np.log(chances.sum(axis=2, keepdims=True))))
    figure = theme.figure((0.125, 0.19, 0.32, 0.78), (0.5, 0.19, 0.485, 0.7))
    picture = plots.NeverSeen(*figure.axes, ITERATIONS, labels, _numbers(net), best)

    def history(start):
        """The numbers about K and the log-likelihood at the iterations that are shown."""
        rows = [{v: value for v, value in row.items() if v != "K"} for row in CELLS]
        first = examples.student_guess(start) if start in STARTS else net.parents
        options = {} if start in STARTS else {"states": net.states, "random_state": start}
        run = em(first, rows, weights=chances.ravel(), max_iter=ITERATIONS[-1], tol=0, **options)
        return [(_numbers(each.network), each.log_likelihood) for each in _at(run.history, ITERATIONS)]

    def show(history, step, start):
        numbers, gain = history[step]
        picture.show([each for _, each in history[: step + 1]], numbers)
        name = STARTS.get(start, f"random start {start}")
        return (
            f"K never seen, {name}, iteration {ITERATIONS[step]}: log-likelihood per row {gain:.4f}, the true tables have "
            f"{best:.4f}. P(K | S, A) = {numbers[0]:.3f}, P(E | K) = {numbers[4]:.3f}, P(E | ¬K) = {numbers[5]:.3f}; "
            "the true ones are 0.900, 0.800 and 0.300."
        )

    options = [*((name, key) for key, name in STARTS.items()), *((f"random {seed}", seed) for seed in range(4))]
    last = len(ITERATIONS) - 1
    return Player(
        figure,
        picture,
        {"start": menu("start from", options, "leaning")},
        history=history,
        show=show,
        rounds=[f"iteration {each}" for each in ITERATIONS],
        presets={
            "leaning": {"start": "leaning", "step": last},
            "mirrored": {"start": "mirrored", "step": last},
            "flat": {"start": "flat", "step": last},
        },
        interval=500,
    )


LAST = 20  # steps of both climbs


def _height(x, y):
    """Log-likelihood of the lecture's rows with P(K=1 | S=0, A=1) = x and P(E=1 | K=1) = y, all else as at the start.

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
    """EM beside gradient ascent on one surface: the likelihood of the lecture's rows over two of its numbers."""
    grid = np.linspace(0.01, 0.99, 99)
    heights = _height(*np.meshgrid(grid, grid))
    top = _walks(0.65, 0.57, 0.02)[-1]["em"][1]
    figure = theme.figure((0.1, 0.18, 0.4, 0.79), (0.63, 0.18, 0.35, 0.79))
    picture = plots.TwoClimbs(*figure.axes, grid, heights, top, LAST)

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
        if axes is not figure.axes[0]:
            return {}
        x, y = (int(np.clip(round(100 * value), 2, 98)) for value in at)
        return {"x": x, "y": y}

    return Player(
        figure,
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
        interval=500,
        help="Drag in the left picture to start elsewhere. Left and right arrows step, Home restarts, Space plays and pauses.",
    )
