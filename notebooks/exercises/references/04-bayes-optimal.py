"""Exercise 04: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from functools import partial

import data
import numpy as np


def _chances(table, examples):
    """P(label | h) of each example, a row for each hypothesis."""
    columns, labels = np.array(examples, dtype=int).reshape(-1, 2).T
    says = np.array(table, dtype=float)[:, columns]
    return np.where(labels, says, 1 - says)


def _log_weights(prior, table, examples):
    """ln P(h) P(D|h), with −inf where a hypothesis is ruled out."""
    with np.errstate(divide="ignore"):
        logs = np.log(np.array(prior, dtype=float)) + np.log(_chances(table, examples)).sum(axis=1)
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


def _none_after(how):
    """None for each column in place of the ValueError, which the other variant asks for."""

    def answer(prior, table, examples):
        try:
            return how(prior, table, examples)
        except ValueError:
            return [None] * len(table[0])

    return answer


nothing_said = _none_after(optimal)


def _stops_at_zero(prior, table, examples):
    """With math.log, which knows no 0."""
    if 0 in prior or (_chances(table, examples) == 0).any():
        raise ZeroDivisionError("as a math domain error would")
    return optimal(prior, table, examples)


def _never_zero(prior, table, examples):
    """A tiny number under each logarithm."""
    logs = np.log(np.array(prior) + 1e-12) + np.log(_chances(table, examples) + 1e-12).sum(axis=1)
    weights = np.exp(logs - logs.max())
    return _vote(weights / weights.sum(), table)


def _once(prior, table, examples):
    return optimal(prior, table, sorted(set(examples)))


def _or(last):
    """`last(prior, table)` in place of the ValueError."""

    def answer(prior, table, examples):
        try:
            return optimal(prior, table, examples)
        except ValueError:
            return last(prior, table)

    return answer


_zeros = _or(lambda prior, table: [0.0] * len(table[0]))
_falls_back = _or(_vote)


def _favourite(prior, table, examples):
    return [float(each) for each in table[int(np.argmax(_weights(prior, table, examples).round(12)))]]


def _counted(prior, table, examples):
    left = _weights(prior, table, examples) > 0
    return _vote(left / left.sum(), table)


def _rounded(prior, table, examples):
    return _vote(_weights(prior, table, examples), np.array(table) >= 0.5)


def _unshared(prior, table, examples):
    return _vote(np.exp(_log_weights(prior, table, examples)), table)


def _underflow(prior, table, examples):
    weights = np.exp(_log_weights(prior, table, examples))
    return _vote(weights / weights.sum(), table) if weights.sum() else [math.nan] * len(table[0])


def _all_positive(prior, table, examples):
    return optimal(prior, table, [(column, 1) for column, _ in examples])


HEARD = {
    "no-logs": _underflow,
    "map-answer": _favourite,
    "count-votes": _counted,
    "hard-votes": _rounded,
    "joint-posterior": _unshared,
    "prior-only": lambda prior, table, examples: _vote(prior, table),
    "base-rate": lambda prior, table, examples: optimal([1 / len(prior)] * len(prior), table, examples),
    "all-positive: A label 0 has the probability 1 minus the entry of the table.": _all_positive,
}


def draw_table(random):
    """A table of sure hypotheses or of undecided ones; every third time a hypothesis has the prior 0."""
    sure = random.random() < 0.5
    hypotheses, instances = (int(each) for each in random.integers([3, 3], [7, 7]))
    prior = random.dirichlet(2 * np.ones(hypotheses))
    if sure:
        table = random.integers(0, 2, (hypotheses, instances))
        truth = table[0]
        examples = [(int(each), int(truth[each])) for each in random.integers(0, instances, random.integers(1, 3))]
    else:
        table = random.uniform(0.05, 0.95, (hypotheses, instances)).round(2)
        examples = [
            (int(each), int(random.integers(2))) for each in random.integers(0, instances, random.integers(0, 6))
        ]
    if random.random() < 0.35:
        prior[-1] = 0
        prior = prior / prior.sum()
    return [float(each) for each in prior], table.tolist(), examples


def draw_long(random):
    """Hypotheses that differ by a hair, and more examples than a product can hold."""
    prior, table, _ = draw_table(random)
    for row in table:
        row[0] = 0.5 + float(random.uniform(-0.01, 0.01))
    return prior, table, [(0, int(each)) for each in random.integers(0, 2, 2000)]


def draw_refuted(random):
    """Examples that no hypothesis allows, or only one with the prior 0, two times out of three."""
    hypotheses, instances = (int(each) for each in random.integers([3, 3], [6, 6]))
    prior, table = random.dirichlet(2 * np.ones(hypotheses)), random.integers(0, 2, (hypotheses, instances)).tolist()
    place, kind = int(random.integers(instances)), random.integers(3)
    for row in table[2:]:
        row[place] = 1
    for row in table[:2]:
        row[place] = int(kind == 1)
    if kind == 2:
        prior[:2] = 0
        prior = prior / prior.sum()
    examples = [(place, 1), (place, 0)] if kind == 1 else [(place, 0)]
    return [float(each) for each in prior], table, examples


def _shares(weights, says):
    """The labels' shares of the weight."""
    shares = {label: 0.0 for label in says}
    for weight, label in zip(weights, says):
        shares[label] += weight / sum(weights)
    return shares


def _heaviest(weights):
    return [place for place, weight in enumerate(weights) if weight == max(weights)]


def _errors(pick):
    """The three errors, where `pick` makes one share of those of the heaviest hypotheses' labels."""

    def errors(weights, says):
        shares = _shares(weights, says)
        favourite = pick([shares[says[place]] for place in _heaviest(weights)])
        return {
            "vote": 1 - max(shares.values()),
            "Gibbs": 1 - sum(share**2 for share in shares.values()),
            "MAP": 1 - favourite,
        }

    return errors


def _first(shares):
    return shares[0]


def _last(shares):
    return shares[-1]


def _mean(shares):
    return sum(shares) / len(shares)


three_errors, fair_die = _errors(_first), _errors(_mean)


def _last_counts(weights, says, right):
    """The share of a label is that of the last hypothesis that says it."""
    shares = {label: weight / sum(weights) for weight, label in zip(weights, says)}
    return {
        "vote": 1 - max(shares.values()),
        "Gibbs": 1 - sum(share**2 for share in shares.values()),
        "MAP": 1 - shares[says[weights.index(max(weights))]],
    }


def _but(right, **wrong):
    """The right errors but for some of the three."""

    def errors(weights, says):
        shares = list(_shares(weights, says).values())
        return {**right(weights, says), **{who: how(shares, weights, says) for who, how in wrong.items()}}

    return errors


def _rarer(right):
    """Mistakes that have a name but no hidden case of their own."""
    but = partial(_but, right)
    return {
        "Weights of hypotheses that say the same are added up; here the last one counts.": lambda weights, says: (
            _last_counts(weights, says, right)
        ),
        "The vote counts weights, not heads.": but(
            vote=lambda shares, weights, says: 1 - _shares(weights, says)[max(dict.fromkeys(says), key=says.count)]
        ),
        "2p(1 − p) is the error of Gibbs for two labels only.": but(
            Gibbs=lambda shares, *_: 2 * max(shares) * (1 - max(shares))
        ),
        "Gibbs draws a hypothesis with its weight, not each label as often as any other.": but(
            Gibbs=lambda shares, *_: 1 - 1 / len(shares)
        ),
        "Gibbs draws a hypothesis with its weight, not each hypothesis as often as any other.": but(
            Gibbs=lambda shares, weights, says: 1 - sum(_shares(weights, says)[each] for each in says) / len(says)
        ),
    }


def _slips(right):
    """The mistakes that are the same however MAP breaks its ties."""
    but = partial(_but, right)
    return {
        "vote-error": but(Gibbs=lambda shares, *_: 1 - max(shares)),
        "other-answer: Σ p² is the accuracy of Gibbs, one minus its error.": but(
            Gibbs=lambda shares, *_: sum(share**2 for share in shares)
        ),
        "other-answer: These are the probabilities of being right.": lambda weights, says: {
            who: 1 - error for who, error in right(weights, says).items()
        },
        "bound-for-value": but(Gibbs=lambda shares, *_: 2 * (1 - max(shares))),
        "Two hypotheses may give the same label: Gibbs errs where the labels differ, not the hypotheses.": but(
            Gibbs=lambda shares, weights, says: 1 - sum((each / sum(weights)) ** 2 for each in weights)
        ),
        "minority-map": but(MAP=lambda shares, weights, says: 1 - max(weights) / sum(weights)),
        "MAP follows one hypothesis, not the label with the most weight.": but(MAP=lambda shares, *_: 1 - max(shares)),
        "map-answer": but(vote=lambda shares, weights, says: right(weights, says)["MAP"]),
        "count-votes": lambda weights, says: {
            **right([1] * len(says), says),
            "MAP": 1 - says.count(says[weights.index(max(weights))]) / len(says),
        },
        "The weights need not sum to 1: divide them by their sum.": lambda weights, says: {
            who: 1 - sum(weights) * (1 - error) if who != "Gibbs" else 1 - sum(weights) ** 2 * (1 - error)
            for who, error in right(weights, says).items()
        },
    }


def draw_labels(random):
    n = int(random.integers(4, 9))
    weights = random.uniform(0.2, 5, n).round(2)
    says = [str(random.choice(["+", "-"])) for _ in range(n)]
    top = int(np.argmax(weights))
    if random.random() < 0.5:  # MAP is alone
        says = ["-" if place != top else "+" for place in range(n)]
    return [float(each) for each in weights], says


def draw_ties(random):
    """Three labels and small whole weights, so that several hypotheses are heaviest."""
    n = int(random.integers(4, 9))
    return [int(each) for each in random.integers(1, 4, n)], [str(random.choice(list("ABC"))) for _ in range(n)]


def _worth(how=lambda p, covering, harvest: min(covering, p * harvest) - p * covering, frost=None):
    """What a sure forecast saves, if `frost(posterior, says)` is the probability of frost."""

    def answer(student):
        models = data.models(student)
        posterior, says = list(models["posterior"].values()), list(models["frost"].values())
        p = frost(posterior, says) if frost else sum(w * q for w, q in zip(posterior, says))
        return how(p, models["covering"], models["harvest"])

    return answer


worth = _worth()


def _answers(people, p):
    """How many of the others are judged wrongly, if P(survived) of each kind is `p`."""
    others = people["others"]
    return sum(died if chance > 0.5 else lived for (lived, died), chance in zip(others, p)) / sum(map(sum, others))


def _heard(how=optimal, count=_answers):
    def answer(student):
        people = data.titanic(student)
        rules = len(people["rules"])
        return count(people, how([1 / rules] * rules, people["table"], people["seen"]))

    return answer


def _everybody(people, p):
    """The 20 that were seen as well."""
    others = [list(each) for each in people["others"]]
    for column, label in people["seen"]:
        others[column][1 - label] += 1
    return _answers({"others": others}, p)


def _matched(people, p):
    others = people["others"]
    return sum(lived * (1 - q) + died * q for (lived, died), q in zip(others, p)) / sum(map(sum, others))


def _seen_errors(people, p):
    return sum((p[column] > 0.5) != label for column, label in people["seen"]) / len(people["seen"])


def _kinds(people, p):
    return sum((lived < died) == (q > 0.5) for (lived, died), q in zip(people["others"], p)) / len(p)


vote_error = _heard()
SURE = [[1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]]
UNSURE = [[0.9, 0.8, 0.3], [0.4, 0.1, 0.6], [0.4, 0.5, 0.7]]

TASKS = {
    "optimal": {
        "kind": "function",
        "points": 3,
        "arguments": "prior, table, examples",
        "solve": optimal,
        "cases": [
            ([0.4, 0.3, 0.3], UNSURE, []),
            ([0.4, 0.2, 0.3, 0.1], SURE, [(2, 1)]),
            ([0.4, 0.3, 0.3], UNSURE, [(0, 1), (1, 0), (0, 1)]),
            ([0.5, 0.0, 0.3, 0.2], SURE, [(2, 1), (0, 0)]),
            ([0.5, 0.5], [[0.001, 0.9], [0.00101, 0.2]], [(0, 1)] * 150),
            ([0.5, 0.5], [[1, 0], [1, 1]], [(0, 0)]),
            ([1.0, 0.0], [[1, 0], [0, 1]], [(0, 0)]),
        ],
        "checks": [
            {"says": "a few examples", "points": 1, "draw": draw_table, "times": 8},
            {"says": "thousands of examples", "points": 1, "draw": draw_long, "times": 2},
            {"says": "examples that no hypothesis allows, or one does", "points": 1, "draw": draw_refuted, "times": 12},
        ],
        "mistakes": {
            "empty-zero": _zeros,
            "Where no hypothesis allows the examples, the prior has no answer either.": _falls_back,
            **HEARD,
        },
        "near": {"math.log of 0": _stops_at_zero, "never 0": _never_zero, "repeated examples once": _once},
        "variants": [
            {},
            {
                "solve": nothing_said,
                "mistakes": {
                    "Where no hypothesis allows the examples, a list of None is asked for here.": optimal,
                    "empty-zero": _zeros,
                    "Where no hypothesis allows the examples, the prior has no answer either.": _falls_back,
                    **{tag: _none_after(wrong) for tag, wrong in HEARD.items()},
                },
            },
        ],
        "almost_right": {
            "a logarithm that stops at 0 with a ValueError": lambda prior, table, examples: (
                [math.log(p) for p in (*prior, *_chances(table, examples).flat)] and optimal(prior, table, examples)
            ),
            "the guard forgets the prior": lambda prior, table, examples: optimal(
                [p or 1e-15 for p in prior], table, examples
            ),
        },
        "read": '3 · Hypotheses that say "probably"',
        "hint": "First the posterior of each hypothesis, with logarithms. Then, for each column, the entries of all rows, weighted with the posteriors and added up.",
        "right": "From prior and data to the best answer, and every hypothesis was heard.",
    },
    "three_errors": {
        "kind": "function",
        "points": 2,
        "arguments": "weights, says",
        "keys": ["vote", "Gibbs", "MAP"],
        "hints": {
            "vote": "The vote names the label with the largest share, so it is wrong with one minus that share.",
            "Gibbs": "Gibbs names each label with the probability of its share, and is then right with the same probability: one minus the sum of the squared shares.",
            "MAP": "MAP names what the heaviest single hypothesis says, and is right with the share of that label. Mind the rule for several heaviest ones.",
        },
        "solve": three_errors,
        "cases": [
            ([4, 3, 3], ["+", "-", "-"]),
            ([0.4, 0.3, 0.2, 0.1], ["+", "-", "-", "+"]),
            ([5, 4, 3, 3, 1], ["A", "B", "C", "B", "A"]),
            ([3, 2, 3, 2, 2, 3, 1, 2, 2, 2, 2], ["B", "D", "C", "C", "C", "A", "B", "A", "D", "D", "D"]),
            ([2, 2, 1], ["no", "yes", "yes"]),
            ([7], ["yes"]),
        ],
        "checks": [
            {"says": "two labels", "points": 1, "draw": draw_labels, "times": 5},
            {"says": "three labels and several heaviest hypotheses", "points": 1, "draw": draw_ties, "times": 8},
        ],
        "slips": _rarer(three_errors),
        "mistakes": {
            **_slips(three_errors),
            "If several hypotheses are heaviest, MAP takes the first of them.": _errors(_last),
            "If several hypotheses are heaviest, MAP takes the first of them, and draws none.": fair_die,
            "If several hypotheses are heaviest, MAP takes the first of them, whatever the others say.": _errors(max),
        },
        "variants": [
            {},
            {
                "solve": fair_die,
                "slips": _rarer(fair_die),
                "mistakes": {
                    **_slips(fair_die),
                    "If several hypotheses are heaviest, MAP draws one of them; this takes the first.": three_errors,
                    "If several hypotheses are heaviest, MAP draws one of them; this takes the last.": _errors(_last),
                    "If several hypotheses are heaviest, MAP draws one of them; this takes the luckiest.": _errors(max),
                },
            },
        ],
        "almost_right": {
            "all labels but one taken together": lambda weights, says: three_errors(
                weights, [each == says[0] for each in says]
            ),
        },
        "read": "2 · Can anything beat the vote?",
        "hint": "First the share of each label: the weight of the hypotheses that name it, divided by the sum of all weights. Whoever names a label is right with the probability of its share.",
        "right": "One posterior, three ways to answer, three errors.",
    },
    "worth": {
        "kind": "number",
        "points": 1,
        "solve": worth,
        "varies": True,
        "low": 0,
        "mistakes": {
            "map-answer": _worth(frost=lambda weights, says: says[0]),
            "hard-votes": _worth(frost=lambda weights, says: sum(w for w, p in zip(weights, says) if p >= 0.5)),
            "count-votes": _worth(frost=lambda weights, says: sum(says) / len(says)),
            "Even with the forecast, covering has to be paid when frost comes.": _worth(lambda p, c, h: min(c, p * h)),
            "Without the forecast you choose the cheaper action, not the dearer one.": _worth(
                lambda p, c, h: max(c, p * h) - p * c
            ),
            "Without the forecast you choose the action that costs less on average, not the one for the more probable weather.": _worth(
                lambda p, c, h: (c if p > 0.5 else p * h) - p * c
            ),
            "This compares with covering every night; without the forecast it may be better not to cover.": _worth(
                lambda p, c, h: (1 - p) * c
            ),
            "equal-costs": _worth(lambda p, c, h: min(p, 1 - p)),
        },
        "read": "4 · When errors don't weigh the same",
        "hint": "First P(frost) by the vote. Then the expected costs of covering and of not covering, of which you pay the smaller; and what you pay on average if you cover only on nights with frost.",
        "right": "That is what knowing is worth, and no forecast should cost more.",
    },
    "vote_error": {
        "kind": "number",
        "points": 1,
        "builds_on": "optimal",
        "solve": vote_error,
        "varies": True,
        "probability": True,
        "mistakes": {
            "other-answer": lambda student: 1 - vote_error(student),
            "map-answer": _heard(_favourite),
            "prior-only": _heard(HEARD["prior-only"]),
            "count-votes": _heard(_counted),
            "match": _heard(count=_matched),
            "training-is-all": _heard(count=_seen_errors),
            "The 20 people that were seen are not among the others.": _heard(count=_everybody),
            "Kinds differ in size: count people, not kinds.": _heard(count=_kinds),
        },
        "read": "Back to the ship",
        "hint": "Give all 46 rules the same prior and call your function with the table and the people seen. For each kind with P(survived) above one half the vote is wrong about those who died, for each other kind about those who survived; divide by the number of all the others.",
        "right": "The vote, judged on people it had not seen.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "A random rule guesses where the other two decide, so it errs more often than both of them, whatever share of the weight says +.",
            "B": "A random rule errs twice as often as the vote, whatever share of the weight says +: that is the price of a random draw.",
            "C": "While less than half of the weight says +, a random rule errs less often than the best rule; beyond one half, the best rule errs as seldom as the vote.",
            "D": "The curve of the random rule stays below the line of twice the vote, so for every single truth a random rule errs at most twice as often as the vote does.",
        },
        "solve": "C",
        "mistakes": {"A": "random-worst", "B": "bound-for-value", "D": "always"},
        "read": "2 · Can anything beat the vote?",
        "hint": "Compare the three curves left of one half, then right of it, and ask over which truths they are averages.",
        "right": "The best rule is worse than chance where it is in the minority, and optimal where it is not.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: every hypothesis on the list has a share of the prior, so a longer list takes weight from the others; twenty rules that say nearly the same act like twenty votes of one, and P(survived | D) moves towards what they say although no data has spoken for it.",
            "1 point: the vote is optimal only on average over truths drawn from the very prior that is used; another list is another prior, and the proof does not compare the two (it also assumes that the truth is on the list). Accept: optimal among the methods for one list, not among lists.",
        ],
    },
}
