"""Ensembles: many hypotheses of one learner, and a vote among them (section 16).

    bagging    each learner sees a bootstrap bag of the data; every vote counts the same
    boosting   ε = Σ_wrong w,   α = ½ ln((1 − ε)/ε),   w ← w e^(−α) if right, w e^(α) if wrong, over their sum

`boost_round` is the second line; `AdaBoost` repeats it and keeps every round. The learners that vote are the weighted
`DecisionStump`, the naive Bayes of section 05, and for bagging a full `DecisionTree` and the `NearestNeighbour`.
"""

import copy
import inspect
from functools import partial
from math import comb
from typing import NamedTuple

import numpy as np

from bayeslib._checks import as_number, generator, names, one_probability, whole_number

TOLERANCE = 1e-12  # errors that differ by less are equal, so that every machine breaks ties alike


class Round(NamedTuple):
    """One round of boosting. `says` and `votes` are signs and sums on the training rows, +1 for the second class."""

    learner: object
    weights: np.ndarray  # those that the learner was trained on; they sum to 1
    says: np.ndarray
    error: float  # ε
    alpha: float  # α, the weight of its vote; negative if it is turned round
    z: float  # 2√(ε(1 − ε)), what the new weights are divided by
    votes: np.ndarray  # Σ α · says, up to this round
    after: np.ndarray  # the weights for the next round


# The formulas


def boost_round(weights, wrong):
    """(ε, α, new weights) from the weights and which rows the learner got wrong (section 16)."""
    wrong = np.asarray(wrong)
    if wrong.dtype != bool or wrong.ndim != 1:
        raise ValueError(f"wrong must be one row of True and False, got {wrong!r}")
    weights = _weights(weights, len(wrong), "weights")
    error = float(weights[wrong].sum())
    if not TOLERANCE < error < 1 - TOLERANCE:
        raise ValueError(
            f"wrong must hold some of the weight and not all of it, got ε = {error:g}: α would be infinite"
        )
    alpha = float(0.5 * np.log((1 - error) / error))
    after = weights * np.exp(np.where(wrong, alpha, -alpha))
    return error, alpha, after / after.sum()


def training_bound(errors):
    """Π 2√(ε(1 − ε)) round by round: the share of training errors of the vote is never above it (section 16)."""
    errors = as_number(errors, "errors", low=0, high=1)
    return np.cumprod(2 * np.sqrt(errors * (1 - np.asarray(errors))))


def bootstrap_share(n, size=None):
    """1 − (1 − 1/n)^size, the share of n rows expected in a bag of `size` draws with replacement (section 16)."""
    n = whole_number(n, "n", 1)
    return 1 - (1 - 1 / n) ** whole_number(n if size is None else size, "size", 1)


def majority_error(error, voters):
    """How often the majority of an odd number of voters errs that err independently (section 16)."""
    one_probability(error, "error")
    if whole_number(voters, "voters", 1) % 2 == 0:
        raise ValueError(f"voters must be odd, so that no vote is a tie, got {voters}")
    half = voters // 2 + 1
    return sum(comb(voters, k) * error**k * (1 - error) ** (voters - k) for k in range(half, voters + 1))


# Learners that vote


class _Sorted:
    """The columns of X sorted once, so that the best stump for any weights is a running sum away."""

    def __init__(self, columns, order):
        self.columns, self.order = columns, order
        values = np.take_along_axis(columns, order, axis=1)
        low, high = values[:, :-1], values[:, 1:]
        middle = low + (high - low) / 2
        self.thresholds = np.where(middle > low, middle, high)
        self.between = high > low

    @classmethod
    def of(cls, X):
        columns = np.ascontiguousarray(X.T)
        return cls(columns, columns.argsort(axis=1, kind="stable"))

    def only(self, rows):
        """The same for those rows that `rows` marks; the others are as if they had never been there."""
        if rows.all():
            return self
        return _Sorted(self.columns, self.order[rows[self.order]].reshape(len(self.order), -1))

    def best(self, signed):
        """(attribute, threshold, sign above it, weighted error) of the best stump, from weight times sign of each row.

        With L for the signed weight below a threshold and T for all of it, the stump that says + above errs with
        ½ + ½(2L − T) and its mirror image with ½ − ½(2L − T).
        """
        total = signed.sum()
        if self.between.any() and np.abs(total) < np.abs(signed).sum() - TOLERANCE:
            edge = 2 * signed[self.order[:, :-1]].cumsum(axis=1) - total
            strength = np.where(self.between, np.abs(edge), -1.0)
            place = int((strength >= strength.max() - TOLERANCE).argmax())  # first attribute, smallest threshold
            attribute, cut = divmod(place, edge.shape[1])
            above = 1 if edge[attribute, cut] < -TOLERANCE else -1
            return attribute, float(self.thresholds[attribute, cut]), above, float(0.5 - 0.5 * strength.flat[place])
        above = 1 if total > TOLERANCE else -1  # one class, or nothing to tell rows apart: one answer for all
        return 0, -np.inf, above, float(0.5 - 0.5 * np.abs(total))


class DecisionStump:
    """One question to one attribute: is it below a threshold? (section 16)

    `fit` finds the least weighted error over all attributes and all thresholds halfway between neighbouring values.
    Of equal stumps (within 1e-12) it takes the first attribute, then the smallest threshold. Rows of weight 0 are left
    out.
    Learned: `attribute_`, `threshold_`, `below_` and `above_` (the classes on either side), `error_`.
    """

    def fit(self, X, y, sample_weight=None):
        X, (self.classes_, codes) = _numbers(X), _classes(y, most=2)
        _as_long(codes, X)
        weights = _weights(sample_weight, len(X))
        sorted_ = _Sorted.of(X).only(weights > 0)
        signs = np.where(codes == 1, 1.0, -1.0)
        return self._take(sorted_.best(weights * signs), self.classes_, X.shape[1])

    def _take(self, best, classes, attributes):
        self.attribute_, self.threshold_, above, self.error_ = best
        self.classes_, self.attributes_ = classes, attributes
        self.below_, self.above_ = classes[0 if above > 0 else -1], classes[-1 if above > 0 else 0]
        return self

    def predict(self, X):
        """The class on the side of the threshold where each row lies."""
        X = _numbers(_fitted(self, X))
        if X.shape[1] != self.attributes_:
            raise ValueError(f"X must have {self.attributes_} columns as in fit, got {X.shape[1]}")
        return np.where(X[:, self.attribute_] < self.threshold_, self.below_, self.above_)


class DecisionTree:
    """A full tree: split where both halves get purest (Gini), until every leaf holds one class (section 16)."""

    def fit(self, X, y):
        X, (self.classes_, codes) = _numbers(X), _classes(y)
        _as_long(codes, X)
        self.root_ = self._grow(X, np.eye(len(self.classes_))[codes])
        return self

    def _grow(self, X, members):
        """A leaf is a class's number; a node is (attribute, threshold, tree below, tree above)."""
        counts = members.sum(axis=0)
        order = X.argsort(axis=0, kind="stable")
        values = np.take_along_axis(X, order, axis=0)
        between = values[1:] > values[:-1]
        if counts.max() == len(X) or not between.any():
            return int(counts.argmax())
        below = members[order].cumsum(axis=0)[:-1]  # rows in the smaller part, by cut, attribute and class
        above, size = counts - below, np.arange(1, len(X))[:, None]
        purity = np.square(below).sum(axis=2) / size + np.square(above).sum(axis=2) / (len(X) - size)
        purity = np.where(between, purity, -1.0).T
        attribute, cut = divmod(int((purity >= purity.max() - TOLERANCE).argmax()), len(X) - 1)
        low, high = values[cut : cut + 2, attribute]
        threshold = (low + high) / 2 if (low + high) / 2 > low else high
        left = X[:, attribute] < threshold
        return attribute, threshold, self._grow(X[left], members[left]), self._grow(X[~left], members[~left])

    def predict(self, X):
        """The class of the leaf that each row falls into."""
        X = _numbers(_fitted(self, X))
        answers = np.empty(len(X), dtype=int)
        todo = [(self.root_, np.arange(len(X)))]
        while todo:
            node, rows = todo.pop()
            if isinstance(node, int):
                answers[rows] = node
            else:
                left = X[rows, node[0]] < node[1]
                todo += [(node[2], rows[left]), (node[3], rows[~left])]
        return self.classes_[answers]


class NearestNeighbour:
    """The class of the nearest training row, the first of them where several are as near (section 16)."""

    def fit(self, X, y):
        self.X_, (self.classes_, self.codes_) = _numbers(X), _classes(y)
        _as_long(self.codes_, self.X_)
        return self

    def predict(self, X):
        X = _numbers(_fitted(self, X))
        away = sum(np.square(np.subtract.outer(*columns)) for columns in zip(X.T, self.X_.T))
        return self.classes_[self.codes_[away.argmin(axis=1)]]


# Ensembles


class Bagging:
    """Train a learner on n bootstrap bags and let the n hypotheses vote, one vote each (section 16).

    base    a learner with `fit` and `predict`; it is copied, never changed
    n       how many bags
    size    how many rows each bag draws with replacement; as many as there are, if not said
    Learned: `classes_`, `learners_`, `bags_` (the rows of each bag). Of equal votes the first class wins.
    """

    def __init__(self, base, n=50, size=None, random_state=None):
        self.base, self.n = _learner(base), whole_number(n, "n", 1)
        self.size = None if size is None else whole_number(size, "size", 1)
        self.random_state = random_state

    def fit(self, X, y):
        X, y = _rows(X), np.asarray(y)
        self.classes_, codes = _classes(y, least=2)
        _as_long(codes, X)
        bags = generator(self.random_state).integers(len(y), size=(self.n, self.size or len(y)))
        if type(self.base) is DecisionStump and len(self.classes_) == 2:
            self.learners_ = self._stumps(_numbers(X), codes, bags)
        else:
            self.learners_ = [copy.deepcopy(self.base).fit(_take(X, bag), y[bag]) for bag in bags]
        self.bags_ = bags
        return self

    def _stumps(self, X, codes, bags):
        """A bag is a weight for each row, how often it was drawn, and the columns need to be sorted only once."""
        sorted_, signs, found = _Sorted.of(X), 2.0 * codes - 1, []
        for bag in bags:
            weights = np.bincount(bag, minlength=len(X)) / len(bag)
            best = sorted_.only(weights > 0).best(weights * signs)
            found.append(DecisionStump()._take(best, self.classes_, X.shape[1]))
        return found

    def answers(self, X):
        """What each learner says of each row, as numbers of classes: a row per learner."""
        X = _rows(_fitted(self, X))
        return np.array([np.searchsorted(self.classes_, learner.predict(X)) for learner in self.learners_])

    def vote_share(self, X):
        """The share of the votes for each class in each row, columns as in `classes_`. It is no posterior."""
        answers = self.answers(X)
        return np.stack([(answers == code).mean(axis=0) for code in range(len(self.classes_))], axis=1)

    def predict(self, X):
        """The class with most votes."""
        best = self.vote_share(X).argmax(axis=1)
        return self.classes_[best]

    def score(self, X, y):
        """The share of rows whose class is predicted right."""
        return float((self.predict(X) == np.asarray(y)).mean())


class AdaBoost:
    """Boosting for two classes: each round weighs up what the last learner got wrong (section 16).

    base    a learner with `fit(X, y, sample_weight)` and `predict`: `DecisionStump`, the naive Bayes of section 05
    n       how many rounds, at most

    A learner with ε above ½ is used the other way round, with a negative α. One with ε of exactly ½ says nothing, so
    boosting stops before it. One without error needs no other: boosting stops after it, and instead of infinite weight
    its vote gets 1 more than all before it together. `stopped_` says in words why boosting stopped early, or is None.

    Learned: `classes_`, `history_` (a `Round` each), `learners_`, `alphas_`. Of equal votes the first class wins.
    """

    def __init__(self, base, n=50):
        self.base, self.n = _learner(base), whole_number(n, "n", 1)
        if "sample_weight" not in inspect.signature(base.fit).parameters:
            raise ValueError(f"base must take weights, as fit(X, y, sample_weight), got {type(base).__name__}")

    def fit(self, X, y, sample_weight=None):
        X, y = _rows(X), np.asarray(y)
        classes, codes = _classes(y, least=2, most=2)
        _as_long(codes, X)
        self.classes_, signs = classes, 2 * codes - 1
        weights, votes = _weights(sample_weight, len(y)), np.zeros(len(y))
        learn = self._learn_stump(X, signs, weights) if type(self.base) is DecisionStump else partial(self._learn, X, y)
        self.history_, self.stopped_ = [], None
        for number in range(1, self.n + 1):
            learner = learn(weights)
            says = self._says(learner, X)
            wrong = says != signs
            error = float(weights[wrong].sum())
            if abs(error - 0.5) <= TOLERANCE:
                self.stopped_ = f"round {number}: the learner's weighted error is exactly ½, so it has nothing to say"
                break
            if TOLERANCE < error < 1 - TOLERANCE:
                error, alpha, after = boost_round(weights, wrong)
            else:
                whole = 1.0 + sum(abs(each.alpha) for each in self.history_)
                alpha, after = whole if error < 0.5 else -whole, weights
                does = "makes no error" if error < 0.5 else "is always wrong, so always right turned round"
                self.stopped_ = f"round {number}: the learner {does}; nothing is left to weigh up"
            votes, z = votes + alpha * says, float(2 * np.sqrt(error * max(1 - error, 0)))
            self.history_.append(Round(learner, weights, says, error, alpha, z, votes, after))
            weights = after
            if self.stopped_:
                break
        self.learners_ = [each.learner for each in self.history_]
        self.alphas_ = np.array([each.alpha for each in self.history_])
        return self

    def _learn_stump(self, X, signs, weights):
        """The columns are sorted once for all rounds."""
        X = _numbers(X)
        sorted_ = _Sorted.of(X).only(weights > 0)
        return lambda weights: DecisionStump()._take(sorted_.best(weights * signs), self.classes_, X.shape[1])

    def _learn(self, X, y, weights):
        """Any other learner gets weights that sum to the number of rows, so that virtual examples keep their size."""
        return copy.deepcopy(self.base).fit(X, y, sample_weight=weights * len(weights))

    def _says(self, learner, X):
        if type(learner) is DecisionStump:
            above = 1 if learner.above_ == self.classes_[1] else -1
            return np.where(np.asarray(X)[:, learner.attribute_] < learner.threshold_, -above, above)
        return np.where(np.asarray(learner.predict(X)) == self.classes_[1], 1, -1)

    def staged_votes(self, X):
        """Σ α h(x) after each round, a row per round; above 0 speaks for the second class."""
        X = _rows(_fitted(self, X))
        for learner in self.learners_[:1]:
            learner.predict(X[:1] if isinstance(X, np.ndarray) else X)  # refuses what does not fit the learner
        says = [self._says(learner, X) for learner in self.learners_]
        return np.cumsum(self.alphas_[:, None] * np.array(says).reshape(len(says), len(X)), axis=0)

    def decision_function(self, X):
        """Σ α h(x), the weighted vote; above 0 speaks for the second class."""
        votes = self.staged_votes(X)
        return votes[-1] if len(votes) else np.zeros(len(_rows(X)))

    def predict(self, X):
        """The class with the greater weight of votes."""
        second = self.decision_function(X) > TOLERANCE
        return self.classes_[second.astype(int)]

    def score(self, X, y):
        """The share of rows whose class is predicted right."""
        return float((self.predict(X) == np.asarray(y)).mean())

    def margins(self, X, y):
        """y Σ α h(x) / Σ |α| after each round, between −1 and 1: how clearly each row is on its right side."""
        votes, y = self.staged_votes(X), np.asarray(y)
        _as_long(y, votes.T)
        return np.where(y == self.classes_[1], 1, -1) * votes / np.abs(self.alphas_).cumsum()[:, None]


class StumpAverage(NamedTuple):
    """Stumps that were fixed in advance, each with its posterior; `above` is the sign at and above the threshold."""

    attributes: np.ndarray
    thresholds: np.ndarray
    above: np.ndarray
    posterior: np.ndarray

    def vote(self, X):
        """P(+|x, D) = Σ_h P(h|D) [h(x) = +], the vote of section 04."""
        return (_stump_answers(X, self) > 0) @ self.posterior


def average_stumps(X, y, thresholds, noise):
    """Bayesian model averaging over a stump and its mirror image for each attribute and threshold (sections 02 and 16).

    P(h|D) ∝ (1 − noise)^right · noise^wrong with a flat prior; `noise` is the chance that a label, ±1, is flipped.
    """
    X, y, thresholds = _numbers(X), np.asarray(y), np.atleast_1d(as_number(thresholds, "thresholds"))
    _as_long(y, X)
    if not np.isin(y, (-1, 1)).all():
        raise ValueError(f"y must hold −1 and +1, got {names(np.unique(y).tolist())}")
    if not 0 < as_number(noise, "noise", low=0, high=0.5) < 0.5:
        raise ValueError(f"noise must be above 0 and below 0.5, got {noise}")
    grid = np.meshgrid(np.arange(X.shape[1]), thresholds, [1, -1], indexing="ij")
    stumps = StumpAverage(*(each.ravel() for each in grid), None)
    right = (_stump_answers(X, stumps) == y[:, None]).sum(axis=0)
    log = right * np.log((1 - noise) / noise)
    posterior = np.exp(log - log.max())
    return stumps._replace(posterior=posterior / posterior.sum())


def _stump_answers(X, stumps):
    """What each stump says of each row: a row per row of X, a column per stump."""
    return np.where(_numbers(X)[:, stumps.attributes] < stumps.thresholds, -stumps.above, stumps.above)


# The examples of the section


def ten_points():
    """(X, y): five + and five − in the plane, made so that three stumps suffice (ours)."""
    plus, minus = [(1, 5), (2, 2), (5, 9), (6, 8), (8, 7)], [(4, 3), (5, 6), (7, 4), (9, 8.5), (9.5, 2)]
    return np.array(plus + minus, dtype=float), np.array([1] * 5 + [-1] * 5)


def disc(n, flipped=0.0, random_state=None):
    """(X, y, truth): n points in the square from −1 to 1, + where x² + y² < ½; a share of y is flipped (ours)."""
    n, random = whole_number(n, "n", 1), generator(random_state)
    X = random.uniform(-1, 1, (n, 2))
    truth = in_disc(X)
    y = truth.copy()
    y[random.permutation(n)[: round(n * one_probability(flipped, "flipped"))]] *= -1
    return X, y, truth


def clouds(n, random_state=None):
    """(X, y): two round clouds at (−1, 0) and (1, 0), σ = 1; the least possible error is Φ(−1) = .159 (ours)."""
    n, random = whole_number(n, "n", 2), generator(random_state)
    y = np.where(np.arange(n) < n // 2, -1, 1)
    return random.normal(size=(n, 2)) + np.column_stack([y, np.zeros(n)]), y


def in_disc(X):
    """+1 inside the disc x² + y² < ½, −1 outside (ours)."""
    return np.where(np.square(X).sum(axis=1) < 0.5, 1, -1)


# What is asked of the arguments


def _learner(base):
    if isinstance(base, type) or not (hasattr(base, "fit") and hasattr(base, "predict")):
        raise ValueError(f"base must be a learner with fit and predict, such as DecisionStump(), got {base!r}")
    return base


def _fitted(model, X):
    if not hasattr(model, "classes_"):
        raise ValueError("fit must be called before anything is asked: nothing has been learned yet")
    return X


def _rows(X):
    """A table stays one; anything else becomes an array with two axes, without a missing value."""
    if hasattr(X, "iloc"):
        if X.isna().to_numpy().any():
            raise ValueError("X must have no missing value, got NaN")
        return X
    try:
        array = np.asarray(X)
    except ValueError:
        raise ValueError(f"X must be rows of one length, got {X!r}") from None
    if array.ndim != 2 or not array.size:
        raise ValueError(
            f"X must have two axes, rows and attributes, and at least one of each, got shape {array.shape}"
        )
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError("X must hold finite numbers, got NaN or infinity")
    return array


def _take(X, rows):
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _numbers(X):
    """`_rows` of numbers only, as an array."""
    try:
        array = np.asarray(_rows(X), dtype=float)
    except (TypeError, ValueError) as error:
        if str(error).startswith("X must"):
            raise
        raise ValueError(f"X must hold numbers, got {X!r}") from None
    return array


def _classes(y, least=1, most=None):
    """(classes in order, the class number of each row)."""
    y = np.asarray(y)
    if y.ndim != 1 or not y.size:
        raise ValueError(f"y must be one row of classes, got shape {y.shape}")
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("y must have no missing class, got NaN")
    try:
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError:
        raise ValueError(f"y must hold classes of one kind, got {y!r}") from None
    if len(classes) < least:
        raise ValueError(f"y must hold at least two classes, got only {names(classes.tolist())}")
    if most and len(classes) > most:
        raise ValueError(f"y must hold two classes, got {len(classes)}: {names(classes.tolist())}")
    return classes, codes


def _as_long(y, X):
    if len(y) != len(X):
        raise ValueError(f"y must have one class per row of X, {len(X)}, got {len(y)}")


def _weights(weights, rows, name="sample_weight"):
    """Weights of the rows over their sum; equal ones if none are given."""
    if weights is None:
        return np.full(rows, 1 / rows)
    weights = np.asarray(as_number(weights, name, low=0), dtype=float)
    if weights.shape != (rows,):
        raise ValueError(f"{name} must have one weight per row, {rows}, got shape {weights.shape}")
    if weights.sum() == 0:
        raise ValueError(f"{name} must not all be 0, got a sum of 0")
    return weights / weights.sum()
