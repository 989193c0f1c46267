"""Section 15: locally weighted regression beside statsmodels."""

import numpy as np

from tests.bench import alternate, faster, row


@row
def locally_weighted_regression():
    """CPU time of a local line at 400 queries among 200 points beside statsmodels' KernelReg, in turn, one thread."""
    from statsmodels.nonparametric.kernel_regression import KernelReg

    from bayeslib.local import LocallyWeightedRegression, wave_sample

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
