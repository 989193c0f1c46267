"""Exercise 03: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math

import data
import numpy as np


def _map(x, y, weights, expected, precision, means=None):
    """The most probable line for these weights and this precision of the prior; the means may be weighted otherwise."""
    x, y, weights = (np.asarray(each, dtype=float) for each in (x, y, weights))
    means = weights if means is None else means
    centre, height = means @ x / means.sum(), means @ y / means.sum()
    above = weights @ ((x - centre) * (y - height)) + precision * expected
    below = weights @ (x - centre) ** 2 + precision
    slope = above / below if below else math.nan
    return float(height - slope * centre), float(slope)


def _weights(sigma, power=-2):
    return np.asarray(sigma, dtype=float) ** power


def _lines(precision):
    """The right function and the mistakes, if `precision` tells it from the last argument."""

    def solve(x, y, sigma, expected, width):
        return _map(x, y, _weights(sigma), expected, precision(width))

    return solve, {
        "equal-noise": lambda x, y, sigma, expected, width: _map(x, y, np.ones(len(x)), expected, precision(width)),
        "half-variance": lambda x, y, sigma, expected, width: _map(
            x, y, _weights(sigma, -1), expected, precision(width)
        ),
        "loud-noise": lambda x, y, sigma, expected, width: _map(x, y, _weights(sigma, 2), expected, precision(width)),
        "map-ignored": lambda x, y, sigma, expected, width: _map(x, y, _weights(sigma), 0.0, 0.0),
        "The prior is centred on `expected`, so it pulls the slope there and not towards 0.": lambda x, y, sigma, expected, width: (
            _map(x, y, _weights(sigma), 0.0, precision(width))
        ),
        "The most probable line runs through the weighted means, not through the plain ones.": lambda x, y, sigma, expected, width: (
            _map(x, y, _weights(sigma), expected, precision(width), np.ones(len(x)))
        ),
        "The slope is right, but the intercept belongs to another slope: it is the mean of y minus this slope times the mean of x.": lambda x, y, sigma, expected, width: (
            _map(x, y, _weights(sigma), 0.0, 0.0)[0] if np.ptp(x) else solve(x, y, sigma, expected, width)[0],
            solve(x, y, sigma, expected, width)[1],
        ),
        "The slope is right, but the intercept belongs to the plain means: take the weighted ones.": lambda *case: (
            float(np.mean(case[1]) - solve(*case)[1] * np.mean(case[0])),
            solve(*case)[1],
        ),
        "The slope is right, but the intercept was left at the weighted mean of y.": lambda x, y, sigma, expected, width: (
            float(np.average(y, weights=_weights(sigma))),
            solve(x, y, sigma, expected, width)[1],
        ),
        "Return the intercept first and the slope second.": lambda *case: solve(*case)[::-1],
    }


SQUARED = "The weight of the prior is its precision, one over the square of its width."
weighted_line, WIDTH = _lines(lambda width: 1 / width**2)
precise_line, PRECISION = _lines(lambda precision: precision)
WIDTH |= {SQUARED: precise_line, SQUARED[:-1] + ", not one over the width.": _lines(lambda width: 1 / width)[0]}
PRECISION |= {
    SQUARED: weighted_line,
    SQUARED[:-1] + ", and here it is given as such.": _lines(lambda each: 1 / each)[0],
}


def draw_points(random):
    n = int(random.integers(4, 10))
    x, sigma = random.uniform(-5, 10, n), random.choice([0.2, 0.5, 1.0, 2.0, 5.0], n)
    sigma[:2] = 0.5, 2.0
    y = random.uniform(-3, 3) + random.uniform(-2, 2) * x + sigma * random.normal(size=n)
    lists = ([round(float(each), 3) for each in column] for column in (x, y, sigma))
    return *lists, round(float(random.uniform(0.5, 3)), 2), float(random.choice([0.05, 0.2, 0.4, 3.0]))


def draw_upright(random):
    """A single point, or several at one place, every other time."""
    if random.random() < 0.5:
        return draw_points(random)
    n = int(random.integers(1, 5))
    y = [int(each) for each in random.integers(0, 9, n)]
    return [int(random.integers(1, 9))] * n, y, [1, 2, 3, 4][:n], round(float(random.uniform(0.5, 3)), 2), 0.4


def _gaussian(data, n):
    """The largest Gaussian log-likelihood; with n − 1 in place of n it is that of another σ."""
    spread = np.sum((data - np.mean(data)) ** 2)
    variance = spread / n
    return float(-len(data) / 2 * math.log(2 * math.pi * variance) - spread / (2 * variance))


def _laplace(data, centre):
    scale = np.mean(np.abs(data - centre))
    return float(-len(data) * math.log(2 * scale) - len(data))


def noise_fit(data):
    data = np.asarray(data, dtype=float)
    if np.ptp(data) == 0:
        raise ValueError("all measurements are equal, so the best σ and s are 0 and the densities have no bound")
    return {"gaussian": _gaussian(data, len(data)), "laplace": _laplace(data, np.median(data))}


def _squares(data):
    return {**noise_fit(data), "laplace": _laplace(np.asarray(data, dtype=float), np.mean(data))}


def _medians(data):
    """Both centres are the median."""
    data = np.asarray(data, dtype=float)
    variance = np.mean((data - np.median(data)) ** 2)
    gaussian = -len(data) / 2 * (math.log(2 * math.pi * variance) + 1) if variance else math.nan
    return {**noise_fit(data), "gaussian": float(gaussian)}


def _unbiased(data):
    return {**noise_fit(data), "gaussian": _gaussian(np.asarray(data, dtype=float), max(len(data) - 1, 1))}


def _errors_only(data):
    """Only what depends on the data: −n/2 and −n, whatever the data are."""
    return {"gaussian": -len(data) / 2, "laplace": -float(len(data))} if noise_fit(data) else None


def _no_errors(data):
    """The last term of each sum, −n/2 and −n, taken for 0."""
    logs = noise_fit(data)
    return {"gaussian": logs["gaussian"] + len(data) / 2, "laplace": logs["laplace"] + len(data)}


def _multiplied(data):
    """The logarithm of a product of densities, which may have become 0."""
    return {name: log if log > -745 else -math.inf for name, log in noise_fit(data).items()}


def _but(**wrong):
    """The right logs but for one or both, given by `wrong(data, n, the right log)`."""

    def fit(data):
        logs, data = noise_fit(data), np.asarray(data, dtype=float)
        return logs | {name: float(change(data, len(data), logs[name])) for name, change in wrong.items()}

    return fit


def _with_scale(scale):
    """Laplace noise around the median, with another s than the best."""

    def log(data, n, _):
        away, s = np.abs(data - np.median(data)), scale(data)
        return -n * math.log(2 * s) - np.sum(away) / s if s > 0 else math.nan

    return log


def _rooted(data, n, _):
    """σ where σ² should stand."""
    sigma, spread = np.std(data), np.sum((data - np.mean(data)) ** 2)
    return -n / 2 * math.log(2 * math.pi * sigma) - spread / (2 * sigma)


def _away(data):
    return np.abs(data - np.median(data))


FIT_SLIPS = {
    "The median is the middle of the measurements in order: sort them first.": _but(
        laplace=lambda data, n, _: _laplace(data, data[n // 2])
    ),
    "The best s is the mean of the absolute distances, not the standard deviation.": _but(laplace=_with_scale(np.std)),
    "The best s is the mean of the absolute distances, not their median.": _but(
        laplace=_with_scale(lambda data: np.median(_away(data)) or np.mean(_away(data)))
    ),
    "The best s is the mean of the absolute distances, not their sum.": _but(
        laplace=_with_scale(lambda data: np.sum(_away(data)))
    ),
    "The square σ² stands under the root and in the exponent; here σ does.": _but(gaussian=_rooted),
    "The 2π of the Gaussian density is missing.": _but(
        gaussian=lambda data, n, log: log + n / 2 * math.log(2 * math.pi)
    ),
    "The 2 of the Laplace density, 1/(2s), is missing.": _but(laplace=lambda data, n, log: log + n * math.log(2)),
    "The constants of the densities, 2π and 2, belong to the likelihood.": _but(
        gaussian=lambda data, n, log: log + n / 2 * math.log(2 * math.pi),
        laplace=lambda data, n, log: log + n * math.log(2),
    ),
    "The Gaussian exponent is divided by 2σ², not by σ².": _but(gaussian=lambda data, n, log: log - n / 2),
    "The mean and the median are exchanged: the mean belongs to Gaussian noise, the median to Laplace noise.": lambda data: {
        "gaussian": _medians(data)["gaussian"],
        "laplace": _squares(data)["laplace"],
    },
    "The log-likelihood is the sum over all measurements, not their mean.": _but(
        gaussian=lambda data, n, log: log / n, laplace=lambda data, n, log: log / n
    ),
    "The two results stand under each other's names.": lambda data: dict(
        zip(("laplace", "gaussian"), noise_fit(data).values())
    ),
}


def draw_measurements(random):
    n = int(random.integers(3, 14))
    data = random.normal(10, 2, n) + random.laplace(0, 1, n)
    data[0] += float(random.choice([0, 8, 20]))
    return ([round(float(each), 2) for each in data],)


def draw_hundreds(random):
    return ([round(float(each), 2) for each in random.laplace(100, random.uniform(20, 60), 500)],)


def draw_equal(random):
    """All measurements equal, every other time."""
    if random.random() < 0.5:
        return draw_measurements(random)
    return ([int(random.integers(-9, 10))] * int(random.integers(1, 5)),)


def _degree(bits):
    """The first of the degrees that were tried with the fewest bits."""
    tried = {degree: each for degree, each in enumerate(bits) if each is not None}
    return min(tried, key=tried.get)


def _choice(model, data):
    """Chooses by model(d, n) + data(error, n)."""

    def choose(mse, n):
        bits = [None if e is None else model(d, n) + (data(e, n) if e else -math.inf) for d, e in enumerate(mse)]
        return _degree(bits)

    return choose


def _half(d, n):
    return (d + 1) / 2 * math.log2(n)


def _saved(error, n):
    return n / 2 * math.log2(error)


best_degree = _choice(_half, _saved)


def _packed(mse, n):
    """Places counted without the degrees that were not tried."""
    return best_degree([error for error in mse if error is not None], n)


def _upwards(mse, n):
    """Stops before the first degree that does not pay."""
    tried = [degree for degree, error in enumerate(mse) if error is not None]
    for place, (one, other) in enumerate(zip(tried, tried[1:])):
        if best_degree([mse[d] if d in (one, other) else None for d in range(len(mse))], n) == one:
            return tried[place]
    return tried[-1]


def _perfect_skipped(mse, n):
    return best_degree([error or None for error in mse], n) if any(mse) else 0


def _highest(mse, n):
    perfect = [degree for degree, error in enumerate(mse) if error == 0]
    return perfect[-1] if perfect else best_degree(mse, n)


def _free_if_perfect(mse, n):
    """A fit without error gets a data part of 0 bits."""
    bits = {d: _half(d, n) + (_saved(e, n) if e else 0.0) for d, e in enumerate(mse) if e is not None}
    return min(bits, key=bits.get)


def draw_degrees(random):
    """Errors that fall slowly, so that what further coefficients cost decides."""
    n, number = int(random.integers(10, 400)), int(random.integers(5, 9))
    price = np.log2(n) / n  # what one coefficient costs, as the logarithm of a ratio of errors
    falls = 2.0 ** -(price * random.uniform(0.05, 2.5, number))
    return [float(each) for each in np.cumprod([random.uniform(0.2, 5), *falls])], n


def draw_gaps(random):
    """Some degrees were not tried; every other time one or two of the highest fit without any error."""
    errors, n = draw_degrees(random)
    for place in random.permutation(len(errors) - 1)[: random.integers(1, 3)]:
        errors[place] = None
    if random.random() < 0.5:
        errors[-1:] = [0.0] * int(random.integers(1, 3))
    return errors, n


def _residuals(student, swapped=False):
    family = data.families(student)
    x, y = (np.array(family[each]) for each in ("parents", "children"))
    x, y = (y, x) if swapped else (x, y)
    slope, intercept = np.polyfit(x, y, 1)
    return y - intercept - slope * x


def _lead(data):
    logs = noise_fit(data)
    return logs["gaussian"] - logs["laplace"]


def lead(student):
    return _lead(_residuals(student))


FIVE = [0, 1, 2, 3, 4], [1, 3, 2, 5, 4]

TASKS = {
    "weighted_line": {
        "kind": "function",
        "points": 3,
        "arguments": "x, y, sigma, expected, width",
        "solve": weighted_line,
        "cases": [
            (*FIVE, [1, 1, 1, 1, 1], 0, 0.3),
            (*FIVE, [1, 1, 3, 1, 0.5], 1.5, 0.4),
            ([1, 2, 4], [3.0, 1.0, 0.5], [0.5, 1, 2], 0.5, 2),
            ([-3, 0, 7], [2.0, 1.0, 9.0], [2, 5, 0.2], 2.0, 0.05),
            ([2, 2], [1, 3], [1, 2], 0.8, 0.5),
            ([4], [3], [2], -1.5, 3),
        ],
        "checks": [
            {"says": "points of unequal noise", "points": 2, "draw": draw_points, "times": 6},
            {"says": "points at one place, or not", "points": 1, "draw": draw_upright, "times": 12},
        ],
        "mistakes": WIDTH,
        "almost_right": {
            "no line where all x are equal": lambda x, *rest: weighted_line(x, *rest) if np.ptp(x) else None,
        },
        "read": "A prior on the slope",
        "hint": "The logarithm of likelihood times prior is minus a sum of squares: each residual over its own σᵢ, and the slope's distance to `expected` over σ₀. So point i has the weight 1/σᵢ², and the prior adds its own weight to both parts of the fraction for the slope.",
        "right": "Exact points pulled harder, and the prior pulled like one more measurement, of the slope.",
        "variants": [
            {},
            {"solve": precise_line, "mistakes": PRECISION, "arguments": "x, y, sigma, expected, precision"},
        ],
    },
    "noise_fit": {
        "kind": "function",
        "points": 2,
        "arguments": "data",
        "keys": ["gaussian", "laplace"],
        "solve": noise_fit,
        "hints": {
            "gaussian": "For Gaussian noise the best centre is the mean, and the best σ² the mean of the squared distances to it, divided by n. The squared distances in the exponents then add up to n σ².",
            "laplace": "For Laplace noise the best centre is the median, and the best s the mean of the absolute distances to it. The distances in the exponents then add up to n s.",
        },
        "cases": [
            ([2, 4, 4, 5, 10],),
            ([1, 2, 3, 4, 100],),
            ([0.5, 1.5],),
            ([9, -4, 30, 1, 2],),
            ([-7, 3, 8, 3, -2, 0],),
            ([0, 10] * 200,),
            ([3, 3, 3],),
            ([0.1, 0.1, 0.1],),
            ([-2],),
        ],
        "checks": [
            {"says": "a few measurements", "points": 1, "draw": draw_measurements, "times": 6},
            {"says": "hundreds of measurements", "points": 0.5, "draw": draw_hundreds, "times": 2},
            {"says": "measurements that are all equal, or not", "points": 0.5, "draw": draw_equal, "times": 12},
        ],
        "mistakes": {
            "no-logs": _multiplied,
            "ls-natural": _squares,
            "median-for-mean": _medians,
            "n-minus-one": _unbiased,
            "dropped-constants": _errors_only,
            "The exponents do not vanish at the best parameters: together they make −n/2 for Gaussian and −n for Laplace noise.": _no_errors,
            "sign-flip": lambda data: {name: -log for name, log in noise_fit(data).items()},
            "Natural logarithms are asked for; log₂ gives bits.": lambda data: {
                name: log / math.log(2) for name, log in noise_fit(data).items()
            },
        },
        "slips": FIT_SLIPS,
        "almost_right": {
            "the middle of the list as it comes": lambda data: {
                **noise_fit(data),
                "laplace": _laplace(np.asarray(data, dtype=float), data[len(data) // 2]),
            },
            "a guard for one measurement alone": lambda data: (
                noise_fit(data) if len(data) == 1 or np.ptp(data) else None
            ),
        },
        "read": "2 · Why squares?",
        "hint": "First the best parameters: mean and mean squared distance for one, median and mean absolute distance for the other. Then add up the logarithms of the densities.",
        "right": "Each noise had its own best centre and its own best width.",
    },
    "lead": {
        "kind": "number",
        "points": 1,
        "solve": lead,
        "varies": True,
        "builds_on": ["noise_fit"],
        "mistakes": {
            "The difference is Gaussian minus Laplace.": lambda student: -lead(student),
            "x-on-y": lambda student: _lead(_residuals(student, swapped=True)),
            "Those are the heights themselves; the noise is what the line leaves over.": lambda student: _lead(
                data.families(student)["children"]
            ),
            "Nats come from natural logarithms; log₂ gives bits.": lambda student: lead(student) / math.log(2),
            "That is the lead for one child; the log-likelihood is a sum over all of them.": lambda student: (
                lead(student) / len(_residuals(student))
            ),
        },
        "read": "2 · Why squares?",
        "hint": "Residuals are measured along what is predicted, the child's height. Both log-likelihoods are those of all residuals together.",
        "right": "You let the residuals say which noise they come from.",
    },
    "best_degree": {
        "kind": "function",
        "points": 2,
        "arguments": "mse, n",
        "solve": best_degree,
        "cases": [
            ([0.9, 0.4, 0.075, 0.07], 20),
            ([0.8, 0.74, 0.69, 0.66, 0.65], 20),
            ([0.8, 0.74, 0.69, 0.66, 0.65], 200),
            ([1.0, 0.9, 0.79, 0.7, 0.66, 0.64], 60),
            ([1.0, 0.895, 0.89], 64),
            ([1.0, 0.926, 0.92], 64),
            ([0.5], 16),
            ([3.0, 2.9, 2.88, 1.1, 1.05], 12),
            ([None, 2.0, None, 0.5, 0.49], 30),
            ([2.0, None, 0.0, 0.0], 10),
            ([0.0, 0.0], 5),
            ([0.05, 0.01, 0.0], 30),
        ],
        "checks": [
            {"says": "up to nine degrees", "points": 1, "draw": draw_degrees, "times": 10},
            {
                "says": "degrees that were not tried, and fits without error",
                "points": 1,
                "draw": draw_gaps,
                "times": 10,
            },
        ],
        "mistakes": {
            "A higher degree may pay although the next one does not, so compare all of them.": _upwards,
            "fit-best": _choice(lambda d, n: 0.0, lambda error, n: math.log(error)),
            "The two parts have to be in the same unit: take log₂ for both, or ln for both.": _choice(
                _half, lambda error, n: n / 2 * math.log(error)
            ),
            "The error is paid for every point: multiply its logarithm by n/2.": _choice(
                _half, lambda error, n: math.log2(error)
            ),
            "What a coefficient costs grows with n: half of log₂ n bits each.": _choice(
                lambda d, n: (d + 1) * math.log2(math.e), _saved
            ),
            "The degree is the place in the whole list, places without a value included.": _packed,
            "The logarithm of 0 is minus infinity, not 0: a fit without error beats all that have one.": _free_if_perfect,
            "An error of 0 makes the message shorter than any other; it is not a missing value.": _perfect_skipped,
            "One coefficient costs half of log₂ n bits.": _choice(lambda d, n: 2 * _half(d, n), _saved),
        },
        "near": {
            "the highest of several perfect fits": _highest,
            "degree 0 free": _choice(lambda d, n: _half(d, n) if d else 0.0, _saved),
        },
        "read": "4 · How much curve?",
        "hint": "Write the message of each degree that was tried as model part plus data part, ½ (d + 1) log₂ n + n/2 log₂(SSE/n), and take the shortest. An error of 0 needs a case of its own.",
        "right": "Each degree had to pay for its coefficients, and the cheapest message won.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "With a probability of 0.000005 the coin's true probability of heads is 0.7.",
            "B": "These 20 tosses are about five times as probable if θ = 0.7 as if θ = 0.5.",
            "C": "Even at the peak the likelihood is only 0.000005, so no θ explains these tosses well.",
            "D": "The peak shows, without any assumption, that 0.7 is the most probable value of θ.",
        },
        "solve": "B",
        "mistakes": {"A": "lik-prob", "C": "lik-small", "D": "flat-neutral"},
        "read": "A coin",
        "hint": "A likelihood says how probable the tosses are, not how probable θ is. What may be compared?",
        "right": "The ratio of two likelihoods carries information; their size and the area below the curve do not.",
    },
    "why": {
        "kind": "explanation",
        "points": 1,
        "rubric": [
            "0.5 points: the data part (or what a better fit saves in it) grows in proportion to n, because every point pays for its error; the log-likelihood is a sum over the points.",
            '0.5 points: what the further coefficients cost grows only like log n, so from some n on the saving exceeds it. "More data outweighs the prior" counts if it is said that a simple model is what the prior, or the model part, prefers.',
        ],
    },
}
