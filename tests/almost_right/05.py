"""Almost right answers to exercise 05."""

import math
from collections import Counter

import numpy as np

# `data` is the module that is handed out with the exercise.


def _shared(scores):
    total = sum(scores.values())
    if total == 0:
        raise ValueError("no class is left")
    return {each: score / total for each, score in scores.items()}


def _posterior(
    rows, labels, query, prior=None, share=None, finish=_shared, classes=None, skip=lambda value: value is None
):
    scores = {}
    for each in classes or set(labels):
        mine = [row for row, label in zip(rows, labels) if label == each]
        scores[each] = len(mine) / len(rows) if prior is None else prior(mine, rows)
        for place, value in enumerate(query):
            if not skip(value):
                column = [row[place] for row in mine]
                recorded = [one for one in column if one is not None]
                scores[each] *= share(recorded, column, value) if share else recorded.count(value) / len(recorded)
    return finish(scores)


def _in_logs(rows, labels, query):
    logs = {}
    for label, n in Counter(labels).items():
        logs[label] = math.log(n / len(labels))
        for place, value in enumerate(query):
            if value is None:
                continue
            seen = [row[place] for row, each in zip(rows, labels) if each == label and row[place] is not None]
            hits = sum(one == value for one in seen)
            logs[label] += math.log(hits / len(seen)) if hits else -math.inf
    top = max(logs.values())
    if top == -math.inf:
        raise ValueError("no class is left")
    return _shared({label: math.exp(log - top) for label, log in logs.items()})


def _with_arrays(rows, labels, query):
    table, names = np.array(rows, dtype=object), np.array(labels)
    scores = {}
    for label in np.unique(names):
        mine = table[names == label]
        score = np.mean(names == label)
        for place, value in enumerate(query):
            if value is not None:
                column = mine[:, place]
                score = score * np.sum(column == value) / np.sum(column != None)  # noqa: E711
        scores[str(label)] = score
    return _shared(scores)


def _no_guard(scores):
    return {each: score / sum(scores.values()) for each, score in scores.items()}


def _some_guard(scores):
    """Zero for everybody where nothing is left."""
    total = sum(scores.values()) or 1
    return {each: score / total for each, score in scores.items()}


def _class_given_value(rows, labels, query):
    """The product of P(class | value), in place of P(value | class)."""
    scores = dict.fromkeys(labels, 1.0)
    for place, value in enumerate(query):
        mine = [label for row, label in zip(rows, labels) if value is not None and row[place] == value]
        scores = {each: score * (mine.count(each) / len(mine) if mine else 1) for each, score in scores.items()}
    return _shared(scores)


def _value_guard(rows, labels, query):
    """Complains only about a value that is in no row at all."""
    for place, value in enumerate(query):
        if value is not None and value not in [row[place] for row in rows]:
            raise ValueError("never seen")
    return _posterior(rows, labels, query, finish=_some_guard)


def _complete_rows(rows, labels, query):
    kept = [(row, label) for row, label in zip(rows, labels) if None not in row]
    return _posterior([row for row, _ in kept], [label for _, label in kept], query)


def _rows_the_query_needs(rows, labels, query):
    """Drops rows in which any attribute that the query knows is missing."""
    asked = [place for place, value in enumerate(query) if value is not None]
    kept = [(row, label) for row, label in zip(rows, labels) if all(row[place] is not None for place in asked)]
    return _posterior([row for row, _ in kept], [label for _, label in kept], query)


def _filled_per_class(rows, labels, query):
    """Gaps in the rows become the commonest value of the class."""
    filled = []
    for row, label in zip(rows, labels):
        new = list(row)
        for place, value in enumerate(row):
            if value is None:
                column = [r[place] for r, each in zip(rows, labels) if each == label and r[place] is not None]
                new[place] = Counter(column).most_common(1)[0][0]
        filled.append(new)
    return _posterior(filled, labels, query)


def _stops_at_none(rows, labels, query):
    known = list(query)
    while known and None in known:
        known = known[: known.index(None)]
    return _posterior(rows, labels, known)


def _uniform(rows, labels, query):
    try:
        return _posterior(rows, labels, query)
    except ValueError:
        return {each: 1 / len(set(labels)) for each in set(labels)}


def _odds(
    first, second, query, vocabulary, prior=True, present=lambda k, n: (k + 1) / (n + 2), absent=None, words=None
):
    total = math.log(len(first) / len(second)) if prior else 0
    for word in words(first, second, query, vocabulary) if words else vocabulary:
        p, q = (present(sum(word in each for each in some), len(some)) for some in (first, second))
        if word in query:
            total += math.log(p) - math.log(q)
        elif absent is None:
            total += math.log(1 - p) - math.log(1 - q)
        else:
            total += absent(p, q)
    return total


def _product_of_ratios(first, second, query, vocabulary):
    odds = len(first) / len(second)
    for word in vocabulary:
        p = (sum(word in each for each in first) + 1) / (len(first) + 2)
        q = (sum(word in each for each in second) + 1) / (len(second) + 2)
        odds *= p / q if word in query else (1 - p) / (1 - q)
    return math.log(odds)


def _products(first, second, query, vocabulary):
    scores = []
    for some in (first, second):
        score = len(some) / (len(first) + len(second))
        for word in vocabulary:
            p = (sum(word in each for each in some) + 1) / (len(some) + 2)
            score *= p if word in query else 1 - p
        scores.append(score)
    return math.log(scores[0] / scores[1])


def _odds_with_arrays(first, second, query, vocabulary):
    def logs(documents):
        has = np.array([[word in document for word in vocabulary] for document in documents])
        p = (has.sum(axis=0) + 1) / (len(documents) + 2)
        there = np.array([word in query for word in vocabulary])
        return np.log(np.where(there, p, 1 - p)).sum() + np.log(len(documents))

    return logs(first) - logs(second)


def _counts_occurrences(first, second, query, vocabulary):
    total = math.log(len(first) / len(second))
    for word in vocabulary:
        p, q = ((sum(each.count(word) for each in some) + 1) / (len(some) + 2) for some in (first, second))
        total += math.log(p / q) if word in query else math.log((1 - p) / (1 - q))
    return total


def _repeats(first, second, query, vocabulary):
    total = math.log(len(first) / len(second))
    for word in [*query, *(each for each in vocabulary if each not in query)]:
        if word in vocabulary:
            p, q = ((sum(word in each for each in some) + 1) / (len(some) + 2) for some in (first, second))
            total += math.log(p / q) if word in query else math.log((1 - p) / (1 - q))
    return total


def _by_words(first, second, query, vocabulary):
    """The prior from the numbers of words."""
    return _odds(first, second, query, vocabulary, prior=False) + math.log(sum(map(len, first)) / sum(map(len, second)))


def _mean_loss(student, sign=1, base=math.e, tested=None, model=_odds):
    poems = data.poems(student)  # noqa: F821
    losses = []
    for poet, words in tested(poems) if tested else poems["held out"]:
        odds = model(poems["Shakespeare"], poems["Milton"], words, poems["vocabulary"])
        losses.append(math.log(1 + math.exp(-sign * (odds if poet == "Shakespeare" else -odds)), base))
    return sum(losses) / len(losses)


def _today(student, skip=("Flag",), how=_posterior):
    log = data.log(student)  # noqa: F821
    query = [None if name in skip else value for name, value in zip(log["columns"], log["today"])]
    return how(log["rows"], log["labels"], query)["yes"]


ALMOST_RIGHT = {
    "known_posterior": {
        "right, with logarithms": _in_logs,
        "right, with arrays": _with_arrays,
        "right, classes in the order of the labels": lambda rows, labels, query: _posterior(
            rows, labels, query, classes=list(dict.fromkeys(labels))
        ),
        "no guard against 0/0": lambda *case: _posterior(*case, finish=_no_guard),
        "zeros in place of a ValueError": lambda *case: _posterior(*case, finish=_some_guard),
        "equal shares in place of a ValueError": _uniform,
        "a ValueError only for values never seen": _value_guard,
        "divides by all rows of the class": lambda *case: _posterior(
            *case, share=lambda recorded, column, value: column.count(value) / len(column)
        ),
        "complete rows only": _complete_rows,
        "only rows that have what the query knows": _rows_the_query_needs,
        "P(class | value)": _class_given_value,
        "gaps filled with the commonest value of the class": _filled_per_class,
        "stops at the first None": _stops_at_none,
        "None counted as a value": lambda *case: _posterior(
            *case, share=lambda recorded, column, value: column.count(value) / len(column), skip=lambda value: False
        ),
        "no prior": lambda *case: _posterior(*case, prior=lambda mine, rows: 1),
        "not normalised": lambda *case: _posterior(*case, finish=dict),
        "rounded": lambda *case: {each: round(p, 4) for each, p in _posterior(*case).items()},
        "one added to every count": lambda *case: _posterior(
            *case, share=lambda recorded, column, value: (recorded.count(value) + 1) / (len(recorded) + 2)
        ),
    },
    "honest": {
        "all four columns": lambda student: _today(student, skip=()),
        "without wind in place of flag": lambda student: _today(student, skip=("Wind",)),
        "neither wind nor flag": lambda student: _today(student, skip=("Wind", "Flag")),
        "complete days only": lambda student: _today(student, how=_complete_rows),
        "the probability of no": lambda student: 1 - _today(student),
        "two decimals": lambda student: round(_today(student), 3),
    },
    "log_odds": {
        "a product of ratios, without logarithms": _product_of_ratios,
        "right, with arrays": _odds_with_arrays,
        "right, 1 − P counted on its own": lambda *case: _odds(*case),
        "two products": _products,
        "absent words ignored": lambda *case: _odds(*case, absent=lambda p, q: 0),
        "no prior": lambda *case: _odds(*case, prior=False),
        "prior from the numbers of words": _by_words,
        "occurrences in place of documents": _counts_occurrences,
        "repeated words of the query count again": _repeats,
        "nothing added": lambda *case: _odds(*case, present=lambda k, n: k / n),
        "one added below": lambda *case: _odds(*case, present=lambda k, n: (k + 1) / (n + 1)),
        "a half added": lambda *case: _odds(*case, present=lambda k, n: (k + 0.5) / (n + 1)),
        "words outside the vocabulary count": lambda *case: _odds(
            *case, words=lambda first, second, query, vocabulary: {*vocabulary, *query}
        ),
        "sign turned round": lambda *case: -_odds(*case),
        "odds, without the logarithm": lambda *case: math.exp(min(700, _odds(*case))),
        "words of the documents outside the vocabulary count": lambda *case: _odds(
            *case,
            words=lambda first, second, query, vocabulary: {*vocabulary, *query, *sum(first, []), *sum(second, [])},
        ),
        "base 10": lambda *case: _odds(*case) / math.log(10),
        "absent words with the wrong sign": lambda *case: _odds(*case, absent=lambda p, q: math.log((1 - q) / (1 - p))),
        "a probability": lambda *case: 1 / (1 + math.exp(-_odds(*case))),
    },
    "log_loss": {
        "the wrong poet": lambda student: _mean_loss(student, sign=-1),
        "base 2": lambda student: _mean_loss(student, base=2),
        "on the passages that were counted": lambda student: _mean_loss(
            student,
            tested=lambda poems: [(poet, words) for poet in ("Shakespeare", "Milton") for words in poems[poet]],
        ),
        "absent words ignored": lambda student: _mean_loss(
            student, model=lambda *case: _odds(*case, absent=lambda p, q: 0)
        ),
        "three decimals": lambda student: round(_mean_loss(student), 3),
    },
}
