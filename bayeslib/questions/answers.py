"""Answers: what a function makes of a case, whether two agree, how one is told in a sentence, and digests that tell nothing."""

import copy
import hashlib
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from numbers import Real

import numpy as np

NOTHING = 1e-12  # a number below it counts as 0: what is left there is rounding, another on each processor
PLACEHOLDER = "your id here"  # what stands in a handout where a student's id belongs


def outcome(function, case):
    """What a function makes of a case: its value, or the exception that stopped it. The case itself stays as it was."""
    try:
        return function(*copy.deepcopy(case))
    except Exception as error:  # whatever a reader's code does, the answer is a sentence
        return error


def same(value, wanted, rel_tol=1e-6):
    """Whether two answers agree: numbers nearly, mappings key by key, sequences and arrays element by element."""
    if wanted is None:
        return value is None
    if isinstance(wanted, (str, bool)):
        return type(value) in (type(wanted), np.bool_) and value == wanted
    if isinstance(wanted, Mapping):
        return (
            isinstance(value, Mapping)
            and value.keys() == wanted.keys()
            and all(same(value[key], wanted[key], rel_tol) for key in wanted)
        )
    if isinstance(wanted, (Sequence, np.ndarray)):
        return (
            isinstance(value, (Sequence, np.ndarray))
            and not isinstance(value, str)
            and len(value) == len(wanted)
            and all(same(mine, yours, rel_tol) for mine, yours in zip(value, wanted))
        )
    if isinstance(value, (str, bytes)):
        return False  # float("0.8") would take a text for the number
    try:
        value, wanted = float(value), float(wanted)
    except (TypeError, ValueError, OverflowError):
        return False
    return math.isclose(value, wanted, rel_tol=rel_tol, abs_tol=NOTHING) or (math.isnan(value) and math.isnan(wanted))


def rounded(value, wanted):
    """Whether an answer is the wanted one but for rounding: each number agrees to the digits that it gives.

    >>> rounded(0.14, 0.1404), rounded((5, 2.68), (5.0, 2.6833)), rounded(0.15, 0.1404), rounded(0, 0.1404)
    (True, True, False, False)
    """
    mine, yours = dict(leaves(value)), dict(leaves(wanted))
    return mine.keys() == yours.keys() and all(same(mine[at], yours[at]) or _agrees(mine[at], yours[at]) for at in mine)


def third_digit(value, wanted):
    """Whether a number is right to the third digit: the third decimal, or below 0.1 the third digit that is not a leading 0.

    >>> third_digit(0.525, 0.5247), third_digit(0.52, 0.5247), third_digit(0.0123, 0.01234), third_digit(703.4, 703.44)
    (True, False, True, False)
    """
    if not all(_is_number(each) and math.isfinite(each) for each in (value, wanted)) or wanted == 0:
        return same(value, wanted)
    return abs(value - wanted) <= 0.5001 * 10.0 ** (min(0, math.floor(math.log10(abs(wanted))) + 1) - 3)


def broken(value):
    """Whether a function came to grief: it stopped, or a number of its result is infinite or none.

    >>> broken(ZeroDivisionError()), broken([0.5, math.nan]), broken([0.5, 0.5])
    (True, True, False)
    """
    return isinstance(value, Exception) or any(
        _is_number(each) and not math.isfinite(each) for _, each in leaves(value)
    )


def matching_mistakes(value, wanted, mistakes, keys=()):
    """Those of the mistakes (tag to what it makes of the case) that a wrong value points to, and in a dict its wrong `keys`.

    They make the same of the case; or the value is broken, as theirs is, where the right one is not.

    >>> matching_mistakes(0.8, 0.14, {"inverse": 0.8, "no-logs": ZeroDivisionError()})
    ['inverse']
    >>> matching_mistakes(ValueError(), 0.14, {"inverse": 0.8, "no-logs": ZeroDivisionError()})
    ['no-logs']
    """
    if keys:
        value, wanted, *others = (_part(each, keys) for each in (value, wanted, *mistakes.values()))
        mistakes = dict(zip(mistakes, others))
    agree = [tag for tag, wrong in mistakes.items() if same(value, wrong) and not same(wrong, wanted)]
    if agree or not broken(value) or broken(wanted):
        return agree
    return [tag for tag, wrong in mistakes.items() if broken(wrong)]


def _part(value, keys):
    return {key: value.get(key) for key in keys} if isinstance(value, Mapping) else value


def wrong_keys(value, wanted, keys, rel_tol=1e-6):
    """Which of the keys of a dict do not hold what is wanted there; all of them if it is no such dict."""
    if not isinstance(value, Mapping) or not isinstance(wanted, Mapping):
        return list(keys)
    return [key for key in keys if key not in value or not same(value[key], wanted[key], rel_tol)]


def difference(value, wanted, place="result"):
    """Where a long result begins to differ from the right one, in words; empty where it is of another kind.

    >>> difference({"K": [0.5, 0.5]}, {"K": [0.5, 0.2]}), difference({}, {"K": 1}), difference([1], [1, 2])
    ("result['K'][1] is 0.5, expected 0.2", "result['K'] is missing", 'result has length 1, expected 2')
    """
    if isinstance(wanted, Mapping) and isinstance(value, Mapping):
        for key in [*wanted, *value]:
            if key not in value or key not in wanted:
                return f"{place}[{key!r}] {'is not asked for' if key in value else 'is missing'}"
        parts = [(key, value[key], wanted[key]) for key in wanted]
    elif all(isinstance(each, (Sequence, np.ndarray)) and not isinstance(each, str) for each in (value, wanted)):
        if len(value) != len(wanted):
            return f"{place} has length {len(value)}, expected {len(wanted)}"
        parts = [(number, *both) for number, both in enumerate(zip(value, wanted))]
    else:
        return f"{place} is {shorten(value)}, expected {shorten(wanted)}" if place != "result" else ""
    return next((difference(mine, yours, f"{place}[{at!r}]") for at, mine, yours in parts if not same(mine, yours)), "")


def kind_of(value):
    """The kind of an answer in words, which tell nothing of its content.

    >>> kind_of({"a": 1}), kind_of((1, 2)), kind_of(0.5)
    ('a dict', 'a tuple', 'a number')
    """
    kinds = {dict: "a dict", list: "a list", tuple: "a tuple", str: "a text", bool: "True or False"}
    if isinstance(value, (ValueError, np.ndarray)):
        return "a ValueError" if isinstance(value, ValueError) else "an array"
    return kinds.get(type(value), "a number")


def in_words(keys):
    """Names in a sentence.

    >>> in_words(["means", "weights"])
    '`means` and `weights`'
    """
    *first, last = [f"`{key}`" for key in keys]
    return f"{', '.join(first)} and {last}" if first else last


def _agrees(value, wanted):
    if not all(_is_number(each) and math.isfinite(each) for each in (value, wanted)):
        return False
    decimals = max(0, -Decimal(repr(float(value))).as_tuple().exponent)
    return abs(value - wanted) <= min(0.5001 * 10**-decimals, 0.05 * abs(wanted))


def _is_number(value):
    return isinstance(value, (Real, np.number)) and not isinstance(value, (bool, np.bool_))


def impossible(task, value):
    """Why a number cannot be the one that is asked for, whatever the data; empty where it may be.

    >>> impossible({"low": 0, "high": 10}, 12), impossible({"low": 0}, -1)
    ('The number asked for lies between 0 and 10.', 'The number asked for is at least 0.')
    >>> impossible({"probability": True}, 98), impossible({"whole": True}, 2.5), impossible({"low": 0}, 3)
    ('A probability lies between 0 and 1.', 'The number asked for is a whole number.', '')
    """
    if not _is_number(value):
        return ""
    low, high = (0, 1) if task.get("probability") else (task.get("low", -math.inf), task.get("high", math.inf))
    if math.isnan(value) or low <= value <= high:
        return "The number asked for is a whole number." if task.get("whole") and value % 1 else ""
    if task.get("probability"):
        return "A probability lies between 0 and 1."
    if math.isinf(high) or math.isinf(low):
        return f"The number asked for is at {f'least {low:g}' if math.isinf(high) else f'most {high:g}'}."
    return f"The number asked for lies between {low:g} and {high:g}."


def texts(value, wanted):
    """The texts in an answer that stand where a number is wanted.

    >>> texts(("a", "0.8"), ("a", 0.8))
    ['0.8']
    """
    numbers = {at for at, each in leaves(wanted) if _is_number(each)}
    return [each for at, each in leaves(value) if isinstance(each, str) and at in numbers and (at or each is value)]


def shuffled(options, salt, student):
    """The options of a choice in a student's own order: shown letter to written letter. A text of letters stays as it is.

    >>> shuffled({"A": "yes", "B": "no", "C": "perhaps"}, "01/reading", "ada")
    {'A': 'A', 'B': 'C', 'C': 'B'}
    """
    if isinstance(options, str):
        return dict(zip(options, options))
    seed = f"{salt}/{str(student).strip().lower()}"
    drawn = sorted(options, key=lambda letter: hashlib.sha256(f"{seed}/{letter}".encode()).digest())
    return dict(zip(sorted(options), drawn))


def shorten(value):
    """A value in a sentence: four digits of a number, 60 characters of anything else."""
    if isinstance(value, Real) and not isinstance(value, (bool, int)):
        return f"{float(value):.4g}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def digests(value, rounds, salt, digits=6, slack=0.0):
    """For each leaf of an answer its digest; with a `slack` also those of its neighbours, where it lies near a border."""
    return [
        [
            hashlib.pbkdf2_hmac("sha256", text.encode(), f"{salt}{path}".encode(), rounds).hex()[:12]
            for text in sorted({_text(number, digits) for number in _near(leaf, slack)})
        ]
        for path, leaf in leaves(value)
    ]


def leaves(value, path=""):
    """(where, what) for every number, text and truth value inside an answer; lists, tuples and arrays are all alike."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        for text, key in sorted(((_text(key, 12), key) for key in value), key=lambda pair: pair[0]):
            yield from leaves(value[key], f"{path}/{text}")
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield path, f"{len(value)} entries"
        for place, inner in enumerate(value):
            yield from leaves(inner, f"{path}/{place}")
    else:
        yield path, value


def _near(leaf, slack):
    """The number and its neighbours, if it is a number; else only itself."""
    if slack and _is_number(leaf):
        return [leaf, leaf * (1 - slack), leaf * (1 + slack)]
    return [leaf]


def _text(leaf, digits):
    if isinstance(leaf, tuple):
        return repr([_text(each, digits) for each in leaf])
    if isinstance(leaf, np.generic):
        leaf = leaf.item()
    if isinstance(leaf, (bool, str)) or not isinstance(leaf, Real):
        return repr(leaf)[:1000]
    number = float(leaf)
    return "0" if abs(number) < NOTHING else f"{number:.{digits - 1}e}"
