"""Exercise 16: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

import math

import data
import numpy as np

CLOSE = 1e-9  # distances that differ by less are tied


# --- bagging ---


def _winner(votes, place=0):
    """The class with the most votes; among tied ones the first in alphabetical order, or with place=-1 the last."""
    tied = [each for each in sorted(set(votes)) if votes.count(each) == max(map(votes.count, votes))]
    return tied[place] if votes else None


def _out_of_bag(place=0, right=False, heard=lambda row, bag: row not in bag, silent=False, singly=False, every=False):
    """The out-of-bag vote and its error, with one of its parts exchanged where a keyword says so."""

    def judged(y, bags, answers):
        votes = [[says[row] for bag, says in zip(bags, answers) if heard(row, bag)] for row in range(len(y))]
        if not any(votes):
            raise ValueError("every bag contains every row, so nobody is left to judge")
        winners = [_winner(each, place) for each in votes]
        asked = [(each, label) for each, label in zip(winners, y) if each is not None or silent]
        if singly:
            asked = [(each, label) for heard, label in zip(votes, y) for each in heard]
        share = sum((each == label) == right for each, label in asked) / len(y if every else asked)
        return {"votes": winners, "accuracy" if right else "error": share}

    return judged


def _bagged(place, right):
    """What a variant asks: which of tied classes wins, and the share of wrong or of right answers."""
    name = "accuracy" if right else "error"

    def complement(*case):
        end = _out_of_bag(place, right)(*case)
        return {**end, name: 1 - end[name]}

    return {
        "solve": _out_of_bag(place, right),
        "keys": ["votes", name],
        "hints": {
            "votes": "A learner is asked about a row if the row is not in its bag. The class with the most votes wins; mind the rule for ties, and None where nobody is left to ask.",
            name: "Compare the votes with `y` in those rows only that have an answer, and divide by their number.",
        },
        "mistakes": {
            "in-bag-votes": _out_of_bag(place, right, lambda row, bag: True),
            "in-bag-votes: These are exactly the learners that have seen the row.": _out_of_bag(
                place, right, lambda row, bag: row in bag
            ),
            "silent-wrong": _out_of_bag(place, right, silent=True),
            **({} if right else {"The share is taken among the rows that have an answer.": _out_of_bag(every=True)}),
            "copies-vote: The share is one of rows, after the vote, and not one of single answers.": _out_of_bag(
                place, right, singly=True
            ),
            "The task says how ties are broken, by the alphabet.": _out_of_bag(-1 - place, right),
            f"Here the share of {'right' if right else 'wrong'} answers is asked for.": complement,
        },
        "near": {"ties to the class that was named first": _first_named(place, right)},
    }


def _first_named(place, right):
    def judged(y, bags, answers):
        end = _out_of_bag(place, right)(y, bags, answers)
        heard = [[says[row] for bag, says in zip(bags, answers) if row not in bag] for row in range(len(y))]
        return {**end, "votes": [max(dict.fromkeys(each), key=each.count) if each else None for each in heard]}

    return judged


def draw_bags(random, silent=False, tied=False):
    """Bags that leave every row out at least once, or with silent=True one row never."""
    while True:
        n, t = int(random.integers(5, 10)), int(random.integers(4, 9))
        names = [str(each) for each in random.permutation(["ash", "elm", "fir", "oak"])[: int(random.integers(2, 5))]]
        y = [str(random.choice(names)) for _ in range(n)]
        bags = random.integers(0, n, (t, n)).tolist()
        if silent:
            bags = [[n - 2, *bag[1:]] for bag in bags]
        answers = [
            [y[row] if row in bag or random.random() < 0.5 else str(random.choice(names)) for row in range(n)]
            for bag in bags
        ]
        first, last = (_out_of_bag(place)(y, bags, answers) for place in (0, -1))
        if 0 < first["error"] < 1 and silent == (None in first["votes"]) and tied == (first != last):
            return y, bags, answers


def draw_silent(random):
    """A row that lies in every bag; at times all of them do."""
    y, bags, answers = draw_bags(random, silent=True)
    if random.random() < 0.3:
        bags = [[int(row) for row in random.permutation(len(y))] for _ in bags]
    return y, bags, answers


# --- boosting ---


def _half_log_odds(error):
    return 0.5 * math.log((1 - error) / error)


def _boosting(
    place=0,
    alpha=_half_log_odds,
    voted=lambda alpha: alpha,
    right=-1,
    normal=True,
    heads=False,
    side=abs,
    close=CLOSE,
    end=CLOSE,
    again=True,
):
    """Boosting of a committee, with one of its parts exchanged where a keyword says so."""

    def boost(answers, y, rounds):
        answers, y = np.array(answers), np.array(y)
        weights, votes = np.full(len(y), 1 / len(y)), np.zeros(len(y))
        judges, alphas = [], []
        for _ in range(rounds):
            seen = np.full(len(y), 1 / len(y)) if heads else weights
            far = np.array([side(float(seen[says != y].sum()) - 0.5) for says in answers])
            if not again:
                far[judges] = 0
            if far.max() < end:
                break
            if far.max() > 0.5 - CLOSE:
                raise ValueError("a judge is right, or wrong, about every row, so α would be infinite")
            best = int(np.flatnonzero(far >= far.max() - close)[place])
            wrong = answers[best] != y
            power = alpha(float(weights[wrong].sum()))
            judges.append(best)
            alphas.append(voted(power))
            votes = votes + voted(power) * answers[best]
            weights = weights * np.exp(np.where(wrong, power, right * power))
            weights = weights / weights.sum() if normal else weights
        return {"judges": judges, "alphas": alphas, "weights": weights.tolist(), "votes": votes.tolist()}

    return boost


def _afterwards(place, **change):
    """The right boosting, with one entry of the result made anew from the end and the answers."""

    def boost(answers, y, rounds):
        end = _boosting(place)(answers, y, rounds)
        return end | {key: make(end, np.array(answers)[end["judges"]]) for key, make in change.items()}

    return boost


def _boosted(place):
    """What a variant asks: the first or the last of tied judges."""
    return {
        "solve": _boosting(place),
        "mistakes": {
            "discard-reversed": _boosting(place, side=lambda distance: -distance),
            "lost-sign": _boosting(place, alpha=lambda error: abs(_half_log_odds(error))),
            "lost-sign: With an error above ½ the vote α is negative, and keeps its sign.": _boosting(place, voted=abs),
            "half-missing": _boosting(place, alpha=lambda error: 2 * _half_log_odds(error)),
            "alpha-sign": _boosting(place, alpha=lambda error: -_half_log_odds(error)),
            "The vote α is defined with the natural logarithm.": _boosting(
                place, alpha=lambda error: _half_log_odds(error) / math.log(10)
            ),
            "only-wrong": _boosting(place, right=0),
            "unnormalised-weights": _boosting(place, normal=False),
            "unweighted-stump: The error of a judge is the total weight of the rows it gets wrong, not their share.": _boosting(
                place, heads=True
            ),
            "hard-votes: `votes` are the weighted sums, not their signs.": _afterwards(
                place, votes=lambda end, said: np.sign(end["votes"]).tolist()
            ),
            "In boosting each vote has the weight α; with equal votes it would be bagging.": _afterwards(
                place, votes=lambda end, said: said.sum(axis=0).tolist() if len(said) else end["votes"]
            ),
            "Each vote has the weight α, and not only its sign.": _afterwards(
                place, votes=lambda end, said: (np.sign(end["alphas"]) @ said).tolist() if len(said) else end["votes"]
            ),
            "Judges are counted from 0, by their places in the list.": _afterwards(
                place, judges=lambda end, said: [judge + 1 for judge in end["judges"]]
            ),
            "A judge that was chosen before may be chosen again.": _boosting(place, again=False),
            "Where every error is ½ a round changes nothing, and boosting stops before it.": _boosting(place, end=-1),
            "The task says how ties are broken, by the order of the list.": _boosting(-1 - place),
        },
        "near": {"no tolerance": _boosting(place, close=0, end=0)},
    }


def _distances(answers, y, rounds, place):
    """For each round how far from ½ the errors of all judges are; the last row is the one after the last round."""
    made = []
    for done in range(rounds + 1):
        weights = np.array(_boosting(place)(answers, y, done)["weights"])
        made.append([abs(weights[np.array(says) != np.array(y)].sum() - 0.5) for says in answers])
    return np.sort(np.array(made))


def draw_committee(random, sizes=(6, 7, 8, 9, 10, 11, 12), tied=False):
    """A committee with a clear first in each round; with tied=True several are exactly tied in the first round."""
    while True:
        n, rounds = int(random.choice(sizes)), int(random.integers(3, 7))
        y = random.choice([-1, 1], n)
        often = random.choice([0.3, 0.4, 0.65, 0.75], (int(random.integers(4, 8)), 1))  # each judge is right so often
        kept = random.random((len(often), n)) < often
        case = np.where(kept, y, -y).tolist(), y.tolist(), rounds
        if _settled(case, tied):
            return case


def _settled(case, tied):
    """Whether no judge is perfect, and rounding decides in no round; `tied`: exactly in the first round, for both rules."""
    for place in (0, -1):
        try:
            far = _distances(*case, place)[:-1]
        except ValueError:
            return False
        gaps = far[:, -1] - far[:, -2]
        if far[:, -1].min() < 1e-6 or gaps[tied:].min() < 1e-6 or tied != (gaps[0] < CLOSE):
            return False
    return True


def draw_tied(random):
    """A number of rows with weights that a computer adds without rounding, so that tied judges are exactly so."""
    return draw_committee(random, (8, 16), tied=True)


def draw_end(random):
    """A perfect judge or one that is always wrong, a committee that is no better than a coin, a single judge, or an ordinary one."""
    kind = random.integers(5)
    if kind == 4:
        return draw_committee(random)
    n, rounds = int(random.integers(5, 13)), int(random.integers(2, 6))
    if kind == 2:
        n = int(random.choice([4, 8, 16]))
    y = random.choice([-1, 1], n)
    answers = np.where(random.random((int(random.integers(3, 6)), n)) < 0.6, y, -y)
    if kind == 2:  # each right about half of the rows
        answers = [y * random.permutation([1, -1] * (n // 2)) for _ in answers]
    elif kind == 3:
        wrong = int(random.integers(1, (n + 1) // 2))
        answers = [random.choice([1, -1]) * y * random.permutation([-1] * wrong + [1] * (n - wrong))]
    else:
        answers[random.integers(len(answers))] = y if kind == 0 else -y
    return np.array(answers).tolist(), y.tolist(), rounds


# --- biopsies ---


def _counts(student, part="held out", boost=_boosting(), weigh=lambda alphas: alphas):
    """How many malignant biopsies the vote misses, how many benign ones it calls malignant, and how many there are."""
    biopsies = data.biopsies(student)
    end = boost(biopsies["train"]["answers"], biopsies["train"]["y"], biopsies["rounds"])
    vote = weigh(np.array(end["alphas"])) @ np.array(biopsies[part]["answers"])[end["judges"]]
    truth = np.array(biopsies[part]["y"])
    return int(((vote <= 0) & (truth > 0)).sum()), int(((vote > 0) & (truth < 0)).sum()), len(truth)


def _cost(student, missed=10, alarm=1, **changed):
    misses, alarms, number = _counts(student, **changed)
    return (missed * misses + alarm * alarms) / number


# --- the public cases ---

TREES = ["oak", "elm", "oak", "elm"]
BAGS = [[0, 0, 1, 3], [1, 3, 3, 1], [0, 1, 1, 2], [3, 3, 0, 0]]
SAID = [["oak", "elm", "elm", "elm"], ["elm"] * 4, ["oak", "elm", "oak", "elm"], ["oak", "elm", "oak", "elm"]]
NINE = ["b", "a", "c", "a", "b", "c"]
MANY = [[0, 1, 1], [2, 3, 2], [4, 5, 0], [1, 1, 3], [5, 2, 4]]
NAMED = [list(row) for row in ("bacabc", "cabbac", "bbcacb", "acbabb", "bacabc")]

SIX = [1, 1, 1, -1, -1, -1]
COMMITTEE = [[1, 1, -1, -1, -1, 1], [-1, -1, 1, -1, 1, 1], [1, -1, 1, 1, -1, -1], [-1, -1, -1, 1, 1, -1]]
TEN = [1, -1, 1, -1, 1, -1, 1, -1, 1, -1]


def _wrong_at(y, *sets):
    """Judges that are wrong about the rows in each set."""
    return [[-label if row in rows else label for row, label in enumerate(y)] for rows in sets]


TASKS = {
    "out_of_bag": {
        "kind": "function",
        "points": 2,
        "arguments": "y, bags, answers",
        **_bagged(0, False),
        "cases": [
            (TREES, BAGS, SAID),
            (NINE, MANY, NAMED),
            (TREES, [[0, 1, 1, 0], [2, 1, 1, 0], [0, 3, 3, 1]], SAID[:3]),
            (["b", "a", "c"], [[0], [0, 0, 1], [2, 2], [2]], [list("bcb"), list("bca"), list("cac"), list("aac")]),
            (TREES[:2], [[0, 1], [1, 0]], [["oak", "elm"], ["oak", "elm"]]),
        ],
        "checks": [
            {"says": "a few bags", "points": 0.5, "draw": draw_bags, "times": 5},
            {
                "says": "classes with equally many votes",
                "points": 0.5,
                "draw": lambda random: draw_bags(random, tied=True),
                "times": 5,
            },
            {"says": "rows that lie in every bag", "points": 1, "draw": draw_silent, "times": 10},
        ],
        "read": "What is in a bag?",
        "hint": "For each row collect the answers of those learners whose bag does not contain the row. None where there are none, and such rows take no part in the share.",
        "right": "A test set for nothing: each row was judged by those who had not seen it.",
        "variants": [{}, _bagged(-1, True)],
    },
    "adaboost": {
        "kind": "function",
        "points": 4,
        "arguments": "answers, y, rounds",
        "keys": ["judges", "alphas", "weights", "votes"],
        "hints": {
            "judges": "A judge is chosen by how far its weighted error lies from ½, on either side, with the weights of the present round. Mind the rule for ties, and count the judges from 0.",
            "alphas": "α is half of ln((1 − ε)/ε), where ε is the total weight of the rows that the chosen judge gets wrong in its own round. It may be negative.",
            "weights": "After each round multiply by e to the α where the judge is wrong and by e to the −α where it is right, and divide by the sum. The rows that it got wrong must then weigh one half.",
            "votes": "For each row add up α times what the judge of the round says about it, +1 or −1; the sum is asked for, not its sign.",
        },
        **_boosted(0),
        "cases": [
            (COMMITTEE, SIX, 3),
            ([[1, 1, 1, -1, -1], [-1, 1, 1, -1, -1]], [1, 1, -1, -1, 1], 1),
            (_wrong_at(TEN, {0, 1, 2, 3}, {0, 1, 2, 3, 4, 6, 8}, {4, 5, 6}, {1, 2, 5, 9}), TEN, 1),
            (_wrong_at(TEN, {0, 1, 2}, {2, 3}, {4, 5, 6, 7, 8, 9, 0}, {1, 4, 8}), TEN, 8),
            (_wrong_at(TEN[:8], {0, 1, 2}, {0, 1}, {1, 2, 3, 4, 5, 6}, {2, 7}), TEN[:8], 2),
            (_wrong_at(TEN[:5], {1}), TEN[:5], 3),
            (_wrong_at(TEN[:7], {0, 2, 3, 5}), TEN[:7], 2),
            ([[1, 1, -1, -1], [1, -1, 1, -1]], [1, -1, -1, 1], 2),
            (_wrong_at(TEN[:6], {1}, set()), TEN[:6], 2),
            (_wrong_at(TEN[:6], set(range(6)), {3}), TEN[:6], 2),
        ],
        "checks": [
            {"says": "a few rounds", "points": 2, "draw": draw_committee, "times": 5},
            {"says": "judges that are tied", "points": 1, "draw": draw_tied, "times": 4},
            {"says": "where boosting ends early, or does not", "points": 1, "draw": draw_end, "times": 15},
        ],
        "almost_right": {
            "an end only where the error is exactly one half": _boosting(end=1e-300),
            "always wrong is no problem": lambda answers, y, rounds: (
                None if [-label for label in y] in answers else _boosting()(answers, y, rounds)
            ),
        },
        "read": "Boosting: what should the next learner look at?",
        "hint": "In each round add up, for each judge, the weights of the rows that it gets wrong, and take the first judge whose distance from ½ is within 1e-9 of the greatest. After the round the rows that it got wrong must weigh one half.",
        "right": "Each round worked on what the last one got wrong, and a judge who is usually wrong was of use as well.",
        "variants": [
            {},
            _boosted(-1)
            | {
                "hint": "In each round add up, for each judge, the weights of the rows that it gets wrong, and take the last judge whose distance from ½ is within 1e-9 of the greatest. After the round the rows that it got wrong must weigh one half.",
            },
        ],
    },
    "cost": {
        "kind": "number",
        "builds_on": "adaboost",
        "points": 1,
        "solve": _cost,
        "varies": True,
        "low": 0,
        "high": 10,
        "mistakes": {
            "equal-costs: This is the share of wrong answers.": lambda student: _cost(student, missed=1),
            "swapped-costs: A malignant biopsy that is missed costs 10, a false alarm 1.": lambda student: _cost(
                student, missed=1, alarm=10
            ),
            "training-is-all: This is the mean cost on the biopsies used for training.": lambda student: _cost(
                student, part="train"
            ),
            "In boosting each vote has the weight α; equal votes are bagging.": lambda student: _cost(
                student, weigh=np.sign
            ),
            "lost-sign": lambda student: _cost(student, weigh=np.abs),
            "discard-reversed": lambda student: _cost(student, boost=_boosting(side=lambda distance: -distance)),
            "A mean over all held-out biopsies is asked for, not the sum of the costs.": lambda student: (
                _cost(student) * data.HELD_OUT
            ),
        },
        "read": "Biopsies: who can bear wrong labels?",
        "hint": "For each held-out biopsy add up α times the answer, over the chosen judges. Then count the two kinds of errors apart.",
        "right": "The vote was learned on some biopsies and judged on others, by what its errors cost.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "With clean labels bagging starts ahead of boosting and ends behind it; with flipped labels it starts behind and ends ahead.",
            "B": "Boosting improves with every further round, with flipped labels only more slowly, so 100 rounds are the best choice in both cases.",
            "C": "With flipped labels one stump errs less often than one tree, and so the vote of stumps errs less often than the vote of trees, for every number of voters.",
            "D": "With 38 of 379 labels flipped, every vote errs on at least 10% of the held-out biopsies, because no more than 90% of what it learned from was true.",
        },
        "solve": "A",
        "mistakes": {"B": "never-overfits", "C": "best-voter", "D": "noise-floor"},
        "read": "Biopsies: who can bear wrong labels?",
        "hint": "Compare the two thin curves at 1 and at 100 voters, and then the two thick ones.",
        "right": "Trees vary and gain most from a vote; boosted stumps also learn the flipped labels.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: a large weight marks a record that is hard to fit. A wrong label is one reason; accept as another: a true record at the border, an unusual patient, a true record beside a wrong label. So check the label (at the source, by an expert, with those around it) before deleting; half a point without what to do.",
            "1 point: a share of votes is not a posterior. Accept any one reason: α is half the log odds of a weighted error of one round; the α do not sum to 1; the vote is made to lower the training error; such shares are too extreme or not calibrated. The probability has to be counted on records not used for training (calibration); half a point without what to do.",
        ],
    },
}
