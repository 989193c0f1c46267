"""The practice tasks of section 06. A mistake is a function that errs in a known way, so that its name can be told."""

from bayeslib.models.estimates import beta_mean, beta_mode, beta_posterior, m_estimate


def _row(estimate):
    """A table of one class: `estimate(n_c, n, k, m)` for each value."""

    def table(counts, m):
        n, k = sum(counts.values()), len(counts)
        return {value: estimate(n_c, n, k, m) for value, n_c in counts.items()}

    return table


def _needed_m(n_c, n, p, wanted):
    """The m for which the m-estimate is `wanted`."""
    if wanted == p:
        raise ValueError("wanted must not be p, or no m is large enough")
    return (n_c - n * wanted) / (wanted - p)


def _mean_and_mode(a, b, successes, failures):
    after = beta_posterior(a, b, successes, failures)
    return beta_mean(*after), beta_mode(*after)


TASKS = {
    "needed-m": {
        "arguments": "n_c, n, p, wanted",
        "cases": [(3, 5, 0.5, 0.55), (0, 5, 0.3, 0.1), (4, 4, 0.5, 0.8), (1, 20, 0.25, 0.15), (3, 5, 0.5, 0.5)],
        "solve": _needed_m,
        "right": "The nearer the wanted estimate is to p, the more virtual examples it takes.",
        "hint": "Solve wanted = (n_c + m p)/(n + m) for m; it occurs in the numerator and in the denominator.",
        "mistakes": {
            "add-above-only": lambda n_c, n, p, wanted: (n * wanted - n_c) / p,
            "forget-p": lambda n_c, n, p, wanted: (n * wanted - n_c) / (1 - wanted),
        },
    },
    "smoothed-table": {
        "arguments": "counts, m",
        "cases": [
            ({"sunny": 3, "overcast": 0, "rain": 2}, 3),
            ({"weak": 2, "strong": 3}, 1),
            ({"high": 4, "normal": 1}, 0),
            ({"hot": 0, "mild": 0, "cool": 0}, 6),
        ],
        "solve": _row(lambda n_c, n, k, m: m_estimate(n_c, n, 1 / k, m)),
        "right": "Every row shares out one whole again.",
        "hint": "n is the sum of the counts and k their number. Each value gets m/k virtual examples; do yours sum to 1?",
        "mistakes": {
            "patch": _row(lambda n_c, n, k, m: n_c / n if n_c else m / k / n),
            "one-below": _row(lambda n_c, n, k, m: (n_c + m / k) / (n + 1)),
            "add-above-only": _row(lambda n_c, n, k, m: (n_c + m / k) / n),
            "forget-p": _row(lambda n_c, n, k, m: (n_c + m) / (n + m)),
            "m-per-value": _row(lambda n_c, n, k, m: (n_c + m) / (n + k * m)),
            "prior-only": _row(lambda n_c, n, k, m: 1 / k),
            "unseen-zero": _row(lambda n_c, n, k, m: n_c / n),
        },
    },
    "beta-update": {
        "arguments": "a, b, successes, failures",
        "cases": [(1, 1, 3, 2), (2, 2, 3, 2), (0.5, 4.5, 2, 8)],
        "solve": _mean_and_mode,
        "right": "Observations add to a and b; the mean is what the m-estimate gives, the mode is where the curve peaks.",
        "hint": "First the new a and b, then the two formulas with them; return (mean, mode) in this order.",
        "mistakes": {
            "mode-mean": lambda a, b, s, f: _mean_and_mode(a, b, s, f)[::-1],
            "dropped-prior": lambda a, b, s, f: (s / (s + f), (s - 1) / (s + f - 2)),
            "small-n": lambda a, b, s, f: (s / (s + f), _mean_and_mode(a, b, s, f)[1]),
            "prior-only": lambda a, b, s, f: (a / (a + b), _mean_and_mode(a, b, s, f)[1]),
        },
    },
}
