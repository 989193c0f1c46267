"""Almost right answers to exercise 10, and right ones in another form."""

import math

import numpy as np


def _densities(x, means, weights, sigmas):
    return [
        [
            w / (s * math.sqrt(2 * math.pi)) * math.exp(-((each - m) ** 2) / (2 * s * s))
            for m, w, s in zip(means, weights, sigmas)
        ]
        for each in x
    ]


def _log_joint(x, means, weights, sigmas):
    return [
        [
            (math.log(w) if w > 0 else -math.inf)
            - math.log(s)
            - 0.5 * math.log(2 * math.pi)
            - ((each - m) / s) ** 2 / 2
            for m, w, s in zip(means, weights, sigmas)
        ]
        for each in x
    ]


def in_lists(x, means, weights, sigmas, steps, lonely=lambda mean: mean, weigh=None, ends=None, fresh=False):
    """EM without numpy; what is given besides is done in place of the right thing."""
    climb = []
    for step in range(steps + 1):
        logs = _log_joint(x, means, weights, sigmas)
        tops = [max(row) for row in logs]
        sums = [top + math.log(sum(math.exp(each - top) for each in row)) for top, row in zip(tops, logs)]
        climb.append(math.fsum(sums))
        if step == steps:
            break
        shares = [[math.exp(each - total) for each in row] for row, total in zip(logs, sums)]
        if weigh:
            shares = weigh(shares)
        count = [math.fsum(row[j] for row in shares) for j in range(len(means))]
        means = [
            math.fsum(row[j] * each for row, each in zip(shares, x)) / count[j] if count[j] > 0 else lonely(means[j])
            for j in range(len(means))
        ]
        if fresh:  # the weights from shares that are computed again with the new means
            again = _log_joint(x, means, weights, sigmas)
            again = [[math.exp(each - max(row)) for each in row] for row in again]
            shares = [[each / sum(row) for each in row] for row in again]
            count = [sum(row[j] for row in shares) for j in range(len(means))]
        weights = [each / len(x) for each in count]
    return (
        ends({"means": means, "weights": weights, "log_likelihood": climb})
        if ends
        else {
            "means": means,
            "weights": weights,
            "log_likelihood": climb,
        }
    )


def as_arrays(*case):
    return {key: np.array(value) for key, value in in_lists(*case).items()}


def with_densities(x, means, weights, sigmas, steps):
    climb = []
    for step in range(steps + 1):
        joint = _densities(x, means, weights, sigmas)
        climb.append(sum(math.log(sum(row)) for row in joint))
        if step < steps:
            shares = np.array([[each / sum(row) for each in row] for row in joint])
            weights = shares.mean(axis=0)
            means = (shares * np.array(x)[:, None]).sum(axis=0) / shares.sum(axis=0)
    return {"means": means, "weights": weights, "log_likelihood": climb}


def with_a_small_number(x, means, weights, sigmas, steps):
    """1e-300 against a division by 0."""
    climb = []
    for step in range(steps + 1):
        joint = np.array(_densities(x, means, weights, sigmas)) + 1e-300
        climb.append(float(np.log(joint.sum(axis=1)).sum()))
        if step < steps:
            shares = joint / joint.sum(axis=1, keepdims=True)
            weights = shares.mean(axis=0)
            means = (shares * np.array(x)[:, None]).sum(axis=0) / shares.sum(axis=0)
    return {"means": means, "weights": weights, "log_likelihood": climb}


def changed_in_place(x, means, weights, sigmas, steps):
    found = in_lists(x, means, weights, sigmas, steps)
    means[:], weights[:] = found["means"], found["weights"]
    return {"means": means, "weights": weights, "log_likelihood": found["log_likelihood"]}


def sorted_by_mean(*case):
    def ends(found):
        order = np.argsort(found["means"])
        return found | {key: np.array(found[key])[order] for key in ("means", "weights")}

    return in_lists(*case, ends=ends)


def one_width(x, means, weights, sigmas, steps):
    return in_lists(x, means, weights, [sum(sigmas) / len(sigmas)] * len(sigmas), steps)


def of_the_mean_point(*case):
    return in_lists(
        *case, ends=lambda found: found | {"log_likelihood": [each / len(case[0]) for each in found["log_likelihood"]]}
    )


def one_step_more(x, means, weights, sigmas, steps):
    return in_lists(x, means, weights, sigmas, steps + 1)


def only_the_last(*case):
    return in_lists(*case, ends=lambda found: found | {"log_likelihood": found["log_likelihood"][-1:]})


def no_step_no_list(x, means, weights, sigmas, steps):
    """With no step the list stays empty."""
    found = in_lists(x, means, weights, sigmas, steps)
    return found if steps else found | {"log_likelihood": []}


def _assign(points, means, last=False, manhattan=False):
    groups = []
    for point in points:
        far = [sum(abs(a - b) if manhattan else (a - b) ** 2 for a, b in zip(point, mean)) for mean in means]
        best = min(far)
        groups.append(len(far) - 1 - far[::-1].index(best) if last else far.index(best))
    return groups


def _average(points, groups, j):
    mine = [point for point, group in zip(points, groups) if group == j]
    return tuple(sum(each) / len(mine) for each in zip(*mine)) if mine else None


def lloyd(points, means, last=False, manhattan=False, most=1000, empty=lambda mean, points: mean, cost=None):
    means, groups = list(means), None
    for _ in range(most):
        new = _assign(points, means, last, manhattan)
        if new == groups:
            break
        groups = new
        means = [_average(points, groups, j) or empty(mean, points) for j, mean in enumerate(means)]
    within = sum((cost or _squared)(point, means[group]) for point, group in zip(points, groups))
    return {"groups": groups, "means": means, "within": within}


def _squared(point, mean):
    return (point[0] - mean[0]) ** 2 + (point[1] - mean[1]) ** 2


def until_the_means_stay(points, means):
    """Right: compares means and not groups."""
    points, means = np.array(points, float), np.array(means, float)
    while True:
        groups = np.linalg.norm(points[:, None] - means, axis=2).argmin(axis=1)
        new = np.array([points[groups == j].mean(axis=0) if (groups == j).any() else m for j, m in enumerate(means)])
        if np.allclose(new, means, rtol=0, atol=1e-12):
            return {"groups": groups, "means": new, "within": ((points - new[groups]) ** 2).sum()}
        means = new


def until_the_cost_stays(points, means):
    """Right: the cost cannot rise."""
    before = math.inf
    for most in range(1, 200):
        found = lloyd(points, means, most=most)
        if found["within"] == before:
            return found
        before = found["within"]


def ten_passes(points, means):
    """Right unless it takes more."""
    return lloyd(points, means, most=10)


def two_passes(points, means):
    return lloyd(points, means, most=2)


def in_turn(points, means):
    """Each mean moves before the next one gets its points."""
    means, groups = list(means), None
    while True:
        new = _assign(points, means)
        if new == groups:
            return {
                "groups": groups,
                "means": means,
                "within": sum(_squared(p, means[g]) for p, g in zip(points, groups)),
            }
        groups = new
        for j, mean in enumerate(means):
            means[j] = _average(points, _assign(points, means), j) or mean


def without_empty_means(points, means):
    found = lloyd(points, means)
    kept = sorted(set(found["groups"]))
    return found | {"groups": [kept.index(g) for g in found["groups"]], "means": [found["means"][j] for j in kept]}


def rounded_means(points, means):
    found = lloyd(points, means)
    return found | {"means": [tuple(round(each, 2) for each in mean) for mean in found["means"]]}


def _end(student, steps=50, sigmas=(7.0, 6.5), x=None):
    x = data.penguins(student)["flipper"] if x is None else x  # noqa: F821
    return in_lists(x, [190.0, 220.0], [0.5, 0.5], list(sigmas), steps)


def _shares(student, steps=50, weigh=True, scale=True, square=True):
    x, end, s = np.array(data.penguins(student)["flipper"]), _end(student, steps), np.array([7.0, 6.5])  # noqa: F821
    away = (x[:, None] - end["means"]) ** 2 / (2 * (s**2 if square else s))
    joint = (np.array(end["weights"]) if weigh else 1) * np.exp(-away) / (s if scale else 1)
    return joint / joint.sum(axis=1, keepdims=True)


def _really_wrong(student):
    gentoo = np.array(data.penguins(student)["species"]) == "Gentoo"  # noqa: F821
    return float(((_shares(student)[:, 1] > 0.5) != gentoo).sum())


ALMOST_RIGHT = {
    "em": {
        "right, without numpy": in_lists,
        "right, with arrays": as_arrays,
        "right, and the arguments changed in place": changed_in_place,
        "densities without logarithms": with_densities,
        "1e-300 added to every density": with_a_small_number,
        "a lonely mean goes to 0": lambda *case: in_lists(*case, lonely=lambda mean: 0.0),
        "a lonely mean becomes nan": lambda *case: in_lists(*case, lonely=lambda mean: math.nan),
        "shares rounded": lambda *case: in_lists(
            *case, weigh=lambda shares: [[round(each) for each in row] for row in shares]
        ),
        "weights from new shares": lambda *case: in_lists(*case, fresh=True),
        "sorted by mean": sorted_by_mean,
        "one average width": one_width,
        "the log-likelihood of a point": of_the_mean_point,
        "one step more": one_step_more,
        "only the last log-likelihood": only_the_last,
        "no list without a step": no_step_no_list,
    },
    "k_means": {
        "right, until the means stay": until_the_means_stay,
        "right, until the cost stays": until_the_cost_stays,
        "right, in lists": lloyd,
        "ten passes": ten_passes,
        "two passes": two_passes,
        "the last of ties": lambda points, means: lloyd(points, means, last=True),
        "Manhattan distance": lambda points, means: lloyd(points, means, manhattan=True),
        "an empty mean to the middle of all": lambda points, means: lloyd(
            points, means, empty=lambda mean, all_of: tuple(np.mean(all_of, axis=0))
        ),
        "an empty mean left out": without_empty_means,
        "each mean moves at once": in_turn,
        "cost not squared": lambda points, means: lloyd(points, means, cost=lambda p, m: math.sqrt(_squared(p, m))),
        "rounded means": rounded_means,
        "only one pass": lambda points, means: lloyd(points, means, most=1),
    },
    "doubt": {
        "right": lambda student: float(_shares(student).min(axis=1).sum()),
        "right, to three decimals": lambda student: round(200 - float(_shares(student).max(axis=1).sum()), 3),
        "without weights": lambda student: float(_shares(student, weigh=False).min(axis=1).sum()),
        "without 1/σ": lambda student: float(_shares(student, scale=False).min(axis=1).sum()),
        "σ for σ²": lambda student: float(_shares(student, square=False).min(axis=1).sum()),
        "at the start": lambda student: float(_shares(student, steps=0).min(axis=1).sum()),
        "a share": lambda student: float(_shares(student).min(axis=1).mean()),
        "the sum of the shares of Gentoos": lambda student: float(_shares(student)[:, 1].sum()),
        "really wrong": _really_wrong,
    },
}
