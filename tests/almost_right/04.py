"""Almost right answers to exercise 04."""

import math

import numpy as np

# `data` is the module that is handed out with the exercise.


def _products(prior, table, examples):
    """Plain products, and a ValueError where their sum is 0."""
    weights = []
    for p, row in zip(prior, table):
        for column, label in examples:
            p *= row[column] if label else 1 - row[column]
        weights.append(p)
    if sum(weights) == 0:
        raise ValueError("no hypothesis is left")
    return [sum(w * row[c] for w, row in zip(weights, table)) / sum(weights) for c in range(len(table[0]))]


def _step_by_step(prior, table, examples, guard=True, labels=True, vote=None, start=None):
    """Normalised after each example."""
    weights = list(prior) if start is None else start(prior)
    for column, label in examples:
        weights = [w * (row[column] if label or not labels else 1 - row[column]) for w, row in zip(weights, table)]
        total = sum(weights)
        if total == 0:
            if guard:
                raise ValueError("no hypothesis is left")
            return [0.0] * len(table[0])
        weights = [w / total for w in weights]
    if vote:
        return vote(weights, table)
    return [sum(w * row[column] for w, row in zip(weights, table)) for column in range(len(table[0]))]


def _math_logs(prior, table, examples):
    """math.log, which stops at 0."""
    logs = []
    for p, row in zip(prior, table):
        logs.append(math.log(p) + sum(math.log(row[c] if label else 1 - row[c]) for c, label in examples))
    top = max(logs)
    weights = [math.exp(log - top) for log in logs]
    return [sum(w * row[c] for w, row in zip(weights, table)) / sum(weights) for c in range(len(table[0]))]


def _tiny_logs(prior, table, examples):
    """A tiny number added before the logarithm, so that nothing is ever ruled out."""
    table, prior = np.array(table, float), np.array(prior, float)
    logs = np.log(prior + 1e-12)
    for column, label in examples:
        logs += np.log((table[:, column] if label else 1 - table[:, column]) + 1e-12)
    weights = np.exp(logs - logs.max())
    return (weights / weights.sum() @ table).tolist()


def _no_guard(prior, table, examples):
    table = np.array(table, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(prior)
        for column, label in examples:
            logs = logs + np.log(table[:, column] if label else 1 - table[:, column])
        weights = np.exp(logs - logs.max())
        return (weights / weights.sum() @ table).tolist()


def _counts(prior, table, examples):
    """Right: how often each label occurs in each column, and one power for each."""
    table, prior = np.array(table, float), np.array(prior, float)
    yes, no = np.zeros(table.shape[1]), np.zeros(table.shape[1])
    for column, label in examples:
        (yes if label else no)[column] += 1
    logs = np.full(len(prior), -np.inf)
    for h, row in enumerate(table):
        ruled_out = ((row == 0) & (yes > 0)).any() or ((row == 1) & (no > 0)).any() or prior[h] == 0
        if not ruled_out:
            logs[h] = math.log(prior[h])
            logs[h] += sum(n * math.log(p) for n, p in zip(yes, row) if n)
            logs[h] += sum(n * math.log(1 - p) for n, p in zip(no, row) if n)
    if logs.max() == -np.inf:
        raise ValueError("no hypothesis is left")
    weights = np.exp(logs - logs.max())
    return weights @ table / weights.sum()


def _guard_for_sure_ones(prior, table, examples):
    """Looks for a row that contradicts no example, whatever its prior is."""
    if not any(all(row[c] != 1 - label for c, label in examples) for row in table):
        raise ValueError("no hypothesis is left")
    return _step_by_step(prior, table, examples, guard=False)


def _no_repeats(prior, table, examples):
    return _step_by_step(prior, table, sorted(set(examples)))


def _best(weights, table):
    return [float(each) for each in table[weights.index(max(weights))]]


def _yes_or_no(weights, table):
    return [float(sum(w * row[c] for w, row in zip(weights, table)) > 0.5) for c in range(len(table[0]))]


def _equal(weights, table):
    left = [row for w, row in zip(weights, table) if w > 0]
    return [sum(row[c] for row in left) / len(left) for c in range(len(table[0]))]


def _clerks(weights, says, total=None, vote=max, gibbs=None, favourite=None, tie=0):
    total = total or sum(weights)
    share = {}
    for weight, label in zip(weights, says):
        share[label] = share.get(label, 0) + weight / total
    heaviest = [label for weight, label in zip(weights, says) if weight == max(weights)]
    own = share[heaviest[tie]] if favourite is None else favourite(share, heaviest, weights)
    wrong = 1 - sum(p * p for p in share.values()) if gibbs is None else gibbs(share, weights)
    return {"vote": 1 - vote(share.values()), "Gibbs": wrong, "MAP": 1 - own}


def _pairs(weights, says):
    """Right: every pair of hypotheses, drawn and true."""
    total = sum(weights)
    wrong = sum(v * w for v, a in zip(weights, says) for w, b in zip(weights, says) if a != b) / total**2
    best = says[int(np.argmax(weights))]
    behind = {label: sum(w for w, each in zip(weights, says) if each == label) for label in set(says)}
    return {"MAP": 1 - behind[best] / total, "vote": 1 - max(behind.values()) / total, "Gibbs": wrong}


def _two_labels(weights, says):
    """min(p, 1 − p) and 2p(1 − p), as for two labels."""
    share = sum(w for w, each in zip(weights, says) if each == says[0]) / sum(weights)
    best = says[weights.index(max(weights))]
    return {
        "vote": min(share, 1 - share),
        "Gibbs": 2 * share * (1 - share),
        "MAP": 1 - share if best == says[0] else share,
    }


def _worth(student, p=None, how=lambda p, covering, harvest: min(covering, p * harvest) - p * covering):
    models = data.models(student)  # noqa: F821
    weights, frost = list(models["posterior"].values()), list(models["frost"].values())
    return how(
        p(weights, frost) if p else sum(w * q for w, q in zip(weights, frost)), models["covering"], models["harvest"]
    )


def _titanic(student, how=_step_by_step, all_of_them=False):
    people = data.titanic(student)  # noqa: F821
    chances = how([1 / 46] * 46, people["table"], people["seen"])
    others = [list(each) for each in people["others"]]
    for column, label in people["seen"] if all_of_them else []:
        others[column][1 - label] += 1
    wrong = sum(died if p > 0.5 else lived for p, (lived, died) in zip(chances, others))
    return wrong / sum(map(sum, others))


ALMOST_RIGHT = {
    "optimal": {
        "right, normalised after each example": _step_by_step,
        "right, with counts of the labels": _counts,
        "right, as an array of numpy": lambda *case: np.array(_step_by_step(*case)),
        "plain products": _products,
        "math.log of 0": _math_logs,
        "a tiny number in the logarithm": _tiny_logs,
        "no guard": _no_guard,
        "zeros in place of a ValueError": lambda *case: _step_by_step(*case, guard=False),
        "the guard forgets the prior": _guard_for_sure_ones,
        "a repeated example counts once": _no_repeats,
        "every label taken for yes": lambda *case: _step_by_step(*case, labels=False),
        "the most probable hypothesis alone": lambda *case: _step_by_step(*case, vote=_best),
        "yes or no in place of a probability": lambda *case: _step_by_step(*case, vote=_yes_or_no),
        "votes counted": lambda *case: _step_by_step(*case, vote=_equal),
        "prior ignored": lambda *case: _step_by_step(*case, start=lambda prior: [1 / len(prior)] * len(prior)),
        "rounded": lambda *case: [round(each, 5) for each in _step_by_step(*case)],
    },
    "clerk_errors": {
        "right, over all pairs": _pairs,
        "right, with arrays": lambda weights, says: {k: np.float64(v) for k, v in _clerks(weights, says).items()},
        "the last of ties": lambda weights, says: _clerks(weights, says, tie=-1),
        "the better of ties": lambda weights, says: _clerks(
            weights, says, favourite=lambda share, heaviest, _: max(share[each] for each in heaviest)
        ),
        "the weight of MAP alone": lambda weights, says: _clerks(
            weights, says, favourite=lambda share, heaviest, weights: max(weights) / sum(weights)
        ),
        "formulas for two labels": _two_labels,
        "weights not normalised": lambda weights, says: _clerks(weights, says, total=1),
        "Gibbs over hypotheses": lambda weights, says: _clerks(
            weights, says, gibbs=lambda share, weights: 1 - sum((w / sum(weights)) ** 2 for w in weights)
        ),
        "Gibbs right in place of wrong": lambda weights, says: _clerks(
            weights, says, gibbs=lambda share, _: sum(p * p for p in share.values())
        ),
        "Gibbs errs like the vote": lambda weights, says: _clerks(
            weights, says, gibbs=lambda share, _: 1 - max(share.values())
        ),
        "MAP takes the heaviest label": lambda weights, says: _clerks(
            weights, says, favourite=lambda share, *_: max(share.values())
        ),
        "votes counted": lambda weights, says: _clerks([1] * len(says), says),
    },
    "worth": {
        "the frost of the best model": lambda student: _worth(student, p=lambda weights, frost: frost[0]),
        "rounded votes": lambda student: _worth(
            student, p=lambda weights, frost: sum(w for w, q in zip(weights, frost) if q > 0.5)
        ),
        "all costs spared": lambda student: _worth(
            student, how=lambda p, covering, harvest: min(covering, p * harvest)
        ),
        "as if always covered": lambda student: _worth(student, how=lambda p, covering, harvest: (1 - p) * covering),
    },
    "vote_error": {
        "the most probable rule": lambda student: _titanic(student, lambda *case: _step_by_step(*case, vote=_best)),
        "the people seen as well": lambda student: _titanic(student, all_of_them=True),
        "the share that is right": lambda student: 1 - _titanic(student),
        "three decimals": lambda student: round(_titanic(student), 3),
        "nothing learned": lambda student: _titanic(student, lambda prior, table, _: _step_by_step(prior, table, [])),
    },
}
