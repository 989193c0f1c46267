"""Section 05: naive Bayes beside scikit-learn's."""

import numpy as np

import bayeslib as bl
from tests.bench import alternate, faster, row, within


@row
def naive_bayes():
    """NaiveBayes beside scikit-learn's CategoricalNB, one thread, CPU time: the same tables, the same answers."""
    from sklearn.naive_bayes import CategoricalNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder

    table = bl.data.load_play_tennis()
    X, y = table.drop(columns="PlayTennis").to_numpy(), table["PlayTennis"].to_numpy()

    def ours():
        return bl.NaiveBayes(m="laplace").fit(X, y).predict(X)

    def peer():
        return make_pipeline(OrdinalEncoder(), CategoricalNB(alpha=1)).fit(X, y).predict(X)

    assert (ours() == peer()).all()
    ratios = [faster("PlayTennis, fit and predict: CategoricalNB / NaiveBayes", *alternate(ours, peer, 25, 20), 20)]

    random = np.random.default_rng(0)
    y = random.integers(0, 3, 100_000)
    X = (random.integers(0, 5, (100_000, 20)) + random.integers(0, 2, (100_000, 20)) * y[:, None]) % 5
    nb, other = bl.NaiveBayes(m="laplace").fit(X, y), CategoricalNB(alpha=1).fit(X, y)
    assert np.allclose(nb.predict_proba(X), other.predict_proba(X)) and (nb.predict(X) == other.predict(X)).all()
    fits = alternate(lambda: bl.NaiveBayes(m="laplace").fit(X, y), lambda: CategoricalNB(alpha=1).fit(X, y), 15)
    predictions = alternate(lambda: nb.predict(X), lambda: other.predict(X), 15)
    return ratios + [
        faster("100,000 rows × 20 attributes, fit: CategoricalNB / NaiveBayes", *fits, 4),
        faster("100,000 rows × 20 attributes, predict: CategoricalNB / NaiveBayes", *predictions, 1.5),
    ]


@row
def gaussian_naive_bayes():
    """GaussianNaiveBayes beside scikit-learn's GaussianNB, one thread, CPU time: the same means, the same answers."""
    from sklearn.naive_bayes import GaussianNB

    ratios = []
    for rows, attributes, classes in ((10_000, 500, 10), (10_000, 10, 3), (200, 10, 3)):
        random = np.random.default_rng(0)
        y = random.integers(0, classes, rows)
        X = random.normal(size=(rows, attributes)) + 0.1 * y[:, None]
        ours, peer = bl.GaussianNaiveBayes().fit(X, y), GaussianNB().fit(X, y)
        assert np.allclose(ours.log_scores(X), peer.predict_joint_log_proba(X))
        name = f"GaussianNaiveBayes, {rows:,} rows, d={attributes}, k={classes}"
        runs, repeats = (7, 1) if rows * attributes > 10**6 else (15, 10)
        fits = alternate(lambda: bl.GaussianNaiveBayes().fit(X, y), lambda: GaussianNB().fit(X, y), runs, repeats)
        said = alternate(lambda: ours.predict(X), lambda: peer.predict(X), runs, repeats)
        ratios += [within(f"{name}, fit", *fits, 1.2), within(f"{name}, predict", *said, 1.2)]
    return ratios
