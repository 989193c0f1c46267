"""Naive Bayes: count each attribute within each class, multiply, compare (section 05).

    v_NB = argmax_v P(v) Π_i P(a_i|v)

Five kinds, one rule: `NaiveBayes` for values with names, `GaussianNaiveBayes` for numbers, `MultinomialNaiveBayes` for counts
of words, `BernoulliNaiveBayes` for their presence, `MixtureNaiveBayes` for classes of several kinds of text. Each learns its
tables in `fit`; prediction is written once, in `_NaiveBayes`.
"""

from typing import NamedTuple

import numpy as np

from bayeslib.models import _fast_naive_bayes
from bayeslib.models._checks import (
    HUGE,
    MOST,
    among,
    as_number,
    generator,
    is_mapping,
    is_missing,
    labels,
    names,
    one_number,
    row_weights,
    rows,
    short,
    whole_number,
)
from bayeslib.models._model import Classifier, column_names
from bayeslib.models.estimates import m_estimate

LESSON_SIZE = 1000  # rows; no lesson and no figure counts more. Above, `NaiveBayes` uses the fast twin of `count`
LIGHT = 0.1  # virtual words for each word of a class: see `MultinomialNaiveBayes`
PART = 2**15  # numbers that fit in the processor's cache: many rows are taken in parts


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

    def _answer(self, values, one):
        return dict(zip(self.classes_.tolist(), values[0].tolist())) if one else values

    def _numbers(self, X):
        """(rows of numbers with the columns of `fit`, is X one example?)."""
        self._fitted()
        if is_mapping(X) and not hasattr(X, "columns"):
            wanted = getattr(self, "feature_names_in_", list(X.keys()))
            _same_names(list(X.keys()), list(wanted))
            return self._more_rows([[X[name] for name in wanted]]), True
        one = getattr(X, "ndim", None) == 1 or isinstance(X, (list, tuple)) and len(X) > 0 and np.ndim(X[0]) == 0
        return self._more_rows([X] if one else X), one


def count(column, y, values, classes, weights):
    """How often each value occurs with each class, as class → {value: count}; rows weighted (section 05).

    >>> count(["weak", "strong", "weak"], ["no", "no", "yes"], ["weak", "strong"], ["no", "yes"], [1, 1, 1])
    {'no': {'weak': 1, 'strong': 1}, 'yes': {'weak': 1, 'strong': 0}}
    """
    counts = {label: dict.fromkeys(values, 0) for label in classes}
    for value, label, weight in zip(column, y, weights):
        counts[label][value] += weight
    return counts


class NaiveBayes(_NaiveBayes):
    """Naive Bayes for attributes whose values have names, such as PlayTennis (section 05).

    m        how many virtual examples each attribute gets in each class (0 counts only); "laplace" adds one per value
    prior    the share p of the virtual examples per value, attribute → {value: p}; without it 1/k, for k values
    domains  the values that exist, attribute → values; without it those that occur in `fit`

    X is a table with named columns, or an array or a list of rows, whose columns are then called 0, 1, …. One example, a
    mapping of attribute to value or a single row, gets one answer.

    >>> days = [["sunny", "weak"], ["sunny", "strong"], ["rain", "weak"]]
    >>> model = NaiveBayes(m="laplace").fit(days, ["yes", "no", "yes"])
    >>> model, model.predict(["rain", "strong"])
    (NaiveBayes(m='laplace'), 'yes')
    """

    def __init__(self, m=0.0, prior=None, domains=None):
        self.m, self.prior, self.domains = m, prior, domains
        self._check()

    def _check(self):
        _virtual_examples(self.m, ("laplace",))
        for given, name, what in ((self.prior, "prior", "shares, {value: p}"), (self.domains, "domains", "values")):
            if given is not None and not is_mapping(given):
                raise ValueError(f"{name} must map attributes to their {what}, got {short(given)}")
        for name in () if self.domains is None else self.domains.keys():
            values = self.domains[name]
            if isinstance(values, str) or not hasattr(values, "__len__") or not len(values):
                raise ValueError(f"domains[{name!r}] must list the values of {name!r}, got {short(values)}")

    def fit(self, X, y, sample_weight=None):
        """Count how often each value of each attribute occurs with each class; a row counts 1, or its weight.

        >>> NaiveBayes().fit([["sunny"], ["sunny"], ["rain"]], ["no", "no", "yes"]).class_count_.tolist()
        [2, 1]
        """
        self.attributes_, columns, _ = _columns(X)
        self._remember(column_names(X), len(columns))
        self.classes_, coded = labels(y, len(columns[0]))
        weights = _weights(sample_weight, coded)
        for given, what in ((self.domains, "domains"), (self.prior, "prior")):
            unknown = [name for name in given.keys() if name not in self.attributes_] if given is not None else []
            if unknown:
                raise ValueError(f"{what} must name only the attributes {names(self.attributes_)}, got {unknown[0]!r}")
        # The tables of all attributes side by side, a row per class; self._at holds the columns of each attribute.
        self._values, self._at, width, counts = [], [], 0, []
        for name, column in zip(self.attributes_, columns):
            values, codes = _encode(column, f"X[{name!r}]", None if self.domains is None else self.domains.get(name))
            counts.append(self._count(column, values, codes, coded, weights))
            self._values.append(values)
            self._at.append(slice(width, width := width + len(values)))
        self.class_count_ = np.bincount(coded, weights)
        self._counts = np.hstack(counts)
        p, m = self._virtual()
        self._tables = (self._counts + m * p) / (self.class_count_[:, None] + m)  # the m-estimate of section 06
        with np.errstate(divide="ignore"):
            self._log_prior = np.log(self.class_count_ / self.class_count_.sum())
            self._log_tables = np.log(self._tables)
        return self

    def _count(self, column, values, codes, coded, weights):
        """The table of `count`, a row per class and a column per value."""
        if len(coded) > LESSON_SIZE:
            return _fast_naive_bayes.count(coded, codes, (len(self.classes_), len(values)), weights)
        entries = column.tolist() if isinstance(column, np.ndarray) else column
        classes, weights = self.classes_.tolist(), [1] * len(coded) if weights is None else weights.tolist()
        counts = count(entries, self.classes_[coded].tolist(), values, classes, weights)
        return np.array([list(counts[label].values()) for label in classes])

    def _virtual(self):
        """p and m for every value of every attribute."""
        sizes = [len(values) for values in self._values]
        m = np.repeat(sizes, sizes) if isinstance(self.m, str) else float(self.m)
        if self.prior is None:
            return np.repeat(1 / np.array(sizes), sizes), m
        shares = [
            self._shares(name, values) if name in self.prior.keys() else [1 / len(values)] * len(values)
            for name, values in zip(self.attributes_, self._values)
        ]
        return np.concatenate(shares), m

    def _shares(self, name, values):
        share = self.prior[name]
        if not is_mapping(share) or set(share.keys()) != set(values):
            raise ValueError(f"prior[{name!r}] must give a share to each of {names(values)}, got {short(share)}")
        shares = as_number([share[value] for value in values], f"prior[{name!r}]", low=0, high=1)
        if abs(shares.sum() - 1) > 1e-6:
            raise ValueError(f"prior[{name!r}] must sum to 1, got {shares.sum():.6g}")
        return shares

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
        if not among(attribute, self.attributes_):
            raise ValueError(f"attribute must be one of {names(self.attributes_)}, got {short(attribute)}")
        place = self.attributes_.index(attribute)
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
        for name, values, at, column in zip(self.attributes_, self._values, self._at, columns):
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
                for name, values, at in zip(self.attributes_, self._values, self._at)
            }
            for code in drawn
        ]
        return examples, [classes[code] for code in drawn]

    def _log_scores(self, X):
        columns, one = self._rows(X)
        total = np.repeat(self._log_prior[:, None], len(columns[0]), axis=1)
        for name, values, at, column in zip(self.attributes_, self._values, self._at, columns):
            total += self._log_tables[:, at].take(_encode(column, f"X[{name!r}]", values)[1], axis=1)
        return total.T, one

    def _rows(self, X, called="X"):
        """The columns of X in the order of `fit`, and whether X is one example."""
        self._fitted()
        given, columns, one = _columns(X, called)
        named = hasattr(X, "columns") or is_mapping(X)
        if named and (hasattr(self, "feature_names_in_") or set(given) == set(self.attributes_)):
            _same_names(given, self.attributes_, called)
            return [columns[given.index(name)] for name in self.attributes_], one
        if len(columns) != self.n_features_in_:
            raise ValueError(f"{called} must have {self.n_features_in_} attributes as in fit, got {len(columns)}")
        return columns, one


class GaussianNaiveBayes(_NaiveBayes):
    """Naive Bayes for numbers: each attribute is Gaussian within each class (section 05).

    `theta_` and `var_` hold the maximum-likelihood mean and variance per class and attribute. `var_smoothing` times the
    largest variance of an attribute is added to every variance, so that a class whose values are all equal keeps a width.

    >>> model = GaussianNaiveBayes().fit([[-1], [1], [1], [5]], ["A", "A", "B", "B"])
    >>> model.theta_.tolist(), model.predict([[0], [-4]]).tolist()
    ([[0.0], [3.0]], ['A', 'B'])
    """

    def __init__(self, var_smoothing=1e-9):
        self.var_smoothing = var_smoothing
        self._check()

    def _check(self):
        one_number(self.var_smoothing, "var_smoothing", low=0)

    def fit(self, X, y, sample_weight=None):
        """Mean and variance of each attribute within each class; a row counts 1, or its weight.

        >>> GaussianNaiveBayes(var_smoothing=0).fit([[1], [3], [5], [9]], [0, 0, 1, 1]).var_.tolist()
        [[1.0], [4.0]]
        """
        X = self._first_rows(X)
        self.classes_, coded = labels(y, len(X))
        weights = _weights(sample_weight, coded)
        self.class_count_ = np.bincount(coded, weights)
        masks = [coded == code for code in range(len(self.classes_))]
        moments = [_mean_and_variance(X[mask], None if weights is None else weights[mask]) for mask in masks]
        self.theta_, self.var_ = (np.array(column) for column in zip(*moments))
        share = self.class_count_ / self.class_count_.sum()
        spread = share @ (self.var_ + (self.theta_ - share @ self.theta_) ** 2)  # within the classes and between them
        self.var_ += float(self.var_smoothing) * spread.max()
        if not self.var_.all():
            code, column = np.argwhere(self.var_ == 0)[0]
            raise ValueError(
                f"X must vary within each class: column {column} is constant in class {self.classes_.tolist()[code]!r}, "
                "and a Gaussian of width 0 is no density"
            )
        return self

    def log_densities(self, X):
        """log N(x_i; θ, σ²) of each row, class and attribute: the factors, before they are added.

        >>> model = GaussianNaiveBayes(var_smoothing=0).fit([[-1], [1], [1], [5]], ["A", "A", "B", "B"])
        >>> np.exp(model.log_densities([[-4]])).round(5).tolist()
        [[[0.00013], [0.00044]]]
        """
        return log_normal(self._numbers(X)[0][:, None, :], self.theta_, self.var_)

    def _log_scores(self, X):
        X, one = self._numbers(X)
        deviation = np.sqrt(self.var_)
        squares = []  # Σ_i (x_i − θ_i)² / σ_i², a column per class: what `log_normal` adds up, without its other terms
        for part in np.array_split(X, max(1, X.size // PART)):
            scaled = ((part - mean) / width for mean, width in zip(self.theta_, deviation))
            squares.append(np.stack([np.einsum("ij,ij->i", z, z) for z in scaled], axis=1))
        log_prior = np.log(self.class_count_ / self.class_count_.sum())
        return log_prior - 0.5 * (np.log(2 * np.pi * self.var_).sum(axis=1) + np.concatenate(squares)), one


def _mean_and_variance(X, weights):
    mean = np.average(X, 0, weights)
    squares = X - mean
    squares *= squares
    return mean, np.average(squares, 0, weights)


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

    Learned: `class_count_`, `word_count_`, `log_table_`, and `history_`, an `Iteration` for the start and for each round.

    Why "capped": with V words in the vocabulary "laplace" is worth V words per class. If documents count λ < 1, that is soon
    more than all the words read; every table becomes flat, the leading class has the least flat one, and it swallows the
    rest. So from the first round on the virtual words are at most LIGHT times the words, labelled and λ times unlabelled,
    that a class has on average. With labels alone nothing is capped.

    >>> bags = [[2, 0, 1], [0, 2, 1], [0, 1, 0], [3, 0, 0]]  # how often three words occur in four documents
    >>> model = MultinomialNaiveBayes().fit(bags, ["a", "b", None, None])
    >>> model.predict(bags).tolist(), model.top_words("a", n=1, words=["ball", "oven", "and"])
    (['a', 'b', 'b', 'a'], ['ball'])
    """

    def __init__(self, m="capped", weight=1.0, max_iter=30, tol=1e-3, classes=None):
        self.m, self.weight, self.max_iter, self.tol, self.classes = m, weight, max_iter, tol, classes
        self._check()

    _NAMED = ("laplace", "capped")  # what m may be besides a number

    def _check(self):
        _virtual_examples(self.m, self._NAMED)
        one_number(self.weight, "weight", low=0, high=MOST)
        whole_number(self.max_iter, "max_iter", 0)
        one_number(self.tol, "tol", low=0)
        if self.classes is not None:
            try:
                given = labels(list(self.classes), len(self.classes), "classes")[0]
            except TypeError:
                raise ValueError(f"classes must be a sequence of classes, got {short(self.classes)}") from None
            if len(given) < len(self.classes):
                raise ValueError(f"classes must name each class once, got {short(self.classes)}")

    def fit(self, X, y, start=None):
        """P(word|class) from how often each word occurs in the documents of each class.

        `start` holds class shares for every document, columns as the classes: EM then begins with these in place of the
        labels alone. Without any labels it is required, and EM is clustering.

        >>> model = MultinomialNaiveBayes(m="laplace").fit([[2, 0, 1], [0, 2, 1]], ["a", "b"])
        >>> np.exp(model.log_table_).round(3).tolist()
        [[0.5, 0.167, 0.333], [0.167, 0.5, 0.333]]
        """
        X = self._documents(X)
        unlabelled, self.history_ = _missing(y, X.shape[0]), []
        self.classes_, known = self._labels(y, unlabelled, start is None)
        share = np.zeros((X.shape[0], len(self.classes_)))
        share[np.flatnonzero(~unlabelled), known] = 1
        if unlabelled.any():
            return self._em(X, share, unlabelled, None if start is None else _shares(start, share.shape))
        return self._estimate(share.sum(axis=0), share.T @ X)

    def _documents(self, X):
        """The word counts in `fit`."""
        columns, X = _word_counts(X)
        self._remember(columns, X.shape[1])
        return self._read(X)

    @staticmethod
    def _read(X):
        """The part of the counts that this kind of model uses: all."""
        return X

    def _labels(self, y, unlabelled, complete):
        """(the classes, the class number of each labelled document)."""
        known = [label for label, missing in zip(y, unlabelled) if not missing] if unlabelled.any() else y
        distinct, coded = labels(known, len(known)) if len(known) else (np.array([]), np.zeros(0, int))
        classes, seen = distinct.tolist() if self.classes is None else list(self.classes), distinct.tolist()
        unknown = [label for label in seen if label not in classes]
        if unknown:
            raise ValueError(f"y must hold {names(classes)} as declared in classes, got {unknown[0]!r}")
        unseen = [label for label in classes if label not in seen]
        if complete and (unseen or not classes):
            which = f" in classes, got none of {unseen[0]!r}" if unseen else ", got none of any class"
            raise ValueError(f"y must label at least one document of each class{which}; or give a start")
        if not classes:
            raise ValueError("classes must name the classes where y labels no document, got None")
        return np.array(classes), np.array([classes.index(label) for label in seen], int)[coded]

    def _estimate(self, class_count, word_count, most=np.inf):
        """The tables from how many documents each class has, and how often each word occurs in them."""
        self.class_count_, self.word_count_ = class_count, word_count
        words = word_count.shape[1]
        total = word_count.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore"):
            self._log_prior = np.log(class_count / class_count.sum())
            self.log_table_ = np.log(m_estimate(word_count, total, 1 / words, self._virtual(words, most)))
        return self

    def _virtual(self, words, most):
        """How many virtual words a class gets, where "capped" sets the limit."""
        if not isinstance(self.m, str):
            return float(self.m)
        return min(words, most) if self.m == "capped" else words

    def _em(self, X, share, unlabelled, start):
        """E step: share each unlabelled document out. M step: count, labelled documents whole and the others by their shares.

        The counts of the labelled documents never change, so a round costs two products with the unlabelled ones.
        """
        X, weight = _sparse_if_few(X), float(self.weight)
        X_unlabelled, class_count, word_count = X[unlabelled], share.sum(axis=0), share.T @ X
        average_words = np.where(unlabelled, weight, 1) @ X.sum(axis=1) / len(class_count)  # of a class
        most = LIGHT * average_words if weight and average_words else np.inf  # at weight 0 only the labels count
        shares = None if start is None else start[unlabelled].T  # a row per class, which sums faster than a column
        for done in range(self.max_iter + 1):
            if shares is None:
                self._estimate(class_count, word_count)
            else:
                counted = weight * shares
                self._estimate(class_count + counted.sum(axis=1), word_count + counted @ X_unlabelled, most)
            scores = np.ascontiguousarray(self._products(X_unlabelled).T)
            self._refuse_vetoed(scores.T)
            top = scores.max(axis=0)
            products = np.exp(scores - top)
            evidence = products.sum(axis=0)
            shares = products / evidence
            labelled = self._log_counted(class_count, word_count, self._virtual(X.shape[1], most))
            log_posterior = labelled + weight * float((np.log(evidence) + top).sum())
            self.history_.append(Iteration(self._log_prior, self.log_table_, shares.T, log_posterior))
            if done and log_posterior - self.history_[-2].log_posterior < self.tol:
                break
        return self

    def _log_counted(self, class_count, word_count, virtual):
        """The log probability of the labelled documents and of the virtual words in each class, up to a constant."""
        words = word_count + virtual / word_count.shape[1]
        return _times_log(class_count, self._log_prior) + _times_log(words, self.log_table_)

    def top_words(self, label, iteration=-1, n=10, words=None):
        """The n words that most favour a class, by P(w|class) / P(w|other classes), after a round of EM (section 12).

        Words are the names of X's columns; if X had none, those in `words`, or the numbers of the columns.

        >>> MultinomialNaiveBayes().fit([[3, 1, 0], [0, 1, 2]], ["a", "b"]).top_words("b", n=1, words=["ball", "and", "oven"])
        ['oven']
        """
        self._fitted()
        classes, n = self.classes_.tolist(), whole_number(n, "n")
        if not among(label, classes):
            raise ValueError(f"label must be one of {names(classes)}, got {short(label)}")
        if len(classes) == 1:
            raise ValueError(f"label must have another class to be compared with, got {label!r} alone")
        history = self.history_ or [(self._log_prior, self.log_table_)]
        if isinstance(iteration, bool) or not among(iteration, range(-len(history), len(history))):
            raise ValueError(f"iteration must be a whole number from 0 to {len(history) - 1}, got {short(iteration)}")
        vocabulary = getattr(self, "feature_names_in_", words)
        if vocabulary is not None and not _are_names(vocabulary, self.n_features_in_):
            raise ValueError(f"words must name each of the {self.n_features_in_} columns, got {short(words)}")
        log_prior, log_table = history[iteration][:2]
        own = np.arange(len(classes)) == classes.index(label)
        others = np.exp(log_prior[~own]) @ np.exp(log_table[~own]) / np.exp(log_prior[~own]).sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = log_table[own][0] - np.log(others)
        ratio[np.isnan(ratio)] = -np.inf  # 0/0, a word of no class
        best = np.argsort(-ratio.round(9), kind="stable")[:n].tolist()  # rounded, so that equal counts stay a tie
        return best if vocabulary is None else [vocabulary[column] for column in best]

    def _log_scores(self, X):
        self._fitted()
        if hasattr(X, "tocsr"):
            X, one = _word_counts(X)[1], False
            if X.shape[1] != self.n_features_in_:
                raise ValueError(f"X must have {self.n_features_in_} attributes as in fit, got {X.shape[1]}")
        else:
            X, one = self._numbers(X)
            _at_least_zero(X)
        return self._products(self._read(X)), one

    def _products(self, X):
        # A word that does not occur contributes nothing, even where its probability is 0: 0 · log 0 counts as 0.
        never = np.isneginf(self.log_table_)
        if not never.any():
            return self._log_prior + X @ self.log_table_.T
        scores = self._log_prior + X @ np.where(never, 0, self.log_table_).T
        return np.where(X @ never.T.astype(float) > 0, -np.inf, scores)


class BernoulliNaiveBayes(MultinomialNaiveBayes):
    """Naive Bayes for the presence of words: a word is in the document or not, and an absent one counts too (section 12).

        P(x|v) = Π_words P(word|v) if the word is in x, else 1 − P(word|v)

    m  number of virtual documents per class, half of which contain the word; "laplace" is 2, one with it and one without

    Labels may be missing; `weight`, `max_iter`, `tol`, `classes` and what is learned are as in `MultinomialNaiveBayes`;
    `log_table_` holds log P(word is present|class).

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

    def _estimate(self, class_count, word_count, most=np.inf):
        self.class_count_, self.word_count_ = class_count, word_count
        present = m_estimate(
            np.minimum(word_count, class_count[:, None]),
            class_count[:, None],
            1 / 2,
            self._virtual(word_count.shape[1], most),
        )
        with np.errstate(divide="ignore"):
            self._log_prior = np.log(class_count / class_count.sum())
            self.log_table_, self._log_absent = np.log(present), np.log1p(-present)
        return self

    def _log_counted(self, class_count, word_count, virtual):
        absent = class_count[:, None] - word_count + virtual / 2
        return (
            _times_log(class_count, self._log_prior)
            + _times_log(word_count + virtual / 2, self.log_table_)
            + _times_log(absent, self._log_absent)
        )

    def _products(self, X):
        never, always = np.isneginf(self.log_table_), np.isneginf(self._log_absent)
        present, absent = np.where(never, 0, self.log_table_), np.where(always, 0, self._log_absent)
        scores = self._log_prior + absent.sum(axis=1) + X @ (present - absent).T
        if not (never | always).any():
            return scores
        vetoes = X @ never.T.astype(float) + always.sum(axis=1) - X @ always.T.astype(float)
        return np.where(vetoes > 0, -np.inf, scores)


class MixtureNaiveBayes(MultinomialNaiveBayes):
    """Naive Bayes for counts of words, where a class is made of several components (section 12).

        P(x|v) = Σ_j P(j|v) Π_words P(word|v, j)^count,   j a component of the class

    A labelled document belongs to the components of its class, in unknown shares; an unlabelled one (None or NaN) may belong
    to all. EM finds the shares. It begins with the labelled documents alone, whose shares are drawn by `random_state`.

    `m`, `weight`, `max_iter` and `tol` are as in `MultinomialNaiveBayes`. Learned: a row of `log_table_` and an entry of
    `class_count_` for each component, those of the first class first, and `history_`, whose tables are those of the classes.

    >>> bags = [[3, 0, 0], [0, 3, 0], [0, 0, 3], [1, 1, 2], [4, 0, 0], [0, 4, 0]]  # "a" is about the first or the second word
    >>> model = MixtureNaiveBayes(2, random_state=0).fit(bags, ["a", "a", "b", "b", None, None])
    >>> model.predict(bags).tolist(), model.log_table_.shape
    (['a', 'a', 'b', 'b', 'a', 'a'], (4, 3))
    """

    classes = None  # all classes must have labels

    def __init__(self, n_components=2, m="capped", weight=1.0, max_iter=30, tol=1e-3, random_state=None):
        self.n_components, self.m, self.weight, self.max_iter, self.tol = n_components, m, weight, max_iter, tol
        self.random_state = random_state
        self._check()

    def _check(self):
        super()._check()
        whole_number(self.n_components, "n_components", most=100)

    def fit(self, X, y):
        """EM over the components, of labelled and unlabelled documents.

        >>> MixtureNaiveBayes(1).fit([[2, 0], [0, 2]], ["a", "b"]).predict([3, 1])
        'a'
        """
        X = _sparse_if_few(self._documents(X))
        unlabelled, self.history_ = _missing(y, X.shape[0]), []
        self.classes_, known = self._labels(y, unlabelled, True)
        k, number = self.n_components, len(self.classes_)
        allowed = np.ones((X.shape[0], number, k), bool)
        allowed[~unlabelled] = (np.arange(number) == known[:, None])[:, :, None]
        random = generator(self.random_state).dirichlet(np.ones(k), X.shape[0])
        share, allowed = (allowed * random[:, None]).reshape(len(allowed), -1), allowed.reshape(len(allowed), -1)
        weight = np.where(unlabelled, float(self.weight), 1)
        average_words = weight @ X.sum(axis=1) / (number * k) if unlabelled.any() and self.weight else 0
        cap = LIGHT * average_words or np.inf
        for done in range(self.max_iter + 1):
            counted = share * (weight if done else ~unlabelled)[:, None]
            self._estimate(counted.sum(axis=0), counted.T @ X, cap if done else np.inf)
            scores = np.where(allowed, self._products(X), -np.inf)
            self._refuse_vetoed(scores)
            top = scores.max(axis=1, keepdims=True)
            share = np.exp(scores - top)
            evidence = share.sum(axis=1, keepdims=True)
            share /= evidence
            virtual = np.full_like(self.log_table_, self._virtual(X.shape[1], cap) / X.shape[1])
            log_posterior = float(weight @ (np.log(evidence) + top).ravel()) + _times_log(virtual, self.log_table_)
            self.history_.append(Iteration(*self._of_classes(), self._summed(share[unlabelled]), log_posterior))
            if done and log_posterior - self.history_[-2].log_posterior < self.tol:
                break
        return self

    def _summed(self, shares):
        """Shares of the classes from shares of the components."""
        return shares.reshape(len(shares), len(self.classes_), self.n_components).sum(axis=2)

    def _of_classes(self):
        """(log P(class), log P(word|class)) over its components."""
        prior = np.exp(self._log_prior).reshape(len(self.classes_), -1)
        table = np.exp(self.log_table_).reshape(*prior.shape, -1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.log(prior.sum(axis=1)), np.log(
                (prior[:, :, None] * table).sum(axis=1) / prior.sum(axis=1, keepdims=True)
            )

    def _log_scores(self, X):
        scores, one = super()._log_scores(X)
        return np.logaddexp.reduce(scores.reshape(len(scores), len(self.classes_), self.n_components), axis=2), one


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
    pairs = {"mean": mean, "variance": variance, "prior": prior}
    mean, variance, prior = (as_number(pair, name, -1e100, 1e100) for name, pair in pairs.items())
    for pair, name in ((mean, "mean"), (variance, "variance"), (prior, "prior")):
        if np.shape(pair) != (2,):
            raise ValueError(f"{name} must be a pair of numbers, got {short(pairs[name])}")
    if np.min(variance) <= 0 or np.min(prior) <= 0:
        raise ValueError(f"variance and prior must be above 0, got {variance.tolist()} and {prior.tolist()}")
    as_number(variance, "variance", 1e-100, 1e100)  # the squares below stay numbers
    from_first = mean - mean[0]
    square, slope = -0.5 / variance, from_first / variance
    height = np.log(prior) - 0.5 * np.log(variance) - 0.5 * from_first**2 / variance
    roots = _parabola_crosses_0(*(float(pair[0] - pair[1]) for pair in (square, slope, height)))
    return sorted(float(mean[0] + root) for root in roots)


def _parabola_crosses_0(a, b, c):
    """The x where ax² + bx + c changes its sign, (−b ± √(b² − 4ac)) / 2a, without squaring: no coefficient is too small."""
    product = 2 * np.sqrt(abs(a)) * np.sqrt(abs(c))
    if np.sign(a) * np.sign(c) < 0:
        root = np.hypot(b, product)
    elif abs(b) > product:
        root = np.sqrt(abs(b) - product) * np.sqrt(abs(b) + product)
    else:
        return []
    double = -b - np.copysign(root, b)  # of equal signs, so that nothing cancels
    with np.errstate(all="ignore"):
        roots = np.array([double, 2 * c]) / np.array([2 * a, double])
    return roots[np.isfinite(roots)].tolist()  # if a is 0, or nearly so, one of them is at infinity


# Argument checks


def _virtual_examples(m, words):
    """`m` must be one number of at least 0, or one of `words`."""
    if isinstance(m, str) and m in words:
        return
    if isinstance(m, (str, list, tuple)) or np.ndim(m):
        raise ValueError(f"m must be one number of at least 0, or {' or '.join(map(repr, words))}, got {short(m)}")
    one_number(m, "m", low=0, high=HUGE)


def _are_names(words, count):
    """Whether `words` is one row of this length."""
    return getattr(words, "ndim", 1) == 1 and hasattr(words, "__getitem__") and len(words) == count


def _same_names(given, wanted, called="X"):
    if set(given) != set(wanted):
        raise ValueError(f"{called} must have the attributes of fit, {names(wanted)}, got {names(given)}")


def _columns(X, called="X"):
    """(names, columns, is it one example?) of a table, a mapping, rows, or an array."""
    if hasattr(X, "columns"):
        given, columns, one = list(X.columns), [X.iloc[:, place].to_numpy() for place in range(X.shape[1])], False
    elif is_mapping(X):
        given, columns, one = list(X.keys()), [[X[name]] for name in X.keys()], True
    elif (
        isinstance(X, (str, bytes, set))
        or not hasattr(X, "__getitem__")
        or hasattr(X, "tocsr")
        or getattr(X, "ndim", 1) not in (1, 2)
    ):
        raise ValueError(f"{called} must be a table, rows of values or an example, got {short(X)}")
    elif isinstance(X, np.ndarray) and X.ndim == 2:
        given, columns, one = list(range(X.shape[1])), list(np.ascontiguousarray(X.T)), False
    elif len(X) and not isinstance(X[0], (list, tuple, np.ndarray)):
        given, columns, one = list(range(len(X))), [[value] for value in X], True
    else:
        given, columns, one = *_transposed(X, called), False
    duplicate = next((name for name in given if given.count(name) > 1), None)
    if duplicate is not None:
        raise ValueError(f"{called} must name each attribute once, got {duplicate!r} twice")
    if not columns or not len(columns[0]):
        raise ValueError(f"{called} must hold at least one example with at least one attribute, got none")
    return given, columns, one


def _transposed(X, called):
    """(0, 1, …, the columns) of a list of rows."""
    for place, row in enumerate(X):
        if not isinstance(row, (list, tuple, np.ndarray)) or len(row) != len(X[0]):
            length = len(row) if hasattr(row, "__len__") else short(row)
            raise ValueError(
                f"{called} must have rows of one length, {len(X[0])} as in row 0, got {length} in row {place}"
            )
    return list(range(len(X[0]) if len(X) else 0)), list(zip(*X))


def _encode(column, name, values=None):
    """(values, the code of each entry's value): the declared values, or those that occur, in order of appearance."""
    declared = None if values is None else list(dict.fromkeys(values))
    if _fast_naive_bayes.are_whole(column) and all(type(value) is int and value >= 0 for value in declared or ()):
        values, codes = _fast_naive_bayes.encode(column, declared)
        if codes.min() < 0:
            raise _unknown(name, int(column[codes.argmin()]), values)
        return values, codes
    column = column.tolist() if isinstance(column, np.ndarray) else column
    try:
        index = {value: code for code, value in enumerate(declared or dict.fromkeys(column))}
        missing = any(map(is_missing, index))
        codes = np.array([index[value] for value in column])
    except KeyError as error:
        if is_missing(error.args[0]):
            raise ValueError(f"{name} must have no missing value, got {error.args[0]}") from None
        raise _unknown(name, error.args[0], index) from None
    except TypeError:
        raise ValueError(f"{name} must hold plain values such as words or numbers, got {short(column)}") from None
    if missing:
        raise ValueError(f"{name} must have no missing value, got {next(filter(is_missing, index))}")
    return list(index), codes


def _unknown(name, value, values):
    return ValueError(
        f"{name} must be one of {names(values)}, got {short(value)}; declare it in `domains` if it may occur"
    )


def _weights(sample_weight, coded):
    """None, or one weight per row; every class must have some."""
    if sample_weight is None:
        return None
    weights = row_weights(sample_weight, len(coded))
    if not np.bincount(coded, weights).all():
        raise ValueError("sample_weight must give each class some weight, got a sum of 0 for one of them")
    return weights


def _word_counts(X):
    """(names of the columns, counts of words); documents hold few words, so a scipy sparse matrix stays one."""
    if not hasattr(X, "tocsr"):
        return column_names(X), _at_least_zero(rows(X))
    X = X.tocsr().astype(float, copy=False)
    if not all(X.shape):
        raise ValueError(f"X must have at least one row and one attribute, got shape {X.shape}")
    _at_least_zero(rows(X.data if X.nnz else [0.0], one_feature=True))
    return None, X


def _at_least_zero(X):
    if X.min() < 0:
        raise ValueError(f"X must hold counts of at least 0, got {X.min():g}")
    if X.max() > HUGE / MOST**2:  # even MOST such rows, MOST times, give a count that `m_estimate` accepts
        raise ValueError(f"X must hold counts of at most {HUGE / MOST**2:g}, got {X.max():g}")
    return X


def _sparse_if_few(X):
    """X as a sparse matrix if most counts are 0."""
    if hasattr(X, "tocsr") or np.count_nonzero(X) > 0.1 * X.size:
        return X
    from scipy.sparse import csr_array

    return csr_array(X)


def _missing(y, rows):
    """Which labels are missing: None, NaN, or a missing value of pandas."""
    if isinstance(y, str) or not hasattr(y, "__len__") or getattr(y, "ndim", 1) != 1:
        raise ValueError(f"y must be one row of classes, got {short(y)}")
    if len(y) != rows:
        raise ValueError(f"y must have one class, or a missing one, for each of the {rows} rows of X, got {len(y)}")
    if isinstance(y, np.ndarray) and y.dtype.kind in "iubSU":
        return np.zeros(len(y), bool)
    return np.array([is_missing(label) for label in y], bool)


def _shares(start, shape):
    """`start` as an array of shares, each row of which sums to 1."""
    shares = as_number(start, "start", low=0, high=1)
    if np.shape(shares) != shape:
        raise ValueError(f"start must have a row per document and a column per class, {shape}, got {np.shape(shares)}")
    if (np.abs(shares.sum(axis=1) - 1) > 1e-6).any():
        raise ValueError(f"start must give each document shares that sum to 1, got {shares.sum(axis=1).min():.6g}")
    return shares


def _times_log(counts, logs):
    """Σ counts · logs, where 0 · log 0 counts as 0."""
    return float(counts[counts > 0] @ logs[counts > 0])
