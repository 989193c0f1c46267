"""The practice tasks of section 12. A mistake is a function that errs in a known way, so that its name can be told."""

import numpy as np

from bayeslib.text import FIVE_ROWS, e_step, em, log_joints, m_step

ROWS = FIVE_ROWS.tolist()
LABELS = [1, 0, 0, None, None]
START = [[1 / 4, 1 / 2, 1 / 2, 1 / 4], [1 / 3, 1 / 3, 2 / 3, 2 / 3]]


def _without_labels(prior, table, X, y):
    return e_step(prior, table, X, [None] * len(y))


def _present_only(prior, table, X, y):
    """Factors of the ones alone."""
    scores = [[p * np.prod(np.where(row, given, 1)) for p, given in zip((1 - prior, prior), table)] for row in X]
    return [one / (zero + one) if label is None else label for (zero, one), label in zip(scores, y)]


def _skip_constant(prior, table, X, y):
    varies = np.ptp(X, axis=0) > 0
    return e_step(prior, np.array(table)[:, varies], np.array(X)[:, varies], y)


def _joint(prior, table, X, y):
    ones = np.exp(log_joints(prior, table, X))[:, 1]
    return [one if label is None else label for one, label in zip(ones, y)]


def _tables(X, q, a, above=None, below=None, prior=0):
    """The M step with other virtual rows than it should have."""
    shares = np.array([1 - np.array(q), q])
    rows = shares.sum(axis=1)
    table = (shares @ X + (a if above is None else above)) / (rows + (2 * a if below is None else below))[:, None]
    return (rows[1] + prior) / (rows.sum() + 2 * prior), table


def _halves(X, q, a):
    return m_step(X, [each if each in (0, 1) else 0.5 for each in q], a)


def _last(X, y, weight, rounds, **options):
    return em(X, y, weight=weight, rounds=rounds, **options)[-1].q


def _all_weighted(X, y, weight, rounds):
    q = em(X, y, rounds=0)[0].q
    for _ in range(rounds):
        shares = weight * np.array([1 - q, q])
        rows = shares.sum(axis=1)
        q = e_step(rows[1] / rows.sum(), (shares @ X + 1) / (rows + 2)[:, None], X, y)
    return q


TASKS = {
    "e-step": {
        "arguments": "prior, table, X, y",
        "cases": [
            (1 / 3, START, ROWS, LABELS),
            (0.3, [[0.2, 0.6], [0.5, 0.1]], [[0, 1], [1, 0], [1, 1]], [None, None, 0]),
            (1 / 3, [[0, 1 / 2, 1 / 2, 0], [0, 0, 1, 1]], ROWS, LABELS),
        ],
        "solve": e_step,
        "right": "Labels stay, missing ones are shared out, and 0/0 is refused.",
        "hint": "For each row without a label: two products, one per class, with P(X=1|Y) for a 1 and 1 − P(X=1|Y) for a 0. "
        "Then the share of the product for Y = 1.",
        "mistakes": {
            "relabel": _without_labels,
            "hard-share": lambda *case: e_step(*case).round(),
            "deaf-to-negatives: An attribute that is 0 contributes the factor 1 − P(X = 1 | Y).": _present_only,
            "skipped-constant": _skip_constant,
            "joint-posterior": _joint,
        },
    },
    "m-step": {
        "arguments": "X, q, a",
        "cases": [
            (ROWS, [1, 0, 0, 0.1494, 0.3450], 1),
            ([[1, 0], [1, 1], [0, 1]], [0.25, 0.5, 1], 0.5),
            ([[1, 0], [0, 1], [1, 1]], [0, 1, 0.5], 2),
        ],
        "solve": m_step,
        "right": "Each row was counted by its shares, and a virtual row of each kind keeps the zeros away.",
        "hint": "A row counts q for Y = 1 and 1 − q for Y = 0. P(Y=1) is the mean of q; the table adds a above and 2a below. "
        "Return (P(Y=1), [row for Y=0, row for Y=1]).",
        "mistakes": {
            "hard-share": lambda X, q, a: m_step(X, np.round(q), a),
            "half-half": _halves,
            "unseen-zero": lambda X, q, a: _tables(X, q, a, above=0, below=0),
            "add-above-only": lambda X, q, a: _tables(X, q, a, below=0),
            "one-below": lambda X, q, a: _tables(X, q, a, below=a),
            "In this task only the attributes get virtual rows; P(Y = 1) is a plain fraction.": lambda X, q, a: _tables(
                X, q, a, prior=a
            ),
        },
    },
    "em": {
        "arguments": "X, y, weight, rounds",
        "cases": [
            (ROWS, LABELS, 1, 1),
            (ROWS, LABELS, 0.5, 3),
            (ROWS, LABELS, 0, 5),
            ([[1, 0], [0, 1], [1, 1], [0, 0]], [1, 0, None, None], 2, 2),
        ],
        "solve": _last,
        "right": "With weight 0 the unlabeled rows change nothing, with weight 1 they count like the others.",
        "hint": "Start from the labeled rows alone. In every further M step a labeled row counts 1 and an unlabeled one `weight`, "
        "split by its shares.",
        "mistakes": {
            "hard-share": lambda *case: _last(*case, hard=True),
            "dropped-rows": lambda X, y, weight, rounds: _last(X, y, 0, rounds),
            "full-weight": lambda X, y, weight, rounds: _last(X, y, 1, rounds),
            "weighted-labels": _all_weighted,
        },
    },
}
