"""Learning from text of which few documents have a label (section 12).

The documents are documentation strings of three packages that the course runs on, copied once into data/docstrings.jsonl.gz,
so that a newer version of a package does not change the lesson. DATA-LICENCES.md names the versions.

`e_step`, `m_step` and `em` are EM by hand, for a class of 0 or 1 and attributes of 0 or 1:

    E step   q = P(Y=1|x) = P(Y=1) Π_i P(x_i|Y=1) / Σ_y P(Y=y) Π_i P(x_i|Y=y), for rows without a label
    M step   P(Y=1) = Σ q / n,   P(X_i=1|Y=y) = (Σ [share of the row in y] x_i + a) / (Σ [share of the row in y] + 2a)

For counts of words, `MultinomialNaiveBayes` does the same.
"""

import gzip
import json
import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from bayeslib._checks import (
    as_number,
    generator,
    one_number,
    one_of,
    one_probability,
    real,
    sequence,
    short,
    whole_number,
)
from bayeslib.naive_bayes import MultinomialNaiveBayes

# Words that give the package away.
NAMES = {"numpy", "matplotlib", "pil", "pillow", "mpl", "plt", "pyplot"}


class Document(NamedTuple):
    """One documentation string, and what it is the documentation of."""

    name: str
    package: str
    kind: str  # "class" or "function"
    text: str


@cache
def load_docstrings():
    """The 1381 documentation strings, numpy's first, each of at least 20 words and no two alike (section 12).

    >>> load_docstrings()[0][:3]
    ('numpy/_core/fromnumeric: take', 'numpy', 'function')
    """
    packed = (files("bayeslib.data") / "docstrings.jsonl.gz").read_bytes()
    return [Document(*json.loads(line)) for line in gzip.decompress(packed).splitlines()]


def _words(text):
    return re.findall(r"[a-z]{3,}", text.lower())


def word_counts(texts, least=3, without=NAMES):
    """(counts, words): a row per text and a column per word, as a scipy sparse matrix (section 12).

    A word is three or more letters. Words in fewer than `least` texts are left out, and those in `without`.

    >>> counts, words = word_counts(["The cat and the dog", "The dog", "A cat"], least=2)
    >>> words
    ['cat', 'dog', 'the']
    >>> counts.toarray().astype(int).tolist()
    [[1, 1, 2], [0, 1, 1], [1, 0, 0]]
    """
    from scipy.sparse import csr_array

    texts, least = sequence(texts, "texts", "texts"), whole_number(least, "least")
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"texts must be a sequence of texts, got {short(texts)}")
    try:
        if isinstance(without, (str, bytes)):
            raise TypeError
        without = set(without)
    except TypeError:
        raise ValueError(f"without must be words to leave out, got {short(without)}") from None
    bags = [_words(text) for text in texts]
    spread = {}
    for bag in bags:
        for word in set(bag):
            spread[word] = spread.get(word, 0) + 1
    words = sorted(word for word, texts in spread.items() if texts >= least and word not in without)
    if not words:
        raise ValueError(f"texts must share at least one word, one that {least} of them hold, got {len(bags)} texts")
    column = {word: place for place, word in enumerate(words)}
    places = [[column[word] for word in bag if word in column] for bag in bags]
    ends = np.cumsum([0, *map(len, places)])
    counts = csr_array((np.ones(ends[-1]), np.concatenate(places), ends), shape=(len(bags), len(words)))
    counts.sum_duplicates()
    return counts, words


# Trials: few labels, many documents


# What is to be told from the words: the class of each document, or None where it takes no part.
TASKS = {
    "two packages": lambda document: document.package if document.package != "PIL" else None,
    "three packages": lambda document: document.package,
    "class or function": lambda document: document.kind if document.package != "PIL" else None,
}
ROUNDS = 10


class Trial(NamedTuple):
    """What came of one split: the labeled documents by name, and round by round accuracy and log posterior (section 12)."""

    labeled: list
    unlabeled: int
    accuracy: np.ndarray
    log_posterior: np.ndarray
    model: MultinomialNaiveBayes


def task_data(task):
    """(counts, words, labels, names) of the documents of a task (section 12).

    >>> counts, words, labels, names = task_data("two packages")
    >>> counts.shape == (len(labels), len(words))
    True
    """
    return _task_data(one_of(task, "task", TASKS))


@cache
def _task_data(task):
    chosen = [document for document in load_docstrings() if TASKS[task](document)]
    counts, words = word_counts([document.text for document in chosen])
    return counts, words, [TASKS[task](document) for document in chosen], [document.name for document in chosen]


def split_documents(y, labels, random_state):
    """(train, given, test): the rows to learn from, their labels, most of them None, and a quarter kept for the test.

    `labels` of each class are given, the first that come; so the two labels of one split are among its five (section 12).

    >>> train, given, test = split_documents(["a", "b"] * 4, labels=1, random_state=0)
    >>> train.tolist(), given, test.tolist()
    ([3, 6, 5, 0, 1, 7], ['b', 'a', None, None, None, None], [2, 4])
    """
    labels = whole_number(labels, "labels")
    try:
        y = list(y)
        left = dict.fromkeys(y, labels)
    except TypeError:
        raise ValueError(f"y must be one row of classes, got {short(y)}") from None
    order = generator(random_state).permutation(len(y))
    train, test = order[len(y) // 4 :], order[: len(y) // 4]
    given = []
    for row in train:
        left[y[row]] -= 1
        given.append(y[row] if left[y[row]] >= 0 else None)
    scarce = next((name for name, number in left.items() if number > 0), None)
    if scarce is not None:
        raise ValueError(
            f"labels must be at most the documents of a class in y, {labels - left[scarce]} of {scarce!r}, got {labels}"
        )
    return train, given, test


def run_trial(task, labels, split, weight=1.0, m="laplace"):
    """EM from so many labels of each class, with add-one smoothing; `accuracy[0]` is that of the labels alone (section 12).

    >>> trial = run_trial("two packages", labels=5, split=0)
    >>> len(trial.labeled), bool(trial.accuracy[-1] > trial.accuracy[0])
    (10, True)
    """
    counts, _, y, names = task_data(task)
    train, given, test = split_documents(y, labels, whole_number(split, "split", 0))
    model = MultinomialNaiveBayes(m, weight, max_iter=ROUNDS, tol=0).fit(counts[train], given)
    classes = model.classes_.tolist()
    truth = np.array([classes.index(y[row]) for row in test])
    tables = np.stack([each.log_table.T for each in model.history_], axis=1)  # one product for all rounds
    scores = (counts[test] @ tables.reshape(len(tables), -1)).reshape(len(test), *tables.shape[1:])
    right = ((scores + [each.log_prior for each in model.history_]).argmax(axis=2) == truth[:, None]).T
    padded = [min(place, len(right) - 1) for place in range(ROUNDS + 1)]  # EM may have come to rest before
    return Trial(
        [names[row] for row, label in zip(train, given) if label is not None],
        given.count(None),
        np.mean(right, axis=1)[padded],
        np.array([each.log_posterior for each in model.history_])[padded],
        model,
    )


def accuracies(task, labels, weight=1.0, splits=10, m="laplace"):
    """(labels alone, with unlabeled documents): the test accuracy of each split before and after EM (section 12).

    >>> alone, both = accuracies("three packages", labels=5, splits=2)
    >>> bool((both > alone).all())
    True
    """
    task, labels, splits = one_of(task, "task", TASKS), whole_number(labels, "labels"), whole_number(splits, "splits")
    MultinomialNaiveBayes(m, weight)  # says what is wrong with them
    return _accuracies(task, labels, float(weight), splits, m if isinstance(m, str) else float(m))


@cache
def _accuracies(task, labels, weight, splits, m):
    found = [run_trial(task, labels, split, weight, m).accuracy for split in range(splits)]
    return np.array([each[0] for each in found]), np.array([each[-1] for each in found])


# EM by hand: a class and attributes of 0 or 1

# The table of the lecture: Y, X1 … X4, and two rows whose Y nobody wrote down.
FIVE_ROWS = np.array([[0, 0, 1, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]])
FIVE_LABELS = np.array([1, 0, 0, np.nan, np.nan])


class Round(NamedTuple):
    """The estimates, and what they say of each row: P(Y=1), P(X_i=1|Y=0) and P(X_i=1|Y=1), q = P(Y=1|row)."""

    prior: float
    table: np.ndarray
    q: np.ndarray
    log_posterior: float


def log_joints(prior, table, X):
    """log P(Y=y) Π_i P(x_i|Y=y), a row per example and a column per y; `table[y, i]` is P(X_i=1|Y=y) (section 12).

    >>> np.exp(log_joints(0.5, [[0.2], [0.6]], [[1], [0]])).round(3).tolist()
    [[0.1, 0.3], [0.4, 0.2]]
    """
    prior, table = float(one_probability(prior, "prior")), np.asarray(as_number(table, "table", low=0, high=1))
    X = _zeros_and_ones(X)
    if table.shape != (2, X.shape[1]):
        raise ValueError(
            f"table must have a row per class and a column per attribute, (2, {X.shape[1]}), got {table.shape}"
        )
    with np.errstate(divide="ignore"):
        factors = np.log(np.where(X[:, None, :] == 1, table, 1 - table))
        return np.log([1 - prior, prior]) + factors.sum(axis=2)


def e_step(prior, table, X, y):
    """q = P(Y=1|x) of each row without a label (NaN); a labeled row keeps its label, 0 or 1 (section 12).

    >>> e_step(0.5, [[0.2], [0.6]], [[1], [0]], [np.nan, 1]).round(3).tolist()
    [0.75, 1.0]
    """
    scores, y = log_joints(prior, table, X), _some_labels(y, len(X))
    open_ = np.isnan(y)
    lost = open_ & np.isneginf(scores).all(axis=1)
    if lost.any():
        raise ValueError(f"table must leave each row a chance, but row {lost.argmax()} has a zero in both classes: 0/0")
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(open_, 1 / (1 + np.exp(scores[:, 0] - scores[:, 1])), y)


def m_step(X, q, a=1):
    """(P(Y=1), the table P(X_i=1|Y=y)): counts in which a row counts q for Y=1 and 1 − q for Y=0 (section 12).

    a virtual rows with 1 and a with 0 are added for each attribute and class; P(Y=1) is left as a count.

    >>> prior, table = m_step([[1], [0]], [0.75, 1.0])
    >>> prior, table.round(3).tolist()
    (0.875, [[0.556], [0.467]])
    """
    X, q, a = _zeros_and_ones(X), as_number(q, "q", low=0, high=1), one_number(a, "a", low=0)
    if np.shape(q) != (len(X),):
        raise ValueError(f"q must have one share per row of X, {len(X)}, got shape {np.shape(q)}")
    return _estimates(X, np.array([1 - q, q]), a)


def _estimates(X, shares, a):
    rows = shares.sum(axis=1)
    if not a and not rows.all():
        raise ValueError("a must be above 0 where a class has no rows, got 0")
    return float(rows[1] / rows.sum()), (shares @ X + a) / (rows + 2 * a)[:, None]


def em(X, y, a=1, weight=1.0, rounds=10, hard=False):
    """Start from the labeled rows, then E and M step in turn: a `Round` for the start and for each turn (section 12).

    `weight` is how much an unlabeled row counts; `hard` rounds q to 0 or 1 before it is counted, which is another algorithm.

    >>> [each.q[3].round(4).item() for each in em(FIVE_ROWS, FIVE_LABELS, rounds=2)]
    [0.1494, 0.1224, 0.1125]
    """
    X, a, weight = _zeros_and_ones(X), one_number(a, "a", low=0), one_number(weight, "weight", low=0)
    y = _some_labels(y, len(X))
    if not isinstance(hard, (bool, np.bool_)):
        raise ValueError(f"hard must be True or False, got {short(hard)}")
    known = ~np.isnan(y)
    if set(y[known]) != {0, 1}:
        raise ValueError(f"y must label at least one row of each class, 0 and 1, got {sorted(set(y[known]))}")
    counts, history = known.astype(float), []
    for _ in range(whole_number(rounds, "rounds", 0) + 1):
        shares = np.nan_to_num(y) if not history else history[-1].q.round() if hard else history[-1].q
        prior, table = _estimates(X, counts * [1 - shares, shares], a)
        scores = log_joints(prior, table, X)
        labeled = scores[known, y[known].astype(int)].sum()
        evidence = weight * np.logaddexp(*scores[~known].T).sum()
        with np.errstate(divide="ignore"):
            virtual = a * np.log(table * (1 - table)).sum() if a else 0.0
        history.append(Round(prior, table, e_step(prior, table, X, y), float(labeled + evidence + virtual)))
        counts = np.where(known, 1, weight)
    return history


def _zeros_and_ones(X):
    X = as_number(X, "X", low=0, high=1)
    if np.ndim(X) != 2 or not X.size or not np.isin(X, (0, 1)).all():
        raise ValueError(f"X must be rows of 0 and 1, got {X!r}")
    return X


def _some_labels(y, rows):
    try:
        y = np.array(real([np.nan if each is None else each for each in y]), float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"y must hold 0, 1 or nan for each row, got {y!r}") from None
    if y.shape != (rows,) or not np.isin(y[~np.isnan(y)], (0, 1)).all():
        raise ValueError(f"y must hold 0, 1 or nan for each of {rows} rows, got {y!r}")
    return y
