"""Kernels: the weight of a distance (sections 14 and 15)."""

import numpy as np
import pytest

from bayeslib.models.kernels import KERNELS, kernel_weights


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_is_1_at_the_query_and_never_rises(name):
    weights = kernel_weights(np.linspace(0, 3, 301), name, 1.5)
    assert weights[0] == 1 and (np.diff(weights) <= 0).all() and (weights >= 0).all()


def test_the_formulas_at_half_a_bandwidth():
    wanted = {"gaussian": np.exp(-1 / 8), "epanechnikov": 3 / 4, "tricube": (7 / 8) ** 3, "triangle": 1 / 2, "box": 1}
    assert {name: float(kernel_weights(1.0, name, 2.0)) for name in KERNELS} == pytest.approx(wanted)


@pytest.mark.parametrize("name", [name for name in KERNELS if name != "gaussian"])
def test_all_but_the_gaussian_end_at_one_bandwidth(name):
    assert kernel_weights(2.0000001, name, 2.0) == 0


def test_too_many_bandwidths_away_is_weight_0_without_a_warning():
    with np.errstate(all="raise", under="ignore"):
        assert all(kernel_weights([1e300], name, 1e-300).tolist() == [0] for name in KERNELS)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((1.0, "cosine", 1), "kernel must be one of {'gaussian', .*}, got 'cosine'"),
        ((1.0, "box", 0), "bandwidth must be a number above 0, got 0"),
        ((1.0, "box", -2), "bandwidth must be a number above 0, got -2"),
        (([1.0, np.nan], "box", 1), "distances must be a number at least 0, got nan"),
    ],
)
def test_bad_input_is_named(arguments, words):
    with pytest.raises(ValueError, match=words):
        kernel_weights(*arguments)
