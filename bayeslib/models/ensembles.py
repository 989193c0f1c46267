"""Ensembles: many hypotheses of one learner, and a vote among them (section 16).

    bagging    each learner sees a bootstrap bag of the data; every vote counts the same
    boosting   ε = Σ_wrong w,   α = ½ ln((1 − ε)/ε),   w ← w e^(−α) if right, w e^(α) if wrong, over their sum

`boost_round` is the second line; `AdaBoost` repeats it and records every round, for two classes or more. Learners that vote
are the weighted `DecisionStump`, the naive Bayes of section 05, and for bagging a full `DecisionTree` and the nearest
neighbour of section 14; trees that may use only some attributes at each split make a `RandomForest`.
"""

import copy
import inspect
from math import comb, inf, isqrt
from typing import NamedTuple

import numpy as np

from bayeslib.models._checks import (
    as_number,
    axes,
    generator,
    labels,
    names,
    one_number,
    one_probability,
    row_weights,
    rows,
    short,
    targets,
    true_or_false,
    whole_number,
)
from bayeslib.models._model import Classifier

TOLERANCE = 1e-12  # errors that differ by less are equal, so that every machine breaks ties alike


class Round(NamedTuple):
    """One round of boosting. `says` and `votes` are signs and sums on the training rows, +1 for the second class.

    With more than two classes both have a column for each class, and `says` is 1 in that of the predicted class.

    >>> first = AdaBoost(DecisionStump(), n_estimators=3).fit(*ten_points()).history_[0]
    >>> round(first.error, 4), round(first.alpha, 4)
    (0.3, 0.4236)
    """

    learner: object
    weights: np.ndarray  # those the learner was trained with; they sum to 1
    says: np.ndarray
    error: float  # ε
    alpha: float  # α, the weight of its vote; negative if its answers are reversed
    z: float  # 2√(ε(1 − ε)), what the new weights are divided by; with more classes the corresponding sum
    votes: np.ndarray  # Σ α · says, up to this round
    after: np.ndarray  # the weights for the next round


# The formulas


def boost_round(weights, wrong, classes=2):
    """(ε, α, new weights) from the weights and which rows the learner got wrong (section 16).

    α = ½ ln((1 − ε)/ε), and ½ ln(classes − 1) more where there are more than two classes.

    >>> error, alpha, after = boost_round([0.2] * 5, [False, False, False, True, False])
    >>> error, round(alpha, 4), after.round(3).tolist()
    (0.2, 0.6931, [0.125, 0.125, 0.125, 0.5, 0.125])
    """
    wrong = _booleans(wrong, "wrong")
    weights = _shares(weights, len(wrong), "weights")
    error = float(weights[wrong].sum())
    if not TOLERANCE < error < 1 - TOLERANCE:
        raise ValueError(
            f"wrong must hold some of the weight and not all of it, got ε = {error:g}: α would be infinite"
        )
    alpha = float(0.5 * np.log((whole_number(classes, "classes", 2) - 1) * (1 - error) / error))
    after = weights * np.exp(np.where(wrong, alpha, -alpha))
    return error, alpha, after / after.sum()


def training_bound(errors):
    """Π 2√(ε(1 − ε)) round by round: the share of training errors of the vote is never above it (section 16).

    >>> training_bound([0.3, 0.2]).round(3).tolist()
    [0.917, 0.733]
    """
    errors = np.asarray(as_number(errors, "errors", low=0, high=1), dtype=float)
    return np.cumprod(2 * np.sqrt(errors * (1 - errors)))


def bootstrap_share(n, size=None):
    """1 − (1 − 1/n)^size, the share of n rows expected in a bag of `size` draws with replacement (section 16).

    >>> round(bootstrap_share(10), 3)
    0.651
    """
    n = whole_number(n, "n", 1)
    return 1 - (1 - 1 / n) ** whole_number(n if size is None else size, "size", 1)


def majority_error(error, voters):
    """The error of the majority of an odd number of voters that err independently (section 16).

    >>> round(majority_error(0.3, voters=21), 4)
    0.0264
    """
    one_probability(error, "error")
    if whole_number(voters, "voters", 1, 1001) % 2 == 0:
        raise ValueError(f"voters must be odd, so that no vote is a tie, got {voters}")
    half = voters // 2 + 1
    return sum(comb(voters, k) * error**k * (1 - error) ** (voters - k) for k in range(half, voters + 1))


# Learners that vote


class DecisionStump(Classifier):
    """One question about one attribute: is it below a threshold? (section 16)

    With two classes the sides have different answers; with more each side has its heaviest class.
    `fit` finds the least weighted error over all attributes and all thresholds halfway between neighbouring values.
    Of equal stumps (within 1e-12) it takes the first attribute, then the smallest threshold. Rows of weight 0 are ignored.
    Learned: `attribute_` (its number), `threshold_`, `below_` and `above_` (the classes on either side), `error_`.

    >>> stump = DecisionStump().fit([[1], [2], [3]], ["no", "yes", "yes"])
    >>> stump.threshold_, stump.predict([[0], [9]]).tolist()
    (1.5, ['no', 'yes'])
    """

    def fit(self, X, y, sample_weight=None):
        """Find the stump with the least weighted error."""
        X = self._first_rows(X)
        self.classes_, codes = labels(y, len(X))
        weights = _shares(sample_weight, len(X))
        self.attribute_, self.threshold_, below, above = _best_stump(X, codes, weights)
        self.below_, self.above_ = self.classes_[below], self.classes_[above]
        self.error_ = float(weights[self._answers(X) != self.classes_[codes]].sum())
        return self

    def predict(self, X):
        """The class on the side of the threshold where each row lies."""
        return self._answers(self._more_rows(X))

    def _answers(self, X):
        return np.where(X[:, self.attribute_] < self.threshold_, self.below_, self.above_)


def _best_stump(X, codes, weights):
    """(attribute, threshold, class below, class above) of the stump that errs with least weight.

    All stumps at once: every attribute is sorted, and the weight of each class below a threshold is a running sum.
    """
    counted, classes = weights > 0, codes.max() + 1
    members = weights[counted] * (codes[counted] == np.arange(classes)[:, None])
    columns = X[counted].T
    order = columns.argsort(axis=1, kind="stable")
    values = np.take_along_axis(columns, order, axis=1)
    between, whole = values[:, 1:] > values[:, :-1], members.sum(axis=1)
    if not between.any() or whole.max() >= 1 - TOLERANCE:
        heaviest = (whole >= whole.max() - TOLERANCE).argmax()
        return 0, -inf, heaviest, heaviest  # all rows alike, or one class
    below = members[:, order].cumsum(axis=2)[:, :, :-1]  # axes (class, attribute, cut)
    above = whole[:, None, None] - below
    if classes == 2:  # how much more is right with class 1 above than with class 0 above
        lead = below[0] + above[1] - below[1] - above[0]
        right = np.abs(lead)
    else:
        right = below.max(axis=0) + above.max(axis=0)
    right = np.where(between, right, -1.0)
    attribute, cut = divmod(int((right >= right.max() - TOLERANCE).argmax()), right.shape[1])
    if classes == 2:
        answers = (0, 1) if lead[attribute, cut] > TOLERANCE else (1, 0)
    else:
        answers = [
            (side >= side.max() - TOLERANCE).argmax() for side in (below[:, attribute, cut], above[:, attribute, cut])
        ]
    return attribute, _halfway(*values[attribute, cut : cut + 2]), *answers


def _halfway(low, high):
    """Halfway between two numbers; if no float lies between them, the higher."""
    middle = low + (high - low) / 2
    return float(middle if middle > low else high)


class _Tree(NamedTuple):
    """The nodes of a tree, breadth first: a leaf has attribute −1 and the number of a class as its answer."""

    attribute: np.ndarray
    threshold: np.ndarray
    below: np.ndarray  # the node for rows below the threshold
    above: np.ndarray
    answer: np.ndarray


class DecisionTree(Classifier):
    """A full tree: split where both halves get purest (Gini), until every leaf holds one class (section 16).

    max_features  None, or "sqrt": each split may use as many attributes as the root of their number, drawn anew among
                  those that vary

    Gini impurity is 1 − Σ_c share_c², so the best split has the largest sum of Σ_c n_c² / n over its two parts, with n_c of
    n rows in class c. Of equal splits (within 1e-12) the first attribute is taken, then the smallest threshold; of equally
    common classes in a leaf the first.

    >>> tree = DecisionTree().fit([[1, 5], [2, 6], [3, 5], [4, 6]], ["a", "a", "b", "b"])
    >>> tree.predict([[0, 0], [9, 9]]).tolist()
    ['a', 'b']
    """

    def __init__(self, max_features=None, random_state=None):
        self.max_features, self.random_state = max_features, random_state

    def _check(self):
        if self.max_features is not None and (not isinstance(self.max_features, str) or self.max_features != "sqrt"):
            raise ValueError(f'max_features must be None or "sqrt", got {short(self.max_features)}')
        generator(self.random_state)

    def fit(self, X, y):
        """Grow the tree, breadth first; the rows of each node stay sorted by every attribute."""
        columns = np.ascontiguousarray(self._first_rows(X).T)
        self.classes_, codes = labels(y, columns.shape[1])
        members, random = (codes == np.arange(len(self.classes_))[:, None]).astype(int), generator(self.random_state)
        nodes, todo = [], [columns.argsort(axis=1, kind="stable")]
        for order in todo:  # which grows during the loop
            values, counts = np.take_along_axis(columns, order, axis=1), members[:, order[0]].sum(axis=1)
            split = None
            if counts.max() < counts.sum():
                attributes = self._candidates(values, random)
                split = _best_split(values[attributes], members[:, order[attributes]])
            if split is None:
                nodes.append((-1, inf, 0, 0, counts.argmax()))
                continue
            attribute, threshold = attributes[split[0]], split[1]
            low = columns[attribute, order] < threshold
            nodes.append((attribute, threshold, len(todo), len(todo) + 1, -1))
            todo += [order[side].reshape(len(order), -1) for side in (low, ~low)]
        self._tree = _Tree(*map(np.array, zip(*nodes)))
        return self

    def _candidates(self, values, random):
        """The attributes that a split may use."""
        every = np.arange(len(values))
        if self.max_features is None:
            return every
        keys = np.where(values[:, -1] > values[:, 0], random.random(len(values)), inf)
        return np.sort(keys.argsort()[: min(isqrt(len(values)), np.isfinite(keys).sum())])

    def predict(self, X):
        """The class of the leaf that each row falls into."""
        X, tree = self._more_rows(X), self._tree
        node, todo = np.zeros(len(X), dtype=int), np.arange(len(X))
        while len(todo := todo[tree.attribute[node[todo]] >= 0]):
            current = node[todo]
            left = X[todo, tree.attribute[current]] < tree.threshold[current]
            node[todo] = np.where(left, tree.below[current], tree.above[current])
        return self.classes_[tree.answer[node]]


def _best_split(values, members):
    """(attribute, threshold) that leaves both parts purest; None where all rows are alike.

    `values` has axes (attribute, row), sorted along each attribute; `members` is 1 in the row's class, axes (class, attribute,
    row). The numbers of rows in a class are whole, so their squares are exact, and only the two quotients are rounded.
    """
    between = values[:, 1:] > values[:, :-1]
    if not between.any():
        return None
    below, size = members.cumsum(axis=2)[:, :, :-1], np.arange(1, values.shape[1])
    above = members.sum(axis=2, keepdims=True) - below
    purity = np.square(below).sum(axis=0) / size + np.square(above).sum(axis=0) / size[::-1]
    purity = np.where(between, purity, -1.0)
    attribute, cut = divmod(int((purity >= purity.max() - TOLERANCE).argmax()), len(size))
    return attribute, _halfway(*values[attribute, cut : cut + 2])


# Ensembles


class Bagging(Classifier):
    """Train a learner on bootstrap bags and let the hypotheses vote, one vote each (section 16).

    estimator     a learner with `fit` and `predict`; it is copied, never changed
    n_estimators  how many bags
    max_samples   how many rows each bag draws with replacement; as many as there are, if not given
    oob_score     whether to test each row on the learners whose bag it is not in: `oob_score_` is the share they get
                  right, `oob_decision_function_` their votes (NaN for a row that is in every bag)

    Learned: `classes_`, `estimators_`, `estimators_samples_` (the rows of each bag). Of equal votes the first class wins.

    >>> X, y, _ = disc(60, random_state=0)
    >>> Bagging(DecisionTree(), n_estimators=25, random_state=0).fit(X, y).score(X, y)
    1.0
    """

    def __init__(self, estimator, n_estimators=50, max_samples=None, random_state=None, oob_score=False):
        self.estimator, self.n_estimators, self.max_samples = estimator, n_estimators, max_samples
        self.random_state, self.oob_score = random_state, oob_score

    def _check(self):
        _check_learner(self.estimator)
        whole_number(self.n_estimators, "n_estimators", 1)
        if self.max_samples is not None:
            whole_number(self.max_samples, "max_samples", 1)
        true_or_false(self.oob_score, "oob_score")

    def _copies(self, random):
        return [copy.deepcopy(self.estimator) for _ in range(self.n_estimators)]

    def fit(self, X, y):
        """Draw the bags, and train a learner on each."""
        X, random = self._first_rows(X), generator(self.random_state)
        self.classes_, codes = labels(y, len(X), least=2)
        y = self.classes_[codes]
        bags = self.estimators_samples_ = random.integers(len(X), size=(self.n_estimators, self.max_samples or len(X)))
        self.estimators_ = [learner.fit(X[bag], y[bag]) for learner, bag in zip(self._copies(random), bags)]
        if self.oob_score:
            self._score_out_of_bag(X, codes)
        return self

    def _score_out_of_bag(self, X, codes):
        votes = np.zeros((len(X), len(self.classes_)))
        for learner, bag in zip(self.estimators_, self.estimators_samples_):
            out = np.setdiff1d(np.arange(len(X)), bag)
            if len(out):
                votes[out, np.searchsorted(self.classes_, learner.predict(X[out]))] += 1
        total = votes.sum(axis=1, keepdims=True)
        tested = total[:, 0] > 0
        if not tested.any():
            raise ValueError(f"n_estimators must leave some row out of some bag for oob_score, got {self.n_estimators}")
        self.oob_decision_function_ = np.divide(votes, total, where=total > 0, out=np.full_like(votes, np.nan))
        self.oob_score_ = float((votes.argmax(axis=1) == codes)[tested].mean())

    def answers(self, X):
        """The prediction of each learner for each row, as places in `classes_`: a row per learner.

        >>> Bagging(DecisionStump(), n_estimators=3, random_state=0).fit([[1], [2], [8], [9]], list("aabb")).answers([[1], [9]])
        array([[0, 1],
               [0, 0],
               [0, 1]])
        """
        X = self._more_rows(X)
        return np.array([np.searchsorted(self.classes_, learner.predict(X)) for learner in self.estimators_])

    def vote_share(self, X):
        """The share of the votes for each class in each row, columns as in `classes_`. It is not a posterior.

        >>> Bagging(DecisionStump(), n_estimators=5, random_state=0).fit([[1], [2], [9]], list("aab")).vote_share([[9]])
        array([[0.4, 0.6]])
        """
        answers = self.answers(X)
        return np.stack([(answers == code).mean(axis=0) for code in range(len(self.classes_))], axis=1)

    def predict(self, X):
        """The class with the most votes."""
        best = self.vote_share(X).argmax(axis=1)
        return self.classes_[best]


class RandomForest(Bagging):
    """Bagged trees, each split of which may use only some attributes: their errors are less alike (section 16).

    n_estimators  how many trees; each split chooses among the root of the number of attributes, as `DecisionTree("sqrt")`
    oob_score     as in `Bagging`, and what is learned too

    >>> X, y, _ = disc(200, random_state=0)
    >>> RandomForest(n_estimators=50, random_state=0, oob_score=True).fit(X, y).oob_score_
    0.925
    """

    estimator, max_samples = DecisionTree("sqrt"), None

    def __init__(self, n_estimators=100, random_state=None, oob_score=False):
        self.n_estimators, self.random_state, self.oob_score = n_estimators, random_state, oob_score

    def _copies(self, random):
        return [DecisionTree("sqrt", int(seed)) for seed in random.integers(2**32, size=self.n_estimators)]


class AdaBoost(Classifier):
    """Boosting: each round puts more weight on what the last learner got wrong (section 16).

    estimator     a learner with `fit(X, y, sample_weight)` and `predict`: `DecisionStump`, the naive Bayes of section 05
    n_estimators  the largest number of rounds

    The answer is the class v with the greatest Σ_t α_t [h_t(x) = v]; with two classes, −1 and 1, the sign of Σ_t α_t h_t(x).
    With k classes a guess has ε = 1 − 1/k. A learner with a greater ε gets a negative α: its vote counts against its answer.
    One with exactly this ε is no better than a guess, so boosting stops before it. One without error needs no other: boosting
    stops after it, and instead of infinite weight its vote gets 1 more than all before it together. `stopped_` is the reason
    for stopping early, as text, or None.

    Learned: `classes_`, `history_` (a `Round` each), `estimators_`, `alphas_` (half of scikit-learn's `estimator_weights_`).
    Of equal votes the first class wins.

    >>> model = AdaBoost(DecisionStump(), n_estimators=3).fit(*ten_points())
    >>> model.alphas_.round(4).tolist(), model.score(*ten_points())
    ([0.4236, 0.6496, 0.9229], 1.0)
    """

    def __init__(self, estimator, n_estimators=50):
        self.estimator, self.n_estimators = estimator, n_estimators

    def _check(self):
        _check_learner(self.estimator)
        whole_number(self.n_estimators, "n_estimators", 1)
        if "sample_weight" not in inspect.signature(self.estimator.fit).parameters:
            name = type(self.estimator).__name__
            raise ValueError(f"estimator must take weights, as fit(X, y, sample_weight), got {name}")

    def fit(self, X, y, sample_weight=None):
        """Boost round by round. Weights sum to the number of rows, so that virtual examples keep their size."""
        X = self._first_rows(X)
        self.classes_, codes = labels(y, len(X), least=2)
        y, weights = self.classes_[codes], _shares(sample_weight, len(X))
        self.history_, self.stopped_ = [], None
        while len(self.history_) < self.n_estimators and not self.stopped_:
            learner = copy.deepcopy(self.estimator).fit(X, y, sample_weight=weights * len(X))
            says = np.searchsorted(self.classes_, learner.predict(X))
            wrong = says != codes
            self.stopped_, useless = self._why_stop(float(weights[wrong].sum()))
            if not useless:
                weights = self._vote(learner, weights, says, wrong)
        self.estimators_ = [each.learner for each in self.history_]
        self.alphas_ = np.array([each.alpha for each in self.history_])
        return self

    def _why_stop(self, error):
        """(why boosting stops at a learner with this error, or None; whether it stops before the learner votes)."""
        k, number = len(self.classes_), len(self.history_) + 1
        if abs(error - (1 - 1 / k)) <= TOLERANCE:
            chance = "½" if k == 2 else f"1 − 1/{k}"
            return f"round {number}: the learner's weighted error is exactly {chance}, so it has nothing to say", True
        if TOLERANCE < error < 1 - TOLERANCE:
            return None, False
        if error < 0.5:
            does = "makes no error"
        elif k == 2:
            does = "is always wrong, so always right with its answers reversed"
        else:
            return (
                f"round {number}: the learner is always wrong, and which of {k} classes is right it cannot tell",
                True,
            )
        return f"round {number}: the learner {does}; nothing is left to weigh up", False

    def _vote(self, learner, weights, says, wrong):
        """Add a round to the history; return the weights for the next one."""
        k, error = len(self.classes_), float(weights[wrong].sum())
        if self.stopped_:
            whole = 1.0 + sum(abs(step.alpha) for step in self.history_)
            alpha, after = whole if error < 0.5 else -whole, weights
        else:
            error, alpha, after = boost_round(weights, wrong, k)
        z = float(np.sqrt(error * max(1 - error, 0)) * (np.sqrt(k - 1) + 1 / np.sqrt(k - 1)))
        says = self._marks(says)
        votes = alpha * says + (self.history_[-1].votes if self.history_ else 0)
        self.history_.append(Round(learner, weights, says, error, alpha, z, votes, after))
        return after

    def _marks(self, codes):
        """Class codes as −1 and 1; with more than two classes, a column for each with 1 in that of the row."""
        if len(self.classes_) == 2:
            return 2 * codes - 1
        return (codes[..., None] == np.arange(len(self.classes_))).astype(int)

    def staged_votes(self, X):
        """Σ α h(x) after each round, a row per round; above 0 favours the second class. With more classes, a last axis for them.

        >>> AdaBoost(DecisionStump(), n_estimators=2).fit(*ten_points()).staged_votes([[1, 5], [9, 9]]).round(2).tolist()
        [[0.42, -0.42], [1.07, -1.07]]
        """
        X = self._more_rows(X)
        says = [np.searchsorted(self.classes_, learner.predict(X)) for learner in self.estimators_]
        marks = self._marks(np.array(says, dtype=int).reshape(len(says), len(X)))
        return np.cumsum(self.alphas_.reshape(-1, *[1] * (marks.ndim - 1)) * marks, axis=0)

    def decision_function(self, X):
        """Σ α h(x), the weighted vote; above 0 favours the second class. With more classes, a column for each.

        >>> AdaBoost(DecisionStump(), n_estimators=2).fit(*ten_points()).decision_function([[1, 5]]).round(2).tolist()
        [1.07]
        """
        votes = self.staged_votes(X)
        return votes[-1] if len(votes) else np.zeros(votes.shape[1:])

    def predict(self, X):
        """The class with the greatest weight of votes."""
        votes = self.decision_function(X)
        if len(self.classes_) == 2:
            return self.classes_[(votes > TOLERANCE).astype(int)]
        return self.classes_[(votes >= votes.max(axis=1, keepdims=True) - TOLERANCE).argmax(axis=1)]

    def margins(self, X, y):
        """How clearly each row is on the right side of two classes after each round, between −1 and 1: y Σ α h(x) / Σ |α|.

        >>> X, y = ten_points()
        >>> AdaBoost(DecisionStump(), n_estimators=3).fit(X, y).margins(X, y).min(axis=1).round(3).tolist()
        [-1.0, -0.211, 0.075]
        """
        votes = self.staged_votes(X)
        classes, codes = labels(y, votes.shape[1])
        if len(self.classes_) > 2 or not np.isin(classes, self.classes_).all():
            wanted = f"the classes of fit, two of them, {names(self.classes_.tolist())}"
            raise ValueError(f"y must hold {wanted}, got {short(classes.tolist())}")
        right = self._marks(np.searchsorted(self.classes_, classes)[codes])
        return right * votes / np.abs(self.alphas_).cumsum()[:, None]


class StumpAverage(NamedTuple):
    """Stumps that were fixed in advance, each with its posterior; `above` is the sign at and above the threshold.

    >>> average_stumps([[1], [2]], [-1, 1], thresholds=[1.5], noise=0.1).posterior.round(3).tolist()
    [0.988, 0.012]
    """

    attributes: np.ndarray
    thresholds: np.ndarray
    above: np.ndarray
    posterior: np.ndarray

    def vote(self, X):
        """P(+|x, D) = Σ_h P(h|D) [h(x) = +], the vote of section 04.

        >>> average_stumps([[1], [2]], [-1, 1], thresholds=[1.5], noise=0.1).vote([[0], [9]]).round(3).tolist()
        [0.012, 0.988]
        """
        return (_stump_answers(X, self) > 0) @ self.posterior


def average_stumps(X, y, thresholds, noise):
    """Bayesian model averaging over a stump and its mirror image for each attribute and threshold (sections 02 and 16).

    P(h|D) ∝ (1 − noise)^right · noise^wrong with a flat prior; `noise` is the chance that a label, ±1, is flipped.

    >>> average = average_stumps([[1], [2], [3]], [-1, 1, 1], thresholds=[1.5, 2.5], noise=0.3)
    >>> average.thresholds[average.posterior.argmax()]
    np.float64(1.5)
    """
    X, thresholds = rows(X), rows(thresholds, "thresholds", one_feature=True)[:, 0]
    y = targets(y, len(X))
    if not np.isin(y, (-1, 1)).all():
        raise ValueError(f"y must hold −1 and +1, got {names(np.unique(y).tolist())}")
    if not 0 < one_number(noise, "noise", low=0, high=0.5) < 0.5:
        raise ValueError(f"noise must be above 0 and below 0.5, got {noise}")
    grid = np.meshgrid(np.arange(X.shape[1]), thresholds, [1, -1], indexing="ij")
    stumps = StumpAverage(*(axis.ravel() for axis in grid), None)
    right = (_stump_answers(X, stumps) == y[:, None]).sum(axis=0)
    log = right * np.log((1 - noise) / noise)
    posterior = np.exp(log - log.max())
    return stumps._replace(posterior=posterior / posterior.sum())


def _stump_answers(X, stumps):
    """The prediction of each stump, −1 or +1: a row per row of X, a column per stump."""
    X, attributes = rows(X), int(stumps.attributes.max()) + 1
    if X.shape[1] != attributes:
        raise ValueError(f"X must have {attributes} attributes as the stumps, got {X.shape[1]}")
    return np.where(X[:, stumps.attributes] < stumps.thresholds, -stumps.above, stumps.above)


# The examples of the section


def ten_points():
    """(X, y): five + and five − in the plane, made so that three stumps suffice (ours).

    >>> [each.shape for each in ten_points()]
    [(10, 2), (10,)]
    """
    plus, minus = [(1, 5), (2, 2), (5, 9), (6, 8), (8, 7)], [(4, 3), (5, 6), (7, 4), (9, 8.5), (9.5, 2)]
    return np.array(plus + minus, dtype=float), np.array([1] * 5 + [-1] * 5)


def disc(n, flipped=0.0, random_state=None):
    """(X, y, truth): n points in the square from −1 to 1, + where x² + y² < ½; a share of y is flipped (ours).

    >>> X, y, truth = disc(20, flipped=0.1, random_state=0)
    >>> int((y != truth).sum())
    2
    """
    n, random = whole_number(n, "n", 1), generator(random_state)
    X = random.uniform(-1, 1, (n, 2))
    truth = in_disc(X)
    y = truth.copy()
    y[random.permutation(n)[: round(n * one_probability(flipped, "flipped"))]] *= -1
    return X, y, truth


def clouds(n, random_state=None):
    """(X, y): two round clouds at (−1, 0) and (1, 0), σ = 1; the least possible error is Φ(−1) = .159 (ours).

    >>> clouds(4, random_state=0)[1].tolist()
    [-1, -1, 1, 1]
    """
    n, random = whole_number(n, "n", 2), generator(random_state)
    y = np.where(np.arange(n) < n // 2, -1, 1)
    return random.normal(size=(n, 2)) + np.column_stack([y, np.zeros(n)]), y


def in_disc(X):
    """+1 inside the disc x² + y² < ½, −1 outside (ours).

    >>> in_disc([[0, 0], [1, 1]]).tolist()
    [1, -1]
    """
    return np.where(np.square(rows(X)).sum(axis=1) < 0.5, 1, -1)


# Argument checks


def _check_learner(estimator):
    if isinstance(estimator, type) or not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        wanted = "a learner with fit and predict, such as DecisionStump()"
        raise ValueError(f"estimator must be {wanted}, got {short(estimator)}")


def _booleans(values, name):
    if axes(values) != 1 or np.asarray(values).dtype != bool:
        raise ValueError(f"{name} must be one row of True and False, got {short(values)}")
    return np.asarray(values)


def _shares(weights, count, name="sample_weight"):
    """The weight of each of `count` rows, divided by their sum."""
    shares = row_weights(weights, count, name)
    shares = shares / shares.max()  # so that the sum neither underflows nor overflows
    return shares / shares.sum()
