"""Each family of models beside its peer, at the size that lessons use and at 100,000 rows. Both must give the same answers."""

import tempfile
import warnings
from pathlib import Path

import numpy as np

import bayeslib as bl
from bayeslib.models import ensembles, hmm, networks
from bayeslib.models.networks import examples
from tests.bench import beside, row

# At the size of lessons no slower than the peer; with 100,000 rows k-means, mixtures and naive Bayes at most five times slower.
LESSON, MANY = 1, 5


def agree(*pairs):
    """Two answers to one question: a benchmark of a wrong answer says nothing."""
    for ours, peer in pairs:
        np.testing.assert_allclose(ours, peer, rtol=1e-6, atol=1e-6)


def blobs(number, features, k, spread):
    """Points around k centres, and one of each as a starting mean."""
    random = np.random.default_rng(0)
    centres = random.normal(0, spread, (k, features))
    X = np.vstack([random.normal(centre, 1, (number // k, features)) for centre in centres])
    return X, X[:: number // k][:k]


@row
def k_means():
    """k-means beside scikit-learn's, from one start."""
    from sklearn.cluster import KMeans as Peer

    for number, features, k, goal, runs in ((500, 2, 3, LESSON, 60), (100_000, 8, 10, MANY, 5)):
        X, start = blobs(number, features, k, 1.5)
        ours, peer = (model(k, init=start, n_init=1, tol=0) for model in (bl.KMeans, Peer))
        agree((ours.fit(X).cluster_centers_, peer.fit(X).cluster_centers_))
        name = f"k-means, {number:,} points in {features}-d, k = {k}"
        yield beside(f"{name}, fit", goal, lambda: ours.fit(X), lambda: peer.fit(X), runs)
        yield beside(f"{name}, predict", goal, lambda: ours.predict(X), lambda: peer.predict(X), runs)


@row
def mixtures():
    """EM for Gaussians beside scikit-learn's, from one start and for as many iterations."""
    from sklearn.mixture import GaussianMixture as Peer

    warnings.simplefilter("ignore")  # the peer says that it has not converged
    for number, features, k, iterations, goal, runs in ((500, 2, 3, 25, LESSON, 20), (100_000, 4, 5, 10, MANY, 3)):
        X, start = blobs(number, features, k, 3)
        ours = bl.GaussianMixture(k, means_init=start, sigma=1.0, max_iter=iterations, tol=0)
        known = {"means_init": start, "weights_init": [1 / k] * k, "precisions_init": [np.eye(features)] * k}
        peer = Peer(k, max_iter=iterations, tol=0, reg_covar=0, **known)
        ours.fit(X), peer.fit(X)
        agree((ours.means_, peer.means_), (ours.covariances_, peer.covariances_), (ours.weights_, peer.weights_))
        name = f"mixture of {k} Gaussians, {number:,} points in {features}-d, {iterations} iterations"
        yield beside(name, goal, lambda: ours.fit(X), lambda: peer.fit(X), runs)


@row
def naive_bayes():
    """Naive Bayes with attributes of a few values and with Gaussians, beside scikit-learn's."""
    from sklearn.naive_bayes import CategoricalNB, GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder

    random, table = np.random.default_rng(0), bl.data.load_play_tennis()
    y = random.integers(0, 3, 100_000)
    X = (random.integers(0, 5, (100_000, 20)) + random.integers(0, 2, (100_000, 20)) * y[:, None]) % 5
    counts, encoded = bl.NaiveBayes(m="laplace"), make_pipeline(OrdinalEncoder(), CategoricalNB(alpha=1))
    measured = random.normal(size=(100_000, 10)) + 0.1 * y[:, None]
    gauss = bl.GaussianNaiveBayes(), GaussianNB()
    problems = (
        ("PlayTennis", (counts, encoded), table.drop(columns="PlayTennis"), table["PlayTennis"], LESSON, 20),
        ("100,000 rows of 20 attributes", (counts, CategoricalNB(alpha=1)), X, y, MANY, 1),
        ("200 rows of 10 measures", gauss, measured[:200], y[:200], LESSON, 20),
        ("100,000 rows of 10 measures", gauss, measured, y, MANY, 1),
    )
    for name, (ours, peer), X, y, goal, repeats in problems:
        agree((ours.fit(X, y).predict_proba(X), peer.fit(X, y).predict_proba(X)))
        yield beside(f"{name}, fit", goal, lambda: ours.fit(X, y), lambda: peer.fit(X, y), 7, repeats)
        yield beside(f"{name}, predict", goal, lambda: ours.predict(X), lambda: peer.predict(X), 7, repeats)


@row
def hidden_markov_models():
    """The casino's die beside hmmlearn's compiled loops."""
    from hmmlearn.hmm import CategoricalHMM

    model = hmm.casino()
    begin = hmm.guess(model, random_state=0)

    def peer(tables, **options):
        other = CategoricalHMM(2, n_features=6, init_params="", tol=-np.inf, **options)
        other.startprob_, other.transmat_, other.emissionprob_ = tables.start, tables.transition, tables.emission
        return other

    other = peer(model)
    for length, steps, goal, runs in ((300, 20, LESSON, 20), (100_000, 2, None, 3)):
        rolls = model.sample(length, random_state=0)[1]
        X = np.array(rolls)[:, None] - 1
        agree((model.smooth(rolls), other.predict_proba(X)), (model.viterbi(rolls)[1], other.decode(X)[0]))
        theirs = lambda: peer(begin, n_iter=steps).fit(X)  # noqa: E731
        agree((begin.fit([rolls], steps, 0).emission_, theirs().emissionprob_))
        name = f"{length:,} rolls"
        yield beside(f"{name}, smooth", goal, lambda: model.smooth(rolls), lambda: other.predict_proba(X), runs)
        yield beside(f"{name}, Viterbi", goal, lambda: model.viterbi(rolls), lambda: other.decode(X), runs)
        yield beside(f"{name}, {steps} steps of EM", goal, lambda: begin.fit([rolls], steps, 0), theirs, runs)


@row
def belief_networks():
    """Queries and tables from counts beside pgmpy, on networks that both read from one file."""
    from pgmpy.estimators import MaximumLikelihoodEstimator
    from pgmpy.inference import VariableElimination
    from pgmpy.readwrite import BIFReader

    warnings.simplefilter("ignore")
    for make in (examples.burglary, examples.storm, examples.dog):
        net = make()
        with tempfile.TemporaryDirectory() as folder:
            networks.write_bif(net, Path(folder, "net.bif"))
            peer = BIFReader(str(Path(folder, "net.bif"))).get_model()
        target, *seen = np.random.default_rng(0).permutation(net.variables)[:3].tolist()
        first = {v: column[0].item() for v, column in net.sample(1, 0).items()}
        evidence = {v: first[v] for v in seen}
        words = {v: str(state) for v, state in evidence.items()}

        def theirs():
            return VariableElimination(peer).query([target], evidence=words, show_progress=False)

        said = theirs()
        agree(*((p, said.get_value(**{target: str(state)})) for state, p in net.query(target, evidence).items()))
        yield beside(f"{make.__name__}, a query", LESSON, lambda: net.query(target, evidence), theirs, 15, 5)
    import pandas

    sample = net.sample(100_000, 0)
    table = pandas.DataFrame(sample).astype(str)
    yield beside(
        "dog, tables from 100,000 rows",
        None,
        lambda: networks.fit(net.parents, sample),
        lambda: MaximumLikelihoodEstimator(peer, table).get_parameters(),
        3,
    )


@row
def neighbours():
    """5 nearest neighbours beside scikit-learn's: a map of 40,000 pixels, the digits, 100,000 points."""
    from sklearn.datasets import load_digits
    from sklearn.neighbors import KNeighborsClassifier as Peer

    random, digits = np.random.default_rng(0), load_digits()
    many = random.random((101_000, 2))
    problems = (
        ("200 points, 40,000 queries", many[:40_200], 200, LESSON),
        ("the digits, 450 queries", digits.data, 1347, LESSON),
        ("100,000 points, 1,000 queries", many, 100_000, None),
    )
    for name, X, n, goal in problems:
        y = digits.target[:n] if X is digits.data else random.integers(0, 3, n)
        ours, peer = bl.KNeighborsClassifier(5).fit(X[:n], y), Peer(5).fit(X[:n], y)
        assert (ours.predict(X[n:]) == peer.predict(X[n:])).mean() > 0.99, "but for ties"
        yield beside(f"{name}, predict", goal, lambda: ours.predict(X[n:]), lambda: peer.predict(X[n:]))


@row
def trees():
    """Boosted and bagged stumps, trees and a forest beside scikit-learn's, which are grown by another measure."""
    from sklearn import datasets
    from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    cells, digits = datasets.load_breast_cancer(return_X_y=True), datasets.load_digits(return_X_y=True)
    made = datasets.make_classification(100_000, 10, random_state=0)
    stump, theirs = ensembles.DecisionStump(), DecisionTreeClassifier(max_depth=1)
    problems = (
        ("50 boosted stumps, 569 rows", ensembles.AdaBoost(stump, 50), AdaBoostClassifier(theirs), cells, LESSON),
        ("50 bagged stumps, 569 rows", ensembles.Bagging(stump, 50), BaggingClassifier(theirs, 50), cells, LESSON),
        ("a tree, 569 rows", ensembles.DecisionTree(), DecisionTreeClassifier(), cells, LESSON),
        ("a forest of 20, the digits", ensembles.RandomForest(20), RandomForestClassifier(20), digits, None),
        ("a stump, 100,000 rows", stump, theirs, made, None),
    )
    for name, ours, peer, (X, y), goal in problems:
        assert abs(ours.fit(X, y).score(X, y) - peer.fit(X, y).score(X, y)) < 0.05
        yield beside(f"{name}, fit", goal, lambda: ours.fit(X, y), lambda: peer.fit(X, y), 5)
