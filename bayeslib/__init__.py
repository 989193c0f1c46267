"""Bayesian learning, section by section: models (here), pictures (`bayeslib.plots`), live figures (`bayeslib.live`).

A name is loaded when it is first asked for, so that `import bayeslib` costs little more than numpy.
"""

from importlib import import_module

from bayeslib.bayes import posterior, total_probability, update

__version__ = "0.1.0"
_HOMES = {
    "AdaBoost": "ensembles",
    "Bagging": "ensembles",
    "BeliefNetwork": "networks",
    "DecisionStump": "ensembles",
    "GaussianMixture": "mixtures",
    "GaussianNaiveBayes": "naive_bayes",
    "HiddenMarkovModel": "hmm",
    "KMeans": "mixtures",
    "KNeighborsClassifier": "neighbors",
    "KNeighborsRegressor": "neighbors",
    "LocallyWeightedRegression": "local",
    "MultinomialNaiveBayes": "naive_bayes",
    "NaiveBayes": "naive_bayes",
    "RBFNetwork": "local",
    "RandomForest": "ensembles",
    "m_estimate": "estimates",
}
_MODULES = ["concepts", "data", "ensembles", "estimates", "hmm", "kernels", "likelihood", "local", "mixtures"]
_MODULES += ["neighbors", "networks", "text"]
__all__ = ["posterior", "total_probability", "update", *_HOMES, *_MODULES]


def __getattr__(name):
    if name in _MODULES:
        return import_module(f"bayeslib.{name}")
    if name in _HOMES:
        return getattr(import_module(f"bayeslib.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'bayeslib' has no attribute {name!r}")


def __dir__():
    return __all__
