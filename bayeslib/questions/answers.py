"""Answers: running a function on a case, comparing two results, describing one in words, and digests that reveal nothing."""

import copy
import hashlib
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from numbers import Real

import numpy as np

NOTHING = 1e-12  # a number below it counts as 0: it is rounding error, which differs between processors
PLACEHOLDER = "your id here"  # stands in a handout where the student's id belongs


def outcome(function, case):
    """What a function returns for a case, or the exception that it raised. The case itself is not changed."""
    try:
        return function(*copy.deepcopy(case))
    except Exception as error:  # whatever a reader's code does, the reply is a sentence
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
            and all(same(got, expected, rel_tol) for got, expected in zip(value, wanted))
        )
    if isinstance(value, (str, bytes)):
        return False  # float("0.8") would take a text for the number
    try:
        value, wanted = float(value), float(wanted)
    except (TypeError, ValueError, OverflowError):
        return False
    return math.isclose(value, wanted, rel_tol=rel_tol, abs_tol=NOTHING) or (math.isnan(value) and math.isnan(wanted))


def rounded(value, wanted):
    """Whether an answer is right except for rounding: all numbers agree to the decimals given, and the largest has two digits.

    >>> rounded(0.14, 0.1404), rounded((5, 2.68), (5.0, 2.6833)), rounded(0.15, 0.1404), rounded(0, 0.1404)
    (True, True, False, False)
    """
    got, expected = dict(leaves(value)), dict(leaves(wanted))
    numbers = [(got.get(at), right) for at, right in expected.items() if is_number(right)]
    if got.keys() != expected.keys() or not all(is_number(each) and math.isfinite(each) for each, _ in numbers):
        return False
    decimals = max([max(0, -Decimal(repr(float(each))).as_tuple().exponent) for each, _ in numbers], default=0)
    most = max([abs(right) for _, right in numbers], default=0)
    return most >= 10 ** (1 - decimals) and all(
        same(got[at], right) or (is_number(right) and abs(got[at] - right) <= 0.5001 * 10**-decimals)
        for at, right in expected.items()
    )


def third_digit(value, wanted):
    """Whether a number is right to the third digit: the third decimal, or below 0.1 the third significant digit.

    >>> third_digit(0.525, 0.5247), third_digit(0.52, 0.5247), third_digit(0.0123, 0.01234), third_digit(703.4, 703.44)
    (True, False, True, False)
    """
    if not all(is_number(number) and math.isfinite(number) for number in (value, wanted)) or wanted == 0:
        return same(value, wanted)
    return abs(value - wanted) <= 0.5001 * 10.0 ** (min(0, math.floor(math.log10(abs(wanted))) + 1) - 3)


def broken(value):
    """Whether a function failed: it raised an exception, or a number in its result is infinite or NaN.

    >>> broken(ZeroDivisionError()), broken([0.5, math.nan]), broken([0.5, 0.5])
    (True, True, False)
    """
    return isinstance(value, Exception) or any(is_number(leaf) and not math.isfinite(leaf) for _, leaf in leaves(value))


def wrong_keys(value, wanted, keys, rel_tol=1e-6):
    """The keys under which a dict is missing a value or has a wrong one; all of them if the value is not a dict."""
    if not isinstance(value, Mapping) or not isinstance(wanted, Mapping):
        return list(keys)
    return [key for key in keys if key not in value or not same(value[key], wanted[key], rel_tol)]


def difference(value, wanted, place="result"):
    """Where a long result first differs from the right one, in words; empty if it is of another kind.

    >>> difference({"K": [0.5, 0.5]}, {"K": [0.5, 0.2]}), difference({}, {"K": 1}), difference([1], [1, 2])
    ("result['K'][1] is 0.5, expected 0.2", "result['K'] is missing", 'result has length 1, expected 2')
    """
    if isinstance(wanted, Mapping) and isinstance(value, Mapping):
        for key in [*wanted, *value]:
            if key not in value or key not in wanted:
                return f"{place}[{key!r}] {'is not asked for' if key in value else 'is missing'}"
        parts = [(key, value[key], wanted[key]) for key in wanted]
    elif all(isinstance(result, (Sequence, np.ndarray)) and not isinstance(result, str) for result in (value, wanted)):
        if len(value) != len(wanted):
            return f"{place} has length {len(value)}, expected {len(wanted)}"
        parts = [(number, *both) for number, both in enumerate(zip(value, wanted))]
    else:
        return f"{place} is {shorten(value)}, expected {shorten(wanted)}" if place != "result" else ""
    return next(
        (difference(got, expected, f"{place}[{at!r}]") for at, got, expected in parts if not same(got, expected)), ""
    )


def kind_of(value):
    """The kind of an answer in words, without its content.

    >>> kind_of({"a": 1}), kind_of((1, 2)), kind_of(0.5)
    ('a dict', 'a tuple', 'a number')
    """
    kinds = {dict: "a dict", list: "a list", tuple: "a tuple", str: "a text", bool: "True or False"}
    if isinstance(value, (ValueError, np.ndarray)):
        return "a ValueError" if isinstance(value, ValueError) else "an array"
    return kinds.get(type(value), "a number")


def in_words(keys):
    """Names as they are listed in a sentence.

    >>> in_words(["means", "weights"])
    '`means` and `weights`'
    """
    *first, last = [f"`{key}`" for key in keys]
    return f"{', '.join(first)} and {last}" if first else last


def is_number(value):
    """Whether it is a number; True and False are none."""
    return isinstance(value, (Real, np.number)) and not isinstance(value, (bool, np.bool_))


def impossible(task, value):
    """Why a number cannot be the one asked for, whatever the data; empty if it can.

    >>> impossible({"low": 0, "high": 10}, 12), impossible({"low": 0}, -1)
    ('The number asked for lies between 0 and 10.', 'The number asked for is at least 0.')
    >>> impossible({"probability": True}, 98), impossible({"whole": True}, 2.5), impossible({"low": 0}, 3)
    ('A probability lies between 0 and 1.', 'The number asked for is a whole number.', '')
    """
    if not is_number(value):
        return ""
    low, high = (0, 1) if task.get("probability") else (task.get("low", -math.inf), task.get("high", math.inf))
    if math.isnan(value) or low <= value <= high:
        return "The number asked for is a whole number." if task.get("whole") and value % 1 else ""
    if task.get("probability"):
        return "A probability lies between 0 and 1."
    if math.isinf(high) or math.isinf(low):
        return f"The number asked for is at {f'least {low:g}' if math.isinf(high) else f'most {high:g}'}."
    return f"The number asked for lies between {low:g} and {high:g}."


def contains(value, what):
    """Whether an answer is, or holds, this very object."""
    with suppress(RecursionError):  # a list that contains itself
        return any(leaf is what for _, leaf in leaves(value))
    return False


def texts(value, wanted):
    """The strings in an answer where a number is expected.

    >>> texts(("a", "0.8"), ("a", 0.8))
    ['0.8']
    """
    numbers = {at for at, leaf in leaves(wanted) if is_number(leaf)}
    return [leaf for at, leaf in leaves(value) if isinstance(leaf, str) and at in numbers and (at or leaf is value)]


def shuffled(options, salt, student):
    """The options of a choice in a student's own order: shown letter to written letter. A string of letters keeps its order.

    >>> shuffled({"A": "yes", "B": "no", "C": "perhaps"}, "01/reading", "ada")
    {'A': 'A', 'B': 'C', 'C': 'B'}
    """
    if isinstance(options, str):
        return dict(zip(options, options))
    seed = f"{salt}/{str(student).strip().lower()}"
    drawn = sorted(options, key=lambda letter: hashlib.sha256(f"{seed}/{letter}".encode()).digest())
    return dict(zip(sorted(options), drawn))


def shorten(value):
    """A value as shown in a sentence: four digits of a number, 60 characters of anything else."""
    if isinstance(value, Real) and not isinstance(value, (bool, int)):
        return f"{float(value):.4g}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def digests(value, rounds, salt, digits=6, slack=0.0):
    """For each leaf of an answer its digest; with `slack` also those of nearby numbers, if they round differently."""
    return [
        [
            hashlib.pbkdf2_hmac("sha256", text.encode(), f"{salt}{path}".encode(), rounds).hex()[:12]
            for text in sorted({_text(number, digits) for number in _near(leaf, slack)})
        ]
        for path, leaf in leaves(value)
    ]


def matches(value, task, name):
    """A function that says whether a number is this one, which is given itself or by its digests."""
    own = digests(value, task["rounds"], name, task["digits"]) if "rounds" in task else ()

    def is_it(known):
        if isinstance(known, list):
            return len(own) == len(known) and all(set(mine) & set(accepted) for mine, accepted in zip(own, known))
        return same(value, known, task.get("tolerance", 1e-6))

    return is_it


def leaves(value, path=""):
    """(path, value) for every number, string and bool inside an answer; lists, tuples and arrays are treated alike."""
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
    if slack and is_number(leaf):
        return [leaf, leaf * (1 - slack), leaf * (1 + slack)]
    return [leaf]


def _text(leaf, digits):
    if isinstance(leaf, tuple):
        return repr([_text(part, digits) for part in leaf])
    if isinstance(leaf, np.generic):
        leaf = leaf.item()
    if isinstance(leaf, (bool, str)) or not isinstance(leaf, Real):
        return repr(leaf)[:1000]
    number = float(leaf)
    return "0" if abs(number) < NOTHING else f"{number:.{digits - 1}e}"
