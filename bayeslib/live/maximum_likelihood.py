"""The live figures of section 03, maximum likelihood, least squares and description length."""

import math

import numpy as np

from bayeslib import bayes, likelihood
from bayeslib.live import steer
from bayeslib.live.controls import State, choice, slider
from bayeslib.live.figure import LiveFigure
from bayeslib.plots import maximum_likelihood as plots
from bayeslib.plots import theme

THETA = np.linspace(0, 1, 201)
DATA = [2, 4, 4, 5, 10]
POINTS = [[0.0, 1.0], [1.0, 3.0], [2.0, 2.0], [3.0, 5.0], [4.0, 4.0]]
COINS, PRIORS = [0.25, 0.5, 0.75], {"mostly fair": [0.1, 0.8, 0.1], "flat": [1 / 3] * 3, "mostly bent": [0.4, 0.2, 0.4]}


def coin_likelihood():
    """The likelihood of every chance of heads, given some tosses, and its logarithm."""
    figure = theme.figure((0.11, 0.17, 0.86, 0.7))
    picture = plots.CoinLikelihood(*figure.axes)

    def show(heads, tails, theta, scale):
        tossed = heads + tails > 0
        best = likelihood.bernoulli_ml(heads, tails) if tossed else 0.5
        top = likelihood.bernoulli_log_likelihood(best, heads, tails)
        curve = likelihood.bernoulli_log_likelihood(THETA, heads, tails) - top
        yours = likelihood.bernoulli_log_likelihood(theta / 100, heads, tails) - top
        heights = (curve, yours, 0.0) if scale == "log" else (np.exp(curve), math.exp(yours), 1.0)
        here, peak = math.exp(top + yours), math.exp(top)
        words = f"peak {peak:.4g} at {best:.2f}; yours {here:.4g}" if tossed else "no toss, no peak"
        places = (theta / 100, heights[1]), (best, heights[2]) if tossed else None
        picture.show(scale, THETA, heights[0], *places, words)
        if not tossed:
            return f"No toss yet: every θ, your {theta / 100:.2f} too, has likelihood 1 (logarithm 0), so none is the best."
        area = 1 / (math.comb(heads + tails, heads) * (heads + tails + 1))
        logs = f"ln of it: {top + yours:.3f} against {top:.3f}. " if scale == "log" and here else ""
        return (
            f"{heads} heads, {tails} tails: the likelihood peaks at θ = {best:.4f} with {peak:.4g}, drawn as 1; the area under the likelihood itself is "
            f"{area:.4g}. At θ = {theta / 100:.2f} it is {here:.4g}, which is {math.exp(yours):.3f} of the peak. {logs}"
        ).strip()

    return LiveFigure(
        figure,
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
    )


def mean_likelihood():
    """Five numbers on a line: the squared error and the log-likelihood of every candidate for their mean."""
    figure = theme.figure((0.13, 0.58, 0.84, 0.33), (0.13, 0.16, 0.84, 0.41))
    picture = plots.MeanLikelihood(*figure.axes, DATA)
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
        figure,
        picture,
        {"mu": slider("μ", 0.0, 12.0, 4.0, step=0.1), "sigma": slider("σ of the noise", 0.5, 5.0, 2.0, step=0.1)},
        show,
        presets={
            "4, in the middle and most often": {"mu": 4.0, "sigma": 2.0},
            "5, the mean": {"mu": 5.0, "sigma": 2.0},
            "5, wide noise": {"mu": 5.0, "sigma": 5.0},
        },
        drag=steer.drag("mu", digits=1),
        keys={**steer.by("mu", 0.1), **steer.by("sigma", 0.1, steer.UP)},
        help="Drag μ along the line; left and right arrows move μ, up and down the σ of the noise.",
    )


NOISE = {
    "gaussian": ("Gaussian", "σ", "squared error", "Σ r²", likelihood.gaussian_log_likelihood, likelihood.fit_line),
    "laplace": (
        "Laplace",
        "s",
        "absolute error",
        "Σ |r|",
        likelihood.laplace_log_likelihood,
        likelihood.least_absolute_line,
    ),
}


def line_fit():
    """A line to drag through points to drag: its error and its log-likelihood move as one."""
    figure = theme.figure((0.08, 0.17, 0.53, 0.72), (0.77, 0.17, 0.2, 0.72))
    picture = plots.LineFit(*figure.axes)

    def show(points, intercept, slope, sigma, noise, point):
        kind, letter, error, symbol, log_likelihood, fit = NOISE[noise]
        x, y = np.array(points).T
        size = (lambda r: float((r**2).sum())) if noise == "gaussian" else (lambda r: float(np.abs(r).sum()))

        def judged(line):
            residuals = y - line[0] - line[1] * x
            return size(residuals), log_likelihood(residuals, sigma)

        best = fit(x, y) if len(set(x)) > 1 else None
        mine, here = judged((intercept, slope))
        least, there = judged(best) if best else (mine, here)
        level = log_likelihood(np.zeros(x.size), sigma)
        fall = 2 * sigma**2 if noise == "gaussian" else sigma
        picture.show(
            points,
            point - 1,
            (intercept, slope),
            best,
            noise == "gaussian",
            (mine, here),
            (least, there) if best else None,
            lambda loss: level - loss / fall,
            (f"{symbol} = {mine:.2f}   (best {least:.2f})", theme.minus(f"{here:.2f}  (best {there:.2f})"))
            if best
            else (f"{symbol} = {mine:.2f}", theme.minus(f"{here:.2f}")),
        )
        behind = (
            "all points share one x, so no single line is best"
            if best is None
            else "no line does better"
            if mine - least < 1e-9 * (1 + least)
            else f"the best line, {_line(*best)}, has {least:.2f} and {there:.2f}: yours is {there - here:.2f} behind"
        )
        return (
            f"Line {_line(intercept, slope)}: {error} {mine:.2f}, log-likelihood {here:.2f} ({kind} noise, {letter} = "
            f"{sigma:.1f}); {behind}. Point {point} is at ({x[point - 1]:.1f}, {y[point - 1]:.1f})."
        )

    def drag(values, axes, start, at):
        if axes is not figure.axes[0]:
            return {}
        ends = values["intercept"] + values["slope"] * picture.HANDLES
        things = [*values["points"], *zip(picture.HANDLES, ends)]
        places = axes.transData.transform([start, *things])
        nearest = int(((places[1:] - places[0]) ** 2).sum(axis=1).argmin())
        move = np.subtract(at, start)
        if nearest < len(values["points"]):
            return _moved(values["points"], nearest, move)
        ends[nearest - len(values["points"])] += move[1]
        slope = round((ends[1] - ends[0]) / np.ptp(picture.HANDLES), 2)
        return {"slope": slope, "intercept": round(float(ends.mean() - slope * picture.HANDLES.mean()), 2)}

    def best_line(values):
        x, y = np.array(values["points"]).T
        return dict(zip(("intercept", "slope"), NOISE[values["noise"]][-1](x, y))) if len(set(x)) > 1 else {}

    def nudge(values, x, y):
        return _moved(values["points"], values["point"] - 1, (x / 2, y / 2))

    def lifted(height):
        return {"points": [[x, height if x == 2 else y] for x, y in POINTS], "point": 3, "noise": "gaussian"}

    lines = {
        "intercept": slider("intercept of the line", -6.0, 14.0, 1.0, step=0.1),
        "slope": slider("slope of the line", -4.0, 4.0, 1.0, step=0.1),
    }
    for each in lines.values():
        each.readout_format = ".2f"
    return LiveFigure(
        figure,
        picture,
        {
            "points": State(value=POINTS),
            **lines,
            "sigma": slider("noise size, σ or s", 0.5, 3.0, 1.0, step=0.1),
            "noise": choice("noise", [("Gaussian", "gaussian"), ("Laplace", "laplace")], "gaussian"),
            "point": choice("point for the keys", [1, 2, 3, 4, 5], 3),
        },
        show,
        presets={
            "y = 1 + x": {"points": POINTS, "intercept": 1.0, "slope": 1.0, "sigma": 1.0, "noise": "gaussian"},
            "twice the noise": {"points": POINTS, "intercept": 1.0, "slope": 1.0, "sigma": 2.0, "noise": "gaussian"},
            "middle point at 7": {**lifted(7.0), "intercept": 2.4, "slope": 0.8, "sigma": 1.0},
            "middle point at 10": {**lifted(10.0), "intercept": 3.0, "slope": 0.8, "sigma": 1.0},
        },
        actions={"take the best line": best_line},
        drag=drag,
        keys={
            **steer.four(nudge),
            **{str(number): lambda _, number=number: {"point": number} for number in range(1, 6)},
        },
        help="Drag a point or an end of the line. Keys 1 to 5 choose a point, arrows move the ringed one by half a unit.",
    )


UNITS = {2: "bits", math.e: "nats", 10: "decimal digits"}


def message_length():
    """The cancer test of section 01 as two messages: hypothesis, then result. The shorter one is the MAP hypothesis."""
    figure = theme.figure((0.03, 0.19, 0.94, 0.69), height=3.3)
    picture = plots.MessageLength(*figure.axes, ["sick", "healthy"])

    def show(sick, found, flagged, base):
        prior, positive = bayes.diagnosis(sick / 1000, found / 100, flagged / 100)
        total = likelihood.description_length(prior, positive, base)
        model, data = ({h: likelihood.code_length(part[h], base) for h in part} for part in (prior, positive))
        tie = math.isclose(*total.values())
        best = min(total, key=total.get)
        sums = {h: f"{model[h]:.3f} + {data[h]:.3f} = {total[h]:.3f}" for h in total}
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
        figure,
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
        },
        keys=steer.by("sick"),
        help="Left and right arrows change how many are sick.",
    )


def degree_bits():
    """Polynomials of degree 0 to 9 through 20 points: bits for model and data, and the error on fresh points."""
    figure = theme.figure((0.06, 0.17, 0.36, 0.8), (0.545, 0.46, 0.445, 0.43), (0.545, 0.17, 0.445, 0.24))
    at = np.linspace(-1.05, 1.25, 116)
    picture = plots.DegreeBits(*figure.axes, at, likelihood.cubic(at))
    degrees = range(10)

    def show(degree, seed):
        points, new = likelihood.cubic_sample(seed)
        model, data = np.array([likelihood.polynomial_description_length(*points, d) for d in degrees]).T
        fresh = np.array([likelihood.held_out_error(*points, d, *new) for d in degrees])
        picture.show(degree, points, (at, likelihood.polynomial_values(*points, degree, at)), model, data, fresh)
        total, n = model + data, len(points[0])
        best, least = int(total.argmin()), int(fresh.argmin())
        sse = n * 2 ** (2 * data[degree] / n)
        beyond = likelihood.polynomial_values(*points, degree, [1.2])[0]
        shortest = (
            "the shortest of degrees 0 to 9"
            if degree == best
            else f"against {total[best]:.1f} for degree {best}, the shortest"
        )
        return (
            f"Data set {seed}, degree {degree}: model {model[degree]:.1f} bits, data {data[degree]:.1f}, total "
            f"{total[degree]:.1f}, {shortest}. Squared error {sse:.3f} on the 20 points; error {fresh[degree]:.3f} on "
            f"fresh ones (least: {fresh[least]:.3f}, degree {least}). At x = 1.2 it says {beyond:.2f}, the truth is "
            f"{likelihood.cubic(1.2):.2f}."
        )

    return LiveFigure(
        figure,
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
    )


def three_uses():
    """One posterior over three coins, used in three ways to predict the next toss."""
    figure = theme.figure((0.09, 0.18, 0.29, 0.78), (0.51, 0.18, 0.47, 0.7))
    most = 10
    picture = plots.ThreeUses(*figure.axes, COINS, most)

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
        figure,
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
        drag=steer.drag("heads", figure.axes[1]),
        keys=steer.by("heads"),
        help="Drag the upright line; left and right arrows take a head away or add one.",
    )


def flat_prior():
    """A prior that is flat on θ and the belief after some tosses, over θ and over its log-odds."""
    figure = theme.figure((0.09, 0.18, 0.41, 0.7), (0.57, 0.18, 0.41, 0.7))
    theta = 1 / (1 + np.exp(-np.linspace(-9, 9, 361)))
    picture = plots.FlatPrior(*figure.axes, theta)

    def show(heads, tails):
        densities = {scale: likelihood.coin_density(theta, heads, tails, scale) for scale in ("chance", "log-odds")}
        peak = likelihood.bernoulli_ml(heads, tails) if heads + tails else None
        other = (heads + 1) / (heads + tails + 2)
        there = f"{peak:.3f}" if peak is not None else "none"
        picture.show(densities, {"chance": peak, "log-odds": other}, f"peaks: {there} and {other:.3f}")
        here = (
            f"over θ the belief peaks at θ = {there}"
            if peak is not None
            else "over θ the belief is flat and has no peak"
        )
        return (
            f"{heads} heads, {tails} tails, a prior flat on θ: {here}; over the log-odds the same belief peaks at "
            f"θ = {other:.3f}."
        )

    return LiveFigure(
        figure,
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
    )


def _moved(points, which, by):
    """The points with one of them moved, on a grid of tenths and inside the picture."""
    place = np.clip(np.round(np.add(points[which], by), 1), (0, 0), (4, 10)).tolist()
    return {"points": [place if number == which else each for number, each in enumerate(points)], "point": which + 1}


def _line(intercept, slope):
    """1.40 + 0.80 x, as a reader would write it."""
    return theme.minus(f"{intercept:.2f} {'−' if round(slope, 2) < 0 else '+'} {abs(slope):.2f} x")
