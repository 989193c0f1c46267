"""The live figures of section 16, bagging and boosting."""

from functools import cache

import numpy as np

from bayeslib import GaussianNaiveBayes, KNeighborsClassifier
from bayeslib.data import load_biopsies, load_biopsy_votes
from bayeslib.figures import steer, user_data
from bayeslib.figures.controls import box, choice, menu, slider, stops
from bayeslib.figures.figure import LiveFigure, Player
from bayeslib.live.still import Still
from bayeslib.models import ensembles
from bayeslib.models.ensembles import AdaBoost, Bagging, DecisionStump, DecisionTree
from bayeslib.plots import bagging_and_boosting as plots
from bayeslib.plots import theme

LEARNERS = {
    "full tree": DecisionTree(),
    "nearest neighbour": KNeighborsClassifier(1),
    "naive Bayes": GaussianNaiveBayes(),
    "stump": DecisionStump(),
}
BAGS, SIZES = [1, 3, 5, 11, 21, 51, 101], [10, 20, 30, 50, 70, 100]
CELLS = 40  # to a side of every square
NOISY_DISC = 150, 0.15, 0  # points, share of turned labels, seed
SQUARE = plots.cell_centres(np.linspace(-1, 1, CELLS + 1))
TENTHS = plots.cell_centres(np.linspace(0, 10, CELLS + 1))


class Labelled(Still):
    """Points of two classes before a question is asked, with the cut of a stump, the true disc or a wrong label if told.

    >>> Labelled(*ensembles.ten_points(), cut=3)
    10 points, 5 of them +: x₁ from 1 to 9.5, x₂ from 2 to 9. A line at x₁ = 3.
    """

    def __init__(self, X, y, cut=None, circle=False, wrong=None):
        (low, bottom), (high, top) = np.min(X, axis=0), np.max(X, axis=0)
        spans = f"x₁ from {low:.3g} to {high:.3g}, x₂ from {bottom:.3g} to {top:.3g}"
        line = "" if cut is None else f" A line at x₁ = {cut:g}."
        cross = "" if wrong is None else f" The label of ({X[wrong][0]:g}, {X[wrong][1]:g}) is wrong."
        rim = " The true border is a circle." if circle else ""
        self.alt = theme.minus(
            f"{len(y)} points, {int((np.asarray(y) > 0).sum())} of them +: {spans}.{line}{cross}{rim}"
        )
        self.figure = theme.figure((0.08, 0.18, 0.6, 0.79), height=3.4)
        plots.labelled(self.figure.axes[0], np.asarray(X), np.asarray(y), cut, circle, wrong)


# Bagging


def bootstrap_bag():
    """One bag, row by row, and the share of the rows that a bag can be expected to hold."""
    picture = plots.Bag(*theme.axes((0.01, 0.02, 0.5, 0.96), (0.6, 0.19, 0.39, 0.68)))
    numbers = list(range(1, picture.MOST + 1))

    def show(n, size, bag):
        draws = max(round(n * size / 100), 1)
        counts = np.bincount(np.random.default_rng([n, bag]).integers(n, size=draws), minlength=n)
        expected = [ensembles.bootstrap_share(k, max(round(k * size / 100), 1)) for k in numbers]
        seen, limit = int((counts > 0).sum()), 1 - np.exp(-size / 100)
        picture.show(counts, numbers, expected, limit, seen / n)
        return (
            f"Bag {bag}: {theme.count(draws, 'draw')} from {n} rows hold {theme.count(seen, 'different row')}, "
            f"a share of {seen / n:.3f}. Expected: 1 − (1 − 1/{n})^{draws} = {expected[n - 1]:.3f}; "
            f"for ever more rows {limit:.3f}."
        )

    return LiveFigure(
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
        keys=steer.by("bag"),
        help="Left and right arrows draw another bag.",
    )


@cache
def _bagged(learner, size):
    """What each of 101 bags says of each cell, and of each of the points."""
    X, y, _ = ensembles.disc(*NOISY_DISC)
    model = Bagging(LEARNERS[learner], BAGS[-1], max_samples=round(len(y) * size / 100), random_state=0).fit(X, y)
    said = model.answers(np.vstack([SQUARE, X])).astype(bool)
    return said[:, : len(SQUARE)], said[:, len(SQUARE) :]


def bagging_votes():
    """The same learner on many bags: what one bag says, and how the bags vote."""
    marks = ("+", "−", "wrong about a training point", "border of the answer", "the truth")
    picture = plots.Panels(
        theme.axes((0.02, 0.11, 0.45, 0.8), (0.52, 0.11, 0.45, 0.8), height=4.3), CELLS, marks, circle=True
    )
    truth = ensembles.in_disc(SQUARE) > 0
    X, y, _ = ensembles.disc(*NOISY_DISC)
    alone = {name: learner.fit(X, y).predict(SQUARE) > 0 for name, learner in LEARNERS.items()}

    def show(learner, size, bags):
        cells, points = _bagged(learner, size)
        share = cells[:bags].mean(axis=0)
        vote, last = share > 0.5, cells[bags - 1]
        picture.planes[0].show(X, y, last, 40, wrong=points[bags - 1] != (y > 0))
        picture.planes[1].show(X, y, share, 40, wrong=(points[:bags].mean(axis=0) > 0.5) != (y > 0))
        errors = [(each != truth).mean() for each in (last, vote, alone[learner])]
        picture.head(f"bag {bags} alone: error {errors[0]:.3f}", f"vote of {bags}: error {errors[1]:.3f}")
        moved = (vote != alone[learner]).mean()
        apart = "the very same answers" if moved == 0 else f"{100 * moved:.1f}% of the answers differ"
        return (
            f"{learner[0].upper()}{learner[1:]}, {theme.count(bags, 'bag')} of {round(1.5 * size)} rows. "
            f"Error on the true disc: bag {bags} alone {errors[0]:.3f}, the vote {errors[1]:.3f}; "
            f"one learner on all the data {errors[2]:.3f}, and against it {apart}."
        )

    return LiveFigure(
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
        keys={**steer.along("bags", BAGS), **steer.along("size", SIZES, steer.UP)},
        help="Left and right arrows change the number of bags, up and down their size.",
    )


# Boosting

ROUNDS = 40
SCALES = {"ten points": (0, 10, (0, 5, 10)), "disc": (-1, 1, (-1, 0, 1))}


def _boosted(X, y, rounds, cells):
    """The boosted stumps, and what their vote says of each cell after every round."""
    model = AdaBoost(DecisionStump(), rounds).fit(X, y)
    return model, _says(model.staged_votes(cells))


def boost_rounds():
    """Boosting round by round: find the best stump for these weights, then weigh up what it got wrong."""
    boxes = (0.042, 0.14, 0.342, 0.76), (0.425, 0.14, 0.342, 0.76), (0.778, 0.06, 0.22, 0.92)
    picture = plots.Boost(*theme.axes(*boxes, height=4.1), CELLS)
    examples = {  # places, labels, the cells around them, the area of a point
        "ten points": (*ensembles.ten_points(), TENTHS, 110),
        "disc": (*ensembles.disc(120, 0.0, random_state=0)[:2], SQUARE, 34),
    }

    def history(data):
        """A round twice, when its stump is found and when it is weighed; beside it what the vote says of points and cells."""
        X, y, cells, _ = examples[data]
        model, on_cells = _boosted(X, y, ROUNDS, cells)
        rounds, on_points = model.history_, [_says(each.votes) for each in model.history_]
        votes = [(None, None), *zip(on_points, on_cells)]
        return [(None, *votes[0])] + [(each, *votes[k + late]) for k, each in enumerate(rounds) for late in (0, 1)]

    def show(history, step, data):
        X, y, cells, base = examples[data]
        now, on_points, on_cells = history[step]
        number, found, n = (step + 1) // 2, step % 2 == 1, len(y)  # odd steps find a stump, even ones weigh
        done = number - found  # stumps that vote
        for plane in picture.planes:
            plane.scale(*SCALES[data])
        missed = on_points != y if done else None
        share = on_cells > 0 if done else np.full(len(cells), 0.5)
        picture.planes[1].show(X, y, share, base, wrong=missed)
        errors = f"{int(missed.sum())} of {n}" if done else "–"
        head = f"vote of {done}: {errors} wrong" if done else "nobody has voted yet"
        if not step:
            picture.planes[0].show(X, y, share, base)
            picture.head(f"every weight is 1/{n}", head)
            picture.write(*["–"] * 5)
            return f"Before round 1: {n} points, each with weight 1/{n} = {1 / n:.4f}. No stump has been chosen yet."
        wrong, words, (e, a, z) = now.says != y, _question(now.learner), (now.error, now.alpha, now.z)
        stump = now.learner.predict(cells) > 0
        picture.planes[0].show(X, y, stump, base, now.weights if found else now.after, wrong)
        picture.head(f"round {number}: + if {words}", head)
        if found:
            picture.write(f"{e:.3f}", *["–"] * 4)
            return (
                f"Round {number}, find: the best stump for these weights says + if {words}. "
                f"It is wrong on {int(wrong.sum())} of {n} points, which weigh ε = {e:.4f}."
            )
        picture.write(*(f"{value:.3f}" for value in (e, a, z, np.exp(-a) / z, np.exp(a) / z)))
        bound = ensembles.training_bound([each.error for each, *_ in history[2 : step + 1 : 2]])[-1]
        return (
            f"Round {number}, weigh: + if {words}, ε = {e:.4f}, α = ½ ln({1 - e:.4f}/{e:.4f}) = {a:.4f}, sum = {z:.4f}. "
            f"The {int(wrong.sum())} wrong points now weigh ½ together. The vote of {theme.count(number, 'stump')} "
            f"is wrong about {errors} training points; the bound is {bound:.3f}."
        )

    return Player(
        picture,
        {"data": choice("data", ["ten points", "disc"], "ten points")},
        history=history,
        show=show,
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


def boost_bound():
    """Training error under its bound, the error on the truth, and the margins, round by round."""
    picture = plots.Climb(*theme.axes((0.08, 0.165, 0.5, 0.7), (0.67, 0.165, 0.31, 0.7), height=4.1), UNEVEN)

    def history(data):
        """The bound, the training error, the error on the truth or None, and the margins, at the rounds of UNEVEN."""
        known = data == "ten points"
        X, y, *_ = ensembles.ten_points() if known else ensembles.disc(300, NOISE[data], random_state=0)
        model, votes = _boosted(X, y, UNEVEN[-1], TENTHS if known else SQUARE)
        bound = ensembles.training_bound([each.error for each in model.history_])
        training = (_says(np.array([each.votes for each in model.history_])) != y).mean(axis=1)
        true = [None] * len(votes) if known else (votes != ensembles.in_disc(SQUARE)).mean(axis=1)
        rounds = list(zip(bound, training, true, model.margins(X, y)))
        return [rounds[each - 1] for each in UNEVEN]

    def show(history, step, data):
        bounds, trainings, trues, _ = zip(*history[: step + 1])
        bound, training, true, margins = history[step]
        picture.show(bounds, trainings, None if true is None else trues, margins)
        truth = "" if true is None else f", error on the true disc {true:.3f}"
        return (
            f"{data[0].upper()}{data[1:]}, round {UNEVEN[step]}: training error {training:.3f}, bound "
            f"{_small(bound)}{truth}. Least margin {margins.min():.3f}, mean margin {margins.mean():.3f}."
        )

    return Player(
        picture,
        {"data": choice("data", list(NOISE), "ten points")},
        history=history,
        show=show,
        rounds=[f"round {each}" for each in UNEVEN],
        interval=300,
        presets={
            "ten points, round 3": {"data": "ten points", "step": 2},
            "ten points, round 300": {"data": "ten points", "step": len(UNEVEN) - 1},
            "disc": {"data": "disc", "step": len(UNEVEN) - 1},
            "20% flipped, round 60": {"data": "disc, 20% flipped", "step": UNEVEN.index(60)},
            "20% flipped, round 300": {"data": "disc, 20% flipped", "step": len(UNEVEN) - 1},
        },
    )


LIES, LATE = 60, 20


def one_liar():
    """Ten points, one label wrong: its weight by round beside those of two others, and what the vote makes of the true labels."""
    boxes = (0.042, 0.15, 0.375, 0.77), (0.53, 0.5, 0.46, 0.48), (0.53, 0.145, 0.46, 0.3)
    X, truth = ensembles.ten_points()
    names = [f"({x:g}, {y:g})" for x, y in X]
    picture = plots.Liar(*theme.axes(*boxes, height=4.3), names, LIES)

    def told(liar):
        """The labels with that of the liar flipped."""
        return np.array([-label if name == liar else label for name, label in zip(names, truth)])

    def history(liar):
        """After each round: the weights, what the vote says of the points, and of the cells."""
        model, cells = _boosted(X, told(liar), LIES, TENTHS)
        rounds = ((each.after, _says(each.votes), cell) for each, cell in zip(model.history_, cells))
        return [(np.full(10, 0.1), None, np.full(CELLS**2, 0.5)), *rounds]

    def show(history, step, liar):
        which, y = None if liar == "nobody" else names.index(liar), told(liar)
        weights, said, cells = history[step]
        wrong, share = (said != truth, cells > 0) if step else (None, cells)
        traces = np.array([each for each, *_ in history[: step + 1]])
        errors = [int((each != truth).sum()) for _, each, _ in history[1 : step + 1]]
        late = traces[max(step - LATE, 0) : max(step, 1)].mean(axis=0)
        order = sorted(range(10), key=lambda k: (-round(float(late[k]), 9), k))
        pair = [k for k in order if k != which][:2]
        picture.show(
            X, y, share, weights, wrong, which, pair, traces, errors, f"truly wrong: {errors[-1]}" if step else ""
        )
        who = "No label is wrong" if which is None else f"{liar} has the wrong label"
        if not step:
            return f"{who}. Before round 1 every point weighs 0.100."
        heavy = ", ".join(f"{names[k]} {late[k]:.3f}" for k in order[:4])
        mine = "" if which is None else f" It weighs {weights[which]:.3f} now."
        return (
            f"{who}; after round {step} the vote is wrong about {errors[-1]} of the 10 true labels and "
            f"{int((said != y).sum())} of the given ones.{mine} "
            f"Heaviest on average over {theme.count(min(step, LATE), 'round')} up to here: {heavy}."
        )

    def click(values, axes, start, _at):
        away = np.hypot(*(X - start).T)
        name = names[int(away.argmin())] if away.min() < 0.8 else "nobody"
        return {"liar": "nobody" if name == values["liar"] else name}

    return Player(
        picture,
        {"liar": menu("wrong label at", ["nobody", *names], "(6, 8)")},
        history=history,
        show=show,
        interval=500,
        presets={
            "(6, 8) wrong, round 3": {"liar": "(6, 8)", "step": 3},
            "round 7": {"liar": "(6, 8)", "step": 7},
            "round 60": {"liar": "(6, 8)", "step": LIES},
            "(8, 7) wrong": {"liar": "(8, 7)", "step": LIES},
            "no label wrong": {"liar": "nobody", "step": LIES},
        },
        drag=click,
        within=[0],
        keys=steer.around("liar", ["nobody", *names], steer.UP),
        help="Click a point to flip its label; up and down arrows choose the point, left and right step, Space plays.",
    )


# Biopsies with wrong labels

BIOPSY_ROUNDS, TURNED, SPLITS = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100], [0, 10, 19, 38], 5
BY_WEIGHT, OUT_OF_BAG = "weight in boosting", "out-of-bag votes"


def _biopsy_split(split):
    """(X, y, training rows, test rows, which training rows get a wrong label first): −1 for benign, 1 for malignant."""
    table = load_biopsies()
    X, y = table.iloc[:, :-1].to_numpy(float), np.where(table["diagnosis"] == "malignant", 1, -1)
    order = np.random.default_rng(split).permutation(len(y))
    turned = np.random.default_rng(100 + split).choice(len(y) - 190, TURNED[-1], replace=False)
    return X, y, order[190:], order[:190], turned


@cache
def _biopsies():
    """split → the training points in the plane with their true labels and which get a wrong one first; (split, lies) → the
    rows in the order in which to look at them; lies → the mean error of each learner in percent."""
    stored, points, orders = load_biopsy_votes(), {}, {}
    for split in range(SPLITS):
        X, y, train, _, turned = _biopsy_split(split)
        points[split] = X[train][:, [7, 2]], y[train], turned
    for row in stored[stored["split"] < SPLITS].itertuples():
        for name, listed in ((BY_WEIGHT, row.heaviest), (OUT_OF_BAG, row.contradicted)):
            orders[row.split, row.flipped, name] = np.array(listed.split(), dtype=int)
    curves = {}
    for lies, rows in stored.groupby("flipped"):
        flat = {"one stump": "stump", "one full tree": "tree"}
        curves[lies] = {name: np.full(len(BIOPSY_ROUNDS), rows[column].mean() / 1.9) for name, column in flat.items()}
        for name, column in (("bagged trees", "bagging"), ("boosted stumps", "boosting")):
            curves[lies][name] = np.array([each.split() for each in rows[column]], dtype=float).mean(axis=0) / 1.9
    return points, orders, curves


def biopsies():
    """Biopsies of which some have a wrong label: who learns well from them, and can the wrong labels be found?"""
    picture = plots.Biopsies(
        *theme.axes((0.095, 0.165, 0.37, 0.66), (0.57, 0.165, 0.42, 0.66), height=4.2), BIOPSY_ROUNDS
    )
    points, orders, curves = _biopsies()

    def show(lies, look, by, split):
        X, truth, turned = points[split - 1]
        given = truth.copy()
        given[turned[:lies]] *= -1
        looked = orders[split - 1, lies, by][:look]
        wrong = np.isin(looked, turned[:lies])
        picture.show(X, given, looked, wrong, curves[lies])
        ends = ", ".join(f"{name} {curve[-1]:.1f}%" for name, curve in curves[lies].items())
        chance = f"; as many drawn by chance would hold {look * lies / len(truth):.1f} on average" if look else ""
        return (
            f"Split {split}: {lies} of {len(truth)} training labels are wrong. Looked at by {by}: {theme.count(look, 'row')}, "
            f"{int(wrong.sum())} of them with a wrong label{chance}. "
            f"Errors on 190 held-out biopsies with true labels, mean of 20 splits, 100 rounds or bags: {ends}."
        )

    return LiveFigure(
        picture,
        {
            "lies": stops("wrong labels among 379", TURNED, 0),
            "look": slider("rows to look at", 0, 60, 0),
            "by": choice("by", [BY_WEIGHT, OUT_OF_BAG], BY_WEIGHT),
            "split": slider("split", 1, SPLITS, 1),
        },
        show,
        presets={
            "labels as recorded": {"lies": 0, "look": 0},
            "19 wrong": {"lies": 19, "look": 0},
            "the 19 heaviest": {"lies": 19, "look": 19, "by": BY_WEIGHT},
            "the 19 most contradicted": {"lies": 19, "look": 19, "by": OUT_OF_BAG},
            "38 wrong": {"lies": 38, "look": 38},
        },
        keys={**steer.by("look"), **steer.along("lies", TURNED, steer.UP)},
        help="Left and right arrows change how many rows are looked at, up and down how many labels are wrong.",
        main=("lies", "look"),
        more=("split",),
    )


FLIPS, OWN_ROWS, OWN_BAGS, OWN_ROUNDS = 6, 120, 11, 30


@cache
def _disputed(text, flips):
    """(class names, given labels, which were flipped, mean weights, votes against, errors) of a table that a reader brings."""
    table = user_data.table(text, most_rows=OWN_ROWS)
    *columns, label = table.columns
    classes, codes = np.unique(table[label].astype(str), return_inverse=True)
    if len(classes) != 2 or np.bincount(codes).min() < 3:
        raise ValueError("your table must have two classes in its last column, with at least three rows of each")
    X = np.array([user_data.number_column(table, column) for column in columns]).T
    if not np.ptp(X, axis=0).any():
        raise ValueError("your table must have a column of numbers that are not all equal")
    turned = np.random.default_rng(0).permutation(len(X))[:flips]
    codes[turned] = 1 - codes[turned]
    if len(set(codes)) < 2:
        raise ValueError("your table must keep two classes after the flips; flip fewer labels")
    boosted = AdaBoost(DecisionStump(), OWN_ROUNDS).fit(X, codes)
    weights = np.mean([each.weights for each in boosted.history_] or [np.full(len(X), 1 / len(X))], axis=0)
    bagged = Bagging(DecisionTree(), OWN_BAGS, random_state=0, oob_score=True).fit(X, codes)
    against = 1 - bagged.oob_decision_function_[np.arange(len(X)), codes]
    errors = np.bincount(codes).min() / len(codes), 1 - bagged.oob_score_
    return classes, codes, np.isin(np.arange(len(X)), turned), weights, against, errors


def second_look():
    """Which labels of your own table deserve a second look: the heaviest rows in boosting, and what out-of-bag trees say of them."""
    picture = plots.SecondLook(*theme.axes((0.3, 0.23, 0.36, 0.67), (0.75, 0.23, 0.24, 0.67), height=4.2))
    opening = load_biopsies().loc[::12, ["concave_points", "perimeter", "diagnosis"]].to_csv(index=False)

    def show(table, flips):
        classes, codes, turned, weights, against, errors = _disputed(table, flips)
        order = np.argsort(-weights.round(9), kind="stable")[: picture.MOST]
        names = [f"row {k + 1}: {user_data.plain(classes[codes[k]], 12)}" for k in order]
        picture.show(names, weights[order] / weights.max(), against[order], turned[order], errors)
        found = (
            f" Of {theme.count(flips, 'flipped label')} {int(turned[order].sum())} are among the ten." if flips else ""
        )
        first = f"The first to look at is row {order[0] + 1}, labelled {user_data.plain(classes[codes[order[0]]], 12)}."
        if not np.ptp(weights.round(9)):
            first = "All rows weigh the same, so their order says nothing."
        return (
            f"{len(codes)} rows. Always the larger class: {errors[0]:.2f} wrong; bagged trees, out of bag: {errors[1]:.2f}. "
            f"{first}{found}"
        )

    return LiveFigure(
        picture,
        {
            "table": box("your table, class last", opening, lines=3, file=True),
            "flips": slider("labels to flip as a test", 0, FLIPS, 0),
        },
        show,
        presets={"as it is": {"flips": 0}, "flip three": {"flips": 3}, "flip six": {"flips": 6}},
        keys=steer.by("flips"),
        help="Left and right arrows change how many labels are flipped as a test.",
    )


# MAP regions, and the vote next to Bayes

CLOUDS = {"two clouds": 4, "disc, 10% flipped": 1}  # and how far the plane reaches to each side
MAP_CELLS = 4 * CELLS  # a border that bends shall not look like a stair
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
    boxes = (0.02, 0.1, 0.45, 0.77), (0.52, 0.1, 0.45, 0.77)
    marks = ("+", "−", "wrong about a training point", "border of the answer")
    picture = plots.Panels(theme.axes(*boxes, height=4.3), MAP_CELLS, marks)

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
            f"{data[0].upper()}{data[1:]}, 200 points. Share wrong. "
            f"MAP with naive Bayes: {one:.3f} of the training points, {one_new:.3f} of new ones. "
            f"{many_of}: {many:.3f} and {many_new:.3f}.{end}"
        )

    return LiveFigure(
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
        keys=steer.by("rounds"),
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
    return X, y, shares, (_heaviest(bagged.estimators_, np.ones(101)), _heaviest(boosted.estimators_, boosted.alphas_))


def _heaviest(stumps, weights):
    """The greatest share of the weight that one stump has, over all rounds or bags that chose it."""
    total = {}
    for stump, weight in zip(stumps, weights):
        which = stump.attribute_, stump.threshold_, int(stump.above_)
        total[which] = total.get(which, 0) + weight
    return max(total.values()) / weights.sum()


def three_votes():
    """The same stumps under three votes: posteriors, one vote a bag, and α."""
    boxes = [(0.01 + 0.332 * k, 0.11, 0.312, 0.72) for k in range(3)]
    picture = plots.Panels(
        theme.axes(*boxes, height=3.9), CELLS, ("+", "−", "border of the answer", "the truth"), circle=True
    )
    truth, names = ensembles.in_disc(SQUARE) > 0, ("model averaging", "bagging", "boosting")

    def show(examples, noise):
        X, y, shares, top = _examples(examples)
        averaged = ensembles.average_stumps(X, y, FIXED, noise / 100)
        shares, top = (averaged.vote(SQUARE), *shares), (averaged.posterior.max(), *top)
        errors = [float(((share > 0.5) != truth).mean()) for share in shares]
        for plane, share in zip(picture.planes, shares):
            plane.show(X[:SHOWN], y[:SHOWN], share, 14)
        picture.head(*(f"{n}: error {e:.3f}\nheaviest stump {t:.3f}" for n, e, t in zip(names, errors, top)))
        parts = [f"{n} has error {e:.3f}, its heaviest stump {t:.3f}" for n, e, t in zip(names, errors, top)]
        return (
            f"{examples} examples, label noise {noise}% assumed for the posterior. "
            f"{parts[0][0].upper()}{parts[0][1:]} of all weight; {parts[1]}; {parts[2]}. "
            f"Errors are against the true disc, on the whole square."
        )

    return LiveFigure(
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
        keys=steer.along("examples", EXAMPLES),
        help="Left and right arrows change the number of examples.",
    )


def _says(votes):
    """The sign of a vote; 0 goes to the first class, as in `predict`."""
    return np.where(votes > ensembles.TOLERANCE, 1, -1)


def _question(stump):
    """When the stump says +, in words."""
    return theme.minus(
        f"{'x₁ x₂'.split()[stump.attribute_]} {'>' if stump.above_ == 1 else '<'} {stump.threshold_:.3g}"
    )


def _small(value):
    return f"{value:.3f}" if value >= 0.0005 else f"{value:.1e}"
