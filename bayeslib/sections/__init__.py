"""The one table of the course's sections: the exports, the map in 00, the README's table and the site's menu come from it.

A section has a folder here with its questions and practice tasks, a notebook and an exercise.

To add a section, add a row and run `make sections`: it lists the files that are missing (tests/test_repository.py checks the same).
"""

from importlib import import_module
from typing import NamedTuple


class Section(NamedTuple):
    """One section: its number, the slug that names its files, its title, the question it answers, its models.

    `models` maps each module of models to the names in it that `bayeslib` itself exports; `holds` says what is in them.
    `edition` is the one whose rules its lesson follows: 2 until the lesson is rewritten, then 3.
    """

    number: str
    slug: str
    title: str
    asks: str
    models: dict
    holds: str
    edition: int = 2

    @property
    def name(self):
        """The name of its notebook, its exercise and its page: "10-k-means-and-em"."""
        return f"{self.number}-{self.slug}"

    @property
    def module(self):
        """The name of its modules in `plots` and `live`: "k_means_and_em"."""
        return self.slug.replace("-", "_")

    @property
    def folder(self):
        """The name of its folder in `bayeslib.sections`: "s10_k_means_and_em"."""
        return f"s{self.number}_{self.module}"

    def tasks(self):
        """name -> practice task"""
        return import_module(f"{__name__}.{self.folder}.tasks").TASKS


START = Section("00", "start-here", "Start here", "does it work, how to use it, the map", {}, "", 3)
APPENDIX = Section("A", "symbols-and-glossary", "Symbols and glossary", "to look things up", {}, "", 3)
SECTIONS = (
    Section(
        "01",
        "bayes-theorem",
        "Bayes' theorem",
        "A test says yes. How far should I believe it?",
        {"bayes": ["posterior", "total_probability", "update"]},
        "dicts, pandas columns or arrays in, the same kind out",
        edition=3,
    ),
    Section(
        "02",
        "concept-learning",
        "Concept learning",
        "Which rule could it be, and how sure may I be?",
        {"concepts.space": []},
        "`ConjunctiveSpace` (posterior, version space, Find-S, Candidate-Elimination, best query)",
    ),
    Section(
        "03",
        "maximum-likelihood",
        "Maximum likelihood, least squares and MDL",
        "Why squares? And how complicated may a curve be?",
        {"likelihood": []},
        "Gaussian and Bernoulli ML, least squares, code and description lengths (base 2 unless another is given)",
    ),
    Section(
        "04",
        "bayes-optimal",
        "Bayes-optimal and Gibbs classifiers",
        "Does the most probable hypothesis also give the most probable answer?",
        {"concepts.optimal": []},
        "`bayes_optimal`, `gibbs`, `expected_errors`",
    ),
    Section(
        "05",
        "naive-bayes",
        "Naive Bayes",
        "How far do we get by pretending that everything is independent?",
        {
            "naive_bayes": [
                "BernoulliNaiveBayes",
                "GaussianNaiveBayes",
                "MixtureNaiveBayes",
                "MultinomialNaiveBayes",
                "NaiveBayes",
            ],
            "poets": [],
        },
        "`fit`, `predict`, `predict_proba`, `scores`, `explain`; `poets.word_odds`, `poets.calibration`",
    ),
    Section(
        "06",
        "estimating-probabilities",
        "Estimating probabilities",
        "What is the chance of something I have never seen?",
        {"estimates": ["m_estimate"]},
        "the Beta and Dirichlet view of it",
    ),
    Section(
        "07",
        "belief-networks",
        "Belief networks",
        "How do I draw what depends directly on what?",
        {"networks.graph": [], "networks.network": ["BeliefNetwork"]},
        "joint, query, marginals, d_separated, sample, `read_bif`, `write_bif`, the networks of the course; drawn by `bayeslib.plots.network`",
    ),
    Section(
        "08",
        "inference",
        "Inference in belief networks",
        "The alarm rings. Who was it?",
        {"networks.elimination": [], "networks.sampling": []},
        "enumeration and elimination step by step, samplers",
    ),
    Section(
        "09",
        "learning-networks",
        "Learning belief networks",
        "Can the drawing be learned from data?",
        {"networks.learning": [], "networks.search": []},
        "`counts`, `fit`, `score`, `hill_climb`",
    ),
    Section(
        "10",
        "k-means-and-em",
        "k-means and EM",
        "How do I find groups that nobody has labelled?",
        {"mixtures": ["GaussianMixture", "KMeans"]},
        "Q, the lower bound",
        edition=3,
    ),
    Section(
        "11",
        "em-for-networks",
        "EM for belief networks",
        "Some cells of my table are empty. Now what?",
        {"networks.em": []},
        "`em`, `gradient_ascent`, `structural_em`",
    ),
    Section(
        "12",
        "unlabeled-text",
        "Learning from unlabelled text",
        "Can text without labels teach a classifier anything?",
        {"text": []},
        "tales and documentation strings as corpora, and `bl.MultinomialNaiveBayes` with missing labels",
        edition=3,
    ),
    Section(
        "13",
        "hidden-markov-models",
        "Hidden Markov models",
        "What was going on while I saw only the umbrella?",
        {"hmm": ["HiddenMarkovModel"]},
        "filter, predict, smooth, viterbi, fit, as_network",
    ),
    Section(
        "14",
        "nearest-neighbours",
        "Nearest neighbours",
        "Can I just look up what happened last time?",
        {"neighbors": ["KNeighborsClassifier", "KNeighborsRegressor"]},
        "voronoi_cells, limit_error, a k-d tree to look into",
    ),
    Section(
        "15",
        "local-models",
        "Local models",
        "How near is near?",
        {"local": ["LocallyWeightedRegression", "RBFNetwork"], "kernels": []},
        "distance-weighted mean, leave-one-out, kernels",
    ),
    Section(
        "16",
        "bagging-and-boosting",
        "Bagging and boosting",
        "Can many poor judges make a good one?",
        {"ensembles": ["AdaBoost", "Bagging", "DecisionStump", "RandomForest"]},
        "`fit`, `predict`, rounds and bags to look into",
    ),
)
LESSONS = (START, *SECTIONS)
PAGES = (*LESSONS, APPENDIX)
BY_NUMBER = {section.number: section for section in PAGES}
