"""What every estimator of the course can do: the conventions of scikit-learn, a fit that fails and changes nothing, columns and copies.

Estimators are found, not listed: whatever of `bayeslib` is an `Estimator` is in every test here at once.
"""

import importlib
import inspect
import pickle
import pkgutil
import warnings

import matplotlib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier, is_clusterer, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.ensemble import VotingClassifier
from sklearn.metrics import ConfusionMatrixDisplay
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from bayeslib import models
from bayeslib.models._checks import NotFitted
from bayeslib.models._model import Classifier, Estimator, Regressor
from bayeslib.models.ensembles import DecisionStump


def found():
    """Every public estimator, by name."""
    for module in pkgutil.walk_packages(models.__path__, "bayeslib.models."):
        importlib.import_module(module.name)
    todo, kinds = [Estimator], {}
    for kind in todo:
        todo += [each for each in kind.__subclasses__() if each not in todo]
        if kind.__module__.startswith("bayeslib.") and kind.__module__ != "bayeslib.models._model":
            kinds[kind.__name__] = kind
    return {name: kind for name, kind in sorted(kinds.items()) if not name.startswith("_")}


KINDS = found()
CLASSIFIERS = [name for name, kind in KINDS.items() if issubclass(kind, Classifier)]
SUPERVISED = [name for name, kind in KINDS.items() if issubclass(kind, (Classifier, Regressor))]
# Their rows are steps in time, so that a table's columns, folds and names do not apply; they are given all they need to
# answer, so that they do so before `fit`; and their repr leaves out the tables.
OF_SEQUENCES = {"HiddenMarkovModel"}
# What the constructor is given, where it must be given something or would leave too much to chance.
EXAMPLES = {
    "AdaBoost": ((DecisionStump(), 5), {}),
    "Bagging": ((DecisionStump(), 5), {"random_state": 0}),
    "DecisionTree": ((2,), {"random_state": 0}),
    "GaussianMixture": ((2,), {"random_state": 0}),
    "HiddenMarkovModel": (
        ([0.5, 0.5], [[0.7, 0.3], [0.3, 0.7]], [[0.9, 0.1], [0.2, 0.8]]),
        {"states": ["rain", "dry"]},
    ),
    "KMeans": ((2,), {"random_state": 0}),
    "KNeighborsClassifier": ((3, "gaussian", 9.0), {"scale": [1.0, 2.0, 1.0, 1.0]}),
    "KNeighborsRegressor": ((3, "distance"), {}),
    "LocallyWeightedRegression": ((), {"bandwidth": 40.0, "n_neighbors": 9}),
    "MixtureNaiveBayes": ((), {"random_state": 0}),
    "NaiveBayes": ((1.0,), {}),
    "RBFNetwork": ((3, 20.0), {"random_state": 0}),
    "RandomForest": ((5,), {"random_state": 0}),
}
_ROWS, _SPECIES = load_iris(return_X_y=True)
TENTHS = np.rint(10 * _ROWS[50:])[::-1]  # counts, names and numbers alike: every model can take them
TENTHS[:, 1:] -= TENTHS[:, 1:] % 10
FEW = np.clip(TENTHS - TENTHS % 10, [50, 20, 30, 10], [70, 30, 60, 20])  # values that no fold lacks
PRESENT = (TENTHS > np.median(TENTHS, axis=0)).astype(float)  # for a model that sees only whether something is there
SEQUENCES = np.array([[0, 0, 1, 0, 0], [1, 1, 0, 1, 0]])
NAMES = np.array(["versicolor", "virginica"])[(_SPECIES[50:] == 2).astype(int)][::-1]
every = pytest.mark.parametrize("name", KINDS)
every_of_tables = pytest.mark.parametrize("name", [name for name in KINDS if name not in OF_SEQUENCES])
every_classifier = pytest.mark.parametrize("name", CLASSIFIERS)
supervised = pytest.mark.parametrize("name", SUPERVISED)


def model(name):
    args, options = EXAMPLES.get(name, ((), {}))
    return KINDS[name](*args, **options)


def given(name):
    """(X, y) for `fit`: two classes or numbers to be learned; y is missing where nothing is."""
    X = rows(name).copy()
    if name in CLASSIFIERS:
        return X, NAMES.copy()
    return (X, TENTHS[:, 2] + 0.5) if name in SUPERVISED else (X,)


def rows(name):
    """What a model learns from."""
    return {"NaiveBayes": FEW, "BernoulliNaiveBayes": PRESENT, "HiddenMarkovModel": SEQUENCES}.get(name, TENTHS)


def asked(name):
    """What a model is asked: all its rows, or one sequence."""
    return rows(name)[0] if name in OF_SEQUENCES else rows(name)


def answers(fitted, X):
    return np.asarray(fitted.predict(X))


def test_there_are_estimators_and_the_table_names_no_other():
    assert len(KINDS) >= 9 and EXAMPLES.keys() | OF_SEQUENCES <= KINDS.keys()


# Parameters


@every
def test_a_constructor_stores_what_it_is_given(name):
    args, options = EXAMPLES.get(name, ((), {}))
    names = list(inspect.signature(KINDS[name]).parameters)
    made = KINDS[name](*args, **options)
    assert all(getattr(made, key) is value for key, value in [*zip(names, args), *options.items()])
    assert made.get_params(deep=False).keys() == set(names)
    learned = [key for key in vars(made) if key.endswith("_")]
    assert not learned or name in OF_SEQUENCES, "nothing is learned before fit"


@every
def test_a_clone_has_the_parameters_and_nothing_learned(name):
    made = model(name).fit(*given(name))
    again = clone(made)
    assert repr(again) == repr(made) and type(again) is type(made)
    assert vars(again).keys() == vars(model(name)).keys() < vars(made).keys()
    assert (answers(again.fit(*given(name)), asked(name)) == answers(made, asked(name))).all()


@every_of_tables
def test_a_repr_is_what_one_would_write(name):
    made = model(name)
    names = {key: kind for key, kind in KINDS.items()}
    again = eval(repr(made), names)  # our own text
    assert repr(again) == repr(made) and again.get_params().keys() == made.get_params().keys()
    assert "0x" not in repr(made)


@every
def test_parameters_go_out_and_in(name):
    made, before = model(name), repr(model(name))
    assert made.set_params(**made.get_params(deep=False)) is made and repr(made) == before
    with pytest.raises(ValueError, match="nonsense must be a parameter of"):
        made.set_params(nonsense=1)
    for key in made.get_params(deep=False):
        try:
            made.set_params(**{key: object()})
        except ValueError as error:
            assert key in str(error)
        else:
            made = model(name)
        assert repr(made) == before, "what is refused changes nothing"


@pytest.mark.parametrize("name", [name for name in ("Bagging", "AdaBoost") if name in KINDS])
def test_the_parameters_of_a_learner_within_are_reached_from_outside(name):
    made = model(name).set_params(base=KINDS["DecisionTree"](1) if name == "Bagging" else DecisionStump())
    if name == "Bagging":
        assert made.get_params()["base__max_features"] == 1
        assert made.set_params(base__max_features=3).base.max_features == 3
        with pytest.raises(ValueError, match="max_features"):
            made.set_params(base__max_features=0)


# scikit-learn


@every
def test_scikit_learn_knows_what_it_is(name):
    kind = KINDS[name]
    assert is_classifier(model(name)) == issubclass(kind, Classifier)
    assert is_regressor(model(name)) == issubclass(kind, Regressor)
    assert is_clusterer(model(name)) == (kind._kind == "clusterer")


@every_of_tables
def test_it_ends_a_pipeline(name):
    X, *y = given(name)
    pipe = make_pipeline(FunctionTransformer(), model(name)).fit(X, *y)
    assert (answers(pipe, X) == answers(model(name).fit(X, *y), X)).all()
    assert pipe.score(X, *y) == model(name).fit(X, *y).score(X, *y)


@every_of_tables
def test_it_is_cross_validated_and_searched(name):
    scores = cross_val_score(model(name), *given(name), cv=3, error_score="raise")
    assert np.isfinite(scores).all() and len(scores) == 3
    params = model(name).get_params(deep=False)
    grid = {key: [value] for key, value in params.items() if not isinstance(value, list)}
    search = GridSearchCV(model(name), grid, cv=3, error_score="raise").fit(*given(name))
    assert search.best_score_ == pytest.approx(scores.mean()) and repr(search.best_estimator_) == repr(model(name))


@every_classifier
def test_it_votes_beside_others(name):
    X, y = given(name)
    both = VotingClassifier([("ours", model(name)), ("theirs", GaussianNB())]).fit(X, y)
    assert both.score(X, y) > 0.8 and set(both.predict(X)) <= set(y)


@pytest.mark.parametrize(
    "name", [name for name in CLASSIFIERS if {"predict_proba", "decision_function"} & set(dir(KINDS[name]))]
)
def test_its_probabilities_are_calibrated(name):
    made, (X, y) = model(name), given(name)
    shares = CalibratedClassifierCV(made, cv=3).fit(X, y).predict_proba(X)
    assert shares.shape == (len(X), 2) and shares.sum(axis=1) == pytest.approx(1)


@every_classifier
def test_its_confusion_is_drawn(name):
    matplotlib.use("Agg")
    X, y = given(name)
    fitted = model(name).fit(X, y)
    shown = ConfusionMatrixDisplay.from_estimator(fitted, X, y)
    assert shown.confusion_matrix.trace() / len(X) == pytest.approx(fitted.score(X, y))
    matplotlib.pyplot.close(shown.figure_)


@every_classifier
def test_classes_are_an_array_and_answers_are_among_them(name):
    X, y = given(name)
    fitted = model(name).fit(X, y)
    assert isinstance(fitted.classes_, np.ndarray) and fitted.classes_.tolist() == ["versicolor", "virginica"]
    assert set(answers(fitted, X)) <= set(fitted.classes_)


# What was learned


def bad_fits(name):
    """Arguments that `fit` refuses, early and late."""
    if name in OF_SEQUENCES:
        yield from (([[0, 1], [0, 7]],), ([[0, 1], []],), ([0, 1],), (np.zeros((2, 2, 2)),), (None,))
        return
    X, *y = given(name)
    hole = X.copy()
    hole[3, 1] = np.nan
    cube = np.zeros((2, 2, 2))
    yield (hole, *y)
    yield (cube, *y)
    yield ([[1.0, None]] * len(X), *y)
    yield (X[:0], *(each[:0] for each in y))
    if y:
        yield (X, y[0][:-1])
        yield (X[:, :2], np.array([None] * len(X), dtype=object))
        yield (pd.DataFrame(X, columns=list("dcba")), y[0][:-1])


@every
def test_a_fit_that_fails_leaves_the_old_answers(name):
    fitted = model(name).fit(*given(name))
    before, kept = answers(fitted, asked(name)), set(vars(fitted))
    for arguments in bad_fits(name):
        with pytest.raises(ValueError):
            fitted.fit(*arguments)
        assert (answers(fitted, asked(name)) == before).all() and set(vars(fitted)) == kept
    fresh = model(name)
    for arguments in bad_fits(name):
        with pytest.raises(ValueError):
            fresh.fit(*arguments)
        assert vars(fresh).keys() == vars(model(name)).keys()


@every_of_tables
def test_before_fit_nothing_is_answered(name):
    with pytest.raises(NotFitted, match="is not fitted yet"):
        model(name).predict(TENTHS)
    unlearned = model(name)
    for arguments in bad_fits(name):
        with pytest.raises(ValueError):
            unlearned.fit(*arguments)
        with pytest.raises(NotFitted):
            unlearned.predict(TENTHS)


@every
def test_what_is_learned_is_pickled(name):
    fitted = model(name).fit(*given(name))
    assert (answers(pickle.loads(pickle.dumps(fitted)), asked(name)) == answers(fitted, asked(name))).all()
    assert repr(pickle.loads(pickle.dumps(model(name)))) == repr(model(name))


@every
def test_what_was_given_may_change_later(name):
    X, *y = given(name)
    fitted = model(name).fit(X, *y)
    before = answers(fitted, asked(name))
    X[:] = 0
    for each in y:
        each[:] = each[0]
    assert (answers(fitted, asked(name)) == before).all()


@every
def test_what_is_given_is_not_changed(name):
    X, *y = given(name)
    for each in (X, *y):
        each.setflags(write=False)
    model(name).fit(X, *y).predict(X[0] if name in OF_SEQUENCES else X)


# Columns and y


@every_of_tables
def test_columns_are_counted_and_known_by_name(name):
    X, *y = given(name)
    fitted = model(name).fit(X, *y)
    assert fitted.n_features_in_ == 4 and not hasattr(fitted, "feature_names_in_")
    for wrong in (X[:, :3], np.hstack([X, X])):
        with pytest.raises(ValueError, match="X must have 4 attributes as in fit, got"):
            fitted.predict(wrong)
    table = pd.DataFrame(X, columns=list("abcd"))
    fitted.fit(table, *y)
    assert fitted.feature_names_in_.tolist() == list("abcd")
    assert (answers(fitted, table[list("dbca")]) == answers(fitted, table)).all(), "found by name"
    with pytest.raises(ValueError, match="X must have the attributes of fit"):
        fitted.predict(table.rename(columns={"a": "e"}))
    with pytest.raises(ValueError, match="X must"):
        fitted.predict(pd.DataFrame())
    fitted.fit(X, *y)
    assert not hasattr(fitted, "feature_names_in_"), "names of an earlier fit are forgotten"


@every_of_tables
def test_none_and_the_infinite_are_no_numbers(name):
    fitted = model(name).fit(*given(name))
    for bad in (None, np.nan, np.inf, "a", "1", 1j):
        table = rows(name)[:3].astype(object)
        table[1, 2] = bad
        if name == "NaiveBayes" and isinstance(bad, str):
            continue  # to which a name is a value like any other
        with pytest.raises(ValueError, match="X"), warnings.catch_warnings():
            warnings.simplefilter("error")
            fitted.predict(table)


@supervised
def test_a_score_looks_at_y(name):
    X, y = given(name)
    fitted = model(name).fit(X, y)
    for bad in (y[:, None], y[:-1], None, "abc", 1, pd.DataFrame({"y": y})):
        with pytest.raises(ValueError, match="y must"):
            fitted.score(X, bad)
    for weights in (np.ones(3), [-1] + [1] * 99, np.zeros(100), "abc"):
        with pytest.raises(ValueError, match="sample_weight must"):
            fitted.score(X, y, weights)
    for good in (list(y), pd.Series(y, index=range(7, 107)), y.astype(object)):
        assert fitted.score(X, good) == fitted.score(X, y)


@every_classifier
def test_y_holds_classes_of_one_kind_and_none_is_missing(name):
    X = TENTHS[:4]
    of_two_kinds = np.array(["a", 1, "a", 1], dtype=object)
    missing = [[0, 1, None, 1], [0.0, 1.0, np.nan, 1.0], [0, 1, pd.NA, 1]]
    if name in (
        "MultinomialNaiveBayes",
        "BernoulliNaiveBayes",
        "MixtureNaiveBayes",
    ):  # which shares out what has no label, by EM
        assert all(model(name).fit(X, y).history_[-1].shares.shape == (1, 2) for y in missing)
        missing = []
    for bad in (*missing, of_two_kinds, [[0], [1], [0, 1], [1]]):
        with pytest.raises(ValueError, match="y must"):
            model(name).fit(X, bad)
