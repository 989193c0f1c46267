"""Claims about bad arguments, over the whole public API of the models: an error names its argument, or all went well.

Each argument of each callable in turn is replaced by some sixty things that it can hardly use. Allowed are a result and a
ValueError or TypeError (NotFitted is one) with the argument's name in its text; no other error, no warning, no endless run.
`make test` draws some of the values for each argument, always the same; with FULL=1 all of them are tried.
"""

import inspect
import os
import random
import re
import signal
import warnings
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import islice

import numpy as np
import pandas
import pytest
from scipy import sparse

from bayeslib.models.networks import examples, write_bif
from tests.bad_input import MODULES, UNCHECKED, cases

FULL = os.environ.get("FULL") == "1"
DRAWN = 16  # values for each argument, if not all
SECONDS = 60  # of CPU time for one call: only what would never end takes so long

BAD = {
    "None": lambda: None,
    "True": lambda: True,
    "False": lambda: False,
    "a word": lambda: "abc",
    "no word": lambda: "",
    "odd word": lambda: "é\0(",
    "bytes": lambda: b"abc",
    "0": lambda: 0,
    "-1": lambda: -1,
    "1.5": lambda: 1.5,
    "-0.5": lambda: -0.5,
    "NaN": lambda: float("nan"),
    "∞": lambda: float("inf"),
    "-∞": lambda: float("-inf"),
    "1e300": lambda: 1e300,
    "-1e300": lambda: -1e300,
    "1e-300": lambda: 1e-300,
    "10^18": lambda: 10**18,
    "10^400": lambda: 10**400,
    "-10^400": lambda: -(10**400),
    "a complex number": lambda: 1 + 2j,
    "a fraction": lambda: Fraction(1, 2),
    "a large fraction": lambda: Fraction(7, 2),
    "a decimal": lambda: Decimal("0.5"),
    "numpy's -3": lambda: np.int64(-3),
    "numpy's NaN": lambda: np.float32("nan"),
    "pandas' NA": lambda: pandas.NA,
    "pandas' NaT": lambda: pandas.NaT,
    "a date": lambda: datetime(2020, 1, 1),
    "numpy's date": lambda: np.datetime64("2020-01-01"),
    "an object": object,
    "a function": lambda: len,
    "a class": lambda: int,
    "an ellipsis": lambda: ...,
    "a slice": lambda: slice(None),
    "an iterator": lambda: iter([1, 2]),
    "a range": lambda: range(3),
    "no list": list,
    "no rows": lambda: [[]],
    "no tuple": tuple,
    "ragged rows": lambda: [[1, 2], [3]],
    "a list with None": lambda: [None, 1],
    "a list with NaN": lambda: [float("nan"), 1.0],
    "a list of kinds": lambda: ["a", 1, (2, 3)],
    "a list of a huge number": lambda: [10**400, 1],
    "a list of words": lambda: ["a", "b"],
    "no dict": dict,
    "a dict": lambda: {"a": 1},
    "a dict of words": lambda: {1: "x", None: "y"},
    "no set": set,
    "a set": lambda: {1, "a"},
    "no array": lambda: np.array([]),
    "no rows of three": lambda: np.empty((0, 3)),
    "three axes": lambda: np.zeros((2, 2, 2)),
    "no axes": lambda: np.array(3.0),
    "an array of words": lambda: np.array(["a", "b"]),
    "an array of objects": lambda: np.array([1, None, "x"], dtype=object),
    "an array of complex numbers": lambda: np.array([1j, 2]),
    "an array of 1e300": lambda: np.full((3, 3), 1e300),
    "an array of dates": lambda: np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]"),
    "a structured array": lambda: np.zeros(2, dtype=[("a", float), ("b", int)]),
    "no column": lambda: pandas.Series(dtype=float),
    "a column": lambda: pandas.Series([1.0, 2.0]),
    "a column with NA": lambda: pandas.Series([1, None], dtype="Int64"),
    "no table": pandas.DataFrame,
    "a table": lambda: pandas.DataFrame({"a": [1, 2], "b": ["x", None]}),
    "a sparse matrix": lambda: sparse.csr_matrix(np.eye(3)),
    "a sparse array": lambda: sparse.csr_array(np.eye(2)),
}
CASES = {case.name: case for case in cases()}
CHECKED = [name for name, case in CASES.items() if name not in UNCHECKED and case.arguments]


class TooLong(BaseException):
    """A call took more CPU time than it may."""


def _stop(*_):
    raise TooLong


@pytest.fixture
def somewhere(tmp_path, monkeypatch):
    """Files are written where nobody misses them, and a call may take only so long."""
    monkeypatch.chdir(tmp_path)
    write_bif(examples.dog(), "net.bif")
    before = signal.signal(signal.SIGVTALRM, _stop)
    yield
    signal.signal(signal.SIGVTALRM, before)


def limited(call, **arguments):
    """The call, with warnings as errors and a limit of CPU time; of what would go on for ever, the beginning."""
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = call(**arguments)
            if inspect.isgenerator(found):
                list(islice(found, 3))
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def verdict(case, argument, value):
    """What is wrong with how a call takes this value, in words; None if nothing is."""
    try:
        limited(case.call, **{**case.base(), argument: value})
    except (ValueError, TypeError) as error:
        if re.search(rf"\b{argument}\b", str(error)):
            return None
        return f"{type(error).__name__} without its name: {error}"
    except FileNotFoundError as error:  # what everybody says of a file that is not there
        return None if argument == "path" else repr(error)
    except TooLong:
        return f"more than {SECONDS} s"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


@pytest.mark.parametrize("module", MODULES)
def test_every_public_callable_has_a_call_that_works(module, somewhere):
    lost = {}
    for name, case in CASES.items():
        if name.split("-")[0] == module and name not in UNCHECKED and case.arguments:
            try:
                case.prepare()
                limited(case.call, **case.base())
            except (Exception, TooLong) as error:
                lost[name] = repr(error)
    assert not lost, "give these arguments in tests/bad_input.py:\n" + "\n".join(f"{n}: {e}" for n, e in lost.items())


def test_what_goes_unchecked_exists_and_no_name_is_listed_in_vain():
    arguments = {f"{name}({argument})" for name, case in CASES.items() for argument in case.arguments}
    assert not set(UNCHECKED) - set(CASES) - arguments


@pytest.mark.parametrize("name", CHECKED)
def test_a_bad_argument_is_named(name, somewhere):
    case = CASES[name]
    case.prepare()
    bad = []
    for argument in case.arguments:
        if f"{name}({argument})" in UNCHECKED:
            continue
        kinds = list(BAD) if FULL else random.Random(f"{name} {argument}").sample(list(BAD), DRAWN)
        bad += [(argument, kind, said) for kind in kinds if (said := verdict(case, argument, BAD[kind]()))]
    assert not bad, "\n".join(f"{argument} = {kind}: {said[:200]}" for argument, kind, said in bad)
