"""Plain data crosses the wall unchanged; everything else is refused with a word that says why."""

import collections
import functools
import json
import re
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayeslib.questions import plain

FLOATS = st.floats(allow_nan=True)
KEYS = st.recursive(
    st.text() | st.integers(-(2**70), 2**70) | st.booleans(), lambda each: st.tuples(each, each), max_leaves=4
)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**1000), 2**1000) | FLOATS | st.text(),
    lambda each: st.lists(each) | st.lists(each).map(tuple) | st.dictionaries(KEYS, each),
    max_leaves=20,
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | st.text() | st.sampled_from(["nan", "float", "int", "bool"]),
    lambda each: (
        st.lists(each)
        | st.dictionaries(st.sampled_from(["array", "dict", "tuple", "float", "other"]), each, max_size=2)
        | st.fixed_dictionaries(
            {"array": st.tuples(st.lists(st.integers(-2, 10**9)), st.sampled_from(["int", "float"]), each)}
        )
    ),
    max_leaves=20,
)


def types(value):
    if isinstance(value, dict):
        return [(types(key), types(each)) for key, each in value.items()]
    return [type(value), *map(types, value)] if isinstance(value, (list, tuple)) else type(value)


@settings(deadline=None)
@given(PLAIN)
def test_plain_data_comes_back_with_its_types(value):
    back = plain.loads(plain.dumps(value))
    assert repr(back) == repr(value) and types(back) == types(value)


@pytest.mark.parametrize("kind", ["bool", "int8", "int64", "uint8", "float16", "float32", "float64", "longdouble"])
@pytest.mark.parametrize("shape", [(3,), (2, 3), (0,), (2, 0, 3), (1, 1, 1)])
def test_arrays_keep_their_shape_and_their_numbers(kind, shape):
    array = np.arange(np.prod(shape)).reshape(shape).astype(kind)
    back = plain.loads(plain.dumps({"of": [array]}))["of"][0]
    assert back.shape == shape and back.dtype.name in {"bool", "int64", "float64"} and np.array_equal(back, array)


@pytest.mark.parametrize(
    "value, wanted",
    [
        (np.float64(0.25), 0.25),
        (np.float32(0.25), 0.25),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.str_("C"), "C"),
        (np.array(0.25), 0.25),
        (np.array(["A", "B"]), ["A", "B"]),
        (np.array([Fraction(1, 4), 2], dtype=object), [0.25, 2]),
        (np.array([[np.inf, np.nan]]), np.array([[np.inf, np.nan]])),
        (np.ma.array([1.0, 2.0]), np.array([1.0, 2.0])),
        (Fraction(1, 4), 0.25),
        (range(3), [0, 1, 2]),
        ({"a": 1}.keys(), ["a"]),
        ({"a": 1}.items(), [("a", 1)]),
        (collections.OrderedDict(a=1), {"a": 1}),
        (collections.Counter("aab"), {"a": 2, "b": 1}),
        ({np.int64(1): np.float64(2), (np.str_("a"), True): 3}, {1: 2.0, ("a", True): 3}),
        (collections.namedtuple("Pair", "a b")(1, 2), (1, 2)),
        (True, True),
        (-0.0, -0.0),
    ],
)
def test_what_is_nearly_plain_becomes_plain(value, wanted):
    back = plain.loads(plain.dumps(value))
    assert type(back) is type(wanted) and repr(back) == repr(wanted)


def test_a_subclass_has_no_say():
    back = plain.loads(
        plain.dumps(type("Sly", (float,), {"__float__": lambda self: 0.99, "__repr__": lambda self: "9"})(0.25))
    )
    assert type(back) is float and back == 0.25


@pytest.mark.parametrize(
    "value, why",
    [
        (object(), "object"),
        ({1, 2}, "set"),
        (1j, "complex"),
        (b"bytes", "bytes"),
        (len, "builtin_function_or_method"),
        ((each for each in ()), "generator"),
        (np.array([1j]), "numpy data of type complex128"),
        (np.datetime64("2020-01-01"), "numpy data of type datetime64"),
        (10**400, "a whole number of too many digits"),
        (np.array([10**400], dtype=object), "a whole number of too many digits"),
        ("x" * 2_000_000, "too much data"),
        (range(10**15), "too much data"),
        (np.broadcast_to(0.0, (10**6, 10**6)), "too much data"),
        ([[0] * 1000] * 1000, "too much data"),
    ],
)
def test_what_is_not_plain_is_refused(value, why):
    with pytest.raises(plain.Refused, match=why):
        plain.dumps(value)


def test_depth_is_limited_on_both_sides():
    cyclic = []
    cyclic.append(cyclic)
    for value in (functools.reduce(lambda deep, _: [deep], range(30), []), cyclic):
        with pytest.raises(plain.Refused, match="nested too deeply"):
            plain.dumps(value)


def test_few_keys_are_read_since_all_may_collide():
    """Each of them is then compared with all others before it: 12 million times in all, and no more."""
    pairs = [[each * (2**61 - 1), 0] for each in range(1, plain.KEYS)]
    assert plain.KEYS**2 / 2 <= 12.5e6 and len(plain.loads(json.dumps({"dict": pairs}))) == plain.KEYS - 1
    with pytest.raises(plain.Refused, match="too much data"):
        plain.loads(json.dumps({"tuple": [{"dict": pairs}, {"dict": pairs}]}))


NOT_READABLE = """ 1‖1 2‖NaN‖Infinity‖{}‖{"tuple":[],"tuple":[]}‖{"set":[1]}‖{"float":"1e5"}‖{"float":"__import__"}‖{"tuple":3}
{"dict":[["a",1],["a",2]]}‖{"dict":[[1,1],[true,2]]}‖{"dict":[["a"]]}‖{"dict":["abc"]}‖{"py/object":"os.system"}‖\x80\x04\x95
{"array":[[1000000000,1000000000],"float",[]]}‖{"array":[[-1],"float",[1.0]]}‖{"array":[[2],"float",[1.0]]}‖{"array":[]}
{"array":[[true],"float",[1.0]]}‖{"array":[[1],"float",[1]]}‖{"array":[[1],"int",[9223372036854775808]]}
{"array":[[1],"object",[null]]}‖{"array":[[1],["float"],[1.0]]}‖{"array":[[0,0,0,0,0,0,0,0,0],"float",[]]}"""
HARMFUL = {
    "not readable": ["", *re.split("[‖\n]", NOT_READABLE)],
    "nested too deeply": ["[" * 30 + "]" * 30, "[" * 100_000 + "]" * 100_000, '{"tuple":[' * 30 + "]}" * 30],
    "too many digits": ["9" * 400, "9" * 5000, str(2**1023)],
    "keys": ['{"dict":[[["a"],1]]}', '{"dict":[[null,1]]}', '{"dict":[[{"array":[[1],"int",[1]]},1]]}'],
    "too much data": [" " * 2_000_000, "[" + "0," * 300_000 + "0]"],
}


@pytest.mark.parametrize("why, text", [(why, text) for why, texts in HARMFUL.items() for text in texts])
def test_text_that_no_honest_writer_writes_or_that_would_hurt_is_refused(why, text):
    with pytest.raises(plain.Refused, match=why):
        plain.loads(text)


@settings(deadline=None)
@given(ANYTHING.map(json.dumps) | st.text())
def test_any_text_gives_plain_data_or_a_refusal(text):
    with suppress(plain.Refused):
        assert plain.loads(plain.dumps(plain.loads(text))) is not ...


def test_numbers_that_are_read_can_be_compared_and_surrogates_reach_no_database():
    assert float(plain.loads(str(2**1023 - 1))) > 1e307
    assert plain.loads(r'"a\ud800b"').encode() and plain.loads(plain.dumps("a\ud800b")).encode()
