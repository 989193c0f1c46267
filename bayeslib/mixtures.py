"""Mixtures of Gaussians: k-means with hard shares, EM with soft ones (section 10).

    E step   E[z_ij] = π_j N(x_i; μ_j, Σ_j) / Σ_n π_n N(x_i; μ_n, Σ_n)
    M step   μ_j = Σ_i E[z_ij] x_i / N_j,   π_j = N_j / m,   N_j = Σ_i E[z_ij]

`e_step` and `m_step` are these formulas; `GaussianMixture` repeats them and keeps every step. With `history=False` a fit runs
`_fast_climb` instead, the same steps as two matrix products.
"""

from typing import NamedTuple

import numpy as np

from bayeslib._checks import as_number, names

COVARIANCES = ["known", "shared", "round", "diagonal", "full"]
WEIGHTS = ["equal", "learned"]
STARTS = ["k-means++", "points"]
TINY = 1e-300  # in place of 0 where a logarithm or a quotient is taken
BLOCK = 4096  # so many points at a time stay in the processor's cache


class Pass(NamedTuple):
    """A step of k-means: "start", "assign" or "move". `changed` says how many points went over to another mean."""

    kind: str
    means: np.ndarray
    labels: np.ndarray | None
    cost: float | None
    changed: int


class Step(NamedTuple):
    """A step of EM: "start", "E" or "M". The bound touches the log-likelihood after an E step and lies below it after an M."""

    kind: str
    means: np.ndarray
    covariances: np.ndarray
    weights: np.ndarray
    responsibilities: np.ndarray | None
    log_likelihood: float
    bound: float | None


# k-means: the formulas


def nearest(X, means):
    """The number of the nearest mean for each point, the first of them where several are as near (section 10)."""
    return np.square(X[:, None, :] - means).sum(axis=2).argmin(axis=1)


def averages(X, labels, means):
    """The average of the points of each mean; a mean without points stays where it is (section 10)."""
    return np.array([X[labels == j].mean(axis=0) if (labels == j).any() else mean for j, mean in enumerate(means)])


def cost(X, labels, means):
    """Σ_i |x_i − μ_(label of i)|², the squared error that k-means lowers (section 10)."""
    return float(np.square(X - means[labels]).sum())


class KMeans:
    """k-means: give each point to its nearest mean, move each mean to the average of its points, repeat (section 10).

    start          the starting means, one row each, or how to draw them: "k-means++" or "points" (k different points)
    restarts       how many starts are drawn; the fit with the least cost is kept
    history        whether to keep every step in `history_`
    Learned: `means_`, `labels_`, `cost_`, `n_iter_`, `history_` (a list of `Pass`), `empty_` (means without any point).
    """

    def __init__(self, k, start="k-means++", restarts=1, iterations=300, random_state=None, history=True):
        self.k, self.start = _whole(k, "k"), start
        self.restarts, self.iterations = _whole(restarts, "restarts"), _whole(iterations, "iterations")
        self.random_state, self.history = random_state, history

    def fit(self, X, y=None):
        """Repeat both steps until no point changes side."""
        X = _points(X)
        _distinct(X, self.k)
        climb = self._climb if self.history else _fast_kmeans
        fits = (climb(X, means, self.iterations) for means in _starts(X, self))
        self.means_, self.labels_, self.cost_, self.n_iter_, self.history_ = min(fits, key=lambda fit: fit[2])
        self.empty_ = np.flatnonzero(np.bincount(self.labels_, minlength=self.k) == 0).tolist()
        return self

    @staticmethod
    def _climb(X, means, iterations):
        labels, history = None, [Pass("start", means, None, None, 0)]
        for done in range(iterations + 1):
            before, labels = labels, nearest(X, means)
            changed = len(X) if before is None else int((labels != before).sum())
            history.append(Pass("assign", means, labels, cost(X, labels, means), changed))
            if changed == 0 or done == iterations:
                break
            means = averages(X, labels, means)
            history.append(Pass("move", means, labels, cost(X, labels, means), 0))
        return means, labels, history[-1].cost, done, history

    def predict(self, X):
        """The number of the nearest mean for each point."""
        return nearest(_like_fit(X, self), self.means_)

    def score(self, X, y=None):
        """Minus the cost of these points, so that more is better."""
        X = _like_fit(X, self)
        return -cost(X, nearest(X, self.means_), self.means_)


# EM: the formulas


def log_densities(X, means, covariances):
    """ln N(x_i; μ_j, Σ_j) = −½ [(x_i − μ_j)ᵀ Σ_j⁻¹ (x_i − μ_j) + ln det 2πΣ_j] for point i and component j (section 10)."""
    whiten = np.linalg.inv(np.linalg.cholesky(covariances))  # Wᵀ W = Σ⁻¹, so the distance is |W (x − μ)|²
    distance = np.square((X - means[:, None, :]) @ whiten.transpose(0, 2, 1)).sum(axis=2).T
    log_det = X.shape[1] * np.log(2 * np.pi) - 2 * np.log(whiten.diagonal(axis1=1, axis2=2)).sum(axis=1)
    return -0.5 * (distance + log_det)


def log_joint(X, means, covariances, weights):
    """ln π_j N(x_i; μ_j, Σ_j): how probable it is that component j is drawn and gives x_i (section 10)."""
    return np.log(np.maximum(weights, TINY)) + log_densities(X, means, covariances)


def e_step(X, means, covariances, weights):
    """(E[z_ij], ln P(X)): what share of x_i component j answers for, and the log-likelihood (section 10).

    E[z_ij] = π_j N(x_i; μ_j, Σ_j) / Σ_n π_n N(x_i; μ_n, Σ_n), computed in logs: far from all means every density is 0.
    """
    return _shares(log_joint(X, means, covariances, weights))


def m_step(X, responsibilities, covariance="full"):
    """(μ, Σ, π): averages in which x_i counts E[z_ij] times (section 10).

    N_j = Σ_i E[z_ij],  π_j = N_j/m,  μ_j = Σ_i E[z_ij] x_i / N_j,  Σ_j = Σ_i E[z_ij] (x_i − μ_j)(x_i − μ_j)ᵀ / N_j
    """
    count = responsibilities.sum(axis=0)
    means = responsibilities.T @ X / count[:, None]
    away = X - means[:, None, :]
    covariances = (responsibilities.T[:, :, None] * away).transpose(0, 2, 1) @ away / count[:, None, None]
    return means, _shaped(covariances, count, covariance), count / len(X)


def lower_bound(responsibilities, joint):
    """F = Σ_ij E[z_ij] ln π_j N(x_i; μ_j, Σ_j) − Σ_ij E[z_ij] ln E[z_ij] = Q + H, never above ln P(X) (section 10)."""
    return float((responsibilities * joint).sum() + entropy(responsibilities))


def entropy(responsibilities):
    """H = −Σ_ij E[z_ij] ln E[z_ij]: how undecided the shares are; 0 ln 0 counts as 0 (section 10)."""
    shares = responsibilities[responsibilities > 0]
    return float(-(shares * np.log(shares)).sum())


def Q(new_means, means, x, sigma=1.0):
    """Q(h'|h) = E[ln P(X, Z|h') | X, h] = Σ_ij E[z_ij] ln (1/k) N(x_i; μ'_j, σ²) on the line, σ known (section 10).

    h = `means` decides the shares E[z_ij], h' = `new_means` is judged by them. `new_means` may be an array of many
    hypotheses, the last axis running over the components; the answer has one value for each.
    """
    x, means = as_number(np.asarray(x, dtype=float), "x"), as_number(np.asarray(means, dtype=float), "means")
    sigma, new_means = _positive(sigma, "sigma"), as_number(np.asarray(new_means, dtype=float), "new_means")
    k = means.shape[-1]
    shares, _ = _shares(_log_line(x, means, sigma))
    return (shares * _log_line(x, new_means, sigma, k)).sum(axis=(-2, -1))


def log_likelihood(means, x, sigma=1.0):
    """ln P(X|h) = Σ_i ln Σ_j (1/k) N(x_i; μ_j, σ²) on the line, for one hypothesis or an array of them (section 10)."""
    x, means = as_number(np.asarray(x, dtype=float), "x"), as_number(np.asarray(means, dtype=float), "means")
    return _log_sum(_log_line(x, means, _positive(sigma, "sigma")))[..., 0].sum(axis=-1)


def _log_line(x, means, sigma, k=None):
    """ln (1/k) N(x_i; μ_j, σ²), the last two axes running over points and components."""
    away = (x[:, None] - means[..., None, :]) / sigma
    return -0.5 * away**2 - np.log(sigma * np.sqrt(2 * np.pi)) - np.log(k or means.shape[-1])


class GaussianMixture:
    """A mixture of k Gaussians, learned by EM (section 10).

    covariance     "known": σ is given and stays; "shared": one matrix for all; "round": one σ_j each; "diagonal": one σ for
                   each feature; "full": any ellipse
    weights        "equal": π_j = 1/k; "learned": π_j = N_j/m
    sigma          the known σ (1 if not given), or the σ to start with (if not given: that of all the data)
    start          the starting means, one row each, or how to draw them: "k-means++" or "points" (k different points)
    restarts       how many starts are drawn; the fit with the highest log-likelihood is kept, but a collapsed one only if
                   all are
    floor          no variance in any direction falls below this; a component that would is named in `collapsed_`
    tolerance      stop when an E and an M step together raise ln P(X) by less than this
    history        whether to keep every step in `history_`
    Learned: `means_`, `covariances_` (k matrices), `weights_`, `log_likelihood_`, `n_iter_`, `converged_`, `history_`
    (a list of `Step`), `collapsed_`.
    """

    def __init__(
        self,
        k,
        covariance="full",
        weights="learned",
        sigma=None,
        start="k-means++",
        restarts=1,
        iterations=1000,
        tolerance=1e-4,
        floor=1e-6,
        random_state=None,
        history=True,
    ):
        for value, name, known in ((covariance, "covariance", COVARIANCES), (weights, "weights", WEIGHTS)):
            if value not in known:
                raise ValueError(f"{name} must be one of {names(known)}, got {value!r}")
        self.k, self.covariance, self.weights = _whole(k, "k"), covariance, weights
        self.sigma = None if sigma is None else _positive(sigma, "sigma")
        self.start, self.restarts = start, _whole(restarts, "restarts")
        self.iterations = _whole(iterations, "iterations")
        self.tolerance, self.floor = as_number(tolerance, "tolerance", low=0), _positive(floor, "floor")
        self.random_state, self.history = random_state, history

    def fit(self, X, y=None):
        """Repeat E and M steps until the log-likelihood stops rising; a last E step fits the shares to the last means."""
        X = _points(X)
        _distinct(X, self.k)
        best = None
        for means in _starts(X, self):
            theta = means, np.array([self._first(X)] * self.k), np.full(self.k, 1 / self.k)
            fit = _fast_climb(X, theta, self)
            fine = not self._collapsed(fit[0][1])
            if best is None or (fine, fit[1]) > best[0]:
                best = (fine, fit[1]), fit
        (self.means_, self.covariances_, self.weights_), self.log_likelihood_, *rest = best[1]
        self.n_iter_, self.converged_, self.history_ = rest
        self.collapsed_ = self._collapsed(self.covariances_)
        return self

    def _first(self, X):
        """The covariance that every component starts with: σ² in all directions, or that of the data in this shape."""
        if self.sigma is not None or self.covariance == "known":
            return (self.sigma or 1.0) ** 2 * np.eye(X.shape[1])
        whole = np.atleast_2d(np.cov(X, rowvar=False, bias=True))
        return self._floored(_shaped(whole[None], np.ones(1), self.covariance))[0]

    def _climb(self, X, theta):
        """The steps of the lesson, one after the other."""
        joint = log_joint(X, *theta)
        total, history = -np.inf, [Step("start", *theta, None, _shares(joint)[1], None)]
        for done in range(self.iterations + 1):
            before = total
            shares, total = _shares(joint)
            history.append(Step("E", *theta, shares, total, total))
            if total - before < self.tolerance or done == self.iterations:
                break
            means, covariances, weights = self._settle(theta, m_step(X, shares, self.covariance), shares.sum(axis=0))
            theta = means, self._floored(covariances), weights
            joint = log_joint(X, *theta)
            history.append(Step("M", *theta, shares, float(_log_sum(joint).sum()), lower_bound(shares, joint)))
        return theta, total, done, bool(total - before < self.tolerance), history

    def _settle(self, before, after, count):
        """What is not learned stays as it was; so does a component to which no point gives any share."""
        means, covariances, weights = after
        if not count.all():
            empty = count == 0
            means = np.where(empty[:, None], before[0], means)
            covariances = np.where(empty[:, None, None], before[1], covariances)
        learned = self.covariance != "known", self.weights != "equal"
        return means, covariances if learned[0] else before[1], weights if learned[1] else before[2]

    def _floored(self, covariances):
        """Every variance, along each axis of the ellipse, lifted to the floor."""
        values, axes = np.linalg.eigh(covariances)
        if self.covariance == "known" or values.min() >= self.floor:
            return covariances
        return _ellipses(np.maximum(values, self.floor), axes)

    def _collapsed(self, covariances):
        """The components whose width has fallen to the floor in some direction."""
        if self.covariance == "known":
            return []
        return np.flatnonzero(np.linalg.eigvalsh(covariances).min(axis=1) <= 1.001 * self.floor).tolist()

    def predict_proba(self, X):
        """E[z_ij]: the share of each component in each point."""
        return e_step(_like_fit(X, self), self.means_, self.covariances_, self.weights_)[0]

    def predict(self, X):
        """The component with the largest share, for each point."""
        return log_joint(_like_fit(X, self), self.means_, self.covariances_, self.weights_).argmax(axis=1)

    def score_samples(self, X):
        """ln P(x) of each point under the whole mixture: the density that EM estimates."""
        return _log_sum(log_joint(_like_fit(X, self), self.means_, self.covariances_, self.weights_))[:, 0]

    def score(self, X, y=None):
        """The mean of ln P(x) over these points, as in scikit-learn."""
        return float(self.score_samples(X).mean())

    def free_parameters(self):
        """How many numbers were learned: the d of BIC."""
        _fitted(self)
        features = self.means_.shape[1]
        one = features * (features + 1) // 2
        widths = {"known": 0, "shared": one, "round": self.k, "diagonal": self.k * features, "full": self.k * one}
        return self.k * features + widths[self.covariance] + (self.k - 1) * (self.weights == "learned")

    def bic(self, X):
        """ln P(X) − ½ d ln m: more is better (scikit-learn's `bic` is −2 times this)."""
        return float(self.score_samples(X).sum()) - self.free_parameters() / 2 * float(np.log(len(X)))

    def sample(self, n, random_state=None):
        """Invent n points: draw a component, then a point from it. Returns (points, components)."""
        _fitted(self)
        random = np.random.default_rng(random_state)
        drawn = random.choice(self.k, _whole(n, "n"), p=self.weights_)
        noise = random.standard_normal((len(drawn), self.means_.shape[1], 1))
        return self.means_[drawn] + (np.linalg.cholesky(self.covariances_)[drawn] @ noise)[:, :, 0], drawn


# Starts, shapes and logs


def _starts(X, model):
    """The starting means: those given, or `restarts` drawn ones."""
    if not isinstance(model.start, str):
        return [_given(X, model)]
    if model.start not in STARTS:
        raise ValueError(f"start must be the starting means or one of {names(STARTS)}, got {model.start!r}")
    random = np.random.default_rng(model.random_state)
    draw = _spread if model.start == "k-means++" else _some
    return (draw(X, model.k, random) for _ in range(model.restarts))


def _given(X, model):
    try:
        means = np.array(model.start, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"start must be rows of numbers, got {model.start!r}") from None
    means = means[:, None] if means.ndim == 1 and X.shape[1] == 1 else means
    if means.shape != (model.k, X.shape[1]):
        raise ValueError(f"start must have {model.k} rows (k) of {X.shape[1]} features (as X), got shape {means.shape}")
    if not np.isfinite(means).all():
        raise ValueError("start must hold finite numbers, got NaN or infinity")
    return means


def _some(X, k, random):
    """k different points."""
    return np.unique(X, axis=0)[random.permutation(len(np.unique(X, axis=0)))[:k]]


def _spread(X, k, random):
    """k-means++: each next mean is a point drawn with a chance in proportion to its squared distance from those before."""
    means = X[[random.integers(len(X))]]
    for _ in range(k - 1):
        away = np.square(X[:, None, :] - means).sum(axis=2).min(axis=1)
        means = np.vstack([means, X[random.choice(len(X), p=away / away.sum())]])
    return means


def _shaped(covariances, count, covariance):
    """Full covariance matrices in the shape that the model allows."""
    features = covariances.shape[1]
    if covariance == "shared":
        return np.array([np.tensordot(count / count.sum(), covariances, 1)] * len(covariances))
    if covariance == "diagonal":
        return covariances * np.eye(features)
    if covariance == "round":
        return np.trace(covariances, axis1=1, axis2=2)[:, None, None] / features * np.eye(features)
    return covariances


def _ellipses(values, axes):
    """Matrices with these variances along these axes."""
    return (axes * values[:, None, :]) @ axes.transpose(0, 2, 1)


def _log_sum(logs):
    """ln Σ_j exp(logs_j) along the last axis, kept as an axis; the largest is taken out first, so that nothing underflows."""
    top = logs.max(axis=-1, keepdims=True)
    return top + np.log(np.exp(logs - top).sum(axis=-1, keepdims=True))


def _shares(joint):
    """(exp of `joint` normalised over the components, the sum of the logs of what it was divided by)."""
    total = _log_sum(joint)
    return np.exp(joint - total), float(total.sum())


# The same steps, fast


def _fast_kmeans(X, means, iterations):
    """`KMeans._climb` without its history: the nearest mean is the one with the largest x·μ − ½|μ|².

    The data are centred first, because the squares of large numbers would cancel. A point ends in a 1, so that a sum of
    points counts them too; to be multiplied with (μ, |μ|²) it ends in −½.
    """
    centre, (number, features) = np.add.reduce(X) / len(X), X.shape
    X, means, k = X - centre, means - centre, len(means)
    points, halves = np.ones((number, features + 1)), np.full((features + 1, number), -0.5)
    points[:, :-1], halves[:-1] = X, X.T
    parts = [slice(begin, begin + BLOCK) for begin in range(0, number, BLOCK)]
    blocks = [(halves[:, part].copy(), points[part]) for part in parts]
    slopes = np.empty((k, features + 1))
    for done in range(iterations + 1):
        slopes[:, :-1] = means
        np.einsum("ji,ji->j", means, means, out=slopes[:, -1])
        sums = 0.0
        for half, block in blocks:
            scores = slopes.dot(half)
            members = scores == np.maximum.reduce(scores)
            if np.count_nonzero(members) > len(block):  # of several that are as near the first wins
                members = np.equal.outer(np.arange(k), scores.argmax(axis=0))
            sums = sums + members.astype(float).dot(block)
        new, counts = sums[:, :-1], sums[:, -1:]
        if np.count_nonzero(counts) == k:
            new = new / counts
        else:
            new = np.where(counts, new / np.maximum(counts, 1), means)
        if done == iterations or new.tobytes() == means.tobytes():
            break
        means = new
    labels = np.concatenate([slopes.dot(half).argmax(axis=0) for half, _ in blocks])
    return means + centre, labels, cost(X, labels, means), done, []


def _fast_climb(X, start, model):
    """`GaussianMixture._climb` as two matrix products an iteration, over the moments 1, x and x xᵀ of each point.

    ln π_j N(x; μ_j, Σ_j) is linear in the moments, and the M step needs only their weighted sums. Moments about a far point
    cancel, so the data are standardised first; where components are so narrow that it would not help, the lesson's own
    steps take over.
    """
    centre, spread = X.mean(axis=0), X.std(axis=0)
    spread[spread == 0] = 1.0
    features, scale = X.shape[1], np.outer(spread, spread)
    standard = ((X - centre) / spread).T
    moments = np.vstack([np.ones(len(X)), standard, *(each * standard for each in standard)])
    blocks = [moments[:, begin : begin + BLOCK].copy() for begin in range(0, len(X), BLOCK)]
    constant = -0.5 * features * np.log(2 * np.pi)
    theta, total, history = start, -np.inf, []
    old = sums = last = bound = None
    for done in range(model.iterations + 1):
        before, means = total, (theta[0] - centre) / spread
        values, axes = np.linalg.eigh(theta[1])
        if values.min() < model.floor and model.covariance != "known":
            values = np.maximum(values, model.floor)
            theta = theta[0], _ellipses(values, axes), theta[2]
        inverse = _ellipses(1 / values, axes) * scale
        if (means * means).sum(axis=1).max() * np.einsum("jii->j", inverse).max() > 1e6:
            return model._climb(X, start)
        linear = (inverse @ means[:, :, None])[:, :, 0]
        log_weights = np.log(np.maximum(theta[2], TINY))
        at_zero = log_weights + constant - 0.5 * (np.log(values) + linear * means).sum(axis=1)
        coefficients = np.concatenate([at_zero[:, None], linear, -0.5 * inverse.reshape(len(means), -1)], axis=1)
        if done:
            bound = total + float((sums * (coefficients - old)).sum())
        sums, total, shares = _fast_shares(blocks, coefficients, model.history)
        if model.history:
            history += [Step("M" if done else "start", *theta, last, total, bound)]
            history += [Step("E", *theta, shares, total, total)]
        if total - before < model.tolerance or done == model.iterations:
            break
        old, last, count = coefficients, shares, sums[:, 0]
        average = sums / np.maximum(count, TINY)[:, None]  # an empty component is settled below
        means, second = average[:, 1 : 1 + features], average[:, 1 + features :].reshape(inverse.shape)
        covariances = (second - means[:, :, None] * means[:, None, :]) * scale
        new = centre + spread * means, _shaped(covariances, count, model.covariance), count / len(X)
        theta = model._settle(theta, new, count)
    return theta, total, done, bool(total - before < model.tolerance), history


def _fast_shares(blocks, coefficients, keep):
    """(Σ_i E[z_ij] moments_i, Σ_i ln P(x_i), and E[z_ij] where it is to be kept), block by block."""
    sums, total, kept = 0.0, 0.0, []
    for block in blocks:
        joint = coefficients @ block
        top = joint.max(axis=0)
        shares = np.exp(np.subtract(joint, top, out=joint), out=joint)
        whole = shares.sum(axis=0)
        total += float(top.sum() + np.log(whole).sum())
        shares /= whole
        sums = sums + shares @ block.T
        kept += [shares.T] if keep else []
    return sums, total, kept[0] if len(kept) == 1 else np.concatenate(kept) if kept else None


# Checks


def _points(X):
    """X as rows of finite numbers; a plain sequence of numbers is one feature."""
    try:
        array = np.asarray(X, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"X must be rows of numbers, got {X!r}") from None
    array = array[:, None] if array.ndim == 1 else array
    if array.ndim != 2 or not array.size:
        raise ValueError(f"X must be rows of numbers, at least one, got shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("X must hold finite numbers, got NaN or infinity")
    return array


def _distinct(X, k):
    """k means need k different points; a look at the first few settles it mostly."""
    found = len(set(map(tuple, X[: 4 * k].tolist())))
    found = len(np.unique(X, axis=0)) if found < k else found
    if found < k:
        raise ValueError(f"k must be at most the number of different points in X, {found}, got {k}")


def _like_fit(X, model):
    _fitted(model)
    X = _points(X)
    if X.shape[1] != model.means_.shape[1]:
        raise ValueError(f"X must have {model.means_.shape[1]} features as in fit, got {X.shape[1]}")
    return X


def _fitted(model):
    if not hasattr(model, "means_"):
        raise ValueError("fit must be called before anything is asked: nothing has been learned yet")


def _whole(value, name):
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, got {value!r}")
    return int(value)


def _positive(value, name):
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not 0 < value < np.inf:
        raise ValueError(f"{name} must be a number above 0, got {value!r}")
    return float(value)
