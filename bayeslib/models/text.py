"""Learning from documents of which few are labelled (section 12).

The documents are documentation strings of three packages that the course runs on, copied once into data/docstrings.jsonl.gz,
so that a newer version of a package does not change the lesson (DATA-LICENCES.md names the versions); then parts of tales;
then two texts of the reader's choice.

`e_step`, `m_step` and `em` are EM by hand, for a class of 0 or 1 and attributes of 0 or 1:

    E step   q = P(Y=1|x) = P(Y=1) Π_i P(x_i|Y=1) / Σ_y P(Y=y) Π_i P(x_i|Y=y), for rows without a label
    M step   P(Y=1) = Σ q / n,   P(X_i=1|Y=y) = (Σ [share of the row in y] x_i + a) / (Σ [share of the row in y] + 2a)

For counts of words, `MultinomialNaiveBayes` does the same; for their presence, and for the five rows, `BernoulliNaiveBayes`.
"""

import gzip
import json
import re
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from bayeslib.data import load_tales
from bayeslib.models._checks import (
    as_number,
    generator,
    one_number,
    one_of,
    one_probability,
    real,
    sequence,
    true_or_false,
    whole_number,
)
from bayeslib.models._checks import (
    labels as classes_of,
)
from bayeslib.models.naive_bayes import MultinomialNaiveBayes

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


def _word_counts(texts, without=NAMES):
    """(counts, words): a row per text and a column per word that occurs in three of them, as a scipy sparse matrix."""
    bags = [_words(text) for text in texts]
    words = [word for word in _vocabulary(bags, least=3) if word not in without]
    return _counted(bags, words), words


def _vocabulary(bags, least):
    """The words that occur in at least `least` bags, in order."""
    bags_with = Counter(word for bag in bags for word in set(bag))
    return sorted(word for word, number in bags_with.items() if number >= least)


def _counted(bags, words):
    """How often each word occurs in each bag."""
    from scipy.sparse import csr_array

    column = {word: place for place, word in enumerate(words)}
    rows = [row for row, bag in enumerate(bags) for word in bag if word in column]
    columns = [column[word] for bag in bags for word in bag if word in column]
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(bags), len(words)))


# Trials: few labels, many documents


# What to predict from the words: the class of each document, or None where it takes no part.
TASKS = {
    "two packages": lambda document: document.package if document.package != "PIL" else None,
    "three packages": lambda document: document.package,
    "class or function": lambda document: document.kind if document.package != "PIL" else None,
}
ROUNDS, SPLITS = 10, 10
WEIGHTS = 0, 0.01, 0.03, 0.1, 0.3, 1  # of an unlabelled document, to choose from


class Trial(NamedTuple):
    """The results of one split: the labelled documents by name, and round by round accuracy and log posterior (section 12).

    `constant` is the accuracy of always predicting the class that has most of the test documents.
    """

    labelled: list
    unlabelled: int
    constant: float
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
    counts, words = _word_counts([document.text for document in chosen])
    return counts, words, [TASKS[task](document) for document in chosen], [document.name for document in chosen]


def split_documents(y, labels, random_state):
    """(train, given, test): the rows to learn from, their labels, most of them None, and a quarter held out (section 12).

    The first `labels` labels of each class are given; so the two labels of a split are among its five.

    >>> train, given, test = split_documents(["a", "b"] * 4, labels=1, random_state=0)
    >>> train.tolist(), given, test.tolist()
    ([3, 6, 5, 0, 1, 7], ['b', 'a', None, None, None, None], [2, 4])
    """
    y, labels = sequence(y, "y", "classes"), whole_number(labels, "labels")
    known, order = classes_of(y, len(y))[0].tolist(), generator(random_state).permutation(len(y))
    train, test = order[len(y) // 4 :], order[: len(y) // 4]
    given = _first_labels([y[row] for row in train], labels)
    scarce = min(known, key=given.count)
    if given.count(scarce) < labels:
        raise ValueError(
            f"labels must be at most the documents of a class in y, {given.count(scarce)} of {scarce!r}, got {labels}"
        )
    return train, given, test


def _first_labels(y, labels):
    """The first `labels` labels of each class, and None for the others."""
    left, given = dict.fromkeys(y, labels), []
    for label in y:
        left[label] -= 1
        given.append(label if left[label] >= 0 else None)
    return given


def run_trial(task, labels, split, weight=1.0, m="laplace"):
    """EM from a number of labels of each class, with add-one smoothing; `accuracy[0]` is that of the labels alone (section 12).

    >>> trial = run_trial("two packages", labels=5, split=0)
    >>> len(trial.labelled), bool(trial.accuracy[-1] > trial.accuracy[0])
    (10, True)
    """
    counts, _, y, names = task_data(task)
    train, given, test = split_documents(y, labels, whole_number(split, "split", 0))
    model = MultinomialNaiveBayes(m, weight, max_iter=ROUNDS, tol=0).fit(counts[train], given)
    truth = [y[row] for row in test]
    right = _right(model, counts[test], truth)
    return Trial(
        [names[row] for row, label in zip(train, given) if label is not None],
        given.count(None),
        max(map(truth.count, set(y))) / len(truth),
        right.mean(axis=1),
        np.array([step.log_posterior for step in model.history_])[_padded(model.history_)],
        model,
    )


def _right(model, counts, y):
    """Which documents are classified right, a row for the start and for each round; one product for all rounds."""
    classes, history = model.classes_.tolist(), model.history_
    truth = np.array([classes.index(label) for label in y])
    tables = np.stack([step.log_table.T for step in history], axis=1)
    scores = (counts @ tables.reshape(len(tables), -1)).reshape(len(truth), *tables.shape[1:])
    right = ((scores + [step.log_prior for step in history]).argmax(axis=2) == truth[:, None]).T
    return right[_padded(history)]


def _padded(history):
    return [min(place, len(history) - 1) for place in range(ROUNDS + 1)]  # EM may have converged earlier


def accuracies(task, labels, weight=1.0, m="laplace"):
    """(labels alone, with unlabelled documents): the test accuracy of each split before and after EM (section 12).

    >>> alone, both = accuracies("three packages", labels=5)
    >>> bool((both > alone).all())
    True
    """
    task, labels = one_of(task, "task", TASKS), whole_number(labels, "labels")
    return _accuracies(task, labels, one_number(weight, "weight"), m if isinstance(m, str) else one_number(m, "m"))


def task_constant(task):
    """The mean accuracy of always predicting the class that has most of the test documents, the baseline to beat (section 12).

    >>> round(task_constant("class or function"), 3)
    0.864
    """
    y = task_data(task)[2]
    tests = [split_documents(y, 1, split)[2] for split in range(SPLITS)]
    return float(np.mean([max([y[row] for row in test].count(name) for name in set(y)) / len(test) for test in tests]))


@cache
def _accuracies(task, labels, weight, m):
    runs = [run_trial(task, labels, split, weight, m).accuracy for split in range(SPLITS)]
    return np.array([run[0] for run in runs]), np.array([run[-1] for run in runs])


def choose_weight(task, labels, split):
    """The weight that does best on half of the labelled documents, held out for validation (section 12).

    The test documents are not used, so they can still show how good the choice was. In a tie the first weight is chosen.

    >>> choose_weight("three packages", labels=50, split=0)
    0.1
    """
    counts, _, y, _ = task_data(task)
    train, given, _ = split_documents(y, whole_number(labels, "labels", 2), whole_number(split, "split", 0))
    few = _first_labels(given, labels // 2)
    held_out = np.array([label is None and was is not None for label, was in zip(few, given)])
    learn, truth = np.flatnonzero(~held_out), [y[row] for row in train[held_out]]
    scores = []
    for weight in WEIGHTS:
        model = MultinomialNaiveBayes("laplace", weight, ROUNDS, 0)
        model.fit(counts[train[learn]], [given[place] for place in learn])
        scores.append(model.score(counts[train[held_out]], truth))
    return WEIGHTS[int(np.argmax(np.round(scores, 9)))]


# Tales: parts held out at random, or whole tales held out

KEEP = ("random parts", "a pair of tales")
AUTHORS = ("Andersen", "Grimm")
ALL = 200  # labels of each author: more than there are parts


class TaleTrial(NamedTuple):
    """One split of the tales: rows to learn from, their labels, rows held out, and which of those are right in each round."""

    train: np.ndarray
    given: list
    test: np.ndarray
    right: np.ndarray
    model: MultinomialNaiveBayes


@cache
def _tales():
    table = load_tales()
    return *_word_counts(table["text"].tolist(), without=()), table["author"].tolist(), table["tale"].tolist()


def tale_words():
    """The words that occur in at least three parts of the tales, in order (section 12).

    >>> len(tale_words())
    871
    """
    return list(_tales()[1])


def tale_pairs():
    """The 15 pairs of a tale by Andersen and one by the brothers Grimm (section 12).

    >>> tale_pairs()[0]
    ('The Little Match-Seller', 'Cinderella')
    """
    _, _, author, tale = _tales()
    andersen, grimm = (list(dict.fromkeys(t for t, a in zip(tale, author) if a == name)) for name in AUTHORS)
    return [(one, other) for one in andersen for other in grimm]


def split_tales(keep, split):
    """(train, test): rows of the tales to learn from, and rows held out: a quarter at random, or one of the pairs (section 12).

    >>> train, test = split_tales("a pair of tales", split=0)
    >>> len(train), len(test)
    (185, 36)
    """
    keep, split = one_of(keep, "keep", KEEP), whole_number(split, "split", 0, len(tale_pairs()) - 1)
    tale, random = np.array(_tales()[3]), np.random.default_rng(split)
    if keep == KEEP[0]:
        order = random.permutation(len(tale))
        return order[len(tale) // 4 :], order[: len(tale) // 4]
    held_out = np.isin(tale, tale_pairs()[split])
    return random.permutation(np.flatnonzero(~held_out)), np.flatnonzero(held_out)


def run_tales(keep, labels, split):
    """EM from a number of labelled parts of each author, with add-one smoothing, as a `TaleTrial` (section 12).

    >>> trial = run_tales("random parts", labels=5, split=0)
    >>> trial.right.shape, trial.given.count(None)
    ((11, 55), 156)
    """
    (train, test), labels = split_tales(keep, split), whole_number(labels, "labels")
    counts, _, author, _ = _tales()
    given = _first_labels([author[row] for row in train], labels)
    model = MultinomialNaiveBayes("laplace", max_iter=ROUNDS, tol=0).fit(counts[train], given)
    return TaleTrial(train, given, test, _right(model, counts[test], [author[row] for row in test]), model)


def tale_accuracies(keep, labels):
    """(labels alone, with unlabelled parts): the accuracy on the held-out parts in each of 15 splits (section 12).

    >>> alone, both = tale_accuracies("random parts", labels=5)
    >>> len(alone), bool(both.mean() > alone.mean())
    (15, True)
    """
    return _tale_accuracies(one_of(keep, "keep", KEEP), whole_number(labels, "labels"))


@cache
def _tale_accuracies(keep, labels):
    runs = [run_tales(keep, labels, split).right.mean(axis=1) for split in range(len(tale_pairs()))]
    return np.array([run[0] for run in runs]), np.array([run[-1] for run in runs])


def tale_constant(keep, split):
    """(author, parts): who has more of the held-out parts, and how many: always predicting this author gets them right (section 12).

    >>> tale_constant("a pair of tales", split=0)
    ('Grimm', 26)
    """
    author = [_tales()[2][row] for row in split_tales(keep, split)[1]]
    best = max(AUTHORS, key=author.count)
    return best, author.count(best)


# Two texts of the reader's choice, and a third


class Comparison(NamedTuple):
    """What was learned from two texts: ln odds of the first against the second for the held-out parts of each and for those of
    the third text, after EM; how many held-out parts are right before and after; and the words that most favour each."""

    odds: list
    right: tuple
    unlabelled: int
    words: list


def compare_texts(first, second, third, labels, size):
    """Cut two sequences of words into parts of `size`, hold out the last quarter of each, label the first few of each, and
    let EM learn from the rest; then classify the parts held out, and those of a third text (section 12).

    >>> sea, oven = ["sea", "ship", "wind", "sail"], ["oven", "bread", "salt", "pan"]
    >>> both = compare_texts(sea * 8, oven * 8, ["ship", "salt", "sail", "sea"], labels=2, size=4)
    >>> both.right, both.unlabelled, [bool(side.all()) for side in (both.odds[0] > 0, both.odds[1] < 0, both.odds[2] > 0)]
    ((4, 4), 8, [True, True, True])
    """
    labels, size = whole_number(labels, "labels"), whole_number(size, "size")
    parts, least = [], {"first": labels + 4, "second": labels + 4, "third": 1}  # labelled, left unlabelled, held out
    for text, (name, number) in zip((first, second, third), least.items()):
        words = sequence(text, name, "words")
        if len(words) < number * size or not all(isinstance(word, str) for word in words):
            raise ValueError(f"{name} must have at least {number * size} words, got {len(words)}")
        parts.append([words[begin : begin + size] for begin in range(0, len(words) - size + 1, size)])
    words = _vocabulary([*parts[0], *parts[1]], 2)
    if not words:
        raise ValueError("first and second must have words that occur in two parts, got none")
    learn, held_out, given = [], [], []
    for name, text in enumerate(parts[:2]):
        last = len(text) - len(text) // 4
        learn, held_out = learn + text[:last], [*held_out, _counted(text[last:], words)]
        given += [name if row < labels else None for row in range(last)]
    model = MultinomialNaiveBayes("laplace", max_iter=ROUNDS, tol=0).fit(_counted(learn, words), given)
    right = sum(_right(model, rows, [name] * rows.shape[0]).sum(axis=1) for name, rows in enumerate(held_out))
    odds = [-np.diff(model.log_scores(rows), axis=1).ravel() for rows in (*held_out, _counted(parts[2], words))]
    top_words = [model.top_words(name, n=6, words=words) for name in (0, 1)]
    return Comparison(odds, (int(right[0]), int(right[-1])), given.count(None), top_words)


# EM by hand: a class and attributes of 0 or 1

# The table of the lecture: Y, X1 … X4, and two rows with unknown Y.
FIVE_ROWS = np.array([[0, 0, 1, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]])
FIVE_LABELS = np.array([1, 0, 0, np.nan, np.nan])


class Round(NamedTuple):
    """The estimates and their prediction for each row: P(Y=1), P(X_i=1|Y=0) and P(X_i=1|Y=1), q = P(Y=1|row)."""

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
    """q = P(Y=1|x) of each row without a label (NaN); a labelled row keeps its label, 0 or 1 (section 12).

    >>> e_step(0.5, [[0.2], [0.6]], [[1], [0]], [np.nan, 1]).round(3).tolist()
    [0.75, 1.0]
    """
    scores, y = log_joints(prior, table, X), _some_labels(y, len(X))
    unlabelled = np.isnan(y)
    impossible = unlabelled & np.isneginf(scores).all(axis=1)
    if impossible.any():
        row = impossible.argmax()
        raise ValueError(f"table must leave each row a chance, but row {row} has a zero in both classes: 0/0")
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(unlabelled, 1 / (1 + np.exp(scores[:, 0] - scores[:, 1])), y)


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
    """Start from the labelled rows, then E and M step in turn: a `Round` for the start and for each round (section 12).

    `weight` is how much an unlabelled row counts; `hard` rounds q to 0 or 1 before it is counted, which is another algorithm.

    >>> [step.q[3].round(4).item() for step in em(FIVE_ROWS, FIVE_LABELS, rounds=2)]
    [0.1494, 0.1224, 0.1125]
    """
    X, y, a = _zeros_and_ones(X), _some_labels(y, len(X)), one_number(a, "a", low=0)
    known = ~np.isnan(y)
    if set(y[known]) != {0, 1}:
        raise ValueError(f"y must label at least one row of each class, 0 and 1, got {sorted(set(y[known]))}")
    unlabelled_weight, hard = one_number(weight, "weight", low=0), true_or_false(hard, "hard")
    counts, q, history = known.astype(float), np.nan_to_num(y), []
    for _ in range(whole_number(rounds, "rounds", 0) + 1):
        shares = q.round() if hard else q
        prior, table = _estimates(X, counts * [1 - shares, shares], a)
        counts, q = np.where(known, 1, unlabelled_weight), e_step(prior, table, X, y)
        scores = log_joints(prior, table, X)
        labelled = scores[known, y[known].astype(int)].sum()
        evidence = unlabelled_weight * np.logaddexp(*scores[~known].T).sum()
        with np.errstate(divide="ignore"):
            virtual = a * np.log(table * (1 - table)).sum() if a else 0.0
        history.append(Round(prior, table, q, float(labelled + evidence + virtual)))
    return history


def _zeros_and_ones(X):
    X = as_number(X, "X", low=0, high=1)
    if np.ndim(X) != 2 or not X.size or not np.isin(X, (0, 1)).all():
        raise ValueError(f"X must be rows of 0 and 1, got {X!r}")
    return X


def _some_labels(y, rows):
    try:
        y = np.array(real([np.nan if label is None else label for label in y]), float)
    except (TypeError, ValueError, OverflowError):
        y = None
    if y is None or y.shape != (rows,) or not np.isin(y[~np.isnan(y)], (0, 1)).all():
        raise ValueError(f"y must hold 0, 1 or nan for each of {rows} rows, got {y!r}")
    return y
