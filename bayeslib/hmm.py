"""Hidden Markov models: a state that moves on unseen, and one sign of it at every step (section 13).

    P(s_1 … s_T, o_1 … o_T) = P(s_1) P(o_1|s_1) Π_{t≥2} P(s_t|s_{t−1}) P(o_t|s_t)

`forward`, `backward` and `best_routes` are the three recursions as section 13 writes them. `HiddenMarkovModel` uses them, and
for two states the same sums in plain floats, because at that size numpy spends its time on being called.
"""

from typing import NamedTuple

import numpy as np

from bayeslib._checks import TOLERANCE, as_number, names, one_probability


def forward(start, transition, likelihoods):
    """Push, weigh, normalise: the beliefs P(s_t|o_1 … o_t), and c_t = P(o_t|o_1 … o_{t−1}) (section 13).

    c_t · belief_t(s) = P(o_t|s) Σ_r belief_{t−1}(r) P(s|r);  row t of `likelihoods` holds P(o_t|s).
    """
    predicted, beliefs, scales = start, [], []
    for t, likelihood in enumerate(likelihoods):
        joint = predicted * likelihood
        scale = joint.sum()
        if scale == 0:
            raise _impossible(t)
        beliefs.append(joint / scale)
        scales.append(scale)
        predicted = beliefs[-1] @ transition
    return np.array(beliefs), np.array(scales)


def backward(transition, likelihoods, scales):
    """What later observations say about each state: P(o_{t+1} … o_T|s_t) / P(o_{t+1} … o_T|o_1 … o_t) (section 13).

    message_t(r) = Σ_s P(s|r) P(o_{t+1}|s) message_{t+1}(s) / c_{t+1};  times the belief of `forward` it is P(s_t|o_1 … o_T).
    """
    messages = [np.ones(len(transition))]
    for likelihood, scale in zip(likelihoods[:0:-1], scales[:0:-1]):
        messages.append(transition @ (likelihood * messages[-1]) / scale)
    return np.array(messages[::-1])


def best_routes(start, transition, likelihoods):
    """Viterbi's table: the log-probability of the best route to each state, and where that route came from (section 13).

    score_t(s) = log P(o_t|s) + max_r [score_{t−1}(r) + log P(s|r)]: max where `forward` sums. `back` points to the best r.
    """
    with np.errstate(divide="ignore"):
        start, transition, likelihoods = np.log(start), np.log(transition), np.log(likelihoods)
    scores, back = [start + likelihoods[0]], []
    for likelihood in likelihoods[1:]:
        routes = scores[-1][:, None] + transition
        back.append(routes.argmax(axis=0))
        scores.append(routes.max(axis=0) + likelihood)
    return np.array(scores), back


def follow_back(scores, back):
    """The path that ends in the best last state: from pointer to pointer, last step first (section 13)."""
    path = [int(np.argmax(scores))]
    for pointers in reversed(back):
        path.append(int(pointers[path[-1]]))
    return path[::-1]


class Step(NamedTuple):
    """The parameters at one step of Baum–Welch and the log-likelihood that they give the data."""

    start: np.ndarray
    transition: np.ndarray
    emission: np.ndarray
    log_likelihood: float


class HiddenMarkovModel:
    """A hidden Markov model with named states and symbols (section 13).

    start       P(s_1), one probability per state
    transition  P(s_t|s_{t−1}), a row per state now, a column per state next; rows sum to 1
    emission    P(o_t|s_t), a row per state, a column per symbol; rows sum to 1
    states, symbols  their names; 0, 1, … if they are left out

    Observations are a sequence of symbols; None stands for a step at which nothing was seen. Answers have a row per step and
    a column per state. `fit` starts from the three tables and leaves them alone; what it learns is in `start_`,
    `transition_` and `emission_`, and everything is answered with those.
    """

    def __init__(self, start, transition, emission, states=None, symbols=None):
        self.states = _names(range(np.size(start)) if states is None else states, "states")
        if symbols is None:
            symbols = range(np.shape(emission)[1] if np.ndim(emission) == 2 else 0)
        self.symbols = _names(symbols, "symbols")
        self.start = _table(start, "start", {"state": self.states})
        self.transition = _table(transition, "transition", {"state": self.states, "next state": self.states})
        self.emission = _table(emission, "emission", {"state": self.states, "symbol": self.symbols})
        self._code = {symbol: code for code, symbol in enumerate(self.symbols)} | {None: len(self.symbols)}
        self._learn(self.start, self.transition, self.emission)

    def filter(self, observations):
        """P(s_t|o_1 … o_t) at every t: what to believe at the time (section 13)."""
        return self._forward(self._codes(observations))[0]

    def predict(self, observations, steps=1):
        """P(s_{T+k}|o_1 … o_T) for k = 1 … steps: push the last belief on, without evidence (section 13)."""
        belief, rows = self.filter(observations)[-1], []
        for _ in range(_count(steps, "steps")):
            belief = belief @ self.transition_
            rows.append(belief)
        return np.array(rows)

    def smooth(self, observations):
        """P(s_t|o_1 … o_T) at every t: what to believe in hindsight (section 13)."""
        codes = self._codes(observations)
        beliefs, scales = self._forward(codes)
        return beliefs * self._backward(codes, scales)

    def viterbi(self, observations):
        """The most probable path of states, and log P(path, o_1 … o_T); of equal paths one is taken (section 13)."""
        codes = self._codes(observations)
        scores, back = self._best_routes(codes)
        score = float(max(scores))
        if score == -np.inf:
            self._forward(codes)  # says which observation is the impossible one
        return [self.states[state] for state in follow_back(scores, back)], score

    def log_likelihood(self, observations):
        """log P(o_1 … o_T) = Σ_t log c_t, which does not underflow where the product does (section 13)."""
        return float(np.log(self._forward(self._codes(observations))[1]).sum())

    def log_joint(self, path, observations):
        """log P(s_1 … s_T, o_1 … o_T), factor by factor; −inf if a factor is 0 (section 13)."""
        codes, path = self._codes(observations), list(path)
        if len(path) != len(codes):
            raise ValueError(f"path must have a state for each of the {len(codes)} observations, got {len(path)}")
        for t, state in enumerate(path):
            if state not in self.states:
                raise ValueError(f"path[{t}] must be one of {names(self.states)}, got {state!r}")
        at = [self.states.index(state) for state in path]
        factors = [self.start_[at[0]], *self.transition_[at[:-1], at[1:]], *self._likelihood[codes, at]]
        with np.errstate(divide="ignore"):
            return float(np.log(factors).sum())

    def sample(self, T, random_state=None):
        """Let the model run for T steps: the states it went through, and the symbols it gave (section 13)."""
        random = np.random.default_rng(random_state)
        moves, signs = random.random((2, _count(T, "T"))).tolist()
        first, *following = (_cumulated(row) for row in [self.start_, *self.transition_])
        given, state, path, symbols = [_cumulated(row) for row in self.emission_], None, [], []
        for move in moves:
            row = first if state is None else following[state]
            state = next(s for s, edge in enumerate(row) if move < edge)
            path.append(self.states[state])
        for state, sign in zip(path, signs):
            row = given[self.states.index(state)]
            symbols.append(self.symbols[next(o for o, edge in enumerate(row) if sign < edge)])
        return path, symbols

    def fit(self, sequences, iterations=100, tolerance=1e-6):
        """Baum–Welch, which is EM: expected counts in place of counts, then their shares, until little is gained (section 13).

        It learns from a list of sequences, and stops when a step lifts the log-likelihood by less than `tolerance`. `history_`
        holds every step from the start on.
        """
        iterations, tolerance = _count(iterations, "iterations"), as_number(tolerance, "tolerance", low=0)
        sequences = self._sequences(sequences)
        self._learn(self.start, self.transition, self.emission)
        *counts, log_likelihood = self._expected_counts(sequences)
        self.history_ = [Step(self.start_, self.transition_, self.emission_, log_likelihood)]
        for _ in range(iterations):
            self._learn(*map(_shares, counts, (self.start_, self.transition_, self.emission_)))
            *counts, log_likelihood = self._expected_counts(sequences)
            gained = log_likelihood - self.history_[-1].log_likelihood
            self.history_.append(Step(self.start_, self.transition_, self.emission_, log_likelihood))
            if gained < tolerance:
                break
        return self

    def expected_counts(self, sequences):
        """The E step: how often each start, move and sign is expected given the data, and the log-likelihood (section 13)."""
        return self._expected_counts(self._sequences(sequences))

    def as_network(self, T):
        """The model unrolled for T steps as a belief network with nodes S1 … ST and O1 … OT (sections 07 and 08)."""
        from bayeslib.networks import BeliefNetwork

        parents, tables, states = {}, {}, {}
        for t in range(1, _count(T, "T") + 1):
            hidden, seen = f"S{t}", f"O{t}"
            parents |= {hidden: (f"S{t - 1}",) if t > 1 else (), seen: (hidden,)}
            tables |= {hidden: self.transition_ if t > 1 else self.start_, seen: self.emission_}
            states |= {hidden: self.states, seen: self.symbols}
        return BeliefNetwork(parents, tables, states)

    # The recursions on numbered symbols; with two states they run in plain floats.

    def _learn(self, start, transition, emission):
        self.start_, self.transition_, self.emission_ = start, transition, emission
        nothing = np.ones((1, len(self.states)))  # a step at which nothing was seen weighs every state alike
        self._likelihood = np.concatenate([emission.T, nothing])  # a row per symbol, the last for None

    def _forward(self, codes):
        if len(self.states) == 2:
            return _forward_two(self.start_, self.transition_, self._likelihood, codes)
        return forward(self.start_, self.transition_, self._likelihood[codes])

    def _backward(self, codes, scales):
        if len(self.states) == 2:
            return _backward_two(self.transition_, self._likelihood, codes, scales)
        return backward(self.transition_, self._likelihood[codes], scales)

    def _best_routes(self, codes):
        if len(self.states) == 2:
            return _best_routes_two(self.start_, self.transition_, self._likelihood, codes)
        scores, back = best_routes(self.start_, self.transition_, self._likelihood[codes])
        return scores[-1], back

    def _expected_counts(self, sequences):
        first, moves = np.zeros_like(self.start_), np.zeros_like(self.transition_)
        signs, log_likelihood = np.zeros_like(self._likelihood), 0.0
        for codes in sequences:
            beliefs, scales = self._forward(codes)
            messages = self._backward(codes, scales)
            smoothed, codes = beliefs * messages, np.array(codes)
            weighed = (self._likelihood[codes] * messages)[1:] / scales[1:, None]
            first += smoothed[0]
            moves += self.transition_ * (beliefs[:-1].T @ weighed)
            for state, share in enumerate(smoothed.T):
                signs[:, state] += np.bincount(codes, share, len(signs))
            log_likelihood += float(np.log(scales).sum())
        return first, moves, signs[:-1].T, log_likelihood  # what None showed counts for no symbol

    def _codes(self, observations, name="observations"):
        try:
            symbols = observations.tolist() if isinstance(observations, np.ndarray) else list(observations)
        except TypeError:
            raise ValueError(f"{name} must be a sequence of symbols, got {observations!r}") from None
        if not symbols:
            raise ValueError(f"{name} must hold at least one symbol, got none")
        try:
            return [self._code[symbol] for symbol in symbols]
        except (KeyError, TypeError):
            t, wrong = next((t, each) for t, each in enumerate(symbols) if not self._knows(each))
            raise ValueError(
                f"{name}[{t}] must be one of {names(self.symbols)}, or None for unseen, got {wrong!r}"
            ) from None

    def _knows(self, symbol):
        try:
            return symbol in self._code
        except TypeError:  # a list, say
            return False

    def _sequences(self, sequences):
        if isinstance(sequences, str) or not hasattr(sequences, "__iter__"):
            raise ValueError(f"sequences must be a list of sequences of symbols, got {sequences!r}")
        sequences = list(sequences)
        if not sequences:
            raise ValueError("sequences must hold at least one sequence, got none")
        for each in filter(self._knows, sequences):
            raise ValueError(f"sequences must be a list of sequences; put a single one in [ ], got the symbol {each!r}")
        return [self._codes(each, f"sequences[{number}]") for number, each in enumerate(sequences)]


# The running examples of section 13


def umbrella(stay=0.7, in_rain=0.9, in_dry=0.2):
    """The umbrella world of Russell and Norvig: is it raining, if all you see is whether an umbrella comes in?"""
    stay = one_probability(stay, "stay")
    signs = [[p, 1 - p] for p in (one_probability(in_rain, "in_rain"), one_probability(in_dry, "in_dry"))]
    return HiddenMarkovModel([0.5, 0.5], [[stay, 1 - stay], [1 - stay, stay]], signs, ("rain", "dry"), ("U", "-"))


def casino(keep_fair=0.95, keep_loaded=0.9):
    """A casino that now and then swaps its fair die for a loaded one: 1 to 6 rolled, the die unseen; it starts in balance."""
    swap, back = 1 - one_probability(keep_fair, "keep_fair"), 1 - one_probability(keep_loaded, "keep_loaded")
    if swap + back == 0:
        raise ValueError("keep_fair and keep_loaded must not both be 1: dice that are never swapped have no balance")
    start, dice = [back / (swap + back), swap / (swap + back)], [[1 / 6] * 6, [0.1] * 5 + [0.5]]
    moves = [[keep_fair, swap], [back, keep_loaded]]
    return HiddenMarkovModel(start, moves, dice, ("fair", "loaded"), range(1, 7))


def guess(model, stay=0.8, random_state=None):
    """A random start for Baum–Welch with the states and symbols of `model`: even start, moves that mostly stay."""
    random, k = np.random.default_rng(random_state), len(model.states)
    moves = np.where(np.eye(k), stay, (1 - stay) / max(k - 1, 1))
    signs = random.dirichlet([5] * len(model.symbols), k)
    return HiddenMarkovModel([1 / k] * k, moves, signs, model.states, model.symbols)


# Two states in plain floats. Each line is a line of the recursions above, written out.


def _forward_two(start, transition, likelihood, codes):
    (aa, ab), (ba, bb) = transition.tolist()
    weights, (p, q) = likelihood.tolist(), start.tolist()
    beliefs, scales = [], []
    for code in codes:
        x, y = weights[code]
        p, q = p * x, q * y
        scale = p + q
        if not scale:
            raise _impossible(len(scales))
        p, q = p / scale, q / scale
        beliefs += p, q
        scales.append(scale)
        p, q = p * aa + q * ba, p * ab + q * bb
    return np.array(beliefs).reshape(-1, 2), np.array(scales)


def _backward_two(transition, likelihood, codes, scales):
    (aa, ab), (ba, bb) = transition.tolist()
    weights, p, q, messages = likelihood.tolist(), 1.0, 1.0, [1.0, 1.0]
    for code, scale in zip(codes[:0:-1], scales[:0:-1].tolist()):
        x, y = weights[code]
        p, q = p * x / scale, q * y / scale
        p, q = aa * p + ab * q, ba * p + bb * q
        messages += q, p
    return np.array(messages[::-1]).reshape(-1, 2)


def _best_routes_two(start, transition, likelihood, codes):
    with np.errstate(divide="ignore"):
        (aa, ab), (ba, bb) = np.log(transition).tolist()
        weights, (p, q) = np.log(likelihood).tolist(), np.log(start).tolist()
    x, y = weights[codes[0]]
    p, q, back = p + x, q + y, []
    for code in codes[1:]:
        x, y = weights[code]
        stay, come, leave, keep = p + aa, q + ba, p + ab, q + bb
        back.append((come > stay, keep > leave))
        p, q = (come if come > stay else stay) + x, (keep if keep > leave else leave) + y
    return (p, q), back


def _impossible(t):
    return ValueError(
        f"observations[{t}] must be possible after the ones before it: the model gives this sequence probability 0"
    )


def _shares(counts, before):
    """Expected counts as probabilities, row by row; a row that nothing was counted in stays as it was."""
    totals = counts.sum(axis=-1, keepdims=True)
    return np.where(totals > 0, counts / np.where(totals > 0, totals, 1), before)


def _cumulated(row):
    edges = np.cumsum(row)
    return [*(edges[:-1] / edges[-1]).tolist(), 1.0]


def _names(values, what):
    values = tuple(values)
    if not values:
        raise ValueError(f"{what} must name at least one, got none")
    if len(set(values)) < len(values) or None in values:
        raise ValueError(f"{what} must be different names, and None is not one, got {list(values)}")
    return values


def _count(value, name):
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{name} must be a whole number, at least 1, got {value!r}")
    return int(value)


def _table(values, name, axes):
    """Probabilities whose rows sum to 1, as an array of their own; `axes` gives the names along each axis."""
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be an array of probabilities, got {values!r}") from None
    shape = tuple(map(len, axes.values()))
    if array.shape != shape:
        sizes = ", ".join(f"{axis}: {len(each)}" for axis, each in axes.items())
        raise ValueError(f"{name} must have shape {shape}, axes ({sizes}), got shape {array.shape}")
    *outer, columns = axes.values()
    rows = outer[0] if outer else [None]
    for row, numbers in zip(rows, np.atleast_2d(array).tolist()):
        where = name if row is None else f"{name}[{row!r}]"
        for column, number in zip(columns, numbers):
            one_probability(number, f"{where}[{column!r}]")
        if abs(sum(numbers) - 1) > TOLERANCE:
            raise ValueError(f"{where} must sum to 1, got {sum(numbers):.6g} over {names(columns)}")
    return array
