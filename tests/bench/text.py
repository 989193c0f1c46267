"""Section 12: EM over labelled and unlabelled documents beside a loop over scikit-learn."""

import numpy as np

import bayeslib
from tests.bench import alternate, faster, row


@row
def text_em(runs=7, rounds=10):
    """CPU time of EM over 4,000 documents of 5,000 words, 100 of each of 4 classes labelled, both sides from the same sparse
    matrix, beside a loop over scikit-learn's MultinomialNB: there an unlabelled document comes once for each class, with
    its share as sample weight; the stacked matrix is made before the clock runs."""
    from scipy.sparse import csr_array, vstack
    from sklearn.naive_bayes import MultinomialNB

    random, k = np.random.default_rng(0), 4
    kind = np.arange(4000) % k
    chances = random.dirichlet(np.full(5000, 0.05), k)
    X = csr_array(np.stack([random.multinomial(80, 0.7 * chances[each] + 0.3 / 5000) for each in kind]).astype(float))
    y = [int(each) if place < 100 * k else None for place, each in enumerate(kind)]
    known, labels = X[: 100 * k], kind[: 100 * k]
    unlabelled, targets = X[100 * k :], np.concatenate([labels, np.repeat(range(k), 4000 - 100 * k)])
    stacked = vstack([known, *[unlabelled] * k]).tocsr()

    def ours():
        return bayeslib.MultinomialNaiveBayes("laplace", max_iter=rounds, tol=0).fit(X, y).log_table_

    def peer():
        model = MultinomialNB().fit(known, labels)
        for _ in range(rounds):
            weights = np.concatenate([np.ones(len(labels)), model.predict_proba(unlabelled).T.ravel()])
            model.fit(stacked, targets, sample_weight=weights)
        return model.feature_log_prob_

    assert np.allclose(ours(), peer(), atol=1e-6)
    name = f"text EM, {X.shape[0]:,} × {X.shape[1]:,}, {rounds} rounds, sparse: scikit-learn loop / ours"
    return [faster(name, *alternate(ours, peer, runs), 3)]
