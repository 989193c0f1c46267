"""Section 05: the numbers of the syllabus, counting by hand, scikit-learn's answers, and two poets."""

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

import bayeslib as bl
from bayeslib.models import poets
from bayeslib.models.naive_bayes import borders, log_normal

TABLE = bl.data.load_play_tennis()
X, Y = TABLE.drop(columns="PlayTennis"), TABLE["PlayTennis"]
DAY = {"Outlook": "sunny", "Temperature": "cool", "Humidity": "high", "Wind": "strong"}
TENNIS = bl.NaiveBayes().fit(X, Y)


# The numbers of the syllabus


def test_ten_estimates_give_0053_and_0206_and_no_with_795():
    factors = TENNIS.explain(DAY)
    assert factors["prior"] == pytest.approx({"yes": 9 / 14, "no": 5 / 14})
    assert factors["Wind = strong"] == pytest.approx({"yes": 3 / 9, "no": 3 / 5})
    assert TENNIS.scores(DAY) == pytest.approx({"yes": 1 / 189, "no": 18 / 875})
    assert TENNIS.predict_proba(DAY) == pytest.approx({"yes": 125 / 611, "no": 486 / 611})
    assert TENNIS.predict(DAY) == "no"


def test_thirteen_of_the_fourteen_rows_come_out_right_and_row_6_does_not():
    assert np.flatnonzero(TENNIS.predict(X) != Y).tolist() == [5] and TENNIS.score(X, Y) == 13 / 14


def test_zero_counts_veto_and_virtual_examples_lift_the_veto():
    day = {**DAY, "Outlook": "overcast"}
    assert (
        TENNIS.scores(day)["no"] == TENNIS.predict_proba(day)["no"] == 0 and TENNIS.log_scores(day)["no"] == -math.inf
    )
    for m, no in ((1, 0.145), (3, 0.256), ("laplace", 0.278)):
        assert bl.NaiveBayes(m).fit(X, Y).predict_proba(day)["no"] == pytest.approx(no, abs=5e-4)
    with pytest.raises(ValueError, match="row 1 has a zero count in every class: 0/0"):
        bl.NaiveBayes().fit([["a", "c"], ["b", "d"]], [0, 1]).predict([["a", "c"], ["a", "d"]])


# Counting by hand, and scikit-learn

tables = st.integers(1, 4).flatmap(
    lambda wide: st.lists(
        st.tuples(st.lists(st.integers(0, 3), min_size=wide, max_size=wide), st.integers(0, 2)), min_size=1, max_size=30
    )
)


def _split(rows):
    return np.array([row for row, _ in rows]), np.array([each for _, each in rows])


@settings(max_examples=30)
@given(tables, st.randoms(use_true_random=False), st.sampled_from([np.int8, np.uint16, float, str]))
def test_m_0_is_counting_in_any_order(rows, random, kind):
    X, y = _split(random.sample(rows, len(rows)))
    model = bl.NaiveBayes().fit(pd.DataFrame(X.astype(kind), columns=list("abcd")[: X.shape[1]]), y)
    for each, (place, name) in (
        (each, named) for each in model.classes_ for named in enumerate(model.feature_names_in_)
    ):
        mine = Counter(X[y == each, place].astype(kind).tolist())
        assert {value: n for value, n in model.counts(name)[each].items() if n} == mine
        assert model.table(name)[each] == {value: mine[value] / mine.total() for value in model.table(name)[each]}
    scores = [[math.prod([(y == c).mean(), *(X[y == c] == row).mean(axis=0)]) for c in model.classes_] for row in X]
    asked = pd.DataFrame(X.astype(kind), columns=model.feature_names_in_).iloc[:, ::-1]
    assert model.scores(asked) == pytest.approx(np.array(scores))


@settings(max_examples=20)
@given(tables, st.integers(0, 2**32 - 1))
def test_naive_bayes_is_categorical_and_multinomial_and_gaussian_nb(rows, seed):
    X, y = _split(rows)
    weights = np.random.default_rng(seed).integers(1, 5, len(y)) / 2
    domains = {place: range(4) for place in range(X.shape[1])}
    ours, peer = (
        bl.NaiveBayes("laplace", domains).fit(X, y, weights),
        CategoricalNB(min_categories=4).fit(X, y, weights),
    )
    assert ours.log_scores(X) == pytest.approx(peer.predict_joint_log_proba(X))
    assert ours.predict_proba(X) == pytest.approx(peer.predict_proba(X))
    for kind, theirs in ((bl.MultinomialNaiveBayes, MultinomialNB()), (bl.BernoulliNaiveBayes, BernoulliNB())):
        ours, peer = kind().fit(X, y), theirs.fit(X, y)
        assert ours.feature_log_prob_ == pytest.approx(peer.feature_log_prob_)
        assert ours.predict_proba(csr_array(X)) == pytest.approx(peer.predict_proba(X))
        assert ours.log_scores(X) == pytest.approx(peer.predict_joint_log_proba(X))
    X = X + np.random.default_rng(seed).normal(size=X.shape)
    if len(y) > 1:
        ours, peer = bl.GaussianNaiveBayes().fit(X, y), GaussianNB().fit(X, y)
        assert ours.theta_ == pytest.approx(peer.theta_) and ours.var_ == pytest.approx(peer.var_)
        asked = ours.theta_ + np.sqrt(ours.var_)
        assert ours.log_scores(asked) == pytest.approx(peer.predict_joint_log_proba(asked))


@settings(max_examples=30)
@given(*[st.tuples(st.floats(low, 9), st.floats(low, 9)) for low in (-5, 0.2, 0.05)])
def test_borders_are_where_a_walk_sees_the_other_class_win(mean, variance, prior):
    walk = np.linspace(-60, 60, 200_001)
    first, second = (math.log(p) + log_normal(walk, m, v) for m, v, p in zip(mean, variance, prior))
    seen = walk[np.flatnonzero(np.diff(first > second))]
    found = [x for x in borders(mean, variance, prior) if abs(x) < 60]
    assert borders((-1, 1), (1, 1), (0.5, 0.5)) == [0] and borders((1, 1), (2, 2), (0.5, 0.5)) == []
    assert len(seen) == len(found) and found == pytest.approx(seen.tolist(), abs=2e-3) or np.ptp(found) < 2e-3


def test_long_products_underflow_and_logs_do_not():
    words = bl.MultinomialNaiveBayes().fit([[2, 1], [1, 2]], ["a", "b"])
    assert words.scores([2000, 1000]) == {"a": 0, "b": 0} and words.predict([2000, 1000]) == "a"
    assert words.predict_proba([2000, 1000])["a"] == pytest.approx(1)


# What goes in and what comes out


class Columns(dict):
    """Columns by name, without pandas, as in polars."""

    columns = property(list)


def test_tables_rows_arrays_and_examples_agree():
    wanted, rows = TENNIS.predict_proba(X), X.to_numpy().tolist()
    for form in (rows, X.to_numpy(), Columns(X)):
        model = bl.NaiveBayes().fit(form, Y.tolist())
        assert model.predict_proba(form) == pytest.approx(wanted)
        assert model.predict(list(DAY.values())) == "no"
    assert TENNIS.predict(pd.Series(DAY)) == TENNIS.predict(dict(reversed(DAY.items()))) == "no"
    words = bl.MultinomialNaiveBayes().fit(pd.DataFrame({"a": [1, 8], "b": [7, 1]}), ["low", "high"])
    assert words.predict({"b": 1, "a": 9}) == words.predict([9, 1]) == "high"


def test_values_that_were_never_seen_can_be_declared():
    few, kinds = X["Outlook"] != "overcast", {"Outlook": ["sunny", "overcast", "rain"]}
    told = bl.NaiveBayes(1, kinds).fit(X[few], Y[few])
    assert told.table("Outlook")["no"]["overcast"] == pytest.approx((0 + 1 / 3) / (5 + 1))
    with pytest.raises(ValueError, match="'Outlook'.*got 'overcast'; declare it in `domains`"):
        bl.NaiveBayes(1).fit(X[few], Y[few]).predict({**DAY, "Outlook": "overcast"})


def test_invented_days_follow_the_tables():
    days, labels = TENNIS.sample(5000, random_state=0)
    strong = [day["Wind"] == "strong" for day, each in zip(days, labels) if each == "no"]
    assert labels.count("yes") / 5000 == pytest.approx(9 / 14, abs=0.02)
    assert np.mean(strong) == pytest.approx(3 / 5, abs=0.04)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: bl.NaiveBayes(-1).fit(X, Y), "m must .* got -1"),
        (lambda: bl.NaiveBayes("add one").fit(X, Y), "m must .* got 'add one'"),
        (lambda: bl.NaiveBayes(domains=["weak"]).fit(X, Y), "domains must map"),
        (lambda: bl.NaiveBayes(domains={"Wind": "weak"}).fit(X, Y), "domains of .*Wind.* must"),
        (lambda: bl.NaiveBayes(domains={"Rain": ["yes"]}).fit(X, Y), "domains must name only .* got 'Rain'"),
        (lambda: bl.NaiveBayes().fit([{"Wind": "weak"}] * 2, [0, 1]), "X must be a table"),
        (lambda: bl.NaiveBayes().fit({"Wind": ["weak", "strong"]}, [0, 1]), "X must be a table"),
        (lambda: bl.NaiveBayes().fit([["a", "b"], ["c"]], [0, 1]), "X must be"),
        (lambda: bl.NaiveBayes().fit("sunny", ["yes"]), "X must be"),
        (lambda: bl.NaiveBayes().fit([[]], ["yes"]), "X must hold at least one example"),
        (lambda: bl.NaiveBayes().fit(X.iloc[:0], []), "X must hold at least one example"),
        (lambda: bl.NaiveBayes().fit([["a"], [None]], [0, 1]), r"X\[0\] must .* got None"),
        (lambda: bl.NaiveBayes().fit([[1.0], [math.inf]], [0, 1]), r"X\[0\] must .* got inf"),
        (lambda: bl.NaiveBayes().fit([[1.0], [1j]], [0, 1]), r"X\[0\] must .* got 1j"),
        (lambda: bl.NaiveBayes().fit([["a"], [{}]], [0, 1]), r"X\[0\] must hold plain values"),
        (lambda: bl.NaiveBayes().fit(TABLE[["Wind", "Wind"]], Y), "X must name each attribute once"),
        (lambda: bl.NaiveBayes().fit([["a"], ["b"]], [0.5, 1.25]), "y must .* not whole"),
        (lambda: bl.NaiveBayes().fit(X, Y, (Y == "no") * 1.0), "sample_weight must give each class"),
        (lambda: TENNIS.predict({**DAY, "Wind": "breeze"}), r"X\['Wind'\] must be one of .* got 'breeze'"),
        (lambda: TENNIS.predict({"Outlook": "sunny"}), "X must have the attributes of fit"),
        (lambda: TENNIS.predict(["sunny", "cool"]), "X has 2 features, but NaiveBayes is expecting 4"),
        (lambda: TENNIS.explain(X), "x must be one example, got 14 rows"),
        (lambda: TENNIS.table("Rain"), "attribute must be one of .* got 'Rain'"),
        (lambda: TENNIS.sample(-1), "n must"),
        (lambda: bl.NaiveBayes().table("Wind"), "not fitted"),
        (lambda: bl.GaussianNaiveBayes().fit([[1], [1]], [0, 1]), "X must vary"),
        (lambda: bl.MultinomialNaiveBayes().fit([[1, -1]], ["a"]), "X must .* got -1"),
        (lambda: borders(0, (1, 1), (0.5, 0.5)), "mean must be a pair"),
        (lambda: borders((0, 1), (1, 0), (0.5, 0.5)), "variance must"),
        (lambda: poets.word_odds(["my"], ["thy"]), "least and shared"),
    ],
)
def test_errors_name_the_argument(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# Two poets


def test_odds_of_held_out_passages_are_those_of_multinomial_naive_bayes():
    train, test = poets.halves(seed=0)
    mine, other = (poets.words(" ".join(train["text"][train["author"] == poet])) for poet in poets.POETS)
    vocabulary = poets.word_odds(mine, other, shared=True)
    bags = [[poets.words(text).count(word) for word in vocabulary] for text in [*train["text"], *test["text"]]]
    model = bl.MultinomialNaiveBayes("laplace").fit(bags[:152], train["author"].tolist())
    sign, start = np.where(test["author"] == "Shakespeare", 1, -1), -np.diff(model.class_log_prior_[::-1])
    odds, found = np.diff(model.log_scores(bags[152:]))[:, 0], poets.held_out(splits=1)
    assert found.passages == pytest.approx(sign * odds)
    assert found.lines.reshape(152, -1).sum(axis=1) == pytest.approx(sign * (odds + 13 * start))
