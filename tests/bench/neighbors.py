"""Section 14: nearest neighbours beside scikit-learn and scipy, and a Voronoi site under the pointer."""

import statistics
import time

import numpy as np

from bayeslib import KNeighborsClassifier, live
from tests.bench import Ratio, alternate, faster, row, within


@row
def nearest_neighbours():
    """A 200 × 200 grid against 200 points beside scikit-learn, 10,000 queries against 100,000 beside scipy's tree by hand."""
    from scipy.spatial import cKDTree
    from sklearn.neighbors import KNeighborsClassifier as Peer

    random, ratios = np.random.default_rng(0), []
    X, y, side = random.random((200, 2)), random.integers(0, 3, 200), np.linspace(0, 1, 200)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    for weights in ("uniform", "distance"):
        ours, peer = KNeighborsClassifier(5, weights).fit(X, y), Peer(5, weights=weights).fit(X, y)
        assert (ours.predict(grid) == peer.predict(grid)).all()
        taken = alternate(lambda: ours.predict(grid), lambda: peer.predict(grid), 25)
        ratios.append(faster(f"5-NN, {weights}, 40,000 queries to 200 points: sklearn / ours", *taken, 1.5))

    X, y, queries = random.random((100_000, 2)), random.integers(0, 2, 100_000), random.random((10_000, 2))

    def ours():
        return KNeighborsClassifier(5).fit(X, y).predict(queries)

    def by_hand():
        _, rows = cKDTree(X).query(queries, 5)
        return (y[rows].mean(axis=1) > 0.5).astype(int)

    assert (ours() == by_hand()).all()
    name = "5-NN, fit on 100,000 points and 10,000 queries in 2-d: ours / scipy's tree by hand"
    return [*ratios, within(name, *alternate(ours, by_hand, 15), 1)]


@row
def dragged_site(moves=60):
    """CPU time of a frame while one of 30 Voronoi sites is dragged across the map by the pointer."""
    figure, taken = live.drag_cells(), []
    figure.preset("thirty points")
    axes, size = figure.figure.axes[0], (figure.figure.bbox.width, figure.figure.bbox.height)

    def fraction(place):
        x, y = axes.transData.transform(place) / size
        return [x, 1 - y]

    start = figure.values["points"][0][:2]
    for move in range(moves + 3):
        turn = 2 * np.pi * move / moves
        to = [0.75 + 0.6 * np.cos(turn), 0.5 + 0.4 * np.sin(turn)]
        begin = time.process_time()
        figure.view.pointer = {"press": 1, "from": fraction(start), "to": fraction(to)}
        taken.append(1000 * (time.process_time() - begin))
    assert np.allclose(figure.values["points"][0][:2], to, atol=1e-3), "the site follows the pointer"
    median = statistics.median(taken[3:])
    worst = f"slowest {max(taken[3:]):.1f} ms of {moves} moves"
    return [
        Ratio("drag_cells: ms of CPU for a frame, 1 of 30 sites dragged", median, "at most 40", median <= 40, worst)
    ]


@row
def neighbours_that_tie():
    """5-NN of 1,000 queries on integer grids in 3-d, where nearly all distances tie, beside scikit-learn, which has no rule."""
    from sklearn.neighbors import KNeighborsClassifier as Peer

    random, ratios = np.random.default_rng(0), []
    for n in (10_000, 100_000):
        for side in (10, 100):
            X, y = random.integers(0, side, (n, 3)) * 1.0, random.integers(0, 3, n)
            queries = random.integers(0, side, (1000, 3)) * 1.0
            ours, peer = KNeighborsClassifier(5).fit(X, y), Peer(5).fit(X, y)
            assert np.allclose(ours.kneighbors(queries)[0], peer.kneighbors(queries)[0])
            taken = alternate(lambda: ours.predict(queries), lambda: peer.predict(queries), 9)
            ratios.append(within(f"{n:,} rows on a grid of {side}³: ours / sklearn", *taken, 2))
    return ratios


@row
def neighbours_in_many_dimensions():
    """5-NN of 1,000 queries in 20 dimensions and on the digits (64 attributes), beside scikit-learn."""
    from sklearn.datasets import load_digits
    from sklearn.neighbors import KNeighborsClassifier as Peer

    random, digits = np.random.default_rng(0), load_digits()
    problems = {
        f"{n:,} rows, 20 attributes": (random.normal(size=(n + 1000, 20)), random.integers(0, 3, n + 1000), n)
        for n in (10_000, 100_000)
    }
    problems["the digits, 1,347 rows, 450 queries"] = digits.data, digits.target, 1347
    ratios = []
    for name, (X, y, n) in problems.items():
        ours, peer = KNeighborsClassifier(5).fit(X[:n], y[:n]), Peer(5).fit(X[:n], y[:n])
        assert (ours.predict(X[n:]) == peer.predict(X[n:])).mean() > 0.99, "but for ties"
        taken = alternate(lambda: ours.predict(X[n:]), lambda: peer.predict(X[n:]), 9)
        ratios.append(within(f"{name}: ours / sklearn", *taken, 1.5))
    return ratios
