"""Section 10: the numbers that its questions and its folded answers mention."""

import numpy as np
import pytest

import bayeslib as bl
from bayeslib import live, mixtures
from bayeslib.live.k_means_and_em import BEST, GOOD, KS, MODELS, _run
from tests.figures import press
from tests.lab import ROOT

TEXT = (ROOT / "bayeslib/practice/10.toml").read_text()
LESSON = (ROOT / "notebooks/10-k-means-and-em.ipynb").read_text()


def test_shares_and_bound_in_the_feedback_hold():
    line = live.two_means()
    line.set(step=1)
    assert (
        "exponents −0.08 and −0.18" in line.alt
        and "Gaussian 1 is 0.525" in line.alt
        and "N = 4.546 and 5.454" in line.alt
    )
    x = bl.data.load_line()["x"].to_numpy()
    shares = bl.GaussianMixture(2, "known", "equal", start=[3, 4]).fit(x).history_[1].responsibilities[:, 1]
    told = [f"{share:.3f}" for share in shares]
    assert f"{', '.join(told[:-1])} and {told[-1]}" in TEXT and f"{shares @ x:.3f}" == "28.085" and "28.085" in TEXT
    assert f"{', '.join(f'{each}' for each in x[:-1])} and {x[-1]}" in TEXT
    bound = live.em_bound()
    for told in ("−22.901", "−20.552", "gap of 2.349", "rose by 6.770", "bound by 4.421", "t = 1.46"):
        assert told in bound.alt
    for told in ("by exactly 4.421", "It rises by 6.770", "2.349 on top"):
        assert told in TEXT
    for told in ("−27.322", "−22.901", "−20.552", "2.349"):
        assert told in LESSON


def test_the_threshold_of_sigma_is_the_spread_of_the_data():
    x = bl.data.load_line()["x"].to_numpy()
    assert f"{x.std():.3f}" == "2.014" and "together is 2.01." in TEXT
    assert f"{x.var() / 2.1**2:.2f}" == "0.92" and "4.058 / 4.41 = 0.92" in TEXT
    line = live.two_means()
    line.set(sigma=2.1, step=line.controls["step"].max)
    assert line.controls["step"].max > 50
    line.set(step=line.controls["step"].max - 1)
    assert "μ = (3.898, 3.902)" in line.alt
    line.preset("reset")
    line.set(sigma=2.1, step=2)
    assert "μ = (3.434, 4.328)" in line.alt and "become 3.43 and 4.33" in TEXT


def test_scenes_of_the_showpiece_end_as_the_questions_say():
    figure = live.kmeans_and_em()
    figure.set(step=figure.controls["step"].max, truth=True)
    assert "k-means 22, EM 2 of 150" in figure.alt and "k-means 22, EM 2" in TEXT
    figure.preset("broad and tight")
    figure.set(step=15, truth=False)
    assert "k-means has stopped" in figure.alt and "EM, E step" in figure.alt, "the lecturer may stop here"
    figure.preset("cigars, true means")
    figure.set(step=figure.controls["step"].max, truth=True)
    assert "Cost 608.6" in figure.alt and "k-means 52, EM 0 of 120" in figure.alt
    assert "608.6, the true one 1039.5" in TEXT and "52 of 120 points in the wrong one" in TEXT
    figure.preset("onto the outlier")
    figure.set(step=figure.controls["step"].max)
    assert "Component 2 has collapsed" in figure.alt
    figure.preset("a bad start")
    figure.set(step=figure.controls["step"].max)
    assert "Cost 424.2" in figure.alt


def test_an_empty_cluster_is_said():
    figure = live.kmeans_and_em()
    figure.set(means=[[0.0, 0.0], [-6.0, 7.0]], model="σ = 1 known")
    figure.set(data="three blobs", means=[[3.0, 0.0], [-5.0, 0.0], [-7.5, 5.5]])
    figure.set(step=figure.controls["step"].max)
    assert "Mean 3 of k-means has no point" in figure.alt


def test_a_starting_mean_can_be_dragged_and_nudged():
    figure = live.kmeans_and_em()
    axes = figure.figure.axes[1]

    def place(x, y):
        px, py = axes.transData.transform((x, y)) / (figure.figure.bbox.width, figure.figure.bbox.height)
        return [px, 1 - py]

    figure.view.pointer = {"press": 1, "from": place(-1.9, 3.1), "to": place(3.7, -4.6)}
    assert figure.values["means"] == [[3.7, -4.6], [1.0, -3.0]]
    press(figure, "a", "a", "i")
    assert figure.values["means"] == [[3.5, -4.6], [1.0, -2.9]]
    figure.set(**figure.actions["add a mean"](figure.values))
    assert len(figure.values["means"]) == 3 and "3 guesses" in figure.alt


def test_how_many_starts_get_stuck():
    figure = live.em_starts()
    figure.preset("60 random starts")
    assert "11 of 60" in figure.alt and "11 of 60" in TEXT
    figure.preset("60 of k-means++")
    assert "6 of 60" in figure.alt


def test_far_point_and_bic_in_the_feedback_hold():
    X = bl.data.load_broad_and_tight()[["x", "y"]].to_numpy()
    fit = bl.GaussianMixture(2, "round", sigma=1.0, start=[(-2, 3), (1, -3)], tol=1e-6).fit(X)
    place = np.array([6.5, 2.2])
    assert f"{fit.predict_proba([place])[0, 0]:.3f}" == "0.991" and "Its share is 0.991" in TEXT
    assert np.exp(fit.score_samples([(4, 1.5)])[0]) == pytest.approx(0.21375, abs=5e-6)
    widths = np.hypot(*(place - fit.means_).T) / np.sqrt(fit.covariances_[:, 0, 0])
    assert 3 < widths[0] < 4 and 5 < widths[1] < 5.5
    broad, tight = fit.predict_proba([place])[0]
    assert 95 < broad / tight < 110 and "weight times density is a hundred times larger" in TEXT
    figure = live.choose_k()
    figure.set(k=5)
    assert "ℓ = −552.6" in figure.alt and "BIC is highest at k = 2" in figure.alt and "−552.6 at k = 5" in TEXT
    assert f"{np.log(150) / 2:.1f}" == "2.5"


@pytest.mark.parametrize("shape", BEST)
def test_the_kept_starts_are_the_best_of_thirty_that_did_not_collapse(shape):
    X = bl.data.load_broad_and_tight()[["x", "y"]].to_numpy()

    def run(k, seed):
        options = {"sigma": 1.0, "start": "points", "random_state": seed, "history": False}
        fit = bl.GaussianMixture(k, MODELS[shape][0], **options).fit(X)
        return -np.inf if fit.collapsed_ else fit.log_likelihood_

    for k in KS:
        tried = range(30) if k < 4 else range(0, 30, 5)
        assert run(k, BEST[shape][k]) >= max(run(k, seed) for seed in tried) - 0.01


def test_shares_of_a_gaussian_within_its_rings():
    assert (f"{1 - np.exp(-0.5):.0%}", f"{1 - np.exp(-2):.0%}") == ("39%", "86%") and "39%" in TEXT and "86%" in TEXT


def test_hard_shares_make_the_m_step_one_of_k_means():
    x = bl.data.load_line()["x"].to_numpy()[:, None]
    whole = np.eye(2)[mixtures.nearest(x, np.array([[3.0], [4.0]]))]
    means, _, weights = mixtures.m_step(x, whole)
    assert means.ravel() == pytest.approx([2.1, 5.7]) and weights.tolist() == [0.5, 0.5]
    assert "five points up to 3.4 average 2.1, the other five 5.7" in LESSON and (x <= 3.4).sum() == 5


def test_the_bound_of_one_point_in_the_lesson():
    """With the numbers as they are printed there."""
    means, p, shares = np.array([2.401, 5.150]), np.array([0.1211, 0.0431]), np.array([[0.525, 0.475]])
    assert 0.5 * np.exp(-0.5 * (3.4 - means) ** 2) / np.sqrt(2 * np.pi) == pytest.approx(p, abs=5e-5)
    found = np.log(p.sum()), mixtures.lower_bound(shares, np.log([p]))
    assert found == pytest.approx((-1.807, -1.910), abs=5e-4) and "-1.807 \\\\ge -1.910" in LESSON


def test_total_is_within_and_between():
    x = bl.data.load_line()["x"].to_numpy()
    within = bl.KMeans(2, start=[3, 4]).fit(x).cost_
    between = 5 * (2.1 - x.mean()) ** 2 + 5 * (5.7 - x.mean()) ** 2
    told = len(x) * x.var(), within, between
    assert told == pytest.approx((40.58, 8.18, 32.40), abs=5e-3) and "40.58 = 8.18 + 32.40" in LESSON


def test_a_small_gap_grows_by_the_variance_over_sigma_squared():
    x = bl.data.load_line()["x"].to_numpy()
    for sigma in (0.5, 1.0, 2.0, 2.1):
        options = {"sigma": sigma, "start": [3.9 - 5e-7, 3.9 + 5e-7], "max_iter": 1, "tol": 0}
        gap = np.ptp(bl.GaussianMixture(2, "known", "equal", **options).fit(x).means_)
        assert gap == pytest.approx(1e-6 * x.var() / sigma**2, rel=1e-6)


def wrong(groups, species, named=None):
    named = named or mixtures.best_naming(groups, species)
    return sum(named.get(group) != kind for group, kind in zip(groups.tolist(), species))


def test_penguins_not_with_their_species():
    table = bl.data.load_penguins()
    X, species = table.iloc[:, 2:].to_numpy(float), table["species"].to_numpy()
    standard = (X - X.mean(axis=0)) / X.std(axis=0)
    options = {"random_state": 0, "history": False}
    found = []
    for data in (X, X / [1, 1, 1, 1000], standard):
        hard = bl.KMeans(3, n_init=100, **options).fit(data)
        full = bl.GaussianMixture(3, "full", n_init=20, **options).fit(data)
        found.append((wrong(hard.labels_, species), wrong(full.predict(data), species)))
    assert found == [(144, 5), (55, 5), (29, 5)] and "It is 144." in TEXT and "29 is what it takes" in TEXT
    assert f"{X[:, 3].var() / X.var(axis=0).sum():.2%}" == "99.96%" and "99.96%" in LESSON
    assert np.ptp(X[:, 3]) == 3600 and (species != "Adelie").sum() == 191
    figure = live.penguin_groups()
    for label, count in (("k-means, g", 144), ("k-means, kg", 55), ("k-means, standardised", 29), ("EM, full", 5)):
        figure.preset(label)
        assert f"{count} of 342 are not" in figure.alt
    for method, best in (("EM, full ellipses", 3), ("EM, shared ellipse", 4), ("EM, round", 5)):
        figure.set(method=method, unit="standardised")
        assert figure.alt.split("highest at k = ")[1].startswith(str(best))


def test_six_round_groups_are_nearly_the_sexes_of_the_species():
    table = bl.data.load_penguins()
    X, known = table.iloc[:, 2:].to_numpy(float), (table["sex"] != "unknown").to_numpy()
    standard = (X - X.mean(axis=0)) / X.std(axis=0)
    fit = bl.GaussianMixture(6, "round", n_init=10, random_state=0, history=False).fit(standard)
    kinds = (table["species"] + table["sex"]).to_numpy()[known]
    right = len(kinds) - wrong(fit.predict(standard)[known], kinds)
    assert f"six round groups {right} of the {len(kinds)} penguins of known sex are with their species" in LESSON
    mass = table.groupby(["species", "sex"])["body_mass_g"].mean().unstack()
    assert (mass["male"] > mass["female"]).all()


def test_a_wide_sigma_need_not_put_the_means_in_one_place():
    x = np.r_[np.linspace(-0.1, 0.1, 1000), 10]
    fit = bl.GaussianMixture(2, "known", "equal", sigma=1, start=[0, 10]).fit(x)
    assert x.std() < 1 and fit.means_.ravel() == pytest.approx([0, 10], abs=1e-6) and "of the data can do that" in TEXT


@pytest.mark.heavy
def test_the_stored_fits_are_the_best_of_a_hundred_starts():
    X = bl.data.load_penguins().iloc[:, 2:].to_numpy(float)
    units = {"g": X, "kg": X / [1, 1, 1, 1000], "standard": (X - X.mean(axis=0)) / X.std(axis=0)}
    for method, unit, k, draw, score in bl.data.load_penguin_fits().itertuples(index=False, name=None):
        tried = {}
        for seed in range(100):
            if method == "k-means":
                fit = bl.KMeans(k, random_state=seed, history=False).fit(units[unit])
                tried[seed] = -fit.cost_, fit.cost_
            else:
                fit = bl.GaussianMixture(k, method, random_state=seed, history=False).fit(units[unit])
                climbed = -np.inf if fit.collapsed_ else fit.log_likelihood_
                tried[seed] = climbed, fit.bic_score(units[unit])
        assert tried[draw][0] == pytest.approx(max(value for value, _ in tried.values()), rel=1e-6)
        assert tried[draw][1] == pytest.approx(score, rel=1e-6)


@pytest.mark.heavy
def test_bic_on_halves_of_the_penguins_mostly_chooses_two():
    X = bl.data.load_penguins().iloc[:, 2:].to_numpy(float)
    X, chosen = (X - X.mean(axis=0)) / X.std(axis=0), []
    for seed in range(20):
        half = X[np.random.default_rng(seed).permutation(342)[:171]]
        fits = (bl.GaussianMixture(k, n_init=10, random_state=0, history=False).fit(half) for k in range(1, 5))
        chosen.append(1 + int(np.argmax([fit.bic_score(half) for fit in fits])))
    assert chosen.count(2) == 14 and "two groups in 14 of 20 cases" in LESSON
    two, three = (bl.GaussianMixture(k, max_iter=1, history=False).fit(X).free_parameters() for k in (2, 3))
    assert f"the {three - two} numbers of a third ellipse" in LESSON


def test_the_shapes_on_long_clouds():
    clouds = bl.data.load_cigars()
    X, side = clouds[["x", "y"]].to_numpy(), clouds["component"].to_numpy()
    for shape, told, missed in (("round", -520.37, 54), ("diagonal", -444.32, 0), ("full", -443.09, 0)):
        run = bl.GaussianMixture(2, shape, sigma=1, start=[(-3, 0), (3, 0)]).fit(X)
        count = (run.predict(X) != side).sum()
        assert run.log_likelihood_ == pytest.approx(told, abs=6e-3) and min(count, 120 - count) == missed


def stuck(how, starts):
    return sum(abs(_run("k-means", how, number)[3] - GOOD["k-means"]) > 5 for number in range(starts))


def test_who_ends_well_did_not_all_start_well():
    runs = [_run("k-means", "points", number) for number in range(60)]
    good = [abs(run[3] - GOOD["k-means"]) <= 5 for run in runs]
    blobs = next(run[1] for run, well in zip(runs, good) if well)
    spread = [len({*mixtures.nearest(run[0], blobs).tolist()}) == 3 for run in runs]
    assert (sum(good), sum(a and b for a, b in zip(good, spread)), sum(spread)) == (49, 20, 20)
    assert "20 of them start with a mean in each blob, and in the other 29" in TEXT


@pytest.mark.heavy
def test_sixty_starts_are_few():
    shares = [f"{stuck(how, 6000) / 6000:.0%}" for how in ("points", "k-means++")]
    assert "of 6000 starts about {} got stuck with random points and {} with k-means++".format(*shares) in LESSON
