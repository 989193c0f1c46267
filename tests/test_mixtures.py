"""k-means and mixtures of Gaussians: the numbers of the lesson, brute force, scikit-learn, properties, bad input."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.stats import multivariate_normal, norm
from sklearn.cluster import KMeans as PeerKMeans
from sklearn.mixture import GaussianMixture as Peer

import bayeslib as bl
from bayeslib.models import mixtures
from bayeslib.models.mixtures import COVARIANCES, Q, e_step, entropy, log_joint, log_likelihood, lower_bound, m_step

LINE = np.array([1.0, 1.6, 2.1, 2.4, 3.4, 4.2, 5.1, 5.8, 6.3, 7.1])


def plane(name):
    return getattr(bl.data, f"load_{name}")()[["x", "y"]].to_numpy()


def on_the_line(**options):
    options = {"sigma": 1.0, "means_init": [3, 4], "tol": 1e-10, "history": True} | options
    return bl.GaussianMixture(2, "known", "equal", **options).fit(LINE)


# The line


def test_the_climb_and_the_bound_of_the_lesson():
    fit = on_the_line()
    start, e, m = fit.history_[:3]
    assert [step.kind for step in (start, e, m)] == ["start", "E", "M"] and fit.n_iter_ == 13 and fit.converged_
    assert e.responsibilities[4, 0] == pytest.approx(np.exp(-0.08) / (np.exp(-0.08) + np.exp(-0.18)))
    assert e.responsibilities.sum(axis=0) == pytest.approx([4.546, 5.454], abs=5.1e-4)
    assert m.means.ravel() == pytest.approx([2.401, 5.150], abs=5.1e-4)
    climbed = [step.log_likelihood for step in fit.history_ if step.kind != "E"]
    assert climbed[:4] == pytest.approx([-27.322, -20.552, -19.746, -19.726], abs=5.1e-4)
    assert (e.bound, m.bound) == pytest.approx((-27.322, -22.901), abs=5.1e-4)
    assert fit.log_likelihood_ == pytest.approx(-19.723, abs=5.1e-4)
    assert fit.means_.ravel() == pytest.approx([2.208, 5.740], abs=1e-3)


def test_q_is_the_expectation_over_all_ways_to_assign_the_points():
    """Brute force: every assignment of four points, weighed by its posterior under h, scored under h'."""
    x, h, new = LINE[:4], np.array([1.0, 3.0]), np.array([0.5, 2.5])
    expected = 0.0
    for z in itertools.product([0, 1], repeat=len(x)):
        weight = np.prod([norm.pdf(a, h[j]) / norm.pdf(a, h).sum() for a, j in zip(x, z)])
        expected += weight * sum(np.log(0.5) + norm.logpdf(a, new[j]) for a, j in zip(x, z))
    assert Q(new, h, x) == pytest.approx(expected)


def test_q_with_the_entropy_touches_the_likelihood_at_h_and_is_below_it_elsewhere():
    shares, h = on_the_line().history_[1].responsibilities, np.array([3.0, 4.0])
    grid = h + np.stack(np.meshgrid([-1, 0, 1], [-1, 0, 1], indexing="ij"), axis=-1)
    gap = log_likelihood(grid, LINE) - Q(grid, h, LINE) - entropy(shares)
    assert gap[1, 1] == pytest.approx(0) and (gap.ravel()[[0, 1, 2, 3, 5, 6, 7, 8]] > 0).all()


def test_a_far_start_is_rescued_by_logs_and_leaves_k_means_with_an_empty_cluster():
    fit = on_the_line(means_init=[3, 20])
    assert fit.history_[1].responsibilities[:, 1].sum() == pytest.approx(3.3e-33, rel=0.02)
    assert fit.means_.ravel() == pytest.approx([2.208, 5.740], abs=1e-3)
    hard = bl.KMeans(2, init=[3, 20]).fit(LINE)
    assert hard.empty_ == [1] and hard.cluster_centers_.ravel() == pytest.approx([3.9, 20])
    gone = bl.GaussianMixture(2, means_init=[3, 500], sigma=1.0, history=True).fit(LINE)
    assert gone.weights_.tolist() == [1, 0] and gone.means_[1] == 500 and gone.covariances_[1] == 1
    assert np.isfinite([step.bound for step in gone.history_[1:]]).all()


# The plane


def test_k_means_stops_when_no_point_changes_its_mean():
    hard = bl.KMeans(2, init=[(-2, 3), (1, -3)], tol=0, history=True).fit(plane("broad_and_tight"))
    steps = [(step.changed, round(step.cost, 1)) for step in hard.history_ if step.kind == "assign"]
    assert steps[:4] == [(150, 2368.2), (28, 873.4), (17, 643.8), (4, 596.9)] and steps[-1] == (0, 592.4)
    assert hard.n_iter_ == len(steps) - 1 == 7 and (np.diff([step.cost for step in hard.history_[1:]]) <= 0).all()


def test_a_bad_start_is_kept_and_several_starts_help():
    X = plane("three_blobs")
    assert bl.KMeans(3, init=[(-5, 1), (-5, -1), (3, 0)]).fit(X).inertia_ == pytest.approx(424.2, abs=0.051)
    ends = {
        how: [bl.KMeans(3, init=how, random_state=seed).fit(X).inertia_ for seed in range(60)]
        for how in ("random", "k-means++")
    }
    stuck = [sum(end > 200 for end in ends[how]) for how in ends]
    assert stuck == [11, 6]
    best = bl.KMeans(3, init="random", n_init=12, random_state=0).fit(X)
    assert best.inertia_ == pytest.approx(116.0, abs=0.051) == min(ends["random"])


def test_a_collapsed_fit_is_reported_and_kept_only_if_all_are():
    X, start = plane("broad_and_tight"), [(2, -2), (4, -4)]
    lone = bl.GaussianMixture(2, "spherical", sigma=1.0, means_init=start, tol=1e-8).fit(X)
    assert lone.collapsed_ == [1] and lone.means_[1] == pytest.approx([3.7, -4.6])
    assert lone.covariances_[1] == pytest.approx(1e-12 * X.var(axis=0).mean() * np.eye(2), rel=1e-6, abs=1e-20)
    options = {"init_params": "random_from_data", "tol": 1e-6, "random_state": 12}
    assert bl.GaussianMixture(5, "spherical", **options).fit(X).collapsed_ == [1]
    assert not bl.GaussianMixture(5, "spherical", n_init=5, **options).fit(X).collapsed_
    flat = np.column_stack([LINE, np.ones(10)])
    assert bl.GaussianMixture(2, means_init=[(2, 1), (6, 1)]).fit(flat).collapsed_ == [0, 1]
    assert bl.GaussianMixture(2, "known", means_init=[(2, 1), (6, 1)]).fit(flat).collapsed_ == []
    assert bl.GaussianMixture().fit([[2.0, 3.0]]).collapsed_ == [0], "one point has no width"


def test_a_mixture_starts_where_k_means_ends():
    X = plane("three_blobs")
    start = bl.GaussianMixture(3, random_state=1, history=True).fit(X).history_[0]
    assert (start.means == bl.KMeans(3, random_state=1).fit(X).cluster_centers_).all()


# scikit-learn


@pytest.mark.parametrize("shape", ["full", "diag", "spherical", "tied"])
def test_em_agrees_with_scikit_learn(shape):
    X = plane("cigars") + 100
    start, k = X[[3, 80]], 2
    precision = {"full": np.array([np.eye(2)] * 2), "diag": np.ones((2, 2)), "spherical": np.ones(2), "tied": np.eye(2)}
    known = {"means_init": start, "weights_init": [0.5, 0.5], "precisions_init": precision[shape]}
    with warnings.catch_warnings(action="ignore"):
        peer = Peer(k, covariance_type=shape, max_iter=15, tol=0, reg_covar=0, **known).fit(X)
    fit = bl.GaussianMixture(k, shape, sigma=1.0, means_init=start, max_iter=15, tol=0).fit(X)
    assert fit.means_ == pytest.approx(peer.means_, abs=1e-6) and fit.weights_ == pytest.approx(peer.weights_, abs=1e-6)
    assert fit.predict_proba(X) == pytest.approx(peer.predict_proba(X), abs=1e-6)
    assert fit.score(X) == pytest.approx(peer.score(X), abs=1e-8)
    assert fit.bic_score(X) == pytest.approx(-peer.bic(X) / 2, rel=1e-9)


@pytest.mark.parametrize("tol", [0, 1e-4, 0.3])
def test_k_means_agrees_with_scikit_learn(tol):
    X = plane("broad_and_tight")
    start = X[[0, 1, 50]]
    peer = PeerKMeans(3, init=start, n_init=1, tol=tol).fit(X)
    fit = bl.KMeans(3, init=start, tol=tol).fit(X)
    assert fit.cluster_centers_ == pytest.approx(peer.cluster_centers_)
    assert (fit.labels_ == peer.labels_).all() and (fit.predict(X[::-1]) == peer.labels_[::-1]).all()
    assert fit.inertia_ == pytest.approx(peer.inertia_) and fit.score(X) == pytest.approx(peer.score(X))


# Properties


@st.composite
def clouds(draw):
    features, number, k = draw(st.integers(1, 3)), draw(st.integers(6, 30)), draw(st.integers(1, 4))
    random = np.random.default_rng(draw(st.integers(0, 10_000)))
    X = random.normal(0, draw(st.sampled_from([0.1, 1.0, 30.0])), (number, features)) + draw(st.sampled_from([0, 1000]))
    return X, X[:k] + random.normal(0, 0.01, (k, features)), k


@given(clouds(), st.sampled_from(COVARIANCES), st.sampled_from(["equal", "learned"]))
@settings(deadline=None, max_examples=50)
def test_em_never_falls_and_the_bound_never_exceeds_the_likelihood(cloud, covariance, weights):
    X, start, k = cloud
    fit = bl.GaussianMixture(k, covariance, weights, means_init=start, max_iter=25, tol=0, history=True).fit(X)
    thinnest = max(np.linalg.cond(step.covariances).max() for step in fit.history_)  # 1e13 on the floor
    slack = 1e-7 * (1 + abs(fit.log_likelihood_)) + len(X) * np.finfo(float).eps * thinnest
    for before, after in itertools.pairwise(fit.history_):
        assert after.log_likelihood >= before.log_likelihood - slack
        assert after.bound <= after.log_likelihood + slack
        if after.kind == "M":
            assert after.bound >= before.bound - slack
            joint = log_joint(X, *after[1:4])
            assert after.bound == pytest.approx(lower_bound(after.responsibilities, joint), rel=1e-6, abs=1e-6)
    assert fit.weights_.sum() == pytest.approx(1) and fit.predict_proba(X).sum(axis=1) == pytest.approx(1)


def test_the_first_mean_wins_a_tie():
    tied = bl.KMeans(2, init=[[2, 0], [1, 0]]).fit([[1, 0], [2, 0], [2, 2]])
    assert tied.labels_.tolist() == [1, 0, 0]
    assert bl.KMeans(2, init=[-1, 1]).fit([-1.0, 0.0, 1.0, 2.0, -2.0]).labels_.tolist() == [0, 0, 1, 1, 0]


def test_e_and_m_step_are_the_formulas():
    random = np.random.default_rng(0)
    X, means, weights = random.normal(size=(20, 3)), random.normal(size=(4, 3)), random.dirichlet(np.ones(4))
    covariances = np.array([np.cov(random.normal(size=(3, 9))) for _ in range(4)])
    density = np.array([multivariate_normal(m, c).pdf(X) for m, c in zip(means, covariances)]).T * weights
    shares, total = e_step(X, means, covariances, weights)
    assert shares == pytest.approx(density / density.sum(axis=1, keepdims=True))
    assert total == pytest.approx(np.log(density.sum(axis=1)).sum())
    new_means, new_covariances, new_weights = m_step(X, shares)
    for j in range(4):
        assert new_means[j] == pytest.approx(np.average(X, axis=0, weights=shares[:, j]))
        assert new_covariances[j] == pytest.approx(np.cov(X.T, aweights=shares[:, j], bias=True))
    assert new_weights == pytest.approx(shares.mean(axis=0))


@pytest.mark.parametrize("covariance", COVARIANCES[:4])
@pytest.mark.parametrize("unit", [1e-40, 1e90, (1e-5, 1e7)])
def test_units_do_not_matter(covariance, unit):
    X, start = plane("broad_and_tight"), np.array([(-2, 3), (1, -3)])
    unit = unit if covariance != "spherical" else np.min(unit)  # a circle in other units of one axis is no circle
    plain = bl.GaussianMixture(2, covariance, means_init=start).fit(X)
    with warnings.catch_warnings(action="error"):
        other = bl.GaussianMixture(2, covariance, means_init=start * unit).fit(X * unit)
    assert other.means_ / unit == pytest.approx(plain.means_, rel=1e-6)
    assert other.log_likelihood_ == pytest.approx(plain.log_likelihood_ - len(X) * np.log(unit * np.ones(2)).sum())
    if np.ndim(unit) == 0:
        far = bl.KMeans(2, init=start * unit).fit(X * unit)
        assert (far.labels_ == bl.KMeans(2, init=start).fit(X).labels_).all()


@pytest.mark.parametrize("model", [bl.KMeans(4, random_state=0), bl.GaussianMixture(4, "diag", random_state=0)])
def test_defaults_are_fit_for_100_000_rows(model):
    random = np.random.default_rng(0)
    X = np.vstack([random.normal(random.normal(0, 2, 3), 1, (25_000, 3)) for _ in range(4)])
    assert model.fit(X).n_iter_ < 60 and model.history_ == []


def test_groups_are_named_one_to_one_as_well_as_possible():
    """The same as an assignment problem, for more groups than labels and the other way round."""
    random = np.random.default_rng(0)
    for groups, labels in ((3, 3), (5, 3), (2, 4), (1, 3), (4, 1)):
        one, other = random.integers(groups, size=40), random.integers(labels, size=40)
        named = mixtures.best_naming(one, np.array(list("abcd"))[other])
        assert len(set(named.values())) == len(named) == min(groups, labels)
        table = np.array([[((one == j) & (other == c)).sum() for c in range(labels)] for j in range(groups)])
        right = sum(named.get(j) == "abcd"[c] for j, c in zip(one.tolist(), other))
        assert right == table[linear_sum_assignment(-table)].sum()


# Bad input


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: bl.KMeans(0).fit(LINE), "n_clusters must be a whole number of at least 1, got 0"),
        (lambda: bl.KMeans(3).fit([1, 1, 2, 2]), "X must have 3 different rows for as many starting means, got 2"),
        (lambda: bl.KMeans(3, "random").fit([1, 1, 2, 2]), "X must have 3 different rows .* got 2"),
        (lambda: bl.KMeans(2, "best").fit(LINE), "init must be one of {'k-means..', 'random'}, got 'best'"),
        (lambda: bl.KMeans(2, [1, 2, 3]).fit(LINE), r"init must have 2 rows of 1 attributes.*got shape \(3, 1\)"),
        (lambda: bl.KMeans(2, n_init=0).fit(LINE), "n_init must be a whole number of at least 1, got 0"),
        (lambda: bl.KMeans(2, max_iter=0).fit(LINE), "max_iter must be a whole number of at least 1, got 0"),
        (lambda: bl.KMeans(2, tol=-1).fit(LINE), "tol must be a number at least 0, got -1"),
        (lambda: bl.KMeans(2, history=1).fit(LINE), "history must be True or False, got 1"),
        (lambda: bl.GaussianMixture(2.0).fit(LINE), "n_components must be a whole number of at least 1, got 2.0"),
        (lambda: bl.GaussianMixture(2, "round").fit(LINE), "covariance_type must be one of {'full'.*got 'round'"),
        (lambda: bl.GaussianMixture(2, weights="free").fit(LINE), "weights must be one of {'equal', .* got 'free'"),
        (lambda: bl.GaussianMixture(2, sigma=0).fit(LINE), "sigma must be a number at least 1e-100, got 0"),
        (lambda: bl.GaussianMixture(2, init_params="x").fit(LINE), "init_params must be one of {'kmeans'.*got 'x'"),
        (lambda: bl.GaussianMixture(2, means_init=[1, "b"]).fit(LINE), "means_init must be rows of numbers"),
        (lambda: bl.GaussianMixture(2, random_state="a").fit(LINE), "random_state must be None, a whole number"),
        (lambda: log_likelihood([1, 2], [1.0, np.inf]), "x must be a number between .*, got inf"),
        (lambda: log_likelihood([1, 2], [[1.0]]), "x must be a row of numbers, at least one, got"),
        (lambda: Q([1, 2], [[1, 2], [3, 4]], LINE), r"means must be one hypothesis.*got shape \(2, 2\)"),
        (lambda: Q([1, 2, 3], [1, 2], LINE), r"new_means must have one mean per component.*got shape \(3,\)"),
        (lambda: mixtures.best_naming([0, 1, 1], ["a", "b"]), "labels must have one entry for each of the 3 groups"),
        (lambda: mixtures.best_naming(range(8), range(8)), "groups must hold at most 7 classes"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
