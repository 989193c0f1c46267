"""The live figures of section 16, bagging and boosting."""

from functools import cache

import numpy as np

from bayeslib import GaussianNaiveBayes, ensembles
from bayeslib.ensembles import AdaBoost, Bagging, DecisionStump, DecisionTree, NearestNeighbour
from bayeslib.live.figure import LiveFigure, Player, choice, menu, slider, stops
from bayeslib.plots import ensembles as plots
from bayeslib.plots import theme

LEARNERS = {
    "full tree": DecisionTree(),
    "nearest neighbour": NearestNeighbour(),
    "naive Bayes": GaussianNaiveBayes(),
    "stump": DecisionStump(),
}
BAGS, SIZES = [1, 3, 5, 11, 21, 51, 101], [10, 20, 30, 50, 70, 100]
CELLS = 40  # to a side of every square
SQUARE = plots.cell_centres(np.linspace(-1, 1, CELLS + 1))
TENTHS = plots.cell_centres(np.linspace(0, 10, CELLS + 1))


# Bagging


def bootstrap_bag():
    """One bag, row by row, and the share of the rows that a bag can be expected to hold."""
    figure = theme.figure((0.01, 0.02, 0.5, 0.96), (0.6, 0.19, 0.39, 0.68))
    picture = plots.Bag(*figure.axes)
    numbers = list(range(1, picture.MOST + 1))

    def show(n, size, bag):
        draws = max(round(n * size / 100), 1)
        counts = np.bincount(np.random.default_rng([n, bag]).integers(n, size=draws), minlength=n)
        expected = [ensembles.bootstrap_share(k, max(round(k * size / 100), 1)) for k in numbers]
        seen, limit = int((counts > 0).sum()), 1 - np.exp(-size / 100)
        picture.show(counts, numbers, expected, limit, seen / n)
        return (
            f"Bag {bag}: {_count(draws, 'draw')} from {n} rows hold {_count(seen, 'different row')}, "
            f"a share of {seen / n:.3f}. Expected: 1 − (1 − 1/{n})^{draws} = {expected[n - 1]:.3f}; "
            f"for ever more rows {limit:.3f}."
        )

    return LiveFigure(
        figure,
        picture,
        {
            "n": slider("rows in the data, n", 2, picture.MOST, 10),
            "size": slider("draws, % of n", 10, 200, 100, step=10),
            "bag": slider("bag number", 1, 30, 1),
        },
        show,
        presets={
            "10 of 10": {"n": 10, "size": 100},
            "60 of 60": {"n": 60, "size": 100},
            "a small bag": {"n": 60, "size": 30},
            "twice as many": {"n": 60, "size": 200},
        },
        keys={
            "ArrowLeft": lambda values: {"bag": values["bag"] - 1},
            "ArrowRight": lambda values: {"bag": values["bag"] + 1},
        },
        help="Left and right arrows draw another bag.",
    )


@cache
def _noisy_disc():
    return ensembles.disc(150, 0.15, random_state=0)


@cache
def _alone(learner):
    X, y, _ = _noisy_disc()
    return LEARNERS[learner].fit(X, y).predict(SQUARE) > 0


@cache
def _bagged(learner, size):
    """What each of 101 bags says of each cell, and of each of the points."""
    X, y, _ = _noisy_disc()
    model = Bagging(LEARNERS[learner], BAGS[-1], size=round(len(y) * size / 100), random_state=0).fit(X, y)
    said = model.answers(np.vstack([SQUARE, X])).astype(bool)
    return said[:, : len(SQUARE)], said[:, len(SQUARE) :]


def bagging_votes():
    """The same learner on many bags: what one bag says, and how the bags vote."""
    figure = theme.figure((0.02, 0.03, 0.45, 0.85), (0.52, 0.03, 0.45, 0.85), height=4.3)
    picture = plots.Panels(figure.axes, CELLS, circle=True)
    truth = ensembles.in_disc(SQUARE) > 0

    def show(learner, size, bags):
        X, y, _ = _noisy_disc()
        cells, points = _bagged(learner, size)
        alone, share = _alone(learner), cells[:bags].mean(axis=0)
        vote, last = share > 0.5, cells[bags - 1]
        picture.planes[0].show(X, y, last, 40, wrong=points[bags - 1] != (y > 0))
        picture.planes[1].show(X, y, share, 40, wrong=(points[:bags].mean(axis=0) > 0.5) != (y > 0))
        errors = [(each != truth).mean() for each in (last, vote, alone)]
        picture.head(f"bag {bags} alone: error {errors[0]:.3f}", f"vote of {bags}: error {errors[1]:.3f}")
        moved = (vote != alone).mean()
        apart = "the very same answers" if moved == 0 else f"{100 * moved:.1f}% of the answers differ"
        return (
            f"{learner[0].upper()}{learner[1:]}, {_count(bags, 'bag')} of {round(1.5 * size)} rows. "
            f"Error on the true disc: bag {bags} alone {errors[0]:.3f}, the vote {errors[1]:.3f}; "
            f"one learner on all the data {errors[2]:.3f}, and against it {apart}."
        )

    return LiveFigure(
        figure,
        picture,
        {
            "learner": menu("learner", list(LEARNERS), "full tree"),
            "size": stops("rows in a bag", [(f"{each}%", each) for each in SIZES], 100),
            "bags": stops("number of bags", BAGS, 1),
        },
        show,
        presets={
            "101 trees": {"learner": "full tree", "size": 100, "bags": 101},
            "101 neighbours": {"learner": "nearest neighbour", "size": 100, "bags": 101},
            "neighbours, small bags": {"learner": "nearest neighbour", "size": 30, "bags": 101},
            "101 naive Bayes": {"learner": "naive Bayes", "size": 100, "bags": 101},
            "101 stumps": {"learner": "stump", "size": 100, "bags": 101},
        },
        keys={
            "ArrowLeft": lambda values: {"bags": _next(BAGS, values["bags"], -1)},
            "ArrowRight": lambda values: {"bags": _next(BAGS, values["bags"], 1)},
            "ArrowUp": lambda values: {"size": _next(SIZES, values["size"], 1)},
            "ArrowDown": lambda values: {"size": _next(SIZES, values["size"], -1)},
        },
        help="Left and right arrows change the number of bags, up and down their size.",
    )


# Boosting

ROUNDS = 40
SCALES = {"ten points": (0, 10, (0, 5, 10)), "disc": (-1, 1, (-1, 0, 1))}


@cache
def _boosted(data, points=120, n=ROUNDS, liar=None):
    """(X, y, truth, the boosted stumps, their votes on the cells); `data` is "ten points" or a share of flips."""
    if data == "ten points":
        X, truth = ensembles.ten_points()
        y, cells = truth.copy(), TENTHS
        if liar is not None:
            y[liar] *= -1
    else:
        X, y, truth = ensembles.disc(points, data, random_state=0)
        cells = SQUARE
    model = AdaBoost(DecisionStump(), n).fit(X, y)
    return X, y, truth, model, model.staged_votes(cells)


def boost_rounds():
    """Boosting round by round: find the best stump for these weights, then weigh up what it got wrong."""
    boxes = (0.042, 0.075, 0.342, 0.8), (0.43, 0.075, 0.342, 0.8), (0.785, 0.03, 0.21, 0.94)
    figure = theme.figure(*boxes, height=3.9)
    picture = plots.Boost(*figure.axes, CELLS)

    def show(data, step):
        X, y, _, model, votes = _boosted("ten points" if data == "ten points" else 0.0)
        cells, base, n = (TENTHS, 110, len(y)) if data == "ten points" else (SQUARE, 34, len(y))
        number, found = (step + 1) // 2, step % 2 == 1  # odd steps find a stump, even ones weigh
        done = number - found  # so many stumps vote
        for plane in picture.planes:
            plane.scale(*SCALES[data])
        missed = _says(model.history_[done - 1].votes) != y if done else None
        share = _says(votes[done - 1]) > 0 if done else np.full(len(cells), 0.5)
        picture.planes[1].show(X, y, share, base, wrong=missed)
        errors = f"{int(missed.sum())} of {n}" if done else "–"
        head = f"vote of {done}: {errors} wrong" if done else "nobody has voted yet"
        if not step:
            picture.planes[0].show(X, y, share, base)
            picture.head(f"every weight is 1/{n}", head)
            picture.write(*["–"] * 5)
            return f"Before round 1: {n} points, each with weight 1/{n} = {1 / n:.4f}. No stump has been chosen yet."
        now = model.history_[number - 1]
        wrong, words, (e, a, z) = now.says != y, _question(now.learner), (now.error, now.alpha, now.z)
        stump = now.learner.predict(cells) > 0
        picture.planes[0].show(X, y, stump, base, now.weights if found else now.after, wrong)
        picture.head(f"round {number}: + if {words}", head)
        if found:
            picture.write(_short(e), *["–"] * 4)
            return (
                f"Round {number}, find: the best stump for these weights says + if {words}. "
                f"It is wrong on {int(wrong.sum())} of {n} points, which weigh ε = {e:.4f}."
            )
        picture.write(*(_short(value) for value in (e, a, z, np.exp(-a) / z, np.exp(a) / z)))
        bound = ensembles.training_bound([each.error for each in model.history_[:number]])[-1]
        return (
            f"Round {number}, weigh: + if {words}, ε = {e:.4f}, α = ½ ln({1 - e:.4f}/{e:.4f}) = {a:.4f}, Z = {z:.4f}. "
            f"The {int(wrong.sum())} wrong points now weigh ½ together. The vote of {_count(number, 'stump')} "
            f"errs on {errors} training points; the bound is {bound:.3f}."
        )

    return Player(
        figure,
        picture,
        {"data": choice("data", ["ten points", "disc"], "ten points")},
        show,
        steps=2 * ROUNDS + 1,
        interval=900,
        presets={
            "round 1, by hand": {"data": "ten points", "step": 2},
            "round 3": {"data": "ten points", "step": 6},
            "disc, round 1": {"data": "disc", "step": 2},
            "disc, round 10": {"data": "disc", "step": 20},
            "disc, round 40": {"data": "disc", "step": 80},
        },
    )


UNEVEN = [*range(1, 21), 25, 30, 40, 50, 60, 80, 100, 150, 200, 300]
NOISE = {"ten points": "ten points", "disc": 0.0, "disc, 10% flipped": 0.1, "disc, 20% flipped": 0.2}


@cache
def _climb(data):
    """(bound, training error, error on the truth or None, margins) at the rounds of UNEVEN."""
    X, y, truth, model, votes = _boosted(NOISE[data], 300, UNEVEN[-1])
    at = np.array(UNEVEN) - 1
    bound = ensembles.training_bound([each.error for each in model.history_])[at]
    training = (_says(np.array([each.votes for each in model.history_])) != y).mean(axis=1)[at]
    true = None if data == "ten points" else (_says(votes) != ensembles.in_disc(SQUARE)).mean(axis=1)[at]
    return bound, training, true, model.margins(X, y)[at]


def boost_bound():
    """Training error under its bound, the error on the truth, and the margins, round by round."""
    figure = theme.figure((0.08, 0.175, 0.5, 0.8), (0.67, 0.175, 0.31, 0.71), height=4.0)
    picture = plots.Climb(*figure.axes, UNEVEN)

    def show(data, step):
        bound, training, true, margins = _climb(data)
        now = slice(0, step + 1)
        picture.show(bound[now], training[now], None if true is None else true[now], margins[step])
        truth = "" if true is None else f", error on the true disc {true[step]:.3f}"
        return (
            f"{data[0].upper()}{data[1:]}, round {UNEVEN[step]}: training error {training[step]:.3f}, bound "
            f"{_small(bound[step])}{truth}. Least margin {margins[step].min():.3f}, "
            f"mean margin {margins[step].mean():.3f}."
        )

    return Player(
        figure,
        picture,
        {"data": choice("data", list(NOISE), "ten points")},
        show,
        steps=len(UNEVEN),
        interval=300,
        presets={
            "ten points, round 3": {"data": "ten points", "step": 2},
            "ten points, round 40": {"data": "ten points", "step": UNEVEN.index(40)},
            "disc": {"data": "disc", "step": len(UNEVEN) - 1},
            "20% flipped, round 60": {"data": "disc, 20% flipped", "step": UNEVEN.index(60)},
            "20% flipped, round 300": {"data": "disc, 20% flipped", "step": len(UNEVEN) - 1},
        },
    )


LIES = 60


def one_liar():
    """Ten points, one label turned: its weight by round, and what the vote makes of the true labels."""
    boxes = (0.02, 0.03, 0.4, 0.86), (0.53, 0.55, 0.46, 0.43), (0.53, 0.145, 0.46, 0.33)
    figure = theme.figure(*boxes, height=4.3)
    X, _ = ensembles.ten_points()
    names = [f"({x:g}, {y:g})" for x, y in X]
    picture = plots.Liar(*figure.axes, names, LIES)

    def show(liar, step):
        which = None if liar == "nobody" else names.index(liar)
        _, y, truth, model, votes = _boosted("ten points", 10, LIES, which)
        rounds = model.history_[:step]
        weights = rounds[-1].after if step else np.full(10, 0.1)
        said = [_says(each.votes) for each in rounds]
        wrong = said[-1] != truth if step else None
        share = _says(votes[step - 1]) > 0 if step else np.full(CELLS**2, 0.5)
        traces = np.array([np.full(10, 0.1), *(each.after for each in rounds)])
        errors = [int((each != truth).sum()) for each in said]
        order = sorted(range(10), key=lambda k: (-round(float(weights[k]), 9), k))[:3]
        heavy = ", ".join(f"{names[k]} {weights[k]:.3f}" for k in order)
        heard = f"{liar} {weights[which]:.3f}" if which is not None else "nobody lies"
        told = f"truly wrong: {errors[-1]}" if step else ""
        picture.show(X, y, share, weights, wrong, which, traces, errors, (heard, told))
        who = "Nobody lies" if which is None else f"{liar} has the wrong label"
        if not step:
            return f"{who}. Before round 1 every point weighs 0.100."
        mine = "" if which is None else f" The liar weighs {weights[which]:.3f}."
        return (
            f"{who}; after round {step} the vote is wrong about {errors[-1]} of the 10 true labels and "
            f"{int((said[-1] != y).sum())} of the given ones.{mine} Heaviest: {heavy}."
        )

    def turn(values, by):
        options = ["nobody", *names]
        return {"liar": options[(options.index(values["liar"]) + by) % len(options)]}

    def click(values, axes, start, _at):
        if axes is not figure.axes[0]:
            return {}
        away = np.hypot(*(X - start).T)
        name = names[int(away.argmin())] if away.min() < 0.8 else "nobody"
        return {"liar": "nobody" if name == values["liar"] else name}

    return Player(
        figure,
        picture,
        {"liar": menu("wrong label at", ["nobody", *names], "(6, 8)")},
        show,
        steps=LIES + 1,
        interval=500,
        presets={
            "(6, 8) lies, round 3": {"liar": "(6, 8)", "step": 3},
            "round 7": {"liar": "(6, 8)", "step": 7},
            "round 60": {"liar": "(6, 8)", "step": LIES},
            "(8, 7) lies": {"liar": "(8, 7)", "step": LIES},
            "nobody lies": {"liar": "nobody", "step": LIES},
        },
        drag=click,
        keys={"ArrowUp": lambda values: turn(values, 1), "ArrowDown": lambda values: turn(values, -1)},
        help="Click a point to turn its label; up and down arrows choose the point, left and right step, Space plays.",
    )


# MAP regions, and the vote next to Bayes

CLOUDS = {"two clouds": 4, "disc, 10% flipped": 1}  # and how far the plane reaches to each side
MAP_CELLS = 2 * CELLS  # a border that bends shall not look like a stair
MAP_ROUNDS = 100


@cache
def _mapped(data, voters):
    """(X, y, MAP on cells, points and new points, votes by round on the same, the classes of the new points)."""
    if data == "two clouds":
        (X, y), (new, new_y) = ensembles.clouds(200, 0), ensembles.clouds(4000, 1)
    else:
        X, y, _ = ensembles.disc(200, 0.1, 0)
        new, new_y = SQUARE, ensembles.in_disc(SQUARE)
    cells = plots.cell_centres(np.linspace(-CLOUDS[data], CLOUDS[data], MAP_CELLS + 1))
    everything = np.vstack([cells, X, new])
    parts = [len(cells), len(cells) + len(X)]
    bayes = GaussianNaiveBayes().fit(X, y)
    model = AdaBoost(DecisionStump() if voters == "stumps" else GaussianNaiveBayes(), MAP_ROUNDS).fit(X, y)
    votes = _says(model.staged_votes(everything))
    return X, y, np.split(bayes.predict(everything), parts), np.split(votes, parts, axis=1), new_y, model.stopped_


def map_regions():
    """The regions of a MAP classifier with its errors in red, and those of a boosted vote beside them."""
    boxes = (0.02, 0.03, 0.45, 0.85), (0.52, 0.03, 0.45, 0.85)
    figure = theme.figure(*boxes, height=4.3)
    picture = plots.Panels(figure.axes, MAP_CELLS)

    def show(data, voters, rounds):
        X, y, bayes, votes, new_y, stopped = _mapped(data, voters)
        last = min(rounds, len(votes[0])) - 1
        for plane in picture.planes:
            plane.scale(-CLOUDS[data], CLOUDS[data])
        both, words = (bayes, [each[last] for each in votes]), []
        for plane, (cells, points, new) in zip(picture.planes, both):
            plane.show(X, y, cells > 0, 30, wrong=points != y)
            words.append(((points != y).mean(), (new != new_y).mean()))
        (one, one_new), (many, many_new) = words
        many_of = f"{last + 1} boosted {'stump' if voters == 'stumps' and last == 0 else voters}"
        picture.head(
            f"MAP, naive Bayes: {one:.3f}\non new points {one_new:.3f}",
            f"{many_of}: {many:.3f}\non new points {many_new:.3f}",
        )
        end = f" Boosting stopped in {stopped}." if stopped and rounds > len(votes[0]) else ""
        return (
            f"{data[0].upper()}{data[1:]}, 200 points, errors ringed in red. "
            f"MAP with naive Bayes: {one:.3f} of the training points, {one_new:.3f} of new ones. "
            f"{many_of}: {many:.3f} and {many_new:.3f}.{end}"
        )

    return LiveFigure(
        figure,
        picture,
        {
            "data": choice("data", list(CLOUDS), "two clouds"),
            "voters": choice("voters", ["stumps", "naive Bayes"], "stumps"),
            "rounds": slider("rounds of boosting", 1, MAP_ROUNDS, 1),
        },
        show,
        presets={
            "one stump": {"data": "two clouds", "voters": "stumps", "rounds": 1},
            "100 stumps": {"data": "two clouds", "voters": "stumps", "rounds": 100},
            "boosted naive Bayes": {"data": "two clouds", "voters": "naive Bayes", "rounds": 100},
            "disc, 20 stumps": {"data": "disc, 10% flipped", "voters": "stumps", "rounds": 20},
            "disc, naive Bayes": {"data": "disc, 10% flipped", "voters": "naive Bayes", "rounds": 20},
        },
        keys={
            "ArrowLeft": lambda values: {"rounds": values["rounds"] - 1},
            "ArrowRight": lambda values: {"rounds": values["rounds"] + 1},
        },
        help="Left and right arrows change the number of rounds.",
    )


EXAMPLES = [20, 50, 100, 200, 500, 1000]
SHOWN = 200  # of the examples, so that the region can be seen
FIXED = np.round(np.linspace(-0.9, 0.9, 19), 1)  # the thresholds of the stumps that are averaged


@cache
def _examples(n):
    """The first n points of a clean disc; for bagging and boosting the share of + on the cells, the heaviest stump."""
    X, y, _ = ensembles.disc(EXAMPLES[-1], 0.0, random_state=0)
    X, y = X[:n], y[:n]
    bagged, boosted = Bagging(DecisionStump(), 101, random_state=0).fit(X, y), AdaBoost(DecisionStump(), 101).fit(X, y)
    shares = bagged.vote_share(SQUARE)[:, 1], _says(boosted.decision_function(SQUARE)) > 0
    return X, y, shares, (_heaviest(bagged.learners_, np.ones(101)), _heaviest(boosted.learners_, boosted.alphas_))


def _heaviest(stumps, weights):
    """The greatest share of the weight that one stump has, over all rounds or bags that chose it."""
    total = {}
    for stump, weight in zip(stumps, weights):
        which = stump.attribute_, stump.threshold_, int(stump.above_)
        total[which] = total.get(which, 0) + weight
    return max(total.values()) / weights.sum()


def three_votes():
    """The same stumps under three votes: posteriors, one vote a bag, and α."""
    boxes = [(0.01 + 0.332 * k, 0.03, 0.312, 0.76) for k in range(3)]
    figure = theme.figure(*boxes, height=3.7)
    picture = plots.Panels(figure.axes, CELLS, circle=True)
    truth, names = ensembles.in_disc(SQUARE) > 0, ("model averaging", "bagging", "boosting")

    def show(examples, noise):
        X, y, shares, top = _examples(examples)
        averaged = ensembles.average_stumps(X, y, FIXED, noise / 100)
        shares, top = (averaged.vote(SQUARE), *shares), (averaged.posterior.max(), *top)
        errors = [float(((share > 0.5) != truth).mean()) for share in shares]
        for plane, share in zip(picture.planes, shares):
            plane.show(X[:SHOWN], y[:SHOWN], share, 14)
        picture.head(*(f"{n}: error {e:.3f}\nheaviest stump {t:.3f}" for n, e, t in zip(names, errors, top)))
        parts = [f"{n} errs on {e:.3f}, its heaviest stump has {t:.3f}" for n, e, t in zip(names, errors, top)]
        return (
            f"{examples} examples, label noise {noise}% assumed for the posterior. "
            f"{parts[0][0].upper()}{parts[0][1:]} of all weight; {parts[1]}; {parts[2]}. "
            f"Error is against the true disc."
        )

    return LiveFigure(
        figure,
        picture,
        {
            "examples": stops("examples", EXAMPLES, 20),
            "noise": slider("noise assumed, %", 5, 45, 30, step=5),
        },
        show,
        presets={
            "20 examples": {"examples": 20, "noise": 30},
            "200 examples": {"examples": 200, "noise": 30},
            "1000 examples": {"examples": 1000, "noise": 30},
            "nearly all noise": {"examples": 200, "noise": 45},
        },
        keys={
            "ArrowLeft": lambda values: {"examples": _next(EXAMPLES, values["examples"], -1)},
            "ArrowRight": lambda values: {"examples": _next(EXAMPLES, values["examples"], 1)},
        },
        help="Left and right arrows change the number of examples.",
    )


def _next(options, value, by):
    return options[int(np.clip(options.index(value) + by, 0, len(options) - 1))]


def _says(votes):
    """The sign of a vote; 0 goes to the first class, as in `predict`."""
    return np.where(votes > ensembles.TOLERANCE, 1, -1)


def _question(stump):
    """When the stump says +, in words."""
    return theme.minus(f"{'xy'[stump.attribute_]} {'>' if stump.above_ == 1 else '<'} {stump.threshold_:.3g}")


def _count(number, word):
    return f"{number} {word}{'' if number == 1 else 's'}"


def _short(value):
    """Three decimals without the leading zero, to fit a narrow column."""
    return f"{value:.3f}".removeprefix("0")


def _small(value):
    return f"{value:.3f}" if value >= 0.0005 else f"{value:.1e}"
