"""Exercise 05: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from collections import Counter
from functools import cache

import data


def _shared(scores):
    total = sum(scores.values())
    if total == 0:
        raise ValueError("every class has the score 0, and 0/0 is not a probability")
    return {each: score / total for each, score in scores.items()}


def _scores(rows, labels, query, share=lambda known, mine, value: known.count(value) / len(known)):
    """P(class) times `share(recorded values, all values, value)` of each attribute that the query knows."""
    scores = {}
    for each in sorted(set(labels)):
        mine = [row for row, label in zip(rows, labels) if label == each]
        scores[each] = len(mine) / len(rows)
        for place, value in enumerate(query):
            if value is not None:
                column = [row[place] for row in mine]
                scores[each] *= share([one for one in column if one is not None], column, value)
    return scores


def known_posterior(rows, labels, query):
    return _shared(_scores(rows, labels, query))


def _common(labels):
    return {each: labels.count(each) / len(labels) for each in sorted(set(labels))}


def or_common(rows, labels, query):
    """The other variant: where every score is 0, how common the classes are."""
    scores = _scores(rows, labels, query)
    return _shared(scores) if any(scores.values()) else _common(labels)


def _no_prior(rows, labels, query):
    return _shared({each: score / labels.count(each) for each, score in _scores(rows, labels, query).items()})


def _reverse(rows, labels, query):
    """Counted within the value instead of within the class."""
    scores = _common(labels)
    for place, value in enumerate(query):
        mine = [label for row, label in zip(rows, labels) if row[place] == value]
        if value is not None and mine:
            scores = {each: score * mine.count(each) / len(mine) for each, score in scores.items()}
    return _shared(scores)


def _reverse_only(rows, labels, query):
    """The product of P(class | value) alone."""
    shares, found = _common(labels), _reverse(rows, labels, query)
    return _shared({each: found[each] / shares[each] for each in found})


def _complete(rows, labels, query, asked=lambda query: range(len(query))):
    kept = [place for place, row in enumerate(rows) if all(row[each] is not None for each in asked(query))]
    return known_posterior([rows[place] for place in kept], [labels[place] for place in kept], query)


def _asked_for(rows, labels, query):
    """Only rows in which all that the query knows is recorded."""
    return _complete(
        rows, labels, query, lambda query: [place for place, value in enumerate(query) if value is not None]
    )


def _complete_counts(rows, labels, query):
    """The classes counted in all rows, the values in complete ones only."""
    kept = [place for place, row in enumerate(rows) if None not in row]
    scores = _common(labels)
    for each in scores:
        mine = [rows[place] for place in kept if labels[place] == each]
        for place, value in enumerate(query):
            if value is not None:
                scores[each] *= [row[place] for row in mine].count(value) / len(mine)
    return _shared(scores)


def _as_miss(rows, labels, query):
    return _shared(_scores(rows, labels, query, lambda known, mine, value: known.count(value) / len(mine)))


def _as_value(rows, labels, query):
    """None in the query is looked for in the rows like any value, unless it is in none of them."""
    scores = {}
    for each, score in _scores(rows, labels, query).items():
        mine = [row for row, label in zip(rows, labels) if label == each]
        for place, value in enumerate(query):
            if value is None:
                score *= sum(row[place] is None for row in mine) / len(mine)
        scores[each] = score
    return _shared(scores)


def _filled(rows, labels, query):
    likely = [Counter(one for one in column if one is not None).most_common(1)[0][0] for column in zip(*rows)]
    return known_posterior(rows, labels, [fill if value is None else value for value, fill in zip(query, likely)])


def _add_one(rows, labels, query):
    values = [len({one for one in column if one is not None}) for column in zip(*rows)]
    scores = {}
    for each in sorted(set(labels)):
        mine = [row for row, label in zip(rows, labels) if label == each]
        scores[each] = len(mine) / len(rows)
        for place, value in enumerate(query):
            if value is not None:
                known = [row[place] for row in mine if row[place] is not None]
                scores[each] *= (known.count(value) + 1) / (len(known) + values[place])
    return _shared(scores)


def _marginals(rows, labels, query):
    product = 1.0
    for place, value in enumerate(query):
        if value is not None:
            known = [row[place] for row in rows if row[place] is not None]
            product *= known.count(value) / len(known)
    return {each: score / product if product else math.nan for each, score in _scores(rows, labels, query).items()}


def _zeros(rows, labels, query):
    scores = _scores(rows, labels, query)
    return _shared(scores) if any(scores.values()) else scores


def _equal(rows, labels, query):
    scores = _scores(rows, labels, query)
    return _shared(scores if any(scores.values()) else dict.fromkeys(scores, 1))


COUNTED = {
    "inverse: Count within the class: P(value | class), not P(class | value).": _reverse,
    "base-rate: The product starts with P(class).": _no_prior,
    "inverse: For each value the share of the value in the class is asked for, not the share of the class among those with the value.": _reverse_only,
    "joint-posterior": _scores,
    "drop-rows": _complete,
    "drop-rows: Each attribute has its own rows: those in which this one is recorded.": _asked_for,
    "drop-rows: A row with a gap still counts for the attributes that it has.": _complete_counts,
    "gap-as-value: Divide by the rows of the class in which the attribute is recorded.": _as_miss,
    "gap-as-value: A None in the query has no factor at all.": _as_value,
    "An attribute that is not known has no factor; a value filled in would count as if it had been observed.": _filled,
    "Plain fractions are asked for here: nothing is added to the counts.": _add_one,
    "marginals": _marginals,
}
NAMES = [["sweet", "sour"], ["small", "large", "huge"], ["red", "green", "yellow"]]


def draw_fruit(random):
    """Rows with gaps; one of each class has the query's values, so that no score is 0. Some queries know nothing."""
    classes = [str(each) for each in random.permutation(["apple", "cherry", "grape"])[: random.integers(2, 4)]]
    query = [str(random.choice(options)) for options in NAMES]
    rows, labels = [list(query) for _ in classes], list(classes)
    for _ in range(random.integers(6, 14)):
        row = [str(random.choice(options)) for options in NAMES]
        for place in range(3):
            if random.random() < 0.25:
                row[place] = None
        rows.append(row)
        labels.append(classes[int(random.integers(2 * len(classes)) % (len(classes) + 1)) % len(classes)])
    rows += [[options[-1] for options in NAMES], [None, NAMES[1][0], None]]
    labels += [classes[0], classes[0]]
    unknown = random.random()
    for place in random.permutation(3)[: 3 if unknown < 0.2 else 1 if unknown < 0.7 else 0]:
        query[place] = None
    order = random.permutation(len(rows))
    return [rows[place] for place in order], [labels[place] for place in order], query


def draw_vetoed(random):
    """Two times out of three no class is left: a value that none has shown, or each class lacks another of the values."""
    rows, labels, query = draw_fruit(random)
    kind = random.integers(3)
    if kind == 0:
        return rows, labels, query
    if kind == 1:
        return rows, labels, [*query[:-1], "blue"]
    first = labels[0]
    rows = [
        ["sour" if label == first else row[0], row[1], "red" if label != first and row[2] else row[2]]
        for row, label in zip(rows, labels)
    ]
    return rows, labels, ["sweet", None, "green"]


def _of_words(how):
    """ln of the odds, if `how(documents, query, vocabulary)` gives a list of the factors of one poet."""

    def log_odds(first, second, query, vocabulary):
        one, other = (
            sum(math.log(each) for each in how(documents, query, vocabulary)) for documents in (first, second)
        )
        return math.log(len(first) / len(second)) + one - other

    return log_odds


def _factors(documents, query, vocabulary, above=1, below=2):
    shares = [(sum(word in each for each in documents) + above) / (len(documents) + below) for word in vocabulary]
    return [share if word in query else 1 - share for word, share in zip(vocabulary, shares)]


log_odds = _of_words(_factors)


def _present(documents, query, vocabulary):
    return [p for p, word in zip(_factors(documents, query, vocabulary), vocabulary) if word in query]


def _multinomial(documents, query, vocabulary):
    words = [word for each in documents for word in each if word in vocabulary]
    return [(words.count(word) + 1) / (len(words) + len(vocabulary)) for word in query if word in vocabulary]


def _repeated(documents, query, vocabulary):
    """Every occurrence in the query counts, and every absent word."""
    shares = dict(zip(vocabulary, _factors(documents, vocabulary, vocabulary)))
    return [shares[word] for word in query if word in shares] + [1 - shares[w] for w in vocabulary if w not in query]


def _occurrences(documents, query, vocabulary):
    shares = [(sum(each.count(word) for each in documents) + 1) / (len(documents) + 2) for word in vocabulary]
    return [share if word in query else 1 - share for word, share in zip(vocabulary, shares)]


def _any_word(documents, query, vocabulary):
    """Words of the query count, whether they are in the vocabulary or not."""
    return _factors(documents, query, list(dict.fromkeys([*vocabulary, *query])))


def _all_words(first, second, query, vocabulary):
    """Every word of the documents and of the query is taken for one of the vocabulary."""
    words = [word for each in [vocabulary, query, *first, *second] for word in each]
    return log_odds(first, second, query, list(dict.fromkeys(words)))


def _products(first, second, query, vocabulary):
    one, other = (math.prod(_factors(documents, query, vocabulary)) for documents in (first, second))
    return math.log(len(first) * one / (len(second) * other))


POETS = "Shakespeare", "Milton"
WORDS = ["my", "thy", "the", "of", "and", "love", "earth", "is", "to"]


def draw_documents(random):
    """A few short documents of each poet, with words that are repeated and words outside the vocabulary."""

    def document(least=0):
        return [str(random.choice(WORDS)) for _ in range(random.integers(least, 8))]

    first, second = (
        [document() for _ in range(random.integers(3, 6))],
        [document() for _ in range(random.integers(6, 9))],
    )
    if random.random() < 0.5:
        first, second = second, first
    vocabulary = [str(each) for each in random.permutation(WORDS[:-2])[: random.integers(4, 7)]]
    query = [*document(2), "to", vocabulary[0], vocabulary[0], "hello"]
    return first, second, query if random.random() < 0.8 else [], vocabulary


def draw_large(random):
    """So many words that the product of their factors is rounded to 0."""
    vocabulary = [f"w{number}" for number in range(500)]

    def documents(number):
        return [[str(each) for each in random.choice(vocabulary, 8)] for _ in range(number)]

    few, many = int(random.integers(8, 10)), int(random.integers(10, 12))
    query = [str(each) for each in random.permutation(vocabulary)[:460]]
    return documents(few), documents(many), query, vocabulary


def _sailing(student, skip=("Flag",), how=known_posterior):
    log = data.log(student)
    query = [None if name in skip else value for name, value in zip(log["columns"], log["today"])]
    return how(log["rows"], log["labels"], query)["yes"]


@cache
def _said(student, how=log_odds, tested="held out"):
    """ln of the odds of the true poet of each passage."""
    poems = data.poems(student)
    first, second = ([set(each) for each in poems[poet]] for poet in POETS)
    learned = [(poet, each) for poet in POETS for each in poems[poet]]
    return [
        (1 if poet == POETS[0] else -1) * how(first, second, words, poems["vocabulary"])
        for poet, words in poems.get(tested, learned)
    ]


def _loss(odds):
    return sum(math.log1p(math.exp(-each)) for each in odds) / len(odds)


def log_loss(student):
    return _loss(_said(student))


def _no_class_prior(first, second, query, vocabulary):
    return log_odds(first, second, query, vocabulary) - math.log(len(first) / len(second))


def _chance_of(odds):
    return [1 / (1 + math.exp(-each)) for each in odds]


FRUIT = [
    ["sweet", "small"],
    ["sweet", "large"],
    ["sour", None],
    [None, "small"],
    ["sweet", "small"],
    ["sour", "large"],
    [None, "large"],
    ["sweet", None],
]
TREES = ["cherry", "apple", "apple", "apple", "cherry", "cherry", "apple", "apple"]
THREE = [*TREES[:3], "grape", *TREES[4:6], "grape", "grape"]
MY = [["my", "love", "is", "my", "love"], ["thy", "love"], ["my", "thy", "my"]]
THE = [["the", "earth", "and", "the"], ["my", "the", "of"], ["of", "the"], ["and", "thy", "of"], []]
MANY = [f"w{number}" for number in range(420)]

TASKS = {
    "known_posterior": {
        "kind": "function",
        "points": 2,
        "arguments": "rows, labels, query",
        "solve": known_posterior,
        "cases": [
            (FRUIT, TREES, ["sweet", "large"]),
            (FRUIT, TREES, ["sour", None]),
            (FRUIT, THREE, [None, "small"]),
            (FRUIT, TREES, [None, None]),
            (FRUIT, ["a", "a", "a", "b", "a", "b", "b", "b"], ["sour", "large"]),
            (FRUIT, TREES, [None, "round"]),
            ([["sour", "red"], ["sweet", None], ["sweet", "green"]], ["x", "y", "y"], ["sour", "green"]),
        ],
        "checks": [
            {"says": "rows and queries with gaps", "points": 1, "draw": draw_fruit, "times": 8},
            {"says": "every score 0, or not", "points": 1, "draw": draw_vetoed, "times": 12},
        ],
        "mistakes": {
            "empty-zero": _zeros,
            **COUNTED,
            "Where every score is 0 there is no posterior, and how common the classes are does not replace it.": or_common,
        },
        "variants": [
            {},
            {
                "solve": or_common,
                "mistakes": {
                    "Where every score is 0, the shares of the classes are asked for here.": known_posterior,
                    "Where every score is 0, the shares of the classes are asked for here, and not zeros.": _zeros,
                    "Where every score is 0, the shares of the classes are asked for here, and not equal ones.": _equal,
                    **COUNTED,
                },
            },
        ],
        "almost_right": {
            "a ValueError only for values never seen": lambda rows, labels, query: (
                _zeros
                if all(value is None or value in column for value, column in zip(query, zip(*rows)))
                else known_posterior
            )(rows, labels, query),
            "stops at the first None": lambda rows, labels, query: known_posterior(
                rows, labels, query[: [*query, None].index(None)]
            ),
        },
        "read": "3 · What a score can say",
        "hint": "For each class: its share of all rows, times, for each value that the query knows, its share of those rows of the class in which this attribute is recorded. Divide by the sum of the scores at the end.",
        "right": "What was not recorded took no part, in the rows or in the query.",
    },
    "honest": {
        "kind": "number",
        "builds_on": "known_posterior",
        "points": 1,
        "solve": _sailing,
        "varies": True,
        "probability": True,
        "mistakes": {
            "copy-is-free": lambda student: _sailing(student, skip=()),
            "dropped-copies": lambda student: _sailing(student, skip=("Flag", "Wind")),
            "other-answer": lambda student: 1 - _sailing(student),
            "drop-rows": lambda student: _sailing(student, how=_complete),
            "gap-as-value: Divide by the days on which the air was recorded.": lambda student: _sailing(
                student, how=_as_miss
            ),
            "base-rate: The product starts with P(class).": lambda student: _sailing(student, how=_no_prior),
            "inverse: Count within the class: P(value | class), not P(class | value).": lambda student: _sailing(
                student, how=_reverse
            ),
            "joint-posterior": lambda student: _sailing(student, how=_scores),
            "The air of today is known, so it counts as well.": lambda student: _sailing(student, skip=("Flag", "Air")),
        },
        "read": "5 · The same clue twice",
        "hint": "Which column only repeats another one? Treat one of the two as not known today.",
        "right": "The wind was counted once.",
    },
    "log_odds": {
        "kind": "function",
        "points": 3,
        "arguments": "first, second, query, vocabulary",
        "solve": log_odds,
        "cases": [
            (MY, THE, ["my", "my", "earth", "hello"], ["my", "the", "of"]),
            (MY, MY, ["love"], ["love", "thy"]),
            (MY, THE, [], ["is", "of", "love"]),
            (THE, MY, ["love", "the", "of", "the"], ["the", "and", "love", "hell"]),
            ([MANY[:400]], [[]] * 20, MANY[:400], MANY),
            ([[]] * 20, [MANY[:400]], MANY[:400], MANY),
            ([MANY[:9], *MY, *THE], [MANY[3:15], ["w7"], *MY, *THE, *THE], MANY[:400], MANY),
        ],
        "checks": [
            {"says": "a few short documents", "points": 2, "draw": draw_documents, "times": 8},
            {"says": "hundreds of words", "points": 1, "draw": draw_large, "times": 2},
        ],
        "mistakes": {
            "no-logs": _products,
            "deaf-to-negatives: A word of the vocabulary that the query lacks has the factor 1 − P(word | poet).": _of_words(
                _present
            ),
            "event-model": _of_words(_multinomial),
            "event-model: A word that the query repeats still has one factor.": _of_words(_repeated),
            "event-model: Count the documents that contain the word, not how often it occurs in them.": _of_words(
                _occurrences
            ),
            "base-rate: The odds begin with the numbers of documents.": _no_class_prior,
            "unseen-zero": _of_words(lambda *case: _factors(*case, above=0, below=0)),
            "A word is present in a document or absent: two values, so the denominator grows by 2.": _of_words(
                lambda documents, query, vocabulary: _factors(documents, query, vocabulary, below=len(vocabulary))
            ),
            "one-below: With one document added in which the word occurs and one in which it does not, the denominator grows by 2.": _of_words(
                lambda *case: _factors(*case, below=1)
            ),
            "These are the odds; their natural logarithm is asked for.": lambda *case: math.exp(
                min(log_odds(*case), 700)
            ),
            "This is the probability; the natural logarithm of the odds is asked for.": lambda *case: (
                1 / (1 + math.exp(min(-log_odds(*case), 700)))
            ),
            "Words of the query that are not in the vocabulary do not count.": _of_words(_any_word),
            "Only the words of the vocabulary are attributes; other words of the documents do not count.": _all_words,
            "These are the odds of second against first.": lambda *case: -log_odds(*case),
            "The natural logarithm is asked for.": lambda *case: log_odds(*case) / math.log(2),
        },
        "read": "4 · Word by word",
        "hint": "For each word of the vocabulary and each poet: P = (documents with the word + 1) / (documents + 2). Add ln P if the query has the word and ln(1 − P) if not; take the difference of the two poets, and add ln of the prior odds. In the lesson love is in 44 of 77 sonnets: 45/79 if it's there, 34/79 if not.",
        "right": "Words that are there and words that are not: every one had its factor.",
    },
    "log_loss": {
        "kind": "number",
        "builds_on": "log_odds",
        "points": 1,
        "solve": log_loss,
        "varies": True,
        "low": 0,
        "mistakes": {
            "training-is-all": lambda student: _loss(_said(student, tested="")),
            "sign-flip": lambda student: -log_loss(student),
            "This is the loss of the wrong poet's probability.": lambda student: _loss(
                [-each for each in _said(student)]
            ),
            "This is the loss of the poet that is named; the true poet's is asked for.": lambda student: _loss(
                [abs(each) for each in _said(student)]
            ),
            "This is the sum over the passages; their mean is asked for.": lambda student: 60 * log_loss(student),
            "The natural logarithm is asked for.": lambda student: log_loss(student) / math.log(2),
            "This is the share of passages that are given to the wrong poet.": lambda student: (
                sum(each < 0 for each in _said(student)) / 60
            ),
            "Take the logarithm of each probability, and only then the mean.": lambda student: (
                -math.log(sum(_chance_of(_said(student))) / 60)
            ),
            "Take the logarithm of the probability; this is one minus its mean.": lambda student: (
                1 - sum(_chance_of(_said(student))) / 60
            ),
            "The log odds have to become a probability first.": lambda student: -sum(_said(student)) / 60,
            "deaf-to-negatives: Absent words count in this model.": lambda student: _loss(
                _said(student, _of_words(_present))
            ),
            "base-rate: The odds begin with the numbers of passages.": lambda student: _loss(
                _said(student, _no_class_prior)
            ),
        },
        "read": "Back to the poets",
        "hint": "For each passage held out: the log odds of its true poet (change the sign for Milton), from these P = 1/(1 + e to the minus log odds), then −ln P; at the end the mean.",
        "right": "Judged on passages that took no part in the counting.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "In the first figure the assumption of naive Bayes holds, although over all points y rises with x; in the second it fails, although over all points it does not.",
            "B": "In the second figure the assumption of naive Bayes holds, because over all points y rises with x no more than it falls; in the first it fails, because y rises with x.",
            "C": "In the second figure naive Bayes will tell circles from triangles, once it has enough points, because the two shapes lie in different places of the plane and hardly overlap.",
            "D": "In the third figure the assumption of naive Bayes fails, since y rises with x in both classes; so naive Bayes will give most of these points to the wrong class.",
        },
        "solve": "A",
        "mistakes": {"B": "indep", "C": "each-alone", "D": "bad-assumption"},
        "read": "Within the class, or overall?",
        "hint": "Look at the circles alone, then at the triangles alone: does x still tell something about y?",
        "right": "The assumption is about the circles alone and the triangles alone.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: given the poet the words are not independent (thou, thy and thee come together; the topic or the person spoken to shared by the lines), so evidence that is partly the same is multiplied in several times, and the odds become too extreme. Double counting, or copied columns, with an example of words is the same.",
            "1 point: the winner depends only on which score is larger, that is, on the sign of the log odds; counting the same evidence again makes them larger but mostly leaves the sign. Accept: only the order of the scores has to be right, not their values.",
        ],
    },
}
