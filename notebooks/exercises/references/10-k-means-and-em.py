"""Exercise 10: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math

import data
import numpy as np


def _log_joint(x, means, weights, sigma):
    with np.errstate(divide="ignore"):
        logs = np.log(weights)
    return logs - (x[:, None] - means) ** 2 / (2 * sigma**2) - math.log(sigma * math.sqrt(2 * math.pi))


def _log_sum(logs):
    top = logs.max(axis=1, keepdims=True)
    return top + np.log(np.exp(logs - top).sum(axis=1, keepdims=True))


def _soft(x, means, weights, sigma):
    logs = _log_joint(x, means, weights, sigma)
    return np.exp(logs - _log_sum(logs))


def _hard(x, means, weights, sigma):
    shares = _soft(x, means, weights, sigma)
    return (shares == shares.max(axis=1, keepdims=True)).astype(float)


def _plain(x, means, weights, sigma):
    """Densities as they are: 0/0 far out."""
    joint = np.exp(_log_joint(x, means, weights, sigma))
    with np.errstate(invalid="ignore"):
        return joint / joint.sum(axis=1, keepdims=True)


def _climb(x, means, weights, sigma, steps, share=_soft, total=None, learn=True):
    x, means, weights = np.array(x, float), np.array(means, float), np.array(weights, float)
    totals = [float(_log_sum(_log_joint(x, means, weights, sigma)).sum())]
    for _ in range(steps):
        shares = share(x, means, weights, sigma)
        count = shares.sum(axis=0)
        below = count if total is None else np.full(len(count), total(x))
        sums = (shares * x[:, None]).sum(axis=0)
        means = np.where(count == 0, means, sums / np.where(count == 0, 1, below))
        weights = count / len(x) if learn else weights
        totals.append(float(_log_sum(_log_joint(x, means, weights, sigma)).sum()))
    return {"means": means.tolist(), "weights": weights.tolist(), "log_likelihood": totals}


def em(x, means, weights, sigma, steps):
    return _climb(x, means, weights, sigma, steps)


def _even(x, means, weights, sigma):
    return _soft(x, means, np.full(len(means), 1 / len(means)), sigma)


def draw_line(random, least=1):
    k = int(random.integers(2, 4))
    centres = random.uniform(0, 6, k)
    x = random.normal(random.choice(centres, int(random.integers(6, 14))), 1).round(2)
    weights = (random.dirichlet([3] * k) * 0.9 + 0.1 / k).round(3)
    weights[0] = round(1 - weights[1:].sum(), 3)
    means = (np.sort(random.uniform(0, 6, k)) + np.arange(k)).round(1)
    return (
        x.tolist(),
        means.tolist(),
        weights.tolist(),
        float(random.choice([0.8, 1.0, 1.5])),
        int(random.integers(least, 5)),
    )


def draw_far(random):
    """One point so far out that all densities there are 0 in a computer."""
    x, means, weights, sigma, steps = draw_line(random)
    return [*x, float(random.choice([-1, 1])) * float(random.integers(80, 120))], means, weights, sigma, steps


def draw_lonely(random):
    """A component so far away that its shares are 0 in a computer."""
    x, means, weights, sigma, steps = draw_line(random)
    return x, [*means[:-1], 500.0 + float(random.integers(100))], weights, sigma, steps


def _away(points, means):
    return np.square(np.array(points, float)[:, None, :] - np.array(means, float)).sum(axis=2)


def _lloyd(points, means, most=1000, empty=lambda mean: mean, tie=1):
    means, owner = np.array(means, float), None
    for done in range(most + 1):
        away = _away(points, means)
        nearest = away.argmin(axis=1) if tie == 1 else len(means) - 1 - away[:, ::-1].argmin(axis=1)
        if (owner is not None and (nearest == owner).all()) or done == most:
            break
        owner = nearest
        means = np.array(
            [
                np.array(points, float)[owner == j].mean(axis=0) if (owner == j).any() else empty(m)
                for j, m in enumerate(means)
            ]
        )
    return [tuple(mean) for mean in means.tolist()], float(away.min(axis=1).sum())


def k_means(points, means):
    return _lloyd(points, means)


def _unsquared(points, means):
    end, _ = _lloyd(points, means)
    return end, float(np.sqrt(_away(points, end).min(axis=1)).sum())


def draw_plane(random):
    """Points on a fine grid with starts that need more than one pass."""
    while True:
        k = int(random.integers(2, 4))
        centres = random.uniform(0, 10, (k, 2))
        points = [tuple(p) for p in (random.choice(centres, 12) + random.normal(0, 1.3, (12, 2))).round(2).tolist()]
        means = points[:k]
        if _lloyd(points, means) != _lloyd(points, means, 1):
            return points, means


def draw_empty(random):
    """A start so far away that it wins no point, and two points in the middle between the other means."""
    a, b = int(random.integers(0, 4)), int(random.integers(6, 9)) * 2
    y = int(random.integers(-3, 4))
    middle = (2 * a + b) / 2
    points = [(a, y), (a + b, y), (middle, y + 1), (middle, y - 1), (a, y + 2)]
    return points, [(a, y), (a + b, y), (100 + a, 100)]


def _share(student, weigh=True, scale=True, hard=False):
    bags = data.bags(student)
    joint = [
        (weight if weigh else 1) / (sigma if scale else 1) * math.exp(-((bags["bag"] - mean) ** 2) / (2 * sigma**2))
        for weight, mean, sigma in zip(bags["weights"], bags["means"], bags["sigmas"])
    ]
    return float(joint[0] > joint[1]) if hard else joint[0] / sum(joint)


def _by_distance(student):
    bags = data.bags(student)
    near, far = (1 / abs(bags["bag"] - mean) for mean in bags["means"])
    return near / (near + far)


LINE = [1.0, 1.6, 2.1, 2.4, 3.4, 4.2, 5.1, 5.8, 6.3, 7.1]
FOUR = [(0, 0), (2, 0), (9, 0), (11, 0)]

TASKS = {
    "em": {
        "kind": "function",
        "points": 4,
        "arguments": "x, means, weights, sigma, steps",
        "solve": em,
        "keys": ["means", "weights", "log_likelihood"],
        "cases": [
            ([0.0, 4.0, 4.5], [1.0, 3.0], [0.7, 0.3], 1.0, 1),
            (LINE, [3.0, 4.0], [0.5, 0.5], 1.0, 3),
            ([0.0, 1.0, 90.0], [0.0, 2.0], [0.4, 0.6], 1.0, 2),
            ([0.0, 1.0], [0.5, 300.0], [0.5, 0.5], 1.0, 1),
        ],
        "checks": [
            {"says": "two or three components, a few steps", "points": 2, "draw": draw_line, "times": 5},
            {"says": "a point far from everything", "points": 1, "draw": draw_far, "times": 3},
            {"says": "a component to which nobody gives a share", "points": 1, "draw": draw_lonely, "times": 3},
        ],
        "mistakes": {
            "no-logs": lambda *case: _climb(*case, share=_plain),
            "hard-share": lambda *case: _climb(*case, share=_hard),
            "forgotten-weights": lambda *case: _climb(*case, share=_even),
            "divide-by-all": lambda *case: _climb(*case, total=len),
            "weights-stay": lambda *case: _climb(*case, learn=False),
        },
        "hint": "Keep logarithms: ln π + the exponent for each component, and take the largest away before you exponentiate. The shares of a point sum to 1; a mean divides by the sum of its own shares.",
        "right": "E step and M step, and a likelihood that never falls.",
    },
    "k_means": {
        "kind": "function",
        "points": 2,
        "arguments": "points, means",
        "solve": k_means,
        "cases": [
            ([(0, 0), (1, 0), (2, 0), (9, 0), (11, 0)], [(0, 0), (1, 0)]),
            (FOUR, [(1, 0), (10, 0), (50, 50)]),
            ([(0, 0), (4, 0), (2, 1), (0, 3)], [(0, 0), (4, 0)]),
        ],
        "checks": [
            {"says": "several passes", "points": 1, "draw": draw_plane, "times": 5},
            {"says": "a mean without points, and points in the middle", "points": 1, "draw": draw_empty, "times": 4},
        ],
        "mistakes": {
            "one-pass": lambda points, means: _lloyd(points, means, 1),
            "empty-cluster": lambda points, means: _lloyd(points, means, empty=lambda mean: 0 * mean),
            "unsquared-cost": _unsquared,
            "The task says how ties are broken: the first of equal candidates is taken.": lambda points, means: _lloyd(
                points, means, tie=-1
            ),
        },
        "hint": "Two lines in a loop: the number of the nearest mean for every point, then the averages. Go on until the numbers stay the same.",
        "right": "Assign, average, again, until nothing changes: the cost has never risen.",
    },
    "share": {
        "kind": "number",
        "points": 1,
        "solve": _share,
        "varies": True,
        "probability": True,
        "mistakes": {
            "forgotten-weights": lambda student: _share(student, weigh=False),
            "class-constant": lambda student: _share(student, scale=False),
            "distance-share": _by_distance,
            "other-answer": lambda student: 1 - _share(student),
        },
        "hint": "Weight times density for each machine, divided by the sum of both. A density has its own σ twice: in the exponent and in front.",
        "right": "A broad machine is low everywhere, and an exact one high near its mean.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "B",
        "mistakes": {"A": "q-is-likelihood", "C": "q-is-likelihood", "D": "em-lowers"},
        "hint": "Look where the two curves touch, and which of them has its top at 1.",
        "right": "The bound touches at h and pushes the likelihood up at h′.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: equal means and weights give shares of one half everywhere, so both means become the average of the data and stay there: a fixed point.",
            "1 point: never falling does not mean the top (a saddle, or a local maximum); start from different means, several times, and keep the best.",
        ],
    },
}
