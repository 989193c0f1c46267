"""Section 12: the corpus, and EM over partly labelled documents."""

import hashlib

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

import bayeslib as bl
from bayeslib.models import text


def documents(rows=60, words=30, k=3, seed=0, labels=4):
    """Counts of k kinds of documents, and labels of which most are missing."""
    random = np.random.default_rng(seed)
    kind = np.arange(rows) % k
    X = random.poisson(3 * random.dirichlet(np.full(words, 0.3), k)[kind] * words / 3)
    return X, [int(each) if place < k * labels else None for place, each in enumerate(kind)]


def peer(model, X, y, weight, rounds):
    """EM by a loop over scikit-learn: an unlabelled document comes once for each class, with its share as its weight."""
    known = np.array([each is not None for each in y])
    labels = np.array([each for each in y if each is not None])
    classes = np.unique(labels)
    model.fit(X[known], labels)
    for _ in range(rounds):
        weights = np.concatenate([np.ones(known.sum()), weight * model.predict_proba(X[~known]).T.ravel()])
        targets = np.concatenate([labels, np.repeat(classes, (~known).sum())])
        model.fit(np.concatenate([X[known], *[X[~known]] * len(classes)]), targets, sample_weight=weights)
    return model


# EM over documents


@pytest.mark.parametrize("weight, rounds", [(1.0, 0), (0.0, 2), (0.1, 7)])
@pytest.mark.parametrize("kind", [np.asarray, csr_array, pd.DataFrame], ids=["dense", "sparse", "table"])
def test_em_agrees_with_a_loop_over_scikit_learn(weight, rounds, kind):
    X, y = documents()
    for ours, theirs in ((bl.MultinomialNaiveBayes, MultinomialNB()), (bl.BernoulliNaiveBayes, BernoulliNB())):
        model = ours("laplace", weight, rounds, tol=0).fit(kind(X), y)
        peer(theirs, X, y, weight, rounds)
        assert model.feature_log_prob_ == pytest.approx(theirs.feature_log_prob_, abs=1e-6)
        assert model.predict_proba(kind(X)) == pytest.approx(theirs.predict_proba(X), abs=1e-6)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_a_missing_label_is_none_or_nan_or_what_pandas_says(missing):
    X, y = documents()
    column = pd.Series([missing if each is None else each for each in y], dtype=object)
    fits = [bl.MultinomialNaiveBayes().fit(X, each).feature_log_prob_ for each in (y, column, column.tolist())]
    assert (fits[0] == fits[1]).all() and (fits[0] == fits[2]).all()


def log_posterior(model, step, X, y):
    """Up to a constant, one document at a time."""
    words = X.sum(axis=1) @ [model.weight if each is None else 1 for each in y] / len(model.classes_)
    total = (min(1, 0.1 * words / X.shape[1]) if model.m == "capped" else 1) * step.log_table.sum()
    for row, label in zip(X, y):
        scores = step.log_prior + step.log_table @ row
        total += scores[label] if label is not None else model.weight * np.logaddexp.reduce(scores)
    return total


@settings(deadline=None, max_examples=30)
@given(
    st.integers(0, 10_000), st.sampled_from([0.05, 1.0, 2.0]), st.integers(2, 4), st.sampled_from(["laplace", "capped"])
)
def test_the_log_posterior_never_falls_and_shares_sum_to_1(seed, weight, k, m):
    X, y = documents(rows=24, words=8, k=k, seed=seed, labels=2)
    model = bl.MultinomialNaiveBayes(m, weight, 12, tol=0).fit(X, y)
    assert (np.diff([each.log_posterior for each in model.history_]) > -1e-8).all()
    for step in (model.history_[0], model.history_[-1]):
        assert step.log_posterior == pytest.approx(log_posterior(model, step, X, y))
        assert step.shares.sum(axis=1) == pytest.approx(1) and step.shares.shape == (y.count(None), k)
    assert model.class_count_.sum() == pytest.approx(2 * k + weight * y.count(None))


def test_capped_virtual_words_are_a_tenth_of_a_class_and_leave_the_docstrings_as_they_are():
    X, y = documents()
    for m, virtual in (("laplace", 30), ("capped", 0.1 * (X[:12].sum() + 0.01 * X[12:].sum()) / 3)):
        model = bl.MultinomialNaiveBayes(m, 0.01, 1).fit(X, y)
        table = (model.feature_count_ + virtual / 30) / (model.feature_count_.sum(axis=1, keepdims=True) + virtual)
        assert np.exp(model.feature_log_prob_) == pytest.approx(table)
    trials = [text.run_trial("three packages", 5, 0, m=m) for m in ("capped", "laplace")]
    assert (trials[0].log_posterior == trials[1].log_posterior).all()


def test_no_labels_is_clustering_and_another_start_swaps_the_names():
    X, _ = documents(rows=90, k=2)
    start = np.random.default_rng(0).dirichlet([1, 1], 90)
    model = bl.MultinomialNaiveBayes(classes=["A", "B"], max_iter=60)
    agree = [
        np.mean((model.fit(X, [None] * 90, each).predict(X) == "A") == 1 - np.arange(90) % 2)
        for each in (start, start[:, ::-1])
    ]
    assert max(agree) > 0.95 and sum(agree) == pytest.approx(1)


def test_components_of_a_class_sum_to_it_and_one_component_is_the_multinomial_model():
    X, y = documents()
    plain, mixed = bl.MultinomialNaiveBayes().fit(X, y), bl.MixtureNaiveBayes(1).fit(X, y)
    assert mixed.predict_proba(X) == pytest.approx(plain.predict_proba(X))
    model = bl.MixtureNaiveBayes(2, "laplace", max_iter=15, tol=0, random_state=1).fit(X, y)
    by_hand = np.exp(model.class_log_prior_ + X @ model.feature_log_prob_.T).reshape(len(X), 3, 2).sum(axis=2)
    assert model.predict_proba(X) == pytest.approx(by_hand / by_hand.sum(axis=1, keepdims=True))
    assert model.history_[-2].shares == pytest.approx(model.history_[-1].shares, abs=0.05)
    assert (np.diff([each.log_posterior for each in model.history_]) > -1e-6).all()


def test_top_words_are_those_with_the_largest_ratio():
    X, y = documents(words=12)
    names = list("abcdefghijkl")
    model = bl.MultinomialNaiveBayes(max_iter=5, tol=0).fit(pd.DataFrame(X, columns=names), y)
    assert len(model.history_) == 1 + 5, "the labels alone, and after each round"
    for number in (0, 5):
        inside, prior = np.exp(model.history_[number].log_table), np.exp(model.history_[number].log_prior)
        outside = (prior[1] * inside[1] + prior[2] * inside[2]) / (prior[1] + prior[2])
        wanted = [names[word] for word in np.argsort(-inside[0] / outside)[:5]]
        assert model.top_words(0, number, n=5) == wanted
    assert bl.MultinomialNaiveBayes(max_iter=5, tol=0).fit(X, y).top_words(0, n=5, words=names) == wanted


def test_without_smoothing_a_zero_stays_and_nothing_over_nothing_is_named():
    model = bl.MultinomialNaiveBayes(0, max_iter=10, tol=0).fit(
        [[2, 1, 0], [1, 1, 1], [1, 2, 1]], ["sport", "cook", None]
    )
    assert all(np.isneginf(each.log_table[1, 2]) for each in model.history_)
    assert model.history_[-1].shares[0].tolist() == [1, 0] and np.isfinite(model.history_[-1].log_posterior)
    with pytest.raises(ValueError, match="row 2 has a zero count in every class: 0/0"):
        bl.MultinomialNaiveBayes(0).fit([[1, 1, 0], [0, 1, 1], [1, 0, 1]], ["a", "b", None])
    seen = bl.BernoulliNaiveBayes(0).fit([[1, 0, 1], [1, 0, 0], [0, 1, 1]], ["a", "a", "b"])
    assert seen.predict_proba([[1, 0, 1], [0, 1, 1]]).tolist() == [[1, 0], [0, 1]]


# The corpus and its trials


def test_the_corpus_is_a_copy_that_no_installed_version_changes():
    found = text.load_docstrings()
    digest = hashlib.sha256("\0".join(each.text for each in found).encode()).hexdigest()
    assert digest.startswith("a037fb3f4aeabc4c")


def test_words_are_counted_where_three_documents_have_them():
    counts, words, _, names = text.task_data("two packages")
    texts = {each.name: each.text.lower() for each in text.load_docstrings()}
    row = names.index("numpy/linalg/_linalg: solve")
    said = "".join(letter if "a" <= letter <= "z" else " " for letter in texts[names[row]]).split()
    assert counts[row].sum() == sum(word in words for word in said)
    assert all(counts[row, words.index(word)] == said.count(word) for word in ("matrix", "equation", "the"))
    assert (counts > 0).sum(axis=0).min() >= 3 and "numpy" in said and "numpy" not in words


def test_splits_are_disjoint_nested_and_repeatable():
    y = ["a", "b", "b", "c"] * 10
    (train, given, test), fewer = text.split_documents(y, 3, 1), text.split_documents(y, 1, 1)
    assert sorted([*train, *test]) == list(range(40)) and len(test) == 10
    assert [given.count(each) for each in "abc"] == [3, 3, 3] and given.count(None) == 21
    assert all(label in (None, y[row]) for row, label in zip(train, given))
    assert (fewer[0] == train).all() and all(more == few for few, more in zip(fewer[1], given) if few is not None)


def test_a_trial_is_em_on_its_split():
    counts, _, y, names = text.task_data("two packages")
    trial, (train, given, test) = text.run_trial("two packages", 2, 4, weight=0.5), text.split_documents(y, 2, 4)
    assert trial.labelled == [names[row] for row, label in zip(train, given) if label is not None]
    truth = np.array(y)[test]
    for rounds in (0, 3, 10):
        model = peer(MultinomialNB(), counts[train].toarray(), given, 0.5, rounds)
        assert trial.accuracy[rounds] == np.mean(model.predict(counts[test]) == truth)
    assert trial.constant == max(np.mean(truth == name) for name in set(y)) and trial.unlabelled == len(train) - 4
    before, after = text.accuracies("two packages", 2, 0.5)
    assert (before[4], after[4]) == (trial.accuracy[0], trial.accuracy[-1])


def test_tales_are_split_by_pieces_or_by_whole_tales():
    tale = bl.data.load_tales()["tale"].to_numpy()
    for held in text.HOLD_OUT:
        for split in range(15):
            train, test = text.split_tales(held, split)
            assert sorted([*train, *test]) == list(range(221))
            assert bool(set(tale[train]) & set(tale[test])) == (held == "random pieces")


def test_two_texts_tell_a_third_apart():
    sea, oven = "the sea the ship the wind the sail".split(), "the oven the bread the salt the pan".split()
    found = text.compare_texts(sea * 20, oven * 20, sea * 3, labels=2, size=8)
    assert found.right == (10, 10) and (found.odds[2] > 0).all() and found.unlabelled == 26
    assert set(found.words[0][:4]) == {"sea", "ship", "wind", "sail"}


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: bl.MultinomialNaiveBayes(weight=-1).fit([[1]], ["a"]), "weight must"),
        (lambda: bl.MultinomialNaiveBayes().fit([[1], [2]], ["a"]), "y should"),
        (lambda: bl.MultinomialNaiveBayes().fit([[1], [2]], [None] * 2), "y must label at least one document"),
        (lambda: bl.MultinomialNaiveBayes(classes="abc").fit([[1]], ["a"]), "classes must"),
        (lambda: bl.MultinomialNaiveBayes(classes=["a"]).fit([[1], [2]], ["a", "b"]), "y must hold .* got 'b'"),
        (lambda: bl.MultinomialNaiveBayes(classes=["a", "b"]).fit([[1], [2]], ["a", None]), "y must label"),
        (lambda: bl.MultinomialNaiveBayes().fit([[1], [2]], ["a", None], [[0.5], [1]]), "start must"),
        (lambda: bl.MultinomialNaiveBayes().fit(csr_array([[1, -1]]), ["a"]), "X must"),
        (lambda: bl.MultinomialNaiveBayes().fit(csr_array((0, 2)), []), "X must have at least one row"),
        (lambda: bl.MultinomialNaiveBayes().fit([[1, 2]], ["a"]).top_words("a"), "label must"),
        (lambda: bl.MultinomialNaiveBayes().fit([[1], [2]], [0, 1]).top_words(0, 3), "iteration must"),
        (lambda: bl.MultinomialNaiveBayes().fit([[1], [2]], [0, 1]).top_words(0, words=list("ab")), "words must"),
        (lambda: bl.MultinomialNaiveBayes().fit([[1], [2]], [0, 1]).predict(csr_array([[1, 2]])), "X has 2 features"),
        (lambda: text.split_documents(list("ab") * 9, 20, 0), "labels must be at most .*, 6 of .*, got 20"),
        (lambda: text.task_data("nonsense"), "task must be one of .* got 'nonsense'"),
        (lambda: text.split_tales("random pieces", 15), "split must"),
        (
            lambda: text.compare_texts(["a"] * 48, ["b"] * 8, ["a"] * 8, 2, 8),
            "second must have at least 48 words, got 8",
        ),
    ],
)
def test_errors_name_the_argument(call, words):
    with pytest.raises(ValueError, match=words):
        call()
