"""Section 16: the numbers that its questions mention."""

import re
from math import factorial

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
    ten_points,
)
from bayeslib.live.bagging_and_boosting import BIOPSY_ROUNDS, SQUARE, TURNED, _biopsy_split
from bayeslib.practice import tasks_16
from tests.lab import ROOT
from tests.reading import Lesson
from tests.test_ensembles import best_stumps

TEXT = (ROOT / "bayeslib/practice/16.toml").read_text(encoding="utf-8")
LESSON = "\n".join(cell.source for cell in Lesson.read("16").cells)


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
    assert [f"{each:.3f}" for each in means["DecisionTree"][:2]] == ["0.167", "0.117"]
    assert "its error falls from 0.167 to 0.117" in TEXT
    assert [f"{each:.3f}" for each in means["DecisionStump"][:2]] == ["0.432"] * 2 and "an error of 0.432" in TEXT
    assert means["GaussianNaiveBayes"][2] < 0.02 and "fewer than 2% of the answers" in TEXT
    bags = live.bagging_votes()
    bags.preset("101 neighbours")
    assert "the very same answers" in bags.alt
    bags.preset("101 trees")
    assert (
        "the vote 0.130; one learner on all the data 0.163" in bags.alt and "from 0.163 to 0.130 on one noisy" in TEXT
    )
    X, y, _ = disc(150, 0.15, 0)
    vote = Bagging(DecisionTree(), 101, random_state=0).fit(X, y)
    wrong = np.array([each.predict(X) != y for each in vote.learners_])
    missed = np.array([~np.isin(np.arange(150), bag) for bag in vote.bags_])
    assert (vote.predict(X) == y).all() and not (wrong & ~missed).any()
    assert f"{wrong.mean():.0%}" == "11%" and "on rows that its bag missed; in the run below on about 11%" in LESSON
    assert round(10**10 / factorial(10)) == 2756 and "once in 2756 bags" in TEXT


def test_numbers_about_the_ten_points_hold():
    X, y = ten_points()
    model = AdaBoost(DecisionStump(), 300).fit(X, y)
    alphas = [f"{each:.3f}" for each in model.alphas_[:3]]
    assert alphas == list(said(r"votes α are (0\.\d+), (0\.\d+) and (0\.\d+)\."))
    assert f"{sum(model.alphas_[:2]):.3f}" == "1.073" and "0.424 + 0.650 = 1.073" in TEXT
    least = model.margins(X, y).min(axis=1)
    assert [f"{least[k - 1]:.3f}" for k in (3, 6, 11, 300)] == ["0.075", "0.218", "0.272", "0.331"]
    assert "0.218 at round 6, 0.272 at round 11 and 0.331 at round 300" in TEXT and (least[3:] > 0).all()
    lie = y.copy()
    lie[3] = -1
    fooled = AdaBoost(DecisionStump(), 60).fit(X, lie)
    late = np.array([each.weights for each in fooled.history_])[-20:].mean(axis=0)
    assert [f"{late[k]:.3f}" for k in (3, 2, 4)] == ["0.198", "0.199", "0.200"] and "0.198, 0.199 and 0.200" in TEXT
    assert (late < 0.02).sum() == 3 and "Three of the ten points stay below 0.02" in TEXT
    truly = [int(((each.votes > 0) != (y > 0)).sum()) for each in fooled.history_]
    fitted = [bool(((each.votes > 0) == (lie > 0)).all()) for each in fooled.history_]
    assert (
        fitted == [False] * 6 + [True] * 54 and "from round 7 to round 60 it gives all ten points the labels" in LESSON
    )
    assert truly[:8] == [3, 3, 0, 3, 0, 2, 1, 1] and set(truly[6:]) == {1} and "3, 3, **0**, 3, 0, 2, 1, 1, …" in LESSON


def test_numbers_about_clouds_and_flips_hold():
    regions = live.map_regions()
    assert "1 boosted stump: 0.135 and 0.167" in regions.alt and "with 0.167" in TEXT
    regions.preset("disc, naive Bayes")
    alone, boosted = (float(each) for each in re.findall(r"(0\.\d+) of new ones.* and (0\.\d+)\.", regions.alt)[0])
    assert (
        boosted < alone
        and regions.values["data"] == "disc, 10% flipped"
        and "10% of the labels flipped it does gain" in LESSON
    )
    regions.preset("100 stumps")
    assert "0.140 of the training points, 0.157 of new ones. 100 boosted stumps: 0.060 and 0.188" in regions.alt
    climb = live.boost_bound()
    climb.preset("20% flipped, round 60")
    assert "training error 0.180" in climb.alt and "true disc 0.124" in climb.alt and "0.124 at round 60" in TEXT
    climb.preset("20% flipped, round 300")
    assert "training error 0.123" in climb.alt and "true disc 0.184" in climb.alt and "It rises to 0.184" in TEXT
    climb.preset("disc")
    assert "true disc 0.045" in climb.alt and "near 0.045" in TEXT
    X, y, truth = disc(300, 0.2, 0)
    model = AdaBoost(DecisionStump(), 300).fit(X, y)
    early, late = (model.staged_votes(X)[rounds - 1] * y > 0 for rounds in (60, 300))
    assert (late & ~early).sum() == 21 and (late & ~early & (y != truth)).sum() == 15
    assert "Of the 21 training labels" in TEXT and "15 are flipped ones" in TEXT
    errors = ((model.staged_votes(SQUARE) > 0) != (in_disc(SQUARE) > 0)).mean(axis=1)
    assert errors.argmin() + 1 == 18 and f"{errors.min():.3f}" == "0.096" and "at round 18, with 0.096" in LESSON


@pytest.mark.heavy
def test_bagged_trees_beat_300_rounds_on_flipped_labels():
    for flipped in (0.1, 0.2):
        for seed in range(4):
            X, y, _ = disc(300, flipped, seed)
            boosted, bagged = AdaBoost(DecisionStump(), 300), Bagging(DecisionTree(), 30, random_state=seed)
            assert bagged.fit(X, y).score(SQUARE, in_disc(SQUARE)) > boosted.fit(X, y).score(SQUARE, in_disc(SQUARE))
    assert "the bagged trees are better in each of the four" in LESSON


def test_numbers_about_the_three_votes_hold():
    votes = live.three_votes()
    assert "its heaviest stump 0.265 of all weight" in votes.alt
    votes.preset("1000 examples")
    assert "has error 0.432, its heaviest stump 0.969" in votes.alt
    assert "0.265 with 20 examples and 0.969 with 1000" in TEXT and "wrong on 0.432 of the square" in TEXT
    assert "boosting has error 0.031, its heaviest stump 0.141" in votes.alt and "has 0.141 of the votes" in TEXT


def test_numbers_about_the_biopsies_hold():
    stored = data.load_biopsy_votes()
    last = {
        name: stored[name].map(lambda each: int(str(each).split()[-1]))
        for name in ("stump", "tree", "bagging", "boosting", "forest")
    }
    percent = {
        name: [f"{column[stored['flipped'] == lies].mean() / 1.9:.1f}%" for lies in (0, 19)]
        for name, column in last.items()
    }
    assert percent["tree"] == ["7.0%", "11.5%"] and "The tree rises from 7.0% to 11.5%" in TEXT
    assert percent["boosting"] == ["4.2%", "6.7%"] and "boosting from 4.2% to 6.7%" in TEXT
    assert percent["bagging"] == ["5.6%", "5.9%"] and "bagging from 5.6% to 5.9%" in TEXT
    assert percent["stump"] == ["10.2%", "10.0%"] and "the stump goes from 10.2% to 10.0%" in TEXT
    for lies, counts in ((0, (17, 1, 2)), (19, (6, 4, 10))):
        lead = (last["bagging"] - last["boosting"])[stored["flipped"] == lies]
        assert ((lead > 0).sum(), (lead == 0).sum(), (lead < 0).sum()) == counts
    assert (
        "better than bagging in 17 of the 20 splits" in LESSON and "better in 6, equal in 4 and worse in 10" in LESSON
    )
    assert f"{stored['out_of_bag'][stored['flipped'] == 19].mean():.1%}" == "9.9%" and "it reports 9.9%" in LESSON
    found = []
    for split in range(5):
        turned = _biopsy_split(split)[-1][:19]
        row = stored[(stored["split"] == split) & (stored["flipped"] == 19)].iloc[0]
        found += [np.isin(np.array(row[name].split()[:19], int), turned).sum() for name in ("heaviest", "contradicted")]
    assert {*found[::2]} == {15, 16} and "15 or 16 have a flipped label in each of the five splits" in LESSON
    assert "Three or four of the 19 heaviest rows in a split have their label as recorded" in LESSON
    assert (min(found[1::2]), max(found[1::2])) == (13, 16) and "about as many, 13 to 16" in LESSON
    forests = last["forest"].groupby(stored["flipped"]).mean() < last["bagging"].groupby(stored["flipped"]).mean()
    assert forests.all() and "the forest is better in each of the four rows" in LESSON


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
