"""Section 16: the numbers that its questions mention."""

import re
from math import log

import numpy as np
import pytest

import bayeslib as bl
from bayeslib import data, live
from bayeslib.ensembles import (
    AdaBoost,
    Bagging,
    DecisionStump,
    DecisionTree,
    RandomForest,
    disc,
    in_disc,
    majority_error,
    ten_points,
)
from bayeslib.live.bagging_and_boosting import BIOPSY_ROUNDS, TURNED, _biopsy_split
from bayeslib.practice import tasks_16
from tests.lab import ROOT
from tests.test_ensembles import best_stumps

TEXT = (ROOT / "bayeslib/practice/16.toml").read_text()


def said(pattern):
    """The numbers after a text in the questions, as they are printed."""
    found = re.search(pattern, TEXT)
    assert found, pattern
    return found.groups()


def test_numbers_about_bags_hold():
    side = np.arange(-0.975, 1, 0.05)
    new = np.array([(a, b) for b in side for a in side])
    truth, means = in_disc(new), {}
    for base in (DecisionTree(), DecisionStump(), bl.GaussianNaiveBayes()):
        rows = []
        for seed in range(4):
            X, y, _ = disc(150, 0.15, seed)
            one, vote = base.fit(X, y), bl.Bagging(base, 101, random_state=seed).fit(X, y)
            one, vote = one.predict(new), vote.predict(new)
            rows.append([(one != truth).mean(), (vote != truth).mean(), (one != vote).mean()])
        means[type(base).__name__] = np.mean(rows, axis=0)
    assert [f"{each:.3f}"[1:] for each in means["DecisionTree"][:2]] == [".167", ".117"]
    assert "over four discs its error falls from .167 to .117" in TEXT
    assert [f"{each:.3f}"[1:] for each in means["DecisionStump"][:2]] == [".432", ".432"] and "stays at .432" in TEXT
    assert means["GaussianNaiveBayes"][2] < 0.02 and "fewer than 2% of the answers" in TEXT
    bags = live.bagging_votes()
    bags.preset("101 neighbours")
    assert "the very same answers" in bags.alt
    bags.preset("101 trees")
    assert "the vote 0.130; one learner on all the data 0.163" in bags.alt and ".163 to .130 on our disc" in TEXT
    X, y, _ = disc(150, 0.15, 0)
    assert (bl.Bagging(DecisionTree(), 101, random_state=0).fit(X, y).predict(X) == y).all()
    assert f"{100 * majority_error(0.3, 21):.1f}" == "2.6" and "only 2.6% of the cases" in TEXT


def test_numbers_about_the_ten_points_hold():
    X, y = ten_points()
    model = AdaBoost(DecisionStump(), 60).fit(X, y)
    assert (
        [f"{each:.3f}"[1:] for each in model.alphas_[:3]]
        == [".424", ".650", ".923"]
        == list(said(r"α is (\.\d+), (\.\d+) and (\.\d+)\."))
    )
    assert f"{sum(model.alphas_[:2]):.3f}" == "1.073" and ".424 + .650 = 1.073" in TEXT
    least = model.margins(X, y).min(axis=1)
    assert [f"{least[k - 1]:.3f}" for k in (3, 6, 11, 40)] == ["0.075", "0.218", "0.272", "0.317"]
    assert ".218 at round 6, .272 at round 11, .317 at round 40" in TEXT
    assert 0.5 * log(0.4 / 0.6) == pytest.approx(-0.203, abs=5e-4)
    lie = y.copy()
    lie[3] = -1
    weights = np.array([each.weights for each in AdaBoost(DecisionStump(), 60).fit(X, lie).history_])
    late = weights[-20:].mean(axis=0)
    assert [f"{late[k]:.3f}"[1:] for k in (3, 2, 4)] == [".198", ".199", ".200"] and ".198, .199 and .200" in TEXT
    assert (late < 0.02).sum() == 3 and "Three points stay below .02" in TEXT


def test_numbers_about_clouds_and_flips_hold():
    regions = live.map_regions()
    assert "1 boosted stump: 0.135 and 0.167" in regions.alt and "one stump errs on .167" in TEXT
    regions.preset("100 stumps")
    assert "0.140 of the training points, 0.157 of new ones. 100 boosted stumps: 0.060 and 0.188" in regions.alt
    assert ".060 beside .140 on the training points, .188 beside .157 on new ones" in TEXT
    climb = live.boost_bound()
    climb.preset("20% flipped, round 60")
    assert "training error 0.180" in climb.alt and "true disc 0.124" in climb.alt and ".124 at round 60" in TEXT
    climb.preset("20% flipped, round 300")
    assert "training error 0.123" in climb.alt and "true disc 0.184" in climb.alt and "It rises to .184" in TEXT
    climb.preset("disc")
    assert "true disc 0.045" in climb.alt and "near .045" in TEXT
    X, y, truth = disc(300, 0.2, 0)
    share = AdaBoost(DecisionStump(), 300).fit(X, y).history_[-1].weights[y != truth].sum()
    assert f"{share:.0%}" == "35%" and "35% of the weight" in TEXT


def test_numbers_about_the_three_votes_hold():
    votes = live.three_votes()
    assert "heaviest stump has 0.265 of all weight" in votes.alt
    votes.preset("1000 examples")
    assert (
        "errs on 0.432, its heaviest stump has 0.969" in votes.alt
        and ".265 with 20 examples and .969 with 1000" in TEXT
    )
    assert "boosting errs on 0.031, its heaviest stump has 0.141" in votes.alt and "has .141 of the votes" in TEXT


def test_no_task_hangs_on_a_tie():
    """Right solutions may break ties either way, so there must be none."""
    for X, y, weights in tasks_16.TASKS["best-stump"]["cases"]:
        assert len(best_stumps(np.array(X), np.array(y), weights)) == 1
    for alphas, answers in tasks_16.TASKS["vote"]["cases"]:
        for row in zip(*answers):
            sums = {name: sum(a for a, said in zip(alphas, row) if said == name) for name in "cat dog cow".split()}
            first, second, _ = sorted(sums.values(), reverse=True)
            assert first - second > 0.05
    for weights, k in tasks_16.TASKS["suspects"]["cases"]:
        means = np.sort(np.mean(weights, axis=0))[::-1]
        assert np.diff(means)[:k].max() < -1e-5


def biopsy_votes(split):
    """The rows of data/biopsy_votes.csv for a split, computed again."""
    X, y, train, test, turned = _biopsy_split(split)
    for lies in TURNED:
        given = y[train].copy()
        given[turned[:lies]] *= -1

        def errors(said):
            return int((said != y[test]).sum())

        alone = [errors(each.fit(X[train], given).predict(X[test])) for each in (DecisionStump(), DecisionTree())]
        forest = RandomForest(100, random_state=split).fit(X[train], given)
        bags = Bagging(DecisionTree(), 100, random_state=split, oob_score=True).fit(X[train], given)
        boosted = AdaBoost(DecisionStump(), 100).fit(X[train], given)
        votes = np.cumsum(2 * bags.answers(X[test]) - 1, axis=0), boosted.staged_votes(X[test])
        curves = [[errors(np.where(each[r - 1] > 1e-12, 1, -1)) for r in BIOPSY_ROUNDS] for each in votes]
        against = 1 - bags.oob_vote_share_[np.arange(len(given)), (given > 0).astype(int)]
        weight = np.mean([each.weights for each in boosted.history_], axis=0)
        orders = [np.argsort(-each.round(9), kind="stable")[:60] if split < 5 else [] for each in (weight, against)]
        listed = [" ".join(map(str, each)) for each in (*curves, *orders)]
        yield [split, lies, *alone, errors(forest.predict(X[test])), round(1 - bags.oob_score_, 4), *listed]


@pytest.mark.heavy
@pytest.mark.parametrize("split", range(20))
def test_the_stored_votes_on_biopsies_are_those_of_the_models(split):
    stored = data.load_biopsy_votes()
    assert stored[stored["split"] == split].values.tolist() == list(biopsy_votes(split))
