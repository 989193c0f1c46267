"""Exercise 06: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from collections import Counter
from functools import cache

import data


def _tables(estimate, others=False, pool=lambda count, n, k: (count + 1) / (n + k)):
    """A table for each class: `estimate(n_c, n, p, k, m, number of pairs)` of each value, with p from `pool`."""

    def tables(pairs, values, m):
        for _, value in pairs:
            if value not in values:
                raise ValueError(f"the value {value!r} is not declared")
        found = {}
        for each in dict.fromkeys(label for label, _ in pairs):
            mine = [value for label, value in pairs if label == each]
            shared = [value for label, value in pairs if label != each or not others]
            found[each] = {
                value: estimate(
                    mine.count(value),
                    len(mine),
                    pool(shared.count(value), len(shared), len(values)),
                    len(values),
                    m,
                    len(pairs),
                )
                for value in values
            }
        return found

    return tables


def _m_estimate(n_c, n, p, k, m, pairs):
    return (n_c + m * p) / (n + m)


def _only_seen(solve):
    def tables(pairs, values, m):
        found = solve(pairs, values, m)
        return {
            each: {value: table[value] for value in table if (each, value) in pairs} for each, table in found.items()
        }

    return tables


def _own_values(others):
    """The values that occur in the pairs are taken for all that there are, in p."""

    def tables(pairs, values, m):
        k = len({value for _, value in pairs})
        return _tables(_m_estimate, others, pool=lambda count, n, _: (count + 1) / (n + k))(pairs, values, m)

    return tables


def _of_all(others):
    """Counts of all pairs in place of those of the class."""

    def tables(pairs, values, m):
        right, everywhere = _tables(_m_estimate, others)(pairs, values, m), Counter(value for _, value in pairs)
        sizes, own = Counter(label for label, _ in pairs), Counter(pairs)
        return {
            label: {
                value: each + (everywhere[value] - own[label, value]) / (sizes[label] + m)
                for value, each in row.items()
            }
            for label, row in right.items()
        }

    return tables


def _rarer(others):
    """Mistakes that have a name but no hidden case of their own."""

    def of(estimate):
        return _tables(estimate, others)

    return {
        "These are plain shares: the m virtual examples are missing.": of(lambda n_c, n, p, k, m, _: n_c / n),
        "There are m virtual examples in all, and the denominator grows by m, not by m for each value.": of(
            lambda n_c, n, p, k, m, _: (n_c + m * p) / (n + m * k)
        ),
        "m · p virtual examples have the value, not p.": of(lambda n_c, n, p, k, m, _: (n_c + p) / (n + m)),
        "This adds one to every count of the class; asked for are m virtual examples with the prior p of all pairs.": of(
            lambda n_c, n, p, k, m, _: (n_c + 1) / (n + k)
        ),
        "One is added for every value, so the total grows by the number of values, not by one.": _tables(
            _m_estimate, others, pool=lambda count, n, k: (count + 1) / (n + 1)
        ),
        "One is added for every value, so the total grows by the number of values; here it does not grow.": _tables(
            _m_estimate, others, pool=lambda count, n, k: (count + 1) / n if n else 1 / k
        ),
        "p is the share among all pairs, whatever their class; here the class makes its own.": of(
            lambda n_c, n, p, k, m, _: (n_c + m * (n_c + 1) / (n + k)) / (n + m)
        ),
        "The count of a value in the class is asked for, not that in all pairs.": _of_all(others),
    }


def _slips(others):
    def of(estimate):
        return _tables(estimate, others)

    return {
        "seen-values: A declared value that a class has not shown belongs in its table too.": _only_seen(
            _tables(_m_estimate, others)
        ),
        "seen-values: The number of values is that of the declared ones.": _own_values(others),
        "uniform-free: Here p comes from the pairs.": of(lambda n_c, n, p, k, m, _: (n_c + m / k) / (n + m)),
        "unseen-zero: One is added to each count before p is made, too.": _tables(
            _m_estimate, others, pool=lambda count, n, k: count / n if n else 1 / k
        ),
        "patch": of(lambda n_c, n, p, k, m, _: n_c / n if n_c else m * p / (n + m)),
        "add-above-only": of(lambda n_c, n, p, k, m, _: (n_c + m * p) / n),
        "forget-p": of(lambda n_c, n, p, k, m, _: (n_c + m) / (n + m)),
        "m-per-value": of(lambda n_c, n, p, k, m, _: (n_c + m) / (n + m * k)),
        "share-of-all": of(lambda n_c, n, p, k, m, pairs: (n_c + m * p) / (pairs + m)),
        "prior-only": of(lambda n_c, n, p, k, m, _: p),
        "hits-forgotten": of(lambda n_c, n, p, k, m, _: n_c / (n + m)),
    }


smoothed, from_others = _tables(_m_estimate), _tables(_m_estimate, others=True)


def _mean_of_classes(pairs, values, m):
    own = _tables(lambda n_c, n, p, k, *_: (n_c + 1) / (n + k))(pairs, values, m).values()
    p = {value: sum(table[value] for table in own) / len(own) for value in values}
    sizes = Counter(label for label, _ in pairs)
    return {
        each: {value: (pairs.count((each, value)) + m * p[value]) / (sizes[each] + m) for value in values}
        for each in sizes
    }


def draw_pairs(random):
    """Two or three classes of different size; a value that no pair has; every fourth time no virtual examples."""
    values = [str(each) for each in random.permutation(list("abcde"))[: random.integers(3, 6)]]
    classes = ["yes", "no", "maybe"][: random.integers(2, 4)]
    pairs = [
        (
            str(random.choice(classes, p=[0.6, 0.4] if len(classes) == 2 else [0.5, 0.3, 0.2])),
            str(random.choice(values[1:])),
        )
        for _ in range(random.integers(6, 15))
    ]
    pairs = [("yes", values[1]), *pairs, ("no", values[-1]), ("yes", values[1])]
    return pairs, values, float(random.choice([0, 0.5, 1, 3, 4, 10]))


def draw_undeclared(random):
    """A value that is not declared, every other time."""
    pairs, values, m = draw_pairs(random)
    return [*pairs[:2], ("no", "fog"), *pairs[2:]] if random.random() < 0.5 else pairs, values, m


def _sequence(estimate):
    """ln P(sequence), if each value is predicted by `estimate(its count so far, number so far, a, all a, values)`."""

    def log_marginal(virtual, sequence):
        seen, log = Counter(), 0.0
        for number, value in enumerate(sequence):
            chance = estimate(seen[value], number, virtual[value], sum(virtual.values()), len(virtual))
            log += math.log(chance) if chance else -math.inf
            seen[value] += 1
        return log

    return log_marginal


log_marginal = _sequence(lambda n_c, n, a, total, k: (n_c + a) / (n + total))


def _hindsight(virtual, sequence):
    """Every value predicted by the estimate that all of them together give."""
    total = len(sequence) + sum(virtual.values())
    estimates = {value: (sequence.count(value) + virtual[value]) / total for value in set(sequence)}
    return sum(count * math.log(estimates[value]) for value, count in Counter(sequence).items())


def _multiplied(virtual, sequence):
    log = log_marginal(virtual, sequence)
    return log if log > -740 else -math.inf


def draw_sequence(random, n=None):
    values = [str(each) for each in random.permutation(list("abcd"))[: random.integers(2, 5)]]
    sequence = [str(random.choice(values)) for _ in range(n or random.integers(4, 12))]
    return {value: float(random.choice([0.5, 1, 2, 4])) for value in values}, [values[0], values[0], *sequence]


def draw_long(random):
    return draw_sequence(random, n=1500)


def draw_certain(random):
    """A value without virtual examples comes in the middle, every other time."""
    virtual, sequence = draw_sequence(random)
    return {**virtual, "z": 0}, [*sequence, "z", *sequence[:2], "z"] if random.random() < 0.5 else sequence


def tie_m(student):
    one, other = data.sellers(student).values()
    a, n, b, k = one["happy"], one["buyers"], other["happy"], other["buyers"]
    return (b * n - a * k) / (a - b + (k - n) / 2)


def _all_misses(student):
    """Where the two would tie if no virtual buyer were happy."""
    one, other = data.sellers(student).values()
    a, n, b, k = one["happy"], one["buyers"], other["happy"], other["buyers"]
    return (b * n - a * k) / (a - b)


def _numerators(student):
    """Where the two would tie if the virtual buyers counted in the numerator only."""
    one, other = data.sellers(student).values()
    a, n, b, k = one["happy"], one["buyers"], other["happy"], other["buyers"]
    return 2 * (b * n - a * k) / (k - n)


@cache
def _marginal(student, m, how=log_marginal, p=None, together=False):
    hits = list(data.batters(student).values())
    p = p or sum(hits) / (45 * len(hits))
    sequences = [["hit"] * each + ["miss"] * (45 - each) for each in hits]
    sequences = [sum(sequences, [])] if together else sequences
    return sum(how({"hit": m * p, "miss": m * (1 - p)}, each) for each in sequences)


def support(student, **how):
    return _marginal(student, 200, **how) - _marginal(student, 20, **how)


SKY = ["sunny", "overcast", "rain", "fog"]
DAYS = [
    ("no", "sunny"),
    ("yes", "rain"),
    ("no", "rain"),
    ("yes", "overcast"),
    ("no", "sunny"),
    ("no", "rain"),
    ("no", "sunny"),
]

TASKS = {
    "smoothed": {
        "kind": "function",
        "points": 2,
        "arguments": "pairs, values, m",
        "solve": smoothed,
        "cases": [
            (DAYS, SKY, 2),
            (DAYS, SKY, 0),
            ([("A", "x"), ("B", "z"), ("A", "x"), ("C", "z"), ("B", "y")], ["z", "y", "x"], 1),
            ([("A", "x"), ("A", "x")], ["y", "x"], 0.5),
            ([("A", "x"), ("B", "fog"), ("A", "y")], ["x", "y"], 1),
        ],
        "checks": [
            {"says": "two or three classes", "points": 1, "draw": draw_pairs, "times": 8},
            {"says": "a value that is not declared, or all are", "points": 1, "draw": draw_undeclared, "times": 12},
        ],
        "slips": _rarer(False),
        "mistakes": {
            **_slips(False),
            "All pairs count for p, those of the class itself too.": from_others,
        },
        "variants": [
            {},
            {
                "solve": from_others,
                "slips": _rarer(True),
                "mistakes": {
                    **_slips(True),
                    "The pairs of the class itself do not count for its p.": smoothed,
                },
            },
        ],
        "almost_right": {
            "p from the classes' own shares, each class counting the same": _mean_of_classes,
            "undeclared values passed over": lambda pairs, values, m: smoothed(
                [each for each in pairs if each[1] in values], values, m
            ),
        },
        "read": "1 · Imaginary buyers",
        "hint": "First p for every declared value, with one added to each count. Then for each class and each declared value (n_c + m·p)/(n + m), with n the number of pairs of that class. Do the estimates of a class sum to 1?",
        "right": "Where a class has shown little, the other examples speak.",
    },
    "log_marginal": {
        "kind": "function",
        "points": 3,
        "arguments": "virtual, sequence",
        "high": 0,
        "solve": log_marginal,
        "cases": [
            ({"H": 1, "T": 1}, ["H", "H", "T"]),
            ({"b": 1, "a": 0.5, "c": 2}, ["c", "a", "c", "c", "b"]),
            ({"H": 1, "T": 1}, []),
            ({"H": 2, "T": 2}, ["H", "T"] * 600),
            ({"H": 1, "T": 0}, ["H", "H"]),
            ({"H": 1, "T": 0, "edge": 2}, ["H", "T", "H", "T"]),
        ],
        "checks": [
            {"says": "short sequences", "points": 1, "draw": draw_sequence, "times": 6},
            {"says": "more than a thousand values", "points": 1, "draw": draw_long, "times": 2},
            {"says": "a value without virtual examples", "points": 1, "draw": draw_certain, "times": 12},
        ],
        "mistakes": {
            "no-logs": _multiplied,
            "prior-only": _sequence(lambda n_c, n, a, total, k: a / total),
            "smooth-for-filter: The values after a place do not help to predict it.": _hindsight,
            "add-above-only": _sequence(lambda n_c, n, a, total, k: (n_c + a) / (n or 1)),
            "sign-flip": lambda virtual, sequence: -log_marginal(virtual, sequence),
            "Every value has its own number of virtual examples; this takes one for each.": _sequence(
                lambda n_c, n, a, total, k: (n_c + 1) / (n + k)
            ),
            "A value counts only after it has been predicted.": _sequence(
                lambda n_c, n, a, total, k: (n_c + 1 + a) / (n + 1 + total)
            ),
            "The natural logarithm is asked for.": lambda virtual, sequence: (
                log_marginal(virtual, sequence) / math.log(2)
            ),
        },
        "almost_right": {
            "0 for an impossible sequence": lambda *case: (
                max(log_marginal(*case), -1e300) + (1e300 if log_marginal(*case) == -math.inf else 0)
            ),
            "minus infinity for any zero": lambda virtual, sequence: (
                log_marginal(virtual, sequence) if all(virtual.values()) else -math.inf
            ),
        },
        "read": "3 · The belief behind the number",
        "hint": "Walk along the sequence and keep a count of each value. The next value has (count + virtual) / (number so far + all virtual); add its logarithm, and only then count it.",
        "right": "Each value was predicted by those before it, and the order does not matter in the end.",
    },
    "support": {
        "kind": "number",
        "points": 1,
        "builds_on": "log_marginal",
        "solve": support,
        "varies": True,
        "mistakes": {
            "This is ln of the marginal likelihood for m = 20 over that for m = 200.": lambda student: (
                -support(student)
            ),
            "uniform-free: Here p is the average of your twelve batters.": lambda student: support(student, p=0.5),
            "Every batter has a θ of his own, so his sequence begins with the virtual tries only.": lambda student: (
                support(student, together=True)
            ),
            "smooth-for-filter: The tries after a place do not help to predict it.": lambda student: support(
                student, how=_hindsight
            ),
            "This is the mean over the batters; the logarithm for all is the sum of theirs.": lambda student: (
                support(student) / 12
            ),
            "This is the ratio itself; its logarithm is asked for.": lambda student: math.exp(support(student)),
            "This is the logarithm for m = 200 alone.": lambda student: _marginal(student, 200),
        },
        "read": "Back to April",
        "hint": "For m = 200 and for m = 20: add up your log_marginal over the twelve batters, each with virtual hits m·p and virtual misses m·(1 − p) and a sequence of his hits and misses. Then take the difference.",
        "right": "Above 0, so these starts look more like batters that are nearly alike.",
    },
    "tie_m": {
        "kind": "number",
        "points": 1,
        "solve": tie_m,
        "varies": True,
        "low": 0,
        "mistakes": {
            "m-per-value": lambda student: tie_m(student) / 2,
            "hits-forgotten": _all_misses,
            "add-above-only": _numerators,
            "A whole number comes close, but at this m one of the two is still ahead.": lambda student: round(
                tie_m(student)
            ),
            "The m is right except for its sign.": lambda student: -tie_m(student),
        },
        "read": "4 · Whose p?",
        "hint": "Write down both m-estimates with p = ½, set them equal, and solve for m; or try values of m until the two meet.",
        "right": "Below this m seller A looks better, above it seller B.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "For something rare, such as θ = 0.05, the plain fraction has the smallest error of the three.",
            "B": "At θ = 0.5 the curve of m = 10 is the lowest, so many virtual examples are the safe choice if θ is not known.",
            "C": "p = ½ prefers neither hits nor misses, so smoothing with it does no harm, wherever θ lies.",
            "D": "At θ = 0.4 the curve of m = 2 is below that of the fraction, so for every sample from there the m-estimate is closer to 0.4.",
        },
        "solve": "A",
        "mistakes": {
            "B": "more-is-safer",
            "C": "uniform-free",
            "D": "always: Each curve is a mean over all samples of five.",
        },
        "read": "When does smoothing hurt?",
        "hint": "Which curve is lowest at the far left, and towards what does p = ½ pull there?",
        "right": "A prior estimate is a bet, and it loses where it is far from the truth.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: after 45 tries the fractions differ mostly by luck (variance), so the best starts were mostly lucky and the worst unlucky; pulling all of them towards p removes more of this than it adds in systematic error, so the error is smaller on average over the batters, though not for each of them. Regression to the mean is the same argument.",
            "1 point: p has to be the average of a group to which the man belongs as far as we know; a pitcher is known to belong to another group, so its own lower average (or a small m) is needed, and with p = 0.265 the estimate is systematically too high.",
        ],
    },
}
