"""Decisions from a posterior: the answer with the least expected cost, the number with the least expected loss (section 04)."""

import numpy as np

from bayeslib.models._checks import (
    LARGEST,
    as_number,
    as_probabilities,
    is_mapping,
    names,
    number_row,
    one_number,
    one_of,
    short,
)

LOSSES = {"squared": np.square, "absolute": np.abs}


def expected_costs(p, costs):
    """Σ_v cost(a, v) P(v|D) for every answer a, as a mapping (section 04).

    `p` maps each label v to P(v|D); `costs` maps each answer to a mapping label → its cost if that label is true.

    >>> expected_costs({"+": 0.25, "−": 0.75}, {"+": {"+": 0, "−": 1}, "−": {"+": 8, "−": 0}})
    {'+': 0.75, '−': 2.0}
    """
    p = as_probabilities(p, "p", total=True)
    if not is_mapping(p) or not is_mapping(costs):
        raise ValueError(
            f"p and costs must be mappings, label → P(label|D) and answer → label → cost, got {short(costs)}"
        )
    for answer in costs.keys():
        if not is_mapping(costs[answer]) or set(costs[answer].keys()) != p.keys():
            wanted = f"a mapping with the labels of p, {names(p)}"
            raise ValueError(f"costs[{answer!r}] must be {wanted}, got {short(costs[answer])}")

    def cost(answer, label):
        return one_number(costs[answer][label], f"costs[{answer!r}][{label!r}]", -LARGEST, LARGEST)

    return {answer: sum(cost(answer, label) * float(p[label]) for label in p) for answer in costs.keys()}


def expected_loss(answer, posterior, numbers, loss="squared"):
    """Σ_h P(h|D) loss(x_h − a): the expected loss of the answer a, a number, where hypothesis h says x_h (section 04).

    `answer` is a number or an array of them; `loss` is "squared", (x − a)², or "absolute", |x − a|.

    >>> float(expected_loss(12, [0.5, 0.5], [10, 16], loss="absolute"))
    3.0
    """
    weights, numbers = _weighted(posterior, numbers)
    answer = np.asarray(as_number(answer, "answer", -LARGEST, LARGEST), dtype=float)
    return LOSSES[one_of(loss, "loss", LOSSES)](numbers - answer[..., None]) @ weights


def best_number(posterior, numbers, loss="squared"):
    """The answer with the least expected loss: the weighted mean for squared, the weighted median for absolute loss (section 04).

    The median is the first number, from below, at which half of the weight is reached; where exactly half is reached, all
    answers up to the next number are equally good.

    >>> [best_number([0.5, 0.25, 0.25], [10, 12, 20], loss) for loss in ("squared", "absolute")]
    [13.0, 10.0]
    """
    weights, numbers = _weighted(posterior, numbers)
    if one_of(loss, "loss", LOSSES) == "squared":
        return float(weights @ numbers)
    order = numbers.argsort(kind="stable")
    half = np.cumsum(weights[order]) >= weights.sum() / 2 - 1e-9
    return float(numbers[order][half.argmax()])


def _weighted(posterior, numbers):
    """The weights and numbers of the same hypotheses, as two arrays."""
    weights = as_probabilities(posterior, "posterior", total=True)
    if is_mapping(weights):
        if not is_mapping(numbers) or weights.keys() != set(numbers.keys()):
            raise ValueError(f"numbers must have the hypotheses of posterior, {names(weights)}, got {short(numbers)}")
        weights, numbers = np.array([float(w) for w in weights.values()]), [numbers[h] for h in weights]
    numbers = number_row(numbers, "numbers")
    if len(numbers) != len(weights):
        raise ValueError(f"numbers must have one number per hypothesis, {len(weights)}, got {len(numbers)}")
    return weights, numbers
