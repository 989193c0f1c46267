"""Exercise 13: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import data
import numpy as np

from bayeslib.hmm import backward, best_routes, follow_back, forward


def _tables(start, transition, emission, observations, known=None):
    """The tables as arrays, and P(o_t | s), a row per step: 1 where nothing was seen, 0 for all but a known state."""
    emission, states = np.array(emission, float), np.arange(len(start))
    likelihoods = np.array([np.ones(len(start)) if each is None else emission[:, each] for each in observations])
    for day, state in (known or {}).items():
        likelihoods[day] *= states == state
    return np.array(start, float), np.array(transition, float), likelihoods


def forward_backward(start, transition, emission, observations):
    start, transition, likelihoods = _tables(start, transition, emission, observations)
    try:
        beliefs, scales = forward(start, transition, likelihoods)
    except ValueError:
        raise ValueError("the model gives what was seen the probability 0") from None
    return {
        "smoothed": np.exp(beliefs + backward(transition, likelihoods, scales)).tolist(),
        "log_likelihood": float(scales.sum()),
    }


def _filtered(start, transition, emission, observations):
    """Beliefs at the time, without those of hindsight."""
    beliefs, scales = forward(*_tables(start, transition, emission, observations))
    return {"smoothed": np.exp(beliefs).tolist(), "log_likelihood": float(scales.sum())}


def _unscaled(start, transition, emission, observations):
    """Products as they are: 0/0 after some hundred steps."""
    start, transition, likelihoods = _tables(start, transition, emission, observations)
    alphas, betas = [start * likelihoods[0]], [np.ones(len(start))]
    for likelihood in likelihoods[1:]:
        alphas.append(alphas[-1] @ transition * likelihood)
    for likelihood in likelihoods[:0:-1]:
        betas.append(transition @ (likelihood * betas[-1]))
    with np.errstate(all="ignore"):
        joint = np.array(alphas) * np.array(betas[::-1])
        return {
            "smoothed": (joint / joint.sum(axis=1, keepdims=True)).tolist(),
            "log_likelihood": float(np.log(alphas[-1].sum())),
        }


def _turned(start, transition, emission, observations):
    return forward_backward(start, np.array(transition).T, emission, observations)


def _standing(start, transition, emission, observations):
    return forward_backward(start, np.eye(len(start)), emission, observations)


def _skipped(start, transition, emission, observations):
    """Unseen steps left out, as if no night had passed; their rows repeat the one before."""
    seen = [t for t, each in enumerate(observations) if each is not None]
    found = forward_backward(start, transition, emission, [observations[t] for t in seen])
    rows = [found["smoothed"][max(sum(each <= t for each in seen) - 1, 0)] for t in range(len(observations))]
    return {"smoothed": rows, "log_likelihood": found["log_likelihood"]}


def _shares(random, size, least=0.05):
    """A distribution with two digits and nothing below `least`."""
    parts = np.round(random.dirichlet([1.5] * size) * (1 - size * least) + least, 2)
    parts[parts.argmax()] += 1 - parts.sum()
    return parts.round(2).tolist()


def draw_model(random, states=None, symbols=None):
    k = int(random.integers(2, 4)) if states is None else states
    symbols = int(random.integers(2, 5)) if symbols is None else symbols
    return _shares(random, k), [_shares(random, k) for _ in range(k)], [_shares(random, symbols) for _ in range(k)]


def draw_seen(random, length=None, holes=0.2):
    model = draw_model(random)
    n = int(random.integers(4, 9)) if length is None else length
    seen = random.integers(len(model[2][0]), size=n).tolist()
    return *model, [None if 0 < t < n - 1 and random.random() < holes else each for t, each in enumerate(seen)]


def draw_holes(random):
    """At least one step at which nothing was seen."""
    *model, seen = draw_seen(random)
    seen[int(random.integers(1, len(seen) - 1))] = None
    return *model, seen


def draw_long(random):
    return draw_seen(random, 1500, 0)


def draw_blocked(random):
    """Only state 0 shows sign 0, never sign 2, and nothing leads back to it; every other time 2 is followed by 0."""
    start, transition, emission = draw_model(random, 3, 3)
    transition[1:] = [[0.0, round(1 - row[2], 2), row[2]] for row in transition[1:]]
    emission = [[0.6, 0.4, 0.0], *([0.0, round(1 - row[2], 2), row[2]] for row in emission[1:])]
    seen = [0, *random.integers(2, size=int(random.integers(2, 5))).tolist(), 2]
    return start, transition, emission, [*seen, int(random.integers(2))]


def best_path(start, transition, emission, observations, known):
    scores, back = best_routes(*_tables(start, transition, emission, observations, known))
    if np.isneginf(scores[-1]).all():
        raise ValueError("no path can have shown this")
    return follow_back(scores[-1], back), float(scores[-1].max())


def _score(start, transition, emission, observations, path):
    start, transition, likelihoods = _tables(start, transition, emission, observations)
    parts = [
        start[path[0]],
        *(transition[r, s] for r, s in zip(path, path[1:])),
        *(row[s] for row, s in zip(likelihoods, path)),
    ]
    with np.errstate(divide="ignore"):
        return float(np.log(parts).sum())


def _best_each(start, transition, emission, observations, known, hindsight=True):
    tables = _tables(start, transition, emission, observations, known)
    beliefs, scales = forward(*tables)
    if hindsight:
        beliefs = beliefs + backward(*tables[1:], scales)
    path = beliefs.argmax(axis=1).tolist()
    return path, _score(start, transition, emission, observations, path)


def _patched(start, transition, emission, observations, known):
    """The best path without the known days, which are written over afterwards."""
    path = best_path(start, transition, emission, observations, {})[0]
    path = [known.get(day, state) for day, state in enumerate(path)]
    return path, _score(start, transition, emission, observations, path)


def _backwards(*case):
    path, score = best_path(*case)
    return path[::-1], score


def _plain(start, transition, emission, observations, known):
    """Viterbi in plain products: after many steps all are 0, and the first state of equals wins."""
    start, transition, likelihoods = _tables(start, transition, emission, observations, known)
    scores, back = start * likelihoods[0], []
    for likelihood in likelihoods[1:]:
        routes = scores[:, None] * transition
        back.append(routes.argmax(axis=0))
        scores = routes.max(axis=0) * likelihood
    with np.errstate(divide="ignore"):
        return follow_back(scores, back), float(np.log(scores.max()))


def _unique(*case):
    """Whether every path that differs on some day is clearly worse, so that rounding decides nothing."""
    *model, known = case
    path, score = best_path(*case)
    others = [
        {**known, day: s}
        for day, state in enumerate(path)
        for s in range(len(case[0]))
        if s != state and day not in known
    ]
    return all(best_routes(*_tables(*model, other))[0][-1].max() < score - 1e-6 for other in others)


def draw_path(random):
    """Ordinary models, a few days on which the state is known, one of them not as the best path would have it."""
    while True:
        *model, seen = draw_seen(random, int(random.integers(6, 10)))
        free = best_path(*model, seen, {})[0]
        day = int(random.integers(1, len(seen) - 1))
        known = {day: (free[day] + 1) % len(model[0])}
        if random.random() < 0.4:
            known[0] = int(random.integers(len(model[0])))
        case = (*model, seen, known)
        if _unique(*case) and _patched(*case)[0] != best_path(*case)[0]:
            return case


def draw_forbidden(random):
    """Moves that cannot be made; every other time a known state that cannot be reached."""
    while True:
        start, transition, emission = draw_model(random, 3)
        transition = [
            [0.0 if s == (r + 2) % 3 else each for s, each in enumerate(row)] for r, row in enumerate(transition)
        ]
        transition = [[round(each / sum(row), 4) for each in row] for row in transition]
        seen = random.integers(len(emission[0]), size=int(random.integers(5, 9))).tolist()
        if random.random() < 0.5:
            state = int(random.integers(3))
            return start, transition, emission, seen, {2: state, 3: (state + 2) % 3}
        case = start, transition, emission, seen, {}
        if _unique(*case):
            return case


def draw_long_path(random):
    """Hundreds of days on which no two routes into a state are nearly level, so that rounding decides nothing."""
    while True:
        *model, seen = draw_seen(random, 600, 0)
        case = (*model, seen, {300: int(random.integers(len(model[0])))})
        scores, _ = best_routes(*_tables(*case))
        routes = np.sort(scores[:-1, :, None] + np.log(np.array(model[1])), axis=1)
        last = np.sort(scores[-1])
        if (
            _gap(routes[:300])
            and _gap(routes[301:])
            and last[-1] - last[-2] > 1e-6
            and _plain(*case)[0] != best_path(*case)[0]
        ):
            return case


def _gap(routes):
    return (routes[:, -1] - routes[:, -2]).min() > 1e-9


def _model(student):
    machine = data.machine(student)
    return machine, (machine["start"], machine["transition"], machine["emission"])


def _ahead(student, nights=lambda days: days, turn=False, seen=True):
    machine, (start, transition, emission) = _model(student)
    belief = forward_backward(start, transition, emission, machine["mornings"])["smoothed"][-1] if seen else start
    matrix = np.array(transition).T if turn else np.array(transition)
    return float((np.array(belief) @ np.linalg.matrix_power(matrix, nights(machine["days"])))[2])


def _fresh(student, base=1.0, sign=1, moves=None):
    """ln P(year | the machine) − ln P(year | a machine that is always good)."""
    machine, (start, transition, emission) = _model(student)
    own = forward_backward(start, transition if moves is None else moves, emission, machine["year"])["log_likelihood"]
    good = float(np.log(np.array(emission)[0][machine["year"]]).sum())
    return float(sign * (own - good) / base)


WEATHER = [0.5, 0.3, 0.2], [[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.1, 0.6, 0.3]], [[0.8, 0.2], [0.4, 0.6], [0.1, 0.9]]
ONE_WAY = [1.0, 0.0, 0.0], [[0.6, 0.4, 0.0], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]], [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]
SURE = [0.5, 0.5], [[1.0, 0.0], [0.5, 0.5]], [[1.0, 0.0], [0.3, 0.7]]
RARE = [0.6, 0.4], [[0.8, 0.2], [0.3, 0.7]], [[2e-9, 1e-9, 1 - 3e-9], [1e-9, 3e-9, 1 - 4e-9]]
RARELY = [int(t * t % 7 < 3) for t in range(40)]  # tiny probabilities, so that few days underflow

TASKS = {
    "forward_backward": {
        "kind": "function",
        "points": 4,
        "arguments": "start, transition, emission, observations",
        "solve": forward_backward,
        "keys": ["smoothed", "log_likelihood"],
        "cases": [
            (*WEATHER, [0, 0, 1, 0]),
            (*WEATHER, [1, None, None, 0, 1]),
            (*RARE, RARELY),
            (*SURE, [0, 0, 1, 0]),
            ([1.0, 0.0], *SURE[1:], [0, 1]),
        ],
        "checks": [
            {"says": "two or three states, a few days", "points": 1, "draw": draw_seen, "times": 5},
            {"says": "days on which nothing was seen", "points": 1, "draw": draw_holes, "times": 4},
            {"says": "1500 days", "points": 1, "draw": draw_long, "times": 3},
            {
                "says": "moves and signs that cannot be, and sequences that cannot",
                "points": 1,
                "draw": draw_blocked,
                "times": 12,
            },
        ],
        "mistakes": {
            "no-logs": _unscaled,
            "past-is-fixed": _filtered,
            "no-transition": _standing,
            "transposed": _turned,
            "night-skipped": _skipped,
        },
        "hint": "Forward: push, weigh, divide by the sum c, and keep all c: ln P is the sum of their logarithms. Backward: start with ones, message(r) = Σ_s transition[r][s] · P(o | s) · message(s), divided by the c of that day. An unseen day weighs with 1.",
        "right": "There and back, with every day scaled: nothing underflows, and hindsight has its say.",
    },
    "best_path": {
        "kind": "function",
        "points": 3,
        "arguments": "start, transition, emission, observations, known",
        "solve": best_path,
        "cases": [
            (*WEATHER, [0, 1, 0, 1, 1], {}),
            (*WEATHER, [0, 0, 1, 0, 0, 1], {3: 2}),
            (*ONE_WAY, [0, 1, 0, 0, 1], {}),
            (*RARE, RARELY, {20: 1}),
            (*ONE_WAY, [0, 1, 1, 0], {1: 1, 3: 0}),
        ],
        "checks": [
            {"says": "days on which the state is known", "points": 1, "draw": draw_path, "times": 5},
            {
                "says": "moves that cannot be made, and paths that cannot",
                "points": 1,
                "draw": draw_forbidden,
                "times": 12,
            },
            {"says": "600 days", "points": 1, "draw": draw_long_path, "times": 2},
        ],
        "mistakes": {
            "no-logs": _plain,
            "best-states-path": _best_each,
            "greedy-path": lambda *case: _best_each(*case, hindsight=False),
            "backwards-path": _backwards,
            "written-over": _patched,
        },
        "hint": "score[s] = ln P(o | s) + max over r of (score[r] + ln transition[r][s]), with −inf for what cannot be; on a known day every other state has −inf. Keep the r that won, and follow these pointers from the end.",
        "right": "The best route to every state, with what is known built in from the start.",
    },
    "ahead": {
        "kind": "number",
        "builds_on": "forward_backward",
        "points": 1,
        "solve": _ahead,
        "varies": True,
        "probability": True,
        "mistakes": {
            "no-transition": lambda student: _ahead(student, lambda days: 0),
            "one-night-short": lambda student: _ahead(student, lambda days: days - 1),
            "transposed": lambda student: _ahead(student, turn=True),
            "prior-only: Predict from the belief after the last observation, not from the start distribution.": lambda student: (
                _ahead(student, seen=False)
            ),
        },
        "hint": "On the last morning the smoothed belief is the belief at the time. Push it on once for every night, and weigh nothing.",
        "right": "Without signs a belief is only pushed.",
    },
    "evidence": {
        "kind": "number",
        "builds_on": "forward_backward",
        "points": 1,
        "solve": _fresh,
        "varies": True,
        "mistakes": {
            "sign-flip": lambda student: _fresh(student, sign=-1),
            "The scores here use natural logarithms; one bit is 0.693 nats.": lambda student: _fresh(
                student, base=np.log(2)
            ),
            "no-transition": lambda student: _fresh(student, moves=np.eye(3)),
        },
        "hint": "Two log-likelihoods of the same year. That of the machine that is always good is a sum of ln P(sign | good), one for each morning.",
        "right": "Both are tiny; their difference says which model the year speaks for.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "A",
        "mistakes": {"B": "best-states-path", "C": "greedy-path", "D": "best-states-path"},
        "hint": "Add up the bars that have rain on day 2, and compare with the longest bar.",
        "right": "Rain on day 2 wins by many paths, none of which wins.",
    },
}
