"""The practice tasks of section 12. A mistake is a function that errs in a known way, so that its name can be told."""

import numpy as np

from bayeslib.models.text import FIVE_ROWS, e_step, em, log_joints

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


def word_table(bags, q, labelled, weight):
    """(Σ_i q_i n_i(word) + 1) / (Σ_words Σ_i q_i n_i(word) + |V|), where an unlabelled document counts `weight` times."""
    return _words(bags, q, np.where(labelled, 1, weight))


def _words(bags, q, weight, virtual=1, below=None):
    totals = (np.array(q) * weight) @ bags
    return (totals + virtual) / (totals.sum() + (virtual * len(totals) if below is None else below))


def _halves(bags, q, labelled, weight):
    return word_table(bags, np.where(labelled, q, 0.5), labelled, weight)


def _by_documents(bags, q, labelled, weight):
    """Divided by the documents of the class, as attributes of 0 or 1 are."""
    counted = np.array(q) * np.where(labelled, 1, weight)
    return (counted @ bags + 1) / (counted.sum() + 2)


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
    "word-table": {
        "arguments": "bags, q, labelled, weight",
        "cases": [
            ([[2, 1, 0], [0, 1, 2], [1, 2, 0]], [1, 0, 0.75], [True, True, False], 1),
            ([[2, 1, 0], [0, 1, 2], [1, 2, 0]], [1, 0, 0.75], [True, True, False], 0.1),
            (
                [[3, 0, 0, 1], [0, 4, 1, 0], [1, 1, 0, 6], [0, 0, 5, 0]],
                [0, 1, 0.3, 0.9],
                [True, True, False, False],
                0.5,
            ),
        ],
        "solve": word_table,
        "right": "Each document brought its words in proportion to its share and its weight, and no word has probability 0.",
        "hint": "A document counts q if it is labelled and weight · q if it is not. Add up the word counts of all documents, each "
        "multiplied by what it counts; add one to each word; divide by the sum.",
        "mistakes": {
            "hard-share": lambda bags, q, labelled, weight: word_table(bags, np.round(q), labelled, weight),
            "half-half": _halves,
            "dropped-rows": lambda bags, q, labelled, weight: word_table(bags, q, labelled, 0),
            "full-weight": lambda bags, q, labelled, weight: word_table(bags, q, labelled, 1),
            "weighted-labels": lambda bags, q, labelled, weight: _words(bags, q, weight),
            "unseen-zero": lambda bags, q, labelled, weight: _words(bags, q, np.where(labelled, 1, weight), 0),
            "add-above-only": lambda bags, q, labelled, weight: _words(bags, q, np.where(labelled, 1, weight), below=0),
            "one-below": lambda bags, q, labelled, weight: _words(bags, q, np.where(labelled, 1, weight), below=1),
            "A word's probability is its share of all words of the class, so divide by words and not by documents.": _by_documents,
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
        "right": "With weight 0 the unlabelled rows change nothing, with weight 1 they count like the others.",
        "hint": "Start from the labelled rows alone. In every further M step a labelled row counts 1 and an unlabelled one `weight`, "
        "split by its shares.",
        "mistakes": {
            "hard-share": lambda *case: _last(*case, hard=True),
            "dropped-rows": lambda X, y, weight, rounds: _last(X, y, 0, rounds),
            "full-weight": lambda X, y, weight, rounds: _last(X, y, 1, rounds),
            "weighted-labels": _all_weighted,
        },
    },
}
