"""What all estimators of the course share: the conventions of scikit-learn, written out."""

import inspect
import sys
from functools import wraps

import numpy as np

from bayeslib.models._checks import labels, names, row_weights, rows, short, targets


class NotFittedError(ValueError, AttributeError):
    """A model was used before `fit`; where scikit-learn is imported, its error of this name is raised instead."""


class Estimator:
    """An estimator stores what its constructor is given and learns only in `fit`; what it learned ends in `_`.

    A subclass checks its parameters in `_check`, which `fit` calls first (its constructor and `set_params` check nothing, as in
    scikit-learn), calls `_first_rows(X)` in `fit` and `_more_rows(X)` in every later method. A `fit` that fails leaves
    the model as it was.
    """

    _kind = None  # "classifier", "regressor", "clusterer" or "density_estimator", as scikit-learn calls them
    _one_feature = False  # whether a plain sequence of numbers counts as one column
    _input_tags = {}  # what scikit-learn's `InputTags` should say of X, positive_only=True for example

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "fit" in vars(cls):
            cls.fit = _all_or_nothing(cls.fit)

    def _check(self):
        """Raise a ValueError if a parameter is invalid."""

    @classmethod
    def _parameters(cls):
        """The constructor's parameters and their defaults."""
        return {name: parameter.default for name, parameter in inspect.signature(cls).parameters.items()}

    def get_params(self, deep=True):
        """The parameters by name; with `deep` also those of an estimator among them, as base__name."""
        params = {name: getattr(self, name) for name in self._parameters()}
        for name, value in list(params.items()) if deep else ():
            if hasattr(value, "get_params") and not isinstance(value, type):
                params |= {f"{name}__{key}": inner for key, inner in value.get_params().items()}
        return params

    def set_params(self, **params):
        """Change parameters by name; base__name changes that of an estimator among them. Returns the estimator."""
        known = self.get_params()
        for name in params:
            if name not in known:
                raise ValueError(f"{name} must be a parameter of {type(self).__name__}, {names(self._parameters())}")
        for name, value in params.items():
            outer, _, inner = name.partition("__")
            getattr(self, outer).set_params(**{inner: value}) if inner else setattr(self, name, value)
        return self

    def __repr__(self):
        """The constructor call, with the parameters that differ from their defaults."""
        given = {name: (short(getattr(self, name)), short(default)) for name, default in self._parameters().items()}
        shown = ", ".join(f"{name}={value}" for name, (value, default) in given.items() if value != default)
        return f"{type(self).__name__}({shown})"

    def __sklearn_tags__(self):
        """The tags that scikit-learn asks for; only scikit-learn calls this, so it is imported only here."""
        from sklearn import utils

        return utils.Tags(
            estimator_type=self._kind,
            target_tags=utils.TargetTags(required=self._kind in ("classifier", "regressor")),
            classifier_tags=utils.ClassifierTags() if self._kind == "classifier" else None,
            regressor_tags=utils.RegressorTags() if self._kind == "regressor" else None,
            input_tags=utils.InputTags(**self._input_tags),
        )

    # Rows and their columns

    def _first_rows(self, X):
        """X as rows of numbers in `fit`; the number and names of its columns are stored."""
        array = rows(X, one_feature=self._one_feature)
        self._remember(column_names(X), array.shape[1])
        return array

    def _remember(self, columns, count):
        self.n_features_in_ = count
        if columns is not None:
            self.feature_names_in_ = np.array(columns, dtype=object)
        else:
            vars(self).pop("feature_names_in_", None)

    def _more_rows(self, X, name="X", copy=True):
        """X as rows with the columns of `fit`; named columns may come in any order."""
        self._fitted()
        array = rows(self._in_order(X, name), name, one_feature=self._one_feature, copy=copy)
        if array.shape[1] != self.n_features_in_:
            raise ValueError(
                f"{name} has {array.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        return array

    def _in_order(self, X, name="X"):
        """A table with its columns in the order of `fit`; X without column names is returned as it is."""
        given, wanted = column_names(X), getattr(self, "feature_names_in_", None)
        if given is None or wanted is None or given == wanted.tolist():
            return X
        if sorted(given) != sorted(wanted):
            raise ValueError(f"{name} must have the attributes of fit, {names(wanted)}, got {names(given)}")
        return X[wanted.tolist()]

    def _fitted(self):
        if not hasattr(self, "n_features_in_"):
            theirs = sys.modules.get("sklearn.exceptions")
            error = theirs.NotFittedError if theirs else NotFittedError
            raise error(f"this {type(self).__name__} is not fitted yet: call fit first")


class Classifier(Estimator):
    """An estimator whose `predict` gives classes."""

    _kind = "classifier"

    def score(self, X, y, sample_weight=None):
        """The accuracy: the share of rows whose class is predicted."""
        predicted = np.atleast_1d(self.predict(X))
        classes, codes = labels(y, len(predicted))
        return float(np.average(predicted == classes[codes], weights=row_weights(sample_weight, len(predicted))))


class Regressor(Estimator):
    """An estimator whose `predict` gives numbers."""

    _kind = "regressor"

    def score(self, X, y, sample_weight=None):
        """R² = 1 − Σ(y − ŷ)² / Σ(y − ȳ)²; where y does not vary, 1 if every prediction is right and else 0."""
        predicted = np.asarray(self.predict(X))
        y = targets(y, len(predicted))
        weights = row_weights(sample_weight, len(predicted))
        error = np.average((y - predicted) ** 2, weights=weights)
        spread = np.average((y - np.average(y, weights=weights)) ** 2, weights=weights)
        return float(1 - error / spread) if spread > 0 else float(error == 0)


def column_names(X):
    """The names of a table's columns, where all of them are strings; else None."""
    columns = list(getattr(X, "columns", []))
    return columns if columns and all(isinstance(name, str) for name in columns) else None


def _all_or_nothing(fit):
    """`fit`, but restoring the attributes of the model if it fails."""

    @wraps(fit)
    def guarded(self, *args, **options):
        before = dict(vars(self))
        try:
            self._check()
            return fit(self, *args, **options)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return guarded
