"""Almost right answers to exercise 03."""

from math import inf, log, log2, pi

import numpy as np


def line(x, y, sigma, expected, width, weight=lambda s: 1 / s**2, prior=lambda width: 1 / width**2):
    x, y, w = np.array(x, float), np.array(y, float), weight(np.array(sigma, float))
    centre, height = np.average(x, weights=w), np.average(y, weights=w)
    slope = (w @ ((x - centre) * (y - height)) + prior(width) * expected) / (w @ (x - centre) ** 2 + prior(width))
    return height - slope * centre, slope


def equations(x, y, sigma, expected, width):
    """The normal equations, with the prior as one more row."""
    w = 1 / np.array(sigma, float) ** 2
    table = np.column_stack([np.ones(len(x)), x])
    left = table.T @ (w[:, None] * table) + np.diag([0, 1 / width**2])
    return tuple(np.linalg.solve(left, table.T @ (w * np.array(y, float)) + [0, expected / width**2]))


def one_more_row(x, y, sigma, expected, width):
    """Least squares on rows divided by their noise; the prior is a measurement of the slope."""
    rows = [[1 / s, each / s] for each, s in zip(x, sigma)] + [[0, 1 / width]]
    return tuple(np.linalg.lstsq(np.array(rows), np.array([*np.divide(y, sigma), expected / width]), rcond=None)[0])


def without_prior(x, y, sigma, expected, width):
    return line(x, y, sigma, 0, 1, prior=lambda width: 0.0)


def prior_when_needed(x, y, sigma, expected, width):
    """The prior only where all x are equal."""
    return line(x, y, sigma, expected, width) if len(set(x)) == 1 else without_prior(x, y, sigma, expected, width)


def towards_zero(x, y, sigma, expected, width):
    return line(x, y, sigma, 0, width)


def average_of_slopes(x, y, sigma, expected, width):
    """The mean of the best slope and the expected one, whatever their weights."""
    slope = (line(x, y, sigma, 0, 1, prior=lambda width: 1e-300)[1] + expected) / 2
    w = 1 / np.array(sigma, float) ** 2
    return np.average(y, weights=w) - slope * np.average(x, weights=w), slope


def old_intercept(x, y, sigma, expected, width):
    """The slope is pulled, the intercept stays that of least squares."""
    if len(set(x)) == 1:
        return line(x, y, sigma, expected, width)
    return without_prior(x, y, sigma, expected, width)[0], line(x, y, sigma, expected, width)[1]


def stops_when_upright(x, y, sigma, expected, width):
    if len(set(x)) == 1:
        raise ValueError("no slope is determined")
    return line(x, y, sigma, expected, width)


def scaled_by_mean_noise(x, y, sigma, expected, width):
    """λ = σ²/σ₀² with the mean variance, added to plain sums."""
    return line(x, y, np.full(len(x), np.sqrt(np.mean(np.square(sigma)))), expected, width)


def fit(data, centre=np.median, n=None):
    data = np.array(data, float)
    if np.ptp(data) == 0:
        raise ValueError("all equal")
    squares, s = ((data - data.mean()) ** 2).sum(), np.abs(data - centre(data)).mean()
    variance = squares / (n(data) if n else len(data))
    gaussian = -len(data) / 2 * log(2 * pi * variance) - squares / (2 * variance)
    return {"gaussian": gaussian, "laplace": -len(data) * log(2 * s) - len(data)}


def summed(data):
    data = np.array(data, float)
    if len(set(data.tolist())) == 1:
        raise ValueError("all equal")
    mean, median = data.mean(), np.sort(data)[len(data) // 2]
    sigma, s = data.std(), np.abs(data - median).mean()
    return {
        "gaussian": sum(-0.5 * np.log(2 * np.pi * sigma**2) - (data - mean) ** 2 / (2 * sigma**2)),
        "laplace": sum(-np.log(2 * s) - np.abs(data - median) / s),
    }


def multiplied(data):
    data = np.array(data, float)
    if np.ptp(data) == 0:
        raise ValueError("all equal")
    sigma, s = data.std(), np.abs(data - np.median(data)).mean()
    with np.errstate(divide="ignore"):
        return {
            "gaussian": np.log(
                np.prod(np.exp(-((data - data.mean()) ** 2) / (2 * sigma**2)) / np.sqrt(2 * pi) / sigma)
            ),
            "laplace": np.log(np.prod(np.exp(-np.abs(data - np.median(data)) / s) / (2 * s))),
        }


def unsorted_median(data):
    return fit(data, lambda values: values[len(values) // 2])


def unguarded(data):
    data = np.array(data, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        gaussian = -len(data) / 2 * (np.log(2 * pi * data.var()) + 1)
        return {"gaussian": gaussian, "laplace": -len(data) * (np.log(2 * np.abs(data - np.median(data)).mean()) + 1)}


def guards_one(data):
    """A single measurement is refused, equal ones are not."""
    if len(data) == 1:
        raise ValueError("one measurement")
    return unguarded(data)


def median_spread(data):
    """The width as the median of the distances."""
    data = np.array(data, float)
    s = np.median(np.abs(data - np.median(data))) or 1.0
    return {**fit(data), "laplace": -len(data) * log(2 * s) - np.abs(data - np.median(data)).sum() / s}


def bits(mse, n, model=lambda d, n: (d + 1) / 2 * log2(n), data=lambda e, n: n / 2 * log2(e)):
    return {d: model(d, n) + (data(e, n) if e else -inf) for d, e in enumerate(mse) if e is not None}


def degree(mse, n, **parts):
    found = bits(mse, n, **parts)
    return min(found, key=found.get)


def going_up(mse, n):
    """Stops at the first degree that does not pay."""
    found = bits(mse, n)
    best, *others = found
    for each in others:
        if found[each] >= found[best]:
            return best
        best = each
    return best


def index_of_least(mse, n):
    found = list(bits(mse, n).values())
    return found.index(min(found))


def none_is_zero(mse, n):
    return degree([each or 0.0 for each in mse], n)


def zero_skipped(mse, n):
    return degree([each or None for each in mse], n) if any(mse) else 0


def not_tried_stops(mse, n):
    return degree(mse[: mse.index(None)] if None in mse[1:] else mse, n)


def last_of_perfect(mse, n):
    found = bits(mse, n)
    return max(d for d in found if found[d] == min(found.values()))


def residuals(student, swapped=False):
    family = data.families(student)  # noqa: F821
    x, y = np.array(family["parents"]), np.array(family["children"])
    x, y = (y, x) if swapped else (x, y)
    intercept, slope = line(x, y, np.ones(len(x)), 0, 1e9)
    return y - intercept - slope * x


def lead(values):
    found = fit(values)
    return float(found["gaussian"] - found["laplace"])


ALMOST_RIGHT = {
    "weighted_line": {
        "right": line,
        "right, by normal equations": equations,
        "right, the prior as one more row": one_more_row,
        "without the prior": without_prior,
        "the prior only where all x are equal": prior_when_needed,
        "pulled to 0": towards_zero,
        "the mean of two slopes": average_of_slopes,
        "the old intercept": old_intercept,
        "the plain means in the intercept": lambda *case: (
            np.mean(case[1]) - line(*case)[1] * np.mean(case[0]),
            line(*case)[1],
        ),
        "a ValueError where all x are equal": stops_when_upright,
        "the mean variance for all": scaled_by_mean_noise,
        "1/σ as weight": lambda *case: line(*case, weight=lambda s: 1 / s),
        "1/width as weight": lambda *case: line(*case, prior=lambda width: 1 / width),
        "slope first": lambda *case: line(*case)[::-1],
        "rounded": lambda *case: tuple(round(float(each), 4) for each in line(*case)),
    },
    "noise_fit": {
        "right": fit,
        "right, a sum of logs": summed,
        "n − 1": lambda data: fit(data, n=lambda data: max(len(data) - 1, 1)),
        "Laplace about the mean": lambda data: fit(data, np.mean),
        "the middle of an unsorted list": unsorted_median,
        "a product of densities": multiplied,
        "no guard": unguarded,
        "a guard for one measurement": guards_one,
        "the median of the distances": median_spread,
        "a pair": lambda data: tuple(fit(data).values()),
        "bits": lambda data: {name: each / log(2) for name, each in fit(data).items()},
        "exponents taken for 0": lambda data: {
            "gaussian": fit(data)["gaussian"] + len(data) / 2,
            "laplace": fit(data)["laplace"] + len(data),
        },
    },
    "best_degree": {
        "right": degree,
        "right, in nats": lambda mse, n: degree(
            mse, n, model=lambda d, n: d / 2 * log(n), data=lambda e, n: n / 2 * log(e)
        ),
        "right, with SSE": lambda mse, n: degree(
            mse, n, model=lambda d, n: d * log2(n), data=lambda e, n: n * log2(e * n)
        ),
        "stops at the first that does not pay": going_up,
        "place among those that were tried": index_of_least,
        "None as 0": none_is_zero,
        "an error of 0 left out": zero_skipped,
        "stops at the first None": not_tried_stops,
        "the highest perfect fit": last_of_perfect,
        "0 bits for a perfect fit": lambda mse, n: degree([e or 1.0 if e is not None else e for e in mse], n),
        "the best fit": lambda mse, n: degree(mse, n, model=lambda d, n: 0.0),
        "AIC": lambda mse, n: degree(mse, n, model=lambda d, n: d / log(2)),
        "twice the price": lambda mse, n: degree(mse, n, model=lambda d, n: d * log2(n)),
        "mixed units": lambda mse, n: degree(mse, n, data=lambda e, n: n / 2 * log(e)),
        "with n/2 left out": lambda mse, n: degree(mse, n, data=lambda e, n: log2(e)),
        "degree 0 free": lambda mse, n: degree(mse, n, model=lambda d, n: (d + 1) / 2 * log2(n) if d else 0.0),
    },
    "lead": {
        "right": lambda student: lead(residuals(student)),
        "three decimals": lambda student: round(lead(residuals(student)), 3),
        "Laplace minus Gaussian": lambda student: -lead(residuals(student)),
        "parents from children": lambda student: lead(residuals(student, swapped=True)),
        "the heights themselves": lambda student: lead(data.families(student)["children"]),  # noqa: F821
        "bits": lambda student: lead(residuals(student)) / log(2),
    },
}
