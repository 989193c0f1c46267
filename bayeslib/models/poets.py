"""Who wrote this line, Shakespeare or Milton? Naive Bayes for two authors, in odds, word by word (section 05).

    P(A|text) : P(B|text) = P(A) : P(B) × Π_words P(word|A) : P(word|B),   P(word|A) = (n_A + 1) / (N_A + V)

It is `MultinomialNaiveBayes(m="laplace")` for two classes; written in odds it shows what each word is worth.
"""

import re
from collections import Counter
from functools import cache
from typing import NamedTuple

import numpy as np

from bayeslib.data import load_two_poets
from bayeslib.models._checks import sequence, short, true_or_false, whole_number

POETS = ("Shakespeare", "Milton")
LEAST = 3  # how often a word must occur to be counted


def words(text):
    """The words of a text in lower case; an apostrophe inside a word belongs to it (section 05).

    >>> words("Feed'st thy light'st flame, my love")
    ["feed'st", 'thy', "light'st", 'flame', 'my', 'love']
    """
    if not isinstance(text, str):
        raise ValueError(f"text must be a text, got {short(text)}")
    return re.findall(r"[a-z]+(?:'[a-z]+)*", text.lower())


def word_odds(mine, other, least=LEAST, shared=False):
    """{word: P(word|mine) / P(word|other)}, counted in two sequences of words (section 05).

    P(word|mine) = (n + 1) / (N + V), where n is how often the word occurs in `mine`, N how many words of
    `mine` are in the vocabulary, and V the size of the vocabulary: the words that occur `least` times in
    both together or, with `shared`, in each of the two.

    >>> odds = word_odds(["my", "my", "love"], ["my", "wars"], least=1)
    >>> {word: round(ratio, 2) for word, ratio in odds.items()}
    {'my': 1.25, 'love': 1.67, 'wars': 0.42}
    """
    least, shared = whole_number(least, "least"), true_or_false(shared, "shared")
    counts = [_count(text, name) for text, name in ((mine, "mine"), (other, "other"))]
    enough = min if shared else sum
    known = [w for w in counts[0] | counts[1] if enough(count.get(w, 0) for count in counts) >= least]
    if not known:
        raise ValueError(f"least and shared must leave a word of mine and other, got {least}, {shared}")
    n = np.array([[count.get(word, 0) for word in known] for count in counts])
    p = (n + 1) / (n.sum(axis=1, keepdims=True) + len(known))
    return dict(zip(known, (p[0] / p[1]).tolist()))


def _count(words, name):
    words = sequence(words, name, "words")
    if not all(isinstance(word, str) for word in words):
        raise ValueError(f"{name} must be a sequence of words, got {short(words)}")
    return Counter(words)


def halves(seed=0):
    """(train, test): half of the 304 passages to learn from, and the other half held out (section 05).

    >>> train, test = halves(seed=0)
    >>> train["author"].value_counts().to_dict(), len(test)
    ({'Shakespeare': 77, 'Milton': 75}, 152)
    """
    poets = load_two_poets()
    order = np.random.default_rng(whole_number(seed, "seed", 0)).permutation(len(poets))
    return poets.iloc[order[: len(poets) // 2]], poets.iloc[order[len(poets) // 2 :]]


class HeldOut(NamedTuple):
    """ln odds of the true author against the other, for each held-out line and each held-out passage."""

    lines: np.ndarray
    passages: np.ndarray


def held_out(splits=10, shared=True, shuffle=None):
    """The predictions of naive Bayes for the held-out halves of several splits, pooled, as a `HeldOut` (section 05).

    shuffle  a seed with which each poet's words are first dealt out anew among his own lines, each as long as before

    >>> odds = held_out(splits=1)
    >>> len(odds.lines), round(float((odds.lines > 0).mean()), 3), round(float((odds.passages > 0).mean()), 3)
    (2128, 0.703, 0.882)
    """
    splits, shared = whole_number(splits, "splits", most=100), true_or_false(shared, "shared")
    parts = [_one_split(seed, shared, shuffle) for seed in range(splits)]
    return HeldOut(*(np.concatenate(arrays) for arrays in zip(*parts)))


@cache
def _one_split(seed, shared, shuffle):
    lines = _lines(shuffle)
    train, test = (
        [(author == POETS[0], lines[place]) for place, author in half["author"].items()] for half in halves(seed)
    )
    words_a, words_b = (
        [word for is_a, lines in train for line in lines for word in line if is_a == wanted] for wanted in (True, False)
    )
    value = {word: np.log(odds) for word, odds in word_odds(words_a, words_b, shared=shared).items()}
    log_odds = np.array([[sum(value.get(word, 0) for word in line) for line in lines] for _, lines in test])
    count_a = sum(is_a for is_a, _ in train)
    prior, sign = np.log(count_a / (len(train) - count_a)), np.where([is_a for is_a, _ in test], 1, -1)
    return (sign[:, None] * (log_odds + prior)).ravel(), sign * (log_odds.sum(axis=1) + prior)


@cache
def _lines(shuffle=None):
    """The words of each line of each passage."""
    poets = load_two_poets()
    lines = [[words(line) for line in text.split(" / ")] for text in poets["text"]]
    if shuffle is None:
        return lines
    random = np.random.default_rng(shuffle)
    for poet in POETS:
        his = [line for passage, author in zip(lines, poets["author"]) for line in passage if author == poet]
        hat = iter(random.permutation([word for line in his for word in line]).tolist())
        for line in his:
            line[:] = [next(hat) for _ in line]
    return lines
