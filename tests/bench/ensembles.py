"""Section 16: boosting and bagging of stumps beside scikit-learn's with trees of depth 1; trees, bags of them, a forest."""

import numpy as np

from tests.bench import alternate, faster, reported, row, within


@row
def ensembles():
    """CPU time of 50 stumps on the breast-cancer data, 569 rows, boosted and bagged, in turn, one thread."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
    from sklearn.tree import DecisionTreeClassifier

    from bayeslib import AdaBoost, Bagging, DecisionStump

    X, y = load_breast_cancer(return_X_y=True)
    tree = DecisionTreeClassifier(max_depth=1)
    pairs = {
        "AdaBoost": (lambda: AdaBoost(DecisionStump(), 50), lambda: AdaBoostClassifier(tree, n_estimators=50)),
        "bagging": (
            lambda: Bagging(DecisionStump(), 50, random_state=0),
            lambda: BaggingClassifier(tree, 50, n_jobs=1),
        ),
    }
    ratios = []
    for name, (ours, theirs) in pairs.items():
        # The models differ (Gini there, weighted error here), so that only their size and their sense are compared.
        mine, peer = ours().fit(X, y), theirs().fit(X, y)
        assert len(mine.learners_) == len(peer.estimators_) == 50
        assert mine.score(X, y) > 0.9 and peer.score(X, y) > 0.9
        taken = alternate(lambda: ours().fit(X, y), lambda: theirs().fit(X, y), 15)
        ratios.append(faster(f"{name}, 50 stumps, fit: sklearn / ours", *taken, 5))
        taken = alternate(lambda: mine.predict(X), lambda: peer.predict(X), 15)
        ratios.append(faster(f"{name}, 50 stumps, predict: sklearn / ours", *taken, 0))
    return ratios


@row
def trees():
    """CPU time of full trees of 3 and 20 classes, and of 20 trees bagged on the digits (1,347 rows), beside scikit-learn."""
    from sklearn.datasets import load_digits
    from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    from bayeslib.models.ensembles import Bagging, DecisionTree, RandomForest

    random, problems = np.random.default_rng(0), {}
    for rows, classes in ((1_000, 3), (10_000, 3), (10_000, 20)):
        X = random.normal(size=(rows, 10))
        y = (3 * np.abs(X[:, 0] + X[:, 1] * X[:, 2] + random.normal(0, 0.3, rows))).astype(int) % classes
        problems[f"a tree, {rows:,} rows, {classes} classes"] = DecisionTree(), DecisionTreeClassifier(), X, y, 2.5
    X, y = (each[:1347] for each in load_digits(return_X_y=True))
    problems["a tree, the digits"] = DecisionTree(), DecisionTreeClassifier(), X, y, 2.5
    problems["20 bagged trees, the digits"] = Bagging(DecisionTree(), 20), BaggingClassifier(n_estimators=20), X, y, 2.5
    problems["a forest of 20, the digits"] = RandomForest(20), RandomForestClassifier(20), X, y, None
    ratios = []
    for name, (ours, peer, X, y, most) in problems.items():
        assert ours.fit(X, y).score(X, y) > 0.99 and peer.fit(X, y).score(X, y) > 0.99
        taken = alternate(lambda: ours.fit(X, y), lambda: peer.fit(X, y), 7)
        name = f"{name}, fit: ours / sklearn"
        ratios.append(within(name, *taken, most) if most else reported(name, *taken))
    return ratios
