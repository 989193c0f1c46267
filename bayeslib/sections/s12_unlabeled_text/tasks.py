"""The practice tasks of section 12. A mistake is a function that errs in a known way, so that its name can be told."""

import numpy as np


def _word_table(bags, q, weight, virtual=1, below=None):
    totals = (np.array(q) * weight) @ bags
    return (totals + virtual) / (totals.sum() + (virtual * len(totals) if below is None else below))


def word_table(bags, q, labelled, weight):
    """(Σ_i q_i n_i(word) + 1) / (Σ_words Σ_i q_i n_i(word) + |V|), where an unlabelled text counts `weight` times."""
    return _word_table(bags, q, np.where(labelled, 1, weight))


def _by_texts(bags, q, labelled, weight):
    """Divided by the texts of the class, as attributes of 0 or 1 are."""
    counted = np.array(q) * np.where(labelled, 1, weight)
    return (counted @ bags + 1) / (counted.sum() + 2)


def _em(bags, labels, rounds, virtual=1, counted=lambda q: q, keeps=True, unlabelled=1, start=(0, 0)):
    """Shares of class 1; `start` is the share of an unlabelled text in the first tables, and how much it counts there."""
    C, known = np.array(bags), np.array([label is not None for label in labels])
    q = np.array([start[0] if label is None else label for label in labels], float)
    weight = np.where(known, 1, start[1])
    for _ in range(rounds + 1):
        learn = weight * np.array([1 - counted(q), counted(q)])
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            table = learn @ C + virtual
            logs = np.log(table / table.sum(axis=1, keepdims=True))
            score = np.log(learn.sum(axis=1) / learn.sum()) + np.where(C[:, None] > 0, C[:, None] * logs, 0).sum(axis=2)
            q = np.where(known & keeps, q, 1 / (1 + np.exp(score[:, 0] - score[:, 1])))
        weight = np.where(known, 1, unlabelled)
    return q


TINY = [[2, 1, 0], [0, 1, 2], [1, 2, 0]]
LETTERS = [[4, 0, 1, 1], [1, 3, 1, 0], [0, 2, 0, 3], [2, 1, 2, 0], [1, 1, 1, 2]]

TASKS = {
    "word-table": {
        "arguments": "bags, q, labelled, weight",
        "cases": [
            (TINY, [1, 0, 0.75], [True, True, False], 1),
            (TINY, [1, 0, 0.75], [True, True, False], 0.1),
            (
                [[3, 0, 0, 1], [0, 4, 1, 0], [1, 1, 0, 6], [0, 0, 5, 0]],
                [0, 1, 0.3, 0.9],
                [True, True, False, False],
                0.5,
            ),
        ],
        "solve": word_table,
        "right": "Each text brought its words in proportion to its share and its weight, and no word has probability 0.",
        "hint": "A text counts q if it is labelled and weight · q if it isn't. Add up the word counts of all texts, each "
        "multiplied by what it counts; add one to each word; divide by the sum.",
        "mistakes": {
            "hard-share": lambda bags, q, labelled, weight: word_table(bags, np.round(q), labelled, weight),
            "half-half": lambda bags, q, labelled, weight: word_table(
                bags, np.where(labelled, q, 0.5), labelled, weight
            ),
            "dropped-rows": lambda bags, q, labelled, weight: word_table(bags, q, labelled, 0),
            "full-weight": lambda bags, q, labelled, weight: word_table(bags, q, labelled, 1),
            "weighted-labels": lambda bags, q, labelled, weight: _word_table(bags, q, weight),
            "unseen-zero": lambda bags, q, labelled, weight: _word_table(bags, q, np.where(labelled, 1, weight), 0),
            "add-above-only": lambda bags, q, labelled, weight: _word_table(
                bags, q, np.where(labelled, 1, weight), below=0
            ),
            "one-below": lambda bags, q, labelled, weight: _word_table(bags, q, np.where(labelled, 1, weight), below=1),
            "A word's probability is its share of all words of the class, so divide by words and not by texts.": _by_texts,
        },
    },
    "em": {
        "arguments": "bags, labels, rounds",
        "cases": [
            (TINY, [1, 0, None], 0),
            (TINY, [1, 0, None], 1),
            (LETTERS, [1, None, 0, None, None], 3),
            ([[410, 400], [400, 410], [404, 402], [401, 404]], [1, 0, None, None], 2),
        ],
        "solve": _em,
        "right": "Labels stay, the other texts are shared out, and every round counts them afresh.",
        "hint": "Start from the labelled texts alone. In every further M step a labelled text counts for its class, and another "
        "one for both, by its shares. Compare logarithms, or a long text will underflow.",
        "mistakes": {
            "hard-share": lambda *case: _em(*case, counted=np.round),
            "dropped-rows": lambda *case: _em(*case, unlabelled=0),
            "relabel": lambda *case: _em(*case, keeps=False),
            "unseen-zero": lambda *case: _em(*case, virtual=0),
            "half-half": lambda *case: _em(*case, start=(0.5, 1)),
        },
    },
}
