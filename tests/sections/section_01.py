"""Section 01: what must hold of its figures, and its numbers computed once more."""

import numpy as np
import pytest

import bayeslib as bl
from bayeslib.bayes import diagnosis, flip_prior, natural_frequencies, repeated_test
from tests.figures import EXPLAINED, number

SETTINGS = {"test_after_test": {"results": ["", "+", "-", "−+", "+-+-+-+-", "++++++++", "+?", "+" * 9, "plus"]}}


def percent(prior, *others):
    return 100 * bl.posterior(*diagnosis(prior, *others))["sick"]


NUMBERS = {
    "01/second-positive": 100 * bl.update(diagnosis(0.008, 0.98, 0.03)[0], repeated_test("++", 0.98, 0.03))[-1]["sick"],
    "01/another-ward": percent(0.1, 0.9, 0.2),
}
WRONG_NUMBERS = {
    "01/second-positive": {
        "reset": percent(0.008, 0.98, 0.03),
        "double-evidence": 2 * percent(0.008, 0.98, 0.03),
        "inverse": 98,
    },
    "01/another-ward": {
        "inverse": 90,
        "base-rate": 100 * 0.9 / 1.1,
        "joint-posterior": 100 * 0.9 * 0.1,
        "fp-flip": 80,
        "equal-crowds": 100 * 0.09 / 0.29,
    },
}


# What must hold of each figure in every state: caption and artists say what the model says.


def holds_rules(figure):
    a, b_a, b_not_a = (figure.values[name] / 100 for name in ("a", "b_a", "b_not_a"))
    sizes = [patch.get_width() * patch.get_height() for patch in figure.figure.axes[0].patches]
    assert sizes == pytest.approx([a * b_a, a * (1 - b_a), (1 - a) * b_not_a, (1 - a) * (1 - b_not_a)])
    p_b = a * b_a + (1 - a) * b_not_a
    pattern, value = {
        "product": (r"P\(A ∧ B\) =", a * b_a),
        "sum": (r"P\(A ∨ B\) =", a + p_b - a * b_a),
        "total probability": (r"P\(B\) =", p_b),
        "bayes": (r"P\(A\|B\) =", a * b_a / p_b if p_b else None),
    }[figure.values["rule"]]
    if value is None:
        assert "B never happens" in figure.alt
    else:
        assert number(pattern, figure.alt) == pytest.approx(value, rel=1e-3, abs=1e-9)


def holds_population(figure):
    sick, found, flagged, crowd, step = (figure.values[name] for name in ("sick", "found", "flagged", "crowd", "step"))
    counts = natural_frequencies(sick / 1000, found / 100, flagged / 100, crowd)
    *groups, rings, bare = figure.figure.axes[0].lines[:6]
    drawn = [len(line.get_xdata()) for line in groups]
    assert sum(drawn) == crowd and all(abs(n - want) < 1 for n, want in zip(drawn, counts.values()))
    assert len(rings.get_xdata()) == drawn[0] + drawn[2]
    assert bare.get_visible() == (step == 0) and rings.get_visible() == (step >= 2)
    positives = counts["sick", "+"] + counts["healthy", "+"]
    if step == 3 and positives:
        assert number(r"/[\d.]+ =", figure.alt) == pytest.approx(counts["sick", "+"] / positives, abs=5.1e-5)
    elif step == 3:
        assert "impossible" in figure.alt


def holds_bayes_table(figure):
    sick, found, flagged, step = (figure.values[name] for name in ("sick", "found", "flagged", "step"))
    prior, likelihood = diagnosis(sick / 1000, found / 100, flagged / 100)
    if step < 4:
        return
    if bl.total_probability(prior, likelihood) == 0:
        assert figure.alt.startswith(EXPLAINED) and "impossible" in figure.alt
        return
    after = bl.posterior(prior, likelihood)
    assert number(r"P\(healthy\|\+\) =", figure.alt) == pytest.approx(after["healthy"], abs=5.1e-5)
    bars = [patch.get_width() for patch in figure.figure.axes[0].patches]
    assert bars[-2:] == pytest.approx([0.85 * after["sick"], 0.85 * after["healthy"]])


def holds_posterior_curve(figure):
    sick, found, flagged = (figure.values[name] for name in ("sick", "found", "flagged"))
    prior, likelihood = diagnosis(sick / 1000, found / 100, flagged / 100)
    after = bl.posterior(prior, likelihood)["sick"]
    curve = {line.get_label(): line.get_data() for line in figure.figure.axes[0].lines}
    assert [float(*place) for place in curve["you are here"]] == pytest.approx([sick, after])
    assert np.interp(np.log(sick), np.log(curve["this test"][0]), curve["this test"][1]) == pytest.approx(
        after, abs=2e-3
    )
    assert (np.diff(curve["this test"][1]) >= -1e-12).all()
    assert number(r"P\(sick\|\+\) =", figure.alt) == pytest.approx(after, abs=5.1e-5)
    says = "sick" if after > 0.5 else "healthy" if after < 0.5 else "either"
    assert f"MAP says {says}" in figure.alt
    if flagged:
        assert number("flips at", figure.alt) == pytest.approx(1000 * flip_prior(found / 100, flagged / 100), abs=0.051)


def holds_test_after_test(figure):
    results, step = figure.values["results"].replace("−", "-"), figure.values["step"]
    if set(results) - {"+", "-"} or len(results) > 8:
        assert figure.alt.startswith(EXPLAINED + "results must hold")
        return
    sick, found, flagged, copied = (figure.values[name] for name in ("sick", "found", "flagged", "copied"))
    belief, before = sick / 1000, None
    for result in results[:step]:
        p, q = (found / 100, flagged / 100) if result == "+" else (1 - found / 100, 1 - flagged / 100)
        share = copied / 100 if before else 0
        p, q = (share * (result == before) + (1 - share) * each for each in (p, q))
        belief, before = p * belief / (p * belief + q * (1 - belief)), result
    if step:
        assert number(r"P\(sick\) =", figure.alt) == pytest.approx(belief, abs=5.1e-5)
    lines = {line.get_label(): line for line in figure.figure.axes[0].lines}
    assert len(lines["after a +"].get_xdata()) == results[:step].count("+")
    assert len(lines["after a −"].get_xdata()) == results[:step].count("-")
    assert figure.controls["step"].max == len(results)
