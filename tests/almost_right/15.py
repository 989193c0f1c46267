"""Almost right answers for exercise 15."""

import math

import numpy as np


def kernel_weight(u, kernel):
    if kernel == "gaussian":
        return math.exp(-u * u / 2)
    if u > 1:
        return 0.0
    return (1 - u**3) ** 3 if kernel == "tricube" else 1.0


def weights(x, query, h, kernel, weight=kernel_weight):
    return np.array([weight(abs(each - query) / h, kernel) for each in x])


def fit(
    x,
    y,
    query,
    h,
    kernel,
    degree,
    weight=kernel_weight,
    least=1e-9,
    count=lambda places: len(set(places)),
    needs=1,
    root=np.sqrt,
    error=ValueError,
):
    w = weights(x, query, h, kernel, weight)
    if count([each for each, one in zip(x, w) if one > least]) < degree + needs:
        raise error("too few places")
    rows = np.vander(np.array(x) - query, degree + 1)
    return float(np.linalg.lstsq(root(w)[:, None] * rows, root(w) * np.array(y))[0][-1])


def fits(**changed):
    return lambda *case: fit(*case, **changed)


def by_equations(x, y, query, h, kernel, degree):
    """Right: normal equations in x itself, and the polynomial read at the query."""
    w = weights(x, query, h, kernel)
    if len({each for each, one in zip(x, w) if one > 1e-9}) <= degree:
        raise ValueError
    rows = np.array([[each**power for power in range(degree + 1)] for each in x])
    coefficients = np.linalg.solve(rows.T @ (w[:, None] * rows), rows.T @ (w * np.array(y)))
    return sum(each * query**power for power, each in enumerate(coefficients))


def by_polyfit(x, y, query, h, kernel, degree):
    """Right: numpy's polyfit squares what it is given as w."""
    w = weights(x, query, h, kernel)
    if len({each for each, one in zip(x, w) if one > 1e-9}) <= degree:
        raise ValueError
    return np.polyval(np.polyfit(np.array(x) - query, y, degree, w=np.sqrt(w)), 0)


def line_at_most(x, y, query, h, kernel, degree):
    return fit(x, y, query, h, kernel, min(degree, 1))


def falls_back(x, y, query, h, kernel, degree):
    """Wrong: a lower degree where the places are too few."""
    try:
        return fit(x, y, query, h, kernel, degree)
    except ValueError:
        if degree == 0:
            raise
        return falls_back(x, y, query, h, kernel, degree - 1)


def box_below(u, kernel):
    return 0.0 if u >= 1 and kernel != "gaussian" else kernel_weight(u, kernel)


def gaussian_without_half(u, kernel):
    return math.exp(-u * u) if kernel == "gaussian" else kernel_weight(u, kernel)


def tricube_without_cube(u, kernel):
    return max(0.0, 1 - u**3) if kernel == "tricube" else kernel_weight(u, kernel)


def choose(
    x,
    y,
    bandwidths,
    kernel,
    degree,
    keeps=lambda x, i, j: x[i] != x[j],
    best=lambda tied: max(tied),
    close=1e-9,
    mean=lambda squares: sum(squares) / len(squares),
    failed=(float("inf"),),
    guard=True,
    size=lambda each: each**2,
):
    errors = []
    for h in bandwidths:
        squares = []
        for i in range(len(x)):
            others = [j for j in range(len(x)) if keeps(x, i, j)]
            try:
                squares.append(
                    size(y[i] - fit([x[j] for j in others], [y[j] for j in others], x[i], h, kernel, degree))
                )
            except ValueError:
                squares += failed
        errors.append(mean(squares) if squares else float("inf"))
    if guard and min(errors) == float("inf"):
        raise ValueError("no bandwidth")
    return {"errors": errors, "best": best([h for h, e in zip(bandwidths, errors) if e <= min(errors) + close])}


def chooses(**changed):
    return lambda *case: choose(*case, **changed)


def in_order(x, y, bandwidths, kernel, degree):
    """Wrong: the errors of the bandwidths in ascending order."""
    return choose(x, y, sorted(bandwidths), kernel, degree)


def means_of_places(x, y, bandwidths, kernel, degree):
    """Wrong: one error for each place, from the mean of its points."""
    places = sorted(set(x))
    heights = [float(np.mean([b for a, b in zip(x, y) if a == place])) for place in places]
    return choose(places, heights, bandwidths, kernel, degree)


def last_twin_only(x, y, bandwidths, kernel, degree):
    """Wrong: a dict of points by x keeps the last of several."""
    points = dict(zip(x, y))
    return choose(list(points), list(points.values()), bandwidths, kernel, degree)


def shares(student, degree=1, query=-1, h=None):
    road = data.road(student)  # noqa: F821, which the test makes known
    places = road["places"]
    units = np.eye(len(places)).tolist()
    found = [fit(places, unit, places[query], h or road["h"], "gaussian", degree) for unit in units]
    return road["noise"], np.array(found)


def spread(student, combine=lambda noise, s: noise * np.sqrt(np.sum(s**2)), **changed):
    return float(combine(*shares(student, **changed)))


def simulated(student):
    """Right, by the matrix of the fit in place of unit heights."""
    road = data.road(student)  # noqa: F821
    d = np.array(road["places"]) - road["places"][-1]
    w, rows = np.exp(-(d**2) / 2 / road["h"] ** 2), np.stack([np.ones(9), d], axis=1)
    inverse = np.linalg.inv(rows.T @ (w[:, None] * rows))
    return float(road["noise"] * np.linalg.norm((inverse @ rows.T * w)[0]))


def held_out(student, part="held out", degree=1, h=None, keeps=None, end=lambda squares: np.mean(squares) ** 0.5):
    helmets = data.helmets(student)  # noqa: F821
    train, asked = helmets["train"], helmets[part]
    changed = {"keeps": keeps} if keeps else {}
    h = h or choose(train["ms"], train["g"], helmets["bandwidths"], "gaussian", degree, **changed)["best"]
    said = np.array([fit(train["ms"], train["g"], ms, h, "gaussian", degree) for ms in asked["ms"]])
    return float(end((said - asked["g"]) ** 2))


ALMOST_RIGHT = {
    "local_fit": {
        "right, by a matrix of powers": fit,
        "right, by normal equations": by_equations,
        "right, by polyfit": by_polyfit,
        "weights where their roots belong": fits(root=lambda w: w),
        "points counted, not places": fits(count=len),
        "one place fewer is enough": fits(needs=0),
        "one place more is wanted": fits(needs=2),
        "every weight above 0 counts": fits(least=0.0),
        "another error": fits(error=RuntimeError),
        "box below 1 only": fits(weight=box_below),
        "a Gaussian without the half": fits(weight=gaussian_without_half),
        "a tricube without the outer cube": fits(weight=tricube_without_cube),
        "a line at most": line_at_most,
        "a lower degree where places are few": falls_back,
        "None where places are few": lambda *case: None if falls_back(*case) is None else falls_back(*case),
        "rounded to three decimals": lambda *case: round(fit(*case), 3),
    },
    "choose_bandwidth": {
        "right, in lists": choose,
        "right, with an array of errors": lambda *case: {
            key: np.array(value) if key == "errors" else value for key, value in choose(*case).items()
        },
        "right, without a tolerance": chooses(close=0),
        "one row left out": chooses(keeps=lambda x, i, j: i != j),
        "none left out": chooses(keeps=lambda x, i, j: True),
        "twins within 1": chooses(keeps=lambda x, i, j: abs(x[i] - x[j]) > 1),
        "the narrowest of ties": chooses(best=min),
        "the first of ties": chooses(best=lambda tied: tied[0]),
        "the last of ties": chooses(best=lambda tied: tied[-1]),
        "a root": chooses(mean=lambda squares: (sum(squares) / len(squares)) ** 0.5),
        "absolute errors": chooses(size=abs),
        "a sum": chooses(mean=sum),
        "a median": chooses(mean=lambda squares: float(np.median(squares))),
        "points without an answer skipped": chooses(failed=()),
        "points without an answer count 0": chooses(failed=(0.0,)),
        "no ValueError": chooses(guard=False),
        "errors in ascending order of h": in_order,
        "means of places": means_of_places,
        "the last of twins": last_twin_only,
    },
    "spread": {
        "right, by unit heights": spread,
        "right, by the matrix": simulated,
        "an average": lambda student: spread(student, degree=0),
        "the variance": lambda student: spread(student, lambda noise, s: noise**2 * np.sum(s**2)),
        "sizes added": lambda student: spread(student, lambda noise, s: noise * np.abs(s).sum()),
        "divided by the root of n": lambda student: spread(student, lambda noise, s: noise / 3),
        "at the first place": lambda student: spread(student, query=0),
        "the noise itself": lambda student: spread(student, lambda noise, s: noise),
    },
    "held_out": {
        "right, in lists": held_out,
        "on the training part": lambda student: held_out(student, part="train"),
        "averages": lambda student: held_out(student, degree=0),
        "the widest": lambda student: held_out(student, h=6.0),
        "one row left out for the choice": lambda student: held_out(student, keeps=lambda x, i, j: i != j),
        "no root": lambda student: held_out(student, end=np.mean),
    },
}
