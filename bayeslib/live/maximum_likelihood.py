"""The live figures of section 03, maximum likelihood, least squares and description length."""

import math

import numpy as np

from bayeslib.data import load_galton_families
from bayeslib.figures import steer, user_data
from bayeslib.figures.controls import State, box, choice, slider, stops
from bayeslib.figures.figure import LiveFigure
from bayeslib.models import bayes, likelihood
from bayeslib.plots import maximum_likelihood as plots
from bayeslib.plots import theme

THETA = np.linspace(0, 1, 201)
DATA = [2, 4, 4, 5, 10]
POINTS = [[0.0, 1.0], [1.0, 3.0], [2.0, 2.0], [3.0, 5.0], [4.0, 4.0]]
COINS, PRIORS = [0.25, 0.5, 0.75], {"mostly fair": [0.1, 0.8, 0.1], "flat": [1 / 3] * 3, "mostly bent": [0.4, 0.2, 0.4]}


def coin_likelihood():
    """The likelihood of every probability of heads, given some tosses, and its logarithm."""
    picture = plots.CoinLikelihood(*theme.axes((0.16, 0.17, 0.81, 0.7)))

    def show(heads, tails, theta, scale):
        tossed = heads + tails > 0
        best = likelihood.bernoulli_ml(heads, tails) if tossed else 0.5
        top = likelihood.bernoulli_log_likelihood(best, heads, tails)
        curve = likelihood.bernoulli_log_likelihood(THETA, heads, tails) - top
        yours = likelihood.bernoulli_log_likelihood(theta / 100, heads, tails) - top
        heights = (curve, yours, 0.0) if scale == "log" else (np.exp(curve), math.exp(yours), 1.0)
        here, peak = plots.tiny(math.exp(top + yours), 4), plots.tiny(math.exp(top), 4)
        ticks = (
            [theme.minus(f"{top + drop:.1f}") for drop in (-10, -5, 0)]
            if scale == "log"
            else [plots.tiny(share * math.exp(top)) for share in (0, 0.5, 1)]
        )
        words = f"peak {peak} at {best:.2f}; yours {here}" if tossed else "no toss, no peak"
        places = (theta / 100, heights[1]), (best, heights[2]) if tossed else None
        picture.show(scale, THETA, heights[0], ticks, *places, words)
        if not tossed:
            return f"No toss yet: every θ, including your {theta / 100:.2f}, has likelihood 1 (logarithm 0), so none is best."
        area = 1 / (math.comb(heads + tails, heads) * (heads + tails + 1))
        logs = (
            f" Its logarithm is {top + yours:.3f}, against {top:.3f} at the peak."
            if scale == "log" and yours > -700
            else ""
        )
        return (
            f"{heads} heads, {tails} tails: the likelihood peaks at θ = {best:.4f} with {peak}. At θ = {theta / 100:.2f} it is "
            f"{here}, which is {math.exp(yours):.3f} of the peak. The area under the curve is {plots.tiny(area, 4)}.{logs}"
        )

    return LiveFigure(
        picture,
        {
            "heads": slider("heads", 0, 20, 7),
            "tails": slider("tails", 0, 20, 3),
            "theta": slider("your θ in percent", 0, 100, 50),
            "scale": choice("scale", [("likelihood", "likelihood"), ("logarithm", "log")], "likelihood"),
        },
        show,
        presets={
            "7 of 10": {"heads": 7, "tails": 3, "theta": 70, "scale": "likelihood"},
            "14 of 20": {"heads": 14, "tails": 6, "theta": 70, "scale": "likelihood"},
            "0 of 4": {"heads": 0, "tails": 4, "theta": 10, "scale": "likelihood"},
        },
        drag=steer.drag("theta", scale=100),
        keys=steer.by("theta"),
        help="Drag the square along the curve; left and right arrows move it too.",
        main=("heads", "theta"),
    )


def measured_length():
    """Five numbers on a line: the squared error and the log-likelihood of every candidate for the true length."""
    picture = plots.MeanLikelihood(*theme.axes((0.13, 0.58, 0.84, 0.33), (0.13, 0.16, 0.84, 0.41)), DATA)
    data, mean = np.array(DATA, dtype=float), likelihood.gaussian_ml(DATA)[0]
    places = np.linspace(0, 12, 241)

    def show(mu, sigma):
        mine, best = (likelihood.gaussian_log_likelihood(data - each, sigma) for each in (mu, mean))
        sse, least = ((data - mu) ** 2).sum(), ((data - mean) ** 2).sum()
        curve = -data.size * (places - mean) ** 2 / (2 * sigma**2)
        seen = curve >= picture.LOW
        picture.show(
            mu,
            mine - best,
            (places[seen], curve[seen]),
            mean,
            theme.minus(f"Σ r² = {sse:.2f}    log-likelihood = {mine:.2f}    Σ r = {(data - mu).sum():.2f}"),
        )
        end = (
            "the least squared error, and with this σ the largest log-likelihood possible."
            if math.isclose(mu, mean)
            else f"the mean, μ = {mean:g}, has {least:.2f} and {best:.2f}."
        )
        return (
            f"At μ = {mu:.1f} the errors sum to {(data - mu).sum():.2f}, the squared error is {sse:.2f}, and with "
            f"σ = {sigma:.1f} the log-likelihood is {mine:.2f}: {end}"
        )

    return LiveFigure(
        picture,
        {"mu": slider("μ", 0.0, 12.0, 4.0, step=0.1), "sigma": slider("σ of the noise", 0.5, 5.0, 2.0, step=0.1)},
        show,
        presets={
            "4, the median": {"mu": 4.0, "sigma": 2.0},
            "5, the mean": {"mu": 5.0, "sigma": 2.0},
            "6, between the ends": {"mu": 6.0, "sigma": 2.0},
        },
        drag=steer.drag("mu", digits=1),
        keys={**steer.by("mu", 0.1), **steer.by("sigma", 0.1, steer.UP)},
        help="Drag μ along the line; left and right arrows move μ, up and down the σ of the noise.",
        main=("mu", "sigma"),
    )


def line_fit():
    """A line to drag through points to drag: its squared error and its log-likelihood move as one."""
    picture = plots.LineFit(*theme.axes((0.08, 0.17, 0.52, 0.7), (0.745, 0.17, 0.22, 0.7)))

    def show(points, intercept, slope, sigma, point):
        x, y = np.array(points).T
        best = likelihood.fit_line(x, y) if len(set(x)) > 1 else None
        residuals, least = (y - line[0] - line[1] * x for line in ((intercept, slope), best or (y.mean(), 0)))
        mine, there = residuals @ residuals, least @ least
        here, top = (likelihood.gaussian_log_likelihood(each, sigma) for each in (residuals, least))
        picture.show(
            points,
            point - 1,
            (intercept, slope),
            best,
            (mine - there, top - here),
            lambda more: more / (2 * sigma**2),
            theme.minus(f"Σ r² = {mine:.2f} (best {there:.2f}),  ln likelihood = {here:.2f} (best {top:.2f})"),
        )
        behind = (
            "all points share one x, so no single line is best"
            if best is None
            else "no line does better"
            if mine - there < 1e-9 * (1 + there)
            else f"the best line, {_line(*best)}, has {there:.2f} and {top:.2f}: yours is {top - here:.2f} behind"
        )
        return (
            f"Line {_line(intercept, slope)}: squared error {mine:.2f}, log-likelihood {here:.2f} (σ = {sigma:.1f}); {behind}. "
            f"Point {point} is at ({x[point - 1]:.1f}, {y[point - 1]:.1f})."
        )

    def drag(values, axes, start, at):
        ends = values["intercept"] + values["slope"] * picture.HANDLES
        things = [*values["points"], *zip(picture.HANDLES, ends)]
        nearest = _nearest(axes, start, things)
        move = np.subtract(at, start)
        if nearest < len(values["points"]):
            return _moved(values["points"], nearest, move)
        ends[nearest - len(values["points"])] += move[1]
        slope = round((ends[1] - ends[0]) / np.ptp(picture.HANDLES), 2)
        return {"slope": slope, "intercept": round(float(ends.mean() - slope * picture.HANDLES.mean()), 2)}

    def best_line(values):
        x, y = np.array(values["points"]).T
        return dict(zip(("intercept", "slope"), likelihood.fit_line(x, y))) if len(set(x)) > 1 else {}

    lines = {
        "intercept": slider("intercept of the line", -6.0, 14.0, 1.0, step=0.1),
        "slope": slider("slope of the line", -4.0, 4.0, 1.0, step=0.1),
    }
    for each in lines.values():
        each.readout_format = ".2f"
    return LiveFigure(
        picture,
        {
            "points": State(value=POINTS),
            **lines,
            "sigma": slider("σ of the noise", 0.5, 3.0, 1.0, step=0.1),
            "point": choice("point for the keys", [1, 2, 3, 4, 5], 3),
        },
        show,
        presets={
            "y = 1 + x": {"points": POINTS, "intercept": 1.0, "slope": 1.0, "sigma": 1.0},
            "twice the noise": {"points": POINTS, "intercept": 1.0, "slope": 1.0, "sigma": 2.0},
            "half the noise": {"points": POINTS, "intercept": 1.0, "slope": 1.0, "sigma": 0.5},
        },
        actions={"take the best line": best_line},
        drag=drag,
        within=[0],
        keys=_point_keys(),
        help="Drag a point or an end of the line. Keys 1 to 5 choose a point, arrows move the ringed one by half a unit.",
        main=("slope", "sigma"),
    )


def noise_knob():
    """Points to drag and the most likely line through them, for noise that runs from Laplace to Gaussian."""
    picture = plots.NoiseKnob(*theme.axes((0.07, 0.17, 0.5, 0.72), (0.7, 0.57, 0.28, 0.32), (0.7, 0.17, 0.28, 0.32)))

    def show(points, power, point):
        x, y = np.array(points).T
        if len(set(x)) == 1:
            raise ValueError("the points must not all share one x, because then no single line is best")
        line = likelihood.least_power_line(x, y, power)
        ends = {"squares": likelihood.fit_line(x, y), "absolute": likelihood.least_absolute_line(x, y)}
        residuals = y - line[0] - line[1] * x
        loss = np.abs(residuals) ** power
        share = loss[point - 1] / loss.sum() if loss.sum() > 1e-12 else 0
        said = {1.0: "|r|", 2.0: "½ r²"}.get(power, f"|r|^{power:.1f} ÷ {power:.1f}")
        picture.show(
            points,
            point - 1,
            line,
            ends,
            lambda r: np.abs(r) ** power / power,
            lambda r: np.sign(r) * np.abs(r) ** (power - 1),
            f"loss = {said}",
        )
        name = {1.0: "Laplace noise", 2.0: "Gaussian noise"}.get(power, "noise between Laplace and Gaussian")
        return (
            f"Exponent {power:.1f}, {name}: the best line is {_line(*line)}. Squares (exponent 2) give "
            f"{_line(*ends['squares'])}, absolute errors (exponent 1) {_line(*ends['absolute'])}. Point {point}, ringed, has "
            f"the residual {residuals[point - 1]:.2f} and {share:.0%} of the loss."
        )

    def drag(values, axes, start, at):
        return _moved(values["points"], _nearest(axes, start, values["points"]), np.subtract(at, start))

    def lifted(height, power):
        return {"points": [[x, height if x == 2 else y] for x, y in POINTS], "point": 3, "power": power}

    return LiveFigure(
        picture,
        {
            "points": State(value=POINTS),
            "power": slider("exponent of |r|", 1.0, 2.0, 2.0, step=0.1),
            "point": choice("point for the keys", [1, 2, 3, 4, 5], 3),
        },
        show,
        presets={
            "squares, middle at 7": lifted(7.0, 2.0),
            "squares, at 10": lifted(10.0, 2.0),
            "halfway": lifted(10.0, 1.5),
            "absolute, at 10": lifted(10.0, 1.0),
            "absolute, at 7": lifted(7.0, 1.0),
        },
        drag=drag,
        within=[0],
        keys=_point_keys(),
        help="Drag a point. Keys 1 to 5 choose a point, arrows move the ringed one by half a unit.",
        main=("power",),
    )


def mean_prior():
    """A Gaussian prior on μ, some measurements with mean 5, and the belief that comes out of both."""
    picture = plots.MeanPrior(*theme.axes((0.07, 0.18, 0.91, 0.7)))
    mean, mu = likelihood.gaussian_ml(DATA)[0], np.linspace(0, 12, 481)

    def bell(centre, width):
        return np.exp(-((mu - centre) ** 2) / (2 * width**2))

    def show(count, sigma, centre, width):
        after, spread = likelihood.mean_posterior([mean] * count, sigma, centre, width) if count else (centre, width)
        worth = sigma**2 / width**2
        curves = {"before": bell(centre, width), "after": bell(after, spread), "likelihood": None}
        if count:
            curves["likelihood"] = bell(mean, sigma / math.sqrt(count))
        words = f"({count} × {mean:g} + {worth:.3g} × {centre:g}) ÷ ({count} + {worth:.3g}) = {after:.2f}"
        picture.show(mu, curves, mean if count else None, after, words)
        data = f"{count} measurements with mean {mean:g} and σ = {sigma:.1f}" if count else "No measurement"
        return (
            f"{data}; prior for μ: {centre:.1f} ± {width:.1f}, worth σ²/σ₀² = {worth:.3g} measurements of {centre:.1f}. The most "
            f"probable μ is {after:.3f}, and the belief around it has the width {spread:.3f}."
        )

    return LiveFigure(
        picture,
        {
            "count": stops("measurements", [0, 1, 2, 5, 10, 20, 50, 100], 5),
            "width": slider("σ₀, width of the prior", 0.2, 5.0, 1.0, step=0.1),
            "centre": slider("μ₀, centre of the prior", 0.0, 12.0, 8.0, step=0.5),
            "sigma": slider("σ of the noise", 0.5, 5.0, 2.0, step=0.1),
        },
        show,
        presets={
            "before any": {"count": 0, "width": 1.0, "centre": 8.0, "sigma": 2.0},
            "five measurements": {"count": 5, "width": 1.0, "centre": 8.0, "sigma": 2.0},
            "fifty": {"count": 50, "width": 1.0, "centre": 8.0, "sigma": 2.0},
            "a vague prior": {"count": 5, "width": 5.0, "centre": 8.0, "sigma": 2.0},
            "a stubborn prior": {"count": 5, "width": 0.2, "centre": 8.0, "sigma": 2.0},
        },
        drag=lambda values, axes, start, at: {"centre": round(2 * at[0]) / 2},
        keys={**steer.by("centre", 0.5), **steer.by("width", 0.1, steer.UP)},
        help="Drag the prior along the axis; left and right arrows move its centre, up and down its width.",
        main=("count", "width"),
    )


def slope_prior():
    """The five points again, with a prior that expects a slope near 0: ridge regression."""
    picture = plots.SlopePrior(*theme.axes((0.07, 0.17, 0.48, 0.72), (0.66, 0.17, 0.32, 0.72)))
    slopes, (x, y) = np.linspace(-1, 2, 301), np.array(POINTS).T
    best = likelihood.fit_line(x, y)
    across = ((x - x.mean()) ** 2).sum()
    widths = [0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0]

    def bell(centre, width):
        return np.exp(-((slopes - centre) ** 2) / (2 * width**2))

    def show(width, sigma):
        line = likelihood.ridge_line(x, y, sigma, width)
        told, after = sigma / math.sqrt(across), 1 / math.sqrt(across / sigma**2 + 1 / width**2)
        curves = {"before": bell(0, width), "likelihood": bell(best[1], told), "after": bell(line[1], after)}
        picture.show(POINTS, best, line, slopes, curves)
        return (
            f"Prior for the slope: 0 ± {width:g}; noise σ = {sigma:.1f}, so σ²/σ₀² = {(sigma / width) ** 2:.4g}. Least squares has the "
            f"slope {best[1]:.3f}; with the prior it is {line[1]:.3f}, {line[1] / best[1]:.0%} of it. The line is {_line(*line)}."
        )

    return LiveFigure(
        picture,
        {
            "width": stops("σ₀, width of the prior on b", widths, 5.0),
            "sigma": slider("σ of the noise", 0.5, 3.0, 1.0, step=0.1),
        },
        show,
        presets={
            "a vague prior": {"width": 5.0, "sigma": 1.0},
            "0 ± 0.3": {"width": 0.3, "sigma": 1.0},
            "0 ± 0.1": {"width": 0.1, "sigma": 1.0},
            "0 ± 0.3, more noise": {"width": 0.3, "sigma": 2.0},
        },
        keys={**steer.along("width", widths), **steer.by("sigma", 0.1, steer.UP)},
        help="Left and right arrows change the width of the prior, up and down the noise.",
        main=("width", "sigma"),
    )


UNITS = {2: "bits", math.e: "nats", 10: "decimal digits"}


def message_length():
    """The cancer test of section 01 as two messages: hypothesis, then result. The shorter one is the MAP hypothesis."""
    picture = plots.MessageLength(*theme.axes((0.03, 0.19, 0.94, 0.69), height=3.3), ["sick", "healthy"])

    def show(sick, found, flagged, base):
        prior, positive = bayes.diagnosis(sick / 1000, found / 100, flagged / 100)
        total = likelihood.description_length(prior, positive, base)
        model, data = ({h: likelihood.code_length(part[h], base) for h in part} for part in (prior, positive))
        tie = math.isclose(*total.values())
        best = min(total, key=total.get)
        sums = {h: _sum(model[h], data[h]) for h in total}
        words = {h: f"{h}: {sums[h]}{'   shorter' if h == best and not tie else ''}" for h in total}
        picture.show(model, data, words, UNITS[base])
        gap = abs(total["sick"] - total["healthy"])
        end = (
            "Both are equally long, a tie"
            if tie
            else f"The message with {best} is shorter by {gap:.3f} {UNITS[base]}: odds of {base**gap:.3f} to 1, h_MAP = {best}"
        )
        return f"Sick: {sums['sick']} {UNITS[base]}. Healthy: {sums['healthy']} {UNITS[base]}. {end}."

    return LiveFigure(
        picture,
        {
            "sick": slider("sick per 1000", 1, 999, 8),
            "found": slider("found of 100 sick", 1, 100, 98),
            "flagged": slider("flagged of 100 healthy", 0.5, 50, 3.0, step=0.5),
            "base": choice("base of the logarithm", [("2", 2), ("e", math.e), ("10", 10)], 2),
        },
        show,
        presets={
            "the test of 01": {"sick": 8, "found": 98, "flagged": 3.0},
            "common disease": {"sick": 100, "found": 98, "flagged": 3.0},
            "near the flip": {"sick": 30, "found": 98, "flagged": 3.0},
            "a poor test": {"sick": 100, "found": 70, "flagged": 20.0},
        },
        keys=steer.by("sick"),
        help="Left and right arrows change how many are sick.",
        main=("sick", "flagged"),
    )


DEGREE_BOXES = (0.085, 0.17, 0.345, 0.8), (0.545, 0.46, 0.445, 0.43), (0.545, 0.17, 0.445, 0.24)


def degree_bits():
    """Polynomials of degree 0 to 9 through 20 points: bits for model and data, and the error on fresh points."""
    at = np.linspace(-1.05, 1.25, 116)
    look = {"xlim": (-1.08, 1.28), "ylim": (-2.6, 6), "xticks": [-1, 0, 1], "xlabel": "x", "ylabel": "y"}
    said = {"held": {"ylim": (0.2, 0.85), "yticks": [0.3, 0.6]}, "new": "on 200 fresh points", "truth": "truth"}
    picture = plots.DegreeBits(*theme.axes(*DEGREE_BOXES), 10, 60, look, said)

    def show(degree, seed):
        points, new = likelihood.curve_sample(seed)
        scores = likelihood.polynomial_scores(*points, range(10), *new)
        curve, truth = (at, likelihood.polynomial_values(*points, degree, at)), (at, likelihood.true_curve(at))
        picture.show(degree, points, curve, truth, scores["model"], scores["data"], scores["held out"])
        beyond = likelihood.polynomial_values(*points, degree, [1.2])[0]
        return (
            f"Data set {seed}, {_bill(scores, degree)} Squared error {scores['SSE'][degree]:.3f} on the 20 points; "
            f"{_judged(scores, degree, 'fresh ones', 3)} At x = 1.2 it says {beyond:.2f}, the truth is "
            f"{likelihood.true_curve(1.2):.2f}."
        )

    return LiveFigure(
        picture,
        {"degree": slider("degree", 0, 9, 1), "seed": slider("data set (seed)", 0, 199, 0)},
        show,
        presets={
            "a line": {"degree": 1, "seed": 0},
            "a cubic": {"degree": 3, "seed": 0},
            "degree 9": {"degree": 9, "seed": 0},
            "an unlucky sample": {"degree": 9, "seed": 6},
        },
        actions={"new data": lambda values: {"seed": (values["seed"] + 1) % 200}},
        keys=steer.by("degree"),
        help="Left and right arrows change the degree.",
        main=("degree", "seed"),
    )


def three_uses():
    """One posterior over three coins, used in three ways to predict the next toss."""
    most = 10
    picture = plots.ThreeUses(*theme.axes((0.09, 0.18, 0.29, 0.78), (0.51, 0.18, 0.47, 0.7)), COINS, most)

    def show(heads, prior):
        after = likelihood.coin_posterior(COINS, PRIORS[prior], heads, 0)
        said = [likelihood.coin_predictions(COINS, PRIORS[prior], each, 0) for each in range(most + 1)]
        curves = {}
        for name in said[0]:
            places = [each for each in range(most + 1) if said[each][name] is not None]
            curves[name] = places, [said[each][name] for each in places]
        picture.show(heads, after, curves)
        belief = ", ".join(f"{each:.3f}" for each in after)
        words = ", ".join(
            f"{name} says {value:.3f}" if value is not None else f"{name} cannot choose, there is a tie"
            for name, value in said[heads].items()
        )
        number = {0: "No toss yet", 1: "1 head"}.get(heads, f"{heads} heads in a row")
        return f"{number}, {prior} prior: the coins 0.25, 0.5, 0.75 have posterior {belief}. Another head: {words}."

    return LiveFigure(
        picture,
        {
            "heads": slider("heads in a row", 0, most, 3),
            "prior": choice("prior", [(name, name) for name in PRIORS], "mostly fair"),
        },
        show,
        presets={
            "before any toss": {"heads": 0, "prior": "mostly fair"},
            "three heads": {"heads": 3, "prior": "mostly fair"},
            "six heads": {"heads": 6, "prior": "mostly fair"},
            "flat prior": {"heads": 3, "prior": "flat"},
        },
        drag=steer.drag("heads"),
        within=[1],
        keys=steer.by("heads"),
        help="Drag the upright line; left and right arrows take a head away or add one.",
        main=("heads",),
    )


def flat_prior():
    """A prior that is uniform over θ and the belief after some tosses, over θ and over its log odds."""
    theta = 1 / (1 + np.exp(-np.linspace(-9, 9, 361)))
    picture = plots.FlatPrior(*theme.axes((0.09, 0.18, 0.41, 0.7), (0.57, 0.18, 0.41, 0.7)), theta)

    def show(heads, tails):
        densities = {scale: likelihood.coin_density(theta, heads, tails, scale) for scale in ("chance", "log-odds")}
        peak = likelihood.bernoulli_ml(heads, tails) if heads + tails else None
        other = (heads + 1) / (heads + tails + 2)
        words = {"chance": f"peak at {peak:.3f}" if peak is not None else "no peak", "log-odds": f"peak at {other:.3f}"}
        likely = np.exp(likelihood.bernoulli_log_likelihood(theta, heads, tails))
        picture.show(densities, likely, {"chance": peak, "log-odds": other}, words)
        here, most = (
            (
                f"over θ the posterior density peaks at θ = {peak:.3f}",
                f"The likelihood peaks at θ = {peak:.3f} on both scales.",
            )
            if peak is not None
            else ("over θ the density is flat and has no peak", "Without a toss the likelihood is flat on both scales.")
        )
        return (
            f"{heads} heads, {tails} tails, a prior uniform over θ: {here}; over the log odds the density of the same belief "
            f"peaks at θ = {other:.3f}. {most}"
        )

    return LiveFigure(
        picture,
        {"heads": slider("heads", 0, 20, 7), "tails": slider("tails", 0, 20, 3)},
        show,
        presets={
            "no toss": {"heads": 0, "tails": 0},
            "7 of 10": {"heads": 7, "tails": 3},
            "14 of 20": {"heads": 14, "tails": 6},
            "3 of 3": {"heads": 3, "tails": 0},
        },
        keys={**steer.by("heads"), **steer.by("tails", keys=steer.UP)},
        help="Left and right arrows change the heads, up and down the tails.",
        main=("heads", "tails"),
    )


def heights():
    """Galton's parents and children: one line through the cloud, and its errors for children and for parents."""
    table = load_galton_families()
    x, y = table["midparent"].to_numpy(), table["height"].to_numpy()
    centre = x.mean(), y.mean()
    slopes = np.linspace(0.02, 3.5, 175)

    def sizes(slope):
        """Root of the mean squared error: children from parents along y, parents from children along x."""
        off = y - centre[1] - slope * (x - centre[0])
        error = math.sqrt((off**2).mean())
        return {"child": error, "parents": error / slope}

    curves = {name: [sizes(slope)[name] for slope in slopes] for name in ("child", "parents")}
    picture = plots.Heights(
        *theme.axes((0.09, 0.17, 0.47, 0.72), (0.68, 0.17, 0.3, 0.62)), x, y, centre, slopes, curves
    )
    slope_of_children, slope_of_parents = likelihood.fit_line(x, y)[1], 1 / likelihood.fit_line(y, x)[1]
    intercept, spread = likelihood.fit_line(x, y)[0], min(curves["child"])
    apart = np.abs(y - intercept - slope_of_children * x)

    def show(slope, family):
        you = _family(family)
        errors = sizes(slope)
        picture.show(centre, slope, errors, you)
        log = likelihood.gaussian_log_likelihood(y - centre[1] - slope * (x - centre[0]), errors["child"])
        said = (
            f"A line of slope {slope:.2f} through both means, {centre[0]:.1f} and {centre[1]:.1f} inches. Child from parents: error "
            f"{errors['child']:.2f} inches, log-likelihood {log:.1f} (least error {sizes(slope_of_children)['child']:.2f}, at slope "
            f"{slope_of_children:.2f}). Parents from child: error {errors['parents']:.2f} inches (least "
            f"{sizes(slope_of_parents)['parents']:.2f}, at slope {slope_of_parents:.2f})."
        )
        if you is None:
            return said
        expected = intercept + slope_of_children * you[0]
        off = you[1] - expected
        way = "above" if off >= 0 else "below"
        return (
            f"{said} You: mid-parent {you[0]:.1f}, height {you[1]:.1f}; the best line for children says {expected:.1f}, so you are "
            f"{abs(off) / spread:.1f} σ {way} it. Of Galton's children {(apart > abs(off)).mean():.0%} are farther from it."
        )

    stands = slider("slope of the line", 0.1, 3.5, 1.0, step=0.01)
    stands.readout_format = ".2f"
    return LiveFigure(
        picture,
        {
            "slope": stands,
            "family": box("father, mother, you", ""),
        },
        show,
        presets={
            "as tall as the parents": {"slope": 1.0},
            "children from parents": {"slope": round(slope_of_children, 2)},
            "parents from children": {"slope": round(slope_of_parents, 2)},
        },
        drag=steer.drag("slope", digits=2),
        within=[1],
        keys=steer.by("slope", 0.01),
        help="Left and right arrows turn the line. Your family in inches or centimetres, such as: 178, 165, daughter 170.",
        main=("slope",),
    )


def _family(text):
    """Mid-parent and height in inches, women's heights times 1.08 as Galton had it; None if nothing is typed."""
    if not text.strip():
        return None
    heights, daughter, after = text.partition("daughter")
    found = np.array(user_data.numbers(heights + after.replace(":", " "), "your family", 3, 3, 20, 250))
    found = np.where(found > 100, found / 2.54, found)  # centimetres
    if found.min() < 40:
        raise ValueError(
            f"your family must be heights of at least 40 inches or 102 centimetres, got {found.min():.3g} inches"
        )
    father, mother, height = found
    return (father + 1.08 * mother) / 2, height * (1.08 if daughter else 1)


def heights_degrees():
    """How complicated a curve do Galton's families justify? Bits for each degree, and the error on the other families."""
    at = np.linspace(63.5, 76, 126)
    look = {"xlim": (63, 76.5), "ylim": (56, 82), "xticks": range(64, 77, 4), "yticks": range(60, 81, 5)}
    look |= {"xlabel": "mid-parent, inches", "ylabel": "child, inches"}
    said = {
        "held": {
            "yscale": "log",
            "ylim": (1.2, 6000),
            "yticks": [2, 20, 200],
            "yticklabels": ["2", "20", "200"],
        }
    }
    picture = plots.DegreeBits(*theme.axes(*DEGREE_BOXES), 8, 60, look, said | {"new": "other families, inches"})
    picture.dots.set(markersize=3.5, alpha=0.6)
    table = load_galton_families()
    families, of = np.unique(table["family"], return_inverse=True)
    x, y = table["midparent"].to_numpy(), table["height"].to_numpy()

    def show(degree, count, seed):
        learn = np.isin(of, np.random.default_rng(seed).permutation(len(families))[:count])
        scores = likelihood.polynomial_scores(x[learn], y[learn], range(8), x[~learn], y[~learn])
        curve = at, likelihood.polynomial_values(x[learn], y[learn], degree, at)
        picture.show(degree, (x[learn], y[learn]), curve, None, scores["model"], scores["data"], scores["held out"])
        return (
            f"{count} families ({learn.sum()} children) to learn from, {_bill(scores, degree)} Error "
            f"{math.sqrt(scores['SSE'][degree] / learn.sum()):.2f} inches on them; "
            f"{_judged(scores, degree, f'the {(~learn).sum()} children of the other {len(families) - count} families', 2)}"
        )

    return LiveFigure(
        picture,
        {
            "degree": slider("degree", 0, 7, 1),
            "count": slider("families to learn from", 20, 190, 100, step=10),
            "seed": slider("which families (seed)", 0, 19, 0),
        },
        show,
        presets={
            "a line": {"degree": 1, "count": 100, "seed": 0},
            "degree 7": {"degree": 7, "count": 100, "seed": 0},
            "few families": {"degree": 7, "count": 20, "seed": 0},
        },
        keys=steer.by("degree"),
        help="Left and right arrows change the degree.",
        main=("degree", "count"),
    )


def _bill(scores, degree):
    """The two parts of a degree's message, and which degree has the shortest, in words."""
    model, data, total = (scores[name][degree] for name in ("model", "data", "total"))
    best = int(scores["total"].argmin())
    end = (
        f"the shortest of degrees 0 to {len(scores['total']) - 1}"
        if degree == best
        else f"against {scores['total'][best]:.1f} for degree {best}, the shortest"
    )
    return f"degree {degree}: model {model:.1f} bits, data {data:.1f}, total {total:.1f}, {end}."


def _judged(scores, degree, on, digits):
    held = scores["held out"]
    least = int(held.argmin())
    return f"error {held[degree]:.{digits}f} on {on} (least: {held[least]:.{digits}f}, degree {least})."


def _sum(first, second):
    """Two lengths and their sum with four decimals each, of which the larger gives way if they would not add up."""
    total = round(first + second, 4)
    small = round(min(first, second), 4)
    parts = (small, total - small) if first <= second else (total - small, small)
    return f"{parts[0]:.4f} + {parts[1]:.4f} = {total:.4f}"


def _nearest(axes, start, things):
    """Which of these places is nearest on the screen to where a drag began."""
    places = axes.transData.transform([start, *things])
    return int(((places[1:] - places[0]) ** 2).sum(axis=1).argmin())


def _point_keys():
    """Keys 1 to 5 choose a point, arrows move it by half a unit."""

    def nudge(values, x, y):
        return _moved(values["points"], values["point"] - 1, (x / 2, y / 2))

    return steer.four(nudge) | {str(number): lambda _, number=number: {"point": number} for number in range(1, 6)}


def _moved(points, which, by):
    """The points with one of them moved, on a grid of tenths and inside the picture."""
    place = np.clip(np.round(np.add(points[which], by), 1), (0, 0), (4, 10)).tolist()
    return {"points": [place if number == which else each for number, each in enumerate(points)], "point": which + 1}


def _line(intercept, slope):
    """1.40 + 0.80 x, as a reader would write it."""
    return theme.minus(f"{intercept:.2f} {'−' if round(slope, 2) < 0 else '+'} {abs(slope):.2f} x")
