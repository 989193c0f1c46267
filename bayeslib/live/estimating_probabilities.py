"""The live figures of section 06, estimating probabilities."""

from math import floor

import numpy as np

from bayeslib import data
from bayeslib.figures import steer, user_data
from bayeslib.figures.controls import State, box, choice, menu, slider, stops
from bayeslib.figures.figure import LiveFigure
from bayeslib.models import estimates
from bayeslib.models.naive_bayes import NaiveBayes
from bayeslib.plots import estimating_probabilities as plots
from bayeslib.plots import theme

M = [0, 0.1, 0.2, 0.5, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100, 300, 1000]
THETA = np.linspace(0, 1, 401)
FEW = [0, 0.1, 0.25, 0.5, 1, 2, 3, 4, 5, 7, 10, 15, 20]  # virtual examples for a handful of real ones
MANY = [0, 1, 2, 5, 10, 20, 45, 100, 200, 400, 800, 1600]  # and for tens of them
LOWEST = -12  # where the curve of a log-likelihood is cut off
SELLERS = {"seller A, 4 of 4": (4, 4), "seller B, 95 of 100": (95, 100)}
SHARES = """seller, content, buyers
Anna's, 4, 4
Best Books, 95, 100
Corner, 18, 20
Depot, 430, 500
Elm Street, 9, 12
First Hand, 61, 64"""


def virtual_balls(n_c=3, n=5, p=50, m=2):
    """The m-estimate as balls: n real ones, m virtual ones, and the estimate between fraction and prior."""
    picture = plots.Balls(*theme.axes((0.01, 0.38, 0.98, 0.61), (0.03, 0.165, 0.94, 0.2)))

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
        drag=steer.drag("p", scale=100),
        within=[1],
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

    picture = plots.DayGrid(
        *theme.axes((0.01, 0.02, 0.67, 0.96), (0.755, 0.18, 0.215, 0.7)),
        (outlook, temperature),
        (humidity, wind),
        (play == "no").mean(),
    )

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
        drag=lambda values, axes, start, at: tile(floor(at[0]), floor(at[1])),
        within=[0],
        keys=steer.four(walk),
        help="Number and bar are P(no) in percent; a diamond marks a changed decision. Click a day or walk with the arrows.",
    )


MOST = 500  # observations that the Beta figure takes


def beta_flips(seen=""):
    """Belief about the share of strong days as they arrive one by one: a Beta density, its mean, mode and middle 90%."""
    picture = plots.BetaCurve(*theme.axes((0.06, 0.17, 0.6, 0.8), (0.69, 0.05, 0.3, 0.92)), THETA)

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
            f"Beta({after[0]:g}, {after[1]:g})\nmean {mean:.3f}, mode {peak}\n90%: {low:.2f} to {high:.2f}",
        )
        return (
            f"Prior Beta({a:g}, {b:g}); {strong} strong, {weak} weak: Beta({after[0]:g}, {after[1]:g}), mean {mean:.4f}, "
            f"{f'mode {mode:.4f}' if mode is not None else 'no single mode'}, 90% between {low:.3f} and {high:.3f}."
        )

    def more(days):
        return lambda values: {"seen": (values["seen"] + days)[:MOST]}

    flat = {"a": 1.0, "b": 1.0}
    return LiveFigure(
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
            "prior Beta(½, ½)": {"a": 0.5, "b": 0.5, "seen": ""},
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
    picture = plots.ErrorCurve(*theme.axes((0.115, 0.17, 0.865, 0.7)), THETA)

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
        best = "no m is too large" if p == theta else f"the best m is {estimates.best_m(theta / 100, p / 100):.3g}"
        return (
            f"n = {n}, m = {m:g}, p = {p / 100:g}: at θ = {theta / 100:g} the mean squared error is {errors[1]:.4f}, "
            f"and {errors[0]:.4f} with m = 0: {verdict}. For this θ and p {best}."
        )

    return LiveFigure(
        picture,
        {
            "n": slider("n: real examples", 1, 50, 5),
            "m": stops("m: virtual examples", [(f"{each:g}", each) for each in FEW], 2),
            "p": slider("p: prior, in percent", 1, 99, 50),
            "theta": slider("true θ, in percent", 0, 100, 50),
        },
        show,
        presets={
            "θ = 0.5": {"n": 5, "m": 2, "p": 50, "theta": 50},
            "θ = 0.05": {"n": 5, "m": 2, "p": 50, "theta": 5},
            "a quarter of one": {"n": 5, "m": 0.25, "p": 50, "theta": 5},
            "a better p": {"n": 5, "m": 2, "p": 10, "theta": 5},
            "m = √n": {"n": 16, "m": 4, "p": 50, "theta": 5},
            "much data": {"n": 50, "m": 2, "p": 50, "theta": 5},
        },
        drag=steer.drag("theta", scale=100),
        keys={**steer.by("theta"), **steer.along("m", FEW, keys=steer.UP)},
        help="Drag or use left and right arrows to move the true θ; up and down arrows change m.",
    )


def batting(m=0):
    """18 players: their first 45 at bats, m-estimates from those, and the rest of the season that these should predict."""
    table = data.load_batting_1970()
    names = table["player"].tolist()
    hits, tries, later_hits, later_tries = table.drop(columns="player").to_numpy().T
    first, later, pooled = hits / tries, later_hits / later_tries, hits.sum() / tries.sum()
    ms = np.union1d(MANY, np.geomspace(1, MANY[-1], 40))

    def error(estimate):
        return np.sqrt(np.mean((estimate - later) ** 2))

    def april(p, m):
        return estimates.log_beta_binomial(hits, tries, p, m).sum() if m else np.nan

    priors = {"0.265, the average of all": pooled, "0.5": 0.5}
    curves = {
        p: ([error(estimates.m_estimate(hits, tries, p, each)) for each in ms], [april(p, each) for each in ms])
        for p in priors.values()
    }
    picture = plots.Shrinkage(
        *theme.axes((0.1, 0.11, 0.48, 0.79), (0.685, 0.6, 0.29, 0.29), (0.685, 0.17, 0.29, 0.25)),
        names=["first 45", "estimate", "rest of 1970"],
        ms=ms,
    )
    picture.figure.axes[0].set_ylabel("hits per at bat")
    for axes, title in zip(picture.figure.axes[1:], ("error in the rest of 1970", "log-likelihood of the first 45")):
        axes.set_title(title, fontsize=theme.SMALL)

    def show(m, prior, player):
        p, place = priors[prior], names.index(player)
        estimate = estimates.m_estimate(hits, tries, p, m)
        gains = np.sign((np.abs(first - later) - np.abs(estimate - later)).round(12))
        mine = [stage[place] for stage in (first, estimate, later)]
        points = [(m, error(estimate)), (m, april(p, m))]
        limits = ((0.12, 0.45), (0.03, 0.07), (-75, -44)) if p == pooled else ((0.12, 0.54), (0, 0.25), (-150, -40))
        said = f"{player}: {mine[0]:.3f} → {mine[1]:.3f}, then {mine[2]:.3f}"
        picture.show((first, estimate, later), gains, p, place, said, curves[p], points, limits)
        who = ", ".join(name.split()[-1] for name, each in zip(names, gains) if each < 0) or "nobody"
        return (
            f"p = {p:.3f}, m = {m}: each start counts 45/{45 + m} = {45 / (45 + m):.3f}. Root mean squared error in the rest of "
            f"the season {error(estimate):.4f}; plain fractions {error(first):.4f}. Farther off than the fraction: {who}. "
            f"{said}."
        )

    label = next(iter(priors))
    return LiveFigure(
        picture,
        {
            "m": stops("m: virtual at bats", [(f"{each:g}", each) for each in MANY], m),
            "prior": choice("p", list(priors), label),
            "player": menu("chosen player", names, names[0]),
        },
        show,
        presets={
            "April's facts": {"m": 0, "prior": label},
            "half and half": {"m": 45, "prior": label},
            "m = 200": {"m": 200, "prior": label},
            "p = 0.5": {"m": 45, "prior": "0.5"},
            "Munson": {"m": 200, "prior": label, "player": "Thurman Munson"},
        },
        keys={**steer.along("m", MANY), **steer.around("player", names, keys=steer.DOWN)},
        help="Left and right arrows change m; up and down arrows choose a player.",
        main=("m",),
    )


def own_rates():
    """The reader's own shares, pulled towards their pooled share p by m virtual examples, and the likelihood of each m."""
    ms = np.geomspace(1, MANY[-1], 40)
    picture = plots.Shrinkage(
        *theme.axes((0.1, 0.11, 0.48, 0.79), (0.685, 0.17, 0.29, 0.7)), names=["fraction", "m-estimate"], ms=ms
    )
    picture.figure.axes[0].set(ylabel="share of hits")
    picture.figure.axes[1].set_title("log-likelihood − largest", fontsize=theme.SMALL)
    limits = (-0.03, 1.15), (LOWEST, 0.5)

    def show(text, m):
        names, hits, tries = _counts(text)
        p = hits.sum() / tries.sum()
        first, estimate = hits / tries, estimates.m_estimate(hits, tries, p, m)
        logs = estimates.log_beta_binomial(hits, tries, p, np.append(ms, m or 1)[:, None]).sum(axis=1)
        *curve, here = np.maximum(logs - logs[:-1].max(), LOWEST)
        best = ms[logs[:-1].argmax()]
        top = int(estimate.argmax())
        said = f"first by estimate: {names[top]} {estimate[top]:.3f}"
        picture.show((first, estimate), np.ones(len(hits)), p, top, said, [curve], [(m, here if m else np.nan)], limits)
        most = int(first.argmax())
        learned = (
            f"The likelihood is largest near m = {best:.3g}."
            if len(hits) >= 5
            else "With fewer than 5 rows m cannot be learned from them."
        )
        return (
            f"p = {p:.3f} from all rows, m = {m}. First by fraction: {names[most]} with {hits[most]:g} of {tries[most]:g}, "
            f"{first[most]:.3f}; {said}. {learned}"
        )

    return LiveFigure(
        picture,
        {
            "text": box("name, hits, tries", SHARES, lines=3, file=True),
            "m": stops("m: virtual examples", [(f"{each:g}", each) for each in MANY], 10),
        },
        show,
        presets={"six sellers": {"text": SHARES, "m": 10}, "plain fractions": {"m": 0}},
        keys=steer.along("m", MANY),
        help="Left and right arrows change m.",
        main=("m",),
    )


def _counts(text):
    """Names, hits and tries of the reader's table."""
    table = user_data.table(text, most_rows=plots.Shrinkage.MOST)
    if len(table.columns) != 3:
        raise ValueError(f"your table must have 3 columns, name, hits and tries, got {len(table.columns)}")
    hits, tries = (np.array(user_data.number_column(table, name, low=0, high=1e6)) for name in table.columns[1:])
    if (tries < 1).any() or (hits > tries).any():
        raise ValueError("your table must have at least 1 try and at most as many hits as tries in every row")
    if not 0 < hits.sum() < tries.sum():
        raise ValueError("your table must have at least one hit and one miss in all, else there is nothing to pull")
    return [user_data.plain(name, 16) for name in table.iloc[:, 0]], hits, tries


def two_sellers(m=2, p=50):
    """The estimates of two sellers over the prior p that both share, and where the lead changes."""
    grid = np.linspace(0, 1, 101)
    picture = plots.TwoSellers(*theme.axes((0.09, 0.17, 0.89, 0.71)), SELLERS, grid)
    (a, of_a), (b, of_b) = SELLERS.values()

    def show(m, p):
        both = [estimates.m_estimate(hits, n, p / 100, m) for hits, n in SELLERS.values()]
        curves = [estimates.m_estimate(hits, n, grid, m) for hits, n in SELLERS.values()]
        swap = (b * (of_a + m) - a * (of_b + m)) / (m * (of_b - of_a)) if m else -1
        cross = (swap, estimates.m_estimate(a, of_a, swap, m)) if 0 < swap < 1 else None
        leads = "A leads" if both[0] > both[1] else "B leads"
        picture.show(p / 100, curves, both, cross, f"A {both[0]:.3f}, B {both[1]:.3f}: {leads}")
        sums = [f"({hits} + {m * p / 100:.4g})/({n} + {m:g})" for hits, n in SELLERS.values()]
        when = f"A leads for every p above {swap:.3f}" if cross else "A leads for every p"
        return f"p = {p / 100:g}, m = {m:g}: A {sums[0]} = {both[0]:.3f}, B {sums[1]} = {both[1]:.3f}: {leads}. With this m {when}."

    return LiveFigure(
        picture,
        {
            "p": slider("p: prior, in percent", 0, 100, p),
            "m": stops("m: virtual buyers", [(f"{each:g}", each) for each in M if each <= 100], m),
        },
        show,
        presets={
            "p = 0.5": {"p": 50, "m": 2},
            "p = 0.8": {"p": 80, "m": 2},
            "p = 0.95": {"p": 95, "m": 2},
            "p = 0.95, m = 50": {"p": 95, "m": 50},
        },
        drag=steer.drag("p", scale=100),
        keys={**steer.by("p"), **steer.along("m", [each for each in M if each <= 100], keys=steer.UP)},
        help="Drag or use left and right arrows to move p; up and down arrows change m.",
        main=("p", "m"),
    )
