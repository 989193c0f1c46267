"""The live figures of section 10, k-means and EM."""

from functools import cache, lru_cache
from itertools import zip_longest

import numpy as np

from bayeslib import data
from bayeslib.live import steer, user_data
from bayeslib.live.controls import State, box, choice, menu, slider, stops
from bayeslib.live.figure import LiveFigure, Player
from bayeslib.models import mixtures
from bayeslib.models.mixtures import GaussianMixture, KMeans
from bayeslib.plots import k_means_and_em as plots
from bayeslib.plots import theme

MODELS = {
    "σ = 1 known": ("known", "equal"),
    "σ = 1 known, weights learned": ("known", "learned"),
    "round: σ and weights learned": ("round", "learned"),
    "full: ellipses and weights learned": ("full", "learned"),
}
KNOWN, _, ROUND, FULL = MODELS
LIMITS = {"broad and tight": (-6.5, 7.5), "cigars": (-9.5, 9.5), "three blobs": (-8.0, 6.0)}
CELLS = 110  # of the grid on which the border between components is looked for
SIGMAS = [0.05, 0.2, 0.5, 0.8, 1.0, 1.3, 1.6, 1.8, 1.9, 1.95, 2.0, 2.05, 2.1, 2.5]


@cache
def _plane(name):
    """(points, the component that each came from)."""
    table = getattr(data, f"load_{name.replace(' ', '_')}")()
    return table[["x", "y"]].to_numpy(), table["component"].to_numpy()


# On the line


def _two_means(x, mu1, mu2, sigma=1.0):
    """The history of EM for two Gaussians of known width."""
    options = {"sigma": sigma, "start": [mu1, mu2], "tol": 1e-7, "max_iter": 300}
    return GaussianMixture(2, "known", "equal", **options).fit(x).history_


def two_means():
    """Figure 6.4 on the line: two Gaussians of known width and their sum, points as pies of their shares, E and M steps."""
    points = data.load_line()["x"].to_numpy()
    picture = plots.TwoBells(*theme.axes((0.02, 0.17, 0.76, 0.82), (0.84, 0.17, 0.15, 0.66)), points)

    def history(mu1, mu2, sigma):
        return _two_means(points, mu1, mu2, sigma)

    def show(history, step, mu1, mu2, sigma, x):
        now = history[step]
        means = now.means.ravel()
        share, _ = mixtures.e_step(np.array([[x]]), *now[1:4])
        powers = " and ".join(_exponent((x - mean) / sigma) for mean in means)
        where = f"({means[0]:.3f}, {means[1]:.3f})"
        if now.kind == "E":
            counts = now.responsibilities.sum(axis=0)
            does = f"E step at μ = {where}: each point is shared out, N = {counts[0]:.3f} and {counts[1]:.3f}"
            asks = f"x = {x:.1f} has exponents {powers}, so its share of Gaussian 1 is {_share(share[0, 0])}"
            words = f"E step at μ = {means[0]:.3f} and {means[1]:.3f}"
        elif now.kind == "M":
            does = f"M step: each mean moves to the average of the points, each counted by its share, μ = {where}"
            asks = (
                f"x = {x:.1f} has exponents {powers}, so at the next E step its share of Gaussian 1 will be "
                f"{_share(share[0, 0])}"
            )
            words = f"M step to μ = {means[0]:.3f} and {means[1]:.3f}"
        else:
            does = f"Two guesses, μ = {where}; nothing is shared out yet"
            asks = f"The white triangle is at x = {x:.1f}"
            words = f"two guesses: μ = {means[0]:.1f} and {means[1]:.1f}"
        before = history[step - 1].means.ravel() if now.kind == "M" else None
        picture.show(means, sigma, now.responsibilities, before, x, theme.minus(words))
        return f"Step {step} of {len(history) - 1}, σ = {sigma:g}. {does}. {asks}."

    def drag(values, axes, start, at):
        if abs(start[1]) > 1:
            return {}
        near = min(("mu1", "mu2", "x"), key=lambda name: abs(values[name] - start[0]) + 0.1 * (name == "x"))
        low, high = (-3.0, 11.0) if near == "x" else (-2.0, 10.0)
        return {near: round(float(np.clip(at[0], low, high)), 1), **({} if near == "x" else {"step": 0})}

    return Player(
        picture,
        {
            "mu1": slider("start of mean 1", -2.0, 10.0, 3.0, step=0.1),
            "mu2": slider("start of mean 2", -2.0, 10.0, 4.0, step=0.1),
            "sigma": stops("σ, known", [(f"{each:g}", each) for each in SIGMAS], 1.0),
            "x": slider("ask about the point", -3.0, 11.0, 3.4, step=0.1),
        },
        history=history,
        show=show,
        presets={
            "the lesson's start": {"mu1": 3.0, "mu2": 4.0, "sigma": 1.0, "x": 3.4, "step": 1},
            "tiny σ: hard": {"mu1": 3.0, "mu2": 4.0, "sigma": 0.05, "x": 3.4, "step": 1},
            "σ too large": {"mu1": 3.0, "mu2": 4.0, "sigma": 2.1, "step": len(history(3.0, 4.0, 2.1)) - 1},
            "equal starts": {"mu1": 4.0, "mu2": 4.0, "sigma": 1.0, "step": 2},
            "swapped": {"mu1": 4.0, "mu2": 3.0, "sigma": 1.0},
        },
        drag=drag,
        within=[0],
        help="Drag a mean or the small triangle; left and right arrows step, Space plays and pauses.",
    )


def _exponent(away):
    return f"−{0.5 * away**2:.4g}"


def _share(share):
    """Three decimals, but never 1 for what is not certain."""
    if 0.0005 <= share <= 0.9995 or share == 1:
        return f"{share:.3f}"
    return f"{share:.2g}" if share < 0.5 else f"1 − {1 - share:.2g}"


def em_bound():
    """The lower bound: the E step makes it touch the log-likelihood, the M step walks to its top."""
    picture = plots.Bound(*theme.axes((0.075, 0.18, 0.915, 0.8)))
    t, x = np.linspace(-0.5, 2, 251), data.load_line()["x"].to_numpy()

    def history(mu1, mu2):
        """(h, h', the M step between them, ℓ at both) of each iteration that still gains something, for its E and M step."""
        steps = [step for step in _two_means(x, mu1, mu2) if step.kind == "M"]
        means = [np.array([mu1, mu2]), *(step.means.ravel() for step in steps)]
        climbs = mixtures.log_likelihood(np.array(means), x)
        found = [each for each in zip(means, means[1:], steps, climbs, climbs[1:]) if each[4] - each[3] > 1e-3]
        if not found:
            raise ValueError("the start must not be a point where EM stands still, such as two equal means at 3.9")
        return [each for each in found[:6] for _ in "EM"]

    def show(history, step, mu1, mu2):
        h, new, after, here, there = history[step]
        along = h + t[:, None] * (new - h)
        curve, q = mixtures.log_likelihood(along, x), mixtures.Q(along, h, x)
        uncertainty = mixtures.entropy(after.responsibilities)
        bound = q + uncertainty
        top, gain = after.bound, there - here
        best = int(curve.argmax())
        labels = {
            "touch": theme.minus(f"touch: {here:.3f}"),
            "top": theme.minus(f"top {top:.3f}"),
            "reached": theme.minus(f"ℓ is now {there:.3f}"),
        }
        picture.show(
            t, (curve - here) / gain, (bound - here) / gain, (t[best], (curve[best] - here) / gain), step % 2, labels
        )
        where = f"Iteration {step // 2 + 1}, h = ({h[0]:.3f}, {h[1]:.3f})"
        if step % 2 == 0:
            return (
                f"{where}. E step: the bound touches the log-likelihood at {here:.3f}, and nowhere is it above. It is "
                f"Q = {mixtures.Q(h, h, x):.3f} and the shares' entropy, {uncertainty:.3f}."
            )
        return (
            f"{where}. M step: h′ = ({new[0]:.3f}, {new[1]:.3f}) is the top of the bound, {top:.3f}. There the log-likelihood is "
            f"{there:.3f}, higher by a gap of {there - top:.3f}; it rose by {gain:.3f}, the bound by {top - here:.3f}. "
            + (
                f"On this line its own top, {curve[best]:.3f}, is at t = {t[best]:.2f}."
                if best < len(t) - 1
                else f"On this line it is still rising at t = {t[best]:g}."
            )
        )

    return Player(
        picture,
        {
            "mu1": slider("start of mean 1", 0.0, 8.0, 3.0, step=0.1),
            "mu2": slider("start of mean 2", 0.0, 8.0, 4.0, step=0.1),
        },
        history=history,
        show=show,
        step=1,
        interval=2500,
        presets={
            "the lesson's start": {"mu1": 3.0, "mu2": 4.0, "step": 1},
            "a wild start": {"mu1": 0.0, "mu2": 1.0, "step": 1},
            "nearly equal": {"mu1": 4.0, "mu2": 4.1, "step": 1},
        },
    )


def em_surfaces():
    """The log-likelihood and Q(h'|h) as two hills over the means; the path of EM, and an h that can be dragged."""
    grid, x = np.linspace(0, 8, 81), data.load_line()["x"].to_numpy()
    surface = mixtures.log_likelihood(np.stack(np.meshgrid(grid, grid, indexing="ij"), axis=-1), x)
    picture = plots.Surfaces(*theme.axes((0.08, 0.2, 0.4, 0.71), (0.56, 0.2, 0.4, 0.71), height=4.15), grid, surface)

    def history(mu1, mu2):
        """The means and the shares of each E step."""
        return [(each.means.ravel(), each.responsibilities) for each in _two_means(x, mu1, mu2) if each.kind == "E"]

    def show(history, step, mu1, mu2):
        (h, shares), (end, _) = history[step], history[-1]
        count = shares.sum(axis=0)
        new = x @ shares / count
        picture.show(np.array([means for means, _ in history[: step + 1]]), h, new, 1.0, count)
        q, top = mixtures.Q(h, h, x), mixtures.Q(new, h, x)
        stuck = abs(end[0] - end[1]) < 1e-3
        return (
            f"Step {step} of {len(history) - 1}: h = ({h[0]:.3f}, {h[1]:.3f}), ln L = {mixtures.log_likelihood(h, x):.3f}. "
            f"Q(h|h) = {q:.3f}; its one top is {top:.3f} at h′ = ({new[0]:.3f}, {new[1]:.3f}), narrower where N is larger: "
            f"N = {count[0]:.2f} and {count[1]:.2f}. This path ends at ({end[0]:.3f}, {end[1]:.3f})"
            f"{', on the saddle between the two tops' if stuck else ', one of the two equal tops'}."
        )

    def drag(values, axes, start, at):
        a, b = np.clip(np.round(at, 1), 0, 8).tolist()
        return {"mu1": a, "mu2": b, "step": 0}

    return Player(
        picture,
        {
            "mu1": slider("start of mean 1", 0.0, 8.0, 3.0, step=0.1),
            "mu2": slider("start of mean 2", 0.0, 8.0, 4.0, step=0.1),
        },
        history=history,
        show=show,
        interval=1500,
        presets={
            "the lesson's start": {"mu1": 3.0, "mu2": 4.0, "step": 0},
            "swapped": {"mu1": 4.0, "mu2": 3.0, "step": 0},
            "on the diagonal": {"mu1": 6.0, "mu2": 6.0, "step": 0},
            "a corner": {"mu1": 0.0, "mu2": 1.0, "step": 0},
        },
        drag=drag,
        help="Drag h in either picture; left and right arrows step, Space plays and pauses.",
    )


# In the plane


SCENES = {
    "broad and tight": ("broad and tight", [[-2.0, 3.0], [1.0, -3.0]], ROUND),
    "onto the outlier": ("broad and tight", [[2.0, -2.0], [4.0, -4.0]], ROUND),
    "cigars, true means": ("cigars", [[0.0, 1.3], [0.0, -1.3]], FULL),
    "cigars, crossways": ("cigars", [[-3.0, 0.0], [3.0, 0.0]], FULL),
    "three blobs": ("three blobs", [[-5.0, 1.0], [3.0, 1.0], [3.0, -1.0]], KNOWN),
    "a bad start": ("three blobs", [[-5.0, 1.0], [-5.0, -1.0], [3.0, 0.0]], KNOWN),
}


def kmeans_and_em():
    """k-means and EM side by side on the same points from the same starting means, which can be dragged."""
    boxes = [(0.044, 0.13, 0.35, 0.79), (0.423, 0.13, 0.35, 0.79), (0.808, 0.58, 0.18, 0.33), (0.808, 0.18, 0.18, 0.32)]
    picture = plots.SideBySide(*theme.axes(*boxes, width=9.2, height=4.05))
    grids = {name: _grid(limits) for name, limits in LIMITS.items()}

    def history(data, model, means):
        """The steps of k-means beside those of EM, None where one has stopped, and a warning at the end."""
        X, (covariance, weights) = _plane(data)[0], MODELS[model]
        hard = KMeans(len(means), start=means, max_iter=100).fit(X)
        options = {"sigma": 1.0, "start": means, "tol": 1e-6, "max_iter": 100}
        soft = GaussianMixture(len(means), covariance, weights, **options).fit(X)
        steps = list(zip_longest(hard.history_, soft.history_))
        return [(*each, "") for each in steps[:-1]] + [(*steps[-1], _warning(soft, hard))]

    def show(history, step, data, model, means, truth, asked):
        (X, component), grid = _plane(data), grids[data]
        hard, soft, _ = ([each for each in steps if each is not None] for steps in zip(*history))
        left, right, warning = hard[: step + 1], soft[: step + 1], history[step][2]
        now, then = left[-1], right[-1]
        begun = {"X": X, "limits": LIMITS[data], "start": np.array(means), "asked": asked}
        mine = {**begun, "means": now.means, "trail": [each.means for each in left]}
        yours = {**begun, "means": then.means, "trail": [each.means for each in right], "covariances": then.covariances}
        if now.labels is not None:
            mine["shares"] = np.eye(len(means))[now.labels]
            mine["scores"] = -np.square(grid - now.means[:, None]).sum(axis=2).reshape(-1, CELLS, CELLS)
        if then.responsibilities is not None:
            yours["shares"] = then.responsibilities
            yours["scores"] = mixtures.log_joint(grid, *then[1:4]).T.reshape(-1, CELLS, CELLS)
        says = ""
        if truth and step:
            mine["wrong"] = _wrong(now.labels, component)
            yours["wrong"] = _wrong(then.responsibilities.argmax(axis=1), component)
            says = (
                f" Wrong against the hidden truth: k-means {len(mine['wrong'])}, EM {len(yours['wrong'])} of {len(X)}."
            )
        elif truth:
            says = " The hidden truth is shown once points have been given out."
        if asked and step:
            place = np.array([asked])
            share = mixtures.e_step(place, *then[1:4])[0][0]
            says += (
                f" The star at {_places(place)} is nearest to mean {mixtures.nearest(place, now.means)[0] + 1} of k-means; "
                f"its shares are {_list(share, '.3f')}."
            )
        elif asked:
            says += f" The star is at {_places([asked])}."
        lines = [theme.minus(_hard_line(left)), theme.minus(_soft_line(right, X))]
        costs, climbs = [each.cost for each in hard[1:]], [each.log_likelihood for each in soft]
        seen = climbs[2:] or climbs
        low = None if then.bound is None else float(_scaled([then.bound], seen)[0])
        picture.show(
            mine,
            yours,
            _short(left, right),
            curves=[_scaled(costs, costs), _scaled(climbs, seen)],
            at=[max(len(left) - 2, 0), len(right) - 1],
            values=[f"{now.cost:.1f}" if step else "", theme.minus(f"{then.log_likelihood:.1f}")],
            bound=low,
        )
        ends = f" Log-likelihood {then.log_likelihood:.2f}.{theme.minus(says)}{warning}"
        return f"Step {step} of {len(history) - 1}. {lines[0]}\n{lines[1]}{ends}"

    def drag(values, axes, start, at):
        low, high = LIMITS[values["data"]]
        near = int(np.square(np.array(values["means"]) - start).sum(axis=1).argmin())
        place = np.clip(np.round(at, 1), low + 0.5, high - 0.5).tolist()
        return {"means": [place if j == near else mean for j, mean in enumerate(values["means"])]}

    def nudge(which):
        def move(values, x, y):
            low, high = LIMITS[values["data"]]
            moved = np.add(values["means"][which], (x / 10, y / 10))
            means = list(values["means"])
            means[which] = np.clip(np.round(moved, 1), low + 0.5, high - 0.5).tolist()
            return {"means": means}

        return move

    def more(values):
        places = [[4.0, 4.0], [-4.0, -4.0], [4.0, -4.0], [-4.0, 4.0], [0.0, 0.0]]
        free = [place for place in places if place not in values["means"]]
        return {"means": [*values["means"], free[0]]} if len(values["means"]) < plots.MOST else {}

    def fewer(values):
        return {"means": values["means"][:-1]} if len(values["means"]) > 1 else {}

    first, *_ = SCENES.values()
    return Player(
        picture,
        {
            "data": menu("points", list(LIMITS), first[0]),
            "model": menu("what EM learns", list(MODELS), first[2]),
            "means": State(value=first[1]),
            "truth": choice("hidden truth", [("hide", False), ("show", True)], False),
            "asked": State(value=None),
        },
        history=history,
        show=show,
        interval=1100,
        presets={
            label: {"data": points, "means": means, "model": model, "step": 0, "asked": None}
            for label, (points, means, model) in SCENES.items()
        },
        actions={"add a mean": more, "drop a mean": fewer},
        drag=drag,
        within=[0, 1],
        keys={**steer.four(nudge(0), "adsw"), **steer.four(nudge(-1), "jlki")},
        help="Drag a cross to start elsewhere (keys: a d w s move the first, j l i k the last); arrows step, Space plays.",
    )


def _grid(limits):
    cells = np.linspace(*limits, CELLS)
    return np.stack(np.meshgrid(cells, cells), axis=-1).reshape(-1, 2)


def _scaled(values, seen):
    """Heights between 0 and 1; what lies below those that should be seen is drawn just outside."""
    low, high = min(seen), max(seen)
    return np.clip((np.array(values) - low) / (high - low or 1), -0.08, 1)


def _wrong(labels, component):
    """The points that are not with most of their own: each component is named after the majority in it."""
    named = {j: np.bincount(component[labels == j]).argmax() for j in np.unique(labels)}
    return np.flatnonzero(np.array([named[j] for j in labels]) != component).tolist()


def _short(left, right):
    """What the step did, short enough to stand over a panel."""
    hard, soft = left[-1], right[-1]
    moved = {"start": "start", "move": "the means move", "assign": f"{hard.changed} change side"}[hard.kind]
    undecided = 0 if soft.kind == "start" else int((soft.responsibilities.max(axis=1) < 0.9).sum())
    weighed = {"start": "start", "M": "M: the means move", "E": f"E: {undecided} undecided"}[soft.kind]
    return ["stopped" if hard.kind == "assign" and not hard.changed else moved, weighed]


def _hard_line(history):
    now = history[-1]
    if now.kind == "start":
        return f"k-means, start: {len(now.means)} guesses, {_places(now.means)}. Nothing is decided yet."
    counts = _list(np.bincount(now.labels, minlength=len(now.means)))
    if now.kind == "move":
        return f"k-means, move: each mean to the average of its points, {_places(now.means)}. Cost {now.cost:.1f}."
    if now.changed == 0:
        return f"k-means has stopped: no point changes side, {counts} points. Cost {now.cost:.1f}."
    if len(history) == 2:
        return f"k-means, assign: each point joins its nearest mean, {counts} points. Cost {now.cost:.1f}."
    changes = "1 point changes side" if now.changed == 1 else f"{now.changed} points change side"
    return f"k-means, assign: {changes}, {counts} points. Cost {now.cost:.1f}."


def _soft_line(history, X):
    now, few = history[-1], len(history[-1].means) < 3
    if now.kind == "start":
        return "EM, start: the same guesses, σ = 1, equal weights."
    if now.kind == "M":
        rest = f"; σ {_widths(now.covariances)}; weights {_list(now.weights, '.2f')}" if few else ""
        return f"EM, M step: weighted averages {_places(now.means)}{rest}."
    shares = now.responsibilities
    point, undecided = int(shares.max(axis=1).argmin()), int((shares.max(axis=1) < 0.9).sum())
    densities = np.exp(mixtures.log_joint(X[[point]], *now[1:4])[0])
    why = f"weight × density {_list(densities, '.2g')}, " if few else ""
    return (
        f"EM, E step: point {_places(X[[point]])} has {why}shares {_list(shares[point], '.2f')}. "
        f"N = {_list(shares.sum(axis=0), '.1f')}; {undecided} undecided."
    )


def _warning(soft, hard):
    collapsed = (
        f" Component {_list([j + 1 for j in soft.collapsed_])} has collapsed onto its points."
        if soft.collapsed_
        else ""
    )
    empty = f" Mean {_list([j + 1 for j in hard.empty_])} of k-means has no point." if hard.empty_ else ""
    return collapsed + empty


def _places(means):
    return ", ".join(f"({x + 0:.1f}, {y + 0:.1f})" for x, y in np.round(means, 1))


def _widths(covariances):
    """σ of each component: one number for a circle, two for an ellipse."""
    wide = np.sqrt(np.linalg.eigvalsh(covariances))[:, ::-1]
    return ", ".join(f"{a:.2f}" if a - b < 1e-6 else f"{a:.2f} × {b:.2f}" for a, b in wide)


def _list(values, form=""):
    return ", ".join(f"{value:{form}}" for value in values)


RUNS = {"k-means": None, "EM, σ = 0.7 known": ("known", "equal"), "EM, full": ("full", "learned")}
ENDS = {"k-means": (85, 470), "EM, σ = 0.7 known": (-735, -345), "EM, full": (-434, -369)}
GOOD = {"k-means": 116.0, "EM, σ = 0.7 known": -384.6, "EM, full": -381.95}
TRIES = 60


@cache
def _run(method, how, number):
    """One start and where it ended: (the starting means, the means, covariances and weights or None, cost or ℓ)."""
    X = _plane("three blobs")[0]
    start = KMeans(3, start=how, max_iter=1, random_state=number).fit(X).history_[0].means
    if RUNS[method] is None:
        fit = KMeans(3, start=start, history=False).fit(X)
        return start, fit.means_, None, fit.cost_
    fit = GaussianMixture(3, *RUNS[method], sigma=0.7, start=start, history=False).fit(X)
    return start, fit.means_, (fit.covariances_, fit.weights_), fit.log_likelihood_


def em_starts():
    """Start after start on three blobs: where each ended, and how many ended at each value."""
    picture = plots.Starts(*theme.axes((0.055, 0.14, 0.36, 0.83), (0.5, 0.17, 0.47, 0.8)), TRIES)
    X, limits = _plane("three blobs")[0], LIMITS["three blobs"]

    def show(history, step, method, how):
        runs = [_run(method, how, number) for number in history[:step]]  # each when it is asked for: all take too long
        ends = [run[3] for run in runs]
        stuck = sum(abs(end - GOOD[method]) > 5 for end in ends)
        label = (
            "cost at the end (less is better)" if method == "k-means" else "log-likelihood at the end (more is better)"
        )
        cloud = {"X": X, "limits": limits, "means": np.empty((0, 2))}
        if runs:
            start, means, rest, _ = runs[-1]
            if rest is None:
                shares = np.eye(3)[mixtures.nearest(X, means)]
            else:
                shares, _ = mixtures.e_step(X, means, *rest)
            cloud |= {"means": means, "start": start, "trail": [start, means], "shares": shares}
            cloud |= {} if rest is None else {"covariances": rest[0]}
        picture.show(cloud, ends, ENDS[method], label, f"{step} starts, {stuck} stuck")
        drawn = "three random points" if how == "points" else "k-means++"
        if not runs:
            return f"{method} on three blobs, started from {drawn}. No start yet: press forward."
        good = abs(ends[-1] - GOOD[method]) <= 5
        return (
            f"{method}, start {step} of {TRIES} from {drawn}: {_places(runs[-1][0])}. It ended at {ends[-1]:.1f}, "
            f"{'the best end' if good else 'stuck short of the best'}. So far {stuck} of {step} starts got stuck, {stuck / step:.0%}."
        )

    return Player(
        picture,
        {
            "method": choice("method", list(RUNS), "k-means"),
            "how": choice("start", [("random points", "points"), ("k-means++", "k-means++")], "points"),
        },
        history=range(TRIES + 1),
        show=show,
        interval=500,
        presets={
            "the first stuck one": {"method": "k-means", "how": "points", "step": 1},
            "60 random starts": {"how": "points", "step": TRIES},
            "60 of k-means++": {"how": "k-means++", "step": TRIES},
        },
    )


KS = range(1, 6)
# Which draw of the starting means gave the best fit that did not collapse, among the first 30.
BEST = {
    ROUND: dict(zip(KS, (0, 17, 25, 25, 5))),
    FULL: dict(zip(KS, (0, 12, 3, 1, 20))),
}


def choose_k():
    """Choosing the number of components: the log-likelihood climbs with every one, BIC makes each pay for its numbers."""
    picture = plots.ChooseK(*theme.axes((0.055, 0.13, 0.365, 0.84), (0.52, 0.16, 0.47, 0.7)), KS, -665, -530)
    X, limits = _plane("broad and tight")[0], LIMITS["broad and tight"]
    options = {"sigma": 1.0, "start": "points", "history": False}
    models = {
        shape: [GaussianMixture(k, MODELS[shape][0], random_state=draw, **options).fit(X) for k, draw in best.items()]
        for shape, best in BEST.items()
    }

    scores = {shape: [(each.log_likelihood_, each.bic_score(X)) for each in fits] for shape, fits in models.items()}

    def show(shape, k):
        fit, (fits, bics) = models[shape][k - 1], zip(*scores[shape])
        cloud = {"X": X, "limits": limits, "means": fit.means_, "covariances": fit.covariances_}
        picture.show(
            cloud | {"shares": fit.predict_proba(X)}, fits, bics, k, f"★ highest BIC: k = {KS[np.argmax(bics)]}"
        )
        penalty = fits[k - 1] - bics[k - 1]
        return (
            f"{shape.split(':')[0].capitalize()} components, k = {k}: ℓ = {fits[k - 1]:.1f} with {fit.free_parameters()} learned numbers, so "
            f"BIC = {fits[k - 1]:.1f} − {penalty:.1f} = {bics[k - 1]:.1f}. Over k = 1 to 5 the log-likelihood is "
            f"{_list(fits, '.1f')}; BIC is highest at k = {KS[np.argmax(bics)]} with {max(bics):.1f}."
        )

    return LiveFigure(
        picture,
        {
            "shape": choice("shape", [("round", ROUND), ("full", FULL)], ROUND),
            "k": slider("components k", 1, 5, 1),
        },
        show,
        presets={
            "two round ones": {"shape": ROUND, "k": 2},
            "five round ones": {"shape": ROUND, "k": 5},
            "two ellipses": {"shape": FULL, "k": 2},
        },
        keys=steer.by("k"),
        help="Left and right arrows change k.",
    )


# Real measures, and the reader's own

METHODS = {"k-means": "k-means", "EM, round": "round", "EM, shared ellipse": "shared", "EM, full ellipses": "full"}
UNITS = {"mm and g": "g", "mm and kg": "kg", "standardised": "standard"}
AXES = {
    "bill depth by length": (0, 1),
    "flipper by bill length": (0, 2),
    "mass by bill length": (0, 3),
    "mass by flipper": (2, 3),
}
SPECIES = ["Adelie", "Chinstrap", "Gentoo"]


@cache
def _penguins():
    """(the four measures in mm and g, the number of each species, the stored fits as {(method, unit, k): (draw, score)})."""
    table, fits = data.load_penguins(), data.load_penguin_fits()
    stored = {(*row[:3],): row[3:] for row in fits.itertuples(index=False, name=None)}
    return table.iloc[:, 2:].to_numpy(float), table["species"].map(SPECIES.index).to_numpy(), stored


@cache
def _penguin_groups(method, unit, k):
    """The group of each penguin in the best stored fit."""
    X, _, stored = _penguins()
    return _fitted(method, k, _in_units(X, unit), stored[method, unit, k][0])[0]


def _in_units(X, unit):
    return (X - X.mean(axis=0)) / X.std(axis=0) if unit == "standard" else X / [1, 1, 1, {"g": 1, "kg": 1000}[unit]]


def _fitted(method, k, X, draw, n_init=1, **options):
    """(the group of each point, the cost or BIC)."""
    options |= {"n_init": n_init, "random_state": draw, "history": False}
    if method == "k-means":
        fit = KMeans(k, **options).fit(X)
        return fit.labels_, fit.cost_
    fit = GaussianMixture(k, method, **options).fit(X)
    return fit.predict(X), fit.bic_score(X)


def _score_words(between, score, best):
    """What stands over the curve: the share of the squared distances that lies between groups, or BIC."""
    return f"between / total: {between:.1%}" if best is None else theme.minus(f"BIC {score:.1f} (★ highest)")


def _curve_words(between, score, best):
    if best is None:
        return f"Of all squared distances {between:.1%} lie between the groups."
    return f"BIC = {score:.1f}; of these fits it is highest at k = {best}."


def penguin_groups():
    """342 penguins of three species: what k-means or EM makes of their measures, in the units of your choice."""
    picture = plots.Groups(
        *theme.axes((0.1, 0.165, 0.5, 0.745), (0.69, 0.62, 0.3, 0.29), (0.655, 0.02, 0.335, 0.43)), KS, SPECIES
    )
    names = ["bill length, mm", "bill depth, mm", "flipper length, mm", "body mass, g"]

    def show(method, unit, k, axes, species):
        X, truth, stored = _penguins()
        means, told = METHODS[method], UNITS[unit]
        used = "standard" if means in ("shared", "full") else told  # such ellipses stretch with the axes
        groups = _penguin_groups(means, used, k)
        scores = np.array([stored[means, used, each][1] for each in KS])
        if used != told:  # ln P(X) of the same fit in other units
            scores = scores - len(X) * np.log(_in_units(X, told).std(axis=0)).sum()
        table = np.array([np.bincount(truth[groups == j], minlength=3) for j in range(k)])
        named = mixtures.best_naming(groups, truth)
        wrong = np.flatnonzero(np.array([named.get(each) for each in groups.tolist()]) != truth)
        a, b = AXES[axes]
        best = None if means == "k-means" else KS[int(scores.argmax())]
        heights = 1 - scores / scores[0] if best is None else (scores - scores.min()) / np.ptp(scores)
        picture.show(
            X[:, a],
            X[:, b],
            names[a],
            names[b],
            groups,
            k,
            heights,
            best,
            _score_words(heights[k - 1], scores[k - 1], best),
            f"○ not with its species: {len(wrong)}" if species else "",
            wrong if species else [],
            table if species else None,
        )
        sizes = _list(np.bincount(groups, minlength=k))
        says = (
            f" {len(wrong)} of {len(X)} are not with their species, each species naming one group at most, as well as possible."
            if species
            else " The species are hidden."
        )
        return theme.minus(
            f"{method}, {unit}, k = {k}: groups of {sizes}, drawn as {axes}. {_curve_words(heights[k - 1], scores[k - 1], best)}{says}"
        )

    def scene(method, unit, k=3):
        return {"method": method, "unit": unit, "k": k, "species": True}

    first, *_, last = METHODS
    return LiveFigure(
        picture,
        {
            "method": menu("method", list(METHODS), first),
            "axes": menu("draw", list(AXES), next(iter(AXES))),
            "k": slider("groups k", KS[0], KS[-1], 3),
            "unit": choice("units", list(UNITS), "mm and g"),
            "species": choice("species", [("hide", False), ("show", True)], False),
        },
        show,
        presets={
            "k-means, g": scene(first, "mm and g"),
            "k-means, kg": scene(first, "mm and kg"),
            "k-means, standardised": scene(first, "standardised"),
            "EM, full": scene(last, "mm and g"),
        },
        keys=steer.by("k"),
        help="Left and right arrows change k.",
        main=("k",),
        more=("axes",),
    )


LEAVES = """width mm, length mm
21, 48
24, 55
18, 41
26, 60
22, 52
19, 46
27, 61
23, 50
25, 58
20, 44
28, 66
24, 53
12, 50
14, 60
11, 46
15, 66
13, 55
16, 71
12, 53
14, 62
10, 42
15, 69
13, 58
17, 74"""
TIMES = {"× 0.01": 0.01, "× 0.1": 0.1, "as typed": 1.0, "× 10": 10.0, "× 100": 100.0}
ROWS, LEAST = 120, 8


@lru_cache(64)
def _own_fits(method, points):
    """(groups, cost or BIC) for each k: a few starts each, so that the picture follows."""
    X = np.array(points)
    return [_fitted(method, k, X, 0, 3, max_iter=60) for k in KS]


def own_groups():
    """Two columns of numbers that the reader brings: groups by k-means or EM, and what the unit of the second column does."""
    picture = plots.Groups(
        *theme.axes((0.1, 0.18, 0.5, 0.72), (0.69, 0.61, 0.3, 0.29), (0.655, 0.02, 0.335, 0.43), height=3.5), KS
    )

    def show(text, method, times, k):
        table = user_data.table(text, most_rows=ROWS)
        names = table.columns[:2]
        X = np.column_stack([user_data.number_column(table, each) for each in names])
        if len(found := np.unique(X, axis=0)) < LEAST:
            raise ValueError(f"your table must have at least {LEAST} different rows, got {len(found)}")
        scaled = X * [1, TIMES[times]]
        fits = _own_fits(METHODS[method], tuple(map(tuple, scaled.tolist())))
        groups, scores = fits[k - 1][0], np.array([score for _, score in fits])
        best = None if METHODS[method] == "k-means" else KS[int(scores.argmax())]
        heights = 1 - scores / (scores[0] or 1) if best is None else (scores - scores.min()) / (np.ptp(scores) or 1)
        said = heights[k - 1], scores[k - 1], best
        picture.show(
            X[:, 0],
            X[:, 1],
            *(user_data.plain(each, 20) for each in names),
            groups,
            k,
            heights,
            best,
            _score_words(*said),
        )
        sizes = _list(np.bincount(groups, minlength=k))
        return theme.minus(
            f"{len(X)} points, second column {times}. {method}, k = {k}: groups of {sizes}. {_curve_words(*said)}"
        )

    first, *_, last = METHODS
    return LiveFigure(
        picture,
        {
            "text": box("your points", LEAVES, lines=3, file=True),
            "method": menu("method", list(METHODS), first),
            "k": slider("groups k", KS[0], KS[-1], 2),
            "times": choice("second column", list(TIMES), "as typed"),
        },
        show,
        presets={
            "k-means": {"method": first, "times": "as typed", "k": 2},
            "k-means, length in tenths": {"method": first, "times": "× 0.1", "k": 2},
            "EM, full": {"method": last, "times": "as typed", "k": 2},
        },
        keys=steer.by("k"),
        help="Type or paste two columns with their names, or read them from a file; left and right arrows change k.",
        main=("k",),
    )
