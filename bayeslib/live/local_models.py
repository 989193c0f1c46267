"""The live figures of section 15, local models."""

from functools import cache

import numpy as np

from bayeslib.data import load_helmets
from bayeslib.figures import steer, user_data
from bayeslib.figures.controls import box, choice, menu, slider, stops
from bayeslib.figures.figure import LiveFigure, Player
from bayeslib.models import local
from bayeslib.models.kernels import KERNELS, kernel_weights
from bayeslib.models.local import LocallyWeightedRegression, RBFNetwork
from bayeslib.plots import local_models as plots
from bayeslib.plots import theme

NEAR = [round(0.1 * tenth, 1) for tenth in range(81)]
QUERIES = [*NEAR, 10.0, 15.0, 20.0, 50.0, 100.0]
LINE_X = np.arange(11.0)
LINE_H = [0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0]
GRID = np.linspace(0, 1, 201)
WAVE_H = [float(f"{0.005 * 10 ** (step / 20):.2g}") for step in range(47)]  # .005 to 1
NOISE = 0.3  # standard deviation of the wave's noise
DEGREES = [("0, average", 0), ("1, line", 1), ("2, quadratic", 2)]


def distance_weights():
    """Five points: what each counts at a query when weights fall with distance, and the weighted mean."""
    x, y = local.FIVE_X, local.FIVE_Y
    picture = plots.DistanceWeights(*theme.axes((0.065, 0.17, 0.53, 0.71), (0.68, 0.17, 0.31, 0.7)), x, y)
    rules = {"inverse": "1/d²", "gaussian": "Gaussian", "box": "equal weights"}

    def show(query, k, h, rule):
        if rule == "inverse":
            answers = lambda places: local.distance_weighted_mean(x, y, places, k)  # noqa: E731
            weights = _inverse(x, query, k)
        else:
            error = "both" if rule == "gaussian" else "nearest"
            model = LocallyWeightedRegression(bandwidth=h, degree=0, error=error, n_neighbors=k).fit(x, y)
            answers, weights = model.predict, model.weights([query])[0]
        answer = float(answers([query])[0])
        # Infinite or vanished weights have no shares of their own; the answer tells them.
        shares = weights / weights.sum() if 0 < weights.sum() < np.inf else np.isclose(x, _closest(x, query))
        picture.show(query, answer, answers, shares)
        over = "all 5 points" if k == 5 else "the nearest point" if k == 1 else f"the {k} nearest points"
        width = f" of h = {h:g}" if rule == "gaussian" else ""
        if np.isinf(weights).any():
            why = f"The query is a point: 1/0 is infinite, and the limit is that point's own value, {answer:.3f}"
        else:
            listed = ", ".join(_weight(weight) for weight in weights)
            why = f"Weights {listed}; weighted mean {answer:.3f}"
        smooth = LocallyWeightedRegression(bandwidth=h, degree=0).fit(x, y).predict([query])[0]
        beside = (
            f"The plain mean of all five is {y.mean():.1f}; Gaussian weights with h = {h:g} over all give {smooth:.3f}"
        )
        return f"Query {query:g}, {rules[rule]}{width} over {over}. {why}. {beside}."

    def drag(values, axes, start, at):
        return {"query": min(QUERIES, key=lambda each: abs(each - at[0]))}

    return LiveFigure(
        picture,
        {
            "query": stops("query", [(f"{each:g}", each) for each in QUERIES], 2.5),
            "k": slider("nearest points used", 1, 5, 5),
            "h": stops("h of the Gaussian", [(f"{each:g}", each) for each in LINE_H], 1.0),
            "rule": choice("weights", [(name, rule) for rule, name in rules.items()], "inverse"),
        },
        show,
        presets={
            "by hand": {"query": 2.5, "k": 5, "rule": "inverse"},
            "the nearest 4": {"query": 2.5, "k": 4, "rule": "inverse"},
            "on a point": {"query": 3.0, "k": 5, "rule": "inverse"},
            "far away": {"query": 100.0, "k": 5, "rule": "inverse"},
            "Gaussian": {"query": 2.5, "k": 5, "rule": "gaussian", "h": 1.0},
        },
        drag=drag,
        within=[0],
        keys={**steer.along("query", QUERIES), **steer.along("h", LINE_H, steer.UP)},
        help="Drag the query; left and right arrows move it, up and down change the bandwidth.",
    )


def _inverse(x, query, k):
    """1/d² for the k nearest, 0 for the rest."""
    distances = np.abs(x - query)
    with np.errstate(divide="ignore"):
        weights = distances**-2.0
    weights[np.argsort(distances, kind="stable")[k:]] = 0
    return weights


def _closest(x, query):
    return x[np.abs(x - query).argmin()]


EDGES = {"line": ("y = x", lambda x: x), "valley": ("y = (x − 5)²", lambda x: (x - 5) ** 2)}


def edge():
    """Points without noise on a line or in a valley: average, line and quadratic at every query, above all at the edge."""
    picture = plots.Edge(*theme.axes((0.08, 0.445, 0.9, 0.465), (0.08, 0.14, 0.9, 0.2), height=4.3), LINE_X)
    places = np.linspace(0, 10, 101)

    def show(query, h, data):
        name, truth = EDGES[data]
        y = truth(LINE_X)
        models = [LocallyWeightedRegression(bandwidth=h, degree=degree).fit(LINE_X, y) for degree in plots.DEGREES]
        curves = {degree: (places, model.predict(places)) for degree, model in enumerate(models)}
        answers = [float(model.predict([query])[0]) for model in models]
        weights = models[0].weights([query])[0]
        picture.show(y, curves, query, answers, weights, _outline(query, "gaussian", h))
        left, right = (100 * weights[side].sum() / weights.sum() for side in (query > LINE_X, query < LINE_X))
        said = [f"{answer:.2f}" for answer in answers]
        return (
            f"{name}, query {query:g}, h = {h:g}: average {said[0]}, line {said[1]}, quadratic {said[2]}; the truth is "
            f"{truth(query):.2f}. Of the weight {left:.0f}% lies left of the query and {right:.0f}% right of it."
        )

    return LiveFigure(
        picture,
        {
            "query": slider("query", 0.0, 10.0, 5.0, step=0.1),
            "h": stops("bandwidth h", [(f"{each:g}", each) for each in LINE_H], 2.0),
            "data": choice("examples", [(name, data) for data, (name, _) in EDGES.items()], "line"),
        },
        show,
        presets={
            "the middle": {"query": 5.0, "h": 2.0, "data": "line"},
            "the left edge": {"query": 0.0, "h": 2.0, "data": "line"},
            "the right edge": {"query": 10.0, "h": 2.0, "data": "line"},
            "the bottom of the valley": {"query": 5.0, "h": 2.0, "data": "valley"},
            "a narrow kernel": {"query": 0.0, "h": 0.5, "data": "line"},
        },
        drag=steer.drag("query", digits=1),
        keys={**steer.by("query", 0.1), **steer.along("h", LINE_H, steer.UP)},
        help="Drag the query; left and right arrows move it, up and down change the bandwidth.",
    )


def local_query():
    """A query moves along noisy points: its weights, its local fit, and the curve that all such answers make."""
    x, y = local.wave_sample()
    picture = plots.LocalQuery(
        *theme.axes((0.08, 0.445, 0.91, 0.415), (0.08, 0.14, 0.91, 0.19), height=4.3), x, y, GRID, local.wave(GRID)
    )

    def show(query, kernel, h, k, degree, error):
        model = LocallyWeightedRegression(kernel, h, degree, error, k).fit(x, y)
        answer, weights = float(model.values([query])[0]), model.weights([query])[0]
        used = weights > 0.01 * weights.max()
        outline = _outline(query, kernel, h) if error != "nearest" else ((), ())
        fit = (), ()
        if answer == answer:
            reach = np.linspace(min(x[used].min(), query), max(x[used].max(), query), 41)
            fit = reach, model.local_model(query, reach)
            said = (
                f"The local {plots.NAMES[degree]} says {answer:.3f}, the truth is {local.wave(query) + 0.0:.3f}. "
                f"{used.sum()} of 60 points weigh at least 1% of the heaviest; the weights sum to {weights.sum():.3g}"
            )
        elif used.any():
            count = "only 1 point has" if used.sum() == 1 else f"only {used.sum()} points have"
            said = f"No answer: {count} weight here, too few for {plots.NEEDS[degree]}"
        else:
            said = "No answer: no point lies within h of the query, so every weight is 0"
        jumps = error == "nearest" or kernel == "box"
        picture.show((GRID, model.values(GRID)), fit, query, answer, weights, outline, jumps)
        over = {
            "nearest": f"E1: k = {k}, the nearest count 1 each; h = {h:g} and the kernel play no part",
            "kernel": f"E2: all points, {kernel} kernel, h = {h:g}; k = {k} plays no part",
            "both": f"E3: k = {k} nearest, {kernel} kernel, h = {h:g}",
        }[error]
        return f"Query {query:.2f}, {over}. {said}."

    opened = {"query": 0.3, "kernel": "gaussian", "h": 0.05, "k": 9, "degree": 1, "error": "kernel"}
    return LiveFigure(
        picture,
        {
            "query": slider("query", 0.0, 1.0, opened["query"], step=0.01),
            "h": stops("bandwidth h", [(f"{each:g}", each) for each in WAVE_H], opened["h"]),
            "k": slider("k nearest (E1, E3)", 1, 60, opened["k"]),
            "kernel": menu("kernel (E2, E3)", list(KERNELS), opened["kernel"]),
            "degree": choice("degree", [("0", 0), ("1", 1), ("2", 2)], opened["degree"]),
            "error": choice(
                "criterion", [("E1 k nearest", "nearest"), ("E2 kernel", "kernel"), ("E3 both", "both")], "kernel"
            ),
        },
        show,
        presets={
            "a local line": opened,
            "E1": {**opened, "degree": 0, "error": "nearest"},
            "E3": {**opened, "error": "both", "h": 0.1},
            "too narrow": {**opened, "h": 0.01},
            "too wide": {**opened, "h": 0.5},
            "nobody near": {**opened, "kernel": "box", "h": 0.01, "query": 0.71},
        },
        drag=steer.drag("query", digits=2),
        keys={**steer.by("query", 0.01), **steer.along("h", WAVE_H, steer.UP)},
        help="Drag the query; left and right arrows move it, up and down change the bandwidth.",
        main=("query", "h"),
    )


def _outline(query, kernel, h):
    """The kernel over the places around a query."""
    u = np.linspace(-4, 4, 161)
    return query + h * u, kernel_weights(abs(u), kernel, 1)


BIAS_H = WAVE_H[12:]  # .02 to 1


@cache
def _smoothers(degree):
    """(x, what the y of each of the sixty places counts at every place of GRID, a table for each of BIAS_H)."""
    x, y = local.wave_sample()
    return x, [LocallyWeightedRegression(bandwidth=h, degree=degree).fit(x, y).shares(GRID) for h in BIAS_H]


def bias_variance():
    """Twenty data sets at the same sixty places: how far their mean lies from the truth, and how much they scatter."""
    truth = local.wave(GRID)
    picture = plots.BiasVariance(
        *theme.axes((0.055, 0.16, 0.39, 0.74), (0.545, 0.16, 0.445, 0.74)), GRID, truth, BIAS_H
    )

    def show(h, seed, degree):
        x, tables = _smoothers(degree)
        # Answers are sums Σ share_i y_i, so their mean and variance over all possible noise are known exactly.
        bias = np.array([((shares @ local.wave(x) - truth) ** 2).mean() for shares in tables])
        variance = np.array([NOISE**2 * (shares**2).sum(axis=1).mean() for shares in tables])
        parts, at = {"bias²": bias, "variance": variance, "sum": bias + variance}, BIAS_H.index(h)
        sets = local.wave(x) + np.random.default_rng(seed).normal(0, NOISE, (20, len(x)))
        picture.show(GRID, sets @ tables[at].T, tables[at] @ local.wave(x), BIAS_H, parts, at)
        least = int(parts["sum"].argmin())
        return (
            f"Local {plots.NAMES[degree]}, h = {h:g}: bias² {bias[at]:.4f} + variance {variance[at]:.4f} = {parts['sum'][at]:.4f}, "
            f"the squared error to expect on average over x. The least sum is {parts['sum'][least]:.4f}, at h = {BIAS_H[least]:g}."
        )

    return LiveFigure(
        picture,
        {
            "h": stops("bandwidth h", [(f"{each:g}", each) for each in BIAS_H], 0.05),
            "seed": slider("which 20 data sets (seed)", 0, 99, 0),
            "degree": choice("degree", DEGREES[:2], 0),
        },
        show,
        presets={
            "h = 0.02": {"h": 0.02, "degree": 0},
            "h = 0.05": {"h": 0.05, "degree": 0},
            "h = 0.2": {"h": 0.2, "degree": 0},
            "a line, h = 0.056": {"h": 0.056, "degree": 1},
        },
        actions={"new data": lambda values: {"seed": (values["seed"] + 1) % 100}},
        keys=steer.along("h", BIAS_H),
        help="Left and right arrows change the bandwidth.",
        main=("h",),
        more=("seed",),
    )


@cache
def _errors(seed, kernel, degree, kinds=("training", "leave-one-out", "true")):
    """Mean squared errors over WAVE_H by kind; NaN where some query has no answer."""
    x, y = local.wave_sample(random_state=seed)
    errors = {kind: [] for kind in kinds}
    for h in WAVE_H:
        model = LocallyWeightedRegression(kernel, h, degree).fit(x, y)
        if "training" in kinds:
            errors["training"].append(((model.values(x) - y) ** 2).mean())
            errors["leave-one-out"].append(((model.leave_one_out() - y) ** 2).mean())
        errors["true"].append(((model.values(GRID) - local.wave(GRID)) ** 2).mean())
    return {kind: np.array(values) for kind, values in errors.items()}


def bandwidth_errors():
    """The bandwidth against three errors: on the examples, on each example left out, and against the truth."""
    picture = plots.BandwidthErrors(
        *theme.axes((0.06, 0.16, 0.38, 0.74), (0.545, 0.16, 0.445, 0.74)), GRID, local.wave(GRID)
    )

    def show(h, seed, degree):
        x, y = local.wave_sample(random_state=seed)
        errors, at = _errors(seed, "gaussian", degree), WAVE_H.index(h)
        curve = LocallyWeightedRegression(bandwidth=h, degree=degree).fit(x, y).values(GRID)
        picture.show((x, y), curve, WAVE_H, errors, at)
        now = {kind: values[at] for kind, values in errors.items()}
        least = {kind: int(np.nanargmin(values)) for kind, values in errors.items()}
        best = ", ".join(
            f"least {kind} {errors[kind][least[kind]]:.4f} at h = {WAVE_H[least[kind]]:g}"
            for kind in ("leave-one-out", "true")
        )
        said = ", ".join(f"{kind} {value:.4f}" if value == value else f"{kind} none" for kind, value in now.items())
        if any(value != value for value in now.values()):
            said += "; where a query has too few points near it, there is no answer"
        return f"Data set {seed}, local {plots.NAMES[degree]}, h = {h:g}. Squared error: {said}. Over all h: {best}."

    return LiveFigure(
        picture,
        {
            "h": stops("bandwidth h", [(f"{each:g}", each) for each in WAVE_H], 0.05),
            "seed": slider("data set (seed)", 0, 9, 0),
            "degree": choice("degree", DEGREES, 0),
        },
        show,
        presets={
            "h = 0.005": {"h": 0.005, "seed": 0, "degree": 0},
            "h = 0.05": {"h": 0.05, "seed": 0, "degree": 0},
            "h = 0.5": {"h": 0.5, "seed": 0, "degree": 0},
            "a line, by leave-one-out": {"h": 0.056, "seed": 0, "degree": 1},
            "a line, far too narrow": {"h": 0.005, "seed": 0, "degree": 1},
        },
        actions={"new data": lambda values: {"seed": (values["seed"] + 1) % 10}},
        keys=steer.along("h", WAVE_H),
        help="Left and right arrows change the bandwidth.",
    )


def kernel_shapes():
    """Five kernels, and the true error of each over the bandwidth, for a local line."""
    u = np.linspace(-2.6, 2.6, 521)
    shapes = {name: kernel_weights(abs(u), name, 1) for name in KERNELS}
    errors = {name: _errors(0, name, 1, ("true",))["true"] for name in KERNELS}
    picture = plots.KernelShapes(
        *theme.axes((0.08, 0.16, 0.36, 0.8), (0.555, 0.16, 0.435, 0.8)), u, shapes, WAVE_H, errors
    )
    least = {name: int(np.nanargmin(each)) for name, each in errors.items()}

    def show(h, kernel):
        error = errors[kernel][WAVE_H.index(h)]
        picture.show(kernel, h, error)
        others = ", ".join(f"{name} {errors[name][at]:.4f} at h = {WAVE_H[at]:g}" for name, at in least.items())
        said = f"the true error is {error:.4f}" if error == error else "some queries have too few points to answer"
        return f"Local line with {kernel} kernel, h = {h:g}: {said}. Each kernel at its best: {others}."

    def drag(values, axes, start, at):
        return {"h": min(WAVE_H, key=lambda h: abs(np.log(h / max(at[0], 1e-9))))}

    best = {
        f"{name} at its best": {"kernel": name, "h": WAVE_H[at]} for name, at in least.items() if name != "triangle"
    }
    return LiveFigure(
        picture,
        {
            "h": stops("bandwidth h", [(f"{each:g}", each) for each in WAVE_H], 0.063),
            "kernel": choice("kernel", list(KERNELS), "gaussian"),
        },
        show,
        presets=best,
        drag=drag,
        within=[1],
        keys={**steer.along("h", WAVE_H), **steer.along("kernel", list(KERNELS), steer.DOWN)},
        help="Drag in the right picture or use left and right arrows for the bandwidth; up and down change the kernel.",
    )


GAP_H = [0.002, 0.005, 0.007, 0.01, 0.015, 0.02, 0.05, 0.1, 0.2, 0.5]


def gap():
    """Six points with a gap: where all weights are too small for a float, an average is 0/0, unless taken in logs."""
    x, y = local.GAP_X, local.GAP_Y
    picture = plots.Gap(*theme.axes((0.05, 0.17, 0.5, 0.72), (0.68, 0.17, 0.31, 0.72)), x, y)
    places = np.linspace(0, 1, 201)

    def show(query, h, way):
        model = LocallyWeightedRegression(bandwidth=h, degree=0).fit(x, y)
        plain = model.weights(places)
        lost = plain.sum(axis=1) == 0
        values = np.where(lost & (way == "plain"), np.nan, model.predict(places))
        weights = model.weights([query])[0]
        dead = way == "plain" and weights.sum() == 0
        answer = None if dead else float(model.predict([query])[0])
        logs = -((x - query) ** 2) / (2 * h**2)
        picture.show((places, values), places[lost & (way == "plain")], query, answer, logs / np.log(10))
        told = "0/0: every weight is 0 in a float, and no answer comes out" if dead else f"the average is {answer:.3f}"
        first = (
            f"the largest weight is {weights.max():.3g}"
            if weights.max()
            else f"the largest weight, e^{logs.max():.0f}, is too small for a float"
        )
        how = "in plain floats" if way == "plain" else "in logs, with the largest weight called 1"
        holes = f"0/0 at {lost.sum()} of 201 places in plain floats"
        return f"Query {query:.2f}, h = {h:g}: {first}. Computed {how}, {told}. {holes}."

    return LiveFigure(
        picture,
        {
            "query": slider("query", 0.0, 1.0, 0.4, step=0.01),
            "h": stops("bandwidth h", [(f"{each:g}", each) for each in GAP_H], 0.1),
            "way": choice("computed", [("in plain floats", "plain"), ("in logs", "logs")], "plain"),
        },
        show,
        presets={
            "h = 0.2": {"query": 0.4, "h": 0.2, "way": "plain"},
            "h = 0.05": {"query": 0.4, "h": 0.05, "way": "plain"},
            "h = 0.005": {"query": 0.4, "h": 0.005, "way": "plain"},
            "h = 0.005 in logs": {"query": 0.4, "h": 0.005, "way": "logs"},
            "the very middle": {"query": 0.5, "h": 0.005, "way": "logs"},
        },
        drag=steer.drag("query", digits=2),
        within=[0],
        keys={**steer.by("query", 0.01), **steer.along("h", GAP_H, steer.UP)},
        help="Drag the query; left and right arrows move it, up and down change the bandwidth.",
    )


WIDTHS = [0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3]


def rbf_bumps():
    """A radial basis function network: its bumps added up one by one."""
    truth = local.wave(GRID)
    sample = local.wave_sample()
    picture = plots.Bumps(*theme.axes((0.085, 0.16, 0.5, 0.74), (0.71, 0.16, 0.28, 0.74)), sample, GRID, truth)

    def history(centres, width):
        """What each number adds: a place, its weight, its bump, and the sum so far; first w₀, which has no bump."""
        network = RBFNetwork(np.linspace(0, 1, centres), width).fit(*sample)
        bumps = network.bumps(GRID)
        sums = [network.intercept_ + bumps[:, :step].sum(axis=1) for step in range(centres + 1)]
        weights = [network.intercept_, *network.weights_]
        return list(zip([None, *network.centres_[:, 0]], weights, [None, *bumps.T], sums))

    def show(history, step, centres, width):
        places, weights, bumps, sums = zip(*history)
        picture.show(places[1:], np.transpose(bumps[1:]), sums[step], weights, step)
        error = float(((sums[-1] - truth) ** 2).mean())
        largest = float(np.abs(weights[1:]).max())
        if step:
            where, weight = places[step], weights[step]
            what = f"bump {step} of {centres}, at {where:.2f} with weight {weight:.3g}, is added"
        else:
            what = f"before the first bump there is only w₀ = {weights[0]:.3g}"
        return (
            f"Step {step}: {what}. With all {centres} bumps of width {width:g} the true error is {error:.4f}; "
            f"the largest weight is {largest:.3g}. The {centres + 1} numbers were fitted once, before any query."
        )

    return Player(
        picture,
        {
            "centres": slider("number of bumps", 2, plots.Bumps.MOST, 6),
            "width": stops("width of a bump", [(f"{each:g}", each) for each in WIDTHS], 0.15),
        },
        history=history,
        show=show,
        step="last",
        interval=800,
        presets={
            "six bumps": {"centres": 6, "width": 0.15, "step": 6},
            "too narrow": {"centres": 6, "width": 0.02, "step": 6},
            "they cancel": {"centres": 6, "width": 0.3, "step": 6},
            "two bumps": {"centres": 2, "width": 0.15, "step": 2},
        },
        keys=steer.along("width", WIDTHS, steer.UP),
        help="Left and right arrows add and take away a bump, up and down change the width, Space plays.",
    )


BIKES = {
    ", ".join(map(str, bike)): bike
    for bike in [
        ("squeal", "coasting", "wet", 9),
        ("grind", "pedalling", "dry", 9),
        ("squeak", "braking", "wet", 3),
        ("click", "coasting", "dry", 8),
    ]
}


ATTRIBUTES = ("noise", "when", "weather", "age")
REPAIRS = [  # made up; the last is the part that it was
    ("squeal", "braking", "wet", 1, "brake pads"),
    ("squeal", "braking", "dry", 6, "brake pads"),
    ("grind", "braking", "dry", 9, "brake pads"),
    ("squeak", "pedalling", "wet", 2, "chain"),
    ("squeak", "pedalling", "dry", 5, "chain"),
    ("grind", "pedalling", "wet", 8, "chain"),
    ("click", "pedalling", "dry", 7, "bearing"),
    ("grind", "coasting", "dry", 10, "bearing"),
    ("click", "coasting", "wet", 4, "spoke"),
]
ALIKE = {("squeal", "squeak"): 0.8, ("squeak", "grind"): 0.3, ("grind", "click"): 0.4}


def _similarities(bike):
    """How similar a bicycle is to each repair: a row per repair, a column per attribute, from 0 to 1."""
    sound, *rest, age = bike
    return np.array(
        [
            [
                noise == sound or ALIKE.get((noise, sound), ALIKE.get((sound, noise), 0)),
                *(here == there for here, there in zip(where, rest)),
                1 - abs(years - age) / 9,
            ]
            for noise, *where, years, _ in REPAIRS
        ],
        dtype=float,
    )


def case_based():
    """Case-based reasoning: nine solved repairs, a new one, and sliders for how much each attribute counts."""
    labels = [f"{', '.join(map(str, case))}: {part}" for *case, part in REPAIRS]
    answers = [part for *_, part in REPAIRS]
    kinds = list(dict.fromkeys(answers))
    picture = plots.Cases(
        *theme.axes((0.385, 0.13, 0.4, 0.78), (0.795, 0.13, 0.195, 0.78), height=4.2), labels, ATTRIBUTES, kinds
    )

    def show(noise, when, weather, age, bike, k):
        weights = np.array([noise, when, weather, age])
        if not weights.any():
            raise ValueError("query must give an attribute of weight above 0, got none")
        parts = _similarities(BIKES[bike]) * weights / weights.sum()
        similarity = parts.sum(axis=1)
        order = np.argsort(-similarity.round(12), kind="stable")
        ranks = [f"{each:.2f} " for each in similarity]
        for place, row in enumerate(order[:k]):
            ranks[row] += "①②③④⑤⑥⑦⑧⑨"[place]
        votes = {kind: sum(similarity[row] for row in order[:k] if answers[row] == kind) for kind in kinds}
        shares = {kind: vote / sum(votes.values()) for kind, vote in votes.items()}
        picture.show(f"new: {bike}", parts, ranks, shares)
        first, verdict = order[0], max((answers[row] for row in order[:k]), key=lambda kind: round(votes[kind], 12))
        sums = " + ".join(f"{name} {part:.2f}" for name, part in zip(ATTRIBUTES, parts[first]))
        return (
            f"New: {bike}. Most like it is “{labels[first]}”, similarity {similarity[first]:.2f} = {sums}. "
            f"{'It alone says' if k == 1 else f'The vote of the {k} most similar says'} {verdict}, with "
            f"{100 * shares[verdict]:.0f}% of the similarity."
        )

    weights = {name: slider(f"weight of {name}", 0, 10, 5) for name in ATTRIBUTES}
    opened = {**{name: 5 for name in weights}, "bike": next(iter(BIKES)), "k": 3}
    return LiveFigure(
        picture,
        {
            **weights,
            "bike": menu("the new bicycle", list(BIKES), opened["bike"]),
            "k": slider("cases that vote", 1, 9, 3),
        },
        show,
        presets={
            "equal weights": opened,
            "the noise decides": {**opened, "noise": 10, "when": 1, "weather": 0, "age": 1},
            "the moment decides": {**opened, "noise": 1, "when": 10, "weather": 0, "age": 1},
            "only the age": {**opened, "noise": 0, "when": 0, "weather": 0, "age": 10},
            "one case": {**opened, "k": 1},
        },
        keys={**steer.by("k", 1), **steer.along("bike", list(BIKES), steer.DOWN)},
        help="Left and right arrows change how many cases vote, up and down the new bicycle.",
    )


HELMET_H = [0.5, 0.7, 0.9, 1.2, 1.5, 2.0, 2.6, 3.5, 5.0, 7.0, 10.0]
STOPS = [40.0, 45.0, 50.0, 58.0]
NEARBY = 3.0  # ms: the error of a neighbourhood is weighted with a Gaussian of this width


def _root(squares):
    return np.sqrt(np.mean(squares))


@cache
def _left_out(x, y, bandwidths, degree):
    """Errors over the bandwidths as root mean squares, on the points and left out; and the left-out residuals of each."""
    x, y = np.array(x), np.array(y)
    models = [LocallyWeightedRegression(bandwidth=h, degree=degree).fit(x, y) for h in bandwidths]
    residuals = [model.leave_one_out() - y for model in models]
    training = np.array([_root((model.values(x) - y) ** 2) for model in models])
    return {"training": training, "left out": np.array([_root(each**2) for each in residuals])}, residuals


def _nearby(x, residuals, places, width):
    """What left-out answers miss around each place: the root of the mean square, near points counting more."""
    known = ~np.isnan(residuals)
    model = LocallyWeightedRegression(bandwidth=width, degree=0).fit(x[known], residuals[known] ** 2)
    return np.sqrt(np.maximum(model.predict(places), 0))


def _far(x, places, h):
    """The stretches of these places that have no point within h, as (from, to)."""
    far = np.abs(places[:, None] - x).min(axis=1) > h
    ends = np.flatnonzero(np.diff(np.concatenate([[False], far, [False]]).astype(int)))
    return [(float(places[a]), float(places[b - 1])) for a, b in zip(ends[::2], ends[1::2])]


def helmet():
    """A motorcyclist's head after the impact: a local curve, what it misses where, and what it says beyond the recording."""
    picture = plots.LocalCurve(
        *theme.axes((0.095, 0.155, 0.545, 0.68), (0.735, 0.155, 0.25, 0.68), height=4.1), recording=True
    )
    table = load_helmets()
    ms, g = table["ms"].to_numpy(), table["g"].to_numpy()
    places = np.linspace(-5, 70, 151)
    picture.frame(("ms after the impact", "g"), (-5, 70), (-150, 120), HELMET_H, [0.5, 1, 2, 5, 10], (0, 65))

    def show(h, query, stop, degree):
        seen = ms < stop
        x, y = ms[seen], g[seen]
        errors, residuals = _left_out(tuple(x), tuple(y), tuple(HELMET_H), degree)
        at = HELMET_H.index(h)
        model = LocallyWeightedRegression(bandwidth=h, degree=degree).fit(x, y)
        inside = places[(places >= x.min()) & (places <= x.max())]
        near = _nearby(x, residuals[at], [*inside, query], NEARBY)
        answer, reach = float(model.values([query])[0]), np.linspace(query - 2.5 * h, query + 2.5 * h, 31)
        fit = (reach, model.local_model(query, reach)) if answer == answer else ((), ())
        curve = places, model.values(places)
        band, far = (inside, near[:-1]), _far(x, places, h)
        picture.show((x, y), (ms[~seen], g[~seen]), curve, band, far, fit, (query, answer), errors, at)
        out = max(x.min() - query, query - x.max())
        where = f", {out:.1f} ms outside the data," if out > 0 else ""
        nearby = "" if out > 0 else f", where left-out answers miss by {near[-1]:.1f} g"
        said = (
            f"Local {plots.NAMES[degree]}, h = {h:g} ms, {len(x)} rows: training error {errors['training'][at]:.2f} g, left-out error "
            f"{errors['left out'][at]:.2f} g. At {query:.1f} ms{where} "
            + (f"it says {answer:.1f} g{nearby}." if answer == answer else "too few points have weight for an answer.")
        )
        if seen.all():
            return said
        missed = _root((model.values(ms[~seen]) - g[~seen]) ** 2)
        how = f"It misses the {(~seen).sum()} rows after the stop by {missed:.1f} g"
        if missed != missed:
            how = f"For some of the {(~seen).sum()} rows after the stop it has no answer"
        return f"{said} {how}; always saying 0 g misses them by {_root(g[~seen] ** 2):.1f} g."

    return LiveFigure(
        picture,
        {
            "h": stops("bandwidth h, ms", [(f"{each:g}", each) for each in HELMET_H], 1.5),
            "query": slider("query, ms", -5.0, 70.0, 20.0, step=0.5, unit="ms"),
            "stop": choice(
                "recording stops at", [*((f"{each:g} ms", each) for each in STOPS[:-1]), ("the end", 58.0)], 58.0
            ),
            "degree": choice("degree", DEGREES, 1),
        },
        show,
        presets={
            "the line": {"h": 1.5, "degree": 1, "stop": 58.0, "query": 20.0},
            "h = 5 ms": {"h": 5.0, "degree": 1, "stop": 58.0, "query": 20.0},
            "before the impact hurts": {"h": 1.5, "degree": 1, "stop": 58.0, "query": 8.0},
            "the rebound": {"h": 1.5, "degree": 1, "stop": 58.0, "query": 33.0},
            "stop at 50 ms": {"h": 1.5, "degree": 1, "stop": 50.0, "query": 57.0},
        },
        drag=lambda values, axes, start, at: {"query": round(2 * at[0]) / 2},
        within=[0],
        keys={**steer.by("query", 0.5), **steer.along("h", HELMET_H, steer.UP)},
        help="Drag the query; left and right arrows move it, up and down change the bandwidth.",
        main=("h", "query"),
    )


FEVER = """hour, degrees
0, 36.8
3, 37.4
6, 38.6
8, 39.2
10, 39.5
12, 39.1
14, 39.4
18, 38.7
24, 38.1
28, 37.6
30, 37.9
36, 37.0
42, 36.7
48, 36.9"""
TIMES = [0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0]


def own_curve():
    """The reader's own points: the bandwidth of least leave-one-out error, the curve, and where it rests on nothing."""
    picture = plots.LocalCurve(*theme.axes((0.125, 0.16, 0.505, 0.74), (0.735, 0.16, 0.245, 0.74)))

    def show(text, times, degree):
        names, x, y = _columns(text)
        span, low, high = np.ptp(x), y.min(), y.max()
        tried = tuple(float(f"{span * part:.3g}") for part in np.geomspace(0.02, 1, 13))
        by_degree = {each: _left_out(tuple(x), tuple(y), tried, each) for _, each in DEGREES[:2]}
        known = [values for errors, _ in by_degree.values() for values in errors.values()]
        good = np.flatnonzero(np.isfinite(known).all(axis=0))  # the others leave a point unanswered
        noise = 1e-12 * float(np.square(y).max())  # where the curve meets every point, only rounding is left
        errors = {name: values[good] * (values[good] > noise) for name, values in by_degree[degree][0].items()}
        tried, residuals = [tried[n] for n in good], [by_degree[degree][1][n] for n in good]
        best = tried[int(np.argmin(errors["left out"]))]
        h = min(tried, key=lambda each: abs(np.log(each / (best * times))))
        at = tried.index(h)
        model = LocallyWeightedRegression(bandwidth=h, degree=degree).fit(x, y)
        places = np.linspace(x.min() - 0.1 * span, x.max() + 0.1 * span, 201)
        inside = places[(places >= x.min()) & (places <= x.max())]
        room = 0.25 * (high - low) or 1.0
        top = 1.7 * max(float(values[good].max()) for values in known) or 1.0  # one scale for both degrees
        limits = places[[0, -1]].tolist(), (low - room, high + room), tried
        picture.frame(names, *limits, tried[:: max(1, len(tried) // 2)], (0, top))
        far, band = _far(x, places, h), (inside, _nearby(x, residuals[at], inside, h))
        end = float(model.values(places[-1:])[0])
        picture.show((x, y), ((), ()), (places, model.values(places)), band, far, ((), ()), (np.nan, 0), errors, at)
        return (
            f"{len(x)} points, local {plots.NAMES[degree]}. Leave-one-out likes h = {best:g} best; shown is h = {h:g}: training error "
            f"{errors['training'][at]:.3g}, left-out error {errors['left out'][at]:.3g}. At the right end of the picture, {places[-1]:.4g}, "
            f"the curve says {end:.4g}, and no point has tested it there."
        )

    return LiveFigure(
        picture,
        {
            "text": box("x, y (first line: names)", FEVER, lines=3, file=True),
            "times": stops("bandwidth, times the best", [(f"{each:g}", each) for each in TIMES], 1.0),
            "degree": choice("degree", DEGREES[:2], 1),
        },
        show,
        presets={
            "a fever": {"text": FEVER, "times": 1.0, "degree": 1},
            "four times as wide": {"times": 4.0},
            "a quarter as wide": {"times": 0.25},
        },
        keys=steer.along("times", TIMES),
        help="Left and right arrows change the bandwidth.",
        main=("times",),
    )


def _columns(text):
    """The names and the numbers of the two columns of the reader's table."""
    table = user_data.table(text)
    if len(table.columns) != 2:
        raise ValueError(f"your table must have 2 columns, x and y, got {len(table.columns)}")
    x, y = (np.array(user_data.number_column(table, name, low=-1e6, high=1e6)) for name in table.columns)
    if len(np.unique(x.round(6))) < 5:
        raise ValueError(f"your table must have at least 5 different x, got {len(np.unique(x.round(6)))}")
    return [user_data.plain(name, 16) for name in table.columns], x, y


def _weight(value):
    """Three digits that matter, without needless zeros; two where it is tiny."""
    return f"{value:.3g}" if value >= 0.001 or value == 0 else np.format_float_positional(value, 2, fractional=False)
