"""The live figures of section 12, learning from unlabelled text."""

from fractions import Fraction

import numpy as np

from bayeslib import data
from bayeslib.figures import steer, user_data
from bayeslib.figures.controls import box, choice, slider, stops
from bayeslib.figures.figure import LiveFigure, Player
from bayeslib.models import text
from bayeslib.plots import theme
from bayeslib.plots import unlabeled_text as plots

LABELS = [1, 2, 5, 10, 20, 50]
NAMED = {"one": 1, "five": 5, "fifty": 50}
WEIGHTS = [0, 0.01, 0.03, 0.1, 0.3, 1]
WORDS, TELLING = 7, 5
PARTS = [1, 2, 5, 10, 20]  # labels, for the tales
NTH, OWN_SIZE = ("first", "second", "third"), 40
SPLITS = (0.1, 0.17, 0.6, 0.66), (0.77, 0.17, 0.19, 0.66)  # where the panels of a curve and its splits stand


def five_rows():
    """EM by hand: two missing labels are shared out, and the estimates follow."""
    X, y = text.FIVE_ROWS, text.FIVE_LABELS
    picture = plots.FiveRows(*theme.axes((0.0, 0.0, 0.52, 1.0), (0.62, 0.17, 0.37, 0.69)), X, y)
    plain = text.m_step(X[:3], y[:3], a=0)

    def show(history, step, counting, hard):
        if counting == "plain":
            products = _products(*plain, X[4])
            picture.show(plain[1], plain[1], [0.0, None], f"row 5, Y = 1:  {products[1]}\nrow 5, Y = 0:  {products[0]}")
            return (
                "Plain counting of the three labelled rows: row 4 gets P(Y=1) = 0, and row 5 gets 0/0, because X2 = 1 never "
                "occurred with Y = 1 and X4 = 1 never occurred with Y = 0. EM stops before it starts."
            )
        now, q = history[step], history[step].q[3:]
        ones, zeros = (float(np.exp(each)) for each in text.log_joints(now.prior, now.table, X)[4, ::-1])
        says = f"P(Y=1) = {now.prior:.4f}\nrow 5:  {ones:.4f} / ({ones:.4f} + {zeros:.4f}) = {q[1]:.4f}"
        picture.show(now.table, history[0].table, q, says)
        shares = f"row 4 belongs {q[0]:.4f} to Y = 1, row 5 {q[1]:.4f}"
        counted = f" Rounded, both count as {q[0].round():.0f} in the next round." if hard else ""
        if step == 0:
            return f"Start, from the three labelled rows: P(Y=1) = {now.prior:.4f}; {shares}.{counted}"
        before, after = history[step - 1].log_posterior, now.log_posterior
        climbed = f"rose from {before:.4f} to" if after - before > 5e-5 else "rose by less than 0.0001, to"
        return f"Round {step}: P(Y=1) = {now.prior:.4f}; {shares}. The log posterior {climbed} {after:.4f}.{counted}"

    return Player(
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
    picture = plots.TellingWords(
        *theme.axes((0.06, 0.58, 0.36, 0.28), (0.06, 0.16, 0.36, 0.28), (0.47, 0.02, 0.52, 0.94)),
        text.ROUNDS,
        classes,
        WORDS,
    )

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
        picture.show(trial.accuracy, climb, trial.constant, _labelled(trial.labelled, labels), columns)
        accuracy = f"accuracy {trial.accuracy[-1]:.3f}"
        came = f", {trial.accuracy[0]:.3f} before EM" if step else " with the labels alone"
        came += f"; always the commoner package: {trial.constant:.3f}"
        speaks = " ".join(f"For {name}: {_quoted(column[:3])}." for name, column in zip(classes, columns))
        return (
            f"Split {split}, {_of_each(labels)}, {trial.unlabelled} documents unlabelled. "
            f"Round {step}: {accuracy}{came}. {speaks}"
        )

    return Player(
        picture,
        {
            "labels": stops("labels of each package", LABELS, 1),
            "split": slider("split", 0, 24, 7),
        },
        history=history,
        show=show,
        main=("split", "step"),
        presets={
            "finds them": {"labels": 1, "split": 7, "step": text.ROUNDS},
            "stuck": {"labels": 1, "split": 3, "step": text.ROUNDS},
            "split 20": {"labels": 1, "split": 20, "step": text.ROUNDS},
            "split 20, five labels": {"labels": 5, "split": 20, "step": text.ROUNDS},
        },
    )


def package_curve():
    """Accuracy by the number of labels, with and without unlabelled documents, for three packages."""
    return _curve(
        ["three packages"],
        {f"{name} {'label' if labels == 1 else 'labels'}": {"labels": labels} for name, labels in NAMED.items()},
        drag=_to_labels,
    )


def label_curve():
    """The same, also for classes that are not clusters of the words."""
    packages = {f"packages, {name}": {"labels": labels, "task": "three packages"} for name, labels in NAMED.items()}
    other = {"classes that are not clusters": {"labels": 20, "task": "class or function"}}
    return _curve(["three packages", "class or function"], packages | other, drag=_to_labels)


def _to_labels(at):
    return _pick("labels", LABELS, at)


def _curve(names, presets, drag):
    tasks = {name: ([text.accuracies(name, labels) for labels in LABELS], text.task_constant(name)) for name in names}
    picture = plots.Splits(*theme.axes(*SPLITS), LABELS, "labelled documents of each class", 0)

    def show(labels, task=names[0]):
        place = LABELS.index(labels)
        found, constant = tasks[task]
        picture.show(place, found, constant)
        return f"{task.capitalize()}, {_of_each(labels)}. {_compare(*found[place], constant)}"

    controls = {"labels": stops("labels of each class", LABELS, 1)}
    if len(names) > 1:
        controls["task"] = choice("tell apart", names, names[0])
    return LiveFigure(
        picture,
        controls,
        show,
        presets=presets,
        drag=lambda values, axes, start, at: drag(at),
        within=[0],
        keys=steer.along("labels", LABELS),
        help="Drag along the curve or press left and right arrows to change the number of labels.",
    )


def text_weight():
    """Accuracy by how much an unlabelled document counts, for few and for many labels."""
    few, constant = [5, 20, 50], text.task_constant("three packages")
    found = {labels: [text.accuracies("three packages", labels, weight) for weight in WEIGHTS] for labels in few}
    ticks = [f"{weight:g}" for weight in WEIGHTS]
    picture = plots.Splits(*theme.axes(*SPLITS), ticks, "weight of an unlabelled document, λ", 0.3)

    def show(weight, labels):
        place = WEIGHTS.index(weight)
        picture.show(place, found[labels], constant)
        setting = f"Three packages, {_of_each(labels)}, an unlabelled document counts {weight:g}."
        return f"{setting} {_compare(*found[labels][place], constant)}"

    return LiveFigure(
        picture,
        {
            "weight": stops("weight λ", WEIGHTS, 1),
            "labels": choice("labels of each class", few, 5),
        },
        show,
        presets={
            "few labels, full weight": {"weight": 1, "labels": 5},
            "few labels, λ = 0.03": {"weight": 0.03, "labels": 5},
            "many labels, full weight": {"weight": 1, "labels": 50},
            "many labels, λ = 0.1": {"weight": 0.1, "labels": 50},
        },
        drag=lambda values, axes, start, at: _pick("weight", WEIGHTS, at),
        within=[0],
        keys=steer.along("weight", WEIGHTS),
        help="Drag along the curve or press left and right arrows to change the weight.",
    )


def tales():
    """Grimm or Andersen? Parts of tales kept back at random or by whole tales, and what a few labels and EM make of them."""
    table, known = data.load_tales(), text.tale_words()
    names = list(dict.fromkeys(table["tale"]))
    at = np.column_stack([table["part"], [names.index(tale) for tale in table["tale"]]])
    pairs, curves, constants = text.tale_pairs(), {}, {}
    for keep in text.KEEP:
        means = [[each.mean() for each in text.tale_accuracies(keep, labels)] for labels in (*PARTS, text.ALL)]
        curves[keep] = np.transpose(means)
        shares = [text.tale_constant(keep, k)[1] / len(text.split_tales(keep, k)[1]) for k in range(len(pairs))]
        constants[keep] = np.mean(shares)
    ticks = [*map(str, PARTS), "all"]
    rows = [name.removeprefix("The ") for name in names]
    picture = plots.Tales(
        *theme.axes((0.265, 0.0, 0.34, 0.83), (0.69, 0.54, 0.3, 0.3), (0.63, 0.0, 0.37, 0.38), height=4.1),
        rows,
        text.AUTHORS,
        table["part"].max(),
        ticks,
        TELLING,
    )

    def history(keep, labels, split):
        trial = text.run_tales(keep, labels, split)
        return [(trial, step) for step in range(text.ROUNDS + 1)]

    def show(history, step, keep, labels, split):
        (trial, _), right = history[step], history[step][0].right[step]
        open_ = np.array([label is None for label in trial.given])
        marks = {"right": at[trial.test[right]], "wrong": at[trial.test[~right]]}
        marks |= {"labelled": at[trial.train[~open_]], "unlabelled": at[trial.train[open_]]}
        last = min(step, len(trial.model.history_) - 1)
        columns = [trial.model.top_words(name, last, TELLING, known) for name in text.AUTHORS]
        picture.show(marks, PARTS.index(labels), curves[keep], constants[keep], columns)
        author, parts = text.tale_constant(keep, split)
        back = " and ".join(pairs[split]) if keep == text.KEEP[1] else "parts drawn at random"
        came = f", {trial.right[0].sum()} before EM" if step else " with the labels alone"
        return (
            f"Labels of each author: {labels}; kept back: {back}. Round {step}: {right.sum()} of {len(right)} kept-back parts "
            f"right{came}; always saying {author} gets {parts}. Mean of 15 splits: labels alone "
            f"{curves[keep][0][PARTS.index(labels)]:.3f}, with EM {curves[keep][1][PARTS.index(labels)]:.3f}, one name for "
            f"all {constants[keep]:.3f}."
        )

    def state(keep, labels=5, split=0):
        return {"keep": keep, "labels": labels, "split": split, "step": text.ROUNDS}

    random, whole = text.KEEP
    return Player(
        picture,
        {
            "labels": stops("labels of each author", PARTS, 5),
            "split": slider("split", 0, len(pairs) - 1, 0),
            "keep": choice("keep back", list(text.KEEP), random),
        },
        history=history,
        show=show,
        step="last",
        main=("labels", "split"),
        presets={
            "random parts": state(random),
            "two whole tales": state(whole, split=8),
            "the Ugly Duckling": state(whole, split=12),
            "one label": state(random, labels=1),
        },
    )


def your_texts():
    """Two texts of the reader's own: EM learns from a few labelled parts of each, and says whose a third text seems."""
    told = {tale: rows["text"].tolist() for tale, rows in data.load_tales().groupby("tale")}
    seller, duckling, tower = (
        " ".join(told[name][:5]) for name in ("The Little Match-Seller", "The Ugly Duckling", "Rapunzel")
    )
    picture = plots.YourTexts(*theme.axes((0.095, 0.12, 0.53, 0.76), (0.66, 0.05, 0.34, 0.85), height=3.6), 6)

    def show(first, second, third, labels):
        texts = [
            user_data.words(each, f"the {name} text", most=8000) for each, name in zip((first, second, third), NTH)
        ]
        found = text.compare_texts(*texts, labels, OWN_SIZE)
        picture.show(found.odds, [[user_data.plain(word, 14) for word in column] for column in found.words])
        kept, (mine, theirs, asked) = sum(map(len, found.odds[:2])), map(len, found.odds)
        side = int((found.odds[2] > 0).sum())
        return (
            f"Parts of {OWN_SIZE} words. Labelled: {labels} of each text; unlabelled: {found.unlabelled}; kept back: {mine} of "
            f"the first text and {theirs} of the second. Of these {kept}, labels alone get {found.right[0]} right, EM gets "
            f"{found.right[1]}, and one name for all would get {max(mine, theirs)}. Of the third text {side} of {asked} parts "
            f"{'seems' if side == 1 else 'seem'} to belong to the first."
        )

    def state(first, second, third, labels=2):
        return {"first": first, "second": second, "third": third, "labels": labels}

    return LiveFigure(
        picture,
        {
            "first": box("first text", seller),
            "second": box("second text", tower),
            "third": box("third text", duckling),
            "labels": stops("labels of each text", [1, 2, 3, 5], 2),
        },
        show,
        presets={
            "Andersen, Grimm, Andersen": state(seller, tower, duckling),
            "one author twice": state(seller, duckling, tower),
            "five labels": state(seller, tower, duckling, 5),
        },
        help="Paste at least 400 words of two texts, at least 40 of a third, and press Enter after each.",
    )


def _compare(before, after, constant):
    worse = int((after < before).sum())
    return (
        f"Labels alone: accuracy {before.mean():.3f}, from {before.min():.3f} to {before.max():.3f} over 10 splits. With the "
        f"unlabelled documents: {after.mean():.3f}, from {after.min():.3f} to {after.max():.3f}; worse in {worse} of 10 splits. "
        f"Always the largest class: {constant:.3f}."
    )


def _pick(name, options, at):
    return {name: options[int(np.clip(round(at[0]), 0, len(options) - 1))]}


def _of_each(labels):
    return f"{theme.count(labels, 'label')} of each class"


def _labelled(names, labels):
    """Three lines: the labelled documents, where there are only two; else how many there are."""
    packages = [(name.split("/")[0], name.split(": ")[1]) for name in names]
    if labels > 1:
        return ["labelled:", *(f"{name}, {labels} documents" for name in sorted({package for package, _ in packages}))]
    return ["labelled:", *(f"{package}, {name}" for package, name in sorted(packages))]


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
