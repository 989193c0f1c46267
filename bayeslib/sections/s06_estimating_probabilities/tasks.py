"""The practice tasks of section 06. A mistake is a function that errs in a known way, so that its name can be told."""

from bayeslib.models.estimates import beta_mean, beta_mode, beta_posterior, m_estimate


def _row(estimate):
    """A table of one class: `estimate(n_c, n, k, m)` for each value."""

    def table(counts, m):
        n, k = sum(counts.values()), len(counts)
        return {value: estimate(n_c, n, k, m) for value, n_c in counts.items()}

    return table


def _mean_and_mode(a, b, successes, failures):
    after = beta_posterior(a, b, successes, failures)
    return beta_mean(*after), beta_mode(*after)


def _pooled(hits, tries):
    return sum(hits) / sum(tries)


def _mean_of_fractions(hits, tries):
    return sum(h / n for h, n in zip(hits, tries)) / len(hits)


def _shrink(pooled=_pooled):
    """All m-estimates, with p from the whole list."""

    def shrink(hits, tries, m):
        return [m_estimate(h, n, pooled(hits, tries), m) for h, n in zip(hits, tries)]

    return shrink


TASKS = {
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
        "right": "Tries add to a and b. The mean is the m-estimate; the mode is where the belief peaks.",
        "hint": "First the new a and b, then the two formulas with them; return (mean, mode) in this order.",
        "mistakes": {
            "mode-mean": lambda a, b, s, f: _mean_and_mode(a, b, s, f)[::-1],
            "dropped-prior": lambda a, b, s, f: (s / (s + f), (s - 1) / (s + f - 2)),
            "small-n": lambda a, b, s, f: (s / (s + f), _mean_and_mode(a, b, s, f)[1]),
            "prior-only": lambda a, b, s, f: (a / (a + b), _mean_and_mode(a, b, s, f)[1]),
        },
    },
    "shrink": {
        "arguments": "hits, tries, m",
        "cases": [
            ([18, 8], [45, 45], 45),
            ([4, 95], [4, 100], 10),
            ([0, 3, 5], [7, 9, 5], 0),
            ([1, 11, 600], [2, 40, 900], 20),
        ],
        "solve": _shrink(),
        "right": "Short records move a long way towards p, long ones hardly at all.",
        "hint": "First p: all hits over all tries. Then (h + m p)/(n + m) for each pair of h and n; zip(hits, tries) gives the pairs.",
        "mistakes": {
            "mean-of-fractions": _shrink(pooled=_mean_of_fractions),
            "uniform-free": _shrink(pooled=lambda hits, tries: 1 / 2),
            "small-n": lambda hits, tries, m: [h / n for h, n in zip(hits, tries)],
            "prior-only": lambda hits, tries, m: [_pooled(hits, tries)] * len(hits),
            "same-weight": lambda hits, tries, m: [(h / n + _pooled(hits, tries)) / 2 for h, n in zip(hits, tries)],
            "add-above-only": lambda hits, tries, m: [(h + m * _pooled(hits, tries)) / n for h, n in zip(hits, tries)],
        },
    },
}
