"""Almost right answers to exercise 06."""

import math
from collections import Counter, defaultdict

import numpy as np

# `data` is the module that is handed out with the exercise.


def _table(pairs, values, m, pool=None, estimate=None, guard=True, classes=None):
    if guard and any(value not in values for _, value in pairs):
        raise ValueError("not declared")
    counts = Counter(value for _, value in pairs)
    p = pool(counts, pairs, values) if pool else {v: (counts[v] + 1) / (len(pairs) + len(values)) for v in values}
    tables = {}
    for label in classes or {each for each, _ in pairs}:
        mine = Counter(value for each, value in pairs if each == label)
        n = sum(mine.values())
        tables[label] = {v: estimate(mine[v], n, p[v]) if estimate else (mine[v] + m * p[v]) / (n + m) for v in p}
    return tables


def _with_arrays(pairs, values, m):
    place = {value: number for number, value in enumerate(values)}
    counts = defaultdict(lambda: np.zeros(len(values)))
    for label, value in pairs:
        if value not in place:
            raise ValueError("not declared")
        counts[label][place[value]] += 1
    p = (sum(counts.values()) + 1) / (len(pairs) + len(values))
    return {label: dict(zip(values, (row + m * p) / (row.sum() + m))) for label, row in counts.items()}


def _weighted_mean(pairs, values, m):
    """Right: fraction and p, weighted."""

    def mixed(n_c, n, p):
        return n / (n + m) * n_c / n + m / (n + m) * p

    return _table(pairs, values, m, estimate=mixed)


def _mean_of_tables(counts, pairs, values):
    """p as the mean of the classes' own shares, each class counting the same."""
    classes = {each for each, _ in pairs}
    shares = []
    for label in classes:
        mine = [value for each, value in pairs if each == label]
        shares.append({v: (mine.count(v) + 1) / (len(mine) + len(values)) for v in values})
    return {v: sum(each[v] for each in shares) / len(shares) for v in values}


def _skips(pairs, values, m):
    """Values that are not declared are passed over."""
    return _table([each for each in pairs if each[1] in values], values, m)


def _late_guard(pairs, values, m):
    """Looks only at the first class."""
    if any(value not in values for label, value in pairs if label == pairs[0][0]):
        raise ValueError("not declared")
    return _table(pairs, values, m, guard=False)


def _walk(virtual, sequence, predict=None, zero=lambda: -math.inf):
    counts, total, log = Counter(), sum(virtual.values()), 0.0
    for number, value in enumerate(sequence):
        p = predict(counts, number, value) if predict else (counts[value] + virtual[value]) / (number + total)
        if p == 0:
            return zero()
        log += math.log(p)
        counts[value] += 1
    return log


def _gammas(virtual, sequence):
    """Right: the closed form."""
    counts, total = Counter(sequence), sum(virtual.values())
    if any(virtual[value] == 0 for value in counts):
        return -math.inf
    log = math.lgamma(total) - math.lgamma(total + len(sequence))
    return log + sum(math.lgamma(virtual[v] + n) - math.lgamma(virtual[v]) for v, n in counts.items())


def _gammas_no_guard(virtual, sequence):
    counts, total = Counter(sequence), sum(virtual.values())
    log = math.lgamma(total) - math.lgamma(total + len(sequence))
    return log + sum(math.lgamma(virtual[v] + counts[v]) - math.lgamma(virtual[v]) for v in virtual)


def _product(virtual, sequence):
    counts, total, product = Counter(), sum(virtual.values()), 1.0
    for number, value in enumerate(sequence):
        product *= (counts[value] + virtual[value]) / (number + total)
        counts[value] += 1
    return math.log(product) if product else -math.inf


def _in_place(virtual, sequence):
    """Right: the counts grow in the dict that was given."""
    log = 0.0
    for value in sequence:
        if virtual[value] == 0:
            return -math.inf
        log += math.log(virtual[value] / sum(virtual.values()))
        virtual[value] += 1
    return log


def _any_zero(virtual, sequence):
    """Minus infinity wherever a value has no virtual examples, whether it arrives or not."""
    return -math.inf if 0 in virtual.values() else _walk(virtual, sequence)


def _distinct(virtual, sequence):
    """Orders of the same counts taken together."""
    log = _walk(virtual, sequence)
    counts = Counter(sequence)
    return log + math.lgamma(len(sequence) + 1) - sum(math.lgamma(n + 1) for n in counts.values())


def _evidence(student, m, together=False, half=False, how=_walk):
    hits = list(data.batters(student).values())  # noqa: F821
    p = 0.5 if half else sum(hits) / (45 * len(hits))
    sequences = [["hit"] * each + ["miss"] * (45 - each) for each in hits]
    if together:
        sequences = [sum(sequences, [])]
    return sum(how({"hit": m * p, "miss": m * (1 - p)}, each) for each in sequences)


def _support(student, **how):
    return _evidence(student, 200, **how) - _evidence(student, 20, **how)


def _tie(student):
    one, other = data.sellers(student).values()  # noqa: F821
    a, n, b, k = one["content"], one["buyers"], other["content"], other["buyers"]
    return 2 * (b * n - a * k) / (2 * a - 2 * b + k - n)


ALMOST_RIGHT = {
    "smoothed": {
        "right, with arrays": _with_arrays,
        "right, as a weighted mean": lambda pairs, values, m: (
            _weighted_mean(pairs, values, m) if all(value in values for _, value in pairs) else _table(pairs, values, m)
        ),
        "right, classes sorted": lambda pairs, values, m: _table(
            pairs, values, m, classes=sorted({each for each, _ in pairs})
        ),
        "p not smoothed": lambda *case: _table(
            *case, pool=lambda counts, pairs, values: {v: counts[v] / len(pairs) for v in values}
        ),
        "p = 1/k": lambda *case: _table(*case, pool=lambda counts, pairs, values: {v: 1 / len(values) for v in values}),
        "p over the values that occur": lambda *case: _table(
            *case, pool=lambda counts, pairs, values: {v: (counts[v] + 1) / (len(pairs) + len(counts)) for v in values}
        ),
        "only values that occur": lambda *case: _table(
            *case, pool=lambda counts, pairs, values: {v: (counts[v] + 1) / (len(pairs) + len(values)) for v in counts}
        ),
        "p as the mean of the classes' tables": lambda *case: _table(*case, pool=_mean_of_tables),
        "no guard": lambda *case: _table(*case, guard=False),
        "undeclared values passed over": _skips,
        "the guard looks at one class": _late_guard,
        "virtual examples in the numerator only": lambda pairs, values, m: _table(
            pairs, values, m, estimate=lambda n_c, n, p: (n_c + m * p) / n
        ),
        "all pairs as n": lambda pairs, values, m: _table(
            pairs, values, m, estimate=lambda n_c, n, p: (n_c + m * p) / (len(pairs) + m)
        ),
        "one added again": lambda pairs, values, m: _table(
            pairs, values, m, estimate=lambda n_c, n, p: (n_c + 1 + m * p) / (n + len(values) + m)
        ),
        "rounded": lambda *case: {
            label: {v: round(p, 4) for v, p in row.items()} for label, row in _table(*case).items()
        },
    },
    "log_evidence": {
        "right, with the gamma function": _gammas,
        "right, counting in the dict that was given": _in_place,
        "right, with numpy": lambda virtual, sequence: np.float64(_walk(virtual, sequence)),
        "the gamma function without a guard": _gammas_no_guard,
        "a product at the end": _product,
        "0 for an impossible sequence": lambda *case: _walk(*case, zero=lambda: 0.0),
        "an impossible value passed over": lambda virtual, sequence: _walk(
            virtual, [value for value in sequence if virtual[value]]
        ),
        "minus infinity for any zero": _any_zero,
        "the order left out": _distinct,
        "counted before it is predicted": lambda virtual, sequence: _walk(
            virtual,
            sequence,
            lambda counts, n, value: (counts[value] + 1 + virtual[value]) / (n + 1 + sum(virtual.values())),
        ),
        "one virtual example for each value": lambda virtual, sequence: _walk(
            virtual, sequence, lambda counts, n, value: (counts[value] + 1) / (n + len(virtual))
        ),
        "no counting": lambda virtual, sequence: _walk(
            virtual, sequence, lambda counts, n, value: virtual[value] / sum(virtual.values())
        ),
        "base 2": lambda *case: _walk(*case) / math.log(2),
        "the probability itself": lambda *case: math.exp(_walk(*case)),
        "rounded": lambda *case: round(_walk(*case), 4),
    },
    "support": {
        "20 against 200": lambda student: -_support(student),
        "p = ½": lambda student: _support(student, half=True),
        "one long sequence": lambda student: _support(student, together=True),
        "the mean over batters": lambda student: _support(student) / 12,
        "three decimals": lambda student: round(_support(student), 3),
    },
    "tie_m": {
        "half of it": lambda student: _tie(student) / 2,
        "a whole number": lambda student: round(_tie(student)),
        "three decimals": lambda student: round(_tie(student), 3),
        "the sign turned round": lambda student: -_tie(student),
    },
}
