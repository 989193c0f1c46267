"""The practice tasks of section 13. A mistake is a function that errs in a known way, so that its name can be told."""

import numpy as np

from bayeslib.models.hmm import HiddenMarkovModel, casino, follow_back, forward


def _likelihoods(emission, observations):
    """P(o_t|s), a row per step; 1 where nothing was seen."""
    return np.array([np.ones(len(emission)) if o is None else np.array(emission)[:, o] for o in observations])


def _filter(start, transition, emission, observations):
    return HiddenMarkovModel(start, transition, emission).filter(observations).tolist()


def _unnormalised(start, transition, emission, observations):
    beliefs, scales = forward(start, transition, _likelihoods(emission, observations))
    return np.exp(beliefs + np.cumsum(scales)[:, None]).tolist()


def _skipping(start, transition, emission, observations):
    """A step without observation leaves the belief as it was."""
    seen = [o for o in observations if o is not None]
    beliefs = _filter(start, transition, emission, seen) if seen else []
    count = np.cumsum([o is not None for o in observations])
    return [beliefs[n - 1] if n else list(start) for n in count]


def _viterbi(start, transition, emission, observations):
    return HiddenMarkovModel(start, transition, emission).viterbi(observations)[0]


def _best_each(beliefs):
    return [int(np.argmax(belief)) for belief in beliefs]


def _without_logs(start, transition, emission, observations):
    """Viterbi in plain products: right until they underflow."""
    likelihoods, back = _likelihoods(emission, observations), []
    scores = np.array(start) * likelihoods[0]
    for likelihood in likelihoods[1:]:
        routes = scores[:, None] * np.array(transition)
        back.append(routes.argmax(axis=0))
        scores = routes.max(axis=0) * likelihood
    return follow_back(scores, back)


def _counts(smoothed, observations, symbols):
    """Expected counts: how often each state is expected to have shown each symbol."""
    counts = np.zeros((len(smoothed[0]), symbols))
    for belief, symbol in zip(smoothed, observations):
        counts[:, symbol] += belief
    return counts


def _learn(smoothed, observations, symbols):
    counts = _counts(smoothed, observations, symbols)
    return (counts / counts.sum(axis=1, keepdims=True)).tolist()


UMBRELLA = [0.5, 0.5], [[0.7, 0.3], [0.3, 0.7]], [[0.9, 0.1], [0.2, 0.8]]
CASINO = [2 / 3, 1 / 3], [[0.95, 0.05], [0.1, 0.9]], [[1 / 6] * 6, [0.1] * 5 + [0.5]]
LONG = [roll - 1 for roll in casino().sample(2000, random_state=0)[1]]

TASKS = {
    "filter": {
        "arguments": "start, transition, emission, observations",
        "cases": [(*UMBRELLA, [0, 0, 1]), (*CASINO, [5, None, 0, 5]), (*UMBRELLA, [None, 1])],
        "solve": _filter,
        "right": "Push every night, weigh where there is a sign, normalise: the belief carries all that the past has to say.",
        "hint": "For every step but the first, push: new[j] = Σ_i belief[i] · transition[i][j]. If something was seen, multiply "
        "by emission[j][o] and divide by the sum.",
        "mistakes": {
            "no-transition": lambda a, t, e, o: _filter(a, np.eye(len(a)), e, o),
            "predict-for-filter": lambda a, t, e, o: (np.array(_filter(a, t, e, o)) @ np.array(t)).tolist(),
            "smooth-for-filter": lambda a, t, e, o: HiddenMarkovModel(a, t, e).smooth(o).tolist(),
            "joint-posterior": _unnormalised,
            "transposed": lambda a, t, e, o: np.exp(forward(a, np.array(t).T, _likelihoods(e, o))[0]).tolist(),
            "night-skipped": _skipping,
        },
    },
    "viterbi": {
        "arguments": "start, transition, emission, observations",
        "cases": [(*CASINO, [0, 0, 0, 0, 5, 5, 5, 5, 5]), (*UMBRELLA, [1, 0, 1]), (*CASINO, LONG)],
        "solve": _viterbi,
        "right": "The best route to every state, pointers back, and logarithms: 2000 rolls did not underflow.",
        "hint": "score[j] = log emission[j][o] + max over i of (score[i] + log transition[i][j]). Remember which i won, and "
        "follow these pointers back from the best last state.",
        "mistakes": {
            "best-states-path": lambda a, t, e, o: _best_each(HiddenMarkovModel(a, t, e).smooth(o)),
            "greedy-path": lambda a, t, e, o: _best_each(_filter(a, t, e, o)),
            "backwards-path": lambda a, t, e, o: _viterbi(a, t, e, o)[::-1],
            "no-logs": _without_logs,
        },
    },
    "learn-emission": {
        "arguments": "smoothed, observations, symbols",
        "cases": [
            ([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]], [0, 1, 1], 2),
            (casino().smooth([6, 6, 1, 2, 6]).tolist(), [5, 5, 0, 1, 5], 6),
        ],
        "solve": _learn,
        "right": "A table of fractional counts, each row divided by its own sum: the M step of Baum–Welch.",
        "hint": "Start with a table of zeros, a row per state. At each step add the belief in the state to the column of the "
        "symbol that was seen. Divide each row by its sum at the end.",
        "mistakes": {
            "hard-share": lambda g, o, m: _learn(np.eye(len(g[0]))[_best_each(g)], o, m),
            "expected-not-shared": lambda g, o, m: _counts(g, o, m).tolist(),
            "share-of-all": lambda g, o, m: (_counts(g, o, m) / len(o)).tolist(),
        },
    },
}
