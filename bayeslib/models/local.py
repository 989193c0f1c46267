"""Local models: a small model for every query, in which near points count more (section 15).

    w_i = K(d(x_i, x_q) / h),   criteria E1 = ½ Σ_{k nearest} r_i²,   E2 = ½ Σ_all w_i r_i²,   E3 = ½ Σ_{k nearest} w_i r_i²

with residuals r_i = y_i − f̂(x_i); f̂ is the constant, line or quadratic for which the criterion is least.
`LocallyWeightedRegression` fits at the query and forgets the fit; `RBFNetwork` fits once, before any query; `CaseBase`
does without numbers.
"""

from itertools import combinations_with_replacement
from numbers import Real
from typing import NamedTuple

import numpy as np

from bayeslib.models._checks import (
    LARGEST,
    among,
    as_number,
    axes,
    generator,
    is_mapping,
    names,
    one_number,
    one_of,
    positive,
    rows,
    short,
    targets,
    whole_number,
)
from bayeslib.models._model import Regressor
from bayeslib.models.kernels import KERNELS, kernel_weights
from bayeslib.models.neighbors import distances

ERRORS = {"nearest": "E1", "kernel": "E2", "both": "E3"}
LESSON = 20_000  # queries × examples: up to this size, more than any lesson needs, the formulas below run


# The formulas


def distance_weighted_mean(X, y, queries, k=None, power=2):
    """Σ w_i y_i / Σ w_i with w_i = 1 / d(x_i, x_q)^power over the k nearest, or over all (section 15).

    At a data point the weight is infinite: the mean of the points there is returned, which is the limit.

    >>> distance_weighted_mean([1, 2, 4], [10, 20, 40], [3]).round(2).tolist()
    [27.78]
    """
    X = rows(X, one_feature=True)
    y, queries = targets(y, len(X)), _same_width(rows(queries, "queries", one_feature=True), X, "queries")
    power, k = one_number(power, "power", low=0), len(X) if k is None else _at_most(k, "k", len(X))
    dist = distances(X, queries)
    dist[~_nearest(dist, k)] = np.inf
    closest = dist.min(axis=1, keepdims=True)
    here = dist == 0
    ratio = np.divide(closest, dist, where=~here, out=np.zeros_like(dist))
    weights = np.where(closest == 0, here, ratio**power)  # relative: the nearest has weight 1
    return weights @ y / weights.sum(axis=1)


def columns(Z, degree):
    """The columns of a constant (degree 0), a line or plane (1) or a quadratic (2), the constant's first (section 15).

    Z holds the inputs along its first axis; the result holds the columns 1, z_1, z_2, …, z_1², z_1 z_2, …

    >>> columns([[2, 3]], degree=2).tolist()
    [[1.0, 1.0], [2.0, 3.0], [4.0, 9.0]]
    """
    Z, degree = np.atleast_1d(as_number(Z, "Z", -LARGEST, LARGEST)), whole_number(degree, "degree", 0, 2)
    powers = [factors for n in range(degree + 1) for factors in combinations_with_replacement(range(len(Z)), n)]
    result = np.ones((len(powers), *Z.shape[1:]))
    for column, factors in zip(result, powers):
        for j in factors:
            column *= Z[j]
    return result


def weighted_fit(design, y, weights):
    """β with the least Σ_i w_i (y_i − Σ_c β_c z_ci)², one for every row of weights; NaN where the points do not determine it.

    β = (Zᵀ W Z)⁻¹ Zᵀ W y with columns of length 1; where that is nearly singular, least squares on rows √w_i z_i.
    `design` has axes (column, query, example), `weights` (query, example), β (query, column).

    >>> line = columns([[[0, 1, 2]]], degree=1)
    >>> weighted_fit(line, [1, 3, 5], [[1, 1, 1]]).round(6).tolist()
    [[1.0, 2.0]]
    """
    design, y, weights = _shaped(design, y, weights)
    weighted, square, size, good = _normal_equations(design, weights)
    beta = np.linalg.solve(square, ((weighted @ y).T / size)[:, :, None])[:, :, 0] / size
    beta[~good] = np.nan
    for q in np.flatnonzero(~good):
        root = np.sqrt(weights[q])
        solution, _, rank, _ = np.linalg.lstsq((root * design[:, q]).T / size[q], root * y, rcond=1e-13)
        if rank == len(design):
            beta[q] = solution / size[q]
    return beta


def _normal_equations(design, weights):
    """W Z, Zᵀ W Z with columns of length 1, these lengths, and where it is far enough from singular (else the unit matrix)."""
    weighted = design * weights
    square = np.einsum("cqi,dqi->qcd", weighted, design)
    size = np.sqrt(np.diagonal(square, axis1=1, axis2=2))
    size = np.where(size > 0, size, 1)
    square /= size[:, :, None] * size[:, None, :]
    good = np.linalg.eigvalsh(square)[:, 0] > 1e-6
    square[~good] = np.eye(len(design))
    return weighted, square, size, good


class LocallyWeightedRegression(Regressor):
    """Locally weighted regression: a constant, line or quadratic fitted afresh at every query (section 15).

    kernel       "gaussian", "epanechnikov", "tricube", "triangle" or "box": how weight falls with distance
    bandwidth    h in K(d / h); not used by error "nearest"
    degree       0, 1 or 2
    error        "nearest" (E1: the k nearest, equally), "kernel" (E2: all, weighted) or "both" (E3: k nearest, weighted)
    n_neighbors  k, the number of neighbours, for "nearest" and "both"

    In a tie, points that come first in the data are taken. Gaussian weights are compared in logs, so
    that a far query is answered too. Where the points do not determine a fit, `predict` raises and `values` gives NaN.
    Many queries among many points are left to `bayeslib.models._fast_local`.

    >>> model = LocallyWeightedRegression(bandwidth=1.5).fit([1, 2, 3, 4, 6], [2, 3, 5, 4, 9])
    >>> model.predict([6]).round(3).tolist()
    [8.824]
    """

    _one_feature = True

    def __init__(self, kernel="gaussian", bandwidth=1.0, degree=1, error="kernel", n_neighbors=None):
        self.kernel, self.bandwidth, self.degree = kernel, bandwidth, degree
        self.error, self.n_neighbors = error, n_neighbors
        self._check()

    def _check(self):
        one_of(self.error, "error", ERRORS)
        one_of(self.kernel, "kernel", KERNELS)
        whole_number(self.degree, "degree", 0, 2)
        if self.error != "nearest":
            one_number(positive(self.bandwidth, "bandwidth"), "bandwidth", 1 / LARGEST, LARGEST)
        if self.error != "kernel":
            whole_number(self.n_neighbors, "n_neighbors", 1)

    def fit(self, X, y):
        """Store the examples: a lazy learner has nothing else to do. X is n numbers, or n rows of them; y n numbers."""
        self.X_ = self._first_rows(X)
        self.y_ = targets(y, len(self.X_))
        if self.error != "kernel":
            _at_most(self.n_neighbors, "n_neighbors", len(self.X_))
        return self

    def weights(self, X):
        """The weight of every example at every query, by the formula: a row per query, a column per example.

        >>> LocallyWeightedRegression("triangle", bandwidth=2).fit([0, 1, 2], [5, 6, 7]).weights([0]).tolist()
        [[1.0, 0.5, 0.0]]
        """
        dist = distances(self.X_, self._more_rows(X))
        weights = np.ones(dist.shape)
        if self.error != "nearest":
            weights = kernel_weights(dist, self.kernel, self.bandwidth)
        return weights if self.error == "kernel" else weights * _nearest(dist, self.n_neighbors)

    def predict(self, X):
        """f̂(x_q) for every query, each from its own fit."""
        queries = self._more_rows(X)
        values = self._answer(queries)
        self._refuse(values, queries, "X")
        return values

    def values(self, X):
        """`predict`, with NaN in place of an error where the points do not determine a fit.

        >>> LocallyWeightedRegression("box", 1.0, degree=0).fit([0, 1], [5, 6]).values([0.2, 7]).round(6).tolist()
        [5.5, nan]
        """
        return self._answer(self._more_rows(X))

    def shares(self, X):
        """The share of every example's y in every prediction: f̂(x_q) = Σ_i share_i y_i, the shares summing to 1.

        They depend on positions and weights only, not on y. Those of an average are w_i / Σ w; those of a line may be
        negative. A row per query, NaN where the points do not determine a fit.

        >>> LocallyWeightedRegression("box", bandwidth=2.0).fit([0, 1, 2], [7, 8, 5]).shares([3, 1]).round(2).tolist()
        [[0.0, -1.0, 2.0], [0.33, 0.33, 0.33]]
        """
        queries = self._more_rows(X)
        weights = self._relative_weights(distances(self.X_, queries))
        origin = self.X_[weights.argmax(axis=1)]
        design, query_columns = self._columns(self.X_ - origin[:, None]), self._columns(queries - origin).T
        weighted, square, size, good = _normal_equations(design, weights)
        shares = np.einsum(
            "qc,cqi->qi", np.linalg.solve(square, (query_columns / size)[:, :, None])[:, :, 0] / size, weighted
        )
        shares[~good] = np.nan
        for q in np.flatnonzero(~good):
            weighted_rows = (np.sqrt(weights[q]) * design[:, q]).T / size[q]
            if np.linalg.matrix_rank(weighted_rows, rtol=1e-13) == len(design):
                shares[q] = (
                    query_columns[q] / size[q] @ np.linalg.pinv(weighted_rows, rcond=1e-13) * np.sqrt(weights[q])
                )
        return shares

    def local_model(self, query, X):
        """The model fitted for one query, evaluated at X: the line to draw through its prediction.

        >>> model = LocallyWeightedRegression(bandwidth=2.0).fit([0, 1, 2], [1, 3, 5])
        >>> model.local_model(1, [0, 10]).round(6).tolist()
        [1.0, 21.0]
        """
        queries, points = self._more_rows([query], "query"), self._more_rows(X)
        origin, beta = self._fits(distances(self.X_, queries))
        values = beta[0] @ self._columns(points - origin[0])
        self._refuse(values[:1], queries, "query")
        return values

    def leave_one_out(self):
        """The prediction for every example from all the others; NaN where they do not determine it.

        >>> LocallyWeightedRegression(degree=0, error="nearest", n_neighbors=1).fit([0, 1, 3], [5, 6, 8]).leave_one_out()
        array([6., 5., 6.])
        """
        self._fitted()
        if len(self.X_) < 2:
            raise ValueError("leave_one_out must have at least 2 examples, got 1")
        if self.error != "kernel" and self.n_neighbors >= len(self.X_):
            most = f"{len(self.X_) - 1} to leave one of {len(self.X_)} out"
            raise ValueError(f"n_neighbors must be at most {most}, got {self.n_neighbors}")
        return self._answer(self.X_, without_self=True)

    def _answer(self, queries, without_self=False):
        if len(queries) * len(self.X_) > LESSON:
            from bayeslib.models._fast_local import answers

            return answers(self, queries, without_self)
        dist = distances(self.X_, queries)
        if without_self:
            np.fill_diagonal(dist, np.inf)
        origin, beta = self._fits(dist)
        return (beta.T * self._columns(queries - origin)).sum(axis=0)

    def _fits(self, dist):
        """For every query an origin, the heaviest example, so that tiny weights still count, and β about it."""
        weights = self._relative_weights(dist)
        origin = self.X_[weights.argmax(axis=1)]
        return origin, weighted_fit(self._columns(self.X_ - origin[:, None]), self.y_, weights)

    def _relative_weights(self, dist):
        """Kernel weights, Gaussian ones divided by the largest: e^(−d²/2h²) alone could be 0 for every example."""
        if self.error == "nearest":
            weights = np.ones(dist.shape)
        elif self.kernel == "gaussian":
            least = dist.min(axis=1, keepdims=True)
            with np.errstate(over="ignore"):
                weights = np.exp((dist - least) / self.bandwidth * ((dist + least) / self.bandwidth) / -2)
        else:
            weights = KERNELS[self.kernel](dist / self.bandwidth)
        return weights if self.error == "kernel" else weights * _nearest(dist, self.n_neighbors)

    def _columns(self, offsets):
        """The columns of the fit, in units of the range of the data, so that no power of them overflows."""
        unit = float(np.ptp(self.X_, axis=0).max()) or 1.0
        return columns(np.moveaxis(offsets, -1, 0) / unit, self.degree)

    def _refuse(self, values, queries, name):
        for q in np.flatnonzero(np.isnan(values)):
            place = queries[q].tolist() if queries.shape[1] > 1 else queries[q, 0].item()
            heavy = int((self.weights(queries[q : q + 1]) > 0).sum())
            if heavy == 0:
                why = f"every weight is 0 there, the bandwidth {self.bandwidth} being too narrow. Widen it"
            else:
                what = "example has" if heavy == 1 else "examples have"
                why = (
                    f"{heavy} {what} weight there, too few or too badly placed for the {self._n_coefficients} numbers of "
                    f"degree {self.degree}. Widen the bandwidth, raise n_neighbors or lower the degree"
                )
            raise ValueError(f"{name}[{q}] = {place} must be near enough to the examples: {why}")

    @property
    def _n_coefficients(self):
        """The number of coefficients of a local fit."""
        return len(columns(self.X_[:1].T, self.degree))


class RBFNetwork(Regressor):
    """A radial basis function network: f̂(x) = w_0 + Σ_u w_u exp(−d(x, c_u)² / 2 width²), fitted once (section 15).

    centres  the places of the bumps, a row each, or how many: then k-means (section 10) places them
    width    the standard deviation of every bump

    The weights are those of least squares; of several equally good ones, the shortest.
    Learned: `centres_`, `intercept_`, `weights_`.

    >>> network = RBFNetwork(centres=[0, 1, 2], width=0.5).fit([0, 0.5, 1, 1.5, 2], [0, 2, 3, 2, 0])
    >>> network.predict([1]).round(2).tolist()
    [3.0]
    """

    _one_feature = True

    def __init__(self, centres, width, random_state=None):
        self.centres, self.width, self.random_state = centres, width, random_state
        self._check()

    def _check(self):
        if axes(self.centres) == 0:
            whole_number(self.centres, "centres", 1)
        else:
            rows(self.centres, "centres", one_feature=True)
        positive(self.width, "width")
        generator(self.random_state)

    def fit(self, X, y):
        """Place the bumps and find their weights: all the work is done here, before the first query."""
        from bayeslib.models.mixtures import KMeans

        X = self._first_rows(X)
        y = targets(y, len(X))
        if axes(self.centres) == 0:
            self.centres_ = KMeans(self.centres, random_state=self.random_state, history=False).fit(X).means_
        else:
            self.centres_ = _same_width(rows(self.centres, "centres", one_feature=True), X, "centres")
        self.intercept_, *weights = np.linalg.lstsq(self._design(X), y, rcond=None)[0]
        self.weights_ = np.array(weights)
        return self

    def bumps(self, X):
        """w_u exp(−d(x, c_u)² / 2 width²): what every bump adds at every x, a row per x and a column per bump.

        >>> network = RBFNetwork(centres=[0, 9], width=1.0).fit([0, 9, 4], [2, 3, 1])
        >>> network.bumps([0, 9]).round(2).tolist()
        [[1.0, 0.0], [0.0, 2.0]]
        """
        X = self._more_rows(X)
        return self._design(X)[:, 1:] * self.weights_

    def predict(self, X):
        """The bumps added up, on top of w_0."""
        bumps = self.bumps(X)
        return self.intercept_ + bumps.sum(axis=1)

    def _design(self, X):
        bumps = kernel_weights(distances(self.centres_, X), "gaussian", self.width)
        return np.hstack([np.ones((len(X), 1)), bumps])


# Cases without numbers


class Match(NamedTuple):
    """A case that was retrieved: its number, its similarity to the query, and what each attribute contributed to it.

    >>> workshop().retrieve({"noise": "click"})[0].answer
    'bearing'
    """

    number: int
    case: dict
    answer: object
    similarity: float
    parts: dict


class CaseBase:
    """Case-based reasoning: store solved cases, find those most like the new one, adapt their answers (section 15).

    cases       mappings from attribute to value (or a pandas table), all with the same attributes
    answers     the right answer of each case: names, or numbers
    weights     how much each attribute counts; 1 where it is left out
    similarity  for an attribute a function of two values, or a mapping {(a, b): s} that applies both ways. Left out,
                equal values have 1 and others 0, and numbers 1 − |a − b| / (largest − smallest), at least 0

    similarity of two cases = Σ_a weight_a · similarity_a / Σ_a weight_a, over the attributes that the query gives.

    >>> base = CaseBase([{"town": "A", "rooms": 2}, {"town": "B", "rooms": 4}], answers=[500, 700])
    >>> base.predict({"town": "B", "rooms": 2})
    500.0
    """

    def __init__(self, cases, answers, weights=None, similarity=None):
        self.cases, self.answers = _cases(cases), _answers(answers)
        if not self.cases:
            raise ValueError("cases must be at least 1, got none")
        if len(self.answers) != len(self.cases):
            raise ValueError(f"answers must be one for each of the {len(self.cases)} cases, got {len(self.answers)}")
        self.attributes = list(self.cases[0])
        for number, case in enumerate(self.cases):
            if case.keys() != self.cases[0].keys():
                raise ValueError(
                    f"cases[{number}] must have the attributes {names(self.attributes)}, got {names(case)}"
                )
        given = {
            name: as_number(value, f"weights[{name!r}]", low=0)
            for name, value in self._known(weights, "weights").items()
        }
        self.weights = {name: given.get(name, 1) for name in self.attributes}
        self.similarity = self._known(similarity, "similarity")

    def compare(self, attribute, a, b):
        """The similarity of two values of an attribute, from 0 to 1.

        >>> workshop().compare("age", 1, 10), workshop().compare("noise", "squeal", "squeak")
        (0.0, 0.8)
        """
        if not among(attribute, self.weights):
            raise ValueError(f"attribute must be one of {names(self.attributes)}, got {short(attribute)}")
        rule = self.similarity.get(attribute)
        if not _differs(a, b):
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
        """The k cases most like the query, best first, the earlier first in a tie, with what each attribute contributed.

        >>> [match.number for match in workshop().retrieve({"when": "coasting", "age": 10}, k=2)]
        [7, 8]
        """
        query, k = self._known(query, "query"), _at_most(k, "k", len(self.cases), "cases")
        for name, value in query.items():
            if value is None or _differs(value, value):
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
        """Adapt the answers of the k cases: numbers by their mean, names by a vote, cases weighted by their similarity.

        Of answers with equal votes, the one whose best case is most like the query.

        >>> workshop().predict({"noise": "squeal", "when": "coasting", "weather": "wet", "age": 9}, k=3)
        'spoke'
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
        if mapping is not None and not is_mapping(mapping):
            raise ValueError(f"{what} must be a mapping from attributes, got {short(mapping)}")
        mapping = {} if mapping is None else dict(mapping)
        for name in mapping:
            if name not in self.attributes:
                raise ValueError(f"{what} must name attributes among {names(self.attributes)}, got {name!r}")
        return mapping


# The running examples of section 15, all ours

FIVE_X, FIVE_Y = np.array([1.0, 2, 3, 4, 6]), np.array([2.0, 3, 5, 4, 9])
GAP_X, GAP_Y = np.array([0, 0.1, 0.2, 0.8, 0.9, 1]), np.array([1.0, 1, 1, 3, 3, 3])


def wave(x):
    """sin 2πx, the truth behind `wave_sample`.

    >>> wave([0.25, 0.75]).tolist()
    [1.0, -1.0]
    """
    return np.sin(2 * np.pi * np.asarray(as_number(x, "x")))


def wave_sample(n=60, noise=0.3, random_state=0):
    """n points x between 0 and 1, in order, and sin 2πx with Gaussian noise at each.

    >>> x, y = wave_sample(3, noise=0)
    >>> x.round(2).tolist(), y.round(2).tolist()
    ([0.04, 0.27, 0.64], [0.25, 0.99, -0.76])
    """
    n, noise, random = whole_number(n, "n", 1), one_number(noise, "noise", 0, LARGEST), generator(random_state)
    x = np.sort(random.uniform(0, 1, n))
    return x, wave(x) + random.normal(0, noise, n)


def workshop(**weights):
    """Nine repairs of a bicycle workshop: what was heard, when, in which weather, and which part it was.

    >>> workshop(age=0).weights
    {'noise': 1, 'when': 1, 'weather': 1, 'age': 0}
    """
    repairs = [
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
    cases = [dict(zip(("noise", "when", "weather", "age"), row)) for row in repairs]
    alike = {("squeal", "squeak"): 0.8, ("squeak", "grind"): 0.3, ("grind", "click"): 0.4}
    return CaseBase(cases, [row[-1] for row in repairs], weights, {"noise": alike})


# Argument checks


def _is_number(value):
    """Whether a value is a number to calculate with: NaN is not, nor a whole number of 400 digits."""
    try:
        return isinstance(value, Real) and not isinstance(value, (bool, np.bool_)) and abs(float(value)) <= LARGEST
    except OverflowError:
        return False


def _cases(cases):
    if hasattr(cases, "to_dict") and hasattr(cases, "columns"):
        return cases.to_dict("records")
    mappings = list(cases) if np.iterable(cases) and not is_mapping(cases) else [None]
    if not all(map(is_mapping, mappings)):
        raise ValueError(f"cases must be mappings from attribute to value, or a table, got {short(cases)}")
    return [dict(case) for case in mappings]


def _answers(answers):
    if not np.iterable(answers):
        raise ValueError(f"answers must be one for each case, got {short(answers)}")
    return list(answers)


def _differs(a, b):
    """Whether two values differ; values that cannot be compared, NA or arrays, do."""
    if getattr(a, "ndim", 0) or getattr(b, "ndim", 0):
        return True
    try:
        return bool(a != b)
    except (TypeError, ValueError):
        return True


def _same_width(table, X, name):
    if table.shape[1] != X.shape[1]:
        raise ValueError(f"{name} must have {X.shape[1]} attributes as X, got {table.shape[1]}")
    return table


def _at_most(k, name, n, what="examples"):
    if whole_number(k, name, 1) > n:
        raise ValueError(f"{name} must be at most the number of {what}, {n}, got {k}")
    return int(k)


def _shaped(design, y, weights):
    design, y = as_number(design, "design"), as_number(y, "y")
    weights = as_number(weights, "weights", low=0)
    if np.ndim(design) != 3 or not np.size(design):
        raise ValueError(f"design must have three axes, column, query and example, got shape {np.shape(design)}")
    for value, name, wanted in ((y, "y", design.shape[2:]), (weights, "weights", design.shape[1:])):
        if np.shape(value) != wanted:
            raise ValueError(f"{name} must have shape {wanted} as design has it, got {np.shape(value)}")
    return design, y, weights


def _nearest(dist, k):
    """True for the k nearest of each row; in a tie those that come first."""
    chosen = np.zeros(dist.shape, dtype=bool)
    np.put_along_axis(chosen, np.argsort(dist, axis=1, kind="stable")[:, :k], True, axis=1)
    return chosen
