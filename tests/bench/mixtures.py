"""Section 10: EM and k-means beside scikit-learn and scipy."""

import warnings

import numpy as np

from bayeslib import GaussianMixture, KMeans
from tests.bench import alternate, faster, row, within


def agree(*pairs):
    """Two answers to one question: a benchmark of a wrong answer says nothing."""
    for ours, peer in pairs:
        np.testing.assert_allclose(ours, peer, rtol=1e-6, atol=1e-6)


def blobs(number, features, k, spread=3.0):
    """Points around k centres, and the first of each as a starting mean."""
    random = np.random.default_rng(0)
    centres = random.normal(0, spread, (k, features))
    return np.vstack([random.normal(centre, 1, (number // k, features)) for centre in centres]), number // k


@row
def mixture_of_gaussians():
    """EM for Gaussians beside scikit-learn's, from one start: history kept on 500 points, not on 100,000."""
    from sklearn.mixture import GaussianMixture as Peer

    ratios = []
    for number, features, k, iterations, runs in ((500, 1, 3, 25, 40), (500, 2, 3, 25, 40), (100_000, 4, 5, 10, 7)):
        X, every = blobs(number, features, k)
        start, keep = X[::every][:k], number < 1000

        def ours():
            options = {"sigma": 1.0, "max_iter": iterations, "tol": 0, "floor": 1e-12, "history": keep}
            return GaussianMixture(k, start=start, **options).fit(X)

        def peer():
            known = {"means_init": start, "weights_init": [1 / k] * k, "precisions_init": [np.eye(features)] * k}
            with warnings.catch_warnings(action="ignore"):  # it has not converged: all do the same 25 iterations
                return Peer(k, max_iter=iterations, tol=0, reg_covar=0, **known).fit(X)

        a, b = ours(), peer()
        assert a.n_iter_ == b.n_iter_ == iterations
        agree((a.means_, b.means_), (a.covariances_, b.covariances_), (a.weights_, b.weights_))
        name = f"mixture of {k} Gaussians, {number} points in {features}-d, {iterations} iterations: sklearn / ours"
        ratios.append(faster(name, *alternate(ours, peer, runs), 4))
    return ratios


@row
def k_means():
    """k-means beside scikit-learn's and scipy's, from one start."""
    from scipy.cluster.vq import kmeans2
    from sklearn.cluster import KMeans as Peer

    ratios = []
    for number, features, k, runs in ((500, 2, 3, 60), (100_000, 8, 10, 7)):
        X, every = blobs(number, features, k, spread=1.5)
        start = X[:: every // 2][:k]

        def ours():
            return KMeans(k, start=start, history=False).fit(X)

        def peer():
            return Peer(k, init=start, n_init=1, tol=0).fit(X)

        def scipy():
            return kmeans2(X, start, iter=ours.iterations, minit="matrix")

        fit = ours()
        ours.iterations = fit.n_iter_
        agree((fit.means_, peer().cluster_centers_), (fit.means_, scipy()[0]))
        name = f"k-means, {number} points in {features}-d, k = {k}, {fit.n_iter_} iterations"
        if number < 1000:
            ratios.append(faster(f"{name}: sklearn / ours", *alternate(ours, peer, runs), 1))
            ratios.append(faster(f"{name}: scipy / ours", *alternate(ours, scipy, runs), 1))
        else:
            ratios.append(within(f"{name}: ours / sklearn", *alternate(ours, peer, runs), 3))
    return ratios
