"""Answers: what a function makes of a case, whether two agree, how one is told in a sentence, and digests that tell nothing."""

import copy
import hashlib
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from numbers import Real

import numpy as np


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
    return math.isclose(value, wanted, rel_tol=rel_tol, abs_tol=1e-12) or (math.isnan(value) and math.isnan(wanted))


def rounded(value, wanted):
    """Whether an answer is the wanted one but for rounding: each number agrees to the digits that it gives.

    >>> rounded(0.14, 0.1404), rounded((5, 2.68), (5.0, 2.6833)), rounded(0.15, 0.1404), rounded(0, 0.1404)
    (True, True, False, False)
    """
    mine, yours = dict(leaves(value)), dict(leaves(wanted))
    return mine.keys() == yours.keys() and all(same(mine[at], yours[at]) or _agrees(mine[at], yours[at]) for at in mine)


def _agrees(value, wanted):
    if not all(_is_number(each) and math.isfinite(each) for each in (value, wanted)):
        return False
    decimals = max(0, -Decimal(repr(float(value))).as_tuple().exponent)
    return abs(value - wanted) <= min(0.5001 * 10**-decimals, 0.05 * abs(wanted))


def _is_number(value):
    return isinstance(value, (Real, np.number)) and not isinstance(value, (bool, np.bool_))


def texts(value, wanted):
    """The texts in an answer that stand where a number is wanted.

    >>> texts(("a", "0.8"), ("a", 0.8))
    ['0.8']
    """
    numbers = {at for at, each in leaves(wanted) if _is_number(each)}
    return [each for at, each in leaves(value) if isinstance(each, str) and at in numbers and (at or each is value)]


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
    return "0" if abs(number) < 1e-12 else f"{number:.{digits - 1}e}"
