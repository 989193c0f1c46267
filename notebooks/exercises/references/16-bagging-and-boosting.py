"""Exercise 16: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math

import data
import numpy as np

CLOSE = 1e-9  # weighted errors that differ by less are equal


def _stumps(X):
    """What every stump says of every row: attribute by attribute, threshold by threshold, + above before + below."""
    for column in np.array(X, float).T:
        values = np.unique(column)
        for threshold in (values[1:] + values[:-1]) / 2:
            for sign in (1, -1):
                yield np.where(column > threshold, sign, -sign)


def _half_log_odds(error):
    return 0.5 * math.log((1 - error) / error)


def _boost(X, y, rounds, alpha=_half_log_odds, right=-1, normal=True, heads=False, both=True, tie=0):
    """Boosting, with one of its parts exchanged where a keyword says so."""
    stumps, y = list(_stumps(X))[:: 1 if both else 2], np.array(y)
    weights, votes = np.full(len(y), 1 / len(y)), np.zeros(len(y))
    errors, alphas = [], []
    for _ in range(rounds):
        judge = np.full(len(y), 1 / len(y)) if heads else weights
        costs = np.array([judge[says != y].sum() for says in stumps])
        says = stumps[np.flatnonzero(costs <= costs.min() + CLOSE)[tie]]
        wrong = says != y
        error = float(weights[wrong].sum())
        if error < CLOSE:
            raise ValueError("a stump makes no error at all, so its α would be infinite")
        if error > 0.5 - CLOSE:
            break
        power = alpha(error)
        errors.append(error)
        alphas.append(power)
        votes = votes + power * says
        weights = weights * np.exp(np.where(wrong, power, right * power))
        weights = weights / weights.sum() if normal else weights
    return {"errors": errors, "alphas": alphas, "weights": weights.tolist(), "votes": votes.tolist()}


def adaboost(X, y, rounds):
    return _boost(X, y, rounds)


def _settled(X, y, rounds):
    """Whether in no round a stump is so nearly the best that rounding could decide."""
    stumps = list(_stumps(X))
    for done in range(rounds):
        weights = np.array(adaboost(X, y, done)["weights"])
        costs = np.array([weights[says != y].sum() for says in stumps]) if stumps else np.ones(1)
        gaps = costs - costs.min()
        if np.any((gaps > 1e-12) & (gaps < 1e-6)) or CLOSE / 1e3 < abs(costs.min() - 0.5) < 1e-6:
            return False
    return True


def draw_points(random, rounds=(2, 6)):
    while True:
        n, columns = int(random.integers(6, 11)), int(random.integers(1, 4))
        X = [[int(each) for each in row] for row in random.integers(0, 9, (n, columns))]
        y = [int(each) for each in random.choice([-1, 1], n)]
        case = X, y, int(random.integers(*rounds))
        if not _splits(X) or _perfect(X, y) or not _settled(*case):
            continue
        if len(adaboost(*case)["errors"]) == case[2]:
            return case


def _splits(X):
    return any(len(set(column)) > 1 for column in zip(*X))


def _perfect(X, y):
    return any((says == y).all() for says in _stumps(X))


def draw_tied(random):
    """Several stumps that are equally good in the first round, so that the rule decides what comes later."""
    while True:
        case = draw_points(random)
        if not _alike(_boost(*case, tie=-1), adaboost(*case)):
            return case


def _alike(one, other):
    return all(len(one[key]) == len(other[key]) and np.allclose(one[key], other[key]) for key in one)


def draw_end(random):
    """A stump without error, or points of which no stump is better than chance, or points like the others."""
    kind = random.integers(4)
    if kind == 0:
        return draw_points(random)
    a, b = (int(each) for each in random.integers(1, 9, 2))
    if kind == 1:
        X = [[a, b], [a + 1, b], [a + 2, b + 3], [a + 4, b - 1], [a + 6, b]]
        return X, [-1, -1, 1, 1, 1] if random.random() < 0.5 else [1, 1, 1, 1, -1], int(random.integers(2, 5))
    X = [[0, 0], [a, b], [0, b], [a, 0]] * int(random.integers(1, 3))  # exclusive or
    return X, [1, 1, -1, -1] * (len(X) // 4), int(random.integers(1, 5))


def _winner(votes):
    return max(sorted(set(votes)), key=votes.count) if votes else None


def _bagged(y, bags, answers, heard=lambda row, bag: row not in bag, silent=False):
    votes = [_winner([says[row] for bag, says in zip(bags, answers) if heard(row, bag)]) for row in range(len(y))]
    asked = [(vote, label) for vote, label in zip(votes, y) if vote is not None or silent]
    if all(vote is None for vote in votes):
        raise ValueError("every row lies in every bag, so nobody is left to judge")
    return votes, sum(vote != label for vote, label in asked) / len(asked)


def out_of_bag(y, bags, answers):
    return _bagged(y, bags, answers)


def draw_bags(random, silent=False):
    """Bags that leave every row out at least once, or with silent=True one row never."""
    while True:
        n, t = int(random.integers(5, 9)), int(random.integers(4, 8))
        names = ["ash", "elm", "oak"][: int(random.integers(2, 4))]
        y = [str(random.choice(names)) for _ in range(n)]
        bags = random.integers(0, n, (t, n)).tolist()
        if silent:
            bags = [[n - 2, *bag[1:]] for bag in bags]
        answers = [
            [y[row] if row in bag or random.random() < 0.5 else str(random.choice(names)) for row in range(n)]
            for bag in bags
        ]
        votes, error = out_of_bag(y, bags, answers)
        if 0 < error < 1 and silent == (None in votes):
            return y, bags, answers


def draw_silent(random):
    """A row that lies in every bag; at times all of them do."""
    y, bags, answers = draw_bags(random, silent=True)
    if random.random() < 0.3:
        bags = [[int(row) for row in random.permutation(len(y))] for _ in bags]
    return y, bags, answers


def _majority(p, voters):
    return sum(math.comb(voters, k) * p**k * (1 - p) ** (voters - k) for k in range(voters // 2 + 1, voters + 1))


def _in_bag(student):
    plan = data.bags(student)
    return 1 - (1 - 1 / plan["rows"]) ** plan["drawn"]


TEN = [[1, 5], [2, 2], [5, 9], [6, 8], [8, 7], [4, 3], [5, 6], [7, 4], [9, 8.5], [9.5, 2]]
SIX = [[1], [2], [3], [4], [5], [6]]
TREES = ["oak", "elm", "oak", "elm"]
BAGS = [[0, 0, 1, 3], [1, 3, 3, 1], [0, 1, 1, 2], [3, 3, 0, 0]]
SAID = [["oak", "elm", "elm", "elm"], ["elm"] * 4, ["oak", "elm", "oak", "elm"], ["oak", "elm", "oak", "elm"]]

TASKS = {
    "adaboost": {
        "kind": "function",
        "points": 4,
        "arguments": "X, y, rounds",
        "solve": adaboost,
        "keys": ["errors", "alphas", "weights", "votes"],
        "cases": [
            (TEN, [1] * 5 + [-1] * 5, 3),
            (SIX, [1, -1, -1, 1, 1, -1], 3),
            ([[2, 1], [4, 1], [2, 3], [4, 3]], [1, -1, -1, 1], 2),
            (SIX, [-1, -1, 1, 1, 1, 1], 2),
        ],
        "checks": [
            {"says": "a few rounds", "points": 2, "draw": draw_points, "times": 5},
            {"says": "stumps that are equally good", "points": 1, "draw": draw_tied, "times": 4},
            {"says": "where boosting ends early, or does not", "points": 1, "draw": draw_end, "times": 12},
        ],
        "mistakes": {
            "half-missing": lambda X, y, rounds: _boost(X, y, rounds, alpha=lambda error: 2 * _half_log_odds(error)),
            "The vote α is defined with the natural logarithm.": lambda X, y, rounds: _boost(
                X, y, rounds, alpha=lambda error: _half_log_odds(error) / math.log(10)
            ),
            "only-wrong": lambda X, y, rounds: _boost(X, y, rounds, right=0),
            "unnormalised-weights": lambda X, y, rounds: _boost(X, y, rounds, normal=False),
            "unweighted-stump": lambda X, y, rounds: _boost(X, y, rounds, heads=True),
            "one-direction": lambda X, y, rounds: _boost(X, y, rounds, both=False),
            "The task says how ties are broken: the first of equal candidates is taken.": lambda X, y, rounds: _boost(
                X, y, rounds, tie=-1
            ),
        },
        "hint": "List all stumps first, in the order of the rule; in each round add up the weights of each one's wrong points, and take the first that is within 1e-9 of the least. After the round its wrong points must weigh one half.",
        "right": "Each round worked on what the last one got wrong.",
    },
    "out_of_bag": {
        "kind": "function",
        "points": 2,
        "arguments": "y, bags, answers",
        "solve": out_of_bag,
        "cases": [
            (TREES, BAGS, SAID),
            (TREES, [[0, 1, 1, 0], [2, 1, 1, 0], [0, 3, 3, 1]], SAID[:3]),
            (TREES[:2], [[0, 1], [1, 0]], [["oak", "elm"], ["oak", "elm"]]),
        ],
        "checks": [
            {"says": "a few bags", "points": 1, "draw": draw_bags, "times": 5},
            {"says": "rows that lie in every bag", "points": 1, "draw": draw_silent, "times": 10},
        ],
        "mistakes": {
            "in-bag-votes": lambda y, bags, answers: _bagged(y, bags, answers, lambda row, bag: True),
            "in-bag-votes: These are exactly the learners that have seen the row.": lambda y, bags, answers: _bagged(
                y, bags, answers, lambda row, bag: row in bag
            ),
            "silent-wrong": lambda y, bags, answers: _bagged(y, bags, answers, silent=True),
        },
        "hint": "For each row collect the answers of those learners whose bag does not hold the row. None where there are none, and such rows take no part in the error.",
        "right": "A test set for nothing: each row was judged by those who had not seen it.",
    },
    "heard": {
        "kind": "number",
        "points": 1,
        "solve": lambda student: _majority(_in_bag(student), data.bags(student)["bags"]),
        "varies": True,
        "probability": True,
        "mistakes": {
            "copies-vote": _in_bag,
            "all-in-bag: A row is missed with probability (1 − 1/n)^m.": lambda student: _majority(
                data.bags(student)["drawn"] / data.bags(student)["rows"], data.bags(student)["bags"]
            ),
            "other-answer": lambda student: 1 - _majority(_in_bag(student), data.bags(student)["bags"]),
        },
        "hint": "First the chance that one bag holds the row. Then the chance that this happens in more than half of the bags, as for independent voters.",
        "right": "With large bags the same neighbour wins nearly every vote; with small ones others get their turn.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": "ABCD",
        "solve": "A",
        "mistakes": {"B": "never-overfits", "C": "training-is-all", "D": "votes-are-posteriors"},
        "hint": "Compare the two lower curves at round 20 and at round 300. Which of them is about new points?",
        "right": "Where labels lie, it pays to stop.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: weight marks a dispute: a wrong label, but also honest points beside it or at the border, are hard to fit; look at the label and at the neighbours' instead of deleting.",
            "1 point: α and vote shares are no posteriors: α is half a log odds of a weighted error in one round, the sums are made to lower the training error; a probability would have to be checked on new data.",
        ],
    },
}
