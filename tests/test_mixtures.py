"""k-means and mixtures of Gaussians: the numbers of the lesson, brute force, scikit-learn, properties, bad input."""

import doctest
import itertools
import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.stats import multivariate_normal, norm
from sklearn.base import clone, is_clusterer
from sklearn.cluster import KMeans as PeerKMeans
from sklearn.mixture import GaussianMixture as Peer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bayeslib as bl
from bayeslib.models import _fast_mixtures, mixtures
from bayeslib.models.mixtures import COVARIANCES, Q, e_step, entropy, log_joint, log_likelihood, lower_bound, m_step

LINE = np.array([1.0, 1.6, 2.1, 2.4, 3.4, 4.2, 5.1, 5.8, 6.3, 7.1])


def plane(name):
    return getattr(bl.data, f"load_{name}")()[["x", "y"]].to_numpy()


def wrong(labels, name):
    """How many points are not with their own, under the better of all namings."""
    truth = getattr(bl.data, f"load_{name}")()["component"].to_numpy()
    k = truth.max() + 1
    return min((np.array(order)[labels] != truth).sum() for order in itertools.permutations(range(k)))


def on_the_line(**options):
    return bl.GaussianMixture(2, "known", "equal", **{"sigma": 1.0, "start": [3, 4], **options}).fit(LINE)


# The line


def test_one_gaussian_has_its_mean_at_the_average():
    grid = np.linspace(0, 8, 801)
    one = norm.logpdf(LINE[:, None], grid, 1).sum(axis=0)
    assert grid[one.argmax()] == pytest.approx(LINE.mean()) == pytest.approx(3.9)
    assert bl.GaussianMixture(1, "known", sigma=1.0).fit(LINE).means_[0, 0] == pytest.approx(3.9)
    assert LINE.var() == pytest.approx(4.058)


def test_first_e_step_and_m_step_by_hand():
    start, e, m = on_the_line().history_[:3]
    assert [step.kind for step in (start, e, m)] == ["start", "E", "M"]
    assert e.responsibilities[4, 0] == pytest.approx(np.exp(-0.08) / (np.exp(-0.08) + np.exp(-0.18)))
    wanted = [0.924, 0.870, 0.802, 0.750, 0.525, 0.332, 0.168, 0.091, 0.057, 0.027]
    assert e.responsibilities[:, 0] == pytest.approx(wanted, abs=5.1e-4)
    assert e.responsibilities.sum(axis=0) == pytest.approx([4.546, 5.454], abs=5.1e-4)
    assert m.means.ravel() == pytest.approx([2.401, 5.150], abs=5.1e-4)


def test_the_climb_and_the_bound_of_the_lesson():
    fit = on_the_line(tol=1e-9)
    climbed = [step.log_likelihood for step in fit.history_ if step.kind != "E"]
    assert climbed[:4] == pytest.approx([-27.322, -20.552, -19.746, -19.726], abs=5.1e-4)
    assert fit.log_likelihood_ == pytest.approx(-19.723, abs=5.1e-4)
    assert fit.means_.ravel() == pytest.approx([2.208, 5.740], abs=1e-3)
    first = fit.history_[2]
    assert first.bound == pytest.approx(-22.901, abs=5.1e-4)
    assert first.log_likelihood - first.bound == pytest.approx(2.349, abs=5.1e-4)
    new = e_step(LINE[:, None], *first[1:4])[0]
    kl = (first.responsibilities * np.log(first.responsibilities / new)).sum()
    assert kl == pytest.approx(first.log_likelihood - first.bound)
    assert fit.predict_proba(LINE)[[4, 5], 0] == pytest.approx([0.883, 0.310], abs=1e-3)


def test_q_and_entropy_make_the_bound():
    shares, total = e_step(LINE[:, None], np.array([[3.0], [4.0]]), np.ones((2, 1, 1)), np.array([0.5, 0.5]))
    assert Q([3, 4], [3, 4], LINE) == pytest.approx(-31.464, abs=5.1e-4)
    assert Q([2.4005, 5.1499], [3, 4], LINE) == pytest.approx(-27.043, abs=5.1e-4)
    assert entropy(shares) == pytest.approx(4.142, abs=5.1e-4)
    assert Q([3, 4], [3, 4], LINE) + entropy(shares) == pytest.approx(total) == pytest.approx(-27.322, abs=5.1e-4)
    assert log_likelihood([3, 4], LINE) == pytest.approx(total)


def test_q_is_the_expectation_over_all_ways_to_assign_the_points():
    """Brute force: every assignment of four points, weighed by its posterior under h, scored under h'."""
    x, h, new = LINE[:4], np.array([1.0, 3.0]), np.array([0.5, 2.5])
    expected = 0.0
    for z in itertools.product([0, 1], repeat=len(x)):
        weight = np.prod([norm.pdf(a, h[j]) / norm.pdf(a, h).sum() for a, j in zip(x, z)])
        expected += weight * sum(np.log(0.5) + norm.logpdf(a, new[j]) for a, j in zip(x, z))
    assert Q(new, h, x) == pytest.approx(expected)


def test_q_takes_many_hypotheses_at_once_and_has_one_top():
    grid = np.linspace(0, 8, 161)
    h = np.stack(np.meshgrid(grid, grid, indexing="ij"), axis=-1)
    surface = Q(h, [3, 4], LINE)
    assert surface.shape == (161, 161) and surface[3, 7] == pytest.approx(Q(h[3, 7], [3, 4], LINE))
    assert tops(surface) == [(2.4, 5.15)]
    assert sorted(tops(log_likelihood(h, LINE))) == [(2.2, 5.75), (5.75, 2.2)]
    assert log_likelihood([3.9, 3.9], LINE) == pytest.approx(-29.479, abs=5.1e-4)


def tops(surface, step=0.05):
    inner = surface[1:-1, 1:-1]
    around = [
        np.roll(surface, move, (0, 1))[1:-1, 1:-1] for move in itertools.product((-1, 0, 1), repeat=2) if any(move)
    ]
    return [
        (round((a + 1) * step, 2), round((b + 1) * step, 2)) for a, b in np.argwhere(inner > np.max(around, axis=0))
    ]


def test_k_means_on_the_line_and_as_the_limit_of_small_sigma():
    hard = bl.KMeans(2, start=[3, 4]).fit(LINE)
    assert hard.means_.ravel() == pytest.approx([2.1, 5.7]) and hard.cost_ == pytest.approx(8.18) and hard.n_iter_ == 1
    assert on_the_line(sigma=0.05).history_[2].means.ravel() == pytest.approx([2.1, 5.7], abs=1e-3)
    assert on_the_line(sigma=2.0).history_[1].responsibilities[4, 0] == pytest.approx(0.506, abs=5.1e-4)


@pytest.mark.parametrize(
    "sigma, means", [(1.95, (3.23, 4.58)), (2.0, (3.57, 4.23)), (2.05, (3.9, 3.9)), (2.1, (3.9, 3.9))]
)
def test_the_means_fuse_when_sigma_is_wider_than_the_data(sigma, means):
    fit = on_the_line(sigma=sigma, tol=0, max_iter=3000, history=False)
    assert fit.means_.ravel() == pytest.approx(means, abs=6e-3)
    assert (sigma > np.sqrt(4.058)) == (abs(fit.means_[0, 0] - fit.means_[1, 0]) < 1e-3)


def test_equal_starts_stay_equal_and_a_nudge_frees_them():
    stuck = on_the_line(start=[4, 4])
    assert stuck.means_.ravel() == pytest.approx([3.9, 3.9]) and stuck.log_likelihood_ == pytest.approx(
        -29.479, abs=1e-3
    )
    for nudge in (1e-6, 1e-3):
        free = on_the_line(start=[4 - nudge, 4 + nudge], tol=0, max_iter=60)
        assert free.means_.ravel() == pytest.approx([2.208, 5.740], abs=1e-3)


def test_a_far_start_is_rescued_by_logs_and_leaves_k_means_with_an_empty_cluster():
    fit = on_the_line(start=[3, 20], tol=1e-9)
    assert fit.history_[1].responsibilities[:, 1].sum() == pytest.approx(3.3e-33, rel=0.02)
    assert fit.history_[2].means[1, 0] == pytest.approx(7.1) and fit.means_.ravel() == pytest.approx(
        [2.208, 5.740], abs=1e-3
    )
    assert bl.KMeans(2, start=[3, 20]).fit(LINE).empty_ == [1]
    beyond = on_the_line(start=[3, 500])
    assert beyond.means_.ravel() == pytest.approx([3.9, 500]), "a component without any share stays where it is"
    gone = bl.GaussianMixture(2, "known", sigma=1.0, start=[3, 500]).fit(LINE)
    assert gone.weights_.tolist() == [1, 0] and np.isfinite([step.bound for step in gone.history_[1:]]).all()


def test_learning_the_widths_too_can_climb_without_end():
    fit = bl.GaussianMixture(2, "round", sigma=1.0, start=[3, 4]).fit(LINE)
    assert fit.log_likelihood_ == pytest.approx(-19.514, abs=1e-3) and not fit.collapsed_
    values = []
    for width in (0.1, 0.01, 0.001):
        rest = LINE[:-1]
        theta = np.array([[rest.mean()], [7.1]]), np.array([[[rest.var()]], [[width**2]]]), np.array([0.9, 0.1])
        values.append(e_step(LINE[:, None], *theta)[1])
    assert values == pytest.approx([-19.87, -17.62, -15.33], abs=0.01)
    assert np.diff(values) == pytest.approx([np.log(10)] * 2, abs=0.07) and values[-1] > fit.log_likelihood_


# The plane


def test_k_means_and_em_side_by_side():
    X, start = plane("broad_and_tight"), [(-2, 3), (1, -3)]
    hard = bl.KMeans(2, start=start).fit(X)
    soft = bl.GaussianMixture(2, "round", sigma=1.0, start=start, tol=1e-6).fit(X)
    costs = [step.cost for step in hard.history_ if step.kind == "assign"]
    assert costs == pytest.approx([2368.2, 873.4, 643.8, 596.9, 594.4, 593.9, 592.6, 592.4], abs=0.051)
    assert [step.changed for step in hard.history_ if step.kind == "assign"] == [150, 28, 17, 4, 1, 3, 1, 0]
    climbed = [step.log_likelihood for step in soft.history_ if step.kind != "E"]
    wanted = [-1553.7, -650.9, -636.5, -628.5, -623.1, -619.2, -615.0, -608.7, -599.3, -587.1, -575.3, -569.4, -567.3]
    assert climbed[:13] == pytest.approx(wanted, abs=0.051)
    assert soft.log_likelihood_ == pytest.approx(-566.28, abs=0.01)
    assert np.sqrt(soft.covariances_[:, 0, 0]) == pytest.approx([1.865, 0.502], abs=1e-3)
    assert (wrong(hard.labels_, "broad_and_tight"), wrong(soft.predict(X), "broad_and_tight")) == (22, 2)
    far = soft.predict_proba([(6.5, 2.2), (6, 2), (5.5, 2)])[:, 0]
    assert far == pytest.approx([0.991, 0.679, 0.134], abs=1e-3) and hard.predict([(6.5, 2.2)]) == [1]


def test_cigars_are_cut_across_by_k_means_and_found_by_full_covariances():
    X, truth = plane("cigars"), [(0, 1.3), (0, -1.3)]
    hard = bl.KMeans(2, start=truth).fit(X)
    assert hard.cost_ == pytest.approx(608.6, abs=0.06) and wrong(hard.labels_, "cigars") == 52
    labels = bl.data.load_cigars()["component"].to_numpy()
    own = mixtures.averages(X, labels, np.zeros((2, 2)))
    assert mixtures.cost(X, labels, own) == pytest.approx(1039.5, abs=0.06)
    full = bl.GaussianMixture(2, "full", sigma=1.0, start=[(-3, 0), (3, 0)], tol=1e-6).fit(X)
    assert wrong(full.predict(X), "cigars") == 0 and full.log_likelihood_ == pytest.approx(-443.09, abs=0.01)


def test_bad_starts_of_three_blobs():
    X = plane("three_blobs")
    good, bad = [(-5, 0), (3, 2), (3, -2)], [(-5, 1), (-5, -1), (3, 0)]
    assert bl.KMeans(3, start=good).fit(X).cost_ == pytest.approx(116.0, abs=0.051)
    assert bl.KMeans(3, start=bad).fit(X).cost_ == pytest.approx(424.2, abs=0.051)
    ends = [bl.GaussianMixture(3, "known", "equal", sigma=0.7, start=each, tol=1e-6).fit(X) for each in (good, bad)]
    assert [end.log_likelihood_ for end in ends] == pytest.approx([-384.60, -685.74], abs=0.01)


def test_restarts_keep_the_best_and_never_a_collapsed_fit_if_another_is_there():
    X = plane("broad_and_tight")
    lone = bl.GaussianMixture(2, "round", sigma=1.0, start=[(2, -2), (4, -4)]).fit(X)
    assert lone.collapsed_ == [1] and lone.means_[1] == pytest.approx([3.7, -4.6])
    assert lone.covariances_[1] == pytest.approx(1e-12 * X.var(axis=0).mean() * np.eye(2), rel=1e-6, abs=1e-20)
    best = bl.GaussianMixture(3, "round", start="points", n_init=12, random_state=0).fit(X)
    assert not best.collapsed_
    blobs = plane("three_blobs")
    ends = [bl.KMeans(3, start="points", random_state=seed).fit(blobs).cost_ for seed in range(8)]
    assert max(ends) > 400 and bl.KMeans(3, start="points", n_init=12, random_state=0).fit(blobs).cost_ == min(ends)


def test_k_means_plus_plus_is_stuck_less_often():
    X = plane("three_blobs")
    stuck = {
        how: sum(bl.KMeans(3, start=how, random_state=seed).fit(X).cost_ > 200 for seed in range(60))
        for how in ("points", "k-means++")
    }
    assert 0 < stuck["k-means++"] < stuck["points"]


def test_bic_chooses_two_round_components():
    X = plane("broad_and_tight")
    fits = {
        (shape, k): bl.GaussianMixture(k, shape, n_init=10, random_state=0, history=False).fit(X)
        for shape in ("round", "full")
        for k in (1, 2, 3)
    }
    bic = {key: fit.bic_score(X) for key, fit in fits.items()}
    assert max(bic, key=bic.get) == ("round", 2)
    assert bic["round", 2] == pytest.approx(-583.8, abs=0.06) and bic["full", 2] == pytest.approx(-591.0, abs=0.06)
    assert fits["round", 3].log_likelihood_ > fits["round", 2].log_likelihood_
    assert [fits["full", k].free_parameters() for k in (1, 2, 3)] == [5, 11, 17]


# scikit-learn


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize(
    "ours, theirs", [("full", "full"), ("diagonal", "diag"), ("round", "spherical"), ("shared", "tied")]
)
@pytest.mark.parametrize("name", ["broad_and_tight", "cigars"])
def test_em_agrees_with_scikit_learn(name, ours, theirs, history):
    X = plane(name) + 100
    start, k = X[[3, 80]], 2
    precision = {"full": np.array([np.eye(2)] * 2), "diag": np.ones((2, 2)), "spherical": np.ones(2), "tied": np.eye(2)}
    known = {"means_init": start, "weights_init": [0.5, 0.5], "precisions_init": precision[theirs]}
    with warnings.catch_warnings(action="ignore"):
        peer = Peer(k, covariance_type=theirs, max_iter=15, tol=0, reg_covar=0, **known).fit(X)
    options = {"sigma": 1.0, "start": start, "max_iter": 15, "tol": 0, "floor": 1e-12}
    fit = bl.GaussianMixture(k, ours, history=history, **options).fit(X)
    assert fit.means_ == pytest.approx(peer.means_, abs=1e-6) and fit.weights_ == pytest.approx(peer.weights_, abs=1e-6)
    assert fit.predict_proba(X) == pytest.approx(peer.predict_proba(X), abs=1e-6)
    assert fit.score(X) == pytest.approx(peer.score(X), abs=1e-8)
    assert fit.bic_score(X) == pytest.approx(-peer.bic(X) / 2, rel=1e-9)


@pytest.mark.parametrize("history", [True, False])
def test_k_means_agrees_with_scikit_learn(history):
    X = plane("three_blobs")
    start = X[[0, 1, 50]]
    peer = PeerKMeans(3, init=start, n_init=1, tol=0).fit(X)
    fit = bl.KMeans(3, start=start, history=history).fit(X)
    assert fit.means_ == pytest.approx(peer.cluster_centers_) and fit.cost_ == pytest.approx(peer.inertia_)
    assert (fit.predict(X) == peer.predict(X)).all() and fit.score(X) == pytest.approx(peer.score(X))


# Properties


@st.composite
def clouds(draw):
    features, number, k = draw(st.integers(1, 3)), draw(st.integers(6, 30)), draw(st.integers(1, 4))
    random = np.random.default_rng(draw(st.integers(0, 10_000)))
    X = random.normal(0, draw(st.sampled_from([0.1, 1.0, 30.0])), (number, features)) + draw(st.sampled_from([0, 1000]))
    return X, X[:k] + random.normal(0, 0.01, (k, features)), k


@given(clouds(), st.sampled_from(COVARIANCES), st.sampled_from(["equal", "learned"]))
@settings(deadline=None, max_examples=60)
def test_em_never_falls_and_the_bound_never_exceeds_the_likelihood(cloud, covariance, weights):
    X, start, k = cloud
    fit = bl.GaussianMixture(k, covariance, weights, start=start, max_iter=25).fit(X)
    thinnest = max(np.linalg.cond(step.covariances).max() for step in fit.history_)  # 1e13 on the floor
    slack = 1e-7 * (1 + abs(fit.log_likelihood_)) + len(X) * np.finfo(float).eps * thinnest
    for before, after in zip(fit.history_, fit.history_[1:]):
        assert after.log_likelihood >= before.log_likelihood - slack
        assert after.bound <= after.log_likelihood + slack
        if after.kind == "E":
            assert after.bound == pytest.approx(after.log_likelihood) and after.responsibilities.sum(
                axis=1
            ) == pytest.approx(1)
        else:
            assert after.bound >= before.bound - slack, "an M step lowered the bound"
            joint = log_joint(X, *after[1:4])
            assert after.bound == pytest.approx(lower_bound(after.responsibilities, joint), rel=1e-6, abs=1e-6)
    assert fit.weights_.sum() == pytest.approx(1) and fit.predict_proba(X).sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("form", ["moments", "differences"])
@given(clouds(), st.sampled_from(COVARIANCES), st.sampled_from(["equal", "learned"]))
@settings(deadline=None, max_examples=60)
def test_the_fast_steps_are_the_steps_of_the_lesson(form, cloud, covariance, weights):
    X, start, k = cloud
    options = {"start": start, "max_iter": 6, "tol": 0, "floor": 1e-6}  # a lower one would magnify rounding
    model = bl.GaussianMixture(k, covariance, weights, **options).fit(X)
    theta = start, np.array([model._first(X)] * k), np.full(k, 1 / k)
    with pytest.MonkeyPatch.context() as patch:
        if form == "differences":
            patch.setattr(_fast_mixtures, "FAR", -1.0)
        slow, fast = model._climb(X, theta), _fast_mixtures.climb(X, theta, model)
    for lesson, quick in zip(slow[4], fast[4]):  # at the top, rounding decides which of the two stops first
        assert lesson.kind == quick.kind
        assert quick.log_likelihood == pytest.approx(lesson.log_likelihood, rel=1e-6, abs=1e-6)
        for mine, yours in zip(lesson[1:], quick[1:]):
            assert (mine is None) == (yours is None)
            assert mine is None or yours == pytest.approx(mine, rel=1e-5, abs=1e-6)


@given(clouds())
@settings(deadline=None, max_examples=60)
def test_k_means_cost_never_rises(cloud):
    X, start, k = cloud
    costs = [step.cost for step in bl.KMeans(k, start=start).fit(X).history_[1:]]
    assert all(after <= before * (1 + 1e-12) for before, after in zip(costs, costs[1:]))


@st.composite
def tied_clouds(draw):
    """Points of a coarse grid, so that many are equally near to two means; shrunk and moved, so that rounding has its say."""
    features, number = draw(st.integers(1, 3)), draw(st.integers(3, 40))
    scale, move = draw(st.sampled_from([(1, 0), (0.1, 7.3), (1 / 3, 1e6), (1e-9, 1.0)]))
    random = np.random.default_rng(draw(st.integers(0, 10_000)))
    X = random.integers(0, 4, (number, features)) * scale + move
    different = random.permutation(np.unique(X, axis=0))
    return X, different[: draw(st.integers(1, 5))]


@given(st.one_of(tied_clouds(), clouds().map(lambda cloud: cloud[:2])), st.sampled_from([1, 2, 300]))
@settings(deadline=None, max_examples=300)
def test_k_means_gives_one_result_for_one_start_ties_included(cloud, max_iter):
    X, start = cloud
    fit = bl.KMeans(len(start), start=start, max_iter=max_iter).fit(X)
    quick = bl.KMeans(len(start), start=start, max_iter=max_iter, history=False).fit(X)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mixtures, "LESSON_ROWS", 0)
        kept = bl.KMeans(len(start), start=start, max_iter=max_iter).fit(X)
        assert (kept.predict(X) == fit.predict(X)).all()
    for other in (quick, kept):
        assert (other.means_ == fit.means_).all() and (other.labels_ == fit.labels_).all()
        assert other.n_iter_ == fit.n_iter_ and other.cost_ == pytest.approx(fit.cost_, rel=1e-12)
    assert not quick.history_ and len(kept.history_) == len(fit.history_)
    for lesson, fast in zip(fit.history_, kept.history_):
        assert (lesson.kind, lesson.changed) == (fast.kind, fast.changed) and (lesson.means == fast.means).all()
        assert lesson.cost is None or fast.cost == pytest.approx(lesson.cost, rel=1e-6, abs=1e-12)


def test_k_means_of_a_known_tie():
    X, start = [[1, 0], [2, 0], [2, 2]], [[2, 0], [1, 0]]
    fits = [bl.KMeans(2, start=start, history=keep).fit(X) for keep in (True, False)]
    assert [fit.labels_.tolist() for fit in fits] == [[1, 0, 0]] * 2 and [fit.cost_ for fit in fits] == [2.0, 2.0]
    tied = np.array([[-1.0], [0.0], [1.0], [2.0], [-2.0]])
    fits = [bl.KMeans(2, start=[[-1], [1]], history=keep).fit(tied) for keep in (True, False)]
    assert fits[0].labels_.tolist() == fits[1].labels_.tolist() == [0, 0, 1, 1, 0]
    lonely = [bl.KMeans(2, start=[[0], [99]], history=keep).fit(tied) for keep in (True, False)]
    assert [fit.empty_ for fit in lonely] == [[1], [1]] and lonely[1].means_.ravel() == pytest.approx([0, 99])


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


def test_the_fast_paths_take_many_blocks_and_many_means():
    random = np.random.default_rng(0)
    X = random.integers(0, 30, (2 * _fast_mixtures.BLOCK + 7, 2)).astype(float)
    kept, quick = (bl.GaussianMixture(2, start=X[:2], max_iter=3, history=keep).fit(X) for keep in (True, False))
    assert quick.means_ == pytest.approx(kept.means_) and quick.history_ == []
    assert kept.history_[-1].responsibilities.shape == (len(X), 2)
    assert kept.history_[-1].responsibilities == pytest.approx(kept.predict_proba(X), abs=1e-9)
    means = np.unique(X, axis=0)[:300]
    assert (_fast_mixtures.nearest(X, means) == mixtures.nearest(X, means)).all()


def test_prediction_takes_memory_by_blocks():
    import tracemalloc

    X = np.random.default_rng(0).normal(size=(200_000, 10))
    model = bl.KMeans(8, random_state=0, history=False).fit(X[:5000])
    tracemalloc.start()
    model.predict(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * 8 * len(X), "the answers and a few blocks"


def test_a_narrow_component_far_away_is_not_lost_to_cancellation():
    random = np.random.default_rng(0)
    X = np.vstack([random.normal(0, 1, (50, 1)), random.normal(1e6, 1e-3, (50, 1))])
    fit = bl.GaussianMixture(2, start=[[0], [1e6]], sigma=1.0, history=False, floor=1e-20).fit(X)
    assert np.sqrt(fit.covariances_.ravel()) == pytest.approx([X[:50].std(), X[50:].std()], rel=1e-6)


# What runs is what is taught


@pytest.fixture
def calls(monkeypatch):
    """How often each formula of the lesson is called."""
    counted = dict.fromkeys(["nearest", "averages", "cost", "e_step", "m_step"], 0)

    def count(name, function):
        def counting(*args, **options):
            counted[name] += 1
            return function(*args, **options)

        return counting

    for name in counted:
        monkeypatch.setattr(mixtures, name, count(name, getattr(mixtures, name)))
    return counted


def test_a_fit_with_history_runs_the_formulas_of_the_lesson(calls):
    soft = on_the_line()
    assert (calls["e_step"], calls["m_step"]) == (soft.n_iter_ + 1, soft.n_iter_) and soft.n_iter_ > 5
    hard = bl.KMeans(2, start=[3, 4]).fit(LINE)
    assert (calls["nearest"], calls["averages"]) == (hard.n_iter_ + 1, hard.n_iter_)
    assert calls["cost"] == len(hard.history_) - 1


def test_the_figures_run_the_formulas_of_the_lesson(calls):
    from bayeslib import live

    for make in (live.two_means, live.em_bound, live.em_surfaces, live.kmeans_and_em):
        make()
    assert min(calls.values()) > 5


def test_no_lesson_comes_near_the_size_at_which_the_fast_steps_take_over(calls):
    largest = max(len(plane(name)) for name in ("broad_and_tight", "cigars", "three_blobs"))
    assert 10 * largest < mixtures.LESSON_ROWS
    X = np.random.default_rng(0).normal(size=(mixtures.LESSON_ROWS + 1, 1))
    bl.GaussianMixture(2, random_state=0, max_iter=2).fit(X)
    bl.GaussianMixture(2, random_state=0, max_iter=2, history=False).fit(LINE)
    assert not any(calls.values())


# The floor


@pytest.mark.parametrize("covariance", COVARIANCES[1:])
@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize("unit", [1e-4, 1e-40, 1e90, (1e-5, 1e7)])
def test_units_do_not_matter(covariance, history, unit):
    X, start = plane("broad_and_tight"), np.array([(-2, 3), (1, -3)])
    if covariance == "round" and np.ndim(unit):
        return  # a circle in other units of one axis is no circle
    plain = bl.GaussianMixture(2, covariance, start=start, history=history).fit(X)
    with warnings.catch_warnings(action="error"):
        other = bl.GaussianMixture(2, covariance, start=start * unit, history=history).fit(X * unit)
        assert (other.predict(X * unit) == plain.predict(X)).all()
    assert other.means_ / unit == pytest.approx(plain.means_, rel=1e-6)
    assert other.collapsed_ == plain.collapsed_ == []
    assert other.log_likelihood_ == pytest.approx(plain.log_likelihood_ - len(X) * np.log(unit * np.ones(2)).sum())


def test_a_collapse_is_reported_only_where_one_happened():
    from sklearn.datasets import load_breast_cancer

    X = load_breast_cancer().data  # from areas of hundreds to errors of thousandths
    for covariance in COVARIANCES[1:]:
        fit = bl.GaussianMixture(2, covariance, random_state=0, history=False).fit(X)
        assert not fit.collapsed_ and np.linalg.eigvalsh(fit.covariances_).min() > 0
    random = np.random.default_rng(0)
    tight = np.concatenate([random.normal(0, 1, 50), random.normal(1e5, 1, 50)])
    fit = bl.GaussianMixture(2, start=[0, 1e5]).fit(tight)
    assert not fit.collapsed_ and np.sqrt(fit.covariances_.ravel()) == pytest.approx([1, 1], rel=0.2)
    twice = np.concatenate([LINE, [20.0] * 5])
    assert bl.GaussianMixture(2, start=[3, 20]).fit(twice).collapsed_ == [1], "five equal points have no width"


@pytest.mark.parametrize("model", [bl.KMeans, bl.GaussianMixture])
def test_extreme_units_are_answered_or_refused_in_words(model):
    X = plane("three_blobs")
    with warnings.catch_warnings(action="error"):
        plain = model(3, random_state=0).fit(X).predict(X)
        for unit in (1e-40, 1e99):
            assert (model(3, random_state=0).fit(X * unit).predict(X * unit) == plain).all()
        with pytest.raises(
            ValueError, match="X must be in units in which it spreads over at least 1e-50, got 1.*e-199"
        ):
            model(3, random_state=0).fit(X * 1e-200)
        with pytest.raises(ValueError, match="X must hold numbers between -1e.100 and 1e.100"):
            model(3, random_state=0).fit(X * 1e200)
        fit = model(3, random_state=0).fit(X * 1e-40)
        assert np.isfinite(fit.predict([[1e100, -1e100]])).all()
        near = [[0.0], [1e-170], [2e-170], [1.0]]  # squared distances that are 0
        assert np.isfinite(model(4, random_state=0).fit(near).means_).all()


def test_sampling_gives_back_what_was_learned():
    fit = bl.GaussianMixture(2, "full", start=[(-3, 0), (3, 0)], sigma=1.0).fit(plane("cigars"))
    points, drawn = fit.sample(20_000, random_state=1)
    assert np.bincount(drawn) / 20_000 == pytest.approx(fit.weights_, abs=0.02)
    assert points[drawn == 0].mean(axis=0) == pytest.approx(fit.means_[0], abs=0.1)
    assert np.cov(points[drawn == 1].T) == pytest.approx(fit.covariances_[1], abs=0.3)


def test_one_point_and_a_constant_feature():
    assert bl.KMeans(1).fit([[2.0, 3.0]]).means_.tolist() == [[2, 3]]
    one = bl.GaussianMixture(1).fit([[2.0, 3.0]])
    assert one.means_.tolist() == [[2, 3]] and one.collapsed_ == [0]
    flat = np.column_stack([LINE, np.ones(10)])
    fit = bl.GaussianMixture(2, start=[(2, 1), (6, 1)]).fit(flat)
    assert fit.collapsed_ == [0, 1] and np.isfinite(fit.log_likelihood_) and fit.means_[:, 1] == pytest.approx(1)
    assert not bl.GaussianMixture(2, "known", start=[(2, 1), (6, 1)]).fit(flat).collapsed_


# Manners


def test_an_estimator_is_what_scikit_learn_expects():
    X = plane("three_blobs")
    for model in (bl.KMeans(3, start="points", random_state=0), bl.GaussianMixture(3, "round", tol=0.01)):
        copy = clone(model)
        assert copy is not model and copy.get_params() == model.get_params() and not hasattr(copy, "means_")
        piped = make_pipeline(StandardScaler(), clone(model).set_params(random_state=0)).fit(X)
        assert len(set(piped.predict(X))) == 3
        scores = cross_val_score(model.set_params(random_state=0), X, cv=3)
        assert scores.shape == (3,) and np.isfinite(scores).all()
        assert is_clusterer(model) == isinstance(model, bl.KMeans)


def test_a_grid_search_finds_the_number_of_components():
    X = np.random.default_rng(0).permutation(plane("three_blobs"))
    grid = {"n_components": [1, 2, 3], "covariance": ["round", "full"]}
    found = GridSearchCV(bl.GaussianMixture(1, n_init=5, random_state=0, history=False), grid, cv=3).fit(X)
    assert found.best_params_["n_components"] == 3 and found.best_estimator_.n_features_in_ == 2


def test_a_model_says_what_it_was_given_and_keeps_its_columns():
    assert repr(bl.KMeans(3, start=[1, 2, 3])) == "KMeans(n_clusters=3, start=[1, 2, 3])"
    assert (
        repr(bl.GaussianMixture(2, "round", tol=1e-6))
        == "GaussianMixture(n_components=2, covariance='round', tol=1e-06)"
    )
    table = bl.data.load_cigars()[["x", "y"]]
    for model in (bl.KMeans(2, random_state=0), bl.GaussianMixture(2, random_state=0)):
        model.fit(table)
        assert model.n_features_in_ == 2 and model.feature_names_in_.tolist() == ["x", "y"]
        assert (model.predict(table[["y", "x"]]) == model.predict(table)).all()
        with pytest.raises(ValueError, match="X must have the attributes of fit, {'x', 'y'}, got {'x', 'z'}"):
            model.predict(table.rename(columns={"y": "z"}))


def test_a_fit_that_fails_changes_nothing_and_a_model_keeps_copies():
    for model in (bl.KMeans(2, start=[3, 4]), bl.GaussianMixture(2, start=[3, 4])):
        X = LINE.copy()
        said = model.fit(X).predict(LINE)
        X[:] = 99
        with pytest.raises(ValueError, match="must be at most the number of different points"):
            model.fit(X)
        with pytest.raises(ValueError, match="X must hold numbers"):
            model.fit([1.0, np.nan])
        assert (model.predict(LINE) == said).all()


def test_one_random_state_is_one_fit():
    X = plane("three_blobs")
    for make in (bl.KMeans, bl.GaussianMixture):
        one, two = (make(3, start="points", random_state=state).fit(X) for state in (7, np.random.default_rng(7)))
        assert (one.means_ == two.means_).all()
        for bad in (-1, 1.5, "abc", True, [], np.random.RandomState(0)):
            with pytest.raises(ValueError, match="random_state must be None, a whole number of at least 0 or a numpy"):
                make(3, random_state=bad)
    with pytest.raises(ValueError, match="random_state must be None"):
        one.sample(3, random_state="abc")


def test_every_public_name_has_an_example_that_runs():
    public = {name: each for name, each in vars(mixtures).items() if not name.startswith("_") and callable(each)}
    own = {name: each for name, each in public.items() if each.__module__ == "bayeslib.models.mixtures"}
    assert len(own) > 12 and all(">>>" in each.__doc__ for each in own.values())
    assert doctest.testmod(mixtures).failed == 0


# Bad input


K = "the number of means, as each model calls it"


@pytest.mark.parametrize("model, name", [(bl.KMeans, "n_clusters"), (bl.GaussianMixture, "n_components")])
@pytest.mark.parametrize(
    "options, X, message",
    [
        ({K: 0}, LINE, "K must be a whole number of at least 1, got 0"),
        ({K: 2.0}, LINE, "K must be a whole number"),
        ({K: True}, LINE, "K must be a whole number"),
        ({K: 3}, [1.0, 1.0, 2.0, 2.0], "K must be at most the number of different points in X, 2, got 3"),
        ({K: 2}, [[1.0, 2.0]], "K must be at most the number of different points in X, 1, got 2"),
        ({K: 2, "n_init": 0}, LINE, "n_init must be a whole number"),
        ({K: 2, "max_iter": -1}, LINE, "max_iter must be a whole number"),
        ({K: 2, "start": "best"}, LINE, "start must be the starting means or one of .*k-means.*got 'best'"),
        (
            {K: 2, "start": [1, 2, 3]},
            LINE,
            r"start must have 2 rows \(K\) of 1 attributes \(as X\), got shape \(3, 1\)",
        ),
        ({K: 2, "start": [1, np.nan]}, LINE, "start must hold numbers between"),
        ({K: 2, "start": [1, "b"]}, LINE, "start must be rows of numbers"),
        ({K: 2}, [1.0, np.nan, 2.0], "X must hold numbers between .*, none missing, got nan in row 1"),
        ({K: 2}, [], "X must have two axes, rows and attributes, with at least one of each"),
        ({K: 2}, ["a", "b"], "X must be rows of numbers"),
        ({K: 2}, np.zeros((2, 2, 2)), "X must have two axes"),
    ],
)
def test_bad_input_is_named(model, name, options, X, message):
    options = {name if key == K else key: value for key, value in options.items()}
    with pytest.raises(ValueError, match=re.sub(r"\bK\b", name, message)):
        model(**options).fit(X)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"covariance": "tied"}, "covariance must be one of {'known', 'shared'.*got 'tied'"),
        ({"weights": "free"}, "weights must be one of {'equal', 'learned'}, got 'free'"),
        ({"sigma": 0}, "sigma must be a number above 0, got 0"),
        ({"sigma": -1.0}, "sigma must be a number above 0, got -1.0"),
        ({"sigma": np.nan}, "sigma must be a number above 0, got nan"),
        ({"tol": -1}, "tol must be a number at least 0"),
        ({"tol": [0.1, 0.2]}, "tol must be one number"),
        ({"sigma": 1e300}, "sigma must be between 1e-50 and 1e.100, got 1e.300"),
        ({"floor": 0}, "floor must be a number above 0"),
        ({"floor": 2.0}, "floor must be between 1e-50 and 1, got 2.0"),
        ({"history": "yes"}, "history must be True or False, got 'yes'"),
    ],
)
def test_bad_settings_of_a_mixture_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        bl.GaussianMixture(2, **options)


def test_asking_too_early_or_of_other_features_is_named():
    for model in (bl.KMeans(2), bl.GaussianMixture(2)):
        with pytest.raises(ValueError, match="is not fitted yet"):
            model.predict(LINE)
        with pytest.raises(ValueError, match="X must have 1 attributes as in fit, got 2"):
            model.fit(LINE).predict(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="is not fitted yet"):
        bl.GaussianMixture(2).sample(3)
    with pytest.raises(ValueError, match="sigma must be a number above 0"):
        Q([1, 2], [1, 2], LINE, sigma=0)
    with pytest.raises(ValueError, match=r"x must be a number between -1e\+100 and 1e\+100, got inf"):
        log_likelihood([1, 2], [1.0, np.inf])
    with pytest.raises(ValueError, match=r"x must be a number between -1e\+100 and 1e\+100, got -1e\+200"):
        log_likelihood([1, 2], [1.0, -1e200])
    for bad in (3.0, [], [[1.0, 2.0]]):
        with pytest.raises(ValueError, match="x must be a row of numbers, at least one"):
            log_likelihood([1, 2], bad)
    with pytest.raises(ValueError, match="means must be a row of numbers"):
        Q([1, 2], 3.0, LINE)
    with pytest.raises(ValueError, match=r"means must be one hypothesis, a row of numbers, got shape \(2, 2\)"):
        Q([1, 2], [[1, 2], [3, 4]], LINE)
    with pytest.raises(
        ValueError, match=r"new_means must have one mean per component .*, 2 as in means, got shape \(3,\)"
    ):
        Q([1, 2, 3], [1, 2], LINE)


def test_groups_are_named_one_to_one_as_well_as_possible():
    """The same as an assignment problem, for more groups than labels and the other way round."""
    random = np.random.default_rng(0)
    for groups, labels in ((3, 3), (5, 3), (2, 4), (1, 3), (4, 1)):
        one, other = random.integers(groups, size=40), random.integers(labels, size=40)
        named = mixtures.best_naming(one, np.array(list("abcd"))[other])
        assert len(set(named.values())) == len(named) == min(len(set(one)), len(set(other)))
        table = np.array([[((one == j) & (other == c)).sum() for c in range(labels)] for j in range(groups)])
        right = sum(named.get(j) == "abcd"[c] for j, c in zip(one.tolist(), other))
        assert right == table[linear_sum_assignment(-table)].sum()
    with pytest.raises(ValueError, match="labels must have one entry for each of the 3 groups, got 2"):
        mixtures.best_naming([0, 1, 1], ["a", "b"])
    with pytest.raises(ValueError, match="groups must hold at most 7 classes"):
        mixtures.best_naming(range(8), range(8))
