"""Exercise 10: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from functools import partial

import data
import numpy as np


def _log_joint(x, means, weights, sigmas, exponent=2):
    with np.errstate(divide="ignore"):
        logs = np.log(weights)
    return logs - (x[:, None] - means) ** 2 / (2 * sigmas**exponent) - np.log(sigmas * math.sqrt(2 * math.pi))


def _log_sum(logs):
    top = logs.max(axis=1, keepdims=True)
    return top + np.log(np.exp(logs - top).sum(axis=1, keepdims=True))


def _soft(x, means, weights, sigmas, exponent=2):
    logs = _log_joint(x, means, weights, sigmas, exponent)
    return np.exp(logs - _log_sum(logs))


def _hard(x, means, weights, sigmas):
    shares = _soft(x, means, weights, sigmas)
    return (shares == shares.max(axis=1, keepdims=True)).astype(float)


def _plain(x, means, weights, sigmas):
    """Densities as they are: 0/0 far out."""
    joint = np.exp(_log_joint(x, means, weights, sigmas))
    with np.errstate(invalid="ignore"):
        return joint / joint.sum(axis=1, keepdims=True)


def _even(x, means, weights, sigmas):
    return _soft(x, means, np.full(len(means), 1 / len(means)), sigmas)


def _unscaled(x, means, weights, sigmas):
    """Without the factor 1/σ."""
    return _soft(x, means, weights * sigmas, sigmas)


def _log_likelihood(x, means, weights, sigmas):
    return float(_log_sum(_log_joint(x, means, weights, sigmas)).sum())


def _bound(x, means, weights, sigmas):
    """Q, the expected log-likelihood of points and components."""
    shares, logs = _soft(x, means, weights, sigmas), _log_joint(x, means, weights, sigmas)
    return float((shares * np.where(shares > 0, logs, 0)).sum())


def _without_constant(x, means, weights, sigmas):
    return _log_likelihood(x, means, weights, sigmas) + len(x) / 2 * math.log(2 * math.pi)


def _climb(x, means, weights, sigmas, steps, share=_soft, total=None, learn=True, score=_log_likelihood):
    x, means, weights, sigmas = (np.array(each, float) for each in (x, means, weights, sigmas))
    totals = [score(x, means, weights, sigmas)]
    for _ in range(steps):
        shares = share(x, means, weights, sigmas)
        count = shares.sum(axis=0)
        below = count if total is None else np.full(len(count), total(x))
        sums = (shares * x[:, None]).sum(axis=0)
        means = np.where(count == 0, means, sums / np.where(count == 0, 1, below))
        weights = count / len(x) if learn else weights
        totals.append(score(x, means, weights, sigmas))
    return {"means": means.tolist(), "weights": weights.tolist(), "log_likelihood": totals}


def em(x, means, weights, sigmas, steps):
    return _climb(x, means, weights, sigmas, steps)


def _without_start(*case):
    found = em(*case)
    return found | {"log_likelihood": found["log_likelihood"][1:]}


def draw_line(random):
    """Two or three components of different widths, and no more than four steps, now and then none."""
    k = int(random.integers(2, 4))
    centres = random.uniform(0, 6, k)
    x = random.normal(random.choice(centres, int(random.integers(6, 14))), 1).round(2)
    weights = (random.dirichlet([3] * k) * 0.9 + 0.1 / k).round(3)
    weights[0] = round(1 - weights[1:].sum(), 3)
    means = (np.sort(random.uniform(0, 6, k)) + np.arange(k)).round(1)
    order = random.permutation(k)
    sigmas = random.permutation([0.8, 1.3, 2.0, 2.6])[:k]
    return x.tolist(), means[order].tolist(), weights.tolist(), sigmas.tolist(), int(random.integers(5))


def draw_far(random):
    """A point so far out that all densities there are 0 in a computer; at least one step."""
    x, means, weights, sigmas, steps = draw_line(random)
    x.insert(int(random.integers(len(x))), float(random.choice([-1, 1])) * float(random.integers(150, 250)))
    return x, means, weights, sigmas, max(1, steps)


def draw_lonely(random):
    """A component so far away that its shares are 0 in a computer."""
    x, means, weights, sigmas, steps = draw_line(random)
    means[int(random.integers(len(means)))] = 500.0 + float(random.integers(100))
    return x, means, weights, sigmas, max(1, steps)


def _away(points, means):
    return np.square(np.array(points, float)[:, None, :] - np.array(means, float)).sum(axis=2)


def _along_axes(points, means):
    return np.abs(np.array(points, float)[:, None, :] - np.array(means, float)).sum(axis=2)


def _within(points, means, groups):
    return float(_away(points, means)[np.arange(len(points)), groups].sum())


def _between(points, means, groups):
    middle = np.mean(points, axis=0)
    return float(np.square(np.array(means)[groups] - middle).sum())


def _unsquared(points, means, groups):
    return float(np.sqrt(_away(points, means))[np.arange(len(points)), groups].sum())


def _unweighted(points, means, groups):
    return float(np.square(np.array(means)[np.unique(groups)] - np.mean(points, axis=0)).sum())


def _lloyd(points, means, most=1000, empty=lambda mean: mean, last=False, away=_away, score=_within, key="within"):
    means, groups = np.array(means, float), None
    for done in range(most + 1):
        far = away(points, means)
        nearest = len(means) - 1 - far[:, ::-1].argmin(axis=1) if last else far.argmin(axis=1)
        if (groups is not None and (nearest == groups).all()) or done == most:
            break
        groups = nearest
        means = np.array(
            [
                np.array(points, float)[groups == j].mean(axis=0) if (groups == j).any() else empty(m)
                for j, m in enumerate(means)
            ]
        )
    return {
        "groups": groups.tolist(),
        "means": [tuple(mean) for mean in means.tolist()],
        key: score(points, means, groups),
    }


def _no_points(mean):
    raise ZeroDivisionError


def k_means(points, means):
    return _lloyd(points, means)


def _numbered_from_one(solve):
    def slip(points, means):
        found = solve(points, means)
        return found | {"groups": [group + 1 for group in found["groups"]]}

    return slip


def _one_after_another(points, means):
    """Each mean moves before the next one gets its points."""
    means = list(means)
    for j in [*range(len(means))] * 50:
        if (mine := _away(points, means).argmin(axis=1) == j).any():
            means[j] = tuple(np.array(points, float)[mine].mean(axis=0))
    return k_means(points, means)


TIES = "The task says to which mean a point goes that is equally near to several."


def _slips(run):
    """The mistakes that both variants know; `run` is the right one of the variant."""
    return {
        "one-pass": partial(run, most=1),
        "empty-cluster": partial(run, empty=lambda mean: 0 * mean),
        "empty-cluster: The average of no points is 0/0.": partial(run, empty=_no_points),
        "Distances are Euclidean here: the differences along the axes are squared and added, not added as they are.": partial(
            run, away=_along_axes
        ),
        "The groups are numbered from 0.": _numbered_from_one(run),
    }


BETWEEN = partial(_lloyd, last=True, score=_between, key="between")


def draw_plane(random):
    """Points on a fine grid with starts that need more than one pass."""
    while True:
        k = int(random.integers(2, 4))
        centres = random.uniform(0, 10, (k, 2))
        points = [tuple(p) for p in (random.choice(centres, 12) + random.normal(0, 1.3, (12, 2))).round(2).tolist()]
        means = points[:k]
        if (
            _lloyd(points, means)["groups"]
            != _lloyd(points, means, 1)["groups"]
            == _lloyd(points, means, 1, last=True)["groups"]
        ):
            return points, means


def draw_tie(random):
    """Two points in the middle between two means: a whole number from each, so that a computer sees the tie."""
    a, half = int(random.integers(0, 4)), int(random.integers(6, 9))
    y = int(random.integers(-3, 4))
    points = [(a, y), (a + 2 * half, y), (a + half, y + 1), (a + half, y - 1), (a, y + 2)]
    return [points[i] for i in random.permutation(5)], [(a, y), (a + 2 * half, y)]


def draw_empty(random):
    """A start so far away that it wins no point."""
    points, means = draw_plane(random)
    return points, [*means, (float(random.integers(100, 200)), 100.0)]


STEPS, SIGMAS = 50, (7.0, 6.5)


def _doubt(student, share=_soft, steps=STEPS, count=lambda shares: shares.min(axis=1).sum()):
    x = np.array(data.penguins(student)["flipper"])
    end = em(x, [190.0, 220.0], [0.5, 0.5], SIGMAS, steps)
    return float(count(share(x, np.array(end["means"]), np.array(end["weights"]), np.array(SIGMAS))))


def _truly_wrong(student):
    gentoo = np.array([each == "Gentoo" for each in data.penguins(student)["species"]])
    return _doubt(student, count=lambda shares: ((shares[:, 1] > 0.5) != gentoo).sum())


LINE = [1.0, 1.6, 2.1, 2.4, 3.4, 4.2, 5.1, 5.8, 6.3, 7.1]
CHAIN = [
    (1.0, 0),
    (1.5, 1),
    (2.3, 0),
    (3.4, 1),
    (5.1, 0),
    (7.6, 1),
    (11.4, 0),
    (17.1, 1),
    (25.6, 0),
    (38.4, 1),
    (57.7, 0),
]

TASKS = {
    "em": {
        "kind": "function",
        "points": 3,
        "arguments": "x, means, weights, sigmas, steps",
        "solve": em,
        "keys": ["means", "weights", "log_likelihood"],
        "hints": {
            "means": "A mean is the sum of share times x over all points, divided by the sum of its own shares; where that sum is 0 it stays where it was.",
            "weights": "A weight is the mean of the shares of its component over all points, so the weights sum to 1.",
            "log_likelihood": "Its entries belong to the start and to the end of each step. For each point add w times the density over the components, with the factor 1/(σ √2π), and take the logarithm; then add up over the points.",
        },
        "cases": [
            ([0.0, 4.0, 4.5], [1.0, 3.0], [0.7, 0.3], [1.0, 2.0], 1),
            (LINE, [6.0, 2.5, 4.0], [0.5, 0.2, 0.3], [1.5, 0.8, 1.0], 3),
            ([0.0, 190.0, 1.0], [0.0, 2.0], [0.4, 0.6], [1.0, 1.5], 2),
            ([0.0, 1.0, 3.0], [300.0, 0.5], [0.5, 0.5], [2.0, 1.0], 2),
            (LINE[:4], [1.0, 2.0], [0.3, 0.7], [0.5, 2.0], 0),
        ],
        "checks": [
            {"says": "two or three components, up to four steps", "points": 1, "draw": draw_line, "times": 6},
            {"says": "a point far from everything", "points": 1, "draw": draw_far, "times": 3},
            {"says": "a component to which nobody gives a share", "points": 1, "draw": draw_lonely, "times": 3},
        ],
        "mistakes": {
            "no-logs": lambda *case: _climb(*case, share=_plain),
            "hard-share": lambda *case: _climb(*case, share=_hard),
            "forgotten-weights": lambda *case: _climb(*case, share=_even),
            "class-constant": lambda *case: _climb(*case, share=_unscaled),
            "half-variance": lambda *case: _climb(*case, share=partial(_soft, exponent=1)),
            "divide-by-all": lambda *case: _climb(*case, total=len),
            "weights-stay": lambda *case: _climb(*case, learn=False),
            "q-is-likelihood": lambda *case: _climb(*case, score=_bound),
            "dropped-constants": lambda *case: _climb(*case, score=_without_constant),
            "The list of log-likelihoods begins with that of the start, before any step.": _without_start,
        },
        "almost_right": {
            "a mean without a share goes to 0": lambda *case: (
                (found := em(*case))
                | {
                    "means": [
                        0.0 if case[4] and mean == start else mean for mean, start in zip(found["means"], case[1])
                    ]
                }
            ),
        },
        "read": "4 · Widths and shapes",
        "hint": "Keep logarithms: for each component the logarithm of its weight, of 1/σ and the exponent, and subtract the largest before you exponentiate. The shares of a point sum to 1; a mean divides by the sum of its own shares.",
        "right": "E step and M step, and a likelihood that never falls.",
    },
    "k_means": {
        "kind": "function",
        "points": 3,
        "arguments": "points, means",
        "solve": k_means,
        "keys": ["groups", "means", "within"],
        "hints": {
            "groups": "Compare squared distances, and mind the rule for several means that are equally near. Go on until no point changes its group.",
            "means": "Each mean is the average of its points, in x and in y; one without points stays where it is.",
            "within": "Add up the squared distances of the points to the final mean of their own group.",
            "between": "For each group its number of points times the squared distance of its mean to the mean of all points; add these up.",
        },
        "cases": [
            ([(0, 0), (1, 0), (2, 0), (9, 0), (11, 0)], [(0, 0), (1, 0)]),
            ([(0, 0), (2, 0), (9, 1), (11, 0)], [(50, 50), (1, 0), (10, 0)]),
            ([(0, 0), (4, 0), (2, 1), (0, 3), (2, -1)], [(0, 0), (4, 0)]),
            ([(0, 0), (3, 3), (3, 8), (4, 9)], [(0, 0), (3, 8)]),
            (CHAIN, CHAIN[:3]),
            ([(3, 3), (6, 0), (0, 1), (5, 1), (0.5, 0), (1.5, 1.5)], [(0, 0), (5, 0)]),
        ],
        "checks": [
            {"says": "several passes", "points": 1, "draw": draw_plane, "times": 5},
            {"says": "points equally near to two means", "points": 1, "draw": draw_tie, "times": 4},
            {"says": "a mean without points", "points": 1, "draw": draw_empty, "times": 4},
        ],
        "mistakes": _slips(_lloyd)
        | {"unsquared-cost": partial(_lloyd, score=_unsquared), TIES: partial(_lloyd, last=True)},
        "almost_right": {
            "two passes": partial(_lloyd, most=2),
            "each mean moves at once": _one_after_another,
        },
        "read": "1 · Assign, move, repeat",
        "hint": "Two lines in a loop: the number of the nearest mean for every point, then the averages. Go on until the numbers stay the same.",
        "right": "Assign, average, again, until nothing changes: the cost has never risen.",
        "variants": [
            {},
            {
                "solve": BETWEEN,
                "keys": ["groups", "means", "between"],
                "mistakes": _slips(BETWEEN)
                | {
                    "Each mean counts as often as it has points: multiply by N.": partial(BETWEEN, score=_unweighted),
                    "These are the squared distances within the groups; the task asks for those between.": partial(
                        BETWEEN, score=_within
                    ),
                    TIES: partial(BETWEEN, last=False),
                },
            },
        ],
    },
    "doubt": {
        "kind": "number",
        "builds_on": "em",
        "points": 1,
        "solve": _doubt,
        "varies": True,
        "low": 0,
        "high": 200,
        "mistakes": {
            "forgotten-weights": partial(_doubt, share=_even),
            "class-constant": partial(_doubt, share=_unscaled),
            "half-variance": partial(_doubt, share=partial(_soft, exponent=1)),
            "These shares are those of the start; let EM run first.": partial(_doubt, steps=0),
            "This is the expected number of decisions that are right.": partial(
                _doubt, count=lambda shares: shares.max(axis=1).sum()
            ),
            "This is a share of the penguins; their expected number was asked for.": partial(
                _doubt, count=lambda shares: shares.min(axis=1).mean()
            ),
            "hard-share: The number of penguins with a share below one half counts decisions, not their probabilities of being wrong.": partial(
                _doubt, count=lambda shares: (shares[:, 0] < 0.5).sum()
            ),
            "This is the expected number of penguins of a component, the sum of its shares, which is not an error.": partial(
                _doubt, count=lambda shares: shares[:, 0].sum()
            ),
            "This is the expected number of penguins of the second component, the sum of its shares, which is not an error.": partial(
                _doubt, count=lambda shares: shares[:, 1].sum()
            ),
            "This counts the penguins that are not with their species; asked for is what the mixture expects without knowing the species.": _truly_wrong,
        },
        "read": "2 · Shares instead of sides",
        "hint": "The larger share of a penguin is the probability that its component is right, the smaller one that it is wrong. Expected numbers add up.",
        "right": "The smaller shares add up to the expected number of errors.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "Curve 1 is the bound; the M step moves the mean to about 1.9.",
            "B": "Curve 2 is the bound; the M step moves the mean to about 2.7.",
            "C": "Curve 3 is the bound; the M step moves the mean to about 2.7.",
            "D": "None of them is: the bound has its top at the top of the log-likelihood, and the M step moves the mean to 2.2.",
        },
        "solve": "C",
        "mistakes": {
            "A": "The bound lies nowhere above the log-likelihood, and curve 1 does so to the left of the dot.",
            "B": "The bound touches the log-likelihood at the present mean, and curve 2 lies below it there: it is Q without the entropy of the shares.",
            "D": "q-is-likelihood: The M step goes to the top of the bound, not to that of the log-likelihood.",
        },
        "read": "3 · Why does it climb?",
        "hint": "Look where each curve meets the solid one: at the dot, elsewhere, or nowhere?",
        "right": "It touches at the present mean and lies nowhere above.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: equal means and weights give shares of one half everywhere, so both means become the average of the data and stay there (also accepted: a fixed point, or symmetry that no step can break).",
            "1 point: never falling does not mean the top (accepted: a saddle, a stationary point, a local optimum, no better than one Gaussian), and a remedy: different means, a small disturbance, or several starts of which the best is kept.",
        ],
    },
}
