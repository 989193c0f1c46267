"""Hidden Markov models: a state that changes unseen, and one sign of it at every step (section 13).

    P(s_1 … s_T, o_1 … o_T) = P(s_1) P(o_1|s_1) Π_{t≥2} P(s_t|s_{t−1}) P(o_t|s_t)

`forward`, `backward` and `best_routes` are the three recursions as section 13 writes them, in logarithms: a belief may fall
below the smallest float and be raised again by a later sign. `HiddenMarkovModel` runs them.
"""

import re
from typing import NamedTuple

import numpy as np

from bayeslib.models._checks import (
    TOLERANCE,
    among,
    generator,
    is_missing,
    names,
    one_number,
    one_probability,
    real,
    short,
    whole_number,
)
from bayeslib.models._model import Estimator, _all_or_nothing

TIE = 1e-9  # log-probabilities closer than this are equal: they differ only by the order of summation


class Impossible(ValueError):
    """A model gives a sequence probability 0; `t` is the first observation at which that is certain."""

    def __init__(self, t, name="observations"):
        super().__init__(
            f"{name}[{t}] must be possible after the ones before it: the model gives this sequence probability 0"
        )
        self.t = t


def forward(start, transition, likelihoods):
    """Push, weigh, normalise: log P(s_t|o_1 … o_t), and log c_t with c_t = P(o_t|o_1 … o_{t−1}) (section 13).

    c_t φ_t(j) = P(o_t|j) Σ_i φ_{t−1}(i) P(j|i);  row t of `likelihoods` holds P(o_t|j), beliefs are log φ_t.

    >>> beliefs, scales = forward([0.5, 0.5], [[0.7, 0.3], [0.3, 0.7]], [[0.9, 0.2], [0.9, 0.2]])
    >>> np.exp(beliefs).round(4).tolist(), np.exp(scales).round(4).tolist()
    ([[0.8182, 0.1818], [0.8834, 0.1166]], [0.55, 0.6391])
    """
    start, transition, likelihoods = _logs(start, transition, likelihoods)
    pushed, beliefs, scales = start, [], []
    for t, likelihood in enumerate(likelihoods):
        weighed = pushed + likelihood
        scales.append(np.logaddexp.reduce(weighed))  # the logarithm of a sum
        if scales[-1] == -np.inf:
            raise Impossible(t)
        beliefs.append(weighed - scales[-1])
        pushed = np.logaddexp.reduce(beliefs[-1][:, None] + transition)
    return np.array(beliefs), np.array(scales)


def backward(transition, likelihoods, scales):
    """What later observations say of each state: log of β_t(i) / (c_{t+1} … c_T) (section 13).

    β_t(i) = P(o_{t+1} … o_T|i) = Σ_j P(j|i) P(o_{t+1}|j) β_{t+1}(j), each step divided by c of `forward`.
    So exp(beliefs + messages) is P(s_t|o_1 … o_T) as it stands;  `scales` are the log c_t of `forward`.

    >>> moves, signs = [[0.7, 0.3], [0.3, 0.7]], [[0.9, 0.2], [0.9, 0.2]]
    >>> beliefs, scales = forward([0.5, 0.5], moves, signs)
    >>> np.exp(beliefs + backward(moves, signs, scales)).round(4).tolist()
    [[0.8834, 0.1166], [0.8834, 0.1166]]
    """
    transition, likelihoods = _logs(transition, likelihoods)
    messages = [np.zeros(len(transition))]
    for likelihood, scale in zip(likelihoods[:0:-1], scales[:0:-1]):
        messages.append(np.logaddexp.reduce(transition + likelihood + messages[-1], axis=1) - scale)
    return np.array(messages[::-1])


def best_routes(start, transition, likelihoods):
    """Viterbi's table: the log-probability of the best route to each state, and where that route came from (section 13).

    score_t(j) = log P(o_t|j) + max_i [score_{t−1}(i) + log P(j|i)]: max where `forward` sums. `back` points to the best i.

    >>> scores, back = best_routes([0.5, 0.5], [[0.7, 0.3], [0.3, 0.7]], [[0.1, 0.8], [0.9, 0.2], [0.1, 0.8]])
    >>> follow_back(scores[-1], back)
    [1, 1, 1]
    """
    start, transition, likelihoods = _logs(start, transition, likelihoods)
    scores, back = [start + likelihoods[0]], []
    for likelihood in likelihoods[1:]:
        routes = scores[-1][:, None] + transition
        back.append(_first_best(routes))
        scores.append(routes.max(axis=0) + likelihood)
    return np.array(scores), back


def follow_back(scores, back):
    """The path that ends in the best last state: from pointer to pointer, last step first (section 13).

    >>> follow_back([-2.0, -1.0], [[0, 0], [1, 0]])
    [0, 0, 1]
    """
    path = [int(_first_best(np.asarray(scores)))]
    for pointers in reversed(back):
        path.append(int(pointers[path[-1]]))
    return path[::-1]


def _first_best(scores):
    """The place of the first maximum along the first axis; values that differ only by rounding are equal.

    >>> _first_best(np.log([[0.3, 0.1], [0.1 + 0.2, 0.4]]))
    array([0, 1])
    """
    return (scores >= np.maximum.reduce(scores) - TIE).argmax(axis=0)


def _logs(*tables):
    with np.errstate(divide="ignore"):
        return [np.log(np.asarray(table, dtype=float)) for table in tables]


class Step(NamedTuple):
    """The parameters at one step of Baum–Welch and the log-likelihood that they give the data."""

    start: np.ndarray
    transition: np.ndarray
    emission: np.ndarray
    log_likelihood: float


class HiddenMarkovModel(Estimator):
    """A hidden Markov model with named states and symbols (section 13).

    start       P(s_1), one probability per state
    transition  P(s_t|s_{t−1}), a row per state now, a column per state next; rows sum to 1
    emission    P(o_t|s_t), a row per state, a column per symbol; rows sum to 1
    states, symbols  their names; 0, 1, … if they are left out

    Observations are a sequence of symbols; None stands for a step without an observation. Results have a row per step and a
    column per state. All methods use `start_`, `transition_` and `emission_`, with the names in `states_` and `symbols_`: at
    first these are copies of the parameters; `fit` starts from the parameters every time and stores what it learns there.
    New parameters discard what was learned.

    >>> weather = HiddenMarkovModel([0.5, 0.5], [[0.7, 0.3], [0.3, 0.7]], [[0.9, 0.1], [0.2, 0.8]], ["rain", "dry"], "U-")
    >>> weather.filter("UU")[:, 0].round(4).tolist()
    [0.8182, 0.8834]
    """

    def __init__(self, start, transition, emission, states=None, symbols=None):
        self.start, self.transition, self.emission = start, transition, emission
        self.states, self.symbols = states, symbols
        self._begin()

    def _begin(self):
        """Start from copies of the tables that were given, checked, so that the originals may change."""
        start, emission = _numbers(self.start, "start"), _numbers(self.emission, "emission")
        if start.ndim != 1 or not start.size:
            raise ValueError(f"start must have one probability per state, at least one, got shape {start.shape}")
        if emission.ndim != 2 or not emission.shape[1]:
            raise ValueError(f"emission must have a row per state and a column per symbol, got shape {emission.shape}")
        states = _names(self.states, "states", start.size, "start has probabilities")
        symbols = _names(self.symbols, "symbols", emission.shape[1], "emission has columns")
        start = _table(start, "start", {"state": states})
        transition = _table(self.transition, "transition", {"state": states, "next state": states})
        emission = _table(emission, "emission", {"state": states, "symbol": symbols})
        self.states_, self.symbols_ = states, symbols
        self._code = {symbol: code for code, symbol in enumerate(symbols)} | {None: len(symbols)}
        self._learn(start, transition, emission)

    @_all_or_nothing
    def set_params(self, **params):
        """Change tables or names; what was learned is discarded. Returns the model.

        >>> umbrella().set_params(start=[1, 0]).filter("U").tolist()
        [[1.0, 0.0]]
        """
        super().set_params(**params)
        vars(self).pop("history_", None)
        self._begin()
        return self

    def likelihoods(self, observations):
        """P(o_t|s), a row per step and a column per state; 1 for every state where nothing was seen (section 13).

        >>> umbrella().likelihoods(["U", None]).tolist()
        [[0.9, 0.2], [1.0, 1.0]]
        """
        return self._likelihood[self._codes(observations)]

    def filter(self, observations):
        """P(s_t|o_1 … o_t) at every t: what to believe at the time (section 13).

        >>> umbrella().filter("UU-")[:, 0].round(4).tolist()
        [0.8182, 0.8834, 0.1907]
        """
        return self._forward(self._codes(observations))[0]

    def predict(self, observations, steps=1):
        """P(s_{T+k}|o_1 … o_T) for k = 1 … steps: push the last belief on, without evidence (section 13).

        >>> umbrella().predict("UU", steps=3)[:, 0].round(4).tolist()
        [0.6533, 0.5613, 0.5245]
        """
        belief, rows = self.filter(observations)[-1], []
        for _ in range(whole_number(steps, "steps")):
            belief = belief @ self.transition_
            rows.append(belief)
        return np.array(rows)

    def smooth(self, observations):
        """P(s_t|o_1 … o_T) at every t: what to believe in hindsight (section 13).

        >>> umbrella().smooth("UU-UU")[:, 0].round(4).tolist()
        [0.8673, 0.8204, 0.3075, 0.8204, 0.8673]
        """
        return self._smooth(self._codes(observations))[0]

    def viterbi(self, observations):
        """The most probable path of states, and log P(path, o_1 … o_T); of equal paths the same one in every run (section 13).

        >>> path, score = umbrella().viterbi("UU-")
        >>> path, round(score, 4)
        (['rain', 'rain', 'dry'], -2.6877)
        """
        codes = self._codes(observations)
        scores, back = best_routes(self.start_, self.transition_, self._likelihood[codes])
        score = float(scores[-1].max())
        if score == -np.inf:
            self._forward(codes)  # raises Impossible with the place of the observation
        return [self.states_[state] for state in follow_back(scores[-1], back)], score

    def log_likelihood(self, observations):
        """log P(o_1 … o_T) = Σ_t log c_t, which does not underflow where the product does (section 13).

        >>> round(umbrella().log_likelihood("UU"), 4)
        -1.0455
        """
        return self._forward(self._codes(observations))[1]

    def log_joint(self, path, observations):
        """log P(s_1 … s_T, o_1 … o_T), factor by factor; −inf if a factor is 0 (section 13).

        >>> round(np.exp(umbrella().log_joint(["rain", "rain"], "UU")).item(), 4)
        0.2835
        """
        codes = self._codes(observations)
        try:
            path = list(path)
        except TypeError:
            raise ValueError(f"path must be a sequence of states, got {short(path)}") from None
        if len(path) != len(codes):
            raise ValueError(f"path must have a state for each of the {len(codes)} observations, got {len(path)}")
        for t, state in enumerate(path):
            if not among(state, self.states_):
                raise ValueError(f"path[{t}] must be one of {names(self.states_)}, got {short(state)}")
        path = [self.states_.index(state) for state in path]
        start, moves, signs = _logs(self.start_, self.transition_, self._likelihood)
        return float(start[path[0]] + moves[path[:-1], path[1:]].sum() + signs[codes, path].sum())

    def sample(self, T, random_state=None):
        """Let the model run for T steps: the states it went through, and the symbols it emitted (section 13).

        >>> umbrella().sample(3, random_state=1)
        (['dry', 'dry', 'rain'], ['-', '-', 'U'])
        """
        moves, signs = generator(random_state).random((2, whole_number(T, "T"))).tolist()
        first, *following = (_cumulated(row) for row in [self.start_, *self.transition_])
        emissions, state, path, symbols = [_cumulated(row) for row in self.emission_], None, [], []
        for move in moves:
            row = first if state is None else following[state]
            state = next(s for s, edge in enumerate(row) if move < edge)
            path.append(self.states_[state])
        for state, sign in zip(path, signs):
            row = emissions[self.states_.index(state)]
            symbols.append(self.symbols_[next(o for o, edge in enumerate(row) if sign < edge)])
        return path, symbols

    def fit(self, sequences, max_iter=100, tol=1e-6):
        """Baum–Welch, which is EM: expected counts in place of counts, then their shares, until little is gained (section 13).

        It learns from a list of sequences, and stops when a step raises the log-likelihood by less than `tol`. `history_`
        holds every step from the start on.

        >>> learned = umbrella().fit(["UU-UU", "--U"], max_iter=5)
        >>> [round(step.log_likelihood, 3) for step in learned.history_]
        [-5.603, -5.286, -5.233, -5.214, -5.206, -5.202]
        """
        max_iter, tol = whole_number(max_iter, "max_iter"), one_number(tol, "tol", low=0)
        sequences = self._sequences(sequences)
        self._begin()
        *counts, log_likelihood = self._expected_counts(sequences)
        self.history_ = [Step(self.start_, self.transition_, self.emission_, log_likelihood)]
        for _ in range(max_iter):
            self._learn(*map(_shares, counts, (self.start_, self.transition_, self.emission_)))
            *counts, log_likelihood = self._expected_counts(sequences)
            gain = log_likelihood - self.history_[-1].log_likelihood
            self.history_.append(Step(self.start_, self.transition_, self.emission_, log_likelihood))
            if gain < tol:
                break
        return self

    def expected_counts(self, sequences):
        """The E step: how often each start, move and sign is expected given the data, and the log-likelihood (section 13).

        >>> first, moves, signs, log_likelihood = umbrella().expected_counts(["UU"])
        >>> moves.round(4).tolist()
        [[0.8065, 0.0768], [0.0768, 0.0398]]
        """
        return self._expected_counts(self._sequences(sequences))

    def as_network(self, T):
        """The model unrolled for T steps as a belief network with nodes S1 … ST and O1 … OT (sections 07 and 08).

        >>> umbrella().as_network(2).edges
        (('S1', 'O1'), ('S1', 'S2'), ('S2', 'O2'))
        """
        from bayeslib.models.networks import BeliefNetwork

        parents, tables, states = {}, {}, {}
        for t in range(1, whole_number(T, "T") + 1):
            hidden, observed = f"S{t}", f"O{t}"
            parents |= {hidden: (f"S{t - 1}",) if t > 1 else (), observed: (hidden,)}
            tables |= {hidden: self.transition_ if t > 1 else self.start_, observed: self.emission_}
            states |= {hidden: self.states_, observed: self.symbols_}
        return BeliefNetwork(parents, tables, states)

    # The recursions on symbol codes

    def _learn(self, start, transition, emission):
        self.start_, self.transition_, self.emission_ = start, transition, emission
        unobserved = np.ones((1, len(self.states_)))  # a step without an observation weighs all states alike
        self._likelihood = np.concatenate([emission.T, unobserved])  # a row per symbol, the last for None

    def _forward(self, codes):
        """(beliefs, log-likelihood) of one sequence."""
        beliefs, scales = forward(self.start_, self.transition_, self._likelihood[codes])
        return np.exp(beliefs), float(scales.sum())

    def _smooth(self, codes):
        """(beliefs in hindsight, the expected count of each move, log-likelihood) of one sequence."""
        likelihoods = self._likelihood[codes]
        beliefs, scales = forward(self.start_, self.transition_, likelihoods)
        messages = backward(self.transition_, likelihoods, scales)
        moves, signs = _logs(self.transition_, likelihoods)
        later = signs + messages - scales[:, None]
        moved = [np.exp(beliefs[:-1, r, None] + moves[r] + later[1:]).sum(axis=0) for r in range(len(moves))]
        return np.exp(beliefs + messages), np.array(moved), float(scales.sum())

    def _expected_counts(self, sequences):
        first, moves = np.zeros_like(self.start_), np.zeros_like(self.transition_)
        signs, log_likelihood = np.zeros_like(self._likelihood), 0.0
        for number, codes in enumerate(sequences):
            try:
                smoothed, moved, log_p = self._smooth(codes)
            except Impossible as error:
                raise Impossible(error.t, f"sequences[{number}]") from None
            first, moves, log_likelihood = first + smoothed[0], moves + moved, log_likelihood + log_p
            for state, share in enumerate(smoothed.T):
                signs[:, state] += np.bincount(codes, share, len(signs))
        return first, moves, signs[:-1].T, log_likelihood  # None counts for no symbol

    def _codes(self, observations, name="observations"):
        """The codes of the symbols; None has the code after the last symbol."""
        try:
            symbols = list(observations.tolist() if isinstance(observations, np.ndarray) else observations)
        except TypeError:
            raise ValueError(f"{name} must be a sequence of symbols, got {short(observations)}") from None
        if not symbols:
            raise ValueError(f"{name} must hold at least one symbol, got none")
        try:
            return np.array([self._code[symbol] for symbol in symbols], dtype=np.intp)
        except (KeyError, TypeError):
            t, wrong = next((t, symbol) for t, symbol in enumerate(symbols) if not self._knows(symbol))
            raise ValueError(
                f"{name}[{t}] must be one of the symbols {names(self.symbols_)}, or None for unseen, got {short(wrong)}"
            ) from None

    def _knows(self, symbol):
        try:
            return symbol in self._code
        except TypeError:  # a list, for example
            return False

    def _sequences(self, sequences):
        if isinstance(sequences, str) or not hasattr(sequences, "__iter__") or getattr(sequences, "ndim", 1) == 0:
            raise ValueError(f"sequences must be a list of sequences of symbols, got {short(sequences)}")
        sequences = list(sequences)
        if not sequences:
            raise ValueError("sequences must hold at least one sequence, got none")
        for symbol in filter(self._knows, sequences):
            raise ValueError(
                f"sequences must be a list of sequences; put a single one in [ ], got the symbol {symbol!r}"
            )
        return [self._codes(sequence, f"sequences[{number}]") for number, sequence in enumerate(sequences)]


# The running examples of section 13


def umbrella(stay=0.7, in_rain=0.9, in_dry=0.2):
    """The umbrella world of Russell and Norvig: is it raining, if all you see is whether an umbrella comes in?

    >>> umbrella().emission.round(2).tolist()
    [[0.9, 0.1], [0.2, 0.8]]
    """
    stay = one_probability(stay, "stay")
    moves = np.array([[stay, 1 - stay], [1 - stay, stay]])
    signs = np.array([[p, 1 - p] for p in (one_probability(in_rain, "in_rain"), one_probability(in_dry, "in_dry"))])
    return HiddenMarkovModel(np.array([0.5, 0.5]), moves, signs, ("rain", "dry"), ("U", "-"))


def casino(keep_fair=0.95, keep_loaded=0.9):
    """A casino that now and then swaps its fair die for a loaded one; only the rolls, 1 to 6, are seen. It starts in balance.

    >>> casino().filter([6, 6])[:, 1].round(4).tolist()
    [0.6, 0.7925]
    """
    swap, back = 1 - one_probability(keep_fair, "keep_fair"), 1 - one_probability(keep_loaded, "keep_loaded")
    if swap + back == 0:
        raise ValueError("keep_fair and keep_loaded must not both be 1: dice that are never swapped have no balance")
    start, dice = np.array([back, swap]) / (swap + back), np.array([[1 / 6] * 6, [0.1] * 5 + [0.5]])
    moves = np.array([[keep_fair, swap], [back, keep_loaded]])
    return HiddenMarkovModel(start, moves, dice, ("fair", "loaded"), tuple(range(1, 7)))


def guess(model, stay=0.8, random_state=None):
    """A random start for Baum–Welch with the states and symbols of `model`: even start, moves that mostly stay.

    >>> guess(umbrella(), random_state=0).transition.round(2).tolist()
    [[0.8, 0.2], [0.2, 0.8]]
    """
    if not isinstance(model, HiddenMarkovModel):
        raise ValueError(f"model must be a HiddenMarkovModel, got {short(model)}")
    stay, random, k = one_probability(stay, "stay"), generator(random_state), len(model.states_)
    moves = np.where(np.eye(k), stay, (1 - stay) / max(k - 1, 1))
    signs = random.dirichlet([5] * len(model.symbols_), k)
    return HiddenMarkovModel(np.full(k, 1 / k), moves, signs, model.states_, model.symbols_)


def letters(text):
    """The letters a to z of a text as symbols; anything between them is one gap, "_" (section 13).

    >>> "".join(letters("Hansel, take care!"))
    'hansel_take_care'
    """
    if not isinstance(text, str):
        raise ValueError(f"text must be a string, got {short(text)}")
    return list(re.sub("[^a-z]+", "_", text.lower()).strip("_"))


def _shares(counts, before):
    """Expected counts as probabilities, row by row; a row without counts stays as it was."""
    totals = counts.sum(axis=-1, keepdims=True)
    return np.where(totals > 0, counts / np.where(totals > 0, totals, 1), before)


def _cumulated(row):
    edges = np.cumsum(row)
    return [*(edges[:-1] / edges[-1]).tolist(), 1.0]


def _names(values, what, count, counted):
    """The names of `count` states or symbols as a tuple; 0, 1, … by default. Sets have no order, iterators no second pass."""
    try:
        if isinstance(values, (dict, set, frozenset)) or values is not None and len(values) < 0:
            raise TypeError
        values = tuple(range(count) if values is None else values.tolist() if hasattr(values, "tolist") else values)
        distinct = len(set(values)) == len(values) and not any(map(is_missing, values))
    except TypeError:
        raise ValueError(f"{what} must be a sequence of names, got {short(values)}") from None
    if len(values) != count:
        raise ValueError(f"{what} must be {count} names, as many as {counted}, got {short(list(values))}")
    if not distinct:
        raise ValueError(f"{what} must be different names, and None is not one, got {short(list(values))}")
    return values


def _numbers(values, name):
    try:
        return np.array(real(values), dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be an array of probabilities, got {short(values)}") from None


def _table(values, name, axes):
    """Probabilities whose rows sum to 1, as a new array; `axes` gives the names along each axis."""
    array = _numbers(values, name)
    shape = tuple(map(len, axes.values()))
    if array.shape != shape:
        sizes = ", ".join(f"{axis}: {len(labels)}" for axis, labels in axes.items())
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
