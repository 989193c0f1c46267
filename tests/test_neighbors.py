"""Section 14: nearest neighbours beside a sort by hand and scikit-learn; cells, trees, limits, and every bad input."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn import neighbors as peer

import bayeslib as bl
from bayeslib import KNeighborsClassifier, KNeighborsRegressor, live
from bayeslib.models import _fast_neighbors, neighbors
from bayeslib.models.kernels import KERNELS, kernel_weights
from bayeslib.models.neighbors import cell_area, kd_search, kd_tree, limit_error, voronoi_cells

UNIT = (0.0, 1.0, 0.0, 1.0)


def by_hand(X, query, k):
    """The k nearest rows from a plain sort by distance, then by row."""
    return sorted(range(len(X)), key=lambda i: (math.dist(X[i], query), i))[:k]


def some(n, features, classes=3, seed=0):
    random = np.random.default_rng(seed)
    return random.normal(size=(n, features)), random.integers(0, classes, n), random.normal(size=n)


# The neighbours


@pytest.mark.parametrize("features", [1, 2, 5, _fast_neighbors.MANY, 30])
@pytest.mark.parametrize("k", [1, 2, 5, 7, 24, 60])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_votes_and_means_agree_with_scikit_learn_to_the_last(features, k, weights):
    (X, y, numbers), queries = some(60, features), some(300, features, seed=1)[0]
    queries = np.vstack([queries, X])  # distance 0 as well
    ours, theirs = (
        KNeighborsClassifier(k, weights).fit(X, y),
        peer.KNeighborsClassifier(k, weights=weights, algorithm="kd_tree").fit(X, y),
    )
    assert (ours.predict(queries) == theirs.predict(queries)).all()
    np.testing.assert_allclose(ours.predict_proba(queries), theirs.predict_proba(queries), rtol=0, atol=1e-12)
    for mine, yours in zip(ours.kneighbors(queries), theirs.kneighbors(queries)):
        np.testing.assert_allclose(mine, yours, atol=1e-12)
    assert ours.score(queries[:60], y) == theirs.score(queries[:60], y)
    ours = KNeighborsRegressor(k, weights).fit(X, numbers)
    theirs = peer.KNeighborsRegressor(k, weights=weights, algorithm="kd_tree").fit(X, numbers)
    np.testing.assert_allclose(ours.predict(queries), theirs.predict(queries), atol=1e-12)
    assert ours.score(X, numbers) == pytest.approx(theirs.score(X, numbers))


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernel_weights_agree_with_scikit_learn(kernel):
    X, y, numbers = some(80, 2)
    queries = some(50, 2, seed=1)[0]

    def weigh(distances):
        return kernel_weights(distances, kernel, 3.0)

    ours = KNeighborsClassifier(9, kernel, bandwidth=3.0).fit(X, y)
    theirs = peer.KNeighborsClassifier(9, weights=weigh).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(queries), theirs.predict_proba(queries), atol=1e-12)
    ours = KNeighborsRegressor(9, kernel, bandwidth=3.0).fit(X, numbers)
    theirs = peer.KNeighborsRegressor(9, weights=weigh).fit(X, numbers)
    np.testing.assert_allclose(ours.predict(queries), theirs.predict(queries), atol=1e-12)


def test_without_queries_each_row_is_asked_without_itself():
    X, y, numbers = some(70, 2)
    for model, other in (
        (KNeighborsClassifier(3).fit(X, y), peer.KNeighborsClassifier(3).fit(X, y)),
        (KNeighborsRegressor(3).fit(X, numbers), peer.KNeighborsRegressor(3).fit(X, numbers)),
    ):
        np.testing.assert_allclose(model.kneighbors()[0], other.kneighbors()[0], atol=1e-12)
        assert (model.kneighbors()[1] == other.kneighbors()[1]).all()
    X[10] = X[3]  # which of the two is nearer to a third is our rule's to say, not scikit-learn's
    left_out = [KNeighborsClassifier(3).fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[[i]])[0] for i in range(70)]
    model = KNeighborsClassifier(3).fit(X, y)
    assert model.leave_one_out() == (np.array(left_out) != y).mean()
    assert KNeighborsClassifier(1).fit(X[11:], y[11:]).score(X[11:], y[11:]) == 1.0, "its own nearest neighbour"
    means = [
        KNeighborsRegressor(3).fit(np.delete(X, i, 0), np.delete(numbers, i)).predict(X[[i]])[0] for i in range(70)
    ]
    assert KNeighborsRegressor(3).fit(X, numbers).leave_one_out() == pytest.approx(np.square(means - numbers).mean())


coarse = hnp.arrays(float, st.tuples(st.integers(2, 30), st.integers(1, 3)), elements=st.integers(0, 3).map(float))


@settings(max_examples=60, deadline=None)
@given(coarse, st.integers(1, 6), st.booleans())
def test_equal_distances_go_to_the_earlier_row_whichever_way_it_is_searched(X, k, fast):
    """Coordinates from 0 to 3 tie all the time."""
    k = min(k, len(X))
    model = KNeighborsClassifier(k).fit(X, np.arange(len(X)))
    grid = np.unique(X, axis=0) + 0.5
    wanted = [by_hand(X.tolist(), query, k) for query in grid.tolist()]
    finder = _fast_neighbors.Finder(X)
    found = finder.nearest(grid, k)[1] if fast else model.kneighbors(grid)[1]
    assert found.tolist() == wanted
    if k < len(X):
        others = [[i for i in by_hand(X.tolist(), x, k + 1) if i != row][:k] for row, x in enumerate(X.tolist())]
        assert model.kneighbors(n_neighbors=k)[1].tolist() == others


def spoken(kind, features, n=600):
    """Rows that tie, that nearly tie, that lie far away, at one place, or next to one that is far from all others."""
    random = np.random.default_rng(features)
    whole, real = random.integers(0, 3, (n, features)), random.normal(size=(n, features))
    return {
        "grid": whole * 1.0,
        "tenths": whole / 10,
        "normal": real,
        "far": real + 1e8,
        "outlier": np.vstack([real[1:], np.full((1, features), 1e9)]),
        "one place": np.ones((n, features)),
        "tiny": real * 1e-90,
        "huge": real * 1e99,
    }[kind]


@pytest.mark.parametrize("features", [1, 3, 11, _fast_neighbors.MANY, 64])
@pytest.mark.parametrize("kind", ["grid", "tenths", "normal", "far", "outlier", "one place", "tiny", "huge"])
def test_the_fast_search_finds_what_the_lesson_finds(kind, features):
    X = spoken(kind, features)
    queries = np.vstack([X[:40], X[:20] * 1.5, X[:20] + 0.5, -X[:3]])
    finder = _fast_neighbors.Finder(X)
    for k in (1, 2, 5, 30, 150, 599, 600):
        for _ in range(2):  # what the first question built serves the second
            (apart, rows), (wanted, those) = finder.nearest(queries, k), neighbors.nearest(X, queries, k)
            assert (rows == those).all()
            np.testing.assert_allclose(apart, wanted, rtol=5e-16)


def test_rows_that_share_a_random_sum_are_still_told_apart(monkeypatch):
    monkeypatch.setattr(
        np.random, "default_rng", lambda seed: type("Same", (), {"normal": lambda self, size: np.ones(size)})()
    )
    X = np.array([[0.0, 3], [1, 2], [3, 0], [1, 2], [2, 1]])
    order, starts = _fast_neighbors._by_place(X)
    places = np.split(order, starts[1:])
    assert sorted(map(list, places)) == [[0], [1, 3], [2], [4]]


def test_the_lesson_compares_with_every_row_and_only_large_data_are_searched_faster(monkeypatch):
    asked, lesson = [], neighbors.nearest
    monkeypatch.setattr(neighbors, "nearest", lambda X, queries, k: asked.append(k) or lesson(X, queries, k))
    X, y, _ = some(3000, 1)
    model = KNeighborsClassifier(25).fit(X, y)
    model.predict(np.linspace(-1, 1, 400)[:, None])  # the largest cell of lesson 14
    assert asked == [25] and model._finder is None
    model.predict(np.linspace(-1, 1, 4000)[:, None])
    assert asked == [25] and model._finder is not None


@pytest.mark.parametrize("make", [live.drag_cells, live.k_regions, live.coin_limit, live.height_unit])
def test_the_figures_compare_with_every_row(make, monkeypatch):
    monkeypatch.setattr(_fast_neighbors, "Finder", None)
    figure = make()
    for name in figure.presets:
        figure.preset(name)


def test_equal_votes_go_to_the_class_that_sorts_first():
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["b", "a", "b", "a"]
    assert KNeighborsClassifier(4).fit(X, y).predict([[9.0], [-9.0]]).tolist() == ["a", "a"]
    assert KNeighborsClassifier(1).fit(X, y).predict([[0.5]]).tolist() == ["b"], "row 0 comes before row 1"
    assert KNeighborsClassifier(2).fit(X, y).predict_proba([[0.1]]).tolist() == [[0.5, 0.5]]


def test_distance_zero_silences_the_others():
    X, y = [[0.0], [0.0], [1.0]], [1.0, 3.0, 100.0]
    assert KNeighborsRegressor(3, "distance").fit(X, y).predict([[0.0], [0.5]]).tolist() == [2.0, 104 / 3]
    assert KNeighborsClassifier(3, "distance").fit(X, list("abc")).predict_proba([[1.0]]).tolist() == [[0, 0, 1]]


def test_units_choose_the_neighbour_and_scaling_takes_the_choice_away():
    """Syllabus: rescale an attribute and change the answer. Two people and a query, in metres and in centimetres."""
    people, query = np.array([[1.60, 70], [1.88, 76]]), [[1.86, 72]]
    for factors, nearest, distances in (((1, 1), "A", (2.02, 4.00)), ((100, 1), "B", (4.47, 26.08))):
        model = KNeighborsClassifier(1, scale=factors).fit(people, ["A", "B"])
        assert model.predict(query) == nearest
        np.testing.assert_allclose(model.kneighbors(query, n_neighbors=2)[0], [distances], atol=0.005)
    X, y, _ = some(100, 3)
    queries = some(40, 3, seed=1)[0]
    for scale in ("standard", "range"):
        once = KNeighborsClassifier(5, scale=scale).fit(X, y).predict(queries)
        again = KNeighborsClassifier(5, scale=scale).fit(X * [1, 1000, 0.01], y).predict(queries * [1, 1000, 0.01])
        assert (once == again).all()
    assert KNeighborsClassifier(1, scale="standard").fit([[1.0, 2], [1.0, 4]], [0, 1]).scale_.tolist() == [1, 1]
    ignored = KNeighborsClassifier(1, scale=(0, 1)).fit([[0.0, 1], [100.0, 2]], [0, 1])
    assert ignored.predict([[100.0, 1.1]]).tolist() == [0]


def test_names_and_tables_come_as_they_do_elsewhere():
    table = pd.DataFrame({"height": [1.6, 1.9], "weight": [70.0, 76.0]})
    model = bl.KNeighborsClassifier(n_neighbors=1).fit(table, pd.Series(["A", "B"]))
    assert model.predict(table).tolist() == ["A", "B"] and model.classes_.tolist() == ["A", "B"]
    assert bl.neighbors is neighbors and bl.KNeighborsRegressor is KNeighborsRegressor


@settings(max_examples=40, deadline=None)
@given(
    hnp.arrays(float, st.tuples(st.integers(3, 25), st.just(2)), elements=st.floats(-5, 5, width=16)), st.integers(1, 3)
)
def test_a_mean_of_neighbours_never_leaves_their_range(X, k):
    y = X[:, 0] ** 2
    for weights in ("uniform", "distance"):
        predicted = KNeighborsRegressor(k, weights).fit(X, y).predict(X + 0.3)
        assert (predicted >= y.min() - 1e-9).all() and (predicted <= y.max() + 1e-9).all()


@pytest.mark.parametrize(
    "options, words",
    [
        ({"n_neighbors": 0}, "n_neighbors must be a whole number of at least 1, got 0"),
        ({"n_neighbors": -3}, "n_neighbors must be a whole number of at least 1, got -3"),
        ({"n_neighbors": 2.0}, "n_neighbors must be a whole number"),
        ({"n_neighbors": True}, "n_neighbors must be a whole number"),
        ({"n_neighbors": 10**400}, "n_neighbors must be a whole number of at most"),
        ({"weights": "near"}, "weights must be one of .*'uniform', 'distance', 'gaussian'.* got 'near'"),
        ({"weights": "gaussian"}, "bandwidth must be a number above 0 with the weights of a kernel, got None"),
        ({"weights": "box", "bandwidth": 0}, "bandwidth must be a number above 0, got 0"),
        ({"weights": "box", "bandwidth": -1.0}, "bandwidth must be a number above 0, got -1"),
        ({"bandwidth": 1.0}, "bandwidth must be None without a kernel, got 1.0"),
        ({"scale": "unit"}, "scale must be 'standard', 'range' or one factor per attribute, got 'unit'"),
        ({"weights": "box", "bandwidth": [1.0, 2.0]}, r"bandwidth must be a number above 0, got \[1.0, 2.0\]"),
        ({"weights": ["uniform"]}, r"weights must be one of .* got \['uniform'\]"),
    ],
)
@pytest.mark.parametrize("kind", [KNeighborsClassifier, KNeighborsRegressor])
def test_bad_options_are_named(kind, options, words):
    with pytest.raises(ValueError, match=words):
        kind(**options)


@pytest.mark.parametrize(
    "X, y, options, words",
    [
        ([[1.0], [2.0]], [0, 1], {"n_neighbors": 3}, "n_neighbors must be at most the number of rows of X, 2, got 3"),
        (
            [[1.0], [math.nan]],
            [0, 1],
            {"n_neighbors": 1},
            "X must hold numbers between .* none missing, got nan in row 1, attribute 0",
        ),
        ([[1.0], [math.inf]], [0, 1], {"n_neighbors": 1}, "X must hold numbers between .* got inf in row 1"),
        ([1.0, 2.0], [0, 1], {"n_neighbors": 1}, r"X must have two axes, rows and attributes.* got shape \(2,\)"),
        ([], [], {"n_neighbors": 1}, r"X must have two axes.* got shape \(0,\)"),
        ([["a"], ["b"]], [0, 1], {"n_neighbors": 1}, "X must be rows of numbers"),
        ([[1.0], [2.0]], [0, 1, 1], {"n_neighbors": 1}, "y must have one .* for each of the 2 rows of X, got"),
        ([[1.0], [2.0]], [0.0, math.nan], {"n_neighbors": 1}, "y must"),
        (
            [[1.0, 2], [3.0, 4]],
            [0, 1],
            {"n_neighbors": 1, "scale": [1, 2, 3]},
            "scale must have a factor for each of the 2",
        ),
        ([[1.0, 2], [3.0, 4]], [0, 1], {"n_neighbors": 1, "scale": [0, 0]}, "scale must have a factor .* not all 0"),
        (
            [[1.0, 2], [3.0, 4]],
            [0, 1],
            {"n_neighbors": 1, "scale": [1, -1]},
            "scale must be a number at least 0, got -1",
        ),
    ],
)
@pytest.mark.parametrize("kind", [KNeighborsClassifier, KNeighborsRegressor])
def test_bad_data_are_named(kind, X, y, options, words):
    with pytest.raises(ValueError, match=words):
        kind(**options).fit(X, y)


def test_bad_questions_are_named():
    model = KNeighborsClassifier(2).fit([[1.0, 2], [3.0, 4], [5.0, 6]], [0, 1, 1])
    with pytest.raises(ValueError, match="X must have 2 attributes as in fit, got 1"):
        model.predict([[1.0]])
    with pytest.raises(ValueError, match="X must hold numbers between .* got nan in row 0, attribute 1"):
        model.predict([[1.0, math.nan]])
    with pytest.raises(ValueError, match="n_neighbors must be at most the number of training rows, 3, got 4"):
        model.kneighbors([[1.0, 1]], n_neighbors=4)
    with pytest.raises(ValueError, match="other than the one in question, 2, got 3"):
        model.kneighbors(n_neighbors=3)
    with pytest.raises(ValueError, match="y must have one class for each of the 1 rows of X"):
        model.score([[1.0, 2]], [0, 1])
    with pytest.raises(ValueError, match="y must hold classes of one kind"):
        KNeighborsClassifier(1).fit([[1.0], [2.0]], np.array(["a", 1], dtype=object))
    with pytest.raises(ValueError, match="y must be rows of numbers"):
        KNeighborsRegressor(1).fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(ValueError, match="bandwidth must reach a neighbour of every query, got 1, .* row 1 is 7 away"):
        KNeighborsClassifier(1, "box", bandwidth=1.0).fit([[0.0], [2.0]], [0, 1]).predict([[0.5], [9.0]])
    with pytest.raises(ValueError, match="is not fitted yet"):
        KNeighborsClassifier(1).predict([[1.0]])
    model = KNeighborsRegressor(1).fit([[0.0], [1.0]], [1.0, 2.0])
    assert model.score([[0.0]], [1.0]) == 1 and model.score([[0.0]], [2.0]) == 0, "where y does not vary"


# In the limit


def test_the_limit_is_gibbs_for_one_neighbour_and_bayes_optimal_for_many():
    p = np.linspace(0, 1, 101)
    np.testing.assert_allclose(limit_error(p), 2 * p * (1 - p), atol=1e-12)
    np.testing.assert_allclose(limit_error(p[p != 0.5], 100_001), np.minimum(p, 1 - p)[p != 0.5], atol=0.01)
    errors = np.array([limit_error(p, k) for k in range(1, 30, 2)])
    assert (np.diff(errors, axis=0) <= 1e-12).all(), "more voters never hurt in the limit"
    bayes = np.minimum(p, 1 - p)
    assert (errors >= bayes - 1e-12).all() and (errors[0] <= 2 * bayes + 1e-12).all()


@pytest.mark.parametrize(
    "p, k, error",
    [
        (0.98, 1, 0.0392),
        (0.98, 3, 0.0211),
        (0.9, 1, 0.18),
        (0.9, 3, 0.1224),
        (0.9, 5, 0.1068),
        (0.8, 1, 0.32),
        (0.8, 3, 0.2624),
        (0.8, 5, 0.2348),
        (0.8, 21, 0.2006),
        (0.6, 1, 0.48),
        (0.6, 3, 0.4704),
        (0.6, 51, 0.4147),
        (0.5, 1, 0.5),
    ],
)
def test_limits_that_the_lesson_tells(p, k, error):
    tosses = [math.comb(k, j) * p**j * (1 - p) ** (k - j) for j in range(k + 1)]
    ones = sum(tosses[k // 2 + 1 :])
    assert limit_error(p, k) == pytest.approx(p * (1 - ones) + (1 - p) * ones) == pytest.approx(error, abs=5.1e-5)


def test_with_a_chance_that_grows_along_the_line():
    x = (np.arange(100_000) + 0.5) / 100_000
    means = [np.minimum(x, 1 - x).mean(), *(limit_error(x, k).mean() for k in (1, 3, 5, 11))]
    assert np.round(means, 4).tolist() == [0.25, 0.3333, 0.3, 0.2857, 0.2692]


@pytest.mark.parametrize("p, k, words", [(1.2, 1, "p must be"), (math.nan, 1, "p must be"), (0.5, 0, "k must be")])
def test_bad_limits_are_named(p, k, words):
    with pytest.raises(ValueError, match=words):
        limit_error(p, k)


# Cells

places = hnp.arrays(
    float,
    st.tuples(st.integers(1, 30), st.just(2)),
    elements=st.one_of(st.floats(0, 1), st.integers(0, 4).map(lambda i: i / 4)),
)


def holds(corners, place, slack=1e-7):
    """Whether a convex polygon with corners counter-clockwise holds a place."""
    edges = np.roll(corners, -1, axis=0) - corners
    away = place - corners
    return (edges[:, 0] * away[:, 1] - edges[:, 1] * away[:, 0] >= -slack).all()


@settings(max_examples=150, deadline=None)
@given(places)
def test_cells_tile_the_box_and_each_holds_its_site(points):
    """Points on the edge of the box, on one line, at one place: all are among these."""
    cells = voronoi_cells(points, UNIT)
    assert len(cells) == len(points) and sum(map(cell_area, cells)) == pytest.approx(1, abs=1e-6)
    for number, (site, corners) in enumerate(zip(points, cells)):
        assert (corners >= -1e-9).all() and (corners <= 1 + 1e-9).all()
        if len(corners):
            assert holds(corners, site)
        else:
            assert np.abs(points[:number] - site).max(axis=1).min() < 1e-8, "only a repeated point has no cell"


@pytest.mark.parametrize("gap", [1e-5, 1e-7, 1e-8, 3e-9])
def test_sites_that_nearly_touch_have_cells_of_their_own(gap):
    random = np.random.default_rng(0)
    for _ in range(40):
        points = np.repeat(random.random((3, 2)) * 0.9 + 0.05, 4, axis=0)
        points += random.uniform(-gap, gap, points.shape) * random.integers(0, 2, points.shape)
        cells = voronoi_cells(points, UNIT)
        assert sum(map(cell_area, cells)) == pytest.approx(1, abs=1e-12)
        assert all(holds(cell, site, slack=1e-15) for cell, site in zip(cells, points) if len(cell))


def test_cells_are_the_regions_of_the_nearest_neighbour():
    points, random = np.random.default_rng(3).random((12, 2)) * [8, 3] + [-2, 5], np.random.default_rng(4)
    cells = voronoi_cells(points, (-2, 6, 5, 8))
    queries = random.random((500, 2)) * [8, 3] + [-2, 5]
    nearest = KNeighborsClassifier(1).fit(points, np.arange(12)).predict(queries)
    assert all(holds(cells[owner], query) for owner, query in zip(nearest, queries))


@pytest.mark.parametrize(
    "points, shares",
    [
        ([[0.3, 0.6]], [1]),
        ([[0.25, 0.5], [0.75, 0.5]], [0.5, 0.5]),
        ([[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]], [1, 0, 0]),
        ([[0.1, 0.5], [0.5, 0.5], [0.9, 0.5]], [0.3, 0.4, 0.3]),
        ([[0.0, 0.0], [1.0, 1.0], [0.5, 0.5]], [0.125, 0.125, 0.75]),
        ([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0.25] * 4),
    ],
)
def test_few_collinear_and_repeated_points_still_have_cells(points, shares):
    assert [cell_area(cell) for cell in voronoi_cells(points, UNIT)] == pytest.approx(shares)


@pytest.mark.parametrize(
    "points, box, words",
    [
        ([[2.0, 0.5]], UNIT, r"points must lie in the box .* got \[2.0, 0.5\]"),
        ([[0.5]], UNIT, "points must have 2 coordinates each, got 1"),
        ([[0.5, math.nan]], UNIT, "points must hold numbers between .* got nan in row 0, attribute 1"),
        ([], UNIT, "points must have two axes"),
        ([[0.5, 0.5]], (0, 1, 0), "box must be"),
        ([[0.5, 0.5]], (1, 0, 0, 1), "box must be .left, right, bottom, top. with left < right"),
        ([[0.5, 0.5]], (0, math.inf, 0, 1), "box must be a number between .* got inf"),
    ],
)
def test_bad_cells_are_named(points, box, words):
    with pytest.raises(ValueError, match=words):
        voronoi_cells(points, box)


# The tree


@settings(max_examples=80, deadline=None)
@given(coarse, st.integers(0, 5))
def test_the_tree_finds_what_comparing_with_all_finds(X, seed):
    query = np.random.default_rng(seed).integers(0, 4, X.shape[1]) + np.random.default_rng(seed).choice([0, 0.5, 0.3])
    steps = kd_search(kd_tree(X), X, query)
    assert steps[-1].best == by_hand(X.tolist(), query.tolist(), 1)[0]
    assert steps[-1].distance == min(step.distance for step in steps)
    seen = [step.row for step in steps if step.kind == "visit"]
    assert len(seen) == len(set(seen)) <= len(X)
    skipped = [step for step in steps if step.kind == "prune"]
    assert all(step.gap > step.distance for step in skipped)


def test_a_tree_halves_the_data_and_each_row_is_in_it_once():
    X = np.random.default_rng(0).random((100, 3))
    rows = []

    def check(node, depth):
        if node is None:
            return 0
        rows.append(node.row)
        assert node.axis == depth % 3
        left, right = check(node.before, depth + 1), check(node.after, depth + 1)
        assert abs(left - right) <= 1
        return left + right + 1

    assert check(kd_tree(X), 0) == 100 and sorted(rows) == list(range(100))


def test_in_many_dimensions_the_tree_visits_nearly_all():
    """Syllabus: cost at query time. 1000 points: some ten visits in one dimension, all in twenty."""
    visits = {}
    for features in (1, 2, 20):
        random = np.random.default_rng(0)
        X, queries = random.random((1000, features)), random.random((20, features))
        tree = kd_tree(X)
        found = [kd_search(tree, X, query) for query in queries]
        assert [steps[-1].best for steps in found] == KNeighborsClassifier(1).fit(X, range(1000)).predict(
            queries
        ).tolist()
        visits[features] = np.mean([sum(step.kind == "visit" for step in steps) for steps in found])
    assert visits[1] < 12 and visits[2] < 25 and visits[20] > 950


def test_bad_searches_are_named():
    X = [[0.0, 1.0], [1.0, 0.0]]
    with pytest.raises(ValueError, match="query must have 2 attributes as points, got shape .1,."):
        kd_search(kd_tree(X), X, [1.0])
    with pytest.raises(ValueError, match="query must be a number between .* got nan"):
        kd_search(kd_tree(X), X, [1.0, math.nan])
    with pytest.raises(ValueError, match="points must have two axes"):
        kd_tree([1.0, 2.0])
    with pytest.raises(ValueError, match="tree must be kd_tree.points., built from these 1 points"):
        kd_search(kd_tree(X), X[:1], [0.0, 0.0])
    with pytest.raises(ValueError, match="query must have 2 attributes as points, got shape .."):
        kd_search(kd_tree(X), X, 0.5)


def test_each_border_of_a_tree_goes_through_its_point_and_parts_what_lies_below_it():
    points = np.random.default_rng(0).random((40, 2))
    tree = neighbors.kd_tree(points)
    borders = neighbors.kd_borders(tree, points, (0, 1, 0, 1))
    todo, number = [tree], 0
    while todo:
        node = todo.pop(0)
        start, end = np.array(borders[number])
        across = 1 - node.axis
        assert start[node.axis] == end[node.axis] == points[node.row, node.axis]
        assert 0 <= start[across] <= points[node.row, across] <= end[across] <= 1
        todo, number = [each for each in (node.before, node.after) if each] + todo, number + 1
    assert number == len(borders) == 40
