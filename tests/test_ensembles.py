"""Bagging and boosting: the numbers of the lesson, brute force, scikit-learn, properties, bad input."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import AdaBoostClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import bayeslib as bl
from bayeslib import live
from bayeslib.models import _fast_ensembles, ensembles
from bayeslib.models.ensembles import (
    AdaBoost,
    Bagging,
    DecisionStump,
    DecisionTree,
    NearestNeighbour,
    RandomForest,
    average_stumps,
    best_split,
    best_stump,
    boost_round,
    bootstrap_share,
    disc,
    majority_error,
    ten_points,
    training_bound,
)


def boosted(n=60, liar=None):
    X, y = ten_points()
    if liar is not None:
        y[liar] *= -1
    return X, y, AdaBoost(DecisionStump(), n).fit(X, y)


def wrong(votes, y):
    """Rows that the sign of a vote gets wrong; a vote of 0 goes to the first class."""
    return np.where(votes > 1e-12, 1, -1) != y


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


# The ten points


def test_three_rounds_on_the_ten_points():
    X, y, model = boosted()
    one, two, three = model.history_[:3]
    stumps = [(each.learner.attribute_, each.learner.threshold_, each.learner.above_) for each in (one, two, three)]
    assert stumps == [(0, 3, -1), (0, 8.5, -1), (1, 6.5, 1)]
    assert [one.error, two.error, three.error] == pytest.approx([0.3, 3 / 14, 3 / 22])
    assert [one.alpha, two.alpha, three.alpha] == pytest.approx([0.4236, 0.6496, 0.9229], abs=5.1e-5)
    assert sorted(set(one.after.round(12))) == pytest.approx([1 / 14, 1 / 6])
    assert [wrong(each.votes, y).mean() for each in (one, two, three)] == pytest.approx([0.3, 0.3, 0])
    assert training_bound([each.error for each in (one, two, three)]) == pytest.approx(
        [0.917, 0.752, 0.516], abs=5.1e-4
    )
    votes = [0.15, 0.15, 1.15, 1.15, 1.15, -0.70, -0.70, -0.70, -0.15, -2.00]
    assert three.votes == pytest.approx(votes, abs=5.1e-3)


def test_round_one_is_a_tie_of_five_stumps_and_the_rule_decides():
    X, y = ten_points()
    found = best_stumps(X, y, np.full(10, 0.1))
    assert [each[1:] for each in found] == [(0, 3, -1), (0, 6.5, -1), (0, 8.5, -1), (1, 4.5, 1), (1, 6.5, 1)]


def test_a_plain_majority_gives_the_same_ten_answers():
    _, y, model = boosted(3)
    assert (np.sign(sum(each.says for each in model.history_)) == y).all()
    assert model.alphas_[:2].sum() > model.alphas_[2]


def test_the_least_margin_keeps_growing_after_the_training_error_is_zero():
    X, y, model = boosted()
    least = model.margins(X, y).min(axis=1)
    assert least[[2, 5, 10, 35]] == pytest.approx([0.075, 0.218, 0.272, 0.315], abs=5.1e-4)
    assert not any(wrong(each.votes, y).any() for each in model.history_[2:])


def test_one_lie_in_the_middle():
    X, truth = ten_points()
    _, y, model = boosted(60, liar=3)
    weights = np.array([each.weights for each in model.history_])
    assert weights[:6, 3] == pytest.approx([0.1, 0.0625, 0.125, 0.25, 0.161, 0.25], abs=5.1e-4)
    late = weights[-20:].mean(axis=0)
    assert late[[3, 2, 4]] == pytest.approx([0.198, 0.199, 0.200], abs=5.1e-4)
    assert [wrong(each.votes, truth).sum() for each in model.history_[:8]] == [3, 3, 0, 3, 0, 2, 1, 1]
    assert all(np.flatnonzero(wrong(each.votes, truth)).tolist() == [3] for each in model.history_[6:])
    fenced = boosted(60, liar=4)[2]
    assert np.mean([each.weights[4] for each in fenced.history_[-20:]]) < 5e-4


# One round


def test_a_round_by_hand_on_five_points():
    error, alpha, after = boost_round([0.2] * 5, [False, False, False, True, False])
    assert (error, alpha) == pytest.approx((0.2, np.log(2)))
    assert after == pytest.approx([1 / 8] * 3 + [1 / 2] + [1 / 8])
    error, alpha, after = boost_round([0.1] * 10, [False] * 4 + [True] * 6)
    assert alpha == pytest.approx(-0.2027, abs=5.1e-5) and after[4:].sum() == pytest.approx(0.5)


@settings(deadline=None)
@given(
    st.integers(2, 12).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(k, 9), min_size=n, max_size=n) for k in (1, 0)])
    )
)
def test_after_a_round_half_of_the_weight_is_on_what_was_wrong(drawn):
    weights, wrong = np.array(drawn[0]), np.array(drawn[1]) < 4
    if wrong.all() or not wrong.any():
        with pytest.raises(ValueError, match="wrong must hold some of the weight"):
            boost_round(weights, wrong)
        return
    error, alpha, after = boost_round(weights, wrong)
    assert after.sum() == pytest.approx(1) and after[wrong].sum() == pytest.approx(0.5)
    assert error == pytest.approx(weights[wrong].sum() / weights.sum())
    assert alpha == pytest.approx(0.5 * np.log((1 - error) / error))


POINTS = st.integers(4, 14).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 1)), min_size=n, max_size=n),
        st.lists(st.booleans(), min_size=n, max_size=n),
        st.lists(st.integers(0, 5), min_size=n, max_size=n),
    )
)


@settings(deadline=None, max_examples=150)
@given(POINTS)
def test_the_stump_is_the_best_of_all_stumps(drawn):
    X, y, w = np.array(drawn[0], float), np.where(drawn[1], 1, -1), np.array(drawn[2], float)
    here = w > 0
    if len(set(y[here])) < 2 or not np.ptp(X[here], axis=0).any():
        return
    stump = DecisionStump().fit(X, y, w)
    ((error, attribute, threshold, above), *_) = best_stumps(X[here], y[here], w[here] / w.sum())
    assert stump.error_ == pytest.approx(error, abs=1e-12)
    assert (stump.attribute_, stump.threshold_) == (attribute, threshold)
    assert abs(error - 0.5) < 1e-12 or stump.above_ == above
    assert w[stump.predict(X) != y].sum() / w.sum() == pytest.approx(error, abs=1e-12)


@settings(deadline=None, max_examples=60)
@given(POINTS)
def test_what_holds_in_every_round_of_boosting(drawn):
    X, y = np.array(drawn[0], float), np.where(drawn[1], 1, -1)
    if len(set(y)) < 2:
        return
    model = AdaBoost(DecisionStump(), 12).fit(X, y)
    assert (model.stopped_ is None) == (len(model.history_) == 12) or "makes no error" in model.stopped_
    bounds = training_bound([each.error for each in model.history_]) if model.history_ else []
    for each, bound in zip(model.history_, bounds):
        assert each.weights.sum() == pytest.approx(1) and each.after.sum() == pytest.approx(1)
        assert each.error == pytest.approx(each.weights[each.says != y].sum()) and each.error < 0.5
        assert wrong(each.votes, y).mean() <= bound + 1e-12, "the training error is under the bound"
        if each.error > 1e-12:
            assert each.after[each.says != y].sum() == pytest.approx(0.5), "the stump just used is worth nothing now"
            assert each.z == pytest.approx((each.weights * np.exp(-each.alpha * each.says * y)).sum())
        alone = DecisionStump().fit(X, y, each.weights)
        assert (alone.attribute_, alone.threshold_) == (each.learner.attribute_, each.learner.threshold_)
    if model.history_:
        assert model.decision_function(X) == pytest.approx(model.history_[-1].votes)
        assert (model.predict(X) == np.where(model.history_[-1].votes > 1e-12, 1, -1)).all()


def test_a_perfect_stump_stops_boosting_with_a_finite_weight():
    X, y = np.array([[1.0], [2], [3], [4]]), np.array(["no", "no", "yes", "yes"])
    model = AdaBoost(DecisionStump(), 10).fit(X, y)
    assert len(model.history_) == 1 and "round 1: the learner makes no error" in model.stopped_
    assert model.alphas_.tolist() == [1.0] and model.score(X, y) == 1 and model.history_[0].z == 0


def test_a_perfect_learner_outvotes_all_before_it():
    class Late:
        """Errs once on the first fit, then never."""

        fits = 0

        def fit(self, X, y, sample_weight=None):
            Late.fits += 1
            self.y = np.where((np.arange(len(y)) == 0) & (Late.fits == 1), -y, y)
            return self

        def predict(self, X):
            return self.y

    X, y = np.arange(4.0)[:, None], np.array([-1, -1, 1, 1])
    model = AdaBoost(Late(), 10).fit(X, y)
    assert model.alphas_ == pytest.approx([0.5 * np.log(3), 1 + 0.5 * np.log(3)])
    assert "round 2" in model.stopped_ and model.score(X, y) == 1


def test_a_learner_of_exactly_one_half_stops_boosting():
    X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([1, -1, -1, 1])
    model = AdaBoost(DecisionStump(), 10).fit(X, y)
    assert model.history_ == [] and "round 1: the learner's weighted error is exactly ½" in model.stopped_
    assert model.decision_function(X).tolist() == [0] * 4 and model.predict(X).tolist() == [-1] * 4


@pytest.mark.parametrize("lies, error", [(3, 0.75), (4, 1.0)])
def test_a_learner_worse_than_chance_is_turned_round(lies, error):
    class Contrary:
        def fit(self, X, y, sample_weight=None):
            self.y = np.where(np.arange(len(y)) < lies, -y, y)
            return self

        def predict(self, X):
            return self.y

    X, y = np.arange(4.0)[:, None], np.array([-1, -1, 1, 1])
    model = AdaBoost(Contrary(), 1).fit(X, y)
    assert model.history_[0].error == error and model.alphas_[0] < 0
    assert model.score(X, y) == error
    assert (model.stopped_ is None) == (lies == 3)


def test_boosting_accepts_starting_weights():
    X, y = ten_points()
    w = np.arange(1.0, 11)
    model = AdaBoost(DecisionStump(), 5).fit(X, y, w)
    assert model.history_[0].weights == pytest.approx(w / 55)
    rows = np.repeat(np.arange(10), np.arange(1, 11))
    again = AdaBoost(DecisionStump(), 5).fit(X[rows], y[rows])
    assert model.alphas_ == pytest.approx(again.alphas_), "a weight of 3 is a row that is there three times"


# scikit-learn as second oracle


def test_boosted_naive_bayes_agrees_with_scikit_learn():
    X, y, _ = disc(120, 0.1, 0)
    ours = AdaBoost(bl.GaussianNaiveBayes(), 12).fit(X, y)
    peer = AdaBoostClassifier(GaussianNB(), n_estimators=12).fit(X, y)
    rounds = len(peer.estimators_)  # it stops where ours goes on with a learner turned round
    assert rounds == 2 and ours.history_[2].error > 0.5
    assert ours.alphas_[:2] == pytest.approx(peer.estimator_weights_[:2] / 2)
    assert [each.error for each in ours.history_[:2]] == pytest.approx(peer.estimator_errors_[:2])
    assert (np.where(ours.history_[1].votes > 0, 1, -1) == peer.predict(X)).all()


def test_boosting_of_three_classes_agrees_with_scikit_learn():
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    X, names = X[:, [1, 2, 3]], np.array(["a", "b", "c"])
    mine = AdaBoost(bl.GaussianNaiveBayes(), 8).fit(X, names[y])
    peer = AdaBoostClassifier(GaussianNB(), n_estimators=8, random_state=0).fit(X, names[y])
    rounds = len(peer.estimators_)
    assert rounds > 2 and mine.alphas_[:rounds] == pytest.approx(peer.estimator_weights_[:rounds] / 2, rel=1e-4)
    assert [each.error for each in mine.history_][:rounds] == pytest.approx(peer.estimator_errors_[:rounds], rel=1e-4)
    assert (names[mine.history_[rounds - 1].votes.argmax(axis=1)] == peer.predict(X)).all()


def test_what_holds_when_three_classes_are_boosted():
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    model = AdaBoost(DecisionStump(), 15).fit(X, y)
    for each in model.history_:
        missed = each.says.argmax(axis=1) != y
        assert each.error == pytest.approx(each.weights[missed].sum())
        assert each.after[missed].sum() == pytest.approx(2 / 3), "on the new weights it is as good as a guess"
        assert each.z == pytest.approx((each.weights * np.exp(np.where(missed, each.alpha, -each.alpha))).sum())
        assert each.learner.error_ == pytest.approx(each.error)
    votes = sum(a * (learner.predict(X)[:, None] == [0, 1, 2]) for a, learner in zip(model.alphas_, model.learners_))
    assert model.decision_function(X) == pytest.approx(votes)
    assert model.history_[-1].votes == pytest.approx(votes)
    assert (model.predict(X) == votes.argmax(axis=1)).all() and model.score(X, y) > 0.95
    right = (votes[np.arange(len(y)), y] - np.sort(np.where(np.eye(3)[y], -9, votes))[:, -1]) / model.alphas_.sum()
    assert model.margins(X, y)[-1] == pytest.approx(right)


@settings(deadline=None, max_examples=60)
@given(POINTS, st.lists(st.integers(0, 3), min_size=12, max_size=12))
def test_the_stump_of_many_classes_is_the_best_of_all(drawn, classes):
    X, w = np.array(drawn[0], float), np.array(drawn[2], float)
    y = np.array((classes * len(X))[: len(X)])
    if not w.any():
        return
    stump = DecisionStump().fit(X, y, w)
    if len(stump.classes_) < 3:
        return
    found = [w[y == c].sum() for c in range(4)]
    for column in X.T:
        for cut in np.unique(column):
            low = column < cut
            found.append(
                max(w[low & (y == c)].sum() for c in range(4)) + max(w[~low & (y == c)].sum() for c in range(4))
            )
    assert stump.error_ == pytest.approx(1 - max(found) / w.sum(), abs=1e-9)
    assert w[stump.predict(X) != y].sum() / w.sum() == pytest.approx(stump.error_, abs=1e-9)


def test_boosting_of_three_classes_stops_at_a_guess_and_at_nothing_but_errors():
    class Says:
        def __init__(self, answers):
            self.answers = answers

        def fit(self, X, y, sample_weight=None):
            return self

        def predict(self, X):
            return np.array(self.answers)

    X, y = np.arange(3.0)[:, None], np.array([0, 1, 2])
    assert "exactly 1 − 1/3, so it has nothing to say" in AdaBoost(Says([0, 0, 0]), 3).fit(X, y).stopped_
    always = AdaBoost(Says([1, 2, 0]), 3).fit(X, y)
    assert "always wrong" in always.stopped_ and always.predict(X).tolist() == [0, 0, 0]
    assert always.staged_votes(X).shape == (0, 3, 3) and always.decision_function(X).tolist() == [[0.0] * 3] * 3
    assert "makes no error" in AdaBoost(Says([0, 1, 2]), 3).fit(X, y).stopped_


def test_weighted_naive_bayes_agrees_with_scikit_learn_and_with_repeated_rows():
    X, y, _ = disc(60, 0.1, 1)
    w = np.random.default_rng(0).integers(1, 5, 60)
    ours, peer = bl.GaussianNaiveBayes().fit(X, y, w), GaussianNB().fit(X, y, w)
    assert ours.theta_ == pytest.approx(peer.theta_) and ours.var_ == pytest.approx(peer.var_)
    assert ours.class_count_ == pytest.approx(peer.class_count_)
    days = bl.data.load_play_tennis()
    X, y = days.drop(columns=["PlayTennis"]).iloc[:, -4:], days["PlayTennis"]
    w = np.arange(1, 15)
    rows = np.repeat(np.arange(14), w)
    weighted, repeated = bl.NaiveBayes(m=1).fit(X, y, w), bl.NaiveBayes(m=1).fit(X.iloc[rows], y.iloc[rows])
    assert weighted.predict_proba(X) == pytest.approx(repeated.predict_proba(X))


def test_boosting_naive_bayes_for_named_values():
    days = bl.data.load_play_tennis()
    X, y = days.drop(columns=["PlayTennis"]).iloc[:, -4:], days["PlayTennis"]
    model = AdaBoost(bl.NaiveBayes(m=1), 5).fit(X, y)
    assert model.history_[0].error == pytest.approx((bl.NaiveBayes(m=1).fit(X, y).predict(X) != y).mean())
    assert model.score(X, y) >= 13 / 14 and set(model.predict(X)) <= set(y)


def test_tree_and_neighbour_agree_with_scikit_learn():
    X, y, _ = disc(150, 0.15, 0)
    new = np.random.default_rng(1).uniform(-1, 1, (500, 2))
    assert (NearestNeighbour().fit(X, y).predict(new) == KNeighborsClassifier(1).fit(X, y).predict(new)).all()
    tree = DecisionTree().fit(X, y)
    assert (tree.predict(X) == y).all(), "a full tree has no training error"
    peer = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert (tree.predict(new) == peer.predict(new)).mean() > 0.97, "apart from ties the same splits"


def test_a_leaf_that_cannot_be_split_takes_the_majority():
    assert DecisionTree().fit([[1.0], [1], [1]], ["a", "b", "b"]).predict([[0.0]]).tolist() == ["b"]


# What the lesson runs, and what large data do


def both_ways(monkeypatch, fit):
    """What `fit` gives where every learner is trained on its own, and where sorting is shared."""
    found = []
    for lesson in (10**9, 0):
        monkeypatch.setattr(ensembles, "LESSON", lesson)
        found.append(fit())
    return found


def a_problem(seed):
    """Rows of few whole numbers, where splits tie all the time, or of real ones; one to four classes."""
    random = np.random.default_rng(seed)
    n, d, k = random.integers(5, 120), random.integers(1, 6), random.integers(2, 5)
    X = random.integers(0, random.integers(2, 9), (n, d)) * 1.0 if seed % 2 else random.normal(size=(n, d))
    y = random.integers(0, k, n)
    y[:2] = 0, 1
    return X, y


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("max_features", [None, "sqrt", 1, 2])
@pytest.mark.parametrize("cells", [1, 2**14])
def test_the_fast_tree_is_the_tree_of_the_lesson_node_by_node(seed, max_features, cells, monkeypatch):
    monkeypatch.setattr(_fast_ensembles, "CELLS", cells)
    X, y = a_problem(seed)
    lesson, fast = both_ways(monkeypatch, lambda: DecisionTree(max_features, seed).fit(X, y))
    for mine, yours in zip(lesson.tree_, fast.tree_):
        np.testing.assert_array_equal(mine, yours)


@pytest.mark.parametrize("seed", range(6))
def test_bags_and_forests_hold_the_same_trees_either_way(seed, monkeypatch):
    X, y = a_problem(seed)
    names = pd.DataFrame(X, columns=list("abcdef")[: X.shape[1]])
    for model in (Bagging(DecisionTree(), 5, random_state=1), RandomForest(5, random_state=1)):
        for data in (X, names):
            lesson, fast = both_ways(monkeypatch, lambda: model.fit(data, y).learners_)
            for mine, yours in zip(lesson, fast):
                np.testing.assert_array_equal(mine.tree_.threshold, yours.tree_.threshold)
                assert (mine.predict(data) == yours.predict(data)).all() and vars(mine).keys() == vars(yours).keys()


@pytest.mark.parametrize("seed", range(8))
def test_stumps_are_boosted_and_bagged_alike_either_way(seed, monkeypatch):
    X, y = a_problem(seed)
    y = y % 2
    lesson, fast = both_ways(monkeypatch, lambda: AdaBoost(DecisionStump(), 8).fit(X, y, np.arange(len(y))))
    assert lesson.alphas_ == pytest.approx(fast.alphas_) and lesson.stopped_ == fast.stopped_
    assert [each.learner.threshold_ for each in lesson.history_] == [each.learner.threshold_ for each in fast.history_]
    lesson, fast = both_ways(monkeypatch, lambda: Bagging(DecisionStump(), 8, random_state=0).fit(X, y).answers(X))
    assert (lesson == fast).all()


def test_a_learner_made_from_ours_is_trained_by_its_own_fit(monkeypatch):
    class Contrary(DecisionStump):
        def fit(self, X, y, sample_weight=None):
            return super().fit(X, 1 - y, sample_weight)

    X, y = a_problem(1)
    lesson, fast = both_ways(monkeypatch, lambda: AdaBoost(Contrary(), 1).fit(X, y % 2).alphas_)
    assert lesson == pytest.approx(fast) and lesson[0] < 0


def test_the_lesson_trains_every_learner_and_boosts_by_its_own_formula(monkeypatch):
    asked, lesson, stump = [], ensembles.boost_round, ensembles.best_stump
    monkeypatch.setattr(ensembles, "boost_round", lambda *given: asked.append("round") or lesson(*given))
    monkeypatch.setattr(ensembles, "best_stump", lambda *given: asked.append("stump") or stump(*given))
    monkeypatch.setattr(_fast_ensembles, "Stumps", None)
    monkeypatch.setattr(_fast_ensembles, "Trees", None)
    AdaBoost(DecisionStump(), 101).fit(*disc(1000, random_state=0)[:2])  # the largest of lesson 16
    assert asked == ["stump", "round"] * 101
    for make in (
        live.bagging_votes,
        live.boost_rounds,
        live.boost_bound,
        live.one_liar,
        live.map_regions,
        live.three_votes,
    ):
        figure = make()
        for name in figure.presets:
            figure.preset(name)


def test_a_stump_without_error_has_error_0_exactly():
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    assert DecisionStump().fit(X, y == 0).error_ == 0
    X, y = ten_points()
    stump = DecisionStump().fit(X, y)
    assert stump.error_ == pytest.approx(0.3) and best_stump(X, y, None) == (0, 3.0, -1)


def test_a_tree_that_peels_off_row_by_row_is_not_too_deep():
    X, y = np.arange(3000.0)[:, None], np.arange(3000) % 2
    assert X.size <= ensembles.LESSON and best_split(X, y) == (0, 0.5)
    assert DecisionTree().fit(X[:1500], y[:1500]).score(X[:1500], y[:1500]) == 1


def test_the_nearest_of_many_rows_is_the_first_of_the_nearest():
    random = np.random.default_rng(0)
    X, queries = random.integers(0, 20, (3000, 2)) * 1.0, random.integers(0, 20, (1000, 2)) + 0.5
    few = NearestNeighbour().fit(X, np.arange(3000)).predict(queries[:50])
    assert queries.size * len(X) > ensembles.COMPARED
    assert (NearestNeighbour().fit(X, np.arange(3000)).predict(queries)[:50] == few).all()


# Forests and rows out of the bag


@pytest.mark.parametrize(
    "model",
    [Bagging(DecisionTree(), 40, oob_score=True, random_state=0), RandomForest(40, oob_score=True, random_state=0)],
)
def test_out_of_bag_votes_come_from_learners_that_did_not_see_the_row(model):
    X, y, _ = disc(120, 0.1, 0)
    model.fit(X, y)
    for row in range(0, 120, 7):
        others = [learner for learner, bag in zip(model.learners_, model.bags_) if row not in bag]
        share = np.mean([learner.predict(X[[row]])[0] == 1 for learner in others])
        assert model.oob_vote_share_[row] == pytest.approx([1 - share, share])
    right = model.classes_[model.oob_vote_share_.argmax(axis=1)] == y
    assert model.oob_score_ == right.mean() < model.score(X, y)


def test_rows_that_are_in_every_bag_have_no_vote_out_of_the_bag():
    model = Bagging(DecisionStump(), 1, size=60, oob_score=True, random_state=0)
    with pytest.raises(ValueError, match="n_estimators must leave some row out of some bag for oob_score, got 1"):
        model.fit([[0.0], [1]], ["a", "b"])
    model = Bagging(DecisionStump(), 1, size=3, oob_score=True, random_state=0).fit(
        np.arange(6.0)[:, None], list("aaabbb")
    )
    seen = np.isin(np.arange(6), model.bags_[0])
    assert (np.isnan(model.oob_vote_share_).all(axis=1) == seen).all()


def test_a_forest_does_as_well_as_scikit_learns_on_the_digits():
    from sklearn.datasets import load_digits
    from sklearn.ensemble import RandomForestClassifier

    X, y = load_digits(return_X_y=True)
    ours = RandomForest(60, random_state=0, oob_score=True).fit(X[:1000], y[:1000])
    peer = RandomForestClassifier(60, random_state=0, oob_score=True).fit(X[:1000], y[:1000])
    assert ours.oob_score_ == pytest.approx(peer.oob_score_, abs=0.02)
    assert ours.score(X[1000:], y[1000:]) == pytest.approx(peer.score(X[1000:], y[1000:]), abs=0.03)


# Bagging


def test_a_bag_of_stumps_is_a_stump_of_the_bag():
    X, y, _ = disc(40, 0.1, 0)
    model = Bagging(DecisionStump(), 20, random_state=3).fit(X, y)
    for bag, stump in zip(model.bags_, model.learners_):
        alone = DecisionStump().fit(X[bag], y[bag])
        assert (alone.attribute_, alone.threshold_, alone.above_) == (stump.attribute_, stump.threshold_, stump.above_)
        assert alone.error_ == pytest.approx(stump.error_)


@pytest.mark.parametrize("base", [DecisionTree(), NearestNeighbour(), DecisionStump(), bl.GaussianNaiveBayes()])
def test_every_vote_counts_the_same(base):
    X, y, _ = disc(60, 0.1, 0)
    model = Bagging(base, 9, size=30, random_state=0).fit(X, y)
    new = np.random.default_rng(1).uniform(-1, 1, (50, 2))
    each = np.array([learner.predict(new) for learner in model.learners_])
    assert model.bags_.shape == (9, 30)
    assert model.vote_share(new)[:, 1] == pytest.approx((each == 1).mean(axis=0))
    assert (model.predict(new) == np.where(each.sum(axis=0) > 0, 1, -1)).all()
    again = Bagging(base, 9, size=30, random_state=0).fit(X, y)
    assert (again.bags_ == model.bags_).all() and model.score(X, y) == again.score(X, y)


def test_a_tie_of_votes_goes_to_the_first_class():
    class Parrot:
        def fit(self, X, y):
            self.y = y
            return self

        def predict(self, X):
            return np.full(len(X), self.y[0])

    model = Bagging(Parrot(), 2, size=1).fit([[0.0], [1]], ["b", "a"])
    model.learners_ = [Parrot().fit(None, ["a"]), Parrot().fit(None, ["b"])]
    assert model.predict([[0.0]]).tolist() == ["a"]


def test_a_bag_of_one_class_gives_a_stump_with_one_answer():
    model = Bagging(DecisionStump(), 30, size=2, random_state=0).fit([[0.0], [1], [2]], ["a", "a", "b"])
    alone = [each for each in model.learners_ if each.threshold_ == -np.inf]
    assert alone and all(each.error_ == pytest.approx(0) for each in alone)
    assert {each.predict([[5.0]])[0] for each in alone} <= {"a", "b"}
    assert DecisionStump().fit([[1.0], [2]], ["a", "a"]).predict([[7.0]]).tolist() == ["a"]


def test_three_classes_can_be_bagged():
    X = np.arange(30.0)[:, None]
    y = np.repeat(["a", "b", "c"], 10)
    model = Bagging(DecisionTree(), 11, random_state=0).fit(X, y)
    assert model.vote_share(X).sum(axis=1) == pytest.approx(1) and model.score(X, y) > 0.9


def test_bootstrap_shares():
    assert bootstrap_share(10) == pytest.approx(0.651, abs=5.1e-4)
    assert bootstrap_share(10**6) == pytest.approx(1 - np.exp(-1), abs=1e-6)
    bags = np.random.default_rng(0).integers(10, size=(20_000, 10))
    assert np.mean([len(set(bag)) for bag in bags.tolist()]) / 10 == pytest.approx(bootstrap_share(10), abs=0.002)
    assert bootstrap_share(150, 45) == pytest.approx(1 - (149 / 150) ** 45)


def test_a_vote_of_many_helps_only_below_one_half_and_only_if_errors_are_not_shared():
    assert [majority_error(p, 21) for p in (0.3, 0.45, 0.55)] == pytest.approx([0.0264, 0.321, 0.679], abs=5.1e-4)
    assert majority_error(0.3, 1) == pytest.approx(0.3) and majority_error(0.5, 7) == pytest.approx(0.5)
    tossed = [sum(c) >= 2 for c in itertools.product((0, 1), repeat=3)]
    chances = [0.3 ** sum(c) * 0.7 ** (3 - sum(c)) for c in itertools.product((0, 1), repeat=3)]
    assert majority_error(0.3, 3) == pytest.approx(sum(p for p, bad in zip(chances, tossed) if bad))


# Next to Bayes


@settings(deadline=None, max_examples=60)
@given(POINTS, st.sampled_from([0.1, 0.3, 0.45]))
def test_model_averaging_agrees_with_a_loop_over_all_stumps(drawn, noise):
    X, y, thresholds = np.array(drawn[0], float), np.where(drawn[1], 1, -1), [0.5, 1.5, 4.5]
    found = average_stumps(X, y, thresholds, noise)
    votes, total = np.zeros(len(X)), 0.0
    for attribute, threshold, above in itertools.product(range(3), thresholds, (1, -1)):
        says = np.where(X[:, attribute] < threshold, -above, above)
        weight = np.prod(np.where(says == y, 1 - noise, noise))
        votes, total = votes + weight * (says == 1), total + weight
    assert len(found.posterior) == 18 and found.posterior.sum() == pytest.approx(1)
    assert found.vote(X) == pytest.approx(votes / total)


def test_the_disc_is_a_disc_and_flips_what_was_asked():
    X, y, truth = disc(200, 0.15, 7)
    assert (truth == np.where((X**2).sum(axis=1) < 0.5, 1, -1)).all() and (y != truth).sum() == 30
    assert np.abs(X).max() <= 1 and (disc(200, 0.15, 7)[0] == X).all()


# Bad input

X, Y = ten_points()
HOLE = X.copy()
HOLE[2, 1] = np.nan
STUMP = DecisionStump()


@pytest.mark.parametrize("n", [0, -3, 2.0, True, None, "ten"])
@pytest.mark.parametrize("kind", [Bagging, AdaBoost])
def test_a_number_of_learners_below_one_is_named(kind, n):
    with pytest.raises(ValueError, match="n_estimators must be a whole number of at least 1, got"):
        kind(STUMP, n)


@pytest.mark.parametrize("base", [None, "stump", DecisionStump, 3])
@pytest.mark.parametrize("kind", [Bagging, AdaBoost])
def test_a_base_that_is_no_learner_is_named(kind, base):
    with pytest.raises(ValueError, match="base must be a learner with fit and predict"):
        kind(base, 3)


@pytest.mark.parametrize(
    "call, words",
    [
        (
            lambda: AdaBoost(NearestNeighbour(), 3),
            r"base must take weights, as fit\(X, y, sample_weight\), got NearestN",
        ),
        (lambda: Bagging(STUMP, 3, size=0), "size must be a whole number of at least 1, got 0"),
        (lambda: Bagging(STUMP, 3, random_state="x").fit(X, Y), "random_state must be None"),
        (lambda: AdaBoost(STUMP).fit(X, np.ones(10)), r"y must hold at least 2 classes, got only \{1.0\}"),
        (lambda: Bagging(STUMP).fit(X, ["a"] * 10), r"y must hold at least 2 classes, got only \{'a'\}"),
        (lambda: AdaBoost(STUMP).fit(HOLE, Y), "X must hold numbers .* got nan in row 2, attribute 1"),
        (lambda: Bagging(STUMP).fit(HOLE, Y), "X must hold numbers .* got nan in row 2"),
        (lambda: Bagging(STUMP).fit(pd.DataFrame(HOLE), Y), "X must have no missing value, got NaN"),
        (lambda: DecisionTree().fit(HOLE, Y), "X must hold numbers"),
        (lambda: AdaBoost(STUMP).fit(X, np.where(Y > 0, 1, np.nan)), "y must have a class for every row, got"),
        (lambda: AdaBoost(STUMP).fit(X, Y[:9]), "y must have one class for each of the 10 rows of X, got 9"),
        (lambda: Bagging(STUMP).fit(X, Y[:9]), "y must have one class for each of the 10 rows of X, got 9"),
        (lambda: NearestNeighbour().fit(X, Y[:9]), "y must have one class for each of the 10 rows of X, got 9"),
        (lambda: AdaBoost(STUMP).fit(X[:, 0], Y), r"X must have two axes, .* got shape \(10,\)"),
        (lambda: AdaBoost(STUMP).fit([[1, 2], [3]], [0, 1]), "X must be rows of numbers, all of one length"),
        (
            lambda: AdaBoost(STUMP).fit(np.empty((0, 2)), []),
            "X must have two axes, rows and attributes, with at least one of each",
        ),
        (
            lambda: AdaBoost(STUMP).fit(X, Y[:, None]),
            r"y must be one row of classes, at least one, got shape \(10, 1\)",
        ),
        (lambda: DecisionStump().fit(X, [1, "a", None] * 3 + [2]), "y must have a class for every row, got"),
        (lambda: AdaBoost(STUMP).fit([["a"], ["b"]], [0, 1]), "X must be rows of numbers"),
        (lambda: AdaBoost(STUMP).fit(X, Y, [-1] + [1] * 9), "sample_weight must be a number at least 0, got -1"),
        (lambda: AdaBoost(STUMP).fit(X, Y, np.zeros(10)), "sample_weight must not be 0 for every row"),
        (
            lambda: AdaBoost(STUMP).fit(X, Y, np.ones(9)),
            r"sample_weight must have one weight for each of the 10 rows of X, got shape \(9,\)",
        ),
        (lambda: DecisionStump().fit(X, Y, [np.nan] * 10), "sample_weight must be a number at least 0, got nan"),
        (lambda: bl.GaussianNaiveBayes().fit(X, Y, [-1] + [1] * 9), "sample_weight must be a number at least 0"),
        (lambda: bl.GaussianNaiveBayes().fit(X, Y, (Y > 0) * 1.0), "sample_weight must give each class some weight"),
        (
            lambda: bl.NaiveBayes().fit(X, Y, np.ones(3)),
            r"sample_weight must have one weight for each of the 10 rows of X, got shape",
        ),
        (lambda: AdaBoost(STUMP).predict(X), "is not fitted yet: call fit first"),
        (lambda: Bagging(STUMP).predict(X), "is not fitted yet: call fit first"),
        (lambda: DecisionStump().predict(X), "is not fitted yet: call fit first"),
        (lambda: AdaBoost(STUMP, 3).fit(X, Y).predict(X[:, :1]), "X must have 2 attributes as in fit, got 1"),
        (lambda: Bagging(STUMP, 3).fit(X, Y).predict(X[:, :1]), "X must have 2 attributes as in fit, got 1"),
        (
            lambda: AdaBoost(STUMP, 3).fit(X, Y).margins(X, Y[:4]),
            "y must have one class for each of the 10 rows of X, got 4",
        ),
        (
            lambda: AdaBoost(STUMP, 3).fit(X, Y).margins(X, [7] * 10),
            r"y must hold the classes of fit, \{-1, 1\}, got \[7\]",
        ),
        (lambda: AdaBoost(STUMP, 3).fit(X, Y).margins(X, "x"), "y must be one row of classes"),
        (lambda: AdaBoost(STUMP, 3).fit(X, Y).score(X, Y[:, None]), "y must be one row of classes"),
        (lambda: Bagging(STUMP, 3).fit(X, Y).score(X, Y[:4]), "y must have one class for each of the 10 rows"),
        (lambda: Bagging(STUMP, 3).fit(X, Y).score(X, ["a"] * 10), r"y must hold classes of fit, \{-1, 1\}"),
        (lambda: AdaBoost(STUMP, 3).fit([[1, None], [2, 3]], [0, 1]), "X must have no missing value"),
        (lambda: Bagging(bl.NaiveBayes(), 3).fit([["a", None], ["b", "c"]], [0, 1]), "X must have no missing value"),
        (lambda: DecisionTree().fit([[1, None], [2, 3]], [0, 1]), "X must hold numbers .* got nan in row 0"),
        (lambda: AdaBoost(STUMP, 3).fit(X, Y).predict(pd.DataFrame()), "X must have two axes"),
        (lambda: Bagging(STUMP, 3).fit(X, Y).predict(pd.Series([1.0])), r"X must have two axes, .* got shape \(1,\)"),
        (lambda: DecisionTree().fit(X, Y).predict(pd.DataFrame()), "X must have two axes"),
        (lambda: DecisionTree().fit(X, Y).predict(np.ones((2, 9))), "X must have 2 attributes as in fit, got 9"),
        (lambda: NearestNeighbour().fit(X, Y).predict(X[:, :1]), "X must have 2 attributes as in fit, got 1"),
        (lambda: AdaBoost(STUMP, 3).fit(X, Y).predict([["a", "b"]]), "X must be rows of numbers"),
        (lambda: DecisionTree(0), 'max_features, if not None or "sqrt", must be a whole number of at least 1, got 0'),
        (lambda: RandomForest(3, "all"), "max_features, if not None .* got 'all'"),
        (lambda: Bagging(STUMP, 3, oob_score=1), "oob_score must be True or False, got 1"),
        (lambda: average_stumps(X, Y[:, None], [1], 0.3), "y must have one number for each of the 10 rows of X"),
        (lambda: average_stumps(X, Y, [1], 0.3).vote(X[:, :1]), "X must have 2 attributes as the stumps, got 1"),
        (lambda: boost_round([0.5, 0.5], [0, 1]), "wrong must be one row of True and False"),
        (lambda: boost_round([0.5, -0.5], [True, False]), "weights must be a number at least 0, got -0.5"),
        (
            lambda: boost_round([0.5, 0.5], [True, True]),
            "wrong must hold some of the weight and not all of it, got ε = 1",
        ),
        (lambda: boost_round([0.5, 0.5], [True, False], 1), "classes must be a whole number of at least 2, got 1"),
        (lambda: boost_round([1, 1, 1], [True, False]), "weights must have one weight for each of the 2 rows"),
        (lambda: training_bound([0.2, 1.2]), "errors must be a number between 0 and 1, got 1.2"),
        (lambda: bootstrap_share(0), "n must be a whole number of at least 1, got 0"),
        (lambda: majority_error(0.3, 20), "voters must be odd, so that no vote is a tie, got 20"),
        (lambda: majority_error(1.3, 21), "error must be a probability between 0 and 1, got 1.3"),
        (lambda: average_stumps(X, Y, [1], 0.5), "noise must be above 0 and below 0.5, got 0.5"),
        (lambda: average_stumps(X, Y + 1, [1], 0.3), r"y must hold −1 and \+1, got \{0.0, 2.0\}"),
        (lambda: average_stumps(X, Y, [np.nan], 0.3), "thresholds must hold numbers .* got nan"),
        (lambda: disc(0), "n must be a whole number of at least 1, got 0"),
        (lambda: disc(5, 1.5), "flipped must be a probability between 0 and 1, got 1.5"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_names_are_public():
    assert bl.AdaBoost is ensembles.AdaBoost and bl.Bagging is ensembles.Bagging
    assert bl.DecisionStump is ensembles.DecisionStump and bl.RandomForest is ensembles.RandomForest
    assert bl.ensembles is ensembles
