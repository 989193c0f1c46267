"""Almost right answers to exercise 14: some are right in another form, most have one flaw."""

import itertools
import math
from collections import Counter

import numpy as np

data = globals().get("data")  # the exercise's data.py, put here by the test


# --- vote_shares ---


def votes(X, y, query, k, span=np.ptp, norm=2, close=1e-9, stop=None, every=True, divide=None):
    """With switches for what can go wrong."""
    X, query = np.array(X, float), np.array(query, float)
    spans = span(X, axis=0)
    apart = np.abs(X - query)[:, spans > 0] / spans[spans > 0]
    away = (apart**norm).sum(axis=1) ** (1 / norm)
    if stop is None:
        last = np.sort(away)[min(k, len(X)) - 1]
        voters = [label for label, d in zip(y, away) if d <= last + close]
    else:
        voters = [y[i] for i in stop(away, k)]
    counts = Counter(voters)
    return {each: counts[each] / (divide or len(voters)) for each in (set(y) if every else counts)}


def plain_lists(X, y, query, k):
    columns = [j for j in range(len(query)) if len({row[j] for row in X}) > 1]
    ranges = {j: max(row[j] for row in X) - min(row[j] for row in X) for j in columns}

    def squared(row):
        return sum(((row[j] - query[j]) / ranges[j]) ** 2 for j in columns)

    pairs = sorted((math.sqrt(squared(row)), label) for row, label in zip(X, y))
    border = pairs[:k][-1][0]
    voters = [label for d, label in pairs if d - border < 1e-9]
    return {label: np.float64(voters.count(label)) / len(voters) for label in y}


def keeps_constant_columns(X, y, query, k):
    """Right: a column that does not vary adds the same to every distance."""
    X, query = np.array(X, float), np.array(query, float)
    spans = np.ptp(X, axis=0)
    spans[spans == 0] = 1e9
    away = np.linalg.norm((X - query) / spans, axis=1)
    chosen = away <= np.sort(away)[:k][-1] + 1e-9
    return {str(each): float(np.mean(np.array(y)[chosen] == each)) for each in set(y)}


def scales_in_place(X, y, query, k):
    """Right, and it changes what it was given."""
    for j in range(len(query)):
        low, high = min(row[j] for row in X), max(row[j] for row in X)
        for row in [*X, query]:
            row[j] = (row[j] - low) / (high - low) if high > low else 0.0
    return plain_lists(X, y, query, k) if X else {}


def no_guard_for_constants(X, y, query, k):
    away = [math.sqrt(sum(((a - b) / (max(c) - min(c))) ** 2 for a, b, c in zip(row, query, zip(*X)))) for row in X]
    last = sorted(away)[min(k, len(X)) - 1]
    voters = [label for label, d in zip(y, away) if d <= last + 1e-9]
    return {each: voters.count(each) / len(voters) for each in set(y)}


def k_must_fit(X, y, query, k):
    return votes(X, y, query, k, stop=lambda away, k: [i for i in range(len(away)) if away[i] <= np.sort(away)[k - 1]])


def in_grams(X, y, query, k):
    """Unscaled."""
    return votes(X, y, query, k, span=lambda X, axis: np.ones(X.shape[1]))


def first_k(away, k):
    return np.argsort(away.round(9), kind="stable")[:k]


def nearer_than_the_next(away, k):
    """Only rows that are nearer than the k-th and the k-th itself; the others of the tie are left out."""
    order = np.argsort(away.round(9), kind="stable")
    last = away[order[min(k, len(away)) - 1]]
    strict = [i for i in range(len(away)) if away[i] < last - 1e-9]
    return [*strict, order[len(strict)]]


def by_weight(X, y, query, k):
    """Votes count 1/distance."""
    spans = np.ptp(np.array(X, float), axis=0)
    keep = spans > 0
    away = np.sqrt((((np.array(X, float) - query)[:, keep] / spans[keep]) ** 2).sum(axis=1)) + 1e-12
    rows = [i for i in range(len(y)) if away[i] <= np.sort(away)[:k][-1] + 1e-9]
    total = sum(1 / away[i] for i in rows)
    return {each: sum(1 / away[i] for i in rows if y[i] == each) / total for each in set(y)}


def with_the_query(X, y, query, k):
    return votes(X, y, query, k, span=lambda rows, axis: np.ptp(np.vstack([rows, query]), axis=0))


def with_switches(function, **switches):
    return lambda *case: function(*case, **switches)


def spread_of_sample(X, axis):
    return X.std(axis=axis, ddof=1)


def largest(X, axis):
    return np.where(np.ptp(X, axis=axis) > 0, np.abs(X).max(axis=axis), 0)


def middle_half(X, axis):
    low, high = np.percentile(X, [25, 75], axis=axis)
    return np.where(np.ptp(X, axis=axis) > 0, np.maximum(high - low, 1e-6), 0)


# --- strangers ---


def strangers(X, y, groups, k, asked=lambda g, i, j: g[i] != g[j], guard=True, answer=None, vote=votes, total=len):
    if guard and len(set(groups)) == 1:
        raise ValueError("one group")
    answer = answer or (lambda shares: min(shares, key=lambda each: (-shares[each], each)))
    wrong = 0
    for i in range(len(X)):
        rest = [j for j in range(len(X)) if asked(groups, i, j)]
        if rest:
            wrong += answer(vote([X[j] for j in rest], [y[j] for j in rest], X[i], k)) != y[i]
    return wrong / total(X)


def group_after_group(X, y, groups, k):
    """Right: each group is taken out once."""
    wrong, names = 0, sorted(set(groups), key=str)
    if len(names) < 2:
        raise ValueError("one group")
    for name in names:
        inside = [i for i, g in enumerate(groups) if g == name]
        outside = [i for i, g in enumerate(groups) if g != name]
        table = [X[i] for i in outside], [y[i] for i in outside]
        for i in inside:
            shares = votes(*table, X[i], k)
            best = max(shares.values())
            wrong += y[i] != sorted(each for each in shares if shares[each] == best)[0]
    return np.float64(wrong) / len(y)


def neighbouring_blocks(X, y, groups, k):
    """Takes a group for a run of neighbouring rows."""
    runs = list(itertools.accumulate([0, *(a != b for a, b in zip(groups, groups[1:]))]))
    return strangers(X, y, runs, k)


def mean_of_groups(X, y, groups, k):
    if len(set(groups)) == 1:
        raise ValueError("one group")
    errors = []
    for name in set(groups):
        rows = [i for i, g in enumerate(groups) if g == name]
        rest = [i for i, g in enumerate(groups) if g != name]
        table = [X[i] for i in rest], [y[i] for i in rest]
        errors.append(np.mean([first_sorted(votes(*table, X[i], k)) != y[i] for i in rows]))
    return float(np.mean(errors))


def ranges_of_all(X, y, groups, k):
    spans = np.ptp(np.array(X, float), axis=0)
    return strangers(X, y, groups, k, vote=with_switches(votes, span=lambda rows, axis: spans))


def first_sorted(shares):
    return max(sorted(shares), key=shares.get)


def last_sorted(shares):
    return max(sorted(shares, reverse=True), key=shares.get)


def first_seen(shares):
    return max(shares, key=shares.get)


def in_order_of_rows(X, y, query, k):
    """The classes in the order in which they occur."""
    shares = votes(X, y, query, k)
    return {each: shares[each] for each in y}


def majority_needed(shares):
    return next((each for each in shares if shares[each] > 0.5), None)


# --- numbers ---


def errors(student, groups, **how):
    pages = data.pages(student)
    return strangers(pages["X"], pages["y"], groups(pages), 1, **how)


def blocks(pages):
    return pages["block"]


def alone(pages):
    return list(range(len(pages["y"])))


def leak(student):
    return errors(student, blocks) - errors(student, alone)


def tosses(student, wrong):
    ground = data.ground(student)
    return sum(
        ground[a] * ground[b] * ground[c] * wrong(ground, a, b, c) for a, b, c in itertools.product(ground, repeat=3)
    )


def three(ground, a, b, c):
    return 1 - ground[a if a in (b, c) or b != c else b]


def by_the_truth(student):
    """Right: over the kind that is asked about."""
    ground = data.ground(student)
    total = 0.0
    for truth, p in ground.items():
        both = p**3 + 3 * p**2 * (1 - p)
        q, r = (chance for kind, chance in ground.items() if kind != truth)
        total += p * (1 - both - 2 * p * q * r)
    return total


ALMOST_RIGHT = {
    "vote_shares": {
        "right: plain lists": plain_lists,
        "right: constant columns kept": keeps_constant_columns,
        "right: scaled in place": scales_in_place,
        "right: with switches off": votes,
        "Manhattan distance": with_switches(votes, norm=1),
        "standard deviation for the range": with_switches(votes, span=np.std),
        "standard deviation with n − 1": with_switches(votes, span=spread_of_sample),
        "largest value for the range": with_switches(votes, span=largest),
        "middle half for the range": with_switches(votes, span=middle_half),
        "range with the query": with_the_query,
        "unscaled": in_grams,
        "no guard for a constant column": no_guard_for_constants,
        "k larger than the table": k_must_fit,
        "ties cut off": with_switches(votes, stop=first_k),
        "one of the tie": with_switches(votes, stop=nearer_than_the_next),
        "equal distances compared exactly": with_switches(votes, close=0.0),
        "nearly as near counts as near": with_switches(votes, close=0.05),
        "classes without votes missing": with_switches(votes, every=False),
        "counts for shares": with_switches(votes, divide=1),
        "divided by k": lambda X, y, query, k: votes(X, y, query, k, divide=k),
        "weighted votes": by_weight,
    },
    "strangers": {
        "right: group after group": group_after_group,
        "right: with switches off": strangers,
        "right: max of sorted": with_switches(strangers, answer=first_sorted),
        "only the row left out": with_switches(strangers, asked=lambda g, i, j: i != j),
        "nothing left out": with_switches(strangers, asked=lambda g, i, j: True),
        "asked of the own group": with_switches(strangers, asked=lambda g, i, j: g[i] == g[j] and i != j),
        "no guard": with_switches(strangers, guard=False),
        "no guard, no rows left": with_switches(strangers, guard=False, total=lambda X: len(X) or 1),
        "last of ties": with_switches(strangers, answer=last_sorted),
        "ties to the class that occurs first": with_switches(strangers, vote=in_order_of_rows, answer=first_seen),
        "a majority needed": with_switches(strangers, answer=majority_needed),
        "groups taken for runs": neighbouring_blocks,
        "mean of the groups' errors": mean_of_groups,
        "ranges of all rows": ranges_of_all,
        "unscaled": with_switches(strangers, vote=in_grams),
        "the share of right answers": lambda *case: 1 - strangers(*case),
        "errors counted": with_switches(strangers, total=lambda X: 1),
    },
    "leak": {
        "right: group after group": leak,
        "right: three decimals": lambda student: round(leak(student), 3),
        "the other way round": lambda student: -leak(student),
        "only with blocks left out": lambda student: errors(student, blocks),
        "only leave-one-out": lambda student: errors(student, alone),
    },
    "limit": {
        "right: over the truth": by_the_truth,
        "right: over the votes": lambda student: tosses(student, three),
        "torn votes left out": lambda student: tosses(
            student, lambda ground, a, b, c: 0 if len({a, b, c}) == 3 else three(ground, a, b, c)
        ),
        "torn votes always wrong": lambda student: tosses(
            student, lambda ground, a, b, c: 1 if len({a, b, c}) == 3 else three(ground, a, b, c)
        ),
        "one neighbour": lambda student: 1 - sum(p * p for p in data.ground(student).values()),
        "the best answer": lambda student: 1 - max(data.ground(student).values()),
    },
}
