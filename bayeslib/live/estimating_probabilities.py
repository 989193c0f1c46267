"""The live figures of section 06, estimating probabilities."""

from math import floor

import numpy as np

from bayeslib import data, estimates
from bayeslib.live import steer
from bayeslib.live.controls import State, menu, slider, stops
from bayeslib.live.figure import LiveFigure
from bayeslib.naive_bayes import NaiveBayes
from bayeslib.plots import estimating_probabilities as plots
from bayeslib.plots import theme

M = [0, 0.1, 0.2, 0.5, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100, 300, 1000]
THETA = np.linspace(0, 1, 401)


def virtual_balls(n_c=3, n=5, p=50, m=2):
    """The m-estimate as balls: n real ones, m virtual ones, and the estimate between fraction and prior."""
    figure = theme.figure((0.01, 0.38, 0.98, 0.61), (0.03, 0.165, 0.94, 0.2))
    picture = plots.Balls(*figure.axes)

    def show(n_c, n, p, m):
        estimate = estimates.m_estimate(n_c, n, p / 100, m)
        hits = m * p / 100
        picture.show(n_c, n, p / 100, m, estimate)
        why = (
            "No real example, so the estimate is the prior p."
            if n == 0
            else "No virtual example, so the estimate is the plain fraction."
            if m == 0
            else f"The data weighs n/(n + m) = {n / (n + m):.3f}, the prior {m / (n + m):.3f}."
        )
        return (
            f"{n_c} of {n} real and {hits:.4g} of {m:g} virtual examples are hits: estimate "
            f"({n_c} + {hits:.4g}) / ({n} + {m:g}) = {estimate:.4f}. {why}"
        )

    return LiveFigure(
        figure,
        picture,
        {
            "n_c": slider("n_c: hits among them", 0, 100, n_c),
            "n": slider("n: real examples", 0, 100, n),
            "p": slider("p: prior, in percent", 1, 99, p),
            "m": stops("m: virtual examples", [(f"{each:g}", each) for each in M if each <= 100], m),
        },
        show,
        presets={
            "strong, given no": {"n_c": 3, "n": 5, "p": 50, "m": 2},
            "seller A": {"n_c": 4, "n": 4, "p": 50, "m": 2},
            "seller B": {"n_c": 95, "n": 100, "p": 50, "m": 2},
            "never seen": {"n_c": 0, "n": 5, "p": 33, "m": 3},
            "no data": {"n_c": 0, "n": 0, "p": 50, "m": 2},
        },
        drag=steer.drag("p", figure.axes[1], 100),
        keys=steer.along("m", [each for each in M if each <= 100]),
        help="Left and right arrows take away and add virtual examples; drag along the line to move the prior.",
    )


def smoothed_days(m=0, day="overcast, cool, high, strong"):
    """Naive Bayes over all 36 days of PlayTennis as m grows: what every day is given, and which decisions change."""
    table = data.load_play_tennis()
    days, play = table.drop(columns="PlayTennis"), table["PlayTennis"]
    outlook, temperature, humidity, wind = domains = [list(dict.fromkeys(days[name])) for name in days]
    tiles = [[o, t, h, w] for h in humidity for w in wind for o in outlook for t in temperature]
    names, wide = [", ".join(tile) for tile in tiles], len(outlook) * len(temperature)
    ms = np.union1d(M, np.geomspace(0.1, 1000, 41))
    models = {each: NaiveBayes(m=each, domains=dict(zip(days, domains))).fit(days, play) for each in ms.tolist()}
    no = models[0].classes_.tolist().index("no")
    chances = {each: model.predict_proba(tiles)[:, no] for each, model in models.items()}
    traces = np.array(list(chances.values()))

    figure = theme.figure((0.01, 0.02, 0.67, 0.96), (0.755, 0.18, 0.215, 0.7))
    picture = plots.DayGrid(*figure.axes, (outlook, temperature), (humidity, wind), (play == "no").mean())

    def show(m, day):
        place, p_no = names.index(day), chances[m]
        changed = (p_no > 0.5) != (chances[0] > 0.5)
        so_far = ms <= m
        picture.show(p_no, changed, place, ms[so_far], traces[so_far, place])
        factors = models[m].explain(dict(zip(days, tiles[place])))
        scores = [
            f"{each} {' × '.join(f'{factor[each]:.3g}' for factor in factors.values())} = "
            f"{np.prod([factor[each] for factor in factors.values()]):.3g}"
            for each in ("yes", "no")
        ]
        so = (
            f"{changed.sum()} of 36 decisions differ from those at m = 0."
            if m
            else f"{(p_no == 0).sum()} of 36 days are vetoed by a zero."
        )
        return f"m = {m:g}: {day} has P(no) = {p_no[place]:.4f} ({'; '.join(scores)}). {so}"

    def tile(x, y):
        x, y = np.clip(x, 0, wide - 1), np.clip(y, 0, len(tiles) // wide - 1)
        return {"day": names[int(y) * wide + int(x)]}

    def walk(values, x, y):
        row, column = divmod(names.index(values["day"]), wide)
        return tile(column + x, row - y)

    return LiveFigure(
        figure,
        picture,
        {
            "m": stops("m: virtual examples", [(f"{each:g}", each) for each in M], m),
            "day": menu("framed day", names, day),
        },
        show,
        presets={
            "no smoothing": {"m": 0, "day": "overcast, cool, high, strong"},
            "m = 1": {"m": 1, "day": "overcast, cool, high, strong"},
            "m = 3": {"m": 3, "day": "overcast, cool, high, strong"},
            "too much": {"m": 30, "day": "sunny, cool, high, strong"},
        },
        drag=lambda values, axes, start, at: tile(floor(at[0]), floor(at[1])) if axes is figure.axes[0] else {},
        keys=steer.four(walk),
        help="Number and bar are P(no) in percent; a diamond marks a changed decision. Click a day or walk with the arrows.",
    )


MOST = 500  # observations that the Beta figure takes


def beta_flips(seen=""):
    """Belief about the share of strong days as they arrive one by one: a Beta density, its mean, mode and middle 90%."""
    figure = theme.figure((0.06, 0.17, 0.6, 0.8), (0.69, 0.05, 0.3, 0.92))
    picture = plots.BetaCurve(*figure.axes, THETA)

    def show(a, b, seen):
        strong, weak = seen.count("S"), seen.count("W")
        after = estimates.beta_posterior(a, b, strong, weak)
        mean, (low, high) = estimates.beta_mean(*after), estimates.beta_interval(*after)
        try:
            mode = estimates.beta_mode(*after)
            peak = f"{mode:.3f}"
        except ValueError:
            mode, peak = None, "none"
        densities = [estimates.beta_density(THETA, *each) for each in ((a, b), after)]
        picture.show(
            *densities,
            mean,
            mode,
            (low, high),
            f"{strong} strong, {weak} weak",
            f"Beta({after[0]:g}, {after[1]:g})\n▲ mean {mean:.3f}\n● mode {peak}\n90%: {low:.2f} to {high:.2f}",
        )
        return (
            f"Prior Beta({a:g}, {b:g}); {strong} strong, {weak} weak: Beta({after[0]:g}, {after[1]:g}), mean {mean:.4f}, "
            f"{f'mode {mode:.4f}' if mode is not None else 'no single mode'}, 90% between {low:.3f} and {high:.3f}."
        )

    def more(days):
        return lambda values: {"seen": (values["seen"] + days)[:MOST]}

    flat = {"a": 1.0, "b": 1.0}
    return LiveFigure(
        figure,
        picture,
        {
            "a": slider("prior a, for strong", 0.5, 20.0, 1.0, step=0.5),
            "b": slider("prior b, for weak", 0.5, 20.0, 1.0, step=0.5),
            "seen": State(value=seen),
        },
        show,
        presets={
            "nothing seen": {**flat, "seen": ""},
            "3 of 5": {**flat, "seen": "SSSWW"},
            "30 of 50": {**flat, "seen": "SSSWW" * 10},
            "300 of 500": {**flat, "seen": "SSSWW" * 100},
            "5 of 5": {**flat, "seen": "SSSSS"},
            "prior Beta(2, 2), 3 of 5": {"a": 2.0, "b": 2.0, "seen": "SSSWW"},
        },
        actions={
            "add strong": more("S"),
            "add weak": more("W"),
            "ten more, 6 strong": more("SSSWW" * 2),
            "undo": lambda values: {"seen": values["seen"][:-1]},
        },
        keys={
            "ArrowUp": more("S"),
            "ArrowDown": more("W"),
            "ArrowLeft": lambda values: {"seen": values["seen"][:-1]},
        },
        help="Up arrow adds a strong day, down arrow a weak one, left arrow takes the last one back.",
    )


def smoothing_error():
    """Mean squared error of the estimate over the true probability, with and without virtual examples."""
    figure = theme.figure((0.115, 0.17, 0.865, 0.7))
    picture = plots.ErrorCurve(*figure.axes, THETA)

    def show(n, m, p, theta):
        errors = [estimates.squared_error(theta / 100, n, p / 100, each) for each in (0, m)]
        curves = [estimates.squared_error(THETA, n, p / 100, each) for each in (0, m)]
        span = estimates.smoothing_helps(n, p / 100, m) if m else (np.nan, np.nan)
        picture.show(*curves, span, theta / 100, errors)
        verdict = (
            f"smoothing {'helps' if errors[1] < errors[0] else 'hurts'}. "
            f"It helps for θ between {span[0]:.3f} and {span[1]:.3f}"
            if m
            else "no smoothing, one curve"
        )
        return (
            f"n = {n}, m = {m}, p = {p / 100:g}: at θ = {theta / 100:g} the mean squared error is {errors[1]:.4f}, "
            f"and {errors[0]:.4f} with m = 0: {verdict}."
        )

    return LiveFigure(
        figure,
        picture,
        {
            "n": slider("n: real examples", 1, 50, 5),
            "m": slider("m: virtual examples", 0, 20, 2),
            "p": slider("p: prior, in percent", 1, 99, 50),
            "theta": slider("true θ, in percent", 0, 100, 50),
        },
        show,
        presets={
            "θ = 0.5": {"n": 5, "m": 2, "p": 50, "theta": 50},
            "θ = 0.05": {"n": 5, "m": 2, "p": 50, "theta": 5},
            "a better p": {"n": 5, "m": 2, "p": 10, "theta": 5},
            "m = √n": {"n": 16, "m": 4, "p": 50, "theta": 5},
            "much data": {"n": 50, "m": 2, "p": 50, "theta": 5},
        },
        drag=steer.drag("theta", scale=100),
        keys={**steer.by("theta"), **steer.by("m", keys=steer.UP)},
        help="Drag or use left and right arrows to move the true θ; up and down arrows change m.",
    )
