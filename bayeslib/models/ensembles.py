"""Ensembles: many hypotheses of one learner, and a vote among them (section 16).

    bagging    each learner sees a bootstrap bag of the data; every vote counts the same
    boosting   ε = Σ_wrong w,   α = ½ ln((1 − ε)/ε),   w ← w e^(−α) if right, w e^(α) if wrong, over their sum

`boost_round` is the second line; `AdaBoost` repeats it and records every round, for two classes or more. The learners that
vote are the weighted `DecisionStump`, the naive Bayes of section 05, and for bagging a full `DecisionTree` and the
`NearestNeighbour`; trees that may use only some attributes at each split make a `RandomForest`. On more than `LESSON`
numbers `bayeslib.models._fast_ensembles` trains the same stumps and trees in less time.
"""

import copy
import inspect
from math import comb, inf, isqrt
from typing import NamedTuple

import numpy as np

from bayeslib.models._checks import (
    as_number,
    generator,
    is_missing,
    labels,
    names,
    one_number,
    one_probability,
    row_weights,
    rows,
    short,
    targets,
    whole_number,
)
from bayeslib.models._model import Classifier, column_names
from bayeslib.models.neighbors import LESSON as COMPARED
from bayeslib.models.neighbors import distances

LESSON = 4096  # rows × attributes: up to this size, more than any lesson needs, learners are trained one by one
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


def best_stump(X, signs, weights):
    """(attribute, threshold, sign above it) of the stump that errs with least weight; labels are ±1 (section 16).

    With L for the sum of w·sign below a threshold and T for the sum of all, the stump that says + above errs with ½ + ½(2L − T)
    and its mirror image with ½ − ½(2L − T), if the weights sum to 1. Rows of weight 0 are ignored.

    >>> best_stump([[1], [2], [3]], signs=[1, -1, -1], weights=[0.2, 0.4, 0.4])
    (0, 1.5, -1)
    """
    X = rows(X)
    signs, weights = targets(signs, len(X), "signs"), _shares(weights, len(X), "weights")
    counted = weights > 0
    columns, signed = X[counted].T, (weights * signs)[counted]
    order = columns.argsort(axis=1, kind="stable")
    return _best_cut(np.take_along_axis(columns, order, axis=1), signed[order])


def _best_cut(values, signed):
    """`best_stump` once every attribute is sorted: values and signed weights have axes (attribute, row)."""
    total, between = signed[0].sum(), values[:, 1:] > values[:, :-1]
    if not between.any() or np.abs(total) >= np.abs(signed[0]).sum() - TOLERANCE:
        return 0, -inf, 1 if total > TOLERANCE else -1  # all rows alike, or one class: one answer for all
    edge = 2 * signed[:, :-1].cumsum(axis=1) - total
    strength = np.where(between, np.abs(edge), -1.0)
    place = int((strength >= strength.max() - TOLERANCE).argmax())  # first attribute, smallest threshold
    attribute, cut = divmod(place, edge.shape[1])
    threshold = _halfway(values[attribute, cut], values[attribute, cut + 1])
    return attribute, threshold, 1 if edge[attribute, cut] < -TOLERANCE else -1


def _best_answers(X, codes, weights):
    """(attribute, threshold, code below, code above) of the stump that errs with least weight, for any number of classes.

    The heaviest class of a side is its answer, so the error is 1 − max_c below_c − max_c above_c.
    """
    counted = weights > 0
    X, members = X[counted], weights[counted, None] * (codes[counted, None] == np.arange(codes.max() + 1))
    order, whole = X.argsort(axis=0, kind="stable"), members.sum(axis=0)
    values = np.take_along_axis(X, order, axis=0)
    between = (values[1:] > values[:-1]).T
    if not between.any():
        return 0, -inf, int(whole.argmax()), int(whole.argmax())
    below = members[order].cumsum(axis=0)[:-1].swapaxes(0, 1)  # weight in the lower part, by attribute, cut and class
    right = np.where(between, below.max(axis=2) + (whole - below).max(axis=2), -1.0)
    attribute, cut = divmod(int((right >= right.max() - TOLERANCE).argmax()), right.shape[1])
    answers = (
        int((side >= side.max() - TOLERANCE).argmax())
        for side in (below[attribute, cut], whole - below[attribute, cut])
    )
    return attribute, _halfway(*values[cut : cut + 2, attribute]), *answers


def best_split(X, codes):
    """(attribute, threshold) that leaves both parts purest (Gini), None where no split is possible or needed (section 16).

    Gini impurity is 1 − Σ_c share_c². So the best split has the largest sum of Σ_c n_c² / n over its parts,
    with n_c of n rows in class c.

    >>> best_split([[1, 5], [2, 6], [3, 5], [4, 6]], codes=[0, 0, 1, 1])
    (0, 2.5)
    """
    X = rows(X)
    members = labels(codes, len(X), "codes")[1][:, None] == np.arange(len(X))  # no more classes than rows
    members = members[:, members.any(axis=0)]
    order = X.argsort(axis=0, kind="stable")
    values = np.take_along_axis(X, order, axis=0)
    between, counts = values[1:] > values[:-1], members.sum(axis=0)
    if len(counts) == 1 or not between.any():
        return None
    below = members[order].cumsum(axis=0)[:-1]  # rows in the lower part, by cut, attribute and class
    above, size = counts - below, np.arange(1, len(X))[:, None]
    purity = np.square(below).sum(axis=2) / size + np.square(above).sum(axis=2) / (len(X) - size)
    purity = np.where(between, purity, -1.0).T
    attribute, cut = divmod(int((purity >= purity.max() - TOLERANCE).argmax()), len(X) - 1)
    return attribute, _halfway(*values[cut : cut + 2, attribute])


def _halfway(low, high):
    """Halfway between two numbers; if no float lies between them, the higher."""
    middle = low + (high - low) / 2
    return float(middle if middle > low else high)


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
        if len(self.classes_) > 2:
            return self._store(_best_answers(X, codes, weights), X, codes, weights)
        return self._store_signed(best_stump(X, 2 * codes - 1, weights), X, codes, weights)

    def _store_signed(self, best, *data):
        attribute, threshold, above = best
        return self._store((attribute, threshold, [0, -1][above < 0], [0, -1][above > 0]), *data)

    def _store(self, best, X, codes, weights):
        self.attribute_, self.threshold_, below, above = best
        self.below_, self.above_ = self.classes_[below], self.classes_[above]
        self.error_ = float(weights[self._answers(X) != self.classes_[codes]].sum())
        return self

    def predict(self, X):
        """The class on the side of the threshold where each row lies."""
        return self._answers(self._more_rows(X))

    def _answers(self, X):
        return np.where(X[:, self.attribute_] < self.threshold_, self.below_, self.above_)

    def _fast_trainer(self, X, codes, classes, names):
        from bayeslib.models._fast_ensembles import Stumps

        return Stumps(self, X, codes, classes, names) if len(classes) <= 2 else None


class Tree(NamedTuple):
    """The nodes of a tree, breadth first: a leaf has attribute −1 and the number of a class as its answer.

    >>> DecisionTree().fit([[1], [2], [3]], ["a", "b", "b"]).tree_.threshold.tolist()
    [1.5, inf, inf]
    """

    attribute: np.ndarray
    threshold: np.ndarray
    below: np.ndarray  # the node for rows below the threshold
    above: np.ndarray
    answer: np.ndarray


class DecisionTree(Classifier):
    """A full tree: split where both halves get purest (Gini), until every leaf holds one class (section 16).

    max_features  how many attributes, drawn anew among those that vary, each split may use; "sqrt" for the root of their
                  number, None for all

    Of equal splits (within 1e-12) the first attribute is taken, then the smallest threshold; of equally common classes
    in a leaf the first. Learned: `tree_`, a `Tree`.

    >>> tree = DecisionTree().fit([[1, 5], [2, 6], [3, 5], [4, 6]], ["a", "a", "b", "b"])
    >>> tree.predict([[0, 0], [9, 9]]).tolist()
    ['a', 'b']
    """

    def __init__(self, max_features=None, random_state=None):
        self.max_features, self.random_state = max_features, random_state
        self._check()

    def _check(self):
        _check_features(self.max_features)
        generator(self.random_state)

    def fit(self, X, y):
        """Grow the tree, breadth first."""
        X = self._first_rows(X)
        self.classes_, codes = labels(y, len(X))
        if X.size > LESSON:
            return self._fast_trainer(X, codes, self.classes_, None).fit(np.ones(len(X), dtype=int), into=self)
        self.tree_ = self._grow(X, codes)
        return self

    def _grow(self, X, codes):
        nodes, todo, random = [], [np.arange(len(X))], generator(self.random_state)
        for members in todo:  # which grows during the loop
            attributes = self._candidates(X[members], codes[members], random)
            split = best_split(X[members][:, attributes], codes[members]) if len(attributes) else None
            if split is None:
                nodes.append((-1, inf, 0, 0, np.bincount(codes[members]).argmax()))
                continue
            attribute, threshold = int(attributes[split[0]]), split[1]
            left = X[members, attribute] < threshold
            nodes.append((attribute, threshold, len(todo), len(todo) + 1, -1))
            todo += [members[left], members[~left]]
        return Tree(*map(np.array, zip(*nodes)))

    def _candidates(self, X, codes, random):
        """The attributes that a split may use."""
        most = _features(self.max_features, X.shape[1])
        if most == X.shape[1] or (codes == codes[0]).all():
            return np.arange(X.shape[1])
        keys = np.where(np.ptp(X, axis=0) > 0, random.random(X.shape[1]), inf)
        return np.sort(np.argsort(keys)[: min(most, np.isfinite(keys).sum())])

    def predict(self, X):
        """The class of the leaf that each row falls into."""
        X, tree = self._more_rows(X), self.tree_
        node, todo = np.zeros(len(X), dtype=int), np.arange(len(X))
        while len(todo := todo[tree.attribute[node[todo]] >= 0]):
            current = node[todo]
            left = X[todo, tree.attribute[current]] < tree.threshold[current]
            node[todo] = np.where(left, tree.below[current], tree.above[current])
        return self.classes_[tree.answer[node]]

    def _fast_trainer(self, *data):
        from bayeslib.models._fast_ensembles import Trees

        return Trees(self, *data)


class NearestNeighbour(Classifier):
    """The class of the nearest training row, the first of them in a tie (section 16).

    >>> NearestNeighbour().fit([[1], [5]], ["a", "b"]).predict([[2], [3]]).tolist()
    ['a', 'a']
    """

    def fit(self, X, y):
        """Store the rows."""
        self.X_ = self._first_rows(X)
        self.classes_, self._codes = labels(y, len(self.X_))
        return self

    def predict(self, X):
        """The class of the row with the least distance."""
        X = self._more_rows(X)
        if X.size * len(self.X_) > COMPARED:
            from bayeslib.models._fast_neighbors import Finder

            closest = Finder(self.X_).nearest(X, 1)[1][:, 0]
        else:
            closest = distances(self.X_, X).argmin(axis=1)
        return self.classes_[self._codes[closest]]


# Ensembles


class _Voters(Classifier):
    """Many learners of one kind. Their rows may hold whatever the learner accepts, names as well as numbers."""

    def _first_table(self, X):
        table = _table(X)
        self._remember(column_names(X), table.shape[1])
        return table

    def _more_table(self, X):
        self._fitted()
        table = _table(self._in_order(X))
        if table.shape[1] != self.n_features_in_:
            raise ValueError(f"X must have {self.n_features_in_} attributes as in fit, got {table.shape[1]}")
        return table

    def _shared(self, base, X, codes):
        """A trainer that sorts the columns once for many stumps or trees; None for few rows or other learners.

        A subclass may have another `fit`, so only the class itself is asked for a fast trainer.
        """
        fast_trainer = vars(type(base)).get("_fast_trainer")
        if fast_trainer is None or np.size(X) <= LESSON:
            return None
        return fast_trainer(base, rows(X), codes, self.classes_, column_names(X))


class _Bags(_Voters):
    """Learners that were trained on bootstrap bags, and their vote."""

    def fit(self, X, y):
        """Draw the bags, and train a learner on each."""
        X, random = self._first_table(X), generator(self.random_state)
        self.classes_, codes = labels(y, len(X), least=2)
        self.bags_ = random.integers(len(X), size=(self.n_estimators, self._size or len(X)))
        bases = self._bases(random)
        shared = self._shared(bases[0], X, codes)
        if shared is None:
            self.learners_ = [
                base.fit(_take(X, bag), self.classes_[codes[bag]]) for base, bag in zip(bases, self.bags_)
            ]
        else:
            counts = [np.bincount(bag, minlength=len(X)) for bag in self.bags_]
            self.learners_ = [shared.fit(count, into=base) for base, count in zip(bases, counts)]
        if self.oob_score:
            self._score_out_of_bag(X, codes)
        return self

    def _score_out_of_bag(self, X, codes):
        votes = np.zeros((len(X), len(self.classes_)))
        for learner, bag in zip(self.learners_, self.bags_):
            out = np.setdiff1d(np.arange(len(X)), bag)
            if len(out):
                votes[out, np.searchsorted(self.classes_, learner.predict(_take(X, out)))] += 1
        tested = votes.any(axis=1)
        if not tested.any():
            raise ValueError(f"n_estimators must leave some row out of some bag for oob_score, got {self.n_estimators}")
        total = votes.sum(axis=1, keepdims=True)
        self.oob_vote_share_ = np.divide(votes, total, where=total > 0, out=np.full_like(votes, np.nan))
        self.oob_score_ = float((votes.argmax(axis=1) == codes)[tested].mean())

    def answers(self, X):
        """The prediction of each learner for each row, as places in `classes_`: a row per learner.

        >>> Bagging(DecisionStump(), n_estimators=3, random_state=0).fit([[1], [2], [8], [9]], list("aabb")).answers([[1], [9]])
        array([[0, 1],
               [0, 0],
               [0, 1]])
        """
        X = self._more_table(X)
        return np.array([np.searchsorted(self.classes_, learner.predict(X)) for learner in self.learners_])

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


class Bagging(_Bags):
    """Train a learner on bootstrap bags and let the hypotheses vote, one vote each (section 16).

    base          a learner with `fit` and `predict`; it is copied, never changed
    n_estimators  how many bags
    size          how many rows each bag draws with replacement; as many as there are, if not given
    oob_score     whether to test each row on the learners whose bag it is not in: `oob_score_` is the share they get
                  right, `oob_vote_share_` their votes (NaN for a row that is in every bag)

    Learned: `classes_`, `learners_`, `bags_` (the rows of each bag). Of equal votes the first class wins.

    >>> X, y, _ = disc(60, random_state=0)
    >>> Bagging(DecisionTree(), n_estimators=25, random_state=0).fit(X, y).score(X, y)
    1.0
    """

    def __init__(self, base, n_estimators=50, size=None, random_state=None, oob_score=False):
        self.base, self.n_estimators, self.size = base, n_estimators, size
        self.random_state, self.oob_score = random_state, oob_score
        self._check()

    def _check(self):
        _check_learner(self.base)
        whole_number(self.n_estimators, "n_estimators", 1)
        if self.size is not None:
            whole_number(self.size, "size", 1)
        generator(self.random_state)
        _check_switch(self.oob_score, "oob_score")

    @property
    def _size(self):
        return self.size

    def _bases(self, random):
        return [copy.deepcopy(self.base) for _ in range(self.n_estimators)]


class RandomForest(_Bags):
    """Bagged trees, each split of which may use only some attributes: their errors are less alike (section 16).

    n_estimators  how many trees
    max_features  how many attributes a split may use, as in `DecisionTree`
    oob_score     as in `Bagging`

    Learned: `classes_`, `learners_`, `bags_`. Of equal votes the first class wins.

    >>> X, y, _ = disc(200, random_state=0)
    >>> RandomForest(n_estimators=50, random_state=0, oob_score=True).fit(X, y).oob_score_
    0.925
    """

    _size = None

    def __init__(self, n_estimators=100, max_features="sqrt", random_state=None, oob_score=False):
        self.n_estimators, self.max_features = n_estimators, max_features
        self.random_state, self.oob_score = random_state, oob_score
        self._check()

    def _check(self):
        whole_number(self.n_estimators, "n_estimators", 1)
        _check_features(self.max_features)
        generator(self.random_state)
        _check_switch(self.oob_score, "oob_score")

    def _bases(self, random):
        return [DecisionTree(self.max_features, int(seed)) for seed in random.integers(2**32, size=self.n_estimators)]


class AdaBoost(_Voters):
    """Boosting: each round puts more weight on what the last learner got wrong (section 16).

    base          a learner with `fit(X, y, sample_weight)` and `predict`: `DecisionStump`, the naive Bayes of section 05
    n_estimators  the largest number of rounds

    The answer is the class v with the greatest Σ_t α_t [h_t(x) = v]; with two classes, −1 and 1, the sign of Σ_t α_t h_t(x).
    With k classes a guess has ε = 1 − 1/k. A learner with a greater ε gets a negative α: its vote counts against its answer.
    One with exactly this ε is no better than a guess, so boosting stops before it. One without error needs no other: boosting
    stops after it, and instead of infinite weight its vote gets 1 more than all before it together. `stopped_` is the reason
    for stopping early, as text, or None.

    Learned: `classes_`, `history_` (a `Round` each), `learners_`, `alphas_`. Of equal votes the first class wins.

    >>> model = AdaBoost(DecisionStump(), n_estimators=3).fit(*ten_points())
    >>> model.alphas_.round(4).tolist(), model.score(*ten_points())
    ([0.4236, 0.6496, 0.9229], 1.0)
    """

    def __init__(self, base, n_estimators=50):
        self.base, self.n_estimators = base, n_estimators
        self._check()

    def _check(self):
        _check_learner(self.base)
        whole_number(self.n_estimators, "n_estimators", 1)
        if "sample_weight" not in inspect.signature(self.base.fit).parameters:
            raise ValueError(f"base must take weights, as fit(X, y, sample_weight), got {type(self.base).__name__}")

    def fit(self, X, y, sample_weight=None):
        """Boost round by round."""
        X = self._first_table(X)
        self.classes_, codes = labels(y, len(X), least=2)
        weights, learn = _shares(sample_weight, len(X)), self._learner(X, codes)
        self.history_, self.stopped_ = [], None
        for number in range(1, self.n_estimators + 1):
            learner = learn(weights)
            says = np.searchsorted(self.classes_, np.asarray(learner.predict(X)))
            wrong = says != codes
            if self._stops(number, float(weights[wrong].sum())):
                break
            weights = self._vote(learner, weights, says, wrong)
            if self.stopped_:
                break
        self.learners_ = [each.learner for each in self.history_]
        self.alphas_ = np.array([each.alpha for each in self.history_])
        return self

    def _stops(self, number, error):
        """Whether to stop before a learner with this error; `stopped_` gets the reason, also for stopping after it."""
        k = len(self.classes_)
        if abs(error - (1 - 1 / k)) <= TOLERANCE:
            chance = "½" if k == 2 else f"1 − 1/{k}"
            self.stopped_ = (
                f"round {number}: the learner's weighted error is exactly {chance}, so it has nothing to say"
            )
        elif error >= 1 - TOLERANCE and k > 2:
            self.stopped_ = (
                f"round {number}: the learner is always wrong, and which of {k} classes is right it cannot tell"
            )
        else:
            if not TOLERANCE < error < 1 - TOLERANCE:
                does = "makes no error" if error < 0.5 else "is always wrong, so always right with its answers reversed"
                self.stopped_ = f"round {number}: the learner {does}; nothing is left to weigh up"
            return False
        return True

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

    def _learner(self, X, codes):
        """A function from weights to a learner; it scales them to sum to the number of rows, so virtual examples keep their size."""
        shared, y = self._shared(self.base, X, codes), self.classes_[codes]
        if shared is not None:
            return lambda weights: shared.fit(weights, into=copy.deepcopy(self.base))
        return lambda weights: copy.deepcopy(self.base).fit(X, y, sample_weight=weights * len(weights))

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
        X = self._more_table(X)
        says = [np.searchsorted(self.classes_, np.asarray(learner.predict(X))) for learner in self.learners_]
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
        """How clearly each row is on the right side after each round, between −1 and 1: y Σ α h(x) / Σ |α|.

        With more than two classes it is the vote for the right one minus the greatest of the others, over Σ |α|.

        >>> X, y = ten_points()
        >>> AdaBoost(DecisionStump(), n_estimators=3).fit(X, y).margins(X, y).min(axis=1).round(3).tolist()
        [-1.0, -0.211, 0.075]
        """
        votes = self.staged_votes(X)
        classes, codes = labels(y, votes.shape[1])
        if not np.isin(classes, self.classes_).all():
            raise ValueError(
                f"y must hold the classes of fit, {names(self.classes_.tolist())}, got {short(classes.tolist())}"
            )
        right = self._marks(np.searchsorted(self.classes_, classes)[codes])
        if right.ndim == 1:
            lead = right * votes
        else:
            lead = np.where(right, votes, -inf).max(axis=2) - np.where(right, -inf, votes).max(axis=2)
        return lead / np.abs(self.alphas_).cumsum()[:, None]


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


def _check_learner(base):
    if isinstance(base, type) or not (hasattr(base, "fit") and hasattr(base, "predict")):
        raise ValueError(f"base must be a learner with fit and predict, such as DecisionStump(), got {short(base)}")


def _check_features(most):
    if most is not None and not (isinstance(most, str) and most == "sqrt"):
        whole_number(most, 'max_features, if not None or "sqrt",', 1)


def _features(most, count):
    """How many of `count` attributes a split may use."""
    return count if most is None else isqrt(count) if isinstance(most, str) else min(most, count)


def _check_switch(value, name):
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, got {short(value)}")


def _table(X):
    """A pandas table as it is, anything else as a new array with two axes; no value may be missing."""
    if hasattr(X, "iloc"):
        if X.ndim != 2 or not X.size:
            raise ValueError(
                f"X must have two axes, rows and attributes, with at least one of each, got shape {X.shape}"
            )
        if X.isna().to_numpy().any():
            raise ValueError("X must have no missing value, got NaN")
        return X
    try:
        array = np.array(X)
    except ValueError:
        array = np.array(None)
    if array.dtype.kind not in "OU" or array.ndim != 2 or not array.size:
        return rows(X)
    if any(map(is_missing, np.array(X, dtype=object).ravel())):
        raise ValueError(f"X must have no missing value, got {short(X)}")
    return array


def _take(X, places):
    return X.iloc[places] if hasattr(X, "iloc") else X[places]


def _booleans(values, name):
    try:
        array = np.asarray(values)
    except ValueError:
        array = np.array(None)
    if array.dtype != bool or array.ndim != 1:
        raise ValueError(f"{name} must be one row of True and False, got {short(values)}")
    return array


def _shares(weights, count, name="sample_weight"):
    """The weight of each of `count` rows, divided by their sum."""
    shares = row_weights(weights, count, name)
    shares = shares / shares.max()  # so that the sum neither underflows nor overflows
    return shares / shares.sum()
