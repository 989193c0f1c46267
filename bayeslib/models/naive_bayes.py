"""Naive Bayes: count each attribute within each class, multiply, compare (section 05).

    v_NB = argmax_v P(v) Π_i P(a_i|v)

Five kinds, one rule: `NaiveBayes` for values with names, `GaussianNaiveBayes` for numbers, `MultinomialNaiveBayes` for counts
of words, `BernoulliNaiveBayes` for their presence, `MixtureNaiveBayes` for classes of several kinds of text. Each learns its
tables in `fit`; prediction is written once, in `_NaiveBayes`.
"""

import math
from typing import NamedTuple

import numpy as np

from bayeslib.models._checks import (
    HUGE,
    MOST,
    among,
    as_number,
    axes,
    generator,
    is_mapping,
    is_missing,
    labels,
    names,
    one_number,
    one_of,
    row_weights,
    rows,
    sequence,
    short,
    whole_number,
)
from bayeslib.models._model import Classifier, column_names
from bayeslib.models.estimates import m_estimate

LIGHT = 0.1  # virtual words for each word of a class: see `MultinomialNaiveBayes`
MOST_WORDS = HUGE / MOST**2  # even MOST such rows, MOST times, give a count that `m_estimate` accepts
WIDEN = 1e-9  # of the largest variance, added to every variance: a class whose values are all equal keeps a width


class _NaiveBayes(Classifier):
    """Prediction from log P(v) + Σ_i log P(a_i|v), however the factors were learned.

    A subclass provides `_log_scores(X)`: the scores of each row, and whether X is one example.
    """

    def predict(self, X):
        """The most probable class of each row; for one example, its class.

        >>> NaiveBayes().fit([["sunny"], ["sunny"], ["rain"]], ["no", "no", "yes"]).predict(["rain"])
        'yes'
        """
        log_scores, one = self._log_scores(X)
        self._refuse_vetoed(log_scores)
        best = self.classes_[log_scores.argmax(axis=1)]
        return best.tolist()[0] if one else best

    def predict_proba(self, X):
        """P(v|a_1, …, a_n) of each row (columns as in `classes_`); for one example, a mapping of class to probability.

        >>> model = NaiveBayes(m=1).fit([["sunny"], ["sunny"], ["rain"]], ["no", "no", "yes"])
        >>> {label: round(p, 3) for label, p in model.predict_proba(["rain"]).items()}
        {'no': 0.308, 'yes': 0.692}
        """
        log_scores, one = self._log_scores(X)
        return self._answer(self._normal(log_scores), one)

    def log_scores(self, X):
        """log P(v) + Σ_i log P(a_i|v): what is compared when the product itself would underflow.

        >>> model = NaiveBayes(m=1).fit([["sunny"], ["sunny"], ["rain"]], ["no", "no", "yes"])
        >>> model.log_scores([["rain"], ["sunny"]]).round(3).tolist()
        [[-2.197, -1.386], [-0.588, -2.485]]
        """
        return self._answer(*self._log_scores(X))

    def scores(self, X):
        """P(v) Π_i P(a_i|v), the unnormalised products; they need not sum to 1.

        >>> NaiveBayes().fit([["sunny"], ["sunny"], ["rain"]], ["no", "no", "yes"]).scores([["sunny"]]).round(3).tolist()
        [[0.667, 0.0]]
        """
        log_scores, one = self._log_scores(X)
        return self._answer(np.exp(log_scores), one)

    def _normal(self, log_scores):
        """Scores divided by their sum, row by row, computed so that small products do not vanish."""
        self._refuse_vetoed(log_scores)
        weights = np.exp(log_scores - log_scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    @staticmethod
    def _refuse_vetoed(log_scores):
        """A row in which every class has score 0 has no posterior: 0/0."""
        vetoed = np.isneginf(log_scores.T).all(axis=0)
        if vetoed.any():
            raise ValueError(
                f"X must leave at least one class a score above 0, but row {vetoed.argmax()} has a zero count in every class: "
                "0/0 is no probability. Use m above 0, so that what was never seen is not taken for impossible"
            )

    def _other_width(self, name, width):
        expected = f"{type(self).__name__} is expecting {self.n_features_in_} features as input"
        return ValueError(f"{name} has {width} features, but {expected}")

    def _answer(self, values, one):
        return dict(zip(self.classes_.tolist(), values[0].tolist())) if one else values

    def _numbers(self, X):
        """(rows of numbers with the columns of `fit`, is X one example?)."""
        self._fitted()
        if is_mapping(X) and not hasattr(X, "columns"):
            from pandas import DataFrame

            return self._more_rows(DataFrame([dict(X)])), True
        one = (axes(X) if isinstance(X, (list, tuple)) else getattr(X, "ndim", 2)) == 1
        return self._more_rows([X] if one else X), one


def count(column, y, shape, weights=None):
    """How often each value (column) meets each class (row), both numbered; rows weighted (section 05).

    >>> count(np.array([0, 1, 0]), np.array([0, 0, 1]), shape=(2, 2)).tolist()
    [[1, 1], [1, 0]]
    """
    cells = y * shape[1] + column  # the cells of the table are numbered row by row
    return np.bincount(cells, weights, minlength=shape[0] * shape[1]).reshape(shape)


class NaiveBayes(_NaiveBayes):
    """Naive Bayes for attributes whose values have names, such as PlayTennis (section 05).

    m        how many virtual examples each attribute gets in each class (0 counts only), shared evenly by its values;
             "laplace" adds one per value
    domains  the values that exist, attribute → values; without it those that occur in `fit`

    X is a table with named columns, or an array or a list of rows, whose columns are then called 0, 1, …. One example, a
    mapping of attribute to value or a single row, gets one answer.

    >>> days = [["sunny", "weak"], ["sunny", "strong"], ["rain", "weak"]]
    >>> model = NaiveBayes(m="laplace").fit(days, ["yes", "no", "yes"])
    >>> model, model.predict(["rain", "strong"])
    (NaiveBayes(m='laplace'), 'yes')
    """

    _input_tags = {"categorical": True, "string": True}

    def __init__(self, m=0.0, domains=None):
        self.m, self.domains = m, domains

    def _check(self):
        _virtual_examples(self.m, ("laplace",))
        if self.domains is not None and not is_mapping(self.domains):
            raise ValueError(f"domains must map attributes to their values, got {short(self.domains)}")

    def fit(self, X, y, sample_weight=None):
        """Count how often each value of each attribute occurs with each class; a row counts 1, or its weight.

        >>> NaiveBayes().fit([["sunny"], ["sunny"], ["rain"]], ["no", "no", "yes"]).class_count_.tolist()
        [2, 1]
        """
        self._attributes, columns, one = _columns(X)
        if one:
            raise ValueError(f"X must be a table with named columns, an array or a list of rows, got {short(X)}")
        self._remember(column_names(X), len(columns))
        self.classes_, coded = labels(y, len(columns[0]))
        weights = _weights(sample_weight, coded)
        domains = {} if self.domains is None else self.domains
        unknown = [name for name in domains.keys() if name not in self._attributes]
        if unknown:
            raise ValueError(f"domains must name only the attributes {names(self._attributes)}, got {unknown[0]!r}")
        # The tables of all attributes side by side, a row per class; self._at holds the columns of each attribute.
        self._values, self._at, width, counts = [], [], 0, []
        for name, column in zip(self._attributes, columns):
            values, codes = _encode(column, f"X[{name!r}]", domains.get(name))
            counts.append(count(codes, coded, (len(self.classes_), len(values)), weights))
            self._values.append(values)
            self._at.append(slice(width, width := width + len(values)))
        self.class_count_, self._counts = np.bincount(coded, weights), np.hstack(counts)
        sizes = [len(values) for values in self._values]
        k = np.repeat(sizes, sizes)  # how many values the attribute of each column has
        m = k if isinstance(self.m, str) else float(self.m)
        self._tables = (self._counts + m * (1 / k)) / (self.class_count_[:, None] + m)  # the m-estimate of section 06
        with np.errstate(divide="ignore"):
            self.class_log_prior_ = np.log(self.class_count_ / self.class_count_.sum())
            self._log_tables = np.log(self._tables)
        return self

    def counts(self, attribute):
        """How often each value occurs with each class, as class → {value: count}.

        >>> NaiveBayes().fit([["sunny"], ["sunny"], ["rain"]], ["no", "no", "yes"]).counts(0)
        {'no': {'sunny': 2, 'rain': 0}, 'yes': {'sunny': 0, 'rain': 1}}
        """
        return self._table(attribute, "_counts")

    def table(self, attribute):
        """P(value|class) of one attribute, as class → {value: probability}.

        >>> NaiveBayes().fit([["sunny"], ["rain"], ["rain"]], ["no", "no", "yes"]).table(0)
        {'no': {'sunny': 0.5, 'rain': 0.5}, 'yes': {'sunny': 0.0, 'rain': 1.0}}
        """
        return self._table(attribute, "_tables")

    def _table(self, attribute, kind):
        self._fitted()
        if not among(attribute, self._attributes):
            raise ValueError(f"attribute must be one of {names(self._attributes)}, got {short(attribute)}")
        place = self._attributes.index(attribute)
        table = getattr(self, kind)[:, self._at[place]].tolist()
        return {label: dict(zip(self._values[place], row)) for label, row in zip(self.classes_.tolist(), table)}

    def explain(self, x):
        """The factors of one example, one by one.

        {"prior": {class: P(class)}, "outlook = sunny": {class: P(sunny|class)}, …}

        >>> model = NaiveBayes().fit([["sunny"], ["rain"], ["rain"], ["rain"]], ["no", "no", "yes", "yes"])
        >>> model.explain(["rain"])
        {'prior': {'no': 0.5, 'yes': 0.5}, '0 = rain': {'no': 0.5, 'yes': 1.0}}
        """
        columns, _ = self._rows(x, "x")
        if len(columns[0]) != 1:
            raise ValueError(f"x must be one example, got {len(columns[0])} rows")
        classes, prior = self.classes_.tolist(), self.class_count_ / self.class_count_.sum()
        factors = {"prior": dict(zip(classes, prior.tolist()))}
        for name, values, at, column in zip(self._attributes, self._values, self._at, columns):
            code = _encode(column, f"x[{name!r}]", values)[1][0]
            factors[f"{name} = {column[0]}"] = dict(zip(classes, self._tables[:, at][:, code].tolist()))
        return factors

    def sample(self, n, random_state=None):
        """Generate n examples: draw a class, then each attribute given the class. Returns (examples, classes).

        >>> model = NaiveBayes().fit([["sunny", "hot"], ["rain", "cool"]], ["no", "yes"])
        >>> model.sample(2, random_state=0)
        ([{0: 'rain', 1: 'cool'}, {0: 'sunny', 1: 'hot'}], ['yes', 'no'])
        """
        self._fitted()
        n, random, classes = whole_number(n, "n", 0), generator(random_state), self.classes_.tolist()
        drawn = random.choice(len(classes), n, p=self.class_count_ / self.class_count_.sum())
        examples = [
            {
                name: values[random.choice(len(values), p=self._tables[code, at])]
                for name, values, at in zip(self._attributes, self._values, self._at)
            }
            for code in drawn
        ]
        return examples, [classes[code] for code in drawn]

    def _log_scores(self, X):
        columns, one = self._rows(X)
        total = np.repeat(self.class_log_prior_[:, None], len(columns[0]), axis=1)
        for name, values, at, column in zip(self._attributes, self._values, self._at, columns):
            total += self._log_tables[:, at].take(_encode(column, f"X[{name!r}]", values)[1], axis=1)
        return total.T, one

    def _rows(self, X, called="X"):
        """The columns of X in the order of `fit`, and whether X is one example."""
        self._fitted()
        given, columns, one = _columns(X, called)
        if set(given) == set(self._attributes):
            return [columns[given.index(name)] for name in self._attributes], one
        if hasattr(self, "feature_names_in_") and (hasattr(X, "columns") or is_mapping(X)):
            raise ValueError(f"{called} must have the attributes of fit, {names(self._attributes)}, got {names(given)}")
        if len(columns) != self.n_features_in_:
            raise self._other_width(called, len(columns))
        return columns, one


class GaussianNaiveBayes(_NaiveBayes):
    """Naive Bayes for numbers: each attribute is Gaussian within each class (section 05).

        p(x|v) = Π_i N(x_i; θ_iv, σ²_iv)

    `theta_` and `var_` hold the maximum-likelihood mean and variance per class and attribute.

    >>> model = GaussianNaiveBayes().fit([[-1], [1], [1], [5]], ["A", "A", "B", "B"])
    >>> model.theta_.tolist(), model.var_.round(3).tolist(), model.predict([[0], [-4]]).tolist()
    ([[0.0], [3.0]], [[1.0], [4.0]], ['A', 'B'])
    """

    def fit(self, X, y, sample_weight=None):
        """Mean and variance of each attribute within each class; a row counts 1, or its weight.

        >>> GaussianNaiveBayes().fit([[1], [3], [5], [9]], [0, 0, 1, 1]).theta_.tolist()
        [[2.0], [7.0]]
        """
        X = self._first_rows(X)
        self.classes_, coded = labels(y, len(X))
        weights = _weights(sample_weight, coded)
        self.class_count_ = np.bincount(coded, weights)
        self.class_log_prior_ = np.log(self.class_count_ / self.class_count_.sum())
        self.theta_, self.var_ = np.empty((2, len(self.classes_), X.shape[1]))
        for code in range(len(self.classes_)):
            mine = coded == code
            weight = None if weights is None else weights[mine]
            self.theta_[code] = np.average(X[mine], 0, weight)
            self.var_[code] = np.average((X[mine] - self.theta_[code]) ** 2, 0, weight)
        share = np.exp(self.class_log_prior_)
        spread = share @ (self.var_ + (self.theta_ - share @ self.theta_) ** 2)  # within the classes and between them
        if not spread.any():
            raise ValueError(f"X must vary, got n_samples = {len(X)}, all alike: a Gaussian of width 0 is no density")
        self.var_ += WIDEN * spread.max()
        return self

    def _log_scores(self, X):
        X, one = self._numbers(X)
        factors = [log_normal(X, mean, variance).sum(axis=1) for mean, variance in zip(self.theta_, self.var_)]
        return self.class_log_prior_ + np.stack(factors, axis=1), one


class Iteration(NamedTuple):
    """One round of EM over documents: the tables, and the class shares of the unlabelled documents (section 12)."""

    log_prior: np.ndarray  # log P(class)
    log_table: np.ndarray  # log P(word|class), a row per class
    shares: np.ndarray  # P(class|document), a row per unlabelled document
    log_posterior: float  # what EM maximises, up to a constant


class MultinomialNaiveBayes(_NaiveBayes):
    """Naive Bayes for counts of words: a document is a bag, each word drawn from its class's table (section 05).

    m  number of virtual words per class, spread evenly over the vocabulary; "laplace" adds one for each word;
       "capped" does too, but with unlabelled documents at most a tenth of the words that a class has (section 12)

    Labels may be missing (None or NaN); then `fit` runs EM (section 12). Labelled documents keep their label, each of the
    others counts in every class with its share P(class|document):

    weight    how much an unlabelled document counts; 1 is as much as a labelled one, 0 not at all
    max_iter  the largest number of rounds of E and M step; EM stops when a round gains less than `tol`
    classes   the classes that exist, if the labels may not include them all

    Learned: `class_count_`, `feature_count_`, `class_log_prior_`, `feature_log_prob_`, and `history_`, an `Iteration` for
    the start and for each round; `n_iter_` is how many these are.

    Why "capped": with V words in the vocabulary "laplace" is worth V words per class. If documents count λ < 1, that is soon
    more than all the words read; every table becomes flat, the leading class has the least flat one, and it swallows the
    rest. So from the first round on the virtual words are at most LIGHT times the words, labelled and λ times unlabelled,
    that a class has on average. With labels alone nothing is capped.

    >>> bags = [[2, 0, 1], [0, 2, 1], [0, 1, 0], [3, 0, 0]]  # how often three words occur in four documents
    >>> model = MultinomialNaiveBayes().fit(bags, ["a", "b", None, None])
    >>> model.predict(bags).tolist(), model.top_words("a", n=1, words=["ball", "oven", "and"])
    (['a', 'b', 'b', 'a'], ['ball'])
    """

    n_components = 1  # tables of each class
    _input_tags = {"positive_only": True, "sparse": True}

    def __init__(self, m="capped", weight=1.0, max_iter=30, tol=1e-3, classes=None):
        self.m, self.weight, self.max_iter, self.tol, self.classes = m, weight, max_iter, tol, classes

    _NAMED = ("laplace", "capped")  # what m may be besides a number

    def _check(self):
        _virtual_examples(self.m, self._NAMED)
        one_number(self.weight, "weight", low=0, high=MOST)
        whole_number(self.max_iter, "max_iter", 0)
        one_number(self.tol, "tol", low=0)
        if self.classes is not None:
            labels(sequence(self.classes, "classes"), len(self.classes), "classes")

    def fit(self, X, y, start=None):
        """P(word|class) from how often each word occurs in the documents of each class, by EM where labels are missing.

        `start` holds class shares for every document, columns as the classes: EM then begins with these in place of the
        labels alone. Without any labels it is required, and EM is clustering.

        E step: share each unlabelled document out. M step: count, labelled documents whole and the others by their shares.

        >>> model = MultinomialNaiveBayes(m="laplace").fit([[2, 0, 1], [0, 2, 1]], ["a", "b"])
        >>> np.exp(model.feature_log_prob_).round(3).tolist()
        [[0.5, 0.167, 0.333], [0.167, 0.5, 0.333]]
        """
        columns, X = column_names(X), self._read(_word_counts(X))
        self._remember(columns, X.shape[1])
        y, missing = _with_gaps(y, X.shape[0])
        known = ~missing
        self.classes_, codes = self._labels(y[known].tolist(), start is None)
        allowed = np.ones((len(known), len(self.classes_)), bool)  # which classes a document may belong to
        allowed[known] = codes[:, None] == np.arange(len(self.classes_))
        allowed = np.repeat(allowed, self.n_components, axis=1)
        weight = np.where(known, 1.0, self.weight)[:, None]
        average_words = float(weight[:, 0] @ X.sum(axis=1)) / allowed.shape[1]
        cap = LIGHT * average_words if self.weight and average_words and not known.all() else np.inf
        if start is None:
            counted, most = self._first_shares(allowed) * known[:, None], np.inf
        else:
            counted, most = np.where(known[:, None], allowed, _shares(start, allowed.shape)) * weight, cap
        self.history_ = []
        for done in range(self.max_iter + 1):
            self._estimate(counted.sum(axis=0), counted.T @ X, most)
            scores = np.where(allowed, self._products(X), -np.inf)
            self._refuse_vetoed(scores)
            top = scores.max(axis=1, keepdims=True)
            evidence = top + np.log(np.exp(scores - top).sum(axis=1, keepdims=True))
            shares = np.exp(scores - evidence)
            log_posterior = float((weight * evidence).sum()) + self._log_virtual(self._virtual(X.shape[1], cap))
            of_classes = shares.reshape(len(shares), -1, self.n_components).sum(axis=2)[missing]
            self.history_.append(Iteration(*self._of_classes(), of_classes, log_posterior))
            if allowed.sum() == len(known) or done and log_posterior - self.history_[-2].log_posterior < self.tol:
                break
            counted, most = weight * shares, cap
        self.n_iter_ = len(self.history_)
        return self

    @staticmethod
    def _read(X):
        """The part of the counts that this kind of model uses: all."""
        return X

    @staticmethod
    def _first_shares(allowed):
        """What each labelled document counts in the first tables."""
        return allowed

    def _labels(self, y, complete):
        """(the classes, the class number of each label in y)."""
        seen, codes = labels(y, len(y)) if y else (np.array([]), np.zeros(0, int))
        seen = seen.tolist()
        classes = seen if self.classes is None else list(self.classes)
        unknown = [label for label in seen if label not in classes]
        if unknown:
            raise ValueError(f"y must hold {names(classes)} as declared in classes, got {unknown[0]!r}")
        if not classes or complete and len(seen) < len(classes):
            raise ValueError(
                "y must label at least one document of each class, unless `classes` names the classes and `start` gives "
                f"each document's shares, got labels of {names(seen)} and classes = {short(self.classes)}"
            )
        return np.array(classes), np.array([classes.index(label) for label in seen], int)[codes]

    def _estimate(self, class_count, feature_count, most):
        """The tables from how many documents each class has, and how often each word occurs in them."""
        self.class_count_, self.feature_count_ = class_count, feature_count
        with np.errstate(divide="ignore"):
            self.class_log_prior_ = np.log(class_count / class_count.sum())
            self.feature_log_prob_ = np.log(self._table(most))

    def _table(self, most):
        words, total = self.feature_count_.shape[1], self.feature_count_.sum(axis=1, keepdims=True)
        return m_estimate(self.feature_count_, total, 1 / words, self._virtual(words, most))

    def _virtual(self, words, most):
        """How many virtual words a class gets, where "capped" sets the limit."""
        if not isinstance(self.m, str):
            return float(self.m)
        return min(words, most) if self.m == "capped" else words

    def _log_virtual(self, virtual):
        """The log probability of the virtual words of all classes."""
        return virtual / self.n_features_in_ * float(self.feature_log_prob_.sum()) if virtual else 0.0

    def _of_classes(self):
        """(log P(class), log P(word|class))."""
        return self.class_log_prior_, self.feature_log_prob_

    def top_words(self, label, iteration=-1, n=10, words=None):
        """The n words that most favour a class, by P(w|class) / P(w|other classes), after a round of EM (section 12).

        Words are the names of X's columns; if X had none, those in `words`, or the numbers of the columns.

        >>> MultinomialNaiveBayes().fit([[3, 1, 0], [0, 1, 2]], ["a", "b"]).top_words("b", n=1, words=["ball", "and", "oven"])
        ['oven']
        """
        self._fitted()
        classes, n, last = self.classes_.tolist(), whole_number(n, "n"), len(self.history_) - 1
        if not among(label, classes) or len(classes) == 1:
            raise ValueError(f"label must be one of at least two classes, {names(classes)}, got {short(label)}")
        if isinstance(iteration, bool) or not among(iteration, range(-last - 1, last + 1)):
            raise ValueError(f"iteration must be a whole number from 0 to {last}, got {short(iteration)}")
        words = list(range(self.n_features_in_)) if words is None else sequence(words, "words")
        words = getattr(self, "feature_names_in_", words)
        if len(words) != self.n_features_in_:
            raise ValueError(f"words must name each of the {self.n_features_in_} columns, got {len(words)}")
        log_prior, log_table = self.history_[iteration][:2]
        own = np.arange(len(classes)) == classes.index(label)
        others = np.exp(log_prior[~own]) @ np.exp(log_table[~own]) / np.exp(log_prior[~own]).sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = log_table[own][0] - np.log(others)
        ratio[np.isnan(ratio)] = -np.inf  # 0/0, a word of no class
        best = np.argsort(-ratio.round(9), kind="stable")[:n].tolist()  # rounded, so that equal counts stay a tie
        return [words[column] for column in best]

    def _log_scores(self, X):
        self._fitted()
        if hasattr(X, "tocsr"):
            X, one = _word_counts(X), False
            if X.shape[1] != self.n_features_in_:
                raise self._other_width("X", X.shape[1])
        else:
            X, one = self._numbers(X)
            as_number(X, "X", 0, MOST_WORDS)
        return self._products(self._read(X)), one

    def _products(self, X):
        # A word that does not occur contributes nothing, even where its probability is 0: 0 · log 0 counts as 0.
        never = np.isneginf(self.feature_log_prob_)
        scores = self.class_log_prior_ + X @ np.where(never, 0, self.feature_log_prob_).T
        return np.where(X @ never.T.astype(float) > 0, -np.inf, scores) if never.any() else scores


class BernoulliNaiveBayes(MultinomialNaiveBayes):
    """Naive Bayes for the presence of words: a word is in the document or not, and an absent one counts too (section 12).

        P(x|v) = Π_words P(word|v) if the word is in x, else 1 − P(word|v)

    m  number of virtual documents per class, half of which contain the word; "laplace" is 2, one with it and one without

    Labels may be missing; `weight`, `max_iter`, `tol`, `classes` and what is learned are as in `MultinomialNaiveBayes`;
    `feature_log_prob_` holds log P(word is present|class).

    >>> bags = [[2, 0, 1], [0, 2, 1], [0, 1, 0], [3, 0, 0]]
    >>> model = BernoulliNaiveBayes().fit(bags, ["a", "b", None, None])
    >>> model.predict(bags).tolist(), np.exp(model.history_[0].log_table).round(3).tolist()
    (['a', 'b', 'b', 'a'], [[0.667, 0.333, 0.667], [0.333, 0.667, 0.667]])
    """

    _NAMED = ("laplace",)

    def __init__(self, m="laplace", weight=1.0, max_iter=30, tol=1e-3, classes=None):
        super().__init__(m, weight, max_iter, tol, classes)

    @staticmethod
    def _read(X):
        """Whether each word is there: 1 or 0."""
        return X.sign() if hasattr(X, "tocsr") else np.sign(X)

    def _virtual(self, words, most):
        return 2.0 if isinstance(self.m, str) else float(self.m)

    def _table(self, most):
        documents = self.class_count_[:, None]
        present = np.minimum(self.feature_count_, documents)  # rounding
        return m_estimate(present, documents, 1 / 2, self._virtual(None, most))

    def _log_absent(self):
        with np.errstate(divide="ignore"):
            return np.log1p(-np.exp(self.feature_log_prob_))

    def _log_virtual(self, virtual):
        return virtual / 2 * float((self.feature_log_prob_ + self._log_absent()).sum()) if virtual else 0.0

    def _products(self, X):
        log_absent = self._log_absent()
        never, always = np.isneginf(self.feature_log_prob_), np.isneginf(log_absent)
        present, absent = np.where(never, 0, self.feature_log_prob_), np.where(always, 0, log_absent)
        scores = self.class_log_prior_ + absent.sum(axis=1) + X @ (present - absent).T
        vetoes = X @ never.T.astype(float) + always.sum(axis=1) - X @ always.T.astype(float)
        return np.where(vetoes > 0, -np.inf, scores)


class MixtureNaiveBayes(MultinomialNaiveBayes):
    """Naive Bayes for counts of words, where a class is made of several components (section 12).

        P(x|v) = Σ_j P(j|v) Π_words P(word|v, j)^count,   j a component of the class

    A labelled document belongs to the components of its class, in unknown shares; an unlabelled one (None or NaN) may belong
    to all. EM finds the shares. It begins with the labelled documents alone, whose shares are drawn by `random_state`.

    `m`, `weight`, `max_iter` and `tol` are as in `MultinomialNaiveBayes`. Learned: a row of `feature_log_prob_` and an entry
    of `class_count_` for each component, those of the first class first, and `history_`, whose tables are those of the
    classes.

    >>> bags = [[3, 0, 0], [0, 3, 0], [0, 0, 3], [1, 1, 2], [4, 0, 0], [0, 4, 0]]  # "a" is about the first or the second word
    >>> model = MixtureNaiveBayes(2, random_state=0).fit(bags, ["a", "a", "b", "b", None, None])
    >>> model.predict(bags).tolist(), model.feature_log_prob_.shape
    (['a', 'a', 'b', 'b', 'a', 'a'], (4, 3))
    """

    classes = None  # all classes must have labels

    def __init__(self, n_components=2, m="capped", weight=1.0, max_iter=30, tol=1e-3, random_state=None):
        self.n_components, self.m, self.weight, self.max_iter, self.tol = n_components, m, weight, max_iter, tol
        self.random_state = random_state

    def _check(self):
        super()._check()
        whole_number(self.n_components, "n_components", most=100)

    def _first_shares(self, allowed):
        random = generator(self.random_state).dirichlet(np.ones(self.n_components), len(allowed))
        return allowed * np.tile(random, allowed.shape[1] // self.n_components)

    def _of_classes(self):
        prior = np.exp(self.class_log_prior_).reshape(-1, self.n_components)
        table = np.exp(self.feature_log_prob_).reshape(*prior.shape, -1)
        with np.errstate(divide="ignore", invalid="ignore"):
            table = (prior[:, :, None] * table).sum(axis=1) / prior.sum(axis=1, keepdims=True)
            return np.log(prior.sum(axis=1)), np.log(table)

    def _log_scores(self, X):
        scores, one = super()._log_scores(X)
        return np.logaddexp.reduce(scores.reshape(len(scores), -1, self.n_components), axis=2), one


def log_normal(x, mean, variance):
    """log N(x; mean, variance) = −½ log(2π variance) − (x − mean)² / (2 variance) (section 05).

    >>> round(float(np.exp(log_normal(-4, 0, 1))), 5)
    0.00013
    """
    return -0.5 * (np.log(2 * np.pi * variance) + (x - mean) ** 2 / variance)


def borders(mean, variance, prior):
    """Where P(a) N(x; a) = P(b) N(x; b) for two Gaussian classes, in order: the decision flips there (section 05).

    Each argument is a pair. The log of the ratio is a parabola, so there are at most two borders; equal widths leave one.

    >>> [round(x, 2) for x in borders((0, 3), (1, 4), (0.5, 0.5))]
    [-3.42, 1.42]
    """
    mean, variance, prior = _pair(mean, "mean", -1e50), _pair(variance, "variance", 1e-50), _pair(prior, "prior", 1e-50)
    from_first = mean - mean[0]
    height = np.log(prior) - 0.5 * np.log(variance) - 0.5 * from_first**2 / variance
    a, b, c = (float(first - second) for first, second in (-0.5 / variance, from_first / variance, height))
    inside = b * b - 4 * a * c
    if inside <= 0:
        return []
    double = -b - np.copysign(np.sqrt(inside), b)  # of equal signs, so that nothing cancels
    with np.errstate(all="ignore"):
        roots = np.array([double, 2 * c]) / np.array([2 * a, double])  # if a is 0, the first one is at infinity
    return sorted((mean[0] + roots[np.isfinite(roots)]).tolist())


# Argument checks


def _pair(values, name, low):
    pair = np.asarray(as_number(values, name, low, 1e50), float)
    if pair.shape != (2,):
        raise ValueError(f"{name} must be a pair of numbers, got {short(values)}")
    return pair


def _virtual_examples(m, words):
    """`m` must be one number of at least 0, or one of `words`."""
    if isinstance(m, str):
        one_of(m, "m", words)
    else:
        one_number(m, "m", low=0, high=HUGE)


def _columns(X, called="X"):
    """(names, columns, is it one example?) of a table, a mapping, rows, or an array."""
    one = is_mapping(X) and not hasattr(X, "columns")
    if one or hasattr(X, "columns"):
        given = list(X.keys() if one else X.columns)
        columns = [np.array([X[name]], dtype=object) if one else np.asarray(X[name]) for name in dict.fromkeys(given)]
    else:
        array = np.asarray(X) if hasattr(X, "__array__") else np.array(X, dtype=object)
        if array.ndim not in (1, 2):
            raise ValueError(f"{called} must be a table, rows of values or an example, got {short(X)}")
        one, columns = array.ndim == 1, list(np.ascontiguousarray(np.atleast_2d(array).T))
        given = list(range(len(columns)))
    if len(set(given)) < len(given):
        raise ValueError(f"{called} must name each attribute once, got {names(given)}")
    if not columns or not len(columns[0]):
        raise ValueError(f"{called} must hold at least one example with at least one attribute, got none")
    return given, columns, one


def _encode(column, name, known=None):
    """(values, the number of each entry's value): the known values, or those that occur."""
    try:
        values, codes = _distinct(column)
    except TypeError:
        raise ValueError(f"{name} must hold plain values such as words or numbers, got {short(column)}") from None
    bad = [each for each in values if is_missing(each) or isinstance(each, complex) or each in (math.inf, -math.inf)]
    if bad:
        raise ValueError(f"{name} must hold words or numbers, no NaN, inf or None, got {bad[0]}")
    if known is None:
        return values, codes
    known = list(dict.fromkeys(sequence(known, f"domains of {name}")))
    number = {value: code for code, value in enumerate(known)}
    unknown = [value for value in values if value not in number]
    if unknown:
        wanted = f"{name} must be one of {names(known)}, got {short(unknown[0])}"
        raise ValueError(f"{wanted}; declare it in `domains` if it may occur")
    return known, np.array([number[value] for value in values])[codes]


def _distinct(column):
    """(the distinct values, the number of each entry's value)."""
    if column.dtype.kind in "iu" and 0 <= column.min() <= column.max() < len(column):
        values = np.flatnonzero(np.bincount(column))  # for small whole numbers a table is faster than a dictionary
        number = np.zeros(values[-1] + 1, int)
        number[values] = np.arange(len(values))
        return values.tolist(), number[column]
    column = column.tolist()
    number = {value: code for code, value in enumerate(dict.fromkeys(column))}
    return list(number), np.array([number[value] for value in column])


def _weights(sample_weight, coded):
    """None, or one weight per row; every class must have some."""
    if sample_weight is None:
        return None
    weights = row_weights(sample_weight, len(coded))
    if not np.bincount(coded, weights).all():
        raise ValueError("sample_weight must give each class some weight, got a sum of 0 for one of them")
    return weights


def _word_counts(X):
    """Counts of words; documents hold few words, so a scipy sparse matrix stays one."""
    if not hasattr(X, "tocsr"):
        return as_number(rows(X), "X", 0, MOST_WORDS)
    from scipy.sparse import csr_array

    X = csr_array(X, dtype=float)
    if not all(X.shape):
        raise ValueError(f"X must have at least one row and one attribute, got shape {X.shape}")
    as_number(X.data, "X", 0, MOST_WORDS)
    return X


def _with_gaps(y, count):
    """(y as one row, which labels are missing): None, NaN, or a missing value of pandas."""
    from pandas import isna

    row = np.array(y, dtype=object)
    row = row[:, 0] if row.shape == (count, 1) else row
    if row.shape != (count,):
        raise ValueError(
            f"y should be a 1d array of a class, or None, for each of the {count} rows of X, got {short(y)}"
        )
    return row, isna(row)


def _shares(start, shape):
    """`start` as an array of shares, each row of which sums to 1."""
    shares = as_number(start, "start", low=0, high=1)
    if np.shape(shares) != shape or (np.abs(shares.sum(axis=1) - 1) > 1e-6).any():
        wanted = f"a row per document and a column per class, {shape}, each row summing to 1"
        raise ValueError(f"start must have {wanted}, got shape {np.shape(shares)}")
    return shares
