"""The practice tasks of section 06. A mistake is a function that errs in a known way, so that its name can be told."""

from bayeslib.estimates import beta_mean, beta_mode, beta_posterior, m_estimate


def _row(estimate):
    """A table of one class: `estimate(n_c, n, k, m)` for each value."""

    def table(counts, m):
        n, k = sum(counts.values()), len(counts)
        return {value: estimate(n_c, n, k, m) for value, n_c in counts.items()}

    return table


def _mean_and_mode(a, b, successes, failures):
    after = beta_posterior(a, b, successes, failures)
    return beta_mean(*after), beta_mode(*after)


TASKS = {
    "m-estimate": {
        "arguments": "n_c, n, p, m",
        "cases": [(0, 5, 1 / 3, 3), (3, 5, 0.5, 2), (0, 0, 0.25, 4), (95, 100, 0.5, 2), (0, 0, 0.5, 0)],
        "solve": m_estimate,
        "probability": True,
        "right": "Never seen is not impossible, and what was seen often hardly moves.",
        "hint": "Hits above, examples below: m virtual examples, of which m·p are hits.",
        "mistakes": {
            "patch": lambda n_c, n, p, m: n_c / n if n_c else m * p / (n + m),
            "unseen-zero": lambda n_c, n, p, m: n_c / n,
            "forget-p": lambda n_c, n, p, m: (n_c + m) / (n + m),
            "add-above-only": lambda n_c, n, p, m: (n_c + m * p) / n,
            "prior-only": lambda n_c, n, p, m: p,
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
