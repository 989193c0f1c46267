"""Section 14: nearest neighbours beside a sort by hand and scikit-learn; the limit of infinite data, cells and trees."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn import neighbors as peer

from bayeslib import KNeighborsClassifier, KNeighborsRegressor, neighbors
from bayeslib.models.neighbors import cell_area, kd_borders, kd_search, kd_tree, limit_error, voronoi_cells

coarse = hnp.arrays(float, st.tuples(st.integers(2, 30), st.integers(1, 3)), elements=st.integers(0, 3).map(float))


def by_hand(X, query, k):
    """The k nearest rows from a plain sort by distance, then by row."""
    return sorted(range(len(X)), key=lambda i: (math.dist(X[i], query), i))[:k]


@pytest.mark.parametrize("features", [1, 5, 30])
@pytest.mark.parametrize("k", [1, 7, 60])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_votes_and_means_are_those_of_scikit_learn(features, k, weights):
    random = np.random.default_rng(0)
    X, y, numbers = random.normal(size=(60, features)), random.integers(0, 3, 60), random.normal(size=60)
    queries = np.vstack([random.normal(size=(300, features)), X])  # distance 0 as well
    ours = KNeighborsClassifier(k, weights).fit(X, y)
    theirs = peer.KNeighborsClassifier(k, weights=weights, algorithm="kd_tree").fit(X, y)
    assert (ours.predict(queries) == theirs.predict(queries)).all()
    np.testing.assert_allclose(ours.predict_proba(queries), theirs.predict_proba(queries), atol=1e-12)
    np.testing.assert_allclose(ours.kneighbors(queries), theirs.kneighbors(queries), atol=1e-6)
    ours = KNeighborsRegressor(k, weights).fit(X, numbers)
    theirs = peer.KNeighborsRegressor(k, weights=weights, algorithm="kd_tree").fit(X, numbers)
    np.testing.assert_allclose(ours.predict(queries), theirs.predict(queries), atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(coarse, st.integers(1, 6))
def test_of_equally_distant_rows_the_earlier_is_nearer(X, k):
    k = min(k, len(X) - 1)
    model = KNeighborsClassifier(k).fit(X, np.arange(len(X)))
    queries = np.unique(X, axis=0) + 0.5
    assert model.kneighbors(queries)[1].tolist() == [by_hand(X.tolist(), query, k) for query in queries.tolist()]
    others = [[i for i in by_hand(X.tolist(), x, k + 1) if i != row][:k] for row, x in enumerate(X.tolist())]
    assert model.kneighbors()[1].tolist() == others, "without queries each row is asked without itself"


@pytest.mark.parametrize("features", [1, 3, 64])
@pytest.mark.parametrize("kind", ["grid", "tenths", "normal", "far", "outlier", "one place", "tiny", "huge"])
def test_rounding_never_decides_who_is_near(kind, features, monkeypatch):
    """Rows that tie, nearly tie, lie far away, at one place, or beside one far from all others: as a sort of all distances."""
    random = np.random.default_rng(features)
    whole, real = random.integers(0, 3, (600, features)), random.normal(size=(600, features))
    X = {
        "grid": whole * 1.0,
        "tenths": whole / 10,
        "normal": real,
        "far": real + 1e8,
        "outlier": np.vstack([real[1:], np.full((1, features), 1e9)]),
        "one place": np.ones((600, features)),
        "tiny": real * 1e-90,
        "huge": real * 1e99,
    }[kind]
    queries = np.vstack([X[:40], X[:20] * 1.5, X[:20] + 0.5, -X[:3]])
    monkeypatch.setattr(neighbors, "CELLS", 9000)  # a few queries at a time
    apart = neighbors.distances(X, queries)
    order = apart.argsort(axis=1, kind="stable")
    for k in (1, 5, 150, 600):
        found, rows = KNeighborsClassifier(k).fit(X, np.arange(600)).kneighbors(queries)
        assert (rows == order[:, :k]).all() and (found == np.take_along_axis(apart, rows, axis=1)).all()


def test_leave_one_out_is_the_error_without_the_row():
    random = np.random.default_rng(0)
    X, y, numbers = random.normal(size=(70, 2)), random.integers(0, 3, 70), random.normal(size=70)
    without = [[np.delete(each, i, axis=0) for each in (X, y, numbers)] for i in range(70)]
    says = [KNeighborsClassifier(3).fit(rest, kinds).predict(X[[i]])[0] for i, (rest, kinds, _) in enumerate(without)]
    means = [KNeighborsRegressor(3).fit(rest, some).predict(X[[i]])[0] for i, (rest, _, some) in enumerate(without)]
    assert KNeighborsClassifier(3).fit(X, y).leave_one_out() == (np.array(says) != y).mean()
    assert KNeighborsRegressor(3).fit(X, numbers).leave_one_out() == pytest.approx(np.square(means - numbers).mean())


def test_equal_votes_go_to_the_class_that_sorts_first_and_distance_0_silences_the_others():
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["b", "a", "b", "a"]
    assert KNeighborsClassifier(4).fit(X, y).predict([[9.0], [-9.0]]).tolist() == ["a", "a"]
    model = KNeighborsRegressor(3, "distance").fit([[0.0], [0.0], [1.0]], [1.0, 3.0, 100.0])
    assert model.predict([[0.0], [0.5]]).tolist() == [2.0, 104 / 3]


def test_units_choose_the_neighbour_and_scaling_takes_the_choice_away():
    people, query = np.array([[1.60, 70], [1.88, 76]]), [[1.86, 72]]
    for factors, nearest, apart in (((1, 1), "A", (2.02, 4.00)), ((100, 1), "B", (4.47, 26.08))):
        model = KNeighborsClassifier(1, scale=factors).fit(people, ["A", "B"])
        assert model.predict(query) == nearest
        np.testing.assert_allclose(model.kneighbors(query, n_neighbors=2)[0], [apart], atol=0.005)
    standard = KNeighborsClassifier(1, scale="standard").fit([[1.0, 2, 0], [1.0, 4, 8]], [0, 1])
    assert standard.scale_.tolist() == [1, 1, 0.25], "one over the standard deviation, where there is any"


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: KNeighborsClassifier(3).fit([[1.0], [2.0]], [0, 1]), "n_neighbors must be at most .* 2, got 3"),
        (
            lambda: KNeighborsClassifier(1).fit([[1.0], [2.0]], [0, 1]).kneighbors(n_neighbors=2),
            "other than.* 1, got 2",
        ),
        (lambda: KNeighborsClassifier(1, scale=[0, 0]).fit([[1.0, 2]], [0]), "scale must have a factor .* not all 0"),
        (lambda: KNeighborsClassifier(1).predict([[1.0]]), "not fitted yet"),
        (lambda: neighbors.distances([[1.0]], [[1.0, 2]]), "queries must have 1 attributes as X, got 2"),
        (lambda: voronoi_cells([[2.0, 0.5]], (0, 1, 0, 1)), "points must lie in the box"),
        (lambda: kd_search(kd_tree([[0.0, 1], [1, 0]]), [[0.0, 1]], [0.0, 0.0]), "tree must be kd_tree.points"),
        (lambda: kd_search(kd_tree([[0.0, 1]]), [[0.0, 1]], [0.0]), "query must have 2 attributes as points"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("k", [1, 2, 3, 21])
def test_the_limit_is_the_error_of_a_vote_of_coins(k):
    p = np.linspace(0, 1, 21)
    ones = sum(math.comb(k, j) * p**j * (1 - p) ** (k - j) for j in range(k // 2 + 1, k + 1))
    np.testing.assert_allclose(limit_error(p, k), p * (1 - ones) + (1 - p) * ones, atol=1e-12)
    np.testing.assert_allclose(limit_error(p), 2 * p * (1 - p), atol=1e-12)
    np.testing.assert_allclose(limit_error(p, 100_001), np.minimum(p, 1 - p), atol=0.01)


@settings(max_examples=150, deadline=None)
@given(
    hnp.arrays(
        float,
        st.tuples(st.integers(1, 30), st.just(2)),
        elements=st.one_of(st.floats(0, 1), st.integers(0, 4).map(lambda i: i / 4)),
    )
)
@example(np.repeat([[0.3, 0.6], [0.7, 0.2], [0.5, 0.9]], 4, axis=0) + 1e-7 * np.random.default_rng(0).random((12, 2)))
def test_cells_tile_the_box_and_every_corner_is_nearest_to_its_own_site(points):
    """Points on the edge of the box, on one line, at one place, nearly at one place: all are among these."""
    cells = voronoi_cells(points * [8, 3] + [-2, 5], (-2, 6, 5, 8))
    assert sum(map(cell_area, cells)) == pytest.approx(24, abs=1e-5)
    for number, (site, corners) in enumerate(zip(points * [8, 3] + [-2, 5], cells)):
        apart = neighbors.distances(points * [8, 3] + [-2, 5], corners) if len(corners) else np.zeros((0, 1))
        assert (np.hypot(*(corners - site).T) <= apart.min(axis=1) + 1e-6).all()
        if not len(corners):
            assert np.abs(points[:number] - points[number]).max(axis=1).min() < 1e-8, (
                "only a repeated point has no cell"
            )


@settings(max_examples=80, deadline=None)
@given(coarse, st.integers(0, 5))
def test_a_tree_search_finds_the_nearest_and_skips_only_what_is_farther(X, seed):
    random = np.random.default_rng(seed)
    query = random.integers(0, 4, X.shape[1]) + random.choice([0, 0.5, 0.3])
    steps = kd_search(kd_tree(X), X, query)
    assert steps[-1].best == by_hand(X.tolist(), query.tolist(), 1)[0]
    assert steps[-1].distance == math.dist(X[steps[-1].best], query)
    seen = [step.row for step in steps if step.kind == "visit"]
    assert len(seen) == len(set(seen))
    for step in steps:
        (low, high), node = np.array(step.box), X[step.row]
        away = np.maximum(np.maximum(low - query, query - high), 0)
        assert step.gap in np.abs(node - query)
        assert step.kind == "visit" and (node >= low).all() and (node <= high).all() or away.max() > step.distance


def test_a_tree_halves_its_rows_at_borders_through_its_points():
    X = np.random.default_rng(0).random((100, 2))

    def rows(node, depth=0):
        if node is None:
            return []
        before, after = rows(node.before, depth + 1), rows(node.after, depth + 1)
        assert len(before) - len(after) in (0, 1) and node.axis == depth % 2
        return [node.row, *before, *after]

    found = rows(kd_tree(X))
    for row, border in zip(found, np.array(kd_borders(kd_tree(X), X, (0, 1, 0, 1)))):
        assert (border[0] <= X[row]).all() and (X[row] <= border[1]).all() and 0 in np.ptp(border, axis=0)
    assert sorted(found) == list(range(100))
