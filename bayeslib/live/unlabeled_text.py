"""The live figures of section 12, learning from unlabeled text."""

from fractions import Fraction

import numpy as np

from bayeslib import text
from bayeslib.live import steer
from bayeslib.live.controls import choice, slider, stops
from bayeslib.live.figure import LiveFigure, Player
from bayeslib.plots import theme
from bayeslib.plots import unlabeled_text as plots

LABELS = [1, 2, 5, 10, 20, 50]
WEIGHTS = [0, 0.01, 0.03, 0.1, 0.3, 1]
WORDS = 7


def five_rows():
    """EM by hand: two missing labels are shared out, and the estimates follow."""
    figure = theme.figure((0.0, 0.0, 0.52, 1.0), (0.62, 0.1, 0.37, 0.76))
    X, y = text.FIVE_ROWS, text.FIVE_LABELS
    picture = plots.FiveRows(*figure.axes, X, y)
    plain = text.m_step(X[:3], y[:3], a=0)

    def show(history, step, counting, hard):
        if counting == "plain":
            products = _products(*plain, X[4])
            picture.show(plain[1], plain[1], [0.0, None], f"row 5, Y = 1:  {products[1]}\nrow 5, Y = 0:  {products[0]}")
            return (
                "Plain counting of the three labeled rows: row 4 gets P(Y=1) = 0, and row 5 gets 0/0, because X2 = 1 never "
                "came with Y = 1 and X4 = 1 never came with Y = 0. There is nothing to go on with: EM stops before it starts."
            )
        now, q = history[step], history[step].q[3:]
        ones, zeros = (float(np.exp(each)) for each in text.log_joints(now.prior, now.table, X)[4, ::-1])
        says = f"P(Y=1) = {now.prior:.4f}\nrow 5:  {ones:.4f} / ({ones:.4f} + {zeros:.4f}) = {q[1]:.4f}"
        picture.show(now.table, history[0].table, q, says)
        shares = f"row 4 belongs {q[0]:.4f} to Y = 1, row 5 {q[1]:.4f}"
        counted = f" Rounded, both count as {q[0].round():.0f} in the next round." if hard else ""
        if step == 0:
            return f"Start, from the three labeled rows: P(Y=1) = {now.prior:.4f}; {shares}.{counted}"
        before, after = history[step - 1].log_posterior, now.log_posterior
        climbed = f"rose from {before:.4f} to" if after - before > 5e-5 else "rose by less than 0.0001, to"
        return f"Round {step}: P(Y=1) = {now.prior:.4f}; {shares}. The log posterior {climbed} {after:.4f}.{counted}"

    return Player(
        figure,
        picture,
        {
            "counting": choice("counting", [("add one", "add one"), ("plain", "plain")], "add one"),
            "hard": choice("shares", [("soft (EM)", False), ("rounded", True)], False),
        },
        history=lambda hard: text.em(X, y, rounds=10, hard=hard),
        show=show,
        presets={
            "the first E step": {"counting": "add one", "hard": False, "step": 0},
            "one round": {"counting": "add one", "hard": False, "step": 1},
            "ten rounds": {"counting": "add one", "hard": False, "step": 10},
            "rounded": {"counting": "add one", "hard": True, "step": 1},
            "plain counting": {"counting": "plain"},
        },
    )


def telling_words():
    """Round by round: accuracy, the log posterior, and the words that speak most for each of two packages."""
    _, words, y, _ = text.task_data("two packages")
    classes = ["numpy", "matplotlib"]
    figure = theme.figure((0.06, 0.6, 0.36, 0.3), (0.06, 0.16, 0.36, 0.3), (0.47, 0.02, 0.52, 0.94))
    picture = plots.TellingWords(*figure.axes, text.ROUNDS, classes, WORDS)

    def history(labels, split):
        """The trial as it stands after each round."""
        trial = text.run_trial("two packages", labels, split)
        ends = range(1, text.ROUNDS + 2)
        return [trial._replace(accuracy=trial.accuracy[:k], log_posterior=trial.log_posterior[:k]) for k in ends]

    def show(history, step, labels, split):
        trial, (low, *_, high) = history[step], history[-1].log_posterior
        at = min(step, len(trial.model.history_) - 1)
        columns = [trial.model.top_words(name, at, WORDS, words) for name in classes]
        climb = (trial.log_posterior - low) / (high - low)
        picture.show(trial.accuracy, climb, _labeled(trial.labeled, labels), columns)
        accuracy = f"accuracy {trial.accuracy[-1]:.3f}"
        came = f", {trial.accuracy[0]:.3f} before EM" if step else " with the labels alone"
        speaks = " ".join(f"For {name}: {_quoted(column[:3])}." for name, column in zip(classes, columns))
        return (
            f"Split {split}, {_of_each(labels)}, {trial.unlabeled} documents unlabeled. "
            f"Round {step}: {accuracy}{came}. {speaks}"
        )

    return Player(
        figure,
        picture,
        {
            "labels": stops("labels of each package", LABELS, 1),
            "split": slider("split", 0, 24, 7),
        },
        history=history,
        show=show,
        presets={
            "finds them": {"labels": 1, "split": 7, "step": text.ROUNDS},
            "stuck": {"labels": 1, "split": 3, "step": text.ROUNDS},
            "upside down": {"labels": 1, "split": 20, "step": text.ROUNDS},
            "five labels": {"labels": 5, "split": 20, "step": text.ROUNDS},
        },
    )


def label_curve():
    """Accuracy by the number of labels, with and without unlabeled documents, for classes that are clumps and that are not."""
    tasks = {
        name: [text.accuracies(name, labels) for labels in LABELS] for name in ("three packages", "class or function")
    }
    figure = theme.figure((0.1, 0.17, 0.6, 0.71), (0.77, 0.17, 0.19, 0.71))
    picture = plots.Splits(*figure.axes, LABELS, "labeled documents of each class")

    def show(labels, task):
        place = LABELS.index(labels)
        picture.show(place, tasks[task])
        return f"{task.capitalize()}, {_of_each(labels)}. {_compare(*tasks[task][place])}"

    return LiveFigure(
        figure,
        picture,
        {
            "labels": stops("labels of each class", LABELS, 1),
            "task": choice(
                "tell apart",
                [("three packages", "three packages"), ("class or function", "class or function")],
                "three packages",
            ),
        },
        show,
        presets={
            "one label": {"labels": 1, "task": "three packages"},
            "five labels": {"labels": 5, "task": "three packages"},
            "fifty labels": {"labels": 50, "task": "three packages"},
            "classes that are no clumps": {"labels": 20, "task": "class or function"},
        },
        drag=lambda values, axes, start, at: _pick("labels", LABELS, at) if axes is figure.axes[0] else {},
        keys=steer.along("labels", LABELS),
        help="Drag along the curve or press left and right arrows to change the number of labels.",
    )


def text_weight():
    """Accuracy by how much an unlabeled document counts, for few and for many labels."""
    few = [5, 20, 50]
    found = {labels: [text.accuracies("three packages", labels, weight) for weight in WEIGHTS] for labels in few}
    figure = theme.figure((0.1, 0.17, 0.6, 0.71), (0.77, 0.17, 0.19, 0.71))
    picture = plots.Splits(*figure.axes, [f"{weight:g}" for weight in WEIGHTS], "weight of an unlabeled document, λ")

    def show(weight, labels):
        place = WEIGHTS.index(weight)
        picture.show(place, found[labels])
        return f"Three packages, {_of_each(labels)}, an unlabeled document counts {weight:g}. {_compare(*found[labels][place])}"

    return LiveFigure(
        figure,
        picture,
        {
            "weight": stops("weight λ", WEIGHTS, 1),
            "labels": choice("labels of each class", few, 50),
        },
        show,
        presets={
            "full weight": {"weight": 1, "labels": 50},
            "a tenth": {"weight": 0.1, "labels": 50},
            "few labels, a tenth": {"weight": 0.1, "labels": 5},
            "few labels, full weight": {"weight": 1, "labels": 5},
        },
        drag=lambda values, axes, start, at: _pick("weight", WEIGHTS, at) if axes is figure.axes[0] else {},
        keys=steer.along("weight", WEIGHTS),
        help="Drag along the curve or press left and right arrows to change the weight.",
    )


def _compare(before, after):
    worse = int((after < before).sum())
    return (
        f"Labels alone: accuracy {before.mean():.3f}, from {before.min():.3f} to {before.max():.3f} over 10 splits. With the "
        f"unlabeled documents: {after.mean():.3f}, from {after.min():.3f} to {after.max():.3f}; worse in {worse} of 10 splits."
    )


def _pick(name, options, at):
    return {name: options[int(np.clip(round(at[0]), 0, len(options) - 1))]}


def _of_each(labels):
    return f"{labels} {'label' if labels == 1 else 'labels'} of each class"


def _labeled(names, labels):
    """Three lines: the labeled documents, where there are only two; else how many there are."""
    packages = [(name.split("/")[0], name.split(": ")[1]) for name in names]
    if labels > 1:
        return ["labeled:", *(f"{name}, {labels} documents" for name in sorted({package for package, _ in packages}))]
    return ["labeled:", *(f"{package}, {name}" for package, name in sorted(packages))]


def _quoted(words):
    return ", ".join(f"“{word}”" for word in words)


def _products(prior, table, x):
    """P(Y=y) Π P(x_i|Y=y) written out in fractions, a line per y."""
    lines = []
    for share, chances in zip((1 - prior, prior), table):
        factors = [share, *(chance if value else 1 - chance for chance, value in zip(chances, x))]
        product = [Fraction(each).limit_denominator(60) for each in factors]
        lines.append(" · ".join(map(str, product)) + f" = {np.prod(product)}")
    return lines
