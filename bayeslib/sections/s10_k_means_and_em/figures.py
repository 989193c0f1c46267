"""The live figures of section 10, k-means and EM."""

from functools import cache, lru_cache
from itertools import zip_longest

import numpy as np

from bayeslib import data as tables
from bayeslib.figures import steer, user_data
from bayeslib.figures.drawn import Choice, Menu, Slider, State, Stops, Text, figure, player
from bayeslib.figures.theme import HEAD, HERO, LABEL, NUMBER, SMALL
from bayeslib.models import mixtures
from bayeslib.models.mixtures import GaussianMixture, KMeans

MODELS = {
    "σ = 1 known": ("known", "equal"),
    "σ = 1 known, weights learned": ("known", "learned"),
    "round: σ and weights learned": ("spherical", "learned"),
    "diagonal: σ along each axis": ("diag", "learned"),
    "full: ellipses and weights learned": ("full", "learned"),
}
KNOWN, _, ROUND, _, FULL = MODELS
LIMITS = {
    "broad and tight": (-6.5, 7.5),
    "cigars": (-9.5, 9.5),
    "cigars, turned": (-7.5, 7.5),
    "three blobs": (-8.0, 6.0),
}
TURN = np.array([[1, -1], [1, 1]]) / np.sqrt(2)  # by 45°
# On the line: the log-likelihood as a hill, the bound as a dome inside it, one ball that climbs; the two bells above

LINE = tables.load_line()["x"].to_numpy()
BELL = np.r_[-10, np.linspace(-4, 4, 81), 10]  # around its mean, so that it glides without changing its shape
ALONG = np.linspace(-0.5, 2, 251)


def _two_means(x, mu1, mu2, sigma=1.0):
    """The history of EM for two Gaussians of known width."""
    options = {"sigma": sigma, "means_init": [mu1, mu2], "tol": 1e-8, "max_iter": 300}
    return GaussianMixture(2, "known", "equal", history=True, **options).fit(x).history_


AROUND = np.linspace(-4, 4, 61)  # σ: where a bell is drawn


def _beside(mu, reach, gap):
    """Where the names of two bells begin, in widths of a name: over each bell, or to its left and right if they are close."""
    first = 0 if mu[0] <= mu[1] else 1
    if abs(mu[1] - mu[0]) > gap:
        return [(each, 0.5) for each in mu]
    return [(mu[j] + (-reach if j == first else reach), 1 if j == first else 0) for j in (0, 1)]


@player(
    (22, 66, 856, 214),
    (22, 280, 856, 136),
    size=(900, 430),
    narrow=((390, 500), (16, 78, 358, 200), (16, 278, 358, 210)),
    history=lambda mu1, mu2, sigma: _two_means(LINE, mu1, mu2, sigma),
    pace=600,
    interval=1600,
    controls={
        "sigma": Stops("σ", tuple((f"{each:g}", each) for each in (0.1, 0.2, 0.3, 0.5, 0.8, 1.0, 1.3, 1.6, 2.0)), 1.0),
        "x": Slider("the point asked about", 0.0, 8.0, 3.4, step=0.1),
        "mu1": Slider("start of mean 1", 0.0, 8.0, 3.0, step=0.1),
        "mu2": Slider("start of mean 2", 0.0, 8.0, 4.0, step=0.1),
    },
    presets={
        "start": {"mu1": 3.0, "mu2": 4.0, "sigma": 1.0, "step": 1},
        "same place": {"mu1": 3.0, "mu2": 3.0, "sigma": 1.0, "step": 2},
        "names swapped": {"mu1": 4.0, "mu2": 3.0, "sigma": 1.0, "step": 2},
        "σ small": {"mu1": 3.0, "mu2": 4.0, "sigma": 0.1, "step": 1},
    },
    main=("sigma", "x"),
    more=("mu1", "mu2"),
    drag={"asked": ("x", None), "from 0": ("mu1", None), "from 1": ("mu2", None)},
    help="Drag the ring to ask about another point, or a hollow mark to start elsewhere; arrows step, Space plays.",
    looks={
        "sum": {"color": "muted", "width": 1.8, "z": 1.8},
        "floor": {"color": "rule", "width": 1.4, "z": 1.5},
        "bell": {"alpha": 0.24},
        "edge": {"z": 2.4},
        "stem": {"width": 1.4, "z": 2.2},
        "from": {"color": "paper", "width": 2.8, "size": 12.5, "z": 4},
        "mu": {"bold": True},
        "height": {"width": 5, "z": 3, "grow": "y"},
        "lead": {"color": "ink", "width": 1.2, "z": 2.1, "clip": False},
        "asked": {"color": None, "edge": "ink", "width": 1.9, "size": 35, "z": 3.6, "grab": "the point asked about"},
        "share": {"size": SMALL, "color": "muted", "ha": "center"},
        "beam": {"width": 2.2, "grow": "x", "clip": False},
        "rest": {"shape": "^", "size": 17, "edge": None, "width": 0, "z": 3.8},
        "count": {"size": NUMBER, "bold": True},
        "count of": {"size": SMALL, "color": "muted"},
        "balance": {"size": SMALL, "color": "muted", "ha": "right"},
    },
)
def two_means(pen, bells, lane, history, step, sigma, x, mu1, mu2):
    """Figure 6.4 on a line: E shares each point by the heights of the bells above it, M rests each bell on its shares."""
    now, wide, roles = history[step], pen.size[0] > 560, ("case", "other")
    mu, shares = now.means.ravel(), now.responsibilities
    where = f"μ = ({mu[0]:.3f}, {mu[1]:.3f}), σ = {sigma:g}"
    asked, _ = mixtures.e_step(np.array([[x]]), *now[1:4])
    bells.limits((-0.6, 8.6), (0, 2.05))
    lane.limits((-0.6, 8.6), (lane.box[3], 0))

    # The bells and their sum; how high a bell is at its middle is the same for all widths
    def height(at, mean):
        return np.exp(-0.5 * ((at - mean) / sigma) ** 2)

    at = np.linspace(-0.6, 8.6, 185)
    total = height(at, mu[0]) + height(at, mu[1])
    pen.line(bells, "sum", at, total)
    pen.line(bells, "floor", (-0.6, 8.6), (0, 0))
    names = _beside(mu, min(1.0, sigma) * 1.2 + 0.15, (150 if wide else 95) / bells.scale)
    for j, role in enumerate(roles):
        across, up = mu[j] + sigma * AROUND, height(AROUND * sigma, 0)
        pen.area(
            bells, f"bell {j}", np.column_stack([np.r_[across, across[-1], across[0]], np.r_[up, 0, 0]]), color=role
        )
        pen.line(bells, f"edge {j}", across, up, color=role)
        pen.line(bells, f"stem {j}", [mu[j]] * 2, [0, 1], color=role)
        place, share = names[j]
        words = f"μ{'₁₂'[j]} = {mu[j]:.3f}" if wide or share == 0.5 else f"{mu[j]:.3f}"
        room = pen.width(words, LABEL, True) / bells.scale
        left = np.clip(place - share * room, -0.6, 8.6 - room)
        top = 1.06 if share != 0.5 else max(1.0, float(np.interp(mu[j], at, total))) + 0.08
        pen.text(bells, f"mu {j}", left, top, words, color=role)
        start, grab = (mu1, mu2)[j], f"the start of mean {j + 1}"
        pen.points(bells, f"from {j}", [start], [0], edge=role, grab=grab)
    middle = float(np.interp(mu.mean(), at, total))
    if wide and middle > 0.2:
        pen.text(bells, "sum name", mu.mean(), middle, "sum", dy=8, size=SMALL, color="muted", ha="center")

    # E: each point a pie of its shares. M: each pie comes apart into two discs, and each beam rests on its mean
    size, line = (26, 60) if wide else (17, 54)
    beams = (36, 94) if wide else (30, 82)  # where the discs stand, above their beams
    apart = now.kind == "M"
    for j, role in enumerate(roles):
        y = [beams[j] if apart else line] * len(LINE)
        parts = np.sqrt(shares[:, j]) if apart else np.ones(len(LINE))
        grey = {"color": "sediment"} if shares is None else {"color": role}
        looks = [{**grey, "size": size * each, "width": 1.5} for each in parts]
        rest = y if not apart else [beams[j] + size / 2 * (1 - each) for each in parts]
        pen.points(lane, f"part {j}", LINE, rest, of=np.arange(len(LINE)), looks=looks, z=3 + 0.1 * j)
        if apart:
            low = beams[j] + size / 2 + 3
            pen.line(lane, f"beam {j}", (LINE[0] - 0.14, LINE[-1] + 0.14), (low, low), color=role)
            pen.points(lane, f"rest {j}", [mu[j]], [low + 9], color=role)
            if wide:
                told = f"{shares[:, j] @ LINE:.3f} / {shares[:, j].sum():.3f}"
                pen.text(lane, f"balance {j}", 8.6, low, told, dy=4)
    if now.kind == "E":
        rest, none = np.full(len(LINE), line), np.zeros(len(LINE))
        pen.wedges(lane, "pies", LINE, rest, none, shares[:, 0], color="case", size=size, z=3.2)
        if wide:
            for k, each in enumerate(LINE):
                words = "" if abs(each - x) < 0.35 else f"{100 * shares[k, 0]:.0f}"
                near = k and each - LINE[k - 1] < 0.35 and len(words) == 3
                pen.text(lane, f"share {k}", each, line + 36, "" if near else words)
        for j, role in enumerate(roles):
            place = x + (j - 0.5) * 6 / bells.scale
            pen.line(bells, f"height {j}", [place] * 2, [0, height(x, mu[j])], color=role)
        pen.line(lane, "lead", [x, x], [2, line - size / 2 - 5])
    if not apart:
        look = {"size": size + 9}
        pen.points(lane, "asked", [x], [line], **look)
        words = f"{x:.1f}" if now.kind == "start" else f"{100 * asked[0, 0]:.1f}%"
        pen.text(lane, "says asked", x, line + 36, words, size=SMALL, bold=True, ha="center")
        if pen.guess is not None and now.kind == "E" and step == 1 and x == 3.4:
            pen.text(lane, "guess", x, line + 60, f"you said {pen.guess:g}%", size=SMALL, color="muted", ha="center")

    # Words
    names = {
        "start": ("Two bells, ten points", f"whose is the point at {x:.1f}?", f"whose is {x:.1f}?"),
        "E": (f"Round {step // 2 + 1}: E step", "each point is shared by the heights above it", "share the points"),
        "M": (f"Round {step // 2}: M step", "each bell slides to where its shares balance", "slide to the balance"),
    }
    name, clause, short = names[now.kind]
    if apart and np.allclose(shares, 0.5):
        clause = short = "every share is one half"
    pen.text(bells, "head", -0.6, 2.05, name, dy=32 if wide else 44, size=HEAD, bold=True)
    look = {"after": "head", "dx": 12, "dy": 32} if wide else {"dy": 20, "size": SMALL}
    pen.text(bells, "head clause", -0.6, 2.05, clause if wide else short, color="muted", **look)
    if shares is None:
        return (
            f"Ten points and two bells of width {sigma:g}, at {mu[0]:g} and {mu[1]:g}. Whose is the point at {x:.1f}?"
        )
    count = shares.sum(axis=0)
    for j, (edge, ha) in enumerate(((-0.6, "left"), (8.6, "right"))):
        if wide:
            pen.text(bells, f"count {j}", edge, 2.05, f"{count[j]:.3f}", dy=-18, ha=ha, color=roles[j])
            pen.text(bells, f"count of {j}", edge, 2.05, "of ten points", dy=-40, ha=ha)
        else:
            y = 152 + 42 * j
            pen.text(lane, f"count {j}", -0.6, y, f"{count[j]:.3f}", color=roles[j])
            words = f"points, mean {mu[j]:.3f}" if apart else "points"
            pen.text(lane, f"count of {j}", -0.6, y, words, dx=10, after=f"count {j}")
    sums = shares.T @ LINE
    if now.kind == "E":
        high = [height(x, each) for each in mu]
        return (
            f"Round {step // 2 + 1}, E step, {where}. The ten points are shared out, N = {count[0]:.3f} and {count[1]:.3f}. "
            f"Above {x:.1f} the bells are {high[0]:.3g} and {high[1]:.3g} of their height; its share of bell 1 is {_share(asked[0, 0])}."
        )
    moved = " and ".join(f"{sums[j]:.3f}/{count[j]:.3f} = {mu[j]:.3f}" for j in (0, 1))
    return f"Round {step // 2}, M step, σ = {sigma:g}. Each mean moves to the average of its shares: {moved}."


def _share(share):
    """Three decimals, but never 1 for what is not certain."""
    if 0.0005 <= share <= 0.9995 or share in (0, 1):
        return f"{share:.3f}"
    return f"{share:.2g}" if share < 0.5 else f"1 − {1 - share:.2g}"


def _climb(mu1, mu2):
    """(h, h', the M step between them, ℓ at both) of each round that still gains something, for its E and M step."""
    steps = [step for step in _two_means(LINE, mu1, mu2) if step.kind == "M"]
    means = [np.array([mu1, mu2]), *(step.means.ravel() for step in steps)]
    climbs = mixtures.log_likelihood(np.array(means), LINE)
    found = [each for each in zip(means, means[1:], steps, climbs, climbs[1:]) if each[4] - each[3] > 1e-3]
    if not found:
        raise ValueError("the start must not be a point where EM stands still, such as two equal means at 3.9")
    return [each for each in found[:6] for _ in "EM"]


@player(
    (22, 60, 856, 96),
    (22, 174, 856, 260),
    size=(900, 468),
    narrow=((390, 560), (16, 86, 358, 84), (16, 190, 358, 322)),
    history=_climb,
    step=1,
    pace=600,
    interval=2500,
    controls={
        "mu1": Slider("start of mean 1", 0.0, 8.0, 3.0, step=0.1),
        "mu2": Slider("start of mean 2", 0.0, 8.0, 4.0, step=0.1),
    },
    presets={
        "the lesson's start": {"mu1": 3.0, "mu2": 4.0, "step": 1},
        "a wild start": {"mu1": 0.0, "mu2": 1.0, "step": 1},
        "nearly equal": {"mu1": 4.0, "mu2": 4.1, "step": 1},
    },
    looks={
        "bell": {"alpha": 0.24},
        "edge": {"width": 2.4},
        "before": {"width": 1.6, "z": 0.5},
        "mu": {"bold": True, "ha": "center"},
        "discs": {"color": "other", "edge": None, "width": 0},
        "shares": {"color": "case"},
        "hill": {"color": "mist"},
        "ridge": {"width": 4.4},
        "dome": {"color": "belief", "alpha": 0.24, "z": 1.5},
        "dome line": {"color": "belief", "width": 3.9, "z": 2.1},
        "level": {"color": "belief", "width": 1.7, "grow": "x", "when": (0.6, 0.75)},
        "climbed": {"color": "belief", "z": 2.3, "grow": "y", "when": (0.6, 0.85)},
        "gift": {"color": "best", "z": 2.4, "grow": "y", "when": (0.85, 1)},
        "touch": {"color": "paper", "edge": "belief", "width": 3.3, "size": 15, "z": 3.2},
        "reached": {"color": "paper", "edge": "best", "width": 3.3, "size": 15, "z": 3.2, "when": (0.85, 1)},
        "ball": {"color": "belief", "width": 3.3, "size": 24, "z": 3.4},
        "gain": {"size": HERO, "bold": True},
    },
)
def em_bound(pen, bells, ridge, step, history, mu1, mu2):
    """The lower bound: the E step makes it touch the log-likelihood, the M step walks to its top."""
    h, new, after, here, there = history[step]
    done, wide = step % 2 == 1, pen.size[0] > 560
    along = h + ALONG[:, None] * (new - h)
    curve, q = mixtures.log_likelihood(along, LINE), mixtures.Q(along, h, LINE)
    uncertainty = mixtures.entropy(after.responsibilities)
    bound, top, gain, best = q + uncertainty, after.bound, there - here, int(curve.argmax())
    climbed = (top - here) / gain

    # Two bells, and the points, each a pie of its shares
    bells.limits((-1, 9), (-0.13, 0.5))
    height = np.exp(-0.5 * BELL**2) / np.sqrt(2 * np.pi)
    for j, role in enumerate(("case", "other")):
        x = (new if done else h)[j] + BELL
        if done:
            pen.line(bells, f"before {j}", h[j] + BELL, height, color=f"{role}_tint")
        pen.area(bells, f"bell {j}", np.column_stack([x, height]), color=role)
        pen.line(bells, f"edge {j}", x, height, color=role)
    low, high = sorted(new if done else h)
    if (high - low) * bells.scale > 40:
        for j, role in enumerate(("case", "other")):
            pen.text(bells, f"mu {j}", (new if done else h)[j], 0.44, f"μ{'₁₂'[j]}", color=role)
    radius, half = 8.5 if wide else 5.2, after.responsibilities[:, 0] / 2
    low = np.full(len(LINE), -0.012 - radius * 0.63 / bells.box[3])
    pen.points(bells, "discs", LINE, low, size=2 * radius)
    pen.wedges(bells, "shares", LINE, low, 0.75 - half, 0.75 + half, size=2 * radius)

    # The hill and the dome in it, along the line from the means before to the means after
    ridge.limits((ALONG[0], ALONG[-1]), (-0.75, 1.6))
    for name, line, values in (("hill", "ridge", curve), ("dome", "dome line", bound)):
        height = np.clip((values - here) / gain, -4, 4)[::2]
        if pen.waiting and name == "hill":  # before the question only a glimpse of it, where they touch
            near = np.abs(ALONG[::2]) < 0.14
            pen.line(ridge, line, ALONG[::2][near], height[near])
            continue
        pen.area(ridge, name, np.column_stack([np.r_[ALONG[::2], ALONG[-1], ALONG[0]], np.r_[height, -4, -4]]))
        pen.line(ridge, line, ALONG[::2], height)
    pen.points(ridge, "touch", [0], [0])
    half = (4.5 if wide else 3.5) / ridge.scale
    if done:
        pen.line(ridge, "level", [0, 1], [0, 0])
        pen.bar(ridge, "climbed", 1 - half, 0, 2 * half, climbed)
        pen.bar(ridge, "gift", 1 - half, climbed, 2 * half, 1 - climbed)
        pen.points(ridge, "reached", [1], [1])
    way = ALONG[(ALONG >= 0) & (ALONG <= 1)][::4]
    walked = np.interp(way, ALONG, (bound - here) / gain)
    pen.points(ridge, "ball", [1 if done else 0], [climbed if done else 0], via=(way, walked), when=(0, 0.6))

    # Words
    digits = 3 if gain > 0.01 else 5
    size = LABEL if wide else SMALL

    def say(name, x, y, words, role, **place):
        pen.text(ridge, f"say {name}", x, y, words, color=role, size=size, bold=True, **place)

    say("touch", 0, 0, _minus(f"{here:.{digits}f}"), "belief", dx=14, dy=-26)
    say("dome", 0.9 if wide else 0.75, -0.75, "bound F", "belief", dy=14, ha="center")
    if not pen.waiting:
        say("ridge", ALONG[-1], 1.6, "log-likelihood ℓ" if wide else "ℓ", "ink", dy=-18, ha="right")
    if done:
        say(
            "climbed",
            1,
            climbed / 2,
            f"climbed {top - here:.{digits}f}" if wide else f"{top - here:.{digits}f}",
            "belief",
            dx=16,
            va="center",
        )
        thin = (1 - climbed) * ridge.box[3] / 2.35 < 36
        place = {"dx": -3, "dy": 22, "ha": "center"} if thin else {"dx": 16, "va": "center"}
        say(
            "gift", 1, 1 if thin else (1 + climbed) / 2, f"gift {there - top:.{digits}f}", "best", halo="paper", **place
        )
        pen.text(
            ridge, "gain", ALONG[0], 1.6, f"+{gain:.{digits}f}", dy=-48 if wide else -28, size=HERO if wide else NUMBER
        )
        if wide:
            pen.text(
                ridge,
                "gain of",
                ALONG[0],
                1.6,
                "rise of ℓ in this round",
                dy=-74,
                size=SMALL,
                color="muted",
                bold=False,
            )
    axis = "from the old means (t = 0) to the new ones (t = 1) and on" if wide else "t = 0: old means, t = 1: new ones"
    pen.text(ridge, "axis", ALONG[-1], -0.75, axis, dy=-26, ha="right", size=SMALL, color="muted")
    clause = "climb the dome, and the hill gives more" if done else "lift the dome until it touches the hill"
    pen.text(
        bells,
        "head",
        -1,
        0.5,
        f"Round {step // 2 + 1}: {'M' if done else 'E'} step",
        dy=30 if wide else 52,
        size=HEAD,
        bold=True,
    )
    place = {"dx": 12, "dy": 30, "after": "head"} if wide else {"dy": 26, "size": SMALL}
    pen.text(bells, "head clause", -1, 0.5, clause, color="muted", **place)

    if pen.waiting:
        top_of = "Where is the log-likelihood once we stand on top of the dome?"
        return f"The bound F touches the log-likelihood at {_minus(f'{here:.3f}')}. {top_of}"
    where = f"Iteration {step // 2 + 1}, h = ({h[0]:.3f}, {h[1]:.3f})"
    if not done:
        return (
            f"{where}. E step: the bound touches the log-likelihood at {here:.3f}, and nowhere is it above. It is "
            f"Q = {mixtures.Q(h, h, LINE):.3f} and the shares' entropy, {uncertainty:.3f}."
        )
    return (
        f"{where}. M step: h′ = ({new[0]:.3f}, {new[1]:.3f}) is the top of the bound, {top:.3f}. There the log-likelihood is "
        f"{there:.3f}, higher by a gift of {there - top:.3f}; it rose by {gain:.3f}, the bound by {top - here:.3f}. "
        + (
            f"On this line its own top, {curve[best]:.3f}, is at t = {ALONG[best]:.2f}."
            if best < len(ALONG) - 1
            else f"On this line it is still rising at t = {ALONG[best]:g}."
        )
    )


def _minus(text):
    return text.replace("-", "−")


# In the plane

SCENES = {
    "broad and tight": ("broad and tight", [[-2.0, 3.0], [1.0, -3.0]], ROUND),
    "onto the outlier": ("broad and tight", [[2.0, -2.0], [4.0, -4.0]], ROUND),
    "cigars, true means": ("cigars", [[0.0, 1.3], [0.0, -1.3]], FULL),
    "cigars, crossways": ("cigars", [[-3.0, 0.0], [3.0, 0.0]], FULL),
    "three blobs": ("three blobs", [[-5.0, 1.0], [3.0, 1.0], [3.0, -1.0]], KNOWN),
    "a bad start": ("three blobs", [[-5.0, 1.0], [-5.0, -1.0], [3.0, 0.0]], KNOWN),
}
SURE = 0.9  # the least share of a point that counts as decided
ROLES, SHAPES = ("case", "other", "best", "fourth", "evidence"), ("o", "^", "s", "D", "v")
CELLS = 90  # of the grid on which the border between components is looked for


@cache
def _plane(name):
    """(points, the component that each came from)."""
    name, _, turned = name.partition(", ")
    table = getattr(tables, f"load_{name.replace(' ', '_')}")()
    X = table[["x", "y"]].to_numpy()
    return X @ TURN.T if turned else X, table["component"].to_numpy()


def _both(data, model, means):
    """The steps of k-means beside those of EM, None where one has stopped, and a warning at the end."""
    X, (covariance, weights) = _plane(data)[0], MODELS[model]
    options = {"max_iter": 100, "history": True}
    hard = KMeans(len(means), init=means, tol=0, **options).fit(X)
    options |= {"sigma": 1.0, "means_init": means, "tol": 1e-6 / len(X)}
    soft = GaussianMixture(len(means), covariance, weights, **options).fit(X)
    steps = list(zip_longest(hard.history_, soft.history_))
    return [(*each, "") for each in steps[:-1]] + [(*steps[-1], _warning(soft, hard))]


def _place_of(values, at):
    low, high = LIMITS[values["data"]]
    return np.clip(np.round(at, 1), low + 0.5, high - 0.5).tolist()


def _star(values, name, x, y):
    return {"asked": _place_of(values, (x, y))}


def _turn(values):
    """The long clouds and the starting means, turned by 45° to the left, or back."""
    turned = values["data"] != "cigars, turned"
    data = "cigars, turned" if turned else "cigars"
    means = _place_of({"data": data}, np.array(values["means"]) @ (TURN.T if turned else TURN))
    return {"data": data, "means": means, "asked": None}


def _drag(values, name, x, y):
    which = int(name.split()[-1])
    return {"means": [_place_of(values, (x, y)) if j == which else mean for j, mean in enumerate(values["means"])]}


def _nudge(which):
    def move(values, x, y):
        means = list(values["means"])
        means[which] = _place_of(values, np.add(means[which], (x / 10, y / 10)))
        return {"means": means}

    return move


def _more(values):
    places = [[4.0, 4.0], [-4.0, -4.0], [4.0, -4.0], [-4.0, 4.0], [0.0, 0.0]]
    free = [place for place in places if place not in values["means"]]
    return {"means": [*values["means"], free[0]]} if len(values["means"]) < len(ROLES) else {}


def _fewer(values):
    return {"means": values["means"][:-1]} if len(values["means"]) > 1 else {}


@player(
    (14, 55, 336, 336),
    (372, 55, 336, 336),
    (748, 109, 140, 84),
    (748, 297, 140, 84),
    size=(902, 405),
    narrow=((390, 1010), (16, 44, 358, 358), (16, 452, 358, 358), (20, 890, 150, 90), (222, 890, 150, 90)),
    history=_both,
    interval=1100,
    controls={
        "data": Menu("points", tuple(LIMITS), "broad and tight"),
        "model": Menu("what EM learns", tuple(MODELS), ROUND),
        "means": State(SCENES["broad and tight"][1]),
        "truth": Choice("hidden truth", (("hide", False), ("show", True)), False),
        "asked": State(None),
    },
    presets={
        label: {"data": points, "means": means, "model": model, "step": 0, "asked": None}
        for label, (points, means, model) in SCENES.items()
    },
    actions={"turn by 45°": _turn, "add a mean": _more, "drop a mean": _fewer},
    unlocks={"10/true-means": ["data", "turn by 45°"]},
    drag={"k from": _drag, "em from": _drag, "asked": _star},
    keys={**steer.four(_nudge(0), "adsw"), **steer.four(_nudge(-1), "jlki")},
    help="Drag a hollow ring to start elsewhere (keys: a d w s move the first, j l i k the last); arrows step, Space plays.",
    looks={
        "border": {"color": "muted", "width": 1.6, "z": 1.2},
        "wrong": {"color": None, "edge": "ink", "width": 1.8, "size": 18, "z": 3.5},
        "asked": {
            "edge": "paper",
            "width": 2,
            "size": 26,
            "shape": "*",
            "z": 4.5,
            "grab": "the star",
        },
        "value": {"size": NUMBER, "bold": True},
        "name": {"size": SMALL, "color": "muted"},
        "way": {"color": "rule", "width": 3, "clip": False},
        "walked": {"width": 3.3, "clip": False},
        "now": {"size": 12.5, "width": 2.8},
        "say σ": {"when": (0, 1)},  # walks with its ring
        "say 2σ": {"when": (0, 1)},
    },
)
def kmeans_and_em(pen, left, right, cost, climb, history, step, data, model, means, truth, asked):
    """k-means and EM side by side on the same points from the same starting means, which can be dragged."""
    X, component = _plane(data)
    hard, soft, _ = ([each for each in steps if each is not None] for steps in zip(*history))
    cuts, bells = hard[: step + 1], soft[: step + 1]
    cut, bell, k = cuts[-1], bells[-1], len(means)
    given = None if cut.labels is None else np.eye(k)[cut.labels]
    wrong = [
        _wrong(each.argmax(axis=1), component) if truth and step else []
        for each in (given, bell.responsibilities)
        if each is not None
    ]
    wrong = wrong or [[], []]

    low, high = LIMITS[data]
    line = np.linspace(low, high, CELLS)
    grid = np.column_stack([each.ravel() for each in np.meshgrid(line, line)])
    for panel in (left, right):
        panel.limits((low, high), (low, high))
    covered = pen.waiting or given is None  # a territory would tell whose the star is
    scores = None if covered else np.array([-np.square(grid - mean).sum(axis=1) for mean in cut.means])
    _side(pen, left, "k", cuts, X, given, scores, wrong[0])
    scores = None if covered else mixtures.log_joint(grid, *bell[1:4]).T
    _side(pen, right, "em", bells, X, bell.responsibilities, scores, wrong[1])
    _hills(pen, right, bell.means, bell.covariances, named=True)
    _shares(pen, right, X, np.eye(k)[[0] * len(X)] if bell.responsibilities is None else bell.responsibilities)
    if asked:
        place = np.array([asked])
        share = mixtures.e_step(place, *bell[1:4])[0][0]
        for panel, name, whose in ((left, "k", mixtures.nearest(place, cut.means)[0]), (right, "em", share.argmax())):
            role = ROLES[whose] if step and not pen.waiting else "muted"
            pen.points(panel, f"asked {name}", *place.T, color=role)
        if step and not pen.waiting:
            look = {"dx": 12, "dy": -32, "ha": "right", "color": role, "bold": True, "halo": "paper"}
            pen.text(right, "say share", *asked, f"{share.max():.3f}", **look)

    # Words, once, where the thing is
    if step == 0:
        x, y = means[0]
        side = {"dx": -14, "ha": "right"} if (x - low) * left.scale > 70 else {"dx": 14}
        pen.text(left, "say start", x, y, "start", va="center", size=SMALL, color="case", halo="mist", **side)
    else:
        pen.note(left, "mean", *cut.means[0], "mean", (-58, 14), color="case", halo="case_wash", when=(0, 1))
    if wrong[0]:
        lowest = X[min(wrong[0], key=lambda i: X[i][1])]
        pen.text(left, "say wrong", *lowest, "wrong", dx=16, va="center", size=SMALL, halo="paper")
    shared = [] if bell.responsibilities is None else np.flatnonzero(bell.responsibilities.max(axis=1) < SURE)
    if 0 < len(shared) <= 20:
        pen.note(right, "shared", *max(X[shared], key=lambda at: at[1]), "shared", (24, 52), halo="case_wash")
    short = _short(cuts, bells)
    if truth and step:
        short = [f"{len(wrong[0])} points wrong", f"{len(wrong[1])} wrong, {len(shared)} undecided"]
    pen.head(left, "k-means", f"cuts: {short[0]}")
    pen.head(right, "EM", f"shares: {short[1]}")

    # The two scores: the number, and its way below
    costs, climbs = [each.cost for each in hard[1:]], [each.log_likelihood for each in soft]
    seen = climbs[2:] or climbs
    ways = (
        (cost, "cost of the cut", costs, costs, len(cuts) - 2, f"{cut.cost:.1f}" if step else "–", "ink"),
        (
            climb,
            "log-likelihood",
            climbs,
            seen,
            len(bells) - 1,
            f"{bell.log_likelihood:.1f}".replace("-", "−"),
            "belief",
        ),
    )
    for panel, name, y, shown, at, value, color in ways:
        y, x, at = np.clip(y, min(shown), max(shown)), np.linspace(0, 1, max(len(y), 2))[: len(y)], max(at, 0)
        room = np.ptp(shown) or 1
        panel.limits((-0.03, 1.05), (min(shown) - 0.06 * room, max(shown) + 0.1 * room))
        pen.line(panel, f"way {color}", x, y)
        pen.line(panel, f"walked {color}", x[: at + 1], y[: at + 1], color=color)
        pen.points(panel, f"now {color}", x[at : at + 1], y[at : at + 1], color=color)
        pen.text(panel, f"name {color}", 0, panel.y[1], name, dy=48)
        pen.text(panel, f"value {color}", 0, panel.y[1], value, dy=14, color=color)

    says = ""
    if truth and step:
        says = f" Wrong against the hidden truth: k-means {len(wrong[0])}, EM {len(wrong[1])} of {len(X)}."
    elif truth:
        says = " The hidden truth is shown once points have been given out."
    if asked and step:
        if pen.waiting:
            return (
                f"Left, k-means: {len(wrong[0])} of {len(X)} points wrong, cost {cut.cost:.0f}. Right, EM: {len(wrong[1])} wrong, "
                f"log-likelihood {_minus(f'{bell.log_likelihood:.1f}')}. The star at {_places([asked])} has not been given to anybody."
            )
        says += (
            f" The star at {_places([asked])} is nearest to mean {mixtures.nearest(place, cut.means)[0] + 1} of k-means; "
            f"its shares are {_list(share, '.3f')}."
        )
    elif asked:
        says += f" The star is at {_places([asked])}."
    ends = f" Log-likelihood {bell.log_likelihood:.2f}.{says}{history[step][2]}"
    return f"Step {step} of {len(history) - 1}. {_hard_line(cuts)}\n{_soft_line(bells, X)}{ends}"


def _side(pen, panel, name, steps, X, shares, scores, wrong):
    """The points as one method sees them: its regions, its means and their ways."""
    low, high = panel.x
    line, k = np.linspace(low, high, CELLS), len(steps[0].means)
    ground = f"{ROLES[k - 1]}_wash" if scores is not None else "mist"
    pen.bar(panel, f"{name} ground", low, low, high - low, high - low, color=ground, z=0)
    for j in range(k - 1 if scores is not None else 0):
        ahead = (scores[j] - np.delete(scores, j, axis=0).max(axis=0)).reshape(CELLS, CELLS)
        pen.region(panel, f"{name} region {j}", line, line, ahead, color=f"{ROLES[j]}_wash", z=0.1)
        pen.border(panel, f"{name} border {j}", line, line, ahead, color="muted", width=1.6, z=1.2)
    looks = [{"color": ROLES[j], "shape": SHAPES[j], "size": 9.7} for j in range(k)]
    looks += [{"color": ROLES[j], "size": 11.5} for j in range(k)] + [{"color": "muted", "size": 8}]
    of = np.full(len(X), 2 * k) if shares is None else shares.argmax(axis=1) + k * (shares.max(axis=1) < SURE)
    pen.points(panel, f"{name} dots", *X.T, of=of, looks=looks)
    flags = np.isin(np.arange(len(X)), wrong)
    crowded = len(wrong) > 40
    ring = {"color": None, "edge": "ink", "width": 1.3 if crowded else 1.8, "size": 14 if crowded else 18}
    pen.points(panel, f"{name} wrong", *X.T, of=flags, looks=[{**ring, "edge": None, "width": 0}, ring], z=3.5)
    for j in range(k):
        way = np.array([each.means[j] for each in steps])
        pen.line(panel, f"{name} rim {j}", *way.T, color="paper", width=6.4, z=3.55)
        pen.line(panel, f"{name} trail {j}", *way.T, color=ROLES[j], width=2.8, z=3.6)
        grab = f"{'k-means' if name == 'k' else 'EM'}, start of mean {j + 1}"
        pen.points(
            panel, f"{name} from {j}", *way[:1].T, color="paper", edge=ROLES[j], width=2.8, size=12.5, z=3.7, grab=grab
        )
        if len(steps) > 1:
            pen.points(panel, f"{name} mean {j}", *way[-1:].T, color=ROLES[j], shape=SHAPES[j], size=22, width=3, z=4)


def _hills(pen, panel, means, covariances, named=False):
    """Each component as a hill: what lies within σ and 2σ of its mean."""
    for j, (mean, covariance) in enumerate(zip(means, covariances)):
        root = np.linalg.cholesky(covariance)
        for times, fill, edge in ((2, 0.10, 0.5), (1, 0.15, 1)):
            look = {"color": ROLES[j], "edge": ROLES[j], "width": 2, "alpha": edge, "fill": fill / edge}
            pen.ellipse(panel, f"hill {times} {j}", mean, times * root, z=1.1, **look)
    if not named:
        return
    reach = np.linalg.cholesky(covariances[0]) @ [np.cos(np.radians(218)), np.sin(np.radians(218))]
    low, high = panel.x
    apart = np.hypot(*reach) * panel.scale  # pixels between the two rings, there
    for times, words in ((1, "σ"), (2, "2σ")):
        x, y = means[0] + times * reach
        seen = low + 0.4 < x < high - 0.4 and low + 0.4 < y < high - 0.4
        if seen and (times == 2 or apart > 30):
            look = {"size": SMALL, "color": "case", "halo": "case_wash"}
            pen.text(panel, f"say {words}", x, y, words, ha="center", va="center", **look)


def _shares(pen, panel, X, shares):
    """A point that is not decided is a pie of its shares, over the disc of its largest one."""
    ends = np.column_stack([np.zeros(len(X)), shares.cumsum(axis=1)])
    open_ = shares.max(axis=1, keepdims=True) < SURE
    for j in range(shares.shape[1]):
        start, end = ends[:, j], np.where(open_[:, 0] & (shares.argmax(axis=1) != j), ends[:, j + 1], ends[:, j])
        pen.wedges(panel, f"shares {j}", *X.T, start, end, color=ROLES[j], size=11.4)


# Penguins

SPECIES = ("Adelie", "Chinstrap", "Gentoo")
MEASURES = ("bill length", "bill depth", "flipper length", "body mass")
RUNS = {  # (method, unit) -> the random state of its best fit, its name, what it sees, its place in the list of scores
    ("k-means", "g"): (21, "k-means in grams", "slices of weight", "in grams"),
    ("k-means", "kg"): (0, "k-means in kilograms", "mostly slices of flipper", "in kilograms"),
    ("k-means", "standard"): (0, "k-means, standardised", "all count alike", "standardised"),
    ("EM", "standard"): (10, "EM with ellipses", "each group its own shape", "full ellipses"),
}
STRIPS = {"g": 3, "kg": 2, "standard": 3}  # the measure that weighs most
SWELLS = (1, 1.12, 0.9)  # so that circle, triangle and square look equally large
SCALES = {3: ((2560, 6440), (3000, 4000, 5000, 6000), "g"), 2: ((169, 234), (180, 200, 220), "mm")}


@cache
def _penguins():
    """(the four measures, the number of each bird's species, its sex)."""
    table = tables.load_penguins()
    return table.iloc[:, 2:].to_numpy(float), table["species"].map(SPECIES.index).to_numpy(), table["sex"].to_numpy()


def _in_units(X, unit):
    return (X - X.mean(axis=0)) / X.std(axis=0) if unit == "standard" else X / [1, 1, 1, {"g": 1, "kg": 1000}[unit]]


@cache
def _rounds(method, unit):
    """(the species that each bird's group is named after, means, covariances or None, what was reached) after each round."""
    X, truth, _ = _penguins()
    Z, draw = _in_units(X, unit), RUNS[method, unit][0]
    spread = X.std(axis=0) / Z.std(axis=0)
    middle = X.mean(axis=0) - Z.mean(axis=0) * spread
    if method == "EM":
        options = {"init_params": "k-means++", "tol": 3e-7, "random_state": draw, "history": True}
        history = [each for each in GaussianMixture(3, **options).fit(Z).history_ if each.kind == "E"]
        found = [
            (each.responsibilities.argmax(axis=1), each.means, each.covariances, each.log_likelihood)
            for each in history
        ]
    else:
        history = KMeans(3, tol=0, random_state=draw, history=True).fit(Z).history_
        found = [(each.labels, each.means, None, each.cost) for each in history if each.kind == "move"]
    named = mixtures.best_naming(found[-1][0], truth)
    order = sorted(named, key=named.get)
    return [
        (
            np.array([named[group] for group in groups.tolist()]),
            (means * spread + middle)[order],
            None if wide is None else (wide * np.outer(spread, spread))[order],
            reached,
        )
        for groups, means, wide, reached in found
    ]


def _misplaced(method, unit):
    """How many birds are with the wrong species at the end."""
    return int((_rounds(method, unit)[-1][0] != _penguins()[1]).sum())


@cache
def _swarm(measure, length, radius):
    """Where the birds stand on a strip of this length: (along it, away from its middle) in pixels, none on another."""
    X, (low, high) = _penguins()[0], SCALES[measure][0]
    along, away = (X[:, measure] - low) / (high - low) * length, np.zeros(len(X))
    done = []
    for i in np.argsort(along, kind="stable"):
        near = [j for j in done if along[i] - along[j] < 2 * radius]
        room = [(away[j], np.sqrt(4 * radius**2 - (along[i] - along[j]) ** 2)) for j in near]
        free = [
            at
            for at in [0.0, *(a + s * b for a, b in room for s in (1, -1))]
            if all(abs(at - a) > b - 1e-6 for a, b in room)
        ]
        away[i] = min(free, key=abs)
        done.append(i)
    return along, away


@player(
    (50, 56, 424, 318),
    (548, 56, 144, 318),
    (718, 56, 160, 318),
    size=(900, 438),
    narrow=((390, 574), (38, 48, 336, 236), (16, 354, 358, 98), (16, 504, 358, 60)),
    history=lambda method, unit: [None, *_rounds(method, "standard" if method == "EM" else unit)],
    step="last",
    pace=600,
    interval=900,
    controls={
        "method": Choice("method", (("k-means", "k-means"), ("EM, full ellipses", "EM")), "k-means"),
        "unit": Choice("mass", (("g", "g"), ("kg", "kg"), ("all standardised", "standard")), "g"),
        "behind": Choice("behind the tear", (("nothing", None), ("species", "species"), ("sex", "sex")), "species"),
    },
    unlocks={"10/best-of-hour": ["method", "behind"]},
    looks={
        "ground": {"color": "mist", "z": 0},
        "slice": {"z": 0.2},
        "cut": {"color": "muted", "width": 1.6, "z": 0.4},
        "species": {"bold": True, "halo": "mist"},
        "count": {"size": HERO, "bold": True},
        "track": {"color": "mist"},
        "score": {"z": 1.1},
        "tick": {"size": SMALL, "color": "muted"},
        "torn": {"color": "mist", "z": 0.1},
        "cell": {"size": SMALL, "ha": "right"},
    },
)
def penguin_groups(pen, plane, strip, scores, history, step, method, unit, behind):
    """342 penguins of three species: what k-means or EM makes of their measures, and what was behind the tear."""
    wide = pen.size[0] > 560
    X, truth, sex = _penguins()
    now, done = history[step], step == len(history) - 1
    unit = "standard" if method == "EM" else unit  # full ellipses stretch with the axes
    _, name, clause, _ = RUNS[method, unit]
    plane.limits((31, 61), (12.6, 22.5 if wide else 23.3))
    pen.bar(plane, "ground plane", 31, 12.6, 30, 11, z=0, clip=True)
    size = 8.4 if wide else 6.6

    # Every bird keeps its place; the colour is its group's, and what it is called where we may look
    looks = [{"color": "muted", "size": size, "edge": "mist"}]
    looks += [{"color": ROLES[k], "shape": SHAPES[k], "size": size * SWELLS[k], "edge": "mist"} for k in range(3)]
    looks += [
        {**each, "color": "paper", "edge": each["color"], "width": 1.7, "size": each["size"] - 1} for each in looks
    ]
    of = np.zeros(len(X), int) if now is None else 1 + now[0]
    if behind == "sex" and now is not None:
        of = np.where(sex == "unknown", 0, of + 4 * (sex == "female"))
    pen.points(plane, "birds", X[:, 0], X[:, 1], of=of, looks=looks)
    told = done and behind is not None
    wrong = (now[0] != truth) & (behind == "species") if done else np.zeros(len(X), bool)
    ring = {"color": None, "edge": "ink", "width": 1.4, "size": size + 4.2}
    pen.points(plane, "wrong", X[:, 0], X[:, 1], of=wrong, looks=[{**ring, "edge": None, "width": 0}, ring], z=3.5)
    if now is not None and now[2] is not None:
        _hills(pen, plane, now[1][:, :2], now[2][:, :2, :2])
    if now is not None and behind != "sex":
        for k in range(3):
            pen.points(
                plane,
                f"mean {k}",
                *now[1][k : k + 1, :2].T,
                color=ROLES[k],
                shape=SHAPES[k],
                size=20 if wide else 15,
                width=2.6,
                z=4,
            )
    if told:
        for k, (x, y, ha) in enumerate(((34.6, 14.4, "center"), (60.5, 21.4, "right"), (60.5, 13.5, "right"))):
            pen.text(
                plane, f"species {k}", x, y + (0.7 if k == 1 and not wide else 0), SPECIES[k], ha=ha, color=ROLES[k]
            )
    for value in (35, 40, 45, 50):
        if wide or value < 45:
            pen.text(plane, f"tick x{value}", value, 12.6, f"{value}", dy=-10, ha="center", va="top")
    for value in (14, 16, 18, 20):
        pen.text(plane, f"tick y{value}", 31, value, f"{value}", dx=-8, ha="right", va="center")
    pen.text(plane, "tick xname", 61, 12.6, "bill length, mm", dy=-10, ha="right", va="top")
    pen.text(plane, "tick yname", 31, plane.y[1], "bill depth, mm", dx=8, dy=-18)
    if now is None:
        pen.head(plane, f"{len(X)} penguins", "three species, names torn off" if wide else "names torn off", y=18)
        _torn_page(pen, strip, X)
        return "342 penguins by the length and depth of their bills. Three species, names torn off."

    # The same birds on the measure that weighs most
    measure = STRIPS[unit]
    weighs = _in_units(X, unit).var(axis=0)
    share = weighs[measure] / weighs.sum()
    (low, high), ticks, unit_name = SCALES[measure]
    length, across = (strip.box[3], strip.box[2]) if wide else (strip.box[2], strip.box[3])
    along, away = _swarm(measure, length, 2.75 if wide else 2.05)

    def place(along, away):
        return (away, along) if wide else (along, away)

    if wide:
        strip.limits((-across / 2, across / 2), (0, length))
    else:
        strip.limits((0, length), (-across / 2, across / 2))

    def slab(name, start, end, **look):
        corners = [
            place(a, b) for a, b in ((start, -across / 2), (end, -across / 2), (end, across / 2), (start, across / 2))
        ]
        pen.area(strip, name, corners, **look)

    slab("ground strip", 0, length)
    if (method, unit) == ("k-means", "g"):  # here a group is a slice: where one ends and the next begins
        order = np.argsort(now[1][:, 3])
        cuts = [along[now[0] == a].max() / 2 + along[now[0] == b].min() / 2 for a, b in zip(order, order[1:])]
        for k, start, end in zip(order, [0, *cuts], [*cuts, length]):
            slab(f"slice {k}", start, end, color=f"{ROLES[k]}_wash")
        for n, cut in enumerate(cuts):
            pen.line(strip, f"cut {n}", *np.transpose([place(cut, -across / 2), place(cut, across / 2)]))
    small = [{**each, "size": 0.65 * each["size"], "width": 0.3} for each in looks]
    small[4:] = [{**each, "size": 0.9 * each["size"], "width": 1.1} for each in small[4:]]
    pen.points(strip, "birds by measure", *place(along, away), of=of, looks=small)
    for value in ticks:
        at = (value - low) / (high - low) * length
        look = {"dx": -8, "ha": "right", "va": "center"} if wide else {"dy": -10, "ha": "center", "va": "top"}
        pen.text(strip, f"tick {MEASURES[measure]}:{value}", *place(at, -across / 2), f"{value:,}", **look)
    head = {"color": "muted"} if wide else {"color": "muted", "size": SMALL}
    said = f"{share:.2%}" if share > 0.99 else f"{share:.0%}"
    said = f"{said} of the squared distances" if method == "k-means" else "same best fit in g, kg, standardised"
    short = said.replace("squared distances", "distance").replace(", standardised", "")
    pen.head(strip, MEASURES[measure] + ("" if wide else f", {unit_name}"), unit_name if wide else short, y=18, **head)
    if wide:
        pen.text(
            strip, "share", -across / 2, 0, said.replace(" the ", " the\n").replace("in g", "in\ng"), dy=-46, size=SMALL
        )

    # Words and scores
    last = len(history) - 1
    if behind == "sex":
        clause = "full: males, hollow: females"
    elif not done:
        clause = f"round {step} of {last}"
    if wide:
        pen.head(plane, name, clause, y=18)
    else:
        count = f"{_misplaced(method, unit)} wrong" if told else clause if not done else ""
        pen.text(plane, "0 head", plane.x[0], plane.y[1], name, dy=18, bold=True)
        pen.text(plane, "head count", plane.x[1], plane.y[1], count, dy=18, ha="right", bold=True)
    _scores(pen, scores, (method, unit), told, wide)
    if told and wide and pen.guess is not None:
        pen.text(scores, "guess", 0, 66, f"you said {pen.guess:g}", size=SMALL, color="belief")
        row = list(RUNS).index((method, unit))
        at, y = 160 * pen.guess / len(X), _row(row) + 11
        pen.line(scores, "ghost", [at, at], [y - 7, y + 7], color="prior", width=4, z=1.4)
    sizes = _list(np.bincount(now[0], minlength=3))
    reached = f"cost {now[3]:.1f}" if method == "k-means" else f"log-likelihood {_minus(f'{now[3]:.1f}')}"
    if not done:
        return f"{name}, round {step} of {last}: groups of {sizes} birds, {reached}."
    if behind == "sex":
        return f"{name}, the best fit: groups of {sizes} birds, {reached}. Inside each cloud the males sit to one side."
    if behind is None:
        return f"{name}, the best fit: groups of {sizes} birds, {reached}."
    others = ", ".join(f"{_misplaced(*run)} {where}" for run, (*_, where) in list(RUNS.items())[:3])
    others = f". k-means: {others}" if method == "EM" else ""
    return f"{name}, the best fit: groups of {sizes} birds, {reached}. {wrong.sum()} of {len(X)} are with the wrong species{others}."


def _torn_page(pen, panel, X):
    """Some rows of the table, where its last column was torn off."""
    panel.limits((0, panel.box[2]), (panel.box[3], 0))
    count = 7 if pen.size[0] > 560 else 3
    foot = 104 + 28 * count
    ragged = [(314 + 7 * (-1) ** k + 5 * (k % 3), foot * k / 13) for k in range(14)]
    pen.area(panel, "torn", [(0, 0), *ragged, (0, foot)], clip=False)
    for k, (name, unit, form) in enumerate(zip(MEASURES, ("mm", "mm", "mm", "g"), (".1f", ".1f", ".0f", ",.0f"))):
        for line, words in enumerate((*name.split(), unit)):
            pen.text(panel, f"cell {k}{words}", 74 + 72 * k, 30 + 21 * line, words, color="muted")
        for row, value in enumerate(X[:: len(X) // count][:count, k]):
            pen.text(panel, f"cell {k}{row}", 74 + 72 * k, 108 + 28 * row, f"{value:{form}}")


def _row(row):
    """The baseline of a row of scores; EM stands apart."""
    return 124 + 48 * row + (34 if row == 3 else 0)


def _scores(pen, panel, now, told, wide):
    """How many birds are with the wrong species: the present number large, and the list of what has been tried."""
    panel.limits((0, panel.box[2]), (panel.box[3], 0))
    count = f"{_misplaced(*now)}" if told else "?"
    if wide:
        pen.text(panel, "count", -2, 37, count)
        pen.text(panel, "of all", 0, 15, "of 342", dx=10, after="count")
        pen.text(panel, "wrong all", 0, 37, "wrong", dx=10, after="count")
    for row, (run, (*_, words)) in enumerate(RUNS.items()):
        seen = told and (now[0] == "EM" or run[0] == "k-means")
        on, wrong = run == now, _misplaced(*run)
        look = {"color": "ink" if on else "muted", "bold": on, "size": SMALL}
        if not wide:
            x = (0, 96, 196, 280)[row]
            value, short = f"{wrong}" if seen else "–", ("g", "kg", "stand.", "EM")[row]
            pen.text(panel, f"score of {row}", x, 24, value, **{**look, "size": HEAD, "bold": True})
            pen.text(panel, f"score name {row}", x, 46, short, **look)
            continue
        y = _row(row)
        if row in (0, 3):
            pen.text(panel, f"score head {row}", 0, y - 29, run[0], size=SMALL, color="muted")
        pen.text(panel, f"score name {row}", 0, y, words, **look)
        pen.bar(panel, f"track {row}", 0, y + 14, 160, -6)
        if seen:
            pen.text(panel, f"score of {row}", 160, y, f"{wrong}", ha="right", **{**look, "bold": True})
            look = {"color": "ink" if on else "muted", "grow": "x"}
            pen.bar(panel, f"score {row}", 0, y + 14, 160 * wrong / 342, -6, **look)


# Start after start

STARTED = {"k-means": None, "EM, σ = 0.7 known": ("known", "equal"), "EM, full ellipses": ("full", "learned")}
TRIES, NEAR, ROW = 60, 5, 6  # ends that are closer than NEAR make one pile; dots in a row of it


@cache
def _run(method, how, number):
    """One start and where it ended: (the starting means, the means, covariances and weights or None, cost or ℓ)."""
    X = _plane("three blobs")[0]
    hard = KMeans(3, init=how, tol=0, random_state=number, history=True).fit(X)
    start = hard.history_[0].means
    if STARTED[method] is None:
        return start, hard.cluster_centers_, None, hard.inertia_
    fit = GaussianMixture(3, *STARTED[method], sigma=0.7, means_init=start, tol=1e-6).fit(X)
    return start, fit.means_, (fit.covariances_, fit.weights_), fit.log_likelihood_


@cache
def _piles(method, how):
    """(for each start the number of its pile, the ends of each pile), the best pile first."""
    ends = np.array([_run(method, how, number)[3] for number in range(TRIES)])
    order = np.argsort(ends if method == "k-means" else -ends, kind="stable")
    pile = np.empty(TRIES, int)
    pile[order] = np.r_[0, np.cumsum(np.abs(np.diff(ends[order])) > NEAR)]
    return pile, [ends[pile == k] for k in range(pile.max() + 1)]


@player(
    (14, 55, 336, 336),
    (396, 55, 484, 336),
    size=(902, 405),
    narrow=((390, 780), (16, 44, 358, 358), (16, 440, 358, 336)),
    history=range(TRIES + 1),
    step="last",
    interval=500,
    controls={
        "method": Choice("method", tuple(STARTED), "k-means"),
        "how": Choice("start", (("random points", "random"), ("k-means++", "k-means++")), "random"),
    },
    presets={
        "60 random starts": {"how": "random", "step": TRIES},
        "60 of k-means++": {"how": "k-means++", "step": TRIES},
    },
    looks={
        "dots": {"size": 9.7},
        "trail": {"width": 2.8, "z": 3.6},
        "from": {"color": "paper", "width": 2.8, "size": 12.5, "z": 3.7},
        "mean": {"size": 22, "width": 3, "z": 4},
        "end": {"bold": True, "ha": "center"},
        "end name": {"size": SMALL, "color": "muted", "ha": "center"},
        "count": {"size": HERO, "bold": True},
    },
)
def em_starts(pen, plane, piles, step, method, how):
    """Start after start on three blobs: where each ended, and how many ended there."""
    X, (low, high) = _plane("three blobs")[0], LIMITS["three blobs"]
    plane.limits((low, high), (low, high))
    pen.bar(plane, "ground", low, low, high - low, high - low, color="mist", z=0)
    start, means, rest, end = _run(method, how, max(step - 1, 0))
    shares = np.eye(3)[mixtures.nearest(X, means)] if rest is None else mixtures.e_step(X, means, *rest)[0]
    order = np.lexsort((means[:, 1].round(3), means[:, 0].round(3)))  # names do not jump from start to start
    looks = [{"color": ROLES[k], "shape": SHAPES[k]} for k in range(3)] + [{"color": "muted"}]
    pen.points(plane, "dots", *X.T, of=np.argsort(order)[shares.argmax(axis=1)] if step else [3] * len(X), looks=looks)
    if step and rest is not None:
        _hills(pen, plane, means[order], rest[0][order])
    for k, j in enumerate(order if step else []):
        pen.line(plane, f"trail {k}", *np.transpose([start[j], means[j]]), color=ROLES[k])
        pen.points(plane, f"from {k}", *start[[j]].T, edge=ROLES[k])
        pen.points(plane, f"mean {k}", *means[[j]].T, color=ROLES[k], shape=SHAPES[k])

    # Every start is a dot; it waits at the right, and drops on the pile of its end
    pile, ends = _piles(method, how)
    stuck, pitch, foot = int((pile[:step] > 0).sum()), 19 if pen.size[0] < 560 else 22, 282
    width = piles.box[2] - 2.6 * pitch
    number = np.arange(TRIES)
    x, y = piles.box[2] - pitch * (0.6 + number % 2), foot - 14 - 9.3 * (number // 2)
    for k, values in enumerate(ends):
        mine = np.flatnonzero(pile[:step] == k)
        middle = width * (k + 0.5) / len(ends)
        x[mine] = middle + pitch * (np.arange(len(mine)) % ROW - (min(ROW, len(values)) - 1) / 2)
        y[mine] = foot - 14 - pitch * (np.arange(len(mine)) // ROW)
        if len(mine):
            apart = np.ptp(values) > 0.05
            told = f"about {_minus(f'{values.mean():.0f}')}" if apart else _minus(f"{values[0]:.1f}")
            pen.text(piles, f"end {k}", middle, foot + 24, told)
            pen.text(piles, f"end name {k}", middle, foot + 46, f"{len(mine)} of {step}")
    looks = [
        {"color": "rule", "size": 6},
        {"color": "best", "size": 0.8 * pitch},
        {"color": "ink", "size": 0.8 * pitch},
    ]
    of = np.where(number < step, np.where(pile == 0, 1, 2), 0)
    pen.points(piles, "runs", x, y, of=of, looks=looks)
    pen.line(piles, "foot", (0, width), (foot, foot), color="muted", width=1, clip=False)
    if step:
        pen.points(
            piles, "last", x[step - 1 : step], y[step - 1 : step], color=None, edge="belief", width=2, size=pitch + 2
        )
        pen.text(piles, "count", 0, 30, f"{stuck}")
        pen.text(piles, "count of", 0, 30, f"of {step} stuck", dx=10, after="count", size=LABEL)
    name = "cost" if method == "k-means" else "log-likelihood"
    pen.head(plane, method, f"start {step}" if step else "three blobs")
    pen.text(piles, "name", width, 0, f"{name} at the end", dy=12, ha="right", color="muted")
    drawn = "three random points" if how == "random" else "k-means++"
    if not step:
        return f"{method} on three blobs, started from {drawn}. No start yet: press forward."
    return (
        f"{method}, start {step} of {TRIES} from {drawn}: {_places(start)}. It ended at {end:.1f}, "
        f"{'stuck' if pile[step - 1] else 'the best end'}. So far {stuck} of {step} starts got stuck, {stuck / step:.0%}."
    )


# The reader's own points

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
GROUPERS = {"k-means": None, "EM, round": "spherical", "EM, full ellipses": "full"}
MOST, LEAST = 120, 8  # rows


@lru_cache(64)
def _own_fits(method, points):
    """(groups, cost or BIC) for one to five groups: a few starts each, so that the picture follows."""
    X, found, options = np.array(points), [], {"n_init": 3, "random_state": 0, "max_iter": 60}
    for k in range(1, 6):
        if GROUPERS[method] is None:
            fit = KMeans(k, tol=0, **options).fit(X)
            found.append((fit.labels_, fit.inertia_))
        else:
            fit = GaussianMixture(k, GROUPERS[method], init_params="k-means++", tol=3e-7, **options).fit(X)
            found.append((fit.predict(X), fit.bic_score(X)))
    return found


@figure(
    (60, 44, 470, 308),
    (620, 44, 260, 308),
    size=(900, 410),
    narrow=((390, 640), (40, 44, 334, 270), (16, 400, 358, 230)),
    controls={
        "text": Text("your points", LEAVES, lines=3, file=True),
        "method": Choice("method", tuple(GROUPERS), "k-means"),
        "k": Slider("groups k", 1, 5, 2),
        "times": Choice("second column", tuple(TIMES), "as typed"),
    },
    presets={
        "k-means": {"method": "k-means", "times": "as typed", "k": 2},
        "k-means, second × 0.1": {"method": "k-means", "times": "× 0.1", "k": 2},
        "EM, full": {"method": "EM, full ellipses", "times": "× 0.1", "k": 2},
    },
    keys=steer.by("k"),
    help="Type or paste two columns with their names, or read them from a file; left and right arrows change k.",
    main=("k",),
    looks={
        "dots": {"size": 9.7},
        "row": {"size": SMALL},
        "track": {"color": "mist"},
        "bar": {"color": "muted", "z": 1.1, "grow": "x"},
        "tick": {"color": "muted", "size": SMALL},
    },
)
def own_groups(pen, plane, scores, text, method, k, times):
    """Two columns of numbers that the reader brings: groups by k-means or EM, and what the unit of the second column does."""
    table = user_data.table(text, most_rows=MOST)
    names = table.columns[:2]
    X = np.column_stack([user_data.number_column(table, each) for each in names])
    if len(found := np.unique(X, axis=0)) < LEAST:
        raise ValueError(f"your table must have at least {LEAST} different rows, got {len(found)}")
    fits = _own_fits(method, tuple(map(tuple, (X * [1, TIMES[times]]).tolist())))
    groups, values = fits[k - 1][0], np.array([value for _, value in fits])

    low, high = X.min(axis=0), X.max(axis=0)
    room = 0.06 * (high - low) + (high == low)
    plane.limits(*zip(low - room, high + room))
    pen.bar(plane, "ground", *(low - room), *(high - low + 2 * room), color="mist", z=0)
    looks = [{"color": ROLES[j], "shape": SHAPES[j]} for j in range(5)]
    pen.points(plane, "dots", *X.T, of=groups, looks=looks)
    for end, (x, y) in {"low": low, "high": high}.items():
        if end == "low" or high[0] > low[0]:
            pen.text(plane, f"tick x{end}", x, plane.y[0], f"{x:g}", dy=-10, ha="center", va="top")
        if end == "low" or high[1] > low[1]:
            pen.text(plane, f"tick y{end}", plane.x[0], y, f"{y:g}", dx=-8, ha="right", va="center")
    across, up = (user_data.plain(each, 20) for each in names)
    pen.text(plane, "x name", plane.x[1], plane.y[0], across, dy=-34, ha="right", va="top", color="muted", size=SMALL)
    pen.text(plane, "y name", plane.x[0], plane.y[1], up, dy=12, color="muted", size=SMALL)
    pen.text(plane, "head", plane.x[1], plane.y[1], method, dy=12, ha="right", size=LABEL, bold=True)

    # What each number of groups scores: the share of the squared distances between groups, or BIC
    hard = GROUPERS[method] is None
    best = int(values.argmax())
    heights = 1 - values / (values[0] or 1) if hard else (values - values.min()) / (np.ptp(values) or 1)
    told = [f"{each:.1%}" if hard else _minus(f"{each:.1f}") for each in (heights if hard else values)]
    panel_width = scores.box[2]
    scores.limits((0, panel_width), (scores.box[3], 0))
    what = "squared distances between" if hard else "BIC, higher is better"
    pen.text(scores, "tick what", 0, -10, what)
    for row, (height, words) in enumerate(zip(heights, told)):
        y, on = 26 + 46 * row, row == k - 1
        look = {"bold": on, "color": "ink" if on else "muted"}
        name = f"k = {row + 1}" + (" · best of these" if not hard and row == best else "")
        pen.text(scores, f"row {row}", 0, y, name, **look)
        pen.text(scores, f"row {row}:", panel_width, y, words, ha="right", **look)
        pen.bar(scores, f"track {row}", 0, y + 14, panel_width, -6)
        pen.bar(scores, f"bar {row}", 0, y + 14, panel_width * height, -6, color="ink" if on else "muted")
    sizes = _list(np.bincount(groups, minlength=k))
    says = (
        f"Of all squared distances {told[k - 1]} lie between the groups."
        if hard
        else f"BIC = {told[k - 1]}; of these fits it is highest at k = {best + 1}."
    )
    return f"{len(X)} points, second column {times}. {method}, k = {k}: groups of {sizes}. {says}"


# What a step says in words


def _wrong(labels, component):
    """The points that are not with most of their own: each component is named after the majority in it."""
    named = {j: np.bincount(component[labels == j]).argmax() for j in np.unique(labels)}
    return np.flatnonzero(np.array([named[j] for j in labels]) != component).tolist()


def _short(left, right):
    """What the step did, short enough to stand over a panel."""
    hard, soft = left[-1], right[-1]
    moved = {"start": "start", "move": "the means move", "assign": f"{hard.changed} change side"}[hard.kind]
    undecided = 0 if soft.kind == "start" else int((soft.responsibilities.max(axis=1) < SURE).sum())
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
    point, undecided = int(shares.max(axis=1).argmin()), int((shares.max(axis=1) < SURE).sum())
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
