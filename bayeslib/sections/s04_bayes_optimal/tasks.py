"""The practice tasks of section 04. A mistake is a function that errs in a known way, so that it can be told."""

from bayeslib.models.concepts import bayes_optimal, clerk_answers, expected_costs, gibbs_error, map_answer, winners


def _equal(posterior):
    return {h: 1 / len(posterior) for h in posterior}


def _rounded(votes):
    return {h: winners(says)[0] for h, says in votes.items()}


def _without_weights(posterior, votes):
    return {label: sum(says[label] for says in votes.values()) for label in next(iter(votes.values()))}


def _differ(posterior, votes):
    clerks = clerk_answers(posterior, votes)
    return winners(clerks["MAP"]) != winners(clerks["vote"])


def _cheapest(p, costs):
    expected = expected_costs(p, costs)
    return min(expected, key=expected.get)


def _cuts(truth, points, draw, low_only=False, whole_line=False):
    low = max([point for point in points if point < truth], default=0)
    high = min([point for point in points if point >= truth], default=1)
    drawn = draw if whole_line else low + draw * (high - low)
    return (low + high) / 2, drawn, low if low_only else high


def _errors(truth, points, draw, **how):
    return tuple(abs(cut - truth) for cut in _cuts(truth, points, draw, **how))


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
    "differ": {
        "arguments": "posterior, votes",
        "cases": [
            ({"h1": 0.4, "h2": 0.3, "h3": 0.3}, {"h1": "+", "h2": "−", "h3": "−"}),
            ({"h1": 0.4, "h2": 0.35, "h3": 0.25}, {"h1": "+", "h2": "+", "h3": "−"}),
            ({"h1": 0.6, "h2": 0.2, "h3": 0.2}, {"h1": "+", "h2": "−", "h3": "−"}),
            ({"h1": 0.3, "h2": 0.3, "h3": 0.4}, {"h1": "A", "h2": "B", "h3": "C"}),
        ],
        "solve": _differ,
        "right": "You told all four cases apart: with less than one half, the most probable hypothesis may win or lose.",
        "hint": "Add up the weight behind each label; then compare the heaviest label with what the heaviest hypothesis says.",
        "mistakes": {
            "minority-map": lambda posterior, votes: max(posterior.values()) < 0.5,
            "count-votes": lambda posterior, votes: (
                winners(bayes_optimal(_equal(posterior), votes)) != winners(map_answer(posterior, votes))
            ),
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
        "right": "Gibbs gives each label with probability P(v|D), so draw and truth agree with probability Σ P(v|D)².",
        "hint": "First find how often Gibbs gives each label. Then: how often do two such draws give the same label?",
        "mistakes": {
            "vote-error": lambda posterior, votes: 1 - max(bayes_optimal(posterior, votes).values()),
            "other-answer: Σ P(v | D)² is how often Gibbs is right.": lambda posterior, votes: (
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
    "one-run": {
        "arguments": "truth, points, draw",
        "cases": [(0.25, [0.1, 0.75, 0.5], 0.8), (0.9, [0.2, 0.4], 0.1), (0.35, [], 0.6)],
        "solve": _errors,
        "right": "Averaged over many runs, your three numbers come out as 3 : 4 : 6.",
        "hint": "First find the gap: the last point below the truth (0 if there is none) and the first point above (1 if none).",
        "mistakes": {
            "prior-draw": lambda truth, points, draw: _errors(truth, points, draw, whole_line=True),
            "wrong-edge": lambda truth, points, draw: _errors(truth, points, draw, low_only=True),
            "signed-error": lambda truth, points, draw: tuple(cut - truth for cut in _cuts(truth, points, draw)),
        },
    },
}
