"""Naive Bayes: count each attribute within each class, multiply, compare (section 05).

    v_NB = argmax_v P(v) Π_i P(a_i|v)

Three kinds, one rule: `NaiveBayes` for values with names, `GaussianNaiveBayes` for numbers, `MultinomialNaiveBayes` for
counts of words. Each learns its tables by `fit`; what it then says about new examples is written once, in `_Classifier`.
"""

from typing import NamedTuple

import numpy as np

from bayeslib._checks import as_number, is_mapping, names, whole_number
from bayeslib.estimates import m_estimate


class _Classifier:
    """What follows from log P(v) + Σ_i log P(a_i|v), however the factors were learned."""

    attributes_ = None  # their names, where `fit` was given a table

    def predict(self, X):
        """The most probable class of each row; of one example, its class."""
        log_scores, one = self._log_scores(X)
        self._refuse_vetoed(log_scores)
        best = log_scores.argmax(axis=1)
        return self.classes_[best[0]] if one else _array(self.classes_)[best]

    def predict_proba(self, X):
        """P(v|a_1, …, a_n) of each row (columns as in `classes_`); of one example, a mapping of class to probability."""
        log_scores, one = self._log_scores(X)
        return self._answer(self._normal(log_scores), one)

    def log_scores(self, X):
        """log P(v) + Σ_i log P(a_i|v): what is compared when the product itself would underflow."""
        return self._answer(*self._log_scores(X))

    def scores(self, X):
        """P(v) Π_i P(a_i|v), the unnormalised products; they need not sum to 1."""
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
        lost = np.isneginf(log_scores.T).all(axis=0)
        if lost.any():
            raise ValueError(
                f"X must leave at least one class a score above 0, but row {lost.argmax()} has a zero count in every class: "
                "0/0 is no probability. Use m above 0, so that what was never seen is not taken for impossible"
            )

    def _answer(self, rows, one):
        return dict(zip(self.classes_, rows[0].tolist())) if one else rows


class NaiveBayes(_Classifier):
    """Naive Bayes for attributes whose values have names, such as PlayTennis (section 05).

    m        how many virtual examples each attribute gets in each class (0 counts only); "laplace" adds one per value
    prior    the share p of the virtual examples per value, attribute → {value: p}; where it is silent 1/k, k values
    domains  the values that exist, attribute → values; where it is silent those that were seen in `fit`

    X is a table with named columns, or an array or a list of rows, whose columns are then called 0, 1, …. One example, a
    mapping of attribute to value or a single row, gets one answer.
    """

    def __init__(self, m=0.0, prior=None, domains=None):
        self.m = _virtual_examples(m)
        self.prior = _by_attribute(prior, "prior", "shares, {value: p}")
        self.domains = _by_attribute(domains, "domains", "values")
        for name, values in self.domains.items():
            if isinstance(values, str) or not hasattr(values, "__len__") or not len(values):
                raise ValueError(f"domains[{name!r}] must list the values of {name!r}, got {values!r}")

    def fit(self, X, y, sample_weight=None):
        """Count: how often each value of each attribute comes with each class; a row counts 1, or its weight."""
        self.attributes_, columns, _ = _columns(X)
        classes, labels = _classes(y, len(columns[0]))
        weights = _weights(sample_weight, labels)
        for given, what in ((self.domains, "domains"), (self.prior, "prior")):
            unknown = [name for name in given if name not in self.attributes_]
            if unknown:
                raise ValueError(f"{what} must speak of the attributes {names(self.attributes_)}, got {unknown[0]!r}")
        # The tables of all attributes side by side, a row per class; self._at says which columns are whose.
        self._values, self._at, width, counts = [], [], 0, []
        for name, column in zip(self.attributes_, columns):
            values, codes = _encode(column, f"X[{name!r}]", self.domains.get(name))
            k = len(values)
            counts.append(np.bincount(labels * k + codes, weights, minlength=len(classes) * k).reshape(-1, k))
            self._values.append(values)
            self._at.append(slice(width, width := width + k))
        self.class_count_ = np.bincount(labels, weights)
        self._counts = np.hstack(counts)
        p, m = self._virtual()
        self._tables = (self._counts + m * p) / (self.class_count_[:, None] + m)  # the m-estimate of section 06
        with np.errstate(divide="ignore"):
            self._log_prior = np.log(self.class_count_ / self.class_count_.sum())
            self._log_tables = np.log(self._tables)
        self.classes_ = classes  # at the end, so that a fit that failed leaves nothing to ask
        return self

    def _virtual(self):
        """p and m for every value of every attribute."""
        sizes = [len(values) for values in self._values]
        m = np.repeat(sizes, sizes) if self.m == "laplace" else self.m
        if not self.prior:
            return np.repeat(1 / np.array(sizes), sizes), m
        shares = [
            self._shares(name, values) if name in self.prior else [1 / len(values)] * len(values)
            for name, values in zip(self.attributes_, self._values)
        ]
        return np.concatenate(shares), m

    def _shares(self, name, values):
        share = self.prior[name]
        if not is_mapping(share) or set(share.keys()) != set(values):
            raise ValueError(f"prior[{name!r}] must give a share to each of {names(values)}, got {share!r}")
        shares = as_number([share[value] for value in values], f"prior[{name!r}]", low=0, high=1)
        if abs(shares.sum() - 1) > 1e-6:
            raise ValueError(f"prior[{name!r}] must sum to 1, got {shares.sum():.6g}")
        return shares

    def counts(self, attribute):
        """How often each value came with each class, as class → {value: count}."""
        return self._table(attribute, "_counts")

    def table(self, attribute):
        """P(value|class) of one attribute, as class → {value: probability}."""
        return self._table(attribute, "_tables")

    def _table(self, attribute, kind):
        _fitted(self)
        if attribute not in self.attributes_:
            raise ValueError(f"attribute must be one of {names(self.attributes_)}, got {attribute!r}")
        place = self.attributes_.index(attribute)
        rows = getattr(self, kind)[:, self._at[place]].tolist()
        return {each: dict(zip(self._values[place], row)) for each, row in zip(self.classes_, rows)}

    def explain(self, x):
        """The factors of one example, one by one.

        {"prior": {class: P(class)}, "outlook = sunny": {class: P(sunny|class)}, …}
        """
        columns, _ = self._rows(x)
        if len(columns[0]) != 1:
            raise ValueError(f"x must be one example, got {len(columns[0])} rows")
        factors = {"prior": dict(zip(self.classes_, (self.class_count_ / self.class_count_.sum()).tolist()))}
        for name, values, at, column in zip(self.attributes_, self._values, self._at, columns):
            code = _encode(column, f"X[{name!r}]", values)[1][0]
            factors[f"{name} = {column[0]}"] = dict(zip(self.classes_, self._tables[:, at][:, code].tolist()))
        return factors

    def sample(self, n, random_state=None):
        """Invent n examples: draw a class, then each attribute given the class. Returns (examples, classes)."""
        _fitted(self)
        if not isinstance(n, (int, np.integer)) or isinstance(n, bool) or n < 0:
            raise ValueError(f"n must be a whole number of examples, at least 0, got {n!r}")
        random = np.random.default_rng(random_state)
        drawn = random.choice(len(self.classes_), n, p=self.class_count_ / self.class_count_.sum())
        examples = [
            {
                name: values[random.choice(len(values), p=self._tables[each, at])]
                for name, values, at in zip(self.attributes_, self._values, self._at)
            }
            for each in drawn
        ]
        return examples, [self.classes_[each] for each in drawn]

    def _log_scores(self, X):
        columns, one = self._rows(X)
        total = np.repeat(self._log_prior[:, None], len(columns[0]), axis=1)
        for name, values, at, column in zip(self.attributes_, self._values, self._at, columns):
            total += self._log_tables[:, at].take(_encode(column, f"X[{name!r}]", values)[1], axis=1)
        return total.T, one

    def _rows(self, X):
        """The columns of X in the order of `fit`, and whether X is one example."""
        _fitted(self)
        given, columns, one = _columns(X)
        if hasattr(X, "columns") or is_mapping(X):
            _same_names(given, self.attributes_)
            return [columns[given.index(name)] for name in self.attributes_], one
        return _as_many(columns, len(columns), len(self.attributes_)), one


class GaussianNaiveBayes(_Classifier):
    """Naive Bayes for numbers: each attribute is Gaussian within each class (section 05).

    `theta_` and `var_` hold the maximum-likelihood mean and variance per class and attribute. `smoothing` times the largest
    variance of an attribute is added to every variance, so that a class whose values are all equal keeps a width.
    """

    def __init__(self, smoothing=1e-9):
        self.smoothing = as_number(smoothing, "smoothing", low=0)

    def fit(self, X, y, sample_weight=None):
        """Mean and variance of each attribute within each class; a row counts 1, or its weight."""
        self.attributes_, X, _ = _numbers(X)
        classes, labels = _classes(y, len(X))
        weights = _weights(sample_weight, labels)
        groups = [
            (X[labels == each], None if weights is None else weights[labels == each]) for each in range(len(classes))
        ]
        self.class_count_ = np.bincount(labels, weights)
        self.theta_ = np.array([np.average(group, 0, each) for group, each in groups])
        spread = [np.average((group - mean) ** 2, 0, each) for (group, each), mean in zip(groups, self.theta_)]
        self.var_ = np.array(spread) + self.smoothing * X.var(axis=0).max()
        if not self.var_.all():
            each, column = np.argwhere(self.var_ == 0)[0]
            raise ValueError(
                f"X must vary within each class: column {column} is constant in class {classes[each]!r}, "
                "and a Gaussian of width 0 is no density"
            )
        self.classes_ = classes
        return self

    def log_densities(self, X):
        """log N(x_i; θ, σ²) of each row, class and attribute: the factors, before they are added."""
        return self._log_densities(X)[0]

    def _log_densities(self, X):
        _fitted(self)
        _, X, one = _numbers(X, self.attributes_)
        X = _as_many(X, X.shape[1], self.theta_.shape[1])
        return log_normal(X[:, None, :], self.theta_, self.var_), one

    def _log_scores(self, X):
        densities, one = self._log_densities(X)
        return np.log(self.class_count_ / self.class_count_.sum()) + densities.sum(axis=2), one


class Iteration(NamedTuple):
    """One round of EM over documents: the tables, and what they say of the unlabeled documents (section 12)."""

    log_prior: np.ndarray  # log P(class)
    log_table: np.ndarray  # log P(word|class), a row per class
    shares: np.ndarray  # P(class|document), a row per unlabeled document
    log_posterior: float  # what EM climbs, up to a constant


class MultinomialNaiveBayes(_Classifier):
    """Naive Bayes for counts of words: a document is a bag, each word drawn from its class's table (section 05).

    m virtual words are spread evenly over the vocabulary in each class; "laplace" adds one for each word.

    Labels may be missing (None or NaN); then `fit` runs EM (section 12). Labeled documents keep their label, each of the
    others counts in every class with its share P(class|document):

    weight      how much an unlabeled document counts; 1 is as much as a labeled one, 0 not at all
    iterations  how often E and M step are done, at most; EM stops when a round gains less than `tolerance`
    classes     the classes that exist, where the labels may not show them all

    Learned: `class_count_`, `word_count_`, `log_table_`, and `history_`, an `Iteration` for the start and for each round.
    """

    def __init__(self, m="laplace", weight=1.0, iterations=30, tolerance=1e-3, classes=None):
        self.m = _virtual_examples(m)
        self.weight = as_number(weight, "weight", low=0)
        self.iterations = whole_number(iterations, "iterations", 0)
        self.tolerance = as_number(tolerance, "tolerance", low=0)
        self.classes = None if classes is None else list(classes)

    def fit(self, X, y, start=None):
        """P(word|class) from how often each word came in the documents of each class.

        `start` holds class shares for every document, columns as the classes: EM then begins with these in place of the
        labels alone. Without any label it has to be given, and EM is clustering.
        """
        self.attributes_, X, _ = _word_counts(X)
        free, self.history_ = _missing(y), []
        classes, labels = self._labels(y, free, X.shape[0], start is None)
        share = np.zeros((X.shape[0], len(classes)))
        share[np.flatnonzero(~free), labels] = 1
        if free.any():
            self._em(X, share, free, None if start is None else _shares(start, share.shape))
        else:
            self._fit(X, share)
        self.classes_ = classes  # at the end, so that a fit that failed leaves nothing to ask
        return self

    def _labels(self, y, free, rows, complete):
        """(the classes, the class number of each labeled document)."""
        if len(free) != rows:
            raise ValueError(f"y must have one class, or a missing one, per row of X, {rows}, got {len(free)}")
        known = [each for each, missing in zip(y, free) if not missing] if free.any() else y
        found, labels = _classes(known, len(known)) if len(known) else ([], np.zeros(0, int))
        classes = found if self.classes is None else self.classes
        unknown = [each for each in found if each not in classes]
        if unknown:
            raise ValueError(f"y must hold {names(classes)} as declared in classes, got {unknown[0]!r}")
        silent = [each for each in classes if each not in found]
        if complete and (silent or not classes):
            which = f"{silent[0]!r}" if silent else "any class"
            raise ValueError(f"y must label at least one document of each class, got none of {which}; or give a start")
        if not classes:
            raise ValueError("classes must name the classes where y labels no document, got None")
        return classes, np.array([classes.index(each) for each in found], int)[labels]

    def _fit(self, X, share):
        """The same from shares: `share[d, c]` is how much of document d belongs to class c."""
        return self._estimate(share.sum(axis=0), share.T @ X)

    def _estimate(self, class_count, word_count):
        """The tables from how many documents each class has, and how often each word came in them."""
        self.class_count_, self.word_count_ = class_count, word_count
        words = word_count.shape[1]
        m = words if self.m == "laplace" else self.m
        total = word_count.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore"):
            self._log_prior = np.log(class_count / class_count.sum())
            self.log_table_ = np.log(m_estimate(word_count, total, 1 / words, m))
        return self

    def _em(self, X, share, free, start):
        """E step: share each unlabeled document out. M step: count, labeled documents whole and the others by their shares.

        The counts of the labeled documents never change, so a round costs two products with the unlabeled ones.
        """
        X = _few(X)
        open_, class_count, word_count = X[free], share.sum(axis=0), share.T @ X
        virtual = 1 if self.m == "laplace" else self.m / X.shape[1]
        shares = None if start is None else start[free].T  # a row per class, which sums faster than a column
        for done in range(self.iterations + 1):
            if shares is None:
                self._estimate(class_count, word_count)
            else:
                counted = self.weight * shares
                self._estimate(class_count + counted.sum(axis=1), word_count + counted @ open_)
            scores = np.ascontiguousarray(self._products(open_).T)
            self._refuse_vetoed(scores.T)
            top = scores.max(axis=0)
            products = np.exp(scores - top)
            evidence = products.sum(axis=0)
            shares = products / evidence
            log_posterior = (
                _times_log(class_count, self._log_prior)
                + _times_log(word_count + virtual, self.log_table_)
                + self.weight * float((np.log(evidence) + top).sum())
            )
            self.history_.append(Iteration(self._log_prior, self.log_table_, shares.T, log_posterior))
            if done and log_posterior - self.history_[-2].log_posterior < self.tolerance:
                return

    def top_words(self, label, iteration=-1, n=10, words=None):
        """The n words that speak most for a class, by P(w|class) / P(w|other classes), after a round of EM (section 12).

        Words are the names of X's columns; where X had none, those in `words`, or the numbers of the columns.
        """
        _fitted(self)
        if label not in self.classes_:
            raise ValueError(f"label must be one of {names(self.classes_)}, got {label!r}")
        if len(self.classes_) == 1:
            raise ValueError(f"label must have another class to be compared with, got {label!r} alone")
        history = self.history_ or [(self._log_prior, self.log_table_)]
        if isinstance(iteration, bool) or iteration not in range(-len(history), len(history)):
            raise ValueError(f"iteration must be a whole number from 0 to {len(history) - 1}, got {iteration!r}")
        log_prior, log_table = history[iteration][:2]
        mine = np.arange(len(self.classes_)) == self.classes_.index(label)
        others = np.exp(log_prior[~mine]) @ np.exp(log_table[~mine]) / np.exp(log_prior[~mine]).sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = log_table[mine][0] - np.log(others)
        ratio[np.isnan(ratio)] = -np.inf  # 0/0, a word of no class
        named = self.attributes_ or words
        best = np.argsort(-ratio.round(9), kind="stable")[:n].tolist()  # rounded, so that equal counts stay a tie
        return best if named is None else [named[column] for column in best]

    def _log_scores(self, X):
        _fitted(self)
        _, X, one = _word_counts(X, self.attributes_)
        return self._products(_as_many(X, X.shape[1], self.log_table_.shape[1])), one

    def _products(self, X):
        # A word that does not occur says nothing, even where its probability is 0: 0 · log 0 counts as 0.
        never = np.isneginf(self.log_table_)
        if not never.any():
            return self._log_prior + X @ self.log_table_.T
        scores = self._log_prior + X @ np.where(never, 0, self.log_table_).T
        return np.where(X @ never.T.astype(float) > 0, -np.inf, scores)


def log_normal(x, mean, variance):
    """log N(x; mean, variance) = −½ log(2π variance) − (x − mean)² / (2 variance) (section 05)."""
    return -0.5 * (np.log(2 * np.pi * variance) + (x - mean) ** 2 / variance)


def borders(mean, variance, prior):
    """Where P(a) N(x; a) = P(b) N(x; b) for two Gaussian classes, in order: the decision flips there (section 05).

    Each argument is a pair. The log of the ratio is a parabola, so there are at most two borders; equal widths leave one.
    """
    mean, prior = (as_number(pair, name) for pair, name in ((mean, "mean"), (prior, "prior")))
    variance = as_number(variance, "variance")
    if np.min(variance) <= 0 or np.min(prior) <= 0:
        raise ValueError(f"variance and prior must be above 0, got {variance.tolist()} and {prior.tolist()}")
    square, slope = -0.5 / variance, mean / variance
    height = np.log(prior) - 0.5 * np.log(variance) - 0.5 * mean**2 / variance
    roots = np.roots([pair[0] - pair[1] for pair in (square, slope, height)])
    return sorted(roots[np.isreal(roots)].real.tolist())


def _fitted(model):
    if not hasattr(model, "classes_"):
        raise ValueError("fit must be called before anything is asked: nothing has been counted yet")


def _virtual_examples(m):
    """m itself, once it is known to be one number of at least 0, or "laplace"."""
    if isinstance(m, str) and m == "laplace":
        return m
    if isinstance(m, str) or np.ndim(m):
        raise ValueError(f'm must be one number of at least 0, or "laplace", got {m!r}')
    return as_number(m, "m", low=0)


def _by_attribute(given, name, what):
    if given is not None and not is_mapping(given):
        raise ValueError(f"{name} must map attributes to their {what}, got {given!r}")
    return {} if given is None else {each: given[each] for each in given.keys()}


def _array(values):
    """The values as an array that keeps each of them as it is, mixed kinds and tuples too."""
    array = np.array(values) if len(set(map(type, values))) == 1 else None
    if array is None or array.ndim != 1:
        array = np.empty(len(values), dtype=object)
        array[:] = values
    return array


def _same_names(given, wanted):
    if set(given) != set(wanted):
        raise ValueError(f"X must have the attributes {names(wanted)}, got {names(given)}")


def _as_many(columns, found, wanted):
    if found != wanted:
        raise ValueError(f"X must have {wanted} columns as in fit, got {found}")
    return columns


def _named(X):
    """The names of a table's columns, or of one example's entries; each may be there once."""
    given = list(X.columns if hasattr(X, "columns") else X.keys())
    twice = next((name for name in given if given.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"X must name each attribute once, got {twice!r} twice")
    return given


def _columns(X):
    """(names, columns, is it one example?) of a table, a mapping, rows, or an array."""
    if hasattr(X, "columns"):
        found = _named(X), [X.iloc[:, place].to_numpy() for place in range(X.shape[1])], False
    elif is_mapping(X):
        found = _named(X), [[X[name]] for name in X.keys()], True
    elif not hasattr(X, "__len__") or isinstance(X, (str, bytes, set)) or getattr(X, "ndim", 1) not in (1, 2):
        raise ValueError(f"X must be a table, rows of values or an example, got {X!r}")
    elif isinstance(X, np.ndarray) and X.ndim == 2:
        found = list(range(X.shape[1])), list(np.ascontiguousarray(X.T)), False
    elif len(X) and not isinstance(X[0], (list, tuple, np.ndarray)):
        found = list(range(len(X))), [[value] for value in X], True
    else:
        ragged = next((place for place, row in enumerate(X) if len(row) != len(X[0])), None)
        if ragged is not None:
            raise ValueError(
                f"X must have rows of one length, {len(X[0])} as in row 0, got {len(X[ragged])} in row {ragged}"
            )
        found = list(range(len(X[0]) if len(X) else 0)), list(zip(*X)), False
    if not found[1] or not len(found[1][0]):
        raise ValueError("X must hold at least one example with at least one attribute, got none")
    return found


def _classes(y, rows):
    """(classes in order, the class number of each row)."""
    y = y if isinstance(y, (list, tuple)) else np.asarray(y)
    if isinstance(y, np.ndarray) and y.ndim != 1:
        raise ValueError(f"y must be one row of classes, got shape {y.shape}")
    if len(y) != rows:
        raise ValueError(f"y must have one class per row of X, {rows}, got {len(y)}")
    if _is_whole(y):
        return _encode_whole(y, "y", None)
    y = y.tolist() if isinstance(y, np.ndarray) else y
    classes, codes = _encode(y, "y")
    order = sorted(range(len(classes)), key=lambda code: (type(classes[code]).__name__, classes[code]))
    return [classes[code] for code in order], np.argsort(order)[codes]


def _weights(sample_weight, labels):
    """None, or one weight per row, of which every class has some."""
    if sample_weight is None:
        return None
    weights = np.asarray(as_number(sample_weight, "sample_weight", low=0), dtype=float)
    if weights.shape != labels.shape:
        raise ValueError(f"sample_weight must have one weight per row of X, {len(labels)}, got shape {weights.shape}")
    if not np.bincount(labels, weights).all():
        raise ValueError("sample_weight must give each class some weight, got a sum of 0 for one of them")
    return weights


def _encode(column, name, values=None):
    """(values, the number of each entry's value): the declared values, or those that occur, in the order they came."""
    if _is_whole(column) and (values is None or all(isinstance(value, int) and value >= 0 for value in values)):
        return _encode_whole(column, name, values)
    column = column.tolist() if isinstance(column, np.ndarray) else column
    try:
        index = {value: code for code, value in enumerate(dict.fromkeys(column if values is None else values))}
        codes = np.array([index[value] for value in column])
        missing = any(value != value for value in index)
    except KeyError as error:
        raise _unknown(name, error.args[0], index) from None
    except TypeError:
        raise ValueError(f"{name} must hold plain values such as words or numbers, got {column!r}") from None
    if missing:
        raise ValueError(f"{name} must have no missing value, got NaN")
    return list(index), codes


def _is_whole(column):
    """Whether a column holds so many whole numbers, none of them large, that a table beats a dictionary."""
    if not isinstance(column, np.ndarray) or column.dtype.kind not in "iu" or len(column) < 100:
        return False
    return 0 <= column.min() and column.max() < len(column)


def _encode_whole(column, name, values):
    """The same for many small whole numbers: a table in place of a dictionary, or nothing to do where they are 0 … k − 1."""
    column = column.astype(np.intp, copy=False)  # a narrow type would overflow where codes are combined
    values = np.flatnonzero(np.bincount(column)).tolist() if values is None else list(dict.fromkeys(values))
    if values == list(range(len(values))) and column.max() < len(values):
        return values, column
    codes = np.full(max(column.max(), *values) + 1, -1)
    codes[values] = np.arange(len(values))
    found = codes[column]
    if found.min() < 0:
        raise _unknown(name, int(column[found.argmin()]), values)
    return values, found


def _unknown(name, value, values):
    return ValueError(f"{name} must be one of {names(values)}, got {value!r}; declare it in `domains` if it may occur")


def _numbers(X, attributes=None):
    """(names or None, a 2-d array of finite numbers, is it one example?); a table's columns in the order of `attributes`."""
    given = None
    if hasattr(X, "columns") or is_mapping(X):
        given = _named(X)
        _same_names(given, attributes or given)
    try:
        if given is not None:
            X = np.transpose([np.asarray(X[name], dtype=float) for name in attributes or given])
        array = np.asarray(X, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"X must be rows of numbers, all of one length, got {X!r}") from None
    if array.ndim not in (1, 2) or not array.size:
        raise ValueError(f"X must be rows of numbers, at least one, got shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("X must hold finite numbers, got NaN or infinity")
    return given, np.atleast_2d(array), array.ndim == 1


def _counts(X, attributes=None):
    given, array, one = _numbers(X, attributes)
    if (array < 0).any():
        raise ValueError(f"X must hold counts of at least 0, got {array.min():g}")
    return given, array, one


def _word_counts(X, attributes=None):
    """The same for words, of which a document holds few: a scipy sparse matrix stays one."""
    if not hasattr(X, "tocsr"):
        return _counts(X, attributes)
    X = X.tocsr().astype(float, copy=False)
    if not all(X.shape):
        raise ValueError(f"X must be rows of numbers, at least one, got shape {X.shape}")
    _counts(X.data if X.nnz else [0])
    return None, X, False


def _few(X):
    """X as a sparse matrix, where most counts are 0."""
    if hasattr(X, "tocsr") or np.count_nonzero(X) > 0.1 * X.size:
        return X
    from scipy.sparse import csr_array

    return csr_array(X)


def _missing(y):
    """Which labels are missing: None, NaN, or what a pandas column takes for one."""
    if isinstance(y, str) or not hasattr(y, "__len__"):
        raise ValueError(f"y must be one row of classes, got {y!r}")
    if hasattr(y, "isna"):
        return np.asarray(y.isna())
    if isinstance(y, np.ndarray) and y.ndim == 1 and y.dtype.kind in "iubSU":
        return np.zeros(len(y), bool)
    return np.array([each is None or (isinstance(each, float) and each != each) for each in y], bool)


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
