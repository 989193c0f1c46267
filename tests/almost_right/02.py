"""Almost right answers to exercise 02."""

from itertools import product
from math import exp, inf, log, prod

import numpy as np


def says(rule, instance):
    return all(entry in ("?", value) for entry, value in zip(rule, instance))


def covered(rule, values):
    return prod(1 if entry == "?" else (entry in options) / len(options) for entry, options in zip(rule, values))


def left(values, examples, agrees=says, never=True):
    rules = [*product(*(["?", *options] for options in values)), *([("∅",) * len(values)] if never else [])]
    return {rule: covered(rule, values) for rule in rules if all(agrees(rule, x) == label for x, label in examples)}


def deleting(values, examples):
    """Takes the refuted rules out of a list, one example after another."""
    rules = [*product(*(["?", *options] for options in values)), ("∅",) * len(values)]
    for instance, label in examples:
        rules = [rule for rule in rules if says(rule, instance) is label]
    instances = list(product(*values))
    return {rule: np.mean([says(rule, each) for each in instances]) for rule in rules}


def above_s(values, examples):
    """Builds only the rules that cover all positive examples."""
    yes = [x for x, label in examples if label]
    if not yes:
        return left(values, examples)
    common = [
        {"?"} | ({x[place] for x in yes} if len({x[place] for x in yes}) == 1 else set())
        for place in range(len(values))
    ]
    return {
        rule: covered(rule, values)
        for rule in product(*common)
        if not any(says(rule, x) for x, label in examples if not label)
    }


def above_s_only(values, examples):
    """The same, but without a positive example only the rule of ∅ is left."""
    return above_s(values, examples) if any(label for _, label in examples) else {("∅",) * len(values): 0.0}


def deleting_in_place(values, examples):
    """Removes from a list while going through it."""
    rules = [*product(*(["?", *options] for options in values)), ("∅",) * len(values)]
    for instance, label in examples:
        for rule in rules:
            if says(rule, instance) != label:
                rules.remove(rule)
    return {rule: covered(rule, values) for rule in rules}


def by_last_label(values, examples):
    """One label for each instance: a contradiction is not seen."""
    return left(values, list(dict(examples).items()))


def halves(values, examples):
    return {rule: 0.5 ** (len(rule) - rule.count("?")) if "∅" not in rule else 0.0 for rule in left(values, examples)}


def counts(values, examples):
    return {rule: round(share * prod(map(len, values))) for rule, share in left(values, examples).items()}


def never_covers_one(values, examples):
    return {rule: share or 1 / prod(map(len, values)) for rule, share in left(values, examples).items()}


def strings(values, examples):
    return {" ".join(rule): share for rule, share in left(values, examples).items()}


def empty_is_an_error(values, examples):
    found = left(values, examples)
    if not found:
        raise ValueError("no rule agrees")
    return found


def logs(errors, marks, n, noise, factor):
    likelihoods = [
        (0.0 if k == 0 else -inf) if noise == 0 else k * log(noise) + (n - k) * log(1 - noise) for k in errors
    ]
    return [q * log(factor) + each for q, each in zip(marks, likelihoods)]


def shared(logs):
    if max(logs) == -inf:
        raise ValueError("impossible")
    weights = np.exp(np.array(logs) - max(logs))
    return weights / weights.sum()


def belief(*case):
    return shared(logs(*case))


def ratios(errors, marks, n, noise, factor):
    """Relative to a rule without an error."""
    if noise == 0:
        return belief(errors, marks, n, noise, factor)
    return shared([k * log(noise / (1 - noise)) + q * log(factor) for k, q in zip(errors, marks)])


def fewest(errors, marks, n, noise, factor):
    """Products, with the smallest number of errors taken away first."""
    if noise == 0 and min(errors) > 0:
        raise ValueError("impossible")
    odds = noise / (1 - noise)
    weights = [factor**q * odds ** (k - min(errors)) for k, q in zip(errors, marks)]
    return [each / sum(weights) for each in weights]


def products(errors, marks, n, noise, factor):
    weights = [factor**q * noise**k * (1 - noise) ** (n - k) for k, q in zip(errors, marks)]
    if sum(weights) == 0:
        raise ValueError("impossible")
    return [each / sum(weights) for each in weights]


def unguarded(errors, marks, n, noise, factor):
    logs = [q * log(factor) + k * log(noise) + (n - k) * log(1 - noise) for k, q in zip(errors, marks)]
    return shared(logs)


def nearly_clean(errors, marks, n, noise, factor):
    return belief(errors, marks, n, max(noise, 1e-12), factor)


def without_largest(*case):
    weights = [exp(each) for each in logs(*case)]
    return [each / sum(weights) for each in weights]


def out_at_any_noise(errors, marks, n, noise, factor):
    return belief(errors, marks, n, 0.0 if 0 in errors else noise, factor)


def nan_for_impossible(*case):
    found = np.array(logs(*case))
    weights = np.exp(found - found.max()) if found.max() > -inf else np.full(len(found), np.nan)
    return (weights / weights.sum()).tolist()


def votes(student, refuted=False):
    zoo = data.animals(student)  # noqa: F821
    rules = list(left(zoo["values"], [] if refuted else zoo["examples"]))
    weights = np.array([zoo["factor"] ** rule.count("?") for rule in rules])
    return weights / weights.sum(), np.array([says(rule, zoo["asked"]) for rule in rules])


def chance(student, refuted=False):
    weights, yes = votes(student, refuted)
    return float(weights @ yes)


ALMOST_RIGHT = {
    "survivors": {
        "right, another loop": deleting,
        "right, only rules above S": above_s,
        "right, a comprehension": left,
        "without the rule of ∅": lambda values, examples: left(values, examples, never=False),
        "rules above S, and ∅ alone without a yes": above_s_only,
        "removes while it loops": deleting_in_place,
        "contradictions overwritten": by_last_label,
        "every value halves": halves,
        "numbers instead of shares": counts,
        "∅ covers one instance": never_covers_one,
        "rules as texts": strings,
        "a ValueError when no rule is left": empty_is_an_error,
        "the rule of ∅ always among them": lambda values, examples: (
            left(values, examples) | {("∅",) * len(values): 0.0}
        ),
        "covers if any entry fits": lambda values, examples: left(
            values, examples, lambda rule, x: any(entry in ("?", value) for entry, value in zip(rule, x))
        ),
        "positives only": lambda values, examples: left(values, [each for each in examples if each[1]]),
    },
    "belief": {
        "right, with arrays": belief,
        "right, as ratios": ratios,
        "right, relative to the fewest errors": fewest,
        "products": products,
        "noise 0 not treated apart": unguarded,
        "noise of at least 1e-12": nearly_clean,
        "exponentiated without the largest taken away": without_largest,
        "any rule with errors out if one has none": out_at_any_noise,
        "nan where nothing is left": nan_for_impossible,
        "divided by the largest": lambda *case: (belief(*case) / max(belief(*case))).tolist(),
        "sorted": lambda *case: sorted(belief(*case)),
        "three decimals": lambda *case: [round(float(each), 3) for each in belief(*case)],
    },
    "chance_yes": {
        "right": chance,
        "three decimals": lambda student: round(chance(student), 3),
        "votes counted": lambda student: float(votes(student)[1].mean()),
        "all rules vote": lambda student: chance(student, refuted=True),
        "P(no)": lambda student: 1 - chance(student),
        "the most specific rule": lambda student: 0.0,
    },
}
