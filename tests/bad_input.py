"""Every public callable of the models with a call that works, found by signature: what `test_validation` then spoils.

A new function, class or method is found at once. Its arguments come from `BASE` by their name, from `SPECIAL` where one
callable means something else by it, else from their defaults.
"""

import inspect

import numpy as np
import pandas

import bayeslib
from bayeslib.models import ensembles, hmm, local, neighbors, networks
from bayeslib.models._model import Estimator
from bayeslib.models.concepts import ENJOY_SPORT, ConjunctiveSpace
from bayeslib.models.naive_bayes import BernoulliNaiveBayes, MixtureNaiveBayes, MultinomialNaiveBayes
from bayeslib.models.networks import examples

MODULES = ["bayes", "concepts", "data", "ensembles", "estimates", "hmm", "kernels", "likelihood", "local", "mixtures"]
MODULES += ["naive_bayes", "neighbors", "networks", "poets", "text"]

X = np.array(
    [[0, 3, 1], [1, 2, 0], [2, 0, 1], [3, 1, 4], [5, 4, 2], [4, 5, 3], [1, 1, 5], [2, 4, 4], [0, 2, 2], [5, 0, 3]]
)
X = np.vstack([X, X[::-1] + 1]).astype(float)
Y = np.array([0, 1] * 10)
BELIEF, LIKELIHOOD = {"a": 0.25, "b": 0.75}, {"a": 0.5, "b": 0.125}
HOLES = [{"S": True, "A": False, "K": None, "E": True, "H": False}, {"S": False, "A": True, "K": True, "E": True}] * 2
ROWS = examples.typical_rows(examples.student(), 40)
GRAPH = {"a": (), "b": ("a",), "c": ("a", "b")}
DAY = ("Sunny", "Warm", "Normal", "Strong", "Warm", "Same")
DAYS = [(DAY, True), (("Rainy", "Cold", "High", "Strong", "Warm", "Change"), False)]
CASES = [{"size": 1.0, "kind": "x"}, {"size": 3.0, "kind": "y"}, {"size": 4.0, "kind": "x"}]

# An argument that works, by the argument's name.
BASE = {
    "X": X, "y": Y, "Z": X, "x": X[:, 0], "at": [0.5, 1.5], "x_new": [0.5, 1.5], "y_new": [0.5, 1.5], "queries": X[:2],
    "query": X[0], "points": X[:, :2], "design": X, "data": X[:, 0], "residuals": X[:, 0], "distances": X[:, 0],
    "prior": BELIEF, "likelihood": LIKELIHOOD, "likelihoods": [LIKELIHOOD], "priors": [0.1, 0.5], "posterior": BELIEF,
    "votes": {"a": "+", "b": "-"}, "p": 0.25, "theta": 0.25, "probability": 0.25, "level": 0.8,
    "sensitivity": 0.9, "false_positive": 0.125, "crowd": 100, "results": "+-", "p_plus": [0.25, 0.5, 0.75],
    "a": 2.0, "b": 3.0, "n": 4, "n_c": 2, "m": 2.0, "successes": 2, "failures": 3, "heads": 2, "tails": 3, "counts": [1, 2],
    "alpha": 1.0, "chances": [0.25, 0.5], "sigma": 1.0, "scale": 1.0, "degree": 1, "base": 2, "random_state": 0,
    "kernel": "gaussian", "bandwidth": 1.0, "centres": 3, "width": 1.0, "k": 2, "n_clusters": 2, "n_components": 2,
    "n_neighbors": 3, "n_estimators": 3, "weights": np.full(20, 0.05), "errors": [0.25, 0.25], "error": 0.25, "voters": 3,
    "wrong": np.arange(20) % 4 == 0, "signs": 2 * Y - 1, "codes": Y, "thresholds": [1.5, 2.5], "noise": 0.125, "size": 10, "box": (-1, 7, -1, 7),
    "mean": 0.0, "variance": 1.0, "means": X[:2], "labels": np.arange(20) % 2, "mu": 0.0, "corners": [[0, 0], [1, 0], [0, 1]],
    "path": ["rain", "dry"], "observations": ["umbrella", "none"], "sequences": [["umbrella", "none", "umbrella"]], "T": 3,
    "examples": DAYS, "domains": ENJOY_SPORT, "hypothesis": DAY, "other": DAY, "instance": DAY, "number": 3, "label": "Label",
    "net": examples.burglary(), "network": examples.student_start(), "structure": examples.student(),
    "target": "Burglary", "test": "JohnCalls", "variable": "Alarm", "parents": GRAPH, "others": GRAPH, "variables": ["a", "b", "c"],
    "texts": ["one word and one more word", "one more text"], "least": 1, "attribute": "Outlook",
    "text": "one word", "mine": ["my", "my", "love"], "edges": [0.0, 0.5, 1.0], "said": [0.25, 0.75], "right": [0, 1],
}  # fmt: skip

# Where one callable, or one module, means something else by a name.
SPECIAL = {
    "bayes-diagnosis": {"prior": 0.25},
    "bayes-natural_frequencies": {"prior": 0.25},
    "concepts-error_curves": {"labels": np.eye(3, dtype=bool), "examples": 2, "runs": 3},
    "concepts-gibbs_error": {"p": [0.25, 0.75]},
    "concepts-expected_costs": {"p": BELIEF, "costs": {"stay": {"a": 0, "b": 1}, "go": {"a": 2, "b": 0}}},
    "concepts-expected_loss": {"answer": 1.5, "numbers": {"a": 1, "b": 2}},
    "concepts-best_number": {"numbers": {"a": 1, "b": 2}},
    "concepts-weigh_by_errors": {"errors": [[0, 1], [2, 2]]},
    "concepts-draw_trials": {"counts": [[3, 1], [2, 4]], "size": 2, "runs": 3},
    "concepts-held_out_scores": {"says": [[1, 0], [1, 1]], "seen": [[0, 3], [2, 1]], "rest": [[1, 9], [8, 2]]},
    "concepts-day_by_day": {"forecasts": [[1, 0], [1, 1]], "outcomes": [1, 0]},
    "concepts-threshold_errors": {"examples": 3},
    "concepts-threshold_runs": {"examples": 3, "runs": 2},
    "concepts-winners": {"weights": BELIEF},
    "concepts-ConjunctiveSpace.from_table": {"table": pandas.DataFrame({"Sky": ["a", "b"], "Label": [1, 0]})},
    "concepts-Beliefs.get": {"key": DAY},
    "ensembles-Bagging": {"base": ensembles.DecisionStump()},
    "ensembles-AdaBoost": {"base": ensembles.DecisionStump()},
    "ensembles-average_stumps": {"y": 2 * Y - 1},
    "estimates-best_m": {"theta": 0.75},
    "hmm-guess": {"model": hmm.umbrella()},
    "likelihood-description_length": {"prior": 0.25, "likelihood": 0.5},
    "likelihood-coin_posterior": {"prior": [0.5, 0.5]},
    "likelihood-coin_predictions": {"prior": [0.5, 0.5]},
    "likelihood-coin_density": {"theta": [0.25, 0.5]},
    "likelihood-fit_line": {"y": X[:, 1]},
    "likelihood-least_absolute_line": {"y": X[:, 1]},
    "likelihood-polynomial_values": {"y": X[:, 1]},
    "likelihood-polynomial_description_length": {"y": X[:, 1]},
    "likelihood-held_out_error": {"y": X[:, 1]},
    "likelihood-least_power_line": {"y": X[:, 1], "power": 1.5},
    "likelihood-power_log_likelihood": {"power": 1.5},
    "likelihood-weighted_mean": {"sigma": X[:, 0] + 1},
    "likelihood-mean_posterior": {"prior_mean": 1.0, "prior_sigma": 2.0},
    "likelihood-ridge_line": {"y": X[:, 1], "prior_sigma": 2.0},
    "likelihood-cross_entropy": {"outcomes": [1, 0], "predicted": [0.25, 0.5]},
    "likelihood-polynomial_scores": {"y": X[:, 1], "degrees": [0, 1]},
    "poets-word_odds": {"other": ["my", "wars"]},
    "local-CaseBase": {"cases": CASES, "answers": [1, 2, 3], "weights": {"size": 1.0, "kind": 1.0}},
    "local-CaseBase.predict": {"query": {"size": 2.0, "kind": "x"}},
    "local-CaseBase.retrieve": {"query": {"size": 2.0, "kind": "x"}},
    "local-CaseBase.compare": {"attribute": "size"},
    "local-weighted_fit": {"design": local.columns(X[None, None, :, 0], 1), "weights": np.ones((1, 20))},
    "naive_bayes-MultinomialNaiveBayes.top_words": {"label": 0, "n": 2},
    "naive_bayes-BernoulliNaiveBayes.top_words": {"label": 0, "n": 2},
    "naive_bayes-MixtureNaiveBayes.top_words": {"label": 0, "n": 2},
    "naive_bayes-NaiveBayes.counts": {"attribute": 0},
    "naive_bayes-NaiveBayes.table": {"attribute": 0},
    "naive_bayes-NaiveBayes.explain": {"x": X[0]},
    "naive_bayes-borders": {"mean": [0.0, 1.0], "variance": [1.0, 2.0], "prior": [0.5, 0.5]},
    "neighbors-voronoi_cells": {"points": X[:8, :2]},
    "neighbors-kd_borders": {"tree": neighbors.kd_tree(X[:, :2]), "points": X[:, :2]},
    "neighbors-kd_search": {"tree": neighbors.kd_tree(X[:, :2]), "query": X[0, :2]},
    "mixtures-Q": {"new_means": [0.0, 1.0], "means": [0.0, 2.0]},
    "mixtures-log_likelihood": {"means": [0.0, 2.0]},
    "mixtures-best_naming": {"groups": np.arange(20) % 3},
    "text-log_joints": {"prior": 0.5, "table": [[0.25, 0.5], [0.5, 0.75]], "X": [[0, 1], [1, 1]]},
    "text-e_step": {"prior": 0.5, "table": [[0.25, 0.5], [0.5, 0.75]], "X": [[0, 1], [1, 1]], "y": [1, None]},
    "text-m_step": {"X": [[0, 1], [1, 1]], "q": [0.25, 1.0]},
    "text-em": {"X": [[0, 1], [1, 1], [1, 0]], "y": [0, 1, None], "rounds": 2},
    "text-split_documents": {"y": list("ab" * 10), "labels": 2},
    "text-word_counts": {"least": 1},
    "text-task_data": {"task": "two packages"},
    "text-task_constant": {"task": "two packages", "splits": 1},
    "text-choose_weight": {"task": "two packages", "labels": 2, "split": 0, "weights": [0.5]},
    "text-split_tales": {"keep": "random parts", "split": 0},
    "text-run_tales": {"keep": "random parts", "labels": 2, "split": 0},
    "text-tale_accuracies": {"keep": "random parts", "labels": 2},
    "text-tale_constant": {"keep": "random parts", "split": 0},
    "text-compare_texts": {
        "first": ["sea", "ship"] * 40, "second": ["oven", "pan"] * 40, "third": ["sea"] * 40, "labels": 2, "size": 8,
    },
    "text-run_trial": {"task": "two packages", "labels": 2, "split": 0},
    "text-accuracies": {"task": "two packages", "labels": 2, "splits": 1},
    "hmm-HiddenMarkovModel": {
        "start": [0.5, 0.5], "transition": [[0.7, 0.3], [0.3, 0.7]], "emission": [[0.9, 0.1], [0.2, 0.8]],
        "states": ["rain", "dry"], "symbols": ["umbrella", "none"],
    },
    "networks-BeliefNetwork": {
        "parents": {"Rain": [], "Wet": ["Rain"]}, "tables": {"Rain": 0.25, "Wet": {"yes": 0.5, "no": 0.25}},
        "states": {"Rain": ["yes", "no"]},
    },
    "networks-completions": {"data": HOLES},
    "networks-counts": {"data": ROWS}, "networks-fit": {"data": ROWS}, "networks-score": {"data": ROWS},
    "networks-family_scores": {"data": ROWS}, "networks-hill_climb": {"data": ROWS}, "networks-moves": {"data": ROWS},
    "networks-em": {"data": HOLES, "max_iter": 3}, "networks-expected_counts": {"data": HOLES},
    "networks-gradient_ascent": {"data": HOLES, "max_iter": 3},
    "networks-structural_em": {"data": ROWS, "rounds": 1, "max_iter": 2},
    "networks-FamilyScores.from_data": {"data": ROWS},
    "networks-graph.ancestors": {"variables": ["b"]},
    "networks-graph.markov_blanket": {"variable": "b"},
    "networks-graph.d_separated": {"a": {"a"}, "b": {"c"}}, "networks-graph.paths": {"a": "a", "b": "c"},
    "networks-graph.smallest_parents": {"order": ["c", "a", "b"]},
    "networks-write_bif": {"path": "written.bif"}, "networks-read_bif": {"path": "net.bif"},
    "networks-Counts": {
        "parents": {"a": ()}, "states": {"a": (0, 1)}, "arrays": {"a": [1.0, 2.0]},
    },
    "networks-FamilyScores": {"count": lambda child, parents: np.ones((1, 2)), "cards": {"a": 2, "b": 2}, "total": 4},
}  # fmt: skip
STUDENT = {"assignment": {v: True for v in "SAKEH"}, "variable": "K", "target": "K", "test": "E", "a": "S", "b": "A"}
STUDENT |= {
    "evidence": {"E": True},
    "values": np.array([0.5, 0.25]),
    "tables": {"S": 0.5},
    "parents": dict(examples.student().parents),
}
SPECIAL |= {"networks-Search": STUDENT, "networks-Learned": STUDENT, "networks-BeliefNetwork.*": STUDENT}
SPECIAL |= {"networks-BeliefNetwork.reordered": {"order": list("HEKAS")}}
SPECIAL |= {"networks-Move": STUDENT, "networks-Counts.*": STUDENT}

# Records that functions return, and how to come by one: what they hold was checked by whoever made them.
INSTANCES = {
    "networks-BeliefNetwork": examples.student,
    "networks-Learned": lambda: networks.em(examples.student_start(), HOLES, max_iter=2),
    "networks-Counts": lambda: networks.counts(examples.student(), ROWS),
    "networks-Search": lambda: networks.hill_climb(ROWS),
    "networks-Move": lambda: networks.Move("delete", "S", "K", 0.0),
    "concepts-Beliefs": lambda: ConjunctiveSpace(ENJOY_SPORT).posterior(DAYS),
    "ensembles-StumpAverage": lambda: ensembles.average_stumps(X, 2 * Y - 1, [1.5, 2.5], 0.125),
    "local-CaseBase": lambda: local.CaseBase(CASES, [1, 2, 3]),
    "naive_bayes-MultinomialNaiveBayes": lambda: MultinomialNaiveBayes().fit(X, Y),
    "naive_bayes-BernoulliNaiveBayes": lambda: BernoulliNaiveBayes().fit(X, Y),
    "naive_bayes-MixtureNaiveBayes": lambda: MixtureNaiveBayes(random_state=0).fit(X, Y),
}

# Nothing is asked of these, by design.
FORMULA = "a formula of the lesson, written as in the book: whoever calls it has checked"
WORDS = "only the words of an error"
MADE = "made by the package, not by hand"
UNCHECKED = {
    "concepts-Beliefs": MADE,
    "concepts-Beliefs.get": "a mapping's own method",
    "hmm-forward": FORMULA,
    "hmm-backward": FORMULA,
    "hmm-best_routes": FORMULA,
    "hmm-follow_back": FORMULA,
    "likelihood-true_curve": FORMULA,
    "mixtures-nearest": FORMULA,
    "mixtures-averages": FORMULA,
    "mixtures-cost": FORMULA,
    "mixtures-log_densities": FORMULA,
    "mixtures-log_joint": FORMULA,
    "mixtures-e_step": FORMULA,
    "mixtures-m_step": FORMULA,
    "mixtures-lower_bound": FORMULA,
    "mixtures-entropy": FORMULA,
    "naive_bayes-count": FORMULA,
    "naive_bayes-log_normal": FORMULA,
    "networks-FamilyScores.fit": FORMULA,
    "networks-FamilyScores.penalty": FORMULA,
    "networks-FamilyScores.with_one_more": FORMULA,
    "networks-Counts": MADE,
    "networks-Learned": MADE,
    "networks-BeliefNetwork.number(argument)": WORDS,
    "networks-BeliefNetwork.observed(argument)": WORDS,
}


class Case:
    """One public callable: its name, its arguments, and `call`, which takes all of them by name."""

    def __init__(self, name, function, call, prepare=None):
        self.name, self.call, self.prepare = name, call, prepare or (lambda: None)
        kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        given = [p for p in inspect.signature(function).parameters.values() if p.kind not in kinds and p.name != "self"]
        self.arguments = [p.name for p in given]
        self.required = [p.name for p in given if p.default is p.empty]
        self.special = self._special()

    def _special(self):
        kin = (self.name.split(".")[0], self.name.split(".")[0] + ".*" if "." in self.name else "", self.name)
        return {key: value for each in kin for key, value in SPECIAL.get(each, {}).items()}

    def base(self):
        """Arguments of a call that works."""
        wanted = [name for name in self.arguments if name in self.special or name in self.required]
        return {name: self.special[name] if name in self.special else BASE[name] for name in wanted}


def cases():
    """Every public callable of the models."""
    for module in MODULES:
        for name, value in public(getattr(bayeslib, module)):
            yield from _cases(f"{module}-{name}", value)


def public(module, prefix=""):
    """(name, value) of what a module offers: what it lists, else what it defines; of modules that it lists, theirs."""
    own = [
        n for n, each in vars(module).items() if getattr(each, "__module__", None) == module.__name__ and n[0] != "_"
    ]
    for name in getattr(module, "__all__", own):
        value = getattr(module, name)
        if inspect.ismodule(value):
            yield from public(value, f"{name}.")
        elif callable(value):
            yield prefix + name, value


def _cases(name, value):
    if not inspect.isclass(value):
        yield Case(name, value, value)
    elif issubclass(value, Estimator) or hasattr(value, "fit") and hasattr(value, "predict"):
        yield from _of_an_estimator(name, value)
    elif not issubclass(value, BaseException):
        record = issubclass(value, tuple)
        made = [] if record else [Case(name, value, value)]
        make = INSTANCES.get(name) or (None if record else lambda: value(**made[0].base()))
        yield from made
        yield from _of_methods(name, value, make)


def _of_an_estimator(name, cls):
    """A parameter is judged at the latest by `fit`; other methods are asked of a model that has learned."""
    made = Case(name, cls, None)
    fit = Case(f"{name}.fit", cls.fit, lambda **given: cls(**made.base()).fit(**given))
    made.call = lambda **given: cls(**given).fit(**fit.base())
    yield made
    yield fit
    make = INSTANCES.get(name, lambda: cls(**made.base()).fit(**fit.base()))
    yield from _of_methods(name, cls, make, without=("fit", "get_params", "set_params"))


def _of_methods(name, cls, make, without=()):
    for method, function in inspect.getmembers(cls, callable):
        inherited = issubclass(cls, tuple) and hasattr(tuple, method)
        if method[0] == "_" or method in without or inherited or inspect.isclass(function):
            continue
        yield _method(f"{name}.{method}", function, method, make)


def _method(name, function, method, make):
    kept = []

    def prepare():
        kept.append(make())

    return Case(name, function, lambda **given: getattr(kept[-1], method)(**given), prepare)
