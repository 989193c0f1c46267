"""Exercise 15: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import data
import numpy as np

KERNELS = {
    "gaussian": lambda u: np.exp(-u * u / 2),
    "tricube": lambda u: np.where(u <= 1, (1 - u**3) ** 3, 0.0),
    "epanechnikov": lambda u: np.where(u <= 1, 1 - u**2, 0.0),
    "box": lambda u: np.where(u <= 1, 1.0, 0.0),
}
LEAST = 1e-9  # a weight has to be above it; errors that differ by less are tied


# --- a local fit ---


def _weights(x, query, h, kernel):
    return KERNELS[kernel](np.abs(np.array(x, float) - query) / h)


def _fit(x, y, weights, degree, about):
    """Coefficients of the weighted polynomial in x − about, the constant first."""
    root = np.sqrt(weights)
    rows = np.vander(np.array(x, float) - about, degree + 1, increasing=True)
    return np.linalg.lstsq(root[:, None] * rows, root * np.array(y, float), rcond=None)[0]


def _places(x, weights, least=LEAST):
    return {place for place, weight in zip(x, weights) if weight > least}


def _enough(x, weights, degree):
    if (seen := len(_places(x, weights))) <= degree:
        raise ValueError(
            f"{seen} different places have a weight, and a polynomial of degree {degree} needs {degree + 1}"
        )


def local_fit(x, y, query, h, kernel, degree):
    weights = _weights(x, query, h, kernel)
    _enough(x, weights, degree)
    return float(_fit(x, y, weights, degree, query)[0])


def _anyway(x, y, query, h, kernel, degree):
    """Least squares always finds something, even where no weight is left."""
    return float(_fit(x, y, _weights(x, query, h, kernel), degree, query)[0])


def _counts_points(x, y, query, h, kernel, degree):
    """A guard that counts points where places are to be counted."""
    weights = _weights(x, query, h, kernel)
    _enough(range(len(x)), weights, degree)
    return float(_fit(x, y, weights, degree, query)[0])


def _changed(weigh=lambda weights: weights, about=lambda query: query, spread=lambda h: h):
    def fit(x, y, query, h, kernel, degree):
        _enough(x, _weights(x, query, h, kernel), degree)
        return float(_fit(x, y, weigh(_weights(x, query, spread(h), kernel)), degree, about(query))[0])

    return fit


def _sound(x, query, h, kernel, degree):
    """Whether each weight is clearly one or none, and the fit does not hang on rounding."""
    weights = _weights(x, query, h, kernel)
    if np.any((weights > 1e-12) & (weights < 1e-4)) or np.any(np.abs(np.abs(np.array(x) - query) / h - 1) < 1e-6):
        return False
    rows = np.sqrt(weights)[:, None] * np.vander((np.array(x) - query) / h, degree + 1)
    return len(_places(x, weights)) <= degree or np.linalg.cond(rows) < 1e3


def _points(random, n, twins=0):
    """Points in any order, the last `twins` of them at places of others."""
    x = random.choice(np.arange(0, 41), n - twins, replace=False) / 4
    x = random.permutation(np.concatenate([x, random.choice(x, twins)]))
    y = (random.uniform(-1, 2) * x + 2 * np.sin(x) + random.normal(0, 0.5, n)).round(2)
    return x.tolist(), y.tolist()


def _drawn(kernels):
    """The three draws of a hidden check, for a variant's kernels."""

    def fit(random, twins=0):
        while True:
            x, y = _points(random, int(random.integers(7, 12)), twins)
            query, h = round(float(random.uniform(-0.5, 10.5)), 2), float(random.choice([1.7, 2.3, 3.1, 4.3]))
            case = x, y, query, h, str(random.choice(kernels)), int(random.integers(3))
            if _sound(x, *case[2:]) and len(_places(x, _weights(x, *case[2:5]))) > case[-1]:
                return case

    def twins(random):
        """Points at the same place: every other time enough points and too few places."""
        if random.random() < 0.5:
            return fit(random, twins=4)
        while True:
            x, y = _points(random, int(random.integers(8, 12)), twins=5)
            kernel, degree = str(random.choice(kernels[1:])), int(random.integers(1, 3))
            case = x, y, round(float(random.uniform(0, 10)), 2), float(random.choice([0.9, 1.4, 1.9])), kernel, degree
            weights = _weights(x, *case[2:5])
            if _sound(x, *case[2:]) and len(_places(x, weights)) <= degree < (weights > LEAST).sum():
                return case

    def lonely(random):
        """A query with too few neighbours, every other time; often some, but not enough."""
        if random.random() < 0.5:
            return fit(random)
        while True:
            x, y = _points(random, int(random.integers(5, 9)))
            kernel, degree = str(random.choice(kernels)), int(random.integers(3))
            query, h = round(float(random.uniform(0, 10)), 2), float(random.choice([0.4, 0.9, 1.4]))
            if kernel == "gaussian":  # the greatest weight lies between e^−50 and e^−32
                query = round(max(x) + h * float(random.uniform(8, 10)), 2)
            if _sound(x, query, h, kernel, degree) and len(_places(x, _weights(x, query, h, kernel))) <= degree:
                return x, y, query, h, kernel, degree

    return fit, twins, lonely


FIVE = [1.0, 4.0, 2.0, 6.0, 3.0], [2.0, 4.0, 3.0, 9.0, 5.0]
TWINS = [2.0, 1.0, 2.0, 5.0, 2.0, 7.0, 5.0], [3.0, 1.0, 4.0, 2.0, 5.0, 6.0, 4.0]


def _fitted(middle):
    """What a variant asks: one of its three kernels differs."""
    kernels = ("gaussian", middle, "box")
    fit, twins, lonely = _drawn(kernels)
    return {
        "cases": [
            (*FIVE, 5.5, 2.3, "gaussian", 2),
            (*FIVE, 0.5, 4.2, middle, 1),
            (*FIVE, 2.6, 1.8, "box", 0),
            (*FIVE, 4.0, 2.0, "box", 1),
            (*TWINS, 3.1, 2.5, middle, 2),
            (*TWINS, 1.5, 1.2, "box", 2),
            (*TWINS, 5.2, 0.9, middle, 1),
            (*FIVE, 90.0, 2.0, "gaussian", 0),
            (*FIVE, 19.0, 1.5, "gaussian", 1),
            (*FIVE, 1.5, 1.2, middle, 2),
        ],
        "checks": [
            {"says": "all kernels and degrees", "points": 1, "draw": fit, "times": 8},
            {"says": "several points at one place", "points": 1, "draw": twins, "times": 12},
            {"says": "too few neighbours, or enough", "points": 1, "draw": lonely, "times": 12},
        ],
    }


# --- the bandwidth ---


def _errors(x, y, bandwidths, kernel, degree, root=False, left="place", skip=False):
    """The error of each bandwidth; inf where a point cannot be answered, or with skip over the others."""
    found = []
    for h in bandwidths:
        squares = []
        for row, (place, height) in enumerate(zip(x, y)):
            stays = {"place": lambda i: x[i] != place, "row": lambda i: i != row, "none": lambda i: True}[left]
            keep = [i for i in range(len(x)) if stays(i)]
            try:
                says = local_fit([x[i] for i in keep], [y[i] for i in keep], place, h, kernel, degree)
                squares.append((height - says) ** 2)
            except ValueError:
                squares += [] if skip else [np.inf]
        mean = float(np.mean(squares)) if squares else np.inf
        found.append(mean**0.5 if root else mean)
    return found


def _choosing(pick=max, root=False, **changed):
    def choose(x, y, bandwidths, kernel, degree):
        errors = _errors(x, y, bandwidths, kernel, degree, root, **changed)
        if min(errors) == np.inf:
            raise ValueError("no bandwidth reaches enough other places everywhere")
        tied = [h for h, error in zip(bandwidths, errors) if error <= min(errors) + LEAST]
        return {"errors": errors, "best": float(pick(tied))}

    return choose


def _chosen(pick, root):
    """What a variant asks: the widest or the narrowest of tied bandwidths, the mean square or its root."""
    solve = _choosing(pick, root)

    def widest(*case):
        return {**solve(*case), "best": float(max(case[2]))}

    def in_order(x, y, bandwidths, kernel, degree):
        return solve(x, y, sorted(bandwidths), kernel, degree)

    return {
        "solve": solve,
        "mistakes": {
            "small-training": _choosing(pick, root, left="none"),
            "shared-source: The points at the same x were left in.": _choosing(pick, root, left="row"),
            "only-the-easy": _choosing(pick, root, skip=True),
            "wide-is-safe": widest,
            "The right errors in another order: the list goes in the order of `bandwidths`.": in_order,
            "Among tied bandwidths the order of the list does not decide.": _choosing(lambda tied: tied[0], root),
            "The task says which of tied bandwidths is taken.": _choosing(min if pick is max else max, root),
            f"Here the error is the {'root of the mean square' if root else 'mean square, without a root'}.": _choosing(
                pick, not root
            ),
        },
    }


def _settled(x, bandwidths, kernel, degree):
    return all(
        _sound([each for each in x if each != place], place, h, kernel, degree) for place in set(x) for h in bandwidths
    )


def draw_choice(random, narrow=False, tied=False):
    """Three bandwidths or four, in any order; `narrow`: one of them leaves a point alone; `tied`: two have the same points."""
    while True:
        x, y = _points(random, int(random.integers(9, 13)), twins=int(random.integers(2, 4)))
        kernel = "box" if narrow or tied else str(random.choice(["gaussian", "box"]))
        degree = 0 if tied else int(random.integers(2))
        bandwidths = random.choice([2.3, 3.1, 4.3, 6.1, 9.1], 3, replace=False).tolist()
        bandwidths += [1.4] if narrow else [bandwidths[0] + 0.08, bandwidths[0] - 0.03] if tied else []
        bandwidths = random.permutation(bandwidths).round(2).tolist()
        if not _settled(x, bandwidths, kernel, degree):
            continue
        errors = _errors(x, y, bandwidths, kernel, degree)
        near = [h for h, error in zip(bandwidths, errors) if error < min(errors) + 1e-3]
        if narrow == (np.inf in errors) and min(errors) < np.inf and len(near) == (3 if tied else 1):
            return x, y, bandwidths, kernel, degree


def draw_hole(random):
    """A bandwidth with which some point cannot be answered; at times none does."""
    x, y, bandwidths, kernel, degree = draw_choice(random, narrow=True)
    return (x, y, [0.2, 0.1], kernel, degree) if random.random() < 0.25 else (x, y, bandwidths, kernel, degree)


def draw_tied(random):
    return draw_choice(random, tied=True)


# --- the road and the helmets ---


def _shares(student, degree=1, query=-1):
    road = data.road(student)
    units, places = np.eye(len(road["places"])), road["places"]
    return np.array([local_fit(places, unit, places[query], road["h"], "gaussian", degree) for unit in units])


def _spread(student, combine=lambda shares: np.sqrt(np.sum(shares**2)), **changed):
    return float(data.road(student)["noise"] * combine(_shares(student, **changed)))


def _best(student, degree=1, left="place"):
    helmets = data.helmets(student)
    train = helmets["train"]
    return _choosing(left=left)(train["ms"], train["g"], helmets["bandwidths"], "gaussian", degree)["best"]


def _missed(student, h=None, degree=1, part="held out", power=0.5):
    helmets, h = data.helmets(student), h or _best(student, degree)
    train, asked = helmets["train"], helmets[part]
    said = [local_fit(train["ms"], train["g"], ms, h, "gaussian", degree) for ms in asked["ms"]]
    return float(np.mean((np.array(said) - asked["g"]) ** 2) ** power)


def _winner(student):
    """The error by which the bandwidth was chosen."""
    helmets = data.helmets(student)
    train = helmets["train"]
    return min(_errors(train["ms"], train["g"], helmets["bandwidths"], "gaussian", 1, root=True))


WAVE = [0.8, 0.0, 2.6, 1.5, 2.6, 3.1, 4.2, 0.8, 4.9, 6.1], [0.5, 0.2, 0.4, 1.3, 0.9, 0.3, -0.7, 0.1, -1.1, -0.1]
SLOPE = [0.0, 1.0, 2.5, 3.0, 4.5], [1.0, 3.0, 6.0, 7.0, 10.0]
STEEP = [3.0, 0.4, 1.1, 2.7, 5.2, 3.0], [-4.1, 1.1, -0.3, -3.5, -8.5, -4.1]
STEPS = [1.0, 2.0, 3.0, 4.0, 5.0, 3.0], [1.0, 4.0, 2.0, 6.0, 3.0, 4.0]

TASKS = {
    "local_fit": {
        "kind": "function",
        "points": 3,
        "arguments": "x, y, query, h, kernel, degree",
        "solve": local_fit,
        **_fitted("tricube"),
        "mistakes": {
            "weights-on-rows": _changed(weigh=np.square),
            "average-line": lambda x, y, query, h, kernel, degree: local_fit(x, y, query, h, kernel, 0),
            "one-fit": _changed(weigh=np.ones_like),
            "bandwidth-variance": _changed(spread=np.sqrt),
            "intercept-at-zero": _changed(about=lambda query: 0.0),
            "Two points at one place determine no line: count the different values of x.": _counts_points,
            "no-answer-is-zero: Least squares returns something even where too few places have a weight, so count them first.": _anyway,
        },
        "almost_right": {
            "one place more is wanted": lambda x, y, query, h, kernel, degree: (
                [_enough(x, _weights(x, query, h, kernel), degree + 1)] and local_fit(x, y, query, h, kernel, degree)
            ),
            "every weight above 0 counts": lambda *case: (
                _anyway if len(_places(case[0], _weights(case[0], *case[2:5]), 0)) > case[5] else local_fit
            )(*case),
            "a Gaussian without the half": lambda x, y, query, h, kernel, degree: local_fit(
                x, y, query, h / 2**0.5 if kernel == "gaussian" else h, kernel, degree
            ),
            "a tricube without the outer cube": lambda *case: (
                _changed(weigh=np.cbrt) if case[4] == "tricube" else local_fit
            )(*case),
        },
        "read": "A local line",
        "hint": "Count first: how many different x have a weight above 1e-9? Then give least squares the rows √w · (1, x − query, (x − query)², …) and √w · y; the first coefficient is the answer.",
        "right": "Average, line and parabola are one function, and a query without neighbours gets no answer.",
        "variants": [{}, _fitted("epanechnikov")],
    },
    "choose_bandwidth": {
        "kind": "function",
        "builds_on": "local_fit",
        "points": 2,
        "arguments": "x, y, bandwidths, kernel, degree",
        "keys": ["errors", "best"],
        "hints": {
            "errors": "For each bandwidth and each point: `local_fit` on all points whose x differs from this one's, asked at this x; then the mean of the squared errors. One ValueError makes the whole mean infinite.",
            "best": "The bandwidth itself is asked for, not its place. Mind the rule for errors within 1e-9 of the least.",
        },
        **_chosen(max, False),
        "cases": [
            (*WAVE, [4.0, 0.9, 0.5], "gaussian", 1),
            (*WAVE, [0.9, 1.9, 1.2, 4.0], "box", 0),
            (*SLOPE, [2.2, 3.3, 1.1], "gaussian", 1),
            (*STEEP, [4.0, 2.9, 1.4, 2.1], "gaussian", 1),
            (*STEPS, [2.2, 1.6, 2.8, 3.5], "box", 0),
            (*STEPS, [2.4, 2.8, 2.2, 3.1, 2.6], "box", 0),
            (*WAVE, [0.5, 0.3], "box", 0),
        ],
        "checks": [
            {"says": "three bandwidths", "points": 1, "draw": draw_choice, "times": 5},
            {"says": "a bandwidth that leaves a point without an answer", "points": 0.5, "draw": draw_hole, "times": 8},
            {"says": "bandwidths that are tied", "points": 0.5, "draw": draw_tied, "times": 5},
        ],
        "almost_right": {
            "the last of ties": _choosing(lambda tied: tied[-1]),
        },
        "read": "Who chooses the bandwidth?",
        "hint": "For each h and each point: local_fit on the points whose x differs from this one's, with its x as the query. Where it raises a ValueError, the error of this h is inf.",
        "right": "No truth was needed, and no point was judged by itself or by its twins.",
        "variants": [{}, _chosen(min, True)],
    },
    "spread": {
        "kind": "number",
        "builds_on": "local_fit",
        "points": 1,
        "solve": _spread,
        "varies": True,
        "low": 0,
        "mistakes": {
            "average-line": lambda student: _spread(student, degree=0),
            "spread: This is the variance; its square root is the standard deviation.": lambda student: (
                _spread(student) ** 2
            ),
            "Independent errors add by their squares, not by their sizes.": lambda student: _spread(
                student, lambda shares: np.abs(shares).sum()
            ),
            "The shares add up to 1, but independent errors add by their squares.": lambda student: _spread(
                student, np.sum
            ),
            "equal-neighbours": lambda student: _spread(student, lambda shares: len(shares) ** -0.5),
            "This is the spread at the middle of the places; the last place is asked for.": lambda student: _spread(
                student, query=4
            ),
            "This is the spread at the first place; the last is asked for.": lambda student: _spread(student, query=0),
        },
        "read": "Why not narrower, why not wider?",
        "hint": "What does your function return if one height is 1 and all the others are 0? The noise of each height enters with this share, and variances of independent terms add up.",
        "right": "At an end few points hold the line, so it swings: that is the price for its small bias.",
    },
    "held_out": {
        "kind": "number",
        "builds_on": ["local_fit", "choose_bandwidth"],
        "points": 1,
        "solve": _missed,
        "varies": True,
        "low": 0,
        "mistakes": {
            "chosen-score: This is the error by which the bandwidth was chosen.": _winner,
            "small-training": lambda student: _missed(student, part="train"),
            "average-line": lambda student: _missed(student, degree=0),
            "wide-is-safe": lambda student: _missed(student, h=6.0),
            "shared-source: The bandwidth was chosen with measurements of the same time left in.": lambda student: (
                _missed(student, h=_best(student, left="row"))
            ),
            "The bandwidth with the least training error is the narrowest, because each point helps to predict itself.": lambda student: (
                _missed(student, h=_best(student, left="none"))
            ),
            "The root of the mean squared error is asked for.": lambda student: _missed(student, power=1),
        },
        "read": "On real data: how hard was the head hit? · more",
        "hint": "First the bandwidth, from the training measurements alone; then local_fit for each held-out time, with the training measurements; then the root of the mean of the squared errors.",
        "right": "Whole times were left out for the choice, and other whole times for the error that is reported.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "The dotted curve is made of averages, the dashed one of lines and the solid one of parabolas.",
            "B": "The dashed curve is made of averages, the dotted one of lines and the solid one of parabolas.",
            "C": "The dashed curve is made of averages, the solid one of lines and the dotted one of parabolas.",
            "D": "The solid curve is made of averages, the dotted one of lines and the dashed one of parabolas.",
        },
        "solve": "B",
        "mistakes": {"A": "average-extrapolates", "C": "line-bends", "D": "boundary-bias"},
        "read": "And in a valley?",
        "hint": "Look at the right end first: which of the three cannot follow a slope there? Then at the hill: which two must agree where the points lie evenly on both sides?",
        "right": "An average is pulled back at the end, a line cuts the hill as an average does, and a parabola does neither.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: the neighbours that stay share the error of the reading left out, so a narrow kernel predicts it, error included, and copying the noise is rewarded. Accept: the noise is not independent, so the left-out error of a narrow kernel is too small; or: a drift cannot be told from the temperature by its neighbours.",
            "1 point: leave out a whole stretch around the reading, longer than the drift lasts. Accept: blocks or whole days held out (if they are longer than the drift), readings far enough apart, a second sensor with errors of its own, or a bandwidth wider than the known quarter of an hour.",
        ],
    },
}
