"""Local models: for every query a small model of its own, in which near points count more (section 15).

    w_i = K(d(x_i, x_q) / h),   E1 = ½ Σ_{k nearest} r_i²,   E2 = ½ Σ_all w_i r_i²,   E3 = ½ Σ_{k nearest} w_i r_i²

with residuals r_i = y_i − f̂(x_i); f̂ is the constant, line or quadratic with the least error.
`LocallyWeightedRegression` fits at the query and forgets the fit; `RBFNetwork` fits once, before any query; `CaseBase`
does without numbers.
"""

from itertools import combinations_with_replacement
from numbers import Real
from typing import NamedTuple

import numpy as np

from bayeslib._checks import as_number, is_mapping, names, whole_number
from bayeslib.kernels import KERNELS, kernel_weights

ERRORS = {"nearest": "E1", "kernel": "E2", "both": "E3"}
CELLS = 2**16  # so many numbers of the local designs are held at a time: they stay in the cache


# The formulas


def distance_weighted_mean(X, y, queries, k=None, power=2):
    """Σ w_i y_i / Σ w_i with w_i = 1 / d(x_i, x_q)^power over the k nearest, or over all (section 15).

    At a point of the data the weight is infinite: the mean of the points there is returned, which is the limit.
    """
    X, y = _examples(X, y)
    distances = np.sqrt(_squared(_queries(queries, X), X))
    distances[~_nearest(distances, _neighbours(len(X) if k is None else k, len(X)))] = np.inf
    closest = distances.min(axis=1, keepdims=True)
    here = distances == 0
    ratio = np.divide(closest, distances, where=~here, out=np.zeros_like(distances))
    weights = np.where(
        closest == 0, here, ratio ** as_number(power, "power", low=0)
    )  # relative: the nearest has weight 1
    return weights @ y / weights.sum(axis=1)


def columns(Z, degree):
    """The columns of a constant (degree 0), a line or plane (1) or a quadratic (2), the constant's first (section 15).

    Z holds the inputs along its first axis; the answer holds the columns so: 1, z_1, z_2, …, z_1², z_1 z_2, …
    """
    powers = [which for order in range(degree + 1) for which in combinations_with_replacement(range(len(Z)), order)]
    found = np.ones((len(powers), *Z.shape[1:]))
    for column, which in zip(found, powers):
        for j in which:
            column *= Z[j]
    return found


def weighted_fit(design, y, weights):
    """β with the least Σ_i w_i (y_i − Σ_c β_c z_ci)², one for every row of weights; NaN where the points leave it open.

    β = (Zᵀ W Z)⁻¹ Zᵀ W y with columns of length 1; where that is nearly singular, least squares on rows √w_i z_i.
    `design` has axes (column, query, example), `weights` (query, example), β (query, column).
    """
    weighted = design * weights
    square = np.einsum("cqi,dqi->qcd", weighted, design)
    size = np.sqrt(np.diagonal(square, axis1=1, axis2=2))
    size = np.where(size > 0, size, 1)
    square /= size[:, :, None] * size[:, None, :]
    good = np.linalg.eigvalsh(square)[:, 0] > 1e-6
    square[~good] = np.eye(len(design))
    beta = np.linalg.solve(square, ((weighted @ y).T / size)[:, :, None])[:, :, 0] / size
    beta[~good] = np.nan
    for q in np.flatnonzero(~good):
        root = np.sqrt(weights[q])
        found, _, rank, _ = np.linalg.lstsq((root * design[:, q]).T / size[q], root * y, rcond=1e-13)
        if rank == len(design):
            beta[q] = found / size[q]
    return beta


def _lines(x, y, weights, origin):
    """`weighted_fit` of a line for every row of weights, about its origin, by five sums: slope = cov_w(x, y) / var_w(x).

    Also tells the rows whose x hardly differ under their weights: there the difference of sums is mostly rounding.
    """
    centre = x.mean()
    x = x - centre
    total, sx, sxx, sy, sxy = (weights @ np.stack([np.ones(len(x)), x, x * x, y, x * y], axis=1)).T
    spread = total * sxx - sx * sx
    unsure = ~(spread > 1e-4 * total * sxx)
    spread, total = np.where(unsure, 1, spread), np.where(unsure, 1, total)
    slope = (total * sxy - sx * sy) / spread
    return np.stack([(sy - slope * sx) / total + slope * (origin - centre), slope], axis=1), unsure


class _Scored:
    def score(self, X, y):
        """R² = 1 − Σ r² / Σ (y − ȳ)²: 1 is perfect, 0 no better than the mean."""
        X, y = _examples(X, y)
        spread = ((y - y.mean()) ** 2).sum()
        if spread == 0:
            raise ValueError("y must hold at least 2 different values, or R² has no scale")
        return float(1 - ((y - self.predict(X)) ** 2).sum() / spread)


class LocallyWeightedRegression(_Scored):
    """Locally weighted regression: a constant, line or quadratic fitted afresh at every query (section 15).

    kernel     "gaussian", "epanechnikov", "tricube", "triangle" or "box": how weight falls with distance
    bandwidth  h in K(d / h); not asked for by error "nearest"
    degree     0, 1 or 2
    error      "nearest" (E1: the k nearest alike), "kernel" (E2: all, weighted) or "both" (E3: k nearest, weighted)
    k          the number of neighbours, for "nearest" and "both"

    Of points that are as near, those that come first in the data are taken. Gaussian weights are compared in logs, so
    that a far query is answered too. Where the points cannot decide a fit, `predict` raises, and `values` holds NaN.
    """

    def __init__(self, kernel="gaussian", bandwidth=1.0, degree=1, error="kernel", k=None):
        if error not in ERRORS:
            raise ValueError(f"error must be one of {list(ERRORS)}, got {error!r}")
        if error != "nearest":
            kernel_weights(0.0, kernel, bandwidth)
            if np.ndim(bandwidth):
                raise ValueError(f"bandwidth must be one number, got shape {np.shape(bandwidth)}")
        if isinstance(degree, bool) or degree not in (0, 1, 2):
            raise ValueError(f"degree must be 0, 1 or 2, got {degree!r}")
        if error != "kernel":
            k = whole_number(k, "k", 1)
        self.kernel, self.bandwidth, self.degree, self.error, self.k = kernel, bandwidth, degree, error, k

    def fit(self, X, y):
        """Keep the examples: a lazy learner has nothing else to do. X is n numbers, or n rows of them; y n numbers."""
        self.X_, self.y_ = _examples(X, y)
        if self.error != "kernel":
            _neighbours(self.k, len(self.X_))
        return self

    def weights(self, X):
        """What every example counts at every query, as the formula says: a row per query, a column per example."""
        squared = _squared(self._asked(X), self.X_)
        weights = np.ones(squared.shape)
        if self.error != "nearest":
            weights = kernel_weights(np.sqrt(squared), self.kernel, self.bandwidth)
        return weights if self.error == "kernel" else weights * _nearest(squared, self.k)

    def predict(self, X):
        """f̂(x_q) for every query, each from a fit of its own."""
        X = self._asked(X)
        values = self._answer(X)
        self._refuse(values, X, "X")
        return values

    def values(self, X):
        """`predict`, with NaN in place of an error where the points cannot decide."""
        return self._answer(self._asked(X))

    def local_model(self, query, X):
        """The model that was fitted for one query, evaluated at X: the line to be drawn through its answer."""
        query, X = self._asked([query]), self._asked(X)
        origin, beta = self._fits(_squared(query, self.X_))
        values = beta[0] @ columns((X - origin).T, self.degree)
        self._refuse(values[:1], query, "query")
        return values

    def leave_one_out(self):
        """For every example what the others say of it; NaN where they cannot decide."""
        if len(self._learned()) < 2:
            raise ValueError("leave_one_out must have at least 2 examples, got 1")
        if self.error != "kernel" and self.k >= len(self.X_):
            raise ValueError(f"k must be at most {len(self.X_) - 1} to leave one of {len(self.X_)} out, got {self.k}")
        return self._answer(self.X_, without_self=True)

    def _answer(self, queries, without_self=False):
        self._learned()
        answers = np.empty(len(queries))
        step = max(1, CELLS // (len(self.X_) * self._numbers))
        for begin in range(0, len(queries), step):
            part = slice(begin, begin + step)
            squared = _squared(queries[part], self.X_)
            if without_self:
                squared[range(len(squared)), range(begin, begin + len(squared))] = np.inf
            origin, beta = self._fits(squared)
            answers[part] = (beta.T * columns((queries[part] - origin).T, self.degree)).sum(axis=0)
        return answers

    def _fits(self, squared):
        """For every query an origin, the heaviest example, so that tiny weights still tell, and β about it."""
        if self.error == "nearest":
            weights = np.ones(squared.shape)
        elif self.kernel == "gaussian":  # e^(−d²/2h²) over the largest of them, which cannot be 0/0
            weights = np.exp((squared - squared.min(axis=1, keepdims=True)) / (-2 * self.bandwidth**2))
        else:
            weights = KERNELS[self.kernel](np.sqrt(squared) / self.bandwidth)
        if self.error != "kernel":
            weights = weights * _nearest(squared, self.k)
        origin = self.X_[weights.argmax(axis=1)]
        if self.degree == 0:
            total = weights.sum(axis=1, keepdims=True)
            return origin, (weights @ self.y_)[:, None] / np.where(total > 0, total, np.nan)
        beta, unsure = np.empty((len(origin), self._numbers)), np.ones(len(origin), dtype=bool)
        if self._numbers == 2:
            beta, unsure = _lines(self.X_[:, 0], self.y_, weights, origin[:, 0])
        if unsure.any():
            away = self.X_.T[:, None, :] - origin[unsure].T[:, :, None]
            beta[unsure] = weighted_fit(columns(away, self.degree), self.y_, weights[unsure])
        return origin, beta

    def _refuse(self, values, queries, name):
        for q in np.flatnonzero(np.isnan(values)):
            place = queries[q].tolist() if queries.shape[1] > 1 else queries[q, 0].item()
            heavy = int((self.weights(queries[q : q + 1]) > 0).sum())
            if heavy == 0:
                why = f"every weight is 0 there, the bandwidth {self.bandwidth} being too narrow. Widen it"
            else:
                what = "example has" if heavy == 1 else "examples have"
                why = (
                    f"{heavy} {what} weight there, too few or too badly placed for the {self._numbers} numbers of "
                    f"degree {self.degree}. Widen the bandwidth, raise k or lower the degree"
                )
            raise ValueError(f"{name}[{q}] = {place} must be near enough to the examples: {why}")

    @property
    def _numbers(self):
        """How many numbers a local fit has to find."""
        return len(columns(self.X_[:1].T, self.degree))

    def _learned(self):
        if not hasattr(self, "X_"):
            raise ValueError("fit must be called before the model is asked")
        return self.X_

    def _asked(self, X):
        return _queries(X, self._learned())


class RBFNetwork(_Scored):
    """A radial basis function network: f̂(x) = w_0 + Σ_u w_u exp(−d(x, c_u)² / 2 width²), fitted once (section 15).

    centres  the places of the bumps, a row each, or how many: then k-means (section 10) places them
    width    the standard deviation of every bump

    The weights are those of least squares; of several that are as good, the shortest.
    Learned: `centres_`, `intercept_`, `weights_`.
    """

    def __init__(self, centres, width, random_state=None):
        self.centres = whole_number(centres, "centres", 1) if np.ndim(centres) == 0 else _rows(centres, "centres")
        if np.ndim(width) or as_number(width, "width", low=0) == 0:
            raise ValueError(f"width must be one number greater than 0, got {width!r}")
        self.width, self.random_state = width, random_state

    def fit(self, X, y):
        """Place the bumps and find their weights: all the work is done here, before the first query."""
        from bayeslib.mixtures import KMeans

        X, y = _examples(X, y)
        if isinstance(self.centres, int):
            self.centres_ = KMeans(self.centres, random_state=self.random_state, history=False).fit(X).means_
        else:
            self.centres_ = _same_width(self.centres, X, "centres")
        self.intercept_, *weights = np.linalg.lstsq(self._design(X), y, rcond=None)[0]
        self.weights_ = np.array(weights)
        return self

    def bumps(self, X):
        """w_u exp(−d(x, c_u)² / 2 width²): what every bump adds at every x, a row per x and a column per bump."""
        if not hasattr(self, "centres_"):
            raise ValueError("fit must be called before the model is asked")
        return self._design(_queries(X, self.centres_))[:, 1:] * self.weights_

    def predict(self, X):
        """The bumps added up, on top of w_0."""
        bumps = self.bumps(X)
        return self.intercept_ + bumps.sum(axis=1)

    def _design(self, X):
        bumps = kernel_weights(np.sqrt(_squared(X, self.centres_)), "gaussian", self.width)
        return np.hstack([np.ones((len(X), 1)), bumps])


# Cases without numbers


class Match(NamedTuple):
    """A case that was retrieved: its number, its similarity to the query, and what each attribute gave to it."""

    number: int
    case: dict
    answer: object
    similarity: float
    parts: dict


class CaseBase:
    """Case-based reasoning: keep solved cases, find those most like the new one, adapt their answers (section 15).

    cases       mappings from attribute to value (or a pandas table), all with the same attributes
    answers     what was the right answer of each case: names, or numbers
    weights     how much each attribute counts; 1 where it is left out
    similarity  for an attribute a function of two values, or a mapping {(a, b): s} that holds both ways. Left out,
                equal values have 1 and others 0, and numbers 1 − |a − b| / (largest − smallest), at least 0

    similarity of two cases = Σ_a weight_a · similarity_a / Σ_a weight_a, over the attributes that the query gives.
    """

    def __init__(self, cases, answers, weights=None, similarity=None):
        self.cases = cases.to_dict("records") if hasattr(cases, "to_dict") else [dict(case) for case in cases]
        self.answers = list(answers)
        if not self.cases or len(self.answers) != len(self.cases):
            raise ValueError(
                f"answers must be one for each of at least 1 case, got {len(self.answers)} for {len(self.cases)}"
            )
        self.attributes = list(self.cases[0])
        for number, case in enumerate(self.cases):
            if case.keys() != self.cases[0].keys():
                raise ValueError(
                    f"cases[{number}] must have the attributes {names(self.attributes)}, got {names(case)}"
                )
        given = {
            name: as_number(each, f"weights[{name!r}]", low=0) for name, each in self._known(weights, "weights").items()
        }
        self.weights = {name: given.get(name, 1) for name in self.attributes}
        self.similarity = self._known(similarity, "similarity")

    def compare(self, attribute, a, b):
        """The similarity of two values of an attribute, from 0 to 1."""
        rule = self.similarity.get(attribute)
        if a == b:
            return 1.0
        if callable(rule):
            return as_number(rule(a, b), f"similarity of {a!r} and {b!r}", 0, 1)
        if is_mapping(rule):
            return as_number(rule.get((a, b), rule.get((b, a), 0)), f"similarity of {a!r} and {b!r}", 0, 1)
        values = [case[attribute] for case in self.cases]
        if all(_is_number(value) for value in [*values, a, b]):
            spread = max(values) - min(values)
            return max(0.0, 1 - abs(a - b) / spread) if spread else 0.0
        return 0.0

    def retrieve(self, query, k=1):
        """The k cases most like the query, best first, the earlier of equals first, with what each attribute gave."""
        query, k = self._known(query, "query"), _neighbours(k, len(self.cases), "cases")
        for name, value in query.items():
            if value != value:
                raise ValueError(
                    f"query[{name!r}] must be a value, got {value!r}; leave out an attribute that is not known"
                )
        total = sum(self.weights[name] for name in query)
        if total == 0:
            raise ValueError(f"query must give an attribute of weight above 0, got {names(query)}")
        matches = []
        for number, (case, answer) in enumerate(zip(self.cases, self.answers)):
            parts = {name: self.weights[name] * self.compare(name, query[name], case[name]) / total for name in query}
            matches.append(Match(number, case, answer, float(sum(parts.values())), parts))
        return sorted(matches, key=lambda match: -round(match.similarity, 12))[:k]

    def predict(self, query, k=1):
        """Adapt the answers of the k cases: numbers by their mean, names by a vote, cases counting by their similarity.

        Of answers with as many votes, the one whose best case is most like the query.
        """
        matches = self.retrieve(query, k)
        if all(match.similarity == 0 for match in matches):
            raise ValueError("query must be like at least one case, got similarity 0 to all")
        if all(_is_number(answer) for answer in self.answers):
            return sum(m.similarity * m.answer for m in matches) / sum(m.similarity for m in matches)
        votes = {}
        for match in matches:
            votes[match.answer] = votes.get(match.answer, 0) + match.similarity
        return max(votes, key=lambda answer: round(votes[answer], 12))

    def _known(self, mapping, what):
        mapping = dict(mapping or {})
        for name in mapping:
            if name not in self.attributes:
                raise ValueError(f"{what} must name attributes among {names(self.attributes)}, got {name!r}")
        return mapping


# The running examples of section 15, all ours

FIVE_X, FIVE_Y = np.array([1.0, 2, 3, 4, 6]), np.array([2.0, 3, 5, 4, 9])
GAP_X, GAP_Y = np.array([0, 0.1, 0.2, 0.8, 0.9, 1]), np.array([1.0, 1, 1, 3, 3, 3])


def wave(x):
    """sin 2πx, the truth behind `wave_sample`."""
    return np.sin(2 * np.pi * np.asarray(x))


def wave_sample(n=60, noise=0.3, random_state=0):
    """n points x between 0 and 1, in order, and sin 2πx with Gaussian noise at each."""
    random = np.random.default_rng(random_state)
    x = np.sort(random.uniform(0, 1, whole_number(n, "n", 1)))
    return x, wave(x) + random.normal(0, as_number(noise, "noise", low=0), n)


def workshop(**weights):
    """Nine repairs of a bicycle workshop: what was heard, when, in which weather, and which part it was."""
    rows = [
        ("squeal", "braking", "wet", 1, "brake pads"),
        ("squeal", "braking", "dry", 6, "brake pads"),
        ("grind", "braking", "dry", 9, "brake pads"),
        ("squeak", "pedalling", "wet", 2, "chain"),
        ("squeak", "pedalling", "dry", 5, "chain"),
        ("grind", "pedalling", "wet", 8, "chain"),
        ("click", "pedalling", "dry", 7, "bearing"),
        ("grind", "coasting", "dry", 10, "bearing"),
        ("click", "coasting", "wet", 4, "spoke"),
    ]
    cases = [dict(zip(("noise", "when", "weather", "age"), row)) for row in rows]
    alike = {("squeal", "squeak"): 0.8, ("squeak", "grind"): 0.3, ("grind", "click"): 0.4}
    return CaseBase(cases, [row[-1] for row in rows], weights, {"noise": alike})


# What the arguments must be


def _is_number(value):
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))


def _rows(X, name):
    """Numbers as a matrix with a row per example; a plain list of numbers is one column."""
    X = np.asarray(as_number(X, name), dtype=float)
    if X.ndim not in (1, 2) or not X.size:
        raise ValueError(f"{name} must be a row of numbers or a matrix with a row per example, got shape {X.shape}")
    return X.reshape(len(X), -1)


def _examples(X, y):
    X, y = _rows(X, "X"), np.asarray(as_number(y, "y"), dtype=float)
    if y.shape != (len(X),):
        raise ValueError(f"y must hold one number for each of the {len(X)} examples of X, got shape {y.shape}")
    return X, y


def _same_width(queries, X, name):
    if queries.shape[1] != X.shape[1]:
        raise ValueError(f"{name} must have {X.shape[1]} columns as the examples have, got {queries.shape[1]}")
    return queries


def _queries(queries, X, name="X"):
    return _same_width(_rows(queries, name), X, name)


def _neighbours(k, n, what="examples"):
    if whole_number(k, "k", 1) > n:
        raise ValueError(f"k must be at most the number of {what}, {n}, got {k}")
    return int(k)


def _squared(queries, X):
    """d² from every query to every example."""
    total = np.zeros((len(queries), len(X)))
    for here, there in zip(queries.T, X.T):
        total += (here[:, None] - there) ** 2
    return total


def _nearest(distances, k):
    """True for the k nearest of each row; of equals those that come first."""
    chosen = np.zeros(distances.shape, dtype=bool)
    np.put_along_axis(chosen, np.argsort(distances, axis=1, kind="stable")[:, :k], True, axis=1)
    return chosen
