"""Section 10: EM and k-means beside scikit-learn and scipy."""

import warnings

import numpy as np

from bayeslib import GaussianMixture, KMeans
from bayeslib.models import mixtures
from tests.bench import Ratio, alternate, faster, row, within


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
    """EM for Gaussians beside scikit-learn's, which keeps no history either, from one start; the lesson's steps are reported."""
    from sklearn.mixture import GaussianMixture as Peer

    ratios = []
    for number, features, k, iterations, runs in ((500, 1, 3, 25, 40), (500, 2, 3, 25, 40), (100_000, 4, 5, 10, 7)):
        X, every = blobs(number, features, k)
        start = X[::every][:k]

        def ours(history=False):
            options = {"sigma": 1.0, "max_iter": iterations, "tol": 0, "floor": 1e-12, "history": history}
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
        if number < 1000:  # at this size a fit that keeps its history runs the steps of the lesson
            ratios.append(faster(f"{name}, with history", *alternate(lambda: ours(True), peer, runs), 0))
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


@row
def k_means_with_history():
    """k-means that keeps every step beside scikit-learn's, which keeps none, from one start; then its answers."""
    from sklearn.cluster import KMeans as Peer

    ratios = []
    for number, runs in ((10_000, 15), (100_000, 7)):
        X, every = blobs(number, 10, 8, spread=1.5)
        start = X[:: every // 2][:8]

        def ours():
            return KMeans(8, start=start).fit(X)

        def peer():
            return Peer(8, init=start, n_init=1, tol=0).fit(X)

        agree((ours().means_, peer().cluster_centers_))
        name = f"k-means with history, {number} points in 10-d, k = 8: ours / sklearn"
        ratios.append(within(name, *alternate(ours, peer, runs), 2.5))
    model, known = KMeans(8, start=start, history=False).fit(X), peer()
    for number, runs in ((100_000, 15), (1_000_000, 7)):
        new = np.random.default_rng(1).normal(0, 2, (number, 10))
        assert (model.predict(new) == known.predict(new)).mean() > 1 - 1e-6  # their means are rounded otherwise
        name = f"nearest mean of {number} points in 10-d, k = 8: ours / sklearn"
        ratios.append(within(name, *alternate(lambda: model.predict(new), lambda: known.predict(new), runs), 1.5))
    return ratios


@row
def k_means_plus_plus():
    """The start of k-means beside scikit-learn's, 20,000 points in 10-d, and how it grows with the number of means."""
    from sklearn.cluster import kmeans_plusplus

    X = np.random.default_rng(0).normal(size=(20_000, 10))
    ratios, times, counts = [], [], (10, 50, 100)
    for k in counts:
        draw = alternate(
            lambda: mixtures._spread(X, k, np.random.default_rng(0)), lambda: kmeans_plusplus(X, k, random_state=0), 7
        )
        times.append(np.median(draw[0]))
        ratios.append(within(f"k-means++ start, k = {k}: ours / sklearn", *draw, 1.5))
    slope = float(np.polyfit(np.log(counts), np.log(times), 1)[0])
    told = ", ".join(f"{each:.3g} ms" for each in times)
    return [*ratios, Ratio("k-means++ start, growth with k, log-log", slope, "at most 1.1", slope <= 1.1, told)]


@row
def mixtures_of_many_features():
    """EM beside scikit-learn's in many dimensions: 5,000 points, 5 components, 10 iterations from one start."""
    from sklearn.mixture import GaussianMixture as Peer

    ratios, k, iterations = [], 5, 10
    shapes = {"diagonal": ("diag", (20, 50, 100), 1, np.ones), "full": ("full", (20, 50, 100), 1.5, np.eye)}
    for shape, (theirs, sizes, limit, unit) in shapes.items():
        for features in sizes:
            X, every = blobs(5000, features, k)
            start = X[::every][:k]

            def ours():
                options = {"sigma": 1.0, "max_iter": iterations, "tol": 0, "history": False}
                return GaussianMixture(k, shape, start=start, **options).fit(X)

            def peer():
                known = {"means_init": start, "weights_init": [1 / k] * k, "precisions_init": [unit(features)] * k}
                with warnings.catch_warnings(action="ignore"):
                    return Peer(k, covariance_type=theirs, max_iter=iterations, tol=0, reg_covar=0, **known).fit(X)

            a, b = ours(), peer()
            assert a.n_iter_ == b.n_iter_ == iterations
            agree((a.means_, b.means_), (a.weights_, b.weights_))
            name = f"{shape} mixture of {k} Gaussians, 5000 points in {features}-d: ours / sklearn"
            ratios.append(within(name, *alternate(ours, peer, 5), limit))
    return ratios
