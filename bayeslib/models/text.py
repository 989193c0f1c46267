"""Learning from documents of which few are labelled (section 12).

The documents are pieces of tales; documentation strings of three packages that the course runs on, copied once into
data/docstrings.jsonl.gz, so that a newer version of a package does not change the lesson (DATA-LICENCES.md names the
versions); then two texts of the reader's choice. The model is `MultinomialNaiveBayes`, which shares out the documents whose
label is missing.
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
from bayeslib.models._checks import generator, one_number, one_of, sequence, short, whole_number
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


def word_counts(texts, without=NAMES):
    """(counts, words): a row per text, a column per word that occurs in three of them, as a scipy sparse matrix (section 12).

    >>> counts, words = word_counts(["The duck, the king", "A duck and a king", "Duck!"])
    >>> counts.toarray().tolist(), words
    ([[1.0], [1.0], [1.0]], ['duck'])
    """
    texts, without = _texts(texts, "texts"), _texts(without, "without")
    bags = [_words(text) for text in texts]
    words = [word for word in _vocabulary(bags, least=3) if word not in without]
    return _counted(bags, words), words


def _texts(values, name):
    values = sequence(values, name, "texts")
    if not all(isinstance(each, str) for each in values):
        raise ValueError(f"{name} must be texts, got {short(values)}")
    return values


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
    counts, words = word_counts([document.text for document in chosen])
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


# Tales: pieces held out at random, or whole tales held out

HOLD_OUT = RANDOM, WHOLE = ("random pieces", "two tales")
AUTHORS = ("Andersen", "Grimm")
ALL = 200  # labels of each author: more than there are pieces


class TaleTrial(NamedTuple):
    """One split of the tales: rows to learn from, their labels, rows held out, and which of those are right in each round."""

    train: np.ndarray
    given: list
    test: np.ndarray
    right: np.ndarray
    model: MultinomialNaiveBayes


@cache
def tale_data():
    """(counts, words, authors, tales) of the 221 pieces, with the words that occur in at least three of them (section 12).

    >>> counts, words, authors, tales = tale_data()
    >>> counts.shape, authors.count("Andersen")
    ((221, 871), 105)
    """
    table = load_tales()
    return *word_counts(table["text"].tolist(), without=()), table["author"].tolist(), table["tale"].tolist()


@cache
def tale_pairs():
    """The 15 pairs of a tale by Andersen and one by the brothers Grimm (section 12).

    >>> tale_pairs()[0]
    ('The Little Match-Seller', 'Cinderella')
    """
    _, _, author, tale = tale_data()
    andersen, grimm = (list(dict.fromkeys(t for t, a in zip(tale, author) if a == name)) for name in AUTHORS)
    return [(one, other) for one in andersen for other in grimm]


def split_tales(hold_out, split):
    """(train, test): rows to learn from, and rows held out, which are a quarter at random or one of the pairs (section 12).

    >>> train, test = split_tales("two tales", split=0)
    >>> len(train), len(test)
    (185, 36)
    """
    hold_out, split = one_of(hold_out, "hold_out", HOLD_OUT), whole_number(split, "split", 0, len(tale_pairs()) - 1)
    tale, random = np.array(tale_data()[3]), np.random.default_rng(split)
    if hold_out == RANDOM:
        order = random.permutation(len(tale))
        return order[len(tale) // 4 :], order[: len(tale) // 4]
    held_out = np.isin(tale, tale_pairs()[split])
    return random.permutation(np.flatnonzero(~held_out)), np.flatnonzero(held_out)


def run_tales(hold_out, labels, split):
    """EM from labelled pieces, with add-one smoothing, as a `TaleTrial` (section 12).

    `labels` is how many of each author have a label, or a tuple of the rows that have one; a piece held out never has.

    >>> trial = run_tales("random pieces", labels=5, split=0)
    >>> trial.right.shape, trial.given.count(None), trial.right[[0, -1]].sum(axis=1).tolist()
    ((11, 55), 156, [44, 47])
    """
    train, test = split_tales(hold_out, split)
    counts, _, author, _ = tale_data()
    if isinstance(labels, tuple):
        given = [author[row] if row in labels else None for row in train.tolist()]
    else:
        given = _first_labels([author[row] for row in train], whole_number(labels, "labels"))
    if missing := set(AUTHORS) - set(given):
        raise ValueError(f"labels must include a piece of each author that is not held out, got none by {min(missing)}")
    model = MultinomialNaiveBayes("laplace", max_iter=ROUNDS, tol=0).fit(counts[train], given)
    return TaleTrial(train, given, test, _right(model, counts[test], [author[row] for row in test]), model)


def tale_constant(hold_out, split):
    """(author, pieces): who has more of the held-out pieces, and how many: the majority baseline (section 12).

    >>> tale_constant("two tales", split=0)
    ('Grimm', 26)
    """
    author = [tale_data()[2][row] for row in split_tales(hold_out, split)[1]]
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
