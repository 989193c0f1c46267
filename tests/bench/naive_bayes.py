"""Section 05: naive Bayes beside scikit-learn's."""

import numpy as np

import bayeslib as bl
from tests.bench import alternate, faster, row


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
