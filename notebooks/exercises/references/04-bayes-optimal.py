"""Exercise 04: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math

import data
import numpy as np


def _log_weights(prior, table, examples):
    """ln P(h) P(D|h), with −inf where a hypothesis is ruled out."""
    with np.errstate(divide="ignore"):
        logs = np.log(np.array(prior, dtype=float))
        for column, label in examples:
            says = np.array([row[column] for row in table], dtype=float)
            logs = logs + np.log(says if label else 1 - says)
    if np.all(logs == -np.inf):
        raise ValueError("no hypothesis with a prior above 0 allows the examples")
    return logs


def _weights(prior, table, examples):
    logs = _log_weights(prior, table, examples)
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def _vote(weights, table):
    return [float(each) for each in np.asarray(weights) @ np.array(table, dtype=float)]


def optimal(prior, table, examples):
    return _vote(_weights(prior, table, examples), table)


def _favourite(prior, table, examples):
    return [float(each) for each in table[int(np.argmax(_weights(prior, table, examples).round(12)))]]


def _counted(prior, table, examples):
    left = _weights(prior, table, examples) > 0
    return _vote(left / left.sum(), table)


def _rounded(prior, table, examples):
    return _vote(_weights(prior, table, examples), np.array(table) >= 0.5)


def _unshared(prior, table, examples):
    return _vote(np.exp(_log_weights(prior, table, examples)), table)


def _zeros(prior, table, examples):
    try:
        return optimal(prior, table, examples)
    except ValueError:
        return [0.0] * len(table[0])


def _underflow(prior, table, examples):
    weights = np.exp(_log_weights(prior, table, examples))
    return _vote(weights / weights.sum(), table) if weights.sum() else [math.nan] * len(table[0])


def draw_table(random, sure=False):
    hypotheses, instances = (int(each) for each in random.integers([3, 3], [7, 7]))
    prior = random.dirichlet(2 * np.ones(hypotheses))
    if sure:
        table = random.integers(0, 2, (hypotheses, instances))
        truth = table[random.integers(hypotheses)]
        examples = [(int(each), int(truth[each])) for each in random.integers(0, instances, random.integers(1, 3))]
    else:
        table = random.uniform(0.05, 0.95, (hypotheses, instances)).round(2)
        examples = [
            (int(each), int(random.integers(2))) for each in random.integers(0, instances, random.integers(1, 6))
        ]
    return [float(each) for each in prior], table.tolist(), examples


def draw_sure(random):
    return draw_table(random, sure=True)


def draw_long(random):
    """Hypotheses that differ by a hair, and more examples than a product can hold."""
    prior, table, _ = draw_table(random)
    for row in table:
        row[0] = 0.5 + float(random.uniform(-0.01, 0.01))
    return prior, table, [(0, int(each)) for each in random.integers(0, 2, 3000)]


def draw_refuted(random):
    """Examples that no hypothesis allows, every other time."""
    prior, table, examples = draw_sure(random)
    if random.random() < 0.5:
        return prior, table, examples
    place = int(random.integers(len(table[0])))
    for row in table:
        row[place] = 1
    return prior, table, [(place, 1), (place, 0)]


def _shares(weights, says):
    """The labels' shares of the weight, and the share of the heaviest hypothesis's label."""
    shares = {label: 0.0 for label in says}
    for weight, label in zip(weights, says):
        shares[label] += weight / sum(weights)
    return list(shares.values()), shares[says[weights.index(max(weights))]]


def clerk_errors(weights, says):
    shares, favourite = _shares(weights, says)
    return {"vote": 1 - max(shares), "Gibbs": 1 - sum(share**2 for share in shares), "MAP": 1 - favourite}


def _with(**wrong):
    """The right answer but for one clerk: `wrong(shares, favourite, own weight of MAP)`."""

    def errors(weights, says):
        shares, favourite = _shares(weights, says)
        own = max(weights) / sum(weights)
        return {**clerk_errors(weights, says), **{who: how(shares, favourite, own) for who, how in wrong.items()}}

    return errors


def draw_clerks(random, labels="+-", equal=False):
    n = int(random.integers(4, 9))
    weights = random.integers(1, 4, n) if equal else random.uniform(0.2, 5, n)
    says = [str(random.choice(list(labels))) for _ in range(n)]
    top = int(np.argmax(weights))
    if random.random() < 0.5:  # MAP is not alone
        says[top - 1] = says[top]
    else:  # MAP is alone
        says = [
            label if label != says[top] or i == top else labels[labels.index(label) - 1] for i, label in enumerate(says)
        ]
    return [float(each) for each in weights.round(2)], says


def draw_labels(random):
    return draw_clerks(random, "ABC", equal=True)


def vote_plus(student):
    jury = data.jury(student)
    return sum(weight * jury["plus"][h] for h, weight in jury["posterior"].items())


def _plus(how):
    def answer(student):
        jury = data.jury(student)
        return how(list(jury["posterior"].values()), list(jury["plus"].values()))

    return answer


SURE = [[1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]]
UNSURE = [[0.9, 0.8, 0.3], [0.4, 0.1, 0.6], [0.4, 0.5, 0.7]]

TASKS = {
    "optimal": {
        "kind": "function",
        "points": 4,
        "arguments": "prior, table, examples",
        "solve": optimal,
        "cases": [
            ([0.4, 0.3, 0.3], UNSURE, []),
            ([0.4, 0.2, 0.3, 0.1], SURE, [(2, 1)]),
            ([0.4, 0.3, 0.3], UNSURE, [(0, 1), (1, 0)]),
            ([0.5, 0.5], [[0.001, 0.9], [0.00101, 0.2]], [(0, 1)] * 150),
            ([0.5, 0.5], [[1, 0], [1, 1]], [(0, 0)]),
        ],
        "checks": [
            {"says": "hypotheses that are sure", "points": 1, "draw": draw_sure, "times": 5},
            {"says": "undecided hypotheses", "points": 1, "draw": draw_table, "times": 5},
            {"says": "thousands of examples", "points": 1, "draw": draw_long, "times": 2},
            {"says": "examples that no hypothesis allows, or one does", "points": 1, "draw": draw_refuted, "times": 12},
        ],
        "mistakes": {
            "empty-zero": _zeros,
            "no-logs": _underflow,
            "map-answer": _favourite,
            "count-votes": _counted,
            "hard-votes": _rounded,
            "joint-posterior": _unshared,
            "prior-only": lambda prior, table, examples: _vote(prior, table),
        },
        "hint": "First the posterior of each hypothesis, by logarithms. Then, for each column, what the hypotheses say, weighed and added up.",
        "right": "From prior and data to the best answer, and every hypothesis was heard.",
    },
    "clerk_errors": {
        "kind": "function",
        "points": 2,
        "arguments": "weights, says",
        "solve": clerk_errors,
        "cases": [
            ([4, 3, 3], ["+", "-", "-"]),
            ([0.4, 0.3, 0.2, 0.1], ["+", "-", "-", "+"]),
            ([5, 4, 3, 3, 1], ["A", "B", "C", "B", "A"]),
            ([2, 2], ["no", "yes"]),
        ],
        "checks": [
            {"says": "two labels", "points": 1, "draw": draw_clerks, "times": 5},
            {"says": "three labels and equal weights", "points": 1, "draw": draw_labels, "times": 5},
        ],
        "mistakes": {
            "vote-error": _with(Gibbs=lambda shares, *_: 1 - max(shares)),
            "other-answer: Σ p² is the accuracy of Gibbs, one minus its error.": _with(
                Gibbs=lambda shares, *_: sum(share**2 for share in shares)
            ),
            "bound-for-value": _with(Gibbs=lambda shares, *_: 2 * (1 - max(shares))),
            "minority-map": _with(MAP=lambda shares, favourite, own: 1 - own),
            "map-answer": _with(vote=lambda shares, favourite, own: 1 - favourite),
            "count-votes": lambda weights, says: clerk_errors([1] * len(says), says),
        },
        "hint": "First the share of each label: the weight of the hypotheses that say it, divided by all the weight. Who answers a label is right with its share.",
        "right": "One posterior, three clerks, three errors.",
    },
    "vote_plus": {
        "kind": "number",
        "points": 1,
        "solve": vote_plus,
        "varies": True,
        "probability": True,
        "mistakes": {
            "map-answer": _plus(lambda weights, plus: plus[0]),
            "hard-votes": _plus(lambda weights, plus: sum(w for w, p in zip(weights, plus) if p >= 0.5)),
            "count-votes": _plus(lambda weights, plus: sum(plus) / len(plus)),
            "count-votes: P(v | h) was added without the weight P(h | D), so the sums exceed 1.": _plus(
                lambda weights, plus: sum(plus)
            ),
            "other-answer": lambda student: 1 - vote_plus(student),
        },
        "hint": "Multiply each hypothesis's chance of + by its posterior, and add up. Round nothing.",
        "right": "Half-sure voices counted as half-sure.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "C",
        "mistakes": {"A": "map-answer", "B": "bound-for-value", "D": "always"},
        "hint": "Compare the curves of vote and Gibbs at the ends and in the middle, and ask over which truths they are averages.",
        "right": "Twice is what Gibbs comes near to when errors are rare.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: weights and answers in which the most probable hypothesis stands alone with less than half of the weight, such as .4 for + against .3 and .3 for −, so that following it errs with .6 and the vote with .4.",
            "1 point: the vote need not be a member of H; it can answer one x with some hypotheses and the next x with others (the majority of three bits), so no single hypothesis reaches it.",
        ],
    },
}
