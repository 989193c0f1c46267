"""Section 15: locally weighted regression beside statsmodels."""

import numpy as np

from tests.bench import alternate, faster, row, within


@row
def locally_weighted_regression():
    """CPU time of a local line at 400 queries among 200 points beside statsmodels' KernelReg, in turn, one thread."""
    from statsmodels.nonparametric.kernel_regression import KernelReg

    from bayeslib.models.local import LocallyWeightedRegression, wave_sample

    x, y = wave_sample(200)
    queries, ratios = np.linspace(0, 1, 400), []
    for degree, kind, by in ((1, "ll", 10), (0, "lc", 0)):
        model = LocallyWeightedRegression("gaussian", 0.05, degree).fit(x, y)
        peer = KernelReg(y, x, "c", reg_type=kind, bw=[0.05])
        assert np.allclose(model.predict(queries), peer.fit(queries)[0], rtol=0, atol=1e-9)
        taken = alternate(lambda: model.predict(queries), lambda: peer.fit(queries), 25)
        words = "local line" if degree else "local average"
        ratios.append(faster(f"{words}, 200 points, 400 queries: statsmodels KernelReg / ours", *taken, by))
    return ratios


@row
def locally_weighted_line_of_many_points():
    """CPU time of a tricube line at 500 queries among 10,000 and 100,000 points beside statsmodels' lowess without rounds."""
    from statsmodels.nonparametric.smoothers_lowess import lowess

    from bayeslib.models.local import LocallyWeightedRegression, wave

    random, ratios = np.random.default_rng(0), []
    for n in (10_000, 100_000):
        x, queries = np.linspace(0, 1, n), np.linspace(0.3, 0.7, 500)
        y = wave(x) + random.normal(0, 0.3, n)
        for share in (0.1, 0.5):  # of the points that lowess asks; here as a bandwidth, the same away from the ends
            model = LocallyWeightedRegression("tricube", share / 2).fit(x, y)
            peer = lambda: lowess(y, x, frac=share, it=0, xvals=queries)  # noqa: E731
            assert np.allclose(model.predict(queries), peer(), rtol=0, atol=1e-3)
            taken = alternate(lambda: model.predict(queries), peer, 7)
            ratios.append(within(f"tricube line, {n:,} points, windows of {share:.0%}: ours / lowess", *taken, 3))
    return ratios
