"""Claims about section 05's models: the numbers of the syllabus, scikit-learn's answers, counting, and the words of errors."""

import itertools
import math
import re

import nbformat
import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import VotingClassifier
from sklearn.metrics import ConfusionMatrixDisplay
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import bayeslib as bl
from bayeslib import live
from bayeslib.models import naive_bayes
from bayeslib.models._checks import NotFitted
from bayeslib.models.naive_bayes import borders, count, log_normal
from tests.lab import ROOT

TABLE = bl.data.load_play_tennis()
X, Y = TABLE.drop(columns="PlayTennis"), TABLE["PlayTennis"]
DAY = {"Outlook": "sunny", "Temperature": "cool", "Humidity": "high", "Wind": "strong"}
TENNIS = bl.NaiveBayes().fit(X, Y)


# The numbers of the syllabus


def test_ten_estimates_give_0053_and_0206_and_no_with_795():
    factors = TENNIS.explain(DAY)
    assert sum(len(each) for each in factors.values()) == 10
    assert factors["prior"] == pytest.approx({"yes": 9 / 14, "no": 5 / 14})
    assert factors["Wind = strong"] == pytest.approx({"yes": 3 / 9, "no": 3 / 5})
    scores = TENNIS.scores(DAY)
    assert scores == pytest.approx({"yes": 1 / 189, "no": 18 / 875})
    assert {each: round(score, 4) for each, score in scores.items()} == {"yes": 0.0053, "no": 0.0206}
    assert scores == pytest.approx({each: math.prod(f[each] for f in factors.values()) for each in TENNIS.classes_})
    assert TENNIS.predict(DAY) == "no"
    assert TENNIS.predict_proba(DAY) == pytest.approx({"yes": 125 / 611, "no": 486 / 611})


def test_thirteen_of_the_fourteen_rows_come_out_right_and_row_6_does_not():
    wrong = np.flatnonzero(TENNIS.predict(X) != Y)
    assert wrong.tolist() == [5]
    assert TENNIS.predict_proba(X)[5, TENNIS.classes_.tolist().index("no")] == pytest.approx(0.178, abs=5e-4)


@pytest.mark.parametrize(
    "patrons, wait, slip", [("Full", 0.4286, (0.40, 0.53)), ("Some", 1, (1.2, 0)), ("None", 0, (0, 0.8))]
)
def test_restaurant_with_thai_food_and_rain(patrons, wait, slip):
    table = bl.data.load_restaurant()
    X = table[["Cuisine", "Patrons", "Raining"]]
    model = bl.NaiveBayes().fit(X, table["Wait"])
    guest = {"Cuisine": "Thai", "Patrons": patrons, "Raining": "yes"}
    assert model.predict_proba(guest)["yes"] == pytest.approx(wait, abs=5e-5)
    scores, marginals = model.scores(guest), math.prod((X[name] == value).mean() for name, value in guest.items())
    assert (scores["yes"] / marginals, scores["no"] / marginals) == pytest.approx(slip, abs=5e-3)


def test_zero_counts_at_m_0_veto_and_virtual_examples_lift_the_veto():
    day = {**DAY, "Outlook": "overcast"}
    assert TENNIS.scores(day)["no"] == 0 and TENNIS.predict_proba(day)["no"] == 0
    assert TENNIS.log_scores(day)["no"] == -math.inf
    for m, no in ((1, 0.145), (3, 0.256), ("laplace", 0.278)):
        assert bl.NaiveBayes(m=m).fit(X, Y).predict_proba(day)["no"] == pytest.approx(no, abs=5e-4)


def test_gaussian_minus_four_belongs_to_the_wide_class_and_the_narrow_one_owns_a_strip():
    wide = bl.GaussianNaiveBayes(var_smoothing=0).fit([[-1], [1], [1], [5]], ["A", "A", "B", "B"])
    assert wide.theta_.ravel().tolist() == [0, 3] and wide.var_.ravel().tolist() == [1, 4]
    assert np.exp(wide.log_densities([[-4]]))[0, :, 0] == pytest.approx([0.00013, 0.00044], abs=5e-6)
    assert wide.predict([-4]) == "B" and wide.predict([[-3.4], [1.4], [-3.5], [1.5]]).tolist() == ["A", "A", "B", "B"]
    assert borders((0, 3), (1, 4), (0.5, 0.5)) == pytest.approx([-3.42, 1.42], abs=5e-3)


def test_six_tiny_documents():
    documents = ["match goal team", "team wins match", "goal goal match"]
    documents += ["salt butter pan", "pan heat butter", "match salt taste"]
    words = sorted(set(" ".join(documents).split()))

    def bag(text):
        return [text.split().count(word) for word in words]

    counted = [bl.MultinomialNaiveBayes(m).fit([*map(bag, documents)], 3 * ["sport"] + 3 * ["cook"]) for m in (0, 9)]
    assert counted[0].predict_proba(bag("match butter"))["sport"] == 0
    assert counted[1].predict_proba(bag("match butter"))["sport"] == pytest.approx(0.4)
    assert counted[1].predict_proba(bag("match goal"))["sport"] == pytest.approx(8 / 9)
    with pytest.raises(ValueError, match="row 0 has a zero count in every class: 0/0"):
        counted[0].predict(bag("goal butter butter butter"))


# Second opinions: scikit-learn


tables = st.integers(1, 4).flatmap(
    lambda wide: st.lists(
        st.tuples(st.lists(st.integers(0, 3), min_size=wide, max_size=wide), st.integers(0, 2)), min_size=1, max_size=30
    )
)


def _split(rows):
    return np.array([row for row, _ in rows]), np.array([each for _, each in rows])


@given(tables)
def test_laplace_is_categorical_nb_with_alpha_1(rows):
    X, y = _split(rows)
    ours = bl.NaiveBayes(m="laplace", domains={place: range(4) for place in range(X.shape[1])}).fit(X, y)
    peer = CategoricalNB(alpha=1, min_categories=4).fit(X, y)
    assert ours.classes_.tolist() == peer.classes_.tolist()
    assert ours.predict_proba(X) == pytest.approx(peer.predict_proba(X))
    assert ours.log_scores(X) == pytest.approx(peer.predict_joint_log_proba(X))


@given(
    st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=4, max_size=20, unique_by=(lambda p: p[0],)),
    st.lists(st.tuples(st.floats(-60, 60), st.floats(-60, 60)), min_size=1, max_size=5),
)
def test_gaussian_is_gaussian_nb(points, asked):
    y = [number % 2 for number in range(len(points))]
    ours, peer = bl.GaussianNaiveBayes().fit(points, y), GaussianNB().fit(points, y)
    assert ours.theta_ == pytest.approx(peer.theta_) and ours.var_ == pytest.approx(peer.var_)
    assert ours.predict_proba(asked) == pytest.approx(peer.predict_proba(asked), abs=1e-9)


@given(tables, st.floats(0.01, 5))
def test_multinomial_is_multinomial_nb(rows, alpha):
    X, y = _split(rows)
    ours, peer = bl.MultinomialNaiveBayes(m=alpha * X.shape[1]).fit(X, y), MultinomialNB(alpha=alpha).fit(X, y)
    assert ours.log_table_ == pytest.approx(peer.feature_log_prob_)
    assert ours.predict_proba(X) == pytest.approx(peer.predict_proba(X))


# Properties


@given(tables)
def test_m_0_is_counting(rows):
    X, y = _split(rows)
    model = bl.NaiveBayes().fit(X, y)
    for each, column in itertools.product(model.classes_, range(X.shape[1])):
        mine = X[y == each, column]
        for value, probability in model.table(column)[each].items():
            assert probability == (mine == value).sum() / len(mine)
            assert model.counts(column)[each][value] == (mine == value).sum()
    scores = [[math.prod([(y == c).mean(), *(X[y == c] == row).mean(axis=0)]) for c in model.classes_] for row in X]
    assert model.scores(X) == pytest.approx(np.array(scores))


@given(tables, st.sampled_from([0, 0.5, 3, "laplace"]), st.randoms(use_true_random=False))
def test_probabilities_sum_to_1_and_no_order_matters(rows, m, random):
    X, y = _split(rows)
    table = pd.DataFrame(X, columns=list("abcd")[: X.shape[1]])
    model = bl.NaiveBayes(m=m).fit(table, y)
    proba = model.predict_proba(table)
    assert proba.sum(axis=1) == pytest.approx(1) and (proba >= 0).all()
    for name in table:
        assert all(sum(row.values()) == pytest.approx(1) for row in model.table(name).values())
    order, columns = random.sample(range(len(y)), len(y)), random.sample(list(table), X.shape[1])
    shuffled = bl.NaiveBayes(m=m).fit(table.iloc[order][columns], y[order])
    assert (shuffled.classes_ == model.classes_).all()
    assert shuffled.predict_proba(table[columns[::-1]]) == pytest.approx(proba)


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1), st.sampled_from([np.int8, np.uint16, np.int64]), st.sampled_from([0, 2, "laplace"]))
def test_the_integer_path_is_the_dictionary_path(seed, kind, m):
    random = np.random.default_rng(seed)
    X = random.choice([0, 1, 2, 5, 30, 100], (150, 3)).astype(kind)
    y = random.choice(np.array([0, 1, 7, 90, 101]), 150).astype(kind)
    fast = bl.NaiveBayes(m=m).fit(X, y)
    slow = bl.NaiveBayes(m=m).fit([[str(value) for value in row] for row in X.tolist()], y.tolist())
    assert fast.classes_.tolist() == slow.classes_.tolist() == sorted(set(y.tolist()))
    names = np.array([[str(value) for value in row] for row in X.tolist()])
    assert fast.log_scores(X) == pytest.approx(slow.log_scores(names))
    for column in range(3):
        told = {c: {str(v): n for v, n in row.items()} for c, row in fast.counts(column).items()}
        assert told == slow.counts(column)
    assert fast.predict_proba(X[:5]) == pytest.approx(fast.predict_proba(X)[:5]), "a few rows take the other path"


@given(
    st.tuples(st.floats(-5, 5), st.floats(-5, 5)),
    st.tuples(st.floats(0.2, 9), st.floats(0.2, 9)),
    st.floats(0.05, 0.95),
)
def test_at_a_border_the_two_weighted_densities_are_equal(mean, variance, share):
    found = borders(mean, variance, (share, 1 - share))
    assert len(found) <= 2 and found == sorted(found)

    def lead(x):
        a, b = (log_normal(x, m, v) for m, v in zip(mean, variance))
        return math.log(share) + a - math.log(1 - share) - b

    for x in found:
        if abs(x) < 1e6:
            assert lead(x) == pytest.approx(0, abs=1e-5 * (1 + x * x))


def test_borders_are_where_a_walk_finds_a_change():
    for spread in (0.5, 1, 2, 3.5):
        walk = np.arange(-40, 40, 0.001)
        a, b = log_normal(walk, 0, 1), log_normal(walk, 3, spread**2)
        seen = walk[np.flatnonzero(np.diff(np.sign(a - b)))]
        assert borders((0, 3), (1, spread**2), (0.5, 0.5)) == pytest.approx(seen, abs=2e-3)
    assert borders((0, 0), (1, 4), (0.01, 0.99)) == []
    assert borders((1, 1), (2, 2), (0.5, 0.5)) == [], "twins part nowhere"
    assert borders((0, 2e-311), (1, 1), (0.25, 0.75)) == [], "and near twins beyond every float"
    assert borders((-1, 1), (1, 1), (0.5, 0.5)) == [0]
    with pytest.raises(ValueError, match="variance must be a number at least 1e-100"):
        borders((1e100, 0), (1e-300, 1), (0.5, 0.5))
    assert borders((0, 0), (1, 4), (0.5, 0.5)) == pytest.approx([-1.3596, 1.3596], abs=5e-5)


def test_means_that_hardly_differ_have_a_border_far_away_or_none():
    assert borders((0, 1e-200), (1, 1), (0.5, 0.25)) == pytest.approx([1e200 * math.log(2)])
    assert borders((0, 2e-311), (1, 1), (0.5, 0.25)) == [], "farther than any number"
    assert borders((1e8, 1e8 + 2), (1, 1), (0.5, 0.5)) == [1e8 + 1]


# What goes in and what comes out


def test_tables_rows_arrays_and_examples_agree():
    rows = X.to_numpy().tolist()
    for form in (rows, [*map(tuple, rows)], X.to_numpy()):
        model = bl.NaiveBayes().fit(form, Y.tolist())
        assert model.attributes_ == [0, 1, 2, 3]
        assert model.predict_proba(rows) == pytest.approx(TENNIS.predict_proba(X))
        assert model.predict_proba(list(DAY.values())) == pytest.approx(TENNIS.predict_proba(DAY))
    assert TENNIS.predict(pd.Series(DAY)) == "no" and TENNIS.predict(X.iloc[[0]]).tolist() == ["no"]
    assert TENNIS.predict(dict(reversed(DAY.items()))) == "no"
    assert TENNIS.explain(X.iloc[0])["Outlook = sunny"]["no"] == 0.6
    assert isinstance(TENNIS.predict(DAY), str) and isinstance(TENNIS.scores(DAY)["no"], float)


def test_declared_values_that_were_never_seen_work():
    few = X[X["Outlook"] != "overcast"], Y[X["Outlook"] != "overcast"]
    with pytest.raises(ValueError, match="'Outlook'.*got 'overcast'; declare it in `domains`"):
        bl.NaiveBayes(m=1).fit(*few).predict({**DAY, "Outlook": "overcast"})
    told = bl.NaiveBayes(m=1, domains={"Outlook": ["sunny", "overcast", "rain"]}).fit(*few)
    assert told.table("Outlook")["no"]["overcast"] == pytest.approx((0 + 1 / 3) / (5 + 1))
    assert told.predict_proba({**DAY, "Outlook": "overcast"})["no"] > 0.5
    assert (
        bl.NaiveBayes(domains={"Outlook": ["sunny", "overcast", "rain"]}).fit(*few).table("Outlook")["no"]["overcast"]
        == 0
    )


def test_the_share_of_the_virtual_examples_can_be_given_value_by_value():
    model = bl.NaiveBayes(m=2, prior={"Wind": {"weak": 0.9, "strong": 0.1}}).fit(X, Y)
    assert model.table("Wind")["no"] == pytest.approx({"weak": (2 + 1.8) / 7, "strong": (3 + 0.2) / 7})
    assert model.table("Humidity")["no"]["high"] == pytest.approx((4 + 1) / 7)


def test_one_class_only_is_certain_and_unused_labels_are_no_class():
    assert bl.NaiveBayes().fit([["a"], ["b"]], ["yes", "yes"]).predict_proba(["a"]) == {"yes": 1}
    gap = bl.NaiveBayes().fit(np.arange(200)[:, None] % 2, np.arange(200) % 2 * 5)
    assert gap.classes_.tolist() == [0, 5] and gap.predict(np.array([[1]])).tolist() == [5]


def test_long_products_underflow_and_logs_do_not():
    wide = np.zeros((400, 400), int)
    wide[::2, :] = np.arange(400) % 3
    model = bl.NaiveBayes(m=1, domains={place: range(100) for place in range(400)}).fit(wide, np.arange(400) % 2)
    assert model.scores(wide[:1]).min() == 0
    assert np.isfinite(model.log_scores(wide[:1])).all() and model.predict(wide[:2]).tolist() == [0, 1]
    words = bl.MultinomialNaiveBayes().fit([[2, 1], [1, 2]], ["a", "b"])
    assert words.scores([2000, 1000]) == {"a": 0, "b": 0} and words.predict([2000, 1000]) == "a"
    assert words.predict_proba([2000, 1000])["a"] == pytest.approx(1)


def test_invented_days_follow_the_tables():
    days, labels = TENNIS.sample(20_000, random_state=0)
    assert TENNIS.sample(3, random_state=1) == TENNIS.sample(3, random_state=1)
    assert TENNIS.sample(0, random_state=1) == ([], [])
    assert labels.count("yes") / 20_000 == pytest.approx(9 / 14, abs=0.015)
    strong = [day["Wind"] == "strong" for day, each in zip(days, labels) if each == "no"]
    assert np.mean(strong) == pytest.approx(3 / 5, abs=0.02)
    assert not any(day["Outlook"] == "overcast" for day, each in zip(days, labels) if each == "no")


@pytest.mark.parametrize("model", [bl.GaussianNaiveBayes(), bl.MultinomialNaiveBayes()])
def test_numeric_tables_are_read_by_name(model):
    table = pd.DataFrame({"a": [1, 2, 8, 9], "b": [5, 7, 1, 2]})
    model.fit(table, ["low", "low", "high", "high"])
    assert model.predict_proba(table[["b", "a"]]) == pytest.approx(model.predict_proba(table))
    assert model.predict({"b": 1, "a": 9}) == model.predict([9, 1]) == "high"
    assert model.predict_proba(table.to_numpy()) == pytest.approx(model.predict_proba(table))
    with pytest.raises(ValueError, match=r"X must have the attributes of fit, \{'a', 'b'\}, got \{'a', 'c'\}"):
        model.predict(table.rename(columns={"b": "c"}))


# Errors name the argument, what was expected and what came


@pytest.mark.parametrize(
    "options, words",
    [
        ({"m": -1}, "m must be a number at least 0, got -1"),
        ({"m": math.nan}, "m must be a number at least 0, got nan"),
        ({"m": "add one"}, "m must be one number of at least 0, or 'laplace', got 'add one'"),
        ({"m": [1, 2]}, r"m must be one number of at least 0, or 'laplace', got \[1, 2\]"),
        ({"prior": 0.5}, "prior must map attributes to their shares"),
        ({"prior": {"Rain": {"yes": 1}}}, "prior must name only the attributes .*'Wind'}, got 'Rain'"),
        ({"prior": {"Wind": {"weak": 1}}}, r"prior\['Wind'\] must give a share to each of \{'weak', 'strong'\}, got"),
        ({"prior": {"Wind": 0.5}}, r"prior\['Wind'\] must give a share to each of"),
        ({"prior": {"Wind": {"weak": 1.2, "strong": -0.2}}}, r"prior\['Wind'\] must be a number between 0 and 1"),
        ({"prior": {"Wind": {"weak": 0.4, "strong": 0.4}}}, r"prior\['Wind'\] must sum to 1, got 0.8"),
        ({"domains": ["weak"]}, "domains must map attributes to their values"),
        ({"domains": {"Wind": "weak"}}, r"domains\['Wind'\] must list the values of 'Wind', got 'weak'"),
        ({"domains": {"Wind": []}}, r"domains\['Wind'\] must list the values of 'Wind', got \[\]"),
        ({"domains": {"Rain": ["yes"]}}, "domains must name only the attributes .*'Wind'}, got 'Rain'"),
        ({"domains": {"Wind": ["weak"]}}, r"X\['Wind'\] must be one of \{'weak'\}, got 'strong'"),
    ],
)
def test_bad_settings_are_named(options, words):
    with pytest.raises(ValueError, match=words):
        bl.NaiveBayes(**options).fit(X, Y)


@pytest.mark.parametrize(
    "rows, labels, words",
    [
        ([], [], "X must hold at least one example"),
        ([[]], ["yes"], "X must hold at least one example"),
        (X.iloc[:0], [], "X must hold at least one example"),
        (np.zeros((0, 3), int), [], "X must hold at least one example"),
        ({}, [], "X must hold at least one example"),
        (None, ["yes"], "X must be a table, rows of values or an example, got None"),
        ("sunny", ["yes"], "X must be a table, rows of values or an example, got 'sunny'"),
        (np.zeros((2, 2, 2)), [0, 1], "X must be a table, rows of values or an example"),
        ([["a", "b"], ["c"]], ["yes", "no"], "X must have rows of one length, 2 as in row 0, got 1 in row 1"),
        (X, Y[:-1], "y must have one class for each of the 14 rows of X, got 13"),
        (X, None, "y must be one row of classes, at least one, got None"),
        (X, TABLE, "y must be one row of classes, at least one, got"),
        ([["a"]], [["yes"]], "y must be one row of classes"),
        ([["a"], ["b"]], [1.0, math.nan], "y must have a class for every row"),
        ([["a"], ["b"]], ["yes", math.nan], "y must have a class for every row"),
        ([["a"], ["b"]], ["yes", None], "y must have a class for every row"),
        ([["a"], ["b"]], ["yes", pd.NA], "y must have a class for every row"),
        ([["a"], ["b"]], [1, "one"], "y must hold classes of one kind"),
        ([["a"], [None]], ["yes", "no"], r"X\[0\] must have no missing value, got None"),
        ([["a"], [pd.NA]], ["yes", "no"], r"X\[0\] must have no missing value, got <NA>"),
        (csr_array([[1, 0]]), ["yes"], "X must be a table, rows of values or an example"),
        ([["a"], [math.nan]], ["yes", "no"], r"X\[0\] must have no missing value, got nan"),
        ([[["a"]], [["b"]]], ["yes", "no"], r"X\[0\] must hold plain values"),
        (pd.DataFrame([["a", "b"]], columns=["Wind", "Wind"]), ["yes"], "X must name each attribute once, got 'Wind'"),
    ],
)
def test_bad_examples_are_named_and_leave_nothing_fitted(rows, labels, words):
    model = bl.NaiveBayes()
    with pytest.raises(ValueError, match=words):
        model.fit(rows, labels)
    with pytest.raises(ValueError, match="is not fitted yet: call fit first"):
        model.predict(DAY)


@pytest.mark.parametrize(
    "asked, words",
    [
        ({**DAY, "Wind": "breeze"}, r"X\['Wind'\] must be one of \{'weak', 'strong'\}, got 'breeze'; declare it"),
        ({"Outlook": "sunny"}, "X must have the attributes of fit, .*'Wind'}, got {'Outlook'}"),
        ({**DAY, "Rain": "yes"}, "X must have the attributes of fit, .*'Rain'}"),
        (TABLE, "X must have the attributes of fit, .*'PlayTennis'}"),
        (["sunny", "cool"], "X must have 4 attributes as in fit, got 2"),
        ([], "X must hold at least one example"),
        ({**DAY, "Wind": ["weak"]}, r"X\['Wind'\] must hold plain values"),
    ],
)
def test_bad_questions_are_named(asked, words):
    for ask in (TENNIS.predict, TENNIS.predict_proba, TENNIS.scores, TENNIS.log_scores):
        with pytest.raises(ValueError, match=words):
            ask(asked)
    with pytest.raises(ValueError, match=words.replace("X", "x", 1)):
        TENNIS.explain(asked)


def test_unknown_whole_numbers_are_named_on_the_fast_path():
    whole = np.arange(200)[:, None] % 4
    model = bl.NaiveBayes().fit(whole, whole[:, 0] % 2)
    with pytest.raises(ValueError, match=r"X\[0\] must be one of \{0, 1, 2, 3\}, got 7"):
        model.predict(np.full((200, 1), 7))
    with pytest.raises(ValueError, match=r"X\[0\] must be one of \{0, 2\}, got 1"):
        bl.NaiveBayes(domains={0: [0, 2]}).fit(whole, whole[:, 0])


def test_other_bad_questions_are_named():
    with pytest.raises(ValueError, match="x must be one example, got 14 rows"):
        TENNIS.explain(X)
    for ask in (TENNIS.table, TENNIS.counts):
        with pytest.raises(ValueError, match="attribute must be one of .*, got 'Rain'"):
            ask("Rain")
    for n in (-1, 2.5, True):
        with pytest.raises(ValueError, match="n must be a whole number of at least 0"):
            TENNIS.sample(n)
    for ask in ("predict", "predict_proba", "scores", "log_scores", "explain", "table", "counts", "sample"):
        with pytest.raises(ValueError, match="is not fitted yet"):
            getattr(bl.NaiveBayes(), ask)(1)
    for model in (bl.GaussianNaiveBayes(), bl.MultinomialNaiveBayes()):
        for ask in (model.predict, model.predict_proba, model.scores):
            with pytest.raises(ValueError, match="is not fitted yet"):
                ask([[1.0]])


def test_nothing_over_nothing_is_explained_not_nan():
    model = bl.NaiveBayes().fit([["a", "c"], ["b", "d"]], ["yes", "no"])
    assert model.scores(["a", "d"]) == {"yes": 0, "no": 0}
    for ask in (model.predict, model.predict_proba):
        with pytest.raises(
            ValueError, match="row 1 has a zero count in every class: 0/0 is no probability. Use m above"
        ):
            ask([["a", "c"], ["a", "d"]])


@pytest.mark.parametrize(
    "rows, words",
    [
        ([["a"], ["b"]], "X must be rows of numbers"),
        ([[1, 2], [3]], "X must be rows of numbers"),
        ({"a": [1, 2], "b": [1]}, "X must be rows of numbers"),
        ([[1.0], [math.nan]], "X must hold numbers .* none missing, got nan in row 1, attribute 0"),
        ([[1.0], [None]], "X must hold numbers .* none missing, got nan in row 1, attribute 0"),
        ([[1.0], [1e200]], "X must hold numbers between -1e.100 and 1e.100"),
        ([[1.0], [1j]], "X must be rows of numbers"),
        ([], "X must have two axes, rows and attributes"),
        (np.zeros((2, 2, 2)), "X must have two axes, rows and attributes"),
    ],
)
def test_bad_numbers_are_named(rows, words):
    for model in (bl.GaussianNaiveBayes(), bl.MultinomialNaiveBayes()):
        with pytest.raises(ValueError, match=words):
            model.fit(rows, [0, 1])


def test_bad_settings_of_the_numeric_models_are_named():
    with pytest.raises(ValueError, match="var_smoothing must be a number at least 0"):
        bl.GaussianNaiveBayes(var_smoothing=-1)
    with pytest.raises(ValueError, match="m must be a number at least 0"):
        bl.MultinomialNaiveBayes(m=-1)
    with pytest.raises(ValueError, match="X must hold counts of at least 0, got -1"):
        bl.MultinomialNaiveBayes().fit([[1, -1]], ["a"])
    with pytest.raises(ValueError, match="column 1 is constant in class 'a', and a Gaussian of width 0"):
        bl.GaussianNaiveBayes(var_smoothing=0).fit([[1, 2], [2, 2], [3, 1], [4, 5]], list("aabb"))
    with pytest.raises(ValueError, match="n \\+ m must be above 0"):
        bl.MultinomialNaiveBayes(m=0).fit([[0, 0], [1, 1]], ["a", "b"])
    for model in (bl.GaussianNaiveBayes(), bl.MultinomialNaiveBayes()):
        model.fit([[1, 2], [2, 3], [4, 1], [5, 0]], [0, 0, 1, 1])
        with pytest.raises(ValueError, match="X must have 2 attributes as in fit, got 3"):
            model.predict([[1, 2, 3]])
    with pytest.raises(ValueError, match="variance and prior must be above 0"):
        borders((0, 1), (1, 0), (0.5, 0.5))


# What runs is what is taught


@settings(max_examples=40)
@given(tables, st.booleans(), st.integers(0, 2**32 - 1))
def test_the_twin_counts_what_count_counts(rows, weighted, seed):
    X, y = _split(rows)
    weights = np.random.default_rng(seed).integers(1, 5, len(y)) / 2 if weighted else None
    slow = bl.NaiveBayes().fit(X, y, weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(naive_bayes, "LESSON_SIZE", 0)
        fast = bl.NaiveBayes().fit(X, y, weights)
    for column in range(X.shape[1]):
        assert fast.counts(column) == slow.counts(column)
    assert (fast.log_scores(X) == slow.log_scores(X)).all()


def test_lessons_and_figures_count_as_the_section_says(monkeypatch):
    calls = []

    def counted(*args):
        calls.append(len(args[0]))
        return count(*args)

    def refused(*_):
        raise AssertionError("a lesson counted by the fast twin")

    monkeypatch.setattr(naive_bayes, "count", counted)
    monkeypatch.setattr(naive_bayes._fast_naive_bayes, "count", refused)
    cells = nbformat.read(next(ROOT.glob("notebooks/05-*.ipynb")), 4).cells
    code = [cell.source for cell in cells if cell.cell_type == "code" and not re.search(r"live\.|check\(", cell.source)]
    exec("\n".join(["import math", "import pandas as pd", "import bayeslib as bl", *code]), {})
    lesson = len(calls)
    for figure in (live.count_days(), live.day_factors(), live.closed_world(), live.overclaim(), live.smoothed_days()):
        for preset in figure.presets:
            figure.preset(preset)
    assert lesson > 0 and len(calls) > lesson and max(calls) <= naive_bayes.LESSON_SIZE


# The conventions of scikit-learn


MODELS = [bl.NaiveBayes(m=1), bl.GaussianNaiveBayes(), bl.MultinomialNaiveBayes()]


def clouds(kind=float):
    """Sixty rows of three whole numbers in two classes."""
    random = np.random.default_rng(0)
    y = np.arange(60) % 2
    return np.clip(random.poisson(1 + 3 * y[:, None] * [1, 0, 1] + 3 * (1 - y[:, None]) * [0, 1, 0]), 0, 6).astype(
        kind
    ), y


def every_value(model):
    """NaiveBayes asks which values exist; a fold may not hold them all."""
    return (
        model.set_params(domains={column: range(7) for column in range(3)})
        if "domains" in model.get_params()
        else model
    )


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_scikit_learn_can_work_with_it(model):
    X, y = clouds(int)
    model = every_value(sklearn.clone(model))
    again = sklearn.clone(model)
    assert again.get_params() == model.get_params() and not hasattr(again, "classes_")
    assert is_classifier(model) and cross_val_score(model, X, y).mean() > 0.7
    piped = make_pipeline(FunctionTransformer(), again).fit(X, y)
    assert piped.score(X, y) == model.fit(X, y).score(X, y) == np.mean(model.predict(X) == y)
    name, values = next(
        (name, v) for name, v in (("m", [0.5, 5]), ("var_smoothing", [1e-9, 0.1])) if name in model.get_params()
    )
    found = GridSearchCV(again, {name: values}).fit(X, y)
    assert found.best_params_[name] in values
    voters = VotingClassifier([("one", model), ("two", again)], voting="soft").fit(X, y)
    assert (voters.predict(X) == model.predict(X)).all()
    assert CalibratedClassifierCV(model, cv=3).fit(X, y).predict_proba(X).sum(axis=1) == pytest.approx(1)
    shown = ConfusionMatrixDisplay.from_estimator(model, X, y)
    assert shown.confusion_matrix.trace() == (model.predict(X) == y).sum()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_fit_that_fails_changes_nothing(model):
    X, y = clouds(int)
    table = pd.DataFrame(X, columns=["a", "b", "c"])
    model = sklearn.clone(model).fit(table, y)
    before = model.predict_proba(table)
    for bad in (
        (table[["c", "b", "a"]], y[:-1]),
        (table, [[each] for each in y]),
        (table.assign(a=None), y),
        (X[:3], y),
    ):
        with pytest.raises(ValueError):
            model.fit(*bad)
        assert (model.predict_proba(table) == before).all() and model.feature_names_in_.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_columns_are_remembered_counted_and_put_in_order(model):
    X, y = clouds(int)
    table = pd.DataFrame(X, columns=["a", "b", "c"])
    model = sklearn.clone(model).fit(table, y)
    assert model.n_features_in_ == 3 and isinstance(model.classes_, np.ndarray)
    assert (model.predict(table[["c", "a", "b"]]) == model.predict(X)).all()
    for bad in (table.rename(columns={"a": "z"}), table[["a", "b"]], X[:, :2]):
        with pytest.raises(ValueError, match="X must have"):
            model.predict(bad)
    with pytest.raises(NotFitted):
        sklearn.clone(model).predict(X)
    with pytest.raises(ValueError, match="y must have one class for each of the 60 rows"):
        model.score(X, y[:-1])
    with pytest.raises(ValueError, match="y must hold classes of fit"):
        model.score(X, y + 7)


def test_parameters_are_kept_as_they_were_given():
    prior, domains = {"Wind": {"weak": 0.9, "strong": 0.1}}, {"Wind": ("weak", "strong")}
    model = bl.NaiveBayes(2, prior, domains)
    assert model.prior is prior and model.domains is domains and bl.NaiveBayes().prior is None
    assert (
        repr(bl.NaiveBayes()) == "NaiveBayes()"
        and repr(bl.GaussianNaiveBayes(0.1)) == "GaussianNaiveBayes(var_smoothing=0.1)"
    )
    assert repr(bl.MultinomialNaiveBayes(weight=0.1)) == "MultinomialNaiveBayes(weight=0.1)"
    with pytest.raises(ValueError, match="m must be a number at least 0, got -1"):
        model.set_params(m=-1)
    assert model.m == 2 and model.set_params(m=3).m == 3
    model.m = "add two"
    with pytest.raises(ValueError, match="m must be one number of at least 0, or 'laplace', got 'add two'"):
        model.fit(X, Y)


def test_what_was_learned_does_not_change_with_the_data():
    X, y = clouds()
    for model in (bl.GaussianNaiveBayes(), bl.MultinomialNaiveBayes()):
        given = X.copy()
        before = model.fit(given, y).predict_proba(X)
        given[:] = 0
        assert (model.predict_proba(X) == before).all()


def test_random_state_is_none_a_number_or_a_generator():
    assert TENNIS.sample(3, 7) == TENNIS.sample(3, np.random.default_rng(7))
    for bad in (-1, 1.5, "a", True):
        with pytest.raises(ValueError, match="random_state must be None, a whole number"):
            TENNIS.sample(3, random_state=bad)


@pytest.mark.parametrize(
    "mean, variance, prior, words",
    [
        (0, (1, 1), (0.5, 0.5), "mean must be a pair of numbers, got 0"),
        ((0, 1), [1], (0.5, 0.5), r"variance must be a pair of numbers, got \[1\]"),
        ((0, 1), (1, 1), (0.2, 0.3, 0.5), "prior must be a pair of numbers"),
        ((0, 1e300), (1, 1), (0.5, 0.5), "mean must be a number between"),
        ((0, 1), (1, 1e-300), (0.5, 0.5), "variance must be a number at least 1e-100, got 1e-300"),
    ],
)
def test_bad_borders_are_named(mean, variance, prior, words):
    with pytest.raises(ValueError, match=words):
        borders(mean, variance, prior)


def test_many_wide_rows_are_taken_in_parts_and_give_the_same():
    random = np.random.default_rng(0)
    y = random.integers(0, 4, 3000)
    X = random.normal(size=(3000, 60)) + y[:, None]
    ours, peer = bl.GaussianNaiveBayes().fit(X, y), GaussianNB().fit(X, y)
    assert ours.log_scores(X) == pytest.approx(peer.predict_joint_log_proba(X))
    assert ours.log_densities(X[:5]).sum(axis=2) + np.log(ours.class_count_ / 3000) == pytest.approx(
        ours.log_scores(X[:5])
    )
