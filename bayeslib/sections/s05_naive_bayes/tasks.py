"""The practice tasks of section 05. A mistake is a function that errs in a known way, so that its name can be told."""

import math

from bayeslib.data import load_play_tennis
from bayeslib.models.naive_bayes import NaiveBayes

_TABLE = load_play_tennis().to_numpy().tolist()
_DAYS, _ANSWERS = [row[:-1] for row in _TABLE], [row[-1] for row in _TABLE]
_FRUIT = [
    ["sweet", "small"],
    ["sweet", "large"],
    ["sour", "large"],
    ["sour", "small"],
    ["sweet", "small"],
    ["sweet", "large"],
]
_NAMES = ["cherry", "apple", "apple", "grape", "cherry", "cherry"]


def _posterior(rows, labels, query):
    return NaiveBayes().fit(rows, labels).predict_proba(query)


def _shares(scores):
    return {each: score / sum(scores.values()) for each, score in scores.items()}


def _share(part, whole):
    return sum(part) / sum(whole)


def _reverse(rows, labels, query):
    def given(place, each):
        mine = [row[place] == query[place] for row in rows]
        return _share([m and label == each for m, label in zip(mine, labels)], mine)

    return _shares(
        {
            each: labels.count(each) * math.prod(given(place, each) for place in range(len(query)))
            for each in sorted(set(labels))
        }
    )


def _no_prior(rows, labels, query):
    scores = NaiveBayes().fit(rows, labels).scores(query)
    return _shares({each: score / labels.count(each) for each, score in scores.items()})


def _over_marginals(rows, labels, query):
    scores = NaiveBayes().fit(rows, labels).scores(query)
    marginals = math.prod(
        _share([row[place] == value for row in rows], [1] * len(rows)) for place, value in enumerate(query)
    )
    return {each: score / marginals for each, score in scores.items()}


def _factors(mine, other, text):
    """Both smoothed fractions of each word that is in the vocabulary."""
    known = set(mine) | set(other)
    return [
        [(each.count(word) + 1) / (len(each) + len(known)) for each in (mine, other)] for word in text if word in known
    ]


def _log_odds(mine, other, text):
    return sum(math.log(p) - math.log(q) for p, q in _factors(mine, other, text))


def _multiplied(mine, other, text):
    p, q = (math.prod(each) for each in zip(*_factors(mine, other, text)))
    return math.log(p) - math.log(q) if p and q else -math.inf


def _above_only(mine, other, text):
    known = set(mine) | set(other)
    counts = [[(each.count(word) + 1) / len(each) for each in (mine, other)] for word in text if word in known]
    return sum(math.log(p) - math.log(q) for p, q in counts)


_MINE = ["my", "love", "is", "my", "love", "thou", "art", "fair", "my", "love"]
_OTHER = ["he", "stood", "and", "his", "god", "my", "god", "stood", "above", "the", "earth", "and", "he", "had"]

TASKS = {
    "posterior": {
        "arguments": "rows, labels, query",
        "cases": [
            (_DAYS, _ANSWERS, ["sunny", "cool", "high", "strong"]),
            (_DAYS, _ANSWERS, ["rain", "mild", "normal", "weak"]),
            (_FRUIT, _NAMES, ["sweet", "large"]),
        ],
        "solve": _posterior,
        "right": "Counting was the training, multiplying the prediction.",
        "hint": "For each class: its share of the labels, times, for each attribute, the share of its rows that have the value. Divide by the sum at the end.",
        "mistakes": {
            "inverse: Count within the class: P(value | class), not P(class | value).": _reverse,
            "base-rate: The product starts with P(class).": _no_prior,
            "joint-posterior": lambda rows, labels, query: NaiveBayes().fit(rows, labels).scores(query),
            "marginals": _over_marginals,
        },
    },
    "log-odds": {
        "arguments": "mine, other, text",
        "cases": [
            (_MINE, _OTHER, ["my", "love", "stood"]),
            (_MINE, _OTHER, ["he", "saw", "my", "dog"]),
            (_MINE, _OTHER, ["my", "love", "and", "god"] * 100),
        ],
        "solve": _log_odds,
        "right": "400 words, and nothing vanished.",
        "hint": "For each word of the vocabulary: ln of (count + 1)/(words + size of the vocabulary), for mine minus for other.",
        "mistakes": {
            "add-above-only": _above_only,
            "log-sign": lambda *case: -_log_odds(*case),
            "no-logs": _multiplied,
        },
    },
}
