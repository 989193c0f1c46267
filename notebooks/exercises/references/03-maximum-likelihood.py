"""Exercise 03: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math

import data
import numpy as np


def _line(x, y, weights):
    x, y, weights = (np.asarray(each, dtype=float) for each in (x, y, weights))
    if len(set(x)) < 2:
        raise ValueError("all x are equal, so no slope is determined")
    centre, height = weights @ x / weights.sum(), weights @ y / weights.sum()
    slope = weights @ ((x - centre) * (y - height)) / (weights @ (x - centre) ** 2)
    return float(height - slope * centre), float(slope)


def weighted_line(x, y, sigma):
    return _line(x, y, 1 / np.square(sigma, dtype=float))


def _through_origin(x, y, sigma):
    weights = 1 / np.square(sigma, dtype=float)
    return 0.0, float(weights @ np.multiply(x, y) / (weights @ np.square(x)))


def draw_points(random):
    n = int(random.integers(4, 10))
    x, sigma = random.uniform(-5, 10, n), random.choice([0.2, 0.5, 1.0, 2.0, 5.0], n)
    sigma[:2] = 0.5, 2.0
    y = random.uniform(-3, 3) + random.uniform(-2, 2) * x + sigma * random.normal(size=n)
    return tuple([round(float(each), 3) for each in column] for column in (x, y, sigma))


def draw_upright(random):
    """All measured at one place, every other time."""
    if random.random() < 0.5:
        return draw_points(random)
    n = int(random.integers(2, 5))
    return [int(random.integers(1, 9))] * n, [int(each) for each in random.integers(0, 9, n)], [1, 2, 2, 4, 1][:n]


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


def _unbiased(data):
    return {**noise_fit(data), "gaussian": _gaussian(np.asarray(data, dtype=float), max(len(data) - 1, 1))}


def _errors_only(data):
    """Only what depends on the data: −n/2 and −n, whatever the data are."""
    return {"gaussian": -len(data) / 2, "laplace": -float(len(data))} if noise_fit(data) else None


def _multiplied(data):
    """The logarithm of a product of densities, which may have become 0."""
    return {name: log if log > -745 else -math.inf for name, log in noise_fit(data).items()}


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


def description_bits(sse, n):
    return [(d + 1) / 2 * math.log2(n) + n / 2 * math.log2(error / n) for d, error in enumerate(sse)]


def draw_degrees(random, n=None):
    n = n or int(random.integers(10, 60))
    falling = np.cumprod([random.uniform(5, 50), *random.uniform(0.1, 0.999, random.integers(2, 9))])
    return [float(each) for each in falling], n


def draw_many_points(random):
    return draw_degrees(random, n=int(random.integers(10_000, 100_000)))


def _coins(student):
    """Chances, priors and likelihoods of the three coins."""
    bag = data.bag(student)
    heads, tails = bag["tosses"].count("H"), bag["tosses"].count("T")
    chances, prior = np.array(bag["chances"]), np.array(bag["prior"])
    return chances, prior, chances**heads * (1 - chances) ** tails


def _average(chances, weights):
    return float(chances @ weights / weights.sum())


def next_head(student):
    chances, prior, likelihood = _coins(student)
    return _average(chances, prior * likelihood)


def _favourite(student):
    chances, prior, likelihood = _coins(student)
    return float(chances[np.argmax(prior * likelihood)])


def _best_fit(student):
    chances, _, likelihood = _coins(student)
    return float(chances[np.argmax(likelihood)])


FIVE = [0, 1, 2, 3, 4], [1, 3, 2, 5, 4]

TASKS = {
    "weighted_line": {
        "kind": "function",
        "points": 3,
        "arguments": "x, y, sigma",
        "solve": weighted_line,
        "cases": [
            (*FIVE, [1, 1, 1, 1, 1]),
            (*FIVE, [1, 1, 3, 1, 0.5]),
            ([1, 2, 4], [3.0, 1.0, 0.5], [0.5, 1, 2]),
            ([2, 2], [1, 3], [1, 2]),
        ],
        "checks": [
            {"says": "points of unequal noise", "points": 2, "draw": draw_points, "times": 6},
            {"says": "all points at one place, or not", "points": 1, "draw": draw_upright, "times": 12},
        ],
        "mistakes": {
            "equal-noise": lambda x, y, sigma: _line(x, y, np.ones(len(x))),
            "half-variance": lambda x, y, sigma: _line(x, y, 1 / np.asarray(sigma, dtype=float)),
            "loud-noise": lambda x, y, sigma: _line(x, y, np.square(sigma, dtype=float)),
            "Return the intercept first and the slope second.": lambda x, y, sigma: weighted_line(x, y, sigma)[::-1],
            "through-origin": _through_origin,
        },
        "hint": "Give point i the weight 1/σᵢ². Then the formulas of least squares hold with weighted means in place of means.",
        "right": "Exact points pulled harder, and that is what the likelihood asks for.",
    },
    "noise_fit": {
        "kind": "function",
        "points": 3,
        "arguments": "data",
        "solve": noise_fit,
        "cases": [
            ([2, 4, 4, 5, 10],),
            ([1, 2, 3, 4, 100],),
            ([0.5, 1.5],),
            ([0, 10] * 200,),
            ([3, 3, 3],),
        ],
        "checks": [
            {"says": "a few measurements", "points": 1, "draw": draw_measurements, "times": 6},
            {"says": "hundreds of measurements", "points": 1, "draw": draw_hundreds, "times": 2},
            {"says": "measurements that are all equal, or not", "points": 1, "draw": draw_equal, "times": 12},
        ],
        "mistakes": {
            "no-logs": _multiplied,
            "ls-natural": _squares,
            "n-minus-one": _unbiased,
            "dropped-constants": _errors_only,
            "sign-flip": lambda data: {name: -log for name, log in noise_fit(data).items()},
        },
        "hint": "First the best parameters: mean and mean squared distance for one, median and mean absolute distance for the other. Then add up the logarithms of the densities.",
        "right": "Each noise had its own best centre and its own best width.",
    },
    "description_bits": {
        "kind": "function",
        "points": 2,
        "arguments": "sse, n",
        "solve": description_bits,
        "cases": [([9.5, 4.0, 0.75, 0.7], 20), ([8.0], 16), ([120.0, 30.0, 29.0], 10)],
        "checks": [
            {"says": "up to nine degrees", "points": 1, "draw": draw_degrees, "times": 5},
            {"says": "very many points", "points": 1, "draw": draw_many_points, "times": 3},
        ],
        "mistakes": {
            "fit-best": lambda sse, n: [n / 2 * math.log2(error / n) for error in sse],
            "Bits need logarithms to base 2; one nat is 1.443 bits.": lambda sse, n: [
                bits * math.log(2) for bits in description_bits(sse, n)
            ],
            "free-constant": lambda sse, n: [bits - math.log2(n) / 2 for bits in description_bits(sse, n)],
            "sign-flip": lambda sse, n: [-bits for bits in description_bits(sse, n)],
        },
        "hint": "Degree d is the place in the list, counted from 0. It pays ½ (d + 1) log₂ n for the model and n/2 log₂(SSE/n) for the data.",
        "right": "Now the best fit has to pay for its coefficients.",
    },
    "next_head": {
        "kind": "number",
        "points": 1,
        "solve": next_head,
        "varies": True,
        "probability": True,
        "mistakes": {
            "map-answer": _favourite,
            "fit-best": _best_fit,
            "prior-only": lambda student: _average(*_coins(student)[:2]),
            "base-rate": lambda student: _average(_coins(student)[0], _coins(student)[2]),
        },
        "hint": "First the posterior of each coin, then the average of their chances with the posteriors as weights.",
        "right": "All three coins were asked, each as much as it is believed.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "B",
        "mistakes": {"A": "lik-prob", "C": "lik-small", "D": "flat-neutral"},
        "hint": "A likelihood says how probable the tosses are, not how probable θ is. What may be compared?",
        "right": "Ratios of likelihoods speak; sizes and areas do not.",
    },
}
