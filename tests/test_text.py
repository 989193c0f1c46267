"""Section 12: the corpus, counts of words, EM over partly labelled documents and EM by hand."""

import hashlib
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array, vstack
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

import bayeslib as bl
from bayeslib.models import text
from bayeslib.models.text import FIVE_LABELS, FIVE_ROWS, e_step, em, m_step

EM = {"tol": 0}
ADD_ONE = {"m": "laplace", **EM}


def documents(rows=60, words=30, k=3, seed=0, labels=4):
    """Counts of k kinds of documents, and labels of which most are missing."""
    random = np.random.default_rng(seed)
    kind = np.arange(rows) % k
    X = random.poisson(3 * random.dirichlet(np.full(words, 0.3), k)[kind] * words / 3)
    return X, [int(each) if place < k * labels else None for place, each in enumerate(kind)]


def peer(X, y, weight, rounds):
    """The same by a loop over scikit-learn: an unlabelled document comes once for each class, with its share as its weight."""
    X = csr_array(X)
    known = np.array([each is not None for each in y])
    labels = np.array([each for each in y if each is not None])
    classes = np.unique(labels)
    model = MultinomialNB().fit(X[known], labels)
    stacked = vstack([X[known], *[X[~known]] * len(classes)]).tocsr()
    targets = np.concatenate([labels, np.repeat(classes, (~known).sum())])
    for _ in range(rounds):
        shares = model.predict_proba(X[~known])
        weights = np.concatenate([np.ones(known.sum()), weight * shares.T.ravel()])
        model = MultinomialNB().fit(stacked, targets, sample_weight=weights)
    return model


# EM over documents


@pytest.mark.parametrize("weight", [1.0, 0.1])
@pytest.mark.parametrize("rounds", [1, 7])
@pytest.mark.parametrize("kind", [np.asarray, csr_array, pd.DataFrame], ids=["dense", "sparse", "table"])
def test_em_agrees_with_a_loop_over_scikit_learn(weight, rounds, kind):
    X, y = documents()
    ours = bl.MultinomialNaiveBayes(weight=weight, max_iter=rounds, **ADD_ONE).fit(kind(X), y)
    theirs = peer(X, y, weight, rounds)
    assert ours.log_table_ == pytest.approx(theirs.feature_log_prob_, abs=1e-6)
    assert ours.predict_proba(kind(X)) == pytest.approx(theirs.predict_proba(X), abs=1e-6)
    gains = np.diff([each.log_posterior for each in ours.history_])
    assert len(gains) == rounds or abs(gains[-1]) < 1e-9, "it may stop early where rounding is all that moves"


def test_em_agrees_with_scikit_learn_on_the_docstrings():
    counts, _, y, _ = text.task_data("three packages")
    train, given, test = text.split_documents(y, 5, 0)
    ours = bl.MultinomialNaiveBayes(max_iter=10, **EM).fit(counts[train], given)
    theirs = peer(counts[train], given, 1.0, 10)
    assert ours.log_table_ == pytest.approx(theirs.feature_log_prob_, abs=1e-6)
    assert (ours.predict(counts[test]) == theirs.predict(counts[test])).all()


@pytest.mark.parametrize("kind", [np.asarray, csr_array, pd.DataFrame], ids=["dense", "sparse", "table"])
@pytest.mark.parametrize("rounds", [0, 1, 6])
def test_em_over_presence_agrees_with_a_loop_over_scikit_learn(rounds, kind):
    X, y = documents()
    ours = bl.BernoulliNaiveBayes(max_iter=rounds, **EM).fit(kind(X), y)
    known, names = np.array([each is not None for each in y]), [each for each in y if each is not None]
    theirs = BernoulliNB().fit(X[known], names)
    for _ in range(rounds):
        rows = np.vstack([X[known], *[X[~known]] * 3])
        targets = [*names, *np.repeat(theirs.classes_, (~known).sum())]
        weights = [*np.ones(known.sum()), *theirs.predict_proba(X[~known]).T.ravel()]
        theirs = BernoulliNB().fit(rows, targets, weights)
    assert ours.log_table_ == pytest.approx(theirs.feature_log_prob_, abs=1e-6)
    assert ours.predict_proba(kind(X)) == pytest.approx(theirs.predict_proba(X), abs=1e-6)
    assert (np.diff([each.log_posterior for each in ours.history_]) > -1e-9).all()


def test_the_five_rows_are_the_bernoulli_model():
    labels = [None if np.isnan(each) else int(each) for each in FIVE_LABELS]
    model = bl.BernoulliNaiveBayes(max_iter=3, **EM).fit(FIVE_ROWS, labels)
    for each, ours in zip(em(FIVE_ROWS, FIVE_LABELS, rounds=3), model.history_):
        assert ours.shares[:, 1] == pytest.approx(each.q[3:]) and np.exp(ours.log_table) == pytest.approx(each.table)
        assert ours.log_posterior == pytest.approx(each.log_posterior)


def test_presence_without_smoothing_vetoes_what_never_and_what_always_occurred():
    model = bl.BernoulliNaiveBayes(m=0).fit([[1, 0, 1], [1, 0, 0], [0, 1, 1]], ["a", "a", "b"])
    assert model.predict_proba([[1, 0, 1], [0, 1, 1]]).tolist() == [[1, 0], [0, 1]]
    with pytest.raises(ValueError, match="X"):
        model.predict([[1, 1, 1]])


@pytest.mark.parametrize("weight", [1.0, 0.1, 0.0])
@pytest.mark.parametrize("m", ["capped", "laplace"])
def test_one_component_a_class_is_the_multinomial_model(weight, m):
    X, y = documents()
    plain = bl.MultinomialNaiveBayes(m, weight, 8, 0).fit(X, y)
    mixed = bl.MixtureNaiveBayes(1, m, weight, 8, 0).fit(X, y)
    assert mixed.log_table_ == pytest.approx(plain.log_table_)
    assert mixed.predict_proba(X) == pytest.approx(plain.predict_proba(X))
    both = zip(mixed.history_, plain.history_)
    assert all(one.log_posterior == pytest.approx(other.log_posterior) for one, other in both)


@pytest.mark.parametrize("k", [2, 3])
def test_components_climb_keep_to_their_class_and_sum_to_it(k):
    X, y = documents()
    model = bl.MixtureNaiveBayes(k, "laplace", max_iter=15, tol=0, random_state=1).fit(X, y)
    gains = np.diff([each.log_posterior for each in model.history_])
    assert (gains > -1e-6).all() and model.log_table_.shape == (3 * k, X.shape[1])
    assert model.history_[-1].shares.sum(axis=1) == pytest.approx(1) and model.predict_proba(X).sum(
        axis=1
    ) == pytest.approx(1)
    by_hand = np.exp(model._log_prior + X @ model.log_table_.T).reshape(len(X), 3, k).sum(axis=2)
    assert model.predict_proba(X) == pytest.approx(by_hand / by_hand.sum(axis=1, keepdims=True))
    labelled = np.array([each is not None for each in y])
    alone = bl.MixtureNaiveBayes(k, "laplace", weight=0, random_state=1).fit(X, y)
    fewer = bl.MixtureNaiveBayes(k, "laplace", random_state=1)
    assert alone.class_count_.reshape(3, k).sum(axis=1) == pytest.approx([4, 4, 4])
    assert fewer.fit(X[labelled], [each for each in y if each is not None]).class_count_.sum() == pytest.approx(12)


def test_components_hold_a_class_of_two_kinds():
    """Three kinds of documents, of which two are one class: one table for it hurts, two tables do not."""
    random = np.random.default_rng(0)
    kinds, tables = np.arange(600) % 3, random.dirichlet(np.full(60, 0.2), 3)
    X = random.poisson(20 * tables[kinds])
    truth = np.where(kinds == 0, "one", "other")
    y = [each if row < 45 else None for row, each in enumerate(truth)]
    one, two = (bl.MixtureNaiveBayes(k, random_state=0).fit(X, y).score(X, truth) for k in (1, 2))
    assert two > 0.95 and two >= one


def test_all_labels_given_is_the_plain_fit():
    X, _ = documents()
    y = np.arange(len(X)) % 3
    plain, theirs = bl.MultinomialNaiveBayes().fit(X, y), MultinomialNB().fit(X, y)
    assert plain.log_table_ == pytest.approx(theirs.feature_log_prob_)
    assert bl.MultinomialNaiveBayes().fit(csr_array(X), y.tolist()).log_table_ == pytest.approx(plain.log_table_)
    assert plain.history_ == [] and plain.top_words(0, n=3) == plain.top_words(0, 0, n=3)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_a_missing_label_is_none_or_nan_or_what_pandas_says(missing):
    X, y = documents()
    wanted = bl.MultinomialNaiveBayes().fit(X, y).log_table_
    column = pd.Series([missing if each is None else each for each in y], dtype=object)
    assert bl.MultinomialNaiveBayes().fit(X, column).log_table_ == pytest.approx(wanted)
    assert bl.MultinomialNaiveBayes().fit(X, column.tolist()).log_table_ == pytest.approx(wanted)
    numbers = np.array([np.nan if each is None else each for each in y])
    assert bl.MultinomialNaiveBayes().fit(X, numbers).log_table_ == pytest.approx(wanted)


def log_posterior(model, step, X, y):
    """Up to a constant, one document at a time."""
    words = X.sum(axis=1) @ [model.weight if each is None else 1 for each in y] / len(model.classes_)
    virtual = min(1, 0.1 * words / X.shape[1]) if model.m == "capped" else 1
    total = virtual * step.log_table.sum()
    for row, label in zip(X, y):
        scores = step.log_prior + step.log_table @ row
        total += (
            model.weight * np.logaddexp.reduce(scores)
            if label is None
            else scores[model.classes_.tolist().index(label)]
        )
    return total


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 10_000),
    st.sampled_from([0.05, 0.3, 1.0, 2.0]),
    st.integers(1, 3),
    st.integers(2, 4),
    st.sampled_from(["laplace", "capped"]),
)
def test_the_log_posterior_never_falls_and_labels_stay(seed, weight, labels, k, m):
    X, y = documents(rows=24, words=8, k=k, seed=seed, labels=labels)
    model = bl.MultinomialNaiveBayes(m, weight, 12, **EM).fit(X, y)
    path = [each.log_posterior for each in model.history_]
    assert (np.diff(path) > -1e-8).all()
    for step in (model.history_[0], model.history_[-1]):
        assert step.log_posterior == pytest.approx(log_posterior(model, step, X, y))
        assert step.shares.sum(axis=1) == pytest.approx(1)
        assert np.exp(step.log_table).sum(axis=1) == pytest.approx(1)
    counted = model.class_count_.sum()
    assert counted == pytest.approx(sum(each is not None for each in y) + weight * y.count(None))


def test_weight_zero_is_the_labels_alone():
    X, y = documents()
    known = [place for place, each in enumerate(y) if each is not None]
    alone = bl.MultinomialNaiveBayes().fit(X[known], [y[place] for place in known])
    silent = bl.MultinomialNaiveBayes(weight=0).fit(X, y)
    assert silent.log_table_ == pytest.approx(alone.log_table_) and len(silent.history_) == 2
    start = bl.MultinomialNaiveBayes(max_iter=0).fit(X, y)
    assert start.log_table_ == pytest.approx(alone.log_table_) and len(start.history_) == 1


def zipf_documents(k=20, words=40_000, documents=8000, seed=0):
    """Documents of k kinds by Zipf's law: a kind likes some words better than others, and what came once comes again."""
    random, kind = np.random.default_rng(seed), np.arange(documents) % k
    likes = 1.5 * random.normal(size=(k, words)) * (random.random(words) < 0.3)
    edges = (np.exp(likes) / np.arange(1, words + 1)).cumsum(axis=1)
    document = np.repeat(np.arange(documents), np.maximum(3, random.lognormal(np.log(40), 0.7, documents).astype(int)))
    drawn, word = random.random(len(document)), np.empty(len(document), int)
    for each in range(k):
        mine = kind[document] == each
        word[mine] = np.searchsorted(edges[each] / edges[each, -1], drawn[mine])
    counts = random.geometric(1 / 3, len(document)).astype(float)
    return coo_array((counts, (document, word)), shape=(documents, words)).tocsr(), kind


def test_virtual_words_do_not_drown_documents_that_count_little():
    """15 labels of each of 20 kinds, 5700 documents without, 40,000 words: add one to each and a small weight ruins all."""
    X, kind = zipf_documents()
    y = [int(each) if place < 300 else None for place, each in enumerate(kind[:6000])]

    def accuracy(m, weight):
        return bl.MultinomialNaiveBayes(m, weight, max_iter=10).fit(X[:6000], y).score(X[6000:], kind[6000:])

    alone = bl.MultinomialNaiveBayes().fit(X[:300], kind[:300]).score(X[6000:], kind[6000:])
    assert alone == accuracy("capped", 0) and 0.6 < alone < 0.7
    assert accuracy("laplace", 1) > alone and accuracy("laplace", 0.01) < 0.15
    assert accuracy("capped", 1) > alone + 0.1 and accuracy("capped", 0.01) > alone + 0.1


def test_the_cap_leaves_labels_alone_and_full_weight_on_the_docstrings_as_they_are():
    X, y = documents()
    known = [place for place, each in enumerate(y) if each is not None]
    few, theirs = csr_array(X)[known], [y[place] for place in known]
    tables = [bl.MultinomialNaiveBayes(m).fit(few, theirs).log_table_ for m in ("capped", "laplace")]
    assert (tables[0] == tables[1]).all()
    for task in text.TASKS:
        trials = [text.run_trial(task, 5, 0, m=m) for m in ("capped", "laplace")]
        assert (trials[0].log_posterior == trials[1].log_posterior).all()
    heavy, light = (bl.MultinomialNaiveBayes(m, 0.01, 1).fit(X, y) for m in ("laplace", "capped"))
    counted = (X[known].sum() + 0.01 * (X.sum() - X[known].sum())) / 3
    for model, virtual in ((heavy, X.shape[1]), (light, 0.1 * counted)):
        table = (model.word_count_ + virtual / X.shape[1]) / (model.word_count_.sum(axis=1, keepdims=True) + virtual)
        assert np.exp(model.log_table_) == pytest.approx(table)


def test_no_labels_is_clustering_and_needs_a_start():
    X, _ = documents(rows=90, k=2)
    kind = np.arange(90) % 2
    start = np.random.default_rng(0).dirichlet([1, 1], 90)
    fits = [
        bl.MultinomialNaiveBayes(classes=["A", "B"], max_iter=60).fit(X, [None] * 90, each)
        for each in (start, start[:, ::-1])
    ]
    agree = [np.mean((model.predict(X) == "A") == (kind == 0)) for model in fits]
    assert max(agree) > 0.95 and sum(agree) == pytest.approx(1), "the other start swaps the names"
    with pytest.raises(
        ValueError, match="y must label at least one document of each class in classes, got none of 'A'; or give"
    ):
        bl.MultinomialNaiveBayes(classes=["A", "B"]).fit(X, [None] * 90)
    with pytest.raises(ValueError, match="got none of any class"):
        bl.MultinomialNaiveBayes().fit(X, [None] * 90)
    with pytest.raises(ValueError, match="classes must name the classes where y labels no document, got None"):
        bl.MultinomialNaiveBayes().fit(X, [None] * 90, start)


def test_top_words_are_those_with_the_largest_ratio():
    X, y = documents(words=12)
    table = pd.DataFrame(X, columns=list("abcdefghijkl"))
    model = bl.MultinomialNaiveBayes(max_iter=5, **EM).fit(table, y)
    for round_ in (0, 5):
        step = model.history_[round_]
        inside, prior = np.exp(step.log_table), np.exp(step.log_prior)
        outside = (prior[1] * inside[1] + prior[2] * inside[2]) / (prior[1] + prior[2])
        order = sorted(range(12), key=lambda word: -inside[0][word] / outside[word])
        assert model.top_words(0, round_, n=5) == [table.columns[word] for word in order[:5]]
    assert model.top_words(0) == model.top_words(0, 5) != model.top_words(0, 0)
    unnamed = bl.MultinomialNaiveBayes(max_iter=5, **EM).fit(X, y)
    assert unnamed.top_words(0, n=5, words=list(table.columns)) == model.top_words(0, n=5)
    assert [table.columns[column] for column in unnamed.top_words(0, n=5)] == model.top_words(0, n=5)
    with pytest.raises(ValueError, match=r"label must be one of \{0, 1, 2\}, got 7"):
        model.top_words(7)
    for bad in (6, -7, 1.5, True, None):
        with pytest.raises(ValueError, match="iteration must be a whole number from 0 to 5"):
            model.top_words(0, bad)
    for bad in (["a"], 5):
        with pytest.raises(ValueError, match="words must name each of the 12 columns"):
            unnamed.top_words(0, words=bad)
    with pytest.raises(ValueError, match="n must be a whole number of at least 1, got 0"):
        model.top_words(0, n=0)
    with pytest.raises(ValueError, match="is not fitted yet"):
        bl.MultinomialNaiveBayes().top_words("a")
    with pytest.raises(ValueError, match="label must have another class to be compared with, got 'a' alone"):
        bl.MultinomialNaiveBayes().fit([[1, 2]], ["a"]).top_words("a")


def test_without_smoothing_a_zero_stays_and_nothing_over_nothing_is_named():
    rows, labels = [[2, 1, 0], [1, 1, 1], [1, 2, 1]], ["sport", "cook", None]
    model = bl.MultinomialNaiveBayes(m=0, max_iter=10, **EM).fit(rows, labels)
    assert all(np.isneginf(each.log_table[1, 2]) for each in model.history_)
    assert model.history_[-1].shares[0].tolist() == [1, 0] and np.isfinite(model.history_[-1].log_posterior)
    assert "oven" not in model.top_words("sport", n=2, words=["ball", "goal", "oven"])
    with pytest.raises(ValueError, match="row 0 has a zero count in every class: 0/0"):
        bl.MultinomialNaiveBayes(m=0).fit([[1, 1, 0], [0, 1, 1], [1, 0, 1]], ["a", "b", None])


def test_an_empty_document_belongs_to_the_classes_by_their_prior():
    rows, labels = [[2, 0], [0, 2], [0, 3], [0, 0]], ["a", "b", "b", None]
    for kind in (list, lambda rows: csr_array(np.array(rows))):
        model = bl.MultinomialNaiveBayes(max_iter=5).fit(kind(rows), labels)
        assert model.history_[-1].shares[0] == pytest.approx([1 / 3, 2 / 3])
        assert model.predict_proba([0, 0]) == pytest.approx({"a": 1 / 3, "b": 2 / 3})
    nothing = bl.MultinomialNaiveBayes().fit(csr_array((3, 2)), ["a", "b", None])
    assert nothing.predict_proba([1, 0]) == pytest.approx({"a": 0.5, "b": 0.5})


@pytest.mark.parametrize(
    "options, X, y, start, words",
    [
        ({"weight": [1, 2]}, [[1]], ["a"], None, "weight must be one number"),
        ({"m": "scaled"}, [[1]], ["a"], None, "m must be one number of at least 0, or 'laplace' or 'capped', got"),
        ({"classes": [0, 1, 0]}, [[1]], [0], None, r"classes must name each class once, got \[0, 1, 0\]"),
        ({"classes": 5}, [[1]], [0], None, "classes must be a sequence of classes, got 5"),
        ({"classes": ["a", None]}, [[1]], ["a"], None, "classes must have a class for every row"),
        ({}, [[1e60]], ["a"], None, "X must hold counts of at most 1e.32, got 1e.60"),
        ({"weight": -1}, [[1]], ["a"], None, "weight must be a number between 0 and 1e.09, got -1"),
        ({"max_iter": 1.5}, [[1]], ["a"], None, "max_iter must be a whole number of at least 0, got 1.5"),
        ({"tol": np.nan}, [[1]], ["a"], None, "tol must be a number at least 0, got nan"),
        ({}, [[1], [2]], ["a"], None, "y must have one class, or a missing one, for each of the 2 rows of X, got 1"),
        ({}, [[1], [2]], "ab", None, "y must be one row of classes, got 'ab'"),
        ({}, [[1], [2]], 5, None, "y must be one row of classes, got 5"),
        ({"classes": ["a"]}, [[1], [2]], ["a", "b"], None, r"y must hold \{'a'\} as declared in classes, got 'b'"),
        (
            {"classes": "ab"},
            [[1], [2]],
            ["a", None],
            None,
            "y must label at least one document of each class in classes, got none of",
        ),
        ({}, [[1], [2]], ["a", None], [[0.5], [1]], "start must give each document shares that sum to 1, got 0.5"),
        (
            {},
            [[1], [2]],
            ["a", None],
            [[0.5, 0.5]] * 2,
            r"start must have a row per document and a column per class, \(2, 1",
        ),
        ({}, [[1], [2]], ["a", None], [[2], [1]], "start must be a number between 0 and 1"),
        ({}, csr_array([[1, -1]]), ["a"], None, "X must hold counts of at least 0, got -1"),
        ({}, csr_array([[1, np.nan]]), ["a"], None, "X must hold numbers .* none missing"),
        ({}, csr_array((0, 2)), [], None, "X must have at least one row and one attribute, got shape"),
    ],
)
def test_bad_input_of_the_documents_is_named(options, X, y, start, words):
    with pytest.raises(ValueError, match=words):
        bl.MultinomialNaiveBayes(**options).fit(X, y, start)


# The corpus


def test_the_docstrings_make_a_corpus_of_over_a_thousand_documents():
    found = text.load_docstrings()
    assert len(found) > 1000 and len({each.text for each in found}) == len(found)
    assert {each.package for each in found} == {"numpy", "matplotlib", "PIL"}
    assert {each.kind for each in found} == {"class", "function"}
    assert not [each.name for each in found if each.name.split(": ")[1].startswith("_")]
    assert text.load_docstrings() is found


def test_reading_the_corpus_imports_nothing_of_it():
    code = (
        "import sys, warnings; warnings.simplefilter('error')\n"
        "from bayeslib.models.text import load_docstrings; load_docstrings()\n"
        "print(sorted({'matplotlib', 'PIL', 'scipy', 'pandas'} & {name.split('.')[0] for name in sys.modules}))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_the_corpus_is_a_copy_that_no_installed_version_changes():
    """Every number of section 12 stands on these texts; a new copy would need a new lesson."""
    found = {each.name: each for each in text.load_docstrings()}
    packages = [each.package for each in found.values()]
    assert {name: packages.count(name) for name in packages} == {"numpy": 536, "matplotlib": 671, "PIL": 174}
    assert found["numpy/ma/core: MaskedArray"].kind == "class"
    assert found["numpy/linalg/_linalg: solve"].text.startswith("\n    Solve a linear matrix equation")
    digest = hashlib.sha256("\0".join(each.text for each in found.values()).encode()).hexdigest()
    assert digest.startswith("a037fb3f4aeabc4c")


def test_words_are_counted():
    counts, words = text.word_counts(["The cat, the CAT!", "a cat_s hat", "numpy hat", "", "of it"], least=2)
    assert words == ["cat", "hat"] and counts.toarray().tolist() == [[2, 0], [1, 1], [0, 1], [0, 0], [0, 0]]
    counts, words = text.word_counts(["one two", "two three three"], least=1, without={"one"})
    assert words == ["three", "two"] and counts.toarray().tolist() == [[0, 1], [2, 1]]
    with pytest.raises(
        ValueError, match="texts must share at least one word, one that occurs in 3 of them, got 2 texts"
    ):
        text.word_counts(["one", "two"])


def test_splits_are_disjoint_nested_and_repeatable():
    y = ["a", "b", "b", "c"] * 10
    train, given, test = text.split_documents(y, 3, 1)
    assert sorted([*train, *test]) == list(range(40)) and len(test) == 10
    assert [given.count(each) for each in "abc"] == [3, 3, 3] and given.count(None) == 21
    assert all(label in (None, y[row]) for row, label in zip(train, given))
    fewer = text.split_documents(y, 1, 1)
    assert (fewer[0] == train).all() and all(more == few for few, more in zip(fewer[1], given) if few is not None)
    assert text.split_documents(y, 3, 2)[1] != given
    with pytest.raises(ValueError, match="labels must be at most the documents of a class"):
        text.split_documents(y, 20, 0)
    with pytest.raises(ValueError, match="labels must be a whole number of at least 1, got 0"):
        text.split_documents(y, 0, 0)
    with pytest.raises(ValueError, match="task must be one of .* got 'nonsense'"):
        text.task_data("nonsense")


def test_a_trial_is_em_on_its_split():
    counts, _, y, names = text.task_data("two packages")
    trial = text.run_trial("two packages", 2, 4, weight=0.5)
    train, given, test = text.split_documents(y, 2, 4)
    assert trial.labelled == [names[row] for row, label in zip(train, given) if label is not None]
    assert trial.unlabelled == given.count(None) == len(train) - 4
    for rounds in (0, 3, 10):
        model = peer(counts[train], given, 0.5, rounds)
        assert trial.accuracy[rounds] == np.mean(model.predict(counts[test]) == np.array(y)[test])
    before, after = text.accuracies("two packages", 2, 0.5, splits=5)
    assert (before[4], after[4]) == (trial.accuracy[0], trial.accuracy[-1]) and len(after) == 5


def test_the_curve_has_the_shape_that_the_syllabus_promises():
    means = {labels: np.mean(text.accuracies("three packages", labels), axis=1) for labels in (1, 5, 50)}
    assert all(both > alone for alone, both in means.values())
    gains = {labels: both - alone for labels, (alone, both) in means.items()}
    assert gains[5] > gains[1] > gains[50]
    alone, both = text.accuracies("class or function", 20)
    assert (both < alone).all(), "clumps that are no classes"


# EM by hand

START = text.m_step(FIVE_ROWS[:3], FIVE_LABELS[:3])


def test_the_five_rows_by_hand():
    prior, table = START
    assert prior == pytest.approx(1 / 3)
    assert table == pytest.approx(np.array([[1 / 4, 1 / 2, 1 / 2, 1 / 4], [1 / 3, 1 / 3, 2 / 3, 2 / 3]]))
    q = e_step(prior, table, FIVE_ROWS, FIVE_LABELS)
    assert q == pytest.approx([1, 0, 0, float(Fraction(128, 857)), float(Fraction(128, 371))])
    assert q[3:].round(3).tolist() == [0.149, 0.345]
    prior, table = m_step(FIVE_ROWS, q)
    assert round(prior, 4) == 0.2989
    assert table.round(4).tolist() == [[0.1816, 0.6367, 0.5178, 0.3006], [0.2862, 0.4277, 0.6151, 0.6711]]
    history = em(FIVE_ROWS, FIVE_LABELS, rounds=200)
    assert history[1].prior == pytest.approx(prior) and history[1].table == pytest.approx(table)
    assert history[1].q[3:].round(4).tolist() == [0.1224, 0.308]
    assert history[-1].q[3:].round(4).tolist() == [0.1027, 0.2429]
    assert [round(each.log_posterior, 3) for each in history[:2]] == [-24.84, -24.392]


def test_other_choices_give_other_numbers():
    assert e_step(2 / 5, START[1], FIVE_ROWS, FIVE_LABELS)[3:].round(4).tolist() == [0.1897, 0.4126]
    assert e_step(1 / 3, START[1][:, 1:], FIVE_ROWS[:, 1:], FIVE_LABELS)[3:].round(4).tolist() == [0.1649, 0.3721]
    hard = em(FIVE_ROWS, FIVE_LABELS, rounds=1, hard=True)[1]
    assert hard.prior == pytest.approx(0.2) and hard.q[3:].round(4).tolist() == [0.0625, 0.1176]
    assert e_step(*START, FIVE_ROWS, [np.nan] * 5)[0].round(3) == 0.678


def test_plain_counting_has_nothing_to_say_about_row_five():
    prior, table = m_step(FIVE_ROWS[:3], FIVE_LABELS[:3], a=0)
    assert e_step(prior, table, FIVE_ROWS[:4], FIVE_LABELS[:4])[3] == 0
    with pytest.raises(ValueError, match="row 4 has a zero in both classes: 0/0"):
        e_step(prior, table, FIVE_ROWS, FIVE_LABELS)
    with pytest.raises(ValueError, match="0/0"):
        em(FIVE_ROWS, FIVE_LABELS, a=0)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.sampled_from([0.5, 1, 3]), st.sampled_from([0.0, 0.3, 1.0, 2.0]))
def test_em_by_hand_climbs_and_keeps_the_labels(seed, a, weight):
    random = np.random.default_rng(seed)
    X = random.integers(0, 2, (9, 3))
    y = np.array([0, 1, *random.choice([0, 1, np.nan], 7)])
    history = em(X, y, a=a, weight=weight, rounds=15)
    assert (np.diff([each.log_posterior for each in history]) > -1e-9).all()
    known = ~np.isnan(y)
    for each in history:
        assert (each.q[known] == y[known]).all() and ((each.q >= 0) & (each.q <= 1)).all()
    if weight == 0:
        assert history[-1].q == pytest.approx(history[0].q)
    if weight == 1:
        prior, table = m_step(X, history[0].q, a)
        assert (prior, table.ravel().tolist()) == (
            pytest.approx(history[1].prior),
            pytest.approx(history[1].table.ravel().tolist()),
        )


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: em([[0, 2]], [1]), "X must be a number between 0 and 1, got 2"),
        (lambda: em([[0, 0.5]], [1]), "X must be rows of 0 and 1"),
        (lambda: em([0, 1], [1, 0]), "X must be rows of 0 and 1"),
        (lambda: em([[0], [1]], [1]), "y must hold 0, 1 or nan for each of 2 rows"),
        (lambda: em([[0], [1]], [1, 2]), "y must hold 0, 1 or nan for each of 2 rows"),
        (lambda: em([[0], [1]], ["a", "b"]), "y must hold 0, 1 or nan for each row"),
        (lambda: em([[0], [1]], [1, None]), r"y must label at least one row of each class, 0 and 1, got \[.*1.0"),
        (lambda: em([[0], [1]], [1, 0], a=-1), "a must be a number at least 0, got -1"),
        (lambda: em([[0], [1]], [1, 0], weight=-1), "weight must be a number at least 0, got -1"),
        (lambda: em([[0], [1]], [1, 0], rounds=-1), "rounds must be a whole number of at least 0, got -1"),
        (lambda: m_step([[0], [1]], [0.5]), r"q must have one share per row of X, 2, got shape \(1,\)"),
        (lambda: m_step([[0], [1]], [0.5, 1.5]), "q must be a number between 0 and 1, got 1.5"),
        (lambda: m_step([[0], [1]], [1, 1], a=0), "a must be above 0 where a class has no rows, got 0"),
        (lambda: e_step(1.5, [[0.5], [0.5]], [[0]], [None]), "prior must be a probability"),
        (lambda: e_step(0.5, [[0.5], [2]], [[0]], [None]), "table must be a number between 0 and 1, got 2"),
        (
            lambda: e_step(0.5, [[0.5]], [[0]], [None]),
            r"table must have a row per class and a column per attribute, \(2, 1",
        ),
    ],
)
def test_bad_input_by_hand_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# Tales, and texts of one's own


def test_tales_are_split_by_parts_or_by_whole_tales():
    tale = bl.data.load_tales()["tale"].to_numpy()
    for keep in text.KEEP:
        for split in range(15):
            train, test = text.split_tales(keep, split)
            assert sorted([*train, *test]) == list(range(221))
            shared = set(tale[train]) & set(tale[test])
            assert bool(shared) == (keep == "random parts")
    with pytest.raises(ValueError, match="split must be"):
        text.split_tales("random parts", 15)


def test_few_labels_of_tales_are_nested_and_all_labels_need_no_em():
    few, more = (text.run_tales("a pair of tales", labels, 3) for labels in (2, 5))
    assert all(b == a for a, b in zip(few.given, more.given) if a) and more.given.count("Grimm") == 5
    known = text.run_tales("random parts", text.ALL, 0)
    assert None not in known.given and (known.right == known.right[0]).all()


def test_the_numbers_of_the_tales():
    """As the lesson says them: 15 random splits, 15 pairs, five labels of each author, and all of them."""
    means = {(k, n): [each.mean() for each in text.tale_accuracies(k, n)] for k in text.KEEP for n in (5, text.ALL)}
    assert means["random parts", 5] == pytest.approx([0.735, 0.835], abs=5e-4)
    assert means["a pair of tales", 5] == pytest.approx([0.546, 0.610], abs=5e-4)
    assert means["random parts", text.ALL][0] == pytest.approx(0.959, abs=5e-4)
    assert means["a pair of tales", text.ALL][0] == pytest.approx(0.639, abs=5e-4)


def test_weight_is_chosen_without_the_test_documents():
    y = text.task_data("three packages")[2]
    train, given_, test = text.split_documents(y, 20, 0)
    scores = {}
    counts = text.task_data("three packages")[0]
    for weight in (0, 1):
        learn = [row for row in range(len(train)) if given_[row] is None or given_[: row + 1].count(given_[row]) <= 10]
        back = [row for row in range(len(train)) if row not in set(learn)]
        model = bl.MultinomialNaiveBayes("laplace", weight, 10, 0)
        model.fit(counts[train[learn]], [given_[row] for row in learn])
        scores[weight] = model.score(counts[train[back]], [y[train[row]] for row in back])
    assert len(back) == 30 and not set(train[back]) & set(test)
    assert text.choose_weight("three packages", 20, 0, (0, 1)) == max(scores, key=scores.get)


def test_two_texts_tell_a_third_apart():
    sea, oven = "the sea the ship the wind the sail".split(), "the oven the bread the salt the pan".split()
    found = text.compare_texts(sea * 20, oven * 20, sea * 3, labels=2, size=8)
    assert found.right == (10, 10) and (found.odds[2] > 0).all() and found.unlabelled == 26
    assert set(found.words[0][:4]) == {"sea", "ship", "wind", "sail"}
    with pytest.raises(ValueError, match="second must have at least 48 words, got 8"):
        text.compare_texts(sea * 20, oven, sea, labels=2, size=8)
    with pytest.raises(ValueError, match="first and second must have words that occur in two parts"):
        unique = [f"word{k}" for k in range(200)]
        text.compare_texts(unique[:100], unique[100:], unique[:8], labels=2, size=8)
