"""The estimators among scikit-learn's own: its checks, and what these do not look at.

Estimators are found, not listed: whatever of `bayeslib` is an `Estimator` is in every other test here at once.
"""

import importlib
import pickle
import pkgutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

import bayeslib as bl
from bayeslib import models
from bayeslib.models import ensembles
from bayeslib.models._model import Classifier, Estimator, NotFittedError, Regressor

WORDS = "refused, but in the words of this package"
EXPECTED = {
    "check_classifiers_train": "MultinomialNaiveBayes is for counts: here it learns little, as scikit-learn's own does",
    "check_complex_data": WORDS,
    "check_dtype_object": "an X that holds a dict is a ValueError, not a TypeError",
    "check_estimators_empty_data_messages": WORDS,
    "check_fit1d": "where there may be one attribute, a plain row of numbers is one column",
    "check_fit2d_1sample": "n_neighbors must be at most the number of rows, which the error says in other words",
    "check_fit2d_predict1d": "as for fit1d; and naive Bayes takes a plain row for one example",
    "check_positive_only_tag_during_fit": WORDS,
    "check_supervised_y_2d": "a y of one column is taken without a warning",
}
OF_SCIKIT_LEARN = [
    bl.GaussianNaiveBayes(),
    bl.MultinomialNaiveBayes(),
    bl.KMeans(2),
    bl.GaussianMixture(2),
    bl.KNeighborsClassifier(3),
    bl.KNeighborsRegressor(3),
    ensembles.DecisionTree(),
    ensembles.Bagging(ensembles.DecisionStump(), 9),
    ensembles.RandomForest(9),
    ensembles.AdaBoost(ensembles.DecisionStump(), 9),
]


@parametrize_with_checks(OF_SCIKIT_LEARN, expected_failed_checks=lambda _: EXPECTED)
def test_scikit_learns_checks_pass_but_for_those_listed(estimator, check):
    check(estimator)


def found():
    """Every public estimator that learns from a table, with arguments that suit the table below."""
    for module in pkgutil.walk_packages(models.__path__, "bayeslib.models."):
        importlib.import_module(module.name)
    todo = [Estimator]
    for kind in todo:
        todo += kind.__subclasses__()
    kinds = {kind.__name__: kind for kind in todo if kind.__module__.startswith("bayeslib.models.")}
    given = {type(each).__name__: each for each in OF_SCIKIT_LEARN} | {"RBFNetwork": bl.RBFNetwork(3, 20.0)}
    not_meant = ("Estimator", "Classifier", "Regressor", "HiddenMarkovModel")  # the last learns from sequences
    names = [name for name in sorted(kinds) if name[0] != "_" and name not in not_meant]
    return [given[name] if name in given else kinds[name]() for name in names]


X = np.random.default_rng(0).integers(0, 3, (60, 4)).astype(float)
Y = np.where(X[:, 0] + X[:, 2] > 2, "b", "a")
every = pytest.mark.parametrize("model", found(), ids=lambda model: type(model).__name__)


def fitted(model, X=X, y=None):
    model = clone(model)
    if hasattr(model, "random_state"):
        model.set_params(random_state=0)
    y = (X[:, 2] if isinstance(model, Regressor) else Y) if y is None else y
    return model.fit(X, y) if isinstance(model, (Classifier, Regressor)) else model.fit(X)


@every
def test_what_is_learned_depends_on_nothing_but_the_table_and_is_pickled(model):
    table, learned = X.copy(), fitted(model)
    again = fitted(learned, table)
    table[:] = 0
    assert repr(learned) == repr(again) and "0x" not in repr(learned)
    for each in (again, pickle.loads(pickle.dumps(learned))):
        assert np.array_equal(each.predict(X), learned.predict(X))


@every
def test_columns_are_known_by_name(model):
    table = pd.DataFrame(X, columns=list("abcd"))
    learned = fitted(model).fit(table, X[:, 2] if isinstance(model, Regressor) else pd.DataFrame(Y))
    assert learned.feature_names_in_.tolist() == list("abcd")
    assert np.array_equal(learned.predict(table[list("dbca")]), learned.predict(table))
    with pytest.raises(ValueError, match="X must"):
        learned.predict(table.rename(columns={"a": "e"}))


@every
def test_a_fit_that_fails_leaves_the_model_as_it_was(model):
    for before in (fitted(model), clone(model)):
        state, hole = dict(vars(before)), np.where(np.arange(4) == 1, np.nan, X)
        for bad in [(hole, Y), (X[:0], Y[:0]), (np.zeros((2, 2, 2)), Y[:2])]:
            with pytest.raises(ValueError, match="X"):
                before.fit(*bad[: 1 + isinstance(model, (Classifier, Regressor))])
            assert vars(before).keys() == state.keys() and all(vars(before)[key] is state[key] for key in state)


@every
def test_y_has_a_label_for_every_row(model):
    if isinstance(model, Classifier):
        for bad in (X[:, 0] + 0.5, Y[:-1], np.array(["a", 1] * 30, dtype=object), None):
            with pytest.raises(ValueError, match="y"):
                fitted(model).score(X, bad)
        assert fitted(model).score(X, [*Y]) == np.mean(fitted(model).predict(X) == Y)


def test_parameters_of_a_learner_within_are_searched():
    base, outer = ensembles.DecisionTree("sqrt", random_state=0), next(iter(ensembles.Bagging._parameters()))
    bagging, wanted = ensembles.Bagging(base, 3, random_state=0), f"{outer}__max_features"
    search = GridSearchCV(bagging, {wanted: ["sqrt", None]}, cv=3).fit(X, Y)
    assert getattr(search.best_estimator_, outer).max_features == search.best_params_[wanted]
    with pytest.raises(ValueError, match="nonsense must be a parameter of DecisionTree"):
        base.set_params(nonsense=1)


def test_the_package_does_not_import_scikit_learn():
    code = f"""if True:
        import sys, bayeslib.models.mixtures
        assert not {{"sklearn", "pandas", "scipy"}} & sys.modules.keys()
        try:
            bayeslib.KMeans(2).predict([[1]])
        except bayeslib.models._model.{NotFittedError.__name__}:
            pass"""
    subprocess.run([sys.executable, "-c", code], check=True)
