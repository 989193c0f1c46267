"""Exercise 13: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math
from functools import partial
from operator import add, mul

import data
import numpy as np


def _tables(start, transition, emission, observations, known=None, ruled_out=False):
    """The tables, and P(o_t | s), a row per step: 1 where nothing was seen, 0 for a state that `known` forbids."""
    states, known = range(len(start)), known or {}
    likelihoods = [[1.0 if each is None else emission[s][each] for s in states] for each in observations]
    for day, state in known.items():
        likelihoods[day] = [each if (s == state) != ruled_out else 0.0 for s, each in enumerate(likelihoods[day])]
    return list(map(float, start)), [list(map(float, row)) for row in transition], likelihoods


def _forward(start, transition, likelihoods):
    """Beliefs at the time, and what each of them was divided by. Plain lists: for a few states they are the fastest."""
    columns, beliefs, scales = list(zip(*transition)), [], []
    pushed = start
    for row in likelihoods:
        joint = [p * q for p, q in zip(pushed, row)]
        scales.append(sum(joint))
        if scales[-1] == 0:
            raise ValueError("the model gives what was seen the probability 0")
        beliefs.append([each / scales[-1] for each in joint])
        pushed = [sum(map(mul, beliefs[-1], column)) for column in columns]
    return beliefs, scales


def _smooth(transition, likelihoods, beliefs, scales):
    message, smoothed = [1.0] * len(transition), []
    for belief, row, scale in zip(beliefs[::-1], likelihoods[::-1], scales[::-1]):
        smoothed.append(list(map(mul, belief, message)))
        weighed = [p * q / scale for p, q in zip(row, message)]
        message = [sum(map(mul, each, weighed)) for each in transition]
    return smoothed[::-1]


def forward_backward(start, transition, emission, observations):
    start, transition, likelihoods = _tables(start, transition, emission, observations)
    beliefs, scales = _forward(start, transition, likelihoods)
    smoothed = _smooth(transition, likelihoods, beliefs, scales)
    return {"smoothed": smoothed, "log_likelihood": sum(map(math.log, scales))}


def _filtered(start, transition, emission, observations):
    """Beliefs at the time, without those of hindsight."""
    beliefs, scales = _forward(*_tables(start, transition, emission, observations))
    return {"smoothed": beliefs, "log_likelihood": sum(map(math.log, scales))}


def _unscaled(start, transition, emission, observations):
    """Products as they are: 0/0 after some hundred steps."""
    forward_backward(start, transition, emission, observations)  # a ValueError where nothing is possible
    start, transition, likelihoods = _tables(start, transition, emission, observations)
    columns, alphas, betas = list(zip(*transition)), [], [[1.0] * len(start)]
    for row in likelihoods:
        pushed = [sum(map(mul, alphas[-1], column)) for column in columns] if alphas else start
        alphas.append(list(map(mul, pushed, row)))
    for row in likelihoods[:0:-1]:
        weighed = list(map(mul, row, betas[-1]))
        betas.append([sum(map(mul, each, weighed)) for each in transition])
    joint = np.array(alphas) * np.array(betas[::-1])
    with np.errstate(all="ignore"):
        return {
            "smoothed": (joint / joint.sum(axis=1, keepdims=True)).tolist(),
            "log_likelihood": float(np.log(sum(alphas[-1]))),
        }


def _joint(*case):
    """P(state, all observations), not divided by P(all observations)."""
    found = forward_backward(*case)
    whole = np.exp(found["log_likelihood"])
    return {**found, "smoothed": (np.array(found["smoothed"]) * whole).tolist()}


def _swapped(table):
    return [list(row) for row in zip(*table)]


def _turned(start, transition, emission, observations):
    return forward_backward(start, _swapped(transition), emission, observations)


def _standing(start, transition, emission, observations):
    return forward_backward(start, np.eye(len(start)), emission, observations)


def _night_before(start, transition, emission, observations):
    """A night between the start belief and the first day."""
    return forward_backward(np.array(start) @ np.array(transition), transition, emission, observations)


def _skipped(start, transition, emission, observations):
    """Unseen steps left out, as if no night had passed; their rows repeat the one before."""
    seen = [t for t, each in enumerate(observations) if each is not None]
    found = forward_backward(start, transition, emission, [observations[t] for t in seen])
    rows = [found["smoothed"][max(sum(each <= t for each in seen) - 1, 0)] for t in range(len(observations))]
    return {"smoothed": rows, "log_likelihood": found["log_likelihood"]}


def _last_scale(start, transition, emission, observations):
    found = forward_backward(start, transition, emission, observations)
    scales = _forward(*_tables(start, transition, emission, observations))[1]
    return {**found, "log_likelihood": math.log(scales[-1])}


def _bits(*case):
    found = forward_backward(*case)
    return {**found, "log_likelihood": found["log_likelihood"] / np.log(2)}


def _shares(random, size, least=0.05):
    """A distribution with two digits and nothing below `least`."""
    parts = np.round(random.dirichlet([1.5] * size) * (1 - size * least) + least, 2)
    parts[parts.argmax()] += 1 - parts.sum()
    return parts.round(2).tolist()


def draw_model(random, states=None, symbols=None):
    k = int(random.integers(2, 4)) if states is None else states
    symbols = int(random.integers(2, 5)) if symbols is None else symbols
    return _shares(random, k), [_shares(random, k) for _ in range(k)], [_shares(random, symbols) for _ in range(k)]


def draw_seen(random, length=None, holes=0.0):
    model = draw_model(random)
    n = int(random.integers(4, 9)) if length is None else length
    seen = random.integers(len(model[2][0]), size=n).tolist()
    return *model, [None if random.random() < holes else each for each in seen]


def draw_holes(random):
    """At least one step at which nothing was seen, and at least one at which something was."""
    *model, seen = draw_seen(random, holes=0.25)
    some, other = (int(each) for each in random.permutation(len(seen))[:2])
    seen[some], seen[other] = None, int(random.integers(len(model[2][0])))
    return *model, seen


def _many_symbols(random):
    """Each symbol is so rare that a product of some hundred probabilities is rounded to 0."""
    start, transition, _ = draw_model(random)
    return start, transition, [_shares(random, 14, 0.02) for _ in start]


def draw_long(random):
    return *_many_symbols(random), random.integers(14, size=320).tolist()


def draw_blocked(random):
    """Only state 0 shows sign 0, never sign 2, and nothing leads back to it; every other time 2 is followed by 0."""
    start, transition, emission = draw_model(random, 3, 3)
    transition[1:] = [[0.0, round(1 - row[2], 2), row[2]] for row in transition[1:]]
    emission = [[0.6, 0.4, 0.0], *([0.0, round(1 - row[2], 2), row[2]] for row in emission[1:])]
    seen = [0, *random.integers(2, size=int(random.integers(2, 5))).tolist(), 2]
    return start, transition, emission, [*seen, int(random.integers(2))]


def _logs(table):
    return [math.log(each) if each > 0 else -math.inf for each in table]


def _routes(start, transition, likelihoods):
    """Viterbi's table: the log-probability of the best route to each state, and where that route came from."""
    columns, states = [_logs(column) for column in zip(*transition)], range(len(start))
    scores, back = [list(map(add, _logs(start), _logs(likelihoods[0])))], []
    for row in likelihoods[1:]:
        routes = [list(map(add, scores[-1], column)) for column in columns]
        best = [max(route) for route in routes]
        back.append([routes[s].index(best[s]) for s in states])
        scores.append(list(map(add, best, _logs(row))))
    return scores, back


def _follow(last, back):
    path = [last.index(max(last))]
    for pointers in reversed(back):
        path.append(pointers[path[-1]])
    return path[::-1]


def best_path(start, transition, emission, observations, known, ruled_out=False):
    scores, back = _routes(*_tables(start, transition, emission, observations, known, ruled_out))
    if max(scores[-1]) == -math.inf:
        raise ValueError("no path can have shown this")
    return _follow(scores[-1], back), max(scores[-1])


def _score(start, transition, emission, observations, path):
    start, transition, likelihoods = _tables(start, transition, emission, observations)
    parts = [
        start[path[0]],
        *(transition[r][s] for r, s in zip(path, path[1:])),
        *(row[s] for row, s in zip(likelihoods, path)),
    ]
    return sum(_logs(parts))


def _best_each(start, transition, emission, observations, known, hindsight=True, ruled_out=False):
    tables = _tables(start, transition, emission, observations, known, ruled_out)
    beliefs, scales = _forward(*tables)
    if hindsight:
        beliefs = _smooth(*tables[1:], beliefs, scales)
    path = [belief.index(max(belief)) for belief in beliefs]
    return path, _score(start, transition, emission, observations, path)


def _patched(start, transition, emission, observations, known):
    """The best path without the known days, which are written over afterwards."""
    path = best_path(start, transition, emission, observations, {})[0]
    path = [known.get(day, state) for day, state in enumerate(path)]
    return path, _score(start, transition, emission, observations, path)


def _backwards(*case, ruled_out):
    path, score = best_path(*case, ruled_out)
    return path[::-1], score


def _unguarded(*case, ruled_out):
    """No ValueError: all scores are −∞, and the first state is taken for the best."""
    scores, back = _routes(*_tables(*case, ruled_out))
    return _follow(scores[-1], back), max(scores[-1])


def _plain(start, transition, emission, observations, known, ruled_out):
    """Viterbi in plain products: after many steps all are 0, and the first of tied states wins."""
    best_path(start, transition, emission, observations, known, ruled_out)  # a ValueError where no path is possible
    start, transition, likelihoods = _tables(start, transition, emission, observations, known, ruled_out)
    columns, scores, back = list(zip(*transition)), list(map(mul, start, likelihoods[0])), []
    for row in likelihoods[1:]:
        routes = [list(map(mul, scores, column)) for column in columns]
        back.append([route.index(max(route)) for route in routes])
        scores = list(map(mul, map(max, routes), row))
    return _follow(scores, back), _logs([max(scores)])[0]


def _no_zero(*case, ruled_out):
    """A logarithm of every number of the tables."""
    if 0 in case[0] or any(0 in row for table in case[1:3] for row in table):
        raise ValueError("math domain error")
    return best_path(*case, ruled_out)


def _conditional(*case, ruled_out):
    """ln P(path | observations)."""
    path, score = best_path(*case, ruled_out)
    return path, score - forward_backward(*case[:4])["log_likelihood"]


def _turned_path(start, transition, *rest, ruled_out):
    return best_path(start, _swapped(transition), *rest, ruled_out)


def _day_by_day(start, transition, emission, observations, known, ruled_out=False):
    """Each day the state that is best after the one before it."""
    best_path(start, transition, emission, observations, known, ruled_out)  # a ValueError where nothing is possible
    first, moves, likelihoods = _tables(start, transition, emission, observations, known, ruled_out)
    path = []
    for seen in likelihoods:
        row = moves[path[-1]] if path else first
        path.append(max(range(len(first)), key=lambda s: row[s] * seen[s]))
    return path, _score(start, transition, emission, observations, path)


def _moveless(start, transition, emission, observations, known, ruled_out):
    """No move into a day on which nothing was seen."""
    found, score = best_path(start, transition, emission, observations, known, ruled_out)
    seen = [day for day, symbol in enumerate(observations) if symbol is not None]
    if len(seen) in (0, len(observations)):
        return found, score
    known = {seen.index(day): state for day, state in known.items() if day in seen}
    path, score = best_path(start, transition, emission, [observations[day] for day in seen], known, ruled_out)
    return [path[max(0, sum(each <= day for each in seen) - 1)] for day in range(len(observations))], score


def _slips(ruled_out):
    """What goes wrong in both variants of the task."""
    bound = {
        "The logarithm of 0 is −∞, and `math.log` stops there: treat a probability of 0 apart.": _no_zero,
        "no-logs": _plain,
        "best-states-path": _best_each,
        "greedy-path": partial(_best_each, hindsight=False),
        "greedy-path: The best next state, day by day, may lead where nothing good follows.": _day_by_day,
        "backwards-path": _backwards,
        "transposed": _turned_path,
        "The score is the joint probability of path and observations; nothing is divided by P(observations).": _conditional,
        "Every path is impossible here, so there is none to return: raise a ValueError.": _unguarded,
    }
    slips = {tag: partial(slip, ruled_out=ruled_out) for tag, slip in bound.items()}
    slips[
        "A path may not go through a state that `ruled_out` names for that day."
        if ruled_out
        else "Only paths that agree with `known` count."
    ] = lambda *case: best_path(*case[:4], {})
    slips["The first day is day 0."] = lambda *case: best_path(
        *case[:4], {day - 1: state for day, state in case[4].items() if day}, ruled_out
    )
    slips["A day without an observation has its move all the same; only its observation is missing."] = lambda *case: (
        _moveless(*case, ruled_out)
    )
    formed = {
        "The natural logarithm of the probability is asked for, not the probability.": lambda path, score: (
            path,
            math.exp(score),
        ),
        "The path comes first, and its log-probability second.": lambda path, score: (score, path),
        "Return a pair: the path and its log-probability.": lambda path, score: path,
        "Return a pair, the path and its log-probability; this is the second alone.": lambda path, score: score,
    }
    return slips | {tag: _reformed(form, ruled_out) for tag, form in formed.items()}


def _reformed(form, ruled_out):
    return lambda *case: form(*best_path(*case, ruled_out))


RULED_OUT = "score[s] = ln P(o | s) + max over r of (score[r] + ln transition[r][s]), with −inf for what cannot be; on a day in `ruled_out` that state has −inf. Keep the r that won, and follow these pointers from the end."
NOT_IN = "`ruled_out` names a state that the path does not go through on that day."
WAS_IN = "`known` names the state of the day, not one that is ruled out."


def _forced(case, day, state, ruled_out):
    """The best score of the paths that are in `state` on `day`."""
    start, transition, likelihoods = _tables(*case, ruled_out)
    likelihoods[day] = [each if s == state else 0.0 for s, each in enumerate(likelihoods[day])]
    return max(_routes(start, transition, likelihoods)[0][-1])


def _unique(case, ruled_out):
    """Whether every path that differs on some day is clearly worse, so that rounding decides nothing."""
    path, score = best_path(*case, ruled_out)
    others = [(day, s) for day, state in enumerate(path) for s in range(len(case[0])) if s != state]
    return all(_forced(case, day, s, ruled_out) < score - 1e-6 for day, s in others)


def draw_free(random):
    """Ordinary models, some days on which nothing was seen, and no state known."""
    while True:
        case = (*draw_seen(random, int(random.integers(6, 10)), 0.15), {})
        if _unique(case, False):
            return case


def draw_path(random, ruled_out=False):
    """A few days on which something is known of the state, one of them not as the best path would have it."""
    while True:
        *model, seen = draw_seen(random, int(random.integers(6, 10)), 0.15)
        free = best_path(*model, seen, {})[0]
        days = [int(random.integers(1, len(seen))), *([0] if random.random() < 0.5 else [])]
        known = {day: free[day] if ruled_out else (free[day] + 1) % len(model[0]) for day in days}
        case = (*model, seen, known)
        if _unique(case, ruled_out) and (ruled_out or _patched(*case)[0] != best_path(*case)[0]):
            return case


def draw_forbidden(random, ruled_out=False):
    """Moves that cannot be made; every other time what is known cannot have been."""
    while True:
        possible, size = random.random() < 0.5, int(random.integers(5, 9))
        start, transition, emission = draw_model(random, 3 if possible or not ruled_out else 2)
        seen = random.integers(len(emission[0]), size=size).tolist()
        if len(start) == 2:  # nothing leads from state 0 to state 1
            return start, [[1.0, 0.0], transition[1]], emission, seen, {3: 0, 2: 1}
        transition = [
            [0.0 if s == (r + 2) % 3 else each for s, each in enumerate(row)] for r, row in enumerate(transition)
        ]
        transition = [[round(each / sum(row), 4) for each in row] for row in transition]
        if not possible:
            state = int(random.integers(3))
            return start, transition, emission, seen, {3: (state + 2) % 3, 2: state}
        case = start, transition, emission, seen, {}
        if _unique(case, ruled_out):
            return case


def draw_long_path(random, ruled_out=False):
    """Hundreds of days on which no two routes into a state are nearly level, so that rounding decides nothing."""
    while True:
        model, seen = _many_symbols(random), random.integers(14, size=320).tolist()
        free = best_path(*model, seen, {})[0]
        case = (*model, seen, {150: free[150] if ruled_out else (free[150] + 1) % len(model[0])})
        scores = np.array(_routes(*_tables(*case, ruled_out))[0])
        with np.errstate(invalid="ignore"):
            routes = np.diff(np.sort(scores[:-1, :, None] + np.log(np.array(model[1])), axis=1), axis=1)[:, -1]
        last = np.sort(scores[-1])
        settled = routes.min() > 1e-9 and last[-1] - last[-2] > 1e-6
        if settled and _plain(*case, ruled_out)[0] != best_path(*case, ruled_out)[0]:
            return case


def _path_checks(ruled_out):
    return [
        {"says": "no state known, some days without an observation", "points": 1, "draw": draw_free, "times": 5},
        {
            "says": "days on which something is known of the state",
            "points": 1,
            "draw": partial(draw_path, ruled_out=ruled_out),
            "times": 5,
        },
        {
            "says": "moves that cannot be made, and paths that cannot",
            "points": 0.5,
            "draw": partial(draw_forbidden, ruled_out=ruled_out),
            "times": 12,
        },
        {"says": "320 days", "points": 0.5, "draw": partial(draw_long_path, ruled_out=ruled_out), "times": 2},
    ]


VOWELS = [data.SYMBOLS.index(each) for each in "aeiou"]


def _line(student, beliefs=forward_backward):
    """For each illegible place of the line the belief in the states; and P(vowel | state)."""
    line = data.line(student)
    smoothed = beliefs(line["start"], line["transition"], line["emission"], line["seen"])["smoothed"]
    holes = [place for place, each in enumerate(line["seen"]) if each is None]
    return np.array(smoothed), holes, np.array(line["emission"])[:, VOWELS].sum(axis=1)


def _vowels(student, beliefs=forward_backward):
    smoothed, holes, vowel = _line(student, beliefs)
    return float((smoothed[holes] @ vowel).sum())


def _most_probable(student):
    smoothed, holes, vowel = _line(student)
    return float(vowel[smoothed[holes].argmax(axis=1)].sum())


def _in_a(student):
    smoothed, holes, _ = _line(student)
    return float(smoothed[holes, 0].sum())


def _likelier(student):
    smoothed, holes, _ = _line(student)
    return float((smoothed[holes, 0] > 0.5).sum())


def _frequency(student):
    seen = data.line(student)["seen"]
    legible = [each for each in seen if each is not None]
    return sum(each in VOWELS for each in legible) / len(legible) * seen.count(None)


def _whole_line(student):
    smoothed, _, vowel = _line(student)
    return float((smoothed @ vowel).sum())


def _legible_too(student):
    return _vowels(student) + sum(each in VOWELS for each in data.line(student)["seen"] if each is not None)


WEATHER = [0.5, 0.3, 0.2], [[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.1, 0.6, 0.3]], [[0.8, 0.2], [0.4, 0.6], [0.1, 0.9]]
ONE_WAY = [1.0, 0.0, 0.0], [[0.6, 0.4, 0.0], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]], [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]
SURE = [0.5, 0.5], [[1.0, 0.0], [0.5, 0.5]], [[1.0, 0.0], [0.3, 0.7]]
RARE = [0.6, 0.4], [[0.8, 0.2], [0.3, 0.7]], [[2e-9, 1e-9, 1 - 3e-9], [1e-9, 3e-9, 1 - 4e-9]]
RARELY = [int(t * t % 7 < 3) for t in range(40)]  # tiny probabilities, so that few days underflow

TASKS = {
    "forward_backward": {
        "kind": "function",
        "points": 3,
        "arguments": "start, transition, emission, observations",
        "solve": forward_backward,
        "keys": ["smoothed", "log_likelihood"],
        "hints": {
            "smoothed": "Smoothed is forward times backward, made to sum to 1 on each day. Backward: start with ones, message(r) = Σ_s transition[r][s] · P(o | s) · message(s). A day without an observation weighs with 1.",
            "log_likelihood": "Forward: push, weigh, divide by the sum c. ln P(all observations) is the sum of ln c over all days; a day without an observation has c = 1.",
        },
        "cases": [
            (*WEATHER, [0, 0, 1, 0]),
            (*WEATHER, [1, None, None, 0, 1]),
            (*WEATHER, [None, 1, 1, None]),
            (*RARE, RARELY),
            (*SURE, [0, 0, 1, 0]),
            ([1.0, 0.0], *SURE[1:], [0, 1]),
        ],
        "checks": [
            {"says": "two or three states, a few days", "points": 1, "draw": draw_seen, "times": 5},
            {"says": "days without an observation", "points": 1, "draw": draw_holes, "times": 5},
            {"says": "320 days", "points": 0.5, "draw": draw_long, "times": 3},
            {
                "says": "moves and signs that cannot be, and sequences that cannot",
                "points": 0.5,
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
            "joint-posterior: Each day's probabilities have to sum to 1.": _joint,
            "The start belief is that of the first day itself; the first night comes after it.": _night_before,
            "The logarithm of the likelihood is the sum of the logarithms of all the sums c, not of the last one alone.": _last_scale,
            "The log-likelihood is asked for as a natural logarithm; one bit is 0.693 nats.": _bits,
            "The logarithm of P(all observations) is asked for, not the probability.": lambda *case: {
                **(found := forward_backward(*case)),
                "log_likelihood": math.exp(found["log_likelihood"]),
            },
            "`smoothed` has a list for each day, and in it a number for each state; here it is the other way round.": lambda *case: {
                **(found := forward_backward(*case)),
                "smoothed": np.transpose(found["smoothed"]).tolist(),
            },
        },
        "almost_right": {
            "stops at any zero": lambda start, transition, emission, observations: (
                [math.log(row[each]) for row in emission for each in observations if each is not None]
                and forward_backward(start, transition, emission, observations)
            ),
        },
        "read": "And in hindsight?",
        "hint": "Forward: push, weigh, divide by the sum c, and keep all c: ln P is the sum of their logarithms. Backward: start with ones, message(r) = Σ_s transition[r][s] · P(o | s) · message(s), divided by the c of that day. A day without an observation weighs with 1.",
        "right": "Forward and backward, with every day scaled: nothing underflows, and later days are taken into account.",
    },
    "best_path": {
        "kind": "function",
        "points": 3,
        "arguments": "start, transition, emission, observations, known",
        "solve": best_path,
        "cases": [
            (*WEATHER, [0, 1, 0, 1, 1], {}),
            (*WEATHER, [0, 0, 1, 0, 0, 1], {3: 2}),
            (*WEATHER, [0, None, 1, None, 0], {3: 1, 0: 2}),
            (*WEATHER, [None, 1, 1, None], {}),
            (*ONE_WAY, [0, 1, 0, 0, 1], {}),
            (*RARE, RARELY, {20: 0}),
            (*ONE_WAY, [0, 1, 1, 0], {3: 0, 1: 1}),
        ],
        "checks": _path_checks(False),
        "mistakes": _slips(False) | {"written-over": _patched, WAS_IN: partial(best_path, ruled_out=True)},
        "almost_right": {
            "known ignored on the first day": lambda *case: best_path(
                *case[:4], {day: state for day, state in case[4].items() if day}
            ),
        },
        "read": "Viterbi by hand",
        "hint": "score[s] = ln P(o | s) + max over r of (score[r] + ln transition[r][s]), with −inf for what cannot be; on a day in `known` every other state has −inf. Keep the r that won, and follow these pointers from the end.",
        "right": "The best route to every state, with what is known built in from the start.",
        "variants": [
            {},
            {
                "arguments": "start, transition, emission, observations, ruled_out",
                "hint": RULED_OUT,
                "solve": partial(best_path, ruled_out=True),
                "cases": [
                    (*WEATHER, [0, 1, 0, 1, 1], {}),
                    (*WEATHER, [0, 0, 1, 0, 0, 1], {3: 0}),
                    (*WEATHER, [0, None, 1, None, 0], {3: 0, 0: 0}),
                    (*WEATHER, [None, 1, 1, None], {}),
                    (*ONE_WAY, [0, 1, 0, 0, 1], {}),
                    (*RARE, RARELY, {20: 1}),
                    (*ONE_WAY, [0, 1, 1, 0], {2: 1, 0: 0}),
                ],
                "checks": _path_checks(True),
                "mistakes": _slips(True) | {NOT_IN: best_path},
            },
        ],
    },
    "vowels": {
        "kind": "number",
        "builds_on": "forward_backward",
        "points": 1,
        "solve": _vowels,
        "varies": True,
        "low": 0,
        "mistakes": {
            "state-for-symbol": _in_a,
            "past-is-fixed": lambda student: _vowels(student, _filtered),
            "night-skipped": lambda student: _vowels(student, _skipped),
            "hard-share: Each place counts with its probability; nothing is rounded to the more probable state.": _most_probable,
            "state-for-symbol: A place that is more probably in A is not yet a vowel.": _likelier,
            "What stands before and after a place says more about it than the frequencies in the line.": _frequency,
            "Only the illegible places count.": _whole_line,
            "Only the vowels that cannot be read count.": _legible_too,
        },
        "read": "What does a machine make of letters?",
        "hint": "P(vowel) at one place is a sum over the two states: belief in the state, times the probability that this state writes one of a, e, i, o, u. Add these probabilities up over the illegible places.",
        "right": "An expected number is a sum of probabilities, each of them a sum over the states.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "Rain on day 2 is more probable than not, and yet the most probable single path is dry on day 2.",
            "B": "The most probable path is dry on day 2, so on that day dry is more probable than rain.",
            "C": "If every wrongly named day costs one point, the most probable path has the lowest expected cost.",
            "D": "No path has a probability above 0.240, so rain on one particular day cannot be more probable than that either.",
        },
        "solve": "A",
        "mistakes": {
            "B": "best-states-path",
            "C": "map-answer: Where each wrong day has a price, the most probable state of each day has the lowest expected cost.",
            "D": "The probability of a state on one day is the sum of all paths that pass through it, so it can be much larger than that of any single path.",
        },
        "read": "Which answer do you want?",
        "hint": "Add up the bars that have R on day 2, and compare the sum with one half and with the longest bar.",
        "right": "Rain on day 2 is the sum of many paths, none of which is the most probable one.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: the smoothed belief about a day uses the observations of later days, which nobody had then (look-ahead bias, hindsight); it can be high although the filtered belief was low.",
            "1 point: the decision is judged by the filtered belief, computed from the observations up to that day alone (also accepted: together with what a stop and a breakdown cost); or what smoothing is good for: when the damage began, or learning the tables.",
        ],
    },
}
