"""The recursions of section 13 for long sequences: the twins of `forward`, `backward` and `best_routes` of `hmm`.

Step by step, a recursion would spend most of its time on calls to numpy. So the sequence is cut into about √T blocks of
equal length, all blocks take their first step at once, then their second, and so on; arrays have the axes (state, block).
What each block starts from is computed first. The few steps before the first block are taken one by one.

Sums are plain floats, normalised at every step. Where a number other than 0 would underflow, a twin returns None, and `hmm`
runs its own recursions, in logarithms.
"""

import numpy as np

SMALLEST = 1e-290  # a smaller belief has lost digits, or soon will
TIE = 1e-9  # log-probabilities closer than this are equal: they differ only by the order of summation
PATIENCE = 30  # rounds within which the blocks of a best path must agree


def first_best(scores):
    """The place of the first maximum along the first axis; values that differ only by rounding are equal."""
    return (scores >= np.maximum.reduce(scores) - TIE).argmax(axis=0)


def codes(observations, symbols):
    """An array of whole numbers as the places of symbols, if the symbols are consecutive whole numbers; else None."""
    if not (isinstance(observations, np.ndarray) and observations.ndim == 1 and observations.dtype.kind in "iu"):
        return None
    first = symbols[0]
    if not observations.size or type(first) is not int or symbols != tuple(range(first, first + len(symbols))):
        return None
    inside = first <= observations.min() and observations.max() <= symbols[-1]
    return observations.astype(np.intp) - first if inside else None


def forward(start, transition, likelihood, codes):
    """(beliefs at the time, log-likelihood), or None."""
    sweep = _forward(start, transition, likelihood, codes)
    return None if sweep is None else (sweep.beliefs, float(np.log(sweep.scales).sum()))


def smooth(start, transition, likelihood, codes):
    """(beliefs in hindsight, the expected count of each move, log-likelihood), or None."""
    sweep = _forward(start, transition, likelihood, codes)
    if sweep is None:
        return None
    messages = _backward(transition, likelihood, codes, sweep)
    weighed = likelihood[codes[1:]] * messages[1:] / sweep.scales[1:, None]
    moves = transition * (sweep.beliefs[:-1].T @ weighed)
    return sweep.beliefs * messages, moves, float(np.log(sweep.scales).sum())


class _Sweep:
    """What the backward pass needs of the forward pass."""

    def __init__(self, head, seen, products, weights, begins):
        self.head, self.seen = head, seen  # steps before the first block; the symbols by (step, block)
        self.products, self.weights = products, weights  # of each block and first state: see `_products`
        self.begins = begins  # the beliefs before each block
        self.beliefs = self.scales = None


def _forward(start, transition, likelihood, codes):
    head, seen = _blocks(codes)
    with np.errstate(divide="ignore", invalid="ignore"):
        beliefs, scales, belief = [], [], start
        for t, code in enumerate(codes[:head]):
            joint = (belief @ transition if t else belief) * likelihood[code]
            scales.append(joint.sum())
            belief = joint / scales[-1]
            beliefs.append(belief)
        products, weights = _products(transition, likelihood, seen)
        begins = np.empty((len(start), seen.shape[1]))
        for block, (product, weight) in enumerate(zip(products.transpose(2, 0, 1), weights.T)):
            begins[:, block] = belief
            shares = np.log(belief) + weight
            belief = product @ np.exp(shares - shares.max())
            belief = belief / belief.sum()
        states, sums, moved = np.empty((*seen.shape[:1], *begins.shape)), np.empty(seen.shape), begins
        for step, symbols in enumerate(seen):
            joint = (transition.T @ moved) * likelihood.T[:, symbols]
            joint.sum(axis=0, out=sums[step])
            moved = np.divide(joint, sums[step], out=states[step])
    sweep = _Sweep(head, seen, products, weights, begins)
    sweep.beliefs = _in_time(beliefs, states)
    sweep.scales = np.concatenate([scales, sums.T.ravel()])
    return None if _vanished(sweep.beliefs, start, transition, likelihood[codes]) else sweep


def _products(transition, likelihood, seen):
    """The effect of each block on each state before it.

    `products[s, r, block]` is P(s at the end|r at the beginning, the symbols), `weights[r, block]` the log of
    P(the symbols|r at the beginning).
    """
    k, blocks = len(transition), seen.shape[1]
    products, weights = np.repeat(np.eye(k)[:, :, None], blocks, axis=2), np.zeros((k, blocks))
    for symbols in seen:
        moved = (transition.T @ products.reshape(k, -1)).reshape(k, k, blocks)
        moved *= likelihood.T[:, None, symbols]
        totals = moved.sum(axis=0)
        weights += np.log(totals)
        products = moved / np.where(totals > 0, totals, 1)
    return products, weights


def _backward(transition, likelihood, codes, sweep):
    alive = sweep.beliefs > 0  # the message of an impossible state may have any size; it is never used
    head, seen, (k, blocks) = sweep.head, sweep.seen, sweep.begins.shape
    ends, message = np.empty((k, blocks)), np.ones(k)
    with np.errstate(divide="ignore"):
        for block in range(blocks - 1, -1, -1):
            ends[:, block] = message
            belief = sweep.begins[:, block]
            logs = np.where(
                belief > 0, sweep.weights[:, block] + np.log(sweep.products[:, :, block].T @ message), -np.inf
            )
            message = np.exp(logs - logs.max())
            message /= belief @ message
    later, moved = np.empty((len(seen), k, blocks)), ends
    living = None if alive.all() else _by_step(alive[head:], seen.shape)
    scales = sweep.scales[head:].reshape(blocks, -1).T
    for step in range(len(seen) - 1, -1, -1):
        later[step] = moved
        moved = transition @ (moved * likelihood.T[:, seen[step]] / scales[step])
        if living is not None and step:
            moved *= living[step - 1]
    messages = [message]
    for t in range(head - 1, 0, -1):
        messages.append(transition @ (likelihood[codes[t]] * messages[-1] / sweep.scales[t]) * alive[t - 1])
    return _in_time(messages[::-1], later)


def best_path(start, transition, likelihood, codes):
    """The places of the states on the most probable path, or None.

    Each block first starts without a preference, then from the scores at the end of the block before it, until these no
    longer change: all best routes soon pass through the same state, and what came before it no longer matters.
    """
    head, seen = _blocks(codes, max(20, len(codes) ** 0.5 / 4))
    with np.errstate(divide="ignore"):
        first, moves, signs = np.log(start), np.log(transition), np.log(likelihood.T)
    scores = [first + signs[:, codes[0]]]
    for code in codes[1:head]:
        scores.append((scores[-1][:, None] + moves).max(axis=0) + signs[:, code])
    k, (steps, blocks) = len(start), seen.shape
    weights, step_moves = signs.take(seen.ravel(), axis=1).reshape(k, steps, blocks), moves[:, :, None]
    routes, candidates = np.zeros((steps + 1, k, blocks)), np.empty((k, k, blocks))
    if np.isneginf(scores[-1]).all():
        return None
    last = scores[-1] - scores[-1].max()
    begin = steps // 2  # in the first round half a block is enough to see how it ends
    for _ in range(PATIENCE):
        for step in range(begin, steps):
            np.add(routes[step][:, None], step_moves, out=candidates)
            np.maximum.reduce(candidates, axis=0, out=routes[step + 1])
            routes[step + 1] += weights[:, step]
        top = routes[-1].max(axis=0)
        if np.isneginf(top).any():
            return None
        starts = np.column_stack([last, (routes[-1] - top)[:, :-1]])
        with np.errstate(invalid="ignore"):
            agreed = ((starts == routes[0]) | (np.abs(starts - routes[0]) < TIE)).all()
        if agreed and not begin:
            return _trace(scores, routes, moves)
        routes[0], begin = starts, 0
    return None


def _trace(scores, routes, moves):
    """From the last step to the first, all blocks at once; again those that did not end where the next one begins."""
    steps, blocks = len(routes) - 1, routes.shape[2]
    path = np.empty((steps + 1, blocks), dtype=np.intp)  # including the state before the block
    path[-1] = first_best(routes[-1])
    stale, stale_routes = np.arange(blocks), routes
    while stale.size:
        at = path[-1, stale]
        for step in range(steps - 1, -1, -1):
            at = first_best(stale_routes[step] + moves.take(at, axis=1))
            path[step, stale] = at
        stale = np.flatnonzero(path[-1, :-1] != path[0, 1:])
        path[-1, stale] = path[0, stale + 1]
        stale_routes = routes[:, :, stale]
    head = [path[0, 0]]
    for score in scores[-2::-1]:
        head.append(first_best(score + moves[:, head[-1]]))
    return np.concatenate([head[::-1], path[1:].T.ravel()])


def _blocks(codes, length=None):
    """(steps before the first block, the rest by step and block) with blocks of about `length` steps, or √T.

    At least one step comes before; of similar numbers of blocks the one with the fewest steps before it is taken.
    """
    steps = len(codes) - 1
    most = max(1, int(steps / (length or max(1, steps**0.5))))
    count = min(range(max(1, most * 2 // 3), most + 1), key=lambda count: (steps % count, -count))
    head = 1 + steps % count
    return head, np.ascontiguousarray(codes[head:].reshape(count, -1).T)


def _in_time(head, blocks):
    """Rows in order of time: those before the first block, then those of (step, state, block)."""
    return np.concatenate([head, blocks.transpose(2, 0, 1).reshape(-1, blocks.shape[1])])


def _by_step(rows, shape):
    return rows.reshape(shape[1], shape[0], rows.shape[1]).transpose(1, 2, 0)


def _vanished(beliefs, start, transition, likelihoods):
    """Whether the belief in a reachable state is too small, or nothing is left at all."""
    if not np.isfinite(beliefs).all():
        return True
    small = beliefs < SMALLEST
    if not small.any():
        return False
    reached = np.concatenate([start[None], (beliefs[:-1] > 0) @ (transition > 0)]) > 0
    return bool((small & reached & (likelihoods > 0)).any())
