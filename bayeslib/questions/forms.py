"""Slips of form, which any function can have: the right result rounded, in another container, unit, base or order.

Each has a sentence, and a test of a wrong result beside the right one.
"""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress

import numpy as np

from bayeslib.questions.answers import is_number, kind_of, leaves, rounded, same, texts

ROWS = {"a list", "a tuple", "an array"}  # one counts as well as another


def nearly(value, wanted):
    """Whether a result is right but for its rounding or its container."""
    with suppress(Exception):  # a value made to break the comparison
        return rounded(value, wanted) or in_another_container(value, wanted)
    return False


def in_another_container(value, wanted):
    """Whether all that is asked for is there, in the right order, but in a list for a dict, or the like.

    >>> in_another_container([0.2, 0.8], {"a": 0.2, "b": 0.8}), in_another_container([0.7], 0.7), in_another_container([], 0.7)
    (True, True, False)
    """
    return _kinds(value) != _kinds(wanted) and len(_in_order(wanted)) > 0 and same(_in_order(value), _in_order(wanted))


def _kinds(value):
    """The kind of a value, of the first thing in it, and so on; rows are all alike."""
    inside = list(value.values()) if isinstance(value, Mapping) else _row(value)
    kind = kind_of(value)
    return ["a row" if kind in ROWS else kind, *(_kinds(inside[0]) if inside else [])]


def _row(value):
    return list(value) if isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str) else []


def _in_order(value):
    """Everything inside a value in the order in which it stands there."""
    inside = list(value.values()) if isinstance(value, Mapping) else value
    return [leaf for each in _row(inside) for leaf in _in_order(each)] if _row(inside) else [value]


def _pairs(value, wanted, kind=is_number):
    """The numbers of both side by side; none if they are not of one shape, or differ in anything else."""
    got, expected = dict(leaves(value)), dict(leaves(wanted))
    fixed = [at for at in expected if not kind(expected[at])]
    if got.keys() != expected.keys() or any(got[at] != expected[at] for at in fixed):
        return []
    return [(got[at], expected[at]) for at in expected if at not in fixed]


def _each(change):
    """Whether every number is what `change` makes of the right one."""

    def fits(value, wanted):
        pairs = _pairs(value, wanted)
        return bool(pairs) and all(same(got, change(right)) for got, right in pairs)

    return fits


def _sum_is_one(value, wanted):
    got, right = zip(*_pairs(value, wanted))
    return len(got) > 1 and same(sum(right), 1) and all(same(one / sum(got), other) for one, other in zip(got, right))


def _factor(value, wanted):
    pairs = [pair for pair in _pairs(value, wanted) if any(pair)]
    return len(pairs) > 1 and all(same(got / right, pairs[0][0] / pairs[0][1]) for got, right in pairs)


def _another_order(value, wanted):
    got, expected = (sorted(_in_order(each), key=repr) for each in (value, wanted))
    keys = value.keys() == wanted.keys() if isinstance(wanted, Mapping) else _kinds(value) == _kinds(wanted)
    return keys and len(expected) > 1 and same(got, expected)


def _other_names(value, wanted):
    if value.keys() == wanted.keys():
        return all(same(value[key], wanted[key]) or _other_names(value[key], wanted[key]) for key in wanted)
    sides = [[table[key] for key in sorted(table, key=lambda key: str(key).lower())] for table in (value, wanted)]
    return same(*sides) or same(list(value.values()), list(wanted.values()))


def _turned(value, wanted):
    if isinstance(wanted, Mapping):
        return all(same(value[one][other], each) for other, row in wanted.items() for one, each in row.items())
    return np.ndim(wanted) == 2 and same(np.transpose(value), wanted)


def _within(some, more):
    """Whether all that is in one table is in the other too, in tables within them as well."""
    inside = isinstance(some, Mapping) and isinstance(more, Mapping) and some.keys() <= more.keys()
    return inside and all(same(some[key], more[key]) or _within(some[key], more[key]) for key in some)


FORMS = {
    "rounded": (
        "It agrees as far as it goes, but it is rounded. Do not round: return the number as it comes.",
        rounded,
    ),
    "text": ("There is a text where a number is wanted: return it without quotation marks.", texts),
    "container": (
        "All of it is right but for the container: the statement says how it is wanted.",
        in_another_container,
    ),
    "names": ("The values are right, but they stand under other names than those asked for.", _other_names),
    "turned": ("The table is turned: what should be the rows are the columns.", _turned),
    "missing": ("What is there is right, but not everything that is asked for is there.", _within),
    "too many": (
        "All that is asked for is there and right, but there is more.",
        lambda value, wanted: _within(wanted, value),
    ),
    "percent": ("A percentage is 100 times the number that is asked for.", _each(lambda right: 100 * right)),
    "sign": ("The number is right, but its sign is the opposite one.", _each(lambda right: -right)),
    "bits": ("Natural logarithms are asked for, and these are to base 2.", _each(lambda right: right / math.log(2))),
    "base 10": (
        "Natural logarithms are asked for, and these are to base 10.",
        _each(lambda right: right / math.log(10)),
    ),
    "nats": (
        "Logarithms to base 2 are asked for, and these are natural ones.",
        _each(lambda right: right * math.log(2)),
    ),
    "logarithm": (
        "This is the logarithm of what is asked for.",
        _each(lambda right: math.log(right) if right else -math.inf),
    ),
    "exponential": ("The logarithm of this is asked for, not the number itself.", _each(math.exp)),
    "root": ("This is the square root of what is asked for.", _each(math.sqrt)),
    "square": ("This is the square of what is asked for.", _each(lambda right: right * right)),
    "complement": (
        "This is one minus the probability that is asked for.",
        _each(lambda right: 1 - right if 0 <= right <= 1 else math.nan),
    ),
    "opposite": (
        "True and False are the wrong way round.",
        lambda value, wanted: all(
            got is not right for got, right in _pairs(value, wanted, lambda each: isinstance(each, bool)) or [(0, 0)]
        ),
    ),
    "sum": ("The proportions are right, but these numbers do not sum to 1: divide each by their sum.", _sum_is_one),
    "factor": ("All numbers of this result are too large or too small by the same factor.", _factor),
    "order": ("The right values are all there, but not in their places.", _another_order),
    "kind": (
        "The result must be {1}, and is {0}.",
        lambda value, wanted: _kinds(value)[0] != _kinds(wanted)[0] and not isinstance(value, Exception),
    ),
}
SHAPES = {
    "rounded",
    "text",
    "container",
    "names",
    "turned",
    "missing",
    "too many",
    "order",
    "kind",
}  # may show here and there
