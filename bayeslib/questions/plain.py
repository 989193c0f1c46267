"""Plain data as JSON text and back: all that may cross the sandbox boundary, in either direction.

Plain data is None, bool, int, float (nan and inf too), str, list, tuple, dict and numpy arrays of numbers or bools; keys
of a dict are str, int, float, bool or tuples of these. JSON has no tuples, arrays or nan, so these travel as an
object with one key that says what they are. `loads` rebuilds everything from exact built-in types and trusts
nothing: not the size, not the depth, not the shape of an array.

This file also runs inside the sandbox, alone, without the rest of the package.
"""

import builtins

# A student's code may change the built-in functions of its own process. The functions below keep the originals.
__builtins__ = dict(vars(builtins))

import json
import math
from fractions import Fraction

import numpy as np

SIZE = 1_000_000  # characters of JSON text
DEPTH = 20  # lists within lists
NODES = 200_000  # values in total
KEYS = 5_000  # entries of dicts in total: with more, keys could be chosen to collide
BITS = 1023  # of an int: float() of it is always possible

_quote, _array = json.encoder.encode_basestring_ascii, np.array
_VIEWS = (range, type({}.keys()), type({}.values()), type({}.items()))


class Refused(ValueError):
    """Data that is not plain, or too much of it; the message says what it is instead."""


def dumps(value, size=SIZE):
    """JSON text of plain data. Numpy scalars, fractions, views and subclasses of plain types become the plain type."""
    text = _pack(value, DEPTH, [NODES])
    if len(text) > size:
        raise Refused("too much data")
    return text


def loads(text, size=SIZE):
    """Plain data from JSON text that may have been written by anybody."""
    if len(text) > size:
        raise Refused("too much data")
    try:
        tree, end = _scan(text, 0)
        if end == len(text):
            return _unpack(tree, DEPTH, [NODES], [KEYS])
    except Refused:
        raise
    except RecursionError:
        raise Refused("nested too deeply") from None
    except (ValueError, TypeError, LookupError, OverflowError, MemoryError, StopIteration):
        pass
    raise Refused("not readable")


def _pack(value, depth, left):
    """Objects of a student's own classes are read through the methods of the plain type."""
    left[0] -= 1
    if left[0] < 0:
        raise Refused("too much data")
    if depth < 0:
        raise Refused("nested too deeply")
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (np.generic, np.ndarray)):
        return _pack_numpy(value, depth, left)
    if isinstance(value, int):
        if int.bit_length(value) > BITS:
            raise Refused("a whole number of too many digits")
        return int.__repr__(value)
    if isinstance(value, Fraction):
        return _pack(value.numerator / value.denominator, depth, left)
    if isinstance(value, float):
        text = float.__repr__(value)
        return text if math.isfinite(float.__float__(value)) else f'{{"float":"{text}"}}'
    if isinstance(value, str):
        return _quote(str.__str__(value))
    if isinstance(value, dict):
        pairs = [_row((key, each), depth, left) for key, each in dict.items(value)]
        return f'{{"dict":[{",".join(pairs)}]}}'
    if isinstance(value, tuple):
        return f'{{"tuple":{_row(tuple.__iter__(value), depth, left)}}}'
    if isinstance(value, list):
        return _row(list.__iter__(value), depth, left)
    if isinstance(value, _VIEWS):
        return _row(value, depth, left)
    raise Refused(type(value).__name__)


def _row(values, depth, left):
    return f"[{','.join([_pack(each, depth - 1, left) for each in values])}]"


def _pack_numpy(value, depth, left):
    kind = value.dtype.kind
    if kind not in "biufUO":
        raise Refused(f"numpy data of type {value.dtype.name}")
    if value.size > left[0]:
        raise Refused("too much data")
    value = _array(value, dtype=np.float64 if kind == "f" else None)
    if value.ndim == 0 or kind in "UO":
        return _pack(value.tolist(), depth, left)
    name = {"b": "bool", "i": "int", "u": "int", "f": "float"}[kind]
    flat = _row(value.ravel().tolist(), depth, left)
    return f'{{"array":[{_row(value.shape, depth, left)},"{name}",{flat}]}}'


class _Tagged:
    """A JSON object as it was read: its pairs, not yet validated."""

    def __init__(self, pairs):
        if len(pairs) != 1:
            raise Refused("not readable")
        self.kind, self.content = pairs[0]


def _whole(digits):
    if len(digits) > 310:
        raise Refused("a whole number of too many digits")
    value = int(digits)
    if value.bit_length() > BITS:
        raise Refused("a whole number of too many digits")
    return value


def _constant(name):
    raise Refused("not readable")


_scan = json.JSONDecoder(object_pairs_hook=_Tagged, parse_int=_whole, parse_constant=_constant).scan_once


def _unpack(tree, depth, left, keys):
    left[0] -= 1
    if left[0] < 0:
        raise Refused("too much data")
    if depth < 0:
        raise Refused("nested too deeply")
    if isinstance(tree, str):
        return tree.encode("utf-8", "replace").decode("utf-8")
    if isinstance(tree, list):
        return [_unpack(each, depth - 1, left, keys) for each in tree]
    if not isinstance(tree, _Tagged):
        return tree
    if tree.kind == "float" and tree.content in ("nan", "inf", "-inf"):
        return float(tree.content)
    if not isinstance(tree.content, list):
        raise Refused("not readable")
    if tree.kind == "tuple":
        return tuple(_unpack(each, depth - 1, left, keys) for each in tree.content)
    if tree.kind == "array":
        return _unpack_array(tree.content, depth, left, keys)
    if tree.kind == "dict":
        keys[0] -= len(tree.content)
        if keys[0] < 0:
            raise Refused("too much data")
        pairs = [
            (_unpack(key, depth - 1, left, keys), _unpack(each, depth - 1, left, keys)) for key, each in tree.content
        ]
        if not all(_is_key(key) for key, _ in pairs):
            raise Refused("a dict whose keys are not str, int, float, bool or tuples of these")
        value = dict(pairs)
        if len(value) == len(pairs):
            return value
    raise Refused("not readable")


def _unpack_array(content, depth, left, keys):
    shape, kind, flat = content
    flat = _unpack(flat, depth, left, keys)
    allowed = {"bool": (bool,), "int": (int,), "float": (float,)}[kind]
    if not all(type(each) in allowed for each in flat) or len(shape) > 8:
        raise Refused("not readable")
    if not all(type(each) is int and 0 <= each <= NODES for each in shape) or math.prod(shape) != len(flat):
        raise Refused("not readable")
    return _array(flat, dtype={"bool": np.bool_, "int": np.int64, "float": np.float64}[kind]).reshape(shape)


def _is_key(key):
    return all(map(_is_key, key)) if type(key) is tuple else type(key) in (str, int, float, bool)
