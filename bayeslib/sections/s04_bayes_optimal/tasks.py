"""The practice tasks of section 04. A mistake is a function that errs in a known way, so that it can be told."""

from bayeslib.models.concepts import bayes_optimal, expected_costs, gibbs_error, map_answer, winners


def _equal(posterior):
    return {h: 1 / len(posterior) for h in posterior}


def _rounded(votes):
    return {h: winners(says)[0] for h, says in votes.items()}


def _without_weights(posterior, votes):
    return {label: sum(says[label] for says in votes.values()) for label in next(iter(votes.values()))}


def _cheapest(p, costs):
    expected = expected_costs(p, costs)
    return min(expected, key=expected.get)


PLUS, MINUS = {"+": 1.0, "−": 0.0}, {"+": 0.0, "−": 1.0}
HALF_SURE = {"+": 0.9, "−": 0.1}, {"+": 0.4, "−": 0.6}
TASKS = {
    "vote": {
        "arguments": "posterior, votes",
        "cases": [
            ({"h1": 0.6, "h2": 0.2, "h3": 0.2}, {"h1": PLUS, "h2": MINUS, "h3": MINUS}),
            ({"h1": 0.4, "h2": 0.3, "h3": 0.3}, {"h1": HALF_SURE[0], "h2": HALF_SURE[1], "h3": HALF_SURE[1]}),
            (
                {"rain": 0.5, "dry": 0.5},
                {"rain": {"in": 0.7, "out": 0.2, "?": 0.1}, "dry": {"in": 0, "out": 1, "?": 0}},
            ),
        ],
        "solve": bayes_optimal,
        "right": "Every hypothesis was heard, each with its weight.",
        "hint": "For each label add up, over the hypotheses, what it says for that label times how probable it is.",
        "mistakes": {
            "map-answer": map_answer,
            "count-votes": lambda posterior, votes: bayes_optimal(_equal(posterior), votes),
            "count-votes: P(v | h) was added without the weight P(h | D), so the sums exceed 1.": _without_weights,
            "hard-votes": lambda posterior, votes: {
                **dict.fromkeys(next(iter(votes.values())), 0.0),
                **bayes_optimal(posterior, _rounded(votes)),
            },
        },
    },
    "gibbs-error": {
        "arguments": "posterior, votes",
        "cases": [
            ({"h1": 0.5, "h2": 0.5}, {"h1": HALF_SURE[0], "h2": HALF_SURE[1]}),
            ({"h1": 0.5, "h2": 0.3, "h3": 0.2}, {"h1": PLUS, "h2": MINUS, "h3": HALF_SURE[1]}),
            (
                {"rain": 0.5, "dry": 0.5},
                {"rain": {"in": 0.7, "out": 0.2, "?": 0.1}, "dry": {"in": 0, "out": 1, "?": 0}},
            ),
        ],
        "solve": lambda posterior, votes: gibbs_error(bayes_optimal(posterior, votes)),
        "probability": True,
        "right": "A random rule gives each label with probability P(v|D), so draw and truth agree with probability Σ P(v|D)².",
        "hint": "First find how often each label is drawn. Then: how often do two such draws give the same label?",
        "mistakes": {
            "vote-error": lambda posterior, votes: 1 - max(bayes_optimal(posterior, votes).values()),
            "other-answer: Σ P(v | D)² is how often draw and truth agree.": lambda posterior, votes: (
                1 - gibbs_error(bayes_optimal(posterior, votes))
            ),
            "bound-for-value": lambda posterior, votes: 2 * (1 - max(bayes_optimal(posterior, votes).values())),
            "hard-votes": lambda posterior, votes: gibbs_error(bayes_optimal(posterior, _rounded(votes))),
        },
    },
    "cheapest": {
        "arguments": "p, costs",
        "cases": [
            ({"+": 0.2, "−": 0.8}, {"+": {"+": 0, "−": 2}, "−": {"+": 9, "−": 0}}),
            ({"+": 0.2, "−": 0.8}, {"+": {"+": 0, "−": 2}, "−": {"+": 3, "−": 0}}),
            (
                {"+": 0.55, "−": 0.45},
                {"+": {"+": 0, "−": 10}, "−": {"+": 10, "−": 0}, "ask": {"+": 3, "−": 3}},
            ),
        ],
        "solve": _cheapest,
        "right": "Your function also asks when asking is cheaper than guessing.",
        "hint": "For each answer add up, over the labels, what it costs times how probable the label is; then take the smallest sum.",
        "mistakes": {
            "equal-costs": lambda p, costs: max(p, key=p.get),
        },
    },
}
