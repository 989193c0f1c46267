"""Almost right answers to exercise 13: some are right in another form, most have one flaw."""

import math

import numpy as np

data = globals().get("data")  # the exercise's data.py, put here by the test


# --- forward_backward ---


@np.errstate(all="ignore")
def sweeps(
    start,
    transition,
    emission,
    observations,
    none=lambda k: np.ones(k),
    push_first=False,
    guard=True,
    turn_back=False,
    scale_back=True,
    own_day=False,
    clip=0.0,
    end=1.0,
):
    """Forward and backward in scaled products, with switches for what can go wrong."""
    T, E = np.array(transition, float), np.array(emission, float)
    weights = [none(len(start)) if o is None else E[:, o] for o in observations]
    belief, beliefs, scales = np.array(start, float), [], []
    for t, weight in enumerate(weights):
        joint = (belief @ T if t or push_first else belief) * weight + clip
        if guard and joint.sum() == 0:
            raise ValueError("impossible")
        scales.append(joint.sum())
        belief = joint / joint.sum()
        beliefs.append(belief)
    message, rows = np.ones(len(start)) * end, []
    back = T.T if turn_back else T
    for t in range(len(weights) - 1, -1, -1):
        row = beliefs[t] * message * (weights[t] if own_day else 1)
        rows.append((row / row.sum()).tolist())
        message = back @ (weights[t] * message)
        if scale_back:
            message = message / message.sum()
    return {"smoothed": rows[::-1], "log_likelihood": float(np.log(scales).sum())}


def in_logarithms(start, transition, emission, observations):
    with np.errstate(divide="ignore"):
        start, T, E = (np.log(np.array(table, float)) for table in (start, transition, emission))
    add, weights = np.logaddexp.reduce, []
    for o in observations:
        weights.append(np.zeros(len(start)) if o is None else E[:, o])
    alphas = [start + weights[0]]
    for weight in weights[1:]:
        alphas.append(add(alphas[-1][:, None] + T, axis=0) + weight)
    whole = add(alphas[-1])
    if np.isneginf(whole):
        raise ValueError("impossible")
    betas = [np.zeros(len(start))]
    for weight in weights[:0:-1]:
        betas.insert(0, add(T + weight + betas[0], axis=1))
    return {"smoothed": np.exp(np.array(alphas) + betas - whole), "log_likelihood": whole}


def plain_lists(start, transition, emission, observations):
    states = range(len(start))
    seen = [[1 if o is None else emission[s][o] for s in states] for o in observations]
    forwards, total = [], 0.0
    for t, row in enumerate(seen):
        pushed = start if t == 0 else [sum(forwards[-1][r] * transition[r][s] for r in states) for s in states]
        joint = [p * q for p, q in zip(pushed, row)]
        if not any(joint):
            raise ValueError("impossible")
        total += math.log(sum(joint))
        forwards.append([each / sum(joint) for each in joint])
    later, smoothed = [1.0] * len(start), []
    for t in reversed(range(len(seen))):
        product = [p * q for p, q in zip(forwards[t], later)]
        smoothed.append(tuple(each / sum(product) for each in product))
        later = [sum(transition[r][s] * seen[t][s] * later[s] for s in states) for r in states]
        later = [each / max(later) for each in later]
    return {"log_likelihood": total, "smoothed": tuple(reversed(smoothed))}


@np.errstate(all="ignore")
def keeps_the_belief_on_a_silent_day(start, transition, emission, observations):
    """A night is only passed where there is an observation."""
    found, belief = [], np.array(start, float)
    for t, o in enumerate(observations):
        if o is not None:
            belief = (belief @ np.array(transition) if t else belief) * np.array(emission)[:, o]
            belief = belief / belief.sum()
        found.append(belief.tolist())
    whole = sweeps(start, transition, emission, observations)
    return {"smoothed": found, "log_likelihood": whole["log_likelihood"]}


def two_filters(start, transition, emission, observations):
    """The filter from the front times the filter from the back, in which each day counts twice."""
    there = sweeps(start, transition, emission, observations)
    back = sweeps(start, np.array(transition).T, emission, observations[::-1])
    product = np.array(there["smoothed"]) * np.array(back["smoothed"])[::-1]
    return {**there, "smoothed": (product / product.sum(axis=1, keepdims=True)).tolist()}


def fills_in_the_most_frequent(start, transition, emission, observations):
    seen = [o for o in observations if o is not None]
    most = max(set(seen), key=seen.count)
    return sweeps(start, transition, emission, [most if o is None else o for o in observations])


def rounds(*case):
    found = sweeps(*case)
    return {**found, "smoothed": [[round(p, 4) for p in row] for row in found["smoothed"]]}


def minus_the_likelihood(*case):
    found = sweeps(*case)
    return {**found, "log_likelihood": -found["log_likelihood"]}


def stops_at_any_zero(start, transition, emission, observations):
    """Raises as soon as one state has become impossible."""
    for o in observations:
        if o is not None and 0 in [row[o] for row in emission]:
            raise ValueError("impossible")
    return sweeps(start, transition, emission, observations)


# --- best_path ---


def viterbi(
    start,
    transition,
    emission,
    observations,
    known,
    allowed=lambda known, day, s: day not in known or known[day] == s,
    log=lambda p: math.log(p) if p > 0 else -math.inf,
    silent=lambda s: 0.0,
    guard=True,
    scored=lambda score, case, path: score,
):
    states, inf = range(len(start)), -math.inf

    def weigh(day, s):
        if not allowed(known, day, s):
            return inf
        return silent(s) if observations[day] is None else log(emission[s][observations[day]])

    score, pointers = [log(start[s]) + weigh(0, s) for s in states], []
    for day in range(1, len(observations)):
        best = [max(states, key=lambda r: score[r] + log(transition[r][s])) for s in states]
        score = [score[best[s]] + log(transition[best[s]][s]) + weigh(day, s) for s in states]
        pointers.append(best)
    if guard and max(score) == inf:
        raise ValueError("no path")
    path = [score.index(max(score))]
    for best in reversed(pointers):
        path.append(best[path[-1]])
    path.reverse()
    return path, scored(max(score), (start, transition, emission, observations), path)


def from_the_end(start, transition, emission, observations, known):
    """The best continuation of each state, last day first; then the path is read forwards."""
    with np.errstate(divide="ignore"):
        a, T, E = (np.log(np.array(table, float)) for table in (start, transition, emission))
    after, choices = np.zeros(len(a)), []

    def weigh(day):
        return np.array(
            [
                -np.inf if known.get(day, s) != s else 0.0 if observations[day] is None else E[s, observations[day]]
                for s in range(len(a))
            ]
        )

    for day in range(len(observations) - 1, 0, -1):
        routes = T + weigh(day) + after
        choices.append(routes.argmax(axis=1))
        after = routes.max(axis=1)
    total = a + weigh(0) + after
    if total.max() == -np.inf:
        raise ValueError("no path")
    path = [total.argmax()]
    for choice in reversed(choices):
        path.append(choice[path[-1]])
    return np.array(path), total.max()


def carries_paths(start, transition, emission, observations, known):
    """For each state the best route itself, no pointers."""
    best = {s: (start[s], [s]) for s in range(len(start)) if start[s] > 0}
    logs = {s: (math.log(p), path) for s, (p, path) in best.items()}
    for day, o in enumerate(observations):
        if day:
            new = {}
            for s in range(len(start)):
                ways = [
                    (score + math.log(transition[r][s]), path)
                    for r, (score, path) in logs.items()
                    if transition[r][s] > 0
                ]
                if ways:
                    score, path = max(ways, key=lambda way: way[0])
                    new[s] = (score, [*path, s])
            logs = new
        if day in known:
            logs = {s: each for s, each in logs.items() if s == known[day]}
        if o is not None:
            logs = {s: (v + math.log(emission[s][o]), p) for s, (v, p) in logs.items() if emission[s][o] > 0}
    if not logs:
        raise ValueError("no path")
    score, path = max(logs.values(), key=lambda each: each[0])
    return path, score


def masks_the_table(start, transition, emission, observations, known):
    """Writes −inf into the emission table itself, where later days find it."""
    with np.errstate(divide="ignore"):
        a, T, E = (np.log(np.array(table, float)) for table in (start, transition, emission))
    score, back = None, []
    for day, o in enumerate(observations):
        row = np.zeros(len(a)) if o is None else E[:, o]
        if day in known:
            row[[s for s in range(len(a)) if s != known[day]]] = -np.inf
        if day == 0:
            score = a + row
        else:
            routes = score[:, None] + T
            back.append(routes.argmax(axis=0))
            score = routes.max(axis=0) + row
    if score.max() == -np.inf:
        raise ValueError("no path")
    path = [int(score.argmax())]
    for pointers in reversed(back):
        path.append(int(pointers[path[-1]]))
    return path[::-1], float(score.max())


def normalises(start, transition, emission, observations, known):
    """Products, divided by their sum every day: the path is right and the score is that of the last day."""
    path, _ = viterbi(start, transition, emission, observations, known)
    T, E = np.array(transition), np.array(emission)
    score = np.array(start, float)
    for day, o in enumerate(observations):
        score = ((score[:, None] * T).max(axis=0) if day else score) * (1 if o is None else E[:, o])
        score = score / score.sum()
    return path, float(np.log(score.max()))


def drops_silent_days(start, transition, emission, observations, known):
    kept = [day for day, o in enumerate(observations) if o is not None]
    seen = [observations[day] for day in kept]
    return viterbi(start, transition, emission, seen, {kept.index(day): s for day, s in known.items() if day in kept})


def last_day_without_its_sign(score, case, path):
    last = case[3][-1]
    return score - (0 if last is None else math.log(case[2][path[-1]][last]))


def with_switches(function, **switches):
    return lambda *case: function(*case, **switches)


def small(p):
    return math.log(p + 1e-12)


# --- vowels ---


def found(student, function=sweeps):
    line = data.line(student)
    rows = np.array(function(line["start"], line["transition"], line["emission"], line["seen"])["smoothed"])
    holes = [place for place, each in enumerate(line["seen"]) if each is None]
    return rows, holes, np.array(line["emission"])


VOWELS = [1, 5, 9, 15, 21]


def every_letter_in_turn(student):
    rows, holes, emission = found(student, in_logarithms)
    return sum(rows[place][s] * emission[s][v] for place in holes for s in (0, 1) for v in VOWELS)


def only_one_state(student):
    rows, holes, emission = found(student)
    return float((rows[holes, 0] > 0.5).sum())


def state_a(student):
    rows, holes, _ = found(student)
    return float(rows[holes, 0].sum())


def at_the_time(student):
    line = data.line(student)
    T, E, belief, total = np.array(line["transition"]), np.array(line["emission"]), np.array(line["start"]), 0.0
    for t, o in enumerate(line["seen"]):
        belief = belief @ T if t else belief
        if o is None:
            total += float(belief @ E[:, VOWELS].sum(axis=1))
        else:
            belief = belief * E[:, o] / (belief * E[:, o]).sum()
    return total


def by_frequency(student):
    seen = data.line(student)["seen"]
    read = [each for each in seen if each is not None]
    return seen.count(None) * sum(each in VOWELS for each in read) / len(read)


def three_decimals(student):
    return round(every_letter_in_turn(student), 3)


ALMOST_RIGHT = {
    "forward_backward": {
        "right: in logarithms, arrays returned": in_logarithms,
        "right: plain lists, tuples returned, backward divided by its largest": plain_lists,
        "right: both sweeps normalised": sweeps,
        "right: a last message that is not 1": with_switches(sweeps, end=7.0),
        "no guard": with_switches(sweeps, guard=False),
        "a night before the first day": with_switches(sweeps, push_first=True),
        "backward with rows and columns swapped": with_switches(sweeps, turn_back=True),
        "the day's own sign counted in both sweeps": with_switches(sweeps, own_day=True),
        "backward unscaled": with_switches(sweeps, scale_back=False),
        "a tiny number added against zeros": with_switches(sweeps, clip=1e-12),
        "a silent day weighs 1/k": with_switches(sweeps, none=lambda k: np.ones(k) / k),
        "a silent day makes all impossible": with_switches(sweeps, none=lambda k: np.zeros(k)),
        "a silent day leaves the belief as it was": keeps_the_belief_on_a_silent_day,
        "a silent day gets the most frequent sign": fills_in_the_most_frequent,
        "two filters multiplied": two_filters,
        "rounded": rounds,
        "sign of the logarithm": minus_the_likelihood,
        "stops at any zero": stops_at_any_zero,
    },
    "best_path": {
        "right: plain lists": viterbi,
        "right: from the end, arrays returned": from_the_end,
        "right: carries the paths along": carries_paths,
        "the lesson's logarithm, which stops at 0": with_switches(viterbi, log=math.log),
        "no guard": with_switches(viterbi, guard=False),
        "a tiny number added against zeros": with_switches(viterbi, log=small),
        "a large negative number for the logarithm of 0": with_switches(
            viterbi, log=lambda p: math.log(p) if p > 0 else -1e9
        ),
        "known ignored": with_switches(viterbi, allowed=lambda known, day, s: True),
        "known ignored on the first day": with_switches(
            viterbi, allowed=lambda known, day, s: day == 0 or known.get(day, s) == s
        ),
        "days counted from 1": with_switches(viterbi, allowed=lambda known, day, s: known.get(day + 1, s) == s),
        "state 0 taken for nothing known": with_switches(
            viterbi, allowed=lambda known, day, s: not known.get(day) or known[day] == s
        ),
        "known says what it was not": with_switches(
            viterbi, allowed=lambda known, day, s: day not in known or known[day] != s
        ),
        "known only where nothing was seen": lambda a, t, e, o, known: viterbi(
            a, t, e, o, {day: s for day, s in known.items() if o[day] is None}
        ),
        "silent days dropped": drops_silent_days,
        "the table masked in place": masks_the_table,
        "normalised every day": normalises,
        "rows and columns swapped": lambda a, t, e, o, known: viterbi(a, np.array(t).T, e, o, known),
        "a probability for its logarithm": with_switches(viterbi, scored=lambda score, *rest: math.exp(score)),
        "the last sign left out of the score": with_switches(viterbi, scored=last_day_without_its_sign),
    },
    "vowels": {
        "right: letter by letter, by another way": every_letter_in_turn,
        "right: three decimals": three_decimals,
        "state A counted as a vowel": state_a,
        "places that are more probably in A": only_one_state,
        "filtered": at_the_time,
        "by frequency": by_frequency,
    },
}
