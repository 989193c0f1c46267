"""Exercise 15: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import data
import numpy as np

KERNELS = {
    "gaussian": lambda u: np.exp(-u * u / 2),
    "tricube": lambda u: np.where(u < 1, (1 - u**3) ** 3, 0.0),
    "box": lambda u: np.where(u < 1, 1.0, 0.0),
}
LEAST = 1e-9  # a smaller weight counts as none


def _weights(x, query, h, kernel):
    return KERNELS[kernel](np.abs(np.array(x, float) - query) / h)


def _fit(x, y, weights, degree, about):
    """Coefficients of the weighted polynomial in x − about, the constant first."""
    root = np.sqrt(weights)
    rows = np.vander(np.array(x, float) - about, degree + 1, increasing=True)
    return np.linalg.lstsq(root[:, None] * rows, root * np.array(y, float), rcond=None)[0]


def _enough(x, weights, degree):
    seen = {place for place, weight in zip(x, weights) if weight > LEAST}
    if len(seen) <= degree:
        raise ValueError(
            f"{len(seen)} different places have a weight, and a polynomial of degree {degree} needs {degree + 1}"
        )


def local_fit(x, y, query, h, kernel, degree):
    weights = _weights(x, query, h, kernel)
    _enough(x, weights, degree)
    return float(_fit(x, y, weights, degree, query)[0])


def _anyway(x, y, query, h, kernel, degree):
    """Least squares always finds something, also where no weight is left."""
    return float(_fit(x, y, _weights(x, query, h, kernel), degree, query)[0])


def _changed(weigh=lambda weights: weights, about=lambda query: query, spread=lambda h: h):
    def fit(x, y, query, h, kernel, degree):
        weights = _weights(x, query, h, kernel)
        _enough(x, weights, degree)
        return float(_fit(x, y, weigh(_weights(x, query, spread(h), kernel)), degree, about(query))[0])

    return fit


def _sound(x, query, h, kernel, degree):
    """Whether no weight is nearly none, and the fit does not hang on rounding."""
    weights = _weights(x, query, h, kernel)
    if np.any((weights > 0) & (weights < 1e-4)) or np.any(np.abs(np.abs(np.array(x) - query) / h - 1) < 1e-6):
        return False
    z = (np.array(x) - query) / h
    rows = np.sqrt(weights)[:, None] * np.vander(z, degree + 1)
    few = len({place for place, weight in zip(x, weights) if weight}) <= degree
    return few or np.linalg.cond(rows) < 1e3


def _points(random, n):
    x = np.sort(random.choice(np.arange(0, 41), n, replace=False)) / 4
    order = random.permutation(n)
    y = (random.uniform(-1, 2) * x + 2 * np.sin(x) + random.normal(0, 0.5, n)).round(2)
    return x[order].tolist(), y[order].tolist()


def draw_fit(random, degrees=(0, 1, 2), kernels=tuple(KERNELS)):
    while True:
        x, y = _points(random, int(random.integers(6, 11)))
        query, h = round(float(random.uniform(-0.5, 10.5)), 2), float(random.choice([1.7, 2.3, 3.1, 4.3]))
        case = x, y, query, h, str(random.choice(kernels)), int(random.choice(degrees))
        if _sound(case[0], *case[2:]):
            weights = _weights(x, *case[2:5])
            if len({place for place, weight in zip(x, weights) if weight}) > case[-1]:
                return case


def draw_curved(random):
    return draw_fit(random, degrees=(2,), kernels=("gaussian", "tricube"))


def draw_average(random):
    return draw_fit(random, degrees=(0,))


def draw_lonely(random):
    """A query with too few neighbours, every other time; often some, but not enough."""
    while True:
        x, y = _points(random, int(random.integers(5, 9)))
        kernel, degree = str(random.choice(list(KERNELS))), int(random.integers(3))
        query, h = round(float(random.uniform(0, 10)), 2), float(random.choice([0.4, 0.9, 1.4]))
        if kernel == "gaussian":
            query, h = query + 90, 2.0
        if not _sound(x, query, h, kernel, degree):
            continue
        weights = _weights(x, query, h, kernel)
        if len({place for place, weight in zip(x, weights) if weight}) <= degree:
            return (x, y, query, h, kernel, degree) if random.random() < 0.5 else draw_fit(random)


def _errors(x, y, bandwidths, kernel, degree, out=True, skip=False):
    """The mean squared error for each bandwidth; inf where a point cannot be answered, or with skip over the others."""
    found = []
    for h in bandwidths:
        squares = []
        for row, (place, height) in enumerate(zip(x, y)):
            keep = [each for each in range(len(x)) if each != row or not out]
            try:
                says = local_fit([x[i] for i in keep], [y[i] for i in keep], place, h, kernel, degree)
                squares.append((height - says) ** 2)
            except ValueError:
                squares += [] if skip else [np.inf]
        found.append(float(np.mean(squares)) if squares else np.inf)
    return found


def _pick(errors, bandwidths):
    if min(errors) == np.inf:
        raise ValueError("no bandwidth reaches enough other points everywhere")
    return errors, float(max(h for h, error in zip(bandwidths, errors) if error <= min(errors) + LEAST))


def choose_bandwidth(x, y, bandwidths, kernel, degree):
    return _pick(_errors(x, y, bandwidths, kernel, degree), bandwidths)


def _narrowest(x, y, bandwidths, kernel, degree):
    errors, _ = choose_bandwidth(x, y, bandwidths, kernel, degree)
    return errors, float(min(h for h, error in zip(bandwidths, errors) if error <= min(errors) + LEAST))


def _settled(x, bandwidths, kernel, degree):
    return all(
        _sound([each for each in x if each != place], place, h, kernel, degree) for place in x for h in bandwidths
    )


def draw_choice(random, degrees=(0, 1), narrow=False):
    while True:
        x, y = _points(random, int(random.integers(8, 12)))
        kernel = str(random.choice(["tricube", "box"] if narrow else list(KERNELS)))
        degree = int(random.choice(degrees))
        bandwidths = sorted(random.choice([2.3, 3.1, 4.3, 6.1, 9.1], 3, replace=False).tolist())
        bandwidths = [1.4, *bandwidths] if narrow else bandwidths
        if not _settled(x, bandwidths, kernel, degree):
            continue
        errors = _errors(x, y, bandwidths, kernel, degree)
        finite = sorted(error for error in errors if error < np.inf)
        if len(finite) < 2 or finite[1] - finite[0] < 1e-3 or narrow != (np.inf in errors):
            continue
        return x, y, bandwidths, kernel, degree


def draw_hole(random):
    """A bandwidth with which some point cannot be answered; at times none does."""
    x, y, bandwidths, kernel, degree = draw_choice(random, narrow=True)
    return (x, y, [0.1, 0.2], kernel, degree) if random.random() < 0.25 else (x, y, bandwidths, kernel, degree)


def draw_straight(random):
    """Points exactly on a line: every bandwidth is as good as the others, or nearly straight ones."""
    if random.random() < 0.3:
        return draw_choice(random, degrees=(1,))
    while True:
        x, _ = _points(random, int(random.integers(7, 10)))
        a, b = (float(each) for each in random.integers(-4, 5, 2))
        bandwidths = [2.3, 4.3, 6.1]
        if _settled(x, bandwidths, "gaussian", 1):
            return x, [a + b * place for place in x], bandwidths, "gaussian", 1


def _bias(student, power=1, degree=0, sign=1):
    road = data.road(student)
    x, y, end = road["places"], road["climbing"], road["places"][-1]
    return sign * (local_fit(x, y, end, road["h"] ** power, "gaussian", degree) - y[-1])


def _lift(student, power=1, degree=1):
    road = data.road(student)
    return local_fit(road["places"], road["valley"], 5, road["h"] ** power, "gaussian", degree) - road["valley"][5]


FIVE = [1.0, 2.0, 3.0, 4.0, 6.0], [2.0, 3.0, 5.0, 4.0, 9.0]
WAVE = [0.0, 0.8, 1.5, 2.6, 3.1, 4.2, 4.9, 6.1], [0.2, 0.5, 1.3, 0.4, 0.3, -0.7, -1.1, -0.1]

TASKS = {
    "local_fit": {
        "kind": "function",
        "points": 4,
        "arguments": "x, y, query, h, kernel, degree",
        "solve": local_fit,
        "cases": [
            (*FIVE, 5.5, 2.3, "gaussian", 2),
            (*FIVE, 0.5, 4.2, "tricube", 1),
            (*FIVE, 2.6, 1.8, "box", 0),
            (*FIVE, 90.0, 2.0, "gaussian", 0),
            (*FIVE, 1.5, 1.2, "tricube", 2),
        ],
        "checks": [
            {"says": "all kernels and degrees", "points": 1, "draw": draw_fit, "times": 6},
            {"says": "degree 2", "points": 1, "draw": draw_curved, "times": 4},
            {"says": "degree 0, the weighted mean", "points": 1, "draw": draw_average, "times": 4},
            {"says": "too few neighbours, or enough", "points": 1, "draw": draw_lonely, "times": 12},
        ],
        "mistakes": {
            "weights-on-rows": _changed(weigh=np.square),
            "average-line": lambda x, y, query, h, kernel, degree: local_fit(x, y, query, h, kernel, 0),
            "one-fit": _changed(weigh=np.ones_like),
            "bandwidth-variance": _changed(spread=np.sqrt),
            "intercept-at-zero": _changed(about=lambda query: 0.0),
            "no-answer-is-zero": _anyway,
        },
        "hint": "Count first: how many different x have a weight above 1e-9? Then give least squares the rows √w · (1, x − query, (x − query)², …) and √w · y; the first coefficient is the answer.",
        "right": "Average, line and parabola are one function, and a query without neighbours gets no answer.",
    },
    "choose_bandwidth": {
        "kind": "function",
        "builds_on": "local_fit",
        "points": 3,
        "arguments": "x, y, bandwidths, kernel, degree",
        "solve": choose_bandwidth,
        "cases": [
            (*WAVE, [0.7, 1.3, 4.0], "gaussian", 1),
            (*WAVE, [0.9, 1.9, 4.0], "tricube", 0),
            ([0.0, 1.0, 2.5, 3.0, 4.5], [1.0, 3.0, 6.0, 7.0, 10.0], [1.1, 2.2, 3.3], "gaussian", 1),
            (*WAVE, [0.3, 0.5], "box", 0),
        ],
        "checks": [
            {"says": "three bandwidths", "points": 1, "draw": draw_choice, "times": 5},
            {"says": "a bandwidth that leaves a point without an answer", "points": 1, "draw": draw_hole, "times": 8},
            {"says": "bandwidths that are equally good, or nearly", "points": 1, "draw": draw_straight, "times": 5},
        ],
        "mistakes": {
            "small-training": lambda *case: _pick(_errors(*case, out=False), case[2]),
            "wide-is-safe": lambda *case: (choose_bandwidth(*case)[0], float(max(case[2]))),
            "only-the-easy": lambda *case: _pick(_errors(*case, skip=True), case[2]),
            "The task says how ties are broken: the widest of equally good bandwidths is taken.": _narrowest,
        },
        "hint": "For each h and each point: local_fit on all the others, with this point's x as the query. Where it raises a ValueError, the error of this h is inf.",
        "right": "No truth was needed, and no point was its own judge.",
    },
    "bias": {
        "kind": "number",
        "builds_on": "local_fit",
        "points": 1,
        "solve": _bias,
        "varies": True,
        "mistakes": {
            "boundary-bias": lambda student: _bias(student, degree=1),
            "bandwidth-variance": lambda student: _bias(student, power=0.5),
            "Bias is the model's answer minus the truth, so an answer that is too low has a negative bias.": lambda student: (
                _bias(student, sign=-1)
            ),
        },
        "hint": "Degree 0, the last place as the query; subtract the height that the road has there.",
        "right": "All neighbours of the last place lie below it.",
    },
    "lift": {
        "kind": "number",
        "builds_on": "local_fit",
        "points": 1,
        "solve": _lift,
        "varies": True,
        "mistakes": {
            "line-bends": lambda student: _lift(student, degree=2),
            "bandwidth-variance": lambda student: _lift(student, power=0.5),
        },
        "hint": "Degree 1, place 5 as the query; subtract the height that the road has there.",
        "right": "On both sides the ground rises, and a line can only tilt.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "D",
        "mistakes": {"A": "small-training", "B": "wide-is-safe", "C": "kernel-matters"},
        "hint": "Where is the lowest point of each of the three curves? And what would each of them need to be drawn?",
        "right": "Leave-one-out finds the valley without knowing the truth.",
    },
}
