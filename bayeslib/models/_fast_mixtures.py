"""The steps of section 10 again, fast: what `mixtures` runs without a history or on more rows than a lesson shows.

`mixtures` has the formulas; this module computes the same with matrix products, block by block. Tests check that both agree:
k-means bit by bit, ties included, EM up to rounding.
"""

import numpy as np

from bayeslib.models import mixtures as lesson

BLOCK = 4096  # points in a block, which fit in the processor's cache,
SCORES = 65536  # and scores in one, points times means
PAIRS = 12  # up to this many features the products of all pairs are stored
FAR = 1e6  # squared distance of a component from the centre of the data, in its widths: beyond, moments would cancel
EPS = np.finfo(float).eps


# k-means


def k_means(X, means, max_iter, keep):
    """`KMeans._climb`; the earlier costs come from the averages, the last one from the formula."""
    if not keep and len(X) <= BLOCK and (result := _certain(X, means, max_iter)):
        labels, done = result
        means = averages(X, X.T, labels, means, np.ones(len(means), bool))
        return means, labels, cost(X, labels, means), done, []
    centre = X.mean(axis=0)
    shifted, columns = X - centre, X.T.copy()
    whole, labels, stale = float(np.vdot(shifted, shifted)), None, np.ones(len(means), bool)
    history = [lesson.Pass("start", means, None, None, 0)] if keep else []
    for done in range(max_iter + 1):
        before, labels = labels, nearest(X, means, shifted, centre)
        moved = np.flatnonzero(labels != before) if done else range(len(X))
        changed = len(moved)
        if changed == 0 or done == max_iter:
            break
        if done:
            stale[:] = False
            stale[before[moved]] = stale[labels[moved]] = True
        new = averages(X, columns, labels, means, stale)
        if keep:
            costs = _costs(X, labels, means, new, whole, centre)
            history += [lesson.Pass("assign", means, labels, costs[0], changed)]
            history += [lesson.Pass("move", new, labels, costs[1], 0)]
        means = new
    value = cost(X, labels, means)
    history += [lesson.Pass("assign", means, labels, value, changed)] if keep else []
    return means, labels, value, done, history


def _certain(X, means, max_iter):
    """(labels, iterations) by two matrix products per iteration; None if rounding might decide, a mean loses all its points
    or `max_iter` is too small.

    A point ends in a 1, so that a sum of points counts them too; to be multiplied by (μ, |μ|²) it ends in −½.
    """
    centre, (number, features) = np.add.reduce(X) / len(X), X.shape
    points, halves = np.ones((number, features + 1)), np.full((features + 1, number), -0.5)
    points[:, :-1] = X - centre
    halves[:-1] = points[:, :-1].T
    slopes, means = np.empty((len(means), features + 1)), means - centre
    reach = max(np.einsum("ji,ji->j", means, means).max(), np.einsum("ij,ij->i", points, points).max())
    far = np.sqrt(features * reach) * np.abs(X).max()  # the lesson's averages are not of centred points
    rounding, before = 32 * EPS * ((features + 8) * reach + number * far), b""
    for done in range(max_iter + 1):
        slopes[:, :-1] = means
        np.einsum("ji,ji->j", means, means, out=slopes[:, -1])
        scores = slopes.dot(halves)
        members = scores >= np.maximum.reduce(scores) - rounding
        now = members.tobytes()
        if now == before:
            return members.argmax(axis=0), done
        sums = members.astype(float).dot(points)
        counts = sums[:, -1:]
        if np.count_nonzero(members) > number or np.count_nonzero(counts) < len(means):
            return None
        means, before = sums[:, :-1] / counts, now
    return None


def nearest(X, means, shifted=None, centre=0.0):
    """`mixtures.nearest` without the distances: the nearest mean has the largest x·μ − ½|μ|².

    `shifted` is X − centre, if that is computed already. Rounding can decide only where two means are equally good up to a
    bound on it; there the lesson's function is used.
    """
    shifted, (number, features) = X if shifted is None else shifted, X.shape
    origin = means.mean(axis=0)  # any point will do; near the means, their squares are small
    slopes = means - origin
    squares = np.einsum("ji,ji->j", slopes, slopes)
    heights = (0.5 * squares + slopes @ (origin - centre))[:, None]
    reach = np.sqrt(squares.max())
    rounding, beyond = 16 * (features + 8) * EPS * reach, np.linalg.norm(origin - centre) + reach
    numbers = np.arange(len(means), dtype=np.min_scalar_type(len(means)))[:, None]
    labels, size = np.empty(number, np.intp), max(256, SCORES // len(means))
    for begin in range(0, number, size):
        block = shifted[begin : begin + size]
        scores = slopes @ block.T
        scores -= heights
        top = np.maximum.reduce(scores)
        top -= rounding * (np.linalg.norm(block) + beyond)
        close = scores >= top
        labels[begin : begin + size] = np.bitwise_or.reduce(close.view(np.uint8) * numbers)
        if np.count_nonzero(close) > len(block):
            tied = begin + np.flatnonzero(np.count_nonzero(close, axis=0) > 1)
            labels[tied] = lesson.nearest(X[tied], means)
    return labels


def averages(X, columns, labels, means, stale):
    """`mixtures.averages`, to the last bit: numpy adds rows of several numbers one after the other, as `bincount` does.

    Only means that are `stale` are computed: those that have lost or gained a point.
    """
    if len(columns) == 1:
        return lesson.averages(X, labels, means)
    if not stale.all():
        rows = np.flatnonzero(stale[labels])
        columns, labels = columns[:, rows], labels[rows]
    counts = np.bincount(labels, minlength=len(means))[:, None]
    sums = np.array([np.bincount(labels, column, len(means)) for column in columns]).T
    return np.where(counts, sums / np.maximum(counts, 1), means)


def cost(X, labels, means):
    """`mixtures.cost`, block by block."""
    parts = (slice(begin, begin + BLOCK) for begin in range(0, len(X), BLOCK))
    return sum(lesson.cost(X[part], labels[part], means) for part in parts)


def _costs(X, labels, means, new, whole, centre):
    """The costs before and after the means move: after, Σ|x|² − Σ N_j |new_j|²; before, Σ N_j |means_j − new_j|² more."""
    counts = np.bincount(labels, minlength=len(means))
    after = whole - float(counts @ np.square(new - centre).sum(axis=1))
    if after < 1e-6 * whole:  # too much of it has cancelled
        return cost(X, labels, means), cost(X, labels, new)
    return after + float(counts @ np.square(means - new).sum(axis=1)), after


# EM


def climb(X, start, model):
    """`GaussianMixture._climb`: an E step adds up what the next M step needs, so that each point is visited once per iteration."""
    centre, spread = X.mean(axis=0), X.std(axis=0)
    spread[spread == 0] = 1.0
    standard = (X - centre) / spread
    aligned = model.covariance in ("known", "round", "diagonal") or X.shape[1] == 1
    if aligned or X.shape[1] <= PAIRS:
        try:
            return _rounds(start, _Moments(standard, aligned), centre, spread, model)
        except _TooFar:
            pass
    return _rounds(start, _Differences(standard), centre, spread, model)


def _rounds(theta, form, centre, spread, model):
    """The loop of the lesson on standardised points; `stretched` is what ln P(X) gains by standardising."""
    scale, stretched = np.outer(spread, spread), form.number * float(np.log(spread).sum())

    def e_step(before):
        form.settle((theta[0] - centre) / spread, theta[1] / scale, np.log(np.maximum(theta[2], lesson.TINY)))
        sums, count, shares, total, bound = form.e_step(before, model.history)
        return sums, count, shares, total - stretched, bound - stretched

    sums, count, shares, total, _ = e_step(None)
    history = [lesson.Step("start", *theta, None, total, None), lesson.Step("E", *theta, shares, total, total)]
    done, risen = 0, np.inf
    while done < model.max_iter and risen >= model.tol:
        means, covariances = form.m_step(sums, count)
        estimates = centre + spread * means, lesson._shaped(covariances * scale, count, model.covariance)
        theta = model._settled(theta, (*estimates, count / form.number), count)
        before, old = total, shares
        sums, count, shares, total, bound = e_step(old)
        if model.history:
            history += [lesson.Step("M", *theta, old, total, bound), lesson.Step("E", *theta, shares, total, total)]
        done, risen = done + 1, total - before
    return theta, total, done, risen < model.tol, history if model.history else []


class _TooFar(Exception):
    """A component is so narrow and so far from the centre of the data that moments about the centre would cancel."""


class _Form:
    """What both ways of adding up share: the E step over blocks of points, with a row for each component."""

    def e_step(self, before, keep):
        """(sums and counts for the M step, E[z_ij] if `keep`, ln P(X), the bound for the shares `before`)."""
        sums, count, total, bound, begin = 0.0, 0.0, 0.0, 0.0, 0
        kept = []
        for block in self.blocks:
            joint = self.joint(block)
            if before is not None:
                old = before[begin : begin + joint.shape[1]]
                bound += float(np.einsum("ij,ji->", old, joint)) + lesson.entropy(old)
                begin += len(old)
            top = joint.max(axis=0)
            shares = np.exp(np.subtract(joint, top, out=joint), out=joint)
            whole = shares.sum(axis=0)
            total += float(top.sum() + np.log(whole).sum())
            shares /= whole
            sums, count = sums + self.added(shares, block), count + shares.sum(axis=1)
            kept += [shares.T.copy()] if keep else []
        return sums, count, np.concatenate(kept) if keep else None, total, bound


class _Moments(_Form):
    """ln w_j N(x; μ_j, Σ_j) is linear in 1, x and the products x_a x_b, and an M step needs only their weighted sums.

    Where the ellipses are aligned with the axes, only the squares are needed.
    """

    def __init__(self, standard, aligned):
        self.number, self.features = standard.shape
        self.aligned = aligned
        self.left, self.right = (np.arange(self.features),) * 2 if aligned else np.triu_indices(self.features)
        self.twice = np.where(self.left == self.right, 1, 2)  # x_a x_b stands for x_b x_a too
        size = min(BLOCK, max(256, 4 * SCORES // (1 + self.features + len(self.left))))
        parts = (standard[begin : begin + size].T for begin in range(0, self.number, size))
        products = np.square if aligned else lambda x: x[self.left] * x[self.right]
        self.blocks = [np.vstack([np.ones(x.shape[1]), x, products(x)]) for x in parts]

    def settle(self, means, covariances, log_weights):
        if self.aligned:
            precision = 1 / _diagonals(covariances)
            linear, products, log_det = precision * means, precision, -np.log(precision).sum(axis=1)
        else:
            inverse, log_det = np.linalg.inv(covariances), np.linalg.slogdet(covariances)[1]
            precision, linear = _diagonals(inverse), (inverse @ means[:, :, None])[:, :, 0]
            products = self.twice * inverse[:, self.left, self.right]
        if (precision * np.square(means)).sum(axis=1).max() > FAR:
            raise _TooFar
        constant = self.features * np.log(2 * np.pi) + log_det + (linear * means).sum(axis=1)
        self.coefficients = np.empty((len(means), len(self.blocks[0])))
        self.coefficients[:, 0] = log_weights - 0.5 * constant
        self.coefficients[:, 1 : 1 + self.features] = linear
        np.multiply(products, -0.5, out=self.coefficients[:, 1 + self.features :])

    def joint(self, block):
        return self.coefficients @ block

    def added(self, shares, block):
        return shares @ block.T

    def m_step(self, sums, count):
        average = sums / (count + (count == 0))[:, None]
        means = average[:, 1 : 1 + self.features]
        products = average[:, 1 + self.features :] - means[:, self.left] * means[:, self.right]
        covariances = np.zeros((len(means), self.features, self.features))
        covariances[:, self.left, self.right] = covariances[:, self.right, self.left] = products
        return means, covariances


class _Differences(_Form):
    """Everything computed from x − μ_j, where nothing cancels: whitened for the E step, in weighted products for the M step."""

    def __init__(self, standard):
        self.number, size = len(standard), max(64, BLOCK // standard.shape[1])
        self.blocks = [standard[begin : begin + size] for begin in range(0, self.number, size)]

    def settle(self, means, covariances, log_weights):
        self.means, self.whiten = means, np.linalg.inv(np.linalg.cholesky(covariances)).transpose(0, 2, 1)
        log_det = -2 * np.log(_diagonals(self.whiten)).sum(axis=1)
        self.constant = (log_weights - 0.5 * (means.shape[1] * np.log(2 * np.pi) + log_det))[:, None]

    def joint(self, block):
        self.away = block - self.means[:, None, :]
        white = self.away @ self.whiten
        return self.constant - 0.5 * np.einsum("jia,jia->ji", white, white)

    def added(self, shares, block):
        """Σ_i E[z_ij] (x_i − μ_j) as a first row over Σ_i E[z_ij] (x_i − μ_j)(x_i − μ_j)ᵀ."""
        first = shares[:, None, :] @ self.away
        self.away *= np.sqrt(shares)[:, :, None]
        return np.concatenate([first, [weighted.T @ weighted for weighted in self.away]], axis=1)

    def m_step(self, sums, count):
        average = sums / (count + (count == 0))[:, None, None]
        moved = average[:, 0]
        return self.means + moved, average[:, 1:] - moved[:, :, None] * moved[:, None, :]


def _diagonals(matrices):
    return matrices.diagonal(axis1=1, axis2=2)
