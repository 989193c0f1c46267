"""Section 10: what must hold of its figures, and its numbers computed once more."""

from functools import cache

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal, norm

from bayeslib import GaussianMixture, KMeans, data, live
from bayeslib.models import mixtures
from bayeslib.sections.s10_k_means_and_em.figures import _piles
from tests.figures import press, says

LINE = data.load_line()["x"].to_numpy()
PENGUINS = data.load_penguins()
MEASURES, SPECIES = PENGUINS.iloc[:, 2:].to_numpy(float), PENGUINS["species"].to_numpy()
STANDARD = (MEASURES - MEASURES.mean(axis=0)) / MEASURES.std(axis=0)
STARTS = [
    [[-2.0, 3.0], [1.0, -3.0]],
    [[2.0, -2.0], [4.0, -4.0]],
    [[0.0, 0.0]],
    [[1.0, 1.0], [1.0, 1.0]],
    [[-5.0, 1.0], [-5.0, -1.0], [3.0, 0.0]],
    [[0.0, 0.0], [1.0, 2.0], [-3.0, 1.0], [4.0, 4.0], [4.0, -4.0]],
]
POINTS = [
    "a, b\n1, 2\n2, 1\n3, 3\n9, 8\n8, 9\n9, 9\n7, 8\n2, 2\n1, 1",
    "height; mass; name\n" + "\n".join(f"{150 + 7 * i % 40}; {50 + 11 * i % 30}; x" for i in range(20)),
    "a, b\n" + "\n".join(f"{i % 3}, {i}" for i in range(12)),
]
SETTINGS = {
    "kmeans_and_em": {"means": STARTS, "asked": [None, [6.5, 2.2], [-3.0, 4.0]]},
    "own_groups": {"text": POINTS},
}


def shares_of(x, means, sigma):
    """E[z] by hand: densities of every point, in logs because some underflow, divided by their sum."""
    logs = norm.logpdf(np.atleast_1d(x)[:, None], means, sigma)
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def climb(h, sigma, iterations):
    """The means after so many E and M steps."""
    for _ in range(iterations):
        shares = shares_of(LINE, h, sigma)
        h = LINE @ shares / shares.sum(axis=0)
    return h


def log_likelihood(h, sigma=1.0):
    logs = norm.logpdf(LINE[:, None], h, sigma)
    top = logs.max(axis=1, keepdims=True)
    return float((top[:, 0] + np.log(0.5 * np.exp(logs - top).sum(axis=1))).sum())


# k-means and EM in the plane once more, step by step, for one start of one set of points.


def plane(name):
    table = getattr(data, f"load_{name.split(',')[0].replace(' ', '_')}")()
    turn = np.array([[1, -1], [1, 1]]) / np.sqrt(2) if name.endswith("turned") else np.eye(2)
    return table[["x", "y"]].to_numpy() @ turn.T, table["component"].to_numpy()


@cache
def hard_steps(name, start):
    """(means, labels or None, how many changed side) after each step, until no point changes."""
    X, means = plane(name)[0], np.array(start)
    steps = [(means, None, 0)]
    while True:
        before, labels = steps[-1][1], ((X[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
        steps.append((means, labels, len(X) if before is None else int((labels != before).sum())))
        if steps[-1][2] == 0:
            return steps
        means = np.array([X[labels == j].mean(axis=0) if (labels == j).any() else mean for j, mean in enumerate(means)])
        steps.append((means, labels, 0))


@cache
def soft_steps(name, start, model, most=240):
    """(means, covariances, weights, shares or None, ln L) after each E and each M step from σ = 1 and equal weights."""
    X, means, k = plane(name)[0], np.array(start), len(start)
    theta, shares, steps = (means, np.array([np.eye(2)] * k), np.full(k, 1 / k)), None, []
    while len(steps) < most:
        joint = log_joint(X, *theta)
        total = float(logsumexp(joint, axis=1).sum())
        steps.append((*theta, shares, total))
        shares = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
        steps.append((*theta, shares, total))
        if len(steps) > 3 and total - steps[-3][4] < 1e-6:
            break
        theta = after_m(X, shares, theta, model)
    return steps


def log_joint(X, means, covariances, weights):
    parts = [multivariate_normal(mean, cov).logpdf(X) for mean, cov in zip(means, covariances)]
    return np.log(weights) + np.transpose(parts)


def after_m(X, shares, theta, model):
    """The means, covariances and weights of one M step; what the model does not learn stays."""
    count = shares.sum(axis=0)
    means = shares.T @ X / count[:, None]
    away = X - means[:, None]
    full = np.einsum("ij,jix,jiy->jxy", shares, away, away) / count[:, None, None]
    wide = np.trace(full, axis1=1, axis2=2)[:, None, None] / 2 * np.eye(2)
    shaped = {"full": full, "round": wide, "diagonal": full * np.eye(2)}
    covariances = shaped.get(model.split(":")[0], theta[1])
    lifted = [
        vectors @ np.diag(np.maximum(values, 1e-6)) @ vectors.T for values, vectors in map(np.linalg.eigh, covariances)
    ]
    return means, np.array(lifted), count / len(X) if "learned" in model else theta[2]


# What the captions of the figures say, from the definitions.


def claims_two_means(mu1, mu2, sigma, x, step, said):
    h = climb(np.array([mu1, mu2]), sigma, max(step - 1, 0) // 2)
    shares = shares_of(LINE, h, sigma)
    if step == 0:
        says(said, x, sigma, mu1, mu2, digits=1)
    elif step % 2:
        says(said, *h, *shares.sum(axis=0), digits=3)
        share = shares_of(x, h, sigma)[0, 0]
        if 0.0005 <= share <= 0.9995:
            says(said, share, digits=3)
    else:
        says(said, *(LINE @ shares), *shares.sum(axis=0), *(LINE @ shares / shares.sum(axis=0)), digits=3)


def claims_em_bound(mu1, mu2, step, said):
    h = climb(np.array([mu1, mu2]), 1.0, step // 2)
    shares = shares_of(LINE, h, 1.0)
    new, here = LINE @ shares / shares.sum(axis=0), log_likelihood(h)
    entropy = -float((shares[shares > 0] * np.log(shares[shares > 0])).sum())
    if step % 2 == 0:
        return says(said, -here, entropy, abs(here - entropy), digits=3)
    top = float((shares * (np.log(0.5) + norm.logpdf(LINE[:, None], new, 1))).sum()) + entropy
    assert here <= top + 1e-9 and top <= log_likelihood(new) + 1e-9
    says(said, -top, -log_likelihood(new), log_likelihood(new) - top, log_likelihood(new) - here, top - here, digits=3)


def claims_kmeans_and_em(data, model, means, truth, asked, step, said):
    (X, component), start = plane(data), tuple(map(tuple, means))
    hard, soft = hard_steps(data, start), soft_steps(data, start, model)
    centres, labels, _ = hard[min(step, len(hard) - 1)]
    if labels is not None:
        says(said, float(((X - centres[labels]) ** 2).sum()), digits=1)
    # The figure stops where a step gains less than 1e-6, so near the end both may be one step apart.
    if step < min(len(soft) - 1, 30) and min(np.linalg.eigvalsh(each[1]).min() for each in soft) > 1e-3:
        says(said, abs(soft[step][4]), digits=2)
        if asked and step:
            joint = log_joint([asked] * 2, *soft[step][:3])[0]
            says(said, *np.exp(joint - logsumexp(joint)), digits=3)
    if truth and labels is not None:
        named = {j: np.bincount(component[labels == j]).argmax() for j in set(labels.tolist())}
        says(said, int((np.array([named[j] for j in labels.tolist()]) != component).sum()), len(X), digits=0)


@cache
def end_of(method, how, number):
    """Where a start on the three blobs ends, by the steps of the library."""
    X = plane("three blobs")[0]
    hard = KMeans(3, init=how, tol=0, random_state=number, history=True).fit(X)
    if method == "k-means":
        return hard.inertia_
    shape = ("full", "learned") if "full" in method else ("known", "equal")
    options = {"means_init": hard.history_[0].means, "sigma": 0.7, "tol": 1e-6}
    return GaussianMixture(3, *shape, **options).fit(X).log_likelihood_


def claims_em_starts(method, how, step, said):
    if step:
        ends = np.array([end_of(method, how, each) for each in range(step)])
        best = {"k-means": 116.0, "EM, σ = 0.7 known": -384.6, "EM, full ellipses": -382.0}[method]
        says(said, abs(ends[-1]), digits=1)
        says(said, (np.abs(ends - best) > 5).sum(), step, digits=0)


UNITS = {"g": MEASURES, "kg": MEASURES / [1, 1, 1, 1000], "standard": STANDARD}


@cache
def wrong(method, unit):
    """How many penguins are with the wrong species in the best of many starts, and in groups of what sizes."""
    if method == "k-means":
        groups = KMeans(3, n_init=100, tol=0, random_state=0).fit(UNITS[unit]).labels_
    else:
        groups = GaussianMixture(3, n_init=20, tol=1e-6, random_state=0).fit(UNITS[unit]).predict(UNITS[unit])
    return mixtures.count_wrong(groups, SPECIES), np.bincount(groups).tolist()


def claims_penguin_groups(method, unit, behind, step, said):
    count, sizes = wrong(method, unit)
    last = live.penguin_groups()
    last.set(method=method, unit=unit)
    if step == last.controls["step"].max:
        says(said, *sizes, digits=0)
        if behind == "species":
            says(said, count, 342, digits=0)
    elif step:
        says(said, step, digits=0)


def claims_own_groups(text, method, k, times, said):
    rows = [line.replace(";", ",").split(",")[:2] for line in text.strip().splitlines()[1:]]
    X = np.array(rows, dtype=float) * [1, float(times.removeprefix("× ")) if "×" in times else 1]
    options = {"n_init": 3, "random_state": 0, "max_iter": 60}
    if method == "k-means":
        fit = KMeans(k, tol=0, **options).fit(X)
        says(said, 100 * (1 - fit.inertia_ / (len(X) * X.var(axis=0).sum())), digits=1)
    else:
        kind = "spherical" if "round" in method else "full"
        fit = GaussianMixture(k, kind, init_params="k-means++", tol=3e-7, **options).fit(X)
        says(said, abs(fit.log_likelihood_ - numbers_learned(kind, k, 2) / 2 * np.log(len(X))), digits=1)
    says(said, len(X), *np.bincount(fit.predict(X), minlength=k), digits=0)


def numbers_learned(kind, k, features):
    widths = {"spherical": k, "tied": features * (features + 1) // 2, "full": k * features * (features + 1) // 2}
    return k * features + k - 1 + widths[kind]


# What the figures do


def end(figure, **values):
    """The caption of a player's last step."""
    figure.set(**values)
    figure.set(step=figure.controls["step"].max)
    return figure.alt


def test_scenes_of_the_showpiece_end_as_the_questions_say():
    figure = live.kmeans_and_em()
    assert "k-means 22, EM 2 of 150" in end(figure, truth=True)
    figure.preset("cigars, true means")
    assert "Cost 608.6" in end(figure) and "k-means 52, EM 0 of 120" in figure.alt
    figure.preset("onto the outlier")
    assert "Component 2 has collapsed" in end(figure)
    figure.preset("a bad start")
    assert "Cost 424.2" in end(figure)


def test_only_a_full_ellipse_finds_the_long_clouds_whichever_way_they_lie():
    figure = live.kmeans_and_em()
    figure.preset("cigars, true means")
    figure.set(truth=True)
    for turned, missed in ((False, (53, 0, 0)), (True, (53, 59, 0))):
        shapes = "round: σ and weights learned", "diagonal: σ along each axis", "full: ellipses and weights learned"
        for shape, count in zip(shapes, missed):
            assert f"EM {count} of 120" in end(figure, model=shape), (turned, shape)
        figure.set(step=0, **figure.actions["turn by 45°"](figure.values))


def test_an_empty_cluster_is_said():
    figure = live.kmeans_and_em()
    figure.set(data="three blobs", means=[[3.0, 0.0], [-5.0, 0.0], [-7.5, 5.5]])
    assert "Mean 3 of k-means has no point" in end(figure)


def test_a_starting_mean_and_the_star_can_be_moved():
    figure = live.kmeans_and_em()
    figure.drag("em from 0", 3.7, -4.6)
    assert figure.values["means"] == [[3.7, -4.6], [1.0, -3.0]]
    press(figure, "a", "a", "i")
    assert figure.values["means"] == [[3.5, -4.6], [1.0, -2.9]]
    figure.set(**figure.actions["add a mean"](figure.values))
    assert len(figure.values["means"]) == 3 and "3 guesses" in figure.alt
    figure.set(asked=[6.5, 2.2])
    figure.drag("asked em", 5.0, 2.0)
    assert "The star is at (5.0, 2.0)" in figure.alt


def test_a_bell_of_tiny_width_takes_all_or_nothing():
    figure = live.two_means()
    assert "2.100" in end(figure, sigma=0.1) and "5.700" in figure.alt
    figure.preset("same place")
    assert "19.500/5.000 = 3.900 and 19.500/5.000 = 3.900" in figure.alt


# Numbers of the lesson


def test_em_finds_the_species_in_any_unit_and_k_means_does_not():
    assert [wrong("k-means", unit)[0] for unit in UNITS] == [144, 55, 29]
    assert [wrong("EM", unit)[0] for unit in UNITS] == [5, 5, 5]
    assert (SPECIES != "Adelie").sum() == 191 and np.ptp(MEASURES[:, 3]) == 3600
    assert f"{MEASURES[:, 3].var() / MEASURES.var(axis=0).sum():.4f}" == "0.9996"
    average = PENGUINS.groupby("species")["body_mass_g"].mean().round()
    assert (average["Adelie"], average["Chinstrap"]) == (3701, 3733)


def test_of_ten_runs_on_the_penguins_the_likeliest_is_the_best():
    starts = [np.random.default_rng(seed).choice(342, 3, replace=False) for seed in range(10)]
    found = {}
    for start in starts:
        fit = GaussianMixture(3, means_init=STANDARD[start], max_iter=100, tol=0).fit(STANDARD)
        found.setdefault(round(fit.log_likelihood_, 1), []).append(mixtures.count_wrong(fit.predict(STANDARD), SPECIES))
        narrowest = np.sqrt(np.linalg.eigvalsh(fit.covariances_).min())
        assert fit.log_likelihood_ < -1149 or narrowest == pytest.approx(0.26, abs=5e-3)
    assert {fit: set(counts) for fit, counts in found.items()} == {
        -1148.4: {5},
        -1159.6: {12},
        -1188.5: {111},
        -1195.2: {91},
    }
    assert len(found[-1148.4]) == 6


def on_the_rest(model, seed):
    """How many of one half are wrong when groups are found and named on the other."""
    order = np.random.default_rng(seed).permutation(342)
    mine, rest = order[:171], order[171:]
    named = mixtures.best_naming(model.fit(STANDARD[mine]).predict(STANDARD[mine]), SPECIES[mine])
    return sum(named[j] != kind for j, kind in zip(model.predict(STANDARD[rest]).tolist(), SPECIES[rest]))


@pytest.mark.heavy
def test_on_birds_it_has_not_met_ellipses_err_less_and_one_for_all_least():
    options = {"n_init": 20, "tol": 1e-6, "random_state": 0}
    mixture = {"init_params": "k-means++", **options}
    models = KMeans(3, **options), GaussianMixture(3, "full", **mixture), GaussianMixture(3, "tied", **mixture)
    found = [[on_the_rest(model, seed) for seed in range(20)] for model in models]
    assert [round(float(np.mean(each)), 1) for each in found] == [12.9, 5.2, 3.0] and max(found[1]) == 41


@pytest.mark.heavy
def test_how_many_groups_depends_on_their_shape():
    def best(kind):
        options = {"init_params": "k-means++", "n_init": 20, "tol": 1e-6, "random_state": 0}
        return 1 + np.argmax(
            [GaussianMixture(k, kind, **options).fit(STANDARD).bic_score(STANDARD) for k in range(1, 8)]
        )

    assert [best(kind) for kind in ("full", "tied", "spherical")] == [3, 4, 7]


def test_k_means_finds_groups_where_there_are_none():
    def between(X):
        return 1 - KMeans(3, n_init=20, tol=0, random_state=0).fit(X).inertia_ / (len(X) * X.var(axis=0).sum())

    random = np.random.default_rng(0)
    clouds = [random.multivariate_normal(MEASURES.mean(axis=0), np.cov(MEASURES.T), 342) for _ in range(20)]
    assert f"{between(MEASURES):.1%}" == "86.7%" and f"{np.mean([between(cloud) for cloud in clouds]):.0%}" == "81%"


def test_a_slightly_worse_cost_can_be_a_better_grouping():
    ends = {}
    for seed in range(400):
        fit = KMeans(3, init="random", tol=0, random_state=seed).fit(STANDARD)
        ends.setdefault(round(fit.inertia_), set()).add(mixtures.count_wrong(fit.labels_, SPECIES))
    assert ends[379] == {28, 29} and ends[381] == {12, 13, 14, 16}


def test_the_numbers_of_the_ten_points():
    x, h = LINE, np.array([3.0, 4.0])
    hard = KMeans(2, init=[3, 4]).fit(x)
    total, between = len(x) * x.var(), 5 * (2.1 - x.mean()) ** 2 + 5 * (5.7 - x.mean()) ** 2
    assert (total, hard.inertia_, between) == pytest.approx((40.58, 8.18, 32.40), abs=5e-3)
    shares = shares_of(x, h, 1.0)
    assert shares[:, 0] == pytest.approx(
        [0.924, 0.870, 0.802, 0.750, 0.525, 0.332, 0.168, 0.091, 0.057, 0.027], abs=5e-4
    )
    assert np.ptp(hard.cluster_centers_) > np.ptp(climb(h, 1.0, 50)), "a hard border pushes the means apart"
    learned = GaussianMixture(2, "spherical", sigma=1, means_init=[3, 4], max_iter=13, tol=0).fit(x)
    assert learned.means_.ravel() == pytest.approx([1.921, 5.413], abs=5e-4)
    assert np.sqrt(learned.covariances_.ravel()) == pytest.approx([0.70, 1.23], abs=5e-3)


def test_a_narrow_bell_on_one_point_beats_every_sensible_fit():
    sensible = GaussianMixture(2, "spherical", sigma=1, means_init=[3, 4], tol=1e-8).fit(LINE).log_likelihood_
    means, weights = np.array([[LINE[:-1].mean()], [7.1]]), np.array([0.9, 0.1])
    spikes = [
        mixtures.e_step(LINE[:, None], means, np.array([[[LINE[:-1].var()]], [[width**2]]]), weights)[1]
        for width in (1e-6, 1e-7)
    ]
    assert (sensible, spikes[0]) == pytest.approx((-19.51, -8.42), abs=5e-3)
    assert spikes[1] - spikes[0] == pytest.approx(np.log(10), abs=1e-6)


def test_the_star_belongs_to_the_broad_cloud():
    X = plane("broad and tight")[0]
    fit = GaussianMixture(2, "spherical", sigma=1.0, means_init=[(-2, 3), (1, -3)], tol=1e-8).fit(X)
    place = np.array([6.5, 2.2])
    away = np.hypot(*(place - fit.means_).T)
    assert away == pytest.approx([6.8, 2.6], abs=0.05)
    widths = away / np.sqrt(fit.covariances_[:, 0, 0])
    assert 3 < widths[0] < 4 and 5 < widths[1] < 5.5
    assert f"{fit.predict_proba([place])[0, 0]:.3f}" == "0.991"
    joint = np.exp(mixtures.log_joint(np.array([place]), fit.means_, fit.covariances_, fit.weights_)[0])
    assert joint == pytest.approx([0.000042, 0.0000004], rel=0.05)


def test_bic_on_the_broad_and_the_tight_cloud():
    X = plane("broad and tight")[0]

    def best(k, kind):
        options = {"sigma": 1.0, "init_params": "random_from_data", "tol": 1e-6}
        fits = [GaussianMixture(k, kind, random_state=seed, **options).fit(X) for seed in range(30)]
        return max(fit.bic_score(X) for fit in fits if not fit.collapsed_)

    found = best(1, "spherical"), best(2, "spherical"), best(3, "spherical"), best(2, "full")
    assert found == pytest.approx((-654.1, -583.8, -587.9, -591.0), abs=0.05)
    assert [numbers_learned(kind, 2, 2) for kind in ("spherical", "full")] == [7, 11]


def test_cost_of_the_true_long_clouds_is_higher_than_that_of_the_halves():
    X, side = plane("cigars")
    own = np.array([X[side == j].mean(axis=0) for j in (0, 1)])
    hard = KMeans(2, init=[(0, 1.3), (0, -1.3)], tol=0, history=True).fit(X)
    assert (mixtures.cost(X, side, own), hard.inertia_) == pytest.approx((1039.5, 608.6), abs=0.05)
    assert sum(each.kind == "move" for each in hard.history_) == 6


def test_full_em_gets_stuck_where_k_means_does():
    X, bad = plane("three blobs")[0], [(-5, 1), (-5, -1), (3, 0)]
    fits = [
        GaussianMixture(3, "full", sigma=1, means_init=start, tol=1e-8).fit(X)
        for start in (bad, [(-5, 0), (3, 2), (3, -2)])
    ]
    assert fits[0].log_likelihood_ < fits[1].log_likelihood_ - 30


def test_shares_of_a_bell_within_its_rings():
    assert (f"{1 - np.exp(-0.5):.0%}", f"{1 - np.exp(-2):.0%}") == ("39%", "86%")
    assert norm.cdf(1) - norm.cdf(-1) == pytest.approx(2 / 3, abs=0.02)


def test_far_away_a_share_is_still_sure():
    density = norm.pdf(-10, [3, 4], 1)
    assert density == pytest.approx([8e-38, 1e-43], rel=0.15)
    assert f"{shares_of(-10, [3, 4], 1)[0, 0]:.6f}" == "0.999999" and not norm.pdf(-40, [3, 4], 1).any()


def test_seeds_of_two_kinds():
    seeds, rates = np.array([9, 8, 2, 9, 3]), np.array([0.6, 0.4])
    for step in range(200):
        terms = rates ** seeds[:, None] * (1 - rates) ** (10 - seeds[:, None])
        shares = terms / terms.sum(axis=1, keepdims=True)
        rates = seeds @ shares / (10 * shares.sum(axis=0))
        if step == 0:
            assert shares[:, 0] == pytest.approx([0.962, 0.919, 0.081, 0.962, 0.165], abs=5e-4)
            assert rates == pytest.approx([0.820, 0.297], abs=5e-4)
    assert rates == pytest.approx([0.867, 0.250], abs=5e-4) and sum(seeds[[0, 1, 3]]) == 26 and sum(seeds[[2, 4]]) == 5


@pytest.mark.parametrize("how, count", [("random", 11), ("k-means++", 6)])
def test_of_sixty_starts_some_get_stuck(how, count):
    assert (_piles("k-means", how)[0] > 0).sum() == count


@pytest.mark.heavy
def test_sixty_starts_are_few():
    stuck = [sum(end_of("k-means", how, each) > 121 for each in range(6000)) / 6000 for how in ("random", "k-means++")]
    assert [f"{share:.0%}" for share in stuck] == ["25%", "8%"]
