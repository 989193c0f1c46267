"""Section 16: bagging and boosting beside brute force, loops and scikit-learn."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_wine
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

from bayeslib import AdaBoost, Bagging, DecisionStump, GaussianNaiveBayes, KNeighborsClassifier, RandomForest
from bayeslib.models.ensembles import (
    DecisionTree,
    average_stumps,
    boost_round,
    bootstrap_share,
    disc,
    majority_error,
    ten_points,
    training_bound,
)

STUMP = DecisionStump()


def best_stumps(X, y, w):
    """Brute force: (error, attribute, threshold, sign above) of every stump, the best first by the declared rule."""
    found = []
    for attribute in range(X.shape[1]):
        values = sorted(set(X[:, attribute].tolist()))
        for low, high in itertools.pairwise(values):
            for above in (-1, 1):
                says = [above if x > (low + high) / 2 else -above for x in X[:, attribute]]
                error = sum(weight for weight, say, label in zip(w, says, y) if say != label)
                found.append((error, attribute, (low + high) / 2, above))
    least = min(error for error, *_ in found)
    return [each for each in found if each[0] <= least + 1e-12]


@st.composite
def problems(draw, classes=2):
    """Rows of few whole numbers, so that stumps and splits tie all the time; the class and the weight of each."""
    n = draw(st.integers(4, 14))
    rows = st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 1))
    X, y, w = (
        np.array(draw(st.lists(each, min_size=n, max_size=n)))
        for each in (rows, st.integers(0, classes - 1), st.integers(0, 5))
    )
    y[:classes], w[:classes] = range(classes), w[:classes] + 1
    return X.astype(float), y, w.astype(float)


class Says:
    """A learner that gives these answers, whatever it is asked."""

    def __init__(self, answers):
        self.answers = np.array(answers)

    def fit(self, X, y, sample_weight=None):
        return self

    def predict(self, X):
        return self.answers[: len(X)]


# One round, one stump


@given(st.lists(st.tuples(st.integers(1, 9), st.booleans()), min_size=2, max_size=12))
def test_after_a_round_half_of_the_weight_is_on_what_was_wrong(drawn):
    weights, wrong = map(np.array, zip(*drawn))
    wrong[:2] = True, False
    error, alpha, after = boost_round(weights, wrong)
    assert after.sum() == pytest.approx(1) and after[wrong].sum() == pytest.approx(0.5)
    assert error == pytest.approx(weights[wrong].sum() / weights.sum())
    assert alpha == pytest.approx(0.5 * np.log((1 - error) / error))


@settings(deadline=None)
@given(problems())
def test_a_stump_is_the_first_of_the_best(drawn):
    X, y, w = drawn
    stump, here = DecisionStump().fit(X, y, w), w > 0
    if np.ptp(X[here], axis=0).any():
        ((error, attribute, threshold, above), *_) = best_stumps(X[here], 2 * y[here] - 1, w[here] / w.sum())
        assert (stump.attribute_, stump.threshold_) == (attribute, threshold)
        assert abs(error - 0.5) < 1e-12 or stump.above_ == (above > 0)
        assert stump.error_ == pytest.approx(error) == pytest.approx(w[stump.predict(X) != y].sum() / w.sum())


@settings(deadline=None)
@given(problems(classes=4))
def test_a_stump_for_many_classes_has_the_heaviest_class_on_each_side(drawn):
    X, y, w = drawn
    heavy = lambda rows: max(w[rows & (y == c)].sum() for c in range(4))  # noqa: E731
    right = max(heavy(column < cut) + heavy(column >= cut) for column in X.T for cut in column)
    stump = DecisionStump().fit(X, y, w)
    assert stump.error_ == pytest.approx(1 - right / w.sum()) == pytest.approx(w[stump.predict(X) != y].sum() / w.sum())


def test_a_stump_without_error_has_error_0_exactly_and_one_class_gives_one_answer():
    assert DecisionStump().fit(np.arange(30.0)[:, None], np.arange(30) > 9, np.arange(1.0, 31)).error_ == 0
    assert DecisionStump().fit([[1.0], [2]], ["a", "a"]).predict([[7.0], [-7.0]]).tolist() == ["a", "a"]
    assert DecisionStump().fit([[1.0], [1.0]], ["a", "b"], [1, 3]).predict([[1.0]]).tolist() == ["b"]


# Boosting


def test_three_rounds_on_the_ten_points():
    X, y = ten_points()
    model = AdaBoost(STUMP, 60).fit(X, y)
    rounds = model.history_[:3]
    stumps = [(each.learner.attribute_, each.learner.threshold_, each.learner.above_) for each in rounds]
    assert stumps == [(0, 3, -1), (0, 8.5, -1), (1, 6.5, 1)]
    assert [each.error for each in rounds] == pytest.approx([0.3, 3 / 14, 3 / 22])
    assert [each.alpha for each in rounds] == pytest.approx([0.4236, 0.6496, 0.9229], abs=5.1e-5)
    assert sorted(set(rounds[0].after.round(12))) == pytest.approx([1 / 14, 1 / 6])
    assert model.margins(X, y).min(axis=1)[[2, 5, 10, 35]] == pytest.approx([0.075, 0.218, 0.272, 0.315], abs=5.1e-4)


@settings(deadline=None, max_examples=60)
@given(problems())
def test_what_holds_in_every_round_of_boosting(drawn):
    X, y, w = drawn
    model = AdaBoost(STUMP, 12).fit(X, y, w)
    signs, votes = 2 * y - 1, model.staged_votes(X)
    bounds = training_bound([each.error for each in model.history_]) * len(y) * max(w) / w.sum()
    for each, bound, vote in zip(model.history_, bounds, votes):
        wrong = each.says != signs
        assert each.error == pytest.approx(each.weights[wrong].sum()) and each.error < 0.5
        assert each.weights.sum() == pytest.approx(1) and each.votes == pytest.approx(vote)
        assert (np.sign(vote.round(12)) != signs)[w > 0].mean() <= bound + 1e-9, "the training error is under the bound"
        if each.error > 1e-12:
            assert each.after[wrong].sum() == pytest.approx(0.5), "the stump just used is worth nothing now"
            assert each.z == pytest.approx((each.weights * np.exp(-each.alpha * each.says * signs)).sum())
    assert (model.predict(X) == (model.decision_function(X) > 1e-12)).all()


@pytest.mark.parametrize(
    "labels, answers, reason, accuracy",
    [
        ([0, 0, 1, 1], [0, 0, 1, 1], "round 1: the learner makes no error", 1),
        ([0, 0, 1, 1], [1, 1, 0, 0], "always right with its answers reversed", 1),
        ([0, 0, 1, 1], [0, 1, 0, 1], "round 1: .* exactly ½, so it has nothing to say", 0.5),
        ([0, 1, 2], [0, 1, 2], "makes no error", 1),
        ([0, 1, 2], [0, 0, 0], "exactly 1 − 1/3, so it has nothing to say", 1 / 3),
        ([0, 1, 2], [1, 2, 0], "always wrong, and which of 3 classes is right it cannot tell", 1 / 3),
    ],
)
def test_boosting_stops_where_alpha_would_be_infinite_or_0(labels, answers, reason, accuracy):
    X = np.arange(len(labels))[:, None]
    model = AdaBoost(Says(answers), 5).fit(X, labels)
    assert re.search(reason, model.stopped_) and model.score(X, labels) == pytest.approx(accuracy)
    assert len(model.history_) == (accuracy == 1) and len(model.decision_function(X)) == len(labels)


def test_a_learner_worse_than_a_guess_counts_against_its_answers():
    model = AdaBoost(Says([1, 1, 0, 1]), 1).fit(np.arange(4)[:, None], [0, 0, 1, 1])
    assert model.alphas_ == pytest.approx([-0.5 * np.log(3)]) and model.predict(np.arange(4)[:, None]).tolist() == [
        0,
        0,
        1,
        0,
    ]


@pytest.mark.parametrize("X, y", [disc(120, 0.1, 0)[:2], (load_wine().data[:, 1:4], load_wine().target)])
def test_boosted_naive_bayes_is_that_of_scikit_learn(X, y):
    peer = AdaBoostClassifier(GaussianNB(), n_estimators=8).fit(X, y)
    rounds = len(peer.estimators_)  # it stops where ours goes on with a learner turned round
    ours = AdaBoost(GaussianNaiveBayes(), rounds).fit(X, y)
    assert ours.alphas_ == pytest.approx(peer.estimator_weights_[:rounds] / 2, rel=1e-4) and rounds > 1
    assert [each.error for each in ours.history_] == pytest.approx(peer.estimator_errors_[:rounds], rel=1e-4)
    assert (ours.predict(X) == peer.predict(X)).all()


# Trees and bags


def tree_by_hand(X, y, query):
    """The answer of the full tree by the declared rule, one branch at a time."""
    cuts = [
        (a, (low + high) / 2) for a, column in enumerate(X.T) for low, high in itertools.pairwise(np.unique(column))
    ]
    if len(set(y)) == 1 or not cuts:
        return np.bincount(y).argmax()
    sides = [[y[X[:, a] < cut], y[X[:, a] >= cut]] for a, cut in cuts]
    purity = [sum((np.bincount(side) ** 2).sum() / len(side) for side in both) for both in sides]
    a, cut = cuts[int(np.argmax(np.array(purity) >= max(purity) - 1e-12))]
    same = (X[:, a] < cut) == (query[a] < cut)
    return tree_by_hand(X[same], y[same], query)


@settings(deadline=None)
@given(problems(classes=3))
def test_a_tree_splits_where_both_halves_get_purest(drawn):
    X, y, _ = drawn
    queries = np.vstack([X, X + 0.5, X - 1])
    assert DecisionTree().fit(X, y).predict(queries).tolist() == [tree_by_hand(X, y, query) for query in queries]


def test_a_tree_may_peel_off_row_by_row():
    X, y = np.arange(3000.0)[:, None], np.arange(3000) % 2
    assert DecisionTree().fit(X, y).score(X, y) == 1


@pytest.mark.parametrize("estimator", [DecisionTree(), KNeighborsClassifier(1), STUMP, GaussianNaiveBayes()])
def test_a_bag_is_drawn_with_replacement_and_every_vote_counts_the_same(estimator):
    X, y, _ = disc(60, 0.1, 0)
    model = Bagging(estimator, 9, max_samples=30, random_state=0).fit(X, y)
    new = np.random.default_rng(1).uniform(-1, 1, (50, 2))
    alone = np.array([estimator.fit(X[bag], y[bag]).predict(new) for bag in model.estimators_samples_])
    assert model.estimators_samples_.shape == (9, 30) and (model.answers(new) == (alone > 0)).all()
    assert model.vote_share(new)[:, 1] == pytest.approx((alone == 1).mean(axis=0))
    assert (model.predict(new) == np.sign(alone.sum(axis=0))).all()


@pytest.mark.parametrize("kind, options", [(Bagging, {"estimator": DecisionTree()}), (RandomForest, {})])
def test_out_of_bag_votes_come_from_learners_that_did_not_see_the_row(kind, options):
    X, y, _ = disc(120, 0.1, 0)
    model = kind(n_estimators=7, oob_score=True, random_state=0, **options).fit(X, y)
    votes = np.full((120, 2), np.nan)
    for row in range(120):
        some = [e for e, bag in zip(model.estimators_, model.estimators_samples_) if row not in bag]
        if some:
            votes[row] = [np.mean([e.predict(X[[row]])[0] == label for e in some]) for label in (-1, 1)]
    assert model.oob_decision_function_ == pytest.approx(votes, nan_ok=True) and np.isnan(votes).any()
    told = ~np.isnan(votes[:, 0])
    assert model.oob_score_ == pytest.approx((np.where(votes[told, 1] > 0.5, 1, -1) == y[told]).mean())


def test_a_forest_is_as_good_as_scikit_learns_on_the_digits():
    X, y = load_digits(return_X_y=True)
    ours = RandomForest(40, random_state=0, oob_score=True).fit(X[:1000], y[:1000])
    peer = RandomForestClassifier(40, random_state=0, oob_score=True).fit(X[:1000], y[:1000])
    assert ours.oob_score_ == pytest.approx(peer.oob_score_, abs=0.02)
    assert ours.score(X[1000:], y[1000:]) == pytest.approx(peer.score(X[1000:], y[1000:]), abs=0.03)


# Formulas, and the vote next to Bayes


def test_shares_of_bags_and_errors_of_majorities():
    bags = np.random.default_rng(0).integers(10, size=(20_000, 7))
    assert np.mean([len(set(bag)) for bag in bags.tolist()]) / 10 == pytest.approx(bootstrap_share(10, 7), abs=0.002)
    wrong = np.array(list(itertools.product((0, 1), repeat=5)))
    chances = np.where(wrong, 0.3, 0.7).prod(axis=1)
    assert majority_error(0.3, 5) == pytest.approx(chances[wrong.sum(axis=1) > 2].sum())


@settings(deadline=None, max_examples=60)
@given(problems(), st.sampled_from([0.1, 0.3, 0.45]))
def test_model_averaging_is_a_loop_over_all_stumps(drawn, noise):
    X, y, thresholds = drawn[0], 2 * drawn[1] - 1, [0.5, 1.5, 4.5]
    votes, total = np.zeros(len(X)), 0.0
    for attribute, threshold, above in itertools.product(range(3), thresholds, (1, -1)):
        says = np.where(X[:, attribute] < threshold, -above, above)
        weight = np.prod(np.where(says == y, 1 - noise, noise))
        votes, total = votes + weight * (says == 1), total + weight
    assert average_stumps(X, y, thresholds, noise).vote(X) == pytest.approx(votes / total)


X, Y = ten_points()


@pytest.mark.parametrize(
    "call, words",
    [
        (
            lambda: AdaBoost(KNeighborsClassifier(1)).fit(X, Y),
            "estimator must take weights, .* got KNeighborsClassifier",
        ),
        (lambda: Bagging(DecisionStump).fit(X, Y), "estimator must be a learner with fit and predict"),
        (
            lambda: Bagging(STUMP, 1, max_samples=99, oob_score=True, random_state=0).fit(X[[0, 9]], [0, 1]),
            "n_estimators must leave",
        ),
        (lambda: DecisionTree("all").fit(X, Y), "max_features must be None or \"sqrt\", got 'all'"),
        (lambda: AdaBoost(STUMP, 3).fit(X, Y).margins(X, [7] * 10), r"y must hold the classes of fit.* got \[7\]"),
        (lambda: boost_round([0.5, 0.5], [True, True]), "wrong must hold some of the weight and not all of it"),
        (lambda: boost_round([0.5, 0.5], [1, 0]), "wrong must be one row of True and False"),
        (lambda: disc(0), "n must be a whole number of at least 1, got 0"),
        (lambda: majority_error(0.3, 4), "voters must be odd"),
        (lambda: average_stumps(X, Y, [1.5], 0.5), "noise must be above 0 and below 0.5"),
        (lambda: average_stumps(X, Y > 0, [1.5], 0.1), "y must hold −1 and"),
        (lambda: average_stumps(X, Y, [1.5], 0.1).vote(X[:, :1]), "X must have 2 attributes as the stumps, got 1"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
