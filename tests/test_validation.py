"""Claims about bad arguments, over the public functions of all models: an error names its argument, or all went well.

A call that works is taken from each function's own example. Each of its arguments in turn is then replaced by things that it
can hardly use. Allowed are a result and a ValueError or TypeError with the argument's name in its text; no other error, no warning.
"""

import copy
import doctest
import importlib
import inspect
import pkgutil
import re
import warnings
from functools import wraps

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

from bayeslib import models
from bayeslib.models._model import Estimator

NAMES = [each.name for each in pkgutil.walk_packages(models.__path__, "bayeslib.models.") if "._" not in each.name]
BAD = [
    None, True, "abc", "", b"abc", -1, 0, 1.5, float("nan"), float("inf"), -1e300, 10**400, 1 + 2j, pd.NA,
    np.datetime64("2020-01-01"), object(), len, ..., [], [[1, 2], [3]], [None, 1], ["a", 1, (2, 3)], {}, {"a": 1}, {1, "a"},
    np.array([]), np.zeros((2, 2, 2)), np.array(["a", "b"]), np.full((3, 3), 1e300), pd.Series([1, None], dtype="Int64"),
    pd.DataFrame({"a": [1, 2], "b": ["x", None]}), sparse.csr_array(np.eye(3)),
]  # fmt: skip
# Formulas of a lesson, written as in the book: whoever calls them has checked. And what only the package makes.
UNCHECKED = """true_curve forward backward best_routes follow_back nearest averages cost log_densities log_joint e_step m_step
    lower_bound entropy count log_normal FamilyScores.fit FamilyScores.penalty FamilyScores.with_one_more""".split()


def calls(module):
    """The first call of each public function and method in the examples of a module: name → (function, arguments)."""
    found, depth = {}, [0]

    def recorder(name, function):
        signature = inspect.signature(function)

        @wraps(function)
        def recorded(*args, **options):
            if not depth[0] and name not in found:
                found[name] = function, copy.deepcopy(signature.bind(*args, **options).arguments)
            depth[0] += 1
            try:
                return function(*args, **options)
            finally:
                depth[0] -= 1

        return recorded

    mine = {name: each for name, each in vars(module).items() if getattr(each, "__module__", "") == module.__name__}
    owners = [module, *(each for each in mine.values() if inspect.isclass(each) and not issubclass(each, tuple))]
    tests = doctest.DocTestFinder(exclude_empty=True).find(module)
    with pytest.MonkeyPatch.context() as patch:
        for owner in owners:
            for name, each in list(mine.items() if owner is module else vars(owner).items()):
                full = name if owner is module else f"{owner.__name__}.{name}"
                if inspect.isfunction(each) and name[0] != "_" and full not in UNCHECKED:
                    patch.setattr(owner, name, recorder(full, each))
        for test in tests:
            test.globs = dict(vars(module))
            doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test, out=len)
    return found


def spoiled(function, given):
    """(argument, its bad value, a call with it) for each argument in turn, a model's parameters among them."""
    model = given.get("self")
    learns = function.__name__ == "fit" and isinstance(model, Estimator)
    for bad in BAD:
        for name in given.keys() - {"self"}:
            yield name, bad, lambda name=name, bad=bad: function(**copy.deepcopy(given) | {name: bad})
        for name in model.get_params(deep=False) if learns else ():
            changed = {name: bad}
            yield (
                name,
                bad,
                lambda to=changed: function(**copy.deepcopy(given) | {"self": clone(model).set_params(**to)}),
            )


@pytest.mark.parametrize("name", NAMES)
def test_a_bad_argument_is_named(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # what takes a path may write there
    lost = []
    # Of two arguments, or an argument and a parameter, that do not fit together the other one may be named.
    for called, (function, given) in calls(importlib.import_module(name)).items():
        for argument, bad, call in spoiled(function, given):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    call()
            except (ValueError, TypeError) as error:
                known = (argument, *given, *getattr(given.get("self"), "__dict__", ()))
                if not any(re.search(rf"\b{each}\b", str(error)) for each in known):
                    lost.append(f"{called}({argument}={bad!r:.60}) does not name it: {error}")
            except FileNotFoundError:
                pass  # it names the file
            except Exception as error:
                lost.append(f"{called}({argument}={bad!r:.60}): {error!r:.200}")
    assert not lost, "\n".join(lost)
