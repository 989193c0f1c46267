"""Almost right answers to exercise 12, and right ones in another form."""

import math
from collections import Counter
from itertools import permutations, product

import numpy as np


def in_lists(
    counts,
    labels,
    weights,
    rounds,
    guard=True,
    logs=True,
    virtual=1.0,
    below=None,
    prior=None,
    at_start=None,
    keep=None,
):
    """EM without numpy; what is given besides is done in place of the right thing."""
    classes = [each for each in dict.fromkeys(labels) if each is not None]
    if guard and not classes:
        raise ValueError("no label")
    words = range(len(counts[0]))
    shares = [{name: float(name == label) for name in classes} for label in labels]
    if at_start:
        shares = [share if label is not None else at_start(classes) for share, label in zip(shares, labels)]
    for _ in range(rounds + 1):
        amount = [[weight * share[name] for share, weight in zip(shares, weights)] for name in classes]
        if prior:
            P = prior(classes, amount, counts)
        else:
            P = [sum(each) / sum(map(sum, amount)) for each in amount]
        tables = []
        for each in amount:
            total = [sum(a * bag[w] for a, bag in zip(each, counts)) for w in words]
            tables.append([(n + virtual) / (sum(total) + (below or len(total) * virtual)) for n in total])
        new = []
        for bag, label, old in zip(counts, labels, shares):
            if label is not None and keep is None:
                new.append(old)
                continue
            if logs:
                values = [
                    math.log(p) + sum(n * math.log(t) for n, t in zip(bag, table) if n) for p, table in zip(P, tables)
                ]
                values = [math.exp(value - max(values)) for value in values]
            else:
                values = [p * math.prod(t**n for n, t in zip(bag, table)) for p, table in zip(P, tables)]
            new.append({name: value / sum(values) for name, value in zip(classes, values)})
        shares = new
    return {"prior": dict(zip(classes, P)), "shares": shares}


def with_numpy(counts, labels, weights, rounds):
    """Right: arrays all the way."""
    classes = np.array(sorted({each for each in labels if each}))
    if len(classes) == 0:
        raise ValueError("no label")
    X, w = np.asarray(counts, float), np.asarray(weights, float)
    known = np.array([each is not None for each in labels])
    given = (np.array([each or "" for each in labels])[:, None] == classes).astype(float)
    q = given.copy()
    for _ in range(rounds + 1):
        N = w[:, None] * q
        prior, words = N.sum(0) / N.sum(), N.T @ X + 1
        L = np.log(prior) + X @ np.log(words / words.sum(1)[:, None]).T
        q = np.exp(L - np.logaddexp.reduce(L, axis=1)[:, None])
        q[known] = given[known]
    return {"prior": dict(zip(classes.tolist(), prior)), "shares": [dict(zip(classes.tolist(), row)) for row in q]}


def normalised_weights(counts, labels, weights, rounds):
    """The weights are divided by the largest, which changes what one virtual word is worth."""
    return in_lists(counts, labels, [each / max(weights) for each in weights], rounds)


def prior_after_the_last_shares(counts, labels, weights, rounds):
    """P(c) from the final shares, one M step too many."""
    found = in_lists(counts, labels, weights, rounds)
    return found | {"prior": in_lists(counts, labels, weights, rounds + 1)["prior"]}


def prior_without_weights(counts, labels, weights, rounds):
    return in_lists(
        counts,
        labels,
        weights,
        rounds,
        prior=lambda classes, amount, bags: [labels.count(name) / sum(map(labels.count, classes)) for name in classes],
    )


def prior_by_words(counts, labels, weights, rounds):
    def prior(classes, amount, bags):
        words = [sum(a * sum(bag) for a, bag in zip(each, bags)) for each in amount]
        return [each / sum(words) for each in words]

    return in_lists(counts, labels, weights, rounds, prior=prior)


def smoothed_prior(counts, labels, weights, rounds):
    def prior(classes, amount, bags):
        return [(sum(each) + 1) / (sum(map(sum, amount)) + len(classes)) for each in amount]

    return in_lists(counts, labels, weights, rounds, prior=prior)


def only_new_documents(counts, labels, weights, rounds):
    """Shares of the unlabelled documents only."""
    found = in_lists(counts, labels, weights, rounds)
    return found | {"shares": [share for share, label in zip(found["shares"], labels) if label is None]}


def labels_in_words(counts, labels, weights, rounds):
    """A labelled document has only its own class in its dict."""
    found = in_lists(counts, labels, weights, rounds)
    return found | {
        "shares": [share if label is None else {label: 1.0} for share, label in zip(found["shares"], labels)]
    }


def one_round_less(counts, labels, weights, rounds):
    return in_lists(counts, labels, weights, max(0, rounds - 1))


def present_or_absent(counts, labels, weights, rounds):
    return in_lists([[min(1, n) for n in bag] for bag in counts], labels, weights, rounds)


def _accuracy(names, clusters, truth):
    called = dict(zip(sorted(set(clusters)), names))
    return sum(called[c] == t for c, t in zip(clusters, truth)) / len(truth)


def by_table(clusters, truth):
    """Right: from the table of pairs."""
    pairs, rows, names = Counter(zip(clusters, truth)), list(set(clusters)), list(set(truth))
    sums = [sum(pairs[row, name] for row, name in zip(rows, way)) for way in permutations(names)]
    return [min(sums) / len(truth), max(sums) / len(truth)]


def renamed_clusters(clusters, truth):
    """Right: permutes the clusters and not the names."""
    names = sorted(set(truth))
    found = [
        np.mean([dict(zip(way, names))[c] == t for c, t in zip(clusters, truth)]) for way in permutations(set(clusters))
    ]
    return min(found), max(found)


def all_functions(clusters, truth):
    names = sorted(set(truth))
    found = [_accuracy(way, clusters, truth) for way in product(names, repeat=len(names))]
    return min(found), max(found)


def rotations(clusters, truth):
    names = sorted(set(truth))
    found = [_accuracy(names[i:] + names[:i], clusters, truth) for i in range(len(names))]
    return min(found), max(found)


def by_majority(clusters, truth):
    names = [
        Counter(t for c, t in zip(clusters, truth) if c == each).most_common(1)[0][0] for each in sorted(set(clusters))
    ]
    best = _accuracy(names, clusters, truth)
    return by_table(clusters, truth)[0], best


def greedy(clusters, truth):
    left, called = set(truth), {}
    for cluster, _ in Counter(clusters).most_common():
        inside = Counter(t for c, t in zip(clusters, truth) if c == cluster)
        called[cluster] = max(sorted(left), key=lambda name: inside[name])
        left.remove(called[cluster])
    return by_table(clusters, truth)[0], sum(called[c] == t for c, t in zip(clusters, truth)) / len(truth)


def numbered_from_zero(clusters, truth):
    found = [sum(way[c] == t for c, t in zip(clusters, truth)) / len(truth) for way in permutations(sorted(set(truth)))]
    return min(found), max(found)


def in_order_of_appearance(clusters, truth):
    called = dict(zip(dict.fromkeys(clusters), dict.fromkeys(truth)))
    share = sum(called[c] == t for c, t in zip(clusters, truth)) / len(truth)
    return 1 - share, share


def _tales(student, weigh, rounds=10):
    tales = data.tales(student)  # noqa: F821
    weights = [weigh(label, back, tales["weight"]) for label, back in zip(tales["labels"], tales["kept_back"])]
    shares = with_numpy(tales["counts"], tales["labels"], weights, rounds)["shares"]
    right = np.array([max(share, key=share.get) == name for share, name in zip(shares, tales["author"])])
    return right, np.array(tales["kept_back"]), np.array([label is None for label in tales["labels"]])


def kept_back(student, weigh=lambda label, back, weight: 1 if label else 0 if back else weight, rounds=10):
    right, back, _ = _tales(student, weigh, rounds)
    return float(right[back].mean())


def on_the_others(student):
    right, back, open_ = _tales(student, lambda label, back, weight: 1 if label else 0 if back else weight)
    return float(right[open_ & ~back].mean())


def on_all(student):
    return float(_tales(student, lambda label, back, weight: 1 if label else 0 if back else weight)[0].mean())


ALMOST_RIGHT = {
    "em": {
        "right, without numpy": in_lists,
        "right, with arrays": with_numpy,
        "right, counts and weights as arrays": lambda counts, labels, weights, rounds: with_numpy(
            np.array(counts), labels, np.array(weights), rounds
        ),
        "products without logarithms": lambda *case: in_lists(*case, logs=False),
        "no ValueError": lambda *case: in_lists(*case, guard=False),
        "no virtual words": lambda *case: in_lists(*case, virtual=1e-9),
        "one virtual word below": lambda *case: in_lists(*case, below=1),
        "a tenth of a virtual word": lambda *case: in_lists(*case, virtual=0.1),
        "weights by the largest": normalised_weights,
        "the prior one step ahead": prior_after_the_last_shares,
        "the prior of the labels": prior_without_weights,
        "the prior by words": prior_by_words,
        "the prior smoothed": smoothed_prior,
        "labels re-estimated": lambda *case: in_lists(*case, keep=False),
        "unlabelled documents split evenly at the start": lambda *case: in_lists(
            *case, at_start=lambda classes: dict.fromkeys(classes, 1 / len(classes))
        ),
        "only the unlabelled documents": only_new_documents,
        "a labelled document without zeros": labels_in_words,
        "one round less": one_round_less,
        "present or absent": present_or_absent,
        "all weights 1": lambda counts, labels, weights, rounds: in_lists(counts, labels, [1] * len(labels), rounds),
    },
    "agreement": {
        "right, from the table": by_table,
        "right, the clusters permuted": renamed_clusters,
        "every function of the names": all_functions,
        "rotations of the names": rotations,
        "the majority of each cluster": by_majority,
        "one after the other": greedy,
        "clusters numbered from 0": numbered_from_zero,
        "in order of appearance": in_order_of_appearance,
        "one minus the best": lambda clusters, truth: (1 - by_table(clusters, truth)[1], by_table(clusters, truth)[1]),
        "the best first": lambda clusters, truth: by_table(clusters, truth)[::-1],
        "numbers of documents": lambda clusters, truth: [each * len(truth) for each in by_table(clusters, truth)],
    },
    "kept_back": {
        "right": kept_back,
        "right, three decimals": lambda student: round(kept_back(student), 3),
        "labels alone": lambda student: kept_back(student, rounds=0),
        "on the others": on_the_others,
        "on all": on_all,
        "kept back, but counted": lambda student: kept_back(
            student, lambda label, back, weight: 1 if label else weight
        ),
        "full weight": lambda student: kept_back(student, lambda label, back, weight: 0 if back else 1),
        "everything counts 1": lambda student: kept_back(student, lambda label, back, weight: 1),
        "wrong": lambda student: 1 - kept_back(student),
    },
}
