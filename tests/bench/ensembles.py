"""Section 16: boosting and bagging of stumps beside scikit-learn's with trees of depth 1."""

from tests.bench import alternate, faster, row


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
