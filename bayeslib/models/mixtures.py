"""Mixtures of Gaussians: k-means with hard shares, EM with soft ones (section 10).

    E step   E[z_ij] = w_j N(x_i; μ_j, Σ_j) / Σ_l w_l N(x_i; μ_l, Σ_l)
    M step   μ_j = Σ_i E[z_ij] x_i / N_j,   w_j = N_j / n,   N_j = Σ_i E[z_ij]

`e_step` and `m_step` are these formulas, `nearest` and `averages` those of k-means; `fit` repeats them.
"""

from itertools import permutations
from typing import NamedTuple

import numpy as np

from bayeslib.models._checks import (
    LARGEST,
    as_number,
    generator,
    one_number,
    one_of,
    rows,
    sequence,
    short,
    true_or_false,
    whole_number,
)
from bayeslib.models._checks import labels as class_numbers
from bayeslib.models._model import Estimator

COVARIANCES = ["full", "tied", "diag", "spherical", "known"]
WEIGHTS = ["equal", "learned"]
TINY = 1e-300  # in place of 0 where a logarithm is taken
FLOOR = 1e-12  # the least variance in any direction, as a share of the data's own
MOST_NAMES = 7  # of groups or labels to be matched: all 5040 ways are tried


class Pass(NamedTuple):
    """A step of k-means: "start", "assign" or "move". `changed` is how many points moved to another mean.

    >>> [step.kind for step in KMeans(2, init=[1, 5], history=True).fit([1.0, 2.0, 6.0]).history_]
    ['start', 'assign', 'move', 'assign']
    """

    kind: str
    means: np.ndarray
    labels: np.ndarray | None
    cost: float | None
    changed: int


class Step(NamedTuple):
    """A step of EM: "start", "E" or "M". The bound touches the log-likelihood after an E step and lies below it after an M.

    >>> model = GaussianMixture(2, means_init=[1, 2], max_iter=1, history=True)
    >>> [step.kind for step in model.fit([1.0, 2.0, 6.0]).history_]
    ['start', 'E', 'M', 'E']
    """

    kind: str
    means: np.ndarray
    covariances: np.ndarray
    weights: np.ndarray
    responsibilities: np.ndarray | None
    log_likelihood: float
    bound: float | None


# k-means: the formulas


def nearest(X, means):
    """The number of the nearest mean for each point, the first of them in a tie (section 10).

    >>> nearest(np.array([[1.0], [2.0], [6.0]]), np.array([[0.0], [4.0]]))
    array([0, 0, 1])
    """
    return _squares(X, means).argmin(axis=1)


def _squares(X, means):
    """|x_i − μ_j|² for point i and mean j."""
    from scipy.spatial.distance import cdist

    return cdist(X, means, "sqeuclidean")


def averages(X, labels, means):
    """The average of the points of each mean; a mean without points stays where it is (section 10).

    >>> averages(np.array([[1.0], [2.0], [6.0]]), np.array([0, 0, 1]), np.array([[0.0], [4.0], [9.0]]))
    array([[1.5],
           [6. ],
           [9. ]])
    """
    counts = np.bincount(labels, minlength=len(means))[:, None]
    sums = np.array([np.bincount(labels, column, len(means)) for column in X.T]).T
    return np.where(counts > 0, sums / np.maximum(counts, 1), means)


def cost(X, labels, means):
    """Σ_i |x_i − μ_(label of i)|², the squared error that k-means lowers (section 10).

    >>> cost(np.array([[1.0], [2.0], [6.0]]), np.array([0, 0, 1]), np.array([[1.5], [6.0]]))
    0.5
    """
    return float(np.square(X - means[labels]).sum())


class KMeans(Estimator):
    """k-means: give each point to its nearest mean, move each mean to the average of its points, repeat (section 10).

    n_clusters     how many means
    init           the starting means, one row each, or how to draw them: "k-means++" or "random" (different points)
    n_init         how many starts are drawn; the fit with the least cost is kept
    max_iter       how many times the means may move
    tol            stop when the means together move by less than this share of the data's variance (squared distances);
                   with 0 only when no point changes its mean
    random_state   None, a whole number or a numpy Generator, for drawn starts
    history        whether to record every step, with all labels, in `history_`, a list of `Pass`
    Learned: `cluster_centers_`, `labels_`, `inertia_` (the cost), `n_iter_`, `history_`, `empty_` (means without any point).

    >>> KMeans(2, init=[3, 4]).fit([1.0, 2.0, 6.0, 7.0, 11.0]).cluster_centers_.ravel()
    array([1.5, 8. ])
    """

    _kind = "clusterer"
    _one_feature = True

    def __init__(
        self, n_clusters=8, init="k-means++", n_init=1, max_iter=300, tol=1e-4, random_state=None, history=False
    ):
        self.n_clusters, self.init, self.n_init, self.max_iter = n_clusters, init, n_init, max_iter
        self.tol, self.random_state, self.history = tol, random_state, history

    def _check(self):
        whole_number(self.n_clusters, "n_clusters")
        if isinstance(self.init, str):
            one_of(self.init, "init", ["k-means++", "random"])
        _check_climb(self)

    def fit(self, X, y=None):
        """Repeat both steps until hardly anything changes; of several starts the one with the least cost is kept."""
        X = self._first_rows(X)
        if isinstance(self.init, str):
            starts = _drawn(X, self.n_clusters, self.init, self)
        else:
            starts = [_given(self.init, "init", self.n_clusters, X)]
        best = min((self._climb(X, means) for means in starts), key=lambda fit: fit[2])
        self.cluster_centers_, self.labels_, self.inertia_, self.n_iter_, self.history_ = best
        self.empty_ = np.flatnonzero(np.bincount(self.labels_, minlength=self.n_clusters) == 0).tolist()
        return self

    def _climb(self, X, means):
        """Assign and move until no point changes its mean, or the means hardly move."""
        history = [Pass("start", means, None, None, 0)]
        labels, moved, little = None, np.inf, self.tol * X.var(axis=0).mean()
        for done in range(self.max_iter + 1):
            before, labels = labels, nearest(X, means)
            changed = len(X) if before is None else int((labels != before).sum())
            if self.history:
                history.append(Pass("assign", means, labels, cost(X, labels, means), changed))
            if changed == 0 or moved <= little or done == self.max_iter:
                break
            old, means = means, averages(X, labels, means)
            moved = np.square(means - old).sum()
            if self.history:
                history.append(Pass("move", means, labels, cost(X, labels, means), 0))
        return means, labels, cost(X, labels, means), done, history if self.history else []

    def predict(self, X):
        """The number of the nearest mean for each point."""
        return nearest(self._more_rows(X, copy=False), self.cluster_centers_)

    def fit_predict(self, X, y=None):
        """The number of the mean of each point, after `fit`."""
        return self.fit(X).labels_

    def score(self, X, y=None):
        """Minus the cost of these points, so that more is better."""
        X = self._more_rows(X, copy=False)
        return -cost(X, nearest(X, self.cluster_centers_), self.cluster_centers_)


def best_naming(groups, labels):
    """{group: label}: each group named by a different label, so that as many examples as possible are right (section 10).

    Where there are more groups than labels, the groups left over have no name.

    >>> best_naming([0, 0, 1, 1, 1], ["a", "b", "b", "b", "a"])
    {0: 'a', 1: 'b'}
    """
    groups, labels = sequence(groups, "groups"), sequence(labels, "labels")
    if len(labels) != len(groups):
        raise ValueError(f"labels must have one entry for each of the {len(groups)} groups, got {len(labels)}")
    groups, group_codes = class_numbers(groups, len(groups), "groups", most=MOST_NAMES)
    labels, label_codes = class_numbers(labels, len(labels), "labels", most=MOST_NAMES)
    table = np.zeros((len(groups), len(labels)), dtype=int)
    np.add.at(table, (group_codes, label_codes), 1)
    few, many = sorted(table.shape)
    namings = [list(zip(range(few), chosen)) for chosen in permutations(range(many), few)]
    if len(groups) > len(labels):
        namings = [sorted((group, label) for label, group in naming) for naming in namings]
    best = max(namings, key=lambda naming: sum(table[pair] for pair in naming))
    return {groups[group].item(): labels[label].item() for group, label in best}


def count_wrong(groups, labels):
    """How many examples are with another label than their own, once the groups are named as well as possible (section 10).

    >>> count_wrong([0, 0, 1, 1, 1], ["a", "b", "b", "b", "a"])
    2
    """
    groups, labels = sequence(groups, "groups"), sequence(labels, "labels")
    named = best_naming(groups, labels)
    return sum(named.get(group) != label for group, label in zip(groups, labels))


# EM: the formulas


def log_densities(X, means, covariances):
    """ln N(x_i; μ_j, Σ_j) = −½ [(x_i − μ_j)ᵀ Σ_j⁻¹ (x_i − μ_j) + ln det 2πΣ_j] for point i and component j (section 10).

    >>> log_densities(np.array([[3.4]]), np.array([[3.0], [4.0]]), np.ones((2, 1, 1))).round(3)
    array([[-0.999, -1.099]])
    """
    whiten = np.linalg.inv(np.linalg.cholesky(covariances))  # Wᵀ W = Σ⁻¹, so the distance is |W (x − μ)|²
    distance = np.square(whiten @ (X.T.copy() - means[:, :, None])).sum(axis=1).T
    log_det = X.shape[1] * np.log(2 * np.pi) - 2 * np.log(whiten.diagonal(axis1=1, axis2=2)).sum(axis=1)
    return -0.5 * (distance + log_det)


def log_joint(X, means, covariances, weights):
    """ln w_j N(x_i; μ_j, Σ_j): how probable it is that component j is drawn and gives x_i (section 10).

    >>> log_joint(np.array([[3.4]]), np.array([[3.0], [4.0]]), np.ones((2, 1, 1)), np.array([0.5, 0.5])).round(3)
    array([[-1.692, -1.792]])
    """
    return np.log(np.maximum(weights, TINY)) + log_densities(X, means, covariances)


def e_step(X, means, covariances, weights):
    """(E[z_ij], ln P(X)): the share that component j has in x_i, and the log-likelihood (section 10).

    E[z_ij] = w_j N(x_i; μ_j, Σ_j) / Σ_l w_l N(x_i; μ_l, Σ_l)

    >>> shares, _ = e_step(np.array([[3.4]]), np.array([[3.0], [4.0]]), np.ones((2, 1, 1)), np.array([0.5, 0.5]))
    >>> shares.round(3)
    array([[0.525, 0.475]])
    """
    joint = log_joint(X, means, covariances, weights)  # logs: far from all means every density is 0
    top = joint.max(axis=1, keepdims=True)  # cancels in the fraction
    bells = np.exp(joint - top)
    whole = bells.sum(axis=1, keepdims=True)
    return bells / whole, float((top + np.log(whole)).sum())


def m_step(X, responsibilities, covariance="full"):
    """(μ, Σ, w): averages in which x_i counts E[z_ij] times (section 10).

    N_j = Σ_i E[z_ij],   w_j = N_j / n,   μ_j = Σ_i E[z_ij] x_i / N_j
    Σ_j = Σ_i E[z_ij] (x_i − μ_j)(x_i − μ_j)ᵀ / N_j

    >>> means, covariances, weights = m_step(np.array([[0.0], [4.0]]), np.array([[1.0, 0.0], [0.5, 0.5]]))
    >>> means.ravel().round(3), weights
    (array([1.333, 4.   ]), array([0.75, 0.25]))
    """
    count = responsibilities.sum(axis=0)
    N = count + (count == 0)  # a component without any share divides by 1
    means = responsibilities.T @ X / N[:, None]
    away = X.T.copy() - means[:, :, None]  # axes: component, feature, point
    weighted = responsibilities.T[:, None, :] * away
    covariances = weighted @ away.transpose(0, 2, 1) / N[:, None, None]
    return means, _shaped(covariances, count, covariance), count / len(X)


def lower_bound(responsibilities, joint):
    """F = Σ_ij E[z_ij] ln w_j N(x_i; μ_j, Σ_j) − Σ_ij E[z_ij] ln E[z_ij] = Q + H, never above ln P(X) (section 10).

    >>> joint = np.log([[0.3, 0.1]])
    >>> round(lower_bound(np.array([[0.75, 0.25]]), joint), 4), round(float(np.log(0.3 + 0.1)), 4)
    (-0.9163, -0.9163)
    """
    return float((responsibilities * joint).sum() + entropy(responsibilities))


def entropy(responsibilities):
    """H = −Σ_ij E[z_ij] ln E[z_ij]: how undecided the shares are; 0 ln 0 counts as 0 (section 10).

    >>> round(entropy(np.array([[0.5, 0.5], [1.0, 0.0]])), 4)
    0.6931
    """
    return -float((responsibilities * np.log(np.maximum(responsibilities, TINY))).sum())


def Q(new_means, means, x):
    """Q(h'|h) = E[ln P(X, Z|h') | X, h] = Σ_ij E[z_ij] ln (1/k) N(x_i; μ'_j, 1) on the line, with σ = 1 (section 10).

    h = `means` decides the shares E[z_ij], h' = `new_means` is judged by them. `new_means` may be an array of many
    hypotheses, the last axis running over the components; the answer has one value for each.

    >>> round(float(Q([2.4, 5.15], [3, 4], [1.0, 3.4, 7.1])), 3)
    -9.529
    """
    x, means, new_means = _line(x, "x"), _line(means, "means"), _line(new_means, "new_means")
    if means.ndim > 1:
        raise ValueError(f"means must be one hypothesis, a row of numbers, got shape {means.shape}")
    if new_means.shape[-1] != len(means):
        wanted = f"one mean per component along their last axis, {len(means)} as in means"
        raise ValueError(f"new_means must have {wanted}, got shape {new_means.shape}")
    joint = _log_line(x, means)
    return (np.exp(joint - _log_sum(joint)) * _log_line(x, new_means)).sum(axis=(-2, -1))


def log_likelihood(means, x):
    """ln P(X|h) = Σ_i ln Σ_j (1/k) N(x_i; μ_j, 1) on the line, for one hypothesis or an array of them (section 10).

    >>> log_likelihood([[3, 4], [2.4, 5.15]], [1.0, 3.4, 7.1]).round(3)
    array([-10.971,  -7.912])
    """
    x, means = _line(x, "x"), _line(means, "means")
    return _log_sum(_log_line(x, means))[..., 0].sum(axis=-1)


def _log_line(x, means):
    """ln (1/k) N(x_i; μ_j, 1), the last two axes running over points and components."""
    away = x[:, None] - means[..., None, :]
    return -0.5 * away**2 - 0.5 * np.log(2 * np.pi) - np.log(means.shape[-1])


class GaussianMixture(Estimator):
    """A mixture of Gaussians, learned by EM (section 10).

    n_components      how many Gaussians, k
    covariance_type   "full": any ellipse; "tied": one matrix for all; "diag": one σ for each feature; "spherical": one σ_j
                      each; "known": σ is given and stays
    weights           "equal": w_j = 1/k; "learned": w_j = N_j/n
    sigma             the known σ (1 if not given), or the σ to start with (if not given: that of all the data)
    means_init        the starting means, one row each
    init_params       how to draw them if they are not given: "kmeans" (where k-means ends), "k-means++" or
                      "random_from_data" (different points)
    n_init            how many starts are drawn; the fit with the highest log-likelihood is kept, but a collapsed one only
                      if all are
    max_iter          the largest number of E and M steps
    tol               stop when an E and an M step together raise the mean of ln P(x) by less than this
    random_state      None, a whole number or a numpy Generator, for drawn starts
    history           whether to record every step, with all shares, in `history_`, a list of `Step`
    Learned: `means_`, `covariances_` (k matrices), `weights_`, `log_likelihood_`, `n_iter_`, `converged_`, `history_`, and
    `collapsed_`: the components of which a variance fell to 1e-12 of the data's own, below which none may fall.

    >>> model = GaussianMixture(2, "spherical", means_init=[2, 7]).fit([1.0, 1.5, 2.0, 6.0, 7.0, 8.0])
    >>> model.means_.ravel().round(2), model.weights_.round(2)
    (array([1.5, 7. ]), array([0.5, 0.5]))
    """

    _kind = "density_estimator"
    _one_feature = True

    def __init__(
        self,
        n_components=1,
        covariance_type="full",
        weights="learned",
        sigma=None,
        means_init=None,
        init_params="kmeans",
        n_init=1,
        max_iter=1000,
        tol=1e-3,
        random_state=None,
        history=False,
    ):
        self.n_components, self.covariance_type, self.weights = n_components, covariance_type, weights
        self.sigma, self.means_init, self.init_params, self.n_init = sigma, means_init, init_params, n_init
        self.max_iter, self.tol, self.random_state, self.history = max_iter, tol, random_state, history

    def _check(self):
        whole_number(self.n_components, "n_components")
        one_of(self.covariance_type, "covariance_type", COVARIANCES)
        one_of(self.weights, "weights", WEIGHTS)
        if self.sigma is not None:
            one_number(self.sigma, "sigma", 1 / LARGEST, LARGEST)
        one_of(self.init_params, "init_params", ["kmeans", "k-means++", "random_from_data"])
        _check_climb(self)

    def fit(self, X, y=None):
        """Repeat E and M steps until the log-likelihood hardly rises; a last E step fits the shares to the last means."""
        X = self._first_rows(X)
        k, best = self.n_components, None
        if self.means_init is None:
            starts = _drawn(X, k, self.init_params, self)
        else:
            starts = [_given(self.means_init, "means_init", k, X)]
        self._unit = self._own_variance(X)
        for means in starts:
            fit = self._climb(X, (means, np.array([self._first(X)] * k), np.full(k, 1 / k)))
            collapsed = self._collapsed(fit[0][1])
            if best is None or (not collapsed, fit[1]) > best[0]:
                best = (not collapsed, fit[1]), fit, collapsed
        _, fit, self.collapsed_ = best
        (self.means_, self.covariances_, self.weights_), self.log_likelihood_, *rest = fit
        self.n_iter_, self.converged_, self.history_ = rest
        return self

    def _climb(self, X, theta):
        """E and M steps, one after the other."""
        shares, total = e_step(X, *theta)
        history = [Step("start", *theta, None, total, None), Step("E", *theta, shares, total, total)]
        done, risen = 0, np.inf
        while done < self.max_iter and risen >= self.tol:
            theta = self._settled(theta, m_step(X, shares, self.covariance_type), shares.sum(axis=0))
            if self.history:
                bound = lower_bound(shares, log_joint(X, *theta))
            before, old = total, shares
            shares, total = e_step(X, *theta)
            if self.history:
                history += [Step("M", *theta, old, total, bound), Step("E", *theta, shares, total, total)]
            done, risen = done + 1, (total - before) / len(X)
        return theta, total, done, risen < self.tol, history if self.history else []

    def _settled(self, before, estimates, count):
        """The estimates of an M step; what is not learned stays, as does a component without any share; widths have a floor."""
        means, covariances, weights = estimates
        empty = count == 0
        means = np.where(empty[:, None], before[0], means)
        if self.covariance_type != "tied":
            covariances = np.where(empty[:, None, None], before[1], covariances)
        covariances = before[1] if self.covariance_type == "known" else self._floored(covariances)
        return means, covariances, before[2] if self.weights == "equal" else weights

    def _first(self, X):
        """The covariance that every component starts with: σ² in all directions, or that of the data in this shape."""
        if self.covariance_type == "known":
            return (self.sigma or 1.0) ** 2 * np.eye(X.shape[1])
        if self.sigma is not None:
            return self._floored(self.sigma**2 * np.eye(X.shape[1])[None])[0]
        whole = np.atleast_2d(np.cov(X, rowvar=False, bias=True))
        return self._floored(_shaped(whole[None], np.ones(1), self.covariance_type))[0]

    # The floor: variances are compared with those of all the data, so that units do not matter

    def _own_variance(self, X):
        """σ_a σ_b of all the data for each pair of features; a feature that does not vary is given the mean of the others."""
        variance = np.where(np.ptp(X, axis=0) > 0, X.var(axis=0), 0)
        mean = variance.mean() or 1.0
        spherical = self.covariance_type == "spherical"
        deviation = np.sqrt(np.where((variance == 0) | spherical, mean, variance))
        return np.outer(deviation, deviation)

    def _floored(self, covariances):
        """Every variance, along each axis of the ellipse, raised to the floor."""
        values, axes = np.linalg.eigh(covariances / self._unit)
        if values.min() >= FLOOR:
            return covariances
        return (axes * np.maximum(values, FLOOR)[:, None, :]) @ axes.transpose(0, 2, 1) * self._unit

    def _collapsed(self, covariances):
        """The components whose width has fallen to the floor in some direction."""
        if self.covariance_type == "known":
            return []
        least = np.linalg.eigvalsh(covariances / self._unit).min(axis=1)
        return np.flatnonzero(least <= 1.001 * FLOOR).tolist()

    # What the mixture predicts

    def _log_joint(self, X):
        return log_joint(self._more_rows(X, copy=False), self.means_, self.covariances_, self.weights_)

    def predict_proba(self, X):
        """E[z_ij]: the share of each component in each point."""
        joint = self._log_joint(X)
        return np.exp(joint - _log_sum(joint))

    def predict(self, X):
        """The component with the largest share, for each point."""
        return self._log_joint(X).argmax(axis=1)

    def fit_predict(self, X, y=None):
        """The component with the largest share in each point, after `fit`."""
        return self.fit(X).predict(X)

    def score_samples(self, X):
        """ln P(x) of each point under the whole mixture: the density that EM estimates."""
        return _log_sum(self._log_joint(X))[:, 0]

    def score(self, X, y=None):
        """The mean of ln P(x) over these points, as in scikit-learn."""
        return float(self.score_samples(X).mean())

    def free_parameters(self):
        """How many numbers were learned: the d of `bic_score`."""
        self._fitted()
        k, features = self.means_.shape
        one = features * (features + 1) // 2
        widths = {"known": 0, "tied": one, "spherical": k, "diag": k * features, "full": k * one}
        return k * features + widths[self.covariance_type] + (k - 1) * (self.weights == "learned")

    def bic_score(self, X):
        """ln P(X) − ½ d ln n for d learned numbers and n points: higher is better. scikit-learn's `bic` is −2 times this, so there lower is better."""
        log_p = self.score_samples(X)
        return float(log_p.sum()) - self.free_parameters() / 2 * float(np.log(len(log_p)))


# Starts, shapes and logs


def _given(means, name, k, X):
    """The starting means that somebody gave."""
    means = rows(means, name, one_feature=X.shape[1] == 1)
    if means.shape != (k, X.shape[1]):
        raise ValueError(f"{name} must have {k} rows of {X.shape[1]} attributes, as X has, got shape {means.shape}")
    return means


def _drawn(X, k, how, model):
    """`n_init` starts, each drawn when it is needed."""
    random = generator(model.random_state)
    for _ in range(model.n_init):
        if how == "k-means++":
            yield _far_apart(X, k, random)
        elif how == "kmeans":
            yield KMeans(k, random_state=random).fit(X).cluster_centers_
        else:
            yield _different(X, k, random)


def _far_apart(X, k, random):
    """k-means++: each further mean is a point drawn in proportion to its squared distance from the nearest mean so far."""
    chosen, squares = [random.integers(len(X))], np.full(len(X), np.inf)
    while len(chosen) < k:
        squares = np.minimum(squares, _squares(X, X[chosen[-1:]])[:, 0])
        if not squares.any():
            raise ValueError(f"X must have {k} different rows for as many starting means, got {len(chosen)}")
        chosen.append(random.choice(len(X), p=squares / squares.sum()))
    return X[chosen]


def _different(X, k, random):
    """k different points."""
    points = np.unique(X, axis=0)
    if len(points) < k:
        raise ValueError(f"X must have {k} different rows for as many starting means, got {len(points)}")
    return points[random.permutation(len(points))[:k]]


def _shaped(covariances, count, covariance_type):
    """Full covariance matrices in the shape that the model allows."""
    features = covariances.shape[1]
    if covariance_type == "tied":
        return np.array([np.tensordot(count / count.sum(), covariances, 1)] * len(covariances))
    if covariance_type == "diag":
        return covariances * np.eye(features)
    if covariance_type == "spherical":
        return np.trace(covariances, axis1=1, axis2=2)[:, None, None] / features * np.eye(features)
    return covariances


def _log_sum(logs):
    """ln Σ_j exp(logs_j) along the last axis, kept as an axis; the largest is taken out first, so that nothing underflows."""
    top = logs.max(axis=-1, keepdims=True)
    return top + np.log(np.exp(logs - top).sum(axis=-1, keepdims=True))


# Checks


def _check_climb(model):
    """The parameters that k-means and EM share."""
    whole_number(model.n_init, "n_init")
    whole_number(model.max_iter, "max_iter")
    one_number(model.tol, "tol", low=0)
    generator(model.random_state)
    true_or_false(model.history, "history")


def _line(values, name):
    """Numbers on the line, or an array of such rows."""
    array = np.asarray(as_number(values, name, -LARGEST, LARGEST), dtype=float)
    if not array.ndim or not array.size or name == "x" and array.ndim > 1:
        raise ValueError(f"{name} must be a row of numbers, at least one, got {short(values)}")
    return array
